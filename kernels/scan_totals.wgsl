// The total of each tile, combined in the order of its elements (of operators that commute, in one of the tile's own).
//
//     WORKGROUP_SIZE, ROWS (of an invocation), LANES, COMMUTES; A, identity, combine, lanes_in_order; workgroup_offsets
//     ROW, source_row, source_item, heads_row, heads_item, scan_lift; partials (written)

const TILE_ROWS = WORKGROUP_SIZE * ROWS;
const TILE = TILE_ROWS * ROW;

@compute @workgroup_size(WORKGROUP_SIZE)
fn scan_totals(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let lane = local % LANES;
    let count = telar_launch.count.x;
    let tile = group_number(id);
    if (tile >= telar_launch.groups) { return; }
    let first_row = tile * TILE_ROWS + local / LANES * (ROWS * LANES) + lane;

    var x: array<A, ROWS * ROW>;
    if (tile < count / TILE) {
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

    var total = identity();
    if (COMMUTES) {
        for (var k = 0u; k < ROWS * ROW; k++) { total = combine(total, x[k]); }
        total = lanes_in_order(total, lane);
    } else {
        for (var r = 0u; r < ROWS; r++) {
            var sum = x[r * ROW];
            for (var c = 1u; c < ROW; c++) { sum = combine(sum, x[r * ROW + c]); }
            total = combine(total, lanes_in_order(sum, lane));
        }
    }
    let offsets = workgroup_offsets(total, local, lane);
    if (local == 0u) { partials[group_base() + tile] = offsets.total; }
}
