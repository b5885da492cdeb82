/* SPDX-License-Identifier: MIT
 *
 * Buffers, recording, timing. Data goes up and comes back in parts, so that memory for it is never taken twice. */
#include "run_launch.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES ((uint64_t)16 << 20)
#define GUARD_BYTES_MIN 1024
#define GUARD_BYTE 0xA5

/* ---- buffers ------------------------------------------------------------------------------------------------------- */

/* A guard keeps the data at an offset that a binding may have. */
static uint64_t guard_bytes_of(const telar_limits *limits)
{
    uint64_t guard = GUARD_BYTES_MIN;
    if (limits->minStorageBufferOffsetAlignment > guard) guard = limits->minStorageBufferOffsetAlignment;
    if (limits->minUniformBufferOffsetAlignment > guard) guard = limits->minUniformBufferOffsetAlignment;
    return guard;
}

static uint64_t guard_of(const tl_launch *launch, const tl_held *held)
{
    return held->datum == NULL ? 0 : launch->guard_bytes;
}

static uint64_t whole_bytes(const tl_launch *launch, const tl_held *held)
{
    return held->data_bytes + 2 * guard_of(launch, held);
}

static telar_status check_size(const tl_launch *launch, const tl_held *held, telar_diag *diag)
{
    uint64_t limit = telar_host_facts(launch->host)->limits.maxBufferSize;
    uint64_t bytes = whole_bytes(launch, held);
    if (bytes <= limit) return TELAR_OK;
    return tl_fail_limit(
        diag, TELAR_LIMIT_EXCEEDED, bytes, limit,
        "%s takes %llu bytes, a buffer of this device has at most maxBufferSize (%llu); run it in parts", held->name,
        (unsigned long long)bytes, (unsigned long long)limit);
}

static telar_status fill_guards(const tl_launch *launch, const tl_held *held, telar_diag *diag)
{
    uint64_t guard = guard_of(launch, held);
    if (guard == 0) return TELAR_OK;
    void *pattern;
    TELAR_TRY(tl_array_alloc("a guard band", guard, &pattern, diag));
    memset(pattern, GUARD_BYTE, (size_t)guard);
    telar_status status = telar_host_write(launch->host, held->handle, 0, pattern, guard, diag);
    if (status == TELAR_OK) {
        status = telar_host_write(launch->host, held->handle, guard + held->data_bytes, pattern, guard, diag);
    }
    free(pattern);
    return status;
}

telar_status tl_upload(const tl_cli *cli, telar_host *host, const char *name, const tl_array *array, WGPUBuffer buffer,
                       uint64_t offset_bytes, telar_diag *diag)
{
    /* Buffers of the host begin as zeros. */
    if (array->fill == TL_FILL_ZERO || array->size_bytes == 0) return TELAR_OK;
    void *scratch = NULL;
    if (array->fill != TL_FILL_NONE) TELAR_TRY(tl_array_alloc(name, PART_BYTES, &scratch, diag));
    tl_progress progress = tl_progress_begin(TL_PICK(cli, "writing the data", "escribiendo los datos"));
    telar_status status = TELAR_OK;
    for (uint64_t at = 0; status == TELAR_OK && at < array->size_bytes; at += PART_BYTES) {
        uint64_t bytes = array->size_bytes - at < PART_BYTES ? array->size_bytes - at : PART_BYTES;
        const void *part = tl_array_part(array, at, scratch, (size_t)bytes);
        status = telar_host_write(host, buffer, offset_bytes + at, part, bytes, diag);
        tl_progress_at(&progress, at, array->size_bytes);
    }
    tl_progress_end(&progress);
    free(scratch);
    return status;
}

static telar_status make_buffer(const tl_launch *launch, tl_held *held, telar_diag *diag)
{
    const tl_datum *datum = held->datum;
    TELAR_TRY(check_size(launch, held, diag));
    TELAR_TRY(telar_host_buffer_create(launch->host, whole_bytes(launch, held), &held->handle, diag));
    TELAR_TRY(fill_guards(launch, held, diag));
    if (datum == NULL) return TELAR_OK;
    if (datum->bytes != NULL) {
        return telar_host_write(launch->host, held->handle, launch->guard_bytes, datum->bytes,
                                datum->layout.buffer_bytes, diag);
    }
    return tl_upload(launch->cli, launch->host, held->name, &datum->array, held->handle, launch->guard_bytes, diag);
}

/* ---- which buffers there are --------------------------------------------------------------------------------------- */

static tl_held held_of(const tl_datum *datum, bool uniform)
{
    if (datum == NULL) {
        return (tl_held){.name = TL_REPORT_NAME, .data_bytes = sizeof(telar_count_report), .use = TELAR_USE_STORAGE};
    }
    return (tl_held){.name = datum->variable->name,
                     .datum = datum,
                     .data_bytes = datum->buffer_bytes,
                     .use = (uint32_t)(uniform ? TELAR_USE_UNIFORM : TELAR_USE_STORAGE)};
}

uint32_t tl_launch_find(const tl_launch *launch, const tl_datum *datum)
{
    for (uint32_t k = 0; k < launch->held_count; k++) {
        if (launch->held[k].datum == datum) return k;
    }
    return UINT32_MAX;
}

/* The count and the report have a buffer even where the kernel has no binding for them. */
static uint32_t find_or_add(tl_launch *launch, const tl_datum *datum)
{
    uint32_t found = tl_launch_find(launch, datum);
    if (found == UINT32_MAX) {
        found = launch->held_count++;
        launch->held[found] = held_of(datum, false);
    }
    launch->held[found].use |= TELAR_USE_STORAGE;
    return found;
}

static telar_status list_buffers(tl_launch *launch, telar_diag *diag)
{
    const telar_kernel_desc *kernel = &launch->woven->kernel;
    launch->held = calloc(kernel->bindings_count + 2, sizeof *launch->held);
    if (launch->held == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    for (uint32_t k = 0; k < kernel->bindings_count; k++) {
        const telar_binding *binding = &kernel->bindings[k];
        launch->held[k] = held_of(tl_data_of(launch->data, binding), binding->space == TELAR_BINDING_UNIFORM);
    }
    launch->held_count = kernel->bindings_count;
    if (!launch->counted) return TELAR_OK;
    launch->count_at = find_or_add(launch, launch->data->counted);
    launch->report_at = find_or_add(launch, NULL);
    return TELAR_OK;
}

/* ---- beginning and ending ------------------------------------------------------------------------------------------ */

static telar_status prepare(tl_launch *launch, telar_diag *diag)
{
    TELAR_TRY(tl_launch_record(launch, &launch->words, &launch->recording, diag));
    uint32_t count = launch->held_count;
    telar_bound_buffer *bound = calloc(count + 1, sizeof *bound);
    if (bound == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    /* The buffers were recorded first, in their order: their ids count from 1. */
    for (uint32_t k = 0; k < count; k++) bound[k] = (telar_bound_buffer){{k + 1}, launch->held[k].handle};
    telar_status status = telar_host_prepare(launch->host, launch->recording, bound, count, &launch->prepared, diag);
    free(bound);
    return status;
}

/* A clock that ticks in long quanta times many launches at once. */
static uint32_t batch_of(const telar_host *host, uint32_t repeat)
{
    if (telar_host_time_quantum_ns(host) <= 1000) return 1;
    uint32_t batch = repeat < 64 ? repeat : 64;
    while (repeat % batch != 0) batch--;
    return batch;
}

static telar_status begin(tl_launch *launch, telar_diag *diag)
{
    TELAR_TRY(list_buffers(launch, diag));
    for (uint32_t k = 0; k < launch->held_count; k++) TELAR_TRY(make_buffer(launch, &launch->held[k], diag));
    if (launch->counted && launch->guard_bytes > 0) {
        TELAR_TRY(tl_launch_read(launch, launch->count_at, launch->data->counted_bytes, &launch->count_value,
                                 sizeof launch->count_value, diag));
    }
    return launch->plan->shape == TELAR_SHAPE_EMPTY ? TELAR_OK : prepare(launch, diag);
}

telar_status tl_launch_begin(const tl_launch_desc *desc, tl_launch *launch, telar_diag *diag)
{
    bool clock = telar_host_time_quantum_ns(desc->host) > 0;
    *launch = (tl_launch){.cli = desc->cli,
                          .host = desc->host,
                          .data = desc->data,
                          .plan = desc->plan,
                          .woven = desc->woven,
                          .counted = desc->counted,
                          .timed = desc->timed && clock,
                          .batch = desc->timed && clock ? batch_of(desc->host, desc->repeat) : 1};
    if (desc->guarded) launch->guard_bytes = guard_bytes_of(&telar_host_facts(desc->host)->limits);
    telar_status status = begin(launch, diag);
    if (status != TELAR_OK) tl_launch_end(launch);
    return status;
}

void tl_launch_end(tl_launch *launch)
{
    if (launch->host == NULL) return;
    telar_prepared_release(launch->prepared);
    for (uint32_t k = 0; k < launch->held_count; k++) {
        if (launch->held[k].handle != NULL) telar_host_buffer_release(launch->host, launch->held[k].handle);
    }
    free(launch->held);
    free(launch->words);
    *launch = (tl_launch){0};
}

/* ---- running ------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(double *gpu_us, uint32_t count, tl_times *times)
{
    qsort(gpu_us, count, sizeof *gpu_us, by_value);
    times->gpu = true;
    times->min_us = gpu_us[0];
    times->median_us = count % 2 != 0 ? gpu_us[count / 2] : (gpu_us[count / 2 - 1] + gpu_us[count / 2]) / 2;
}

/* The sum of the spans; those without work take none. */
static telar_status time_of(const tl_rounds *rounds, double *us, telar_diag *diag)
{
    *us = 0;
    for (uint32_t k = 0; k < rounds->spans; k++) {
        double ns = 0;
        telar_status status = telar_prepared_time_ns(rounds->prepared, k, &ns, diag);
        if (status != TELAR_OK && status != TELAR_NOT_FOUND) return status;
        *us += ns / 1000 / rounds->batch;
    }
    return TELAR_OK;
}

#define NOTICE_NS UINT64_C(10000000000)

/* Submits and waits as long as it takes: a kernel may be meant to run for minutes. One that never ends is told apart only
 * by who wrote it, so after a while this says what it waits for. */
static telar_status run_once(const tl_rounds *rounds, telar_diag *diag)
{
    TELAR_TRY(telar_prepared_submit(rounds->prepared, diag));
    telar_status status = telar_host_wait(rounds->host, NOTICE_NS, diag);
    if (status != TELAR_TIMED_OUT) return status;
    tl_notice(TL_PICK(rounds->cli, "the kernel still runs after 10 s; Ctrl-C ends it",
                      "el kernel sigue ejecutándose tras 10 s; Ctrl-C lo termina"));
    return telar_host_wait(rounds->host, 0, diag);
}

telar_status tl_rounds_run(const tl_rounds *rounds, tl_times *times, telar_diag *diag)
{
    uint32_t count = rounds->repeat / rounds->batch;
    TELAR_TRY(telar_host_wait(rounds->host, 0, diag)); /* the uploads are not part of the time */
    double *gpu_us = calloc(count, sizeof *gpu_us);
    if (gpu_us == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory for %u times", count);
    tl_progress progress = tl_progress_begin(TL_PICK(rounds->cli, "running", "ejecutando"));
    telar_status status = TELAR_OK;
    uint64_t begun = tl_clock_ns();
    for (uint32_t k = 0; status == TELAR_OK && k < count; k++) {
        status = run_once(rounds, diag);
        if (status == TELAR_OK) status = time_of(rounds, &gpu_us[k], diag);
        tl_progress_at(&progress, k, count);
    }
    times->wall_us = (double)(tl_clock_ns() - begun) / 1000 / rounds->repeat;
    tl_progress_end(&progress);
    if (status == TELAR_OK && rounds->spans > 0) summarise(gpu_us, count, times);
    free(gpu_us);
    return status;
}

telar_status tl_launch_run(tl_launch *launch, uint32_t repeat, tl_times *times, telar_diag *diag)
{
    *times = (tl_times){.runs = repeat};
    if (launch->prepared == NULL) return TELAR_OK;
    tl_rounds rounds = {launch->cli, launch->host, launch->prepared, repeat, launch->batch, launch->timed};
    return tl_rounds_run(&rounds, times, diag);
}

telar_status tl_launch_read(const tl_launch *launch, uint32_t held, uint64_t offset_bytes, void *into, uint64_t bytes,
                            telar_diag *diag)
{
    const tl_held *from = &launch->held[held];
    return telar_host_read(launch->host, from->handle, guard_of(launch, from) + offset_bytes, into, bytes, diag);
}

telar_status tl_launch_report(const tl_launch *launch, telar_count_report *report, telar_diag *diag)
{
    return tl_launch_read(launch, launch->report_at, 0, report, sizeof *report, diag);
}

/* The first byte of a band that is not as it was written; UINT64_MAX: none. */
static uint64_t first_touched(const unsigned char *band, uint64_t bytes)
{
    for (uint64_t k = 0; k < bytes; k++) {
        if (band[k] != GUARD_BYTE) return k;
    }
    return UINT64_MAX;
}

static telar_status check_bands(const tl_launch *launch, const tl_held *held, unsigned char *band, telar_diag *diag)
{
    uint64_t guard = guard_of(launch, held);
    if (guard == 0) return TELAR_OK;
    TELAR_TRY(telar_host_read(launch->host, held->handle, 0, band, guard, diag));
    uint64_t touched = first_touched(band, guard);
    if (touched != UINT64_MAX) {
        return tl_fail_limit(diag, TELAR_MISMATCH, guard - touched, 0, "%s: byte %llu before its beginning was written",
                             held->name, (unsigned long long)(guard - touched));
    }
    TELAR_TRY(telar_host_read(launch->host, held->handle, guard + held->data_bytes, band, guard, diag));
    touched = first_touched(band, guard);
    if (touched == UINT64_MAX) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_MISMATCH, touched, 0, "%s: byte %llu after its end was written", held->name,
                         (unsigned long long)touched);
}

telar_status tl_launch_check_guards(const tl_launch *launch, telar_diag *diag)
{
    if (launch->guard_bytes == 0) return TELAR_OK;
    void *band;
    TELAR_TRY(tl_array_alloc("a guard band", launch->guard_bytes, &band, diag));
    telar_status status = TELAR_OK;
    for (uint32_t k = 0; status == TELAR_OK && k < launch->held_count; k++) {
        status = check_bands(launch, &launch->held[k], band, diag);
    }
    free(band);
    return status;
}
