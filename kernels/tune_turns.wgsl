// Words read in two loops, one of `items` turns within one whose end no compiler knows, as the reduction of a stride launch reads
// them: groups take tiles in turn. Each word must be its own index. output[0] counts the groups, output[1] the invocations that
// read something else.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if (group >= tune.groups) { return; }
    let count = arrayLength(&input);
    let tile = items * group_size;
    var sum = 0u;
    for (var at = group; at < tune.repeats * tune.groups; at += tune.groups) {
        let first = at * tile + lane;
        for (var k = 0u; k < items; k++) {
            let i = first + k * group_size;
            if (i < count) { sum += input[i]; }
        }
    }
    let tiles = tune.repeats * group + tune.groups * (tune.repeats * (tune.repeats - 1u) / 2u); // their numbers' sum
    let expected = items * tile * tiles + tune.repeats * (items * lane + group_size * (items * (items - 1u) / 2u));
    if (sum != expected) { atomicAdd(&output[1], 1u); }
    if (lane == 0u) { atomicAdd(&output[0], 1u); }
}
