/* SPDX-License-Identifier: MIT
 *
 * What the commands of primitives verify with: comparisons, which elements a condition holds for, folds, and where there
 * is no plain C of something (functions in WGSL), a second run without subgroups and with bounds checks. */
#ifndef TL_CLI_PRIM_VERIFY_H
#define TL_CLI_PRIM_VERIFY_H

#include "prim_expression.h"
#include "prim_tool.h"

/* The plain C of an operator: exact for integers, which wrap; of floats in doubles, with room for the roundings of as many
 * operations. */
typedef struct tl_folding {
    tl_dtype dtype;
    telar_op op;
    uint32_t word; /* of integers, as they wrap */
    double value;  /* of floats */
    double size;   /* sum of the magnitudes */
    uint64_t added;
} tl_folding;

tl_folding tl_folding_begin(tl_dtype dtype, telar_op op);
void tl_folding_add(tl_folding *folding, const void *data, uint64_t k);
/* Element k of a result against what was folded so far. */
telar_status tl_folding_compare(tl_prim_tool *tool, const tl_folding *folding, const char *name, const void *result,
                                uint64_t k);

/* Numbers of f32 and f16 may differ by roundings: by this part of the larger one. */
bool tl_prim_is_near(tl_dtype dtype, double got, double wanted, double part);
/* MISMATCH with both values. */
telar_status tl_prim_differs(tl_prim_tool *tool, const char *name, uint64_t element, double got, double wanted);
/* The same bits at element k of a result as at `wanted`; NULL: zero. */
telar_status tl_prim_same_bits(tl_prim_tool *tool, const tl_prim_data *out, const void *result, uint64_t k,
                               const void *wanted);
telar_status tl_prim_same_word(tl_prim_tool *tool, const tl_prim_data *out, const void *result, uint64_t k,
                               uint64_t wanted);

/* A byte an element, of malloc's. NULL, and TELAR_OK, where an expression cannot be evaluated here. */
/* Whether a condition of x and i holds. */
telar_status tl_prim_judge(tl_prim_tool *tool, tl_prim_data *data, const char *where, uint8_t **marks);
/* Whether a flag is not 0. */
telar_status tl_prim_flagged(tl_prim_tool *tool, tl_prim_data *flags, uint8_t **marks);
/* Whether a run of equal elements begins: by an expression of a and b; NULL: a == b. */
telar_status tl_prim_heads(tl_prim_tool *tool, tl_prim_data *data, const char *equal, uint8_t **marks);

/* Runs the recorded primitive again, without subgroups and with bounds checks, and compares all results. */
telar_status tl_prim_verify_again(tl_prim_tool *tool);

#endif
