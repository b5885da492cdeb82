// Each workgroup reduces the tiles that it strides over. The elements are combined in an order that depends on their
// number and that of the workgroups alone, so that the same device gives the same bits on every run.
//
//     WORKGROUP_SIZE, SUBGROUPS, ROWS (of an invocation in a tile: so many loads are on their way at once)
//     SUM_ROWS (of them that have sums of their own; a divisor of ROWS)
//     T, ROW, source_row, source_item; A, identity, take, combine, lanes_total
//     first_element() -> u32                            of this window, counted in the whole array
//     deliver_soon(local: u32)                          a total comes soon
//     deliver(total: A, group: u32, local: u32)         what becomes of a workgroup's total

const TILE_ROWS = WORKGROUP_SIZE * ROWS;
const TURNS = ROWS / SUM_ROWS; // that a sum has in a tile

var<workgroup> subgroup_totals: array<A, SUBGROUPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn reduce_tiles(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let count = telar_launch.count.x;
    let whole_rows = count / ROW;
    let stride = telar_launch.stride * WORKGROUP_SIZE; // rows
    let rounds = whole_rows / (stride * ROWS);
    let before = first_element();
    var sums: array<A, SUM_ROWS * ROW>;
    for (var k = 0u; k < SUM_ROWS * ROW; k++) { sums[k] = identity(); }
    // Rounds in which every workgroup has a tile.
    for (var round = 0u; round < rounds; round++) {
        let first = (round * telar_launch.stride + group) * TILE_ROWS + local;
        var rows: array<array<T, ROW>, ROWS>;
        for (var r = 0u; r < ROWS; r++) { rows[r] = source_row(first + r * WORKGROUP_SIZE); }
        for (var r = 0u; r < ROWS; r++) {
            for (var c = 0u; c < ROW; c++) {
                sums[r % SUM_ROWS * ROW + c] =
                    take(sums[r % SUM_ROWS * ROW + c], rows[r][c], before + (first + r * WORKGROUP_SIZE) * ROW + c,
                         round * TURNS + r / SUM_ROWS + 1u);
            }
        }
    }
    // What is left is less than one such round: all workgroups have a part of it, row by row.
    let first = rounds * ROWS * stride + group * WORKGROUP_SIZE + local;
    var rows: array<array<T, ROW>, ROWS>;
    for (var r = 0u; r < ROWS; r++) {
        if (first + r * stride < whole_rows) { rows[r] = source_row(first + r * stride); }
    }
    deliver_soon(local);
    for (var r = 0u; r < ROWS; r++) {
        if (first + r * stride < whole_rows) {
            for (var c = 0u; c < ROW; c++) {
                sums[r % SUM_ROWS * ROW + c] =
                    take(sums[r % SUM_ROWS * ROW + c], rows[r][c], before + (first + r * stride) * ROW + c,
                         rounds * TURNS + r / SUM_ROWS + 1u);
            }
        }
    }
    // The last elements, less than a row.
    let last = whole_rows * ROW + local;
    if (group == 0u && last < count) { sums[0] = combine(sums[0], take(identity(), source_item(last), before + last, 1u)); }
    var sum = sums[0];
    for (var k = 1u; k < SUM_ROWS * ROW; k++) { sum = combine(sum, sums[k]); }
    deliver(workgroup_total(sum, local), group, local);
}
