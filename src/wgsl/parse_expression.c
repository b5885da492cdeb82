/* SPDX-License-Identifier: MIT
 *
 * Expressions and types. Binary operators go over a small stack with one place a level of precedence, so that long
 * chains take no recursion; which operators may meet without parentheses is a table. */
#include "wgsl/parse.h"

/* ---- Operators --------------------------------------------------------------------------------------------------- */

enum {
    CLASS_UNARY = 1,
    CLASS_MUL = 2,
    CLASS_ADD = 4,
    CLASS_SHIFT = 8,
    CLASS_RELATION = 16,
    CLASS_AND = 32,
    CLASS_XOR = 64,
    CLASS_OR = 128,
    CLASS_AND_AND = 256,
    CLASS_OR_OR = 512
};

#define SUMS (CLASS_UNARY | CLASS_MUL | CLASS_ADD)
#define RELATIONS (SUMS | CLASS_SHIFT | CLASS_RELATION)

/* What WGSL's grammar allows on each side without parentheses. */
static const struct operator_form {
    uint16_t class;
    uint16_t left;
    uint16_t right;
    uint8_t level; /* higher binds tighter */
} operator_forms[] = {
    {CLASS_MUL, CLASS_UNARY | CLASS_MUL, CLASS_UNARY, 9}, {CLASS_ADD, SUMS, CLASS_UNARY | CLASS_MUL, 8},
    {CLASS_SHIFT, CLASS_UNARY, CLASS_UNARY, 7},           {CLASS_RELATION, SUMS | CLASS_SHIFT, SUMS | CLASS_SHIFT, 6},
    {CLASS_AND, CLASS_UNARY | CLASS_AND, CLASS_UNARY, 5}, {CLASS_XOR, CLASS_UNARY | CLASS_XOR, CLASS_UNARY, 4},
    {CLASS_OR, CLASS_UNARY | CLASS_OR, CLASS_UNARY, 3},   {CLASS_AND_AND, RELATIONS | CLASS_AND_AND, RELATIONS, 2},
    {CLASS_OR_OR, RELATIONS | CLASS_OR_OR, RELATIONS, 1},
};

#define LEVELS TL_COUNT(operator_forms)

/* Row of operator_forms for each binary operator; those before TL_OP_MULTIPLY are not binary. */
static const uint8_t operator_rows[TL_OP_OR_OR + 1] = {
    [TL_OP_MULTIPLY] = 0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8,
};

_Static_assert(TL_OP_OR_OR - TL_OP_MULTIPLY == TL_TOKEN_OR_OR - TL_TOKEN_STAR, "same order");

static bool is_binary_operator(tl_wgsl_token_kind kind)
{
    return kind >= TL_TOKEN_STAR && kind <= TL_TOKEN_OR_OR;
}

static const struct operator_form *form_of(tl_wgsl_op op)
{
    return &operator_forms[operator_rows[op]];
}

static uint32_t class_of(const tl_parser *p, uint32_t node)
{
    const tl_wgsl_node *n = &p->nodes[node];
    return n->kind == TL_NODE_BINARY ? form_of((tl_wgsl_op)n->op)->class : CLASS_UNARY;
}

/* ---- Binary expressions ------------------------------------------------------------------------------------------ */

typedef struct operator_stack {
    uint32_t operands[LEVELS + 1];
    uint8_t ops[LEVELS];
    uint32_t op_count;
} operator_stack;

static void report_mix(tl_parser *p, uint32_t operator_token, uint32_t operand)
{
    if (p->panic) return;
    tl_str other = tl_token_text(p->m, p->nodes[p->nodes[operand].a].last + 1);
    tl_str self = tl_token_text(p->m, operator_token);
    char text[128];
    telar_out out = {.data = text, .cap = sizeof text};
    tl_out_format(&out, "'%.*s' and '%.*s' need parentheses between them", TL_STR_ARGS(other), TL_STR_ARGS(self));
    tl_parse_error(p, operator_token, text);
}

/* Makes one node of the two topmost operands. */
static void reduce(tl_parser *p, operator_stack *s)
{
    tl_wgsl_op op = (tl_wgsl_op)s->ops[--s->op_count];
    uint32_t left = s->operands[s->op_count];
    uint32_t right = s->operands[s->op_count + 1];
    const struct operator_form *form = form_of(op);
    uint32_t operator_token = p->nodes[left].last + 1;
    if ((form->left & class_of(p, left)) == 0) report_mix(p, operator_token, left);
    else if ((form->right & class_of(p, right)) == 0) report_mix(p, operator_token, right);
    uint32_t node = tl_node(p, TL_NODE_BINARY, p->nodes[left].first, left, right);
    p->nodes[node].op = (uint8_t)op;
    p->nodes[node].last = p->nodes[right].last;
    s->operands[s->op_count] = node;
}

uint32_t tl_parse_expression(tl_parser *p)
{
    uint32_t first = tl_parse_unary(p);
    if (!is_binary_operator(p->kind)) return first;

    operator_stack s = {.operands = {first}};
    while (is_binary_operator(p->kind)) {
        tl_wgsl_op op = (tl_wgsl_op)(TL_OP_MULTIPLY + (p->kind - TL_TOKEN_STAR));
        uint8_t level = form_of(op)->level;
        while (s.op_count > 0 && form_of((tl_wgsl_op)s.ops[s.op_count - 1])->level >= level) { reduce(p, &s); }
        tl_advance(p);
        s.ops[s.op_count++] = (uint8_t)op;
        s.operands[s.op_count] = tl_parse_unary(p);
    }
    while (s.op_count > 0) reduce(p, &s);
    return s.operands[0];
}

/* ---- Operands ---------------------------------------------------------------------------------------------------- */

/* Expressions up to the closing token, which is taken; a comma may follow the last one. */
static uint32_t parse_list(tl_parser *p, tl_wgsl_token_kind close, const char *where)
{
    uint32_t mark = p->scratch_count;
    tl_enter(p);
    while (p->kind != close && p->kind != TL_TOKEN_END) {
        tl_push(p, tl_parse_expression(p));
        if (!tl_accept(p, TL_TOKEN_COMMA)) break;
    }
    tl_leave(p);
    tl_expect(p, close, where);
    return tl_close_list(p, mark);
}

uint32_t tl_parse_template_list(tl_parser *p)
{
    if (!tl_accept(p, TL_TOKEN_TEMPLATE_START)) return 0;
    if (p->kind == TL_TOKEN_TEMPLATE_END) tl_expected(p, "a template argument after '<'");
    return parse_list(p, TL_TOKEN_TEMPLATE_END, "after template arguments");
}

static uint32_t parse_ident(tl_parser *p, const char *what)
{
    uint32_t first = tl_expect_name(p, what);
    uint32_t templates = tl_parse_template_list(p);
    return tl_node(p, TL_NODE_IDENT, first, templates, 0);
}

uint32_t tl_parse_type(tl_parser *p)
{
    return parse_ident(p, "a type");
}

static uint32_t parse_literal(tl_parser *p, tl_wgsl_node_kind kind, uint8_t op)
{
    uint32_t first = p->at;
    tl_advance(p);
    uint32_t node = tl_node(p, kind, first, 0, 0);
    p->nodes[node].op = op;
    return node;
}

static uint32_t parse_paren(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    tl_enter(p);
    uint32_t inner = tl_parse_expression(p);
    tl_leave(p);
    tl_expect(p, TL_TOKEN_PAREN_RIGHT, "after an expression");
    return tl_node(p, TL_NODE_PAREN, first, inner, 0);
}

static uint32_t parse_named(tl_parser *p)
{
    uint32_t first = p->at;
    uint32_t ident = parse_ident(p, "a name");
    if (!tl_accept(p, TL_TOKEN_PAREN_LEFT)) return ident;
    uint32_t arguments = parse_list(p, TL_TOKEN_PAREN_RIGHT, "after the arguments of a call");
    return tl_node(p, TL_NODE_CALL, first, ident, arguments);
}

static uint32_t parse_primary(tl_parser *p)
{
    switch (p->kind) {
    case TL_TOKEN_IDENT: return parse_named(p);
    case TL_TOKEN_INT: return parse_literal(p, TL_NODE_INT, 0);
    case TL_TOKEN_FLOAT: return parse_literal(p, TL_NODE_FLOAT, 0);
    case TL_TOKEN_FALSE: return parse_literal(p, TL_NODE_BOOL, 0);
    case TL_TOKEN_TRUE: return parse_literal(p, TL_NODE_BOOL, 1);
    case TL_TOKEN_PAREN_LEFT: return parse_paren(p);
    default: tl_expected(p, "an expression"); return 0;
    }
}

static uint32_t parse_postfix(tl_parser *p)
{
    uint32_t first = p->at;
    uint32_t base = parse_primary(p);
    for (;;) {
        if (tl_accept(p, TL_TOKEN_DOT)) {
            uint32_t name = tl_expect_name(p, "the name of a member after '.'");
            base = tl_node(p, TL_NODE_MEMBER_ACCESS, first, base, name);
        } else if (tl_accept(p, TL_TOKEN_BRACKET_LEFT)) {
            tl_enter(p);
            uint32_t index = tl_parse_expression(p);
            tl_leave(p);
            tl_expect(p, TL_TOKEN_BRACKET_RIGHT, "after an index");
            base = tl_node(p, TL_NODE_INDEX, first, base, index);
        } else {
            return base;
        }
    }
}

static tl_wgsl_op prefix_operator(tl_wgsl_token_kind kind)
{
    switch (kind) {
    case TL_TOKEN_MINUS: return TL_OP_NEGATE;
    case TL_TOKEN_BANG: return TL_OP_NOT;
    case TL_TOKEN_TILDE: return TL_OP_COMPLEMENT;
    case TL_TOKEN_STAR: return TL_OP_DEREF;
    case TL_TOKEN_AND: return TL_OP_ADDRESS;
    default: return TL_OP_NONE;
    }
}

uint32_t tl_parse_unary(tl_parser *p)
{
    tl_wgsl_op op = prefix_operator(p->kind);
    if (op == TL_OP_NONE) return parse_postfix(p);
    uint32_t first = p->at;
    tl_advance(p);
    tl_enter(p);
    uint32_t operand = tl_parse_unary(p);
    tl_leave(p);
    uint32_t node = tl_node(p, TL_NODE_UNARY, first, operand, 0);
    p->nodes[node].op = (uint8_t)op;
    return node;
}
