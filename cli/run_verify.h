/* SPDX-License-Identifier: MIT
 *
 * --verify: the same data through a second launch shape, compared, and the bytes around every buffer. */
#ifndef TL_CLI_RUN_VERIFY_H
#define TL_CLI_RUN_VERIFY_H

#include "run_launch.h"

/* What the first launch was made from. */
typedef struct tl_first {
    tl_kernel_file *kernel;
    const telar_weave_desc *weave;
    const telar_plan_desc *plan_desc;
    const telar_facts *facts;
    const telar_plan *plan;
    bool ordinary; /* the kernel's size is its own: only the shape can be another one */
} tl_first;

/* A plan for the same domain that differs from the first in shape, size or items; `again` when the kernel allows none, and
 * the same plan is to be run a second time. */
typedef struct tl_second {
    telar_plan plan;
    telar_woven woven;
    bool again;
} tl_second;
telar_status tl_second_make(const tl_first *first, tl_second *second, telar_diag *diag);

/* MISMATCH names the variable, the element and both values. */
telar_status tl_launches_compare(const tl_launch *first, const tl_launch *second, telar_diag *diag);

#endif
