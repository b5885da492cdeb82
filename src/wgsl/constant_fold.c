/* SPDX-License-Identifier: MIT
 *
 * Conversions and operators on constant values. Concrete integers wrap as WGSL lets them; abstract integers and all
 * floats must stay representable. Composites are folded component by component, matrix products are not folded. */
#include "wgsl/constant_math.h"

/* Integer types: width and signedness. */
static unsigned width_of(tl_type type)
{
    switch (type) {
    case TL_TYPE_I32:
    case TL_TYPE_U32: return 32;
    case TL_KIND_I16:
    case TL_KIND_U16: return 16;
    case TL_KIND_I8:
    case TL_KIND_U8: return 8;
    default: return 64;
    }
}

static bool is_unsigned(tl_type type)
{
    return !tl_kind_is_signed((tl_kind)type);
}

int64_t tl_wrap_integer(tl_type type, uint64_t bits)
{
    unsigned unused = 64 - width_of(type);
    if (unused == 0) return (int64_t)bits;
    uint64_t high = bits << unused;
    if (is_unsigned(type)) return (int64_t)(high >> unused);
    uint64_t sign = high >> 63 != 0 ? ~(UINT64_MAX >> unused) : 0;
    return (int64_t)(high >> unused | sign);
}

static bool integer_fits(tl_type from, int64_t value, tl_type to)
{
    if (from == TL_TYPE_U64 && value < 0) return to == TL_TYPE_U64;
    if (to == TL_TYPE_U64) return value >= 0;
    return tl_wrap_integer(to, (uint64_t)value) == value;
}

static bool is_finite(double value)
{
    return value - value == 0;
}

double tl_round_to(tl_type type, double value)
{
    if (type == TL_TYPE_F32) {
        /* Casting a double beyond the floats is undefined. */
        if (value > 3.5e38 || value < -3.5e38) return value * 1e308 * 1e308;
        return (double)(float)value;
    }
    return type == TL_TYPE_F16 ? tl_round_f16(value) : value;
}

static int64_t float_to_integer(double value, tl_type to)
{
    double low = is_unsigned(to) ? 0 : -tl_power_of_two((int)width_of(to) - 1);
    double end = tl_power_of_two((int)width_of(to) - (is_unsigned(to) ? 0 : 1));
    if (!(value > low))
        return is_unsigned(to) || value != value ? 0 : tl_wrap_integer(to, (uint64_t)1 << (width_of(to) - 1));
    if (value >= end) { return (int64_t)(UINT64_MAX >> (64 - width_of(to) + (is_unsigned(to) ? 0u : 1u))); }
    return is_unsigned(to) ? (int64_t)(uint64_t)value : (int64_t)value;
}

static tl_fold convert_scalar(tl_constants *c, tl_constant constant, tl_type to, bool explicit_, tl_constant *result)
{
    tl_constant_value from = *tl_constant_get(c, constant);
    bool from_float = tl_kind_is_float((tl_kind)from.type);
    if (to == TL_TYPE_BOOL) {
        *result = tl_constant_bool(c, from_float ? from.as.f != 0 : from.as.i != 0);
        return TL_FOLD_OK;
    }
    if (tl_kind_is_float((tl_kind)to)) {
        double value = 0;
        tl_constant_as_double(c, constant, &value);
        value = tl_round_to(to, value);
        *result = tl_constant_float(c, to, value);
        return is_finite(value) ? TL_FOLD_OK : TL_FOLD_OVERFLOW;
    }
    if (from_float) {
        if (!explicit_) return TL_FOLD_OPAQUE;
        *result = tl_constant_int(c, to, float_to_integer(from.as.f, to));
        return TL_FOLD_OK;
    }
    bool must_fit = !explicit_ || from.type == TL_TYPE_ABSTRACT_INT;
    if (must_fit && !integer_fits(from.type, from.as.i, to)) return TL_FOLD_OVERFLOW;
    *result = tl_constant_int(c, to, tl_wrap_integer(to, (uint64_t)from.as.i));
    return TL_FOLD_OK;
}

static uint32_t shape_count(const tl_types *types, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    if (info->kind == TL_KIND_VECTOR) return info->rows;
    if (info->kind == TL_KIND_MATRIX) return info->columns;
    return info->kind == TL_KIND_ARRAY ? info->count : 0;
}

static tl_type part_type(const tl_types *types, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    return info->kind == TL_KIND_MATRIX ? tl_type_vector((tl_kind)info->element, info->rows) : info->element;
}

/* Composites convert part by part: nesting is bounded by that of types. */
tl_fold tl_fold_convert(tl_constants *c, tl_constant value, tl_type to, bool explicit_, tl_constant *result)
{
    *result = value;
    if (!tl_constant_is_value(value)) return TL_FOLD_OPAQUE;
    tl_constant_value from = *tl_constant_get(c, value);
    if (from.type == to) return TL_FOLD_OK;
    if (tl_type_is_scalar(to)) {
        if (!tl_type_is_scalar(from.type)) return TL_FOLD_OPAQUE;
        return convert_scalar(c, value, to, explicit_, result);
    }
    uint32_t count = shape_count(c->types, to);
    if (from.count == 0) {
        *result = tl_constant_zero(c, to);
        return TL_FOLD_OK;
    }
    if (count != from.count) return TL_FOLD_OPAQUE;
    tl_constant few[16];
    tl_constant *parts = count <= TL_COUNT(few) ? few : TL_ARENA_ARRAY(c->arena, tl_constant, count);
    if (parts == NULL) {
        c->full = true;
        return TL_FOLD_OPAQUE;
    }
    tl_type part = part_type(c->types, to);
    for (uint32_t k = 0; k < count; k++) {
        tl_fold fold = tl_fold_convert(c, c->elements[from.as.first + k], part, explicit_, &parts[k]);
        if (fold != TL_FOLD_OK) return fold;
    }
    *result = tl_constant_composite(c, to, parts, count);
    return TL_FOLD_OK;
}

static tl_fold finish_float(tl_constants *c, tl_type type, double value, tl_constant *result)
{
    value = tl_round_to(type, value);
    *result = tl_constant_float(c, type, value);
    return is_finite(value) ? TL_FOLD_OK : TL_FOLD_OVERFLOW;
}

static tl_fold unary_scalar(tl_constants *c, tl_wgsl_op op, tl_constant_value v, tl_constant *result)
{
    if (op == TL_OP_NOT) {
        *result = tl_constant_bool(c, v.as.i == 0);
        return TL_FOLD_OK;
    }
    if (tl_kind_is_float((tl_kind)v.type)) {
        *result = tl_constant_float(c, v.type, -v.as.f);
        return op == TL_OP_NEGATE ? TL_FOLD_OK : TL_FOLD_OPAQUE;
    }
    uint64_t bits = op == TL_OP_NEGATE ? 0 - v.as.bits : ~v.as.bits;
    if (op == TL_OP_NEGATE && v.type == TL_TYPE_ABSTRACT_INT && v.as.i == INT64_MIN) { return TL_FOLD_OVERFLOW; }
    *result = tl_constant_int(c, v.type, tl_wrap_integer(v.type, bits));
    return TL_FOLD_OK;
}

/* Parts of a vector or matrix folded by unary_scalar; a matrix's columns in turn. */
tl_fold tl_fold_unary(tl_constants *c, tl_wgsl_op op, tl_constant value, tl_type type, tl_constant *result)
{
    *result = TL_CONSTANT_OPAQUE;
    if (!tl_constant_is_value(value)) return TL_FOLD_OPAQUE;
    if (tl_type_is_scalar(type)) return unary_scalar(c, op, *tl_constant_get(c, value), result);
    uint32_t count = shape_count(c->types, type);
    if (count > 4 || count == 0) return TL_FOLD_OPAQUE;
    tl_constant parts[4];
    for (uint32_t k = 0; k < count; k++) {
        tl_constant part = tl_constant_element(c, value, k);
        tl_fold fold = tl_fold_unary(c, op, part, part_type(c->types, type), &parts[k]);
        if (fold != TL_FOLD_OK) return fold;
    }
    *result = tl_constant_composite(c, type, parts, count);
    return TL_FOLD_OK;
}

static bool holds(tl_wgsl_op op, int order)
{
    switch (op) {
    case TL_OP_LESS: return order < 0;
    case TL_OP_LESS_EQUAL: return order <= 0;
    case TL_OP_GREATER: return order > 0;
    case TL_OP_GREATER_EQUAL: return order >= 0;
    case TL_OP_EQUAL: return order == 0;
    default: return order != 0;
    }
}

static int order_of(const tl_constant_value *a, const tl_constant_value *b)
{
    if (tl_kind_is_float((tl_kind)a->type)) return (a->as.f > b->as.f) - (a->as.f < b->as.f);
    if (is_unsigned(a->type)) return (a->as.bits > b->as.bits) - (a->as.bits < b->as.bits);
    return (a->as.i > b->as.i) - (a->as.i < b->as.i);
}

static double float_remainder(double a, double b)
{
    double quotient = a / b;
    if (quotient > 9.0e15 || quotient < -9.0e15) return 0;
    return a - b * tl_truncate(quotient);
}

static tl_fold float_arithmetic(tl_constants *c, tl_wgsl_op op, tl_type type, double a, double b, tl_constant *result)
{
    switch (op) {
    case TL_OP_ADD: return finish_float(c, type, a + b, result);
    case TL_OP_SUBTRACT: return finish_float(c, type, a - b, result);
    case TL_OP_MULTIPLY: return finish_float(c, type, a * b, result);
    case TL_OP_DIVIDE: return b == 0 ? TL_FOLD_ZERO_DIVIDE : finish_float(c, type, a / b, result);
    case TL_OP_REMAINDER: return b == 0 ? TL_FOLD_ZERO_DIVIDE : finish_float(c, type, float_remainder(a, b), result);
    default: return TL_FOLD_OPAQUE;
    }
}

static tl_fold divide(tl_wgsl_op op, tl_type type, int64_t a, int64_t b, int64_t *result)
{
    if (b == 0) return TL_FOLD_ZERO_DIVIDE;
    if (is_unsigned(type)) {
        uint64_t x = (uint64_t)a, y = (uint64_t)b;
        *result = (int64_t)(op == TL_OP_DIVIDE ? x / y : x % y);
        return TL_FOLD_OK;
    }
    if (b == -1 && tl_wrap_integer(type, 0 - (uint64_t)a) == a && a != 0) return TL_FOLD_OVERFLOW;
    *result = op == TL_OP_DIVIDE ? a / b : a % b;
    return TL_FOLD_OK;
}

/* No bit may be lost, and no sign changed. An abstract integer may be shifted by any count that keeps its value. */
static tl_fold shift_left(tl_type type, int64_t a, uint64_t by, int64_t *result)
{
    *result = 0;
    if (by >= width_of(type)) { return type == TL_TYPE_ABSTRACT_INT && a == 0 ? TL_FOLD_OK : TL_FOLD_SHIFT; }
    *result = tl_wrap_integer(type, (uint64_t)a << by);
    bool kept = is_unsigned(type) ? (uint64_t)*result >> by == (uint64_t)a : *result >> by == a;
    return kept ? TL_FOLD_OK : TL_FOLD_SHIFT;
}

static tl_fold shift_right(tl_type type, int64_t a, uint64_t by, int64_t *result)
{
    *result = a < 0 ? -1 : 0;
    if (by >= width_of(type)) return type == TL_TYPE_ABSTRACT_INT ? TL_FOLD_OK : TL_FOLD_SHIFT;
    *result = is_unsigned(type) ? (int64_t)((uint64_t)a >> by) : a >> by;
    return TL_FOLD_OK;
}

static tl_fold checked(tl_type type, bool fits, uint64_t bits, int64_t *result)
{
    *result = tl_wrap_integer(type, bits);
    return fits || type != TL_TYPE_ABSTRACT_INT ? TL_FOLD_OK : TL_FOLD_OVERFLOW;
}

static bool product_fits(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
    uint64_t y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    uint64_t product;
    if (!telar_multiply(x, y, &product)) return false;
    return product <= (uint64_t)INT64_MAX + ((a < 0) != (b < 0) ? 1u : 0u);
}

static tl_fold integer_arithmetic(tl_wgsl_op op, tl_type type, int64_t a, int64_t b, int64_t *result)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case TL_OP_ADD: return checked(type, b < 0 ? a >= INT64_MIN - b : a <= INT64_MAX - b, x + y, result);
    case TL_OP_SUBTRACT: return checked(type, b > 0 ? a >= INT64_MIN + b : a <= INT64_MAX + b, x - y, result);
    case TL_OP_MULTIPLY: return checked(type, product_fits(a, b), x * y, result);
    case TL_OP_DIVIDE:
    case TL_OP_REMAINDER: return divide(op, type, a, b, result);
    case TL_OP_AND: *result = a & b; return TL_FOLD_OK;
    case TL_OP_OR: *result = a | b; return TL_FOLD_OK;
    case TL_OP_XOR: *result = a ^ b; return TL_FOLD_OK;
    case TL_OP_SHIFT_LEFT: return shift_left(type, a, y, result);
    case TL_OP_SHIFT_RIGHT: return shift_right(type, a, y, result);
    default: return TL_FOLD_OPAQUE;
    }
}

static tl_fold binary_scalar(tl_constants *c, tl_wgsl_op op, tl_constant a_id, tl_constant b_id, tl_constant *result)
{
    tl_constant_value a = *tl_constant_get(c, a_id);
    tl_constant_value b = *tl_constant_get(c, b_id);
    if (op >= TL_OP_LESS && op <= TL_OP_NOT_EQUAL) {
        *result = tl_constant_bool(c, holds(op, order_of(&a, &b)));
        return TL_FOLD_OK;
    }
    if (a.type == TL_TYPE_BOOL) {
        bool both = a.as.i != 0 && b.as.i != 0, either = a.as.i != 0 || b.as.i != 0;
        bool value = op == TL_OP_AND || op == TL_OP_AND_AND ? both : op == TL_OP_XOR ? either && !both : either;
        *result = tl_constant_bool(c, value);
        return TL_FOLD_OK;
    }
    if (tl_kind_is_float((tl_kind)a.type)) { return float_arithmetic(c, op, a.type, a.as.f, b.as.f, result); }
    int64_t value = 0;
    tl_fold fold = integer_arithmetic(op, a.type, a.as.i, b.as.i, &value);
    *result = tl_constant_int(c, a.type, value);
    return fold;
}

static bool componentwise(tl_wgsl_op op, tl_type a, tl_type b, tl_type type)
{
    if (!tl_type_is_matrix(a) && !tl_type_is_matrix(b)) return tl_type_is_vector(type);
    if (op == TL_OP_MULTIPLY) return tl_type_is_scalar(a) || tl_type_is_scalar(b);
    return true;
}

tl_fold tl_fold_binary(tl_constants *c, tl_wgsl_op op, tl_constant a, tl_constant b, tl_type type, tl_constant *result)
{
    *result = tl_constant_join(a, b);
    if (!tl_constant_is_value(*result)) return TL_FOLD_OPAQUE;
    tl_type a_type = tl_constant_get(c, a)->type;
    tl_type b_type = tl_constant_get(c, b)->type;
    *result = TL_CONSTANT_OPAQUE;
    if (tl_type_is_scalar(a_type) && tl_type_is_scalar(b_type)) { return binary_scalar(c, op, a, b, result); }
    if (!componentwise(op, a_type, b_type, type)) return TL_FOLD_OPAQUE;
    uint32_t count = shape_count(c->types, type);
    if (count > 4 || count == 0) return TL_FOLD_OPAQUE;
    tl_constant parts[4];
    for (uint32_t k = 0; k < count; k++) {
        tl_constant x = tl_type_is_scalar(a_type) ? a : tl_constant_element(c, a, k);
        tl_constant y = tl_type_is_scalar(b_type) ? b : tl_constant_element(c, b, k);
        tl_fold fold = tl_fold_binary(c, op, x, y, part_type(c->types, type), &parts[k]);
        if (fold != TL_FOLD_OK) return fold;
    }
    *result = tl_constant_composite(c, type, parts, count);
    return TL_FOLD_OK;
}
