/* SPDX-License-Identifier: MIT
 *
 * Reductions in plain C: of all elements, or of each part by itself. */
#ifndef TL_CLI_REDUCE_VERIFY_H
#define TL_CLI_REDUCE_VERIFY_H

#include "prim_tool.h"

typedef struct tl_reduction_check {
    tl_prim_tool *tool;
    telar_reduction_kind kind; /* not a condition */
    telar_op op;               /* of OPERATOR */
    const tl_prim_data *in;    /* settled */
    const tl_prim_data *out;   /* a result a part, or two */
    const uint64_t *begins;    /* of the parts, and the end of the last */
    uint64_t parts;
} tl_reduction_check;

/* MISMATCH names the first element that differs. */
telar_status tl_reduction_verify(const tl_reduction_check *check);

#endif
