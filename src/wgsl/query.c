/* SPDX-License-Identifier: MIT
 *
 * Questions about a resolved module. No state: each is answered from the tree and its words. */
#include "wgsl/query.h"

static const tl_wgsl_node *at(const telar_wgsl *m, uint32_t node)
{
    return &m->nodes[node];
}

/* ---- Nodes by kind ----------------------------------------------------------------------------------------------- */

bool tl_query_kinds(const telar_wgsl *m, telar_arena *arena, tl_kinds *kinds)
{
    uint32_t next[TL_NODE_KIND_COUNT] = {0};
    kinds->nodes = TL_ARENA_ARRAY(arena, uint32_t, m->node_count);
    if (kinds->nodes == NULL) return false;
    for (uint32_t node = 1; node < m->node_count; node++) next[at(m, node)->kind]++;
    kinds->begin[0] = 0;
    for (uint32_t k = 0; k < TL_NODE_KIND_COUNT; k++) {
        kinds->begin[k + 1] = kinds->begin[k] + next[k];
        next[k] = kinds->begin[k];
    }
    for (uint32_t node = 1; node < m->node_count; node++) kinds->nodes[next[at(m, node)->kind]++] = node;
    return true;
}

/* ---- Declarations and references --------------------------------------------------------------------------------- */

uint32_t tl_query_declaration(const telar_wgsl *m, uint32_t ident)
{
    if (at(m, ident)->kind != TL_NODE_IDENT) return 0;
    uint32_t declaration = tl_node_declaration(m, ident);
    return (declaration & TL_NAME_TAG_MASK) == 0 ? declaration : 0;
}

tl_builtin tl_query_builtin_call(const telar_wgsl *m, uint32_t call)
{
    if (at(m, call)->kind != TL_NODE_CALL) return TL_BUILTIN_COUNT;
    uint32_t declaration = tl_node_declaration(m, call);
    bool builtin = (declaration & TL_NAME_TAG_MASK) == TL_NAME_BUILTIN;
    return builtin ? (tl_builtin)(declaration & TL_NAME_INDEX_MASK) : TL_BUILTIN_COUNT;
}

uint32_t tl_query_next_reference(const telar_wgsl *m, uint32_t declaration, uint32_t after)
{
    const uint32_t *words = m->semantics->declaration;
    for (uint32_t node = after + 1; node < m->node_count; node++) {
        if (words[node] == declaration && at(m, node)->kind == TL_NODE_IDENT) return node;
    }
    return 0;
}

bool tl_query_is_reference(const telar_wgsl *m, uint32_t expression, uint32_t declaration)
{
    uint32_t node = tl_without_parentheses(m, expression);
    return declaration != 0 && tl_query_declaration(m, node) == declaration;
}

uint32_t tl_query_root(const telar_wgsl *m, uint32_t expression)
{
    for (uint32_t node = expression;;) {
        const tl_wgsl_node *n = at(m, node);
        bool through = n->kind == TL_NODE_PAREN || n->kind == TL_NODE_INDEX || n->kind == TL_NODE_MEMBER_ACCESS ||
                       (n->kind == TL_NODE_UNARY && (n->op == TL_OP_DEREF || n->op == TL_OP_ADDRESS));
        if (!through) return n->kind == TL_NODE_IDENT ? node : 0;
        node = n->a;
    }
}

uint32_t tl_query_global(const telar_wgsl *m, tl_str name)
{
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t symbol = tl_symbol_find(m, name);
    for (uint32_t k = 0; symbol != 0 && k < s->global_count; k++) {
        if (s->globals[k].symbol == symbol) return s->globals[k].node;
    }
    return 0;
}

const tl_global *tl_query_global_record(const telar_wgsl *m, uint32_t node)
{
    return &m->semantics->globals[tl_node_declaration(m, node)];
}

/* The decimal number that a text is; false when it is none. */
static bool read_id(tl_str text, uint32_t *id)
{
    uint64_t value = 0;
    if (text.len == 0 || text.len > 9) return false;
    for (size_t k = 0; k < text.len; k++) {
        if (text.data[k] < '0' || text.data[k] > '9') return false;
        value = value * 10 + (uint64_t)(text.data[k] - '0');
    }
    *id = (uint32_t)value;
    return true;
}

uint32_t tl_query_override(const telar_wgsl *m, tl_str name)
{
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t id = TL_NO_INDEX;
    bool by_id = read_id(name, &id);
    for (uint32_t k = 0; k < s->global_count; k++) {
        const tl_global *global = &s->globals[k];
        if (at(m, global->node)->kind != TL_NODE_OVERRIDE) continue;
        if (by_id ? global->group == id : tl_str_equal(tl_symbol_name(m, global->symbol), name)) return k;
    }
    return TL_NO_INDEX;
}

const tl_function *tl_query_function(const telar_wgsl *m, uint32_t node)
{
    return &m->semantics->functions[tl_query_global_record(m, node)->function];
}

/* ---- Names and groups -------------------------------------------------------------------------------------------- */

bool tl_query_spells(const telar_wgsl *m, tl_str name)
{
    return tl_symbol_find(m, name) != 0;
}

static bool group_is_taken(const tl_wgsl_semantics *s, uint32_t group, const telar_wgsl *m)
{
    for (uint32_t k = 0; k < s->global_count; k++) {
        if (s->globals[k].group == group && at(m, s->globals[k].node)->kind == TL_NODE_VAR) return true;
    }
    return false;
}

uint32_t tl_query_free_group(const telar_wgsl *m)
{
    uint32_t group = 0;
    while (group_is_taken(m->semantics, group, m)) group++;
    return group;
}

/* ---- Entry points ------------------------------------------------------------------------------------------------ */

static bool is_builtin(const telar_wgsl *m, uint32_t member, tl_builtin_value value)
{
    if (member == 0) return false;
    uint32_t attributes = TL_PARTS(tl_member_parts, m, member)->attributes;
    uint32_t attribute = tl_list_attribute(m, attributes, TL_ATTR_BUILTIN);
    return attribute != 0 && tl_node_declaration(m, attribute) == (uint32_t)value;
}

bool tl_query_builtin_place(const telar_wgsl *m, uint32_t function, tl_builtin_value value, tl_builtin_place *place)
{
    const tl_types *types = &m->semantics->types;
    uint32_t params = TL_PARTS(tl_fn_parts, m, function)->params;
    for (uint32_t k = 0; k < tl_list_count(m, params); k++) {
        uint32_t param = tl_list_at(m, params, k);
        const tl_struct *record = tl_type_struct(types, tl_node_type(m, param));
        *place = (tl_builtin_place){.param = param};
        if (is_builtin(m, param, value)) return true;
        for (uint32_t j = 0; record != NULL && j < record->member_count; j++) {
            place->member = types->members[record->member_first + j].node;
            if (is_builtin(m, place->member, value)) return true;
        }
    }
    *place = (tl_builtin_place){0};
    return false;
}

bool tl_query_is_place(const telar_wgsl *m, uint32_t expression, tl_builtin_place place)
{
    uint32_t node = tl_without_parentheses(m, expression);
    if (place.member == 0) return tl_query_is_reference(m, node, place.param);
    return at(m, node)->kind == TL_NODE_MEMBER_ACCESS && tl_node_declaration(m, node) == place.member &&
           tl_query_is_reference(m, at(m, node)->a, place.param);
}

/* ---- Accesses ---------------------------------------------------------------------------------------------------- */

/* The IDENT of the variable when the base of an INDEX is the variable, or the array that its structure ends with. */
static uint32_t indexed_reference(const telar_wgsl *m, uint32_t base, uint32_t variable)
{
    base = tl_without_parentheses(m, base);
    if (at(m, base)->kind == TL_NODE_MEMBER_ACCESS) {
        const tl_type_info *info = tl_type_get(&m->semantics->types, tl_node_value_type(m, base));
        bool last = info->kind == TL_KIND_ARRAY && info->count == 0 && info->expression == 0;
        if (!last) return 0;
        base = tl_without_parentheses(m, at(m, base)->a);
    }
    return tl_query_is_reference(m, base, variable) ? base : 0;
}

bool tl_query_next_access(const telar_wgsl *m, uint32_t variable, uint32_t after, tl_array_access *access)
{
    for (uint32_t node = after + 1; node < m->node_count; node++) {
        if (at(m, node)->kind != TL_NODE_INDEX) continue;
        uint32_t reference = indexed_reference(m, at(m, node)->a, variable);
        if (reference == 0) continue;
        *access = (tl_array_access){.node = node, .index = at(m, node)->b, .reference = reference};
        return true;
    }
    *access = (tl_array_access){0};
    return false;
}

/* The INDEX over a reference stands behind its base and its index, which is short: the search forward ends at the first
 * node that is not part of the same expression's tokens. */
static bool is_indexed(const telar_wgsl *m, uint32_t reference, uint32_t variable)
{
    uint32_t begin = at(m, reference)->first;
    for (uint32_t node = reference + 1; node < m->node_count; node++) {
        const tl_wgsl_node *n = at(m, node);
        if (n->kind == TL_NODE_INDEX && indexed_reference(m, n->a, variable) == reference) return true;
        bool encloses = n->first <= begin && n->kind != TL_NODE_PAREN && n->kind != TL_NODE_MEMBER_ACCESS;
        if (encloses) return false;
    }
    return false;
}

uint32_t tl_query_other_reference(const telar_wgsl *m, uint32_t variable)
{
    for (uint32_t node = 0; (node = tl_query_next_reference(m, variable, node)) != 0;) {
        if (!is_indexed(m, node, variable)) return node;
    }
    return 0;
}
