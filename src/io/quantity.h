/* SPDX-License-Identifier: MIT
 *
 * Numbers as people write them on a command line: 3_000_001, 256Mi, 512x512x512, 0.99. Every failure names the option,
 * what was found and what is allowed. */
#ifndef TL_IO_QUANTITY_H
#define TL_IO_QUANTITY_H

#include "base/base.h"

/* A whole number from min to max: digits, single _ between digits, then at most one of k M G Ki Mi Gi. `what` names the
 * option or field in messages. INVALID_ARGUMENT, or OVERFLOWS when it is outside of min..max. */
telar_status tl_number_u64(const char *what, tl_str text, uint64_t min, uint64_t max, uint64_t *value,
                           telar_diag *diag);

/* One to `cap` whole numbers between separators ("8,8" or "640x480"); *count is how many. */
telar_status tl_number_list(const char *what, tl_str text, char separator, uint32_t cap, uint64_t min, uint64_t max,
                            uint64_t *values, uint32_t *count, telar_diag *diag);

/* A whole number with an optional sign. */
telar_status tl_number_i64(const char *what, tl_str text, int64_t min, int64_t max, int64_t *value, telar_diag *diag);

/* Any number: a whole one as above, or decimal, with exponent, hexadecimal, inf, nan. */
telar_status tl_number_f64(const char *what, tl_str text, double *value, telar_diag *diag);

#endif
