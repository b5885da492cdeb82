/* SPDX-License-Identifier: MIT
 *
 * Copying, the limit of everything that reads and writes memory: a problem as any other. */
#include "harness/case.h"

#include <string.h>

#include "base/base.h"

#define COPY_WORDS_MAX (UINT64_C(1) << 28) /* 1 GiB there and 1 GiB back */

static void copy_reference(bench_data *data)
{
    memcpy(data->outputs[0], data->inputs[0], data->words[0] * sizeof(uint32_t));
}

const bench_problem bench_copy_problem = {
    .name = "copy u32",
    .bytes = 8,
    .inputs = {{"s", bench_fill_hash, NULL}},
    .outputs = {{"d", NULL}},
    .reference = copy_reference,
};

static telar_status record_kernel(bench_recorder *recorder, telar_diag *diag)
{
    static const char wgsl[] = "@group(0) @binding(0) var<storage, read> s: array<vec4u>;\n"
                               "@group(0) @binding(1) var<storage, read_write> d: array<vec4u>;\n"
                               "fn element(i: u32) { d[i] = s[i]; }\n";
    const uint32_t *size = recorder->options;
    telar_wgsl *module;
    telar_plan plan;
    telar_woven woven;
    if (recorder->n % 4 != 0) return tl_fail(diag, TELAR_UNSUPPORTED, "vec4 alone");
    telar_plan_desc wanted = {.count = {recorder->n / 4},
                              .size = {*size},
                              .items = 1,
                              .bytes_per_element = 32,
                              .binding_bytes_per_element = 16};
    TELAR_TRY(telar_plan_make(&wanted, recorder->facts, &plan, diag));
    TELAR_TRY(telar_wgsl_read(wgsl, sizeof wgsl - 1, recorder->arena, &module, diag));
    telar_weave_desc desc = {.module = module, .plan = &plan, .dialect = telar_host_dialect(recorder->host)};
    TELAR_TRY(telar_weave(&desc, recorder->arena, &woven, diag));
    telar_kernel kernel = telar_record_kernel(recorder->record, &woven.kernel);
    const telar_bind binds[] = {{.buffer = recorder->inputs[0]}, {.buffer = recorder->outputs[0]}};
    telar_record_launch(recorder->record, kernel, &woven.kernel, &plan, binds, 2);
    return TELAR_OK;
}

static telar_status record_command(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    telar_record_copy(recorder->record, recorder->inputs[0], 0, recorder->outputs[0], 0, recorder->n * 4);
    return TELAR_OK;
}

/* The two kernels that were fastest on an NVIDIA H200 (bench/results/h200-element.md), and what copies best on a CPU
 * adapter. */
const bench_way bench_copy_ways[] = {
    {"vec4 128 x 1", &bench_copy_problem, record_kernel, &(const uint32_t){128}},
    {"vec4 256 x 1", &bench_copy_problem, record_kernel, &(const uint32_t){256}},
    {"copyBufferToBuffer", &bench_copy_problem, record_command, NULL},
    {0},
};

uint64_t bench_copy_words(double bytes)
{
    uint64_t words = (uint64_t)(bytes / bench_copy_problem.bytes) / 4 * 4;
    return words < 4 ? 4 : words > COPY_WORDS_MAX ? COPY_WORDS_MAX : words;
}
