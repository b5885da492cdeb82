/* SPDX-License-Identifier: MIT
 *
 * What it costs to begin: a submission, a dispatch, and a group. A dispatch is one of a group of an element function, as users'
 * are: a kernel that checks no bounds costs less. Groups and submissions are empty. */
#include "host/tune.h"

#include <math.h>

#include "kernels.h"

#define GROUP_SIZE 64
#define LARGE_SIZE 256  /* beside that, to tell a group from its invocations */
#define LEAST_PART 0.05 /* of a group's time that is its own; below, this is a bound */
#define WORD_BYTES 4
#define GROUPS_FIRST 1024u
#define GROUPS_MAX (1u << 20)
#define MANY_NS 2e5    /* that many groups should take, so that one dispatch's own cost is small beside them */
#define SUBMISSIONS 32 /* in a row */
#define SUBMIT_ROUNDS 9

static tl_work empty(const tl_tune *tune, uint32_t size, uint32_t groups)
{
    return (tl_work){.wgsl = tl_wgsl_tune_empty,
                     .group_size = tl_tune_group_size(tune, size),
                     .groups = groups,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {1, 0}};
}

/* Each writes over what the one before has written, or all write buffers of their own, whose first words are added up. */
static tl_work one_group(const tl_tune *tune, bool own_outputs)
{
    uint32_t size = tl_tune_group_size(tune, GROUP_SIZE);
    tl_work work = {.wgsl = tl_wgsl_tune_element,
                    .woven = true,
                    .own_outputs = own_outputs,
                    .group_size = size,
                    .items = 1,
                    .groups = 1,
                    .salt = 1,
                    .input = TL_TUNE_FROM,
                    .output = own_outputs ? TL_TUNE_VERDICT : TL_TUNE_TO};
    if (own_outputs) work.verdict[0] = work.salt; /* element 0 is 0 and the salt */
    else work.checked_bytes = (uint64_t)size * WORD_BYTES;
    return work;
}

static telar_status many_groups(tl_tune *tune, uint32_t *groups, telar_diag *diag)
{
    double ns = 0;
    for (*groups = GROUPS_FIRST; *groups < GROUPS_MAX; *groups *= 4) {
        tl_work work = empty(tune, GROUP_SIZE, *groups);
        TELAR_TRY(tl_work_once(tune, &work, &ns, NULL, diag));
        if (ns >= MANY_NS) break;
    }
    return TELAR_OK;
}

static telar_status find_submission(tl_tune *tune, telar_diag *diag)
{
    double rounds_ns[SUBMIT_ROUNDS], us[TL_TUNE_ESTIMATES];
    tl_work one = empty(tune, GROUP_SIZE, 1);
    TELAR_TRY(tl_work_submitted(tune, &one, SUBMISSIONS, SUBMIT_ROUNDS, rounds_ns, diag));
    tl_tune_estimate(tune, rounds_ns, SUBMIT_ROUNDS, us);
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) us[k] /= 1e3;
    tl_tune_fact(tune, TELAR_FACT_SUBMIT_OVERHEAD, us);
    return TELAR_OK;
}

/* What many groups take. A CPU adapter calls their invocations one after the other: what that takes shows in larger groups, and
 * is taken off. */
static double groups_us(const tl_tune *tune, const tl_trial *one, const tl_trial *many, const tl_trial *large,
                        uint32_t estimate)
{
    double us = (many->ns[estimate] - one->ns[estimate]) / 1e3;
    uint32_t size = many->work.group_size, further = large->work.group_size - size;
    if (!tune->serial || further == 0) return us;
    double invocations_us = (large->ns[estimate] - many->ns[estimate]) / 1e3 * size / further;
    return fmax(us - invocations_us, LEAST_PART * us);
}

telar_status tl_tune_launch(tl_tune *tune, telar_diag *diag)
{
    uint32_t groups;
    TELAR_TRY(many_groups(tune, &groups, diag));
    tl_trial trials[] = {{.work = one_group(tune, false)},
                         {.work = one_group(tune, true)},
                         {.work = empty(tune, GROUP_SIZE, 1)},
                         {.work = empty(tune, GROUP_SIZE, groups)},
                         {.work = empty(tune, LARGE_SIZE, groups)}};
    TELAR_TRY(tl_trials_run(tune, trials, TL_COUNT(trials) - !tune->serial, diag));
    double dependent_us[TL_TUNE_ESTIMATES], independent_us[TL_TUNE_ESTIMATES], rate[TL_TUNE_ESTIMATES];
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        dependent_us[k] = trials[0].ns[k] / 1e3;
        independent_us[k] = trials[1].ns[k] / 1e3;
        rate[k] = (groups - 1) / groups_us(tune, &trials[2], &trials[3], &trials[4], k);
    }
    tl_tune_fact(tune, TELAR_FACT_DISPATCH_OVERHEAD, dependent_us);
    tl_tune_fact(tune, TELAR_FACT_DISPATCH_INDEPENDENT, independent_us);
    tl_tune_fact(tune, TELAR_FACT_GROUP_LAUNCH_RATE, rate);
    return find_submission(tune, diag);
}
