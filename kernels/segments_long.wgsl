// Joins the parts of long segments, which segments_each has left, an invocation each. A segment of more than LONG elements
// has a multiple of LONG among them: the invocation of the first such has the segment.
//
//     WORKGROUP_SIZE, PART, LONG; A, combine, store; those of segments_found; reduced(begin, end) -> A; PARTS: the binding

@group(0) @binding(PARTS) var<storage, read> parts: array<A>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn segments_long(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let place = (group_number(id) * WORKGROUP_SIZE + local) * LONG;
    if (place >= telar_launch.count.x) { return; }
    let segments = segments_to(place);
    if (segments == 0u) { return; }
    let range = range_of(segments - 1u);
    if (range.y - range.x <= LONG || place >= range.y || place - range.x >= LONG) { return; }
    let first = range.x / PART + u32(range.x % PART != 0u);
    var all = reduced(range.x, first * PART);
    for (var begin = first * PART; begin < range.y; begin += PART) { all = combine(all, parts[begin / PART]); }
    store(segments - 1u, all);
}
