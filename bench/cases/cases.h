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
extern const bench_way bench_scan_ways[];
extern const bench_way bench_select_ways[];
extern const bench_way bench_histogram_ways[];
extern const bench_way bench_sort_ways[];

/* ---- Data: fills.c ------------------------------------------------------------------------------------------ */

/* The index, hashed: companions make the same words by themselves. */
uint32_t bench_hash(uint32_t index);
bench_fill bench_fill_hash;
bench_fill bench_fill_byte; /* 0 to 255 */
bench_fill bench_fill_unit; /* f32 in [0, 1), multiples of 2^-24 */
bench_fill bench_fill_index;

uint64_t bench_one_word(uint64_t n);

/* ---- Textbook scan, which select and sort are built on: scan.c --------------------------------------------------- */

telar_status bench_textbook_scan(bench_recorder *recorder, telar_buffer from, telar_buffer to, uint64_t n,
                                 telar_diag *diag);

#endif
