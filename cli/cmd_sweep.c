/* SPDX-License-Identifier: MIT
 *
 * telar sweep: a kernel under every size, items and shape, beside what the plan and the lesson's rule choose. */
#include "device_find.h"
#include "io/facts_file.h"
#include "io/file.h"
#include "io/quantity.h"
#include "json.h"
#include "progress.h"
#include "sweep/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTS_MAX 32
#define KERNELS_MAX 64

typedef struct sweep_counts {
    uint64_t values[COUNTS_MAX];
    uint32_t count;
} sweep_counts;

typedef struct sweep_options {
    sweep_counts counts;
    const char *device;
    double time_s; /* of one kernel and n; 0: the default */
    const char *facts;
    const char *csv;
    const char *from;
} sweep_options;

static telar_status take_counts(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option;
    sweep_counts *counts = field;
    return tl_number_list("--count", tl_str_of(text), ',', COUNTS_MAX, 1, TELAR_WINDOW_ELEMENTS_MAX, counts->values,
                          &counts->count, diag);
}

static telar_status take_seconds(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option;
    size_t len = strlen(text);
    double scale = len > 2 && strcmp(text + len - 2, "ms") == 0 ? 1e-3 : 1;
    size_t unit = scale < 1 ? 2 : len > 1 && text[len - 1] == 's' ? 1 : 0;
    double value;
    if (unit == 0)
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--time: '%.60s' is no time; write it as in 3s or 500ms", text);
    TELAR_TRY(tl_number_f64("--time", (tl_str){text, len - unit}, &value, diag));
    value *= scale;
    if (!(value >= 0.01 && value <= 600)) {
        return tl_fail(diag, TELAR_OVERFLOWS, "--time: '%.60s' is outside of 10ms to 600s", text);
    }
    *(double *)field = value;
    return TELAR_OK;
}

/* ---- One call ---------------------------------------------------------------------------------------------------- */

typedef struct sweep {
    const tl_cli *cli;
    const sweep_options *options;
    tl_device device;
    tl_sweep_facts facts;
    tl_sweep_bench bench;
    tl_sweep_table table;
    FILE *csv; /* NULL: none is wanted */
    tl_progress progress;
} sweep;

/* 10^3 to 2^28, and what a CPU does in a reasonable time. */
static const uint64_t gpu_counts[] = {
    1000, 10000, 100000, 1000000, 3000001, UINT64_C(1) << 24, UINT64_C(1) << 26, UINT64_C(1) << 28};
static const uint64_t cpu_counts[] = {1000, 10000, 100000, 1000000, UINT64_C(1) << 22};

static void settle_counts(const sweep *s, sweep_counts *counts)
{
    *counts = s->options->counts;
    if (counts->count > 0) return;
    bool cpu = telar_host_facts(s->device.host)->type == TELAR_DEVICE_CPU;
    counts->count = cpu ? TL_COUNT(cpu_counts) : TL_COUNT(gpu_counts);
    memcpy(counts->values, cpu ? cpu_counts : gpu_counts, counts->count * sizeof *counts->values);
}

static void show_progress(void *user, uint32_t done, uint32_t all)
{
    tl_progress_at(user, done, all);
}

static telar_status sweep_count(sweep *s, const tl_subject *subject, uint64_t n, telar_diag *diag)
{
    tl_domain domain = tl_domain_of(n, subject->dimensions);
    tl_candidates *candidates = calloc(1, sizeof *candidates);
    if (candidates == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for candidates");
    tl_bed bed = {0};
    double noise = 0;
    tl_measure_desc desc = {.time_s = s->options->time_s, .progress = show_progress, .user = &s->progress};
    s->progress = tl_progress_begin(subject->name);
    telar_status status = tl_candidates_list(subject, &domain, &s->facts, &(tl_choices){0}, candidates, diag);
    if (status == TELAR_OK) status = tl_bed_make(s->device.host, subject->builtin, &domain, &bed, diag);
    if (status == TELAR_OK) status = tl_measure(&s->bench, subject, &bed, &desc, candidates, &noise, diag);
    tl_progress_end(&s->progress);
    uint32_t first = s->table.rows_count;
    if (status == TELAR_OK) status = tl_table_add_all(&s->table, subject, &domain, candidates, noise, diag);
    if (status == TELAR_OK) {
        tl_sweep_result result = tl_table_result(&s->table, first);
        if (!s->cli->json) tl_sweep_print_result(&s->table, &result, s->cli->language, stdout);
        if (s->csv != NULL) tl_csv_write_rows(s->csv, &s->table, first);
    }
    for (uint32_t k = 0; status == TELAR_OK && k < candidates->count; k++) {
        const tl_candidate *at = &candidates->items[k];
        if (at->verdict == TL_VERDICT_WRONG) {
            tl_notice("%s, n = %" PRIu64 ", %u.%u x %u %s: %s", subject->name, n, at->size[0], at->size[1], at->items,
                      telar_shape_text(at->shape), at->why);
        }
    }
    tl_bed_drop(&bed);
    free(candidates);
    return status;
}

/* A count that does not fit the device is left out, with a notice. */
static telar_status sweep_kernel(sweep *s, const char *name, telar_diag *diag)
{
    const tl_case *builtin = tl_case_find(name);
    tl_subject subject;
    sweep_counts counts;
    if (builtin == NULL) return tl_fail(diag, TELAR_NOT_FOUND, "there is no case '%s'", name);
    TELAR_TRY(tl_subject_of_case(builtin, &subject, diag));
    settle_counts(s, &counts);
    telar_status status = TELAR_OK;
    for (uint32_t k = 0; status == TELAR_OK && k < counts.count; k++) {
        status = sweep_count(s, &subject, counts.values[k], diag);
        if (status != TELAR_LIMIT_EXCEEDED && status != TELAR_OUT_OF_MEMORY) continue;
        tl_notice(TL_PICK(s->cli, "%s, n = %" PRIu64 " is left out: %s", "%s, n = %" PRIu64 " se omite: %s"), name,
                  counts.values[k], diag->text);
        status = TELAR_OK;
    }
    tl_subject_close(&subject);
    return status;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static double known(const telar_facts *facts, telar_fact_name name)
{
    return telar_facts_know(facts, name) ? facts->values[name].value : 0;
}

static void describe(const sweep *s, char **kernels, uint32_t count, tl_sweep_run *run)
{
    const telar_adapter_info *info = telar_host_adapter(s->device.host);
    const telar_facts *facts = &s->facts.plan;
    *run = (tl_sweep_run){.bandwidth = known(facts, TELAR_FACT_BANDWIDTH),
                          .cache_bandwidth = known(facts, TELAR_FACT_CACHE_BANDWIDTH),
                          .cache_bytes = known(facts, TELAR_FACT_CACHE_BYTES),
                          .arithmetic_rate = known(facts, TELAR_FACT_ARITHMETIC_RATE)};
    telar_out out = {run->device, sizeof run->device, 0};
    tl_out_format(&out, "%s, %s %s, %s", info->adapter,
                  info->implementation == TELAR_IMPLEMENTATION_DAWN ? "Dawn" : "wgpu-native", info->version,
                  info->driver);
    out = (telar_out){run->name, sizeof run->name, 0};
    tl_out_text(&out, info->name);
    out = (telar_out){run->facts, sizeof run->facts, 0};
    bool measured = facts->values[TELAR_FACT_BANDWIDTH].source >= TELAR_SOURCE_MEASURED;
    tl_out_text(&out, s->options->facts != NULL ? s->options->facts : measured ? "telar tune" : "default");
    out = (telar_out){run->command, sizeof run->command, 0};
    tl_out_text(&out, "telar sweep");
    for (uint32_t k = 0; k < count; k++) tl_out_format(&out, " %s", kernels[k]);
    for (uint32_t k = 0; k < s->options->counts.count; k++) {
        tl_out_format(&out, "%s%llu", k == 0 ? " --count " : ",", (unsigned long long)s->options->counts.values[k]);
    }
}

static telar_status open_facts(sweep *s, telar_diag *diag)
{
    telar_facts facts = tl_device_known(s->device.host);
    const char *name = s->options->facts;
    if (name != NULL && strcmp(name, "default") == 0) facts = *telar_host_facts(s->device.host);
    else if (name != NULL) TELAR_TRY(tl_facts_file_read(name, &facts, diag));
    s->facts = tl_sweep_facts_of(telar_host_facts(s->device.host), &facts);
    return TELAR_OK;
}

static telar_status sweep_all(sweep *s, char **kernels, uint32_t count, telar_diag *diag)
{
    tl_sweep_run run;
    TELAR_TRY(open_facts(s, diag));
    TELAR_TRY(tl_sweep_bench_open(s->device.host, &s->facts, &s->bench, diag));
    describe(s, kernels, count, &run);
    TELAR_TRY(tl_table_add_run(&s->table, &run, diag));
    if (s->csv != NULL) tl_csv_write_run(s->csv, &run);
    if (!s->cli->json) {
        tl_sweep_print_run(&run, s->cli->language, stdout);
        tl_sweep_print_head(s->cli->language, stdout);
    }
    for (uint32_t k = 0; k < count; k++) {
        bool all = strcmp(kernels[k], "all") == 0;
        for (const tl_case *at = tl_cases; all && at->name != NULL; at++) TELAR_TRY(sweep_kernel(s, at->name, diag));
        if (!all) TELAR_TRY(sweep_kernel(s, kernels[k], diag));
    }
    return TELAR_OK;
}

static int finish(const sweep *s)
{
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < s->table.rows_count; k++) wrong += s->table.rows[k].verdict == TL_VERDICT_WRONG;
    if (!s->cli->json) tl_sweep_print_summary(&s->table, s->cli->language, stdout);
    return wrong > 0 ? TL_EXIT_FINDINGS : TL_EXIT_DONE;
}

static int run_device(sweep *s, char **kernels, uint32_t count)
{
    telar_diag diag = {0};
    telar_status status = tl_device_open(s->options->device, &s->device, &diag);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &diag);
        tl_device_hint(s->cli, status, &diag);
        return exit;
    }
    if (s->options->csv != NULL) {
        s->csv = fopen(s->options->csv, "w");
        if (s->csv == NULL) status = tl_fail(&diag, TELAR_IO_FAILED, "cannot write '%s'", s->options->csv);
    }
    if (status == TELAR_OK) status = sweep_all(s, kernels, count, &diag);
    if (s->csv != NULL && fclose(s->csv) != 0 && status == TELAR_OK) {
        status = tl_fail(&diag, TELAR_IO_FAILED, "cannot write '%s'", s->options->csv);
    }
    int exit = status == TELAR_OK ? finish(s) : tl_report(status, &diag);
    tl_sweep_bench_close(&s->bench);
    tl_device_close(&s->device);
    return exit;
}

static int run_sweep(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    sweep s = {.cli = cli, .options = state};
    int exit = run_device(&s, files, files_count);
    tl_table_free(&s.table);
    return exit;
}

static const tl_option options[] = {
    {.name = "count",
     .argument = "N[,N...]",
     .take = take_counts,
     .offset = offsetof(sweep_options, counts),
     .help = {"elements (default: 1000 to 2^28, on a CPU adapter to 2^22)",
              "elementos (por defecto, de 1000 a 2^28; en un adaptador de CPU, hasta 2^22)"}},
    {.name = "device",
     .argument = "D",
     .take = tl_take_text,
     .offset = offsetof(sweep_options, device),
     .help = {"as wgpu:0 or dawn:0 (default: TELAR_DEVICE, else the first discrete, integrated, CPU adapter)",
              "como wgpu:0 o dawn:0 (por defecto, TELAR_DEVICE; si no, el primero discreto, integrado o CPU)"}},
    {.name = "time",
     .argument = "T",
     .take = take_seconds,
     .offset = offsetof(sweep_options, time_s),
     .help =
         {"about how long for one kernel and n, as in 3s or 500ms (default 3s); the first look at all and five rounds of "
          "the best take what they take",
          "cuánto, más o menos, por kernel y n, como 3s o 500ms (por defecto, 3s); el primer vistazo a todos y cinco rondas "
          "de los mejores tardan lo que tardan"}},
    {.name = "facts",
     .argument = "FILE|default",
     .take = tl_take_text,
     .offset = offsetof(sweep_options, facts),
     .help = {"facts that the plan is made with (default: what telar tune measured of this device)",
              "datos con los que se hace el plan (por defecto, lo que telar tune midió de este dispositivo)"}},
    {.name = "csv",
     .argument = "FILE",
     .take = tl_take_text,
     .offset = offsetof(sweep_options, csv),
     .help = {"writes all candidates, after each kernel and n", "escribe todos los candidatos, tras cada kernel y n"}},
};
static const tl_option_group group = {
    .title = {"The sweep", "El barrido"}, .options = options, .count = TL_COUNT(options)};
static const tl_group_at groups[] = {{&group, 0}};

const tl_command tl_command_sweep = {
    .name = "sweep",
    .arguments = "CASE...",
    .summary = {"a kernel under every size, items and shape, beside the plan and the lesson's rule",
                "un kernel con cada tamaño, elementos y forma, junto al plan y la regla de la lección"},
    .about = {"Runs every candidate.", "Ejecuta cada candidato."},
    .example = {"telar sweep element-8 reduce --count 1M,16Mi --csv here.csv",
                "telar sweep element-8 reduce --count 1M,16Mi --csv aqui.csv --lang es"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = KERNELS_MAX,
    .state_bytes = sizeof(sweep_options),
    .run = run_sweep,
};
