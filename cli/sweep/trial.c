/* SPDX-License-Identifier: MIT
 *
 * A candidate's work, compiled: once for a check (outputs as they were, one run, the comparison on the device), once as a
 * set of many runs between two marks. What is compared stays on the device: only a verdict comes back. */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "sweep/kernels/kernels.h"

#define MEMORY_FIRST ((size_t)8 << 20)
#define MEMORY_MAX ((size_t)1 << 30)
#define WORDS_FIRST (1u << 18)
#define REPEATS_MAX 1000
#define QUANTA_OF_A_SET 100.0 /* so that the clock's quantum is below 1 % */
#define HOST_QUANTUM_US 100.0 /* of submit to done */
#define VERDICT_WORDS 2

/* ---- What trials share ------------------------------------------------------------------------------------------- */

telar_status tl_sweep_bench_open(telar_host *host, const tl_sweep_facts *facts, tl_sweep_bench *bench, telar_diag *diag)
{
    *bench = (tl_sweep_bench){.host = host,
                              .facts = facts,
                              .words = malloc(WORDS_FIRST * sizeof(uint32_t)),
                              .words_cap = WORDS_FIRST,
                              .memory = malloc(MEMORY_FIRST),
                              .memory_bytes = MEMORY_FIRST};
    telar_status status = bench->words == NULL || bench->memory == NULL
                              ? tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for recordings")
                              : TELAR_OK;
    bench->check = (tl_subject){.name = "check"};
    bench->copy = (tl_subject){.name = "copy", .bytes = 32};
    if (status == TELAR_OK) status = tl_subject_open(tl_wgsl_check, strlen(tl_wgsl_check), &bench->check, diag);
    if (status == TELAR_OK) status = tl_subject_open(tl_wgsl_copy, strlen(tl_wgsl_copy), &bench->copy, diag);
    if (status != TELAR_OK) tl_sweep_bench_close(bench);
    return status;
}

void tl_sweep_bench_close(tl_sweep_bench *bench)
{
    tl_subject_close(&bench->check);
    tl_subject_close(&bench->copy);
    free(bench->words);
    free(bench->memory);
    *bench = (tl_sweep_bench){0};
}

/* ---- Recording --------------------------------------------------------------------------------------------------- */

/* Everything of one recording in the making. */
typedef struct recorder {
    const tl_sweep_bench *bench;
    const tl_subject *subject;
    const tl_bed *bed;
    const tl_sweep_work *work;
    const tl_candidate *candidate;
    telar_arena arena;
    telar_record record;
    telar_buffer buffers[TL_SWEEP_ARRAYS_MAX + TL_SWEEP_SCRATCH_MAX];
    telar_bound_buffer bound[3 * TL_SWEEP_ARRAYS_MAX];
    uint32_t bound_count;
    telar_kernel kernels[TL_SWEEP_PASSES_MAX];
    telar_woven woven[TL_SWEEP_PASSES_MAX];
} recorder;

static telar_buffer declare(recorder *r, const char *name, uint64_t bytes, uint32_t use, WGPUBuffer handle)
{
    uint32_t bound = handle != NULL ? TELAR_USE_BOUND : 0;
    telar_buffer buffer =
        telar_record_buffer(&r->record, &(telar_buffer_desc){.name = name, .size_bytes = bytes, .use = use | bound});
    if (handle != NULL) r->bound[r->bound_count++] = (telar_bound_buffer){buffer, handle};
    return buffer;
}

static uint64_t least_bytes(uint64_t bytes)
{
    return bytes == 0 ? 16 : tl_bed_buffer_bytes(bytes);
}

static void declare_all(recorder *r)
{
    for (uint32_t k = 0; k < r->bed->arrays_count; k++) {
        const tl_bed_array *array = &r->bed->arrays[k];
        uint32_t use = array->role == TL_ARRAY_UNIFORM ? TELAR_USE_UNIFORM : TELAR_USE_STORAGE;
        r->buffers[k] = declare(r, array->name, least_bytes(array->bytes), use, array->handle);
    }
    for (uint32_t k = 0; k < r->work->scratch_count; k++) {
        r->buffers[r->bed->arrays_count + k] =
            declare(r, "scratch", least_bytes(r->work->scratch_bytes[k]), TELAR_USE_STORAGE, NULL);
    }
}

static telar_status weave_all(recorder *r, telar_diag *diag)
{
    telar_override overrides[TL_SWEEP_OVERRIDES_MAX];
    uint32_t count = tl_subject_overrides(r->subject, r->candidate, overrides);
    bool copy = r->subject == &r->bench->copy;
    for (uint32_t k = 0; k < r->work->count; k++) {
        const tl_pass *pass = &r->work->passes[k];
        telar_weave_desc desc = {.module = r->subject->forms[r->candidate->vector && !copy].module,
                                 .element = r->subject->element,
                                 .entry = pass->entry != NULL ? pass->entry : r->subject->entry,
                                 .plan = &pass->launch,
                                 .dialect = telar_host_dialect(r->bench->host),
                                 .overrides = overrides,
                                 .overrides_count = count};
        TELAR_TRY(telar_weave(&desc, &r->arena, &r->woven[k], diag));
        r->kernels[k] = telar_record_kernel(&r->record, &r->woven[k].kernel);
    }
    return TELAR_OK;
}

/* Only what the kernel has: a bed may hold more. */
static uint32_t binds_of(const recorder *r, uint32_t at, telar_bind binds[TL_SWEEP_ARRAYS_MAX])
{
    const tl_pass *pass = &r->work->passes[at];
    const telar_kernel_desc *kernel = &r->woven[at].kernel;
    uint32_t count = 0;
    for (uint32_t k = 0; k < pass->binds_count; k++) {
        for (uint32_t j = 0; j < kernel->bindings_count; j++) {
            if (strcmp(kernel->bindings[j].name, pass->binds[k].name) != 0) continue;
            binds[count++] = (telar_bind){.buffer = r->buffers[pass->binds[k].array],
                                          .size_bytes = pass->binds[k].bytes,
                                          .name = pass->binds[k].name};
        }
    }
    return count;
}

static void record_run(recorder *r)
{
    telar_bind binds[TL_SWEEP_ARRAYS_MAX];
    for (uint32_t k = 0; k < r->work->count; k++) {
        uint32_t count = binds_of(r, k, binds);
        telar_record_launch(&r->record, r->kernels[k], &r->woven[k].kernel, &r->work->passes[k].launch, binds, count);
    }
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

static bool is_written(const tl_sweep_work *work, uint32_t array)
{
    for (uint32_t k = 0; k < work->count; k++) {
        for (uint32_t j = 0; j < work->passes[k].binds_count; j++) {
            if (work->passes[k].binds[j].array == array) return true;
        }
    }
    return false;
}

static bool is_checked(const recorder *r, uint32_t array)
{
    return r->bed->arrays[array].role == TL_ARRAY_OUTPUT && is_written(r->work, array);
}

static void record_restore(recorder *r, uint32_t at)
{
    const tl_bed_array *array = &r->bed->arrays[at];
    if (array->initial == NULL) {
        telar_record_clear(&r->record, r->buffers[at], 0, 0);
        return;
    }
    telar_buffer initial = declare(r, "initial", least_bytes(array->bytes), TELAR_USE_STORAGE, array->initial);
    telar_record_copy(&r->record, initial, 0, r->buffers[at], 0, least_bytes(array->bytes));
}

/* Compares one output and brings the verdict back: a download for each. */
static telar_status record_compare(recorder *r, uint32_t at, telar_buffer verdict, telar_diag *diag)
{
    const tl_bed_array *array = &r->bed->arrays[at];
    telar_plan plan;
    telar_woven woven;
    telar_override tolerance = {"tolerance", r->subject->tolerance};
    telar_plan_desc wanted = {.count = {array->bytes / 4}, .no_windows = true};
    TELAR_TRY(telar_plan_make(&wanted, &r->bench->facts->untuned, &plan, diag));
    telar_weave_desc desc = {.module = r->bench->check.forms[0].module,
                             .plan = &plan,
                             .dialect = telar_host_dialect(r->bench->host),
                             .overrides = &tolerance,
                             .overrides_count = 1};
    TELAR_TRY(telar_weave(&desc, &r->arena, &woven, diag));
    telar_kernel kernel = telar_record_kernel(&r->record, &woven.kernel);
    bool other = strcmp(array->name, TL_COPY_TARGET) == 0; /* what is expected of it is an array of the bed */
    telar_buffer expected = other
                                ? r->buffers[tl_bed_find(r->bed, TL_COPY_SOURCE)]
                                : declare(r, "expected", least_bytes(array->bytes), TELAR_USE_STORAGE, array->expected);
    const telar_bind binds[] = {{.buffer = r->buffers[at], .size_bytes = array->bytes, .name = "got"},
                                {.buffer = expected, .size_bytes = array->bytes, .name = "expected"},
                                {.buffer = verdict, .name = "wrong"}};
    telar_record_clear(&r->record, verdict, 0, 0);
    telar_record_launch(&r->record, kernel, &woven.kernel, &plan, binds, TL_COUNT(binds));
    telar_record_download(&r->record, verdict, 0, VERDICT_WORDS * sizeof(uint32_t));
    return TELAR_OK;
}

static telar_status record_check(recorder *r, bool run, telar_diag *diag)
{
    declare_all(r);
    telar_buffer verdict = declare(r, "verdict", 16, TELAR_USE_STORAGE, NULL);
    for (uint32_t k = 0; k < r->bed->arrays_count; k++) {
        if (is_checked(r, k)) record_restore(r, k);
    }
    if (run) {
        TELAR_TRY(weave_all(r, diag));
        telar_record_mark(&r->record, "begin");
        record_run(r);
        telar_record_mark(&r->record, "end");
    }
    for (uint32_t k = 0; k < r->bed->arrays_count; k++) {
        if (is_checked(r, k) && r->bed->arrays[k].expected != NULL) TELAR_TRY(record_compare(r, k, verdict, diag));
    }
    return TELAR_OK;
}

/* The verdicts of the latest run of a check. */
static telar_status judge(telar_prepared *check, const tl_bed *bed, const tl_sweep_work *work, bool *all_differ,
                          telar_diag *diag)
{
    uint32_t download = 0;
    telar_status status = TELAR_OK;
    *all_differ = true;
    for (uint32_t k = 0; k < bed->arrays_count; k++) {
        if (bed->arrays[k].role != TL_ARRAY_OUTPUT || bed->arrays[k].expected == NULL || !is_written(work, k)) continue;
        const void *data;
        uint64_t bytes;
        uint32_t verdict[VERDICT_WORDS];
        TELAR_TRY(telar_prepared_download(check, download++, &data, &bytes, diag));
        memcpy(verdict, data, sizeof verdict);
        *all_differ = *all_differ && verdict[0] != 0;
        if (verdict[0] == 0 || status != TELAR_OK) continue;
        status = tl_fail(diag, TELAR_MISMATCH, "%u of the %llu words of '%s' are wrong, the first is %u", verdict[0],
                         (unsigned long long)(bed->arrays[k].bytes / 4), bed->arrays[k].name, ~verdict[1]);
    }
    return status;
}

/* ---- Preparing --------------------------------------------------------------------------------------------------- */

typedef telar_status record_body(recorder *r, uint32_t repeats, telar_diag *diag);

static telar_status body_check(recorder *r, uint32_t repeats, telar_diag *diag)
{
    return record_check(r, repeats > 0, diag);
}

static telar_status body_set(recorder *r, uint32_t repeats, telar_diag *diag)
{
    declare_all(r);
    TELAR_TRY(weave_all(r, diag));
    telar_record_mark(&r->record, "begin");
    for (uint32_t k = 0; k < repeats; k++) record_run(r);
    telar_record_mark(&r->record, "end");
    return TELAR_OK;
}

static telar_status grow(void **memory, size_t *bytes, telar_diag *diag)
{
    void *more = *bytes < MEMORY_MAX ? realloc(*memory, *bytes * 2) : NULL;
    if (more == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a recording");
    *memory = more;
    *bytes *= 2;
    return TELAR_OK;
}

/* Doubles what was too small until the recording fits. */
static telar_status prepare(tl_sweep_bench *bench, const recorder *with, record_body *body, uint32_t repeats,
                            telar_prepared **prepared, telar_diag *diag)
{
    *prepared = NULL;
    for (;;) {
        recorder r = *with;
        telar_recording recording;
        telar_diag first = {0};
        r.arena = telar_arena_make(bench->memory, bench->memory_bytes);
        r.record = telar_record_begin(bench->words, bench->words_cap);
        telar_status status = body(&r, repeats, &first);
        if (status == TELAR_NO_SPACE) {
            TELAR_TRY(grow(&bench->memory, &bench->memory_bytes, diag));
            continue;
        }
        if (status == TELAR_OK) status = telar_record_end(&r.record, &recording, &first);
        if (status == TELAR_NO_SPACE) {
            size_t bytes = bench->words_cap * sizeof(uint32_t);
            TELAR_TRY(grow((void **)&bench->words, &bytes, diag));
            bench->words_cap = bytes / sizeof(uint32_t);
            continue;
        }
        if (status != TELAR_OK) return tl_fail_limit(diag, status, first.got, first.limit, "%s", first.text);
        return telar_host_prepare(bench->host, recording, r.bound, r.bound_count, prepared, diag);
    }
}

static bool has_clock(const tl_sweep_bench *bench)
{
    return telar_host_time_quantum_ns(bench->host) > 0;
}

static telar_status run_timed(const tl_sweep_bench *bench, telar_prepared *prepared, uint32_t repeats, double *us,
                              telar_diag *diag)
{
    uint64_t start_ns = tl_clock_ns();
    TELAR_TRY(telar_prepared_run(prepared, diag));
    double ns = (double)(tl_clock_ns() - start_ns);
    if (has_clock(bench)) TELAR_TRY(telar_prepared_time_ns(prepared, 0, &ns, diag));
    *us = ns / 1000 / repeats;
    return TELAR_OK;
}

telar_status tl_sweep_trial_check(tl_sweep_bench *bench, const tl_subject *subject, const tl_bed *bed,
                                  const tl_sweep_work *work, const tl_candidate *candidate, tl_sweep_trial *trial,
                                  double *us, telar_diag *diag)
{
    recorder r = {.bench = bench, .subject = subject, .bed = bed, .work = work, .candidate = candidate};
    bool differ;
    TELAR_TRY(prepare(bench, &r, body_check, 1, &trial->check, diag));
    TELAR_TRY(run_timed(bench, trial->check, 1, us, diag));
    return judge(trial->check, bed, work, &differ, diag);
}

telar_status tl_sweep_trial_again(const tl_bed *bed, const tl_sweep_work *work, tl_sweep_trial *trial, telar_diag *diag)
{
    bool differ;
    TELAR_TRY(telar_prepared_run(trial->check, diag));
    return judge(trial->check, bed, work, &differ, diag);
}

telar_status tl_sweep_trial_prove(tl_sweep_bench *bench, const tl_bed *bed, const tl_sweep_work *work, telar_diag *diag)
{
    static const tl_candidate none = {0};
    recorder r = {.bench = bench, .subject = &bench->copy, .bed = bed, .work = work, .candidate = &none};
    telar_prepared *check;
    bool differ = false;
    telar_diag found = {0};
    TELAR_TRY(prepare(bench, &r, body_check, 0, &check, diag));
    telar_status status = telar_prepared_run(check, diag);
    if (status == TELAR_OK) {
        judge(check, bed, work, &differ, &found);
        if (!differ) {
            status = tl_fail(diag, TELAR_MISMATCH,
                             "outputs before any run are taken for right: the comparison sees nothing");
        }
    }
    telar_prepared_release(check);
    return status;
}

static uint32_t repeats_for(const tl_sweep_bench *bench, double run_us, double set_us)
{
    double quantum_us = has_clock(bench) ? telar_host_time_quantum_ns(bench->host) / 1000 : HOST_QUANTUM_US;
    if (set_us < QUANTA_OF_A_SET * quantum_us) set_us = QUANTA_OF_A_SET * quantum_us;
    double wanted = set_us / (run_us + 1e-3);
    return wanted < 1 ? 1 : wanted > REPEATS_MAX ? REPEATS_MAX : (uint32_t)wanted;
}

telar_status tl_sweep_trial_repeat(tl_sweep_bench *bench, const tl_subject *subject, const tl_bed *bed,
                                   const tl_sweep_work *work, const tl_candidate *candidate, double run_us,
                                   double set_us, tl_sweep_trial *trial, telar_diag *diag)
{
    recorder r = {.bench = bench, .subject = subject, .bed = bed, .work = work, .candidate = candidate};
    telar_prepared_release(trial->set);
    trial->repeats = repeats_for(bench, run_us, set_us);
    return prepare(bench, &r, body_set, trial->repeats, &trial->set, diag);
}

telar_status tl_sweep_trial_time(const tl_sweep_bench *bench, tl_sweep_trial *trial, double *us, telar_diag *diag)
{
    return run_timed(bench, trial->set, trial->repeats, us, diag);
}

void tl_sweep_trial_drop(tl_sweep_trial *trial)
{
    telar_prepared_release(trial->check);
    telar_prepared_release(trial->set);
    *trial = (tl_sweep_trial){0};
}
