/* SPDX-License-Identifier: MIT
 *
 * Bandwidth by size: copies and reads from what surely lies in a cache to what surely does not. */
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

/* One way of moving, by size. */
typedef struct sizes {
    tl_trial *trials;
    double bytes[SIZES_MAX]; /* moved */
    uint32_t count;
} sizes;

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

static void add_size(const tl_tune *tune, uint64_t array_bytes, bool copy, sizes *s)
{
    if (array_bytes > tune->data_bytes || s->count == SIZES_MAX) return;
    s->bytes[s->count] = (double)array_bytes * (copy ? 2 : 1);
    s->trials[s->count++].work = copy ? over(tune, array_bytes, tl_wgsl_tune_copy, TL_TUNE_TO)
                                      : over(tune, array_bytes, tl_wgsl_tune_read, TL_TUNE_VERDICT);
}

/* Sizes a factor of two apart; of copies one between, so that the end of a cache is seen to a third. A CPU adapter moves less
 * than its caches do: a few sizes show that. */
static void list_sizes(const tl_tune *tune, sizes *copies, sizes *reads)
{
    uint32_t factor = tune->serial ? 4 : 2;
    for (uint64_t bytes = LEAST_BYTES; bytes <= tune->data_bytes; bytes *= factor) {
        add_size(tune, bytes, true, copies);
        if (!tune->serial) add_size(tune, bytes + bytes / 2, true, copies);
    }
    reads->trials = copies->trials + copies->count;
    for (uint64_t bytes = LEAST_BYTES; bytes <= tune->data_bytes; bytes *= factor) add_size(tune, bytes, false, reads);
}

/* Bytes a microsecond of one size, by estimate; 0 where the time is the dispatch's own. */
static void rates_of(const tl_tune *tune, const sizes *s, uint32_t size, double *rates)
{
    double overhead_ns = tl_tune_known(tune, TELAR_FACT_DISPATCH_OVERHEAD) * 1e3;
    for (uint32_t k = 0; k < TL_TUNE_ESTIMATES; k++) {
        double ns = s->trials[size].ns[k];
        rates[k] = ns > OVERHEADS * overhead_ns ? s->bytes[size] / ((ns - overhead_ns) / 1e3) : 0;
    }
}

static double rate_of(const tl_tune *tune, const sizes *s, uint32_t size)
{
    double rates[TL_TUNE_ESTIMATES];
    rates_of(tune, s, size, rates);
    return rates[0];
}

/* The rate of memory, and that of a cache where one shows. The size that is fastest. */
static uint32_t find_rates(tl_tune *tune, const sizes *s, telar_fact_name memory, telar_fact_name cache)
{
    double rates[TL_TUNE_ESTIMATES];
    uint32_t best = 0, last = s->count - 1;
    rates_of(tune, s, last, rates);
    tl_tune_fact(tune, memory, rates);
    double least = FASTER * rates[0];
    for (uint32_t k = 1; k < s->count; k++) {
        if (rate_of(tune, s, k) > rate_of(tune, s, best)) best = k;
    }
    rates_of(tune, s, best, rates);
    if (rates[0] < least) return last;
    tl_tune_fact(tune, cache, rates);
    return best;
}

/* The last size that is nearer to the fastest than to memory. */
static void find_cache_bytes(tl_tune *tune, const sizes *s, uint32_t best)
{
    if (best + 1 >= s->count) return;
    double between = sqrt(rate_of(tune, s, best) * rate_of(tune, s, s->count - 1));
    uint32_t last = best;
    while (last + 2 < s->count && rate_of(tune, s, last + 1) > between) last++;
    telar_facts_set(tune->facts, TELAR_FACT_CACHE_BYTES, s->bytes[last], TELAR_SOURCE_MEASURED);
    tune->facts->values[TELAR_FACT_CACHE_BYTES].spread = (s->bytes[last + 1] - s->bytes[last]) / 2 / s->bytes[last];
}

telar_status tl_tune_memory(tl_tune *tune, telar_diag *diag)
{
    tl_trial trials[2 * SIZES_MAX] = {0};
    sizes copies = {.trials = trials}, reads = {0};
    list_sizes(tune, &copies, &reads);
    TELAR_TRY(tl_trials_run(tune, trials, copies.count + reads.count, diag));
    uint32_t best = find_rates(tune, &copies, TELAR_FACT_BANDWIDTH, TELAR_FACT_CACHE_BANDWIDTH);
    find_cache_bytes(tune, &copies, best);
    find_rates(tune, &reads, TELAR_FACT_READ_BANDWIDTH, TELAR_FACT_CACHE_READ_BANDWIDTH);
    return TELAR_OK;
}

telar_status tl_tune_wake(tl_tune *tune, double ns, telar_diag *diag)
{
    uint64_t end_ns = tl_now_ns() + (uint64_t)ns;
    tl_work copy = over(tune, tune->data_bytes, tl_wgsl_tune_copy, TL_TUNE_TO);
    while (tl_now_ns() < end_ns) TELAR_TRY(tl_work_once(tune, &copy, NULL, NULL, diag));
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
        [TELAR_DEVICE_CPU] = UINT64_C(1) << 23,
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
