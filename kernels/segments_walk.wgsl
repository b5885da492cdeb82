// Reduces long segments: a workgroup goes through its own one by one, with many loads on their way.
//
// All workgroups have as much to do, whatever the lengths are. What is to do lies in places: those of a segment are
// SEGMENT_WORK for having it, then its elements. A segment belongs to the part in which its places begin, and what other
// parts have of it goes to stretches, for runs_carry.
//
//     WORKGROUP_SIZE, SUBGROUPS, ROWS (so many loads are on their way at once), SEGMENT_WORK
//     T, ROW, source_row, source_item; A, identity, lift, take, combine; workgroup_total; offsets_item, segments_count() -> u32
//     those of segments_search and runs_join; STRETCHES: the binding

const ROUND_ROWS = WORKGROUP_SIZE * ROWS;

@group(0) @binding(STRETCHES) var<storage, read_write> stretches: array<Stretch>;

var<workgroup> subgroup_totals: array<A, SUBGROUPS>;

fn segment_begin(s: u32) -> u32 { return min(offsets_item(s), telar_launch.count.x); }
fn segment_place(s: u32) -> u32 { return segment_begin(s) + s * SEGMENT_WORK; }

// The first element of segment s that is at this place or behind it.
fn element_at(place: u32, s: u32) -> u32 {
    let work = (s + 1u) * SEGMENT_WORK;
    return clamp(max(place, work) - work, segment_begin(s), segment_begin(s + 1u));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn segments_walk(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let segments = segments_count();
    let places = segment_place(segments);
    let each = places / telar_launch.stride + u32(places % telar_launch.stride != 0u);
    let begin = min(group * each, places);
    let end = min(begin + each, places);
    find_segment(begin, local);
    let own = workgroupUniformLoad(&next_segment); // the first one

    var all = nothing(); // of this part so far, known to the first invocation
    // The one before it may reach into this part.
    for (var s = max(own, 1u) - 1u; s < own || (s < segments && segment_place(s) < end); s++) {
        let low = element_at(begin, s);
        let high = element_at(end, s);
        let first_row = low / ROW + u32(low % ROW != 0u);
        let end_row = max(high / ROW, first_row);
        // Less than a row at either end.
        let before = low + local;
        let behind = end_row * ROW + local;
        let has_before = before < min(first_row * ROW, high);
        let has_behind = behind < high;
        var x_before: T;
        var x_behind: T;
        if (has_before) { x_before = source_item(before); }
        if (has_behind) { x_behind = source_item(behind); }

        var sums: array<A, ROW>;
        for (var c = 0u; c < ROW; c++) { sums[c] = identity(); }
        // Rounds in which every invocation has all its rows.
        let rounds = (end_row - first_row) / ROUND_ROWS;
        for (var round = 0u; round < rounds; round++) {
            let first = first_row + round * ROUND_ROWS + local;
            var rows: array<array<T, ROW>, ROWS>;
            for (var r = 0u; r < ROWS; r++) { rows[r] = source_row(first + r * WORKGROUP_SIZE); }
            for (var r = 0u; r < ROWS; r++) {
                for (var c = 0u; c < ROW; c++) {
                    sums[c] = take(sums[c], rows[r][c], (first + r * WORKGROUP_SIZE) * ROW + c, round * ROWS + r + 1u);
                }
            }
        }
        let first = first_row + rounds * ROUND_ROWS + local;
        var rows: array<array<T, ROW>, ROWS>;
        for (var r = 0u; r < ROWS; r++) {
            if (first + r * WORKGROUP_SIZE < end_row) { rows[r] = source_row(first + r * WORKGROUP_SIZE); }
        }
        for (var r = 0u; r < ROWS; r++) {
            if (first + r * WORKGROUP_SIZE < end_row) {
                for (var c = 0u; c < ROW; c++) {
                    sums[c] = take(sums[c], rows[r][c], (first + r * WORKGROUP_SIZE) * ROW + c, rounds * ROWS + r + 1u);
                }
            }
        }
        var sum = sums[0];
        for (var c = 1u; c < ROW; c++) { sum = combine(sum, sums[c]); }
        if (has_before) { sum = combine(sum, lift(x_before, before)); }
        if (has_behind) { sum = combine(sum, lift(x_behind, behind)); }
        workgroupBarrier(); // the last one's total has been read
        let total = workgroup_total(sum, local);
        if (local == 0u) {
            if (s < own) { all.before = total; } else { all = joined(all, Stretch(identity(), total, s + 1u)); }
        }
    }
    if (local == 0u) { stretches[group] = all; }
}
