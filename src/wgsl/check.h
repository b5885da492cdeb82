/* SPDX-License-Identifier: MIT
 *
 * What the families of rules share: the module under check, its launch, and how a finding is made.
 *
 * A family is a file check_NAME.c and a row of the table in check.c. Its `module` function is called once, its `entry`
 * function once for each compute entry point, with c->entry and what belongs to it filled in. It asks the tree (query.h),
 * the reflection and the value analysis (flow.h) and calls tl_check_report. A rule is a row of check_rules.inl. */
#ifndef TL_WGSL_CHECK_H
#define TL_WGSL_CHECK_H

#include <telar/check.h>
#include <telar/plan.h>

#include "base/say.h"
#include "wgsl/eval.h"
#include "wgsl/query.h"

typedef enum tl_check_rule {
#define RULE(ENUMERATOR, name, family, severity, english, spanish) TL_CHECK_##ENUMERATOR,
#include "wgsl/check_rules.inl"
#undef RULE
    TL_CHECK_COUNT
} tl_check_rule;

/* A finding while it is being made: it can still get edits. */
typedef struct tl_finding {
    telar_finding out;
    tl_check_rule rule;
    uint32_t number; /* in the order of reports: equal places keep it */
    telar_edit *edits;
    uint32_t edits_capacity;
    struct tl_finding *next; /* older */
} tl_finding;

/* What is known of the launch that concerns the entry point under check. */
typedef struct tl_launch {
    uint64_t count[3];    /* elements an axis, unused axes 1; count[0] == 0: not known */
    uint32_t dispatch[3]; /* groups an axis, unused axes 1; dispatch[0] == 0: not known */
    bool indirect;
} tl_launch;

typedef struct tl_check {
    const telar_check_desc *desc;
    const telar_wgsl *m;
    const telar_wgsl_reflection *reflection;
    telar_arena *arena; /* what entry functions take of it is given back after each entry point */
    size_t arena_cap;   /* as the caller gave it: findings lie at its end meanwhile */
    telar_facts facts;
    tl_eval eval; /* overrides have the launch's values */
    tl_kinds kinds;

    /* Of the entry point under check; zero in `module` functions. */
    const telar_wgsl_entry *entry;
    uint32_t entry_function; /* FN node */
    uint32_t size[3];        /* workgroup size, 0 where it is not known */
    tl_launch launch;        /* zero when the launch is another entry point's */
    struct tl_flow *flow;    /* values, accesses and guards of this entry point: flow.h */

    const struct tl_given *given; /* values that the launch writes: value.h */
    uint32_t given_count;

    /* Memory and work that the walks of all entry points share: flow.c. */
    uint32_t *walk_value, *walk_stamp, *walk_slot, walk_stamp_now;
    uint32_t *walk_written;
    int64_t walk_work, query_work;

    int64_t witness_spent;      /* terms computed for races in all entry points: witness.c */
    uint32_t line, line_offset; /* where tl_check_line counted last */

    telar_severity severity[TL_CHECK_COUNT]; /* asked for by the desc; DEFAULT: as found */
    tl_finding *findings;                    /* the newest first */
    uint32_t findings_count;
    bool full; /* the arena did not suffice */
} tl_check;

/* ---- What is said: the rows of check_says.inl -------------------------------------------------------------------- */

typedef enum tl_check_saying {
#define SAYING(NAME, words, english, spanish) TL_SAYS_##NAME,
#include "wgsl/check_says.inl"
#undef SAYING
    TL_SAYS_COUNT
} tl_check_saying;

enum {
#define SAYING(NAME, words, english, spanish) TL_WORDS_OF_##NAME = words,
#include "wgsl/check_says.inl"
#undef SAYING
};

extern const tl_saying tl_check_sayings[TL_SAYS_COUNT];

/* A row with its words, as many as it wants; a row without. */
#define TL_SAYS(NAME, ...)                                                                                             \
    ((tl_said){&tl_check_sayings[TL_SAYS_##NAME], (const tl_word[TL_WORDS_OF_##NAME]){__VA_ARGS__}})
#define TL_SAID(NAME) ((tl_said){&tl_check_sayings[TL_SAYS_##NAME], NULL})

/* A row without words, to be put into another. */
static inline tl_word tl_check_word(tl_check_saying name)
{
    return TL_W(&tl_check_sayings[name]);
}

/* What follows a limit: nothing where it is that of the device. */
static inline tl_word tl_check_granted(const tl_check *c)
{
    return c->desc->facts_are_device ? TL_W(NULL) : tl_check_word(TL_SAYS_GRANTED_BY_ALL);
}

/* "x", "y", "z" */
#define TL_CHECK_AXIS(axis) TL_T(((tl_str){&"xyz"[axis], 1}))

/* ---- Findings ---------------------------------------------------------------------------------------------------- */

/* Reports the node's text. DEFAULT takes the rule's own severity; what the rule's row names is never exceeded. The same
 * rule at the same place is reported once. What is said is one sentence, lower case, without a final stop, its numbers in
 * parentheses beside their names. NULL when the finding is not wanted or there is no space. */
tl_finding *tl_check_report(tl_check *c, tl_check_rule rule, telar_severity severity, uint32_t node, tl_said said);
/* The same for bytes [begin, end) of the source. */
tl_finding *tl_check_report_at(tl_check *c, tl_check_rule rule, telar_severity severity, uint32_t begin, uint32_t end,
                               tl_said said);

/* Calls visit for each node of a kind, in their order. */
typedef void tl_check_visit(tl_check *c, uint32_t node);
void tl_check_each(tl_check *c, tl_wgsl_node_kind kind, tl_check_visit *visit);

/* The line that a node begins on, from 1. */
uint32_t tl_check_line(tl_check *c, uint32_t node);

/* What to change, in words. finding may be NULL, here and below. */
void tl_check_fix(tl_check *c, tl_finding *finding, tl_said said);
/* Adds an edit, which must not overlap those before it and lie behind them. */
void tl_check_edit(tl_check *c, tl_finding *finding, uint32_t offset, uint32_t bytes, const char *format, ...)
    TL_PRINTF(5, 6);

/* Reads the desc's sets into c->given: check_given.c. */
telar_status tl_check_read_given(tl_check *c, telar_diag *diag);

/* ---- The families ------------------------------------------------------------------------------------------------ */

typedef void tl_check_family(tl_check *c);

tl_check_family tl_check_size_module, tl_check_size_entry, tl_check_guard_entry, tl_check_mapping_entry;
tl_check_family tl_check_indirect_entry, tl_check_launch_entry;
tl_check_family tl_check_barriers_module, tl_check_races_entry, tl_check_waits_module;
tl_check_family tl_check_subgroups_module, tl_check_subgroups_entry;
tl_check_family tl_check_portability_module;

#endif
