// Counts the digits of all passes in one read of the keys, notes which bits they have and lack, and clears what the passes
// post for each other.
//
//     WORKGROUP_SIZE, ROWS (of an invocation at a time), COPIES (of each counter), PASSES, DIGITS, LANES
//     TILE (elements of a scatter's tile), SPINE_HEAD (words of a pass before its entries); HISTOGRAM, SPINE: the bindings
//     Key, KEY_ROW, KEY_WORDS, key_word, digit_of, digit_of_pass; sorted_key, sorted_keys; note

@group(0) @binding(HISTOGRAM) var<storage, read_write> histogram: array<atomic<u32>>;
@group(0) @binding(SPINE) var<storage, read_write> spine: array<vec4u>;

// The copies of a counter stand side by side: lanes that meet the same digit do not wait for each other.
var<workgroup> counters: array<atomic<u32>, PASSES * DIGITS * COPIES>;

const TURN = WORKGROUP_SIZE * ROWS * KEY_ROW;

fn clear_spine(first: u32, stride: u32, count: u32) {
    let pass_quads = arrayLength(&spine) / PASSES;
    let used_quads = (SPINE_HEAD + (count / TILE + u32(count % TILE != 0u)) * DIGITS) / 4u;
    for (var i = first; i < used_quads; i += stride) {
        for (var p = 0u; p < PASSES; p++) { spine[p * pass_quads + i] = vec4u(0u); }
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_histogram(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let count = telar_launch.count.x;
    let copy = local % COPIES;
    clear_spine(group * WORKGROUP_SIZE + local, telar_launch.stride * WORKGROUP_SIZE, count);
    for (var k = local; k < PASSES * DIGITS * COPIES; k += WORKGROUP_SIZE) { atomicStore(&counters[k], 0u); }
    workgroupBarrier();
    var has: array<u32, KEY_WORDS>;
    var lacks: array<u32, KEY_WORDS>;
    for (var w = 0u; w < KEY_WORDS; w++) {
        has[w] = 0u;
        lacks[w] = 0u;
    }
    var turn = group;
    for (; turn < count / TURN; turn += telar_launch.stride) {
        var keys: array<Key, ROWS * KEY_ROW>;
        for (var r = 0u; r < ROWS; r++) {
            let row = sorted_keys((turn * ROWS + r) * WORKGROUP_SIZE + local);
            for (var c = 0u; c < KEY_ROW; c++) { keys[r * KEY_ROW + c] = row[c]; }
        }
        for (var k = 0u; k < ROWS * KEY_ROW; k++) {
            for (var p = 0u; p < PASSES; p++) {
                atomicAdd(&counters[(p * DIGITS + digit_of(keys[k], digit_of_pass(p))) * COPIES + copy], 1u);
            }
            for (var w = 0u; w < KEY_WORDS; w++) {
                has[w] |= key_word(keys[k], w);
                lacks[w] |= ~key_word(keys[k], w);
            }
        }
    }
    // The last turn may be short: it belongs to the workgroup whose stride ends there.
    if (turn == count / TURN) {
        for (var i = turn * TURN + local; i < count; i += WORKGROUP_SIZE) {
            let key = sorted_key(i);
            for (var p = 0u; p < PASSES; p++) {
                atomicAdd(&counters[(p * DIGITS + digit_of(key, digit_of_pass(p))) * COPIES + copy], 1u);
            }
            for (var w = 0u; w < KEY_WORDS; w++) {
                has[w] |= key_word(key, w);
                lacks[w] |= ~key_word(key, w);
            }
        }
    }
    for (var w = 0u; w < KEY_WORDS; w++) {
        note(w, has[w], local % LANES);
        note(KEY_WORDS + w, lacks[w], local % LANES);
    }
    workgroupBarrier();
    for (var value = local; value < PASSES * DIGITS; value += WORKGROUP_SIZE) {
        var sum = 0u;
        for (var k = 0u; k < COPIES; k++) { sum += atomicLoad(&counters[value * COPIES + (k + value) % COPIES]); }
        if (sum != 0u) { atomicAdd(&histogram[value], sum); }
    }
}
