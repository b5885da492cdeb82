/* SPDX-License-Identifier: MIT
 *
 * How runs of elements (segments, equal keys) are covered, for benches that look for better numbers. */
#ifndef TL_PRIM_RUNS_H
#define TL_PRIM_RUNS_H

#include <telar/prim.h>

/* Zeros: what the public functions take. */
typedef struct tl_runs_tuning {
    uint32_t size;   /* of a workgroup */
    uint32_t rows;   /* of an invocation in a tile */
    uint32_t groups; /* at most; each has a contiguous part of the tiles */
} tl_runs_tuning;

void tl_record_reduce_segments(telar_record *record, const telar_prim *prim, const telar_reduce_segments_desc *desc,
                               tl_runs_tuning tuning);
void tl_record_reduce_by_key(telar_record *record, const telar_prim *prim, const telar_reduce_by_key_desc *desc,
                             tl_runs_tuning tuning);

#endif
