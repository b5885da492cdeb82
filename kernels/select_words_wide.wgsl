// The same as select_words.wgsl, for subgroups of more than 32 lanes: a row has several words.
//
//     LANES

const ROW_WORDS = LANES / 32u;

fn word_noted(word: u32, k: u32, is_in: bool, lane: u32) -> u32 {
    let row = subgroupBallot(is_in);
    return word | select(0u, row[lane % ROW_WORDS], lane / ROW_WORDS == k);
}
fn word_at(k: u32, lane: u32) -> u32 { return k * ROW_WORDS + lane / 32u; }
fn bit_at(k: u32, lane: u32) -> u32 { return lane % 32u; }
