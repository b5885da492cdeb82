// Counters that a workgroup shares.
//
//     WORKGROUP_SIZE, KEPT_BINS, COPIES, BINS, CHANNELS; deliver(bin, sum, parts)

var<workgroup> counters: array<atomic<u32>, KEPT_BINS * COPIES>;

fn counters_begin(local: u32) {
    workgroupBarrier();
    for (var i = local; i < KEPT_BINS * COPIES; i += WORKGROUP_SIZE) { atomicStore(&counters[i], 0u); }
    workgroupBarrier();
}

fn counter_add(i: u32, amount: u32) { atomicAdd(&counters[i], amount); }

fn counters_end(local: u32, first_bin: u32, parts: u32) {
    workgroupBarrier();
    for (var bin = local; bin < KEPT_BINS && first_bin + bin < BINS * CHANNELS; bin += WORKGROUP_SIZE) {
        // Neighbours begin at different copies, which stand in different banks.
        var sum = 0u;
        for (var k = 0u; k < COPIES; k++) { sum += atomicLoad(&counters[bin * COPIES + (k + bin) % COPIES]); }
        deliver(first_bin + bin, sum, parts);
    }
}
