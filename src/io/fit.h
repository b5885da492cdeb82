/* SPDX-License-Identifier: MIT
 *
 * How data meets a WGSL variable: which element types match, where padding goes, how small integers and pictures are
 * packed, and the way back.
 *
 *   same type               as it lies; array<vec3f> takes (n, 3) and gets WGSL's padding
 *   bool u8 i8 u16 i16 f16  into array<u32>: the bytes as they lie, four, four, four, two, two, two to a word
 *   .bin                    the bytes as they lie, whole elements
 *   a struct                .bin, or an array of 32-bit words whose number makes whole elements
 *   picture                 array<u32>: one word a pixel, red in its low byte; array<vec4f>: 0 to 1; array<f32>: the gray
 *                           of a gray picture, 0 to 1
 *
 * Everything else is refused with both types and the way out. */
#ifndef TL_IO_FIT_H
#define TL_IO_FIT_H

#include "io/array.h"

/* What a WGSL variable wants. */
typedef struct tl_slot {
    const char *name;
    const char *type_text;   /* "array<vec3<f32>>" */
    tl_dtype scalar;         /* BYTES: a struct, a matrix with padding */
    uint32_t components;     /* scalars of an element, which lie tight */
    uint32_t stride_bytes;   /* from one element to the next */
    uint64_t fixed_elements; /* 0: as many as the data has (a runtime-sized array) */
    uint64_t min_bytes;      /* smallest buffer */
} tl_slot;

/* How elements in a buffer and data in a file belong together. */
typedef struct tl_layout {
    tl_dtype dtype; /* of the file */
    tl_shape shape; /* of the file */
    uint64_t file_bytes;
    tl_shape domain;   /* shape in WGSL elements */
    uint64_t elements; /* of the WGSL variable */
    uint64_t buffer_bytes;
    uint32_t tight_bytes; /* of an element in the file */
    uint32_t stride_bytes;
    bool deep; /* a picture of 16 bits */
} tl_layout;

/* Checks the array against the slot and gives it the bytes that the buffer wants: array->data or its fill are then to be
 * written at the buffer's beginning. INVALID_DATA, UNSUPPORTED, OUT_OF_MEMORY; `what` names the option in messages. */
telar_status tl_fit(const char *what, const tl_slot *slot, tl_array *array, tl_layout *layout, telar_diag *diag);

/* The layout of a variable that no data was bound to: as many elements as the shape (of the domain) has. OVERFLOWS. */
telar_status tl_layout_of(const tl_slot *slot, const tl_shape *domain, tl_layout *layout, telar_diag *diag);

/* Bytes of the buffer, from an offset; used in order, part by part. */
typedef telar_status tl_read_back(void *user, uint64_t offset_bytes, void *into, uint64_t bytes, telar_diag *diag);

/* Writes a buffer by the ending of the name: .npy, .png, .bin, "-" (a .npy on standard output). The output was begun, and
 * is neither committed nor abandoned here. */
telar_status tl_save(const char *path, tl_output *output, const tl_slot *slot, const tl_layout *layout,
                     tl_read_back *read_back, void *user, telar_diag *diag);
/* Whether the name's ending is one of those, and the slot can be written so: before any work is done. */
telar_status tl_save_check(const char *path, const tl_slot *slot, const tl_layout *layout, telar_diag *diag);

#endif
