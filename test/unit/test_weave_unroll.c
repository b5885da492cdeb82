/* SPDX-License-Identifier: MIT
 *
 * Unrolling: what becomes straight lines, what stays as it is, and that the result is valid and final. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <telar/wgsl.h>

#include "base/base.h"
#include "weave/weave.h"

static uint8_t memory[1 << 22];
static bool is_final = true; /* what is unrolled must have nothing left to unroll */

/* The text unrolled, as long as the next call is not made. It must be valid. */
static const char *unrolled_module(const char *source)
{
    telar_arena arena = telar_arena_make(memory, sizeof memory);
    telar_diag diag = {0};
    telar_wgsl *module;
    tl_str once, twice;
    if (telar_wgsl_read(source, strlen(source), &arena, &module, &diag) != TELAR_OK) fail_msg("%s", diag.text);
    if (tl_unroll(module, &arena, &once, &diag) != TELAR_OK) fail_msg("%s", diag.text);
    if (telar_wgsl_read(once.data, once.len, &arena, &module, &diag) != TELAR_OK) {
        fail_msg("%s\n%.*s", diag.text, TL_STR_ARGS(once));
    }
    if (tl_unroll(module, &arena, &twice, &diag) != TELAR_OK) fail_msg("%s", diag.text);
    if (is_final) {
        assert_int_equal(once.len, twice.len);
        assert_memory_equal(once.data, twice.data, once.len);
    }
    static char text[1 << 16];
    assert_in_range(once.len, 0, sizeof text - 1);
    memcpy(text, once.data, once.len);
    text[once.len] = 0;
    return text;
}

#define BEFORE                                                                                                         \
    "const FOUR = 4u;\n"                                                                                               \
    "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"                                                  \
    "fn f(i: u32) -> u32 { return i; }\n"                                                                              \
    "@compute @workgroup_size(1) fn main() {\n"
#define AFTER "\n}\n"

/* The body of an entry point, unrolled. */
static const char *unrolled(const char *body)
{
    static char source[1 << 14], text[1 << 16];
    snprintf(source, sizeof source, "%s%s%s", BEFORE, body, AFTER);
    const char *whole = unrolled_module(source);
    size_t len = strlen(whole);
    assert_in_range(len, strlen(BEFORE) + strlen(AFTER), sizeof text);
    assert_memory_equal(whole, BEFORE, strlen(BEFORE));
    memcpy(text, whole + strlen(BEFORE), len - strlen(BEFORE) - strlen(AFTER));
    text[len - strlen(BEFORE) - strlen(AFTER)] = 0;
    return text;
}

typedef struct unroll_case {
    const char *body, *text;
} unroll_case;

static void check(const unroll_case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) assert_string_equal(unrolled(cases[k].body), cases[k].text);
}

static void check_unchanged(const char *const *bodies, size_t count)
{
    for (size_t k = 0; k < count; k++) assert_string_equal(unrolled(bodies[k]), bodies[k]);
}

static void loops(void **state)
{
    (void)state;
    static const unroll_case cases[] = {
        {"for (var k = 0u; k < 3u; k++) { d[k] = f(k); }",
         "{ d[0u] = f(0u); }\n{ d[1u] = f(1u); }\n{ d[2u] = f(2u); }"},
        {"for (var k = 0; k < 2; k++) { d[k] = 1u; }", "{ d[0i] = 1u; }\n{ d[1i] = 1u; }"},
        {"for (var k = FOUR; k > 2u; k--) { d[k] = 1u; }", "{ d[4u] = 1u; }\n{ d[3u] = 1u; }"},
        {"for (var k = 1u; k <= FOUR * 2u; k <<= 2u) { d[k] = 1u; }", "{ d[1u] = 1u; }\n{ d[4u] = 1u; }"},
        {"for (var k = 0u; k != 4u; k += 2u) { d[k] = k; }", "{ d[0u] = 0u; }\n{ d[2u] = 2u; }"},
        {"for (var k = 16u; k > 0u; k /= 4u) { d[k] = 1u; }", "{ d[16u] = 1u; }\n{ d[4u] = 1u; }\n{ d[1u] = 1u; }"},
        /* None at all. */
        {"for (var k = 4u; k < 4u; k++) { d[k] = 1u; }", ""},
        /* Bounds of the variables around. */
        {"for (var a = 0u; a < 2u; a++) { for (var b = a; b < 2u; b++) { d[a * 2u + b] = 1u; } }",
         "{ { d[0u * 2u + 0u] = 1u; }\n{ d[0u * 2u + 1u] = 1u; } }\n{ { d[1u * 2u + 1u] = 1u; } }"},
        /* A return leaves the function as it did. */
        {"for (var k = 0u; k < 2u; k++) { if (d[k] == 7u) { return; } }",
         "{ if (d[0u] == 7u) { return; } }\n{ if (d[1u] == 7u) { return; } }"},
        /* A name that hides the variable is another one. */
        {"for (var k = 0u; k < 1u; k++) { d[k] = 1u; { let k = 5u; d[k] = k; } }",
         "{ d[0u] = 1u; { let k = 5u; d[k] = k; } }"},
    };
    check(cases, TL_COUNT(cases));
}

static void loops_that_stay(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "for (var k = 0u; k < d[0]; k++) { d[k] = 1u; }",
        "for (var k = d[0]; k < 4u; k++) { d[k] = 1u; }",
        "for (var k = 0u; k < 4u; k += d[0]) { d[k] = 1u; }",
        "for (var k = 0u; k < 4u; k++) { if (d[k] == 0u) { break; } }",
        "for (var k = 0u; k < 4u; k++) { if (d[k] == 0u) { continue; } d[k] = 1u; }",
        "for (var k = 0u; k < 4u; k++) { d[k] = 1u; k += 1u; }",
        "for (var k = 0u; k < 4u; k++) { let p = &k; *p += 1u; }",
        "for (var k = 0u; k < 129u; k++) { d[k] = 1u; }",
        "var k = 0u; for (; k < 4u; k++) { d[k] = 1u; }",
        "for (var k = 0u; ; k++) { if (k == 4u) { break; } }",
        "var k = 0u; while (k < 4u) { k++; }",
        "loop { d[0] = 1u; break; }",
    };
    check_unchanged(bodies, TL_COUNT(bodies));
}

/* Only entry points are unrolled: what they call stays short. */
static void functions_that_stay(void **state)
{
    (void)state;
    const char *source = "fn g() -> u32 {\n    var x: array<u32, 2>;\n"
                         "    for (var k = 0u; k < 2u; k++) { x[k] = k; }\n    return x[1];\n}\n"
                         "@compute @workgroup_size(1) fn main() { _ = g(); }\n";
    assert_string_equal(unrolled_module(source), source);
}

static void arrays(void **state)
{
    (void)state;
    static const unroll_case cases[] = {
        {"var x: array<u32, 2>; for (var k = 0u; k < 2u; k++) { x[k] = f(k); } d[0] = x[0] + x[1];",
         "var x_0: u32; var x_1: u32; { x_0 = f(0u); }\n{ x_1 = f(1u); } d[0] = x_0 + x_1;"},
        {"var x: array<vec4<f32>, FOUR / 2>; x[FOUR - 3u].y = 1.0; d[0] = u32(x[1].y);",
         "var x_0: vec4<f32>; var x_1: vec4<f32>; x_1.y = 1.0; d[0] = u32(x_1.y);"},
        /* Where a variable of the loop is left over, it is a constant. */
        {"var x: array<u32, 4>; for (var k = 0u; k < 2u; k++) { x[k * 2u + 1u] += k; }",
         "var x_0: u32; var x_1: u32; var x_2: u32; var x_3: u32; { x_1 += 0u; }\n{ x_3 += 1u; }"},
    };
    check(cases, TL_COUNT(cases));
}

/* Of arrays of arrays the outer one becomes variables; the inner ones would in another turn. */
static void arrays_of_arrays(void **state)
{
    (void)state;
    is_final = false;
    assert_string_equal(unrolled("var x: array<array<u32, 2>, 2>; for (var k = 0u; k < 2u; k++) { x[k][k] = 1u; }"),
                        "var x_0: array<u32, 2>; var x_1: array<u32, 2>; { x_0[0u] = 1u; }\n{ x_1[1u] = 1u; }");
    is_final = true;
}

static void arrays_that_stay(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "var x: array<u32, 2>; x[d[0]] = 1u; x[0] = 2u;", /* a place that is not constant */
        "var x = array<u32, 2>(1u, 2u); d[0] = x[0];",    /* with an initialiser */
        "var x: array<u32, 2>; let y = x; d[0] = y[1] + x[0];",
        "var x: array<u32, 2>; let p = &x; d[0] = (*p)[1] + x[0];",
        "let k = 1u; var x: array<u32, 2>; x[k] = 1u;",
        "var v: vec4u; v[1] = 2u; d[0] = v.y;",
    };
    check_unchanged(bodies, TL_COUNT(bodies));
}

/* A loop that stays keeps the arrays that it walks through. */
static void both(void **state)
{
    (void)state;
    static const unroll_case cases[] = {
        {"var x: array<u32, 4>; for (var k = 0u; k < d[0]; k++) { x[k] = 1u; }\n"
         "for (var k = 0u; k < 2u; k++) { d[k] = x[k]; }",
         "var x: array<u32, 4>; for (var k = 0u; k < d[0]; k++) { x[k] = 1u; }\n"
         "{ d[0u] = x[0u]; }\n{ d[1u] = x[1u]; }"},
        {"for (var t = 0u; t < d[0]; t++) { var x: array<u32, 2>;\n"
         "for (var k = 0u; k < 2u; k++) { x[k] = t; } d[t] = x[1]; }",
         "for (var t = 0u; t < d[0]; t++) { var x_0: u32; var x_1: u32;\n"
         "{ x_0 = t; }\n{ x_1 = t; } d[t] = x_1; }"},
    };
    check(cases, TL_COUNT(cases));
}

static void no_room(void **state)
{
    (void)state;
    const char *source = BEFORE "for (var k = 0u; k < 100u; k++) { d[k] = f(k); }" AFTER;
    telar_diag diag = {0};
    telar_wgsl *module;
    tl_str text;
    telar_arena arena = telar_arena_make(memory, sizeof memory);
    assert_int_equal(telar_wgsl_read(source, strlen(source), &arena, &module, &diag), TELAR_OK);
    size_t used = arena.used;
    /* Every smaller arena is a status, not a fault. */
    bool fits = false;
    for (size_t room = 0; !fits; room += 64) {
        arena.used = used;
        arena.cap = used + room;
        telar_status status = tl_unroll(module, &arena, &text, &diag);
        assert_true(status == TELAR_OK || status == TELAR_NO_SPACE);
        fits = status == TELAR_OK;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops),  cmocka_unit_test(loops_that_stay),  cmocka_unit_test(functions_that_stay),
        cmocka_unit_test(arrays), cmocka_unit_test(arrays_of_arrays), cmocka_unit_test(arrays_that_stay),
        cmocka_unit_test(both),   cmocka_unit_test(no_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
