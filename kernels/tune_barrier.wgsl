// Two barriers in a step: every value goes to the neighbour and grows by one.
// output[0] counts the groups, output[1] the invocations with another result.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

var<workgroup> values: array<u32, group_size>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32) {
    values[lane] = lane;
    workgroupBarrier();
    for (var k = 0u; k < tune.repeats; k++) {
        let next = values[(lane + 1u) % group_size] + 1u;
        workgroupBarrier();
        values[lane] = next;
        workgroupBarrier();
    }
    if (values[lane] != (lane + tune.repeats) % group_size + tune.repeats) { atomicAdd(&output[1], 1u); }
    if (lane == 0u) { atomicAdd(&output[0], 1u); }
}
