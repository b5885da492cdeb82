/* SPDX-License-Identifier: MIT
 *
 * From rounds to estimates, from estimates to facts. */
#include "host/tune.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle_of(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Of every `step`th round. What others take away only makes a time longer: there the least is nearest to the truth. */
static double estimate(const tl_tune *tune, const double *rounds, uint32_t first, uint32_t step, uint32_t count)
{
    double values[TL_TUNE_ROUNDS_MAX];
    uint32_t taken = 0;
    for (uint32_t k = first; k < count; k += step) values[taken++] = rounds[k];
    double middle = middle_of(values, taken);
    return tune->serial ? values[0] : middle;
}

void tl_tune_estimate(const tl_tune *tune, const double *rounds, uint32_t count, double *estimates)
{
    estimates[0] = estimate(tune, rounds, 0, 1, count);
    for (uint32_t part = 0; part < TL_TUNE_PARTS; part++) {
        estimates[1 + part] = estimate(tune, rounds, part, TL_TUNE_PARTS, count);
    }
}

double tl_tune_spread(const double *estimates)
{
    double least = estimates[1], most = estimates[1];
    for (uint32_t k = 2; k < TL_TUNE_ESTIMATES; k++) {
        if (estimates[k] < least) least = estimates[k];
        if (estimates[k] > most) most = estimates[k];
    }
    return (most - least) / 2 / estimates[0];
}

void tl_tune_fact(tl_tune *tune, telar_fact_name name, const double *estimates)
{
    telar_facts_set(tune->facts, name, estimates[0], TELAR_SOURCE_MEASURED);
    if (telar_facts_know(tune->facts, name)) tune->facts->values[name].spread = tl_tune_spread(estimates);
}

void tl_tune_fact_counted(tl_tune *tune, telar_fact_name name, const double *counted)
{
    double estimates[TL_TUNE_ESTIMATES], sorted[TL_TUNE_PARTS];
    for (uint32_t k = 0; k < TL_TUNE_PARTS; k++) sorted[k] = estimates[1 + k] = counted[k];
    estimates[0] = middle_of(sorted, TL_TUNE_PARTS);
    tl_tune_fact(tune, name, estimates);
}

double tl_tune_known(const tl_tune *tune, telar_fact_name name)
{
    return telar_facts_assume(tune->facts, name).value;
}

uint32_t tl_tune_group_size(const tl_tune *tune, uint32_t wanted)
{
    uint64_t most = tune->facts->limits.maxComputeInvocationsPerWorkgroup;
    if (most > tune->facts->limits.maxComputeWorkgroupSizeX) most = tune->facts->limits.maxComputeWorkgroupSizeX;
    while (wanted > most) wanted /= 2;
    return wanted;
}
