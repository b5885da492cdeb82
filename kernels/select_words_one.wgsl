// The same as select_words.wgsl without subgroups: an invocation has a word of its own.

fn word_noted(word: u32, k: u32, is_in: bool, lane: u32) -> u32 { return word | (u32(is_in) << k); }
fn word_at(k: u32, lane: u32) -> u32 { return 0u; }
fn bit_at(k: u32, lane: u32) -> u32 { return k; }
