/* SPDX-License-Identifier: MIT
 *
 * The mapping of a domain: windows, shape, dispatch, and exactly what is launched with nothing to do. An index inside a
 * window never wraps: 2^31 elements at most, numbered by groups that stay below 2^32. */
#include "plan/plan.h"

#define AXES 3
/* Invocations of a stride launch on a device of unknown size: enough to fill any of today's. */
#define STRIDE_INVOCATIONS 262144
#define GROUPS_MAX UINT32_MAX

typedef unsigned long long ull;

static const char axis_names[] = "xyz";

bool telar_fold(uint64_t groups, uint32_t limit, uint32_t dispatch[3])
{
    dispatch[0] = dispatch[1] = dispatch[2] = 0;
    if (groups == 0 || limit == 0) return false;
    uint64_t planes = telar_ceil_div(telar_ceil_div(groups, limit), limit);
    if (planes > limit) return false;
    uint64_t rows = telar_ceil_div(telar_ceil_div(groups, planes), limit);
    dispatch[2] = (uint32_t)planes;
    dispatch[1] = (uint32_t)rows;
    dispatch[0] = (uint32_t)telar_ceil_div(groups, rows * planes);
    return true;
}

bool tl_fold_width(uint64_t groups, uint32_t width, uint32_t limit, uint32_t dispatch[3])
{
    dispatch[0] = dispatch[1] = dispatch[2] = 0;
    uint64_t rows = telar_ceil_div(groups, width);
    uint64_t planes = telar_ceil_div(rows, limit);
    if (planes > limit) return false;
    dispatch[0] = width;
    dispatch[1] = (uint32_t)telar_ceil_div(rows, planes);
    dispatch[2] = (uint32_t)planes;
    return true;
}

static uint64_t product(const uint32_t dispatch[3])
{
    return (uint64_t)dispatch[0] * dispatch[1] * dispatch[2];
}

static bool fold(const telar_plan_desc *desc, uint64_t groups, uint32_t limit, uint32_t dispatch[3])
{
    return desc->fold_width == 0 ? telar_fold(groups, limit, dispatch)
                                 : tl_fold_width(groups, desc->fold_width, limit, dispatch);
}

static telar_status refuse_axis(uint64_t groups, int axis, uint32_t limit, telar_diag *diag)
{
    return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, groups, limit,
                         "dispatch %c (%llu) exceeds maxComputeWorkgroupsPerDimension (%u); use a folded plan",
                         axis_names[axis], (ull)groups, limit);
}

static telar_status refuse_fold(uint64_t groups, uint32_t limit, telar_diag *diag)
{
    uint64_t square = (uint64_t)limit * limit;
    uint64_t cube = limit == 0 || square <= UINT64_MAX / limit ? square * limit : UINT64_MAX;
    return tl_fail_limit(
        diag, TELAR_LIMIT_EXCEEDED, groups, cube,
        "%llu groups exceed what three axes of maxComputeWorkgroupsPerDimension (%u) reach (%llu); use "
        "larger groups or a stride",
        (ull)groups, limit, (ull)cube);
}

/* ---- One dimension ----------------------------------------------------------------------------------------------- */

/* The most elements of a window, and what says so. */
static uint64_t window_limit(const telar_plan_desc *desc, const telar_facts *facts, telar_limited_by *limited_by)
{
    *limited_by = TELAR_LIMITED_BY_INDEX_WIDTH;
    if (desc->binding_bytes_per_element == 0) return TELAR_WINDOW_ELEMENTS_MAX;
    uint64_t bytes = telar_usable_binding_bytes(facts, desc->binding_bytes_per_element);
    uint64_t elements = bytes / desc->binding_bytes_per_element;
    if (elements >= TELAR_WINDOW_ELEMENTS_MAX) return TELAR_WINDOW_ELEMENTS_MAX;
    *limited_by = TELAR_LIMITED_BY_BINDING_SIZE;
    return elements;
}

static telar_status refuse_window(const telar_plan *plan, uint64_t most, telar_limited_by limited_by, telar_diag *diag)
{
    if (limited_by == TELAR_LIMITED_BY_INDEX_WIDTH) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, plan->elements, most,
                             "count (%llu) exceeds what a u32 index covers safely (%llu); use a kernel that can be cut "
                             "into windows",
                             (ull)plan->elements, (ull)most);
    }
    uint64_t each = plan->asked.binding_bytes_per_element;
    uint64_t can_bind = most * each;
    uint64_t bytes;
    if (!telar_multiply(plan->elements, each, &bytes)) bytes = UINT64_MAX;
    return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, bytes, can_bind,
                         "a binding of %llu bytes exceeds what the device can bind (%llu); raise "
                         "maxStorageBufferBindingSize and maxBufferSize, or use a kernel that can be cut into windows",
                         (ull)bytes, (ull)can_bind);
}

/* Windows begin where any stride of bytes is aligned, and with a whole group where that fits. */
static telar_status cut_windows(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan,
                                telar_diag *diag)
{
    telar_limited_by limited_by;
    uint64_t most = window_limit(desc, facts, &limited_by);
    plan->window_elements = plan->elements;
    plan->window_count = 1;
    if (plan->elements <= most) return TELAR_OK;
    if (desc->no_windows) return refuse_window(plan, most, limited_by, diag);
    uint64_t alignment = facts->limits.minStorageBufferOffsetAlignment;
    uint64_t group = telar_plan_group_elements(plan);
    if (alignment < 4) alignment = 4;
    uint64_t whole = group / tl_gcd(group, alignment) * alignment;
    uint64_t step = whole <= most ? whole : alignment;
    if (step > most) return refuse_window(plan, most, limited_by, diag);
    plan->window_elements = most / step * step;
    plan->window_count = telar_ceil_div(plan->elements, plan->window_elements);
    plan->limited_by = limited_by;
    return TELAR_OK;
}

/* Groups that fill the device and no more; as many as there are, where that is fewer. */
static uint32_t stride_groups(const telar_plan_desc *desc, const telar_facts *facts, const telar_plan *plan,
                              uint64_t needed)
{
    uint64_t invocations = tl_invocations(plan->workgroup_size);
    telar_limited_by limited_by;
    uint64_t resident = tl_resident_groups(desc, facts, invocations, &limited_by);
    uint64_t units = (uint64_t)facts->values[TELAR_FACT_COMPUTE_UNITS].value;
    uint64_t groups = telar_ceil_div(STRIDE_INVOCATIONS, invocations);
    if (units > 0 && resident > 0) groups = units * resident;
    uint64_t least = telar_ceil_div(needed, TELAR_STRIDE_ROUNDS_MAX - 1);
    if (groups < least) groups = least;
    if (groups > needed) groups = needed;
    return groups > plan->groups_limit ? plan->groups_limit : (uint32_t)groups;
}

static telar_status map_stride(const telar_plan_desc *desc, const telar_facts *facts, uint64_t needed, telar_plan *plan,
                               telar_diag *diag)
{
    if (desc->groups > plan->groups_limit) return refuse_axis(desc->groups, 0, plan->groups_limit, diag);
    uint32_t groups = desc->groups != 0 ? desc->groups : stride_groups(desc, facts, plan, needed);
    uint64_t rounds = telar_ceil_div(needed, groups);
    bool stops = facts->type == TELAR_DEVICE_CPU || desc->groups == 0;
    if (stops && rounds > TELAR_STRIDE_ROUNDS_MAX) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, rounds, TELAR_STRIDE_ROUNDS_MAX,
                             "a stride of %llu rounds exceeds what every adapter runs before it stops a loop (%u); use "
                             "more groups",
                             (ull)rounds, (unsigned)TELAR_STRIDE_ROUNDS_MAX);
    }
    plan->shape = TELAR_SHAPE_STRIDE;
    plan->dispatch[0] = groups;
    plan->dispatch[1] = plan->dispatch[2] = 1;
    return TELAR_OK;
}

bool tl_may_stride(const telar_plan_desc *desc, const telar_facts *facts)
{
    if (desc->kind != TELAR_KIND_REDUCE || facts->type == TELAR_DEVICE_UNKNOWN) return false;
    return facts->type == TELAR_DEVICE_DISCRETE || telar_facts_know(facts, TELAR_FACT_COMPUTE_UNITS);
}

/* A reduction over many groups leaves one partial a group: as many groups as fill the device are enough. */
static bool prefers_stride(const telar_plan_desc *desc, const telar_facts *facts, const telar_plan *plan,
                           uint64_t needed)
{
    return tl_may_stride(desc, facts) && needed > stride_groups(desc, facts, plan, needed);
}

static telar_status shape_flat(const telar_plan_desc *desc, const telar_facts *facts, uint64_t groups, telar_plan *plan,
                               telar_diag *diag)
{
    bool fits = groups <= plan->groups_limit;
    switch (desc->shape) {
    case TELAR_SHAPE_STRIDE: return map_stride(desc, facts, groups, plan, diag);
    case TELAR_SHAPE_LINEAR:
        if (!fits) return refuse_axis(groups, 0, plan->groups_limit, diag);
        break;
    case TELAR_SHAPE_FOLD:
        if (!fold(desc, groups, plan->groups_limit, plan->dispatch)) {
            return refuse_fold(groups, plan->groups_limit, diag);
        }
        plan->shape = TELAR_SHAPE_FOLD;
        return TELAR_OK;
    default:
        if (prefers_stride(desc, facts, plan, groups)) return map_stride(desc, facts, groups, plan, diag);
        if (fits) break;
        if (!telar_fold(groups, plan->groups_limit, plan->dispatch)) return map_stride(desc, facts, groups, plan, diag);
        plan->shape = TELAR_SHAPE_FOLD;
        return TELAR_OK;
    }
    plan->shape = TELAR_SHAPE_LINEAR;
    plan->dispatch[0] = (uint32_t)groups;
    plan->dispatch[1] = plan->dispatch[2] = 1;
    return TELAR_OK;
}

telar_window telar_plan_window(const telar_plan *plan, uint64_t index)
{
    telar_window window = {.dispatch = {0, 1, 1}};
    if (index >= plan->window_count) return window;
    window.first = index * plan->window_elements;
    bool last = index + 1 == plan->window_count;
    window.count = last ? plan->elements - window.first : plan->window_elements;
    for (int axis = 0; axis < AXES; axis++) window.dispatch[axis] = plan->dispatch[axis];
    if (plan->dimensions > 1) {
        window.groups = tl_limit_u32(plan->groups);
    } else if (plan->shape == TELAR_SHAPE_STRIDE) {
        window.groups = plan->dispatch[0];
    } else {
        window.groups = (uint32_t)telar_ceil_div(window.count, telar_plan_group_elements(plan));
        if (plan->shape == TELAR_SHAPE_FOLD) {
            fold(&plan->asked, window.groups, plan->groups_limit, window.dispatch);
        } else {
            window.dispatch[0] = window.groups;
        }
    }
    window.row_groups = window.dispatch[0];
    return window;
}

/* Adds what one window launches, `times` over. */
static void tally(telar_plan *plan, telar_window window, uint64_t times)
{
    uint64_t group = telar_plan_group_elements(plan);
    uint64_t invocations = tl_invocations(plan->workgroup_size);
    uint64_t launched = product(window.dispatch);
    uint64_t needed = telar_ceil_div(window.count, group);
    uint64_t idle_groups = launched > needed ? launched - needed : 0;
    /* A stride launch that ends before the last group has every invocation busy in its first round. */
    uint64_t rest = launched < needed ? group : window.count - (needed - 1) * group;
    uint64_t idle = rest < invocations ? invocations - rest : 0;
    plan->groups += times * (plan->shape == TELAR_SHAPE_STRIDE ? launched : needed);
    plan->launched_invocations += times * launched * invocations;
    plan->idle_groups += times * idle_groups;
    plan->idle_invocations += times * (idle_groups * invocations + idle);
}

static telar_status map_flat(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan, telar_diag *diag)
{
    TELAR_TRY(cut_windows(desc, facts, plan, diag));
    uint64_t groups = telar_ceil_div(plan->window_elements, telar_plan_group_elements(plan));
    TELAR_TRY(shape_flat(desc, facts, groups, plan, diag));
    if (product(plan->dispatch) > GROUPS_MAX) return refuse_fold(product(plan->dispatch), plan->groups_limit, diag);
    if (plan->window_count > 1) tally(plan, telar_plan_window(plan, 0), plan->window_count - 1);
    tally(plan, telar_plan_window(plan, plan->window_count - 1), 1);
    return TELAR_OK;
}

/* ---- Two and three dimensions ------------------------------------------------------------------------------------ */

static telar_status check_grid(const telar_plan_desc *desc, const telar_facts *facts, const telar_plan *plan,
                               telar_diag *diag)
{
    if (desc->shape == TELAR_SHAPE_STRIDE) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "a stride launch needs a count of one dimension, not %u; use a folded plan", plan->dimensions);
    }
    for (uint32_t axis = 0; axis < plan->dimensions; axis++) {
        if (plan->count[axis] <= TELAR_WINDOW_ELEMENTS_MAX) continue;
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, plan->count[axis], TELAR_WINDOW_ELEMENTS_MAX,
                             "count %c (%llu) exceeds what a u32 coordinate covers safely (%llu); use a count of one "
                             "dimension, which is cut into windows",
                             axis_names[axis], (ull)plan->count[axis], (ull)TELAR_WINDOW_ELEMENTS_MAX);
    }
    if (desc->binding_bytes_per_element == 0) return TELAR_OK;
    uint64_t most =
        telar_usable_binding_bytes(facts, desc->binding_bytes_per_element) / desc->binding_bytes_per_element;
    return plan->elements <= most ? TELAR_OK : refuse_window(plan, most, TELAR_LIMITED_BY_BINDING_SIZE, diag);
}

/* Numbers the groups x first and folds the number. */
static telar_status fold_grid(const telar_plan_desc *desc, const uint64_t groups[AXES], telar_plan *plan,
                              telar_diag *diag)
{
    uint64_t total;
    bool fits = telar_multiply(groups[0], groups[1], &total) && telar_multiply(total, groups[2], &total);
    if (!fits || !fold(desc, total, plan->groups_limit, plan->dispatch)) {
        return refuse_fold(fits ? total : UINT64_MAX, plan->groups_limit, diag);
    }
    if (product(plan->dispatch) > GROUPS_MAX) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, product(plan->dispatch), GROUPS_MAX,
                             "%llu groups exceed what a folded group number of 32 bits covers (%u); use larger groups",
                             (ull)product(plan->dispatch), GROUPS_MAX);
    }
    plan->shape = TELAR_SHAPE_FOLD;
    return TELAR_OK;
}

static telar_status shape_grid(const telar_plan_desc *desc, const uint64_t groups[AXES], telar_plan *plan,
                               telar_diag *diag)
{
    if (desc->shape == TELAR_SHAPE_FOLD) return fold_grid(desc, groups, plan, diag);
    for (int axis = 0; axis < AXES; axis++) {
        if (groups[axis] <= plan->groups_limit) continue;
        if (desc->shape == TELAR_SHAPE_LINEAR) return refuse_axis(groups[axis], axis, plan->groups_limit, diag);
        return fold_grid(desc, groups, plan, diag);
    }
    plan->shape = TELAR_SHAPE_LINEAR;
    for (int axis = 0; axis < AXES; axis++) plan->dispatch[axis] = (uint32_t)groups[axis];
    return TELAR_OK;
}

/* Invocations of an axis that have an element: all of the full groups, and of the last one as many as it has. */
static uint64_t busy_on_axis(uint64_t count, uint64_t groups, uint64_t size, uint64_t items)
{
    uint64_t rest = count - (groups - 1) * size * items;
    return (groups - 1) * size + (rest < size ? rest : size);
}

static telar_status map_grid(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan, telar_diag *diag)
{
    TELAR_TRY(check_grid(desc, facts, plan, diag));
    uint64_t groups[AXES];
    uint64_t busy = 1;
    for (int axis = 0; axis < AXES; axis++) {
        uint64_t items = axis == 0 ? plan->items : 1;
        groups[axis] = telar_ceil_div(plan->count[axis], plan->workgroup_size[axis] * items);
        busy *= busy_on_axis(plan->count[axis], groups[axis], plan->workgroup_size[axis], items);
    }
    TELAR_TRY(shape_grid(desc, groups, plan, diag));
    plan->groups = groups[0] * groups[1] * groups[2];
    plan->window_elements = plan->elements;
    plan->window_count = 1;
    plan->idle_groups = product(plan->dispatch) - plan->groups;
    plan->launched_invocations = product(plan->dispatch) * tl_invocations(plan->workgroup_size);
    plan->idle_invocations = plan->launched_invocations - busy;
    return TELAR_OK;
}

telar_status tl_map(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan, telar_diag *diag)
{
    plan->groups_limit = tl_limit_u32(facts->limits.maxComputeWorkgroupsPerDimension);
    if (plan->elements == 0) {
        plan->shape = TELAR_SHAPE_EMPTY;
        plan->dispatch[1] = plan->dispatch[2] = 1;
        return TELAR_OK;
    }
    TELAR_TRY(plan->dimensions > 1 ? map_grid(desc, facts, plan, diag) : map_flat(desc, facts, plan, diag));
    plan->row_groups = plan->dispatch[0];
    return TELAR_OK;
}
