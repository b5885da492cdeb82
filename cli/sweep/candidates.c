/* SPDX-License-Identifier: MIT
 *
 * Which candidates there are: size x items x shape x form, within the limits; then those of the roles. Pure. */
#include "sweep/sweep.h"

#include <string.h>

#include "plan/plan.h"

tl_domain tl_domain_of(uint64_t elements, uint32_t dimensions)
{
    tl_domain domain = {{elements, 1, 1}, dimensions};
    if (dimensions == 1) return domain;
    uint64_t width = 1;
    while (width * width < elements) width++;
    domain.count[0] = width;
    domain.count[1] = (elements + width / 2) / width;
    return domain;
}

tl_sweep_facts tl_sweep_facts_of(const telar_facts *host, const telar_facts *plan)
{
    tl_sweep_facts facts = {.plan = *plan, .untuned = *host, .lesson = telar_facts_default()};
    facts.lesson.limits = host->limits;
    facts.plan.limits = host->limits;
    return facts;
}

/* Vectors, where the model has both forms this close: on an H200 with 10^6 elements and 64 operations each it has them 1.2 %
 * apart, and vectors take half the time (wgpu-native, 2026-11-30). */
#define FORM_TIE 1.02

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static void add_size(tl_choices *choices, uint32_t x, uint32_t y)
{
    for (uint32_t k = 0; k < choices->sizes_count; k++) {
        if (choices->sizes[k][0] == x && choices->sizes[k][1] == y) return;
    }
    if (choices->sizes_count == TL_SWEEP_SIZES_MAX) return;
    uint32_t *size = choices->sizes[choices->sizes_count++];
    size[0] = x;
    size[1] = y;
    size[2] = 1;
}

/* 32 to 1024 invocations; in two axes a single row, rows of 32, and squares or nearly. */
static void list_sizes(const tl_subject *subject, tl_choices *choices)
{
    if (choices->sizes_count > 0) return;
    if (tl_subject_has_fixed_size(subject)) {
        memcpy(choices->sizes[0], subject->forms[0].needs.workgroup_size, sizeof choices->sizes[0]);
        choices->sizes_count = 1;
        return;
    }
    for (uint32_t log2 = 5; log2 <= 10; log2++) {
        uint32_t all = 1u << log2;
        add_size(choices, all, 1);
        if (subject->dimensions == 1 || (subject->ordinary && subject->size_names[1] == NULL)) continue;
        add_size(choices, 32, all / 32);
        uint32_t side = 1u << (log2 + 1) / 2;
        add_size(choices, side, all / side);
    }
}

static void list_items(const tl_subject *subject, tl_choices *choices)
{
    if (choices->items_count > 0) return;
    bool one = subject->ordinary && subject->items_name == NULL;
    for (uint32_t items = 1; items <= (one ? 1u : 16u); items *= 2) choices->items[choices->items_count++] = items;
}

static void list_shapes(const tl_subject *subject, tl_choices *choices)
{
    if (choices->shapes_count > 0) return;
    choices->shapes[choices->shapes_count++] = TELAR_SHAPE_LINEAR;
    if (!subject->ordinary || subject->forms[0].needs.foldable)
        choices->shapes[choices->shapes_count++] = TELAR_SHAPE_FOLD;
    bool strides = subject->ordinary ? subject->strides : subject->dimensions == 1;
    if (strides) choices->shapes[choices->shapes_count++] = TELAR_SHAPE_STRIDE;
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

static bool same(const tl_candidate *a, const tl_candidate *b)
{
    bool sets = true;
    for (uint32_t k = 0; k < TL_SWEEP_SETS_MAX; k++) sets = sets && a->sets[k] == b->sets[k];
    return sets && memcmp(a->size, b->size, sizeof a->size) == 0 && a->items == b->items && a->shape == b->shape &&
           a->vector == b->vector;
}

static tl_candidate *find(tl_candidates *candidates, const tl_candidate *like)
{
    for (uint32_t k = 0; k < candidates->count; k++) {
        if (same(&candidates->items[k], like) && (candidates->items[k].roles & TL_ROLE_AGAIN) == 0) {
            return &candidates->items[k];
        }
    }
    return NULL;
}

static tl_candidate *append(tl_candidates *candidates, const tl_candidate *like)
{
    if (candidates->count == TL_SWEEP_CANDIDATES_MAX) return NULL;
    candidates->items[candidates->count] = *like;
    return &candidates->items[candidates->count++];
}

/* With the first value of each further override. */
static tl_candidate of_plan(const tl_subject *subject, const telar_plan *plan, bool vector)
{
    tl_candidate candidate = {.items = plan->items, .shape = plan->shape, .vector = vector, .predicted_us = -1};
    memcpy(candidate.size, plan->workgroup_size, sizeof candidate.size);
    for (uint32_t k = 0; k < subject->sets_count; k++) candidate.sets[k] = subject->sets[k].values[0];
    return candidate;
}

static telar_status too_many(telar_diag *diag)
{
    return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "more than %d candidates; restrict them", TL_SWEEP_CANDIDATES_MAX);
}

/* What the limits refuse is no candidate. */
static void add_planned(const tl_subject *subject, const telar_plan_desc *desc, const telar_facts *facts, bool vector,
                        tl_candidates *candidates)
{
    telar_plan plan;
    if (telar_plan_make(desc, facts, &plan, NULL) != TELAR_OK || plan.shape == TELAR_SHAPE_EMPTY) return;
    tl_candidate candidate = of_plan(subject, &plan, vector);
    if (find(candidates, &candidate) == NULL) append(candidates, &candidate);
}

static void list_form(const tl_subject *subject, const tl_domain *domain, const telar_facts *facts,
                      const tl_choices *choices, bool vector, tl_candidates *candidates)
{
    telar_plan_desc desc = tl_subject_plan_desc(subject, domain, vector);
    for (uint32_t k = 0; k < choices->sizes_count; k++) {
        memcpy(desc.size, choices->sizes[k], sizeof desc.size);
        for (uint32_t j = 0; j < choices->items_count; j++) {
            desc.items = choices->items[j];
            for (uint32_t i = 0; i < choices->shapes_count; i++) {
                desc.shape = choices->shapes[i];
                add_planned(subject, &desc, facts, vector, candidates);
            }
        }
    }
}

/* Each candidate with every other value of the override. */
static telar_status list_set(const tl_subject *subject, uint32_t at, tl_candidates *candidates, telar_diag *diag)
{
    const tl_sweep_set *set = &subject->sets[at];
    uint32_t count = candidates->count;
    for (uint32_t j = 1; j < set->count; j++) {
        for (uint32_t k = 0; k < count; k++) {
            tl_candidate other = candidates->items[k];
            other.sets[at] = set->values[j];
            if (append(candidates, &other) == NULL) return too_many(diag);
        }
    }
    return TELAR_OK;
}

/* ---- Roles ------------------------------------------------------------------------------------------------------- */

static telar_plan_desc open_desc(const tl_subject *subject, const tl_domain *domain, bool vector)
{
    telar_plan_desc desc = tl_subject_plan_desc(subject, domain, vector);
    if (tl_subject_has_fixed_size(subject)) memcpy(desc.size, subject->forms[0].needs.workgroup_size, sizeof desc.size);
    if (subject->ordinary && subject->items_name == NULL) desc.items = 1;
    return desc;
}

static telar_status planned(const tl_subject *subject, const tl_domain *domain, const telar_facts *facts, bool vector,
                            telar_plan *plan, telar_diag *diag)
{
    telar_plan_desc desc = open_desc(subject, domain, vector);
    return tl_subject_plan(subject, &desc, facts, plan, diag);
}

/* How far apart the forms must be: as far as the model tells costs apart, and on a CPU adapter the times of both, which are
 * measured apart from each other there. */
static double form_tie(const tl_model *model, const telar_facts *facts)
{
    double tie = model->tie > FORM_TIE ? model->tie : FORM_TIE;
    return tie + facts->values[TELAR_FACT_WAVE_ITEM].spread + facts->values[TELAR_FACT_WAVE_VECTOR].spread;
}

/* Are vectors no slower, as far as the model tells, also where its facts are only usual ones and no prediction for people? */
static bool vectors_pay(const telar_plan *plain, const telar_plan *wide, const telar_facts *facts)
{
    tl_model model = tl_model_make(&plain->asked, facts, plain->elements);
    tl_model of_wide = tl_model_make(&wide->asked, facts, wide->elements);
    if (!model.usable) return false;
    double plain_us = tl_plan_cost(plain, facts, &model).total;
    return tl_plan_cost(wide, facts, &of_wide).total < form_tie(&model, facts) * plain_us;
}

/* The plan; of two forms the one that the model takes for faster. */
static telar_status choose(const tl_subject *subject, const tl_domain *domain, const telar_facts *facts, bool vectors,
                           tl_candidate *chosen, telar_diag *diag)
{
    telar_plan plan, wide;
    TELAR_TRY(planned(subject, domain, facts, false, &plan, diag));
    *chosen = of_plan(subject, &plan, false);
    if (!vectors || planned(subject, domain, facts, true, &wide, NULL) != TELAR_OK) return TELAR_OK;
    if (vectors_pay(&plan, &wide, facts)) *chosen = of_plan(subject, &wide, true);
    return TELAR_OK;
}

static telar_status give_role(tl_candidates *candidates, const tl_candidate *chosen, uint32_t role, telar_diag *diag)
{
    tl_candidate *at = find(candidates, chosen);
    if (at == NULL) {
        at = append(candidates, chosen);
        if (at == NULL) return too_many(diag);
        at->roles = TL_ROLE_OUTSIDE;
    }
    at->roles |= role;
    return TELAR_OK;
}

static telar_status add_roles(const tl_subject *subject, const tl_domain *domain, const tl_sweep_facts *facts,
                              bool vectors, tl_candidates *candidates, telar_diag *diag)
{
    tl_candidate chosen;
    TELAR_TRY(choose(subject, domain, &facts->lesson, false, &chosen, diag));
    TELAR_TRY(give_role(candidates, &chosen, TL_ROLE_LESSON, diag));
    TELAR_TRY(choose(subject, domain, &facts->untuned, vectors, &chosen, diag));
    TELAR_TRY(give_role(candidates, &chosen, TL_ROLE_DEFAULT, diag));
    TELAR_TRY(choose(subject, domain, &facts->plan, vectors, &chosen, diag));
    TELAR_TRY(give_role(candidates, &chosen, TL_ROLE_PLAN, diag));
    chosen.roles = TL_ROLE_AGAIN;
    return append(candidates, &chosen) != NULL ? TELAR_OK : too_many(diag);
}

/* The two sizes that copy best on the devices measured (bench/results/h200-element.md). */
static void add_copies(tl_candidates *candidates)
{
    for (uint32_t size = 128; size <= 256; size *= 2) {
        append(candidates, &(tl_candidate){.size = {size, 1, 1},
                                           .items = 1,
                                           .shape = TELAR_SHAPE_LINEAR,
                                           .vector = true,
                                           .roles = TL_ROLE_COPY,
                                           .predicted_us = -1});
    }
}

static bool is_restricted(const tl_choices *choices)
{
    return choices->sizes_count + choices->items_count + choices->shapes_count > 0 || choices->no_vectors;
}

telar_status tl_candidates_list(const tl_subject *subject, const tl_domain *domain, const tl_sweep_facts *facts,
                                const tl_choices *choices, tl_candidates *candidates, telar_diag *diag)
{
    tl_choices all = *choices;
    list_sizes(subject, &all);
    list_items(subject, &all);
    list_shapes(subject, &all);
    bool vectors = subject->forms[1].module != NULL && !choices->no_vectors;
    candidates->count = 0;
    list_form(subject, domain, &facts->plan, &all, false, candidates);
    if (vectors) list_form(subject, domain, &facts->plan, &all, true, candidates);
    for (uint32_t k = 0; k < subject->sets_count; k++) TELAR_TRY(list_set(subject, k, candidates, diag));
    TELAR_TRY(add_roles(subject, domain, facts, vectors, candidates, diag));
    add_copies(candidates);
    /* Without restrictions there is no outside: the plan may have a size that is not on the list. */
    for (uint32_t k = 0; k < candidates->count && !is_restricted(choices); k++) {
        candidates->items[k].roles &= ~(uint32_t)TL_ROLE_OUTSIDE;
    }
    return TELAR_OK;
}
