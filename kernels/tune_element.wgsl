// One word and the same again, a group apart: what an element function does.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if (group >= tune.groups) { return; }
    let first = group * group_size * items + lane;
    for (var k = 0u; k < items; k++) {
        let i = first + k * group_size;
        output[i] = input[i] + tune.salt;
    }
}
