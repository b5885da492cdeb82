/* SPDX-License-Identifier: MIT
 *
 * The uniformity analysis: what it rejects and why, what it accepts, filters, pointers, and hostile sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl_resolve_help.h"

#include "wgsl/uniformity.h"

#include <stdlib.h>
#include <string.h>

#define PRELUDE                                                                                                        \
    "enable subgroups;"                                                                                                \
    "struct P { n: u32, m: u32 }"                                                                                      \
    "@group(0) @binding(0) var<uniform> p: P;"                                                                         \
    "@group(0) @binding(1) var<storage, read> a: array<u32>;"                                                          \
    "@group(0) @binding(2) var<storage, read_write> o: array<u32>;"                                                    \
    "@group(0) @binding(3) var<storage, read_write> c: atomic<u32>;"                                                   \
    "@group(0) @binding(4) var t: texture_storage_2d<r32uint, read_write>;"                                            \
    "var<workgroup> w: u32; var<private> v: u32;\n"

#define ENTRY                                                                                                          \
    "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32, @builtin(workgroup_id) g: vec3u,"   \
    " @builtin(subgroup_id) s: u32, @builtin(subgroup_size) z: u32) {\n"

static const char *const rules[] = {"barrier", "derivative", "subgroup", "matrix"};
static const char *const severities[] = {"off", "info", "warning", "error"};
static const char *const causes[] = {"none",    "if",      "read",   "builtin", "input",    "storage",    "workgroup",
                                     "private", "pointer", "atomic", "texture", "subgroup", "derivative", "call"};

/* Each violation as "rule severity `call`: cause `text`, ...", parted by newlines; "ok" when there is none. Static. */
static const char *violations_of(const char *source, bool subgroup_scope)
{
    static char text[4096], memory[1 << 20];
    telar_out out = {.data = text, .cap = sizeof text};
    const telar_wgsl *m = resolve_read(source);
    if (m == NULL) print_message("%s\nin %s\n", resolve_diag.text, source);
    assert_non_null(m);
    telar_arena arena = telar_arena_make(memory, sizeof memory);
    tl_uniformity found;
    tl_uniformity_analyze(m, subgroup_scope, &arena, &found);
    assert_true(found.complete);
    for (const tl_uniformity_violation *v = found.violations; v != NULL; v = v->next) {
        tl_str required = tl_node_text(m, m->nodes[v->required].a);
        tl_out_format(&out, "%s%s %s%s %.*s:", v == found.violations ? "" : "\n", severities[v->severity],
                      rules[v->rule], v->of_value ? " argument" : "", TL_STR_ARGS(required));
        for (uint32_t k = 0; k < v->step_count; k++) {
            tl_str place = tl_node_text(m, v->steps[k].node);
            tl_out_format(&out, "%s %s `%.*s`", k == 0 ? "" : ",", causes[v->steps[k].cause], TL_STR_ARGS(place));
        }
    }
    return found.violations == NULL ? "ok" : text;
}

typedef struct body_case {
    const char *before; /* declarations in front of the entry point */
    const char *body;
    const char *expected;
} body_case;

static void check_bodies(const body_case *cases, size_t count)
{
    static char source[1 << 14];
    for (size_t k = 0; k < count; k++) {
        telar_out out = {.data = source, .cap = sizeof source};
        tl_out_format(&out, "%s%s%s%s}", PRELUDE, cases[k].before, ENTRY, cases[k].body);
        const char *found = violations_of(source, true);
        if (strcmp(found, cases[k].expected) != 0) print_message("in: %s\n", cases[k].body);
        assert_string_equal(found, cases[k].expected);
    }
}

#define LOCAL "builtin `@builtin(local_invocation_index) l: u32`"

static void causes_named(void **state)
{
    (void)state;
    static const body_case cases[] = {
        {"", "if (l < p.n) { workgroupBarrier(); }", "error barrier workgroupBarrier: if `l < p.n`, read `l`, " LOCAL},
        {"", "if (l >= p.n) { return; } storageBarrier();",
         "error barrier storageBarrier: if `l >= p.n`, read `l`, " LOCAL},
        {"", "let i = g.x * 64 + l; if (i >= p.n) { return; } o[i] = subgroupAdd(a[i]);",
         "error subgroup subgroupAdd: if `i >= p.n`, read `i`, read `l`, " LOCAL},
        {"", "if (o[0] == 0) { workgroupBarrier(); }", "error barrier workgroupBarrier: if `o[0] == 0`, storage `o`"},
        {"", "if (v == 0) { workgroupBarrier(); }", "error barrier workgroupBarrier: if `v == 0`, private `v`"},
        {"", "if (w == 0) { workgroupBarrier(); }", "error barrier workgroupBarrier: if `w == 0`, workgroup `w`"},
        {"", "if (atomicLoad(&c) == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `atomicLoad(&c) == 0`, atomic `atomicLoad(&c)`"},
        {"", "if (textureLoad(t, vec2u(0)).x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `textureLoad(t, vec2u(0)).x == 0`, texture `textureLoad(t, vec2u(0))`"},
        {"", "if (subgroupElect()) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `subgroupElect()`, subgroup `subgroupElect()`"},
        {"fn f() -> u32 { return o[1]; }", "if (f() == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `f() == 0`, call `f()`, storage `o`"},
        {"fn f() { workgroupBarrier(); }", "if (l == 0) { f(); }",
         "error barrier workgroupBarrier: if `l == 0`, read `l`, " LOCAL},
        {"fn f(x: ptr<workgroup, u32>) { if (*x == 0) { workgroupBarrier(); } }", "f(&w);",
         "error barrier workgroupBarrier: if `*x == 0`, pointer `x`"},
        {"var<workgroup> ws: array<u32, 64>;", "_ = workgroupUniformLoad(&ws[l]);",
         "error barrier argument workgroupUniformLoad: read `l`, " LOCAL},
        {"", "_ = subgroupShuffleXor(l, l);", "error subgroup argument subgroupShuffleXor: read `l`, " LOCAL},
        {"", "if (l < 8 && subgroupAll(l < 4)) { }", "error subgroup subgroupAll: if `l < 8`, read `l`, " LOCAL},
    };
    check_bodies(cases, TL_COUNT(cases));
}

static void control_flow(void **state)
{
    (void)state;
    static const body_case cases[] = {
        {"", "workgroupBarrier();", "ok"},
        {"", "if (g.x >= p.n) { return; } workgroupBarrier();", "ok"},
        {"", "if (l < p.n) { o[l] = 1; } workgroupBarrier();", "ok"},
        {"", "if (l < 4) { if (l < 2) { return; } } workgroupBarrier();",
         "error barrier workgroupBarrier: if `l < 4`, read `l`, " LOCAL},
        {"", "for (var k = 0u; k < p.n; k++) { workgroupBarrier(); }", "ok"},
        {"", "for (var k = l; k < p.n; k++) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `k < p.n`, read `k`, read `l`, " LOCAL},
        {"", "for (var k = l; k < p.n; k++) { o[k] = 0; } workgroupBarrier();", "ok"},
        {"", "for (var k = 0u; ; k++) { workgroupBarrier(); if (k >= l) { break; } }",
         "error barrier workgroupBarrier: if `k >= l`, read `l`, " LOCAL},
        {"", "for (var k = 0u; ; k++) { if (k >= l) { break; } } workgroupBarrier();", "ok"},
        {"", "for (var k = 0u; ; k++) { if (k >= l) { return; } } workgroupBarrier();", "ok"},
        {"", "while (true) { if (l == 0) { return; } if (g.x == 0) { break; } } workgroupBarrier();",
         "error barrier workgroupBarrier: if `g.x == 0`, read `g`, if `l == 0`, read `l`, " LOCAL},
        {"", "loop { workgroupBarrier(); continuing { break if l == 0; } }",
         "error barrier workgroupBarrier: if `l == 0`, read `l`, " LOCAL},
        {"", "switch (l) { case 0: { workgroupBarrier(); } default: {} }",
         "error barrier workgroupBarrier: if `l`, read `l`, " LOCAL},
        {"", "switch (l) { case 0: { o[0] = 1; break; } default: {} } workgroupBarrier();", "ok"},
        {"", "switch (l) { case 0: { return; } default: {} } workgroupBarrier();",
         "error barrier workgroupBarrier: if `l`, read `l`, " LOCAL},
        {"", "return; workgroupBarrier();", "ok"},
        {"", "if (p.n == 0) { return; } else if (l == 0) { o[0] = 1; } else { o[1] = 1; } workgroupBarrier();", "ok"},
        {"", "if (p.n == 0) { o[0] = 1; } else if (l == 0) { return; } workgroupBarrier();",
         "error barrier workgroupBarrier: if `l == 0`, read `l`, " LOCAL},
    };
    check_bodies(cases, TL_COUNT(cases));
}

static void variables(void **state)
{
    (void)state;
    static const body_case cases[] = {
        {"", "var x = l; x = 3; if (x == 0) { workgroupBarrier(); }", "ok"},
        {"", "var x = 3u; if (g.x == 0) { x = l; } if (x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, read `l`, " LOCAL},
        {"", "var x = 3u; if (l == 0) { x = 4; } if (x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, if `l == 0`, read `l`, " LOCAL},
        {"", "var x = l; if (g.x == 0) { x = 1; } else { x = 2; } if (x == 0) { workgroupBarrier(); }", "ok"},
        {"", "var x = 0u; for (var k = 0; k < 4; k++) { if (x == 0) { workgroupBarrier(); } x = l; }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, read `l`, " LOCAL},
        {"", "var x = 0u; for (var k = 0; k < 4; k++) { x = l; x = 2; if (x == 0) { workgroupBarrier(); } }", "ok"},
        {"", "var x = vec2u(l); x.x = 1; if (x.x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x.x == 0`, read `x`, read `l`, " LOCAL},
        {"", "var x: array<u32, 4>; x[l] = 1; if (x[0] == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x[0] == 0`, read `x`, read `l`, " LOCAL},
        {"", "var x = 1u; if (l == 0) { x++; } if (x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, read `x`, if `l == 0`, read `l`, " LOCAL},
        {"", "var x: array<u32, 4>; if (l == 0) { x[0] = 1; } if (x[1] == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x[1] == 0`, read `x`, if `l == 0`, read `l`, " LOCAL},
        {"", "var x = 1u; let q = &x; *q = l; if (x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, read `l`, " LOCAL},
        {"", "var x = l; let q = &x; *q = 1; if (x == 0) { workgroupBarrier(); }", "ok"},
        {"", "let n = workgroupUniformLoad(&w); for (var k = 0u; k < n; k++) { workgroupBarrier(); }", "ok"},
    };
    check_bodies(cases, TL_COUNT(cases));
}

static void functions(void **state)
{
    (void)state;
    static const body_case cases[] = {
        {"fn f(x: u32) -> u32 { return x + 1; }", "if (f(g.x) == 0) { workgroupBarrier(); }", "ok"},
        {"fn f(x: u32) -> u32 { return x + 1; }", "if (f(l) == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `f(l) == 0`, read `l`, " LOCAL},
        {"fn f(x: u32) -> u32 { return 1; }", "if (f(l) == 0) { workgroupBarrier(); }", "ok"},
        {"fn f(x: u32) { if (x == 0) { workgroupBarrier(); } }", "f(g.x);", "ok"},
        {"fn f(x: u32) { if (x == 0) { workgroupBarrier(); } }", "f(l);",
         "error barrier argument workgroupBarrier: read `l`, " LOCAL},
        {"fn f(x: ptr<function, u32>, y: u32) { *x = y; }", "var x = 0u; f(&x, l); if (x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, read `l`, " LOCAL},
        {"fn f(x: ptr<function, u32>, y: u32) { *x = y; }", "var x = l; f(&x, 1); if (x == 0) { workgroupBarrier(); }",
         "ok"},
        {"fn f(x: ptr<function, u32>) { *x = o[0]; }", "var x = 0u; f(&x); if (x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, call `f(&x)`, storage `o`"},
        {"fn f(x: ptr<function, u32>) -> bool { *x = 1; return true; }",
         "var x = l; _ = g.x == 0 && f(&x); if (x == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x == 0`, read `x`, read `l`, " LOCAL},
        {"fn f(x: ptr<function, array<u32, 4>>) { (*x)[0] = 1; }",
         "var x: array<u32, 4>; if (l == 0) { f(&x); } if (x[0] == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `x[0] == 0`, read `x`, if `l == 0`, read `l`, " LOCAL},
    };
    check_bodies(cases, TL_COUNT(cases));
}

static void filters(void **state)
{
    (void)state;
    static const body_case cases[] = {
        {"", "if (l == 0) @diagnostic(off, subgroup_uniformity) { _ = subgroupAdd(1); }", "ok"},
        {"", "@diagnostic(warning, subgroup_uniformity) if (l == 0) { _ = subgroupAdd(1); }",
         "warning subgroup subgroupAdd: if `l == 0`, read `l`, " LOCAL},
        {"", "@diagnostic(off, derivative_uniformity) if (l == 0) { _ = subgroupAdd(1); }",
         "error subgroup subgroupAdd: if `l == 0`, read `l`, " LOCAL},
        {"@diagnostic(info, subgroup_uniformity) fn f() { _ = subgroupAdd(1); }", "if (l == 0) { f(); }",
         "info subgroup subgroupAdd: if `l == 0`, read `l`, " LOCAL},
        {"", "@diagnostic(off, subgroup_uniformity) if (l == 0) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `l == 0`, read `l`, " LOCAL},
    };
    check_bodies(cases, TL_COUNT(cases));
}

/* Subgroup operations want uniformity among the subgroup, where the language extension is there. */
static void scopes(void **state)
{
    (void)state;
    static const char source[] = PRELUDE ENTRY "if (s == 0) { _ = subgroupAdd(1); } }";
    assert_string_equal(violations_of(source, true), "ok");
    assert_string_equal(violations_of(source, false),
                        "error subgroup subgroupAdd: if `s == 0`, read `s`, builtin `@builtin(subgroup_id) s: u32`");
    static const body_case cases[] = {
        {"", "if (subgroupAny(p.n == 0)) { _ = subgroupAdd(1); }", "ok"},
        {"", "if (subgroupElect()) { _ = subgroupAdd(1); }",
         "error subgroup subgroupAdd: if `subgroupElect()`, subgroup `subgroupElect()`"},
        {"", "if (subgroupAny(p.n == 0)) { workgroupBarrier(); }",
         "error barrier workgroupBarrier: if `subgroupAny(p.n == 0)`, subgroup `subgroupAny(p.n == 0)`"},
        {"", "if (z == 32) { workgroupBarrier(); }", "ok"},
    };
    check_bodies(cases, TL_COUNT(cases));
}

static void other_stages(void **state)
{
    (void)state;
    assert_string_equal(violations_of("@fragment fn f(@location(0) x: f32) { if (x > 0) { _ = dpdx(x); } }", true),
                        "error derivative dpdx: if `x > 0`, read `x`, input `@location(0) x: f32`");
    assert_string_equal(violations_of("diagnostic(off, derivative_uniformity);"
                                      "@fragment fn f(@location(0) x: f32) { if (x > 0) { _ = dpdx(x); } }",
                                      true),
                        "ok");
    assert_string_equal(
        violations_of("struct I { @builtin(workgroup_id) g: vec3u, @builtin(local_invocation_id) l: vec3u }"
                      "@compute @workgroup_size(1) fn f(i: I) { if (i.g.x > 0) { workgroupBarrier(); } }",
                      true),
        "error barrier workgroupBarrier: if `i.g.x > 0`, read `i`, "
        "builtin `@builtin(local_invocation_id) l: vec3u`");
}

/* ---- hostile sources --------------------------------------------------------------------------------------------- */

/* Reads and analyses a large source; 256 MB suffice for all. */
static tl_uniformity analyze_large(const char *source)
{
    size_t cap = (size_t)256 << 20;
    telar_arena arena = telar_arena_make(malloc(cap), cap);
    telar_wgsl *m;
    telar_diag diag = {0};
    assert_non_null(arena.data);
    telar_status status = telar_wgsl_read(source, strlen(source), &arena, &m, &diag);
    if (status != TELAR_OK) print_message("%s\n", diag.text);
    assert_int_equal(status, TELAR_OK);
    tl_uniformity found;
    tl_uniformity_analyze(m, true, &arena, &found);
    free(arena.data);
    return found;
}

static void repeat(telar_out *out, unsigned count, const char *format)
{
    for (unsigned k = 0; k < count; k++) tl_out_format(out, format, k);
}

static void hostile(void **state)
{
    (void)state;
    size_t cap = (size_t)4 << 20;
    char *text = malloc(cap);
    assert_non_null(text);

    /* A long chain of variables, the first one not uniform. */
    telar_out out = {.data = text, .cap = cap};
    tl_out_text(&out, "var<private> v: u32; fn f() { var x = v;");
    repeat(&out, 50000, "let y%u = x; x = x + 1;");
    tl_out_text(&out, "if (x == 0) { workgroupBarrier(); } }");
    tl_uniformity found = analyze_large(text);
    assert_true(found.complete);
    assert_int_equal(found.violation_count, 1);

    /* Blocks in blocks, as deep as the reader allows. */
    out = (telar_out){.data = text, .cap = cap};
    tl_out_text(&out, "var<private> v: u32; fn f() { var x = 0; ");
    repeat(&out, 200, "loop { if (v == %u) { break; } x++; ");
    tl_out_text(&out, "workgroupBarrier(); ");
    repeat(&out, 200, "if (x == %u) { break; } }");
    tl_out_text(&out, "}");
    found = analyze_large(text);
    assert_true(found.complete);
    assert_int_equal(found.violation_count, 1);

    /* Chains to the left, of operators and of else-ifs. */
    out = (telar_out){.data = text, .cap = cap};
    tl_out_text(&out, "var<private> v: u32; fn f() { var x = v; if (x == 0");
    repeat(&out, 20000, " || x == %uu");
    tl_out_text(&out, ") { }");
    repeat(&out, 20000, " else if (x == %uu) { x++; }");
    tl_out_text(&out, " else { workgroupBarrier(); } }");
    found = analyze_large(text);
    assert_true(found.complete);
    assert_int_equal(found.violation_count, 1);

    /* Quadratic for the specification's rules: many variables, many exits. It ends, complete or not. */
    out = (telar_out){.data = text, .cap = cap};
    tl_out_text(&out, "var<private> v: u32; fn f() { ");
    repeat(&out, 10000, "var x%u = 0;");
    tl_out_text(&out, "loop {");
    repeat(&out, 10000, "x%u = 1;");
    repeat(&out, 10000, "if (v == %uu) { break; }");
    tl_out_text(&out, "} }");
    (void)analyze_large(text);
    free(text);
}

static void too_little_memory(void **state)
{
    (void)state;
    static const char source[] = PRELUDE ENTRY "var x = l; for (var k = 0u; k < l; k++) { x += k; } o[l] = x; }";
    const telar_wgsl *m = resolve_read(source);
    assert_non_null(m);
    static char memory[1 << 16];
    bool completed = false;
    for (size_t cap = 0; cap <= sizeof memory && !completed; cap += 64) {
        telar_arena arena = telar_arena_make(memory, cap);
        tl_uniformity found;
        tl_uniformity_analyze(m, true, &arena, &found);
        completed = found.complete;
        assert_int_equal(found.violation_count, 0);
    }
    assert_true(completed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(causes_named), cmocka_unit_test(control_flow), cmocka_unit_test(variables),
        cmocka_unit_test(functions),    cmocka_unit_test(filters),      cmocka_unit_test(scopes),
        cmocka_unit_test(other_stages), cmocka_unit_test(hostile),      cmocka_unit_test(too_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
