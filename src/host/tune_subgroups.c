/* SPDX-License-Identifier: MIT
 *
 * The lanes of a subgroup, which a compiler may choose for each pipeline: of every group size, without subgroup operations
 * and with one. */
#include "host/tune.h"

#include "kernels.h"

#define GROUPS 64

typedef struct lanes {
    uint32_t least, most;
} lanes;

static telar_status look(tl_tune *tune, const char *wgsl, uint32_t size, lanes *seen, telar_diag *diag)
{
    uint32_t verdict[TL_TUNE_VERDICT_WORDS];
    tl_work work = {.wgsl = wgsl,
                    .subgroups = true,
                    .group_size = size,
                    .groups = GROUPS,
                    .input = TL_TUNE_FROM,
                    .output = TL_TUNE_VERDICT};
    TELAR_TRY(tl_work_once(tune, &work, NULL, verdict, diag));
    uint32_t most = verdict[0], least = ~verdict[1];
    if (verdict[2] != GROUPS || verdict[3] != 0 || least == 0 || least > most) {
        return tl_fail_limit(
            diag, TELAR_MISMATCH, verdict[3], 0,
            "subgroups of %u to %u lanes in groups of %u: %u invocations work with more than are there", least, most,
            size, verdict[3]);
    }
    if (seen->most == 0 || least < seen->least) seen->least = least;
    if (most > seen->most) seen->most = most;
    return TELAR_OK;
}

static void set(tl_tune *tune, telar_fact_name name, double value, double spread)
{
    telar_facts_set(tune->facts, name, value, TELAR_SOURCE_PROBE);
    tune->facts->values[name].spread = spread;
}

/* What was seen is possible, whatever the adapter says. */
static void widen(tl_tune *tune, const lanes *seen)
{
    const telar_fact *min = &tune->facts->values[TELAR_FACT_SUBGROUP_MIN],
                     *max = &tune->facts->values[TELAR_FACT_SUBGROUP_MAX];
    if (min->value == 0 || seen->least < min->value) set(tune, TELAR_FACT_SUBGROUP_MIN, seen->least, 0);
    if (seen->most > max->value) set(tune, TELAR_FACT_SUBGROUP_MAX, seen->most, 0);
}

telar_status tl_tune_subgroups(tl_tune *tune, telar_diag *diag)
{
    static const telar_fact_name names[] = {TELAR_FACT_SUBGROUP_OF_32,  TELAR_FACT_SUBGROUP_OF_64,
                                            TELAR_FACT_SUBGROUP_OF_128, TELAR_FACT_SUBGROUP_OF_256,
                                            TELAR_FACT_SUBGROUP_OF_512, TELAR_FACT_SUBGROUP_OF_1024};
    if (tune->host->dialect.subgroups == TELAR_SUBGROUPS_NONE) return TELAR_OK;
    uint32_t largest = tl_tune_group_size(tune, 1024);
    for (uint32_t k = 0; k < TL_COUNT(names) && 32u << k <= largest; k++) {
        lanes seen = {0};
        TELAR_TRY(look(tune, tl_wgsl_tune_subgroup, 32u << k, &seen, diag));
        TELAR_TRY(look(tune, tl_wgsl_tune_subgroup_add, 32u << k, &seen, diag));
        set(tune, names[k], seen.most, (seen.most - seen.least) / 2.0 / seen.most);
        widen(tune, &seen);
    }
    return TELAR_OK;
}
