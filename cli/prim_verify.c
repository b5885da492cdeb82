/* SPDX-License-Identifier: MIT
 *
 * See prim_verify.h. An expression is read as the initialiser of an override, and its variables as overrides: evaluating
 * those is what the reader can do. */
#include "prim_verify.h"
#include "wgsl/eval.h"
#include "wgsl/query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VARIABLES_MAX = 8,
    EXPRESSION_BYTES = 4 << 20
};

struct tl_expression {
    telar_arena arena;
    telar_wgsl *module;
    uint32_t variables[VARIABLES_MAX]; /* by global */
    uint32_t variables_count;
    uint32_t index;  /* of i */
    uint32_t result; /* its OVERRIDE node */
};

static const char *const names[] = {"x", "a", "b", "c"};

static uint32_t global_named(const telar_wgsl *m, const char *name)
{
    for (uint32_t k = 0; k < m->semantics->global_count; k++) {
        const tl_global *global = &m->semantics->globals[k];
        if (global->symbol != TL_NO_INDEX && tl_str_equal(tl_symbol_name(m, global->symbol), tl_str_of(name))) return k;
    }
    return TL_NO_INDEX;
}

static bool read_expression(tl_expression *e, const char *text, const char *const *types, uint32_t types_count,
                            const char *result)
{
    size_t cap = strlen(text) + 512;
    char *source = TL_ARENA_ARRAY(&e->arena, char, cap);
    if (source == NULL || types_count > TL_COUNT(names)) return false;
    telar_out out = {source, cap, 0};
    tl_out_text(&out, "enable f16;\noverride i: u32;\n");
    for (uint32_t k = 0; k < types_count; k++) tl_out_format(&out, "override %s: %s;\n", names[k], types[k]);
    tl_out_format(&out, "override telar_value: %s = %s;\n", result, text);
    telar_diag diag = {0};
    if (telar_wgsl_read(source, out.len, &e->arena, &e->module, &diag) != TELAR_OK) return false;
    for (uint32_t k = 0; k < types_count; k++) e->variables[k] = global_named(e->module, names[k]);
    e->variables_count = types_count;
    e->index = global_named(e->module, "i");
    e->result = e->module->semantics->globals[global_named(e->module, "telar_value")].node;
    return true;
}

tl_expression *tl_expression_open(const char *expression, const char *const *types, uint32_t types_count,
                                  const char *result)
{
    tl_expression *e = calloc(1, sizeof *e);
    void *memory = malloc(EXPRESSION_BYTES);
    if (e != NULL && memory != NULL) {
        e->arena = telar_arena_make(memory, EXPRESSION_BYTES);
        if (read_expression(e, expression, types, types_count, result)) return e;
    }
    free(e);
    free(memory);
    return NULL;
}

void tl_expression_close(tl_expression *expression)
{
    if (expression == NULL) return;
    free(expression->arena.data);
    free(expression);
}

bool tl_expression_value(tl_expression *e, const double *values, uint32_t i, double *result)
{
    size_t used = e->arena.used;
    tl_eval eval;
    bool good = tl_eval_begin(&eval, e->module, &e->arena) && tl_eval_set(&eval, e->index, i);
    for (uint32_t k = 0; good && k < e->variables_count; k++) good = tl_eval_set(&eval, e->variables[k], values[k]);
    if (good) {
        tl_constant constant = tl_eval_node(&eval, e->result);
        int64_t integer = 0;
        good = tl_constant_is_value(constant) && eval.fault == TL_FOLD_OK;
        if (good && !tl_constant_as_double(&eval.constants, constant, result)) {
            good = tl_constant_as_int(&eval.constants, constant, &integer);
            *result = (double)integer;
        }
    }
    e->arena.used = used;
    return good;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------- */

bool tl_prim_is_near(tl_dtype dtype, double got, double wanted, double part)
{
    if (got == wanted || (isnan(got) && isnan(wanted))) return true;
    if (tl_dtype_kind(dtype) != 'f') return false;
    double larger = fabs(got) > fabs(wanted) ? fabs(got) : fabs(wanted);
    return fabs(got - wanted) <= part * larger + (dtype == TL_DTYPE_F16 ? 1e-7 : 1e-37);
}

telar_status tl_prim_differs(tl_prim_tool *tool, const char *name, uint64_t element, double got, double wanted)
{
    return tl_fail_limit(&tool->diag, TELAR_MISMATCH, element, 0, "%s: element %llu is %.6f, plain C has %.6f", name,
                         (unsigned long long)element, got, wanted);
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
