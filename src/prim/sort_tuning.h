/* SPDX-License-Identifier: MIT
 *
 * How a sort is cut up, for benches and tests that choose it themselves. Zero everywhere is what telar_record_sort does. */
#ifndef TL_PRIM_SORT_TUNING_H
#define TL_PRIM_SORT_TUNING_H

#include <telar/prim.h>

#include "prim/waiting.h"

typedef enum tl_sort_rank {
    TL_SORT_RANK_BARRIER = 0, /* where the dialect has subgroupBarrier(), else as the other */
    TL_SORT_RANK_ATOMIC,
} tl_sort_rank;

typedef enum tl_sort_form {
    TL_SORT_FORM_BEST = 0,
    TL_SORT_FORM_SMALL,     /* one workgroup alone */
    TL_SORT_FORM_SCAN,      /* digits of tiles are counted and scanned before each pass */
    TL_SORT_FORM_LOOK_BACK, /* tiles look at what those before have posted */
} tl_sort_form;

typedef struct tl_sort_tuning {
    uint32_t size;       /* invocations of a workgroup */
    uint32_t items;      /* elements of an invocation */
    uint32_t digit_bits; /* at most 8 */
    uint32_t copies;     /* of a counter, where digits are counted */
    tl_sort_rank rank;
    tl_sort_form form;
    tl_waiting waiting; /* of look-back */
    bool wide;          /* sets of lanes as of subgroups of more than 32 */
    bool fixed;         /* no pass is left out */
    uint32_t histogram_size, histogram_rows, histogram_groups, histogram_copies;
} tl_sort_tuning;

void tl_record_sort_tuned(telar_record *record, const telar_prim *prim, const telar_sort_desc *desc,
                          const tl_sort_tuning *tuning);

#endif
