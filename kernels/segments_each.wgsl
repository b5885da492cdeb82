// Reduces segments, an invocation each, without a barrier: for CPU adapters. Those of more than LONG elements are left to
// segments_long; for it further invocations reduce PART elements each, where they begin within a long one.
//
//     WORKGROUP_SIZE, PART, PARTS_COUNT, LONG; A, store; those of segments_found; reduced(begin, end) -> A; PARTS: the binding

@group(0) @binding(PARTS) var<storage, read_write> parts: array<A>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn segments_each(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let k = group_number(id) * WORKGROUP_SIZE + local;
    let is_part = k < PARTS_COUNT;
    var segment = k - PARTS_COUNT;
    if (is_part) { segment = segments_to(k * PART) - 1u; } // wraps where none begins before
    if (segment >= segments_count()) { return; }
    let range = range_of(segment);
    if ((range.y - range.x > LONG) != is_part) { return; }
    let begin = select(range.x, k * PART, is_part);
    let all = reduced(begin, select(range.y, min(begin + PART, range.y), is_part));
    if (is_part) { parts[k] = all; } else { store(segment, all); }
}
