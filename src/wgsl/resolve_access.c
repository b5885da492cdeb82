/* SPDX-License-Identifier: MIT
 *
 * Parts of values and of memory: a[i], a.member, a.swizzle. A pointer is dereferenced on the way. */
#include "wgsl/resolver.h"

/* What is indexed: the composite's type, and the memory that it stands in. */
typedef struct base {
    tl_type type;
    bool in_memory;
    tl_space space;
    tl_access access;
} base;

static base base_of(tl_resolver *r, uint32_t node)
{
    tl_type type = r->s->type[node];
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    base result = {.type = type};
    /* A variable of function space cannot hold a pointer, so there is one step at most. */
    if (info->kind == TL_KIND_REFERENCE || info->kind == TL_KIND_POINTER) {
        result = (base){.type = info->element,
                        .in_memory = true,
                        .space = (tl_space)info->space,
                        .access = (tl_access)info->access};
    }
    return result;
}

static tl_type part_type(tl_resolver *r, base from, tl_type part)
{
    if (!from.in_memory) return part;
    return tl_type_reference(&r->s->types, from.space, part, from.access);
}

static tl_type element_of(tl_resolver *r, tl_type type, uint32_t *count)
{
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    *count = 0;
    switch ((tl_kind)info->kind) {
    case TL_KIND_VECTOR: *count = info->rows; return info->element;
    case TL_KIND_MATRIX: *count = info->columns; return tl_type_vector((tl_kind)info->element, info->rows);
    case TL_KIND_ARRAY:
    case TL_KIND_BINDING_ARRAY: *count = info->count; return info->element;
    default: return TL_TYPE_UNKNOWN;
    }
}

static void check_index(tl_resolver *r, uint32_t index, tl_type type, uint32_t count)
{
    int64_t value;
    if (r->muted > 0 || !tl_constant_as_int(&r->s->constants, r->s->constant[index], &value)) { return; }
    if (value < 0) {
        tl_resolve_error(r, index, "the index (%lld) is negative", (long long)value);
    } else if (count > 0 && value >= count) {
        tl_resolve_error(r, index, "the index (%lld) is outside '%s' (%u elements)", (long long)value,
                         tl_resolve_type_text(r, type), count);
    }
}

static tl_constant constant_part(tl_resolver *r, tl_constant composite, tl_constant index)
{
    int64_t value;
    if (tl_constant_is_value(composite) && tl_constant_as_int(&r->s->constants, index, &value) && value >= 0 &&
        value <= UINT32_MAX) {
        return tl_constant_element(&r->s->constants, composite, (uint32_t)value);
    }
    tl_constant joined = tl_constant_join(composite, index);
    return tl_constant_is_value(joined) ? TL_CONSTANT_OPAQUE : joined;
}

void tl_resolve_index(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    tl_type index_type = tl_resolve_value(r, n->b);
    base from = base_of(r, n->a);
    uint32_t count;
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
    if (from.type == TL_TYPE_UNKNOWN) {
        tl_convert_concrete(r, n->b);
        return;
    }
    tl_type element = element_of(r, from.type, &count);
    tl_kind kind = tl_kind_of(r, from.type);
    bool indexable =
        kind == TL_KIND_VECTOR || kind == TL_KIND_MATRIX || kind == TL_KIND_ARRAY || kind == TL_KIND_BINDING_ARRAY;
    if (!indexable) {
        tl_resolve_error(r, n->a, "'%s' cannot be indexed", tl_resolve_type_text(r, from.type));
        return;
    }
    if (index_type != TL_TYPE_UNKNOWN && !tl_kind_is_integer((tl_kind)index_type)) {
        tl_resolve_error(r, n->b, "an index must be an 'i32' or 'u32', not '%s'", tl_resolve_type_text(r, index_type));
        return;
    }
    check_index(r, n->b, from.type, count);
    tl_convert_concrete(r, n->b);
    tl_constant value =
        from.in_memory ? TL_CONSTANT_NONE : constant_part(r, r->s->constant[n->a], r->s->constant[n->b]);
    /* A part of an abstract composite that only run time picks is concrete. */
    tl_type type = part_type(r, from, element);
    if (value == TL_CONSTANT_NONE) {
        tl_convert_concrete(r, n->a);
        type = tl_type_concrete(&r->s->types, type);
    }
    tl_set(r, node, type, value);
}

/* ---- members ---- */

static const tl_member *find_member(tl_resolver *r, tl_type type, tl_str name, uint32_t *index)
{
    const tl_struct *record = tl_type_struct(&r->s->types, type);
    const tl_member *members = tl_type_members(&r->s->types, type);
    uint32_t symbol = record->text == NULL ? tl_symbol_find(r->m, name) : 0;
    for (*index = 0; *index < record->member_count; (*index)++) {
        const tl_member *member = &members[*index];
        if (record->text == NULL ? symbol != 0 && member->name == symbol
                                 : tl_str_equal(name, tl_str_of(member->text))) {
            return member;
        }
    }
    return NULL;
}

static void resolve_struct_member(tl_resolver *r, uint32_t node, base from, tl_str name)
{
    uint32_t index;
    const tl_member *member = find_member(r, from.type, name, &index);
    if (member == NULL) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "'%s' has no member '%.*s'", tl_resolve_type_text(r, from.type),
                            TL_STR_ARGS(name));
        return;
    }
    r->s->declaration[node] = member->node;
    tl_constant value = r->s->constant[tl_at(r, node)->a];
    if (from.in_memory) value = TL_CONSTANT_NONE;
    if (tl_constant_is_value(value)) value = tl_constant_element(&r->s->constants, value, index);
    tl_set(r, node, part_type(r, from, member->type), value);
}

/* Components of a swizzle; 0 when it is none of this vector. */
static uint32_t read_swizzle(tl_str name, uint32_t size, uint8_t components[4])
{
    static const char sets[2][5] = {"xyzw", "rgba"};
    if (name.len == 0 || name.len > 4) return 0;
    for (int set = 0; set < 2; set++) {
        uint32_t count = 0;
        while (count < name.len) {
            uint8_t k = 0;
            while (k < size && sets[set][k] != name.data[count]) k++;
            if (k == size) break;
            components[count++] = k;
        }
        if (count == name.len) return count;
    }
    return 0;
}

static void resolve_swizzle(tl_resolver *r, uint32_t node, base from, tl_str name)
{
    uint8_t components[4];
    tl_constant parts[4];
    const tl_type_info info = *tl_type_get(&r->s->types, from.type);
    uint32_t count = read_swizzle(name, info.rows, components);
    if (count == 0) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "'%s' has no component '%.*s'", tl_resolve_type_text(r, from.type),
                            TL_STR_ARGS(name));
        return;
    }
    tl_constant whole = from.in_memory ? TL_CONSTANT_NONE : r->s->constant[tl_at(r, node)->a];
    for (uint32_t k = 0; k < count; k++) { parts[k] = tl_constant_element(&r->s->constants, whole, components[k]); }
    if (count == 1) {
        tl_set(r, node, part_type(r, from, info.element), parts[0]);
        return;
    }
    tl_type type = tl_type_vector((tl_kind)info.element, count);
    tl_constant value =
        tl_constant_is_value(whole) ? tl_constant_composite(&r->s->constants, type, parts, count) : whole;
    tl_set(r, node, type, value);
}

/* naga: m.x is the first column of a matrix. */
static bool resolve_column(tl_resolver *r, uint32_t node, base from, tl_str name)
{
    uint8_t components[4];
    const tl_type_info info = *tl_type_get(&r->s->types, from.type);
    if (info.kind != TL_KIND_MATRIX || read_swizzle(name, info.columns, components) != 1) return false;
    tl_constant whole = from.in_memory ? TL_CONSTANT_NONE : r->s->constant[tl_at(r, node)->a];
    tl_set(r, node, part_type(r, from, tl_type_vector((tl_kind)info.element, info.rows)),
           tl_constant_element(&r->s->constants, whole, components[0]));
    return true;
}

void tl_resolve_member(tl_resolver *r, uint32_t node)
{
    base from = base_of(r, tl_at(r, node)->a);
    tl_str name = tl_token_text(r->m, tl_at(r, node)->b);
    tl_set(r, node, TL_TYPE_UNKNOWN, TL_CONSTANT_OPAQUE);
    if (from.type == TL_TYPE_UNKNOWN) return;
    tl_kind kind = tl_kind_of(r, from.type);
    if (kind == TL_KIND_STRUCT) {
        resolve_struct_member(r, node, from, name);
    } else if (kind == TL_KIND_VECTOR) {
        resolve_swizzle(r, node, from, name);
    } else if (!resolve_column(r, node, from, name)) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "'%s' has no member '%.*s'", tl_resolve_type_text(r, from.type),
                            TL_STR_ARGS(name));
    }
}
