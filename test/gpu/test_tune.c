/* SPDX-License-Identifier: MIT
 *
 * Tuning: what it finds, that it tells right from wrong, that the host works on. No time is asserted. */
#include "host_help.h"

#include "host/tune.h"
#include "kernels.h"

/* What no noise makes unknown: no difference of two times. */
static const telar_fact_name always[] = {
    TELAR_FACT_BANDWIDTH,       TELAR_FACT_READ_BANDWIDTH,        TELAR_FACT_DISPATCH_OVERHEAD,
    TELAR_FACT_COMPUTE_UNITS,   TELAR_FACT_RESIDENT_INVOCATIONS,  TELAR_FACT_RESIDENT_GROUPS,
    TELAR_FACT_WAVE_LATENCY,    TELAR_FACT_ATOMIC_RATE,           TELAR_FACT_ATOMIC_ONE_RATE,
    TELAR_FACT_ARITHMETIC_RATE, TELAR_FACT_DISPATCH_INDEPENDENT,  TELAR_FACT_SUBMIT_OVERHEAD,
    TELAR_FACT_REPEAT_SPREAD,   TELAR_FACT_RESIDENT_GROUPS_OF_32,
};

typedef struct steps {
    double last;
    uint32_t count;
} steps;

static void step(void *user, double done)
{
    steps *seen = user;
    assert_true(done >= seen->last && done <= 1);
    seen->last = done;
    seen->count++;
}

static bool are_all_found(const telar_facts *facts)
{
    for (size_t k = 0; k < TL_COUNT(always); k++) {
        if (facts->values[always[k]].source != TELAR_SOURCE_MEASURED) return false;
    }
    return true;
}

/* Some are differences of two times, which a machine with other work may turn around, and here there is no time for rounds. */
static void facts_are_measured(void **state)
{
    telar_host *host = *state;
    telar_facts facts = {0};
    for (int k = 0; k < 3 && !are_all_found(&facts); k++) {
        steps seen = {0};
        must(telar_host_tune(host, &(telar_tune_desc){.time_ns = 1000000, .progress = step, .user = &seen}, &facts,
                             &diag));
        assert_true(seen.last == 1 && seen.count > 2);
    }
    for (size_t k = 0; k < TL_COUNT(always); k++) {
        const telar_fact *fact = &facts.values[always[k]];
        assert_int_equal(fact->source, TELAR_SOURCE_MEASURED);
        assert_true(fact->value > 0 && fact->spread >= 0);
    }
    /* The threads of a CPU adapter are seen however busy they are, and hold one group each. */
    bool serial = facts.type == TELAR_DEVICE_CPU;
    if (serial) assert_true(facts.values[TELAR_FACT_RESIDENT_GROUPS].value == 1);
    assert_int_equal(telar_facts_know(&facts, TELAR_FACT_RESIDENT_GROUPS_WITH_4KI), !serial);
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        /* What is measured says how, in both languages. */
        if (facts.values[k].source != TELAR_SOURCE_MEASURED) continue;
        assert_true(telar_tune_how((telar_fact_name)k, TELAR_ENGLISH)[0] != 0);
        assert_true(telar_tune_how((telar_fact_name)k, TELAR_SPANISH)[0] != 0);
    }
    assert_memory_equal(&facts.limits, &telar_host_facts(host)->limits, sizeof facts.limits);
    assert_false(telar_facts_know(telar_host_facts(host), TELAR_FACT_BANDWIDTH)); /* the host's own stay */
}

/* A tuning between its beginning and its end. */
static tl_tune open_tune(telar_host *host, telar_facts *facts)
{
    *facts = *telar_host_facts(host);
    tl_tune tune = {.host = host,
                    .facts = facts,
                    .words = calloc(TL_TUNE_WORDS, sizeof(uint32_t)),
                    .arena = malloc(TL_TUNE_ARENA_BYTES),
                    .clock = telar_host_time_quantum_ns(host) > 0};
    must(tl_tune_data_make(&tune, &diag));
    return tune;
}

static void close_tune(tl_tune *tune)
{
    tl_tune_data_drop(tune);
    free(tune->words);
    free(tune->arena);
}

/* 64 KiB and more, read as they were filled. */
static tl_work reading(uint32_t size, uint32_t groups)
{
    return (tl_work){.wgsl = tl_wgsl_tune_read,
                     .group_size = size,
                     .groups = groups,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {groups, 0}};
}

static void wrong_is_seen(void **state)
{
    telar_facts facts;
    tl_tune tune = open_tune(*state, &facts);
    uint32_t size = tl_tune_group_size(&tune, 256);
    uint32_t words[TL_TUNE_VERDICT_WORDS];
    double ns;
    tl_work work = reading(size, 2);
    must(tl_work_once(&tune, &work, &ns, NULL, &diag));

    work.salt = 1; /* every word is one less than that says */
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &work, &ns, NULL, &diag));
    must(tl_work_once(&tune, &work, &ns, words, &diag));
    assert_int_equal(words[0], 2);
    assert_int_equal(words[1], 2 * size);

    uint32_t word = 12345; /* one wrong word, in the second group's last element */
    uint64_t at_bytes = UINT64_C(2) * size * TL_TUNE_READS * 16 - 4;
    must(telar_host_write(*state, tune.data[TL_TUNE_FROM], at_bytes, &word, 4, &diag));
    work.salt = 0;
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &work, &ns, NULL, &diag));
    must(tl_work_once(&tune, &work, &ns, words, &diag));
    assert_int_equal(words[1], 1);

    /* A copy of it carries the fault along; one that leaves the last groups out is seen too. */
    tl_work copy = {.wgsl = tl_wgsl_tune_copy,
                    .group_size = size,
                    .groups = 32,
                    .salt = 7,
                    .input = TL_TUNE_FROM,
                    .output = TL_TUNE_TO,
                    .checked_bytes = UINT64_C(32) * size * 16};
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &copy, &ns, NULL, &diag));
    copy.groups = 16;
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &copy, &ns, NULL, &diag));
    copy.checked_bytes /= 2;
    must(tl_work_once(&tune, &copy, &ns, NULL, &diag));
    close_tune(&tune);
}

/* Adding to words that a copy has laid out: every set begins anew, and one addition too few is seen. */
static void sums_are_checked(void **state)
{
    telar_facts facts;
    tl_tune tune = open_tune(*state, &facts);
    uint32_t size = tl_tune_group_size(&tune, 256);
    tl_work work = {.wgsl = tl_wgsl_tune_atomic,
                    .group_size = size,
                    .items = 65536,
                    .groups = 2 * 65536 / size,
                    .repeats = 3,
                    .input = TL_TUNE_FROM,
                    .output = TL_TUNE_TO,
                    .checked_bytes = UINT64_C(4) * 65536,
                    .adds = 6};
    must(tl_work_once(&tune, &work, NULL, NULL, &diag));
    work.adds = 5;
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &work, NULL, NULL, &diag));
    close_tune(&tune);
}

/* An element function goes the way of any user's, and each of several outputs is looked at. */
static void woven_and_own_outputs(void **state)
{
    telar_facts facts;
    tl_tune tune = open_tune(*state, &facts);
    uint32_t size = tl_tune_group_size(&tune, 64);
    tl_work element = {.wgsl = tl_wgsl_tune_element,
                       .woven = true,
                       .group_size = size,
                       .items = 4,
                       .groups = 16,
                       .salt = 3,
                       .input = TL_TUNE_FROM,
                       .output = TL_TUNE_TO,
                       .checked_bytes = UINT64_C(4) * 16 * 4 * size};
    must(tl_work_once(&tune, &element, NULL, NULL, &diag));
    element.checked_bytes *= 2; /* not written by so few groups */
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &element, NULL, NULL, &diag));

    tl_trial trial = {.work = {.wgsl = tl_wgsl_tune_empty,
                               .own_outputs = true,
                               .group_size = size,
                               .groups = 1,
                               .input = TL_TUNE_FROM,
                               .output = TL_TUNE_VERDICT,
                               .verdict = {1, 0}}};
    must(tl_trials_run(&tune, &trial, 1, &diag));
    assert_true(trial.dispatches > 0 && trial.ns[0] > 0); /* one, where others had the cores meanwhile */
    trial.work.verdict[0] = 2;                            /* each counts itself once */
    must_fail(TELAR_MISMATCH, tl_trials_run(&tune, &trial, 1, &diag));
    close_tune(&tune);
}

/* Vectors, a group that is not full, words read in loops and memory that is shared: each sees what is wrong. */
static void serial_works_are_checked(void **state)
{
    telar_facts facts;
    tl_tune tune = open_tune(*state, &facts);
    uint32_t size = tl_tune_group_size(&tune, 64);
    tl_work vectors = {.wgsl = tl_wgsl_tune_element,
                       .woven = true,
                       .vector = true,
                       .group_size = size,
                       .items = 4,
                       .groups = 4,
                       .less = 16,
                       .salt = 5,
                       .input = TL_TUNE_FROM,
                       .output = TL_TUNE_TO,
                       .checked_bytes = UINT64_C(16) * 4 * 4 * size - 256};
    must(tl_work_once(&tune, &vectors, NULL, NULL, &diag));
    vectors.checked_bytes += 256;
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &vectors, NULL, NULL, &diag));

    tl_work shared = {.wgsl = tl_wgsl_tune_shared,
                      .group_size = size,
                      .items = 1024,
                      .groups = 3,
                      .output = TL_TUNE_VERDICT,
                      .verdict = {3, 0}};
    tl_work loop = {.wgsl = tl_wgsl_tune_loop,
                    .checked = true,
                    .group_size = size,
                    .items = 16,
                    .groups = 1,
                    .output = TL_TUNE_VERDICT,
                    .verdict = {1, 0}};
    tl_work turns = {.wgsl = tl_wgsl_tune_turns,
                     .checked = true,
                     .group_size = size,
                     .items = 8,
                     .groups = 3,
                     .repeats = 5,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {3, 0}};
    must(tl_work_once(&tune, &shared, NULL, NULL, &diag));
    must(tl_work_once(&tune, &loop, NULL, NULL, &diag));
    must(tl_work_once(&tune, &turns, NULL, NULL, &diag));
    uint32_t word = 12345, last = 16 * size - 1; /* which both read */
    must(telar_host_write(*state, tune.data[TL_TUNE_FROM], UINT64_C(4) * last, &word, 4, &diag));
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &loop, NULL, NULL, &diag));
    must_fail(TELAR_MISMATCH, tl_work_once(&tune, &turns, NULL, NULL, &diag));
    close_tune(&tune);
}

/* The middle of the rounds, or the least where others take the processor; the spread is of the thirds. */
static void facts_of_rounds(void **state)
{
    static const double rounds[] = {8, 12, 11, 9, 14, 10, 8.5};
    telar_facts facts = *telar_host_facts(*state);
    tl_tune tune = {.facts = &facts};
    double estimates[TL_TUNE_ESTIMATES];
    tl_tune_estimate(&tune, rounds, TL_COUNT(rounds), estimates);
    assert_true(estimates[0] == 10 && estimates[1] == 8.5 && estimates[2] == 13 && estimates[3] == 10.5);
    tl_tune_fact(&tune, TELAR_FACT_BANDWIDTH, estimates);
    assert_true(facts.values[TELAR_FACT_BANDWIDTH].value == 10);
    assert_true(facts.values[TELAR_FACT_BANDWIDTH].spread == 0.225);
    tune.serial = true;
    tl_tune_estimate(&tune, rounds, TL_COUNT(rounds), estimates);
    assert_true(estimates[0] == 8 && estimates[1] == 8 && estimates[2] == 12 && estimates[3] == 10);
    tl_tune_fact_counted(&tune, TELAR_FACT_COMPUTE_UNITS, (const double[]){2, 4, 2});
    assert_true(facts.values[TELAR_FACT_COMPUTE_UNITS].value == 2);
    assert_true(facts.values[TELAR_FACT_COMPUTE_UNITS].spread == 0.5);
    tl_tune_fact(&tune, TELAR_FACT_BANDWIDTH, (const double[]){-1, -1, -1, 9});
    assert_false(telar_facts_know(&facts, TELAR_FACT_BANDWIDTH));
}

static int open_state(void **state)
{
    *state = open_host();
    return 0;
}

static int close_state(void **state)
{
    telar_host_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_measured),       cmocka_unit_test(wrong_is_seen),
        cmocka_unit_test(sums_are_checked),         cmocka_unit_test(woven_and_own_outputs),
        cmocka_unit_test(serial_works_are_checked), cmocka_unit_test(facts_of_rounds),
    };
    return cmocka_run_group_tests(tests, open_state, close_state);
}
