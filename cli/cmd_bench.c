/* SPDX-License-Identifier: MIT
 *
 * telar bench: the cases of bench/cases on a device, by the harness of bench/harness. This file chooses what is measured,
 * and judges what came out. */
#include "bench_report.h"
#include "cases/cases.h"
#include "device_find.h"
#include "io/file.h"
#include "io/quantity.h"
#include "json.h"
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    COUNTS_MAX = 16,
    COUNT_MAX = 1 << 30,
    NAMES_MAX = TL_TEXTS_MAX
};

typedef struct bench_options {
    tl_texts ways, companions;
    uint64_t counts[COUNTS_MAX];
    uint32_t counts_count;
    const char *device, *out, *compare;
    double time_s; /* of all; 0: by rounds */
    uint32_t rounds, repeats;
    double set_ms, warm_ms;
    double slower_part; /* of --fail-if-slower */
    bool gated;         /* it was given */
    bool checked, as_gpu, list;
} bench_options;

typedef struct bench_state {
    const tl_cli *cli;
    const bench_options *options;
    char **names; /* of the command line; none: all problems */
    uint32_t names_count;
    tl_device device;
    telar_facts facts;
    bench bench;
    bench_results before; /* of --compare */
    tl_progress progress;
    uint32_t runs, run; /* how many there will be, and which one it is */
    telar_diag diag;
} bench_state;

/* ---- What is measured -------------------------------------------------------------------------------------------- */

static bool wants_problem(const bench_state *state, const bench_problem *problem)
{
    for (uint32_t k = 0; k < state->names_count; k++) {
        if (strstr(problem->name, state->names[k]) != NULL) return true;
    }
    return state->names_count == 0;
}

static bool wants_way(const bench_options *options, const bench_way *way)
{
    for (uint32_t k = 0; k < options->ways.count; k++) {
        if (strstr(way->name, options->ways.items[k]) != NULL) return true;
    }
    return options->ways.count == 0 && !bench_is_candidate(way);
}

/* The wanted ways of a problem, as many as there is room for. */
static uint32_t ways_of(const bench_state *state, const bench_problem *problem, const bench_way **chosen)
{
    uint32_t count = 0;
    for (const bench_way *way = NULL; (way = bench_next_way(problem, way)) != NULL;) {
        if (wants_way(state->options, way) && count < BENCH_WAYS_MAX) chosen[count++] = way;
    }
    return count;
}

/* The next problem of which there is something to measure. */
static const bench_problem *next_wanted(const bench_state *state, const bench_problem *problem, const bench_way **ways,
                                        uint32_t *ways_count)
{
    while ((problem = bench_next_problem(problem)) != NULL) {
        if (!wants_problem(state, problem)) continue;
        *ways_count = ways_of(state, problem, ways);
        if (*ways_count > 0) return problem;
    }
    return NULL;
}

/* What names begin with: "scan" of "scan exclusive u32". */
typedef struct nouns {
    char texts[NAMES_MAX][BENCH_NAME_BYTES];
    const char *items[NAMES_MAX];
    size_t count;
} nouns;

static void list_nouns(nouns *list)
{
    list->count = 0;
    for (const bench_problem *problem = NULL; (problem = bench_next_problem(problem)) != NULL;) {
        if (list->count == NAMES_MAX) return;
        char *text = list->texts[list->count];
        snprintf(text, BENCH_NAME_BYTES, "%.*s", (int)strcspn(problem->name, " "), problem->name);
        list->items[list->count++] = text;
    }
}

static int unknown_name(const tl_cli *cli, const char *name)
{
    nouns list;
    list_nouns(&list);
    const char *near = tl_nearest(name, list.items, list.count);
    if (near != NULL) {
        return tl_error(TL_PICK(cli, "bench: no case has '%.60s' in its name; did you mean %s?",
                                "bench: ningún caso tiene '%.60s' en su nombre; ¿querías decir %s?"),
                        name, near);
    }
    return tl_error(TL_PICK(cli, "bench: no case has '%.60s' in its name; see telar bench --list",
                            "bench: ningún caso tiene '%.60s' en su nombre; mira telar bench --list"),
                    name);
}

/* Each name says something, and so does --way. */
static int check_names(const bench_state *state)
{
    const tl_cli *cli = state->cli;
    for (uint32_t k = 0; k < state->names_count; k++) {
        const bench_problem *problem = NULL;
        while ((problem = bench_next_problem(problem)) != NULL && strstr(problem->name, state->names[k]) == NULL) {}
        if (problem == NULL) return unknown_name(cli, state->names[k]);
    }
    const bench_way *ways[BENCH_WAYS_MAX];
    uint32_t count;
    if (next_wanted(state, NULL, ways, &count) != NULL) return TL_EXIT_DONE;
    return tl_error(TL_PICK(cli, "bench: no way of these cases has such a name; see telar bench --list --way ''",
                            "bench: ningún modo de estos casos se llama así; mira telar bench --list --way ''"));
}

/* ---- --list ------------------------------------------------------------------------------------------------------ */

static void list_cases(const bench_state *state)
{
    const bench_way *ways[BENCH_WAYS_MAX];
    uint32_t count;
    for (const bench_problem *problem = NULL; (problem = next_wanted(state, problem, ways, &count)) != NULL;) {
        printf("%s\n ", problem->name);
        for (uint32_t k = 0; k < count; k++) printf(" %s%s", ways[k]->name, k + 1 < count ? "," : "\n");
    }
}

static void list_json(const bench_state *state)
{
    const bench_way *ways[BENCH_WAYS_MAX];
    uint32_t count;
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_array(&json, "cases");
    for (const bench_problem *problem = NULL; (problem = next_wanted(state, problem, ways, &count)) != NULL;) {
        tl_json_object(&json, NULL);
        tl_json_text(&json, "problem", problem->name);
        tl_json_f64(&json, "bytes_per_element", problem->bytes);
        tl_json_array(&json, "ways");
        for (uint32_t k = 0; k < count; k++) tl_json_text(&json, NULL, ways[k]->name);
        tl_json_end_array(&json);
        tl_json_end_object(&json);
    }
    tl_json_end_array(&json);
    tl_json_end_object(&json);
}

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

typedef struct counts {
    const uint64_t *items;
    uint32_t count;
} counts;

/* Those of --count; else some that show a device: in its caches, beyond them, and all of its memory. */
static counts counts_of(const bench_state *state)
{
    static const uint64_t gpu[] = {1 << 20, 1 << 24, 1 << 28}, cpu[] = {1 << 16, 1 << 20};
    if (state->options->counts_count > 0) return (counts){state->options->counts, state->options->counts_count};
    bool slow = telar_host_facts(state->device.host)->type == TELAR_DEVICE_CPU;
    return slow ? (counts){cpu, TL_COUNT(cpu)} : (counts){gpu, TL_COUNT(gpu)};
}

static uint32_t count_runs(const bench_state *state)
{
    const bench_way *ways[BENCH_WAYS_MAX];
    uint32_t runs = 0, count;
    for (const bench_problem *problem = NULL; (problem = next_wanted(state, problem, ways, &count)) != NULL;) {
        runs += counts_of(state).count;
    }
    return runs;
}

static void show_progress(void *user, double part)
{
    bench_state *state = user;
    tl_progress_at(&state->progress, (uint64_t)(1000 * (state->run + part)), 1000 * (uint64_t)state->runs);
}

static telar_status start_companion(bench_state *state, const char *text)
{
    char name[BENCH_NAME_BYTES];
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof name) {
        return tl_fail(&state->diag, TELAR_INVALID_ARGUMENT, "--companion: '%.60s' is not NAME=COMMAND", text);
    }
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    return bench_companion_start(&state->bench, name, equals + 1, &state->diag);
}

static telar_status open_bench(bench_state *state)
{
    const bench_options *options = state->options;
    state->facts = tl_device_plan_facts(&state->device);
    state->runs = count_runs(state);
    bench_open(&state->bench, state->device.host,
               &(bench_settings){.facts = &state->facts,
                                 .rounds = options->rounds,
                                 .run_ms = options->time_s * 1e3 / state->runs,
                                 .set_ms = options->set_ms,
                                 .warm_ms = options->warm_ms,
                                 .repeats_max = options->repeats,
                                 .checked = options->checked,
                                 .as_gpu = options->as_gpu});
    state->bench.progress = show_progress;
    state->bench.progress_user = state;
    time_t now = time(NULL);
    char *date = state->bench.results.environment.date;
    strftime(date, sizeof state->bench.results.environment.date, "%Y-%m-%d", gmtime(&now));
    for (uint32_t k = 0; k < options->companions.count; k++) {
        TELAR_TRY(start_companion(state, options->companions.items[k]));
    }
    return TELAR_OK;
}

static telar_status measure_problem(bench_state *state, const bench_problem *problem, const bench_way *const *ways,
                                    uint32_t ways_count)
{
    counts wanted = counts_of(state);
    for (uint32_t k = 0; k < wanted.count; k++, state->run++) {
        uint64_t n = wanted.items[k] * (problem->scale == 0 ? 1 : problem->scale);
        TELAR_TRY(bench_run(&state->bench, ways, ways_count, n, &state->diag));
    }
    /* A machine that is lent for minutes may end the program before its last problem. */
    if (state->options->out == NULL) return TELAR_OK;
    return bench_archive_write(&state->bench.results, state->options->out, &state->diag);
}

/* Before any work: a name that cannot be written is found at once. */
static telar_status try_output(bench_state *state)
{
    tl_output output;
    if (state->options->out == NULL) return TELAR_OK;
    TELAR_TRY(tl_output_begin(state->options->out, &output, &state->diag));
    tl_output_abandon(&output);
    return TELAR_OK;
}

static telar_status measure_all(bench_state *state)
{
    const bench_way *ways[BENCH_WAYS_MAX];
    uint32_t count;
    TELAR_TRY(open_bench(state));
    state->progress = tl_progress_begin("bench");
    telar_status status = TELAR_OK;
    for (const bench_problem *problem = NULL;
         status == TELAR_OK && (problem = next_wanted(state, problem, ways, &count)) != NULL;) {
        status = measure_problem(state, problem, ways, count);
    }
    tl_progress_end(&state->progress);
    return status;
}

/* ---- Judging ----------------------------------------------------------------------------------------------------- */

/* A companion that has gone is no fault of the device. */
static bool is_bad(const bench_result *result)
{
    return result->verdict == BENCH_WRONG ||
           (result->verdict == BENCH_FAILED && result->clock != BENCH_CLOCK_COMPANION);
}

static int judge_results(const bench_state *state)
{
    const bench_results *results = &state->bench.results;
    const bench_result *first = NULL;
    uint32_t bad = 0;
    for (size_t k = 0; k < results->count; k++) {
        if (!is_bad(&results->items[k])) continue;
        if (bad++ == 0) first = &results->items[k];
    }
    if (first == NULL) return TL_EXIT_DONE;
    tl_error(TL_PICK(state->cli, "bench: %u wrong or failed; the first is %s, %s, n = %llu: %s",
                     "bench: %u mal o fallidos; el primero es %s, %s, n = %llu: %s"),
             bad, first->problem, first->way, (unsigned long long)first->n, first->text);
    return TL_EXIT_FINDINGS;
}

/* The gate: ways of ours that are slower than before by more than was allowed, and by more than noise. */
static int judge_slower(const bench_state *state)
{
    const bench_results *results = &state->bench.results;
    const bench_result *first = NULL;
    uint32_t judged = 0, slower = 0;
    for (size_t k = 0; k < results->count; k++) {
        const bench_result *row = &results->items[k], *old = bench_find(&state->before, row);
        if (old == NULL || row->clock == BENCH_CLOCK_COMPANION) continue;
        bench_difference difference = bench_differ(row, old);
        judged += difference.change != BENCH_UNKNOWN;
        if (difference.change != BENCH_SLOWER || difference.ratio <= 1 + state->options->slower_part) continue;
        if (slower++ == 0) first = row;
    }
    if (judged == 0) {
        return tl_error(TL_PICK(state->cli,
                                "bench: %s has none of these cases in two rounds or more; nothing is compared",
                                "bench: %s no tiene ninguno de estos casos en dos rondas o más; no se compara nada"),
                        state->options->compare);
    }
    if (slower == 0) return TL_EXIT_DONE;
    tl_error(TL_PICK(state->cli, "bench: %u of %u slower by more than %.4g %%; the first is %s, %s, n = %llu",
                     "bench: %u de %u más lentos por más de %.4g %%; el primero es %s, %s, n = %llu"),
             slower, judged, 100 * state->options->slower_part, first->problem, first->way,
             (unsigned long long)first->n);
    return TL_EXIT_FINDINGS;
}

static telar_status print_results(bench_state *state)
{
    const bench_results *results = &state->bench.results;
    const bench_results *before = state->options->compare != NULL ? &state->before : NULL;
    if (before != NULL) {
        tl_bench_notice_other(state->cli, state->options->compare, &results->environment, &before->environment);
    }
    if (state->cli->json) return bench_archive_print(results, before, stdout, &state->diag);
    tl_bench_print(state->cli, results);
    if (before != NULL) tl_bench_print_differences(state->cli, results, state->options->compare, before);
    return TELAR_OK;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static int report_failure(const bench_state *state, telar_status status)
{
    int exit = tl_report(status, &state->diag);
    tl_device_hint(state->cli, status, &state->diag);
    return exit;
}

static int measure(bench_state *state)
{
    telar_status status = TELAR_OK;
    if (state->options->compare != NULL) {
        status = bench_archive_read(state->options->compare, &state->before, &state->diag);
    }
    if (status == TELAR_OK) status = try_output(state);
    if (status == TELAR_OK) status = tl_device_open(state->options->device, &state->device, &state->diag);
    if (status != TELAR_OK) return report_failure(state, status);
    tl_device_announce(state->cli, &state->device);
    status = measure_all(state);
    /* What was measured before a device was lost is worth its time. */
    telar_diag why = state->diag;
    if (status == TELAR_OK || state->bench.results.count > 0) {
        telar_status printed = print_results(state);
        if (status == TELAR_OK && printed != TELAR_OK) return report_failure(state, printed);
    }
    state->diag = why;
    if (status != TELAR_OK) return report_failure(state, status);
    int exit = judge_results(state);
    return exit == TL_EXIT_DONE && state->options->gated ? judge_slower(state) : exit;
}

static int check_options(const tl_cli *cli, const bench_options *options)
{
    if (options->gated && options->compare == NULL) {
        return tl_error(TL_PICK(cli, "bench: --fail-if-slower needs --compare, the archive to compare with",
                                "bench: --fail-if-slower necesita --compare, el archivo con el que comparar"));
    }
    if (options->gated && options->rounds == 1) {
        return tl_error(TL_PICK(cli, "bench: --fail-if-slower needs two rounds, which show the noise",
                                "bench: --fail-if-slower necesita dos rondas, que muestran el ruido"));
    }
    if (options->out != NULL && strcmp(options->out, "-") == 0) {
        return tl_error(TL_PICK(cli, "bench: --out needs a file; --json prints the same",
                                "bench: --out necesita un archivo; --json imprime lo mismo"));
    }
    if (options->rounds > 0 && options->time_s > 0) {
        return tl_error(
            TL_PICK(cli, "bench: --rounds and --time exclude each other", "bench: --rounds y --time se excluyen"));
    }
    return TL_EXIT_DONE;
}

static int run_bench(tl_cli *cli, void *command_state, char **files, uint32_t files_count)
{
    const bench_options *options = command_state;
    bench_state state = {.cli = cli, .options = options, .names = files, .names_count = files_count};
    int exit = check_options(cli, options);
    if (exit == TL_EXIT_DONE) exit = check_names(&state);
    if (exit != TL_EXIT_DONE) return exit;
    if (options->list) {
        (cli->json ? list_json : list_cases)(&state);
        return TL_EXIT_DONE;
    }
    exit = measure(&state);
    bench_close(&state.bench);
    bench_results_free(&state.before);
    tl_device_close(&state.device);
    return exit;
}

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* Added to those of an earlier --count. */
static telar_status take_counts(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option;
    bench_options *options = field;
    uint32_t more = 0;
    if (options->counts_count == COUNTS_MAX) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, COUNTS_MAX + 1, COUNTS_MAX, "--count: more than %d counts",
                             COUNTS_MAX);
    }
    TELAR_TRY(tl_number_list("--count", tl_str_of(text), ',', COUNTS_MAX - options->counts_count, 1, COUNT_MAX,
                             options->counts + options->counts_count, &more, diag));
    options->counts_count += more;
    return TELAR_OK;
}

static telar_status take_ms(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    double value;
    char what[32];
    snprintf(what, sizeof what, "--%s", option->name);
    TELAR_TRY(tl_number_f64(what, tl_str_of(text), &value, diag));
    if (!(value > 0 && value <= (double)option->max)) {
        return tl_fail(diag, TELAR_OVERFLOWS, "%s: '%.60s' is outside of 0 to %llu", what, text,
                       (unsigned long long)option->max);
    }
    *(double *)field = value;
    return TELAR_OK;
}

/* "5%"; the sign may be left out. */
static telar_status take_slower(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option;
    bench_options *options = field;
    tl_str number = tl_str_of(text);
    if (number.len > 0 && text[number.len - 1] == '%') number.len--;
    double percent;
    TELAR_TRY(tl_number_f64("--fail-if-slower", number, &percent, diag));
    if (!(percent >= 0 && percent <= 1000)) {
        return tl_fail(diag, TELAR_OVERFLOWS, "--fail-if-slower: '%.60s' is outside of 0%% to 1000%%", text);
    }
    options->slower_part = percent / 100;
    options->gated = true;
    return TELAR_OK;
}

#define FIELD(name) .offset = offsetof(bench_options, name)

static const tl_option what_options[] = {
    {.name = "count",
     .argument = "N[,N...]",
     .take = take_counts,
     .help = {"elements; may be repeated (default: 1Mi,16Mi,256Mi, on a CPU adapter 64Ki,1Mi)",
              "elementos; se puede repetir (por defecto, 1Mi,16Mi,256Mi; en un adaptador de CPU, 64Ki,1Mi)"}},
    {.name = "way",
     .argument = "TEXT",
     .take = tl_take_texts,
     FIELD(ways),
     .help = {"ways with TEXT in their name; may be repeated; those called \"tune ...\" only where it says so",
              "modos con TEXT en su nombre; se puede repetir; los llamados \"tune ...\", solo si así se pide"}},
    {.name = "companion",
     .argument = "NAME=COMMAND",
     .take = tl_take_texts,
     FIELD(companions),
     .help = {"a program that solves the same problems in its turn (CUB, Gridwise, NumPy; docs/benchmarks.md)",
              "un programa que resuelve lo mismo cuando le toca (CUB, Gridwise, NumPy; docs/benchmarks.md)"}},
    {.name = "list",
     .take = tl_take_flag,
     FIELD(list),
     .help = {"the cases and their ways, without measuring", "los casos y sus modos, sin medir"}},
};
static const tl_option how_options[] = {
    {.name = "rounds",
     .argument = "R",
     .take = tl_take_u32,
     .min = 1,
     .max = BENCH_ROUNDS_MAX,
     FIELD(rounds),
     .help = {"turns of each way (default 5)", "turnos de cada modo (por defecto, 5)"}},
    {.name = "time",
     .argument = "T",
     .take = tl_take_seconds,
     .min = 100,
     .max = 86400000,
     FIELD(time_s),
     .help = {"as many rounds as fit into about T in all, as in 30s; at least three",
              "tantas rondas como quepan en unos T en total, como 30s; al menos tres"}},
    {.name = "set-ms",
     .argument = "MS",
     .take = take_ms,
     .max = 10000,
     FIELD(set_ms),
     .help = {"length of a timed set (default 12)", "duración de cada serie cronometrada (por defecto, 12)"}},
    {.name = "warm-ms",
     .argument = "MS",
     .take = take_ms,
     .max = 10000,
     FIELD(warm_ms),
     .help = {"of the same work before it (default 100, on a CPU adapter 10)",
              "del mismo trabajo antes de ella (por defecto, 100; en un adaptador de CPU, 10)"}},
    {.name = "repeats",
     .argument = "K",
     .take = tl_take_u32,
     .min = 1,
     .max = 10000,
     FIELD(repeats),
     .help = {"at most so many runs in a set, unless the clock needs more (default 500)",
              "como mucho tantas ejecuciones por serie, salvo que el reloj pida más (por defecto, 500)"}},
    {.name = "checked",
     .take = tl_take_flag,
     FIELD(checked),
     .help = {"Telar's kernels with bounds checks", "los kernels de Telar con comprobación de límites"}},
    {.name = "as-gpu",
     .take = tl_take_flag,
     FIELD(as_gpu),
     .help = {"takes a CPU adapter for a GPU: tries the kernels that one would get",
              "toma un adaptador de CPU por una GPU: prueba los kernels que esta recibiría"}},
};
static const tl_option result_options[] = {
    {.name = "out",
     .argument = "FILE.json",
     .take = tl_take_text,
     FIELD(out),
     .help = {"writes the results to this archive", "escribe los resultados en este archivo"}},
    {.name = "compare",
     .argument = "OLD.json",
     .take = tl_take_text,
     FIELD(compare),
     .help = {"shows them beside those of an older archive", "los muestra junto a los de un archivo anterior"}},
    {.name = "fail-if-slower",
     .argument = "P%",
     .take = take_slower,
     .help =
         {"with --compare: exit status 1 when a way is slower by more than P %, and by more than the noise of both",
          "con --compare: estado de salida 1 si un modo es más lento por más de P % y por más que el ruido de ambos"}},
};
static const tl_option_group what_group = {
    .title = {"What is measured", "Qué se mide"}, .options = what_options, .count = TL_COUNT(what_options)};
static const tl_option_group how_group = {
    .title = {"How it is measured", "Cómo se mide"}, .options = how_options, .count = TL_COUNT(how_options)};
static const tl_option_group result_group = {
    .title = {"The results", "Los resultados"}, .options = result_options, .count = TL_COUNT(result_options)};
static const tl_group_at groups[] = {
    {&what_group, 0}, {&tl_device_group, offsetof(bench_options, device)}, {&how_group, 0}, {&result_group, 0}};

const tl_command tl_command_bench = {
    .name = "bench",
    .arguments = "[NAME...]",
    .summary = {"measures the primitives beside textbook kernels and the copy limit",
                "mide las primitivas junto a kernels de libro y al límite de copia"},
    .about =
        {"Each NAME is a part of the names of cases (--list shows them); none: all of them. The ways of a case (Telar's, the "
         "textbook's kernels), companions and copies of as many bytes take turns, round by round; times are the GPU's, the "
         "median of the rounds, and every result is compared with plain C after each of them. A/A is how far a way is from "
         "itself from one round to the next: differences within it are not ranked.",
         "Cada NAME es parte de los nombres de los casos (--list los muestra); sin ninguno, todos. Los modos de un caso (los "
         "de Telar, los kernels de libro), los programas compañeros y copias de otros tantos bytes se turnan, ronda a ronda; "
         "los tiempos son de la GPU, la mediana de las rondas, y tras cada una se comparan todos los resultados con C sin "
         "más. A/A es cuánto se aparta un modo de sí mismo de una ronda a la siguiente: las diferencias menores no se "
         "ordenan."},
    .example = {"telar bench scan --count 1Mi --out before.json\n"
                "telar bench scan --count 1Mi --compare before.json --fail-if-slower 5%",
                "telar bench scan --count 1Mi --out antes.json\n"
                "telar bench scan --count 1Mi --compare antes.json --fail-if-slower 5%"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_max = NAMES_MAX,
    .state_bytes = sizeof(bench_options),
    .run = run_bench,
};
