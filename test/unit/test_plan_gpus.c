/* SPDX-License-Identifier: MIT
 *
 * Plans for the GPUs that the lesson names, each as a tuning would describe it. The numbers are made up in the order of
 * magnitude of such devices; what is asserted holds whatever they are exactly, and says why. */
#include <telar/telar.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct gpu_row {
    const char *name;
    telar_device_type type;
    double subgroup_min, subgroup_max;
    double units, resident;   /* invocations a unit */
    double bandwidth, launch; /* bytes/us, groups/us */
    double overhead_us, wave_us, item_us;
    uint32_t rule; /* the size without any of the times */
} gpu_row;

static const gpu_row gpus[] = {
    /* 64 is the least that fills every width up to 32 and leaves no lane dark. */
    {"Intel, lanes of 8 to 32", TELAR_DEVICE_INTEGRATED, 8, 32, 12, 896, 55e3, 120, 9, 2, 0.4, 64},
    {"Apple, lanes of 32", TELAR_DEVICE_INTEGRATED, 32, 32, 30, 1024, 180e3, 200, 5, 1.5, 0.3, 64},
    {"AMD, lanes of 32 or 64", TELAR_DEVICE_DISCRETE, 32, 64, 36, 2048, 400e3, 400, 4, 1.2, 0.25, 64},
    {"AMD, lanes of 64", TELAR_DEVICE_DISCRETE, 64, 64, 64, 2560, 450e3, 350, 5, 1.5, 0.3, 64},
    /* Half of the lanes of 128 would be dark in a group of 64. */
    {"Adreno, lanes of 64 to 128", TELAR_DEVICE_INTEGRATED, 64, 128, 3, 2048, 40e3, 40, 20, 4, 0.6, 128},
    {"a chip of 30 units", TELAR_DEVICE_DISCRETE, 32, 32, 30, 1536, 350e3, 500, 4, 1, 0.2, 64},
};

static telar_facts lanes_of(const gpu_row *gpu)
{
    telar_facts facts = telar_facts_default();
    snprintf(facts.device, sizeof facts.device, "%s", gpu->name);
    facts.limits.maxComputeInvocationsPerWorkgroup = 1024;
    facts.limits.maxComputeWorkgroupSizeX = facts.limits.maxComputeWorkgroupSizeY = 1024;
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MIN, gpu->subgroup_min, TELAR_SOURCE_PROBE);
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MAX, gpu->subgroup_max, TELAR_SOURCE_PROBE);
    return facts;
}

static telar_facts tuned(const gpu_row *gpu)
{
    telar_facts facts = lanes_of(gpu);
    facts.type = gpu->type;
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, gpu->units, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_RESIDENT_INVOCATIONS, gpu->resident, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_BANDWIDTH, gpu->bandwidth, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_GROUP_LAUNCH_RATE, gpu->launch, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_DISPATCH_OVERHEAD, gpu->overhead_us, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_WAVE_LATENCY, gpu->wave_us, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_ITEM_LATENCY, gpu->item_us, TELAR_SOURCE_MEASURED);
    return facts;
}

static telar_plan plan_of(const telar_facts *facts, telar_kind kind, uint64_t count)
{
    telar_plan plan;
    telar_diag diag = {0};
    telar_plan_desc desc = {.count = {count}, .kind = kind};
    assert_int_equal(telar_plan_make(&desc, facts, &plan, &diag), TELAR_OK);
    return plan;
}

/* With its lanes alone: the lesson's rule. */
static void rule_by_lanes(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof gpus / sizeof gpus[0]; k++) {
        telar_facts facts = lanes_of(&gpus[k]);
        telar_plan plan = plan_of(&facts, TELAR_KIND_ELEMENT, 3000001);
        assert_int_equal(plan.workgroup_size[0], gpus[k].rule);
        assert_int_equal(plan.items, 1);
        assert_true(plan.predicted_us < 0);
        assert_int_equal(plan_of(&facts, TELAR_KIND_REDUCE, 3000001).workgroup_size[0], 256);
    }
}

static const uint64_t counts[] = {1000, 5000, 100000, 3000001, 1 << 26};

/* Whatever is chosen: no lane is dark at the greatest width, and what is predicted is no longer than for the lesson's size
 * with one element (but for a tie), which is one of the candidates. */
static void tuned_plans_hold(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof gpus / sizeof gpus[0]; k++) {
        telar_facts facts = tuned(&gpus[k]);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            telar_plan chosen = plan_of(&facts, TELAR_KIND_ELEMENT, counts[c]), rule;
            telar_plan_desc desc = {.count = {counts[c]}, .size = {gpus[k].rule}, .items = 1};
            telar_lanes lanes = telar_lanes_fill(chosen.workgroup_size[0], (uint32_t)gpus[k].subgroup_max);
            assert_int_equal(lanes.reserved, chosen.workgroup_size[0]);
            assert_int_equal(telar_plan_make(&desc, &facts, &rule, NULL), TELAR_OK);
            assert_true(chosen.predicted_us > gpus[k].overhead_us);
            assert_true(chosen.predicted_us <= rule.predicted_us * 1.02);
        }
    }
}

/* A unit without a group is what large groups cost: the rule's size reaches all of them with 5000 elements where 256 does
 * not, and says so. */
static void few_elements_reach_all_units(void **state)
{
    (void)state;
    telar_facts facts = lanes_of(&gpus[5]);
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, gpus[5].units, TELAR_SOURCE_MEASURED);
    assert_int_equal(plan_of(&facts, TELAR_KIND_ELEMENT, 5000).idle_units, 0);
    telar_plan large;
    telar_plan_desc desc = {.count = {5000}, .size = {256}};
    assert_int_equal(telar_plan_make(&desc, &facts, &large, NULL), TELAR_OK);
    assert_int_equal(large.idle_units, 10);
}

/* Many elements: every unit has work, and the time is the memory's at least. */
static void many_elements_fill_the_device(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof gpus / sizeof gpus[0]; k++) {
        telar_facts facts = tuned(&gpus[k]);
        telar_plan plan = plan_of(&facts, TELAR_KIND_ELEMENT, 1 << 26);
        assert_int_equal(plan.idle_units, 0);
        assert_true(plan.predicted_us >= gpus[k].overhead_us + 8.0 * (1 << 26) / gpus[k].bandwidth);
    }
}

/* No cache was seen, so none is counted on: a prediction takes nothing from other devices. */
static void no_cache_is_presumed(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof gpus / sizeof gpus[0]; k++) {
        telar_facts facts = tuned(&gpus[k]);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            double memory_us = gpus[k].overhead_us + 8 * (double)counts[c] / gpus[k].bandwidth;
            assert_true(plan_of(&facts, TELAR_KIND_ELEMENT, counts[c]).predicted_us >= memory_us);
        }
        telar_facts_set(&facts, TELAR_FACT_CACHE_BANDWIDTH, 3 * gpus[k].bandwidth, TELAR_SOURCE_MEASURED);
        telar_facts_set(&facts, TELAR_FACT_CACHE_BYTES, 32e6, TELAR_SOURCE_MEASURED);
        telar_facts without = tuned(&gpus[k]);
        assert_true(plan_of(&facts, TELAR_KIND_ELEMENT, 3000001).predicted_us <
                    plan_of(&without, TELAR_KIND_ELEMENT, 3000001).predicted_us);
    }
}

/* Both languages say what the device is bound by. */
static void explained(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof gpus / sizeof gpus[0]; k++) {
        telar_facts facts = tuned(&gpus[k]);
        telar_plan plan = plan_of(&facts, TELAR_KIND_ELEMENT, 1 << 26);
        char text[8192];
        telar_out out = {text, sizeof text, 0};
        telar_plan_explain(&plan, &facts, TELAR_ENGLISH, &out);
        assert_non_null(strstr(text, "predicted"));
        out = (telar_out){text, sizeof text, 0};
        telar_plan_explain(&plan, &facts, TELAR_SPANISH, &out);
        assert_non_null(strstr(text, "previsto"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_by_lanes),
        cmocka_unit_test(tuned_plans_hold),
        cmocka_unit_test(few_elements_reach_all_units),
        cmocka_unit_test(many_elements_fill_the_device),
        cmocka_unit_test(no_cache_is_presumed),
        cmocka_unit_test(explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
