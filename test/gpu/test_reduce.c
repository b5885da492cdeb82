/* SPDX-License-Identifier: MIT
 *
 * reduce against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
