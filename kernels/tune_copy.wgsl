// A copy; the salt tells it from those before.
@group(0) @binding(0) var<storage, read> input: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if (group >= tune.groups) { return; }
    let i = group * group_size + lane;
    output[i] = input[i] + tune.salt;
}
