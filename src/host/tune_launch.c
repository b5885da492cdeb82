/* SPDX-License-Identifier: MIT
 *
 * What it costs to begin: a dispatch, and a group. Both by the same empty kernel, in one group and in many. */
#include "host/tune.h"

#include "kernels.h"

#define GROUP_SIZE 64
#define GROUPS_FIRST 1024u
#define GROUPS_MAX (1u << 20)
#define MANY_NS 2e5 /* that many groups should take, so that one dispatch's own cost is small beside them */

static tl_work empty(const tl_tune *tune, uint32_t groups)
{
    return (tl_work){.wgsl = tl_wgsl_tune_empty,
                     .group_size = tl_tune_group_size(tune, GROUP_SIZE),
                     .groups = groups,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT,
                     .verdict = {1, 0}};
}

static telar_status many_groups(tl_tune *tune, uint32_t *groups, telar_diag *diag)
{
    double ns = 0;
    for (*groups = GROUPS_FIRST; *groups < GROUPS_MAX; *groups *= 4) {
        tl_work work = empty(tune, *groups);
        TELAR_TRY(tl_work_once(tune, &work, &ns, NULL, diag));
        if (ns >= MANY_NS) break;
    }
    return TELAR_OK;
}

telar_status tl_tune_launch(tl_tune *tune, telar_diag *diag)
{
    uint32_t groups;
    TELAR_TRY(many_groups(tune, &groups, diag));
    tl_trial trials[] = {{.work = empty(tune, 1)}, {.work = empty(tune, groups)}};
    TELAR_TRY(tl_trials_run(tune, trials, TL_COUNT(trials), diag));
    double overhead_us[TL_TUNE_ROUNDS_MAX], rate[TL_TUNE_ROUNDS_MAX];
    for (uint32_t k = 0; k < tune->rounds; k++) {
        overhead_us[k] = trials[0].ns[k] / 1e3;
        rate[k] = (groups - 1) / ((trials[1].ns[k] - trials[0].ns[k]) / 1e3);
    }
    tl_tune_fact(tune, TELAR_FACT_DISPATCH_OVERHEAD, overhead_us);
    tl_tune_fact(tune, TELAR_FACT_GROUP_LAUNCH_RATE, rate);
    return TELAR_OK;
}
