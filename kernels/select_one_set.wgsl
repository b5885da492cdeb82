// One set is told apart: the first. Counts, words and places are numbers.
//
//     LANES; word_noted

alias A = u32;

fn noted(words: A, k: u32, part: u32, lane: u32) -> A { return word_noted(words, k, part == 0u, lane); }

// The part that an element is in, by its bit.
fn part_at(words: A, bit: u32) -> u32 { return select(2u, 0u, ((words >> bit) & 1u) != 0u); }
