/* SPDX-License-Identifier: MIT
 *
 * Types, address spaces, access modes and texel formats as text, for messages and reflection. */
#include "wgsl/types.h"

static const char *const scalar_names[TL_SCALAR_END] = {
    [TL_KIND_UNKNOWN] = "unknown",
    [TL_KIND_VOID] = "no value",
    [TL_KIND_ABSTRACT_INT] = "abstract-int",
    [TL_KIND_ABSTRACT_FLOAT] = "abstract-float",
    [TL_KIND_BOOL] = "bool",
    [TL_KIND_I32] = "i32",
    [TL_KIND_U32] = "u32",
    [TL_KIND_F32] = "f32",
    [TL_KIND_F16] = "f16",
    [TL_KIND_I64] = "i64",
    [TL_KIND_U64] = "u64",
    [TL_KIND_F64] = "f64",
    [TL_KIND_I8] = "i8",
    [TL_KIND_U8] = "u8",
    [TL_KIND_I16] = "i16",
    [TL_KIND_U16] = "u16",
};

static const char *const space_names[] = {
    [TL_SPACE_NONE] = "none",           [TL_SPACE_FUNCTION] = "function",   [TL_SPACE_PRIVATE] = "private",
    [TL_SPACE_WORKGROUP] = "workgroup", [TL_SPACE_UNIFORM] = "uniform",     [TL_SPACE_STORAGE] = "storage",
    [TL_SPACE_HANDLE] = "handle",       [TL_SPACE_IMMEDIATE] = "immediate", [TL_SPACE_OTHER] = "other",
};

static const char *const access_names[] = {
    [TL_ACCESS_NONE] = "none",
    [TL_ACCESS_READ] = "read",
    [TL_ACCESS_WRITE] = "write",
    [TL_ACCESS_READ_WRITE] = "read_write",
};

static const char *const dim_names[] = {
    [TL_DIM_1D] = "1d", [TL_DIM_2D] = "2d",     [TL_DIM_2D_ARRAY] = "2d_array",
    [TL_DIM_3D] = "3d", [TL_DIM_CUBE] = "cube", [TL_DIM_CUBE_ARRAY] = "cube_array",
};

static const struct {
    const char *name;
    tl_kind channel;
} texel_formats[] = {
    {"none", TL_KIND_UNKNOWN},
#define TEXEL_FORMAT(name, channel) {#name, TL_KIND_##channel},
#include "wgsl/texel_formats.inl"
#undef TEXEL_FORMAT
};

const char *tl_space_name(tl_space space)
{
    return space_names[space];
}

const char *tl_access_name(tl_access access)
{
    return access_names[access];
}

const char *tl_texel_format_name(uint32_t format)
{
    return texel_formats[format < TL_COUNT(texel_formats) ? format : 0].name;
}

tl_kind tl_texel_format_channel(uint32_t format)
{
    return texel_formats[format < TL_COUNT(texel_formats) ? format : 0].channel;
}

uint32_t tl_texel_format_find(tl_str name)
{
    for (uint32_t k = 1; k < TL_COUNT(texel_formats); k++) {
        if (tl_str_equal(name, tl_str_of(texel_formats[k].name))) return k;
    }
    return 0;
}

static void print_texture(telar_out *out, const tl_type_info *info)
{
    const char *dim = dim_names[info->rows];
    const char *sampled = info->element < TL_SCALAR_END ? scalar_names[info->element] : "";
    switch ((tl_texture)info->columns) {
    case TL_TEXTURE_SAMPLED: tl_out_format(out, "texture_%s<%s>", dim, sampled); break;
    case TL_TEXTURE_MULTISAMPLED: tl_out_format(out, "texture_multisampled_%s<%s>", dim, sampled); break;
    case TL_TEXTURE_DEPTH: tl_out_format(out, "texture_depth_%s", dim); break;
    case TL_TEXTURE_DEPTH_MULTISAMPLED: tl_out_format(out, "texture_depth_multisampled_%s", dim); break;
    case TL_TEXTURE_STORAGE:
        tl_out_format(out, "texture_storage_%s<%s, %s>", dim, tl_texel_format_name(info->count),
                      access_names[info->access]);
        break;
    case TL_TEXTURE_TEXEL_BUFFER:
        tl_out_format(out, "texel_buffer<%s, %s>", tl_texel_format_name(info->count), access_names[info->access]);
        break;
    case TL_TEXTURE_EXTERNAL: tl_out_text(out, "texture_external"); break;
    case TL_TEXTURE_INPUT_ATTACHMENT: tl_out_format(out, "input_attachment<%s>", sampled); break;
    }
}

static void print_pointer(telar_out *out, const tl_type_info *info, const char *word)
{
    tl_out_format(out, "%s<%s, ", word, space_names[info->space]);
}

static void print_struct(telar_out *out, const tl_types *types, tl_type type, tl_symbol_text symbols, const void *user)
{
    const tl_struct *record = tl_type_struct(types, type);
    if (record->text != NULL) {
        tl_out_text(out, record->text);
    } else {
        tl_out_str(out, symbols(user, record->name));
    }
}

/* Prints what stands before the element type; false when there is no element left to print. */
static bool print_head(telar_out *out, const tl_types *types, tl_type type, tl_symbol_text symbols, const void *user)
{
    const tl_type_info *info = tl_type_get(types, type);
    switch ((tl_kind)info->kind) {
    case TL_KIND_VECTOR: tl_out_format(out, "vec%u<", info->rows); return true;
    case TL_KIND_MATRIX: tl_out_format(out, "mat%ux%u<", info->columns, info->rows); return true;
    case TL_KIND_ARRAY: tl_out_text(out, "array<"); return true;
    case TL_KIND_BINDING_ARRAY: tl_out_text(out, "binding_array<"); return true;
    case TL_KIND_ATOMIC: tl_out_text(out, "atomic<"); return true;
    case TL_KIND_POINTER: print_pointer(out, info, "ptr"); return true;
    case TL_KIND_REFERENCE: print_pointer(out, info, "ref"); return true;
    case TL_KIND_STRUCT: print_struct(out, types, type, symbols, user); return false;
    case TL_KIND_SAMPLER: tl_out_text(out, info->rows == 0 ? "sampler" : "sampler_comparison"); return false;
    case TL_KIND_TEXTURE: print_texture(out, info); return false;
    case TL_KIND_BUFFER:
        tl_out_text(out, "buffer");
        if (info->count > 0) tl_out_format(out, "<%u>", info->count);
        return false;
    default: tl_out_text(out, scalar_names[info->kind]); return false;
    }
}

static void print_tail(telar_out *out, const tl_type_info *info)
{
    bool counted = info->kind == TL_KIND_ARRAY || info->kind == TL_KIND_BINDING_ARRAY;
    if (counted && info->count > 0) tl_out_format(out, ", %u", info->count);
    if (info->kind == TL_KIND_ARRAY && info->expression != 0) tl_out_text(out, ", (override)");
    if (info->kind == TL_KIND_POINTER || info->kind == TL_KIND_REFERENCE) {
        tl_out_format(out, ", %s", access_names[info->access]);
    }
    tl_out_text(out, ">");
}

/* Types nest at most 255 deep, so the chain of elements fits a small stack. */
void tl_type_print(telar_out *out, const tl_types *types, tl_type type, tl_symbol_text symbols, const void *user)
{
    tl_type chain[260];
    uint32_t depth = 0;
    while (print_head(out, types, type, symbols, user)) {
        if (depth == TL_COUNT(chain)) break;
        chain[depth++] = type;
        type = tl_type_get(types, type)->element;
    }
    while (depth > 0) print_tail(out, tl_type_get(types, chain[--depth]));
}
