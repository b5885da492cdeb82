// Counts the digits of each tile of keys; the tiles of a digit stand side by side. The first pass also notes which bits
// the keys have and which they lack.
//
//     WORKGROUP_SIZE, TILE_ROWS, ROWS (of an invocation at a time), COPIES (of each counter), DIGITS, LANES, FIRST; COUNTS: the binding
//     Key, KEY_ROW, KEY_WORDS, key_word, digit_of; other_key, other_keys, sorted_key, sorted_keys
//     pass_runs, pass_digit, goes_to_sorted; note

const TILE = TILE_ROWS * KEY_ROW;

@group(0) @binding(COUNTS) var<storage, read_write> counts: array<u32>;

// The copies of a counter stand side by side: lanes that meet the same digit do not wait for each other.
var<workgroup> counters: array<atomic<u32>, DIGITS * COPIES>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_count(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let tile = group_number(id);
    let tiles = telar_launch.groups;
    let count = telar_launch.count.x;
    if (tile >= tiles || !pass_runs()) { return; }
    let digit = pass_digit();
    let from_other = goes_to_sorted();
    let full = (tile + 1u) * TILE <= count;
    for (var k = local; k < DIGITS * COPIES; k += WORKGROUP_SIZE) { atomicStore(&counters[k], 0u); }
    workgroupBarrier();
    let copy = local % COPIES;
    var has: array<u32, KEY_WORDS>;
    var lacks: array<u32, KEY_WORDS>;
    for (var w = 0u; w < KEY_WORDS; w++) {
        has[w] = 0u;
        lacks[w] = 0u;
    }
    if (full) {
        // ROWS rows are on their way at once.
        for (var first = tile * TILE_ROWS + local; first < (tile + 1u) * TILE_ROWS; first += ROWS * WORKGROUP_SIZE) {
            var keys: array<Key, ROWS * KEY_ROW>;
            if (from_other) {
                for (var r = 0u; r < ROWS; r++) {
                    let row = other_keys(first + r * WORKGROUP_SIZE);
                    for (var c = 0u; c < KEY_ROW; c++) { keys[r * KEY_ROW + c] = row[c]; }
                }
            } else {
                for (var r = 0u; r < ROWS; r++) {
                    let row = sorted_keys(first + r * WORKGROUP_SIZE);
                    for (var c = 0u; c < KEY_ROW; c++) { keys[r * KEY_ROW + c] = row[c]; }
                }
            }
            for (var k = 0u; k < ROWS * KEY_ROW; k++) {
                atomicAdd(&counters[digit_of(keys[k], digit) * COPIES + copy], 1u);
                for (var w = 0u; w < KEY_WORDS; w++) {
                    has[w] |= key_word(keys[k], w);
                    lacks[w] |= ~key_word(keys[k], w);
                }
            }
        }
    } else {
        for (var i = tile * TILE + local; i < count; i += WORKGROUP_SIZE) {
            var key: Key;
            if (from_other) { key = other_key(i); } else { key = sorted_key(i); }
            atomicAdd(&counters[digit_of(key, digit) * COPIES + copy], 1u);
            for (var w = 0u; w < KEY_WORDS; w++) {
                has[w] |= key_word(key, w);
                lacks[w] |= ~key_word(key, w);
            }
        }
    }
    if (FIRST) {
        for (var w = 0u; w < KEY_WORDS; w++) {
            note(w, has[w], local % LANES);
            note(KEY_WORDS + w, lacks[w], local % LANES);
        }
    }
    workgroupBarrier();
    for (var value = local; value < DIGITS; value += WORKGROUP_SIZE) {
        var sum = 0u;
        for (var k = 0u; k < COPIES; k++) { sum += atomicLoad(&counters[value * COPIES + (k + value) % COPIES]); }
        counts[value * tiles + tile] = sum;
    }
}
