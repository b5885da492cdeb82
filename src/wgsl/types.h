/* SPDX-License-Identifier: MIT
 *
 * The interned type table of a module: equal types have equal ids, so that comparing types is comparing numbers.
 * Scalars, vectors, matrices and samplers have fixed ids; the rest is appended as the resolver meets it.
 * Knows memory layout (WGSL section "Memory Layout"); knows nothing of the syntax tree. */
#ifndef TL_WGSL_TYPES_H
#define TL_WGSL_TYPES_H

#include "base/base.h"

typedef uint32_t tl_type; /* index into tl_types.info; 0 is the unknown type */

/* The kinds of scalars are at the same time their type ids. */
typedef enum tl_kind {
    TL_KIND_UNKNOWN, /* of an extension that is modelled coarsely, or of an expression in error */
    TL_KIND_VOID,
    TL_KIND_ABSTRACT_INT,
    TL_KIND_ABSTRACT_FLOAT,
    TL_KIND_BOOL,
    TL_KIND_I32,
    TL_KIND_U32,
    TL_KIND_F32,
    TL_KIND_F16,
    TL_KIND_I64,
    TL_KIND_U64,
    TL_KIND_F64,
    TL_KIND_I8,
    TL_KIND_U8,
    TL_KIND_I16,
    TL_KIND_U16,
    TL_KIND_VECTOR,
    TL_KIND_MATRIX,
    TL_KIND_ARRAY,
    TL_KIND_STRUCT,
    TL_KIND_POINTER,
    TL_KIND_REFERENCE,
    TL_KIND_ATOMIC,
    TL_KIND_SAMPLER,
    TL_KIND_TEXTURE,
    TL_KIND_BINDING_ARRAY,
    TL_KIND_BUFFER, /* the untyped buffer of the buffer_view extension */
} tl_kind;

#define TL_SCALAR_FIRST TL_KIND_ABSTRACT_INT
#define TL_SCALAR_END (TL_KIND_U16 + 1)
#define TL_SCALAR_COUNT (TL_SCALAR_END - TL_SCALAR_FIRST)

enum {
    TL_TYPE_UNKNOWN = TL_KIND_UNKNOWN,
    TL_TYPE_VOID = TL_KIND_VOID,
    TL_TYPE_ABSTRACT_INT = TL_KIND_ABSTRACT_INT,
    TL_TYPE_ABSTRACT_FLOAT = TL_KIND_ABSTRACT_FLOAT,
    TL_TYPE_BOOL = TL_KIND_BOOL,
    TL_TYPE_I32 = TL_KIND_I32,
    TL_TYPE_U32 = TL_KIND_U32,
    TL_TYPE_F32 = TL_KIND_F32,
    TL_TYPE_F16 = TL_KIND_F16,
    TL_TYPE_I64 = TL_KIND_I64,
    TL_TYPE_U64 = TL_KIND_U64,
    TL_TYPE_F64 = TL_KIND_F64,
    TL_TYPE_VECTOR_FIRST = TL_SCALAR_END,
    TL_TYPE_MATRIX_FIRST = TL_TYPE_VECTOR_FIRST + TL_SCALAR_COUNT * 3,
    TL_TYPE_SAMPLER = TL_TYPE_MATRIX_FIRST + 4 * 9,
    TL_TYPE_SAMPLER_COMPARISON,
    TL_TYPE_FIXED_COUNT
};

typedef enum tl_space {
    TL_SPACE_NONE,
    TL_SPACE_FUNCTION,
    TL_SPACE_PRIVATE,
    TL_SPACE_WORKGROUP,
    TL_SPACE_UNIFORM,
    TL_SPACE_STORAGE,
    TL_SPACE_HANDLE,
    TL_SPACE_IMMEDIATE,
    TL_SPACE_OTHER /* of an extension */
} tl_space;

typedef enum tl_access {
    TL_ACCESS_NONE,
    TL_ACCESS_READ,
    TL_ACCESS_WRITE,
    TL_ACCESS_READ_WRITE
} tl_access;

typedef enum tl_dim {
    TL_DIM_1D,
    TL_DIM_2D,
    TL_DIM_2D_ARRAY,
    TL_DIM_3D,
    TL_DIM_CUBE,
    TL_DIM_CUBE_ARRAY
} tl_dim;

typedef enum tl_texture {
    TL_TEXTURE_SAMPLED,
    TL_TEXTURE_MULTISAMPLED,
    TL_TEXTURE_DEPTH,
    TL_TEXTURE_DEPTH_MULTISAMPLED,
    TL_TEXTURE_STORAGE,
    TL_TEXTURE_EXTERNAL,
    TL_TEXTURE_TEXEL_BUFFER,
    TL_TEXTURE_INPUT_ATTACHMENT
} tl_texture;

/* What a type contains or may be used for. */
enum {
    TL_TYPE_HAS_RUNTIME = 1u << 0,  /* ends with a runtime-sized array */
    TL_TYPE_HAS_OVERRIDE = 1u << 1, /* an array size is an override expression */
    TL_TYPE_HAS_ATOMIC = 1u << 2,
    TL_TYPE_HAS_UNKNOWN = 1u << 3, /* its size or content is not known: no errors from it */
    TL_TYPE_HAS_BOOL = 1u << 4,    /* not host-shareable */
    TL_TYPE_HAS_HANDLE = 1u << 5,  /* texture, sampler, pointer: not storable in memory */
    TL_TYPE_HAS_ABSTRACT = 1u << 6,
    TL_TYPE_OPAQUE_SIZE = 1u << 7, /* an array whose size constant was not evaluated */
    TL_TYPE_NESTED_STRUCT = 1u << 8
};

typedef struct tl_type_info {
    uint8_t kind;    /* tl_kind */
    uint8_t space;   /* tl_space of pointers and references */
    uint8_t access;  /* tl_access of pointers, references, storage textures */
    uint8_t rows;    /* components of a vector, rows of a matrix, tl_dim of a texture */
    uint8_t columns; /* of a matrix; tl_texture of a texture */
    uint8_t depth;   /* of nesting; saturates at 255, which the resolver refuses */
    uint16_t flags;
    uint32_t element; /* component, element, store or sampled type; of a struct its index in structs */
    uint32_t count;   /* elements of an array, 0 when runtime-sized or by override; texel format of a storage texture */
    uint32_t expression; /* node of an override array size, else 0 */
    uint32_t next;       /* hash chain */
    uint32_t align;      /* 0 when the type has no memory layout */
    uint64_t size;       /* bytes; a runtime array counts as one element */
} tl_type_info;

typedef struct tl_member {
    uint32_t name;    /* symbol; of a predeclared structure 0 */
    uint32_t node;    /* 0 for a predeclared structure */
    const char *text; /* name in a predeclared structure, else NULL */
    tl_type type;
    uint32_t align;
    uint64_t offset;
    uint64_t size;
} tl_member;

typedef struct tl_struct {
    uint32_t name; /* symbol; of a predeclared structure 0 */
    uint32_t node;
    const char *text; /* name of a predeclared structure, else NULL */
    tl_type type;
    uint32_t member_first; /* in members */
    uint32_t member_count;
} tl_struct;

typedef struct tl_types {
    telar_arena *arena;
    tl_type_info *info;
    tl_struct *structs;
    tl_member *members;
    uint32_t *buckets;
    uint32_t count, capacity;
    uint32_t struct_count, struct_capacity;
    uint32_t member_count, member_capacity;
    uint32_t bucket_count;
    bool full; /* the arena did not suffice; ids given since are unknown */
} tl_types;

/* What an explicit @align or @size asks; 0 when absent. */
typedef struct tl_member_desc {
    uint32_t name;
    uint32_t node;
    const char *text;
    tl_type type;
    uint32_t align;
    uint64_t size;
} tl_member_desc;

/* ---- types.c ---- */

bool tl_types_init(tl_types *types, telar_arena *arena);

tl_type tl_type_vector(tl_kind scalar, uint32_t size);
tl_type tl_type_matrix(tl_kind scalar, uint32_t columns, uint32_t rows); /* unknown unless a float type */

/* count 0 with expression 0: runtime-sized; count 0 with an expression: by override. */
tl_type tl_type_array(tl_types *types, tl_type element, uint32_t count, uint32_t expression);
tl_type tl_type_array_unsized(tl_types *types, tl_type element, uint32_t expression);
tl_type tl_type_binding_array(tl_types *types, tl_type element, uint32_t count);
tl_type tl_type_buffer(tl_types *types, uint32_t bytes);
tl_type tl_type_pointer(tl_types *types, tl_space space, tl_type store, tl_access access);
tl_type tl_type_reference(tl_types *types, tl_space space, tl_type store, tl_access access);
tl_type tl_type_atomic(tl_types *types, tl_type of);
tl_type tl_type_texture(tl_types *types, tl_texture texture, tl_dim dim, tl_type sampled, uint32_t format,
                        tl_access access);

/* A structure has members only after tl_type_struct_end, so that it can be named before it is complete. */
tl_type tl_type_struct_begin(tl_types *types, uint32_t name, uint32_t node, const char *text);
bool tl_type_struct_end(tl_types *types, tl_type type, const tl_member_desc *members, uint32_t count);

static inline const tl_type_info *tl_type_get(const tl_types *types, tl_type type)
{
    return &types->info[type];
}

static inline tl_kind tl_type_kind(const tl_types *types, tl_type type)
{
    return (tl_kind)types->info[type].kind;
}

static inline bool tl_type_is_scalar(tl_type type)
{
    return type >= TL_SCALAR_FIRST && type < TL_SCALAR_END;
}

static inline bool tl_type_is_vector(tl_type type)
{
    return type >= TL_TYPE_VECTOR_FIRST && type < TL_TYPE_MATRIX_FIRST;
}

static inline bool tl_type_is_matrix(tl_type type)
{
    return type >= TL_TYPE_MATRIX_FIRST && type < TL_TYPE_SAMPLER;
}

/* The component scalar of a scalar, vector or matrix; 0 of others. */
static inline tl_kind tl_type_scalar(const tl_types *types, tl_type type)
{
    if (type < TL_SCALAR_FIRST || type >= TL_TYPE_SAMPLER) return TL_KIND_UNKNOWN;
    return type < TL_SCALAR_END ? (tl_kind)type : (tl_kind)types->info[type].element;
}

/* The same shape with another component type. */
tl_type tl_type_with_scalar(const tl_types *types, tl_type shape, tl_kind scalar);

/* Number of components: 1 of a scalar, n of a vector. */
uint32_t tl_type_components(const tl_types *types, tl_type type);

const tl_struct *tl_type_struct(const tl_types *types, tl_type type);
const tl_member *tl_type_members(const tl_types *types, tl_type type);

static inline bool tl_kind_is_integer(tl_kind kind)
{
    return kind == TL_KIND_ABSTRACT_INT || kind == TL_KIND_I32 || kind == TL_KIND_U32 || kind == TL_KIND_I64 ||
           kind == TL_KIND_U64 || (kind >= TL_KIND_I8 && kind <= TL_KIND_U16);
}

static inline bool tl_kind_is_float(tl_kind kind)
{
    return kind == TL_KIND_ABSTRACT_FLOAT || kind == TL_KIND_F32 || kind == TL_KIND_F16 || kind == TL_KIND_F64;
}

static inline bool tl_kind_is_abstract(tl_kind kind)
{
    return kind == TL_KIND_ABSTRACT_INT || kind == TL_KIND_ABSTRACT_FLOAT;
}

static inline bool tl_kind_is_signed(tl_kind kind)
{
    return kind == TL_KIND_I32 || kind == TL_KIND_I64 || kind == TL_KIND_I8 || kind == TL_KIND_I16 ||
           kind == TL_KIND_ABSTRACT_INT || tl_kind_is_float(kind);
}

/* ---- type_text.c ---- */

/* The type as WGSL writes it, e.g. "array<vec4<f32>, 16>". symbols gives the names of structures. */
typedef tl_str (*tl_symbol_text)(const void *user, uint32_t symbol);
void tl_type_print(telar_out *out, const tl_types *types, tl_type type, tl_symbol_text symbols, const void *user);
const char *tl_space_name(tl_space space);
const char *tl_access_name(tl_access access);
const char *tl_texel_format_name(uint32_t format);
tl_kind tl_texel_format_channel(uint32_t format);

/* Index in the list of texel formats, from 1; 0 when there is none of this name. */
uint32_t tl_texel_format_find(tl_str name);

/* ---- layout.c ---- */

/* Size, alignment and flags of a type that is about to enter the table. */
void tl_layout_fill(const tl_types *types, tl_type_info *info);
bool tl_layout_struct(tl_types *types, tl_type type, const tl_member_desc *members, uint32_t count);

/* Distance of an array's elements; 0 when the type is no array or has no layout. */
uint64_t tl_layout_stride(const tl_types *types, tl_type array);

/* Distance of a matrix's columns. */
uint64_t tl_layout_column_stride(const tl_types *types, tl_type matrix);

/* The rules of the uniform address space without uniform_buffer_standard_layout: array strides and structures in
 * multiples of 16. False with the offending member's offset (0 for an array) when the type breaks them. */
bool tl_layout_fits_uniform(const tl_types *types, tl_type type, uint64_t *offset);

#endif
