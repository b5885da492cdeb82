/* SPDX-License-Identifier: MIT
 *
 * Reduce: sums of u32 (modulo 2^32) and of f32. */
#include "cases/cases.h"

#include <string.h>

#include "base/base.h"
#include "kernels/kernels.h"
#include "prim/reduce.h"

static void sum_u32_reference(bench_data *data)
{
    uint32_t sum = 0;
    for (uint64_t k = 0; k < data->n; k++) sum += data->inputs[0][k];
    data->outputs[0][0] = sum;
}

static void sum_f32_reference(bench_data *data)
{
    double sum = 0;
    for (uint64_t k = 0; k < data->n; k++) {
        float value;
        memcpy(&value, &data->inputs[0][k], sizeof value);
        sum += (double)value;
    }
    float rounded = (float)sum;
    memcpy(&data->outputs[0][0], &rounded, sizeof rounded);
}

static const bench_problem sum_u32 = {
    .name = "reduce sum u32",
    .bytes = 4,
    .inputs = {{"s", bench_fill_hash, NULL}},
    .outputs = {{"d", bench_one_word}},
    .reference = sum_u32_reference,
};

/* A tree of 2^28 roundings is within 28 half units of the last place; a good one is far closer. */
static const bench_problem sum_f32 = {
    .name = "reduce sum f32",
    .bytes = 4,
    .tolerance = 1.7e-6,
    .inputs = {{"s", bench_fill_unit, NULL}},
    .outputs = {{"d", bench_one_word}},
    .reference = sum_f32_reference,
};

static void min_f32_reference(bench_data *data)
{
    /* All of bench_fill_unit are above 0: as integers they stand in the same order. */
    uint32_t least = UINT32_MAX;
    for (uint64_t k = 0; k < data->n; k++) least = data->inputs[0][k] < least ? data->inputs[0][k] : least;
    data->outputs[0][0] = least;
}

static const bench_problem min_f32 = {
    .name = "reduce min f32",
    .bytes = 4,
    .inputs = {{"s", bench_fill_unit, NULL}},
    .outputs = {{"d", bench_one_word}},
    .reference = min_f32_reference,
};

static void arg_min_reference(bench_data *data)
{
    uint64_t best = 0;
    for (uint64_t k = 0; k < data->n; k++) best = data->inputs[0][k] < data->inputs[0][best] ? k : best;
    data->outputs[0][0] = (uint32_t)best;
}

static const bench_problem arg_min_u32 = {
    .name = "reduce arg-min u32",
    .bytes = 4,
    .inputs = {{"s", bench_fill_hash, NULL}},
    .outputs = {{"d", bench_one_word}},
    .reference = arg_min_reference,
};

static const bench_problem arg_min_f32 = {
    .name = "reduce arg-min f32",
    .bytes = 4,
    .inputs = {{"s", bench_fill_unit, NULL}},
    .outputs = {{"d", bench_one_word}},
    .reference = arg_min_reference,
};

static void moments_reference(bench_data *data)
{
    double mean = 0, squares = 0;
    for (uint64_t k = 0; k < data->n; k++) {
        float value;
        memcpy(&value, &data->inputs[0][k], sizeof value);
        mean += (double)value;
        squares += (double)value * (double)value;
    }
    mean /= (double)data->n;
    const float moments[] = {(float)mean, (float)(squares / (double)data->n - mean * mean)};
    memcpy(data->outputs[0], moments, sizeof moments);
}

static uint64_t two_words(uint64_t n)
{
    (void)n;
    return 2;
}

static const bench_problem moments_f32 = {
    .name = "reduce mean-variance f32",
    .bytes = 4,
    .tolerance = 1e-5,
    .inputs = {{"s", bench_fill_unit, NULL}},
    .outputs = {{"d", two_words}},
    .reference = moments_reference,
};

/* options: the line that gives T. */
static telar_status record_textbook(bench_recorder *recorder, telar_diag *diag)
{
    const char *text = bench_join(recorder, recorder->options, tl_wgsl_textbook_reduce);
    if (text == NULL) return TELAR_NO_SPACE;
    telar_buffer from = recorder->inputs[0];
    for (uint64_t n = recorder->n, groups; n > 1 || from.id == recorder->inputs[0].id; n = groups) {
        groups = telar_ceil_div(n, 512);
        telar_buffer to = groups > 1 ? bench_scratch(recorder, "sums", groups) : recorder->outputs[0];
        const telar_bind binds[] = {{.buffer = from}, {.buffer = to}};
        TELAR_TRY(bench_launch(recorder, text, groups * 256, binds, TL_COUNT(binds), diag));
        from = to;
    }
    return TELAR_OK;
}

/* Values and where they stand, through the same tree. */
static telar_status record_textbook_arg_min(bench_recorder *recorder, telar_diag *diag)
{
    static const char *const lines[] = {"const first_launch = false;\n", "const first_launch = true;\n"};
    telar_buffer values = recorder->inputs[0], places = recorder->inputs[0];
    for (uint64_t n = recorder->n, groups; n > 1 || values.id == recorder->inputs[0].id; n = groups) {
        bool first = values.id == recorder->inputs[0].id;
        const char *text = bench_join(recorder, lines[first], tl_wgsl_textbook_argmin);
        if (text == NULL) return TELAR_NO_SPACE;
        groups = telar_ceil_div(n, 512);
        telar_buffer least = bench_scratch(recorder, "least", groups);
        telar_buffer to = groups > 1 ? bench_scratch(recorder, "places", groups) : recorder->outputs[0];
        const telar_bind binds[] = {{.buffer = values}, {.buffer = places}, {.buffer = least}, {.buffer = to}};
        TELAR_TRY(bench_launch(recorder, text, groups * 256, binds, TL_COUNT(binds), diag));
        values = least;
        places = to;
    }
    return TELAR_OK;
}

/* One of Telar's ways. */
typedef struct telar_way {
    const char *type;
    telar_reduction reduction;
    tl_reduce_tuning tuning;
} telar_way;

static telar_status record_telar(bench_recorder *recorder, telar_diag *diag)
{
    const telar_way *way = recorder->options;
    const telar_prim prim = bench_prim(recorder);
    telar_reduce_desc desc = {.length = {.count = recorder->n},
                              .type = {.name = way->type},
                              .reduction = way->reduction,
                              .in = bench_array(recorder, recorder->inputs[0]),
                              .out = bench_array(recorder, recorder->outputs[0])};
    (void)diag;
    tl_record_reduce(recorder->record, &prim, &desc, way->tuning);
    return TELAR_OK;
}

/* size, rows, rows with sums of their own, groups, end: what the tuning of sums is looked for among. */
#define SUM_TUNINGS(X)                                                                                                 \
    X(1024, 8, 8, 132, LAST)                                                                                           \
    X(1024, 4, 4, 264, LAST)                                                                                           \
    X(1024, 16, 16, 132, LAST)                                                                                         \
    X(512, 4, 4, 528, LAST)                                                                                            \
    X(512, 16, 16, 264, LAST)                                                                                          \
    X(256, 4, 4, 528, LAST)                                                                                            \
    X(256, 16, 16, 264, LAST)

#define TUNING(problem, type, reduce_kind, size_, rows_, sum_rows_, groups_, end_)                                     \
    {"tune " #size_ "x" #rows_ "/" #sum_rows_ "/" #groups_ " " #end_, &(problem), record_telar,                        \
     &(const telar_way){                                                                                               \
         (type),                                                                                                       \
         {.kind = TELAR_REDUCE_##reduce_kind},                                                                         \
         {.size = size_, .rows = rows_, .sum_rows = sum_rows_, .groups = groups_, .end = TL_REDUCE_END_##end_}}},
#define SUM_U32(size, rows, sum_rows, groups, end) TUNING(sum_u32, "u32", OPERATOR, size, rows, sum_rows, groups, end)
#define SUM_F32(size, rows, sum_rows, groups, end) TUNING(sum_f32, "f32", OPERATOR, size, rows, sum_rows, groups, end)

/* Of what takes more instructions or registers an element than a sum. */
#define OTHER_TUNINGS(X)                                                                                               \
    X(1024, 8, 1, 132, LAST)                                                                                           \
    X(1024, 8, 2, 132, LAST)                                                                                           \
    X(1024, 8, 4, 132, LAST)                                                                                           \
    X(512, 8, 1, 264, LAST)                                                                                            \
    X(512, 8, 2, 264, LAST)                                                                                            \
    X(512, 16, 1, 264, LAST)                                                                                           \
    X(256, 8, 1, 528, LAST)                                                                                            \
    X(256, 4, 4, 528, LAST)
#define ARG_MIN_U32(size, rows, sum_rows, groups, end)                                                                 \
    TUNING(arg_min_u32, "u32", ARG_MIN, size, rows, sum_rows, groups, end)
#define MOMENTS_F32(size, rows, sum_rows, groups, end)                                                                 \
    TUNING(moments_f32, "f32", MEAN_VARIANCE, size, rows, sum_rows, groups, end)

/* clang-format off: each list of tunings brings its own commas */
const bench_way bench_reduce_ways[] = {
    {"telar", &sum_u32, record_telar, &(const telar_way){.type = "u32"}},
    {"textbook", &sum_u32, record_textbook, "alias T = u32;\n"},
    SUM_TUNINGS(SUM_U32){"telar", &sum_f32, record_telar, &(const telar_way){.type = "f32"}},
    {"telar compensated", &sum_f32, record_telar,
     &(const telar_way){.type = "f32", .reduction = {.compensated = true}}},
    {"textbook", &sum_f32, record_textbook, "alias T = f32;\n"},
    SUM_TUNINGS(SUM_F32){"telar", &min_f32, record_telar,
                         &(const telar_way){.type = "f32", .reduction = {.op = {.op = TELAR_OP_MIN}}}},
    {"telar", &arg_min_u32, record_telar,
     &(const telar_way){.type = "u32", .reduction = {.kind = TELAR_REDUCE_ARG_MIN}}},
    {"textbook", &arg_min_u32, record_textbook_arg_min, NULL},
    OTHER_TUNINGS(ARG_MIN_U32){"telar", &arg_min_f32, record_telar,
                               &(const telar_way){.type = "f32", .reduction = {.kind = TELAR_REDUCE_ARG_MIN}}},
    {"telar", &moments_f32, record_telar,
     &(const telar_way){.type = "f32", .reduction = {.kind = TELAR_REDUCE_MEAN_VARIANCE}}},
    OTHER_TUNINGS(MOMENTS_F32){0},
};
/* clang-format on */
