/* SPDX-License-Identifier: MIT
 *
 * The numbers of the two lessons and of the tool's contract, from limits alone and from a few given facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plan_devices.h"

static telar_plan make(const telar_plan_desc *desc, const telar_facts *facts)
{
    telar_plan plan;
    telar_diag diag = {0};
    telar_status status = telar_plan_make(desc, facts, &plan, &diag);
    if (status != TELAR_OK) print_error("%s\n", diag.text);
    assert_int_equal(status, TELAR_OK);
    return plan;
}

#define PLAN(facts, ...) make(&(telar_plan_desc){__VA_ARGS__}, &(facts))
#define DEFAULT(...) make(&(telar_plan_desc){__VA_ARGS__}, &(telar_facts[]){telar_facts_default()}[0])

static void assert_xyz(const uint32_t got[3], uint32_t x, uint32_t y, uint32_t z)
{
    assert_int_equal(got[0], x);
    assert_int_equal(got[1], y);
    assert_int_equal(got[2], z);
}

static void lanes_of_32(void **unused)
{
    (void)unused;
    telar_lanes lanes = telar_lanes_fill(40, 32);
    assert_int_equal(lanes.reserved, 64);
    assert_true(lanes.efficiency == 0.625);
    telar_facts facts = telar_facts_default();
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MIN, 32, TELAR_SOURCE_GIVEN);
    telar_plan plan = PLAN(facts, .count = {1000}, .size = {40});
    assert_int_equal(plan.lanes_count, 1);
    assert_int_equal(plan.lanes[0].width, 32);
    assert_int_equal(plan.lanes[0].reserved, 64);
    assert_true(plan.lanes[0].efficiency == 0.625);
}

static void least_that_fills_32_and_64(void **unused)
{
    (void)unused;
    uint32_t least = 1;
    while (telar_lanes_fill(least, 32).efficiency < 1 || telar_lanes_fill(least, 64).efficiency < 1) least++;
    assert_int_equal(least, 64);
    assert_true(telar_lanes_fill(64, 128).efficiency == 0.5);
}

static void all_widths_when_none_is_known(void **unused)
{
    (void)unused;
    telar_plan plan = DEFAULT(.count = {5000});
    assert_int_equal(plan.lanes_count, 6);
    for (uint32_t k = 0; k < 6; k++) assert_int_equal(plan.lanes[k].width, 4u << k);
    telar_facts facts = telar_facts_default();
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MIN, 8, TELAR_SOURCE_PROBE);
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MAX, 32, TELAR_SOURCE_PROBE);
    assert_int_equal(PLAN(facts, .count = {5000}).lanes_count, 3);
}

static void size_by_kind(void **unused)
{
    (void)unused;
    static const struct {
        telar_kind kind;
        uint32_t dimensions, halo;
        uint32_t size[3];
    } rows[] = {
        {TELAR_KIND_ELEMENT, 1, 0, {64, 1, 1}}, {TELAR_KIND_REDUCE, 1, 0, {256, 1, 1}},
        {TELAR_KIND_SCAN, 1, 0, {256, 1, 1}},   {TELAR_KIND_TILE, 2, 0, {16, 16, 1}},
        {TELAR_KIND_IMAGE, 2, 0, {8, 8, 1}},    {TELAR_KIND_IMAGE, 2, 3, {16, 16, 1}},
        {TELAR_KIND_ELEMENT, 3, 0, {4, 4, 4}},
    };
    telar_facts facts = telar_facts_default();
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_plan_desc desc = {
            .count = {500, 300, 20}, .dimensions = rows[k].dimensions, .kind = rows[k].kind, .halo = rows[k].halo};
        for (uint32_t axis = rows[k].dimensions; axis < 3; axis++) desc.count[axis] = 0;
        telar_plan plan = make(&desc, &facts);
        assert_xyz(plan.workgroup_size, rows[k].size[0], rows[k].size[1], rows[k].size[2]);
        assert_xyz(plan.lesson_workgroup_size, rows[k].size[0], rows[k].size[1], rows[k].size[2]);
        assert_int_equal(plan.items, 1);
    }
}

static void sizes_within_small_limits(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_compatibility();
    assert_xyz(PLAN(facts, .count = {9000}, .kind = TELAR_KIND_REDUCE).workgroup_size, 128, 1, 1);
    telar_plan tile = PLAN(facts, .count = {90, 90}, .dimensions = 2, .kind = TELAR_KIND_TILE);
    assert_xyz(tile.workgroup_size, 16, 8, 1);
    assert_int_equal(tile.limited_by, TELAR_LIMITED_BY_INVOCATIONS_PER_WORKGROUP);
    telar_facts tiny = device_with_invocations(48);
    assert_xyz(PLAN(tiny, .count = {9000}).workgroup_size, 32, 1, 1);
    assert_xyz(PLAN(tiny, .count = {90, 90}, .dimensions = 2, .kind = TELAR_KIND_TILE).workgroup_size, 8, 4, 1);
}

static void multiple_of_the_largest_subgroup(void **unused)
{
    (void)unused;
    telar_facts adreno = device_adreno();
    assert_xyz(PLAN(adreno, .count = {9000}).workgroup_size, 128, 1, 1);
    assert_xyz(PLAN(adreno, .count = {90, 90}, .dimensions = 2, .kind = TELAR_KIND_IMAGE).workgroup_size, 16, 8, 1);
}

/* On a known device too: a halo is not read by small groups, and a tile stays the tile. */
static void geometry_comes_first(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200();
    for (uint64_t side = 64; side < 8192; side *= 2) {
        telar_plan plan = PLAN(facts, .count = {side, side}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .halo = 2);
        assert_true(plan.workgroup_size[0] * plan.workgroup_size[1] >= 256);
        plan = PLAN(facts, .count = {side, side}, .dimensions = 2, .kind = TELAR_KIND_TILE);
        assert_xyz(plan.workgroup_size, 16, 16, 1);
    }
}

static void three_million(void **unused)
{
    (void)unused;
    telar_plan plan = DEFAULT(.count = {3000000});
    assert_int_equal(plan.groups, 46875);
    assert_int_equal(plan.idle_invocations, 0);
    plan = DEFAULT(.count = {3000001});
    assert_int_equal(plan.groups, 46876);
    assert_int_equal(plan.launched_invocations, 3000064);
    assert_int_equal(plan.idle_invocations, 63);
    assert_int_equal(plan.idle_groups, 0);
    assert_int_equal(plan.shape, TELAR_SHAPE_LINEAR);
    assert_xyz(plan.dispatch, 46876, 1, 1);
    assert_true(plan.predicted_us < 0);
}

static void thirty_units(void **unused)
{
    (void)unused;
    telar_facts facts = device_with_units(30);
    telar_plan plan = PLAN(facts, .count = {5000}, .size = {256});
    assert_int_equal(plan.groups, 20);
    assert_int_equal(plan.idle_units, 10);
    assert_int_equal(plan.limited_by, TELAR_LIMITED_BY_UNITS);
    plan = PLAN(facts, .count = {5000});
    assert_int_equal(plan.workgroup_size[0], 64);
    assert_int_equal(plan.groups, 79);
    assert_int_equal(plan.idle_units, 0);
}

static void last_linear_count(void **unused)
{
    (void)unused;
    telar_plan plan = DEFAULT(.count = {4194240});
    assert_int_equal(plan.shape, TELAR_SHAPE_LINEAR);
    assert_xyz(plan.dispatch, 65535, 1, 1);
    plan = DEFAULT(.count = {4194241}, .size = {64}, .items = 1);
    assert_int_equal(plan.groups, 65536);
    assert_int_equal(plan.shape, TELAR_SHAPE_FOLD);
    assert_xyz(plan.dispatch, 32768, 2, 1);
    assert_int_equal(plan.row_groups, 32768);
    assert_int_equal(plan.idle_groups, 0);
    assert_int_equal(plan.limited_by, TELAR_LIMITED_BY_WORKGROUPS_PER_DIMENSION);
    plan = DEFAULT(.count = {UINT64_C(131071) * 64});
    assert_xyz(plan.dispatch, 43691, 3, 1);
    assert_int_equal(plan.idle_groups, 2);
    assert_int_equal(plan.idle_invocations, 128);
}

static void volume_of_512(void **unused)
{
    (void)unused;
    telar_plan plan = DEFAULT(.count = {UINT64_C(512) * 512 * 512});
    assert_int_equal(plan.groups, 2097152);
    assert_int_equal(plan.shape, TELAR_SHAPE_FOLD);
    assert_xyz(plan.dispatch, 63551, 33, 1);
    assert_true(plan.idle_groups < 33);
    plan = DEFAULT(.count = {UINT64_C(512) * 512 * 512}, .shape = TELAR_SHAPE_FOLD, .fold_width = 4096);
    assert_xyz(plan.dispatch, 4096, 512, 1);
    assert_int_equal(plan.idle_groups, 0);
    plan = DEFAULT(.count = {512 * 512 * 512 + 1}, .shape = TELAR_SHAPE_FOLD, .fold_width = 4096);
    assert_int_equal(plan.idle_groups, 4095);
    assert_int_equal(DEFAULT(.count = {100}, .fold_width = 2).shape, TELAR_SHAPE_FOLD);
    assert_int_equal(DEFAULT(.count = {100}, .groups = 2).shape, TELAR_SHAPE_STRIDE);
    plan = DEFAULT(.count = {512, 512, 512}, .dimensions = 3);
    assert_int_equal(plan.shape, TELAR_SHAPE_LINEAR);
    assert_xyz(plan.dispatch, 128, 128, 128);
}

static void steps_and_partials(void **unused)
{
    (void)unused;
    telar_plan large = DEFAULT(.count = {1 << 20}, .kind = TELAR_KIND_REDUCE);
    telar_plan small = DEFAULT(.count = {1 << 20}, .kind = TELAR_KIND_REDUCE, .size = {64});
    assert_int_equal(large.steps, 8);
    assert_int_equal(small.steps, 6);
    assert_int_equal(large.partials, 4096);
    assert_int_equal(small.partials, 4 * large.partials);
    assert_int_equal(DEFAULT(.count = {1 << 20}).partials, 0);
    assert_int_equal(DEFAULT(.count = {100}, .size = {1}).steps, 0);
    assert_int_equal(DEFAULT(.count = {100}, .size = {65}).steps, 7);
}

static void beyond_32_bits(void **unused)
{
    (void)unused;
    telar_plan plan = DEFAULT(.count = {(UINT64_C(1) << 32) - 1});
    assert_int_equal(plan.window_count, 2);
    assert_int_equal(plan.window_elements, TELAR_WINDOW_ELEMENTS_MAX);
    assert_int_equal(plan.groups, UINT64_C(1) << 26);
    assert_int_equal(plan.limited_by, TELAR_LIMITED_BY_INDEX_WIDTH);
    plan = DEFAULT(.count = {(UINT64_C(1) << 32) + 5});
    assert_int_equal(plan.window_count, 3);
    telar_window last = telar_plan_window(&plan, 2);
    assert_int_equal(last.first, UINT64_C(1) << 32);
    assert_int_equal(last.count, 5);
    assert_int_equal(last.groups, 1);
    assert_xyz(last.dispatch, 1, 1, 1);
    assert_int_equal(DEFAULT(.count = {TELAR_WINDOW_ELEMENTS_MAX}).window_count, 1);
    assert_int_equal(DEFAULT(.count = {TELAR_COUNT_MAX}).window_count, 1 << 17);
}

static void windows_of_a_binding(void **unused)
{
    (void)unused;
    telar_plan plan = DEFAULT(.count = {(1 << 25) + 1}, .binding_bytes_per_element = 4);
    assert_int_equal(plan.window_count, 2);
    assert_int_equal(plan.window_elements, 1 << 25);
    assert_int_equal(plan.limited_by, TELAR_LIMITED_BY_BINDING_SIZE);
    telar_facts h200 = device_h200();
    plan = PLAN(h200, .count = {(1 << 29) + 1}, .binding_bytes_per_element = 4);
    assert_int_equal(plan.window_count, 2);
    assert_true(plan.window_elements * 4 <= h200.limits.maxStorageBufferBindingSize);
    assert_int_equal(plan.window_elements % telar_plan_group_elements(&plan), 0);
}

static void nothing_to_do(void **unused)
{
    (void)unused;
    const telar_plan_desc empties[] = {
        {.count = {0}},
        {.count = {0}, .kind = TELAR_KIND_REDUCE, .shape = TELAR_SHAPE_STRIDE, .groups = 7},
        {.count = {7, 0}, .dimensions = 2},
        {.count = {UINT64_MAX, 0, UINT64_MAX}, .dimensions = 3},
    };
    telar_facts facts = device_h200();
    for (size_t k = 0; k < sizeof empties / sizeof empties[0]; k++) {
        telar_plan plan = make(&empties[k], &facts);
        assert_int_equal(plan.shape, TELAR_SHAPE_EMPTY);
        assert_xyz(plan.dispatch, 0, 1, 1);
        assert_int_equal(plan.groups, 0);
        assert_int_equal(plan.window_count, 0);
        assert_int_equal(plan.launched_invocations, 0);
        assert_int_equal(plan.partials, 0);
        assert_int_equal(telar_plan_window(&plan, 0).count, 0);
    }
}

static void resident_groups_and_waves(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t size, memory, registers, groups;
        telar_limited_by by;
    } rows[] = {
        {256, 0, 0, 8, TELAR_LIMITED_BY_RESIDENT_INVOCATIONS},
        {32, 0, 0, 32, TELAR_LIMITED_BY_RESIDENT_GROUPS},
        {256, 49152, 0, 4, TELAR_LIMITED_BY_WORKGROUP_MEMORY},
        {256, 49000, 0, 4, TELAR_LIMITED_BY_WORKGROUP_MEMORY}, /* 49152 with the rounding */
        {256, 0, 64, 4, TELAR_LIMITED_BY_REGISTERS},
        {256, 0, 33, 6, TELAR_LIMITED_BY_REGISTERS}, /* 33 * 32 lanes round up to 1280 */
    };
    telar_facts facts = device_h200_profiled();
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_plan plan = PLAN(facts, .count = {1 << 20}, .size = {rows[k].size}, .items = 1,
                               .workgroup_memory_bytes = rows[k].memory, .registers_per_invocation = rows[k].registers);
        assert_int_equal(plan.resident_groups, rows[k].groups);
        assert_int_equal(plan.resident_limited_by, rows[k].by);
        uint64_t wave = 132 * (uint64_t)rows[k].groups;
        assert_int_equal(plan.waves, telar_ceil_div(plan.groups, wave));
        assert_int_equal((plan.waves - 1) * wave + plan.last_wave_groups, plan.groups);
    }
    telar_plan unknown = DEFAULT(.count = {1 << 20});
    assert_int_equal(unknown.resident_groups, 0);
    assert_int_equal(unknown.waves, 0);
}

static void stride_fills_the_device(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200_profiled();
    telar_plan plan = PLAN(facts, .count = {1 << 28}, .shape = TELAR_SHAPE_STRIDE, .size = {256}, .items = 4);
    assert_int_equal(plan.shape, TELAR_SHAPE_STRIDE);
    assert_xyz(plan.dispatch, 132 * 8, 1, 1);
    assert_int_equal(plan.groups, 132 * 8);
    plan = PLAN(facts, .count = {1000}, .shape = TELAR_SHAPE_STRIDE, .size = {256}, .groups = 20);
    assert_xyz(plan.dispatch, 20, 1, 1);
    assert_true(plan.idle_groups >= 16);
    plan = PLAN(facts, .count = {UINT64_C(1) << 30}, .kind = TELAR_KIND_REDUCE, .bytes_per_element = 4);
    assert_int_equal(plan.shape, TELAR_SHAPE_STRIDE);
    assert_true(plan.partials <= UINT64_C(132) * 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_32),
        cmocka_unit_test(least_that_fills_32_and_64),
        cmocka_unit_test(all_widths_when_none_is_known),
        cmocka_unit_test(size_by_kind),
        cmocka_unit_test(sizes_within_small_limits),
        cmocka_unit_test(multiple_of_the_largest_subgroup),
        cmocka_unit_test(geometry_comes_first),
        cmocka_unit_test(three_million),
        cmocka_unit_test(thirty_units),
        cmocka_unit_test(last_linear_count),
        cmocka_unit_test(volume_of_512),
        cmocka_unit_test(steps_and_partials),
        cmocka_unit_test(beyond_32_bits),
        cmocka_unit_test(windows_of_a_binding),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(resident_groups_and_waves),
        cmocka_unit_test(stride_fills_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
