/* SPDX-License-Identifier: MIT
 *
 * Helpers of the tests of the resolver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl_resolve_help.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES ((size_t)4 << 20)

telar_diag resolve_diag;
static telar_arena arenas[2];
static int turn;

const telar_wgsl *resolve_read(const char *source)
{
    static char memory[2][MEMORY_BYTES];
    turn = 1 - turn;
    arenas[turn] = telar_arena_make(memory[turn], MEMORY_BYTES);
    telar_wgsl *module = NULL;
    resolve_diag = (telar_diag){0};
    telar_status status = telar_wgsl_read(source, strlen(source), &arenas[turn], &module, &resolve_diag);
    assert_int_equal(status == TELAR_OK, module != NULL);
    return module;
}

const char *resolve_error(const char *source)
{
    static char text[2600];
    telar_out out = {.data = text, .cap = sizeof text};
    if (resolve_read(source) != NULL) return "ok";
    tl_out_format(&out, "%u:%u: %s", resolve_diag.line, resolve_diag.column, resolve_diag.text);
    return text;
}

static bool declares(const telar_wgsl *m, uint32_t node)
{
    switch ((tl_wgsl_node_kind)m->nodes[node].kind) {
    case TL_NODE_VAR:
    case TL_NODE_LET:
    case TL_NODE_CONST:
    case TL_NODE_OVERRIDE:
    case TL_NODE_STRUCT:
    case TL_NODE_ALIAS:
    case TL_NODE_PARAM:
    case TL_NODE_MEMBER:
    case TL_NODE_FN: return true;
    default: return false;
    }
}

uint32_t resolve_declared(const telar_wgsl *m, const char *name)
{
    uint32_t found = 0;
    assert_non_null(m);
    for (uint32_t node = 1; node < m->node_count; node++) {
        if (declares(m, node) && tl_str_equal(tl_node_name(m, node), tl_str_of(name))) found = node;
    }
    if (found == 0) fail_msg("'%s' is not declared", name);
    return found;
}

const char *resolve_type_of(const telar_wgsl *m, const char *name)
{
    static char text[512];
    telar_out out = {.data = text, .cap = sizeof text};
    tl_type_print(&out, &m->semantics->types, tl_node_value_type(m, resolve_declared(m, name)), tl_symbol_text_of, m);
    return text;
}

static void show(telar_out *out, const telar_wgsl *m, tl_constant constant)
{
    const tl_wgsl_semantics *s = m->semantics;
    if (!tl_constant_is_value(constant)) {
        tl_out_text(out, "?");
        return;
    }
    const tl_constant_value *value = tl_constant_get(&s->constants, constant);
    int64_t integer;
    if (value->type == TL_TYPE_BOOL) {
        tl_out_text(out, value->as.i != 0 ? "true" : "false");
    } else if (tl_constant_as_int(&s->constants, constant, &integer)) {
        tl_out_format(out, "%lld", (long long)integer);
    } else if (tl_type_is_scalar(value->type)) {
        tl_out_format(out, "%.6f", value->as.f);
    } else if (value->count == 0) {
        tl_out_text(out, "zero");
    } else {
        tl_out_text(out, "(");
        for (uint32_t k = 0; k < value->count; k++) {
            if (k > 0) tl_out_text(out, ", ");
            show(out, m, s->constants.elements[value->as.first + k]);
        }
        tl_out_text(out, ")");
    }
}

const char *resolve_value_of(const telar_wgsl *m, const char *name)
{
    static char text[1024];
    telar_out out = {.data = text, .cap = sizeof text};
    show(&out, m, m->semantics->constant[resolve_declared(m, name)]);
    return text;
}

const telar_wgsl_reflection *resolve_reflect(const telar_wgsl *m, const telar_override *overrides, uint32_t count)
{
    static telar_wgsl_reflection reflection;
    resolve_diag = (telar_diag){0};
    telar_status status = telar_wgsl_reflect(m, overrides, count, &arenas[turn], &reflection, &resolve_diag);
    return status == TELAR_OK ? &reflection : NULL;
}
