/* SPDX-License-Identifier: MIT
 *
 * One walk through an entry point as an invocation takes it, functions included where they are called: which memory is
 * accessed at which symbolic place, and what is known to be true there. Every loop body is walked once, with its variables
 * standing for any round; both sides of every branch are walked. Work is bounded: an entry point that would take more is
 * left with complete == false, and what was found until then is still true. */
#ifndef TL_WGSL_FLOW_H
#define TL_WGSL_FLOW_H

#include "wgsl/check.h"
#include "wgsl/value.h"

typedef enum tl_event_kind {
    TL_EVENT_READ,
    TL_EVENT_WRITE,
    TL_EVENT_ATOMIC, /* all but atomicLoad, which is a READ, and atomicStore, a WRITE */
    TL_EVENT_TEXTURE_STORE,
    TL_EVENT_BARRIER,
} tl_event_kind;

typedef struct tl_event {
    uint8_t kind;   /* tl_event_kind */
    uint32_t node;  /* the expression that names the place; of a barrier the CALL */
    tl_term place;  /* of a texture store the coordinates */
    tl_term value;  /* written, or what an atomic takes; 0: none */
    uint32_t facts; /* the newest fact that holds there; 0: none */
    uint32_t loop;  /* the innermost loop, in values.loops; 0: none */
    uint32_t call;  /* the CALL in the caller, when it stands in a function that is called; else 0 */
} tl_event;

/* A condition that holds, or does not, from somewhere on. */
typedef struct tl_fact {
    tl_term condition;
    bool holds;
    uint32_t before; /* the next older fact; 0: none */
    uint32_t node;   /* the expression that was tested */
} tl_fact;

/* A condition that decides something, in the order of the walk. */
typedef struct tl_condition {
    tl_term condition;
    uint32_t node;
    uint32_t facts;  /* before it was tested */
    uint32_t events; /* number of events before it */
} tl_condition;

typedef struct tl_flow {
    tl_values values;
    tl_event *events;
    uint32_t event_count, event_capacity;
    tl_fact *facts; /* from 1 */
    uint32_t fact_count, fact_capacity;
    tl_condition *conditions;
    uint32_t condition_count, condition_capacity;
    int64_t *work; /* that questions may still take, of all entry points: then they answer with less */
    bool complete;
} tl_flow;

/* Before the first entry point: memory that all walks share. False when the arena is full. */
bool tl_flow_prepare(tl_check *c);

/* Walks the entry point under check; c->flow. NULL when the arena is full. */
tl_flow *tl_flow_of(tl_check *c);

/* The record of the global at the root of an event's place; NULL when it is a local variable or not known. */
const tl_global *tl_event_global(const tl_flow *flow, const tl_event *event);

/* ---- what is known at a place: guard.c ---- */

typedef struct tl_range {
    int64_t lo, hi;
} tl_range;

/* The range of a value where these facts hold. */
tl_range tl_range_under(tl_flow *flow, tl_term term, uint32_t facts);

/* A fact as `left < right` or `left <= right`. */
typedef struct tl_bound {
    tl_term left, right;
    bool equal_too;
    bool exact; /* the two are equal */
    uint32_t node;
} tl_bound;

/* False when the fact is no comparison of integers, or !=. */
bool tl_fact_bound(const tl_flow *flow, uint32_t fact, tl_bound *bound);

/* The group and local axes (TL_ON_GROUP_X ...) that a value grows with: through sums, products, shifts and divisions, and
 * the variables of loops, but not through what cuts or scatters: min, remainders, masks, loads. */
uint32_t tl_term_axes(tl_flow *flow, tl_term term);

/* The axes that some fact bounds from above, by a comparison with something that does not grow with the same axis; a local
 * axis only where the bound is no constant, or where it is a single invocation. */
uint32_t tl_axes_bounded(tl_flow *flow, uint32_t facts);

#endif
