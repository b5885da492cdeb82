/* SPDX-License-Identifier: MIT
 *
 * Arrays of a problem at one n. Words only: what they mean is the problem's. */
#include "harness/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

static telar_status no_memory(uint64_t words, telar_diag *diag)
{
    return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for %llu words", (unsigned long long)words);
}

uint64_t bench_input_words(const bench_input *input, uint64_t n)
{
    return input->words == NULL ? n : input->words(n);
}

uint64_t bench_output_words(const bench_output *output, uint64_t n)
{
    return output->words == NULL ? n : output->words(n);
}

uint64_t bench_buffer_bytes(uint64_t words)
{
    return telar_ceil_div(words, 4) * 16;
}

/* ---- Inputs ------------------------------------------------------------------------------------------------------ */

bench_cached *bench_input_get(bench *b, const bench_input *input, uint64_t n)
{
    uint64_t count = bench_input_words(input, n);
    for (bench_cached *at = b->inputs; at != NULL; at = at->next) {
        if (at->fill != input->fill || at->n != n || at->words_count != count) continue;
        at->used = true;
        return at;
    }
    bench_cached *made = calloc(1, sizeof *made);
    uint32_t *words = malloc(count * sizeof *words + 1);
    if (made == NULL || words == NULL) {
        free(made);
        free(words);
        return NULL;
    }
    input->fill(words, count, n);
    *made = (bench_cached){
        .fill = input->fill, .n = n, .words_count = count, .words = words, .used = true, .next = b->inputs};
    b->inputs = made;
    return made;
}

telar_status bench_input_buffer(bench *b, bench_cached *cached, WGPUBuffer *buffer, telar_diag *diag)
{
    if (cached->buffer == NULL) {
        TELAR_TRY(telar_host_buffer_create(b->host, bench_buffer_bytes(cached->words_count), &cached->buffer, diag));
        TELAR_TRY(telar_host_write(b->host, cached->buffer, 0, cached->words, cached->words_count * 4, diag));
    }
    *buffer = cached->buffer;
    return TELAR_OK;
}

void bench_inputs_unuse(bench *b)
{
    for (bench_cached *at = b->inputs; at != NULL; at = at->next) at->used = false;
}

void bench_inputs_drop_unused(bench *b)
{
    for (bench_cached **at = &b->inputs; *at != NULL;) {
        bench_cached *cached = *at;
        if (cached->used) {
            at = &cached->next;
            continue;
        }
        *at = cached->next;
        telar_host_buffer_release(b->host, cached->buffer);
        free(cached->words);
        free(cached);
    }
}

/* ---- Expected outputs -------------------------------------------------------------------------------------------- */

telar_status bench_data_make(bench *b, const bench_problem *problem, uint64_t n, bench_data *data, telar_diag *diag)
{
    *data = (bench_data){.n = n};
    for (uint32_t k = 0; problem->inputs[k].name != NULL; k++) {
        const bench_cached *cached = bench_input_get(b, &problem->inputs[k], n);
        if (cached == NULL) return no_memory(bench_input_words(&problem->inputs[k], n), diag);
        data->inputs[k] = cached->words;
    }
    for (uint32_t k = 0; problem->outputs[k].name != NULL; k++) {
        data->words[k] = bench_output_words(&problem->outputs[k], n);
        uint64_t bytes = data->words[k] * sizeof(uint32_t);
        data->outputs[k] = malloc(bytes + 1);
        if (data->outputs[k] == NULL) {
            bench_data_free(data);
            return no_memory(bytes / sizeof(uint32_t), diag);
        }
        memset(data->outputs[k], 0, bytes); /* also so that no page is touched for the first time while time runs */
    }
    uint64_t start = tl_now_ns();
    problem->reference(data);
    data->reference_ns = (double)(tl_now_ns() - start);
    return TELAR_OK;
}

void bench_data_free(bench_data *data)
{
    for (uint32_t k = 0; k < BENCH_ARRAYS_MAX; k++) free(data->outputs[k]);
    *data = (bench_data){0};
}

static float as_f32(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static bool same_word(uint32_t got, uint32_t want, double tolerance)
{
    if (got == want || tolerance == 0) return got == want;
    double x = (double)as_f32(got), y = (double)as_f32(want);
    return fabs(x - y) <= tolerance * fabs(y);
}

telar_status bench_data_check(const bench_data *data, const bench_problem *problem, uint32_t output,
                              const uint32_t *words, telar_diag *diag)
{
    const uint32_t *want = data->outputs[output];
    uint64_t count = data->words[output];
    if (memcmp(words, want, count * sizeof *want) == 0) return TELAR_OK;
    for (uint64_t k = 0; k < count; k++) {
        if (same_word(words[k], want[k], problem->tolerance)) continue;
        return tl_fail(diag, TELAR_MISMATCH, "word %llu of '%s' is 0x%x, not 0x%x", (unsigned long long)k,
                       problem->outputs[output].name, words[k], want[k]);
    }
    return TELAR_OK;
}

uint64_t bench_digest(const bench_data *data, const bench_problem *problem)
{
    uint64_t sum = 0, place = 0;
    for (uint32_t output = 0; problem->outputs[output].name != NULL; output++) {
        for (uint64_t k = 0; k < data->words[output]; k++) sum += data->outputs[output][k] * (2 * place++ + 1);
    }
    return sum;
}
