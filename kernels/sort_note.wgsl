// Notes which bits keys have, and which they lack. Nearly always all that is new has been noted already.
//
//     KEY_WORDS, LANES; NOTED: the binding; lanes_total of |
@group(0) @binding(NOTED) var<storage, read_write> noted: array<atomic<u32>>;

fn note(word: u32, bits: u32, lane: u32) {
    let all = lanes_total(bits);
    if (lane == 0u && (all & ~atomicLoad(&noted[word])) != 0u) { atomicOr(&noted[word], all); }
}
