/* SPDX-License-Identifier: MIT
 *
 * The table of select, unique, run-length encode, partition, find_if and bounds. */
#include "table.h"

#include <string.h>

/* ---- select -------------------------------------------------------------------------------------------------------- */

enum {
    IN,
    OUT,
    COUNT,
    FLAGS
};

static void record_select(table_call *c)
{
    telar_select_desc desc = {.length = c->length,
                              .type = c->type->type,
                              .in = c->arrays[IN],
                              .out = c->arrays[OUT],
                              .count = c->arrays[COUNT]};
    if (c->row->kind == 0) desc.where = c->type->over_2;
    if (c->row->kind == 1) desc.flags = c->arrays[FLAGS];
    if (c->row->kind == 2) desc.bits = c->arrays[FLAGS];
    telar_record_select(&c->test->record, &c->test->prim, &desc);
}

static bool is_kept(const table_call *c, uint64_t k)
{
    if (c->row->kind == 0) return table_over_2(c->type, table_at(c, IN, k));
    const uint32_t *flags = table_words(c, FLAGS);
    return c->row->kind == 1 ? flags[k] != 0 : (flags[k / 32] >> k % 32 & 1) != 0;
}

static void expect_select(table_call *c)
{
    uint32_t kept = 0;
    for (uint64_t k = 0; k < c->n; k++) {
        if (is_kept(c, k)) memcpy(table_at(c, OUT, kept++), table_at(c, IN, k), c->type->bytes);
    }
    table_words(c, COUNT)[0] = kept;
}

static void record_indices(table_call *c)
{
    telar_record_select(&c->test->record, &c->test->prim,
                        &(telar_select_desc){.length = c->length,
                                             .type = c->type->type,
                                             .in = c->arrays[IN],
                                             .where = c->type->over_2,
                                             .indices = c->arrays[OUT],
                                             .count = c->arrays[COUNT]});
}

static void expect_indices(table_call *c)
{
    uint32_t kept = 0;
    for (uint64_t k = 0; k < c->n; k++) {
        if (table_over_2(c->type, table_at(c, IN, k))) table_words(c, OUT)[kept++] = (uint32_t)k;
    }
    table_words(c, COUNT)[0] = kept;
}

/* ---- unique, run-length encode --------------------------------------------------------------------------------------- */

static void record_unique(table_call *c)
{
    telar_unique_desc desc = {.length = c->length,
                              .type = c->type->type,
                              .in = c->arrays[IN],
                              .equal = c->type->equal,
                              .out = c->arrays[OUT],
                              .count = c->arrays[COUNT]};
    if (c->row->other) desc.values = c->arrays[FLAGS], desc.values_out = c->arrays[FLAGS + 1];
    telar_record_unique(&c->test->record, &c->test->prim, &desc);
}

static bool is_head(const table_call *c, uint64_t k)
{
    return k == 0 || !table_equal(c->type, table_at(c, IN, k - 1), table_at(c, IN, k));
}

static void expect_unique(table_call *c)
{
    uint32_t runs = 0;
    for (uint64_t k = 0; k < c->n; k++) {
        if (!is_head(c, k)) continue;
        memcpy(table_at(c, OUT, runs), table_at(c, IN, k), c->type->bytes);
        if (c->row->other) table_words(c, FLAGS + 1)[runs] = table_words(c, FLAGS)[k];
        runs++;
    }
    table_words(c, COUNT)[0] = runs;
}

static void record_encode(table_call *c)
{
    telar_record_run_length_encode(&c->test->record, &c->test->prim,
                                   &(telar_run_length_encode_desc){.length = c->length,
                                                                   .type = c->type->type,
                                                                   .in = c->arrays[IN],
                                                                   .equal = c->type->equal,
                                                                   .out = c->arrays[OUT],
                                                                   .lengths = c->arrays[FLAGS],
                                                                   .count = c->arrays[COUNT]});
}

static void expect_encode(table_call *c)
{
    uint32_t runs = 0, *lengths = table_words(c, FLAGS);
    for (uint64_t k = 0; k < c->n; k++) {
        if (is_head(c, k)) {
            memcpy(table_at(c, OUT, runs), table_at(c, IN, k), c->type->bytes);
            lengths[runs++] = 0;
        }
        lengths[runs - 1]++;
    }
    table_words(c, COUNT)[0] = runs;
}

/* ---- partition ------------------------------------------------------------------------------------------------------- */

static void record_partition(table_call *c)
{
    telar_partition_desc desc = {.length = c->length,
                                 .type = c->type->type,
                                 .in = c->arrays[IN],
                                 .out = c->arrays[OUT],
                                 .counts = c->arrays[COUNT]};
    if (c->row->kind == 1) desc.flags = c->arrays[FLAGS];
    else desc.first = c->type->over_2;
    if (c->row->other) desc.second = "i % 3u == 0u";
    telar_record_partition(&c->test->record, &c->test->prim, &desc);
}

static void expect_partition(table_call *c)
{
    uint64_t filled = 0;
    for (uint32_t part = 0; part < 3; part++) {
        uint64_t before = filled;
        for (uint64_t k = 0; k < c->n; k++) {
            uint32_t of = is_kept(c, k) ? 0 : c->row->other && k % 3 == 0 ? 1 : 2;
            if (of == part) memcpy(table_at(c, OUT, filled++), table_at(c, IN, k), c->type->bytes);
        }
        if (part == 0 || (part == 1 && c->row->other)) table_words(c, COUNT)[part] = (uint32_t)(filled - before);
    }
}

/* ---- find_if, bounds --------------------------------------------------------------------------------------------------- */

static void record_find(table_call *c)
{
    telar_record_find_if(&c->test->record, &c->test->prim,
                         &(telar_find_if_desc){.length = c->length,
                                               .type = c->type->type,
                                               .in = c->arrays[IN],
                                               .where = c->type->over_2,
                                               .wgsl = "",
                                               .out = c->arrays[OUT]});
}

static void expect_find(table_call *c)
{
    uint64_t k = 0;
    while (k < c->n && !table_over_2(c->type, table_at(c, IN, k))) k++;
    table_words(c, OUT)[0] = (uint32_t)k;
}

enum {
    SORTED = 2
};

static void record_bound(table_call *c)
{
    telar_record_bound(&c->test->record, &c->test->prim,
                       &(telar_bound_desc){.length = c->length,
                                           .type = c->type->type,
                                           .in = c->arrays[IN],
                                           .sorted = c->arrays[SORTED],
                                           .sorted_count = c->counts[SORTED],
                                           .upper = c->row->other,
                                           .less = c->type->less,
                                           .out = c->arrays[OUT]});
}

static void expect_bound(table_call *c)
{
    for (uint64_t k = 0; k < c->n; k++) {
        const void *x = table_at(c, IN, k);
        uint32_t place = 0;
        for (uint64_t i = 0; i < c->counts[SORTED]; i++) {
            const void *other = table_at(c, SORTED, i);
            if (c->row->other ? !table_less(c->type, x, other) : table_less(c->type, other, x)) place++;
        }
        table_words(c, OUT)[k] = place;
    }
}

/* ---- Rows -------------------------------------------------------------------------------------------------------------- */

#define ARRAY_IN(what) {.name = "in", .content = TABLE_##what}
#define ARRAY_OUT {.name = "out"}
#define ARRAY_WORDS_OUT {.name = "out", .bytes = 4}
#define ARRAY_COUNT {.name = "count", .bytes = 4, .more = 1, .fixed = true}
#define ARRAY_COUNTS {.name = "counts", .bytes = 4, .more = 2, .fixed = true}
#define ARRAY_FLAGS {.name = "flags", .content = TABLE_FLAGS, .bytes = 4}

static const table_row rows[] = {
    {.name = "select where",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), ARRAY_OUT, ARRAY_COUNT},
     .record = record_select,
     .expect = expect_select},
    {.name = "select by flags",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), ARRAY_OUT, ARRAY_COUNT, ARRAY_FLAGS},
     .record = record_select,
     .expect = expect_select,
     .kind = 1},
    {.name = "select by bits",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), ARRAY_OUT, ARRAY_COUNT, {.name = "bits", .content = TABLE_ANY, .bits = true}},
     .record = record_select,
     .expect = expect_select,
     .kind = 2},
    {.name = "select indices",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), ARRAY_WORDS_OUT, ARRAY_COUNT},
     .record = record_indices,
     .expect = expect_indices},
    {.name = "unique",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(RUNS), ARRAY_OUT, ARRAY_COUNT},
     .record = record_unique,
     .expect = expect_unique},
    {.name = "unique of odd numbers",
     .types = TABLE_VALUES,
     .arrays = {ARRAY_IN(MIXED), ARRAY_OUT, ARRAY_COUNT},
     .record = record_unique,
     .expect = expect_unique},
    {.name = "unique by key",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(RUNS),
                ARRAY_OUT,
                ARRAY_COUNT,
                {.name = "values", .content = TABLE_FLAGS, .bytes = 4},
                {.name = "values_out", .bytes = 4}},
     .record = record_unique,
     .expect = expect_unique,
     .other = true},
    {.name = "run-length encode",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(RUNS), ARRAY_OUT, ARRAY_COUNT, {.name = "lengths", .bytes = 4}},
     .record = record_encode,
     .expect = expect_encode},
    {.name = "partition",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), ARRAY_OUT, ARRAY_COUNTS},
     .record = record_partition,
     .expect = expect_partition},
    {.name = "partition by flags",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), ARRAY_OUT, ARRAY_COUNTS, ARRAY_FLAGS},
     .record = record_partition,
     .expect = expect_partition,
     .kind = 1},
    {.name = "partition in three",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), ARRAY_OUT, ARRAY_COUNTS},
     .record = record_partition,
     .expect = expect_partition,
     .other = true},
    {.name = "find_if",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {ARRAY_IN(MIXED), {.name = "out", .bytes = 4, .more = 1, .fixed = true}},
     .record = record_find,
     .expect = expect_find},
    {.name = "lower_bound",
     .types = TABLE_NUMBERS | TABLE_BIT(ITEM),
     .arrays = {ARRAY_IN(WHOLE),
                ARRAY_WORDS_OUT,
                {.name = "sorted", .content = TABLE_SORTED, .more = 1000, .fixed = true}},
     .record = record_bound,
     .expect = expect_bound},
    {.name = "upper_bound",
     .types = TABLE_NUMBERS | TABLE_BIT(ITEM),
     .arrays = {ARRAY_IN(WHOLE),
                ARRAY_WORDS_OUT,
                {.name = "sorted", .content = TABLE_SORTED, .more = 77, .fixed = true}},
     .record = record_bound,
     .expect = expect_bound,
     .other = true},
    {0},
};

int main(int argc, char **argv)
{
    return table_main(rows, argc, argv);
}
