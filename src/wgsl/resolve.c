/* SPDX-License-Identifier: MIT
 *
 * The resolver's walk over a module, and what its files share: errors, names, the order of global declarations.
 * Global declarations are resolved before any body, so that no local name can be in the way of theirs. */
#include "wgsl/resolver.h"

#include <string.h>

static void report(tl_resolver *r, uint32_t offset, const char *format, va_list args)
{
    if (tl_wgsl_log_full(r->log)) return;
    char text[1024];
    telar_out out = {.data = text, .cap = sizeof text};
    tl_out_vformat(&out, format, args);
    tl_wgsl_error(r->log, offset, "%s", text);
}

void tl_resolve_error(tl_resolver *r, uint32_t node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, tl_node_begin(r->m, node), format, args);
    va_end(args);
}

void tl_resolve_error_at(tl_resolver *r, uint32_t token, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, r->m->tokens[token].offset, format, args);
    va_end(args);
}

const char *tl_resolve_type_text(tl_resolver *r, tl_type type)
{
    char *text = r->texts[r->text_next++ % TL_COUNT(r->texts)];
    telar_out out = {.data = text, .cap = sizeof r->texts[0]};
    tl_type_print(&out, &r->s->types, type, tl_symbol_text_of, r->m);
    return text;
}

bool tl_resolve_enter(tl_resolver *r, uint32_t node)
{
    if (r->depth >= TL_RESOLVER_MAX_DEPTH) {
        tl_resolve_error(r, node, "declarations and expressions are nested too deeply (%u levels)",
                         (unsigned)TL_RESOLVER_MAX_DEPTH);
        return false;
    }
    r->depth++;
    return true;
}

/* ---- names ---- */

static bool is_global(const tl_wgsl_node *n)
{
    return (n->flags & TL_FLAG_GLOBAL) != 0 || n->kind == TL_NODE_FN || n->kind == TL_NODE_STRUCT ||
           n->kind == TL_NODE_ALIAS;
}

static void record_use(tl_resolver *r, uint32_t global_index, uint32_t ident)
{
    tl_wgsl_semantics *s = r->s;
    tl_global *global = &s->globals[global_index];
    if (r->function == TL_NO_INDEX || global->last_function == r->function + 1) return;
    if (s->use_count == s->use_capacity) {
        uint32_t capacity = s->use_capacity == 0 ? 32 : s->use_capacity * 2;
        tl_use *uses = TL_ARENA_ARRAY(r->arena, tl_use, capacity);
        if (uses == NULL) {
            r->full = true;
            return;
        }
        if (s->use_count > 0) memcpy(uses, s->uses, s->use_count * sizeof *uses);
        s->uses = uses;
        s->use_capacity = capacity;
    }
    global->last_function = r->function + 1;
    global->used = 1;
    s->uses[s->use_count++] = (tl_use){.global = global_index, .node = ident};
    s->functions[r->function].use_count++;
}

static void report_unknown(tl_resolver *r, uint32_t ident)
{
    tl_str name = tl_node_name(r->m, ident);
    tl_str near = tl_symbol_suggest(r->m, name);
    if (near.len > 0) {
        tl_resolve_error(r, ident, "'%.*s' is not declared; did you mean '%.*s'?", TL_STR_ARGS(name),
                         TL_STR_ARGS(near));
    } else {
        tl_resolve_error(r, ident, "'%.*s' is not declared", TL_STR_ARGS(name));
    }
}

uint32_t tl_resolve_name(tl_resolver *r, uint32_t ident)
{
    uint32_t id = tl_symbol_of(r->m, r->arena, tl_at(r, ident)->first);
    if (id == 0) {
        r->full = true;
        return 0;
    }
    uint32_t declaration = r->s->symbols[id].declaration;
    if (declaration != 0) {
        const tl_wgsl_node *n = tl_at(r, declaration);
        r->s->declaration[ident] = declaration;
        if (!is_global(n)) return declaration;
        uint32_t index = r->s->declaration[declaration];
        if (r->s->globals[index].state != TL_GLOBAL_DONE && !tl_resolve_global(r, declaration)) { return 0; }
        if (n->kind == TL_NODE_VAR || n->kind == TL_NODE_OVERRIDE) record_use(r, index, ident);
        return declaration;
    }
    tl_symbol *symbol = &r->s->symbols[id];
    if (symbol->meaning == TL_NO_INDEX) symbol->meaning = tl_name_find(tl_node_name(r->m, ident));
    if (symbol->meaning == 0) report_unknown(r, ident);
    r->s->declaration[ident] = symbol->meaning;
    return symbol->meaning;
}

/* ---- global declarations ---- */

static void resolve_declaration(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_ALIAS: r->s->type[node] = tl_resolve_type(r, n->a); break;
    case TL_NODE_STRUCT: tl_resolve_struct(r, node); break;
    case TL_NODE_FN: tl_resolve_signature(r, node); break;
    case TL_NODE_CONST_ASSERT: tl_resolve_const_assert(r, node); break;
    default: tl_resolve_variable(r, node); break;
    }
}

bool tl_resolve_global(tl_resolver *r, uint32_t node)
{
    tl_global *global = &r->s->globals[r->s->declaration[node]];
    if (global->state == TL_GLOBAL_DONE) return true;
    if (global->state == TL_GLOBAL_IN_PROGRESS) {
        tl_resolve_error_at(r, tl_node_name_token(r->m, node), "'%.*s' depends on itself",
                            TL_STR_ARGS(tl_node_name(r->m, node)));
        return false;
    }
    if (!tl_resolve_enter(r, node)) return false;
    uint32_t muted = r->muted;
    r->muted = 0;
    global->state = TL_GLOBAL_IN_PROGRESS;
    resolve_declaration(r, node);
    global->state = TL_GLOBAL_DONE;
    r->muted = muted;
    r->depth--;
    return true;
}

static void declare_globals(tl_resolver *r)
{
    tl_wgsl_semantics *s = r->s;
    for (uint32_t k = 0; k < s->global_count; k++) {
        uint32_t node = tl_list_at(r->m, r->m->declarations, k);
        s->declaration[node] = k;
        s->globals[k] = (tl_global){
            .node = node, .symbol = TL_NO_INDEX, .group = TL_NO_INDEX, .binding = TL_NO_INDEX, .function = TL_NO_INDEX};
        if (tl_at(r, node)->kind == TL_NODE_CONST_ASSERT) continue;
        s->globals[k].symbol = tl_symbol_of(r->m, r->arena, tl_at(r, node)->b);
        if (tl_at(r, node)->kind == TL_NODE_FN) {
            s->globals[k].function = s->function_count;
            s->functions[s->function_count++] = (tl_function){.node = node, .symbol = s->globals[k].symbol};
        }
        tl_scope_declare(r, node);
    }
}

static void resolve_globals(tl_resolver *r)
{
    for (uint32_t k = 0; k < r->s->global_count && !tl_wgsl_log_full(r->log); k++) {
        tl_resolve_global(r, r->s->globals[k].node);
    }
}

static void resolve_bodies(tl_resolver *r)
{
    for (uint32_t k = 0; k < r->s->function_count && !tl_wgsl_log_full(r->log); k++) {
        r->function = k;
        r->s->functions[k].call_first = r->s->call_count;
        r->s->functions[k].use_first = r->s->use_count;
        tl_resolve_body(r, k);
        r->function = TL_NO_INDEX;
    }
}

static void resolve_entry_points(tl_resolver *r)
{
    for (uint32_t k = 0; k < r->s->function_count && !tl_wgsl_log_full(r->log); k++) {
        if (r->s->functions[k].stage != TL_STAGE_NONE) { tl_resolve_entry_point(r, r->s->functions[k].node); }
    }
}

/* ---- the module ---- */

static bool allocate(tl_resolver *r, telar_wgsl *m)
{
    tl_wgsl_semantics *s = TL_ARENA_ARRAY(r->arena, tl_wgsl_semantics, 1);
    if (s == NULL) return false;
    r->s = s;
    m->semantics = s;
    s->type = TL_ARENA_ARRAY(r->arena, tl_type, m->node_count);
    s->constant = TL_ARENA_ARRAY(r->arena, tl_constant, m->node_count);
    s->declaration = TL_ARENA_ARRAY(r->arena, uint32_t, m->node_count);
    s->global_count = tl_list_count(m, m->declarations);
    s->globals = TL_ARENA_ARRAY(r->arena, tl_global, s->global_count);
    uint32_t functions = 0;
    for (uint32_t k = 0; k < s->global_count; k++) {
        functions += m->nodes[tl_list_at(m, m->declarations, k)].kind == TL_NODE_FN;
    }
    s->functions = TL_ARENA_ARRAY(r->arena, tl_function, functions);
    bool has =
        s->type != NULL && s->constant != NULL && s->declaration != NULL && s->globals != NULL && s->functions != NULL;
    return has && tl_types_init(&s->types, r->arena) && tl_constants_init(&s->constants, r->arena, &s->types) &&
           tl_symbols_init(m, r->arena);
}

telar_status tl_wgsl_resolve(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log)
{
    tl_resolver resolver = {.m = m, .arena = arena, .log = log, .function = TL_NO_INDEX};
    tl_resolver *r = &resolver;
    uint32_t errors_before = log->error_count;
    if (allocate(r, m)) {
        declare_globals(r);
        resolve_globals(r);
        resolve_bodies(r);
        resolve_entry_points(r);
        if (log->error_count == errors_before) tl_resolve_call_graph(r);
    } else {
        r->full = true;
    }
    if (r->full || r->s->types.full || r->s->constants.full) {
        m->semantics = NULL;
        return tl_fail_limit(log->diag, TELAR_NO_SPACE, arena->cap, arena->needed,
                             "the arena (%zu bytes) is too small for the module", arena->cap);
    }
    return log->error_count == errors_before ? TELAR_OK : TELAR_INVALID_WGSL;
}
