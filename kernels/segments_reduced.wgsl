// A range of elements, reduced by one invocation.
//
//     source_item; A, identity, take

fn reduced(begin: u32, end: u32) -> A {
    var all = identity();
    for (var i = begin; i < end; i++) { all = take(all, source_item(i), i, i - begin + 1u); }
    return all;
}
