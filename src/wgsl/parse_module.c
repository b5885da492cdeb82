/* SPDX-License-Identifier: MIT
 *
 * Directives, declarations at module scope, and the parser's entry. After an error the reader goes on at the next
 * declaration. */
#include "wgsl/parse.h"

#include <string.h>

/* ---- Directives -------------------------------------------------------------------------------------------------- */

static uint32_t parse_names(tl_parser *p, const char *what)
{
    uint32_t mark = p->scratch_count;
    do {
        uint32_t name = tl_expect_name(p, what);
        tl_push(p, tl_node(p, TL_NODE_IDENT, name, 0, 0));
    } while (tl_accept(p, TL_TOKEN_COMMA) && p->kind != TL_TOKEN_SEMICOLON);
    return tl_close_list(p, mark);
}

static uint32_t parse_directive(tl_parser *p)
{
    uint32_t first = p->at;
    tl_wgsl_token_kind kind = p->kind;
    tl_wgsl_node_kind node_kind = TL_NODE_DIAGNOSTIC_DIRECTIVE;
    uint32_t names;
    tl_advance(p);
    if (kind == TL_TOKEN_ENABLE) {
        node_kind = TL_NODE_ENABLE;
        names = parse_names(p, "the name of an extension after 'enable'");
    } else if (kind == TL_TOKEN_REQUIRES) {
        node_kind = TL_NODE_REQUIRES;
        names = parse_names(p, "the name of a language feature after 'requires'");
    } else {
        names = tl_parse_diagnostic_control(p);
    }
    tl_expect(p, TL_TOKEN_SEMICOLON, "after a directive");
    return tl_node(p, node_kind, first, names, 0);
}

/* ---- Structures and functions ------------------------------------------------------------------------------------ */

/* `attributes name : type` of a member or parameter. */
static uint32_t parse_typed_name(tl_parser *p, tl_wgsl_node_kind kind, const char *what, const char *colon)
{
    uint32_t first = p->at;
    uint32_t attributes = tl_parse_attributes(p);
    uint32_t name = tl_expect_name(p, what);
    tl_expect(p, TL_TOKEN_COLON, colon);
    uint32_t words[] = {attributes, tl_parse_type(p)};
    return tl_node(p, kind, first, tl_record(p, words, TL_COUNT(words)), name);
}

static uint32_t parse_struct(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    uint32_t name = tl_expect_name(p, "the name of a structure");
    tl_expect(p, TL_TOKEN_BRACE_LEFT, "after the name of a structure");
    uint32_t mark = p->scratch_count;
    do {
        tl_push(p, parse_typed_name(p, TL_NODE_MEMBER, "a member of a structure", "after the name of a member"));
    } while (tl_accept(p, TL_TOKEN_COMMA) && p->kind != TL_TOKEN_BRACE_RIGHT);
    uint32_t members = tl_close_list(p, mark);
    tl_expect(p, TL_TOKEN_BRACE_RIGHT, "or ',' after a member of a structure");
    return tl_node(p, TL_NODE_STRUCT, first, members, name);
}

static uint32_t parse_params(tl_parser *p)
{
    uint32_t mark = p->scratch_count;
    while (p->kind != TL_TOKEN_PAREN_RIGHT && p->kind != TL_TOKEN_END) {
        tl_push(p, parse_typed_name(p, TL_NODE_PARAM, "the name of a parameter", "after the name of a parameter"));
        if (!tl_accept(p, TL_TOKEN_COMMA)) break;
    }
    tl_expect(p, TL_TOKEN_PAREN_RIGHT, "after the parameters of a function");
    return tl_close_list(p, mark);
}

static uint32_t parse_function(tl_parser *p, uint32_t first, uint32_t attributes)
{
    tl_advance(p);
    tl_fn_parts parts = {.attributes = attributes};
    uint32_t name = tl_expect_name(p, "the name of a function");
    tl_expect(p, TL_TOKEN_PAREN_LEFT, "after the name of a function");
    parts.params = parse_params(p);
    if (tl_accept(p, TL_TOKEN_ARROW)) {
        parts.result_attributes = tl_parse_attributes(p);
        parts.result = tl_parse_type(p);
    }
    parts.body = tl_parse_block(p, "before the body of a function");
    uint32_t words[] = {attributes, parts.params, parts.result_attributes, parts.result, parts.body};
    return tl_node(p, TL_NODE_FN, first, tl_record(p, words, TL_COUNT(words)), name);
}

static uint32_t parse_alias(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    uint32_t name = tl_expect_name(p, "the name of an alias");
    tl_expect(p, TL_TOKEN_EQUAL, "after the name of an alias");
    uint32_t type = tl_parse_type(p);
    tl_expect(p, TL_TOKEN_SEMICOLON, "after an alias");
    return tl_node(p, TL_NODE_ALIAS, first, type, name);
}

/* ---- Module scope ------------------------------------------------------------------------------------------------ */

static bool is_directive(tl_wgsl_token_kind kind)
{
    return kind == TL_TOKEN_ENABLE || kind == TL_TOKEN_REQUIRES || kind == TL_TOKEN_DIAGNOSTIC;
}

static uint32_t parse_declaration(tl_parser *p)
{
    uint32_t first = p->at;
    uint32_t attributes = tl_parse_attributes(p);
    switch (p->kind) {
    case TL_TOKEN_FN: return parse_function(p, first, attributes);
    case TL_TOKEN_VAR:
    case TL_TOKEN_OVERRIDE: return tl_parse_variable(p, first, attributes, TL_FLAG_GLOBAL);
    default: break;
    }
    if (attributes != 0) tl_expected(p, "'fn', 'var' or 'override' after attributes");
    switch (p->kind) {
    case TL_TOKEN_CONST: return tl_parse_variable(p, first, 0, TL_FLAG_GLOBAL);
    case TL_TOKEN_STRUCT: return parse_struct(p);
    case TL_TOKEN_ALIAS: return parse_alias(p);
    case TL_TOKEN_CONST_ASSERT: return tl_parse_const_assert(p, TL_FLAG_GLOBAL);
    default: break;
    }
    if (is_directive(p->kind)) { tl_parse_error(p, first, "directives must come before all declarations"); }
    tl_expected(p, "a declaration");
    return 0;
}

static bool begins_declaration(tl_wgsl_token_kind kind)
{
    switch (kind) {
    case TL_TOKEN_FN:
    case TL_TOKEN_STRUCT:
    case TL_TOKEN_ALIAS:
    case TL_TOKEN_VAR:
    case TL_TOKEN_CONST:
    case TL_TOKEN_OVERRIDE:
    case TL_TOKEN_CONST_ASSERT: return true;
    default: return false;
    }
}

/* After an error in the declaration that began at token start: behind its ';' or '}', or to the next one. */
static void recover(tl_parser *p, uint32_t start)
{
    uint32_t open = tl_open_braces(p, start);
    for (;; p->at++) {
        tl_wgsl_token_kind kind = tl_token_kind(p->m, p->at);
        if (kind == TL_TOKEN_END) break;
        bool outside = open == 0 || kind == TL_TOKEN_FN || kind == TL_TOKEN_STRUCT;
        if (outside && p->at > start && begins_declaration(kind)) break;
        if (kind == TL_TOKEN_BRACE_LEFT) open++;
        bool closed = kind == TL_TOKEN_BRACE_RIGHT && open <= 1;
        if (kind == TL_TOKEN_BRACE_RIGHT && open > 0) open--;
        if (closed || (open == 0 && kind == TL_TOKEN_SEMICOLON)) {
            p->at++;
            break;
        }
    }
    tl_resume(p);
}

static uint32_t parse_all(tl_parser *p, bool directives)
{
    uint32_t mark = p->scratch_count;
    while (p->kind != TL_TOKEN_END) {
        if (tl_accept(p, TL_TOKEN_SEMICOLON)) continue;
        if (directives && !is_directive(p->kind)) break;
        uint32_t start = p->at;
        tl_push(p, directives ? parse_directive(p) : parse_declaration(p));
        if (p->panic) recover(p, start);
    }
    return tl_close_list(p, mark);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Words of extra that a module of so many tokens takes at most: `var a;`, the densest, makes 5 of its 3 tokens. */
static size_t extra_words(size_t tokens)
{
    return 2 * tokens + 64;
}

static size_t scratch_words(size_t tokens)
{
    return tokens + 64;
}

/* Nodes from the front of the free arena; extra and scratch at its end, of sizes that always suffice. */
static bool split_arena(tl_parser *p, const telar_arena *arena, size_t start)
{
    size_t tokens = p->m->token_count;
    size_t words = extra_words(tokens) + scratch_words(tokens);
    size_t end = arena->cap & ~(size_t)3;
    size_t fixed = words * sizeof(uint32_t) + 16 * sizeof(tl_wgsl_node);
    if (end < start || end - start < fixed) return false;
    uint32_t *tail = (uint32_t *)(void *)((char *)arena->data + end) - words;
    size_t nodes = (end - start - words * sizeof(uint32_t)) / sizeof(tl_wgsl_node);
    p->extra = tail;
    p->extra_cap = (uint32_t)extra_words(tokens);
    p->scratch = tail + extra_words(tokens);
    p->nodes = (tl_wgsl_node *)(void *)((char *)arena->data + start);
    p->node_cap = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
    p->nodes[0] = (tl_wgsl_node){.kind = TL_NODE_NONE};
    p->node_count = 1;
    p->extra[0] = 0;
    p->extra_count = 1;
    return true;
}

/* What the parse would have taken, as if the rest were as rich in nodes as what was read. */
static size_t needed_bytes(const tl_parser *p, size_t start)
{
    size_t tokens = p->m->token_count;
    size_t nodes = p->node_cap == 0 ? tokens : (size_t)p->node_cap * (tokens / (p->at + 1) + 1);
    size_t words = extra_words(tokens) + scratch_words(tokens);
    return start + (nodes + 64) * sizeof(tl_wgsl_node) + words * sizeof(uint32_t) + 16;
}

static void keep_results(tl_parser *p, telar_arena *arena, size_t start)
{
    telar_wgsl *m = p->m;
    uint32_t *extra = (uint32_t *)(void *)(p->nodes + p->node_count);
    memmove(extra, p->extra, p->extra_count * sizeof(uint32_t));
    m->nodes = p->nodes;
    m->node_count = p->node_count;
    m->extra = extra;
    m->extra_count = p->extra_count;
    arena->used = start + p->node_count * sizeof(tl_wgsl_node) + p->extra_count * sizeof(uint32_t);
}

telar_status tl_wgsl_parse(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log)
{
    tl_parser p = {.m = m, .log = log, .tokens = m->tokens};
    size_t start = (arena->used + 3) & ~(size_t)3;
    if (!split_arena(&p, arena, start)) {
        arena->needed = needed_bytes(&p, start);
        return TELAR_NO_SPACE;
    }
    p.kind = tl_token_kind(m, 0);
    m->directives = parse_all(&p, true);
    m->declarations = parse_all(&p, false);
    if (log->error_count > 0) return TELAR_INVALID_WGSL;
    if (p.no_space) {
        arena->needed = needed_bytes(&p, start);
        return TELAR_NO_SPACE;
    }
    keep_results(&p, arena, start);
    return TELAR_OK;
}
