/* SPDX-License-Identifier: MIT
 *
 * The criterion: workgroup size and items. With limits alone it is the lessons' rule by kind; with facts it is the
 * cheapest candidate under the model. Explicit wishes have been checked before and are taken as they are. */
#include "plan/plan.h"

#include <math.h>

#define AXES 3
#define FIRST_LOG2 5 /* candidates have 32 to 1024 invocations */
#define SIZES 6
#define ITEMS_STEPS 5 /* 1, 2, 4, 8, 16 */
/* The least that fills lanes of 32 and of 64, for devices whose lanes are not known. */
#define LEAST_FULL 64
/* A unit should hold this many groups at once, so that one can work while another waits. */
#define GROUPS_TO_HIDE_LATENCY 4
/* What a larger group of a CPU adapter may cost; one that shares memory pays for its size (tiles on SwiftShader). */
#define TIE_OF_SIZES 1.02

typedef struct size_row {
    uint16_t size[3][AXES]; /* for a domain of 1, 2, 3 dimensions */
} size_row;

/* The lessons' sizes. Squares and cubes keep the halo small. */
static const size_row lesson_sizes[] = {
    [TELAR_KIND_ELEMENT] = {{{64, 1, 1}, {8, 8, 1}, {4, 4, 4}}},
    [TELAR_KIND_REDUCE] = {{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}},
    [TELAR_KIND_SCAN] = {{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}},
    [TELAR_KIND_IMAGE] = {{{64, 1, 1}, {8, 8, 1}, {4, 4, 4}}},
    [TELAR_KIND_TILE] = {{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}},
};
static const size_row lesson_image_with_halo = {{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}};

/* Candidates of 32, 64 ... 1024 invocations. Rows of 32 read whole lines, of neighbourhoods too. */
static const size_row candidates[SIZES] = {
    {{{32, 1, 1}, {32, 1, 1}, {32, 1, 1}}},   {{{64, 1, 1}, {32, 2, 1}, {32, 2, 1}}},
    {{{128, 1, 1}, {32, 4, 1}, {32, 2, 2}}},  {{{256, 1, 1}, {32, 8, 1}, {32, 4, 2}}},
    {{{512, 1, 1}, {32, 16, 1}, {32, 4, 4}}}, {{{1024, 1, 1}, {32, 32, 1}, {32, 8, 4}}},
};

/* Of tiles, as square as they can be, where the model may choose them. */
static const size_row tile_candidates[SIZES] = {
    {{{32, 1, 1}, {8, 4, 1}, {4, 4, 2}}},    {{{64, 1, 1}, {8, 8, 1}, {4, 4, 4}}},
    {{{128, 1, 1}, {16, 8, 1}, {8, 4, 4}}},  {{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}},
    {{{512, 1, 1}, {32, 16, 1}, {8, 8, 8}}}, {{{1024, 1, 1}, {32, 32, 1}, {16, 8, 8}}},
};

static void copy_size(uint32_t to[AXES], const uint16_t from[AXES])
{
    for (int axis = 0; axis < AXES; axis++) to[axis] = from[axis];
}

static uint32_t dimensions_of(const telar_plan_desc *desc)
{
    return desc->dimensions == 0 ? 1 : desc->dimensions;
}

static uint64_t axis_limit(const telar_facts *facts, int axis)
{
    const telar_limits *limits = &facts->limits;
    return axis == 0   ? limits->maxComputeWorkgroupSizeX
           : axis == 1 ? limits->maxComputeWorkgroupSizeY
                       : limits->maxComputeWorkgroupSizeZ;
}

static uint32_t largest_subgroup(const telar_facts *facts)
{
    double value = facts->values[TELAR_FACT_SUBGROUP_MAX].value;
    if (value == 0) value = facts->values[TELAR_FACT_SUBGROUP_MIN].value;
    return value < 65536 ? (uint32_t)value : 0;
}

/* Halves the longest axis, and of equal ones the last, until the group has at most so many invocations. */
static void shrink(uint32_t size[AXES], uint64_t most)
{
    while (tl_invocations(size) > most) {
        int longest = 0;
        for (int axis = 1; axis < AXES; axis++) {
            if (size[axis] >= size[longest]) longest = axis;
        }
        if (size[longest] <= 1) return;
        size[longest] /= 2;
    }
}

static void clamp(const telar_facts *facts, uint32_t size[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        while (size[axis] > 1 && size[axis] > axis_limit(facts, axis)) size[axis] /= 2;
    }
    shrink(size, facts->limits.maxComputeInvocationsPerWorkgroup);
}

/* The lessons' size with lanes filled, before the limits. */
static void rule(const telar_plan_desc *desc, const telar_facts *facts, uint32_t size[AXES])
{
    bool halo = desc->kind == TELAR_KIND_IMAGE && desc->halo > 0;
    const size_row *row = halo ? &lesson_image_with_halo : &lesson_sizes[desc->kind];
    uint32_t dimensions = dimensions_of(desc);
    copy_size(size, row->size[dimensions - 1]);
    uint32_t subgroup = largest_subgroup(facts);
    if (subgroup == 0) return;
    uint64_t invocations = tl_invocations(size);
    if (dimensions == 1 && invocations % subgroup != 0) {
        size[0] = (uint32_t)(telar_ceil_div(invocations, subgroup) * subgroup);
        return;
    }
    /* The shorter axis grows, the first of equal ones, so that squares stay as square as they can. */
    for (; tl_invocations(size) < subgroup;) size[size[1] < size[0]] *= 2;
}

void tl_lesson_size(const telar_plan_desc *desc, const telar_facts *facts, uint32_t size[3])
{
    rule(desc, facts, size);
    clamp(facts, size);
}

bool tl_lesson_clamped(const telar_plan_desc *desc, const telar_facts *facts, uint64_t *wanted)
{
    uint32_t free_size[AXES];
    uint32_t size[AXES];
    rule(desc, facts, free_size);
    tl_lesson_size(desc, facts, size);
    *wanted = tl_invocations(free_size);
    return tl_invocations(size) < *wanted;
}

/* ---- The search -------------------------------------------------------------------------------------------------- */

/* A size, and what all its candidates have in common. */
typedef struct size_choice {
    uint32_t size[AXES];
    double across; /* groups on x of one item an invocation, before the ceiling */
    double others; /* groups on the other axes */
    tl_model_size model;
} size_choice;

typedef struct search {
    const telar_plan_desc *desc;
    const telar_facts *facts;
    const tl_model *model;
    const uint64_t *count;
    size_choice sizes[SIZES];
    uint32_t size_count;
    uint32_t items[ITEMS_STEPS];
    uint32_t items_count;
    double costs[ITEMS_STEPS][SIZES];
    uint32_t later_dispatches[ITEMS_STEPS][SIZES];
} search;

static bool within_limits(const telar_facts *facts, const uint32_t size[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        if (size[axis] > axis_limit(facts, axis)) return false;
    }
    return tl_invocations(size) <= facts->limits.maxComputeInvocationsPerWorkgroup;
}

static void add_size(search *s, const uint32_t size[AXES])
{
    const telar_plan_desc *desc = s->desc;
    uint64_t invocations = tl_invocations(size);
    size_choice *choice = &s->sizes[s->size_count++];
    *choice = (size_choice){
        .across = (double)s->count[0] / size[0],
        .others = 1,
        .model = tl_model_size_make(s->model, desc, s->facts, invocations),
    };
    for (uint32_t axis = 0; axis < AXES; axis++) choice->size[axis] = size[axis];
    for (uint32_t axis = 1; axis < dimensions_of(desc); axis++) {
        choice->others *= tl_round_up((double)s->count[axis] / size[axis]);
    }
    /* In one dimension a size of several axes covers their product. */
    if (dimensions_of(desc) == 1) choice->across = (double)s->count[0] / (double)invocations;
}

/* Registers that every invocation holds keep groups small: large ones leave a unit with nothing to change to. */
static uint64_t most_invocations(const telar_plan_desc *desc, const telar_facts *facts)
{
    if (desc->registers_per_invocation == 0) return UINT64_MAX;
    double registers = telar_facts_assume(facts, TELAR_FACT_UNIT_REGISTERS).value;
    uint64_t most = (uint64_t)(registers / GROUPS_TO_HIDE_LATENCY / desc->registers_per_invocation);
    return most < LEAST_FULL ? LEAST_FULL : most;
}

static uint32_t least_invocations(const telar_plan_desc *desc, const telar_facts *facts)
{
    uint32_t subgroup = largest_subgroup(facts);
    uint32_t least = subgroup == 0 ? LEAST_FULL : subgroup;
    /* A neighbourhood with a halo reads too much in small groups. */
    if (desc->kind == TELAR_KIND_IMAGE && desc->halo > 0 && least < 256) least = 256;
    return least;
}

static void list_sizes(search *s)
{
    const telar_plan_desc *desc = s->desc;
    const size_row *rows = desc->kind == TELAR_KIND_TILE ? tile_candidates : candidates;
    uint64_t most = most_invocations(desc, s->facts);
    uint32_t least = least_invocations(desc, s->facts);
    uint32_t subgroup = largest_subgroup(s->facts);
    for (uint32_t k = 0; k < SIZES; k++) {
        uint32_t invocations = UINT32_C(1) << (FIRST_LOG2 + k);
        if (invocations < least || invocations > most) continue;
        if (subgroup != 0 && invocations % subgroup != 0) continue;
        uint32_t size[AXES];
        copy_size(size, rows[k].size[dimensions_of(desc) - 1]);
        if (within_limits(s->facts, size)) add_size(s, size);
    }
}

/* With all dispatches that a tree leads to; without them where it is too much as it is. */
static double cost_of(search *s, uint32_t i, uint32_t k, double most)
{
    const size_choice *choice = &s->sizes[k];
    double items = s->items[i];
    double across = tl_round_up(choice->across / items), groups = across * choice->others;
    double partial = across * items > choice->across ? choice->others : 0;
    double launched = tl_model_launched(s->model, &choice->model, groups);
    tl_cost cost = tl_model_terms(s->model, &choice->model, groups, partial, launched, items, 1);
    double time = tl_model_together(s->model, &cost);
    if (!s->model->tree || time > most) return time;
    tl_model_later(s->model, &choice->model, launched, items, &cost);
    s->later_dispatches[i][k] = cost.later_dispatches;
    return time + cost.later;
}

static void take(const search *s, uint32_t items, uint32_t size, telar_plan *plan)
{
    for (int axis = 0; axis < AXES; axis++) plan->workgroup_size[axis] = s->sizes[size].size[axis];
    plan->items = s->items[items];
}

/* Of the sizes from `first` up to `end`: the fewest items that cost no more than is allowed, then the smallest size. */
static bool take_first(const search *s, uint32_t first, uint32_t end, double allowed, telar_plan *plan)
{
    for (uint32_t i = 0; i < s->items_count; i++) {
        for (uint32_t k = first; k < end; k++) {
            if (s->costs[i][k] > allowed) continue;
            take(s, i, k, plan);
            return true;
        }
    }
    return false;
}

/* The cheapest that costs no more than is allowed; with `alone` of those that need no further dispatch. */
static bool take_least(const search *s, bool alone, double allowed, telar_plan *plan)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < s->items_count; i++) {
        for (uint32_t k = 0; k < s->size_count; k++) {
            double cost = s->costs[i][k];
            if (cost > allowed || cost >= least || (alone && s->later_dispatches[i][k] > 0)) continue;
            least = cost;
            take(s, i, k, plan);
        }
    }
    return least < INFINITY;
}

/* The largest of the sizes that cost no more than is allowed, with any items, and leave no thread of a CPU adapter without a
 * group: every further group is a further task. */
static uint32_t largest_shared(const search *s, double allowed)
{
    for (uint32_t k = s->size_count; k-- > 0;) {
        const size_choice *size = &s->sizes[k];
        if (tl_round_up(size->across) * size->others * s->model->per_unit < 1) continue;
        for (uint32_t i = 0; i < s->items_count; i++) {
            if (s->costs[i][k] <= allowed) return k;
        }
    }
    return SIZES;
}

/* A tree of the rule's size leaves fewer partial results than a smaller one that costs as much. */
static uint32_t rule_size(const search *s, const telar_plan *plan)
{
    uint64_t rule = tl_invocations(plan->workgroup_size);
    for (uint32_t k = 0; k < s->size_count; k++) {
        if (tl_invocations(s->sizes[k].size) == rule) return k;
    }
    return SIZES;
}

/* All costs; the least one is returned. */
static double find_costs(search *s)
{
    double best = INFINITY, allowed = INFINITY;
    for (uint32_t i = s->items_count; i-- > 0;) {
        for (uint32_t k = s->size_count; k-- > 0;) {
            double cost = cost_of(s, i, k, allowed);
            s->costs[i][k] = cost;
            if (cost >= best) continue;
            best = cost;
            allowed = s->model->tie * best + s->model->tie_us;
        }
    }
    return best;
}

/* A tie goes among a CPU adapter's trees to one dispatch, else to the size that is preferred, whatever its items. */
static void take_cheapest(search *s, telar_plan *plan)
{
    const tl_model *model = s->model;
    double best = find_costs(s), allowed = model->tie * best + model->tie_us;
    if (model->serial && model->tree) {
        if (!take_least(s, true, allowed, plan)) take_least(s, false, allowed, plan);
        return;
    }
    uint32_t preferred = SIZES;
    if (model->serial) preferred = largest_shared(s, TIE_OF_SIZES * best + model->tie_us);
    else if (model->tree) preferred = rule_size(s, plan);
    if (preferred < SIZES && take_first(s, preferred, preferred + 1, allowed, plan)) return;
    take_first(s, 0, s->size_count, allowed, plan);
}

static void choose_by_rule(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan)
{
    if (desc->size[0] == 0) {
        tl_lesson_size(desc, facts, plan->workgroup_size);
        if (desc->kind != TELAR_KIND_TILE) shrink(plan->workgroup_size, most_invocations(desc, facts));
    }
    plan->items = desc->items == 0 ? 1 : desc->items;
}

static void list_items(search *s)
{
    if (s->desc->items != 0) {
        s->items[s->items_count++] = s->desc->items;
        return;
    }
    while (s->items_count < ITEMS_STEPS) {
        s->items[s->items_count] = UINT32_C(1) << s->items_count;
        s->items_count++;
    }
}

void tl_choose(const telar_plan_desc *desc, const telar_facts *facts, const tl_model *model, telar_plan *plan)
{
    for (int axis = 0; axis < AXES; axis++) plan->workgroup_size[axis] = desc->size[axis] == 0 ? 1 : desc->size[axis];
    choose_by_rule(desc, facts, plan);
    bool fixed = desc->size[0] != 0 && desc->items != 0;
    bool tile = desc->kind == TELAR_KIND_TILE;
    if (fixed || plan->elements == 0 || !model->usable || (tile && model->serial && !model->measured)) return;
    search s;
    s.desc = desc;
    s.facts = facts;
    s.model = model;
    s.count = plan->count;
    s.size_count = s.items_count = 0;
    /* A GPU's tile has the size that the kernel is made for; a CPU adapter pays for its barriers and its memory by invocation. */
    if (desc->size[0] == 0 && (!tile || model->serial)) list_sizes(&s);
    else add_size(&s, plan->workgroup_size);
    list_items(&s);
    if (s.size_count > 0) take_cheapest(&s, plan);
}
