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

/* Numbers of f32 and f16 may differ by roundings: by this part of the larger one. */
bool tl_prim_is_near(tl_dtype dtype, double got, double wanted, double part);
/* MISMATCH with both values. */
telar_status tl_prim_differs(tl_prim_tool *tool, const char *name, uint64_t element, double got, double wanted);
/* Runs the recorded primitive again, without subgroups and with bounds checks, and compares all results. */
telar_status tl_prim_verify_again(tl_prim_tool *tool);

#endif
