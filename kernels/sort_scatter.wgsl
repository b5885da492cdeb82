// One pass of a radix sort: orders a tile by one digit and writes each of its elements to its place. An element's rank
// among those of its digit is found by ballots, subgroup by subgroup; the tile is put in order in workgroup memory, so
// that the elements of a digit are written side by side.
//
//     WORKGROUP_SIZE, ITEMS (of an invocation in a tile), SUBGROUPS, LANES; DIGITS, DIGIT_BITS
//     Key, KEY_WORDS, PAD, digit_of, key_word, key_with, key_unmap; Value, VALUE_WORDS, VALUE_ITEMS, value_word, value_with
//     other_key, sorted_key, other_put, sorted_put; other_value, sorted_value, other_value_put, sorted_value_put
//     LaneMask and its functions; rank_among; lanes_inclusive of +
//     pass_runs, pass_digit, goes_to_sorted, is_last_pass, digit_total; tile_number, tile_counted, tile_offset

const TILE = WORKGROUP_SIZE * ITEMS;
const DIGITS_EACH = (DIGITS + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
const DIGIT_SUBGROUPS = (DIGITS / DIGITS_EACH + LANES - 1u) / LANES;

// First the counters of each subgroup, then the words of the tile in their new order.
var<workgroup> words: array<atomic<u32>, WORDS>;
// Where a digit begins in the tile, and its first element's place less that.
var<workgroup> digit_ranks: array<u32, DIGITS>;
var<workgroup> digit_places: array<u32, DIGITS>;
// Of the digits before each subgroup's: elements of the tile, and of all.
var<workgroup> rank_sums: array<u32, SUBGROUPS>;
var<workgroup> place_sums: array<u32, SUBGROUPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_scatter(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let count = telar_launch.count.x;
    let tiles = telar_launch.groups;
    if (!pass_runs()) { return; }
    let tile = tile_number(id, local);
    if (tile >= tiles) { return; }
    let to_sorted = goes_to_sorted();
    let is_last = is_last_pass();
    let digit = pass_digit();
    let lane = local % LANES;
    let subgroup = local / LANES;
    let counters = subgroup * DIGITS;
    // A subgroup's elements stand side by side; behind the end stand pads, which no digit comes after.
    let begin = tile * TILE + subgroup * LANES * ITEMS + lane;
    let left = min(count - tile * TILE, TILE);
    for (var k = local; k < SUBGROUPS * DIGITS; k += WORKGROUP_SIZE) { atomicStore(&words[k], 0u); }
    var key: array<Key, ITEMS>;
    if (to_sorted) {
        for (var k = 0u; k < ITEMS; k++) {
            let i = begin + k * LANES;
            key[k] = select(PAD, other_key(min(i, count - 1u)), i < count);
        }
    } else {
        for (var k = 0u; k < ITEMS; k++) {
            let i = begin + k * LANES;
            key[k] = select(PAD, sorted_key(min(i, count - 1u)), i < count);
        }
    }
    workgroupBarrier();

    // The rank of each element among those of its digit in its subgroup. Two ranks share a word: registers decide how
    // many workgroups a unit can have.
    var ranks: array<u32, (ITEMS + 1u) / 2u>;
    for (var k = 0u; k < ITEMS; k += 2u) { ranks[k / 2u] = 0u; }
    for (var k = 0u; k < ITEMS; k++) {
        let value = digit_of(key[k], digit);
        var peers = all_lanes();
        for (var b = 0u; b < DIGIT_BITS; b++) {
            let bit = (value >> b) & 1u;
            peers &= lanes_where(bit != 0u) ^ LaneMask(bit - 1u);
        }
        ranks[k / 2u] |= rank_among(peers, counters + value, lane) << (k % 2u * 16u);
    }
    workgroupBarrier();

    // Each digit: what the subgroups before have of it, and where it begins.
    var counted: array<u32, DIGITS_EACH>;
    var totals: array<u32, DIGITS_EACH>;
    var counted_here = 0u;
    var total_here = 0u;
    for (var e = 0u; e < DIGITS_EACH; e++) {
        let value = local * DIGITS_EACH + e;
        counted[e] = 0u;
        totals[e] = 0u;
        if (value < DIGITS) {
            for (var s = 0u; s < SUBGROUPS; s++) {
                let own = atomicLoad(&words[s * DIGITS + value]);
                atomicStore(&words[s * DIGITS + value], counted[e]);
                counted[e] += own;
            }
            tile_counted(tile, value, counted[e]);
            totals[e] = digit_total(value);
        }
        counted_here += counted[e];
        total_here += totals[e];
    }
    let counted_inclusive = lanes_inclusive(counted_here, lane);
    let total_inclusive = lanes_inclusive(total_here, lane);
    if (lane == LANES - 1u) {
        rank_sums[subgroup] = counted_inclusive;
        place_sums[subgroup] = total_inclusive;
    }
    workgroupBarrier();
    var digit_rank = counted_inclusive - counted_here;
    var digit_place = total_inclusive - total_here;
    for (var s = 0u; s < DIGIT_SUBGROUPS; s++) {
        if (s < subgroup) {
            digit_rank += rank_sums[s];
            digit_place += place_sums[s];
        }
    }
    for (var e = 0u; e < DIGITS_EACH; e++) {
        let value = local * DIGITS_EACH + e;
        if (value < DIGITS) {
            digit_ranks[value] = digit_rank;
            digit_places[value] = digit_place - digit_rank;
        }
        digit_rank += counted[e];
        digit_place += totals[e];
    }
    workgroupBarrier();

    // The rank of each element in the tile: counters are read for the last time, and give way to the elements.
    for (var k = 0u; k < ITEMS; k++) {
        let value = digit_of(key[k], digit);
        ranks[k / 2u] += (atomicLoad(&words[counters + value]) + digit_ranks[value]) << (k % 2u * 16u);
    }
    workgroupBarrier();
    for (var w = 0u; w < KEY_WORDS; w++) {
        for (var k = 0u; k < ITEMS; k++) {
            atomicStore(&words[(ranks[k / 2u] >> (k % 2u * 16u)) & 0xffffu], key_word(key[k], w));
        }
        if (w == 0u) {
            for (var e = 0u; e < DIGITS_EACH; e++) {
                let value = local * DIGITS_EACH + e;
                if (value < DIGITS) { digit_places[value] += tile_offset(tile, value, counted[e]); }
            }
        }
        workgroupBarrier();
        for (var k = 0u; k < ITEMS; k++) {
            key[k] = key_with(key[k], w, atomicLoad(&words[k * WORKGROUP_SIZE + local]));
        }
        if (w + 1u < KEY_WORDS || VALUE_WORDS > 0u) { workgroupBarrier(); }
    }
    var place: array<u32, ITEMS>;
    if (to_sorted) {
        for (var k = 0u; k < ITEMS; k++) {
            let i = k * WORKGROUP_SIZE + local;
            place[k] = digit_places[digit_of(key[k], digit)] + i;
            if (i < left) { sorted_put(place[k], key_unmap(key[k], is_last)); }
        }
    } else {
        for (var k = 0u; k < ITEMS; k++) {
            let i = k * WORKGROUP_SIZE + local;
            place[k] = digit_places[digit_of(key[k], digit)] + i;
            if (i < left) { other_put(place[k], key[k]); }
        }
    }

    // The values go the same way.
    var datum: array<Value, ITEMS>;
    if (to_sorted) {
        for (var k = 0u; k < VALUE_ITEMS; k++) { datum[k] = other_value(min(begin + k * LANES, count - 1u)); }
    } else {
        for (var k = 0u; k < VALUE_ITEMS; k++) { datum[k] = sorted_value(min(begin + k * LANES, count - 1u)); }
    }
    for (var w = 0u; w < VALUE_WORDS; w++) {
        for (var k = 0u; k < ITEMS; k++) {
            atomicStore(&words[(ranks[k / 2u] >> (k % 2u * 16u)) & 0xffffu], value_word(datum[k], w));
        }
        workgroupBarrier();
        for (var k = 0u; k < ITEMS; k++) {
            datum[k] = value_with(datum[k], w, atomicLoad(&words[k * WORKGROUP_SIZE + local]));
        }
        if (w + 1u < VALUE_WORDS) { workgroupBarrier(); }
    }
    if (to_sorted) {
        for (var k = 0u; k < VALUE_ITEMS; k++) {
            if (k * WORKGROUP_SIZE + local < left) { sorted_value_put(place[k], datum[k]); }
        }
    } else {
        for (var k = 0u; k < VALUE_ITEMS; k++) {
            if (k * WORKGROUP_SIZE + local < left) { other_value_put(place[k], datum[k]); }
        }
    }
}
