/* SPDX-License-Identifier: MIT
 *
 * What the two files of reflection share. */
#ifndef TL_WGSL_REFLECT_H
#define TL_WGSL_REFLECT_H

#include "wgsl/eval.h"

typedef struct tl_reflector {
    const telar_wgsl *m;
    telar_arena *arena;
    tl_eval eval;
    bool full;
    const telar_wgsl_binding **binding_of; /* by global; NULL when it is no binding */
    uint32_t *function_seen;               /* the number (from 1) of the entry point that reached it last */
    uint32_t *global_seen;
    uint32_t *stack; /* of functions to visit */
    uint32_t *found; /* globals that the entry point uses */
    uint32_t found_count;
    uint32_t entry_number;
} tl_reflector;

const char *tl_reflect_text(tl_reflector *r, tl_str text);

/* ---- reflect_entry.c ---- */

telar_status tl_reflect_entry(tl_reflector *r, uint32_t function, telar_wgsl_entry *entry, telar_diag *diag);

#endif
