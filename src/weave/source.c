/* SPDX-License-Identifier: MIT
 *
 * Finds the function to weave and how it uses its index: which storage arrays it touches only at [i], so that a window
 * may cut them, and whether the index is used as a value. */
#include "weave/weave.h"
#include "wgsl/query.h"

static const tl_wgsl_semantics *semantics(const tl_source *source)
{
    return source->module->semantics;
}

/* ---- Which function ---------------------------------------------------------------------------------------------- */

static uint32_t find_function(const telar_wgsl *m, tl_str name)
{
    uint32_t declaration = tl_query_global(m, name);
    return m->nodes[declaration].kind == TL_NODE_FN ? declaration : 0;
}

static uint32_t count_compute_entries(const telar_wgsl *m, uint32_t *last)
{
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->function_count; k++) {
        if (s->functions[k].stage != TL_STAGE_COMPUTE) continue;
        *last = s->functions[k].node;
        count++;
    }
    return count;
}

static telar_status name_not_found(const telar_wgsl *m, const char *what, const char *name, telar_diag *diag)
{
    tl_str near = tl_symbol_suggest(m, tl_str_of(name));
    if (near.len == 0) return tl_fail(diag, TELAR_NOT_FOUND, "there is no %s '%s' in the source", what, name);
    return tl_fail(diag, TELAR_NOT_FOUND, "there is no %s '%s' in the source; did you mean '%.*s'?", what, name,
                   TL_STR_ARGS(near));
}

static telar_status find_named_entry(const telar_weave_desc *desc, tl_source *source, telar_diag *diag)
{
    source->form = TELAR_FORM_PLAIN;
    source->function = find_function(desc->module, tl_str_of(desc->entry));
    if (source->function == 0) return name_not_found(desc->module, "entry point", desc->entry, diag);
    if (tl_query_function(desc->module, source->function)->stage != TL_STAGE_COMPUTE) {
        return tl_fail(diag, TELAR_INVALID_WGSL, "'%s' is not a compute entry point; add @compute @workgroup_size(64)",
                       desc->entry);
    }
    return TELAR_OK;
}

static telar_status find_only_entry(const telar_weave_desc *desc, tl_source *source, telar_diag *diag)
{
    source->form = TELAR_FORM_PLAIN;
    uint32_t count = count_compute_entries(desc->module, &source->function);
    if (count == 1) return TELAR_OK;
    if (count == 0) {
        return tl_fail(diag, TELAR_NOT_FOUND,
                       "the source has neither a function 'element(i: u32)' nor a compute entry point");
    }
    return tl_fail_limit(diag, TELAR_NOT_FOUND, count, 1, "the source has %u compute entry points; name one", count);
}

static telar_status find_function_to_weave(const telar_weave_desc *desc, tl_source *source, telar_diag *diag)
{
    if (desc->entry != NULL) return find_named_entry(desc, source, diag);
    const char *element = desc->element == NULL ? "element" : desc->element;
    source->form = TELAR_FORM_ELEMENT;
    source->function = find_function(desc->module, tl_str_of(element));
    bool is_entry = source->function != 0 && tl_query_function(desc->module, source->function)->stage != TL_STAGE_NONE;
    if (desc->element == NULL && (source->function == 0 || is_entry)) return find_only_entry(desc, source, diag);
    if (source->function == 0) return name_not_found(desc->module, "function", element, diag);
    if (is_entry) {
        return tl_fail(diag, TELAR_INVALID_WGSL, "'%s' is an entry point, not an element function; name it as entry",
                       element);
    }
    return TELAR_OK;
}

/* ---- The form of an element function ------------------------------------------------------------------------------ */

static uint32_t dimensions_of(tl_type type)
{
    if (type == TL_TYPE_U32) return 1;
    if (type == tl_type_vector(TL_KIND_U32, 2)) return 2;
    return type == tl_type_vector(TL_KIND_U32, 3) ? 3 : 0;
}

static telar_status check_element_form(tl_source *source, telar_diag *diag)
{
    const telar_wgsl *m = source->module;
    const tl_fn_parts *parts = TL_PARTS(tl_fn_parts, m, source->function);
    tl_str name = tl_node_name(m, source->function);
    if (tl_list_count(m, parts->params) == 1) {
        source->index = tl_list_at(m, parts->params, 0);
        source->dimensions = dimensions_of(tl_node_type(m, source->index));
    }
    if (source->dimensions == 0 || parts->result != 0) {
        return tl_fail(diag, TELAR_INVALID_WGSL,
                       "an element function takes one index (u32, vec2u or vec3u) and returns nothing; '%.*s' does not",
                       TL_STR_ARGS(name));
    }
    return TELAR_OK;
}

/* ---- Reachable functions ----------------------------------------------------------------------------------------- */

/* Marks what the function calls, itself included; callees have smaller orders, so one sweep from it down suffices. */
static bool *mark_reachable(const tl_source *source, telar_arena *arena)
{
    const tl_wgsl_semantics *s = semantics(source);
    bool *reached = TL_ARENA_ARRAY(arena, bool, s->function_count);
    uint32_t *by_order = TL_ARENA_ARRAY(arena, uint32_t, s->function_count);
    if (reached == NULL || by_order == NULL) return NULL;
    for (uint32_t k = 0; k < s->function_count; k++) by_order[s->functions[k].order] = k;
    reached[tl_query_global_record(source->module, source->function)->function] = true;
    for (uint32_t order = s->function_count; order-- > 0;) {
        const tl_function *function = &s->functions[by_order[order]];
        if (!reached[by_order[order]]) continue;
        for (uint32_t k = 0; k < function->call_count; k++) reached[s->calls[function->call_first + k].function] = true;
    }
    return reached;
}

static telar_status check_no_collectives(const tl_source *source, const bool *reached, telar_diag *diag)
{
    const tl_wgsl_semantics *s = semantics(source);
    for (uint32_t k = 0; k < s->function_count; k++) {
        uint32_t flags = s->functions[k].builtin_flags;
        if (!reached[k] || (flags & (TL_IS_BARRIER | TL_IS_SUBGROUP | TL_IS_QUAD)) == 0) continue;
        return tl_fail(diag, TELAR_INVALID_WGSL,
                       "'%.*s' calls a %s, but an element function runs behind a guard that not all invocations of a "
                       "group pass; write an entry point with @compute instead",
                       TL_STR_ARGS(tl_node_name(source->module, s->functions[k].node)),
                       (flags & TL_IS_BARRIER) != 0 ? "barrier" : "subgroup operation");
    }
    return TELAR_OK;
}

/* ---- Accesses at [i] --------------------------------------------------------------------------------------------- */

static tl_window_use *use_of(const tl_source *source, uint32_t ident)
{
    const telar_wgsl *m = source->module;
    uint32_t declaration = tl_query_declaration(m, ident);
    if (m->nodes[declaration].kind != TL_NODE_VAR) return NULL;
    if ((m->nodes[declaration].flags & TL_FLAG_GLOBAL) == 0) return NULL;
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t index = tl_node_declaration(m, declaration);
    bool array = tl_type_kind(&s->types, tl_node_value_type(m, declaration)) == TL_KIND_ARRAY;
    if (s->globals[index].space != TL_SPACE_STORAGE || !array) return NULL;
    source->uses[index].node = declaration;
    return &source->uses[index];
}

static bool is_index(const tl_source *source, uint32_t node)
{
    const telar_wgsl *m = source->module;
    return m->nodes[node].kind == TL_NODE_IDENT && tl_node_declaration(m, node) == source->index;
}

/* The array whose element [i] this node is, or NULL. */
static tl_window_use *access_of(const tl_source *source, uint32_t node)
{
    const telar_wgsl *m = source->module;
    if (m->nodes[node].kind != TL_NODE_INDEX) return NULL;
    if (!is_index(source, tl_without_parentheses(m, m->nodes[node].b))) return NULL;
    return use_of(source, tl_without_parentheses(m, m->nodes[node].a));
}

/* The access [i] that an assignment's target or an operand of & begins with, or NULL. */
static tl_window_use *access_at_root(const tl_source *source, uint32_t node)
{
    const telar_wgsl *m = source->module;
    for (;;) {
        tl_window_use *use = access_of(source, node);
        if (use != NULL) return use;
        uint8_t kind = m->nodes[node].kind;
        if (kind != TL_NODE_INDEX && kind != TL_NODE_MEMBER_ACCESS && kind != TL_NODE_PAREN) return NULL;
        node = m->nodes[node].a;
    }
}

static void count_write(const tl_source *source, const tl_wgsl_node *node)
{
    bool writes = node->kind == TL_NODE_ASSIGN || node->kind == TL_NODE_INCREMENT || node->kind == TL_NODE_DECREMENT ||
                  (node->kind == TL_NODE_UNARY && node->op == TL_OP_ADDRESS);
    tl_window_use *use = writes ? access_at_root(source, node->a) : NULL;
    if (use == NULL) return;
    use->written++;
    use->only_written += node->kind == TL_NODE_ASSIGN && node->op == TL_OP_NONE;
}

/* Nodes of a declaration: those between the declaration before it and itself (the tree is in post-order). */
static uint32_t first_node(const telar_wgsl *m, uint32_t position)
{
    return position == 0 ? 1 : tl_list_at(m, m->declarations, position - 1) + 1;
}

/* Which references and index uses are part of an access [i]: marked by node, then counted. */
static void mark_accesses(tl_source *source, uint32_t first, uint8_t *accounted)
{
    const telar_wgsl *m = source->module;
    for (uint32_t node = first; node < source->function; node++) {
        tl_window_use *use = access_of(source, node);
        count_write(source, &m->nodes[node]);
        if (use == NULL) continue;
        use->accesses++;
        accounted[tl_without_parentheses(m, m->nodes[node].a) - first] = 1;
        accounted[tl_without_parentheses(m, m->nodes[node].b) - first] = 1;
    }
}

static void count_others(tl_source *source, uint32_t first, uint32_t end, const uint8_t *accounted)
{
    for (uint32_t node = first; node < end; node++) {
        if (accounted != NULL && accounted[node - first] != 0) continue;
        tl_window_use *use = use_of(source, node);
        if (use != NULL && use->other == 0) use->other = node;
        if (is_index(source, node) && source->index_as_value == 0) source->index_as_value = node;
    }
}

static void list_index_ends(tl_source *source, uint32_t first)
{
    const telar_wgsl *m = source->module;
    for (uint32_t node = first; node < source->function; node++) {
        tl_window_use *use = access_of(source, node);
        if (use == NULL) continue;
        if (tl_is_windowed(use)) source->index_ends[source->index_ends_count++] = tl_node_end(m, m->nodes[node].b);
        else if (source->index_as_value == 0) source->index_as_value = m->nodes[node].b;
    }
}

static telar_status analyse_element(tl_source *source, telar_arena *arena, telar_diag *diag)
{
    const telar_wgsl *m = source->module;
    const bool *reached = mark_reachable(source, arena);
    source->uses = TL_ARENA_ARRAY(arena, tl_window_use, semantics(source)->global_count);
    if (reached == NULL || source->uses == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    TELAR_TRY(check_no_collectives(source, reached, diag));
    uint32_t first = 0;
    uint8_t *accounted = NULL;
    for (uint32_t k = 0; k < tl_list_count(m, m->declarations); k++) {
        uint32_t declaration = tl_list_at(m, m->declarations, k);
        if (m->nodes[declaration].kind != TL_NODE_FN) continue;
        if (declaration == source->function) {
            first = first_node(m, k);
            accounted = TL_ARENA_ARRAY(arena, uint8_t, source->function - first);
            if (accounted == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
            mark_accesses(source, first, accounted);
            count_others(source, first, source->function, accounted);
        } else if (reached[tl_query_global_record(m, declaration)->function]) {
            count_others(source, first_node(m, k), declaration, NULL);
        }
    }
    source->index_ends = TL_ARENA_ARRAY(arena, uint32_t, source->function - first);
    if (source->index_ends == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    list_index_ends(source, first);
    return TELAR_OK;
}

telar_status tl_source_find(const telar_weave_desc *desc, telar_arena *arena, tl_source *source, telar_diag *diag)
{
    *source = (tl_source){.module = desc->module};
    TELAR_TRY(find_function_to_weave(desc, source, diag));
    if (source->form == TELAR_FORM_PLAIN) return TELAR_OK;
    TELAR_TRY(check_element_form(source, diag));
    return analyse_element(source, arena, diag);
}
