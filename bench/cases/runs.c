/* SPDX-License-Identifier: MIT
 *
 * Sums of runs: of segments that offsets tell, and of equal keys. */
#include "cases/cases.h"

#include <string.h>

#include "base/base.h"
#include "kernels/kernels.h"
#include "prim/runs.h"

/* ---- Segments of 10, 100 and 10000 elements on average ----------------------------------------------------------- */

static uint64_t segments_of(uint64_t n, uint32_t average)
{
    return telar_ceil_div(n, average);
}

static void fill_offsets(uint32_t *words, uint64_t words_count, uint64_t n, uint32_t average)
{
    for (uint64_t k = 0; k < words_count; k++) {
        words[k] = (uint32_t)(k * average + (k == 0 ? 0 : bench_hash((uint32_t)k) % average));
        if (words[k] > n || k + 1 == words_count) words[k] = (uint32_t)n;
    }
}

static void sum_segments(bench_data *data, uint32_t average)
{
    const uint32_t *values = data->inputs[0], *offsets = data->inputs[1];
    for (uint64_t s = 0; s < segments_of(data->n, average); s++) {
        uint32_t sum = 0;
        for (uint32_t k = offsets[s]; k < offsets[s + 1]; k++) sum += values[k];
        data->outputs[0][s] = sum;
    }
}

#define SEGMENTS(average)                                                                                              \
    static uint64_t segments_##average(uint64_t n)                                                                     \
    {                                                                                                                  \
        return segments_of(n, average);                                                                                \
    }                                                                                                                  \
    static uint64_t offsets_##average(uint64_t n)                                                                      \
    {                                                                                                                  \
        return segments_of(n, average) + 1;                                                                            \
    }                                                                                                                  \
    static void fill_##average(uint32_t *words, uint64_t words_count, uint64_t n)                                      \
    {                                                                                                                  \
        fill_offsets(words, words_count, n, average);                                                                  \
    }                                                                                                                  \
    static void reference_##average(bench_data *data)                                                                  \
    {                                                                                                                  \
        sum_segments(data, average);                                                                                   \
    }                                                                                                                  \
    static const bench_problem sum_of_##average = {                                                                    \
        .name = "reduce segments of " #average " u32",                                                                 \
        .bytes = 4 + 8.0 / (average),                                                                                  \
        .inputs = {{"s", bench_fill_hash, NULL}, {"offsets", fill_##average, offsets_##average}},                      \
        .outputs = {{"d", segments_##average}},                                                                        \
        .reference = reference_##average,                                                                              \
    };
SEGMENTS(10)
SEGMENTS(100)
SEGMENTS(10000)

typedef struct telar_way {
    uint32_t average; /* of segments */
    tl_runs_tuning tuning;
} telar_way;

static telar_status record_segments(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    const telar_way *way = recorder->options;
    const telar_prim prim = bench_prim(recorder);
    tl_record_reduce_segments(recorder->record, &prim,
                              &(telar_reduce_segments_desc){.length = {.count = segments_of(recorder->n, way->average)},
                                                            .in = bench_array(recorder, recorder->inputs[0]),
                                                            .in_count = recorder->n,
                                                            .offsets = bench_array(recorder, recorder->inputs[1]),
                                                            .out = bench_array(recorder, recorder->outputs[0])},
                              way->tuning);
    return TELAR_OK;
}

/* An invocation a segment. */
static telar_status record_textbook_segments(bench_recorder *recorder, telar_diag *diag)
{
    const telar_way *way = recorder->options;
    const telar_bind binds[] = {
        {.buffer = recorder->inputs[0]}, {.buffer = recorder->inputs[1]}, {.buffer = recorder->outputs[0]}};
    return bench_launch(recorder, tl_wgsl_textbook_sum_segmented, segments_of(recorder->n, way->average), binds,
                        TL_COUNT(binds), diag);
}

/* ---- Keys: runs of 100 on average -------------------------------------------------------------------------------- */

static void by_key_reference(bench_data *data)
{
    const uint32_t *values = data->inputs[0], *keys = data->inputs[1];
    uint64_t runs = 0;
    for (uint64_t k = 0; k < data->n; k++) {
        if (k == 0 || keys[k] != keys[k - 1]) {
            data->outputs[0][runs] = keys[k];
            data->outputs[1][runs++] = 0;
        }
        data->outputs[1][runs - 1] += values[k];
    }
    data->words[0] = data->words[1] = runs;
    data->outputs[2][0] = (uint32_t)runs;
}

static const bench_problem by_key = {
    .name = "reduce by key u32",
    .bytes = 8 + 8.0 / 100,
    .inputs = {{"s", bench_fill_hash, NULL}, {"keys", bench_fill_runs, NULL}},
    .outputs = {{"unique", NULL}, {"sums", NULL}, {"runs", bench_one_word}},
    .reference = by_key_reference,
};

static telar_status record_by_key(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    const telar_way *way = recorder->options;
    const telar_prim prim = bench_prim(recorder);
    tl_record_reduce_by_key(recorder->record, &prim,
                            &(telar_reduce_by_key_desc){.length = {.count = recorder->n},
                                                        .keys = bench_array(recorder, recorder->inputs[1]),
                                                        .in = bench_array(recorder, recorder->inputs[0]),
                                                        .keys_out = bench_array(recorder, recorder->outputs[0]),
                                                        .out = bench_array(recorder, recorder->outputs[1]),
                                                        .count = bench_array(recorder, recorder->outputs[2])},
                            way->tuning);
    return TELAR_OK;
}

/* Flags of the heads, their scan, an invocation a run. */
static telar_status record_textbook_by_key(bench_recorder *recorder, telar_diag *diag)
{
    telar_buffer keys = recorder->inputs[1];
    telar_buffer flags = bench_scratch(recorder, "flags", recorder->n);
    telar_buffer places = bench_scratch(recorder, "places", recorder->n);
    const telar_bind heads[] = {{.buffer = keys}, {.buffer = flags}};
    TELAR_TRY(bench_launch(recorder, tl_wgsl_textbook_heads, recorder->n, heads, TL_COUNT(heads), diag));
    TELAR_TRY(bench_textbook_scan(recorder, flags, places, recorder->n, diag));
    const telar_bind sums[] = {{.buffer = keys},
                               {.buffer = recorder->inputs[0]},
                               {.buffer = flags},
                               {.buffer = places},
                               {.buffer = recorder->outputs[0]},
                               {.buffer = recorder->outputs[1]},
                               {.buffer = recorder->outputs[2]}};
    return bench_launch(recorder, tl_wgsl_textbook_sum_by_key, recorder->n, sums, TL_COUNT(sums), diag);
}

/* ---- Ways -------------------------------------------------------------------------------------------------------- */

/* size, rows, groups. */
#define WALKS(X)                                                                                                       \
    X(128, 4, 1056)                                                                                                    \
    X(128, 4, 2112)                                                                                                    \
    X(128, 8, 1056)                                                                                                    \
    X(64, 4, 2112)                                                                                                     \
    X(64, 8, 2112)                                                                                                     \
    X(256, 4, 528)                                                                                                     \
    X(256, 4, 1056)                                                                                                    \
    X(256, 8, 528)                                                                                                     \
    X(512, 4, 528)
#define TUNINGS(X)                                                                                                     \
    X(256, 4, 1056)                                                                                                    \
    X(256, 4, 4224)                                                                                                    \
    X(256, 2, 2112)                                                                                                    \
    X(256, 1, 2112)                                                                                                    \
    X(128, 2, 2112)                                                                                                    \
    X(128, 4, 2112)                                                                                                    \
    X(128, 4, 4224)                                                                                                    \
    X(512, 2, 1056)                                                                                                    \
    X(512, 4, 1056)

#define TUNING(name, problem, record, average, way, size, rows, groups)                                                \
    {"tune " name #size "x" #rows "/" #groups, &(problem), record,                                                     \
     &(const telar_way){average, {size, rows, groups, way}}},
#define WALK(problem, average, ...) TUNING("walk ", problem, record_segments, average, TL_RUNS_WALK, __VA_ARGS__)
#define TILES(problem, average, ...) TUNING("", problem, record_segments, average, TL_RUNS_TILES, __VA_ARGS__)
#define WALK_100(...) WALK(sum_of_100, 100, __VA_ARGS__)
#define WALK_10000(...) WALK(sum_of_10000, 10000, __VA_ARGS__)
#define OF_10(...) TILES(sum_of_10, 10, __VA_ARGS__)
#define OF_100(...) TILES(sum_of_100, 100, __VA_ARGS__)
#define OF_10000(...) TILES(sum_of_10000, 10000, __VA_ARGS__)
#define OF_KEYS(...) TUNING("", by_key, record_by_key, 0, TL_RUNS_TILES, __VA_ARGS__)

/* clang-format off: each list of tunings brings its own commas */
const bench_way bench_runs_ways[] = {
    {"telar", &sum_of_10, record_segments, &(const telar_way){.average = 10}},
    {"textbook", &sum_of_10, record_textbook_segments, &(const telar_way){.average = 10}},
    TUNINGS(OF_10){"telar", &sum_of_100, record_segments, &(const telar_way){.average = 100}},
    {"textbook", &sum_of_100, record_textbook_segments, &(const telar_way){.average = 100}},
    WALKS(WALK_100) TUNINGS(OF_100){"telar", &sum_of_10000, record_segments, &(const telar_way){.average = 10000}},
    {"textbook", &sum_of_10000, record_textbook_segments, &(const telar_way){.average = 10000}},
    WALKS(WALK_10000) TUNINGS(OF_10000){"telar", &by_key, record_by_key, &(const telar_way){0}},
    {"textbook", &by_key, record_textbook_by_key, NULL},
    TUNINGS(OF_KEYS){0},
};
/* clang-format on */
