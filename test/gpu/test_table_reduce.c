/* SPDX-License-Identifier: MIT
 *
 * The table of reductions: of all, by segments, by key. */
#include "table.h"

#include <math.h>
#include <string.h>

enum {
    IN,
    OUT,
    THIRD,
    FOURTH,
    FIFTH
};

/* ---- What is reduced to ---------------------------------------------------------------------------------------------- */

static telar_reduction reduction_of(const table_call *c)
{
    telar_reduction reduction = {.kind = (telar_reduction_kind)c->row->kind};
    if (reduction.kind == TELAR_REDUCE_OPERATOR) reduction.op = table_operator(c->type, c->row->op);
    bool counts = reduction.kind == TELAR_REDUCE_ANY || reduction.kind == TELAR_REDUCE_ALL ||
                  reduction.kind == TELAR_REDUCE_COUNT;
    if (counts) reduction.expression = c->type->over_2;
    reduction.compensated = c->row->kind == 0 && c->row->other && c->type->number == TABLE_F32;
    return reduction;
}

static void expect_condition(const table_call *c, uint64_t begin, uint64_t end, uint32_t *result)
{
    uint32_t holds = 0;
    for (uint64_t k = begin; k < end; k++) holds += table_over_2(c->type, table_at(c, IN, k));
    bool all = holds == end - begin;
    *result = c->row->kind == TELAR_REDUCE_COUNT ? holds : c->row->kind == TELAR_REDUCE_ALL ? all : holds > 0;
}

static void extreme_of(const table_call *c, uint64_t begin, uint64_t end, telar_op op, void *result)
{
    table_identity(c->type, op, result);
    for (uint64_t k = begin; k < end; k++) table_combine(c->type, op, result, table_at(c, IN, k));
}

/* NaNs are left out. */
static uint32_t place_of(const table_call *c, uint64_t begin, uint64_t end, const void *extreme)
{
    for (uint64_t k = begin; k < end; k++) {
        if (memcmp(table_at(c, IN, k), extreme, c->type->bytes) == 0) return (uint32_t)k;
    }
    return UINT32_MAX;
}

static void expect_moments(const table_call *c, uint64_t begin, uint64_t end, uint8_t *result)
{
    double count = (double)(end - begin), mean = 0, squares = 0;
    for (uint64_t k = begin; k < end; k++) mean += table_get(c->type->number, table_at(c, IN, k)) / count;
    for (uint64_t k = begin; k < end; k++) {
        double distance = table_get(c->type->number, table_at(c, IN, k)) - mean;
        squares += distance * distance / count;
    }
    table_put(TABLE_F32, result, mean);
    table_put(TABLE_F32, result + 4, squares);
}

static void expect_of(table_call *c, uint64_t begin, uint64_t end, uint64_t place)
{
    bool least = c->row->kind == TELAR_REDUCE_ARG_MIN;
    uint8_t *out = c->data[OUT];
    switch ((telar_reduction_kind)c->row->kind) {
    case TELAR_REDUCE_OPERATOR: extreme_of(c, begin, end, c->row->op, out + place * c->type->bytes); break;
    case TELAR_REDUCE_ARG_MIN:
    case TELAR_REDUCE_ARG_MAX:
        extreme_of(c, begin, end, least ? TELAR_OP_MIN : TELAR_OP_MAX, table_at(c, THIRD, place));
        table_words(c, OUT)[place] = place_of(c, begin, end, table_at(c, THIRD, place));
        break;
    case TELAR_REDUCE_MIN_MAX:
        extreme_of(c, begin, end, TELAR_OP_MIN, out + 2 * place * c->type->bytes);
        extreme_of(c, begin, end, TELAR_OP_MAX, out + (2 * place + 1) * c->type->bytes);
        break;
    case TELAR_REDUCE_MEAN_VARIANCE: expect_moments(c, begin, end, out + 8 * place); break;
    default: expect_condition(c, begin, end, &table_words(c, OUT)[place]); break;
    }
}

/* ---- All of them ------------------------------------------------------------------------------------------------------- */

static void record_all(table_call *c)
{
    telar_reduce_desc desc = {.length = c->length,
                              .type = c->type->type,
                              .reduction = reduction_of(c),
                              .in = c->arrays[IN],
                              .out = c->arrays[OUT]};
    if (c->row->arrays[THIRD].name != NULL) desc.value = c->arrays[THIRD];
    telar_record_reduce(&c->test->record, &c->test->prim, &desc);
}

static void expect_all(table_call *c)
{
    expect_of(c, 0, c->n, 0);
}

/* ---- By segments: 3001 elements, as many segments as the length ------------------------------------------------------ */

static void record_segments(table_call *c)
{
    telar_record_reduce_segments(&c->test->record, &c->test->prim,
                                 &(telar_reduce_segments_desc){.length = c->length,
                                                               .type = c->type->type,
                                                               .reduction = reduction_of(c),
                                                               .in = c->arrays[IN],
                                                               .in_count = c->counts[IN],
                                                               .offsets = c->arrays[THIRD],
                                                               .out = c->arrays[OUT]});
}

static void expect_segments(table_call *c)
{
    const uint32_t *offsets = table_words(c, THIRD);
    for (uint64_t k = 0; k < c->n; k++) expect_of(c, offsets[k], offsets[k + 1], k);
}

/* ---- By key -------------------------------------------------------------------------------------------------------------- */

enum {
    KEYS = THIRD,
    KEYS_OUT,
    RUNS
};

/* Keys of the type and sums of words, or keys that are words and sums of the type. */
static void record_by_key(table_call *c)
{
    const telar_type word = {0};
    telar_record_reduce_by_key(
        &c->test->record, &c->test->prim,
        &(telar_reduce_by_key_desc){
            .length = c->length,
            .key_type = c->row->other ? c->type->type : word,
            .keys = c->arrays[KEYS],
            .type = c->row->other ? word : c->type->type,
            .reduction = {.op = c->row->other ? (telar_operator){0} : table_operator(c->type, c->row->op)},
            .in = c->arrays[IN],
            .keys_out = c->arrays[KEYS_OUT],
            .out = c->arrays[OUT],
            .count = c->arrays[RUNS]});
}

static void expect_by_key(table_call *c)
{
    const table_type *keys = c->row->other ? c->type : &table_types[TABLE_TYPE_U32];
    const table_type *values = c->row->other ? &table_types[TABLE_TYPE_U32] : c->type;
    uint32_t runs = 0;
    for (uint64_t k = 0; k < c->n; k++) {
        const void *key = table_at(c, KEYS, k);
        if (k == 0 || !table_equal(keys, table_at(c, KEYS, k - 1), key)) {
            memcpy(table_at(c, KEYS_OUT, runs), key, keys->bytes);
            table_identity(values, c->row->op, table_at(c, OUT, runs++));
        }
        table_combine(values, c->row->op, table_at(c, OUT, runs - 1), table_at(c, IN, k));
    }
    table_words(c, RUNS)[0] = runs;
}

/* ---- Rows ---------------------------------------------------------------------------------------------------------------- */

enum {
    INTEGER_VALUES = TABLE_INTEGERS | TABLE_INTEGER_VECTORS,
    F32_VALUES = TABLE_BIT(F32) | TABLE_BIT(VEC2_F32),
};

#define ONE(what) {.name = "out", .more = what, .fixed = true}
#define EACH {.name = "out"}
#define EACH_WORD {.name = "out", .bytes = 4}
#define WORD {.name = "out", .bytes = 4, .more = 1, .fixed = true}
#define ALL(title, kinds, what, result, ...)                                                                           \
    {.name = "reduce " title,                                                                                          \
     .types = kinds,                                                                                                   \
     .arrays = {{.name = "in", .content = TABLE_##what}, result},                                                      \
     .record = record_all,                                                                                             \
     .expect = expect_all,                                                                                             \
     __VA_ARGS__}
#define WITH_VALUE(title, kinds, what, ...)                                                                            \
    {.name = "reduce " title,                                                                                          \
     .types = kinds,                                                                                                   \
     .arrays = {{.name = "in", .content = TABLE_##what}, WORD, {.name = "value", .more = 1, .fixed = true}},           \
     .record = record_all,                                                                                             \
     .expect = expect_all,                                                                                             \
     __VA_ARGS__}
#define SEGMENTS(title, kinds, what, result, ...)                                                                      \
    {.name = "segments " title,                                                                                        \
     .types = kinds,                                                                                                   \
     .arrays = {{.name = "in", .content = TABLE_##what, .more = 3001, .fixed = true},                                  \
                result,                                                                                                \
                {.name = "offsets", .content = TABLE_OFFSETS, .bytes = 4, .more = 1}},                                 \
     .record = record_segments,                                                                                        \
     .expect = expect_segments,                                                                                        \
     .n_max = 5000,                                                                                                    \
     __VA_ARGS__}

#define MIN_BY_KEY(title, ...)                                                                                         \
    {.name = title,                                                                                                    \
     .types = TABLE_VALUES,                                                                                            \
     .arrays = {{.name = "in", .content = TABLE_MIXED},                                                                \
                EACH,                                                                                                  \
                {.name = "keys", .content = TABLE_FLAGS, .bytes = 4},                                                  \
                {.name = "keys_out", .bytes = 4},                                                                      \
                {.name = "runs", .bytes = 4, .more = 1, .fixed = true}},                                               \
     .record = record_by_key,                                                                                          \
     .expect = expect_by_key,                                                                                          \
     __VA_ARGS__}

static const table_row rows[] = {
    ALL("sum", TABLE_MOVED, WHOLE, ONE(1), .op = TELAR_OP_SUM),
    ALL("compensated sum", F32_VALUES, WHOLE, ONE(1), .op = TELAR_OP_SUM, .other = true),
    ALL("product", TABLE_VALUES, FACTORS, ONE(1), .op = TELAR_OP_PRODUCT, .large = true),
    ALL("min", TABLE_VALUES, MIXED, ONE(1), .op = TELAR_OP_MIN, .large = true),
    ALL("max", TABLE_VALUES, MIXED, ONE(1), .op = TELAR_OP_MAX),
    ALL("and", INTEGER_VALUES, ANY, ONE(1), .op = TELAR_OP_AND),
    ALL("or", INTEGER_VALUES, WHOLE, ONE(1), .op = TELAR_OP_OR),
    ALL("xor", INTEGER_VALUES, ANY, ONE(1), .op = TELAR_OP_XOR),
    ALL("any", TABLE_MOVED, MIXED, WORD, .kind = TELAR_REDUCE_ANY),
    ALL("all", TABLE_MOVED, MIXED, WORD, .kind = TELAR_REDUCE_ALL),
    ALL("count", TABLE_MOVED, MIXED, WORD, .kind = TELAR_REDUCE_COUNT, .large = true),
    WITH_VALUE("arg-min", TABLE_NUMBERS, MIXED, .kind = TELAR_REDUCE_ARG_MIN, .large = true),
    WITH_VALUE("arg-max", TABLE_NUMBERS, MIXED, .kind = TELAR_REDUCE_ARG_MAX),
    ALL("min-max", TABLE_VALUES, MIXED, ONE(2), .kind = TELAR_REDUCE_MIN_MAX),
    {.name = "reduce mean and variance",
     .types = TABLE_NUMBERS,
     .arrays = {{.name = "in", .content = TABLE_WHOLE}, {.name = "out", .bytes = 8, .more = 1, .fixed = true}},
     .record = record_all,
     .expect = expect_all,
     .kind = TELAR_REDUCE_MEAN_VARIANCE,
     .tolerance = 1e-5},
    SEGMENTS("sum", TABLE_MOVED, WHOLE, EACH, .op = TELAR_OP_SUM, .large = true),
    SEGMENTS("min", TABLE_VALUES, MIXED, EACH, .op = TELAR_OP_MIN),
    SEGMENTS("count", TABLE_MOVED, MIXED, EACH_WORD, .kind = TELAR_REDUCE_COUNT),
    {.name = "by key of words",
     .large = true,
     .types = TABLE_MOVED,
     .arrays = {{.name = "in", .content = TABLE_WHOLE},
                {.name = "out"},
                {.name = "keys", .content = TABLE_FLAGS, .bytes = 4},
                {.name = "keys_out", .bytes = 4},
                {.name = "runs", .bytes = 4, .more = 1, .fixed = true}},
     .record = record_by_key,
     .expect = expect_by_key,
     .op = TELAR_OP_SUM},
    MIN_BY_KEY("min by key", .op = TELAR_OP_MIN),
    MIN_BY_KEY("max by key", .op = TELAR_OP_MAX),
    {.name = "by key of values",
     .large = true,
     .types = TABLE_VALUES,
     .arrays = {{.name = "in", .content = TABLE_WHOLE, .bytes = 4},
                {.name = "out", .bytes = 4},
                {.name = "keys", .content = TABLE_RUNS},
                {.name = "keys_out"},
                {.name = "runs", .bytes = 4, .more = 1, .fixed = true}},
     .record = record_by_key,
     .expect = expect_by_key,
     .op = TELAR_OP_SUM,
     .other = true},
    {0},
};

int main(int argc, char **argv)
{
    return table_main(rows, argc, argv);
}
