/* SPDX-License-Identifier: MIT
 *
 * Results as JSON by jansson: all that was measured, and all that must be known to compare it. What follows from the times
 * (median, spread, noise, share of the copy limit) is written for readers and worked out again when it is read. */
#include "harness/bench.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

#define FORMAT "telar-bench"
#define VERSION 2 /* 1 had numbers for clocks and verdicts */
#define FLAGS (JSON_INDENT(1) | JSON_REAL_PRECISION(7))

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const char *const verdicts[] = {"right", "unchecked", "wrong", "unsupported", "failed"};
static const char *const clocks[] = {"gpu", "host", "companion"};

const char *bench_verdict_text(bench_verdict verdict)
{
    return verdicts[verdict];
}

const char *bench_clock_text(bench_clock clock)
{
    return clocks[clock];
}

/* Its place in the list, or that itself. */
static bool place_of(json_t *from, const char *const *names, size_t count, size_t *place)
{
    *place = json_is_integer(from) ? (size_t)json_integer_value(from) : 0;
    if (json_is_integer(from)) return *place < count;
    for (; json_is_string(from) && *place < count; ++*place) {
        if (strcmp(names[*place], json_string_value(from)) == 0) return true;
    }
    return false;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static json_t *environment_json(const bench_environment *e)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:f, s:i, s:f, s:f, s:b, s:s}", "adapter", e->adapter, "driver", e->driver,
                     "implementation", e->implementation, "tuned", e->tuned, "quantum_ns", e->quantum_ns, "rounds",
                     (int)e->rounds, "set_ms", e->set_ms, "warm_ms", e->warm_ms, "checked", e->checked, "date",
                     e->date);
}

static json_t *number_if(bool known, double value)
{
    return known ? json_real(value) : json_null();
}

static json_t *result_json(const bench_result *r)
{
    json_t *rounds = json_array();
    double share = bench_share_of_copy(r);
    for (uint32_t k = 0; k < r->rounds; k++) json_array_append_new(rounds, json_real(r->ns[k]));
    return json_pack("{s:s, s:s, s:I, s:f, s:s, s:s, s:s, s:i, s:i, s:f, s:f, s:o, s:f, s:o, s:o}", "problem",
                     r->problem, "way", r->way, "n", (json_int_t)r->n, "bytes", r->bytes, "clock", clocks[r->clock],
                     "verdict", verdicts[r->verdict], "text", r->text, "dispatches", (int)r->dispatches, "repeats",
                     (int)r->repeats, "median_ns", r->median_ns, "spread", r->spread, "noise",
                     number_if(r->noise >= 0, r->noise), "copy_ns", r->copy_ns, "share_of_copy",
                     number_if(share > 0, share), "rounds_ns", rounds);
}

static json_t *difference_json(const bench_result *now, const bench_result *before)
{
    bench_difference difference = bench_differ(now, before);
    return json_pack("{s:s, s:s, s:I, s:f, s:f, s:o, s:o, s:s}", "problem", now->problem, "way", now->way, "n",
                     (json_int_t)now->n, "before_ns", before->median_ns, "now_ns", now->median_ns, "ratio",
                     number_if(difference.ratio > 0, difference.ratio), "noise",
                     number_if(difference.noise >= 0, difference.noise), "change",
                     bench_change_text(difference.change));
}

static json_t *differences_json(const bench_results *results, const bench_results *before)
{
    json_t *list = json_array();
    for (size_t k = 0; k < results->count; k++) {
        const bench_result *other = bench_find(before, &results->items[k]);
        if (other != NULL) json_array_append_new(list, difference_json(&results->items[k], other));
    }
    return list;
}

static json_t *results_json(const bench_results *results, const bench_results *before)
{
    json_t *list = json_array();
    for (size_t k = 0; k < results->count; k++) json_array_append_new(list, result_json(&results->items[k]));
    json_t *root = json_pack("{s:s, s:i, s:o, s:o}", "format", FORMAT, "version", VERSION, "environment",
                             environment_json(&results->environment), "results", list);
    if (root != NULL && before != NULL) json_object_set_new(root, "compared", differences_json(results, before));
    return root;
}

static telar_status write_text(const char *path, const char *text, telar_diag *diag)
{
    tl_output output;
    TELAR_TRY(tl_output_begin(path, &output, diag));
    telar_status status = tl_output_write(&output, text, strlen(text), diag);
    if (status == TELAR_OK) status = tl_output_commit(&output, diag);
    tl_output_abandon(&output);
    return status;
}

telar_status bench_archive_write(const bench_results *results, const char *path, telar_diag *diag)
{
    json_t *root = results_json(results, NULL);
    char *text = json_dumps(root, FLAGS);
    json_decref(root);
    if (text == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to write '%s'", path);
    telar_status status = write_text(path, text, diag);
    free(text);
    return status;
}

telar_status bench_archive_print(const bench_results *results, const bench_results *before, FILE *out, telar_diag *diag)
{
    json_t *root = results_json(results, before);
    bool written = root != NULL && json_dumpf(root, out, FLAGS) == 0 && fputc('\n', out) != EOF;
    json_decref(root);
    return written ? TELAR_OK : tl_fail(diag, TELAR_IO_FAILED, "cannot write the results");
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
    int rounds, checked, tuned = 0;
    if (json_unpack(from, "{s:s, s:s, s:s, s?b, s:F, s:i, s:F, s:F, s:b, s:s}", "adapter", &adapter, "driver", &driver,
                    "implementation", &implementation, "tuned", &tuned, "quantum_ns", &e->quantum_ns, "rounds", &rounds,
                    "set_ms", &e->set_ms, "warm_ms", &e->warm_ms, "checked", &checked, "date", &date) != 0) {
        return false;
    }
    e->rounds = (uint32_t)rounds;
    e->checked = checked != 0;
    e->tuned = tuned != 0;
    copy_text(e->adapter, sizeof e->adapter, adapter);
    copy_text(e->driver, sizeof e->driver, driver);
    copy_text(e->implementation, sizeof e->implementation, implementation);
    copy_text(e->date, sizeof e->date, date);
    return true;
}

static bool rounds_from(json_t *rounds, bench_result *r)
{
    json_t *round;
    size_t k;
    if (!json_is_array(rounds) || json_array_size(rounds) > BENCH_ROUNDS_MAX) return false;
    json_array_foreach(rounds, k, round)
    {
        r->ns[k] = json_number_value(round);
        if (!(r->ns[k] > 0)) return false;
    }
    r->rounds = (uint32_t)json_array_size(rounds);
    bench_result_sum_up(r);
    return true;
}

static bool result_from(json_t *from, bench_result *r)
{
    const char *problem, *way, *text;
    json_int_t n;
    int dispatches, repeats;
    size_t clock_place, verdict_place;
    json_t *clock, *verdict, *rounds;
    *r = (bench_result){0};
    if (json_unpack(from, "{s:s, s:s, s:I, s:F, s:o, s:o, s:s, s:i, s:i, s:F, s:o}", "problem", &problem, "way", &way,
                    "n", &n, "bytes", &r->bytes, "clock", &clock, "verdict", &verdict, "text", &text, "dispatches",
                    &dispatches, "repeats", &repeats, "copy_ns", &r->copy_ns, "rounds_ns", &rounds) != 0 ||
        !place_of(clock, clocks, TL_COUNT(clocks), &clock_place) ||
        !place_of(verdict, verdicts, TL_COUNT(verdicts), &verdict_place) || !rounds_from(rounds, r)) {
        return false;
    }
    r->n = (uint64_t)n;
    r->clock = (bench_clock)clock_place;
    r->verdict = (bench_verdict)verdict_place;
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
        strcmp(format, FORMAT) != 0 || version < 1 || version > VERSION || !json_is_array(list) ||
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
    tl_file file;
    *results = (bench_results){0};
    TELAR_TRY(tl_file_open(path, &file, diag));
    json_t *root = json_loadb(file.data == NULL ? "" : (const char *)file.data, (size_t)file.size_bytes, 0, &error);
    tl_file_close(&file);
    if (root == NULL) {
        return tl_fail(diag, TELAR_INVALID_DATA, "%s:%d:%d: no archive of benchmarks: %.160s", path, error.line,
                       error.column, error.text);
    }
    bool taken = results_from(root, results);
    json_decref(root);
    if (taken) return TELAR_OK;
    bench_results_free(results);
    return tl_fail(diag, TELAR_INVALID_DATA, "%s is no archive of benchmarks (format %s, version 1 or %d)", path,
                   FORMAT, VERSION);
}
