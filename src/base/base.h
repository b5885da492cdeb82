/* SPDX-License-Identifier: MIT
 *
 * What the layers share and users do not see: asserts, forwarding, failing, writing text, taking memory. */
#ifndef TL_BASE_BASE_H
#define TL_BASE_BASE_H

#include <stdarg.h>
#include <telar/base.h>

#if defined(__GNUC__)
#define TL_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#define TL_ASSERT_FAIL() __builtin_trap()
#else
#define TL_PRINTF(format_at, first_at)
#define TL_ASSERT_FAIL() (*(volatile int *)0 = 0)
#endif

/* Misuse by the programmer, never by input. */
#define TELAR_ASSERT(condition) ((condition) ? (void)0 : (void)TL_ASSERT_FAIL())

/* Forwards a failure. */
#define TELAR_TRY(expression)                                                                                          \
    do {                                                                                                               \
        telar_status tl_try_status = (expression);                                                                     \
        if (tl_try_status != TELAR_OK) return tl_try_status;                                                           \
    } while (0)

#define TL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Text slice; not zero-terminated. */
typedef struct tl_str {
    const char *data;
    size_t len;
} tl_str;

#define TL_STR(literal) ((tl_str){(literal), sizeof(literal) - 1})
#define TL_STR_ARGS(s) (int)(s).len, (s).data /* for "%.*s" */

tl_str tl_str_of(const char *zero_terminated);
bool tl_str_equal(tl_str a, tl_str b);

/* ---- out.c ---- */

void tl_out_bytes(telar_out *out, const char *bytes, size_t count);
void tl_out_str(telar_out *out, tl_str text);
void tl_out_text(telar_out *out, const char *zero_terminated);
void tl_out_u64(telar_out *out, uint64_t value);

/* printf's subset that the core needs: %s %.*s %c %d %u %x with l, ll, z; %.Nf (N <= 6); %%. No libc behind it. */
void tl_out_format(telar_out *out, const char *format, ...) TL_PRINTF(2, 3);
void tl_out_vformat(telar_out *out, const char *format, va_list args) TL_PRINTF(2, 0);

/* ---- diag.c ---- */

/* Fill diag (when not NULL) and return the status, so that a failing function ends in `return tl_fail(...)`. */
telar_status tl_fail(telar_diag *diag, telar_status status, const char *format, ...) TL_PRINTF(3, 4);
telar_status tl_fail_limit(telar_diag *diag, telar_status status, uint64_t got, uint64_t limit, const char *format, ...)
    TL_PRINTF(5, 6);

/* ---- arena.c ---- */

/* count * size bytes at a power-of-two alignment, zeroed; NULL when the arena is full or the size overflows. */
void *tl_arena_alloc(telar_arena *arena, size_t count, size_t size, size_t align);
#define TL_ARENA_ARRAY(arena, type, count) ((type *)tl_arena_alloc((arena), (count), sizeof(type), _Alignof(type)))

#endif
