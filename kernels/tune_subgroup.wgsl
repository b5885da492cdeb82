// Lanes of a subgroup: output[0] the most that an invocation sees, output[1] the complement of the least.
// output[2] counts the groups.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) lanes: u32) {
    atomicMax(&output[0], lanes);
    atomicMax(&output[1], ~lanes);
    if (lane == 0u) { atomicAdd(&output[2], 1u); }
}
