/* SPDX-License-Identifier: MIT
 *
 * The table of sort and histogram. */
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    IN,
    OUT,
    VALUES,
    VALUES_OUT
};

/* ---- sort ---------------------------------------------------------------------------------------------------------- */

static const telar_key keys[] = {
    [TABLE_U32] = TELAR_KEY_U32, [TABLE_I32] = TELAR_KEY_I32, [TABLE_F32] = TELAR_KEY_F32,
    [TABLE_F16] = TELAR_KEY_F16, [TABLE_U64] = TELAR_KEY_U64, [TABLE_I64] = TELAR_KEY_I64,
    [TABLE_F64] = TELAR_KEY_F64, [TABLE_U16] = TELAR_KEY_U16, [TABLE_I16] = TELAR_KEY_I16,
};

/* What is sorted: keys alone, with values, their indices alone; by the bits from 3 to 13. */
enum {
    KEYS_ALONE,
    PAIRS,
    INDICES,
    BITS
};

static void record_sort(table_call *c)
{
    telar_sort_desc desc = {
        .length = c->length, .key = keys[c->type->number], .descending = c->row->other, .in = c->arrays[IN]};
    if (c->row->kind == INDICES) desc.values_out = c->arrays[OUT];
    else desc.out = c->arrays[OUT];
    if (c->row->kind == PAIRS) desc.values_in = c->arrays[VALUES], desc.values_out = c->arrays[VALUES_OUT];
    if (c->row->kind == BITS) desc.begin_bit = 3, desc.end_bit = 13;
    telar_record_sort(&c->test->record, &c->test->prim, &desc);
}

/* A key as a number in the order that is asked for, and where it stood. */
typedef struct place {
    uint64_t order;
    uint64_t at;
} place;

static uint64_t order_of(const table_call *c, uint64_t k)
{
    uint32_t bits = 8 * c->type->bytes;
    uint64_t key = 0, sign = UINT64_C(1) << (bits - 1), all = sign | (sign - 1);
    memcpy(&key, table_at(c, IN, k), c->type->bytes);
    bool is_float = table_is_float(c->type->number), is_negative = (key & sign) != 0;
    bool is_signed =
        is_float || c->type->number == TABLE_I32 || c->type->number == TABLE_I64 || c->type->number == TABLE_I16;
    if (is_signed) key = is_float && is_negative ? ~key & all : key ^ sign;
    if (c->row->kind == BITS) key = key >> 3 & 1023;
    return c->row->other ? ~key : key;
}

static int by_order(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void expect_sort(table_call *c)
{
    place *places = calloc(c->n + 1, sizeof *places);
    for (uint64_t k = 0; k < c->n; k++) places[k] = (place){order_of(c, k), k};
    qsort(places, c->n, sizeof *places, by_order);
    for (uint64_t k = 0; k < c->n; k++) {
        uint64_t at = places[k].at;
        if (c->row->kind == INDICES) table_words(c, OUT)[k] = (uint32_t)at;
        else memcpy(table_at(c, OUT, k), table_at(c, IN, at), c->type->bytes);
        if (c->row->kind == PAIRS) table_words(c, VALUES_OUT)[k] = table_words(c, VALUES)[at];
    }
    free(places);
}

/* ---- histogram ------------------------------------------------------------------------------------------------------- */

static const telar_sample samples[] = {
    [TABLE_U32] = TELAR_SAMPLE_U32, [TABLE_I32] = TELAR_SAMPLE_I32, [TABLE_F32] = TELAR_SAMPLE_F32,
    [TABLE_F16] = TELAR_SAMPLE_F16, [TABLE_U16] = TELAR_SAMPLE_U16, [TABLE_I16] = TELAR_SAMPLE_I16,
    [TABLE_U8] = TELAR_SAMPLE_U8,   [TABLE_I8] = TELAR_SAMPLE_I8,
};

enum {
    WEIGHTS = 2,
    BINS = 6
};

/* From -6 to 6, which leaves some out. */
static uint32_t channels_of(const table_call *c)
{
    return c->row->kind == 0 ? 1 : c->row->kind;
}

static void record_histogram(table_call *c)
{
    bool is_signed = table_is_float(c->type->number) || c->type->number == TABLE_I32 || c->type->number == TABLE_I16 ||
                     c->type->number == TABLE_I8;
    telar_histogram_desc desc = {.length = c->length,
                                 .sample = samples[c->type->number],
                                 .channels = c->row->kind,
                                 .bins = BINS,
                                 .lower = is_signed ? -6 : 0,
                                 .upper = is_signed ? 6 : 12,
                                 .add = c->row->other,
                                 .in = c->arrays[IN],
                                 .out = c->arrays[OUT]};
    if (c->row->arrays[WEIGHTS].name != NULL) desc.weights = c->arrays[WEIGHTS];
    telar_record_histogram(&c->test->record, &c->test->prim, &desc);
}

static void expect_histogram(table_call *c)
{
    uint32_t channels = channels_of(c), *bins = table_words(c, OUT);
    bool is_signed = table_is_float(c->type->number) || c->type->number == TABLE_I32 || c->type->number == TABLE_I16 ||
                     c->type->number == TABLE_I8;
    if (!c->row->other) memset(bins, 0, 4 * (size_t)c->counts[OUT]);
    for (uint64_t k = 0; k < c->n * channels; k++) {
        double x = table_get(c->type->number, table_at(c, IN, k)) + (is_signed ? 6 : 0);
        if (!(x >= 0 && x < 12)) continue;
        bins[k % channels * BINS + (uint64_t)(x / 2)] +=
            c->row->arrays[WEIGHTS].name == NULL ? 1 : table_words(c, WEIGHTS)[k / channels];
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------------ */

enum {
    KEY_TYPES = TABLE_NUMBERS | TABLE_BIT(U64) | TABLE_BIT(I64) | TABLE_BIT(F64) | TABLE_BIT(U16) | TABLE_BIT(I16),
    SAMPLE_TYPES = TABLE_NUMBERS | TABLE_BIT(U16) | TABLE_BIT(I16) | TABLE_BIT(U8) | TABLE_BIT(I8),
};

#define SORT(title, ...)                                                                                               \
    {.name = "sort " title,                                                                                            \
     .types = KEY_TYPES,                                                                                               \
     .record = record_sort,                                                                                            \
     .expect = expect_sort,                                                                                            \
     .n_max = 20000,                                                                                                   \
     __VA_ARGS__}
#define KEYS_IN {.name = "in", .content = TABLE_ANY}
#define PAIR_ARRAYS                                                                                                    \
    {KEYS_IN,                                                                                                          \
     {.name = "out"},                                                                                                  \
     {.name = "values_in", .content = TABLE_FLAGS, .bytes = 4},                                                        \
     {.name = "values_out", .bytes = 4}}
#define HISTOGRAM(title, ...)                                                                                          \
    {.name = "histogram" title,                                                                                        \
     .types = SAMPLE_TYPES,                                                                                            \
     .record = record_histogram,                                                                                       \
     .expect = expect_histogram,                                                                                       \
     __VA_ARGS__}
#define SAMPLES(channels) {.name = "in", .content = TABLE_MIXED, .times = channels}
#define COUNTS(channels) {.name = "out", .bytes = 4, .more = (channels) * BINS, .fixed = true}

static const table_row rows[] = {
    SORT("keys", .kind = KEYS_ALONE, .arrays = {KEYS_IN, {.name = "out"}}),
    SORT("keys, descending", .kind = KEYS_ALONE, .other = true, .arrays = {KEYS_IN, {.name = "out"}}),
    SORT("pairs", .kind = PAIRS, .arrays = PAIR_ARRAYS),
    SORT("pairs, descending", .kind = PAIRS, .other = true, .arrays = PAIR_ARRAYS),
    SORT("indices", .kind = INDICES, .arrays = {KEYS_IN, {.name = "out", .bytes = 4}}),
    SORT("by ten bits", .kind = BITS, .arrays = {KEYS_IN, {.name = "out"}}),
    HISTOGRAM("", .arrays = {SAMPLES(1), COUNTS(1)}),
    HISTOGRAM(" of 3 channels", .kind = 3, .arrays = {SAMPLES(3), COUNTS(3)}),
    HISTOGRAM(" of 4 channels, weighted", .kind = 4,
              .arrays = {SAMPLES(4), COUNTS(4), {.name = "weights", .content = TABLE_FLAGS, .bytes = 4}}),
    {0},
};

int main(int argc, char **argv)
{
    return table_main(rows, argc, argv);
}
