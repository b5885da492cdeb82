/* SPDX-License-Identifier: MIT
 *
 * The resolver: what it accepts, the full texts of what it refuses, types, declarations, queries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl_resolve_help.h"

#include <stdlib.h>
#include <string.h>

typedef struct text_case {
    const char *source;
    const char *expected;
} text_case;

static void check_errors(const text_case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *found = resolve_error(cases[k].source);
        if (strcmp(found, cases[k].expected) != 0) print_message("in: %s\n", cases[k].source);
        assert_string_equal(found, cases[k].expected);
    }
}

static void names(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"fn f() { g(); } fn g() {}", "ok"},
        {"const a = b; const b = 1;", "ok"},
        {"fn f(i: u32) { let j = i; { let j = f32(j); } }", "ok"},
        {"fn f() { var min = 1; min++; } fn g() -> i32 { return min(1, 2); }", "ok"},
        {"fn f() { x = 1; }", "1:10: 'x' is not declared"},
        {"var<private> total: i32; fn f() { totl = 1; }", "1:35: 'totl' is not declared; did you mean 'total'?"},
        {"fn f() { _ = clmp(1, 2, 3); }", "1:14: 'clmp' is not declared; did you mean 'clamp'?"},
        {"fn f() { let a = 1; let a = 2; }", "1:25: 'a' is declared twice in the same scope"},
        {"fn f(a: i32) { var a = 1; }", "1:20: 'a' is declared twice in the same scope"},
        {"fn f() {} var<private> f: i32;", "1:24: 'f' is declared twice in the same scope"},
        {"fn f() { { let a = 1; } _ = a; }", "1:29: 'a' is not declared"},
        {"fn f() { for (var i = 0; i < 4; i++) {} i = 1; }", "1:41: 'i' is not declared"},
        {"const a = b; const b = a;", "1:7: 'a' depends on itself"},
        {"struct S { s: S }", "1:8: 'S' depends on itself"},
        {"alias A = A;", "1:7: 'A' depends on itself"},
        {"fn f() { f(); }", "1:10: 'f' is called recursively, which WGSL does not allow"},
        {"fn f() { g(); } fn g() { f(); }", "1:26: 'f' is called recursively, which WGSL does not allow"},
        {"struct S { a: i32, a: f32 }", "1:20: the member 'a' is declared twice"},
        {"fn f() { _ = f; }", "1:14: 'f' is a function, not a value"},
        {"fn f() { _ = u32; }", "1:14: 'u32' is a type, not a value"},
        {"fn f() { let x = 1; x(); }", "1:21: 'x' is not a function"},
        {"@group(0) @binding(0) var<storage> storage: array<u32>;",
         "1:27: 'storage' means what the module declares by this name, not the address space; rename the declaration"},
    };
    check_errors(cases, TL_COUNT(cases));
}

static void types(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"fn f() { var v: vec4f; v = vec3f(); }", "1:28: cannot assign 'vec3<f32>' to 'v' of type 'vec4<f32>'"},
        {"fn f() { var v: u32 = 1i; }", "1:23: cannot initialize 'v' of type 'u32' with 'i32'"},
        {"fn f() { var v: u32 = -1; }", "1:23: the value (-1) cannot be represented as 'u32'"},
        {"fn f(a: u32, b: i32) { _ = a + b; }", "1:30: the operator '+' cannot be used on 'u32' and 'i32'"},
        {"fn f(a: f32) { _ = a & 1; }", "1:22: the operator '&' cannot be used on 'f32' and 'abstract-int'"},
        {"fn f(a: vec2f, b: vec3f) { _ = a * b; }",
         "1:34: the operator '*' cannot be used on 'vec2<f32>' and 'vec3<f32>'"},
        {"fn f(a: mat2x3f, b: vec2f) -> vec3f { return a * b; }", "ok"},
        {"fn f(a: mat2x3f, b: vec3f) -> vec2f { return b * a; }", "ok"},
        {"fn f(a: u32) { if a { } }", "1:19: the condition of if must be 'bool', not 'u32'"},
        {"fn f(a: bool) { _ = -a; }", "1:21: the operator '-' cannot be used on 'bool'"},
        {"fn f(a: u32) { _ = 1 << a; _ = a >> 31; }", "ok"},
        {"fn f(a: i32) { _ = 1u << a; }", "1:23: the operator '<<' cannot be used on 'u32' and 'i32'"},
        {"fn f() -> f32 { return 1u; }", "1:24: 'f' must return 'f32', not 'u32'"},
        {"fn f() { return 1; }", "1:17: 'f' has no result, so it cannot return 'abstract-int'"},
        {"fn f() -> f32 { return; }", "1:17: 'f' must return 'f32'"},
        {"fn f(b: bool) -> f32 { if b { return 1; } }", "1:43: 'f' ends without returning 'f32'"},
        {"fn f(b: bool) -> f32 { if b { return 1; } else { return 2; } }", "ok"},
        {"fn f() -> f32 { loop { return 1; } }", "ok"},
        {"fn f() -> f32 { loop { break; } }", "1:33: 'f' ends without returning 'f32'"},
        {"fn f() -> f32 { for (;;) { if true { return 1; } } }", "ok"},
        {"fn f(i: i32) -> i32 { switch i { case 1: { return 1; } default: { return 2; } } }", "ok"},
        {"fn f(i: i32) -> i32 { switch i { case 1: { break; } default: { return 2; } } }",
         "1:78: 'f' ends without returning 'i32'"},
        {"fn g(a: f32, b: u32) {} fn f() { g(1); }", "1:34: 'g' takes 2 arguments, found (1)"},
        {"fn g(a: f32, b: u32) {} fn f() { g(1, 2.5); }",
         "1:39: argument (2) of 'g' must be 'u32', not 'abstract-float'"},
        {"fn g(a: f32) {} fn f() { g(vec2f()); }", "1:28: argument (1) of 'g' must be 'f32', not 'vec2<f32>'"},
        {"fn f(a: f32) { a = 1; }", "1:16: cannot assign to 'a': it is a parameter; copy it to a 'var'"},
        {"fn f() { let a = 1; a += 1; }", "1:21: cannot assign to 'a': it is declared with 'let'; use 'var'"},
        {"@group(0) @binding(0) var<storage> s: array<u32>; fn f() { s[0] = 1; }",
         "1:60: cannot assign to 's[0]': it is read-only"},
        {"@group(0) @binding(0) var<uniform> u: vec4f; fn f() { u.x = 1; }",
         "1:55: cannot assign to 'u.x': it is read-only"},
        {"fn f() { min(1, 2); }", "1:10: the result of 'min' must be used; assign it to '_' to drop it"},
        {"fn f() { _ = min(1u, 2i); }", "1:14: 'min' cannot be called with (u32, i32)"},
        {"fn f() { _ = dot(vec2f(), vec3f()); }", "1:14: 'dot' cannot be called with (vec2<f32>, vec3<f32>)"},
        {"fn f(x: u32) { _ = sqrt(x); }", "1:20: 'sqrt' cannot be called with (u32)"},
        {"fn f() { let v = vec3f(); _ = v.w; }", "1:33: 'vec3<f32>' has no component 'w'"},
        {"struct S { a: i32 } fn f(s: S) { _ = s.b; }", "1:40: 'S' has no member 'b'"},
        {"fn f(x: u32) { _ = x.y; }", "1:22: 'u32' has no member 'y'"},
        {"fn f(x: u32) { _ = x[0]; }", "1:20: 'u32' cannot be indexed"},
        {"fn f(x: vec2f) { _ = x[1.5]; }", "1:24: an index must be an 'i32' or 'u32', not 'abstract-float'"},
        {"fn f(x: array<f32, 4>) { _ = x[4]; }", "1:32: the index (4) is outside 'array<f32, 4>' (4 elements)"},
        {"fn f(x: vec3f) { _ = x[-1]; }", "1:24: the index (-1) is negative"},
        {"fn f() { _ = vec3f(1, 2); }", "1:14: 'vec3<f32>' cannot be constructed from these 2 arguments"},
        {"fn f() { _ = array<u32, 3>(1, 2); }", "1:14: 'array<u32, 3>' takes (3) elements, found (2)"},
        {"struct S { a: i32, b: f32 } fn f() { _ = S(1); }", "1:42: 'S' has (2) members, found (1) values"},
        {"fn f() { _ = vec2<vec2f>(); }", "1:19: a vector's component cannot be 'vec2<f32>'"},
        {"fn f(n: u32) { var a: array<u32, n>; }", "1:34: an array's size must be a constant or override expression"},
        {"var<private> a: array<u32, 0>;", "1:28: an array's size (0) must be at least (1)"},
        {"fn f() { var a: atomic<u32>; }",
         "1:14: 'a' in the address space 'function' cannot have the type 'atomic<u32>'"},
        {"var<workgroup> a: atomic<u32>; fn f() { a = 1; }", "1:41: an atomic is written with atomicStore"},
        {"var<workgroup> a: atomic<u32>; fn f() { _ = a + 1; }", "1:45: an atomic is read with atomicLoad"},
        {"var<workgroup> a: u32; fn f() { atomicAdd(&a, 1); }",
         "1:33: 'atomicAdd' cannot be called with (ptr<workgroup, u32, read_write>, abstract-int)"},
        {"fn f() { let p = &1; }", "1:18: cannot take the address of a value: '&' needs a variable"},
        {"fn f() { var v: vec2u; let p = &v.x; }", "1:32: cannot take the address of a component of a vector"},
        {"fn f() { var v: vec2u; let p = &(v[1]); }", "1:32: cannot take the address of a component of a vector"},
        {"fn f() { var m: mat2x2f; let p = &m[1]; }", "ok"},
        {"fn f(x: u32) { _ = *x; }", "1:20: cannot dereference 'u32': it is no pointer"},
        {"struct S { a: array<u32>, b: u32 }", "1:12: 'a' is runtime-sized and must be the last member"},
        {"var<private> a: array<u32>;", "1:14: 'a' in the address space 'private' cannot have the type 'array<u32>'"},
        {"var a: u32;", "1:5: the module-scope variable 'a' needs an address space, as in var<private>, "
                        "var<workgroup>, var<storage, read_write>, var<uniform>"},
        {"fn f() { switch 1 { case 1: {} } }", "1:10: a switch has one default, found (0)"},
        {"fn f() { switch 1 { case 1: {} case 1: {} default: {} } }", "1:37: the case selector '1' appears twice"},
        {"fn f() { break; }", "1:10: 'break' stands outside of a loop or switch"},
        {"fn f() { switch 1 { default: { continue; } } }", "1:32: 'continue' stands outside of a loop"},
    };
    check_errors(cases, TL_COUNT(cases));
}

static void attributes(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"@compute @workgroup_size(0) fn f() {}", "1:26: a workgroup size (0) must be at least (1)"},
        {"@compute @workgroup_size(8, -1) fn f() {}", "1:29: a workgroup size (-1) must be at least (1)"},
        {"@compute @workgroup_size(1.5) fn f() {}",
         "1:26: @workgroup_size takes an 'i32' or 'u32', not 'abstract-float'"},
        {"@compute fn f() {}", "1:13: the compute entry point 'f' needs @workgroup_size"},
        {"@compute @workgroup_size(1) fn f() -> u32 { return 1; }",
         "1:39: the compute entry point 'f' cannot return a value"},
        {"@compute @workgroup_size(1) fn f(@builtin(global_invocation_id) i: u32) {}",
         "1:34: @builtin(global_invocation_id) must be 'vec3<u32>', not 'u32'"},
        {"@compute @workgroup_size(1) fn f(@builtin(globl_invocation_id) i: vec3u) {}",
         "1:43: 'globl_invocation_id' is no built-in value"},
        {"@compute @workgroup_size(1) fn f(@builtin(vertex_index) i: u32) {}",
         "1:34: @builtin(vertex_index) does not exist in a compute shader"},
        {"@compute @workgroup_size(1) fn f(i: vec3u) {}",
         "1:34: an entry point's input or output needs @builtin or @location"},
        {"@compute @workgroup_size(1) fn f() {} fn g() { f(); }", "1:48: the entry point 'f' cannot be called"},
        {"@group(-1) @binding(0) var<uniform> u: u32;", "1:8: @group (-1) must be from (0) to (2147483647)"},
        {"struct S { @align(3) a: u32 }", "1:12: @align (3) must be a power of two"},
        {"struct S { @size(2) a: u32 }", "1:12: @size (2) must be at least the size of 'u32' (4)"},
        {"override o: u32; struct S { @size(o) a: u32 }", "1:35: @size takes a constant expression"},
        {"@id(70000) override o: u32;", "1:5: @id (70000) must be from (0) to (65535)"},
        {"@group(0) @binding(0) var<workgroup> w: u32;",
         "1:1: 'w' in the address space 'workgroup' takes no @group and @binding"},
    };
    check_errors(cases, TL_COUNT(cases));
}

static void unknown_is_silent(void **state)
{
    (void)state;
    static const char source[] = "enable chromium_experimental_subgroup_matrix;\n"
                                 "fn f() {\n"
                                 "    var m: subgroup_matrix_left<f32, 8, 8>;\n"
                                 "    let n = subgroupMatrixMultiply<f32>(m, m);\n"
                                 "    _ = n.x + vec3(1) * m;\n"
                                 "}";
    assert_string_equal(resolve_error(source), "ok");
}

static void report_all(void *user, const telar_diag *diag)
{
    (void)diag;
    ++*(unsigned *)user;
}

static void errors_do_not_cascade(void **state)
{
    (void)state;
    static const char source[] = "fn f() { let a = nothing; let b = a + vec2f(); if b { } _ = b.x; _ = sqrt(b) + b; }\n"
                                 "fn g() -> u32 { return 1.5; }";
    size_t cap = telar_wgsl_arena_bytes(sizeof source);
    telar_arena arena = telar_arena_make(malloc(cap), cap);
    unsigned count = 0;
    telar_wgsl *module;
    assert_int_equal(telar_wgsl_read_report(source, sizeof source - 1, &arena, report_all, &count, &module, NULL),
                     TELAR_INVALID_WGSL);
    assert_int_equal(count, 2);
    free(arena.data);
}

static void inferred_types(void **state)
{
    (void)state;
    static const struct {
        const char *source, *name, *type;
    } cases[] = {
        {"const x = 1;", "x", "abstract-int"},
        {"const x = 1 + 1.5;", "x", "abstract-float"},
        {"fn f() { let x = 1; }", "x", "i32"},
        {"fn f() { let x = 1.0; }", "x", "f32"},
        {"fn f(u: u32) { let x = u * 2; }", "x", "u32"},
        {"fn f() { let x = vec3(1, 2u, 3); }", "x", "vec3<u32>"},
        {"fn f() { let x = array(1, 2.5); }", "x", "array<f32, 2>"},
        {"fn f() { let x = mat2x2(1, 2, 3, 4); }", "x", "mat2x2<f32>"},
        {"fn f(m: mat3x2f) { let x = transpose(m) * m; }", "x", "mat3x3<f32>"},
        {"fn f(v: vec4f) { let x = v.wz; }", "x", "vec2<f32>"},
        {"fn f(v: vec4f) { let x = v < vec4f(1); }", "x", "vec4<bool>"},
        {"var<private> g: array<vec2u, 3>; fn f() { let x = &g[1]; }", "x", "ptr<private, vec2<u32>, read_write>"},
        {"var<private> g: array<vec2u, 3>; fn f(i: u32) { let p = &g; let x = p[i].y; }", "x", "u32"},
        {"@group(0) @binding(0) var t: texture_2d<u32>; fn f() { let x = textureLoad(t, vec2(1, 2), 0); }", "x",
         "vec4<u32>"},
        {"@group(0) @binding(0) var t: texture_depth_2d; fn f() { let x = textureDimensions(t); }", "x", "vec2<u32>"},
        {"enable f16; fn f(h: f16) { let x = h * 2; }", "x", "f16"},
        {"var<workgroup> a: atomic<i32>; fn f() { let x = atomicAdd(&a, 1); }", "x", "i32"},
        {"var<workgroup> a: atomic<u32>; fn f() { let x = atomicCompareExchangeWeak(&a, 1, 2).exchanged; }", "x",
         "bool"},
        {"fn f() { let x = frexp(vec2f(1)).exp; }", "x", "vec2<i32>"},
        {"fn f() { let x = select(1, 2u, true); }", "x", "u32"},
        {"fn f(x: f32) { let y = pow(x, 2); }", "y", "f32"},
        {"fn f() { let x = bitcast<vec2<f32>>(vec2u(1)); }", "x", "vec2<f32>"},
        {"var<workgroup> w: vec3u; fn f() { let x = workgroupUniformLoad(&w); }", "x", "vec3<u32>"},
        {"fn f() { let x = subgroupBallot(true); }", "x", "vec4<u32>"},
    };
    for (size_t k = 0; k < TL_COUNT(cases); k++) {
        const telar_wgsl *m = resolve_read(cases[k].source);
        if (m == NULL) print_message("%s\n%s\n", cases[k].source, resolve_diag.text);
        assert_string_equal(resolve_type_of(m, cases[k].name), cases[k].type);
    }
}

static void queries(void **state)
{
    (void)state;
    const telar_wgsl *m =
        resolve_read("@group(0) @binding(0) var<storage, read_write> s: array<u32>;\n"
                     "@group(2) @binding(1) var<storage> t: array<u32>;\n"
                     "struct In { @builtin(workgroup_id) g: vec3u, @builtin(local_invocation_id) l: vec3u }\n"
                     "@compute @workgroup_size(64) fn f(in: In, @builtin(global_invocation_id) id: vec3u) {\n"
                     "    let i = id.x;\n"
                     "    s[i] = t[s[i + 1]] + arrayLength(&s);\n"
                     "    _ = (in).l;\n"
                     "}");
    uint32_t s = resolve_declared(m, "s"), t = resolve_declared(m, "t"), f = resolve_declared(m, "f");
    uint32_t references = 0;
    for (uint32_t node = 0; (node = tl_query_next_reference(m, s, node)) != 0;) {
        assert_int_equal(tl_query_declaration(m, node), s);
        references++;
    }
    assert_int_equal(references, 3);
    tl_array_access access = {0};
    uint32_t accesses = 0;
    while (tl_query_next_access(m, s, access.node, &access)) accesses++;
    assert_int_equal(accesses, 2);
    assert_true(tl_query_next_access(m, t, 0, &access));
    assert_int_equal(tl_query_other_reference(m, t), 0);
    uint32_t other = tl_query_other_reference(m, s);
    assert_int_not_equal(other, 0);
    assert_int_equal(m->source[tl_node_begin(m, other) - 1], '&');
    assert_int_equal(tl_query_free_group(m), 1);
    assert_true(tl_query_spells(m, TL_STR("id")));
    assert_false(tl_query_spells(m, TL_STR("telar_main")));
    tl_builtin_place place;
    assert_true(tl_query_builtin_place(m, f, TL_VALUE_global_invocation_id, &place));
    assert_int_equal(place.param, resolve_declared(m, "id"));
    assert_true(tl_query_builtin_place(m, f, TL_VALUE_local_invocation_id, &place));
    assert_int_equal(place.member, resolve_declared(m, "l"));
    uint32_t found = 0;
    for (uint32_t node = 1; node < m->node_count; node++) {
        found += m->nodes[node].kind == TL_NODE_MEMBER_ACCESS && tl_query_is_place(m, node, place);
    }
    assert_int_equal(found, 1);
    assert_false(tl_query_builtin_place(m, f, TL_VALUE_num_workgroups, &place));
    assert_int_equal(tl_query_global(m, TL_STR("t")), t);
}

static void deep_and_long(void **state)
{
    (void)state;
    /* A chain of constants in the order that needs the deepest walk ends with an error, not with the stack. */
    enum {
        COUNT = 3000
    };
    char *source = malloc(COUNT * 32);
    telar_out out = {.data = source, .cap = COUNT * 32};
    for (int k = 0; k < COUNT; k++) tl_out_format(&out, "const c%d = c%d;\n", k, k + 1);
    tl_out_format(&out, "const c%d = 1;", COUNT);
    assert_non_null(strstr(resolve_error(source), "nested too deeply"));
    /* A chain of operators is no nesting. */
    out = (telar_out){.data = source, .cap = COUNT * 32};
    tl_out_text(&out, "fn f(x: u32) -> u32 { return x");
    for (int k = 0; k < COUNT * 4; k++) tl_out_text(&out, " + x");
    tl_out_text(&out, "; }");
    assert_string_equal(resolve_error(source), "ok");
    free(source);
}

static void small_arenas(void **state)
{
    (void)state;
    static const char source[] =
        "struct S { a: vec3f, b: array<u32, 4> } fn f(i: u32) -> f32 { let s = S(); return s.a.x; }";
    size_t cap = 64;
    for (;;) {
        telar_arena arena = telar_arena_make(malloc(cap), cap);
        telar_wgsl *module;
        telar_status status = telar_wgsl_read(source, sizeof source - 1, &arena, &module, NULL);
        if (status != TELAR_OK) {
            assert_int_equal(status, TELAR_NO_SPACE);
            assert_true(arena.needed > cap);
        }
        free(arena.data);
        if (status == TELAR_OK) break;
        cap += 64;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(types),
        cmocka_unit_test(attributes),
        cmocka_unit_test(unknown_is_silent),
        cmocka_unit_test(errors_do_not_cascade),
        cmocka_unit_test(inferred_types),
        cmocka_unit_test(queries),
        cmocka_unit_test(deep_and_long),
        cmocka_unit_test(small_arenas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
