/* SPDX-License-Identifier: MIT
 *
 * A case: one way at one n, ready to be timed. */
#ifndef BENCH_HARNESS_CASE_H
#define BENCH_HARNESS_CASE_H

#include "harness/data.h"

enum {
    BENCH_CASES_MAX = BENCH_WAYS_MAX + BENCH_COMPANIONS_MAX + 4 /* copies */
};

typedef struct bench_case {
    const bench_way *way;       /* NULL: a companion's */
    bench_companion *companion; /* NULL: a way's */
    const bench_problem *problem;
    const bench_data *data;
    bench_result result;
    /* Of a way: */
    uint32_t *words; /* the recording of one run */
    size_t words_cap;
    telar_recording recording;
    telar_bound_buffer bound[2 * BENCH_ARRAYS_MAX];
    uint32_t bound_count;
    WGPUBuffer outputs[BENCH_ARRAYS_MAX];
    telar_prepared *set;   /* the repetitions of a timed set */
    telar_prepared *clear; /* of the outputs */
} bench_case;

/* Everything but the set, whose length is not known yet. */
telar_status bench_case_build(bench *b, bench_case *c, telar_diag *diag);
/* The set with this many repetitions. */
telar_status bench_case_repeat(bench *b, bench_case *c, uint32_t repeats, telar_diag *diag);
/* Compares all outputs with what is expected. MISMATCH */
telar_status bench_case_check(bench *b, const bench_case *c, telar_diag *diag);
void bench_case_free(bench *b, bench_case *c);

/* repeat.c: the declarations, a mark, all commands `repeats` times, a mark. Marks and downloads of the recording are left
 * out. NO_SPACE with the words needed in diag->got. */
telar_status bench_recording_repeat(telar_recording recording, uint32_t repeats, uint32_t *words, size_t words_cap,
                                    telar_recording *repeated, telar_diag *diag);
uint32_t bench_recording_dispatches(telar_recording recording);

/* copy.c: words to copy, so that as many bytes are moved. */
extern const bench_problem bench_copy_problem;
uint64_t bench_copy_words(double bytes);

/* companion.c: one line there and one back. */
void bench_companion_measure(bench_companion *companion, const bench_problem *problem, const bench_data *data,
                             bench_result *result, uint32_t round);
void bench_companion_stop(bench_companion *companion);

#endif
