// A range of elements, reduced by one invocation, of whole rows of four. What of the first and of the last row is outside is
// looked at, and left out.
//
//     source_row, ROW = 4; A, identity, take; chosen(condition: bool, yes: A, no: A) -> A

fn reduced(begin: u32, end: u32) -> A {
    let length = end - begin;
    var all = identity();
    for (var i = begin / ROW * ROW; i < end; i += ROW) {
        let x = source_row(i / ROW);
        let turn = i - begin; // wraps in what is before the range
        let a = chosen(turn < length, take(all, x[0], i, turn + 1u), all);
        let b = chosen(turn + 1u < length, take(a, x[1], i + 1u, turn + 2u), a);
        let c = chosen(turn + 2u < length, take(b, x[2], i + 2u, turn + 3u), b);
        all = chosen(turn + 3u < length, take(c, x[3], i + 3u, turn + 4u), c);
    }
    return all;
}
