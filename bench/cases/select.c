/* SPDX-License-Identifier: MIT
 *
 * Select: the odd words, about a half, in their order; and how many. */
#include "cases/cases.h"

#include "base/base.h"
#include "kernels/kernels.h"

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

const bench_way bench_select_ways[] = {
    {"textbook", &select_odd, record_textbook, NULL},
    {0},
};
