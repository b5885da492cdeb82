/* SPDX-License-Identifier: MIT
 *
 * Timing: a work's dispatches between two marks, as many as the clock needs, checked after each set. What the times mean
 * is not known here. */
#include "host/tune.h"

#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define SET_NS 2e6            /* of a set at least, so that a clock that rises and falls is averaged */
#define QUANTA_OF_A_SET 100.0 /* so that the clock's quantum is below 1 % */
#define DISPATCHES_MAX 1000
#define ROW_GROUPS 32768 /* of a folded dispatch */
#define VECTOR_BYTES 16  /* of an element of the copying and reading kernels */

/* ---- Recording --------------------------------------------------------------------------------------------------- */

static const char *const data_names[TL_TUNE_DATA_COUNT] = {"from", "to", "verdict"};

static uint64_t data_bytes(const tl_tune *tune, tl_tune_data data)
{
    return data == TL_TUNE_VERDICT ? TL_TUNE_VERDICT_WORDS * sizeof(uint32_t) : tune->data_bytes;
}

typedef struct recorder {
    tl_tune *tune;
    telar_record record;
    telar_buffer buffers[TL_TUNE_DATA_COUNT];
} recorder;

static recorder begin(tl_tune *tune)
{
    recorder r = {.tune = tune, .record = telar_record_begin(tune->words, TL_TUNE_WORDS)};
    for (uint32_t k = 0; k < TL_TUNE_DATA_COUNT; k++) {
        r.buffers[k] =
            telar_record_buffer(&r.record, &(telar_buffer_desc){.name = data_names[k],
                                                                .size_bytes = data_bytes(tune, (tl_tune_data)k),
                                                                .use = TELAR_USE_STORAGE | TELAR_USE_BOUND});
    }
    return r;
}

static telar_kernel add_kernel(recorder *r, const tl_work *work)
{
    static const telar_binding bindings[] = {
        {.name = "input", .binding = 0, .space = TELAR_BINDING_STORAGE_READ, .element_bytes = 16, .min_bytes = 16},
        {.name = "output",
         .binding = 1,
         .space = TELAR_BINDING_STORAGE_READ_WRITE,
         .element_bytes = 4,
         .min_bytes = 16},
    };
    char text[8192];
    telar_out out = {.data = text, .cap = sizeof text};
    tl_out_format(&out, "const group_size = %uu;\nconst items = %uu;\n", work->group_size,
                  work->items == 0 ? 1 : work->items);
    tl_out_text(&out, tl_wgsl_tune);
    tl_out_text(&out, work->wgsl);
    TELAR_ASSERT(out.len < sizeof text);
    telar_kernel_desc desc = {.name = "tune",
                              .wgsl = text,
                              .wgsl_bytes = out.len,
                              .entry = "main",
                              .bindings = bindings,
                              .bindings_count = TL_COUNT(bindings),
                              .params_kind = TELAR_PARAMS_UNIFORM,
                              .params_binding = 2,
                              .params_words = 4,
                              .trusted = true,
                              .workgroup_size = {work->group_size, 1, 1}};
    return telar_record_kernel(&r->record, &desc);
}

static void add_dispatches(recorder *r, const tl_work *work, uint32_t count)
{
    uint32_t row_groups = work->groups < ROW_GROUPS ? work->groups : ROW_GROUPS;
    const uint32_t params[] = {work->groups, row_groups, work->salt, work->repeats};
    const telar_bind binds[] = {{.buffer = r->buffers[work->input]}, {.buffer = r->buffers[work->output]}};
    telar_dispatch_desc dispatch = {.kernel = add_kernel(r, work),
                                    .groups = {row_groups, (uint32_t)telar_ceil_div(work->groups, row_groups), 1},
                                    .params = params,
                                    .params_words = TL_COUNT(params),
                                    .binds = binds,
                                    .binds_count = TL_COUNT(binds)};
    for (uint32_t k = 0; k < count; k++) telar_record_dispatch(&r->record, &dispatch);
}

/* What reads the words that a set has written. */
static tl_work check_of(const tl_work *work, uint32_t dispatches)
{
    uint32_t size = work->group_size;
    while (work->checked_bytes % ((uint64_t)size * VECTOR_BYTES * TL_TUNE_READS) != 0) size /= 2;
    uint32_t groups = (uint32_t)(work->checked_bytes / ((uint64_t)size * VECTOR_BYTES * TL_TUNE_READS));
    return (tl_work){.wgsl = tl_wgsl_tune_read,
                     .group_size = size,
                     .groups = groups,
                     .salt = work->salt + work->adds * dispatches,
                     .input = work->output,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {groups, 0}};
}

/* What writes the words that a set adds to. */
static tl_work base_of(const tl_work *work)
{
    return (tl_work){.wgsl = tl_wgsl_tune_copy,
                     .group_size = work->group_size,
                     .groups = (uint32_t)(work->checked_bytes / ((uint64_t)work->group_size * VECTOR_BYTES)),
                     .salt = work->salt,
                     .input = work->input,
                     .output = work->output};
}

/* A set of dispatches between two marks, the check, and the verdict back. */
static telar_status prepare(tl_tune *tune, const tl_work *work, uint32_t dispatches, telar_prepared **prepared,
                            telar_diag *diag)
{
    recorder r = begin(tune);
    telar_record_clear(&r.record, r.buffers[TL_TUNE_VERDICT], 0, 0);
    if (work->adds > 0) {
        tl_work base = base_of(work);
        add_dispatches(&r, &base, 1);
    }
    telar_record_mark(&r.record, "begin");
    add_dispatches(&r, work, dispatches);
    telar_record_mark(&r.record, "end");
    if (work->output != TL_TUNE_VERDICT) {
        tl_work check = check_of(work, dispatches);
        add_dispatches(&r, &check, 1);
    }
    telar_record_download(&r.record, r.buffers[TL_TUNE_VERDICT], 0, data_bytes(tune, TL_TUNE_VERDICT));
    telar_recording recording;
    *prepared = NULL;
    TELAR_TRY(telar_record_end(&r.record, &recording, diag));
    telar_bound_buffer bound[TL_TUNE_DATA_COUNT];
    for (uint32_t k = 0; k < TL_TUNE_DATA_COUNT; k++) { bound[k] = (telar_bound_buffer){r.buffers[k], tune->data[k]}; }
    return telar_host_prepare_trusted(tune->host, recording, bound, TL_TUNE_DATA_COUNT, prepared, diag);
}

/* ---- Timing ------------------------------------------------------------------------------------------------------ */

static telar_status run_set(tl_tune *tune, telar_prepared *prepared, uint32_t dispatches, double *ns,
                            uint32_t verdict[TL_TUNE_VERDICT_WORDS], telar_diag *diag)
{
    const void *data;
    uint64_t size_bytes;
    uint64_t start_ns = tl_now_ns();
    TELAR_TRY(telar_prepared_run(prepared, diag));
    *ns = (double)(tl_now_ns() - start_ns);
    if (tune->clock) TELAR_TRY(telar_prepared_time_ns(prepared, 0, ns, diag));
    *ns /= dispatches;
    TELAR_TRY(telar_prepared_download(prepared, 0, &data, &size_bytes, diag));
    memcpy(verdict, data, (size_t)size_bytes);
    return TELAR_OK;
}

static telar_status judge(const tl_work *work, uint32_t dispatches, const uint32_t *verdict, telar_diag *diag)
{
    bool checked = work->output != TL_TUNE_VERDICT;
    tl_work judged = checked ? check_of(work, dispatches) : *work;
    for (uint32_t k = 0; k < TL_COUNT(judged.verdict); k++) {
        uint32_t expected = judged.verdict[k] * (checked ? 1 : dispatches);
        if (verdict[k] == expected) continue;
        return tl_fail_limit(diag, TELAR_MISMATCH, verdict[k], expected,
                             "a kernel of tuning (%u groups of %u) computes something wrong: word %u of its verdict is "
                             "%u, not %u",
                             work->groups, work->group_size, k, verdict[k], expected);
    }
    return TELAR_OK;
}

telar_status tl_work_once(tl_tune *tune, const tl_work *work, double *ns, uint32_t *verdict, telar_diag *diag)
{
    telar_prepared *prepared;
    uint32_t words[TL_TUNE_VERDICT_WORDS] = {0};
    double first_ns, again_ns = 0;
    TELAR_TRY(prepare(tune, work, 1, &prepared, diag));
    /* The first run of a pipeline may pay for its making. */
    telar_status status = run_set(tune, prepared, 1, &first_ns, words, diag);
    if (status == TELAR_OK) status = run_set(tune, prepared, 1, &again_ns, words, diag);
    if (status == TELAR_OK && verdict == NULL) status = judge(work, 1, words, diag);
    telar_prepared_release(prepared);
    if (ns != NULL) *ns = again_ns;
    if (verdict != NULL) memcpy(verdict, words, sizeof words);
    return status;
}

static uint32_t dispatches_for(const tl_tune *tune, double ns)
{
    double set_ns = QUANTA_OF_A_SET * tune->quantum_ns;
    if (set_ns < SET_NS) set_ns = SET_NS;
    double wanted = set_ns / (ns + 1);
    return wanted < 1 ? 1 : wanted > DISPATCHES_MAX ? DISPATCHES_MAX : (uint32_t)wanted + 1;
}

static telar_status take_turn(tl_tune *tune, tl_trial *trial, double *ns, telar_diag *diag)
{
    uint32_t verdict[TL_TUNE_VERDICT_WORDS];
    TELAR_TRY(run_set(tune, trial->prepared, trial->dispatches, ns, verdict, diag));
    return judge(&trial->work, trial->dispatches, verdict, diag);
}

static telar_status prepare_all(tl_tune *tune, tl_trial *trials, size_t count, telar_diag *diag)
{
    for (size_t k = 0; k < count; k++) {
        double ns;
        trials[k].work.salt = trials[k].work.output == TL_TUNE_TO ? ++tune->salt : trials[k].work.salt;
        TELAR_TRY(tl_work_once(tune, &trials[k].work, &ns, NULL, diag));
        trials[k].dispatches = dispatches_for(tune, ns);
        TELAR_TRY(prepare(tune, &trials[k].work, trials[k].dispatches, &trials[k].prepared, diag));
        TELAR_TRY(take_turn(tune, &trials[k], &ns, diag));
    }
    return TELAR_OK;
}

static telar_status run_rounds(tl_tune *tune, tl_trial *trials, size_t count, telar_diag *diag)
{
    tune->rounds = 0;
    while (tune->rounds < TL_TUNE_ROUNDS_MIN || (tune->rounds < TL_TUNE_ROUNDS_MAX && tl_now_ns() < tune->until_ns)) {
        for (size_t k = 0; k < count; k++) {
            TELAR_TRY(take_turn(tune, &trials[k], &trials[k].ns[tune->rounds], diag));
        }
        tune->rounds++;
    }
    return TELAR_OK;
}

telar_status tl_trials_run(tl_tune *tune, tl_trial *trials, size_t count, telar_diag *diag)
{
    telar_status status = prepare_all(tune, trials, count, diag);
    if (status == TELAR_OK) status = run_rounds(tune, trials, count, diag);
    for (size_t k = 0; k < count; k++) {
        telar_prepared_release(trials[k].prepared);
        trials[k].prepared = NULL;
    }
    return status;
}

/* ---- Facts ------------------------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_into(double *sorted, const double *values, uint32_t count)
{
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
}

static double middle_of(const double *sorted, uint32_t count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double tl_tune_known(const tl_tune *tune, telar_fact_name name)
{
    return telar_facts_assume(tune->facts, name).value;
}

double tl_tune_median(const double *values, uint32_t count)
{
    double sorted[TL_TUNE_ROUNDS_MAX];
    sort_into(sorted, values, count);
    return middle_of(sorted, count);
}

void tl_tune_fact(tl_tune *tune, telar_fact_name name, const double *values)
{
    double sorted[TL_TUNE_ROUNDS_MAX];
    sort_into(sorted, values, tune->rounds);
    double median = middle_of(sorted, tune->rounds);
    telar_facts_set(tune->facts, name, median, TELAR_SOURCE_MEASURED);
    if (!telar_facts_know(tune->facts, name)) return;
    tune->facts->values[name].spread = (sorted[tune->rounds - 1] - sorted[0]) / 2 / median;
}

uint32_t tl_tune_group_size(const tl_tune *tune, uint32_t wanted)
{
    uint64_t most = tune->facts->limits.maxComputeInvocationsPerWorkgroup;
    if (most > tune->facts->limits.maxComputeWorkgroupSizeX) most = tune->facts->limits.maxComputeWorkgroupSizeX;
    while (wanted > most) wanted /= 2;
    return wanted;
}
