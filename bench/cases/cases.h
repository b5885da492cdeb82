/* SPDX-License-Identifier: MIT
 *
 * The cases: a file a primitive, with its problems (data, bytes, plain C) and the ways to solve them. */
#ifndef BENCH_CASES_CASES_H
#define BENCH_CASES_CASES_H

#include "harness/bench.h"

/* Lists of ways, each ended by a name of NULL; the list of lists by NULL. */
extern const bench_way *const bench_all_ways[];

/* The problem after this one, the first after NULL; NULL: there are no more. */
const bench_problem *bench_next_problem(const bench_problem *problem);
/* The way of this problem after that one, the first after NULL; NULL: there are no more. */
const bench_way *bench_next_way(const bench_problem *problem, const bench_way *after);
/* A candidate for better numbers, "tune ...": measured where it is asked for. */
bool bench_is_candidate(const bench_way *way);

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
telar_array bench_array(const bench_recorder *recorder, telar_buffer buffer);

/* ---- Textbook scan, which select and sort are built on: scan.c --------------------------------------------------- */

telar_status bench_textbook_scan(bench_recorder *recorder, telar_buffer from, telar_buffer to, uint64_t n,
                                 telar_diag *diag);

#endif
