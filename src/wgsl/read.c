/* SPDX-License-Identifier: MIT
 *
 * The entry of the reader: its three steps over one arena. */
#include "wgsl/module.h"

/* Measured over the corpora: tokens and nodes take 3 to 12 times the source, what is resolved less than that. */
#define ARENA_BYTES_PER_BYTE 24
#define ARENA_BYTES_AT_LEAST ((size_t)64 << 10)

size_t telar_wgsl_arena_bytes(size_t source_bytes)
{
    if (source_bytes > (SIZE_MAX - ARENA_BYTES_AT_LEAST) / ARENA_BYTES_PER_BYTE) return SIZE_MAX;
    return source_bytes * ARENA_BYTES_PER_BYTE + ARENA_BYTES_AT_LEAST;
}

static telar_status read_steps(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log)
{
    TELAR_TRY(tl_wgsl_lex(m, arena, log));
    TELAR_TRY(tl_wgsl_parse(m, arena, log));
    return TELAR_OK;
}

telar_status telar_wgsl_read_report(const char *source, size_t source_bytes, telar_arena *arena,
                                    telar_wgsl_report *report, void *user, telar_wgsl **module,
                                    telar_diag *diag)
{
    *module = NULL;
    if (source_bytes > TELAR_WGSL_MAX_SOURCE_BYTES) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, source_bytes, TELAR_WGSL_MAX_SOURCE_BYTES,
                             "source of %zu bytes is longer than %zu", source_bytes,
                             TELAR_WGSL_MAX_SOURCE_BYTES);
    }
    size_t used = arena->used;
    telar_wgsl *m = TL_ARENA_ARRAY(arena, telar_wgsl, 1);
    tl_wgsl_log log = {
        .source = source,
        .source_bytes = (uint32_t)source_bytes,
        .diag = diag,
        .report = report,
        .user = user,
    };
    telar_status status = TELAR_NO_SPACE;
    if (m != NULL) {
        m->source = source;
        m->source_bytes = (uint32_t)source_bytes;
        status = read_steps(m, arena, &log);
    }
    if (status == TELAR_OK) {
        *module = m;
        return TELAR_OK;
    }
    arena->used = used;
    if (status != TELAR_NO_SPACE) return status;
    return tl_fail_limit(diag, status, arena->needed, arena->cap,
                         "arena of %zu bytes is too small for a source of %zu bytes, needed about "
                         "%zu",
                         arena->cap, source_bytes, arena->needed);
}

telar_status telar_wgsl_read(const char *source, size_t source_bytes, telar_arena *arena,
                             telar_wgsl **module, telar_diag *diag)
{
    return telar_wgsl_read_report(source, source_bytes, arena, NULL, NULL, module, diag);
}
