// Turns the counts of a digit into what the tiles before each have of it, and keeps the digit's total. A workgroup takes
// whole digits. The first pass also plans the others.
//
//     WORKGROUP_SIZE, ITEMS (of an invocation in a round), SUBGROUPS, TILE (elements), DIGITS, LANES
//     lanes_inclusive, lanes_from of +; plan_passes
@group(0) @binding(0) var<storage, read_write> state: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;

const ROUND = WORKGROUP_SIZE * ITEMS;

var<workgroup> subgroup_sums: array<u32, SUBGROUPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_scan(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let count = telar_launch.count.x;
    let tiles = count / TILE + u32(count % TILE != 0u);
    let lane = local % LANES;
    let subgroup = local / LANES;
    let group = group_number(id);
    if (group == 0u && local == 0u) { plan_passes(); }
    for (var digit = group; digit < DIGITS; digit += telar_launch.stride) {
        var before = 0u;
        for (var first = 0u; first < tiles; first += ROUND) {
            // A subgroup's items stand side by side.
            let begin = first + subgroup * LANES * ITEMS + lane;
            var sums: array<u32, ITEMS>;
            var total = 0u;
            for (var k = 0u; k < ITEMS; k++) {
                var x = 0u;
                if (begin + k * LANES < tiles) { x = counts[digit * tiles + begin + k * LANES]; }
                let inclusive = lanes_inclusive(x, lane);
                sums[k] = total + inclusive - x;
                total += lanes_from(inclusive, LANES - 1u);
            }
            if (lane == 0u) { subgroup_sums[subgroup] = total; }
            workgroupBarrier();
            var offset = before;
            for (var s = 0u; s < SUBGROUPS; s++) {
                let sum = subgroup_sums[s];
                if (s < subgroup) { offset += sum; }
                before += sum;
            }
            for (var k = 0u; k < ITEMS; k++) {
                if (begin + k * LANES < tiles) { counts[digit * tiles + begin + k * LANES] = offset + sums[k]; }
            }
            workgroupBarrier();
        }
        if (local == 0u) { state[1u + digit] = before; }
    }
}
