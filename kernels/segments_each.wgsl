// Reduces segments, EACH neighbours an invocation one after the other, without a barrier: for CPU adapters. Segments of more than
// LONG elements are left to segments_long; for it the first invocations reduce PART elements each, where they begin within a
// long one.
//
//     WORKGROUP_SIZE, EACH, PART, PARTS_COUNT, LONG, ELEMENTS; A, store; offsets_item; those of segments_found
//     reduced(begin, end) -> A; PARTS: the binding

@group(0) @binding(PARTS) var<storage, read_write> parts: array<A>;

fn reduce_part(k: u32) {
    let segment = segments_to(k * PART) - 1u; // wraps where none begins before
    if (segment >= segments_count()) { return; }
    let range = range_of(segment);
    if (range.y - range.x > LONG) { parts[k] = reduced(k * PART, min(k * PART + PART, range.y)); }
}

fn reduce_segments(first: u32) {
    let last = min(first + EACH, segments_count());
    if (first >= last) { return; }
    var begin = range_of(first).x;
    for (var segment = first; segment < last; segment++) {
        let end = range_of(segment).y;
        if (end - begin <= LONG) { store(segment, reduced(begin, end)); }
        begin = end;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn segments_each(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let k = group_number(id) * WORKGROUP_SIZE + local;
    if (k < PARTS_COUNT) { reduce_part(k); } else { reduce_segments((k - PARTS_COUNT) * EACH); }
}
