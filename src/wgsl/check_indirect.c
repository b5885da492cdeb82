/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "indirect": arguments of a dispatch that a kernel writes, and a launch that takes them. */
#include "wgsl/check_access.h"

#include <string.h>

#define ARGUMENT_BYTES 12u

/* ---- which variable holds arguments ------------------------------------------------------------------------------ */

static bool is_named_so(tl_str name)
{
    static const char *const words[] = {"indirect", "dispatch", "arg", "workgroups", "groups"};
    if (tl_name_has(name, "draw") || tl_name_has(name, "target")) return false;
    for (size_t k = 0; k < TL_COUNT(words); k++) {
        if (tl_name_has(name, words[k])) return true;
    }
    return false;
}

static bool is_given(const tl_check *c, uint32_t root)
{
    const char *name = c->desc->indirect_buffer;
    return name != NULL && tl_str_equal(tl_node_name(c->m, root), tl_str_of(name));
}

/* The argument (0, 1, 2) that a place is; 3 for all of them at once, 4 for something else. */
static uint32_t argument_of(const tl_check *c, tl_term place)
{
    const tl_values *v = &c->flow->values;
    const tl_type_info *info = tl_type_get(&c->m->semantics->types, tl_term_get(v, place)->type);
    uint64_t offset;
    if (!tl_place_offset(v, place, &offset) || offset < c->desc->indirect_offset) return 4;
    offset -= c->desc->indirect_offset;
    bool scalar = info->kind == TL_KIND_U32 || info->kind == TL_KIND_ATOMIC || info->kind == TL_KIND_I32;
    if (scalar) return offset % 4 == 0 && offset < ARGUMENT_BYTES ? (uint32_t)offset / 4 : 4;
    return offset == 0 && info->size >= ARGUMENT_BYTES ? 3 : 4;
}

/* ---- indirect-unsaturated, indirect-size, ceil-wraps ------------------------------------------------------------- */

/* `divided + 1`, or `divided + u32(n % size != 0)`. */
typedef struct division {
    tl_term term; /* 0: there is none */
    bool plus_one, plus_rest;
} division;

static bool divides(const tl_term_info *info)
{
    return info->kind == TL_TERM_BINARY && (info->op == TL_OP_DIVIDE || info->op == TL_OP_SHIFT_RIGHT);
}

/* The division that makes groups of a count, behind min, max and what is added for the rest. */
static division division_in(const tl_values *v, tl_term value)
{
    division found = {0};
    for (uint32_t depth = 0; depth < 8; depth++) {
        value = tl_term_plain(v, value);
        const tl_term_info *info = tl_term_get(v, value);
        if (divides(info)) {
            found.term = value;
            return found;
        }
        bool adds = info->kind == TL_TERM_BINARY && info->op == TL_OP_ADD;
        if (!adds && info->kind != TL_TERM_MIN && info->kind != TL_TERM_MAX) break;
        const tl_term_info *a = tl_term_get(v, info->a), *b = tl_term_get(v, info->b);
        const tl_term_info *beside = a->lo >= 0 && a->hi <= 1 ? a : b;
        if (adds && (beside->lo < 0 || beside->hi > 1)) break;
        found.plus_one |= adds && beside->lo == 1;
        found.plus_rest |= adds && beside->lo == 0 && beside->hi == 1;
        if (adds) value = beside == a ? info->b : info->a;
        else value = a->kind == TL_TERM_CONSTANT ? info->b : info->a;
    }
    return (division){0};
}

/* Is a number of groups, as a division makes it, written to its first element? */
static bool is_counted_into(const tl_check *c, uint32_t root)
{
    const tl_flow *flow = c->flow;
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        if (event->kind != TL_EVENT_WRITE || event->place == 0 || event->value == 0) continue;
        if (tl_place_root(&flow->values, event->place) != root || argument_of(c, event->place) != 0) continue;
        if (division_in(&flow->values, event->value).term != 0) return true;
    }
    return false;
}

/* A name that means a dispatch even where more follows in the array. */
static bool says_dispatch(tl_str name)
{
    return tl_name_has(name, "dispatch") || tl_name_has(name, "indirect");
}

/* Three u32 and nothing else, by whatever type, under a name that says what for. */
static bool holds_arguments(const tl_check *c, uint32_t root)
{
    const tl_types *types = &c->m->semantics->types;
    const tl_type_info *info = tl_type_get(types, tl_node_value_type(c->m, root));
    bool three = info->size == ARGUMENT_BYTES || (info->kind == TL_KIND_VECTOR && info->rows == 3) ||
                 (info->kind == TL_KIND_STRUCT && info->size == 16);
    if (info->kind == TL_KIND_ARRAY && info->count != 3) three = false;
    bool open = info->kind == TL_KIND_ARRAY && info->count == 0 && info->expression == 0;
    if (open && info->element == TL_TYPE_U32) three = says_dispatch(tl_node_name(c->m, root));
    if (is_given(c, root)) return true;
    return three && (is_named_so(tl_node_name(c->m, root)) || is_counted_into(c, root));
}

static int64_t divisor_of(const tl_values *v, const tl_term_info *info)
{
    int64_t value;
    if (!tl_term_constant(v, info->b, &value) || value < 0) return 0;
    if (info->op == TL_OP_SHIFT_RIGHT) return value < 31 ? (int64_t)1 << value : 0;
    return value;
}

static void check_rounding(tl_check *c, uint32_t node, const division *groups)
{
    const tl_values *v = &c->flow->values;
    const tl_term_info *info = tl_term_get(v, groups->term);
    int64_t size = divisor_of(v, info);
    tl_sum sum;
    if (size < 2 || groups->plus_rest || !tl_sum_of(v, info->a, &sum) || sum.count == 0) return;
    if (groups->plus_one && sum.constant < 0) return; /* (n - 1) / size + 1 is the ceiling */
    if (groups->plus_one) sum.constant += size;
    if (sum.constant == size - 1) {
        tl_finding *finding = tl_check_report(c, TL_CHECK_CEIL_WRAPS, TELAR_SEVERITY_NOTE, node,
                                              TL_SAYS(CEILING_WRAPS, TL_I(size), TL_I(UINT32_MAX - size + 1)));
        tl_check_fix(c, finding, TL_SAYS(WRITE_CEILING, TL_I(size)));
        return;
    }
    if (sum.constant < 0 || sum.constant >= 2 * size) return;
    const tl_said said = sum.constant < size ? TL_SAYS(GROUPS_MISSING, TL_I(sum.constant), TL_I(size))
                                             : TL_SAYS(GROUP_TOO_MANY, TL_I(sum.constant), TL_I(size));
    tl_finding *finding = tl_check_report(c, TL_CHECK_INDIRECT_SIZE, TELAR_SEVERITY_WARNING, node, said);
    tl_check_fix(c, finding, TL_SAYS(ROUND_UP, TL_I(size)));
}

static void check_value(tl_check *c, const tl_event *event, tl_term value)
{
    const tl_values *v = &c->flow->values;
    const division groups = division_in(v, value);
    int64_t limit = (int64_t)c->facts.limits.maxComputeWorkgroupsPerDimension;
    if (groups.term == 0) return;
    check_rounding(c, event->node, &groups);
    if (tl_range_under(c->flow, value, event->facts).hi <= limit) return;
    tl_finding *finding = tl_check_report(c, TL_CHECK_INDIRECT_UNSATURATED, TELAR_SEVERITY_WARNING, event->node,
                                          TL_SAYS(UNSATURATED, TL_T(tl_node_text(c->m, event->node)), TL_I(limit)));
    tl_check_fix(c, finding, TL_SAYS(SATURATE, TL_I(limit)));
}

/* ---- indirect-partial -------------------------------------------------------------------------------------------- */

static void check_arguments(tl_check *c, uint32_t root)
{
    const tl_flow *flow = c->flow;
    const tl_values *v = &flow->values;
    const tl_event *first = NULL;
    uint32_t written = 0;
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        bool writes = event->kind == TL_EVENT_WRITE || event->kind == TL_EVENT_ATOMIC;
        if (!writes || event->place == 0 || tl_place_root(v, event->place) != root) continue;
        uint32_t argument = argument_of(c, event->place);
        if (argument == 4) {
            written |= 7; /* an index that is not known may be any */
            continue;
        }
        written |= argument == 3 ? 7u : 1u << argument;
        if (event->kind != TL_EVENT_WRITE) continue;
        int64_t value;
        bool nothing = event->value != 0 && tl_term_constant(v, event->value, &value) && value == 0;
        if (first == NULL && !nothing) first = event; /* a zero is written to call the dispatch off */
        if (argument < 3 && event->value != 0) check_value(c, event, event->value);
        if (argument == 3 && event->value != 0 && tl_term_is(v, event->value, TL_TERM_COMPOSITE)) {
            const tl_term_info *all = tl_term_get(v, event->value);
            for (uint32_t i = 0; i < all->b && i < 3; i++) check_value(c, event, v->elements[all->a + i]);
        }
    }
    if (first == NULL || written == 7 || !flow->complete) return;
    uint32_t missing = ~written & 7u;
    const tl_word in = TL_T(tl_node_name(c->m, root)), which = tl_axes_word(missing);
    const tl_said said = (missing & (missing - 1)) == 0 ? TL_SAYS(ONE_ARGUMENT_MISSING, in, which)
                                                        : TL_SAYS(ARGUMENTS_MISSING, in, which);
    tl_finding *finding = tl_check_report(c, TL_CHECK_INDIRECT_PARTIAL, TELAR_SEVERITY_WARNING, first->node, said);
    tl_check_fix(c, finding, TL_SAID(WRITE_ALL_THREE));
}

/* ---- indirect-writable, indirect-offset -------------------------------------------------------------------------- */

/* Does the kernel also write elements of a domain? */
static const tl_event *element_write(tl_check *c, uint32_t but)
{
    tl_flow *flow = c->flow;
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        const tl_global *global = event->kind == TL_EVENT_WRITE ? tl_event_global(flow, event) : NULL;
        if (global == NULL || global->space != TL_SPACE_STORAGE || global->node == but) continue;
        const tl_term_info *place = tl_term_get(&flow->values, event->place);
        if (place->kind == TL_TERM_PLACE_AT && tl_term_spread(flow, place->b) != 0) return event;
    }
    return NULL;
}

static void check_writable(tl_check *c, const telar_wgsl_binding *binding, uint32_t root)
{
    if (binding->access != TELAR_WGSL_READ_WRITE) return;
    if (is_given(c, root)) {
        tl_finding *finding = tl_check_report(c, TL_CHECK_INDIRECT_WRITABLE, TELAR_SEVERITY_ERROR, root,
                                              TL_SAYS(ARGUMENTS_BOUND, TL_Z(binding->name)));
        tl_check_fix(c, finding, TL_SAID(OWN_BUFFER));
        return;
    }
    if (c->launch.dispatch[0] != 0 || !holds_arguments(c, root) || element_write(c, root) == NULL) return;
    for (uint32_t k = 0; k < c->flow->event_count; k++) {
        const tl_event *event = &c->flow->events[k];
        bool writes = event->kind == TL_EVENT_WRITE && event->place != 0;
        if (!writes || tl_place_root(&c->flow->values, event->place) != root) continue;
        tl_finding *finding = tl_check_report(c, TL_CHECK_INDIRECT_WRITABLE, TELAR_SEVERITY_WARNING, event->node,
                                              TL_SAYS(ARGUMENTS_AND_WORK, TL_Z(binding->name)));
        tl_check_fix(c, finding, TL_SAID(OWN_BUFFER));
        return;
    }
}

static void check_offset(tl_check *c)
{
    uint64_t offset = c->desc->indirect_offset;
    if (c->desc->indirect_buffer == NULL) return;
    uint32_t root = tl_query_global(c->m, tl_str_of(c->desc->indirect_buffer));
    if (root == 0) return;
    uint64_t bytes = tl_bound_bytes(c, root);
    if (offset % 4 != 0) {
        tl_check_report(c, TL_CHECK_INDIRECT_OFFSET, TELAR_SEVERITY_ERROR, root, TL_SAYS(OFFSET_ODD, TL_U(offset)));
    } else if (bytes != 0 && (offset > bytes || bytes - offset < ARGUMENT_BYTES)) {
        tl_check_report(c, TL_CHECK_INDIRECT_OFFSET, TELAR_SEVERITY_ERROR, root,
                        TL_SAYS(OFFSET_OUTSIDE, TL_U(offset), TL_U(bytes), TL_T(tl_node_name(c->m, root))));
    }
}

void tl_check_indirect_entry(tl_check *c)
{
    if (tl_flow_of(c) == NULL) return;
    for (uint32_t k = 0; k < c->entry->bindings_count; k++) {
        const telar_wgsl_binding *binding = c->entry->bindings[k];
        if (binding->space != TELAR_WGSL_STORAGE || binding->access != TELAR_WGSL_READ_WRITE) continue;
        uint32_t root = tl_query_global(c->m, tl_str_of(binding->name));
        if (root == 0) continue;
        if (holds_arguments(c, root) && !is_given(c, root)) check_arguments(c, root);
        check_writable(c, binding, root);
    }
    if (c->launch.indirect) check_offset(c);
}
