/* SPDX-License-Identifier: MIT
 *
 * What a plan must know of a source before it is made. */
#include "weave/weave.h"

#include <string.h>

static uint32_t stride_of(const tl_source *source, const tl_window_use *use)
{
    const telar_wgsl *m = source->module;
    return (uint32_t)tl_layout_stride(&m->semantics->types, tl_node_value_type(m, use->node));
}

/* (group, binding) as one number, for their order. */
static uint64_t slot_of(const tl_source *source, uint32_t global)
{
    const tl_global *g = &source->module->semantics->globals[global];
    return (uint64_t)g->group << 32 | g->binding;
}

static char *copy_name(const telar_wgsl *m, uint32_t node, telar_arena *arena)
{
    tl_str name = tl_node_name(m, node);
    char *copy = TL_ARENA_ARRAY(arena, char, name.len + 1);
    if (copy != NULL) memcpy(copy, name.data, name.len);
    return copy;
}

static void say_what_stays_whole(const tl_source *source, const tl_window_use *use, telar_weave_needs *needs)
{
    const telar_wgsl *m = source->module;
    telar_out out = {needs->stays_whole, sizeof needs->stays_whole, 0};
    tl_out_format(&out, "'%.*s' is accessed other than at [%.*s]", TL_STR_ARGS(tl_node_name(m, use->node)),
                  TL_STR_ARGS(tl_node_name(m, source->index)));
}

static telar_status inspect_element(const tl_source *source, telar_arena *arena, telar_weave_needs *needs,
                                    telar_diag *diag)
{
    const telar_wgsl *m = source->module;
    uint64_t first_slot = UINT64_MAX;
    uint32_t count_variable = 0;
    needs->dimensions = source->dimensions;
    needs->windowable = source->dimensions == 1;
    for (uint32_t k = 0; k < m->semantics->global_count; k++) {
        const tl_window_use *use = &source->uses[k];
        if (use->node == 0) continue;
        uint32_t stride = stride_of(source, use);
        uint32_t moves = (use->written > 0 ? 1u : 0u) + (use->accesses > use->only_written ? 1u : 0u);
        needs->bytes_per_element += stride * moves;
        if (use->accesses > 0 && slot_of(source, k) < first_slot) {
            first_slot = slot_of(source, k);
            count_variable = use->node;
        }
        if (tl_is_windowed(use)) {
            if (stride > needs->binding_bytes_per_element) needs->binding_bytes_per_element = stride;
        } else if (needs->stays_whole[0] == 0) {
            say_what_stays_whole(source, use, needs);
        }
    }
    if (source->dimensions > 1) {
        telar_out out = {needs->why_not_windowable, sizeof needs->why_not_windowable, 0};
        tl_out_text(&out, "only domains of one dimension are cut into windows");
    }
    if (count_variable != 0) needs->count_binding = copy_name(m, count_variable, arena);
    if (count_variable != 0 && needs->count_binding == NULL) {
        return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    }
    needs->foldable = true;
    return TELAR_OK;
}

static telar_status inspect_ordinary(const telar_weave_desc *desc, const tl_source *source, telar_arena *arena,
                                     telar_weave_needs *needs, telar_diag *diag)
{
    telar_kernel_desc kernel;
    TELAR_TRY(tl_kernel_describe(desc->module, needs->name, desc, 0, arena, &kernel, diag));
    memcpy(needs->workgroup_size, kernel.workgroup_size, sizeof needs->workgroup_size);
    needs->workgroup_memory_bytes = kernel.workgroup_memory_bytes;
    telar_out windows = {needs->why_not_windowable, sizeof needs->why_not_windowable, 0};
    tl_out_text(&windows, "an ordinary kernel cannot be cut into windows; write an element function");
    telar_diag why;
    needs->foldable = tl_can_fold(source->module, source->function, &why) == TELAR_OK;
    telar_out fold = {needs->why_not_foldable, sizeof needs->why_not_foldable, 0};
    if (!needs->foldable) tl_out_text(&fold, why.text);
    return TELAR_OK;
}

telar_status telar_weave_inspect(const telar_weave_desc *desc, telar_arena *arena, telar_weave_needs *needs,
                                 telar_diag *diag)
{
    *needs = (telar_weave_needs){0};
    tl_source source;
    TELAR_TRY(tl_source_find(desc, arena, &source, diag));
    needs->form = source.form;
    needs->name = copy_name(source.module, source.function, arena);
    if (needs->name == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    if (source.form == TELAR_FORM_ELEMENT) return inspect_element(&source, arena, needs, diag);
    return inspect_ordinary(desc, &source, arena, needs, diag);
}
