// Places of all elements, those of the first set before the rest.
//
//     A = u32; totals() -> A

fn place_in_parts(part: u32, ranks: A, i: u32) -> u32 { return select(totals() + i - ranks, ranks, part == 0u); }
