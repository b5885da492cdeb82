/* SPDX-License-Identifier: MIT
 *
 * The model's latencies (src/plan/model.c), each from a launch in which it decides: an element an invocation over the
 * largest array, and many elements an invocation in a group that runs alone, side by side and in a loop, which is compiled as
 * a user's is: naga's bound on loops makes each item wait for its load. But for loops, the kernel is an element function, woven
 * as any user's. Some of these launches take turns with themselves: by so much equal things differ. On a CPU adapter, whose
 * threads do one thing after the other, all that a user's kernel may do takes its own time: several elements an invocation, of
 * words and of vectors, groups that are not full, and words read in loops. */
#include "host/tune.h"

#include <math.h>

#include "kernels.h"

#define WAVE_SIZE 256
#define WAVE_SERIAL_BYTES (UINT64_C(1) << 20) /* less than other people's time slices */
#define FEW_ITEMS 2
#define MANY_ITEMS 8
#define TURN_ITEMS 8
#define TURN_BYTES (UINT64_C(1) << 22) /* more than a core's own caches hold: there the first loop's stride shows */
#define ALONE_SIZE 64
#define ALONE_ITEMS 16
#define WORD_BYTES 4
#define VECTOR_BYTES 16
#define CHECKED_BYTES 256 /* what is checked is a multiple of that */
/* The fourth power of the latency's part of the time; below, the other parts hide it and this is a bound. */
#define LEAST_PART 0.05
#define REPEATS 3 /* of the same launch */

enum {
    ALONE_ONE,
    ALONE_MANY = ALONE_ONE + REPEATS,
    LOOP_ONE,
    LOOP_MANY,
    WAVE_ONE,
    GPU_TRIALS = WAVE_ONE + REPEATS,
    WAVE_FEW = GPU_TRIALS,
    WAVE_MANY,
    VECTOR_ONE,
    VECTOR_FEW,
    VECTOR_MANY,
    FULL_WORDS,
    BORDER_WORDS,
    FULL_VECTORS,
    BORDER_VECTORS,
    TURN_ONE,
    TURN_MANY,
    TRIALS
};

static tl_work elements(const tl_tune *tune, uint32_t size, uint32_t items, bool vector, uint64_t bytes)
{
    size = tl_tune_group_size(tune, size);
    return (tl_work){.wgsl = tl_wgsl_tune_element,
                     .woven = true,
                     .vector = vector,
                     .group_size = size,
                     .items = items,
                     .groups = (uint32_t)(bytes / ((uint64_t)(vector ? VECTOR_BYTES : WORD_BYTES) * size * items)),
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_TO,
                     .checked_bytes = bytes};
}

static tl_work loop(const tl_tune *tune, uint32_t items)
{
    return (tl_work){.wgsl = tl_wgsl_tune_loop,
                     .checked = true,
                     .group_size = tl_tune_group_size(tune, ALONE_SIZE),
                     .items = items,
                     .groups = 1,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {1, 0}};
}

/* A group on each unit, which reads its part of the array. */
static tl_work turns(const tl_tune *tune, uint32_t items)
{
    uint64_t bytes = tune->data_bytes < TURN_BYTES ? tune->data_bytes : TURN_BYTES;
    uint32_t size = tl_tune_group_size(tune, WAVE_SIZE);
    uint32_t groups = (uint32_t)tl_tune_known(tune, TELAR_FACT_COMPUTE_UNITS);
    return (tl_work){.wgsl = tl_wgsl_tune_turns,
                     .checked = true,
                     .group_size = size,
                     .items = items,
                     .groups = groups,
                     .repeats = (uint32_t)(bytes / ((uint64_t)WORD_BYTES * size * items * groups)),
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {groups, 0}};
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

/* Of a group that runs alone. */
static void find_items(tl_tune *tune, const tl_trial *trials)
{
    double item[TL_TUNE_ESTIMATES], looped[TL_TUNE_ESTIMATES];
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        item[k] = (trials[ALONE_MANY].ns[k] - trials[ALONE_ONE].ns[k]) / 1e3 / (ALONE_ITEMS - 1);
        looped[k] = (trials[LOOP_MANY].ns[k] - trials[LOOP_ONE].ns[k]) / 1e3 / (ALONE_ITEMS - 1);
    }
    tl_tune_fact(tune, TELAR_FACT_ITEM_LATENCY, item);
    tl_tune_fact(tune, TELAR_FACT_LOOP_LATENCY, looped);
}

static void find_wave(tl_tune *tune, const tl_trial *one)
{
    double us[TL_TUNE_ESTIMATES];
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) us[k] = wave_us(tune, &one->work, one->ns[k]);
    tl_tune_fact(tune, TELAR_FACT_WAVE_LATENCY, us);
}

/* ---- CPU adapters ------------------------------------------------------------------------------------------------ */

typedef struct series {
    uint32_t one, few, many, full, border; /* trials */
    telar_fact_name latency, several, item, of_border;
} series;

static const series of_words = {WAVE_ONE,
                                WAVE_FEW,
                                WAVE_MANY,
                                FULL_WORDS,
                                BORDER_WORDS,
                                TELAR_FACT_WAVE_LATENCY,
                                TELAR_FACT_WAVE_SEVERAL,
                                TELAR_FACT_WAVE_ITEM,
                                TELAR_FACT_WAVE_BORDER};
static const series of_vectors = {VECTOR_ONE,
                                  VECTOR_FEW,
                                  VECTOR_MANY,
                                  FULL_VECTORS,
                                  BORDER_VECTORS,
                                  TELAR_FACT_WAVE_VECTOR,
                                  TELAR_FACT_WAVE_VECTOR_SEVERAL,
                                  TELAR_FACT_WAVE_VECTOR_ITEM,
                                  TELAR_FACT_WAVE_VECTOR_BORDER};

static void find_series(tl_tune *tune, const tl_trial *trials, const series *s)
{
    double one[TL_TUNE_ESTIMATES], several[TL_TUNE_ESTIMATES], item[TL_TUNE_ESTIMATES], border[TL_TUNE_ESTIMATES];
    double fulls = tl_tune_known(tune, TELAR_FACT_RESIDENT_INVOCATIONS) /
                   (trials[s->full].work.group_size * (double)trials[s->full].work.items);
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        double few_us = wave_us(tune, &trials[s->few].work, trials[s->few].ns[k]);
        double many_us = wave_us(tune, &trials[s->many].work, trials[s->many].ns[k]);
        one[k] = wave_us(tune, &trials[s->one].work, trials[s->one].ns[k]);
        item[k] = (many_us - few_us) / (MANY_ITEMS - FEW_ITEMS);
        several[k] = few_us - one[k] - item[k] * (FEW_ITEMS - 1);
        border[k] = (trials[s->border].ns[k] - trials[s->full].ns[k]) / 1e3 * fulls;
    }
    tl_tune_fact(tune, s->of_border, border);
    tl_tune_fact(tune, s->latency, one);
    tl_tune_fact(tune, s->several, several);
    tl_tune_fact(tune, s->item, item);
}

/* Of the inner loop's turns there are as many either way, of the outer loop's once as many and once TURN_ITEMS times fewer. */
static void find_turns(tl_tune *tune, const tl_trial *one, const tl_trial *many)
{
    double loop[TL_TUNE_ESTIMATES], turn[TL_TUNE_ESTIMATES];
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        double one_us = wave_us(tune, &one->work, one->ns[k]) / one->work.repeats;
        double many_us = wave_us(tune, &many->work, many->ns[k]) / many->work.repeats;
        loop[k] = (many_us - one_us) / (TURN_ITEMS - 1);
        turn[k] = one_us - loop[k];
    }
    tl_tune_fact(tune, TELAR_FACT_WAVE_LOOP, loop);
    tl_tune_fact(tune, TELAR_FACT_WAVE_TURN, turn);
}

/* One group of many elements an invocation, and one that is not full. */
static void add_borders(const tl_tune *tune, bool vector, tl_work *full, tl_work *border)
{
    uint32_t element_bytes = vector ? VECTOR_BYTES : WORD_BYTES;
    uint64_t bytes = (uint64_t)tl_tune_group_size(tune, WAVE_SIZE) * MANY_ITEMS * element_bytes;
    *full = *border = elements(tune, WAVE_SIZE, MANY_ITEMS, vector, bytes);
    border->less = CHECKED_BYTES / element_bytes;
    border->checked_bytes -= CHECKED_BYTES;
}

static void add_serial(const tl_tune *tune, tl_trial *trials)
{
    uint64_t bytes = wave_bytes(tune);
    trials[WAVE_FEW].work = elements(tune, WAVE_SIZE, FEW_ITEMS, false, bytes);
    trials[WAVE_MANY].work = elements(tune, WAVE_SIZE, MANY_ITEMS, false, bytes);
    trials[VECTOR_ONE].work = elements(tune, WAVE_SIZE, 1, true, bytes);
    trials[VECTOR_FEW].work = elements(tune, WAVE_SIZE, FEW_ITEMS, true, bytes);
    trials[VECTOR_MANY].work = elements(tune, WAVE_SIZE, MANY_ITEMS, true, bytes);
    add_borders(tune, false, &trials[FULL_WORDS].work, &trials[BORDER_WORDS].work);
    add_borders(tune, true, &trials[FULL_VECTORS].work, &trials[BORDER_VECTORS].work);
    trials[TURN_ONE].work = turns(tune, 1);
    trials[TURN_MANY].work = turns(tune, TURN_ITEMS);
}

static void find_serial(tl_tune *tune, const tl_trial *trials)
{
    find_series(tune, trials, &of_words);
    find_series(tune, trials, &of_vectors);
    find_turns(tune, &trials[TURN_ONE], &trials[TURN_MANY]);
}

/* ---- The experiment ---------------------------------------------------------------------------------------------- */

telar_status tl_tune_latency(tl_tune *tune, telar_diag *diag)
{
    uint64_t alone_bytes = (uint64_t)tl_tune_group_size(tune, ALONE_SIZE) * WORD_BYTES;
    tl_trial trials[TRIALS] = {0};
    for (uint32_t k = 0; k < REPEATS; k++) {
        trials[ALONE_ONE + k].work = elements(tune, ALONE_SIZE, 1, false, alone_bytes);
        trials[WAVE_ONE + k].work = elements(tune, WAVE_SIZE, 1, false, wave_bytes(tune));
    }
    trials[ALONE_MANY].work = elements(tune, ALONE_SIZE, ALONE_ITEMS, false, ALONE_ITEMS * alone_bytes);
    trials[LOOP_ONE].work = loop(tune, 1);
    trials[LOOP_MANY].work = loop(tune, ALONE_ITEMS);
    if (tune->serial) add_serial(tune, trials);
    TELAR_TRY(tl_trials_run(tune, trials, tune->serial ? TRIALS : GPU_TRIALS, diag));
    find_items(tune, trials);
    if (tune->serial) find_serial(tune, trials);
    else find_wave(tune, &trials[WAVE_ONE]);
    double spread = fmax(difference(tune, trials + ALONE_ONE), difference(tune, trials + WAVE_ONE));
    telar_facts_set(tune->facts, TELAR_FACT_REPEAT_SPREAD, spread, TELAR_SOURCE_MEASURED);
    return TELAR_OK;
}
