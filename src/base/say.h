/* SPDX-License-Identifier: MIT
 *
 * What is said to people, in both languages. Sentences are data: rows SAYING(NAME, words, english, spanish) of an .inl file,
 * with {0} to {9} where the words stand that are put into them; their order may differ between the languages. A word
 * knows its kind, so that each language writes it as it does: thousands, decimals, one and many. */
#ifndef TL_BASE_SAY_H
#define TL_BASE_SAY_H

#include "base/base.h"

typedef struct tl_saying {
    uint32_t words; /* that are put into it */
    const char *english, *spanish;
} tl_saying;

typedef struct tl_word {
    enum {
        TL_WORD_MISSING, /* written as {?}: fewer words than places */
        TL_WORD_SIGNED,
        TL_WORD_UNSIGNED,
        TL_WORD_COUNT,
        TL_WORD_REAL,
        TL_WORD_SIZE,
        TL_WORD_TEXT,
        TL_WORD_SAYING,
        TL_WORD_PLURAL,
    } kind;
    union {
        int64_t number;
        uint64_t count;
        double real;
        const uint32_t *size;
        tl_str text;
    };
    const tl_saying *saying;
} tl_word;

/* Digits as they are. */
#define TL_I(n) ((tl_word){.kind = TL_WORD_SIGNED, .number = (int64_t)(n)})
#define TL_U(n) ((tl_word){.kind = TL_WORD_UNSIGNED, .count = (uint64_t)(n)})
/* Thousands apart; a real number with three figures. */
#define TL_N(n) ((tl_word){.kind = TL_WORD_COUNT, .count = (n)})
#define TL_R(x) ((tl_word){.kind = TL_WORD_REAL, .real = (x)})
/* 16x16 */
#define TL_S(xyz) ((tl_word){.kind = TL_WORD_SIZE, .size = (xyz)})
/* Text as it is: of a tl_str, of a zero-terminated one. */
#define TL_T(str) ((tl_word){.kind = TL_WORD_TEXT, .text = (str)})
#define TL_Z(zero_terminated) TL_T(tl_str_of(zero_terminated))
/* A sentence without words; NULL: nothing. */
#define TL_W(of) ((tl_word){.kind = TL_WORD_SAYING, .saying = (of)})
/* The first of two sayings where n is 1, else the second, of which n is the word. */
#define TL_P(n, of) ((tl_word){.kind = TL_WORD_PLURAL, .count = (n), .saying = (of)})

/* A sentence with its words, as many as it wants; NULL for none. */
typedef struct tl_said {
    const tl_saying *saying;
    const tl_word *words;
} tl_said;

void tl_say(telar_out *out, telar_language language, tl_said said);

#endif
