// Adds to each block of 512 what stands before it.
@group(0) @binding(0) var<storage, read> sums: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&d)) { return; }
    d[id.x] += sums[id.x / 512u];
}
