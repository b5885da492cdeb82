/* SPDX-License-Identifier: MIT
 *
 * telar/wgsl.h: reads WGSL, prints it, and shows where an error is.
 *
 * The reader takes the whole language as of the 2026 draft and the extensions of Tint and naga. It reads whole modules,
 * entry points of every stage, and sources without any (libraries, element functions).
 *
 * Ownership: a module lives in the caller's arena and points into the caller's source; both must outlive it. Nothing
 * has to be freed. A source may hold zero bytes or broken UTF-8: that is an error of the source, not of the caller.
 *
 * Errors: TELAR_INVALID_WGSL with line, column (bytes, from 1), offset and one sentence in the diag; TELAR_NO_SPACE when
 * the arena is too small (its `needed` says for how much); TELAR_OVERFLOWS above TELAR_WGSL_MAX_SOURCE_BYTES.
 *
 * Example
 *     telar_arena arena = telar_arena_make(memory, telar_wgsl_arena_bytes(length));
 *     telar_wgsl *module;
 *     telar_diag diag = {0};
 *     if (telar_wgsl_read(source, length, &arena, &module, &diag) != TELAR_OK) {
 *         char text[4096];
 *         telar_out out = {.data = text, .cap = sizeof text};
 *         telar_wgsl_caret("kernel.wgsl", source, length, &diag, &out);
 *         fputs(text, stderr);
 *     }
 */
#ifndef TELAR_WGSL_H
#define TELAR_WGSL_H

#include <telar/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest source that can be read: 1 GiB. */
#define TELAR_WGSL_MAX_SOURCE_BYTES ((size_t)1 << 30)

/* Errors reported by one read at most. */
#define TELAR_WGSL_MAX_REPORTS 32u

/* A module that was read. Opaque. */
typedef struct telar_wgsl telar_wgsl;

/* Called once for each error, in the order found. The diag is valid during the call only. */
typedef void telar_wgsl_report(void *user, const telar_diag *diag);

/* Bytes of arena with which a source of this size can be read. Sources that are denser than any that people write can
 * need more: then the read returns TELAR_NO_SPACE and succeeds with a larger arena. Saturates at SIZE_MAX. */
TELAR_API size_t telar_wgsl_arena_bytes(size_t source_bytes);

/* Reads a module into the arena. On failure *module is NULL, the arena is as before, and diag has the first error. */
TELAR_API telar_status telar_wgsl_read(const char *source, size_t source_bytes, telar_arena *arena, telar_wgsl **module,
                                       telar_diag *diag);

/* As telar_wgsl_read, and calls report for each error, the first included: after an error the reader goes on at the
 * next statement or declaration. At most TELAR_WGSL_MAX_REPORTS. */
TELAR_API telar_status telar_wgsl_read_report(const char *source, size_t source_bytes, telar_arena *arena,
                                              telar_wgsl_report *report, void *user, telar_wgsl **module,
                                              telar_diag *diag);

/* Writes the module as canonical text: one statement a line, four spaces a level, no comments. The text has the same
 * meaning, and reading and printing it again gives the same bytes. TELAR_NO_SPACE when it did not fit (out->len says
 * how much it takes). */
TELAR_API telar_status telar_wgsl_print(const telar_wgsl *module, telar_out *out, telar_diag *diag);

/* Writes an error of this source as three lines:
 *     kernel.wgsl:3:10: error: expected ';' after 'return', found '}'
 *     return x }
 *              ^
 * The caret stands under the place as a terminal shows it: tabs are repeated before it, East Asian characters take two
 * columns, combining ones none. Control characters and broken UTF-8 are shown as '?'; a long line is cut around the
 * caret. file is zero-terminated. A diag without a line, or with an offset beyond the source, gives the first line only.
 * TELAR_NO_SPACE when it did not fit. */
TELAR_API telar_status telar_wgsl_caret(const char *file, const char *source, size_t source_bytes,
                                        const telar_diag *diag, telar_out *out);

/* ---- Reflection -------------------------------------------------------------------------------------------------- */

#ifdef __cplusplus
}
#endif

#endif
