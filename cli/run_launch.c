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

static const tl_datum *datum_of(const tl_launch *launch, uint32_t binding)
{
    return tl_data_of(launch->data, &launch->woven->kernel.bindings[binding]);
}

static uint64_t whole_bytes(const tl_launch *launch, uint32_t binding)
{
    return datum_of(launch, binding)->buffer_bytes + 2 * launch->guard_bytes;
}

static telar_status check_size(const tl_launch *launch, uint32_t binding, telar_diag *diag)
{
    uint64_t limit = telar_host_facts(launch->host)->limits.maxBufferSize;
    uint64_t bytes = whole_bytes(launch, binding);
    if (bytes <= limit) return TELAR_OK;
    return tl_fail_limit(
        diag, TELAR_LIMIT_EXCEEDED, bytes, limit,
        "%s takes %llu bytes, a buffer of this device has at most maxBufferSize (%llu); run it in parts",
        datum_of(launch, binding)->variable->name, (unsigned long long)bytes, (unsigned long long)limit);
}

static telar_status fill_guards(const tl_launch *launch, uint32_t binding, telar_diag *diag)
{
    uint64_t guard = launch->guard_bytes;
    if (guard == 0) return TELAR_OK;
    void *pattern;
    TELAR_TRY(tl_array_alloc("a guard band", guard, &pattern, diag));
    memset(pattern, GUARD_BYTE, (size_t)guard);
    WGPUBuffer buffer = launch->buffers[binding];
    telar_status status = telar_host_write(launch->host, buffer, 0, pattern, guard, diag);
    if (status == TELAR_OK) {
        uint64_t after = guard + datum_of(launch, binding)->buffer_bytes;
        status = telar_host_write(launch->host, buffer, after, pattern, guard, diag);
    }
    free(pattern);
    return status;
}

static telar_status upload_array(const tl_launch *launch, const tl_datum *datum, WGPUBuffer buffer, telar_diag *diag)
{
    const tl_array *array = &datum->array;
    /* Buffers of the host begin as zeros. */
    if (array->fill == TL_FILL_ZERO || array->size_bytes == 0) return TELAR_OK;
    void *scratch = NULL;
    if (array->fill != TL_FILL_NONE) TELAR_TRY(tl_array_alloc(datum->variable->name, PART_BYTES, &scratch, diag));
    tl_progress progress = tl_progress_begin(TL_PICK(launch->cli, "writing the data", "escribiendo los datos"));
    telar_status status = TELAR_OK;
    for (uint64_t at = 0; status == TELAR_OK && at < array->size_bytes; at += PART_BYTES) {
        uint64_t bytes = array->size_bytes - at < PART_BYTES ? array->size_bytes - at : PART_BYTES;
        const void *part = tl_array_part(array, at, scratch, (size_t)bytes);
        status = telar_host_write(launch->host, buffer, launch->guard_bytes + at, part, bytes, diag);
        tl_progress_at(&progress, at, array->size_bytes);
    }
    tl_progress_end(&progress);
    free(scratch);
    return status;
}

static telar_status make_buffer(tl_launch *launch, uint32_t binding, telar_diag *diag)
{
    const tl_datum *datum = datum_of(launch, binding);
    TELAR_TRY(check_size(launch, binding, diag));
    TELAR_TRY(telar_host_buffer_create(launch->host, whole_bytes(launch, binding), &launch->buffers[binding], diag));
    TELAR_TRY(fill_guards(launch, binding, diag));
    if (datum->bytes != NULL) {
        return telar_host_write(launch->host, launch->buffers[binding], launch->guard_bytes, datum->bytes,
                                datum->layout.buffer_bytes, diag);
    }
    return upload_array(launch, datum, launch->buffers[binding], diag);
}

/* ---- the recording ------------------------------------------------------------------------------------------------- */

static void record_all(const tl_launch *launch, telar_record *record)
{
    const telar_kernel_desc *desc = &launch->woven->kernel;
    telar_bind *binds = calloc(desc->bindings_count + 1, sizeof *binds);
    if (binds == NULL) {
        record->status = tl_fail(&record->diag, TELAR_OUT_OF_MEMORY, "out of memory");
        return;
    }
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        const tl_datum *datum = datum_of(launch, k);
        bool uniform = desc->bindings[k].space == TELAR_BINDING_UNIFORM;
        binds[k].buffer = telar_record_buffer(
            record,
            &(telar_buffer_desc){.name = datum->variable->name,
                                 .size_bytes = whole_bytes(launch, k),
                                 .use = (uint32_t)(uniform ? TELAR_USE_UNIFORM : TELAR_USE_STORAGE) | TELAR_USE_BOUND});
        binds[k].offset_bytes = launch->guard_bytes;
        binds[k].size_bytes = datum->buffer_bytes;
    }
    telar_kernel kernel = telar_record_kernel(record, desc);
    if (launch->timed) telar_record_mark(record, "begin");
    for (uint32_t k = 0; k < launch->batch; k++) {
        telar_record_launch(record, kernel, desc, launch->plan, binds, desc->bindings_count);
    }
    if (launch->timed) telar_record_mark(record, "end");
    free(binds);
}

/* Counts the words first. */
static telar_status make_recording(tl_launch *launch, telar_diag *diag)
{
    telar_record counting = telar_record_begin(NULL, 0);
    record_all(launch, &counting);
    if (counting.status != TELAR_OK && counting.status != TELAR_NO_SPACE) {
        if (diag != NULL) *diag = counting.diag;
        return counting.status;
    }
    launch->words = calloc(counting.words_len + 1, sizeof *launch->words);
    if (launch->words == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory for the recording");
    telar_record record = telar_record_begin(launch->words, counting.words_len + 1);
    record_all(launch, &record);
    return telar_record_end(&record, &launch->recording, diag);
}

static telar_status prepare(tl_launch *launch, telar_diag *diag)
{
    TELAR_TRY(make_recording(launch, diag));
    uint32_t count = launch->woven->kernel.bindings_count;
    telar_bound_buffer *bound = calloc(count + 1, sizeof *bound);
    if (bound == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    /* The buffers were recorded first, in the order of the bindings: their ids count from 1. */
    for (uint32_t k = 0; k < count; k++) bound[k] = (telar_bound_buffer){{k + 1}, launch->buffers[k]};
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

telar_status tl_launch_begin(const tl_launch_desc *desc, tl_launch *launch, telar_diag *diag)
{
    bool clock = telar_host_time_quantum_ns(desc->host) > 0;
    *launch = (tl_launch){.cli = desc->cli,
                          .host = desc->host,
                          .data = desc->data,
                          .plan = desc->plan,
                          .woven = desc->woven,
                          .timed = desc->timed && clock,
                          .batch = desc->timed && clock ? batch_of(desc->host, desc->repeat) : 1};
    if (desc->guarded) launch->guard_bytes = guard_bytes_of(&telar_host_facts(desc->host)->limits);
    uint32_t count = desc->woven->kernel.bindings_count;
    launch->buffers = calloc(count + 1, sizeof(WGPUBuffer));
    if (launch->buffers == NULL) {
        *launch = (tl_launch){0};
        return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    }
    telar_status status = TELAR_OK;
    for (uint32_t k = 0; status == TELAR_OK && k < count; k++) status = make_buffer(launch, k, diag);
    if (status == TELAR_OK && desc->plan->shape != TELAR_SHAPE_EMPTY) status = prepare(launch, diag);
    if (status != TELAR_OK) tl_launch_end(launch);
    return status;
}

void tl_launch_end(tl_launch *launch)
{
    if (launch->host == NULL) return;
    telar_prepared_release(launch->prepared);
    for (uint32_t k = 0; launch->buffers != NULL && k < launch->woven->kernel.bindings_count; k++) {
        if (launch->buffers[k] != NULL) telar_host_buffer_release(launch->host, launch->buffers[k]);
    }
    free(launch->buffers);
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

telar_status tl_launch_run(tl_launch *launch, uint32_t repeat, tl_times *times, telar_diag *diag)
{
    *times = (tl_times){.runs = repeat};
    if (launch->prepared == NULL) return TELAR_OK;
    uint32_t rounds = repeat / launch->batch;
    TELAR_TRY(telar_host_wait(launch->host, 0, diag)); /* the uploads are not part of the time */
    double *gpu_us = calloc(rounds, sizeof *gpu_us);
    if (gpu_us == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory for %u times", rounds);
    tl_progress progress = tl_progress_begin(TL_PICK(launch->cli, "running", "ejecutando"));
    telar_status status = TELAR_OK;
    uint64_t begun = tl_clock_ns();
    for (uint32_t k = 0; status == TELAR_OK && k < rounds; k++) {
        status = telar_prepared_run(launch->prepared, diag);
        double ns = 0;
        if (status == TELAR_OK && launch->timed) status = telar_prepared_time_ns(launch->prepared, 0, &ns, diag);
        gpu_us[k] = ns / 1000 / launch->batch;
        tl_progress_at(&progress, k, rounds);
    }
    times->wall_us = (double)(tl_clock_ns() - begun) / 1000 / repeat;
    tl_progress_end(&progress);
    if (status == TELAR_OK && launch->timed) summarise(gpu_us, rounds, times);
    free(gpu_us);
    return status;
}

telar_status tl_launch_read(const tl_launch *launch, uint32_t binding, uint64_t offset_bytes, void *into,
                            uint64_t bytes, telar_diag *diag)
{
    return telar_host_read(launch->host, launch->buffers[binding], launch->guard_bytes + offset_bytes, into, bytes,
                           diag);
}

/* The first byte of a band that is not as it was written; UINT64_MAX: none. */
static uint64_t first_touched(const unsigned char *band, uint64_t bytes)
{
    for (uint64_t k = 0; k < bytes; k++) {
        if (band[k] != GUARD_BYTE) return k;
    }
    return UINT64_MAX;
}

static telar_status check_bands(const tl_launch *launch, uint32_t binding, unsigned char *band, telar_diag *diag)
{
    uint64_t guard = launch->guard_bytes, data = datum_of(launch, binding)->buffer_bytes;
    const char *name = datum_of(launch, binding)->variable->name;
    TELAR_TRY(telar_host_read(launch->host, launch->buffers[binding], 0, band, guard, diag));
    uint64_t touched = first_touched(band, guard);
    if (touched != UINT64_MAX) {
        return tl_fail_limit(diag, TELAR_MISMATCH, guard - touched, 0, "%s: byte %llu before its beginning was written",
                             name, (unsigned long long)(guard - touched));
    }
    TELAR_TRY(telar_host_read(launch->host, launch->buffers[binding], guard + data, band, guard, diag));
    touched = first_touched(band, guard);
    if (touched == UINT64_MAX) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_MISMATCH, touched, 0, "%s: byte %llu after its end was written", name,
                         (unsigned long long)touched);
}

telar_status tl_launch_check_guards(const tl_launch *launch, telar_diag *diag)
{
    if (launch->guard_bytes == 0) return TELAR_OK;
    void *band;
    TELAR_TRY(tl_array_alloc("a guard band", launch->guard_bytes, &band, diag));
    telar_status status = TELAR_OK;
    for (uint32_t k = 0; status == TELAR_OK && k < launch->woven->kernel.bindings_count; k++) {
        status = check_bands(launch, k, band, diag);
    }
    free(band);
    return status;
}
