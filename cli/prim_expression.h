/* SPDX-License-Identifier: MIT
 *
 * WGSL expressions of the command line: evaluated here, and what is wrong with one, and where. Must not know the tool that
 * they are for, nor a device. */
#ifndef TL_CLI_PRIM_EXPRESSION_H
#define TL_CLI_PRIM_EXPRESSION_H

#include "base/base.h"

typedef struct tl_operand {
    const char *name;
    const char *type; /* "f32" */
} tl_operand;

typedef struct tl_expression tl_expression;

/* An expression of these and of i, a u32. result: "f32", "bool". NULL where it cannot be evaluated here, as with
 * functions of the user's own. */
tl_expression *tl_expression_open(const char *expression, const tl_operand *variables, uint32_t variables_count,
                                  const char *result);
void tl_expression_close(tl_expression *expression); /* NULL is allowed */
/* False where it has no value for these, as a division by zero. */
bool tl_expression_value(tl_expression *expression, const double *values, uint32_t i, double *result);

typedef struct tl_expression_desc {
    const char *option;          /* whose text it is, without the dashes */
    const char *text;            /* not NULL */
    const tl_operand *variables; /* beside i */
    uint32_t variables_count;
    const char *element; /* T: the elements' type */
    const char *result;
    const char *wgsl; /* functions that it may call; NULL: none */
} tl_expression_desc;

/* INVALID_ARGUMENT: the option, the column (and the line, of several) and what is wrong. */
telar_status tl_expression_check(const tl_expression_desc *desc, telar_diag *diag);

#endif
