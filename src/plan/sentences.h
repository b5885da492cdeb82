/* SPDX-License-Identifier: MIT
 *
 * The sentences of the explanation by name, and the values they take. In the texts {0} to {9} stand for the values;
 * their order may differ between the languages. */
#ifndef TL_PLAN_SENTENCES_H
#define TL_PLAN_SENTENCES_H

#include "base/base.h"
#include <telar/plan.h>

/* The sentences, in the order of the table in sentences.c. */
typedef enum tl_sentence {
    /* headline */
    TL_SAY_HEAD,
    TL_SAY_HEAD_EMPTY,
    TL_SAY_LESSON,
    TL_SAY_LANES,
    TL_SAY_GROUP,
    TL_SAY_GROUPS,
    TL_SAY_ITEM,
    TL_SAY_ITEMS,
    /* names */
    TL_SAY_KIND_ELEMENT,
    TL_SAY_KIND_REDUCE,
    TL_SAY_KIND_SCAN,
    TL_SAY_KIND_IMAGE,
    TL_SAY_KIND_TILE,
    TL_SAY_SHAPE_EMPTY,
    TL_SAY_SHAPE_LINEAR,
    TL_SAY_SHAPE_FOLD,
    TL_SAY_SHAPE_STRIDE,
    TL_SAY_TYPE_UNKNOWN,
    TL_SAY_TYPE_DISCRETE,
    TL_SAY_TYPE_INTEGRATED,
    TL_SAY_TYPE_CPU,
    TL_SAY_BY_INVOCATIONS,
    TL_SAY_BY_GROUPS,
    TL_SAY_BY_MEMORY,
    TL_SAY_BY_REGISTERS,
    /* reasons: size and items */
    TL_SAY_EMPTY,
    TL_SAY_SIZE_ASKED,
    TL_SAY_SIZE_ASKED_SAME,
    TL_SAY_SIZE_ELEMENT,
    TL_SAY_SIZE_TREE,
    TL_SAY_SIZE_IMAGE,
    TL_SAY_SIZE_HALO,
    TL_SAY_SIZE_TILE,
    TL_SAY_SIZE_MODEL,
    TL_SAY_SIZE_CLAMPED,
    TL_SAY_ITEMS_WHY,
    TL_SAY_LANES_LOST,
    TL_SAY_LANES_FULL,
    TL_SAY_HEAVY,
    /* reasons: mapping */
    TL_SAY_CEILING,
    TL_SAY_CEILING_PARTLY,
    TL_SAY_CEILING_EXACT,
    TL_SAY_FOLDED,
    TL_SAY_FOLDED_ASKED,
    TL_SAY_FOLD_FIXED,
    TL_SAY_STRIDE,
    TL_SAY_WINDOWS_INDEX,
    TL_SAY_WINDOWS_BINDING,
    /* reasons: occupancy */
    TL_SAY_UNITS_IDLE,
    TL_SAY_UNITS_BUSY,
    TL_SAY_RESIDENT,
    TL_SAY_RESIDENT_ONLY,
    TL_SAY_PREDICTED,
    TL_SAY_TABLE,
    /* next steps */
    TL_SAY_NEXT_EMPTY,
    TL_SAY_NEXT_NOTHING,
    TL_SAY_NEXT_WORKGROUPS,
    TL_SAY_NEXT_WORKGROUPS_NONE,
    TL_SAY_NEXT_INVOCATIONS,
    TL_SAY_NEXT_MEMORY,
    TL_SAY_NEXT_REGISTERS,
    TL_SAY_NEXT_BINDING,
    TL_SAY_NEXT_INDEX,
    TL_SAY_NEXT_LAUNCH,
    TL_SAY_NEXT_LAUNCH_TIMED,
    TL_SAY_NEXT_LAUNCH_NONE,
    TL_SAY_NEXT_OVERHEAD,
    TL_SAY_NEXT_LATENCY,
    TL_SAY_NEXT_LATENCY_NONE,
    TL_SAY_NEXT_BANDWIDTH,
    TL_SAY_NEXT_UNITS,
    TL_SAY_NEXT_UNITS_NONE,
    TL_SAY_COUNT
} tl_sentence;

typedef enum tl_value_kind {
    TL_VALUE_COUNT,
    TL_VALUE_REAL,
    TL_VALUE_SIZE,
    TL_VALUE_SENTENCE,
    TL_VALUE_ITEMS,
    TL_VALUE_GROUPS,
    TL_VALUE_TEXT
} tl_value_kind;

/* A count, a real number with three figures, a size (16x16), a sentence without values, "4 elements", "4 workgroups",
 * or a text as it is. */
typedef struct tl_value {
    tl_value_kind kind;
    uint64_t count;
    double real;
    const uint32_t *size;
    const char *text;
} tl_value;

#define TL_N(n) ((tl_value){.kind = TL_VALUE_COUNT, .count = (n)})
#define TL_R(x) ((tl_value){.kind = TL_VALUE_REAL, .real = (x)})
#define TL_S(xyz) ((tl_value){.kind = TL_VALUE_SIZE, .size = (xyz)})
#define TL_W(sentence) ((tl_value){.kind = TL_VALUE_SENTENCE, .count = (uint64_t)(sentence)})
#define TL_GROUPS(n) ((tl_value){.kind = TL_VALUE_GROUPS, .count = (n)})
#define TL_ITEMS(n) ((tl_value){.kind = TL_VALUE_ITEMS, .count = (n)})

const char *tl_sentence_text(tl_sentence name, telar_language language);
/* The sentence with its values; braces in a sentence are always one digit. */
void tl_say(telar_out *out, telar_language language, tl_sentence name, const tl_value *values);

#endif
