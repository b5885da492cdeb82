// A tree in workgroup memory: each group adds 512 elements, the next launch adds the groups' sums, until one is left.
// Before this text stands `alias T = u32;` or another type.
@group(0) @binding(0) var<storage, read> s: array<T>;
@group(0) @binding(1) var<storage, read_write> d: array<T>;

var<workgroup> sums: array<T, 256>;

fn element_or_zero(i: u32) -> T {
    if (i < arrayLength(&s)) { return s[i]; }
    return T(0);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let first = group.x * 512u + local;
    sums[local] = element_or_zero(first) + element_or_zero(first + 256u);
    workgroupBarrier();
    for (var stride = 128u; stride > 0u; stride /= 2u) {
        if (local < stride) { sums[local] += sums[local + stride]; }
        workgroupBarrier();
    }
    if (local == 0u) { d[group.x] = sums[0]; }
}
