/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "mapping" about the way from an invocation to its elements: axes, row widths, strides, and the
 * arithmetic of indices. */
#include "wgsl/check_access.h"

static int64_t total_on(const tl_check *c, uint32_t axis)
{
    return (int64_t)c->launch.dispatch[axis] * c->size[axis];
}

static bool dispatch_known(const tl_check *c)
{
    return c->launch.dispatch[0] != 0;
}

static bool has_linear_count(const tl_check *c)
{
    return c->launch.count[0] != 0 && c->launch.count[1] <= 1 && c->launch.count[2] <= 1;
}

/* ---- fold-ignored ------------------------------------------------------------------------------------------------ */

typedef struct usage {
    uint32_t depends;          /* of all places, values and conditions */
    const tl_event *write;     /* that depends on the group */
    const tl_event *any_write; /* into storage, no atomic */
    bool tickets;              /* work is taken from a counter: groups are told apart by it */
    bool strides;              /* some loop goes over the domain in steps */
} usage;

/* Does what it writes, or whether it does, depend on the group? */
static bool is_of_group(const tl_flow *flow, const tl_event *event)
{
    const tl_values *v = &flow->values;
    uint32_t depends = tl_term_get(v, event->place)->depends, k = 0;
    if (event->kind != TL_EVENT_ATOMIC) return (depends & TL_ON_GROUP) != 0;
    if (event->value != 0) depends |= tl_term_get(v, event->value)->depends;
    for (uint32_t fact = event->facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        depends |= tl_term_get(v, flow->facts[fact].condition)->depends;
    }
    return (depends & TL_ON_GROUP) != 0;
}

static usage usage_of(const tl_flow *flow)
{
    const tl_values *v = &flow->values;
    usage u = {0};
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        if (event->place != 0) u.depends |= tl_term_get(v, event->place)->depends;
        if (event->value != 0) u.depends |= tl_term_get(v, event->value)->depends;
        bool texture = event->kind == TL_EVENT_TEXTURE_STORE;
        bool writes = texture || event->kind == TL_EVENT_WRITE || event->kind == TL_EVENT_ATOMIC;
        const tl_global *global = writes ? tl_event_global(flow, event) : NULL;
        bool storage = texture || (global != NULL && global->space == TL_SPACE_STORAGE);
        if (writes && storage && u.write == NULL && is_of_group(flow, event)) u.write = event;
        if (event->kind == TL_EVENT_WRITE && storage && u.any_write == NULL) u.any_write = event;
        if (event->place != 0 && (tl_term_get(v, event->place)->depends & TL_ON_WRITABLE) != 0) u.tickets = true;
    }
    for (uint32_t k = 0; k < flow->condition_count; k++)
        u.depends |= tl_term_get(v, flow->conditions[k].condition)->depends;
    for (uint32_t k = 1; k < v->induction_count; k++) {
        const tl_induction *induction = &v->inductions[k];
        if (induction->step != 0 && (tl_term_get(v, induction->start)->depends & TL_ON_GROUP) != 0) u.strides = true;
    }
    /* Where no event and no condition knows the group, all groups do the same. */
    if (u.write == NULL && (u.depends & TL_ON_GROUP) == 0) u.write = u.any_write;
    return u;
}

static void check_folded_axis(tl_check *c, const usage *u, uint32_t axis)
{
    static const tl_check_saying rows[] = {TL_SAYS_COLUMNS, TL_SAYS_ROWS, TL_SAYS_LAYERS};
    if (c->launch.dispatch[axis] < 2 || (u->depends & (uint32_t)TL_ON_GROUP_X << axis) != 0) return;
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_FOLD_IGNORED, TELAR_SEVERITY_ERROR, u->write->node,
                        TL_SAYS(AXIS_IGNORED, TL_U(c->launch.dispatch[axis]), tl_check_word(rows[axis]),
                                TL_CHECK_AXIS(axis), TL_T(tl_node_text(c->m, u->write->node))));
    tl_check_fix(c, finding, TL_SAID(REBUILD_INDEX));
}

/* With a count alone: would a launch along one axis fit the device? */
static void check_needs_fold(tl_check *c, const usage *u)
{
    if (!has_linear_count(c) || dispatch_known(c) || c->size[0] == 0 || u->strides) return;
    uint64_t groups = telar_ceil_div(c->launch.count[0], c->size[0]);
    uint64_t limit = c->facts.limits.maxComputeWorkgroupsPerDimension;
    if (groups <= limit || (u->depends & TL_ON_GROUP) != TL_ON_GROUP_X) return;
    if (tl_term_spread(c->flow, u->write->place) == 0 &&
        (tl_term_get(&c->flow->values, u->write->place)->depends & TL_ON_LOCAL_X) == 0) {
        return;
    }
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_FOLD_IGNORED, TELAR_SEVERITY_ERROR, u->write->node,
                        TL_SAYS(AXIS_OVERFLOWS, TL_U(c->launch.count[0]), TL_U(c->size[0]), TL_U(groups), TL_U(limit)));
    tl_check_fix(c, finding, TL_SAID(FOLD_AND_REBUILD));
}

static void check_fold(tl_check *c)
{
    usage u = usage_of(c->flow);
    if (u.write == NULL || !c->flow->complete || u.tickets) return;
    if (dispatch_known(c)) {
        for (uint32_t k = 0; k < 3; k++) check_folded_axis(c, &u, k);
    }
    check_needs_fold(c, &u);
}

/* ---- row-width --------------------------------------------------------------------------------------------------- */

typedef struct part {
    int64_t factor;
    int64_t extent; /* values that the id takes; at least 2 where it is not known */
    bool sure;
    uint32_t axis;
} part;

/* The ids of a sum with known factors, ascending; false when some id stands in a product with something else, or when a
 * fact speaks of it. */
static bool parts_of(const tl_check *c, const tl_sum *sum, part parts[6], uint32_t *count)
{
    const tl_values *v = &c->flow->values;
    *count = 0;
    for (uint32_t k = 0; k < sum->count; k++) {
        const tl_product *product = &sum->products[k];
        for (uint32_t i = 0; i < product->count; i++) {
            for (uint32_t axis = 0; axis < 3; axis++) {
                bool local = product->atoms[i] == v->local[axis], group = product->atoms[i] == v->group[axis];
                if (!local && !group) continue;
                if (product->count != 1 || product->factor <= 0 || *count == 6) return false;
                bool known = local ? c->size[axis] != 0 : dispatch_known(c);
                int64_t extent = !known ? 2 : local ? c->size[axis] : c->launch.dispatch[axis];
                if (extent > 1) parts[(*count)++] = (part){product->factor, extent, known, axis};
            }
        }
    }
    for (uint32_t k = 1; k < *count; k++) {
        part moved = parts[k];
        uint32_t at = k;
        for (; at > 0 && parts[at - 1].factor > moved.factor; at--) parts[at] = parts[at - 1];
        parts[at] = moved;
    }
    return *count >= 2;
}

/* `gid.y * num_workgroups.y * 64 + gid.x`: the width of a row is made of the number of rows. */
static bool counts_other_axis(const tl_check *c, const tl_sum *sum)
{
    const tl_values *v = &c->flow->values;
    bool square = dispatch_known(c) && c->launch.dispatch[0] == c->launch.dispatch[1];
    if (square || (tl_sum_factor(sum, v->local[0]) != 1 && tl_sum_factor(sum, v->group[0]) != 1)) return false;
    for (uint32_t k = 0; k < sum->count; k++) {
        const tl_product *product = &sum->products[k];
        for (uint32_t i = 0; product->count == 2 && i < 2; i++) {
            const tl_term_info *other = tl_term_get(v, product->atoms[1 - i]);
            bool rows = other->kind == TL_TERM_BUILTIN && other->a == TL_VALUE_num_workgroups && other->b == 1;
            if (rows && product->atoms[i] == v->group[1]) return true;
        }
    }
    return false;
}

/* The first part that falls among the values of those before it, or leaves a gap behind them; 0 when none surely does. */
static uint32_t misplaced(const part *parts, uint32_t count, bool *sure, bool *gap)
{
    int64_t grain = parts[0].factor, last = grain * (parts[0].extent - 1);
    *sure = parts[0].sure;
    *gap = false;
    for (uint32_t k = 1; k < count; k++) {
        *sure = *sure && parts[k].sure;
        if (parts[k].factor % grain != 0) return 0;
        if (parts[k].factor <= last) return k;
        *gap = parts[k].factor != last + grain;
        if (*gap) return *sure && grain == 1 ? k : 0;
        last += parts[k].factor * (parts[k].extent - 1);
    }
    return 0;
}

/* Facts on one axis alone narrow it, unless the bound is one that a launch of this width is likely to reach; those on
 * the whole index do not matter here. */
static bool axes_are_free(tl_check *c, const tl_access_at *access, bool *cut)
{
    tl_flow *flow = c->flow;
    *cut = false;
    uint32_t all = tl_term_get(&flow->values, access->index)->depends & (TL_ON_GROUP | TL_ON_LOCAL), k = 0;
    for (uint32_t fact = access->event->facts; fact != 0; fact = flow->facts[fact].before) {
        uint32_t on = tl_term_get(&flow->values, flow->facts[fact].condition)->depends & (TL_ON_GROUP | TL_ON_LOCAL);
        if (on != 0 && (on & all) != all) {
            tl_bound bound;
            if (!tl_fact_bound(flow, fact, &bound) || bound.exact) return false;
            const tl_term_info *right = tl_term_get(&flow->values, bound.right);
            if ((right->depends & TL_ON_HOST) == 0 || right->lo == right->hi) return false;
            *cut = true;
        }
        if (++k == 64 || --*flow->work <= 0) return false;
    }
    return true;
}

/* `gid.y * num_workgroups.x + gid.x`: the width counts groups where it should count invocations. */
static bool lacks_size(const tl_check *c, const tl_sum *sum)
{
    const tl_values *v = &c->flow->values;
    if (c->size[0] < 2 || tl_sum_factor(sum, v->local[0]) != 1) return false;
    for (uint32_t k = 0; k < sum->count; k++) {
        const tl_product *product = &sum->products[k];
        if (product->count != 2 || product->factor != (c->size[1] > 1 ? 1 : product->factor)) continue;
        bool y = product->atoms[0] == v->group[1] || product->atoms[1] == v->group[1] ||
                 product->atoms[0] == v->local[1] || product->atoms[1] == v->local[1];
        tl_term other = product->atoms[0] == v->group[1] || product->atoms[0] == v->local[1] ? product->atoms[1]
                                                                                             : product->atoms[0];
        const tl_term_info *info = tl_term_get(v, other);
        bool groups = info->kind == TL_TERM_BUILTIN && info->a == TL_VALUE_num_workgroups && info->b == 0;
        bool group_y = product->atoms[0] == v->group[1] || product->atoms[1] == v->group[1];
        if (!y || !groups) continue;
        int64_t expected = group_y ? (int64_t)c->size[0] * c->size[1] : c->size[0];
        if (product->factor < expected) return true;
    }
    return false;
}

/* `workgroup_id.x * 64 + local_invocation_index` with groups of 128. */
static void check_groups_overlap(tl_check *c, const tl_access_at *access, const part *group)
{
    if (group->factor < 2) return; /* neighbours on purpose, as in a sum over pairs */
    tl_check_report(c, TL_CHECK_ROW_WIDTH, TELAR_SEVERITY_WARNING, access->event->node,
                    TL_SAYS(GROUPS_OVERLAP, TL_T(tl_node_text(c->m, access->event->node)), TL_I(group->factor),
                            TL_U(c->size[group->axis])));
}

static bool is_global(const tl_check *c, const tl_sum *sum, uint32_t axis, tl_term times)
{
    const tl_values *v = &c->flow->values;
    int64_t local = 0, group = 0;
    for (uint32_t k = 0; k < sum->count; k++) {
        const tl_product *product = &sum->products[k];
        if (product->count != (times != 0 ? 2u : 1u)) continue;
        uint32_t at = times != 0 && product->atoms[0] == times ? 1 : 0;
        if (times != 0 && product->atoms[1 - at] != times) continue;
        if (product->atoms[at] == v->local[axis]) local = product->factor;
        if (product->atoms[at] == v->group[axis]) group = product->factor;
    }
    return group == (int64_t)c->size[axis] && (local == 1 || c->size[axis] == 1);
}

/* What the host gives that the global id on an axis is tested against; 0: nothing, or several. */
static tl_term host_bound(const tl_check *c, uint32_t facts, uint32_t axis)
{
    const tl_flow *flow = c->flow;
    tl_term found = 0;
    uint32_t k = 0;
    for (uint32_t fact = facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        tl_sum left;
        if (!tl_fact_bound(flow, fact, &bound) || bound.exact || !tl_sum_of(&flow->values, bound.left, &left)) continue;
        tl_term right = tl_term_plain(&flow->values, bound.right);
        bool plain = left.constant == 0 && left.count == (c->size[axis] == 1 ? 1u : 2u);
        if (!plain || !is_global(c, &left, axis, 0)) continue;
        if (!tl_term_is(&flow->values, right, TL_TERM_LOAD) || (found != 0 && found != right)) return 0;
        found = right;
    }
    return found;
}

/* `gid.y * height + gid.x` where gid.x is tested against the width, and gid.y against the height. */
static bool check_row_of_height(tl_check *c, const tl_access_at *access, const tl_sum *sum)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t across = 0; across < 2; across++) {
        uint32_t down = 1 - across;
        tl_term width = host_bound(c, access->event->facts, across), height = host_bound(c, access->event->facts, down);
        if (width == 0 || height == 0 || width == height || sum->count > 4) continue;
        const tl_term_info *w = tl_term_get(v, width), *h = tl_term_get(v, height);
        bool same = w->lo == w->hi && h->lo == h->hi && w->lo == h->lo;
        if (same || !is_global(c, sum, across, 0) || !is_global(c, sum, down, height)) continue;
        tl_check_report(c, TL_CHECK_ROW_WIDTH, TELAR_SEVERITY_WARNING, access->event->node,
                        TL_SAYS(ROW_OF_HEIGHT, TL_T(tl_node_text(c->m, access->event->node)),
                                TL_T(tl_load_name(c->flow, height)), TL_T(tl_load_name(c->flow, width))));
        return true;
    }
    return false;
}

static void check_row_width(tl_check *c, const tl_access_at *access)
{
    if (access->event->kind != TL_EVENT_WRITE || access->space != TL_SPACE_STORAGE) return;
    const uint32_t depends = tl_term_get(&c->flow->values, access->index)->depends;
    tl_sum sum;
    if ((depends & TL_ON_GROUP) == 0 || !tl_sum_of(&c->flow->values, access->index, &sum)) return;
    tl_str text = tl_node_text(c->m, access->event->node);
    bool one_row = dispatch_known(c) && c->launch.dispatch[1] * c->size[1] == 1;
    if (lacks_size(c, &sum) && !one_row) {
        tl_finding *finding =
            tl_check_report(c, TL_CHECK_ROW_WIDTH, dispatch_known(c) ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING,
                            access->event->node, TL_SAYS(ROW_WITHOUT_SIZE, TL_T(text), TL_U(c->size[0])));
        tl_check_fix(c, finding, TL_SAID(ROW_TIMES_SIZE));
        return;
    }
    if (counts_other_axis(c, &sum) && !one_row) {
        tl_check_report(c, TL_CHECK_ROW_WIDTH, dispatch_known(c) ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING,
                        access->event->node, TL_SAYS(ROW_OF_OTHER_AXIS, TL_T(text)));
        return;
    }
    if (check_row_of_height(c, access, &sum)) return;
    part parts[6];
    uint32_t count;
    bool sure, cut, gap;
    if (!parts_of(c, &sum, parts, &count) || !axes_are_free(c, access, &cut)) return;
    uint32_t at = misplaced(parts, count, &sure, &gap);
    if (at == 0) return;
    if (parts[at].axis == parts[at - 1].axis) {
        if (!gap && !cut) check_groups_overlap(c, access, &parts[at]);
        return;
    }
    int64_t width = total_on(c, parts[at - 1].axis);
    if (gap) {
        if (!has_linear_count(c) || cut) return; /* a pitch may be wider than what is on a row */
        tl_check_report(c, TL_CHECK_ROW_WIDTH, TELAR_SEVERITY_ERROR, access->event->node,
                        TL_SAYS(ROW_TOO_WIDE, TL_T(text), TL_I(parts[at].factor), TL_I(width)));
    } else if (dispatch_known(c)) {
        tl_check_report(c, TL_CHECK_ROW_WIDTH, sure && !cut ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING,
                        access->event->node, TL_SAYS(ROW_TOO_NARROW, TL_T(text), TL_I(parts[at].factor), TL_I(width)));
    } else {
        tl_check_report(c, TL_CHECK_ROW_WIDTH, TELAR_SEVERITY_WARNING, access->event->node,
                        TL_SAYS(ROW_FIXED, TL_T(text), TL_I(parts[at].factor)));
    }
}

/* ---- stride-mismatch, stride-indirect ---------------------------------------------------------------------------- */

static bool is_groups(const tl_values *v, tl_term term)
{
    const tl_term_info *info = tl_term_get(v, term);
    return info->kind == TL_TERM_BUILTIN && info->a == TL_VALUE_num_workgroups;
}

/* A step of num_workgroups[axis] * factor; false for all else. */
static bool step_in_groups(const tl_values *v, const tl_sum *step, uint32_t *axis, int64_t *factor)
{
    if (step->constant != 0 || step->count != 1 || step->products[0].count != 1) return false;
    tl_term atom = step->products[0].atoms[0];
    *factor = step->products[0].factor;
    *axis = tl_term_get(v, atom)->b;
    return is_groups(v, atom);
}

static bool is_used_as_index(const tl_check *c, tl_term loop)
{
    const tl_flow *flow = c->flow;
    for (uint32_t k = 0; k < flow->event_count; k++) {
        tl_term place = flow->events[k].place;
        for (uint32_t depth = 0; place != 0 && depth < 16; depth++) {
            const tl_term_info *info = tl_term_get(&flow->values, place);
            if (info->kind == TL_TERM_PLACE_AT) {
                tl_sum sum;
                tl_term index = tl_term_plain(&flow->values, info->b);
                if (index == loop) return true;
                if ((tl_term_get(&flow->values, index)->depends & TL_ON_LOOP) != 0 &&
                    tl_sum_of(&flow->values, index, &sum) && tl_sum_factor(&sum, loop) != 0) {
                    return true;
                }
            }
            if (info->kind != TL_TERM_PLACE_AT && info->kind != TL_TERM_PLACE_OF) break;
            place = info->a;
        }
    }
    return false;
}

/* The axis on which a start is `local * f` or `global * f`, with f; false for all else. */
static bool start_axis(const tl_check *c, const tl_sum *start, uint32_t *axis, int64_t *factor, bool *global)
{
    const tl_values *v = &c->flow->values;
    uint32_t found = 0;
    for (uint32_t k = 0; k < 3; k++) {
        int64_t local = tl_sum_factor(start, v->local[k]), group = tl_sum_factor(start, v->group[k]);
        if (local <= 0) continue;
        found++;
        *axis = k;
        *factor = local;
        *global = group == local * (int64_t)c->size[k];
        if (group != 0 && !*global) return false;
    }
    return found == 1;
}

typedef struct unrolled {
    tl_term variable;
    int64_t distance;
    bool found;
} unrolled;

static void find_unrolled(tl_check *c, const tl_access_at *access, void *user)
{
    unrolled *u = user;
    tl_sum sum;
    if (u->found || !tl_sum_of(&c->flow->values, access->index, &sum)) return;
    int64_t factor = tl_sum_factor(&sum, u->variable), distance;
    if (factor < 1 || __builtin_mul_overflow(factor, u->distance, &distance)) return;
    u->found = sum.constant >= distance;
}

/* `i += 4 * 64` with accesses at i + 64, i + 2 * 64 ...: the round takes several elements. */
static bool is_unrolled(tl_check *c, const tl_induction *induction, int64_t step, int64_t expected)
{
    unrolled u = {.variable = induction->term, .distance = step - expected};
    if (expected < 1 || step <= expected || step % expected != 0) return false;
    tl_each_access(c, find_unrolled, &u);
    return u.found;
}

static void report_stride(tl_check *c, const tl_induction *induction, telar_severity severity, int64_t step,
                          int64_t expected, tl_check_saying what)
{
    if (is_unrolled(c, induction, step, expected)) return;
    const tl_word whose = tl_check_word(what);
    const tl_said said = step < expected ? TL_SAYS(STRIDE_TOO_SHORT, TL_I(step), whose, TL_I(expected))
                                         : TL_SAYS(STRIDE_TOO_LONG, TL_I(step), whose, TL_I(expected));
    tl_finding *finding = tl_check_report(c, TL_CHECK_STRIDE_MISMATCH, severity, induction->node, said);
    tl_check_fix(c, finding, TL_SAID(STEP_BY_SHARERS));
}

/* The least step that is meant to leave elements to other invocations. */
#define SHARED_STEP 16

/* What a group on axis k adds to a sum, with num_workgroups as the launch has them; 0: nothing, or not known. */
static int64_t group_factor(const tl_check *c, const tl_sum *sum, uint32_t k)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t at = 0; at < sum->count; at++) {
        const tl_product *product = &sum->products[at];
        int64_t factor = product->factor;
        bool has_group = false;
        for (uint32_t i = 0; i < product->count; i++) {
            const tl_term_info *atom = tl_term_get(v, product->atoms[i]);
            has_group |= product->atoms[i] == v->group[k];
            if (product->atoms[i] == v->group[k]) continue;
            if (atom->lo != atom->hi || __builtin_mul_overflow(factor, atom->lo, &factor)) factor = 0;
        }
        if (has_group) return factor;
    }
    return 0;
}

/* All invocations that share a loop in a launch that is known, times what an invocation's start is multiplied by: those of
 * the other rows too where the start is folded, `gid.y * (num_workgroups.x * 64) + gid.x`. 0: too many. */
static int64_t whole_stride(const tl_check *c, const tl_sum *start, uint32_t axis, int64_t factor)
{
    int64_t stride;
    if (__builtin_mul_overflow(total_on(c, axis), factor, &stride)) return 0;
    for (uint32_t k = 0; k < 3; k++) {
        bool folds = k != axis && c->size[k] == 1 && c->launch.dispatch[k] > 1;
        if (!folds || group_factor(c, start, k) != stride) continue;
        if (__builtin_mul_overflow(stride, (int64_t)c->launch.dispatch[k], &stride)) return 0;
    }
    return stride;
}

static void check_global_stride(tl_check *c, const tl_induction *induction, const tl_sum *start, uint32_t axis,
                                int64_t factor, int64_t step)
{
    if (factor > UINT32_MAX || step < SHARED_STEP * factor) return; /* over its own elements, or all that follow */
    int64_t size = (int64_t)c->size[axis] * factor;
    if (dispatch_known(c)) {
        int64_t expected = whole_stride(c, start, axis, factor);
        if (expected != 0 && step != expected) {
            report_stride(c, induction, TELAR_SEVERITY_ERROR, step, expected, TL_SAYS_INVOCATIONS_OF_LAUNCH);
        }
    } else if (step == size && size > 1) {
        tl_finding *finding = tl_check_report(c, TL_CHECK_STRIDE_MISMATCH, TELAR_SEVERITY_WARNING, induction->node,
                                              TL_SAYS(STRIDE_OF_GROUP, TL_I(step)));
        tl_check_fix(c, finding, TL_SAID(STEP_BY_LAUNCH));
    }
}

static void check_group_stride(tl_check *c, const tl_induction *induction, uint32_t axis, int64_t factor)
{
    int64_t size = c->size[axis];
    if (size == 0 || factor == size || factor % size == 0) return;
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_STRIDE_MISMATCH, dispatch_known(c) ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING,
                        induction->node, TL_SAYS(STRIDE_IN_GROUPS, TL_CHECK_AXIS(axis), TL_I(factor), TL_I(size)));
    tl_check_fix(c, finding, TL_SAID(STEP_BY_GROUPS));
}

/* Inside of a group: start is a local id and the step is a number. */
static void check_local_stride(tl_check *c, const tl_induction *induction, const tl_sum *start, uint32_t axis,
                               int64_t factor, int64_t step)
{
    int64_t expected = (int64_t)c->size[axis] * factor;
    bool alone = start->constant == 0 && start->count == 1 && c->size[axis] > 1;
    bool linear = c->size[0] * (uint64_t)c->size[1] * c->size[2] == c->size[axis];
    if (!alone || !linear || step == expected || factor != 1) return;
    report_stride(c, induction, TELAR_SEVERITY_WARNING, step, expected, TL_SAYS_INVOCATIONS_OF_GROUP);
}

static void check_stride(tl_check *c, const tl_induction *induction)
{
    const tl_values *v = &c->flow->values;
    if (induction->step == 0 || induction->op != TL_OP_ADD) return;
    const tl_term_info *step_info = tl_term_get(v, induction->step);
    tl_sum start, step;
    uint32_t axis = 0, step_axis = 0;
    int64_t factor = 1, in_groups = 0;
    bool global = false;
    if (!tl_sum_of(v, induction->start, &start) || !tl_sum_of(v, induction->step, &step)) return;
    bool groups = step_in_groups(v, &step, &step_axis, &in_groups);
    if (groups && (c->launch.indirect || !dispatch_known(c))) {
        tl_finding *finding = tl_check_report(c, TL_CHECK_STRIDE_INDIRECT,
                                              c->launch.indirect ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_NOTE,
                                              induction->node, TL_SAYS(STRIDE_MAY_BE_ZERO, TL_CHECK_AXIS(step_axis)));
        tl_check_fix(c, finding, TL_SAID(STRIDE_FROM_UNIFORM));
    }
    if (!start_axis(c, &start, &axis, &factor, &global) || c->size[axis] == 0) return;
    if (!is_used_as_index(c, induction->term)) return;
    if (groups && global && step_axis == axis && factor == 1) check_group_stride(c, induction, axis, in_groups);
    if (step_info->lo != step_info->hi) return;
    if (global) {
        check_global_stride(c, induction, &start, axis, factor, step_info->lo);
    } else {
        check_local_stride(c, induction, &start, axis, factor, step_info->lo);
    }
}

/* ---- contiguous-items -------------------------------------------------------------------------------------------- */

static void report_contiguous(tl_check *c, const tl_access_at *access, int64_t block)
{
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_CONTIGUOUS_ITEMS, TELAR_SEVERITY_NOTE, access->event->node,
                        TL_SAYS(ITEMS_IN_A_ROW, TL_I(block), TL_T(tl_node_text(c->m, access->event->node))));
    tl_check_fix(c, finding, TL_SAID(ITEMS_APART));
}

/* The elements of an invocation where the sum is that many times the global id; 0 when it is not. */
static int64_t block_of(const tl_check *c, const tl_sum *sum)
{
    const tl_values *v = &c->flow->values;
    int64_t block = tl_sum_factor(sum, v->local[0]);
    bool fits = block >= 2 && block <= 64 && tl_sum_factor(sum, v->group[0]) == block * (int64_t)c->size[0];
    return fits ? block : 0;
}

/* `for (var i = g.x * 8u; i < min(g.x * 8u + 8u, n); i++)`. */
static bool starts_at_block(tl_check *c, tl_term index, int64_t *block)
{
    const tl_induction *induction = tl_term_induction(&c->flow->values, tl_term_plain(&c->flow->values, index));
    int64_t one;
    tl_sum start;
    if (induction == NULL || induction->step == 0 || induction->op != TL_OP_ADD) return false;
    if (!tl_term_constant(&c->flow->values, induction->step, &one) || one != 1) return false;
    *block = tl_sum_of(&c->flow->values, induction->start, &start) ? block_of(c, &start) : 0;
    return *block != 0;
}

static void check_contiguous(tl_check *c, const tl_access_at *access)
{
    const tl_values *v = &c->flow->values;
    tl_sum sum;
    int64_t block;
    if (!access->runtime || access->stride > 16 || access->space != TL_SPACE_STORAGE) return;
    if ((tl_term_get(v, access->index)->depends & (TL_ON_LOOP | TL_ON_LOCAL_X)) != (TL_ON_LOOP | TL_ON_LOCAL_X)) return;
    if (c->size[0] >= 2 && starts_at_block(c, access->index, &block)) report_contiguous(c, access, block);
    if (!tl_sum_of(v, access->index, &sum) || c->size[0] < 2) return;
    block = block_of(c, &sum);
    if (block == 0) return;
    for (uint32_t k = 0; k < sum.count; k++) {
        const tl_product *product = &sum.products[k];
        const tl_induction *induction = product->count == 1 ? tl_term_induction(v, product->atoms[0]) : NULL;
        if (induction == NULL || product->factor != 1 || induction->step == 0) continue;
        int64_t one;
        if (!tl_term_constant(v, induction->step, &one) || one != 1) continue;
        if (tl_range_under(c->flow, product->atoms[0], access->event->facts).hi != block - 1) continue;
        report_contiguous(c, access, block);
    }
}

/* ---- index-wraps ------------------------------------------------------------------------------------------------- */

/* The factor of `a * constant` or `a << constant`; 0 for all else. */
static int64_t constant_factor(const tl_values *v, const tl_term_info *info, tl_term *of)
{
    int64_t value;
    if (info->kind != TL_TERM_BINARY) return 0;
    *of = info->a;
    if (info->op == TL_OP_SHIFT_LEFT && tl_term_constant(v, info->b, &value) && value >= 0 && value < 32) {
        return (int64_t)1 << value;
    }
    if (info->op != TL_OP_MULTIPLY) return 0;
    const tl_term_info *a = tl_term_get(v, info->a), *b = tl_term_get(v, info->b);
    if (b->lo == b->hi) return b->lo; /* written there, or set by the launch */
    *of = info->b;
    return a->lo == a->hi ? a->lo : 0;
}

/* What bounds it, where the launch gives the count: a test against a field that the launch does not set is against it. */
static int64_t largest(tl_check *c, tl_term term, uint32_t facts, bool *by_count, bool *tested)
{
    tl_flow *flow = c->flow;
    int64_t hi = tl_range_under(flow, term, facts).hi;
    uint64_t count = c->launch.count[1] > 1 ? 0 : c->launch.count[0];
    *by_count = *tested = false;
    uint32_t k = 0;
    for (uint32_t fact = facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (!tl_fact_bound(flow, fact, &bound) || bound.exact) continue;
        const tl_term_info *right = tl_term_get(&flow->values, bound.right);
        bool same = tl_term_plain(&flow->values, bound.left) == tl_term_plain(&flow->values, term);
        if (!same || (right->depends & (TL_ON_HOST | TL_ON_LENGTH)) == 0) continue;
        *tested = true;
        if (right->lo == right->hi) *by_count = true; /* set by the launch, and in the range */
        if (right->lo == right->hi || count == 0) continue;
        *by_count = true;
        if ((int64_t)count - 1 < hi) hi = (int64_t)count - 1;
    }
    return hi;
}

/* `of * factor` somewhere in an index; divided says whether a later division makes the product smaller again. */
static void check_product(tl_check *c, const tl_access_at *access, tl_term product, bool divided)
{
    const tl_term_info *info = tl_term_get(&c->flow->values, product);
    tl_term of;
    int64_t factor = constant_factor(&c->flow->values, info, &of);
    int64_t most = info->type == TL_TYPE_I32 ? INT32_MAX : UINT32_MAX;
    if ((info->type != TL_TYPE_U32 && info->type != TL_TYPE_I32) || factor < 2) return;
    if ((tl_term_get(&c->flow->values, of)->depends & TL_ON_GROUP) == 0) return;
    bool by_count, tested;
    int64_t hi = largest(c, of, access->event->facts, &by_count, &tested);
    if (hi <= most / factor) return;
    /* Where nothing is known of the count, an array would mostly end before: but not where a division follows. */
    bool known = by_count || (dispatch_known(c) && tl_term_get(&c->flow->values, of)->hi < most);
    if (!known && (!divided || !tested)) return;
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_INDEX_WRAPS, by_count ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING, access->event->node,
        TL_SAYS(PRODUCT_WRAPS, TL_T(tl_node_text(c->m, access->event->node)), TL_I(factor), TL_I(most / factor + 1)));
    tl_check_fix(c, finding, divided ? TL_SAID(DIVIDE_FIRST) : TL_SAID(CUT_INTO_WINDOWS));
}

static void check_wraps(tl_check *c, const tl_access_at *access)
{
    const tl_values *v = &c->flow->values;
    tl_term stack[24] = {access->index};
    bool divided[24] = {false};
    uint32_t depth = 1;
    while (depth > 0 && --*c->flow->work > 0) {
        depth--;
        tl_term term = tl_term_plain(v, stack[depth]);
        bool under = divided[depth];
        const tl_term_info info = *tl_term_get(v, term);
        if (info.kind != TL_TERM_BINARY || (info.depends & TL_ON_GROUP) == 0 || depth > 20) continue;
        check_product(c, access, term, under);
        bool divides = info.op == TL_OP_DIVIDE || info.op == TL_OP_SHIFT_RIGHT;
        stack[depth] = info.a;
        divided[depth++] = under || divides;
        if (divides) continue;
        stack[depth] = info.b;
        divided[depth++] = under;
    }
}

/* ---- unsigned-underflow ------------------------------------------------------------------------------------------ */

/* The same with products of the host's: `(g.y - 1) * width + g.x`. */
static bool is_row_below_zero(const tl_values *v, tl_term term)
{
    const tl_term_info *info = tl_term_get(v, term);
    const uint32_t ids = TL_ON_GROUP | TL_ON_LOCAL;
    tl_sum sum;
    if (info->type != TL_TYPE_U32 || (info->depends & ids) == 0 || (info->depends & ~(ids | TL_ON_HOST)) != 0)
        return false;
    if (!tl_sum_of(v, term, &sum) || sum.constant > 0) return false;
    bool below = sum.constant < 0;
    for (uint32_t k = 0; k < sum.count; k++) {
        const tl_product *product = &sum.products[k];
        bool id = false;
        for (uint32_t i = 0; i < product->count; i++) {
            const tl_term_info *atom = tl_term_get(v, product->atoms[i]);
            if (atom->kind != TL_TERM_BUILTIN && atom->kind != TL_TERM_LOAD) return false;
            id = id || (atom->kind == TL_TERM_BUILTIN && (atom->depends & ids) != 0);
        }
        if (!id && product->factor > 0) return false;
        below = below || !id;
    }
    return below;
}

/* `select(0, a[i - 1], i > 0)`: what is read outside is not taken. */
static bool is_chosen_after(const tl_check *c, const tl_access_at *access, uint32_t ids)
{
    const tl_flow *flow = c->flow;
    for (uint32_t k = 0; k < flow->condition_count; k++) {
        const tl_condition *condition = &flow->conditions[k];
        if (condition->events != access->number + 1) continue;
        if ((tl_term_get(&flow->values, condition->condition)->depends & ids) != 0) return true;
    }
    return false;
}

/* Does the invocation whose ids are 0 come where these facts hold, in the first round of its loops? Bounds from above let
 * it through; anything else may not. */
static bool zero_gets_through(tl_check *c, uint32_t facts)
{
    const tl_values *v = &c->flow->values;
    const uint32_t ids = TL_ON_GROUP | TL_ON_LOCAL, loop = TL_ON_LOOP;
    uint32_t k = 0;
    for (uint32_t fact = facts; fact != 0; fact = c->flow->facts[fact].before) {
        tl_bound bound;
        uint32_t depends = tl_term_get(v, c->flow->facts[fact].condition)->depends;
        if (++k == 64 || --*c->flow->work <= 0) return false;
        if ((depends & (ids | loop)) == 0) continue;
        if (!tl_fact_bound(c->flow, fact, &bound) || bound.exact) return false;
        if ((tl_term_get(v, bound.right)->depends & (ids | loop)) != 0) return false;
    }
    return true;
}

/* An id, or the variable of a loop that counts up from 0: some invocation has 0 there. */
static bool starts_at_zero(const tl_values *v, tl_term atom)
{
    const tl_induction *induction = tl_term_induction(v, atom);
    int64_t start;
    if (induction == NULL) return tl_term_is(v, atom, TL_TERM_BUILTIN);
    return induction->op == TL_OP_ADD && tl_term_constant(v, induction->start, &start) && start == 0;
}

/* ids - constant: negative, so wrapped, where the ids are 0. */
static bool is_below_zero(const tl_values *v, tl_term term, tl_sum *sum)
{
    const tl_term_info *info = tl_term_get(v, term);
    const uint32_t ids = TL_ON_GROUP | TL_ON_LOCAL;
    const uint32_t other = info->depends & ~(ids | TL_ON_LOOP);
    if (info->type != TL_TYPE_U32 || (info->depends & ids) == 0 || other != 0) return false;
    if (!tl_sum_of(v, term, sum) || sum->constant >= 0) return false;
    for (uint32_t k = 0; k < sum->count; k++) {
        const tl_product *product = &sum->products[k];
        bool id = product->count == 1 && product->factor > 0 && starts_at_zero(v, product->atoms[0]);
        if (!id) return false;
    }
    return true;
}

/* A negative sum where all ids are 0: some invocation has them. */
static void check_underflow(tl_check *c, const tl_access_at *access)
{
    const tl_values *v = &c->flow->values;
    const tl_term_info *info = tl_term_get(v, access->index);
    const uint32_t ids = TL_ON_GROUP | TL_ON_LOCAL;
    tl_sum sum;
    bool number = is_below_zero(v, access->index, &sum);
    if (!number && !is_row_below_zero(v, access->index)) return;
    if (!zero_gets_through(c, access->event->facts)) return;
    if (!tl_access_writes(access) && is_chosen_after(c, access, info->depends & ids)) return;
    if (!number) {
        tl_check_report(c, TL_CHECK_UNSIGNED_UNDERFLOW,
                        tl_access_writes(access) ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING, access->event->node,
                        TL_SAYS(BELOW_ZERO, TL_T(tl_node_text(c->m, access->event->node))));
        return;
    }
    tl_check_report(c, TL_CHECK_UNSIGNED_UNDERFLOW,
                    tl_access_writes(access) ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING, access->event->node,
                    TL_SAYS(BELOW_ZERO_BY, TL_T(tl_node_text(c->m, access->event->node)), TL_I(sum.constant),
                            TL_I(sum.constant + UINT32_MAX + 1)));
}

#define REMAINDER_DEPTH_MAX 6u

/* The first `(x - 1) % w` in an index where x can be 0: the wrapped x - 1 has the remainder that is meant only when w is
 * a power of two. 0: none. */
static tl_term wraps_before_remainder(const tl_values *v, tl_term term, uint32_t depth)
{
    const tl_term_info info = *tl_term_get(v, term);
    tl_sum sum;
    int64_t width;
    if (depth == 0 || (info.depends & (TL_ON_GROUP | TL_ON_LOCAL)) == 0) return 0;
    if (info.kind == TL_TERM_CONVERT) return wraps_before_remainder(v, info.a, depth - 1);
    if (info.kind != TL_TERM_BINARY) return 0;
    if (info.op == TL_OP_REMAINDER && is_below_zero(v, info.a, &sum)) {
        bool known = tl_term_constant(v, tl_term_plain(v, info.b), &width);
        return known && (width & (width - 1)) == 0 ? 0 : info.a;
    }
    tl_term found = wraps_before_remainder(v, info.a, depth - 1);
    return found != 0 ? found : wraps_before_remainder(v, info.b, depth - 1);
}

static void check_remainder(tl_check *c, const tl_access_at *access)
{
    const tl_values *v = &c->flow->values;
    tl_sum sum;
    tl_term wrapped = wraps_before_remainder(v, access->index, REMAINDER_DEPTH_MAX);
    if (wrapped == 0 || !is_below_zero(v, wrapped, &sum) || !zero_gets_through(c, access->event->facts)) return;
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_UNSIGNED_UNDERFLOW, TELAR_SEVERITY_WARNING, access->event->node,
                        TL_SAYS(REMAINDER_WRAPS, TL_T(tl_node_text(c->m, access->event->node)), TL_I(sum.constant)));
    tl_check_fix(c, finding, TL_SAID(ADD_DIVISOR));
}

/* Does something in the loop leave it? A subtree's nodes are contiguous, and all before it begins before it. */
static bool is_left(const telar_wgsl *m, uint32_t loop)
{
    for (uint32_t at = loop; at > 1 && m->nodes[at - 1].first >= m->nodes[loop].first; at--) {
        uint8_t kind = m->nodes[at - 1].kind;
        if (kind == TL_NODE_BREAK || kind == TL_NODE_BREAK_IF || kind == TL_NODE_RETURN) return true;
    }
    return false;
}

/* `i >= 0u` of an unsigned number, or its negation, which never does. */
static bool always_holds(const tl_values *v, tl_term term)
{
    const tl_term_info *info = tl_term_get(v, term);
    int64_t value;
    if (info->kind == TL_TERM_UNARY && info->op == TL_OP_NOT) return always_holds(v, info->a);
    if (info->kind != TL_TERM_BINARY || (info->op != TL_OP_GREATER_EQUAL && info->op != TL_OP_LESS_EQUAL)) return false;
    bool above = info->op == TL_OP_GREATER_EQUAL;
    tl_term number = above ? info->a : info->b, zero = above ? info->b : info->a;
    return tl_term_constant(v, zero, &value) && value == 0 && tl_term_get(v, number)->type == TL_TYPE_U32;
}

static bool is_of_loop(const tl_values *v, uint32_t condition)
{
    for (uint32_t k = 1; k < v->loop_count; k++) {
        if (v->loops[k].condition == condition) return true;
    }
    return false;
}

/* `if (!(i >= 0u)) { break; }`: inside of a loop, where a variable of it is tested. */
static void check_tests(tl_check *c)
{
    const tl_flow *flow = c->flow;
    for (uint32_t k = 0; k < flow->condition_count; k++) {
        const tl_condition *condition = &flow->conditions[k];
        if ((tl_term_get(&flow->values, condition->condition)->depends & TL_ON_LOOP) == 0) continue;
        if (!always_holds(&flow->values, condition->condition) || is_of_loop(&flow->values, condition->node)) continue;
        tl_check_report(c, TL_CHECK_UNSIGNED_UNDERFLOW, TELAR_SEVERITY_WARNING, condition->node,
                        TL_SAYS(DECIDED_ALREADY, TL_T(tl_node_text(c->m, condition->node))));
    }
}

/* `count - 1u` of a u32 that the launch gives, may be 0 and is not tested; 0: it is something else. */
static int64_t wraps_at_zero(const tl_check *c, tl_term term, uint32_t facts)
{
    const tl_values *v = &c->flow->values;
    const tl_term_info *info = tl_term_get(v, tl_term_plain(v, term));
    int64_t taken;
    if (info->kind != TL_TERM_BINARY || info->op != TL_OP_SUBTRACT || info->type != TL_TYPE_U32) return 0;
    if (!tl_term_constant(v, info->b, &taken) || taken < 1) return 0;
    const tl_term_info *count = tl_term_get(v, tl_term_plain(v, info->a));
    if (count->kind != TL_TERM_LOAD || (count->depends & TL_ON_HOST) == 0) return 0;
    return tl_range_under(c->flow, info->a, facts).lo < taken ? taken : 0;
}

/* `i < count - 1u`: with a count of 0 the bound is 4294967295, and keeps nothing back. */
static void check_bounds_wrap(tl_check *c)
{
    const tl_flow *flow = c->flow;
    if (c->launch.count[0] != 0) return;
    for (uint32_t k = 0; k < flow->condition_count; k++) {
        const tl_condition *condition = &flow->conditions[k];
        const tl_term_info info = *tl_term_get(&flow->values, condition->condition);
        if (info.kind != TL_TERM_BINARY || info.op < TL_OP_LESS || info.op > TL_OP_GREATER_EQUAL) continue;
        bool right = info.op == TL_OP_LESS || info.op == TL_OP_GREATER_EQUAL;
        uint32_t depends = tl_term_get(&flow->values, right ? info.a : info.b)->depends;
        /* A count of groups is not 0 where a group runs. */
        if ((depends & TL_ON_HOST) != 0 || (depends & (TL_ON_LOCAL | TL_ON_LOOP)) == 0) continue;
        int64_t taken = wraps_at_zero(c, right ? info.b : info.a, condition->facts);
        if (taken == 0) continue;
        tl_finding *finding = tl_check_report(
            c, TL_CHECK_UNSIGNED_UNDERFLOW, TELAR_SEVERITY_WARNING, condition->node,
            TL_SAYS(BOUND_WRAPS, TL_T(tl_node_text(c->m, condition->node)), TL_I((int64_t)UINT32_MAX + 1 - taken)));
        tl_check_fix(c, finding, TL_SAYS(ADD_TO_OTHER_SIDE, TL_I(taken)));
    }
}

/* `for (var i = n; i >= 0u; i--)`. */
static void check_endless(tl_check *c)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t k = 1; k < v->loop_count; k++) {
        const tl_term_info *info = tl_term_get(v, v->loops[k].condition_term);
        if (info->kind != TL_TERM_BINARY) continue;
        bool above = info->op == TL_OP_GREATER_EQUAL, below = info->op == TL_OP_LESS_EQUAL;
        tl_term number = above ? info->a : info->b, zero = above ? info->b : info->a;
        int64_t value;
        if ((!above && !below) || !tl_term_constant(v, zero, &value) || value != 0) continue;
        if (tl_term_get(v, number)->type != TL_TYPE_U32) continue;
        bool leaves = is_left(c->m, v->loops[k].node);
        tl_check_report(c, TL_CHECK_UNSIGNED_UNDERFLOW, leaves ? TELAR_SEVERITY_NOTE : TELAR_SEVERITY_ERROR,
                        v->loops[k].condition, TL_SAYS(ALWAYS_HOLDS, TL_T(tl_node_text(c->m, v->loops[k].condition))));
    }
}

/* ---- out-of-bounds, unbounded-index ------------------------------------------------------------------------------ */

static void check_fixed_length(tl_check *c, const tl_access_at *access)
{
    if (access->length == 0 || access->runtime) return;
    tl_range range = tl_range_under(c->flow, access->index, access->event->facts);
    int64_t length = (int64_t)access->length, max;
    tl_str text = tl_node_text(c->m, access->event->node);
    bool always = range.lo >= length;
    bool attained = tl_attained_max(c, access->index, access->event->facts, &max) && max >= length;
    if (!always && !attained) return;
    if (always) max = range.lo;
    const tl_said said = always ? TL_SAYS(INDEX_AT_LEAST, TL_T(text), TL_I(max), TL_I(length))
                                : TL_SAYS(INDEX_REACHES, TL_T(text), TL_I(max), TL_I(length));
    tl_check_report(c, TL_CHECK_OUT_OF_BOUNDS, TELAR_SEVERITY_ERROR, access->event->node, said);
}

/* Something on the way compares a part of the index, or the index, with an upper bound. */
static bool is_bounded_somehow(tl_check *c, const tl_access_at *access)
{
    tl_flow *flow = c->flow;
    const tl_values *v = &flow->values;
    tl_sum sum;
    uint32_t k = 0;
    bool taken = tl_sum_of(v, access->index, &sum);
    for (uint32_t fact = access->event->facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (--*flow->work <= 0) return true;
        if (!tl_fact_bound(flow, fact, &bound)) continue;
        tl_term left = tl_term_plain(v, bound.left);
        if (left == tl_term_plain(v, access->index) || !taken) return true;
        for (uint32_t j = 0; j < sum.count; j++) {
            for (uint32_t i = 0; i < sum.products[j].count; i++) {
                if (sum.products[j].atoms[i] == left) return true;
            }
        }
    }
    return false;
}

/* `keys[i] & 31` into 16 elements: it is cut, and to more than there are. False for what is not cut so. */
static bool check_cut(tl_check *c, const tl_access_at *access, int64_t reached)
{
    const tl_values *v = &c->flow->values;
    const tl_term_info *index = tl_term_get(v, tl_term_plain(v, access->index));
    bool cuts = index->kind == TL_TERM_MIN ||
                (index->kind == TL_TERM_BINARY && (index->op == TL_OP_AND || index->op == TL_OP_REMAINDER));
    if (!cuts || reached >= (int64_t)INT32_MAX) return false;
    if (!tl_term_is(v, index->a, TL_TERM_CONSTANT) && !tl_term_is(v, index->b, TL_TERM_CONSTANT)) return false;
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_UNBOUNDED_INDEX, TELAR_SEVERITY_WARNING, access->event->node,
        TL_SAYS(CUT_TOO_FAR, TL_T(tl_node_text(c->m, access->event->node)), TL_I(reached), TL_U(access->length)));
    tl_check_fix(c, finding, TL_SAID(BOUND_IT));
    return true;
}

static void check_unbounded(tl_check *c, const tl_access_at *access)
{
    const tl_term_info *info = tl_term_get(&c->flow->values, access->index);
    const uint32_t from = TL_ON_HOST | TL_ON_STORAGE;
    const uint32_t not_from = TL_ON_LOOP | TL_ON_UNKNOWN | TL_ON_WRITABLE | TL_ON_WORKGROUP | TL_ON_SUBGROUP;
    bool fixed = access->space == TL_SPACE_WORKGROUP || (access->space == TL_SPACE_STORAGE && !access->runtime);
    if (!fixed || access->length == 0 || !tl_access_writes(access)) return;
    if ((info->depends & from) == 0 || (info->depends & not_from) != 0) return;
    int64_t reached = tl_range_under(c->flow, access->index, access->event->facts).hi;
    if (reached < (int64_t)access->length || is_bounded_somehow(c, access)) return;
    if (check_cut(c, access, reached)) return;
    tl_sum sum; /* masks, remainders and conversions of floats are not sums: they are bounded in ways of their own */
    if (!tl_sum_of(&c->flow->values, access->index, &sum)) return;
    for (uint32_t k = 0; k < sum.count; k++) {
        for (uint32_t i = 0; i < sum.products[k].count; i++) {
            const tl_term_info *atom = tl_term_get(&c->flow->values, sum.products[k].atoms[i]);
            bool shifted = atom->kind == TL_TERM_BINARY && (atom->op == TL_OP_SHIFT_RIGHT || atom->op == TL_OP_DIVIDE);
            if (shifted) atom = tl_term_get(&c->flow->values, tl_term_plain(&c->flow->values, atom->a));
            if (atom->kind != TL_TERM_LOAD && atom->kind != TL_TERM_BUILTIN) return;
        }
    }
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_UNBOUNDED_INDEX, TELAR_SEVERITY_WARNING, access->event->node,
        TL_SAYS(INDEX_UNBOUNDED, TL_T(tl_node_text(c->m, access->event->node)),
                (info->depends & TL_ON_HOST) != 0 ? tl_check_word(TL_SAYS_THE_HOST) : tl_check_word(TL_SAYS_THE_DATA),
                TL_U(access->length)));
    tl_check_fix(c, finding, TL_SAID(BOUND_IT));
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void check_access(tl_check *c, const tl_access_at *access, void *user)
{
    (void)user;
    check_row_width(c, access);
    check_contiguous(c, access);
    check_wraps(c, access);
    check_underflow(c, access);
    check_remainder(c, access);
    check_fixed_length(c, access);
    check_unbounded(c, access);
}

void tl_check_mapping_entry(tl_check *c)
{
    tl_flow *flow = tl_flow_of(c);
    if (flow == NULL) return;
    check_fold(c);
    for (uint32_t k = 1; k < flow->values.induction_count && *flow->work > 0; k++) {
        check_stride(c, &flow->values.inductions[k]);
    }
    check_endless(c);
    check_tests(c);
    check_bounds_wrap(c);
    tl_each_access(c, check_access, NULL);
}
