/* SPDX-License-Identifier: MIT
 *
 * The search for one kernel, and what it found. */
#include "tune_kernel.h"

#include "facts_report.h"
#include "io/facts_file.h"
#include "io/quantity.h"
#include "profile.h"
#include "sweep/outcome.h"

#include <telar/tune.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE 32
#define SETTLED 0.005
#define FINALISTS 8
#define TIME_S 10.0
#define C_BYTES 2048

/* ---- Options ----------------------------------------------------------------------------------------------------- */

static telar_status too_long(const tl_option *option, unsigned most, telar_diag *diag)
{
    return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "--%s: more than %u of them", option->name, most);
}

/* "64,16x16" */
static telar_status take_sizes(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    tl_choices *choices = field;
    choices->sizes_count = 0;
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        uint64_t values[3] = {1, 1, 1};
        uint32_t count;
        if (choices->sizes_count == TL_SWEEP_SIZES_MAX) return too_long(option, TL_SWEEP_SIZES_MAX, diag);
        TELAR_TRY(tl_number_list("--sizes", (tl_str){at, len}, 'x', 3, 1, 65536, values, &count, diag));
        uint32_t *size = choices->sizes[choices->sizes_count++];
        for (int axis = 0; axis < 3; axis++) size[axis] = (uint32_t)values[axis];
        at += len;
        if (*at == 0) return TELAR_OK;
    }
}

static telar_status take_items(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    tl_choices *choices = field;
    uint64_t values[TL_SWEEP_ITEMS_MAX];
    (void)option;
    TELAR_TRY(tl_number_list("--items", tl_str_of(text), ',', TL_SWEEP_ITEMS_MAX, 1, TELAR_ITEMS_MAX, values,
                             &choices->items_count, diag));
    for (uint32_t k = 0; k < choices->items_count; k++) choices->items[k] = (uint32_t)values[k];
    return TELAR_OK;
}

static telar_status take_shapes(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    tl_choices *choices = field;
    choices->shapes_count = 0;
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        int shape = TELAR_SHAPE_LINEAR;
        while (shape <= TELAR_SHAPE_STRIDE &&
               !tl_str_equal((tl_str){at, len}, tl_str_of(telar_shape_text((telar_shape)shape))))
            shape++;
        if (shape > TELAR_SHAPE_STRIDE) {
            return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                           "--shapes: there is no '%.*s'; allowed are linear, fold, stride", (int)len, at);
        }
        if (choices->shapes_count == TL_SWEEP_SHAPES_MAX) return too_long(option, TL_SWEEP_SHAPES_MAX, diag);
        choices->shapes[choices->shapes_count++] = (telar_shape)shape;
        at += len;
        if (*at == 0) return TELAR_OK;
    }
}

#define FIELD(name) .offset = offsetof(tl_tune_kernel_options, name)

static const tl_option options[] = {
    {.name = "count",
     .argument = "N|WxH",
     .take = tl_take_domains,
     FIELD(counts),
     .help = {"elements (default: as many as are bound)", "elementos (por defecto, cuantos se enlacen)"}},
    {.name = "sizes",
     .argument = "X[xY][,...]",
     .take = take_sizes,
     FIELD(choices),
     .help = {"only these workgroup sizes (default: 32 to 1024)",
              "solo estos tamaños de workgroup (por defecto, de 32 a 1024)"}},
    {.name = "items",
     .argument = "K[,...]",
     .take = take_items,
     FIELD(choices),
     .help = {"only these elements an invocation (default: 1,2,4,8,16)",
              "solo estos elementos por invocación (por defecto, 1,2,4,8,16)"}},
    {.name = "shapes",
     .argument = "SHAPE[,...]",
     .take = take_shapes,
     FIELD(choices),
     .help = {"only these of linear, fold and stride", "solo estas de linear, fold y stride"}},
    {.name = "no-vectors", .take = tl_take_flag, FIELD(choices.no_vectors), .help = {"not by vec4", "no por vec4"}},
    {.name = "facts",
     .argument = "FILE|default",
     .take = tl_take_text,
     FIELD(facts),
     .help = {"facts that the search begins with (default: what was measured of this device)",
              "datos con los que empieza la búsqueda (por defecto, lo medido de este dispositivo)"}},
    {.name = "wgsl",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(wgsl),
     .help = {"the result as a complete kernel (- for standard output)",
              "el resultado como kernel completo (- para la salida estándar)"}},
    {.name = "c",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(c),
     .help = {"the result as a telar_plan_desc of C (- for standard output)",
              "el resultado como un telar_plan_desc de C (- para la salida estándar)"}},
};

const tl_option_group tl_tune_kernel_group = {
    .title = {"One kernel: what is tried, and the result", "Un kernel: qué se prueba y el resultado"},
    .options = options,
    .count = TL_COUNT(options)};

/* ---- The result -------------------------------------------------------------------------------------------------- */

typedef struct tuned {
    const tl_cli *cli;
    const tl_tune_kernel_options *options;
    const char *out;
    tl_session session;
    tl_target target;
    tl_domain domain;
    tl_candidates *candidates;
    double noise;
    double seconds;
} tuned;

static const tl_candidate *with_role(const tl_candidates *candidates, uint32_t role)
{
    for (uint32_t k = 0; k < candidates->count; k++) {
        const tl_candidate *at = &candidates->items[k];
        if ((at->roles & role) != 0 && at->verdict == TL_VERDICT_RIGHT) return at;
    }
    return NULL;
}

static uint32_t count_verdicts(const tl_candidates *candidates, tl_verdict verdict)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < candidates->count; k++) count += candidates->items[k].verdict == verdict;
    return count;
}

static void print_launch(const tuned *t, const char *name, const tl_candidate *at, const tl_candidate *best)
{
    if (at == NULL) return;
    char text[160];
    telar_out out = {text, sizeof text, 0};
    tl_out_format(&out, "%u", at->size[0]);
    if (at->size[1] > 1 || at->size[2] > 1) tl_out_format(&out, "x%u", at->size[1]);
    if (at->size[2] > 1) tl_out_format(&out, "x%u", at->size[2]);
    tl_out_format(&out, " x %u %s%s", at->items, telar_shape_text(at->shape), at->vector ? " vec4" : "");
    const tl_subject *subject = t->target.subject;
    printf("  %s %-28s %10.2f us ± %4.1f %%  %6.3f", name, text, at->us, 100 * at->spread, at->us / best->us);
    uint32_t sets = (at->roles & TL_ROLE_COPY) != 0 ? 0 : subject->sets_count;
    for (uint32_t k = 0; k < sets; k++) printf("  %s=%g", subject->sets[k].name, at->sets[k]);
    if ((at->roles & TL_ROLE_TIE) != 0) fputs(TL_PICK(t->cli, "  (tie)", "  (empate)"), stdout);
    putchar('\n');
}

static void print_text(const tuned *t)
{
    const tl_candidate *best = with_role(t->candidates, TL_ROLE_BEST);
    uint32_t tried = t->candidates->count - count_verdicts(t->candidates, TL_VERDICT_NONE);
    printf(TL_PICK(t->cli, "%s, %" PRIu64 " elements, on %s: %u of %u candidates in %.1f s, noise %.1f %%\n",
                   "%s, %" PRIu64 " elementos, en %s: %u de %u candidatos en %.1f s, ruido %.1f %%\n"),
           t->target.subject->name, tl_domain_elements(&t->domain), telar_host_adapter(t->session.device.host)->adapter,
           tried, t->candidates->count, t->seconds, 100 * t->noise);
    print_launch(t, TL_PICK(t->cli, "best     ", "mejor     "), best, best);
    print_launch(t, TL_PICK(t->cli, "plan     ", "plan      "), with_role(t->candidates, TL_ROLE_PLAN), best);
    print_launch(t, TL_PICK(t->cli, "default  ", "sin medir "), with_role(t->candidates, TL_ROLE_DEFAULT), best);
    print_launch(t, TL_PICK(t->cli, "lesson   ", "lección   "), with_role(t->candidates, TL_ROLE_LESSON), best);
    print_launch(t, TL_PICK(t->cli, "copy     ", "copia     "), with_role(t->candidates, TL_ROLE_COPY), best);
}

static void launch_json(tl_json *json, const tuned *t, const char *key, const tl_candidate *at)
{
    if (at == NULL) {
        tl_json_null(json, key);
        return;
    }
    tl_json_object(json, key);
    tl_json_u32s(json, "workgroup_size", at->size, 3);
    tl_json_u64(json, "items", at->items);
    tl_json_text(json, "shape", telar_shape_text(at->shape));
    tl_json_bool(json, "vector", at->vector);
    tl_json_object(json, "overrides");
    for (uint32_t k = 0; k < t->target.subject->sets_count; k++) {
        tl_json_f64(json, t->target.subject->sets[k].name, at->sets[k]);
    }
    tl_json_end_object(json);
    tl_json_f64(json, "us", at->us);
    tl_json_f64(json, "spread", at->spread);
    tl_json_bool(json, "tie", (at->roles & (TL_ROLE_TIE | TL_ROLE_BEST)) != 0);
    if (at->predicted_us >= 0) tl_json_f64(json, "predicted_us", at->predicted_us);
    else tl_json_null(json, "predicted_us");
    tl_json_end_object(json);
}

static void print_json(const tuned *t)
{
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_text(&json, "device", telar_host_adapter(t->session.device.host)->name);
    tl_json_text(&json, "kernel", t->target.subject->name);
    tl_json_u64s(&json, "count", t->domain.count, t->domain.dimensions);
    tl_json_u64(&json, "candidates", t->candidates->count);
    tl_json_u64(&json, "tried", t->candidates->count - count_verdicts(t->candidates, TL_VERDICT_NONE));
    tl_json_u64(&json, "wrong", count_verdicts(t->candidates, TL_VERDICT_WRONG));
    tl_json_f64(&json, "seconds", t->seconds);
    tl_json_f64(&json, "noise", t->noise);
    launch_json(&json, t, "best", with_role(t->candidates, TL_ROLE_BEST));
    launch_json(&json, t, "plan", with_role(t->candidates, TL_ROLE_PLAN));
    launch_json(&json, t, "default", with_role(t->candidates, TL_ROLE_DEFAULT));
    launch_json(&json, t, "lesson", with_role(t->candidates, TL_ROLE_LESSON));
    tl_json_text(&json, "out", t->out);
    tl_json_text(&json, "wgsl", t->options->wgsl);
    tl_json_text(&json, "c", t->options->c);
    tl_json_end_object(&json);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static telar_status write_file(const char *path, const char *text, size_t bytes, telar_diag *diag)
{
    tl_output output;
    TELAR_TRY(tl_output_begin(path, &output, diag));
    telar_status status = tl_output_write(&output, text, bytes, diag);
    if (status == TELAR_OK) status = tl_output_commit(&output, diag);
    tl_output_abandon(&output);
    return status;
}

static telar_status write_wgsl(const tuned *t, const tl_outcome *outcome, telar_diag *diag)
{
    void *memory;
    const char *text;
    size_t bytes;
    if (t->options->wgsl == NULL) return TELAR_OK;
    telar_status status = tl_outcome_wgsl(outcome, &t->session.facts.plan, telar_host_dialect(t->session.device.host),
                                          &memory, &text, &bytes, diag);
    if (status == TELAR_OK) status = write_file(t->options->wgsl, text, bytes, diag);
    free(memory);
    return status;
}

static telar_status write_c(const tuned *t, const tl_outcome *outcome, telar_diag *diag)
{
    char text[C_BYTES];
    telar_out out = {text, sizeof text, 0};
    if (t->options->c == NULL) return TELAR_OK;
    tl_outcome_c(outcome, &out);
    return write_file(t->options->c, text, out.len < sizeof text ? out.len : sizeof text - 1, diag);
}

/* The device's facts, and the kernel beside them. */
static telar_status write_facts(const tuned *t, const tl_outcome *outcome, telar_diag *diag)
{
    if (t->out == NULL) return TELAR_OK;
    TELAR_TRY(tl_facts_file_write(t->out, &t->session.facts.plan, telar_tune_how, diag));
    return tl_outcome_facts(outcome, t->out, diag);
}

static telar_status write_all(const tuned *t, telar_diag *diag)
{
    const tl_candidate *best = with_role(t->candidates, TL_ROLE_BEST),
                       *usual = with_role(t->candidates, TL_ROLE_DEFAULT);
    if (best == NULL) return tl_fail(diag, TELAR_UNSUPPORTED, "no candidate runs on this device");
    const tl_outcome outcome = {.subject = t->target.subject,
                                .domain = &t->domain,
                                .best = best,
                                .usual = usual != NULL ? usual : best,
                                .device = telar_host_adapter(t->session.device.host)->adapter};
    TELAR_TRY(write_facts(t, &outcome, diag));
    TELAR_TRY(write_wgsl(t, &outcome, diag));
    return write_c(t, &outcome, diag);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static telar_status find_domain(tuned *t, telar_diag *diag)
{
    if (t->options->counts.count > 1) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--count: a kernel is tuned for one count; telar sweep takes several");
    }
    if (t->options->counts.count == 1) {
        t->domain = t->options->counts.items[0];
        return tl_domain_fit(t->target.subject, &t->domain, diag);
    }
    if (t->target.is_user) return tl_user_domain(&t->target.user, &t->domain, diag);
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "no --count is given");
}

static telar_status tune_target(tuned *t, double time_s, telar_diag *diag)
{
    tl_measure_desc desc = {
        .time_s = time_s > 0 ? time_s : TIME_S, .finalists = FINALISTS, .settled = SETTLED, .patience = PATIENCE};
    TELAR_TRY(find_domain(t, diag));
    t->candidates = calloc(1, sizeof *t->candidates);
    if (t->candidates == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for candidates");
    uint64_t begun_ns = tl_clock_ns();
    TELAR_TRY(tl_session_measure(&t->session, &t->target, &t->domain, &t->options->choices, &desc, t->candidates,
                                 &t->noise, diag));
    t->seconds = (double)(tl_clock_ns() - begun_ns) / 1e9;
    return write_all(t, diag);
}

static int report(const tuned *t, telar_status status, const telar_diag *diag)
{
    if (status != TELAR_OK && t->target.is_user) return tl_kernel_report(&t->target.user.kernel, status, diag);
    if (status != TELAR_OK) return tl_report(status, diag);
    bool quiet = (t->options->wgsl != NULL && strcmp(t->options->wgsl, "-") == 0) ||
                 (t->options->c != NULL && strcmp(t->options->c, "-") == 0);
    tl_session_complain(&t->session, &t->target, &t->domain, t->candidates);
    if (t->cli->json) print_json(t);
    else if (!quiet) print_text(t);
    return count_verdicts(t->candidates, TL_VERDICT_WRONG) > 0 ? TL_EXIT_FINDINGS : TL_EXIT_DONE;
}

int tl_tune_kernel(const tl_cli *cli, const char *kernel, const tl_tune_kernel_options *from, const char *device,
                   double time_s, const char *out)
{
    tuned t = {.cli = cli, .options = from, .out = out};
    telar_diag diag = {0};
    int exit = tl_target_open(kernel, &from->user, &t.target);
    if (exit != TL_EXIT_DONE) return exit;
    exit = tl_session_open(cli, device, from->facts, &t.session);
    if (exit == TL_EXIT_DONE) {
        telar_status status = tune_target(&t, time_s, &diag);
        exit = report(&t, status, &diag);
        tl_session_close(&t.session);
    }
    free(t.candidates);
    tl_target_close(&t.target);
    return exit;
}
