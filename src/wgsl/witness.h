/* SPDX-License-Identifier: MIT
 *
 * Symbolic values made concrete: which memory an event of the walk touches in a given invocation, round of its loops and
 * launch. Two events that touch one place in two invocations are a witness, with numbers that a reader can follow.
 *
 * What the launch decides and is not known gets one value in a trial; a finding should hold in every trial. What else is
 * not known makes an event unusable, or, in a condition that reads data, may hold. */
#ifndef TL_WGSL_WITNESS_H
#define TL_WGSL_WITNESS_H

#include "wgsl/flow.h"

#define TL_PROGRAM_MAX 192u /* terms of an event */
#define TL_PLACE_MAX 8u     /* indices and members of a place */
#define TL_FACTS_MAX 32u    /* conditions of an event */
#define TL_TOUCHED_MAX 704u /* invocations that are looked at, times rounds */

/* How often a term is computed in a run: each has only operands of its own level or those before. */
typedef enum tl_level {
    TL_LEVEL_RUN,
    TL_LEVEL_INVOCATION,
    TL_LEVEL_ROUND,
    TL_LEVEL_COUNT,
} tl_level;

/* What has to be computed to know where an event goes, level by level, operands first; a level ends where the next one
 * begins. */
typedef struct tl_program {
    uint32_t event;
    tl_term terms[TL_PROGRAM_MAX];
    uint32_t count;
    uint32_t ends[TL_LEVEL_COUNT];
    uint32_t facts[TL_FACTS_MAX]; /* on the way to the event, level by level too */
    uint32_t fact_ends[TL_LEVEL_COUNT];
    tl_term place[TL_PLACE_MAX]; /* indices from the outside in */
    uint32_t place_count;
    uint32_t members;  /* a number for the members among them */
    uint32_t loops[3]; /* whose rounds the invocations count by themselves, and that matter here */
    uint32_t loop_count;
    tl_term decided; /* what the launch decides of the place; several: TL_DECIDED_MANY */
    bool by_data;    /* the invocation has read part of the place from memory */
    bool usable;
} tl_program;

#define TL_DECIDED_MANY UINT32_MAX

#define TL_PLACE_ANY INT64_MIN /* the index is data, so it can be any */

typedef struct tl_touch {
    int64_t place;
    uint32_t invocation;
} tl_touch;

/* By place, then by invocation. */
typedef struct tl_touches {
    tl_touch *items;
    uint32_t count;
} tl_touches;

#define TL_SAMPLE_MAX 26u

typedef struct tl_witness {
    tl_flow *flow;
    int64_t *value; /* by term */
    uint8_t *known;
    uint8_t *level; /* tl_level, by term that is marked */
    uint32_t *mark;
    uint32_t mark_now;
    uint32_t *round;   /* by loop: for those that invocations go through together */
    uint8_t *together; /* by loop: it has a barrier, so that all are in the same round */
    uint32_t invocations;
    uint32_t sample[TL_SAMPLE_MAX]; /* invocations that are looked at */
    uint32_t sample_count;
    uint32_t group;   /* workgroup_id.x of all invocations */
    bool atomics;     /* results of atomics can let one invocation pass at a time */
    bool across;      /* groups are compared: what depends on the group is not one value for all */
    int64_t trial;    /* what the launch decides is this, doubled from one such term to the next */
    uint8_t *ordinal; /* by term: which of these it is, from 1 */
    uint8_t ordinals;
    bool assumed;            /* such a value was needed since this was cleared */
    int64_t granted, budget; /* terms that may be computed, and that still may */
} tl_witness;

/* False when the arena is full, or the workgroup size is not known. */
bool tl_witness_begin(tl_witness *w, tl_check *c, tl_flow *flow);

/* Prepares an event. Not usable: its place or its conditions hang on what cannot be computed. */
void tl_witness_program(tl_witness *w, uint32_t event, tl_program *program);

/* Do the two places hang on no more than one value that the launch decides? Several are related in ways that a trial does
 * not know, as a row's width and the stride of rows. */
bool tl_witness_comparable(const tl_program *a, const tl_program *b);

/* Where the event goes in every invocation, down to `depth` indices and members; touches has room for TL_TOUCHED_MAX. */
void tl_witness_run(tl_witness *w, const tl_program *program, uint32_t depth, tl_touches *touches);

/* The last round in which a loop's condition holds, up to 64; false when it cannot be told. */
bool tl_witness_last_round(tl_witness *w, uint32_t loop, uint32_t *round);

/* A place touched by both, in different invocations; same_group false: the invocations are of two groups. */
bool tl_witness_meet(const tl_touches *a, const tl_touches *b, bool same_group, tl_touch *in_a, tl_touch *in_b);

#endif
