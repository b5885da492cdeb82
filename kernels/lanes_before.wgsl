// The lanes before this one combined, of what lanes_inclusive gave.
fn lanes_before(inclusive: A, x: A, lane: u32) -> A {
    let left = lanes_from(inclusive, max(lane, 1u) - 1u);
    if (lane == 0u) { return identity(); }
    return left;
}
