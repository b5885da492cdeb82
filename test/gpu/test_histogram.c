/* SPDX-License-Identifier: MIT
 *
 * histogram against plain loops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "prim.h"
#include "prim/histogram.h"

/* ---- Plain C ----------------------------------------------------------------------------------------------------- */

/* Of a call: what differs from case to case. Zero: 256 bins of u32 below 256. */
typedef struct histogram_case {
    const char *name;
    telar_sample sample;
    uint32_t channels, bins;
    double lower, upper;
    uint32_t edges; /* which of the lists of edges; 0: even bins */
    bool add, weighted;
    uint32_t mask; /* of random samples' words; 0: none */
    tl_histogram_tuning tuning;
    uint64_t binding_bytes, invocations, memory_bytes, workgroups; /* limits; 0: the device's */
} histogram_case;

static const struct {
    uint32_t bits, of_word;
    bool is_float, is_signed;
} kinds[] = {
    [TELAR_SAMPLE_U32] = {32, 1, false, false}, [TELAR_SAMPLE_I32] = {32, 1, false, true},
    [TELAR_SAMPLE_F32] = {32, 1, true, false},  [TELAR_SAMPLE_F16] = {16, 2, true, false},
    [TELAR_SAMPLE_U16] = {16, 2, false, false}, [TELAR_SAMPLE_I16] = {16, 2, false, true},
    [TELAR_SAMPLE_U8] = {8, 4, false, false},   [TELAR_SAMPLE_I8] = {8, 4, false, true},
};

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float half_of(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    float fraction = (float)(bits & 1023) / 1024, sign = bits >> 15 != 0 ? -1.0F : 1.0F;
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    return exponent == 0 ? sign * ldexpf(fraction, -14) : sign * ldexpf(1 + fraction, exponent - 15);
}

/* The i-th sample as a number; integers are exact. */
static double sample_at(const uint32_t *words, telar_sample sample, uint64_t i)
{
    uint32_t bits = kinds[sample].bits, word = words[i / kinds[sample].of_word];
    uint32_t shift = bits * (uint32_t)(i % kinds[sample].of_word), raw = word >> shift;
    if (bits < 32) raw &= (1u << bits) - 1;
    if (kinds[sample].is_float) return bits == 32 ? (double)float_of(raw) : (double)half_of(raw);
    if (!kinds[sample].is_signed || raw >> (bits - 1) == 0) return raw;
    return (double)raw - ldexp(1, (int)bits);
}

/* -1: none. */
static int64_t even_bin(const histogram_case *c, double x)
{
    double lower = c->lower, upper = c->upper;
    if (lower == 0 && upper == 0) upper = c->bins;
    if (kinds[c->sample].is_float) {
        float low = (float)lower, high = (float)upper, value = (float)x;
        if (!(value >= low && value < high)) return -1;
        float scale = (float)c->bins / (high - low), place = (value - low) * scale;
        return place < (float)c->bins ? (int64_t)place : (int64_t)c->bins - 1;
    }
    if (x < lower || x >= upper) return -1;
    return (int64_t)((uint64_t)(x - lower) * c->bins / (uint64_t)(upper - lower));
}

static int64_t edge_bin(const histogram_case *c, const double *edges, double x)
{
    if (isnan(x)) return -1;
    int64_t below = 0;
    while (below <= (int64_t)c->bins && edges[below] <= x) below++;
    return below == 0 || below > (int64_t)c->bins ? -1 : below - 1;
}

static void make_edges(const histogram_case *c, double *edges, uint32_t *words)
{
    for (uint32_t k = 0; k <= c->bins; k++) {
        double x = (double)k * k / c->bins - (kinds[c->sample].is_signed || kinds[c->sample].is_float ? 20 : 0);
        if (c->edges == 2 && k > c->bins / 2) x = edges[c->bins / 2]; /* equal ones */
        edges[k] = kinds[c->sample].is_float ? (double)(float)x : floor(x);
        float single = (float)edges[k];
        if (kinds[c->sample].is_float) memcpy(&words[k], &single, 4);
        else words[k] = (uint32_t)(int64_t)edges[k];
    }
}

/* ---- One call ---------------------------------------------------------------------------------------------------- */

static uint32_t or_one(uint32_t value)
{
    return value == 0 ? 1 : value;
}

/* Random words; floats are spread over the bins and beyond, with all that is special among them. */
static void make_samples(const histogram_case *c, uint32_t *words, uint64_t count)
{
    static const uint32_t special[] = {0x7fc00000, 0xffc00000, 0x80000000, 0x7f800000, 0xff800000, 0, 0x7f800001};
    static const uint32_t halves[] = {0x7e00fe00, 0x80007c00, 0x3c00fc00, 0xbc000400};
    prim_random(words, count, 11);
    for (uint64_t k = 0; k < count; k++) {
        if (c->mask != 0) words[k] &= c->mask;
        if (c->sample == TELAR_SAMPLE_F16) words[k] = k % 5 == 0 ? halves[k / 5 % 4] : words[k] & 0x5fff5fff;
        if (c->sample != TELAR_SAMPLE_F32) continue;
        double upper = c->upper == 0 && c->lower == 0 ? c->bins : c->upper;
        float x = (float)(c->lower + (upper - c->lower) * ((double)(words[k] >> 8) / 0x1p24 * 1.2 - 0.1));
        if (k % 16 == 3) words[k] = special[k / 16 % 7];
        else memcpy(&words[k], &x, 4);
    }
}

static void expect(const histogram_case *c, uint64_t n, const uint32_t *samples, const uint32_t *weights,
                   const double *edges, uint32_t *bins)
{
    uint32_t channels = or_one(c->channels);
    for (uint64_t k = 0; k < n * channels; k++) {
        double x = sample_at(samples, c->sample, k);
        int64_t bin = c->edges != 0 ? edge_bin(c, edges, x) : even_bin(c, x);
        if (bin >= 0)
            bins[(uint32_t)(k % channels) * c->bins + (uint32_t)bin] += c->weighted ? weights[k / channels] : 1;
    }
}

static void one(const histogram_case *c, uint64_t n, prim_path path, prim_form form, uint64_t offset_bytes, bool roomy)
{
    prim_test test = prim_begin(path);
    telar_limits *limits = &test.facts.limits;
    if (c->binding_bytes != 0) limits->maxStorageBufferBindingSize = c->binding_bytes;
    if (c->invocations != 0) limits->maxComputeInvocationsPerWorkgroup = c->invocations;
    if (c->memory_bytes != 0) limits->maxComputeWorkgroupStorageSize = c->memory_bytes;
    if (c->workgroups != 0) limits->maxComputeWorkgroupsPerDimension = c->workgroups;
    uint32_t channels = or_one(c->channels), all = channels * c->bins;
    uint64_t capacity = prim_capacity(n, form), words = telar_ceil_div(capacity * channels, kinds[c->sample].of_word);
    uint32_t *samples = malloc(4 * words + 4), *weights = malloc(4 * capacity + 4),
             *edge_words = malloc(4 * (c->bins + 1));
    uint32_t *bins = calloc(all, 4), *got = malloc(4 * (uint64_t)all);
    double *edges = malloc(sizeof *edges * (c->bins + 1));
    make_samples(c, samples, words);
    prim_random(weights, capacity, 12);
    make_edges(c, edges, edge_words);
    if (c->add) prim_random(bins, all, 13);
    telar_histogram_desc desc = {.length = prim_length(&test, n, form),
                                 .sample = c->sample,
                                 .channels = c->channels,
                                 .bins = c->bins,
                                 .lower = c->lower,
                                 .upper = c->upper,
                                 .add = c->add};
    desc.in = roomy ? prim_roomy_array(&test, "in", samples, 4 * words, offset_bytes)
                    : prim_array(&test, "in", samples, 4 * words, offset_bytes);
    if (c->edges != 0) desc.edges = prim_array(&test, "edges", edge_words, 4 * (uint64_t)(c->bins + 1), offset_bytes);
    if (c->weighted) desc.weights = prim_array(&test, "weights", weights, 4 * capacity, offset_bytes);
    desc.out = prim_array(&test, "out", bins, 4 * (uint64_t)all, offset_bytes);
    tl_record_histogram_tuned(&test.record, &test.prim, &desc, &c->tuning);
    if (!c->add) memset(bins, 0, 4 * (uint64_t)all);
    expect(c, n, samples, weights, edges, bins);
    for (int run = 0; run < 2; run++) {
        prim_run(&test);
        prim_read(&test, desc.out, got);
        for (uint32_t k = 0; k < all; k++) {
            if (got[k] != bins[k])
                fail_msg("%s, n %llu, path %d, form %d, run %d: bin %u has %u, not %u", c->name, (unsigned long long)n,
                         path, form, run, k, got[k], bins[k]);
        }
        if (c->add) expect(c, n, samples, weights, edges, bins);
    }
    prim_end(&test);
    free(samples);
    free(weights);
    free(edge_words);
    free(edges);
    free(bins);
    free(got);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static const uint64_t lengths[] = {0, 1, 3, 4, 5, 15, 16, 17, 255, 4096, 1000001};

static void every_length(void **state)
{
    static const histogram_case cases[] = {
        {.name = "u32", .bins = 256, .mask = 0x1ff},
        {.name = "u8", .sample = TELAR_SAMPLE_U8, .bins = 256},
    };
    (void)state;
    for (size_t k = 0; k < TL_COUNT(lengths); k++) {
        for (int form = (int)(k % 2); form < PRIM_FORMS; form += 2)
            one(&cases[(k / 2 + (size_t)form) % 2], lengths[k], (prim_path)(k / 2 % 2), (prim_form)form, 4 * (k % 5),
                k % 2 == 0);
    }
}

static const histogram_case kinds_of_bins[] = {
    {.name = "u32, shift", .bins = 64, .upper = 0x1p32},
    {.name = "u32, width", .bins = 100, .lower = 100, .upper = 1100, .mask = 0xfff},
    {.name = "u32, product", .bins = 100, .lower = 7, .upper = 1000, .mask = 0xfff},
    {.name = "u32, estimate", .bins = 1000, .upper = 0xfffffffe},
    {.name = "u32, estimate of the whole range", .bins = 3, .upper = 0x1p32},
    {.name = "u32, 65535 bins of the whole range", .bins = 65535, .upper = 0x1p32},
    {.name = "i32", .sample = TELAR_SAMPLE_I32, .bins = 77, .lower = -0x1p31, .upper = 0x1p31},
    {.name = "i32, small", .sample = TELAR_SAMPLE_I32, .bins = 10, .lower = -2000000000, .upper = -3},
    {.name = "f32", .sample = TELAR_SAMPLE_F32, .bins = 100, .lower = -1.5, .upper = 2.25},
    {.name = "f32, bins", .sample = TELAR_SAMPLE_F32, .bins = 1000},
    {.name = "f32, upper 0", .sample = TELAR_SAMPLE_F32, .bins = 50, .lower = -1},
    {.name = "f16", .sample = TELAR_SAMPLE_F16, .bins = 100, .lower = -1, .upper = 64},
    {.name = "u16", .sample = TELAR_SAMPLE_U16, .bins = 300, .lower = 5, .upper = 60000},
    {.name = "i16", .sample = TELAR_SAMPLE_I16, .bins = 64, .lower = -32768, .upper = 32768},
    {.name = "u8, few", .sample = TELAR_SAMPLE_U8, .bins = 10, .lower = 3, .upper = 203},
    {.name = "u8, weights", .sample = TELAR_SAMPLE_U8, .bins = 256, .weighted = true},
    {.name = "i8", .sample = TELAR_SAMPLE_I8, .bins = 256, .lower = -128, .upper = 128},
    {.name = "u32, edges", .bins = 50, .edges = 1, .mask = 0x3f},
    {.name = "u32, equal edges", .bins = 50, .edges = 2, .mask = 0x1f},
    {.name = "u32, far edges", .bins = 20000, .edges = 1, .mask = 0x7fff},
    {.name = "i32, edges", .sample = TELAR_SAMPLE_I32, .bins = 50, .edges = 1, .mask = 0x8000003f},
    {.name = "f32, edges", .sample = TELAR_SAMPLE_F32, .bins = 60, .edges = 1},
    {.name = "i8, edges", .sample = TELAR_SAMPLE_I8, .bins = 77, .edges = 1},
    {.name = "2 channels of u8", .sample = TELAR_SAMPLE_U8, .channels = 2, .bins = 256},
    {.name = "3 channels of u8", .sample = TELAR_SAMPLE_U8, .channels = 3, .bins = 256},
    {.name = "4 channels of u8", .sample = TELAR_SAMPLE_U8, .channels = 4, .bins = 256, .weighted = true},
    {.name = "3 channels of u32", .channels = 3, .bins = 33, .upper = 0x1p32, .weighted = true},
    {.name = "3 channels of f16", .sample = TELAR_SAMPLE_F16, .channels = 3, .bins = 20},
    {.name = "added", .bins = 256, .add = true, .mask = 0xff},
    {.name = "2 bins", .bins = 2, .mask = 3},
    {.name = "5000 bins: one copy, or two ranges", .bins = 5000, .mask = 0x1fff},
    {.name = "20000 bins: ranges", .bins = 20000, .mask = 0x7fff},
    {.name = "4 channels of 60000 bins: none kept", .channels = 4, .bins = 60000, .upper = 0x1p32},
    {.name = "ranges of channels, added", .channels = 3, .bins = 4000, .mask = 0x3fff, .add = true},
    {.name = "one group, many ranges", .bins = 20000, .mask = 0x7fff, .tuning = {.groups = 1}},
};

static void every_kind(void **state)
{
    (void)state;
    for (size_t k = 0; k < TL_COUNT(kinds_of_bins); k++) {
        one(&kinds_of_bins[k], k % 3 == 0 ? 30011 : 7001, (prim_path)(k / 2 % 2), (prim_form)(k % PRIM_FORMS),
            4 * (k % 5), k % 2 == 0);
    }
}

static void every_tuning(void **state)
{
    static const tl_histogram_tuning tunings[] = {
        {.workgroup_size = 64, .copies = 1, .rows = 1, .groups = 1},
        {.workgroup_size = 128, .copies = 2, .rows = 2, .groups = 7},
        {.workgroup_size = 256, .copies = 8, .rows = 8, .groups = 3},
        {.workgroup_size = 1024, .copies = 32, .rows = 4, .groups = 264},
    };
    (void)state;
    for (size_t k = 0; k < TL_COUNT(tunings); k++) {
        histogram_case c = {.name = "tuned u8", .sample = TELAR_SAMPLE_U8, .bins = 256, .tuning = tunings[k]};
        one(&c, 200001, PRIM_AS_GPU, PRIM_HOST, 0, true);
        c = (histogram_case){.name = "tuned u32", .bins = 256, .mask = 0xff, .tuning = tunings[k]};
        one(&c, 200001, PRIM_AS_GPU, PRIM_COUNTED, 4, true);
    }
}

/* Data above one binding, and the limits of compatibility mode. */
static void other_limits(void **state)
{
    static const histogram_case cases[] = {
        {.name = "windows of u8", .sample = TELAR_SAMPLE_U8, .channels = 3, .bins = 256, .binding_bytes = 1 << 17},
        {.name = "windows of u32", .bins = 300, .mask = 0x1ff, .weighted = true, .binding_bytes = 1 << 17},
        {.name = "windows, added", .bins = 300, .mask = 0x1ff, .add = true, .binding_bytes = 1 << 17},
        {.name = "few invocations", .sample = TELAR_SAMPLE_U8, .bins = 256, .invocations = 128},
        {.name = "little memory", .bins = 20000, .mask = 0x7fff, .memory_bytes = 16384},
    };
    (void)state;
    for (size_t k = 0; k < TL_COUNT(cases); k++)
        one(&cases[k], 90007, (prim_path)(k % 2), PRIM_HOST, 4 * (k % 5), true);
    /* A fold of them may have more than were meant. */
    for (uint64_t most = 2; most < 6; most++) {
        const histogram_case few = {.name = "few workgroups", .bins = 64, .mask = 0x3f, .workgroups = most};
        for (uint32_t path = 0; path < 2; path++) one(&few, 90007, (prim_path)path, PRIM_HOST, 0, true);
    }
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

typedef struct refusal {
    telar_status status;
    const char *text; /* a part of its message */
    telar_histogram_desc desc;
} refusal;

static void refusals(void **state)
{
    const telar_array some = {.buffer = {1}};
    const refusal refused[] = {
        {TELAR_INVALID_ARGUMENT, "1 bins", {.bins = 1, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "65537 bins", {.bins = 65537, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "5 channels", {.bins = 2, .channels = 5, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "no sample 99", {.bins = 2, .sample = (telar_sample)99, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "edges and a range", {.bins = 2, .upper = 1, .edges = some, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "lower must be below", {.bins = 2, .lower = 3, .upper = 3, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "both finite", {.bins = 2, .upper = INFINITY, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "must be whole", {.bins = 2, .upper = 1.5, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "in their range", {.bins = 2, .lower = -1, .upper = 5, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "in their range", {.bins = 2, .upper = 0x1p33, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT,
         "too near or too far",
         {.bins = 2, .sample = TELAR_SAMPLE_F32, .lower = 1, .upper = 1 + 1e-12, .in = some, .out = some}},
        {TELAR_INVALID_ARGUMENT, "'in' has no buffer", {.bins = 2, .out = some}},
        {TELAR_INVALID_ARGUMENT, "'out' has no buffer", {.bins = 2, .in = some}},
        {TELAR_INVALID_ARGUMENT,
         "no multiple of 4",
         {.bins = 2, .in = {.buffer = {1}, .offset_bytes = 2}, .out = some}},
    };
    (void)state;
    for (size_t k = 0; k < TL_COUNT(refused); k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        prim_array(&test, "some", NULL, 64, 0);
        telar_histogram_desc desc = refused[k].desc;
        desc.length.count = 5;
        telar_record_histogram(&test.record, &test.prim, &desc);
        prim_refused(&test, refused[k].status);
        if (strstr(gpu.diag.text, refused[k].text) == NULL) fail_msg("%s", gpu.diag.text);
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length), cmocka_unit_test(every_kind), cmocka_unit_test(every_tuning),
        cmocka_unit_test(other_limits), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
