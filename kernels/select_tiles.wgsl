// Selects in one go: judges the elements of a tile and puts them to their places. What is kept before the tile comes from
// select_alone or scan_look_back.
//
//     WORKGROUP_SIZE, ITEMS, LANES; A = u32, lanes_inclusive, lanes_before, lanes_from, workgroup_offsets
//     noted, word_at, bit_at; place_of, CAPACITY; C, candidate(i) -> C, part_of(c, i), kept_of(c: C, i: u32) -> T; T
//     keep(i, place, x: T); counts_put; tile_take, tile_tell, tile_prefix_told

const TILE = WORKGROUP_SIZE * ITEMS;
const PART = LANES * ITEMS;
// Before what stands before the tile is known, which takes its time; many ranks would take too many registers. H200, 1024
// invocations of 8 items: 6.95 us instead of 7.24; 512 of 32: 720 instead of 601.
const RANKED_EARLY = ITEMS <= 8u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn select_tiles(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) groups: vec3u,
                @builtin(local_invocation_index) local: u32) {
    let lane = local % LANES;
    let count = telar_launch.count.x;
    let tile = tile_take(0u, id, groups, local);
    if (count == 0u && local == 0u) { counts_put(0u, 0u); }
    if (tile * TILE >= count) { return; }
    let first = tile * TILE + local / LANES * PART + lane;

    var c: array<C, ITEMS>;
    var words = A();
    for (var k = 0u; k < ITEMS; k++) { c[k] = candidate(min(first + k * LANES, count - 1u)); }
    for (var k = 0u; k < ITEMS; k++) {
        let i = first + k * LANES;
        words = noted(words, k, select(2u, part_of(c[k], min(i, count - 1u)), i < count), lane);
    }
    let counts = countOneBits(words);
    let inclusive = lanes_inclusive(counts, lane);
    let offsets = workgroup_offsets(lanes_from(inclusive, LANES - 1u), local, lane);
    let before = offsets.before + lanes_before(inclusive, counts, lane);
    var ranks: array<u32, ITEMS>;
    tile_tell(tile, offsets.total, local, lane);
    if (RANKED_EARLY) {
        for (var k = 0u; k < ITEMS; k++) { ranks[k] = rank_of(words, before, k, lane, first, count); }
    }
    let prefix = tile_prefix_told(tile, offsets.total, local, lane);
    let room = CAPACITY - min(prefix, CAPACITY);
    for (var k = 0u; k < ITEMS; k++) {
        let i = first + k * LANES;
        var rank = ranks[k];
        if (!RANKED_EARLY) { rank = rank_of(words, before, k, lane, first, count); }
        if (rank < room) { keep(i, prefix + rank, kept_of(c[k], i)); }
    }
    if (local == 0u && tile == (count - 1u) / TILE) { counts_put(0u, prefix + offsets.total); }
}

// The place among the tile's of an invocation's k-th element, with so many kept elements before its words.
fn rank_of(words: A, before: A, k: u32, lane: u32, first: u32, count: u32) -> u32 {
    let i = first + k * LANES;
    return place_of(lanes_from(words, word_at(k, lane)), lanes_from(before, word_at(k, lane)), bit_at(k, lane), i,
                    i < count);
}

fn index_of(i: u32) -> u32 { return i; }
