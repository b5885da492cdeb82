/* SPDX-License-Identifier: MIT
 *
 * The measuring harness: what it takes for right, what for wrong, what it keeps and compares. No time is asserted. */
#include "host_help.h"

#include <signal.h>
#include <unistd.h>

#include "base/base.h"
#include "cases/cases.h"
#include "harness/case.h"

static const bench_settings quick = {.rounds = 2, .set_ms = 0.01, .warm_ms = 0.01, .repeats_max = 3};

/* ---- A problem of our own: d[i] = s[i] + 1, and ways that do, do not, and cannot --------------------------------- */

static void plus_one_reference(bench_data *data)
{
    for (uint64_t k = 0; k < data->n; k++) data->outputs[0][k] = data->inputs[0][k] + 1;
}

static const bench_problem plus_one = {
    .name = "plus one",
    .bytes = 8,
    .inputs = {{"s", bench_fill_hash, NULL}},
    .outputs = {{"d", NULL}},
    .reference = plus_one_reference,
};

#define PLUS(text)                                                                                                     \
    "@group(0) @binding(0) var<storage, read> s: array<u32>;\n"                                                        \
    "@group(0) @binding(1) var<storage, read_write> d: array<u32>;\n"                                                  \
    "fn element(i: u32) { " text " }\n"

static telar_status record_text(bench_recorder *recorder, telar_diag *why)
{
    const telar_bind binds[] = {{.buffer = recorder->inputs[0]}, {.buffer = recorder->outputs[0]}};
    return bench_launch(recorder, recorder->options, recorder->n, binds, 2, why);
}

static telar_status record_nothing(bench_recorder *recorder, telar_diag *why)
{
    (void)recorder;
    return tl_fail(why, TELAR_UNSUPPORTED, "never");
}

static const bench_way good = {"good", &plus_one, record_text, PLUS("d[i] = s[i] + 1u;")};
static const bench_way last_wrong = {"last wrong", &plus_one, record_text,
                                     PLUS("d[i] = s[i] + 1u + u32(i + 1u == arrayLength(&s));")};
static const bench_way last_left_out = {"last left out", &plus_one, record_text,
                                        PLUS("if (i + 1u < arrayLength(&s)) { d[i] = s[i] + 1u; }")};
static const bench_way no_wgsl = {"no WGSL", &plus_one, record_text, "fn element(i: u32) { d[i] = 1u; }\n"};
static const bench_way unsupported = {"unsupported", &plus_one, record_nothing, NULL};

static void verdicts(void **state)
{
    const bench_way *const ways[] = {&good, &last_wrong, &last_left_out, &no_wgsl, &unsupported};
    static const bench_verdict wanted[] = {BENCH_RIGHT, BENCH_WRONG, BENCH_WRONG, BENCH_FAILED, BENCH_UNSUPPORTED};
    bench b;
    bench_open(&b, *state, &quick);
    must(bench_run(&b, ways, TL_COUNT(ways), 1001, &diag));
    assert_int_equal(b.results.count, TL_COUNT(ways) + 1); /* and plain C */
    for (size_t k = 0; k < TL_COUNT(ways); k++) {
        const bench_result *result = &b.results.items[k];
        assert_string_equal(result->way, ways[k]->name);
        assert_int_equal(result->verdict, wanted[k]);
        assert_int_equal(result->median_ns > 0, result->verdict < BENCH_UNSUPPORTED);
        assert_int_equal(result->text[0] == 0, result->verdict == BENCH_RIGHT);
    }
    assert_int_equal(b.results.items[0].dispatches, 1);
    assert_true(b.results.items[0].copy_ns > 0);
    assert_non_null(strstr(b.results.items[1].text, "word 1000 of 'd'"));
    bench_close(&b);
}

/* ---- Repetitions ------------------------------------------------------------------------------------------------- */

/* Each run adds one; a clear and marks in the recording must not come between. */
static void repetitions(void **state)
{
    telar_host *host = *state;
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 16, TELAR_USE_STORAGE | TELAR_USE_BOUND);
    telar_kernel count = tape_kernel(&tape,
                                     "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                                     "@compute @workgroup_size(1) fn main() { a[0] += 1u; }\n",
                                     "w", 1);
    telar_record_mark(&tape.record, "m");
    tape_dispatch(&tape, count, 1, &a, 1);
    telar_record_mark(&tape.record, "m");
    tape_dispatch(&tape, count, 1, &a, 1);
    telar_record_download(&tape.record, a, 0, 16);
    telar_recording once = tape_end(&tape), repeated;
    static uint32_t words[RECORD_WORDS];
    assert_int_equal(bench_recording_dispatches(once), 2);
    must_fail(TELAR_NO_SPACE, bench_recording_repeat(once, 50, NULL, 0, &repeated, &diag));
    uint64_t needed = diag.got;
    must(bench_recording_repeat(once, 50, words, RECORD_WORDS, &repeated, &diag));
    assert_int_equal(repeated.words_count, needed);
    assert_int_equal(bench_recording_dispatches(repeated), 100);
    must(telar_recording_open(repeated.words, repeated.words_count, &repeated, &diag));

    WGPUBuffer buffer;
    telar_prepared *prepared;
    uint32_t got[4];
    must(telar_host_buffer_create(host, 16, &buffer, &diag));
    must(telar_host_prepare(host, repeated, &(telar_bound_buffer){a, buffer}, 1, &prepared, &diag));
    must(telar_prepared_run(prepared, &diag));
    must(telar_host_read(host, buffer, 0, got, sizeof got, &diag));
    assert_int_equal(got[0], 100);
    telar_prepared_release(prepared);
    telar_host_buffer_release(host, buffer);
    tape_free(&tape);
}

/* ---- Companions -------------------------------------------------------------------------------------------------- */

static void companions(void **state)
{
    /* n = 2: words 1 and 1 + hash(1), places 1 and 3. */
    uint64_t digest = 1 * 1 + (uint64_t)(bench_hash(1) + 1) * 3;
    char right[128], wrong[128];
    snprintf(right, sizeof right, "while read line; do echo ns 12.5 %llx; done", (unsigned long long)digest);
    snprintf(wrong, sizeof wrong, "while read line; do echo ns 12.5 %llx; done", (unsigned long long)digest + 1);
    const struct {
        const char *name, *command;
        bench_verdict verdict;
    } rows[] = {
        {"right", right, BENCH_RIGHT},
        {"wrong", wrong, BENCH_WRONG},
        {"silent", "while read word n problem; do echo \"unsupported $word $n $problem\"; done", BENCH_UNSUPPORTED},
        {"dead", "exit 0", BENCH_FAILED},
    };
    const bench_way *const ways[] = {&good};
    bench b;
    bench_open(&b, *state, &quick);
    for (size_t k = 0; k < TL_COUNT(rows); k++) must(bench_companion_start(&b, rows[k].name, rows[k].command, &diag));
    must_fail(TELAR_LIMIT_EXCEEDED, bench_companion_start(&b, "more", "cat", &diag));
    must(bench_run(&b, ways, 1, 2, &diag));
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        assert_string_equal(b.results.items[1 + k].way, rows[k].name);
        assert_int_equal(b.results.items[1 + k].verdict, rows[k].verdict);
    }
    assert_true(b.results.items[1].median_ns == 12.5);
    assert_string_equal(b.results.items[3].text, "measure 2 plus one");
    bench_close(&b);
}

/* ---- Archives ---------------------------------------------------------------------------------------------------- */

/* What test/unit/test_bench_figures.c does with results that are written down, with measured ones. */
static void archives(void **state)
{
    char path[] = "/tmp/telar_bench_XXXXXX";
    int fd = mkstemp(path);
    FILE *nowhere = fopen("/dev/null", "w");
    if (fd < 0 || nowhere == NULL) {
        fail_msg("no temporary file");
        return;
    }
    (void)close(fd);
    bench_results read;
    const bench_way *const ways[] = {&good, &unsupported};
    bench b;
    bench_open(&b, *state, &quick);
    must(bench_run(&b, ways, 2, 100, &diag));
    must(bench_archive_write(&b.results, path, &diag));
    must(bench_archive_read(path, &read, &diag));
    assert_int_equal(read.count, b.results.count);
    assert_string_equal(read.environment.adapter, b.results.environment.adapter);
    assert_string_equal(read.items[1].text, "never");
    for (size_t k = 0; k < read.count; k++) {
        const bench_result *before = bench_find(&read, &b.results.items[k]);
        assert_ptr_equal(before, &read.items[k]);
        bool timed = before->verdict == BENCH_RIGHT && before->rounds > 1;
        assert_int_equal(bench_differ(&b.results.items[k], before).change, timed ? BENCH_SAME : BENCH_UNKNOWN);
    }
    must(bench_archive_print(&b.results, &read, nowhere, &diag));
    bench_results_free(&read);
    must_fail(TELAR_IO_FAILED, bench_archive_write(&b.results, "/nowhere/at/all", &diag));
    bench_close(&b);
    (void)fclose(nowhere);
    (void)remove(path);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

static void keep_largest(void *user, double part)
{
    double *largest = user;
    assert_true(part >= 0 && part <= 1);
    if (part > *largest) *largest = part;
}

/* A time in place of rounds: at least three of them, however short it is, and as many as there is room for. */
static void rounds_in_a_time(void **state)
{
    static const struct {
        double run_ms;
        uint32_t least, most;
    } rows[] = {{0.001, 3, 3}, {60, 3, BENCH_ROUNDS_MAX}};
    const bench_way *const ways[] = {&good};
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        double largest = 0;
        bench b;
        bench_settings settings = quick;
        settings.run_ms = rows[k].run_ms;
        bench_open(&b, *state, &settings);
        b.progress = keep_largest;
        b.progress_user = &largest;
        must(bench_run(&b, ways, 1, 100, &diag));
        assert_in_range(b.results.items[0].rounds, rows[k].least, rows[k].most);
        assert_int_equal(b.results.environment.rounds, 0);
        assert_true(b.results.items[0].noise >= 0);
        assert_true(largest > 0);
        bench_close(&b);
    }
}

/* ---- Every case -------------------------------------------------------------------------------------------------- */

/* Each way of each problem, but for those that only look for better numbers. */
static void every_way(telar_host *host, const uint64_t *counts, size_t counts_count, bool as_gpu)
{
    bench b;
    bench_open(&b, host,
               &(bench_settings){.rounds = 1, .set_ms = 0.01, .warm_ms = 0.01, .repeats_max = 1, .as_gpu = as_gpu});
    for (const bench_way *const *list = bench_all_ways; *list != NULL; list++) {
        if (as_gpu && *list == bench_sort_ways) continue; /* minutes; it has tests of its own */
        for (const bench_way *way = *list; way->name != NULL; way++) {
            if (bench_is_candidate(way)) continue;
            for (size_t k = 0; k < counts_count; k++) {
                uint32_t scale = way->problem->scale == 0 ? 1 : way->problem->scale;
                must(bench_run(&b, &way, 1, counts[k] * scale, &diag));
            }
        }
    }
    for (size_t k = 0; k < b.results.count; k++) {
        const bench_result *result = &b.results.items[k];
        if (result->verdict == BENCH_RIGHT || result->verdict == BENCH_UNSUPPORTED) continue;
        fail_msg("%s, %s, n = %llu: %s: %s", result->problem, result->way, (unsigned long long)result->n,
                 bench_verdict_text(result->verdict), result->text);
    }
    bench_close(&b);
}

static void every_case(void **state)
{
    every_way(*state, (const uint64_t[]){1, 1025}, 2, false);
}

static void every_case_as_on_a_gpu(void **state)
{
    every_way(*state, (const uint64_t[]){513}, 1, true);
}

static int open_one(void **state)
{
    (void)signal(SIGPIPE, SIG_IGN);
    *state = open_host();
    return 0;
}

static int close_one(void **state)
{
    telar_host_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),         cmocka_unit_test(repetitions), cmocka_unit_test(companions),
        cmocka_unit_test(archives),         cmocka_unit_test(every_case),  cmocka_unit_test(every_case_as_on_a_gpu),
        cmocka_unit_test(rounds_in_a_time),
    };
    return cmocka_run_group_tests(tests, open_one, close_one);
}
