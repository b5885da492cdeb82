/* SPDX-License-Identifier: MIT
 *
 * Calls of texture functions: their arguments follow from the texture, which the signatures in builtins.inl say by
 * letters. One pass takes the arguments in turn; a letter that does not apply to the texture takes none. */
#include "wgsl/resolver.h"

typedef struct texture_call {
    tl_resolver *r;
    uint32_t node;
    uint32_t list;
    uint32_t count; /* of arguments */
    uint32_t next;  /* argument to take */
    tl_type_info texture;
} texture_call;

static tl_type next_type(const texture_call *c)
{
    if (c->next >= c->count) return TL_TYPE_VOID;
    return tl_node_value_type(c->r->m, tl_list_at(c->r->m, c->list, c->next));
}

static bool take(texture_call *c, tl_type to)
{
    if (!tl_type_converts(&c->r->s->types, next_type(c), to)) return false;
    tl_convert(c->r, tl_list_at(c->r->m, c->list, c->next), to);
    c->next++;
    return true;
}

static uint32_t dimensions(const texture_call *c)
{
    switch ((tl_dim)c->texture.rows) {
    case TL_DIM_1D: return 1;
    case TL_DIM_2D:
    case TL_DIM_2D_ARRAY: return 2;
    default: return 3;
    }
}

static bool is_arrayed(const texture_call *c)
{
    return c->texture.rows == TL_DIM_2D_ARRAY || c->texture.rows == TL_DIM_CUBE_ARRAY;
}

static bool is_depth(const texture_call *c)
{
    return c->texture.columns == TL_TEXTURE_DEPTH || c->texture.columns == TL_TEXTURE_DEPTH_MULTISAMPLED;
}

/* Has mip levels or samples, which a load must choose from. */
static bool has_levels(const texture_call *c)
{
    return c->texture.columns <= TL_TEXTURE_DEPTH_MULTISAMPLED;
}

static tl_type sized(tl_kind scalar, uint32_t size)
{
    return size == 1 ? (tl_type)scalar : tl_type_vector(scalar, size);
}

/* i32 or u32 of this size. */
static bool take_integer(texture_call *c, uint32_t size)
{
    tl_kind scalar = tl_type_scalar(&c->r->s->types, next_type(c));
    return take(c, sized(scalar == TL_KIND_U32 ? TL_KIND_U32 : TL_KIND_I32, size));
}

static bool take_texture(texture_call *c)
{
    if (tl_kind_of(c->r, next_type(c)) != TL_KIND_TEXTURE) return false;
    c->texture = *tl_type_get(&c->r->s->types, next_type(c));
    c->next++;
    return true;
}

/* The component to gather stands before the texture; one of a depth texture has none. */
static bool take_component(texture_call *c)
{
    return tl_kind_of(c->r, next_type(c)) == TL_KIND_TEXTURE || take_integer(c, 1);
}

static bool take_level(texture_call *c)
{
    return (is_depth(c) && take_integer(c, 1)) || take(c, TL_TYPE_F32);
}

static tl_type channel(const texture_call *c)
{
    return is_depth(c) || c->texture.element == 0 ? TL_TYPE_F32 : c->texture.element;
}

static bool take_pattern(texture_call *c, char letter)
{
    switch (letter) {
    case 't': return take_texture(c);
    case 's': return take(c, TL_TYPE_SAMPLER);
    case 'z': return take(c, TL_TYPE_SAMPLER_COMPARISON);
    case 'p':
    case 'g': return take(c, sized(TL_KIND_F32, dimensions(c)));
    case 'k': return take_integer(c, dimensions(c));
    case 'a': return !is_arrayed(c) || take_integer(c, 1);
    case 'o': return take(c, sized(TL_KIND_I32, dimensions(c)));
    case 'l': return take_integer(c, 1);
    case 'm': return !has_levels(c) || take_integer(c, 1);
    case 'L': return take_level(c);
    case 'f': return take(c, TL_TYPE_F32);
    case 'v': return take(c, tl_type_vector((tl_kind)channel(c), 4));
    case 'K': return take_component(c);
    default: return false;
    }
}

static tl_type result_of(const texture_call *c, char letter)
{
    switch (letter) {
    case 'c': return is_depth(c) ? TL_TYPE_F32 : tl_type_vector((tl_kind)channel(c), 4);
    case '4': return tl_type_vector((tl_kind)channel(c), 4);
    case 'd': {
        bool cube = c->texture.rows == TL_DIM_CUBE || c->texture.rows == TL_DIM_CUBE_ARRAY;
        return sized(TL_KIND_U32, cube ? 2 : dimensions(c));
    }
    case 'u': return TL_TYPE_U32;
    case 'f': return TL_TYPE_F32;
    default: return TL_TYPE_VOID;
    }
}

void tl_resolve_texture(tl_resolver *r, uint32_t node, const tl_builtin_row *row)
{
    texture_call c = {.r = r, .node = node, .list = tl_at(r, node)->b};
    c.count = tl_list_count(r->m, c.list);
    const char *p = row->signature;
    for (; *p != '>'; p++) {
        if (*p == '?') continue;
        bool optional = p[1] == '?';
        if (optional && c.next == c.count) continue;
        if (!take_pattern(&c, *p)) {
            tl_resolve_no_overload(r, node, row->name);
            return;
        }
    }
    if (c.next != c.count) {
        tl_resolve_no_overload(r, node, row->name);
        return;
    }
    tl_set(r, node, result_of(&c, p[1]), TL_CONSTANT_NONE);
}
