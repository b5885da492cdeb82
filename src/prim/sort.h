/* SPDX-License-Identifier: MIT
 *
 * What the files of sort share.
 *
 *     sort.c         the call: what is asked for, which form sorts it, its arrays
 *     sort_key.c     keys as words whose order is that of unsigned numbers
 *     sort_shape.c   sizes of tiles and digits, by what a device allows
 *     sort_stages.c  the kernels
 */
#ifndef TL_PRIM_SORT_H
#define TL_PRIM_SORT_H

#include "prim/prim.h"
#include "prim/sort_tuning.h"

enum {
    TL_SORT_PASSES_MAX = 32,
    TL_SORT_SPINE_HEAD = 64, /* words of a spine before its entries: of them the first gives tickets */
};

/* ---- sort_key.c -------------------------------------------------------------------------------------------------- */

typedef struct tl_sort_key {
    uint32_t bits;
    bool is_signed;
    bool is_float;
    bool descending;
} tl_sort_key;

/* bits is 0 for what is no key. */
tl_sort_key tl_sort_key_of(telar_key key, bool descending);

static inline uint32_t tl_sort_key_words(const tl_sort_key *key)
{
    return key->bits == 64 ? 2 : 1;
}

/* The bits of a pass; they stand in one word. */
typedef struct tl_sort_digit {
    uint32_t word, shift, bits;
} tl_sort_digit;

/* The passes over the bits from begin to end, the lowest first; their count. */
uint32_t tl_sort_digits(uint32_t begin, uint32_t end, uint32_t digit_bits, tl_sort_digit digits[TL_SORT_PASSES_MAX]);

/* alias Key, const KEY_WORDS, PAD (no key comes after it); fn key_word, key_with, key_map, key_unmap. */
void tl_sort_key_print(tl_text *text, const tl_sort_key *key);

/* ---- sort_shape.c ------------------------------------------------------------------------------------------------ */

typedef struct tl_sort_shape {
    tl_sort_form form;
    uint32_t size, items; /* a tile is both */
    uint32_t digit_bits;
    uint32_t copies; /* of a counter of the count stage */
    uint32_t scan_size, scan_items;
    uint32_t histogram_size, histogram_rows, histogram_groups, histogram_copies;
    tl_waiting waiting;
    bool rank_by_barriers;
    bool wide;
    bool in_runs; /* no subgroups, and an invocation has a run of memory to itself */
} tl_sort_shape;

/* Elements. */
static inline uint32_t tl_sort_tile(const tl_sort_shape *shape)
{
    return shape->size * shape->items;
}

/* Of a digit. */
static inline uint32_t tl_sort_values(const tl_sort_shape *shape)
{
    return 1u << shape->digit_bits;
}

typedef struct tl_sort tl_sort;
tl_sort_shape tl_sort_shape_of(const tl_sort *sort, const tl_sort_tuning *tuning);

/* ---- sort_stages.c ----------------------------------------------------------------------------------------------- */

/* What is given, and the two that the passes move between. */
typedef struct tl_sort_arrays {
    tl_view in, other, sorted;
} tl_sort_arrays;

struct tl_sort {
    tl_job *job;
    tl_sort_key key;
    uint32_t begin_bit, end_bit;
    tl_sort_shape shape;
    tl_sort_digit digits[TL_SORT_PASSES_MAX];
    uint32_t passes;
    bool fixed;           /* no pass is left out */
    uint32_t value_words; /* 0: keys alone */
    bool values_are_indices;
    tl_sort_arrays keys, values;
    tl_view packed_out; /* where sorted keys of 16 bits are packed to, if they are */
    bool packs;
    /* Tilings: the elements; the values of a digit; the elements a histogram takes in a turn; pairs of keys; one group. */
    uint32_t tiles, rows, turns, words, alone;
    telar_buffer records; /* of the passes: kernels/sort_pass.wgsl */
    telar_buffer noted;   /* bits that keys have, and bits that they lack */
    telar_buffer counts;  /* of each tile's digits, a value's tiles side by side */
    telar_buffer histogram, spine;
    uint64_t spine_bytes; /* of a pass */
};

/* Of a record. */
static inline uint64_t tl_sort_pass_bytes(const tl_sort *sort)
{
    return telar_ceil_div(7 + tl_sort_values(&sort->shape), 64) * 256;
}

void tl_sort_small(const tl_sort *sort);
void tl_sort_count(const tl_sort *sort, uint32_t pass);
void tl_sort_scan(const tl_sort *sort, uint32_t pass);
void tl_sort_scatter(const tl_sort *sort, uint32_t pass);
void tl_sort_histogram(const tl_sort *sort);
void tl_sort_totals(const tl_sort *sort);
void tl_sort_pack(const tl_sort *sort);

#endif
