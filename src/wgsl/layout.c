/* SPDX-License-Identifier: MIT
 *
 * Memory layout: size, alignment and stride of every type that can be in memory, and what a type contains.
 * Follows the WGSL sections "Alignment and Size", "Structure Member Layout" and "Address Space Layout Constraints". */
#include "wgsl/types.h"

/* Bytes of each scalar; a bool takes 4 in workgroup and private memory. 0: no layout. */
static const uint8_t scalar_bytes[TL_SCALAR_END] = {
    [TL_KIND_BOOL] = 4, [TL_KIND_I32] = 4, [TL_KIND_U32] = 4, [TL_KIND_F32] = 4, [TL_KIND_F16] = 2, [TL_KIND_I64] = 8,
    [TL_KIND_U64] = 8,  [TL_KIND_F64] = 8, [TL_KIND_I8] = 1,  [TL_KIND_U8] = 1,  [TL_KIND_I16] = 2, [TL_KIND_U16] = 2,
};

#define INHERITED                                                                                                      \
    (TL_TYPE_HAS_RUNTIME | TL_TYPE_HAS_OVERRIDE | TL_TYPE_HAS_ATOMIC | TL_TYPE_HAS_UNKNOWN | TL_TYPE_HAS_BOOL |        \
     TL_TYPE_HAS_HANDLE | TL_TYPE_HAS_ABSTRACT | TL_TYPE_OPAQUE_SIZE)

static uint64_t round_up(uint64_t n, uint64_t step)
{
    uint64_t result = 0;
    return step > 0 && telar_round_up(n, step, &result) ? result : n;
}

static uint16_t scalar_flags(uint32_t kind)
{
    if (kind == TL_KIND_UNKNOWN) return TL_TYPE_HAS_UNKNOWN;
    if (kind == TL_KIND_BOOL) return TL_TYPE_HAS_BOOL;
    return tl_kind_is_abstract((tl_kind)kind) ? TL_TYPE_HAS_ABSTRACT : 0;
}

/* A vector of 3 is aligned like one of 4 and has the size of three. */
static void fill_vector(tl_type_info *info)
{
    uint32_t bytes = scalar_bytes[info->element];
    info->flags = scalar_flags(info->element);
    info->align = bytes * (info->rows == 2 ? 2 : 4);
    info->size = (uint64_t)bytes * info->rows;
}

/* Laid out as an array of its columns. */
static void fill_matrix(tl_type_info *info)
{
    uint32_t bytes = scalar_bytes[info->element];
    info->flags = scalar_flags(info->element);
    info->align = bytes * (info->rows == 2 ? 2 : 4);
    info->size = (uint64_t)info->align * info->columns;
}

static void fill_array(const tl_types *types, tl_type_info *info)
{
    const tl_type_info *element = &types->info[info->element];
    info->flags = element->flags & INHERITED;
    info->align = element->align;
    uint64_t stride = round_up(element->size, element->align);
    if (info->columns != 0) {
        info->flags |= TL_TYPE_OPAQUE_SIZE;
    } else if (info->count == 0) {
        info->flags |= info->expression != 0 ? TL_TYPE_HAS_OVERRIDE : TL_TYPE_HAS_RUNTIME;
    }
    if (!telar_multiply(stride, info->count == 0 ? 1 : info->count, &info->size)) { info->size = UINT64_MAX; }
}

static void copy_layout(const tl_types *types, tl_type_info *info)
{
    info->align = types->info[info->element].align;
    info->size = types->info[info->element].size;
    info->flags = types->info[info->element].flags & INHERITED;
}

static uint8_t deeper(uint8_t depth)
{
    return depth == UINT8_MAX ? UINT8_MAX : (uint8_t)(depth + 1);
}

void tl_layout_fill(const tl_types *types, tl_type_info *info)
{
    bool nests = info->kind >= TL_KIND_ARRAY && info->kind != TL_KIND_STRUCT;
    if (nests && info->element < types->count) info->depth = deeper(types->info[info->element].depth);
    switch ((tl_kind)info->kind) {
    case TL_KIND_VECTOR: fill_vector(info); break;
    case TL_KIND_MATRIX: fill_matrix(info); break;
    case TL_KIND_ARRAY: fill_array(types, info); break;
    case TL_KIND_ATOMIC:
        copy_layout(types, info);
        info->flags |= TL_TYPE_HAS_ATOMIC;
        break;
    case TL_KIND_BUFFER:
        info->align = 4;
        info->size = info->count;
        info->flags = TL_TYPE_HAS_UNKNOWN; /* what it holds, and which of its sizes go together */
        break;
    case TL_KIND_POINTER:
    case TL_KIND_REFERENCE:
    case TL_KIND_BINDING_ARRAY:
        info->flags = TL_TYPE_HAS_HANDLE | (types->info[info->element].flags & TL_TYPE_HAS_UNKNOWN);
        break;
    case TL_KIND_SAMPLER:
    case TL_KIND_TEXTURE: info->flags = TL_TYPE_HAS_HANDLE; break;
    case TL_KIND_STRUCT: break; /* when its members are known */
    default:
        info->align = scalar_bytes[info->kind];
        info->size = scalar_bytes[info->kind];
        info->flags = scalar_flags(info->kind);
        break;
    }
}

bool tl_layout_struct(tl_types *types, tl_type type, const tl_member_desc *members, uint32_t count)
{
    tl_type_info *info = &types->info[type];
    tl_member *out = types->members + types->structs[info->element].member_first;
    uint64_t end = 0;
    uint32_t flags = 0;
    info->align = 1;
    for (uint32_t k = 0; k < count; k++) {
        const tl_type_info *of = &types->info[members[k].type];
        uint32_t align = members[k].align > 0 ? members[k].align : of->align;
        uint64_t size = members[k].size > 0 ? members[k].size : of->size;
        uint64_t offset = round_up(end, align);
        out[k] = (tl_member){.name = members[k].name,
                             .node = members[k].node,
                             .text = members[k].text,
                             .type = members[k].type,
                             .align = align,
                             .offset = offset,
                             .size = size};
        end = size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
        if (align > info->align) info->align = align;
        if (of->depth >= info->depth) info->depth = deeper(of->depth);
        flags |= of->flags & INHERITED;
        if (of->kind == TL_KIND_STRUCT) flags |= TL_TYPE_NESTED_STRUCT;
    }
    info->size = round_up(end, info->align);
    info->flags = (uint16_t)flags;
    return true;
}

uint64_t tl_layout_stride(const tl_types *types, tl_type array)
{
    const tl_type_info *info = &types->info[array];
    if (info->kind != TL_KIND_ARRAY) return 0;
    return round_up(types->info[info->element].size, types->info[info->element].align);
}

uint64_t tl_layout_column_stride(const tl_types *types, tl_type matrix)
{
    const tl_type_info *info = &types->info[matrix];
    return info->kind == TL_KIND_MATRIX ? info->align : 0;
}

static bool wants_16(const tl_types *types, tl_type type)
{
    tl_kind kind = tl_type_kind(types, type);
    return kind == TL_KIND_ARRAY || kind == TL_KIND_STRUCT;
}

static bool members_fit(const tl_types *types, tl_type type, uint64_t *offset)
{
    const tl_struct *record = tl_type_struct(types, type);
    const tl_member *members = tl_type_members(types, type);
    for (uint32_t k = 0; k < record->member_count; k++) {
        uint64_t inner = 0;
        bool aligned = !wants_16(types, members[k].type) || members[k].offset % 16 == 0;
        /* After a member that is a structure, the next one starts at the structure's size rounded up to 16. */
        bool apart = k == 0 || tl_type_kind(types, members[k - 1].type) != TL_KIND_STRUCT ||
                     members[k].offset - members[k - 1].offset >= round_up(types->info[members[k - 1].type].size, 16);
        if (!aligned || !apart || !tl_layout_fits_uniform(types, members[k].type, &inner)) {
            *offset = members[k].offset + inner;
            return false;
        }
    }
    return true;
}

bool tl_layout_fits_uniform(const tl_types *types, tl_type type, uint64_t *offset)
{
    *offset = 0;
    tl_kind kind = tl_type_kind(types, type);
    if (kind == TL_KIND_STRUCT) return members_fit(types, type, offset);
    if (kind != TL_KIND_ARRAY) return true;
    return tl_layout_stride(types, type) % 16 == 0 &&
           tl_layout_fits_uniform(types, tl_type_get(types, type)->element, offset);
}
