// Scans parts of the elements whose prefixes are known, an invocation a part, without a barrier: for CPU adapters.
//
//     WORKGROUP_SIZE, ROWS (of a part); A, combine; T, ROW, source_row, source_item, heads_row, heads_item, result_put_row, result_put
//     scan_lift, scan_local, scan_result: as in scan_tiles; partials

const PART = ROWS * ROW;

@compute @workgroup_size(WORKGROUP_SIZE)
fn scan_apart(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let part = group_number(id) * WORKGROUP_SIZE + local;
    let begin = part * PART;
    if (begin >= telar_launch.count.x) { return; }
    let end = min(begin + PART, telar_launch.count.x);
    var before = partials[group_base() * WORKGROUP_SIZE + part];
    for (var row = begin / ROW; row < end / ROW; row++) {
        let source = source_row(row);
        let heads = heads_row(row);
        var results: array<T, ROW>;
        for (var c = 0u; c < ROW; c++) {
            let x = scan_lift(source[c], heads[c]);
            let after = combine(before, x);
            results[c] = scan_result(scan_local(before, x, after));
            before = after;
        }
        result_put_row(row, results);
    }
    for (var i = end / ROW * ROW; i < end; i++) {
        let x = scan_lift(source_item(i), heads_item(i));
        let after = combine(before, x);
        result_put(i, scan_result(scan_local(before, x, after)));
        before = after;
    }
}
