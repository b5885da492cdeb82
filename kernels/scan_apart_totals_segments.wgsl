// The total of each part of the elements, as in scan_apart_totals, but from its end back to where its last segment begins: nothing
// before that counts.
//
//     WORKGROUP_SIZE, ROWS (of a part); A (a Segment), identity, combine; ROW, source_row, source_item, heads_row, heads_item
//     scan_lift; partials (written)

const PART = ROWS * ROW;

@compute @workgroup_size(WORKGROUP_SIZE)
fn scan_totals(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let part = group_number(id) * WORKGROUP_SIZE + local;
    let begin = part * PART;
    if (begin >= telar_launch.count.x) { return; }
    let end = min(begin + PART, telar_launch.count.x);
    var total = identity();
    for (var i = end; i > end / ROW * ROW && total.head == 0u; i--) {
        total = combine(scan_lift(source_item(i - 1u), heads_item(i - 1u)), total);
    }
    for (var row = end / ROW; row > begin / ROW && total.head == 0u; row--) {
        let x = source_row(row - 1u);
        let heads = heads_row(row - 1u);
        for (var c = 0u; c < ROW; c++) { total = combine(scan_lift(x[ROW - 1u - c], heads[ROW - 1u - c]), total); }
    }
    partials[group_base() * WORKGROUP_SIZE + part] = total;
}
