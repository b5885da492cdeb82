// The total of a part of the elements, from its end back to where its last segment begins: nothing before that counts.
//
//     A (a Segment), identity, combine; ROW, source_row, source_item, heads_row, heads_item, scan_lift

fn total_of(begin: u32, end: u32) -> A {
    var total = identity();
    for (var i = end; i > end / ROW * ROW && total.head == 0u; i--) {
        total = combine(scan_lift(source_item(i - 1u), heads_item(i - 1u)), total);
    }
    for (var row = end / ROW; row > begin / ROW && total.head == 0u; row--) {
        let x = source_row(row - 1u);
        let heads = heads_row(row - 1u);
        for (var c = 0u; c < ROW; c++) { total = combine(scan_lift(x[ROW - 1u - c], heads[ROW - 1u - c]), total); }
    }
    return total;
}
