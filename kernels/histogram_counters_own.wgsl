// Counters of an invocation's own, in its private memory: a CPU adapter reaches that with fewer instructions than what a workgroup
// shares, and needs no atomics there. They are zero at first, as private memory is.
//
//     KEPT_BINS; deliver(bin, sum, parts)

var<private> counters: array<u32, KEPT_BINS>;

fn counter_add(i: u32, amount: u32) { counters[i] += amount; }

fn counters_end(local: u32, first_bin: u32, parts: u32) {
    for (var bin = 0u; bin < KEPT_BINS; bin++) { deliver(bin, counters[bin], parts); }
}
