// Elements in segments: each carries whether one begins there, and what is combined stops at the last begin.
//
//     V (a value), value_identity, value_combine, initial_value
//     value_choose(condition: bool, yes: V, no: V) -> V

struct Segment {
    head: u32, // not 0: a segment begins within
    value: V,
}

alias A = Segment;

fn identity() -> A { return Segment(0u, value_identity()); }

fn combine(a: A, b: A) -> A {
    return Segment(a.head | b.head, value_choose(b.head != 0u, b.value, value_combine(a.value, b.value)));
}

fn initial() -> A { return Segment(0u, initial_value()); }
