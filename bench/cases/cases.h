/* SPDX-License-Identifier: MIT
 *
 * The cases: a file a primitive, with its problems (data, bytes, plain C) and the ways to solve them. */
#ifndef BENCH_CASES_CASES_H
#define BENCH_CASES_CASES_H

#include "harness/bench.h"

/* Lists of ways, each ended by a name of NULL; the list of lists by NULL. */
extern const bench_way *const bench_all_ways[];

extern const bench_way bench_map_ways[];
extern const bench_way bench_reduce_ways[];
extern const bench_way bench_runs_ways[];
extern const bench_way bench_scan_ways[];
extern const bench_way bench_select_ways[];
extern const bench_way bench_histogram_ways[];
extern const bench_way bench_sort_ways[];

uint64_t bench_one_word(uint64_t n); /* the size of an output that is a number */

/* For whom the primitives are recorded. */
telar_prim bench_prim(const bench_recorder *recorder);
telar_array bench_array(telar_buffer buffer);

/* ---- Textbook scan, which select and sort are built on: scan.c --------------------------------------------------- */

telar_status bench_textbook_scan(bench_recorder *recorder, telar_buffer from, telar_buffer to, uint64_t n,
                                 telar_diag *diag);

#endif
