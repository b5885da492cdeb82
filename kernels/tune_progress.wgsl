// Groups that wait for the one that began before them, for a bounded while.
// output[0]: groups that began; output[1]: that went on; output[2]: that gave up, after which nobody waits.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) {
        let mine = atomicAdd(&output[0], 1u);
        for (var k = 0u; k < tune.repeats; k++) {
            if (atomicLoad(&output[1]) >= mine || atomicLoad(&output[2]) > 0u) { break; }
        }
        if (atomicLoad(&output[1]) < mine) { atomicAdd(&output[2], 1u); }
        atomicAdd(&output[1], 1u);
    }
}
