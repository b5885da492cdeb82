/* SPDX-License-Identifier: MIT
 *
 * The parser's machinery: tokens, errors, nodes, lists; and the split of the free arena among them. */
#include "wgsl/parse.h"

#include <string.h>

#define TL_WGSL_TOKEN_TEXT(name, text) text,
static const char *const token_texts[TL_TOKEN_COUNT] = {TL_WGSL_TOKEN_LIST(TL_WGSL_TOKEN_TEXT)};
#undef TL_WGSL_TOKEN_TEXT

const char *tl_token_kind_text(tl_wgsl_token_kind kind)
{
    return token_texts[kind];
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static void panic(tl_parser *p)
{
    p->panic = true;
    p->kind = TL_TOKEN_END;
}

/* True when the error at this token is to be reported; the parser panics in both cases. */
static bool begin_error(tl_parser *p, uint32_t token)
{
    bool fresh = !p->panic && p->last_error != token + 1;
    p->last_error = token + 1;
    panic(p);
    return fresh;
}

void tl_parse_error(tl_parser *p, uint32_t token, const char *text)
{
    if (!begin_error(p, token)) return;
    tl_wgsl_error(p->log, p->tokens[token].offset, "%s", text);
}

uint32_t tl_open_braces(const tl_parser *p, uint32_t start)
{
    uint32_t open = 0;
    for (uint32_t i = start; i < p->at; i++) {
        tl_wgsl_token_kind kind = tl_token_kind(p->m, i);
        if (kind == TL_TOKEN_BRACE_LEFT) open++;
        if (kind == TL_TOKEN_BRACE_RIGHT && open > 0) open--;
    }
    return open;
}

void tl_resume(tl_parser *p)
{
    if (p->no_space || tl_wgsl_log_full(p->log)) return;
    p->panic = false;
    p->kind = tl_token_kind(p->m, p->at);
}

/* "found 'let'": the current token, cut when it is long. */
static void report_found(tl_parser *p, const char *expected)
{
    if (!begin_error(p, p->at)) return;
    tl_wgsl_token_kind kind = tl_token_kind(p->m, p->at);
    tl_str text = tl_token_text(p->m, p->at);
    uint32_t offset = p->tokens[p->at].offset;
    size_t shown = text.len <= 40 ? text.len : 40;
    while (shown < text.len && shown > 0 && (text.data[shown] & 0xC0) == 0x80) shown--;
    const char *cut = shown < text.len ? "..." : "";
    const char *word = kind == TL_TOKEN_RESERVED ? "the reserved word " : "";
    if (kind == TL_TOKEN_END) {
        tl_wgsl_error(p->log, offset, "expected %s, found the end of the file", expected);
    } else {
        tl_wgsl_error(p->log, offset, "expected %s, found %s'%.*s%s'", expected, word, (int)shown, text.data, cut);
    }
}

void tl_expected(tl_parser *p, const char *what)
{
    report_found(p, what);
}

bool tl_expect_failed(tl_parser *p, tl_wgsl_token_kind kind, const char *where)
{
    char text[128];
    telar_out out = {.data = text, .cap = sizeof text};
    tl_out_format(&out, "'%s' %s", tl_token_kind_text(kind), where);
    report_found(p, text);
    return false;
}

uint32_t tl_expect_name(tl_parser *p, const char *what)
{
    uint32_t token = p->at;
    if (p->kind == TL_TOKEN_IDENT) tl_advance(p);
    else report_found(p, what);
    return token;
}

void tl_enter(tl_parser *p)
{
    p->depth++;
    if (p->depth <= TL_WGSL_MAX_DEPTH || p->panic) return;
    char text[64];
    telar_out out = {.data = text, .cap = sizeof text};
    tl_out_format(&out, "nested deeper than %d levels", TL_WGSL_MAX_DEPTH);
    tl_parse_error(p, p->at, text);
}

/* ---- Nodes and lists --------------------------------------------------------------------------------------------- */

static void stop_without_space(tl_parser *p)
{
    p->no_space = true;
    panic(p);
}

uint32_t tl_node(tl_parser *p, tl_wgsl_node_kind kind, uint32_t first, uint32_t a, uint32_t b)
{
    if (p->panic) return 0;
    if (p->node_count >= p->node_cap) {
        stop_without_space(p);
        return 0;
    }
    uint32_t last = p->at > first ? p->at - 1 : first;
    p->nodes[p->node_count] = (tl_wgsl_node){
        .kind = (uint8_t)kind,
        .first = first,
        .last = last,
        .a = a,
        .b = b,
    };
    return p->node_count++;
}

uint32_t tl_record(tl_parser *p, const uint32_t *words, uint32_t count)
{
    if (p->panic) return 0;
    if (count > p->extra_cap - p->extra_count) {
        stop_without_space(p);
        return 0;
    }
    uint32_t index = p->extra_count;
    for (uint32_t i = 0; i < count; i++) p->extra[index + i] = words[i];
    p->extra_count += count;
    return index;
}

uint32_t tl_close_list(tl_parser *p, uint32_t mark)
{
    uint32_t count = p->scratch_count - mark;
    p->scratch_count = mark;
    if (count == 0) return 0;
    uint32_t list = tl_record(p, &count, 1);
    tl_record(p, p->scratch + mark, count);
    return list;
}

uint32_t tl_list_attribute(const telar_wgsl *m, uint32_t list, tl_wgsl_attribute attribute)
{
    uint32_t count = tl_list_count(m, list);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = tl_list_at(m, list, i);
        if (m->nodes[node].op == attribute) return node;
    }
    return 0;
}

uint32_t tl_node_attributes(const telar_wgsl *m, uint32_t node)
{
    const tl_wgsl_node *n = &m->nodes[node];
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_MEMBER:
    case TL_NODE_PARAM:
    case TL_NODE_FN:
    case TL_NODE_VAR:
    case TL_NODE_LET:
    case TL_NODE_CONST:
    case TL_NODE_OVERRIDE:
    case TL_NODE_SWITCH:
    case TL_NODE_WHILE:
    case TL_NODE_FOR: return m->extra[n->a]; /* every record begins with its attributes */
    case TL_NODE_BLOCK:
    case TL_NODE_IF:
    case TL_NODE_LOOP: return n->b;
    default: return 0;
    }
}
