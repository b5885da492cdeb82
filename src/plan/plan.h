/* SPDX-License-Identifier: MIT
 *
 * What the files of the plan layer share: the way of a plan is criterion (size and items, by the lessons' rule or by
 * the model), mapping (windows, shape, dispatch, what idles), occupancy (lanes, waves), then the verdict. Everything is
 * pure: facts in, numbers out. */
#ifndef TL_PLAN_PLAN_H
#define TL_PLAN_PLAN_H

#include "base/base.h"
#include <telar/plan.h>

#include <math.h>

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
    bool usable;   /* facts or a device type are known */
    bool measured; /* every time in it was measured, probed or given */
    bool serial;   /* a CPU adapter: a thread does one thing after the other */
    bool grouped; /* invocations of a group wait for each other, so its items and steps take their time in every fill */
    bool tree;    /* the group ends in a tree of barrier steps, and leaves a partial result */
    bool strides; /* ... and many groups become a stride launch of those that fill the device */
    bool added;   /* ... which is added to all elements of later groups (a scan) */
    double overhead; /* of a dispatch */
    double launch;   /* of one group */
    double wave;     /* of a full device, an element an invocation */
    double near;     /* ... where it reads and writes the last cache */
    double several;  /* serial: of a full device, what the entry point for several elements adds */
    double border;   /* serial: of a full device, what an item takes longer in a group that is not full */
    double shared_few, shared_many; /* serial: of a group of 32 and of 256 that share memory, on its thread */
    double band;                    /* of all bytes */
    double arithmetic;              /* of all operations */
    double begin;                   /* of a tree's groups, before they read */
    double item;                    /* of one more item in series; serial: of a full device */
    double item_load;               /* by how much that grows on a full device, in parts of it ... */
    double item_most;               /* ... at most to this */
    double group;                   /* of a group whatever its elements: barriers around a tile */
    double step;                    /* of one step of the tree that no other group disturbs; serial: of a full device */
    double step_issue;              /* of a step, for each invocation that its unit holds */
    double neighbour; /* of all elements, for each item that an invocation's neighbours lie further apart */
    double per_unit;  /* 1 / units */
    double resident;  /* invocations that a unit holds */
    double partial;   /* of one group's partial result */
    double elements;
    double tie;    /* costs are equal that are this close, ... */
    double tie_us; /* ... and by so much more, which is a dispatch's own */
} tl_model;

/* One size, whatever the items. */
typedef struct tl_model_size {
    double invocations;
    double resident; /* invocations that a unit holds */
    double fill;     /* the part of a full device that a group is */
    double steps;    /* time of its tree and of what each group begins with, alone */
    double issue;    /* ... and for each invocation that its unit holds */
} tl_model_size;

/* The times that overlap, what they come to together with the overhead, and what dispatches over the partial results take
 * after that (not in the total). */
typedef struct tl_cost {
    double launch, latency, band, arithmetic, overhead, total, later;
    uint32_t later_dispatches;
} tl_cost;

tl_model tl_model_make(const telar_plan_desc *desc, const telar_facts *facts, uint64_t elements);
tl_model_size tl_model_size_make(const tl_model *model, const telar_plan_desc *desc, const telar_facts *facts,
                                 uint64_t invocations);
/* What so many partial results take until one is left. */
void tl_model_later(const tl_model *model, const tl_model_size *size, double partials, double items, tl_cost *cost);

/* ceil for what fits 63 bits; the instruction for it is not in every baseline. */
static inline double tl_round_up(double value)
{
    if (!(value < 9e18)) return value;
    double whole = (double)(int64_t)value;
    return whole < value ? whole + 1 : whole;
}

/* Neighbours of an invocation that fit a sector of memory, which is fetched and stored whole. */
#define TL_SECTOR_ITEMS 8.0

/* How far the accesses of neighbouring invocations lie apart: in a scan an invocation takes neighbours. */
static inline double tl_model_apart(const tl_model *model, double items)
{
    if (!model->added) return 1;
    return items < TL_SECTOR_ITEMS ? items : TL_SECTOR_ITEMS;
}

/* The groups that are launched for so many. */
static inline double tl_model_launched(const tl_model *model, const tl_model_size *size, double groups)
{
    if (!model->strides) return groups;
    if (model->serial) return groups * model->per_unit > 1 ? 1 / model->per_unit : groups; /* a thread, a group */
    return groups * size->fill > 1 ? 1 / size->fill : groups;
}

/* How long the invocations of a GPU wait, beyond the overhead. Those of a tree or a tile wait for each other too: then a unit
 * goes on to its next groups, or items, when all it holds are done. */
static inline double tl_model_waiting(const tl_model *model, const tl_model_size *size, double groups, double launched,
                                      double items)
{
    double fills = groups * size->fill, full = launched * size->fill;
    double wave = fills * model->wave;
    if (!model->grouped) return wave + model->item * (items - 1);
    double item = model->item * (1 + model->item_load * (full < 1 ? full : 1));
    double crowd = launched * model->per_unit * size->invocations;
    if (item > model->item_most) item = model->item_most;
    if (crowd < size->invocations) crowd = size->invocations;
    if (crowd > size->resident) crowd = size->resident;
    if (fills < 1) fills = 1;
    if (full < 1) full = 1;
    return model->begin + wave + fills * item * (items - 1) + full * (size->steps + size->issue * crowd);
}

/* So many groups, were they as many on every unit as on the one that has most. */
static inline double tl_model_evened(const tl_model *model, double groups)
{
    return tl_round_up(groups * model->per_unit) / model->per_unit;
}

/* The times of one candidate: `groups` have work, `partial` of them less than they could, `launched` do it; `share` is the part of
 * all elements that is theirs. In the header because the search takes thirty of them in a fraction of a microsecond. */
static inline tl_cost tl_model_terms(const tl_model *model, const tl_model_size *size, double groups, double partial,
                                     double launched, double items, double share)
{
    double even = tl_model_evened(model, launched), tail = even / launched;
    tl_cost cost = {.launch = launched * model->launch, .arithmetic = model->arithmetic * share * tail};
    if (model->serial) {
        double each = model->wave + (items > 1 ? model->several : 0) + model->item * (items - 1);
        double border = items > 1 ? model->border * items : 0;
        cost.latency = size->fill * (tl_model_evened(model, groups) * each + even * size->steps +
                                     tl_model_evened(model, partial) * border);
        return cost;
    }
    double bytes = model->band + model->neighbour * (tl_model_apart(model, items) - 1);
    cost.latency = tl_model_waiting(model, size, groups, launched, items);
    cost.band = (bytes * share + model->partial * launched) * tail;
    return cost;
}

/* What the times come to beyond the overhead: side by side the largest decides, one after the other they add up. */
static inline double tl_model_together(const tl_model *model, const tl_cost *cost)
{
    if (model->serial) return cost->launch + cost->latency + cost->arithmetic;
    double launch = cost->launch * cost->launch;
    double latency = cost->latency * cost->latency;
    double band = cost->band * cost->band;
    double arithmetic = cost->arithmetic * cost->arithmetic;
    return sqrt(sqrt(launch * launch + latency * latency + band * band + arithmetic * arithmetic));
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
/* Whether many groups become a stride launch of those that fill the device. */
bool tl_may_stride(const telar_plan_desc *desc, const telar_facts *facts);
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
