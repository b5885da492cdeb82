/* SPDX-License-Identifier: MIT
 *
 * The dialects by name. A host finds out more by probing; these are what the front ends take on any device. */
#include "weave/weave.h"

telar_dialect telar_dialect_portable(void)
{
    return (telar_dialect){.subgroups = TELAR_SUBGROUPS_NONE};
}

telar_dialect telar_dialect_tint(void)
{
    return (telar_dialect){.subgroups = TELAR_SUBGROUPS_ENABLE,
                           .f16 = true,
                           .subgroup_id = true,
                           .pointer_parameters = true,
                           .requires_lines = true};
}

telar_dialect telar_dialect_naga(void)
{
    return (telar_dialect){.subgroups = TELAR_SUBGROUPS_BARE, .f16 = true, .immediates = true, .subgroup_id = true};
}

/* ---- Directives -------------------------------------------------------------------------------------------------- */

static bool lists_word(const telar_wgsl *m, uint32_t list, tl_str word)
{
    for (uint32_t k = 0; k < tl_list_count(m, list); k++) {
        if (tl_str_equal(tl_node_text(m, tl_list_at(m, list, k)), word)) return true;
    }
    return false;
}

static uint32_t enable_of(const telar_wgsl *m, tl_str word)
{
    for (uint32_t k = 0; k < tl_list_count(m, m->directives); k++) {
        uint32_t directive = tl_list_at(m, m->directives, k);
        if (m->nodes[directive].kind == TL_NODE_ENABLE && lists_word(m, m->nodes[directive].a, word)) return directive;
    }
    return 0;
}

static bool uses_subgroups(const telar_wgsl *m)
{
    static const tl_str inputs[] = {
        {"subgroup_size", 13}, {"subgroup_invocation_id", 22}, {"subgroup_id", 11}, {"num_subgroups", 13}};
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t k = 0; k < s->function_count; k++) {
        if ((s->functions[k].builtin_flags & (TL_IS_SUBGROUP | TL_IS_QUAD)) != 0) return true;
    }
    for (uint32_t node = 1; node < m->node_count; node++) {
        if (m->nodes[node].kind != TL_NODE_ATTRIBUTE || m->nodes[node].op != TL_ATTR_BUILTIN) continue;
        tl_str name = tl_node_text(m, tl_list_at(m, m->nodes[node].a, 0));
        for (size_t j = 0; j < TL_COUNT(inputs); j++) {
            if (tl_str_equal(name, inputs[j])) return true;
        }
    }
    return false;
}

/* Takes one word out of a directive; the whole directive when it is the only one. */
static void remove_word(const telar_wgsl *m, uint32_t directive, tl_str word, tl_edits *edits)
{
    uint32_t list = m->nodes[directive].a;
    uint32_t count = tl_list_count(m, list);
    if (count == 1) {
        tl_edit_replace(edits, tl_node_begin(m, directive), tl_node_end(m, directive), TL_STR(""));
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t item = tl_list_at(m, list, k);
        if (!tl_str_equal(tl_node_text(m, item), word)) continue;
        uint32_t begin = k == 0 ? tl_node_begin(m, item) : tl_node_end(m, tl_list_at(m, list, k - 1));
        uint32_t end = k == 0 ? tl_node_begin(m, tl_list_at(m, list, 1)) : tl_node_end(m, item);
        tl_edit_replace(edits, begin, end, TL_STR(""));
        return;
    }
}

/* A word may be enabled more than once. */
static void remove_enables(const telar_wgsl *m, tl_str word, tl_edits *edits)
{
    for (uint32_t k = 0; k < tl_list_count(m, m->directives); k++) {
        uint32_t directive = tl_list_at(m, m->directives, k);
        if (m->nodes[directive].kind != TL_NODE_ENABLE || !lists_word(m, m->nodes[directive].a, word)) continue;
        remove_word(m, directive, word, edits);
    }
}

static telar_status edit_subgroups(const telar_wgsl *m, telar_dialect dialect, tl_edits *edits, telar_diag *diag)
{
    uint32_t enable = enable_of(m, TL_STR("subgroups"));
    bool uses = uses_subgroups(m);
    if (uses && dialect.subgroups == TELAR_SUBGROUPS_NONE) {
        return tl_fail(diag, TELAR_UNSUPPORTED, "the kernel uses subgroups, which this dialect does not have");
    }
    if (dialect.subgroups != TELAR_SUBGROUPS_ENABLE) remove_enables(m, TL_STR("subgroups"), edits);
    if (enable == 0 && uses && dialect.subgroups == TELAR_SUBGROUPS_ENABLE) {
        tl_edit_replace(edits, 0, 0, TL_STR("enable subgroups;\n"));
    }
    return TELAR_OK;
}

static void remove_requires(const telar_wgsl *m, tl_edits *edits)
{
    for (uint32_t k = 0; k < tl_list_count(m, m->directives); k++) {
        uint32_t directive = tl_list_at(m, m->directives, k);
        if (m->nodes[directive].kind != TL_NODE_REQUIRES) continue;
        tl_edit_replace(edits, tl_node_begin(m, directive), tl_node_end(m, directive), TL_STR(""));
    }
}

telar_status tl_dialect_edit(const telar_wgsl *m, telar_dialect dialect, tl_edits *edits, telar_diag *diag)
{
    if (enable_of(m, TL_STR("f16")) != 0 && !dialect.f16) {
        return tl_fail(diag, TELAR_UNSUPPORTED, "the kernel enables f16, which this dialect does not have");
    }
    TELAR_TRY(edit_subgroups(m, dialect, edits, diag));
    if (!dialect.requires_lines) remove_requires(m, edits);
    return TELAR_OK;
}
