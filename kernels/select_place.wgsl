// Puts the elements of a tile to their places, which the bits and the counts before the tile tell: no subgroup waits for
// another one. The last tiles come first: they were judged last, and are still in the cache.
//
//     WORKGROUP_SIZE, ITEMS, LANES, SUBGROUPS, LOAD_ALL; A, lanes_inclusive, lanes_before, lanes_from
//     word_at, bit_at; place_of; T, source_item; keep(i, place, x: T)

const TILE = WORKGROUP_SIZE * ITEMS;
const PART = LANES * ITEMS;
const PART_WORDS = PART / 32u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn select_place(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let lane = local % LANES;
    let subgroup = local / LANES;
    let count = telar_launch.count.x;
    if (group_number(id) >= telar_launch.groups) { return; }
    let tile = telar_launch.groups - 1u - group_number(id);
    let first = tile * TILE + subgroup * PART + lane;
    let part = (group_base() + tile) * SUBGROUPS + subgroup;

    var words = A();
    if (lane < PART_WORDS) { words = bits[part * PART_WORDS + lane]; }
    let counts = countOneBits(words);
    let before = partials[group_base() + tile] + befores[part] +
                 lanes_before(lanes_inclusive(counts, lane), counts, lane);

    var x: array<T, ITEMS>;
    var places: array<u32, ITEMS>;
    if (LOAD_ALL && tile < count / TILE) {
        for (var k = 0u; k < ITEMS; k++) { x[k] = source_item(first + k * LANES); }
    }
    for (var k = 0u; k < ITEMS; k++) {
        let i = first + k * LANES;
        places[k] = place_of(lanes_from(words, word_at(k, lane)), lanes_from(before, word_at(k, lane)),
                             bit_at(k, lane), i, i < count);
    }
    if (!(LOAD_ALL && tile < count / TILE)) {
        for (var k = 0u; k < ITEMS; k++) {
            x[k] = source_item(select(tile * TILE, first + k * LANES, places[k] != NOWHERE));
        }
    }
    for (var k = 0u; k < ITEMS; k++) {
        if (places[k] != NOWHERE) { keep(first + k * LANES, places[k], x[k]); }
    }
}

fn index_of(i: u32) -> u32 { return group_base() * TILE + i; }
