/* SPDX-License-Identifier: MIT
 *
 * Types called as functions: zero values, conversions, and composites from their parts, with inferred component types
 * for vec3(...), mat2x2(...) and array(...). */
#include "wgsl/resolver.h"

typedef struct constructor {
    tl_resolver *r;
    uint32_t call;
    uint32_t list;  /* of arguments */
    uint32_t count; /* of arguments */
} constructor;

static uint32_t argument(const constructor *c, uint32_t k)
{
    return tl_list_at(c->r->m, c->list, k);
}

static tl_type argument_type(const constructor *c, uint32_t k)
{
    return tl_node_value_type(c->r->m, argument(c, k));
}

static void fail(const constructor *c, tl_type type)
{
    tl_resolve_error(c->r, c->call, "'%s' cannot be constructed from these %u arguments",
                     tl_resolve_type_text(c->r, type), c->count);
}

static bool any_unknown(const constructor *c)
{
    for (uint32_t k = 0; k < c->count; k++) {
        tl_type type = argument_type(c, k);
        if ((tl_type_get(&c->r->s->types, type)->flags & TL_TYPE_HAS_UNKNOWN) != 0) return true;
    }
    return false;
}

static void finish(const constructor *c, tl_type type, const tl_constant *parts, uint32_t count)
{
    tl_set(c->r, c->call, type, tl_constant_composite(&c->r->s->constants, type, parts, count));
}

/* ---- conversions ---- */

/* Of a scalar, vector or matrix to the same shape with another component type. */
static void convert_shape(const constructor *c, tl_type to)
{
    uint32_t node = argument(c, 0);
    tl_resolver *r = c->r;
    tl_constant value = r->s->constant[node];
    if (tl_type_converts(&r->s->types, argument_type(c, 0), to)) {
        tl_convert(r, node, to);
        tl_set(r, c->call, to, r->s->constant[node]);
        return;
    }
    if (tl_constant_is_value(value)) {
        tl_fold fold = tl_fold_convert(&r->s->constants, value, to, true, &value);
        if (fold != TL_FOLD_OK) {
            tl_resolve_fold_error(r, c->call, fold, to);
            value = TL_CONSTANT_OPAQUE;
        }
    }
    tl_convert_concrete(r, node);
    tl_set(r, c->call, to, value);
}

static void construct_scalar(const constructor *c, tl_type type)
{
    if (c->count == 1 && tl_type_is_scalar(argument_type(c, 0))) {
        convert_shape(c, type);
    } else {
        fail(c, type);
    }
}

/* ---- vectors ---- */

/* The component type that all arguments convert to; unknown when there is none. */
static tl_kind infer_scalar(const constructor *c)
{
    tl_kind common = TL_KIND_ABSTRACT_INT;
    for (uint32_t k = 0; k < c->count; k++) {
        tl_kind scalar = tl_type_scalar(&c->r->s->types, argument_type(c, k));
        common = k == 0 ? scalar : tl_common_scalar(common, scalar);
    }
    return common;
}

static bool vector_parts(const constructor *c, tl_type type, tl_constant parts[4])
{
    tl_resolver *r = c->r;
    uint32_t size = tl_type_components(&r->s->types, type), filled = 0;
    tl_kind scalar = tl_type_scalar(&r->s->types, type);
    for (uint32_t k = 0; k < c->count; k++) {
        tl_type from = argument_type(c, k);
        bool simple = tl_type_is_scalar(from) || tl_type_is_vector(from);
        tl_type to = tl_type_with_scalar(&r->s->types, from, scalar);
        uint32_t taken = tl_type_components(&r->s->types, from);
        if (!simple || !tl_type_converts(&r->s->types, from, to) || filled + taken > size) { return false; }
        tl_convert(r, argument(c, k), to);
        tl_constant value = r->s->constant[argument(c, k)];
        for (uint32_t j = 0; j < taken; j++) {
            parts[filled++] = taken == 1 ? value : tl_constant_element(&r->s->constants, value, j);
        }
    }
    if (c->count == 1 && filled == 1) {
        while (filled < size) parts[filled++] = parts[0];
    }
    return filled == size;
}

static void construct_vector(const constructor *c, tl_type type)
{
    tl_constant parts[4];
    tl_resolver *r = c->r;
    tl_type only = c->count == 1 ? argument_type(c, 0) : TL_TYPE_UNKNOWN;
    uint32_t size = tl_type_components(&r->s->types, type);
    if (tl_type_is_vector(only) && tl_type_components(&r->s->types, only) == size) {
        convert_shape(c, type);
    } else if (vector_parts(c, type, parts)) {
        finish(c, type, parts, size);
    } else {
        fail(c, type);
    }
}

/* ---- matrices ---- */

static void matrix_of_scalars(const constructor *c, tl_type type, uint32_t columns, uint32_t rows)
{
    tl_resolver *r = c->r;
    tl_constant cells[16], parts[4];
    tl_kind scalar = tl_type_scalar(&r->s->types, type);
    for (uint32_t k = 0; k < columns * rows; k++) {
        if (!tl_type_converts(&r->s->types, argument_type(c, k), (tl_type)scalar)) {
            fail(c, type);
            return;
        }
        tl_convert(r, argument(c, k), (tl_type)scalar);
        cells[k] = r->s->constant[argument(c, k)];
    }
    for (uint32_t k = 0; k < columns; k++) {
        parts[k] =
            tl_constant_composite(&r->s->constants, tl_type_vector(scalar, rows), &cells[(size_t)k * rows], rows);
    }
    finish(c, type, parts, columns);
}

static void construct_matrix(const constructor *c, tl_type type)
{
    tl_resolver *r = c->r;
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    uint32_t columns = info->columns, rows = info->rows;
    tl_type column = tl_type_vector((tl_kind)info->element, rows);
    tl_constant parts[4];
    if (c->count == 1 && tl_type_is_matrix(argument_type(c, 0)) &&
        tl_type_with_scalar(&r->s->types, argument_type(c, 0), (tl_kind)info->element) == type) {
        convert_shape(c, type);
        return;
    }
    if (c->count == columns * rows) {
        matrix_of_scalars(c, type, columns, rows);
        return;
    }
    bool fits = c->count == columns;
    for (uint32_t k = 0; fits && k < columns; k++) {
        fits = tl_type_converts(&r->s->types, argument_type(c, k), column);
        if (!fits) break;
        tl_convert(r, argument(c, k), column);
        parts[k] = r->s->constant[argument(c, k)];
    }
    if (fits) {
        finish(c, type, parts, columns);
    } else {
        fail(c, type);
    }
}

/* ---- arrays and structures ---- */

/* Arguments of given types, in order. */
static void construct_parts(const constructor *c, tl_type type, tl_type element, const tl_member *members)
{
    tl_resolver *r = c->r;
    tl_constant few[16];
    tl_constant *parts = c->count <= TL_COUNT(few) ? few : TL_ARENA_ARRAY(r->arena, tl_constant, c->count);
    if (parts == NULL) {
        r->full = true;
        return;
    }
    for (uint32_t k = 0; k < c->count; k++) {
        tl_type to = members != NULL ? members[k].type : element;
        if (!tl_type_converts(&r->s->types, argument_type(c, k), to)) {
            tl_resolve_error(r, argument(c, k), "part (%u) of '%s' must be '%s', not '%s'", k + 1,
                             tl_resolve_type_text(r, type), tl_resolve_type_text(r, to),
                             tl_resolve_type_text(r, argument_type(c, k)));
            tl_set(r, c->call, type, TL_CONSTANT_OPAQUE);
            return;
        }
        tl_convert(r, argument(c, k), to);
        parts[k] = r->s->constant[argument(c, k)];
    }
    finish(c, type, parts, c->count);
}

static void construct_array(const constructor *c, tl_type type)
{
    const tl_type_info *info = tl_type_get(&c->r->s->types, type);
    bool open = (info->flags & TL_TYPE_OPAQUE_SIZE) != 0;
    if (!open && info->count != c->count) {
        tl_resolve_error(c->r, c->call, "'%s' takes (%u) elements, found (%u)", tl_resolve_type_text(c->r, type),
                         info->count, c->count);
        tl_set(c->r, c->call, type, TL_CONSTANT_OPAQUE);
        return;
    }
    construct_parts(c, type, info->element, NULL);
}

static void construct_struct(const constructor *c, tl_type type)
{
    const tl_struct *record = tl_type_struct(&c->r->s->types, type);
    if (record->member_count != c->count) {
        tl_resolve_error(c->r, c->call, "'%s' has (%u) members, found (%u) values", tl_resolve_type_text(c->r, type),
                         record->member_count, c->count);
        tl_set(c->r, c->call, type, TL_CONSTANT_OPAQUE);
        return;
    }
    construct_parts(c, type, TL_TYPE_UNKNOWN, tl_type_members(&c->r->s->types, type));
}

/* ---- inference ---- */

static tl_type infer_array(const constructor *c)
{
    tl_type common = argument_type(c, 0);
    for (uint32_t k = 1; k < c->count && common != TL_TYPE_UNKNOWN; k++) {
        common = tl_type_common(&c->r->s->types, common, argument_type(c, k));
    }
    return common == TL_TYPE_UNKNOWN ? TL_TYPE_UNKNOWN : tl_type_array(&c->r->s->types, common, c->count, 0);
}

static tl_type infer(const constructor *c, const tl_predeclared_row *generator)
{
    if (c->count == 0) {
        return generator->class_ == TL_CLASS_VECTOR ? tl_type_vector(TL_KIND_ABSTRACT_INT, generator->a)
                                                    : TL_TYPE_UNKNOWN;
    }
    if (generator->class_ == TL_CLASS_ARRAY) return infer_array(c);
    tl_kind scalar = infer_scalar(c);
    if (generator->class_ == TL_CLASS_VECTOR) return tl_type_vector(scalar, generator->a);
    if (scalar == TL_KIND_ABSTRACT_INT) scalar = TL_KIND_ABSTRACT_FLOAT;
    return tl_type_matrix(scalar, generator->a, generator->b);
}

static void report_inference(const constructor *c, const tl_predeclared_row *generator)
{
    tl_resolve_error(c->r, c->call, "cannot tell the type of '%s' from its %u arguments", generator->name, c->count);
}

void tl_resolve_constructor(tl_resolver *r, uint32_t call, tl_type type, const tl_predeclared_row *generator)
{
    uint32_t list = tl_at(r, call)->b;
    constructor c = {.r = r, .call = call, .list = list, .count = tl_list_count(r->m, list)};
    tl_set(r, call, type, TL_CONSTANT_OPAQUE);
    if (any_unknown(&c) && generator != NULL) {
        /* The shape of a vector or matrix is still known, but not what it holds. */
        tl_set(r, call, TL_TYPE_UNKNOWN, TL_CONSTANT_NONE);
        return;
    }
    if (generator != NULL) {
        type = infer(&c, generator);
        if (type == TL_TYPE_UNKNOWN) {
            report_inference(&c, generator);
            return;
        }
        r->s->type[call] = type;
    }
    if (type == TL_TYPE_UNKNOWN || any_unknown(&c)) {
        r->s->constant[call] = TL_CONSTANT_NONE;
        return;
    }
    if (!tl_type_is_constructible(&r->s->types, type)) {
        tl_resolve_error(r, call, "'%s' cannot be constructed", tl_resolve_type_text(r, type));
        return;
    }
    if (c.count == 0) {
        tl_set(r, call, type, tl_constant_zero(&r->s->constants, type));
        return;
    }
    switch (tl_kind_of(r, type)) {
    case TL_KIND_VECTOR: construct_vector(&c, type); break;
    case TL_KIND_MATRIX: construct_matrix(&c, type); break;
    case TL_KIND_ARRAY: construct_array(&c, type); break;
    case TL_KIND_STRUCT: construct_struct(&c, type); break;
    default: construct_scalar(&c, type); break;
    }
}
