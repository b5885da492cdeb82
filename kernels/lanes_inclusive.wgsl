// This lane and all before it combined, in order: after each step a lane holds twice as many.
//
//     LANES; A, combine, lanes_up
fn lanes_inclusive(x: A, lane: u32) -> A {
    var sum = x;
    for (var distance = 1u; distance < LANES; distance <<= 1u) {
        let before = lanes_up(sum, distance);
        if (lane >= distance) { sum = combine(before, sum); }
    }
    return sum;
}
