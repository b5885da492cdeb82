// Groups that do nothing but the last one, which counts the dispatches.
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    if (group_number(id) == tune.groups - 1u && lane == 0u) { output[0] += 1u; }
}
