// Elements are combined as they are.
//
//     INCLUSIVE; T, A, lift, lower

fn scan_lift(x: T, head: u32) -> A { return lift(x, 0u); }

fn scan_local(before: A, x: A, after: A) -> A {
    if (INCLUSIVE) { return after; }
    return before;
}

fn scan_result(prefix: A) -> T { return lower(prefix); }
