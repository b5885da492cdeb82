// A binary search for the first of COUNT elements in order that is not before x (LOWER), or the first that x is before.
//
//     COUNT, COUNT_HALF (the largest power of two up to COUNT), LOWER; sorted_item; telar_less(a, b) -> bool

fn bound_of(x: Key) -> u32 {
    var below = 0u;
    for (var step = COUNT_HALF; step > 0u; step >>= 1u) {
        let next = below + step;
        if (next <= COUNT) {
            let y = sorted_item(next - 1u);
            let is_below = select(!telar_less(x, y), telar_less(y, x), LOWER);
            below = select(below, next, is_below);
        }
    }
    return below;
}
