/* SPDX-License-Identifier: MIT
 *
 * Literals to values: decimal and hexadecimal, integer and float, with every suffix of WGSL and naga. Decimal floats of
 * up to 19 digits and small exponents are within an ulp of a double, those of up to 15 digits exact. */
#include "wgsl/constant.h"

typedef struct suffix {
    const char *text;
    tl_type type;
} suffix;

static const suffix suffixes[] = {
    {"i", TL_TYPE_I32},  {"u", TL_TYPE_U32},  {"f", TL_TYPE_F32},  {"h", TL_TYPE_F16},
    {"li", TL_TYPE_I64}, {"lu", TL_TYPE_U64}, {"lf", TL_TYPE_F64},
};

static int digit_of(char c, unsigned base)
{
    int value = 99;
    if (c >= '0' && c <= '9') value = c - '0';
    if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
    return value < (int)base ? value : -1;
}

static double power_of(double base, uint64_t exponent)
{
    double power = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) power *= base;
        base *= base;
    }
    return power;
}

/* value * base^exponent; in steps, so that the power does not overflow before a subnormal result is reached. */
static double scale(double value, double base, int64_t exponent)
{
    bool negative = exponent < 0;
    uint64_t left = negative ? 0 - (uint64_t)exponent : (uint64_t)exponent;
    if (left > 20000) left = 20000;
    while (left > 0) {
        uint64_t step = left > 200 ? 200 : left;
        double power = power_of(base, step);
        value = negative ? value / power : value * power;
        left -= step;
    }
    return value;
}

typedef struct mantissa {
    uint64_t value;
    int64_t places; /* digits before the point that did not fit, less those after it that did */
    bool overflow;  /* an integer that does not fit 64 bits */
    bool has_point;
    uint32_t digits;
} mantissa;

static void add_digit(mantissa *m, unsigned digit, unsigned base)
{
    m->digits++;
    if (m->overflow || m->value > (UINT64_MAX - digit) / base) {
        m->overflow = true;
        if (!m->has_point) m->places++;
        return;
    }
    m->value = m->value * base + digit;
    if (m->has_point) m->places--;
}

static size_t read_mantissa(tl_str text, size_t at, unsigned base, mantissa *m)
{
    *m = (mantissa){0};
    for (; at < text.len; at++) {
        if (text.data[at] == '.' && !m->has_point) {
            m->has_point = true;
            continue;
        }
        int digit = digit_of(text.data[at], base);
        if (digit < 0) break;
        add_digit(m, (unsigned)digit, base);
    }
    return at;
}

/* Past the exponent, or at when there is none. */
static size_t read_exponent(tl_str text, size_t at, int64_t *exponent)
{
    size_t p = at + 1;
    bool negative = p < text.len && text.data[p] == '-';
    if (p < text.len && (text.data[p] == '-' || text.data[p] == '+')) p++;
    if (p >= text.len || digit_of(text.data[p], 10) < 0) return at;
    int64_t value = 0;
    for (; p < text.len && digit_of(text.data[p], 10) >= 0; p++) {
        if (value < 100000) value = value * 10 + digit_of(text.data[p], 10);
    }
    *exponent = negative ? -value : value;
    return p;
}

static bool integer_fits(uint64_t value, tl_type type)
{
    switch (type) {
    case TL_TYPE_I32: return value <= INT32_MAX;
    case TL_TYPE_U32: return value <= UINT32_MAX;
    case TL_TYPE_U64: return true;
    default: return value <= INT64_MAX;
    }
}

static bool real_fits(double value, tl_type type)
{
    /* Halfway from the largest float to the next power of two, and above, rounds to infinity. */
    if (type == TL_TYPE_F32) return value < 3.4028235677973366e38;
    if (type == TL_TYPE_F16) return value < 65520.0;
    return value <= 1.7976931348623157e308;
}

static tl_type suffix_type(tl_str rest)
{
    for (size_t k = 0; k < TL_COUNT(suffixes); k++) {
        if (tl_str_equal(rest, tl_str_of(suffixes[k].text))) return suffixes[k].type;
    }
    return TL_TYPE_UNKNOWN;
}

static tl_number_status finish_real(const mantissa *m, int64_t exponent, bool hex, tl_type type, double *real)
{
    int64_t places = m->places * (hex ? 4 : 1) + exponent;
    *real = m->value == 0 ? 0 : scale((double)m->value, hex ? 2 : 10, places);
    if (!real_fits(*real, type)) return TL_NUMBER_RANGE;
    if (type == TL_TYPE_F32) *real = (double)(float)*real;
    if (type == TL_TYPE_F16) *real = tl_round_f16(*real);
    return TL_NUMBER_OK;
}

/* Most literals are a few decimal digits. */
static bool read_short(tl_str text, int64_t *integer)
{
    if (text.len > 9) return false;
    int64_t value = 0;
    for (size_t k = 0; k < text.len; k++) {
        if (text.data[k] < '0' || text.data[k] > '9') return false;
        value = value * 10 + (text.data[k] - '0');
    }
    *integer = value;
    return true;
}

tl_number_status tl_number_read(tl_str text, tl_type *type, int64_t *integer, double *real)
{
    *type = TL_TYPE_ABSTRACT_INT;
    if (read_short(text, integer)) return TL_NUMBER_OK;
    mantissa m;
    int64_t exponent = 0;
    bool hex = text.len > 2 && text.data[0] == '0' && (text.data[1] == 'x' || text.data[1] == 'X');
    size_t at = read_mantissa(text, hex ? 2 : 0, hex ? 16 : 10, &m);
    char mark = at < text.len ? (char)(text.data[at] | 0x20) : 0;
    bool is_float = m.has_point;
    if (mark == (hex ? 'p' : 'e')) {
        size_t end = read_exponent(text, at, &exponent);
        is_float = is_float || end != at;
        at = end;
    }
    tl_str rest = {text.data + at, text.len - at};
    *type = rest.len > 0 ? suffix_type(rest) : is_float ? TL_TYPE_ABSTRACT_FLOAT : TL_TYPE_ABSTRACT_INT;
    if (*type == TL_TYPE_UNKNOWN || m.digits == 0) return TL_NUMBER_FORM;
    if (tl_kind_is_float((tl_kind)*type)) return finish_real(&m, exponent, hex, *type, real);
    if (is_float) return TL_NUMBER_FORM;
    *integer = (int64_t)m.value;
    return !m.overflow && integer_fits(m.value, *type) ? TL_NUMBER_OK : TL_NUMBER_RANGE;
}

double tl_round_f16(double value)
{
    double magnitude = value < 0 ? -value : value;
    if (!(magnitude < 65520.0)) return value * 1e308 * 1e308; /* infinite, or NaN */
    /* Adding and subtracting 1.5 * 2^52 times the spacing rounds to nearest even at that spacing. */
    double spacing = 1.0 / 16777216.0;
    while (spacing * 2048.0 <= magnitude) spacing *= 2;
    double shift = 6755399441055744.0 * spacing;
    return value + shift - shift;
}
