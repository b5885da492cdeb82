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

static telar_status check_prefix(const telar_wgsl *m, telar_diag *diag)
{
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t symbol = 1; symbol < s->symbol_count; symbol++) {
        tl_str name = tl_symbol_name(m, symbol);
        if (name.len < 6 || memcmp(name.data, "telar_", 6) != 0) continue;
        return tl_fail(diag, TELAR_INVALID_WGSL, "'%.*s': names that begin with telar_ are for what weaving adds",
                       TL_STR_ARGS(name));
    }
    return TELAR_OK;
}

/* The module's declaration of this name, 0 when it keeps its predeclared meaning. */
static uint32_t redeclared(const telar_wgsl *m, tl_str name)
{
    const tl_wgsl_semantics *s = m->semantics;
    uint32_t symbol = tl_symbol_find(m, name);
    for (uint32_t k = 0; symbol != 0 && k < s->global_count; k++) {
        if (s->globals[k].symbol == symbol) return s->globals[k].node;
    }
    return 0;
}

/* What the added text relies on. An alias of a name for the same type changes nothing. */
static telar_status check_predeclared(const telar_wgsl *m, telar_diag *diag)
{
    const struct {
        tl_str name;
        tl_type type; /* 0: not a type */
    } used[] = {
        {TL_STR("u32"), TL_TYPE_U32},
        {TL_STR("vec2u"), tl_type_vector(TL_KIND_U32, 2)},
        {TL_STR("vec3u"), tl_type_vector(TL_KIND_U32, 3)},
        {TL_STR("all"), 0},
    };
    for (size_t k = 0; k < TL_COUNT(used); k++) {
        uint32_t node = redeclared(m, used[k].name);
        if (node == 0) continue;
        bool same = m->nodes[node].kind == TL_NODE_ALIAS && tl_node_type(m, node) == used[k].type;
        if (same) continue;
        telar_status status = tl_fail(diag, TELAR_UNSUPPORTED,
                                      "the source declares its own '%.*s', whose usual meaning weaving relies on; "
                                      "rename it",
                                      TL_STR_ARGS(used[k].name));
        if (diag != NULL) diag->offset = tl_node_begin(m, node);
        return status;
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

/* A stride that was not asked for comes from a plan that expects the kernel to go on by all of its groups. */
static telar_status check_stride(const weaver *w, telar_diag *diag)
{
    const telar_plan *plan = w->plan;
    if (w->form != TELAR_FORM_PLAIN || plan->shape != TELAR_SHAPE_STRIDE) return TELAR_OK;
    if (plan->asked.shape == TELAR_SHAPE_STRIDE) return TELAR_OK;
    uint64_t needed = telar_ceil_div(plan->elements, telar_plan_group_elements(plan));
    return tl_fail_limit(
        diag, TELAR_NOT_FOLDABLE, needed, plan->groups,
        "the plan lets %llu groups stride over the work of %llu, and an ordinary kernel is not known to "
        "loop; ask for the shape fold, or for stride where the kernel loops by itself",
        (unsigned long long)plan->groups, (unsigned long long)needed);
}

static telar_status check_windows(weaver *w, telar_diag *diag)
{
    const telar_wgsl *m = w->source.module;
    if (w->desc->counted && (w->plan->dimensions != 1 || w->plan->window_count > 1)) {
        return tl_fail(diag, TELAR_UNSUPPORTED,
                       "a counted launch has one dimension and one window; this plan has %u and %llu",
                       w->plan->dimensions, (unsigned long long)w->plan->window_count);
    }
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

/* Every device grants this many groups. */
enum {
    GROUPS_GRANTED = 4
};

static bool is_free(const telar_wgsl *m, uint32_t group, uint32_t binding)
{
    const tl_wgsl_semantics *s = m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        const tl_global *g = &s->globals[k];
        if (m->nodes[g->node].kind != TL_NODE_VAR || g->group != group) continue;
        if (binding == TL_NO_INDEX || g->binding == binding) return false;
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
    if (w->desc->dialect.immediates && !w->desc->counted && !has_immediates(m))
        return (tl_launch_place){.kind = TELAR_PARAMS_IMMEDIATE};
    tl_launch_place place = {.kind = TELAR_PARAMS_UNIFORM, .canary = w->desc->counted && w->desc->canary};
    while (place.group < GROUPS_GRANTED && !is_free(m, place.group, TL_NO_INDEX)) place.group++;
    if (place.group < GROUPS_GRANTED) return place;
    place.group = GROUPS_GRANTED - 1;
    while (!is_free(m, place.group, place.binding) || !is_free(m, place.group, place.binding + 1)) place.binding++;
    return place;
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
        TELAR_TRY(tl_fold_entry(w->source.module, w->source.function, w->plan, w->place.canary, &w->edits, diag));
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
    tl_element_entry entry = {.name = "telar_main",
                              .function = tl_node_name(m, w->source.function),
                              .plan = w->plan,
                              .canary = w->place.canary,
                              .based = w->plan->window_count > 1 && !w->local_index};
    tl_print_element_entry(&entry, out);
}

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

/* Of the user's function, as text of its own. */
static const char *function_name(weaver *w)
{
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
    kernel->canary = w->place.canary;
    kernel->params_kind = w->place.kind;
    kernel->params_group = w->place.group;
    kernel->params_binding = w->place.binding;
    kernel->params_words = w->place.kind == TELAR_PARAMS_NONE ? 0 : TELAR_LAUNCH_WORDS;
}

/* An ordinary kernel brings its own size and takes one element an invocation: a plan for others would leave elements out,
 * in silence. */
static telar_status check_size(const weaver *w, const telar_kernel_desc *kernel, telar_diag *diag)
{
    const telar_plan *plan = w->plan;
    if (w->form == TELAR_FORM_ELEMENT) return TELAR_OK;
    if (plan->items != 1) {
        return tl_fail_limit(
            diag, TELAR_INVALID_ARGUMENT, plan->items, 1,
            "the plan has %u elements an invocation, and an ordinary kernel takes 1; plan with items 1", plan->items);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (plan->workgroup_size[axis] == kernel->workgroup_size[axis]) continue;
        return tl_fail_limit(
            diag, TELAR_INVALID_ARGUMENT, plan->workgroup_size[axis], kernel->workgroup_size[axis],
            "the plan's workgroup size on %c (%u) is not the kernel's (%u); plan with the kernel's size", "xyz"[axis],
            plan -> workgroup_size[axis], kernel -> workgroup_size[axis]);
    }
    return TELAR_OK;
}

static telar_status read_back(weaver *w, const char *text, size_t text_bytes, telar_woven *woven, telar_diag *diag)
{
    telar_wgsl *module;
    const char *name = function_name(w);
    const char *entry = w->form == TELAR_FORM_ELEMENT ? "telar_main" : name;
    if (name == NULL) return tl_fail(diag, TELAR_NO_SPACE, "the arena is too small");
    TELAR_TRY(telar_wgsl_read(text, text_bytes, w->edits.arena, &module, diag));
    uint32_t our_immediate_bytes = w->place.kind == TELAR_PARAMS_IMMEDIATE ? TELAR_LAUNCH_WORDS * 4 : 0;
    TELAR_TRY(tl_kernel_describe(module, entry, w->desc, our_immediate_bytes, w->edits.arena, &woven->kernel, diag));
    TELAR_TRY(check_size(w, &woven->kernel, diag));
    woven->kernel.name = name;
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
    w.form = w.source.form;
    bool folded = desc->plan->shape == TELAR_SHAPE_FOLD || desc->counted;
    if (w.form == TELAR_FORM_PLAIN && folded) w.form = TELAR_FORM_FOLDED;
    if (w.form != TELAR_FORM_PLAIN) {
        TELAR_TRY(check_prefix(desc->module, diag));
        TELAR_TRY(check_predeclared(desc->module, diag));
    }
    TELAR_TRY(check_domain(&w, diag));
    TELAR_TRY(check_stride(&w, diag));
    TELAR_TRY(check_windows(&w, diag));
    if (w.form != TELAR_FORM_PLAIN) w.place = choose_place(&w);
    TELAR_TRY(edit_source(&w, diag));
    telar_status status = print_and_read_back(&w, woven, diag);
    if (status != TELAR_OK) *woven = (telar_woven){0};
    return status;
}
