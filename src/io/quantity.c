/* SPDX-License-Identifier: MIT
 *
 * Number parsing. Works on slices, never reads past them, and knows nothing of the locale: the decimal point is a point. */
#include "io/quantity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct suffix {
    const char *text;
    uint64_t factor;
} suffix;

static const suffix suffixes[] = {
    {"", 1},
    {"k", 1000},
    {"M", 1000000},
    {"G", 1000000000},
    {"Ki", UINT64_C(1) << 10},
    {"Mi", UINT64_C(1) << 20},
    {"Gi", UINT64_C(1) << 30},
};

/* A value that did not fit in 64 bits is kept as UINT64_MAX with `over` set. */
typedef struct magnitude {
    uint64_t value;
    bool over;
} magnitude;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits with single underscores between them; returns how many bytes they take, 0 when there are none. */
static size_t read_digits(tl_str text, magnitude *number)
{
    size_t at = 0;
    *number = (magnitude){0};
    while (at < text.len) {
        if (text.data[at] == '_' && at > 0 && at + 1 < text.len && is_digit(text.data[at - 1]) &&
            is_digit(text.data[at + 1])) {
            at++;
            continue;
        }
        if (!is_digit(text.data[at])) break;
        uint64_t digit = (uint64_t)(text.data[at] - '0');
        if (number->value > (UINT64_MAX - digit) / 10) number->over = true;
        number->value = number->over ? UINT64_MAX : number->value * 10 + digit;
        at++;
    }
    return at;
}

static bool apply_suffix(tl_str text, magnitude *number)
{
    for (size_t k = 0; k < TL_COUNT(suffixes); k++) {
        if (!tl_str_equal(text, tl_str_of(suffixes[k].text))) continue;
        if (!telar_multiply(number->value, suffixes[k].factor, &number->value)) {
            number->over = true;
            number->value = UINT64_MAX;
        }
        return true;
    }
    return false;
}

/* Long garbage is cut in messages. */
static tl_str shown(tl_str text)
{
    return (tl_str){text.data, text.len < 60 ? text.len : 60};
}

static telar_status not_a_number(const char *what, tl_str text, telar_diag *diag)
{
    if (text.len == 0) { return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s: a number is missing", what); }
    return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                   "%s: '%.*s' is not a whole number; write digits, _ between them if you like, "
                   "and at most one of k M G Ki Mi Gi after them",
                   what, TL_STR_ARGS(shown(text)));
}

static telar_status read_magnitude(const char *what, tl_str text, magnitude *number, telar_diag *diag)
{
    size_t used = read_digits(text, number);
    tl_str rest = {text.data + used, text.len - used};
    if (used == 0 || !apply_suffix(rest, number)) return not_a_number(what, text, diag);
    return TELAR_OK;
}

telar_status tl_number_u64(const char *what, tl_str text, uint64_t min, uint64_t max, uint64_t *value, telar_diag *diag)
{
    *value = 0;
    bool negative = text.len > 1 && text.data[0] == '-' && is_digit(text.data[1]);
    magnitude number;
    tl_str digits = negative ? (tl_str){text.data + 1, text.len - 1} : text;
    TELAR_TRY(read_magnitude(what, digits, &number, diag));
    if (negative && number.value > 0) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, 0, max, "%s (%.*s) is negative; allowed are %llu to %llu",
                             what, TL_STR_ARGS(shown(text)), (unsigned long long)min, (unsigned long long)max);
    }
    if (number.over || number.value > max || number.value < min) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, number.value, max, "%s (%.*s) is too %s; allowed are %llu to %llu",
                             what, TL_STR_ARGS(shown(text)), number.value < min ? "small" : "large",
                             (unsigned long long)min, (unsigned long long)max);
    }
    *value = number.value;
    return TELAR_OK;
}

telar_status tl_number_list(const char *what, tl_str text, char separator, uint32_t cap, uint64_t min, uint64_t max,
                            uint64_t *values, uint32_t *count, telar_diag *diag)
{
    *count = 0;
    size_t start = 0;
    for (size_t at = 0; at <= text.len; at++) {
        if (at < text.len && text.data[at] != separator) continue;
        if (*count == cap) {
            return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, (uint64_t)cap + 1, cap,
                                 "%s: '%.*s' has more than %u numbers", what, TL_STR_ARGS(shown(text)), cap);
        }
        tl_str part = {text.data + start, at - start};
        TELAR_TRY(tl_number_u64(what, part, min, max, &values[*count], diag));
        *count += 1;
        start = at + 1;
    }
    return TELAR_OK;
}

telar_status tl_number_i64(const char *what, tl_str text, int64_t min, int64_t max, int64_t *value, telar_diag *diag)
{
    *value = 0;
    bool negative = text.len > 0 && text.data[0] == '-';
    tl_str digits = {text.data + negative, text.len - negative};
    magnitude number;
    TELAR_TRY(read_magnitude(what, digits, &number, diag));
    uint64_t most = negative ? (uint64_t)0 - (uint64_t)min : (uint64_t)max;
    if (negative && min >= 0) most = 0;
    if (number.over || number.value > most) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, number.value, most,
                             "%s (%.*s) does not fit; allowed are %lld to %lld", what, TL_STR_ARGS(shown(text)),
                             (long long)min, (long long)max);
    }
    *value = negative ? (int64_t)((uint64_t)0 - number.value) : (int64_t)number.value;
    return TELAR_OK;
}

telar_status tl_number_f64(const char *what, tl_str text, double *value, telar_diag *diag)
{
    *value = 0;
    magnitude whole;
    size_t used = read_digits(text, &whole);
    if (used > 0 && !whole.over && whole.value < (UINT64_C(1) << 53) &&
        apply_suffix((tl_str){text.data + used, text.len - used}, &whole) && !whole.over) {
        *value = (double)whole.value;
        return TELAR_OK;
    }
    /* strtod wants a terminated copy; WGSL's suffixes f and h are taken off. */
    char copy[128];
    size_t len = text.len;
    bool hex = memchr(text.data, 'x', len) != NULL;
    bool named = len > 0 && text.data[len - 1] == 'f' && len > 2 && text.data[len - 2] == 'n';
    if (len > 1 && (text.data[len - 1] == 'f' || text.data[len - 1] == 'h') && !hex && !named) len--;
    bool fits = len > 0 && len < sizeof copy, over = false;
    if (fits) {
        memcpy(copy, text.data, len);
        copy[len] = 0;
        char *end = NULL;
        errno = 0;
        *value = strtod(copy, &end);
        over = errno == ERANGE && fabs(*value) == HUGE_VAL;
        /* strtod skips blanks that nobody meant. */
        fits = *end == 0 && end != copy && copy[0] > ' ';
    }
    if (fits && !over) return TELAR_OK;
    *value = 0;
    if (fits) {
        return tl_fail(diag, TELAR_OVERFLOWS, "%s (%.*s) does not fit in 64 bits", what, TL_STR_ARGS(shown(text)));
    }
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s: '%.*s' is not a number", what, TL_STR_ARGS(shown(text)));
}
