/* SPDX-License-Identifier: MIT
 *
 * reduce against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"
#include "prim/reduce.h"

/* With workgroups of 64 and 2 rows a tile is 512 elements, and a round of 7 workgroups 3584. */
static const uint64_t lengths[] = {0,   1,   2,    3,    4,    5,    63,   64,   65,   255,  256,  257,    511,
                                   512, 513, 1791, 1792, 1793, 3583, 3584, 3585, 7167, 7168, 7171, 100003, 1 << 20};

static void one_sum(uint64_t n, prim_path path, prim_form form, uint64_t offset_bytes, bool roomy, tl_reduce_end end)
{
    prim_test test = prim_begin(path);
    uint64_t capacity = prim_capacity(n, form);
    uint32_t *data = malloc(4 * capacity + 4), sum = 0, got = 0;
    prim_random(data, capacity, 7);
    for (uint64_t k = 0; k < n; k++) sum += data[k];
    telar_array in = roomy ? prim_roomy_array(&test, "in", data, 4 * capacity, offset_bytes)
                           : prim_array(&test, "in", data, 4 * capacity, offset_bytes);
    telar_array out = prim_array(&test, "out", NULL, 4, 0);
    tl_record_reduce(&test.record, &test.prim,
                     &(telar_reduce_desc){.length = prim_length(&test, n, form), .in = in, .out = out},
                     n < 10000 ? (tl_reduce_tuning){.size = 64, .rows = 2, .groups = 7, .end = end}
                               : (tl_reduce_tuning){.end = end});
    prim_run(&test);
    prim_run(&test);
    prim_read(&test, out, &got);
    if (got != sum) fail_msg("n %llu, form %d: %u, not %u", (unsigned long long)n, form, got, sum);
    prim_end(&test);
    free(data);
}

static void sums(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (int form = 0; form < PRIM_FORMS; form++)
            one_sum(lengths[k], (prim_path)(k / 2 % 2), (prim_form)form, 4 * (k % 5), k % 2 == 0, TL_REDUCE_END_CHOSEN);
    }
}

/* The same by every way to combine the workgroups' totals, twice, so that what one run leaves is there for the next. */
static void ends(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        one_sum(lengths[k], (prim_path)(k % 2), PRIM_HOST, 0, true, TL_REDUCE_END_LAST);
        if (lengths[k] < 5000) one_sum(lengths[k], (prim_path)(k % 2), PRIM_HOST, 4, false, TL_REDUCE_END_PARTIALS);
    }
}

/* A dispatch may have fewer workgroups in a dimension than are wanted, and not a divisor of them. */
static void few_workgroups(void **state)
{
    (void)state;
    enum {
        COUNT = 5000
    };
    for (uint32_t most = 1; most <= 5; most++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        uint32_t data[COUNT], sum = 0, got = 0;
        prim_random(data, COUNT, most);
        for (int k = 0; k < COUNT; k++) sum += data[k];
        test.facts.limits.maxComputeWorkgroupsPerDimension = most;
        telar_array in = prim_array(&test, "in", data, sizeof data, 0), out = prim_array(&test, "out", NULL, 4, 0);
        telar_record_reduce(&test.record, &test.prim,
                            &(telar_reduce_desc){.length = {.count = COUNT}, .in = in, .out = out});
        prim_run(&test);
        prim_read(&test, out, &got);
        assert_int_equal(got, sum);
        prim_end(&test);
    }
}

/* ---- Windows ----------------------------------------------------------------------------------------------------- */

/* Bindings of 64 KiB: windows of less than 16384 elements, which begin anywhere in the array. */
static void windows(void **state)
{
    (void)state;
    static const uint64_t counts[] = {16128, 16384, 16385, 50001, 100003};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        prim_test test = prim_begin((prim_path)(k % 2));
        uint64_t n = counts[k], offset = 4 * (3 * k % 8);
        uint32_t *data = malloc(4 * n), sum = 0, got = 0, index = 0, best = (uint32_t)(n - n / 7);
        prim_random(data, n, 77);
        test.facts.limits.maxStorageBufferBindingSize = 65536;
        for (uint64_t i = 0; i < n; i++) sum += (data[i] >>= 1) * (uint32_t)i;
        sum += (UINT32_MAX - data[best]) * best;
        data[best] = UINT32_MAX;
        telar_array in = prim_array(&test, "in", data, 4 * n, offset);
        telar_array out = prim_array(&test, "out", NULL, 4, 0), out_index = prim_array(&test, "index", NULL, 4, 0);
        telar_reduce_desc desc = {.length = {.count = n}, .in = in, .out = out, .reduction = {.expression = "x * i"}};
        tl_record_reduce(&test.record, &test.prim, &desc, (tl_reduce_tuning){.size = 64, .rows = 2, .groups = 3});
        telar_reduce_desc arg = {
            .length = {.count = n}, .in = in, .out = out_index, .reduction = {.kind = TELAR_REDUCE_ARG_MAX}};
        telar_record_reduce(&test.record, &test.prim, &arg);
        prim_run(&test);
        prim_read(&test, out, &got);
        prim_read(&test, out_index, &index);
        assert_int_equal(got, sum);
        assert_int_equal(index, best);
        prim_end(&test);
        free(data);
    }
}

/* ---- The same bits ----------------------------------------------------------------------------------------------- */

static uint32_t float_sum(const float *data, uint32_t n, uint64_t offset, tl_reduce_end end, bool compensated,
                          tl_waiting waiting)
{
    prim_test test = prim_begin(PRIM_AS_GPU);
    uint32_t first = 0, again = 0;
    telar_array in = prim_array(&test, "in", data, 4 * (uint64_t)n, offset);
    telar_array out = prim_array(&test, "out", NULL, 4, 0);
    telar_reduce_desc desc = {.length = {.count = n},
                              .type = {.name = "f32"},
                              .reduction = {.compensated = compensated},
                              .in = in,
                              .out = out};
    tl_record_reduce(&test.record, &test.prim, &desc,
                     (tl_reduce_tuning){.size = 64, .rows = 2, .groups = 9, .end = end, .waiting = waiting});
    prim_run(&test);
    prim_read(&test, out, &first);
    for (int k = 0; k < 5; k++) {
        prim_run(&test);
        prim_read(&test, out, &again);
        assert_int_equal(first, again);
    }
    prim_end(&test);
    return first;
}

/* The order is fixed: whoever comes last, wherever the array begins, whose totals are waited for in vain. */
static void same_bits(void **state)
{
    enum {
        N = 100003
    };
    (void)state;
    static float data[N];
    static uint32_t words[N];
    prim_random(words, N, 3);
    double sum = 0;
    for (uint32_t k = 0; k < N; k++) {
        data[k] = (float)(words[k] >> 8) * (k % 3 == 0 ? 0x1p-40f : 0x1p-20f);
        sum += (double)data[k];
    }
    uint32_t by_last = float_sum(data, N, 0, TL_REDUCE_END_LAST, false, (tl_waiting){0});
    assert_int_equal(by_last, float_sum(data, N, 4, TL_REDUCE_END_LAST, false, (tl_waiting){0}));
    assert_int_equal(by_last, float_sum(data, N, 12, TL_REDUCE_END_LAST, false, (tl_waiting){0}));
    for (uint32_t mute = 1; mute <= 4; mute++) {
        uint32_t bits = float_sum(data, N, 8, TL_REDUCE_END_LAST, false, (tl_waiting){.polls = mute, .mute = mute});
        assert_int_equal(by_last, bits);
    }
    float exact = (float)sum, got;
    uint32_t compensated = float_sum(data, N, 0, TL_REDUCE_END_PARTIALS, true, (tl_waiting){0});
    memcpy(&got, &compensated, 4);
    assert_true(got == exact);
}

/* ---- Workgroups that post nothing, and many runs ------------------------------------------------------------------- */

/* Totals of one word and of two, of more workgroups than the last one looks at in one turn; some are never posted. */
static void blocked(void **state)
{
    (void)state;
    enum {
        N = 70001
    };
    static uint32_t data[N];
    prim_random(data, N, 12);
    uint32_t sum = 0, best = 0;
    for (uint32_t k = 0; k < N; k++) {
        sum += data[k];
        if (data[k] < data[best]) best = k;
    }
    for (uint32_t mute = 1; mute <= 130; mute += 43) {
        for (int kind = 0; kind < 2; kind++) {
            prim_test test = prim_begin((prim_path)kind);
            uint32_t got = 0, value = 0;
            telar_reduce_desc desc = {.length = {.count = N}};
            desc.in = prim_array(&test, "in", data, sizeof data, 4);
            desc.out = prim_array(&test, "out", NULL, 4, 0);
            if (kind == 1) {
                desc.reduction.kind = TELAR_REDUCE_ARG_MIN;
                desc.value = prim_array(&test, "value", NULL, 4, 0);
            }
            tl_record_reduce(&test.record, &test.prim, &desc,
                             (tl_reduce_tuning){.size = 32,
                                                .rows = 1,
                                                .groups = 131,
                                                .end = TL_REDUCE_END_LAST,
                                                .waiting = {.polls = 2, .mute = mute}});
            for (int run = 0; run < 3; run++) {
                prim_run(&test);
                prim_read(&test, desc.out, &got);
                if (kind == 1) prim_read(&test, desc.value, &value);
                assert_int_equal(got, kind == 0 ? sum : best);
                if (kind == 1) assert_int_equal(value, data[best]);
            }
            prim_end(&test);
        }
    }
}

/* The number of the run has 14 bits: nothing is mistaken when they begin again. */
static void many_runs(void **state)
{
    (void)state;
    enum {
        COUNT = 1500,
        RUNS = (1 << 14) + 3
    };
    static uint32_t data[COUNT];
    prim_test test = prim_begin(PRIM_AS_GPU);
    prim_random(data, COUNT, 5);
    telar_array in = prim_array(&test, "in", data, sizeof data, 0), out = prim_array(&test, "out", NULL, 4, 0);
    telar_reduce_desc desc = {.length = {.count = COUNT}, .in = in, .out = out};
    tl_record_reduce(&test.record, &test.prim, &desc,
                     (tl_reduce_tuning){.size = 32, .rows = 1, .groups = 5, .end = TL_REDUCE_END_LAST});
    for (uint32_t run = 0; run < RUNS; run++) {
        if (run >= 2 && run < RUNS - 6) {
            GPU_OK(telar_prepared_run(test.prepared, &gpu.diag));
            continue;
        }
        uint32_t sum = 0, got = 0;
        for (uint32_t k = 0; k < COUNT; k++) sum += data[k] += run;
        GPU_OK(telar_host_write(gpu.host, test.bound[0].handle, in.offset_bytes, data, sizeof data, &gpu.diag));
        prim_run(&test);
        prim_read(&test, out, &got);
        assert_int_equal(got, sum);
    }
    prim_end(&test);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

typedef struct refusal {
    telar_status status;
    telar_reduction reduction;
    const char *type; /* NULL: u32 */
    const char *text; /* that the message holds */
} refusal;

static void refusals(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {TELAR_UNSUPPORTED, {.op = {.op = TELAR_OP_AND}}, "f32", "not for this type ('f32')"},
        {TELAR_UNSUPPORTED, {.op = {.op = TELAR_OP_OWN}}, NULL, "needs its WGSL and an identity"},
        {TELAR_UNSUPPORTED, {.op = {.op = (telar_op)99}}, NULL, "no such reduction"},
        {TELAR_UNSUPPORTED, {.kind = (telar_reduction_kind)99}, NULL, "no such reduction"},
        {TELAR_UNSUPPORTED, {.compensated = true}, NULL, "only sums of f32"},
        {TELAR_UNSUPPORTED, {.op = {.op = TELAR_OP_MAX}, .compensated = true}, "f32", "only sums of f32"},
        {TELAR_UNSUPPORTED, {.kind = TELAR_REDUCE_ARG_MIN}, "vec2<f32>", "not for vectors"},
        {TELAR_UNSUPPORTED, {.kind = TELAR_REDUCE_MEAN_VARIANCE}, "vec4f", "not for vectors"},
        {TELAR_UNSUPPORTED, {.kind = TELAR_REDUCE_ANY}, "vec2<u32>", "a condition is needed"},
        {TELAR_UNSUPPORTED, {0}, "mat2x2<f32>", "not for this type"},
        {TELAR_INVALID_WGSL, {0}, "nonsense", "nonsense"},
        {TELAR_INVALID_WGSL, {.expression = "x +"}, NULL, "reduce_tiles"},
        {TELAR_INVALID_WGSL, {.expression = "x + 1.5"}, NULL, "reduce_tiles"},
        {TELAR_INVALID_WGSL, {.kind = TELAR_REDUCE_COUNT, .expression = "x"}, NULL, "reduce_tiles"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array in = prim_array(&test, "in", NULL, 1024, 0), out = prim_array(&test, "out", NULL, 64, 0);
        telar_reduce_desc desc = {.length = {.count = 16},
                                  .type = {.name = cases[k].type},
                                  .reduction = cases[k].reduction,
                                  .in = in,
                                  .out = out};
        telar_record_reduce(&test.record, &test.prim, &desc);
        prim_refused(&test, cases[k].status);
        if (strstr(gpu.diag.text, cases[k].text) == NULL) fail_msg("case %zu: %s", k, gpu.diag.text);
        prim_end(&test);
    }
}

/* What is wrong with the arrays or the length. */
static void refused_arrays(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array in = prim_array(&test, "in", NULL, 1024, 0), out = prim_array(&test, "out", NULL, 64, 0);
        telar_reduce_desc desc = {.length = {.count = 16}, .in = in, .out = out};
        telar_status status = TELAR_INVALID_ARGUMENT;
        if (k == 0) desc.in.buffer.id = 0;
        if (k == 1) desc.in.offset_bytes += 2;
        if (k == 2) desc.in.size_bytes = 60;
        if (k == 3) desc.out.buffer.id = 0;
        if (k == 4) desc.value = out;
        if (k == 5) {
            desc.length.count = TELAR_COUNT_MAX + 1;
            status = TELAR_LIMIT_EXCEEDED;
        }
        telar_record_reduce(&test.record, &test.prim, &desc);
        prim_refused(&test, status);
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),      cmocka_unit_test(ends),      cmocka_unit_test(few_workgroups),
        cmocka_unit_test(windows),   cmocka_unit_test(same_bits), cmocka_unit_test(blocked),
        cmocka_unit_test(many_runs), cmocka_unit_test(refusals),  cmocka_unit_test(refused_arrays)};
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
