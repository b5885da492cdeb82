/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "subgroups": what a kernel takes for granted about lanes. A subgroup has 4 to 128 lanes, which
 * differs between devices and even between pipelines of one device, and nothing says which invocations share one. */
#include "wgsl/check.h"
#include "wgsl/flow.h"

/* Sizes that the specification allows. */
#define LANES_LEAST 4u
#define LANES_MOST 128u

typedef struct lanes {
    uint32_t least, most;
    bool known; /* from the device's facts */
} lanes;

static lanes lanes_of(const tl_check *c)
{
    double least = c->facts.values[TELAR_FACT_SUBGROUP_MIN].value,
           most = c->facts.values[TELAR_FACT_SUBGROUP_MAX].value;
    if (least < 1 || most < least) return (lanes){LANES_LEAST, LANES_MOST, false};
    return (lanes){(uint32_t)least, (uint32_t)most, true};
}

/* Wrong on the device that is named; else on some. */
static telar_severity severity_of(const tl_check *c, const lanes *l)
{
    return l->known && c->desc->facts_are_device ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING;
}

static uint32_t group_size(const tl_check *c)
{
    uint64_t product = (uint64_t)c->size[0] * c->size[1] * c->size[2];
    return product <= UINT32_MAX ? (uint32_t)product : 0;
}

/* ---- lanes that may not exist ------------------------------------------------------------------------------------ */

/* The constant lane that a call reads from; false when it reads from a lane that is computed. */
static bool constant_lane(const tl_check *c, uint32_t call, int64_t *lane)
{
    tl_builtin builtin = tl_query_builtin_call(c->m, call);
    if (builtin != TL_BUILTIN_subgroupBroadcast && builtin != TL_BUILTIN_subgroupShuffle) return false;
    uint32_t list = c->m->nodes[call].b;
    if (tl_list_count(c->m, list) != 2) return false;
    tl_constant value = c->m->semantics->constant[tl_list_at(c->m, list, 1)];
    return tl_constant_is_value(value) && tl_constant_as_int(&c->m->semantics->constants, value, lane);
}

/* The size of subgroup, among those possible, whose last one in a group lacks the lane; 0 when none does. */
static uint32_t size_without(const lanes *l, uint32_t invocations, uint64_t lane)
{
    for (uint32_t width = l->least; width <= l->most; width *= 2) {
        uint32_t last = invocations % width;
        if (lane >= width || (last != 0 && lane >= last)) return width;
    }
    return 0;
}

static void check_lane(tl_check *c, uint32_t call, const lanes *l, uint32_t invocations)
{
    int64_t lane;
    if (!constant_lane(c, call, &lane) || lane < 0) return;
    uint32_t width = size_without(l, invocations, (uint64_t)lane);
    if (width == 0) return;
    uint32_t last = invocations % width, there = last != 0 && (uint64_t)lane >= last ? last : width;
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_MISSING_LANE, severity_of(c, l), call,
                        TL_SAYS(LANE_MISSING, TL_I(lane), TL_U(width), TL_U(invocations), TL_U(there)));
    tl_check_fix(c, finding, TL_SAID(READ_LANE_0));
}

/* ---- a number of lanes taken for granted ------------------------------------------------------------------------- */

static bool is_lane_count(int64_t value)
{
    return value >= LANES_LEAST && value <= LANES_MOST && (value & (value - 1)) == 0;
}

/* Does it say where an invocation stands in its group, by the index or by x of a group that lies along x? */
static bool is_local_index(const tl_check *c, const tl_values *v, tl_term term)
{
    term = tl_term_plain(v, term);
    const tl_term_info *info = tl_term_get(v, term);
    if (info->kind != TL_TERM_BUILTIN) {
        bool is_sum = info->kind == TL_TERM_BINARY && (info->depends & TL_ON_LOCAL) != 0 && c->size[1] != 1;
        return is_sum && (info->op == TL_OP_ADD) && (info->depends & TL_ON_LOCAL_Y) != 0;
    }
    if (info->a == TL_VALUE_local_invocation_index) return true;
    return info->a == TL_VALUE_local_invocation_id && info->b == 0 && c->size[1] == 1 && c->size[2] == 1;
}

/* The number of lanes that a remainder, mask, quotient or shift of the local index cuts at; 0 for other values. */
static int64_t cut_of(const tl_check *c, const tl_values *v, tl_term term, bool within)
{
    const tl_term_info *info = tl_term_get(v, tl_term_plain(v, term));
    int64_t number;
    if (info->kind != TL_TERM_BINARY || !tl_term_constant(v, info->b, &number) || !is_local_index(c, v, info->a))
        return 0;
    if (info->op == (within ? TL_OP_REMAINDER : TL_OP_DIVIDE)) return is_lane_count(number) ? number : 0;
    if (within && info->op == TL_OP_AND) return is_lane_count(number + 1) ? number + 1 : 0;
    if (!within && info->op == TL_OP_SHIFT_RIGHT && number < 8)
        return is_lane_count((int64_t)1 << number) ? (int64_t)1 << number : 0;
    return 0;
}

/* `index % lanes == 0` among the facts: the first invocation of what is taken for a subgroup. */
static int64_t first_lane_among(const tl_check *c, uint32_t facts)
{
    const tl_flow *flow = c->flow;
    for (uint32_t at = facts, steps = 0; at != 0 && steps < 64; at = flow->facts[at].before, steps++) {
        const tl_term_info *info = tl_term_get(&flow->values, flow->facts[at].condition);
        int64_t zero;
        if (info->kind != TL_TERM_BINARY || info->op != TL_OP_EQUAL || !flow->facts[at].holds) continue;
        if (!tl_term_constant(&flow->values, info->b, &zero) || zero != 0) continue;
        int64_t cut = cut_of(c, &flow->values, info->a, true);
        if (cut != 0) return cut;
    }
    return 0;
}

/* The number of subgroups that a place is laid out for: `part[index / lanes]`. */
static int64_t subgroup_of_place(const tl_check *c, tl_term place)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t depth = 0; depth < 8; depth++) {
        const tl_term_info *info = tl_term_get(v, place);
        if (info->kind == TL_TERM_PLACE_AT) {
            int64_t cut = cut_of(c, v, info->b, false);
            if (cut != 0) return cut;
        } else if (info->kind != TL_TERM_PLACE_OF) {
            return 0;
        }
        place = info->a;
    }
    return 0;
}

static void report_count(tl_check *c, uint32_t node, const lanes *l, int64_t count, tl_word how)
{
    if (l->known && l->least == l->most && l->least == count) return;
    const tl_said said = l->known ? TL_SAYS(LANES_ASSUMED_HERE, how, TL_I(count), TL_U(l->least), TL_U(l->most))
                                  : TL_SAYS(LANES_ASSUMED, how, TL_I(count), TL_U(l->least), TL_U(l->most));
    tl_finding *finding = tl_check_report(c, TL_CHECK_ASSUMED_LANES, severity_of(c, l), node, said);
    tl_check_fix(c, finding, TL_SAID(LANES_FROM_BUILTINS));
}

/* What subgroups computed is written by, or for, each piece of `lanes` invocations. */
static void check_layout(tl_check *c, const lanes *l)
{
    const tl_flow *flow = c->flow;
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        bool stores = event->kind == TL_EVENT_WRITE || event->kind == TL_EVENT_ATOMIC;
        if (!stores || event->value == 0) continue;
        if ((tl_term_get(&flow->values, event->value)->depends & TL_ON_SUBGROUP) == 0) continue;
        int64_t cut = subgroup_of_place(c, event->place);
        if (cut == 0) cut = first_lane_among(c, event->facts);
        if (cut != 0) report_count(c, event->node, l, cut, tl_check_word(TL_SAYS_PLACE_OF_SUBGROUP));
    }
}

static bool is_at(const tl_values *v, const tl_event *event, tl_builtin_value value)
{
    const tl_term_info *place = tl_term_get(v, event->place);
    if (event->place == 0 || place->kind != TL_TERM_PLACE_AT) return false;
    const tl_term_info *index = tl_term_get(v, tl_term_plain(v, place->b));
    return index->kind == TL_TERM_BUILTIN && index->a == (uint32_t)value;
}

/* Is the number of subgroups compared with the lanes of one? */
static bool knows_both(const tl_flow *flow, uint32_t facts)
{
    for (uint32_t at = facts, steps = 0; at != 0 && steps < 64; at = flow->facts[at].before, steps++) {
        const tl_term_info *info = tl_term_get(&flow->values, flow->facts[at].condition);
        if (info->kind != TL_TERM_BINARY) continue;
        const tl_term_info *a = tl_term_get(&flow->values, info->a), *b = tl_term_get(&flow->values, info->b);
        bool size = a->kind == TL_TERM_BUILTIN && a->a == TL_VALUE_subgroup_size;
        size = size || (b->kind == TL_TERM_BUILTIN && b->a == TL_VALUE_subgroup_size);
        if (size) return true;
    }
    return false;
}

/* `part[subgroup_id]` written, `part[lane]` read: one value a lane, though there may be more subgroups than lanes. */
static void check_second_level(tl_check *c, const lanes *l)
{
    const tl_flow *flow = c->flow;
    uint32_t invocations = c->size[0] * c->size[1] * c->size[2];
    uint32_t subgroups = invocations / (l->least != 0 ? l->least : 1);
    if (subgroups <= l->least) return;
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *read = &flow->events[k];
        const tl_global *global = read->kind == TL_EVENT_READ ? tl_event_global(flow, read) : NULL;
        if (global == NULL || global->space != TL_SPACE_WORKGROUP) continue;
        if (!is_at(&flow->values, read, TL_VALUE_subgroup_invocation_id) || knows_both(flow, read->facts)) continue;
        for (uint32_t j = 0; j < k; j++) {
            const tl_event *write = &flow->events[j];
            if (write->kind != TL_EVENT_WRITE || tl_event_global(flow, write) != global) continue;
            if (!is_at(&flow->values, write, TL_VALUE_subgroup_id)) continue;
            tl_finding *finding =
                tl_check_report(c, TL_CHECK_ASSUMED_LANES, severity_of(c, l), read->node,
                                TL_SAYS(MORE_SUBGROUPS_THAN_LANES, TL_U(l->least), TL_U(invocations), TL_U(subgroups)));
            tl_check_fix(c, finding, TL_SAID(LOOP_OVER_SUBGROUPS));
            return;
        }
    }
}

/* A constant, or what a loop's variable begins with, as in `for (var d = 16u; d > 0u; d /= 2u)`; false for all else. */
static bool first_value(const tl_check *c, uint32_t node, int64_t *value)
{
    const telar_wgsl *m = c->m;
    for (uint32_t steps = 0; steps < 2 && node != 0; steps++) {
        tl_constant constant = m->semantics->constant[node];
        if (tl_constant_is_value(constant)) return tl_constant_as_int(&m->semantics->constants, constant, value);
        uint32_t declaration = tl_query_declaration(m, tl_without_parentheses(m, node));
        if (declaration == 0 || m->nodes[declaration].kind != TL_NODE_VAR) return false;
        node = TL_PARTS(tl_var_parts, m, declaration)->init;
    }
    return false;
}

/* A shuffle over such a distance reaches lanes that a small subgroup does not have. */
static void check_distance(tl_check *c, uint32_t call)
{
    tl_builtin builtin = tl_query_builtin_call(c->m, call);
    bool shuffles = builtin == TL_BUILTIN_subgroupShuffleDown || builtin == TL_BUILTIN_subgroupShuffleUp ||
                    builtin == TL_BUILTIN_subgroupShuffleXor;
    uint32_t list = c->m->nodes[call].b;
    if (!shuffles || tl_list_count(c->m, list) != 2) return;
    int64_t distance, reach = 1;
    lanes l = lanes_of(c);
    if (!first_value(c, tl_list_at(c->m, list, 1), &distance) || distance < l.least) return;
    while (reach <= distance && reach < LANES_MOST) reach *= 2;
    report_count(c, call, &l, reach, tl_check_word(TL_SAYS_DISTANCE_OF_SHUFFLE));
}

/* ---- lanes derived from the local index -------------------------------------------------------------------------- */

static tl_builtin_value builtin_attribute(const tl_check *c, uint32_t declaration)
{
    uint32_t attributes = TL_PARTS(tl_member_parts, c->m, declaration)->attributes;
    uint32_t attribute = tl_list_attribute(c->m, attributes, TL_ATTR_BUILTIN);
    return attribute != 0 ? (tl_builtin_value)tl_node_declaration(c->m, attribute) : TL_VALUE_NONE;
}

/* `u32(x)`: what is converted; 0 when it is another call. */
static uint32_t converted(const tl_check *c, uint32_t call)
{
    const tl_wgsl_node *n = &c->m->nodes[call];
    bool function = tl_query_builtin_call(c->m, call) != TL_BUILTIN_COUNT || tl_query_declaration(c->m, n->a) != 0;
    return !function && tl_list_count(c->m, n->b) == 1 ? tl_list_at(c->m, n->b, 0) : 0;
}

#define STEPS_MAX 16u /* declarations, conversions and components that are followed */

/* The built-in value that an expression is, or a component of it. */
static tl_builtin_value builtin_of(const tl_check *c, uint32_t node)
{
    const telar_wgsl *m = c->m;
    for (uint32_t steps = 0; steps < STEPS_MAX && node != 0; steps++) {
        node = tl_without_parentheses(m, node);
        const tl_wgsl_node *n = &m->nodes[node];
        uint32_t declaration = n->kind == TL_NODE_CALL ? 0 : tl_node_declaration(m, node);
        if (n->kind == TL_NODE_CALL) {
            node = converted(c, node);
        } else if (n->kind == TL_NODE_MEMBER_ACCESS) {
            if (declaration != 0) return builtin_attribute(c, declaration);
            node = n->a;
        } else {
            declaration = tl_query_declaration(m, node);
            if (declaration == 0) return TL_VALUE_NONE;
            if (m->nodes[declaration].kind == TL_NODE_PARAM) return builtin_attribute(c, declaration);
            bool let = m->nodes[declaration].kind == TL_NODE_LET;
            node = let ? TL_PARTS(tl_var_parts, m, declaration)->init : 0;
        }
    }
    return TL_VALUE_NONE;
}

static bool is_local(tl_builtin_value value)
{
    return value == TL_VALUE_local_invocation_index || value == TL_VALUE_local_invocation_id;
}

/* `size - 1` */
static bool is_size_mask(const tl_check *c, uint32_t node)
{
    node = tl_without_parentheses(c->m, node);
    const tl_wgsl_node *n = &c->m->nodes[node];
    return n->kind == TL_NODE_BINARY && n->op == TL_OP_SUBTRACT && builtin_of(c, n->a) == TL_VALUE_subgroup_size;
}

/* `index % subgroup_size` and the like; *subgroup: `index / subgroup_size`. */
static bool is_derived(const tl_check *c, uint32_t node, bool *subgroup)
{
    const tl_wgsl_node *n = &c->m->nodes[node];
    if (n->kind != TL_NODE_BINARY) return false;
    bool masks = n->op == TL_OP_AND && is_size_mask(c, n->b);
    bool divides = n->op == TL_OP_REMAINDER || n->op == TL_OP_DIVIDE;
    if (!masks && !(divides && builtin_of(c, n->b) == TL_VALUE_subgroup_size)) return false;
    *subgroup = n->op == TL_OP_DIVIDE;
    return is_local(builtin_of(c, n->a));
}

static void check_derived(tl_check *c, uint32_t node)
{
    bool subgroup;
    if (!is_derived(c, node, &subgroup)) return;
    tl_finding *finding = tl_check_report(c, TL_CHECK_LANES_FROM_INDEX, TELAR_SEVERITY_WARNING, node,
                                          subgroup ? TL_SAID(SUBGROUP_DERIVED) : TL_SAID(LANE_DERIVED));
    tl_check_fix(c, finding, TL_SAYS(USE_BUILTIN, TL_Z(subgroup ? "subgroup_id" : "subgroup_invocation_id")));
}

/* ---- the family -------------------------------------------------------------------------------------------------- */

void tl_check_subgroups_module(tl_check *c)
{
    tl_check_each(c, TL_NODE_BINARY, check_derived);
    tl_check_each(c, TL_NODE_CALL, check_distance);
}

/* Calls with a lane: of the entry point's own text, or of the whole module where it has no other. */
static void check_lanes(tl_check *c, const lanes *l)
{
    uint32_t invocations = group_size(c), last = c->entry_function;
    if (invocations == 0) return;
    bool alone = c->reflection->entries_count == 1;
    if (alone) last = c->m->node_count - 1;
    for (uint32_t node = last; node > 0; node--) {
        if (!alone && c->m->nodes[node].first < c->m->nodes[c->entry_function].first) break;
        if (c->m->nodes[node].kind == TL_NODE_CALL) check_lane(c, node, l, invocations);
    }
}

void tl_check_subgroups_entry(tl_check *c)
{
    if (!c->entry->uses_subgroups) return;
    lanes l = lanes_of(c);
    check_lanes(c, &l);
    if (tl_flow_of(c) == NULL) return;
    check_layout(c, &l);
    check_second_level(c, &l);
}
