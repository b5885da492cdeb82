/* SPDX-License-Identifier: MIT
 *
 * Memory from the caller's block. Freed all at once, by the caller. */
#include "base/base.h"

#include <string.h>

telar_arena telar_arena_make(void *data, size_t cap_bytes)
{
    return (telar_arena){.data = data, .cap = data == NULL ? 0 : cap_bytes};
}

void *tl_arena_alloc(telar_arena *arena, size_t count, size_t size, size_t align)
{
    if (size != 0 && count > (SIZE_MAX / 2 - arena->used) / size) {
        arena->needed = SIZE_MAX;
        return NULL;
    }
    size_t start = (arena->used + align - 1) & ~(align - 1);
    size_t end = start + count * size;
    if (end > arena->cap) {
        if (end > arena->needed) arena->needed = end;
        return NULL;
    }
    arena->used = end;
    void *block = (char *)arena->data + start;
    memset(block, 0, count * size);
    return block;
}
