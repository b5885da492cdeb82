/* SPDX-License-Identifier: MIT
 *
 * .npy reading and writing. The header is a Python dictionary of three keys: it is read by a parser of exactly that,
 * never past its end, and every size is checked before it is used. Source: numpy.lib.format. */
#include "io/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the header's dictionary --------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *name;
    const char *at, *end;
    telar_diag *diag;
} reader;

static telar_status malformed(reader *text, const char *expected)
{
    return tl_fail(text->diag, TELAR_INVALID_DATA, "%s: the .npy header is malformed: expected %s", text->name,
                   expected);
}

static void skip_blanks(reader *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\n' || *text->at == '\t' || *text->at == '\r')) {
        text->at++;
    }
}

static bool take(reader *text, char wanted)
{
    skip_blanks(text);
    if (text->at == text->end || *text->at != wanted) return false;
    text->at++;
    return true;
}

static bool take_quoted(reader *text, tl_str *value)
{
    skip_blanks(text);
    if (text->at == text->end || (*text->at != '\'' && *text->at != '"')) return false;
    char quote = *text->at++;
    const char *start = text->at;
    while (text->at < text->end && *text->at != quote) text->at++;
    if (text->at == text->end) return false;
    *value = (tl_str){start, (size_t)(text->at - start)};
    text->at++;
    return true;
}

static bool take_word(reader *text, tl_str word)
{
    skip_blanks(text);
    if ((size_t)(text->end - text->at) < word.len || memcmp(text->at, word.data, word.len) != 0) return false;
    text->at += word.len;
    return true;
}

static telar_status read_size(reader *text, uint64_t *size)
{
    skip_blanks(text);
    const char *start = text->at;
    *size = 0;
    for (; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++) {
        uint64_t digit = (uint64_t)(*text->at - '0');
        if (*size > (UINT64_MAX - digit) / 10) {
            return tl_fail(text->diag, TELAR_OVERFLOWS, "%s: an axis of the .npy shape does not fit in 64 bits",
                           text->name);
        }
        *size = *size * 10 + digit;
    }
    if (text->at == start) return malformed(text, "a size in 'shape'");
    if (text->at < text->end && *text->at == 'L') text->at++; /* Python 2's long */
    return TELAR_OK;
}

static telar_status read_shape(reader *text, tl_shape *shape)
{
    if (!take(text, '(')) return malformed(text, "a tuple as 'shape'");
    while (!take(text, ')')) {
        if (shape->axes == TL_AXES_MAX) {
            return tl_fail_limit(text->diag, TELAR_UNSUPPORTED, TL_AXES_MAX + 1, TL_AXES_MAX,
                                 "%s: the array has more than %d axes", text->name, TL_AXES_MAX);
        }
        TELAR_TRY(read_size(text, &shape->sizes[shape->axes++]));
        if (take(text, ',')) continue;
        if (!take(text, ')')) return malformed(text, "',' or ')' in 'shape'");
        break;
    }
    return TELAR_OK;
}

/* Kinds of numpy's that no WGSL type matches, and the way out. */
static telar_status wrong_dtype(reader *text, tl_str descr)
{
    static const struct {
        const char *start, *advice;
    } advice[] = {
        {"f16", "save it with .astype(numpy.float32)"},
        {"c16", "save it with .astype(numpy.complex64), which is read as pairs of f32"},
        {"O", "objects have no layout; save numbers"},
        {"V", "save a plain dtype, or the bytes with .tofile as .bin"},
        {"U", "text is no number; save numbers"},
        {"S", "text is no number; save numbers"},
        {"M", "save it with .astype(numpy.int64) or smaller"},
        {"m", "save it with .astype(numpy.int64) or smaller"},
    };
    tl_str kind = descr;
    if (kind.len > 0 && strchr("<>|=", kind.data[0]) != NULL) kind = (tl_str){kind.data + 1, kind.len - 1};
    const char *way_out = "allowed are f2 f4 i1 i2 i4 i8 u1 u2 u4 u8 b1 c8";
    for (size_t k = 0; k < TL_COUNT(advice); k++) {
        size_t len = strlen(advice[k].start);
        if (kind.len >= len && memcmp(kind.data, advice[k].start, len) == 0) {
            way_out = advice[k].advice;
            break;
        }
    }
    if (descr.len > 24) descr.len = 24;
    return tl_fail(text->diag, TELAR_UNSUPPORTED, "%s: dtype '%.*s' has no WGSL type; %s", text->name,
                   TL_STR_ARGS(descr), way_out);
}

static telar_status read_descr(reader *text, tl_npy_header *header, bool *is_complex)
{
    skip_blanks(text);
    if (text->at < text->end && *text->at == '[') {
        return tl_fail(text->diag, TELAR_UNSUPPORTED,
                       "%s: a structured dtype has no WGSL type; save one field, or the bytes with .tofile as .bin",
                       text->name);
    }
    tl_str descr;
    if (!take_quoted(text, &descr)) return malformed(text, "a text as 'descr'");
    if (descr.len != 3 || strchr("<>|=", descr.data[0]) == NULL) return wrong_dtype(text, descr);
    *is_complex = memcmp(descr.data + 1, "c8", 2) == 0;
    header->big_endian = descr.data[0] == '>';
    const char *wanted = *is_complex ? "f4" : descr.data + 1;
    for (int k = TL_DTYPE_BYTES + 1; k < TL_DTYPE_COUNT; k++) {
        if (memcmp(wanted, tl_dtype_numpy((tl_dtype)k) + 1, 2) != 0) continue;
        header->dtype = (tl_dtype)k;
        return TELAR_OK;
    }
    return wrong_dtype(text, descr);
}

static telar_status read_pairs(reader *text, tl_npy_header *header, bool *is_complex)
{
    unsigned seen = 0;
    if (!take(text, '{')) return malformed(text, "'{'");
    while (!take(text, '}')) {
        tl_str key;
        if (!take_quoted(text, &key) || !take(text, ':')) return malformed(text, "a key and ':'");
        if (tl_str_equal(key, TL_STR("descr"))) {
            seen |= 1;
            TELAR_TRY(read_descr(text, header, is_complex));
        } else if (tl_str_equal(key, TL_STR("fortran_order"))) {
            seen |= 2;
            header->fortran = take_word(text, TL_STR("True"));
            if (!header->fortran && !take_word(text, TL_STR("False"))) return malformed(text, "True or False");
        } else if (tl_str_equal(key, TL_STR("shape"))) {
            seen |= 4;
            header->shape.axes = 0;
            TELAR_TRY(read_shape(text, &header->shape));
        } else {
            return malformed(text, "the keys 'descr', 'fortran_order' and 'shape'");
        }
        if (take(text, ',')) continue;
        if (!take(text, '}')) return malformed(text, "',' or '}'");
        break;
    }
    return seen == 7 ? TELAR_OK : malformed(text, "the keys 'descr', 'fortran_order' and 'shape'");
}

/* ---- the header ---------------------------------------------------------------------------------------------------- */

static telar_status truncated(const char *name, uint64_t needed, uint64_t has, const char *what, telar_diag *diag)
{
    return tl_fail_limit(diag, TELAR_INVALID_DATA, has, needed,
                         "%s: the .npy file is truncated: %s (%llu bytes) ends after the end of the file (%llu bytes)",
                         name, what, (unsigned long long)needed, (unsigned long long)has);
}

static telar_status find_dictionary(const char *name, const unsigned char *bytes, uint64_t size, uint64_t *start,
                                    uint64_t *length, telar_diag *diag)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0) {
        return tl_fail(diag, TELAR_INVALID_DATA, "%s: not a .npy file (%llu bytes, without numpy's first six)", name,
                       (unsigned long long)size);
    }
    if (size < 12) return truncated(name, 12, size, "the header", diag);
    unsigned version = bytes[6];
    if (version < 1 || version > 3) {
        return tl_fail_limit(diag, TELAR_UNSUPPORTED, version, 3,
                             "%s: version (%u) of the .npy format is not known; allowed are 1 to 3", name, version);
    }
    *start = version == 1 ? 10 : 12;
    *length = (uint64_t)bytes[8] | (uint64_t)bytes[9] << 8;
    if (version > 1) *length |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
    if (*length > size - *start) return truncated(name, *start + *length, size, "the header", diag);
    return TELAR_OK;
}

static telar_status measure(const char *name, uint64_t size, tl_npy_header *header, telar_diag *diag)
{
    char shape[TL_AXES_MAX * 24];
    telar_out out = {.data = shape, .cap = sizeof shape};
    tl_shape_text(&header->shape, &out);
    if (!tl_shape_elements(&header->shape, &header->elements) ||
        !telar_multiply(header->elements, tl_dtype_bytes(header->dtype), &header->data_bytes)) {
        return tl_fail(diag, TELAR_OVERFLOWS, "%s: the size of the shape %s does not fit in 64 bits", name, shape);
    }
    uint64_t has = size - header->data_offset;
    if (header->data_bytes <= has) return TELAR_OK;
    return tl_fail_limit(
        diag, TELAR_INVALID_DATA, has, header->data_bytes,
        "%s: the .npy file is truncated: shape %s of %s takes %llu bytes, the file has %llu after its header", name,
        shape, tl_dtype_text(header->dtype), (unsigned long long)header->data_bytes, (unsigned long long)has);
}

telar_status tl_npy_header_read(const char *name, const unsigned char *bytes, uint64_t size_bytes,
                                tl_npy_header *header, telar_diag *diag)
{
    *header = (tl_npy_header){0};
    uint64_t start = 0, length = 0;
    telar_status status = find_dictionary(name, bytes, size_bytes, &start, &length, diag);
    bool is_complex = false;
    if (status == TELAR_OK) {
        const char *at = (const char *)bytes + start;
        reader text = {.name = name, .at = at, .end = at + length, .diag = diag};
        status = read_pairs(&text, header, &is_complex);
    }
    if (status == TELAR_OK && is_complex) {
        if (header->shape.axes == TL_AXES_MAX || header->fortran) {
            status = tl_fail(diag, TELAR_UNSUPPORTED,
                             "%s: complex64 in Fortran order; save it with numpy.ascontiguousarray", name);
        } else {
            header->shape.sizes[header->shape.axes++] = 2;
        }
    }
    if (status == TELAR_OK) {
        header->data_offset = start + length;
        status = measure(name, size_bytes, header, diag);
    }
    if (status != TELAR_OK) *header = (tl_npy_header){0};
    return status;
}

/* ---- the data ------------------------------------------------------------------------------------------------------ */

static void swap_bytes(unsigned char *data, uint64_t elements, uint32_t bytes)
{
    for (uint64_t k = 0; k < elements; k++, data += bytes) {
        for (uint32_t j = 0; j < bytes / 2; j++) {
            unsigned char kept = data[j];
            data[j] = data[bytes - 1 - j];
            data[bytes - 1 - j] = kept;
        }
    }
}

typedef struct plane {
    uint64_t rows, columns;         /* first and last axis */
    uint64_t row_step, column_step; /* in the file, in elements */
    uint64_t row_stride;            /* in the result */
} plane;

/* Reads run along the first axis and writes along the last: square blocks keep both in the cache. */
#define BLOCK 32

static void turn_plane(const unsigned char *from, unsigned char *to, plane sizes, uint32_t bytes)
{
    for (uint64_t row = 0; row < sizes.rows; row += BLOCK) {
        uint64_t rows = sizes.rows - row < BLOCK ? sizes.rows - row : BLOCK;
        for (uint64_t column = 0; column < sizes.columns; column++) {
            const unsigned char *source = from + (row * sizes.row_step + column * sizes.column_step) * bytes;
            unsigned char *target = to + (row * sizes.row_stride + column) * bytes;
            for (uint64_t k = 0; k < rows; k++) {
                memcpy(target + k * sizes.row_stride * bytes, source + k * sizes.row_step * bytes, bytes);
            }
        }
    }
}

/* Elements between neighbours along axis k: in the file (the first axis runs fastest) and in the result (the last). */
static void axis_steps(const tl_shape *shape, uint64_t steps[TL_AXES_MAX], uint64_t strides[TL_AXES_MAX])
{
    uint64_t product = 1;
    for (uint32_t k = 0; k < shape->axes; k++) {
        steps[k] = product;
        product *= shape->sizes[k];
    }
    product = 1;
    for (uint32_t k = shape->axes; k-- > 0;) {
        strides[k] = product;
        product *= shape->sizes[k];
    }
}

/* From Fortran to C order, one plane (first and last axis) for each index of the axes between them. */
static void turn(const unsigned char *from, unsigned char *to, const tl_shape *shape, uint32_t bytes)
{
    uint64_t steps[TL_AXES_MAX] = {0}, strides[TL_AXES_MAX] = {0}, index[TL_AXES_MAX] = {0};
    axis_steps(shape, steps, strides);
    uint32_t last = shape->axes - 1;
    plane sizes = {.rows = shape->sizes[0],
                   .columns = shape->sizes[last],
                   .row_step = steps[0],
                   .column_step = steps[last],
                   .row_stride = strides[0]};
    for (;;) {
        uint64_t source = 0, target = 0;
        for (uint32_t k = 1; k < last; k++) {
            source += index[k] * steps[k];
            target += index[k] * strides[k];
        }
        turn_plane(from + source * bytes, to + target * bytes, sizes, bytes);
        uint32_t axis = 1;
        while (axis < last && ++index[axis] == shape->sizes[axis]) index[axis++] = 0;
        if (axis >= last) return;
    }
}

/* One axis that is longer than 1, or none, is the same in both orders. */
static bool order_matters(const tl_npy_header *header)
{
    uint32_t longer = 0;
    for (uint32_t k = 0; k < header->shape.axes; k++) longer += header->shape.sizes[k] > 1;
    return header->fortran && header->elements > 0 && longer > 1;
}

static telar_status convert(const char *name, const tl_npy_header *header, tl_array *array, telar_diag *diag)
{
    uint32_t bytes = tl_dtype_bytes(header->dtype);
    bool swap = header->big_endian && bytes > 1, turned = order_matters(header);
    if (!swap && !turned) return TELAR_OK;
    void *memory;
    TELAR_TRY(tl_array_alloc(name, array->size_bytes, &memory, diag));
    if (turned) {
        turn(array->data, memory, &header->shape, bytes);
    } else {
        memcpy(memory, array->data, (size_t)array->size_bytes);
    }
    if (swap) swap_bytes(memory, header->elements, bytes);
    array->owned = memory;
    array->data = memory;
    tl_file_close(&array->file);
    return TELAR_OK;
}

telar_status tl_npy_from_file(const char *name, tl_file *file, tl_array *array, telar_diag *diag)
{
    *array = (tl_array){.file = *file};
    *file = (tl_file){0};
    tl_npy_header header;
    telar_status status = tl_npy_header_read(name, array->file.data, array->file.size_bytes, &header, diag);
    if (status == TELAR_OK) {
        array->dtype = header.dtype;
        array->shape = header.shape;
        array->elements = header.elements;
        array->size_bytes = header.data_bytes;
        array->data = array->file.data + header.data_offset;
        status = convert(name, &header, array, diag);
    }
    if (status != TELAR_OK) tl_array_close(array);
    return status;
}

size_t tl_npy_header_make(tl_dtype dtype, const tl_shape *shape, unsigned char header[TL_NPY_HEADER_BYTES_MAX])
{
    telar_out out = {.data = (char *)header + 10, .cap = TL_NPY_HEADER_BYTES_MAX - 10};
    tl_out_format(&out, "{'descr': '%s', 'fortran_order': False, 'shape': ", tl_dtype_numpy(dtype));
    tl_shape_text(shape, &out);
    tl_out_text(&out, ", }");
    /* Blanks so that the data begins at a multiple of 64; a line end is the header's last byte. */
    size_t total = (10 + out.len + 1 + 63) / 64 * 64;
    TELAR_ASSERT(total <= TL_NPY_HEADER_BYTES_MAX);
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    memcpy(header, magic, sizeof magic);
    header[8] = (unsigned char)((total - 10) & 0xFF);
    header[9] = (unsigned char)((total - 10) >> 8);
    memset(header + 10 + out.len, ' ', total - 10 - out.len);
    header[total - 1] = '\n';
    return total;
}
