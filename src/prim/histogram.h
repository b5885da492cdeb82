/* SPDX-License-Identifier: MIT
 *
 * What a histogram is tuned by. */
#ifndef TL_PRIM_HISTOGRAM_H
#define TL_PRIM_HISTOGRAM_H

#include <telar/prim.h>

/* Zero: the default for this device, these samples and this length. */
typedef struct tl_histogram_tuning {
    uint32_t workgroup_size;
    uint32_t copies; /* of each counter, a power of two up to the workgroup's size; the limits may allow fewer */
    uint32_t rows;   /* of 16 bytes that an invocation has on their way at once; on a CPU adapter 1 */
    uint32_t groups; /* workgroups at most */
} tl_histogram_tuning;

void tl_record_histogram_tuned(telar_record *record, const telar_prim *prim, const telar_histogram_desc *desc,
                               const tl_histogram_tuning *tuning);

#endif
