/* SPDX-License-Identifier: MIT
 *
 * Type expressions to types: predeclared types, generators with their template arguments, aliases, structures. */
#include "wgsl/resolver.h"

static uint32_t argument_count(const tl_resolver *r, uint32_t ident)
{
    return tl_list_count(r->m, tl_at(r, ident)->a);
}

static uint32_t argument(const tl_resolver *r, uint32_t ident, uint32_t k)
{
    return tl_list_at(r->m, tl_at(r, ident)->a, k);
}

static bool check_count(tl_resolver *r, uint32_t ident, uint32_t least, uint32_t most)
{
    uint32_t count = argument_count(r, ident);
    if (count >= least && count <= most) return true;
    tl_resolve_error(r, ident, "'%.*s' takes %u to %u template arguments, found (%u)",
                     TL_STR_ARGS(tl_node_name(r->m, ident)), least, most, count);
    return false;
}

/* Names in the arguments of a type that is not modelled: what the module declares is recorded, the rest is let be. */
static void resolve_loosely(tl_resolver *r, uint32_t node)
{
    if (tl_at(r, node)->kind != TL_NODE_IDENT) {
        tl_resolve_expression(r, node);
        return;
    }
    uint32_t id = tl_symbol_find(r->m, tl_node_name(r->m, node));
    if (id != 0 && r->s->symbols[id].declaration != 0) tl_resolve_name(r, node);
    if (!tl_resolve_enter(r, node)) return;
    for (uint32_t k = 0; k < argument_count(r, node); k++) { resolve_loosely(r, argument(r, node, k)); }
    r->depth--;
}

bool tl_resolve_enumerant(tl_resolver *r, uint32_t ident, tl_predeclared_class class_, uint32_t *value)
{
    *value = 0;
    if (tl_at(r, ident)->kind != TL_NODE_IDENT) {
        tl_resolve_error(r, ident, "expected %s", class_ == TL_CLASS_SPACE ? "an address space" : "an access mode");
        return false;
    }
    uint32_t id = tl_symbol_find(r->m, tl_node_name(r->m, ident));
    if (id != 0 && r->s->symbols[id].declaration != 0) {
        tl_resolve_error(r, ident, "'%.*s' means what the module declares by this name, not %s; rename the declaration",
                         TL_STR_ARGS(tl_node_name(r->m, ident)),
                         class_ == TL_CLASS_SPACE ? "the address space" : "the access mode");
        return false;
    }
    uint32_t meaning = tl_resolve_name(r, ident);
    if (meaning == 0) return false;
    if ((meaning & TL_NAME_TAG_MASK) == TL_NAME_PREDECLARED) {
        const tl_predeclared_row *row = tl_predeclared_get(meaning & TL_NAME_INDEX_MASK);
        *value = row->a;
        if (row->class_ == class_) return true;
        /* naga: texture_storage_2d<r32uint, atomic> */
        *value = TL_ACCESS_READ_WRITE;
        if (row->class_ == TL_CLASS_ATOMIC && class_ == TL_CLASS_ACCESS) return true;
    }
    tl_resolve_error(r, ident, "'%.*s' is not %s", TL_STR_ARGS(tl_node_name(r->m, ident)),
                     class_ == TL_CLASS_SPACE ? "an address space" : "an access mode");
    return false;
}

bool tl_type_is_constructible(const tl_types *types, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    if ((info->flags & TL_TYPE_HAS_UNKNOWN) != 0) return true;
    return type != TL_TYPE_VOID && info->kind != TL_KIND_BUFFER &&
           (info->flags & (TL_TYPE_HAS_RUNTIME | TL_TYPE_HAS_OVERRIDE | TL_TYPE_HAS_ATOMIC | TL_TYPE_HAS_HANDLE)) == 0;
}

static bool too_deep(tl_resolver *r, uint32_t node, tl_type type)
{
    if (tl_type_get(&r->s->types, type)->depth <= TL_MAX_TYPE_DEPTH) return false;
    tl_resolve_error(r, node, "types are nested too deeply (%u levels)", (unsigned)TL_MAX_TYPE_DEPTH);
    return true;
}

static tl_type element_argument(tl_resolver *r, uint32_t ident)
{
    tl_type element = tl_resolve_type(r, argument(r, ident, 0));
    return too_deep(r, ident, element) ? TL_TYPE_UNKNOWN : element;
}

static tl_type resolve_vector(tl_resolver *r, uint32_t ident, uint32_t size)
{
    if (!check_count(r, ident, 1, 1)) return TL_TYPE_UNKNOWN;
    tl_type scalar = tl_resolve_type(r, argument(r, ident, 0));
    if (scalar == TL_TYPE_UNKNOWN) return scalar;
    if (tl_type_is_scalar(scalar)) return tl_type_vector((tl_kind)scalar, size);
    tl_resolve_error(r, argument(r, ident, 0), "a vector's component cannot be '%s'", tl_resolve_type_text(r, scalar));
    return TL_TYPE_UNKNOWN;
}

static tl_type resolve_matrix(tl_resolver *r, uint32_t ident, const tl_predeclared_row *row)
{
    if (!check_count(r, ident, 1, 1)) return TL_TYPE_UNKNOWN;
    tl_type scalar = tl_resolve_type(r, argument(r, ident, 0));
    if (scalar == TL_TYPE_UNKNOWN) return scalar;
    tl_type type = tl_type_matrix((tl_kind)scalar, row->a, row->b);
    if (type == TL_TYPE_UNKNOWN) {
        tl_resolve_error(r, argument(r, ident, 0), "a matrix's component cannot be '%s'",
                         tl_resolve_type_text(r, scalar));
    }
    return type;
}

/* Two sizes by the same override are the same size: the key is its declaration. */
static uint32_t size_key(const tl_resolver *r, uint32_t size)
{
    return tl_at(r, size)->kind == TL_NODE_IDENT ? tl_node_declaration(r->m, size) : size;
}

static tl_type sized_array(tl_resolver *r, tl_type element, uint32_t size)
{
    tl_type type = tl_resolve_value(r, size);
    if (type == TL_TYPE_UNKNOWN) return type;
    if (!tl_kind_is_integer((tl_kind)type)) {
        tl_resolve_error(r, size, "an array's size must be an integer, not '%s'", tl_resolve_type_text(r, type));
        return TL_TYPE_UNKNOWN;
    }
    tl_constant value = r->s->constant[size];
    int64_t count;
    if (value == TL_CONSTANT_NONE) {
        tl_resolve_error(r, size, "an array's size must be a constant or override expression");
        return TL_TYPE_UNKNOWN;
    }
    if (value == TL_CONSTANT_OVERRIDE) { return tl_type_array(&r->s->types, element, 0, size_key(r, size)); }
    if (!tl_constant_as_int(&r->s->constants, value, &count)) {
        return tl_type_array_unsized(&r->s->types, element, size);
    }
    if (count < 1 || count > UINT32_MAX) {
        tl_resolve_error(r, size, "an array's size (%lld) must be at least (1)", (long long)count);
        return TL_TYPE_UNKNOWN;
    }
    tl_convert(r, size, count > INT32_MAX ? TL_TYPE_U32 : TL_TYPE_I32);
    return tl_type_array(&r->s->types, element, (uint32_t)count, 0);
}

static tl_type resolve_array(tl_resolver *r, uint32_t ident)
{
    if (!check_count(r, ident, 1, 2)) return TL_TYPE_UNKNOWN;
    tl_type element = element_argument(r, ident);
    uint16_t flags = tl_type_get(&r->s->types, element)->flags;
    bool handle = (flags & (TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_UNKNOWN)) == TL_TYPE_HAS_HANDLE;
    if (handle || (flags & TL_TYPE_HAS_RUNTIME) != 0 || element == TL_TYPE_VOID) {
        tl_resolve_error(r, argument(r, ident, 0), "an array's element cannot be '%s'",
                         tl_resolve_type_text(r, element));
        return TL_TYPE_UNKNOWN;
    }
    if (argument_count(r, ident) == 2) return sized_array(r, element, argument(r, ident, 1));
    return tl_type_array(&r->s->types, element, 0, 0);
}

static tl_type resolve_atomic(tl_resolver *r, uint32_t ident)
{
    if (!check_count(r, ident, 1, 1)) return TL_TYPE_UNKNOWN;
    tl_type of = tl_resolve_type(r, argument(r, ident, 0));
    bool allowed = of == TL_TYPE_I32 || of == TL_TYPE_U32 || of == TL_TYPE_I64 || of == TL_TYPE_U64 ||
                   of == TL_TYPE_F32 || of == TL_TYPE_UNKNOWN || of == tl_type_vector(TL_KIND_U32, 2);
    if (!allowed) {
        tl_resolve_error(r, argument(r, ident, 0), "an atomic cannot hold '%s'", tl_resolve_type_text(r, of));
        return TL_TYPE_UNKNOWN;
    }
    return tl_type_atomic(&r->s->types, of);
}

static tl_access default_access(tl_space space)
{
    return space == TL_SPACE_FUNCTION || space == TL_SPACE_PRIVATE || space == TL_SPACE_WORKGROUP ||
                   space == TL_SPACE_OTHER
               ? TL_ACCESS_READ_WRITE
               : TL_ACCESS_READ;
}

static tl_type resolve_pointer(tl_resolver *r, uint32_t ident)
{
    if (!check_count(r, ident, 2, 3)) return TL_TYPE_UNKNOWN;
    uint32_t space = 0, access = 0;
    bool known = tl_resolve_enumerant(r, argument(r, ident, 0), TL_CLASS_SPACE, &space);
    tl_type store = tl_resolve_type(r, argument(r, ident, 1));
    access = default_access((tl_space)space);
    if (argument_count(r, ident) == 3) {
        known = tl_resolve_enumerant(r, argument(r, ident, 2), TL_CLASS_ACCESS, &access) && known;
    }
    if (!known) return TL_TYPE_UNKNOWN;
    if (argument_count(r, ident) == 3 && space != TL_SPACE_STORAGE && space != TL_SPACE_OTHER) {
        tl_resolve_error(r, argument(r, ident, 2), "only the storage address space takes an access mode");
    }
    return tl_type_pointer(&r->s->types, (tl_space)space, store, (tl_access)access);
}

static tl_type resolve_sampled(tl_resolver *r, uint32_t ident, const tl_predeclared_row *row)
{
    if (argument_count(r, ident) == 2) return TL_TYPE_UNKNOWN; /* filterable, of a proposal */
    if (!check_count(r, ident, 1, 1)) return TL_TYPE_UNKNOWN;
    tl_type sampled = tl_resolve_type(r, argument(r, ident, 0));
    bool allowed = sampled == TL_TYPE_F32 || sampled == TL_TYPE_I32 || sampled == TL_TYPE_U32 ||
                   sampled == TL_TYPE_I64 || sampled == TL_TYPE_U64 || sampled == TL_TYPE_UNKNOWN;
    if (!allowed) {
        tl_resolve_error(r, argument(r, ident, 0), "a texture cannot be sampled as '%s'",
                         tl_resolve_type_text(r, sampled));
        return TL_TYPE_UNKNOWN;
    }
    return tl_type_texture(&r->s->types, (tl_texture)row->a, (tl_dim)row->b, sampled, 0, TL_ACCESS_READ);
}

static tl_type resolve_storage_texture(tl_resolver *r, uint32_t ident, const tl_predeclared_row *row)
{
    if (!check_count(r, ident, 2, 2)) return TL_TYPE_UNKNOWN;
    uint32_t access;
    uint32_t format_node = argument(r, ident, 0);
    bool known = tl_resolve_enumerant(r, argument(r, ident, 1), TL_CLASS_ACCESS, &access);
    uint32_t meaning = tl_at(r, format_node)->kind == TL_NODE_IDENT ? tl_resolve_name(r, format_node) : 0;
    if (meaning == 0) return TL_TYPE_UNKNOWN;
    if ((meaning & TL_NAME_TAG_MASK) != TL_NAME_FORMAT) {
        tl_resolve_error(r, format_node, "'%.*s' is not a texel format", TL_STR_ARGS(tl_node_name(r->m, format_node)));
        return TL_TYPE_UNKNOWN;
    }
    if (!known) return TL_TYPE_UNKNOWN;
    uint32_t format = meaning & TL_NAME_INDEX_MASK;
    return tl_type_texture(&r->s->types, (tl_texture)row->a, (tl_dim)row->b, (tl_type)tl_texel_format_channel(format),
                           format, (tl_access)access);
}

static tl_type resolve_texture_type(tl_resolver *r, uint32_t ident, const tl_predeclared_row *row)
{
    switch ((tl_texture)row->a) {
    case TL_TEXTURE_SAMPLED:
    case TL_TEXTURE_MULTISAMPLED:
    case TL_TEXTURE_INPUT_ATTACHMENT: return resolve_sampled(r, ident, row);
    case TL_TEXTURE_STORAGE:
    case TL_TEXTURE_TEXEL_BUFFER: return resolve_storage_texture(r, ident, row);
    default:
        if (!check_count(r, ident, 0, 0)) return TL_TYPE_UNKNOWN;
        return tl_type_texture(&r->s->types, (tl_texture)row->a, (tl_dim)row->b, 0, 0, TL_ACCESS_READ);
    }
}

static uint32_t optional_count(tl_resolver *r, uint32_t ident, uint32_t k)
{
    int64_t count = 0;
    if (argument_count(r, ident) <= k) return 0;
    tl_resolve_value(r, argument(r, ident, k));
    tl_constant_as_int(&r->s->constants, r->s->constant[argument(r, ident, k)], &count);
    return count > 0 && count <= UINT32_MAX ? (uint32_t)count : 0;
}

static tl_type resolve_opaque(tl_resolver *r, uint32_t ident)
{
    for (uint32_t k = 0; k < argument_count(r, ident); k++) { resolve_loosely(r, argument(r, ident, k)); }
    return TL_TYPE_UNKNOWN;
}

static tl_type resolve_predeclared(tl_resolver *r, uint32_t ident, const tl_predeclared_row *row)
{
    switch (row->class_) {
    case TL_CLASS_TYPE: return check_count(r, ident, 0, 0) ? row->a : TL_TYPE_UNKNOWN;
    case TL_CLASS_VECTOR: return resolve_vector(r, ident, row->a);
    case TL_CLASS_VECTOR_OF:
        return check_count(r, ident, 0, 0) ? tl_type_vector((tl_kind)row->b, row->a) : TL_TYPE_UNKNOWN;
    case TL_CLASS_MATRIX: return resolve_matrix(r, ident, row);
    case TL_CLASS_MATRIX_OF:
        return check_count(r, ident, 0, 0) ? tl_type_matrix((tl_kind)row->c, row->a, row->b) : TL_TYPE_UNKNOWN;
    case TL_CLASS_ARRAY: return resolve_array(r, ident);
    case TL_CLASS_ATOMIC: return resolve_atomic(r, ident);
    case TL_CLASS_POINTER: return resolve_pointer(r, ident);
    case TL_CLASS_BINDING_ARRAY: {
        if (argument_count(r, ident) == 0) return resolve_opaque(r, ident);
        tl_type element = element_argument(r, ident);
        return tl_type_binding_array(&r->s->types, element, optional_count(r, ident, 1));
    }
    case TL_CLASS_BUFFER: return tl_type_buffer(&r->s->types, optional_count(r, ident, 0));
    case TL_CLASS_TEXTURE: return resolve_texture_type(r, ident, row);
    case TL_CLASS_OPAQUE: return resolve_opaque(r, ident);
    case TL_CLASS_SPACE:
    case TL_CLASS_ACCESS:
    case TL_CLASS_VALUE:
    case TL_CLASS_WORD: break;
    }
    tl_resolve_error(r, ident, "'%s' is not a type", row->name);
    return TL_TYPE_UNKNOWN;
}

static bool is_type_declaration(const tl_resolver *r, uint32_t declaration)
{
    if ((declaration & TL_NAME_TAG_MASK) != 0) return false;
    tl_wgsl_node_kind kind = (tl_wgsl_node_kind)tl_at(r, declaration)->kind;
    return kind == TL_NODE_STRUCT || kind == TL_NODE_ALIAS;
}

static tl_type declared_type(tl_resolver *r, uint32_t ident, uint32_t declaration)
{
    if (is_type_declaration(r, declaration)) {
        if (argument_count(r, ident) == 0) return r->s->type[declaration];
        tl_resolve_error(r, ident, "'%.*s' takes no template arguments", TL_STR_ARGS(tl_node_name(r->m, ident)));
        return TL_TYPE_UNKNOWN;
    }
    tl_resolve_error(r, ident, "'%.*s' is not a type", TL_STR_ARGS(tl_node_name(r->m, ident)));
    return TL_TYPE_UNKNOWN;
}

tl_type tl_resolve_type(tl_resolver *r, uint32_t node)
{
    if (tl_at(r, node)->kind != TL_NODE_IDENT) {
        tl_resolve_error(r, node, "expected a type");
        return TL_TYPE_UNKNOWN;
    }
    if (!tl_resolve_enter(r, node)) return TL_TYPE_UNKNOWN;
    tl_type type = TL_TYPE_UNKNOWN;
    uint32_t declaration = tl_resolve_name(r, node);
    if ((declaration & TL_NAME_TAG_MASK) == TL_NAME_PREDECLARED) {
        type = resolve_predeclared(r, node, tl_predeclared_get(declaration & TL_NAME_INDEX_MASK));
    } else if (declaration != 0) {
        type = declared_type(r, node, declaration);
    }
    r->s->type[node] = type;
    r->depth--;
    return type;
}

tl_type tl_resolve_callee_type(tl_resolver *r, uint32_t ident, uint32_t declaration, bool *is_type,
                               const tl_predeclared_row **generator)
{
    *generator = NULL;
    *is_type = true;
    tl_type type = TL_TYPE_UNKNOWN;
    if (is_type_declaration(r, declaration)) {
        type = declared_type(r, ident, declaration);
    } else if ((declaration & TL_NAME_TAG_MASK) == TL_NAME_PREDECLARED) {
        const tl_predeclared_row *row = tl_predeclared_get(declaration & TL_NAME_INDEX_MASK);
        bool generates =
            row->class_ == TL_CLASS_VECTOR || row->class_ == TL_CLASS_MATRIX || row->class_ == TL_CLASS_ARRAY;
        *is_type = row->class_ < TL_CLASS_SPACE;
        if (generates && argument_count(r, ident) == 0) {
            *generator = row;
        } else if (*is_type) {
            type = resolve_predeclared(r, ident, row);
        }
    } else {
        *is_type = false;
    }
    r->s->type[ident] = type;
    return type;
}

/* ---- structures ---- */

static void resolve_member_layout(tl_resolver *r, uint32_t attributes, tl_member_desc *desc)
{
    uint32_t align = tl_list_attribute(r->m, attributes, TL_ATTR_ALIGN);
    uint32_t size = tl_list_attribute(r->m, attributes, TL_ATTR_SIZE);
    uint64_t value;
    if (align != 0 && tl_resolve_attribute_value(r, align, UINT32_MAX, &value)) {
        if (value == 0 || (value & (value - 1)) != 0) {
            tl_resolve_error(r, align, "@align (%llu) must be a power of two", (unsigned long long)value);
        } else if (value < tl_type_get(&r->s->types, desc->type)->align) {
            tl_resolve_error(r, align, "@align (%llu) must be at least the alignment of '%s' (%u)",
                             (unsigned long long)value, tl_resolve_type_text(r, desc->type),
                             tl_type_get(&r->s->types, desc->type)->align);
        } else {
            desc->align = (uint32_t)value;
        }
    }
    if (size == 0 || !tl_resolve_attribute_value(r, size, UINT32_MAX, &value)) return;
    const tl_type_info *info = tl_type_get(&r->s->types, desc->type);
    if (value < info->size && info->align != 0) {
        tl_resolve_error(r, size, "@size (%llu) must be at least the size of '%s' (%llu)", (unsigned long long)value,
                         tl_resolve_type_text(r, desc->type), (unsigned long long)info->size);
    } else {
        desc->size = value;
    }
}

static void check_member(tl_resolver *r, const tl_member_desc *members, uint32_t k, bool last)
{
    const tl_member_desc *desc = &members[k];
    const tl_type_info *info = tl_type_get(&r->s->types, desc->type);
    tl_str name = tl_node_name(r->m, desc->node);
    if ((info->flags & TL_TYPE_HAS_RUNTIME) != 0 && !last) {
        tl_resolve_error(r, desc->node, "'%.*s' is runtime-sized and must be the last member", TL_STR_ARGS(name));
    }
    bool known = (info->flags & TL_TYPE_HAS_UNKNOWN) == 0;
    if (known && (info->flags & (TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_OVERRIDE)) != 0) {
        tl_resolve_error(r, desc->node, "the member '%.*s' cannot have the type '%s'", TL_STR_ARGS(name),
                         tl_resolve_type_text(r, desc->type));
    }
    for (uint32_t j = 0; j < k; j++) {
        if (members[j].name == desc->name) {
            tl_resolve_error(r, desc->node, "the member '%.*s' is declared twice", TL_STR_ARGS(name));
            break;
        }
    }
}

void tl_resolve_struct(tl_resolver *r, uint32_t node)
{
    uint32_t list = tl_at(r, node)->a;
    uint32_t count = tl_list_count(r->m, list);
    if (count > TL_MAX_STRUCT_MEMBERS) {
        tl_resolve_error(r, node, "a structure has at most (%u) members, found (%u)", (unsigned)TL_MAX_STRUCT_MEMBERS,
                         count);
        count = TL_MAX_STRUCT_MEMBERS;
    }
    tl_member_desc *members = TL_ARENA_ARRAY(r->arena, tl_member_desc, count);
    if (members == NULL) {
        r->full = true;
        return;
    }
    uint32_t symbol = tl_symbol_of(r->m, r->arena, tl_at(r, node)->b);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t member = tl_list_at(r->m, list, k);
        const tl_member_parts *parts = TL_PARTS(tl_member_parts, r->m, member);
        tl_resolve_attributes(r, parts->attributes);
        members[k] = (tl_member_desc){.name = tl_symbol_of(r->m, r->arena, tl_at(r, member)->b),
                                      .node = member,
                                      .type = tl_resolve_type(r, parts->type)};
        r->s->type[member] = members[k].type;
        resolve_member_layout(r, parts->attributes, &members[k]);
        check_member(r, members, k, k + 1 == count);
    }
    tl_type type = tl_type_struct_begin(&r->s->types, symbol, node, NULL);
    tl_type_struct_end(&r->s->types, type, members, count);
    if (too_deep(r, node, type)) type = TL_TYPE_UNKNOWN;
    r->s->type[node] = type;
}
