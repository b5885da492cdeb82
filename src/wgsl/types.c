/* SPDX-License-Identifier: MIT
 *
 * The interned type table. Lookup is one hash over the identifying fields; tables grow by doubling inside the arena.
 * When the arena is full, `full` is set and the unknown type is given, so that callers check once at the end. */
#include "wgsl/types.h"

#include <string.h>

#define FIRST_CAPACITY 192u

static uint32_t hash_info(const tl_type_info *info)
{
    uint32_t h = (uint32_t)info->kind | (uint32_t)info->space << 8 | (uint32_t)info->access << 12 |
                 (uint32_t)info->rows << 16 | (uint32_t)info->columns << 24;
    h = (h ^ info->element) * 0x9E3779B1u;
    h = (h ^ h >> 15 ^ info->count) * 0x85EBCA77u;
    h = (h ^ h >> 13 ^ info->expression) * 0xC2B2AE3Du;
    return h ^ h >> 16;
}

static bool same_info(const tl_type_info *a, const tl_type_info *b)
{
    return a->kind == b->kind && a->space == b->space && a->access == b->access && a->rows == b->rows &&
           a->columns == b->columns && a->element == b->element && a->count == b->count &&
           a->expression == b->expression;
}

/* A table twice as large, with the old content; NULL when the arena is full. */
static void *grown(tl_types *types, const void *old, uint32_t count, uint32_t capacity, size_t size)
{
    void *block = tl_arena_alloc(types->arena, capacity, size, 8);
    if (block == NULL) {
        types->full = true;
        return NULL;
    }
    if (count > 0) memcpy(block, old, count * size);
    return block;
}

static bool rehash(tl_types *types, uint32_t bucket_count)
{
    uint32_t *buckets = TL_ARENA_ARRAY(types->arena, uint32_t, bucket_count);
    if (buckets == NULL) {
        types->full = true;
        return false;
    }
    types->buckets = buckets;
    types->bucket_count = bucket_count;
    for (uint32_t id = TL_TYPE_FIXED_COUNT; id < types->count; id++) {
        uint32_t *bucket = &buckets[hash_info(&types->info[id]) & (bucket_count - 1)];
        types->info[id].next = *bucket;
        *bucket = id;
    }
    return true;
}

static tl_type append(tl_types *types, tl_type_info info)
{
    if (types->full) return TL_TYPE_UNKNOWN;
    if (types->count == types->capacity) {
        tl_type_info *block = grown(types, types->info, types->count, types->capacity * 2, sizeof *block);
        if (block == NULL) return TL_TYPE_UNKNOWN;
        types->info = block;
        types->capacity *= 2;
        if (!rehash(types, types->bucket_count * 2)) return TL_TYPE_UNKNOWN;
    }
    tl_layout_fill(types, &info);
    uint32_t *bucket = &types->buckets[hash_info(&info) & (types->bucket_count - 1)];
    info.next = *bucket;
    *bucket = types->count;
    types->info[types->count] = info;
    return types->count++;
}

static tl_type intern(tl_types *types, tl_type_info info)
{
    for (uint32_t id = types->buckets[hash_info(&info) & (types->bucket_count - 1)]; id != 0;
         id = types->info[id].next) {
        if (same_info(&types->info[id], &info)) return id;
    }
    return append(types, info);
}

static const tl_kind matrix_scalars[4] = {TL_KIND_ABSTRACT_FLOAT, TL_KIND_F32, TL_KIND_F16, TL_KIND_F64};

static void fill_fixed(tl_types *types)
{
    for (uint32_t id = 0; id < TL_SCALAR_END; id++) {
        types->info[id].kind = (uint8_t)id;
        tl_layout_fill(types, &types->info[id]);
    }
    for (uint32_t id = TL_TYPE_VECTOR_FIRST; id < TL_TYPE_MATRIX_FIRST; id++) {
        uint32_t k = id - TL_TYPE_VECTOR_FIRST;
        types->info[id] =
            (tl_type_info){.kind = TL_KIND_VECTOR, .rows = (uint8_t)(k % 3 + 2), .element = k / 3 + TL_SCALAR_FIRST};
        tl_layout_fill(types, &types->info[id]);
    }
    for (uint32_t id = TL_TYPE_MATRIX_FIRST; id < TL_TYPE_SAMPLER; id++) {
        uint32_t k = id - TL_TYPE_MATRIX_FIRST;
        types->info[id] = (tl_type_info){.kind = TL_KIND_MATRIX,
                                         .columns = (uint8_t)(k % 9 / 3 + 2),
                                         .rows = (uint8_t)(k % 3 + 2),
                                         .element = matrix_scalars[k / 9]};
        tl_layout_fill(types, &types->info[id]);
    }
    types->info[TL_TYPE_SAMPLER] = (tl_type_info){.kind = TL_KIND_SAMPLER};
    types->info[TL_TYPE_SAMPLER_COMPARISON] = (tl_type_info){.kind = TL_KIND_SAMPLER, .rows = 1};
    tl_layout_fill(types, &types->info[TL_TYPE_SAMPLER]);
    tl_layout_fill(types, &types->info[TL_TYPE_SAMPLER_COMPARISON]);
}

bool tl_types_init(tl_types *types, telar_arena *arena)
{
    *types = (tl_types){.arena = arena, .capacity = FIRST_CAPACITY};
    types->info = TL_ARENA_ARRAY(arena, tl_type_info, FIRST_CAPACITY);
    if (types->info == NULL || !rehash(types, 128)) return false;
    fill_fixed(types);
    types->count = TL_TYPE_FIXED_COUNT;
    return true;
}

tl_type tl_type_vector(tl_kind scalar, uint32_t size)
{
    if (scalar < TL_SCALAR_FIRST || scalar >= TL_SCALAR_END) return TL_TYPE_UNKNOWN;
    return TL_TYPE_VECTOR_FIRST + ((uint32_t)scalar - TL_SCALAR_FIRST) * 3 + (size - 2);
}

tl_type tl_type_matrix(tl_kind scalar, uint32_t columns, uint32_t rows)
{
    for (uint32_t k = 0; k < TL_COUNT(matrix_scalars); k++) {
        if (matrix_scalars[k] == scalar) { return TL_TYPE_MATRIX_FIRST + k * 9 + (columns - 2) * 3 + (rows - 2); }
    }
    return TL_TYPE_UNKNOWN;
}

tl_type tl_type_array(tl_types *types, tl_type element, uint32_t count, uint32_t expression)
{
    return intern(types,
                  (tl_type_info){.kind = TL_KIND_ARRAY, .element = element, .count = count, .expression = expression});
}

/* columns marks the array whose size is a constant that was not evaluated. */
tl_type tl_type_array_unsized(tl_types *types, tl_type element, uint32_t expression)
{
    return intern(types,
                  (tl_type_info){.kind = TL_KIND_ARRAY, .columns = 1, .element = element, .expression = expression});
}

tl_type tl_type_binding_array(tl_types *types, tl_type element, uint32_t count)
{
    return intern(types, (tl_type_info){.kind = TL_KIND_BINDING_ARRAY, .element = element, .count = count});
}

tl_type tl_type_buffer(tl_types *types, uint32_t bytes)
{
    return intern(types, (tl_type_info){.kind = TL_KIND_BUFFER, .count = bytes});
}

tl_type tl_type_pointer(tl_types *types, tl_space space, tl_type store, tl_access access)
{
    return intern(
        types,
        (tl_type_info){.kind = TL_KIND_POINTER, .space = (uint8_t)space, .access = (uint8_t)access, .element = store});
}

tl_type tl_type_reference(tl_types *types, tl_space space, tl_type store, tl_access access)
{
    return intern(types,
                  (tl_type_info){
                      .kind = TL_KIND_REFERENCE, .space = (uint8_t)space, .access = (uint8_t)access, .element = store});
}

tl_type tl_type_atomic(tl_types *types, tl_type of)
{
    return intern(types, (tl_type_info){.kind = TL_KIND_ATOMIC, .element = of});
}

tl_type tl_type_texture(tl_types *types, tl_texture texture, tl_dim dim, tl_type sampled, uint32_t format,
                        tl_access access)
{
    return intern(types, (tl_type_info){.kind = TL_KIND_TEXTURE,
                                        .columns = (uint8_t)texture,
                                        .rows = (uint8_t)dim,
                                        .element = sampled,
                                        .count = format,
                                        .access = (uint8_t)access});
}

tl_type tl_type_struct_begin(tl_types *types, uint32_t name, uint32_t node, const char *text)
{
    if (types->struct_count == types->struct_capacity) {
        uint32_t capacity = types->struct_capacity == 0 ? 8 : types->struct_capacity * 2;
        tl_struct *block = grown(types, types->structs, types->struct_count, capacity, sizeof *block);
        if (block == NULL) return TL_TYPE_UNKNOWN;
        types->structs = block;
        types->struct_capacity = capacity;
    }
    uint32_t index = types->struct_count++;
    tl_type type = append(types, (tl_type_info){.kind = TL_KIND_STRUCT, .element = index});
    types->structs[index] = (tl_struct){.name = name, .node = node, .text = text, .type = type};
    return type;
}

bool tl_type_struct_end(tl_types *types, tl_type type, const tl_member_desc *members, uint32_t count)
{
    if (type == TL_TYPE_UNKNOWN) return false;
    uint32_t needed = types->member_count + count;
    if (needed > types->member_capacity) {
        uint32_t capacity = types->member_capacity == 0 ? 16 : types->member_capacity * 2;
        while (capacity < needed) capacity *= 2;
        tl_member *block = grown(types, types->members, types->member_count, capacity, sizeof *block);
        if (block == NULL) return false;
        types->members = block;
        types->member_capacity = capacity;
    }
    tl_struct *record = &types->structs[types->info[type].element];
    record->member_first = types->member_count;
    record->member_count = count;
    types->member_count = needed;
    return tl_layout_struct(types, type, members, count);
}

tl_type tl_type_with_scalar(const tl_types *types, tl_type shape, tl_kind scalar)
{
    if (tl_type_is_scalar(shape)) return (tl_type)scalar;
    const tl_type_info *info = tl_type_get(types, shape);
    if (tl_type_is_vector(shape)) return tl_type_vector(scalar, info->rows);
    if (tl_type_is_matrix(shape)) return tl_type_matrix(scalar, info->columns, info->rows);
    return TL_TYPE_UNKNOWN;
}

uint32_t tl_type_components(const tl_types *types, tl_type type)
{
    return tl_type_is_vector(type) ? tl_type_get(types, type)->rows : 1;
}

const tl_struct *tl_type_struct(const tl_types *types, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    return info->kind == TL_KIND_STRUCT ? &types->structs[info->element] : NULL;
}

const tl_member *tl_type_members(const tl_types *types, tl_type type)
{
    const tl_struct *record = tl_type_struct(types, type);
    return record == NULL ? NULL : types->members + record->member_first;
}
