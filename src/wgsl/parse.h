/* SPDX-License-Identifier: MIT
 *
 * What the files of the parser share. After an error the parser panics: the current token reads as END, so that every
 * loop ends by itself and no function has to ask, until a list of statements or declarations recovers. */
#ifndef TL_WGSL_PARSE_H
#define TL_WGSL_PARSE_H

#include "wgsl/module.h"

typedef struct tl_parser {
    telar_wgsl *m;
    tl_wgsl_log *log;
    const tl_wgsl_token *tokens;
    uint32_t at;             /* current token */
    tl_wgsl_token_kind kind; /* of the current token; END while in panic */
    bool panic;
    bool no_space;
    uint32_t depth;
    tl_wgsl_node *nodes;
    uint32_t *extra;
    uint32_t *scratch; /* items of lists that are still open */
    uint32_t node_count;
    uint32_t node_cap;
    uint32_t extra_count;
    uint32_t extra_cap;
    uint32_t scratch_count;
    uint32_t last_error; /* token + 1: a second error at one token says nothing new */
} tl_parser;

/* ---- parse.c: tokens, errors, nodes ---- */

static inline tl_wgsl_token_kind tl_peek_next(const tl_parser *p)
{
    uint32_t next = p->kind == TL_TOKEN_END ? p->at : p->at + 1;
    return (tl_wgsl_token_kind)(p->tokens[next].kind_length & 0xFFu);
}

static inline void tl_advance(tl_parser *p)
{
    if (p->kind == TL_TOKEN_END) return;
    p->at++;
    p->kind = (tl_wgsl_token_kind)(p->tokens[p->at].kind_length & 0xFFu);
}

static inline bool tl_accept(tl_parser *p, tl_wgsl_token_kind kind)
{
    if (p->kind != kind || kind == TL_TOKEN_END) return false;
    tl_advance(p);
    return true;
}

/* Reports "expected WHAT, found the current token". */
void tl_expected(tl_parser *p, const char *what);

/* Reports an error at a token and panics. */
void tl_parse_error(tl_parser *p, uint32_t token, const char *text);

/* Takes a token of this kind, or reports "expected 'TEXT' WHERE, found ...". */
static inline bool tl_expect(tl_parser *p, tl_wgsl_token_kind kind, const char *where);
bool tl_expect_failed(tl_parser *p, tl_wgsl_token_kind kind, const char *where);

static inline bool tl_expect(tl_parser *p, tl_wgsl_token_kind kind, const char *where)
{
    return tl_accept(p, kind) || tl_expect_failed(p, kind, where);
}

/* Takes a name and returns its token. what: "the name of a function". */
uint32_t tl_expect_name(tl_parser *p, const char *what);

/* Braces that were opened from token start on and are still open at p->at. */
uint32_t tl_open_braces(const tl_parser *p, uint32_t start);

/* After an error: goes on at the token p->at. Stays in panic when the reader has to stop. */
void tl_resume(tl_parser *p);

/* Nesting; tl_enter reports when it is too deep. Each tl_enter has its tl_leave. */
void tl_enter(tl_parser *p);

static inline void tl_leave(tl_parser *p)
{
    p->depth--;
}

/* Appends a node that ends at the last token taken. In panic nothing is appended and the result is 0. */
uint32_t tl_node(tl_parser *p, tl_wgsl_node_kind kind, uint32_t first, uint32_t a, uint32_t b);

/* Lists: remember p->scratch_count, push items, close. */
static inline void tl_push(tl_parser *p, uint32_t node)
{
    if (!p->panic) p->scratch[p->scratch_count++] = node;
}

uint32_t tl_close_list(tl_parser *p, uint32_t mark);
uint32_t tl_record(tl_parser *p, const uint32_t *words, uint32_t count);

/* ---- parse_expression.c ---- */

uint32_t tl_parse_expression(tl_parser *p);
uint32_t tl_parse_unary(tl_parser *p); /* an operand of a binary operator, or the left side of a statement */
uint32_t tl_parse_type(tl_parser *p);
uint32_t tl_parse_template_list(tl_parser *p);

/* ---- parse_attribute.c ---- */

uint32_t tl_parse_attributes(tl_parser *p);

/* `(severity, rule)` or `(severity, rule.part)`, from the '('. */
uint32_t tl_parse_diagnostic_control(tl_parser *p);

/* ---- parse_statement.c ---- */

/* var, let, const or override with its ';'. first: where its attributes begin. */
uint32_t tl_parse_variable(tl_parser *p, uint32_t first, uint32_t attributes, uint16_t flags);

uint32_t tl_parse_const_assert(tl_parser *p, uint16_t flags);
uint32_t tl_parse_block(tl_parser *p, const char *where);

#endif
