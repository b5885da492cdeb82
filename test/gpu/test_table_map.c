/* SPDX-License-Identifier: MIT
 *
 * The table of map and what is made like it. */
#include "table.h"

#include <string.h>

enum {
    IN,
    OUT,
    THIRD
};

static void copy(table_call *c, uint64_t to, const void *element)
{
    uint32_t bytes = c->type->components == 3 ? 12 : c->type->bytes; /* between vec3 nothing is written */
    memcpy(table_at(c, OUT, to), element, bytes);
}

static void record_map(table_call *c)
{
    telar_map_desc desc = {.length = c->length,
                           .inputs = {{c->arrays[IN], c->type->type}},
                           .inputs_count = 1,
                           .expression = "x",
                           .out = c->arrays[OUT],
                           .out_type = c->type->type};
    if (c->row->other) {
        desc.inputs[1].array = c->arrays[THIRD];
        desc.inputs_count = 2;
        desc.where = "a != 0u && i % 5u != 4u";
    }
    telar_record_map(&c->test->record, &c->test->prim, &desc);
}

static void expect_map(table_call *c)
{
    for (uint64_t k = 0; k < c->n; k++) {
        if (!c->row->other || (table_words(c, THIRD)[k] != 0 && k % 5 != 4)) copy(c, k, table_at(c, IN, k));
    }
}

enum {
    ONLY = 0
};

static void record_fill(table_call *c)
{
    telar_record_fill(&c->test->record, &c->test->prim,
                      &(telar_fill_desc){.length = c->length,
                                         .type = c->type->type,
                                         .value = c->row->other ? NULL : c->type->value,
                                         .out = c->arrays[ONLY]});
}

static void expect_fill(table_call *c)
{
    uint8_t element[16] = {0};
    uint32_t bytes = c->type->components == 3 ? 12 : c->type->bytes;
    if (!c->row->other) table_ones(c->type, element);
    for (uint64_t k = 0; k < c->n; k++) memcpy(table_at(c, ONLY, k), element, bytes);
}

static void record_iota(table_call *c)
{
    telar_record_iota(
        &c->test->record, &c->test->prim,
        &(telar_iota_desc){
            .length = c->length, .type = c->type->type, .first = "3", .step = "2", .out = c->arrays[ONLY]});
}

static void expect_iota(table_call *c)
{
    for (uint64_t k = 0; k < c->n; k++) table_put(c->type->number, table_at(c, ONLY, k), 3 + 2 * (double)k);
}

static void record_gather(table_call *c)
{
    telar_record_gather(&c->test->record, &c->test->prim,
                        &(telar_gather_desc){.length = c->length,
                                             .type = c->type->type,
                                             .in = c->arrays[IN],
                                             .in_count = c->counts[IN],
                                             .index = c->arrays[THIRD],
                                             .out = c->arrays[OUT]});
}

static void expect_gather(table_call *c)
{
    static const uint8_t zero[16];
    for (uint64_t k = 0; k < c->n; k++) {
        uint32_t at = table_words(c, THIRD)[k];
        copy(c, k, at < c->counts[IN] ? table_at(c, IN, at) : zero);
    }
}

static void record_scatter(table_call *c)
{
    telar_record_scatter(&c->test->record, &c->test->prim,
                         &(telar_scatter_desc){.length = c->length,
                                               .type = c->type->type,
                                               .in = c->arrays[IN],
                                               .index = c->arrays[THIRD],
                                               .out = c->arrays[OUT],
                                               .out_count = c->counts[OUT]});
}

static void expect_scatter(table_call *c)
{
    for (uint64_t k = 0; k < c->n; k++) {
        uint32_t at = table_words(c, THIRD)[k];
        if (at < c->counts[OUT]) copy(c, at, table_at(c, IN, k));
    }
}

static void record_stride(table_call *c)
{
    telar_record_stride_copy(&c->test->record, &c->test->prim,
                             &(telar_stride_copy_desc){.length = c->length,
                                                       .type = c->type->type,
                                                       .in = c->arrays[IN],
                                                       .in_stride = 3,
                                                       .out = c->arrays[OUT],
                                                       .out_stride = 2});
}

static void expect_stride(table_call *c)
{
    for (uint64_t k = 0; k < c->n; k++) copy(c, 2 * k, table_at(c, IN, 3 * k));
}

static void record_difference(table_call *c)
{
    telar_record_adjacent_difference(
        &c->test->record, &c->test->prim,
        &(telar_adjacent_difference_desc){
            .length = c->length, .type = c->type->type, .in = c->arrays[IN], .out = c->arrays[OUT]});
}

static void expect_difference(table_call *c)
{
    uint32_t bytes = table_number_bytes(c->type->number);
    for (uint64_t k = 0; k < c->n; k++) {
        copy(c, k, table_at(c, IN, k));
        for (uint32_t at = 0; k > 0 && at < c->type->components * bytes; at += bytes) {
            const uint8_t *x = (uint8_t *)table_at(c, IN, k) + at, *before = (uint8_t *)table_at(c, IN, k - 1) + at;
            double difference = table_get(c->type->number, x) - table_get(c->type->number, before);
            if (c->type->number == TABLE_U32 && difference < 0) difference += 4294967296.0;
            table_put(c->type->number, (uint8_t *)table_at(c, OUT, k) + at, difference);
        }
    }
}

enum {
    COUNTED_TYPES = TABLE_INTEGERS | TABLE_BIT(F32)
};

#define ARRAY_IN {.name = "in", .content = TABLE_MIXED}
#define ARRAY_OUT {.name = "out"}
#define ROW(title, kinds, verb, ...)                                                                                   \
    {.name = title, .types = kinds, .record = record_##verb, .expect = expect_##verb, __VA_ARGS__}

static const table_row rows[] = {
    ROW("map", TABLE_MOVED, map, .large = true, .in_place = true, .arrays = {ARRAY_IN, ARRAY_OUT}),
    ROW("map where", TABLE_MOVED, map, .large = true, .other = true, .in_place = true,
        .arrays = {ARRAY_IN, ARRAY_OUT, {.name = "a", .content = TABLE_FLAGS, .bytes = 4}}),
    ROW("fill", TABLE_MOVED, fill, .large = true, .no_place = true, .arrays = {ARRAY_OUT}),
    ROW("fill with zeros", TABLE_MOVED, fill, .no_place = true, .other = true, .arrays = {ARRAY_OUT}),
    ROW("iota", COUNTED_TYPES, iota, .no_place = true, .arrays = {ARRAY_OUT}),
    ROW("gather", TABLE_MOVED, gather, .large = true,
        .arrays = {{.name = "in", .content = TABLE_MIXED, .more = 1001, .fixed = true},
                   ARRAY_OUT,
                   {.name = "index", .content = TABLE_INDICES, .bytes = 4}}),
    ROW("scatter", TABLE_MOVED, scatter, .large = true,
        .arrays = {ARRAY_IN, ARRAY_OUT, {.name = "index", .content = TABLE_PERMUTED, .bytes = 4}}),
    ROW("stride copy", TABLE_MOVED, stride,
        .arrays = {{.name = "in", .content = TABLE_MIXED, .times = 3}, {.name = "out", .times = 2}}),
    ROW("adjacent difference", TABLE_VALUES, difference, .large = true,
        .arrays = {{.name = "in", .content = TABLE_WHOLE}, ARRAY_OUT}),
    {0},
};

int main(int argc, char **argv)
{
    return table_main(rows, argc, argv);
}
