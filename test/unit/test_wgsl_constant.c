/* SPDX-License-Identifier: MIT
 *
 * Constant expressions: literals, arithmetic of every type, conversions, built-in functions, what has no value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl/constant_math.h"
#include "wgsl_resolve_help.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct value_case {
    const char *expression;
    const char *value; /* of `const x = expression;` */
} value_case;

static void check_values(const value_case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        char source[256];
        snprintf(source, sizeof source, "enable f16; const x = %s;", cases[k].expression);
        const telar_wgsl *m = resolve_read(source);
        if (m == NULL) fail_msg("%s: %s", source, resolve_diag.text);
        if (strcmp(resolve_value_of(m, "x"), cases[k].value) != 0) print_message("%s\n", source);
        assert_string_equal(resolve_value_of(m, "x"), cases[k].value);
    }
}

static void values(void **state)
{
    (void)state;
    static const value_case cases[] = {
        {"0x10", "16"},
        {"0xFFFFFFFFu", "4294967295"},
        {"9223372036854775807", "9223372036854775807"},
        {"1e3", "1000.000000"},
        {"0x1.8p1", "3.000000"},
        {"1.5h", "1.500000"},
        {".25", "0.250000"},
        {"0x.8p0", "0.500000"},
        {"123456789.125", "123456789.125000"},
        {"1 + 2 * 3", "7"},
        {"7 / 2", "3"},
        {"-7 / 2", "-3"},
        {"-7 % 3", "-1"},
        {"7.5 % 2", "1.500000"},
        {"1 << 40", "1099511627776"},
        {"-16 >> 2", "-4"},
        {"4000000000u + 1000000000u", "705032704"},
        {"0u - 1u", "4294967295"},
        {"2147483647i + 1i", "-2147483648"},
        {"~0u", "4294967295"},
        {"~5", "-6"},
        {"(0xF0u & 0x3Cu) | (1u ^ 3u)", "50"},
        {"1 < 2 && 2.5 >= 2", "true"},
        {"true != false", "true"},
        {"!(1 == 2)", "true"},
        {"false && 1 / 0 == 0", "false"},
        {"true || array<u32, 2>()[5] == 0", "true"},
        {"vec3(1, 2, 3) * 2", "(2, 4, 6)"},
        {"vec2(1, 2) + vec2(0.5)", "(1.500000, 2.500000)"},
        {"vec3(1, 2, 3).zx", "(3, 1)"},
        {"array(3, 4, 5)[1]", "4"},
        {"array(vec2(1, 2), vec2(3, 4))[1].x", "3"},
        {"mat2x2(1, 2, 3, 4)[1]", "(3.000000, 4.000000)"},
        {"vec4f()", "zero"},
        {"vec4f().y", "0.000000"},
        {"u32(3.9)", "3"},
        {"i32(-3.9)", "-3"},
        {"u32(-1i)", "4294967295"},
        {"i32(3000000000u)", "-1294967296"},
        {"u32(true)", "1"},
        {"bool(2)", "true"},
        {"f32(0.1)", "0.100000"},
        {"vec2u(vec2f(1.5, 2.5))", "(1, 2)"},
        {"min(3, 2u)", "2"},
        {"max(vec2(1, 5), vec2(3, 2))", "(3, 5)"},
        {"clamp(5, 1, 3)", "3"},
        {"abs(-5)", "5"},
        {"sign(-2.5)", "-1.000000"},
        {"floor(-1.5)", "-2.000000"},
        {"ceil(1.2)", "2.000000"},
        {"round(2.5)", "2.000000"},
        {"trunc(-1.7)", "-1.000000"},
        {"fract(1.25)", "0.250000"},
        {"sqrt(16)", "4.000000"},
        {"log2(256)", "8.000000"},
        {"u32(log2(f32(1024)))", "10"},
        {"exp2(10)", "1024.000000"},
        {"pow(2, 20)", "1048576.000000"},
        {"u32(pow(10.0, 6.0))", "1000000"},
        {"select(1, 2, true)", "2"},
        {"select(vec2(1, 2), vec2(3, 4), vec2(true, false))", "(3, 2)"},
        {"dot(vec3(1, 2, 3), vec3(4, 5, 6))", "32"},
        {"length(vec2(3, 4))", "5.000000"},
        {"all(vec2(true, false))", "false"},
        {"any(vec2(true, false))", "true"},
        {"countOneBits(255u)", "8"},
        {"firstLeadingBit(256u)", "8"},
        {"firstTrailingBit(8u)", "3"},
        {"countLeadingZeros(1u)", "31"},
        {"reverseBits(1u)", "2147483648"},
        {"extractBits(0xF0u, 4u, 4u)", "15"},
        {"extractBits(-16i, 4u, 4u)", "-1"},
        {"insertBits(0u, 3u, 4u, 2u)", "48"},
        {"quantizeToF16(1.0001)", "1.000000"},
        {"acosh(2.0)", "?"},
    };
    check_values(cases, TL_COUNT(cases));
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *source, *error;
    } cases[] = {
        {"const x = 1 / 0;", "1:11: division by zero in a constant"},
        {"const x = 1u % 0u;", "1:11: division by zero in a constant"},
        {"fn f(a: u32) { _ = a / 0; }", "1:20: division by zero in a constant"},
        {"const x = 9223372036854775807 + 1;",
         "1:11: the value of this constant expression does not fit 'abstract-int'"},
        {"const x: i32 = 2147483648;", "1:16: the value (2147483648) cannot be represented as 'i32'"},
        {"const x = 4294967296u;", "1:11: the value '4294967296u' does not fit 'u32'"},
        {"const x = 2147483648i;", "1:11: the value '2147483648i' does not fit 'i32'"},
        {"const x = 1e39f;", "1:11: the value '1e39f' does not fit 'f32'"},
        {"const x = 70000.0h;", "1:11: the value '70000.0h' does not fit 'f16'"},
        {"const x = 1e400;", "1:11: the value '1e400' does not fit 'abstract-float'"},
        {"const x: f32 = 1e39;", "1:16: the value of this constant expression does not fit 'f32'"},
        {"const x = 1u << 32;",
         "1:11: the shift is too large for 'u32': it must be less than the width and keep all bits"},
        {"fn f(a: u32) { _ = a << 32; }",
         "1:20: the shift is too large for 'u32': it must be less than the width and keep all bits"},
        {"const x = sqrt(-1.0);", "1:11: the function is not defined for these constant arguments"},
        {"const x = i32(-2147483648) / -1i;", "1:11: the value of this constant expression does not fit 'i32'"},
        {"const_assert 1 + 1 == 3;", "1:1: const_assert failed: the condition is false"},
        {"const_assert 1;", "1:14: const_assert takes a 'bool', not 'abstract-int'"},
        {"fn f(a: bool) { const_assert a; }", "1:30: const_assert takes a constant expression"},
        {"const_assert 1 + 1 == 2; fn f() { const n = 4; const_assert n > 3; }", "ok"},
        {"override o = 1; const c = o;", "1:27: 'c' must be initialized with a constant expression"},
        {"var<private> v = 1; const c = v;", "1:31: 'c' must be initialized with a constant expression"},
        {"fn f(a: u32) { const c = a; }", "1:26: 'c' must be initialized with a constant expression"},
        {"var<private> a = 1; var<private> b = a;",
         "1:38: 'b' must be initialized with a constant or override expression"},
    };
    for (size_t k = 0; k < TL_COUNT(cases); k++) {
        const char *found = resolve_error(cases[k].source);
        if (strcmp(found, cases[k].error) != 0) print_message("%s\n", cases[k].source);
        assert_string_equal(found, cases[k].error);
    }
}

static void sizes_from_constants(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read("const W = 16; const H = W / 2; const N = u32(log2(f32(W * H))) + 1u;\n"
                                       "var<workgroup> tile: array<array<f32, W + 2>, H>;\n"
                                       "var<workgroup> steps: array<u32, N>;\n"
                                       "@compute @workgroup_size(W, H) fn f() { tile[0][0] = 1; steps[0] = 1; }");
    assert_non_null(m);
    assert_string_equal(resolve_type_of(m, "tile"), "array<array<f32, 18>, 8>");
    assert_string_equal(resolve_type_of(m, "steps"), "array<u32, 8>");
    const telar_wgsl_entry *entry = &resolve_reflect(m, NULL, 0)->entries[0];
    assert_int_equal(entry->workgroup_size[0], 16);
    assert_int_equal(entry->workgroup_size[1], 8);
    assert_int_equal(entry->workgroup_bytes, 576 + 32);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-13 * (1 + fabs(b));
}

static void own_functions(void **state)
{
    (void)state;
    for (int k = -400; k <= 400; k++) {
        double x = k * 0.05;
        assert_true(near(tl_sine(x), sin(x)));
        assert_true(near(tl_cosine(x), cos(x)));
        assert_true(near(tl_arc_tangent(x), atan(x)));
        assert_true(near(tl_exponential(x) / exp(x), 1));
        assert_true(near(tl_base2_power(x) / exp2(x), 1));
        assert_true(tl_floor(x) == floor(x) && tl_truncate(x) == trunc(x) && tl_round_even(x) == nearbyint(x));
        double y = exp(x);
        assert_true(near(tl_logarithm(y), log(y)));
        assert_true(near(tl_base2_logarithm(y), log2(y)));
        assert_true(near(tl_square_root(y) / sqrt(y), 1));
    }
    assert_true(tl_round_f16(2049.0) == 2048.0 && tl_round_f16(2051.0) == 2052.0 && tl_round_f16(65519.0) == 65504.0);
    assert_true(isinf(tl_round_f16(65520.0)) && tl_round_f16(5.9604644775390625e-8) == 5.9604644775390625e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(refused),
        cmocka_unit_test(sizes_from_constants),
        cmocka_unit_test(own_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
