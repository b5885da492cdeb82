// An invocation a segment, from offsets[k] to offsets[k + 1].
@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&d)) { return; }
    var sum = 0u;
    for (var i = offsets[id.x]; i < offsets[id.x + 1u]; i++) { sum += s[i]; }
    d[id.x] = sum;
}
