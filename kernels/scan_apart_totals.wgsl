// The total of each part of the elements, an invocation a part, without a barrier: for CPU adapters.
//
//     WORKGROUP_SIZE, ROWS (of a part); A; ROW; total_of(begin, end) -> A; partials (written)

const PART = ROWS * ROW;

@compute @workgroup_size(WORKGROUP_SIZE)
fn scan_totals(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let part = group_number(id) * WORKGROUP_SIZE + local;
    let begin = part * PART;
    if (begin >= telar_launch.count.x) { return; }
    partials[group_base() * WORKGROUP_SIZE + part] = total_of(begin, min(begin + PART, telar_launch.count.x));
}
