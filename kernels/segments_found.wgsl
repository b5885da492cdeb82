// Where segments are, by their offsets.
//
//     offsets_item, segments_count() -> u32; ELEMENTS

fn range_of(s: u32) -> vec2u { return min(vec2u(offsets_item(s), offsets_item(s + 1u)), vec2u(ELEMENTS)); }

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
