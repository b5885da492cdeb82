// Counters that a workgroup shares.
//
//     KEPT_BINS, COPIES

var<workgroup> counters: array<atomic<u32>, KEPT_BINS * COPIES>;

fn counter_clear(i: u32) { atomicStore(&counters[i], 0u); }
fn counter_add(i: u32, amount: u32) { atomicAdd(&counters[i], amount); }
fn counter(i: u32) -> u32 { return atomicLoad(&counters[i]); }
