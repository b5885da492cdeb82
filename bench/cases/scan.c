/* SPDX-License-Identifier: MIT
 *
 * Scan: exclusive sums of u32, of all and by key. */
#include "cases/cases.h"

#include "base/base.h"
#include "kernels/kernels.h"
#include "prim/scan_tuning.h"

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

static void by_key_reference(bench_data *data)
{
    uint32_t sum = 0;
    for (uint64_t k = 0; k < data->n; k++) {
        if (k > 0 && data->inputs[0][k] != data->inputs[0][k - 1]) sum = 0;
        data->outputs[0][k] = sum;
        sum += data->inputs[1][k];
    }
}

static const bench_problem by_key_u32 = {
    .name = "scan exclusive by key u32",
    .bytes = 12,
    .inputs = {{"k", bench_fill_runs, NULL}, {"s", bench_fill_hash, NULL}},
    .outputs = {{"d", NULL}},
    .reference = by_key_reference,
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
static telar_status record_textbook_by_key(bench_recorder *recorder, telar_diag *diag)
{
    const telar_bind binds[] = {
        {.buffer = recorder->inputs[0]}, {.buffer = recorder->inputs[1]}, {.buffer = recorder->outputs[0]}};
    return bench_launch(recorder, tl_wgsl_textbook_scan_by_key, recorder->n, binds, TL_COUNT(binds), diag);
}

typedef struct variant {
    telar_scan_way way;
    tl_scan_tuning tuning;
} variant;

static telar_status record_variant(bench_recorder *recorder, telar_scan_desc desc)
{
    const variant chosen = recorder->options == NULL ? (variant){0} : *(const variant *)recorder->options;
    const telar_prim prim = bench_prim(recorder);
    desc.length.count = recorder->n;
    desc.out = bench_array(recorder, recorder->outputs[0]);
    desc.way = chosen.way;
    tl_record_scan_tuned(recorder->record, &prim, &desc, &chosen.tuning);
    return TELAR_OK;
}

static telar_status record_telar(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    return record_variant(recorder, (telar_scan_desc){.in = bench_array(recorder, recorder->inputs[0])});
}

static telar_status record_by_key(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    return record_variant(recorder,
                          (telar_scan_desc){.in = bench_array(recorder, recorder->inputs[1]),
                                            .segments = {.keys = bench_array(recorder, recorder->inputs[0])}});
}

#define VARIANT(problem, record, name, scan_way, size_, rows_, spine)                                                  \
    {                                                                                                                  \
        "tune " name " " #size_ "x" #rows_ "x4 " #spine, problem, record, &(const variant)                             \
        {                                                                                                              \
            scan_way,                                                                                                  \
            {                                                                                                          \
                .size = size_, .rows = rows_, .spine_size = spine                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }
#define LOOK_BACK(size, rows) VARIANT(&exclusive_u32, record_telar, "look-back", TELAR_SCAN_LOOK_BACK, size, rows, 0)
#define DETERMINISTIC(size, rows, spine)                                                                               \
    VARIANT(&exclusive_u32, record_telar, "deterministic", TELAR_SCAN_DETERMINISTIC, size, rows, spine)
#define KEYS_BACK(size, rows) VARIANT(&by_key_u32, record_by_key, "look-back", TELAR_SCAN_LOOK_BACK, size, rows, 0)
#define KEYS_TOTALS(size, rows)                                                                                        \
    VARIANT(&by_key_u32, record_by_key, "deterministic", TELAR_SCAN_DETERMINISTIC, size, rows, 0)

const bench_way bench_scan_ways[] = {
    {"telar", &exclusive_u32, record_telar, NULL},
    {"telar deterministic", &exclusive_u32, record_telar, &(const variant){TELAR_SCAN_DETERMINISTIC, {0}}},
    {"textbook", &exclusive_u32, record_textbook, NULL},
    LOOK_BACK(256, 12),
    LOOK_BACK(320, 12),
    LOOK_BACK(384, 11),
    LOOK_BACK(384, 16),
    LOOK_BACK(512, 12),
    LOOK_BACK(768, 3),
    LOOK_BACK(1024, 2),
    DETERMINISTIC(512, 8, 0), /* the last number: invocations of the workgroup that scans the totals */
    {"telar", &by_key_u32, record_by_key, NULL},
    {"telar deterministic", &by_key_u32, record_by_key, &(const variant){TELAR_SCAN_DETERMINISTIC, {0}}},
    {"textbook", &by_key_u32, record_textbook_by_key, NULL},
    KEYS_BACK(320, 5),
    KEYS_BACK(384, 5),
    KEYS_BACK(512, 3),
    KEYS_TOTALS(384, 4),
    {0},
};
