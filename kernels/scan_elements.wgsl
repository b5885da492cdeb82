// Elements are what is combined, and nothing parts them.
//
//     INCLUSIVE; T, A = T, ROW

fn heads_row(i: u32) -> array<u32, ROW> { return array<u32, ROW>(); }
fn heads_item(i: u32) -> u32 { return 0u; }

fn scan_lift(x: T, head: u32) -> A { return x; }

fn scan_result(before: A, x: A, after: A) -> T {
    if (INCLUSIVE) { return after; }
    return before;
}
