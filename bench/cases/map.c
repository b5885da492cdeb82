/* SPDX-License-Identifier: MIT
 *
 * Map: d[i] = s[i] * 0.99. */
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

const bench_way bench_map_ways[] = {
    {"telar element", &map_f32, record_map, element_text},
    {"textbook", &map_f32, record_map, tl_wgsl_textbook_map},
    {0},
};
