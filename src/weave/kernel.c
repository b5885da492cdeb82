/* SPDX-License-Identifier: MIT
 *
 * What a host must know of an entry point, from the module's reflection. */
#include "weave/weave.h"
#include "wgsl/query.h"

#include <string.h>

static telar_status check_entry(const telar_wgsl_entry *entry, uint32_t our_immediate_bytes, telar_diag *diag)
{
    if (entry->immediate_bytes > our_immediate_bytes) {
        return tl_fail(diag, TELAR_UNSUPPORTED,
                       "'%s' has immediates of its own (%llu bytes); pass its parameters in a uniform", entry->name,
                       (unsigned long long)entry->immediate_bytes);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (entry->workgroup_size[axis] != 0) continue;
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "the workgroup size of '%s' depends on an override that has no value; set it", entry->name);
    }
    if (entry->workgroup_bytes > UINT32_MAX) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, entry->workgroup_bytes, UINT32_MAX,
                             "'%s' declares %llu bytes of workgroup memory", entry->name,
                             (unsigned long long)entry->workgroup_bytes);
    }
    return TELAR_OK;
}

static telar_status describe_binding(const telar_wgsl_binding *from, telar_binding *to, telar_diag *diag)
{
    if (from->space != TELAR_WGSL_UNIFORM && from->space != TELAR_WGSL_STORAGE) {
        return tl_fail(diag, TELAR_UNSUPPORTED, "'%s' is a %s; kernels run on buffers (uniform and storage)",
                       from->name, from->type);
    }
    if (from->group == UINT32_MAX || from->binding == UINT32_MAX) {
        return tl_fail(diag, TELAR_INVALID_WGSL, "'%s' has no @group or no @binding", from->name);
    }
    *to = (telar_binding){.name = from->name,
                          .group = from->group,
                          .binding = from->binding,
                          .space = from->space == TELAR_WGSL_UNIFORM ? TELAR_BINDING_UNIFORM
                                   : from->access == TELAR_WGSL_READ ? TELAR_BINDING_STORAGE_READ
                                                                     : TELAR_BINDING_STORAGE_READ_WRITE,
                          .element_bytes = from->array_stride,
                          .min_bytes = from->min_bytes};
    return TELAR_OK;
}

/* What a pipeline calls an override: its @id where it has one, else its name. The caller may have said either. */
static const char *override_key(const telar_wgsl *module, const char *name, telar_arena *arena)
{
    uint32_t index = tl_query_override(module, tl_str_of(name));
    if (index == TL_NO_INDEX) return name; /* reflection has refused it */
    const tl_global *global = &module->semantics->globals[index];
    tl_str own = tl_symbol_name(module, global->symbol);
    size_t cap = own.len + sizeof "4294967295";
    char *key = TL_ARENA_ARRAY(arena, char, cap);
    if (key == NULL) return NULL;
    telar_out out = {.data = key, .cap = cap};
    if (global->group == TL_NO_INDEX) {
        tl_out_str(&out, own);
    } else {
        tl_out_format(&out, "%u", global->group);
    }
    return key;
}

static telar_status describe_overrides(const telar_weave_desc *desc, const telar_wgsl *module, telar_arena *arena,
                                       telar_kernel_desc *kernel, telar_diag *diag)
{
    telar_override *overrides = TL_ARENA_ARRAY(arena, telar_override, desc->overrides_count);
    if (overrides == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    for (uint32_t k = 0; k < desc->overrides_count; k++) {
        overrides[k].value = desc->overrides[k].value;
        overrides[k].name = override_key(module, desc->overrides[k].name, arena);
        if (overrides[k].name == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
        for (uint32_t j = 0; j < k; j++) {
            if (strcmp(overrides[j].name, overrides[k].name) != 0) continue;
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "the override '%s' is set twice", desc->overrides[k].name);
        }
    }
    kernel->overrides = overrides;
    kernel->overrides_count = desc->overrides_count;
    return TELAR_OK;
}

/* Of one entry point no two variables may share a place; they are in its order. */
static telar_status check_places(const telar_wgsl_entry *entry, telar_diag *diag)
{
    for (uint32_t k = 1; k < entry->bindings_count; k++) {
        const telar_wgsl_binding *last = entry->bindings[k - 1], *next = entry->bindings[k];
        if (last->group != next->group || last->binding != next->binding) continue;
        return tl_fail(diag, TELAR_INVALID_WGSL, "'%s' and '%s' are both at @group(%u) @binding(%u)", last->name,
                       next->name, next->group, next->binding);
    }
    return TELAR_OK;
}

telar_status tl_kernel_describe(const telar_wgsl *module, const char *entry_name, const telar_weave_desc *desc,
                                uint32_t our_immediate_bytes, telar_arena *arena, telar_kernel_desc *kernel,
                                telar_diag *diag)
{
    telar_wgsl_reflection reflection;
    TELAR_TRY(telar_wgsl_reflect(module, desc->overrides, desc->overrides_count, arena, &reflection, diag));
    const telar_wgsl_entry *entry = telar_wgsl_find_entry(&reflection, entry_name);
    if (entry == NULL) return tl_fail(diag, TELAR_NOT_FOUND, "there is no entry point '%s' in the source", entry_name);
    TELAR_TRY(check_entry(entry, our_immediate_bytes, diag));
    TELAR_TRY(check_places(entry, diag));
    telar_binding *bindings = TL_ARENA_ARRAY(arena, telar_binding, entry->bindings_count);
    if (bindings == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    for (uint32_t k = 0; k < entry->bindings_count; k++) {
        TELAR_TRY(describe_binding(entry->bindings[k], &bindings[k], diag));
    }
    *kernel = (telar_kernel_desc){.name = entry->name,
                                  .entry = entry->name,
                                  .bindings = bindings,
                                  .bindings_count = entry->bindings_count,
                                  .workgroup_memory_bytes = (uint32_t)entry->workgroup_bytes,
                                  .missing_override = entry->missing_override};
    memcpy(kernel->workgroup_size, entry->workgroup_size, sizeof kernel->workgroup_size);
    return describe_overrides(desc, module, arena, kernel, diag);
}
