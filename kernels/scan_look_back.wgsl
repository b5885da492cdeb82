// Tiles that find their prefix in what earlier tiles have posted: their totals, then their prefixes too. One workgroup a
// tile.
//
// A tile that does not post in time is added up by those who wait: without progress of others the scan is slow, not
// wrong. That reads the source again, which the result must therefore not overwrite.
//
//     tile_of_workgroup, run_begin, post, entry_of; LANES, POLLS; A, identity, combine, lanes_in_order, lanes_where, lanes_highest
//     initial; total_of(tile, lane) -> A; posts(tile) -> bool
//     posted_bits(x: A) -> u32, posted_value(bits: u32) -> A, and
//     is_closed(total: A) -> bool                 what stands before the tile does not matter after it

var<workgroup> all_before: A;

fn tile_turns() -> u32 { return 1u; }

fn tile_take(turn: u32, id: vec3u, groups: vec3u, local: u32) -> u32 {
    return tile_of_workgroup(id, groups.x * groups.y * groups.z, local);
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

// All before the tile, by one subgroup: as many tiles at once as it has lanes, the nearest in its last one.
fn look_back(tile: u32, lane: u32) -> A {
    var sum = identity();
    var end = tile; // what is still to be added stands before this tile
    while (end > 0u) {
        var entry = Entry(ALL_POSTED, 0u);
        if (lane + end >= LANES) { entry = entry_of(end + lane - LANES); }
        // One more than the last lane that has it; 0: none.
        let missing = lanes_highest(lanes_where(entry.state == 0u)) + 1u;
        let inclusive = lanes_highest(lanes_where(entry.state == ALL_POSTED)) + 1u;
        let complete = inclusive > missing;
        let first = select(missing, inclusive - 1u, complete);
        var value = identity();
        if (lane >= first) { value = posted_value(entry.bits); }
        sum = combine(lanes_in_order(value, lane), sum);
        if (complete) { return sum; }
        end -= LANES - first;
        if (missing > 0u && !is_posted_in_time(end - 1u, lane)) {
            end -= 1u;
            let total = total_of(end, lane);
            sum = combine(total, sum);
            if (is_closed(total)) { return sum; }
        }
    }
    return combine(initial(), sum);
}

fn tell_total(tile: u32, total: A, lane: u32) {
    run_begin(lane);
    if (lane == 0u && tile > 0u && posts(tile)) {
        post(tile, select(TOTAL_POSTED, ALL_POSTED, is_closed(total)), posted_bits(total));
    }
}

fn find_before(tile: u32, total: A, lane: u32) {
    let before = look_back(tile, lane);
    if (lane == 0u && posts(tile)) { post(tile, ALL_POSTED, posted_bits(combine(before, total))); }
    if (lane == 0u) { all_before = before; }
}

fn tile_prefix(tile: u32, total: A, local: u32, lane: u32) -> A {
    if (local < LANES) {
        tell_total(tile, total, lane);
        find_before(tile, total, lane);
    }
    workgroupBarrier();
    return all_before;
}

// The same in two steps, with something to do between them. (One branch is faster where there is nothing: by key, 2^28 on
// the H200, 1139 us against 1206.)
fn tile_tell(tile: u32, total: A, local: u32, lane: u32) {
    if (local < LANES) { tell_total(tile, total, lane); }
}

fn tile_prefix_told(tile: u32, total: A, local: u32, lane: u32) -> A {
    if (local < LANES) { find_before(tile, total, lane); }
    workgroupBarrier();
    return all_before;
}
