/* SPDX-License-Identifier: MIT
 *
 * Sort: u32 keys, and pairs of a key and its index, which shows whether equal keys stay in order. */
#include "cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "kernels/kernels.h"
#include "prim/sort_tuning.h"

/* ---- Plain C: radix sort, least digit first ---------------------------------------------------------------------- */

enum {
    DIGITS = 1 << 8
};

/* One pass by one digit; values may be NULL. */
static void sort_pass(const uint32_t *keys, uint32_t *to, const uint32_t *values, uint32_t *values_to, uint64_t n,
                      uint32_t shift)
{
    uint64_t places[DIGITS] = {0};
    for (uint64_t k = 0; k < n; k++) places[keys[k] >> shift & (DIGITS - 1)]++;
    for (uint64_t digit = 0, sum = 0; digit < DIGITS; digit++) {
        uint64_t count = places[digit];
        places[digit] = sum;
        sum += count;
    }
    for (uint64_t k = 0; k < n; k++) {
        uint64_t place = places[keys[k] >> shift & (DIGITS - 1)]++;
        to[place] = keys[k];
        if (values != NULL) values_to[place] = values[k];
    }
}

/* Without memory for the other half the outputs stay zero, and no way is found right. */
static void sort_reference(bench_data *data)
{
    bool pairs = data->inputs[1] != NULL;
    uint64_t n = data->n;
    uint32_t *keys = malloc(n * 4 + 1), *values = pairs ? malloc(n * 4 + 1) : NULL;
    if (keys != NULL && (values != NULL || !pairs)) {
        uint32_t *out = data->outputs[0], *values_out = data->outputs[1];
        sort_pass(data->inputs[0], keys, data->inputs[1], values, n, 0);
        sort_pass(keys, out, values, values_out, n, 8);
        sort_pass(out, keys, pairs ? values_out : NULL, values, n, 16);
        sort_pass(keys, out, values, values_out, n, 24);
    }
    free(keys);
    free(values);
}

static const bench_problem sort_keys = {
    .name = "sort keys u32",
    .bytes = 8,
    .inputs = {{"keys", bench_fill_hash, NULL}},
    .outputs = {{"sorted", NULL}},
    .reference = sort_reference,
};

static const bench_problem sort_pairs = {
    .name = "sort pairs u32",
    .bytes = 16,
    .inputs = {{"keys", bench_fill_hash, NULL}, {"values", bench_fill_index, NULL}},
    .outputs = {{"sorted", NULL}, {"sorted values", NULL}},
    .reference = sort_reference,
};

/* ---- Textbook: four bits a pass, a scan of all blocks' counts between -------------------------------------------- */

typedef struct place {
    telar_buffer keys, values;
} place;

static telar_status record_pass(bench_recorder *recorder, uint32_t pass, place from, place to, telar_buffer counts,
                                telar_buffer places, telar_diag *diag)
{
    bool pairs = from.values.id != from.keys.id;
    char lines[64] = {0};
    telar_out out = {lines, sizeof lines, 0};
    tl_out_format(&out, "const shift = %uu;\nconst pairs = %s;\n", 4 * pass, pairs ? "true" : "false");
    const char *count_text = bench_join(recorder, lines, tl_wgsl_textbook_sort_count);
    const char *scatter_text = bench_join(recorder, lines, tl_wgsl_textbook_sort_scatter);
    if (count_text == NULL || scatter_text == NULL) return TELAR_NO_SPACE;
    const telar_bind count[] = {{.buffer = from.keys}, {.buffer = counts}};
    TELAR_TRY(bench_launch(recorder, count_text, recorder->n, count, TL_COUNT(count), diag));
    TELAR_TRY(bench_textbook_scan(recorder, counts, places, telar_ceil_div(recorder->n, 256) * 16, diag));
    const telar_bind scatter[] = {
        {.buffer = from.keys}, {.buffer = places}, {.buffer = to.keys}, {.buffer = from.values}, {.buffer = to.values}};
    return bench_launch(recorder, scatter_text, recorder->n, scatter, TL_COUNT(scatter), diag);
}

/* The input, the output and the other half in turn; eight passes end in the output. */
static telar_status record_textbook(bench_recorder *recorder, telar_diag *diag)
{
    uint64_t n = recorder->n;
    bool pairs = recorder->inputs[1].id != 0;
    telar_buffer counts = bench_scratch(recorder, "counts", telar_ceil_div(n, 256) * 16);
    telar_buffer places = bench_scratch(recorder, "places", telar_ceil_div(n, 256) * 16);
    /* Keys alone bind something small where values would be written, and themselves where they would be read. */
    place in = {recorder->inputs[0], pairs ? recorder->inputs[1] : recorder->inputs[0]};
    place half = {bench_scratch(recorder, "other keys", n), bench_scratch(recorder, "other values", pairs ? n : 1)};
    place end = {recorder->outputs[0], pairs ? recorder->outputs[1] : half.values};
    for (uint32_t pass = 0; pass < 8; pass++) {
        place from = pass == 0 ? in : pass % 2 == 0 ? end : half, to = pass % 2 == 0 ? half : end;
        if (!pairs) from.values = from.keys;
        TELAR_TRY(record_pass(recorder, pass, from, to, counts, places, diag));
    }
    return TELAR_OK;
}

/* ---- Telar ------------------------------------------------------------------------------------------------------- */

/* options: a tl_sort_tuning, or NULL for what the library chooses. */
static telar_status record_telar(bench_recorder *recorder, telar_diag *diag)
{
    (void)diag;
    const tl_sort_tuning chosen =
        recorder->options == NULL ? (tl_sort_tuning){0} : *(const tl_sort_tuning *)recorder->options;
    const telar_prim prim = bench_prim(recorder);
    bool pairs = recorder->inputs[1].id != 0;
    telar_sort_desc desc = {.length = {.count = recorder->n},
                            .in = bench_array(recorder, recorder->inputs[0]),
                            .out = bench_array(recorder, recorder->outputs[0])};
    if (pairs) {
        desc.values_in = bench_array(recorder, recorder->inputs[1]);
        desc.values_out = bench_array(recorder, recorder->outputs[1]);
    }
    tl_record_sort_tuned(recorder->record, &prim, &desc, &chosen);
    return TELAR_OK;
}

/* A list brings its own commas. */
#define TUNED(problem, size_, items_, form_, name, ...)                                                                \
    {"tune " #size_ "x" #items_ " " name, &(problem), record_telar,                                                    \
     &(const tl_sort_tuning){.size = (size_), .items = (items_), .form = TL_SORT_FORM_##form_, __VA_ARGS__}},
#define SCAN(problem, size, items) TUNED(problem, size, items, SCAN, "scan", .copies = 8)
#define LOOK_BACK(problem, size, items) TUNED(problem, size, items, LOOK_BACK, "look-back", .copies = 8)
/* No pass is left out: what it costs that one may be. */
#define FIXED(problem, size, items) TUNED(problem, size, items, LOOK_BACK, "look-back fixed", .fixed = true)

/* clang-format off */
const bench_way bench_sort_ways[] = {
    {"telar", &sort_keys, record_telar, NULL},
    {"telar portable", &sort_keys, record_telar, &(const tl_sort_tuning){.rank = TL_SORT_RANK_ATOMIC}},
    {"textbook", &sort_keys, record_textbook, NULL},
    SCAN(sort_keys, 256, 20)
    LOOK_BACK(sort_keys, 256, 18)
    LOOK_BACK(sort_keys, 256, 22)
    LOOK_BACK(sort_keys, 320, 18)
    LOOK_BACK(sort_keys, 320, 20)
    LOOK_BACK(sort_keys, 192, 24)
    LOOK_BACK(sort_keys, 512, 20)
    FIXED(sort_keys, 256, 20)
    {"telar", &sort_pairs, record_telar, NULL},
    {"telar portable", &sort_pairs, record_telar, &(const tl_sort_tuning){.rank = TL_SORT_RANK_ATOMIC}},
    {"textbook", &sort_pairs, record_textbook, NULL},
    SCAN(sort_pairs, 256, 20)
    LOOK_BACK(sort_pairs, 256, 16)
    LOOK_BACK(sort_pairs, 256, 18)
    LOOK_BACK(sort_pairs, 320, 16)
    LOOK_BACK(sort_pairs, 320, 20)
    LOOK_BACK(sort_pairs, 512, 16)
    LOOK_BACK(sort_pairs, 512, 20)
    FIXED(sort_pairs, 256, 20)
    {0},
};
/* clang-format on */
