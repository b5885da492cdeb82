/* SPDX-License-Identifier: MIT
 *
 * The values that the launch writes: "params.n" as a variable, an offset and a number. */
#include "wgsl/value.h"

#include "wgsl/check.h"

#include <string.h>

typedef struct path {
    const telar_wgsl *m;
    const char *whole;
    const char *at;
    tl_type type;
    uint64_t offset;
} path;

static telar_status not_there(const path *p, telar_diag *diag)
{
    return tl_fail(diag, TELAR_NOT_FOUND, "there is no '%.120s' in the module that a launch could set", p->whole);
}

/* The name at p->at; p->at moves behind it. */
static tl_str take_name(path *p)
{
    size_t len = strcspn(p->at, ".[");
    tl_str name = {p->at, len};
    p->at += len;
    return name;
}

static telar_status step_member(path *p, telar_diag *diag)
{
    const tl_types *types = &p->m->semantics->types;
    p->at++;
    tl_str name = take_name(p);
    const tl_struct *record = tl_type_struct(types, p->type);
    for (uint32_t k = 0; record != NULL && k < record->member_count; k++) {
        const tl_member *member = &types->members[record->member_first + k];
        if (member->node == 0 || !tl_str_equal(tl_node_name(p->m, member->node), name)) continue;
        p->offset += member->offset;
        p->type = member->type;
        return TELAR_OK;
    }
    const tl_type_info *info = tl_type_get(types, p->type);
    const char *letter = name.len == 1 ? strchr("xyzw", name.data[0]) : NULL;
    bool component = info->kind == TL_KIND_VECTOR && letter != NULL && letter - "xyzw" < info->rows;
    if (!component) return not_there(p, diag);
    p->offset += (uint64_t)(name.data[0] == 'w' ? 3 : name.data[0] - 'x') * tl_type_get(types, info->element)->size;
    p->type = info->element;
    return TELAR_OK;
}

static telar_status step_index(path *p, telar_diag *diag)
{
    const tl_types *types = &p->m->semantics->types;
    const tl_type_info *info = tl_type_get(types, p->type);
    uint64_t index = 0, stride = tl_layout_stride(types, p->type);
    p->at++;
    const char *digits = p->at;
    while (*p->at >= '0' && *p->at <= '9' && p->at - digits < 9) index = index * 10 + (uint64_t)(*p->at++ - '0');
    bool fits = info->kind == TL_KIND_ARRAY && stride != 0 && p->at > digits && *p->at == ']' &&
                (info->count == 0 || index < info->count);
    if (!fits) return not_there(p, diag);
    p->at++;
    p->offset += index * stride;
    p->type = info->element;
    return TELAR_OK;
}

static telar_status read_path(path *p, uint32_t *declaration, telar_diag *diag)
{
    p->at = p->whole;
    *declaration = tl_query_global(p->m, take_name(p));
    if (*declaration == 0 || p->m->nodes[*declaration].kind != TL_NODE_VAR) return not_there(p, diag);
    p->type = tl_node_value_type(p->m, *declaration);
    while (*p->at != 0) {
        if (*p->at == '.') {
            TELAR_TRY(step_member(p, diag));
        } else if (*p->at == '[') {
            TELAR_TRY(step_index(p, diag));
        } else {
            return not_there(p, diag);
        }
    }
    const tl_type_info *info = tl_type_get(&p->m->semantics->types, p->type);
    if (info->kind == TL_KIND_ATOMIC) p->type = info->element;
    return tl_type_is_scalar(p->type) ? TELAR_OK : not_there(p, diag);
}

/* Whole numbers are followed; floats are only checked for being there. */
static bool is_integer(tl_type type)
{
    return type == TL_TYPE_U32 || type == TL_TYPE_I32;
}

static bool has_value(tl_type type, double value)
{
    double lo = type == TL_TYPE_U32 ? 0 : INT32_MIN, hi = type == TL_TYPE_U32 ? UINT32_MAX : INT32_MAX;
    return value >= lo && value <= hi && (double)(int64_t)value == value;
}

/* A name that is bound is a variable's, or that of a buffer which something else of the launch names. */
static bool is_bindable(const tl_check *c, const char *name)
{
    const telar_check_desc *desc = c->desc;
    uint32_t declaration = tl_query_global(c->m, tl_str_of(name));
    if (declaration != 0 && c->m->nodes[declaration].kind == TL_NODE_VAR) return true;
    if (desc->indirect_buffer != NULL && strcmp(desc->indirect_buffer, name) == 0) return true;
    for (uint32_t k = 0; k < desc->binds_count; k++) {
        if (desc->binds[k].buffer != NULL && strcmp(desc->binds[k].buffer, name) == 0) return true;
    }
    return false;
}

telar_status tl_check_read_given(tl_check *c, telar_diag *diag)
{
    for (uint32_t k = 0; k < c->desc->binds_count; k++) {
        const char *name = c->desc->binds[k].name;
        if (is_bindable(c, name)) continue;
        return tl_fail(diag, TELAR_NOT_FOUND, "there is no variable '%.120s' in the module that a launch could bind",
                       name);
    }
    const telar_check_desc *desc = c->desc;
    tl_given *given = TL_ARENA_ARRAY(c->arena, tl_given, desc->sets_count);
    if (given == NULL) return TELAR_NO_SPACE;
    c->given = given;
    for (uint32_t k = 0; k < desc->sets_count; k++) {
        const telar_check_set *set = &desc->sets[k];
        uint32_t declaration;
        if (tl_query_override(c->m, tl_str_of(set->path)) != TL_NO_INDEX) continue;
        path p = {.m = c->m, .whole = set->path};
        TELAR_TRY(read_path(&p, &declaration, diag));
        if (!is_integer(p.type)) continue;
        if (!has_value(p.type, set->value)) {
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "'%.120s' is %s and cannot have the value (%.3f)", set->path,
                           p.type == TL_TYPE_U32 ? "u32" : "i32", set->value);
        }
        given[c->given_count++] = (tl_given){declaration, p.offset, (int64_t)set->value};
    }
    return TELAR_OK;
}
