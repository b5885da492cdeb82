/* SPDX-License-Identifier: MIT
 *
 * Values of expressions that depend on overrides, once the overrides have values. */
#ifndef TL_WGSL_EVAL_H
#define TL_WGSL_EVAL_H

#include "wgsl/semantics.h"

typedef struct tl_eval {
    const telar_wgsl *m;
    tl_constants constants; /* the module's, with what is computed here added in the caller's arena */
    tl_constant *values;    /* by global: of an OVERRIDE its value, OVERRIDE when it has none, NONE when not computed */
    uint32_t depth;
    tl_fold fault; /* the first error of folding */
    uint32_t fault_node;
} tl_eval;

/* False when the arena is full. The module is not changed. */
bool tl_eval_begin(tl_eval *eval, const telar_wgsl *m, telar_arena *arena);

/* Gives an override (by index in globals) a value; false when its type does not have this value. */
bool tl_eval_set(tl_eval *eval, uint32_t global, double value);

/* The value of an expression, or of an OVERRIDE node; OVERRIDE when an override has no value, OPAQUE when it cannot be
 * evaluated. */
tl_constant tl_eval_node(tl_eval *eval, uint32_t node);

/* Bytes of a type whose array sizes may depend on overrides; false when they are not known. */
bool tl_eval_size(tl_eval *eval, tl_type type, uint64_t *bytes);

#endif
