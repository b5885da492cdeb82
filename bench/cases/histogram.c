/* SPDX-License-Identifier: MIT
 *
 * Histogram: 256 bins of u32 samples below 256, and of samples of a byte, four in a word. */
#include "cases/cases.h"

#include "base/base.h"
#include "kernels/kernels.h"
#include "prim/histogram.h"

static uint64_t words_of_bytes(uint64_t n)
{
    return telar_ceil_div(n, 4);
}

static uint64_t bins(uint64_t n)
{
    (void)n;
    return 256;
}

static void u32_reference(bench_data *data)
{
    for (uint64_t k = 0; k < data->n; k++) data->outputs[0][data->inputs[0][k]]++;
}

/* Four histograms, since equal neighbours would wait for each other. */
static void u8_reference(bench_data *data)
{
    uint32_t own[4][256] = {{0}};
    for (uint64_t k = 0; k < data->n / 4; k++) {
        uint32_t word = data->inputs[0][k];
        for (int sample = 0; sample < 4; sample++) own[sample][word >> 8 * sample & 255]++;
    }
    for (int bin = 0; bin < 256; bin++) {
        data->outputs[0][bin] = own[0][bin] + own[1][bin] + own[2][bin] + own[3][bin];
    }
}

static const bench_problem histogram_u32 = {
    .name = "histogram 256 u32",
    .bytes = 4,
    .inputs = {{"s", bench_fill_byte, NULL}},
    .outputs = {{"bins", bins}},
    .reference = u32_reference,
};

/* n is a multiple of 4 here: scale. */
static const bench_problem histogram_u8 = {
    .name = "histogram 256 u8",
    .bytes = 1,
    .scale = 4,
    .inputs = {{"s", bench_fill_hash, words_of_bytes}},
    .outputs = {{"bins", bins}},
    .reference = u8_reference,
};

typedef struct textbook {
    const char *text;
    const char *samples; /* of a word, as WGSL */
    uint32_t samples_of_a_word;
    uint32_t words_of_an_invocation;
} textbook;

static telar_status record_textbook(bench_recorder *recorder, telar_diag *diag)
{
    const textbook *book = recorder->options;
    const char *text = bench_join(recorder, book->samples, book->text);
    if (text == NULL) return TELAR_NO_SPACE;
    uint64_t words = telar_ceil_div(recorder->n, book->samples_of_a_word);
    const telar_bind binds[] = {{.buffer = recorder->inputs[0]}, {.buffer = recorder->outputs[0]}};
    telar_record_clear(recorder->record, recorder->outputs[0], 0, 0);
    return bench_launch(recorder, text, telar_ceil_div(words, book->words_of_an_invocation), binds, TL_COUNT(binds),
                        diag);
}

#define ONE "const samples_of_a_word = 1u;\n"
#define FOUR "const samples_of_a_word = 4u;\n"
static const textbook global_u32 = {tl_wgsl_textbook_histogram_global, ONE, 1, 1};
static const textbook global_u8 = {tl_wgsl_textbook_histogram_global, FOUR, 4, 1};
static const textbook workgroup_u32 = {tl_wgsl_textbook_histogram_workgroup, ONE, 1, 16};
static const textbook workgroup_u8 = {tl_wgsl_textbook_histogram_workgroup, FOUR, 4, 16};

/* options: a tl_histogram_tuning. */
static telar_status record_samples(bench_recorder *recorder, telar_sample sample)
{
    const telar_prim prim = bench_prim(recorder);
    tl_record_histogram_tuned(recorder->record, &prim,
                              &(telar_histogram_desc){.length = {.count = recorder->n},
                                                      .sample = sample,
                                                      .bins = 256,
                                                      .in = bench_array(recorder, recorder->inputs[0]),
                                                      .out = bench_array(recorder, recorder->outputs[0])},
                              recorder->options);
    return TELAR_OK;
}

static telar_status record_u32(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    return record_samples(recorder, TELAR_SAMPLE_U32);
}

static telar_status record_u8(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    return record_samples(recorder, TELAR_SAMPLE_U8);
}

/* Size of a workgroup, copies, rows at once, workgroups. */
static const tl_histogram_tuning tunings[] = {
    {0, 0, 0, 0},       {1024, 16, 4, 264}, {1024, 32, 4, 264}, {1024, 16, 8, 132},
    {1024, 32, 8, 132}, {1024, 32, 6, 264}, {1024, 16, 3, 264},
};

#define BOTH(name, tuning)                                                                                             \
    {name, &histogram_u32, record_u32, tuning},                                                                        \
    {                                                                                                                  \
        name, &histogram_u8, record_u8, tuning                                                                         \
    }

const bench_way bench_histogram_ways[] = {
    BOTH("telar", &tunings[0]),
    BOTH("tune 1024 x 16 copies x 4, 264", &tunings[1]),
    BOTH("tune 1024 x 32 copies x 4, 264", &tunings[2]),
    BOTH("tune 1024 x 16 copies x 8, 132", &tunings[3]),
    BOTH("tune 1024 x 32 copies x 8, 132", &tunings[4]),
    BOTH("tune 1024 x 32 copies x 6, 264", &tunings[5]),
    BOTH("tune 1024 x 16 copies x 3, 264", &tunings[6]),
    {"textbook", &histogram_u32, record_textbook, &workgroup_u32},
    {"textbook, no workgroup memory", &histogram_u32, record_textbook, &global_u32},
    {"textbook", &histogram_u8, record_textbook, &workgroup_u8},
    {"textbook, no workgroup memory", &histogram_u8, record_textbook, &global_u8},
    {0},
};
