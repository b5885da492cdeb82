/* SPDX-License-Identifier: MIT
 *
 * Making a plan: check what is asked, choose, map, count, judge. Each step is a file of its own; here is the order, and
 * the rules that refuse a wish. */
#include "plan/plan.h"

#include <string.h>

#define AXES 3

typedef unsigned long long ull;

static const char axis_names[] = "xyz";
static const char *const kind_texts[] = {"element", "reduce", "scan", "image", "tile"};
static const char *const shape_texts[] = {"auto", "empty", "linear", "fold", "stride"};
static const char *const limited_by_texts[] = {
#define TEXT(NAME, text) #text,
    TELAR_LIMITED_BY_LIST(TEXT)
#undef TEXT
};

const char *telar_kind_text(telar_kind kind)
{
    return (size_t)kind < TL_COUNT(kind_texts) ? kind_texts[kind] : "";
}

const char *telar_shape_text(telar_shape shape)
{
    return (size_t)shape < TL_COUNT(shape_texts) ? shape_texts[shape] : "";
}

const char *telar_limited_by_text(telar_limited_by limited_by)
{
    return (size_t)limited_by < TL_COUNT(limited_by_texts) ? limited_by_texts[limited_by] : "";
}

/* ---- What is asked ----------------------------------------------------------------------------------------------- */

static telar_status read_domain(const telar_plan_desc *desc, telar_plan *plan, telar_diag *diag)
{
    plan->dimensions = desc->dimensions == 0 ? 1 : desc->dimensions;
    if (plan->dimensions > AXES) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, plan->dimensions, AXES, "dimensions (%u) exceed 3",
                             plan->dimensions);
    }
    plan->elements = 1;
    bool empty = false;
    for (uint32_t axis = 0; axis < AXES; axis++) {
        bool used = axis < plan->dimensions;
        if (!used && desc->count[axis] > 1) {
            return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, desc->count[axis], 1,
                                 "count %c (%llu) is given but the domain has %u dimensions", axis_names[axis],
                                 (ull)desc->count[axis], plan->dimensions);
        }
        plan->count[axis] = used ? desc->count[axis] : 1;
        empty = empty || plan->count[axis] == 0;
    }
    for (int axis = 0; axis < AXES; axis++) {
        if (empty) plan->elements = 0;
        if (!telar_multiply(plan->elements, plan->count[axis], &plan->elements) && !empty) {
            return tl_fail(diag, TELAR_OVERFLOWS, "the count %llu x %llu x %llu does not fit 64 bits",
                           (ull)plan->count[0], (ull)plan->count[1], (ull)plan->count[2]);
        }
    }
    if (plan->elements <= TELAR_COUNT_MAX) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, plan->elements, TELAR_COUNT_MAX,
                         "count (%llu) exceeds the most that is planned (%llu); cut the work into several plans",
                         (ull)plan->elements, (ull)TELAR_COUNT_MAX);
}

typedef struct cap {
    const char *what;
    const char *limit_name;
    uint64_t got;
    uint64_t limit;
    const char *remedy;
} cap;

static telar_status check_caps(const cap *caps, size_t count, telar_diag *diag)
{
    for (size_t k = 0; k < count; k++) {
        if (caps[k].got <= caps[k].limit) continue;
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, caps[k].got, caps[k].limit, "%s (%llu) exceeds %s (%llu); %s",
                             caps[k].what, (ull)caps[k].got, caps[k].limit_name, (ull)caps[k].limit, caps[k].remedy);
    }
    return TELAR_OK;
}

static telar_status check_device(const telar_facts *facts, telar_diag *diag)
{
    const telar_limits *limits = &facts->limits;
    const cap caps[] = {
        {"one invocation", "maxComputeInvocationsPerWorkgroup", 1, limits->maxComputeInvocationsPerWorkgroup,
         "no kernel runs"},
        {"one invocation on x", "maxComputeWorkgroupSizeX", 1, limits->maxComputeWorkgroupSizeX, "no kernel runs"},
        {"one invocation on y", "maxComputeWorkgroupSizeY", 1, limits->maxComputeWorkgroupSizeY, "no kernel runs"},
        {"one invocation on z", "maxComputeWorkgroupSizeZ", 1, limits->maxComputeWorkgroupSizeZ, "no kernel runs"},
        {"one group", "maxComputeWorkgroupsPerDimension", 1, limits->maxComputeWorkgroupsPerDimension,
         "no kernel runs"},
    };
    return check_caps(caps, TL_COUNT(caps), diag);
}

static telar_status check_size(const telar_plan_desc *desc, const telar_facts *facts, telar_diag *diag)
{
    if (desc->size[0] == 0 && desc->size[1] == 0 && desc->size[2] == 0) return TELAR_OK;
    if (desc->size[0] == 0) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "workgroup size (0, %u, %u) has no invocation; each axis needs 1",
                       desc->size[1], desc->size[2]);
    }
    const telar_limits *limits = &facts->limits;
    uint64_t x = desc->size[0];
    uint64_t y = desc->size[1] == 0 ? 1 : desc->size[1];
    uint64_t z = desc->size[2] == 0 ? 1 : desc->size[2];
    uint64_t product;
    if (!telar_multiply(x, y, &product) || !telar_multiply(product, z, &product)) product = UINT64_MAX;
    const cap caps[] = {
        {"workgroup size x", "maxComputeWorkgroupSizeX", x, limits->maxComputeWorkgroupSizeX, "take fewer on x"},
        {"workgroup size y", "maxComputeWorkgroupSizeY", y, limits->maxComputeWorkgroupSizeY, "take fewer on y"},
        {"workgroup size z", "maxComputeWorkgroupSizeZ", z, limits->maxComputeWorkgroupSizeZ, "take fewer on z"},
        {"workgroup size x * y * z", "maxComputeInvocationsPerWorkgroup", product,
         limits->maxComputeInvocationsPerWorkgroup, "take a smaller size, or more items an invocation"},
    };
    return check_caps(caps, TL_COUNT(caps), diag);
}

static telar_status check_choices(const telar_plan_desc *desc, telar_diag *diag)
{
    if ((size_t)desc->kind >= TL_COUNT(kind_texts)) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "kind (%u) is not one of the five", (unsigned)desc->kind);
    }
    if ((size_t)desc->shape >= TL_COUNT(shape_texts) || desc->shape == TELAR_SHAPE_EMPTY) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "shape (%u) cannot be asked for; auto, linear, fold or stride can",
                       (unsigned)desc->shape);
    }
    if (desc->fold_width != 0 && desc->shape != TELAR_SHAPE_FOLD) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "a fold width (%u) goes with the shape fold, not with %s",
                       desc->fold_width, shape_texts[desc->shape]);
    }
    if (desc->groups != 0 && desc->shape != TELAR_SHAPE_STRIDE) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "a number of groups (%u) goes with the shape stride, not with %s",
                       desc->groups, shape_texts[desc->shape]);
    }
    return TELAR_OK;
}

static telar_status check_wishes(const telar_plan_desc *desc, const telar_facts *facts, telar_diag *diag)
{
    const telar_limits *limits = &facts->limits;
    const cap caps[] = {
        {"items", "what one invocation unrolls", desc->items, TELAR_ITEMS_MAX, "use a stride, or larger groups"},
        {"fold width", "maxComputeWorkgroupsPerDimension", desc->fold_width, limits->maxComputeWorkgroupsPerDimension,
         "take a narrower row, or 0 for the best"},
        {"workgroup memory", "maxComputeWorkgroupStorageSize", desc->workgroup_memory_bytes,
         limits->maxComputeWorkgroupStorageSize, "take a smaller tile, or several passes"},
    };
    TELAR_TRY(check_caps(caps, TL_COUNT(caps), diag));
    return check_size(desc, facts, diag);
}

/* Some drivers skip, in silence, a group whose registers do not fit a unit. */
static telar_status check_fits_unit(const telar_plan_desc *desc, const telar_facts *facts, const telar_plan *plan,
                                    telar_diag *diag)
{
    if (desc->registers_per_invocation == 0 || !telar_facts_know(facts, TELAR_FACT_UNIT_REGISTERS)) return TELAR_OK;
    uint64_t invocations = tl_invocations(plan->workgroup_size);
    uint64_t registers = invocations * desc->registers_per_invocation;
    const cap caps[] = {{"registers of a group", "what a unit has", registers,
                         (uint64_t)facts->values[TELAR_FACT_UNIT_REGISTERS].value, "take a smaller workgroup size"}};
    return check_caps(caps, TL_COUNT(caps), diag);
}

/* ---- What comes of it -------------------------------------------------------------------------------------------- */

static void compare_with_lesson(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan)
{
    tl_lesson_size(desc, facts, plan->lesson_workgroup_size);
    if (plan->elements == 0) return;
    uint64_t groups = 1;
    if (plan->dimensions == 1) { groups = telar_ceil_div(plan->elements, tl_invocations(plan->lesson_workgroup_size)); }
    for (uint32_t axis = 0; plan->dimensions > 1 && axis < AXES; axis++) {
        groups *= telar_ceil_div(plan->count[axis], plan->lesson_workgroup_size[axis]);
    }
    plan->lesson_groups = groups;
}

static telar_limited_by limited_in_time(tl_cost cost)
{
    double most = cost.launch;
    telar_limited_by limited_by = TELAR_LIMITED_BY_LAUNCH_RATE;
    if (cost.band > most) {
        most = cost.band;
        limited_by = TELAR_LIMITED_BY_BANDWIDTH;
    }
    return cost.latency > most || cost.overhead > most ? TELAR_LIMITED_BY_LATENCY : limited_by;
}

/* Half of what a unit could hold, lost to memory or registers, shows. */
static bool starved(const telar_facts *facts, const telar_plan *plan)
{
    bool by_resources = plan->resident_limited_by == TELAR_LIMITED_BY_WORKGROUP_MEMORY ||
                        plan->resident_limited_by == TELAR_LIMITED_BY_REGISTERS;
    if (!by_resources || !telar_facts_know(facts, TELAR_FACT_RESIDENT_INVOCATIONS)) return false;
    double held = (double)plan->resident_groups * (double)tl_invocations(plan->workgroup_size);
    return held < facts->values[TELAR_FACT_RESIDENT_INVOCATIONS].value / 2;
}

/* Time where the facts give it; else the limit that shaped the plan. */
static void judge(const telar_plan_desc *desc, const telar_facts *facts, const tl_model *model, telar_plan *plan)
{
    plan->predicted_us = -1;
    if (plan->elements == 0) return;
    tl_cost cost = {.total = -1};
    if (model->usable) cost = tl_plan_cost(plan, facts, model);
    if (model->measured) plan->predicted_us = cost.total;
    uint64_t wanted;
    /* The model may leave units idle because fewer groups start sooner: then they are not what limits. */
    bool chosen = model->usable && desc->size[0] == 0;
    if (plan->idle_units > 0 && !chosen) {
        plan->limited_by = TELAR_LIMITED_BY_UNITS;
    } else if (starved(facts, plan)) {
        plan->limited_by = plan->resident_limited_by;
    } else if (model->usable) {
        plan->limited_by = limited_in_time(cost);
    } else if (plan->window_count > 1) {
        return;
    } else if ((plan->shape != TELAR_SHAPE_LINEAR && desc->shape == TELAR_SHAPE_AUTO) ||
               (plan->shape == TELAR_SHAPE_FOLD && plan->groups > plan->groups_limit)) {
        plan->limited_by = TELAR_LIMITED_BY_WORKGROUPS_PER_DIMENSION;
    } else if (desc->size[0] == 0 && tl_lesson_clamped(desc, facts, &wanted)) {
        plan->limited_by = TELAR_LIMITED_BY_INVOCATIONS_PER_WORKGROUP;
    }
}

/* A fold width asks for a fold, a number of groups for a stride. */
static telar_shape implied_shape(const telar_plan_desc *desc)
{
    if (desc->shape != TELAR_SHAPE_AUTO) return desc->shape;
    if (desc->groups != 0) return TELAR_SHAPE_STRIDE;
    return desc->fold_width != 0 ? TELAR_SHAPE_FOLD : TELAR_SHAPE_AUTO;
}

static telar_status make(const telar_facts *facts, telar_plan *plan, telar_diag *diag)
{
    plan->asked.shape = implied_shape(&plan->asked);
    plan->kind = plan->asked.kind;
    const telar_plan_desc *desc = &plan->asked;
    TELAR_TRY(check_choices(desc, diag));
    TELAR_TRY(read_domain(desc, plan, diag));
    TELAR_TRY(check_device(facts, diag));
    TELAR_TRY(check_wishes(desc, facts, diag));
    tl_model model = tl_model_make(desc, facts, plan->elements);
    tl_choose(desc, facts, &model, plan);
    TELAR_TRY(check_fits_unit(desc, facts, plan, diag));
    TELAR_TRY(tl_map(desc, facts, plan, diag));
    tl_occupy(facts, plan);
    compare_with_lesson(desc, facts, plan);
    judge(desc, facts, &model, plan);
    return TELAR_OK;
}

telar_status telar_plan_make(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan, telar_diag *diag)
{
    memset(plan, 0, sizeof *plan);
    plan->asked = *desc;
    telar_status status = make(facts, plan, diag);
    if (status != TELAR_OK) memset(plan, 0, sizeof *plan);
    return status;
}
