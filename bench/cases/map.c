/* SPDX-License-Identifier: MIT
 *
 * Map: d[i] = s[i] * 0.99, by the primitive and by a woven element function. */
#include "cases/cases.h"

#include <string.h>

#include "base/base.h"
#include "kernels/kernels.h"

static void map_reference(bench_data *data)
{
    for (uint64_t k = 0; k < data->n; k++) {
        float value;
        memcpy(&value, &data->inputs[0][k], sizeof value);
        value *= 0.99f;
        memcpy(&data->outputs[0][k], &value, sizeof value);
    }
}

static const bench_problem map_f32 = {
    .name = "map f32",
    .bytes = 8,
    .inputs = {{"s", bench_fill_unit, NULL}},
    .outputs = {{"d", NULL}},
    .reference = map_reference,
};

static const char element_text[] = "@group(0) @binding(0) var<storage, read> s: array<f32>;\n"
                                   "@group(0) @binding(1) var<storage, read_write> d: array<f32>;\n"
                                   "fn element(i: u32) { d[i] = s[i] * 0.99; }\n";

/* options: the kernel's text. */
static telar_status record_map(bench_recorder *recorder, telar_diag *diag)
{
    const telar_bind binds[] = {{.buffer = recorder->inputs[0]}, {.buffer = recorder->outputs[0]}};
    return bench_launch(recorder, recorder->options, recorder->n, binds, TL_COUNT(binds), diag);
}

static telar_status record_telar(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    const telar_prim prim = bench_prim(recorder);
    telar_record_map(recorder->record, &prim,
                     &(telar_map_desc){.length = {.count = recorder->n},
                                       .inputs = {{bench_array(recorder, recorder->inputs[0]), {.name = "f32"}}},
                                       .inputs_count = 1,
                                       .expression = "x * 0.99f",
                                       .out = bench_array(recorder, recorder->outputs[0]),
                                       .out_type = {.name = "f32"}});
    return TELAR_OK;
}

const bench_way bench_map_ways[] = {
    {"telar", &map_f32, record_telar, NULL},
    {"telar element", &map_f32, record_map, element_text},
    {"textbook", &map_f32, record_map, tl_wgsl_textbook_map},
    {0},
};
