// What stands before each subgroup of a workgroup, and the whole of it: for any number of subgroups, in workgroup memory.
// A few invocations each add up a run of the totals, then everyone adds up the runs. `total` is the subgroup's, the same
// in all its lanes. Between two calls the caller has a barrier.
//
//     SUBGROUPS, LANES; A, identity, combine

const OFFSETS_RUN = 16u;

struct Offsets {
    before: A,
    total: A,
}

var<workgroup> offsets_totals: array<A, SUBGROUPS>;

fn workgroup_offsets(total: A, local: u32, lane: u32) -> Offsets {
    let subgroup = local / LANES;
    if (lane == 0u) { offsets_totals[subgroup] = total; }
    workgroupBarrier();
    let run = local * OFFSETS_RUN;
    if (run < SUBGROUPS) {
        var sum = offsets_totals[run];
        for (var k = run + 1u; k < min(run + OFFSETS_RUN, SUBGROUPS); k++) {
            sum = combine(sum, offsets_totals[k]);
            offsets_totals[k] = sum;
        }
    }
    workgroupBarrier();
    var offsets = Offsets(identity(), identity());
    for (var end = OFFSETS_RUN; end < SUBGROUPS + OFFSETS_RUN; end += OFFSETS_RUN) {
        if (end == subgroup / OFFSETS_RUN * OFFSETS_RUN + OFFSETS_RUN) { offsets.before = offsets.total; }
        offsets.total = combine(offsets.total, offsets_totals[min(end, SUBGROUPS) - 1u]);
    }
    if (subgroup % OFFSETS_RUN > 0u) { offsets.before = combine(offsets.before, offsets_totals[subgroup - 1u]); }
    return offsets;
}
