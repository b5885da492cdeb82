/* SPDX-License-Identifier: MIT
 *
 * Sentences with values in them: thousands and decimals as each language writes them. */
#include "plan/sentences.h"

static const char *const texts[TL_SAY_COUNT][2] = {
#define TEXTS(NAME, english, spanish) {english, spanish},
    TL_SENTENCE_LIST(TEXTS)
#undef TEXTS
};

/* English: 5,000. Spanish: 5000, and 50.000 from five digits on. */
static void out_count(telar_out *out, telar_language language, uint64_t count)
{
    if (count < (language == TELAR_SPANISH ? 10000u : 1000u)) {
        tl_out_u64(out, count);
        return;
    }
    uint64_t scale = 1;
    while (count / scale >= 1000) scale *= 1000;
    tl_out_u64(out, count / scale);
    for (scale /= 1000; scale > 0; scale /= 1000) {
        uint64_t three = count / scale % 1000;
        tl_out_text(out, language == TELAR_SPANISH ? "." : ",");
        for (uint64_t place = 100; place > 0; place /= 10) tl_out_u64(out, three / place % 10);
    }
}

/* Three figures where the number is small, none after the point where it is large. */
static void out_real(telar_out *out, telar_language language, double value)
{
    uint64_t scale = value < 10 ? 100 : value < 100 ? 10 : 1;
    uint64_t scaled = value < 1e15 ? (uint64_t)(value * (double)scale + 0.5) : UINT64_C(1000000000000000);
    out_count(out, language, scaled / scale);
    uint64_t fraction = scaled % scale;
    if (fraction == 0) return;
    tl_out_text(out, language == TELAR_SPANISH ? "," : ".");
    for (uint64_t place = scale / 10; place > 0; place /= 10) tl_out_u64(out, fraction / place % 10);
}

static void out_size(telar_out *out, const uint32_t size[3])
{
    tl_out_u64(out, size[0]);
    int last = size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0;
    for (int axis = 1; axis <= last; axis++) tl_out_format(out, "x%u", size[axis]);
}

static void out_value(telar_out *out, telar_language language, const tl_value *value)
{
    switch (value->kind) {
    case TL_VALUE_COUNT: out_count(out, language, value->count); break;
    case TL_VALUE_REAL: out_real(out, language, value->real); break;
    case TL_VALUE_SIZE: out_size(out, value->size); break;
    case TL_VALUE_TEXT: tl_out_text(out, value->text); break;
    case TL_VALUE_SENTENCE: tl_out_text(out, texts[value->count][language]); break;
    case TL_VALUE_ITEMS:
        tl_say(out, language, value->count == 1 ? TL_SAY_ITEM : TL_SAY_ITEMS, &TL_N(value->count));
        break;
    }
}

void tl_say(telar_out *out, telar_language language, tl_sentence sentence, const tl_value *values)
{
    const char *text = texts[sentence][language == TELAR_SPANISH];
    for (const char *p = text; *p != 0;) {
        const char *start = p;
        while (*p != 0 && *p != '{') p++;
        tl_out_bytes(out, start, (size_t)(p - start));
        if (*p == 0) break;
        out_value(out, language, &values[p[1] - '0']);
        p += 3;
    }
}
