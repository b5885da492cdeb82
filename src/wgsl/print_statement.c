/* SPDX-License-Identifier: MIT
 *
 * Statements as canonical text. The recursion is bounded by the depth that the parser allows. */
#include "wgsl/print.h"

static void print_statement(tl_printer *p, uint32_t node);

static void begin_line(const tl_printer *p)
{
    for (uint32_t i = 0; i < p->indent; i++) tl_out_bytes(p->out, "    ", 4);
}

static void print_text(const tl_printer *p, const char *text)
{
    tl_out_text(p->out, text);
}

/* ---- Values and simple statements -------------------------------------------------------------------------------- */

static const char *value_keyword(tl_wgsl_node_kind kind)
{
    switch (kind) {
    case TL_NODE_VAR: return "var";
    case TL_NODE_LET: return "let";
    case TL_NODE_CONST: return "const";
    default: return "override";
    }
}

static void print_templates(const tl_printer *p, uint32_t list)
{
    uint32_t count = tl_list_count(p->m, list);
    for (uint32_t i = 0; i < count; i++) {
        print_text(p, i == 0 ? "<" : ", ");
        tl_print_node(p, tl_list_at(p->m, list, i));
    }
    if (count > 0) print_text(p, ">");
}

void tl_print_value(const tl_printer *p, uint32_t node)
{
    const tl_var_parts *parts = TL_PARTS(tl_var_parts, p->m, node);
    tl_print_attributes(p, parts->attributes);
    print_text(p, value_keyword((tl_wgsl_node_kind)p->m->nodes[node].kind));
    print_templates(p, parts->templates);
    print_text(p, " ");
    tl_out_str(p->out, tl_node_name(p->m, node));
    if (parts->type != 0) {
        print_text(p, ": ");
        tl_print_node(p, parts->type);
    }
    if (parts->init != 0) {
        print_text(p, " = ");
        tl_print_node(p, parts->init);
    }
}

static void print_assignment(const tl_printer *p, const tl_wgsl_node *n)
{
    uint32_t operator_token = p->m->nodes[n->a].last + 1;
    tl_print_node(p, n->a);
    tl_out_format(p->out, " %.*s ", TL_STR_ARGS(tl_token_text(p->m, operator_token)));
    tl_print_node(p, n->b);
}

/* A statement that may stand in the head of a `for`, without the ';'. */
static void print_simple(const tl_printer *p, uint32_t node)
{
    const tl_wgsl_node *n = &p->m->nodes[node];
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_ASSIGN: print_assignment(p, n); break;
    case TL_NODE_PHONY:
        print_text(p, "_ = ");
        tl_print_node(p, n->a);
        break;
    case TL_NODE_INCREMENT:
    case TL_NODE_DECREMENT:
        tl_print_node(p, n->a);
        print_text(p, n->kind == TL_NODE_INCREMENT ? "++" : "--");
        break;
    case TL_NODE_CALL_STATEMENT: tl_print_node(p, n->a); break;
    default: tl_print_value(p, node); break;
    }
}

/* `word;` or `word expression;` */
static void print_word(const tl_printer *p, const char *word, uint32_t expression)
{
    print_text(p, word);
    if (expression != 0) {
        print_text(p, " ");
        tl_print_node(p, expression);
    }
    print_text(p, ";");
}

/* ---- Compound statements ----------------------------------------------------------------------------------------- */

void tl_print_block(tl_printer *p, uint32_t block)
{
    const tl_wgsl_node *n = &p->m->nodes[block];
    uint32_t count = tl_list_count(p->m, n->a);
    tl_print_attributes(p, n->b);
    print_text(p, "{");
    p->indent++;
    for (uint32_t i = 0; i < count; i++) {
        print_text(p, "\n");
        begin_line(p);
        print_statement(p, tl_list_at(p->m, n->a, i));
    }
    p->indent--;
    if (count > 0) {
        print_text(p, "\n");
        begin_line(p);
    }
    print_text(p, "}");
}

/* `word condition {`, with the block */
static void print_guarded(tl_printer *p, const char *word, uint32_t condition, uint32_t block)
{
    print_text(p, word);
    tl_print_node(p, condition);
    print_text(p, " ");
    tl_print_block(p, block);
}

static void print_if(tl_printer *p, const tl_wgsl_node *n)
{
    uint32_t count = tl_list_count(p->m, n->a);
    tl_print_attributes(p, n->b);
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        print_guarded(p, i == 0 ? "if " : " else if ", tl_list_at(p->m, n->a, i), tl_list_at(p->m, n->a, i + 1));
    }
    if (count % 2 != 0) {
        print_text(p, " else ");
        tl_print_block(p, tl_list_at(p->m, n->a, count - 1));
    }
}

static bool is_plain_default(const telar_wgsl *m, const tl_wgsl_node *n)
{
    return tl_token_kind(m, n->first) == TL_TOKEN_DEFAULT;
}

static void print_case(tl_printer *p, uint32_t node)
{
    const tl_wgsl_node *n = &p->m->nodes[node];
    uint32_t count = tl_list_count(p->m, n->a);
    if (!is_plain_default(p->m, n)) print_text(p, "case ");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) print_text(p, ", ");
        uint32_t selector = tl_list_at(p->m, n->a, i);
        bool any = p->m->nodes[selector].kind == TL_NODE_DEFAULT_SELECTOR;
        if (any) print_text(p, "default");
        else tl_print_node(p, selector);
    }
    print_text(p, ": ");
    tl_print_block(p, n->b);
}

static void print_switch(tl_printer *p, uint32_t node)
{
    const tl_switch_parts *parts = TL_PARTS(tl_switch_parts, p->m, node);
    uint32_t count = tl_list_count(p->m, parts->cases);
    tl_print_attributes(p, parts->attributes);
    print_text(p, "switch ");
    tl_print_node(p, parts->subject);
    print_text(p, " ");
    tl_print_attributes(p, parts->body_attributes);
    print_text(p, "{\n");
    p->indent++;
    for (uint32_t i = 0; i < count; i++) {
        begin_line(p);
        print_case(p, tl_list_at(p->m, parts->cases, i));
        print_text(p, "\n");
    }
    p->indent--;
    begin_line(p);
    print_text(p, "}");
}

static void print_for(tl_printer *p, uint32_t node)
{
    const tl_for_parts *parts = TL_PARTS(tl_for_parts, p->m, node);
    tl_print_attributes(p, parts->attributes);
    print_text(p, "for (");
    if (parts->init != 0) print_simple(p, parts->init);
    print_text(p, ";");
    if (parts->condition != 0) {
        print_text(p, " ");
        tl_print_node(p, parts->condition);
    }
    print_text(p, ";");
    if (parts->update != 0) {
        print_text(p, " ");
        print_simple(p, parts->update);
    }
    print_text(p, ") ");
    tl_print_block(p, parts->body);
}

static void print_while(tl_printer *p, uint32_t node)
{
    const tl_while_parts *parts = TL_PARTS(tl_while_parts, p->m, node);
    tl_print_attributes(p, parts->attributes);
    print_guarded(p, "while ", parts->condition, parts->body);
}

static void print_statement(tl_printer *p, uint32_t node)
{
    const tl_wgsl_node *n = &p->m->nodes[node];
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_BLOCK: tl_print_block(p, node); break;
    case TL_NODE_IF: print_if(p, n); break;
    case TL_NODE_SWITCH: print_switch(p, node); break;
    case TL_NODE_WHILE: print_while(p, node); break;
    case TL_NODE_FOR: print_for(p, node); break;
    case TL_NODE_LOOP:
        tl_print_attributes(p, n->b);
        print_text(p, "loop ");
        tl_print_block(p, n->a);
        break;
    case TL_NODE_CONTINUING:
        print_text(p, "continuing ");
        tl_print_block(p, n->a);
        break;
    case TL_NODE_BREAK: print_word(p, "break", 0); break;
    case TL_NODE_BREAK_IF: print_word(p, "break if", n->a); break;
    case TL_NODE_CONTINUE: print_word(p, "continue", 0); break;
    case TL_NODE_DISCARD: print_word(p, "discard", 0); break;
    case TL_NODE_RETURN: print_word(p, "return", n->a); break;
    case TL_NODE_CONST_ASSERT: print_word(p, "const_assert", n->a); break;
    default:
        print_simple(p, node);
        print_text(p, ";");
        break;
    }
}
