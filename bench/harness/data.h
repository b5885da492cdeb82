/* SPDX-License-Identifier: MIT
 *
 * Arrays of a problem at one n: inputs on both sides, filled once and kept for the next run, and expected outputs. */
#ifndef BENCH_HARNESS_DATA_H
#define BENCH_HARNESS_DATA_H

#include "harness/bench.h"

/* An input that was filled. */
struct bench_cached {
    bench_fill *fill;
    uint64_t n;
    uint64_t words_count;
    uint32_t *words;
    WGPUBuffer buffer; /* NULL until a case needs it */
    bool used;         /* by the run that is being set up */
    bench_cached *next;
};

uint64_t bench_input_words(const bench_input *input, uint64_t n);
uint64_t bench_output_words(const bench_output *output, uint64_t n);

/* NULL: no memory. */
bench_cached *bench_input_get(bench *b, const bench_input *input, uint64_t n);
/* Its words on the device. */
telar_status bench_input_buffer(bench *b, bench_cached *cached, WGPUBuffer *buffer, telar_diag *diag);
/* Between runs: begin with no input used, then drop what no case of this run asked for. */
void bench_inputs_unuse(bench *b);
void bench_inputs_drop_unused(bench *b);

/* Inputs and expected outputs of a problem at n. */
telar_status bench_data_make(bench *b, const bench_problem *problem, uint64_t n, bench_data *data, telar_diag *diag);
void bench_data_free(bench_data *data);
/* Compares one output as it came back. MISMATCH names the first word that differs. */
telar_status bench_data_check(const bench_data *data, const bench_problem *problem, uint32_t output,
                              const uint32_t *words, telar_diag *diag);

#endif
