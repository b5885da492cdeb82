/* SPDX-License-Identifier: MIT
 *
 * Attributes, from one table of names and argument counts. */
#include "wgsl/parse.h"

#define TL_WGSL_ATTRIBUTE_ENTRY(name, text, least, most) {{text, sizeof text - 1}, least, most},
static const struct attribute_form {
    tl_str name;
    uint32_t least;
    uint32_t most;
} forms[TL_ATTR_COUNT] = {{{"", 0}, 0, 0}, TL_WGSL_ATTRIBUTE_LIST(TL_WGSL_ATTRIBUTE_ENTRY)};
#undef TL_WGSL_ATTRIBUTE_ENTRY

static uint32_t find_form(tl_str name)
{
    uint32_t i = TL_ATTR_COUNT - 1;
    while (i > TL_ATTR_NONE && !tl_str_equal(forms[i].name, name)) i--;
    return i;
}

static uint32_t parse_word(tl_parser *p, const char *what)
{
    uint32_t name = tl_expect_name(p, what);
    return tl_node(p, TL_NODE_IDENT, name, 0, 0);
}

uint32_t tl_parse_diagnostic_control(tl_parser *p)
{
    uint32_t mark = p->scratch_count;
    tl_expect(p, TL_TOKEN_PAREN_LEFT, "after 'diagnostic'");
    tl_push(p, parse_word(p, "the severity of a diagnostic"));
    tl_expect(p, TL_TOKEN_COMMA, "after the severity of a diagnostic");
    tl_push(p, parse_word(p, "the rule of a diagnostic"));
    if (tl_accept(p, TL_TOKEN_DOT)) tl_push(p, parse_word(p, "the rule of a diagnostic"));
    tl_accept(p, TL_TOKEN_COMMA);
    tl_expect(p, TL_TOKEN_PAREN_RIGHT, "after the rule of a diagnostic");
    return tl_close_list(p, mark);
}

static uint32_t parse_arguments(tl_parser *p)
{
    uint32_t mark = p->scratch_count;
    while (p->kind != TL_TOKEN_PAREN_RIGHT && p->kind != TL_TOKEN_END) {
        tl_push(p, tl_parse_expression(p));
        if (!tl_accept(p, TL_TOKEN_COMMA)) break;
    }
    tl_expect(p, TL_TOKEN_PAREN_RIGHT, "after the arguments of an attribute");
    return tl_close_list(p, mark);
}

static void check_count(tl_parser *p, const struct attribute_form *form, uint32_t name, uint32_t count)
{
    if (p->panic || (count >= form->least && count <= form->most)) return;
    char text[128];
    telar_out out = {.data = text, .cap = sizeof text};
    tl_out_format(&out, "attribute '%.*s' takes ", TL_STR_ARGS(form->name));
    if (form->least != form->most) tl_out_format(&out, "%u to ", form->least);
    tl_out_format(&out, "%u arguments, found %u", form->most, count);
    tl_parse_error(p, name, text);
}

static uint32_t parse_attribute(tl_parser *p)
{
    uint32_t first = p->at;
    tl_advance(p);
    uint32_t name = p->at;
    bool word = p->kind == TL_TOKEN_IDENT || p->kind == TL_TOKEN_CONST || p->kind == TL_TOKEN_DIAGNOSTIC;
    if (!word) tl_expected(p, "the name of an attribute after '@'");
    uint32_t which = word ? find_form(tl_token_text(p->m, name)) : TL_ATTR_NONE;
    if (word && which == TL_ATTR_NONE) {
        char text[128];
        telar_out out = {.data = text, .cap = sizeof text};
        tl_out_format(&out, "unknown attribute '%.*s'", TL_STR_ARGS(tl_token_text(p->m, name)));
        tl_parse_error(p, name, text);
    }
    tl_advance(p);

    uint32_t arguments = 0;
    if (which == TL_ATTR_DIAGNOSTIC) arguments = tl_parse_diagnostic_control(p);
    else if (tl_accept(p, TL_TOKEN_PAREN_LEFT)) arguments = parse_arguments(p);
    uint32_t count = p->panic ? 0 : p->extra[arguments];
    check_count(p, &forms[which], name, count);
    uint32_t node = tl_node(p, TL_NODE_ATTRIBUTE, first, arguments, 0);
    p->nodes[node].op = (uint8_t)which;
    return node;
}

uint32_t tl_parse_attributes(tl_parser *p)
{
    if (p->kind != TL_TOKEN_AT) return 0;
    uint32_t mark = p->scratch_count;
    while (p->kind == TL_TOKEN_AT) tl_push(p, parse_attribute(p));
    return tl_close_list(p, mark);
}
