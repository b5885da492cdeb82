/* SPDX-License-Identifier: MIT
 *
 * Function bodies: statements, their scopes, and how control leaves them, from which a missing return follows. */
#include "wgsl/resolver.h"

static unsigned resolve_statement(tl_resolver *r, uint32_t node);

/* ---- sequences ---- */

static unsigned resolve_list(tl_resolver *r, uint32_t list)
{
    unsigned leaves = TL_LEAVES_NEXT;
    for (uint32_t k = 0; k < tl_list_count(r->m, list) && !tl_wgsl_log_full(r->log); k++) {
        unsigned next = resolve_statement(r, tl_list_at(r->m, list, k));
        /* What follows a return or break is checked, but never reached. */
        if ((leaves & TL_LEAVES_NEXT) != 0) leaves = (leaves & ~(unsigned)TL_LEAVES_NEXT) | next;
    }
    return leaves;
}

static unsigned resolve_block(tl_resolver *r, uint32_t block)
{
    tl_resolve_attributes(r, tl_at(r, block)->b);
    uint32_t mark = tl_scope_enter(r);
    unsigned leaves = resolve_list(r, tl_at(r, block)->a);
    tl_scope_leave(r, mark);
    return leaves;
}

/* ---- conditions and loops ---- */

static void resolve_condition(tl_resolver *r, uint32_t node, const char *what)
{
    tl_type type = tl_resolve_value(r, node);
    if (type != TL_TYPE_BOOL && type != TL_TYPE_UNKNOWN) {
        tl_resolve_error(r, node, "the condition of %s must be 'bool', not '%s'", what, tl_resolve_type_text(r, type));
    }
}

static unsigned resolve_if(tl_resolver *r, uint32_t node)
{
    uint32_t list = tl_at(r, node)->a;
    uint32_t count = tl_list_count(r->m, list);
    unsigned leaves = 0;
    tl_resolve_attributes(r, tl_at(r, node)->b);
    for (uint32_t k = 0; k + 1 < count; k += 2) {
        resolve_condition(r, tl_list_at(r->m, list, k), "if");
        leaves |= resolve_block(r, tl_list_at(r->m, list, k + 1));
    }
    if (count % 2 == 0) return leaves | TL_LEAVES_NEXT;
    return leaves | resolve_block(r, tl_list_at(r->m, list, count - 1));
}

static unsigned after_loop(unsigned body, bool has_condition)
{
    bool ends = has_condition || (body & TL_LEAVES_BREAK) != 0;
    return (body & TL_LEAVES_RETURN) | (ends ? TL_LEAVES_NEXT : 0u);
}

static unsigned resolve_loop_body(tl_resolver *r, uint32_t block)
{
    r->loops++;
    r->breakables++;
    uint32_t continuings = r->continuings;
    r->continuings = 0;
    unsigned leaves = resolve_block(r, block);
    r->continuings = continuings;
    r->breakables--;
    r->loops--;
    return leaves;
}

static unsigned resolve_while(tl_resolver *r, uint32_t node)
{
    const tl_while_parts *parts = TL_PARTS(tl_while_parts, r->m, node);
    tl_resolve_attributes(r, parts->attributes);
    resolve_condition(r, parts->condition, "while");
    return after_loop(resolve_loop_body(r, parts->body), true);
}

static unsigned resolve_for(tl_resolver *r, uint32_t node)
{
    const tl_for_parts *parts = TL_PARTS(tl_for_parts, r->m, node);
    tl_resolve_attributes(r, parts->attributes);
    uint32_t mark = tl_scope_enter(r);
    if (parts->init != 0) resolve_statement(r, parts->init);
    if (parts->condition != 0) resolve_condition(r, parts->condition, "for");
    if (parts->update != 0) resolve_statement(r, parts->update);
    unsigned leaves = resolve_loop_body(r, parts->body);
    tl_scope_leave(r, mark);
    return after_loop(leaves, parts->condition != 0);
}

static unsigned resolve_continuing(tl_resolver *r, uint32_t node)
{
    uint32_t breakables = r->breakables;
    r->continuings++;
    r->breakables = 0;
    unsigned leaves = resolve_block(r, tl_at(r, node)->a);
    r->breakables = breakables;
    r->continuings--;
    if ((leaves & TL_LEAVES_RETURN) != 0) { tl_resolve_error(r, node, "a continuing block cannot return"); }
    return leaves & TL_LEAVES_BREAK;
}

/* The continuing block of a loop is reached by continue and by the end of the body. */
static unsigned resolve_loop(tl_resolver *r, uint32_t node)
{
    tl_resolve_attributes(r, tl_at(r, node)->b);
    uint32_t block = tl_at(r, node)->a;
    uint32_t list = tl_at(r, block)->a;
    unsigned leaves = resolve_loop_body(r, block);
    uint32_t count = tl_list_count(r->m, list);
    uint32_t last = count > 0 ? tl_list_at(r->m, list, count - 1) : 0;
    if (last != 0 && tl_at(r, last)->kind == TL_NODE_CONTINUING) {
        uint32_t inner = tl_at(r, tl_at(r, last)->a)->a;
        uint32_t statements = tl_list_count(r->m, inner);
        bool breaks = statements > 0 && tl_at(r, tl_list_at(r->m, inner, statements - 1))->kind == TL_NODE_BREAK_IF;
        if (breaks) leaves |= TL_LEAVES_BREAK;
    }
    return after_loop(leaves, false);
}

/* ---- switch ---- */

typedef struct switch_state {
    tl_type type; /* of the subject and all selectors */
    uint32_t defaults;
} switch_state;

static void resolve_selector(tl_resolver *r, uint32_t node, switch_state *state)
{
    if (tl_at(r, node)->kind == TL_NODE_DEFAULT_SELECTOR) {
        state->defaults++;
        return;
    }
    tl_type type = tl_resolve_value(r, node);
    if (type == TL_TYPE_UNKNOWN || state->type == TL_TYPE_UNKNOWN) return;
    tl_type common = tl_type_common(&r->s->types, state->type, type);
    tl_constant value = r->s->constant[node];
    if (value == TL_CONSTANT_NONE || value == TL_CONSTANT_OVERRIDE) {
        tl_resolve_error(r, node, "a case selector must be a constant expression");
    } else if (common == TL_TYPE_UNKNOWN) {
        tl_resolve_error(r, node, "the case selector is '%s', the switch '%s'", tl_resolve_type_text(r, type),
                         tl_resolve_type_text(r, state->type));
    } else {
        state->type = common;
    }
}

#define SWITCH_LOOK_BACK 64

/* Equal values have equal numbers. Looks back over a bounded number of selectors. */
static void check_duplicates(tl_resolver *r, uint32_t cases)
{
    tl_constant seen[SWITCH_LOOK_BACK];
    uint32_t seen_count = 0;
    for (uint32_t k = 0; k < tl_list_count(r->m, cases); k++) {
        uint32_t selectors = tl_at(r, tl_list_at(r->m, cases, k))->a;
        for (uint32_t j = 0; j < tl_list_count(r->m, selectors); j++) {
            uint32_t node = tl_list_at(r->m, selectors, j);
            tl_constant value = r->s->constant[node];
            if (!tl_constant_is_value(value)) continue;
            uint32_t known = seen_count < SWITCH_LOOK_BACK ? seen_count : SWITCH_LOOK_BACK;
            for (uint32_t i = 0; i < known; i++) {
                if (seen[i] != value) continue;
                tl_resolve_error(r, node, "the case selector '%.*s' appears twice",
                                 TL_STR_ARGS(tl_node_text(r->m, node)));
                break;
            }
            seen[seen_count++ % SWITCH_LOOK_BACK] = value;
        }
    }
}

static void convert_selectors(tl_resolver *r, uint32_t cases, tl_type type)
{
    for (uint32_t k = 0; k < tl_list_count(r->m, cases); k++) {
        uint32_t selectors = tl_at(r, tl_list_at(r->m, cases, k))->a;
        for (uint32_t j = 0; j < tl_list_count(r->m, selectors); j++) {
            uint32_t node = tl_list_at(r->m, selectors, j);
            if (tl_at(r, node)->kind != TL_NODE_DEFAULT_SELECTOR) tl_convert(r, node, type);
        }
    }
}

static unsigned resolve_switch(tl_resolver *r, uint32_t node)
{
    const tl_switch_parts *parts = TL_PARTS(tl_switch_parts, r->m, node);
    tl_resolve_attributes(r, parts->attributes);
    tl_resolve_attributes(r, parts->body_attributes);
    switch_state state = {.type = tl_resolve_value(r, parts->subject)};
    if (state.type != TL_TYPE_UNKNOWN && !tl_kind_is_integer((tl_kind)state.type)) {
        tl_resolve_error(r, parts->subject, "a switch takes an 'i32' or 'u32', not '%s'",
                         tl_resolve_type_text(r, state.type));
        state.type = TL_TYPE_UNKNOWN;
    }
    unsigned leaves = 0;
    r->breakables++;
    for (uint32_t k = 0; k < tl_list_count(r->m, parts->cases); k++) {
        uint32_t clause = tl_list_at(r->m, parts->cases, k);
        for (uint32_t j = 0; j < tl_list_count(r->m, tl_at(r, clause)->a); j++) {
            resolve_selector(r, tl_list_at(r->m, tl_at(r, clause)->a, j), &state);
        }
        leaves |= resolve_block(r, tl_at(r, clause)->b);
    }
    r->breakables--;
    tl_type type = tl_type_concrete(&r->s->types, state.type);
    tl_convert(r, parts->subject, type);
    convert_selectors(r, parts->cases, type);
    check_duplicates(r, parts->cases);
    if (state.defaults != 1) { tl_resolve_error(r, node, "a switch has one default, found (%u)", state.defaults); }
    if ((leaves & TL_LEAVES_BREAK) != 0) leaves |= TL_LEAVES_NEXT;
    return leaves & ~(unsigned)TL_LEAVES_BREAK;
}

/* ---- assignments and calls ---- */

static const char *why_not_assignable(const tl_resolver *r, uint32_t target)
{
    while (tl_at(r, target)->kind == TL_NODE_PAREN || tl_at(r, target)->kind == TL_NODE_INDEX ||
           tl_at(r, target)->kind == TL_NODE_MEMBER_ACCESS) {
        target = tl_at(r, target)->a;
    }
    if (tl_at(r, target)->kind != TL_NODE_IDENT) return "it is a value, not a variable";
    uint32_t declaration = tl_node_declaration(r->m, target);
    if ((declaration & TL_NAME_TAG_MASK) != 0 || declaration == 0) return "it is not a variable";
    switch ((tl_wgsl_node_kind)tl_at(r, declaration)->kind) {
    case TL_NODE_LET: return "it is declared with 'let'; use 'var'";
    case TL_NODE_CONST: return "it is declared with 'const'; use 'var'";
    case TL_NODE_OVERRIDE: return "it is an override";
    case TL_NODE_PARAM: return "it is a parameter; copy it to a 'var'";
    default: return "it is read-only";
    }
}

/* The swizzle of a vector in memory, or a part of such a swizzle, which swizzle_assignment lets be a target. */
static bool is_memory_swizzle(tl_resolver *r, uint32_t target, tl_access *access)
{
    while ((tl_at(r, target)->kind == TL_NODE_MEMBER_ACCESS || tl_at(r, target)->kind == TL_NODE_INDEX) &&
           (tl_type_is_vector(r->s->type[target]) || tl_type_is_scalar(r->s->type[target]))) {
        target = tl_at(r, target)->a;
        const tl_type_info *info = tl_type_get(&r->s->types, r->s->type[target]);
        *access = (tl_access)info->access;
        bool memory = info->kind == TL_KIND_REFERENCE || info->kind == TL_KIND_POINTER;
        if (memory) return tl_type_is_vector(info->element);
    }
    return false;
}

/* The type that can be stored in a target; unknown, with an error, when it is none. */
static tl_type resolve_target(tl_resolver *r, uint32_t target)
{
    tl_type type = tl_resolve_expression(r, target);
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    tl_access access = (tl_access)info->access;
    tl_type store = info->element;
    if (type == TL_TYPE_UNKNOWN) return type;
    if (info->kind != TL_KIND_REFERENCE) {
        if (!is_memory_swizzle(r, target, &access)) {
            tl_resolve_error(r, target, "cannot assign to '%.*s': %s", TL_STR_ARGS(tl_node_text(r->m, target)),
                             why_not_assignable(r, target));
            return TL_TYPE_UNKNOWN;
        }
        store = type;
    }
    if (access == TL_ACCESS_READ) {
        tl_resolve_error(r, target, "cannot assign to '%.*s': it is read-only",
                         TL_STR_ARGS(tl_node_text(r->m, target)));
        return TL_TYPE_UNKNOWN;
    }
    if (tl_kind_of(r, store) == TL_KIND_ATOMIC) {
        tl_resolve_error(r, target, "an atomic is written with atomicStore");
        return TL_TYPE_UNKNOWN;
    }
    if (!tl_type_is_constructible(&r->s->types, store)) {
        tl_resolve_error(r, target, "cannot assign to '%.*s' of type '%s'", TL_STR_ARGS(tl_node_text(r->m, target)),
                         tl_resolve_type_text(r, store));
        return TL_TYPE_UNKNOWN;
    }
    return store;
}

static void assign_compound(tl_resolver *r, uint32_t node, tl_type target, tl_type value)
{
    const tl_wgsl_node *n = tl_at(r, node);
    tl_type a_to, b_to;
    tl_wgsl_op op = (tl_wgsl_op)n->op;
    tl_type type = tl_binary_type(&r->s->types, op, target, value, &a_to, &b_to);
    if (type == TL_TYPE_UNKNOWN || !tl_type_converts(&r->s->types, type, target)) {
        tl_resolve_error_at(r, tl_at(r, n->a)->last + 1, "the operator '%s=' cannot be used on '%s' and '%s'",
                            tl_op_text(op), tl_resolve_type_text(r, target), tl_resolve_type_text(r, value));
        return;
    }
    tl_convert(r, n->b, b_to);
    tl_fold fold = tl_check_right(r, op, target, r->s->constant[n->b]);
    if (fold != TL_FOLD_OK) tl_resolve_fold_error(r, n->b, fold, target);
}

static void resolve_assign(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    tl_type target = resolve_target(r, n->a);
    tl_type value = tl_resolve_value(r, n->b);
    if (target == TL_TYPE_UNKNOWN || value == TL_TYPE_UNKNOWN) {
        tl_convert_concrete(r, n->b);
        return;
    }
    if (n->op != TL_OP_NONE) {
        assign_compound(r, node, target, value);
        return;
    }
    if (!tl_type_converts(&r->s->types, value, target)) {
        tl_resolve_error(r, n->b, "cannot assign '%s' to '%.*s' of type '%s'", tl_resolve_type_text(r, value),
                         TL_STR_ARGS(tl_node_text(r->m, n->a)), tl_resolve_type_text(r, target));
        return;
    }
    tl_convert(r, n->b, target);
}

static void resolve_step(tl_resolver *r, uint32_t node)
{
    uint32_t target = tl_at(r, node)->a;
    tl_type type = resolve_target(r, target);
    if (type != TL_TYPE_UNKNOWN && !tl_kind_is_integer((tl_kind)type)) {
        tl_resolve_error(r, node, "'%s' takes an 'i32' or 'u32', not '%s'",
                         tl_at(r, node)->kind == TL_NODE_INCREMENT ? "++" : "--", tl_resolve_type_text(r, type));
    }
}

static bool must_use(const tl_resolver *r, uint32_t declaration)
{
    if ((declaration & TL_NAME_TAG_MASK) == TL_NAME_BUILTIN) {
        const tl_builtin_row *row = tl_builtin_get((tl_builtin)(declaration & TL_NAME_INDEX_MASK));
        return (row->flags & TL_IS_MUST_USE) != 0 && row->rule != TL_RULE_OPAQUE;
    }
    if ((declaration & TL_NAME_TAG_MASK) != 0) return true;
    if (tl_at(r, declaration)->kind != TL_NODE_FN) return true;
    return r->s->functions[r->s->globals[r->s->declaration[declaration]].function].must_use;
}

static void resolve_call_statement(tl_resolver *r, uint32_t node)
{
    uint32_t call = tl_at(r, node)->a;
    tl_resolve_expression(r, call);
    uint32_t declaration = tl_node_declaration(r->m, call);
    if (declaration != 0 && must_use(r, declaration)) {
        tl_resolve_error(r, call, "the result of '%.*s' must be used; assign it to '_' to drop it",
                         TL_STR_ARGS(tl_node_name(r->m, tl_at(r, call)->a)));
    }
}

/* ---- leaving ---- */

static unsigned resolve_return(tl_resolver *r, uint32_t node)
{
    uint32_t value = tl_at(r, node)->a;
    uint32_t function = r->s->functions[r->function].node;
    tl_type wanted = r->s->type[function];
    tl_str name = tl_node_name(r->m, function);
    if (value == 0) {
        if (wanted != TL_TYPE_VOID) {
            tl_resolve_error(r, node, "'%.*s' must return '%s'", TL_STR_ARGS(name), tl_resolve_type_text(r, wanted));
        }
        return TL_LEAVES_RETURN;
    }
    tl_type type = tl_resolve_value(r, value);
    if (type == TL_TYPE_UNKNOWN || wanted == TL_TYPE_UNKNOWN) return TL_LEAVES_RETURN;
    if (wanted == TL_TYPE_VOID) {
        tl_resolve_error(r, value, "'%.*s' has no result, so it cannot return '%s'", TL_STR_ARGS(name),
                         tl_resolve_type_text(r, type));
    } else if (!tl_type_converts(&r->s->types, type, wanted)) {
        tl_resolve_error(r, value, "'%.*s' must return '%s', not '%s'", TL_STR_ARGS(name),
                         tl_resolve_type_text(r, wanted), tl_resolve_type_text(r, type));
    } else {
        tl_convert(r, value, wanted);
    }
    return TL_LEAVES_RETURN;
}

static unsigned resolve_break(tl_resolver *r, uint32_t node)
{
    if (r->breakables == 0 && r->continuings > 0) {
        tl_resolve_error(r, node, "'break' stands in a continuing block; use 'break if' as its last statement");
    } else if (r->breakables == 0) {
        tl_resolve_error(r, node, "'break' stands outside of a loop or switch");
    }
    return TL_LEAVES_BREAK;
}

static unsigned resolve_continue(tl_resolver *r, uint32_t node)
{
    if (r->loops == 0) tl_resolve_error(r, node, "'continue' stands outside of a loop");
    if (r->continuings > 0) tl_resolve_error(r, node, "'continue' stands in a continuing block");
    return TL_LEAVES_CONTINUE;
}

/* ---- dispatch ---- */

static void resolve_simple(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_VAR:
    case TL_NODE_LET:
    case TL_NODE_CONST:
        tl_resolve_variable(r, node);
        tl_scope_declare(r, node);
        break;
    case TL_NODE_CONST_ASSERT: tl_resolve_const_assert(r, node); break;
    case TL_NODE_ASSIGN: resolve_assign(r, node); break;
    case TL_NODE_PHONY: tl_resolve_value(r, n->a); break;
    case TL_NODE_INCREMENT:
    case TL_NODE_DECREMENT: resolve_step(r, node); break;
    case TL_NODE_CALL_STATEMENT: resolve_call_statement(r, node); break;
    default: break;
    }
}

static unsigned resolve_compound(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_BLOCK: return resolve_block(r, node);
    case TL_NODE_IF: return resolve_if(r, node);
    case TL_NODE_SWITCH: return resolve_switch(r, node);
    case TL_NODE_LOOP: return resolve_loop(r, node);
    case TL_NODE_CONTINUING: return resolve_continuing(r, node);
    case TL_NODE_WHILE: return resolve_while(r, node);
    case TL_NODE_FOR: return resolve_for(r, node);
    case TL_NODE_BREAK: return resolve_break(r, node);
    case TL_NODE_BREAK_IF: resolve_condition(r, n->a, "break if"); return TL_LEAVES_BREAK | TL_LEAVES_NEXT;
    case TL_NODE_CONTINUE: return resolve_continue(r, node);
    case TL_NODE_RETURN: return resolve_return(r, node);
    default: resolve_simple(r, node); return TL_LEAVES_NEXT;
    }
}

static unsigned resolve_statement(tl_resolver *r, uint32_t node)
{
    if (!tl_resolve_enter(r, node)) return TL_LEAVES_NEXT;
    unsigned leaves = resolve_compound(r, node);
    r->depth--;
    return leaves;
}

/* Parameters and the body's own declarations share one scope. */
void tl_resolve_body(tl_resolver *r, uint32_t function)
{
    uint32_t node = r->s->functions[function].node;
    const tl_fn_parts *parts = TL_PARTS(tl_fn_parts, r->m, node);
    uint32_t mark = tl_scope_enter(r);
    for (uint32_t k = 0; k < tl_list_count(r->m, parts->params); k++) {
        tl_scope_declare(r, tl_list_at(r->m, parts->params, k));
    }
    tl_resolve_attributes(r, tl_at(r, parts->body)->b);
    unsigned leaves = resolve_list(r, tl_at(r, parts->body)->a);
    tl_scope_leave(r, mark);
    if ((leaves & TL_LEAVES_NEXT) != 0 && r->s->type[node] != TL_TYPE_VOID && !tl_wgsl_log_full(r->log)) {
        tl_resolve_error_at(r, tl_at(r, parts->body)->last, "'%.*s' ends without returning '%s'",
                            TL_STR_ARGS(tl_node_name(r->m, node)), tl_resolve_type_text(r, r->s->type[node]));
    }
}
