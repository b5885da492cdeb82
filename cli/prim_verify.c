/* SPDX-License-Identifier: MIT
 *
 * See prim_verify.h. */
#include "prim_verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing ------------------------------------------------------------------------------------------------------- */

/* A result that is infinite where plain C, which has more range, is at or near the type's end. */
static bool is_past_end(tl_dtype dtype, double got, double wanted, double part)
{
    double end = dtype == TL_DTYPE_F16 ? 65520 : 0x1.ffffffp127; /* from here on numbers round to infinity */
    return isinf(got) && (got > 0) == (wanted > 0) && fabs(wanted) * (1 + part) >= end;
}

bool tl_prim_is_near(tl_dtype dtype, double got, double wanted, double part)
{
    if (got == wanted || (isnan(got) && isnan(wanted))) return true;
    if (tl_dtype_kind(dtype) != 'f') return false;
    if (is_past_end(dtype, got, wanted, part)) return true;
    double larger = fabs(got) > fabs(wanted) ? fabs(got) : fabs(wanted);
    return fabs(got - wanted) <= part * larger + (dtype == TL_DTYPE_F16 ? 1e-7 : 1e-37);
}

telar_status tl_prim_differs(tl_prim_tool *tool, const char *name, uint64_t element, double got, double wanted)
{
    return tl_fail_limit(&tool->diag, TELAR_MISMATCH, element, 0, "%s: element %llu is %.6f, plain C has %.6f", name,
                         (unsigned long long)element, got, wanted);
}

telar_status tl_prim_same_bits(tl_prim_tool *tool, const tl_prim_data *out, const void *result, uint64_t k,
                               const void *wanted)
{
    static const unsigned char zero[8] = {0};
    uint32_t bytes = tl_dtype_bytes(out->dtype);
    const void *got = (const unsigned char *)result + bytes * k, *from = wanted == NULL ? zero : wanted;
    if (memcmp(got, from, bytes) == 0) return TELAR_OK;
    return tl_prim_differs(tool, out->name, k, tl_prim_number(out->dtype, got, 0), tl_prim_number(out->dtype, from, 0));
}

telar_status tl_prim_same_word(tl_prim_tool *tool, const tl_prim_data *out, const void *result, uint64_t k,
                               uint64_t wanted)
{
    uint32_t word = (uint32_t)wanted;
    return tl_prim_same_bits(tool, out, result, k, &word);
}

/* ---- judging --------------------------------------------------------------------------------------------------------- */

/* NULL: *status says why. */
static uint8_t *marks_for(tl_prim_tool *tool, tl_prim_data *data, telar_status *status)
{
    *status = tl_array_settle(&data->array, &tool->diag);
    if (*status != TELAR_OK) return NULL;
    uint8_t *marks = calloc((size_t)data->elements + 1, 1);
    if (marks == NULL) *status = tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory to verify");
    return marks;
}

/* What cannot be evaluated here has no marks. */
static telar_status marks_end(tl_expression *expression, bool known, uint8_t *made, uint8_t **marks)
{
    tl_expression_close(expression);
    if (known) *marks = made;
    else free(made);
    return TELAR_OK;
}

telar_status tl_prim_judge(tl_prim_tool *tool, tl_prim_data *data, const char *where, uint8_t **marks)
{
    const tl_operand x = {"x", tl_prim_type(data->dtype)};
    telar_status status;
    uint8_t *made = marks_for(tool, data, &status);
    *marks = NULL;
    if (made == NULL) return status;
    tl_expression *condition = tl_expression_open(where, &x, 1, "bool");
    bool known = condition != NULL;
    for (uint64_t k = 0; known && k < data->elements; k++) {
        double value = tl_prim_number(data->dtype, data->array.data, k), holds = 0;
        known = tl_expression_value(condition, &value, (uint32_t)k, &holds);
        made[k] = holds != 0;
    }
    return marks_end(condition, known, made, marks);
}

telar_status tl_prim_flagged(tl_prim_tool *tool, tl_prim_data *flags, uint8_t **marks)
{
    telar_status status;
    uint8_t *made = marks_for(tool, flags, &status);
    for (uint64_t k = 0; made != NULL && k < flags->elements; k++) {
        made[k] = ((const uint32_t *)(const void *)flags->array.data)[k] != 0;
    }
    *marks = made;
    return status;
}

telar_status tl_prim_heads(tl_prim_tool *tool, tl_prim_data *data, const char *equal, uint8_t **marks)
{
    const tl_operand pair[] = {{"a", tl_prim_type(data->dtype)}, {"b", tl_prim_type(data->dtype)}};
    telar_status status;
    uint8_t *made = marks_for(tool, data, &status);
    *marks = NULL;
    if (made == NULL) return status;
    tl_expression *same = equal == NULL ? NULL : tl_expression_open(equal, pair, TL_COUNT(pair), "bool");
    bool known = equal == NULL || same != NULL;
    for (uint64_t k = 0; known && k < data->elements; k++) {
        const void *at = data->array.data;
        const double values[2] = {k == 0 ? 0 : tl_prim_number(data->dtype, at, k - 1),
                                  tl_prim_number(data->dtype, at, k)};
        double holds = values[0] == values[1];
        if (k > 0 && same != NULL) known = tl_expression_value(same, values, (uint32_t)k, &holds);
        made[k] = k == 0 || holds == 0;
    }
    return marks_end(same, known, made, marks);
}

/* ---- folding --------------------------------------------------------------------------------------------------------- */

static uint32_t identity_word(tl_dtype dtype, telar_op op)
{
    bool is_signed = dtype == TL_DTYPE_I32;
    switch (op) {
    case TELAR_OP_PRODUCT: return 1;
    case TELAR_OP_MIN: return is_signed ? INT32_MAX : UINT32_MAX;
    case TELAR_OP_MAX: return is_signed ? (uint32_t)INT32_MIN : 0;
    case TELAR_OP_AND: return UINT32_MAX;
    default: return 0;
    }
}

static double identity_value(telar_op op)
{
    switch (op) {
    case TELAR_OP_PRODUCT: return 1;
    case TELAR_OP_MIN: return INFINITY;
    case TELAR_OP_MAX: return -INFINITY;
    default: return 0;
    }
}

tl_folding tl_folding_begin(tl_dtype dtype, telar_op op)
{
    return (tl_folding){.dtype = dtype, .op = op, .word = identity_word(dtype, op), .value = identity_value(op)};
}

static bool is_less(tl_dtype dtype, uint32_t a, uint32_t b)
{
    return dtype == TL_DTYPE_I32 ? (int32_t)a < (int32_t)b : a < b;
}

static uint32_t fold_words(tl_dtype dtype, telar_op op, uint32_t a, uint32_t b)
{
    switch (op) {
    case TELAR_OP_PRODUCT: return a * b;
    case TELAR_OP_MIN: return is_less(dtype, b, a) ? b : a;
    case TELAR_OP_MAX: return is_less(dtype, a, b) ? b : a;
    case TELAR_OP_AND: return a & b;
    case TELAR_OP_OR: return a | b;
    case TELAR_OP_XOR: return a ^ b;
    default: return a + b;
    }
}

static double fold_values(telar_op op, double a, double b)
{
    switch (op) {
    case TELAR_OP_PRODUCT: return a * b;
    case TELAR_OP_MIN: return b < a ? b : a;
    case TELAR_OP_MAX: return b > a ? b : a;
    default: return a + b;
    }
}

void tl_folding_add(tl_folding *folding, const void *data, uint64_t k)
{
    folding->added++;
    if (tl_dtype_kind(folding->dtype) != 'f') {
        folding->word = fold_words(folding->dtype, folding->op, folding->word, ((const uint32_t *)data)[k]);
        return;
    }
    double value = tl_prim_number(folding->dtype, data, k);
    folding->value = fold_values(folding->op, folding->value, value);
    folding->size += fabs(value);
}

telar_status tl_folding_compare(tl_prim_tool *tool, const tl_folding *folding, const char *name, const void *result,
                                uint64_t k)
{
    if (tl_dtype_kind(folding->dtype) != 'f') {
        uint32_t got = ((const uint32_t *)result)[k];
        if (got == folding->word) return TELAR_OK;
        return tl_prim_differs(tool, name, k, tl_prim_number(folding->dtype, result, k),
                               tl_prim_number(folding->dtype, &folding->word, 0));
    }
    double got = tl_prim_number(folding->dtype, result, k), unit = folding->dtype == TL_DTYPE_F16 ? 0x1p-11 : 0x1p-24;
    /* A tree of roundings, each of at most half a unit of what was summed. */
    double room = folding->op == TELAR_OP_SUM ? folding->size * unit * (8 + log2((double)folding->added + 1)) : 0;
    double part = folding->op == TELAR_OP_PRODUCT ? 2 * unit * (double)folding->added : 0;
    bool near = fabs(got - folding->value) <= room || tl_prim_is_near(folding->dtype, got, folding->value, part);
    return near ? TELAR_OK : tl_prim_differs(tool, name, k, got, folding->value);
}

/* ---- again ----------------------------------------------------------------------------------------------------------- */

static telar_status compare(tl_prim_tool *tool, const tl_prim_data *data, const void *first, const void *second)
{
    for (uint64_t k = 0; k < data->elements; k++) {
        double a = tl_prim_number(data->dtype, first, k), b = tl_prim_number(data->dtype, second, k);
        double part = data->dtype == TL_DTYPE_F16 ? 1e-2 : 1e-4;
        if (!tl_prim_is_near(data->dtype, a, b, part)) return tl_prim_differs(tool, data->name, k, a, b);
    }
    return TELAR_OK;
}

static telar_status run_plain(tl_prim_tool *tool)
{
    tool->prim.plain = true;
    TELAR_TRY(tl_prim_prepare(tool, false));
    TELAR_TRY(telar_prepared_run(tool->prepared, &tool->diag));
    return tool->spec->finish != NULL ? tool->spec->finish(tool) : TELAR_OK;
}

/* The results of the first run stay in their own buffers, which are the ones that are written to files. */
telar_status tl_prim_verify_again(tl_prim_tool *tool)
{
    void *first[TL_PRIM_DATA_MAX] = {0};
    WGPUBuffer handles[TL_PRIM_DATA_MAX];
    bool plain = tool->prim.plain;
    telar_status status = TELAR_OK;
    for (uint32_t k = tool->inputs_count; k < tool->data_count; k++) {
        if (status == TELAR_OK) status = tl_prim_read(tool, &tool->data[k], &first[k]);
        handles[k] = tool->data[k].handle;
        tool->data[k].handle = NULL;
    }
    if (status == TELAR_OK) status = run_plain(tool);
    for (uint32_t k = tool->inputs_count; k < tool->data_count; k++) {
        void *second = NULL;
        if (status == TELAR_OK) status = tl_prim_read(tool, &tool->data[k], &second);
        if (status == TELAR_OK) status = compare(tool, &tool->data[k], first[k], second);
        telar_host_buffer_release(tool->device.host, tool->data[k].handle);
        tool->data[k].handle = handles[k];
        free(first[k]);
        free(second);
    }
    tool->prim.plain = plain;
    return status;
}
