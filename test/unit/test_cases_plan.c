/* SPDX-License-Identifier: MIT
 *
 * The arithmetic side of what went wrong for people who launch compute: one test a case, named after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "plan_devices.h"

static telar_plan plan_for(const telar_facts *facts, const telar_plan_desc *desc)
{
    telar_plan plan;
    telar_diag diag = {0};
    telar_status status = telar_plan_make(desc, facts, &plan, &diag);
    if (status != TELAR_OK) print_error("%s\n", diag.text);
    assert_int_equal(status, TELAR_OK);
    return plan;
}

static telar_plan plan_by_default(const telar_plan_desc *desc)
{
    telar_facts facts = telar_facts_default();
    return plan_for(&facts, desc);
}

static telar_status refused(const telar_plan_desc *desc, telar_diag *diag)
{
    telar_facts facts = telar_facts_default();
    telar_plan plan;
    return telar_plan_make(desc, &facts, &plan, diag);
}

#define PLAN(...) plan_by_default(&(telar_plan_desc){__VA_ARGS__})

static void assert_dispatch(const telar_plan *plan, uint32_t x, uint32_t y, uint32_t z, uint64_t idle_groups)
{
    assert_int_equal(plan->dispatch[0], x);
    assert_int_equal(plan->dispatch[1], y);
    assert_int_equal(plan->dispatch[2], z);
    assert_int_equal(plan->idle_groups, idle_groups);
}

/* Groups of one invocation: the count is the number of groups. */
static telar_plan grid(uint64_t x, uint64_t y, uint64_t z)
{
    return PLAN(.count = {x, y, z}, .dimensions = 3, .size = {1}, .items = 1);
}

static bool some_reason_has(const telar_plan *plan, const telar_facts *facts, const char *words)
{
    char text[1024];
    for (size_t k = 0;; k++) {
        telar_out out = {.data = text, .cap = sizeof text};
        if (!telar_plan_reason(plan, facts, TELAR_ENGLISH, k, &out)) return false;
        if (strstr(text, words) != NULL) return true;
    }
}

static void C001(void **unused)
{
    (void)unused;
    telar_plan plan = PLAN(.count = {131072}, .size = {1}, .items = 1);
    assert_dispatch(&plan, 43691, 3, 1, 1);
}

static void C002(void **unused)
{
    (void)unused;
    telar_plan plan = grid(1, 1, 81920);
    assert_dispatch(&plan, 40960, 2, 1, 0);
}

static void C004(void **unused)
{
    (void)unused;
    static const uint32_t rows[][4] = {{65536, 32768, 2, 0}, {65537, 32769, 2, 1}, {131071, 43691, 3, 2}};
    for (size_t k = 0; k < 3; k++) {
        telar_plan plan = PLAN(.count = {rows[k][0]}, .size = {1});
        assert_dispatch(&plan, rows[k][1], rows[k][2], 1, rows[k][3]);
    }
}

static void C005(void **unused)
{
    (void)unused;
    telar_plan plan = PLAN(.count = {UINT64_C(128) * 1024}, .size = {1});
    assert_dispatch(&plan, 43691, 3, 1, 1);
    assert_int_equal(plan.groups, 131072);
    assert_int_equal(plan.idle_invocations, 1);
    assert_int_equal(telar_plan_window(&plan, 0).groups, 131072); /* what the kernel compares its group with */
}

static void C007(void **unused)
{
    (void)unused;
    telar_plan plan = grid(102400, 1, 1);
    assert_dispatch(&plan, 51200, 2, 1, 0);
    plan = grid(70000, 3, 2);
    assert_dispatch(&plan, 60000, 7, 1, 0);
    plan = grid(1, 1, 70000);
    assert_dispatch(&plan, 35000, 2, 1, 0);
    plan = grid(65535, 65535, 65535);
    assert_dispatch(&plan, 65535, 65535, 65535, 0);
    assert_int_equal(plan.shape, TELAR_SHAPE_LINEAR);
    telar_diag diag;
    telar_plan_desc beyond = {.count = {65535, 65535, 65536}, .dimensions = 3, .size = {1}};
    assert_int_equal(refused(&beyond, &diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.got, UINT64_C(65535) * 65535 * 65536);
    assert_int_equal(diag.limit, UINT64_C(65535) * 65535 * 65535);
}

/* One limit for three axes, whatever the driver allows on x; the plan names it. */
static void C010(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    telar_plan plan = plan_for(&facts, &(telar_plan_desc){.count = {UINT64_C(100000) * 64}});
    assert_int_equal(plan.shape, TELAR_SHAPE_FOLD);
    assert_int_equal(plan.limited_by, TELAR_LIMITED_BY_WORKGROUPS_PER_DIMENSION);
    assert_true(some_reason_has(&plan, &facts, "maxComputeWorkgroupsPerDimension (65,535)"));
}

static void C011(void **unused)
{
    (void)unused;
    telar_plan plan = PLAN(.count = {196608}, .size = {1});
    assert_dispatch(&plan, 49152, 4, 1, 0);
}

static void C013(void **unused)
{
    (void)unused;
    telar_diag diag;
    telar_plan_desc desc = {.count = {65536}, .size = {1}, .shape = TELAR_SHAPE_LINEAR};
    assert_int_equal(refused(&desc, &diag), TELAR_LIMIT_EXCEEDED);
    assert_string_equal(diag.text,
                        "dispatch x (65536) exceeds maxComputeWorkgroupsPerDimension (65535); use a folded plan");
}

/* A domain of two dimensions that is too long is numbered anew, or refused with the axis: never reshaped in silence. */
static void C016(void **unused)
{
    (void)unused;
    telar_diag diag;
    telar_plan_desc desc = {
        .count = {UINT64_C(3) * 16, UINT64_C(70000) * 16}, .dimensions = 2, .kind = TELAR_KIND_TILE};
    telar_plan plan = plan_by_default(&desc);
    assert_int_equal(plan.shape, TELAR_SHAPE_FOLD);
    assert_dispatch(&plan, 52500, 4, 1, 0);
    desc.shape = TELAR_SHAPE_LINEAR;
    assert_int_equal(refused(&desc, &diag), TELAR_LIMIT_EXCEEDED);
    assert_non_null(strstr(diag.text, "dispatch y (70000)"));
}

static void C022(void **unused)
{
    (void)unused;
    static const uint64_t rows[][2] = {{63, 1}, {64, 1}, {65, 2}, {127, 2}};
    for (size_t k = 0; k < 4; k++) assert_int_equal(PLAN(.count = {rows[k][0]}).groups, rows[k][1]);
}

static void C023(void **unused)
{
    (void)unused;
    telar_plan plan = PLAN(.count = {1000, 601}, .dimensions = 2, .kind = TELAR_KIND_IMAGE);
    assert_dispatch(&plan, 125, 76, 1, 0);
    assert_int_equal(plan.idle_invocations, 7 * 1000);
}

static void C025(void **unused)
{
    (void)unused;
    telar_plan plan = PLAN(.count = {1280, 720}, .dimensions = 2, .kind = TELAR_KIND_IMAGE);
    assert_dispatch(&plan, 160, 90, 1, 0);
}

static void C034_C035(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 5; kind++) {
        telar_plan plan = PLAN(.count = {0}, .kind = (telar_kind)kind);
        assert_int_equal(plan.shape, TELAR_SHAPE_EMPTY);
        assert_int_equal(plan.window_count, 0); /* nothing to record */
        assert_dispatch(&plan, 0, 1, 1, 0);
        telar_indirect made = telar_plan_indirect(&plan, 0, 100);
        assert_int_equal(made.dispatch[0], 0);
        assert_false(made.saturated);
    }
}

/* An indirect count over the limit folds instead of running nothing. */
static void C040(void **unused)
{
    (void)unused;
    telar_plan plan = PLAN(.count = {1 << 20}, .size = {64});
    telar_indirect made = telar_plan_indirect(&plan, 65536 * 64, UINT64_MAX);
    assert_int_equal(made.dispatch[0], 32768);
    assert_int_equal(made.dispatch[1], 2);
    assert_int_equal(made.dispatch[2], 1);
}

/* The explicit wish is refused; the plan's own choice is the device's, and noted. */
static void C049(void **unused)
{
    (void)unused;
    telar_diag diag;
    telar_plan_desc wish = {.count = {100000}, .size = {512}};
    assert_int_equal(refused(&wish, &diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.got, 512);
    assert_int_equal(diag.limit, 256);
    assert_int_equal(PLAN(.count = {100000}, .kind = TELAR_KIND_REDUCE).workgroup_size[0], 256);
    telar_facts small = device_with_invocations(200);
    telar_plan plan = plan_for(&small, &(telar_plan_desc){.count = {100000}, .kind = TELAR_KIND_REDUCE});
    assert_int_equal(plan.workgroup_size[0], 128);
    assert_true(some_reason_has(&plan, &small, "maxComputeInvocationsPerWorkgroup is 200"));
}

static void C050(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t size[3];
        telar_status status;
        uint64_t got, limit;
    } rows[] = {
        {{8, 8, 8}, TELAR_LIMIT_EXCEEDED, 512, 256},
        {{1, 1, 65}, TELAR_LIMIT_EXCEEDED, 65, 64},
        {{256, 2, 1}, TELAR_LIMIT_EXCEEDED, 512, 256},
        {{0, 1, 1}, TELAR_INVALID_ARGUMENT, 0, 0},
    };
    for (size_t k = 0; k < 4; k++) {
        telar_diag diag;
        telar_plan_desc desc = {.count = {1000, 10, 10}, .dimensions = 3};
        memcpy(desc.size, rows[k].size, sizeof desc.size);
        assert_int_equal(refused(&desc, &diag), rows[k].status);
        assert_int_equal(diag.got, rows[k].got);
        assert_int_equal(diag.limit, rows[k].limit);
    }
}

static void C052(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_compatibility();
    for (int kind = 0; kind < 5; kind++) {
        telar_plan plan = plan_for(&facts, &(telar_plan_desc){.count = {100000}, .kind = (telar_kind)kind});
        assert_in_range(plan.workgroup_size[0], 64, 128);
        assert_int_equal(telar_facts_check(&facts, NULL, "maxComputeInvocationsPerWorkgroup", 256, NULL),
                         TELAR_LIMIT_EXCEEDED);
    }
}

/* Over the device's limit, or over a unit's registers: refused before a driver can skip it in silence. */
static void C053(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200_profiled();
    telar_plan plan;
    telar_diag diag;
    telar_plan_desc desc = {.count = {100000}, .size = {2048}};
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.limit, 1024);
    desc = (telar_plan_desc){.count = {100000}, .size = {1024}, .registers_per_invocation = 128};
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.got, 131072);
    assert_int_equal(diag.limit, 65536);
}

static void C055(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    assert_int_equal(telar_workgroup_passes(&facts, 4096, 4), 1);
    assert_int_equal(telar_workgroup_passes(&facts, 4097, 4), 2);
    assert_int_equal(telar_workgroup_passes(&facts, 65536, 4), 16);
    assert_int_equal(telar_workgroup_passes(&facts, UINT64_C(16) * 256, 4), 1);
    assert_int_equal(telar_workgroup_passes(&facts, UINT64_C(17) * 256, 4), 2);
    assert_int_equal(telar_workgroup_passes(&facts, 0, 4), 1);
    assert_int_equal(telar_workgroup_passes(&facts, 1, 16385), 0);
}

static void C056(void **unused)
{
    (void)unused;
    static const uint64_t limits[] = {16384, 32768, 49152};
    uint64_t before = 0;
    for (size_t k = 0; k < 3; k++) {
        telar_facts facts = telar_facts_default();
        facts.limits.maxComputeWorkgroupStorageSize = limits[k];
        telar_tile tile = telar_tile_fit(&facts, 4);
        assert_int_equal(tile.bytes, (tile.m + tile.n) * tile.k * 4);
        assert_in_range(tile.bytes, before + 1, limits[k]);
        before = tile.bytes;
    }
    telar_facts facts = telar_facts_default();
    assert_true(telar_tile_fit(&facts, 16).m >= 8);
    facts.limits.maxComputeWorkgroupStorageSize = 100;
    assert_int_equal(telar_tile_fit(&facts, 4).bytes, 0);
}

static void C080(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MIN, 0, TELAR_SOURCE_ADAPTER);
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MAX, 0, TELAR_SOURCE_ADAPTER);
    assert_false(telar_facts_know(&facts, TELAR_FACT_SUBGROUP_MIN));
    assert_int_equal(plan_for(&facts, &(telar_plan_desc){.count = {5000}}).workgroup_size[0], 64);
    assert_int_equal(plan_for(&facts, &(telar_plan_desc){.count = {5000}, .kind = TELAR_KIND_SCAN}).workgroup_size[0],
                     256);
    assert_int_equal(telar_subgroups_max(&facts, 256), 64);
}

static void C082(void **unused)
{
    (void)unused;
    static const uint32_t rows[][2] = {{16, 8192}, {8, 16384}, {4, 32768}};
    for (size_t k = 0; k < 3; k++) {
        telar_facts facts = telar_facts_default();
        telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MIN, rows[k][0], TELAR_SOURCE_PROBE);
        assert_int_equal(256 * telar_subgroups_max(&facts, 512), rows[k][1]);
    }
}

static void C091(void **unused)
{
    (void)unused;
    uint64_t rounded;
    assert_true(telar_round_up(1024, 16, &rounded));
    assert_int_equal(rounded, 1024);
    assert_int_equal(telar_ceil_div(1024, 16), 64);
    assert_true(telar_round_up(1025, 16, &rounded));
    assert_int_equal(rounded, 1040);
    assert_false(telar_round_up(UINT64_MAX, 16, &rounded));
}

static void C097(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    facts.limits.maxStorageBufferBindingSize = UINT64_C(4294967295);
    facts.limits.maxBufferSize = UINT64_C(1) << 40;
    assert_int_equal(telar_usable_binding_bytes(&facts, 4), (UINT64_C(1) << 31) - 4);
    telar_facts_set(&facts, TELAR_FACT_BINDING_TESTED, 4294967292.0, TELAR_SOURCE_PROBE);
    assert_int_equal(telar_usable_binding_bytes(&facts, 4), UINT64_C(4294967292));
}

/* Just over 2^30 f32: more than 2^32 bytes, so windows, or a refusal where the kernel cannot be cut. */
static void C098(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200();
    telar_facts_set(&facts, TELAR_FACT_BINDING_TESTED, 4294967292.0, TELAR_SOURCE_PROBE);
    facts.limits.maxStorageBufferBindingSize = facts.limits.maxBufferSize = UINT64_C(4294967295);
    telar_plan_desc desc = {.count = {UINT64_C(104) * 10342400}, .binding_bytes_per_element = 4};
    telar_plan plan = plan_for(&facts, &desc);
    assert_int_equal(plan.elements, 1075609600);
    assert_int_equal(plan.window_count, 2);
    telar_diag diag;
    desc = (telar_plan_desc){.count = {10342400, 104}, .dimensions = 2, .binding_bytes_per_element = 4};
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.got, UINT64_C(4302438400));
    assert_int_equal(diag.limit, UINT64_C(4294967292));
}

static void C100(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    facts.limits.maxStorageBufferBindingSize = UINT64_C(2147483648);
    facts.limits.maxBufferSize = UINT64_C(2147483647);
    assert_int_equal(telar_usable_binding_bytes(&facts, 4), 2147483644);
    assert_int_equal(telar_usable_binding_bytes(&facts, 0), 2147483644);
    assert_int_equal(telar_usable_binding_bytes(&facts, 12) % 12, 0);
    assert_int_equal(telar_usable_binding_bytes(&facts, 6) % 12, 0);
}

static void C101(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    telar_diag diag;
    assert_int_equal(telar_facts_check(&facts, NULL, "maxStorageBufferBindingSize", 146847752, &diag),
                     TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.got, 146847752);
    assert_int_equal(diag.limit, 134217728);
    telar_plan plan = plan_for(&facts, &(telar_plan_desc){.count = {36711938}, .binding_bytes_per_element = 4});
    assert_int_equal(plan.window_count, 2);
    telar_window second = telar_plan_window(&plan, 1);
    assert_int_equal(second.first + second.count, 36711938);
    assert_int_equal(second.first * 4 % 256, 0);
}

static void C103(void **unused)
{
    (void)unused;
    telar_facts granted = telar_facts_default();
    telar_facts adapter = telar_facts_default();
    adapter.limits.maxBufferSize = UINT64_C(77) << 30;
    telar_diag diag;
    assert_int_equal(telar_facts_check(&granted, &adapter, "maxBufferSize", 640000000, &diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.limit, 268435456);
    assert_non_null(strstr(diag.text, "granted maxBufferSize (268435456); the adapter has more"));
    assert_non_null(strstr(diag.text, "ask for it"));
    assert_int_equal(telar_facts_check(&adapter, NULL, "maxBufferSize", 640000000, &diag), TELAR_OK);
}

static void C104(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    telar_diag diag;
    assert_int_equal(telar_facts_check(&facts, NULL, "maxStorageBuffersPerShaderStage", 8, &diag), TELAR_OK);
    assert_int_equal(telar_facts_check(&facts, NULL, "maxStorageBuffersPerShaderStage", 11, &diag),
                     TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.got, 11);
    assert_int_equal(diag.limit, 8);
}

static void C106(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t offset, size;
        telar_cover cover;
    } rows[] = {
        {5, 3, {4, 4, 1, 0}}, {5, 4, {4, 8, 1, 3}}, {4, 4, {4, 4, 0, 0}}, {7, 1, {4, 4, 3, 0}}, {6, 0, {4, 0, 0, 0}},
    };
    for (size_t k = 0; k < 5; k++) {
        telar_cover cover;
        assert_int_equal(telar_copy_cover(rows[k].offset, rows[k].size, &cover, NULL), TELAR_OK);
        assert_memory_equal(&cover, &rows[k].cover, sizeof cover);
    }
    telar_cover cover;
    assert_int_equal(telar_copy_cover(UINT64_MAX - 2, 4, &cover, NULL), TELAR_OVERFLOWS);
    assert_int_equal(telar_copy_cover(UINT64_MAX - 2, 2, &cover, NULL), TELAR_OVERFLOWS);
}

static void C107(void **unused)
{
    (void)unused;
    telar_view view;
    telar_diag diag;
    assert_int_equal(telar_view_bind(1008, 18, 256, &view, &diag), TELAR_OK);
    assert_int_equal(view.bind_offset, 0);
    assert_int_equal(view.first_block, 56);
    assert_int_equal(telar_view_bind(1000, 18, 256, &view, &diag), TELAR_INVALID_ARGUMENT);
    assert_int_equal(telar_view_bind(1024, 18, 256, &view, &diag), TELAR_OK);
    assert_int_equal(view.bind_offset, 1024);
    /* Blocks and alignment repeat after 9 steps; far from the start the nearest offset is still found. */
    uint64_t far = (UINT64_C(1) << 40) + UINT64_C(18) * 100;
    assert_int_equal(telar_view_bind(far, 18, 256, &view, &diag), TELAR_OK);
    assert_int_equal(view.bind_offset % 256, 0);
    assert_int_equal(view.bind_offset + view.first_block * 18, far);
    assert_true(far - view.bind_offset < UINT64_C(9) * 256);
    assert_int_equal(telar_view_bind(3, 4, 256, &view, &diag), TELAR_INVALID_ARGUMENT);
    assert_int_equal(telar_view_bind(0, 0, 256, &view, &diag), TELAR_INVALID_ARGUMENT);
}

static void C109(void **unused)
{
    (void)unused;
    telar_cover cover; /* three u16 from element 1: bytes 2 to 7, two words, elements 0 and 4 kept */
    assert_int_equal(telar_copy_cover(2, 6, &cover, NULL), TELAR_OK);
    assert_int_equal(cover.offset, 0);
    assert_int_equal(cover.size, 8);
    assert_int_equal(cover.skip, 2);
    assert_int_equal(cover.rest, 0);
    assert_int_equal(telar_copy_cover(0, 25, &cover, NULL), TELAR_OK);
    assert_int_equal(cover.size, 28);
    assert_int_equal(cover.rest, 3);
}

static void C128(void **unused)
{
    (void)unused;
    assert_int_equal(telar_slices(UINT64_C(1) << 30, 5, 500e3), 11);
    assert_int_equal(telar_slices(1000, 5, 500e3), 1);
    assert_int_equal(telar_slices(0, 5, 500e3), 0);
    assert_int_equal(telar_slices(3, 1e12, 1), 3);
    assert_int_equal(telar_slices(10, 5, 0), 1);
}

static void C134(void **unused)
{
    (void)unused;
    const telar_facts devices[] = {telar_facts_default(), device_h200(), device_h200_profiled()};
    for (size_t k = 0; k < 3; k++) {
        telar_plan_desc heavy = {.count = {1 << 20}, .registers_per_invocation = 128};
        assert_in_range(plan_for(&devices[k], &heavy).workgroup_size[0], 64, 128);
        heavy.kind = TELAR_KIND_REDUCE;
        assert_in_range(plan_for(&devices[k], &heavy).workgroup_size[0], 64, 128);
        telar_plan_desc image = {
            .count = {1000, 1000}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .registers_per_invocation = 128};
        telar_plan plan = plan_for(&devices[k], &image);
        assert_in_range(plan.workgroup_size[0] * plan.workgroup_size[1], 64, 128);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C001),      cmocka_unit_test(C002), cmocka_unit_test(C004), cmocka_unit_test(C005),
        cmocka_unit_test(C007),      cmocka_unit_test(C010), cmocka_unit_test(C011), cmocka_unit_test(C013),
        cmocka_unit_test(C016),      cmocka_unit_test(C022), cmocka_unit_test(C023), cmocka_unit_test(C025),
        cmocka_unit_test(C034_C035), cmocka_unit_test(C040), cmocka_unit_test(C049), cmocka_unit_test(C050),
        cmocka_unit_test(C052),      cmocka_unit_test(C053), cmocka_unit_test(C055), cmocka_unit_test(C056),
        cmocka_unit_test(C080),      cmocka_unit_test(C082), cmocka_unit_test(C091), cmocka_unit_test(C097),
        cmocka_unit_test(C098),      cmocka_unit_test(C100), cmocka_unit_test(C101), cmocka_unit_test(C103),
        cmocka_unit_test(C104),      cmocka_unit_test(C106), cmocka_unit_test(C107), cmocka_unit_test(C109),
        cmocka_unit_test(C128),      cmocka_unit_test(C134),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
