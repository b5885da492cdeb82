/* SPDX-License-Identifier: MIT
 *
 * Where data comes from: FILE.npy, FILE.png, FILE.bin, or TYPE:N[xM[xK]][:iota|random[:SEED]|VALUE]. */
#ifndef TL_IO_SOURCE_H
#define TL_IO_SOURCE_H

#include "io/array.h"

/* Opens a source; `what` names it in messages, as in "--bind src". A file's data is mapped, generated data costs nothing
 * until it is asked for. TYPE is a scalar (f32 u32 i32 f16 u64 i64 f64 u8 i8 u16 i16) or a WGSL vector (vec4f, vec2u). */
telar_status tl_source_open(const char *what, const char *source, tl_array *array, telar_diag *diag);

/* One value of the type, as it lies in memory, checked against the type's range. */
telar_status tl_scalar_read(const char *what, tl_dtype dtype, tl_str text, unsigned char value[8], telar_diag *diag);

#endif
