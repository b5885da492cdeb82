/* SPDX-License-Identifier: MIT
 *
 * Built-in functions of constant arguments. Arguments have their final types already. What is not folded here gives
 * TL_FOLD_OPAQUE: a constant whose value is not known. */
#include "wgsl/constant_math.h"

#define MAX_ARGUMENTS 4

static double number(const tl_constant_value *v)
{
    if (tl_kind_is_float((tl_kind)v->type)) return v->as.f;
    return tl_kind_is_signed((tl_kind)v->type) ? (double)v->as.i : (double)v->as.bits;
}

/* Functions of one float. False when the argument is outside the function's domain. */
static bool real_of_one(tl_builtin builtin, double x, double *y)
{
    switch (builtin) {
    case TL_BUILTIN_ceil: *y = -tl_floor(-x); return true;
    case TL_BUILTIN_floor: *y = tl_floor(x); return true;
    case TL_BUILTIN_trunc: *y = tl_truncate(x); return true;
    case TL_BUILTIN_round: *y = tl_round_even(x); return true;
    case TL_BUILTIN_fract: *y = x - tl_floor(x); return true;
    case TL_BUILTIN_saturate: *y = x < 0 ? 0 : x > 1 ? 1 : x; return true;
    case TL_BUILTIN_degrees: *y = x * 57.295779513082322865; return true;
    case TL_BUILTIN_radians: *y = x * 0.01745329251994329577; return true;
    case TL_BUILTIN_exp: *y = tl_exponential(x); return true;
    case TL_BUILTIN_exp2: *y = tl_base2_power(x); return true;
    case TL_BUILTIN_sin: *y = tl_sine(x); return true;
    case TL_BUILTIN_cos: *y = tl_cosine(x); return true;
    case TL_BUILTIN_tan: *y = tl_sine(x) / tl_cosine(x); return true;
    case TL_BUILTIN_atan: *y = tl_arc_tangent(x); return true;
    case TL_BUILTIN_sqrt: *y = x < 0 ? 0 : tl_square_root(x); return x >= 0;
    case TL_BUILTIN_inverseSqrt: *y = x <= 0 ? 0 : 1 / tl_square_root(x); return x > 0;
    case TL_BUILTIN_log: *y = x <= 0 ? 0 : tl_logarithm(x); return x > 0;
    case TL_BUILTIN_log2: *y = x <= 0 ? 0 : tl_base2_logarithm(x); return x > 0;
    case TL_BUILTIN_quantizeToF16: *y = tl_round_f16(x); return true;
    default: *y = 0; return true;
    }
}

static bool is_real_of_one(tl_builtin builtin)
{
    switch (builtin) {
    case TL_BUILTIN_ceil:
    case TL_BUILTIN_floor:
    case TL_BUILTIN_trunc:
    case TL_BUILTIN_round:
    case TL_BUILTIN_fract:
    case TL_BUILTIN_saturate:
    case TL_BUILTIN_degrees:
    case TL_BUILTIN_radians:
    case TL_BUILTIN_exp:
    case TL_BUILTIN_exp2:
    case TL_BUILTIN_sin:
    case TL_BUILTIN_cos:
    case TL_BUILTIN_tan:
    case TL_BUILTIN_atan:
    case TL_BUILTIN_sqrt:
    case TL_BUILTIN_inverseSqrt:
    case TL_BUILTIN_log:
    case TL_BUILTIN_log2:
    case TL_BUILTIN_quantizeToF16: return true;
    default: return false;
    }
}

/* Functions of two or three floats; false when this is not one, or its value is not known here. */
static bool real_of_more(tl_builtin builtin, const double *x, double *y)
{
    switch (builtin) {
    case TL_BUILTIN_step: *y = x[0] <= x[1] ? 1 : 0; return true;
    case TL_BUILTIN_fma: *y = x[0] * x[1] + x[2]; return true;
    case TL_BUILTIN_mix: *y = x[0] * (1 - x[2]) + x[1] * x[2]; return true;
    case TL_BUILTIN_pow:
        if (x[0] < 0) return false;
        *y = x[0] == 0 ? (x[1] == 0 ? 1 : 0) : tl_base2_power(x[1] * tl_base2_logarithm(x[0]));
        /* Powers of integers come out as integers when they are near one. */
        if (tl_truncate(x[0]) == x[0] && tl_truncate(x[1]) == x[1] && x[1] >= 0 && *y < 4.0e15) {
            *y = tl_round_even(*y);
        }
        return !(x[0] == 0 && x[1] < 0);
    case TL_BUILTIN_smoothstep: {
        double t = x[0] == x[1] ? 0 : (x[2] - x[0]) / (x[1] - x[0]);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        *y = t * t * (3 - 2 * t);
        return x[0] != x[1];
    }
    default: return false;
    }
}

static uint32_t bits_of(const tl_constant_value *v)
{
    return (uint32_t)v->as.bits;
}

static uint32_t count_ones(uint32_t x)
{
    uint32_t count = 0;
    for (; x != 0; x &= x - 1) count++;
    return count;
}

static uint32_t leading_zeros(uint32_t x)
{
    uint32_t count = 0;
    for (uint32_t bit = 0x80000000u; bit != 0 && (x & bit) == 0; bit >>= 1) count++;
    return count;
}

static uint32_t reversed(uint32_t x)
{
    uint32_t result = 0;
    for (int k = 0; k < 32; k++) result |= (x >> k & 1u) << (31 - k);
    return result;
}

static uint32_t field(uint32_t x, uint32_t offset, uint32_t count, bool is_signed)
{
    offset = offset > 32 ? 32 : offset;
    count = count > 32 - offset ? 32 - offset : count;
    if (count == 0) return 0;
    uint32_t value = x << (32 - offset - count);
    if (!is_signed) return value >> (32 - count);
    uint32_t sign = value >> 31 != 0 && count < 32 ? UINT32_MAX << count : 0;
    return value >> (32 - count) | sign;
}

static uint32_t inserted(uint32_t x, uint32_t bits, uint32_t offset, uint32_t count)
{
    offset = offset > 32 ? 32 : offset;
    count = count > 32 - offset ? 32 - offset : count;
    if (count == 0) return x;
    uint32_t mask = (count == 32 ? UINT32_MAX : (1u << count) - 1u) << offset;
    return (x & ~mask) | (bits << offset & mask);
}

/* Functions of 32-bit integers; false when this is not one. */
static bool integer_of(tl_builtin builtin, const tl_constant_value *v, uint32_t *y)
{
    uint32_t x = bits_of(&v[0]);
    bool is_signed = tl_kind_is_signed((tl_kind)v[0].type);
    switch (builtin) {
    case TL_BUILTIN_countOneBits: *y = count_ones(x); return true;
    case TL_BUILTIN_countLeadingZeros: *y = leading_zeros(x); return true;
    case TL_BUILTIN_countTrailingZeros: *y = leading_zeros(reversed(x)); return true;
    case TL_BUILTIN_reverseBits: *y = reversed(x); return true;
    case TL_BUILTIN_firstLeadingBit:
        if (is_signed && x >> 31 != 0) x = ~x;
        *y = x == 0 ? UINT32_MAX : 31 - leading_zeros(x);
        return true;
    case TL_BUILTIN_firstTrailingBit: *y = x == 0 ? UINT32_MAX : leading_zeros(reversed(x)); return true;
    case TL_BUILTIN_extractBits: *y = field(x, bits_of(&v[1]), bits_of(&v[2]), is_signed); return true;
    case TL_BUILTIN_insertBits: *y = inserted(x, bits_of(&v[1]), bits_of(&v[2]), bits_of(&v[3])); return true;
    default: return false;
    }
}

static bool less(const tl_constant_value *a, const tl_constant_value *b)
{
    if (tl_kind_is_float((tl_kind)a->type)) return a->as.f < b->as.f;
    return tl_kind_is_signed((tl_kind)a->type) ? a->as.i < b->as.i : a->as.bits < b->as.bits;
}

static tl_fold pick(tl_constants *c, const tl_constant_value *v, tl_constant *result)
{
    bool real = tl_kind_is_float((tl_kind)v->type);
    *result = real ? tl_constant_float(c, v->type, v->as.f) : tl_constant_int(c, v->type, v->as.i);
    return TL_FOLD_OK;
}

static tl_fold magnitude(tl_constants *c, const tl_constant_value *v, tl_constant *result)
{
    bool real = tl_kind_is_float((tl_kind)v->type);
    bool negative = real ? v->as.f < 0 : tl_kind_is_signed((tl_kind)v->type) && v->as.i < 0;
    if (!negative) return pick(c, v, result);
    *result = real ? tl_constant_float(c, v->type, -v->as.f)
                   : tl_constant_int(c, v->type, tl_wrap_integer(v->type, 0 - v->as.bits));
    return TL_FOLD_OK;
}

static tl_fold finish_real(tl_constants *c, tl_type type, double y, tl_constant *result)
{
    y = tl_round_to(type, y);
    *result = tl_constant_float(c, type, y);
    return y - y == 0 ? TL_FOLD_OK : TL_FOLD_OVERFLOW;
}

static tl_fold fold_scalar(tl_constants *c, tl_builtin builtin, const tl_constant *arguments, uint32_t count,
                           tl_type type, tl_constant *result)
{
    tl_constant_value v[MAX_ARGUMENTS];
    double x[MAX_ARGUMENTS], y = 0;
    for (uint32_t k = 0; k < count; k++) {
        v[k] = *tl_constant_get(c, arguments[k]);
        if (!tl_type_is_scalar(v[k].type)) return TL_FOLD_OPAQUE;
        x[k] = number(&v[k]);
    }
    switch (builtin) {
    case TL_BUILTIN_abs: return magnitude(c, &v[0], result);
    case TL_BUILTIN_min: return pick(c, less(&v[1], &v[0]) ? &v[1] : &v[0], result);
    case TL_BUILTIN_max: return pick(c, less(&v[0], &v[1]) ? &v[1] : &v[0], result);
    case TL_BUILTIN_clamp:
        if (less(&v[2], &v[1])) return TL_FOLD_DOMAIN;
        return pick(c, less(&v[0], &v[1]) ? &v[1] : less(&v[2], &v[0]) ? &v[2] : &v[0], result);
    case TL_BUILTIN_select: return pick(c, v[2].as.i != 0 ? &v[1] : &v[0], result);
    case TL_BUILTIN_sign:
        y = (x[0] > 0) - (x[0] < 0);
        *result =
            tl_kind_is_float((tl_kind)type) ? tl_constant_float(c, type, y) : tl_constant_int(c, type, (int64_t)y);
        return TL_FOLD_OK;
    default: break;
    }
    if (tl_kind_is_float((tl_kind)type)) {
        if (is_real_of_one(builtin)) {
            if (!real_of_one(builtin, x[0], &y)) return TL_FOLD_DOMAIN;
            return finish_real(c, type, y, result);
        }
        if (!real_of_more(builtin, x, &y)) return TL_FOLD_OPAQUE;
        return finish_real(c, type, y, result);
    }
    uint32_t bits = 0;
    if ((type != TL_TYPE_U32 && type != TL_TYPE_I32) || !integer_of(builtin, v, &bits)) { return TL_FOLD_OPAQUE; }
    *result = tl_constant_int(c, type, tl_wrap_integer(type, bits));
    return TL_FOLD_OK;
}

/* dot as a sum of products, in the arithmetic of the component type. */
static tl_fold fold_dot(tl_constants *c, tl_constant a, tl_constant b, tl_type type, tl_constant *result)
{
    uint32_t count = tl_type_components(c->types, tl_constant_get(c, a)->type);
    *result = tl_constant_zero(c, type);
    for (uint32_t k = 0; k < count; k++) {
        tl_constant product;
        tl_fold fold = tl_fold_binary(c, TL_OP_MULTIPLY, tl_constant_element(c, a, k), tl_constant_element(c, b, k),
                                      type, &product);
        if (fold != TL_FOLD_OK) return fold;
        fold = tl_fold_binary(c, TL_OP_ADD, *result, product, type, result);
        if (fold != TL_FOLD_OK) return fold;
    }
    return TL_FOLD_OK;
}

static tl_fold fold_length(tl_constants *c, tl_constant a, tl_type type, tl_constant *result)
{
    if (tl_type_is_scalar(tl_constant_get(c, a)->type)) {
        return tl_fold_builtin(c, TL_BUILTIN_abs, &a, 1, type, result);
    }
    uint32_t count = tl_type_components(c->types, tl_constant_get(c, a)->type);
    double sum = 0, x;
    for (uint32_t k = 0; k < count; k++) {
        if (!tl_constant_as_double(c, tl_constant_element(c, a, k), &x)) return TL_FOLD_OPAQUE;
        sum += x * x;
    }
    if (sum - sum != 0) return TL_FOLD_OPAQUE;
    return finish_real(c, type, tl_square_root(sum), result);
}

static tl_fold fold_all_any(tl_constants *c, tl_builtin builtin, tl_constant a, tl_constant *result)
{
    uint32_t count = tl_type_components(c->types, tl_constant_get(c, a)->type);
    bool all = true, any = false;
    for (uint32_t k = 0; k < count; k++) {
        int64_t value = 0;
        tl_constant part = count == 1 ? a : tl_constant_element(c, a, k);
        if (!tl_constant_as_int(c, part, &value)) return TL_FOLD_OPAQUE;
        all = all && value != 0;
        any = any || value != 0;
    }
    *result = tl_constant_bool(c, builtin == TL_BUILTIN_all ? all : any);
    return TL_FOLD_OK;
}

tl_fold tl_fold_builtin(tl_constants *c, tl_builtin builtin, const tl_constant *arguments, uint32_t count, tl_type type,
                        tl_constant *result)
{
    *result = TL_CONSTANT_OPAQUE;
    if (count == 0 || count > MAX_ARGUMENTS) return TL_FOLD_OPAQUE;
    for (uint32_t k = 0; k < count; k++) {
        if (!tl_constant_is_value(arguments[k])) return TL_FOLD_OPAQUE;
    }
    if (builtin == TL_BUILTIN_all || builtin == TL_BUILTIN_any) {
        return fold_all_any(c, builtin, arguments[0], result);
    }
    if (builtin == TL_BUILTIN_dot) return fold_dot(c, arguments[0], arguments[1], type, result);
    if (builtin == TL_BUILTIN_length) return fold_length(c, arguments[0], type, result);
    if (tl_type_is_scalar(type)) return fold_scalar(c, builtin, arguments, count, type, result);
    if (!tl_type_is_vector(type)) return TL_FOLD_OPAQUE;
    if (builtin == TL_BUILTIN_cross || builtin == TL_BUILTIN_normalize || builtin == TL_BUILTIN_reflect ||
        builtin == TL_BUILTIN_refract || builtin == TL_BUILTIN_faceForward) {
        return TL_FOLD_OPAQUE;
    }
    uint32_t components = tl_type_components(c->types, type);
    tl_type scalar = tl_type_get(c->types, type)->element;
    tl_constant parts[4];
    for (uint32_t k = 0; k < components; k++) {
        tl_constant taken[MAX_ARGUMENTS];
        for (uint32_t j = 0; j < count; j++) {
            bool spread = tl_type_is_scalar(tl_constant_get(c, arguments[j])->type);
            taken[j] = spread ? arguments[j] : tl_constant_element(c, arguments[j], k);
        }
        tl_fold fold = fold_scalar(c, builtin, taken, count, scalar, &parts[k]);
        if (fold != TL_FOLD_OK) return fold;
    }
    *result = tl_constant_composite(c, type, parts, components);
    return TL_FOLD_OK;
}
