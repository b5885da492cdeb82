/* SPDX-License-Identifier: MIT
 *
 * The model that ranks candidates, fitted on a discrete GPU (the table is in test/unit/test_plan_h200.c):
 *
 *     t       = overhead * dispatches + (launch^4 + latency^4 + band^4) ^ (1/4)
 *     launch  = groups / launch rate
 *     latency = wave latency * launched invocations / (units * resident invocations)
 *               + item latency * (items - 1 + barrier steps)
 *     band    = bytes / bandwidth * ceil(groups / units) * units / groups
 *
 * The last factor is the tail: the unit with most groups sets the pace. Data that fit the last cache move at its
 * bandwidth, and a wave waits for them as much less as that is faster. A tree adds an item's latency for each step. */
#include "plan/plan.h"

#include <math.h>

#define PARTIAL_BYTES 8

static bool timed(const telar_facts *facts, telar_fact_name name)
{
    return facts->values[name].source > TELAR_SOURCE_TABLE;
}

tl_model tl_model_make(const telar_plan_desc *desc, const telar_facts *facts, uint64_t elements)
{
    bool measured = timed(facts, TELAR_FACT_BANDWIDTH) && timed(facts, TELAR_FACT_GROUP_LAUNCH_RATE) &&
                    timed(facts, TELAR_FACT_DISPATCH_OVERHEAD) && timed(facts, TELAR_FACT_WAVE_LATENCY);
    bool known = telar_facts_know(facts, TELAR_FACT_BANDWIDTH) && telar_facts_know(facts, TELAR_FACT_GROUP_LAUNCH_RATE);
    tl_model model = {.usable = known || facts->type != TELAR_DEVICE_UNKNOWN, .measured = measured};
    if (!model.usable) return model;
    double bandwidth = telar_facts_assume(facts, TELAR_FACT_BANDWIDTH).value;
    double cache_bandwidth = telar_facts_assume(facts, TELAR_FACT_CACHE_BANDWIDTH).value;
    double wave = telar_facts_assume(facts, TELAR_FACT_WAVE_LATENCY).value;
    double bytes = tl_bytes_moved(desc, elements);
    /* A device that was measured and shows no cache has none to speak of; a prediction takes no other device's. */
    bool cache_known = !measured || (timed(facts, TELAR_FACT_CACHE_BANDWIDTH) && timed(facts, TELAR_FACT_CACHE_BYTES));
    bool fits = bytes <= telar_facts_assume(facts, TELAR_FACT_CACHE_BYTES).value;
    if (cache_known && fits && cache_bandwidth > bandwidth) {
        wave *= bandwidth / cache_bandwidth;
        bandwidth = cache_bandwidth;
    }
    model.per_unit = 1 / telar_facts_assume(facts, TELAR_FACT_COMPUTE_UNITS).value;
    model.resident = telar_facts_assume(facts, TELAR_FACT_RESIDENT_INVOCATIONS).value;
    model.overhead = telar_facts_assume(facts, TELAR_FACT_DISPATCH_OVERHEAD).value;
    model.launch = 1 / telar_facts_assume(facts, TELAR_FACT_GROUP_LAUNCH_RATE).value;
    model.item = telar_facts_assume(facts, TELAR_FACT_ITEM_LATENCY).value;
    model.wave = wave * model.per_unit;
    model.band = bytes / bandwidth;
    model.tree = desc->kind == TELAR_KIND_REDUCE || desc->kind == TELAR_KIND_SCAN;
    model.partial = model.tree ? PARTIAL_BYTES / bandwidth : 0;
    return model;
}

double tl_model_group_wave(const tl_model *model, double invocations, double resident)
{
    return model->wave * invocations / resident;
}

double tl_model_steps(const tl_model *model, uint64_t invocations)
{
    return model->tree ? tl_tree_steps(invocations) : 0;
}

tl_cost tl_plan_cost(const telar_plan *plan, const telar_facts *facts, const tl_model *model)
{
    uint64_t size = tl_invocations(plan->workgroup_size);
    double invocations = (double)size;
    double launched = (double)plan->groups;
    double groups = launched;
    /* A stride launch starts fewer groups, which do the same work in rounds. */
    if (plan->shape == TELAR_SHAPE_STRIDE) {
        double all = (double)plan->elements / (invocations * plan->items);
        if (all > groups) groups = all;
    }
    double resident = model->resident;
    if (plan->asked.workgroup_memory_bytes != 0 || plan->asked.registers_per_invocation != 0) {
        telar_limited_by limited_by;
        uint64_t held = tl_resident_groups(&plan->asked, facts, size, &limited_by);
        if (held > 0) resident = (double)held * invocations;
    }
    double wave = tl_model_group_wave(model, invocations, resident);
    tl_cost cost = tl_model_terms(model, groups, wave, plan->items - 1 + tl_model_steps(model, size));
    cost.launch *= launched / groups;
    cost.overhead = model->overhead * (double)plan->window_count;
    cost.total = cost.overhead + sqrt(sqrt(tl_model_rank(cost)));
    return cost;
}
