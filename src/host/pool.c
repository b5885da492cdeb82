/* SPDX-License-Identifier: MIT
 *
 * Buffers, kept for reuse by size. A buffer that was used before is cleared before anyone sees it again; new ones are
 * zero by WebGPU's own promise. Buffers for callers have the size asked for, scratch is rounded up to a class. */
#include "host/host.h"

#include <string.h>

#define TL_POOL_MAX 64                    /* free buffers kept, */
#define TL_POOL_BYTES ((uint64_t)1 << 30) /* and their bytes; on a discrete device eight times that */
#define TL_FLUSH_NS 10000000000u

telar_status tl_buffer_make(telar_host *host, uint64_t size_bytes, WGPUBufferUsage usage, bool mapped,
                            WGPUBuffer *buffer, telar_diag *diag)
{
    *buffer = NULL;
    if (host->lost) return tl_lost(host, diag);
    if (size_bytes > host->facts.limits.maxBufferSize) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, size_bytes, host->facts.limits.maxBufferSize,
                             "buffer size (%llu bytes) exceeds maxBufferSize (%llu)", (unsigned long long)size_bytes,
                             (unsigned long long)host->facts.limits.maxBufferSize);
    }
    tl_scope_begin(host);
    WGPUBuffer made = host->webgpu->DeviceCreateBuffer(
        host->device, &(WGPUBufferDescriptor){.usage = usage, .size = size_bytes, .mappedAtCreation = mapped});
    telar_status status = tl_scope_end(host, TELAR_VALIDATION_FAILED, "a buffer", diag);
    if (status == TELAR_OK && made == NULL) {
        status = tl_fail_limit(diag, TELAR_OUT_OF_MEMORY, size_bytes, 0, "no memory for a buffer of %llu bytes",
                               (unsigned long long)size_bytes);
    }
    if (status != TELAR_OK) {
        if (made != NULL) host->webgpu->BufferRelease(made);
        return status;
    }
    *buffer = made;
    return TELAR_OK;
}

/* ---- Classes ------------------------------------------------------------------------------------- */

/* Eight classes between powers of two: at most an eighth is wasted. */
static uint64_t class_of(uint64_t size_bytes, uint64_t limit)
{
    uint64_t step = 256;
    while (step < UINT64_MAX / 32 && step * 16 < size_bytes) step *= 2;
    uint64_t rounded;
    if (!telar_round_up(size_bytes, step, &rounded) || rounded > limit) return size_bytes;
    return rounded;
}

static void destroy(telar_host *host, tl_pooled *item)
{
    host->webgpu->BufferDestroy(item->buffer);
    host->webgpu->BufferRelease(item->buffer);
}

static tl_pooled remove_at(tl_pool *pool, size_t index)
{
    tl_pooled item = pool->items[index];
    pool->count--;
    pool->bytes -= item.size_bytes;
    memmove(pool->items + index, pool->items + index + 1, (pool->count - index) * sizeof *pool->items);
    return item;
}

static bool find(tl_pool *pool, uint64_t size_bytes, tl_pooled *found)
{
    for (size_t k = pool->count; k-- > 0;) {
        if (pool->items[k].size_bytes != size_bytes) continue;
        *found = remove_at(pool, k);
        return true;
    }
    return false;
}

static void drop_oldest(telar_host *host)
{
    tl_pooled item = remove_at(&host->pool, 0);
    destroy(host, &item);
}

static void empty_pool(telar_host *host)
{
    while (host->pool.count > 0) drop_oldest(host);
}

void tl_pool_drop(telar_host *host)
{
    empty_pool(host);
    tl_give(&host->alloc, host->pool.items, host->pool.cap, sizeof *host->pool.items);
    host->pool = (tl_pool){0};
}

/* ---- Taking and putting back --------------------------------------------------------------------- */

telar_status tl_pool_take(telar_host *host, uint64_t size_bytes, bool scratch, WGPUCommandEncoder encoder,
                          WGPUBuffer *buffer, telar_diag *diag)
{
    *buffer = NULL;
    uint64_t rounded;
    if (!telar_round_up(size_bytes == 0 ? 4 : size_bytes, 4, &rounded)) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, size_bytes, UINT64_MAX - 3, "buffer size (%llu bytes) overflows",
                             (unsigned long long)size_bytes);
    }
    if (scratch) rounded = class_of(rounded, host->facts.limits.maxBufferSize);
    tl_pooled item = {.size_bytes = rounded};
    if (find(&host->pool, rounded, &item)) {
        host->webgpu->CommandEncoderClearBuffer(encoder, item.buffer, 0, item.size_bytes);
        *buffer = item.buffer;
        return TELAR_OK;
    }
    telar_status status = tl_buffer_make(host, rounded, TL_BUFFER_USAGE, false, buffer, diag);
    if (status == TELAR_OUT_OF_MEMORY && host->pool.count > 0) {
        empty_pool(host);
        telar_host_wait(host, TL_FLUSH_NS, NULL); /* memory comes back once its last use is over */
        status = tl_buffer_make(host, rounded, TL_BUFFER_USAGE, false, buffer, diag);
    }
    return status;
}

void tl_pool_put(telar_host *host, WGPUBuffer buffer)
{
    tl_pool *pool = &host->pool;
    tl_pooled item = {buffer, host->webgpu->BufferGetSize(buffer)};
    if (host->lost || !tl_grow(&host->alloc, (void **)&pool->items, pool->count, &pool->cap, sizeof *pool->items)) {
        destroy(host, &item);
        return;
    }
    pool->items[pool->count++] = item;
    pool->bytes += item.size_bytes;
    uint64_t most = host->info.type == TELAR_DEVICE_DISCRETE ? 8 * TL_POOL_BYTES : TL_POOL_BYTES;
    while (pool->count > TL_POOL_MAX || pool->bytes > most) drop_oldest(host);
}

telar_status telar_host_buffer_create(telar_host *host, uint64_t size_bytes, WGPUBuffer *buffer, telar_diag *diag)
{
    *buffer = NULL;
    if (host->lost) return tl_lost(host, diag);
    WGPUCommandEncoder encoder = host->webgpu->DeviceCreateCommandEncoder(host->device, NULL);
    size_t free_count = host->pool.count;
    telar_status status = tl_pool_take(host, size_bytes, false, encoder, buffer, diag);
    if (status != TELAR_OK || host->pool.count == free_count) { /* failed, or new and so zero */
        host->webgpu->CommandEncoderRelease(encoder);
        return status;
    }
    status = tl_submit(host, encoder, diag);
    if (status != TELAR_OK) {
        telar_host_buffer_release(host, *buffer);
        *buffer = NULL;
    }
    return status;
}

void telar_host_buffer_release(telar_host *host, WGPUBuffer buffer)
{
    if (buffer != NULL) tl_pool_put(host, buffer);
}
