/* SPDX-License-Identifier: MIT
 *
 * What the facts at a place say of a value: its range there, and whether something bounds it. */
#include "wgsl/flow.h"

#define FACTS_MAX 64u /* looked at for one value, the newest first */
#define DEPTH_MAX 6u

static const tl_term_info *get(const tl_flow *flow, tl_term term)
{
    return tl_term_get(&flow->values, term);
}

static bool is_integer(const tl_flow *flow, tl_term term)
{
    tl_type type = get(flow, term)->type;
    return type == TL_TYPE_U32 || type == TL_TYPE_I32 || type == TL_TYPE_ABSTRACT_INT;
}

bool tl_fact_bound(const tl_flow *flow, uint32_t fact, tl_bound *bound)
{
    const tl_fact *f = &flow->facts[fact];
    const tl_term_info *info = get(flow, f->condition);
    *bound = (tl_bound){.left = info->a, .right = info->b, .node = f->node};
    if (info->kind != TL_TERM_BINARY || !is_integer(flow, info->a)) return false;
    bool swap = false;
    switch (info->op) {
    case TL_OP_LESS:
        bound->equal_too = !f->holds;
        swap = !f->holds;
        break;
    case TL_OP_LESS_EQUAL:
        bound->equal_too = f->holds;
        swap = !f->holds;
        break;
    case TL_OP_GREATER:
        bound->equal_too = !f->holds;
        swap = f->holds;
        break;
    case TL_OP_GREATER_EQUAL:
        bound->equal_too = f->holds;
        swap = f->holds;
        break;
    case TL_OP_EQUAL:
    case TL_OP_NOT_EQUAL: bound->exact = bound->equal_too = true; return f->holds == (info->op == TL_OP_EQUAL);
    default: return false;
    }
    if (swap) {
        bound->left = info->b;
        bound->right = info->a;
    }
    return true;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* A term as another and a constant to add. */
static tl_term without_constant(const tl_flow *flow, tl_term term, int64_t *constant)
{
    *constant = 0;
    term = tl_term_plain(&flow->values, term);
    const tl_term_info *info = get(flow, term);
    if (info->kind != TL_TERM_BINARY) return term;
    int64_t value;
    if (info->op == TL_OP_ADD && tl_term_constant(&flow->values, info->b, constant)) return info->a;
    if (info->op == TL_OP_ADD && tl_term_constant(&flow->values, info->a, constant)) return info->b;
    if (info->op == TL_OP_SUBTRACT && tl_term_constant(&flow->values, info->b, &value)) {
        *constant = -value;
        return info->a;
    }
    return term;
}

static tl_range range_of(tl_flow *flow, tl_term term, uint32_t facts, uint32_t depth);

static void narrow(tl_range *range, int64_t lo, int64_t hi)
{
    if (lo > range->lo) range->lo = lo;
    if (hi < range->hi) range->hi = hi;
}

/* Facts `term + c < right` and `left < term + c`. */
static void narrow_by_fact(tl_flow *flow, tl_term term, uint32_t fact, uint32_t facts, uint32_t depth, tl_range *range)
{
    tl_bound bound;
    int64_t left, right;
    if (!tl_fact_bound(flow, fact, &bound)) {
        const tl_fact *f = &flow->facts[fact];
        const tl_term_info *info = get(flow, f->condition);
        bool differs = info->kind == TL_TERM_BINARY && info->op == (f->holds ? TL_OP_NOT_EQUAL : TL_OP_EQUAL);
        int64_t value;
        if (differs && info->a == term && tl_term_constant(&flow->values, info->b, &value)) {
            if (value == range->lo) range->lo++;
            if (value == range->hi) range->hi--;
        }
        return;
    }
    int64_t strict = bound.equal_too ? 0 : 1;
    if (without_constant(flow, bound.left, &left) == term) {
        tl_range limit = range_of(flow, bound.right, facts, depth);
        narrow(range, bound.exact ? limit.lo - left : INT64_MIN, limit.hi - strict - left);
    }
    if (without_constant(flow, bound.right, &right) == term) {
        tl_range limit = range_of(flow, bound.left, facts, depth);
        narrow(range, limit.lo + strict - right, bound.exact ? limit.hi - right : INT64_MAX);
    }
}

static bool fits(const tl_term_info *info, tl_range range)
{
    if (info->type == TL_TYPE_U32) return range.lo >= 0 && range.hi <= UINT32_MAX;
    return range.lo >= INT32_MIN && range.hi <= INT32_MAX;
}

/* From the ranges of the parts, where that says more. */
static void narrow_by_parts(tl_flow *flow, tl_term term, uint32_t facts, uint32_t depth, tl_range *range)
{
    const tl_term_info info = *get(flow, term);
    if (info.kind == TL_TERM_CONVERT) {
        tl_range inner = range_of(flow, info.a, facts, depth);
        if (fits(&info, inner)) narrow(range, inner.lo, inner.hi);
        return;
    }
    bool two = info.kind == TL_TERM_BINARY || info.kind == TL_TERM_MIN || info.kind == TL_TERM_MAX;
    if (!two || !is_integer(flow, term)) return;
    tl_range a = range_of(flow, info.a, facts, depth), b = range_of(flow, info.b, facts, depth), r;
    bool positive = a.lo >= 0 && b.lo >= 0 && a.hi <= UINT32_MAX && b.hi <= UINT32_MAX;
    if (info.kind == TL_TERM_MIN) narrow(range, INT64_MIN, a.hi < b.hi ? a.hi : b.hi);
    if (info.kind == TL_TERM_MAX) narrow(range, a.lo > b.lo ? a.lo : b.lo, INT64_MAX);
    if (info.kind != TL_TERM_BINARY || !positive) return;
    switch (info.op) {
    case TL_OP_ADD: r = (tl_range){a.lo + b.lo, a.hi + b.hi}; break;
    case TL_OP_SUBTRACT: r = (tl_range){a.lo - b.hi, a.hi - b.lo}; break;
    case TL_OP_MULTIPLY:
        if (b.hi != 0 && a.hi > UINT32_MAX / b.hi) return;
        r = (tl_range){a.lo * b.lo, a.hi * b.hi};
        break;
    case TL_OP_DIVIDE:
        if (b.lo < 1) return;
        r = (tl_range){a.lo / b.hi, a.hi / b.lo};
        break;
    case TL_OP_SHIFT_RIGHT:
        if (b.hi > 31) return;
        r = (tl_range){a.lo >> b.hi, a.hi >> b.lo};
        break;
    case TL_OP_SHIFT_LEFT:
        if (b.hi > 31 || a.hi << b.hi > UINT32_MAX) return;
        r = (tl_range){a.lo << b.lo, a.hi << b.hi};
        break;
    case TL_OP_REMAINDER:
        if (b.lo < 1) return;
        r = (tl_range){0, a.hi < b.hi - 1 ? a.hi : b.hi - 1};
        break;
    default: return;
    }
    if (fits(&info, r)) narrow(range, r.lo, r.hi);
}

static tl_range range_of(tl_flow *flow, tl_term term, uint32_t facts, uint32_t depth)
{
    const tl_term_info *info = get(flow, term);
    tl_range range = {info->lo, info->hi};
    if (range.lo == range.hi || depth == 0 || !is_integer(flow, term) || *flow->work <= 0) return range;
    --*flow->work;
    narrow_by_parts(flow, term, facts, depth - 1, &range);
    tl_term plain = tl_term_plain(&flow->values, term);
    uint32_t fact = facts;
    for (uint32_t k = 0; fact != 0 && k < FACTS_MAX; k++) {
        --*flow->work;
        narrow_by_fact(flow, plain, fact, facts, depth - 1, &range);
        fact = flow->facts[fact].before;
    }
    return range.lo <= range.hi ? range : (tl_range){info->lo, info->hi};
}

tl_range tl_range_under(tl_flow *flow, tl_term term, uint32_t facts)
{
    return range_of(flow, term, facts, DEPTH_MAX);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

#define AXES (TL_ON_GROUP | TL_ON_LOCAL)
#define AXES_DEPTH_MAX 24u
#define TESTED_DEPTH_MAX 12u

static uint32_t axes_of(tl_flow *flow, tl_term term, uint32_t depth)
{
    const tl_term_info *info = get(flow, term);
    if ((info->depends & AXES) == 0 || depth == 0 || --*flow->work <= 0) return 0;
    const tl_induction *induction;
    switch (info->kind) {
    case TL_TERM_BUILTIN: return info->depends & AXES;
    case TL_TERM_CONVERT: return axes_of(flow, info->a, depth - 1);
    case TL_TERM_LOOP:
        induction = tl_term_induction(&flow->values, term);
        return induction == NULL || induction->step == 0 ? 0 : axes_of(flow, induction->start, depth - 1);
    case TL_TERM_MAX: return axes_of(flow, info->a, depth - 1) | axes_of(flow, info->b, depth - 1);
    case TL_TERM_BINARY: break;
    default: return 0;
    }
    switch (info->op) {
    case TL_OP_ADD:
    case TL_OP_MULTIPLY:
    case TL_OP_OR: return axes_of(flow, info->a, depth - 1) | axes_of(flow, info->b, depth - 1);
    case TL_OP_SUBTRACT:
    case TL_OP_DIVIDE:
    case TL_OP_SHIFT_LEFT:
    case TL_OP_SHIFT_RIGHT: return axes_of(flow, info->a, depth - 1);
    default: return 0;
    }
}

uint32_t tl_term_axes(tl_flow *flow, tl_term term)
{
    return axes_of(flow, term, AXES_DEPTH_MAX);
}

static uint32_t axes_tested(tl_flow *flow, tl_term condition, bool holds, uint32_t depth);

/* Of two alternatives of which one holds, as in `!(x >= w && y >= h)`: what both bound; all of it where one of the two
 * speaks of no axis. */
static uint32_t axes_of_two(tl_flow *flow, const tl_term_info *info, bool holds, uint32_t depth)
{
    uint32_t a = axes_tested(flow, info->a, holds, depth), b = axes_tested(flow, info->b, holds, depth);
    bool both_hold = (info->op == TL_OP_AND_AND) == holds;
    return both_hold || a == 0 || b == 0 ? a | b : a & b;
}

/* Axes that a condition which is not taken apart speaks of. Of a conjunction or disjunction these are the axes that its
 * comparisons of integers bound; of what is not followed all that it depends on, as far as no memory is in it. */
static uint32_t axes_tested(tl_flow *flow, tl_term condition, bool holds, uint32_t depth)
{
    const tl_term_info info = *get(flow, condition);
    if ((info.depends & AXES) == 0 || depth == 0 || --*flow->work <= 0) return 0;
    if (info.kind == TL_TERM_UNARY && info.op == TL_OP_NOT) return axes_tested(flow, info.a, !holds, depth - 1);
    if (info.kind == TL_TERM_BINARY && (info.op == TL_OP_AND_AND || info.op == TL_OP_OR_OR)) {
        return axes_of_two(flow, &info, holds, depth - 1);
    }
    if (info.kind == TL_TERM_BINARY && (info.op == TL_OP_EQUAL || info.op == TL_OP_NOT_EQUAL)) return 0;
    bool compares = info.kind == TL_TERM_BINARY && info.op >= TL_OP_LESS && info.op <= TL_OP_GREATER_EQUAL;
    if (compares && is_integer(flow, info.a)) {
        return (tl_term_axes(flow, info.a) & ~(uint32_t)get(flow, info.b)->depends) |
               (tl_term_axes(flow, info.b) & ~(uint32_t)get(flow, info.a)->depends);
    }
    return (info.depends & TL_ON_MEMORY) == 0 ? info.depends & AXES : 0;
}

/* `gid.x < num_workgroups.x * 64`, which every invocation passes: no bound. */
static bool is_whole_launch(const tl_values *v, const tl_bound *bound)
{
    tl_sum left, right;
    if (!tl_sum_of(v, bound->right, &right) || right.count != 1 || right.products[0].count != 1) return false;
    const tl_term_info *groups = tl_term_get(v, right.products[0].atoms[0]);
    if (groups->kind != TL_TERM_BUILTIN || groups->a != TL_VALUE_num_workgroups) return false;
    if (!tl_sum_of(v, bound->left, &left)) return false;
    int64_t each = 0, most = left.constant;
    for (uint32_t k = 0; k < left.count; k++) {
        const tl_product *product = &left.products[k];
        if (product->count != 1 || product->factor < 0 || product->factor > UINT32_MAX) return false;
        int64_t last = tl_term_get(v, product->atoms[0])->hi, part;
        if (product->atoms[0] == v->group[groups->b]) each = product->factor;
        else if (__builtin_mul_overflow(product->factor, last, &part) || __builtin_add_overflow(most, part, &most))
            return false;
    }
    int64_t given = right.products[0].factor, end;
    return each > 0 && given >= each && !__builtin_add_overflow(each, right.constant, &end) && most < end;
}

/* Those of the axes that the bound does not grow with; of a minimum, the bound is either of the two. */
static uint32_t bounded_by(tl_flow *flow, uint32_t axes, tl_term right, uint32_t depth)
{
    const tl_term_info *info = get(flow, tl_term_plain(&flow->values, right));
    if (info->kind != TL_TERM_MIN || depth == 0 || --*flow->work <= 0) return axes & ~(uint32_t)info->depends;
    return bounded_by(flow, axes, info->a, depth - 1) | bounded_by(flow, axes, info->b, depth - 1);
}

/* A partner that is larger, `i < partner`, and itself below something that grows with none of these axes. */
static bool is_below_bounded(tl_flow *flow, uint32_t axes, tl_term partner, uint32_t facts)
{
    uint32_t fact = facts;
    partner = tl_term_plain(&flow->values, partner);
    for (uint32_t k = 0; fact != 0 && k < FACTS_MAX && --*flow->work > 0; k++) {
        tl_bound bound;
        if (tl_fact_bound(flow, fact, &bound) && tl_term_plain(&flow->values, bound.left) == partner &&
            (get(flow, bound.right)->depends & axes) == 0) {
            return true;
        }
        fact = flow->facts[fact].before;
    }
    return false;
}

uint32_t tl_axes_bounded(tl_flow *flow, uint32_t facts)
{
    uint32_t bounded = 0, fact = facts;
    for (uint32_t k = 0; fact != 0 && k < FACTS_MAX; k++) {
        const tl_fact *f = &flow->facts[fact];
        tl_bound bound;
        --*flow->work;
        if (tl_fact_bound(flow, fact, &bound) && is_whole_launch(&flow->values, &bound)) {
            /* goes on */
        } else if (tl_fact_bound(flow, fact, &bound)) {
            uint32_t axes = tl_term_axes(flow, bound.left);
            bounded |= bounded_by(flow, axes, bound.right, TESTED_DEPTH_MAX);
            if ((axes & ~bounded) != 0 && is_below_bounded(flow, axes, bound.right, facts)) bounded |= axes;
            if (bound.exact) bounded |= tl_term_axes(flow, bound.right);
        } else {
            bounded |= axes_tested(flow, f->condition, f->holds, TESTED_DEPTH_MAX);
        }
        fact = f->before;
    }
    return bounded;
}
