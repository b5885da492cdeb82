/* SPDX-License-Identifier: MIT
 *
 * Rule "wgsl" beyond the reader: what only the checker refuses, and what looks like it and is right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <telar/check.h>

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

typedef struct text_case {
    const char *source;
    const char *expected; /* the findings of the rule, "line:column: message" and a line break each */
} text_case;

/* The findings of rule "wgsl". Static. */
static const char *found_in(const char *source)
{
    static char text[4096];
    telar_out out = {.data = text, .cap = sizeof text};
    telar_check_desc desc = {.source = source, .source_bytes = strlen(source)};
    size_t bytes = telar_check_arena_bytes(desc.source_bytes);
    void *memory = malloc(bytes);
    assert_non_null(memory);
    telar_arena arena = telar_arena_make(memory, bytes);
    telar_check_result result;
    assert_int_equal(telar_check(&desc, &arena, &result, NULL), TELAR_OK);
    text[0] = '\0';
    for (uint32_t k = 0; k < result.findings_count; k++) {
        const telar_finding *f = &result.findings[k];
        if (strcmp(f->rule, "wgsl") != 0) continue;
        assert_int_equal(f->severity, TELAR_SEVERITY_ERROR);
        tl_out_format(&out, "%u:%u: %s\n", f->line, f->column, f->message);
    }
    free(memory);
    return text;
}

static void check_all(const text_case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *found = found_in(cases[k].source);
        if (strcmp(found, cases[k].expected) != 0) print_message("in: %s\n", cases[k].source);
        assert_string_equal(found, cases[k].expected);
    }
}

static void loops(void **state)
{
    (void)state;
#define ENDLESS ": nothing ends this loop: it has no condition, break or return\n"
    static const text_case cases[] = {
        {"fn f() { loop { } }", "1:10" ENDLESS},
        {"fn f() { for (;;) { if true { continue; } } }", "1:10" ENDLESS},
        {"fn f(a: i32) { loop { switch a { default: { break; } } } }", "1:16" ENDLESS},
        {"fn f() { loop { loop { break; } } }", "1:10" ENDLESS},
        {"fn f() { loop { continue; break; } }", "1:10" ENDLESS},
        {"fn f() { loop { loop { } } }", "1:10" ENDLESS "1:17" ENDLESS},
        {"fn f() { loop { break; } }", ""},
        {"fn f() { for (;;) { if true { return; } } }", ""},
        {"fn f() { while true { } }", ""},
        {"fn f() { for (; true;) { } }", ""},
        {"fn f() { loop { continue; continuing { break if true; } } }", ""},
        {"fn f(a: i32) -> i32 { loop { switch a { case 1: { return 1; } default: { } } } }", ""},
    };
#undef ENDLESS
    check_all(cases, TL_COUNT(cases));
}

static void continuing(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"fn f() { loop { if true { continue; } let x = 1; continuing { _ = x; break if true; } } }",
         "1:67: 'continue' can come here past the declaration of 'x'\n"},
        {"fn f() { loop { let x = 1; if true { continue; } continuing { _ = x; break if true; } } }", ""},
        {"fn f() { loop { loop { if true { continue; } break; } let x = 1; continuing { _ = x; break if true; } } }",
         ""},
        {"fn f() { loop { if true { continue; } let x = 1; continuing { let x = 2; _ = x; break if true; } } }", ""},
    };
    check_all(cases, TL_COUNT(cases));
}

static void values(void **state)
{
    (void)state;
#define BUFFER "@group(0) @binding(0) var<storage, read_write> d: array<u32>; "
#define MIXED "the sizes of @workgroup_size must be all i32 or all u32\n"
    static const text_case cases[] = {
        {BUFFER "fn f() { _ = d; }", "1:76: a value with atomics or without a size cannot be assigned; write _ = &d\n"},
        {BUFFER "fn f() { _ = &d; _ = d[0]; }", ""},
        {"fn f(a: u32) -> u32 { return clamp(a, 3u, 2u); }", "1:30: clamp's low (3u) is above its high (2u)\n"},
        {"fn f(a: f32) -> f32 { return clamp(a, 1, -1); }", "1:30: clamp's low (1) is above its high (-1)\n"},
        {"fn f(a: u32, b: u32) -> u32 { return clamp(a, b, 2u) + clamp(a, 2u, 2u); }", ""},
        {"@compute @workgroup_size(1u, 1i) fn m() {}", "1:10: " MIXED},
        {"override x: u32; @compute @workgroup_size(x, 1i) fn m() {}", "1:27: " MIXED},
        {"const w = 8u; @compute @workgroup_size(1i, w * 2) fn m() {}", "1:24: " MIXED},
        {"const w = 8u; @compute @workgroup_size(w, 1) fn m() {}", ""},
        {"override x: u32; const y = 2; @compute @workgroup_size(x, y, (y * 2)) fn m() {}", ""},
        {"@id(1) override a: u32; @id(2) override b: u32; @id(1) override c: u32;",
         "1:49: @id(1) is the number of another override\n"},
        {"@group(0) @binding(0) var<storage> a: array<atomic<u32>, 4>;",
         "1:1: atomics need var<storage, read_write>, 'a' is read-only\n"},
        {"@group(0) @binding(0) var<uniform> a: u32; @group(0) @binding(0) var<uniform> b: u32; "
         "@compute @workgroup_size(1) fn m() { _ = a; _ = b; }",
         "1:44: 'a' and 'b' share @group(0) @binding(0), and 'm' uses both\n"},
        {"@group(0) @binding(0) var<uniform> a: u32; @group(0) @binding(0) var<uniform> b: u32; "
         "@compute @workgroup_size(1) fn m() { _ = a; } @compute @workgroup_size(1) fn n() { _ = b; }",
         ""},
    };
#undef MIXED
#undef BUFFER
    check_all(cases, TL_COUNT(cases));
}

static void interfaces(void **state)
{
    (void)state;
#define FLAT "integers between vertex and fragment stage need @interpolate(flat)\n"
    static const text_case cases[] = {
        {"struct V { @builtin(position) p: vec4f, @location(0) i: vec2u } @vertex fn m() -> V { return V(); }",
         "1:41: " FLAT},
        {"@fragment fn m(@location(0) i: u32) {}", "1:16: " FLAT},
        {"@fragment fn m(@location(0) @interpolate(linear) i: u32) {}", "1:16: " FLAT},
        {"struct V { @builtin(position) p: vec4f, @location(0) @interpolate(flat) i: u32 } "
         "@vertex fn m(@location(0) a: u32) -> V { return V(); } @fragment fn n(v: V) -> @location(0) u32 { return v.i; }",
         ""},
        {"struct V { @builtin(position) p: vec4f, @location(3) a: f32, @location(3) b: f32 } "
         "@vertex fn m() -> V { return V(); }",
         "1:62: 'm' has @location(3) twice\n"},
        {"@fragment fn m(@location(0) a: f32) -> @location(0) vec4f { return vec4f(); }", ""},
        {"@compute @workgroup_size(1) fn m(@builtin(workgroup_id) a: vec3u, @builtin(workgroup_id) b: vec3u) {}",
         "1:67: 'm' has @builtin(workgroup_id) twice\n"},
        {"@vertex fn m() -> @location(0) vec4f { return vec4f(); }",
         "1:12: the vertex entry point 'm' must return @builtin(position)\n"},
        {"@vertex fn m() { }", "1:12: the vertex entry point 'm' must return @builtin(position)\n"},
        {"@vertex fn m() -> @invariant @builtin(position) vec4f { return vec4f(); }", ""},
        {"@fragment fn m(@location(0) @invariant a: f32) {}", "1:29: @invariant stands with @builtin(position) only\n"},
    };
#undef FLAT
    check_all(cases, TL_COUNT(cases));
}

static void names_of_naga(void **state)
{
    (void)state;
#define NAGA(name) ": '" name "' is a name of naga, and not of WGSL\n"
    static const text_case cases[] = {
        {"fn f(a: i64) -> vec2<i64> { return vec2<i64>(a); }", "1:9" NAGA("i64")},
        {"var<push_constant> p: u32; fn f() -> u32 { return p; }", "1:5" NAGA("push_constant")},
        {"@group(0) @binding(0) var s: acceleration_structure; var<private> x: f64;",
         "1:30" NAGA("acceleration_structure") "1:70" NAGA("f64")},
        {"struct i64 { a: u32 } fn f(a: i64) -> u32 { return a.a; }", ""},
        {"enable f16; fn f(a: f16) -> vec2<f16> { return vec2(a); }", ""},
    };
#undef NAGA
    check_all(cases, TL_COUNT(cases));
}

static void stages(void **state)
{
    (void)state;
#define COMPUTE "@compute @workgroup_size(1) fn m() { g(); }"
#define FRAGMENT "@fragment fn m() { g(); }"
#define VERTEX "@vertex fn m() -> @builtin(position) vec4f { g(); return vec4f(); }"
#define REACHED "; the entry point 'm' reaches it\n"
#define STORAGE "@group(0) @binding(0) var<storage, read_write> d: u32; "
#define TEXTURE "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>; "
    static const text_case cases[] = {
        {"fn g() { _ = dpdx(1.0); } " COMPUTE, "1:14: 'dpdx' works in fragment shaders only" REACHED},
        {"fn g() { _ = dpdx(1.0); } " FRAGMENT, ""},
        {"fn g() { discard; } " COMPUTE, "1:10: 'discard' stands in fragment shaders only" REACHED},
        {"fn h() { workgroupBarrier(); } fn g() { h(); } " FRAGMENT,
         "1:10: 'workgroupBarrier' works in compute shaders only" REACHED},
        {"fn g() { workgroupBarrier(); } fn n() { _ = dpdx(1.0); } " COMPUTE, ""},
        {"var<workgroup> w: u32; fn g() { w = 1; } " FRAGMENT,
         "1:33: 'w' is workgroup memory, which compute shaders alone have" REACHED},
        {"var<workgroup> w: u32; fn g() { w = 1; } " COMPUTE, ""},
        {STORAGE "fn g() { d = 1; } " VERTEX,
         "1:65: 'd' is storage that can be written, which vertex shaders may not use" REACHED},
        {STORAGE "fn g() { d = 1; } " FRAGMENT, ""},
        {"@group(0) @binding(0) var<storage> d: u32; fn g() { _ = d; } " VERTEX, ""},
        {TEXTURE "fn g() { textureStore(t, vec2u(), vec4f()); } " VERTEX,
         "1:91: 't' is a texture that can be written, which vertex shaders may not use" REACHED},
        {"enable subgroups; fn g() { _ = subgroupAdd(1); } " VERTEX,
         "1:32: 'subgroupAdd' works in compute and fragment shaders only" REACHED},
    };
#undef COMPUTE
#undef FRAGMENT
#undef VERTEX
#undef REACHED
#undef STORAGE
#undef TEXTURE
    check_all(cases, TL_COUNT(cases));
}

static void aliases(void **state)
{
    (void)state;
#define BY(column, name, other)                                                                                        \
    "1:" column ": the call gets '" name "' by this pointer and by " other ", and writes by one of them\n"
#define COPY "fn f(a: ptr<function, u32>, b: ptr<function, u32>) { *a = *b; } "
    static const text_case cases[] = {
        {COPY "fn g() { var x = 1u; f(&x, &x); }", BY("92", "x", "another argument")},
        {COPY "fn g() { var x = 1u; let p = &x; f(&x, p); }", BY("104", "x", "another argument")},
        {COPY "fn g(p: ptr<function, u32>) { f(p, p); }", BY("100", "p", "another argument")},
        {"struct S { a: u32, b: u32 } " COPY "fn g() { var x = S(); f(&x.a, &x.b); }",
         BY("123", "x", "another argument")},
        {COPY "fn g() { var x = array<u32, 2>(); f(&x[0], &x[1]); }", BY("108", "x", "another argument")},
        {COPY "fn g() { var x = 1u; var y = 2u; f(&x, &y); }", ""},
        {"fn f(a: ptr<function, u32>, b: ptr<function, u32>) -> u32 { return *a + *b; } "
         "fn g() { var x = 1u; _ = f(&x, &x); }",
         ""},
        {"fn f(a: ptr<function, u32>, b: ptr<function, u32>) { *a = 1; } fn g() { var x = 1u; f(&x, &x); }", ""},
        {"var<private> v: u32; fn f(a: ptr<private, u32>) { *a = v; } fn g() { f(&v); }", BY("72", "v", "its name")},
        {"var<private> v: u32; fn h() { v++; } fn f(a: ptr<private, u32>) -> u32 { h(); return *a; } "
         "fn g() { _ = f(&v); }",
         BY("107", "v", "its name")},
        {"var<private> v: u32; var<private> u: u32; fn f(a: ptr<private, u32>) { *a = v; } fn g() { f(&u); v = 1; }",
         ""},
        {"var<workgroup> v: atomic<u32>; fn f(a: ptr<workgroup, atomic<u32>>) { atomicStore(a, 1u); } fn g() { f(&v); }",
         ""},
    };
#undef COPY
#undef BY
    check_all(cases, TL_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops),      cmocka_unit_test(continuing), cmocka_unit_test(values),
        cmocka_unit_test(interfaces), cmocka_unit_test(stages),     cmocka_unit_test(names_of_naga),
        cmocka_unit_test(aliases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
