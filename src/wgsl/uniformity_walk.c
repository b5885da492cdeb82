/* SPDX-License-Identifier: MIT
 *
 * Statements in the graph of uniformity: the specification's rules for control flow, and which values of a variable reach
 * where. Each statement is given the node of the control flow before it and gives back the one after it.
 *
 * Where flows join, each variable that may be assigned on the way gets a node of its own: the variables of the function
 * that the statement's text names as targets. */
#include "wgsl/uniformity_walk.h"

#include <string.h>

/* Statement behaviours. */
enum {
    LEAVES_NEXT = 1u,
    LEAVES_BREAK = 2u,
    LEAVES_CONTINUE = 4u,
    LEAVES_RETURN = 8u
};

typedef struct flow {
    uint32_t cf;
    unsigned leaves; /* LEAVES_* */
} flow;

static flow walk_statement(tl_uniform *u, uint32_t node, uint32_t cf);

static const tl_wgsl_node *at(const tl_uniform *u, uint32_t node)
{
    return &u->m->nodes[node];
}

static uint32_t new_node(tl_uniform *u)
{
    return tl_graph_node(&u->graph, TL_CAUSE_NONE, 0);
}

/* ---- Diagnostic filters ------------------------------------------------------------------------------------------ */

static tl_uniformity_severity severity_named(tl_str text)
{
    static const struct {
        const char *name;
        tl_uniformity_severity severity;
    } rows[] = {{"off", TL_UNIFORMITY_OFF},
                {"info", TL_UNIFORMITY_INFO},
                {"warning", TL_UNIFORMITY_WARNING},
                {"error", TL_UNIFORMITY_ERROR}};
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        if (tl_str_equal(text, tl_str_of(rows[k].name))) return rows[k].severity;
    }
    return TL_UNIFORMITY_ERROR;
}

/* controls: severity, rule, perhaps the second part of the rule. */
void tl_uniform_filter(tl_uniform *u, uint32_t controls)
{
    uint32_t count = tl_list_count(u->m, controls);
    if (count < 2) return;
    tl_uniformity_severity severity = severity_named(tl_node_text(u->m, tl_list_at(u->m, controls, 0)));
    tl_str rule = tl_node_text(u->m, tl_list_at(u->m, controls, 1));
    if (count == 2 && tl_str_equal(rule, TL_STR("derivative_uniformity"))) {
        u->severity[TL_UNIFORMITY_DERIVATIVE] = severity;
    } else if (count == 2 && tl_str_equal(rule, TL_STR("subgroup_uniformity"))) {
        u->severity[TL_UNIFORMITY_SUBGROUP] = severity;
    } else if (count == 3 && tl_str_equal(rule, TL_STR("chromium"))) {
        tl_str part = tl_node_text(u->m, tl_list_at(u->m, controls, 2));
        if (tl_str_equal(part, TL_STR("subgroup_matrix_uniformity"))) u->severity[TL_UNIFORMITY_MATRIX] = severity;
    }
}

void tl_uniform_filter_attributes(tl_uniform *u, uint32_t attributes)
{
    for (uint32_t k = 0; k < tl_list_count(u->m, attributes); k++) {
        uint32_t attribute = tl_list_at(u->m, attributes, k);
        if (at(u, attribute)->op == TL_ATTR_DIAGNOSTIC) tl_uniform_filter(u, at(u, attribute)->a);
    }
}

/* Bounds what the text of a module can make the walk do: beyond anything that people write. */
#define WORK_MOST ((uint64_t)1 << 24)

static void spend(tl_uniform *u, uint64_t work)
{
    u->work += work;
    if (u->work > WORK_MOST || u->graph.full) u->full = true;
}

/* ---- Joins ------------------------------------------------------------------------------------------------------- */

static bool push(tl_uniform *u, uint32_t word)
{
    if (tl_words_push(&u->words, word, u->arena)) return true;
    u->full = true;
    return false;
}

/* The variable that a node of the text may assign: a target, or a pointer handed to a function. */
static tl_uniform_variable *assigned_by(tl_uniform *u, uint32_t node)
{
    const tl_wgsl_node *n = at(u, node);
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_ASSIGN:
    case TL_NODE_INCREMENT:
    case TL_NODE_DECREMENT: return tl_uniform_variable_of(u, tl_uniform_root_of(u, n->a).declaration);
    default: return NULL;
    }
}

static void add_to_set(tl_uniform *u, tl_uniform_variable *variable)
{
    if (variable == NULL || variable->mark == u->marks) return;
    variable->mark = u->marks;
    push(u, (uint32_t)(variable - u->variables));
}

/* The variables that the text of a statement may assign, on top of words. The nodes of a statement are those before it
 * whose text is inside its own. */
static void push_set(tl_uniform *u, uint32_t statement)
{
    uint32_t node = statement;
    u->marks++;
    for (; node > 0 && at(u, node)->first >= at(u, statement)->first; node--) {
        if (at(u, node)->kind != TL_NODE_CALL) {
            add_to_set(u, assigned_by(u, node));
            continue;
        }
        uint32_t list = at(u, node)->b;
        for (uint32_t k = 0; k < tl_list_count(u->m, list); k++) {
            uint32_t argument = tl_list_at(u->m, list, k);
            const tl_type_info *info = tl_type_get(&u->m->semantics->types, tl_node_type(u->m, argument));
            if (info->kind != TL_KIND_POINTER) continue;
            add_to_set(u, tl_uniform_variable_of(u, tl_uniform_root_of(u, argument).declaration));
        }
    }
    spend(u, statement - node);
}

/* A join over the variables in words [set, set + count). */
static tl_uniform_join new_join(tl_uniform *u, uint32_t set, uint32_t count)
{
    tl_uniform_join join = {.set = set, .nodes = u->words.count, .count = count};
    for (uint32_t k = 0; k < count; k++) push(u, 0);
    return join;
}

/* The control flow at this point arrives at the join. */
static void arrive(tl_uniform *u, tl_uniform_join *join)
{
    join->reached = true;
    for (uint32_t k = 0; k < join->count && !u->full; k++) {
        uint32_t value = u->variables[u->words.data[join->set + k]].value;
        uint32_t *node = &u->words.data[join->nodes + k];
        if (value == 0) continue;
        if (*node == 0) *node = new_node(u);
        tl_graph_edge(&u->graph, *node, value);
    }
    spend(u, join->count);
}

/* Goes on behind the join. */
static void leave_by(tl_uniform *u, const tl_uniform_join *join)
{
    for (uint32_t k = 0; k < join->count && !u->full; k++) {
        uint32_t node = u->words.data[join->nodes + k];
        if (node != 0) u->variables[u->words.data[join->set + k]].value = node;
    }
}

static void save_values(tl_uniform *u, uint32_t set, uint32_t count, uint32_t saved)
{
    for (uint32_t k = 0; k < count && !u->full; k++) {
        u->words.data[saved + k] = u->variables[u->words.data[set + k]].value;
    }
}

static void restore_values(tl_uniform *u, uint32_t set, uint32_t count, uint32_t saved)
{
    for (uint32_t k = 0; k < count && !u->full; k++) {
        u->variables[u->words.data[set + k]].value = u->words.data[saved + k];
    }
    spend(u, count);
}

/* ---- Sequences --------------------------------------------------------------------------------------------------- */

/* What follows a statement that never goes on is not analysed. */
static flow walk_list(tl_uniform *u, uint32_t list, uint32_t cf)
{
    flow result = {cf, LEAVES_NEXT};
    for (uint32_t k = 0; k < tl_list_count(u->m, list) && (result.leaves & LEAVES_NEXT) != 0 && !u->full; k++) {
        uint32_t statement = tl_list_at(u->m, list, k);
        if (at(u, statement)->kind == TL_NODE_CONTINUING) break; /* the loop's business */
        flow next = walk_statement(u, statement, result.cf);
        result.cf = next.cf;
        result.leaves = (result.leaves & ~(unsigned)LEAVES_NEXT) | next.leaves;
    }
    return result;
}

static flow walk_block(tl_uniform *u, uint32_t block, uint32_t cf)
{
    tl_uniformity_severity outer[TL_UNIFORMITY_RULE_COUNT];
    memcpy(outer, u->severity, sizeof outer);
    tl_uniform_filter_attributes(u, at(u, block)->b);
    flow result = walk_list(u, at(u, block)->a, cf);
    memcpy(u->severity, outer, sizeof outer);
    return result;
}

/* ---- if ---------------------------------------------------------------------------------------------------------- */

/* The words of one condition and its block. */
enum {
    BRANCH_BEFORE, /* control flow before the condition */
    BRANCH_CF,     /* behind the block */
    BRANCH_LEAVES,
    BRANCH_WORDS
};

/* The flow behind an else-if chain, which is a nest of if statements: from the innermost outwards. */
static flow fold_branches(tl_uniform *u, uint32_t branches, uint32_t count, flow tail)
{
    for (uint32_t k = count; k-- > 0 && !u->full;) {
        const uint32_t *branch = &u->words.data[branches + k * BRANCH_WORDS];
        uint32_t before = branch[BRANCH_BEFORE], behind = branch[BRANCH_CF];
        unsigned leaves = branch[BRANCH_LEAVES] | tail.leaves;
        if (leaves == LEAVES_NEXT) {
            tail = (flow){before, leaves};
            continue;
        }
        uint32_t end = new_node(u);
        tl_graph_edge(&u->graph, end, behind);
        tl_graph_edge(&u->graph, end, tail.cf);
        tail = (flow){end, leaves};
    }
    return tail;
}

static flow walk_if(tl_uniform *u, uint32_t node, uint32_t cf)
{
    uint32_t list = at(u, node)->a, pieces = tl_list_count(u->m, list), set = u->words.count;
    push_set(u, node);
    uint32_t count = u->words.count - set, saved = u->words.count;
    for (uint32_t k = 0; k < count; k++) push(u, 0);
    tl_uniform_join join = new_join(u, set, count);
    uint32_t branches = u->words.count;
    for (uint32_t k = 0; k + 1 < pieces && !u->full; k += 2) {
        uint32_t condition = tl_uniform_condition(u, tl_list_at(u->m, list, k), cf);
        save_values(u, set, count, saved);
        flow body = walk_block(u, tl_list_at(u->m, list, k + 1), condition);
        if ((body.leaves & LEAVES_NEXT) != 0) arrive(u, &join);
        restore_values(u, set, count, saved);
        push(u, cf);
        push(u, body.cf);
        push(u, body.leaves);
        cf = condition;
    }
    flow tail = {cf, LEAVES_NEXT};
    if (pieces % 2 == 1) tail = walk_block(u, tl_list_at(u->m, list, pieces - 1), cf);
    if ((tail.leaves & LEAVES_NEXT) != 0) arrive(u, &join);
    flow result = fold_branches(u, branches, pieces / 2, tail);
    if (join.reached) leave_by(u, &join);
    u->words.count = set;
    return result;
}

/* ---- switch ------------------------------------------------------------------------------------------------------ */

static flow walk_switch(tl_uniform *u, uint32_t node, uint32_t cf)
{
    const tl_switch_parts *parts = TL_PARTS(tl_switch_parts, u->m, node);
    tl_uniform_filter_attributes(u, parts->body_attributes);
    uint32_t set = u->words.count, subject = tl_uniform_condition(u, parts->subject, cf);
    push_set(u, node);
    uint32_t count = u->words.count - set, saved = u->words.count;
    for (uint32_t k = 0; k < count; k++) push(u, 0);
    save_values(u, set, count, saved);
    tl_uniform_join exit = new_join(u, set, count);
    tl_uniform_target target = {.outer = u->target, .exit = &exit};
    uint32_t end = new_node(u);
    unsigned leaves = 0;
    u->target = &target;
    for (uint32_t k = 0; k < tl_list_count(u->m, parts->cases) && !u->full; k++) {
        flow body = walk_block(u, at(u, tl_list_at(u->m, parts->cases, k))->b, subject);
        if ((body.leaves & LEAVES_NEXT) != 0) arrive(u, &exit);
        restore_values(u, set, count, saved);
        tl_graph_edge(&u->graph, end, body.cf);
        leaves |= body.leaves;
    }
    u->target = target.outer;
    if (exit.reached) leave_by(u, &exit);
    u->words.count = set;
    if ((leaves & LEAVES_BREAK) != 0) leaves = (leaves & ~(unsigned)LEAVES_BREAK) | LEAVES_NEXT;
    return (flow){leaves == LEAVES_NEXT ? cf : end, leaves};
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* The parts of the three kinds of loops; 0: absent. */
typedef struct loop_parts {
    uint32_t condition;
    uint32_t body;
    uint32_t continuing; /* BLOCK */
    uint32_t update;     /* statement */
} loop_parts;

/* The end of an iteration: the continuing block, which is inside the body's, or the third part of a for. */
static flow walk_end(tl_uniform *u, const loop_parts *parts, uint32_t cf)
{
    if (parts->update != 0) return walk_statement(u, parts->update, cf);
    if (parts->continuing == 0) return (flow){cf, LEAVES_NEXT};
    tl_uniformity_severity outer[TL_UNIFORMITY_RULE_COUNT];
    memcpy(outer, u->severity, sizeof outer);
    tl_uniform_filter_attributes(u, at(u, parts->body)->b);
    flow result = walk_block(u, parts->continuing, cf);
    memcpy(u->severity, outer, sizeof outer);
    return result;
}

static flow walk_iteration(tl_uniform *u, const loop_parts *parts, uint32_t cf, uint32_t set, uint32_t count)
{
    tl_uniform_join begin = new_join(u, set, count), next = new_join(u, set, count), exit = new_join(u, set, count);
    uint32_t start = new_node(u);
    tl_graph_edge(&u->graph, start, cf);
    arrive(u, &begin);
    leave_by(u, &begin);
    tl_uniform_target target = {.outer = u->target, .exit = &exit, .next = &next};
    u->target = &target;
    uint32_t inside = start;
    if (parts->condition != 0) {
        inside = tl_uniform_condition(u, parts->condition, start);
        arrive(u, &exit);
    }
    flow body = walk_block(u, parts->body, inside);
    uint32_t after = body.cf;
    if ((body.leaves & (LEAVES_NEXT | LEAVES_CONTINUE)) != 0 && !u->full) {
        if ((body.leaves & LEAVES_NEXT) != 0) arrive(u, &next);
        leave_by(u, &next);
        flow end = walk_end(u, parts, body.cf);
        tl_graph_edge(&u->graph, start, end.cf);
        arrive(u, &begin);
        after = start;
    }
    u->target = target.outer;
    if (exit.reached) leave_by(u, &exit);
    bool returns = (body.leaves & LEAVES_RETURN) != 0;
    return (flow){returns ? after : cf, (body.leaves & LEAVES_RETURN) | (exit.reached ? LEAVES_NEXT : 0u)};
}

static flow walk_loop(tl_uniform *u, uint32_t node, const loop_parts *parts, uint32_t cf)
{
    uint32_t set = u->words.count;
    push_set(u, node);
    flow result = walk_iteration(u, parts, cf, set, u->words.count - set);
    u->words.count = set;
    return result;
}

static flow walk_for(tl_uniform *u, uint32_t node, uint32_t cf)
{
    const tl_for_parts *parts = TL_PARTS(tl_for_parts, u->m, node);
    if (parts->init != 0) cf = walk_statement(u, parts->init, cf).cf;
    loop_parts loop = {.condition = parts->condition, .body = parts->body, .update = parts->update};
    return walk_loop(u, node, &loop, cf);
}

static flow walk_while(tl_uniform *u, uint32_t node, uint32_t cf)
{
    const tl_while_parts *parts = TL_PARTS(tl_while_parts, u->m, node);
    loop_parts loop = {.condition = parts->condition, .body = parts->body};
    return walk_loop(u, node, &loop, cf);
}

static flow walk_bare_loop(tl_uniform *u, uint32_t node, uint32_t cf)
{
    loop_parts loop = {.body = at(u, node)->a};
    uint32_t list = at(u, loop.body)->a, count = tl_list_count(u->m, list);
    uint32_t last = count > 0 ? tl_list_at(u->m, list, count - 1) : 0;
    if (last != 0 && at(u, last)->kind == TL_NODE_CONTINUING) loop.continuing = at(u, last)->a;
    return walk_loop(u, node, &loop, cf);
}

static flow walk_break_if(tl_uniform *u, uint32_t node, uint32_t cf)
{
    uint32_t condition = tl_uniform_condition(u, at(u, node)->a, cf);
    if (u->target != NULL) arrive(u, u->target->exit);
    return (flow){condition, LEAVES_NEXT | LEAVES_BREAK};
}

static flow walk_continue(tl_uniform *u, uint32_t cf)
{
    tl_uniform_target *target = u->target;
    while (target != NULL && target->next == NULL) target = target->outer;
    if (target != NULL) arrive(u, target->next);
    return (flow){cf, LEAVES_CONTINUE};
}

/* ---- other statements -------------------------------------------------------------------------------------------- */

/* At a return, and at the end of the function, pointer parameters keep what they hold. */
static void keep_contents(tl_uniform *u)
{
    uint32_t params = TL_PARTS(tl_fn_parts, u->m, u->function)->params;
    for (uint32_t k = 0; k < tl_list_count(u->m, params); k++) {
        const tl_uniform_variable *variable = tl_uniform_variable_of(u, tl_list_at(u->m, params, k));
        if (variable != NULL) tl_graph_edge(&u->graph, tl_uniform_param_out(k), variable->value);
    }
}

static flow walk_return(tl_uniform *u, uint32_t node, uint32_t cf)
{
    if (at(u, node)->a != 0) { tl_graph_edge(&u->graph, TL_UNIFORM_RETURN, tl_uniform_value(u, at(u, node)->a, cf)); }
    keep_contents(u);
    return (flow){cf, LEAVES_RETURN};
}

/* The indices that lead to a target, without reading it. */
static uint32_t place_value(tl_uniform *u, uint32_t target, uint32_t cf)
{
    uint32_t result = cf;
    for (uint32_t node = target;; node = at(u, node)->a) {
        const tl_wgsl_node *n = at(u, node);
        if (n->kind == TL_NODE_INDEX) result = tl_uniform_both(u, result, tl_uniform_value(u, n->b, cf), cf);
        if (n->kind == TL_NODE_IDENT) {
            uint32_t declaration = tl_query_declaration(u->m, node);
            bool pointer = declaration != 0 && at(u, declaration)->kind == TL_NODE_LET;
            return pointer ? tl_uniform_both(u, result, tl_uniform_value(u, node, cf), cf) : result;
        }
        bool through = n->kind == TL_NODE_PAREN || n->kind == TL_NODE_INDEX || n->kind == TL_NODE_MEMBER_ACCESS ||
                       n->kind == TL_NODE_UNARY;
        if (!through) return tl_uniform_both(u, result, tl_uniform_value(u, node, cf), cf);
    }
}

static void assign(tl_uniform *u, uint32_t target, uint32_t place, uint32_t value, uint32_t cf)
{
    tl_uniform_root root = tl_uniform_root_of(u, target);
    tl_uniform_variable *variable = tl_uniform_variable_of(u, root.declaration);
    if (variable == NULL) return;
    value = tl_uniform_both(u, value, place, cf);
    variable->value = root.partial ? tl_uniform_both(u, value, variable->value, TL_UNIFORM_NONE) : value;
}

static flow walk_assign(tl_uniform *u, uint32_t node, uint32_t cf)
{
    const tl_wgsl_node *n = at(u, node);
    uint32_t place = place_value(u, n->a, cf);
    bool reads = n->kind != TL_NODE_ASSIGN || n->op != TL_OP_NONE; /* `a += b`, `a++` */
    uint32_t old = reads ? tl_uniform_load(u, n->a, cf) : cf;
    uint32_t value = n->kind == TL_NODE_ASSIGN ? tl_uniform_value(u, n->b, cf) : cf;
    assign(u, n->a, place, tl_uniform_both(u, old, value, cf), cf);
    return (flow){cf, LEAVES_NEXT};
}

static flow walk_declaration(tl_uniform *u, uint32_t node, uint32_t cf)
{
    const tl_var_parts *parts = TL_PARTS(tl_var_parts, u->m, node);
    uint32_t value = parts->init != 0 ? tl_uniform_value(u, parts->init, cf) : cf;
    if (at(u, node)->kind == TL_NODE_LET) {
        u->value[node] = value;
        return (flow){cf, LEAVES_NEXT};
    }
    tl_uniform_variable *variable = at(u, node)->kind == TL_NODE_VAR ? tl_uniform_variable_of(u, node) : NULL;
    if (variable != NULL) variable->value = value;
    if (variable != NULL && parts->init == 0 && tl_uniform_has_matrix(u, parts->type)) {
        tl_uniform_require(u, TL_UNIFORMITY_MATRIX, cf, node, false);
    }
    return (flow){cf, LEAVES_NEXT};
}

static flow walk_kind(tl_uniform *u, uint32_t node, uint32_t cf)
{
    const tl_wgsl_node *n = at(u, node);
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_BLOCK: return walk_block(u, node, cf);
    case TL_NODE_IF: return walk_if(u, node, cf);
    case TL_NODE_SWITCH: return walk_switch(u, node, cf);
    case TL_NODE_LOOP: return walk_bare_loop(u, node, cf);
    case TL_NODE_WHILE: return walk_while(u, node, cf);
    case TL_NODE_FOR: return walk_for(u, node, cf);
    case TL_NODE_BREAK:
        if (u->target != NULL) arrive(u, u->target->exit);
        return (flow){cf, LEAVES_BREAK};
    case TL_NODE_BREAK_IF: return walk_break_if(u, node, cf);
    case TL_NODE_CONTINUE: return walk_continue(u, cf);
    case TL_NODE_RETURN: return walk_return(u, node, cf);
    case TL_NODE_ASSIGN:
    case TL_NODE_INCREMENT:
    case TL_NODE_DECREMENT: return walk_assign(u, node, cf);
    case TL_NODE_VAR:
    case TL_NODE_LET: return walk_declaration(u, node, cf);
    case TL_NODE_PHONY:
    case TL_NODE_CALL_STATEMENT: (void)tl_uniform_value(u, n->a, cf); return (flow){cf, LEAVES_NEXT};
    default: return (flow){cf, LEAVES_NEXT}; /* const, const_assert, discard */
    }
}

static flow walk_statement(tl_uniform *u, uint32_t node, uint32_t cf)
{
    tl_uniformity_severity outer[TL_UNIFORMITY_RULE_COUNT];
    memcpy(outer, u->severity, sizeof outer);
    tl_uniform_filter_attributes(u, tl_node_attributes(u->m, node));
    flow result = walk_kind(u, node, cf);
    memcpy(u->severity, outer, sizeof outer);
    return result;
}

void tl_uniform_walk(tl_uniform *u, uint32_t body)
{
    u->target = NULL;
    u->words.count = 0;
    flow end = walk_block(u, body, TL_UNIFORM_START);
    if ((end.leaves & LEAVES_NEXT) != 0) keep_contents(u);
}
