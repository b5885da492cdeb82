/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "size": the workgroup against the limits of the device, its memory, its lanes. */
#include "wgsl/check_access.h"

#define USUAL_LANES 32u /* of the devices whose subgroup size is not known */

/* The node to point at: the first argument of @workgroup_size, else the entry point's name. */
static uint32_t size_node(const tl_check *c)
{
    uint32_t attributes = TL_PARTS(tl_fn_parts, c->m, c->entry_function)->attributes;
    return tl_list_attribute(c->m, attributes, TL_ATTR_WORKGROUP_SIZE);
}

static bool size_is_known(const tl_check *c)
{
    return c->size[0] != 0 && c->size[1] != 0 && c->size[2] != 0;
}

static uint64_t product_of(const uint32_t size[3])
{
    uint64_t area = (uint64_t)size[0] * size[1], product;
    return telar_multiply(area, size[2], &product) ? product : UINT64_MAX;
}

/* Wrong on the device that is named; else on those that grant no more than the specification wants. */
static telar_severity over_limit(const tl_check *c)
{
    return c->desc->facts_are_device ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING;
}

static void check_axes(tl_check *c, uint32_t node)
{
    const telar_limits *limits = &c->facts.limits;
    const uint64_t most[3] = {limits->maxComputeWorkgroupSizeX, limits->maxComputeWorkgroupSizeY,
                              limits->maxComputeWorkgroupSizeZ};
    for (uint32_t k = 0; k < 3; k++) {
        if (c->size[k] <= most[k]) continue;
        tl_str axis = {&"XYZ"[k], 1};
        tl_check_report(c, TL_CHECK_WORKGROUP_SIZE, over_limit(c), node,
                        TL_SAYS(SIZE_AXIS, TL_T(axis), TL_U(c->size[k]), TL_U(most[k]), tl_check_granted(c)));
    }
}

static void check_product(tl_check *c, uint32_t node)
{
    uint64_t product = product_of(c->size), most = c->facts.limits.maxComputeInvocationsPerWorkgroup;
    if (product <= most) return;
    tl_check_report(c, TL_CHECK_WORKGROUP_SIZE, over_limit(c), node,
                    TL_SAYS(SIZE_PRODUCT, TL_U(c->size[0]), TL_U(c->size[1]), TL_U(c->size[2]), TL_U(product),
                            TL_U(most), tl_check_granted(c)));
}

/* Lanes that stay empty, where the subgroup size is known; the usual one where it is not. */
static void check_lanes(tl_check *c, uint32_t node)
{
    uint64_t product = product_of(c->size);
    double known = c->facts.values[TELAR_FACT_SUBGROUP_MAX].value;
    uint32_t width = known >= 1 ? (uint32_t)known : USUAL_LANES;
    if (product <= 1 || product % width == 0 || product > c->facts.limits.maxComputeInvocationsPerWorkgroup) return;
    telar_lanes lanes = telar_lanes_fill((uint32_t)product, width);
    tl_check_report(c, TL_CHECK_PARTIAL_LANES, TELAR_SEVERITY_NOTE, node,
                    TL_SAYS(SIZE_LANES, TL_U(product), TL_U(lanes.reserved), TL_U(width),
                            TL_U(lanes.reserved - (uint32_t)product)));
}

/* Groups that the launch needs when each has one invocation. */
static void check_group_of_one(tl_check *c, uint32_t node)
{
    if (product_of(c->size) != 1 || c->launch.dispatch[0] == 0) return;
    uint64_t groups = product_of(c->launch.dispatch);
    if (groups < USUAL_LANES) return;
    tl_check_report(c, TL_CHECK_GROUP_OF_ONE, TELAR_SEVERITY_NOTE, node, TL_SAYS(SIZE_ONE, TL_U(groups)));
}

static void check_memory(tl_check *c)
{
    uint64_t bytes = c->entry->workgroup_bytes, most = c->facts.limits.maxComputeWorkgroupStorageSize;
    if (bytes <= most) return;
    tl_check_report(c, TL_CHECK_WORKGROUP_MEMORY, over_limit(c), size_node(c),
                    TL_SAYS(SIZE_MEMORY, TL_U(bytes), TL_U(most), tl_check_granted(c)));
}

/* ---- one-invocation ---------------------------------------------------------------------------------------------- */

#define LONG_LOOP 4096 /* rounds that are worth sharing */

/* One invocation of the whole launch is left by the facts, or there is only one in a group and no group differs. */
static bool is_alone(tl_check *c, const tl_event *event)
{
    tl_flow *flow = c->flow;
    uint32_t k = 0;
    if (product_of(c->size) == 1) return true;
    for (uint32_t fact = event->facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (!tl_fact_bound(flow, fact, &bound) || !bound.exact) continue;
        if (tl_term_spread(flow, bound.left) != 0 && tl_term_is(&flow->values, bound.right, TL_TERM_CONSTANT))
            return true;
    }
    return false;
}

/* The rounds of the loop around an access, where the launch decides them; 0 when they are few or of another kind. */
static int64_t rounds_of(tl_check *c, tl_term loop_variable)
{
    const tl_values *v = &c->flow->values;
    const tl_loop *loop = &v->loops[tl_term_get(v, loop_variable)->a];
    const tl_term_info *condition = tl_term_get(v, loop->condition_term);
    int64_t one;
    const tl_induction *induction = tl_term_induction(v, loop_variable);
    if (condition->kind != TL_TERM_BINARY || induction == NULL || induction->step == 0) return 0;
    if (!tl_term_constant(v, induction->step, &one) || one != 1) return 0;
    const tl_term_info *bound = tl_term_get(v, condition->a == loop_variable ? condition->b : condition->a);
    if ((bound->depends & (TL_ON_HOST | TL_ON_LENGTH)) == 0 || (bound->depends & TL_ON_GROUP) != 0) return 0;
    if (bound->lo == bound->hi) return bound->hi;
    return c->launch.count[0] != 0 ? (int64_t)c->launch.count[0] : INT64_MAX;
}

/* Invocations that do different things share the array out, or each walks a table. */
static bool has_peers(const tl_flow *flow)
{
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        uint32_t depends = event->place != 0 ? tl_term_get(&flow->values, event->place)->depends : 0;
        if ((depends & TL_ON_GROUP) != 0) return true;
    }
    return false;
}

static void check_alone(tl_check *c, const tl_access_at *access, void *user)
{
    bool *reported = user;
    const tl_values *v = &c->flow->values;
    tl_term index = tl_term_plain(v, access->index);
    if (*reported || !access->runtime || !tl_term_is(v, index, TL_TERM_LOOP)) return;
    if ((tl_term_get(v, access->index)->depends & (TL_ON_GROUP | TL_ON_LOCAL)) != 0 || !is_alone(c, access->event))
        return;
    int64_t rounds = rounds_of(c, index);
    if (rounds < LONG_LOOP) return;
    if (product_of(c->size) == 1 && has_peers(c->flow)) return;
    *reported = tl_access_writes(access) || rounds != INT64_MAX; /* a later write says more */
    uint32_t node = v->loops[tl_term_get(v, index)->a].condition;
    /* Where nothing is known of the count, only a chain through memory is surely meant for many. */
    telar_severity unknown = tl_access_writes(access) ? TELAR_SEVERITY_WARNING : TELAR_SEVERITY_NOTE;
    tl_finding *finding =
        rounds == INT64_MAX ? tl_check_report(c, TL_CHECK_ONE_INVOCATION, unknown, node,
                                              TL_SAYS(ONE_WALKS_ALL, TL_T(tl_node_name(c->m, access->root))))
                            : tl_check_report(c, TL_CHECK_ONE_INVOCATION, TELAR_SEVERITY_WARNING, node,
                                              TL_SAYS(ONE_WALKS, TL_I(rounds), TL_T(tl_node_name(c->m, access->root))));
    tl_check_fix(c, finding, TL_SAID(SHARE_OUT));
}

void tl_check_size_entry(tl_check *c)
{
    bool reported = false;
    if (tl_flow_of(c) == NULL) return;
    tl_each_access(c, check_alone, &reported);
    uint32_t node = size_node(c);
    if (node == 0) return;
    check_memory(c);
    if (!size_is_known(c)) return;
    check_axes(c, node);
    check_product(c, node);
    check_lanes(c, node);
    check_group_of_one(c, node);
}

void tl_check_size_module(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        const tl_global *global = &s->globals[k];
        if (c->m->nodes[global->node].kind != TL_NODE_VAR || global->space != TL_SPACE_WORKGROUP) continue;
        const tl_type_info *type = tl_type_get(&s->types, tl_node_value_type(c->m, global->node));
        if ((type->flags & TL_TYPE_HAS_OVERRIDE) == 0) continue;
        uint32_t at = TL_PARTS(tl_var_parts, c->m, global->node)->type;
        tl_check_report(c, TL_CHECK_OVERRIDE_ARRAY, TELAR_SEVERITY_WARNING, at != 0 ? at : global->node,
                        TL_SAYS(OVERRIDE_LENGTH, TL_T(tl_node_name(c->m, global->node))));
    }
}
