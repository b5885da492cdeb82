// Sums that know of their segment: what is combined stops at the last begin.
//
//     Value, value_identity, value_combine, value_choose(condition: bool, yes: Value, no: Value) -> Value

struct Segment {
    head: u32, // not 0: a segment begins within
    value: Value,
}

alias A = Segment;

fn identity() -> A { return Segment(0u, value_identity()); }

fn combine(a: A, b: A) -> A {
    return Segment(a.head | b.head, value_choose(b.head != 0u, b.value, value_combine(a.value, b.value)));
}
