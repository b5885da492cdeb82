/* SPDX-License-Identifier: MIT
 *
 * Statements, and the declarations of values that stand in functions and at module scope alike. A list of statements
 * goes on after an error at the next statement. */
#include "wgsl/parse.h"

/* What the last statement of a block may be. */
typedef enum block_kind {
    BLOCK_PLAIN,
    BLOCK_LOOP,
    BLOCK_CONTINUING
} block_kind;

static uint32_t parse_block_of(tl_parser *p, block_kind kind, uint32_t first, uint32_t attributes, const char *where);

/* Takes the ';' of a statement into its node. */
static uint32_t end_statement(tl_parser *p, uint32_t node, const char *where)
{
    if (tl_expect(p, TL_TOKEN_SEMICOLON, where)) p->nodes[node].last = p->at - 1;
    return node;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static const struct value_form {
    tl_wgsl_token_kind token;
    tl_wgsl_node_kind node;
    bool needs_value;
    const char *name;
    const char *equal;
    const char *semicolon;
} value_forms[] = {
    {TL_TOKEN_VAR, TL_NODE_VAR, false, "the name of a variable", NULL, "after a variable declaration"},
    {TL_TOKEN_LET, TL_NODE_LET, true, "the name of a 'let' declaration", "and a value in a 'let' declaration",
     "after a 'let' declaration"},
    {TL_TOKEN_CONST, TL_NODE_CONST, true, "the name of a constant", "and a value in a constant declaration",
     "after a constant declaration"},
    {TL_TOKEN_OVERRIDE, TL_NODE_OVERRIDE, false, "the name of an override", NULL, "after an override declaration"},
};

static const struct value_form *value_form_of(tl_wgsl_token_kind token)
{
    size_t i = 0;
    while (i < TL_COUNT(value_forms) && value_forms[i].token != token) i++;
    return i < TL_COUNT(value_forms) ? &value_forms[i] : NULL;
}

/* Without the ';'. */
static uint32_t parse_value(tl_parser *p, const struct value_form *form, uint32_t first, uint32_t attributes)
{
    tl_advance(p);
    tl_var_parts parts = {.attributes = attributes};
    if (form->token == TL_TOKEN_VAR) parts.templates = tl_parse_template_list(p);
    uint32_t name = tl_expect_name(p, form->name);
    if (tl_accept(p, TL_TOKEN_COLON)) parts.type = tl_parse_type(p);
    if (tl_accept(p, TL_TOKEN_EQUAL)) parts.init = tl_parse_expression(p);
    else if (form->needs_value) tl_expect_failed(p, TL_TOKEN_EQUAL, form->equal);
    uint32_t words[] = {parts.attributes, parts.templates, parts.type, parts.init};
    return tl_node(p, form->node, first, tl_record(p, words, TL_COUNT(words)), name);
}

uint32_t tl_parse_variable(tl_parser *p, uint32_t first, uint32_t attributes, uint16_t flags)
{
    const struct value_form *form = value_form_of(p->kind);
    TELAR_ASSERT(form != NULL);
    uint32_t node = parse_value(p, form, first, attributes);
    p->nodes[node].flags = flags;
    return end_statement(p, node, form->semicolon);
}

uint32_t tl_parse_const_assert(tl_parser *p, uint16_t flags)
{
    uint32_t first = p->at;
    tl_advance(p);
    uint32_t condition = tl_parse_expression(p);
    uint32_t node = tl_node(p, TL_NODE_CONST_ASSERT, first, condition, 0);
    p->nodes[node].flags = flags;
    return end_statement(p, node, "after 'const_assert'");
}

/* ---- Assignments and calls --------------------------------------------------------------------------------------- */

static tl_wgsl_op compound_operator(tl_wgsl_token_kind kind)
{
    if (kind == TL_TOKEN_EQUAL) return TL_OP_NONE;
    uint32_t i = (uint32_t)kind - TL_TOKEN_STAR_EQUAL;
    uint32_t relations = TL_OP_AND - TL_OP_LESS; /* operators that have no compound form */
    uint32_t op = TL_OP_MULTIPLY + i;
    return (tl_wgsl_op)(op >= TL_OP_LESS ? op + relations : op);
}

static uint32_t parse_phony(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    tl_expect(p, TL_TOKEN_EQUAL, "after '_'");
    uint32_t value = tl_parse_expression(p);
    return tl_node(p, TL_NODE_PHONY, first, value, 0);
}

static uint32_t parse_assignment(tl_parser *p, uint32_t first, uint32_t target)
{
    if (p->nodes[target].kind == TL_NODE_CALL) { tl_parse_error(p, p->at, "cannot assign to the result of a call"); }
    tl_wgsl_op op = compound_operator(p->kind);
    tl_advance(p);
    uint32_t value = tl_parse_expression(p);
    uint32_t node = tl_node(p, TL_NODE_ASSIGN, first, target, value);
    p->nodes[node].op = (uint8_t)op;
    return node;
}

/* Two '-' without a blank between them. */
static bool at_decrement(const tl_parser *p)
{
    return p->kind == TL_TOKEN_MINUS && tl_peek_next(p) == TL_TOKEN_MINUS &&
           p->tokens[p->at + 1].offset == p->tokens[p->at].offset + 1;
}

static uint32_t parse_decrement(tl_parser *p, uint32_t first, uint32_t target)
{
    tl_advance(p);
    tl_advance(p);
    return tl_node(p, TL_NODE_DECREMENT, first, target, 0);
}

/* Assignment, increment, decrement or call, without the ';'. */
static uint32_t parse_simple(tl_parser *p)
{
    uint32_t first = p->at;
    switch (p->kind) {
    case TL_TOKEN_UNDERSCORE: return parse_phony(p);
    case TL_TOKEN_IDENT:
    case TL_TOKEN_PAREN_LEFT:
    case TL_TOKEN_STAR:
    case TL_TOKEN_AND: break;
    default: tl_expected(p, "a statement"); return 0;
    }
    uint32_t target = tl_parse_unary(p);
    if (p->kind >= TL_TOKEN_EQUAL) return parse_assignment(p, first, target);
    if (tl_accept(p, TL_TOKEN_PLUS_PLUS)) return tl_node(p, TL_NODE_INCREMENT, first, target, 0);
    if (at_decrement(p)) return parse_decrement(p, first, target);
    if (p->nodes[target].kind != TL_NODE_CALL) tl_expected(p, "an assignment, '++', '--' or a call");
    return tl_node(p, TL_NODE_CALL_STATEMENT, first, target, 0);
}

static const char *simple_end(const tl_parser *p, uint32_t node)
{
    switch ((tl_wgsl_node_kind)p->nodes[node].kind) {
    case TL_NODE_INCREMENT: return "after '++'";
    case TL_NODE_DECREMENT: return "after '--'";
    case TL_NODE_CALL_STATEMENT: return "after a call";
    default: return "after an assignment";
    }
}

/* ---- Compound statements ----------------------------------------------------------------------------------------- */

static uint32_t parse_if(tl_parser *p, uint32_t first, uint32_t attributes)
{
    uint32_t mark = p->scratch_count;
    bool more = true;
    while (more) {
        tl_advance(p);
        tl_push(p, tl_parse_expression(p));
        tl_push(p, tl_parse_block(p, "after the condition of 'if'"));
        if (!tl_accept(p, TL_TOKEN_ELSE)) break;
        more = p->kind == TL_TOKEN_IF;
        if (!more) tl_push(p, tl_parse_block(p, "after 'else'"));
    }
    return tl_node(p, TL_NODE_IF, first, tl_close_list(p, mark), attributes);
}

static uint32_t parse_default_selector(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    return tl_node(p, TL_NODE_DEFAULT_SELECTOR, first, 0, 0);
}

static bool at_case_body(const tl_parser *p)
{
    return p->kind == TL_TOKEN_COLON || p->kind == TL_TOKEN_BRACE_LEFT || p->kind == TL_TOKEN_AT;
}

static uint32_t parse_case(tl_parser *p)
{
    uint32_t first = p->at;
    uint32_t mark = p->scratch_count;
    if (p->kind == TL_TOKEN_DEFAULT) {
        tl_push(p, parse_default_selector(p));
    } else {
        tl_expect(p, TL_TOKEN_CASE, "or 'default' in a switch");
        do {
            bool any = p->kind == TL_TOKEN_DEFAULT;
            tl_push(p, any ? parse_default_selector(p) : tl_parse_expression(p));
        } while (tl_accept(p, TL_TOKEN_COMMA) && !at_case_body(p));
    }
    uint32_t selectors = tl_close_list(p, mark);
    tl_accept(p, TL_TOKEN_COLON);
    uint32_t body = tl_parse_block(p, "after the selectors of a case");
    return tl_node(p, TL_NODE_CASE, first, selectors, body);
}

static uint32_t parse_switch(tl_parser *p, uint32_t first, uint32_t attributes)
{
    tl_advance(p);
    uint32_t subject = tl_parse_expression(p);
    uint32_t body_attributes = tl_parse_attributes(p);
    tl_expect(p, TL_TOKEN_BRACE_LEFT, "after the value of 'switch'");
    uint32_t mark = p->scratch_count;
    tl_enter(p);
    while (p->kind != TL_TOKEN_BRACE_RIGHT && p->kind != TL_TOKEN_END) tl_push(p, parse_case(p));
    tl_leave(p);
    tl_expect(p, TL_TOKEN_BRACE_RIGHT, "after the cases of a switch");
    uint32_t words[] = {attributes, subject, body_attributes, tl_close_list(p, mark)};
    return tl_node(p, TL_NODE_SWITCH, first, tl_record(p, words, TL_COUNT(words)), 0);
}

static uint32_t parse_loop(tl_parser *p, uint32_t first, uint32_t attributes)
{
    tl_advance(p);
    uint32_t body_first = p->at;
    uint32_t body_attributes = tl_parse_attributes(p);
    uint32_t body = parse_block_of(p, BLOCK_LOOP, body_first, body_attributes, "after 'loop'");
    return tl_node(p, TL_NODE_LOOP, first, body, attributes);
}

static uint32_t parse_continuing(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    uint32_t body_first = p->at;
    uint32_t attributes = tl_parse_attributes(p);
    uint32_t body = parse_block_of(p, BLOCK_CONTINUING, body_first, attributes, "after 'continuing'");
    return tl_node(p, TL_NODE_CONTINUING, first, body, 0);
}

static uint32_t parse_while(tl_parser *p, uint32_t first, uint32_t attributes)
{
    tl_advance(p);
    uint32_t condition = tl_parse_expression(p);
    uint32_t body = tl_parse_block(p, "after the condition of 'while'");
    uint32_t words[] = {attributes, condition, body};
    return tl_node(p, TL_NODE_WHILE, first, tl_record(p, words, TL_COUNT(words)), 0);
}

static uint32_t parse_for_init(tl_parser *p)
{
    const struct value_form *form = value_form_of(p->kind);
    if (form == NULL || form->token == TL_TOKEN_OVERRIDE) return parse_simple(p);
    return parse_value(p, form, p->at, 0);
}

static uint32_t parse_for(tl_parser *p, uint32_t first, uint32_t attributes)
{
    tl_advance(p);
    tl_for_parts parts = {.attributes = attributes};
    tl_expect(p, TL_TOKEN_PAREN_LEFT, "after 'for'");
    if (p->kind != TL_TOKEN_SEMICOLON) parts.init = parse_for_init(p);
    tl_expect(p, TL_TOKEN_SEMICOLON, "after the first part of 'for'");
    if (p->kind != TL_TOKEN_SEMICOLON) parts.condition = tl_parse_expression(p);
    tl_expect(p, TL_TOKEN_SEMICOLON, "after the condition of 'for'");
    if (p->kind != TL_TOKEN_PAREN_RIGHT) parts.update = parse_simple(p);
    tl_expect(p, TL_TOKEN_PAREN_RIGHT, "after the parts of 'for'");
    parts.body = tl_parse_block(p, "after the parts of 'for'");
    uint32_t words[] = {attributes, parts.init, parts.condition, parts.update, parts.body};
    return tl_node(p, TL_NODE_FOR, first, tl_record(p, words, TL_COUNT(words)), 0);
}

/* ---- Jumps ------------------------------------------------------------------------------------------------------- */

static uint32_t parse_word(tl_parser *p, tl_wgsl_node_kind kind, const char *where)
{
    uint32_t first = p->at;
    tl_advance(p);
    return end_statement(p, tl_node(p, kind, first, 0, 0), where);
}

static uint32_t parse_return(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    uint32_t value = p->kind == TL_TOKEN_SEMICOLON ? 0 : tl_parse_expression(p);
    return end_statement(p, tl_node(p, TL_NODE_RETURN, first, value, 0), "after 'return'");
}

static uint32_t parse_break(tl_parser *p, block_kind block)
{
    if (tl_peek_next(p) != TL_TOKEN_IF) return parse_word(p, TL_NODE_BREAK, "after 'break'");
    uint32_t first = p->at;
    tl_advance(p);
    tl_advance(p);
    if (block != BLOCK_CONTINUING) {
        tl_parse_error(p, first, "'break if' may stand only at the end of a continuing block");
    }
    uint32_t condition = tl_parse_expression(p);
    uint32_t node = tl_node(p, TL_NODE_BREAK_IF, first, condition, 0);
    end_statement(p, node, "after 'break if'");
    if (p->kind != TL_TOKEN_BRACE_RIGHT) tl_expected(p, "'}' after 'break if', which comes last");
    return node;
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

static uint32_t parse_attributed(tl_parser *p, uint32_t first, uint32_t attributes)
{
    switch (p->kind) {
    case TL_TOKEN_IF: return parse_if(p, first, attributes);
    case TL_TOKEN_SWITCH: return parse_switch(p, first, attributes);
    case TL_TOKEN_LOOP: return parse_loop(p, first, attributes);
    case TL_TOKEN_WHILE: return parse_while(p, first, attributes);
    case TL_TOKEN_FOR: return parse_for(p, first, attributes);
    case TL_TOKEN_BRACE_LEFT: return parse_block_of(p, BLOCK_PLAIN, first, attributes, "");
    default: tl_expected(p, "a block, if, switch, loop, while or for after attributes"); return 0;
    }
}

static uint32_t parse_statement(tl_parser *p, block_kind block)
{
    switch (p->kind) {
    case TL_TOKEN_VAR:
    case TL_TOKEN_LET:
    case TL_TOKEN_CONST: return tl_parse_variable(p, p->at, 0, TL_FLAG_NONE);
    case TL_TOKEN_CONST_ASSERT: return tl_parse_const_assert(p, TL_FLAG_NONE);
    case TL_TOKEN_RETURN: return parse_return(p);
    case TL_TOKEN_BREAK: return parse_break(p, block);
    case TL_TOKEN_CONTINUE: return parse_word(p, TL_NODE_CONTINUE, "after 'continue'");
    case TL_TOKEN_DISCARD: return parse_word(p, TL_NODE_DISCARD, "after 'discard'");
    case TL_TOKEN_AT: {
        uint32_t first = p->at;
        uint32_t attributes = tl_parse_attributes(p);
        return parse_attributed(p, first, attributes);
    }
    case TL_TOKEN_IF:
    case TL_TOKEN_SWITCH:
    case TL_TOKEN_LOOP:
    case TL_TOKEN_WHILE:
    case TL_TOKEN_FOR:
    case TL_TOKEN_BRACE_LEFT: return parse_attributed(p, p->at, 0);
    case TL_TOKEN_CONTINUING: {
        if (block != BLOCK_LOOP) {
            tl_parse_error(p, p->at, "'continuing' may stand only at the end of a loop's block");
        }
        uint32_t node = parse_continuing(p);
        if (p->kind != TL_TOKEN_BRACE_RIGHT) { tl_expected(p, "'}' after 'continuing', which comes last in its loop"); }
        return node;
    }
    default: {
        uint32_t node = parse_simple(p);
        return end_statement(p, node, simple_end(p, node));
    }
    }
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static bool begins_statement(tl_wgsl_token_kind kind)
{
    switch (kind) {
    case TL_TOKEN_VAR:
    case TL_TOKEN_LET:
    case TL_TOKEN_CONST:
    case TL_TOKEN_CONST_ASSERT:
    case TL_TOKEN_RETURN:
    case TL_TOKEN_BREAK:
    case TL_TOKEN_CONTINUE:
    case TL_TOKEN_DISCARD:
    case TL_TOKEN_IF:
    case TL_TOKEN_SWITCH:
    case TL_TOKEN_LOOP:
    case TL_TOKEN_WHILE:
    case TL_TOKEN_FOR: return true;
    default: return false;
    }
}

/* A brace is missing: these stand only at module scope. */
static bool left_function(tl_wgsl_token_kind kind)
{
    return kind == TL_TOKEN_END || kind == TL_TOKEN_FN || kind == TL_TOKEN_STRUCT;
}

/* After an error in the statement that began at token start: to the next statement of this block or to its '}'. */
static void recover(tl_parser *p, uint32_t start)
{
    uint32_t open = tl_open_braces(p, start);
    for (;; p->at++) {
        tl_wgsl_token_kind kind = tl_token_kind(p->m, p->at);
        if (left_function(kind)) break;
        if (kind == TL_TOKEN_BRACE_LEFT) open++;
        if (open == 0 && p->at > start && begins_statement(kind)) break;
        if (open == 0 && kind == TL_TOKEN_BRACE_RIGHT) break;
        bool closed = kind == TL_TOKEN_BRACE_RIGHT && open == 1 && tl_token_kind(p->m, p->at + 1) != TL_TOKEN_ELSE;
        if (kind == TL_TOKEN_BRACE_RIGHT) open--;
        if (closed || (open == 0 && kind == TL_TOKEN_SEMICOLON)) {
            p->at++;
            break;
        }
    }
    tl_resume(p);
}

static bool ends_block(const tl_parser *p)
{
    return p->kind == TL_TOKEN_BRACE_RIGHT || left_function(p->kind);
}

static uint32_t parse_block_of(tl_parser *p, block_kind kind, uint32_t first, uint32_t attributes, const char *where)
{
    tl_expect(p, TL_TOKEN_BRACE_LEFT, where);
    tl_enter(p);
    uint32_t mark = p->scratch_count;
    while (!ends_block(p)) {
        if (tl_accept(p, TL_TOKEN_SEMICOLON)) continue;
        uint32_t start = p->at;
        tl_push(p, parse_statement(p, kind));
        if (p->panic) recover(p, start);
    }
    uint32_t statements = tl_close_list(p, mark);
    tl_leave(p);
    tl_expect(p, TL_TOKEN_BRACE_RIGHT, "at the end of a block");
    return tl_node(p, TL_NODE_BLOCK, first, statements, attributes);
}

uint32_t tl_parse_block(tl_parser *p, const char *where)
{
    uint32_t first = p->at;
    uint32_t attributes = tl_parse_attributes(p);
    return parse_block_of(p, BLOCK_PLAIN, first, attributes, where);
}
