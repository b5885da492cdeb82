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
