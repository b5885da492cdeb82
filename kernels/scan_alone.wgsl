// All tiles by one workgroup, one after the other.
//
//     TILE; A, combine, scan_count, initial

var<private> all_before: A;

fn tile_turns() -> u32 {
    let count = scan_count();
    return count / TILE + u32(count % TILE != 0u);
}

fn tile_take(turn: u32, id: vec3u, groups: vec3u, local: u32) -> u32 {
    if (turn == 0u) { all_before = initial(); }
    // What the subgroups have left for each other in the last turn has been read.
    workgroupBarrier();
    return turn;
}

fn tile_prefix(tile: u32, total: A, local: u32, lane: u32) -> A {
    let before = all_before;
    all_before = combine(before, total);
    return before;
}
