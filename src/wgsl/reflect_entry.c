/* SPDX-License-Identifier: MIT
 *
 * One entry point: the functions that it reaches, what they use, its workgroup size and memory. */
#include "wgsl/reflect.h"

/* ---- reach ------------------------------------------------------------------------------------------------------- */

static void visit_uses(tl_reflector *r, const tl_function *function)
{
    const tl_wgsl_semantics *s = r->m->semantics;
    for (uint32_t k = 0; k < function->use_count; k++) {
        uint32_t global = s->uses[function->use_first + k].global;
        if (r->global_seen[global] == r->entry_number) continue;
        r->global_seen[global] = r->entry_number;
        r->found[r->found_count++] = global;
    }
}

static void visit_calls(tl_reflector *r, const tl_function *function, uint32_t *depth)
{
    const tl_wgsl_semantics *s = r->m->semantics;
    for (uint32_t k = 0; k < function->call_count; k++) {
        uint32_t callee = s->calls[function->call_first + k].function;
        if (r->function_seen[callee] == r->entry_number) continue;
        r->function_seen[callee] = r->entry_number;
        r->stack[(*depth)++] = callee;
    }
}

/* Every function is pushed once, so the stack holds them all at most. */
static void walk(tl_reflector *r, uint32_t start, telar_wgsl_entry *entry)
{
    uint32_t depth = 0, flags = 0;
    r->found_count = 0;
    r->entry_number++;
    r->function_seen[start] = r->entry_number;
    r->stack[depth++] = start;
    while (depth > 0) {
        const tl_function *function = &r->m->semantics->functions[r->stack[--depth]];
        entry->functions_count++;
        entry->barriers_count += function->barrier_count;
        flags |= function->builtin_flags;
        visit_uses(r, function);
        visit_calls(r, function, &depth);
    }
    entry->uses_subgroups = (flags & (TL_IS_SUBGROUP | TL_IS_QUAD)) != 0;
    entry->uses_atomics = (flags & TL_IS_ATOMIC) != 0;
    entry->uses_derivatives = (flags & TL_IS_DERIVATIVE) != 0;
}

/* ---- bindings and memory ----------------------------------------------------------------------------------------- */

static uint64_t slot_of(const telar_wgsl_binding *binding)
{
    return (uint64_t)binding->group << 32 | binding->binding;
}

/* Shell sort by (group, binding): no recursion, no memory, and no quadratic worst case that matters. */
static void sort_bindings(const telar_wgsl_binding **list, uint32_t count)
{
    uint32_t gap = 1;
    while (gap < count / 3) gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3) {
        for (uint32_t k = gap; k < count; k++) {
            const telar_wgsl_binding *moved = list[k];
            uint32_t at = k;
            for (; at >= gap && slot_of(list[at - gap]) > slot_of(moved); at -= gap) list[at] = list[at - gap];
            list[at] = moved;
        }
    }
}

static void collect_bindings(tl_reflector *r, telar_wgsl_entry *entry)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < r->found_count; k++) count += r->binding_of[r->found[k]] != NULL;
    const telar_wgsl_binding **list = TL_ARENA_ARRAY(r->arena, const telar_wgsl_binding *, count);
    if (list == NULL) {
        r->full = true;
        return;
    }
    for (uint32_t k = 0; k < r->found_count; k++) {
        const telar_wgsl_binding *binding = r->binding_of[r->found[k]];
        if (binding != NULL) list[entry->bindings_count++] = binding;
    }
    sort_bindings(list, count);
    entry->bindings = list;
}

/* WebGPU adds the sizes of the workgroup variables, each rounded up to 16. */
static void measure_memory(tl_reflector *r, telar_wgsl_entry *entry)
{
    const tl_wgsl_semantics *s = r->m->semantics;
    for (uint32_t k = 0; k < r->found_count; k++) {
        const tl_global *global = &s->globals[r->found[k]];
        uint64_t bytes, padded;
        if (global->space != TL_SPACE_WORKGROUP && global->space != TL_SPACE_IMMEDIATE) continue;
        if (!tl_eval_size(&r->eval, tl_node_value_type(r->m, global->node), &bytes)) continue;
        if (global->space == TL_SPACE_IMMEDIATE) {
            if (bytes > entry->immediate_bytes) entry->immediate_bytes = bytes;
        } else if (telar_round_up(bytes, 16, &padded) && padded <= UINT64_MAX - entry->workgroup_bytes) {
            entry->workgroup_bytes += padded;
        } else {
            entry->workgroup_bytes = UINT64_MAX;
        }
    }
}

static void find_missing_override(tl_reflector *r, telar_wgsl_entry *entry)
{
    for (uint32_t k = 0; k < r->found_count && entry->missing_override == NULL; k++) {
        const tl_global *global = &r->m->semantics->globals[r->found[k]];
        double value;
        if (r->m->nodes[global->node].kind != TL_NODE_OVERRIDE) continue;
        if (TL_PARTS(tl_var_parts, r->m, global->node)->init != 0) continue;
        if (tl_constant_as_double(&r->eval.constants, tl_eval_node(&r->eval, global->node), &value)) continue;
        entry->missing_override = tl_reflect_text(r, tl_symbol_name(r->m, global->symbol));
    }
}

/* ---- built-in values --------------------------------------------------------------------------------------------- */

/* Calls for each @builtin among the parameters and the members of structures there: once to count, once to fill. */
static uint32_t list_builtins(tl_reflector *r, uint32_t function_node, const char **list)
{
    const telar_wgsl *m = r->m;
    const tl_types *types = &m->semantics->types;
    uint32_t params = TL_PARTS(tl_fn_parts, m, function_node)->params, count = 0;
    for (uint32_t k = 0; k < tl_list_count(m, params); k++) {
        uint32_t param = tl_list_at(m, params, k);
        uint32_t attributes = TL_PARTS(tl_member_parts, m, param)->attributes;
        const tl_struct *record = tl_type_struct(types, tl_node_type(m, param));
        uint32_t items = record == NULL ? 1 : record->member_count;
        for (uint32_t j = 0; j < items; j++) {
            if (record != NULL) {
                uint32_t member = types->members[record->member_first + j].node;
                attributes = member == 0 ? 0 : TL_PARTS(tl_member_parts, m, member)->attributes;
            }
            uint32_t attribute = tl_list_attribute(m, attributes, TL_ATTR_BUILTIN);
            if (attribute == 0) continue;
            if (list != NULL) {
                list[count] = tl_builtin_value_name((tl_builtin_value)tl_node_declaration(m, attribute));
            }
            count++;
        }
    }
    return count;
}

static void collect_builtins(tl_reflector *r, uint32_t function_node, telar_wgsl_entry *entry)
{
    uint32_t count = list_builtins(r, function_node, NULL);
    const char **list = TL_ARENA_ARRAY(r->arena, const char *, count);
    if (list == NULL) {
        r->full = true;
        return;
    }
    entry->builtins_count = list_builtins(r, function_node, list);
    entry->builtins = list;
}

/* ---- workgroup size ---------------------------------------------------------------------------------------------- */

static telar_status fail_size(tl_reflector *r, uint32_t node, const telar_wgsl_entry *entry, int64_t value,
                              telar_diag *diag)
{
    telar_status status = tl_fail(diag, TELAR_INVALID_WGSL,
                                  "the workgroup size of '%s' comes out as (%lld) for these overrides; it must be from "
                                  "(1) to (%u)",
                                  entry->name, (long long)value, UINT32_MAX);
    if (diag != NULL) diag->offset = tl_node_begin(r->m, node);
    return status;
}

static telar_status reflect_size(tl_reflector *r, uint32_t function_node, telar_wgsl_entry *entry, telar_diag *diag)
{
    const telar_wgsl *m = r->m;
    uint32_t attribute =
        tl_list_attribute(m, TL_PARTS(tl_fn_parts, m, function_node)->attributes, TL_ATTR_WORKGROUP_SIZE);
    if (attribute == 0) return TELAR_OK;
    uint32_t list = m->nodes[attribute].a;
    for (uint32_t axis = 0; axis < 3; axis++) {
        entry->workgroup_size[axis] = 1;
        if (axis >= tl_list_count(m, list)) continue;
        uint32_t node = tl_list_at(m, list, axis);
        int64_t value = 0;
        if (m->semantics->constant[node] == TL_CONSTANT_OVERRIDE) entry->size_by_override = true;
        bool known = tl_constant_as_int(&r->eval.constants, tl_eval_node(&r->eval, node), &value);
        if (known && (value < 1 || value > UINT32_MAX)) return fail_size(r, node, entry, value, diag);
        entry->workgroup_size[axis] = (uint32_t)value;
    }
    return TELAR_OK;
}

static telar_wgsl_stage public_stage(tl_stage stage)
{
    switch (stage) {
    case TL_STAGE_VERTEX: return TELAR_WGSL_VERTEX;
    case TL_STAGE_FRAGMENT: return TELAR_WGSL_FRAGMENT;
    case TL_STAGE_COMPUTE: return TELAR_WGSL_COMPUTE;
    default: return TELAR_WGSL_OTHER_STAGE;
    }
}

telar_status tl_reflect_entry(tl_reflector *r, uint32_t function, telar_wgsl_entry *entry, telar_diag *diag)
{
    const tl_function *record = &r->m->semantics->functions[function];
    *entry = (telar_wgsl_entry){
        .name = tl_reflect_text(r, tl_symbol_name(r->m, record->symbol)),
        .stage = public_stage(record->stage),
    };
    walk(r, function, entry);
    collect_bindings(r, entry);
    collect_builtins(r, record->node, entry);
    measure_memory(r, entry);
    find_missing_override(r, entry);
    return reflect_size(r, record->node, entry, diag);
}
