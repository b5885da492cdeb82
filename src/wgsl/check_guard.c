/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "mapping" about guards: what keeps the invocations past the last element from an access. */
#include "wgsl/check_access.h"

#include <string.h>

/* The text of a test without the parentheses around it. */
static tl_str bare_text(const tl_check *c, uint32_t node)
{
    return tl_node_text(c->m, tl_without_parentheses(c->m, node));
}

/* Accesses are reported once a variable: the others have the same cause. */
#define ROOTS_MAX 32u
typedef struct guard_state {
    uint32_t roots[ROOTS_MAX];
    tl_check_rule rules[ROOTS_MAX];
    uint32_t count;
    uint32_t inside, past; /* axes (bit 0: x) on which something is written below a count, and at or above it */
} guard_state;

static bool is_first(guard_state *state, tl_check_rule rule, uint32_t root)
{
    for (uint32_t k = 0; k < state->count; k++) {
        if (state->roots[k] == root && state->rules[k] == rule) return false;
    }
    if (state->count == ROOTS_MAX) return false;
    state->roots[state->count] = root;
    state->rules[state->count++] = rule;
    return true;
}

/* ---- what the launch says ---------------------------------------------------------------------------------------- */

/* Axes whose invocations are exactly the domain's, as far as the launch is known. */
static uint32_t exact_axes(const tl_check *c)
{
    uint32_t exact = 0;
    if (c->launch.count[0] == 0) return 0;
    bool linear = c->launch.count[1] <= 1 && c->launch.count[2] <= 1;
    for (uint32_t k = 0; k < 3; k++) {
        uint64_t count = c->launch.count[k], size = c->size[k];
        bool known = c->launch.dispatch[0] != 0;
        bool fits = size != 0 && (known ? c->launch.dispatch[k] * size == count : count % size == 0);
        if (fits && (k == 0 || !linear)) exact |= 1u << k;
    }
    return exact;
}

static uint64_t count_product(const tl_check *c)
{
    uint64_t area, product;
    if (!telar_multiply(c->launch.count[0], c->launch.count[1], &area)) return UINT64_MAX;
    return telar_multiply(area, c->launch.count[2], &product) ? product : UINT64_MAX;
}

#define LOADS_DEPTH_MAX 6u

/* The axes on which an index grows, or one at which a part of it is loaded, as in `sums[edges[g.x].a]`: past the last
 * element the load gives what some other invocation had. */
static uint32_t spread_with_loads(tl_flow *flow, tl_term term, uint32_t depth)
{
    const tl_values *v = &flow->values;
    const tl_term_info info = *tl_term_get(v, term);
    if (depth == 0 || --*flow->work <= 0 || (info.depends & TL_ON_GROUP) == 0) return 0;
    uint32_t spread = tl_term_spread(flow, term);
    if (spread != 0) return spread;
    if (info.kind == TL_TERM_CONVERT) return spread_with_loads(flow, info.a, depth - 1);
    if (info.kind == TL_TERM_BINARY && (info.op == TL_OP_ADD || info.op == TL_OP_MULTIPLY)) {
        return spread_with_loads(flow, info.a, depth - 1) | spread_with_loads(flow, info.b, depth - 1);
    }
    if (info.kind != TL_TERM_LOAD || (info.depends & (TL_ON_STORAGE | TL_ON_WRITABLE)) == 0) return 0;
    for (tl_term place = info.a; spread == 0;) {
        const tl_term_info at = *tl_term_get(v, place);
        if (at.kind != TL_TERM_PLACE_AT && at.kind != TL_TERM_PLACE_OF) break;
        if (at.kind == TL_TERM_PLACE_AT) spread = spread_with_loads(flow, at.b, depth - 1);
        place = at.a;
    }
    return spread;
}

/* Is something tested that each invocation loads for itself? Padding of the arrays may answer it. */
static bool tests_own_load(tl_flow *flow, uint32_t facts, uint32_t axes)
{
    uint32_t k = 0;
    for (uint32_t fact = facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        uint32_t depends = tl_term_get(&flow->values, flow->facts[fact].condition)->depends;
        if ((depends & TL_ON_MEMORY) != 0 && (depends & tl_group_bits(axes)) != 0) return true;
    }
    return false;
}

/* Of a write the axes of what is loaded into its index too. */
static uint32_t spread_of_access(tl_check *c, const tl_access_at *access)
{
    uint32_t spread = tl_term_spread(c->flow, access->index);
    if (spread != 0 || !tl_access_writes(access)) return spread;
    spread = spread_with_loads(c->flow, access->index, LOADS_DEPTH_MAX);
    return tests_own_load(c->flow, access->event->facts, spread) ? 0 : spread;
}

/* The axes on which something must keep invocations back and no fact does. */
static uint32_t open_axes(tl_check *c, const tl_access_at *access)
{
    uint32_t spread = spread_of_access(c, access);
    if (spread == 0) return 0;
    uint32_t bounded = tl_axes_bounded(c->flow, access->event->facts), open = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t axis = (uint32_t)(TL_ON_GROUP_X | TL_ON_LOCAL_X) << k;
        if ((spread >> k & 1u) != 0 && (bounded & axis) == 0) open |= 1u << k;
    }
    return open & ~exact_axes(c);
}

/* Axes that these facts hold at or above what the host gives. */
static uint32_t axes_past(tl_flow *flow, uint32_t facts)
{
    uint32_t past = 0, k = 0;
    for (uint32_t fact = facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (--*flow->work <= 0 || !tl_fact_bound(flow, fact, &bound) || bound.exact) continue;
        uint32_t depends = tl_term_get(&flow->values, bound.left)->depends;
        bool host = (depends & (TL_ON_HOST | TL_ON_STORAGE)) != 0 && (depends & (TL_ON_GROUP | TL_ON_LOCAL)) == 0;
        if (host) past |= tl_term_axes(flow, bound.right);
    }
    return past;
}

/* A kernel that writes on both sides of its guard, `if (i < n) { o[i] = key; } else { o[i] = LAST; }`, has room for whole
 * groups. */
static void find_sides(tl_check *c, const tl_access_at *access, void *user)
{
    guard_state *state = user;
    if (!access->runtime || access->space != TL_SPACE_STORAGE || !tl_access_writes(access)) return;
    uint32_t spread = tl_term_spread(c->flow, access->index);
    if (spread == 0) return;
    uint32_t inside = tl_axes_bounded(c->flow, access->event->facts), past = axes_past(c->flow, access->event->facts);
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t axis = (uint32_t)(TL_ON_GROUP_X | TL_ON_LOCAL_X) << k, bit = spread & 1u << k;
        if ((inside & axis) != 0) state->inside |= bit;
        if ((past & axis) != 0) state->past |= bit;
    }
}

/* ---- a later guard ----------------------------------------------------------------------------------------------- */

static uint32_t axes_tested(tl_flow *flow, tl_term condition, uint32_t depth)
{
    const tl_values *v = &flow->values;
    const tl_term_info info = *tl_term_get(v, condition);
    if (depth == 0) return 0;
    if (info.kind == TL_TERM_UNARY) return axes_tested(flow, info.a, depth - 1);
    if (info.kind != TL_TERM_BINARY) return 0;
    bool joins = info.op == TL_OP_AND_AND || info.op == TL_OP_OR_OR;
    if (joins) return axes_tested(flow, info.a, depth - 1) | axes_tested(flow, info.b, depth - 1);
    if (info.op < TL_OP_LESS || info.op > TL_OP_GREATER_EQUAL) return 0;
    /* Only tests against what a launch decides are guards of the domain. */
    const uint32_t domain = TL_ON_HOST | TL_ON_LENGTH;
    uint32_t a = tl_term_get(v, info.a)->depends, b = tl_term_get(v, info.b)->depends, axes = 0;
    if ((b & domain) != 0) axes |= tl_term_axes(flow, info.a);
    if ((a & domain) != 0) axes |= tl_term_axes(flow, info.b);
    return axes;
}

/* The first condition after the access that tests all these axes; NULL when there is none. */
static const tl_condition *guard_after(tl_check *c, const tl_access_at *access, uint32_t axes)
{
    tl_flow *flow = c->flow;
    uint32_t groups = tl_group_bits(axes);
    for (uint32_t k = 0; k < flow->condition_count && --*flow->work > 0; k++) {
        const tl_condition *condition = &flow->conditions[k];
        if (condition->events <= access->number) continue;
        if ((axes_tested(flow, condition->condition, 8) & groups) == groups) return condition;
    }
    return NULL;
}

/* ---- unguarded-index, guard-one-axis, guard-after-access --------------------------------------------------------- */

/* The entry point's parameter that is the global id, if it is one by itself. */
static uint32_t global_id_param(const tl_check *c)
{
    tl_builtin_place place;
    bool found = tl_query_builtin_place(c->m, c->entry_function, TL_VALUE_global_invocation_id, &place);
    return found && place.member == 0 ? place.param : 0;
}

/* `if (g.x >= arrayLength(&o)) { return; }` as the first statement: safe where nothing waits for the invocation later and
 * the index is the global id itself. */
static void add_guard(tl_check *c, tl_finding *finding, const tl_access_at *access)
{
    const tl_values *v = &c->flow->values;
    uint32_t param = global_id_param(c);
    const tl_term_info *index = tl_term_get(v, tl_term_plain(v, access->index));
    bool is_id = index->kind == TL_TERM_BUILTIN && index->a == TL_VALUE_global_invocation_id && index->b == 0;
    bool alone = c->entry->barriers_count == 0 && !c->entry->uses_subgroups && access->event->call == 0;
    tl_check_fix(c, finding, TL_SAID(RETURN_FIRST));
    if (param == 0 || !is_id || !alone || !tl_term_is(v, access->array, TL_TERM_PLACE)) return;
    uint32_t body = TL_PARTS(tl_fn_parts, c->m, c->entry_function)->body;
    uint32_t after_brace = tl_token_end(c->m, c->m->nodes[body].first);
    tl_check_edit(c, finding, after_brace, 0, "\n  if (%.*s.x >= arrayLength(&%.*s)) { return; }",
                  TL_STR_ARGS(tl_node_name(c->m, param)), TL_STR_ARGS(tl_node_name(c->m, access->root)));
}

static tl_finding *report_open(tl_check *c, const tl_access_at *access, tl_check_rule rule, uint32_t open)
{
    tl_str text = tl_node_text(c->m, access->event->node);
    bool atomic = access->event->kind == TL_EVENT_ATOMIC;
    const tl_word verb = atomic ? tl_check_word(TL_SAYS_ATOMIC_ON) : tl_check_word(TL_SAYS_WRITE_OF);
    int64_t max;
    bool attained = tl_attained_max(c, access->index, access->event->facts, &max);
    if (attained && access->length != 0) {
        if (max < (int64_t)access->length) return NULL;
        return tl_check_report(c, rule, TELAR_SEVERITY_ERROR, access->event->node,
                               TL_SAYS(OUTSIDE_ARRAY, verb, TL_T(text), TL_I(max), TL_U(access->length)));
    }
    if (attained && c->launch.count[0] != 0) {
        uint64_t count = count_product(c);
        if ((uint64_t)max < count) return NULL;
        return tl_check_report(c, rule, TELAR_SEVERITY_WARNING, access->event->node,
                               TL_SAYS(OUTSIDE_DOMAIN, verb, TL_T(text), TL_I(max), TL_U(count)));
    }
    return tl_check_report(c, rule, TELAR_SEVERITY_WARNING, access->event->node,
                           TL_SAYS(UNGUARDED, verb, TL_T(text), tl_axes_word(open)));
}

static void check_after(tl_check *c, const tl_access_at *access, const tl_condition *guard)
{
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_GUARD_AFTER_ACCESS, TELAR_SEVERITY_WARNING, access->event->node,
        TL_SAYS(ACCESS_BEFORE_TEST, TL_T(tl_node_text(c->m, access->event->node)), TL_T(bare_text(c, guard->node))));
    tl_check_fix(c, finding, TL_SAID(ACCESS_INSIDE));
}

static void check_open(tl_check *c, const tl_access_at *access, guard_state *state)
{
    bool global = access->runtime && access->space == TL_SPACE_STORAGE;
    if (!global || (!tl_access_writes(access) && access->event->kind != TL_EVENT_READ)) return;
    uint32_t open = open_axes(c, access) & ~(state->inside & state->past);
    if (open == 0) return;
    const tl_condition *guard = guard_after(c, access, open);
    if (guard != NULL && c->m->nodes[guard->node].kind != TL_NODE_NONE) {
        if (is_first(state, TL_CHECK_GUARD_AFTER_ACCESS, access->root)) check_after(c, access, guard);
        return;
    }
    if (!tl_access_writes(access)) return;
    uint32_t spread = spread_of_access(c, access);
    tl_check_rule rule = open != spread ? TL_CHECK_GUARD_ONE_AXIS : TL_CHECK_UNGUARDED_INDEX;
    if (!is_first(state, rule, access->root)) return;
    tl_finding *finding = report_open(c, access, rule, open);
    if (rule == TL_CHECK_UNGUARDED_INDEX) {
        add_guard(c, finding, access);
    } else {
        tl_check_fix(c, finding, TL_SAYS(TEST_AXIS_TOO, tl_axes_word(open)));
    }
}

/* ---- guard-off-by-one, guard-in-bytes ---------------------------------------------------------------------------- */

/* What a name must be to be the count of the elements. */
static bool names_count(tl_str name, tl_str array)
{
    static const char *const exact[] = {"n",     "count", "len",      "length",       "total",       "num",
                                        "elems", "size",  "elements", "num_elements", "numelements", "element_count"};
    for (size_t k = 0; k < TL_COUNT(exact); k++) {
        if (tl_name_has(name, exact[k]) && name.len == tl_str_of(exact[k]).len) return true;
    }
    if (array.len > 1 && tl_str_equal(name, array)) return true; /* scene.triangles beside triangles */
    if (!tl_name_has(name, "count") && !tl_name_has(name, "num")) return false;
    if (tl_name_has(name, "element") || tl_name_has(name, "item")) return true;
    char word[32] = {0};
    size_t len = array.len < 4 ? 0 : array.len < sizeof word ? array.len - 1 : sizeof word - 1;
    for (size_t k = 0; k < len; k++) {
        word[k] = array.data[k] >= 'A' && array.data[k] <= 'Z' ? (char)(array.data[k] - 'A' + 'a') : array.data[k];
    }
    return len > 0 && tl_name_has(name, word);
}

static bool has_word(tl_str name, const char *const *words, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (tl_name_has(name, words[k])) return true;
    }
    return false;
}

/* Names of fields that hold the last index rather than a count. */
static bool names_last(tl_str name)
{
    static const char *const words[] = {"last", "max", "end", "hi", "top", "upper", "final", "stop", "to", "limit"};
    return has_word(name, words, TL_COUNT(words));
}

/* Is it the index itself that the fact bounds? */
static bool bounds_index(const tl_check *c, const tl_bound *bound, tl_term index)
{
    const tl_values *v = &c->flow->values;
    return tl_term_plain(v, bound->left) == tl_term_plain(v, index);
}

/* Some other fact keeps the index below something. */
static bool is_bounded_strictly(tl_check *c, const tl_access_at *access)
{
    tl_flow *flow = c->flow;
    uint32_t k = 0;
    for (uint32_t fact = access->event->facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (tl_fact_bound(flow, fact, &bound) && !bound.equal_too && bounds_index(c, &bound, access->index))
            return true;
    }
    return false;
}

static bool is_length_of(const tl_check *c, const tl_access_at *access, tl_term term)
{
    const tl_term_info *info = tl_term_get(&c->flow->values, tl_term_plain(&c->flow->values, term));
    return info->kind == TL_TERM_LENGTH && info->a == access->array;
}

static void check_equal_bound(tl_check *c, const tl_access_at *access, const tl_bound *bound)
{
    const tl_values *v = &c->flow->values;
    tl_term right = tl_term_plain(v, bound->right);
    bool length = is_length_of(c, access, right);
    const tl_term_info *info = tl_term_get(v, right);
    if (access->length != 0 && !access->runtime) length = info->lo == info->hi && info->lo == (int64_t)access->length;
    bool host = info->kind == TL_TERM_LOAD && (info->depends & TL_ON_HOST) != 0;
    tl_str name = tl_load_name(c->flow, right);
    if (!length && (!host || names_last(name) || name.len == 0)) return;
    if (!length && access->length != 0 && info->lo == info->hi && info->hi < (int64_t)access->length) return;
    if (is_bounded_strictly(c, access)) return;
    tl_str test = bare_text(c, bound->node), at = tl_node_text(c->m, access->event->node);
    tl_finding *finding = length ? tl_check_report(c, TL_CHECK_GUARD_OFF_BY_ONE, TELAR_SEVERITY_ERROR, bound->node,
                                                   TL_SAYS(EQUAL_TO_LENGTH, TL_T(test), TL_T(at)))
                                 : tl_check_report(c, TL_CHECK_GUARD_OFF_BY_ONE, TELAR_SEVERITY_WARNING, bound->node,
                                                   TL_SAYS(EQUAL_TO_COUNT, TL_T(test), TL_T(name), TL_T(at)));
    tl_check_fix(c, finding, TL_SAID(ONLY_BELOW_COUNT));
}

/* `i < bytes`: the factor by which the bound is too large; 0 when it is not one. */
static int64_t byte_factor(const tl_check *c, const tl_access_at *access, tl_term right)
{
    const tl_values *v = &c->flow->values;
    tl_sum sum;
    tl_str name = tl_load_name(c->flow, right);
    bool load = tl_term_is(v, tl_term_plain(v, right), TL_TERM_LOAD);
    if (load && access->stride > 1 && tl_name_has(name, "byte") && !tl_name_has(name, "per")) return access->stride;
    if (!tl_sum_of(v, right, &sum) || sum.count != 1 || sum.products[0].count != 1) return 0;
    const tl_product *product = &sum.products[0];
    return product->factor > 1 && is_length_of(c, access, product->atoms[0]) ? product->factor : 0;
}

static void check_byte_bound(tl_check *c, const tl_access_at *access, const tl_bound *bound)
{
    int64_t factor = byte_factor(c, access, bound->right);
    if (factor < 2) return;
    bool sure = !tl_term_is(&c->flow->values, tl_term_plain(&c->flow->values, bound->right), TL_TERM_LOAD);
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_GUARD_IN_BYTES, sure ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING, bound->node,
                        TL_SAYS(BOUND_IN_BYTES, TL_T(bare_text(c, bound->node)),
                                TL_T(tl_node_text(c->m, access->event->node)), TL_I(factor)));
    tl_check_fix(c, finding, TL_SAID(COMPARE_WITH_ELEMENTS));
}

/* An invocation's several elements, of which only the first is tested: `if (2 * i < n) { v[2 * i + 1] = ... }`, with a
 * count that is no multiple of them. */
static void check_beyond_bound(tl_check *c, const tl_access_at *access, const tl_bound *bound)
{
    const tl_values *v = &c->flow->values;
    int64_t count = (int64_t)c->launch.count[0], step = 0;
    tl_sum index, first, beyond;
    bool host = (tl_term_get(v, bound->right)->depends & TL_ON_HOST) != 0;
    if (count <= 0 || count > UINT32_MAX || c->launch.count[1] > 1 || !host || !tl_access_writes(access)) return;
    if (tl_term_spread(c->flow, bound->left) == 0 || !tl_sum_of(v, access->index, &index)) return;
    if (!tl_sum_of(v, bound->left, &first) || !tl_sum_subtract(&index, &first, &beyond)) return;
    if (!tl_sum_is_constant(&beyond) || beyond.constant < 1) return;
    for (uint32_t k = 0; k < first.count; k++) {
        int64_t factor = first.products[k].factor;
        if (first.products[k].count == 1 && (step == 0 || factor < step)) step = factor;
    }
    if (step < 2 || beyond.constant >= step || first.constant != 0) return;
    int64_t last = (count - 1) / step * step + beyond.constant;
    if (last < count || is_bounded_strictly(c, access)) return;
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_UNGUARDED_INDEX, TELAR_SEVERITY_WARNING, access->event->node,
        TL_SAYS(OUTSIDE_DOMAIN,
                tl_check_word(access->event->kind == TL_EVENT_ATOMIC ? TL_SAYS_ATOMIC_ON : TL_SAYS_WRITE_OF),
                TL_T(tl_node_text(c->m, access->event->node)), TL_I(last), TL_U(count)));
    tl_check_fix(c, finding, TL_SAID(TEST_EACH));
}

/* `min(i, arrayLength(&a))` as an index. */
static void check_cut_to_length(tl_check *c, const tl_access_at *access)
{
    const tl_values *v = &c->flow->values;
    const tl_term_info *cut = tl_term_get(v, tl_term_plain(v, access->index));
    if (!access->runtime || cut->kind != TL_TERM_MIN) return;
    for (uint32_t k = 0; k < 2; k++) {
        tl_term to = tl_term_plain(v, k == 0 ? cut->a : cut->b), id = k == 0 ? cut->b : cut->a;
        bool length = is_length_of(c, access, to), known = access->length != 0;
        const tl_term_info *info = tl_term_get(v, to);
        tl_str name = tl_load_name(c->flow, to);
        bool host =
            info->kind == TL_TERM_LOAD && (info->depends & TL_ON_HOST) != 0 && name.len > 0 && !names_last(name);
        if (tl_term_spread(c->flow, id) == 0 || (!length && !host) || is_bounded_strictly(c, access)) continue;
        if (host && (info->lo == info->hi || !names_count(name, tl_node_name(c->m, access->root)) || known)) continue;
        tl_finding *finding = tl_check_report(
            c, TL_CHECK_GUARD_OFF_BY_ONE, length ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING, access->event->node,
            length ? TL_SAYS(CUT_TO_LENGTH, TL_T(tl_node_text(c->m, access->event->node)))
                   : TL_SAYS(CUT_TO_COUNT, TL_T(tl_node_text(c->m, access->event->node)), TL_T(name)));
        tl_check_fix(c, finding, TL_SAID(CUT_TO_LAST));
        return;
    }
}

static void check_bounds(tl_check *c, const tl_access_at *access)
{
    tl_flow *flow = c->flow;
    uint32_t k = 0;
    if (!access->runtime && tl_term_get(&flow->values, access->index)->hi < (int64_t)access->length) return;
    for (uint32_t fact = access->event->facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (--*flow->work <= 0) return;
        if (!tl_fact_bound(flow, fact, &bound) || bound.exact) continue;
        if (!bounds_index(c, &bound, access->index)) {
            if (access->runtime && !bound.equal_too) check_beyond_bound(c, access, &bound);
            continue;
        }
        if (bound.equal_too) check_equal_bound(c, access, &bound);
        if (access->runtime) check_byte_bound(c, access, &bound);
    }
}

/* ---- unguarded-partner ------------------------------------------------------------------------------------------- */

static bool is_bounded_above(tl_check *c, tl_term index, uint32_t facts)
{
    tl_flow *flow = c->flow;
    uint32_t k = 0;
    for (uint32_t fact = facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (tl_fact_bound(flow, fact, &bound) && bounds_index(c, &bound, index)) return true;
    }
    return false;
}

/* `v[i]` and `v[i + h]` of one array, both written, under a bound of i in which h has no part. */
static bool swaps_at_distance(tl_check *c, const tl_access_at *access, tl_term of, tl_term distance)
{
    tl_flow *flow = c->flow;
    const tl_values *v = &flow->values;
    const tl_term_info *far = tl_term_get(v, tl_term_plain(v, distance));
    bool other = false;
    if (far->kind != TL_TERM_LOAD || (far->depends & TL_ON_HOST) == 0 || !tl_access_writes(access)) return false;
    for (uint32_t k = 0; k < flow->event_count && --*flow->work > 0 && !other; k++) {
        const tl_event *event = &flow->events[k];
        if (event->kind != TL_EVENT_WRITE || event->place == 0) continue;
        const tl_term_info *place = tl_term_get(v, event->place);
        other = place->kind == TL_TERM_PLACE_AT && place->a == access->array &&
                tl_term_plain(v, place->b) == tl_term_plain(v, of);
    }
    uint32_t k = 0;
    for (uint32_t fact = access->event->facts; other && fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        tl_sum sum;
        if (!tl_fact_bound(flow, fact, &bound) || !bounds_index(c, &bound, of)) continue;
        if (!tl_sum_of(v, bound.right, &sum) || tl_sum_factor(&sum, tl_term_plain(v, distance)) != 0) return false;
    }
    return other;
}

static void check_partner(tl_check *c, const tl_access_at *access, guard_state *state)
{
    tl_flow *flow = c->flow;
    const tl_values *v = &flow->values;
    tl_term index = tl_term_plain(v, access->index);
    const tl_term_info info = *tl_term_get(v, index);
    if (!access->runtime || access->space != TL_SPACE_STORAGE) return;
    if (info.kind != TL_TERM_BINARY || (info.op != TL_OP_XOR && info.op != TL_OP_ADD)) return;
    tl_term of = (tl_term_get(v, info.a)->depends & TL_ON_GROUP) != 0 ? info.a : info.b;
    if (info.op == TL_OP_ADD && !swaps_at_distance(c, access, of, of == info.a ? info.b : info.a)) return;
    bool guarded = is_bounded_above(c, of, access->event->facts) && (tl_term_get(v, of)->depends & TL_ON_GROUP) != 0;
    if (!guarded || is_bounded_above(c, index, access->event->facts)) return;
    uint64_t count = c->launch.count[0];
    if (count != 0 && (count & (count - 1)) == 0 && c->launch.count[1] <= 1) return;
    if (!is_first(state, TL_CHECK_UNGUARDED_PARTNER, access->root)) return;
    tl_finding *finding = tl_check_report(c, TL_CHECK_UNGUARDED_PARTNER, TELAR_SEVERITY_WARNING, access->event->node,
                                          TL_SAYS(PARTNER_UNTESTED, TL_T(tl_node_text(c->m, access->event->node))));
    tl_check_fix(c, finding, TL_SAID(SKIP_PAIR));
}

/* ---- unguarded-group --------------------------------------------------------------------------------------------- */

/* The product without one of its atoms; false when it does not hold it. */
static bool take_out(const tl_product *product, tl_term atom, tl_product *rest)
{
    bool taken = false;
    *rest = (tl_product){.factor = product->factor};
    for (uint32_t k = 0; k < product->count; k++) {
        if (product->atoms[k] == atom && !taken) {
            taken = true;
        } else {
            rest->atoms[rest->count++] = product->atoms[k];
        }
    }
    return taken;
}

static bool same_atoms(const tl_product *a, const tl_product *b)
{
    return a->count == b->count && memcmp(a->atoms, b->atoms, a->count * sizeof a->atoms[0]) == 0;
}

/* `y` is `x` times a row: an atom, or the number of groups that the launch has in one. */
static bool is_row(const tl_check *c, const tl_product *x, const tl_product *y, tl_term *row)
{
    *row = 0;
    if (same_atoms(x, y)) return c->launch.dispatch[0] > 1 && y->factor == x->factor * (int64_t)c->launch.dispatch[0];
    for (uint32_t k = 0; k < y->count && x->factor == y->factor; k++) {
        tl_product rest;
        if (take_out(y, y->atoms[k], &rest) && same_atoms(x, &rest)) {
            *row = y->atoms[k];
            return true;
        }
    }
    return false;
}

/* Is the sum a fold of groups, `group.y * row + group.x`, with whatever factor and rest? row: 0 where it is a number. */
static bool find_fold(const tl_check *c, const tl_sum *sum, tl_term *row)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t i = 0; i < sum->count; i++) {
        for (uint32_t j = 0; j < sum->count; j++) {
            tl_product x, y;
            bool both = take_out(&sum->products[i], v->group[0], &x) && take_out(&sum->products[j], v->group[1], &y);
            if (both && is_row(c, &x, &y, row)) return true;
        }
    }
    return false;
}

static bool is_member_used(const tl_check *c, uint32_t member)
{
    for (uint32_t k = c->kinds.begin[TL_NODE_MEMBER_ACCESS]; k < c->kinds.begin[TL_NODE_MEMBER_ACCESS + 1]; k++) {
        if (tl_node_declaration(c->m, c->kinds.nodes[k]) == member) return true;
    }
    return false;
}

/* The name of a u32 of the same structure that nothing reads: the count that the kernel forgot. */
static tl_str forgotten_count(const tl_check *c, tl_term row)
{
    const tl_values *v = &c->flow->values;
    const tl_types *types = &c->m->semantics->types;
    const tl_term_info *load = tl_term_get(v, row);
    const tl_term_info *place = load->kind == TL_TERM_LOAD ? tl_term_get(v, load->a) : NULL;
    if (place == NULL || place->kind != TL_TERM_PLACE_OF) return (tl_str){0};
    const tl_struct *record = tl_type_struct(types, tl_term_get(v, place->a)->type);
    for (uint32_t k = 0; record != NULL && record->member_count <= 64 && k < record->member_count; k++) {
        const tl_member *member = &types->members[record->member_first + k];
        bool number = member->type == TL_TYPE_U32 || member->type == TL_TYPE_I32;
        tl_str name = member->node != 0 ? tl_node_name(c->m, member->node) : (tl_str){0};
        if (number && name.len > 0 && !tl_name_has(name, "pad") && name.data[0] != '_' &&
            !is_member_used(c, member->node)) {
            return name;
        }
    }
    return (tl_str){0};
}

static uint64_t groups_of(const tl_check *c)
{
    return (uint64_t)c->launch.dispatch[0] * c->launch.dispatch[1] * c->launch.dispatch[2];
}

static void report_group(tl_check *c, const tl_access_at *access, tl_term row)
{
    tl_str node = tl_node_text(c->m, access->event->node);
    bool from_launch = tl_term_is(&c->flow->values, row, TL_TERM_BUILTIN);
    tl_finding *finding = NULL;
    if (c->launch.dispatch[0] != 0 && c->launch.count[0] != 0) {
        uint64_t count = count_product(c), groups = groups_of(c);
        if (groups <= count) return;
        finding = tl_check_report(c, TL_CHECK_UNGUARDED_GROUP, TELAR_SEVERITY_ERROR, access->event->node,
                                  TL_SAYS(GROUPS_TOO_MANY, TL_T(node), TL_U(groups), TL_U(groups - count)));
    } else if (c->launch.dispatch[0] != 0 && (c->launch.dispatch[1] == 1 || c->launch.dispatch[2] > 1)) {
        return;
    } else if (from_launch) {
        finding = tl_check_report(c, TL_CHECK_UNGUARDED_GROUP, TELAR_SEVERITY_WARNING, access->event->node,
                                  TL_SAYS(GROUP_UNTESTED, TL_T(node)));
    } else {
        tl_str name = forgotten_count(c, row);
        if (name.len == 0) return;
        finding = tl_check_report(c, TL_CHECK_UNGUARDED_GROUP, TELAR_SEVERITY_WARNING, access->event->node,
                                  TL_SAYS(GROUPS_GIVEN, TL_T(node), TL_T(name)));
    }
    tl_check_fix(c, finding, TL_SAID(RETURN_GROUP_FIRST));
}

#define FOLD_DEPTH_MAX 12u

/* A fold by num_workgroups inside of an index, as in `(wg.y * nw.x + wg.x) / groups_a_row * stride`. */
static bool find_inner_fold(tl_check *c, tl_term term, uint32_t depth, tl_term *row)
{
    const tl_term_info info = *tl_term_get(&c->flow->values, term);
    const uint32_t axes = TL_ON_GROUP_X | TL_ON_GROUP_Y;
    tl_sum sum;
    if (depth == 0 || (info.depends & axes) != axes || --*c->flow->work <= 0) return false;
    if (info.kind == TL_TERM_CONVERT) return find_inner_fold(c, info.a, depth - 1, row);
    if (info.kind != TL_TERM_BINARY) return false;
    bool folds = tl_sum_of(&c->flow->values, term, &sum) && find_fold(c, &sum, row);
    if (folds && tl_term_is(&c->flow->values, *row, TL_TERM_BUILTIN)) return true;
    return find_inner_fold(c, info.a, depth - 1, row) || find_inner_fold(c, info.b, depth - 1, row);
}

static void check_group(tl_check *c, const tl_access_at *access, guard_state *state)
{
    tl_flow *flow = c->flow;
    const uint32_t axes = TL_ON_GROUP_X | TL_ON_GROUP_Y;
    if (!tl_access_writes(access) || !access->runtime || access->space != TL_SPACE_STORAGE) return;
    /* The number of a group in all three axes is that of a domain in three axes, and no fold. */
    if ((tl_term_get(&flow->values, access->index)->depends & TL_ON_GROUP) != axes) return;
    tl_sum sum;
    if (tl_term_spread(flow, access->index) != 0) return;
    if ((tl_axes_bounded(flow, access->event->facts) & axes) != 0) return;
    tl_term row;
    bool folds = tl_sum_of(&flow->values, access->index, &sum) && find_fold(c, &sum, &row);
    if (!folds) folds = find_inner_fold(c, access->index, FOLD_DEPTH_MAX, &row);
    if (!folds || !is_first(state, TL_CHECK_UNGUARDED_GROUP, access->root)) return;
    report_group(c, access, row);
}

/* ---- guard-capacity ---------------------------------------------------------------------------------------------- */

/* A u32 or i32 in uniform memory that the entry point can read and whose name says that it is the count. */
static tl_str count_field(const tl_check *c, tl_str array)
{
    const tl_types *types = &c->m->semantics->types;
    for (uint32_t k = 0; k < c->entry->bindings_count; k++) {
        const telar_wgsl_binding *binding = c->entry->bindings[k];
        uint32_t declaration = tl_query_global(c->m, tl_str_of(binding->name));
        tl_type type = declaration != 0 ? tl_node_value_type(c->m, declaration) : TL_TYPE_UNKNOWN;
        bool read = binding->space == TELAR_WGSL_STORAGE && binding->access == TELAR_WGSL_READ;
        if (read && type == TL_TYPE_U32 && tl_name_has(tl_str_of(binding->name), "count"))
            return tl_str_of(binding->name);
        if (binding->space != TELAR_WGSL_UNIFORM) continue;
        if ((type == TL_TYPE_U32 || type == TL_TYPE_I32) && names_count(tl_str_of(binding->name), array)) {
            return tl_str_of(binding->name);
        }
        const tl_struct *record = tl_type_struct(types, type);
        for (uint32_t j = 0; record != NULL && record->member_count <= 64 && j < record->member_count; j++) {
            const tl_member *member = &types->members[record->member_first + j];
            bool number = member->type == TL_TYPE_U32 || member->type == TL_TYPE_I32;
            if (number && member->node != 0 && names_count(tl_node_name(c->m, member->node), array)) {
                return tl_node_name(c->m, member->node);
            }
        }
    }
    return (tl_str){0};
}

/* Does a loop run up to this field? Then it counts something else. */
static bool bounds_a_loop(const tl_check *c, tl_str field)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t k = 1; k < v->loop_count; k++) {
        const tl_term_info *info = tl_term_get(v, v->loops[k].condition_term);
        if (info->kind != TL_TERM_BINARY) continue;
        if (tl_str_equal(tl_load_name(c->flow, info->a), field) ||
            tl_str_equal(tl_load_name(c->flow, info->b), field)) {
            return true;
        }
    }
    return false;
}

/* A comparison of a global id: 1 with a length, 2 with what the host gives, 0 none. */
static uint32_t compared_with(tl_check *c, const tl_condition *condition, tl_term *length)
{
    tl_flow *flow = c->flow;
    const tl_values *v = &flow->values;
    tl_term stack[16] = {condition->condition};
    uint32_t depth = 1, found = 0;
    while (depth > 0 && --*flow->work > 0) {
        const tl_term_info info = *tl_term_get(v, stack[--depth]);
        bool joins = info.kind == TL_TERM_BINARY && (info.op == TL_OP_AND_AND || info.op == TL_OP_OR_OR);
        if (info.kind == TL_TERM_UNARY && depth < 14) stack[depth++] = info.a;
        if (joins && depth < 14) {
            stack[depth++] = info.a;
            stack[depth++] = info.b;
        }
        if (joins || info.kind != TL_TERM_BINARY || info.op < TL_OP_LESS || info.op > TL_OP_GREATER_EQUAL) continue;
        bool left = tl_term_spread(flow, info.a) != 0;
        tl_term other = left ? info.b : info.a;
        if (!left && tl_term_spread(flow, info.b) == 0) continue;
        uint32_t depends = tl_term_get(v, other)->depends;
        bool plain = tl_term_is(v, tl_term_plain(v, other), TL_TERM_LENGTH);
        if (plain) *length = tl_term_plain(v, other);
        if (plain && (depends & TL_ON_HOST) == 0) found |= 1;
        if ((depends & TL_ON_HOST) != 0) found |= 2;
    }
    return found;
}

static void check_capacity(tl_check *c)
{
    tl_flow *flow = c->flow;
    const tl_condition *guard = NULL;
    tl_term length = 0;
    for (uint32_t k = 0; k < flow->condition_count; k++) {
        tl_term here = 0;
        uint32_t found = compared_with(c, &flow->conditions[k], &here);
        if ((found & 2) != 0) return;
        if (found == 1 && guard == NULL) {
            guard = &flow->conditions[k];
            length = here;
        }
    }
    if (guard == NULL) return;
    uint32_t root = tl_place_root(&flow->values, tl_term_get(&flow->values, length)->a);
    tl_str array = tl_node_name(c->m, root), field = count_field(c, array);
    if (field.len == 0 || bounds_a_loop(c, field)) return;
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_GUARD_CAPACITY, TELAR_SEVERITY_WARNING, guard->node,
                        TL_SAYS(BOUND_BY_CAPACITY, TL_T(bare_text(c, guard->node)), TL_T(array), TL_T(field)));
    tl_check_fix(c, finding, TL_SAYS(COMPARE_WITH, TL_T(field)));
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void check_access(tl_check *c, const tl_access_at *access, void *user)
{
    check_open(c, access, user);
    check_bounds(c, access);
    check_cut_to_length(c, access);
    check_partner(c, access, user);
    check_group(c, access, user);
}

void tl_check_guard_entry(tl_check *c)
{
    if (tl_flow_of(c) == NULL) return;
    guard_state state = {0};
    tl_each_access(c, find_sides, &state);
    tl_each_access(c, check_access, &state);
    check_capacity(c);
}
