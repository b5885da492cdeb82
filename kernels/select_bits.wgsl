// Judges the elements of a tile: which set each is in, as bits, and how many of each set there are in the tile and in
// what stands before each subgroup in it.
//
//     WORKGROUP_SIZE, ITEMS, LANES, SUBGROUPS; A, lanes_total, workgroup_offsets; noted
//     C, candidate(i) -> C, part_of(c: C, i: u32) -> u32

const TILE = WORKGROUP_SIZE * ITEMS;
const PART = LANES * ITEMS;
const PART_WORDS = PART / 32u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn select_bits(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let lane = local % LANES;
    let subgroup = local / LANES;
    let count = telar_launch.count.x;
    let tile = group_number(id);
    if (tile >= telar_launch.groups) { return; }
    let first = tile * TILE + subgroup * PART + lane;

    var words = A();
    if (tile < count / TILE) {
        var c: array<C, ITEMS>;
        for (var k = 0u; k < ITEMS; k++) { c[k] = candidate(first + k * LANES); }
        for (var k = 0u; k < ITEMS; k++) { words = noted(words, k, part_of(c[k], first + k * LANES), lane); }
    } else {
        // Once in a dispatch: a loop that stays one.
        for (var k = 0u; k < min(ITEMS, count); k++) {
            let i = min(first + k * LANES, count - 1u);
            words = noted(words, k, select(2u, part_of(candidate(i), i), first + k * LANES < count), lane);
        }
    }
    let offsets = workgroup_offsets(lanes_total(countOneBits(words)), local, lane);
    let part = (group_base() + tile) * SUBGROUPS + subgroup;
    if (lane < PART_WORDS) { bits[part * PART_WORDS + lane] = words; }
    if (lane == 0u) { befores[part] = offsets.before; }
    if (local == 0u) { partials[group_base() + tile] = offsets.total; }
}

fn index_of(i: u32) -> u32 { return group_base() * TILE + i; }
