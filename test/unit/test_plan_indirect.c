/* SPDX-License-Identifier: MIT
 *
 * What the prepare kernel is to compute: folds, capacity, saturation, zero, and never a group number above 32 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plan_devices.h"

static telar_plan plan_of(const telar_plan_desc *desc, const telar_facts *facts)
{
    telar_plan plan;
    assert_int_equal(telar_plan_make(desc, facts, &plan, NULL), TELAR_OK);
    return plan;
}

static const telar_plan_desc textbook = {.count = {1 << 30}, .size = {64}, .items = 1};

static void counts_of_the_lesson(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t requested;
        uint64_t capacity;
        uint32_t dispatch[3];
        uint32_t launched;
        bool saturated;
    } rows[] = {
        {0, 100000, {0, 1, 1}, 0, false},
        {1, 100000, {1, 1, 1}, 1, false},
        {12000, 100000, {188, 1, 1}, 12000, false}, /* the pool: capacity 100,000, 12,000 live */
        {100000, 100000, {1563, 1, 1}, 100000, false},
        {100001, 100000, {1563, 1, 1}, 100000, true},
        {4194240, 1 << 30, {65535, 1, 1}, 4194240, false},
        {4194241, 1 << 30, {32768, 2, 1}, 4194241, false},
        {200000u * 64, 1 << 30, {50000, 4, 1}, 200000u * 64, false},
        {5, 0, {0, 1, 1}, 0, true},
        {UINT32_MAX, UINT64_MAX, {65409, 513, 1}, UINT32_C(1) << 31, true},
    };
    telar_facts facts = telar_facts_default();
    telar_plan plan = plan_of(&textbook, &facts);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_indirect got = telar_plan_indirect(&plan, rows[k].requested, rows[k].capacity);
        for (int axis = 0; axis < 3; axis++) assert_int_equal(got.dispatch[axis], rows[k].dispatch[axis]);
        assert_int_equal(got.requested, rows[k].requested);
        assert_int_equal(got.launched, rows[k].launched);
        assert_int_equal(got.saturated, rows[k].saturated);
    }
}

static void agrees_with_the_host_plan(void **unused)
{
    (void)unused;
    const uint32_t limits[] = {3, 5, 16, 65535};
    const uint32_t counts[] = {1, 63, 64, 65, 1000, 4160, 1u << 20, (1u << 31) - 1, 1u << 31};
    for (size_t l = 0; l < 4; l++) {
        telar_facts facts = telar_facts_default();
        facts.limits.maxComputeWorkgroupsPerDimension = limits[l];
        telar_plan_desc desc = {.count = {100}, .size = {64}, .items = 1};
        telar_plan plan = plan_of(&desc, &facts);
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            telar_indirect got = telar_plan_indirect(&plan, counts[k], UINT64_MAX);
            uint64_t launched = (uint64_t)got.dispatch[0] * got.dispatch[1] * got.dispatch[2];
            assert_true(launched >= got.groups && launched <= UINT32_MAX);
            assert_int_equal(got.groups, telar_ceil_div(got.launched, 64));
            for (int axis = 0; axis < 3; axis++) assert_in_range(got.dispatch[axis], 1, limits[l]);
            desc.count[0] = counts[k];
            desc.shape = TELAR_SHAPE_FOLD;
            telar_plan host;
            bool reached = telar_plan_make(&desc, &facts, &host, NULL) == TELAR_OK;
            assert_int_equal(got.saturated, !reached);
            if (!reached) {
                assert_int_equal(got.launched, (uint64_t)limits[l] * limits[l] * limits[l] * 64);
                continue;
            }
            for (int axis = 0; axis < 3; axis++) assert_int_equal(got.dispatch[axis], host.dispatch[axis]);
        }
    }
}

static void explicit_shapes_are_kept(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    telar_plan_desc desc = {.count = {UINT64_C(64) * 100}, .size = {64}, .shape = TELAR_SHAPE_LINEAR};
    telar_plan plan = plan_of(&desc, &facts);
    telar_indirect got = telar_plan_indirect(&plan, 200000 * 64, UINT64_MAX);
    assert_int_equal(got.dispatch[0], 65535);
    assert_int_equal(got.dispatch[1], 1);
    assert_int_equal(got.launched, 4194240);
    assert_true(got.saturated);

    desc =
        (telar_plan_desc){.count = {UINT64_C(64) * 100000}, .size = {64}, .shape = TELAR_SHAPE_STRIDE, .groups = 1000};
    plan = plan_of(&desc, &facts);
    got = telar_plan_indirect(&plan, 200000 * 64, UINT64_MAX);
    assert_int_equal(got.dispatch[0], 1000);
    assert_false(got.saturated);
    assert_int_equal(telar_plan_indirect(&plan, 65, UINT64_MAX).dispatch[0], 2);

    desc = (telar_plan_desc){
        .count = {UINT64_C(64) * 100000}, .size = {64}, .shape = TELAR_SHAPE_FOLD, .fold_width = 4096};
    plan = plan_of(&desc, &facts);
    got = telar_plan_indirect(&plan, 200000 * 64, UINT64_MAX);
    assert_int_equal(got.dispatch[0], 4096);
    assert_int_equal(got.dispatch[1], 49);
    assert_int_equal(got.row_groups, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_the_lesson),
        cmocka_unit_test(agrees_with_the_host_plan),
        cmocka_unit_test(explicit_shapes_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
