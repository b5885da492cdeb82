/* SPDX-License-Identifier: MIT
 *
 * Select: the odd words, about a half, in their order; and how many. */
#include "cases/cases.h"

#include "base/base.h"
#include "kernels/kernels.h"
#include "prim/select.h"

static void odd_reference(bench_data *data)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < data->n; k++) {
        if (data->inputs[0][k] % 2 != 0) data->outputs[0][count++] = data->inputs[0][k];
    }
    data->words[0] = count;
    data->outputs[1][0] = (uint32_t)count;
}

static const bench_problem select_odd = {
    .name = "select odd u32",
    .bytes = 6,
    .inputs = {{"s", bench_fill_hash, NULL}},
    .outputs = {{"d", NULL}, {"count", bench_one_word}},
    .reference = odd_reference,
};

static telar_status record_textbook(bench_recorder *recorder, telar_diag *diag)
{
    telar_buffer s = recorder->inputs[0];
    telar_buffer flags = bench_scratch(recorder, "flags", recorder->n);
    telar_buffer places = bench_scratch(recorder, "places", recorder->n);
    const telar_bind flag[] = {{.buffer = s}, {.buffer = flags}};
    TELAR_TRY(bench_launch(recorder, tl_wgsl_textbook_select_flag, recorder->n, flag, TL_COUNT(flag), diag));
    TELAR_TRY(bench_textbook_scan(recorder, flags, places, recorder->n, diag));
    const telar_bind scatter[] = {{.buffer = s},
                                  {.buffer = flags},
                                  {.buffer = places},
                                  {.buffer = recorder->outputs[0]},
                                  {.buffer = recorder->outputs[1]}};
    return bench_launch(recorder, tl_wgsl_textbook_select_scatter, recorder->n, scatter, TL_COUNT(scatter), diag);
}

/* options: a variant. */
typedef struct variant {
    telar_select_way way;
    tl_select_tuning tuning;
} variant;

static telar_status record_telar(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    const variant *chosen = recorder->options;
    const telar_prim prim = bench_prim(recorder);
    tl_record_select_tuned(recorder->record, &prim,
                           &(telar_select_desc){.length = {.count = recorder->n},
                                                .in = bench_array(recorder, recorder->inputs[0]),
                                                .where = "(x & 1u) != 0u",
                                                .out = bench_array(recorder, recorder->outputs[0]),
                                                .count = bench_array(recorder, recorder->outputs[1]),
                                                .way = chosen->way},
                           &chosen->tuning);
    return TELAR_OK;
}

/* Size of a workgroup, items. */
static const variant variants[] = {
    {TELAR_SELECT_AUTO, {0}},
    {TELAR_SELECT_COUNTED, {0}},
    {TELAR_SELECT_LOOK_BACK, {.size = 448, .items = 32}},
    {TELAR_SELECT_LOOK_BACK, {.size = 640, .items = 32}},
    {TELAR_SELECT_LOOK_BACK, {.size = 768, .items = 32}},
    {TELAR_SELECT_LOOK_BACK, {.size = 1024, .items = 16}},
    {TELAR_SELECT_LOOK_BACK, {.size = 1024, .items = 8}},
    {TELAR_SELECT_LOOK_BACK, {.size = 512, .items = 8}},
    {TELAR_SELECT_LOOK_BACK, {.size = 512, .items = 12}},
    {TELAR_SELECT_LOOK_BACK, {.size = 256, .items = 8}},
};

const bench_way bench_select_ways[] = {
    {"telar", &select_odd, record_telar, &variants[0]},
    {"telar counted", &select_odd, record_telar, &variants[1]},
    {"textbook", &select_odd, record_textbook, NULL},
    {"tune look-back 448x32", &select_odd, record_telar, &variants[2]},
    {"tune look-back 640x32", &select_odd, record_telar, &variants[3]},
    {"tune look-back 768x32", &select_odd, record_telar, &variants[4]},
    {"tune look-back 1024x16", &select_odd, record_telar, &variants[5]},
    {"tune look-back 1024x8", &select_odd, record_telar, &variants[6]},
    {"tune look-back 512x8", &select_odd, record_telar, &variants[7]},
    {"tune look-back 512x12", &select_odd, record_telar, &variants[8]},
    {"tune look-back 256x8", &select_odd, record_telar, &variants[9]},
    {0},
};
