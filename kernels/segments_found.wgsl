// Where segments are, by their offsets.
//
//     offsets_item, segments_count() -> u32; ELEMENTS; SEGMENTS_MOST, and SEGMENTS_HALF, the largest power of two in it

fn range_of(s: u32) -> vec2u { return min(vec2u(offsets_item(s), offsets_item(s + 1u)), vec2u(ELEMENTS)); }

// How many segments begin up to this element: the last of them may have it.
fn segments_to(element: u32) -> u32 {
    let count = segments_count();
    var below = 0u;
    for (var step = SEGMENTS_HALF; step > 0u; step >>= 1u) {
        let next = below + step;
        let begins = offsets_item(min(next - 1u, SEGMENTS_MOST)) <= element;
        below = select(below, next, begins && next <= count);
    }
    return below;
}
