/* SPDX-License-Identifier: MIT
 *
 * Primitives as rows of a table, and one driver that tries a row with every type that it is for, on every path and form,
 * around every boundary. A row says what arrays there are, how the call is recorded, and what plain loops make of them:
 *
 *     static const table_row rows[] = {{.name = "select where", .types = TABLE_MOVED,
 *                                       .arrays = {{.name = "in", .content = TABLE_MIXED}, {.name = "out"}, ...},
 *                                       .record = record_select, .expect = expect_select}, {0}};
 *     int main(int argc, char **argv) { return table_main(rows, argc, argv); }
 *
 * What is checked of each call: the results, byte by byte; that inputs and all that stands around the arrays stay as they
 * are; the same again when scratch is full of garbage. */
#ifndef TEST_GPU_TABLE_H
#define TEST_GPU_TABLE_H

#include "prim.h"

/* ---- Types of elements: table_types.c ------------------------------------------------------------------------------ */

typedef enum table_number {
    TABLE_U32,
    TABLE_I32,
    TABLE_F32,
    TABLE_F16,
    TABLE_U64,
    TABLE_I64,
    TABLE_F64,
    TABLE_U16,
    TABLE_I16,
    TABLE_U8,
    TABLE_I8,
} table_number;

/* Places in table_types. */
typedef enum table_type_number {
    TABLE_TYPE_U32,
    TABLE_TYPE_I32,
    TABLE_TYPE_F32,
    TABLE_TYPE_F16,
    TABLE_TYPE_VEC2_F32,
    TABLE_TYPE_VEC3_I32,
    TABLE_TYPE_VEC4_U32,
    TABLE_TYPE_VEC2_F16,
    TABLE_TYPE_ITEM,
    TABLE_TYPE_U64,
    TABLE_TYPE_I64,
    TABLE_TYPE_F64,
    TABLE_TYPE_U16,
    TABLE_TYPE_I16,
    TABLE_TYPE_U8,
    TABLE_TYPE_I8,
    TABLE_TYPES
} table_type_number;

typedef struct table_type {
    telar_type type;
    table_number number;
    uint32_t components; /* 0: the structure Item */
    uint32_t bytes;      /* from element to element */
    const char *over_2;  /* that an element x is above 2: of a vector its first number, of Item its key */
    const char *equal;   /* NULL: a == b */
    const char *less;    /* NULL: a < b; of vectors none */
    const char *value;   /* an element in WGSL: ones */
} table_type;
extern const table_type table_types[TABLE_TYPES];

/* Sets of them, a bit a type. */
#define TABLE_BIT(NAME) (1u << TABLE_TYPE_##NAME)
enum {
    TABLE_INTEGERS = TABLE_BIT(U32) | TABLE_BIT(I32),
    TABLE_NUMBERS = TABLE_INTEGERS | TABLE_BIT(F32) | TABLE_BIT(F16),
    TABLE_INTEGER_VECTORS = TABLE_BIT(VEC3_I32) | TABLE_BIT(VEC4_U32),
    TABLE_VALUES = TABLE_NUMBERS | TABLE_INTEGER_VECTORS | TABLE_BIT(VEC2_F32) | TABLE_BIT(VEC2_F16),
    TABLE_MOVED = TABLE_VALUES | TABLE_BIT(ITEM),
};

/* One of an element's numbers. */
double table_get(table_number number, const void *at);
void table_put(table_number number, void *at, double value);
uint32_t table_number_bytes(table_number number);
bool table_is_float(table_number number);

bool table_over_2(const table_type *type, const void *element);
bool table_equal(const table_type *type, const void *a, const void *b);
bool table_less(const table_type *type, const void *a, const void *b);
void table_ones(const table_type *type, void *element);

/* An operator on all numbers of an element; OWN: on Items. a = a op b. */
void table_identity(const table_type *type, telar_op op, void *a);
void table_combine(const table_type *type, telar_op op, void *a, const void *b);
telar_operator table_operator(const table_type *type, telar_op op);

/* ---- Rows ---------------------------------------------------------------------------------------------------------- */

enum {
    TABLE_ARRAYS_MAX = 6
};

typedef enum table_content {
    TABLE_RESULT = 0, /* it is written */
    TABLE_WHOLE, /* whole numbers from -8 to 7, of halves from -4 to 4, 0 to 15 where there is no sign: sums are exact */
    TABLE_MIXED,     /* the same, and what else floats can be: NaNs, infinities, -0 */
    TABLE_ANY,       /* any bits; floats as MIXED */
    TABLE_FACTORS,   /* whose products are exact */
    TABLE_RUNS,      /* runs of equal ones of every length */
    TABLE_SORTED,    /* whole numbers that go up */
    TABLE_FLAGS,     /* words, two thirds of them 0 */
    TABLE_INDICES,   /* words below 1010 */
    TABLE_PERMUTED,  /* words, each below the count once, and some that are not below it */
    TABLE_OFFSETS,   /* words that go up to 3001, half of them equal to the one before */
    TABLE_UNTOUCHED, /* a result that has ones before */
} table_content;

typedef struct table_array {
    const char *name; /* NULL: there are no more */
    table_content content;
    uint32_t bytes; /* of an element; 0: the type's */
    uint32_t times; /* as many as the length; 0: 1 */
    uint32_t more;  /* besides */
    bool fixed;     /* `more` alone, whatever the length */
    bool bits;      /* a bit an element of the length */
} table_array;

typedef struct table_call table_call;

typedef struct table_row {
    const char *name;
    uint32_t types;
    table_array arrays[TABLE_ARRAYS_MAX];
    void (*record)(table_call *call);
    void (*expect)(table_call *call); /* fills the wanted results */
    telar_op op;                      /* what they make of these: */
    uint32_t kind;
    bool other;
    bool in_place;    /* arrays[1] may be arrays[0]; where not, that is refused */
    bool no_place;    /* there is no array that could be in another's place */
    bool host_only;   /* no count on the GPU */
    bool large;       /* tried with 2^28 + 3 elements too: its plain loop is quick */
    uint64_t n_max;   /* 0: 40000 */
    double tolerance; /* of results that are f32; 0: the same bits */
} table_row;

struct table_call {
    prim_test *test;
    const table_row *row;
    const table_type *type;
    uint64_t n, capacity;
    telar_length length;
    telar_array arrays[TABLE_ARRAYS_MAX];
    uint64_t counts[TABLE_ARRAYS_MAX], sizes[TABLE_ARRAYS_MAX]; /* elements; bytes in whole words */
    uint8_t *data[TABLE_ARRAYS_MAX];                            /* as they are given; of results what is wanted */
};

/* The k-th element of an array, or word of one of words. */
void *table_at(const table_call *call, uint32_t array, uint64_t k);
uint32_t *table_words(const table_call *call, uint32_t array);

int table_main(const table_row *rows, int argc, char **argv);

#endif
