/* SPDX-License-Identifier: MIT
 *
 * Data sources by name. What is not TYPE:N is a file, whose ending says how it is read. */
#include "io/source.h"
#include "io/npy.h"
#include "io/quantity.h"
#include "io/png.h"

#include <math.h>
#include <string.h>

/* Elements of generated data at most: 2^48, as of a domain. */
#define SOURCE_ELEMENTS_MAX (UINT64_C(1) << 48)

typedef struct element_type {
    tl_dtype dtype;
    uint32_t components;
} element_type;

/* "vec3f" and the like: WGSL's predeclared aliases. */
static bool find_vector(tl_str text, element_type *type)
{
    static const struct {
        char letter;
        tl_dtype dtype;
    } letters[] = {{'f', TL_DTYPE_F32}, {'i', TL_DTYPE_I32}, {'u', TL_DTYPE_U32}, {'h', TL_DTYPE_F16}};
    if (text.len != 5 || memcmp(text.data, "vec", 3) != 0 || text.data[3] < '2' || text.data[3] > '4') return false;
    for (size_t k = 0; k < TL_COUNT(letters); k++) {
        if (text.data[4] != letters[k].letter) continue;
        *type = (element_type){letters[k].dtype, (uint32_t)(text.data[3] - '0')};
        return true;
    }
    return false;
}

static bool find_type(tl_str text, element_type *type)
{
    *type = (element_type){tl_dtype_find(text), 1};
    return type->dtype != TL_DTYPE_BYTES || find_vector(text, type);
}

/* The part up to the next colon; the rest begins behind it. */
static tl_str cut(tl_str *rest)
{
    size_t len = 0;
    while (len < rest->len && rest->data[len] != ':') len++;
    tl_str part = {rest->data, len};
    size_t skipped = len < rest->len ? len + 1 : len;
    *rest = (tl_str){rest->data + skipped, rest->len - skipped};
    return part;
}

/* A number that is only infinite in the type was not meant to be; inf and nan may be. */
static telar_status put_float(const char *what, tl_dtype dtype, tl_str text, double number, unsigned char value[8],
                              telar_diag *diag)
{
    /* What rounds to infinity: half a unit in the last place above the largest number. */
    double beyond = dtype == TL_DTYPE_F16 ? 65520 : dtype == TL_DTYPE_F32 ? 0x1.ffffffp127 : HUGE_VAL;
    if (isfinite(number) && fabs(number) >= beyond) {
        return tl_fail(diag, TELAR_OVERFLOWS, "%s (%.*s) does not fit in %s; allowed are -%s to %s", what,
                       TL_STR_ARGS(text), tl_dtype_text(dtype), dtype == TL_DTYPE_F16 ? "65504" : "3.4028235e38",
                       dtype == TL_DTYPE_F16 ? "65504" : "3.4028235e38");
    }
    float single = (float)number;
    if (dtype == TL_DTYPE_F64) memcpy(value, &number, 8);
    if (dtype == TL_DTYPE_F32) memcpy(value, &single, 4);
    if (dtype == TL_DTYPE_F16) tl_half_put(single, value);
    return TELAR_OK;
}

telar_status tl_scalar_read(const char *what, tl_dtype dtype, tl_str text, unsigned char value[8], telar_diag *diag)
{
    uint32_t bits = 8 * tl_dtype_bytes(dtype);
    switch (tl_dtype_kind(dtype)) {
    case 'f': {
        double number;
        TELAR_TRY(tl_number_f64(what, text, &number, diag));
        return put_float(what, dtype, text, number, value, diag);
    }
    case 'i': {
        int64_t number, most = (int64_t)(UINT64_MAX >> (65 - bits));
        TELAR_TRY(tl_number_i64(what, text, -most - 1, most, &number, diag));
        memcpy(value, &number, bits / 8);
        return TELAR_OK;
    }
    default: {
        uint64_t number, most = dtype == TL_DTYPE_BOOL ? 1 : UINT64_MAX >> (64 - bits);
        TELAR_TRY(tl_number_u64(what, text, 0, most, &number, diag));
        memcpy(value, &number, bits / 8);
        return TELAR_OK;
    }
    }
}

static telar_status read_fill(const char *what, tl_str text, tl_array *array, telar_diag *diag)
{
    tl_str rest = text, first = cut(&rest);
    if (tl_str_equal(first, TL_STR("random"))) {
        array->fill = TL_FILL_RANDOM;
        array->seed = 1;
        if (rest.len == 0 && text.len == first.len) return TELAR_OK;
        return tl_number_u64(what, rest, 0, UINT64_MAX, &array->seed, diag);
    }
    if (tl_str_equal(text, TL_STR("iota"))) {
        array->fill = TL_FILL_IOTA;
        return TELAR_OK;
    }
    array->fill = TL_FILL_VALUE;
    return tl_scalar_read(what, array->dtype, text, array->value, diag);
}

/* Counts are written as a domain's, width first; shapes have the last axis fastest. */
static telar_status read_sizes(const char *what, tl_str text, element_type type, tl_array *array, telar_diag *diag)
{
    uint64_t counts[3];
    uint32_t axes;
    TELAR_TRY(tl_number_list(what, text, 'x', 3, 0, SOURCE_ELEMENTS_MAX, counts, &axes, diag));
    for (uint32_t k = 0; k < axes; k++) array->shape.sizes[k] = counts[axes - 1 - k];
    array->shape.axes = axes;
    if (type.components > 1) array->shape.sizes[array->shape.axes++] = type.components;
    if (!tl_shape_elements(&array->shape, &array->elements) || array->elements > SOURCE_ELEMENTS_MAX ||
        !telar_multiply(array->elements, tl_dtype_bytes(type.dtype), &array->size_bytes)) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, array->elements, SOURCE_ELEMENTS_MAX,
                             "%s: %.*s elements are too many; allowed are %llu", what, TL_STR_ARGS(text),
                             (unsigned long long)SOURCE_ELEMENTS_MAX);
    }
    return TELAR_OK;
}

static telar_status open_generated(const char *what, element_type type, tl_str rest, tl_array *array, telar_diag *diag)
{
    array->dtype = type.dtype;
    tl_str sizes = cut(&rest);
    array->fill = TL_FILL_ZERO;
    TELAR_TRY(read_sizes(what, sizes, type, array, diag));
    bool filled = rest.data != sizes.data + sizes.len; /* a colon, at least */
    return filled ? read_fill(what, rest, array, diag) : TELAR_OK;
}

static telar_status unknown_source(const char *what, const char *source, telar_diag *diag)
{
    return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                   "%s: '%.200s' is no data; allowed are FILE.npy, FILE.png, FILE.bin, or TYPE:N, TYPE:N:iota, "
                   "TYPE:N:random[:SEED], TYPE:N:VALUE with a TYPE as f32, u32, vec4f",
                   what, source);
}

static telar_status open_file(const char *source, tl_array *array, telar_diag *diag)
{
    tl_file file;
    TELAR_TRY(tl_file_open(source, &file, diag));
    if (tl_path_ends(source, "npy")) return tl_npy_from_file(source, &file, array, diag);
    if (tl_path_ends(source, "png")) return tl_png_from_file(source, &file, array, diag);
    *array = (tl_array){.dtype = TL_DTYPE_BYTES,
                        .shape = {1, {file.size_bytes}},
                        .elements = file.size_bytes,
                        .size_bytes = file.size_bytes,
                        .data = file.data,
                        .file = file};
    return TELAR_OK;
}

telar_status tl_source_open(const char *what, const char *source, tl_array *array, telar_diag *diag)
{
    *array = (tl_array){0};
    tl_str rest = tl_str_of(source), head = cut(&rest);
    element_type type;
    telar_status status;
    if (head.len < strlen(source) && find_type(head, &type)) {
        status = open_generated(what, type, rest, array, diag);
    } else if (tl_path_ends(source, "npy") || tl_path_ends(source, "png") || tl_path_ends(source, "bin")) {
        status = open_file(source, array, diag);
    } else {
        return unknown_source(what, source, diag);
    }
    if (status != TELAR_OK) tl_array_close(array);
    return status;
}
