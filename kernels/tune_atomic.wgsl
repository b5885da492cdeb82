// Each invocation adds one to some of the first `items` words, a power of two of them.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if (group >= tune.groups) { return; }
    let first = group * group_size + lane;
    for (var k = 0u; k < tune.repeats; k++) {
        atomicAdd(&output[(first + k * 4099u) & (items - 1u)], 1u);
    }
}
