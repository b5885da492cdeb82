// Where the least (or the greatest) stands: of equal ones the first.
//
//     T, value_of(x: T, i: u32) -> V
//     struct A { order: u32, index: u32 }    the wanted one is the least in order
//     arg_order(x: V) -> u32, arg_value(order: u32) -> V, ARG_OF_NONE

fn identity() -> A { return A(ARG_OF_NONE, 0xffffffffu); }

// Without || and &&, which are branches: 32 of them in a row, an arg-min by key, took SwiftShader minutes and 13 GB to compile,
// and take 2.8 s.
fn combine(a: A, b: A) -> A {
    let b_wins = (b.order < a.order) | ((b.order == a.order) & (b.index < a.index));
    return A(select(a.order, b.order, b_wins), select(a.index, b.index, b_wins));
}

fn take(a: A, x: T, i: u32, turn: u32) -> A { return combine(a, A(arg_order(value_of(x, i)), i)); }

fn lower(a: A) -> R { return a.index; }
