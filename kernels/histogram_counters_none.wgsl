// No counters in the workgroup: each sample goes to the result at once. There is no branch in this: see histogram_count.
//
//     RESULT_FIRST; result

fn counters_begin(local: u32) {}

fn counter_add(i: u32, amount: u32) { atomicAdd(&result[i + RESULT_FIRST], amount); }

fn counters_end(local: u32, first_bin: u32, parts: u32) {}
