/* SPDX-License-Identifier: MIT
 *
 * Stages: a kernel over a tiling of the elements. A length that the host knows becomes dispatches, one a window; a count
 * on the GPU goes through the prepare kernel, once for all tilings of a call. */
#include "prim/prim.h"
#include "record/counted.h"

#include <string.h>

uint32_t tl_job_tiling(tl_job *job, tl_tiling tiling)
{
    for (uint32_t k = 0; k < job->tilings_count; k++) {
        const tl_tiling *other = &job->tilings[k];
        if (other->elements == tiling.elements && other->groups_max == tiling.groups_max) return k;
    }
    TELAR_ASSERT(job->tilings_count < TL_TILINGS_MAX);
    job->tilings[job->tilings_count] = tiling;
    return job->tilings_count++;
}

/* ---- Windows ----------------------------------------------------------------------------------------------------- */

/* A window ends where a tile of every tiling does, and begins at an aligned offset in every array. */
static uint64_t window_step(const tl_job *job)
{
    uint64_t step = 256;
    for (uint32_t k = 0; k < job->tilings_count; k++) {
        uint64_t elements = job->tilings[k].elements;
        if (elements == 0) continue;
        uint64_t a = step, b = elements;
        while (b != 0) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        step = step / a * elements;
    }
    return step;
}

uint64_t tl_job_window_elements(const tl_job *job)
{
    if (job->length.count <= job->window_elements) return job->length.count;
    uint64_t step = window_step(job);
    return job->window_elements / step * step;
}

uint64_t tl_job_windows(const tl_job *job)
{
    uint64_t elements = tl_job_window_elements(job);
    return elements == 0 ? 1 : telar_ceil_div(job->length.count, elements);
}

static uint64_t groups_of(const tl_tiling *tiling, uint64_t elements)
{
    if (tiling->elements == 0) return 1;
    uint64_t tiles = telar_ceil_div(elements, tiling->elements);
    return tiling->groups_max != 0 && tiles > tiling->groups_max ? tiling->groups_max : tiles;
}

uint64_t tl_job_groups(const tl_job *job, uint32_t tiling_number)
{
    const tl_tiling *tiling = &job->tilings[tiling_number];
    uint64_t window = tl_job_window_elements(job);
    if (window == 0 || tiling->elements == 0) return groups_of(tiling, job->length.count);
    uint64_t whole = job->length.count / window, rest = job->length.count % window;
    return whole * groups_of(tiling, window) + groups_of(tiling, rest);
}

/* ---- A count on the GPU ------------------------------------------------------------------------------------------ */

/* The plan of a tiling, as the prepare kernel needs it. */
static telar_plan plan_of(const tl_job *job, const tl_tiling *tiling)
{
    uint64_t limit = job->prim->facts->limits.maxComputeWorkgroupsPerDimension;
    uint32_t elements = tiling->elements == 0 ? UINT32_MAX : (uint32_t)tiling->elements;
    return (telar_plan){.dimensions = 1,
                        .count = {job->length.count, 1, 1},
                        .elements = job->length.count,
                        .workgroup_size = {elements, 1, 1},
                        .items = 1,
                        .shape = tiling->groups_max == 0 ? TELAR_SHAPE_FOLD : TELAR_SHAPE_STRIDE,
                        .dispatch = {tiling->groups_max, 1, 1},
                        .groups_limit = (uint32_t)limit,
                        .window_elements = job->length.count,
                        .window_count = 1};
}

void tl_job_prepare(tl_job *job)
{
    if (job->length.count > 0 && tl_job_window_elements(job) == 0) {
        tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, job->window_elements, window_step(job),
                          "a binding holds %llu elements, less than a tile of %llu",
                          (unsigned long long)job->window_elements, (unsigned long long)window_step(job));
    }
    if (!job->counted || tl_job_failed(job)) return;
    if (tl_job_windows(job) > 1) {
        tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, job->length.count, job->window_elements,
                          "a count on the GPU may be up to what one binding holds (%llu elements), the capacity is "
                          "%llu",
                          (unsigned long long)job->window_elements, (unsigned long long)job->length.count);
        return;
    }
    telar_plan plans[TL_TILINGS_MAX];
    const telar_plan *list[TL_TILINGS_MAX];
    telar_count counts[TL_TILINGS_MAX];
    for (uint32_t k = 0; k < job->tilings_count; k++) {
        plans[k] = plan_of(job, &job->tilings[k]);
        list[k] = &plans[k];
        counts[k] = job->length.on_gpu;
    }
    telar_record_counts(job->record, counts, list, job->tilings_count, job->prepared);
}

/* ---- Launching --------------------------------------------------------------------------------------------------- */

/* The part of the array that a window covers; the last one keeps the room behind its elements. */
static telar_bind cut(const tl_stage_bind *bind, uint64_t first, uint64_t count, bool last)
{
    telar_bind part = bind->bind;
    if (bind->element_bytes == 0) return part;
    uint64_t back = first == 0 ? 0 : bind->back_elements;
    uint64_t skipped_bytes = (first - back) * bind->element_bytes;
    part.offset_bytes += skipped_bytes;
    part.size_bytes = last ? part.size_bytes - skipped_bytes : bind->lead_bytes + (back + count) * bind->element_bytes;
    return part;
}

typedef struct window {
    uint64_t first;
    uint64_t count;
    uint64_t groups_before;
    bool last;
} window;

static void launch_window(tl_job *job, const tl_kernel *kernel, const tl_stage_bind *binds, uint32_t binds_count,
                          window part)
{
    const tl_tiling *tiling = &job->tilings[kernel->tiling];
    uint64_t groups = groups_of(tiling, part.count);
    uint64_t tiles = tiling->elements == 0 ? 1 : telar_ceil_div(part.count, tiling->elements);
    uint32_t dispatch[3];
    telar_bind parts[TL_STAGE_BINDS_MAX];
    if (groups == 0) return;
    if (!telar_fold(groups, (uint32_t)job->prim->facts->limits.maxComputeWorkgroupsPerDimension, dispatch)) {
        tl_job_fail(job, TELAR_LIMIT_EXCEEDED, "%llu workgroups are more than a dispatch can have",
                    (unsigned long long)groups);
        return;
    }
    for (uint32_t k = 0; k < binds_count; k++) parts[k] = cut(&binds[k], part.first, part.count, part.last);
    const uint32_t words[TELAR_LAUNCH_WORDS] = {
        (uint32_t)part.count, (uint32_t)(part.count >> 32), 1, (uint32_t)tiles, dispatch[0], dispatch[1],
        (uint32_t)groups,     (uint32_t)part.groups_before};
    telar_record_dispatch(job->record, &(telar_dispatch_desc){.kernel = kernel->handle,
                                                              .groups = {dispatch[0], dispatch[1], dispatch[2]},
                                                              .params = words,
                                                              .params_words = TELAR_LAUNCH_WORDS,
                                                              .binds = parts,
                                                              .binds_count = binds_count});
}

static void launch_windows(tl_job *job, const tl_kernel *kernel, const tl_stage_bind *binds, uint32_t binds_count)
{
    const tl_tiling *tiling = &job->tilings[kernel->tiling];
    uint64_t length = job->length.count, step = tl_job_window_elements(job);
    if (tiling->elements == 0) {
        launch_window(job, kernel, binds, binds_count, (window){.count = length, .last = true});
        return;
    }
    window part = {0};
    for (; part.first < length; part.first += step) {
        part.count = length - part.first < step ? length - part.first : step;
        part.last = part.first + part.count == length;
        launch_window(job, kernel, binds, binds_count, part);
        part.groups_before += groups_of(tiling, part.count);
    }
}

/* One workgroup alone also runs for a count of 0: it is dispatched from here and reads the count that was prepared. */
static void launch_alone(tl_job *job, const tl_kernel *kernel, const tl_stage_bind *binds, uint32_t binds_count)
{
    telar_bind parts[TL_STAGE_BINDS_MAX];
    const telar_counted *counted = &job->prepared[kernel->tiling];
    for (uint32_t k = 0; k < binds_count; k++) parts[k] = binds[k].bind;
    if (kernel->launch_bound) {
        parts[binds_count++] = (telar_bind){.buffer = counted->launch,
                                            .offset_bytes = (uint64_t)TL_LAUNCH_SLOT_BYTES * counted->index,
                                            .size_bytes = (uint64_t)4 * TELAR_LAUNCH_WORDS};
    }
    telar_record_dispatch(
        job->record, &(telar_dispatch_desc){
                         .kernel = kernel->handle, .groups = {1, 1, 1}, .binds = parts, .binds_count = binds_count});
}

void tl_job_launch(tl_job *job, const tl_kernel *kernel, const tl_stage_bind *binds, uint32_t binds_count)
{
    if (tl_job_failed(job)) return;
    TELAR_ASSERT(binds_count < TL_STAGE_BINDS_MAX);
    if (!job->counted) {
        launch_windows(job, kernel, binds, binds_count);
    } else if (job->tilings[kernel->tiling].elements == 0) {
        launch_alone(job, kernel, binds, binds_count);
    } else {
        telar_bind parts[TL_STAGE_BINDS_MAX];
        for (uint32_t k = 0; k < binds_count; k++) parts[k] = binds[k].bind;
        telar_record_launch_prepared(job->record, kernel->handle, &kernel->desc, &job->prepared[kernel->tiling], parts,
                                     binds_count);
    }
}

/* ---- A kernel in the making -------------------------------------------------------------------------------------- */

void tl_stage_view(tl_prim_stage *stage, const char *name, const tl_view *view, bool written)
{
    tl_text_view(&stage->text, name, stage->binds_count, view, written);
    stage->binds[stage->binds_count++] = view->bind;
}

void tl_stage_declare(tl_prim_stage *stage, telar_buffer buffer, const char *declaration)
{
    tl_text_format(&stage->text, "@group(0) @binding(%u) var<storage, %s;\n", stage->binds_count, declaration);
    stage->binds[stage->binds_count++] = tl_bind_whole(buffer);
}

void tl_stage_number_part(tl_prim_stage *stage, const char *constant, telar_bind part)
{
    tl_text_u32(&stage->text, constant, stage->binds_count);
    stage->binds[stage->binds_count++] = (tl_stage_bind){.bind = part};
}

void tl_stage_number(tl_prim_stage *stage, const char *constant, telar_buffer buffer)
{
    tl_stage_number_part(stage, constant, tl_bind_whole(buffer).bind);
}

void tl_stage_launch(tl_prim_stage *stage)
{
    tl_kernel kernel = tl_text_end(&stage->text);
    tl_job_launch(stage->text.job, &kernel, stage->binds, stage->binds_count);
}
