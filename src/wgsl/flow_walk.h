/* SPDX-License-Identifier: MIT
 *
 * What the files of the walk share: flow.c (statements and loops), flow_expression.c, flow_call.c, flow_memory.c. */
#ifndef TL_WGSL_FLOW_WALK_H
#define TL_WGSL_FLOW_WALK_H

#include "wgsl/flow.h"

#define TL_WALK_DEPTH_MAX 600u /* nested statements and expressions, callers included */
#define TL_CALL_DEPTH_MAX 48u

typedef struct tl_change {
    uint32_t declaration;
    tl_term value;
} tl_change;

typedef struct tl_changes {
    tl_change *items;
    uint32_t count, capacity;
} tl_changes;

/* A function while it is walked: what it returned so far, newest last in walk.returns. */
typedef struct tl_frame {
    uint32_t returns_begin;
    bool tangled; /* returns from inside loops or switches: the result is not followed */
} tl_frame;

/* `if (condition) { ... return value; }`; condition 0: always. */
typedef struct tl_return {
    tl_term condition;
    bool holds;
    tl_term value;
} tl_return;

typedef struct tl_walk {
    tl_check *c;
    const telar_wgsl *m;
    tl_flow *flow;
    tl_values *v;
    tl_term *value;  /* by node: what a declaration stands for now */
    uint32_t *stamp; /* by node: the last collection that met it */
    uint32_t *slot;  /* by node: where it stands in the list that is being collected */
    uint32_t stamp_now;
    const uint32_t *written; /* by global: how often somebody writes it */
    tl_changes trail;        /* what to put back */
    tl_changes saved;        /* values of branches that wait to be merged */
    tl_changes roots;        /* of loops: variables that they change, and the statement that does */
    uint32_t *spine;
    uint32_t spine_count, spine_capacity;
    tl_return *returns;
    uint32_t return_count, return_capacity;
    tl_frame *frame;
    uint32_t head; /* the newest fact */
    uint32_t loop;
    uint32_t call;
    uint32_t depth, call_depth;
    uint32_t quiet; /* > 0: no events */
    uint32_t version;
    int64_t budget; /* nodes that may still be walked */
} tl_walk;

/* False once the walk has to end: no work or memory left. */
bool tl_walk_spend(tl_walk *w, uint32_t nodes);
bool tl_walk_grow(tl_walk *w, void **array, uint32_t count, uint32_t *capacity, size_t size);
#define TL_WALK_GROW(w, array, count, capacity)                                                                        \
    tl_walk_grow((w), (void **)&(array), (count), &(capacity), sizeof *(array))

void tl_walk_set(tl_walk *w, uint32_t declaration, tl_term value);
void tl_walk_push(tl_walk *w, tl_changes *list, uint32_t declaration, tl_term value);

/* From here on the condition holds (or does not). */
void tl_walk_assume(tl_walk *w, tl_term condition, bool holds, uint32_t node);
void tl_walk_condition(tl_walk *w, tl_term condition, uint32_t node);

/* ---- flow.c ---- */

/* Walks a function's body; its value, 0 when there is none. */
tl_term tl_walk_function(tl_walk *w, uint32_t function);

/* ---- flow_expression.c ---- */

/* A place for an expression of a reference type, else the value. */
tl_term tl_walk_expression(tl_walk *w, uint32_t node);
/* The value, loaded where it stands in memory. */
tl_term tl_walk_value(tl_walk *w, uint32_t node);
tl_term tl_walk_operate(tl_walk *w, tl_wgsl_op op, tl_term a, tl_term b, tl_type type);

/* ---- flow_call.c ---- */

tl_term tl_walk_call(tl_walk *w, uint32_t node);

/* ---- flow_memory.c ---- */

tl_term tl_walk_zero(tl_walk *w, tl_type type);
tl_term tl_walk_load(tl_walk *w, tl_term place, uint32_t node);
void tl_walk_store(tl_walk *w, tl_term place, tl_term value, uint32_t node);
void tl_walk_event(tl_walk *w, tl_event_kind kind, tl_term place, tl_term value, uint32_t node);

#endif
