/* SPDX-License-Identifier: MIT
 *
 * The options that plan, weave and run share: what is to be planned, and the facts to plan with. */
#ifndef TL_CLI_PLAN_OPTIONS_H
#define TL_CLI_PLAN_OPTIONS_H

#include "cli.h"
#include "json.h"

#include <stdio.h>

typedef struct tl_counts {
    uint64_t values[3];
    uint32_t dimensions; /* 0: not given */
    const char *text;
} tl_counts;

typedef struct tl_sizes {
    uint64_t values[3];
    uint32_t count; /* 0: not given */
} tl_sizes;

typedef struct tl_plan_options {
    tl_counts count;
    telar_kind kind;
    tl_sizes size;
    uint32_t items;
    telar_shape shape;
    uint32_t fold_width;
    uint32_t bytes;
    uint32_t flops;
    uint32_t workgroup_memory;
    uint32_t registers;
    uint32_t halo;
    uint32_t groups;
    const char *facts;
    tl_texts limits;
    tl_sizes subgroup; /* min, max */
    uint64_t units;
    uint64_t resident;
    uint64_t unit_memory;
    uint64_t unit_registers;
} tl_plan_options;

/* Fills a tl_counts; dimensions stay 0 for a count on the GPU (@NAME). */
tl_take tl_take_count;

/* Both fill a tl_plan_options. */
extern const tl_option_group tl_plan_launch_group, tl_plan_facts_group;

/* The description that the options alone give. */
telar_plan_desc tl_plan_desc_of(const tl_plan_options *options);
/* Applies --limit, --subgroup, --units and the others to facts that came from elsewhere. */
telar_status tl_facts_apply(const tl_plan_options *options, telar_facts *facts, telar_diag *diag);
/* The facts that --facts names: default, compatibility, a device or a file; without it the default limits. */
telar_status tl_facts_resolve(const tl_plan_options *options, telar_facts *facts, telar_diag *diag);

/* ---- plan_report.c ---- */

/* The JSON object of a plan, as the value of key. */
void tl_plan_json(tl_json *json, const char *key, const telar_plan *plan, const telar_facts *facts,
                  const tl_plan_options *options, telar_language language);
/* For people. */
void tl_plan_text(FILE *stream, const telar_plan *plan, const telar_facts *facts, telar_language language);

#endif
