// Decides which passes run: the first, and those for whose digit the keys differ. A bit differs where some key has it and
// some key lacks it. What was noted is cleared for the next run.
//
//     KEY_WORDS; passes_for(differ: array<u32, KEY_WORDS>) -> u32
@group(0) @binding(2) var<storage, read_write> noted: array<u32>;

fn plan_passes() {
    var differ: array<u32, KEY_WORDS>;
    for (var w = 0u; w < KEY_WORDS; w++) {
        differ[w] = noted[w] & noted[KEY_WORDS + w];
        noted[w] = 0u;
        noted[KEY_WORDS + w] = 0u;
    }
    state[0] = passes_for(differ);
}
