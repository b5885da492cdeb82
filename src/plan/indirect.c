/* SPDX-License-Identifier: MIT
 *
 * What the prepare kernel computes on the GPU from a count that stands there: the same numbers, here as plain
 * arithmetic, so that the kernel can be tested against it. */
#include "plan/plan.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Groups that one dispatch of this plan can reach; a group's number has 32 bits. */
static uint64_t reachable_groups(const telar_plan *plan)
{
    uint64_t limit = plan->groups_limit;
    if (plan->shape == TELAR_SHAPE_STRIDE) return UINT32_MAX;
    if (plan->shape == TELAR_SHAPE_LINEAR && plan->asked.shape == TELAR_SHAPE_LINEAR) return limit;
    uint64_t width = plan->asked.fold_width == 0 ? limit : plan->asked.fold_width;
    uint64_t reached = width;
    for (int axis = 1; axis < 3; axis++) reached = smaller(reached, UINT32_MAX / limit + 1) * limit;
    return reached;
}

telar_indirect telar_plan_indirect(const telar_plan *plan, uint32_t requested, uint64_t capacity)
{
    telar_indirect result = {.dispatch = {0, 1, 1}, .requested = requested};
    uint64_t group = telar_plan_group_elements(plan);
    uint64_t most = smaller(smaller(capacity, TELAR_WINDOW_ELEMENTS_MAX), reachable_groups(plan) * group);
    result.launched = (uint32_t)smaller(requested, most);
    result.saturated = result.launched < requested;
    result.groups = (uint32_t)telar_ceil_div(result.launched, group);
    if (result.groups == 0) return result;
    if (plan->shape == TELAR_SHAPE_STRIDE) {
        result.dispatch[0] = (uint32_t)smaller(result.groups, plan->dispatch[0]);
    } else if (plan->asked.fold_width == 0) {
        telar_fold(result.groups, plan->groups_limit, result.dispatch);
    } else {
        tl_fold_width(result.groups, plan->asked.fold_width, plan->groups_limit, result.dispatch);
    }
    result.row_groups = result.dispatch[0];
    return result;
}
