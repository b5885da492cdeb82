/* SPDX-License-Identifier: MIT
 *
 * What telar bench says for people: a table a problem and n, and how it differs from an older archive. */
#ifndef TL_CLI_BENCH_REPORT_H
#define TL_CLI_BENCH_REPORT_H

#include "cli.h"
#include "harness/bench.h"

void tl_bench_print(const tl_cli *cli, const bench_results *results);
/* A line for each way that both have. */
void tl_bench_print_differences(const tl_cli *cli, const bench_results *results, const char *path,
                                const bench_results *before);
/* Where the two were not measured on the same device by the same implementation. */
void tl_bench_notice_other(const tl_cli *cli, const char *path, const bench_environment *now,
                           const bench_environment *before);

#endif
