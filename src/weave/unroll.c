/* SPDX-License-Identifier: MIT
 *
 * Unrolls what the entry points of our own kernels repeat a constant number of times, and makes single variables of the
 * arrays that are then only accessed at constant places. WGSL has no hint for it, and drivers keep `x[k]` of a rolled
 * loop in memory: on an H200 a radix sort of rolled loops takes 1.3 times as long as one of straight lines. So kernels
 * are written with loops, for people, and printed without.
 *
 *     var x: array<u32, 2>;                       var x_0: u32; var x_1: u32;
 *     for (var k = 0u; k < 2u; k++) {     ->      { x_0 = load(0u); }
 *         x[k] = load(k);                         { x_1 = load(1u); }
 *     }
 *
 * A loop is unrolled when its bounds and step are constant (outer unrolled variables count as constants), it turns at
 * most TRIPS_MAX times, its body neither assigns its variable nor leaves it by break or continue. All else stays. */
#include "weave/weave.h"
#include "wgsl/query.h"

enum {
    TRIPS_MAX = 128,
    NESTING_MAX = 8,
    DEPTH_MAX = 64,
};

/* A loop variable that stands for a value at this place. */
typedef struct binding_of_loop {
    uint32_t declaration; /* its VAR */
    int64_t value;
} binding_of_loop;

typedef struct unroller {
    const telar_wgsl *m;
    telar_out *out;
    uint32_t *places; /* nodes whose text may change, in the order of the source, outer before inner */
    uint32_t places_count;
    bool *single; /* by node: a local array whose elements become variables */
    binding_of_loop loops[NESTING_MAX];
    uint32_t loops_count;
} unroller;

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static bool fold(tl_wgsl_op op, int64_t a, int64_t b, int64_t *value)
{
    switch (op) {
    case TL_OP_ADD: *value = a + b; return true;
    case TL_OP_SUBTRACT: *value = a - b; return true;
    case TL_OP_MULTIPLY: *value = a * b; return true;
    case TL_OP_DIVIDE: *value = b == 0 ? 0 : a / b; return b != 0;
    case TL_OP_REMAINDER: *value = b == 0 ? 0 : a % b; return b != 0;
    case TL_OP_SHIFT_LEFT: *value = (int64_t)((uint64_t)a << (b & 31)); return true;
    case TL_OP_SHIFT_RIGHT: *value = a >> (b & 31); return true;
    case TL_OP_LESS: *value = a < b; return true;
    case TL_OP_LESS_EQUAL: *value = a <= b; return true;
    case TL_OP_GREATER: *value = a > b; return true;
    case TL_OP_GREATER_EQUAL: *value = a >= b; return true;
    case TL_OP_NOT_EQUAL: *value = a != b; return true;
    default: return false;
    }
}

/* An integer expression of constants and unrolled variables. Values past 32 bits are left to the loop as it is. */
static bool evaluate(const unroller *u, uint32_t node, unsigned depth, int64_t *value)
{
    const telar_wgsl *m = u->m;
    node = tl_without_parentheses(m, node);
    if (node == 0 || depth > DEPTH_MAX) return false;
    tl_constant constant = m->semantics->constant[node];
    if (tl_constant_is_value(constant)) return tl_constant_as_int(&m->semantics->constants, constant, value);
    const tl_wgsl_node *n = &m->nodes[node];
    if (n->kind == TL_NODE_IDENT) {
        for (uint32_t k = u->loops_count; k-- > 0;) {
            if (u->loops[k].declaration != tl_query_declaration(m, node)) continue;
            *value = u->loops[k].value;
            return true;
        }
        return false;
    }
    int64_t a, b;
    return n->kind == TL_NODE_BINARY && evaluate(u, n->a, depth + 1, &a) && evaluate(u, n->b, depth + 1, &b) &&
           fold((tl_wgsl_op)n->op, a, b, value) && *value >= INT32_MIN && *value <= UINT32_MAX;
}

/* ---- Loops ------------------------------------------------------------------------------------------------------- */

static bool is_within(const telar_wgsl *m, uint32_t node, uint32_t outer)
{
    return m->nodes[node].first >= m->nodes[outer].first && m->nodes[node].last <= m->nodes[outer].last;
}

/* A body from which control leaves only at its end, and which does not touch the variable. */
static bool is_straight(const telar_wgsl *m, uint32_t body, uint32_t variable)
{
    for (uint32_t node = body - 1; node > 0 && is_within(m, node, body); node--) {
        const tl_wgsl_node *n = &m->nodes[node];
        bool leaves = n->kind == TL_NODE_BREAK || n->kind == TL_NODE_CONTINUE;
        bool writes = n->kind == TL_NODE_ASSIGN || n->kind == TL_NODE_INCREMENT || n->kind == TL_NODE_DECREMENT ||
                      (n->kind == TL_NODE_UNARY && n->op == TL_OP_ADDRESS);
        if (leaves || (writes && tl_query_is_reference(m, n->a, variable))) return false;
    }
    return true;
}

/* The value after one turn. */
static bool step(const unroller *u, uint32_t update, uint32_t variable, int64_t *value)
{
    const tl_wgsl_node *n = &u->m->nodes[update];
    int64_t by = 1;
    if (update == 0 || !tl_query_is_reference(u->m, n->a, variable)) return false;
    if (n->kind == TL_NODE_INCREMENT) return fold(TL_OP_ADD, *value, 1, value);
    if (n->kind == TL_NODE_DECREMENT) return fold(TL_OP_SUBTRACT, *value, 1, value);
    return n->kind == TL_NODE_ASSIGN && n->op != TL_OP_NONE && evaluate(u, n->b, 0, &by) &&
           fold((tl_wgsl_op)n->op, *value, by, value);
}

/* The values of the loop's variable, turn by turn; their count, or -1: it stays a loop. */
static int trips_of(unroller *u, uint32_t node, int64_t values[TRIPS_MAX])
{
    const telar_wgsl *m = u->m;
    const tl_for_parts *parts = TL_PARTS(tl_for_parts, m, node);
    if (parts->init == 0 || parts->condition == 0 || m->nodes[parts->init].kind != TL_NODE_VAR) return -1;
    if (u->loops_count == NESTING_MAX || !is_straight(m, parts->body, parts->init)) return -1;
    int64_t value, go_on;
    if (!evaluate(u, TL_PARTS(tl_var_parts, m, parts->init)->init, 0, &value)) return -1;
    binding_of_loop *loop = &u->loops[u->loops_count++];
    int trips = 0;
    loop->declaration = parts->init;
    for (;; trips++) {
        loop->value = value;
        bool known = evaluate(u, parts->condition, 0, &go_on);
        if (known && go_on == 0) break;
        if (known && trips < TRIPS_MAX) values[trips] = value;
        if (known && trips < TRIPS_MAX && step(u, parts->update, parts->init, &value)) continue;
        trips = -1;
        break;
    }
    u->loops_count--;
    return trips;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void print_range(unroller *u, uint32_t begin, uint32_t end);

static void print_source(unroller *u, uint32_t begin, uint32_t end)
{
    tl_out_bytes(u->out, u->m->source + begin, end - begin);
}

static bool print_loop(unroller *u, uint32_t node)
{
    const tl_for_parts *parts = TL_PARTS(tl_for_parts, u->m, node);
    int64_t values[TRIPS_MAX];
    int trips = trips_of(u, node, values);
    if (trips < 0) return false;
    for (int k = 0; k < trips; k++) {
        u->loops[u->loops_count++] = (binding_of_loop){parts->init, values[k]};
        print_range(u, tl_node_begin(u->m, parts->body), tl_node_end(u->m, parts->body));
        u->loops_count--;
        if (k + 1 < trips) tl_out_text(u->out, "\n");
    }
    return true;
}

static bool print_value(unroller *u, uint32_t ident)
{
    int64_t value;
    if (!evaluate(u, ident, 0, &value)) return false;
    tl_out_format(u->out, "%lld%s", (long long)value, tl_node_value_type(u->m, ident) == TL_TYPE_U32 ? "u" : "i");
    return true;
}

static bool print_access(unroller *u, uint32_t node)
{
    const tl_wgsl_node *n = &u->m->nodes[node];
    uint32_t variable = tl_query_declaration(u->m, n->a);
    int64_t index;
    if (!u->single[variable]) return false;
    if (!evaluate(u, n->b, 0, &index) || index < 0) {
        u->single[variable] = false;
        return false;
    }
    tl_out_format(u->out, "%.*s_%lld", TL_STR_ARGS(tl_node_name(u->m, n->a)), (long long)index);
    return true;
}

/* The length of a local array without initialiser; 0: it is something else. */
static uint32_t array_length(const telar_wgsl *m, uint32_t variable)
{
    const tl_var_parts *parts = TL_PARTS(tl_var_parts, m, variable);
    if (parts->type == 0 || parts->init != 0 || tl_list_count(m, parts->templates) != 0) return 0;
    const tl_type_info *info = &m->semantics->types.info[tl_node_type(m, parts->type)];
    return info->kind == TL_KIND_ARRAY && tl_list_count(m, m->nodes[parts->type].a) == 2 ? info->count : 0;
}

static bool print_variables(unroller *u, uint32_t variable)
{
    const telar_wgsl *m = u->m;
    if (!u->single[variable]) return false;
    uint32_t element = tl_list_at(m, m->nodes[TL_PARTS(tl_var_parts, m, variable)->type].a, 0);
    for (uint32_t k = 0; k < array_length(m, variable); k++) {
        tl_out_format(u->out, "%svar %.*s_%u: %.*s;", k == 0 ? "" : " ", TL_STR_ARGS(tl_node_name(m, variable)), k,
                      TL_STR_ARGS(tl_node_text(m, element)));
    }
    return true;
}

static bool print_place(unroller *u, uint32_t node)
{
    switch (u->m->nodes[node].kind) {
    case TL_NODE_FOR: return print_loop(u, node);
    case TL_NODE_INDEX: return print_access(u, node);
    case TL_NODE_IDENT: return print_value(u, node);
    default: return print_variables(u, node);
    }
}

/* The first place that begins at this byte or later. */
static uint32_t place_from(const unroller *u, uint32_t begin)
{
    uint32_t low = 0, high = u->places_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (tl_node_begin(u->m, u->places[middle]) < begin) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void print_range(unroller *u, uint32_t begin, uint32_t end)
{
    uint32_t from = begin;
    for (uint32_t k = place_from(u, begin); k < u->places_count; k++) {
        uint32_t node = u->places[k];
        uint32_t to = tl_node_begin(u->m, node);
        if (to >= end) break;
        if (to < from) continue;
        print_source(u, from, to);
        from = print_place(u, node) ? tl_node_end(u->m, node) : to;
    }
    print_source(u, from, end);
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

static bool is_local_variable(const telar_wgsl *m, uint32_t node)
{
    return m->nodes[node].kind == TL_NODE_VAR && (m->nodes[node].flags & TL_FLAG_GLOBAL) == 0;
}

static bool is_place(const telar_wgsl *m, uint32_t node)
{
    const tl_wgsl_node *n = &m->nodes[node];
    if (n->kind == TL_NODE_FOR) return true;
    if (is_local_variable(m, node)) return array_length(m, node) > 0;
    if (n->kind == TL_NODE_IDENT) return is_local_variable(m, tl_query_declaration(m, node));
    return n->kind == TL_NODE_INDEX && m->nodes[n->a].kind == TL_NODE_IDENT &&
           is_local_variable(m, tl_query_declaration(m, n->a));
}

/* Nodes come in post-order: sorted by their begin, the outer of two that begin together comes later in it. */
static void add_place(unroller *u, uint32_t node)
{
    uint32_t at = u->places_count++;
    for (; at > 0 && tl_node_begin(u->m, u->places[at - 1]) >= tl_node_begin(u->m, node); at--) {
        u->places[at] = u->places[at - 1];
    }
    u->places[at] = node;
}

/* A local array whose every name stands before [ may become single variables; a walk finds out whether all those
 * indices are constant. is_base is room, a bool a node. */
static void find_candidates(unroller *u, uint32_t function, bool *is_base)
{
    const telar_wgsl *m = u->m;
    for (uint32_t node = 1; node < function; node++) {
        if (!is_within(m, node, function)) continue;
        if (m->nodes[node].kind == TL_NODE_INDEX) is_base[m->nodes[node].a] = true;
        if (is_local_variable(m, node)) u->single[node] = array_length(m, node) > 0;
    }
    for (uint32_t node = 1; node < function; node++) {
        bool whole = m->nodes[node].kind == TL_NODE_IDENT && !is_base[node];
        if (whole && is_within(m, node, function)) u->single[tl_query_declaration(m, node)] = false;
    }
}

static void find_places(unroller *u, bool *is_base)
{
    const telar_wgsl *m = u->m;
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t k = 0; k < s->function_count; k++) {
        uint32_t function = s->functions[k].node;
        if (s->functions[k].stage != TL_STAGE_COMPUTE) continue;
        for (uint32_t node = 1; node < function; node++) {
            if (is_within(m, node, function) && is_place(m, node)) add_place(u, node);
        }
        find_candidates(u, function, is_base);
    }
}

telar_status tl_unroll(const telar_wgsl *module, telar_arena *arena, tl_str *text, telar_diag *diag)
{
    unroller u = {.m = module,
                  .places = TL_ARENA_ARRAY(arena, uint32_t, module->node_count),
                  .single = TL_ARENA_ARRAY(arena, bool, module->node_count)};
    bool *is_base = TL_ARENA_ARRAY(arena, bool, module->node_count);
    if (u.places == NULL || u.single == NULL || is_base == NULL) {
        return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    }
    find_places(&u, is_base);
    telar_out size = {0};
    u.out = &size;
    print_range(&u, 0, module->source_bytes); /* which arrays have an access that is not constant */
    size.len = 0;
    print_range(&u, 0, module->source_bytes);
    telar_out out = {.data = TL_ARENA_ARRAY(arena, char, size.len + 1), .cap = size.len + 1};
    if (out.data == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    u.out = &out;
    print_range(&u, 0, module->source_bytes);
    *text = (tl_str){out.data, out.len};
    return TELAR_OK;
}
