/* SPDX-License-Identifier: MIT
 *
 * The table of constant values. Equal values have equal numbers; composites share their elements. Tables grow by
 * doubling inside the arena; when it is full, `full` is set and OPAQUE is given. */
#include "wgsl/constant.h"

#include <string.h>

static uint32_t hash_value(const tl_constant_value *value, const uint32_t *elements)
{
    uint64_t h = (value->type * 0x9E3779B97F4A7C15u) ^ value->count;
    if (value->count == 0) {
        h = (h ^ value->as.bits) * 0xD6E8FEB86659FD93u;
    } else {
        for (uint32_t k = 0; k < value->count; k++) h = (h ^ elements[k]) * 0xD6E8FEB86659FD93u;
    }
    return (uint32_t)(h ^ h >> 32 ^ h >> 47);
}

static bool same_value(const tl_constants *constants, const tl_constant_value *a, const tl_constant_value *b,
                       const uint32_t *b_elements)
{
    if (a->type != b->type || a->count != b->count) return false;
    if (a->count == 0) return a->as.bits == b->as.bits;
    return memcmp(constants->elements + a->as.first, b_elements, a->count * sizeof(uint32_t)) == 0;
}

static void *grown(tl_constants *constants, const void *old, uint32_t count, uint32_t capacity, size_t size)
{
    void *block = tl_arena_alloc(constants->arena, capacity, size, 8);
    if (block == NULL) {
        constants->full = true;
        return NULL;
    }
    if (old != NULL) memcpy(block, old, count * size);
    return block;
}

static const uint32_t *elements_of(const tl_constants *constants, uint32_t id)
{
    const tl_constant_value *value = &constants->values[id];
    return value->count > 0 ? constants->elements + value->as.first : NULL;
}

static void place(tl_constants *constants, uint32_t id)
{
    uint32_t mask = constants->bucket_count - 1;
    uint32_t at = hash_value(&constants->values[id], elements_of(constants, id)) & mask;
    while (constants->buckets[at] != 0) at = (at + 1) & mask;
    constants->buckets[at] = id;
}

static bool grow_values(tl_constants *constants)
{
    uint32_t capacity = 64; /* a power of two, as the buckets need */
    while (capacity <= constants->count) capacity *= 2;
    tl_constant_value *values = grown(constants, constants->values, constants->count, capacity, sizeof *values);
    if (values == NULL) return false;
    uint32_t *buckets = TL_ARENA_ARRAY(constants->arena, uint32_t, (size_t)capacity * 2);
    if (buckets == NULL) {
        constants->full = true;
        return false;
    }
    constants->values = values;
    constants->capacity = capacity;
    constants->buckets = buckets;
    constants->bucket_count = capacity * 2;
    for (uint32_t id = TL_CONSTANT_FIRST; id < constants->count; id++) place(constants, id);
    return true;
}

static bool keep_elements(tl_constants *constants, tl_constant_value *value, const uint32_t *elements)
{
    uint32_t needed = constants->element_count + value->count;
    if (needed > constants->element_capacity) {
        uint32_t capacity = constants->element_capacity == 0 ? 64 : constants->element_capacity;
        while (capacity < needed) capacity *= 2;
        uint32_t *block = grown(constants, constants->elements, constants->element_count, capacity, sizeof *block);
        if (block == NULL) return false;
        constants->elements = block;
        constants->element_capacity = capacity;
    }
    memcpy(constants->elements + constants->element_count, elements, value->count * sizeof *elements);
    value->as.bits = 0;
    value->as.first = constants->element_count;
    constants->element_count = needed;
    return true;
}

static tl_constant intern(tl_constants *constants, tl_constant_value value, const uint32_t *elements)
{
    if (constants->full) return TL_CONSTANT_OPAQUE;
    uint32_t mask = constants->bucket_count - 1;
    uint32_t at = hash_value(&value, elements) & mask;
    for (; constants->buckets[at] != 0; at = (at + 1) & mask) {
        uint32_t id = constants->buckets[at];
        if (same_value(constants, &constants->values[id], &value, elements)) return id;
    }
    if (constants->count == constants->capacity && !grow_values(constants)) { return TL_CONSTANT_OPAQUE; }
    if (value.count > 0 && !keep_elements(constants, &value, elements)) return TL_CONSTANT_OPAQUE;
    constants->values[constants->count] = value;
    constants->count++;
    place(constants, constants->count - 1);
    return constants->count - 1;
}

bool tl_constants_init(tl_constants *constants, telar_arena *arena, const tl_types *types)
{
    *constants = (tl_constants){.arena = arena, .types = types, .count = TL_CONSTANT_FIRST};
    return grow_values(constants);
}

tl_constant tl_constant_int(tl_constants *constants, tl_type type, int64_t value)
{
    return intern(constants, (tl_constant_value){.type = type, .as.i = value}, NULL);
}

tl_constant tl_constant_float(tl_constants *constants, tl_type type, double value)
{
    return intern(constants, (tl_constant_value){.type = type, .as.f = value}, NULL);
}

tl_constant tl_constant_bool(tl_constants *constants, bool value)
{
    return tl_constant_int(constants, TL_TYPE_BOOL, value);
}

tl_constant tl_constant_zero(tl_constants *constants, tl_type type)
{
    return intern(constants, (tl_constant_value){.type = type}, NULL);
}

static bool is_zero(const tl_constants *constants, tl_constant constant)
{
    const tl_constant_value *value = &constants->values[constant];
    return value->count == 0 && value->as.bits == 0;
}

tl_constant tl_constant_composite(tl_constants *constants, tl_type type, const tl_constant *elements, uint32_t count)
{
    tl_constant joined = TL_CONSTANT_FIRST;
    bool zero = true;
    for (uint32_t k = 0; k < count; k++) {
        joined = tl_constant_join(joined, elements[k]);
        if (joined == TL_CONSTANT_NONE) return joined;
        zero = zero && tl_constant_is_value(elements[k]) && is_zero(constants, elements[k]);
    }
    if (!tl_constant_is_value(joined)) return joined;
    if (zero) return tl_constant_zero(constants, type);
    return intern(constants, (tl_constant_value){.type = type, .count = count}, elements);
}

static tl_type element_type(const tl_types *types, tl_type type, uint32_t index)
{
    const tl_type_info *info = tl_type_get(types, type);
    switch ((tl_kind)info->kind) {
    case TL_KIND_VECTOR:
    case TL_KIND_ARRAY: return info->element;
    case TL_KIND_MATRIX: return tl_type_vector((tl_kind)info->element, info->rows);
    case TL_KIND_STRUCT: {
        const tl_struct *record = tl_type_struct(types, type);
        if (index >= record->member_count) return TL_TYPE_UNKNOWN;
        return tl_type_members(types, type)[index].type;
    }
    default: return TL_TYPE_UNKNOWN;
    }
}

tl_constant tl_constant_element(tl_constants *constants, tl_constant composite, uint32_t index)
{
    if (!tl_constant_is_value(composite)) return composite;
    const tl_constant_value *value = &constants->values[composite];
    if (value->count > 0) {
        return index < value->count ? constants->elements[value->as.first + index] : TL_CONSTANT_OPAQUE;
    }
    tl_type type = element_type(constants->types, value->type, index);
    return type == TL_TYPE_UNKNOWN ? TL_CONSTANT_OPAQUE : tl_constant_zero(constants, type);
}

bool tl_constant_as_int(const tl_constants *constants, tl_constant constant, int64_t *result)
{
    *result = 0;
    if (!tl_constant_is_value(constant)) return false;
    const tl_constant_value *value = &constants->values[constant];
    if (!tl_kind_is_integer((tl_kind)value->type) && value->type != TL_TYPE_BOOL) return false;
    *result = value->as.i;
    return true;
}

bool tl_constant_as_double(const tl_constants *constants, tl_constant constant, double *result)
{
    int64_t integer;
    *result = 0;
    if (tl_constant_as_int(constants, constant, &integer)) {
        *result = constants->values[constant].type == TL_TYPE_U64 ? (double)(uint64_t)integer : (double)integer;
        return true;
    }
    if (!tl_constant_is_value(constant)) return false;
    const tl_constant_value *value = &constants->values[constant];
    if (!tl_kind_is_float((tl_kind)value->type)) return false;
    *result = value->as.f;
    return true;
}
