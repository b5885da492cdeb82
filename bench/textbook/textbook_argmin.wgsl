// As textbook_reduce, of pairs: the least value and where it stands; of equal ones the first. The first launch makes the
// pairs: before this text stands `const first_launch = true;` or false.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> indices: array<u32>;
@group(0) @binding(2) var<storage, read_write> least: array<u32>;
@group(0) @binding(3) var<storage, read_write> places: array<u32>;

var<workgroup> pairs: array<vec2u, 256>;

fn pair_or_worst(i: u32) -> vec2u {
    if (i >= arrayLength(&values)) { return vec2u(0xffffffffu); }
    if (first_launch) { return vec2u(values[i], i); }
    return vec2u(values[i], indices[i]);
}

fn better(a: vec2u, b: vec2u) -> vec2u {
    if (b.x < a.x || (b.x == a.x && b.y < a.y)) { return b; }
    return a;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let first = group.x * 512u + local;
    pairs[local] = better(pair_or_worst(first), pair_or_worst(first + 256u));
    workgroupBarrier();
    for (var stride = 128u; stride > 0u; stride /= 2u) {
        if (local < stride) { pairs[local] = better(pairs[local], pairs[local + stride]); }
        workgroupBarrier();
    }
    if (local == 0u) {
        least[group.x] = pairs[0].x;
        places[group.x] = pairs[0].y;
    }
}
