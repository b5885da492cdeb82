/* SPDX-License-Identifier: MIT
 *
 * What a primitive may presume of a device. Where nothing is known, the least. */
#include "prim/prim.h"

/* More is no number of units; times a few workgroups each it still fits 32 bits. */
#define UNITS_MAX 65536.0

uint32_t tl_device_lanes(const telar_prim *prim)
{
    const telar_facts *facts = prim->facts;
    bool known = telar_facts_know(facts, TELAR_FACT_SUBGROUP_MIN) && telar_facts_know(facts, TELAR_FACT_SUBGROUP_MAX);
    /* A CPU's subgroup is a vector register, and its invocations run one after the other: operations across it cost
     * more there than they save. */
    if (prim->plain || prim->dialect.subgroups == TELAR_SUBGROUPS_NONE || !known || tl_device_is_cpu(facts)) return 1;
    uint32_t least = (uint32_t)facts->values[TELAR_FACT_SUBGROUP_MIN].value;
    uint32_t most = (uint32_t)facts->values[TELAR_FACT_SUBGROUP_MAX].value;
    return least == most && most <= 128 ? most : 1;
}

bool tl_device_has_progress(const telar_facts *facts)
{
    return telar_facts_know(facts, TELAR_FACT_FORWARD_PROGRESS) && !tl_device_is_cpu(facts);
}

bool tl_device_is_cpu(const telar_facts *facts)
{
    return facts->type == TELAR_DEVICE_CPU;
}

uint32_t tl_device_units(const telar_facts *facts, uint32_t otherwise)
{
    double units = facts->values[TELAR_FACT_COMPUTE_UNITS].value;
    return telar_facts_know(facts, TELAR_FACT_COMPUTE_UNITS) && units < UNITS_MAX ? (uint32_t)units : otherwise;
}

uint32_t tl_device_groups(const telar_facts *facts, uint64_t wanted)
{
    uint64_t limit = facts->limits.maxComputeWorkgroupsPerDimension;
    if (wanted > limit) wanted = limit;
    return wanted == 0 ? 1 : wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
}

uint32_t tl_power_up_to(uint64_t limit)
{
    uint32_t power = 1;
    while (2 * (uint64_t)power <= limit) power *= 2;
    return power;
}

uint32_t tl_device_workgroup_size(const telar_facts *facts, uint32_t wanted)
{
    uint64_t limit = facts->limits.maxComputeInvocationsPerWorkgroup;
    if (facts->limits.maxComputeWorkgroupSizeX < limit) limit = facts->limits.maxComputeWorkgroupSizeX;
    while (wanted > limit) wanted /= 2;
    return wanted;
}
