/* SPDX-License-Identifier: MIT
 *
 * Declarations of values and functions: address space, access, initializer, parameters, result. */
#include "wgsl/resolver.h"

static tl_str name_of(const tl_resolver *r, uint32_t node)
{
    return tl_node_name(r->m, node);
}

/* ---- var ---- */

static void report_type(tl_resolver *r, uint32_t node, const char *what, tl_type type)
{
    tl_resolve_error_at(r, tl_at(r, node)->b, "%s '%.*s' cannot have the type '%s'", what,
                        TL_STR_ARGS(name_of(r, node)), tl_resolve_type_text(r, type));
}

static tl_space default_space(tl_resolver *r, uint32_t node, tl_type type)
{
    if ((tl_at(r, node)->flags & TL_FLAG_GLOBAL) == 0) return TL_SPACE_FUNCTION;
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    if ((info->flags & (TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_UNKNOWN)) != 0) return TL_SPACE_HANDLE;
    tl_resolve_error_at(r, tl_at(r, node)->b,
                        "the module-scope variable '%.*s' needs an address space, as in "
                        "var<private>, var<workgroup>, var<storage, read_write>, var<uniform>",
                        TL_STR_ARGS(name_of(r, node)));
    return TL_SPACE_OTHER;
}

static void resolve_space(tl_resolver *r, uint32_t node, tl_type type, tl_space *space, tl_access *access)
{
    uint32_t list = TL_PARTS(tl_var_parts, r->m, node)->templates;
    uint32_t count = tl_list_count(r->m, list), value = TL_SPACE_OTHER;
    *access = TL_ACCESS_NONE;
    if (count == 0) {
        *space = default_space(r, node, type);
    } else {
        if (!tl_resolve_enumerant(r, tl_list_at(r->m, list, 0), TL_CLASS_SPACE, &value)) { value = TL_SPACE_OTHER; }
        *space = (tl_space)value;
    }
    if (count > 1 && tl_resolve_enumerant(r, tl_list_at(r->m, list, 1), TL_CLASS_ACCESS, &value)) {
        *access = (tl_access)value;
        if (*space != TL_SPACE_STORAGE && *space != TL_SPACE_OTHER && *space != TL_SPACE_HANDLE) {
            tl_resolve_error(r, tl_list_at(r->m, list, 1), "only the storage address space takes an access mode");
        }
    }
    if (*access == TL_ACCESS_WRITE && *space == TL_SPACE_STORAGE) {
        tl_resolve_error(r, tl_list_at(r->m, list, 1), "a storage variable is 'read' or 'read_write', not 'write'");
    }
    if (*access == TL_ACCESS_NONE) {
        bool writable = *space == TL_SPACE_FUNCTION || *space == TL_SPACE_PRIVATE || *space == TL_SPACE_WORKGROUP ||
                        *space == TL_SPACE_OTHER;
        *access = writable ? TL_ACCESS_READ_WRITE : TL_ACCESS_READ;
    }
}

/* What may be stored in each address space. */
static void check_store_type(tl_resolver *r, uint32_t node, tl_space space, tl_type type)
{
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    uint32_t flags = info->flags;
    if ((flags & TL_TYPE_HAS_UNKNOWN) != 0 || info->kind == TL_KIND_BINDING_ARRAY) return;
    uint32_t barred = 0;
    switch (space) {
    case TL_SPACE_FUNCTION:
    case TL_SPACE_PRIVATE:
        barred = TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_RUNTIME | TL_TYPE_HAS_ATOMIC | TL_TYPE_HAS_OVERRIDE;
        break;
    case TL_SPACE_WORKGROUP: barred = TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_RUNTIME; break;
    case TL_SPACE_UNIFORM:
    case TL_SPACE_IMMEDIATE:
        barred =
            TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_RUNTIME | TL_TYPE_HAS_ATOMIC | TL_TYPE_HAS_BOOL | TL_TYPE_HAS_OVERRIDE;
        break;
    case TL_SPACE_STORAGE: barred = TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_BOOL | TL_TYPE_HAS_OVERRIDE; break;
    case TL_SPACE_HANDLE:
        if ((flags & TL_TYPE_HAS_HANDLE) == 0 || info->kind == TL_KIND_POINTER) {
            report_type(r, node, "the variable", type);
        }
        return;
    default: return;
    }
    if ((flags & barred) != 0 || type == TL_TYPE_VOID) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "'%.*s' in the address space '%s' cannot have the type '%s'",
                            TL_STR_ARGS(name_of(r, node)), tl_space_name(space), tl_resolve_type_text(r, type));
    }
}

static void resolve_binding_numbers(tl_resolver *r, uint32_t node, tl_global *global)
{
    uint32_t attributes = TL_PARTS(tl_var_parts, r->m, node)->attributes;
    uint32_t group = tl_list_attribute(r->m, attributes, TL_ATTR_GROUP);
    uint32_t binding = tl_list_attribute(r->m, attributes, TL_ATTR_BINDING);
    uint64_t value;
    if (group != 0 && tl_resolve_attribute_value(r, group, UINT32_MAX - 1, &value)) { global->group = (uint32_t)value; }
    if (binding != 0 && tl_resolve_attribute_value(r, binding, UINT32_MAX - 1, &value)) {
        global->binding = (uint32_t)value;
    }
    bool resource =
        global->space == TL_SPACE_UNIFORM || global->space == TL_SPACE_STORAGE || global->space == TL_SPACE_HANDLE;
    if (resource && (group == 0 || binding == 0)) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "'%.*s' needs @group and @binding", TL_STR_ARGS(name_of(r, node)));
    }
    if ((group != 0 || binding != 0) && !resource && global->space != TL_SPACE_OTHER) {
        tl_resolve_error(r, group != 0 ? group : binding,
                         "'%.*s' in the address space '%s' takes no @group and @binding", TL_STR_ARGS(name_of(r, node)),
                         tl_space_name((tl_space)global->space));
    }
}

/* Resolves the initializer against the declared type, if there is one; gives the type of the declaration. */
static tl_type resolve_initializer(tl_resolver *r, uint32_t node, tl_type declared, bool concrete)
{
    uint32_t init = TL_PARTS(tl_var_parts, r->m, node)->init;
    if (init == 0) return declared;
    tl_type type = tl_resolve_value(r, init);
    if (TL_PARTS(tl_var_parts, r->m, node)->type != 0) {
        if (!tl_type_converts(&r->s->types, type, declared)) {
            tl_resolve_error(r, init, "cannot initialize '%.*s' of type '%s' with '%s'", TL_STR_ARGS(name_of(r, node)),
                             tl_resolve_type_text(r, declared), tl_resolve_type_text(r, type));
        } else {
            tl_convert(r, init, declared);
        }
        return declared;
    }
    if (!concrete) return type;
    tl_convert_concrete(r, init);
    return tl_node_value_type(r->m, init);
}

static void check_global_initializer(tl_resolver *r, uint32_t node, bool may_override)
{
    uint32_t init = TL_PARTS(tl_var_parts, r->m, node)->init;
    if (init == 0 || r->s->type[init] == TL_TYPE_UNKNOWN) return;
    tl_constant value = r->s->constant[init];
    if (value != TL_CONSTANT_NONE && (may_override || value != TL_CONSTANT_OVERRIDE)) return;
    tl_resolve_error(r, init, "'%.*s' must be initialized with a constant%s expression", TL_STR_ARGS(name_of(r, node)),
                     may_override ? " or override" : "");
}

static void resolve_var(tl_resolver *r, uint32_t node, tl_type declared)
{
    bool is_global = (tl_at(r, node)->flags & TL_FLAG_GLOBAL) != 0;
    uint32_t init = TL_PARTS(tl_var_parts, r->m, node)->init;
    tl_type type = resolve_initializer(r, node, declared, true);
    tl_space space;
    tl_access access;
    resolve_space(r, node, type, &space, &access);
    check_store_type(r, node, space, type);
    if (is_global) {
        tl_global *global = &r->s->globals[r->s->declaration[node]];
        global->space = (uint8_t)space;
        global->access = (uint8_t)access;
        resolve_binding_numbers(r, node, global);
        check_global_initializer(r, node, true);
    } else if (space != TL_SPACE_FUNCTION && space != TL_SPACE_OTHER) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "'%.*s' in the address space '%s' must be declared at module scope",
                            TL_STR_ARGS(name_of(r, node)), tl_space_name(space));
    }
    if (init != 0 && space != TL_SPACE_FUNCTION && space != TL_SPACE_PRIVATE && space != TL_SPACE_OTHER) {
        tl_resolve_error(r, init, "a variable in the address space '%s' takes no initializer", tl_space_name(space));
    }
    r->s->type[node] = tl_type_reference(&r->s->types, space, type, access);
}

/* ---- let, const, override ---- */

static void resolve_let(tl_resolver *r, uint32_t node, tl_type declared)
{
    tl_type type = resolve_initializer(r, node, declared, true);
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    bool storable = tl_type_is_constructible(&r->s->types, type) || info->kind == TL_KIND_POINTER ||
                    info->kind == TL_KIND_TEXTURE || info->kind == TL_KIND_SAMPLER;
    if (!storable) report_type(r, node, "the constant", type);
    r->s->type[node] = type;
}

static void resolve_const(tl_resolver *r, uint32_t node, tl_type declared)
{
    uint32_t init = TL_PARTS(tl_var_parts, r->m, node)->init;
    r->s->type[node] = resolve_initializer(r, node, declared, false);
    check_global_initializer(r, node, false);
    tl_constant value = init == 0 ? TL_CONSTANT_OPAQUE : r->s->constant[init];
    /* After an error the constant stays one, so that its users are not blamed. */
    r->s->constant[node] = value == TL_CONSTANT_NONE || value == TL_CONSTANT_OVERRIDE ? TL_CONSTANT_OPAQUE : value;
}

static void resolve_override(tl_resolver *r, uint32_t node, tl_type declared)
{
    uint32_t id = tl_list_attribute(r->m, TL_PARTS(tl_var_parts, r->m, node)->attributes, TL_ATTR_ID);
    uint64_t value;
    tl_type type = resolve_initializer(r, node, declared, true);
    if (type != TL_TYPE_UNKNOWN && !tl_type_is_scalar(type)) { report_type(r, node, "the override", type); }
    check_global_initializer(r, node, true);
    if (id != 0 && tl_resolve_attribute_value(r, id, 65535, &value)) {
        r->s->globals[r->s->declaration[node]].group = (uint32_t)value;
    }
    r->s->type[node] = type;
    r->s->constant[node] = TL_CONSTANT_OVERRIDE;
}

void tl_resolve_variable(tl_resolver *r, uint32_t node)
{
    const tl_var_parts *parts = TL_PARTS(tl_var_parts, r->m, node);
    tl_resolve_attributes(r, parts->attributes);
    tl_type declared = parts->type == 0 ? TL_TYPE_UNKNOWN : tl_resolve_type(r, parts->type);
    switch ((tl_wgsl_node_kind)tl_at(r, node)->kind) {
    case TL_NODE_LET: resolve_let(r, node, declared); break;
    case TL_NODE_CONST: resolve_const(r, node, declared); break;
    case TL_NODE_OVERRIDE: resolve_override(r, node, declared); break;
    default: resolve_var(r, node, declared); break;
    }
}

/* ---- functions ---- */

static void resolve_parameter(tl_resolver *r, uint32_t param, uint32_t position)
{
    const tl_member_parts *parts = TL_PARTS(tl_member_parts, r->m, param);
    tl_resolve_attributes(r, parts->attributes);
    tl_type type = tl_resolve_type(r, parts->type);
    const tl_type_info *info = tl_type_get(&r->s->types, type);
    bool passable = tl_type_is_constructible(&r->s->types, type) || info->kind == TL_KIND_POINTER ||
                    info->kind == TL_KIND_TEXTURE || info->kind == TL_KIND_SAMPLER ||
                    info->kind == TL_KIND_BINDING_ARRAY;
    if (!passable) report_type(r, param, "the parameter", type);
    r->s->type[param] = type;
    r->s->declaration[param] = position;
}

void tl_resolve_signature(tl_resolver *r, uint32_t node)
{
    const tl_fn_parts *parts = TL_PARTS(tl_fn_parts, r->m, node);
    tl_function *function = &r->s->functions[r->s->globals[r->s->declaration[node]].function];
    tl_resolve_attributes(r, parts->attributes);
    function->stage = tl_attributes_stage(r->m, parts->attributes);
    function->must_use = tl_list_attribute(r->m, parts->attributes, TL_ATTR_MUST_USE) != 0;
    for (uint32_t k = 0; k < tl_list_count(r->m, parts->params); k++) {
        resolve_parameter(r, tl_list_at(r->m, parts->params, k), k);
    }
    tl_resolve_attributes(r, parts->result_attributes);
    tl_type result = TL_TYPE_VOID;
    if (parts->result != 0) {
        result = tl_resolve_type(r, parts->result);
        if (!tl_type_is_constructible(&r->s->types, result)) {
            tl_resolve_error(r, parts->result, "'%.*s' cannot return '%s'", TL_STR_ARGS(name_of(r, node)),
                             tl_resolve_type_text(r, result));
        }
    }
    r->s->type[node] = result;
}

void tl_resolve_const_assert(tl_resolver *r, uint32_t node)
{
    uint32_t condition = tl_at(r, node)->a;
    tl_type type = tl_resolve_value(r, condition);
    int64_t value;
    if (type == TL_TYPE_UNKNOWN) return;
    if (type != TL_TYPE_BOOL) {
        tl_resolve_error(r, condition, "const_assert takes a 'bool', not '%s'", tl_resolve_type_text(r, type));
        return;
    }
    tl_constant constant = r->s->constant[condition];
    if (constant == TL_CONSTANT_NONE || constant == TL_CONSTANT_OVERRIDE) {
        tl_resolve_error(r, condition, "const_assert takes a constant expression");
    } else if (tl_constant_as_int(&r->s->constants, constant, &value) && value == 0) {
        tl_resolve_error(r, node, "const_assert failed: the condition is false");
    }
}
