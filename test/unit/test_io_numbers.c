/* SPDX-License-Identifier: MIT
 *
 * Numbers on a command line: what is read, and what is refused with which status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "io/quantity.h"

static void reads_whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {
        {"0", 0},
        {"7", 7},
        {"3_000_001", 3000001},
        {"256Mi", UINT64_C(268435456)},
        {"2k", 2000},
        {"1M", 1000000},
        {"4G", UINT64_C(4000000000)},
        {"1Ki", 1024},
        {"1Gi", UINT64_C(1073741824)},
        {"-0", 0},
        {"18446744073709551615", UINT64_MAX},
    };
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        uint64_t value = 1;
        telar_diag diag = {0};
        assert_int_equal(tl_number_u64("--n", tl_str_of(rows[k].text), 0, UINT64_MAX, &value, &diag), TELAR_OK);
        assert_true(value == rows[k].value);
    }
}

static void refuses_what_is_no_number(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    " 1",  "1 ", "_1", "1_",  "1__0", "1.5", "0x10", "k",
                                        "1kk", "1ki", "1K", "+1", "--1", "1e3",  "one", "-",    "1_k"};
    for (size_t k = 0; k < TL_COUNT(texts); k++) {
        uint64_t value = 1;
        telar_diag diag = {0};
        assert_int_equal(tl_number_u64("--n", tl_str_of(texts[k]), 0, UINT64_MAX, &value, &diag),
                         TELAR_INVALID_ARGUMENT);
        assert_true(value == 0);
        assert_non_null(strstr(diag.text, "--n"));
    }
}

static void names_value_and_range(void **state)
{
    (void)state;
    telar_diag diag = {0};
    uint64_t value;
    assert_int_equal(tl_number_u64("--count", TL_STR("-5"), 0, 100, &value, &diag), TELAR_INVALID_ARGUMENT);
    assert_string_equal(diag.text, "--count (-5) is negative; allowed are 0 to 100");
    assert_int_equal(tl_number_u64("--size", TL_STR("0"), 1, 100, &value, &diag), TELAR_OVERFLOWS);
    assert_string_equal(diag.text, "--size (0) is too small; allowed are 1 to 100");
    assert_int_equal(tl_number_u64("--size", TL_STR("101"), 1, 100, &value, &diag), TELAR_OVERFLOWS);
    assert_true(diag.got == 101 && diag.limit == 100);
    assert_int_equal(tl_number_u64("--n", TL_STR("18446744073709551616"), 0, UINT64_MAX, &value, &diag),
                     TELAR_OVERFLOWS);
    assert_int_equal(tl_number_u64("--n", TL_STR("18014398509481984Ki"), 0, UINT64_MAX, &value, &diag),
                     TELAR_OVERFLOWS);
}

static void reads_lists(void **state)
{
    (void)state;
    uint64_t values[3];
    uint32_t count;
    telar_diag diag = {0};
    assert_int_equal(tl_number_list("--count", TL_STR("640x480x2"), 'x', 3, 0, 1000, values, &count, &diag), TELAR_OK);
    assert_int_equal(count, 3);
    assert_true(values[0] == 640 && values[1] == 480 && values[2] == 2);
    assert_int_equal(tl_number_list("--count", TL_STR("1x2x3x4"), 'x', 3, 0, 1000, values, &count, &diag),
                     TELAR_INVALID_ARGUMENT);
    assert_int_equal(tl_number_list("--count", TL_STR("1x"), 'x', 3, 0, 1000, values, &count, &diag),
                     TELAR_INVALID_ARGUMENT);
    assert_int_equal(tl_number_list("--count", TL_STR("x1"), 'x', 3, 0, 1000, values, &count, &diag),
                     TELAR_INVALID_ARGUMENT);
}

static void reads_signed_numbers(void **state)
{
    (void)state;
    int64_t value;
    telar_diag diag = {0};
    assert_int_equal(tl_number_i64("x", TL_STR("-9223372036854775808"), INT64_MIN, INT64_MAX, &value, &diag), TELAR_OK);
    assert_true(value == INT64_MIN);
    assert_int_equal(tl_number_i64("x", TL_STR("-129"), -128, 127, &value, &diag), TELAR_OVERFLOWS);
    assert_int_equal(tl_number_i64("x", TL_STR("128"), -128, 127, &value, &diag), TELAR_OVERFLOWS);
    assert_int_equal(tl_number_i64("x", TL_STR("-1"), 0, 127, &value, &diag), TELAR_OVERFLOWS);
    assert_int_equal(tl_number_i64("x", TL_STR("-"), -128, 127, &value, &diag), TELAR_INVALID_ARGUMENT);
}

static void reads_floats(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"0.99", 0.99}, {"-2.5e3", -2500}, {"1_000", 1000},   {"3k", 3000},       {"0.99f", 0.99},
                {"1h", 1},      {"0x1p-2", 0.25},  {"inf", INFINITY}, {"-inf", -INFINITY}};
    double value;
    telar_diag diag = {0};
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        assert_int_equal(tl_number_f64("x", tl_str_of(rows[k].text), &value, &diag), TELAR_OK);
        assert_true(value == rows[k].value);
    }
    static const char *const wrong[] = {"", "f", "1.2.3", " 1", "1 ", "one", "1,5"};
    for (size_t k = 0; k < TL_COUNT(wrong); k++) {
        assert_int_equal(tl_number_f64("x", tl_str_of(wrong[k]), &value, &diag), TELAR_INVALID_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_whole_numbers),   cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(names_value_and_range), cmocka_unit_test(reads_lists),
        cmocka_unit_test(reads_signed_numbers),  cmocka_unit_test(reads_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
