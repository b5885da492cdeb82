// How many groups the device holds at once. Each counts itself, stays for a bounded while, and then says how many have
// come by then: the first to leave has seen those that came before anyone left.
// output[0]: groups that came; output[1]: the complement of the least number seen.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) {
        atomicAdd(&output[0], 1u);
        var seen = 0u;
        for (var k = 0u; k < tune.repeats; k++) {
            seen = max(seen, atomicLoad(&output[0]));
        }
        atomicMax(&output[1], ~seen);
    }
    workgroupBarrier(); // no invocation leaves before
}
