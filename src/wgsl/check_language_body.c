/* SPDX-License-Identifier: MIT
 *
 * Statements: loops that nothing ends, `continue` past what a continuing block needs, and values that a place cannot
 * take. How a statement can be left is the specification's behaviour analysis. */
#include "wgsl/check_language.h"

enum {
    NEXT = 1u << 0,
    BREAK = 1u << 1,
    CONTINUE = 1u << 2,
    RETURN = 1u << 3
};

/* The loop around the statement. */
typedef struct loop_state {
    uint32_t first_continue; /* 0: none so far */
} loop_state;

static unsigned leave(tl_check *c, uint32_t node, loop_state *loop);

/* `from` is how what stands before can be left. */
static unsigned leave_list(tl_check *c, uint32_t list, loop_state *loop)
{
    unsigned leaves = NEXT;
    for (uint32_t k = 0; k < tl_list_count(c->m, list); k++) {
        unsigned item = leave(c, tl_list_at(c->m, list, k), loop);
        if ((leaves & NEXT) != 0) leaves = (leaves & (BREAK | CONTINUE | RETURN)) | item;
    }
    return leaves;
}

static unsigned leave_if(tl_check *c, uint32_t node, loop_state *loop)
{
    uint32_t list = c->m->nodes[node].a, count = tl_list_count(c->m, list);
    unsigned leaves = count % 2 == 0 ? NEXT : 0;
    for (uint32_t k = 1; k < count; k += 2) leaves |= leave(c, tl_list_at(c->m, list, k), loop);
    if (count % 2 == 1) leaves |= leave(c, tl_list_at(c->m, list, count - 1), loop);
    return leaves;
}

static unsigned leave_switch(tl_check *c, uint32_t node, loop_state *loop)
{
    uint32_t cases = TL_PARTS(tl_switch_parts, c->m, node)->cases;
    unsigned leaves = 0;
    for (uint32_t k = 0; k < tl_list_count(c->m, cases); k++) {
        leaves |= leave(c, c->m->nodes[tl_list_at(c->m, cases, k)].b, loop);
    }
    return (leaves & BREAK) != 0 ? (leaves & (CONTINUE | RETURN)) | NEXT : leaves;
}

/* What a loop hands on of what its body does. */
static unsigned end_loop(tl_check *c, uint32_t node, unsigned leaves)
{
    unsigned out = (leaves & RETURN) | ((leaves & BREAK) != 0 ? NEXT : 0u);
    if (out == 0) {
        uint32_t first = c->m->nodes[node].first;
        tl_check_report_at(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, c->m->tokens[first].offset,
                           tl_token_end(c->m, first), TL_SAID(LOOP_WITHOUT_END));
    }
    return out == 0 ? NEXT : out; /* reported once, not for what is around it */
}

/* The last statement of a LOOP's body when it is its continuing block, else 0. */
static uint32_t continuing_of(const telar_wgsl *m, uint32_t node)
{
    uint32_t list = m->nodes[m->nodes[node].a].a, count = tl_list_count(m, list);
    uint32_t last = count > 0 ? tl_list_at(m, list, count - 1) : 0;
    return last != 0 && m->nodes[last].kind == TL_NODE_CONTINUING ? last : 0;
}

/* Names in a continuing block that stand for what the body declares after its first `continue`. */
static void check_bypass(tl_check *c, uint32_t before, uint32_t continuing, uint32_t first_continue)
{
    if (first_continue == 0) return;
    for (uint32_t node = before + 1; node < continuing; node++) {
        if (c->m->nodes[node].kind != TL_NODE_IDENT) continue;
        uint32_t declaration = tl_query_declaration(c->m, node);
        if (declaration <= first_continue || declaration > before) continue;
        tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, node,
                        TL_SAYS(CONTINUE_PAST, TL_T(tl_node_name(c->m, declaration))));
    }
}

static unsigned leave_loop(tl_check *c, uint32_t node)
{
    const telar_wgsl *m = c->m;
    uint32_t list = m->nodes[m->nodes[node].a].a, continuing = continuing_of(m, node);
    uint32_t count = tl_list_count(m, list) - (continuing != 0);
    loop_state loop = {0};
    unsigned leaves = NEXT;
    for (uint32_t k = 0; k < count; k++) {
        unsigned item = leave(c, tl_list_at(m, list, k), &loop);
        if ((leaves & NEXT) != 0) leaves = (leaves & (BREAK | CONTINUE | RETURN)) | item;
    }
    if (continuing != 0) {
        if (count > 0) check_bypass(c, tl_list_at(m, list, count - 1), continuing, loop.first_continue);
        leaves |= leave(c, m->nodes[continuing].a, &loop);
    }
    return end_loop(c, node, leaves);
}

static unsigned leave_for(tl_check *c, uint32_t node)
{
    const tl_for_parts *parts = TL_PARTS(tl_for_parts, c->m, node);
    loop_state loop = {0};
    return end_loop(c, node, leave(c, parts->body, &loop) | (parts->condition != 0 ? BREAK : 0u));
}

static unsigned leave_while(tl_check *c, uint32_t node)
{
    loop_state loop = {0};
    return end_loop(c, node, leave(c, TL_PARTS(tl_while_parts, c->m, node)->body, &loop) | BREAK);
}

static unsigned leave(tl_check *c, uint32_t node, loop_state *loop)
{
    switch (c->m->nodes[node].kind) {
    case TL_NODE_BLOCK: return leave_list(c, c->m->nodes[node].a, loop);
    case TL_NODE_IF: return leave_if(c, node, loop);
    case TL_NODE_SWITCH: return leave_switch(c, node, loop);
    case TL_NODE_LOOP: return leave_loop(c, node);
    case TL_NODE_FOR: return leave_for(c, node);
    case TL_NODE_WHILE: return leave_while(c, node);
    case TL_NODE_BREAK: return BREAK;
    case TL_NODE_BREAK_IF: return BREAK | NEXT;
    case TL_NODE_CONTINUE:
        if (loop->first_continue == 0) loop->first_continue = node;
        return CONTINUE;
    case TL_NODE_RETURN: return RETURN;
    default: return NEXT;
    }
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void check_phony(tl_check *c, uint32_t node)
{
    uint32_t value = c->m->nodes[node].a;
    const tl_type_info *type = tl_type_get(&c->m->semantics->types, tl_node_value_type(c->m, value));
    if ((type->flags & (TL_TYPE_HAS_RUNTIME | TL_TYPE_HAS_ATOMIC)) == 0 || type->kind == TL_KIND_POINTER) return;
    tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, value,
                    TL_SAYS(PHONY_ADDRESS, TL_T(tl_node_text(c->m, value))));
}

static void check_clamp(tl_check *c, uint32_t call)
{
    uint32_t arguments = c->m->nodes[call].b;
    double low, high;
    if (tl_query_builtin_call(c->m, call) != TL_BUILTIN_clamp || tl_list_count(c->m, arguments) != 3) return;
    const tl_wgsl_semantics *s = c->m->semantics;
    if (!tl_constant_as_double(&s->constants, s->constant[tl_list_at(c->m, arguments, 1)], &low)) return;
    if (!tl_constant_as_double(&s->constants, s->constant[tl_list_at(c->m, arguments, 2)], &high)) return;
    if (low <= high) return;
    tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, call,
                    TL_SAYS(CLAMP_REVERSED, TL_T(tl_node_text(c->m, tl_list_at(c->m, arguments, 1))),
                            TL_T(tl_node_text(c->m, tl_list_at(c->m, arguments, 2)))));
}

/* An integer constant without a type of its own, which takes that of the others: the reader has converted the whole
 * expression, not its operands and declarations. */
static bool is_untyped(const telar_wgsl *m, uint32_t node)
{
    node = tl_without_parentheses(m, node);
    const tl_wgsl_node *n = &m->nodes[node];
    if (n->kind == TL_NODE_INT) {
        tl_str text = tl_node_text(m, node);
        return text.data[text.len - 1] != 'i' && text.data[text.len - 1] != 'u';
    }
    if (n->kind == TL_NODE_UNARY || n->kind == TL_NODE_BINARY) return tl_node_type(m, n->a) == TL_TYPE_ABSTRACT_INT;
    uint32_t declaration = n->kind == TL_NODE_IDENT ? tl_query_declaration(m, node) : 0;
    return declaration != 0 && tl_node_type(m, declaration) == TL_TYPE_ABSTRACT_INT;
}

static void check_size_types(tl_check *c, uint32_t attribute)
{
    const telar_wgsl *m = c->m;
    uint32_t arguments = m->nodes[attribute].a;
    bool is_i32 = false, is_u32 = false;
    if (m->nodes[attribute].op != TL_ATTR_WORKGROUP_SIZE) return;
    for (uint32_t k = 0; k < tl_list_count(m, arguments); k++) {
        uint32_t argument = tl_list_at(m, arguments, k);
        if (is_untyped(m, argument)) continue;
        tl_type type = tl_node_type(m, argument);
        is_i32 = is_i32 || type == TL_TYPE_I32;
        is_u32 = is_u32 || type == TL_TYPE_U32;
    }
    if (!is_i32 || !is_u32) return;
    tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, attribute, TL_SAID(SIZE_TYPES));
}

void tl_language_bodies(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    for (uint32_t k = 0; k < s->function_count; k++) {
        loop_state none = {0};
        (void)leave(c, TL_PARTS(tl_fn_parts, c->m, s->functions[k].node)->body, &none);
    }
    tl_check_each(c, TL_NODE_PHONY, check_phony);
    tl_check_each(c, TL_NODE_CALL, check_clamp);
    tl_check_each(c, TL_NODE_ATTRIBUTE, check_size_types);
}
