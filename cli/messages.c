/* SPDX-License-Identifier: MIT
 *
 * Errors, notices, exit statuses, language, and the nearest name to one that does not exist. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

telar_language tl_language_of_locale(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t k = 0; k < TL_COUNT(variables); k++) {
        const char *value = getenv(variables[k]);
        if (value == NULL || value[0] == 0) continue;
        bool spanish = strncmp(value, "es", 2) == 0 && strchr("_.@", value[2]) != NULL;
        return spanish ? TELAR_SPANISH : TELAR_ENGLISH;
    }
    return TELAR_ENGLISH;
}

static void say(const char *format, va_list args)
{
    fflush(stdout);
    fputs("telar: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int tl_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    return TL_EXIT_INPUT;
}

void tl_notice(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

/* Everything that is not in this table is bad input. */
static const struct {
    telar_status status;
    int exit;
} exits[] = {
    {TELAR_OK, TL_EXIT_DONE},          {TELAR_MISMATCH, TL_EXIT_FINDINGS},  {TELAR_NO_LIBRARY, TL_EXIT_DEVICE},
    {TELAR_NO_DEVICE, TL_EXIT_DEVICE}, {TELAR_DEVICE_LOST, TL_EXIT_DEVICE}, {TELAR_TIMED_OUT, TL_EXIT_DEVICE},
};

int tl_exit_of_status(telar_status status)
{
    for (size_t k = 0; k < TL_COUNT(exits); k++) {
        if (exits[k].status == status) return exits[k].exit;
    }
    return TL_EXIT_INPUT;
}

int tl_report(telar_status status, const telar_diag *diag)
{
    bool has_text = diag != NULL && diag->text[0] != 0;
    tl_error("%s", has_text ? diag->text : telar_status_text(status));
    return tl_exit_of_status(status);
}

#define NAME_MAX_BYTES 64

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits between two names (a letter changed, added, left out, two swapped) in halves: letters' case counts half. */
static size_t distance(const char *a, const char *b)
{
    size_t width = strlen(b), rows[3][NAME_MAX_BYTES + 1];
    if (width > NAME_MAX_BYTES) return SIZE_MAX;
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= width; j++) last[j] = 2 * j;
    for (size_t i = 0; a[i] != 0; i++) {
        row[0] = 2 * (i + 1);
        for (size_t j = 0; j < width; j++) {
            size_t change = a[i] == b[j] ? 0 : (a[i] ^ b[j]) == 0x20 ? 1 : 2;
            row[j + 1] = least_of(last[j] + change, least_of(last[j + 1], row[j]) + 2);
            bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if (swapped) row[j + 1] = least_of(row[j + 1], before[j - 1] + 2);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[width];
}

const char *tl_nearest(const char *text, const char *const *names, size_t count)
{
    if (strlen(text) > NAME_MAX_BYTES) return NULL;
    const char *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t k = 0; k < count; k++) {
        size_t edits = distance(text, names[k]);
        if (edits >= least) continue;
        least = edits;
        best = names[k];
    }
    size_t len = strlen(text);
    size_t allowed = len <= 1 ? 1 : len <= 3 ? 2 : len <= 8 ? 4 : 6;
    return least <= allowed ? best : NULL;
}
