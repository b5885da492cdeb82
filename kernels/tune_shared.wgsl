// Groups whose invocations share `items` words of workgroup memory: one barrier, and a look at the neighbour's word.
// output[0] counts the groups, output[1] the invocations that found something else.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

var<workgroup> shared_words: array<u32, items>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) lane: u32) {
    shared_words[lane] = lane;
    workgroupBarrier();
    let next = (lane + 1u) % group_size;
    if (shared_words[next] != next) { atomicAdd(&output[1], 1u); }
    if (lane == 0u) { atomicAdd(&output[0], 1u); }
}
