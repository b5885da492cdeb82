/* SPDX-License-Identifier: MIT */
#include "cases/cases.h"

const bench_way *const bench_all_ways[] = {
    bench_map_ways, bench_reduce_ways, bench_scan_ways, bench_select_ways, bench_histogram_ways, bench_sort_ways, NULL,
};
