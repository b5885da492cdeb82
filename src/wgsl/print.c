/* SPDX-License-Identifier: MIT
 *
 * A module as canonical text: directives, then declarations, with an empty line around functions and structures. It
 * prints what was read; nothing is renamed, evaluated or reordered. */
#include "wgsl/print.h"

static void print_text(const tl_printer *p, const char *text)
{
    tl_out_text(p->out, text);
}

static void print_names(const tl_printer *p, const char *word, uint32_t list)
{
    uint32_t count = tl_list_count(p->m, list);
    print_text(p, word);
    for (uint32_t i = 0; i < count; i++) {
        print_text(p, i == 0 ? " " : ", ");
        tl_print_node(p, tl_list_at(p->m, list, i));
    }
    print_text(p, ";\n");
}

static void print_diagnostic(const tl_printer *p, uint32_t list)
{
    uint32_t count = tl_list_count(p->m, list);
    for (uint32_t i = 0; i < count; i++) {
        print_text(p, i == 0 ? "diagnostic(" : i == 1 ? ", " : ".");
        tl_print_node(p, tl_list_at(p->m, list, i));
    }
    print_text(p, ");\n");
}

static void print_directive(const tl_printer *p, uint32_t node)
{
    const tl_wgsl_node *n = &p->m->nodes[node];
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_ENABLE: print_names(p, "enable", n->a); break;
    case TL_NODE_REQUIRES: print_names(p, "requires", n->a); break;
    default: print_diagnostic(p, n->a); break;
    }
}

/* `attributes name: type` */
static void print_typed_name(const tl_printer *p, uint32_t node)
{
    const tl_member_parts *parts = TL_PARTS(tl_member_parts, p->m, node);
    tl_print_attributes(p, parts->attributes);
    tl_out_str(p->out, tl_node_name(p->m, node));
    print_text(p, ": ");
    tl_print_node(p, parts->type);
}

static void print_struct(const tl_printer *p, uint32_t node)
{
    uint32_t members = p->m->nodes[node].a;
    uint32_t count = tl_list_count(p->m, members);
    tl_out_format(p->out, "struct %.*s {\n", TL_STR_ARGS(tl_node_name(p->m, node)));
    for (uint32_t i = 0; i < count; i++) {
        print_text(p, "    ");
        print_typed_name(p, tl_list_at(p->m, members, i));
        print_text(p, ",\n");
    }
    print_text(p, "}\n");
}

static void print_function(tl_printer *p, uint32_t node)
{
    const tl_fn_parts *parts = TL_PARTS(tl_fn_parts, p->m, node);
    uint32_t attributes = tl_list_count(p->m, parts->attributes);
    for (uint32_t i = 0; i < attributes; i++) {
        tl_print_node(p, tl_list_at(p->m, parts->attributes, i));
        print_text(p, i + 1 < attributes ? " " : "\n");
    }
    tl_out_format(p->out, "fn %.*s(", TL_STR_ARGS(tl_node_name(p->m, node)));
    uint32_t params = tl_list_count(p->m, parts->params);
    for (uint32_t i = 0; i < params; i++) {
        if (i > 0) print_text(p, ", ");
        print_typed_name(p, tl_list_at(p->m, parts->params, i));
    }
    print_text(p, ") ");
    if (parts->result != 0) {
        print_text(p, "-> ");
        tl_print_attributes(p, parts->result_attributes);
        tl_print_node(p, parts->result);
        print_text(p, " ");
    }
    tl_print_block(p, parts->body);
    print_text(p, "\n");
}

static void print_declaration(tl_printer *p, uint32_t node)
{
    const tl_wgsl_node *n = &p->m->nodes[node];
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_FN: print_function(p, node); break;
    case TL_NODE_STRUCT: print_struct(p, node); break;
    case TL_NODE_ALIAS:
        tl_out_format(p->out, "alias %.*s = ", TL_STR_ARGS(tl_node_name(p->m, node)));
        tl_print_node(p, n->a);
        print_text(p, ";\n");
        break;
    case TL_NODE_CONST_ASSERT:
        print_text(p, "const_assert ");
        tl_print_node(p, n->a);
        print_text(p, ";\n");
        break;
    default:
        tl_print_value(p, node);
        print_text(p, ";\n");
        break;
    }
}

static bool stands_alone(const telar_wgsl *m, uint32_t node)
{
    return m->nodes[node].kind == TL_NODE_FN || m->nodes[node].kind == TL_NODE_STRUCT;
}

telar_status telar_wgsl_print(const telar_wgsl *module, telar_out *out, telar_diag *diag)
{
    tl_printer p = {.m = module, .out = out};
    uint32_t directives = tl_list_count(module, module->directives);
    for (uint32_t i = 0; i < directives; i++) { print_directive(&p, tl_list_at(module, module->directives, i)); }
    bool apart = directives > 0;
    uint32_t count = tl_list_count(module, module->declarations);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = tl_list_at(module, module->declarations, i);
        bool alone = stands_alone(module, node);
        if (apart || (alone && i > 0)) print_text(&p, "\n");
        print_declaration(&p, node);
        apart = alone;
    }
    if (telar_out_status(out) == TELAR_OK) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_NO_SPACE, out->len, out->cap, "text of %zu bytes does not fit in %zu", out->len,
                         out->cap);
}
