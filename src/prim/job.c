/* SPDX-License-Identifier: MIT
 *
 * One call of a primitive: what it is for, its scratch, its failures. */
#include "prim/prim.h"
#include "record/builder.h"

tl_job tl_job_begin(telar_record *record, const telar_prim *prim, const char *name, telar_length length)
{
    tl_job job = {.record = record,
                  .prim = prim,
                  .name = name,
                  .length = length,
                  .counted = length.on_gpu.buffer.id != 0 && length.count > 0,
                  .lanes = tl_device_lanes(prim),
                  .window_elements = TELAR_WINDOW_ELEMENTS_MAX,
                  .arena_used = prim->arena->used};
    if (length.count > TELAR_COUNT_MAX) {
        tl_job_fail_limit(&job, TELAR_LIMIT_EXCEEDED, length.count, TELAR_COUNT_MAX, "%llu elements, %llu are the most",
                          (unsigned long long)length.count, (unsigned long long)TELAR_COUNT_MAX);
    }
    return job;
}

void tl_job_end(tl_job *job)
{
    job->prim->arena->used = job->arena_used;
}

bool tl_job_failed(const tl_job *job)
{
    return job->record->status != TELAR_OK;
}

static void fail(tl_job *job, telar_status status, uint64_t got, uint64_t limit, const char *format, va_list args)
{
    char text[TELAR_DIAG_TEXT_BYTES];
    telar_out out = {text, sizeof text, 0};
    tl_out_vformat(&out, format, args);
    tl_record_fail_as(job->record, &(telar_diag){.status = status, .got = got, .limit = limit}, "%s: %s", job->name,
                      text);
}

void tl_job_fail(tl_job *job, telar_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(job, status, 0, 0, format, args);
    va_end(args);
}

void tl_job_fail_limit(tl_job *job, telar_status status, uint64_t got, uint64_t limit, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(job, status, got, limit, format, args);
    va_end(args);
}

/* Of none there is one: a binding is not valid without its first element. */
static telar_buffer declare(tl_job *job, const char *name, uint64_t count, uint64_t stride_bytes, uint32_t use)
{
    if (tl_job_failed(job)) return (telar_buffer){0};
    uint64_t whole_words = telar_ceil_div((count == 0 ? 1 : count) * stride_bytes, 16) * 16;
    return telar_record_buffer(job->record, &(telar_buffer_desc){.name = name, .size_bytes = whole_words, .use = use});
}

telar_buffer tl_job_scratch(tl_job *job, const char *name, uint64_t count, uint64_t stride_bytes)
{
    /* Without elements no workgroup writes what the last stage may read: zeros, then. */
    uint32_t kept = job->length.count == 0 ? TELAR_USE_KEPT : 0;
    return declare(job, name, count, stride_bytes, TELAR_USE_STORAGE | kept);
}

telar_buffer tl_job_kept(tl_job *job, const char *name, uint64_t count, uint64_t stride_bytes)
{
    return declare(job, name, count, stride_bytes, TELAR_USE_STORAGE | TELAR_USE_KEPT);
}
