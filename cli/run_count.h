/* SPDX-License-Identifier: MIT
 *
 * run --count @NAME[:OFFSET] --capacity N: a count that stands in a GPU buffer. Its text, the capacity, and what the
 * launch must report. */
#ifndef TL_CLI_RUN_COUNT_H
#define TL_CLI_RUN_COUNT_H

#include "run_launch.h"

/* --capacity; text NULL: not given. */
typedef struct tl_capacity {
    const char *text;
    uint64_t elements;
} tl_capacity;
tl_take tl_take_capacity;

/* @NAME or @NAME:OFFSET. INVALID_ARGUMENT. */
telar_status tl_gpu_count_read(const char *text, tl_gpu_count *count, telar_diag *diag);

/* The elements that a launch may reach: --capacity, else those of the first array that is accessed at [i]. Refuses kernels
 * of more than one dimension. */
telar_status tl_gpu_count_capacity(const tl_data *data, const tl_capacity *given, const telar_weave_needs *needs,
                                   uint64_t *capacity, telar_diag *diag);
/* LIMIT_EXCEEDED when the capacity does not go into one window. */
telar_status tl_gpu_count_check_plan(const tl_gpu_count *count, const telar_plan *plan, telar_diag *diag);

/* What a launch of this plan must report for a count, after `runs` of them. */
telar_count_report tl_gpu_count_expect(const telar_plan *plan, uint32_t value, uint32_t runs);
/* MISMATCH: skipped in silence, or not what the host's formula says. */
telar_status tl_gpu_count_check_report(const telar_count_report *report, const telar_count_report *expected,
                                       telar_diag *diag);

#endif
