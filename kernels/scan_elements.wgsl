// Elements are what is combined.
//
//     INCLUSIVE; T, A = T

fn scan_lift(x: T, head: u32) -> A { return x; }

fn scan_local(before: A, x: A, after: A) -> A {
    if (INCLUSIVE) { return after; }
    return before;
}

fn scan_result(prefix: A) -> T { return prefix; }
