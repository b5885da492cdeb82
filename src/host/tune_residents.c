/* SPDX-License-Identifier: MIT
 *
 * What a unit holds at once: groups that stay for a while are counted, by their size and by their workgroup memory. */
#include "host/tune.h"

#include <math.h>

#include "kernels.h"

#define HELD_GROUPS_MAX 64 /* by a unit; no GPU holds more */
#define STAY 256           /* looks at the counters */
#define STAY_MAX 32768     /* lavapipe ends a loop after 65535 */
#define WORD_BYTES 4
#define LEAST_SIZE 32
/* Of a CPU adapter: a group stays so long, and there are so many, that each thread gets its turn meanwhile. */
#define THREAD_STAY_NS 3e5
#define THREAD_GROUPS 128

typedef struct held_row {
    telar_fact_name fact;
    uint32_t size;
    uint32_t memory_bytes;
} held_row;

static const held_row by_size[] = {
    {TELAR_FACT_RESIDENT_GROUPS_OF_32, 32, 0},   {TELAR_FACT_RESIDENT_GROUPS_OF_64, 64, 0},
    {TELAR_FACT_RESIDENT_GROUPS_OF_128, 128, 0}, {TELAR_FACT_RESIDENT_GROUPS_OF_256, 256, 0},
    {TELAR_FACT_RESIDENT_GROUPS_OF_512, 512, 0}, {TELAR_FACT_RESIDENT_GROUPS_OF_1024, 1024, 0},
};
static const held_row by_memory[] = {
    {TELAR_FACT_RESIDENT_GROUPS_WITH_4KI, LEAST_SIZE, 4096},
    {TELAR_FACT_RESIDENT_GROUPS_WITH_8KI, LEAST_SIZE, 8192},
    {TELAR_FACT_RESIDENT_GROUPS_WITH_16KI, LEAST_SIZE, 16384},
    {TELAR_FACT_RESIDENT_GROUPS_WITH_32KI, LEAST_SIZE, 32768},
};

static tl_work staying(const held_row *row, uint32_t groups, uint32_t looks)
{
    return (tl_work){.wgsl = tl_wgsl_tune_resident,
                     .group_size = row->size,
                     .items = row->memory_bytes / WORD_BYTES,
                     .groups = groups,
                     .repeats = looks,
                     .input = TL_TUNE_FROM,
                     .output = TL_TUNE_VERDICT};
}

/* The most groups that were there at once; all must have come and gone. */
static telar_status count_held(tl_tune *tune, const tl_work *work, double *held, telar_diag *diag)
{
    uint32_t verdict[TL_TUNE_VERDICT_WORDS];
    TELAR_TRY(tl_work_once(tune, work, NULL, verdict, diag));
    *held = verdict[2];
    if (verdict[0] == work->groups && verdict[1] == work->groups && verdict[2] > 0) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_MISMATCH, verdict[0], work->groups,
                         "of %u groups of %u that tuning counts, %u came and %u left", work->groups, work->group_size,
                         verdict[0], verdict[1]);
}

telar_status tl_tune_count_threads(tl_tune *tune, double *threads, telar_diag *diag)
{
    uint32_t verdict[TL_TUNE_VERDICT_WORDS];
    double ns;
    tl_work one = staying(&by_size[0], 1, STAY);
    TELAR_TRY(tl_work_once(tune, &one, &ns, verdict, diag));
    double looks = STAY * THREAD_STAY_NS / (ns + 1);
    tl_work work = staying(&by_size[0], THREAD_GROUPS,
                           looks < STAY       ? STAY
                           : looks > STAY_MAX ? STAY_MAX
                                              : (uint32_t)looks);
    return count_held(tune, &work, threads, diag);
}

/* By a unit; one at least, since it has worked. A thread has one: which threads there are is known by that. */
static telar_status find_held(tl_tune *tune, const held_row *row, telar_diag *diag)
{
    double units = tl_tune_known(tune, TELAR_FACT_COMPUTE_UNITS), held[TL_TUNE_PARTS];
    tl_work work = staying(row, (uint32_t)units * HELD_GROUPS_MAX, STAY);
    for (uint32_t k = 0; k < TL_TUNE_PARTS; k++) {
        held[k] = units;
        if (!tune->serial) TELAR_TRY(count_held(tune, &work, &held[k], diag));
        held[k] = fmax(round(held[k] / units), 1);
    }
    tl_tune_fact_counted(tune, row->fact, held);
    return TELAR_OK;
}

/* A fact that is what another one is, times so much. */
static void derive(tl_tune *tune, telar_fact_name name, telar_fact_name from, double factor)
{
    telar_fact fact = tune->facts->values[from];
    fact.value *= factor;
    tune->facts->values[name] = fact;
}

static telar_status find_by_size(tl_tune *tune, telar_diag *diag)
{
    uint32_t largest = tl_tune_group_size(tune, 1024);
    double most = 0;
    for (size_t k = 0; k < TL_COUNT(by_size) && by_size[k].size <= largest; k++) {
        const held_row *row = &by_size[k];
        TELAR_TRY(find_held(tune, row, diag));
        double invocations = tl_tune_known(tune, row->fact) * row->size;
        if (invocations >= most) derive(tune, TELAR_FACT_RESIDENT_INVOCATIONS, row->fact, row->size);
        most = fmax(most, invocations);
    }
    derive(tune, TELAR_FACT_RESIDENT_GROUPS, by_size[0].fact, 1);
    return TELAR_OK;
}

/* What the memory of a unit is shows where fewer groups stay than without. */
static telar_status find_by_memory(tl_tune *tune, telar_diag *diag)
{
    double free_groups = tl_tune_known(tune, by_size[0].fact), most_bytes = 0;
    for (size_t k = 0; k < TL_COUNT(by_memory); k++) {
        const held_row *row = &by_memory[k];
        if (row->memory_bytes > tune->facts->limits.maxComputeWorkgroupStorageSize) break;
        TELAR_TRY(find_held(tune, row, diag));
        double groups = tl_tune_known(tune, row->fact);
        if (groups >= free_groups || groups * row->memory_bytes <= most_bytes) continue;
        most_bytes = groups * row->memory_bytes;
        derive(tune, TELAR_FACT_UNIT_MEMORY, row->fact, row->memory_bytes);
    }
    return TELAR_OK;
}

telar_status tl_tune_residents(tl_tune *tune, telar_diag *diag)
{
    TELAR_TRY(find_by_size(tune, diag));
    /* A thread runs one group, whatever memory that has. */
    return tune->serial ? TELAR_OK : find_by_memory(tune, diag);
}
