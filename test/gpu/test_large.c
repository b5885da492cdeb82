/* SPDX-License-Identifier: MIT
 *
 * Domains that do not fit one binding, one buffer index or one u32: only on a GPU, where they take seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "launch.h"

static void lines_above_one_binding(void **state)
{
    (void)state;
    static const uint64_t counts[] = {(UINT64_C(1) << 28) + 1, (UINT64_C(1) << 29) + 1, UINT64_C(1) << 30};
    uint64_t most = telar_host_facts(gpu.host)->limits.maxBufferSize / 4 - GPU_GUARD_WORDS;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        if (counts[k] > most) {
            printf("[ NOTE     ] %llu words do not fit maxBufferSize here\n", (unsigned long long)counts[k]);
            continue;
        }
        gpu_launch l = {.source = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                  "fn element(i: u32) { d[i] += i + 1; }\n",
                        .desc = {.count = {counts[k]}}};
        gpu_run(&l, counts[k]);
        printf("[ NOTE     ] %llu elements in %llu windows\n", (unsigned long long)counts[k],
               (unsigned long long)l.plan.window_count);
        for (uint64_t i = 0; i < counts[k]; i++) {
            if (l.data[i] != (uint32_t)i + 1) fail_msg("element %llu is %u", (unsigned long long)i, l.data[i]);
        }
        gpu_launch_free(&l);
    }
}

/* As many invocations as a u32 counts, each with its own index. */
static void every_index_of_a_u32(void **state)
{
    (void)state;
    gpu_launch l = {.source = "@group(0) @binding(0) var<storage, read_write> h: array<atomic<u32>>;\n"
                              "fn element(i: u32) { atomicAdd(&h[(i >> 5) & 1023u], i * 2654435761u + 1u); }\n",
                    .desc = {.count = {UINT64_C(1) << 32}}};
    gpu_run(&l, 1024);
    assert_int_equal(l.plan.window_count, 2);
    uint32_t *want = calloc(1024, sizeof *want);
    for (uint64_t i = 0; i < UINT64_C(1) << 32; i++) want[(i >> 5) & 1023] += (uint32_t)i * 2654435761u + 1u;
    assert_memory_equal(l.data, want, 4096);
    free(want);
    gpu_launch_free(&l);
}

static void more_invocations_than_a_u32_counts(void **state)
{
    (void)state;
    uint64_t n = (UINT64_C(1) << 32) + 5;
    gpu_launch l = {.source = "@group(0) @binding(0) var<storage, read_write> h: array<atomic<u32>>;\n"
                              "fn element(i: u32) { let low = atomicAdd(&h[0], 1u); if (low == 0xffffffffu) {"
                              " atomicAdd(&h[1], 1u); } }\n",
                    .desc = {.count = {n}}};
    gpu_run(&l, 2);
    assert_int_equal(l.plan.window_count, 3);
    assert_int_equal(l.data[0], 5);
    assert_int_equal(l.data[1], 1);
    gpu_launch_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_above_one_binding),
        cmocka_unit_test(every_index_of_a_u32),
        cmocka_unit_test(more_invocations_than_a_u32_counts),
    };
    if (gpu_open(NULL) != 0) return 1;
    if (telar_host_facts(gpu.host)->type != TELAR_DEVICE_DISCRETE) {
        printf("no discrete GPU: left out\n");
        return 77;
    }
    int failed = cmocka_run_group_tests_name("large domains", tests, NULL, NULL);
    gpu_close(NULL);
    return failed;
}
