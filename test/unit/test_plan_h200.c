/* SPDX-License-Identifier: MIT
 *
 * The model against a measured table: elementwise d[i] = s[i] * 0.99 on an H200 through wgpu-native 29, 2026-11-29,
 * GB/s of 8 bytes an element, scalar loads, items a workgroup-size apart. The plan must choose a cell within 4 % of the
 * best of its count; over all cells the prediction must be near. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plan_devices.h"

#define SIZES 4 /* 64, 128, 256, 512 */
#define ITEMS 5 /* 1, 2, 4, 8, 16 */

static const struct row {
    uint64_t count;
    double gigabytes[SIZES][ITEMS];
} table[] = {
    {100000,
     {{255, 298, 309, 307, 195}, {301, 327, 328, 255, 169}, {328, 336, 298, 233, 235}, {341, 337, 298, 283, 254}}},
    {3000001,
     {{783, 1449, 2480, 3699, 3550},
      {1451, 2496, 3681, 4097, 3156},
      {2485, 3795, 4291, 3956, 4063},
      {3089, 4064, 4092, 4276, 4175}}},
    {UINT64_C(1) << 28,
     {{848, 1694, 3370, 4211, 4120},
      {1483, 2753, 4257, 4197, 4125},
      {2334, 3782, 4258, 4240, 4131},
      {2454, 3690, 4198, 4202, 4101}}},
};
#define ROWS (sizeof table / sizeof table[0])
#define CELLS (3.0 * SIZES * ITEMS)

static double best_of(const struct row *row)
{
    double best = 0;
    for (int s = 0; s < SIZES; s++) {
        for (int i = 0; i < ITEMS; i++) best = fmax(best, row->gigabytes[s][i]);
    }
    return best;
}

static int log2_of(uint32_t value)
{
    int log = 0;
    while ((1u << log) < value) log++;
    return log;
}

static void check_choice(const telar_facts *facts)
{
    for (size_t k = 0; k < ROWS; k++) {
        telar_plan plan;
        telar_plan_desc desc = {.count = {table[k].count}};
        assert_int_equal(telar_plan_make(&desc, facts, &plan, NULL), TELAR_OK);
        assert_in_range(plan.workgroup_size[0], 64, 512);
        assert_in_range(plan.items, 1, 16);
        double chosen = table[k].gigabytes[log2_of(plan.workgroup_size[0]) - 6][log2_of(plan.items)];
        assert_true(chosen >= 0.96 * best_of(&table[k]));
        assert_true(plan.limited_by != TELAR_LIMITED_BY_LAUNCH_RATE);
    }
}

static void the_choice_is_near_the_best(void **unused)
{
    (void)unused;
    telar_facts profiled = device_h200_profiled();
    check_choice(&profiled);
}

/* With nothing known but that it is a discrete GPU, the table of devices gives the same. */
static void the_type_alone_chooses_as_well(void **unused)
{
    (void)unused;
    telar_facts bare = device_h200();
    check_choice(&bare);
}

/* A wish for one of the two leaves the other to the model. */
static void a_fixed_size_gets_its_items(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200_profiled();
    for (int s = 0; s < SIZES; s++) {
        telar_plan plan;
        telar_plan_desc desc = {.count = {table[2].count}, .size = {64u << s}};
        assert_int_equal(telar_plan_make(&desc, &facts, &plan, NULL), TELAR_OK);
        double best = 0;
        for (int i = 0; i < ITEMS; i++) best = fmax(best, table[2].gigabytes[s][i]);
        assert_true(table[2].gigabytes[s][log2_of(plan.items)] >= 0.96 * best);
    }
}

static void the_prediction_is_near(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200_profiled();
    double sum = 0;
    double worst = 0;
    for (size_t k = 0; k < ROWS; k++) {
        for (int s = 0; s < SIZES; s++) {
            for (int i = 0; i < ITEMS; i++) {
                telar_plan plan;
                telar_plan_desc desc = {.count = {table[k].count}, .size = {64u << s}, .items = 1u << i};
                assert_int_equal(telar_plan_make(&desc, &facts, &plan, NULL), TELAR_OK);
                double measured_us = (double)table[k].count * 8 / table[k].gigabytes[s][i] / 1e3;
                double error = fabs(log(plan.predicted_us / measured_us));
                sum += error;
                worst = fmax(worst, error);
            }
        }
    }
    print_message("mean error %.1f %%, worst %.1f %%\n", 100 * sum / CELLS, 100 * worst);
    assert_true(sum / CELLS < 0.05);
    assert_true(worst < 0.30);
}

/* 64 x 1 at three million is what the launch of groups bounds, and the plan says so. */
static void the_textbook_kernel_is_bound_by_the_launch(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200_profiled();
    telar_plan plan;
    telar_plan_desc desc = {.count = {3000001}, .size = {64}, .items = 1};
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, NULL), TELAR_OK);
    assert_int_equal(plan.limited_by, TELAR_LIMITED_BY_LAUNCH_RATE);
    assert_true(plan.predicted_us > 28 && plan.predicted_us < 33);
}

/* A time is predicted only from times that belong to the device. */
static void no_prediction_from_the_table(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200();
    telar_plan plan;
    telar_plan_desc desc = {.count = {3000001}};
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, NULL), TELAR_OK);
    assert_true(plan.predicted_us < 0);
    assert_int_equal(plan.waves, 0);
}

static void other_devices(void **unused)
{
    (void)unused;
    const telar_facts facts[] = {device_lavapipe(), device_swiftshader(), device_integrated()};
    for (size_t d = 0; d < 3; d++) {
        telar_plan plan;
        telar_plan_desc desc = {.count = {3000001}};
        assert_int_equal(telar_plan_make(&desc, &facts[d], &plan, NULL), TELAR_OK);
        assert_true(plan.groups < plan.lesson_groups);
        assert_true(plan.workgroup_size[0] <= facts[d].limits.maxComputeInvocationsPerWorkgroup);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_choice_is_near_the_best),
        cmocka_unit_test(the_type_alone_chooses_as_well),
        cmocka_unit_test(a_fixed_size_gets_its_items),
        cmocka_unit_test(the_prediction_is_near),
        cmocka_unit_test(the_textbook_kernel_is_bound_by_the_launch),
        cmocka_unit_test(no_prediction_from_the_table),
        cmocka_unit_test(other_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
