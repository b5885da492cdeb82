// A loop over elements as kernels with a tree have it: each is looked at alone, and where there is one it is read and added.
// Each word must be its own index. output[0] counts the groups, output[1] the invocations with another sum.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32) {
    let count = arrayLength(&input);
    var sum = 0u;
    for (var k = 0u; k < items; k++) {
        let i = lane + k * group_size;
        if (i < count) { sum += input[i]; }
    }
    if (sum != items * lane + group_size * (items * (items - 1u) / 2u)) { atomicAdd(&output[1], 1u); }
    if (lane == 0u) { atomicAdd(&output[0], 1u); }
}
