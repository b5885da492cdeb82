// The total of a tile that is whole, by one subgroup.
//
//     LANES, TILE; A, identity, combine, lanes_in_order; scan_count, source_item, heads_item, scan_lift

// Element by element, up to an end that is not constant, so that compilers do not unroll it: it hardly ever runs, and the
// registers that it takes are taken from everyone.
fn total_of(tile: u32, lane: u32) -> A {
    var total = identity();
    let end = min((tile + 1u) * TILE, scan_count());
    for (var i = tile * TILE; i < end; i += LANES) {
        total = combine(total, lanes_in_order(scan_lift(source_item(i + lane), heads_item(i + lane)), lane));
    }
    return total;
}
