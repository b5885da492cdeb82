// One workgroup reduces the partial results of all the others to the result.
//
//     WORKGROUP_SIZE, PARTIALS, SUBGROUPS; A, identity, combine, lanes_total
//     result_put

@group(0) @binding(1) var<storage, read> partials: array<A>;

var<workgroup> subgroup_totals: array<A, SUBGROUPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn reduce_partials(@builtin(local_invocation_index) local: u32) {
    // Of fewer elements than were planned for, fewer workgroups have run.
    let partials_count = partials_of(telar_launch.count.x);
    var sum = identity();
    for (var k = local; k < partials_count; k += WORKGROUP_SIZE) { sum = combine(sum, partials[k]); }
    let total = workgroup_total(sum, local);
    if (local == 0u) { result_put(0u, total); }
}
