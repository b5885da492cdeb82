/* SPDX-License-Identifier: MIT
 *
 * The accesses of an entry point as the rules of mapping see them: one index into one array at a time. */
#ifndef TL_WGSL_CHECK_ACCESS_H
#define TL_WGSL_CHECK_ACCESS_H

#include "wgsl/flow.h"

typedef struct tl_access_at {
    const tl_event *event;
    uint32_t number; /* of the event */
    tl_term array;   /* place of the array */
    tl_term index;
    uint64_t length; /* elements; 0: not known */
    bool runtime;    /* the array is runtime-sized; its length may be known from what is bound */
    uint32_t stride; /* bytes */
    tl_space space;
    uint32_t root; /* declaration of the variable */
} tl_access_at;

typedef void tl_access_visit(tl_check *c, const tl_access_at *access, void *user);

/* Calls visit for each index of each event's place, the outermost array last. */
void tl_each_access(tl_check *c, tl_access_visit *visit, void *user);

static inline bool tl_access_writes(const tl_access_at *access)
{
    return access->event->kind == TL_EVENT_WRITE || access->event->kind == TL_EVENT_ATOMIC;
}

/* The axes (bit 0: x) on which an index grows by one an invocation of the whole launch: a global id, or what is one. On
 * these a launch that is rounded up to whole groups goes beyond the domain. */
uint32_t tl_term_spread(tl_flow *flow, tl_term term);

/* TL_ON_GROUP_* of axes, and back. */
static inline uint32_t tl_group_bits(uint32_t axes)
{
    return axes * TL_ON_GROUP_X;
}

/* The largest value where it is surely taken: a sum of ids with factors that are known, in a launch that is known where
 * groups matter, under no fact that speaks of them. */
bool tl_attained_max(tl_check *c, tl_term index, uint32_t facts, int64_t *max);

/* Bytes that the launch binds to a variable; 0: not known. */
uint64_t tl_bound_bytes(const tl_check *c, uint32_t declaration);

/* The declared name of a variable or member at the end of a load's place; empty when it has none. */
tl_str tl_load_name(const tl_flow *flow, tl_term load);

/* Does the name contain the word, whatever the case? */
bool tl_name_has(tl_str name, const char *word);

/* "x", "x and y"; some axis. */
tl_word tl_axes_word(uint32_t axes);

#endif
