/* SPDX-License-Identifier: MIT
 *
 * telar/base.h: what every other header uses: status, diagnostics, bounded output, arenas, exact arithmetic.
 *
 * Rules of the whole library
 *   - Every fallible function returns a telar_status; its results go to out pointers, which are zeroed on failure.
 *   - The last parameter is a telar_diag pointer and may be NULL. It says what was found and what is allowed.
 *   - Nothing prints, exits or aborts on bad input. TELAR_ASSERT guards only misuse that no input can cause.
 *   - The core allocates nothing: memory comes from a telar_arena, text goes to a telar_out.
 *   - A desc struct with zero fields asks for the defaults.
 *
 * Example
 *     char text[4096];
 *     telar_out out = {.data = text, .cap = sizeof text};
 *     telar_diag diag = {0};
 *     if (telar_facts_set_limit(&facts, "maxBufferSize", 1024, &diag) != TELAR_OK) puts(diag.text);
 *     telar_plan_explain(&plan, &facts, TELAR_ENGLISH, &out);
 *     if (telar_out_status(&out) == TELAR_OK) puts(text);
 */
#ifndef TELAR_BASE_H
#define TELAR_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TELAR_API
#elif defined(__GNUC__)
#define TELAR_API __attribute__((visibility("default")))
#else
#define TELAR_API
#endif

#define TELAR_VERSION_MAJOR 0
#define TELAR_VERSION_MINOR 1
#define TELAR_VERSION_PATCH 0

/* The library's version, as "0.1.0". */
TELAR_API const char *telar_version(void);

/* ---- Status ------------------------------------------------------------------------------------------------------ */

/* Numbers are pinned: a number is never reused and never changes its meaning. */
#define TELAR_STATUS_LIST(X)                                                                                           \
    X(0, OK, "ok")                                                                                                     \
    X(1, NO_SPACE, "the buffer or arena given is too small")                                                           \
    X(2, INVALID_ARGUMENT, "an argument is not allowed")                                                               \
    X(3, LIMIT_EXCEEDED, "a limit of the device is exceeded")                                                          \
    X(4, OVERFLOWS, "a size or count does not fit its type")                                                           \
    X(5, NOT_FOUND, "a name does not exist")                                                                           \
    X(6, UNSUPPORTED, "not supported")                                                                                 \
    X(7, INVALID_WGSL, "the WGSL source is not valid")                                                                 \
    X(8, NOT_FOLDABLE, "the kernel cannot be launched in this shape")                                                  \
    X(9, INVALID_RECORDING, "the recording is not valid")                                                              \
    X(10, INVALID_DATA, "the data is malformed")                                                                       \
    X(11, IO_FAILED, "a file or stream could not be read or written")                                                  \
    X(12, NO_LIBRARY, "no usable WebGPU library")                                                                      \
    X(13, NO_DEVICE, "no usable device")                                                                               \
    X(14, DEVICE_LOST, "the device was lost")                                                                          \
    X(15, OUT_OF_MEMORY, "out of memory")                                                                              \
    X(16, SHADER_REJECTED, "the WebGPU implementation rejected a shader")                                              \
    X(17, VALIDATION_FAILED, "the WebGPU implementation rejected a call")                                              \
    X(18, TIMED_OUT, "the device did not answer in time")                                                              \
    X(19, MISMATCH, "results differ from what was expected")                                                           \
    X(20, NOT_READY, "the work is not finished yet")

#define TELAR_STATUS_ENUM(number, name, text) TELAR_##name = number,
typedef enum telar_status {
    TELAR_STATUS_LIST(TELAR_STATUS_ENUM)
} telar_status;
#undef TELAR_STATUS_ENUM

/* "LIMIT_EXCEEDED" and its one-line text. Unknown numbers give "UNKNOWN" and "unknown status". Never NULL. */
TELAR_API const char *telar_status_name(telar_status status);
TELAR_API const char *telar_status_text(telar_status status);

/* ---- Diagnostics ------------------------------------------------------------------------------------------------- */

#define TELAR_DIAG_TEXT_BYTES 2048

/* Why a call failed. Owned by the caller; zero it once, calls overwrite it only when they fail.
 * line and column count from 1 (column in bytes); 0 when there is no source. got and limit are 0 when there is no such
 * pair. text is one sentence, lower case, with the numbers in parentheses and the way out; it always ends with a zero
 * byte and is cut with "..." when it does not fit. */
typedef struct telar_diag {
    telar_status status;
    uint32_t line;
    uint32_t column;
    uint64_t offset; /* bytes from the start of the source */
    uint64_t got;
    uint64_t limit;
    char text[TELAR_DIAG_TEXT_BYTES];
} telar_diag;

/* ---- Bounded output ---------------------------------------------------------------------------------------------- */

/* Text output that never overflows and keeps counting when full: len is the size the whole text needs, without the
 * terminating zero. {0} is a size query. When cap > 0 the text written is always zero-terminated. */
typedef struct telar_out {
    char *data;
    size_t cap;
    size_t len;
} telar_out;

/* TELAR_OK when all of it fitted, else TELAR_NO_SPACE (len + 1 bytes would do). */
TELAR_API telar_status telar_out_status(const telar_out *out);

/* ---- Languages --------------------------------------------------------------------------------------------------- */

/* Of texts for people: explanations of plans, findings of the checker. What telar_diag says is English. */
typedef enum telar_language {
    TELAR_ENGLISH = 0,
    TELAR_SPANISH = 1
} telar_language;

/* ---- Arena ------------------------------------------------------------------------------------------------------- */

/* A block of memory that the caller owns and the core fills from the front. Zero `used` to empty it. After
 * TELAR_NO_SPACE, `needed` is at least the capacity that the failed request would have taken: double it and try again. */
typedef struct telar_arena {
    void *data; /* aligned as malloc aligns */
    size_t cap; /* bytes */
    size_t used;
    size_t needed;
} telar_arena;

TELAR_API telar_arena telar_arena_make(void *data, size_t cap_bytes);

/* ---- Exact arithmetic -------------------------------------------------------------------------------------------- */

/* ceil(n / size) without the wrap of (n + size - 1) / size. size > 0. */
static inline uint64_t telar_ceil_div(uint64_t n, uint64_t size)
{
    return n / size + (uint64_t)(n % size != 0);
}

/* n rounded up to the next multiple of step (not a division: see telar_ceil_div). False when it does not fit. */
static inline bool telar_round_up(uint64_t n, uint64_t step, uint64_t *result)
{
    uint64_t rest = n % step;
    *result = rest == 0 ? n : n + (step - rest);
    return *result >= n;
}

/* a * b into *product; false (and *product = 0) when it does not fit in 64 bits. */
static inline bool telar_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    bool fits = a == 0 || b <= UINT64_MAX / a;
    *product = fits ? a * b : 0;
    return fits;
}

#ifdef __cplusplus
}
#endif

#endif
