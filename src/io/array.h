/* SPDX-License-Identifier: MIT
 *
 * An array of data on its way to or from a device: element type, shape (last axis runs fastest, as in a .npy file in C
 * order), and where its bytes are: mapped from a file, in memory, or made on demand. */
#ifndef TL_IO_ARRAY_H
#define TL_IO_ARRAY_H

#include "base/base.h"
#include "io/file.h"

/* X(NAME, bytes, name in messages and in TYPE:N, .npy kind) */
#define TL_DTYPE_LIST(X)                                                                                               \
    X(F16, 2, "f16", 'f')                                                                                              \
    X(F32, 4, "f32", 'f')                                                                                              \
    X(F64, 8, "f64", 'f')                                                                                              \
    X(I8, 1, "i8", 'i')                                                                                                \
    X(I16, 2, "i16", 'i')                                                                                              \
    X(I32, 4, "i32", 'i')                                                                                              \
    X(I64, 8, "i64", 'i')                                                                                              \
    X(U8, 1, "u8", 'u')                                                                                                \
    X(U16, 2, "u16", 'u')                                                                                              \
    X(U32, 4, "u32", 'u')                                                                                              \
    X(U64, 8, "u64", 'u')                                                                                              \
    X(BOOL, 1, "bool", 'b')

typedef enum tl_dtype {
    TL_DTYPE_BYTES = 0, /* of no type: a .bin file, a struct */
#define TL_DTYPE_ENUM(NAME, bytes, text, kind) TL_DTYPE_##NAME,
    TL_DTYPE_LIST(TL_DTYPE_ENUM)
#undef TL_DTYPE_ENUM
    TL_DTYPE_COUNT
} tl_dtype;

uint32_t tl_dtype_bytes(tl_dtype dtype);    /* of BYTES: 1 */
const char *tl_dtype_text(tl_dtype dtype);  /* "f32" */
const char *tl_dtype_numpy(tl_dtype dtype); /* "<f4"; BYTES: "|u1" */
char tl_dtype_kind(tl_dtype dtype);         /* 'f' 'i' 'u' 'b'; BYTES: 0 */
/* By the text; TL_DTYPE_BYTES when there is none of that name. */
tl_dtype tl_dtype_find(tl_str text);

/* numpy's own limit is 64 since version 2, 32 before. */
#define TL_AXES_MAX 32

typedef struct tl_shape {
    uint32_t axes; /* 0: a single value */
    uint64_t sizes[TL_AXES_MAX];
} tl_shape;

/* Elements of a shape; false when they do not fit in 64 bits. */
bool tl_shape_elements(const tl_shape *shape, uint64_t *elements);
/* "(3, 4)" as numpy writes it. */
void tl_shape_text(const tl_shape *shape, telar_out *out);

typedef enum tl_fill {
    TL_FILL_NONE = 0,
    TL_FILL_ZERO,
    TL_FILL_VALUE,
    TL_FILL_IOTA,
    TL_FILL_RANDOM
} tl_fill;

typedef struct tl_array {
    tl_dtype dtype;
    tl_shape shape;
    uint64_t elements;
    uint64_t size_bytes;
    const unsigned char *data; /* NULL: made by fill, or empty */
    tl_fill fill;
    unsigned char value[8]; /* of TL_FILL_VALUE, as it lies in memory */
    uint64_t seed;
    bool picture; /* shape is (height, width, 4): RGBA, U8 or U16 */
    bool gray;    /* the picture's file has no colour */
    tl_file file;
    void *owned; /* malloc's */
} tl_array;

void tl_array_close(tl_array *array); /* a zeroed one is allowed */
/* The bytes from `offset` on: a pointer into the data, or into scratch (of `bytes`), where they were made. offset and
 * bytes are multiples of the element's size and inside of the array. */
const void *tl_array_part(const tl_array *array, uint64_t offset_bytes, void *scratch, size_t bytes);
/* Gives a generated array its data, so that it can be converted. OUT_OF_MEMORY. */
telar_status tl_array_settle(tl_array *array, telar_diag *diag);
/* Memory for the bytes of a new array, with a message that names it. */
telar_status tl_array_alloc(const char *name, uint64_t bytes, void **memory, telar_diag *diag);

/* IEEE half precision: ties to even, too large is infinite. */
void tl_half_put(float value, unsigned char *at);
float tl_half_get(const unsigned char *at);

#endif
