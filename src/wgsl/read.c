/* SPDX-License-Identifier: MIT
 *
 * The entry of the reader: its steps over one arena. */
#include "wgsl/module.h"

/* Measured over the corpora: tokens and nodes take 1 to 11 times the source. */
#define ARENA_BYTES_PER_BYTE 24
#define ARENA_BYTES_AT_LEAST ((size_t)64 << 10)

typedef telar_status read_step(telar_wgsl *m, telar_arena *arena, tl_wgsl_log *log);

static read_step *const steps[] = {tl_wgsl_lex, tl_wgsl_parse, tl_wgsl_resolve};

enum {
    SYNTAX_STEPS = 2,
    ALL_STEPS = TL_COUNT(steps)
};

size_t telar_wgsl_arena_bytes(size_t source_bytes)
{
    if (source_bytes > (SIZE_MAX - ARENA_BYTES_AT_LEAST) / ARENA_BYTES_PER_BYTE) return SIZE_MAX;
    return source_bytes * ARENA_BYTES_PER_BYTE + ARENA_BYTES_AT_LEAST;
}

static telar_status fail_without_space(const telar_arena *arena, size_t source_bytes, telar_diag *diag)
{
    return tl_fail_limit(diag, TELAR_NO_SPACE, arena->needed, arena->cap,
                         "arena of %zu bytes is too small for a source of %zu bytes; about %zu are "
                         "needed",
                         arena->cap, source_bytes, arena->needed);
}

static telar_status read_source(tl_wgsl_log *log, size_t source_bytes, telar_arena *arena, size_t step_count,
                                telar_wgsl **module)
{
    *module = NULL;
    if (source_bytes > TELAR_WGSL_MAX_SOURCE_BYTES) {
        return tl_fail_limit(log->diag, TELAR_OVERFLOWS, source_bytes, TELAR_WGSL_MAX_SOURCE_BYTES,
                             "source of %zu bytes is longer than %zu", source_bytes, TELAR_WGSL_MAX_SOURCE_BYTES);
    }
    log->source_bytes = (uint32_t)source_bytes;
    size_t used = arena->used;
    telar_wgsl *m = TL_ARENA_ARRAY(arena, telar_wgsl, 1);
    if (m == NULL) return fail_without_space(arena, source_bytes, log->diag);
    m->source = log->source;
    m->source_bytes = log->source_bytes;
    telar_status status = TELAR_OK;
    for (size_t i = 0; i < step_count && status == TELAR_OK; i++) status = steps[i](m, arena, log);
    if (status == TELAR_OK) {
        *module = m;
        return TELAR_OK;
    }
    arena->used = used;
    if (status == TELAR_NO_SPACE) return fail_without_space(arena, source_bytes, log->diag);
    return status;
}

telar_status telar_wgsl_read_report(const char *source, size_t source_bytes, telar_arena *arena,
                                    telar_wgsl_report *report, void *user, telar_wgsl **module, telar_diag *diag)
{
    tl_wgsl_log log = {.source = source, .diag = diag, .report = report, .user = user};
    return read_source(&log, source_bytes, arena, ALL_STEPS, module);
}

telar_status telar_wgsl_read(const char *source, size_t source_bytes, telar_arena *arena, telar_wgsl **module,
                             telar_diag *diag)
{
    return telar_wgsl_read_report(source, source_bytes, arena, NULL, NULL, module, diag);
}

telar_status tl_wgsl_read_syntax(const char *source, size_t source_bytes, telar_arena *arena, telar_wgsl_report *report,
                                 void *user, telar_wgsl **module, telar_diag *diag)
{
    tl_wgsl_log log = {.source = source, .diag = diag, .report = report, .user = user};
    return read_source(&log, source_bytes, arena, SYNTAX_STEPS, module);
}
