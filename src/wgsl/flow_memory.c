/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of the walk: variables of the invocation have values, all other memory makes events. */
#include "wgsl/flow_walk.h"

void tl_walk_event(tl_walk *w, tl_event_kind kind, tl_term place, tl_term value, uint32_t node)
{
    tl_flow *f = w->flow;
    if (w->quiet > 0 || !TL_WALK_GROW(w, f->events, f->event_count, f->event_capacity)) return;
    f->events[f->event_count++] = (tl_event){.kind = (uint8_t)kind,
                                             .node = node,
                                             .place = place,
                                             .value = value,
                                             .facts = w->head,
                                             .loop = w->loop,
                                             .call = w->call};
}

/* ---- variables of the invocation --------------------------------------------------------------------------------- */

tl_term tl_walk_zero(tl_walk *w, tl_type type)
{
    const tl_type_info *info = tl_type_get(&w->m->semantics->types, type);
    if (info->kind == TL_KIND_VECTOR) {
        tl_term parts[4];
        for (uint32_t k = 0; k < info->rows; k++) parts[k] = tl_walk_zero(w, info->element);
        return tl_term_composite(w->v, type, parts, info->rows);
    }
    bool integer = type == TL_TYPE_U32 || type == TL_TYPE_I32 || type == TL_TYPE_BOOL;
    return integer ? tl_term_int(w->v, type, 0) : tl_term_inexact(w->v, type, 0);
}

static tl_space space_of(const telar_wgsl *m, uint32_t declaration)
{
    const tl_wgsl_node *n = &m->nodes[declaration];
    if (n->kind != TL_NODE_VAR) return TL_SPACE_NONE;
    if ((n->flags & TL_FLAG_GLOBAL) == 0) return TL_SPACE_FUNCTION;
    return (tl_space)tl_query_global_record(m, declaration)->space;
}

/* What a variable of the invocation holds; a private one begins with its initial value. */
static tl_term held(tl_walk *w, uint32_t declaration)
{
    if (w->value[declaration] != 0) return w->value[declaration];
    uint32_t init = TL_PARTS(tl_var_parts, w->m, declaration)->init;
    tl_type type = tl_node_value_type(w->m, declaration);
    return init != 0 ? tl_walk_value(w, init) : tl_walk_zero(w, type);
}

/* The part of a value that a place names, once its root is taken away. */
static tl_term part_of(tl_walk *w, tl_term whole, tl_term place, uint32_t depth)
{
    const tl_term_info info = *tl_term_get(w->v, place);
    if (info.kind == TL_TERM_PLACE) return whole;
    if (depth > 16) return tl_term_unknown(w->v, info.type, TL_ON_UNKNOWN);
    tl_term outer = part_of(w, whole, info.a, depth + 1);
    if (outer == 0) return 0;
    int64_t position = info.b;
    bool constant = info.kind == TL_TERM_PLACE_OF || tl_term_constant(w->v, info.b, &position);
    uint32_t depends = (uint32_t)tl_term_get(w->v, outer)->depends | info.depends;
    if (!constant || position < 0 || position > UINT32_MAX) return tl_term_unknown(w->v, info.type, depends);
    tl_term part = tl_term_element(w->v, outer, (uint32_t)position, info.type);
    return part != 0 ? part : tl_term_unknown(w->v, info.type, depends);
}

#define PARTS_MAX 32u /* of a vector or structure that is followed member by member */

static uint32_t parts_count(const tl_types *types, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    if (info->kind == TL_KIND_VECTOR) return info->rows;
    const tl_struct *record = tl_type_struct(types, type);
    return record != NULL && record->member_count <= PARTS_MAX ? record->member_count : 0;
}

static tl_type part_type(const tl_types *types, tl_type type, uint32_t k)
{
    const tl_type_info *info = tl_type_get(types, type);
    return info->kind == TL_KIND_VECTOR ? info->element : tl_type_members(types, type)[k].type;
}

/* `whole` with one part replaced; 0 when it is not followed. */
static tl_term with_part(tl_walk *w, tl_term whole, tl_type type, uint32_t position, tl_term part)
{
    const tl_types *types = &w->m->semantics->types;
    uint32_t count = parts_count(types, type);
    tl_term parts[PARTS_MAX];
    if (position >= count) return 0;
    for (uint32_t k = 0; k < count; k++) {
        tl_type of = part_type(types, type, k);
        parts[k] = k == position ? part : tl_term_element(w->v, whole, k, of);
        if (parts[k] == 0) parts[k] = tl_term_unknown(w->v, of, TL_ON_UNKNOWN);
    }
    return tl_term_composite(w->v, type, parts, count);
}

static void store_local(tl_walk *w, uint32_t root, tl_term place, tl_term value)
{
    for (uint32_t depth = 0;; depth++) {
        const tl_term_info info = *tl_term_get(w->v, place);
        if (info.kind == TL_TERM_PLACE) {
            tl_walk_set(w, root, value);
            return;
        }
        tl_type outer_type = tl_term_get(w->v, info.a)->type;
        tl_term outer = depth < 8 ? part_of(w, held(w, root), info.a, 0) : 0;
        int64_t position = info.b;
        bool constant = info.kind == TL_TERM_PLACE_OF || tl_term_constant(w->v, info.b, &position);
        tl_term changed = 0;
        if (outer != 0 && constant && position >= 0 && position < PARTS_MAX) {
            changed = with_part(w, outer, outer_type, (uint32_t)position, value);
        }
        if (changed == 0) {
            uint32_t depends = (uint32_t)tl_term_get(w->v, value)->depends | info.depends;
            if (outer != 0) depends |= tl_term_get(w->v, outer)->depends;
            changed = tl_term_unknown(w->v, outer_type, depends);
        }
        place = info.a;
        value = changed;
    }
}

/* ---- loads and stores -------------------------------------------------------------------------------------------- */

static bool has_index(const tl_walk *w, tl_term place)
{
    for (const tl_term_info *info = tl_term_get(w->v, place);; info = tl_term_get(w->v, info->a)) {
        if (info->kind == TL_TERM_PLACE_AT) return true;
        if (info->kind != TL_TERM_PLACE_OF) return false;
    }
}

static tl_term load_storage(tl_walk *w, uint32_t root, tl_term place)
{
    uint32_t global = tl_node_declaration(w->m, root), depends = tl_term_get(w->v, place)->depends;
    if (w->written[global] == 0) return tl_term_load(w->v, place, 0, depends | TL_ON_STORAGE);
    return tl_term_load(w->v, place, ++w->version, depends | TL_ON_WRITABLE);
}

tl_term tl_walk_load(tl_walk *w, tl_term place, uint32_t node)
{
    uint32_t root = tl_place_root(w->v, place);
    const tl_term_info info = *tl_term_get(w->v, place);
    if (root == 0) return tl_term_unknown(w->v, info.type, info.depends | TL_ON_UNKNOWN);
    tl_space space = space_of(w->m, root);
    if (space == TL_SPACE_STORAGE || space == TL_SPACE_WORKGROUP || has_index(w, place)) {
        tl_walk_event(w, TL_EVENT_READ, place, 0, node);
    }
    switch (space) {
    case TL_SPACE_FUNCTION:
    case TL_SPACE_PRIVATE: return part_of(w, held(w, root), place, 0);
    case TL_SPACE_UNIFORM:
    case TL_SPACE_IMMEDIATE: return tl_term_load(w->v, place, 0, info.depends | TL_ON_HOST);
    case TL_SPACE_STORAGE: return load_storage(w, root, place);
    case TL_SPACE_WORKGROUP: return tl_term_load(w->v, place, ++w->version, info.depends | TL_ON_WORKGROUP);
    case TL_SPACE_HANDLE: return place;
    default: return tl_term_unknown(w->v, info.type, info.depends | TL_ON_UNKNOWN);
    }
}

void tl_walk_store(tl_walk *w, tl_term place, tl_term value, uint32_t node)
{
    uint32_t root = tl_place_root(w->v, place);
    if (root == 0 || value == 0) return;
    tl_space space = space_of(w->m, root);
    bool local = space == TL_SPACE_FUNCTION || space == TL_SPACE_PRIVATE;
    if (!local || has_index(w, place)) tl_walk_event(w, TL_EVENT_WRITE, place, value, node);
    if (local) store_local(w, root, place, value);
}
