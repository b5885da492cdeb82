/* SPDX-License-Identifier: MIT
 *
 * Expressions of the walk. Chains to the left can be as long as the source, so they are walked with a stack of nodes. */
#include "wgsl/flow_walk.h"

static const tl_types *types_of(const tl_walk *w)
{
    return &w->m->semantics->types;
}

static tl_kind kind_of(const tl_walk *w, uint32_t node)
{
    return tl_type_kind(types_of(w), tl_node_type(w->m, node));
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

static tl_term constant_term(tl_walk *w, tl_constant constant, tl_type type)
{
    const tl_constants *constants = &w->c->eval.constants;
    const tl_type_info *info = tl_type_get(types_of(w), type);
    int64_t value;
    if (info->kind == TL_KIND_VECTOR) {
        tl_term parts[4];
        for (uint32_t k = 0; k < info->rows; k++) {
            tl_constant part = tl_constant_element(&w->c->eval.constants, constant, k);
            parts[k] = tl_constant_is_value(part) ? constant_term(w, part, info->element)
                                                  : tl_term_inexact(w->v, info->element, 0);
        }
        return tl_term_composite(w->v, type, parts, info->rows);
    }
    bool integer = info->kind == TL_KIND_U32 || info->kind == TL_KIND_I32 || info->kind == TL_KIND_BOOL ||
                   info->kind == TL_KIND_ABSTRACT_INT;
    if (!integer || !tl_constant_as_int(constants, constant, &value)) return tl_term_inexact(w->v, type, 0);
    return tl_term_int(w->v, type, value);
}

/* The value of an expression that is known before the launch; 0 when it is not. */
static tl_term known(tl_walk *w, uint32_t node)
{
    tl_constant constant = w->m->semantics->constant[node];
    if (constant == TL_CONSTANT_NONE) return 0;
    if (constant == TL_CONSTANT_OVERRIDE) constant = tl_eval_node(&w->c->eval, node);
    if (!tl_constant_is_value(constant)) return 0;
    return constant_term(w, constant, tl_node_value_type(w->m, node));
}

/* ---- operators --------------------------------------------------------------------------------------------------- */

/* The k-th component of a vector, or the scalar that is spread over them. */
static tl_term component(tl_walk *w, tl_term term, uint32_t k)
{
    tl_type type = tl_term_get(w->v, term)->type;
    const tl_type_info *info = tl_type_get(types_of(w), type);
    return info->kind == TL_KIND_VECTOR ? tl_term_element(w->v, term, k, info->element) : term;
}

tl_term tl_walk_operate(tl_walk *w, tl_wgsl_op op, tl_term a, tl_term b, tl_type type)
{
    const tl_type_info *info = tl_type_get(types_of(w), type);
    if (info->kind != TL_KIND_VECTOR || tl_kind_is_float((tl_kind)info->element)) {
        return tl_term_binary(w->v, op, a, b, type);
    }
    tl_term parts[4];
    for (uint32_t k = 0; k < info->rows; k++) {
        tl_term x = component(w, a, k), y = component(w, b, k);
        if (x == 0 || y == 0) return tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
        parts[k] = tl_term_binary(w->v, op, x, y, info->element);
    }
    return tl_term_composite(w->v, type, parts, info->rows);
}

static tl_term unary(tl_walk *w, uint32_t node)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    if (n->op == TL_OP_ADDRESS) return tl_walk_expression(w, n->a);
    tl_term a = tl_walk_value(w, n->a);
    if (n->op == TL_OP_DEREF) return a;
    tl_type type = tl_node_value_type(w->m, node);
    const tl_type_info *info = tl_type_get(types_of(w), type);
    if (info->kind != TL_KIND_VECTOR) return tl_term_unary(w->v, (tl_wgsl_op)n->op, a, type);
    tl_term parts[4];
    for (uint32_t k = 0; k < info->rows; k++) {
        tl_term x = component(w, a, k);
        if (x == 0) return tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
        parts[k] = tl_term_unary(w->v, (tl_wgsl_op)n->op, x, info->element);
    }
    return tl_term_composite(w->v, type, parts, info->rows);
}

/* `a && b`: b is only reached where a holds. */
static tl_term short_circuit(tl_walk *w, uint32_t node, tl_term a)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    uint32_t head = w->head;
    tl_walk_assume(w, a, n->op == TL_OP_AND_AND, n->a);
    tl_term b = tl_walk_value(w, n->b);
    w->head = head;
    return tl_term_binary(w->v, (tl_wgsl_op)n->op, a, b, TL_TYPE_BOOL);
}

static tl_term binary(tl_walk *w, uint32_t node, tl_term a)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    if (n->op == TL_OP_AND_AND || n->op == TL_OP_OR_OR) return short_circuit(w, node, a);
    tl_term b = tl_walk_value(w, n->b);
    return tl_walk_operate(w, (tl_wgsl_op)n->op, a, b, tl_node_value_type(w->m, node));
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Is what the expression yields a place: a reference, or a pointer that is used as one? */
static bool is_place(const tl_walk *w, uint32_t node, tl_term term)
{
    tl_kind kind = kind_of(w, node);
    return (kind == TL_KIND_REFERENCE || kind == TL_KIND_POINTER) && tl_place_root(w->v, term) != 0;
}

/* The store type behind a reference or pointer, or the type itself. */
static tl_type whole_type(const tl_walk *w, uint32_t node)
{
    const tl_type_info *info = tl_type_get(types_of(w), tl_node_type(w->m, node));
    bool through = info->kind == TL_KIND_REFERENCE || info->kind == TL_KIND_POINTER;
    tl_type type = through ? info->element : tl_node_type(w->m, node);
    const tl_type_info *inner = tl_type_get(types_of(w), type);
    return through && inner->kind == TL_KIND_POINTER ? inner->element : type;
}

static uint32_t letter_position(char letter)
{
    switch (letter) {
    case 'y':
    case 'g': return 1;
    case 'z':
    case 'b': return 2;
    case 'w':
    case 'a': return 3;
    default: return 0;
    }
}

static tl_term swizzle(tl_walk *w, uint32_t node, tl_term base)
{
    tl_str letters = tl_node_name(w->m, node);
    tl_type type = tl_node_value_type(w->m, node), scalar = tl_type_scalar(types_of(w), type);
    if (letters.len == 1) {
        if (is_place(w, w->m->nodes[node].a, base)) {
            return tl_term_place_of(w->v, base, letter_position(letters.data[0]), type);
        }
        tl_term part = tl_term_element(w->v, base, letter_position(letters.data[0]), type);
        return part != 0 ? part : tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
    }
    if (is_place(w, w->m->nodes[node].a, base)) base = tl_walk_load(w, base, node);
    tl_term parts[4];
    if (letters.len > 4) return tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
    for (uint32_t k = 0; k < letters.len; k++) {
        parts[k] = tl_term_element(w->v, base, letter_position(letters.data[k]), scalar);
        if (parts[k] == 0) return tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
    }
    return tl_term_composite(w->v, type, parts, (uint32_t)letters.len);
}

static uint32_t member_position(tl_walk *w, const tl_struct *record, uint32_t member, tl_str name)
{
    const tl_member *members = &types_of(w)->members[record->member_first];
    for (uint32_t k = 0; k < record->member_count; k++) {
        if (member != 0 ? members[k].node == member
                        : members[k].text != NULL && tl_str_equal(tl_str_of(members[k].text), name)) {
            tl_walk_spend(w, k / 8);
            return k;
        }
    }
    return UINT32_MAX;
}

static tl_term member(tl_walk *w, uint32_t node, tl_term base)
{
    uint32_t a = w->m->nodes[node].a;
    tl_type whole = whole_type(w, a), type = tl_node_value_type(w->m, node);
    const tl_struct *record = tl_type_struct(types_of(w), whole);
    if (record == NULL) {
        bool vector = tl_type_kind(types_of(w), whole) == TL_KIND_VECTOR;
        return vector ? swizzle(w, node, base) : tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
    }
    uint32_t k = member_position(w, record, tl_node_declaration(w->m, node), tl_node_name(w->m, node));
    if (k == UINT32_MAX) return tl_term_unknown(w->v, type, tl_term_get(w->v, base)->depends);
    if (is_place(w, a, base)) return tl_term_place_of(w->v, base, k, type);
    tl_term part = tl_term_element(w->v, base, k, type);
    return part != 0 ? part : tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
}

static tl_term subscript(tl_walk *w, uint32_t node, tl_term base)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    tl_type type = tl_node_value_type(w->m, node);
    bool place = is_place(w, n->a, base);
    tl_term index = tl_walk_value(w, n->b);
    if (place) return tl_term_place_at(w->v, base, index, type);
    int64_t position;
    uint32_t depends = (uint32_t)tl_term_get(w->v, base)->depends | tl_term_get(w->v, index)->depends;
    if (tl_term_is(w->v, base, TL_TERM_LOAD)) {
        tl_term part = tl_term_place_at(w->v, tl_term_get(w->v, base)->a, index, type);
        return tl_term_load(w->v, part, tl_term_get(w->v, base)->b, depends);
    }
    tl_term part = 0;
    if (tl_term_constant(w->v, index, &position) && position >= 0 && position < 256) {
        part = tl_term_element(w->v, base, (uint32_t)position, type);
    }
    return part != 0 ? part : tl_term_unknown(w->v, type, depends);
}

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

static tl_term ident(tl_walk *w, uint32_t node)
{
    uint32_t declaration = tl_query_declaration(w->m, node);
    tl_type type = tl_node_value_type(w->m, node);
    if (declaration == 0) return tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
    const tl_wgsl_node *n = &w->m->nodes[declaration];
    if (n->kind == TL_NODE_VAR) return tl_term_place(w->v, declaration);
    if (n->kind == TL_NODE_OVERRIDE) return tl_term_load(w->v, tl_term_place(w->v, declaration), 0, TL_ON_HOST);
    if (w->value[declaration] != 0) return w->value[declaration];
    return tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
}

static tl_term leaf(tl_walk *w, uint32_t node)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    tl_term constant = known(w, node);
    if (constant != 0) return constant;
    switch (n->kind) {
    case TL_NODE_IDENT: return ident(w, node);
    case TL_NODE_UNARY: return unary(w, node);
    case TL_NODE_CALL: return tl_walk_call(w, node);
    default: return tl_term_unknown(w->v, tl_node_value_type(w->m, node), TL_ON_UNKNOWN);
    }
}

static bool is_chain(const tl_walk *w, uint32_t node)
{
    uint8_t kind = w->m->nodes[node].kind;
    return kind == TL_NODE_BINARY || kind == TL_NODE_MEMBER_ACCESS || kind == TL_NODE_INDEX || kind == TL_NODE_PAREN;
}

static tl_term apply(tl_walk *w, uint32_t node, tl_term a)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    if (n->kind == TL_NODE_PAREN) return a;
    if (n->kind == TL_NODE_MEMBER_ACCESS) return member(w, node, a);
    if (n->kind == TL_NODE_INDEX) return subscript(w, node, a);
    if (kind_of(w, n->a) == TL_KIND_REFERENCE) a = tl_walk_load(w, a, n->a);
    return binary(w, node, a);
}

tl_term tl_walk_expression(tl_walk *w, uint32_t node)
{
    uint32_t base = w->spine_count, top = node;
    bool deep = ++w->depth > TL_WALK_DEPTH_MAX;
    while (is_chain(w, node) && (w->m->semantics->constant[node] == TL_CONSTANT_NONE) &&
           TL_WALK_GROW(w, w->spine, w->spine_count, w->spine_capacity)) {
        w->spine[w->spine_count++] = node;
        node = w->m->nodes[node].a;
    }
    tl_term term;
    if (deep || !tl_walk_spend(w, 1 + w->spine_count - base)) {
        term = 0;
        w->flow->complete = false;
    } else {
        term = leaf(w, node);
    }
    while (w->spine_count > base && term != 0) {
        node = w->spine[--w->spine_count];
        term = apply(w, node, term);
    }
    w->spine_count = base;
    w->depth--;
    return term != 0 ? term : tl_term_unknown(w->v, tl_node_value_type(w->m, top), TL_ON_UNKNOWN);
}

tl_term tl_walk_value(tl_walk *w, uint32_t node)
{
    tl_term term = tl_walk_expression(w, node);
    bool loads = kind_of(w, node) == TL_KIND_REFERENCE && tl_place_root(w->v, term) != 0;
    return loads ? tl_walk_load(w, term, node) : term;
}
