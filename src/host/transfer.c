/* SPDX-License-Identifier: MIT
 *
 * Bytes between CPU and device, at any offset and of any size. WebGPU copies words, so the words at the edges are
 * read, changed and written back. Much data goes in chunks through two mapped buffers: one is filled while the other
 * moves. */
#include "host/host.h"

#include <string.h>

#define TL_CHUNK_BYTES ((uint64_t)32 << 20)
#define TL_STAGING_MIN_BYTES ((uint64_t)64 << 10)
#define TL_DIRECT_BYTES ((uint64_t)64 << 10) /* up to here the queue's own write is the fastest */
#define TL_PENDING_BYTES ((uint64_t)16 << 20)

/* ---- Staging ------------------------------------------------------------------------------------- */

void tl_staging_drop(telar_host *host, tl_staging *staging)
{
    if (staging->buffer == NULL) return;
    host->webgpu->BufferDestroy(staging->buffer);
    tl_map_settle(host, &staging->map);
    host->webgpu->BufferRelease(staging->buffer);
    *staging = (tl_staging){0};
}

/* Large enough for a chunk of this transfer. A write buffer begins its life mapped. */
static telar_status staging_ready(telar_host *host, tl_staging *staging, uint64_t chunk_bytes, bool writes,
                                  telar_diag *diag)
{
    if (staging->size_bytes >= chunk_bytes) return TELAR_OK;
    tl_staging_drop(host, staging);
    uint64_t size_bytes = TL_STAGING_MIN_BYTES;
    while (size_bytes < chunk_bytes) size_bytes *= 2;
    WGPUBufferUsage usage =
        writes ? WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc : WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
    TELAR_TRY(tl_buffer_make(host, size_bytes, usage, writes, &staging->buffer, diag));
    staging->size_bytes = size_bytes;
    staging->mapped = writes;
    return TELAR_OK;
}

static telar_status staging_mapped(telar_host *host, tl_staging *staging, telar_diag *diag)
{
    if (staging->mapped) return TELAR_OK;
    TELAR_TRY(tl_map_wait(host, &staging->map, 0, diag));
    staging->mapped = true;
    return TELAR_OK;
}

static telar_status copy_and_submit(telar_host *host, WGPUBuffer from, uint64_t from_bytes, WGPUBuffer to,
                                    uint64_t to_bytes, uint64_t size_bytes, telar_diag *diag)
{
    WGPUCommandEncoder encoder = host->webgpu->DeviceCreateCommandEncoder(host->device, NULL);
    host->webgpu->CommandEncoderCopyBufferToBuffer(encoder, from, from_bytes, to, to_bytes, size_bytes);
    return tl_submit(host, encoder, diag);
}

static uint64_t chunk_of(uint64_t left_bytes)
{
    return left_bytes < TL_CHUNK_BYTES ? left_bytes : TL_CHUNK_BYTES;
}

/* ---- Words --------------------------------------------------------------------------------------- */

/* A failure in the middle leaves a staging buffer in a state that is not known: it goes. */
static telar_status drop_staging(telar_host *host, tl_staging *staging, telar_status status)
{
    for (int k = 0; k < TL_STAGING_COUNT; k++) tl_staging_drop(host, &staging[k]);
    return status;
}

static telar_status write_chunk(telar_host *host, tl_staging *staging, WGPUBuffer buffer, uint64_t offset_bytes,
                                const uint8_t *data, uint64_t size_bytes, telar_diag *diag)
{
    TELAR_TRY(staging_ready(host, staging, size_bytes, true, diag));
    TELAR_TRY(staging_mapped(host, staging, diag));
    void *to = host->webgpu->BufferGetMappedRange(staging->buffer, 0, (size_t)size_bytes);
    if (to == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "a staging buffer cannot be mapped");
    memcpy(to, data, (size_t)size_bytes);
    host->webgpu->BufferUnmap(staging->buffer);
    staging->mapped = false;
    TELAR_TRY(copy_and_submit(host, staging->buffer, 0, buffer, offset_bytes, size_bytes, diag));
    tl_map_begin(host, &staging->map, staging->buffer, WGPUMapMode_Write, staging->size_bytes);
    return TELAR_OK;
}

/* The queue keeps its own copy until the next submission: many writes without one would pile up. */
static telar_status write_direct(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, const uint8_t *data,
                                 uint64_t size_bytes, telar_diag *diag)
{
    tl_scope_begin(host);
    host->webgpu->QueueWriteBuffer(host->queue, buffer, offset_bytes, data, (size_t)size_bytes);
    TELAR_TRY(tl_scope_end(host, TELAR_VALIDATION_FAILED, "a write", diag));
    TELAR_TRY(tl_alive(host, diag));
    host->pending_bytes += size_bytes;
    if (host->pending_bytes < TL_PENDING_BYTES) return TELAR_OK;
    TELAR_TRY(tl_submit(host, host->webgpu->DeviceCreateCommandEncoder(host->device, NULL), diag));
    return telar_host_wait(host, 0, diag);
}

/* Offset and size are multiples of 4. */
static telar_status write_words(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, const uint8_t *data,
                                uint64_t size_bytes, telar_diag *diag)
{
    if (size_bytes <= TL_DIRECT_BYTES) return write_direct(host, buffer, offset_bytes, data, size_bytes, diag);
    for (uint64_t done = 0, turn = 0; done < size_bytes; turn++) {
        uint64_t chunk = chunk_of(size_bytes - done);
        telar_status status = write_chunk(host, &host->uploads[turn % TL_STAGING_COUNT], buffer, offset_bytes + done,
                                          data + done, chunk, diag);
        if (status != TELAR_OK) return drop_staging(host, host->uploads, status);
        done += chunk;
    }
    return TELAR_OK;
}

static telar_status ask_chunk(telar_host *host, tl_staging *staging, WGPUBuffer buffer, uint64_t offset_bytes,
                              uint64_t size_bytes, telar_diag *diag)
{
    TELAR_TRY(staging_ready(host, staging, size_bytes, false, diag));
    TELAR_TRY(copy_and_submit(host, buffer, offset_bytes, staging->buffer, 0, size_bytes, diag));
    tl_map_begin(host, &staging->map, staging->buffer, WGPUMapMode_Read, size_bytes);
    return TELAR_OK;
}

/* Skips the first bytes of the chunk, then gives size_bytes. */
static telar_status get_chunk(telar_host *host, tl_staging *staging, uint64_t skip_bytes, uint8_t *data,
                              uint64_t size_bytes, telar_diag *diag)
{
    TELAR_TRY(staging_mapped(host, staging, diag));
    uint64_t mapped_bytes = (skip_bytes + size_bytes + 3) / 4 * 4;
    const uint8_t *from = host->webgpu->BufferGetConstMappedRange(staging->buffer, 0, (size_t)mapped_bytes);
    if (from == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "a staging buffer cannot be mapped");
    memcpy(data, from + skip_bytes, (size_t)size_bytes);
    host->webgpu->BufferUnmap(staging->buffer);
    staging->mapped = false;
    return TELAR_OK;
}

/* The words that hold a range. One chunk is on its way while the one before is taken out. */
static telar_status read_range(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, uint8_t *data,
                               uint64_t size_bytes, telar_diag *diag)
{
    uint64_t first = offset_bytes / 4 * 4;
    uint64_t end = offset_bytes + size_bytes;
    uint64_t words_end = end / 4 * 4 + (end % 4 != 0 ? 4 : 0);
    uint64_t asked = first, taken = first;
    for (uint64_t ask_turn = 0, take_turn = 0; taken < words_end;) {
        telar_status status = TELAR_OK;
        while (status == TELAR_OK && asked < words_end && ask_turn < take_turn + TL_STAGING_COUNT) {
            uint64_t chunk = chunk_of(words_end - asked);
            status = ask_chunk(host, &host->downloads[ask_turn++ % TL_STAGING_COUNT], buffer, asked, chunk, diag);
            asked += chunk;
        }
        if (status != TELAR_OK) return drop_staging(host, host->downloads, status);
        uint64_t chunk = chunk_of(words_end - taken);
        uint64_t from = taken < offset_bytes ? offset_bytes : taken;
        uint64_t to = taken + chunk > end ? end : taken + chunk;
        status = get_chunk(host, &host->downloads[take_turn++ % TL_STAGING_COUNT], from - taken,
                           data + (from - offset_bytes), to - from, diag);
        if (status != TELAR_OK) return drop_staging(host, host->downloads, status);
        taken += chunk;
    }
    return TELAR_OK;
}

/* ---- Bytes --------------------------------------------------------------------------------------- */

/* The range lies in the buffer, and so do the words that hold it. */
static telar_status check_range(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, uint64_t size_bytes,
                                WGPUBufferUsage usage, telar_diag *diag)
{
    if (host->lost) return tl_lost(host, diag);
    if (buffer == NULL) return tl_fail(diag, TELAR_INVALID_ARGUMENT, "the buffer is NULL");
    uint64_t whole = host->webgpu->BufferGetSize(buffer);
    if (offset_bytes > whole || size_bytes > whole - offset_bytes) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, offset_bytes, whole,
                             "%llu bytes at %llu reach past the end of the buffer (%llu bytes)",
                             (unsigned long long)size_bytes, (unsigned long long)offset_bytes,
                             (unsigned long long)whole);
    }
    uint64_t end = offset_bytes + size_bytes;
    if (end % 4 != 0 && end > whole / 4 * 4) {
        return tl_fail_limit(diag, TELAR_UNSUPPORTED, end, whole / 4 * 4,
                             "the last %llu bytes of a buffer of %llu bytes cannot be copied; make its size a multiple "
                             "of 4",
                             (unsigned long long)(whole % 4), (unsigned long long)whole);
    }
    if ((host->webgpu->BufferGetUsage(buffer) & usage) != usage) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "the buffer was not created for copies in this direction");
    }
    return TELAR_OK;
}

telar_status telar_host_read(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, void *data,
                             uint64_t size_bytes, telar_diag *diag)
{
    TELAR_TRY(check_range(host, buffer, offset_bytes, size_bytes, WGPUBufferUsage_CopySrc, diag));
    return read_range(host, buffer, offset_bytes, data, size_bytes, diag);
}

/* Bytes inside one word. */
static telar_status write_in_word(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, const uint8_t *data,
                                  uint64_t size_bytes, telar_diag *diag)
{
    uint8_t word[4];
    uint64_t at = offset_bytes / 4 * 4;
    TELAR_TRY(read_range(host, buffer, at, word, 4, diag));
    memcpy(word + (offset_bytes - at), data, (size_t)size_bytes);
    return write_words(host, buffer, at, word, 4, diag);
}

telar_status telar_host_write(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, const void *data,
                              uint64_t size_bytes, telar_diag *diag)
{
    bool odd = offset_bytes % 4 != 0 || size_bytes % 4 != 0;
    WGPUBufferUsage usage = odd ? WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc : WGPUBufferUsage_CopyDst;
    TELAR_TRY(check_range(host, buffer, offset_bytes, size_bytes, usage, diag));
    const uint8_t *bytes = data;
    uint64_t at = offset_bytes, left = size_bytes;
    if (at % 4 != 0 && left > 0) {
        uint64_t head = 4 - at % 4 < left ? 4 - at % 4 : left;
        TELAR_TRY(write_in_word(host, buffer, at, bytes, head, diag));
        at += head;
        bytes += head;
        left -= head;
    }
    uint64_t words = left / 4 * 4;
    if (words > 0) TELAR_TRY(write_words(host, buffer, at, bytes, words, diag));
    if (left > words) TELAR_TRY(write_in_word(host, buffer, at + words, bytes + words, left - words, diag));
    return TELAR_OK;
}
