/* SPDX-License-Identifier: MIT
 *
 * .png pictures through libpng. A picture is an array of shape (height, width, 4), RGBA, U8 or (from files of 16 bits)
 * U16: gray, palette and missing alpha are expanded, values are as stored (no gamma). */
#ifndef TL_IO_PNG_H
#define TL_IO_PNG_H

#include "io/array.h"

/* Pixels of a picture at most: its words must fit one index. */
#define TL_PNG_SIDE_MAX 1000000

/* Takes the file over, also on failure. INVALID_DATA (no PNG, truncated, corrupt), LIMIT_EXCEEDED, OUT_OF_MEMORY. */
telar_status tl_png_from_file(const char *name, tl_file *file, tl_array *array, telar_diag *diag);

/* Rows of `channels` (1: gray, 4: RGBA) samples of 8 or 16 bits (in the machine's order). */
typedef struct tl_png_rows {
    uint32_t width, height;
    uint32_t channels;
    uint32_t depth;
    const unsigned char *pixels;
} tl_png_rows;

telar_status tl_png_write(tl_output *output, const tl_png_rows *rows, telar_diag *diag);

#endif
