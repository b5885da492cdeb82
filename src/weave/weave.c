/* SPDX-License-Identifier: MIT
 *
 * From a source and a plan to a complete kernel: edits of the user's text, the launch block, the entry point. */
#include "weave/weave.h"

#include <string.h>

typedef struct weaver {
    const telar_weave_desc *desc;
    const telar_plan *plan;
    tl_source source;
    telar_weave_form form;
    tl_edits edits;
    tl_launch_place place; /* kind NONE when nothing is added */
    bool local_index;      /* the index counts within its window: the domain is longer than a u32 counts */
} weaver;

/* ---- May this source run under this plan? ------------------------------------------------------------------------ */

static telar_status check_names(const telar_wgsl *m, telar_diag *diag)
{
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        if (s->globals[k].symbol == TL_NO_INDEX) continue;
        tl_str name = tl_symbol_name(m, s->globals[k].symbol);
        if (name.len < 6 || memcmp(name.data, "telar_", 6) != 0) continue;
        return tl_fail(diag, TELAR_INVALID_WGSL, "'%.*s': names that begin with telar_ are for what weaving adds",
                       TL_STR_ARGS(name));
    }
    return TELAR_OK;
}

static telar_status check_domain(const weaver *w, telar_diag *diag)
{
    const telar_plan *plan = w->plan;
    if (w->form == TELAR_FORM_ELEMENT && w->source.dimensions != plan->dimensions) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, plan->dimensions, w->source.dimensions,
                             "the element function takes an index of %u dimensions, the plan's domain has %u",
                             w->source.dimensions, plan->dimensions);
    }
    for (uint32_t axis = 0; axis < plan->dimensions && plan->dimensions > 1; axis++) {
        if (plan->count[axis] <= TELAR_WINDOW_ELEMENTS_MAX) continue;
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, plan->count[axis], TELAR_WINDOW_ELEMENTS_MAX,
                             "the domain's %c (%llu) exceeds what an index can walk (%llu)", "xyz"[axis],
                             (unsigned long long)plan -> count[axis], (unsigned long long)TELAR_WINDOW_ELEMENTS_MAX);
    }
    return TELAR_OK;
}

static telar_status check_windows(weaver *w, telar_diag *diag)
{
    const telar_wgsl *m = w->source.module;
    if (w->plan->window_count <= 1) return TELAR_OK;
    if (w->form != TELAR_FORM_ELEMENT) {
        return tl_fail(diag, TELAR_NOT_FOLDABLE,
                       "the domain (%llu elements) needs %llu windows, and an ordinary kernel cannot be cut; write an "
                       "element function",
                       (unsigned long long)w->plan->elements, (unsigned long long)w->plan->window_count);
    }
    w->local_index = w->plan->elements > (UINT64_C(1) << 32);
    if (!w->local_index || w->source.index_as_value == 0) return TELAR_OK;
    telar_status status =
        tl_fail_limit(diag, TELAR_NOT_FOLDABLE, w->plan->elements, UINT64_C(1) << 32,
                      "'%.*s' uses its index as a value, which a u32 cannot hold for %llu elements (2^32 at most); use "
                      "it only in accesses [%.*s], or cut the data",
                      TL_STR_ARGS(tl_node_name(m, w->source.function)), (unsigned long long)w->plan->elements,
                      TL_STR_ARGS(tl_node_name(m, w->source.index)));
    if (diag != NULL) diag->offset = tl_node_begin(m, w->source.index_as_value);
    return status;
}

/* ---- What is added ----------------------------------------------------------------------------------------------- */

static bool group_is_free(const telar_wgsl *m, uint32_t group)
{
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        if (m->nodes[s->globals[k].node].kind == TL_NODE_VAR && s->globals[k].group == group) return false;
    }
    return true;
}

static bool has_immediates(const telar_wgsl *m)
{
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        if (s->globals[k].space == TL_SPACE_IMMEDIATE) return true;
    }
    return false;
}

static tl_launch_place choose_place(const weaver *w)
{
    const telar_wgsl *m = w->source.module;
    if (w->desc->dialect.immediates && !has_immediates(m)) return (tl_launch_place){.kind = TELAR_PARAMS_IMMEDIATE};
    uint32_t group = 0;
    while (!group_is_free(m, group)) group++;
    return (tl_launch_place){.kind = TELAR_PARAMS_UNIFORM, .group = group};
}

/* s[i] of a windowed array becomes s[i - telar_launch.base]. */
static void edit_windowed_accesses(weaver *w)
{
    if (w->plan->window_count <= 1 || w->local_index) return;
    for (uint32_t k = 0; k < w->source.index_ends_count; k++) {
        uint32_t end = w->source.index_ends[k];
        tl_edit_replace(&w->edits, end, end, TL_STR(" - telar_launch.base"));
    }
}

static telar_status edit_source(weaver *w, telar_diag *diag)
{
    TELAR_TRY(tl_dialect_edit(w->source.module, w->desc->dialect, &w->edits, diag));
    if (w->form == TELAR_FORM_ELEMENT) edit_windowed_accesses(w);
    if (w->form == TELAR_FORM_FOLDED) {
        TELAR_TRY(tl_fold_entry(w->source.module, w->source.function, w->plan, &w->edits, diag));
    }
    if (w->edits.failed) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    return TELAR_OK;
}

static void print_text(weaver *w, telar_out *out)
{
    const telar_wgsl *m = w->source.module;
    tl_edit_print(&w->edits, (tl_str){m->source, m->source_bytes}, out);
    if (w->form == TELAR_FORM_PLAIN) return;
    tl_print_launch_block(w->place, out);
    if (w->form != TELAR_FORM_ELEMENT) return;
    tl_element_entry entry = {.function = tl_node_name(m, w->source.function),
                              .plan = w->plan,
                              .based = w->plan->window_count > 1 && !w->local_index};
    tl_print_element_entry(&entry, out);
}

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

static const char *entry_name(weaver *w)
{
    if (w->form == TELAR_FORM_ELEMENT) return "telar_main";
    tl_str name = tl_node_name(w->source.module, w->source.function);
    char *copy = TL_ARENA_ARRAY(w->edits.arena, char, name.len + 1);
    if (copy != NULL) memcpy(copy, name.data, name.len);
    return copy;
}

static bool is_windowed_variable(const weaver *w, const char *name)
{
    const telar_wgsl *m = w->source.module;
    if (w->form != TELAR_FORM_ELEMENT || w->source.dimensions != 1) return false;
    for (uint32_t k = 0; k < m->semantics->global_count; k++) {
        const tl_window_use *use = &w->source.uses[k];
        if (tl_is_windowed(use) && tl_str_equal(tl_node_name(m, use->node), tl_str_of(name))) return true;
    }
    return false;
}

/* The launch block is not one of the user's bindings: the host fills it. */
static void take_out_launch_block(const weaver *w, telar_kernel_desc *kernel)
{
    telar_binding *bindings = (telar_binding *)kernel->bindings;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < kernel->bindings_count; k++) {
        if (strcmp(bindings[k].name, "telar_launch") == 0) continue;
        bindings[kept] = bindings[k];
        bindings[kept].windowed = is_windowed_variable(w, bindings[k].name);
        kept++;
    }
    kernel->bindings_count = kept;
    kernel->params_kind = w->place.kind;
    kernel->params_group = w->place.group;
    kernel->params_binding = w->place.binding;
    kernel->params_words = w->place.kind == TELAR_PARAMS_NONE ? 0 : TELAR_LAUNCH_WORDS;
}

static telar_status read_back(weaver *w, const char *text, size_t text_bytes, telar_woven *woven, telar_diag *diag)
{
    telar_wgsl *module;
    const char *entry = entry_name(w);
    if (entry == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    TELAR_TRY(telar_wgsl_read(text, text_bytes, w->edits.arena, &module, diag));
    uint32_t our_immediate_bytes = w->place.kind == TELAR_PARAMS_IMMEDIATE ? TELAR_LAUNCH_WORDS * 4 : 0;
    TELAR_TRY(tl_kernel_describe(module, entry, w->desc, our_immediate_bytes, w->edits.arena, &woven->kernel, diag));
    woven->kernel.wgsl = text;
    woven->kernel.wgsl_bytes = text_bytes;
    take_out_launch_block(w, &woven->kernel);
    woven->form = w->form;
    return TELAR_OK;
}

static telar_status print_and_read_back(weaver *w, telar_woven *woven, telar_diag *diag)
{
    telar_out size = {0};
    print_text(w, &size);
    char *text = TL_ARENA_ARRAY(w->edits.arena, char, size.len + 1);
    if (text == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    telar_out out = {text, size.len + 1, 0};
    print_text(w, &out);
    return read_back(w, text, size.len, woven, diag);
}

telar_status telar_weave(const telar_weave_desc *desc, telar_arena *arena, telar_woven *woven, telar_diag *diag)
{
    *woven = (telar_woven){0};
    weaver w = {.desc = desc, .plan = desc->plan, .edits = {.arena = arena}};
    TELAR_TRY(tl_source_find(desc, arena, &w.source, diag));
    TELAR_TRY(check_names(desc->module, diag));
    w.form = w.source.form;
    if (w.form == TELAR_FORM_PLAIN && desc->plan->shape == TELAR_SHAPE_FOLD) w.form = TELAR_FORM_FOLDED;
    TELAR_TRY(check_domain(&w, diag));
    TELAR_TRY(check_windows(&w, diag));
    if (w.form != TELAR_FORM_PLAIN) w.place = choose_place(&w);
    TELAR_TRY(edit_source(&w, diag));
    telar_status status = print_and_read_back(&w, woven, diag);
    if (status != TELAR_OK) *woven = (telar_woven){0};
    return status;
}
