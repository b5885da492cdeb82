/* SPDX-License-Identifier: MIT
 *
 * How many compute units there are, what they calculate, and whether they go on while others wait. WebGPU says none of
 * this. A group that only calculates keeps one unit busy, so one more group than there are units takes twice as long. On a CPU
 * adapter a unit is a thread, which others may keep from running: there the groups that have begun and not ended are counted. */
#include "host/tune.h"

#include <math.h>

#include "kernels.h"

#define GROUP_SIZE 256
#define GROUP_NS 2e5    /* that a group alone should calculate: far longer than a dispatch's own time */
#define STEPS_MAX 32768 /* of calculation; lavapipe ends a loop after 65535 */
#define STEP_FLOPS 32.0 /* of an invocation */
#define LONGER 1.5      /* one group more than there are units takes twice as long */
#define UNITS_MAX 4096u
#define THREAD_COUNTINGS 8
#define FULL_GROUPS 8 /* a unit, so that the last round matters little */
#define PROGRESS_SIZE 32
#define PROGRESS_GROUPS 4096
#define PROGRESS_WAIT 32768

static tl_work calculation(const tl_tune *tune, uint32_t groups, uint32_t steps)
{
    return (tl_work){.wgsl = tl_wgsl_tune_arithmetic,
                     .group_size = tl_tune_group_size(tune, GROUP_SIZE),
                     .groups = groups,
                     .salt = 1,
                     .repeats = steps,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {groups, 0}};
}

/* ---- Units ------------------------------------------------------------------------------------------------------- */

static telar_status steps_of_a_group(tl_tune *tune, uint32_t *steps, double *ns, telar_diag *diag)
{
    for (*steps = 256; *steps <= STEPS_MAX; *steps *= 2) {
        tl_work work = calculation(tune, 1, *steps);
        TELAR_TRY(tl_work_once(tune, &work, ns, NULL, diag));
        if (*ns >= GROUP_NS || *steps == STEPS_MAX) break;
    }
    return TELAR_OK;
}

/* Do so many groups take as long as one? */
static telar_status fit_at_once(tl_tune *tune, uint32_t groups, uint32_t steps, double alone_ns, bool *fit,
                                telar_diag *diag)
{
    double ns;
    tl_work work = calculation(tune, groups, steps);
    TELAR_TRY(tl_work_once(tune, &work, &ns, NULL, diag));
    *fit = ns < LONGER * alone_ns;
    return TELAR_OK;
}

static telar_status count_units(tl_tune *tune, uint32_t steps, double *units, telar_diag *diag)
{
    double alone_ns;
    tl_work alone = calculation(tune, 1, steps);
    TELAR_TRY(tl_work_once(tune, &alone, &alone_ns, NULL, diag));
    uint32_t fits = 1, too_many = 2;
    bool fit = true;
    for (; fit && too_many <= UNITS_MAX; too_many *= 2) {
        TELAR_TRY(fit_at_once(tune, too_many, steps, alone_ns, &fit, diag));
        if (!fit) break;
        fits = too_many;
    }
    while (too_many - fits > 1) {
        uint32_t middle = fits + (too_many - fits) / 2;
        TELAR_TRY(fit_at_once(tune, middle, steps, alone_ns, &fit, diag));
        if (fit) fits = middle;
        else too_many = middle;
    }
    *units = fits;
    return TELAR_OK;
}

/* A thread that was kept from running all the while is not seen; one that was seen is there. */
static telar_status find_threads(tl_tune *tune, telar_diag *diag)
{
    double most = 0;
    for (uint32_t k = 0; k < THREAD_COUNTINGS; k++) {
        double threads;
        TELAR_TRY(tl_tune_count_threads(tune, &threads, diag));
        most = fmax(most, threads);
    }
    telar_facts_set(tune->facts, TELAR_FACT_COMPUTE_UNITS, most, TELAR_SOURCE_MEASURED);
    return TELAR_OK;
}

static telar_status find_units(tl_tune *tune, uint32_t steps, telar_diag *diag)
{
    if (tune->serial) return find_threads(tune, diag);
    double units[TL_TUNE_PARTS];
    for (uint32_t k = 0; k < TL_TUNE_PARTS; k++) TELAR_TRY(count_units(tune, steps, &units[k], diag));
    tl_tune_fact_counted(tune, TELAR_FACT_COMPUTE_UNITS, units);
    return TELAR_OK;
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------------- */

static telar_status find_arithmetic(tl_tune *tune, uint32_t steps, telar_diag *diag)
{
    uint32_t groups = (uint32_t)tl_tune_known(tune, TELAR_FACT_COMPUTE_UNITS) * FULL_GROUPS;
    tl_trial trial = {.work = calculation(tune, groups, steps)};
    double flops = STEP_FLOPS * steps * groups * trial.work.group_size, rates[TL_TUNE_ESTIMATES];
    TELAR_TRY(tl_trials_run(tune, &trial, 1, diag));
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        rates[k] = flops / (trial.ns[k] / 1e3 - tl_tune_known(tune, TELAR_FACT_DISPATCH_OVERHEAD));
    }
    tl_tune_fact(tune, TELAR_FACT_ARITHMETIC_RATE, rates);
    return TELAR_OK;
}

/* ---- Forward progress -------------------------------------------------------------------------------------------- */

/* A trial can refute what is known of the vendor, and never prove it. */
static telar_status refute_progress(tl_tune *tune, telar_diag *diag)
{
    if (!telar_facts_know(tune->facts, TELAR_FACT_FORWARD_PROGRESS)) return TELAR_OK;
    uint32_t verdict[TL_TUNE_VERDICT_WORDS];
    tl_work work = {.wgsl = tl_wgsl_tune_progress,
                    .group_size = tl_tune_group_size(tune, PROGRESS_SIZE),
                    .groups = PROGRESS_GROUPS,
                    .repeats = PROGRESS_WAIT,
                    .input = TL_TUNE_FROM,
                    .output = TL_TUNE_VERDICT};
    TELAR_TRY(tl_work_once(tune, &work, NULL, verdict, diag));
    bool all_went_on = verdict[1] == PROGRESS_GROUPS && verdict[2] == 0;
    if (!all_went_on) telar_facts_set(tune->facts, TELAR_FACT_FORWARD_PROGRESS, 0, TELAR_SOURCE_NONE);
    return TELAR_OK;
}

telar_status tl_tune_units(tl_tune *tune, telar_diag *diag)
{
    uint32_t steps;
    double ns;
    TELAR_TRY(steps_of_a_group(tune, &steps, &ns, diag));
    TELAR_TRY(find_units(tune, steps, diag));
    TELAR_TRY(refute_progress(tune, diag));
    return find_arithmetic(tune, steps, diag);
}
