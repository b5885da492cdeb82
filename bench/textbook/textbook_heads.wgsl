// 1 where a run of equal keys begins.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if (i >= arrayLength(&keys)) { return; }
    var begins = i == 0u;
    if (i > 0u) { begins = keys[i] != keys[i - 1u]; }
    flags[i] = u32(begins);
}
