/* SPDX-License-Identifier: MIT
 *
 * sort against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"
#include "prim/sort_tuning.h"

static int by_key(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void one(uint64_t n, const tl_sort_tuning *tuning, prim_form form, uint64_t offset_bytes, bool roomy)
{
    prim_test test = prim_begin(tuning->size == 0 ? PRIM_AS_IS : PRIM_AS_GPU);
    uint64_t capacity = prim_capacity(n, form);
    uint32_t *data = malloc(4 * capacity + 4), *got = malloc(4 * capacity + 4);
    prim_random(data, capacity, 7);
    telar_array in = roomy ? prim_roomy_array(&test, "in", data, 4 * capacity, offset_bytes)
                           : prim_array(&test, "in", data, 4 * capacity, offset_bytes);
    telar_array out = prim_array(&test, "out", NULL, 4 * capacity, offset_bytes);
    tl_record_sort_tuned(&test.record, &test.prim,
                         &(telar_sort_desc){.length = prim_length(&test, n, form), .in = in, .out = out}, tuning);
    for (int run = 0; run < 2; run++) {
        prim_run(&test);
        prim_read(&test, out, got);
        qsort(data, n, 4, by_key);
        for (uint64_t k = 0; k < n; k++)
            if (got[k] != data[k])
                fail_msg("n %llu, form %d, run %d: [%llu] %u, not %u", (unsigned long long)n, form, run,
                         (unsigned long long)k, got[k], data[k]);
    }
    prim_end(&test);
    free(data);
    free(got);
}

static void keys(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 2, 5, 1000, 1024, 1025, 100003};
    static const tl_sort_tuning tunings[] = {
        {.size = 64, .items = 4},
        {.size = 64, .items = 4, .fixed = true},
        {.size = 64,
         .items = 5,
         .form = TL_SORT_FORM_LOOK_BACK,
         .histogram_size = 64,
         .histogram_rows = 1,
         .histogram_groups = 4,
         .histogram_copies = 1},
        {0},
    };
    for (size_t t = 0; t < sizeof tunings / sizeof *tunings; t++) {
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
            one(lengths[k], &tunings[t], PRIM_HOST, 4 * (k % 2), k % 2 == 0);
        printf("%zu done\n", t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys)};
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
