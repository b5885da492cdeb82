/* SPDX-License-Identifier: MIT
 *
 * What reductions gather elements in. Four types: T of the elements, V of the expression that stands for them, A of what
 * is held while they are gathered (a sum and its rest, an order and an index), R of the result. */
#ifndef TL_PRIM_ACCUMULATOR_H
#define TL_PRIM_ACCUMULATOR_H

#include "prim/prim.h"

typedef struct tl_accumulator {
    const telar_reduction *reduction;
    tl_type_facts element;      /* T */
    tl_type_facts value;        /* V */
    tl_type_facts held;         /* A */
    const char *held_structure; /* its declaration; NULL: it is another type by its name */
    tl_type_facts result;       /* R */
    telar_op lanes_op;          /* OWN: no built-in function combines the lanes of a subgroup */
    uint32_t words;             /* of A */
    const struct tl_form *form;
} tl_accumulator;

/* Refuses what does not go together. */
tl_accumulator tl_accumulator_of(tl_job *job, const tl_type_facts *element, const telar_reduction *reduction);
/* ARG_MIN and ARG_MAX: fn arg_value(order: u32) -> V gives the value of a.order. */
bool tl_accumulator_has_value(const tl_accumulator *accumulator);

/* T, ROW, V, A, R, and
 *     fn identity() -> A
 *     fn lift(x: T, i: u32) -> A                      x, the element i, alone
 *     fn take(a: A, x: T, i: u32, turn: u32) -> A     x, the element i, joins a, which has turn elements then, all before i
 *     fn combine(a: A, b: A) -> A
 *     fn lower(a: A) -> R
 * and what tl_text_operator says of the lanes of a subgroup. */
void tl_text_accumulator(tl_text *text, const tl_accumulator *accumulator);
/* const WORDS, fn words_of(a: A) -> array<u32, WORDS>, fn of_words(words: array<u32, WORDS>) -> A. */
void tl_text_words(tl_text *text, const tl_accumulator *accumulator);

#endif
