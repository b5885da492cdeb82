// The least and the greatest at once.
//
//     T, value_of(x: T, i: u32) -> V
//     struct A { least: Bits, greatest: Bits }
//     order_for_min, order_for_max(x: V) -> Bits, value_for_min, value_for_max(order: Bits) -> V, MIN_OF_NONE, MAX_OF_NONE

fn identity() -> A { return A(Bits(MIN_OF_NONE), Bits(MAX_OF_NONE)); }

fn combine(a: A, b: A) -> A { return A(min(a.least, b.least), max(a.greatest, b.greatest)); }

fn take(a: A, x: T, i: u32, turn: u32) -> A {
    let value = value_of(x, i);
    return A(min(a.least, order_for_min(value)), max(a.greatest, order_for_max(value)));
}

fn lower(a: A) -> R { return R(value_for_min(a.least), value_for_max(a.greatest)); }
