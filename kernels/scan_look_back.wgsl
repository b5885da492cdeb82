// Tiles that find their prefix in what earlier tiles have posted: their totals, then their prefixes too. One workgroup a
// tile; which one is drawn when it begins, so that all earlier tiles have begun before.
//
// A tile that does not post in time is added up by those who wait: without progress of others the scan is slow, not
// wrong. That reads the source again, which the result must therefore not overwrite.
//
//     ticket_draw, post, entry_of; LANES, POLLS, TILE_ROWS; A, identity, combine, lanes_in_order, initial
//     T = A, ROW, source_row; posts(tile) -> bool

var<workgroup> all_before: A;

fn tile_turns() -> u32 { return 1u; }

fn tile_take(turn: u32, id: vec3u, groups: vec3u, local: u32) -> u32 {
    return ticket_draw(groups.x * groups.y * groups.z, local);
}

// The last lane of a ballot, counted from 1; 0: none.
fn last_lane(ballot: vec4u) -> u32 {
    var last = 32u - countLeadingZeros(ballot.x);
    if (LANES > 32u && ballot.y != 0u) { last = 64u - countLeadingZeros(ballot.y); }
    if (LANES > 64u && ballot.z != 0u) { last = 96u - countLeadingZeros(ballot.z); }
    if (LANES > 64u && ballot.w != 0u) { last = 128u - countLeadingZeros(ballot.w); }
    return last;
}

// One lane polls: more would only be more traffic.
fn is_posted_in_time(tile: u32, lane: u32) -> bool {
    for (var k = 0u; k < POLLS; k++) {
        var state = 0u;
        if (lane == 0u) { state = entry_of(tile).state; }
        if (subgroupBroadcast(state, 0u) != 0u) { return true; }
    }
    return false;
}

fn total_of(tile: u32, lane: u32) -> A {
    var total = identity();
    for (var r = lane; r < TILE_ROWS; r += LANES) {
        let row = source_row(tile * TILE_ROWS + r);
        var sum = row[0];
        for (var c = 1u; c < ROW; c++) { sum = combine(sum, row[c]); }
        total = combine(total, lanes_in_order(sum, lane));
    }
    return total;
}

// All before the tile, by one subgroup: as many tiles at once as it has lanes, the nearest in its last one.
fn look_back(tile: u32, lane: u32) -> A {
    var sum = identity();
    var end = tile; // what is still to be added stands before this tile
    while (end > 0u) {
        var entry = Entry(ALL_POSTED, identity());
        if (lane + end >= LANES) { entry = entry_of(end + lane - LANES); }
        let missing = last_lane(subgroupBallot(entry.state == 0u));
        let inclusive = last_lane(subgroupBallot(entry.state == ALL_POSTED));
        let complete = inclusive > missing;
        let first = select(missing, inclusive - 1u, complete);
        if (lane < first) { entry.value = identity(); }
        sum = combine(lanes_in_order(entry.value, lane), sum);
        if (complete) { return sum; }
        end -= LANES - first;
        if (missing > 0u && !is_posted_in_time(end - 1u, lane)) {
            end -= 1u;
            sum = combine(total_of(end, lane), sum);
        }
    }
    return combine(initial(), sum);
}

fn tile_prefix(tile: u32, total: A, local: u32, lane: u32) -> A {
    if (local < LANES) {
        if (lane == 0u && tile > 0u && posts(tile)) { post(tile, TOTAL_POSTED, total); }
        let before = look_back(tile, lane);
        if (lane == 0u && posts(tile)) { post(tile, ALL_POSTED, combine(before, total)); }
        if (lane == 0u) { all_before = before; }
    }
    workgroupBarrier();
    return all_before;
}
