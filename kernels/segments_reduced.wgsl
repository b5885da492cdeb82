// Segments that offsets tell, each within one invocation.
//
//     offsets_item, segments_count() -> u32; source_item; A, identity, take

fn range_of(s: u32) -> vec2u { return min(vec2u(offsets_item(s), offsets_item(s + 1u)), vec2u(telar_launch.count.x)); }

// How many segments begin up to this element: the last of them may have it.
fn segments_to(element: u32) -> u32 {
    var first = 0u;
    var count = segments_count();
    while (count > 0u) {
        let half = count / 2u;
        if (offsets_item(first + half) <= element) {
            first += half + 1u;
            count -= half + 1u;
        } else {
            count = half;
        }
    }
    return first;
}

fn reduced(begin: u32, end: u32) -> A {
    var all = identity();
    for (var i = begin; i < end; i++) { all = take(all, source_item(i), i, i - begin + 1u); }
    return all;
}
