/* SPDX-License-Identifier: MIT
 *
 * Calls: of the module's functions, of types as constructors, of built-in functions. Arguments are resolved first. */
#include "wgsl/resolver.h"

#include <string.h>

static void record_call(tl_resolver *r, uint32_t callee, uint32_t node)
{
    tl_wgsl_semantics *s = r->s;
    tl_function *function = &s->functions[callee];
    if (function->last_caller == r->function + 1) return;
    function->last_caller = r->function + 1;
    if (s->call_count == s->call_capacity) {
        uint32_t capacity = s->call_capacity == 0 ? 32 : s->call_capacity * 2;
        tl_call *calls = TL_ARENA_ARRAY(r->arena, tl_call, capacity);
        if (calls == NULL) {
            r->full = true;
            return;
        }
        if (s->call_count > 0) memcpy(calls, s->calls, s->call_count * sizeof *calls);
        s->calls = calls;
        s->call_capacity = capacity;
    }
    s->calls[s->call_count++] = (tl_call){.function = callee, .node = node};
    s->functions[r->function].call_count++;
}

static void check_argument(tl_resolver *r, uint32_t argument, uint32_t param, uint32_t k, tl_str callee)
{
    tl_type from = tl_node_value_type(r->m, argument);
    tl_type to = r->s->type[param];
    if (!tl_type_converts(&r->s->types, from, to)) {
        tl_resolve_error(r, argument, "argument (%u) of '%.*s' must be '%s', not '%s'", k + 1, TL_STR_ARGS(callee),
                         tl_resolve_type_text(r, to), tl_resolve_type_text(r, from));
        return;
    }
    tl_convert(r, argument, to);
}

static void call_function(tl_resolver *r, uint32_t node, uint32_t declaration)
{
    tl_str name = tl_node_name(r->m, declaration);
    uint32_t params = TL_PARTS(tl_fn_parts, r->m, declaration)->params;
    uint32_t arguments = tl_at(r, node)->b;
    uint32_t callee = r->s->globals[r->s->declaration[declaration]].function;
    tl_set(r, node, r->s->type[declaration], TL_CONSTANT_NONE);
    if (r->function == TL_NO_INDEX) {
        tl_resolve_error(r, node, "'%.*s' cannot be called at module scope", TL_STR_ARGS(name));
        return;
    }
    record_call(r, callee, node);
    if (r->s->functions[callee].stage != TL_STAGE_NONE) {
        tl_resolve_error(r, node, "the entry point '%.*s' cannot be called", TL_STR_ARGS(name));
    }
    uint32_t given = tl_list_count(r->m, arguments), taken = tl_list_count(r->m, params);
    if (given != taken) {
        tl_resolve_error(r, node, "'%.*s' takes %u argument%s, found (%u)", TL_STR_ARGS(name), taken,
                         taken == 1 ? "" : "s", given);
        return;
    }
    for (uint32_t k = 0; k < given; k++) {
        check_argument(r, tl_list_at(r->m, arguments, k), tl_list_at(r->m, params, k), k, name);
    }
}

static void resolve_arguments(tl_resolver *r, uint32_t list)
{
    for (uint32_t k = 0; k < tl_list_count(r->m, list); k++) { tl_resolve_value(r, tl_list_at(r->m, list, k)); }
}

static bool is_function(const tl_resolver *r, uint32_t declaration)
{
    return (declaration & TL_NAME_TAG_MASK) == 0 && tl_at(r, declaration)->kind == TL_NODE_FN;
}

void tl_resolve_call(tl_resolver *r, uint32_t node)
{
    uint32_t callee = tl_at(r, node)->a;
    uint32_t declaration = tl_resolve_name(r, callee);
    resolve_arguments(r, tl_at(r, node)->b);
    r->s->declaration[node] = declaration;
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
    if (declaration == 0) return;
    if (is_function(r, declaration)) {
        call_function(r, node, declaration);
        r->s->type[callee] = r->s->type[node];
        return;
    }
    if ((declaration & TL_NAME_TAG_MASK) == TL_NAME_BUILTIN) {
        tl_resolve_builtin(r, node, (tl_builtin)(declaration & TL_NAME_INDEX_MASK));
        return;
    }
    bool is_type;
    const tl_predeclared_row *generator;
    tl_type type = tl_resolve_callee_type(r, callee, declaration, &is_type, &generator);
    if (is_type) {
        tl_resolve_constructor(r, node, type, generator);
        r->s->type[callee] = r->s->type[node];
        return;
    }
    tl_resolve_error(r, callee, "'%.*s' is not a function", TL_STR_ARGS(tl_node_name(r->m, callee)));
}
