/* SPDX-License-Identifier: MIT
 *
 * Element types, read as WGSL reads them, and the arrays of them as they are bound. */
#include "prim/prim.h"

#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool is_float;
    bool is_signed;
} scalars[] = {
    {"u32", false, false},
    {"i32", false, true},
    {"f32", true, true},
    {"f16", true, true},
};

static void note_scalar(tl_type_facts *facts)
{
    for (size_t k = 0; k < TL_COUNT(scalars); k++) {
        if (strcmp(facts->type.name, scalars[k].name) != 0) continue;
        facts->scalar = true;
        facts->is_float = scalars[k].is_float;
        facts->is_signed = scalars[k].is_signed;
    }
}

/* A module with one array of the type: its reflection has the sizes. */
static telar_status measure(const telar_prim *prim, tl_type_facts *facts, telar_diag *diag)
{
    telar_arena *arena = prim->arena;
    const char *wgsl = facts->type.wgsl == NULL ? "" : facts->type.wgsl;
    size_t cap = strlen(facts->type.name) + strlen(wgsl) + 128;
    char *text = TL_ARENA_ARRAY(arena, char, cap);
    if (text == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    telar_out out = {text, cap, 0};
    tl_out_format(&out, "%s%s\n@group(0) @binding(0) var<storage, read_write> telar_array: array<%s>;\n",
                  prim->dialect.f16 ? "enable f16;\n" : "", wgsl, facts->type.name);
    telar_wgsl *module;
    telar_wgsl_reflection reflection;
    TELAR_TRY(telar_wgsl_read(text, out.len, arena, &module, diag));
    TELAR_TRY(telar_wgsl_reflect(module, NULL, 0, arena, &reflection, diag));
    for (uint32_t k = 0; k < reflection.bindings_count; k++) {
        if (strcmp(reflection.bindings[k].name, "telar_array") == 0)
            facts->stride = reflection.bindings[k].array_stride;
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
    note_scalar(&facts);
    if (measure(job->prim, &facts, &diag) != TELAR_OK) {
        tl_job_fail(job, diag.status, "type '%s': %s", facts.type.name, diag.text);
    }
    while (2 * facts.row * facts.stride <= 16 && facts.row < 4) facts.row *= 2;
    arena->used = used;
    return facts;
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
    telar_view place;
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
