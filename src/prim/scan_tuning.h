/* SPDX-License-Identifier: MIT
 *
 * Scan, as benches and tests call it: with other sizes than the tables give. */
#ifndef TL_PRIM_SCAN_TUNING_H
#define TL_PRIM_SCAN_TUNING_H

#include <telar/prim.h>

#include "prim/waiting.h"

/* Zero: by the tables in scan_shape.c. */
typedef struct tl_scan_tuning {
    uint32_t size;       /* invocations of a workgroup over a tile */
    uint32_t rows;       /* of 16 bytes, of an invocation in a tile */
    uint32_t spine_size; /* invocations of the workgroup that scans the totals */
    tl_waiting waiting;  /* of look-back */
} tl_scan_tuning;
void tl_record_scan_tuned(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc,
                          const tl_scan_tuning *tuning);

#endif
