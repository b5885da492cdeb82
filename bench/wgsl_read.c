/* SPDX-License-Identifier: MIT
 *
 * Speed and memory of the WGSL reader. Arguments: files; each is read by itself, then all together repeated to 64 MiB.
 * Prints MB/s (best of several runs) of lexing alone, of the grammar, of the whole reader; arena bytes a byte. */
#include "wgsl/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 5
#define LONGEST_FILE ((size_t)64 << 20)

typedef telar_status reader(const char *text, size_t bytes, telar_arena *arena);

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static telar_status lex_only(const char *text, size_t bytes, telar_arena *arena)
{
    telar_wgsl m = {.source = text, .source_bytes = (uint32_t)bytes};
    tl_wgsl_log log = {.source = text, .source_bytes = (uint32_t)bytes};
    return tl_wgsl_lex(&m, arena, &log);
}

static telar_status grammar(const char *text, size_t bytes, telar_arena *arena)
{
    telar_wgsl *module;
    return tl_wgsl_read_syntax(text, bytes, arena, NULL, NULL, &module, NULL);
}

static telar_status whole(const char *text, size_t bytes, telar_arena *arena)
{
    telar_wgsl *module;
    return telar_wgsl_read(text, bytes, arena, &module, NULL);
}

/* Best MB/s of some runs; *used is what the arena held. */
static double speed(reader *read, const char *text, size_t bytes, telar_arena *arena, size_t *used)
{
    double best = 0;
    *used = 0;
    for (int run = 0; run < RUNS; run++) {
        arena->used = 0;
        double start = now();
        if (read(text, bytes, arena) != TELAR_OK) return 0;
        double rate = (double)bytes / 1e6 / (now() - start);
        if (rate > best) best = rate;
        *used = arena->used;
    }
    return best;
}

static void measure(const char *name, const char *text, size_t bytes)
{
    if (bytes == 0) return;
    size_t cap = telar_wgsl_arena_bytes(bytes);
    telar_arena arena = telar_arena_make(malloc(cap), cap);
    if (arena.data == NULL) return;
    memset(arena.data, 0, cap); /* so that no run pays for the first touch of a page */
    size_t lexed, parsed, resolved;
    double lex = speed(lex_only, text, bytes, &arena, &lexed);
    double parse = speed(grammar, text, bytes, &arena, &parsed);
    double all = speed(whole, text, bytes, &arena, &resolved);
    double n = (double)bytes;
    printf("%-40s %10zu bytes: lex %5.0f, grammar %5.0f, all %5.0f MB/s; arena %4.1f, %4.1f, %4.1f\n", name, bytes, lex,
           parse, all, (double)lexed / n, (double)parsed / n, (double)resolved / n);
    free(arena.data);
}

static char *load(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char *text = malloc(LONGEST_FILE);
    *bytes = text == NULL ? 0 : fread(text, 1, LONGEST_FILE, file);
    (void)fclose(file);
    return text;
}

/* The file over and over up to 64 MiB; the names collide, which the grammar does not mind. */
static void measure_repeated(const char *text, size_t bytes)
{
    size_t copies = bytes < LONGEST_FILE ? ((size_t)64 << 20) / (bytes + 1) : 0;
    if (copies == 0) return;
    char *long_text = malloc(copies * (bytes + 1));
    if (long_text == NULL) return;
    for (size_t i = 0; i < copies; i++) {
        memcpy(long_text + i * (bytes + 1), text, bytes);
        long_text[i * (bytes + 1) + bytes] = '\n';
    }
    measure("(the last one repeated)", long_text, copies * (bytes + 1));
    free(long_text);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        puts("usage: wgsl_read FILE...");
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        size_t bytes;
        char *text = load(argv[i], &bytes);
        if (text == NULL || bytes == 0) {
            printf("%s: cannot be read\n", argv[i]);
            free(text);
            return 2;
        }
        measure(argv[i], text, bytes);
        if (i == argc - 1) measure_repeated(text, bytes);
        free(text);
    }
    return 0;
}
