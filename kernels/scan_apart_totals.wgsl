// The total of each part of the elements, an invocation a part, without a barrier: for CPU adapters.
//
//     WORKGROUP_SIZE, ROWS (of a part); A, identity, combine; ROW, source_row, source_item, heads_row, heads_item, scan_lift
//     partials (written)

const PART = ROWS * ROW;

@compute @workgroup_size(WORKGROUP_SIZE)
fn scan_totals(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let part = group_number(id) * WORKGROUP_SIZE + local;
    let begin = part * PART;
    if (begin >= telar_launch.count.x) { return; }
    let end = min(begin + PART, telar_launch.count.x);
    var total = identity();
    for (var row = begin / ROW; row < end / ROW; row++) {
        let x = source_row(row);
        let heads = heads_row(row);
        for (var c = 0u; c < ROW; c++) { total = combine(total, scan_lift(x[c], heads[c])); }
    }
    for (var i = end / ROW * ROW; i < end; i++) { total = combine(total, scan_lift(source_item(i), heads_item(i))); }
    partials[group_base() * WORKGROUP_SIZE + part] = total;
}
