// A sum that keeps what rounding takes off it (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
//
//     T, value_of(x: T, i: u32) -> V; V, Bits: f32 and u32, or vectors of as many
//     struct A { sum: V, rest: V }; telar_launch.count.z is 1

fn identity() -> A { return A(); }

// x, which the compiler cannot know to be x: the rules of WGSL let it take (a + b) - a for b, and Mesa does.
fn rounded(x: V) -> V { return bitcast<V>(bitcast<Bits>(x) ^ Bits(telar_launch.count.z - 1u)); }

fn two_sum(a: V, b: V) -> A {
    let sum = rounded(a + b);
    let b_part = rounded(sum - a);
    return A(sum, (a - (sum - b_part)) + (b - b_part));
}

fn combine(a: A, b: A) -> A {
    let both = two_sum(a.sum, b.sum);
    return A(both.sum, both.rest + (a.rest + b.rest));
}

fn take(a: A, x: T, i: u32, turn: u32) -> A {
    let both = two_sum(a.sum, value_of(x, i));
    return A(both.sum, both.rest + a.rest);
}

fn lower(a: A) -> R {
    // Past infinity nothing is left to add, and the rest means nothing.
    let infinite = (bitcast<Bits>(a.sum) & Bits(0x7f800000u)) == Bits(0x7f800000u);
    return select(a.sum + a.rest, a.sum, infinite);
}
