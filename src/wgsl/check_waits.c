/* SPDX-License-Identifier: MIT
 *
 * Rules about atomics that the text shows without values: loops that wait for others, loops of compare-exchange that
 * compare floats, and counters whose order is taken for a position. */
#include "wgsl/check.h"

#include <string.h>

static const tl_wgsl_node *at(const tl_check *c, uint32_t node)
{
    return &c->m->nodes[node];
}

/* The first node of a subtree: all its nodes lie between, and what lies before begins before. */
static uint32_t first_node(const tl_check *c, uint32_t node)
{
    uint32_t first = node;
    while (first > 1 && at(c, first - 1)->first >= at(c, node)->first) first--;
    return first;
}

/* ---- what a condition hangs on ----------------------------------------------------------------------------------- */

/* Why a loop may end. */
enum {
    ENDS_BY_OWN = 1u,    /* a variable that the loop counts, or an operation that always moves on */
    ENDS_BY_OTHERS = 2u, /* an atomic that the loop only looks at */
    ENDS_BY_MEMORY = 4u  /* other memory that it only looks at */
};

#define DEPTH_MAX 5u      /* declarations that are followed */
#define WORK_MAX 60000    /* nodes looked at for one loop: larger ones are taken to end, */
#define WORK_ALL 20000000 /* and for all of a module */

typedef struct loop {
    const tl_check *c;
    uint32_t first, node; /* nodes of the loop */
    int64_t work;
    bool stays; /* the condition at hand is what keeps the loop going, not what ends it */
} loop;

static bool is_inside(const loop *l, uint32_t node)
{
    return node >= l->first && node < l->node;
}

/* False when the loop is too large to go on. */
static bool spend(loop *l, uint32_t nodes)
{
    l->work -= nodes;
    return l->work > 0;
}

static unsigned ends_by(loop *l, uint32_t expression, uint32_t depth);

static bool is_assignment(const tl_wgsl_node *n)
{
    return n->kind == TL_NODE_ASSIGN || n->kind == TL_NODE_INCREMENT || n->kind == TL_NODE_DECREMENT;
}

/* The variable that a statement assigns to; 0: none. */
static uint32_t assigned_by(const tl_check *c, uint32_t node)
{
    if (!is_assignment(at(c, node))) return 0;
    uint32_t root = tl_query_root(c->m, at(c, node)->a);
    return root != 0 ? tl_query_declaration(c->m, root) : 0;
}

static bool is_assigned(loop *l, uint32_t declaration)
{
    if (!spend(l, l->node - l->first)) return true;
    for (uint32_t node = l->first; node < l->node; node++) {
        if (assigned_by(l->c, node) == declaration) return true;
    }
    return false;
}

/* The conditions of the loop's if and switch statements around a node. guarded: there are some. moves: the node is a step,
 * and an if with an else takes one on either side. */
static unsigned ends_by_guards(loop *l, uint32_t node, uint32_t depth, bool moves, bool *guarded)
{
    unsigned by = 0;
    *guarded = false;
    for (uint32_t outer = node + 1; outer < l->node; outer++) {
        const tl_wgsl_node *n = at(l->c, outer);
        bool chooses = n->kind == TL_NODE_IF || n->kind == TL_NODE_SWITCH;
        if (!chooses || at(l->c, outer)->first > at(l->c, node)->first) continue;
        bool has_else = n->kind == TL_NODE_IF && tl_list_count(l->c->m, n->a) % 2 == 1;
        if (moves && has_else) continue;
        *guarded = true;
        if (n->kind == TL_NODE_SWITCH) {
            by |= ends_by(l, TL_PARTS(tl_switch_parts, l->c->m, outer)->subject, depth);
            continue;
        }
        for (uint32_t k = 0; k + 1 < tl_list_count(l->c->m, n->a); k += 2) {
            uint32_t block = tl_list_at(l->c->m, n->a, k + 1);
            if (block >= node || k + 2 >= tl_list_count(l->c->m, n->a)) { /* the tests up to the branch taken */
                by |= ends_by(l, tl_list_at(l->c->m, n->a, k), depth);
                break;
            }
            by |= ends_by(l, tl_list_at(l->c->m, n->a, k), depth);
        }
    }
    return spend(l, l->node - node) ? by : (unsigned)ENDS_BY_OWN;
}

/* What one assignment makes a variable hang on. A step that is made only when others have moved on waits for them too. */
static unsigned ends_by_assignment(loop *l, uint32_t node, uint32_t depth)
{
    const tl_wgsl_node *n = at(l->c, node);
    unsigned by = n->kind == TL_NODE_ASSIGN ? ends_by(l, n->b, depth) : 0;
    if (by != 0 && n->op == TL_OP_NONE) return by;
    bool guarded;
    unsigned guards = ends_by_guards(l, node, depth, true, &guarded);
    if (guarded && guards == ENDS_BY_OTHERS) return by | guards;
    bool counts = n->kind != TL_NODE_ASSIGN || n->op != TL_OP_NONE;
    return by | (counts ? (unsigned)ENDS_BY_OWN : 0u);
}

static bool names(const tl_check *c, uint32_t expression, uint32_t declaration)
{
    for (uint32_t node = first_node(c, expression); node <= expression; node++) {
        if (tl_query_declaration(c->m, node) == declaration) return true;
    }
    return false;
}

static unsigned ends_by_variable(loop *l, uint32_t declaration, uint32_t depth)
{
    unsigned by = 0;
    if (depth == 0) return 0; /* it hangs on itself: what else it hangs on decides */
    for (uint32_t node = l->first; node < l->node; node++) {
        if (assigned_by(l->c, node) != declaration) continue;
        const tl_wgsl_node *n = at(l->c, node);
        /* `i = i + 1` counts as `i += 1` does. */
        bool itself = n->kind == TL_NODE_ASSIGN && n->op == TL_OP_NONE && names(l->c, n->b, declaration);
        bool guarded = false;
        if (!itself) {
            by |= ends_by_assignment(l, node, depth);
            continue;
        }
        unsigned guards = ends_by_guards(l, node, depth, true, &guarded);
        by |= guarded && guards == ENDS_BY_OTHERS ? guards : (unsigned)ENDS_BY_OWN;
    }
    return spend(l, l->node - l->first) ? by : (unsigned)ENDS_BY_OWN;
}

/* The expected value of a compare-exchange is learned from this round or the last: somebody always succeeds. */
static bool learns(loop *l, uint32_t call)
{
    uint32_t list = at(l->c, call)->b;
    if (tl_list_count(l->c->m, list) < 2) return true;
    uint32_t expected = tl_list_at(l->c->m, list, 1);
    for (uint32_t node = first_node(l->c, expected); node <= expected; node++) {
        uint32_t declaration = tl_query_declaration(l->c->m, node);
        if (declaration != 0 && (is_inside(l, declaration) || is_assigned(l, declaration))) return true;
    }
    return false;
}

/* A function that only looks at atomics is as good as the look itself; what else it does is not followed. */
static unsigned ends_by_function(loop *l, uint32_t function)
{
    unsigned by = 0;
    uint32_t first = first_node(l->c, function);
    if (!spend(l, function - first)) return ENDS_BY_OWN;
    for (uint32_t node = first; node < function; node++) {
        tl_builtin builtin = tl_query_builtin_call(l->c->m, node);
        if (builtin == TL_BUILTIN_atomicLoad) by |= ENDS_BY_OTHERS;
        bool other = builtin != TL_BUILTIN_COUNT && builtin != TL_BUILTIN_atomicLoad;
        if (other && (tl_builtin_get(builtin)->flags & TL_IS_ATOMIC) != 0) by |= ENDS_BY_OWN;
    }
    return by;
}

static unsigned ends_by_call(loop *l, uint32_t call)
{
    tl_builtin builtin = tl_query_builtin_call(l->c->m, call);
    switch ((int)builtin) {
    case TL_BUILTIN_atomicLoad:
    case TL_BUILTIN_atomicExchange: return ENDS_BY_OTHERS;
    case TL_BUILTIN_atomicCompareExchangeWeak: return learns(l, call) ? ENDS_BY_OWN : ENDS_BY_OTHERS;
    case TL_BUILTIN_COUNT: {
        uint32_t declaration = tl_query_declaration(l->c->m, at(l->c, call)->a);
        bool own = declaration != 0 && at(l->c, declaration)->kind == TL_NODE_FN;
        return own ? ends_by_function(l, declaration) : 0u;
    }
    default: return (tl_builtin_get(builtin)->flags & TL_IS_ATOMIC) != 0 ? (unsigned)ENDS_BY_OWN : 0u;
    }
}

/* Memory that other invocations write, read without an atomic. */
static unsigned ends_by_global(loop *l, uint32_t declaration)
{
    const tl_global *global = tl_query_global_record(l->c->m, declaration);
    bool written = global->space == TL_SPACE_STORAGE && global->access != TL_ACCESS_READ;
    if (global->space == TL_SPACE_PRIVATE) return ENDS_BY_OWN;
    const tl_types *types = &l->c->m->semantics->types;
    bool atomic = (tl_type_get(types, tl_node_value_type(l->c->m, declaration))->flags & TL_TYPE_HAS_ATOMIC) != 0;
    if (atomic) return 0; /* the operations on it tell */
    if (!written && global->space != TL_SPACE_WORKGROUP) return 0;
    return is_assigned(l, declaration) ? ENDS_BY_OWN : ENDS_BY_MEMORY;
}

static unsigned ends_by_name(loop *l, uint32_t ident, uint32_t depth)
{
    uint32_t declaration = tl_query_declaration(l->c->m, ident);
    if (declaration == 0 || depth == 0) return 0;
    const tl_wgsl_node *d = at(l->c, declaration);
    if (d->kind != TL_NODE_VAR && d->kind != TL_NODE_LET) return 0;
    if ((d->flags & TL_FLAG_GLOBAL) != 0) return ends_by_global(l, declaration);
    uint32_t init = is_inside(l, declaration) ? TL_PARTS(tl_var_parts, l->c->m, declaration)->init : 0;
    unsigned by = init != 0 ? ends_by(l, init, depth - 1) : 0;
    return d->kind == TL_NODE_VAR ? by | ends_by_variable(l, declaration, depth - 1) : by;
}

static bool is_old_value(const tl_check *c, uint32_t node)
{
    node = tl_without_parentheses(c->m, node);
    return at(c, node)->kind == TL_NODE_MEMBER_ACCESS && tl_str_equal(tl_node_name(c->m, node), TL_STR("old_value"));
}

/* `r.old_value != x`: the loop also ends where the exchange met something else. Then only the spurious failures of a weak
 * exchange are tried again. */
static bool is_refusal(const tl_check *c, uint32_t node)
{
    const tl_wgsl_node *n = at(c, node);
    return n->kind == TL_NODE_BINARY && n->op == TL_OP_NOT_EQUAL && (is_old_value(c, n->a) || is_old_value(c, n->b));
}

static unsigned ends_by(loop *l, uint32_t expression, uint32_t depth)
{
    unsigned by = 0;
    uint32_t first = first_node(l->c, expression);
    if (!spend(l, expression - first + 1)) return ENDS_BY_OWN;
    for (uint32_t node = first; node <= expression; node++) {
        if (at(l->c, node)->kind == TL_NODE_CALL) by |= ends_by_call(l, node);
        if (at(l->c, node)->kind == TL_NODE_IDENT) by |= ends_by_name(l, node, depth);
        if (!l->stays && is_refusal(l->c, node)) by |= ENDS_BY_OWN;
    }
    return by;
}

/* ---- loops that wait --------------------------------------------------------------------------------------------- */

static bool is_loop(const tl_check *c, uint32_t node)
{
    uint8_t kind = at(c, node)->kind;
    return kind == TL_NODE_LOOP || kind == TL_NODE_WHILE || kind == TL_NODE_FOR;
}

/* Does the break leave this loop, and not one inside it? */
static bool leaves(const loop *l, uint32_t node)
{
    for (uint32_t outer = node + 1; outer < l->node; outer++) {
        bool takes = is_loop(l->c, outer) || at(l->c, outer)->kind == TL_NODE_SWITCH;
        if (takes && at(l->c, outer)->first <= at(l->c, node)->first) return false;
    }
    return true;
}

static uint32_t condition_of(const tl_check *c, uint32_t node)
{
    if (at(c, node)->kind == TL_NODE_WHILE) return TL_PARTS(tl_while_parts, c->m, node)->condition;
    return at(c, node)->kind == TL_NODE_FOR ? TL_PARTS(tl_for_parts, c->m, node)->condition : 0;
}

/* What the ways out of a loop hang on. */
static unsigned exits_of(loop *l)
{
    unsigned by = 0;
    uint32_t condition = condition_of(l->c, l->node);
    l->stays = true;
    if (condition != 0) by |= ends_by(l, condition, DEPTH_MAX);
    l->stays = false;
    for (uint32_t node = l->first; node < l->node && (by & ENDS_BY_OWN) == 0; node++) {
        const tl_wgsl_node *n = at(l->c, node);
        if (n->kind == TL_NODE_BREAK_IF && leaves(l, node)) by |= ends_by(l, n->a, DEPTH_MAX);
        bool out = n->kind == TL_NODE_RETURN || (n->kind == TL_NODE_BREAK && leaves(l, node));
        if (!out) continue;
        bool guarded;
        unsigned guards = ends_by_guards(l, node, DEPTH_MAX, false, &guarded);
        by |= guarded ? guards : (unsigned)ENDS_BY_OWN;
    }
    return by;
}

static void check_wait(tl_check *c, loop *l)
{
    unsigned by = exits_of(l);
    if (by == 0 || (by & ENDS_BY_OWN) != 0) return;
    const tl_wgsl_node *n = at(c, l->node);
    uint32_t begin = c->m->tokens[n->first].offset, end = tl_token_end(c->m, n->first);
    tl_finding *finding =
        tl_check_report_at(c, TL_CHECK_UNBOUNDED_WAIT, TELAR_SEVERITY_WARNING, begin, end, TL_SAID(WAITS_FOR_ANOTHER));
    tl_check_fix(c, finding, TL_SAID(BOUND_ROUNDS));
}

/* ---- compare-exchange over floats -------------------------------------------------------------------------------- */

static bool has_exchange(const loop *l)
{
    for (uint32_t node = l->first; node < l->node; node++) {
        if (tl_query_builtin_call(l->c->m, node) == TL_BUILTIN_atomicCompareExchangeWeak) return true;
    }
    return false;
}

static bool compares_floats(const tl_check *c, uint32_t node)
{
    const tl_wgsl_node *n = at(c, node);
    if (n->kind != TL_NODE_BINARY || (n->op != TL_OP_EQUAL && n->op != TL_OP_NOT_EQUAL)) return false;
    return tl_kind_is_float(tl_type_scalar(&c->m->semantics->types, tl_node_value_type(c->m, n->a)));
}

static void check_exchange(tl_check *c, const loop *l)
{
    if (!has_exchange(l)) return;
    for (uint32_t node = l->first; node < l->node; node++) {
        if (!compares_floats(c, node)) continue;
        tl_finding *finding = tl_check_report(c, TL_CHECK_FLOAT_EXCHANGE, TELAR_SEVERITY_WARNING, node,
                                              TL_SAID(EXCHANGE_COMPARES_FLOATS));
        tl_check_fix(c, finding, TL_SAID(TEST_EXCHANGED));
    }
}

/* ---- the order of a counter as a position ------------------------------------------------------------------------ */

/* Does the source claim an order: "stable", but not "unstable"? */
static bool claims_order(const tl_check *c)
{
    static const char word[] = "stable";
    const char *source = c->desc->source;
    size_t bytes = c->desc->source_bytes, length = sizeof word - 1;
    for (size_t k = 0; k + length <= bytes; k++) {
        if (memcmp(source + k + 1, word + 1, length - 1) != 0 || (source[k] | 0x20) != 's') continue;
        bool after_letter = k > 0 && ((source[k - 1] | 0x20) >= 'a' && (source[k - 1] | 0x20) <= 'z');
        bool negated = k >= 4 && (memcmp(source + k - 4, "not ", 4) == 0 || memcmp(source + k - 4, "non-", 4) == 0);
        if (!after_letter && !negated) return true;
    }
    return false;
}

static bool comes_from_counter(const tl_check *c, uint32_t index)
{
    for (uint32_t node = first_node(c, index); node <= index; node++) {
        uint32_t call = node, declaration = tl_query_declaration(c->m, node);
        if (declaration != 0 && at(c, declaration)->kind == TL_NODE_LET) {
            call = TL_PARTS(tl_var_parts, c->m, declaration)->init;
        }
        if (tl_query_builtin_call(c->m, tl_without_parentheses(c->m, call)) == TL_BUILTIN_atomicAdd) return true;
    }
    return false;
}

static void check_position(tl_check *c, uint32_t target, telar_severity severity)
{
    for (uint32_t node = target; at(c, node)->kind == TL_NODE_INDEX || at(c, node)->kind == TL_NODE_MEMBER_ACCESS ||
                                 at(c, node)->kind == TL_NODE_PAREN;
         node = at(c, node)->a) {
        if (at(c, node)->kind != TL_NODE_INDEX || !comes_from_counter(c, at(c, node)->b)) continue;
        bool claimed = severity == TELAR_SEVERITY_WARNING;
        tl_finding *finding = tl_check_report(c, TL_CHECK_UNORDERED_POSITION, severity, node,
                                              claimed ? TL_SAID(POSITION_NOT_STABLE) : TL_SAID(POSITION_UNORDERED));
        tl_check_fix(c, finding, TL_SAID(POSITION_FROM_SUM));
        return;
    }
}

/* Every loop of a kind; what is spent of the module's work is taken off. */
static void check_loops(tl_check *c, tl_wgsl_node_kind kind, bool atomics, int64_t *work)
{
    for (uint32_t k = c->kinds.begin[kind]; k < c->kinds.begin[kind + 1] && *work > 0; k++) {
        uint32_t node = c->kinds.nodes[k];
        loop l = {.c = c, .first = first_node(c, node), .node = node, .work = WORK_MAX};
        *work -= node - l.first;
        if (!spend(&l, node - l.first)) continue;
        check_wait(c, &l);
        *work -= WORK_MAX - l.work;
        if (atomics) check_exchange(c, &l);
    }
}

static void check_positions(tl_check *c)
{
    telar_severity severity = claims_order(c) ? TELAR_SEVERITY_WARNING : TELAR_SEVERITY_NOTE;
    for (uint32_t k = c->kinds.begin[TL_NODE_ASSIGN]; k < c->kinds.begin[TL_NODE_ASSIGN + 1]; k++) {
        check_position(c, at(c, c->kinds.nodes[k])->a, severity);
    }
}

void tl_check_waits_module(tl_check *c)
{
    static const tl_wgsl_node_kind loops[] = {TL_NODE_LOOP, TL_NODE_WHILE, TL_NODE_FOR};
    int64_t work = WORK_ALL;
    bool atomics = false;
    for (uint32_t k = 0; k < c->reflection->entries_count; k++) atomics |= c->reflection->entries[k].uses_atomics;
    if (atomics) check_positions(c);
    for (size_t k = 0; k < TL_COUNT(loops); k++) check_loops(c, loops[k], atomics, &work);
}
