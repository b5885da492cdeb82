// Places of all elements, those of the first set before those of the second, before the rest.
//
//     A = vec2u; totals() -> A

fn place_in_parts(part: u32, ranks: A, i: u32) -> u32 {
    let rest = totals().x + totals().y + i - ranks.x - ranks.y;
    return select(select(rest, totals().x + ranks.y, part == 1u), ranks.x, part == 0u);
}
