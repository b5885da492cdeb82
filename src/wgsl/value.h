/* SPDX-License-Identifier: MIT
 *
 * Symbolic values: what an expression of a kernel is, in terms of built-in values, constants, values that the launch
 * writes, and memory. A value is a number (tl_term) into a table in which equal values are one entry, so that comparing
 * is comparing numbers. Each has the range that it can take and the set of things that it depends on. Knows nothing of
 * statements; the walk that makes values is flow.h. */
#ifndef TL_WGSL_VALUE_H
#define TL_WGSL_VALUE_H

#include "wgsl/semantics.h"

typedef uint32_t tl_term; /* 0: no value */

typedef enum tl_term_kind {
    TL_TERM_NONE,
    TL_TERM_UNKNOWN,   /* a value of its own; a = number */
    TL_TERM_INEXACT,   /* floats and what else is not followed: equal terms are NOT equal values */
    TL_TERM_CONSTANT,  /* lo == hi */
    TL_TERM_BUILTIN,   /* a = tl_builtin_value, b = component */
    TL_TERM_LOAD,      /* a = place, b = version: 0 for memory that nobody writes */
    TL_TERM_LENGTH,    /* a = place of the runtime-sized array */
    TL_TERM_LOOP,      /* a = index in loops, b = declaration: the variable's value at the head of some round */
    TL_TERM_UNARY,     /* op, a */
    TL_TERM_BINARY,    /* op, a, b */
    TL_TERM_MIN,       /* a, b */
    TL_TERM_MAX,       /* a, b */
    TL_TERM_SELECT,    /* c ? b : a */
    TL_TERM_CONVERT,   /* a, between integer types */
    TL_TERM_COMPOSITE, /* a = first in elements, b = count */
    TL_TERM_ELEMENT,   /* a = composite that is not followed, b = position */
    TL_TERM_CALL,      /* a = tl_builtin, b = first argument or 0: a pure function that is not followed */
    TL_TERM_PLACE,     /* a = declaration of the variable */
    TL_TERM_PLACE_AT,  /* a = place of the array or vector, b = index */
    TL_TERM_PLACE_OF,  /* a = place of the structure or vector, b = member or component */
} tl_term_kind;

/* What a value depends on. The axes of the workgroup and of the local id are bits apart. */
enum {
    TL_ON_GROUP_X = 1u << 0,
    TL_ON_GROUP_Y = 1u << 1,
    TL_ON_GROUP_Z = 1u << 2,
    TL_ON_LOCAL_X = 1u << 3,
    TL_ON_LOCAL_Y = 1u << 4,
    TL_ON_LOCAL_Z = 1u << 5,
    TL_ON_GROUPS = 1u << 6,   /* num_workgroups */
    TL_ON_SUBGROUP = 1u << 7, /* lane, subgroup size and number, results of subgroup operations */
    TL_ON_HOST = 1u << 8,     /* uniform and immediate memory */
    TL_ON_LENGTH = 1u << 9,
    TL_ON_STORAGE = 1u << 10,   /* loads from storage that is only read */
    TL_ON_WRITABLE = 1u << 11,  /* loads from storage that is written, results of atomics, textures */
    TL_ON_WORKGROUP = 1u << 12, /* loads from workgroup memory */
    TL_ON_LOOP = 1u << 13,
    TL_ON_UNKNOWN = 1u << 14,

    TL_ON_GROUP = TL_ON_GROUP_X | TL_ON_GROUP_Y | TL_ON_GROUP_Z,
    TL_ON_LOCAL = TL_ON_LOCAL_X | TL_ON_LOCAL_Y | TL_ON_LOCAL_Z,
    TL_ON_MEMORY = TL_ON_STORAGE | TL_ON_WRITABLE | TL_ON_WORKGROUP,
};

typedef struct tl_term_info {
    uint8_t kind;
    uint8_t op;       /* tl_wgsl_op of UNARY and BINARY */
    uint16_t depends; /* TL_ON_* */
    tl_type type;
    uint32_t a, b, c;
    uint32_t next;  /* hash chain */
    int64_t lo, hi; /* of integers and bool: inclusive; others 0 */
} tl_term_info;

/* A loop that was walked. */
typedef struct tl_loop {
    uint32_t node;
    uint32_t outer;     /* number (from 1) of the loop around it, in callers too; 0: none */
    uint32_t condition; /* node; 0: none */
    tl_term condition_term;
} tl_loop;

/* A variable that a loop changes in one place, in every round, by one operation. */
typedef struct tl_induction {
    tl_term term;  /* LOOP */
    tl_term start; /* before the first round */
    tl_term step;  /* 0 when it is not of this form, or when the step changes */
    tl_wgsl_op op; /* ADD, SUBTRACT, MULTIPLY, DIVIDE, SHIFT_LEFT, SHIFT_RIGHT */
    uint32_t node; /* the statement that changes it */
} tl_induction;

/* A value that the launch writes into memory that is only read. */
typedef struct tl_given {
    uint32_t declaration;
    uint64_t offset; /* bytes */
    int64_t value;
} tl_given;

typedef struct tl_values {
    const telar_wgsl *m;
    telar_arena *arena;
    tl_term_info *terms;
    uint32_t count, capacity;
    uint32_t *buckets;
    uint32_t bucket_count;
    tl_term *elements;
    uint32_t element_count, element_capacity;
    tl_loop *loops; /* from 1 */
    uint32_t loop_count, loop_capacity;
    tl_induction *inductions;
    uint32_t induction_count, induction_capacity;
    uint32_t *induction_of; /* by term, grown with terms: number (from 1) of a LOOP's induction */
    uint32_t unknown_count;
    const tl_given *given;
    uint32_t given_count;
    tl_term group[3], local[3]; /* workgroup_id and local_invocation_id, by axis */
    uint32_t size[3];           /* workgroup size; 0: not known */
    uint32_t dispatch[3];       /* 0: not known */
    uint32_t groups_limit;      /* of one axis */
    bool full;                  /* the arena did not suffice */
} tl_values;

bool tl_values_init(tl_values *v, const telar_wgsl *m, telar_arena *arena);

static inline const tl_term_info *tl_term_get(const tl_values *v, tl_term term)
{
    return &v->terms[term];
}

static inline bool tl_term_is(const tl_values *v, tl_term term, tl_term_kind kind)
{
    return v->terms[term].kind == kind;
}

static inline bool tl_term_is_op(const tl_values *v, tl_term term, tl_wgsl_op op)
{
    const tl_term_info *info = &v->terms[term];
    return (info->kind == TL_TERM_BINARY || info->kind == TL_TERM_UNARY) && info->op == op;
}

static inline bool tl_term_constant(const tl_values *v, tl_term term, int64_t *value)
{
    *value = v->terms[term].lo;
    return v->terms[term].kind == TL_TERM_CONSTANT;
}

/* ---- making values: all simplify, all may return 0 only when the arena is full ---- */

tl_term tl_term_int(tl_values *v, tl_type type, int64_t value);
tl_term tl_term_bool(tl_values *v, bool value);
tl_term tl_term_unknown(tl_values *v, tl_type type, uint32_t depends);
tl_term tl_term_inexact(tl_values *v, tl_type type, uint32_t depends);
tl_term tl_term_builtin(tl_values *v, tl_builtin_value value, uint32_t component);
tl_term tl_term_unary(tl_values *v, tl_wgsl_op op, tl_term a, tl_type type);
tl_term tl_term_binary(tl_values *v, tl_wgsl_op op, tl_term a, tl_term b, tl_type type);
tl_term tl_term_min(tl_values *v, tl_term a, tl_term b);
tl_term tl_term_max(tl_values *v, tl_term a, tl_term b);
tl_term tl_term_select(tl_values *v, tl_term on_false, tl_term on_true, tl_term condition);
tl_term tl_term_convert(tl_values *v, tl_term a, tl_type type);
tl_term tl_term_composite(tl_values *v, tl_type type, const tl_term *elements, uint32_t count);
tl_term tl_term_element(tl_values *v, tl_term composite, uint32_t position, tl_type type);
tl_term tl_term_call(tl_values *v, tl_builtin builtin, tl_term first, tl_type type, uint32_t depends);

tl_term tl_term_place(tl_values *v, uint32_t declaration);
tl_term tl_term_place_at(tl_values *v, tl_term place, tl_term index, tl_type type);
tl_term tl_term_place_of(tl_values *v, tl_term place, uint32_t member, tl_type type);
tl_term tl_term_length(tl_values *v, tl_term place);
tl_term tl_term_load(tl_values *v, tl_term place, uint32_t version, uint32_t depends);
tl_term tl_term_loop(tl_values *v, uint32_t loop, uint32_t declaration, tl_type type, uint32_t depends);

/* A loop term's record; NULL of other terms and of variables that change in another way. */
const tl_induction *tl_term_induction(const tl_values *v, tl_term term);
tl_induction *tl_induction_add(tl_values *v, tl_term term);

/* ---- asking values ---- */

/* The variable at the root of a place; 0 of what is no place. */
uint32_t tl_place_root(const tl_values *v, tl_term place);

/* Bytes from the start of its variable; false when an index is not constant or the layout is not known. */
bool tl_place_offset(const tl_values *v, tl_term place, uint64_t *offset);

/* Without conversions between integers. */
tl_term tl_term_plain(const tl_values *v, tl_term term);

/* ---- sums of products ---- */

#define TL_SUM_MAX 12    /* products of a sum */
#define TL_FACTORS_MAX 3 /* of a product */

typedef struct tl_product {
    int64_t factor;
    uint32_t count;
    tl_term atoms[TL_FACTORS_MAX]; /* ascending */
} tl_product;

/* constant + products: a value without regard to wrapping. Global ids are taken apart into groups and local ids where the
 * workgroup size is known, and what is no sum or product is an atom. */
typedef struct tl_sum {
    int64_t constant;
    uint32_t count;
    tl_product products[TL_SUM_MAX];
} tl_sum;

/* False when it has too many parts; then *sum is the term itself. */
bool tl_sum_of(const tl_values *v, tl_term term, tl_sum *sum);

/* a - b; false when it has too many parts. */
bool tl_sum_subtract(const tl_sum *a, const tl_sum *b, tl_sum *difference);

/* Is it a constant? */
static inline bool tl_sum_is_constant(const tl_sum *sum)
{
    return sum->count == 0;
}

/* The factor of the product that consists of this atom alone; 0 when there is none. */
int64_t tl_sum_factor(const tl_sum *sum, tl_term atom);

#endif
