/* SPDX-License-Identifier: MIT
 *
 * From a recording to something that can be encoded again and again without a decision: buffers found or taken, kernels
 * compiled, parameters and uploads written, bind groups made, the whole encoded once for trial. */
#include "host/host.h"

#include <string.h>

static telar_status no_memory(telar_diag *diag)
{
    return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to prepare a recording");
}

/* ---- Buffers ------------------------------------------------------------------------------------- */

static telar_status place_bound(telar_prepared *prepared, const telar_bound_buffer *bound, uint32_t count,
                                telar_diag *diag)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t id = bound[k].buffer.id;
        if (id == 0 || id > prepared->buffers_count || bound[k].handle == NULL) {
            return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, id, prepared->buffers_count,
                                 "bound buffer %u is not one of the recording's (%zu), or its handle is NULL", id,
                                 prepared->buffers_count);
        }
        tl_prepared_buffer *buffer = &prepared->buffers[id - 1];
        if (buffer->handle != NULL) { return tl_fail(diag, TELAR_INVALID_ARGUMENT, "buffer %u is bound twice", id); }
        prepared->host->webgpu->BufferAddRef(bound[k].handle);
        buffer->handle = bound[k].handle;
    }
    return TELAR_OK;
}

static telar_status check_bound(telar_prepared *prepared, const tl_op *op, telar_diag *diag)
{
    const tl_prepared_buffer *buffer = &prepared->buffers[op->number - 1];
    bool wants = (op->buffer.use & TELAR_USE_BOUND) != 0;
    if (wants != (buffer->handle != NULL)) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       wants ? "buffer %u '%.*s' is not bound" : "buffer %u '%.*s' is scratch and cannot be bound",
                       op->number, TL_STR_ARGS(op->buffer.name));
    }
    if (!wants) return TELAR_OK;
    uint64_t has = prepared->host->webgpu->BufferGetSize(buffer->handle);
    if (has < op->buffer.size_bytes) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, has, op->buffer.size_bytes,
                             "the buffer bound as %u '%.*s' has %llu bytes, the recording needs %llu", op->number,
                             TL_STR_ARGS(op->buffer.name), (unsigned long long)has,
                             (unsigned long long)op->buffer.size_bytes);
    }
    return TELAR_OK;
}

static const struct {
    WGPUBufferUsage usage;
    const char *name;
} usage_names[] = {
    {WGPUBufferUsage_Storage, "storage"},          {WGPUBufferUsage_Uniform, "uniform"},
    {WGPUBufferUsage_Indirect, "indirect"},        {WGPUBufferUsage_CopySrc, "copy source"},
    {WGPUBufferUsage_CopyDst, "copy destination"},
};

static telar_status check_usages(const telar_prepared *prepared, telar_diag *diag)
{
    for (size_t k = 0; k < prepared->buffers_count; k++) {
        const tl_prepared_buffer *buffer = &prepared->buffers[k];
        if (buffer->from_pool) continue;
        WGPUBufferUsage lacks = buffer->needs & ~prepared->host->webgpu->BufferGetUsage(buffer->handle);
        for (size_t u = 0; u < TL_COUNT(usage_names); u++) {
            if ((lacks & usage_names[u].usage) == 0) continue;
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "the buffer bound as %zu was not created for %s use", k + 1,
                           usage_names[u].name);
        }
        for (size_t j = 0; j < k; j++) {
            const tl_prepared_buffer *other = &prepared->buffers[j];
            if (other->handle != buffer->handle || !(other->written || buffer->written)) continue;
            return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                           "buffers %zu and %zu are bound to the same buffer, and one of them is written", j + 1,
                           k + 1);
        }
    }
    return TELAR_OK;
}

/* ---- First walk: what there is, and how much of it ------------------------------------------------ */

typedef struct totals {
    uint64_t uploads_bytes;
    uint64_t params_bytes; /* as if no two dispatches had equal parameters */
    uint32_t marks;
} totals;

static void need(telar_prepared *prepared, uint32_t id, WGPUBufferUsage usage, bool written)
{
    tl_prepared_buffer *buffer = &prepared->buffers[id - 1];
    buffer->needs |= usage;
    buffer->written = buffer->written || written;
}

static void need_binds(telar_prepared *prepared, const tl_op_kernel *kernel, tl_bind_list binds)
{
    for (uint32_t k = 0; k < binds.count; k++) {
        telar_binding_space space = tl_binding_at(kernel->bindings, k).space;
        bool uniform = space == TELAR_BINDING_UNIFORM;
        need(prepared, tl_bind_at(binds, k).buffer, uniform ? WGPUBufferUsage_Uniform : WGPUBufferUsage_Storage,
             space == TELAR_BINDING_STORAGE_READ_WRITE);
    }
}

static telar_status add_download(telar_prepared *prepared, uint64_t size_bytes, telar_diag *diag)
{
    if (!tl_grow(&prepared->host->alloc, (void **)&prepared->downloads, prepared->downloads_count,
                 &prepared->downloads_cap, sizeof *prepared->downloads)) {
        return no_memory(diag);
    }
    prepared->downloads[prepared->downloads_count++] = (tl_download){prepared->readback_bytes, size_bytes};
    uint64_t end = prepared->readback_bytes + size_bytes;
    if (end < size_bytes || !telar_round_up(end, 16, &prepared->readback_bytes)) {
        return tl_fail(diag, TELAR_OVERFLOWS, "the downloads of the recording overflow 64 bits");
    }
    return TELAR_OK;
}

uint64_t tl_params_stride(const telar_host *host, const tl_op_kernel *kernel)
{
    uint64_t align = host->facts.limits.minUniformBufferOffsetAlignment;
    uint64_t stride;
    return telar_round_up(tl_params_bytes(kernel), align < 16 ? 16 : align, &stride) ? stride : UINT64_MAX;
}

static telar_status count_op(telar_prepared *prepared, const tl_op *op, totals *sum, telar_diag *diag)
{
    switch (op->code) {
    case TL_OP_BUFFER:
        prepared->buffers[op->number - 1].size_bytes = op->buffer.size_bytes;
        return check_bound(prepared, op, diag);
    case TL_OP_KERNEL: prepared->kernels[op->number - 1] = op->kernel; return TELAR_OK;
    case TL_OP_DISPATCH: {
        const tl_op_kernel *kernel = &prepared->kernels[op->dispatch.kernel - 1];
        need_binds(prepared, kernel, op->dispatch.binds);
        if (kernel->params_kind == TELAR_PARAMS_UNIFORM) {
            sum->params_bytes += tl_params_stride(prepared->host, kernel);
        }
        return TELAR_OK;
    }
    case TL_OP_DISPATCH_COUNTED:
        need_binds(prepared, &prepared->kernels[op->dispatch_counted.kernel - 1], op->dispatch_counted.binds);
        need(prepared, op->dispatch_counted.launch, WGPUBufferUsage_Uniform | WGPUBufferUsage_Indirect, false);
        return TELAR_OK;
    case TL_OP_COPY:
        need(prepared, op->copy.from, WGPUBufferUsage_CopySrc, false);
        need(prepared, op->copy.to, WGPUBufferUsage_CopyDst, true);
        return TELAR_OK;
    case TL_OP_CLEAR: need(prepared, op->clear.buffer, WGPUBufferUsage_CopyDst, true); return TELAR_OK;
    case TL_OP_UPLOAD:
        need(prepared, op->upload.buffer, WGPUBufferUsage_CopyDst, true);
        sum->uploads_bytes += op->upload.data.size_bytes;
        return TELAR_OK;
    case TL_OP_DOWNLOAD:
        need(prepared, op->download.buffer, WGPUBufferUsage_CopySrc, false);
        return add_download(prepared, op->download.size_bytes, diag);
    case TL_OP_MARK: sum->marks++; return TELAR_OK;
    }
    return TELAR_OK;
}

static telar_status count_ops(telar_prepared *prepared, telar_recording recording, totals *sum, telar_diag *diag)
{
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) TELAR_TRY(count_op(prepared, &op, sum, diag));
    return TELAR_OK;
}

/* ---- Objects ------------------------------------------------------------------------------------- */

static telar_status take_scratch(telar_prepared *prepared, telar_diag *diag)
{
    telar_host *host = prepared->host;
    WGPUCommandEncoder encoder = host->webgpu->DeviceCreateCommandEncoder(host->device, NULL);
    size_t free_count = host->pool.count;
    telar_status status = TELAR_OK;
    for (size_t k = 0; k < prepared->buffers_count && status == TELAR_OK; k++) {
        tl_prepared_buffer *buffer = &prepared->buffers[k];
        if (buffer->handle != NULL) continue;
        status = tl_pool_take(host, buffer->size_bytes, true, encoder, &buffer->handle, diag);
        buffer->from_pool = status == TELAR_OK;
    }
    if (status == TELAR_OK && host->pool.count != free_count) return tl_submit(host, encoder, diag);
    host->webgpu->CommandEncoderRelease(encoder);
    return status;
}

static telar_status compile(telar_prepared *prepared, bool trusted, telar_diag *diag)
{
    for (size_t k = 0; k < prepared->pipelines_count; k++) {
        const tl_op_kernel *kernel = &prepared->kernels[k];
        bool unchecked = trusted && kernel->trusted != 0;
        TELAR_TRY(tl_pipeline_get(prepared->host, kernel, unchecked, &prepared->pipelines[k], diag));
    }
    return TELAR_OK;
}

static telar_status make_readback(telar_prepared *prepared, uint32_t marks, telar_diag *diag)
{
    telar_host *host = prepared->host;
    bool timed = marks >= 2 && (host->features & TL_FEATURE_TIMESTAMPS) != 0;
    uint64_t queries = marks < 2 ? 0 : 2 * (uint64_t)(marks - 1);
    if (queries > TL_QUERIES_MAX) queries = TL_QUERIES_MAX;
    prepared->times_bytes = prepared->readback_bytes;
    if (timed) {
        prepared->readback_bytes += queries * 8;
        tl_scope_begin(host);
        prepared->queries = host->webgpu->DeviceCreateQuerySet(
            host->device, &(WGPUQuerySetDescriptor){.type = WGPUQueryType_Timestamp, .count = (uint32_t)queries});
        TELAR_TRY(tl_scope_end(host, TELAR_VALIDATION_FAILED, "a query set", diag));
        TELAR_TRY(tl_buffer_make(host, queries * 8, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc, false,
                                 &prepared->resolved, diag));
    }
    if (prepared->readback_bytes == 0) return TELAR_OK;
    return tl_buffer_make(host, prepared->readback_bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, false,
                          &prepared->readback, diag);
}

/* Uploads wait in a buffer of their own, so that encoding is nothing but encoding. */
static telar_status make_uploads(telar_prepared *prepared, telar_recording recording, uint64_t size_bytes,
                                 telar_diag *diag)
{
    if (size_bytes == 0) return TELAR_OK;
    const telar_webgpu *webgpu = prepared->host->webgpu;
    TELAR_TRY(tl_buffer_make(prepared->host, size_bytes, WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc, true,
                             &prepared->uploads, diag));
    uint8_t *to = webgpu->BufferGetMappedRange(prepared->uploads, 0, (size_t)size_bytes);
    if (to == NULL) return no_memory(diag);
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        if (op.code != TL_OP_UPLOAD) continue;
        memcpy(to, op.upload.data.data, op.upload.data.size_bytes);
        to += op.upload.data.size_bytes;
    }
    webgpu->BufferUnmap(prepared->uploads);
    return TELAR_OK;
}

static telar_status make_params(telar_prepared *prepared, uint64_t size_bytes, telar_diag *diag)
{
    if (size_bytes == 0) return TELAR_OK;
    return tl_buffer_make(prepared->host, size_bytes, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst, false,
                          &prepared->params, diag);
}

/* Verification leaves nothing to be refused but a binding whose smallest size the recording does not know. */
static bool sizes_known(const telar_prepared *prepared)
{
    for (size_t k = 0; k < prepared->pipelines_count; k++) {
        const tl_op_kernel *kernel = &prepared->kernels[k];
        for (uint32_t b = 0; b < kernel->bindings.count; b++) {
            if (tl_binding_at(kernel->bindings, b).min_bytes == 0) return false;
        }
    }
    return true;
}

/* What WebGPU refuses is refused now, not at the first run. The trial commands are never submitted, and that is what
 * wgpu-native leaks: about 100 KiB each, so there the trial is kept for where it can find something. */
static telar_status try_out(telar_prepared *prepared, telar_diag *diag)
{
    telar_host *host = prepared->host;
    if (host->webgpu->implementation == TELAR_IMPLEMENTATION_WGPU && sizes_known(prepared)) return TELAR_OK;
    tl_scope_begin(host);
    WGPUCommandEncoder encoder = host->webgpu->DeviceCreateCommandEncoder(host->device, NULL);
    tl_encode(prepared, encoder);
    WGPUCommandBuffer commands = host->webgpu->CommandEncoderFinish(encoder, NULL);
    telar_status status = tl_scope_end(host, TELAR_VALIDATION_FAILED, "the recording", diag);
    if (commands != NULL) host->webgpu->CommandBufferRelease(commands);
    host->webgpu->CommandEncoderRelease(encoder);
    return status;
}

static telar_status fill(telar_prepared *prepared, const telar_bound_buffer *bound, uint32_t bound_count, bool trusted,
                         telar_diag *diag)
{
    telar_recording recording = prepared->recording;
    totals sum = {0};
    TELAR_TRY(place_bound(prepared, bound, bound_count, diag));
    TELAR_TRY(count_ops(prepared, recording, &sum, diag));
    TELAR_TRY(compile(prepared, trusted, diag));
    TELAR_TRY(take_scratch(prepared, diag));
    TELAR_TRY(check_usages(prepared, diag));
    TELAR_TRY(make_uploads(prepared, recording, sum.uploads_bytes, diag));
    TELAR_TRY(make_params(prepared, sum.params_bytes, diag));
    TELAR_TRY(make_readback(prepared, sum.marks, diag));
    prepared->marks = sum.marks;
    TELAR_TRY(tl_steps_make(prepared, diag));
    return try_out(prepared, diag);
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static bool copy_recording(telar_prepared *made, telar_recording recording)
{
    uint32_t *words = tl_take(&made->host->alloc, recording.words_count, sizeof *words);
    if (words == NULL) return false;
    memcpy(words, recording.words, recording.words_count * sizeof *words);
    made->recording = (telar_recording){words, recording.words_count};
    return true;
}

static telar_prepared *make_prepared(telar_host *host, telar_recording recording)
{
    telar_prepared *made = tl_take(&host->alloc, 1, sizeof *made);
    if (made == NULL) return NULL;
    made->host = host;
    bool copied = copy_recording(made, recording);
    made->buffers_count = telar_recording_buffer_count(recording);
    made->pipelines_count = telar_recording_kernel_count(recording);
    /* One more of each: no array is empty, NULL means no memory. */
    made->buffers = tl_take(&host->alloc, made->buffers_count + 1, sizeof *made->buffers);
    made->pipelines = tl_take(&host->alloc, made->pipelines_count + 1, sizeof *made->pipelines);
    made->kernels = tl_take(&host->alloc, made->pipelines_count + 1, sizeof *made->kernels);
    if (copied && made->buffers != NULL && made->pipelines != NULL && made->kernels != NULL) return made;
    telar_prepared_release(made);
    return NULL;
}

telar_status tl_prepare(telar_host *host, telar_recording recording, const telar_bound_buffer *bound,
                        uint32_t bound_count, bool trusted, telar_prepared **prepared, telar_diag *diag)
{
    *prepared = NULL;
    if (host->lost) return tl_lost(host, diag);
    TELAR_TRY(telar_recording_verify(recording, &host->facts.limits, diag));
    telar_prepared *made = make_prepared(host, recording);
    if (made == NULL) return no_memory(diag);
    telar_status status = fill(made, bound, bound_count, trusted, diag);
    if (status != TELAR_OK) {
        telar_prepared_release(made);
        return status;
    }
    *prepared = made;
    return TELAR_OK;
}

telar_status telar_host_prepare(telar_host *host, telar_recording recording, const telar_bound_buffer *bound,
                                uint32_t bound_count, telar_prepared **prepared, telar_diag *diag)
{
    return tl_prepare(host, recording, bound, bound_count, false, prepared, diag);
}

telar_status telar_host_prepare_trusted(telar_host *host, telar_recording recording, const telar_bound_buffer *bound,
                                        uint32_t bound_count, telar_prepared **prepared, telar_diag *diag)
{
    return tl_prepare(host, recording, bound, bound_count, true, prepared, diag);
}

static void drop_buffer(const telar_webgpu *webgpu, WGPUBuffer buffer)
{
    if (buffer == NULL) return;
    webgpu->BufferDestroy(buffer);
    webgpu->BufferRelease(buffer);
}

void telar_prepared_release(telar_prepared *prepared)
{
    if (prepared == NULL) return;
    telar_host *host = prepared->host;
    const telar_webgpu *webgpu = host->webgpu;
    telar_alloc alloc = host->alloc;
    if (prepared->mapped) webgpu->BufferUnmap(prepared->readback);
    drop_buffer(webgpu, prepared->readback);
    tl_map_settle(host, &prepared->map);
    drop_buffer(webgpu, prepared->params);
    drop_buffer(webgpu, prepared->uploads);
    drop_buffer(webgpu, prepared->resolved);
    if (prepared->queries != NULL) webgpu->QuerySetRelease(prepared->queries);
    tl_steps_drop(prepared);
    for (size_t k = 0; k < prepared->pipelines_count && prepared->pipelines != NULL; k++) {
        if (prepared->pipelines[k] != NULL) prepared->pipelines[k]->users--;
    }
    for (size_t k = 0; k < prepared->buffers_count && prepared->buffers != NULL; k++) {
        tl_prepared_buffer *buffer = &prepared->buffers[k];
        if (buffer->from_pool) {
            tl_pool_put(host, buffer->handle);
        } else if (buffer->handle != NULL) {
            webgpu->BufferRelease(buffer->handle);
        }
    }
    tl_give(&alloc, prepared->buffers, prepared->buffers_count + 1, sizeof *prepared->buffers);
    tl_give(&alloc, prepared->pipelines, prepared->pipelines_count + 1, sizeof *prepared->pipelines);
    tl_give(&alloc, prepared->kernels, prepared->pipelines_count + 1, sizeof *prepared->kernels);
    tl_give(&alloc, prepared->groups, prepared->groups_cap, sizeof *prepared->groups);
    tl_give(&alloc, prepared->steps, prepared->steps_cap, sizeof *prepared->steps);
    tl_give(&alloc, prepared->words, prepared->words_cap, sizeof *prepared->words);
    tl_give(&alloc, prepared->downloads, prepared->downloads_cap, sizeof *prepared->downloads);
    tl_give(&alloc, prepared->spans, prepared->spans_cap, sizeof *prepared->spans);
    tl_give(&alloc, (uint32_t *)prepared->recording.words, prepared->recording.words_count, sizeof(uint32_t));
    tl_give(&alloc, prepared, 1, sizeof *prepared);
}

/* ---- Other bindings ------------------------------------------------------------------------------ */

static void release_handles(const telar_prepared *prepared, const tl_prepared_buffer *buffers)
{
    for (size_t k = 0; k < prepared->buffers_count; k++) {
        if (buffers[k].handle != NULL) prepared->host->webgpu->BufferRelease(buffers[k].handle);
    }
}

/* Puts the new handles in, and those they replace into `old`. What fails leaves a mixture; the caller swaps it back. */
static telar_status replace_bound(telar_prepared *prepared, const telar_bound_buffer *bound, uint32_t count,
                                  tl_prepared_buffer *old, telar_diag *diag)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t id = bound[k].buffer.id;
        if (id == 0 || id > prepared->buffers_count || bound[k].handle == NULL || prepared->buffers[id - 1].from_pool) {
            return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, id, prepared->buffers_count,
                                 "buffer %u cannot be bound again: it is scratch, not one of the recording's (%zu), or "
                                 "its handle is NULL",
                                 id, prepared->buffers_count);
        }
        if (old[id - 1].handle != NULL) return tl_fail(diag, TELAR_INVALID_ARGUMENT, "buffer %u is bound twice", id);
        old[id - 1].handle = prepared->buffers[id - 1].handle;
        prepared->host->webgpu->BufferAddRef(bound[k].handle);
        prepared->buffers[id - 1].handle = bound[k].handle;
    }
    tl_cursor cursor = tl_cursor_begin(prepared->recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        bool is_bound = op.code == TL_OP_BUFFER && (op.buffer.use & TELAR_USE_BOUND) != 0;
        if (is_bound) TELAR_TRY(check_bound(prepared, &op, diag));
    }
    return check_usages(prepared, diag);
}

/* `old` gets the handles that were put in, the prepared recording its own again. */
static void swap_back(telar_prepared *prepared, tl_prepared_buffer *old)
{
    for (size_t k = 0; k < prepared->buffers_count; k++) {
        if (old[k].handle == NULL) continue;
        WGPUBuffer put_in = prepared->buffers[k].handle;
        prepared->buffers[k].handle = old[k].handle;
        old[k].handle = put_in;
    }
}

static telar_status rebind(telar_prepared *prepared, const telar_bound_buffer *bound, uint32_t bound_count,
                           tl_prepared_buffer *old, telar_diag *diag)
{
    telar_status status = replace_bound(prepared, bound, bound_count, old, diag);
    if (status != TELAR_OK) {
        swap_back(prepared, old);
        return status;
    }
    tl_steps_drop(prepared);
    status = tl_steps_make(prepared, diag);
    if (status == TELAR_OK) return TELAR_OK;
    swap_back(prepared, old);
    tl_steps_drop(prepared);
    prepared->broken = tl_steps_make(prepared, NULL) != TELAR_OK;
    return status;
}

telar_status telar_prepared_rebind(telar_prepared *prepared, const telar_bound_buffer *bound, uint32_t bound_count,
                                   telar_diag *diag)
{
    telar_host *host = prepared->host;
    if (host->lost) return tl_lost(host, diag);
    tl_prepared_buffer *old = tl_take(&host->alloc, prepared->buffers_count + 1, sizeof *old);
    if (old == NULL) return no_memory(diag);
    telar_status status = rebind(prepared, bound, bound_count, old, diag);
    release_handles(prepared, old);
    tl_give(&host->alloc, old, prepared->buffers_count + 1, sizeof *old);
    return status;
}
