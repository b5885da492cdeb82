/* SPDX-License-Identifier: MIT
 *
 * Element types, read as WGSL reads them, and the arrays of them as they are bound. */
#include "prim/prim.h"
#include "wgsl/query.h"

#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    tl_kind kind;
    bool is_float;
    bool is_signed;
} scalars[] = {
    {"u32", TL_KIND_U32, false, false},
    {"i32", TL_KIND_I32, false, true},
    {"f32", TL_KIND_F32, true, true},
    {"f16", TL_KIND_F16, true, true},
};

/* What numbers it is made of, where it is one number or a vector of them. */
static void note_numbers(const tl_types *types, tl_type type, tl_type_facts *facts)
{
    tl_kind kind = tl_type_is_matrix(type) ? TL_KIND_UNKNOWN : tl_type_scalar(types, type);
    for (size_t k = 0; k < TL_COUNT(scalars); k++) {
        if (scalars[k].kind != kind) continue;
        facts->number = scalars[k].name;
        facts->scalar = !tl_type_is_vector(type);
        facts->components = facts->scalar ? 1 : tl_type_get(types, type)->rows;
        facts->is_float = scalars[k].is_float;
        facts->is_signed = scalars[k].is_signed;
    }
}

static bool has_half(const tl_types *types, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    if (info->kind == TL_KIND_ARRAY) return has_half(types, info->element);
    if (info->kind != TL_KIND_STRUCT) return tl_type_scalar(types, type) == TL_KIND_F16;
    const tl_member *members = tl_type_members(types, type);
    for (uint32_t k = 0; k < tl_type_struct(types, type)->member_count; k++) {
        if (has_half(types, members[k].type)) return true;
    }
    return false;
}

/* A module with one array of the type: how it is laid out is read from there. */
static telar_status read_array(const telar_prim *prim, telar_type type, telar_wgsl **module, tl_type *element,
                               telar_diag *diag)
{
    telar_arena *arena = prim->arena;
    const char *wgsl = type.wgsl == NULL ? "" : type.wgsl;
    size_t cap = strlen(type.name) + strlen(wgsl) + 128;
    char *text = TL_ARENA_ARRAY(arena, char, cap);
    if (text == NULL) {
        tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
        return TELAR_NO_SPACE;
    }
    telar_out out = {text, cap, 0};
    tl_out_format(&out, "%s%s\n@group(0) @binding(0) var<storage, read_write> telar_array: array<%s>;\n",
                  prim->dialect.f16 ? "enable f16;\n" : "", wgsl, type.name);
    TELAR_TRY(telar_wgsl_read(text, out.len, arena, module, diag));
    uint32_t variable = tl_query_global(*module, tl_str_of("telar_array"));
    tl_type array = tl_node_type(*module, TL_PARTS(tl_var_parts, *module, variable)->type);
    *element = tl_type_get(&(*module)->semantics->types, array)->element;
    return TELAR_OK;
}

static telar_status measure(const telar_prim *prim, tl_type_facts *facts, telar_diag *diag)
{
    telar_wgsl *module = NULL;
    telar_wgsl_reflection reflection;
    tl_type element = TL_TYPE_UNKNOWN;
    TELAR_TRY(read_array(prim, facts->type, &module, &element, diag));
    TELAR_TRY(telar_wgsl_reflect(module, NULL, 0, prim->arena, &reflection, diag));
    for (uint32_t k = 0; k < reflection.bindings_count; k++) {
        if (strcmp(reflection.bindings[k].name, "telar_array") == 0)
            facts->stride = reflection.bindings[k].array_stride;
    }
    note_numbers(&module->semantics->types, element, facts);
    if (!prim->dialect.f16 && has_half(&module->semantics->types, element)) {
        tl_fail(diag, TELAR_UNSUPPORTED, "the device has no f16 (shader-f16)");
        return TELAR_UNSUPPORTED;
    }
    return TELAR_OK;
}

tl_type_facts tl_job_type(tl_job *job, telar_type type)
{
    tl_type_facts facts = {.type = type, .stride = 4, .row = 1};
    telar_arena *arena = job->prim->arena;
    size_t used = arena->used;
    telar_diag diag = {0};
    if (facts.type.name == NULL) facts.type.name = "u32";
    if (!tl_job_failed(job) && measure(job->prim, &facts, &diag) != TELAR_OK) {
        tl_job_fail(job, diag.status, "type '%s': %s", facts.type.name, diag.text);
    }
    while (2 * facts.row * facts.stride <= 16 && facts.row < 4) facts.row *= 2;
    arena->used = used;
    return facts;
}

/* ---- Parts of a type --------------------------------------------------------------------------------------------- */

typedef struct parts_walk {
    const telar_wgsl *module;
    tl_type_part *parts;
    uint32_t count; /* keeps counting past the room */
    char path[sizeof((tl_type_part *)0)->path];
    size_t path_len;
    bool cut; /* a path was too long */
} parts_walk;

static void walk_parts(parts_walk *w, tl_type type);

/* The same type's part behind `.member` or `[index]`. */
static void walk_part(parts_walk *w, tl_type type, tl_str member, uint32_t index)
{
    size_t len = w->path_len;
    telar_out out = {w->path, sizeof w->path - 1, len};
    if (member.len > 0) tl_out_format(&out, ".%.*s", TL_STR_ARGS(member));
    else tl_out_format(&out, "[%u]", index);
    w->cut = w->cut || out.len > out.cap;
    w->path_len = w->cut ? len : out.len;
    walk_parts(w, type);
    w->path_len = len;
}

static void add_part(parts_walk *w, tl_type type)
{
    tl_type_facts facts = {0};
    note_numbers(&w->module->semantics->types, type, &facts);
    if (w->count < TL_TYPE_PARTS_MAX) {
        tl_type_part *part = &w->parts[w->count];
        *part = (tl_type_part){.number = facts.number, .components = facts.components};
        memcpy(part->path, w->path, w->path_len);
    }
    w->count++;
}

static void walk_parts(parts_walk *w, tl_type type)
{
    const tl_types *types = &w->module->semantics->types;
    const tl_type_info *info = tl_type_get(types, type);
    if (info->kind == TL_KIND_STRUCT) {
        const tl_member *members = tl_type_members(types, type);
        for (uint32_t k = 0; k < tl_type_struct(types, type)->member_count; k++) {
            walk_part(w, members[k].type, tl_symbol_name(w->module, members[k].name), 0);
        }
    } else if (info->kind == TL_KIND_ARRAY) {
        for (uint32_t k = 0; k < info->count && w->count <= TL_TYPE_PARTS_MAX; k++) {
            walk_part(w, info->element, (tl_str){0}, k);
        }
    } else if (info->kind == TL_KIND_MATRIX) {
        tl_type column = tl_type_vector(tl_type_scalar(types, type), info->rows);
        for (uint32_t k = 0; k < info->columns; k++) walk_part(w, column, (tl_str){0}, k);
    } else {
        add_part(w, type);
    }
}

uint32_t tl_type_parts(tl_job *job, telar_type type, tl_type_part parts[TL_TYPE_PARTS_MAX])
{
    telar_arena *arena = job->prim->arena;
    size_t used = arena->used;
    telar_wgsl *module = NULL;
    tl_type element = TL_TYPE_UNKNOWN;
    telar_diag diag = {0};
    if (tl_job_failed(job)) return 0;
    if (read_array(job->prim, type, &module, &element, &diag) != TELAR_OK) {
        tl_job_fail(job, diag.status, "type '%s': %s", type.name, diag.text);
        return 0;
    }
    parts_walk walk = {.module = module, .parts = parts};
    walk_parts(&walk, element);
    arena->used = used;
    if (walk.count > TL_TYPE_PARTS_MAX) {
        tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, walk.count, TL_TYPE_PARTS_MAX,
                          "type '%s' has more than %u numbers and vectors", type.name, TL_TYPE_PARTS_MAX);
        return 0;
    }
    if (walk.cut) {
        tl_job_fail(job, TELAR_LIMIT_EXCEEDED, "type '%s' has members whose names together are too long", type.name);
        return 0;
    }
    return walk.count;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* Bindings may begin at a multiple of this on every device. */
#define OFFSET_ALIGNMENT 256u

static bool is_placed_well(tl_job *job, const char *name, const tl_type_facts *type, telar_array array,
                           uint64_t elements_bytes, telar_view *place)
{
    telar_diag diag = {0};
    if (array.size_bytes != 0 && array.size_bytes < elements_bytes) {
        tl_job_fail_limit(job, TELAR_INVALID_ARGUMENT, array.size_bytes, elements_bytes,
                          "'%s' has %llu bytes, its elements take %llu", name, (unsigned long long)array.size_bytes,
                          (unsigned long long)elements_bytes);
    } else if (array.offset_bytes % 4 != 0) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "'%s' begins at byte %llu, which is no multiple of 4", name,
                    (unsigned long long)array.offset_bytes);
    } else if (telar_view_bind(array.offset_bytes, type->stride, OFFSET_ALIGNMENT, place, &diag) != TELAR_OK) {
        tl_job_fail(job, diag.status, "'%s': %s", name, diag.text);
    }
    return !tl_job_failed(job);
}

tl_view tl_job_view_whole(tl_job *job, const char *name, const tl_type_facts *type, telar_array array,
                          uint64_t elements)
{
    tl_view view = {.type = *type};
    uint64_t elements_bytes;
    telar_view place = {0};
    if (array.buffer.id == 0) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "'%s' has no buffer", name);
        return view;
    }
    if (!telar_multiply(elements, type->stride, &elements_bytes)) {
        tl_job_fail(job, TELAR_OVERFLOWS, "the bytes of '%s' overflow 64 bits", name);
        return view;
    }
    if (tl_job_failed(job) || !is_placed_well(job, name, type, array, elements_bytes, &place)) return view;
    uint64_t row_bytes = 4 * (uint64_t)type->stride;
    uint64_t rows_bytes = telar_ceil_div(elements_bytes, row_bytes) * row_bytes;
    uint64_t room = array.size_bytes == 0 ? elements_bytes : array.size_bytes;
    view.rows = type->scalar && array.offset_bytes % row_bytes == 0 && room >= rows_bytes && elements > 0;
    view.first = (uint32_t)place.first_block;
    uint64_t used = view.rows ? rows_bytes : elements_bytes == 0 ? type->stride : elements_bytes;
    view.bind.bind = (telar_bind){.buffer = array.buffer,
                                  .offset_bytes = place.bind_offset,
                                  .size_bytes = array.offset_bytes - place.bind_offset + used};
    view.bind.bind.size_bytes += (4 - view.bind.bind.size_bytes % 4) % 4;
    return view;
}

tl_view tl_job_view(tl_job *job, const char *name, const tl_type_facts *type, telar_array array, uint64_t elements)
{
    tl_view view = tl_job_view_whole(job, name, type, array, elements);
    /* The elements before the first and the room behind the last stand in the same binding. */
    uint64_t most = telar_usable_binding_bytes(job->prim->facts, type->stride) / type->stride;
    most = most > view.first + 4u ? most - view.first - 4 : 0;
    if (most < job->window_elements) job->window_elements = most;
    view.bind.element_bytes = type->stride;
    view.bind.lead_bytes = view.first * type->stride;
    return view;
}

void tl_job_keep_apart(tl_job *job, const char *written_name, const tl_view *written, const char *read_name,
                       const tl_view *read)
{
    const telar_bind *a = &written->bind.bind, *b = &read->bind.bind;
    if (a->buffer.id == 0 || a->buffer.id != b->buffer.id) return;
    if (a->offset_bytes >= b->offset_bytes + b->size_bytes || b->offset_bytes >= a->offset_bytes + a->size_bytes)
        return;
    tl_job_fail(job, TELAR_INVALID_ARGUMENT, "'%s' and '%s' overlap; this is not done in place", written_name,
                read_name);
}
