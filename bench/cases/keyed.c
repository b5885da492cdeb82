/* SPDX-License-Identifier: MIT
 *
 * Sums of segments given by offsets, and of runs of equal keys. */
#include "cases/cases.h"

#include "base/base.h"
#include "kernels/kernels.h"

/* ---- Sums of segments -------------------------------------------------------------------------------------------- */

static uint64_t segments(uint64_t n)
{
    return telar_ceil_div(n, 1024);
}

static uint64_t offsets(uint64_t n)
{
    return segments(n) + 1;
}

static void segmented_reference(bench_data *data)
{
    for (uint64_t segment = 0; segment < data->words[0]; segment++) {
        uint32_t sum = 0, end = data->inputs[1][segment + 1];
        for (uint32_t k = data->inputs[1][segment]; k < end; k++) sum += data->inputs[0][k];
        data->outputs[0][segment] = sum;
    }
}

static const bench_problem sum_segmented = {
    .name = "reduce segmented u32",
    .bytes = 4 + 8.0 / 1024, /* an offset and a sum a segment */
    .inputs = {{"s", bench_fill_hash, NULL}, {"offsets", bench_fill_segments, offsets}},
    .outputs = {{"d", segments}},
    .reference = segmented_reference,
};

static telar_status record_textbook_segmented(bench_recorder *recorder, telar_diag *diag)
{
    const telar_bind binds[] = {
        {.buffer = recorder->inputs[0]}, {.buffer = recorder->inputs[1]}, {.buffer = recorder->outputs[0]}};
    return bench_launch(recorder, tl_wgsl_textbook_sum_segmented, segments(recorder->n), binds, TL_COUNT(binds), diag);
}

/* ---- Sums of runs ------------------------------------------------------------------------------------------------ */

static void by_key_reference(bench_data *data)
{
    const uint32_t *keys = data->inputs[0], *values = data->inputs[1];
    uint64_t count = 0;
    for (uint64_t k = 0; k < data->n; k++) {
        if (k == 0 || keys[k] != keys[k - 1]) {
            data->outputs[0][count] = keys[k];
            data->outputs[1][count++] = 0;
        }
        data->outputs[1][count - 1] += values[k];
    }
    data->words[0] = data->words[1] = count;
    data->outputs[2][0] = (uint32_t)count;
}

static const bench_problem sum_by_key = {
    .name = "reduce by key u32",
    .bytes = 8 + 8.0 / 100, /* a key and a sum a run */
    .inputs = {{"keys", bench_fill_runs, NULL}, {"s", bench_fill_hash, NULL}},
    .outputs = {{"unique", NULL}, {"d", NULL}, {"count", bench_one_word}},
    .reference = by_key_reference,
};

static telar_status record_textbook_by_key(bench_recorder *recorder, telar_diag *diag)
{
    telar_buffer keys = recorder->inputs[0];
    telar_buffer flags = bench_scratch(recorder, "flags", recorder->n);
    telar_buffer places = bench_scratch(recorder, "places", recorder->n);
    const telar_bind heads[] = {{.buffer = keys}, {.buffer = flags}};
    TELAR_TRY(bench_launch(recorder, tl_wgsl_textbook_heads, recorder->n, heads, TL_COUNT(heads), diag));
    TELAR_TRY(bench_textbook_scan(recorder, flags, places, recorder->n, diag));
    const telar_bind sums[] = {{.buffer = keys},
                               {.buffer = recorder->inputs[1]},
                               {.buffer = flags},
                               {.buffer = places},
                               {.buffer = recorder->outputs[0]},
                               {.buffer = recorder->outputs[1]},
                               {.buffer = recorder->outputs[2]}};
    return bench_launch(recorder, tl_wgsl_textbook_sum_by_key, recorder->n, sums, TL_COUNT(sums), diag);
}

const bench_way bench_keyed_ways[] = {
    {"textbook", &sum_segmented, record_textbook_segmented, NULL},
    {"textbook", &sum_by_key, record_textbook_by_key, NULL},
    {0},
};
