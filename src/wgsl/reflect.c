/* SPDX-License-Identifier: MIT
 *
 * From a resolved module to the plain tables of a reflection: bindings, overrides, directives. Entry points are in
 * reflect_entry.c. Texts are copied, so that a host needs neither source nor module. */
#include "wgsl/reflect.h"
#include "wgsl/query.h"

#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------------- */

const char *tl_reflect_text(tl_reflector *r, tl_str text)
{
    char *copy = TL_ARENA_ARRAY(r->arena, char, text.len + 1);
    if (copy == NULL) {
        r->full = true;
        return "";
    }
    if (text.len > 0) memcpy(copy, text.data, text.len);
    return copy;
}

static const char *type_text(tl_reflector *r, tl_type type)
{
    telar_out measure = {0};
    const tl_types *types = &r->m->semantics->types;
    tl_type_print(&measure, types, type, tl_symbol_text_of, r->m);
    char *text = TL_ARENA_ARRAY(r->arena, char, measure.len + 1);
    if (text == NULL) {
        r->full = true;
        return "";
    }
    telar_out out = {.data = text, .cap = measure.len + 1};
    tl_type_print(&out, types, type, tl_symbol_text_of, r->m);
    return text;
}

/* ---- overrides --------------------------------------------------------------------------------------------------- */

static bool is_override(const telar_wgsl *m, const tl_global *global)
{
    return m->nodes[global->node].kind == TL_NODE_OVERRIDE;
}

static telar_status no_such_value(tl_reflector *r, uint32_t global, const telar_override *given, telar_diag *diag)
{
    const char *type = type_text(r, tl_node_type(r->m, r->m->semantics->globals[global].node));
    bool whole = given->value >= -9007199254740992.0 && given->value <= 9007199254740992.0 &&
                 given->value == (double)(int64_t)given->value;
    return whole ? tl_fail(diag, TELAR_INVALID_ARGUMENT, "the override '%s' is '%s', which has no value %lld",
                           given->name, type, (long long)given->value)
                 : tl_fail(diag, TELAR_INVALID_ARGUMENT, "the override '%s' is '%s', which has no value %.6f",
                           given->name, type, given->value);
}

static telar_status set_overrides(tl_reflector *r, const telar_override *overrides, uint32_t count, telar_diag *diag)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t global = tl_query_override(r->m, tl_str_of(overrides[k].name));
        if (global == TL_NO_INDEX) {
            return tl_fail(diag, TELAR_NOT_FOUND, "there is no override '%s' in the source", overrides[k].name);
        }
        if (!tl_eval_set(&r->eval, global, overrides[k].value)) return no_such_value(r, global, &overrides[k], diag);
    }
    return TELAR_OK;
}

static void reflect_override(tl_reflector *r, const tl_global *global, telar_wgsl_override *out)
{
    *out = (telar_wgsl_override){
        .name = tl_reflect_text(r, tl_symbol_name(r->m, global->symbol)),
        .id = global->group,
        .type = type_text(r, tl_node_type(r->m, global->node)),
        .has_default = TL_PARTS(tl_var_parts, r->m, global->node)->init != 0,
    };
    tl_constant value = tl_eval_node(&r->eval, global->node);
    out->has_value = tl_constant_as_double(&r->eval.constants, value, &out->value);
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

static bool is_binding(const telar_wgsl *m, const tl_global *global)
{
    if (m->nodes[global->node].kind != TL_NODE_VAR) return false;
    return global->space == TL_SPACE_UNIFORM || global->space == TL_SPACE_STORAGE || global->space == TL_SPACE_HANDLE ||
           global->group != TL_NO_INDEX;
}

static telar_wgsl_space public_space(uint8_t space)
{
    switch (space) {
    case TL_SPACE_UNIFORM: return TELAR_WGSL_UNIFORM;
    case TL_SPACE_STORAGE: return TELAR_WGSL_STORAGE;
    case TL_SPACE_HANDLE: return TELAR_WGSL_HANDLE;
    default: return TELAR_WGSL_OTHER_SPACE;
    }
}

static telar_wgsl_access public_access(uint8_t access)
{
    if (access == TL_ACCESS_WRITE) return TELAR_WGSL_WRITE;
    return access == TL_ACCESS_READ_WRITE ? TELAR_WGSL_READ_WRITE : TELAR_WGSL_READ;
}

/* The array that an access to this variable indexes first, and where it begins. */
static tl_type outermost_array(const tl_types *types, tl_type type, uint64_t *offset)
{
    *offset = 0;
    const tl_type_info *info = tl_type_get(types, type);
    if (info->kind == TL_KIND_ARRAY) return type;
    if (info->kind != TL_KIND_STRUCT || (info->flags & TL_TYPE_HAS_RUNTIME) == 0) return TL_TYPE_UNKNOWN;
    const tl_struct *record = tl_type_struct(types, type);
    const tl_member *last = tl_type_members(types, type) + record->member_count - 1;
    *offset = last->offset;
    return last->type;
}

static void reflect_array(tl_reflector *r, tl_type type, telar_wgsl_binding *out)
{
    const tl_types *types = &r->m->semantics->types;
    tl_type array = outermost_array(types, type, &out->array_offset);
    const tl_type_info *info = tl_type_get(types, array);
    if (info->kind != TL_KIND_ARRAY) return;
    out->array_count = info->count;
    out->array_stride = (uint32_t)tl_layout_stride(types, array);
    out->element_type = type_text(r, info->element);
    out->element_bytes = (uint32_t)tl_type_get(types, info->element)->size;
}

static void reflect_binding(tl_reflector *r, const tl_global *global, telar_wgsl_binding *out)
{
    const tl_types *types = &r->m->semantics->types;
    tl_type type = tl_node_value_type(r->m, global->node);
    const tl_type_info *info = tl_type_get(types, type);
    *out = (telar_wgsl_binding){
        .name = tl_reflect_text(r, tl_symbol_name(r->m, global->symbol)),
        .group = global->group,
        .binding = global->binding,
        .space = public_space(global->space),
        .access = public_access(global->access),
        .type = type_text(r, type),
        .min_bytes = info->size,
        .has_atomics = (info->flags & TL_TYPE_HAS_ATOMIC) != 0,
        .fits_uniform_layout = true,
    };
    if (info->kind == TL_KIND_TEXTURE) out->access = public_access(info->access);
    if (info->kind == TL_KIND_BINDING_ARRAY) {
        out->space = TELAR_WGSL_HANDLE;
        return;
    }
    if (global->space == TL_SPACE_HANDLE) return;
    reflect_array(r, type, out);
    if (global->space == TL_SPACE_UNIFORM) {
        out->fits_uniform_layout = tl_layout_fits_uniform(types, type, &out->misfit_offset);
    }
}

/* ---- directives -------------------------------------------------------------------------------------------------- */

static uint32_t count_words(const telar_wgsl *m, tl_wgsl_node_kind kind)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < tl_list_count(m, m->directives); k++) {
        const tl_wgsl_node *n = &m->nodes[tl_list_at(m, m->directives, k)];
        if (n->kind == kind) count += tl_list_count(m, n->a);
    }
    return count;
}

static const char *const *reflect_words(tl_reflector *r, tl_wgsl_node_kind kind, uint32_t *count)
{
    const telar_wgsl *m = r->m;
    *count = count_words(m, kind);
    const char **words = TL_ARENA_ARRAY(r->arena, const char *, *count);
    uint32_t filled = 0;
    if (words == NULL) {
        r->full = true;
        *count = 0;
        return NULL;
    }
    for (uint32_t k = 0; k < tl_list_count(m, m->directives); k++) {
        const tl_wgsl_node *n = &m->nodes[tl_list_at(m, m->directives, k)];
        if (n->kind != kind) continue;
        for (uint32_t j = 0; j < tl_list_count(m, n->a); j++) {
            words[filled++] = tl_reflect_text(r, tl_node_text(m, tl_list_at(m, n->a, j)));
        }
    }
    return words;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

typedef struct counts {
    uint32_t bindings, overrides, entries;
} counts;

static counts count_all(const telar_wgsl *m)
{
    const tl_wgsl_semantics *s = m->semantics;
    counts c = {0};
    for (uint32_t k = 0; k < s->global_count; k++) {
        c.bindings += is_binding(m, &s->globals[k]);
        c.overrides += is_override(m, &s->globals[k]);
    }
    for (uint32_t k = 0; k < s->function_count; k++) c.entries += s->functions[k].stage != TL_STAGE_NONE;
    return c;
}

static void reflect_globals(tl_reflector *r, telar_wgsl_binding *bindings, telar_wgsl_override *overrides)
{
    const tl_wgsl_semantics *s = r->m->semantics;
    uint32_t binding = 0, override_ = 0;
    for (uint32_t k = 0; k < s->global_count && !r->full; k++) {
        const tl_global *global = &s->globals[k];
        if (is_override(r->m, global)) reflect_override(r, global, &overrides[override_++]);
        if (!is_binding(r->m, global)) continue;
        r->binding_of[k] = &bindings[binding];
        reflect_binding(r, global, &bindings[binding++]);
    }
}

static telar_status reflect(tl_reflector *r, const telar_override *values, uint32_t values_count,
                            telar_wgsl_reflection *out, telar_diag *diag)
{
    const tl_wgsl_semantics *s = r->m->semantics;
    counts c = count_all(r->m);
    telar_wgsl_binding *bindings = TL_ARENA_ARRAY(r->arena, telar_wgsl_binding, c.bindings);
    telar_wgsl_override *overrides = TL_ARENA_ARRAY(r->arena, telar_wgsl_override, c.overrides);
    telar_wgsl_entry *entries = TL_ARENA_ARRAY(r->arena, telar_wgsl_entry, c.entries);
    r->binding_of = TL_ARENA_ARRAY(r->arena, const telar_wgsl_binding *, s->global_count);
    r->function_seen = TL_ARENA_ARRAY(r->arena, uint32_t, s->function_count);
    r->global_seen = TL_ARENA_ARRAY(r->arena, uint32_t, s->global_count);
    r->stack = TL_ARENA_ARRAY(r->arena, uint32_t, s->function_count);
    r->found = TL_ARENA_ARRAY(r->arena, uint32_t, s->global_count);
    r->full = bindings == NULL || overrides == NULL || entries == NULL || r->binding_of == NULL ||
              r->function_seen == NULL || r->global_seen == NULL || r->stack == NULL || r->found == NULL ||
              !tl_eval_begin(&r->eval, r->m, r->arena);
    if (r->full) return TELAR_NO_SPACE;
    TELAR_TRY(set_overrides(r, values, values_count, diag));
    reflect_globals(r, bindings, overrides);
    for (uint32_t k = 0; k < s->function_count && !r->full; k++) {
        if (s->functions[k].stage == TL_STAGE_NONE) continue;
        TELAR_TRY(tl_reflect_entry(r, k, &entries[out->entries_count++], diag));
    }
    out->entries = entries;
    out->bindings = bindings;
    out->bindings_count = c.bindings;
    out->overrides = overrides;
    out->overrides_count = c.overrides;
    out->enables = reflect_words(r, TL_NODE_ENABLE, &out->enables_count);
    out->required = reflect_words(r, TL_NODE_REQUIRES, &out->required_count);
    return r->full || r->eval.constants.full ? TELAR_NO_SPACE : TELAR_OK;
}

telar_status telar_wgsl_reflect(const telar_wgsl *module, const telar_override *overrides, uint32_t overrides_count,
                                telar_arena *arena, telar_wgsl_reflection *reflection, telar_diag *diag)
{
    tl_reflector reflector = {.m = module, .arena = arena};
    *reflection = (telar_wgsl_reflection){0};
    size_t used = arena->used;
    telar_status status = reflect(&reflector, overrides, overrides_count, reflection, diag);
    if (status == TELAR_OK) return TELAR_OK;
    *reflection = (telar_wgsl_reflection){0};
    arena->used = used;
    if (status != TELAR_NO_SPACE) return status;
    return tl_fail_limit(diag, TELAR_NO_SPACE, arena->needed, arena->cap,
                         "arena of %zu bytes is too small for the reflection; about %zu are needed", arena->cap,
                         arena->needed);
}

const telar_wgsl_entry *telar_wgsl_find_entry(const telar_wgsl_reflection *reflection, const char *name)
{
    for (uint32_t k = 0; k < reflection->entries_count; k++) {
        if (strcmp(reflection->entries[k].name, name) == 0) return &reflection->entries[k];
    }
    return NULL;
}
