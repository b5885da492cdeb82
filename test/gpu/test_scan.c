/* SPDX-License-Identifier: MIT
 *
 * scan against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"
#include "prim/scan_tuning.h"

/* ---- Sums of u32: every way, length, place and form --------------------------------------------------------------- */

typedef struct sum_case {
    uint64_t n;
    prim_path path;
    prim_form form;
    uint64_t offset_bytes;
    bool roomy, in_place, inclusive, initial;
    telar_scan_way way;
    tl_scan_tuning tuning;
    uint32_t groups_limit; /* an axis; 0: the device's */
} sum_case;

static void one_sum(const sum_case *c)
{
    prim_test test = prim_begin(c->path);
    uint64_t capacity = prim_capacity(c->n, c->form);
    uint32_t *data = malloc(4 * capacity + 4), *got = malloc(4 * capacity + 4);
    assert_non_null(data);
    assert_non_null(got);
    prim_random(data, capacity, 7);
    telar_array in = c->roomy ? prim_roomy_array(&test, "in", data, 4 * capacity, c->offset_bytes)
                              : prim_array(&test, "in", data, 4 * capacity, c->offset_bytes);
    telar_array out = c->in_place ? in : prim_array(&test, "out", NULL, 4 * capacity, 4 * (c->n % 3));
    if (c->groups_limit != 0) test.facts.limits.maxComputeWorkgroupsPerDimension = c->groups_limit;
    telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, 1, TELAR_SOURCE_GIVEN);
    tl_record_scan_tuned(&test.record, &test.prim,
                         &(telar_scan_desc){.length = prim_length(&test, c->n, c->form),
                                            .in = in,
                                            .out = out,
                                            .inclusive = c->inclusive,
                                            .initial = c->initial ? "41u + 1u" : NULL,
                                            .way = c->way},
                         &c->tuning);
    for (int run = 0; run < (c->in_place ? 1 : 3); run++) {
        prim_run(&test);
        prim_read(&test, out, got);
        uint32_t sum = c->initial ? 42 : 0;
        for (uint64_t k = 0; k < c->n; k++) {
            uint32_t want = c->inclusive ? sum + data[k] : sum;
            sum += data[k];
            if (got[k] == want) continue;
            fail_msg("n %llu, form %d, way %d, run %d: element %llu is %u, not %u", (unsigned long long)c->n, c->form,
                     c->way, run, (unsigned long long)k, got[k], want);
        }
        uint32_t kept = 0x5a5a5a5a;
        for (uint64_t k = c->n; k < capacity && !c->in_place; k++) assert_int_equal(got[k], kept);
    }
    prim_end(&test);
    free(data);
    free(got);
}

/* With the sizes of the tables: a workgroup alone takes 2048 elements on CPUs and 16384 on those taken for GPUs, in 1 or 2
 * turns; tiles of the others are 1024 and 4096. */
static void sizes_of_tables(void **state)
{
    (void)state;
    static const uint64_t cpu_lengths[] = {0, 5, 1024, 2047, 3072, 100001},
                          gpu_lengths[] = {3, 8193, 16384, 20480, 100001};
    for (size_t k = 0; k < 6 + 5; k++) {
        one_sum(&(sum_case){.n = k < 6 ? cpu_lengths[k] : gpu_lengths[k - 6],
                            .path = k < 6 ? PRIM_AS_IS : PRIM_AS_GPU,
                            .form = (prim_form)(k % PRIM_FORMS),
                            .roomy = k % 2 == 0,
                            .inclusive = k % 4 == 0,
                            .way = TELAR_SCAN_DETERMINISTIC});
    }
}

/* Tiles of 256: every place, form and length around them. */
static void places(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 255, 256, 257, 511, 1023, 4097, 65537};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        one_sum(&(sum_case){.n = lengths[k],
                            .path = (prim_path)(k / 2 % PRIM_PATHS),
                            .form = (prim_form)(k % PRIM_FORMS),
                            .offset_bytes = 4 * (k % 5),
                            .roomy = k % 2 == 0,
                            .in_place = k % 4 == 2,
                            .inclusive = k / 2 % 2 == 0,
                            .initial = k / 3 % 2 == 0,
                            .way = TELAR_SCAN_DETERMINISTIC,
                            .tuning = {.size = 64, .rows = 1}});
    }
}

/* On CPU adapters, above what a workgroup takes alone: an invocation has 256 elements, a workgroup 4096. */
static void parts(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {2049, 2303, 2304, 2305, 4095, 4096, 4097, 4353, 8191, 70001};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        one_sum(&(sum_case){.n = lengths[k],
                            .form = (prim_form)(k % PRIM_FORMS),
                            .offset_bytes = 4 * (k % 5),
                            .roomy = k % 2 == 0,
                            .in_place = k % 4 == 2,
                            .inclusive = k / 2 % 2 == 0,
                            .initial = k / 3 % 2 == 0});
    }
}

/* More totals than the workgroup that scans them takes at once. */
static void long_spine(void **state)
{
    (void)state;
    for (int path = 0; path < PRIM_PATHS; path++) {
        one_sum(&(sum_case){.n = 150001,
                            .path = (prim_path)path,
                            .form = PRIM_PARTLY,
                            .way = TELAR_SCAN_DETERMINISTIC,
                            .tuning = {.size = 32, .rows = 1, .spine_size = 64}});
    }
}

/* Drawn tickets and a fallback for what is not posted make it right on any device; these are CPUs. */
static void look_back(void **state)
{
    (void)state;
    static const uint64_t some[] = {1, 255, 256, 257, 4095, 8193, 65537, 100003};
    for (size_t k = 0; k < 8; k++) {
        one_sum(&(sum_case){.n = some[k],
                            .path = PRIM_AS_GPU,
                            .offset_bytes = 4 * (k % 5),
                            .roomy = k % 2 == 0,
                            .inclusive = k % 3 == 1,
                            .initial = k % 4 == 1,
                            .way = TELAR_SCAN_LOOK_BACK,
                            .tuning = {.size = k % 3 == 2 ? 32 : 64,
                                       .rows = k == 7 ? 10 : 1 + (uint32_t)k / 4,
                                       .waiting = {1 + (uint32_t)k, (uint32_t)k % 4, k % 3}}});
    }
}

/* Tiles of 128 in dispatches of at most 100 workgroups an axis: folds, which may have workgroups without a tile. */
static void folds(void **state)
{
    (void)state;
    static const uint64_t tiles[] = {100, 101, 250};
    for (size_t k = 0; k < 6; k++) {
        bool waits = k % 2 == 1;
        one_sum(&(sum_case){.n = tiles[k / 2] * 128 - k % 3,
                            .path = PRIM_AS_GPU,
                            .form = waits ? PRIM_HOST : (prim_form)(k / 2),
                            .way = waits ? TELAR_SCAN_LOOK_BACK : TELAR_SCAN_DETERMINISTIC,
                            .tuning = {.size = 32, .rows = 1},
                            .groups_limit = 100});
    }
}

/* The number of the run has 14 bits: nothing is mistaken when they begin again. */
static void many_runs(void **state)
{
    (void)state;
    enum {
        COUNT = 500,
        RUNS = (1 << 14) + 3
    };
    static uint32_t data[COUNT], got[COUNT], cleared[COUNT];
    prim_test test = prim_begin(PRIM_AS_GPU);
    prim_random(data, COUNT, 4);
    telar_array in = prim_array(&test, "in", data, sizeof data, 0);
    telar_array out = prim_array(&test, "out", NULL, sizeof data, 0);
    telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, 1, TELAR_SOURCE_GIVEN);
    tl_record_scan_tuned(
        &test.record, &test.prim,
        &(telar_scan_desc){
            .length = {.count = COUNT}, .in = in, .out = out, .inclusive = true, .way = TELAR_SCAN_LOOK_BACK},
        &(tl_scan_tuning){.size = 32, .rows = 1});
    for (uint32_t run = 0; run < RUNS; run++) {
        bool looks = run < 2 || run > RUNS - 6;
        if (!looks) {
            GPU_OK(telar_prepared_run(test.prepared, &gpu.diag));
            continue;
        }
        prim_run(&test);
        prim_read(&test, out, got);
        for (uint32_t k = 0, sum = 0; k < COUNT; k++) assert_int_equal(got[k], sum += data[k]);
        GPU_OK(telar_host_write(gpu.host, test.bound[1].handle, out.offset_bytes, cleared, sizeof cleared, &gpu.diag));
    }
    prim_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_tables), cmocka_unit_test(places),    cmocka_unit_test(parts),
        cmocka_unit_test(long_spine),      cmocka_unit_test(look_back), cmocka_unit_test(folds),
        cmocka_unit_test(many_runs),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
