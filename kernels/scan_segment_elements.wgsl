// Elements in segments, and what they become.
//
//     INCLUSIVE; Segment, value_combine, value_choose, initial_value; T = V

fn scan_lift(x: T, head: u32) -> A {
    return Segment(head, value_choose(head != 0u, value_combine(initial_value(), x), x));
}

fn scan_local(before: A, x: A, after: A) -> A {
    if (INCLUSIVE) { return after; }
    return Segment(before.head | x.head, value_choose(x.head != 0u, initial_value(), before.value));
}

fn scan_result(prefix: A) -> T { return prefix.value; }
