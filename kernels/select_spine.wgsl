// The counts of all tiles become the counts of what stands before them, and their total the result. One workgroup, which
// takes a run of tiles a turn; each subgroup has a contiguous part of it, row by row.
//
//     WORKGROUP_SIZE, ROWS, LANES; A, combine, lanes_inclusive, lanes_before, lanes_from, workgroup_offsets
//     ROW, partials_row, partials_put_row (whole turns of them); T = A, tiles_of(count); counts_note(all: A)

const TURN_ROWS = WORKGROUP_SIZE * ROWS;

@compute @workgroup_size(WORKGROUP_SIZE)
fn select_spine(@builtin(local_invocation_index) local: u32) {
    let lane = local % LANES;
    let tiles = tiles_of(telar_launch.count.x);
    var all_before = A();
    for (var turn = 0u; turn * TURN_ROWS * ROW < tiles; turn++) {
        let first_row = turn * TURN_ROWS + local / LANES * (ROWS * LANES) + lane;
        var x: array<A, ROWS * ROW>;
        for (var r = 0u; r < ROWS; r++) {
            let row = partials_row(first_row + r * LANES);
            for (var c = 0u; c < ROW; c++) {
                x[r * ROW + c] = select(A(), row[c], (first_row + r * LANES) * ROW + c < tiles);
            }
        }
        var before: array<A, ROWS>;
        var total = A();
        for (var r = 0u; r < ROWS; r++) {
            var sum = x[r * ROW];
            for (var c = 1u; c < ROW; c++) { sum += x[r * ROW + c]; }
            let inclusive = lanes_inclusive(sum, lane);
            before[r] = total + lanes_before(inclusive, sum, lane);
            total += lanes_from(inclusive, LANES - 1u);
        }
        let offsets = workgroup_offsets(total, local, lane);
        for (var r = 0u; r < ROWS; r++) {
            var sum = all_before + offsets.before + before[r];
            var row: array<T, ROW>;
            for (var c = 0u; c < ROW; c++) {
                row[c] = sum;
                sum += x[r * ROW + c];
            }
            partials_put_row(first_row + r * LANES, row);
        }
        all_before += offsets.total;
        workgroupBarrier();
    }
    if (local == 0u) { counts_note(all_before); }
}
