// The lengths of runs: from where each begins to where the next one does.
//
//     WORKGROUP_SIZE, GROUPS (workgroups of all windows; 0: those of this dispatch); elements() -> u32
//     counts_item, starts_item, lengths_put

@compute @workgroup_size(WORKGROUP_SIZE)
fn run_lengths(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let runs = counts_item(0u);
    let step = max(GROUPS, telar_launch.stride) * WORKGROUP_SIZE;
    for (var k = (group_base() + group_number(id)) * WORKGROUP_SIZE + local; k < runs; k += step) {
        let next = starts_item(min(k + 1u, runs - 1u));
        lengths_put(k, select(next, elements(), k + 1u == runs) - starts_item(k));
    }
}
