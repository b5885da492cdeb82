/* SPDX-License-Identifier: MIT
 *
 * The model's latencies (src/plan/model.c), each from a launch in which it decides: an element an invocation over the
 * largest array, and many elements an invocation in a group that runs alone, side by side and in a loop; on a CPU adapter,
 * whose threads do one thing after the other, several elements an invocation over the same array. But for the loop, the
 * kernel is an element function, woven as any user's. Some of these launches take turns with themselves: by so much equal
 * things differ. */
#include "host/tune.h"

#include <math.h>

#include "kernels.h"

#define WAVE_SIZE 256
#define WAVE_SERIAL_BYTES (UINT64_C(1) << 20) /* less than other people's time slices */
#define FEW_ITEMS 2
#define MANY_ITEMS 8
#define ALONE_SIZE 64
#define ALONE_ITEMS 16
#define WORD_BYTES 4
/* The fourth power of the latency's part of the time; below, the other parts hide it and this is a bound. */
#define LEAST_PART 0.05
#define REPEATS 3 /* of the same launch */

enum {
    ALONE_ONE,
    ALONE_MANY = ALONE_ONE + REPEATS,
    LOOP_ONE,
    LOOP_MANY,
    WAVE_ONE,
    WAVE_FEW = WAVE_ONE + REPEATS,
    WAVE_MANY,
    TRIALS
};

static tl_work elements(const tl_tune *tune, uint32_t size, uint32_t items, uint64_t bytes)
{
    size = tl_tune_group_size(tune, size);
    return (tl_work){.wgsl = tl_wgsl_tune_element,
                     .woven = true,
                     .group_size = size,
                     .items = items,
                     .groups = (uint32_t)(bytes / ((uint64_t)WORD_BYTES * size * items)),
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_TO,
                     .checked_bytes = bytes};
}

static tl_work loop(const tl_tune *tune, uint32_t items)
{
    return (tl_work){.wgsl = tl_wgsl_tune_loop,
                     .group_size = tl_tune_group_size(tune, ALONE_SIZE),
                     .items = items,
                     .groups = 1,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {1, 0}};
}

static uint64_t wave_bytes(const tl_tune *tune)
{
    return tune->serial && tune->data_bytes > WAVE_SERIAL_BYTES ? WAVE_SERIAL_BYTES : tune->data_bytes;
}

/* What a launch takes beyond its dispatch, its groups and its bytes, for a device that is full once: on a GPU from t^4 =
 * launch^4 + latency^4 + band^4, on a CPU adapter from their sum, in which the bytes are part of the work. */
static double wave_us(const tl_tune *tune, const tl_work *work, double ns)
{
    double us = ns / 1e3 - tl_tune_known(tune, TELAR_FACT_DISPATCH_OVERHEAD);
    double launch_us = work->groups / tl_tune_known(tune, TELAR_FACT_GROUP_LAUNCH_RATE);
    double band_us = 2 * (double)work->checked_bytes / tl_tune_known(tune, TELAR_FACT_BANDWIDTH);
    double part = 1 - pow(launch_us / us, 4) - pow(band_us / us, 4);
    double latency_us = tune->serial ? us - launch_us : us * pow(part > LEAST_PART ? part : LEAST_PART, 0.25);
    double waves =
        (double)work->groups * work->group_size /
        (tl_tune_known(tune, TELAR_FACT_COMPUTE_UNITS) * tl_tune_known(tune, TELAR_FACT_RESIDENT_INVOCATIONS));
    return latency_us / waves;
}

/* The largest difference between equal launches; no less than the clock can tell. */
static double difference(const tl_tune *tune, const tl_trial *trials)
{
    double least = INFINITY, most = 0;
    for (uint32_t k = 0; k < REPEATS; k++) {
        least = fmin(least, trials[k].ns[0]);
        most = fmax(most, trials[k].ns[0]);
    }
    return fmax(most / least - 1, tune->quantum_ns / (least * trials[0].dispatches));
}

static void find_latencies(tl_tune *tune, const tl_trial *trials)
{
    double one[TL_TUNE_ESTIMATES], item[TL_TUNE_ESTIMATES], looped[TL_TUNE_ESTIMATES];
    double several[TL_TUNE_ESTIMATES], more[TL_TUNE_ESTIMATES];
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        item[k] = (trials[ALONE_MANY].ns[k] - trials[ALONE_ONE].ns[k]) / 1e3 / (ALONE_ITEMS - 1);
        looped[k] = (trials[LOOP_MANY].ns[k] - trials[LOOP_ONE].ns[k]) / 1e3 / (ALONE_ITEMS - 1);
        one[k] = wave_us(tune, &trials[WAVE_ONE].work, trials[WAVE_ONE].ns[k]);
        if (!tune->serial) continue;
        double few_us = wave_us(tune, &trials[WAVE_FEW].work, trials[WAVE_FEW].ns[k]);
        double many_us = wave_us(tune, &trials[WAVE_MANY].work, trials[WAVE_MANY].ns[k]);
        more[k] = (many_us - few_us) / (MANY_ITEMS - FEW_ITEMS);
        several[k] = few_us - one[k] - more[k] * (FEW_ITEMS - 1);
    }
    tl_tune_fact(tune, TELAR_FACT_ITEM_LATENCY, item);
    tl_tune_fact(tune, TELAR_FACT_LOOP_LATENCY, looped);
    tl_tune_fact(tune, TELAR_FACT_WAVE_LATENCY, one);
    if (!tune->serial) return;
    tl_tune_fact(tune, TELAR_FACT_WAVE_SEVERAL, several);
    tl_tune_fact(tune, TELAR_FACT_WAVE_ITEM, more);
}

telar_status tl_tune_latency(tl_tune *tune, telar_diag *diag)
{
    uint64_t alone_bytes = (uint64_t)tl_tune_group_size(tune, ALONE_SIZE) * WORD_BYTES;
    tl_trial trials[TRIALS] = {0};
    for (uint32_t k = 0; k < REPEATS; k++) {
        trials[ALONE_ONE + k].work = elements(tune, ALONE_SIZE, 1, alone_bytes);
        trials[WAVE_ONE + k].work = elements(tune, WAVE_SIZE, 1, wave_bytes(tune));
    }
    trials[ALONE_MANY].work = elements(tune, ALONE_SIZE, ALONE_ITEMS, ALONE_ITEMS * alone_bytes);
    trials[LOOP_ONE].work = loop(tune, 1);
    trials[LOOP_MANY].work = loop(tune, ALONE_ITEMS);
    trials[WAVE_FEW].work = elements(tune, WAVE_SIZE, FEW_ITEMS, wave_bytes(tune));
    trials[WAVE_MANY].work = elements(tune, WAVE_SIZE, MANY_ITEMS, wave_bytes(tune));
    TELAR_TRY(tl_trials_run(tune, trials, tune->serial ? TRIALS : WAVE_FEW, diag));
    find_latencies(tune, trials);
    double spread = fmax(difference(tune, trials + ALONE_ONE), difference(tune, trials + WAVE_ONE));
    telar_facts_set(tune->facts, TELAR_FACT_REPEAT_SPREAD, spread, TELAR_SOURCE_MEASURED);
    return TELAR_OK;
}
