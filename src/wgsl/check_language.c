/* SPDX-License-Identifier: MIT
 *
 * Rule "wgsl" beyond the reader: the family's frame, and what concerns declarations of the module. */
#include "wgsl/check_language.h"

#include <string.h>

#define OVERRIDE_IDS 65536u /* the specification's range of @id */

/* @id is told in tl_global.group. */
static void check_override_ids(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    uint8_t *seen = NULL;
    for (uint32_t k = 0; k < s->global_count; k++) {
        const tl_global *global = &s->globals[k];
        if (c->m->nodes[global->node].kind != TL_NODE_OVERRIDE || global->group >= OVERRIDE_IDS) continue;
        if (seen == NULL) seen = TL_ARENA_ARRAY(c->arena, uint8_t, OVERRIDE_IDS / 8);
        if (seen == NULL) {
            c->full = true;
            return;
        }
        uint8_t bit = (uint8_t)(1u << (global->group & 7));
        if ((seen[global->group >> 3] & bit) != 0) {
            tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, global->node,
                            TL_SAYS(ID_TWICE, TL_U(global->group)));
        }
        seen[global->group >> 3] |= bit;
    }
}

/* An atomic is always written, even by atomicLoad's rules. */
static void check_read_only_atomics(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        const tl_global *global = &s->globals[k];
        if (c->m->nodes[global->node].kind != TL_NODE_VAR || global->space != TL_SPACE_STORAGE) continue;
        const tl_type_info *type = tl_type_get(&s->types, tl_node_value_type(c->m, global->node));
        if (global->access != TL_ACCESS_READ || (type->flags & TL_TYPE_HAS_ATOMIC) == 0) continue;
        tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, global->node,
                        TL_SAYS(ATOMICS_READ_ONLY, TL_T(tl_node_name(c->m, global->node))));
    }
}

/* The variable behind number `binding` of the reflection, which lists those with a @group in source order. */
static uint32_t binding_node(const tl_check *c, const telar_wgsl_binding *binding)
{
    return tl_query_global(c->m, tl_str_of(binding->name));
}

/* An entry point's bindings stand in the order of (group, binding). */
static void check_shared_slots(tl_check *c)
{
    for (uint32_t e = 0; e < c->reflection->entries_count; e++) {
        const telar_wgsl_entry *entry = &c->reflection->entries[e];
        for (uint32_t k = 1; k < entry->bindings_count; k++) {
            const telar_wgsl_binding *a = entry->bindings[k - 1], *b = entry->bindings[k];
            if (a->group != b->group || a->binding != b->binding || a->group == UINT32_MAX) continue;
            tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, binding_node(c, b),
                            TL_SAYS(BINDING_TWICE, TL_Z(a->name), TL_Z(b->name), TL_U(a->group), TL_U(a->binding),
                                    TL_Z(entry->name)));
            break;
        }
    }
}

/* Names that naga alone predeclares, and that the specification does not have. */
static const char *const naga_names[] = {
    "i64", "u64", "f64", "i16", "u16", "acceleration_structure", "ray_query", "push_constant", "RayIntersection"};

static bool is_predeclared_as(const telar_wgsl *m, uint32_t ident, const char *name)
{
    uint32_t word = tl_node_declaration(m, ident);
    if ((word & TL_NAME_TAG_MASK) != TL_NAME_PREDECLARED) return false;
    const tl_predeclared_row *row = tl_predeclared_get(word & TL_NAME_INDEX_MASK);
    bool type = row->class_ == TL_CLASS_TYPE || row->class_ == TL_CLASS_OPAQUE || row->class_ == TL_CLASS_SPACE;
    return type && strcmp(row->name, name) == 0;
}

static void check_naga_name(tl_check *c, const char *name)
{
    if (!tl_query_spells(c->m, tl_str_of(name))) return;
    for (uint32_t k = c->kinds.begin[TL_NODE_IDENT]; k < c->kinds.begin[TL_NODE_IDENT + 1]; k++) {
        uint32_t node = c->kinds.nodes[k];
        if (!is_predeclared_as(c->m, node, name)) continue;
        tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, node, TL_SAYS(NAME_OF_NAGA, TL_Z(name)));
        return;
    }
}

static void check_naga_names(tl_check *c)
{
    if (c->desc->reader == TELAR_READER_NAGA) return;
    for (size_t k = 0; k < TL_COUNT(naga_names); k++) check_naga_name(c, naga_names[k]);
}

void tl_check_language_module(tl_check *c)
{
    check_naga_names(c);
    check_override_ids(c);
    check_read_only_atomics(c);
    check_shared_slots(c);
    tl_language_io(c);
    tl_language_stages(c);
    tl_language_bodies(c);
    tl_language_aliases(c);
}
