// How many groups the device holds at once. Each counts itself in, looks for a bounded while how many are there, and counts
// itself out. What came is looked at before what left, so that no group is counted that has gone.
// output[0]: groups that came; output[1]: that left; output[2]: the most that were there; `items`: words of memory.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

var<workgroup> held: array<u32, items>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) {
        atomicAdd(&output[0], 1u);
        held[tune.salt % items] = 1u;
        var most = 0u;
        for (var k = 0u; k < tune.repeats; k++) {
            let came = atomicLoad(&output[0]);
            most = max(most, came - min(came, atomicLoad(&output[1])));
        }
        atomicMax(&output[2], most * held[tune.salt % items]);
        atomicAdd(&output[1], 1u);
    }
    workgroupBarrier(); // no invocation leaves before
}
