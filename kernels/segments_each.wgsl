// Reduces segments, an invocation each, without a barrier: for CPU adapters. Those of more than LONG elements are left to
// segments_long. For it an invocation reduces PART elements, where they begin within a long one.
//
//     WORKGROUP_SIZE, PART, LONG; A, store; those of segments_reduced; PARTS: the binding

@group(0) @binding(PARTS) var<storage, read_write> parts: array<A>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn segments_each(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    if (group >= telar_launch.groups) { return; }
    let first = group * WORKGROUP_SIZE + local;
    let step = telar_launch.groups * WORKGROUP_SIZE;
    for (var s = first; s < segments_count(); s += step) {
        let range = range_of(s);
        if (range.y - range.x <= LONG) { store(s, reduced(range.x, range.y)); }
    }
    let count = telar_launch.count.x;
    let parts_count = count / PART + u32(count % PART != 0u);
    for (var part = first; part < parts_count; part += step) {
        let begin = part * PART;
        let segments = segments_to(begin);
        if (segments > 0u) {
            let range = range_of(segments - 1u);
            if (range.y - range.x > LONG) { parts[part] = reduced(begin, min(begin + PART, range.y)); }
        }
    }
}
