/* SPDX-License-Identifier: MIT
 *
 * Synthetic devices for tests of the planner. */
#include "plan_devices.h"

#include <stdio.h>

static void name(telar_facts *facts, const char *device)
{
    snprintf(facts->device, sizeof facts->device, "%s", device);
}

telar_facts device_with_units(double units)
{
    telar_facts facts = telar_facts_default();
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, units, TELAR_SOURCE_GIVEN);
    return facts;
}

telar_facts device_with_invocations(uint64_t invocations)
{
    telar_facts facts = telar_facts_default();
    facts.limits.maxComputeInvocationsPerWorkgroup = invocations;
    facts.limits.maxComputeWorkgroupSizeX = invocations;
    facts.limits.maxComputeWorkgroupSizeY = invocations;
    return facts;
}

static telar_facts with_subgroups(telar_facts facts, double least, double most)
{
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MIN, least, TELAR_SOURCE_PROBE);
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MAX, most, TELAR_SOURCE_PROBE);
    return facts;
}

telar_facts device_h200(void)
{
    telar_facts facts = with_subgroups(device_with_invocations(1024), 32, 32);
    name(&facts, "H200");
    facts.type = TELAR_DEVICE_DISCRETE;
    facts.limits.maxComputeWorkgroupStorageSize = 49152;
    facts.limits.maxStorageBufferBindingSize = (UINT64_C(1) << 31) - 4;
    facts.limits.maxBufferSize = UINT64_C(4292870144);
    facts.limits.minStorageBufferOffsetAlignment = 16;
    return facts;
}

telar_facts device_h200_profiled(void)
{
    static const struct {
        telar_fact_name name;
        double value;
    } measured[] = {
        {TELAR_FACT_BANDWIDTH, 4275e3},       {TELAR_FACT_CACHE_BANDWIDTH, 7000e3}, {TELAR_FACT_CACHE_BYTES, 50e6},
        {TELAR_FACT_GROUP_LAUNCH_RATE, 1660}, {TELAR_FACT_DISPATCH_OVERHEAD, 2.15}, {TELAR_FACT_WAVE_LATENCY, 0.88},
        {TELAR_FACT_ITEM_LATENCY, 0.11},
    };
    telar_facts facts = device_h200();
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 132, TELAR_SOURCE_GIVEN);
    telar_facts_set(&facts, TELAR_FACT_RESIDENT_INVOCATIONS, 2048, TELAR_SOURCE_GIVEN);
    telar_facts_set(&facts, TELAR_FACT_RESIDENT_GROUPS, 32, TELAR_SOURCE_GIVEN);
    telar_facts_set(&facts, TELAR_FACT_UNIT_MEMORY, 228 * 1024, TELAR_SOURCE_GIVEN);
    telar_facts_set(&facts, TELAR_FACT_UNIT_REGISTERS, 65536, TELAR_SOURCE_GIVEN);
    for (size_t k = 0; k < sizeof measured / sizeof measured[0]; k++) {
        telar_facts_set(&facts, measured[k].name, measured[k].value, TELAR_SOURCE_MEASURED);
    }
    return facts;
}

telar_facts device_integrated(void)
{
    telar_facts facts = with_subgroups(device_with_invocations(1024), 8, 32);
    name(&facts, "integrated");
    facts.type = TELAR_DEVICE_INTEGRATED;
    facts.limits.maxComputeWorkgroupStorageSize = 32768;
    return facts;
}

telar_facts device_lavapipe(void)
{
    telar_facts facts = with_subgroups(device_with_invocations(1024), 8, 8);
    name(&facts, "lavapipe");
    facts.type = TELAR_DEVICE_CPU;
    facts.limits.maxComputeWorkgroupStorageSize = 32768;
    return facts;
}

telar_facts device_swiftshader(void)
{
    telar_facts facts = with_subgroups(telar_facts_default(), 4, 4);
    name(&facts, "SwiftShader");
    facts.type = TELAR_DEVICE_CPU;
    return facts;
}

telar_facts device_adreno(void)
{
    return with_subgroups(telar_facts_default(), 64, 128);
}
