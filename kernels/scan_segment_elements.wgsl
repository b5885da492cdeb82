// Elements in segments, and what they become.
//
//     INCLUSIVE; T, lift, lower; Segment, value_combine, value_choose; initial() -> Segment

fn scan_lift(x: T, head: u32) -> A {
    let value = lift(x, 0u);
    return Segment(head, value_choose(head != 0u, value_combine(initial().value, value), value));
}

fn scan_local(before: A, x: A, after: A) -> A {
    if (INCLUSIVE) { return after; }
    return Segment(before.head | x.head, value_choose(x.head != 0u, initial().value, before.value));
}

fn scan_result(prefix: A) -> T { return lower(prefix.value); }
