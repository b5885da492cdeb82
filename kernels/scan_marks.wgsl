// A bit for each element at which a segment begins.
//
//     WORKGROUP_SIZE; offsets_item; marks: array<atomic<u32>>, zero before; ELEMENTS

@compute @workgroup_size(WORKGROUP_SIZE)
fn scan_marks(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let i = group_number(id) * WORKGROUP_SIZE + local;
    if (i >= telar_launch.count.x) { return; }
    let begin = offsets_item(i);
    if (begin < ELEMENTS) { atomicOr(&marks[begin / 32u], 1u << (begin % 32u)); }
}
