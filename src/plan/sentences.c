/* SPDX-License-Identifier: MIT
 *
 * The table of the sentences. */
#include "plan/sentences.h"

const tl_saying tl_sentences[TL_SAY_COUNT] = {
#define SAYING(NAME, words, english, spanish) {words, english, spanish},
#include "plan/sentences.inl"
#undef SAYING
};
