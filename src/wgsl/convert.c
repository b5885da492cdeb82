/* SPDX-License-Identifier: MIT
 *
 * Conversions between types: what abstract values may become, and the change of an expression to its final type. */
#include "wgsl/resolver.h"

tl_kind tl_common_scalar(tl_kind a, tl_kind b)
{
    if (a == b) return a;
    if (tl_kind_is_abstract(b)) {
        tl_kind swap = a;
        a = b;
        b = swap;
    }
    if (!tl_kind_is_abstract(a)) return TL_KIND_UNKNOWN;
    bool allowed = a == TL_KIND_ABSTRACT_INT ? tl_kind_is_integer(b) || tl_kind_is_float(b) : tl_kind_is_float(b);
    if (allowed) return b;
    return a == TL_KIND_ABSTRACT_FLOAT && b == TL_KIND_ABSTRACT_INT ? a : TL_KIND_UNKNOWN;
}

static bool scalar_converts(tl_kind from, tl_kind to)
{
    if (from == to) return true;
    return tl_kind_is_abstract(from) && tl_common_scalar(from, to) == to;
}

/* Sizes that are known only later, or not at all, are taken as equal. */
static bool same_count(const tl_type_info *a, const tl_type_info *b)
{
    bool open = ((a->flags | b->flags) & TL_TYPE_OPAQUE_SIZE) != 0 || (a->expression != 0 && b->expression != 0);
    return open || (a->count == b->count && (a->expression != 0) == (b->expression != 0));
}

bool tl_type_converts(const tl_types *types, tl_type from, tl_type to)
{
    for (;;) {
        if (from == to) return true;
        const tl_type_info *a = tl_type_get(types, from);
        const tl_type_info *b = tl_type_get(types, to);
        if (((a->flags | b->flags) & TL_TYPE_HAS_UNKNOWN) != 0) return true;
        if (a->kind != b->kind)
            return tl_type_is_scalar(from) && tl_type_is_scalar(to) && scalar_converts((tl_kind)from, (tl_kind)to);
        switch ((tl_kind)a->kind) {
        case TL_KIND_VECTOR:
        case TL_KIND_MATRIX:
            return a->rows == b->rows && a->columns == b->columns &&
                   scalar_converts((tl_kind)a->element, (tl_kind)b->element);
        case TL_KIND_ARRAY:
            if (!same_count(a, b)) return false;
            break;
        case TL_KIND_POINTER:
            if (a->space != b->space || a->access != b->access) return false;
            break;
        default: return false;
        }
        from = a->element;
        to = b->element;
    }
}

static tl_kind concrete_scalar(tl_kind kind)
{
    if (kind == TL_KIND_ABSTRACT_INT) return TL_KIND_I32;
    return kind == TL_KIND_ABSTRACT_FLOAT ? TL_KIND_F32 : kind;
}

/* Replaces the innermost scalar, vector or matrix of nested arrays. */
static tl_type with_leaf(tl_types *types, tl_type type, tl_kind scalar)
{
    tl_type chain[256];
    uint32_t depth = 0;
    while (tl_type_kind(types, type) == TL_KIND_ARRAY && depth < TL_COUNT(chain)) {
        chain[depth++] = type;
        type = tl_type_get(types, type)->element;
    }
    type = tl_type_with_scalar(types, type, scalar);
    while (depth > 0) {
        const tl_type_info *array = tl_type_get(types, chain[--depth]);
        type = array->columns != 0 ? tl_type_array_unsized(types, type, array->expression)
                                   : tl_type_array(types, type, array->count, array->expression);
    }
    return type;
}

static tl_kind leaf_scalar(const tl_types *types, tl_type type)
{
    while (tl_type_kind(types, type) == TL_KIND_ARRAY) type = tl_type_get(types, type)->element;
    return tl_type_scalar(types, type);
}

tl_type tl_type_concrete(tl_types *types, tl_type type)
{
    if ((tl_type_get(types, type)->flags & TL_TYPE_HAS_ABSTRACT) == 0) return type;
    return with_leaf(types, type, concrete_scalar(leaf_scalar(types, type)));
}

tl_type tl_type_common(tl_types *types, tl_type a, tl_type b)
{
    if (tl_type_converts(types, a, b)) return b;
    return tl_type_converts(types, b, a) ? a : TL_TYPE_UNKNOWN;
}

void tl_resolve_fold_error(tl_resolver *r, uint32_t node, tl_fold fold, tl_type type)
{
    if (r->muted > 0) return;
    switch (fold) {
    case TL_FOLD_OVERFLOW:
        tl_resolve_error(r, node, "the value of this constant expression does not fit '%s'",
                         tl_resolve_type_text(r, type));
        break;
    case TL_FOLD_ZERO_DIVIDE: tl_resolve_error(r, node, "division by zero in a constant"); break;
    case TL_FOLD_SHIFT:
        tl_resolve_error(r, node, "the shift is too large for '%s': it must be less than the width and keep all bits",
                         tl_resolve_type_text(r, type));
        break;
    case TL_FOLD_DOMAIN: tl_resolve_error(r, node, "the function is not defined for these constant arguments"); break;
    case TL_FOLD_OK:
    case TL_FOLD_OPAQUE: break;
    }
}

static void report_range(tl_resolver *r, uint32_t node, tl_constant value, tl_type to)
{
    int64_t integer;
    if (r->muted > 0) return;
    if (tl_constant_as_int(&r->s->constants, value, &integer)) {
        tl_resolve_error(r, node, "the value (%lld) cannot be represented as '%s'", (long long)integer,
                         tl_resolve_type_text(r, to));
    } else {
        tl_resolve_fold_error(r, node, TL_FOLD_OVERFLOW, to);
    }
}

void tl_convert(tl_resolver *r, uint32_t node, tl_type to)
{
    tl_type from = r->s->type[node];
    if (from == to || (tl_type_get(&r->s->types, from)->flags & TL_TYPE_HAS_ABSTRACT) == 0) return;
    if (to == TL_TYPE_UNKNOWN) return;
    tl_constant value = r->s->constant[node];
    if (tl_constant_is_value(value)) {
        tl_constant converted;
        tl_fold fold = tl_fold_convert(&r->s->constants, value, to, false, &converted);
        if (fold == TL_FOLD_OVERFLOW) report_range(r, node, value, to);
        r->s->constant[node] = fold == TL_FOLD_OK ? converted : TL_CONSTANT_OPAQUE;
    }
    r->s->type[node] = to;
}

void tl_convert_concrete(tl_resolver *r, uint32_t node)
{
    tl_convert(r, node, tl_type_concrete(&r->s->types, r->s->type[node]));
}
