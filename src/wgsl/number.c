/* SPDX-License-Identifier: MIT
 *
 * The shape of number literals: decimal and hexadecimal, integer and float, suffixes of WGSL (i u f h) and of naga's
 * 64-bit types (li lu lf). Ranges are checked where types are known. */
#include "wgsl/text.h"

#include <string.h>

typedef struct scanner {
    const char *at;
    const char *end;
} scanner;

static char peek(const scanner *s)
{
    return s->at < s->end ? *s->at : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex_digit(char c)
{
    char lower = (char)(c | 0x20);
    return is_digit(c) || (lower >= 'a' && lower <= 'f');
}

static bool is_word_byte(char c)
{
    char lower = (char)(c | 0x20);
    return is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '_' || (c & 0x80) != 0;
}

static uint32_t skip_digits(scanner *s, bool hex)
{
    const char *start = s->at;
    while (hex ? is_hex_digit(peek(s)) : is_digit(peek(s))) s->at++;
    return (uint32_t)(s->at - start);
}

/* Takes `e+10` when digits follow the letter and sign; else takes nothing. */
static bool skip_exponent(scanner *s, char letter)
{
    if ((peek(s) | 0x20) != letter) return false;
    scanner ahead = {s->at + 1, s->end};
    if (peek(&ahead) == '+' || peek(&ahead) == '-') ahead.at++;
    if (skip_digits(&ahead, false) == 0) return false;
    *s = ahead;
    return true;
}

/* Takes the word after the digits; true when it is empty or one of the suffixes ("|i|u|"). */
static bool skip_suffix(scanner *s, const char *allowed)
{
    const char *start = s->at;
    while (is_word_byte(peek(s))) s->at++;
    size_t length = (size_t)(s->at - start);
    if (length == 0) return true;
    for (const char *item = allowed; *item != '\0'; item += strcspn(item, "|") + 1) {
        if (strcspn(item, "|") == length && memcmp(item, start, length) == 0) return true;
    }
    return false;
}

#define INT_SUFFIXES "i|u|li|lu|"
#define FLOAT_SUFFIXES "f|h|lf|"

static const char *scan_hex(scanner *s, tl_wgsl_token_kind *kind)
{
    s->at += 2;
    uint32_t digits = skip_digits(s, true);
    bool dot = peek(s) == '.';
    if (dot) {
        s->at++;
        digits += skip_digits(s, true);
    }
    bool exponent = digits > 0 && skip_exponent(s, 'p');
    *kind = dot || exponent ? TL_TOKEN_FLOAT : TL_TOKEN_INT;
    /* Without an exponent a float has no suffix: f is a digit. */
    const char *suffixes = exponent ? FLOAT_SUFFIXES : dot ? "" : INT_SUFFIXES;
    bool suffix_fits = skip_suffix(s, suffixes);
    if (digits == 0) return "a hexadecimal literal needs a digit after '0x'";
    if (suffix_fits) return NULL;
    if (exponent) return "a hexadecimal float may end in f, h or lf only";
    return dot ? "a hexadecimal float needs digits after 'p', before its suffix"
               : "a hexadecimal integer may end in i, u, li or lu only";
}

static const char *scan_decimal(scanner *s, tl_wgsl_token_kind *kind)
{
    bool zero = peek(s) == '0';
    uint32_t whole = skip_digits(s, false);
    bool dot = peek(s) == '.';
    if (dot) {
        s->at++;
        skip_digits(s, false);
    }
    bool exponent = skip_exponent(s, 'e');
    *kind = dot || exponent ? TL_TOKEN_FLOAT : TL_TOKEN_INT;
    if (*kind == TL_TOKEN_FLOAT) {
        return skip_suffix(s, FLOAT_SUFFIXES) ? NULL : "a float may end in f, h or lf only";
    }
    scanner suffix = *s;
    if (!skip_suffix(s, INT_SUFFIXES)) {
        *s = suffix;
        *kind = TL_TOKEN_FLOAT;
        if (!skip_suffix(s, FLOAT_SUFFIXES)) { return "a number may end in i, u, f, h, li, lu or lf only"; }
    }
    return zero && whole > 1 ? "an integer may not begin with '0'" : NULL;
}

tl_number_scan tl_scan_number(const char *at, const char *end)
{
    scanner s = {at, end};
    tl_number_scan result = {.kind = TL_TOKEN_INT};
    bool hex = end - at >= 2 && at[0] == '0' && (at[1] | 0x20) == 'x';
    result.problem = hex ? scan_hex(&s, &result.kind) : scan_decimal(&s, &result.kind);
    result.length = (uint32_t)(s.at - at);
    return result;
}
