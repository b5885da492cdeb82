/* SPDX-License-Identifier: MIT
 *
 * What select, unique, partition and run-length encode share: elements are judged by a rule, and put to the places that
 * follow. Callers fill in a tl_select and record it. */
#ifndef TL_PRIM_SELECT_STAGES_H
#define TL_PRIM_SELECT_STAGES_H

#include "prim/prim.h"
#include "prim/select.h"

/* How elements are judged. */
typedef enum tl_select_rule {
    TL_SELECT_WHERE,  /* by expressions of the element and its index */
    TL_SELECT_FLAGS,  /* by a word of flags each */
    TL_SELECT_BITS,   /* by a bit each */
    TL_SELECT_UNIQUE, /* by whether it differs from the one before */
} tl_select_rule;

enum {
    TL_SELECT_SETS_MAX = 2,
};

typedef struct tl_select {
    tl_job job;
    tl_select_tuning tuning;
    telar_select_way way;
    tl_select_rule rule;
    uint32_t sets;     /* that are told apart, besides the rest: 1 or 2 */
    bool parted;       /* all elements are kept, set by set */
    uint64_t capacity; /* elements that are written at most, where not all are kept */
    tl_type_facts type, value_type, word;
    const char *wgsl;                      /* what the expressions need */
    const char *where[TL_SELECT_SETS_MAX]; /* WHERE */
    const char *equal;                     /* UNIQUE: of a and b; NULL: a == b */
    tl_view in, flags, out, counts;        /* counts: of each set */
    tl_view values, values_out, indices;   /* go the way of the elements, where they have a buffer */
} tl_select;

/* All stages, with the job's prepare. */
void tl_select_record(tl_select *select);

#endif
