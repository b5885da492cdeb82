/* SPDX-License-Identifier: MIT
 *
 * Expressions: the walk, literals and names. Chains to the left (`a + b + c`, `a.b[c].d`) can be as long as the source:
 * they are walked down and up again by a loop that keeps its way back in the declaration words of the chain. */
#include "wgsl/resolver.h"

static void resolve_number(tl_resolver *r, uint32_t node)
{
    tl_type type;
    int64_t integer = 0;
    double real = 0;
    tl_str text = tl_token_text(r->m, tl_at(r, node)->first);
    tl_number_status status = tl_number_read(text, &type, &integer, &real);
    if (status == TL_NUMBER_FORM) {
        tl_resolve_error(r, node, "'%.*s' is not a number", TL_STR_ARGS(text));
        tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
        return;
    }
    if (status == TL_NUMBER_RANGE) {
        tl_resolve_error(r, node, "the value '%.*s' does not fit '%s'", TL_STR_ARGS(text),
                         tl_resolve_type_text(r, type));
    }
    bool is_float = tl_kind_is_float((tl_kind)type);
    tl_set(r, node, type,
           is_float ? tl_constant_float(&r->s->constants, type, real)
                    : tl_constant_int(&r->s->constants, type, integer));
}

static void report_not_value(tl_resolver *r, uint32_t node, const char *what)
{
    tl_resolve_error(r, node, "'%.*s' is %s, not a value", TL_STR_ARGS(tl_node_name(r->m, node)), what);
}

static void resolve_predeclared_value(tl_resolver *r, uint32_t node, uint32_t meaning)
{
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
    switch (meaning & TL_NAME_TAG_MASK) {
    case TL_NAME_BUILTIN: report_not_value(r, node, "a function"); break;
    case TL_NAME_FORMAT: report_not_value(r, node, "a texel format"); break;
    default: {
        tl_predeclared_class class_ = tl_predeclared_get(meaning & TL_NAME_INDEX_MASK)->class_;
        if (class_ == TL_CLASS_VALUE || class_ == TL_CLASS_WORD) break;
        report_not_value(r, node,
                         class_ == TL_CLASS_SPACE    ? "an address space"
                         : class_ == TL_CLASS_ACCESS ? "an access mode"
                                                     : "a type");
        break;
    }
    }
}

static void resolve_ident(tl_resolver *r, uint32_t node)
{
    uint32_t declaration = tl_resolve_name(r, node);
    if (declaration == 0) {
        tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
        return;
    }
    if ((declaration & TL_NAME_TAG_MASK) != 0) {
        resolve_predeclared_value(r, node, declaration);
        return;
    }
    if (tl_list_count(r->m, tl_at(r, node)->a) > 0) {
        tl_resolve_error(r, node, "'%.*s' takes no template arguments", TL_STR_ARGS(tl_node_name(r->m, node)));
    }
    switch ((tl_wgsl_node_kind)tl_at(r, declaration)->kind) {
    case TL_NODE_FN: report_not_value(r, node, "a function"); break;
    case TL_NODE_STRUCT:
    case TL_NODE_ALIAS: report_not_value(r, node, "a type"); break;
    default: tl_set(r, node, r->s->type[declaration], r->s->constant[declaration]); return;
    }
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
}

static void resolve_paren(tl_resolver *r, uint32_t node)
{
    uint32_t inner = tl_at(r, node)->a;
    tl_resolve_expression(r, inner);
    tl_set(r, node, r->s->type[inner], r->s->constant[inner]);
}

static bool is_chain(const tl_resolver *r, uint32_t node)
{
    uint8_t kind = tl_at(r, node)->kind;
    return kind == TL_NODE_BINARY || kind == TL_NODE_INDEX || kind == TL_NODE_MEMBER_ACCESS;
}

/* The right operand of && and || is not evaluated, and its value cannot be wrong, when the left one decides. */
static bool decides(const tl_resolver *r, uint32_t node)
{
    int64_t value;
    tl_wgsl_op op = (tl_wgsl_op)tl_at(r, node)->op;
    if (op != TL_OP_AND_AND && op != TL_OP_OR_OR) return false;
    if (!tl_constant_as_int(&r->s->constants, r->s->constant[tl_at(r, node)->a], &value)) { return false; }
    return (value != 0) == (op == TL_OP_OR_OR);
}

static void resolve_link(tl_resolver *r, uint32_t node)
{
    switch ((tl_wgsl_node_kind)tl_at(r, node)->kind) {
    case TL_NODE_INDEX: tl_resolve_index(r, node); break;
    case TL_NODE_MEMBER_ACCESS: tl_resolve_member(r, node); break;
    default: {
        bool muted = decides(r, node);
        r->muted += muted;
        tl_resolve_expression(r, tl_at(r, node)->b);
        r->muted -= muted;
        tl_resolve_binary(r, node);
        break;
    }
    }
}

static void resolve_single(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_IDENT: resolve_ident(r, node); break;
    case TL_NODE_BOOL: tl_set(r, node, TL_TYPE_BOOL, tl_constant_bool(&r->s->constants, n->op != 0)); break;
    case TL_NODE_INT:
    case TL_NODE_FLOAT: resolve_number(r, node); break;
    case TL_NODE_PAREN: resolve_paren(r, node); break;
    case TL_NODE_UNARY:
        tl_resolve_expression(r, n->a);
        tl_resolve_unary(r, node);
        break;
    case TL_NODE_CALL: tl_resolve_call(r, node); break;
    default: break;
    }
}

tl_type tl_resolve_expression(tl_resolver *r, uint32_t node)
{
    if (!tl_resolve_enter(r, node)) return TL_TYPE_UNKNOWN;
    uint32_t current = node, parent = 0;
    for (; is_chain(r, current); current = tl_at(r, current)->a) {
        r->s->declaration[current] = parent;
        parent = current;
    }
    resolve_single(r, current);
    while (parent != 0) {
        uint32_t link = parent;
        parent = r->s->declaration[link];
        r->s->declaration[link] = 0;
        resolve_link(r, link);
    }
    r->depth--;
    return r->s->type[node];
}

tl_type tl_value_of(tl_resolver *r, uint32_t node)
{
    tl_type type = r->s->type[node];
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    if (info->kind == TL_KIND_REFERENCE) {
        const tl_type_info *store = tl_type_get(&r->s->types, info->element);
        if (store->kind == TL_KIND_ATOMIC) {
            tl_resolve_error(r, node, "an atomic is read with atomicLoad");
            return TL_TYPE_UNKNOWN;
        }
        if (info->access == TL_ACCESS_WRITE) {
            tl_resolve_error(r, node, "cannot read memory whose access mode is 'write'");
        }
        return info->element;
    }
    if (type == TL_TYPE_VOID) {
        tl_resolve_error(r, node, "a call of a function without a result is not a value");
        return TL_TYPE_UNKNOWN;
    }
    return type;
}

tl_type tl_resolve_value(tl_resolver *r, uint32_t node)
{
    tl_resolve_expression(r, node);
    return tl_value_of(r, node);
}
