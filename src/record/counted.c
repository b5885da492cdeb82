/* SPDX-License-Identifier: MIT
 *
 * Launches whose count the GPU makes: the prepare kernel's job, its scratch, the two dispatches. */
#include "record/builder.h"

#include <string.h>

#include "kernels.h"

/* The scratch of one counted launch: the launch block (8 words), x, y, z. Room for it as a uniform binding at offset 0.
 * It is a buffer of its own since one that is written in a dispatch cannot be its argument buffer. */
#define SLOT_BYTES 64
#define REPORT_BYTES sizeof(telar_count_report)
/* Bindings begin at a multiple of this on every device; the count lies behind. */
#define OFFSET_ALIGNMENT 256

static const telar_binding prepare_bindings[] = {
    {.name = "counts",
     .group = 0,
     .binding = 0,
     .space = TELAR_BINDING_STORAGE_READ,
     .element_bytes = 4,
     .min_bytes = 4},
    {.name = "launch", .group = 0, .binding = 1, .space = TELAR_BINDING_STORAGE_READ_WRITE, .min_bytes = 48},
    {.name = "report", .group = 0, .binding = 2, .space = TELAR_BINDING_STORAGE_READ_WRITE, .min_bytes = 16},
};

enum {
    JOB_WORDS = 8
};

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
                                                                           .params_words = JOB_WORDS,
                                                                           .workgroup_size = {1, 1, 1}});
    }
    return record->prepare;
}

static uint32_t or_one(uint32_t value)
{
    return value == 0 ? 1 : value;
}

static void fill_job(const telar_plan *plan, const telar_count *count, uint32_t job[JOB_WORDS])
{
    /* What the launch reaches when everything is asked for. */
    telar_indirect whole = telar_plan_indirect(plan, UINT32_MAX, plan->elements);
    job[0] = (uint32_t)(count->offset_bytes % OFFSET_ALIGNMENT / 4);
    job[1] = or_one(count->multiply);
    job[2] = or_one(count->divide);
    job[3] = whole.launched;
    job[4] = (uint32_t)telar_plan_group_elements(plan);
    job[5] = plan->groups_limit;
    job[6] = plan->shape == TELAR_SHAPE_FOLD ? plan->asked.fold_width : 0;
    job[7] = plan->shape == TELAR_SHAPE_STRIDE ? plan->dispatch[0] : 0;
}

static telar_buffer scratch(telar_record *record, uint32_t use, uint64_t size_bytes)
{
    return telar_record_buffer(record, &(telar_buffer_desc){.size_bytes = size_bytes, .use = use});
}

static void record_prepare(telar_record *record, const telar_plan *plan, const telar_count *count, telar_buffer slot,
                           telar_buffer report)
{
    uint32_t job[JOB_WORDS];
    fill_job(plan, count, job);
    uint64_t first_bytes = count->offset_bytes - count->offset_bytes % OFFSET_ALIGNMENT;
    const telar_bind binds[] = {
        {.buffer = count->buffer, .offset_bytes = first_bytes, .size_bytes = count->offset_bytes - first_bytes + 4},
        {.buffer = slot, .size_bytes = SLOT_BYTES},
        {.buffer = report, .size_bytes = REPORT_BYTES},
    };
    telar_record_dispatch(record, &(telar_dispatch_desc){.kernel = prepare_kernel(record),
                                                         .groups = {1, 1, 1},
                                                         .params = job,
                                                         .params_words = JOB_WORDS,
                                                         .binds = binds,
                                                         .binds_count = TL_COUNT(binds)});
}

static void record_consumer(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc, telar_buffer slot,
                            telar_buffer report, const telar_bind *binds)
{
    size_t start = tl_begin_op(record, TL_OP_DISPATCH_COUNTED);
    tl_put_u32(record, kernel.id);
    tl_put_u32(record, slot.id);
    tl_put_u64(record, 0);
    tl_put_u32(record, desc->bindings_count);
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        bool is_report = desc->canary && strcmp(desc->bindings[k].name, "telar_report") == 0;
        if (is_report) tl_put_bind(record, &(telar_bind){.buffer = report, .size_bytes = REPORT_BYTES});
        else tl_put_bind(record, binds++);
    }
    tl_end_op(record, start);
    record->commands++;
}

static bool can_count(telar_record *record, const telar_kernel_desc *desc, const telar_plan *plan,
                      const telar_count *count, uint32_t binds_count)
{
    const char *why = NULL;
    if (plan->dimensions != 1) why = "the plan's domain has more than one dimension";
    else if (plan->window_count != 1) why = "the plan's capacity is empty or needs windows";
    else if (desc->params_kind != TELAR_PARAMS_UNIFORM || desc->params_words != TELAR_LAUNCH_WORDS) {
        why = "the kernel was not woven with `counted`";
    } else if (count->offset_bytes % 4 != 0) why = "the count's offset is not a multiple of 4";
    else if (binds_count + desc->canary != desc->bindings_count)
        why = "a bind is needed for each of the kernel's bindings";
    if (why != NULL) tl_record_fail(record, "counted launch of '%s': %s", desc->name, why);
    return why == NULL;
}

void telar_record_launch_counted(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                                 const telar_plan *plan, const telar_count *count, const telar_bind *binds,
                                 uint32_t binds_count)
{
    if (count->buffer.id == 0) {
        telar_record_launch(record, kernel, desc, plan, binds, binds_count);
        return;
    }
    if (!can_count(record, desc, plan, count, binds_count)) return;
    if (!tl_can_dispatch(record, kernel, binds, binds_count)) return;
    telar_buffer slot = scratch(record, TELAR_USE_STORAGE | TELAR_USE_UNIFORM | TELAR_USE_INDIRECT, SLOT_BYTES);
    telar_buffer report = count->report.id != 0 ? count->report : scratch(record, TELAR_USE_STORAGE, REPORT_BYTES);
    record_prepare(record, plan, count, slot, report);
    record_consumer(record, kernel, desc, slot, report, binds);
}

telar_status telar_count_report_check(const telar_count_report *report, telar_diag *diag)
{
    if (report->launched == 0 || report->ran != 0) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_MISMATCH, 0, report->launched,
                         "the counted launch of %u elements (%u requested) ran nothing: the dispatch was skipped",
                         report->launched, report->requested);
}
