// Random numbers: an invocation makes the four words of each of its counters, which are one row of the output.
//
//     WORKGROUP_SIZE, ITEMS; T, ROW; FIRST (the first counter), KEY; fn number(word: u32) -> T
//     philox, counter_after; out_put, out_put_row

const TILE_ROWS = WORKGROUP_SIZE * ITEMS;

@compute @workgroup_size(WORKGROUP_SIZE)
fn generate(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    if (group >= telar_launch.groups) { return; }
    let count = telar_launch.count.x;
    for (var k = 0u; k < ITEMS; k++) {
        let row = group * TILE_ROWS + k * WORKGROUP_SIZE + local;
        let words = philox(counter_after(FIRST, group_base() * TILE_ROWS + row), KEY);
        let numbers = array<T, ROW>(number(words.x), number(words.y), number(words.z), number(words.w));
        if (row < count / 4u) {
            out_put_row(row, numbers);
        } else {
            for (var c = 0u; c < 3u; c++) {
                if (4u * row + c < count) { out_put(4u * row + c, numbers[c]); }
            }
        }
    }
}
