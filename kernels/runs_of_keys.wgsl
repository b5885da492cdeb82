// Runs of equal keys.
//
//     keys_item, keys_of_row; ROW; same(a: K, b: K) -> bool

fn elements_count() -> u32 { return telar_launch.count.x; }

fn head_of(i: u32, place: u32) -> u32 {
    if (i == 0u) { return 1u; }
    return u32(!same(keys_item(i - 1u), keys_item(i)));
}

fn heads_of_row(row: u32, place: u32) -> u32 {
    let row_keys = keys_of_row(row);
    var heads = head_of(row * ROW, place);
    for (var c = 1u; c < ROW; c++) { heads |= u32(!same(row_keys[c - 1u], row_keys[c])) << c; }
    return heads;
}
