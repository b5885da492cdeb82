/* SPDX-License-Identifier: MIT
 *
 * usage: uniformity FOLDER
 *
 * Compares what the checker says of uniformity with the verdicts of FOLDER/verdicts.tsv (uniformity_shaders.py): one line
 * for each file that is judged differently, then a summary. Exit status 1 on a difference. */
#include <telar/check.h>

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

/* Errors of the rules that Tint's resolver has: what is no valid WGSL, and what its uniformity analysis refuses. */
static bool is_rejected(const telar_check_result *result)
{
    for (uint32_t k = 0; k < result->findings_count; k++) {
        const telar_finding *f = &result->findings[k];
        bool judged = strcmp(f->rule, "wgsl") == 0 || strncmp(f->rule, "nonuniform-", 11) == 0;
        if (judged && f->severity == TELAR_SEVERITY_ERROR) return true;
    }
    return false;
}

static const char *verdict_of(const char *path, telar_diag *diag)
{
    telar_check_desc desc = {0};
    char *text = load(path, &desc.source_bytes);
    if (text == NULL) return "missing";
    desc.source = text;
    size_t cap = telar_check_arena_bytes(desc.source_bytes);
    telar_arena arena = telar_arena_make(malloc(cap), cap);
    telar_check_result result;
    const char *verdict = "unknown";
    if (telar_check(&desc, &arena, &result, diag) == TELAR_OK) verdict = is_rejected(&result) ? "reject" : "accept";
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
