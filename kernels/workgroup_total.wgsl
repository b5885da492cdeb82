// All invocations of a workgroup combined, for its first invocation: over each subgroup, then over their totals by a tree.
fn workgroup_total(x: A, local: u32) -> A {
    let total = lanes_total(x);
    if (local % LANES == 0u) { subgroup_totals[local / LANES] = total; }
    for (var left = SUBGROUPS / 2u; left > 0u; left /= 2u) {
        workgroupBarrier();
        if (local < left) { subgroup_totals[local] = combine(subgroup_totals[local], subgroup_totals[local + left]); }
    }
    workgroupBarrier();
    return subgroup_totals[0];
}
