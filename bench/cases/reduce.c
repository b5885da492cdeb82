/* SPDX-License-Identifier: MIT
 *
 * Reduce: sums of u32 (modulo 2^32) and of f32. */
#include "cases/cases.h"

#include <string.h>

#include "base/base.h"
#include "kernels/kernels.h"

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

/* options: the type. */
static telar_status record_telar(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    const telar_prim prim = bench_prim(recorder);
    telar_record_reduce(recorder->record, &prim,
                        &(telar_reduce_desc){.length = {.count = recorder->n},
                                             .type = {.name = recorder->options},
                                             .in = bench_array(recorder->inputs[0]),
                                             .out = bench_array(recorder->outputs[0])});
    return TELAR_OK;
}

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

const bench_way bench_reduce_ways[] = {
    {"telar", &sum_u32, record_telar, "u32"},
    {"textbook", &sum_u32, record_textbook, "alias T = u32;\n"},
    {"telar", &sum_f32, record_telar, "f32"},
    {"textbook", &sum_f32, record_textbook, "alias T = f32;\n"},
    {0},
};
