// What stands before each subgroup of a workgroup, and the whole of it, where SUBGROUPS <= LANES: every subgroup scans
// the totals of all, a lane a total. `total` is the subgroup's, the same in all its lanes. Between two calls the caller
// has a barrier.
//
//     SUBGROUPS, LANES; A, identity, lanes_inclusive, lanes_from

struct Offsets {
    before: A,
    total: A,
}

var<workgroup> offsets_totals: array<A, SUBGROUPS>;

fn workgroup_offsets(total: A, local: u32, lane: u32) -> Offsets {
    let subgroup = local / LANES;
    if (lane == 0u) { offsets_totals[subgroup] = total; }
    workgroupBarrier();
    var sum = identity();
    if (lane < SUBGROUPS) { sum = offsets_totals[lane]; }
    let inclusive = lanes_inclusive(sum, lane);
    let left = lanes_from(inclusive, max(subgroup, 1u) - 1u);
    var offsets = Offsets(identity(), lanes_from(inclusive, SUBGROUPS - 1u));
    if (subgroup > 0u) { offsets.before = left; }
    return offsets;
}
