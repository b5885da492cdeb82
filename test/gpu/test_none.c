/* SPDX-License-Identifier: MIT
 *
 * No elements of a type that is larger than the least binding: results are what an operator has of none, and scratch holds
 * what kernels bind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/base.h"
#include "prim.h"

#define WORDS 12u
#define ROOM_BYTES 512u /* for the capacity of a count on the GPU */

static const telar_type wide = {"Wide", "struct Wide { a: vec4u, b: vec4u, c: vec4u }\n"};
static const telar_operator least = {
    TELAR_OP_OWN, "fn combine(x: T, y: T) -> T { return T(min(x.a, y.a), min(x.b, y.b), min(x.c, y.c)); }",
    "T(vec4u(0xffffffff), vec4u(0xffffffff), vec4u(0xffffffff))"};

static void reduced(prim_test *test, prim_form form)
{
    telar_array in = prim_array(test, "in", NULL, ROOM_BYTES, 0), out = prim_array(test, "out", NULL, ROOM_BYTES, 0);
    telar_reduce_desc desc = {
        .length = prim_length(test, 0, form), .type = wide, .reduction = {.op = least}, .in = in, .out = out};
    telar_record_reduce(&test->record, &test->prim, &desc);
    prim_run(test);
    uint32_t got[ROOM_BYTES / 4];
    prim_read(test, out, got);
    for (uint32_t k = 0; k < WORDS; k++) assert_int_equal(got[k], UINT32_MAX);
}

static void scanned(prim_test *test, prim_form form)
{
    telar_array in = prim_array(test, "in", NULL, ROOM_BYTES, 0), out = prim_array(test, "out", NULL, ROOM_BYTES, 0);
    telar_scan_desc desc = {.length = prim_length(test, 0, form), .type = wide, .op = least, .in = in, .out = out};
    telar_record_scan(&test->record, &test->prim, &desc);
    prim_run(test);
}

static void by_key(prim_test *test, prim_form form, telar_reduction reduction, telar_type type)
{
    telar_array in = prim_array(test, "in", NULL, ROOM_BYTES, 0), out = prim_array(test, "out", NULL, ROOM_BYTES, 0);
    telar_array keys = prim_array(test, "keys", NULL, ROOM_BYTES, 0), count = prim_array(test, "count", NULL, 4, 0);
    telar_reduce_by_key_desc desc = {.length = prim_length(test, 0, form),
                                     .type = type,
                                     .reduction = reduction,
                                     .keys = keys,
                                     .in = in,
                                     .out = out,
                                     .count = count};
    telar_record_reduce_by_key(&test->record, &test->prim, &desc);
    prim_run(test);
    uint32_t got;
    prim_read(test, count, &got);
    assert_int_equal(got, 0);
}

static void index_by_key(prim_test *test, prim_form form)
{
    by_key(test, form, (telar_reduction){.kind = TELAR_REDUCE_ARG_MIN}, (telar_type){0});
}

static void wide_by_key(prim_test *test, prim_form form)
{
    by_key(test, form, (telar_reduction){.op = least}, wide);
}

static void none(void **state)
{
    (void)state;
    static void (*const calls[])(prim_test *test, prim_form form) = {reduced, scanned, index_by_key, wide_by_key};
    for (size_t k = 0; k < TL_COUNT(calls); k++) {
        for (prim_path path = 0; path < PRIM_PATHS; path++) {
            for (prim_form form = 0; form < PRIM_FORMS; form++) {
                prim_test test = prim_begin(path);
                calls[k](&test, form);
                prim_end(&test);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none)};
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
