/* SPDX-License-Identifier: MIT
 *
 * Select, as benches and tests call it: with other sizes than the tables give. */
#ifndef TL_PRIM_SELECT_H
#define TL_PRIM_SELECT_H

#include <telar/prim.h>

#include "prim/waiting.h"

/* Zero: by the tables in select_stages.c. For measurements and tests. */
typedef struct tl_select_tuning {
    uint32_t size;       /* invocations of a workgroup over a tile */
    uint32_t items;      /* of an invocation, at most 32; 0 or no whole words of a subgroup: 32 */
    uint32_t spine_size; /* invocations of the workgroup that adds up the tiles */
    bool load_kept;      /* loads only what is kept, not whole tiles */
    tl_waiting waiting;  /* of look-back */
} tl_select_tuning;

void tl_record_select_tuned(telar_record *record, const telar_prim *prim, const telar_select_desc *desc,
                            const tl_select_tuning *tuning);
void tl_record_unique_tuned(telar_record *record, const telar_prim *prim, const telar_unique_desc *desc,
                            const tl_select_tuning *tuning);
void tl_record_partition_tuned(telar_record *record, const telar_prim *prim, const telar_partition_desc *desc,
                               const tl_select_tuning *tuning);

#endif
