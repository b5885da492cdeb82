/* SPDX-License-Identifier: MIT
 *
 * The model against an excerpt of a sweep: kernels of every kind on an H200 through wgpu-native 29 and Dawn, 2026-11-30, with
 * the facts that `telar tune` measured before. Of each kernel and count the best time of the whole sweep and the candidates
 * near it: the plan must be one of them. Their kernels have 4 KiB of workgroup memory, whatever their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plan_devices.h"

typedef struct candidate {
    uint32_t x, y, items;
    double us;
} candidate;

#define CANDIDATES 3
#define MEMORY .workgroup_memory_bytes = 4096
#define REDUCE(n) {.count = {n}, .kind = TELAR_KIND_REDUCE, .bytes_per_element = 4, MEMORY}
#define SCAN(n) {.count = {n}, .kind = TELAR_KIND_SCAN, MEMORY}
#define IMAGE(side) {.count = {side, side}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .halo = 1}
#define TILE(side) {.count = {side, side}, .dimensions = 2, .kind = TELAR_KIND_TILE, MEMORY}
#define NEAR 1.08 /* so much slower than the best is near: of a tile, whose size is given, as fast as it gets */

typedef enum implementation {
    WGPU,
    DAWN
} implementation;

typedef struct row {
    telar_plan_desc desc;
    implementation through;
    double best_us;
    candidate near[CANDIDATES]; /* of the best, as measured */
} row;

/* clang-format off */
static const row rows[] = {
    {REDUCE(1000), WGPU, 2.85, {{512, 1, 2, 2.85}, {256, 1, 4, 2.92}, {512, 1, 4, 2.97}}},
    {REDUCE(1000), DAWN, 2.47, {{256, 1, 4, 2.47}, {128, 1, 8, 2.54}, {128, 1, 16, 2.57}}},
    {REDUCE(10000), WGPU, 5.05, {{128, 1, 1, 5.05}, {256, 1, 1, 5.17}, {64, 1, 2, 5.18}}},
    {REDUCE(10000), DAWN, 3.73, {{1024, 1, 16, 3.73}}},
    {REDUCE(100000), WGPU, 5.69, {{256, 1, 2, 5.69}, {128, 1, 4, 5.88}, {512, 1, 1, 5.91}}},
    {REDUCE(100000), DAWN, 4.94, {{128, 1, 4, 4.94}, {64, 1, 8, 5.12}, {128, 1, 8, 5.19}}},
    {REDUCE(1000000), WGPU, 7.80, {{256, 1, 8, 7.80}, {512, 1, 8, 7.91}, {256, 1, 4, 7.92}}},
    {REDUCE(1000000), DAWN, 5.92, {{128, 1, 16, 5.92}, {256, 1, 16, 6.04}, {128, 1, 8, 6.16}}},
    {REDUCE(3000001), WGPU, 10.04, {{256, 1, 8, 10.04}, {256, 1, 16, 10.16}, {512, 1, 4, 10.29}}},
    {REDUCE(3000001), DAWN, 7.60, {{256, 1, 16, 7.60}, {128, 1, 16, 7.71}, {512, 1, 16, 7.82}}},
    {REDUCE(1 << 26), WGPU, 117.0, {{512, 1, 8, 117.0}, {1024, 1, 8, 117.4}, {256, 1, 8, 117.6}}},
    {REDUCE(1 << 26), DAWN, 66.45, {{256, 1, 16, 66.45}, {512, 1, 16, 66.97}, {256, 1, 8, 67.85}}},
    {SCAN(1000), WGPU, 3.06, {{256, 1, 4, 3.06}, {512, 1, 2, 3.13}, {512, 1, 4, 3.31}}},
    {SCAN(1000), DAWN, 3.08, {{256, 1, 4, 3.08}, {512, 1, 2, 3.17}, {128, 1, 8, 3.33}}},
    {SCAN(10000), WGPU, 7.48, {{128, 1, 1, 7.48}, {128, 1, 2, 7.48}, {256, 1, 1, 7.68}}},
    {SCAN(10000), DAWN, 7.57, {{128, 1, 1, 7.57}, {128, 1, 2, 7.70}, {64, 1, 2, 7.86}}},
    {SCAN(100000), WGPU, 8.13, {{256, 1, 2, 8.13}, {512, 1, 1, 8.70}}},
    {SCAN(100000), DAWN, 8.50, {{256, 1, 2, 8.50}, {512, 1, 2, 8.94}, {128, 1, 4, 8.95}}},
    {SCAN(3000001), WGPU, 29.83, {{512, 1, 4, 29.83}}},
    {SCAN(3000001), DAWN, 29.51, {{512, 1, 4, 29.51}}},
    {SCAN(1 << 26), WGPU, 500.3, {{128, 1, 4, 500.3}, {256, 1, 4, 509.6}, {512, 1, 4, 528.0}}},
    {SCAN(1 << 26), DAWN, 484.1, {{128, 1, 4, 484.1}, {256, 1, 4, 499.2}, {512, 1, 4, 519.7}}},
    {IMAGE(1000), WGPU, 4.91, {{32, 8, 2, 4.91}, {256, 1, 1, 5.01}, {32, 32, 4, 5.01}}},
    {IMAGE(1000), DAWN, 4.54, {{32, 8, 2, 4.54}, {32, 32, 4, 4.63}, {32, 4, 4, 4.65}}},
    {IMAGE(8192), WGPU, 213.9, {{32, 4, 2, 213.9}, {32, 8, 2, 214.8}, {32, 8, 4, 219.5}}},
    {IMAGE(8192), DAWN, 212.8, {{32, 4, 2, 212.8}, {32, 8, 2, 213.8}, {32, 8, 4, 218.8}}},
    {TILE(100), WGPU, 2.11, {{16, 16, 1, 2.16}}},
    {TILE(100), DAWN, 2.14, {{16, 16, 1, 2.14}}},
    {TILE(1000), WGPU, 4.30, {{16, 16, 4, 4.30}, {16, 16, 2, 4.51}}},
    {TILE(1000), DAWN, 4.09, {{16, 16, 4, 4.15}, {16, 16, 2, 4.41}}},
    {TILE(8192), WGPU, 248.7, {{16, 16, 4, 261.2}, {16, 16, 8, 263.4}, {16, 16, 2, 264.7}}},
    {TILE(8192), DAWN, 238.1, {{16, 16, 4, 252.8}, {16, 16, 8, 254.3}}},
};
/* clang-format on */

static telar_facts tuned(implementation through)
{
    static const struct {
        telar_fact_name name;
        double values[2];
    } measured[] = {
        {TELAR_FACT_COMPUTE_UNITS, {132, 132}},
        {TELAR_FACT_RESIDENT_INVOCATIONS, {2048, 2048}},
        {TELAR_FACT_RESIDENT_GROUPS, {32, 32}},
        {TELAR_FACT_UNIT_MEMORY, {49152, 49152}},
        {TELAR_FACT_BANDWIDTH, {4.30713e6, 4.30135e6}},
        {TELAR_FACT_CACHE_BANDWIDTH, {7.73281e6, 7.24892e6}},
        {TELAR_FACT_CACHE_BYTES, {33554432, 33554432}},
        {TELAR_FACT_GROUP_LAUNCH_RATE, {1659.14, 1661.65}},
        {TELAR_FACT_DISPATCH_OVERHEAD, {2.09376, 1.85881}},
        {TELAR_FACT_WAVE_LATENCY, {0.842329, 0.843564}},
        {TELAR_FACT_ITEM_LATENCY, {0.00984787, 0.0179759}},
        {TELAR_FACT_LOOP_LATENCY,
         {0.15, 0.024}}, /* by the sweep's reductions of 1000 with one group of 64 and of 128 */
        {TELAR_FACT_BARRIER, {0.0287965, 0.044296}},
        {TELAR_FACT_ARITHMETIC_RATE, {6.37939e7, 4.14913e7}},
        {TELAR_FACT_REPEAT_SPREAD, {0.134252, 0.0742357}},
    };
    telar_facts facts = device_h200();
    for (size_t k = 0; k < sizeof measured / sizeof measured[0]; k++) {
        telar_facts_set(&facts, measured[k].name, measured[k].values[through], TELAR_SOURCE_MEASURED);
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
    uint32_t far = 0;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_facts facts = tuned(rows[k].through);
        telar_plan plan = plan_of(&rows[k].desc, &facts);
        double us = 0;
        for (int c = 0; c < CANDIDATES; c++) {
            const candidate *at = &rows[k].near[c];
            bool same = at->x == plan.workgroup_size[0] && at->y == plan.workgroup_size[1] && at->items == plan.items;
            if (same) us = at->us;
        }
        if (us > 0 && us <= NEAR * rows[k].best_us) continue;
        print_message("%s of %llu, %s: %u x %u x %u\n", telar_kind_text(plan.kind), (unsigned long long)plan.elements,
                      rows[k].through == DAWN ? "dawn" : "wgpu", plan.workgroup_size[0], plan.workgroup_size[1],
                      plan.items);
        far++;
    }
    assert_int_equal(far, 0);
}

/* What was measured for the plan's own candidate. */
static void the_prediction_is_near(void **unused)
{
    (void)unused;
    static const struct {
        implementation through;
        telar_plan_desc desc;
        double us;
    } cells[] = {
        {WGPU, {.count = {1 << 26}, .bytes_per_element = 32, .binding_bytes_per_element = 16}, 500.38},
        {WGPU, {.count = {750001}, .bytes_per_element = 32, .binding_bytes_per_element = 16}, 5.47},
        {WGPU, {.count = {1 << 24}, .bytes_per_element = 64, .binding_bytes_per_element = 16}, 255.19},
        {DAWN,
         {.count = {1 << 24}, .bytes_per_element = 32, .binding_bytes_per_element = 16, .flops_per_element = 260},
         131.25},
        {WGPU, IMAGE(8192), 214.75},
        {WGPU, TILE(8192), 261.2},
        {DAWN, TILE(8192), 252.8},
        /* One dispatch each. */
        {WGPU, REDUCE(1000), 2.92},
        {DAWN, REDUCE(1000), 2.47},
        {DAWN, REDUCE(10000), 3.74},
        {WGPU, SCAN(1000), 3.06},
        {DAWN, SCAN(1000), 3.08},
    };
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
        telar_facts facts = tuned(cells[k].through);
        double predicted_us = plan_of(&cells[k].desc, &facts).predicted_us;
        assert_true(predicted_us > 0.85 * cells[k].us && predicted_us < 1.15 * cells[k].us);
    }
}

/* Operations show where they take longer than the memory, and only there. */
static void operations_count(void **unused)
{
    (void)unused;
    telar_facts facts = tuned(WGPU);
    telar_plan_desc desc = {.count = {1 << 26}};
    double none = plan_of(&desc, &facts).predicted_us;
    desc.flops_per_element = 16;
    assert_true(plan_of(&desc, &facts).predicted_us < 1.01 * none);
    desc.flops_per_element = 1024;
    assert_true(plan_of(&desc, &facts).predicted_us > 1024.0 * (1 << 26) / 6.37939e7);
}

/* Equal things that differ by so much are not ranked, so fewer elements and smaller groups win; but never by more than 5 %. */
static telar_plan plan_with_noise(uint64_t count, double spread)
{
    telar_facts facts = tuned(WGPU);
    telar_facts_set(&facts, TELAR_FACT_REPEAT_SPREAD, spread, TELAR_SOURCE_MEASURED);
    return plan_of(&(telar_plan_desc){.count = {count}}, &facts);
}

static void noise_is_not_ranked(void **unused)
{
    (void)unused;
    uint32_t others = 0;
    for (uint64_t count = 1000; count < 1000000000; count *= 10) {
        telar_plan sharp = plan_with_noise(count, 0.001), plan = plan_with_noise(count, 0.04);
        uint32_t from = sharp.workgroup_size[0] * sharp.items, to = plan.workgroup_size[0] * plan.items;
        assert_true(to <= from && plan.predicted_us <= 1.041 * sharp.predicted_us);
        assert_true(plan_with_noise(count, 0.9).predicted_us <= 1.051 * sharp.predicted_us);
        others += to < from;
    }
    assert_true(others > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_is_near_the_best),
        cmocka_unit_test(the_prediction_is_near),
        cmocka_unit_test(operations_count),
        cmocka_unit_test(noise_is_not_ranked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
