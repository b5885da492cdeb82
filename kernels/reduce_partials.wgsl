// One workgroup reduces the partial results of all the others to the result.
//
//     PARTIALS: the binding; WORKGROUP_SIZE, SUBGROUPS; A, identity, combine, lanes_total
//     partials_of(count: u32) -> u32, store(k: u32, a: A): result k

@group(0) @binding(PARTIALS) var<storage, read> partials: array<A>;

var<workgroup> subgroup_totals: array<A, SUBGROUPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn reduce_partials(@builtin(local_invocation_index) local: u32) {
    // Of fewer elements than were planned for, fewer workgroups have run.
    let partials_count = partials_of(telar_launch.count.x);
    var sums: array<A, 4>;
    for (var k = 0u; k < 4u; k++) { sums[k] = identity(); }
    for (var first = local; first < partials_count; first += 4u * WORKGROUP_SIZE) {
        for (var k = 0u; k < 4u; k++) {
            let i = first + k * WORKGROUP_SIZE;
            if (i < partials_count) { sums[k] = combine(sums[k], partials[i]); }
        }
    }
    let total = workgroup_total(combine(combine(sums[0], sums[1]), combine(sums[2], sums[3])), local);
    if (local == 0u) { store(0u, total); }
}
