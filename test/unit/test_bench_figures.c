/* SPDX-License-Identifier: MIT
 *
 * What benches say of times that are written down here: median, spread, noise, which of two is faster, and what an archive
 * keeps of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"
#include "cases/cases.h"

/* ---- Figures ----------------------------------------------------------------------------------------------------- */

static bench_result of_rounds(uint32_t rounds, const double *ns)
{
    bench_result result = {.problem = "p", .way = "w", .n = 8, .rounds = rounds};
    memcpy(result.ns, ns, rounds * sizeof *ns);
    bench_result_sum_up(&result);
    return result;
}
#define OF(...) of_rounds(TL_COUNT(((double[]){__VA_ARGS__})), (const double[]){__VA_ARGS__})

static void figures(void **state)
{
    (void)state;
    /* Of five rounds one that other work disturbed: in the spread and in the noise, not in the median. */
    bench_result result = OF(100, 102, 180, 101, 99);
    assert_true(result.median_ns == 101);
    assert_true(result.spread > 0.80 && result.spread < 0.81);
    assert_true(result.noise > 0.78 && result.noise < 0.79); /* 2, 2, 78, 79: 79 of 101 */
    /* One of twelve: no longer in the noise. */
    result = OF(100, 102, 100, 101, 101, 180, 101, 102, 101, 100, 101, 101);
    assert_true(result.noise > 0.0198 && result.noise < 0.0199); /* 0, 0, 1, 1, 1, 1, 1, 2, 2, 79, 79: 2 of 101 */
    /* A card that grows warm: far apart in all, near from one round to the next. */
    result = OF(100, 101, 102, 103, 104, 105);
    assert_true(result.median_ns == 102.5);
    assert_true(result.spread > 0.048 && result.noise < 0.01);
    result = OF(100, 110);
    assert_true(result.noise == result.spread && result.noise > 0.095);
    result = OF(7);
    assert_true(result.median_ns == 7 && result.spread == 0 && result.noise < 0);
    result = (bench_result){0};
    bench_result_sum_up(&result);
    assert_true(result.median_ns == 0 && result.noise < 0);
}

static void share_of_copy(void **state)
{
    (void)state;
    bench_result result = OF(100, 100);
    assert_true(bench_share_of_copy(&result) == 0);
    result.copy_ns = 80;
    assert_true(bench_share_of_copy(&result) == 0.8);
    result.median_ns = 0;
    assert_true(bench_share_of_copy(&result) == 0);
}

static void differences(void **state)
{
    (void)state;
    const bench_result quiet = OF(100, 101, 100, 101, 100), noisy = OF(70, 130, 100, 130, 70);
    const bench_result slow = OF(110, 111, 110, 111, 110), once = OF(200);
    bench_result absent = {0};
    bench_result_sum_up(&absent);
    const struct {
        const bench_result *now, *before;
        bench_change change;
    } rows[] = {{&quiet, &quiet, BENCH_SAME},     {&slow, &quiet, BENCH_SLOWER},    {&quiet, &slow, BENCH_FASTER},
                {&slow, &noisy, BENCH_SAME},      {&noisy, &slow, BENCH_SAME},      {&once, &quiet, BENCH_UNKNOWN},
                {&quiet, &once, BENCH_UNKNOWN},   {&absent, &quiet, BENCH_UNKNOWN}, {&quiet, &absent, BENCH_UNKNOWN},
                {&absent, &absent, BENCH_UNKNOWN}};
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        assert_int_equal(bench_differ(rows[k].now, rows[k].before).change, rows[k].change);
    }
    bench_difference difference = bench_differ(&slow, &quiet);
    assert_true(difference.ratio == 1.1);
    assert_true(difference.noise > 0.0191 && difference.noise < 0.0192); /* 1 of 100, and 1 of 110 */
    assert_true(bench_differ(&absent, &quiet).ratio == 0);
}

/* ---- Archives ---------------------------------------------------------------------------------------------------- */

typedef struct text_file {
    char path[32];
} text_file;

static text_file written(const char *text)
{
    text_file file = {"/tmp/telar_figures_XXXXXX"};
    int fd = mkstemp(file.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
    return file;
}

#define ENVIRONMENT                                                                                                    \
    "{\"adapter\": \"a\", \"driver\": \"d\", \"implementation\": \"i\", \"quantum_ns\": 1.0, \"rounds\": 3, "          \
    "\"set_ms\": 12.0, \"warm_ms\": 100.0, \"checked\": true, \"date\": \"2026-11-30\"}"
#define ARCHIVE(version, results)                                                                                      \
    "{\"format\": \"telar-bench\", \"version\": " version ", \"environment\": " ENVIRONMENT ", \"results\": [" results \
    "]}"
#define RESULT(clock, verdict, rounds)                                                                                 \
    "{\"problem\": \"p\", \"way\": \"w\", \"n\": 8, \"bytes\": 64.0, \"clock\": " clock ", \"verdict\": " verdict      \
    ", \"text\": \"why\", \"dispatches\": 2, \"repeats\": 9, \"copy_ns\": 50.0, \"rounds_ns\": " rounds "}"

static void archives_of_both_versions(void **state)
{
    static const char *const texts[] = {
        ARCHIVE("1", RESULT("2", "1", "[100.0, 101.0, 103.0]")),
        ARCHIVE("2", RESULT("\"companion\"", "\"unchecked\"", "[100.0, 101.0, 103.0]"))};
    (void)state;
    telar_diag diag = {0};
    for (size_t k = 0; k < TL_COUNT(texts); k++) {
        bench_results read;
        text_file file = written(texts[k]);
        assert_int_equal(bench_archive_read(file.path, &read, &diag), TELAR_OK);
        assert_int_equal(read.count, 1);
        const bench_result *result = &read.items[0];
        assert_int_equal(result->clock, BENCH_CLOCK_COMPANION);
        assert_int_equal(result->verdict, BENCH_UNCHECKED);
        assert_true(result->median_ns == 101 && result->noise > 0.0198 && result->noise < 0.0199);
        assert_true(read.environment.checked && !read.environment.tuned);
        bench_results_free(&read);
        (void)remove(file.path);
    }
}

static void archives_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"format\": \"telar-bench\", \"version\": 2, \"environment\": {}, \"results\": []}",
        ARCHIVE("3", RESULT("0", "0", "[1.0]")),              /* of a later version */
        ARCHIVE("2", RESULT("3", "0", "[1.0]")),              /* no such clock */
        ARCHIVE("2", RESULT("-1", "0", "[1.0]")),             /* no such clock */
        ARCHIVE("2", RESULT("\"gpu\"", "\"fine\"", "[1.0]")), /* no such verdict */
        ARCHIVE("2", RESULT("null", "0", "[1.0]")),           /* neither name nor number */
        ARCHIVE("2", RESULT("0", "0", "[1.0, 0.0]")),         /* no time at all */
        ARCHIVE("2", RESULT("0", "0", "[\"1\"]")),            /* no number */
        ARCHIVE("2", RESULT("0", "0", "7")),                  /* no list */
        ARCHIVE("2", "{}"),                                   /* no result */
    };
    (void)state;
    for (size_t k = 0; k < TL_COUNT(texts); k++) {
        telar_diag diag = {0};
        bench_results read;
        text_file file = written(texts[k]);
        assert_int_equal(bench_archive_read(file.path, &read, &diag), TELAR_INVALID_DATA);
        assert_null(read.items);
        (void)remove(file.path);
    }
    bench_results read;
    assert_int_equal(bench_archive_read("/nowhere/at/all", &read, NULL), TELAR_IO_FAILED);
}

/* ---- The list of cases ------------------------------------------------------------------------------------------- */

/* By problems and their ways each way is met once; a problem's name, scale and n tell it from all others. */
static void every_way_once(void **state)
{
    (void)state;
    size_t listed = 0, met = 0;
    for (const bench_way *const *list = bench_all_ways; *list != NULL; list++) {
        for (const bench_way *way = *list; way->name != NULL; way++) listed++;
    }
    for (const bench_problem *problem = NULL; (problem = bench_next_problem(problem)) != NULL;) {
        const bench_way *first = bench_next_way(problem, NULL);
        assert_non_null(first);
        assert_false(bench_is_candidate(first));
        for (const bench_way *way = NULL; (way = bench_next_way(problem, way)) != NULL;) {
            assert_ptr_equal(way->problem, problem);
            met++;
        }
        for (const bench_problem *other = problem; (other = bench_next_problem(other)) != NULL;) {
            assert_string_not_equal(other->name, problem->name);
        }
    }
    assert_int_equal(met, listed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),          cmocka_unit_test(share_of_copy),
        cmocka_unit_test(differences),      cmocka_unit_test(archives_of_both_versions),
        cmocka_unit_test(archives_refused), cmocka_unit_test(every_way_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
