/* SPDX-License-Identifier: MIT
 *
 * How runs of elements (segments, equal keys) are covered, for benches that look for better numbers. */
#ifndef TL_PRIM_RUNS_H
#define TL_PRIM_RUNS_H

#include <telar/prim.h>

/* How segments are gone through on a GPU. */
typedef enum tl_runs_way {
    TL_RUNS_CHOSEN = 0,
    TL_RUNS_TILES, /* tile by tile, in which the begins are marked: short ones; runs of keys always are */
    TL_RUNS_WALK,  /* one by one: long ones */
} tl_runs_way;

/* Zeros: what the public functions take. */
typedef struct tl_runs_tuning {
    uint32_t size;   /* of a workgroup */
    uint32_t rows;   /* of an invocation, in a tile or on their way at once */
    uint32_t groups; /* at most; each has a contiguous part of the elements */
    tl_runs_way way;
} tl_runs_tuning;

void tl_record_reduce_segments(telar_record *record, const telar_prim *prim, const telar_reduce_segments_desc *desc,
                               tl_runs_tuning tuning);
void tl_record_reduce_by_key(telar_record *record, const telar_prim *prim, const telar_reduce_by_key_desc *desc,
                             tl_runs_tuning tuning);

#endif
