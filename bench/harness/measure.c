/* SPDX-License-Identifier: MIT
 *
 * Times cases in turn. GPU time between two marks where the device has a clock, else submit to done. */
#include "harness/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

#define HOST_QUANTUM_NS 1e5       /* of submit to done: what a wait's sleeps add */
#define QUANTA_OF_A_SET 100.0     /* so that the clock's quantum is below 1 % */
#define REPEATS_FOR_THE_CLOCK 1e4 /* at most, however coarse it is */
#define TIMED_ROUNDS_MIN 3        /* of a run that ends after some time */

/* ---- One set ----------------------------------------------------------------------------------------------------- */

static bool has_clock(const bench *b)
{
    return telar_host_time_quantum_ns(b->host) > 0;
}

/* Nanoseconds of one run. */
static telar_status time_set(bench *b, bench_case *c, double *ns, telar_diag *diag)
{
    uint64_t start = tl_now_ns();
    TELAR_TRY(telar_prepared_run(c->set, diag));
    *ns = (double)(tl_now_ns() - start);
    if (has_clock(b)) TELAR_TRY(telar_prepared_time_ns(c->set, 0, ns, diag));
    *ns /= c->result.repeats;
    return TELAR_OK;
}

/* Runs the set again and again for warm_ms; the least time of them, which other work has not stretched. */
static telar_status warm_up(bench *b, bench_case *c, double *least_ns, telar_diag *diag)
{
    uint64_t start = tl_now_ns();
    double ns;
    *least_ns = INFINITY;
    do {
        TELAR_TRY(time_set(b, c, &ns, diag));
        if (ns < *least_ns) *least_ns = ns;
    } while ((double)(tl_now_ns() - start) < b->settings.warm_ms * 1e6);
    return TELAR_OK;
}

static uint32_t repeats_for(const bench *b, double ns)
{
    double quantum = has_clock(b) ? telar_host_time_quantum_ns(b->host) : HOST_QUANTUM_NS;
    double wanted = b->settings.set_ms * 1e6 / (ns + 1), needed = QUANTA_OF_A_SET * quantum / (ns + 1);
    if (wanted > b->settings.repeats_max) wanted = b->settings.repeats_max;
    if (needed > REPEATS_FOR_THE_CLOCK) needed = REPEATS_FOR_THE_CLOCK;
    return (uint32_t)(wanted > needed ? wanted : needed) + 1;
}

static telar_status set_up(bench *b, bench_case *c, telar_diag *diag)
{
    double ns;
    c->result.clock = has_clock(b) ? BENCH_CLOCK_GPU : BENCH_CLOCK_HOST;
    TELAR_TRY(bench_case_build(b, c, diag));
    TELAR_TRY(bench_case_repeat(b, c, 1, diag));
    TELAR_TRY(warm_up(b, c, &ns, diag));
    uint32_t repeats = repeats_for(b, ns);
    return repeats == 1 ? TELAR_OK : bench_case_repeat(b, c, repeats, diag);
}

static telar_status take_turn(bench *b, bench_case *c, uint32_t round, telar_diag *diag)
{
    double ns;
    TELAR_TRY(warm_up(b, c, &ns, diag));
    TELAR_TRY(telar_prepared_run(c->clear, diag));
    return time_set(b, c, &c->result.ns[round], diag);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

static bool ends_all(telar_status status)
{
    return status == TELAR_DEVICE_LOST || status == TELAR_TIMED_OUT;
}

/* What went wrong with one case is its result; the others go on. */
static telar_status note(bench_case *c, telar_status status, telar_diag *diag)
{
    if (status == TELAR_OK) return TELAR_OK;
    c->result.verdict = status == TELAR_MISMATCH      ? BENCH_WRONG
                        : status == TELAR_UNSUPPORTED ? BENCH_UNSUPPORTED
                                                      : BENCH_FAILED;
    telar_out out = {c->result.text, sizeof c->result.text, 0};
    tl_out_format(&out, "%s", diag->text);
    return ends_all(status) ? status : TELAR_OK;
}

static bool runs(const bench_case *c)
{
    return c->result.verdict < BENCH_UNSUPPORTED;
}

static void say_progress(const bench *b, double rounds, uint64_t begun_ns)
{
    if (b->progress == NULL) return;
    double part = b->settings.run_ms <= 0 ? rounds / b->settings.rounds
                                          : (double)(tl_now_ns() - begun_ns) / (b->settings.run_ms * 1e6);
    b->progress(b->progress_user, part < 1 ? part : 1);
}

static telar_status run_round(bench *b, bench_case *cases, uint32_t count, uint32_t round, uint64_t begun_ns,
                              telar_diag *diag)
{
    for (uint32_t k = 0; k < count; k++) {
        bench_case *c = &cases[k];
        say_progress(b, round + (double)k / count, begun_ns);
        if (!runs(c)) continue;
        if (c->companion != NULL) bench_companion_measure(c->companion, c->problem, c->data, &c->result, round);
        else TELAR_TRY(note(c, take_turn(b, c, round, diag), diag));
    }
    for (uint32_t k = 0; k < count; k++) {
        bench_case *c = &cases[k];
        /* Reading a copy back takes longer than timing it, and says the same every time. */
        bool known = c->problem == &bench_copy_problem && c->data != cases[0].data && round > 0;
        if (runs(c) && c->companion == NULL && !known) TELAR_TRY(note(c, bench_case_check(b, c, diag), diag));
    }
    return TELAR_OK;
}

/* One round more? */
static bool goes_on(const bench *b, uint32_t rounds, uint64_t begun_ns)
{
    if (b->settings.run_ms <= 0) return rounds < b->settings.rounds;
    bool time_left = (double)(tl_now_ns() - begun_ns) < b->settings.run_ms * 1e6;
    return rounds < TIMED_ROUNDS_MIN || (rounds < BENCH_ROUNDS_MAX && time_left);
}

static telar_status measure(bench *b, bench_case *cases, uint32_t count, telar_diag *diag)
{
    uint64_t begun_ns = tl_now_ns();
    for (uint32_t k = 0; k < count; k++) {
        if (cases[k].companion == NULL) TELAR_TRY(note(&cases[k], set_up(b, &cases[k], diag), diag));
    }
    uint32_t rounds = 0;
    for (; goes_on(b, rounds, begun_ns); rounds++) TELAR_TRY(run_round(b, cases, count, rounds, begun_ns, diag));
    for (uint32_t k = 0; k < count; k++) {
        if (!runs(&cases[k])) continue;
        cases[k].result.rounds = rounds;
        bench_result_sum_up(&cases[k].result);
    }
    return TELAR_OK;
}

/* ---- A run ------------------------------------------------------------------------------------------------------- */

static telar_status keep(bench_results *results, const bench_result *result, telar_diag *diag)
{
    if (results->count == results->cap) {
        size_t cap = results->cap * 2 + 16;
        bench_result *items = realloc(results->items, cap * sizeof *items);
        if (items == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for results");
        results->items = items;
        results->cap = cap;
    }
    results->items[results->count++] = *result;
    return TELAR_OK;
}

/* One call of the reference. */
static telar_status keep_plain(bench *b, const bench_problem *problem, const bench_data *data, telar_diag *diag)
{
    bench_result result = {.n = data->n,
                           .bytes = problem->bytes * (double)data->n,
                           .clock = BENCH_CLOCK_HOST,
                           .repeats = 1,
                           .rounds = 1,
                           .ns = {data->reference_ns}};
    bench_result_sum_up(&result);
    telar_out name = {result.problem, sizeof result.problem, 0};
    tl_out_text(&name, problem->name);
    name = (telar_out){result.way, sizeof result.way, 0};
    tl_out_text(&name, "plain C");
    return keep(&b->results, &result, diag);
}

static void add_case(bench_case *cases, uint32_t *count, const bench_way *way, bench_companion *companion,
                     const bench_problem *problem, const bench_data *data)
{
    bench_case *c = &cases[(*count)++];
    *c = (bench_case){.way = way, .companion = companion, .problem = problem, .data = data};
    c->result.n = data->n;
    c->result.bytes = problem->bytes * (double)data->n;
    telar_out name = {c->result.problem, sizeof c->result.problem, 0};
    tl_out_text(&name, problem->name);
    name = (telar_out){c->result.way, sizeof c->result.way, 0};
    tl_out_text(&name, companion == NULL ? way->name : companion->name);
}

/* Results of the ways and companions, beside the fastest copy. The copies stand at the end of the cases. */
static telar_status keep_all(bench *b, const bench_case *cases, uint32_t count, uint32_t copies, telar_diag *diag)
{
    const bench_result *limit = NULL;
    for (uint32_t k = count - copies; k < count; k++) {
        const bench_result *copy = &cases[k].result;
        if (copy->verdict == BENCH_RIGHT && (limit == NULL || copy->median_ns < limit->median_ns)) limit = copy;
    }
    for (uint32_t k = 0; k < count - copies; k++) {
        bench_result result = cases[k].result;
        if (limit != NULL) result.copy_ns = limit->median_ns * (result.bytes / limit->bytes);
        TELAR_TRY(keep(&b->results, &result, diag));
    }
    return TELAR_OK;
}

/* Ways, companions, copies. */
static telar_status measure_all(bench *b, const bench_way *const *ways, uint32_t ways_count, const bench_data *data,
                                const bench_data *copied, telar_diag *diag)
{
    const bench_problem *problem = ways[0]->problem;
    bench_case cases[BENCH_CASES_MAX];
    uint32_t count = 0, copies = 0;
    for (uint32_t k = 0; k < ways_count; k++) add_case(cases, &count, ways[k], NULL, problem, data);
    for (uint32_t k = 0; k < b->companions_count; k++) {
        add_case(cases, &count, NULL, &b->companions[k], problem, data);
    }
    for (; bench_copy_ways[copies].name != NULL; copies++) {
        add_case(cases, &count, &bench_copy_ways[copies], NULL, &bench_copy_problem, copied);
    }
    telar_status status = measure(b, cases, count, diag);
    if (status == TELAR_OK) status = keep_all(b, cases, count, copies, diag);
    if (status == TELAR_OK) status = keep_plain(b, problem, data, diag);
    for (uint32_t k = 0; k < count; k++) bench_case_free(b, &cases[k]);
    return status;
}

telar_status bench_run(bench *b, const bench_way *const *ways, uint32_t ways_count, uint64_t n, telar_diag *diag)
{
    const bench_problem *problem = ways[0]->problem;
    bench_data data, copied = {0};
    if (ways_count > BENCH_WAYS_MAX) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, ways_count, BENCH_WAYS_MAX,
                             "%u ways of '%s' are too many for one run", ways_count, problem->name);
    }
    bench_inputs_unuse(b);
    TELAR_TRY(bench_data_make(b, problem, n, &data, diag));
    telar_status status =
        bench_data_make(b, &bench_copy_problem, bench_copy_words(problem->bytes * (double)n), &copied, diag);
    if (status == TELAR_OK) {
        bench_inputs_drop_unused(b);
        status = measure_all(b, ways, ways_count, &data, &copied, diag);
    }
    bench_data_free(&data);
    bench_data_free(&copied);
    return status;
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static void describe(bench *b)
{
    const telar_adapter_info *info = telar_host_adapter(b->host);
    bench_environment *environment = &b->results.environment;
    telar_out out = {environment->adapter, sizeof environment->adapter, 0};
    tl_out_text(&out, info->adapter);
    out = (telar_out){environment->driver, sizeof environment->driver, 0};
    tl_out_text(&out, info->driver);
    out = (telar_out){environment->implementation, sizeof environment->implementation, 0};
    tl_out_format(&out, "%s %s",
                  info->implementation == TELAR_IMPLEMENTATION_DAWN   ? "Dawn"
                  : info->implementation == TELAR_IMPLEMENTATION_WGPU ? "wgpu-native"
                                                                      : "WebGPU",
                  info->version);
    environment->quantum_ns = telar_host_time_quantum_ns(b->host);
    environment->rounds = b->settings.run_ms > 0 ? 0 : b->settings.rounds;
    environment->set_ms = b->settings.set_ms;
    environment->warm_ms = b->settings.warm_ms;
    environment->checked = b->settings.checked;
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        environment->tuned |= b->facts.values[k].source == TELAR_SOURCE_MEASURED;
    }
}

void bench_open(bench *b, telar_host *host, const bench_settings *settings)
{
    const telar_facts *facts = settings->facts == NULL ? telar_host_facts(host) : settings->facts;
    *b = (bench){.host = host, .facts = *facts, .settings = *settings};
    if (b->settings.warm_ms <= 0) b->settings.warm_ms = b->facts.type == TELAR_DEVICE_CPU ? 10 : 100;
    if (settings->as_gpu) b->facts.type = TELAR_DEVICE_DISCRETE;
    if (b->settings.rounds == 0) b->settings.rounds = 5;
    if (b->settings.rounds > BENCH_ROUNDS_MAX) b->settings.rounds = BENCH_ROUNDS_MAX;
    if (b->settings.set_ms <= 0) b->settings.set_ms = 12;
    if (b->settings.repeats_max == 0) b->settings.repeats_max = 500;
    describe(b);
}

void bench_results_free(bench_results *results)
{
    free(results->items);
    *results = (bench_results){0};
}

void bench_close(bench *b)
{
    for (uint32_t k = 0; k < b->companions_count; k++) bench_companion_stop(&b->companions[k]);
    bench_inputs_unuse(b);
    bench_inputs_drop_unused(b);
    free(b->back);
    bench_results_free(&b->results);
    *b = (bench){0};
}
