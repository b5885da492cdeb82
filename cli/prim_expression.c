/* SPDX-License-Identifier: MIT
 *
 * See prim_expression.h. To be evaluated an expression is read as the initialiser of an override, and its variables as
 * overrides: evaluating those is what the reader can do. */
#include "prim_expression.h"
#include "wgsl/eval.h"
#include "wgsl/query.h"

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

static uint32_t global_named(const telar_wgsl *m, const char *name)
{
    for (uint32_t k = 0; k < m->semantics->global_count; k++) {
        const tl_global *global = &m->semantics->globals[k];
        if (global->symbol != TL_NO_INDEX && tl_str_equal(tl_symbol_name(m, global->symbol), tl_str_of(name))) return k;
    }
    return TL_NO_INDEX;
}

static bool read_expression(tl_expression *e, const char *text, const tl_operand *variables, uint32_t variables_count,
                            const char *result)
{
    size_t cap = strlen(text) + 512;
    char *source = TL_ARENA_ARRAY(&e->arena, char, cap);
    if (source == NULL || variables_count > VARIABLES_MAX) return false;
    telar_out out = {source, cap, 0};
    tl_out_text(&out, "enable f16;\noverride i: u32;\n");
    for (uint32_t k = 0; k < variables_count; k++) {
        tl_out_format(&out, "override %s: %s;\n", variables[k].name, variables[k].type);
    }
    tl_out_format(&out, "override telar_value: %s = %s;\n", result, text);
    telar_diag diag = {0};
    if (telar_wgsl_read(source, out.len, &e->arena, &e->module, &diag) != TELAR_OK) return false;
    for (uint32_t k = 0; k < variables_count; k++) e->variables[k] = global_named(e->module, variables[k].name);
    e->variables_count = variables_count;
    e->index = global_named(e->module, "i");
    e->result = e->module->semantics->globals[global_named(e->module, "telar_value")].node;
    return true;
}

tl_expression *tl_expression_open(const char *expression, const tl_operand *variables, uint32_t variables_count,
                                  const char *result)
{
    tl_expression *e = calloc(1, sizeof *e);
    void *memory = malloc(EXPRESSION_BYTES);
    if (e != NULL && memory != NULL) {
        e->arena = telar_arena_make(memory, EXPRESSION_BYTES);
        if (read_expression(e, expression, variables, variables_count, result)) return e;
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

/* ---- what is wrong with one ------------------------------------------------------------------------------------------ */

/* The expression has lines of its own, so that places in it are those of the user's text; the name of the value says in
 * a message which value it is. */
static telar_status read_checked(const tl_expression_desc *desc, telar_arena *arena, uint32_t *first_line,
                                 telar_diag *diag)
{
    size_t cap = strlen(desc->text) + (desc->wgsl == NULL ? 0 : strlen(desc->wgsl)) + 1024;
    char *source = TL_ARENA_ARRAY(arena, char, cap);
    if (source == NULL) return TELAR_OK;
    telar_out out = {source, cap, 0};
    tl_out_format(&out, "enable f16;\nalias T = %s;\nfn telar_expression(i: u32", desc->element);
    for (uint32_t k = 0; k < desc->variables_count; k++) {
        tl_out_format(&out, ", %s: %s", desc->variables[k].name, desc->variables[k].type);
    }
    tl_out_format(&out, ") { let result: %s =\n%s\n; }\n%s", desc->result, desc->text,
                  desc->wgsl == NULL ? "" : desc->wgsl);
    *first_line = 4;
    telar_wgsl *module;
    return telar_wgsl_read(source, out.len, arena, &module, diag);
}

/* Line and column in the expression; one behind its end for what is found missing there. */
typedef struct place {
    uint32_t line, column;
    uint32_t lines; /* of the expression */
    bool inside;    /* else in what stands around it */
} place;

static place place_of(const char *text, uint32_t line, uint32_t column, uint32_t first_line)
{
    place p = {line - first_line + 1, column, 1, line >= first_line};
    const char *last = text;
    for (const char *at = text; *at != 0; at++) {
        if (*at != '\n') continue;
        p.lines++;
        last = at + 1;
    }
    if (p.line == p.lines + 1) {
        p.line = p.lines;
        p.column = (uint32_t)strlen(last) + 1;
    }
    p.inside = p.inside && p.line <= p.lines;
    return p;
}

/* The reader's sentence, as far as it is about what the user wrote: not about the statement around it. */
static void say(const char *text, telar_out *out)
{
    const char *found = strstr(text, ", found "), *more = "expected ';'";
    if (found != NULL && strncmp(text, more, strlen(more)) == 0) {
        tl_out_format(out, "the expression ends before %s", found + strlen(", found "));
    } else if (found != NULL && strcmp(found, ", found ';'") == 0) {
        tl_out_format(out, "%.*s", (int)(found - text), text);
    } else {
        tl_out_text(out, text);
    }
}

telar_status tl_expression_check(const tl_expression_desc *desc, telar_diag *diag)
{
    void *memory = malloc(EXPRESSION_BYTES);
    if (memory == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory to read --%s", desc->option);
    telar_arena arena = telar_arena_make(memory, EXPRESSION_BYTES);
    telar_diag found = {0};
    uint32_t first_line = 0;
    telar_status status = read_checked(desc, &arena, &first_line, &found);
    free(memory);
    place at = place_of(desc->text, found.line, found.column, first_line);
    /* What is wrong in the functions beside it is said by what records them. */
    if (status == TELAR_OK || !at.inside) return TELAR_OK;
    char sentence[TELAR_DIAG_TEXT_BYTES], line[32] = "";
    telar_out out = {sentence, sizeof sentence, 0}, line_out = {line, sizeof line, 0};
    say(found.text, &out);
    if (at.lines > 1) tl_out_format(&line_out, "line %u, ", at.line);
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--%s, %scolumn %u: %s", desc->option, line, at.column, sentence);
}
