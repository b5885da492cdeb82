/* SPDX-License-Identifier: MIT
 *
 * usage: uniformity FOLDER
 *
 * Compares the uniformity analysis with the verdicts of FOLDER/verdicts.tsv (uniformity_shaders.py): one line for each file
 * that is judged differently, then a summary. A file that cannot be read is rejected. Exit status 1 on a difference. */
#include "wgsl/uniformity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *load(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    *bytes = text != NULL ? fread(text, 1, (size_t)size, file) : 0;
    (void)fclose(file);
    return text;
}

static const char *verdict_of_module(const telar_wgsl *module, telar_arena *arena)
{
    tl_uniformity found;
    tl_uniformity_analyze(module, true, arena, &found);
    if (!found.complete) return "incomplete";
    bool accept = found.endless == 0;
    for (const tl_uniformity_violation *v = found.violations; v != NULL; v = v->next) {
        accept &= v->severity != TL_UNIFORMITY_ERROR;
    }
    return accept ? "accept" : "reject";
}

static const char *verdict_of(const char *path, telar_diag *diag)
{
    size_t bytes;
    char *text = load(path, &bytes);
    if (text == NULL) return "missing";
    size_t cap = telar_wgsl_arena_bytes(bytes) + 64 * bytes + ((size_t)1 << 20);
    telar_arena arena = telar_arena_make(malloc(cap), cap);
    telar_wgsl *module;
    const char *verdict = "reject";
    if (telar_wgsl_read(text, bytes, &arena, &module, diag) == TELAR_OK) verdict = verdict_of_module(module, &arena);
    free(arena.data);
    free(text);
    return verdict;
}

int main(int argc, char **argv)
{
    char path[4096], line[1024];
    (void)snprintf(path, sizeof path, "%s/verdicts.tsv", argc > 1 ? argv[1] : "");
    FILE *verdicts = fopen(path, "r");
    if (verdicts == NULL) {
        (void)fprintf(stderr, "%s cannot be opened\n", path);
        return 2;
    }
    unsigned files = 0, differences = 0;
    while (fgets(line, sizeof line, verdicts) != NULL) {
        char *expected = strchr(line, '\t');
        if (expected == NULL) continue;
        *expected++ = '\0';
        expected[strcspn(expected, "\n")] = '\0';
        telar_diag diag = {0};
        (void)snprintf(path, sizeof path, "%s/%s", argv[1], line);
        const char *found = verdict_of(path, &diag);
        files++;
        if (strcmp(found, expected) == 0) continue;
        differences++;
        (void)printf("%s: Tint says %s, Telar %s %s\n", line, expected, found, diag.text);
    }
    (void)fclose(verdicts);
    (void)printf("%u files, %u judged differently\n", files, differences);
    return differences > 0 ? 1 : 0;
}
