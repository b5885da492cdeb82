// A workgroup's search among segments.
//
//     WORKGROUP_SIZE; segments_count() -> u32; segment_place(s: u32) -> u32, which does not fall

var<workgroup> next_segment: u32; // the one that is found
var<workgroup> smaller: atomic<u32>;

// The first segment at this place or behind it: a workgroup of probes narrows the range in each turn.
fn find_segment(place: u32, local: u32) {
    var first = 0u;
    var count = segments_count();
    if (local == 0u) { atomicStore(&smaller, 0u); }
    workgroupBarrier();
    for (var turn = 0u; turn < 32u && count > 0u; turn++) {
        let step = count / WORKGROUP_SIZE + u32(count % WORKGROUP_SIZE != 0u);
        let probe = local * step;
        if (probe < count) {
            if (segment_place(first + probe) < place) { atomicAdd(&smaller, 1u); }
        }
        workgroupBarrier();
        if (local == 0u) { next_segment = atomicExchange(&smaller, 0u); }
        let below = workgroupUniformLoad(&next_segment); // probes
        if (below == 0u) {
            count = 0u;
        } else {
            let begin = (below - 1u) * step + 1u;
            count = min(step - 1u, count - begin);
            first += begin;
        }
    }
    if (local == 0u) { next_segment = first; }
    workgroupBarrier();
}
