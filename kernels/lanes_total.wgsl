// All lanes combined, for operators that WGSL has no built-in function for. Each step pairs lanes a distance apart.
//
//     LANES; A, combine, lanes_across
fn lanes_total(x: A) -> A {
    var total = x;
    for (var distance = 1u; distance < LANES; distance <<= 1u) { total = combine(total, lanes_across(total, distance)); }
    return total;
}
