/* SPDX-License-Identifier: MIT
 *
 * Reading a kernel that is to be swept: its plain form, its form by vectors where an alias `value` of a scalar can be one of
 * vec4 as well, and which of its overrides are its size and items. */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_MAX ((size_t)1 << 30)

/* ---- The form by vectors ----------------------------------------------------------------------------------------- */

static size_t skip_spaces(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') at++;
    return at;
}

/* Steps over `word` and the spaces before it. */
static bool take(const char *text, size_t *at, const char *word)
{
    size_t next = skip_spaces(text, *at);
    if (strncmp(text + next, word, strlen(word)) != 0) return false;
    *at = next + strlen(word);
    return true;
}

/* The scalar of `alias value = SCALAR;`. */
static bool find_alias(const char *text, size_t *begin, size_t *end)
{
    static const char *const scalars[] = {"f32", "u32", "i32", "f16"};
    for (const char *found = strstr(text, "alias "); found != NULL; found = strstr(found + 1, "alias ")) {
        size_t at = (size_t)(found - text) + 6;
        if (!take(text, &at, "value") || !take(text, &at, "=")) continue;
        *begin = skip_spaces(text, at);
        for (size_t k = 0; k < TL_COUNT(scalars); k++) {
            *end = *begin;
            size_t rest = *begin;
            if (!take(text, &rest, scalars[k])) continue;
            *end = rest;
            if (take(text, &rest, ";")) return true;
        }
    }
    return false;
}

/* A copy of the text; with `vector`, NULL where there is no alias to change. */
static char *copy_text(const char *text, size_t bytes, bool vector)
{
    char *plain = calloc(bytes + 1, 1);
    if (plain == NULL) return NULL;
    memcpy(plain, text, bytes);
    if (!vector) return plain;
    size_t begin, end;
    char *wide = find_alias(plain, &begin, &end) ? calloc(bytes + 8, 1) : NULL;
    if (wide != NULL) {
        telar_out out = {wide, bytes + 8, 0};
        tl_out_format(&out, "%.*svec4<%.*s>%s", (int)begin, plain, (int)(end - begin), plain + begin, plain + end);
    }
    free(plain);
    return wide;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool is_fixed(const tl_subject *subject, const char *name)
{
    for (uint32_t k = 0; k < subject->overrides_count; k++) {
        if (strcmp(subject->overrides[k].name, name) == 0) return true;
    }
    return false;
}

static void find_names(const telar_wgsl_reflection *reflection, tl_subject *subject)
{
    static const struct {
        const char *name;
        int axis; /* 3: the items */
    } known[] = {{"size", 0}, {"size_x", 0}, {"size_y", 1}, {"size_z", 2}, {"items", 3}};
    for (uint32_t k = 0; k < reflection->overrides_count; k++) {
        const telar_wgsl_override *override = &reflection->overrides[k];
        for (size_t j = 0; j < TL_COUNT(known); j++) {
            if (strcmp(override->name, known[j].name) != 0 || is_fixed(subject, override->name)) continue;
            if (override->id != UINT32_MAX) continue; /* its key is its number: give it by --set */
            *(known[j].axis == 3 ? &subject->items_name : &subject->size_names[known[j].axis]) = known[j].name;
        }
    }
}

static bool takes(const telar_wgsl_entry *entry, const char *builtin)
{
    for (uint32_t k = 0; entry != NULL && k < entry->builtins_count; k++) {
        if (strcmp(entry->builtins[k], builtin) == 0) return true;
    }
    return false;
}

/* An element function's overrides are its own, whatever they are called. */
static void forget_names(tl_subject *subject)
{
    memset(subject->size_names, 0, sizeof subject->size_names);
    subject->items_name = NULL;
}

/* An entry point's size may be known by nothing but overrides: for a look at it they get values that every device has. */
static telar_status read_in(tl_subject *subject, tl_form *form, telar_arena *arena, telar_diag *diag)
{
    static const tl_candidate provisional = {.size = {64, 1, 1}, .items = 1};
    telar_wgsl *module;
    telar_wgsl_reflection reflection;
    telar_override overrides[TL_SWEEP_OVERRIDES_MAX];
    TELAR_TRY(telar_wgsl_read(form->text, strlen(form->text), arena, &module, diag));
    TELAR_TRY(telar_wgsl_reflect(module, subject->overrides, subject->overrides_count, arena, &reflection, diag));
    find_names(&reflection, subject);
    telar_weave_desc desc = {.module = module,
                             .element = subject->element,
                             .entry = subject->entry,
                             .overrides = overrides,
                             .overrides_count = tl_subject_overrides(subject, &provisional, overrides)};
    TELAR_TRY(telar_weave_inspect(&desc, arena, &form->needs, diag));
    form->module = module;
    subject->ordinary = form->needs.form != TELAR_FORM_ELEMENT;
    subject->strides = takes(telar_wgsl_find_entry(&reflection, form->needs.name), "num_workgroups");
    if (!subject->ordinary) forget_names(subject);
    return TELAR_OK;
}

/* In memory that grows until it suffices. */
static telar_status read_form(tl_subject *subject, tl_form *form, telar_diag *diag)
{
    size_t bytes = 65536 + 2 * telar_wgsl_arena_bytes(strlen(form->text));
    telar_status status = TELAR_NO_SPACE;
    for (; status == TELAR_NO_SPACE && bytes <= MEMORY_MAX; bytes *= 2) {
        free(form->memory);
        form->memory = malloc(bytes);
        if (form->memory == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to read a kernel");
        telar_arena arena = telar_arena_make(form->memory, bytes);
        status = read_in(subject, form, &arena, diag);
    }
    return status;
}

static void drop_form(tl_form *form)
{
    free(form->memory);
    free(form->text);
    *form = (tl_form){0};
}

static telar_status open_vectors(tl_subject *subject, const char *text, size_t bytes)
{
    tl_form *form = &subject->forms[1];
    form->text = copy_text(text, bytes, true);
    if (form->text == NULL) return TELAR_OK;
    /* A body that vectors do not fit is a kernel without that form, and no failure. */
    telar_diag diag = {0};
    telar_status status = read_form(subject, form, &diag);
    if (status != TELAR_OK || !form->needs.windowable) drop_form(form);
    return TELAR_OK;
}

telar_status tl_subject_open(const char *text, size_t bytes, tl_subject *subject, telar_diag *diag)
{
    tl_form *plain = &subject->forms[0];
    plain->text = copy_text(text, bytes, false);
    if (plain->text == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to read a kernel");
    telar_status status = read_form(subject, plain, diag);
    if (status == TELAR_OK) {
        if (!subject->ordinary) subject->dimensions = plain->needs.dimensions;
        if (subject->dimensions == 0) subject->dimensions = 1;
        if (subject->bytes == 0) subject->bytes = plain->needs.bytes_per_element;
        if (!subject->ordinary) status = open_vectors(subject, text, bytes);
    }
    if (status != TELAR_OK) tl_subject_close(subject);
    return status;
}

telar_status tl_subject_of_case(const tl_case *builtin, tl_subject *subject, telar_diag *diag)
{
    *subject = (tl_subject){.name = builtin->name,
                            .builtin = builtin,
                            .kind = builtin->kind,
                            .dimensions = builtin->dimensions,
                            .halo = builtin->halo,
                            .bytes = builtin->bytes,
                            .flops = builtin->flops,
                            .tolerance = builtin->tolerance,
                            .entry = builtin->kind == TELAR_KIND_SCAN ? "scan" : NULL};
    return tl_subject_open(builtin->wgsl, strlen(builtin->wgsl), subject, diag);
}

void tl_subject_close(tl_subject *subject)
{
    drop_form(&subject->forms[0]);
    drop_form(&subject->forms[1]);
}

/* ---- What it asks of a plan -------------------------------------------------------------------------------------- */

telar_plan_desc tl_subject_plan_desc(const tl_subject *subject, const tl_domain *domain, bool vector)
{
    const telar_weave_needs *needs = &subject->forms[vector].needs;
    telar_plan_desc desc = {.dimensions = domain->dimensions,
                            .kind = subject->kind,
                            .halo = subject->halo,
                            .bytes_per_element = subject->bytes * (vector ? 4 : 1),
                            .flops_per_element = subject->flops * (vector ? 4 : 1),
                            .binding_bytes_per_element = needs->windowable ? needs->binding_bytes_per_element : 0,
                            .no_windows = !needs->windowable,
                            .workgroup_memory_bytes = needs->workgroup_memory_bytes};
    for (uint32_t axis = 0; axis < domain->dimensions; axis++) desc.count[axis] = domain->count[axis];
    if (vector) desc.count[0] = telar_ceil_div(desc.count[0], 4);
    return desc;
}

/* A plan may let fewer groups go on by all of them, which only some kernels do. */
telar_status tl_subject_plan(const tl_subject *subject, const telar_plan_desc *desc, const telar_facts *facts,
                             telar_plan *plan, telar_diag *diag)
{
    TELAR_TRY(telar_plan_make(desc, facts, plan, diag));
    if (!subject->ordinary || subject->strides || plan->shape != TELAR_SHAPE_STRIDE) return TELAR_OK;
    telar_plan_desc other = *desc;
    other.shape = TELAR_SHAPE_LINEAR;
    if (telar_plan_make(&other, facts, plan, diag) == TELAR_OK) return TELAR_OK;
    other.shape = TELAR_SHAPE_FOLD;
    return telar_plan_make(&other, facts, plan, diag);
}

bool tl_subject_has_fixed_size(const tl_subject *subject)
{
    return subject->ordinary && subject->size_names[0] == NULL;
}

static void add_override(telar_override *overrides, uint32_t *count, const char *name, double value)
{
    if (name != NULL && *count < TL_SWEEP_OVERRIDES_MAX) overrides[(*count)++] = (telar_override){name, value};
}

uint32_t tl_subject_overrides(const tl_subject *subject, const tl_candidate *candidate,
                              telar_override overrides[TL_SWEEP_OVERRIDES_MAX])
{
    uint32_t count = subject->overrides_count;
    memcpy(overrides, subject->overrides, count * sizeof *overrides);
    for (int axis = 0; axis < 3; axis++) {
        add_override(overrides, &count, subject->size_names[axis], candidate->size[axis]);
    }
    add_override(overrides, &count, subject->items_name, candidate->items);
    for (uint32_t k = 0; k < subject->sets_count; k++) {
        add_override(overrides, &count, subject->sets[k].name, candidate->sets[k]);
    }
    return count;
}
