// A workgroup's total is a partial result, which the next dispatch (reduce_partials) combines with the others.
@group(0) @binding(1) var<storage, read_write> partials: array<A>;

fn deliver(total: A, group: u32, local: u32) {
    if (local == 0u) { partials[group_base() + group] = total; }
}
