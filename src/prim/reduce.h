/* SPDX-License-Identifier: MIT
 *
 * How reduce covers its elements, for benches that look for better numbers. */
#ifndef TL_PRIM_REDUCE_H
#define TL_PRIM_REDUCE_H

#include <telar/prim.h>

#include "prim/waiting.h"

typedef enum tl_reduce_end {
    TL_REDUCE_END_CHOSEN = 0, /* what fits the length and the device */
    TL_REDUCE_END_ALONE,      /* one workgroup does all: one dispatch */
    TL_REDUCE_END_LAST,       /* the last workgroup combines all totals: one dispatch */
    TL_REDUCE_END_PARTIALS,   /* a dispatch of one workgroup does */
} tl_reduce_end;

/* Zeros: what telar_record_reduce takes. */
typedef struct tl_reduce_tuning {
    uint32_t size;     /* of a workgroup */
    uint32_t rows;     /* of an invocation in a tile: loads on their way at once */
    uint32_t sum_rows; /* of them with sums of their own; a divisor of rows */
    uint32_t groups;   /* at most; they stride over the tiles */
    tl_reduce_end end;
    tl_waiting waiting; /* of LAST */
} tl_reduce_tuning;

void tl_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc,
                      tl_reduce_tuning tuning);

#endif
