/* SPDX-License-Identifier: MIT
 *
 * How groups fill the device: lanes of a subgroup, groups resident on a unit, waves over all units, and the units that
 * get nothing. Values that the facts do not give stay 0. */
#include "plan/plan.h"

/* Workgroup memory and registers are handed out in blocks; these are the usual ones of current GPUs. */
#define MEMORY_BLOCK_BYTES 256
#define REGISTER_BLOCK 256
#define LANES_USUAL 32

telar_lanes telar_lanes_fill(uint32_t invocations, uint32_t width)
{
    uint64_t reserved = telar_ceil_div(invocations, width) * width;
    double efficiency = reserved == 0 ? 0 : (double)invocations / (double)reserved;
    return (telar_lanes){.width = width, .reserved = tl_limit_u32(reserved), .efficiency = efficiency};
}

static uint32_t known_u32(const telar_facts *facts, telar_fact_name name)
{
    if (!telar_facts_know(facts, name)) return 0;
    double value = facts->values[name].value;
    return value < 4294967295.0 ? (uint32_t)value : UINT32_MAX;
}

/* The widths that the device has, or all that WebGPU allows. */
static void fill_lanes(const telar_facts *facts, telar_plan *plan)
{
    uint32_t least = known_u32(facts, TELAR_FACT_SUBGROUP_MIN);
    uint32_t most = known_u32(facts, TELAR_FACT_SUBGROUP_MAX);
    if (least == 0) least = most;
    if (most == 0) most = least;
    if (least == 0) {
        least = 4;
        most = 128;
    }
    uint32_t invocations = tl_limit_u32(tl_invocations(plan->workgroup_size));
    for (uint64_t width = least; width <= most && plan->lanes_count < TELAR_LANES_MAX; width *= 2) {
        plan->lanes[plan->lanes_count++] = telar_lanes_fill(invocations, (uint32_t)width);
    }
}

typedef struct residence {
    uint64_t groups; /* UINT64_MAX: nothing known bounds it */
    telar_limited_by limited_by;
} residence;

static void bound(residence *least, uint64_t groups, telar_limited_by limited_by)
{
    if (groups < least->groups) *least = (residence){groups, limited_by};
}

static uint64_t blocks(uint64_t amount, uint64_t block)
{
    return telar_ceil_div(amount, block) * block;
}

uint32_t tl_resident_groups(const telar_plan_desc *desc, const telar_facts *facts, uint64_t invocations,
                            telar_limited_by *limited_by)
{
    residence least = {UINT64_MAX, TELAR_LIMITED_BY_NOTHING};
    uint32_t resident = known_u32(facts, TELAR_FACT_RESIDENT_INVOCATIONS);
    uint32_t groups = known_u32(facts, TELAR_FACT_RESIDENT_GROUPS);
    uint32_t memory = known_u32(facts, TELAR_FACT_UNIT_MEMORY);
    uint32_t registers = known_u32(facts, TELAR_FACT_UNIT_REGISTERS);
    uint32_t lanes = known_u32(facts, TELAR_FACT_SUBGROUP_MAX);
    if (lanes == 0) lanes = LANES_USUAL;
    uint64_t reserved = blocks(invocations, lanes);
    if (resident > 0) bound(&least, resident / reserved, TELAR_LIMITED_BY_RESIDENT_INVOCATIONS);
    if (groups > 0) bound(&least, groups, TELAR_LIMITED_BY_RESIDENT_GROUPS);
    if (memory > 0 && desc->workgroup_memory_bytes > 0) {
        bound(&least, memory / blocks(desc->workgroup_memory_bytes, MEMORY_BLOCK_BYTES),
              TELAR_LIMITED_BY_WORKGROUP_MEMORY);
    }
    if (registers > 0 && desc->registers_per_invocation > 0) {
        uint64_t of_subgroup = blocks((uint64_t)desc->registers_per_invocation * lanes, REGISTER_BLOCK);
        bound(&least, registers / (of_subgroup * (reserved / lanes)), TELAR_LIMITED_BY_REGISTERS);
    }
    if (least.groups == UINT64_MAX) least.groups = 0;
    *limited_by = least.limited_by;
    return tl_limit_u32(least.groups);
}

uint32_t tl_tree_steps(uint64_t invocations)
{
    uint32_t steps = 0;
    while (steps < 63 && (UINT64_C(1) << steps) < invocations) steps++;
    return steps;
}

void tl_occupy(const telar_facts *facts, telar_plan *plan)
{
    uint64_t invocations = tl_invocations(plan->workgroup_size);
    fill_lanes(facts, plan);
    plan->steps = tl_tree_steps(invocations);
    bool leaves_partials = plan->kind == TELAR_KIND_REDUCE || plan->kind == TELAR_KIND_SCAN;
    plan->partials = leaves_partials ? plan->groups : 0;
    plan->resident_groups = tl_resident_groups(&plan->asked, facts, invocations, &plan->resident_limited_by);
    uint64_t units = known_u32(facts, TELAR_FACT_COMPUTE_UNITS);
    plan->idle_units = units > plan->groups ? units - plan->groups : 0;
    uint64_t wave = units * plan->resident_groups;
    if (wave == 0 || plan->groups == 0) return;
    plan->waves = telar_ceil_div(plan->groups, wave);
    plan->last_wave_groups = plan->groups - (plan->waves - 1) * wave;
}
