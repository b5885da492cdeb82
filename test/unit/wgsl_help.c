/* SPDX-License-Identifier: MIT
 *
 * Helpers of the WGSL tests. */
#include "wgsl_help.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES ((size_t)64 << 20)
#define TEXT_BYTES ((size_t)16 << 20)

telar_diag help_diag;

/* Two of each, used in turn, so that a second read or text leaves the first alone. */
static telar_arena *next_arena(void)
{
    static telar_arena arenas[2];
    static int turn;
    telar_arena *arena = &arenas[turn++ & 1];
    if (arena->data == NULL) *arena = telar_arena_make(malloc(MEMORY_BYTES), MEMORY_BYTES);
    arena->used = 0;
    return arena;
}

static telar_out next_text(void)
{
    static char *texts[4];
    static int turn;
    char **text = &texts[turn++ & 3];
    if (*text == NULL) *text = malloc(TEXT_BYTES);
    (*text)[0] = '\0';
    return (telar_out){.data = *text, .cap = TEXT_BYTES};
}

const telar_wgsl *help_read_bytes(const char *source, size_t bytes)
{
    telar_wgsl *module;
    help_diag = (telar_diag){0};
    tl_wgsl_read_syntax(source, bytes, next_arena(), NULL, NULL, &module, &help_diag);
    return module;
}

const telar_wgsl *help_read(const char *source)
{
    return help_read_bytes(source, strlen(source));
}

static const char *error_text(telar_out out)
{
    tl_out_format(&out, "error: %s", help_diag.text);
    return out.data;
}

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

static const char *token_name(tl_wgsl_token_kind kind)
{
    switch (kind) {
    case TL_TOKEN_IDENT: return "name";
    case TL_TOKEN_INT: return "int";
    case TL_TOKEN_FLOAT: return "float";
    case TL_TOKEN_RESERVED: return "reserved";
    case TL_TOKEN_TEMPLATE_START: return "T<";
    case TL_TOKEN_TEMPLATE_END: return "T>";
    default: return tl_token_kind_text(kind);
    }
}

const char *help_tokens(const char *source)
{
    telar_out out = next_text();
    help_diag = (telar_diag){0};
    telar_wgsl m = {.source = source, .source_bytes = (uint32_t)strlen(source)};
    tl_wgsl_log log = {.source = source, .source_bytes = m.source_bytes, .diag = &help_diag};
    if (tl_wgsl_lex(&m, next_arena(), &log) != TELAR_OK) return error_text(out);
    for (uint32_t i = 0; i + 1 < m.token_count; i++) {
        tl_out_format(&out, "%s%s", i > 0 ? " " : "", token_name(tl_token_kind(&m, i)));
    }
    return out.data;
}

/* ---- Trees ------------------------------------------------------------------------------------------------------- */

static const char *const node_names[TL_NODE_KIND_COUNT] = {
    [TL_NODE_ATTRIBUTE] = "@",
    [TL_NODE_ENABLE] = "enable",
    [TL_NODE_REQUIRES] = "requires",
    [TL_NODE_DIAGNOSTIC_DIRECTIVE] = "diagnostic",
    [TL_NODE_ALIAS] = "alias",
    [TL_NODE_STRUCT] = "struct",
    [TL_NODE_MEMBER] = "member",
    [TL_NODE_FN] = "fn",
    [TL_NODE_PARAM] = "param",
    [TL_NODE_VAR] = "var",
    [TL_NODE_LET] = "let",
    [TL_NODE_CONST] = "const",
    [TL_NODE_OVERRIDE] = "override",
    [TL_NODE_CONST_ASSERT] = "const_assert",
    [TL_NODE_BLOCK] = "block",
    [TL_NODE_IF] = "if",
    [TL_NODE_SWITCH] = "switch",
    [TL_NODE_CASE] = "case",
    [TL_NODE_DEFAULT_SELECTOR] = "default",
    [TL_NODE_LOOP] = "loop",
    [TL_NODE_CONTINUING] = "continuing",
    [TL_NODE_WHILE] = "while",
    [TL_NODE_FOR] = "for",
    [TL_NODE_BREAK] = "break",
    [TL_NODE_BREAK_IF] = "break-if",
    [TL_NODE_CONTINUE] = "continue",
    [TL_NODE_DISCARD] = "discard",
    [TL_NODE_RETURN] = "return",
    [TL_NODE_ASSIGN] = "assign",
    [TL_NODE_PHONY] = "phony",
    [TL_NODE_INCREMENT] = "++",
    [TL_NODE_DECREMENT] = "--",
    [TL_NODE_CALL_STATEMENT] = "do",
    [TL_NODE_PAREN] = "paren",
    [TL_NODE_CALL] = "call",
    [TL_NODE_INDEX] = "index",
    [TL_NODE_MEMBER_ACCESS] = ".",
};

static const char *const op_names[] = {
    "",   "neg", "not", "com", "deref", "addr", "*",  "/", "%", "+", "-",  "<<",
    ">>", "<",   "<=",  ">",   ">=",    "==",   "!=", "&", "^", "|", "&&", "||",
};

static void write_node(const telar_wgsl *m, uint32_t node, telar_out *out);

static void write_list(const telar_wgsl *m, uint32_t list, telar_out *out)
{
    for (uint32_t i = 0; i < tl_list_count(m, list); i++) write_node(m, tl_list_at(m, list, i), out);
}

/* A list in brackets, or nothing when it is empty. */
static void write_group(const telar_wgsl *m, uint32_t list, telar_out *out)
{
    if (tl_list_count(m, list) == 0) return;
    tl_out_text(out, " [");
    write_list(m, list, out);
    tl_out_text(out, " ]");
}

static void write_optional(const telar_wgsl *m, uint32_t node, telar_out *out)
{
    if (node == 0) tl_out_text(out, " ~");
    else write_node(m, node, out);
}

static bool has_name(tl_wgsl_node_kind kind)
{
    return kind == TL_NODE_ATTRIBUTE || kind == TL_NODE_MEMBER_ACCESS ||
           (kind >= TL_NODE_ALIAS && kind <= TL_NODE_OVERRIDE);
}

static void write_parts(const telar_wgsl *m, uint32_t node, telar_out *out)
{
    const tl_wgsl_node *n = &m->nodes[node];
    const uint32_t *words = &m->extra[n->a];
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_MEMBER:
    case TL_NODE_PARAM:
        write_group(m, words[0], out);
        write_node(m, words[1], out);
        break;
    case TL_NODE_VAR:
    case TL_NODE_LET:
    case TL_NODE_CONST:
    case TL_NODE_OVERRIDE:
        write_group(m, words[0], out);
        write_group(m, words[1], out);
        write_optional(m, words[2], out);
        write_optional(m, words[3], out);
        break;
    case TL_NODE_FN:
        for (int i = 0; i < 3; i++) write_group(m, words[i], out);
        write_optional(m, words[3], out);
        write_node(m, words[4], out);
        break;
    case TL_NODE_SWITCH:
        write_group(m, words[0], out);
        write_node(m, words[1], out);
        write_group(m, words[2], out);
        write_list(m, words[3], out);
        break;
    case TL_NODE_WHILE:
        write_group(m, words[0], out);
        write_node(m, words[1], out);
        write_node(m, words[2], out);
        break;
    case TL_NODE_FOR:
        write_group(m, words[0], out);
        for (int i = 1; i < 5; i++) write_optional(m, words[i], out);
        break;
    case TL_NODE_CALL:
        write_node(m, n->a, out);
        write_list(m, n->b, out);
        break;
    case TL_NODE_BLOCK:
    case TL_NODE_IF:
        write_group(m, n->b, out);
        write_list(m, n->a, out);
        break;
    case TL_NODE_LOOP:
        write_group(m, n->b, out);
        write_node(m, n->a, out);
        break;
    case TL_NODE_CASE:
        write_list(m, n->a, out);
        write_node(m, n->b, out);
        break;
    case TL_NODE_INDEX:
    case TL_NODE_BINARY:
    case TL_NODE_ASSIGN:
        write_node(m, n->a, out);
        write_node(m, n->b, out);
        break;
    case TL_NODE_ATTRIBUTE:
    case TL_NODE_ENABLE:
    case TL_NODE_REQUIRES:
    case TL_NODE_DIAGNOSTIC_DIRECTIVE:
    case TL_NODE_STRUCT: write_list(m, n->a, out); break;
    default:
        if (n->a != 0) write_node(m, n->a, out);
        break;
    }
}

/* With a blank before it, unless a line or the text begins here. */
static void write_node(const telar_wgsl *m, uint32_t node, telar_out *out)
{
    const tl_wgsl_node *n = &m->nodes[node];
    tl_wgsl_node_kind kind = (tl_wgsl_node_kind)n->kind;
    if (out->len > 0 && out->data[out->len - 1] != '\n') tl_out_text(out, " ");
    if (kind == TL_NODE_INT || kind == TL_NODE_FLOAT || kind == TL_NODE_BOOL) {
        tl_out_str(out, tl_node_text(m, node));
    } else if (kind == TL_NODE_IDENT) {
        tl_out_str(out, tl_node_name(m, node));
        if (n->a == 0) return;
        tl_out_text(out, "<");
        write_list(m, n->a, out);
        tl_out_text(out, " >");
    } else {
        bool named = kind == TL_NODE_BINARY || kind == TL_NODE_UNARY;
        tl_out_format(out, "(%s", named ? op_names[n->op] : node_names[kind]);
        if (kind == TL_NODE_ASSIGN && n->op != TL_OP_NONE) tl_out_text(out, op_names[n->op]);
        if (has_name(kind)) tl_out_format(out, " %.*s", TL_STR_ARGS(tl_node_name(m, node)));
        write_parts(m, node, out);
        tl_out_text(out, ")");
    }
}

static void write_lines(const telar_wgsl *m, uint32_t list, telar_out *out)
{
    for (uint32_t i = 0; i < tl_list_count(m, list); i++) {
        if (out->len > 0) tl_out_text(out, "\n");
        write_node(m, tl_list_at(m, list, i), out);
    }
}

const char *help_tree(const char *source)
{
    telar_out out = next_text();
    const telar_wgsl *m = help_read(source);
    if (m == NULL) return error_text(out);
    write_lines(m, m->directives, &out);
    write_lines(m, m->declarations, &out);
    return out.data;
}

const char *help_expression(const char *source)
{
    telar_out text = next_text();
    telar_out out = next_text();
    tl_out_format(&text, "const c = %s;", source);
    const telar_wgsl *m = help_read(text.data);
    if (m == NULL) return error_text(out);
    uint32_t declaration = tl_list_at(m, m->declarations, 0);
    write_node(m, TL_PARTS(tl_var_parts, m, declaration)->init, &out);
    return out.data;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

typedef struct error_writer {
    const char *source;
    size_t bytes;
    telar_out out;
} error_writer;

static void write_error(void *user, const telar_diag *diag)
{
    error_writer *w = user;
    telar_wgsl_caret("f", w->source, w->bytes, diag, &w->out);
}

const char *help_errors_bytes(const char *source, size_t bytes)
{
    error_writer w = {source, bytes, next_text()};
    telar_wgsl *module;
    help_diag = (telar_diag){0};
    tl_wgsl_read_syntax(source, bytes, next_arena(), write_error, &w, &module, &help_diag);
    return w.out.data;
}

const char *help_errors(const char *source)
{
    return help_errors_bytes(source, strlen(source));
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

const char *help_print(const char *source)
{
    telar_out first = next_text();
    telar_out second = next_text();
    const telar_wgsl *a = help_read(source);
    if (a == NULL) return error_text(first);
    telar_wgsl_print(a, &first, NULL);
    const telar_wgsl *b = help_read_bytes(first.data, first.len);
    if (b == NULL) return error_text(second);
    telar_wgsl_print(b, &second, NULL);
    bool same = a->node_count == b->node_count && a->extra_count == b->extra_count &&
                memcmp(a->extra, b->extra, a->extra_count * sizeof *a->extra) == 0;
    return same && strcmp(first.data, second.data) == 0 ? first.data : "not a fixed point";
}
