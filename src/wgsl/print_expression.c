/* SPDX-License-Identifier: MIT
 *
 * Expressions, types and attributes as canonical text. Parentheses are part of the tree, so an expression is its own
 * tokens: only blanks have to be chosen, and no recursion is needed however long a chain is. */
#include "wgsl/print.h"

static bool ends_operand(tl_wgsl_token_kind kind)
{
    switch (kind) {
    case TL_TOKEN_IDENT:
    case TL_TOKEN_INT:
    case TL_TOKEN_FLOAT:
    case TL_TOKEN_TRUE:
    case TL_TOKEN_FALSE:
    case TL_TOKEN_PAREN_RIGHT:
    case TL_TOKEN_BRACKET_RIGHT:
    case TL_TOKEN_TEMPLATE_END: return true;
    default: return false;
    }
}

static bool closes_list(tl_wgsl_token_kind kind)
{
    return kind == TL_TOKEN_PAREN_RIGHT || kind == TL_TOKEN_TEMPLATE_END;
}

static bool is_operator(tl_wgsl_token_kind kind)
{
    return kind >= TL_TOKEN_STAR && kind <= TL_TOKEN_OR_OR;
}

/* Whether a blank stands between two tokens. binary: the former is a binary operator. */
static bool needs_blank(tl_wgsl_token_kind before, bool binary, tl_wgsl_token_kind now)
{
    if (before == TL_TOKEN_COMMA || binary) return true;
    if (is_operator(now) && ends_operand(before)) return true;
    if (before == now && (now == TL_TOKEN_MINUS || now == TL_TOKEN_AND)) return true; /* - -a */
    return before == TL_TOKEN_INT && now == TL_TOKEN_DOT;                             /* 1.x would be a float */
}

void tl_print_tokens(const tl_printer *p, uint32_t first, uint32_t last)
{
    const telar_wgsl *m = p->m;
    tl_wgsl_token_kind before = TL_TOKEN_PAREN_LEFT;
    bool binary = false;
    for (uint32_t i = first; i <= last; i++) {
        tl_wgsl_token_kind now = tl_token_kind(m, i);
        if (now == TL_TOKEN_COMMA && i < last && closes_list(tl_token_kind(m, i + 1))) continue;
        if (i > first && needs_blank(before, binary, now)) tl_out_bytes(p->out, " ", 1);
        binary = is_operator(now) && ends_operand(before);
        tl_out_str(p->out, tl_token_text(m, i));
        before = now;
    }
}

void tl_print_attributes(const tl_printer *p, uint32_t list)
{
    uint32_t count = tl_list_count(p->m, list);
    for (uint32_t i = 0; i < count; i++) {
        tl_print_node(p, tl_list_at(p->m, list, i));
        tl_out_bytes(p->out, " ", 1);
    }
}
