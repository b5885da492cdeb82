// A workgroup's total is a partial result, which the next dispatch (reduce_partials) combines with the others.
//
//     PARTIALS: the binding
@group(0) @binding(PARTIALS) var<storage, read_write> partials: array<A>;

fn deliver_soon(local: u32) {}

fn deliver(total: A, group: u32, local: u32) {
    if (local == 0u) { partials[group_base() + group] = total; }
}
