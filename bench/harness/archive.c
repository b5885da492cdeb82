/* SPDX-License-Identifier: MIT
 *
 * Results as JSON by jansson: all that was measured, and all that must be known to compare it. */
#include "harness/bench.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define FORMAT "telar-bench"
#define VERSION 1

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static json_t *environment_json(const bench_environment *e)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:i, s:f, s:f, s:b, s:s}", "adapter", e->adapter, "driver", e->driver,
                     "implementation", e->implementation, "quantum_ns", e->quantum_ns, "rounds", (int)e->rounds,
                     "set_ms", e->set_ms, "warm_ms", e->warm_ms, "checked", e->checked, "date", e->date);
}

static json_t *result_json(const bench_result *r)
{
    json_t *rounds = json_array();
    for (uint32_t k = 0; k < r->rounds; k++) json_array_append_new(rounds, json_real(r->ns[k]));
    return json_pack("{s:s, s:s, s:I, s:f, s:i, s:i, s:s, s:i, s:i, s:f, s:f, s:f, s:o}", "problem", r->problem, "way",
                     r->way, "n", (json_int_t)r->n, "bytes", r->bytes, "clock", (int)r->clock, "verdict",
                     (int)r->verdict, "text", r->text, "dispatches", (int)r->dispatches, "repeats", (int)r->repeats,
                     "median_ns", r->median_ns, "spread", r->spread, "copy_ns", r->copy_ns, "rounds_ns", rounds);
}

telar_status bench_archive_write(const bench_results *results, const char *path, telar_diag *diag)
{
    json_t *list = json_array();
    for (size_t k = 0; k < results->count; k++) json_array_append_new(list, result_json(&results->items[k]));
    json_t *root = json_pack("{s:s, s:i, s:o, s:o}", "format", FORMAT, "version", VERSION, "environment",
                             environment_json(&results->environment), "results", list);
    bool written = root != NULL && json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(7)) == 0;
    json_decref(root);
    return written ? TELAR_OK : tl_fail(diag, TELAR_IO_FAILED, "cannot write '%s'", path);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static void copy_text(char *to, size_t cap, const char *from)
{
    telar_out out = {to, cap, 0};
    tl_out_text(&out, from);
}

static bool environment_from(json_t *from, bench_environment *e)
{
    const char *adapter, *driver, *implementation, *date;
    int rounds, checked;
    if (json_unpack(from, "{s:s, s:s, s:s, s:F, s:i, s:F, s:F, s:b, s:s}", "adapter", &adapter, "driver", &driver,
                    "implementation", &implementation, "quantum_ns", &e->quantum_ns, "rounds", &rounds, "set_ms",
                    &e->set_ms, "warm_ms", &e->warm_ms, "checked", &checked, "date", &date) != 0) {
        return false;
    }
    e->rounds = (uint32_t)rounds;
    e->checked = checked != 0;
    copy_text(e->adapter, sizeof e->adapter, adapter);
    copy_text(e->driver, sizeof e->driver, driver);
    copy_text(e->implementation, sizeof e->implementation, implementation);
    copy_text(e->date, sizeof e->date, date);
    return true;
}

static bool result_from(json_t *from, bench_result *r)
{
    const char *problem, *way, *text;
    json_int_t n;
    int clock, verdict, dispatches, repeats;
    json_t *rounds, *round;
    size_t k;
    *r = (bench_result){0};
    if (json_unpack(from, "{s:s, s:s, s:I, s:F, s:i, s:i, s:s, s:i, s:i, s:F, s:F, s:F, s:o}", "problem", &problem,
                    "way", &way, "n", &n, "bytes", &r->bytes, "clock", &clock, "verdict", &verdict, "text", &text,
                    "dispatches", &dispatches, "repeats", &repeats, "median_ns", &r->median_ns, "spread", &r->spread,
                    "copy_ns", &r->copy_ns, "rounds_ns", &rounds) != 0 ||
        clock < 0 || clock > BENCH_CLOCK_COMPANION || verdict < 0 || verdict > BENCH_FAILED ||
        json_array_size(rounds) > BENCH_ROUNDS_MAX) {
        return false;
    }
    json_array_foreach(rounds, k, round) r->ns[k] = json_number_value(round);
    r->rounds = (uint32_t)json_array_size(rounds);
    r->n = (uint64_t)n;
    r->clock = (bench_clock)clock;
    r->verdict = (bench_verdict)verdict;
    r->dispatches = (uint32_t)dispatches;
    r->repeats = (uint32_t)repeats;
    copy_text(r->problem, sizeof r->problem, problem);
    copy_text(r->way, sizeof r->way, way);
    copy_text(r->text, sizeof r->text, text);
    return true;
}

static bool results_from(json_t *root, bench_results *results)
{
    const char *format;
    int version;
    json_t *environment, *list, *item;
    size_t k;
    if (json_unpack(root, "{s:s, s:i, s:o, s:o}", "format", &format, "version", &version, "environment", &environment,
                    "results", &list) != 0 ||
        strcmp(format, FORMAT) != 0 || version != VERSION || !json_is_array(list) ||
        !environment_from(environment, &results->environment)) {
        return false;
    }
    results->cap = json_array_size(list);
    results->items = calloc(results->cap + 1, sizeof *results->items);
    if (results->items == NULL) return false;
    json_array_foreach(list, k, item)
    {
        if (!result_from(item, &results->items[results->count++])) return false;
    }
    return true;
}

telar_status bench_archive_read(const char *path, bench_results *results, telar_diag *diag)
{
    json_error_t error;
    *results = (bench_results){0};
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL) return tl_fail(diag, TELAR_INVALID_DATA, "%s: %s", path, error.text);
    bool taken = results_from(root, results);
    json_decref(root);
    if (taken) return TELAR_OK;
    bench_results_free(results);
    return tl_fail(diag, TELAR_INVALID_DATA, "%s is no archive of benchmarks (format %s, version %d)", path, FORMAT,
                   VERSION);
}
