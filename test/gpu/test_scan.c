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
#include "prim/scan.h"

/* ---- Sums of u32: every way, length, place and form --------------------------------------------------------------- */

typedef struct sum_case {
    uint64_t n;
    prim_path path;
    prim_form form;
    uint64_t offset_bytes;
    bool roomy, in_place, inclusive, initial;
    telar_scan_way way;
    tl_scan_tuning tuning;
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
    test.facts.values[TELAR_FACT_FORWARD_PROGRESS] = (telar_fact){.value = 1, .source = TELAR_SOURCE_GIVEN};
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

static const uint64_t lengths[] = {0,    1,    2,    3,    4,    5,     63,    64,     65,
                                   1023, 4095, 4096, 4097, 8193, 16385, 65537, 262145, 400003};

static void sums(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (int form = 0; form < PRIM_FORMS; form++) {
            one_sum(&(sum_case){.n = lengths[k],
                                .path = (prim_path)(k / 2 % 2),
                                .form = (prim_form)form,
                                .offset_bytes = 4 * (k % 5),
                                .roomy = k % 2 == 0,
                                .in_place = (k + (size_t)form) % 5 == 2,
                                .inclusive = k % 3 == 1,
                                .initial = k % 4 == 1,
                                .way = TELAR_SCAN_DETERMINISTIC});
        }
    }
}

/* Drawn tickets and a fallback for what is not posted make it right on any device; these are CPUs. */
static void look_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (uint32_t mute = 0; mute < 4; mute += 2) {
            one_sum(&(sum_case){.n = lengths[k],
                                .path = PRIM_AS_GPU,
                                .offset_bytes = 4 * (k % 5),
                                .roomy = k % 2 == 0,
                                .inclusive = k % 3 == 1,
                                .initial = k % 4 == 1,
                                .way = TELAR_SCAN_LOOK_BACK,
                                .tuning = {.size = 64, .rows = 1 + (uint32_t)k % 4, .polls = 1 + mute, .mute = mute}});
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(look_back)};
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
