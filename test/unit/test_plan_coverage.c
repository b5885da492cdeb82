/* SPDX-License-Identifier: MIT
 *
 * Plans of random domains, limits and wishes, carried out on the CPU by the index formula of plan.h: every element is
 * visited exactly once, and what the plan calls idle is idle. Then, by arithmetic alone, the same near 2^32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "plan_devices.h"

#define ELEMENTS_MOST 20000

typedef struct tally {
    uint8_t visits[ELEMENTS_MOST];
    uint64_t launched;
    uint64_t idle_invocations;
    uint64_t idle_groups;
} tally;

static tally seen;

/* One invocation of a 1-D plan inside its window; how many elements it found. */
static uint64_t visit_flat(const telar_plan *plan, const telar_window *window, uint64_t group, uint64_t lane)
{
    uint64_t invocations = (uint64_t)plan->workgroup_size[0] * plan->workgroup_size[1] * plan->workgroup_size[2];
    uint64_t covered = telar_plan_group_elements(plan);
    uint64_t found = 0;
    bool stride = plan->shape == TELAR_SHAPE_STRIDE;
    if (group >= window->groups) return 0;
    for (uint64_t base = group * covered; base < window->count; base += covered * window->dispatch[0]) {
        for (uint64_t item = 0; item < plan->items; item++) {
            uint64_t i = base + item * invocations + lane;
            if (i >= window->count) break;
            seen.visits[window->first + i]++;
            found++;
        }
        if (!stride) break;
    }
    return found;
}

/* One invocation of a 2-D or 3-D plan. */
static uint64_t visit_grid(const telar_plan *plan, const uint64_t group[3], uint64_t lane)
{
    const uint32_t *size = plan->workgroup_size;
    uint64_t x = group[0] * size[0] * plan->items + lane % size[0];
    uint64_t y = group[1] * size[1] + lane / size[0] % size[1];
    uint64_t z = group[2] * size[2] + lane / size[0] / size[1];
    uint64_t found = 0;
    for (uint64_t item = 0; item < plan->items; item++) {
        uint64_t at = x + item * size[0];
        if (at >= plan->count[0] || y >= plan->count[1] || z >= plan->count[2]) continue;
        seen.visits[(z * plan->count[1] + y) * plan->count[0] + at]++;
        found++;
    }
    return found;
}

static uint64_t visit(const telar_plan *plan, const telar_window *window, const uint64_t id[3], uint64_t lane)
{
    uint64_t number = (id[2] * window->dispatch[1] + id[1]) * window->row_groups + id[0];
    if (plan->dimensions == 1) return visit_flat(plan, window, number, lane);
    if (plan->shape == TELAR_SHAPE_LINEAR) return visit_grid(plan, id, lane);
    uint64_t across = telar_ceil_div(plan->count[0], (uint64_t)plan->workgroup_size[0] * plan->items);
    uint64_t down = telar_ceil_div(plan->count[1], plan->workgroup_size[1]);
    if (number >= window->groups) return 0;
    uint64_t group[3] = {number % across, number / across % down, number / across / down};
    return visit_grid(plan, group, lane);
}

static void run_window(const telar_plan *plan, const telar_window *window)
{
    uint64_t lanes = (uint64_t)plan->workgroup_size[0] * plan->workgroup_size[1] * plan->workgroup_size[2];
    uint64_t groups = (uint64_t)window->dispatch[0] * window->dispatch[1] * window->dispatch[2];
    for (uint64_t g = 0; g < groups; g++) {
        uint64_t id[3] = {g % window->dispatch[0], g / window->dispatch[0] % window->dispatch[1],
                          g / window->dispatch[0] / window->dispatch[1]};
        uint64_t in_group = 0;
        for (uint64_t lane = 0; lane < lanes; lane++) {
            uint64_t found = visit(plan, window, id, lane);
            in_group += found;
            seen.launched++;
            if (found == 0) seen.idle_invocations++;
        }
        if (in_group == 0) seen.idle_groups++;
    }
}

static void check_plan(const telar_plan *plan, const telar_facts *facts)
{
    memset(&seen, 0, sizeof seen);
    uint64_t next = 0;
    for (uint64_t k = 0; k < plan->window_count; k++) {
        telar_window window = telar_plan_window(plan, k);
        assert_int_equal(window.first, next);
        assert_true(window.count > 0);
        next += window.count;
        for (int axis = 0; axis < 3; axis++) {
            assert_in_range(window.dispatch[axis], 1, facts->limits.maxComputeWorkgroupsPerDimension);
        }
        uint64_t each = plan->asked.binding_bytes_per_element;
        assert_true(each == 0 || window.count * each <= telar_usable_binding_bytes(facts, (uint32_t)each));
        assert_int_equal(window.first * each % facts->limits.minStorageBufferOffsetAlignment, 0);
        run_window(plan, &window);
    }
    assert_int_equal(next, plan->elements);
    for (uint64_t i = 0; i < plan->elements; i++) assert_int_equal(seen.visits[i], 1);
    assert_int_equal(seen.launched, plan->launched_invocations);
    assert_int_equal(seen.idle_invocations, plan->idle_invocations);
    assert_int_equal(seen.idle_groups, plan->idle_groups);
}

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 20) % bound);
}

static uint64_t one_of(const uint64_t *values, uint32_t count)
{
    return values[below(count)];
}
#define ONE_OF(...) one_of((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static telar_facts random_facts(void)
{
    telar_facts facts = device_with_invocations(ONE_OF(1, 7, 16, 64, 128, 256, 1024));
    facts.limits.maxComputeWorkgroupsPerDimension = ONE_OF(3, 5, 16, 255, 65535);
    facts.limits.maxComputeWorkgroupSizeZ = ONE_OF(1, 4, 64);
    facts.limits.minStorageBufferOffsetAlignment = ONE_OF(16, 32, 256);
    facts.limits.maxStorageBufferBindingSize = ONE_OF(2048, 5000, 134217728);
    facts.type = (telar_device_type)below(4);
    if (below(2) == 0) telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 1 + below(12), TELAR_SOURCE_GIVEN);
    if (below(2) == 0) telar_facts_set(&facts, TELAR_FACT_RESIDENT_INVOCATIONS, 256, TELAR_SOURCE_GIVEN);
    if (below(3) == 0) telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MAX, (double)ONE_OF(4, 32, 128), TELAR_SOURCE_PROBE);
    return facts;
}

static telar_plan_desc random_desc(void)
{
    telar_plan_desc desc = {.dimensions = 1 + below(3), .kind = (telar_kind)below(5)};
    static const uint32_t most[3] = {ELEMENTS_MOST, 140, 27};
    for (uint32_t axis = 0; axis < desc.dimensions; axis++) desc.count[axis] = 1 + below(most[desc.dimensions - 1]);
    /* Long in one axis, so that it alone passes a limit. */
    if (desc.dimensions == 2 && below(3) == 0) {
        desc.count[below(2)] = 4000;
        for (int axis = 0; axis < 2; axis++) {
            if (desc.count[axis] != 4000) desc.count[axis] = 1 + below(5);
        }
    }
    if (desc.count[0] * (desc.count[1] + 1) > ELEMENTS_MOST && desc.dimensions == 2) desc.count[1] = 1;
    if (below(2) == 0) {
        for (uint32_t axis = 0; axis < desc.dimensions; axis++) desc.size[axis] = 1 + below(9);
    }
    if (below(2) == 0) desc.items = 1 + below(7);
    if (below(2) == 0) desc.shape = (telar_shape)ONE_OF(TELAR_SHAPE_LINEAR, TELAR_SHAPE_FOLD, TELAR_SHAPE_STRIDE);
    if (desc.shape == TELAR_SHAPE_FOLD && below(2) == 0) desc.fold_width = 1 + below(20);
    if (desc.shape == TELAR_SHAPE_STRIDE && below(2) == 0) desc.groups = 1 + below(20);
    if (below(2) == 0) desc.binding_bytes_per_element = (uint32_t)ONE_OF(2, 4, 8, 12, 16);
    return desc;
}

static void every_element_once(void **unused)
{
    (void)unused;
    uint32_t made[5][4] = {{0}};
    uint32_t windowed = 0;
    for (int round = 0; round < 6000; round++) {
        telar_facts facts = random_facts();
        telar_plan_desc desc = random_desc();
        telar_plan plan;
        telar_diag diag;
        telar_status status = telar_plan_make(&desc, &facts, &plan, &diag);
        if (status != TELAR_OK) {
            assert_true(status == TELAR_LIMIT_EXCEEDED || status == TELAR_INVALID_ARGUMENT);
            assert_true(diag.text[0] != 0);
            assert_int_equal(plan.workgroup_size[0], 0);
            continue;
        }
        check_plan(&plan, &facts);
        made[plan.shape][plan.dimensions]++;
        windowed += plan.window_count > 1;
    }
    for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
        assert_true(made[TELAR_SHAPE_LINEAR][dimensions] > 100);
        assert_true(made[TELAR_SHAPE_FOLD][dimensions] > 100);
    }
    assert_true(made[TELAR_SHAPE_STRIDE][1] > 100);
    assert_true(windowed > 100);
}

/* The last element is reached, and no index or group number passes 32 bits inside a window. */
static void no_index_wraps(void **unused)
{
    (void)unused;
    const uint64_t bases[] = {UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(3) << 31, TELAR_COUNT_MAX - 300};
    const uint32_t sizes[] = {1, 40, 64, 100, 256};
    telar_facts facts = telar_facts_default();
    for (size_t b = 0; b < 4; b++) {
        for (size_t s = 0; s < 5; s++) {
            for (int delta = -257; delta <= 257; delta += 128) {
                telar_plan_desc desc = {
                    .count = {bases[b] + (uint64_t)(int64_t)delta}, .size = {sizes[s]}, .items = 1 + below(9)};
                telar_plan plan;
                assert_int_equal(telar_plan_make(&desc, &facts, &plan, NULL), TELAR_OK);
                telar_window last = telar_plan_window(&plan, plan.window_count - 1);
                telar_window first = telar_plan_window(&plan, 0);
                assert_int_equal(last.first + last.count, desc.count[0]);
                assert_in_range(first.count, 1, TELAR_WINDOW_ELEMENTS_MAX);
                uint64_t launched = (uint64_t)first.dispatch[0] * first.dispatch[1] * first.dispatch[2];
                assert_true(launched <= UINT32_MAX);
                assert_true(launched >= first.groups);
                assert_true(first.groups * telar_plan_group_elements(&plan) >= first.count);
                assert_true((first.groups - UINT64_C(1)) * telar_plan_group_elements(&plan) < first.count);
                assert_true(first.groups * telar_plan_group_elements(&plan) <= UINT32_MAX);
            }
        }
    }
}

/* Fewest rows, then equal ones: fewer groups idle than there are rows. */
static void folds_are_tight(void **unused)
{
    (void)unused;
    const uint32_t limits[] = {1, 2, 3, 5, 16, 255, 65535, UINT32_MAX};
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        uint64_t limit = limits[k];
        for (int round = 0; round < 2000; round++) {
            uint64_t most = limit < 1000 ? limit * limit * limit : UINT64_C(1) << 33;
            uint64_t groups = 1 + (((uint64_t)below(UINT32_MAX) << 8) ^ below(256)) % most;
            uint32_t dispatch[3];
            assert_true(telar_fold(groups, (uint32_t)limit, dispatch));
            uint64_t rows = (uint64_t)dispatch[1] * dispatch[2];
            assert_true(dispatch[0] <= limit && dispatch[1] <= limit && dispatch[2] <= limit);
            assert_true(rows * dispatch[0] >= groups);
            assert_true(rows * dispatch[0] - groups < rows);
        }
        if (limit < 1000) {
            uint32_t dispatch[3];
            assert_false(telar_fold(limit * limit * limit + 1, (uint32_t)limit, dispatch));
        }
    }
    uint32_t dispatch[3];
    assert_false(telar_fold(0, 65535, dispatch));
    assert_false(telar_fold(1, 0, dispatch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_once),
        cmocka_unit_test(no_index_wraps),
        cmocka_unit_test(folds_are_tight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
