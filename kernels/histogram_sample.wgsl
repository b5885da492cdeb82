// A sample's bin and weight, to its counter.
//
//     ROW; COPIES, RANGES, RANGE_BINS, CHANNELS, BINS (of a channel), WORD_SAMPLES
//     ALL_INSIDE: every sample has a bin
//     place_of(word, k) -> u32, of its bin's first copy; weight_of(pixel); counter_add(i, amount)

const ROW_SAMPLES = ROW * WORD_SAMPLES;

// The k-th sample of a word. Those without a bin have a place past all of them: nothing is added for them, somewhere.
// There is no branch in this: SwiftShader needs minutes for as many as there are samples in the text.
fn count(word: u32, k: u32, sample: u32, first_bin: u32, copy: u32) {
    let place = place_of(word, k);
    let here = place + (sample % CHANNELS * BINS - first_bin) * COPIES;
    let inside = (ALL_INSIDE | (place < BINS * COPIES)) & ((RANGES == 1u) | (here < RANGE_BINS * COPIES));
    counter_add(select(0u, here, inside) | copy, select(0u, weight_of(sample / CHANNELS), inside));
}
