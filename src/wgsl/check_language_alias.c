/* SPDX-License-Identifier: MIT
 *
 * Pointers to the same variable in one call, when the function writes through one of them: by two arguments, or by an
 * argument and the name of a variable of the module. What functions do with their pointers and with the variables is
 * gathered in the order in which callees come first. Functions are followed up to 64 parameters, and 64 variables of the
 * module that are passed by pointer; more are not looked at. */
#include "wgsl/check_language.h"

#define FOLLOWED 64u

/* Bits of parameters, and of variables by their number among those passed by pointer. */
typedef struct effect {
    uint64_t params_read, params_written;
    uint64_t globals_read, globals_written;
} effect;

typedef struct alias_walk {
    tl_check *c;
    const telar_wgsl *m;
    effect *of;          /* by function */
    uint8_t *number;     /* by global: 1 + its number; 0: it is not followed */
    uint8_t *is_no_read; /* by node: an IDENT that names a place without loading it */
    uint32_t followed;
} alias_walk;

static bool is_pointer(const telar_wgsl *m, uint32_t node)
{
    return tl_type_kind(&m->semantics->types, tl_node_type(m, node)) == TL_KIND_POINTER;
}

/* The IDENT at the root of an expression, 0: none, and the variable or parameter that it stands for, through `let`. */
static uint32_t root_of(const telar_wgsl *m, uint32_t expression, uint32_t *declaration)
{
    uint32_t ident = tl_query_root(m, expression);
    *declaration = ident != 0 ? tl_query_declaration(m, ident) : 0;
    while (*declaration != 0 && m->nodes[*declaration].kind == TL_NODE_LET && is_pointer(m, *declaration)) {
        uint32_t next = tl_query_root(m, TL_PARTS(tl_var_parts, m, *declaration)->init);
        *declaration = next != 0 ? tl_query_declaration(m, next) : 0;
    }
    return ident;
}

static uint64_t global_bit(const alias_walk *w, uint32_t declaration)
{
    const tl_wgsl_node *n = &w->m->nodes[declaration];
    if (n->kind != TL_NODE_VAR || (n->flags & TL_FLAG_GLOBAL) == 0) return 0;
    uint8_t number = w->number[w->m->semantics->declaration[declaration]];
    return number != 0 ? UINT64_C(1) << (number - 1) : 0;
}

static void touch(const alias_walk *w, effect *e, uint32_t declaration, bool reads, bool writes)
{
    if (declaration == 0) return;
    uint64_t param = 0, global = global_bit(w, declaration);
    if (w->m->nodes[declaration].kind == TL_NODE_PARAM) {
        uint32_t position = w->m->semantics->declaration[declaration];
        if (position < FOLLOWED) param = UINT64_C(1) << position;
    }
    if (reads) {
        e->params_read |= param;
        e->globals_read |= global;
    }
    if (writes) {
        e->params_written |= param;
        e->globals_written |= global;
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* The effect of the function that a CALL calls; NULL when it is built in or a type. */
static const effect *callee_of(const alias_walk *w, uint32_t call)
{
    uint32_t declaration = tl_node_declaration(w->m, call);
    if (declaration == 0 || (declaration & TL_NAME_TAG_MASK) != 0) return NULL;
    if (w->m->nodes[declaration].kind != TL_NODE_FN) return NULL;
    return &w->of[tl_query_function(w->m, declaration) - w->m->semantics->functions];
}

static void report(const alias_walk *w, uint32_t argument, uint32_t variable, tl_check_saying other)
{
    tl_str name = tl_node_name(w->m, variable);
    tl_check_report(w->c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, argument,
                    TL_SAYS(POINTER_ALIAS, TL_T(name), tl_check_word(other)));
}

static void check_argument(const alias_walk *w, const effect *callee, uint32_t argument, uint64_t bit,
                           uint32_t declaration)
{
    uint64_t global = global_bit(w, declaration);
    bool reads = (callee->params_read & bit) != 0, writes = (callee->params_written & bit) != 0;
    bool writes_global = (callee->globals_written & global) != 0, reads_global = (callee->globals_read & global) != 0;
    if ((writes && (reads_global || writes_global)) || (reads && writes_global)) {
        report(w, argument, declaration, TL_SAYS_ITS_NAME);
    }
}

/* Two arguments with one root. */
static void check_pair(const alias_walk *w, const effect *callee, const uint32_t *roots, uint32_t list, uint32_t k)
{
    uint64_t used = callee->params_read | callee->params_written;
    for (uint32_t j = 0; j < k; j++) {
        if (roots[j] != roots[k] || (used >> j & used >> k & 1) == 0) continue;
        if (((callee->params_written >> j | callee->params_written >> k) & 1) == 0) continue;
        report(w, tl_list_at(w->m, list, k), roots[k], TL_SAYS_ANOTHER_ARGUMENT);
        return;
    }
}

static void walk_call(const alias_walk *w, effect *e, uint32_t call)
{
    uint32_t list = w->m->nodes[call].b, count = tl_list_count(w->m, list), roots[FOLLOWED] = {0};
    const effect *callee = callee_of(w, call);
    tl_builtin builtin = tl_query_builtin_call(w->m, call);
    bool atomic = builtin != TL_BUILTIN_COUNT && (tl_builtin_get(builtin)->flags & TL_IS_ATOMIC) != 0;
    for (uint32_t k = 0; k < count && k < FOLLOWED; k++) {
        uint32_t argument = tl_list_at(w->m, list, k);
        if (!is_pointer(w->m, argument)) continue;
        uint32_t ident = root_of(w->m, argument, &roots[k]);
        w->is_no_read[ident] = true;
        if (roots[k] == 0) continue;
        uint64_t bit = UINT64_C(1) << k;
        if (callee == NULL) {
            touch(w, e, roots[k], atomic || builtin == TL_BUILTIN_workgroupUniformLoad, atomic);
            continue;
        }
        touch(w, e, roots[k], (callee->params_read & bit) != 0, (callee->params_written & bit) != 0);
        check_argument(w, callee, argument, bit, roots[k]);
        check_pair(w, callee, roots, list, k);
    }
    if (callee == NULL) return;
    e->globals_read |= callee->globals_read;
    e->globals_written |= callee->globals_written;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static void walk_target(const alias_walk *w, effect *e, uint32_t target, bool reads)
{
    uint32_t declaration;
    uint32_t ident = root_of(w->m, target, &declaration);
    w->is_no_read[ident] = true;
    touch(w, e, declaration, reads, true);
}

static void walk_node(const alias_walk *w, effect *e, uint32_t node)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    switch (n->kind) {
    case TL_NODE_ASSIGN: walk_target(w, e, n->a, n->op != TL_OP_NONE); break;
    case TL_NODE_INCREMENT:
    case TL_NODE_DECREMENT: walk_target(w, e, n->a, true); break;
    case TL_NODE_CALL: walk_call(w, e, node); break;
    case TL_NODE_LET:
        if (is_pointer(w->m, node)) w->is_no_read[tl_query_root(w->m, TL_PARTS(tl_var_parts, w->m, node)->init)] = true;
        break;
    default: break;
    }
}

/* The nodes of a function are those from the declaration before it to its own. */
static void walk_function(const alias_walk *w, uint32_t number)
{
    const tl_wgsl_semantics *s = w->m->semantics;
    uint32_t end = s->functions[number].node, global = s->declaration[end];
    uint32_t begin = global == 0 ? 1 : s->globals[global - 1].node + 1;
    effect *e = &w->of[number];
    for (uint32_t node = begin; node < end; node++) walk_node(w, e, node);
    for (uint32_t node = begin; node < end; node++) {
        if (w->m->nodes[node].kind != TL_NODE_IDENT || w->is_no_read[node]) continue;
        uint32_t declaration;
        if (root_of(w->m, node, &declaration) != 0) touch(w, e, declaration, true, false);
    }
}

/* Numbers the variables of the module whose pointers are arguments. */
static void number_globals(alias_walk *w)
{
    const telar_wgsl *m = w->m;
    const tl_kinds *kinds = &w->c->kinds;
    for (uint32_t call = kinds->begin[TL_NODE_CALL]; call < kinds->begin[TL_NODE_CALL + 1]; call++) {
        uint32_t node = kinds->nodes[call];
        if (callee_of(w, node) == NULL) continue;
        uint32_t list = m->nodes[node].b;
        for (uint32_t k = 0; k < tl_list_count(m, list) && w->followed < FOLLOWED; k++) {
            uint32_t declaration, argument = tl_list_at(m, list, k);
            if (!is_pointer(m, argument) || root_of(m, argument, &declaration) == 0 || declaration == 0) continue;
            if (m->nodes[declaration].kind != TL_NODE_VAR || (m->nodes[declaration].flags & TL_FLAG_GLOBAL) == 0)
                continue;
            uint8_t *number = &w->number[m->semantics->declaration[declaration]];
            if (*number == 0) *number = (uint8_t)++w->followed;
        }
    }
}

/* Does any function take a pointer? Most modules have none that does. */
static bool has_pointer_parameters(const telar_wgsl *m)
{
    for (uint32_t k = 0; k < m->semantics->function_count; k++) {
        uint32_t params = TL_PARTS(tl_fn_parts, m, m->semantics->functions[k].node)->params;
        for (uint32_t j = 0; j < tl_list_count(m, params); j++) {
            if (is_pointer(m, tl_list_at(m, params, j))) return true;
        }
    }
    return false;
}

void tl_language_aliases(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    if (!has_pointer_parameters(c->m)) return;
    alias_walk w = {.c = c, .m = c->m};
    w.of = TL_ARENA_ARRAY(c->arena, effect, s->function_count);
    w.number = TL_ARENA_ARRAY(c->arena, uint8_t, s->global_count);
    w.is_no_read = TL_ARENA_ARRAY(c->arena, uint8_t, c->m->node_count);
    uint32_t *by_order = TL_ARENA_ARRAY(c->arena, uint32_t, s->function_count);
    if (w.of == NULL || w.number == NULL || w.is_no_read == NULL || by_order == NULL) {
        c->full = true;
        return;
    }
    number_globals(&w);
    for (uint32_t k = 0; k < s->function_count; k++) by_order[s->functions[k].order] = k;
    for (uint32_t k = 0; k < s->function_count; k++) walk_function(&w, by_order[k]);
}
