/* SPDX-License-Identifier: MIT
 *
 * Sweeps for people: a Markdown table, a line a kernel and n, and what they come to. */
#include "sweep/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICK(english, spanish) (language == TELAR_SPANISH ? (spanish) : (english))

void tl_sweep_print_run(const tl_sweep_run *run, telar_language language, FILE *out)
{
    fprintf(out, "# %s\n\n", run->device);
    fprintf(out, PICK("Command: `%s`; facts: %s.\n\n", "Orden: `%s`; datos: %s.\n\n"), run->command, run->facts);
}

void tl_sweep_print_head(telar_language language, FILE *out)
{
    fputs(PICK("| kernel | n | plan | us | best | us | plan / best | lesson | lesson / best | predicted / measured | "
               "copy / plan | noise |\n",
               "| kernel | n | plan | us | mejor | us | plan / mejor | lección | lección / mejor | predicho / medido | "
               "copia / plan | ruido |\n"),
          out);
    fputs("|---|---|---|---|---|---|---|---|---|---|---|---|\n", out);
}

static void print_launch(const tl_sweep_row *row, FILE *out)
{
    fprintf(out, "%u", row->size[0]);
    if (row->size[1] > 1 || row->size[2] > 1) fprintf(out, ".%u", row->size[1]);
    if (row->size[2] > 1) fprintf(out, ".%u", row->size[2]);
    fprintf(out, " x %u %s%s", row->items, row->shape, row->vector ? " vec4" : "");
}

static void print_ratio(const tl_sweep_row *above, const tl_sweep_row *below, FILE *out)
{
    if (above == NULL || below == NULL) fputs(" - |", out);
    else fprintf(out, " %.3f |", above->us / below->us);
}

static void print_time(const tl_sweep_row *row, FILE *out)
{
    if (row == NULL) {
        fputs(" - | - |", out);
        return;
    }
    fputc(' ', out);
    print_launch(row, out);
    fprintf(out, " | %.2f |", row->us);
}

void tl_sweep_print_result(const tl_sweep_table *table, const tl_sweep_result *result, telar_language language,
                           FILE *out)
{
    const tl_sweep_row *row = &table->rows[result->first];
    const tl_sweep_row *plan = result->plan, *best = result->best;
    bool tie = plan != NULL && plan != best && (plan->roles & TL_ROLE_TIE) != 0;
    fprintf(out, "| %s | %" PRIu64 " |", row->kernel, row->n);
    print_time(plan, out);
    print_time(best, out);
    if (tie) fprintf(out, PICK(" %.3f (tie) |", " %.3f (empate) |"), plan->us / best->us);
    else print_ratio(plan, best, out);
    if (result->lesson == NULL) fputs(" - |", out);
    else {
        fputc(' ', out);
        print_launch(result->lesson, out);
        fputs(" |", out);
    }
    print_ratio(result->lesson, best, out);
    if (plan == NULL || plan->predicted_us < 0) fputs(" - |", out);
    else fprintf(out, " %.3f |", plan->predicted_us / plan->us);
    print_ratio(result->copy, plan, out);
    fprintf(out, " %.1f %% |\n", 100 * row->noise);
    if (result->wrong > 0) {
        fprintf(
            out,
            PICK("\nWRONG: %u candidates of %s, n = %" PRIu64 "\n\n", "MAL: %u candidatos de %s, n = %" PRIu64 "\n\n"),
            result->wrong, row->kernel, row->n);
    }
    fflush(out);
}

/* ---- What they come to ------------------------------------------------------------------------------------------- */

typedef struct figures {
    double *values;
    uint32_t count;
} figures;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(figures *f)
{
    qsort(f->values, f->count, sizeof *f->values, by_value);
    return f->count % 2 != 0 ? f->values[f->count / 2] : (f->values[f->count / 2 - 1] + f->values[f->count / 2]) / 2;
}

static void add_ratio(figures *f, const tl_sweep_row *above, const tl_sweep_row *below)
{
    if (above != NULL && below != NULL) f->values[f->count++] = above->us / below->us;
}

static void print_figures(figures *f, const char *name, telar_language language, FILE *out)
{
    if (f->count == 0) return;
    double median = middle(f);
    fprintf(out, PICK("%s: median %.3f, worst %.3f (%u)\n", "%s: mediana %.3f, peor %.3f (%u)\n"), name, median,
            f->values[f->count - 1], f->count);
}

static void summarize(const tl_sweep_table *table, uint32_t run, figures *sets, telar_language language, FILE *out)
{
    figures *plan = &sets[0], *lesson = &sets[1], *untuned = &sets[2], *predicted = &sets[3], *noise = &sets[4];
    for (uint32_t k = 0; k < table->rows_count;) {
        tl_sweep_result result = tl_table_result(table, k);
        k += result.count;
        if (table->rows[result.first].run != run) continue;
        add_ratio(plan, result.plan, result.best);
        add_ratio(lesson, result.lesson, result.best);
        add_ratio(untuned, result.untuned, result.best);
        if (result.plan != NULL && result.plan->predicted_us >= 0) {
            predicted->values[predicted->count++] = fabs(result.plan->predicted_us / result.plan->us - 1);
        }
        noise->values[noise->count++] = table->rows[result.first].noise;
    }
    fputc('\n', out);
    print_figures(plan, PICK("plan / best", "plan / mejor"), language, out);
    print_figures(lesson, PICK("lesson / best", "lección / mejor"), language, out);
    print_figures(untuned, PICK("plan of an untuned device / best", "plan de un dispositivo sin medir / mejor"),
                  language, out);
    print_figures(predicted, PICK("predicted, off by", "predicho, desviado en"), language, out);
    print_figures(noise, PICK("noise (the plan against itself)", "ruido (el plan contra sí mismo)"), language, out);
}

void tl_sweep_print_summary(const tl_sweep_table *table, telar_language language, FILE *out)
{
    enum {
        SETS = 5
    };
    double *values = calloc((size_t)SETS * (table->rows_count + 1), sizeof *values);
    if (values == NULL) return;
    for (uint32_t run = 0; run < table->runs_count; run++) {
        figures sets[SETS];
        for (uint32_t k = 0; k < SETS; k++) sets[k] = (figures){values + (size_t)k * (table->rows_count + 1), 0};
        if (table->runs_count > 1) fprintf(out, "\n%s:\n", table->runs[run].device);
        summarize(table, run, sets, language, out);
    }
    free(values);
}
