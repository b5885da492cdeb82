/* SPDX-License-Identifier: MIT
 *
 * telar sweep: a kernel under every size, items and shape, beside what the plan and the lesson's rule choose; as CSV, as a
 * table and as a page. */
#include "json.h"
#include "sweep/page.h"
#include "sweep/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS_MAX 64

typedef struct sweep_options {
    tl_domains counts;
    const char *device;
    double time_s; /* of one kernel and count; 0: the default */
    const char *facts;
    const char *csv;
    const char *html;
    const char *link;
    tl_texts sources; /* --from */
    tl_user_options user;
} sweep_options;

typedef struct sweep {
    const tl_cli *cli;
    const sweep_options *options;
    tl_session session;
    tl_sweep_table table;
    FILE *csv;        /* NULL: none is wanted */
    tl_output html;   /* fd -1: none is wanted */
    uint32_t domains; /* that were measured */
} sweep;

/* ---- What it is called with -------------------------------------------------------------------------------------- */

static double known(const telar_facts *facts, telar_fact_name name)
{
    return telar_facts_know(facts, name) ? facts->values[name].value : 0;
}

static void describe_command(const sweep *s, char **kernels, uint32_t count, telar_out *out)
{
    tl_out_text(out, "telar sweep");
    for (uint32_t k = 0; k < count; k++) tl_out_format(out, " %s", kernels[k]);
    for (uint32_t k = 0; k < s->options->counts.count; k++) {
        const tl_domain *domain = &s->options->counts.items[k];
        tl_out_text(out, k == 0 ? " --count " : ",");
        for (uint32_t axis = 0; axis < domain->dimensions; axis++) {
            tl_out_format(out, "%s%llu", axis == 0 ? "" : "x", (unsigned long long)domain->count[axis]);
        }
    }
    for (uint32_t k = 0; k < s->options->user.binds.count; k++)
        tl_out_format(out, " --bind %s", s->options->user.binds.items[k]);
    for (uint32_t k = 0; k < s->options->user.sets.count; k++)
        tl_out_format(out, " --set %s", s->options->user.sets.items[k]);
}

static void describe(const sweep *s, char **kernels, uint32_t count, tl_sweep_run *run)
{
    const telar_adapter_info *info = telar_host_adapter(s->session.device.host);
    const telar_facts *facts = &s->session.facts.plan;
    *run = (tl_sweep_run){.bandwidth = known(facts, TELAR_FACT_BANDWIDTH),
                          .cache_bandwidth = known(facts, TELAR_FACT_CACHE_BANDWIDTH),
                          .cache_bytes = known(facts, TELAR_FACT_CACHE_BYTES),
                          .arithmetic_rate = known(facts, TELAR_FACT_ARITHMETIC_RATE)};
    telar_out out = {run->device, sizeof run->device, 0};
    tl_out_format(&out, "%s, %s %s%s%s", info->adapter,
                  info->implementation == TELAR_IMPLEMENTATION_DAWN ? "Dawn" : "wgpu-native", info->version,
                  info->driver[0] != 0 ? ", " : "", info->driver);
    out = (telar_out){run->name, sizeof run->name, 0};
    tl_out_text(&out, info->name);
    out = (telar_out){run->facts, sizeof run->facts, 0};
    bool measured = facts->values[TELAR_FACT_BANDWIDTH].source >= TELAR_SOURCE_MEASURED;
    tl_out_text(&out, s->options->facts != NULL ? s->options->facts : measured ? "telar tune" : "default");
    out = (telar_out){run->command, sizeof run->command, 0};
    describe_command(s, kernels, count, &out);
}

/* 10^3 to 2^28, and what a CPU does in a reasonable time. */
static const uint64_t gpu_counts[] = {
    1000, 10000, 100000, 1000000, 3000001, 1 << 24, UINT64_C(1) << 26, UINT64_C(1) << 28};
static const uint64_t cpu_counts[] = {1000, 10000, 100000, 1000000, 1 << 22};

static telar_status list_domains(const sweep *s, const tl_target *target, tl_domains *domains, telar_diag *diag)
{
    *domains = s->options->counts;
    if (domains->count == 0 && target->is_user && s->options->user.binds.count > 0) {
        domains->count = 1;
        return tl_user_domain(&target->user, &domains->items[0], diag);
    }
    bool cpu = telar_host_facts(s->session.device.host)->type == TELAR_DEVICE_CPU;
    uint32_t usual = cpu ? TL_COUNT(cpu_counts) : TL_COUNT(gpu_counts);
    for (uint32_t k = 0; domains->count < usual && s->options->counts.count == 0; k++) {
        uint64_t n = cpu ? cpu_counts[k] : gpu_counts[k];
        domains->items[domains->count++] = (tl_domain){{n, 1, 1}, 1};
    }
    for (uint32_t k = 0; k < domains->count; k++) TELAR_TRY(tl_domain_fit(target->subject, &domains->items[k], diag));
    return TELAR_OK;
}

/* A line, below the head of its run where it is the first. */
static void print_result(const sweep *s, const tl_sweep_result *result, bool first)
{
    if (s->cli->json) return;
    if (first) {
        tl_sweep_print_run(&s->table.runs[s->table.rows[result->first].run], s->cli->language, stdout);
        tl_sweep_print_head(s->cli->language, stdout);
    }
    tl_sweep_print_result(&s->table, result, s->cli->language, stdout);
}

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

static telar_status sweep_domain(sweep *s, tl_target *target, const tl_domain *domain, telar_diag *diag)
{
    tl_candidates *candidates = calloc(1, sizeof *candidates);
    if (candidates == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for candidates");
    tl_measure_desc desc = {.time_s = s->options->time_s};
    double noise = 0;
    uint32_t first = s->table.rows_count;
    telar_status status =
        tl_session_measure(&s->session, target, domain, &(tl_choices){0}, &desc, candidates, &noise, diag);
    if (status == TELAR_OK) status = tl_table_add_all(&s->table, target->subject, domain, candidates, noise, diag);
    if (status == TELAR_OK) {
        tl_sweep_result result = tl_table_result(&s->table, first);
        s->domains++;
        tl_session_complain(&s->session, target, domain, candidates);
        print_result(s, &result, first == 0);
        if (s->csv != NULL) tl_csv_write_rows(s->csv, &s->table, first);
    }
    free(candidates);
    return status;
}

/* A domain that does not fit the device is left out, with a notice. */
static telar_status sweep_target(sweep *s, tl_target *target, telar_diag *diag)
{
    tl_domains domains;
    TELAR_TRY(list_domains(s, target, &domains, diag));
    for (uint32_t k = 0; k < domains.count; k++) {
        telar_status status = sweep_domain(s, target, &domains.items[k], diag);
        if (status == TELAR_OK) continue;
        if (status != TELAR_LIMIT_EXCEEDED && status != TELAR_OUT_OF_MEMORY) return status;
        tl_notice(TL_PICK(s->cli, "%s, %" PRIu64 " elements: left out, %s", "%s, %" PRIu64 " elementos: se omite, %s"),
                  target->subject->name, tl_domain_elements(&domains.items[k]), diag->text);
    }
    return TELAR_OK;
}

static int sweep_kernel(sweep *s, const char *name)
{
    tl_target target;
    telar_diag diag = {0};
    int exit = tl_target_open(name, &s->options->user, &target);
    if (exit != TL_EXIT_DONE) return exit;
    telar_status status = sweep_target(s, &target, &diag);
    if (status != TELAR_OK) {
        exit = target.is_user ? tl_kernel_report(&target.user.kernel, status, &diag) : tl_report(status, &diag);
    }
    tl_target_close(&target);
    return exit;
}

static int sweep_all(sweep *s, char **kernels, uint32_t count)
{
    tl_sweep_run run;
    telar_diag diag = {0};
    describe(s, kernels, count, &run);
    telar_status status = tl_table_add_run(&s->table, &run, &diag);
    if (status != TELAR_OK) return tl_report(status, &diag);
    if (s->csv != NULL) tl_csv_write_run(s->csv, &run);
    int exit = TL_EXIT_DONE;
    for (uint32_t k = 0; exit == TL_EXIT_DONE && k < count; k++) {
        bool all = strcmp(kernels[k], "all") == 0;
        for (const tl_case *at = tl_cases; exit == TL_EXIT_DONE && all && at->name != NULL; at++) {
            exit = sweep_kernel(s, at->name);
        }
        if (!all) exit = sweep_kernel(s, kernels[k]);
    }
    return exit;
}

static int measure(sweep *s, char **kernels, uint32_t count)
{
    int exit = tl_session_open(s->cli, s->options->device, s->options->facts, &s->session);
    if (exit != TL_EXIT_DONE) return exit;
    exit = sweep_all(s, kernels, count);
    tl_session_close(&s->session);
    if (exit == TL_EXIT_DONE && s->domains == 0) {
        return tl_error(TL_PICK(s->cli, "sweep: nothing was measured", "sweep: no se ha medido nada"));
    }
    return exit;
}

/* ---- Results of before ------------------------------------------------------------------------------------------- */

static int read_sources(sweep *s)
{
    telar_diag diag = {0};
    for (uint32_t k = 0; k < s->options->sources.count; k++) {
        telar_status status = tl_csv_read(s->options->sources.items[k], &s->table, &diag);
        if (status != TELAR_OK) return tl_report(status, &diag);
    }
    for (uint32_t k = 0; k < s->table.rows_count;) {
        tl_sweep_result result = tl_table_result(&s->table, k);
        bool first = k == 0 || s->table.rows[k].run != s->table.rows[k - 1].run;
        if (first && k > 0 && !s->cli->json) printf("\n");
        print_result(s, &result, first);
        k += result.count;
    }
    return TL_EXIT_DONE;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static void print_json(const sweep *s)
{
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_sweep_json(&json, &s->table);
    tl_json_text(&json, "csv", s->options->csv);
    tl_json_text(&json, "html", s->options->html);
    tl_json_end_object(&json);
}

static int write_page(sweep *s)
{
    telar_diag diag = {0};
    bool complete = false;
    if (s->options->html == NULL) return TL_EXIT_DONE;
    const tl_page_desc desc = {.language = s->cli->language, .link = s->options->link};
    telar_status status = tl_page_write(&s->table, &desc, &s->html, &complete, &diag);
    if (status == TELAR_OK) status = tl_output_commit(&s->html, &diag);
    if (status != TELAR_OK) return tl_report(status, &diag);
    if (!complete) {
        tl_notice(TL_PICK(s->cli, "%s has no plots: uPlot is missing; sh tools/setup.sh test fetches it",
                          "%s no tiene gráficos: falta uPlot; sh tools/setup.sh test la obtiene"),
                  s->options->html);
    }
    return TL_EXIT_DONE;
}

static int finish(sweep *s)
{
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < s->table.rows_count; k++) wrong += s->table.rows[k].verdict == TL_VERDICT_WRONG;
    if (s->cli->json) print_json(s);
    else tl_sweep_print_summary(&s->table, s->cli->language, stdout);
    int exit = write_page(s);
    return exit != TL_EXIT_DONE ? exit : wrong > 0 ? TL_EXIT_FINDINGS : TL_EXIT_DONE;
}

/* Before any work: a name that cannot be written is found at once. */
static telar_status begin_files(sweep *s, telar_diag *diag)
{
    s->html.fd = -1;
    if (s->options->html != NULL) TELAR_TRY(tl_output_begin(s->options->html, &s->html, diag));
    if (s->options->csv == NULL) return TELAR_OK;
    s->csv = fopen(s->options->csv, "w");
    return s->csv != NULL ? TELAR_OK : tl_fail(diag, TELAR_IO_FAILED, "cannot write '%s'", s->options->csv);
}

static int end_csv(sweep *s)
{
    if (s->csv == NULL || fclose(s->csv) == 0) return TL_EXIT_DONE;
    return tl_error(TL_PICK(s->cli, "cannot write '%s'", "no se puede escribir '%s'"), s->options->csv);
}

static int run_with_files(sweep *s, char **files, uint32_t files_count)
{
    telar_diag diag = {0};
    telar_status status = begin_files(s, &diag);
    if (status != TELAR_OK) return tl_report(status, &diag);
    bool again = s->options->sources.count > 0;
    int exit = again ? read_sources(s) : measure(s, files, files_count);
    if (again && s->csv != NULL) {
        for (uint32_t k = 0; k < s->table.runs_count; k++) tl_csv_write_all(s->csv, &s->table, k);
    }
    int closed = end_csv(s);
    if (exit == TL_EXIT_DONE) exit = closed;
    return exit == TL_EXIT_DONE ? finish(s) : exit;
}

static int run_sweep(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    sweep s = {.cli = cli, .options = state, .html = {.fd = -1}};
    if ((files_count == 0) == (s.options->sources.count == 0)) {
        return tl_error(TL_PICK(cli, "sweep: give kernels or cases to measure, or --from FILE.csv",
                                "sweep: indica kernels o casos que medir, o --from ARCHIVO.csv"));
    }
    int exit = run_with_files(&s, files, files_count);
    tl_output_abandon(&s.html);
    tl_table_free(&s.table);
    return exit;
}

#define FIELD(name) .offset = offsetof(sweep_options, name)

static const tl_option options[] = {
    {.name = "count",
     .argument = "N|WxH[,...]",
     .take = tl_take_domains,
     FIELD(counts),
     .help = {"elements (default: 1000 to 2^28, on a CPU adapter to 2^22; or as many as are bound)",
              "elementos (por defecto, de 1000 a 2^28, en un adaptador de CPU hasta 2^22; o cuantos se enlacen)"}},
    {.name = "time",
     .argument = "T",
     .take = tl_take_seconds,
     .min = 10,
     .max = 600000,
     FIELD(time_s),
     .help =
         {"about how long for one kernel and count, as in 3s or 500ms (default 3s); a first look at all candidates and a "
          "few rounds of the best take what they take",
          "cuánto, más o menos, por kernel y número, como 3s o 500ms (por defecto, 3s); el primer vistazo a todos los "
          "candidatos y unas rondas de los mejores tardan lo que tardan"}},
    {.name = "facts",
     .argument = "FILE|default",
     .take = tl_take_text,
     FIELD(facts),
     .help = {"facts that the plan is made with (default: what telar tune measured of this device)",
              "datos con los que se hace el plan (por defecto, lo que telar tune midió de este dispositivo)"}},
};

static const tl_option report_options[] = {
    {.name = "csv",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(csv),
     .help = {"all candidates, written after each kernel and count",
              "todos los candidatos, escritos tras cada kernel y número"}},
    {.name = "html",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(html),
     .help = {"a page that needs nothing else: plots, heat maps, roofline, in English and Spanish",
              "una página que no necesita nada más: gráficos, mapas de calor, roofline, en inglés y castellano"}},
    {.name = "link",
     .argument = "FOLDER|ADDRESS",
     .take = tl_take_text,
     FIELD(link),
     .help = {"the page loads the plotting library from there instead of carrying it",
              "la página carga de ahí la biblioteca de gráficos en vez de llevarla dentro"}},
    {.name = "from",
     .argument = "FILE.csv",
     .take = tl_take_texts,
     FIELD(sources),
     .help = {"measures nothing: tables and page of results of before, side by side; may be repeated",
              "no mide nada: tablas y página de resultados anteriores, uno junto a otro; se puede repetir"}},
};

static const tl_option_group group = {
    .title = {"The sweep", "El barrido"}, .options = options, .count = TL_COUNT(options)};
static const tl_option_group report_group = {
    .title = {"The results", "Los resultados"}, .options = report_options, .count = TL_COUNT(report_options)};
static const tl_group_at groups[] = {{&tl_device_group, offsetof(sweep_options, device)},
                                     {&group, 0},
                                     {&report_group, 0},
                                     {&tl_user_group, offsetof(sweep_options, user)}};

const tl_command tl_command_sweep = {
    .name = "sweep",
    .arguments = "KERNEL|CASE|all ...",
    .summary = {"a kernel under every size, items and shape, beside the plan and the lesson's rule",
                "un kernel con cada tamaño, elementos y forma, junto al plan y la regla de la lección"},
    .about =
        {"Runs a kernel under every candidate: sizes 32 to 1024, 1 to 16 items, each shape, and by vec4 where its alias `value` "
         "allows it. Every output is checked. The best dozen, the plan of the facts, the lesson's rule and a copy of as many "
         "bytes then take turns; a figure is the median of the rounds, on a CPU adapter the least. The plan takes part twice: "
         "what it differs by from itself is noise, and smaller differences are ties. A kernel is a WGSL file with an element function, or with an "
         "entry point that has overrides size (or size_x, size_y) and items; cases are element-8, element-16, "
         "element-64-flops, reduce, scan, image-3x3 and tile. Exit status 1 where an output is wrong.",
         "Ejecuta un kernel con cada candidato: tamaños de 32 a 1024, de 1 a 16 elementos, cada forma, y por vec4 donde su alias "
         "`value` lo permite. Se comprueba cada salida. Después se turnan los doce mejores, el plan de los datos, la regla de "
         "la lección y una copia de otros tantos bytes; una cifra es la mediana de las rondas, en un adaptador CPU la menor. El plan participa dos "
         "veces: lo que difiere de sí mismo es ruido, y las diferencias menores son empates. Un kernel es un archivo WGSL con una función "
         "de elemento, o con un punto de entrada que tenga los override size (o size_x, size_y) e items; los casos son "
         "element-8, element-16, element-64-flops, reduce, scan, image-3x3 y tile. Estado de salida 1 si alguna salida es "
         "errónea."},
    .example = {"telar tune && telar sweep element-8 reduce --count 1M,16Mi --csv here.csv --html here.html",
                "telar tune && telar sweep element-8 reduce --count 1M,16Mi --csv aqui.csv --html aqui.html --lang es"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 0,
    .files_max = KERNELS_MAX,
    .state_bytes = sizeof(sweep_options),
    .run = run_sweep,
};
