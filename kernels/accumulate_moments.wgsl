// Mean and variance in one pass: Welford for elements (Technometrics 4, 1962), Chan, Golub and LeVeque for parts ("Updating
// formulae and a pairwise algorithm for computing sample variances", 1979). No difference of two large sums.
//
//     T, value_of(x: T, i: u32) -> V
//     struct A { count: u32, mean: f32, squares: f32 }    squares: of the distances from the mean

fn identity() -> A { return A(); }

fn combine(a: A, b: A) -> A {
    let count = a.count + b.count;
    let part = f32(b.count) / f32(max(count, 1u));
    let distance = b.mean - a.mean;
    return A(count, a.mean + distance * part, a.squares + b.squares + distance * distance * f32(a.count) * part);
}

// All accumulators of an invocation have as many elements: one division serves them all.
fn take(a: A, x: T, i: u32, turn: u32) -> A {
    let distance = f32(value_of(x, i)) - a.mean;
    let mean = a.mean + distance * (1.0 / f32(turn));
    return A(turn, mean, a.squares + distance * (f32(value_of(x, i)) - mean));
}

fn lower(a: A) -> R { return R(a.mean, a.squares / f32(max(a.count, 1u))); }
