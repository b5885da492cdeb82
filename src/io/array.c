/* SPDX-License-Identifier: MIT
 *
 * Element types, shapes, and data that is made on demand. */
#include "io/array.h"

#include <stdlib.h>
#include <string.h>

typedef struct dtype_row {
    uint32_t bytes;
    const char *text;
    char kind;
} dtype_row;

static const dtype_row rows[TL_DTYPE_COUNT] = {[TL_DTYPE_BYTES] = {1, "bytes", 0},
#define ROW(NAME, bytes, text, kind) [TL_DTYPE_##NAME] = {bytes, text, kind},
                                               TL_DTYPE_LIST(ROW)
#undef ROW
};

static const char *const numpy_texts[TL_DTYPE_COUNT] = {
    [TL_DTYPE_BYTES] = "|u1", [TL_DTYPE_F16] = "<f2", [TL_DTYPE_F32] = "<f4", [TL_DTYPE_F64] = "<f8",
    [TL_DTYPE_I8] = "|i1",    [TL_DTYPE_I16] = "<i2", [TL_DTYPE_I32] = "<i4", [TL_DTYPE_I64] = "<i8",
    [TL_DTYPE_U8] = "|u1",    [TL_DTYPE_U16] = "<u2", [TL_DTYPE_U32] = "<u4", [TL_DTYPE_U64] = "<u8",
    [TL_DTYPE_BOOL] = "|b1",
};

uint32_t tl_dtype_bytes(tl_dtype dtype)
{
    return rows[dtype].bytes;
}

const char *tl_dtype_text(tl_dtype dtype)
{
    return rows[dtype].text;
}

const char *tl_dtype_numpy(tl_dtype dtype)
{
    return numpy_texts[dtype];
}

char tl_dtype_kind(tl_dtype dtype)
{
    return rows[dtype].kind;
}

tl_dtype tl_dtype_find(tl_str text)
{
    for (int k = TL_DTYPE_BYTES + 1; k < TL_DTYPE_COUNT; k++) {
        if (tl_str_equal(text, tl_str_of(rows[k].text))) return (tl_dtype)k;
    }
    return TL_DTYPE_BYTES;
}

bool tl_shape_elements(const tl_shape *shape, uint64_t *elements)
{
    /* An axis of 0 makes it empty, however large the others are. */
    *elements = 1;
    for (uint32_t k = 0; k < shape->axes; k++) {
        if (shape->sizes[k] == 0) *elements = 0;
    }
    for (uint32_t k = 0; *elements != 0 && k < shape->axes; k++) {
        if (!telar_multiply(*elements, shape->sizes[k], elements)) return false;
    }
    return true;
}

void tl_shape_text(const tl_shape *shape, telar_out *out)
{
    tl_out_text(out, "(");
    for (uint32_t k = 0; k < shape->axes; k++) {
        if (k > 0) tl_out_text(out, ", ");
        tl_out_u64(out, shape->sizes[k]);
    }
    tl_out_text(out, shape->axes == 1 ? ",)" : ")");
}

void tl_array_close(tl_array *array)
{
    tl_file_close(&array->file);
    free(array->owned);
    *array = (tl_array){0};
}

/* ---- generated data ------------------------------------------------------------------------------------------------ */

/* splitmix64 on a counter: element k needs no element before it, so any part can be made alone. */
static uint64_t random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed * UINT64_C(0xD1342543DE82EF95) + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void tl_half_put(float value, unsigned char *at)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
    int exponent = (int)(magnitude >> 23) - 127;
    uint32_t half;
    if (magnitude > 0x7F800000) {
        half = 0x7E00; /* not a number */
    } else if (exponent > 15) {
        half = 0x7C00;
    } else if (exponent < -25) {
        half = 0;
    } else {
        uint32_t mantissa = (magnitude & 0x7FFFFF) | 0x800000;
        unsigned shift = exponent < -14 ? (unsigned)(-1 - exponent) : 13;
        uint32_t rest = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
        half = mantissa >> shift;
        if (rest > middle || (rest == middle && (half & 1) != 0)) half++;
        /* The leading bit of a normal number raises the exponent by one, and so does a carry of the rounding. */
        if (exponent >= -14) half += (uint32_t)(exponent + 14) << 10;
    }
    uint16_t word = (uint16_t)(sign | half);
    memcpy(at, &word, 2);
}

float tl_half_get(const unsigned char *at)
{
    uint16_t word;
    memcpy(&word, at, 2);
    uint32_t sign = (uint32_t)(word & 0x8000) << 16, exponent = word >> 10 & 0x1F, mantissa = word & 0x3FF;
    if (exponent == 0) {
        float tiny = (float)mantissa / 16777216.0f;
        return sign != 0 ? -tiny : tiny;
    }
    uint32_t bits = sign | (exponent == 31 ? 0x7F800000 : (exponent + 112) << 23) | mantissa << 13;
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static void put_float(tl_dtype dtype, double value, unsigned char *at)
{
    float single = (float)value;
    switch (dtype) {
    case TL_DTYPE_F16: tl_half_put(single, at); break;
    case TL_DTYPE_F32: memcpy(at, &single, 4); break;
    default: memcpy(at, &value, 8); break;
    }
}

/* 53, 24 or 11 random bits below the point: every value is exact, and below 1. */
static double unit_random(tl_dtype dtype, uint64_t bits)
{
    unsigned digits = dtype == TL_DTYPE_F16 ? 11 : dtype == TL_DTYPE_F32 ? 24 : 53;
    return (double)(bits >> (64 - digits)) / (double)(UINT64_C(1) << digits);
}

static void make_element(const tl_array *array, uint64_t index, unsigned char *at)
{
    uint32_t bytes = tl_dtype_bytes(array->dtype);
    bool random = array->fill == TL_FILL_RANDOM;
    uint64_t bits = random ? random_bits(array->seed, index) : index;
    if (tl_dtype_kind(array->dtype) == 'f') {
        /* Counting past the largest half would be infinite: it wraps at 2048, the last that is exact. */
        double counted = array->dtype == TL_DTYPE_F16 ? (double)(index % 2048) : (double)index;
        put_float(array->dtype, random ? unit_random(array->dtype, bits) : counted, at);
        return;
    }
    if (random) bits >>= 64 - 8 * bytes;
    if (array->dtype == TL_DTYPE_BOOL) bits &= 1;
    memcpy(at, &bits, bytes); /* little-endian, as all that Telar runs on */
}

static void make_part(const tl_array *array, uint64_t offset_bytes, unsigned char *into, size_t bytes)
{
    TELAR_ASSERT(into != NULL);
    uint32_t element = tl_dtype_bytes(array->dtype);
    uint64_t first = offset_bytes / element, count = bytes / element;
    if (array->fill == TL_FILL_ZERO) {
        memset(into, 0, bytes);
        return;
    }
    for (uint64_t k = 0; k < count; k++) {
        unsigned char *at = into + k * element;
        if (array->fill == TL_FILL_VALUE) {
            memcpy(at, array->value, element);
        } else {
            make_element(array, first + k, at);
        }
    }
}

const void *tl_array_part(const tl_array *array, uint64_t offset_bytes, void *scratch, size_t bytes)
{
    if (array->fill == TL_FILL_NONE) return array->data + offset_bytes;
    make_part(array, offset_bytes, scratch, bytes);
    return scratch;
}

telar_status tl_array_alloc(const char *name, uint64_t bytes, void **memory, telar_diag *diag)
{
    *memory = bytes > SIZE_MAX / 2 ? NULL : malloc(bytes > 0 ? (size_t)bytes : 1);
    if (*memory != NULL) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_OUT_OF_MEMORY, bytes, 0, "%s: out of memory for %llu bytes", name,
                         (unsigned long long)bytes);
}

telar_status tl_array_settle(tl_array *array, telar_diag *diag)
{
    if (array->fill == TL_FILL_NONE) return TELAR_OK;
    void *memory;
    TELAR_TRY(tl_array_alloc("the data", array->size_bytes, &memory, diag));
    make_part(array, 0, memory, (size_t)array->size_bytes);
    array->owned = memory;
    array->data = memory;
    array->fill = TL_FILL_NONE;
    return TELAR_OK;
}
