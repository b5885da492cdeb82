/* SPDX-License-Identifier: MIT
 *
 * All cases, by their problems. */
#include "cases/cases.h"

#include <string.h>

const bench_way *const bench_all_ways[] = {
    bench_copy_ways,      bench_map_ways,  bench_reduce_ways,
    bench_runs_ways,      bench_scan_ways, bench_select_ways,
    bench_histogram_ways, bench_sort_ways, NULL,
};

/* Problems stand in the order of the first of their ways. */
static bool is_first(const bench_way *list, const bench_way *way)
{
    for (const bench_way *at = list; at != way; at++) {
        if (at->problem == way->problem) return false;
    }
    return true;
}

const bench_problem *bench_next_problem(const bench_problem *problem)
{
    bool passed = problem == NULL;
    for (const bench_way *const *list = bench_all_ways; *list != NULL; list++) {
        for (const bench_way *way = *list; way->name != NULL; way++) {
            if (!is_first(*list, way)) continue;
            if (passed) return way->problem;
            passed = way->problem == problem;
        }
    }
    return NULL;
}

const bench_way *bench_next_way(const bench_problem *problem, const bench_way *after)
{
    bool passed = after == NULL;
    for (const bench_way *const *list = bench_all_ways; *list != NULL; list++) {
        for (const bench_way *way = *list; way->name != NULL; way++) {
            if (way->problem != problem) continue;
            if (passed) return way;
            passed = way == after;
        }
    }
    return NULL;
}

bool bench_is_candidate(const bench_way *way)
{
    return strncmp(way->name, "tune ", 5) == 0;
}

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

telar_array bench_array(const bench_recorder *recorder, telar_buffer buffer)
{
    return (telar_array){.buffer = buffer, .size_bytes = bench_buffer_bytes(bench_words(recorder, buffer))};
}
