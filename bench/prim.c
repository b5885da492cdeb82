/* SPDX-License-Identifier: MIT
 *
 * usage: prim [OPTION ...]     (TELAR_WEBGPU names the library)
 *
 *   --only TEXT            problems whose name holds TEXT (again: one of the texts)
 *   --way TEXT             ways whose name holds TEXT; those called "tune ..." are left out unless they are asked for
 *   --count N              elements (again: each of them); default 1Mi 16Mi 256Mi, on a CPU adapter 64Ki 1Mi
 *   --companion NAME=COMMAND   a program that takes its turn: CUB, Gridwise, NumPy (bench/harness/bench.h)
 *   --rounds N --set-ms MS --warm-ms MS --repeats N    how it is measured; default 5, 12, 100, at most 500
 *   --checked              Telar's kernels with bounds checks
 *   --as-gpu               a CPU adapter is taken for a GPU: tests the kernels that one would get
 *   --json FILE            archive of the results
 *   --compare FILE         rows beside those of an older archive
 *   --fail-if-slower P%    with --compare: exit status 1 when a way is slower by more than P %
 *   --list                 problems and ways
 *
 * Exit status: 0; 1 for wrong results, or slower ones; 2 for bad usage or files; 3 for a device that is missing or lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "cases/cases.h"
#include "harness/bench.h"
#include "io/file.h"
#include "io/quantity.h"

enum {
    TEXTS_MAX = 16,
    COUNTS_MAX = 16,
    COUNT_MAX = 1 << 30
};

typedef struct texts {
    const char *items[TEXTS_MAX];
    uint32_t count;
} texts;

typedef struct options {
    texts only, ways, companions;
    uint64_t counts[COUNTS_MAX];
    uint32_t counts_count;
    bench_settings settings;
    const char *json, *compare;
    double slower_part; /* below 0: not asked for */
    bool list;
} options;

/* ---- Options ----------------------------------------------------------------------------------------------------- */

static telar_status take_text(texts *list, const char *value, telar_diag *diag)
{
    if (list->count == TEXTS_MAX) return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "more than %d texts", TEXTS_MAX);
    list->items[list->count++] = value;
    return TELAR_OK;
}

static telar_status take_count(options *o, const char *value, telar_diag *diag)
{
    if (o->counts_count == COUNTS_MAX) return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "more than %d counts", COUNTS_MAX);
    return tl_number_u64("--count", tl_str_of(value), 1, COUNT_MAX, &o->counts[o->counts_count++], diag);
}

static telar_status take_part(double *part, const char *value, telar_diag *diag)
{
    tl_str text = tl_str_of(value);
    if (text.len > 0 && text.data[text.len - 1] == '%') text.len--;
    TELAR_TRY(tl_number_f64("--fail-if-slower", text, part, diag));
    *part /= 100;
    return TELAR_OK;
}

static telar_status take_u32(const char *name, const char *value, uint32_t max, uint32_t *to, telar_diag *diag)
{
    uint64_t number;
    TELAR_TRY(tl_number_u64(name, tl_str_of(value), 1, max, &number, diag));
    *to = (uint32_t)number;
    return TELAR_OK;
}

static telar_status take(options *o, const char *name, const char *value, telar_diag *diag)
{
    bench_settings *s = &o->settings;
    if (strcmp(name, "--only") == 0) return take_text(&o->only, value, diag);
    if (strcmp(name, "--way") == 0) return take_text(&o->ways, value, diag);
    if (strcmp(name, "--companion") == 0) return take_text(&o->companions, value, diag);
    if (strcmp(name, "--count") == 0) return take_count(o, value, diag);
    if (strcmp(name, "--rounds") == 0) return take_u32(name, value, BENCH_ROUNDS_MAX, &s->rounds, diag);
    if (strcmp(name, "--repeats") == 0) return take_u32(name, value, 10000, &s->repeats_max, diag);
    if (strcmp(name, "--set-ms") == 0) return tl_number_f64(name, tl_str_of(value), &s->set_ms, diag);
    if (strcmp(name, "--warm-ms") == 0) return tl_number_f64(name, tl_str_of(value), &s->warm_ms, diag);
    if (strcmp(name, "--fail-if-slower") == 0) return take_part(&o->slower_part, value, diag);
    if (strcmp(name, "--json") == 0) o->json = value;
    else if (strcmp(name, "--compare") == 0) o->compare = value;
    else return tl_fail(diag, TELAR_INVALID_ARGUMENT, "there is no option %s", name);
    return TELAR_OK;
}

static telar_status parse(int argc, char **argv, options *o, telar_diag *diag)
{
    *o = (options){.slower_part = -1};
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--checked") == 0) {
            o->settings.checked = true;
        } else if (strcmp(argv[k], "--as-gpu") == 0) {
            o->settings.as_gpu = true;
        } else if (strcmp(argv[k], "--list") == 0) {
            o->list = true;
        } else if (k + 1 == argc) {
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s: there is no such option, or its value is missing",
                           argv[k]);
        } else {
            TELAR_TRY(take(o, argv[k], argv[k + 1], diag));
            k++;
        }
    }
    if (o->slower_part >= 0 && o->compare == NULL) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--fail-if-slower: --compare names the archive to compare with");
    }
    return TELAR_OK;
}

/* ---- What is measured -------------------------------------------------------------------------------------------- */

static bool holds(const texts *list, const char *name)
{
    for (uint32_t k = 0; k < list->count; k++) {
        if (strstr(name, list->items[k]) != NULL) return true;
    }
    return list->count == 0;
}

/* Ways called "tune ..." look for better numbers: only when they are asked for. */
static bool wants_way(const options *o, const char *name)
{
    return holds(&o->ways, name) && (o->ways.count > 0 || strncmp(name, "tune ", 5) != 0);
}

static bool is_first_of_problem(const bench_way *list, const bench_way *way)
{
    for (const bench_way *at = list; at != way; at++) {
        if (at->problem == way->problem) return false;
    }
    return true;
}

/* The wanted ways of the problem that ways[0] has, wherever they stand, as many as there is room for. */
static uint32_t ways_of_problem(const options *o, const bench_way *ways, const bench_way **chosen)
{
    uint32_t count = 0;
    for (const bench_way *way = ways; way->name != NULL; way++) {
        if (way->problem != ways->problem || !wants_way(o, way->name)) continue;
        if (count < BENCH_WAYS_MAX) chosen[count++] = way;
        else fprintf(stderr, "prim: %s: no room for %s; --way chooses\n", way->problem->name, way->name);
    }
    return count;
}

static void list_all(const options *o)
{
    for (const bench_way *const *list = bench_all_ways; *list != NULL; list++) {
        for (const bench_way *way = *list; way->name != NULL; way++) {
            if (holds(&o->only, way->problem->name)) printf("%-28s %s\n", way->problem->name, way->name);
        }
    }
}

static void default_counts(options *o, const telar_host *host)
{
    static const uint64_t gpu[] = {1 << 20, 1 << 24, 1 << 28}, cpu[] = {1 << 16, 1 << 20};
    if (o->counts_count > 0) return;
    bool slow = telar_host_facts(host)->type == TELAR_DEVICE_CPU;
    o->counts_count = slow ? TL_COUNT(cpu) : TL_COUNT(gpu);
    memcpy(o->counts, slow ? cpu : gpu, o->counts_count * sizeof *o->counts);
}

static telar_status run_problem(bench *b, const options *o, const bench_way *ways, telar_diag *diag)
{
    const bench_way *chosen[BENCH_WAYS_MAX];
    const bench_problem *problem = ways->problem;
    uint32_t count = ways_of_problem(o, ways, chosen);
    for (uint32_t k = 0; k < o->counts_count && count > 0; k++) {
        uint64_t n = o->counts[k] * (problem->scale == 0 ? 1 : problem->scale);
        fprintf(stderr, "%s, n = %llu\n", problem->name, (unsigned long long)n);
        TELAR_TRY(bench_run(b, chosen, count, n, diag));
    }
    return TELAR_OK;
}

static telar_status run_all(bench *b, const options *o, telar_diag *diag)
{
    for (const bench_way *const *list = bench_all_ways; *list != NULL; list++) {
        for (const bench_way *way = *list; way->name != NULL; way++) {
            if (!is_first_of_problem(*list, way) || !holds(&o->only, way->problem->name)) continue;
            TELAR_TRY(run_problem(b, o, way, diag));
            /* A machine that is lent for minutes may end the program before its last problem. */
            if (o->json != NULL) TELAR_TRY(bench_archive_write(&b->results, o->json, diag));
        }
    }
    return TELAR_OK;
}

static telar_status start_companions(bench *b, const options *o, telar_diag *diag)
{
    for (uint32_t k = 0; k < o->companions.count; k++) {
        char name[BENCH_NAME_BYTES];
        const char *text = o->companions.items[k], *equals = strchr(text, '=');
        if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof name) {
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--companion: '%s' is not NAME=COMMAND", text);
        }
        memcpy(name, text, (size_t)(equals - text));
        name[equals - text] = 0;
        TELAR_TRY(bench_companion_start(b, name, equals + 1, diag));
    }
    return TELAR_OK;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static bool all_right(const bench_results *results)
{
    for (size_t k = 0; k < results->count; k++) {
        bench_verdict verdict = results->items[k].verdict;
        if (verdict == BENCH_WRONG || (verdict == BENCH_FAILED && results->items[k].clock != BENCH_CLOCK_COMPANION)) {
            return false;
        }
    }
    return true;
}

static telar_status report(const bench_results *results, const bench_results *old, const options *o, bool *good,
                           telar_diag *diag)
{
    bench_print(results, stdout);
    *good = all_right(results);
    if (o->compare != NULL) {
        uint32_t slower = bench_compare(results, old, o->slower_part < 0 ? 0.05 : o->slower_part, stdout);
        *good = *good && (o->slower_part < 0 || slower == 0);
    }
    return o->json == NULL ? TELAR_OK : bench_archive_write(results, o->json, diag);
}

static int fail(telar_status status, const telar_diag *diag)
{
    fprintf(stderr, "prim: %s: %s\n", telar_status_text(status), diag->text);
    bool device = status == TELAR_NO_LIBRARY || status == TELAR_NO_DEVICE || status == TELAR_DEVICE_LOST ||
                  status == TELAR_TIMED_OUT;
    return device ? 3 : 2;
}

static telar_status measure(telar_host *host, options *o, bool *good, telar_diag *diag)
{
    bench b;
    bench_results old = {0};
    if (o->compare != NULL) TELAR_TRY(bench_archive_read(o->compare, &old, diag));
    bench_open(&b, host, &o->settings);
    time_t now = time(NULL);
    strftime(b.results.environment.date, sizeof b.results.environment.date, "%Y-%m-%d", gmtime(&now));
    default_counts(o, host);
    telar_status status = start_companions(&b, o, diag);
    if (status == TELAR_OK) status = run_all(&b, o, diag);
    /* What was measured before a device was lost is worth its time. */
    if (status == TELAR_OK || b.results.count > 0) {
        telar_diag unheard;
        telar_status reported = report(&b.results, &old, o, good, status == TELAR_OK ? diag : &unheard);
        if (status == TELAR_OK) status = reported;
    }
    bench_close(&b);
    bench_results_free(&old);
    return status;
}

int main(int argc, char **argv)
{
    telar_diag diag = {0};
    telar_webgpu webgpu;
    telar_host *host;
    options o;
    bool good = false;
    tl_file_guard(); /* a companion that ends is an error of a write */
    telar_status status = parse(argc, argv, &o, &diag);
    if (status != TELAR_OK) return fail(status, &diag);
    if (o.list) {
        list_all(&o);
        return 0;
    }
    status = telar_webgpu_load(NULL, &webgpu, &diag);
    if (status != TELAR_OK) return fail(status, &diag);
    status = telar_host_open(&(telar_host_desc){.webgpu = &webgpu, .trusted_modules = true}, &host, &diag);
    if (status == TELAR_OK) {
        status = measure(host, &o, &good, &diag);
        telar_host_close(host);
    }
    telar_webgpu_unload(&webgpu);
    return status != TELAR_OK ? fail(status, &diag) : good ? 0 : 1;
}
