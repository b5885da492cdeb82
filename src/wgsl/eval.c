/* SPDX-License-Identifier: MIT
 *
 * Evaluation of override expressions over the resolved tree, by the same folding that the resolver uses. */
#include "wgsl/eval.h"

#define MAX_DEPTH 300
#define MAX_PARTS 16

bool tl_eval_begin(tl_eval *eval, const telar_wgsl *m, telar_arena *arena)
{
    const tl_wgsl_semantics *s = m->semantics;
    *eval = (tl_eval){.m = m, .constants = s->constants};
    eval->constants.arena = arena;
    /* No room: the first new value moves the table into the caller's arena, and the module's stays as it is. */
    eval->constants.capacity = eval->constants.count;
    eval->constants.element_capacity = eval->constants.element_count;
    eval->values = TL_ARENA_ARRAY(arena, tl_constant, s->global_count);
    return eval->values != NULL;
}

static tl_constant scalar_of(tl_eval *eval, tl_type type, double value)
{
    if (tl_kind_is_float((tl_kind)type)) return tl_constant_float(&eval->constants, type, value);
    return tl_constant_int(&eval->constants, type, (int64_t)value);
}

static bool type_has(tl_type type, double value)
{
    bool whole = value >= -9.0e18 && value <= 9.0e18 && (double)(int64_t)value == value;
    switch (type) {
    case TL_TYPE_BOOL: return value == 0 || value == 1;
    case TL_TYPE_I32: return whole && value >= INT32_MIN && value <= INT32_MAX;
    case TL_TYPE_U32: return whole && value >= 0 && value <= UINT32_MAX;
    case TL_TYPE_I64: return whole;
    case TL_TYPE_U64: return whole && value >= 0;
    case TL_TYPE_F32: return value > -3.4028235677973366e38 && value < 3.4028235677973366e38;
    case TL_TYPE_F16: return value > -65520.0 && value < 65520.0;
    default: return value - value == 0;
    }
}

bool tl_eval_set(tl_eval *eval, uint32_t global, double value)
{
    tl_type type = tl_node_type(eval->m, eval->m->semantics->globals[global].node);
    if (!type_has(type, value)) return false;
    if (type == TL_TYPE_F32) value = (double)(float)value;
    if (type == TL_TYPE_F16) value = tl_round_f16(value);
    eval->values[global] = scalar_of(eval, type, value);
    return true;
}

static tl_constant settle(tl_eval *eval, uint32_t node, tl_fold fold, tl_constant value)
{
    if (fold == TL_FOLD_OK) return value;
    if (fold != TL_FOLD_OPAQUE && eval->fault == TL_FOLD_OK) {
        eval->fault = fold;
        eval->fault_node = node;
    }
    return TL_CONSTANT_OPAQUE;
}

/* A node's value in the node's type: what an implicit conversion at this node made of it. */
static tl_constant converted(tl_eval *eval, uint32_t node, tl_constant value, bool explicit_)
{
    if (!tl_constant_is_value(value)) return value;
    tl_constant result;
    tl_fold fold = tl_fold_convert(&eval->constants, value, tl_node_value_type(eval->m, node), explicit_, &result);
    return settle(eval, node, fold, result);
}

static tl_constant eval_override(tl_eval *eval, uint32_t declaration)
{
    uint32_t global = tl_node_declaration(eval->m, declaration);
    if (eval->values[global] != TL_CONSTANT_NONE) return eval->values[global];
    uint32_t init = TL_PARTS(tl_var_parts, eval->m, declaration)->init;
    tl_constant value = TL_CONSTANT_OVERRIDE;
    if (init != 0) value = converted(eval, declaration, tl_eval_node(eval, init), false);
    eval->values[global] = value;
    return value;
}

static tl_constant eval_ident(tl_eval *eval, uint32_t node)
{
    uint32_t declaration = tl_node_declaration(eval->m, node);
    if (declaration == 0 || (declaration & TL_NAME_TAG_MASK) != 0) return TL_CONSTANT_OPAQUE;
    if (eval->m->nodes[declaration].kind == TL_NODE_OVERRIDE) return eval_override(eval, declaration);
    return eval->m->semantics->constant[declaration];
}

static tl_constant eval_binary(tl_eval *eval, uint32_t node)
{
    const tl_wgsl_node *n = &eval->m->nodes[node];
    tl_wgsl_op op = (tl_wgsl_op)n->op;
    tl_constant a = tl_eval_node(eval, n->a);
    int64_t decides;
    bool logical = op == TL_OP_AND_AND || op == TL_OP_OR_OR;
    if (logical && tl_constant_as_int(&eval->constants, a, &decides) && (decides != 0) == (op == TL_OP_OR_OR)) {
        return a;
    }
    tl_constant result, b = tl_eval_node(eval, n->b);
    tl_fold fold = tl_fold_binary(&eval->constants, op, a, b, tl_node_type(eval->m, node), &result);
    if (!tl_constant_is_value(tl_constant_join(a, b))) return tl_constant_join(a, b);
    return settle(eval, node, fold, result);
}

static tl_constant eval_unary(tl_eval *eval, uint32_t node)
{
    const tl_wgsl_node *n = &eval->m->nodes[node];
    tl_constant result, a = tl_eval_node(eval, n->a);
    if (!tl_constant_is_value(a)) return a;
    tl_fold fold = tl_fold_unary(&eval->constants, (tl_wgsl_op)n->op, a, tl_node_type(eval->m, node), &result);
    return settle(eval, node, fold, result);
}

static tl_constant eval_call(tl_eval *eval, uint32_t node)
{
    const telar_wgsl *m = eval->m;
    uint32_t list = m->nodes[node].b, count = tl_list_count(m, list);
    uint32_t declaration = tl_node_declaration(m, node);
    tl_type type = tl_node_type(m, node);
    tl_constant parts[MAX_PARTS], joined = TL_CONSTANT_FIRST, result;
    if (count == 0 || count > MAX_PARTS) return TL_CONSTANT_OPAQUE;
    for (uint32_t k = 0; k < count; k++) {
        parts[k] = tl_eval_node(eval, tl_list_at(m, list, k));
        joined = tl_constant_join(joined, parts[k]);
    }
    if (!tl_constant_is_value(joined)) return joined;
    if ((declaration & TL_NAME_TAG_MASK) == TL_NAME_BUILTIN) {
        tl_builtin builtin = (tl_builtin)(declaration & TL_NAME_INDEX_MASK);
        tl_fold fold = tl_fold_builtin(&eval->constants, builtin, parts, count, type, &result);
        return settle(eval, node, fold, result);
    }
    if (count == 1) return converted(eval, node, parts[0], true);
    if (tl_type_is_vector(type) && tl_type_components(&m->semantics->types, type) == count) {
        return tl_constant_composite(&eval->constants, type, parts, count);
    }
    return TL_CONSTANT_OPAQUE;
}

static tl_constant eval_kind(tl_eval *eval, uint32_t node)
{
    const tl_wgsl_node *n = &eval->m->nodes[node];
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_OVERRIDE: return eval_override(eval, node);
    case TL_NODE_IDENT: return eval_ident(eval, node);
    case TL_NODE_PAREN: return tl_eval_node(eval, n->a);
    case TL_NODE_UNARY: return eval_unary(eval, node);
    case TL_NODE_BINARY: return eval_binary(eval, node);
    case TL_NODE_CALL: return eval_call(eval, node);
    default: return TL_CONSTANT_OPAQUE;
    }
}

/* Long chains of operators are deeper than this goes; they come out as not evaluated. */
tl_constant tl_eval_node(tl_eval *eval, uint32_t node)
{
    tl_constant known = eval->m->semantics->constant[node];
    if (known != TL_CONSTANT_OVERRIDE) return known;
    if (eval->depth >= MAX_DEPTH) return TL_CONSTANT_OPAQUE;
    eval->depth++;
    tl_constant value = eval_kind(eval, node);
    eval->depth--;
    return eval->m->nodes[node].kind == TL_NODE_OVERRIDE ? value : converted(eval, node, value, false);
}

bool tl_eval_size(tl_eval *eval, tl_type type, uint64_t *bytes)
{
    const tl_types *types = &eval->m->semantics->types;
    uint64_t count = 1;
    bool in_array = false;
    *bytes = 0;
    for (;;) {
        const tl_type_info *info = tl_type_get(types, type);
        if ((info->flags & (TL_TYPE_OPAQUE_SIZE | TL_TYPE_HAS_UNKNOWN)) != 0) return false;
        if ((info->flags & TL_TYPE_HAS_OVERRIDE) == 0) {
            /* As an element, its stride; every type that is not in an array has count 1. */
            bool strides = in_array && info->align > 0;
            uint64_t step = strides ? telar_ceil_div(info->size, info->align) * info->align : info->size;
            return telar_multiply(count, step, bytes);
        }
        uint64_t here = info->count;
        if (info->expression != 0) {
            int64_t value;
            if (!tl_constant_as_int(&eval->constants, tl_eval_node(eval, info->expression), &value)) return false;
            if (value < 1) return false;
            here = (uint64_t)value;
        }
        if (!telar_multiply(count, here, &count)) return false;
        type = info->element;
        in_array = true;
    }
}
