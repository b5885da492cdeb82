// Counts the 16 digits of each block of 256 keys, all blocks of a digit side by side. Before this text stands
// `const shift = 0u;`, 4, ... 28.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;

var<workgroup> own: array<atomic<u32>, 16>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    if (local < 16u) { atomicStore(&own[local], 0u); }
    workgroupBarrier();
    let i = group.x * 256u + local;
    if (i < arrayLength(&keys)) { atomicAdd(&own[(keys[i] >> shift) & 15u], 1u); }
    workgroupBarrier();
    if (local < 16u) { counts[local * (arrayLength(&counts) / 16u) + group.x] = atomicLoad(&own[local]); }
}
