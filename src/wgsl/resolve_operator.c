/* SPDX-License-Identifier: MIT
 *
 * Unary and binary operators: which operand types they take, what they give, and constant folding. */
#include "wgsl/resolver.h"

static const char *const op_texts[] = {
    [TL_OP_NONE] = "=",
    [TL_OP_NEGATE] = "-",
    [TL_OP_NOT] = "!",
    [TL_OP_COMPLEMENT] = "~",
    [TL_OP_DEREF] = "*",
    [TL_OP_ADDRESS] = "&",
    [TL_OP_MULTIPLY] = "*",
    [TL_OP_DIVIDE] = "/",
    [TL_OP_REMAINDER] = "%",
    [TL_OP_ADD] = "+",
    [TL_OP_SUBTRACT] = "-",
    [TL_OP_SHIFT_LEFT] = "<<",
    [TL_OP_SHIFT_RIGHT] = ">>",
    [TL_OP_LESS] = "<",
    [TL_OP_LESS_EQUAL] = "<=",
    [TL_OP_GREATER] = ">",
    [TL_OP_GREATER_EQUAL] = ">=",
    [TL_OP_EQUAL] = "==",
    [TL_OP_NOT_EQUAL] = "!=",
    [TL_OP_AND] = "&",
    [TL_OP_XOR] = "^",
    [TL_OP_OR] = "|",
    [TL_OP_AND_AND] = "&&",
    [TL_OP_OR_OR] = "||",
};

const char *tl_op_text(tl_wgsl_op op)
{
    return op_texts[op];
}

/* ---- unary ---- */

/* v.x or v[i] of a vector that is a place. */
static bool is_component(const tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, tl_without_parentheses(r->m, node));
    if (n->kind != TL_NODE_MEMBER_ACCESS && n->kind != TL_NODE_INDEX) return false;
    const tl_type_info *base = tl_type_get(&r->s->types, r->s->type[n->a]);
    bool through = base->kind == TL_KIND_REFERENCE || base->kind == TL_KIND_POINTER;
    return through && tl_type_is_vector(base->element);
}

static void resolve_address(tl_resolver *r, uint32_t node, uint32_t operand)
{
    tl_type type = r->s->type[operand];
    const tl_type_info info = *tl_type_get(&r->s->types, type);
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_NONE);
    if (type == TL_TYPE_UNKNOWN) return;
    if (info.kind != TL_KIND_REFERENCE) {
        tl_resolve_error(r, node, "cannot take the address of a value: '&' needs a variable");
        return;
    }
    if (is_component(r, operand)) {
        tl_resolve_error(r, node, "cannot take the address of a component of a vector");
        return;
    }
    r->s->type[node] = tl_type_pointer(&r->s->types, (tl_space)info.space, info.element, (tl_access)info.access);
}

static void resolve_deref(tl_resolver *r, uint32_t node, uint32_t operand)
{
    tl_type type = tl_value_of(r, operand);
    const tl_type_info info = *tl_type_get(&r->s->types, type);
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_NONE);
    if (type == TL_TYPE_UNKNOWN) return;
    if (info.kind != TL_KIND_POINTER) {
        tl_resolve_error(r, node, "cannot dereference '%s': it is no pointer", tl_resolve_type_text(r, type));
        return;
    }
    r->s->type[node] = tl_type_reference(&r->s->types, (tl_space)info.space, info.element, (tl_access)info.access);
}

static bool unary_allows(const tl_types *types, tl_wgsl_op op, tl_type type)
{
    tl_kind scalar = tl_type_scalar(types, type);
    if (op == TL_OP_NOT) return scalar == TL_KIND_BOOL;
    if (op == TL_OP_COMPLEMENT) return tl_kind_is_integer(scalar);
    return tl_kind_is_signed(scalar);
}

void tl_resolve_unary(tl_resolver *r, uint32_t node)
{
    uint32_t operand = tl_at(r, node)->a;
    tl_wgsl_op op = (tl_wgsl_op)tl_at(r, node)->op;
    if (op == TL_OP_ADDRESS) {
        resolve_address(r, node, operand);
        return;
    }
    if (op == TL_OP_DEREF) {
        resolve_deref(r, node, operand);
        return;
    }
    tl_type type = tl_value_of(r, operand);
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
    if (type == TL_TYPE_UNKNOWN) return;
    if (!unary_allows(&r->s->types, op, type)) {
        tl_resolve_error(r, node, "the operator '%s' cannot be used on '%s'", op_texts[op],
                         tl_resolve_type_text(r, type));
        return;
    }
    tl_constant value = r->s->constant[operand];
    if (tl_constant_is_value(value)) {
        tl_fold fold = tl_fold_unary(&r->s->constants, op, value, type, &value);
        if (fold != TL_FOLD_OK) {
            tl_resolve_fold_error(r, node, fold, type);
            value = TL_CONSTANT_OPAQUE;
        }
    }
    tl_set(r, node, type, value);
}

/* ---- types of binary operators ---- */

typedef struct operands {
    tl_type a, b; /* of equal component type */
    tl_kind scalar;
} operands;

static bool is_simple(tl_type type) /* scalar or vector */
{
    return type >= TL_SCALAR_FIRST && type < TL_TYPE_MATRIX_FIRST;
}

/* Vector with vector, or scalar with either. */
static tl_type spread(operands o)
{
    if (o.a == o.b) return o.a;
    if (tl_type_is_scalar(o.a)) return o.b;
    return tl_type_is_scalar(o.b) ? o.a : TL_TYPE_UNKNOWN;
}

static tl_type product(const tl_types *types, operands o)
{
    const tl_type_info *a = tl_type_get(types, o.a);
    const tl_type_info *b = tl_type_get(types, o.b);
    bool a_matrix = tl_type_is_matrix(o.a), b_matrix = tl_type_is_matrix(o.b);
    if (a_matrix && b_matrix) {
        if (a->columns != b->rows) return TL_TYPE_UNKNOWN;
        return tl_type_matrix(o.scalar, b->columns, a->rows);
    }
    if (a_matrix && tl_type_is_vector(o.b)) {
        return a->columns == b->rows ? tl_type_vector(o.scalar, a->rows) : TL_TYPE_UNKNOWN;
    }
    if (b_matrix && tl_type_is_vector(o.a)) {
        return b->rows == a->rows ? tl_type_vector(o.scalar, b->columns) : TL_TYPE_UNKNOWN;
    }
    return spread(o);
}

static tl_type arithmetic(const tl_types *types, tl_wgsl_op op, operands o)
{
    if (o.scalar == TL_KIND_BOOL) return TL_TYPE_UNKNOWN;
    if (is_simple(o.a) && is_simple(o.b)) return spread(o);
    if (op == TL_OP_MULTIPLY) return product(types, o);
    return (op == TL_OP_ADD || op == TL_OP_SUBTRACT) && o.a == o.b ? o.a : TL_TYPE_UNKNOWN;
}

static tl_type comparison(const tl_types *types, tl_wgsl_op op, operands o)
{
    bool ordered = op != TL_OP_EQUAL && op != TL_OP_NOT_EQUAL;
    if (o.a != o.b || !is_simple(o.a) || (ordered && o.scalar == TL_KIND_BOOL)) { return TL_TYPE_UNKNOWN; }
    return tl_type_with_scalar(types, o.a, TL_KIND_BOOL);
}

static tl_type bitwise(operands o)
{
    bool allowed = o.scalar == TL_KIND_BOOL || tl_kind_is_integer(o.scalar);
    return allowed && o.a == o.b ? o.a : TL_TYPE_UNKNOWN;
}

/* The count of a shift is a u32 of the shape of what is shifted. */
static tl_type shift(const tl_types *types, tl_type a, tl_type b, tl_type *b_to)
{
    tl_kind scalar = tl_type_scalar(types, a), count = tl_type_scalar(types, b);
    *b_to = tl_type_with_scalar(types, b, TL_KIND_U32);
    bool counts = count == TL_KIND_U32 || count == TL_KIND_ABSTRACT_INT;
    bool shapes = tl_type_with_scalar(types, a, TL_KIND_U32) == *b_to;
    return is_simple(a) && tl_kind_is_integer(scalar) && counts && shapes ? a : TL_TYPE_UNKNOWN;
}

tl_type tl_binary_type(tl_types *types, tl_wgsl_op op, tl_type a, tl_type b, tl_type *a_to, tl_type *b_to)
{
    *a_to = a;
    *b_to = b;
    if (op == TL_OP_SHIFT_LEFT || op == TL_OP_SHIFT_RIGHT) return shift(types, a, b, b_to);
    operands o = {.scalar = tl_common_scalar(tl_type_scalar(types, a), tl_type_scalar(types, b))};
    if (o.scalar == TL_KIND_UNKNOWN) return TL_TYPE_UNKNOWN;
    o.a = *a_to = tl_type_with_scalar(types, a, o.scalar);
    o.b = *b_to = tl_type_with_scalar(types, b, o.scalar);
    switch (op) {
    case TL_OP_MULTIPLY:
    case TL_OP_DIVIDE:
    case TL_OP_REMAINDER:
    case TL_OP_ADD:
    case TL_OP_SUBTRACT: return arithmetic(types, op, o);
    case TL_OP_LESS:
    case TL_OP_LESS_EQUAL:
    case TL_OP_GREATER:
    case TL_OP_GREATER_EQUAL:
    case TL_OP_EQUAL:
    case TL_OP_NOT_EQUAL: return comparison(types, op, o);
    case TL_OP_AND:
    case TL_OP_XOR:
    case TL_OP_OR: return bitwise(o);
    default: return o.a == TL_TYPE_BOOL && o.b == TL_TYPE_BOOL ? TL_TYPE_BOOL : TL_TYPE_UNKNOWN;
    }
}

/* ---- binary ---- */

static tl_fold check_scalar(const tl_constants *constants, tl_wgsl_op op, tl_kind scalar, tl_constant right)
{
    int64_t value;
    if (!tl_constant_as_int(constants, right, &value)) return TL_FOLD_OK;
    if (op == TL_OP_DIVIDE || op == TL_OP_REMAINDER) {
        return value == 0 && tl_kind_is_integer(scalar) ? TL_FOLD_ZERO_DIVIDE : TL_FOLD_OK;
    }
    int64_t width = scalar == TL_KIND_I32 || scalar == TL_KIND_U32 ? 32 : 64;
    return value < 0 || value >= width ? TL_FOLD_SHIFT : TL_FOLD_OK;
}

tl_fold tl_check_right(tl_resolver *r, tl_wgsl_op op, tl_type type, tl_constant right)
{
    bool checked = op == TL_OP_DIVIDE || op == TL_OP_REMAINDER || op == TL_OP_SHIFT_LEFT || op == TL_OP_SHIFT_RIGHT;
    if (!checked || !tl_constant_is_value(right)) return TL_FOLD_OK;
    tl_kind scalar = tl_type_scalar(&r->s->types, type);
    tl_type right_type = tl_constant_get(&r->s->constants, right)->type;
    if (!tl_type_is_vector(right_type)) return check_scalar(&r->s->constants, op, scalar, right);
    for (uint32_t k = 0; k < tl_type_components(&r->s->types, right_type); k++) {
        tl_constant part = tl_constant_element(&r->s->constants, right, k);
        tl_fold fold = check_scalar(&r->s->constants, op, scalar, part);
        if (fold != TL_FOLD_OK) return fold;
    }
    return TL_FOLD_OK;
}

static tl_constant fold_binary(tl_resolver *r, uint32_t node, tl_wgsl_op op, tl_constant a, tl_constant b, tl_type type)
{
    tl_constant value = tl_constant_join(a, b);
    tl_fold fold = TL_FOLD_OK;
    int64_t left;
    bool logical = op == TL_OP_AND_AND || op == TL_OP_OR_OR;
    /* The left operand decides over a right one that has no value. */
    if (logical && value == TL_CONSTANT_OPAQUE && tl_constant_as_int(&r->s->constants, a, &left) &&
        (left != 0) == (op == TL_OP_OR_OR)) {
        return a;
    }
    if (tl_constant_is_value(value)) {
        fold = tl_fold_binary(&r->s->constants, op, a, b, type, &value);
    } else {
        fold = tl_check_right(r, op, type, b);
    }
    if (fold == TL_FOLD_OK) return value;
    tl_resolve_fold_error(r, node, fold, type);
    return tl_constant_is_value(tl_constant_join(a, b)) ? TL_CONSTANT_OPAQUE : value;
}

void tl_resolve_binary(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    tl_wgsl_op op = (tl_wgsl_op)n->op;
    tl_type a = tl_value_of(r, n->a), b = tl_value_of(r, n->b);
    tl_type a_to, b_to;
    if (a == TL_TYPE_UNKNOWN || b == TL_TYPE_UNKNOWN) {
        tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
        return;
    }
    tl_type type = tl_binary_type(&r->s->types, op, a, b, &a_to, &b_to);
    if (type == TL_TYPE_UNKNOWN) {
        tl_resolve_error_at(r, tl_at(r, n->a)->last + 1, "the operator '%s' cannot be used on '%s' and '%s'",
                            op_texts[op], tl_resolve_type_text(r, a), tl_resolve_type_text(r, b));
        tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
        return;
    }
    tl_convert(r, n->a, a_to);
    tl_convert(r, n->b, b_to);
    /* An abstract number shifted by a value of run time becomes an i32. */
    tl_constant joined = tl_constant_join(r->s->constant[n->a], r->s->constant[n->b]);
    if (joined == TL_CONSTANT_NONE || joined == TL_CONSTANT_OVERRIDE) {
        type = tl_type_concrete(&r->s->types, type);
        tl_convert_concrete(r, n->a);
        tl_convert_concrete(r, n->b);
    }
    tl_set(r, node, type, fold_binary(r, node, op, r->s->constant[n->a], r->s->constant[n->b], type));
}
