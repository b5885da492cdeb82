// The same where the lanes work together, for which a compiler may choose another size.
// output[3] counts the invocations whose subgroup has more lanes at work than it has lanes, or fewer than one.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) lanes: u32) {
    let at_work = subgroupAdd(1u);
    atomicMax(&output[0], lanes);
    atomicMax(&output[1], ~lanes);
    if (lane == 0u) { atomicAdd(&output[2], 1u); }
    if (at_work > lanes || at_work == 0u) { atomicAdd(&output[3], 1u); }
}
