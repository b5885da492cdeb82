// Each workgroup reduces the tiles that it strides over. The elements of a tile are combined in an order that depends on
// the tile's size alone, so that the same device gives the same bits on every run.
//
//     WORKGROUP_SIZE, ROWS (of an invocation in a tile), SUBGROUPS
//     T, ROW, source_row, source_item; A, identity, take, combine, lanes_total
//     first_element() -> u32                            of this window, counted in the whole array
//     deliver(total: A, group: u32, local: u32)         what becomes of a workgroup's total

const TILE_ROWS = WORKGROUP_SIZE * ROWS;
const TILE = TILE_ROWS * ROW;

var<workgroup> subgroup_totals: array<A, SUBGROUPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn reduce_tiles(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let count = telar_launch.count.x;
    let before = first_element();
    // One sum a row and place in it: that many loads are on their way at once.
    var sums: array<A, ROWS * ROW>;
    for (var k = 0u; k < ROWS * ROW; k++) { sums[k] = identity(); }
    var turn = 1u;
    var tile = group;
    for (; tile < count / TILE; tile += telar_launch.stride) {
        for (var r = 0u; r < ROWS; r++) {
            let i = tile * TILE_ROWS + r * WORKGROUP_SIZE + local;
            let row = source_row(i);
            for (var c = 0u; c < ROW; c++) {
                sums[r * ROW + c] = take(sums[r * ROW + c], row[c], before + i * ROW + c, turn);
            }
        }
        turn += 1u;
    }
    // The last tile may be short: it belongs to the workgroup whose stride ends there.
    if (tile == count / TILE) {
        for (var k = 0u; k < ROWS * ROW; k++) {
            let i = tile * TILE + k * WORKGROUP_SIZE + local;
            if (i < count) { sums[k] = take(sums[k], source_item(i), before + i, turn); }
        }
    }
    var sum = sums[0];
    for (var k = 1u; k < ROWS * ROW; k++) { sum = combine(sum, sums[k]); }
    deliver(workgroup_total(sum, local), group, local);
}
