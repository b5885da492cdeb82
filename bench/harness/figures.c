/* SPDX-License-Identifier: MIT
 *
 * What is said of times: a figure, how sure it is, and which of two is the smaller one. */
#include "harness/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Of one way -------------------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
}

/* Of sorted values; there is at least one. */
static double median_of(const double *values, uint32_t count)
{
    return count % 2 != 0 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* The noise is the upper quartile of what lies between neighbouring rounds. By their median, on two cores with three times as
 * much other work, one in eight comparisons of a way with itself (5 rounds against the next 5, or every other of 10) was
 * taken for a difference; so it is one in seventy. A rare disturbance of a long run still does not count, as it would in
 * their largest. */
void bench_result_sum_up(bench_result *result)
{
    double values[BENCH_ROUNDS_MAX] = {0};
    uint32_t rounds = result->rounds;
    result->median_ns = result->spread = 0;
    result->noise = -1;
    if (rounds == 0) return;
    memcpy(values, result->ns, rounds * sizeof *values);
    sort(values, rounds);
    result->median_ns = median_of(values, rounds);
    result->spread = (values[rounds - 1] - values[0]) / result->median_ns;
    if (rounds < 2) return;
    for (uint32_t k = 0; k + 1 < rounds; k++) values[k] = fabs(result->ns[k + 1] - result->ns[k]);
    sort(values, rounds - 1);
    result->noise = values[(rounds - 1) * 3 / 4] / result->median_ns;
}

double bench_share_of_copy(const bench_result *result)
{
    return result->copy_ns > 0 && result->median_ns > 0 ? result->copy_ns / result->median_ns : 0;
}

/* ---- Of two ------------------------------------------------------------------------------------------------------ */

bench_difference bench_differ(const bench_result *now, const bench_result *before)
{
    bench_difference difference = {.change = BENCH_UNKNOWN, .noise = -1};
    if (now->median_ns <= 0 || before->median_ns <= 0) return difference;
    difference.ratio = now->median_ns / before->median_ns;
    if (now->noise < 0 || before->noise < 0) return difference;
    difference.noise = (1 + before->noise) * (1 + now->noise) - 1;
    if (difference.ratio > 1 + difference.noise) difference.change = BENCH_SLOWER;
    else if (difference.ratio * (1 + difference.noise) < 1) difference.change = BENCH_FASTER;
    else difference.change = BENCH_SAME;
    return difference;
}

const bench_result *bench_find(const bench_results *results, const bench_result *like)
{
    for (size_t k = 0; k < results->count; k++) {
        const bench_result *result = &results->items[k];
        bool same = result->n == like->n && strcmp(result->problem, like->problem) == 0;
        if (same && strcmp(result->way, like->way) == 0) return result;
    }
    return NULL;
}

const char *bench_change_text(bench_change change)
{
    static const char *const texts[] = {"same", "faster", "slower", "unknown"};
    return texts[change];
}
