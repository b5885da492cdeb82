// Turns the counts of a digit into what the tiles before each have of it, and keeps the digit's total. A workgroup takes
// whole digits. The first pass also plans the others.
//
//     WORKGROUP_SIZE, ITEMS (of an invocation in a turn), TILE (elements), DIGITS, LANES; COUNTS: the binding
//     lanes_inclusive, lanes_from, workgroup_offsets of +; plan_passes, pass_runs, keep_total

@group(0) @binding(COUNTS) var<storage, read_write> counts: array<u32>;

const TURN = WORKGROUP_SIZE * ITEMS;

var<workgroup> runs: u32;

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_scan(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let count = telar_launch.count.x;
    let tiles = count / TILE + u32(count % TILE != 0u);
    let lane = local % LANES;
    let subgroup = local / LANES;
    let group = group_number(id);
    if (local == 0u) {
        if (group == 0u) { plan_passes(); }
        runs = u32(pass_runs());
    }
    if (workgroupUniformLoad(&runs) == 0u) { return; }
    for (var value = group; value < DIGITS; value += telar_launch.stride) {
        var before = 0u;
        for (var first = 0u; first < tiles; first += TURN) {
            // A subgroup's counts stand side by side.
            let begin = first + subgroup * LANES * ITEMS + lane;
            var sums: array<u32, ITEMS>;
            var total = 0u;
            for (var k = 0u; k < ITEMS; k++) {
                var x = 0u;
                if (begin + k * LANES < tiles) { x = counts[value * tiles + begin + k * LANES]; }
                let inclusive = lanes_inclusive(x, lane);
                sums[k] = total + inclusive - x;
                total += lanes_from(inclusive, LANES - 1u);
            }
            let offsets = workgroup_offsets(total, local, lane);
            for (var k = 0u; k < ITEMS; k++) {
                if (begin + k * LANES < tiles) {
                    counts[value * tiles + begin + k * LANES] = before + offsets.before + sums[k];
                }
            }
            before += offsets.total;
            workgroupBarrier();
        }
        if (local == 0u) { keep_total(value, before); }
    }
}
