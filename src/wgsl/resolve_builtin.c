/* SPDX-License-Identifier: MIT
 *
 * Calls of built-in functions: an interpreter of the signatures in builtins.inl, and the few functions that have a rule
 * of their own. */
#include "wgsl/resolver.h"

#define MAX_ARGUMENTS 8

typedef struct call {
    tl_resolver *r;
    uint32_t node;
    uint32_t count;
    uint32_t arguments[MAX_ARGUMENTS];
    tl_type types[MAX_ARGUMENTS]; /* value types */
} call;

/* What one overload has bound so far. */
typedef struct match {
    char class_;
    tl_kind scalar; /* common component of the T, V, S; unknown before the first */
    uint32_t shape; /* components of T: 0 unknown, 1 scalar, else vector */
    tl_type held;   /* by the atomic or the memory that a pointer points to */
    tl_type to[MAX_ARGUMENTS];
} match;

static tl_type shaped(tl_kind scalar, uint32_t shape)
{
    return shape <= 1 ? (tl_type)scalar : tl_type_vector(scalar, shape);
}

static bool bind_scalar(match *m, tl_kind scalar)
{
    m->scalar = m->scalar == TL_KIND_UNKNOWN ? scalar : tl_common_scalar(m->scalar, scalar);
    return m->scalar != TL_KIND_UNKNOWN;
}

static bool bind_shape(match *m, uint32_t shape)
{
    if (m->shape == 0) m->shape = shape;
    return m->shape == shape;
}

/* Makes the common scalar one that the class has; false when there is none. */
static bool settle_class(match *m)
{
    bool concrete = m->class_ == 'M' || m->class_ == 'C' || m->class_ == 'I' || m->class_ == 'f';
    tl_kind s = m->scalar;
    if (s == TL_KIND_ABSTRACT_INT) {
        if (m->class_ == 'F') s = TL_KIND_ABSTRACT_FLOAT;
        if (m->class_ == 'f') s = TL_KIND_F32;
        if (concrete && m->class_ != 'f') s = TL_KIND_I32;
    } else if (s == TL_KIND_ABSTRACT_FLOAT && concrete) {
        s = TL_KIND_F32;
    }
    m->scalar = s;
    bool is_float = tl_kind_is_float(s), is_integer = tl_kind_is_integer(s);
    switch (m->class_) {
    case 'F': return is_float;
    case 'f': return s == TL_KIND_F32 || s == TL_KIND_F16;
    case 'N':
    case 'M': return is_float || is_integer;
    case 'G': return tl_kind_is_signed(s);
    case 'I': return is_integer;
    case 'B': return s == TL_KIND_BOOL;
    case '-': return true;
    default: return s != TL_KIND_UNKNOWN;
    }
}

static tl_kind letter_scalar(char letter)
{
    switch (letter) {
    case 'u':
    case 'U': return TL_KIND_U32;
    case 'i':
    case 'I': return TL_KIND_I32;
    case 'b':
    case 'B': return TL_KIND_BOOL;
    case 'f': return TL_KIND_F32;
    default: return TL_KIND_UNKNOWN;
    }
}

/* Takes a pattern `vNx` or a letter from the signature. */
typedef struct pattern {
    char letter;
    uint32_t size; /* of vNx, else 0 */
} pattern;

static const char *next_pattern(const char *p, pattern *out)
{
    *out = (pattern){.letter = *p};
    if (*p != 'v') return p + 1;
    *out = (pattern){.letter = p[2], .size = (uint32_t)(p[1] - '0')};
    return p + 3;
}

static bool bind_pointer(const tl_types *types, match *m, char letter, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    if (info->kind != TL_KIND_POINTER) return false;
    const tl_type_info *store = tl_type_get(types, info->element);
    if (letter == 'R') { return store->kind == TL_KIND_ARRAY && (store->flags & TL_TYPE_HAS_RUNTIME) != 0; }
    if (letter == 'W') {
        m->held = store->kind == TL_KIND_ATOMIC ? store->element : info->element;
        return info->space == TL_SPACE_WORKGROUP;
    }
    m->held = store->element;
    return store->kind == TL_KIND_ATOMIC && info->access == TL_ACCESS_READ_WRITE;
}

/* First pass: does the argument go with the pattern, and what does it bind? */
static bool bind(const tl_types *types, match *m, pattern p, tl_type type)
{
    uint32_t size = tl_type_components(types, type);
    bool vector = tl_type_is_vector(type), simple = vector || tl_type_is_scalar(type);
    switch (p.letter) {
    case 'P':
    case 'R':
    case 'W': return bind_pointer(types, m, p.letter, type);
    case 'Q': return tl_type_converts(types, type, m->held);
    case 'T': return simple && bind_shape(m, size) && bind_scalar(m, tl_type_scalar(types, type));
    case 'V': return vector && bind_shape(m, size) && bind_scalar(m, tl_type_scalar(types, type));
    case '3': return vector && size == 3 && bind_shape(m, 3) && bind_scalar(m, tl_type_scalar(types, type));
    case 'S': return tl_type_is_scalar(type) && bind_scalar(m, (tl_kind)type);
    case 'x': return type == TL_TYPE_ABSTRACT_INT || type == TL_TYPE_I32 || type == TL_TYPE_U32;
    case 'U':
    case 'I':
    case 'B': return simple && tl_type_converts(types, type, shaped(letter_scalar(p.letter), m->shape));
    default: return tl_type_converts(types, type, shaped(letter_scalar(p.letter), p.size));
    }
}

/* Second pass: the type that the argument is converted to. */
static tl_type target(const match *m, pattern p, tl_type type)
{
    switch (p.letter) {
    case 'P':
    case 'R':
    case 'W': return type;
    case 'Q': return m->held;
    case 'T':
    case 'V':
    case '3': return shaped(m->scalar, m->shape);
    case 'S': return (tl_type)m->scalar;
    case 'x': return type == TL_TYPE_ABSTRACT_INT ? TL_TYPE_I32 : type;
    case 'U':
    case 'I':
    case 'B': return shaped(letter_scalar(p.letter), m->shape);
    default: return shaped(letter_scalar(p.letter), p.size);
    }
}

/* Tries one overload; *result is where its result pattern stands. */
static bool matches(const call *c, const char *overload, match *m, const char **result)
{
    const tl_types *types = &c->r->s->types;
    pattern p;
    *m = (match){.class_ = overload[0]};
    const char *at = overload + 2;
    for (uint32_t k = 0; *at != '>'; k++) {
        at = next_pattern(at, &p);
        if (k >= c->count || !bind(types, m, p, c->types[k])) return false;
    }
    *result = at + 1;
    if (m->scalar != TL_KIND_UNKNOWN && !settle_class(m)) return false;
    at = overload + 2;
    uint32_t k = 0;
    for (; *at != '>'; k++) {
        at = next_pattern(at, &p);
        m->to[k] = target(m, p, c->types[k]);
    }
    return k == c->count;
}

/* ---- results ---- */

/* A predeclared structure with the given member types: one of each kind and type, made when it is needed first. */
static tl_type predeclared_struct(tl_resolver *r, const char *name, const tl_member_desc members[2])
{
    for (uint32_t k = 0; k < r->result_count; k++) {
        const tl_struct *record = &r->s->types.structs[r->results[k]];
        const tl_member *has = r->s->types.members + record->member_first;
        if (record->text == name && has[0].type == members[0].type && has[1].type == members[1].type) {
            return record->type;
        }
    }
    if (r->result_count == TL_RESULT_STRUCTS_MAX) return TL_TYPE_UNKNOWN;
    tl_type type = tl_type_struct_begin(&r->s->types, 0, 0, name);
    if (type == TL_TYPE_UNKNOWN || !tl_type_struct_end(&r->s->types, type, members, 2)) return TL_TYPE_UNKNOWN;
    r->results[r->result_count++] = tl_type_get(&r->s->types, type)->element;
    return type;
}

static const char frexp_name[] = "__frexp_result";
static const char modf_name[] = "__modf_result";
static const char exchange_name[] = "__atomic_compare_exchange_result";

static tl_type result_struct_type(tl_resolver *r, char letter, match *m)
{
    tl_kind scalar = m->scalar == TL_KIND_ABSTRACT_FLOAT ? TL_KIND_F32 : m->scalar;
    tl_type real = shaped(scalar, m->shape);
    if (letter == 'X') {
        return predeclared_struct(r, frexp_name,
                                  (tl_member_desc[2]){{.text = "fract", .type = real},
                                                      {.text = "exp", .type = shaped(TL_KIND_I32, m->shape)}});
    }
    if (letter == 'Y') {
        return predeclared_struct(
            r, modf_name, (tl_member_desc[2]){{.text = "fract", .type = real}, {.text = "whole", .type = real}});
    }
    return predeclared_struct(
        r, exchange_name,
        (tl_member_desc[2]){{.text = "old_value", .type = m->held}, {.text = "exchanged", .type = TL_TYPE_BOOL}});
}

static tl_type result_type(tl_resolver *r, const char *result, match *m)
{
    pattern p;
    next_pattern(result, &p);
    switch (p.letter) {
    case '0': return TL_TYPE_VOID;
    case 'Q':
    case 'E': return m->held;
    case 'X':
    case 'Y':
    case 'Z': return result_struct_type(r, p.letter, m);
    default: return target(m, p, TL_TYPE_UNKNOWN);
    }
}

static void set_result(call *c, tl_builtin builtin, tl_type type)
{
    tl_resolver *r = c->r;
    bool foldable = (tl_builtin_get(builtin)->flags & TL_IS_CONST) != 0;
    tl_constant values[MAX_ARGUMENTS], value = TL_CONSTANT_FIRST;
    for (uint32_t k = 0; k < c->count; k++) {
        values[k] = r->s->constant[c->arguments[k]];
        value = tl_constant_join(value, values[k]);
    }
    if (!foldable) value = TL_CONSTANT_NONE;
    if (tl_constant_is_value(value)) {
        tl_fold fold = tl_fold_builtin(&r->s->constants, builtin, values, c->count, type, &value);
        if (fold != TL_FOLD_OK) {
            tl_resolve_fold_error(r, c->node, fold, type);
            value = TL_CONSTANT_OPAQUE;
        }
    }
    tl_set(r, c->node, type, value);
}

void tl_resolve_no_overload(tl_resolver *r, uint32_t node, const char *name)
{
    char text[400];
    telar_out out = {.data = text, .cap = sizeof text};
    text[0] = 0;
    uint32_t list = tl_at(r, node)->b;
    for (uint32_t k = 0; k < tl_list_count(r->m, list); k++) {
        tl_type type = tl_node_value_type(r->m, tl_list_at(r->m, list, k));
        tl_out_format(&out, "%s%s", k == 0 ? "" : ", ", tl_resolve_type_text(r, type));
    }
    tl_resolve_error(r, node, "'%s' cannot be called with (%s)", name, text);
}

static void resolve_signature(call *c, tl_builtin builtin)
{
    const tl_builtin_row *row = tl_builtin_get(builtin);
    for (const char *overload = row->signature; *overload != 0;) {
        match m;
        const char *result;
        if (matches(c, overload, &m, &result)) {
            for (uint32_t k = 0; k < c->count; k++) tl_convert(c->r, c->arguments[k], m.to[k]);
            set_result(c, builtin, result_type(c->r, result, &m));
            return;
        }
        while (*overload != 0 && *overload != '|') overload++;
        if (*overload == '|') overload++;
    }
    tl_resolve_no_overload(c->r, c->node, row->name);
}

/* ---- functions with a rule of their own ---- */

static void concrete_arguments(call *c)
{
    for (uint32_t k = 0; k < c->count; k++) {
        tl_convert_concrete(c->r, c->arguments[k]);
        c->types[k] = tl_node_value_type(c->r->m, c->arguments[k]);
    }
}

static tl_constant joined_constant(const call *c)
{
    tl_constant value = TL_CONSTANT_OPAQUE;
    for (uint32_t k = 0; k < c->count; k++) {
        tl_constant of = c->r->s->constant[c->arguments[k]];
        value = tl_constant_join(value, tl_constant_is_value(of) ? TL_CONSTANT_OPAQUE : of);
    }
    return value;
}

static void resolve_bitcast(call *c)
{
    tl_resolver *r = c->r;
    uint32_t callee = tl_at(r, c->node)->a;
    uint32_t templates = tl_at(r, callee)->a;
    if (tl_list_count(r->m, templates) != 1 || c->count != 1) {
        tl_resolve_error(r, c->node, "bitcast takes one type and one value, as in bitcast<u32>(x)");
        return;
    }
    tl_type to = tl_resolve_type(r, tl_list_at(r->m, templates, 0));
    int64_t integer;
    bool large = c->types[0] == TL_TYPE_ABSTRACT_INT &&
                 tl_constant_as_int(&r->s->constants, r->s->constant[c->arguments[0]], &integer) && integer > INT32_MAX;
    if (large) tl_convert(r, c->arguments[0], TL_TYPE_U32);
    concrete_arguments(c);
    if (to == TL_TYPE_UNKNOWN) return;
    bool plain = tl_type_is_scalar(to) || tl_type_is_vector(to);
    bool from_plain = tl_type_is_scalar(c->types[0]) || tl_type_is_vector(c->types[0]);
    uint64_t to_bytes =
        tl_type_get(&r->s->types, tl_type_scalar(&r->s->types, to))->size * tl_type_components(&r->s->types, to);
    uint64_t from_bytes = tl_type_get(&r->s->types, tl_type_scalar(&r->s->types, c->types[0]))->size *
                          tl_type_components(&r->s->types, c->types[0]);
    if (!plain || !from_plain || to_bytes != from_bytes) {
        tl_resolve_error(r, c->node, "cannot bitcast '%s' to '%s'", tl_resolve_type_text(r, c->types[0]),
                         tl_resolve_type_text(r, to));
        return;
    }
    tl_set(r, c->node, to, joined_constant(c));
}

static void resolve_matrix_rule(call *c, const tl_builtin_row *row)
{
    tl_resolver *r = c->r;
    if (c->count != 1 || !tl_type_is_matrix(c->types[0])) {
        tl_resolve_no_overload(r, c->node, row->name);
        return;
    }
    const tl_type_info *info = tl_type_get(&r->s->types, c->types[0]);
    tl_type type = row->rule == TL_RULE_DETERMINANT ? info->element
                                                    : tl_type_matrix((tl_kind)info->element, info->rows, info->columns);
    if (row->rule == TL_RULE_DETERMINANT && info->rows != info->columns) {
        tl_resolve_error(r, c->node, "determinant takes a square matrix, not '%s'",
                         tl_resolve_type_text(r, c->types[0]));
        return;
    }
    tl_set(r, c->node, type, joined_constant(c));
}

/* Template arguments of functions that are not modelled name types and words. */
static void resolve_opaque(call *c)
{
    concrete_arguments(c);
    tl_set(c->r, c->node, TL_TYPE_UNKNOWN, TL_CONSTANT_NONE);
}

/* ---- */

static void record_flags(tl_resolver *r, const tl_builtin_row *row)
{
    if (r->function == TL_NO_INDEX) return;
    tl_function *function = &r->s->functions[r->function];
    function->builtin_flags |= row->flags;
    function->barrier_count += (row->flags & TL_IS_BARRIER) != 0;
}

static bool unknown_argument(const call *c)
{
    for (uint32_t k = 0; k < c->count; k++) {
        const tl_type_info *info = tl_type_get(&c->r->s->types, c->types[k]);
        if ((info->flags & TL_TYPE_HAS_UNKNOWN) != 0 || c->types[k] == TL_TYPE_VOID) return true;
    }
    return false;
}

void tl_resolve_builtin(tl_resolver *r, uint32_t node, tl_builtin builtin)
{
    const tl_builtin_row *row = tl_builtin_get(builtin);
    uint32_t list = tl_at(r, node)->b;
    call c = {.r = r, .node = node, .count = tl_list_count(r->m, list)};
    record_flags(r, row);
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
    if (c.count > MAX_ARGUMENTS) {
        if (row->rule != TL_RULE_OPAQUE) tl_resolve_no_overload(r, node, row->name);
        return;
    }
    for (uint32_t k = 0; k < c.count; k++) {
        c.arguments[k] = tl_list_at(r->m, list, k);
        c.types[k] = tl_node_value_type(r->m, c.arguments[k]);
    }
    if (unknown_argument(&c) && row->rule != TL_RULE_BITCAST) {
        resolve_opaque(&c);
        return;
    }
    switch (row->rule) {
    case TL_RULE_SIGNATURE: resolve_signature(&c, builtin); break;
    case TL_RULE_TEXTURE: tl_resolve_texture(r, node, row); break;
    case TL_RULE_BITCAST: resolve_bitcast(&c); break;
    case TL_RULE_TRANSPOSE:
    case TL_RULE_DETERMINANT: resolve_matrix_rule(&c, row); break;
    case TL_RULE_OPAQUE: resolve_opaque(&c); break;
    }
}
