/* SPDX-License-Identifier: MIT
 *
 * What the files of the plan layer share: the way of a plan is criterion (size and items, by the lessons' rule or by
 * the model), mapping (windows, shape, dispatch, what idles), occupancy (lanes, waves), then the verdict. Everything is
 * pure: facts in, numbers out. */
#ifndef TL_PLAN_PLAN_H
#define TL_PLAN_PLAN_H

#include "base/base.h"
#include <telar/plan.h>

/* Limits are u64 in WebGPU's JSON and u32 wherever a shader sees them. */
static inline uint32_t tl_limit_u32(uint64_t limit)
{
    return limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

static inline uint64_t tl_invocations(const uint32_t size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

static inline uint64_t tl_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Bytes that all elements move. One f32 read and one written, where nothing else is said. */
static inline double tl_bytes_moved(const telar_plan_desc *desc, uint64_t elements)
{
    return (double)elements * (desc->bytes_per_element == 0 ? 8 : desc->bytes_per_element);
}

/* ---- model.c ---- */

/* Facts and domain, brought to what one candidate's cost needs. Times in microseconds. */
typedef struct tl_model {
    bool usable;     /* facts or a device type are known */
    bool measured;   /* every time in it was measured, probed or given */
    double overhead; /* of a dispatch */
    double launch;   /* of one group */
    double wave;     /* of a wave, over the units */
    double band;     /* of all bytes */
    double item;     /* of one more item in series */
    double per_unit; /* 1 / units */
    double resident; /* invocations that a unit holds */
    double partial;  /* of one group's partial result */
    bool tree;       /* the group ends in a tree of barrier steps */
} tl_model;

/* The three times that overlap, and what they come to together with the overhead. */
typedef struct tl_cost {
    double launch, latency, band, overhead, total;
} tl_cost;

tl_model tl_model_make(const telar_plan_desc *desc, const telar_facts *facts, uint64_t elements);
/* The part of a wave's latency that a group of so many invocations adds, on a unit that holds `resident` of them; and
 * the barrier steps it ends with. */
double tl_model_group_wave(const tl_model *model, double invocations, double resident);
double tl_model_steps(const tl_model *model, uint64_t invocations);

/* ceil for what fits 63 bits; the instruction for it is not in every baseline. */
static inline double tl_round_up(double value)
{
    if (!(value < 9e18)) return value;
    double whole = (double)(int64_t)value;
    return whole < value ? whole + 1 : whole;
}

/* The times of one candidate. In the header because the search takes thirty of them in a fraction of a microsecond. */
static inline tl_cost tl_model_terms(const tl_model *model, double groups, double group_wave, double serial)
{
    double rounds = groups * model->per_unit;
    return (tl_cost){
        .launch = groups * model->launch,
        .latency = groups * group_wave + model->item * serial,
        .band = (model->band + model->partial * groups) * (tl_round_up(rounds) / rounds),
    };
}

/* The fourth power of what a candidate takes beyond the overhead: orders candidates without a root. */
static inline double tl_model_rank(tl_cost cost)
{
    double launch = cost.launch * cost.launch;
    double latency = cost.latency * cost.latency;
    double band = cost.band * cost.band;
    return launch * launch + latency * latency + band * band;
}

/* The cost of a finished plan. */
tl_cost tl_plan_cost(const telar_plan *plan, const telar_facts *facts, const tl_model *model);

/* ---- criterion.c ---- */

/* The lessons' size for the kind and the domain, within the limits and a multiple of the largest known subgroup. */
void tl_lesson_size(const telar_plan_desc *desc, const telar_facts *facts, uint32_t size[3]);
/* Whether the lessons' size had to be made smaller, and from how many invocations. */
bool tl_lesson_clamped(const telar_plan_desc *desc, const telar_facts *facts, uint64_t *wanted);
/* Fills plan->workgroup_size and plan->items. */
void tl_choose(const telar_plan_desc *desc, const telar_facts *facts, const tl_model *model, telar_plan *plan);

/* ---- mapping.c ---- */

/* A fold whose rows have `width` groups. */
bool tl_fold_width(uint64_t groups, uint32_t width, uint32_t limit, uint32_t dispatch[3]);
/* From size and items to windows, shape and dispatch. */
telar_status tl_map(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan, telar_diag *diag);

/* ---- occupancy.c ---- */

/* Barrier steps of a binary tree over so many invocations. */
uint32_t tl_tree_steps(uint64_t invocations);

/* Groups of this size that one unit holds at once, and what sets the number; 0 when the facts do not say. */
uint32_t tl_resident_groups(const telar_plan_desc *desc, const telar_facts *facts, uint64_t invocations,
                            telar_limited_by *limited_by);
void tl_occupy(const telar_facts *facts, telar_plan *plan);

#endif
