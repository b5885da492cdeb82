/* SPDX-License-Identifier: MIT
 *
 * Keys as words whose order is that of unsigned numbers. A signed number changes its sign bit. A float does the same when
 * it is positive, and changes all bits when it is negative: that is the total order of IEEE 754, in which -0 comes before
 * +0, and NaNs stand at the ends by their sign. Descending order changes all bits again, so that equal keys stay in
 * theirs. */
#include "prim/sort.h"

static const tl_sort_key keys[] = {
    [TELAR_KEY_U32] = {.bits = 32},
    [TELAR_KEY_I32] = {.bits = 32, .is_signed = true},
    [TELAR_KEY_F32] = {.bits = 32, .is_float = true},
    [TELAR_KEY_U64] = {.bits = 64},
    [TELAR_KEY_I64] = {.bits = 64, .is_signed = true},
    [TELAR_KEY_F64] = {.bits = 64, .is_float = true},
    [TELAR_KEY_U16] = {.bits = 16},
    [TELAR_KEY_I16] = {.bits = 16, .is_signed = true},
    [TELAR_KEY_F16] = {.bits = 16, .is_float = true},
};

tl_sort_key tl_sort_key_of(telar_key key, bool descending)
{
    if (key >= TL_COUNT(keys)) return (tl_sort_key){0};
    tl_sort_key facts = keys[key];
    facts.descending = descending;
    return facts;
}

uint32_t tl_sort_digits(uint32_t begin, uint32_t end, uint32_t digit_bits, tl_sort_digit digits[TL_SORT_PASSES_MAX])
{
    uint32_t count = 0;
    for (uint32_t at = begin; at < end; count++) {
        uint32_t word_end = at / 32 * 32 + 32;
        uint32_t stop = end < word_end ? end : word_end;
        uint32_t bits = stop - at < digit_bits ? stop - at : digit_bits;
        digits[count] = (tl_sort_digit){.word = at / 32, .shift = at % 32, .bits = bits};
        at += bits;
    }
    return count;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

typedef struct masks {
    const char *none, *sign, *all;
} masks;

static masks masks_of(const tl_sort_key *key)
{
    switch (key->bits) {
    case 16: return (masks){"0u", "0x8000u", "0xffffu"};
    case 64: return (masks){"vec2u(0u)", "vec2u(0u, 0x80000000u)", "vec2u(0xffffffffu)"};
    default: return (masks){"0u", "0x80000000u", "0xffffffffu"};
    }
}

/* What a key is changed by (exclusive or) on its way in, and back. The sign of a float is known from its sign bit before
 * that, and is the opposite of it afterwards. */
static void print_maps(tl_text *text, const tl_sort_key *key)
{
    masks m = masks_of(key);
    const char *descending = key->descending ? m.all : m.none;
    tl_text_format(text, "const DESCENDING = %s;\n", descending);
    if (key->is_float) {
        tl_text_format(text,
                       "fn key_map(x: Key) -> Key {\n"
                       "    return x ^ DESCENDING ^ select(%s, %s, any((x & Key(%s)) != Key(%s)));\n}\n",
                       m.sign, m.all, m.sign, m.none);
        tl_text_format(text,
                       "fn key_unmapped(x: Key) -> Key {\n"
                       "    let y = x ^ DESCENDING;\n"
                       "    return y ^ select(%s, %s, any((y & Key(%s)) != Key(%s)));\n}\n",
                       m.all, m.sign, m.sign, m.none);
    } else {
        const char *sign = key->is_signed ? m.sign : m.none;
        tl_text_format(text, "fn key_map(x: Key) -> Key { return x ^ DESCENDING ^ Key(%s); }\n", sign);
        tl_text_format(text, "fn key_unmapped(x: Key) -> Key { return x ^ DESCENDING ^ Key(%s); }\n", sign);
    }
    tl_text_add(text, "fn key_unmap(x: Key, is_last: bool) -> Key { return select(x, key_unmapped(x), is_last); }\n");
}

void tl_sort_key_print(tl_text *text, const tl_sort_key *key)
{
    bool two = tl_sort_key_words(key) == 2;
    tl_text_format(text, "alias Key = %s;\n", two ? "vec2<u32>" : "u32");
    tl_text_u32(text, "KEY_WORDS", two ? 2 : 1);
    tl_text_format(text, "const PAD = Key(0xffffffffu);\n");
    tl_text_format(text, "fn key_word(x: Key, w: u32) -> u32 { return x%s; }\n", two ? "[w]" : "");
    tl_text_format(text,
                   two ? "fn key_with(x: Key, w: u32, word: u32) -> Key { return select(vec2u(word, x.y), vec2u(x.x, "
                         "word), w == 1u); }\n"
                       : "fn key_with(x: Key, w: u32, word: u32) -> Key { return word; }\n");
    print_maps(text, key);
}
