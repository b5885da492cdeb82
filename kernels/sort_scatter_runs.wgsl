// One pass of a radix sort without subgroups: an invocation has a run of the tile to itself, counts its digits in counters
// of its own, which then say where its next element of each digit goes.
//
//     WORKGROUP_SIZE, ITEMS (of an invocation); DIGITS
//     Key, digit_of, key_unmap; Value, VALUE_WORDS
//     other_key, sorted_key, other_put, sorted_put; other_value, sorted_value, other_value_put, sorted_value_put
//     pass_runs, pass_digit, goes_to_sorted, is_last_pass, digit_total; tile_number, tile_offset

const TILE = WORKGROUP_SIZE * ITEMS;
const DIGITS_EACH = (DIGITS + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;

// The invocations of a digit stand side by side.
var<workgroup> counters: array<u32, DIGITS * WORKGROUP_SIZE>;
// Elements of the digits that an invocation takes.
var<workgroup> totals: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_scatter(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let count = telar_launch.count.x;
    if (!pass_runs()) { return; }
    let tile = tile_number(id, local);
    if (tile >= telar_launch.groups) { return; }
    let digit = pass_digit();
    let to_sorted = goes_to_sorted();
    let is_last = is_last_pass();
    let begin = min(tile * TILE + local * ITEMS, count);
    let end = min(begin + ITEMS, count);
    for (var value = 0u; value < DIGITS; value++) { counters[value * WORKGROUP_SIZE + local] = 0u; }
    for (var i = begin; i < end; i++) {
        var key: Key;
        if (to_sorted) { key = other_key(i); } else { key = sorted_key(i); }
        counters[digit_of(key, digit) * WORKGROUP_SIZE + local] += 1u;
    }
    let first_value = local * DIGITS_EACH;
    let end_value = min(first_value + DIGITS_EACH, DIGITS);
    var total = 0u;
    for (var value = first_value; value < end_value; value++) { total += digit_total(value); }
    totals[local] = total;
    workgroupBarrier();
    var place = 0u;
    if (first_value < DIGITS) {
        for (var k = 0u; k < local; k++) { place += totals[k]; }
    }
    for (var value = first_value; value < end_value; value++) {
        var next = place + tile_offset(tile, value, 0u);
        for (var k = 0u; k < WORKGROUP_SIZE; k++) {
            let own = counters[value * WORKGROUP_SIZE + k];
            counters[value * WORKGROUP_SIZE + k] = next;
            next += own;
        }
        place += digit_total(value);
    }
    workgroupBarrier();
    for (var i = begin; i < end; i++) {
        var key: Key;
        if (to_sorted) { key = other_key(i); } else { key = sorted_key(i); }
        let counter = digit_of(key, digit) * WORKGROUP_SIZE + local;
        let to = counters[counter];
        counters[counter] = to + 1u;
        if (to_sorted) {
            sorted_put(to, key_unmap(key, is_last));
            if (VALUE_WORDS > 0u) { sorted_value_put(to, other_value(i)); }
        } else {
            other_put(to, key);
            if (VALUE_WORDS > 0u) { other_value_put(to, sorted_value(i)); }
        }
    }
}
