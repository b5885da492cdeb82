/* SPDX-License-Identifier: MIT
 *
 * Launches whose count the GPU makes: the prepare kernel's jobs, its scratch, the dispatches. */
#include "record/counted.h"
#include "record/builder.h"

#include <string.h>

#include "kernels.h"
#include "plan/plan.h"

#define REPORT_BYTES ((uint64_t)sizeof(telar_count_report))
/* Bindings may begin at a multiple of this on every device. */
#define OFFSET_ALIGNMENT 256u

static const telar_binding prepare_bindings[] = {
    {.name = "counts",
     .group = 0,
     .binding = 0,
     .space = TELAR_BINDING_STORAGE_READ,
     .element_bytes = 4,
     .min_bytes = 4},
    {.name = "launches",
     .group = 0,
     .binding = 1,
     .space = TELAR_BINDING_STORAGE_READ_WRITE,
     .min_bytes = TL_LAUNCH_SLOT_BYTES},
    {.name = "reports", .group = 0, .binding = 2, .space = TELAR_BINDING_STORAGE_READ_WRITE, .min_bytes = 16},
};

/* As struct Job of the kernel. */
typedef struct prepare_job {
    uint32_t index;
    uint32_t multiply;
    uint32_t divide;
    uint32_t most;
    uint32_t group_elements;
    uint32_t limit;
    uint32_t fold_width;
    uint32_t stride_groups;
} prepare_job;

#define JOBS_WORDS (TELAR_COUNTS_MAX * (uint32_t)(sizeof(prepare_job) / 4))

static telar_kernel prepare_kernel(telar_record *record)
{
    if (record->prepare.id == 0) {
        record->prepare = telar_record_kernel(record, &(telar_kernel_desc){.name = "prepare",
                                                                           .wgsl = tl_wgsl_prepare,
                                                                           .wgsl_bytes = strlen(tl_wgsl_prepare),
                                                                           .entry = "prepare",
                                                                           .bindings = prepare_bindings,
                                                                           .bindings_count = TL_COUNT(prepare_bindings),
                                                                           .params_kind = TELAR_PARAMS_UNIFORM,
                                                                           .params_group = 1,
                                                                           .params_words = JOBS_WORDS,
                                                                           .workgroup_size = {1, 1, 1}});
    }
    return record->prepare;
}

static uint32_t or_one(uint32_t value)
{
    return value == 0 ? 1 : value;
}

static prepare_job job_of(const telar_plan *plan, const telar_count *count, uint64_t first_bytes)
{
    /* What the launch reaches when everything is asked for. */
    telar_indirect whole = telar_plan_indirect(plan, UINT32_MAX, plan->elements);
    return (prepare_job){.index = (uint32_t)((count->offset_bytes - first_bytes) / 4),
                         .multiply = or_one(count->multiply),
                         .divide = or_one(count->divide),
                         .most = whole.launched,
                         .group_elements = (uint32_t)telar_plan_group_elements(plan),
                         .limit = plan->groups_limit,
                         .fold_width = plan->shape == TELAR_SHAPE_FOLD ? plan->asked.fold_width : 0,
                         .stride_groups = plan->shape == TELAR_SHAPE_STRIDE ? plan->dispatch[0] : 0};
}

/* ---- Verification ------------------------------------------------------------------------------------------------ */

bool tl_is_prepare_kernel(const tl_op_kernel *kernel)
{
    bool same = tl_str_equal(kernel->wgsl, tl_str_of(tl_wgsl_prepare)) &&
                tl_str_equal(kernel->entry, TL_STR("prepare")) && kernel->params_words == JOBS_WORDS &&
                kernel->bindings.count == TL_COUNT(prepare_bindings) && kernel->overrides.count == 0;
    for (uint32_t k = 0; same && k < kernel->bindings.count; k++) {
        tl_binding binding = tl_binding_at(kernel->bindings, k);
        same = binding.group == prepare_bindings[k].group && binding.binding == prepare_bindings[k].binding;
    }
    return same;
}

static bool job_keeps_limit(const prepare_job *job, uint64_t limit)
{
    if (job->multiply == 0 || job->divide == 0 || job->group_elements == 0 || job->limit == 0) return false;
    if (job->limit > limit || job->fold_width > limit || job->stride_groups > limit) return false;
    uint64_t groups = telar_ceil_div(job->most, job->group_elements);
    if (groups == 0 || job->stride_groups > 0) return true;
    uint32_t dispatch[3];
    if (job->fold_width > 0) return tl_fold_width(groups, job->fold_width, job->limit, dispatch);
    return telar_fold(groups, job->limit, dispatch);
}

bool tl_jobs_keep_limit(tl_words params, uint32_t count, uint64_t limit)
{
    if (count > TELAR_COUNTS_MAX || params.count != JOBS_WORDS) return false;
    for (uint32_t k = 0; k < count; k++) {
        prepare_job job;
        memcpy(&job, params.words + (size_t)k * (sizeof job / 4), sizeof job);
        if (!job_keeps_limit(&job, limit)) return false;
    }
    return true;
}

/* ---- Preparing counts -------------------------------------------------------------------------------------------- */

static const char *why_not_prepare(const telar_count *counts, const telar_plan *const *plans, uint32_t count)
{
    if (count == 0 || count > TELAR_COUNTS_MAX) return "from 1 to 16 counts can be prepared at once";
    for (uint32_t k = 0; k < count; k++) {
        if (plans[k]->dimensions != 1) return "the plan's domain has more than one dimension";
        if (plans[k]->window_count != 1) return "the plan's capacity is empty or needs windows";
        if (counts[k].offset_bytes % 4 != 0) return "the count's offset is not a multiple of 4";
        if (counts[k].buffer.id != counts[0].buffer.id) return "the counts stand in different buffers";
        if (counts[k].report.id != counts[0].report.id) return "the counts have different report buffers";
    }
    return NULL;
}

static telar_buffer scratch(telar_record *record, const char *name, uint32_t use, uint64_t size_bytes)
{
    return telar_record_buffer(record, &(telar_buffer_desc){.name = name, .size_bytes = size_bytes, .use = use});
}

/* The part of the count buffer from the first count to the last, aligned for a binding. */
static telar_bind bind_of_counts(const telar_count *counts, uint32_t count)
{
    uint64_t first_bytes = counts[0].offset_bytes, end_bytes = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (counts[k].offset_bytes < first_bytes) first_bytes = counts[k].offset_bytes;
        if (counts[k].offset_bytes + 4 > end_bytes) end_bytes = counts[k].offset_bytes + 4;
    }
    first_bytes -= first_bytes % OFFSET_ALIGNMENT;
    return (telar_bind){.buffer = counts[0].buffer, .offset_bytes = first_bytes, .size_bytes = end_bytes - first_bytes};
}

static void record_prepare(telar_record *record, const telar_count *counts, const telar_plan *const *plans,
                           uint32_t count, telar_buffer launches, telar_buffer reports)
{
    prepare_job jobs[TELAR_COUNTS_MAX] = {0};
    uint32_t words[JOBS_WORDS];
    telar_bind bind = bind_of_counts(counts, count);
    for (uint32_t k = 0; k < count; k++) jobs[k] = job_of(plans[k], &counts[k], bind.offset_bytes);
    memcpy(words, jobs, sizeof words);
    const telar_bind binds[] = {
        bind,
        {.buffer = launches, .size_bytes = (uint64_t)TL_LAUNCH_SLOT_BYTES * count},
        {.buffer = reports, .size_bytes = REPORT_BYTES * count},
    };
    telar_record_dispatch(record, &(telar_dispatch_desc){.kernel = prepare_kernel(record),
                                                         .groups = {count, 1, 1},
                                                         .params = words,
                                                         .params_words = JOBS_WORDS,
                                                         .binds = binds,
                                                         .binds_count = TL_COUNT(binds)});
}

void telar_record_counts(telar_record *record, const telar_count *counts, const telar_plan *const *plans,
                         uint32_t counts_count, telar_counted *counted)
{
    const char *why = why_not_prepare(counts, plans, counts_count);
    for (uint32_t k = 0; k < counts_count; k++) counted[k] = (telar_counted){0};
    if (why != NULL) {
        tl_record_fail(record, "counts: %s", why);
        return;
    }
    telar_buffer launches = scratch(record, "launches", TELAR_USE_STORAGE | TELAR_USE_UNIFORM | TELAR_USE_INDIRECT,
                                    (uint64_t)TL_LAUNCH_SLOT_BYTES * counts_count);
    telar_buffer reports = counts[0].report;
    if (reports.id == 0) reports = scratch(record, "reports", TELAR_USE_STORAGE, REPORT_BYTES * counts_count);
    record_prepare(record, counts, plans, counts_count, launches, reports);
    for (uint32_t k = 0; k < counts_count; k++) counted[k] = (telar_counted){launches, k, reports, plans[k]->elements};
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

static const char *why_not_launch(const telar_kernel_desc *desc, const telar_counted *counted)
{
    if (counted->launch.id == 0) return "no count was prepared for it";
    if (desc->params_kind != TELAR_PARAMS_UNIFORM || desc->params_words != TELAR_LAUNCH_WORDS) {
        return "the kernel was not woven with `counted`";
    }
    return NULL;
}

void telar_record_launch_prepared(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                                  const telar_counted *counted, const telar_bind *binds, uint32_t binds_count)
{
    const char *why = why_not_launch(desc, counted);
    if (why != NULL) {
        tl_record_fail(record, "counted launch of '%s': %s", desc->name, why);
        return;
    }
    if (!tl_can_dispatch(record, kernel, binds, binds_count)) return;
    if (!tl_can_launch(record, desc, counted->capacity, binds, binds_count)) return;
    size_t start = tl_begin_op(record, TL_OP_DISPATCH_COUNTED);
    tl_put_u32(record, kernel.id);
    tl_put_u32(record, counted->launch.id);
    tl_put_u64(record, (uint64_t)TL_LAUNCH_SLOT_BYTES * counted->index);
    tl_put_u32(record, desc->bindings_count);
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        if (tl_is_report(desc, k)) tl_put_bind(record, &(telar_bind){.buffer = counted->report});
        else tl_put_bind(record, tl_bind_for(desc, k, binds, binds_count));
    }
    tl_end_op(record, start);
    record->commands++;
}

void telar_record_launch_counted(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                                 const telar_plan *plan, const telar_count *count, const telar_bind *binds,
                                 uint32_t binds_count)
{
    if (count->buffer.id == 0) {
        telar_record_launch(record, kernel, desc, plan, binds, binds_count);
        return;
    }
    telar_counted counted;
    telar_record_counts(record, count, &plan, 1, &counted);
    if (record->status == TELAR_OK) telar_record_launch_prepared(record, kernel, desc, &counted, binds, binds_count);
}

telar_status telar_count_report_check(const telar_count_report *report, telar_diag *diag)
{
    if (report->launched == 0 || report->ran != 0) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_MISMATCH, 0, report->launched,
                         "the counted launch of %u elements (%u requested) ran nothing: the dispatch was skipped",
                         report->launched, report->requested);
}
