// A whole radix sort of at most a tile by one workgroup: the elements stay in registers, and change places in workgroup
// memory.
//
//     WORKGROUP_SIZE, ITEMS (of an invocation), SUBGROUPS, WORDS, LANES; PASSES, DIGITS, DIGIT_BITS
//     Key, KEY_WORDS, PAD, digit_of, digit_of_pass, key_word, key_with, key_unmap; Value, VALUE_WORDS, VALUE_ITEMS,
//     value_word, value_with; other_key, sorted_put; other_value, sorted_value_put
//     LaneMask and its functions; rank_among; lanes_inclusive, lanes_from, workgroup_offsets of +

const DIGITS_EACH = (DIGITS + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;

// First the counters of each subgroup, then the words of the elements in their new order.
var<workgroup> words: array<atomic<u32>, WORDS>;
// Where a digit begins.
var<workgroup> digit_ranks: array<u32, DIGITS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_small(@builtin(local_invocation_index) local: u32) {
    let count = telar_launch.count.x;
    if (count == 0u) { return; }
    let lane = local % LANES;
    let subgroup = local / LANES;
    let counters = subgroup * DIGITS;
    // A subgroup's elements stand side by side; behind the end stand pads, which no digit comes after.
    let begin = subgroup * LANES * ITEMS + lane;
    var key: array<Key, ITEMS>;
    for (var k = 0u; k < ITEMS; k++) {
        let i = begin + k * LANES;
        key[k] = select(PAD, other_key(min(i, count - 1u)), i < count);
    }
    var datum: array<Value, ITEMS>;
    for (var k = 0u; k < VALUE_ITEMS; k++) { datum[k] = other_value(min(begin + k * LANES, count - 1u)); }
    var p = 0u;
    while (p < PASSES) {
        let digit = digit_of_pass(p);
        p++;
        for (var k = local; k < SUBGROUPS * DIGITS; k += WORKGROUP_SIZE) { atomicStore(&words[k], 0u); }
        workgroupBarrier();

        // The rank of each element among those of its digit in its subgroup.
        var rank: array<u32, ITEMS>;
        for (var k = 0u; k < ITEMS; k++) {
            let value = digit_of(key[k], digit);
            var peers = all_lanes();
            for (var b = 0u; b < DIGIT_BITS; b++) {
                let bit = (value >> b) & 1u;
                peers &= lanes_where(bit != 0u) ^ LaneMask(bit - 1u);
            }
            rank[k] = rank_among(peers, counters + value, lane);
        }
        workgroupBarrier();

        // Each digit: what the subgroups before have of it, and where it begins.
        var counted: array<u32, DIGITS_EACH>;
        var counted_here = 0u;
        for (var e = 0u; e < DIGITS_EACH; e++) {
            let value = local * DIGITS_EACH + e;
            counted[e] = 0u;
            if (value < DIGITS) {
                for (var s = 0u; s < SUBGROUPS; s++) {
                    let own = atomicLoad(&words[s * DIGITS + value]);
                    atomicStore(&words[s * DIGITS + value], counted[e]);
                    counted[e] += own;
                }
            }
            counted_here += counted[e];
        }
        let inclusive = lanes_inclusive(counted_here, lane);
        let offsets = workgroup_offsets(lanes_from(inclusive, LANES - 1u), local, lane);
        var digit_rank = offsets.before + inclusive - counted_here;
        for (var e = 0u; e < DIGITS_EACH; e++) {
            let value = local * DIGITS_EACH + e;
            if (value < DIGITS) { digit_ranks[value] = digit_rank; }
            digit_rank += counted[e];
        }
        workgroupBarrier();

        // The rank of each among all, and the exchange.
        for (var k = 0u; k < ITEMS; k++) {
            let value = digit_of(key[k], digit);
            rank[k] += atomicLoad(&words[counters + value]) + digit_ranks[value];
        }
        workgroupBarrier();
        for (var w = 0u; w < KEY_WORDS; w++) {
            for (var k = 0u; k < ITEMS; k++) { atomicStore(&words[rank[k]], key_word(key[k], w)); }
            workgroupBarrier();
            for (var k = 0u; k < ITEMS; k++) { key[k] = key_with(key[k], w, atomicLoad(&words[begin + k * LANES])); }
            workgroupBarrier();
        }
        for (var w = 0u; w < VALUE_WORDS; w++) {
            for (var k = 0u; k < ITEMS; k++) { atomicStore(&words[rank[k]], value_word(datum[k], w)); }
            workgroupBarrier();
            for (var k = 0u; k < ITEMS; k++) {
                datum[k] = value_with(datum[k], w, atomicLoad(&words[begin + k * LANES]));
            }
            workgroupBarrier();
        }
    }
    for (var k = 0u; k < ITEMS; k++) {
        let i = begin + k * LANES;
        if (i < count) { sorted_put(i, key_unmap(key[k], true)); }
    }
    for (var k = 0u; k < VALUE_ITEMS; k++) {
        let i = begin + k * LANES;
        if (i < count) { sorted_value_put(i, datum[k]); }
    }
}
