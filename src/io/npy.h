/* SPDX-License-Identifier: MIT
 *
 * numpy's .npy files, format versions 1 to 3. Little-endian files in C order are used where they lie; big-endian ones and
 * Fortran order are turned when read. complex64 is read as f32 with a last axis of 2. */
#ifndef TL_IO_NPY_H
#define TL_IO_NPY_H

#include "io/array.h"

typedef struct tl_npy_header {
    tl_dtype dtype;
    bool big_endian;
    bool fortran;
    tl_shape shape;
    uint64_t elements;
    uint64_t data_offset;
    uint64_t data_bytes;
} tl_npy_header;

/* Reads and checks the header of a whole file in memory; `name` stands in messages. INVALID_DATA (malformed or
 * truncated), UNSUPPORTED (a dtype that no WGSL type matches), OVERFLOWS. */
telar_status tl_npy_header_read(const char *name, const unsigned char *bytes, uint64_t size_bytes,
                                tl_npy_header *header, telar_diag *diag);

/* Takes the file over, also on failure. */
telar_status tl_npy_from_file(const char *name, tl_file *file, tl_array *array, telar_diag *diag);

/* The header that goes before the bytes of an array in C order. */
#define TL_NPY_HEADER_BYTES_MAX 1024
size_t tl_npy_header_make(tl_dtype dtype, const tl_shape *shape, unsigned char header[TL_NPY_HEADER_BYTES_MAX]);

#endif
