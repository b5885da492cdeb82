/* SPDX-License-Identifier: MIT
 *
 * Bounded text output. Formats without libc, so that the core also builds for wasm32 with nothing imported. */
#include "base/base.h"

#include <string.h>

telar_status telar_out_status(const telar_out *out)
{
    return out->len < out->cap ? TELAR_OK : TELAR_NO_SPACE;
}

void tl_out_bytes(telar_out *out, const char *bytes, size_t count)
{
    if (count == 0) return;
    if (out->len + 1 < out->cap) {
        size_t room = out->cap - 1 - out->len;
        size_t taken = count < room ? count : room;
        memcpy(out->data + out->len, bytes, taken);
        out->data[out->len + taken] = 0;
    } else if (out->len == 0 && out->cap > 0) {
        out->data[0] = 0;
    }
    out->len += count;
}

void tl_out_str(telar_out *out, tl_str text)
{
    tl_out_bytes(out, text.data, text.len);
}

void tl_out_text(telar_out *out, const char *zero_terminated)
{
    tl_out_bytes(out, zero_terminated, strlen(zero_terminated));
}

static void out_number(telar_out *out, uint64_t value, unsigned base)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    tl_out_bytes(out, digits + at, sizeof digits - at);
}

void tl_out_u64(telar_out *out, uint64_t value)
{
    out_number(out, value, 10);
}

static void out_i64(telar_out *out, int64_t value)
{
    if (value < 0) tl_out_bytes(out, "-", 1);
    out_number(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10);
}

static void out_double(telar_out *out, double value, unsigned decimals)
{
    if (value != value) {
        tl_out_text(out, "nan");
        return;
    }
    if (value < 0) {
        tl_out_bytes(out, "-", 1);
        value = -value;
    }
    /* Beyond 2^63 the digits would not be exact anyway; nothing that Telar reports comes near. */
    if (value >= 9.2e18) {
        tl_out_text(out, "inf");
        return;
    }
    uint64_t scale = 1;
    for (unsigned k = 0; k < decimals; k++) scale *= 10;
    uint64_t whole = (uint64_t)value;
    uint64_t fraction = (uint64_t)((value - (double)whole) * (double)scale + 0.5);
    if (fraction >= scale) {
        whole++;
        fraction -= scale;
    }
    out_number(out, whole, 10);
    if (decimals == 0) return;
    tl_out_bytes(out, ".", 1);
    for (uint64_t place = scale / 10; place > 0; place /= 10) { out_number(out, fraction / place % 10, 10); }
}

typedef struct format_spec {
    int precision; /* -1: none */
    enum {
        LENGTH_INT,
        LENGTH_LONG,
        LENGTH_LONG_LONG,
        LENGTH_SIZE
    } length;
} format_spec;

static uint64_t take_unsigned(va_list *args, format_spec spec)
{
    switch (spec.length) {
    case LENGTH_LONG: return va_arg(*args, unsigned long);
    case LENGTH_LONG_LONG: return va_arg(*args, unsigned long long);
    case LENGTH_SIZE: return va_arg(*args, size_t);
    case LENGTH_INT: break;
    }
    return va_arg(*args, unsigned);
}

static int64_t take_signed(va_list *args, format_spec spec)
{
    switch (spec.length) {
    case LENGTH_LONG: return va_arg(*args, long);
    case LENGTH_LONG_LONG: return va_arg(*args, long long);
    case LENGTH_SIZE: return (int64_t)va_arg(*args, size_t);
    case LENGTH_INT: break;
    }
    return va_arg(*args, int);
}

static const char *read_spec(const char *p, format_spec *spec, va_list *args)
{
    *spec = (format_spec){.precision = -1};
    if (*p == '.') {
        p++;
        if (*p == '*') {
            spec->precision = va_arg(*args, int);
            p++;
        } else {
            spec->precision = 0;
            for (; *p >= '0' && *p <= '9'; p++) spec->precision = spec->precision * 10 + (*p - '0');
        }
    }
    for (; *p == 'l'; p++) { spec->length = spec->length == LENGTH_LONG ? LENGTH_LONG_LONG : LENGTH_LONG; }
    if (*p == 'z') {
        spec->length = LENGTH_SIZE;
        p++;
    }
    return p;
}

static void out_text_cut(telar_out *out, const char *text, int precision)
{
    size_t len = 0;
    while ((precision < 0 || len < (size_t)precision) && text[len] != 0) len++;
    tl_out_bytes(out, text, len);
}

static void out_conversion(telar_out *out, char conversion, format_spec spec, va_list *args)
{
    switch (conversion) {
    case 's': out_text_cut(out, va_arg(*args, const char *), spec.precision); break;
    case 'c': tl_out_bytes(out, &(char){(char)va_arg(*args, int)}, 1); break;
    case 'd': out_i64(out, take_signed(args, spec)); break;
    case 'u': out_number(out, take_unsigned(args, spec), 10); break;
    case 'x': out_number(out, take_unsigned(args, spec), 16); break;
    case 'f': out_double(out, va_arg(*args, double), spec.precision < 0 ? 6 : (unsigned)spec.precision); break;
    case '%': tl_out_bytes(out, "%", 1); break;
    default: TELAR_ASSERT(false && "a conversion that tl_out_format knows"); break;
    }
}

void tl_out_vformat(telar_out *out, const char *format, va_list args)
{
    /* A va_list may be an array type: only a copy of our own has an address of the right type. */
    va_list copy;
    va_copy(copy, args);
    for (const char *p = format; *p != 0;) {
        const char *start = p;
        while (*p != 0 && *p != '%') p++;
        tl_out_bytes(out, start, (size_t)(p - start));
        if (*p == 0) break;
        format_spec spec;
        p = read_spec(p + 1, &spec, &copy);
        out_conversion(out, *p, spec, &copy);
        p++;
    }
    va_end(copy);
}

void tl_out_format(telar_out *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tl_out_vformat(out, format, args);
    va_end(args);
}
