// All lanes combined, for operators that need not commute.
//
//     COMMUTES, LANES; A, lanes_total, lanes_inclusive, lanes_from
fn lanes_in_order(x: A, lane: u32) -> A {
    if (COMMUTES) { return lanes_total(x); }
    return lanes_from(lanes_inclusive(x, lane), LANES - 1u);
}
