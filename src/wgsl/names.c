/* SPDX-License-Identifier: MIT
 *
 * Lookup in the tables of predeclared names. Each symbol of a module is looked up at most once, so that a binary search
 * over sorted tables is enough; they are const and need no set-up. */
#include "wgsl/names.h"

#include <string.h>

static const tl_builtin_row builtins[TL_BUILTIN_COUNT] = {
#define BUILTIN(name, rule, signature, flags) {#name, TL_RULE_##rule, signature, flags},
#include "wgsl/builtins.inl"
#undef BUILTIN
};

static const tl_predeclared_row predeclared[] = {
#define PREDECLARED(name, class_, a, b, c) {#name, TL_CLASS_##class_, a, b, c},
#include "wgsl/predeclared.inl"
#undef PREDECLARED
};

const tl_builtin_row *tl_builtin_get(tl_builtin builtin)
{
    return &builtins[builtin];
}

const tl_predeclared_row *tl_predeclared_get(uint32_t index)
{
    return &predeclared[index];
}

/* Order of `name` against a zero-terminated text, by bytes. */
static int compare(tl_str name, const char *text)
{
    size_t text_len = strlen(text);
    size_t common = name.len < text_len ? name.len : text_len;
    int order = memcmp(name.data, text, common);
    if (order != 0) return order;
    return name.len < text_len ? -1 : name.len > text_len;
}

/* Each row starts with its name. TL_NAME_INDEX_MASK when there is none. */
static uint32_t search(tl_str name, const void *rows, size_t row_bytes, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *text;
        memcpy(&text, (const char *)rows + middle * row_bytes, sizeof text);
        int order = compare(name, text);
        if (order == 0) return (uint32_t)middle;
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return TL_NAME_INDEX_MASK;
}

uint32_t tl_name_find(tl_str name)
{
    uint32_t index = search(name, predeclared, sizeof predeclared[0], TL_COUNT(predeclared));
    if (index != TL_NAME_INDEX_MASK) return TL_NAME_PREDECLARED | index;
    index = search(name, builtins, sizeof builtins[0], TL_COUNT(builtins));
    if (index != TL_NAME_INDEX_MASK) return TL_NAME_BUILTIN | index;
    index = tl_texel_format_find(name);
    return index == 0 ? 0 : TL_NAME_FORMAT | index;
}

enum {
    VALUE_ANY,
    VALUE_BOOL,
    VALUE_U32,
    VALUE_F32,
    VALUE_V3U,
    VALUE_V3F,
    VALUE_V4F
};

static const struct {
    const char *name;
    uint8_t type;
} values[TL_VALUE_COUNT] = {
    {"none", VALUE_ANY},
#define BUILTIN_VALUE(name, type) {#name, VALUE_##type},
#include "wgsl/builtin_values.inl"
#undef BUILTIN_VALUE
};

tl_builtin_value tl_builtin_value_find(tl_str name)
{
    for (uint32_t k = 1; k < TL_VALUE_COUNT; k++) {
        if (tl_str_equal(name, tl_str_of(values[k].name))) return (tl_builtin_value)k;
    }
    return TL_VALUE_NONE;
}

const char *tl_builtin_value_name(tl_builtin_value value)
{
    return values[value].name;
}

tl_type tl_builtin_value_type(tl_builtin_value value)
{
    switch (values[value].type) {
    case VALUE_BOOL: return TL_TYPE_BOOL;
    case VALUE_U32: return TL_TYPE_U32;
    case VALUE_F32: return TL_TYPE_F32;
    case VALUE_V3U: return tl_type_vector(TL_KIND_U32, 3);
    case VALUE_V3F: return tl_type_vector(TL_KIND_F32, 3);
    case VALUE_V4F: return tl_type_vector(TL_KIND_F32, 4);
    default: return TL_TYPE_UNKNOWN;
    }
}
