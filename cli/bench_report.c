/* SPDX-License-Identifier: MIT
 *
 * Tables of benchmarks. Ratios are against the first way of Telar's in the same run. */
#include "bench_report.h"

#include <stdio.h>
#include <string.h>

#define WAY_WIDTH 24
#define CASE_WIDTH 30
#define TEXT_BYTES 48

/* ---- Cells ------------------------------------------------------------------------------------------------------- */

static void put_spaces(size_t used, size_t width)
{
    if (used < width) printf("%*s", (int)(width - used), "");
}

static void put_left(const char *text, size_t width)
{
    fputs(text, stdout);
    put_spaces(tl_columns(text, strlen(text)), width);
}

static void put_right(const char *text, size_t width)
{
    put_spaces(tl_columns(text, strlen(text)), width);
    fputs(text, stdout);
}

/* A number, or nothing where it is not known. */
static void put_number(bool known, double value, int digits, const char *unit, size_t width)
{
    char text[TEXT_BYTES] = "";
    if (known) snprintf(text, sizeof text, "%.*f%s", digits, value, unit);
    put_right(text, width);
}

/* ---- One table --------------------------------------------------------------------------------------------------- */

static bool same_task(const bench_result *a, const bench_result *b)
{
    return a->n == b->n && strcmp(a->problem, b->problem) == 0;
}

typedef struct column {
    const char *title[2];
    size_t width;
} column;

/* After the way's name. */
enum {
    COLUMN_US,
    COLUMN_RATE,
    COLUMN_SHARE,
    COLUMN_RATIO,
    COLUMN_SPREAD,
    COLUMN_NOISE,
    COLUMN_DISPATCHES,
    COLUMN_COUNT
};
static const column columns[COLUMN_COUNT] = {
    [COLUMN_US] = {{"us", "us"}, 12},
    [COLUMN_RATE] = {{"GB/s", "GB/s"}, 9},
    [COLUMN_SHARE] = {{"of copy", "de copia"}, 10},
    [COLUMN_RATIO] = {{"/ telar", "/ telar"}, 9},
    [COLUMN_SPREAD] = {{"spread", "dispersión"}, 12},
    [COLUMN_NOISE] = {{"A/A", "A/A"}, 8},
    [COLUMN_DISPATCHES] = {{"dispatches", "dispatches"}, 12},
};

static const char *verdict_text(const tl_cli *cli, bench_verdict verdict)
{
    static const char *const texts[][2] = {
        [BENCH_RIGHT] = {"right", "correcto"}, [BENCH_UNCHECKED] = {"unchecked", "sin comprobar"},
        [BENCH_WRONG] = {"WRONG", "MAL"},      [BENCH_UNSUPPORTED] = {"not here", "aquí no"},
        [BENCH_FAILED] = {"FAILED", "FALLÓ"},
    };
    return texts[verdict][cli->language];
}

/* The time over the reference's; with a sign before it where the noise of both hides the difference. */
static void put_ratio(const bench_result *row, const bench_result *reference)
{
    char text[TEXT_BYTES] = "";
    if (reference != NULL && row != reference) {
        bench_difference difference = bench_differ(row, reference);
        const char *sign = difference.change == BENCH_SAME ? "≈ " : "";
        if (difference.ratio > 0) snprintf(text, sizeof text, "%s%.2f", sign, difference.ratio);
    }
    put_right(text, columns[COLUMN_RATIO].width);
}

static void print_row(const tl_cli *cli, const bench_result *row, const bench_result *reference)
{
    bool timed = row->median_ns > 0;
    double share = bench_share_of_copy(row);
    fputs("  ", stdout);
    put_left(row->way, WAY_WIDTH);
    put_number(timed, row->median_ns / 1e3, 2, "", columns[COLUMN_US].width);
    put_number(timed, timed ? row->bytes / row->median_ns : 0, 2, "", columns[COLUMN_RATE].width);
    put_number(share > 0, share * 100, 1, " %", columns[COLUMN_SHARE].width);
    put_ratio(row, reference);
    put_number(row->rounds > 1, row->spread * 100, 1, " %", columns[COLUMN_SPREAD].width);
    put_number(row->rounds > 1, row->noise * 100, 1, " %", columns[COLUMN_NOISE].width);
    put_number(row->dispatches > 0, row->dispatches, 0, "", columns[COLUMN_DISPATCHES].width);
    printf("  %s%s%s\n", verdict_text(cli, row->verdict), row->text[0] != 0 ? ": " : "", row->text);
}

static void print_head(const tl_cli *cli, const bench_result *task)
{
    printf("\n%s, n = %llu", task->problem, (unsigned long long)task->n);
    if (task->copy_ns > 0) {
        printf(TL_PICK(cli, "; as many bytes are copied in %.2f us, %.2f GB/s",
                       "; otros tantos bytes se copian en %.2f us, %.2f GB/s"),
               task->copy_ns / 1e3, task->bytes / task->copy_ns);
    }
    fputs("\n  ", stdout);
    put_left("", WAY_WIDTH);
    for (size_t k = 0; k < COLUMN_COUNT; k++) put_right(columns[k].title[cli->language], columns[k].width);
    putchar('\n');
}

void tl_bench_print(const tl_cli *cli, const bench_results *results)
{
    const bench_environment *e = &results->environment;
    printf("%s, %s%s%s%s%s\n", e->adapter, e->implementation, e->driver[0] != 0 ? ", " : "", e->driver,
           e->tuned ? TL_PICK(cli, ", tuned", ", con datos medidos") : "",
           e->checked ? TL_PICK(cli, ", bounds checked", ", con comprobación de límites") : "");
    const bench_result *end = results->items + results->count;
    for (const bench_result *first = results->items, *next; first != end; first = next) {
        const bench_result *reference = strncmp(first->way, "telar", 5) == 0 ? first : NULL;
        print_head(cli, first);
        for (next = first; next != end && same_task(first, next); next++) print_row(cli, next, reference);
    }
}

/* ---- Against an archive ------------------------------------------------------------------------------------------ */

static const char *change_text(const tl_cli *cli, bench_change change)
{
    static const char *const texts[][2] = {[BENCH_SAME] = {"within A/A", "dentro de A/A"},
                                           [BENCH_FASTER] = {"faster", "más rápido"},
                                           [BENCH_SLOWER] = {"slower", "más lento"},
                                           [BENCH_UNKNOWN] = {"", ""}};
    return texts[change][cli->language];
}

void tl_bench_print_differences(const tl_cli *cli, const bench_results *results, const char *path,
                                const bench_results *before)
{
    uint32_t counts[BENCH_UNKNOWN + 1] = {0};
    const bench_environment *e = &before->environment;
    printf(TL_PICK(cli, "\nbeside %s (%s, %s, %s)\n", "\njunto a %s (%s, %s, %s)\n"), path, e->date, e->adapter,
           e->implementation);
    for (size_t k = 0; k < results->count; k++) {
        const bench_result *row = &results->items[k], *old = bench_find(before, row);
        if (old == NULL || row->median_ns <= 0 || old->median_ns <= 0) continue;
        bench_difference difference = bench_differ(row, old);
        counts[difference.change]++;
        fputs("  ", stdout);
        put_left(row->problem, CASE_WIDTH);
        printf("%12llu  ", (unsigned long long)row->n);
        put_left(row->way, WAY_WIDTH);
        printf("%12.2f us -> %12.2f us %+8.1f %% ", old->median_ns / 1e3, row->median_ns / 1e3,
               (difference.ratio - 1) * 100);
        if (difference.noise >= 0) printf("± %.1f %%  ", difference.noise * 100);
        printf("%s\n", change_text(cli, difference.change));
    }
    printf(TL_PICK(cli, "%u slower, %u faster, %u within the A/A of both, which is not ranked\n",
                   "%u más lentos, %u más rápidos, %u dentro del A/A de ambos, lo que no se ordena\n"),
           counts[BENCH_SLOWER], counts[BENCH_FASTER], counts[BENCH_SAME]);
}

void tl_bench_notice_other(const tl_cli *cli, const char *path, const bench_environment *now,
                           const bench_environment *before)
{
    bool same = strcmp(now->adapter, before->adapter) == 0 && strcmp(now->driver, before->driver) == 0 &&
                strcmp(now->implementation, before->implementation) == 0 && now->checked == before->checked &&
                now->tuned == before->tuned;
    if (same) return;
    tl_notice(TL_PICK(cli, "%s was measured elsewhere, or otherwise: %s, %s, %s%s%s",
                      "%s se midió en otro sitio, o de otro modo: %s, %s, %s%s%s"),
              path, before->adapter, before->implementation, before->driver,
              before->tuned ? TL_PICK(cli, ", tuned", ", con datos medidos") : "",
              before->checked ? TL_PICK(cli, ", bounds checked", ", con comprobación de límites") : "");
}
