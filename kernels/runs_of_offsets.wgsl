// Runs that offsets tell: segment s is [offsets[s], offsets[s + 1]). Those that begin in a tile mark their first element;
// the empty ones have their result at once.
//
//     WORKGROUP_SIZE, ROWS, ROW, TILE; offsets_item, segments_count() -> u32; identity, store

var<workgroup> marks: array<u32, TILE>; // the segment that begins here, counted from 1
var<workgroup> next_segment: u32;                              // the first that begins behind what has been marked
var<workgroup> smaller: atomic<u32>;

fn elements_count() -> u32 { return min(offsets_item(segments_count()), telar_launch.count.x); }

// The first segment that begins at this element or later: a workgroup of probes narrows the range in each turn.
fn find_segment(element: u32, local: u32) {
    var first = 0u;
    var count = segments_count();
    if (local == 0u) { atomicStore(&smaller, 0u); }
    workgroupBarrier();
    for (var turn = 0u; turn < 32u && count > 0u; turn++) {
        let step = count / WORKGROUP_SIZE + u32(count % WORKGROUP_SIZE != 0u);
        let probe = local * step;
        if (probe < count) {
            if (offsets_item(first + probe) < element) { atomicAdd(&smaller, 1u); }
        }
        workgroupBarrier();
        if (local == 0u) { next_segment = atomicExchange(&smaller, 0u); }
        let below = workgroupUniformLoad(&next_segment); // probes
        if (below == 0u) {
            count = 0u;
        } else {
            let begin = (below - 1u) * step + 1u;
            count = min(step - 1u, count - begin);
            first += begin;
        }
    }
    if (local == 0u) { next_segment = first; }
    workgroupBarrier();
}

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

fn run_of(rank: u32, place: u32) -> u32 { return marks[place] - 1u; }
fn begin_run(run: u32, i: u32) {}
