/* SPDX-License-Identifier: MIT
 *
 * Scan: exclusive sums of u32. */
#include "cases/cases.h"

#include "base/base.h"
#include "kernels/kernels.h"
#include "prim/scan.h"

static void exclusive_reference(bench_data *data)
{
    uint32_t sum = 0;
    for (uint64_t k = 0; k < data->n; k++) {
        data->outputs[0][k] = sum;
        sum += data->inputs[0][k];
    }
}

static const bench_problem exclusive_u32 = {
    .name = "scan exclusive u32",
    .bytes = 8,
    .inputs = {{"s", bench_fill_hash, NULL}},
    .outputs = {{"d", NULL}},
    .reference = exclusive_reference,
};

/* Blocks, their sums by itself, and the sums added to the blocks. */
telar_status bench_textbook_scan(bench_recorder *recorder, telar_buffer from, telar_buffer to, uint64_t n,
                                 telar_diag *diag)
{
    enum {
        LEVELS_MAX = 5 /* 512^5 is above every n */
    };
    telar_buffer data[LEVELS_MAX + 1], sums[LEVELS_MAX];
    uint64_t counts[LEVELS_MAX];
    uint32_t levels = 0;
    data[0] = to;
    for (uint64_t left = n; levels == 0 || counts[levels - 1] > 512; levels++) {
        counts[levels] = left;
        left = telar_ceil_div(left, 512);
        sums[levels] = bench_scratch(recorder, "sums", left);
        data[levels + 1] = bench_scratch(recorder, "scanned sums", left);
        const telar_bind binds[] = {
            {.buffer = levels == 0 ? from : sums[levels - 1]}, {.buffer = data[levels]}, {.buffer = sums[levels]}};
        TELAR_TRY(bench_launch(recorder, tl_wgsl_textbook_scan_block, left * 256, binds, TL_COUNT(binds), diag));
    }
    for (uint32_t level = levels - 1; level-- > 0;) {
        const telar_bind binds[] = {{.buffer = data[level + 1]}, {.buffer = data[level]}};
        TELAR_TRY(bench_launch(recorder, tl_wgsl_textbook_scan_add, counts[level], binds, TL_COUNT(binds), diag));
    }
    return TELAR_OK;
}

static telar_status record_textbook(bench_recorder *recorder, telar_diag *diag)
{
    return bench_textbook_scan(recorder, recorder->inputs[0], recorder->outputs[0], recorder->n, diag);
}

/* options: a variant; NULL: as the tables choose. */
typedef struct variant {
    telar_scan_way way;
    tl_scan_tuning tuning;
} variant;

static telar_status record_telar(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    const variant chosen = recorder->options == NULL ? (variant){0} : *(const variant *)recorder->options;
    const telar_prim prim = bench_prim(recorder);
    tl_record_scan_tuned(recorder->record, &prim,
                         &(telar_scan_desc){.length = {.count = recorder->n},
                                            .in = {.buffer = recorder->inputs[0]},
                                            .out = {.buffer = recorder->outputs[0]},
                                            .way = chosen.way},
                         &chosen.tuning);
    return TELAR_OK;
}

#define LOOK_BACK(size, rows)                                                                                          \
    {                                                                                                                  \
        "tune look-back " #size "x" #rows "x4", &exclusive_u32, record_telar, &(const variant)                         \
        {                                                                                                              \
            TELAR_SCAN_LOOK_BACK, {size, rows, 0, 0, 0}                                                                \
        }                                                                                                              \
    }
#define DETERMINISTIC(size, rows)                                                                                      \
    {                                                                                                                  \
        "tune deterministic " #size "x" #rows "x4", &exclusive_u32, record_telar, &(const variant)                     \
        {                                                                                                              \
            TELAR_SCAN_DETERMINISTIC, {size, rows, 0, 0, 0}                                                            \
        }                                                                                                              \
    }

const bench_way bench_scan_ways[] = {
    {"telar", &exclusive_u32, record_telar, NULL},
    {"telar deterministic", &exclusive_u32, record_telar, &(const variant){TELAR_SCAN_DETERMINISTIC, {0}}},
    {"textbook", &exclusive_u32, record_textbook, NULL},
    LOOK_BACK(384, 8),
    LOOK_BACK(512, 8),
    LOOK_BACK(512, 4),
    LOOK_BACK(256, 8),
    LOOK_BACK(256, 4),
    DETERMINISTIC(512, 4),
    DETERMINISTIC(512, 8),
    DETERMINISTIC(256, 8),
    DETERMINISTIC(256, 4),
    {0},
};
