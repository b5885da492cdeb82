/* SPDX-License-Identifier: MIT
 *
 * The names that WGSL and its extensions predeclare: types, enumerants, built-in functions and values. Tables only. */
#ifndef TL_WGSL_NAMES_H
#define TL_WGSL_NAMES_H

#include "wgsl/types.h"

/* ---- Built-in functions ---- */

typedef enum tl_builtin {
#define BUILTIN(name, rule, signature, flags) TL_BUILTIN_##name,
#include "wgsl/builtins.inl"
#undef BUILTIN
    TL_BUILTIN_COUNT
} tl_builtin;

typedef enum tl_builtin_rule {
    TL_RULE_SIGNATURE,
    TL_RULE_TEXTURE,
    TL_RULE_BITCAST,
    TL_RULE_TRANSPOSE,
    TL_RULE_DETERMINANT,
    TL_RULE_OPAQUE /* of an extension: any arguments, a result of unknown type */
} tl_builtin_rule;

enum {
    TL_IS_NONE = 0,
    TL_IS_CONST = 1u << 0, /* may be part of a constant expression */
    TL_IS_MUST_USE = 1u << 1,
    TL_IS_BARRIER = 1u << 2,
    TL_IS_SUBGROUP = 1u << 3,
    TL_IS_ATOMIC = 1u << 4,
    TL_IS_DERIVATIVE = 1u << 5,
    TL_IS_UNIFORM = 1u << 6, /* must be called in uniform control flow */
    TL_IS_TEXTURE = 1u << 7,
    TL_IS_QUAD = 1u << 8,
    TL_IS_FRAGMENT = 1u << 9, /* only in this stage */
    TL_IS_COMPUTE = 1u << 10
};

typedef struct tl_builtin_row {
    const char *name;
    tl_builtin_rule rule;
    const char *signature;
    uint32_t flags; /* TL_IS_* */
} tl_builtin_row;

const tl_builtin_row *tl_builtin_get(tl_builtin builtin);

/* ---- Predeclared types and enumerants ---- */

typedef enum tl_predeclared_class {
    TL_CLASS_TYPE,      /* a: type id */
    TL_CLASS_VECTOR,    /* a: size; generator */
    TL_CLASS_VECTOR_OF, /* a: size, b: scalar */
    TL_CLASS_MATRIX,    /* a: columns, b: rows; generator */
    TL_CLASS_MATRIX_OF, /* and c: scalar */
    TL_CLASS_ARRAY,
    TL_CLASS_ATOMIC,
    TL_CLASS_POINTER,
    TL_CLASS_BINDING_ARRAY,
    TL_CLASS_BUFFER,
    TL_CLASS_TEXTURE, /* a: tl_texture, b: tl_dim */
    TL_CLASS_OPAQUE,  /* a type that is not modelled */
    TL_CLASS_SPACE,   /* a: tl_space; the rest are enumerants and values, not types */
    TL_CLASS_ACCESS,  /* a: tl_access */
    TL_CLASS_VALUE,
    TL_CLASS_WORD
} tl_predeclared_class;

typedef struct tl_predeclared_row {
    const char *name;
    tl_predeclared_class class_; /* not `class`: these headers may meet C++ in tests */
    uint16_t a, b, c;
} tl_predeclared_row;

const tl_predeclared_row *tl_predeclared_get(uint32_t index);

/* What a name that the module does not declare means: 0 for nothing, else one of the tags over an index. */
#define TL_NAME_INDEX_MASK 0x0FFFFFFFu
#define TL_NAME_PREDECLARED 0x80000000u /* tl_predeclared_row */
#define TL_NAME_BUILTIN 0xA0000000u     /* tl_builtin */
#define TL_NAME_FORMAT 0xC0000000u      /* texel format */
#define TL_NAME_TAG_MASK 0xE0000000u    /* 0 under it: a node */
uint32_t tl_name_find(tl_str name);

/* ---- Built-in values ---- */

typedef enum tl_builtin_value {
    TL_VALUE_NONE,
#define BUILTIN_VALUE(name, type) TL_VALUE_##name,
#include "wgsl/builtin_values.inl"
#undef BUILTIN_VALUE
    TL_VALUE_COUNT
} tl_builtin_value;

tl_builtin_value tl_builtin_value_find(tl_str name);
const char *tl_builtin_value_name(tl_builtin_value value);

/* The type that it must have; TL_TYPE_UNKNOWN when it is not checked. */
tl_type tl_builtin_value_type(tl_builtin_value value);

#endif
