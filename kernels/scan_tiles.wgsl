// Scans tiles: each subgroup of a workgroup takes a contiguous part of the tile, row by row, its lanes side by side. What
// stands before the tile comes from one of scan_prefixes, scan_look_back and scan_alone. While that is waited for, an
// element is no more than its own prefix within the subgroup, so that few registers are held.
//
//     WORKGROUP_SIZE, ROWS (of an invocation), LANES; A, identity, combine, lanes_inclusive, lanes_before, lanes_from
//     workgroup_offsets; T, ROW, source_row, source_item, heads_row, heads_item, result_put_row, result_put
//     scan_lift(x: T, head: u32) -> A                 an element as it is combined
//     scan_local(before: A, x: A, after: A) -> A      its prefix, of what begins anywhere before it
//     scan_result(prefix: A) -> T                     its result, of the prefix from the first element on
//     scan_count() -> u32                             elements
//     tile_turns() -> u32                             tiles of a workgroup
//     tile_take(turn, id, groups, local) -> u32       its next one
//     tile_prefix(tile, total, local, lane) -> A      all before the tile, whose total this is

const TILE_ROWS = WORKGROUP_SIZE * ROWS;
const TILE = TILE_ROWS * ROW;

@compute @workgroup_size(WORKGROUP_SIZE)
fn scan_tiles(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) groups: vec3u,
              @builtin(local_invocation_index) local: u32) {
    let lane = local % LANES;
    let count = scan_count();
    for (var turn = 0u; turn < tile_turns(); turn++) {
        let tile = tile_take(turn, id, groups, local);
        let whole = tile < count / TILE;
        if (!whole && tile * TILE >= count) { return; }
        let first_row = tile * TILE_ROWS + local / LANES * (ROWS * LANES) + lane;

        var x: array<A, ROWS * ROW>;
        if (whole) {
            for (var r = 0u; r < ROWS; r++) {
                let row = source_row(first_row + r * LANES);
                let heads = heads_row(first_row + r * LANES);
                for (var c = 0u; c < ROW; c++) { x[r * ROW + c] = scan_lift(row[c], heads[c]); }
            }
        } else {
            for (var r = 0u; r < ROWS; r++) {
                for (var c = 0u; c < ROW; c++) {
                    let i = (first_row + r * LANES) * ROW + c;
                    x[r * ROW + c] = identity();
                    if (i < count) { x[r * ROW + c] = scan_lift(source_item(i), heads_item(i)); }
                }
            }
        }

        var total = identity(); // of the subgroup's rows so far
        for (var r = 0u; r < ROWS; r++) {
            var sum = x[r * ROW];
            for (var c = 1u; c < ROW; c++) { sum = combine(sum, x[r * ROW + c]); }
            let inclusive = lanes_inclusive(sum, lane);
            var before = combine(total, lanes_before(inclusive, sum, lane));
            for (var c = 0u; c < ROW; c++) {
                let after = combine(before, x[r * ROW + c]);
                x[r * ROW + c] = scan_local(before, x[r * ROW + c], after);
                before = after;
            }
            total = combine(total, lanes_from(inclusive, LANES - 1u));
        }
        let offsets = workgroup_offsets(total, local, lane);
        let prefix = combine(tile_prefix(tile, offsets.total, local, lane), offsets.before);

        if (whole) {
            for (var r = 0u; r < ROWS; r++) {
                var row: array<T, ROW>;
                for (var c = 0u; c < ROW; c++) { row[c] = scan_result(combine(prefix, x[r * ROW + c])); }
                result_put_row(first_row + r * LANES, row);
            }
        } else {
            for (var r = 0u; r < ROWS; r++) {
                for (var c = 0u; c < ROW; c++) {
                    let i = (first_row + r * LANES) * ROW + c;
                    if (i < count) { result_put(i, scan_result(combine(prefix, x[r * ROW + c]))); }
                }
            }
        }
    }
}
