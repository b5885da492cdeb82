/* SPDX-License-Identifier: MIT
 *
 * The rules of portability: three modules with the mistake and three without for each. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OUT "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n"
#define RUN(body) OUT "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32) {\n" body "\n}\n"
#define FLOATS                                                                                                         \
    "@group(0) @binding(1) var<storage, read_write> x: array<f32>;\n"                                                  \
    "@group(0) @binding(2) var<storage, read_write> cell: atomic<u32>;\n"

static const check_case cases[] = {
    /* missing-enable */
    FAULTY("missing-enable", ERROR, RUN("o[l] = subgroupAdd(l);")),
    FAULTY("missing-enable", ERROR, RUN("let x = f16(l); o[l] = u32(x);")),
    FAULTY("missing-enable", ERROR, RUN("let x = 1.5h; o[l] = u32(x);")),
    FAULTY("missing-enable", ERROR,
           OUT "@compute @workgroup_size(64) fn main(@builtin(subgroup_size) s: u32) { o[0] = s; }\n"),
    FAULTY("missing-enable", ERROR, "enable f16;\n" RUN("o[l] = subgroupAdd(l);")),
    CORRECT("missing-enable", "enable subgroups;\n" RUN("o[l] = subgroupAdd(l);")),
    CORRECT("missing-enable",
            "enable f16, subgroups;\n" RUN("let x = vec2<f16>(1.0h, f16(l)); o[l] = u32(subgroupAdd(x.x));")),
    CORRECT("missing-enable", RUN("o[l] = 0x1fu + l;")),

    /* naga-refuses */
    FAULTY("naga-refuses", NOTE, "enable subgroups;\n" RUN("o[l] = subgroupAdd(l);")),
    FAULTY("naga-refuses", NOTE,
           "var<workgroup> w: u32;\nfn f(p: ptr<workgroup, u32>) { *p = 1u; }\n" RUN("f(&w); o[l] = w;")),
    FAULTY("naga-refuses", NOTE, RUN("@diagnostic(off, derivative_uniformity) if (l == 0u) { o[0] = 1u; }")),
    FAULTY("naga-refuses", NOTE, "requires readonly_and_readwrite_storage_textures;\n" RUN("o[l] = 1u;")),
    FAULTY("naga-refuses", NOTE, "enable subgroups;\n" RUN("if (subgroupElect()) { o[0] = 1u; }")),
    CORRECT("naga-refuses", RUN("o[l] = l;")),
    CORRECT("naga-refuses", "fn f(p: ptr<function, u32>) { *p += 1u; }\n" RUN("var x = l; f(&x); o[l] = x;")),
    CORRECT("naga-refuses", "enable f16;\n" RUN("o[l] = u32(f16(l));")),

    /* uniform-layout */
    FAULTY("uniform-layout", NOTE,
           "struct U { a: array<f32, 8> }\n@group(0) @binding(1) var<uniform> u: U;\n" RUN("o[l] = u32(u.a[l % 8u]);")),
    FAULTY("uniform-layout", NOTE,
           "@group(0) @binding(1) var<uniform> u: array<vec2<u32>, 4>;\n" RUN("o[l] = u[l % 4u].x;")),
    FAULTY("uniform-layout", NOTE,
           "struct I { a: u32 }\nstruct U { n: u32, i: I }\n@group(0) @binding(1) var<uniform> u: U;\n" RUN(
               "o[l] = u.i.a + u.n;")),
    CORRECT("uniform-layout",
            "@group(0) @binding(1) var<uniform> u: array<vec4<u32>, 4>;\n" RUN("o[l] = u[l % 4u].x;")),
    CORRECT("uniform-layout",
            "struct U { n: u32, m: u32 }\n@group(0) @binding(1) var<uniform> u: U;\n" RUN("o[l] = u.n + u.m;")),
    CORRECT("uniform-layout",
            "@group(0) @binding(1) var<storage, read> u: array<f32, 8>;\n" RUN("o[l] = u32(u[l % 8u]);")),

    /* vec3-layout */
    FAULTY("vec3-layout", ERROR,
           "@group(0) @binding(3) var<storage, read> m: array<mat3x3f>;\n" KERNEL("64", "o[g.x] = u32(m[g.x][0].x);"),
           .binds = {{"m", 3636, NULL}}),
    CORRECT("vec3-layout",
            "@group(0) @binding(3) var<storage, read> m: array<mat3x3f>;\n" KERNEL("64", "o[g.x] = u32(m[g.x][0].x);"),
            .binds = {{"m", 4800, NULL}}),
    FAULTY("vec3-layout", WARNING,
           "@group(0) @binding(1) var<storage, read> v: array<vec3<f32>>;\n" RUN("o[l] = u32(v[l].x);")),
    FAULTY("vec3-layout", NOTE,
           "struct V { a: vec3<u32>, b: f32, c: u32 }\n@group(0) @binding(1) var<storage, read> v: array<V>;\n" RUN(
               "o[l] = v[l].c;")),
    FAULTY("vec3-layout", ERROR,
           "struct V { a: vec3<u32>, b: f32, c: u32 }\n@group(0) @binding(1) var<storage, read> v: array<V>;\n" RUN(
               "o[l] = v[l].c;"),
           .binds = {{"v", 400, NULL}}),
    FAULTY("vec3-layout", ERROR,
           "@group(0) @binding(1) var<storage, read> v: array<vec3<f32>>;\n" RUN("o[l] = u32(v[l].x);"),
           .binds = {{"v", 12 * 1001, NULL}}),
    CORRECT("vec3-layout", "@group(0) @binding(1) var<storage, read> v: array<vec3<f32>>;\n" RUN("o[l] = u32(v[l].x);"),
            .binds = {{"v", 16000, NULL}}),
    CORRECT("vec3-layout",
            "@group(0) @binding(1) var<storage, read> v: array<vec4<f32>>;\n" RUN("o[l] = u32(v[l].x);")),
    CORRECT("vec3-layout",
            "struct V { a: vec3<u32>, b: f32 }\n@group(0) @binding(1) var<storage, read> v: array<V>;\n" RUN(
                "o[l] = v[l].a.x;")),
    CORRECT("vec3-layout",
            "struct U { a: vec3<u32>, b: f32, c: u32 }\n@group(0) @binding(1) var<uniform> v: U;\n" RUN("o[l] = v.c;")),

    /* unused-binding */
    FAULTY("unused-binding", WARNING, "@group(0) @binding(1) var<uniform> scale: u32;\n" RUN("o[l] = l;")),
    FAULTY("unused-binding", WARNING, "@group(0) @binding(1) var t: texture_2d<f32>;\n" RUN("o[l] = l;")),
    FAULTY("unused-binding", WARNING,
           "@group(0) @binding(1) var<uniform> n: u32;\nfn f() -> u32 { return n; }\n" RUN("o[l] = l;")),
    CORRECT("unused-binding",
            "@group(0) @binding(1) var<uniform> n: u32;\nfn f() -> u32 { return n; }\n" RUN("o[l] = f();")),
    CORRECT("unused-binding", "@group(0) @binding(1) var<uniform> n: u32;\n" RUN("_ = n; o[l] = l;")),
    CORRECT("unused-binding", "@group(0) @binding(1) var<uniform> n: u32;\nfn f() -> u32 { return n; }\n"),

    /* float-exchange */
    FAULTY(
        "float-exchange", WARNING,
        FLOATS RUN(
            "var old = atomicLoad(&cell); loop { let r = atomicCompareExchangeWeak(&cell, old, bitcast<u32>(bitcast<f32>(old) + "
            "x[l])); if (bitcast<f32>(r.old_value) == bitcast<f32>(old)) { break; } old = r.old_value; }")),
    FAULTY(
        "float-exchange", WARNING,
        FLOATS RUN(
            "var was = 0.0; var now = 1.0; while (was != now) { was = bitcast<f32>(atomicLoad(&cell)); now = "
            "bitcast<f32>(atomicCompareExchangeWeak(&cell, bitcast<u32>(was), bitcast<u32>(was + x[l])).old_value); }")),
    FAULTY("float-exchange", WARNING,
           FLOATS RUN(
               "for (var k = 0; k < 100; k++) { let e = atomicLoad(&cell); let r = atomicCompareExchangeWeak(&cell, e, "
               "bitcast<u32>(x[l])); let f = bitcast<f32>(r.old_value); if (f == bitcast<f32>(e)) { break; } }")),
    CORRECT(
        "float-exchange",
        FLOATS RUN(
            "var old = atomicLoad(&cell); loop { let r = atomicCompareExchangeWeak(&cell, old, bitcast<u32>(bitcast<f32>(old) "
            "+ x[l])); if (r.exchanged) { break; } old = r.old_value; }")),
    CORRECT(
        "float-exchange",
        FLOATS RUN(
            "var old = 0u; loop { let r = atomicCompareExchangeWeak(&cell, old, old + 1u); if (r.old_value == old) { break; } "
            "old = r.old_value; }")),
    CORRECT("float-exchange",
            FLOATS RUN("for (var k = 0u; k < 8u; k++) { if (x[k] == 0.5) { break; } atomicAdd(&cell, 1u); }")),

    /* nan-test */
    FAULTY("nan-test", WARNING, FLOATS RUN("let y = x[l]; if (y != y) { o[l] = 1u; }")),
    FAULTY("nan-test", WARNING,
           "fn isnan(v: f32) -> bool { return !(v == v); }\n" FLOATS RUN("o[l] = u32(isnan(x[l]));")),
    FAULTY("nan-test", WARNING,
           "fn any_nan(v: vec3<f32>) -> bool { return any(v != v); }\n" FLOATS RUN("o[l] = u32(any_nan(vec3(x[l])));")),
    CORRECT("nan-test", FLOATS RUN("if ((bitcast<u32>(x[l]) & 0x7fffffffu) > 0x7f800000u) { o[l] = 1u; }")),
    CORRECT("nan-test", RUN("let i = l; if (i == i) { o[l] = 1u; }")),
    CORRECT("nan-test", FLOATS RUN("let y = x[l]; let z = x[0]; if (y != z) { o[l] = 1u; }")),
};

static void table(void **state)
{
    (void)state;
    static const char *const families[] = {"portability", NULL};
    help_check_table(cases, sizeof cases / sizeof cases[0], families);
}

/* What only naga refuses is an error when naga will read it, and so is what only others refuse. */
static void readers(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *source;
        telar_severity tint, naga;
    } rows[] = {
        {"naga-refuses", "enable subgroups;\n" RUN("o[l] = subgroupAdd(l);"), TELAR_SEVERITY_NOTE,
         TELAR_SEVERITY_ERROR},
        {"missing-enable", RUN("o[l] = subgroupAdd(l);"), TELAR_SEVERITY_ERROR, TELAR_SEVERITY_DEFAULT},
        {"missing-enable", RUN("o[l] = u32(f16(l));"), TELAR_SEVERITY_ERROR, TELAR_SEVERITY_ERROR},
        {"uniform-layout", "@group(0) @binding(1) var<uniform> u: array<u32, 4>;\n" RUN("o[l] = u[l % 4u];"),
         TELAR_SEVERITY_NOTE, TELAR_SEVERITY_ERROR},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        for (int naga = 0; naga < 2; naga++) {
            telar_check_desc desc = {.source = rows[k].source,
                                     .source_bytes = strlen(rows[k].source),
                                     .reader = naga ? TELAR_READER_NAGA : TELAR_READER_TINT};
            size_t bytes = telar_check_arena_bytes(desc.source_bytes);
            telar_arena arena = telar_arena_make(malloc(bytes), bytes);
            telar_check_result result;
            assert_int_equal(telar_check(&desc, &arena, &result, NULL), TELAR_OK);
            assert_int_equal(help_severity(&result, rows[k].rule), naga ? rows[k].naga : rows[k].tint);
            free(arena.data);
        }
    }
}

/* The enable directive is an edit that makes the finding go away. */
static void edits(void **state)
{
    (void)state;
    check_case one = {.source = RUN("o[l] = subgroupAdd(l);")};
    telar_check_result result = help_check(&one);
    uint32_t at = 0;
    while (at < result.findings_count && strcmp(result.findings[at].rule, "missing-enable") != 0) at++;
    assert_true(at < result.findings_count);
    assert_int_equal(result.findings[at].edits_count, 1);
    assert_int_equal(result.findings[at].edits[0].offset, 0);
    assert_string_equal(result.findings[at].edits[0].text, "enable subgroups;\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(readers), cmocka_unit_test(edits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
