/* SPDX-License-Identifier: MIT
 *
 * What only some stages may use: built-in functions, discard, workgroup memory, memory that is written. Each function is
 * given the first place of each, its callees' included, in the order in which callees come first. */
#include "wgsl/check_language.h"

typedef enum matter {
    FRAGMENT_ONLY, /* derivatives, sampling that needs them */
    COMPUTE_ONLY,  /* barriers */
    SUBGROUPS,
    DISCARD,
    WORKGROUP_MEMORY,
    WRITTEN_STORAGE,
    WRITTEN_TEXTURE,
    MATTERS
} matter;

static const struct matter_row {
    tl_check_saying says;
    bool forbidden[TL_STAGE_OTHER + 1];
} matters[MATTERS] = {
    [FRAGMENT_ONLY] = {TL_SAYS_IN_FRAGMENT, {[TL_STAGE_VERTEX] = true, [TL_STAGE_COMPUTE] = true}},
    [COMPUTE_ONLY] = {TL_SAYS_IN_COMPUTE, {[TL_STAGE_VERTEX] = true, [TL_STAGE_FRAGMENT] = true}},
    [SUBGROUPS] = {TL_SAYS_IN_COMPUTE_OR_FRAGMENT, {[TL_STAGE_VERTEX] = true}},
    [DISCARD] = {TL_SAYS_STANDS_IN_FRAGMENT, {[TL_STAGE_VERTEX] = true, [TL_STAGE_COMPUTE] = true}},
    [WORKGROUP_MEMORY] = {TL_SAYS_MEMORY_IN_COMPUTE, {[TL_STAGE_VERTEX] = true, [TL_STAGE_FRAGMENT] = true}},
    [WRITTEN_STORAGE] = {TL_SAYS_STORAGE_IN_VERTEX, {[TL_STAGE_VERTEX] = true}},
    [WRITTEN_TEXTURE] = {TL_SAYS_TEXTURE_IN_VERTEX, {[TL_STAGE_VERTEX] = true}},
};

/* The first node of each matter; 0: none. */
typedef struct reach {
    uint32_t first[MATTERS];
} reach;

static void add(reach *r, matter what, uint32_t node)
{
    if (r->first[what] == 0) r->first[what] = node;
}

static void add_call(const telar_wgsl *m, reach *r, uint32_t call)
{
    tl_builtin builtin = tl_query_builtin_call(m, call);
    if (builtin == TL_BUILTIN_COUNT) return;
    uint32_t flags = tl_builtin_get(builtin)->flags;
    if ((flags & TL_IS_FRAGMENT) != 0) add(r, FRAGMENT_ONLY, call);
    if ((flags & TL_IS_COMPUTE) != 0) add(r, COMPUTE_ONLY, call);
    if ((flags & (TL_IS_SUBGROUP | TL_IS_QUAD)) != 0) add(r, SUBGROUPS, call);
}

static void add_discard(const telar_wgsl *m, reach *r, uint32_t node)
{
    (void)m;
    add(r, DISCARD, node);
}

typedef void add_node(const telar_wgsl *m, reach *r, uint32_t node);

/* Nodes of a kind, each for the function around it, whose FN node is the first one behind it. */
static void add_kind(const tl_check *c, reach *of, tl_wgsl_node_kind kind, add_node *add_one)
{
    const uint32_t *nodes = c->kinds.nodes, *begin = c->kinds.begin;
    uint32_t k = begin[kind];
    for (uint32_t f = begin[TL_NODE_FN]; f < begin[TL_NODE_FN + 1]; f++) {
        reach *r = &of[tl_query_function(c->m, nodes[f]) - c->m->semantics->functions];
        for (; k < begin[kind + 1] && nodes[k] < nodes[f]; k++) add_one(c->m, r, nodes[k]);
    }
}

static void add_use(const telar_wgsl *m, reach *r, const tl_use *use)
{
    const tl_wgsl_semantics *s = m->semantics;
    const tl_global *global = &s->globals[use->global];
    if (m->nodes[global->node].kind != TL_NODE_VAR) return;
    const tl_type_info *type = tl_type_get(&s->types, tl_node_value_type(m, global->node));
    bool storage_texture = type->kind == TL_KIND_TEXTURE && type->columns == TL_TEXTURE_STORAGE;
    if (global->space == TL_SPACE_WORKGROUP) add(r, WORKGROUP_MEMORY, use->node);
    if (global->space == TL_SPACE_STORAGE && global->access != TL_ACCESS_READ) add(r, WRITTEN_STORAGE, use->node);
    if (storage_texture && type->access != TL_ACCESS_READ) add(r, WRITTEN_TEXTURE, use->node);
}

static void add_uses_and_callees(const telar_wgsl *m, reach *of, uint32_t number)
{
    const tl_wgsl_semantics *s = m->semantics;
    const tl_function *function = &s->functions[number];
    for (uint32_t k = 0; k < function->use_count; k++) add_use(m, &of[number], &s->uses[function->use_first + k]);
    for (uint32_t k = 0; k < function->call_count; k++) {
        const reach *callee = &of[s->calls[function->call_first + k].function];
        for (uint32_t what = 0; what < MATTERS; what++) {
            if (callee->first[what] != 0) add(&of[number], (matter)what, callee->first[what]);
        }
    }
}

static void report_entry(tl_check *c, const tl_function *entry, const reach *r)
{
    for (uint32_t what = 0; what < MATTERS; what++) {
        if (r->first[what] == 0 || !matters[what].forbidden[entry->stage]) continue;
        uint32_t node = r->first[what];
        uint32_t named = c->m->nodes[node].kind == TL_NODE_CALL ? c->m->nodes[node].a : node;
        tl_str text = c->m->nodes[node].kind == TL_NODE_DISCARD ? TL_STR("discard") : tl_node_text(c->m, named);
        tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, node,
                        TL_SAYS(STAGE_REACHES, TL_T(text), tl_check_word(matters[what].says),
                                TL_T(tl_node_name(c->m, entry->node))));
    }
}

void tl_language_stages(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    reach *of = TL_ARENA_ARRAY(c->arena, reach, s->function_count);
    uint32_t *by_order = TL_ARENA_ARRAY(c->arena, uint32_t, s->function_count);
    if (of == NULL || by_order == NULL) {
        c->full = true;
        return;
    }
    add_kind(c, of, TL_NODE_CALL, add_call);
    add_kind(c, of, TL_NODE_DISCARD, add_discard);
    for (uint32_t k = 0; k < s->function_count; k++) by_order[s->functions[k].order] = k;
    for (uint32_t k = 0; k < s->function_count; k++) add_uses_and_callees(c->m, of, by_order[k]);
    for (uint32_t k = 0; k < s->function_count; k++) {
        if (s->functions[k].stage != TL_STAGE_NONE) report_entry(c, &s->functions[k], &of[k]);
    }
}
