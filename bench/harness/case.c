/* SPDX-License-Identifier: MIT
 *
 * Builds a case: buffers, the recording of one run by the way, the set of many runs; checks its outputs. */
#include "harness/case.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum {
    FIRST_WORDS = 1 << 16,
    FIRST_ARENA_BYTES = 1 << 22
};

/* ---- What ways call ---------------------------------------------------------------------------------------------- */

uint64_t bench_words(const bench_recorder *recorder, telar_buffer buffer)
{
    for (uint32_t k = 0; k < BENCH_ARRAYS_MAX; k++) {
        if (recorder->inputs[k].id == buffer.id) return recorder->inputs_words[k];
        if (recorder->outputs[k].id == buffer.id) return recorder->outputs_words[k];
    }
    return 0;
}

telar_status bench_launch(bench_recorder *recorder, const char *wgsl, uint64_t count, const telar_bind *binds,
                          uint32_t binds_count, telar_diag *diag)
{
    telar_wgsl *module;
    telar_weave_needs needs;
    telar_plan plan;
    telar_woven woven;
    TELAR_TRY(telar_wgsl_read(wgsl, tl_str_of(wgsl).len, recorder->arena, &module, diag));
    telar_weave_desc desc = {.module = module, .dialect = telar_host_dialect(recorder->host)};
    TELAR_TRY(telar_weave_inspect(&desc, recorder->arena, &needs, diag));
    telar_plan_desc wanted = {.count = {count},
                              .items = needs.form == TELAR_FORM_ELEMENT ? 0 : 1,
                              .bytes_per_element = needs.bytes_per_element,
                              .binding_bytes_per_element = needs.binding_bytes_per_element,
                              .workgroup_memory_bytes = needs.workgroup_memory_bytes,
                              .no_windows = !needs.windowable};
    for (int axis = 0; axis < 3; axis++) wanted.size[axis] = needs.workgroup_size[axis];
    TELAR_TRY(telar_plan_make(&wanted, recorder->facts, &plan, diag));
    desc.plan = &plan;
    TELAR_TRY(telar_weave(&desc, recorder->arena, &woven, diag));
    telar_kernel kernel = telar_record_kernel(recorder->record, &woven.kernel);
    /* Kernels that ask for their array's length must see just its elements. */
    telar_bind exact[BENCH_BINDS_MAX];
    if (binds_count > BENCH_BINDS_MAX)
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%u binds are too many", binds_count);
    for (uint32_t k = 0; k < binds_count; k++) {
        exact[k] = binds[k];
        if (exact[k].size_bytes == 0) exact[k].size_bytes = bench_words(recorder, exact[k].buffer) * 4;
    }
    telar_record_launch(recorder->record, kernel, &woven.kernel, &plan, exact, binds_count);
    return TELAR_OK;
}

const char *bench_join(bench_recorder *recorder, const char *first, const char *second)
{
    tl_str a = tl_str_of(first), b = tl_str_of(second);
    char *text = TL_ARENA_ARRAY(recorder->arena, char, a.len + b.len + 1);
    if (text == NULL) return NULL;
    memcpy(text, a.data, a.len);
    memcpy(text + a.len, b.data, b.len);
    return text;
}

telar_buffer bench_scratch(bench_recorder *recorder, const char *name, uint64_t words)
{
    return telar_record_buffer(recorder->record,
                               &(telar_buffer_desc){.name = name, .size_bytes = words * 4, .use = TELAR_USE_STORAGE});
}

/* ---- The recording of one run ------------------------------------------------------------------------------------ */

static telar_buffer declare(bench_case *c, telar_record *record, const char *name, uint64_t words, WGPUBuffer handle)
{
    telar_buffer_desc desc = {
        .name = name, .size_bytes = bench_buffer_bytes(words), .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
    telar_buffer buffer = telar_record_buffer(record, &desc);
    c->bound[c->bound_count++] = (telar_bound_buffer){buffer, handle};
    return buffer;
}

static telar_status declare_all(bench *b, bench_case *c, bench_recorder *recorder, telar_diag *diag)
{
    const bench_problem *problem = c->problem;
    uint64_t n = c->result.n;
    c->bound_count = 0;
    for (uint32_t k = 0; problem->inputs[k].name != NULL; k++) {
        WGPUBuffer handle;
        bench_cached *cached = bench_input_get(b, &problem->inputs[k], n);
        if (cached == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for '%s'", problem->inputs[k].name);
        TELAR_TRY(bench_input_buffer(b, cached, &handle, diag));
        recorder->inputs_words[k] = cached->words_count;
        recorder->inputs[k] = declare(c, recorder->record, problem->inputs[k].name, cached->words_count, handle);
    }
    for (uint32_t k = 0; problem->outputs[k].name != NULL; k++) {
        uint64_t words = bench_output_words(&problem->outputs[k], n);
        if (c->outputs[k] == NULL) {
            TELAR_TRY(telar_host_buffer_create(b->host, bench_buffer_bytes(words), &c->outputs[k], diag));
        }
        recorder->outputs_words[k] = words;
        recorder->outputs[k] = declare(c, recorder->record, problem->outputs[k].name, words, c->outputs[k]);
    }
    return TELAR_OK;
}

static telar_status record_run(bench *b, bench_case *c, telar_arena *arena, telar_diag *diag)
{
    telar_record record = telar_record_begin(c->words, c->words_cap);
    bench_recorder recorder = {.host = b->host,
                               .facts = &b->facts,
                               .arena = arena,
                               .record = &record,
                               .options = c->way->options,
                               .n = c->result.n};
    TELAR_TRY(declare_all(b, c, &recorder, diag));
    TELAR_TRY(c->way->record(&recorder, diag));
    return telar_record_end(&record, &c->recording, diag);
}

/* Doubles what was too small until the recording fits. */
static telar_status record_growing(bench *b, bench_case *c, telar_diag *diag)
{
    telar_status status;
    size_t arena_bytes = FIRST_ARENA_BYTES;
    c->words_cap = FIRST_WORDS;
    do {
        void *memory = malloc(arena_bytes);
        uint32_t *words = realloc(c->words, c->words_cap * sizeof *words);
        if (words != NULL) c->words = words;
        if (memory == NULL || words == NULL) {
            free(memory);
            return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a recording");
        }
        telar_arena arena = telar_arena_make(memory, arena_bytes);
        status = record_run(b, c, &arena, diag);
        free(memory);
        arena_bytes *= 2;
        c->words_cap *= 2;
    } while (status == TELAR_NO_SPACE);
    return status;
}

/* ---- Prepared ---------------------------------------------------------------------------------------------------- */

static telar_status prepare_clear(bench *b, bench_case *c, telar_diag *diag)
{
    uint32_t words[256];
    telar_bound_buffer bound[BENCH_ARRAYS_MAX];
    uint32_t count = 0;
    telar_recording recording;
    telar_record record = telar_record_begin(words, TL_COUNT(words));
    for (; c->problem->outputs[count].name != NULL; count++) {
        uint64_t n = bench_output_words(&c->problem->outputs[count], c->result.n);
        telar_buffer_desc desc = {.name = c->problem->outputs[count].name,
                                  .size_bytes = bench_buffer_bytes(n),
                                  .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
        bound[count] = (telar_bound_buffer){telar_record_buffer(&record, &desc), c->outputs[count]};
        telar_record_clear(&record, bound[count].buffer, 0, 0);
    }
    TELAR_TRY(telar_record_end(&record, &recording, diag));
    return telar_host_prepare(b->host, recording, bound, count, &c->clear, diag);
}

telar_status bench_case_build(bench *b, bench_case *c, telar_diag *diag)
{
    TELAR_TRY(record_growing(b, c, diag));
    c->result.dispatches = bench_recording_dispatches(c->recording);
    return prepare_clear(b, c, diag);
}

telar_status bench_case_repeat(bench *b, bench_case *c, uint32_t repeats, telar_diag *diag)
{
    telar_recording recording;
    telar_diag need = {0};
    telar_prepared_release(c->set);
    c->set = NULL;
    if (bench_recording_repeat(c->recording, repeats, NULL, 0, &recording, &need) != TELAR_NO_SPACE) {
        return tl_fail(diag, need.status, "%s", need.text);
    }
    uint32_t *words = malloc((size_t)need.got * sizeof *words);
    if (words == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for %u repetitions", repeats);
    telar_status status = bench_recording_repeat(c->recording, repeats, words, (size_t)need.got, &recording, diag);
    if (status == TELAR_OK) {
        status = (b->settings.checked ? telar_host_prepare : telar_host_prepare_trusted)(b->host, recording, c->bound,
                                                                                         c->bound_count, &c->set, diag);
    }
    free(words);
    c->result.repeats = repeats;
    return status;
}

telar_status bench_case_check(bench *b, const bench_case *c, telar_diag *diag)
{
    for (uint32_t k = 0; c->problem->outputs[k].name != NULL; k++) {
        uint64_t words = c->data->words[k];
        if (words > b->back_words) {
            free(b->back);
            b->back = malloc(words * sizeof *b->back);
            b->back_words = b->back == NULL ? 0 : words;
            if (b->back == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to read outputs back");
        }
        if (words > 0) TELAR_TRY(telar_host_read(b->host, c->outputs[k], 0, b->back, words * 4, diag));
        TELAR_TRY(bench_data_check(c->data, c->problem, k, b->back, diag));
    }
    return TELAR_OK;
}

void bench_case_free(bench *b, bench_case *c)
{
    telar_prepared_release(c->set);
    telar_prepared_release(c->clear);
    for (uint32_t k = 0; k < BENCH_ARRAYS_MAX; k++) telar_host_buffer_release(b->host, c->outputs[k]);
    free(c->words);
    *c = (bench_case){0};
}
