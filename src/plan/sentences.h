/* SPDX-License-Identifier: MIT
 *
 * The sentences of the explanation by name; their texts are sentences.inl. */
#ifndef TL_PLAN_SENTENCES_H
#define TL_PLAN_SENTENCES_H

#include "base/say.h"

typedef enum tl_sentence {
#define SAYING(NAME, words, english, spanish) TL_SAY_##NAME,
#include "plan/sentences.inl"
#undef SAYING
    TL_SAY_COUNT
} tl_sentence;

extern const tl_saying tl_sentences[TL_SAY_COUNT];

/* Words of a plan: a sentence's name, "4 elements", "4 workgroups". */
#define TL_SENTENCE(name) TL_W(&tl_sentences[name])
#define TL_ITEMS(n) TL_P(n, &tl_sentences[TL_SAY_ITEM])
#define TL_GROUPS(n) TL_P(n, &tl_sentences[TL_SAY_GROUP])

#endif
