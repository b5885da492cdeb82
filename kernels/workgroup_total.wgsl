// All invocations of a workgroup combined, for every one of them: over each subgroup, then by a tree until no more totals
// are left than a subgroup has lanes, then over these.
fn workgroup_total(x: A, local: u32) -> A {
    let total = lanes_total(x);
    if (local % LANES == 0u) { subgroup_totals[local / LANES] = total; }
    workgroupBarrier();
    for (var left = SUBGROUPS / 2u; left >= LANES; left /= 2u) {
        if (local < left) { subgroup_totals[local] = combine(subgroup_totals[local], subgroup_totals[local + left]); }
        workgroupBarrier();
    }
    var rest = identity();
    if (local % LANES < SUBGROUPS) { rest = subgroup_totals[local % LANES]; }
    return lanes_total(rest);
}
