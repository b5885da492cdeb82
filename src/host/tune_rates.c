/* SPDX-License-Identifier: MIT
 *
 * What invocations pay for working together: barriers and memory in a group, atomics between groups. */
#include "host/tune.h"

#include "kernels.h"

#define GROUP_SIZE 256
#define STEPS_MIN 16u /* of two barriers each */
#define STEPS_MAX 512u
#define STEPS_NS 5e6             /* that they may take */
#define SHARED_BYTES 4096        /* of a group */
#define SHARING_NS 1e6           /* that groups sharing it should take in all */
#define SHARING_GROUPS_MAX 16384 /* of one dimension of a dispatch, with room */
#define ATOMICS 8                /* of an invocation */
#define ATOMIC_WORDS 65536u
#define ATOMIC_NS 2e5 /* that they should take in all */
#define ATOMIC_ROUNDS_MAX 256u

static tl_work barriers(const tl_tune *tune, uint32_t steps)
{
    return (tl_work){.wgsl = tl_wgsl_tune_barrier,
                     .group_size = tl_tune_group_size(tune, GROUP_SIZE),
                     .groups = 1,
                     .repeats = steps,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {1, 0}};
}

static telar_status steps_for(tl_tune *tune, uint32_t *steps, telar_diag *diag)
{
    double ns;
    tl_work few = barriers(tune, STEPS_MIN);
    TELAR_TRY(tl_work_once(tune, &few, &ns, NULL, diag));
    *steps = STEPS_MIN;
    while (*steps < STEPS_MAX && ns * (2.0 * *steps / STEPS_MIN) <= STEPS_NS) *steps *= 2;
    return TELAR_OK;
}

/* As many invocations as there are words, so many times. */
static tl_work atomics(const tl_tune *tune, uint32_t rounds, bool one)
{
    uint32_t size = tl_tune_group_size(tune, GROUP_SIZE);
    tl_work work = {.wgsl = tl_wgsl_tune_atomic,
                    .group_size = size,
                    .items = one ? 1 : ATOMIC_WORDS,
                    .groups = ATOMIC_WORDS / size * rounds,
                    .repeats = ATOMICS,
                    .input = TL_TUNE_FROM,
                    .output = one ? TL_TUNE_VERDICT : TL_TUNE_TO};
    if (one) work.verdict[0] = ATOMIC_WORDS * rounds * ATOMICS;
    else work.checked_bytes = ATOMIC_WORDS * sizeof(uint32_t), work.adds = rounds * ATOMICS;
    return work;
}

static telar_status enough_atomics(tl_tune *tune, bool one, tl_work *work, telar_diag *diag)
{
    double ns;
    for (uint32_t rounds = 1;; rounds *= 4) {
        *work = atomics(tune, rounds, one);
        TELAR_TRY(tl_work_once(tune, work, &ns, NULL, diag));
        if (ns >= ATOMIC_NS || rounds == ATOMIC_ROUNDS_MAX) return TELAR_OK;
    }
}

static void atomics_fact(tl_tune *tune, telar_fact_name name, const tl_trial *trial)
{
    double overhead_us = tl_tune_known(tune, TELAR_FACT_DISPATCH_OVERHEAD), rates[TL_TUNE_ESTIMATES];
    double count = (double)trial->work.groups * trial->work.group_size * ATOMICS;
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) rates[k] = count / (trial->ns[k] / 1e3 - overhead_us);
    tl_tune_fact(tune, name, rates);
}

/* Groups on each unit, so many rounds of them, that do nothing or share memory. */
static tl_work groups_of(const tl_tune *tune, uint32_t size, uint32_t rounds, bool sharing)
{
    uint32_t groups = rounds * (uint32_t)tl_tune_known(tune, TELAR_FACT_COMPUTE_UNITS);
    return (tl_work){.wgsl = sharing ? tl_wgsl_tune_shared : tl_wgsl_tune_empty,
                     .group_size = tl_tune_group_size(tune, size),
                     .items = SHARED_BYTES / sizeof(uint32_t),
                     .groups = groups,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {sharing ? groups : 1, 0}};
}

/* A group takes half a microsecond on one adapter, and two milliseconds on another. */
static telar_status enough_rounds(tl_tune *tune, uint32_t size, uint32_t *rounds, telar_diag *diag)
{
    double ns;
    for (*rounds = 1;; *rounds *= 4) {
        tl_work work = groups_of(tune, size, *rounds, true);
        TELAR_TRY(tl_work_once(tune, &work, &ns, NULL, diag));
        if (ns >= SHARING_NS || 4 * work.groups > SHARING_GROUPS_MAX) return TELAR_OK;
    }
}

/* A GPU's groups begin side by side. */
static telar_status find_sharing(tl_tune *tune, telar_diag *diag)
{
    static const struct {
        uint32_t size;
        telar_fact_name fact;
    } rows[] = {{32, TELAR_FACT_SHARED_GROUP_OF_32}, {256, TELAR_FACT_SHARED_GROUP_OF_256}};
    tl_trial trials[2 * TL_COUNT(rows)] = {0};
    uint32_t rounds[TL_COUNT(rows)];
    if (!tune->serial) return TELAR_OK;
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        TELAR_TRY(enough_rounds(tune, rows[k].size, &rounds[k], diag));
        trials[2 * k].work = groups_of(tune, rows[k].size, rounds[k], false);
        trials[2 * k + 1].work = groups_of(tune, rows[k].size, rounds[k], true);
    }
    TELAR_TRY(tl_trials_run(tune, trials, TL_COUNT(trials), diag));
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        double us[TL_TUNE_ESTIMATES];
        for (uint32_t j = 0; j < TL_TUNE_ESTIMATES; j++) {
            us[j] = (trials[2 * k + 1].ns[j] - trials[2 * k].ns[j]) / 1e3 / rounds[k];
        }
        tl_tune_fact(tune, rows[k].fact, us);
    }
    return TELAR_OK;
}

telar_status tl_tune_rates(tl_tune *tune, telar_diag *diag)
{
    uint32_t steps;
    TELAR_TRY(steps_for(tune, &steps, diag));
    tl_trial trials[4] = {{.work = barriers(tune, steps)}, {.work = barriers(tune, 2 * steps)}};
    TELAR_TRY(enough_atomics(tune, false, &trials[2].work, diag));
    TELAR_TRY(enough_atomics(tune, true, &trials[3].work, diag));
    TELAR_TRY(tl_trials_run(tune, trials, TL_COUNT(trials), diag));
    double barrier_us[TL_TUNE_ESTIMATES];
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        barrier_us[k] = (trials[1].ns[k] - trials[0].ns[k]) / 1e3 / (2 * steps);
    }
    tl_tune_fact(tune, TELAR_FACT_BARRIER, barrier_us);
    atomics_fact(tune, TELAR_FACT_ATOMIC_RATE, &trials[2]);
    atomics_fact(tune, TELAR_FACT_ATOMIC_ONE_RATE, &trials[3]);
    return find_sharing(tune, diag);
}
