/* SPDX-License-Identifier: MIT
 *
 * Running what was prepared: one switch over the steps, submission, and what comes back. */
#include "host/host.h"

/* ---- Encoding ------------------------------------------------------------------------------------ */

static WGPUComputePassEncoder begin_pass(const telar_prepared *prepared, WGPUCommandEncoder encoder,
                                         const tl_step *step)
{
    const telar_webgpu *webgpu = prepared->host->webgpu;
    if (step->begin.first_query == TL_NO_QUERY && step->begin.last_query == TL_NO_QUERY) {
        return webgpu->CommandEncoderBeginComputePass(encoder, NULL);
    }
    WGPUPassTimestampWrites times = {.querySet = prepared->queries,
                                     .beginningOfPassWriteIndex = step->begin.first_query,
                                     .endOfPassWriteIndex = step->begin.last_query};
    return webgpu->CommandEncoderBeginComputePass(encoder, &(WGPUComputePassDescriptor){.timestampWrites = &times});
}

void tl_encode(const telar_prepared *prepared, WGPUCommandEncoder encoder)
{
    const telar_webgpu *webgpu = prepared->host->webgpu;
    const tl_step *end = prepared->steps + prepared->steps_count;
    WGPUComputePassEncoder pass = NULL;
    for (const tl_step *step = prepared->steps; step < end; step++) {
        switch (step->code) {
        case TL_STEP_BEGIN: pass = begin_pass(prepared, encoder, step); break;
        case TL_STEP_PIPELINE: webgpu->ComputePassEncoderSetPipeline(pass, step->pipeline); break;
        case TL_STEP_GROUP:
            webgpu->ComputePassEncoderSetBindGroup(pass, step->group.index, step->group.handle, 0, NULL);
            break;
        case TL_STEP_IMMEDIATES:
            webgpu->ComputePassEncoderSetImmediates(pass, 0, prepared->words + step->immediates.first_word,
                                                    step->immediates.size_bytes);
            break;
        case TL_STEP_DISPATCH:
            webgpu->ComputePassEncoderDispatchWorkgroups(pass, step->dispatch.x, step->dispatch.y, step->dispatch.z);
            break;
        case TL_STEP_DISPATCH_INDIRECT:
            webgpu->ComputePassEncoderDispatchWorkgroupsIndirect(pass, step->indirect.buffer,
                                                                 step->indirect.offset_bytes);
            break;
        case TL_STEP_END:
            webgpu->ComputePassEncoderEnd(pass);
            webgpu->ComputePassEncoderRelease(pass);
            break;
        case TL_STEP_COPY:
            webgpu->CommandEncoderCopyBufferToBuffer(encoder, step->copy.from, step->copy.from_bytes, step->copy.to,
                                                     step->copy.to_bytes, step->copy.size_bytes);
            break;
        case TL_STEP_CLEAR:
            webgpu->CommandEncoderClearBuffer(encoder, step->clear.buffer, step->clear.offset_bytes,
                                              step->clear.size_bytes);
            break;
        case TL_STEP_RESOLVE:
            webgpu->CommandEncoderResolveQuerySet(encoder, prepared->queries, 0, step->resolve.count,
                                                  prepared->resolved, 0);
            break;
        }
    }
}

/* The read-back buffer leaves the CPU before commands use it again. */
static telar_status make_free(telar_prepared *prepared, telar_diag *diag)
{
    if (prepared->host->lost) return tl_lost(prepared->host, diag);
    if (prepared->broken) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "a failed rebinding broke it; prepare it again");
    if (prepared->map.pending) TELAR_TRY(tl_map_wait(prepared->host, &prepared->map, 0, diag));
    if (prepared->mapped) prepared->host->webgpu->BufferUnmap(prepared->readback);
    prepared->mapped = false;
    return TELAR_OK;
}

telar_status telar_prepared_encode(telar_prepared *prepared, WGPUCommandEncoder encoder, telar_diag *diag)
{
    TELAR_TRY(make_free(prepared, diag));
    tl_encode(prepared, encoder);
    prepared->encoded = true;
    prepared->submission = 0;
    return TELAR_OK;
}

telar_status telar_prepared_submit(telar_prepared *prepared, telar_diag *diag)
{
    telar_host *host = prepared->host;
    TELAR_TRY(make_free(prepared, diag));
    WGPUCommandEncoder encoder = host->webgpu->DeviceCreateCommandEncoder(host->device, NULL);
    tl_encode(prepared, encoder);
    TELAR_TRY(tl_submit(host, encoder, diag));
    prepared->encoded = true;
    prepared->submission = host->submitted;
    return TELAR_OK;
}

telar_status telar_prepared_run(telar_prepared *prepared, telar_diag *diag)
{
    TELAR_TRY(telar_prepared_submit(prepared, diag));
    return telar_host_wait(prepared->host, 0, diag);
}

/* ---- What comes back ----------------------------------------------------------------------------- */

/* Maps the read-back buffer of a run that is done. */
static telar_status map_readback(telar_prepared *prepared, telar_diag *diag)
{
    telar_host *host = prepared->host;
    if (host->lost) return tl_lost(host, diag);
    if (!prepared->encoded) return tl_fail(diag, TELAR_NOT_READY, "the recording has not run yet");
    if (prepared->mapped) return TELAR_OK;
    if (prepared->submission > host->done) {
        telar_status status = telar_host_ready(host, diag);
        if (status == TELAR_NOT_READY && prepared->submission > host->done) {
            return tl_fail(diag, TELAR_NOT_READY, "the recording is still running");
        }
        if (status != TELAR_OK && status != TELAR_NOT_READY) return status;
    }
    if (!prepared->map.pending) {
        tl_map_begin(host, &prepared->map, prepared->readback, WGPUMapMode_Read, prepared->readback_bytes);
    }
    TELAR_TRY(tl_map_wait(host, &prepared->map, 0, diag));
    prepared->mapped = true;
    return TELAR_OK;
}

static const uint8_t *mapped_bytes(const telar_prepared *prepared)
{
    return prepared->host->webgpu->BufferGetConstMappedRange(prepared->readback, 0, (size_t)prepared->readback_bytes);
}

telar_status telar_prepared_download(telar_prepared *prepared, uint32_t download, const void **data,
                                     uint64_t *size_bytes, telar_diag *diag)
{
    *data = NULL;
    *size_bytes = 0;
    if (download >= prepared->downloads_count) {
        return tl_fail_limit(diag, TELAR_NOT_FOUND, download, prepared->downloads_count,
                             "there is no download %u; the recording has %zu", download, prepared->downloads_count);
    }
    TELAR_TRY(map_readback(prepared, diag));
    const uint8_t *bytes = mapped_bytes(prepared);
    if (bytes == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "the downloads cannot be mapped");
    *data = bytes + prepared->downloads[download].offset_bytes;
    *size_bytes = prepared->downloads[download].size_bytes;
    return TELAR_OK;
}

telar_status telar_prepared_time_ns(telar_prepared *prepared, uint32_t mark, double *ns, telar_diag *diag)
{
    *ns = 0.0;
    if (mark >= prepared->spans_count) {
        return tl_fail_limit(diag, TELAR_NOT_FOUND, mark, prepared->spans_count,
                             "there is no time between the marks %u and %u; the recording has %zu such spans", mark,
                             mark + 1, prepared->spans_count);
    }
    if (prepared->queries == NULL) return tl_fail(diag, TELAR_UNSUPPORTED, "this device has no timestamps");
    const tl_span *span = &prepared->spans[mark];
    if (span->untimed) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, mark, TL_QUERIES_MAX / 2,
                             "only the first %d spans of a recording are timed", TL_QUERIES_MAX / 2);
    }
    if (span->first_query == TL_NO_QUERY) {
        return tl_fail(diag, TELAR_NOT_FOUND, "no work between the marks %u and %u", mark, mark + 1);
    }
    TELAR_TRY(map_readback(prepared, diag));
    const uint8_t *bytes = mapped_bytes(prepared);
    if (bytes == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "the timestamps cannot be mapped");
    const uint64_t *ticks = (const uint64_t *)(const void *)(bytes + prepared->times_bytes);
    uint64_t first = ticks[span->first_query], last = ticks[span->last_query];
    *ns = last > first ? (double)(last - first) * prepared->host->tick_ns : 0.0;
    return TELAR_OK;
}
