/* SPDX-License-Identifier: MIT
 *
 * Checks WGSL files named on standard input, one a line, with nothing given of their launch. Prints a line for each
 * finding: file, line, rule, severity, message, separated by tabs. With the argument --notes notes too. Files, bytes and
 * speed go to standard error. Exit status 1 when a file could not be checked. */
#include <telar/check.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct totals {
    unsigned long files, failures;
    double bytes, seconds;
} totals;

static void *must_alloc(size_t bytes)
{
    void *block = malloc(bytes + 1);
    if (block == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return block;
}

/* Of this process: others may be busy. */
static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
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

static void print_findings(const char *path, const telar_check_result *result, telar_severity least)
{
    for (uint32_t k = 0; k < result->findings_count; k++) {
        const telar_finding *f = &result->findings[k];
        if (f->severity < least) continue;
        printf("%s\t%u\t%s\t%s\t%s\n", path, f->line, f->rule, telar_severity_text(f->severity), f->message);
    }
}

static telar_status check_file(const char *path, telar_severity least, totals *all)
{
    telar_check_desc desc = {0};
    char *text = load(path, &desc.source_bytes);
    if (text == NULL) return TELAR_IO_FAILED;
    desc.source = text;
    size_t arena_bytes = telar_check_arena_bytes(desc.source_bytes);
    void *memory = must_alloc(arena_bytes);
    telar_arena arena = telar_arena_make(memory, arena_bytes);
    telar_check_result result;
    double start = now();
    telar_status status = telar_check(&desc, &arena, &result, NULL);
    all->seconds += now() - start;
    all->bytes += (double)desc.source_bytes;
    if (status == TELAR_OK) print_findings(path, &result, least);
    free(memory);
    free(text);
    return status;
}

int main(int argc, char **argv)
{
    telar_severity least = argc > 1 && strcmp(argv[1], "--notes") == 0 ? TELAR_SEVERITY_NOTE : TELAR_SEVERITY_WARNING;
    char path[4096];
    totals all = {0};
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        telar_status status = check_file(path, least, &all);
        all.files++;
        if (status == TELAR_OK) continue;
        all.failures++;
        fprintf(stderr, "%s: %s\n", path, telar_status_text(status));
    }
    fprintf(stderr, "%lu files, %lu not checked, %.1f MB, %.1f MB/s\n", all.files, all.failures, all.bytes / 1e6,
            all.bytes / 1e6 / (all.seconds > 0 ? all.seconds : 1));
    return all.failures > 0;
}
