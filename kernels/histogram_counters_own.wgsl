// Counters of an invocation's own, side by side with those of the others: no atomics, which cost a CPU adapter more.
//
//     WORKGROUP_SIZE, KEPT_BINS; deliver(bin, sum, parts)

var<private> column: u32;
var<workgroup> counters: array<u32, KEPT_BINS * WORKGROUP_SIZE>;

fn counters_begin(local: u32) {
    column = local;
    for (var bin = 0u; bin < KEPT_BINS; bin++) { counters[bin * WORKGROUP_SIZE + local] = 0u; }
}

fn counter_add(i: u32, amount: u32) { counters[i * WORKGROUP_SIZE + column] += amount; }

fn counters_end(local: u32, first_bin: u32, parts: u32) {
    for (var bin = 0u; bin < KEPT_BINS; bin++) { deliver(bin, counters[bin * WORKGROUP_SIZE + local], parts); }
}
