// What the passes of a sort share: which of them run, since the keys differ in their bits, and how often each digit is
// there. The keys go to and fro between `other` and `sorted`, so that the last pass that runs ends in `sorted`.
//
//     PASS
@group(0) @binding(0) var<storage, read> state: array<u32>;

fn pass_runs() -> bool { return ((state[0] >> PASS) & 1u) != 0u; }
fn later_passes() -> u32 { return countOneBits(state[0] >> (PASS + 1u)); }
fn goes_to_sorted() -> bool { return later_passes() % 2u == 0u; }
fn digit_total(digit: u32) -> u32 { return state[1u + digit]; }
