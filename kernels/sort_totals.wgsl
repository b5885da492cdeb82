// Plans the passes and gives each the totals of its digit. What was counted is cleared for the next run.
//
//     WORKGROUP_SIZE, PASSES, DIGITS; HISTOGRAM: the binding; Pass, passes, plan_passes
@group(0) @binding(HISTOGRAM) var<storage, read_write> histogram: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_totals(@builtin(local_invocation_index) local: u32) {
    if (local == 0u) { plan_passes(); }
    storageBarrier();
    for (var value = local; value < DIGITS; value += WORKGROUP_SIZE) {
        for (var p = 0u; p < PASSES; p++) {
            if (passes[p].runs != 0u) { passes[p].totals[value] = histogram[passes[p].number * DIGITS + value]; }
        }
        for (var p = 0u; p < PASSES; p++) { histogram[p * DIGITS + value] = 0u; }
    }
}
