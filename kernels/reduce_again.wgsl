// A workgroup's total once more, by another: the elements combined in the order of reduce_tiles, so that the bits are the
// same, but with one row on its way at a time. It hardly ever runs, and registers that it takes are taken from everyone.
//
//     as reduce_tiles

fn total_again(group: u32, local: u32) -> A {
    let count = telar_launch.count.x;
    let whole_rows = count / ROW;
    let stride = telar_launch.stride * WORKGROUP_SIZE;
    let rounds = whole_rows / (stride * ROWS);
    let before = first_element();
    var sums: array<A, SUM_ROWS * ROW>;
    for (var k = 0u; k < SUM_ROWS * ROW; k++) { sums[k] = identity(); }
    // A round more: what is left, row by row.
    for (var k = 0u; k < (rounds + 1u) * ROWS; k++) {
        let round = k / ROWS;
        let r = k % ROWS;
        let in_tiles = (round * telar_launch.stride + group) * TILE_ROWS + local + r * WORKGROUP_SIZE;
        let in_rest = rounds * ROWS * stride + group * WORKGROUP_SIZE + local + r * stride;
        let at = select(in_rest, in_tiles, round < rounds);
        if (at < whole_rows) {
            let row = source_row(at);
            for (var c = 0u; c < ROW; c++) {
                let s = r % SUM_ROWS * ROW + c;
                sums[s] = take(sums[s], row[c], before + at * ROW + c, round * TURNS + r / SUM_ROWS + 1u);
            }
        }
    }
    let last = whole_rows * ROW + local;
    if (group == 0u && last < count) { sums[0] = combine(sums[0], take(identity(), source_item(last), before + last, 1u)); }
    var sum = sums[0];
    for (var k = 1u; k < SUM_ROWS * ROW; k++) { sum = combine(sum, sums[k]); }
    return workgroup_total(sum, local);
}
