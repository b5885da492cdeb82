// The total of a part of the elements, from its beginning on.
//
//     A, identity, combine; ROW, source_row, source_item, heads_row, heads_item, scan_lift

fn total_of(begin: u32, end: u32) -> A {
    var total = identity();
    for (var row = begin / ROW; row < end / ROW; row++) {
        let x = source_row(row);
        let heads = heads_row(row);
        for (var c = 0u; c < ROW; c++) { total = combine(total, scan_lift(x[c], heads[c])); }
    }
    for (var i = end / ROW * ROW; i < end; i++) { total = combine(total, scan_lift(source_item(i), heads_item(i))); }
    return total;
}
