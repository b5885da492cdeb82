/* SPDX-License-Identifier: MIT
 *
 * Errors of a source: where a byte offset lies, and how an error is shown with its line and a caret. */
#include "wgsl/module.h"
#include "wgsl/text.h"

#include <string.h>

#define SHOWN_BYTES_BEFORE 120 /* of a long line, around the caret */
#define SHOWN_BYTES_AFTER 60

/* Moves the log's place forward to offset; places before the last one are counted from the start. */
static void count_lines(tl_wgsl_log *log, uint32_t offset)
{
    if (log->last_line == 0 || offset < log->last_offset) {
        log->last_line = 1;
        log->last_offset = 0;
        log->last_line_offset = 0;
    }
    const char *end = log->source + log->source_bytes;
    uint32_t at = log->last_offset;
    while (at < offset) {
        uint32_t bytes = tl_line_break(log->source + at, end);
        if (bytes == 0) {
            at++;
            continue;
        }
        if (at + bytes > offset) break;
        at += bytes;
        log->last_line++;
        log->last_line_offset = at;
    }
    log->last_offset = at;
}

telar_status tl_wgsl_error(tl_wgsl_log *log, uint32_t offset, const char *format, ...)
{
    if (log->error_count >= TELAR_WGSL_MAX_REPORTS) return TELAR_INVALID_WGSL;
    log->error_count++;
    telar_diag local;
    telar_diag *diag = log->error_count == 1 && log->diag != NULL ? log->diag : &local;
    if (diag == &local && log->report == NULL) return TELAR_INVALID_WGSL;

    diag->status = TELAR_INVALID_WGSL;
    diag->got = 0;
    diag->limit = 0;
    telar_out out = {.data = diag->text, .cap = sizeof diag->text};
    va_list args;
    va_start(args, format);
    tl_out_vformat(&out, format, args);
    va_end(args);
    if (telar_out_status(&out) != TELAR_OK) memcpy(diag->text + sizeof diag->text - 4, "...", 4);
    count_lines(log, offset);
    diag->offset = offset;
    diag->line = log->last_line;
    diag->column = offset - log->last_line_offset + 1;
    if (log->report != NULL) log->report(log->user, diag);
    return TELAR_INVALID_WGSL;
}

/* ---- Caret ------------------------------------------------------------------------------------------------------- */

static const struct column_range {
    uint32_t first;
    uint32_t last;
    uint32_t columns;
} column_ranges[] = {
    {0x0300, 0x036F, 0}, {0x200B, 0x200F, 0}, {0xFE00, 0xFE0F, 0},   {0x1100, 0x115F, 2},
    {0x2E80, 0xA4CF, 2}, {0xAC00, 0xD7A3, 2}, {0xF900, 0xFAFF, 2},   {0xFE30, 0xFE6F, 2},
    {0xFF00, 0xFF60, 2}, {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1F64F, 2}, {0x20000, 0x3FFFD, 2},
};

/* Columns that a terminal gives to a code point. */
static uint32_t columns_of(uint32_t code)
{
    for (size_t i = 0; i < TL_COUNT(column_ranges); i++) {
        if (code >= column_ranges[i].first && code <= column_ranges[i].last) { return column_ranges[i].columns; }
    }
    return 1;
}

/* Writes the text so that a terminal stays safe: control bytes and broken UTF-8 become '?', a tab stays. */
static void write_shown(telar_out *out, const char *at, const char *end)
{
    while (at < end) {
        uint32_t code = 0;
        uint32_t bytes = tl_utf8_decode(at, end, &code);
        bool plain = bytes != 0 && (code >= 0x20 || code == '\t') && (code < 0x7F || code > 0x9F);
        if (bytes == 0) bytes = 1;
        if (plain) tl_out_bytes(out, at, bytes);
        else tl_out_bytes(out, "?", 1);
        at += bytes;
    }
}

static void write_padding(telar_out *out, const char *at, const char *end)
{
    while (at < end) {
        uint32_t code = ' ';
        uint32_t bytes = tl_utf8_decode(at, end, &code);
        if (bytes == 0) bytes = 1;
        if (code == '\t') tl_out_bytes(out, "\t", 1);
        else tl_out_bytes(out, "  ", columns_of(code));
        at += bytes;
    }
}

static bool is_continuation(char c)
{
    return (c & 0xC0) == 0x80;
}

/* The line around the place and the caret under it; a long line is cut on both sides. */
static void write_line(telar_out *out, const char *source, size_t source_bytes, size_t offset, size_t line_start)
{
    const char *end = source + source_bytes;
    const char *place = source + offset;
    const char *first = source + line_start;
    bool cut = place - first > SHOWN_BYTES_BEFORE;
    if (cut) {
        first = place - SHOWN_BYTES_BEFORE;
        while (first < place && is_continuation(*first)) first++;
    }
    const char *last = place;
    while (last < end && tl_line_break(last, end) == 0 && last - place < SHOWN_BYTES_AFTER) last++;
    while (last < end && last > place && is_continuation(*last)) last--;

    if (cut) tl_out_text(out, "...");
    write_shown(out, first, last);
    tl_out_text(out, "\n");
    if (cut) tl_out_text(out, "   ");
    write_padding(out, first, place);
    tl_out_text(out, "^\n");
}

telar_status telar_wgsl_caret(const char *file, const char *source, size_t source_bytes, const telar_diag *diag,
                              telar_out *out)
{
    bool placed = diag->line != 0 && diag->column != 0;
    tl_out_text(out, file);
    if (placed) tl_out_format(out, ":%u:%u", diag->line, diag->column);
    tl_out_format(out, ": error: %s\n", diag->text);
    if (placed && diag->offset <= source_bytes && diag->column - 1 <= diag->offset) {
        size_t offset = (size_t)diag->offset;
        write_line(out, source, source_bytes, offset, offset - (diag->column - 1));
    }
    return telar_out_status(out);
}
