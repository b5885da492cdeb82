// How many elements of a tile that is whole are kept, by one subgroup.
//
//     LANES, TILE; A = u32, lanes_total; candidate, part_of

// Up to an end that is not constant, so that compilers do not unroll it: it hardly ever runs, and the registers that it
// takes are taken from everyone.
fn total_of(tile: u32, lane: u32) -> A {
    let end = min((tile + 1u) * TILE, telar_launch.count.x);
    var kept = 0u;
    for (var i = tile * TILE; i < end; i += LANES) { kept += u32(part_of(candidate(i + lane), i + lane) == 0u); }
    return lanes_total(kept);
}
