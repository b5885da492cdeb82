// Counters of an invocation's own, in its private memory: a CPU adapter reaches that with fewer instructions than what a workgroup
// shares, and needs no atomics there.
//
//     KEPT_BINS; deliver(bin, sum, parts)

var<private> counters: array<u32, KEPT_BINS>;

fn counters_begin(local: u32) {} // zero, as private memory is at first

fn counter_add(i: u32, amount: u32) { counters[i] += amount; }

fn counters_end(local: u32, first_bin: u32, parts: u32) {
    for (var bin = 0u; bin < KEPT_BINS; bin++) { deliver(bin, counters[bin], parts); }
}
