// The first pass plans all of them: one for each digit in which keys differ, and itself in any case. A bit differs where
// some key has it and some key lacks it. What was noted is cleared for the next run.
//
//     PASSES, KEY_WORDS; RECORDS, NOTED: the bindings; Pass, digit_of_pass
@group(0) @binding(RECORDS) var<storage, read_write> passes: array<Pass>;
@group(0) @binding(NOTED) var<storage, read_write> noted: array<u32>;

fn plan_passes() {
    var differ: array<u32, KEY_WORDS>;
    for (var w = 0u; w < KEY_WORDS; w++) {
        differ[w] = noted[w] & noted[KEY_WORDS + w];
        noted[w] = 0u;
        noted[KEY_WORDS + w] = 0u;
    }
    var count = 0u;
    for (var p = 0u; p < PASSES; p++) {
        let digit = digit_of_pass(p);
        if (p == 0u || ((differ[digit.word] >> digit.shift) & digit.mask) != 0u) {
            passes[count].digit = digit;
            passes[count].number = p;
            count++;
        }
    }
    for (var p = 0u; p < PASSES; p++) {
        passes[p].runs = u32(p < count);
        passes[p].to_sorted = u32((count - 1u - p) % 2u == 0u);
        passes[p].is_last = u32(p + 1u == count);
    }
}

fn pass_runs() -> bool { return true; }
fn keep_total(value: u32, total: u32) { passes[0].totals[value] = total; }
