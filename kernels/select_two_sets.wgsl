// Two sets are told apart: the first and the second. Counts, words and places are pairs.
//
//     LANES; word_noted

alias A = vec2u;

fn noted(words: A, k: u32, part: u32, lane: u32) -> A {
    return A(word_noted(words.x, k, part == 0u, lane), word_noted(words.y, k, part == 1u, lane));
}

// The part that an element is in, by its bits.
fn part_at(words: A, bit: u32) -> u32 {
    return select(select(2u, 1u, ((words.y >> bit) & 1u) != 0u), 0u, ((words.x >> bit) & 1u) != 0u);
}
