/* SPDX-License-Identifier: MIT
 *
 * Types of elements, and operators on them in plain C. */
#include "table.h"

#include <math.h>
#include <string.h>

/* Its numbers are combined by three operators: by XOR, by SUM, by MAX. */
static const char item_wgsl[] = "struct Item { key: u32, weight: f32, step: i32 }\n";
static const char item_combine[] = "fn combine(a: Item, b: Item) -> Item {\n"
                                   "    return Item(a.key ^ b.key, a.weight + b.weight, max(a.step, b.step));\n"
                                   "}\n";

typedef struct item {
    uint32_t key;
    float weight;
    int32_t step;
} item;

const table_type table_types[TABLE_TYPES] = {
    [TABLE_TYPE_U32] = {{"u32", NULL}, TABLE_U32, 1, 4, "x > 2u", NULL, NULL, "1"},
    [TABLE_TYPE_I32] = {{"i32", NULL}, TABLE_I32, 1, 4, "x > 2", NULL, NULL, "1"},
    [TABLE_TYPE_F32] = {{"f32", NULL}, TABLE_F32, 1, 4, "x > 2.0", NULL, NULL, "1"},
    [TABLE_TYPE_F16] = {{"f16", NULL}, TABLE_F16, 1, 2, "x > 2.0h", NULL, NULL, "1"},
    [TABLE_TYPE_VEC2_F32] = {{"vec2<f32>", NULL}, TABLE_F32, 2, 8, "x.x > 2.0", NULL, "", "vec2<f32>(1)"},
    [TABLE_TYPE_VEC3_I32] = {{"vec3<i32>", NULL}, TABLE_I32, 3, 16, "x.x > 2", NULL, "", "vec3<i32>(1)"},
    [TABLE_TYPE_VEC4_U32] = {{"vec4<u32>", NULL}, TABLE_U32, 4, 16, "x.x > 2u", NULL, "", "vec4<u32>(1)"},
    [TABLE_TYPE_VEC2_F16] = {{"vec2<f16>", NULL}, TABLE_F16, 2, 4, "x.x > 2.0h", NULL, "", "vec2<f16>(1)"},
    [TABLE_TYPE_ITEM] = {{"Item", item_wgsl},
                         TABLE_U32,
                         0,
                         12,
                         "x.key > 2u",
                         "a.key == b.key && a.weight == b.weight && a.step == b.step",
                         "a.key < b.key",
                         "Item(1, 1, 1)"},
    [TABLE_TYPE_U64] = {{"u64", NULL}, TABLE_U64, 1, 8, NULL, NULL, NULL, NULL},
    [TABLE_TYPE_I64] = {{"i64", NULL}, TABLE_I64, 1, 8, NULL, NULL, NULL, NULL},
    [TABLE_TYPE_F64] = {{"f64", NULL}, TABLE_F64, 1, 8, NULL, NULL, NULL, NULL},
    [TABLE_TYPE_U16] = {{"u16", NULL}, TABLE_U16, 1, 2, NULL, NULL, NULL, NULL},
    [TABLE_TYPE_I16] = {{"i16", NULL}, TABLE_I16, 1, 2, NULL, NULL, NULL, NULL},
    [TABLE_TYPE_U8] = {{"u8", NULL}, TABLE_U8, 1, 1, NULL, NULL, NULL, NULL},
    [TABLE_TYPE_I8] = {{"i8", NULL}, TABLE_I8, 1, 1, NULL, NULL, NULL, NULL},
};

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static double half_get(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double fraction = (bits & 1023) / 1024.0, sign = bits >> 15 != 0 ? -1 : 1;
    if (exponent == 31) return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    return exponent == 0 ? sign * ldexp(fraction, -14) : sign * ldexp(1 + fraction, exponent - 15);
}

/* Of numbers that a half can be, above its denormals. */
static uint16_t half_put(double value)
{
    uint16_t sign = signbit(value) != 0 ? 0x8000 : 0;
    int exponent;
    if (isnan(value)) return 0x7e00;
    if (isinf(value)) return (uint16_t)(sign | 0x7c00);
    if (value == 0) return sign;
    double fraction = frexp(fabs(value), &exponent);
    return (uint16_t)(sign | (exponent + 14) << 10 | (int)((fraction * 2 - 1) * 1024));
}

#define NUMBERS(X)                                                                                                     \
    X(TABLE_U32, uint32_t, uint32_t)                                                                                   \
    X(TABLE_I32, int32_t, uint32_t)                                                                                    \
    X(TABLE_F32, float, float)                                                                                         \
    X(TABLE_U64, uint64_t, uint64_t)                                                                                   \
    X(TABLE_I64, int64_t, uint64_t)                                                                                    \
    X(TABLE_F64, double, double)                                                                                       \
    X(TABLE_U16, uint16_t, uint16_t)                                                                                   \
    X(TABLE_I16, int16_t, uint16_t)                                                                                    \
    X(TABLE_U8, uint8_t, uint8_t)                                                                                      \
    X(TABLE_I8, int8_t, uint8_t)

double table_get(table_number number, const void *at)
{
    uint16_t half;
    switch (number) {
#define GET(NAME, TYPE, BITS)                                                                                          \
    case NAME: {                                                                                                       \
        TYPE value;                                                                                                    \
        memcpy(&value, at, sizeof value);                                                                              \
        return (double)value;                                                                                          \
    }
        NUMBERS(GET)
    default: memcpy(&half, at, sizeof half); return half_get(half);
    }
}

void table_put(table_number number, void *at, double value)
{
    uint16_t half;
    switch (number) {
#define PUT(NAME, TYPE, BITS)                                                                                          \
    case NAME: {                                                                                                       \
        TYPE put = (TYPE)value;                                                                                        \
        memcpy(at, &put, sizeof put);                                                                                  \
        return;                                                                                                        \
    }
        NUMBERS(PUT)
    default: half = half_put(value); memcpy(at, &half, sizeof half);
    }
}

uint32_t table_number_bytes(table_number number)
{
    static const uint32_t bytes[] = {4, 4, 4, 2, 8, 8, 8, 2, 2, 1, 1};
    return bytes[number];
}

bool table_is_float(table_number number)
{
    return number == TABLE_F32 || number == TABLE_F16 || number == TABLE_F64;
}

/* ---- Elements ---------------------------------------------------------------------------------------------------- */

bool table_over_2(const table_type *type, const void *element)
{
    return table_get(type->number, element) > 2;
}

bool table_equal(const table_type *type, const void *a, const void *b)
{
    const uint8_t *x = a, *y = b;
    if (type->components == 0) {
        return table_get(TABLE_U32, x) == table_get(TABLE_U32, y) &&
               table_get(TABLE_F32, x + 4) == table_get(TABLE_F32, y + 4) &&
               table_get(TABLE_I32, x + 8) == table_get(TABLE_I32, y + 8);
    }
    uint32_t bytes = table_number_bytes(type->number);
    for (uint32_t c = 0; c < type->components; c++) {
        if (table_get(type->number, x + c * bytes) != table_get(type->number, y + c * bytes)) return false;
    }
    return true;
}

bool table_less(const table_type *type, const void *a, const void *b)
{
    return table_get(type->number, a) < table_get(type->number, b);
}

void table_ones(const table_type *type, void *element)
{
    const item ones = {1, 1, 1};
    if (type->components == 0) memcpy(element, &ones, sizeof ones);
    for (uint32_t c = 0; c < type->components; c++) {
        table_put(type->number, (uint8_t *)element + c * table_number_bytes(type->number), 1);
    }
}

/* ---- Operators --------------------------------------------------------------------------------------------------- */

static double identity_of(table_number number, telar_op op)
{
    switch (op) {
    case TELAR_OP_PRODUCT: return 1;
    case TELAR_OP_AND: return number == TABLE_I32 ? -1 : (double)UINT32_MAX;
    case TELAR_OP_MIN:
        return number == TABLE_U32 ? (double)UINT32_MAX : number == TABLE_I32 ? INT32_MAX : (double)INFINITY;
    case TELAR_OP_MAX: return number == TABLE_U32 ? 0 : number == TABLE_I32 ? INT32_MIN : -(double)INFINITY;
    default: return 0;
    }
}

void table_identity(const table_type *type, telar_op op, void *a)
{
    const item none = {0, 0, INT32_MIN};
    if (type->components == 0) memcpy(a, &none, sizeof none);
    for (uint32_t c = 0; c < type->components; c++) {
        table_put(type->number, (uint8_t *)a + c * table_number_bytes(type->number), identity_of(type->number, op));
    }
}

static uint32_t combine_integers(telar_op op, uint32_t a, uint32_t b, bool b_less)
{
    switch (op) {
    case TELAR_OP_PRODUCT: return a * b;
    case TELAR_OP_MIN: return b_less ? b : a;
    case TELAR_OP_MAX: return b_less ? a : b;
    case TELAR_OP_AND: return a & b;
    case TELAR_OP_OR: return a | b;
    case TELAR_OP_XOR: return a ^ b;
    default: return a + b;
    }
}

/* NaNs are left out of MIN and MAX, and -0 is less than 0. */
static double combine_floats(telar_op op, double a, double b)
{
    bool b_less = b < a || (b == a && signbit(b) != 0);
    switch (op) {
    case TELAR_OP_PRODUCT: return a * b;
    case TELAR_OP_MIN: return !isnan(b) && b_less ? b : a;
    case TELAR_OP_MAX: return !isnan(b) && !b_less ? b : a;
    default: return a + b;
    }
}

static void combine_numbers(table_number number, telar_op op, void *a, const void *b)
{
    double x = table_get(number, a), y = table_get(number, b);
    uint32_t p, q;
    if (table_is_float(number)) {
        table_put(number, a, combine_floats(op, x, y));
        return;
    }
    memcpy(&p, a, 4);
    memcpy(&q, b, 4);
    p = combine_integers(op, p, q, y < x);
    memcpy(a, &p, 4);
}

void table_combine(const table_type *type, telar_op op, void *a, const void *b)
{
    uint8_t *x = a;
    const uint8_t *y = b;
    if (type->components == 0) {
        combine_numbers(TABLE_U32, TELAR_OP_XOR, x, y);
        combine_numbers(TABLE_F32, TELAR_OP_SUM, x + 4, y + 4);
        combine_numbers(TABLE_I32, TELAR_OP_MAX, x + 8, y + 8);
    }
    uint32_t bytes = table_number_bytes(type->number);
    for (uint32_t c = 0; c < type->components; c++) combine_numbers(type->number, op, x + c * bytes, y + c * bytes);
}

telar_operator table_operator(const table_type *type, telar_op op)
{
    if (type->components != 0) return (telar_operator){.op = op};
    return (telar_operator){.op = TELAR_OP_OWN, .wgsl = item_combine, .identity = "Item(0u, 0.0, i32(-2147483648))"};
}
