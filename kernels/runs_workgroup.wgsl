// Sums of numbers over a workgroup.
//
//     SUBGROUPS, LANES; those of runs_lanes

var<workgroup> subgroup_sums: array<u32, SUBGROUPS>;

struct Sums {
    before: u32, // of the subgroups before this one
    all: u32,
}

// It has a barrier; before the next call there must be one more.
fn workgroup_sums(number: u32, local: u32) -> Sums {
    let subgroup = local / LANES;
    let sum = lanes_sum(number);
    if (local % LANES == 0u) { subgroup_sums[subgroup] = sum; }
    workgroupBarrier();
    var sums = Sums(0u, 0u);
    for (var s = 0u; s < SUBGROUPS; s++) {
        if (s < subgroup) { sums.before += subgroup_sums[s]; }
        sums.all += subgroup_sums[s];
    }
    return sums;
}
