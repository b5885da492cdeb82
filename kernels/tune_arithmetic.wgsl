// Additions and multiplications, 16 of each in a step, in four chains that do not wait for each other. The numbers stay
// whole and small, so the result is known. output[0] counts the groups, output[1] the invocations with another result.
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    if (group_number(id) >= tune.groups) { return; }
    let start = vec4f(0, 1, 2, 3) + f32(lane);
    let one = vec4f(f32(tune.salt)); // it is 1, which no compiler knows
    var x = start;
    for (var k = 0u; k < tune.repeats; k++) {
        x = x * one + one;
        x = x * one + one;
        x = x * one + one;
        x = x * one + one;
    }
    if (any(x != start + 4.0 * f32(tune.repeats))) { atomicAdd(&output[1], 1u); }
    if (lane == 0u) { atomicAdd(&output[0], 1u); }
}
