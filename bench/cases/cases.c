/* SPDX-License-Identifier: MIT */
#include "cases/cases.h"

const bench_way *const bench_all_ways[] = {
    bench_copy_ways,      bench_map_ways,  bench_reduce_ways,
    bench_runs_ways,      bench_scan_ways, bench_select_ways,
    bench_histogram_ways, bench_sort_ways, NULL,
};

uint64_t bench_one_word(uint64_t n)
{
    (void)n;
    return 1;
}

telar_prim bench_prim(const bench_recorder *recorder)
{
    return (telar_prim){
        .facts = recorder->facts, .dialect = telar_host_dialect(recorder->host), .arena = recorder->arena};
}

telar_array bench_array(telar_buffer buffer)
{
    return (telar_array){.buffer = buffer};
}
