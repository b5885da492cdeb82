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
    TL_SORT_PASSES_MAX = 32, /* bits of the word that says which run */
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
/* The bits of a pass: they are in one word. */
typedef struct tl_sort_digit {
    uint32_t word, shift, bits;
} tl_sort_digit;

/* The passes over the bits from begin to end, the lowest first; their count. */
uint32_t tl_sort_digits(uint32_t begin, uint32_t end, uint32_t digit_bits, tl_sort_digit digits[TL_SORT_PASSES_MAX]);

/* alias Key, const KEY_WORDS, PAD (after every key), fn key_word, key_with, key_map, key_unmap. */
void tl_sort_key_print(tl_text *text, const tl_sort_key *key);
/* const DIGITS, DIGIT_BITS; fn key_digit(x: Key) -> u32. */
void tl_sort_digit_print(tl_text *text, const tl_sort_key *key, tl_sort_digit digit);

/* ---- sort_shape.c ------------------------------------------------------------------------------------------------ */

typedef struct tl_sort_shape {
    uint32_t size, items, digit_bits, copies;
    uint32_t count_rows; /* of an invocation of the count stage, in the same tile */
    uint32_t scan_size, scan_items;
    bool rank_by_barriers;
} tl_sort_shape;

tl_sort_shape tl_sort_shape_of(tl_job *job, uint32_t element_words, const tl_sort_tuning *tuning);

/* ---- sort_stages.c ----------------------------------------------------------------------------------------------- */

/* Element arrays: where they come from, the two that they move between, and where the first pass reads. */
typedef struct tl_sort_arrays {
    tl_view in, other, sorted;
} tl_sort_arrays;

typedef struct tl_sort {
    tl_job *job;
    tl_sort_key key;
    tl_sort_shape shape;
    tl_sort_digit digits[TL_SORT_PASSES_MAX];
    uint32_t passes;
    uint32_t value_words; /* 0: keys alone */
    bool values_are_indices;
    tl_sort_arrays keys, values;
    uint32_t tiles, rows; /* tilings: of elements, of digits */
    telar_buffer counts, state, noted;
} tl_sort;

void tl_sort_count(tl_sort *sort, uint32_t pass);
void tl_sort_scan(tl_sort *sort, uint32_t pass);
void tl_sort_scatter(tl_sort *sort, uint32_t pass);

#endif
