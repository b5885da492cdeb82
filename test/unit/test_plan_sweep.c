/* SPDX-License-Identifier: MIT
 *
 * The model against an excerpt of a sweep: kernels of every kind on an H200 through wgpu-native 29 and Dawn, 2026-11-30, with
 * the facts that `telar tune` measured before. Of each kernel and count the times of the plan's candidate and of the best one
 * of the whole sweep: the plan must still be that candidate or one that is listed with it, each within 10 % of the best. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "plan_devices.h"

typedef struct candidate {
    uint32_t x, y, items;
    double us;
} candidate;

#define CANDIDATES 3

typedef struct row {
    const char *kernel;
    bool dawn;
    telar_plan_desc desc;
    double best_us;
    candidate near[CANDIDATES]; /* of the best, as measured */
} row;

static const row rows[] = {
    {"reduce",
     false,
     {.count = {100000}, .kind = TELAR_KIND_REDUCE, .bytes_per_element = 4},
     5.57,
     {{256, 1, 2, 5.57}, {512, 1, 1, 5.88}, {256, 1, 4, 5.94}}},
    {"reduce",
     true,
     {.count = {10000}, .kind = TELAR_KIND_REDUCE, .bytes_per_element = 4},
     3.57,
     {{1024, 1, 16, 3.57}}},
    {"scan",
     false,
     {.count = {10000}, .kind = TELAR_KIND_SCAN},
     7.38,
     {{128, 1, 1, 7.38}, {64, 1, 2, 7.65}, {256, 1, 1, 7.75}}},
    {"scan",
     false,
     {.count = {100000}, .kind = TELAR_KIND_SCAN},
     8.31,
     {{256, 1, 2, 8.31}, {512, 1, 1, 8.68}, {128, 1, 4, 8.93}}},
    {"scan", true, {.count = {1 << 26}, .kind = TELAR_KIND_SCAN}, 482.4, {{256, 1, 4, 499.22}, {128, 1, 4, 482.4}}},
    {"image-3x3",
     false,
     {.count = {8192, 8192}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .halo = 1},
     213.81,
     {{32, 8, 4, 219.17}, {32, 8, 2, 214.74}, {32, 16, 4, 220.17}}},
    {"image-3x3",
     true,
     {.count = {1000, 1000}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .halo = 1},
     4.53,
     {{32, 16, 2, 4.7}, {32, 8, 2, 4.53}}},
    {"tile", false, {.count = {100, 100}, .dimensions = 2, .kind = TELAR_KIND_TILE}, 2.12, {{16, 16, 1, 2.12}}},
    {"tile",
     false,
     {.count = {1000, 1000}, .dimensions = 2, .kind = TELAR_KIND_TILE},
     4.26,
     {{16, 16, 2, 4.5}, {16, 16, 4, 4.26}}},
    {"tile",
     true,
     {.count = {8192, 8192}, .dimensions = 2, .kind = TELAR_KIND_TILE},
     237.98,
     {{16, 16, 4, 252.53}, {16, 16, 8, 253.91}}},
};

static telar_facts tuned(bool dawn)
{
    static const struct {
        telar_fact_name name;
        double wgpu, dawn;
    } measured[] = {
        {TELAR_FACT_COMPUTE_UNITS, 132, 132},
        {TELAR_FACT_RESIDENT_INVOCATIONS, 2048, 2048},
        {TELAR_FACT_RESIDENT_GROUPS, 32, 32},
        {TELAR_FACT_BANDWIDTH, 4.3061e6, 4.3023e6},
        {TELAR_FACT_CACHE_BANDWIDTH, 7.27688e6, 7.33095e6},
        {TELAR_FACT_CACHE_BYTES, 33554432, 33554432},
        {TELAR_FACT_GROUP_LAUNCH_RATE, 1663.53, 1662.03},
        {TELAR_FACT_DISPATCH_OVERHEAD, 1.92216, 1.92208},
        {TELAR_FACT_WAVE_LATENCY, 0.836568, 0.838597},
        {TELAR_FACT_ITEM_LATENCY, 0.0302767, 0.0328445},
        {TELAR_FACT_BARRIER, 0.0287891, 0.0442423},
        {TELAR_FACT_ARITHMETIC_RATE, 6.37954e7, 4.1508e7},
    };
    telar_facts facts = device_h200();
    for (size_t k = 0; k < sizeof measured / sizeof measured[0]; k++) {
        telar_facts_set(&facts, measured[k].name, dawn ? measured[k].dawn : measured[k].wgpu, TELAR_SOURCE_MEASURED);
    }
    return facts;
}

static telar_plan plan_of(const telar_plan_desc *desc, const telar_facts *facts)
{
    telar_plan plan;
    telar_diag diag = {0};
    assert_int_equal(telar_plan_make(desc, facts, &plan, &diag), TELAR_OK);
    return plan;
}

static void the_plan_is_near_the_best(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_facts facts = tuned(rows[k].dawn);
        telar_plan plan = plan_of(&rows[k].desc, &facts);
        double us = 0;
        for (int c = 0; c < CANDIDATES; c++) {
            const candidate *at = &rows[k].near[c];
            bool same = at->x == plan.workgroup_size[0] && at->y == plan.workgroup_size[1] && at->items == plan.items;
            if (same) us = at->us;
        }
        if (us == 0) {
            print_message("%s, %s: %u x %u x %u\n", rows[k].kernel, rows[k].dawn ? "dawn" : "wgpu",
                          plan.workgroup_size[0], plan.workgroup_size[1], plan.items);
        }
        assert_true(us > 0 && us <= 1.1 * rows[k].best_us);
    }
}

/* What was measured for the plan's own candidate. */
static void the_prediction_is_near(void **unused)
{
    (void)unused;
    static const struct {
        bool dawn;
        telar_plan_desc desc;
        double us;
    } cells[] = {
        {false, {.count = {1 << 26}, .bytes_per_element = 32, .binding_bytes_per_element = 16}, 500.1},
        {false, {.count = {750001}, .bytes_per_element = 32, .binding_bytes_per_element = 16}, 5.54},
        {false, {.count = {1 << 24}, .bytes_per_element = 64, .binding_bytes_per_element = 16}, 254.7},
        {true,
         {.count = {1 << 24}, .bytes_per_element = 32, .binding_bytes_per_element = 16, .flops_per_element = 260},
         132.1},
        {false, {.count = {8192, 8192}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .halo = 1}, 219.2},
        {false, {.count = {8192, 8192}, .dimensions = 2, .kind = TELAR_KIND_TILE}, 261.1},
    };
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
        telar_facts facts = tuned(cells[k].dawn);
        double predicted_us = plan_of(&cells[k].desc, &facts).predicted_us;
        assert_true(predicted_us > 0.85 * cells[k].us && predicted_us < 1.15 * cells[k].us);
    }
}

/* Operations show where they take longer than the memory, and only there. */
static void operations_count(void **unused)
{
    (void)unused;
    telar_facts facts = tuned(false);
    telar_plan_desc desc = {.count = {1 << 26}};
    double none = plan_of(&desc, &facts).predicted_us;
    desc.flops_per_element = 16;
    assert_true(plan_of(&desc, &facts).predicted_us < 1.01 * none);
    desc.flops_per_element = 1024;
    assert_true(plan_of(&desc, &facts).predicted_us > 1024.0 * (1 << 26) / 6.37954e7);
}

/* On a CPU adapter times add up: a device on which several elements spare what an invocation begins with takes several, one
 * on which they cost more takes one; an element of 16 bytes in words takes twice as long as one of 8, one in vectors of two a third longer. */
static telar_facts cpu_adapter(double wave_us, double several_us, double item_us)
{
    telar_facts facts = device_lavapipe();
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 2, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_RESIDENT_INVOCATIONS, 1024, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_BANDWIDTH, 2500, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_GROUP_LAUNCH_RATE, 4, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_DISPATCH_OVERHEAD, 8, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_WAVE_LATENCY, wave_us, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_WAVE_SEVERAL, several_us, TELAR_SOURCE_MEASURED);
    telar_facts_set(&facts, TELAR_FACT_WAVE_ITEM, item_us, TELAR_SOURCE_MEASURED);
    return facts;
}

static void a_cpu_adapter_adds_up(void **unused)
{
    (void)unused;
    telar_facts one = cpu_adapter(4, 0.6, 5.9), many = cpu_adapter(9, 13, 4.8);
    telar_plan_desc desc = {.count = {1000000}};
    telar_plan plan = plan_of(&desc, &one);
    assert_int_equal(plan.items, 1);
    assert_int_equal(plan.workgroup_size[0], 1024); /* fewest groups: each costs a quarter of a microsecond */
    assert_true(plan_of(&desc, &many).items >= 8);
    /* 977 groups, and 489 of them on one of two threads: 8 + 977 / 4 + 489 * 4. */
    assert_true(plan.predicted_us > 2208 && plan.predicted_us < 2209);
    double words = plan.predicted_us;
    desc.bytes_per_element = 16;
    assert_true(plan_of(&desc, &one).predicted_us > 1.8 * words);
    desc.binding_bytes_per_element = 8;
    assert_true(plan_of(&desc, &one).predicted_us < 1.4 * words);
}

/* Equal things that differ by so much are not ranked, so fewer elements and smaller groups win; but never by more than 5 %. */
static void noise_is_not_ranked(void **unused)
{
    (void)unused;
    telar_facts facts = cpu_adapter(4, 0.6, 5.9);
    telar_plan_desc desc = {.count = {1000000}}, other = desc;
    telar_facts_set(&facts, TELAR_FACT_GROUP_LAUNCH_RATE, 20, TELAR_SOURCE_MEASURED);
    assert_int_equal(plan_of(&desc, &facts).workgroup_size[0], 1024);
    telar_facts_set(&facts, TELAR_FACT_REPEAT_SPREAD, 0.04, TELAR_SOURCE_MEASURED);
    telar_plan plan = plan_of(&desc, &facts);
    assert_true(plan.workgroup_size[0] < 1024);
    other.size[0] = 1024;
    assert_true(plan.predicted_us <= 1.041 * plan_of(&other, &facts).predicted_us);
    telar_facts_set(&facts, TELAR_FACT_REPEAT_SPREAD, 0.9, TELAR_SOURCE_MEASURED);
    assert_true(plan_of(&desc, &facts).predicted_us <= 1.051 * plan_of(&other, &facts).predicted_us);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_is_near_the_best), cmocka_unit_test(the_prediction_is_near),
        cmocka_unit_test(operations_count),          cmocka_unit_test(a_cpu_adapter_adds_up),
        cmocka_unit_test(noise_is_not_ranked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
