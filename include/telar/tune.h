/* SPDX-License-Identifier: MIT
 *
 * telar/tune.h: the facts of a device, measured on it in seconds.
 *
 * Small kernels are timed on the GPU, in sets that are long enough for its clock, several of them in turn and for several
 * rounds. A time is the median of the rounds, on a CPU adapter, whose cores others take away, the least. Every third round
 * alone gives a fact again: half of what lies between these three is its spread, relative to it. What every kernel writes is
 * checked each time. No dispatch is meant to take longer than 50 ms: a device with a watchdog stays alive.
 *
 * Example
 *     telar_facts tuned;
 *     if (telar_host_tune(host, &(telar_tune_desc){0}, &tuned, &diag) != TELAR_OK) puts(diag.text);
 *     telar_plan_make(&(telar_plan_desc){.count = {n}}, &tuned, &plan, &diag);
 */
#ifndef TELAR_TUNE_H
#define TELAR_TUNE_H

#include <telar/facts.h>
#include <telar/host.h>
#include <telar/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct telar_tune_desc {
    uint64_t time_ns; /* meant to be spent; 0: 10 s. A slow device takes somewhat more: three rounds at least */
    void (*progress)(void *user, double done); /* from 0 to 1; may be NULL */
    void *user;
} telar_tune_desc;

/* *facts: the host's, and what was measured (source MEASURED). A fact that the device does not show, such as a cache that
 * is no faster than its memory, stays unknown. Work of others on the device or on the CPU shows in the spreads. MISMATCH: a
 * kernel wrote something wrong. The statuses of telar_host_prepare. */
TELAR_API telar_status telar_host_tune(telar_host *host, const telar_tune_desc *desc, telar_facts *facts,
                                       telar_diag *diag);

/* How tuning gets a fact, in a few words; "" for facts that it does not measure. */
TELAR_API const char *telar_tune_how(telar_fact_name name, telar_language language);

#ifdef __cplusplus
}
#endif

#endif
