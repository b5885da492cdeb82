/* SPDX-License-Identifier: MIT
 *
 * What a host must know of an entry point, from the module's reflection. */
#include "weave/weave.h"

#include <string.h>

static bool reaches(const telar_wgsl *m, uint32_t function, uint32_t global, telar_arena *arena)
{
    const tl_wgsl_semantics *s = m->semantics;
    (void)arena;
    const tl_function *f = &s->functions[function];
    for (uint32_t k = 0; k < f->use_count; k++) {
        if (s->uses[f->use_first + k].global == global) return true;
    }
    for (uint32_t k = 0; k < f->call_count; k++) {
        if (reaches(m, s->calls[f->call_first + k].function, global, arena)) return true;
    }
    return false;
}

telar_status tl_kernel_describe(const telar_wgsl *m, const char *entry, const telar_weave_desc *desc,
                                telar_arena *arena, telar_kernel_desc *kernel, telar_diag *diag)
{
    *kernel = (telar_kernel_desc){.name = entry, .entry = entry, .workgroup_size = {1, 1, 1}};
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t function = TL_NO_INDEX;
    for (uint32_t k = 0; k < s->function_count; k++)
        if (tl_str_equal(tl_node_name(m, s->functions[k].node), tl_str_of(entry))) function = k;
    if (function == TL_NO_INDEX) return tl_fail(diag, TELAR_NOT_FOUND, "no entry %s", entry);
    uint32_t a = tl_list_attribute(m, TL_PARTS(tl_fn_parts, m, s->functions[function].node)->attributes,
                                   TL_ATTR_WORKGROUP_SIZE);
    for (uint32_t k = 0; a != 0 && k < tl_list_count(m, m->nodes[a].a); k++) {
        int64_t v = 1;
        if (!tl_constant_as_int(&s->constants, s->constant[tl_list_at(m, m->nodes[a].a, k)], &v))
            return tl_fail(diag, TELAR_UNSUPPORTED, "workgroup size by override");
        kernel->workgroup_size[k] = (uint32_t)v;
    }
    telar_binding *b = TL_ARENA_ARRAY(arena, telar_binding, s->global_count);
    for (uint32_t k = 0; k < s->global_count; k++) {
        const tl_global *g = &s->globals[k];
        if (m->nodes[g->node].kind != TL_NODE_VAR || !reaches(m, function, k, arena)) continue;
        tl_type t = tl_node_value_type(m, g->node);
        const tl_type_info *info = tl_type_get(&s->types, t);
        if (g->space == TL_SPACE_WORKGROUP) kernel->workgroup_memory_bytes += (uint32_t)((info->size + 15) / 16 * 16);
        if (g->space != TL_SPACE_UNIFORM && g->space != TL_SPACE_STORAGE) continue;
        tl_str name = tl_node_name(m, g->node);
        char *copy = TL_ARENA_ARRAY(arena, char, name.len + 1);
        memcpy(copy, name.data, name.len);
        b[kernel->bindings_count++] =
            (telar_binding){.name = copy,
                            .group = g->group,
                            .binding = g->binding,
                            .space = g->space == TL_SPACE_UNIFORM    ? TELAR_BINDING_UNIFORM
                                     : g->access == TL_ACCESS_READ ? TELAR_BINDING_STORAGE_READ
                                                                   : TELAR_BINDING_STORAGE_READ_WRITE,
                            .element_bytes = (uint32_t)tl_layout_stride(&s->types, t),
                            .min_bytes = info->size};
    }
    kernel->bindings = b;
    kernel->overrides = desc->overrides;
    kernel->overrides_count = desc->overrides_count;
    return TELAR_OK;
}
