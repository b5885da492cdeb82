/* SPDX-License-Identifier: MIT
 *
 * Rows in memory that grows, and what the rows of one kernel and n say. */
#include "sweep/table.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **items, uint32_t count, uint32_t *cap, size_t size)
{
    if (count < *cap) return true;
    uint32_t more = *cap * 2 + 64;
    void *grown = realloc(*items, more * size);
    if (grown == NULL) return false;
    *items = grown;
    *cap = more;
    return true;
}

static telar_status no_memory(telar_diag *diag)
{
    return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a table");
}

telar_status tl_table_add_run(tl_sweep_table *table, const tl_sweep_run *run, telar_diag *diag)
{
    void *runs = table->runs;
    if (!grow(&runs, table->runs_count, &table->runs_cap, sizeof *run)) return no_memory(diag);
    table->runs = runs;
    table->runs[table->runs_count++] = *run;
    return TELAR_OK;
}

telar_status tl_table_add_row(tl_sweep_table *table, const tl_sweep_row *row, telar_diag *diag)
{
    TELAR_ASSERT(table->runs_count > 0);
    void *rows = table->rows;
    if (!grow(&rows, table->rows_count, &table->rows_cap, sizeof *row)) return no_memory(diag);
    table->rows = rows;
    table->rows[table->rows_count] = *row;
    table->rows[table->rows_count++].run = table->runs_count - 1;
    return TELAR_OK;
}

void tl_table_free(tl_sweep_table *table)
{
    free(table->runs);
    free(table->rows);
    *table = (tl_sweep_table){0};
}

static void copy_text(char *to, size_t cap, const char *from)
{
    telar_out out = {to, cap, 0};
    tl_out_text(&out, from);
}

static tl_sweep_row row_of(const tl_subject *subject, const tl_domain *domain, const tl_candidate *candidate)
{
    tl_sweep_row row = {.n = tl_domain_elements(domain),
                        .dimensions = domain->dimensions,
                        .bytes = subject->bytes,
                        .flops = subject->flops,
                        .items = candidate->items,
                        .vector = candidate->vector,
                        .us = candidate->us,
                        .spread = candidate->spread,
                        .rounds = candidate->rounds,
                        .verdict = candidate->verdict,
                        .predicted_us = candidate->predicted_us,
                        .roles = candidate->roles};
    copy_text(row.kernel, sizeof row.kernel, subject->name);
    copy_text(row.kind, sizeof row.kind, telar_kind_text(subject->kind));
    copy_text(row.shape, sizeof row.shape, telar_shape_text(candidate->shape));
    memcpy(row.count, domain->count, sizeof row.count);
    memcpy(row.size, candidate->size, sizeof row.size);
    return row;
}

telar_status tl_table_add_all(tl_sweep_table *table, const tl_subject *subject, const tl_domain *domain,
                              const tl_candidates *candidates, double noise, telar_diag *diag)
{
    for (uint32_t k = 0; k < candidates->count; k++) {
        tl_sweep_row row = row_of(subject, domain, &candidates->items[k]);
        row.noise = noise;
        TELAR_TRY(tl_table_add_row(table, &row, diag));
    }
    return TELAR_OK;
}

/* ---- What rows say ----------------------------------------------------------------------------------------------- */

static bool same_result(const tl_sweep_row *a, const tl_sweep_row *b)
{
    return a->run == b->run && a->n == b->n && strcmp(a->kernel, b->kernel) == 0;
}

static void take(const tl_sweep_row *row, uint32_t role, const tl_sweep_row **at)
{
    if ((row->roles & role) == 0 || row->us <= 0 || row->verdict != TL_VERDICT_RIGHT) return;
    if (*at == NULL || row->us < (*at)->us) *at = row;
}

tl_sweep_result tl_table_result(const tl_sweep_table *table, uint32_t first)
{
    tl_sweep_result result = {.first = first};
    for (uint32_t k = first; k < table->rows_count && same_result(&table->rows[first], &table->rows[k]); k++) {
        const tl_sweep_row *row = &table->rows[k];
        result.count++;
        result.wrong += row->verdict == TL_VERDICT_WRONG;
        take(row, TL_ROLE_PLAN, &result.plan);
        take(row, TL_ROLE_LESSON, &result.lesson);
        take(row, TL_ROLE_DEFAULT, &result.untuned);
        take(row, TL_ROLE_BEST, &result.best);
        take(row, TL_ROLE_COPY, &result.copy);
    }
    return result;
}
