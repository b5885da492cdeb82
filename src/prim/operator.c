/* SPDX-License-Identifier: MIT
 *
 * Operators as WGSL: a table of the named ones, and what a subgroup does with any of them. */
#include "prim/prim.h"

#include <string.h>

/* Identities for unsigned, signed and float elements; NULL: the operator is not for them. `total` and `inclusive` name the
 * subgroup built-ins, NULL where WGSL has none. `undo` takes x off the end of what it was combined to; NULL: one cannot. */
static const struct {
    const char *combine;
    const char *identities[3];
    const char *total;
    const char *inclusive;
    const char *undo;
} operators[] = {
    [TELAR_OP_SUM] = {"a + b", {"0", "0", "0"}, "subgroupAdd", "subgroupInclusiveAdd", "inclusive - x"},
    [TELAR_OP_PRODUCT] = {"a * b", {"1", "1", "1"}, "subgroupMul", "subgroupInclusiveMul", NULL},
    [TELAR_OP_MIN] = {"min(a, b)", {"0xffffffff", "0x7fffffff", NULL}, "subgroupMin", NULL, NULL},
    [TELAR_OP_MAX] = {"max(a, b)", {"0", "-0x7fffffff - 1", NULL}, "subgroupMax", NULL, NULL},
    [TELAR_OP_AND] = {"a & b", {"0xffffffff", "-1", NULL}, "subgroupAnd", NULL, NULL},
    [TELAR_OP_OR] = {"a | b", {"0", "0", NULL}, "subgroupOr", NULL, NULL},
    [TELAR_OP_XOR] = {"a ^ b", {"0", "0", NULL}, "subgroupXor", NULL, "inclusive ^ x"},
};

const char *tl_operator_combine(telar_op op)
{
    return op < TL_COUNT(operators) ? operators[op].combine : NULL;
}

const char *tl_operator_identity(const tl_type_facts *type, telar_op op)
{
    if (op >= TL_COUNT(operators)) return NULL;
    return operators[op].identities[type->is_float ? 2 : type->is_signed];
}

/* fn NAME(x: A, by: u32) -> A, a shuffle of A: WGSL moves numbers and vectors, so others go part by part. */
static void print_shuffle(tl_text *text, const char *name, const char *shuffle, const tl_type_part *parts,
                          uint32_t parts_count)
{
    tl_text_format(text, "fn %s(x: A, by: u32) -> A {\n    var moved = x;\n", name);
    for (uint32_t k = 0; k < parts_count; k++) {
        tl_text_format(text, "    moved%s = %s(x%s, by);\n", parts[k].path, shuffle, parts[k].path);
    }
    tl_text_add(text, "    return moved;\n}\n");
}

void tl_lanes_print(tl_text *text, const tl_type_facts *type, telar_op op)
{
    bool named = op != TELAR_OP_OWN && type->components > 0;
    const char *total = named ? operators[op].total : NULL;
    const char *inclusive = named ? operators[op].inclusive : NULL;
    /* What is rounded cannot be undone. */
    const char *undo = named && !type->is_float ? operators[op].undo : NULL;
    tl_type_part parts[TL_TYPE_PARTS_MAX];
    if (text->job->lanes == 1) {
        tl_text_add(text, tl_wgsl_lanes_one);
        return;
    }
    uint32_t parts_count = tl_type_parts(text->job, type->type, parts);
    print_shuffle(text, "lanes_from", "subgroupShuffle", parts, parts_count);
    print_shuffle(text, "lanes_up", "subgroupShuffleUp", parts, parts_count);
    print_shuffle(text, "lanes_across", "subgroupShuffleXor", parts, parts_count);
    if (total != NULL) tl_text_format(text, "fn lanes_total(x: A) -> A { return %s(x); }\n", total);
    else tl_text_add(text, tl_wgsl_lanes_total);
    if (inclusive != NULL) {
        tl_text_format(text, "fn lanes_inclusive(x: A, lane: u32) -> A { return %s(x); }\n", inclusive);
    } else {
        tl_text_add(text, tl_wgsl_lanes_inclusive);
    }
    if (undo != NULL)
        tl_text_format(text, "fn lanes_before(inclusive: A, x: A, lane: u32) -> A { return %s; }\n", undo);
    else tl_text_add(text, tl_wgsl_lanes_before);
}

void tl_operator_print(tl_text *text, const tl_type_facts *type, telar_operator op)
{
    const char *name = type->type.name;
    tl_text_format(text, "alias A = %s;\n", name);
    if (op.op == TELAR_OP_OWN) {
        if (op.wgsl == NULL || op.identity == NULL) {
            tl_job_fail(text->job, TELAR_INVALID_ARGUMENT, "an operator of your own needs its WGSL and an identity");
            return;
        }
        text->own = true;
        tl_text_format(text, "fn identity() -> A { return %s; }\n", op.identity);
        tl_text_add_own(text, op.wgsl);
    } else {
        const char *identity = tl_operator_identity(type, op.op);
        if (identity == NULL || !type->scalar) {
            tl_job_fail(text->job, TELAR_UNSUPPORTED, "this operator is not for elements of type '%s'", name);
            return;
        }
        tl_text_format(text, "fn identity() -> A { return A(%s); }\n", identity);
        tl_text_format(text, "fn combine(a: A, b: A) -> A { return %s; }\n", operators[op.op].combine);
    }
    tl_lanes_print(text, type, op.op);
}
