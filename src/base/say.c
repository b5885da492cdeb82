/* SPDX-License-Identifier: MIT
 *
 * Puts words into sentences. Knows how each language writes numbers, and no sentence. */
#include "base/say.h"

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

static const char *text_in(telar_language language, const tl_saying *saying)
{
    return language == TELAR_SPANISH ? saying->spanish : saying->english;
}

/* Text up to the next place; the place's digit, or -1 at the end. */
static int out_until_place(telar_out *out, const char **text)
{
    const char *start = *text, *p = start;
    while (*p != 0 && *p != '{') p++;
    tl_out_bytes(out, start, (size_t)(p - start));
    *text = *p == 0 ? p : p + 3;
    return *p == 0 ? -1 : p[1] - '0';
}

/* A sentence with a number, or none, in all of its places. */
static void out_counted(telar_out *out, telar_language language, const tl_saying *saying, uint64_t count)
{
    const char *text = text_in(language, saying);
    while (out_until_place(out, &text) >= 0) out_count(out, language, count);
}

static void out_word(telar_out *out, telar_language language, const tl_word *word)
{
    switch (word->kind) {
    case TL_WORD_MISSING: tl_out_text(out, "{?}"); break;
    case TL_WORD_SIGNED: tl_out_format(out, "%lld", (long long)word->number); break;
    case TL_WORD_UNSIGNED: tl_out_u64(out, word->count); break;
    case TL_WORD_COUNT: out_count(out, language, word->count); break;
    case TL_WORD_REAL: out_real(out, language, word->real); break;
    case TL_WORD_SIZE: out_size(out, word->size); break;
    case TL_WORD_TEXT: tl_out_str(out, word->text); break;
    case TL_WORD_SAYING:
        if (word->saying != NULL) tl_out_text(out, text_in(language, word->saying));
        break;
    case TL_WORD_PLURAL: out_counted(out, language, &word->saying[word->count != 1], word->count); break;
    }
}

void tl_say(telar_out *out, telar_language language, tl_said said)
{
    static const tl_word missing = {.kind = TL_WORD_MISSING};
    const char *text = text_in(language, said.saying);
    for (int place; (place = out_until_place(out, &text)) >= 0;) {
        bool there = said.words != NULL && (uint32_t)place < said.saying->words;
        out_word(out, language, there ? &said.words[place] : &missing);
    }
}
