/* SPDX-License-Identifier: MIT
 *
 * What devices of a type usually are, for facts that nobody gave: one row a type. Only the choice of size and items
 * rests on it; a predicted time never does. */
#include "plan/plan.h"

typedef struct device_row {
    double compute_units;
    double resident_invocations; /* a unit's */
    double unit_registers;
    double bandwidth;       /* bytes/us */
    double cache_bandwidth; /* bytes/us */
    double cache_bytes;
    double group_launch_rate; /* groups/us */
    double dispatch_overhead_us;
    double wave_latency_us;
    double item_latency_us;
    double loop_latency_us;
    double barrier_us;
    double wave_several_us; /* these two of CPU adapters */
    double wave_item_us;
} device_row;

static const device_row rows[] = {
    /* Nothing is taken for granted of a device of unknown type, but where its owner gives times, the rest of a
     * discrete GPU completes them. */
    [TELAR_DEVICE_UNKNOWN] = {132, 2048, 65536, 4275e3, 7000e3, 50e6, 1660, 2.15, 0.88, 0.11, 0.06, 0.036, 0, 0},
    /* H200, wgpu-native 29, 2026-11-29: fitted to the 60 cells of test/unit/test_plan_h200.c, 4.6 % mean error; an
     * item of a loop between 0.15 through wgpu-native and 0.024 through Dawn (2026-11-30, test_plan_sweep.c). */
    [TELAR_DEVICE_DISCRETE] = {132, 2048, 65536, 4275e3, 7000e3, 50e6, 1660, 2.15, 0.88, 0.11, 0.06, 0.036, 0, 0},
    /* Not measured: a tenth of the units and a shared memory of 60 GB/s. */
    [TELAR_DEVICE_INTEGRATED] = {12, 1024, 65536, 60e3, 200e3, 4e6, 150, 8.0, 1.5, 0.2, 0.2, 0.1, 0, 0},
    /* Between lavapipe and SwiftShader on 2 cores, tuned 2026-11-30: several elements an invocation cost the one as much as they
     * spare and spare the other half. */
    [TELAR_DEVICE_CPU] = {2, 1024, 1048576, 2.5e3, 2.5e3, 1e6, 3, 10.0, 6.4, 0.01, 0, 0, 6.7, 5.3},
};

/* Where a fact stands in a row, plus one; 0: the table does not know it. */
static const uint8_t columns[TELAR_FACT_COUNT] = {
#define COLUMN(NAME, field) [TELAR_FACT_##NAME] = (uint8_t)(offsetof(device_row, field) / sizeof(double) + 1)
    COLUMN(COMPUTE_UNITS, compute_units),         COLUMN(RESIDENT_INVOCATIONS, resident_invocations),
    COLUMN(UNIT_REGISTERS, unit_registers),       COLUMN(BANDWIDTH, bandwidth),
    COLUMN(CACHE_BANDWIDTH, cache_bandwidth),     COLUMN(CACHE_BYTES, cache_bytes),
    COLUMN(GROUP_LAUNCH_RATE, group_launch_rate), COLUMN(DISPATCH_OVERHEAD, dispatch_overhead_us),
    COLUMN(WAVE_LATENCY, wave_latency_us),        COLUMN(ITEM_LATENCY, item_latency_us),
    COLUMN(LOOP_LATENCY, loop_latency_us),        COLUMN(BARRIER, barrier_us),
    COLUMN(WAVE_SEVERAL, wave_several_us),        COLUMN(WAVE_ITEM, wave_item_us),
#undef COLUMN
};

telar_fact telar_facts_assume(const telar_facts *facts, telar_fact_name name)
{
    if (telar_facts_know(facts, name)) return facts->values[name];
    size_t type = (size_t)facts->type < TL_COUNT(rows) ? (size_t)facts->type : TELAR_DEVICE_UNKNOWN;
    if (columns[name] == 0) return (telar_fact){0};
    double value = ((const double *)(const void *)&rows[type])[columns[name] - 1];
    return (telar_fact){.value = value, .source = TELAR_SOURCE_TABLE};
}
