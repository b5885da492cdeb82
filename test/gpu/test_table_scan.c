/* SPDX-License-Identifier: MIT
 *
 * The table of scans. */
#include "table.h"

#include <string.h>

enum {
    IN,
    OUT,
    PARTS
};

/* Where segments begin. */
enum {
    NO_SEGMENTS,
    BY_HEADS,
    BY_KEYS,
    BY_OFFSETS
};

static void record_scan(table_call *c)
{
    telar_scan_desc desc = {.length = c->length,
                            .type = c->type->type,
                            .op = table_operator(c->type, c->row->op),
                            .in = c->arrays[IN],
                            .out = c->arrays[OUT],
                            .inclusive = c->row->other};
    if (c->row->kind == BY_HEADS) desc.segments.heads = c->arrays[PARTS];
    if (c->row->kind == BY_KEYS) desc.segments.keys = c->arrays[PARTS], desc.segments.key_type = c->type->type;
    if (c->row->kind == BY_OFFSETS)
        desc.segments.offsets = c->arrays[PARTS], desc.segments.offsets_count = c->counts[PARTS];
    /* An initial value that every one of these operators shows. */
    if (c->row->op == TELAR_OP_SUM && c->type->components != 0) desc.initial = c->type->value;
    telar_record_scan(&c->test->record, &c->test->prim, &desc);
}

static bool begins(const table_call *c, uint64_t k)
{
    switch (c->row->kind) {
    case BY_HEADS: return table_words(c, PARTS)[k] != 0;
    case BY_KEYS: return k > 0 && !table_equal(c->type, table_at(c, PARTS, k - 1), table_at(c, PARTS, k));
    case BY_OFFSETS:
        for (uint64_t i = 0; i < c->counts[PARTS]; i++) {
            if (table_words(c, PARTS)[i] == k) return true;
        }
        return false;
    default: return false;
    }
}

static void expect_scan(table_call *c)
{
    uint8_t initial[16], sum[16], x[16];
    bool with_one = c->row->op == TELAR_OP_SUM && c->type->components != 0;
    memset(initial, 0x5a, sizeof initial);
    if (with_one) table_ones(c->type, initial);
    else table_identity(c->type, c->row->op, initial);
    memcpy(sum, initial, sizeof sum);
    for (uint64_t k = 0; k < c->n; k++) {
        if (begins(c, k)) memcpy(sum, initial, sizeof sum);
        memcpy(x, table_at(c, IN, k), c->type->bytes); /* which may be where the result goes */
        if (c->row->other) table_combine(c->type, c->row->op, sum, x);
        uint32_t bytes = c->type->components == 3 ? 12 : c->type->bytes; /* between vec3 nothing is written */
        memcpy(table_at(c, OUT, k), sum, bytes);
        if (!c->row->other) table_combine(c->type, c->row->op, sum, x);
    }
}

enum {
    INTEGER_VALUES = TABLE_INTEGERS | TABLE_INTEGER_VECTORS
};

#define SCAN(title, kinds, what, ...)                                                                                  \
    {.name = "scan " title,                                                                                            \
     .types = kinds,                                                                                                   \
     .arrays = {{.name = "in", .content = TABLE_##what}, {.name = "out"}},                                             \
     .record = record_scan,                                                                                            \
     .expect = expect_scan,                                                                                            \
     .in_place = true,                                                                                                 \
     __VA_ARGS__}
#define SEGMENTED(title, kinds, what, ...)                                                                             \
    {.name = "scan " title,                                                                                            \
     .types = kinds,                                                                                                   \
     .record = record_scan,                                                                                            \
     .expect = expect_scan,                                                                                            \
     .in_place = true,                                                                                                 \
     .arrays = {{.name = "in", .content = TABLE_WHOLE}, {.name = "out"}, what},                                        \
     __VA_ARGS__}
#define HEADS {.name = "heads", .content = TABLE_FLAGS, .bytes = 4}
#define KEYS {.name = "keys", .content = TABLE_RUNS}
#define OFFSETS {.name = "offsets", .content = TABLE_OFFSETS, .bytes = 4, .more = 99, .fixed = true}

static const table_row rows[] = {
    SCAN("sum", TABLE_MOVED, WHOLE, .op = TELAR_OP_SUM),
    SCAN("inclusive sum", TABLE_MOVED, WHOLE, .op = TELAR_OP_SUM, .other = true, .large = true),
    SCAN("product", TABLE_VALUES, FACTORS, .op = TELAR_OP_PRODUCT),
    SCAN("min", TABLE_VALUES, MIXED, .op = TELAR_OP_MIN, .other = true, .large = true),
    SCAN("max", TABLE_VALUES, MIXED, .op = TELAR_OP_MAX),
    SCAN("and", INTEGER_VALUES, ANY, .op = TELAR_OP_AND, .other = true),
    SCAN("or", INTEGER_VALUES, WHOLE, .op = TELAR_OP_OR),
    SCAN("xor", INTEGER_VALUES, ANY, .op = TELAR_OP_XOR, .other = true, .large = true),
    SEGMENTED("sum by heads", TABLE_MOVED, HEADS, .op = TELAR_OP_SUM, .kind = BY_HEADS, .large = true),
    SEGMENTED("max by heads", TABLE_VALUES, HEADS, .op = TELAR_OP_MAX, .other = true, .kind = BY_HEADS),
    SEGMENTED("sum by key", TABLE_VALUES, KEYS, .op = TELAR_OP_SUM, .other = true, .kind = BY_KEYS, .large = true),
    SEGMENTED("sum by offsets", TABLE_MOVED, OFFSETS, .op = TELAR_OP_SUM, .kind = BY_OFFSETS),
    {0},
};

int main(int argc, char **argv)
{
    return table_main(rows, argc, argv);
}
