/* SPDX-License-Identifier: MIT
 *
 * Bandwidth by size: copies from what surely lies in a cache to what surely does not, and a read of the largest. */
#include "host/tune.h"

#include <math.h>

#include "kernels.h"

#define GROUP_SIZE 256
#define LEAST_BYTES (UINT64_C(1) << 17) /* of an array */
#define SIZES_MAX 32
#define INVOCATION_BYTES 16
/* A copy that takes less than so many times an empty dispatch says more of that than of the memory. */
#define OVERHEADS 2.0
/* A cache is one that is at least so much faster than memory. */
#define FASTER 1.25

typedef struct copies {
    tl_trial trials[SIZES_MAX + 1]; /* by size; the last one reads */
    uint64_t bytes[SIZES_MAX];      /* moved: read and written */
    uint32_t count;
} copies;

static tl_work over(const tl_tune *tune, uint64_t array_bytes, const char *wgsl, tl_tune_data output)
{
    uint32_t size = tl_tune_group_size(tune, GROUP_SIZE);
    uint64_t group_bytes = (uint64_t)size * INVOCATION_BYTES * (output == TL_TUNE_VERDICT ? TL_TUNE_READS : 1);
    uint32_t groups = (uint32_t)(array_bytes / group_bytes);
    return (tl_work){.wgsl = wgsl,
                     .group_size = size,
                     .groups = groups,
                     .input = output == TL_TUNE_FROM ? TL_TUNE_TO : TL_TUNE_FROM,
                     .output = output,
                     .verdict = {groups, 0},
                     .checked_bytes = array_bytes};
}

/* Sizes a factor of two apart and one between, so that the end of a cache is seen to a third. */
static void list_copies(const tl_tune *tune, copies *c)
{
    for (uint64_t bytes = LEAST_BYTES; bytes <= tune->data_bytes; bytes *= 2) {
        const uint64_t sizes[] = {bytes, bytes + bytes / 2};
        for (uint32_t k = 0; k < TL_COUNT(sizes) && sizes[k] <= tune->data_bytes && c->count < SIZES_MAX; k++) {
            c->trials[c->count].work = over(tune, sizes[k], tl_wgsl_tune_copy, TL_TUNE_TO);
            c->bytes[c->count++] = 2 * sizes[k];
        }
    }
    c->trials[c->count].work = over(tune, tune->data_bytes, tl_wgsl_tune_read, TL_TUNE_VERDICT);
}

/* Bytes a microsecond; 0 where the time is the dispatch's own. */
static double rate_of(const tl_tune *tune, double bytes, double ns)
{
    double overhead_ns = tl_tune_known(tune, TELAR_FACT_DISPATCH_OVERHEAD) * 1e3;
    return ns > OVERHEADS * overhead_ns ? bytes / ((ns - overhead_ns) / 1e3) : 0;
}

/* The rates of one size by round; their median. */
static double rates_of(const tl_tune *tune, const tl_trial *trial, double bytes, double *rates)
{
    for (uint32_t k = 0; k < tune->rounds; k++) rates[k] = rate_of(tune, bytes, trial->ns[k]);
    return tl_tune_median(rates, tune->rounds);
}

static void find_cache(tl_tune *tune, const copies *c, double memory)
{
    double rates[SIZES_MAX][TL_TUNE_ROUNDS_MAX], medians[SIZES_MAX] = {0};
    uint32_t best = 0;
    for (uint32_t k = 0; k < c->count; k++) {
        medians[k] = rates_of(tune, &c->trials[k], (double)c->bytes[k], rates[k]);
        if (medians[k] > medians[best]) best = k;
    }
    if (medians[best] < FASTER * memory) return;
    uint32_t last = best;
    while (last + 1 < c->count && medians[last + 1] > sqrt(memory * medians[best])) last++;
    tl_tune_fact(tune, TELAR_FACT_CACHE_BANDWIDTH, rates[best]);
    telar_facts_set(tune->facts, TELAR_FACT_CACHE_BYTES, (double)c->bytes[last], TELAR_SOURCE_MEASURED);
    tune->facts->values[TELAR_FACT_CACHE_BYTES].spread =
        (double)(c->bytes[last + 1] - c->bytes[last]) / 2 / (double)c->bytes[last];
}

telar_status tl_tune_memory(tl_tune *tune, telar_diag *diag)
{
    copies c = {.count = 0};
    double rates[TL_TUNE_ROUNDS_MAX];
    list_copies(tune, &c);
    TELAR_TRY(tl_trials_run(tune, c.trials, c.count + 1, diag));
    double memory = rates_of(tune, &c.trials[c.count - 1], (double)c.bytes[c.count - 1], rates);
    tl_tune_fact(tune, TELAR_FACT_BANDWIDTH, rates);
    find_cache(tune, &c, memory);
    rates_of(tune, &c.trials[c.count], (double)tune->data_bytes, rates);
    tl_tune_fact(tune, TELAR_FACT_READ_BANDWIDTH, rates);
    return TELAR_OK;
}

/* ---- The data ---------------------------------------------------------------------------------------------------- */

static telar_status create(tl_tune *tune, telar_diag *diag)
{
    telar_status status = TELAR_OK;
    for (uint32_t k = 0; k < TL_TUNE_VERDICT && status == TELAR_OK; k++) {
        status = telar_host_buffer_create(tune->host, tune->data_bytes, &tune->data[k], diag);
    }
    return status;
}

static void drop(tl_tune *tune)
{
    for (uint32_t k = 0; k < TL_TUNE_VERDICT; k++) {
        telar_host_buffer_release(tune->host, tune->data[k]);
        tune->data[k] = NULL;
    }
}

/* As large as the device has room for, from `tune->data_bytes` down. */
static telar_status create_largest(tl_tune *tune, telar_diag *diag)
{
    for (;; tune->data_bytes /= 2) {
        telar_status status = create(tune, diag);
        if (status == TELAR_OK) return TELAR_OK;
        drop(tune);
        if (status != TELAR_OUT_OF_MEMORY || tune->data_bytes <= LEAST_BYTES) return status;
    }
}

telar_status tl_tune_data_make(tl_tune *tune, telar_diag *diag)
{
    static const uint64_t wanted_bytes[] = {
        [TELAR_DEVICE_UNKNOWN] = UINT64_C(1) << 26,
        [TELAR_DEVICE_DISCRETE] = UINT64_C(1) << 29,
        [TELAR_DEVICE_INTEGRATED] = UINT64_C(1) << 27,
        [TELAR_DEVICE_CPU] = UINT64_C(1) << 26,
    };
    uint64_t usable = telar_usable_binding_bytes(tune->facts, INVOCATION_BYTES);
    tune->data_bytes = wanted_bytes[tune->facts->type];
    while (tune->data_bytes > usable) tune->data_bytes /= 2;
    TELAR_TRY(telar_host_buffer_create(tune->host, TL_TUNE_VERDICT_WORDS * sizeof(uint32_t),
                                       &tune->data[TL_TUNE_VERDICT], diag));
    TELAR_TRY(create_largest(tune, diag));
    /* A first part tells how long all of it would take. */
    double ns;
    uint64_t bytes = tune->data_bytes < UINT64_C(1) << 20 ? tune->data_bytes : UINT64_C(1) << 20;
    tl_work fill = over(tune, bytes, tl_wgsl_tune_fill, TL_TUNE_FROM);
    TELAR_TRY(tl_work_once(tune, &fill, &ns, NULL, diag));
    uint64_t less = tune->data_bytes;
    while (less > bytes && ns * 2 * (double)less / (double)bytes > TL_TUNE_DISPATCH_NS) less /= 2;
    if (less < tune->data_bytes) {
        drop(tune);
        tune->data_bytes = less;
        TELAR_TRY(create(tune, diag));
    }
    fill = over(tune, tune->data_bytes, tl_wgsl_tune_fill, TL_TUNE_FROM);
    return tl_work_once(tune, &fill, NULL, NULL, diag);
}

void tl_tune_data_drop(tl_tune *tune)
{
    drop(tune);
    telar_host_buffer_release(tune->host, tune->data[TL_TUNE_VERDICT]);
}
