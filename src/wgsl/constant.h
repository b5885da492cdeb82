/* SPDX-License-Identifier: MIT
 *
 * Constant values of a module: an interned table, so that a value is one number, and the arithmetic on it. Integers are
 * exact; f32 and f16 are rounded after each operation; abstract floats are doubles. Knows types, not the tree. */
#ifndef TL_WGSL_CONSTANT_H
#define TL_WGSL_CONSTANT_H

#include "wgsl/ast.h"
#include "wgsl/names.h"

/* An index into tl_constants.values. Three of them are no value but say when there will be one. */
typedef uint32_t tl_constant;
enum {
    TL_CONSTANT_NONE,     /* known only at run time */
    TL_CONSTANT_OVERRIDE, /* depends on an override: known when the pipeline is made */
    TL_CONSTANT_OPAQUE,   /* a constant expression that this reader does not evaluate */
    TL_CONSTANT_FIRST
};

/* A scalar has its value in bits: two's complement, 0 or 1, or the bits of a double. A composite has its elements
 * (components, columns, elements, members) in elements[first ..]; count 0 is the zero value of any composite. */
typedef struct tl_constant_value {
    tl_type type;
    uint32_t count;
    union {
        int64_t i;
        double f;
        uint64_t bits;
        uint32_t first;
    } as;
} tl_constant_value;

typedef struct tl_constants {
    telar_arena *arena;
    const tl_types *types;
    tl_constant_value *values;
    uint32_t *elements;
    uint32_t *buckets; /* open addressing; 0 is empty */
    uint32_t count, capacity;
    uint32_t element_count, element_capacity;
    uint32_t bucket_count;
    bool full;
} tl_constants;

/* Why an operation has no value. */
typedef enum tl_fold {
    TL_FOLD_OK,
    TL_FOLD_OPAQUE,   /* not evaluated */
    TL_FOLD_OVERFLOW, /* the result does not fit its type */
    TL_FOLD_ZERO_DIVIDE,
    TL_FOLD_SHIFT, /* the shift is not less than the width, or loses bits */
    TL_FOLD_DOMAIN /* outside what the function is defined for */
} tl_fold;

/* ---- constant.c ---- */

bool tl_constants_init(tl_constants *constants, telar_arena *arena, const tl_types *types);

tl_constant tl_constant_int(tl_constants *constants, tl_type type, int64_t value);
tl_constant tl_constant_float(tl_constants *constants, tl_type type, double value);
tl_constant tl_constant_bool(tl_constants *constants, bool value);
tl_constant tl_constant_zero(tl_constants *constants, tl_type type);

/* NONE, OVERRIDE or OPAQUE when one of the elements is; the zero value when all are zero values. */
tl_constant tl_constant_composite(tl_constants *constants, tl_type type, const tl_constant *elements, uint32_t count);

/* The element at an index of a composite; the zero value has as many as are asked for. */
tl_constant tl_constant_element(tl_constants *constants, tl_constant composite, uint32_t index);

static inline const tl_constant_value *tl_constant_get(const tl_constants *constants, tl_constant constant)
{
    return &constants->values[constant];
}

static inline bool tl_constant_is_value(tl_constant constant)
{
    return constant >= TL_CONSTANT_FIRST;
}

/* Of two operands, what their combination is when not both are values: a run-time value beats an override, that an
 * unevaluated constant. */
static inline tl_constant tl_constant_join(tl_constant a, tl_constant b)
{
    if (a == TL_CONSTANT_NONE || b == TL_CONSTANT_NONE) return TL_CONSTANT_NONE;
    if (a == TL_CONSTANT_OVERRIDE || b == TL_CONSTANT_OVERRIDE) return TL_CONSTANT_OVERRIDE;
    if (a == TL_CONSTANT_OPAQUE || b == TL_CONSTANT_OPAQUE) return TL_CONSTANT_OPAQUE;
    return a > b ? a : b;
}

/* Integer value of an integer or bool scalar; false for others. */
bool tl_constant_as_int(const tl_constants *constants, tl_constant constant, int64_t *value);
bool tl_constant_as_double(const tl_constants *constants, tl_constant constant, double *value);

/* ---- constant_fold.c: *result is a value only with TL_FOLD_OK ---- */

/* Implicit conversions fail when the value does not fit, explicit ones wrap or saturate as WGSL says. */
tl_fold tl_fold_convert(tl_constants *constants, tl_constant value, tl_type to, bool explicit_, tl_constant *result);
tl_fold tl_fold_unary(tl_constants *constants, tl_wgsl_op op, tl_constant value, tl_type type, tl_constant *result);
/* a and b already have their common type (but a shift's b), scalar operands of vectors are spread here. */
tl_fold tl_fold_binary(tl_constants *constants, tl_wgsl_op op, tl_constant a, tl_constant b, tl_type type,
                       tl_constant *result);

/* ---- constant_builtin.c ---- */

tl_fold tl_fold_builtin(tl_constants *constants, tl_builtin builtin, const tl_constant *arguments, uint32_t count,
                        tl_type type, tl_constant *result);

/* ---- literal.c ---- */

typedef enum tl_number_status {
    TL_NUMBER_OK,
    TL_NUMBER_RANGE, /* does not fit the type that its suffix names */
    TL_NUMBER_FORM   /* not a number */
} tl_number_status;

/* The type and value of a literal's text, with its suffix. */
tl_number_status tl_number_read(tl_str text, tl_type *type, int64_t *integer, double *real);

/* Nearest f16, as a double; infinite when it overflows. */
double tl_round_f16(double value);

#endif
