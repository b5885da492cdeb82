/* SPDX-License-Identifier: MIT
 *
 * Statements of the walk: branches are walked on both sides and merged, loops once for any round. */
#include "wgsl/flow.h"
#include "wgsl/flow_walk.h"

#include <string.h>

/* Nodes walked for one entry point, and for all of a module, callees counted where they are called. */
#define WORK_PER_NODE 4
#define WORK_AT_LEAST 60000
#define ALL_WORK_PER_NODE 8
#define ALL_WORK_AT_LEAST 500000

/* Terms and facts looked at by the questions about one entry point, and about all of a module. */
#define QUERIES_PER_NODE 16
#define QUERIES_AT_LEAST 2000000

/* ---- the walk's state -------------------------------------------------------------------------------------------- */

bool tl_walk_spend(tl_walk *w, uint32_t nodes)
{
    w->budget -= nodes;
    if (w->budget >= 0 && !w->v->full && !w->c->full) return true;
    w->flow->complete = false;
    return false;
}

bool tl_walk_grow(tl_walk *w, void **array, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) return true;
    uint32_t wanted = *capacity == 0 ? 64 : *capacity * 2;
    void *moved = tl_arena_alloc(w->c->arena, wanted, size, 8);
    if (moved == NULL) {
        w->c->full = true;
        return false;
    }
    if (*array != NULL) memcpy(moved, *array, count * size);
    *array = moved;
    *capacity = wanted;
    return true;
}

void tl_walk_push(tl_walk *w, tl_changes *list, uint32_t declaration, tl_term value)
{
    if (!TL_WALK_GROW(w, list->items, list->count, list->capacity)) return;
    list->items[list->count++] = (tl_change){declaration, value};
}

void tl_walk_set(tl_walk *w, uint32_t declaration, tl_term value)
{
    if (w->value[declaration] == value) return;
    tl_walk_push(w, &w->trail, declaration, w->value[declaration]);
    w->value[declaration] = value;
}

static void undo(tl_walk *w, uint32_t mark)
{
    while (w->trail.count > mark) {
        tl_change change = w->trail.items[--w->trail.count];
        w->value[change.declaration] = change.value;
    }
}

static void add_fact(tl_walk *w, tl_term condition, bool holds, uint32_t node)
{
    tl_flow *f = w->flow;
    if (!TL_WALK_GROW(w, f->facts, f->fact_count, f->fact_capacity)) return;
    f->facts[f->fact_count] = (tl_fact){.condition = condition, .holds = holds, .before = w->head, .node = node};
    w->head = f->fact_count++;
}

static void assume(tl_walk *w, tl_term condition, bool holds, uint32_t node, uint32_t depth);

/* `choice op other` cannot come out as `holds`, as far as constants and the ranges of ids tell. */
static bool is_ruled_out(tl_walk *w, tl_wgsl_op op, tl_term choice, tl_term other, bool holds)
{
    int64_t value;
    const tl_term_info *a = tl_term_get(w->v, choice), *b = tl_term_get(w->v, other);
    if (op == TL_OP_EQUAL && holds && a->kind == TL_TERM_CONSTANT && (a->lo < b->lo || a->lo > b->hi)) {
        return a->type == TL_TYPE_U32 || a->type == TL_TYPE_I32;
    }
    if (b->kind != TL_TERM_CONSTANT) return false;
    return tl_term_constant(w->v, tl_term_binary(w->v, op, choice, other, TL_TYPE_BOOL), &value) &&
           (value != 0) != holds;
}

/* `select(x, y, c) == k`: where k rules out one of the two, c is known. */
static void assume_choice(tl_walk *w, tl_wgsl_op op, tl_term choice, tl_term other, bool holds, uint32_t node,
                          uint32_t depth)
{
    const tl_term_info info = *tl_term_get(w->v, choice);
    if (info.kind != TL_TERM_SELECT) return;
    if (is_ruled_out(w, op, info.a, other, holds)) assume(w, info.c, true, node, depth + 1);
    if (is_ruled_out(w, op, info.b, other, holds)) assume(w, info.c, false, node, depth + 1);
}

static void assume(tl_walk *w, tl_term condition, bool holds, uint32_t node, uint32_t depth)
{
    const tl_term_info info = *tl_term_get(w->v, condition);
    if (depth > 24 || info.kind == TL_TERM_CONSTANT) return;
    if (info.kind == TL_TERM_UNARY && info.op == TL_OP_NOT) {
        assume(w, info.a, !holds, node, depth + 1);
        return;
    }
    bool splits = info.kind == TL_TERM_BINARY && info.op == (holds ? TL_OP_AND_AND : TL_OP_OR_OR);
    if (!splits) {
        add_fact(w, condition, holds, node);
        bool compares = info.kind == TL_TERM_BINARY && info.op >= TL_OP_LESS && info.op <= TL_OP_NOT_EQUAL;
        if (compares) assume_choice(w, (tl_wgsl_op)info.op, info.a, info.b, holds, node, depth);
        if (info.kind == TL_TERM_BINARY && info.op == TL_OP_EQUAL) {
            assume_choice(w, TL_OP_EQUAL, info.b, info.a, holds, node, depth);
        }
        return;
    }
    assume(w, info.a, holds, node, depth + 1);
    assume(w, info.b, holds, node, depth + 1);
}

void tl_walk_assume(tl_walk *w, tl_term condition, bool holds, uint32_t node)
{
    assume(w, condition, holds, node, 0);
}

void tl_walk_condition(tl_walk *w, tl_term condition, uint32_t node)
{
    tl_flow *f = w->flow;
    if (w->quiet > 0 || !TL_WALK_GROW(w, f->conditions, f->condition_count, f->condition_capacity)) return;
    f->conditions[f->condition_count++] =
        (tl_condition){.condition = condition, .node = node, .facts = w->head, .events = f->event_count};
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

static bool walk_statement(tl_walk *w, uint32_t node);
static bool walk_block(tl_walk *w, uint32_t block);

/* Keeps the values that were changed since the mark, once each, in w->saved. */
static void save_changes(tl_walk *w, uint32_t mark)
{
    tl_walk_spend(w, (w->trail.count - mark) / 4);
    uint32_t stamp = ++w->stamp_now;
    for (uint32_t k = mark; k < w->trail.count; k++) {
        uint32_t declaration = w->trail.items[k].declaration;
        if (w->stamp[declaration] == stamp) continue;
        w->stamp[declaration] = stamp;
        tl_walk_push(w, &w->saved, declaration, w->value[declaration]);
    }
}

static void merge_value(tl_walk *w, uint32_t declaration, tl_term on_true, tl_term on_false, tl_term condition)
{
    if (on_true == 0 || on_false == 0 || on_true == on_false) return; /* a variable of one of the branches */
    tl_walk_set(w, declaration, tl_term_select(w->v, on_false, on_true, condition));
}

/* The state is that of the else branch (changes since mark); the then branch's changes are in saved, from saved_mark. */
static void merge(tl_walk *w, uint32_t mark, uint32_t saved_mark, tl_term condition)
{
    uint32_t stamp = ++w->stamp_now;
    for (uint32_t k = saved_mark; k < w->saved.count; k++) {
        tl_change change = w->saved.items[k];
        w->stamp[change.declaration] = stamp;
    }
    uint32_t changed = w->trail.count;
    for (uint32_t k = mark; k < changed; k++) {
        tl_change before = w->trail.items[k];
        if (w->stamp[before.declaration] == stamp) continue;
        w->stamp[before.declaration] = stamp;
        merge_value(w, before.declaration, before.value, w->value[before.declaration], condition);
    }
    for (uint32_t k = saved_mark; k < w->saved.count; k++) {
        tl_change change = w->saved.items[k];
        merge_value(w, change.declaration, change.value, w->value[change.declaration], condition);
    }
}

static void replay(tl_walk *w, uint32_t saved_mark)
{
    for (uint32_t k = saved_mark; k < w->saved.count; k++) {
        tl_walk_set(w, w->saved.items[k].declaration, w->saved.items[k].value);
    }
}

/* A return in a branch is known by the branch's condition as long as it is the only branch around it. */
static void note_return(tl_walk *w, tl_term value)
{
    if (!TL_WALK_GROW(w, w->returns, w->return_count, w->return_capacity)) return;
    w->returns[w->return_count++] = (tl_return){.value = value};
}

static void condition_returns(tl_walk *w, uint32_t begin, tl_term condition, bool holds)
{
    for (uint32_t k = begin; k < w->return_count; k++) {
        tl_return *r = &w->returns[k];
        tl_term here = holds ? condition : tl_term_unary(w->v, TL_OP_NOT, condition, TL_TYPE_BOOL);
        r->condition = r->condition == 0 ? here : tl_term_binary(w->v, TL_OP_AND_AND, here, r->condition, TL_TYPE_BOOL);
    }
}

/* The branch of condition k of an IF and all that follow it. */
static bool walk_branches(tl_walk *w, uint32_t list, uint32_t k)
{
    uint32_t count = tl_list_count(w->m, list);
    if (k >= count) return true;
    if (k + 1 == count) return walk_block(w, tl_list_at(w->m, list, k));
    uint32_t test = tl_list_at(w->m, list, k);
    tl_term condition = tl_walk_value(w, test);
    tl_walk_condition(w, condition, test);
    uint32_t head = w->head, mark = w->trail.count, saved_mark = w->saved.count, returns = w->return_count;
    tl_walk_assume(w, condition, true, test);
    bool then_falls = walk_block(w, tl_list_at(w->m, list, k + 1));
    uint32_t then_head = w->head;
    condition_returns(w, returns, condition, true);
    save_changes(w, mark);
    undo(w, mark);
    w->head = head;
    returns = w->return_count;
    tl_walk_assume(w, condition, false, test);
    if (++w->depth > TL_WALK_DEPTH_MAX) w->flow->complete = false;
    bool else_falls = w->depth > TL_WALK_DEPTH_MAX || walk_branches(w, list, k + 2);
    w->depth--;
    condition_returns(w, returns, condition, false);
    if (then_falls && else_falls) {
        merge(w, mark, saved_mark, condition);
        w->head = head;
    } else if (then_falls) {
        undo(w, mark);
        replay(w, saved_mark);
        w->head = then_head;
    }
    w->saved.count = saved_mark;
    return then_falls || else_falls;
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* The variable of the invocation that a target or an operand of & stands for; 0 when it is other memory. */
static uint32_t changed_variable(const tl_walk *w, uint32_t expression)
{
    uint32_t root = tl_query_root(w->m, expression);
    uint32_t declaration = root != 0 ? tl_query_declaration(w->m, root) : 0;
    if (declaration == 0) return 0;
    if (w->m->nodes[declaration].kind != TL_NODE_VAR) {
        bool pointer = w->value[declaration] != 0;
        declaration = pointer ? tl_place_root(w->v, w->value[declaration]) : 0;
        if (declaration == 0) return 0;
    }
    if ((w->m->nodes[declaration].flags & TL_FLAG_GLOBAL) == 0) return declaration;
    return tl_query_global_record(w->m, declaration)->space == TL_SPACE_PRIVATE ? declaration : 0;
}

/* Adds a variable; the statement is 0 when it is changed in more than one place, or not by an assignment. */
static void add_root(tl_walk *w, uint32_t declaration, uint32_t statement)
{
    if (declaration == 0) return;
    if (w->stamp[declaration] != w->stamp_now) {
        w->stamp[declaration] = w->stamp_now;
        w->slot[declaration] = w->roots.count;
        tl_walk_push(w, &w->roots, declaration, statement);
        return;
    }
    w->roots.items[w->slot[declaration]].value = 0;
}

static void add_privates(tl_walk *w)
{
    const tl_wgsl_semantics *s = w->m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        if (s->globals[k].space == TL_SPACE_PRIVATE && w->value[s->globals[k].node] != 0) {
            add_root(w, s->globals[k].node, 0);
        }
    }
}

/* The variables that the statements of a subtree change, in w->roots from here on. A subtree's nodes are contiguous, and
 * all that lies before it begins before it. */
static void collect_roots(tl_walk *w, uint32_t node)
{
    uint32_t first = w->m->nodes[node].first, at = node;
    bool calls = false;
    w->stamp_now++;
    for (; at > 1 && w->m->nodes[at - 1].first >= first; at--) {
        const tl_wgsl_node *n = &w->m->nodes[at - 1];
        switch (n->kind) {
        case TL_NODE_ASSIGN:
        case TL_NODE_INCREMENT:
        case TL_NODE_DECREMENT: add_root(w, changed_variable(w, n->a), at - 1); break;
        case TL_NODE_UNARY:
            if (n->op == TL_OP_ADDRESS) add_root(w, changed_variable(w, n->a), 0);
            break;
        case TL_NODE_CALL: {
            uint32_t callee = tl_node_declaration(w->m, at - 1);
            calls =
                calls || (callee != 0 && (callee & TL_NAME_TAG_MASK) == 0 && w->m->nodes[callee].kind == TL_NODE_FN);
            for (uint32_t k = 0; k < tl_list_count(w->m, n->b); k++) { /* pointers that are handed on */
                uint32_t argument = tl_list_at(w->m, n->b, k);
                bool pointer = tl_type_kind(&w->m->semantics->types, tl_node_type(w->m, argument)) == TL_KIND_POINTER;
                if (pointer) add_root(w, changed_variable(w, argument), 0);
            }
            break;
        }
        default: break;
        }
    }
    if (calls) add_privates(w);
    tl_walk_spend(w, (node - at) / 4);
}

/* x += e, x = x + e, x++ and so on as an operation and its operand (0: one). */
static bool is_step(const tl_walk *w, uint32_t statement, uint32_t variable, tl_wgsl_op *op, uint32_t *operand)
{
    const tl_wgsl_node *n = &w->m->nodes[statement];
    *operand = 0;
    *op = n->kind == TL_NODE_INCREMENT ? TL_OP_ADD : TL_OP_SUBTRACT;
    if (!tl_query_is_reference(w->m, n->a, variable)) return false;
    if (n->kind != TL_NODE_ASSIGN) return true;
    *op = (tl_wgsl_op)n->op;
    *operand = n->b;
    if (*op == TL_OP_NONE) {
        const tl_wgsl_node *value = &w->m->nodes[tl_without_parentheses(w->m, n->b)];
        if (value->kind != TL_NODE_BINARY) return false;
        *op = (tl_wgsl_op)value->op;
        *operand = value->b;
        if (!tl_query_is_reference(w->m, value->a, variable)) {
            bool swaps = (*op == TL_OP_ADD || *op == TL_OP_MULTIPLY) && tl_query_is_reference(w->m, value->b, variable);
            if (!swaps) return false;
            *operand = value->a;
        }
    }
    return *op == TL_OP_ADD || *op == TL_OP_SUBTRACT || *op == TL_OP_MULTIPLY || *op == TL_OP_DIVIDE ||
           *op == TL_OP_SHIFT_LEFT || *op == TL_OP_SHIFT_RIGHT;
}

/* Statements of a list ascend, as all nodes of one level do. */
static bool list_has(const telar_wgsl *m, uint32_t list, uint32_t node)
{
    uint32_t low = 0, high = tl_list_count(m, list);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, at = tl_list_at(m, list, middle);
        if (at == node) return true;
        if (at < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

/* Does the statement stand where every round passes: the update, the body itself, the continuing block? */
static bool is_in_every_round(const telar_wgsl *m, uint32_t body, uint32_t update, uint32_t statement)
{
    if (statement == update) return true;
    uint32_t list = m->nodes[body].a, count = tl_list_count(m, list);
    if (list_has(m, list, statement)) return true;
    uint32_t last = count > 0 ? tl_list_at(m, list, count - 1) : 0;
    if (last == 0 || m->nodes[last].kind != TL_NODE_CONTINUING) return false;
    return list_has(m, m->nodes[m->nodes[last].a].a, statement);
}

/* Whether a term holds a variable of this loop; true when it is too deep to say. */
static bool varies_in(const tl_values *v, tl_term term, uint32_t loop, uint32_t depth)
{
    const tl_term_info *info = tl_term_get(v, term);
    if ((info->depends & TL_ON_LOOP) == 0) return false;
    if (info->kind == TL_TERM_LOOP) return info->a >= loop;
    if (depth == 0) return true;
    bool two = info->kind == TL_TERM_BINARY || info->kind == TL_TERM_MIN || info->kind == TL_TERM_MAX;
    if (two) return varies_in(v, info->a, loop, depth - 1) || varies_in(v, info->b, loop, depth - 1);
    if (info->kind == TL_TERM_UNARY || info->kind == TL_TERM_CONVERT) return varies_in(v, info->a, loop, depth - 1);
    return true;
}

static void set_range_of_induction(tl_values *v, const tl_induction *induction)
{
    tl_term_info *info = &v->terms[induction->term];
    const tl_term_info *start = tl_term_get(v, induction->start), *step = tl_term_get(v, induction->step);
    bool grows = induction->op == TL_OP_ADD || induction->op == TL_OP_MULTIPLY || induction->op == TL_OP_SHIFT_LEFT;
    if (start->type != info->type || (info->type != TL_TYPE_U32 && info->type != TL_TYPE_I32)) return;
    if (induction->op == TL_OP_MULTIPLY || induction->op == TL_OP_SHIFT_LEFT) return; /* wraps soon */
    if (start->lo < 0 || step->lo < 0) return;
    if (grows) {
        info->lo = start->lo;
    } else if (induction->op != TL_OP_SUBTRACT || info->type == TL_TYPE_I32) {
        info->hi = start->hi;
    }
}

/* How the variable goes on from round to round, where that is one operation with a step that stays. */
static void note_induction(tl_walk *w, uint32_t loop, tl_change root, tl_term start, uint32_t body, uint32_t update)
{
    tl_term term = w->value[root.declaration];
    tl_induction *induction = tl_term_is(w->v, term, TL_TERM_LOOP) ? tl_induction_add(w->v, term) : NULL;
    if (induction == NULL) return;
    induction->start = start;
    tl_wgsl_op op;
    uint32_t operand, statement = root.value;
    if (statement == 0 || !is_step(w, statement, root.declaration, &op, &operand)) return;
    if (!is_in_every_round(w->m, body, update, statement)) return;
    w->quiet++;
    tl_term step =
        operand != 0 ? tl_walk_value(w, operand) : tl_term_int(w->v, tl_node_value_type(w->m, root.declaration), 1);
    w->quiet--;
    if (varies_in(w->v, step, loop, 16)) return;
    induction = &w->v->inductions[w->v->induction_of[term]];
    induction->op = op;
    induction->step = step;
    induction->node = statement;
    set_range_of_induction(w->v, induction);
}

static uint32_t new_loop(tl_walk *w, uint32_t node, uint32_t condition)
{
    tl_values *v = w->v;
    if (v->loop_count >= v->loop_capacity && !TL_WALK_GROW(w, v->loops, v->loop_count, v->loop_capacity)) { return 0; }
    v->loops[v->loop_count] = (tl_loop){.node = node, .outer = w->loop, .condition = condition};
    return v->loop_count++;
}

/* Gives every variable that the loop changes a value for any round. */
static void enter_loop(tl_walk *w, uint32_t loop, uint32_t roots, uint32_t body, uint32_t update)
{
    uint32_t starts = w->saved.count;
    for (uint32_t k = roots; k < w->roots.count; k++) {
        uint32_t declaration = w->roots.items[k].declaration;
        tl_term start = w->value[declaration];
        tl_walk_push(w, &w->saved, declaration, start);
        if (start == 0) continue; /* declared inside */
        tl_type type = tl_node_value_type(w->m, declaration);
        uint32_t depends = tl_term_get(w->v, start)->depends;
        tl_walk_set(w, declaration, tl_term_loop(w->v, loop, declaration, type, depends));
    }
    for (uint32_t k = roots; k < w->roots.count; k++) {
        tl_term start = w->saved.items[starts + k - roots].value;
        if (start != 0) note_induction(w, loop, w->roots.items[k], start, body, update);
    }
    w->saved.count = starts;
}

/* After the loop nothing is known of what it changed. */
static void leave_loop(tl_walk *w, uint32_t roots)
{
    for (uint32_t k = roots; k < w->roots.count; k++) {
        uint32_t declaration = w->roots.items[k].declaration;
        tl_term term = w->value[declaration];
        if (term == 0) continue;
        tl_type type = tl_node_value_type(w->m, declaration);
        tl_walk_set(w, declaration, tl_term_unknown(w->v, type, tl_term_get(w->v, term)->depends));
    }
    w->roots.count = roots;
}

static bool walk_loop(tl_walk *w, uint32_t node, uint32_t test, uint32_t body, uint32_t update)
{
    uint32_t roots = w->roots.count, head = w->head, outer = w->loop;
    uint32_t loop = new_loop(w, node, test);
    if (loop == 0) return true;
    collect_roots(w, node);
    enter_loop(w, loop, roots, body, update);
    w->loop = loop;
    uint32_t returns = w->return_count;
    if (test != 0) {
        tl_term condition = tl_walk_value(w, test);
        w->v->loops[loop].condition_term = condition;
        tl_walk_condition(w, condition, test);
        tl_walk_assume(w, condition, true, test);
    }
    bool falls = walk_block(w, body);
    if (falls && update != 0) walk_statement(w, update);
    if (w->return_count != returns) w->frame->tangled = true;
    w->loop = outer;
    w->head = head;
    leave_loop(w, roots);
    return true;
}

static bool walk_for(tl_walk *w, uint32_t node)
{
    const tl_for_parts *parts = TL_PARTS(tl_for_parts, w->m, node);
    if (parts->init != 0) walk_statement(w, parts->init);
    return walk_loop(w, node, parts->condition, parts->body, parts->update);
}

/* ---- switch ------------------------------------------------------------------------------------------------------ */

static bool walk_switch(tl_walk *w, uint32_t node)
{
    const tl_switch_parts *parts = TL_PARTS(tl_switch_parts, w->m, node);
    tl_term subject = tl_walk_value(w, parts->subject);
    uint32_t head = w->head, roots = w->roots.count, returns = w->return_count;
    collect_roots(w, node);
    for (uint32_t k = 0; k < tl_list_count(w->m, parts->cases); k++) {
        const tl_wgsl_node *one = &w->m->nodes[tl_list_at(w->m, parts->cases, k)];
        uint32_t mark = w->trail.count, selector = tl_list_at(w->m, one->a, 0);
        bool single = tl_list_count(w->m, one->a) == 1 && w->m->nodes[selector].kind != TL_NODE_DEFAULT_SELECTOR;
        if (single) {
            tl_term value = tl_walk_value(w, selector);
            tl_walk_assume(w, tl_term_binary(w->v, TL_OP_EQUAL, subject, value, TL_TYPE_BOOL), true, selector);
        }
        walk_block(w, one->b);
        undo(w, mark);
        w->head = head;
    }
    if (w->return_count != returns) w->frame->tangled = true;
    leave_loop(w, roots);
    return true;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static void declare(tl_walk *w, uint32_t node)
{
    uint32_t init = TL_PARTS(tl_var_parts, w->m, node)->init;
    const tl_wgsl_node *n = &w->m->nodes[node];
    tl_type type = tl_node_value_type(w->m, node);
    if (n->kind == TL_NODE_CONST) return;
    tl_term value = init != 0 ? tl_walk_value(w, init) : tl_walk_zero(w, type);
    tl_walk_set(w, node, value);
}

static tl_term step_of(tl_walk *w, const tl_wgsl_node *n, tl_term old, tl_type type)
{
    if (n->kind == TL_NODE_ASSIGN) return tl_walk_operate(w, (tl_wgsl_op)n->op, old, tl_walk_value(w, n->b), type);
    tl_wgsl_op op = n->kind == TL_NODE_INCREMENT ? TL_OP_ADD : TL_OP_SUBTRACT;
    return tl_walk_operate(w, op, old, tl_term_int(w->v, type, 1), type);
}

static void assign(tl_walk *w, uint32_t node)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    tl_type type = tl_node_value_type(w->m, n->a);
    tl_term place = tl_walk_expression(w, n->a);
    bool plain = n->kind == TL_NODE_ASSIGN && n->op == TL_OP_NONE;
    tl_term value = plain ? tl_walk_value(w, n->b) : step_of(w, n, tl_walk_load(w, place, n->a), type);
    tl_walk_store(w, place, value, n->a);
}

static bool walk_return(tl_walk *w, uint32_t node)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    if (n->a != 0) note_return(w, tl_walk_value(w, n->a));
    return false;
}

/* False when what follows is not reached. */
static bool walk_one(tl_walk *w, uint32_t node)
{
    const tl_wgsl_node *n = &w->m->nodes[node];
    switch (n->kind) {
    case TL_NODE_BLOCK: return walk_block(w, node);
    case TL_NODE_IF: return walk_branches(w, n->a, 0);
    case TL_NODE_SWITCH: return walk_switch(w, node);
    case TL_NODE_LOOP: return walk_loop(w, node, 0, n->a, 0);
    case TL_NODE_WHILE: {
        const tl_while_parts *parts = TL_PARTS(tl_while_parts, w->m, node);
        return walk_loop(w, node, parts->condition, parts->body, 0);
    }
    case TL_NODE_FOR: return walk_for(w, node);
    case TL_NODE_CONTINUING: return walk_block(w, n->a);
    case TL_NODE_BREAK_IF: {
        tl_term condition = tl_walk_value(w, n->a);
        tl_walk_condition(w, condition, n->a);
        return true;
    }
    case TL_NODE_BREAK:
    case TL_NODE_CONTINUE:
    case TL_NODE_DISCARD: return false;
    case TL_NODE_RETURN: return walk_return(w, node);
    case TL_NODE_VAR:
    case TL_NODE_LET:
    case TL_NODE_CONST: declare(w, node); return true;
    case TL_NODE_ASSIGN:
    case TL_NODE_INCREMENT:
    case TL_NODE_DECREMENT: assign(w, node); return true;
    case TL_NODE_PHONY: tl_walk_value(w, n->a); return true;
    case TL_NODE_CALL_STATEMENT: tl_walk_expression(w, n->a); return true;
    default: return true;
    }
}

static bool walk_statement(tl_walk *w, uint32_t node)
{
    if (!tl_walk_spend(w, 1)) return true;
    if (++w->depth > TL_WALK_DEPTH_MAX) {
        w->flow->complete = false;
        w->depth--;
        return true;
    }
    bool falls = walk_one(w, node);
    w->depth--;
    return falls;
}

static bool walk_block(tl_walk *w, uint32_t block)
{
    uint32_t list = w->m->nodes[block].a;
    bool falls = true;
    for (uint32_t k = 0; k < tl_list_count(w->m, list); k++) {
        uint32_t node = tl_list_at(w->m, list, k);
        bool continuing = w->m->nodes[node].kind == TL_NODE_CONTINUING; /* `continue` leads there */
        if (falls || continuing) falls = walk_statement(w, node) && falls;
    }
    return falls;
}

/* The first return whose condition holds gives the value. */
static tl_term result_of(tl_walk *w, const tl_frame *frame)
{
    uint32_t count = w->return_count;
    if (count == frame->returns_begin) return 0;
    tl_term result = w->returns[count - 1].value;
    for (uint32_t k = count - 1; k > frame->returns_begin; k--) {
        const tl_return *r = &w->returns[k - 1];
        if (frame->tangled || r->condition == 0) {
            uint32_t depends = (uint32_t)tl_term_get(w->v, result)->depends | tl_term_get(w->v, r->value)->depends;
            result = tl_term_unknown(w->v, tl_term_get(w->v, result)->type, depends | TL_ON_UNKNOWN);
        } else {
            result = tl_term_select(w->v, result, r->value, r->condition);
        }
    }
    if (frame->tangled) {
        const tl_term_info info = *tl_term_get(w->v, result);
        result = tl_term_unknown(w->v, info.type, info.depends | TL_ON_UNKNOWN);
    }
    return result;
}

tl_term tl_walk_function(tl_walk *w, uint32_t function)
{
    tl_frame frame = {.returns_begin = w->return_count}, *outer = w->frame;
    w->frame = &frame;
    walk_block(w, TL_PARTS(tl_fn_parts, w->m, function)->body);
    tl_term result = result_of(w, &frame);
    w->return_count = frame.returns_begin;
    w->frame = outer;
    return result;
}

/* ---- the entry point --------------------------------------------------------------------------------------------- */

static tl_term builtin_term(tl_walk *w, tl_builtin_value value, tl_type type)
{
    const tl_type_info *info = tl_type_get(&w->m->semantics->types, type);
    if (info->kind != TL_KIND_VECTOR) return tl_term_builtin(w->v, value, 0);
    tl_term parts[4];
    for (uint32_t k = 0; k < info->rows; k++) parts[k] = tl_term_builtin(w->v, value, k);
    return tl_term_composite(w->v, type, parts, info->rows);
}

/* The value of a parameter, or of a member, by its @builtin. */
static tl_term input_term(tl_walk *w, uint32_t node)
{
    tl_type type = tl_node_value_type(w->m, node);
    uint32_t attributes = TL_PARTS(tl_member_parts, w->m, node)->attributes;
    uint32_t attribute = tl_list_attribute(w->m, attributes, TL_ATTR_BUILTIN);
    if (attribute != 0) return builtin_term(w, (tl_builtin_value)tl_node_declaration(w->m, attribute), type);
    const tl_struct *record = tl_type_struct(&w->m->semantics->types, type);
    if (record == NULL || record->member_count > 32) return tl_term_unknown(w->v, type, TL_ON_UNKNOWN);
    tl_term parts[32];
    for (uint32_t k = 0; k < record->member_count; k++) {
        const tl_member *member = &tl_type_members(&w->m->semantics->types, type)[k];
        bool leaf = member->node != 0 && tl_type_kind(&w->m->semantics->types, member->type) != TL_KIND_STRUCT;
        parts[k] = leaf ? input_term(w, member->node) : tl_term_unknown(w->v, member->type, TL_ON_UNKNOWN);
    }
    return tl_term_composite(w->v, type, parts, record->member_count);
}

static void bind_parameters(tl_walk *w, uint32_t function)
{
    uint32_t params = TL_PARTS(tl_fn_parts, w->m, function)->params;
    for (uint32_t k = 0; k < tl_list_count(w->m, params); k++) {
        uint32_t param = tl_list_at(w->m, params, k);
        tl_walk_set(w, param, input_term(w, param));
    }
}

/* How often the global at the root of an expression is written; NULL when it is another place. */
static uint32_t *writes_of(tl_check *c, uint32_t expression)
{
    uint32_t root = tl_query_root(c->m, expression);
    uint32_t declaration = root != 0 ? tl_query_declaration(c->m, root) : 0;
    if (declaration == 0 || (c->m->nodes[declaration].flags & TL_FLAG_GLOBAL) == 0) return NULL;
    return &c->walk_written[tl_node_declaration(c->m, declaration)];
}

static void count_write(tl_check *c, uint32_t node)
{
    uint32_t *count = writes_of(c, c->m->nodes[node].a);
    if (count != NULL) ++*count;
}

/* A pointer is taken to write, */
static void count_address(tl_check *c, uint32_t node)
{
    if (c->m->nodes[node].op == TL_OP_ADDRESS) count_write(c, node);
}

/* but arrayLength(&a) only asks. */
static void discount_length(tl_check *c, uint32_t call)
{
    if (tl_query_builtin_call(c->m, call) != TL_BUILTIN_arrayLength) return;
    uint32_t argument = tl_without_parentheses(c->m, tl_list_at(c->m, c->m->nodes[call].b, 0));
    const tl_wgsl_node *n = &c->m->nodes[argument];
    uint32_t *count = n->kind == TL_NODE_UNARY && n->op == TL_OP_ADDRESS ? writes_of(c, argument) : NULL;
    if (count != NULL) --*count;
}

static void count_writes(tl_check *c)
{
    tl_check_each(c, TL_NODE_ASSIGN, count_write);
    tl_check_each(c, TL_NODE_INCREMENT, count_write);
    tl_check_each(c, TL_NODE_DECREMENT, count_write);
    tl_check_each(c, TL_NODE_UNARY, count_address);
    tl_check_each(c, TL_NODE_CALL, discount_length);
}

/* The tables that all entry points share. */
bool tl_flow_prepare(tl_check *c)
{
    const telar_wgsl *m = c->m;
    c->walk_value = TL_ARENA_ARRAY(c->arena, uint32_t, m->node_count);
    c->walk_stamp = TL_ARENA_ARRAY(c->arena, uint32_t, m->node_count);
    c->walk_slot = TL_ARENA_ARRAY(c->arena, uint32_t, m->node_count);
    c->walk_written = TL_ARENA_ARRAY(c->arena, uint32_t, m->semantics->global_count + 1);
    c->walk_work = (int64_t)m->node_count * ALL_WORK_PER_NODE + ALL_WORK_AT_LEAST;
    c->query_work = (int64_t)m->node_count * QUERIES_PER_NODE + QUERIES_AT_LEAST;
    bool full = c->walk_value == NULL || c->walk_stamp == NULL || c->walk_slot == NULL || c->walk_written == NULL;
    if (!full) count_writes(c);
    return !full;
}

static void share_memory(const tl_check *c, tl_walk *w)
{
    w->value = c->walk_value;
    w->stamp = c->walk_stamp;
    w->slot = c->walk_slot;
    w->stamp_now = c->walk_stamp_now;
    w->written = c->walk_written;
}

static void prepare_values(tl_check *c, tl_values *v)
{
    memcpy(v->size, c->size, sizeof v->size);
    memcpy(v->dispatch, c->launch.dispatch, sizeof v->dispatch);
    uint64_t limit = c->facts.limits.maxComputeWorkgroupsPerDimension;
    v->groups_limit = limit > UINT32_MAX ? UINT32_MAX : limit == 0 ? 1 : (uint32_t)limit;
    v->given = c->given;
    v->given_count = c->given_count;
    for (uint32_t k = 0; k < 3; k++) {
        v->group[k] = tl_term_builtin(v, TL_VALUE_workgroup_id, k);
        v->local[k] = tl_term_builtin(v, TL_VALUE_local_invocation_id, k);
    }
}

tl_flow *tl_flow_of(tl_check *c)
{
    if (c->flow != NULL) return c->flow;
    tl_flow *flow = TL_ARENA_ARRAY(c->arena, tl_flow, 1);
    if (flow == NULL || !tl_values_init(&flow->values, c->m, c->arena)) {
        c->full = true;
        return NULL;
    }
    flow->fact_count = 1;
    flow->complete = true;
    flow->work = &c->query_work;
    tl_walk walk = {.c = c, .m = c->m, .flow = flow, .v = &flow->values};
    walk.flow->facts = TL_ARENA_ARRAY(c->arena, tl_fact, 16);
    walk.flow->fact_capacity = 16;
    if (walk.flow->facts == NULL) {
        c->full = true;
        return NULL;
    }
    share_memory(c, &walk);
    flow->values.loops = TL_ARENA_ARRAY(c->arena, tl_loop, 8);
    flow->values.loop_capacity = flow->values.loops != NULL ? 8 : 0;
    flow->values.inductions = TL_ARENA_ARRAY(c->arena, tl_induction, 8);
    flow->values.induction_capacity = flow->values.inductions != NULL ? 8 : 0;
    prepare_values(c, &flow->values);
    int64_t work = (int64_t)c->m->node_count * WORK_PER_NODE + WORK_AT_LEAST;
    walk.budget = work < c->walk_work ? work : c->walk_work;
    int64_t begin = walk.budget;
    bind_parameters(&walk, c->entry_function);
    tl_walk_function(&walk, c->entry_function);
    undo(&walk, 0);
    c->walk_work -= begin - walk.budget;
    c->walk_stamp_now = walk.stamp_now;
    if (flow->values.full) c->full = true;
    c->flow = flow;
    return c->full ? NULL : flow;
}

const tl_global *tl_event_global(const tl_flow *flow, const tl_event *event)
{
    uint32_t root = event->place != 0 ? tl_place_root(&flow->values, event->place) : 0;
    const telar_wgsl *m = flow->values.m;
    if (root == 0 || (m->nodes[root].flags & TL_FLAG_GLOBAL) == 0) return NULL;
    return tl_query_global_record(m, root);
}
