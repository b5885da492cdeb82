/* SPDX-License-Identifier: MIT
 *
 * The host's memory on the CPU, all of it through telar_alloc with sized free. */
#include "host/host.h"

#include <stdlib.h>
#include <string.h>

static void *take_malloc(void *user, size_t size_bytes)
{
    (void)user;
    return malloc(size_bytes);
}

static void give_free(void *user, void *memory, size_t size_bytes)
{
    (void)user;
    (void)size_bytes;
    free(memory);
}

telar_alloc tl_alloc_or_malloc(const telar_alloc *alloc)
{
    bool own = alloc != NULL && alloc->alloc != NULL && alloc->free != NULL;
    return own ? *alloc : (telar_alloc){take_malloc, give_free, NULL};
}

void *tl_take(const telar_alloc *alloc, size_t count, size_t size)
{
    if (count == 0 || (size != 0 && count > SIZE_MAX / size)) return NULL;
    void *memory = alloc->alloc(alloc->user, count * size);
    if (memory != NULL) memset(memory, 0, count * size);
    return memory;
}

void tl_give(const telar_alloc *alloc, void *memory, size_t count, size_t size)
{
    if (memory != NULL) alloc->free(alloc->user, memory, count * size);
}

bool tl_grow(const telar_alloc *alloc, void **items, size_t count, size_t *cap, size_t size)
{
    if (count < *cap) return true;
    size_t larger = *cap == 0 ? 16 : *cap * 2;
    void *memory = tl_take(alloc, larger, size);
    if (memory == NULL) return false;
    if (count > 0) memcpy(memory, *items, count * size);
    tl_give(alloc, *items, *cap, size);
    *items = memory;
    *cap = larger;
    return true;
}

WGPUStringView tl_view(const char *zero_terminated)
{
    return (WGPUStringView){zero_terminated, strlen(zero_terminated)};
}

void tl_view_copy(char *to, size_t cap, WGPUStringView from)
{
    size_t length = from.data == NULL ? 0 : from.length == WGPU_STRLEN ? strlen(from.data) : from.length;
    if (length > cap - 1) length = cap - 1;
    if (length > 0) memcpy(to, from.data, length);
    while (length > 0 && (to[length - 1] == '\n' || to[length - 1] == ' ')) length--; /* messages end in empty lines */
    to[length] = '\0';
}
