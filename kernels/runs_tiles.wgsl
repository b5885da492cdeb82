// Reduces the runs in each workgroup's part of the elements, tile by tile. What begins and ends within the part is stored;
// what is open at its ends goes to stretches, for runs_carry.
//
// Within a tile each subgroup has a contiguous part, row by row, its lanes side by side.
//
//     WORKGROUP_SIZE, ROWS, SUBGROUPS, LANES; T, ROW, source_row, source_item; A, identity, lift, combine
//     lanes_from, lanes_up; those of runs_lanes, runs_workgroup and runs_join; STRETCHES: the binding
//     tiles_begin(element: u32, group: u32, local: u32) -> u32   the runs that begin before this element, the part's first
//     tile_begin(tile: u32, count: u32, local: u32)              before the heads of each tile are asked for
//     heads_of_row(row: u32, place: u32) -> u32                  a bit an element; place: of the first one in the tile
//     head_of(i: u32, place: u32) -> u32                         0 or 1
//     tile_ranks(mine: u32, local: u32) -> Sums                  of its heads; this or tile_begin has a barrier
//     run_of(rank: u32, place: u32) -> u32                       that the head here begins; before it began so many
//     begin_run(run: u32, i: u32)                                is called at every head

const TILE_ROWS = WORKGROUP_SIZE * ROWS;
const TILE = TILE_ROWS * ROW;

@group(0) @binding(STRETCHES) var<storage, read_write> stretches: array<Stretch>;

var<workgroup> parts: array<Stretch, SUBGROUPS>;

fn join_parts(first: Stretch) -> Stretch {
    var all = first;
    for (var s = 0u; s < SUBGROUPS; s++) { all = joined(all, parts[s]); }
    return all;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn runs_tiles(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let lane = local % LANES;
    let subgroup = local / LANES;
    let count = elements_count();
    // Of no elements one, in which all segments are empty.
    let tiles = max(count / TILE + u32(count % TILE != 0u), 1u);
    let each = tiles / telar_launch.stride + u32(tiles % telar_launch.stride != 0u);
    let first_tile = min(group * each, tiles);
    let end_tile = min(first_tile + each, tiles);
    let first_row = subgroup * (ROWS * LANES) + lane; // in a tile

    var all = nothing(); // of this part so far, known to the first invocation
    var runs = tiles_begin(first_tile * TILE, group, local);
    for (var tile = first_tile; tile < end_tile; tile++) {
        let is_whole = tile < count / TILE;
        // On their way while the heads are looked for.
        var rows: array<array<T, ROW>, ROWS>;
        if (is_whole) {
            for (var r = 0u; r < ROWS; r++) { rows[r] = source_row(tile * TILE_ROWS + first_row + r * LANES); }
        }
        tile_begin(tile, count, local);
        var x: array<A, ROWS * ROW>;
        var heads: array<u32, ROWS>;
        if (is_whole) {
            for (var r = 0u; r < ROWS; r++) {
                let row = tile * TILE_ROWS + first_row + r * LANES;
                heads[r] = heads_of_row(row, (first_row + r * LANES) * ROW);
                for (var c = 0u; c < ROW; c++) { x[r * ROW + c] = lift(rows[r][c], row * ROW + c); }
            }
        } else {
            for (var r = 0u; r < ROWS; r++) {
                heads[r] = 0u;
                for (var c = 0u; c < ROW; c++) {
                    let place = (first_row + r * LANES) * ROW + c;
                    let i = tile * TILE + place;
                    x[r * ROW + c] = identity();
                    if (i < count) {
                        x[r * ROW + c] = lift(source_item(i), i);
                        heads[r] |= head_of(i, place) << c;
                    }
                }
            }
        }
        var mine = 0u;
        for (var r = 0u; r < ROWS; r++) { mine += countOneBits(heads[r]); }
        let ranks = tile_ranks(mine, local);
        var rank = runs + ranks.before;
        runs += ranks.all;

        // The subgroup's part, row by row: what stands since its last head (or its begin), and the run it is of.
        var since = identity();
        var open = 0u;
        for (var r = 0u; r < ROWS; r++) {
            let row = tile * TILE_ROWS + first_row + r * LANES;
            let place = (first_row + r * LANES) * ROW;
            // Within the lane: the run that ends at its first head, those between its heads, what is left at its end.
            let heads_count = countOneBits(heads[r]);
            let heads_before = lanes_sum_before(heads_count);
            var next_rank = rank + heads_before;
            var to_head = identity();
            var sum = identity();
            var run = 0u; // counted from 1
            for (var c = 0u; c < ROW; c++) {
                if ((heads[r] & (1u << c)) != 0u) {
                    if (run == 0u) { to_head = sum; } else { store(run - 1u, sum); }
                    run = run_of(next_rank, place + c) + 1u;
                    begin_run(run - 1u, row * ROW + c);
                    next_rank += 1u;
                    sum = x[r * ROW + c];
                } else {
                    sum = combine(sum, x[r * ROW + c]);
                }
            }
            // Over the lanes: what is left at each one's end, and the run it is of.
            let has_head = run != 0u;
            for (var distance = 1u; distance < LANES; distance <<= 1u) {
                let other = lanes_up(sum, distance);
                let other_run = lanes_number_up(run, distance);
                if (lane >= distance && run == 0u) {
                    sum = combine(other, sum);
                    run = other_run;
                }
            }
            var left = lanes_up(sum, 1u);
            var left_run = lanes_number_up(run, 1u);
            if (lane == 0u) {
                left = identity();
                left_run = 0u;
            }
            if (left_run == 0u) {
                left = combine(since, left);
                left_run = open;
            }
            if (has_head) {
                let ended = combine(left, to_head);
                if (left_run != 0u) { store(left_run - 1u, ended); } else { parts[subgroup].before = ended; }
            }
            let last = lanes_from(sum, LANES - 1u);
            let last_run = lanes_number_of_last(run);
            if (last_run == 0u) { since = combine(since, last); } else { since = last; }
            if (last_run != 0u) { open = last_run; }
            // Not by subgroupAdd: of one or two subgroups NVIDIA's driver 580.159.04 adds up something else here.
            rank += lanes_number_of_last(heads_before + heads_count);
        }
        if (lane == 0u) {
            if (open == 0u) { parts[subgroup].before = since; }
            parts[subgroup].after = since;
            parts[subgroup].open = open;
        }
        workgroupBarrier();
        // The others go on: they come no further than to the next tile's barrier before they write parts again.
        if (local == 0u) { all = join_parts(all); }
    }
    if (local == 0u) { stretches[group] = all; }
}
