// The same on a CPU adapter: each invocation goes through its rows one by one. Each sample stands in the text once, as what a
// processor keeps of a loop is little: with two rows on their way, a loop for what is left of them and one over parts lavapipe
// took 1.8 times as long.
//
//     WORKGROUP_SIZE, CHANNELS; source_row, source_item; bins_prepare(local); those of histogram_sample
//     counters_end(local, first_bin, parts)

@compute @workgroup_size(WORKGROUP_SIZE)
fn histogram_count(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let first = group_number(id) * WORKGROUP_SIZE + local;
    let step = telar_launch.stride * WORKGROUP_SIZE;
    let samples = telar_launch.count.x * CHANNELS;
    let rows_count = samples / ROW_SAMPLES;
    bins_prepare(local);
    for (var i = first; i < rows_count; i += step) {
        let row = source_row(i);
        for (var c = 0u; c < ROW; c++) {
            for (var k = 0u; k < WORD_SAMPLES; k++) {
                count(row[c], k, i * ROW_SAMPLES + c * WORD_SAMPLES + k, 0u, 0u);
            }
        }
    }
    // The last row may be short.
    for (var sample = rows_count * ROW_SAMPLES + first; sample < samples; sample += step) {
        count(source_item(sample / WORD_SAMPLES), sample % WORD_SAMPLES, sample, 0u, 0u);
    }
    counters_end(local, 0u, step);
}
