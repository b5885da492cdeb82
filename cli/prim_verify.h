/* SPDX-License-Identifier: MIT
 *
 * What the commands of primitives verify with: WGSL expressions evaluated here, element by element, comparisons, and where
 * there is no plain C of something (functions in WGSL), a second run without subgroups and with bounds checks. */
#ifndef TL_CLI_PRIM_VERIFY_H
#define TL_CLI_PRIM_VERIFY_H

#include "prim_tool.h"

typedef struct tl_expression tl_expression;

/* An expression of x, a, b, c (as far as there are types) and i. result: "f32", "bool". NULL where it cannot be evaluated
 * here, as with functions of the user's own. */
tl_expression *tl_expression_open(const char *expression, const char *const *types, uint32_t types_count,
                                  const char *result);
void tl_expression_close(tl_expression *expression); /* NULL is allowed */
/* False where it has no value for these, as a division by zero. */
bool tl_expression_value(tl_expression *expression, const double *values, uint32_t i, double *result);

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
/* Runs the recorded primitive again, without subgroups and with bounds checks, and compares all results. */
telar_status tl_prim_verify_again(tl_prim_tool *tool);

#endif
