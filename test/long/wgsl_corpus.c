/* SPDX-License-Identifier: MIT
 *
 * Reads WGSL files named on standard input, one a line, and checks of each: it is read and reflected without an error;
 * printing, reading and printing again gives the same text; both reads give the same tree. Prints failures and a summary:
 * files, bytes, speed of the reader, arena bytes for each byte of source. Exit status 1 when a file failed. With the
 * argument --syntax the grammar alone is checked. */
#include "wgsl/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct totals {
    unsigned long files, failures;
    double bytes, arena_bytes, seconds, worst_ratio;
} totals;

static bool syntax_only;

static void *must_alloc(size_t bytes)
{
    void *block = malloc(bytes + 1);
    if (block == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return block;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *load(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = must_alloc((size_t)size);
    *bytes = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}

/* Reads with more and more memory; the caller frees arena->data. */
static telar_status read_module(const char *text, size_t bytes, telar_arena *arena, telar_wgsl **module,
                                telar_diag *diag)
{
    size_t cap = telar_wgsl_arena_bytes(bytes);
    for (;;) {
        *arena = telar_arena_make(must_alloc(cap), cap);
        telar_status status = syntax_only ? tl_wgsl_read_syntax(text, bytes, arena, NULL, NULL, module, diag)
                                          : telar_wgsl_read(text, bytes, arena, module, diag);
        if (status != TELAR_NO_SPACE) return status;
        free(arena->data);
        cap = cap * 2 > arena->needed ? cap * 2 : arena->needed;
    }
}

static char *print_module(const telar_wgsl *module, size_t *bytes)
{
    telar_out out = {0};
    telar_wgsl_print(module, &out, NULL);
    char *text = must_alloc(out.len);
    *bytes = out.len;
    out = (telar_out){.data = text, .cap = out.len + 1};
    telar_wgsl_print(module, &out, NULL);
    return text;
}

static bool same_tree(const telar_wgsl *a, const telar_wgsl *b)
{
    if (a->node_count != b->node_count) return false;
    for (uint32_t i = 1; i < a->node_count; i++) {
        const tl_wgsl_node *x = &a->nodes[i];
        const tl_wgsl_node *y = &b->nodes[i];
        if (x->kind != y->kind || x->op != y->op || x->flags != y->flags || x->a != y->a) return false;
    }
    return true;
}

static void show(const char *path, const char *text, size_t bytes, const telar_diag *diag)
{
    char shown[4096];
    telar_out out = {.data = shown, .cap = sizeof shown};
    telar_wgsl_caret(path, text, bytes, diag, &out);
    fputs(shown, stdout);
}

static bool check_print(const char *path, const telar_wgsl *module)
{
    size_t bytes, again_bytes;
    char *text = print_module(module, &bytes);
    telar_arena arena;
    telar_wgsl *reread;
    telar_diag diag = {0};
    bool good = read_module(text, bytes, &arena, &reread, &diag) == TELAR_OK;
    if (!good) {
        printf("%s: what was printed is not read\n", path);
        show("(printed)", text, bytes, &diag);
    } else {
        char *again = print_module(reread, &again_bytes);
        good = bytes == again_bytes && memcmp(text, again, bytes) == 0;
        if (!good) printf("%s: not a fixed point\n", path);
        if (good && !same_tree(module, reread)) {
            printf("%s: printing changed the tree\n", path);
            good = false;
        }
        free(again);
    }
    free(arena.data);
    free(text);
    return good;
}

static bool check_reflection(const char *path, const telar_wgsl *module, size_t bytes)
{
    size_t cap = 4096 + bytes * 16;
    telar_arena arena = telar_arena_make(must_alloc(cap), cap);
    telar_wgsl_reflection reflection;
    telar_diag diag = {0};
    bool good = telar_wgsl_reflect(module, NULL, 0, &arena, &reflection, &diag) == TELAR_OK;
    if (!good) printf("%s: not reflected: %s\n", path, diag.text);
    free(arena.data);
    return good;
}

static bool check_file(const char *path, totals *sum)
{
    size_t bytes;
    char *text = load(path, &bytes);
    if (text == NULL) {
        printf("%s: cannot be opened\n", path);
        return false;
    }
    telar_arena arena;
    telar_wgsl *module;
    telar_diag diag = {0};
    double start = now();
    bool good = read_module(text, bytes, &arena, &module, &diag) == TELAR_OK;
    sum->seconds += now() - start;
    sum->bytes += (double)bytes;
    sum->arena_bytes += (double)arena.used;
    double ratio = bytes > 0 ? (double)arena.used / (double)bytes : 0;
    if (bytes > 1000 && ratio > sum->worst_ratio) sum->worst_ratio = ratio;
    if (!good) show(path, text, bytes, &diag);
    else good = (syntax_only || check_reflection(path, module, bytes)) && check_print(path, module);
    free(arena.data);
    free(text);
    return good;
}

int main(int argc, char **argv)
{
    syntax_only = argc > 1 && strcmp(argv[1], "--syntax") == 0;
    totals sum = {0};
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\r\n")] = '\0';
        if (path[0] == '\0') continue;
        sum.files++;
        if (!check_file(path, &sum)) sum.failures++;
    }
    printf("%lu files, %lu failures, %.2f MB, %.0f MB/s, arena %.1f bytes a byte (at most %.1f)\n", sum.files,
           sum.failures, sum.bytes / 1e6, sum.bytes / 1e6 / (sum.seconds > 0 ? sum.seconds : 1),
           sum.arena_bytes / (sum.bytes > 0 ? sum.bytes : 1), sum.worst_ratio);
    return sum.failures > 0;
}
