/* SPDX-License-Identifier: MIT
 *
 * The recording of a launch: the one that runs, and the one for a file. */
#include "run_launch.h"

#include <stdlib.h>
#include <string.h>

static uint64_t guard_of(const tl_launch *launch, uint32_t held)
{
    return launch->held[held].datum == NULL ? 0 : launch->guard_bytes;
}

/* Small data that came from --set alone and that no kernel writes: kept in the recording, in a buffer of its own. */
static bool is_kept(const tl_launch *launch, uint32_t held)
{
    const tl_datum *datum = launch->held[held].datum;
    return launch->complete && datum != NULL && datum->bytes != NULL && datum->source == NULL &&
           datum->variable->space != TELAR_BINDING_STORAGE_READ_WRITE;
}

/* The buffers come first, in their order: without kept ones their ids count from 1. */
static telar_buffer record_buffer(const tl_launch *launch, uint32_t k, telar_record *record)
{
    const tl_held *held = &launch->held[k];
    return telar_record_buffer(
        record, &(telar_buffer_desc){.name = held->name,
                                     .size_bytes = held->data_bytes + 2 * guard_of(launch, k),
                                     .use = held->use | (uint32_t)(is_kept(launch, k) ? 0 : TELAR_USE_BOUND)});
}

static void record_kept(const tl_launch *launch, uint32_t k, telar_buffer buffer, telar_record *record)
{
    if (!is_kept(launch, k)) return;
    const tl_datum *datum = launch->held[k].datum;
    if (datum->layout.buffer_bytes < datum->buffer_bytes) telar_record_clear(record, buffer, 0, 0);
    telar_record_upload(record, buffer, 0, datum->bytes, (size_t)datum->layout.buffer_bytes);
}

static void record_launch(const tl_launch *launch, telar_record *record, telar_kernel kernel,
                          const telar_buffer *buffers, const telar_bind *binds, uint32_t binds_count)
{
    const telar_kernel_desc *desc = &launch->woven->kernel;
    if (launch->plan->shape == TELAR_SHAPE_EMPTY) return;
    if (!launch->counted) {
        telar_record_launch(record, kernel, desc, launch->plan, binds, binds_count);
        return;
    }
    telar_count count = {.buffer = buffers[launch->count_at],
                         .offset_bytes = guard_of(launch, launch->count_at) + launch->data->counted_bytes,
                         .report = buffers[launch->report_at]};
    telar_record_launch_counted(record, kernel, desc, launch->plan, &count, binds, binds_count);
}

static void record_all(const tl_launch *launch, telar_record *record, telar_buffer *buffers, telar_bind *binds)
{
    const telar_kernel_desc *desc = &launch->woven->kernel;
    for (uint32_t k = 0; k < launch->held_count; k++) buffers[k] = record_buffer(launch, k, record);
    for (uint32_t k = 0; k < launch->held_count; k++) record_kept(launch, k, buffers[k], record);
    uint32_t count = 0;
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        if (launch->held[k].datum == NULL) continue; /* the report's own binding is bound by the launch */
        binds[count++] = (telar_bind){
            .buffer = buffers[k], .offset_bytes = guard_of(launch, k), .size_bytes = launch->held[k].data_bytes};
    }
    telar_kernel kernel = telar_record_kernel(record, desc);
    if (launch->timed) telar_record_mark(record, "begin");
    for (uint32_t k = 0; k < launch->batch; k++) record_launch(launch, record, kernel, buffers, binds, count);
    if (launch->timed) telar_record_mark(record, "end");
}

/* Counts the words first. */
static telar_status record_twice(const tl_launch *launch, telar_buffer *buffers, telar_bind *binds, uint32_t **words,
                                 telar_recording *recording, telar_diag *diag)
{
    telar_record counting = telar_record_begin(NULL, 0);
    record_all(launch, &counting, buffers, binds);
    if (counting.status != TELAR_OK && counting.status != TELAR_NO_SPACE) {
        if (diag != NULL) *diag = counting.diag;
        return counting.status;
    }
    *words = calloc(counting.words_len + 1, sizeof **words);
    if (*words == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory for the recording");
    telar_record record = telar_record_begin(*words, counting.words_len + 1);
    record_all(launch, &record, buffers, binds);
    return telar_record_end(&record, recording, diag);
}

telar_status tl_launch_record(const tl_launch *launch, uint32_t **words, telar_recording *recording, telar_diag *diag)
{
    *words = NULL;
    telar_buffer *buffers = calloc(launch->held_count + 1, sizeof *buffers);
    telar_bind *binds = calloc(launch->held_count + 1, sizeof *binds);
    telar_status status = buffers == NULL || binds == NULL
                              ? tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory")
                              : record_twice(launch, buffers, binds, words, recording, diag);
    free(buffers);
    free(binds);
    return status;
}

telar_status tl_launch_write(const tl_launch *launch, tl_output *output, telar_diag *diag)
{
    tl_launch plain = *launch;
    plain.guard_bytes = 0;
    plain.batch = 1;
    plain.timed = true;
    plain.complete = true;
    uint32_t *words;
    telar_recording recording = {0};
    telar_status status = tl_launch_record(&plain, &words, &recording, diag);
    if (status == TELAR_OK) status = tl_output_write(output, words, recording.words_count * sizeof *words, diag);
    free(words);
    return status;
}
