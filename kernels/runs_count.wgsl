// How many runs begin in each workgroup's part of the elements; the parts are those of runs_tiles.
//
//     WORKGROUP_SIZE, ROWS, ROW; elements_count, heads_of_row, head_of; workgroup_sums; COUNTS: the binding

const TILE_ROWS = WORKGROUP_SIZE * ROWS;
const TILE = TILE_ROWS * ROW;

@group(0) @binding(COUNTS) var<storage, read_write> run_counts: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn runs_count(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let count = elements_count();
    let tiles = count / TILE + u32(count % TILE != 0u);
    let each = tiles / telar_launch.stride + u32(tiles % telar_launch.stride != 0u);
    let first_tile = min(group * each, tiles);
    var mine = 0u;
    for (var tile = first_tile; tile < min(first_tile + each, tiles); tile++) {
        if (tile < count / TILE) {
            for (var r = 0u; r < ROWS; r++) {
                mine += countOneBits(heads_of_row(tile * TILE_ROWS + r * WORKGROUP_SIZE + local, 0u));
            }
        } else {
            for (var k = 0u; k < ROWS * ROW; k++) {
                let i = tile * TILE + k * WORKGROUP_SIZE + local;
                if (i < count) { mine += head_of(i, 0u); }
            }
        }
    }
    let sums = workgroup_sums(mine, local);
    if (local == 0u) { run_counts[group] = sums.all; }
}
