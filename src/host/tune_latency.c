/* SPDX-License-Identifier: MIT
 *
 * The model's latencies (src/plan/model.c), each from a launch in which it decides: an element an invocation over the
 * largest array, and many elements an invocation in a group that runs alone. */
#include "host/tune.h"

#include <math.h>

#include "kernels.h"

#define WAVE_SIZE 256
#define ALONE_SIZE 64
#define ALONE_ITEMS 16
#define WORD_BYTES 4
/* The fourth power of the latency's part of the time; below, the other parts hide it and this is a bound. */
#define LEAST_PART 0.05

static tl_work elements(const tl_tune *tune, uint32_t size, uint32_t items, uint64_t bytes)
{
    size = tl_tune_group_size(tune, size);
    return (tl_work){.wgsl = tl_wgsl_tune_element,
                     .group_size = size,
                     .items = items,
                     .groups = (uint32_t)(bytes / ((uint64_t)WORD_BYTES * size * items)),
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_TO,
                     .checked_bytes = bytes};
}

/* The time of a full device, from t^4 = launch^4 + latency^4 + band^4. */
static double wave_us(const tl_tune *tune, const tl_work *work, double ns)
{
    double us = ns / 1e3 - tl_tune_known(tune, TELAR_FACT_DISPATCH_OVERHEAD);
    double launch_us = work->groups / tl_tune_known(tune, TELAR_FACT_GROUP_LAUNCH_RATE);
    double band_us = 2 * (double)work->checked_bytes / tl_tune_known(tune, TELAR_FACT_BANDWIDTH);
    double part = 1 - pow(launch_us / us, 4) - pow(band_us / us, 4);
    double latency_us = us * pow(part > LEAST_PART ? part : LEAST_PART, 0.25);
    double waves =
        (double)work->groups * work->group_size /
        (tl_tune_known(tune, TELAR_FACT_COMPUTE_UNITS) * tl_tune_known(tune, TELAR_FACT_RESIDENT_INVOCATIONS));
    return latency_us / waves;
}

telar_status tl_tune_latency(tl_tune *tune, telar_diag *diag)
{
    uint32_t size = tl_tune_group_size(tune, ALONE_SIZE);
    tl_trial trials[] = {
        {.work = elements(tune, WAVE_SIZE, 1, tune->data_bytes)},
        {.work = elements(tune, ALONE_SIZE, 1, (uint64_t)size * WORD_BYTES)},
        {.work = elements(tune, ALONE_SIZE, ALONE_ITEMS, (uint64_t)size * ALONE_ITEMS * WORD_BYTES)},
    };
    TELAR_TRY(tl_trials_run(tune, trials, TL_COUNT(trials), diag));
    double waves[TL_TUNE_ROUNDS_MAX], items[TL_TUNE_ROUNDS_MAX];
    for (uint32_t k = 0; k < tune->rounds; k++) {
        waves[k] = wave_us(tune, &trials[0].work, trials[0].ns[k]);
        items[k] = (trials[2].ns[k] - trials[1].ns[k]) / 1e3 / (ALONE_ITEMS - 1);
    }
    tl_tune_fact(tune, TELAR_FACT_WAVE_LATENCY, waves);
    tl_tune_fact(tune, TELAR_FACT_ITEM_LATENCY, items);
    return TELAR_OK;
}
