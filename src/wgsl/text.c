/* SPDX-License-Identifier: MIT
 *
 * Code points, identifier characters and words. It knows no tokens beyond their kinds. */
#include "wgsl/text.h"

#include <string.h>

struct word {
    const char *text;
    uint8_t length;
    uint8_t kind;
};

#include "wgsl/lex_tables.inl"

uint32_t tl_utf8_decode(const char *at, const char *end, uint32_t *code)
{
    const unsigned char *s = (const unsigned char *)at;
    size_t left = (size_t)(end - at);
    if (left >= 1 && s[0] < 0x80) {
        *code = s[0];
        return 1;
    }
    if (left >= 2 && s[0] >= 0xC2 && s[0] <= 0xDF && (s[1] & 0xC0) == 0x80) {
        *code = (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
        return 2;
    }
    if (left >= 3 && (s[0] & 0xF0) == 0xE0 && (s[1] & 0xC0) == 0x80 && (s[2] & 0xC0) == 0x80) {
        *code = (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
        return *code >= 0x800 && (*code < 0xD800 || *code > 0xDFFF) ? 3 : 0;
    }
    if (left >= 4 && (s[0] & 0xF8) == 0xF0 && (s[1] & 0xC0) == 0x80 && (s[2] & 0xC0) == 0x80 && (s[3] & 0xC0) == 0x80) {
        *code = (s[0] & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 | (s[3] & 0x3Fu);
        return *code >= 0x10000 && *code <= 0x10FFFF ? 4 : 0;
    }
    return 0;
}

uint32_t tl_rare_break(const char *at, const char *end)
{
    const unsigned char *s = (const unsigned char *)at;
    size_t left = (size_t)(end - at);
    if (left == 0) return 0;
    if (s[0] == '\r') return left >= 2 && s[1] == '\n' ? 2 : 1;
    if (s[0] >= '\n' && s[0] <= '\f') return 1;
    if (s[0] == 0xC2) return left >= 2 && s[1] == 0x85 ? 2 : 0;
    if (s[0] == 0xE2) return left >= 3 && s[1] == 0x80 && (s[2] & 0xFE) == 0xA8 ? 3 : 0;
    return 0;
}

/* Whether code lies after an odd number of edges. */
static bool inside(const uint32_t *edges, size_t count, uint32_t code)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (edges[middle] <= code) low = middle + 1;
        else high = middle;
    }
    return (low & 1) != 0;
}

bool tl_is_xid_start(uint32_t code)
{
    return inside(xid_start_edges, TL_COUNT(xid_start_edges), code);
}

bool tl_is_xid_continue(uint32_t code)
{
    return tl_is_xid_start(code) || inside(xid_only_continue_edges, TL_COUNT(xid_only_continue_edges), code);
}

bool tl_is_wide_blank(uint32_t code)
{
    return code == 0x85 || code == 0x200E || code == 0x200F || code == 0x2028 || code == 0x2029;
}

tl_wgsl_token_kind tl_word_kind(const char *word, size_t length)
{
    const unsigned char *s = (const unsigned char *)word;
    if (length == 1) return s[0] == '_' ? TL_TOKEN_UNDERSCORE : TL_TOKEN_IDENT;
    uint32_t hash = (uint32_t)length * word_factors[0] + s[0] * word_factors[1] + s[1] * word_factors[2] +
                    s[length / 2] * word_factors[3] + s[length - 1] * word_factors[4];
    const struct word *entry = &words[word_slots[hash % TL_COUNT(word_slots)]];
    if (entry->length != length || memcmp(entry->text, word, length) != 0) return TL_TOKEN_IDENT;
    return (tl_wgsl_token_kind)entry->kind;
}
