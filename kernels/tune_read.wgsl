// Reads alone, and checks what it reads: each word must be its own index plus the salt.
// output[0] counts the groups, output[1] the invocations that read something else.
@group(0) @binding(0) var<storage, read> input: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

const reads = 16u; // of an invocation

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if (group >= tune.groups) { return; }
    let first = group * group_size * reads + lane;
    var sum = vec4u();
    for (var k = 0u; k < reads; k++) {
        sum += input[first + k * group_size];
    }
    let indices = 4u * (reads * first + group_size * (reads * (reads - 1u) / 2u));
    let expected = indices + reads * (tune.salt + vec4u(0, 1, 2, 3));
    if (any(sum != expected)) { atomicAdd(&output[1], 1u); }
    if (lane == 0u) { atomicAdd(&output[0], 1u); }
}
