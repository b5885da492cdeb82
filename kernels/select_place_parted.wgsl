// All elements are kept, those of the first set before those of the second, before the rest.
//
//     SETS; A, part_at; index_of, totals() -> A

const NOWHERE = 0xffffffffu;

fn place_of(words: A, before: A, bit: u32, i: u32, is_element: bool) -> u32 {
    let ranks = before + countOneBits(words & A((1u << bit) - 1u));
    return select(NOWHERE, place_in_parts(part_at(words, bit), ranks, index_of(i)), is_element);
}
