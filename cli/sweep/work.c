/* SPDX-License-Identifier: MIT
 *
 * The passes of a candidate. An element function is one; a reduction is dispatched again over its partials until one is
 * left; a scan goes down over the totals of its groups and comes back up adding. */
#include "sweep/sweep.h"

#include <string.h>

#define WORD_BYTES 4

/* ---- One pass ---------------------------------------------------------------------------------------------------- */

/* An ordinary kernel counts in invocations: as many as the groups of the plan have. */
static telar_status plan_launch(const telar_plan *plan, const telar_facts *facts, telar_plan *launch, telar_diag *diag)
{
    telar_plan_desc desc = {.dimensions = plan->dimensions, .items = 1};
    desc.shape = plan->shape == TELAR_SHAPE_FOLD ? TELAR_SHAPE_FOLD : TELAR_SHAPE_LINEAR;
    for (uint32_t axis = 0; axis < plan->dimensions; axis++) {
        uint64_t covered = (uint64_t)plan->workgroup_size[axis] * (axis == 0 ? plan->items : 1);
        desc.count[axis] = telar_ceil_div(plan->count[axis], covered) * plan->workgroup_size[axis];
    }
    if (plan->shape == TELAR_SHAPE_STRIDE) desc.count[0] = plan->groups * plan->workgroup_size[0];
    memcpy(desc.size, plan->workgroup_size, sizeof desc.size);
    return telar_plan_make(&desc, facts, launch, diag);
}

/* Plans the next pass; its bindings are added by tl_bind. */
static telar_status add_pass(const tl_subject *subject, const telar_facts *facts, const telar_plan_desc *desc,
                             const char *entry, tl_sweep_work *work, telar_diag *diag)
{
    if (work->count == TL_SWEEP_PASSES_MAX) {
        return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "more than %d passes", TL_SWEEP_PASSES_MAX);
    }
    tl_pass *pass = &work->passes[work->count];
    *pass = (tl_pass){.entry = entry};
    TELAR_TRY(tl_subject_plan(subject, desc, facts, &pass->plan, diag));
    pass->launch = pass->plan;
    if (subject->ordinary) TELAR_TRY(plan_launch(&pass->plan, facts, &pass->launch, diag));
    bool known = pass->plan.predicted_us >= 0 && work->predicted_us >= 0;
    work->predicted_us = known ? work->predicted_us + pass->plan.predicted_us : -1;
    work->count++;
    return TELAR_OK;
}

static void bind(tl_sweep_work *work, const char *name, uint32_t array, uint64_t bytes)
{
    tl_pass *pass = &work->passes[work->count - 1];
    pass->binds[pass->binds_count++] = (tl_pass_bind){name, array, bytes};
}

static telar_status add_scratch(const tl_bed *bed, tl_sweep_work *work, uint64_t bytes, uint32_t *array,
                                telar_diag *diag)
{
    if (work->scratch_count == TL_SWEEP_SCRATCH_MAX) {
        return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "more than %d scratch arrays", TL_SWEEP_SCRATCH_MAX);
    }
    *array = bed->arrays_count + work->scratch_count;
    work->scratch_bytes[work->scratch_count++] = bytes;
    return TELAR_OK;
}

static telar_plan_desc desc_of(const tl_subject *subject, const tl_domain *domain, const tl_candidate *candidate)
{
    telar_plan_desc desc = tl_subject_plan_desc(subject, domain, candidate->vector);
    memcpy(desc.size, candidate->size, sizeof desc.size);
    desc.items = candidate->items;
    desc.shape = candidate->shape;
    return desc;
}

/* Later passes have fewer elements: whatever shape these take. */
static telar_plan_desc desc_of_line(const telar_plan_desc *first, uint64_t elements)
{
    telar_plan_desc desc = *first;
    desc.count[0] = elements;
    desc.shape = TELAR_SHAPE_AUTO;
    return desc;
}

/* ---- Forms of work ----------------------------------------------------------------------------------------------- */

/* One pass over all arrays by their names. A vector kernel sees whole vectors. */
static telar_status make_single(const tl_subject *subject, const tl_bed *bed, const tl_candidate *candidate,
                                const telar_facts *facts, tl_sweep_work *work, telar_diag *diag)
{
    telar_plan_desc desc = desc_of(subject, &bed->domain, candidate);
    TELAR_TRY(add_pass(subject, facts, &desc, NULL, work, diag));
    for (uint32_t k = 0; k < bed->arrays_count; k++) {
        const tl_bed_array *array = &bed->arrays[k];
        if (strcmp(array->name, TL_COPY_SOURCE) == 0 || strcmp(array->name, TL_COPY_TARGET) == 0) continue;
        bind(work, array->name, k, candidate->vector ? tl_bed_buffer_bytes(array->bytes) : array->bytes);
    }
    return TELAR_OK;
}

static telar_status make_copy(const tl_subject *subject, const tl_bed *bed, const tl_candidate *candidate,
                              const telar_facts *facts, tl_sweep_work *work, telar_diag *diag)
{
    uint32_t source = tl_bed_find(bed, TL_COPY_SOURCE);
    tl_domain domain = {{bed->arrays[source].bytes / 16, 1, 1}, 1};
    tl_candidate plain = *candidate;
    plain.vector = false; /* its arrays are of vectors to begin with */
    plain.shape = TELAR_SHAPE_AUTO;
    telar_plan_desc desc = desc_of(subject, &domain, &plain);
    TELAR_TRY(add_pass(subject, facts, &desc, NULL, work, diag));
    bind(work, "s", source, 0);
    bind(work, "d", source + 1, 0);
    return TELAR_OK;
}

static telar_status make_reduce(const tl_subject *subject, const tl_bed *bed, const tl_candidate *candidate,
                                const telar_facts *facts, tl_sweep_work *work, telar_diag *diag)
{
    telar_plan_desc first = desc_of(subject, &bed->domain, candidate);
    telar_plan_desc desc = first;
    uint32_t source = 0, result = 1;
    for (;;) {
        TELAR_TRY(add_pass(subject, facts, &desc, NULL, work, diag));
        uint64_t partials = work->passes[work->count - 1].plan.groups;
        uint32_t target = result;
        if (partials > 1) TELAR_TRY(add_scratch(bed, work, partials * WORD_BYTES, &target, diag));
        bind(work, "s", source, desc.count[0] * WORD_BYTES);
        bind(work, "d", target, partials * WORD_BYTES);
        if (partials <= 1) return TELAR_OK;
        desc = desc_of_line(&first, partials);
        source = target;
    }
}

/* What one level of a scan reads and writes. */
typedef struct scan_level {
    uint64_t elements;
    uint32_t source, target, totals;
} scan_level;

static telar_status scan_down(const tl_subject *subject, const tl_bed *bed, const telar_facts *facts,
                              const telar_plan_desc *first, scan_level *levels, uint32_t *count, tl_sweep_work *work,
                              telar_diag *diag)
{
    scan_level level = {.elements = first->count[0], .source = 0, .target = 1};
    telar_plan_desc desc = *first;
    for (*count = 0;; (*count)++) {
        TELAR_TRY(add_pass(subject, facts, &desc, "scan", work, diag));
        uint64_t groups = work->passes[work->count - 1].plan.groups;
        TELAR_TRY(add_scratch(bed, work, groups * WORD_BYTES, &level.totals, diag));
        bind(work, "s", level.source, level.elements * WORD_BYTES);
        bind(work, "d", level.target, level.elements * WORD_BYTES);
        bind(work, "totals", level.totals, groups * WORD_BYTES);
        levels[*count] = level;
        if (groups <= 1) return TELAR_OK;
        level.elements = groups;
        level.source = level.totals;
        TELAR_TRY(add_scratch(bed, work, groups * WORD_BYTES, &level.target, diag));
        desc = desc_of_line(first, groups);
    }
}

static telar_status make_scan(const tl_subject *subject, const tl_bed *bed, const tl_candidate *candidate,
                              const telar_facts *facts, tl_sweep_work *work, telar_diag *diag)
{
    scan_level levels[TL_SWEEP_PASSES_MAX];
    uint32_t count;
    telar_plan_desc first = desc_of(subject, &bed->domain, candidate);
    TELAR_TRY(scan_down(subject, bed, facts, &first, levels, &count, work, diag));
    while (count-- > 0) {
        const scan_level *above = &levels[count];
        telar_plan_desc desc = count == 0 ? first : desc_of_line(&first, above->elements);
        desc.kind = TELAR_KIND_ELEMENT;
        desc.workgroup_memory_bytes = 0;
        TELAR_TRY(add_pass(subject, facts, &desc, "add", work, diag));
        bind(work, "d", above->target, above->elements * WORD_BYTES);
        bind(work, "before", levels[count + 1].target, levels[count + 1].elements * WORD_BYTES);
    }
    return TELAR_OK;
}

telar_status tl_sweep_work_make(const tl_subject *subject, const tl_bed *bed, const tl_candidate *candidate,
                                const telar_facts *facts, tl_sweep_work *work, telar_diag *diag)
{
    *work = (tl_sweep_work){0};
    if ((candidate->roles & TL_ROLE_COPY) != 0) return make_copy(subject, bed, candidate, facts, work, diag);
    telar_kind kind = subject->builtin != NULL ? subject->kind : TELAR_KIND_ELEMENT;
    if (kind == TELAR_KIND_REDUCE) return make_reduce(subject, bed, candidate, facts, work, diag);
    if (kind == TELAR_KIND_SCAN) return make_scan(subject, bed, candidate, facts, work, diag);
    return make_single(subject, bed, candidate, facts, work, diag);
}
