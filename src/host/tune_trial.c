/* SPDX-License-Identifier: MIT
 *
 * Timing: a work's dispatches between two marks, as many as the clock needs, checked after each set. What the times mean
 * is not known here. */
#include "host/tune.h"

#include <string.h>

#include <telar/wgsl.h>

#include "kernels.h"

#define SET_NS 2e6            /* of a set at least, so that a clock that rises and falls is averaged ... */
#define SERIAL_SET_NS 5e5     /* ... on a CPU adapter a short one, that nobody else's time slice falls into */
#define QUANTA_OF_A_SET 100.0 /* so that the clock's quantum is below 1 % */
#define DISPATCHES_MAX 1000
#define OWN_OUTPUTS_MAX 64
#define OWN_OUTPUT_BYTES 256
#define ROUNDS_ENOUGH 9    /* where all times repeat ... */
#define REPEATS_WELL 0.005 /* ... so well */
#define ROW_GROUPS 32768   /* of a folded dispatch */
#define VECTOR_BYTES 16    /* of an element of the copying and reading kernels */

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
    telar_buffer own[OWN_OUTPUTS_MAX];
    telar_diag *diag;
} recorder;

static recorder begin(tl_tune *tune, telar_diag *diag)
{
    recorder r = {.tune = tune, .record = telar_record_begin(tune->words, TL_TUNE_WORDS), .diag = diag};
    for (uint32_t k = 0; k < TL_TUNE_DATA_COUNT; k++) {
        r.buffers[k] =
            telar_record_buffer(&r.record, &(telar_buffer_desc){.name = data_names[k],
                                                                .size_bytes = data_bytes(tune, (tl_tune_data)k),
                                                                .use = TELAR_USE_STORAGE | TELAR_USE_BOUND});
    }
    return r;
}

static const char *enable_line(const tl_tune *tune, const tl_work *work)
{
    return work->subgroups && tune->host->dialect.subgroups == TELAR_SUBGROUPS_ENABLE ? "enable subgroups;\n" : "";
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
    tl_out_text(&out, enable_line(r->tune, work));
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
                              .trusted = !work->checked,
                              .workgroup_size = {work->group_size, 1, 1}};
    return telar_record_kernel(&r->record, &desc);
}

/* Dispatch k of so many; its output is the work's, or a buffer of its own. */
static void add_dispatches(recorder *r, const tl_work *work, uint32_t count)
{
    uint32_t row_groups = work->groups < ROW_GROUPS ? work->groups : ROW_GROUPS;
    const uint32_t params[] = {work->groups, row_groups, work->salt, work->repeats};
    telar_bind binds[] = {{.buffer = r->buffers[work->input]}, {.buffer = r->buffers[work->output]}};
    telar_dispatch_desc dispatch = {.kernel = add_kernel(r, work),
                                    .groups = {row_groups, (uint32_t)telar_ceil_div(work->groups, row_groups), 1},
                                    .params = params,
                                    .params_words = TL_COUNT(params),
                                    .binds = binds,
                                    .binds_count = TL_COUNT(binds)};
    for (uint32_t k = 0; k < count; k++) {
        if (work->own_outputs) binds[1].buffer = r->own[k];
        telar_record_dispatch(&r->record, &dispatch);
    }
}

/* An element function as a user's goes: read, planned, woven, launched. */
static telar_status add_launches(recorder *r, const tl_work *work, uint32_t count)
{
    char text[1024];
    telar_out out = {.data = text, .cap = sizeof text};
    telar_arena arena = telar_arena_make(r->tune->arena, TL_TUNE_ARENA_BYTES);
    telar_plan_desc desc = {.count = {(uint64_t)work->groups * work->group_size * work->items - work->less},
                            .size = {work->group_size},
                            .items = work->items};
    telar_plan plan;
    telar_wgsl *module;
    telar_woven woven;
    tl_out_format(&out, "alias value = %s;\nconst salt = %uu;\n", work->vector ? "vec4u" : "u32", work->salt);
    tl_out_text(&out, work->wgsl);
    TELAR_ASSERT(out.len < sizeof text);
    TELAR_TRY(telar_plan_make(&desc, r->tune->facts, &plan, r->diag));
    TELAR_TRY(telar_wgsl_read(text, out.len, &arena, &module, r->diag));
    const telar_weave_desc weave = {.module = module, .plan = &plan, .dialect = r->tune->host->dialect};
    TELAR_TRY(telar_weave(&weave, &arena, &woven, r->diag));
    telar_kernel kernel = telar_record_kernel(&r->record, &woven.kernel);
    telar_bind binds[] = {{.buffer = r->buffers[work->input]}, {.buffer = r->buffers[work->output]}};
    for (uint32_t k = 0; k < count; k++) {
        if (work->own_outputs) binds[1].buffer = r->own[k];
        telar_record_launch(&r->record, kernel, &woven.kernel, &plan, binds, TL_COUNT(binds));
    }
    return TELAR_OK;
}

static telar_status add_work(recorder *r, const tl_work *work, uint32_t count)
{
    if (work->woven) return add_launches(r, work, count);
    add_dispatches(r, work, count);
    return TELAR_OK;
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

/* What is so before each set. */
static void add_beginning(recorder *r, const tl_work *work, uint32_t dispatches)
{
    telar_record_clear(&r->record, r->buffers[TL_TUNE_VERDICT], 0, 0);
    for (uint32_t k = 0; work->own_outputs && k < dispatches; k++) {
        r->own[k] = telar_record_buffer(
            &r->record, &(telar_buffer_desc){.name = "own", .size_bytes = OWN_OUTPUT_BYTES, .use = TELAR_USE_STORAGE});
        telar_record_clear(&r->record, r->own[k], 0, 0);
    }
    if (work->adds == 0) return;
    tl_work base = base_of(work);
    add_dispatches(r, &base, 1);
}

/* What brings the verdict together after each set. */
static void add_check(recorder *r, const tl_work *work, uint32_t dispatches)
{
    if (work->own_outputs) {
        tl_work sum = {.wgsl = tl_wgsl_tune_sum, .group_size = 1, .groups = 1, .output = TL_TUNE_VERDICT};
        telar_buffer from = r->buffers[sum.input];
        for (uint32_t k = 0; k < dispatches; k++) {
            r->buffers[sum.input] = r->own[k];
            add_dispatches(r, &sum, 1);
        }
        r->buffers[sum.input] = from;
    } else if (work->output != TL_TUNE_VERDICT) {
        tl_work check = check_of(work, dispatches);
        add_dispatches(r, &check, 1);
    }
}

/* A set of dispatches between two marks, the check, and the verdict back. */
static telar_status prepare(tl_tune *tune, const tl_work *work, uint32_t dispatches, telar_prepared **prepared,
                            telar_diag *diag)
{
    recorder r = begin(tune, diag);
    *prepared = NULL;
    add_beginning(&r, work, dispatches);
    telar_record_mark(&r.record, "begin");
    TELAR_TRY(add_work(&r, work, dispatches));
    telar_record_mark(&r.record, "end");
    add_check(&r, work, dispatches);
    telar_record_download(&r.record, r.buffers[TL_TUNE_VERDICT], 0, data_bytes(tune, TL_TUNE_VERDICT));
    telar_recording recording;
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

telar_status tl_work_submitted(tl_tune *tune, const tl_work *work, uint32_t submissions, uint32_t rounds, double *ns,
                               telar_diag *diag)
{
    telar_prepared *prepared;
    uint32_t words[TL_TUNE_VERDICT_WORDS] = {0};
    double set_ns;
    TELAR_TRY(prepare(tune, work, 1, &prepared, diag));
    telar_status status = run_set(tune, prepared, 1, &set_ns, words, diag);
    for (uint32_t round = 0; round < rounds && status == TELAR_OK; round++) {
        uint64_t start_ns = tl_now_ns();
        for (uint32_t k = 0; k < submissions && status == TELAR_OK; k++) status = telar_prepared_submit(prepared, diag);
        if (status == TELAR_OK) status = telar_host_wait(tune->host, 0, diag);
        ns[round] = (double)(tl_now_ns() - start_ns) / submissions;
    }
    if (status == TELAR_OK) status = run_set(tune, prepared, 1, &set_ns, words, diag);
    if (status == TELAR_OK) status = judge(work, 1, words, diag);
    telar_prepared_release(prepared);
    return status;
}

static uint32_t dispatches_for(const tl_tune *tune, const tl_work *work, double ns)
{
    uint32_t most = work->own_outputs ? OWN_OUTPUTS_MAX : DISPATCHES_MAX;
    double set_ns = QUANTA_OF_A_SET * tune->quantum_ns, least_ns = tune->serial ? SERIAL_SET_NS : SET_NS;
    if (set_ns < least_ns) set_ns = least_ns;
    double wanted = set_ns / (ns + 1);
    return wanted < 1 ? 1 : wanted >= most ? most : (uint32_t)wanted + 1;
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
        trials[k].dispatches = dispatches_for(tune, &trials[k].work, ns);
        TELAR_TRY(prepare(tune, &trials[k].work, trials[k].dispatches, &trials[k].prepared, diag));
        TELAR_TRY(take_turn(tune, &trials[k], &ns, diag));
    }
    return TELAR_OK;
}

/* Brings the estimates up to date; do all of them repeat well? */
static bool all_repeat(const tl_tune *tune, tl_trial *trials, size_t count, uint32_t rounds)
{
    bool all = true;
    for (size_t k = 0; k < count; k++) {
        tl_tune_estimate(tune, trials[k].rounds_ns, rounds, trials[k].ns);
        all = tl_tune_spread(trials[k].ns) <= REPEATS_WELL && all;
    }
    return all;
}

static telar_status run_rounds(tl_tune *tune, tl_trial *trials, size_t count, telar_diag *diag)
{
    bool enough = false;
    for (uint32_t round = 0; !enough; round++) {
        for (size_t k = 0; k < count; k++) {
            TELAR_TRY(take_turn(tune, &trials[k], &trials[k].rounds_ns[round], diag));
        }
        uint32_t rounds = round + 1;
        if (rounds < TL_TUNE_ROUNDS_MIN) continue;
        bool repeat = all_repeat(tune, trials, count, rounds);
        enough = (repeat && rounds >= ROUNDS_ENOUGH) || rounds == TL_TUNE_ROUNDS_MAX || tl_now_ns() >= tune->until_ns;
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
