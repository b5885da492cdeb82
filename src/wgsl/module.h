/* SPDX-License-Identifier: MIT
 *
 * A module that was read: the syntax half (tokens, nodes) and the place of the semantic half, with the accessors that
 * every walker uses, and the way errors are reported. Inside telar_wgsl_read: lex, then parse, then resolve. */
#ifndef TL_WGSL_MODULE_H
#define TL_WGSL_MODULE_H

#include <telar/wgsl.h>

#include "wgsl/ast.h"

struct tl_wgsl_semantics; /* defined by the resolver */

struct telar_wgsl {
    const char *source;
    uint32_t source_bytes;
    uint32_t token_count;
    const tl_wgsl_token *tokens;
    tl_wgsl_node *nodes; /* nodes[0] is NONE; real nodes are 1 .. node_count - 1 */
    uint32_t node_count;
    uint32_t extra_count;
    const uint32_t *extra;               /* extra[0] == 0: list 0 is empty */
    uint32_t directives;                 /* list of ENABLE, REQUIRES, DIAGNOSTIC_DIRECTIVE */
    uint32_t declarations;               /* list of declarations, in source order */
    struct tl_wgsl_semantics *semantics; /* NULL before tl_wgsl_resolve */
};

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

static inline tl_wgsl_token_kind tl_token_kind(const telar_wgsl *m, uint32_t token)
{
    return (tl_wgsl_token_kind)(m->tokens[token].kind_length & 0xFFu);
}

static inline tl_str tl_token_text(const telar_wgsl *m, uint32_t token)
{
    return (tl_str){m->source + m->tokens[token].offset, m->tokens[token].kind_length >> 8};
}

static inline uint32_t tl_token_end(const telar_wgsl *m, uint32_t token)
{
    return m->tokens[token].offset + (m->tokens[token].kind_length >> 8);
}

/* The text of a kind, as in TL_WGSL_TOKEN_LIST. */
const char *tl_token_kind_text(tl_wgsl_token_kind kind);

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

/* Byte offsets of the node's text: [begin, end). */
static inline uint32_t tl_node_begin(const telar_wgsl *m, uint32_t node)
{
    return m->tokens[m->nodes[node].first].offset;
}

static inline uint32_t tl_node_end(const telar_wgsl *m, uint32_t node)
{
    return tl_token_end(m, m->nodes[node].last);
}

static inline tl_str tl_node_text(const telar_wgsl *m, uint32_t node)
{
    uint32_t begin = tl_node_begin(m, node);
    return (tl_str){m->source + begin, tl_node_end(m, node) - begin};
}

/* The expression inside any number of parentheses. */
static inline uint32_t tl_without_parentheses(const telar_wgsl *m, uint32_t node)
{
    while (m->nodes[node].kind == TL_NODE_PAREN) node = m->nodes[node].a;
    return node;
}

/* The token that carries the name of an IDENT, MEMBER_ACCESS, ATTRIBUTE or declaration. */
static inline uint32_t tl_node_name_token(const telar_wgsl *m, uint32_t node)
{
    const tl_wgsl_node *n = &m->nodes[node];
    if (n->kind == TL_NODE_IDENT) return n->first;
    if (n->kind == TL_NODE_ATTRIBUTE) return n->first + 1;
    return n->b;
}

static inline tl_str tl_node_name(const telar_wgsl *m, uint32_t node)
{
    return tl_token_text(m, tl_node_name_token(m, node));
}

/* ---- Lists and records ------------------------------------------------------------------------------------------- */

static inline uint32_t tl_list_count(const telar_wgsl *m, uint32_t list)
{
    return m->extra[list];
}

static inline uint32_t tl_list_at(const telar_wgsl *m, uint32_t list, uint32_t i)
{
    return m->extra[list + 1 + i];
}

/* The parts of a node: the record type must be the one that ast.h names for the node's kind. */
#define TL_PARTS(type, module, node) ((const type *)&(module)->extra[(module)->nodes[node].a])

/* The attribute node of this kind in a list of attributes, or 0. */
uint32_t tl_list_attribute(const telar_wgsl *m, uint32_t list, tl_wgsl_attribute attribute);

/* The list of attributes of a declaration or statement (the empty list when its kind has none). */
uint32_t tl_node_attributes(const telar_wgsl *m, uint32_t node);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* Collects the errors of one read: the first goes to diag, each to report. */
typedef struct tl_wgsl_log {
    const char *source;
    uint32_t source_bytes;
    uint32_t error_count;
    telar_diag *diag;          /* may be NULL */
    telar_wgsl_report *report; /* may be NULL */
    void *user;
    uint32_t last_offset; /* where line counting can go on from */
    uint32_t last_line;
    uint32_t last_line_offset;
} tl_wgsl_log;

/* Reports an error at a byte offset. Returns TELAR_INVALID_WGSL. */
telar_status tl_wgsl_error(tl_wgsl_log *log, uint32_t offset, const char *format, ...) TL_PRINTF(3, 4);

/* No more errors are worth collecting: the reader stops. */
static inline bool tl_wgsl_log_full(const tl_wgsl_log *log)
{
    return log->error_count >= (log->report != NULL ? TELAR_WGSL_MAX_REPORTS : 1u);
}

/* ---- The three steps --------------------------------------------------------------------------------------------- */

/* Each fills its part of *m from the arena and reports errors to log. */
telar_status tl_wgsl_lex(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log);
telar_status tl_wgsl_parse(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log);
telar_status tl_wgsl_resolve(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log);

/* telar_wgsl_read_report without the resolver: the grammar alone is checked. */
telar_status tl_wgsl_read_syntax(const char *source, size_t source_bytes, telar_arena *arena, telar_wgsl_report *report,
                                 void *user, telar_wgsl **module, telar_diag *diag);

#endif
