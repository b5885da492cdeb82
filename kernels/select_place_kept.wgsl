// The first set is kept: an element's place is the number of those before it.
//
//     CAPACITY; A = u32, part_at

const NOWHERE = 0xffffffffu;

// `before` is the number of kept elements before the word.
fn place_of(words: A, before: A, bit: u32, i: u32, is_element: bool) -> u32 {
    let place = before + countOneBits(words & ((1u << bit) - 1u));
    return select(NOWHERE, place, part_at(words, bit) == 0u && place < CAPACITY);
}
