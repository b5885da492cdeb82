/* SPDX-License-Identifier: MIT
 *
 * The model on CPU adapters, where times add up: what it makes of facts that are easy to reckon with, and an excerpt of sweeps
 * through wgpu-native 29 and Dawn on a machine of two cores, 2026-11-30, with facts that `telar tune` measured there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "plan_devices.h"

typedef struct fact_row {
    telar_fact_name name;
    double value;
} fact_row;

static telar_facts with(telar_facts facts, const fact_row *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) telar_facts_set(&facts, rows[k].name, rows[k].value, TELAR_SOURCE_MEASURED);
    return facts;
}

#define WITH(facts, rows) with(facts, rows, sizeof(rows) / sizeof(rows)[0])

static telar_plan plan_of(const telar_plan_desc *desc, const telar_facts *facts)
{
    telar_plan plan;
    telar_diag diag = {0};
    assert_int_equal(telar_plan_make(desc, facts, &plan, &diag), TELAR_OK);
    return plan;
}

/* ---- Reckoned ---------------------------------------------------------------------------------------------------- */

static telar_facts adapter(double wave_us, double several_us, double item_us)
{
    const fact_row rows[] = {
        {TELAR_FACT_RESIDENT_GROUPS, 1},         {TELAR_FACT_COMPUTE_UNITS, 2},
        {TELAR_FACT_RESIDENT_INVOCATIONS, 1024}, {TELAR_FACT_BANDWIDTH, 2500},
        {TELAR_FACT_GROUP_LAUNCH_RATE, 4},       {TELAR_FACT_DISPATCH_OVERHEAD, 8},
        {TELAR_FACT_WAVE_LATENCY, wave_us},      {TELAR_FACT_WAVE_SEVERAL, several_us},
        {TELAR_FACT_WAVE_ITEM, item_us},
    };
    return WITH(device_lavapipe(), rows);
}

/* A device on which several elements spare what an invocation begins with takes several, one on which they cost more takes one;
 * an element of 16 bytes in words takes twice as long as one of 8, one in vectors of two a third longer. */
static void times_add_up(void **unused)
{
    (void)unused;
    telar_facts one = adapter(4, 0.6, 5.9), many = adapter(9, 13, 4.8);
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

static void vectors_have_times_of_their_own(void **unused)
{
    (void)unused;
    telar_facts facts = adapter(4, 0.6, 5.9);
    telar_facts_set(&facts, TELAR_FACT_WAVE_VECTOR, 16, TELAR_SOURCE_MEASURED);
    telar_plan_desc desc = {
        .count = {1 << 20}, .size = {1024}, .items = 1, .bytes_per_element = 32, .binding_bytes_per_element = 16};
    assert_true(plan_of(&desc, &facts).predicted_us == 8 + 1024 / 4.0 + 512 * 16);
    desc.bytes_per_element = 16;
    desc.binding_bytes_per_element = 8; /* a third of the way from 4 to 16 */
    assert_true(plan_of(&desc, &facts).predicted_us == 8 + 1024 / 4.0 + 512 * 8);
}

/* Of what is as fast, the largest group that leaves no thread without one. */
static void threads_share(void **unused)
{
    (void)unused;
    telar_facts facts = adapter(4, 0.6, 5.9);
    telar_plan_desc desc = {.count = {250}};
    assert_int_equal(plan_of(&desc, &facts).workgroup_size[0], 128);
    desc.count[0] = 900;
    assert_int_equal(plan_of(&desc, &facts).workgroup_size[0], 512);
}

/* A group of several elements an invocation that is not full goes over them one by one: what that takes is told, and where it is
 * much, one element an invocation is better. */
static void borders_cost(void **unused)
{
    (void)unused;
    telar_facts facts = adapter(9, 2, 4.8);
    telar_plan_desc full = {.count = {1 << 16}}, desc = {.count = {2000}, .size = {256}, .items = 8};
    assert_true(plan_of(&full, &facts).items > 1);
    double without = plan_of(&desc, &facts).predicted_us;
    telar_facts_set(&facts, TELAR_FACT_WAVE_BORDER, 20, TELAR_SOURCE_MEASURED);
    double of_border = 256 / 1024.0 * 8 * 20; /* one thread's */
    assert_true(plan_of(&desc, &facts).predicted_us == without + of_border);
    assert_true(plan_of(&full, &facts).items > 1);
    full.count[0] += 1;
    desc.size[0] = desc.items = 0;
    assert_int_equal(plan_of(&desc, &facts).items, 1);
}

/* A reduction's elements cost a turn of the inner loop each and one of the outer loop for all of an invocation's; the groups that
 * share memory pay for that by invocation, so that fewer and smaller ones with more elements are better. */
static void trees_loop_and_share(void **unused)
{
    (void)unused;
    const fact_row loops[] = {{TELAR_FACT_WAVE_LOOP, 4}, {TELAR_FACT_WAVE_TURN, 8}};
    const fact_row sharing[] = {{TELAR_FACT_SHARED_GROUP_OF_32, 32}, {TELAR_FACT_SHARED_GROUP_OF_256, 480}};
    telar_facts facts = adapter(4, 0.6, 5.9);
    facts = WITH(facts, loops);
    telar_plan_desc desc = {
        .count = {1 << 20}, .size = {64}, .items = 4, .kind = TELAR_KIND_REDUCE, .bytes_per_element = 4};
    telar_plan plan = plan_of(&desc, &facts);
    assert_int_equal(plan.groups, 2); /* one a thread */
    assert_true(plan.predicted_us == 8 + 2 / 4.0 + 512 / 4.0 * (8 + 4 * 4));
    telar_plan_desc uneven = desc;
    uneven.count[0] = 3 * 256; /* two tiles of one thread and one of the other */
    assert_int_equal(plan_of(&uneven, &facts).groups, 2);
    assert_true(plan_of(&uneven, &facts).predicted_us == 8 + 2 / 4.0 + 2 * 64 / 1024.0 * (8 + 4 * 4));
    telar_plan_desc two = desc;
    two.bytes_per_element = 8; /* words of two arrays */
    assert_true(plan_of(&two, &facts).predicted_us == plan.predicted_us + 512 / 4.0 * 4 * 4);
    facts = WITH(facts, sharing);
    assert_true(plan_of(&desc, &facts).predicted_us == plan.predicted_us + 96);
    desc.size[0] = 128; /* 32 and two for each further invocation */
    assert_true(plan_of(&desc, &facts).predicted_us == plan.predicted_us + 224);
    desc.size[0] = 32;
    assert_true(plan_of(&desc, &facts).predicted_us == plan.predicted_us + 32);
}

/* One group that does all costs 25 per cent more at most: then it is preferred to two dispatches, of groups as small as may be. */
static void one_group_does_all(void **unused)
{
    (void)unused;
    const fact_row near[] = {{TELAR_FACT_SHARED_GROUP_OF_32, 100}, {TELAR_FACT_SHARED_GROUP_OF_256, 1060}};
    const fact_row far[] = {{TELAR_FACT_SHARED_GROUP_OF_32, 100}, {TELAR_FACT_SHARED_GROUP_OF_256, 1740}};
    telar_facts facts = adapter(4, 0.6, 5.9);
    telar_facts cheap = WITH(facts, near), dear = WITH(facts, far);
    telar_plan_desc desc = {.count = {1000}, .kind = TELAR_KIND_REDUCE, .bytes_per_element = 4};
    telar_plan plan = plan_of(&desc, &cheap); /* 237 of 64 invocations, 2 * 100 of 32, and a dispatch */
    assert_int_equal(plan.workgroup_size[0], 64);
    assert_int_equal(plan.groups, 1);
    plan = plan_of(&desc, &dear); /* 334 of 64 */
    assert_int_equal(plan.workgroup_size[0], 32);
    assert_true(plan.groups > 1);
}

/* A tile of a CPU adapter may be smaller than the rule's. */
static void tiles_shrink(void **unused)
{
    (void)unused;
    const fact_row sharing[] = {
        {TELAR_FACT_BARRIER, 12}, {TELAR_FACT_SHARED_GROUP_OF_32, 32}, {TELAR_FACT_SHARED_GROUP_OF_256, 480}};
    telar_facts facts = adapter(4, 0.6, 5.9);
    facts = WITH(facts, sharing);
    telar_plan_desc desc = {.count = {1000, 1000}, .dimensions = 2, .kind = TELAR_KIND_TILE};
    telar_plan plan = plan_of(&desc, &facts);
    assert_true(plan.workgroup_size[0] <= 8 && plan.items > 1);
}

/* ---- Measured ---------------------------------------------------------------------------------------------------- */

/* SwiftShader through wgpu-native 29. */
static telar_facts swiftshader(void)
{
    static const fact_row rows[] = {
        {TELAR_FACT_COMPUTE_UNITS, 2},          {TELAR_FACT_RESIDENT_INVOCATIONS, 256},
        {TELAR_FACT_BANDWIDTH, 3053.61},        {TELAR_FACT_GROUP_LAUNCH_RATE, 8.19879},
        {TELAR_FACT_DISPATCH_OVERHEAD, 14.78},  {TELAR_FACT_WAVE_LATENCY, 2.59781},
        {TELAR_FACT_WAVE_SEVERAL, 4.34585},     {TELAR_FACT_WAVE_ITEM, 1.15383},
        {TELAR_FACT_WAVE_VECTOR, 6.34587},      {TELAR_FACT_WAVE_VECTOR_SEVERAL, 3.25589},
        {TELAR_FACT_WAVE_VECTOR_ITEM, 6.04758}, {TELAR_FACT_ARITHMETIC_RATE, 16494},
        {TELAR_FACT_BARRIER, 12.6682},
    };
    telar_facts facts = device_swiftshader();
    return WITH(facts, rows);
}

/* Times of vectors, where no other program ran, of the launches that are no slower than the best linear one by more than 7 %. */
static void the_plan_is_among_the_best(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t vectors;
        uint32_t bytes, sizes[2]; /* one vector an invocation */
        double us;                /* of the first */
    } rows[] = {
        {250, 32, {128}, 25.73},        {250, 64, {128}, 35.44},          {7500, 32, {256, 128}, 173.0},
        {7500, 64, {256, 128}, 257.24}, {250000, 32, {256, 128}, 4313.4}, {1 << 20, 64, {256}, 35327.5},
    };
    telar_facts facts = swiftshader();
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_plan_desc desc = {
            .count = {rows[k].vectors}, .bytes_per_element = rows[k].bytes, .binding_bytes_per_element = 16};
        telar_plan plan = plan_of(&desc, &facts);
        assert_int_equal(plan.items, 1);
        assert_true(plan.workgroup_size[0] == rows[k].sizes[0] || plan.workgroup_size[0] == rows[k].sizes[1]);
        assert_true(plan.predicted_us > 0.5 * rows[k].us && plan.predicted_us < 1.25 * rows[k].us);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_add_up),         cmocka_unit_test(vectors_have_times_of_their_own),
        cmocka_unit_test(threads_share),        cmocka_unit_test(borders_cost),
        cmocka_unit_test(trees_loop_and_share), cmocka_unit_test(one_group_does_all),
        cmocka_unit_test(tiles_shrink),         cmocka_unit_test(the_plan_is_among_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
