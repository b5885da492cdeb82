// Runs that offsets tell: segment s is [offsets[s], offsets[s + 1]). Those that begin in a tile mark their first element;
// the empty ones have their result at once.
//
//     WORKGROUP_SIZE, ROWS, ROW, TILE; offsets_item, segments_count() -> u32; identity, store
//     those of segments_search; next_segment: the first that begins behind what has been marked

var<workgroup> marks: array<u32, TILE>; // the segment that begins here, counted from 1

fn elements_count() -> u32 { return min(offsets_item(segments_count()), telar_launch.count.x); }

fn segment_place(s: u32) -> u32 { return offsets_item(s); }

fn tiles_begin(element: u32, group: u32, local: u32) -> u32 {
    find_segment(element, local);
    return 0u;
}

// Segments that begin at the very end, or behind it, are empty: the last tile has them.
fn mark_segment(s: u32, tile: u32, count: u32, is_last_probe: bool) {
    let end = (tile + 1u) * TILE;
    let is_last_tile = end >= count;
    let begin = offsets_item(s);
    if (begin >= end && !is_last_tile) { return; }
    let stop = offsets_item(s + 1u);
    let place = begin - tile * TILE;
    if (min(stop, count) <= begin) { store(s, identity()); } else if (place < TILE) { marks[place] = s + 1u; }
    // Where the next one begins elsewhere, it is the next tile's first.
    let is_last_here = stop >= end && !is_last_tile;
    if (is_last_probe || is_last_here || s + 1u == segments_count()) { next_segment = s + 1u; }
}

fn tile_begin(tile: u32, count: u32, local: u32) {
    for (var k = 0u; k < ROWS * ROW; k++) { marks[k * WORKGROUP_SIZE + local] = 0u; }
    var first = workgroupUniformLoad(&next_segment);
    for (;;) {
        if (first + local < segments_count()) {
            mark_segment(first + local, tile, count, local + 1u == WORKGROUP_SIZE);
        }
        if (workgroupUniformLoad(&next_segment) < first + WORKGROUP_SIZE) { break; }
        first += WORKGROUP_SIZE;
    }
}

fn head_of(i: u32, place: u32) -> u32 { return u32(marks[place] != 0u); }

fn heads_of_row(row: u32, place: u32) -> u32 {
    var heads = 0u;
    for (var c = 0u; c < ROW; c++) { heads |= u32(marks[place + c] != 0u) << c; }
    return heads;
}

// Marks say which segment it is.
fn tile_ranks(mine: u32, local: u32) -> Sums { return Sums(0u, 0u); }
fn run_of(rank: u32, place: u32) -> u32 { return marks[place] - 1u; }
fn begin_run(run: u32, i: u32) {}
