/* SPDX-License-Identifier: MIT
 *
 * What reduce can reduce to: every kind and operator on every type that it is for, against plain loops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"
#include "prim/reduce.h"

enum {
    RESULT_BYTES_MAX = 64
};

/* ---- Data -------------------------------------------------------------------------------------------------------- */

typedef void fill(uint32_t *words, uint64_t count);

static void fill_random(uint32_t *words, uint64_t count)
{
    prim_random(words, count, 11);
}

static void fill_few(uint32_t *words, uint64_t count)
{
    prim_random(words, count, 5);
    for (uint64_t k = 0; k < count; k++) words[k] &= 3;
}

static void set_f32(uint32_t *word, float value)
{
    memcpy(word, &value, 4);
}

static float f32_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, 4);
    return value;
}

/* Whole numbers from -8 to 7: sums are exact in any order. */
static void fill_whole_floats(uint32_t *words, uint64_t count)
{
    prim_random(words, count, 3);
    for (uint64_t k = 0; k < count; k++) set_f32(&words[k], (float)(words[k] >> 28) - 8);
}

/* 1 and -1, and so few others that products are exact. */
static void fill_factors(uint32_t *words, uint64_t count)
{
    prim_random(words, count, 4);
    for (uint64_t k = 0; k < count; k++) {
        float factor = k % 97 == 5 ? 2.0f : k % 97 == 11 ? 0.5f : 1.0f;
        set_f32(&words[k], (words[k] & 1) != 0 ? factor : -factor);
    }
}

/* Whatever a float can be: NaNs of both signs, infinities, zeros of both signs, denormals. */
static void fill_odd_floats(uint32_t *words, uint64_t count)
{
    static const uint32_t odd[] = {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x80000000, 0, 1, 0x80000001};
    prim_random(words, count, 9);
    for (uint64_t k = 0; k < count; k++) {
        if (k % 5 == 3) words[k] = odd[words[k] % 8];
    }
}

/* No infinity, so that the greatest and least are found among ordinary numbers; NaNs and zeros of both signs. */
static void fill_near_zero(uint32_t *words, uint64_t count)
{
    static const uint32_t few[] = {0x80000000, 0, 0x7fc00000, 0xffc00001, 0xffffffff};
    prim_random(words, count, 13);
    for (uint64_t k = 0; k < count; k++) words[k] = few[words[k] % 5];
}

static void fill_nans(uint32_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) words[k] = k % 2 == 0 ? 0x7fc00000 : 0xffc00000;
}

/* Large numbers that cancel, and small ones between them. */
static void fill_cancelling(uint32_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        uint64_t turn = k % 3;
        set_f32(&words[k], turn == 0 ? 3.0e7f : turn == 1 ? 0.125f * (float)(k % 7) : -3.0e7f);
    }
}

/* A mean far larger than the deviation. */
static void fill_far(uint32_t *words, uint64_t count)
{
    prim_random(words, count, 21);
    for (uint64_t k = 0; k < count; k++) set_f32(&words[k], 100.0f + (float)(words[k] >> 24) / 256.0f);
}

/* Pairs of halves: 1, 2, -1 and -2, whose sums are exact below 2048. */
static void fill_halves(uint32_t *words, uint64_t count)
{
    static const uint32_t halves[] = {0x3c00, 0x4000, 0xbc00, 0xc000};
    prim_random(words, count, 17);
    for (uint64_t k = 0; k < count; k++) words[k] = halves[words[k] & 3] | halves[words[k] >> 30] << 16;
}

/* ---- Plain loops: n elements of so many words each --------------------------------------------------------------- */

typedef void reference(const uint32_t *data, uint64_t n, uint32_t *result);

#define LOOP(name, start, statement)                                                                                   \
    static void name(const uint32_t *data, uint64_t n, uint32_t *result)                                               \
    {                                                                                                                  \
        *result = start;                                                                                               \
        for (uint64_t k = 0; k < n; k++) statement;                                                                    \
    }
LOOP(sum, 0, *result += data[k])
LOOP(product, 1, *result *= data[k])
LOOP(and, UINT32_MAX, *result &= data[k])
LOOP(or, 0, *result |= data[k])
LOOP(xor, 0, *result ^= data[k])
LOOP(min_u32, UINT32_MAX, *result = data[k] < *result ? data[k] : *result)
LOOP(max_u32, 0, *result = data[k] > *result ? data[k] : *result)
LOOP(min_i32, INT32_MAX, *result = (int32_t)data[k] < (int32_t)*result ? data[k] : *result)
LOOP(max_i32, 0x80000000u, *result = (int32_t)data[k] > (int32_t)*result ? data[k] : *result)
LOOP(any, 0, *result |= (uint32_t)(data[k] > 2))
LOOP(all, 1, *result &= (uint32_t)(data[k] != 3 || k != 1000))
LOOP(count_twos, 0, *result += (uint32_t)(data[k] == 2))
LOOP(count_not_zero, 0, *result += (uint32_t)(data[k] != 0))
LOOP(sum_of_squares, 0, *result += data[k] * data[k])
LOOP(sum_by_index, 0, *result += data[k] * (uint32_t)(k % 1000))
LOOP(sum_of_low_bits, 0, *result += (data[k] & 1) + 1)

/* Floats in the order that the header promises. */
static bool is_less(float a, float b)
{
    return a < b || (a == b && signbit(a) != 0 && signbit(b) == 0);
}

static void float_extreme(const uint32_t *data, uint64_t n, bool least, uint32_t *result, uint32_t *index)
{
    *index = UINT32_MAX;
    set_f32(result, least ? INFINITY : -INFINITY);
    for (uint64_t k = 0; k < n; k++) {
        float x = f32_of(data[k]), best = f32_of(*result);
        bool better = least ? is_less(x, best) : is_less(best, x);
        if (isnan(x) || !(better || *index == UINT32_MAX)) continue;
        *result = data[k];
        *index = (uint32_t)k;
    }
}

static void min_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    uint32_t index;
    float_extreme(data, n, true, result, &index);
}

static void max_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    uint32_t index;
    float_extreme(data, n, false, result, &index);
}

static void min_max_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    min_f32(data, n, &result[0]);
    max_f32(data, n, &result[1]);
}

static void min_max_i32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    min_i32(data, n, &result[0]);
    max_i32(data, n, &result[1]);
}

static void arg_min_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    float_extreme(data, n, true, &result[1], &result[0]);
}

static void arg_max_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    float_extreme(data, n, false, &result[1], &result[0]);
}

#define ARG(name, type, none, better)                                                                                  \
    static void name(const uint32_t *data, uint64_t n, uint32_t *result)                                               \
    {                                                                                                                  \
        type best = none;                                                                                              \
        result[0] = UINT32_MAX;                                                                                        \
        for (uint64_t k = 0; k < n; k++) {                                                                             \
            type x = (type)data[k];                                                                                    \
            if (!(x better best) && result[0] != UINT32_MAX) continue;                                                 \
            best = x;                                                                                                  \
            result[0] = (uint32_t)k;                                                                                   \
        }                                                                                                              \
        result[1] = (uint32_t)best;                                                                                    \
    }
ARG(arg_min_u32, uint32_t, UINT32_MAX, <)
ARG(arg_max_u32, uint32_t, 0, >)
ARG(arg_min_i32, int32_t, INT32_MAX, <)
ARG(arg_max_i32, int32_t, INT32_MIN, >)

static void sum_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    double total = 0;
    for (uint64_t k = 0; k < n; k++) total += (double)f32_of(data[k]);
    set_f32(result, (float)total);
}

static void product_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    double total = 1;
    for (uint64_t k = 0; k < n; k++) total *= (double)f32_of(data[k]);
    set_f32(result, (float)total);
}

static void moments(const uint32_t *data, uint64_t n, uint32_t *result)
{
    double mean = 0, squares = 0;
    for (uint64_t k = 0; k < n; k++) mean += (double)f32_of(data[k]) / (double)n;
    for (uint64_t k = 0; k < n; k++) {
        squares += ((double)f32_of(data[k]) - mean) * ((double)f32_of(data[k]) - mean) / (double)n;
    }
    set_f32(&result[0], (float)mean);
    set_f32(&result[1], (float)squares);
}

/* Of each component by itself. */
#define BY_COMPONENT(name, one, components, stride)                                                                    \
    static void name(const uint32_t *data, uint64_t n, uint32_t *result)                                               \
    {                                                                                                                  \
        uint32_t *column = calloc(n + 1, 4);                                                                           \
        for (uint32_t c = 0; c < (components); c++) {                                                                  \
            for (uint64_t k = 0; k < n; k++) column[k] = data[k * (stride) + c];                                       \
            one(column, n, &result[c]);                                                                                \
        }                                                                                                              \
        free(column);                                                                                                  \
    }
BY_COMPONENT(sum_vec2_u32, sum, 2, 2)
BY_COMPONENT(sum_vec3_f32, sum_f32, 3, 4)
BY_COMPONENT(sum_vec4_f32, sum_f32, 4, 4)
BY_COMPONENT(min_vec4_f32, min_f32, 4, 4)
BY_COMPONENT(xor_vec2_i32, xor, 2, 2)

static void min_max_vec2_f32(const uint32_t *data, uint64_t n, uint32_t *result)
{
    uint32_t *column = calloc(n + 1, 4);
    for (uint32_t c = 0; c < 2; c++) {
        for (uint64_t k = 0; k < n; k++) column[k] = data[2 * k + c];
        min_f32(column, n, &result[c]);
        max_f32(column, n, &result[2 + c]);
    }
    free(column);
}

/* struct Item { place: vec2f, label: u32, counts: array<i32, 2> }: 24 bytes. */
static void join_items(const uint32_t *data, uint64_t n, uint32_t *result)
{
    memset(result, 0, 24);
    for (uint64_t k = 0; k < n; k++) {
        const uint32_t *item = &data[6 * k];
        for (uint32_t c = 0; c < 2; c++) {
            uint32_t place = item[c] & 0xff;
            set_f32(&result[c], f32_of(result[c]) + (float)place);
        }
        result[2] ^= item[2];
        result[3] += item[3];
        if ((int32_t)item[4] > (int32_t)result[4]) result[4] = item[4];
    }
}

static void sum_f16(const uint32_t *data, uint64_t n, uint32_t *result)
{
    const uint16_t *halves = (const uint16_t *)data;
    int32_t total = 0;
    for (uint64_t k = 0; k < n; k++) {
        total += halves[k] == 0x3c00 ? 1 : halves[k] == 0x4000 ? 2 : halves[k] == 0xbc00 ? -1 : -2;
    }
    /* As a half, by way of its f32. */
    uint32_t bits;
    set_f32(&bits, (float)total);
    *result = total == 0 ? 0 : (bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff);
}

static void min_max_f16(const uint32_t *data, uint64_t n, uint32_t *result)
{
    const uint16_t *halves = (const uint16_t *)data;
    uint32_t least = 0x7c00, most = 0xfc00;
    static const uint16_t order[] = {0xc000, 0xbc00, 0x3c00, 0x4000};
    for (int k = 3; k >= 0; k--) {
        for (uint64_t i = 0; i < n; i++) {
            if (halves[i] == order[k]) least = order[k];
            if (halves[i] == order[3 - k]) most = order[3 - k];
        }
    }
    *result = least | most << 16;
}

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

typedef struct kind_case {
    const char *name;
    const char *type;
    uint32_t element_bytes, result_bytes;
    fill *fill;
    reference *reference;
    telar_reduction reduction;
    double tolerance; /* of f32 results, relative; 0: the same bits */
    const char *type_wgsl;
    bool with_value; /* the second word of the result is `value` */
    bool half;       /* needs f16 */
} kind_case;

#define OP(name) .reduction = {.op = {.op = TELAR_OP_##name}}
#define KIND(name) .reduction = {.kind = TELAR_REDUCE_##name}

static const char item_wgsl[] = "struct Item { place: vec2f, label: u32, counts: array<i32, 2> }\n";
static const char item_operator[] =
    "fn combine(a: Item, b: Item) -> Item {\n"
    "    return Item(a.place + b.place, a.label ^ b.label,\n"
    "                array<i32, 2>(a.counts[0] + b.counts[0], max(a.counts[1], b.counts[1])));\n"
    "}\n";

static const kind_case cases[] = {
    {"sum u32", "u32", 4, 4, fill_random, sum, OP(SUM)},
    {"product u32", "u32", 4, 4, fill_random, product, OP(PRODUCT)},
    {"min u32", "u32", 4, 4, fill_random, min_u32, OP(MIN)},
    {"max u32", "u32", 4, 4, fill_random, max_u32, OP(MAX)},
    {"and u32", "u32", 4, 4, fill_random, and, OP(AND)},
    {"or u32", "u32", 4, 4, fill_random, or, OP(OR)},
    {"xor u32", "u32", 4, 4, fill_random, xor, OP(XOR)},
    {"sum i32", "i32", 4, 4, fill_random, sum, OP(SUM)},
    {"product i32", "i32", 4, 4, fill_random, product, OP(PRODUCT)},
    {"min i32", "i32", 4, 4, fill_random, min_i32, OP(MIN)},
    {"max i32", "i32", 4, 4, fill_random, max_i32, OP(MAX)},
    {"and i32", "i32", 4, 4, fill_random, and, OP(AND)},
    {"or i32", "i32", 4, 4, fill_random, or, OP(OR)},
    {"xor i32", "i32", 4, 4, fill_random, xor, OP(XOR)},
    {"sum f32", "f32", 4, 4, fill_whole_floats, sum_f32, OP(SUM)},
    {"sum f32, rounded", "f32", 4, 4, fill_far, sum_f32, OP(SUM), .tolerance = 1e-6},
    {"product f32", "f32", 4, 4, fill_factors, product_f32, OP(PRODUCT)},
    {"min f32", "f32", 4, 4, fill_odd_floats, min_f32, OP(MIN)},
    {"max f32", "f32", 4, 4, fill_odd_floats, max_f32, OP(MAX)},
    {"min f32 of zeros", "f32", 4, 4, fill_near_zero, min_f32, OP(MIN)},
    {"max f32 of zeros", "f32", 4, 4, fill_near_zero, max_f32, OP(MAX)},
    {"min f32 of NaNs", "f32", 4, 4, fill_nans, min_f32, OP(MIN)},
    {"max f32 of NaNs", "f32", 4, 4, fill_nans, max_f32, OP(MAX)},
    {"sum f16", "f16", 2, 2, fill_halves, sum_f16, OP(SUM), .half = true},
    {"min-max f16", "f16", 2, 4, fill_halves, min_max_f16, KIND(MIN_MAX), .half = true},
    {"sum vec2<u32>", "vec2<u32>", 8, 8, fill_random, sum_vec2_u32, OP(SUM)},
    {"xor vec2i", "vec2i", 8, 8, fill_random, xor_vec2_i32, OP(XOR)},
    {"sum vec3<f32>", "vec3<f32>", 16, 12, fill_whole_floats, sum_vec3_f32, OP(SUM)},
    {"sum vec4<f32>", "vec4<f32>", 16, 16, fill_whole_floats, sum_vec4_f32, OP(SUM)},
    {"min vec4f", "vec4f", 16, 16, fill_odd_floats, min_vec4_f32, OP(MIN)},
    {"any", "u32", 4, 4, fill_few, any, .reduction = {.kind = TELAR_REDUCE_ANY, .expression = "x > 2"}},
    {"all", "u32", 4, 4, fill_few, all, .reduction = {.kind = TELAR_REDUCE_ALL, .expression = "x != 3 || i != 1000"}},
    {"count", "u32", 4, 4, fill_few, count_twos,
     .reduction = {.kind = TELAR_REDUCE_COUNT,
                   .expression = "is_two(x)",
                   .wgsl = "fn is_two(x: u32) -> bool { return x == 2; }"}},
    {"count what is not 0", "i32", 4, 4, fill_few, count_not_zero, KIND(COUNT)},
    {"arg-min u32", "u32", 4, 8, fill_random, arg_min_u32, KIND(ARG_MIN), .with_value = true},
    {"arg-max u32", "u32", 4, 8, fill_random, arg_max_u32, KIND(ARG_MAX), .with_value = true},
    {"arg-min u32, equal", "u32", 4, 8, fill_few, arg_min_u32, KIND(ARG_MIN), .with_value = true},
    {"arg-max i32, equal", "i32", 4, 8, fill_few, arg_max_i32, KIND(ARG_MAX), .with_value = true},
    {"arg-min i32", "i32", 4, 8, fill_random, arg_min_i32, KIND(ARG_MIN), .with_value = true},
    {"arg-min f32", "f32", 4, 8, fill_odd_floats, arg_min_f32, KIND(ARG_MIN), .with_value = true},
    {"arg-max f32", "f32", 4, 8, fill_odd_floats, arg_max_f32, KIND(ARG_MAX), .with_value = true},
    {"arg-min f32 of zeros", "f32", 4, 8, fill_near_zero, arg_min_f32, KIND(ARG_MIN), .with_value = true},
    {"arg-max f32 of zeros", "f32", 4, 8, fill_near_zero, arg_max_f32, KIND(ARG_MAX), .with_value = true},
    {"arg-max f32 of NaNs", "f32", 4, 4, fill_nans, arg_max_f32, KIND(ARG_MAX)},
    {"min-max i32", "i32", 4, 8, fill_random, min_max_i32, KIND(MIN_MAX)},
    {"min-max f32", "f32", 4, 8, fill_odd_floats, min_max_f32, KIND(MIN_MAX)},
    {"min-max vec2<f32>", "vec2<f32>", 8, 16, fill_odd_floats, min_max_vec2_f32, KIND(MIN_MAX)},
    {"mean and variance", "f32", 4, 8, fill_far, moments, KIND(MEAN_VARIANCE), .tolerance = 1e-4},
    {"compensated", "f32", 4, 4, fill_cancelling, sum_f32, .reduction = {.compensated = true}, .tolerance = 1.2e-7},
    {"sum of squares", "u32", 4, 4, fill_random, sum_of_squares, .reduction = {.expression = "x * x"}},
    {"sum by index", "u32", 4, 4, fill_random, sum_by_index, .reduction = {.expression = "x * (i % 1000u)"}},
    {"another type", "i32", 4, 4, fill_random, sum_of_low_bits,
     .reduction = {.expression = "u32(x & 1) + 1u", .type = {.name = "u32"}}},
    {"own operator", "u32", 4, 4, fill_random, xor,
     .reduction = {.op = {TELAR_OP_OWN, "fn combine(a: T, b: T) -> T { return (a | b) & ~(a & b); }", "0u"}}},
    {"a structure", "Item", 24, 20, fill_random, join_items, .type_wgsl = item_wgsl,
     .reduction = {.op = {TELAR_OP_OWN, item_operator, "Item()"},
                   .expression = "Item(vec2f(vec2u(bitcast<vec2u>(x.place)) & vec2u(255u)), x.label, x.counts)"}},
};

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static void compare(const kind_case *c, uint64_t n, const uint32_t *got, const uint32_t *want)
{
    if (c->tolerance == 0) {
        if (memcmp(got, want, c->result_bytes) == 0) return;
        fail_msg("%s, n %llu: %08x %08x, not %08x %08x", c->name, (unsigned long long)n, got[0], got[1], want[0],
                 want[1]);
    }
    for (uint32_t k = 0; k < c->result_bytes / 4; k++) {
        double a = (double)f32_of(got[k]), b = (double)f32_of(want[k]);
        if (!(fabs(a - b) <= c->tolerance * fabs(b))) {
            fail_msg("%s, n %llu: %.9g, not %.9g", c->name, (unsigned long long)n, a, b);
        }
    }
}

static void one(const kind_case *c, uint64_t n, prim_path path, prim_form form, tl_reduce_end end)
{
    prim_test test = prim_begin(path);
    uint64_t capacity = prim_capacity(n, form), words = (capacity * c->element_bytes + 3) / 4;
    uint32_t *data = calloc(words + 1, 4), want[RESULT_BYTES_MAX / 4] = {0}, got[RESULT_BYTES_MAX / 4] = {0};
    if (words > 0) c->fill(data, words);
    c->reference(data, n, want);
    telar_array in = prim_array(&test, "in", data, 4 * words, 0);
    telar_array out = prim_array(&test, "out", NULL, c->with_value ? 4 : (c->result_bytes + 3) / 4 * 4, 0);
    telar_array value = {0};
    if (c->with_value) value = prim_array(&test, "value", NULL, 4, 0);
    if (c->result_bytes % 4 == 0 && !c->with_value) out.size_bytes = 0;
    telar_reduce_desc desc = {.length = prim_length(&test, n, form),
                              .type = {c->type, c->type_wgsl},
                              .reduction = c->reduction,
                              .in = in,
                              .out = out,
                              .value = value};
    tl_record_reduce(&test.record, &test.prim, &desc,
                     (tl_reduce_tuning){.size = 64, .rows = 1, .groups = 5, .end = end});
    prim_run(&test);
    prim_run(&test);
    prim_read(&test, out, got);
    if (c->with_value) prim_read(&test, value, &got[1]);
    compare(c, n, got, want);
    prim_end(&test);
    free(data);
}

static void every(const kind_case *c, bool by_last)
{
    /* Tiles are of 256 elements, or fewer of larger types. */
    static const uint64_t alone[] = {0, 1, 511, 1000};
    if (c->half && !telar_host_dialect(gpu.host).f16) return;
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++)
        one(c, alone[k], PRIM_AS_GPU, PRIM_HOST, TL_REDUCE_END_ALONE);
    one(c, 2049, PRIM_AS_IS, PRIM_HOST, TL_REDUCE_END_PARTIALS);
    if (by_last) {
        one(c, 5001, PRIM_AS_GPU, PRIM_HOST, TL_REDUCE_END_LAST);
    } else {
        one(c, 0, PRIM_AS_GPU, PRIM_PARTLY, TL_REDUCE_END_PARTIALS);
        one(c, 5001, PRIM_AS_GPU, PRIM_PARTLY, TL_REDUCE_END_PARTIALS);
    }
}

static void kinds(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) every(&cases[k], k % 2 == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds)};
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
