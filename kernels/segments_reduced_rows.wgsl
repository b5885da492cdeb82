// A range of elements, reduced by one invocation, of whole rows of four. What of the first and of the last row is outside is
// looked at, and left out.
//
//     source_row, ROW = 4; A, identity, take; chosen(condition: bool, yes: A, no: A) -> A

fn taken(all: A, x: T, i: u32, begin: u32, end: u32) -> A {
    return chosen(i - begin < end - begin, take(all, x, i, i - begin + 1u), all);
}

fn reduced(begin: u32, end: u32) -> A {
    var all = identity();
    for (var i = begin / ROW * ROW; i < end; i += ROW) {
        let x = source_row(i / ROW);
        all = taken(all, x[0], i, begin, end);
        all = taken(all, x[1], i + 1u, begin, end);
        all = taken(all, x[2], i + 2u, begin, end);
        all = taken(all, x[3], i + 3u, begin, end);
    }
    return all;
}
