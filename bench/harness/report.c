/* SPDX-License-Identifier: MIT
 *
 * Results for people: tables in Markdown, and the comparison with an older archive. */
#include "harness/bench.h"

#include <string.h>

const char *bench_verdict_text(bench_verdict verdict)
{
    static const char *const texts[] = {"right", "unchecked", "WRONG", "not here", "FAILED"};
    return texts[verdict];
}

static bool same_task(const bench_result *a, const bench_result *b)
{
    return a->n == b->n && strcmp(a->problem, b->problem) == 0;
}

static bool is_companion(const bench_result *result)
{
    return result->clock == BENCH_CLOCK_COMPANION;
}

/* ---- One table --------------------------------------------------------------------------------------------------- */

static void print_head(const bench_results *results, size_t first, size_t end, FILE *out)
{
    const bench_result *task = &results->items[first];
    fprintf(out, "\n## %s, n = %llu\n\n| way | us | Gelements/s | GB/s | of the copy limit |", task->problem,
            (unsigned long long)task->n);
    for (size_t k = first; k < end; k++) {
        if (is_companion(&results->items[k])) fprintf(out, " %s / way |", results->items[k].way);
    }
    fprintf(out, " dispatches | spread | result |\n|---|---|---|---|---|");
    for (size_t k = first; k < end; k++) {
        if (is_companion(&results->items[k])) fprintf(out, "---|");
    }
    fprintf(out, "---|---|---|\n");
}

static void print_ratio(double companion_ns, const bench_result *row, FILE *out)
{
    if (companion_ns > 0 && row->median_ns > 0) fprintf(out, " %.3f |", companion_ns / row->median_ns);
    else fprintf(out, " |");
}

static void print_row(const bench_results *results, size_t first, size_t end, const bench_result *row, FILE *out)
{
    if (row->median_ns > 0) {
        fprintf(out, "| %s | %.2f | %.2f | %.1f |", row->way, row->median_ns / 1e3, (double)row->n / row->median_ns,
                row->bytes / row->median_ns);
    } else {
        fprintf(out, "| %s | | | |", row->way);
    }
    if (row->copy_ns > 0 && row->median_ns > 0) fprintf(out, " %.3f |", row->copy_ns / row->median_ns);
    else fprintf(out, " |");
    for (size_t k = first; k < end; k++) {
        if (is_companion(&results->items[k])) print_ratio(results->items[k].median_ns, row, out);
    }
    if (row->dispatches > 0) fprintf(out, " %u |", row->dispatches);
    else fprintf(out, " |");
    fprintf(out, " %.1f %% | %s%s%s |\n", 100 * row->spread, bench_verdict_text(row->verdict), row->text[0] ? ": " : "",
            row->text);
}

void bench_print(const bench_results *results, FILE *out)
{
    const bench_environment *e = &results->environment;
    fprintf(out, "# %s, %s, %s: quantum %.1f ns, %u rounds, sets of %.0f ms after %.0f ms%s\n", e->adapter,
            e->implementation, e->driver, e->quantum_ns, e->rounds, e->set_ms, e->warm_ms,
            e->checked ? ", bounds checked" : "");
    for (size_t first = 0, end; first < results->count; first = end) {
        for (end = first; end < results->count && same_task(&results->items[first], &results->items[end]);) end++;
        print_head(results, first, end, out);
        for (size_t k = first; k < end; k++) print_row(results, first, end, &results->items[k], out);
        if (results->items[first].copy_ns > 0) {
            fprintf(out, "\nThe copy limit: %.2f us for as many bytes, %.1f GB/s.\n",
                    results->items[first].copy_ns / 1e3, results->items[first].bytes / results->items[first].copy_ns);
        }
    }
}

/* ---- Two archives ------------------------------------------------------------------------------------------------ */

static const bench_result *find(const bench_results *results, const bench_result *like)
{
    for (size_t k = 0; k < results->count; k++) {
        const bench_result *result = &results->items[k];
        if (same_task(result, like) && strcmp(result->way, like->way) == 0 && result->median_ns > 0) return result;
    }
    return NULL;
}

uint32_t bench_compare(const bench_results *now, const bench_results *old, double part, FILE *out)
{
    uint32_t slower = 0;
    fprintf(out, "\n| problem | n | way | old us | us | old / now | |\n|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < now->count; k++) {
        const bench_result *row = &now->items[k], *before = find(old, row);
        if (before == NULL || row->median_ns <= 0) continue;
        bool is_slower = row->median_ns > before->median_ns * (1 + part);
        slower += is_slower;
        fprintf(out, "| %s | %llu | %s | %.2f | %.2f | %.3f | %s |\n", row->problem, (unsigned long long)row->n,
                row->way, before->median_ns / 1e3, row->median_ns / 1e3, before->median_ns / row->median_ns,
                is_slower ? "SLOWER" : "");
    }
    fprintf(out, "\n%u slower by more than %.1f %%\n", slower, 100 * part);
    return slower;
}
