/* SPDX-License-Identifier: MIT
 *
 * Primitives where a binding is full, and one element beyond: on a GPU, where each takes seconds; with --long on a CPU adapter
 * too, of fewer elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"

/* Of every n here; the longest arrays there are. */
typedef struct large {
    uint32_t *in, *out;
    uint64_t words;
    uint64_t tried; /* past the tiles of a power of two */
} large;

static large memory;

/* What is tried anyway; the last n of one binding; the next one, which takes windows: as far as there is memory. */
static size_t lengths(uint64_t n[3])
{
    const telar_facts *facts = telar_host_facts(gpu.host);
    uint64_t binding = telar_usable_binding_bytes(facts, 4) / 4;
    const uint64_t wanted[3] = {memory.tried, binding, binding + 1};
    size_t count = 0;
    for (size_t k = 0; k < 3; k++) {
        if (wanted[k] <= memory.words) n[count++] = wanted[k];
    }
    return count;
}

static prim_test begin(uint64_t n, telar_array *in)
{
    prim_test test = prim_begin(PRIM_AS_IS);
    *in = prim_array(&test, "in", memory.in, 4 * n, 0);
    return test;
}

static void sums(void **state)
{
    (void)state;
    uint64_t n[3];
    for (size_t k = 0, count = lengths(n); k < count; k++) {
        telar_array in;
        prim_test test = begin(n[k], &in);
        telar_array out = prim_array(&test, "out", NULL, 4, 0);
        uint32_t sum = 0, got = 0;
        for (uint64_t i = 0; i < n[k]; i++) sum += memory.in[i];
        telar_record_reduce(&test.record, &test.prim,
                            &(telar_reduce_desc){.length = {.count = n[k]}, .in = in, .out = out});
        prim_run(&test);
        prim_read(&test, out, &got);
        assert_int_equal(got, sum);
        prim_end(&test);
    }
}

static void scans(void **state)
{
    (void)state;
    uint64_t n[3];
    for (size_t k = 0, count = lengths(n); k < count; k++) {
        telar_array in;
        prim_test test = begin(n[k], &in);
        telar_array out = prim_array(&test, "out", NULL, 4 * n[k], 0);
        telar_record_scan(&test.record, &test.prim,
                          &(telar_scan_desc){.length = {.count = n[k]}, .in = in, .out = out});
        prim_run(&test);
        prim_read(&test, out, memory.out);
        uint32_t sum = 0;
        for (uint64_t i = 0; i < n[k]; i++) {
            if (memory.out[i] != sum) fail_msg("n %llu: element %llu", (unsigned long long)n[k], (unsigned long long)i);
            sum += memory.in[i];
        }
        prim_end(&test);
    }
}

static void selects(void **state)
{
    (void)state;
    uint64_t n[3];
    for (size_t k = 0, count = lengths(n); k < count; k++) {
        telar_array in;
        prim_test test = begin(n[k], &in);
        uint64_t kept = 0, at = 0;
        for (uint64_t i = 0; i < n[k]; i++) kept += memory.in[i] % 2;
        telar_array out = prim_array(&test, "out", NULL, 4 * kept, 0), found = prim_array(&test, "count", NULL, 4, 0);
        uint32_t got = 0;
        telar_record_select(&test.record, &test.prim,
                            &(telar_select_desc){.length = {.count = n[k]},
                                                 .in = in,
                                                 .where = "x % 2u == 1u",
                                                 .out = out,
                                                 .capacity = kept,
                                                 .count = found});
        prim_run(&test);
        prim_read(&test, found, &got);
        assert_int_equal(got, kept);
        prim_read(&test, out, memory.out);
        for (uint64_t i = 0; i < n[k]; i++) {
            if (memory.in[i] % 2 == 0) continue;
            if (memory.out[at++] != memory.in[i])
                fail_msg("n %llu: kept %llu", (unsigned long long)n[k], (unsigned long long)at);
        }
        prim_end(&test);
    }
}

static void histograms(void **state)
{
    (void)state;
    uint64_t n[3];
    for (size_t k = 0, count = lengths(n); k < count; k++) {
        telar_array in;
        prim_test test = begin(n[k], &in);
        telar_array out = prim_array(&test, "out", NULL, 1024, 0);
        static uint32_t wanted[256], got[256];
        memset(wanted, 0, sizeof wanted);
        for (uint64_t i = 0; i < n[k]; i++) wanted[memory.in[i] >> 24]++;
        telar_record_histogram(
            &test.record, &test.prim,
            &(telar_histogram_desc){
                .length = {.count = n[k]}, .bins = 256, .upper = 4294967296.0, .in = in, .out = out});
        prim_run(&test);
        prim_read(&test, out, got);
        assert_memory_equal(got, wanted, sizeof wanted);
        prim_end(&test);
    }
}

/* Order, and the same keys: their sum and the sum of their squares. */
static void sorts(void **state)
{
    (void)state;
    uint64_t binding = telar_usable_binding_bytes(telar_host_facts(gpu.host), 4) / 4;
    uint64_t n = memory.tried < binding ? memory.tried : binding;
    telar_array in;
    prim_test test = begin(n, &in);
    telar_array out = prim_array(&test, "out", NULL, 4 * n, 0);
    telar_record_sort(&test.record, &test.prim, &(telar_sort_desc){.length = {.count = n}, .in = in, .out = out});
    prim_run(&test);
    prim_read(&test, out, memory.out);
    uint64_t sums[2] = {0}, squares[2] = {0};
    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && memory.out[i] < memory.out[i - 1]) fail_msg("element %llu is out of order", (unsigned long long)i);
        sums[0] += memory.in[i];
        sums[1] += memory.out[i];
        squares[0] += (uint64_t)memory.in[i] * memory.in[i];
        squares[1] += (uint64_t)memory.out[i] * memory.out[i];
    }
    assert_true(sums[0] == sums[1] && squares[0] == squares[1]);
    prim_end(&test);
}

static void take_memory(void)
{
    const telar_facts *facts = telar_host_facts(gpu.host);
    uint32_t power = facts->type == TELAR_DEVICE_CPU ? 25 : 28;
    uint64_t most = facts->limits.maxBufferSize / 4 - PRIM_GUARD_BYTES, wanted = (UINT64_C(2) << power) + 4;
    memory.words = most < wanted ? most : wanted;
    memory.tried = (UINT64_C(1) << power) + 3;
    memory.in = malloc(4 * memory.words);
    memory.out = malloc(4 * memory.words);
    assert_non_null(memory.in);
    assert_non_null(memory.out);
    prim_random(memory.in, memory.words, 21);
}

int main(int argc, char **argv)
{
    bool is_long = argc == 2 && strcmp(argv[1], "--long") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),       cmocka_unit_test(scans), cmocka_unit_test(selects),
        cmocka_unit_test(histograms), cmocka_unit_test(sorts),
    };
    if (gpu_open(NULL) != 0) return 1;
    if (telar_host_facts(gpu.host)->type != TELAR_DEVICE_DISCRETE && !is_long) {
        printf("no discrete GPU, and not --long: left out\n");
        return 77;
    }
    take_memory();
    int failed = cmocka_run_group_tests_name("large primitives", tests, NULL, NULL);
    free(memory.in);
    free(memory.out);
    gpu_close(NULL);
    return failed;
}
