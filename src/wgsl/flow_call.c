/* SPDX-License-Identifier: MIT
 *
 * Calls of the walk: built-in functions by what they do to integers and memory, constructors, and the module's own
 * functions, walked where they are called. */
#include "wgsl/flow_walk.h"

#include <string.h>

#define ARGUMENTS_MAX 32u /* that are followed */
#define ARGUMENTS_READ 3u /* by number, of a built-in function */

typedef struct call {
    uint32_t node;
    uint32_t list; /* of arguments */
    uint32_t count;
    tl_type type;
    uint32_t depends; /* of all arguments */
    tl_term arguments[ARGUMENTS_MAX];
} call;

static uint32_t depends_of(const tl_walk *w, tl_term term)
{
    return tl_term_get(w->v, term)->depends;
}

/* Those that are read by number are there whatever the count; others behind it are left as they are: most calls have one or
 * two. */
static void walk_arguments(tl_walk *w, uint32_t node, call *k)
{
    k->node = node;
    k->list = w->m->nodes[node].b;
    k->count = tl_list_count(w->m, k->list);
    k->type = tl_node_value_type(w->m, node);
    k->depends = 0;
    for (uint32_t i = 0; i < ARGUMENTS_READ; i++) k->arguments[i] = 0;
    for (uint32_t i = 0; i < k->count; i++) {
        tl_term term = tl_walk_value(w, tl_list_at(w->m, k->list, i));
        k->depends |= depends_of(w, term);
        if (i < ARGUMENTS_MAX) k->arguments[i] = term;
    }
}

/* ---- the module's functions -------------------------------------------------------------------------------------- */

static tl_term call_function(tl_walk *w, call *k, uint32_t function)
{
    uint32_t params = TL_PARTS(tl_fn_parts, w->m, function)->params;
    bool outermost = w->call == 0, deep = w->call_depth >= TL_CALL_DEPTH_MAX;
    if (deep || k->count > ARGUMENTS_MAX || !tl_walk_spend(w, 1)) {
        w->flow->complete = false;
        return tl_term_unknown(w->v, k->type, TL_ON_UNKNOWN | k->depends);
    }
    for (uint32_t i = 0; i < k->count && i < tl_list_count(w->m, params); i++) {
        tl_walk_set(w, tl_list_at(w->m, params, i), k->arguments[i]);
    }
    if (outermost) w->call = k->node;
    w->call_depth++;
    uint32_t head = w->head;
    tl_term result = tl_walk_function(w, function);
    w->head = head;
    w->call_depth--;
    if (outermost) w->call = 0;
    return result != 0 ? result : tl_term_unknown(w->v, k->type, TL_ON_UNKNOWN);
}

/* ---- constructors ------------------------------------------------------------------------------------------------ */

static tl_term construct_vector(tl_walk *w, const call *k, const tl_type_info *info)
{
    const tl_types *types = &w->m->semantics->types;
    tl_term parts[4];
    uint32_t filled = 0;
    for (uint32_t i = 0; i < k->count && filled < info->rows; i++) {
        tl_type type = tl_term_get(w->v, k->arguments[i])->type;
        const tl_type_info *argument = tl_type_get(types, type);
        uint32_t count = argument->kind == TL_KIND_VECTOR ? argument->rows : 1;
        for (uint32_t j = 0; j < count && filled < info->rows; j++) {
            tl_term part = argument->kind == TL_KIND_VECTOR
                               ? tl_term_element(w->v, k->arguments[i], j, argument->element)
                               : k->arguments[i];
            parts[filled++] = part != 0 ? tl_term_convert(w->v, part, info->element)
                                        : tl_term_unknown(w->v, info->element, k->depends);
        }
    }
    while (filled > 0 && filled < info->rows) { /* one scalar for all */
        parts[filled] = parts[filled - 1];
        filled++;
    }
    return filled == 0 ? tl_walk_zero(w, k->type) : tl_term_composite(w->v, k->type, parts, info->rows);
}

static tl_term construct(tl_walk *w, const call *k)
{
    const tl_types *types = &w->m->semantics->types;
    const tl_type_info *info = tl_type_get(types, k->type);
    if (info->kind == TL_KIND_VECTOR) return construct_vector(w, k, info);
    if (k->count == 0) return tl_walk_zero(w, k->type);
    if (tl_type_is_scalar(k->type)) return tl_term_convert(w->v, k->arguments[0], k->type);
    bool record = info->kind == TL_KIND_STRUCT && k->count <= ARGUMENTS_MAX;
    if (record) return tl_term_composite(w->v, k->type, k->arguments, k->count);
    return tl_term_inexact(w->v, k->type, k->depends);
}

/* ---- built-in functions ------------------------------------------------------------------------------------------ */

typedef tl_term two_to_one(tl_values *v, tl_term a, tl_term b);

/* min and max, component by component. */
static tl_term componentwise(tl_walk *w, const call *k, two_to_one *function)
{
    const tl_type_info *info = tl_type_get(&w->m->semantics->types, k->type);
    if (info->kind != TL_KIND_VECTOR) {
        tl_term a = tl_term_convert(w->v, k->arguments[0], k->type),
                b = tl_term_convert(w->v, k->arguments[1], k->type);
        return function(w->v, a, b);
    }
    if (tl_kind_is_float((tl_kind)info->element)) return tl_term_inexact(w->v, k->type, k->depends);
    tl_term parts[4];
    for (uint32_t i = 0; i < info->rows; i++) {
        tl_term a = tl_term_element(w->v, k->arguments[0], i, info->element);
        tl_term b = tl_term_element(w->v, k->arguments[1], i, info->element);
        if (a == 0 || b == 0) return tl_term_unknown(w->v, k->type, k->depends);
        parts[i] = function(w->v, tl_term_convert(w->v, a, info->element), tl_term_convert(w->v, b, info->element));
    }
    return tl_term_composite(w->v, k->type, parts, info->rows);
}

/* clamp(e, low, high) is min(max(e, low), high). */
static tl_term clamp(tl_walk *w, const call *k)
{
    call outer = *k;
    outer.arguments[0] = componentwise(w, k, tl_term_max);
    outer.arguments[1] = k->arguments[2];
    return componentwise(w, &outer, tl_term_min);
}

static tl_term select_value(tl_walk *w, const call *k)
{
    const tl_type_info *info = tl_type_get(&w->m->semantics->types, k->type);
    tl_term on_false = k->arguments[0], on_true = k->arguments[1], condition = k->arguments[2];
    if (tl_term_get(w->v, condition)->type != TL_TYPE_BOOL) return tl_term_unknown(w->v, k->type, k->depends);
    tl_walk_condition(w, condition, tl_list_at(w->m, k->list, 2));
    if (info->kind != TL_KIND_VECTOR) {
        return tl_term_select(w->v, tl_term_convert(w->v, on_false, k->type), tl_term_convert(w->v, on_true, k->type),
                              condition);
    }
    tl_term parts[4];
    for (uint32_t i = 0; i < info->rows; i++) {
        tl_term a = tl_term_element(w->v, on_false, i, info->element);
        tl_term b = tl_term_element(w->v, on_true, i, info->element);
        if (a == 0 || b == 0) return tl_term_unknown(w->v, k->type, k->depends);
        parts[i] = tl_term_select(w->v, a, b, condition);
    }
    return tl_term_composite(w->v, k->type, parts, info->rows);
}

/* all and any of a vector of bool. */
static tl_term fold_bools(tl_walk *w, const call *k, tl_wgsl_op op)
{
    const tl_type_info *info = tl_type_get(&w->m->semantics->types, tl_term_get(w->v, k->arguments[0])->type);
    if (info->kind != TL_KIND_VECTOR) return k->arguments[0];
    tl_term result = 0;
    for (uint32_t i = 0; i < info->rows; i++) {
        tl_term part = tl_term_element(w->v, k->arguments[0], i, TL_TYPE_BOOL);
        if (part == 0) return tl_term_unknown(w->v, TL_TYPE_BOOL, k->depends);
        result = result == 0 ? part : tl_term_binary(w->v, op, result, part, TL_TYPE_BOOL);
    }
    return result;
}

static tl_term atomic(tl_walk *w, const call *k, tl_builtin builtin)
{
    tl_term place = k->arguments[0], value = k->count > 1 ? k->arguments[k->count - 1] : 0;
    uint32_t node = tl_list_at(w->m, k->list, 0);
    tl_event_kind kind = builtin == TL_BUILTIN_atomicLoad    ? TL_EVENT_READ
                         : builtin == TL_BUILTIN_atomicStore ? TL_EVENT_WRITE
                                                             : TL_EVENT_ATOMIC;
    if (tl_place_root(w->v, place) != 0) tl_walk_event(w, kind, place, value, node);
    return tl_term_unknown(w->v, k->type, k->depends | TL_ON_WRITABLE);
}

static tl_term length_of(tl_walk *w, const call *k)
{
    tl_term place = k->arguments[0];
    if (tl_place_root(w->v, place) == 0) return tl_term_unknown(w->v, k->type, TL_ON_LENGTH);
    return tl_term_length(w->v, place);
}

static tl_term texture(tl_walk *w, const call *k, tl_builtin builtin)
{
    if (builtin == TL_BUILTIN_textureStore && k->count >= 2) {
        tl_walk_event(w, TL_EVENT_TEXTURE_STORE, k->arguments[1], k->arguments[k->count - 1], k->node);
    }
    const tl_type_info *info = tl_type_get(&w->m->semantics->types, k->type);
    bool size = builtin == TL_BUILTIN_textureDimensions || builtin == TL_BUILTIN_textureNumLayers;
    if (!size) return tl_term_unknown(w->v, k->type, k->depends | TL_ON_WRITABLE);
    if (info->kind != TL_KIND_VECTOR) return tl_term_call(w->v, builtin, k->arguments[0], k->type, TL_ON_LENGTH);
    tl_term parts[4];
    for (uint32_t i = 0; i < info->rows; i++) {
        tl_term place = tl_term_place_of(w->v, k->arguments[0], i, TL_TYPE_U32);
        parts[i] = tl_term_call(w->v, builtin, place, info->element, TL_ON_LENGTH);
    }
    return tl_term_composite(w->v, k->type, parts, info->rows);
}

static bool is_integer_vector(const tl_walk *w, tl_type type)
{
    const tl_type_info *info = tl_type_get(&w->m->semantics->types, type);
    return info->kind == TL_KIND_VECTOR && (info->element == TL_TYPE_U32 || info->element == TL_TYPE_I32);
}

/* Integers keep their bits; the bits of a float are not followed. */
static tl_term bitcast(tl_walk *w, const call *k)
{
    tl_type from = tl_term_get(w->v, k->arguments[0])->type;
    bool scalars = (from == TL_TYPE_U32 || from == TL_TYPE_I32) && (k->type == TL_TYPE_U32 || k->type == TL_TYPE_I32);
    if (scalars) return tl_term_convert(w->v, k->arguments[0], k->type);
    return tl_term_unknown(w->v, k->type, k->depends);
}

/* A vector whose components are all unknown, so that they can still be told apart. */
static tl_term unknown(tl_walk *w, tl_type type, uint32_t depends)
{
    if (!is_integer_vector(w, type)) return tl_term_unknown(w->v, type, depends);
    const tl_type_info info = *tl_type_get(&w->m->semantics->types, type);
    tl_term parts[4];
    for (uint32_t i = 0; i < info.rows; i++) parts[i] = tl_term_unknown(w->v, info.element, depends);
    return tl_term_composite(w->v, type, parts, info.rows);
}

static tl_term call_builtin(tl_walk *w, call *k, tl_builtin builtin)
{
    const tl_builtin_row *row = tl_builtin_get(builtin);
    bool enough = k->count <= ARGUMENTS_MAX;
    if ((row->flags & TL_IS_BARRIER) != 0) tl_walk_event(w, TL_EVENT_BARRIER, 0, 0, k->node);
    if (builtin == TL_BUILTIN_workgroupUniformLoad && enough && tl_place_root(w->v, k->arguments[0]) != 0) {
        tl_term loaded = tl_walk_load(w, k->arguments[0], tl_list_at(w->m, k->list, 0));
        tl_walk_event(w, TL_EVENT_BARRIER, 0, 0, k->node); /* it waits before and after */
        return loaded;
    }
    if ((row->flags & TL_IS_TEXTURE) != 0 && enough && k->count > 0) return texture(w, k, builtin);
    if ((row->flags & TL_IS_ATOMIC) != 0 && enough && k->count > 0) return atomic(w, k, builtin);
    if ((row->flags & (TL_IS_SUBGROUP | TL_IS_QUAD)) != 0) return unknown(w, k->type, k->depends | TL_ON_SUBGROUP);
    switch (builtin) {
    case TL_BUILTIN_min: return componentwise(w, k, tl_term_min);
    case TL_BUILTIN_max: return componentwise(w, k, tl_term_max);
    case TL_BUILTIN_clamp: return clamp(w, k);
    case TL_BUILTIN_select: return select_value(w, k);
    case TL_BUILTIN_all: return fold_bools(w, k, TL_OP_AND_AND);
    case TL_BUILTIN_any: return fold_bools(w, k, TL_OP_OR_OR);
    case TL_BUILTIN_arrayLength: return length_of(w, k);
    case TL_BUILTIN_bitcast: return bitcast(w, k);
    default: break;
    }
    bool pure = row->rule != TL_RULE_OPAQUE;
    if (pure && k->count == 1) return tl_term_call(w->v, builtin, k->arguments[0], k->type, k->depends);
    return unknown(w, k->type, k->depends | (pure ? 0u : TL_ON_UNKNOWN));
}

tl_term tl_walk_call(tl_walk *w, uint32_t node)
{
    call k;
    walk_arguments(w, node, &k);
    uint32_t declaration = tl_node_declaration(w->m, node);
    if ((declaration & TL_NAME_TAG_MASK) == TL_NAME_BUILTIN) {
        return call_builtin(w, &k, (tl_builtin)(declaration & TL_NAME_INDEX_MASK));
    }
    bool own = declaration != 0 && (declaration & TL_NAME_TAG_MASK) == 0 && w->m->nodes[declaration].kind == TL_NODE_FN;
    return own ? call_function(w, &k, declaration) : construct(w, &k);
}
