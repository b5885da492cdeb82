// Sets of the elements of a subgroup's part of a tile as words: bit b of word w is element 32 * w + b of the part, and
// lane w keeps word w. An invocation's k-th element is element k * LANES + lane. For subgroups of at most 32 lanes.
//
//     LANES

fn word_noted(word: u32, k: u32, is_in: bool, lane: u32) -> u32 {
    let row = subgroupBallot(is_in).x << (k * LANES % 32u);
    return word | select(0u, row, lane == k * LANES / 32u);
}
fn word_at(k: u32, lane: u32) -> u32 { return k * LANES / 32u; }
fn bit_at(k: u32, lane: u32) -> u32 { return k * LANES % 32u + lane; }
