/* SPDX-License-Identifier: MIT
 *
 * The table of symbolic values: equal values are one entry; constants are folded, ranges and dependences carried. */
#include "wgsl/value.h"

#include <string.h>

/* ---- the table --------------------------------------------------------------------------------------------------- */

static bool grow(tl_values *v, void **array, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) return true;
    uint32_t wanted = *capacity == 0 ? 64 : *capacity * 2;
    void *moved = tl_arena_alloc(v->arena, wanted, size, 8);
    if (moved == NULL) {
        v->full = true;
        return false;
    }
    if (*array != NULL) memcpy(moved, *array, count * size);
    *array = moved;
    *capacity = wanted;
    return true;
}

#define GROW(v, array, count, capacity) grow((v), (void **)&(array), (count), &(capacity), sizeof *(array))

static uint32_t hash_of(const tl_term_info *info)
{
    uint64_t h = (uint64_t)info->kind | (uint64_t)info->op << 8 | (uint64_t)info->type << 16;
    h = (h ^ info->a) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29 ^ info->b) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 31 ^ info->c) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29 ^ (uint64_t)info->lo ^ info->depends) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 32);
}

/* What a value is: a range is part of it only where it is the value. */
static bool is_same(const tl_term_info *x, const tl_term_info *y)
{
    return x->kind == y->kind && x->op == y->op && x->type == y->type && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->depends == y->depends && x->lo == y->lo;
}

static void rehash(tl_values *v, uint32_t bucket_count)
{
    uint32_t *buckets = TL_ARENA_ARRAY(v->arena, uint32_t, bucket_count);
    if (buckets == NULL) {
        v->full = true;
        return;
    }
    v->buckets = buckets;
    v->bucket_count = bucket_count;
    for (uint32_t k = 1; k < v->count; k++) {
        uint32_t *bucket = &buckets[hash_of(&v->terms[k]) & (bucket_count - 1)];
        v->terms[k].next = *bucket;
        *bucket = k;
    }
}

static tl_term intern(tl_values *v, tl_term_info info)
{
    uint32_t hash = hash_of(&info);
    for (uint32_t k = v->buckets[hash & (v->bucket_count - 1)]; k != 0; k = v->terms[k].next) {
        if (is_same(&v->terms[k], &info)) return k;
    }
    uint32_t capacity = v->capacity;
    if (!GROW(v, v->terms, v->count, v->capacity)) return 0;
    if (capacity != v->capacity) {
        uint32_t *moved = TL_ARENA_ARRAY(v->arena, uint32_t, v->capacity);
        if (moved == NULL) {
            v->full = true;
            v->capacity = capacity;
            return 0;
        }
        memcpy(moved, v->induction_of, v->count * sizeof *moved);
        v->induction_of = moved;
    }
    if (v->count >= v->bucket_count) rehash(v, v->bucket_count * 2);
    uint32_t *bucket = &v->buckets[hash & (v->bucket_count - 1)];
    info.next = *bucket;
    *bucket = v->count;
    v->terms[v->count] = info;
    return v->count++;
}

bool tl_values_init(tl_values *v, const telar_wgsl *m, telar_arena *arena)
{
    *v = (tl_values){.m = m, .arena = arena, .count = 1, .capacity = 1024, .bucket_count = 1024, .element_count = 1};
    v->loop_count = v->induction_count = 1;
    v->terms = TL_ARENA_ARRAY(arena, tl_term_info, v->capacity);
    v->induction_of = TL_ARENA_ARRAY(arena, uint32_t, v->capacity);
    v->buckets = TL_ARENA_ARRAY(arena, uint32_t, v->bucket_count);
    v->full = v->terms == NULL || v->induction_of == NULL || v->buckets == NULL;
    return !v->full;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static void type_range(tl_type type, int64_t *lo, int64_t *hi)
{
    *lo = 0;
    *hi = 0;
    if (type == TL_TYPE_U32) *hi = UINT32_MAX;
    if (type == TL_TYPE_BOOL) *hi = 1;
    if (type == TL_TYPE_I32) {
        *lo = INT32_MIN;
        *hi = INT32_MAX;
    }
    if (type == TL_TYPE_ABSTRACT_INT) {
        *lo = INT64_MIN;
        *hi = INT64_MAX;
    }
}

/* The types whose values are followed. */
static bool is_followed(tl_type type)
{
    return type == TL_TYPE_U32 || type == TL_TYPE_I32 || type == TL_TYPE_BOOL || type == TL_TYPE_ABSTRACT_INT;
}

static int64_t wrapped(tl_type type, int64_t value)
{
    if (type == TL_TYPE_U32) return (int64_t)(uint32_t)value;
    if (type == TL_TYPE_I32) return (int64_t)(int32_t)(uint32_t)(uint64_t)value;
    return value;
}

/* A range within the type, or the whole type where it does not fit. */
static void set_range(tl_term_info *info, int64_t lo, int64_t hi)
{
    type_range(info->type, &info->lo, &info->hi);
    if (lo < info->lo || hi > info->hi || lo > hi) return;
    info->lo = lo;
    info->hi = hi;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

tl_term tl_term_int(tl_values *v, tl_type type, int64_t value)
{
    value = wrapped(type, value);
    tl_term_info info = {.kind = TL_TERM_CONSTANT, .type = type, .lo = value, .hi = value};
    return intern(v, info);
}

tl_term tl_term_bool(tl_values *v, bool value)
{
    return tl_term_int(v, TL_TYPE_BOOL, value);
}

tl_term tl_term_inexact(tl_values *v, tl_type type, uint32_t depends)
{
    return intern(v, (tl_term_info){.kind = TL_TERM_INEXACT, .type = type, .depends = (uint16_t)depends});
}

tl_term tl_term_unknown(tl_values *v, tl_type type, uint32_t depends)
{
    if (!is_followed(type) || type == TL_TYPE_ABSTRACT_INT) return tl_term_inexact(v, type, depends);
    tl_term_info info = {.kind = TL_TERM_UNKNOWN, .type = type, .a = ++v->unknown_count, .depends = (uint16_t)depends};
    type_range(type, &info.lo, &info.hi);
    return intern(v, info);
}

/* Groups on an axis: those of the launch, or the most that a device takes. */
/* Where an override makes the size: more than any device has invocations in a group. */
#define LOCAL_MAX 0xFFFF

static int64_t groups_on(const tl_values *v, uint32_t axis)
{
    return v->dispatch[0] != 0 ? v->dispatch[axis] : v->groups_limit;
}

static void builtin_range(const tl_values *v, tl_builtin_value value, uint32_t axis, tl_term_info *info)
{
    const uint32_t group = (uint32_t)TL_ON_GROUP_X << axis, local = (uint32_t)TL_ON_LOCAL_X << axis;
    int64_t size = v->size[axis], groups = groups_on(v, axis);
    bool sized = v->size[0] != 0 && v->size[1] != 0 && v->size[2] != 0;
    int64_t product = (int64_t)v->size[0] * v->size[1] * v->size[2];
    info->depends = TL_ON_UNKNOWN;
    set_range(info, INT64_MIN, INT64_MAX);
    switch (value) {
    case TL_VALUE_workgroup_id:
        info->depends = (uint16_t)group;
        set_range(info, 0, groups - 1);
        break;
    case TL_VALUE_local_invocation_id:
        info->depends = (uint16_t)(size == 1 ? 0 : local);
        set_range(info, 0, size != 0 ? size - 1 : LOCAL_MAX);
        break;
    case TL_VALUE_global_invocation_id:
        info->depends = (uint16_t)(size == 1 ? group : group | local);
        if (size != 0) set_range(info, 0, size * groups - 1);
        break;
    case TL_VALUE_num_workgroups:
        info->depends = TL_ON_GROUPS;
        set_range(info, v->dispatch[0] != 0 ? groups : 1, groups);
        break;
    case TL_VALUE_local_invocation_index:
        info->depends = (uint16_t)((v->size[0] != 1 ? TL_ON_LOCAL_X : 0) | (v->size[1] != 1 ? TL_ON_LOCAL_Y : 0) |
                                   (v->size[2] != 1 ? TL_ON_LOCAL_Z : 0));
        set_range(info, 0, sized ? product - 1 : LOCAL_MAX);
        break;
    case TL_VALUE_workgroup_index: info->depends = TL_ON_GROUP; break;
    case TL_VALUE_global_invocation_index: info->depends = TL_ON_GROUP | TL_ON_LOCAL; break;
    case TL_VALUE_subgroup_invocation_id:
        info->depends = TL_ON_SUBGROUP;
        set_range(info, 0, 127);
        break;
    case TL_VALUE_subgroup_size:
        info->depends = TL_ON_SUBGROUP;
        set_range(info, 4, 128);
        break;
    case TL_VALUE_subgroup_id:
    case TL_VALUE_num_subgroups:
        info->depends = TL_ON_SUBGROUP;
        if (sized) set_range(info, 0, product);
        break;
    default: break;
    }
}

tl_term tl_term_builtin(tl_values *v, tl_builtin_value value, uint32_t component)
{
    tl_type type = tl_builtin_value_type(value);
    if (type != TL_TYPE_U32 && type != tl_type_vector(TL_KIND_U32, 3)) return tl_term_unknown(v, type, TL_ON_UNKNOWN);
    tl_term_info info = {.kind = TL_TERM_BUILTIN, .type = TL_TYPE_U32, .a = value, .b = component};
    bool single = value == TL_VALUE_local_invocation_id && v->size[component] == 1;
    if (single) return tl_term_int(v, TL_TYPE_U32, 0);
    builtin_range(v, value, component, &info);
    return intern(v, info);
}

tl_term tl_term_loop(tl_values *v, uint32_t loop, uint32_t declaration, tl_type type, uint32_t depends)
{
    if (!is_followed(type)) return tl_term_inexact(v, type, depends);
    tl_term_info info = {
        .kind = TL_TERM_LOOP, .type = type, .a = loop, .b = declaration, .depends = (uint16_t)(depends | TL_ON_LOOP)};
    type_range(type, &info.lo, &info.hi);
    return intern(v, info);
}

const tl_induction *tl_term_induction(const tl_values *v, tl_term term)
{
    uint32_t number = v->induction_of[term];
    return number == 0 ? NULL : &v->inductions[number];
}

tl_induction *tl_induction_add(tl_values *v, tl_term term)
{
    if (!GROW(v, v->inductions, v->induction_count, v->induction_capacity)) return NULL;
    v->inductions[v->induction_count] = (tl_induction){.term = term};
    v->induction_of[term] = v->induction_count;
    return &v->inductions[v->induction_count++];
}

/* ---- operators --------------------------------------------------------------------------------------------------- */

static uint32_t both(const tl_values *v, tl_term a, tl_term b)
{
    return (uint32_t)v->terms[a].depends | v->terms[b].depends;
}

/* A value without an entry of its own for what is not followed. */
static tl_term other(tl_values *v, tl_type type, uint32_t depends)
{
    return is_followed(type) ? tl_term_unknown(v, type, depends) : tl_term_inexact(v, type, depends);
}

static bool is_exact(const tl_values *v, tl_term term)
{
    return term != 0 && v->terms[term].kind != TL_TERM_INEXACT && is_followed(v->terms[term].type);
}

tl_term tl_term_unary(tl_values *v, tl_wgsl_op op, tl_term a, tl_type type)
{
    const tl_term_info x = v->terms[a];
    if (!is_exact(v, a) || !is_followed(type)) return other(v, type, x.depends);
    tl_term_info info = {.kind = TL_TERM_UNARY, .op = (uint8_t)op, .type = type, .a = a, .depends = x.depends};
    bool constant = x.kind == TL_TERM_CONSTANT;
    set_range(&info, INT64_MIN, INT64_MAX);
    switch (op) {
    case TL_OP_NOT:
        if (constant) return tl_term_bool(v, x.lo == 0);
        if (x.kind == TL_TERM_UNARY && x.op == TL_OP_NOT) return x.a;
        break;
    case TL_OP_NEGATE:
        if (constant && x.lo != INT64_MIN) return tl_term_int(v, type, -x.lo);
        if (x.lo > INT64_MIN) set_range(&info, -x.hi, -x.lo);
        break;
    case TL_OP_COMPLEMENT:
        if (constant) return tl_term_int(v, type, ~x.lo);
        break;
    default: return other(v, type, x.depends);
    }
    return intern(v, info);
}

static bool is_comparison(tl_wgsl_op op)
{
    return op >= TL_OP_LESS && op <= TL_OP_NOT_EQUAL;
}

/* 1 or 0 when the ranges decide a comparison, else -1. */
static int decided(tl_wgsl_op op, const tl_term_info *x, const tl_term_info *y)
{
    switch (op) {
    case TL_OP_LESS: return x->hi < y->lo ? 1 : x->lo >= y->hi ? 0 : -1;
    case TL_OP_LESS_EQUAL: return x->hi <= y->lo ? 1 : x->lo > y->hi ? 0 : -1;
    case TL_OP_GREATER: return x->lo > y->hi ? 1 : x->hi <= y->lo ? 0 : -1;
    case TL_OP_GREATER_EQUAL: return x->lo >= y->hi ? 1 : x->hi < y->lo ? 0 : -1;
    case TL_OP_EQUAL:
        return x->lo == x->hi && y->lo == y->hi && x->lo == y->lo ? 1 : x->hi < y->lo || y->hi < x->lo ? 0 : -1;
    case TL_OP_NOT_EQUAL:
        return x->lo == x->hi && y->lo == y->hi && x->lo == y->lo ? 0 : x->hi < y->lo || y->hi < x->lo ? 1 : -1;
    default: return -1;
    }
}

static tl_term make_binary(tl_values *v, tl_wgsl_op op, tl_term a, tl_term b, tl_type type, int64_t lo, int64_t hi)
{
    tl_term_info info = {.kind = TL_TERM_BINARY, .op = (uint8_t)op, .type = type, .a = a, .b = b};
    info.depends = (uint16_t)both(v, a, b);
    set_range(&info, lo, hi);
    return intern(v, info);
}

static tl_term compare(tl_values *v, tl_wgsl_op op, tl_term a, tl_term b)
{
    /* Only constants decide: a range that the launch gives is not what a reader sees in the source. */
    const tl_term_info *x = &v->terms[a], *y = &v->terms[b];
    bool constant = x->kind == TL_TERM_CONSTANT && y->kind == TL_TERM_CONSTANT;
    int known = constant ? decided(op, x, y) : -1;
    if (known >= 0) return tl_term_bool(v, known == 1);
    return make_binary(v, op, a, b, TL_TYPE_BOOL, 0, 1);
}

static tl_term logic(tl_values *v, tl_wgsl_op op, tl_term a, tl_term b)
{
    int64_t value;
    bool is_and = op == TL_OP_AND_AND || op == TL_OP_AND;
    tl_wgsl_op plain = is_and ? TL_OP_AND_AND : op == TL_OP_XOR ? TL_OP_XOR : TL_OP_OR_OR;
    if (plain == TL_OP_XOR) return make_binary(v, plain, a, b, TL_TYPE_BOOL, 0, 1);
    if (tl_term_constant(v, a, &value)) return (value != 0) == is_and ? b : a;
    if (tl_term_constant(v, b, &value)) return (value != 0) == is_and ? a : b;
    if (a == b) return a;
    return make_binary(v, plain, a, b, TL_TYPE_BOOL, 0, 1);
}

static bool fold(tl_wgsl_op op, tl_type type, int64_t x, int64_t y, int64_t *result)
{
    int64_t r = 0;
    bool fits = true;
    switch (op) {
    case TL_OP_ADD: fits = !__builtin_add_overflow(x, y, &r); break;
    case TL_OP_SUBTRACT: fits = !__builtin_sub_overflow(x, y, &r); break;
    case TL_OP_MULTIPLY: fits = !__builtin_mul_overflow(x, y, &r); break;
    case TL_OP_DIVIDE:
        fits = y != 0 && y != -1;
        r = fits ? x / y : 0;
        break;
    case TL_OP_REMAINDER:
        fits = y != 0 && y != -1;
        r = fits ? x % y : 0;
        break;
    case TL_OP_AND: r = x & y; break;
    case TL_OP_OR: r = x | y; break;
    case TL_OP_XOR: r = x ^ y; break;
    case TL_OP_SHIFT_LEFT:
        fits = y >= 0 && y < 32 && x >= 0 && x <= UINT32_MAX;
        r = fits ? x << y : 0;
        break;
    case TL_OP_SHIFT_RIGHT:
        fits = y >= 0 && y < 32;
        r = fits ? x >> y : 0;
        break;
    default: return false;
    }
    *result = wrapped(type, r);
    return fits;
}

/* The smallest 2^k - 1 that is not below x. */
static int64_t mask_above(int64_t x)
{
    int64_t mask = 0;
    while (mask < x && mask < UINT32_MAX) mask = mask << 1 | 1;
    return mask;
}

/* Far from where sums of two overflow; abstract integers can be beyond. */
static bool is_moderate(const tl_term_info *x)
{
    return x->lo >= -(INT64_C(1) << 40) && x->hi <= INT64_C(1) << 40;
}

/* Ranges of operands that are not negative, where they matter. */
static void arithmetic_range(tl_wgsl_op op, const tl_term_info *x, const tl_term_info *y, int64_t *lo, int64_t *hi)
{
    bool positive = x->lo >= 0 && y->lo >= 0;
    *lo = INT64_MIN;
    *hi = INT64_MAX;
    if (!is_moderate(x) || !is_moderate(y)) return;
    switch (op) {
    case TL_OP_ADD:
        *lo = x->lo + y->lo;
        *hi = x->hi + y->hi;
        break;
    case TL_OP_SUBTRACT:
        *lo = x->lo - y->hi;
        *hi = x->hi - y->lo;
        break;
    case TL_OP_MULTIPLY:
        if (!positive || __builtin_mul_overflow(x->hi, y->hi, hi)) break;
        *lo = x->lo * y->lo;
        break;
    case TL_OP_DIVIDE:
        if (!positive || y->lo < 1) break;
        *lo = x->lo / y->hi;
        *hi = x->hi / y->lo;
        break;
    case TL_OP_REMAINDER:
        if (!positive || y->hi < 1) break;
        *lo = 0;
        *hi = x->hi < y->hi - 1 ? x->hi : y->hi - 1;
        if (y->lo < 1) *hi = x->hi; /* x % 0 is x */
        break;
    case TL_OP_AND:
        if (x->lo >= 0 || y->lo >= 0) {
            *lo = 0;
            *hi = x->lo < 0 ? y->hi : y->lo < 0 ? x->hi : x->hi < y->hi ? x->hi : y->hi;
        }
        break;
    case TL_OP_OR:
    case TL_OP_XOR:
        if (!positive) break;
        *lo = 0;
        *hi = mask_above(x->hi > y->hi ? x->hi : y->hi);
        break;
    case TL_OP_SHIFT_LEFT:
        if (!positive || y->hi > 31) break;
        *lo = x->lo << y->lo;
        *hi = x->hi << y->hi;
        break;
    case TL_OP_SHIFT_RIGHT:
        if (!positive || y->hi > 31) break;
        *lo = x->lo >> y->hi;
        *hi = x->hi >> y->lo;
        break;
    default: break;
    }
}

/* The operand that an operation with a constant leaves as it is; 0: none. */
static tl_term neutral(const tl_values *v, tl_wgsl_op op, tl_term a, tl_term b)
{
    int64_t value;
    if (tl_term_constant(v, b, &value)) {
        bool zero = op == TL_OP_ADD || op == TL_OP_SUBTRACT || op == TL_OP_SHIFT_LEFT || op == TL_OP_SHIFT_RIGHT ||
                    op == TL_OP_OR || op == TL_OP_XOR;
        if (zero && value == 0) return a;
        if ((op == TL_OP_MULTIPLY || op == TL_OP_DIVIDE) && value == 1) return a;
        if ((op == TL_OP_MULTIPLY || op == TL_OP_AND) && value == 0) return b;
    }
    if (tl_term_constant(v, a, &value)) {
        if ((op == TL_OP_ADD || op == TL_OP_OR || op == TL_OP_XOR) && value == 0) return b;
        if (op == TL_OP_MULTIPLY && value == 1) return b;
        if ((op == TL_OP_MULTIPLY || op == TL_OP_AND) && value == 0) return a;
    }
    return 0;
}

tl_term tl_term_binary(tl_values *v, tl_wgsl_op op, tl_term a, tl_term b, tl_type type)
{
    if (!is_exact(v, a) || !is_exact(v, b) || !is_followed(type)) return other(v, type, both(v, a, b));
    if (is_comparison(op)) return compare(v, op, a, b);
    if (op == TL_OP_AND_AND || op == TL_OP_OR_OR || type == TL_TYPE_BOOL) return logic(v, op, a, b);
    const tl_term_info x = v->terms[a], y = v->terms[b];
    int64_t value;
    bool constant = x.kind == TL_TERM_CONSTANT && y.kind == TL_TERM_CONSTANT;
    if (constant && fold(op, type, x.lo, y.lo, &value)) return tl_term_int(v, type, value);
    tl_term same = neutral(v, op, a, b);
    if (same != 0) return tl_term_convert(v, same, type);
    int64_t lo, hi;
    arithmetic_range(op, &x, &y, &lo, &hi);
    return make_binary(v, op, a, b, type, lo, hi);
}

static tl_term extreme(tl_values *v, tl_term_kind kind, tl_term a, tl_term b)
{
    const tl_term_info x = v->terms[a], y = v->terms[b];
    if (!is_exact(v, a) || !is_exact(v, b)) return other(v, x.type, both(v, a, b));
    if (a == b) return a;
    bool constant = x.kind == TL_TERM_CONSTANT && y.kind == TL_TERM_CONSTANT;
    if (constant) return (x.lo < y.lo) == (kind == TL_TERM_MIN) ? a : b;
    tl_term_info info = {.kind = (uint8_t)kind, .type = x.type, .a = a, .b = b, .depends = (uint16_t)both(v, a, b)};
    if (kind == TL_TERM_MIN) {
        set_range(&info, x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi);
    } else {
        set_range(&info, x.lo > y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi);
    }
    return intern(v, info);
}

tl_term tl_term_min(tl_values *v, tl_term a, tl_term b)
{
    return extreme(v, TL_TERM_MIN, a, b);
}

tl_term tl_term_max(tl_values *v, tl_term a, tl_term b)
{
    return extreme(v, TL_TERM_MAX, a, b);
}

static tl_term select_bool(tl_values *v, tl_term on_false, tl_term on_true, tl_term condition)
{
    int64_t value;
    if (tl_term_constant(v, on_true, &value)) {
        if (value != 0) return logic(v, TL_OP_OR_OR, condition, on_false);
        return logic(v, TL_OP_AND_AND, tl_term_unary(v, TL_OP_NOT, condition, TL_TYPE_BOOL), on_false);
    }
    if (tl_term_constant(v, on_false, &value)) {
        if (value == 0) return logic(v, TL_OP_AND_AND, condition, on_true);
        return logic(v, TL_OP_OR_OR, tl_term_unary(v, TL_OP_NOT, condition, TL_TYPE_BOOL), on_true);
    }
    return 0;
}

tl_term tl_term_select(tl_values *v, tl_term on_false, tl_term on_true, tl_term condition)
{
    if (on_false == on_true && !tl_term_is(v, on_true, TL_TERM_INEXACT)) return on_true;
    int64_t value;
    if (tl_term_constant(v, condition, &value)) return value != 0 ? on_true : on_false;
    tl_type type = v->terms[on_true].type;
    uint32_t depends = both(v, on_true, on_false) | v->terms[condition].depends;
    if (!is_exact(v, on_false) || !is_exact(v, on_true) || !is_exact(v, condition)) return other(v, type, depends);
    tl_term simple = type == TL_TYPE_BOOL ? select_bool(v, on_false, on_true, condition) : 0;
    if (simple != 0) return simple;
    tl_term_info info = {.kind = TL_TERM_SELECT, .type = type, .a = on_false, .b = on_true, .c = condition};
    const tl_term_info *x = &v->terms[on_false], *y = &v->terms[on_true];
    info.depends = (uint16_t)depends;
    set_range(&info, x->lo < y->lo ? x->lo : y->lo, x->hi > y->hi ? x->hi : y->hi);
    return intern(v, info);
}

tl_term tl_term_convert(tl_values *v, tl_term a, tl_type type)
{
    const tl_term_info x = v->terms[a];
    if (x.type == type) return a;
    if (!is_exact(v, a) || !is_followed(type)) return other(v, type, x.depends);
    if (x.kind == TL_TERM_CONSTANT)
        return type == TL_TYPE_BOOL ? tl_term_bool(v, x.lo != 0) : tl_term_int(v, type, x.lo);
    if (x.kind == TL_TERM_CONVERT && v->terms[x.a].type == type) return x.a;
    tl_term_info info = {.kind = TL_TERM_CONVERT, .type = type, .a = a, .depends = x.depends};
    set_range(&info, x.lo, x.hi);
    return intern(v, info);
}

/* ---- composites -------------------------------------------------------------------------------------------------- */

tl_term tl_term_composite(tl_values *v, tl_type type, const tl_term *elements, uint32_t count)
{
    uint32_t depends = 0;
    for (uint32_t k = 0; k < count; k++) depends |= v->terms[elements[k]].depends;
    uint32_t first = v->element_count;
    for (uint32_t k = 0; k < count; k++) {
        if (!GROW(v, v->elements, v->element_count, v->element_capacity)) return 0;
        v->elements[v->element_count++] = elements[k];
    }
    tl_term_info info = {.kind = TL_TERM_COMPOSITE, .type = type, .a = first, .b = count, .depends = (uint16_t)depends};
    return intern(v, info);
}

tl_term tl_term_element(tl_values *v, tl_term composite, uint32_t position, tl_type type)
{
    const tl_term_info info = v->terms[composite];
    if (info.kind == TL_TERM_COMPOSITE) return position < info.b ? v->elements[info.a + position] : 0;
    if (info.kind == TL_TERM_LOAD) {
        tl_term place = tl_term_place_of(v, info.a, position, type);
        return tl_term_load(v, place, info.b, info.depends);
    }
    if (info.kind == TL_TERM_INEXACT || !is_followed(type)) return other(v, type, info.depends);
    tl_term_info element = {.kind = TL_TERM_ELEMENT, .type = type, .a = composite, .b = position};
    element.depends = info.depends;
    type_range(type, &element.lo, &element.hi);
    return intern(v, element);
}

tl_term tl_term_call(tl_values *v, tl_builtin builtin, tl_term first, tl_type type, uint32_t depends)
{
    if (!is_followed(type)) return tl_term_inexact(v, type, depends);
    if (first != 0 && !is_exact(v, first)) return tl_term_unknown(v, type, depends);
    tl_term_info info = {.kind = TL_TERM_CALL, .type = type, .a = builtin, .b = first, .depends = (uint16_t)depends};
    type_range(type, &info.lo, &info.hi);
    return intern(v, info);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

tl_term tl_term_place(tl_values *v, uint32_t declaration)
{
    tl_type type = tl_node_value_type(v->m, declaration);
    return intern(v, (tl_term_info){.kind = TL_TERM_PLACE, .type = type, .a = declaration});
}

tl_term tl_term_place_at(tl_values *v, tl_term place, tl_term index, tl_type type)
{
    tl_term_info info = {.kind = TL_TERM_PLACE_AT, .type = type, .a = place, .b = index};
    info.depends = (uint16_t)both(v, place, index);
    return intern(v, info);
}

tl_term tl_term_place_of(tl_values *v, tl_term place, uint32_t member, tl_type type)
{
    tl_term_info info = {.kind = TL_TERM_PLACE_OF, .type = type, .a = place, .b = member};
    info.depends = v->terms[place].depends;
    return intern(v, info);
}

tl_term tl_term_length(tl_values *v, tl_term place)
{
    tl_term_info info = {.kind = TL_TERM_LENGTH, .type = TL_TYPE_U32, .a = place, .depends = TL_ON_LENGTH};
    set_range(&info, 1, UINT32_MAX);
    return intern(v, info);
}

uint32_t tl_place_root(const tl_values *v, tl_term place)
{
    for (;;) {
        const tl_term_info *info = &v->terms[place];
        if (info->kind == TL_TERM_PLACE) return info->a;
        if (info->kind != TL_TERM_PLACE_AT && info->kind != TL_TERM_PLACE_OF) return 0;
        place = info->a;
    }
}

/* Bytes of a part within the whole whose type this is. */
static bool part_offset(const tl_types *types, tl_type whole, uint64_t position, uint64_t *offset)
{
    const tl_type_info *info = tl_type_get(types, whole);
    if (info->kind == TL_KIND_STRUCT) {
        const tl_struct *record = tl_type_struct(types, whole);
        if (record == NULL || position >= record->member_count) return false;
        *offset = tl_type_members(types, whole)[position].offset;
        return true;
    }
    uint64_t stride = 0;
    if (info->kind == TL_KIND_ARRAY) stride = tl_layout_stride(types, whole);
    if (info->kind == TL_KIND_MATRIX) stride = tl_layout_column_stride(types, whole);
    if (info->kind == TL_KIND_VECTOR) stride = info->size / info->rows;
    if (info->kind == TL_KIND_VECTOR && info->rows == 3) stride = info->align / 4;
    *offset = stride * position;
    return stride != 0;
}

bool tl_place_offset(const tl_values *v, tl_term place, uint64_t *offset)
{
    *offset = 0;
    for (;;) {
        const tl_term_info *info = &v->terms[place];
        if (info->kind == TL_TERM_PLACE) return true;
        if (info->kind != TL_TERM_PLACE_AT && info->kind != TL_TERM_PLACE_OF) return false;
        int64_t position = info->b;
        bool constant = info->kind == TL_TERM_PLACE_OF || tl_term_constant(v, info->b, &position);
        uint64_t part;
        if (!constant || position < 0) return false;
        if (!part_offset(&v->m->semantics->types, v->terms[info->a].type, (uint64_t)position, &part)) return false;
        *offset += part;
        place = info->a;
    }
}

/* What the launch writes there, if it does. */
static const tl_given *given_at(const tl_values *v, tl_term place)
{
    uint64_t offset;
    if (v->given_count == 0 || !tl_place_offset(v, place, &offset)) return NULL;
    uint32_t root = tl_place_root(v, place);
    for (uint32_t k = 0; k < v->given_count; k++) {
        if (v->given[k].declaration == root && v->given[k].offset == offset) return &v->given[k];
    }
    return NULL;
}

tl_term tl_term_load(tl_values *v, tl_term place, uint32_t version, uint32_t depends)
{
    tl_type type = v->terms[place].type;
    const tl_type_info *what = tl_type_get(&v->m->semantics->types, type);
    if (what->kind == TL_KIND_ATOMIC) type = what->element;
    tl_term_info info = {.kind = TL_TERM_LOAD, .type = type, .a = place, .b = version, .depends = (uint16_t)depends};
    type_range(type, &info.lo, &info.hi);
    const tl_given *given = version == 0 && is_followed(type) ? given_at(v, place) : NULL;
    if (given != NULL) set_range(&info, given->value, given->value);
    return intern(v, info);
}

tl_term tl_term_plain(const tl_values *v, tl_term term)
{
    while (v->terms[term].kind == TL_TERM_CONVERT) term = v->terms[term].a;
    return term;
}
