/* SPDX-License-Identifier: MIT
 *
 * Results of sweeps as rows, without anything of the devices and kernels that they came from: what CSV files hold, and what
 * tables for people and pages are made of. A run is one call of the tool on one device. */
#ifndef TL_CLI_SWEEP_TABLE_H
#define TL_CLI_SWEEP_TABLE_H

#include <stdio.h>

#include "json.h"
#include "sweep/sweep.h"

enum {
    TL_TABLE_NAME_BYTES = 64,
    TL_TABLE_TEXT_BYTES = 512
};

typedef struct tl_sweep_run {
    char device[TL_TABLE_TEXT_BYTES]; /* the adapter's name, implementation and driver */
    char name[TL_TABLE_NAME_BYTES];   /* "wgpu:0" */
    char command[TL_TABLE_TEXT_BYTES];
    char facts[TL_TABLE_TEXT_BYTES]; /* where they are from */
    double bandwidth;                /* bytes/us; 0: not known */
    double cache_bandwidth;
    double cache_bytes;
    double arithmetic_rate; /* flops/us */
} tl_sweep_run;

typedef struct tl_sweep_row {
    uint32_t run;
    char kernel[TL_TABLE_NAME_BYTES];
    char kind[16];
    uint64_t n;
    uint64_t count[3];
    uint32_t dimensions;
    double bytes, flops; /* an element */
    uint32_t size[3];
    uint32_t items;
    char shape[8];
    bool vector;
    double us, spread;
    uint32_t rounds;
    tl_verdict verdict;
    double predicted_us; /* below 0: not known */
    uint32_t roles;
    double noise; /* of this kernel and n: the plan against itself */
} tl_sweep_row;

typedef struct tl_sweep_table {
    tl_sweep_run *runs;
    uint32_t runs_count, runs_cap;
    tl_sweep_row *rows;
    uint32_t rows_count, rows_cap;
} tl_sweep_table;

telar_status tl_table_add_run(tl_sweep_table *table, const tl_sweep_run *run, telar_diag *diag);
/* Rows of the latest run. */
telar_status tl_table_add_row(tl_sweep_table *table, const tl_sweep_row *row, telar_diag *diag);
telar_status tl_table_add_all(tl_sweep_table *table, const tl_subject *subject, const tl_domain *domain,
                              const tl_candidates *candidates, double noise, telar_diag *diag);
void tl_table_free(tl_sweep_table *table);

/* One kernel, n and run, and what its rows say. Rows of one result stand together. */
typedef struct tl_sweep_result {
    uint32_t first, count;                                     /* rows */
    const tl_sweep_row *plan, *lesson, *untuned, *best, *copy; /* NULL: there is none with a time */
    uint32_t wrong;
} tl_sweep_result;
/* The result that begins at row `first`. */
tl_sweep_result tl_table_result(const tl_sweep_table *table, uint32_t first);

/* ---- csv.c: a run begins with lines "# key: value", then a line of names and one a row ---------------------------- */

void tl_csv_write_run(FILE *out, const tl_sweep_run *run);
void tl_csv_write_rows(FILE *out, const tl_sweep_table *table, uint32_t first);
/* A whole run, with its head. */
void tl_csv_write_all(FILE *out, const tl_sweep_table *table, uint32_t run);
/* Adds all runs of a file. INVALID_DATA names the line. */
telar_status tl_csv_read(const char *path, tl_sweep_table *table, telar_diag *diag);

/* ---- results.c: as keys of an open JSON object ---------------------------------------------------------------------- */

void tl_sweep_json(tl_json *json, const tl_sweep_table *table);

/* ---- text.c: for people ------------------------------------------------------------------------------------------ */

void tl_sweep_print_run(const tl_sweep_run *run, telar_language language, FILE *out);
/* A line of the table; first with the head of it. */
void tl_sweep_print_head(telar_language language, FILE *out);
void tl_sweep_print_result(const tl_sweep_table *table, const tl_sweep_result *result, telar_language language,
                           FILE *out);
/* Medians and worst of each run. */
void tl_sweep_print_summary(const tl_sweep_table *table, telar_language language, FILE *out);

const char *tl_verdict_text(tl_verdict verdict); /* "yes", as in a CSV file */
/* "plan+best" */
void tl_roles_text(uint32_t set, telar_out *out);

#endif
