// Each workgroup counts the samples of the rows that it strides over, in counters of its own, and delivers their sums. A
// counter has copies, so that equal samples of neighbours do not wait for each other. Where the counters of all bins are
// too many for one workgroup, each counts a range of them, and ranges of the same rows are counted at the same time.
//
//     WORKGROUP_SIZE, ROWS (on their way at once), COPIES, RANGES, RANGE_BINS, CHANNELS
//     source_row, source_item; bins_prepare(local); those of histogram_sample
//     counters_begin(local), counters_end(local, first_bin, parts)

@compute @workgroup_size(WORKGROUP_SIZE)
fn histogram_count(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let samples = telar_launch.count.x * CHANNELS;
    let rows_count = samples / ROW_SAMPLES;
    let parts = max(telar_launch.stride / RANGES, 1u);
    let step = parts * WORKGROUP_SIZE;
    let copy = local % COPIES;
    bins_prepare(local);
    for (var job = group; job < parts * RANGES; job += telar_launch.stride) {
        let part = job / RANGES;
        let first_bin = job % RANGES * RANGE_BINS;
        counters_begin(local);

        var i = part * WORKGROUP_SIZE + local;
        for (; i + (ROWS - 1u) * step < rows_count; i += ROWS * step) {
            var rows: array<array<T, ROW>, ROWS>;
            for (var r = 0u; r < ROWS; r++) { rows[r] = source_row(i + r * step); }
            for (var r = 0u; r < ROWS; r++) {
                for (var c = 0u; c < ROW; c++) {
                    for (var k = 0u; k < WORD_SAMPLES; k++) {
                        count(rows[r][c], k, (i + r * step) * ROW_SAMPLES + c * WORD_SAMPLES + k, first_bin, copy);
                    }
                }
            }
        }
        for (; i < rows_count; i += step) {
            let row = source_row(i);
            for (var c = 0u; c < ROW; c++) {
                for (var k = 0u; k < WORD_SAMPLES; k++) {
                    count(row[c], k, i * ROW_SAMPLES + c * WORD_SAMPLES + k, first_bin, copy);
                }
            }
        }
        // The last row may be short.
        for (var sample = rows_count * ROW_SAMPLES + local; part == 0u && sample < samples; sample += WORKGROUP_SIZE) {
            count(source_item(sample / WORD_SAMPLES), sample % WORD_SAMPLES, sample, first_bin, copy);
        }

        counters_end(local, first_bin, parts);
    }
}
