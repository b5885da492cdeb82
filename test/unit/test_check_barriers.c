/* SPDX-License-Identifier: MIT
 *
 * The rules of barriers and of loops that wait: three kernels with the mistake and three without for each. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TILE "var<workgroup> t: array<u32, 64>;\n"
#define SUBGROUPS "enable subgroups;\n"
#define ATOMICS                                                                                                        \
    "@group(0) @binding(3) var<storage, read_write> flags: array<atomic<u32>>;\n"                                      \
    "@group(0) @binding(4) var<storage, read_write> cell: atomic<u32>;\n"

static const check_case cases[] = {
    /* nonuniform-barrier */
    FAULTY(
        "nonuniform-barrier", ERROR,
        TILE KERNEL("64", "if (g.x >= p.n) { return; } t[l.x] = a[g.x]; workgroupBarrier(); o[g.x] = t[63u - l.x];")),
    FAULTY("nonuniform-barrier", ERROR,
           TILE KERNEL(
               "64", "t[l.x] = a[l.x]; for (var r = 0u; ; r += 1u) { workgroupBarrier(); if (r >= l.x) { break; } }")),
    FAULTY("nonuniform-barrier", ERROR, KERNEL("64", "if (l.x < 32u) { o[l.x] = 1u; workgroupBarrier(); }")),
    FAULTY("nonuniform-barrier", ERROR, KERNEL("64", "for (var i = l.x; i < p.n; i += 64u) { storageBarrier(); }")),
    FAULTY("nonuniform-barrier", ERROR, KERNEL("64", "if (o[0] == 0u) { storageBarrier(); }")),
    FAULTY("nonuniform-barrier", ERROR,
           HEAD
           "fn meet() { workgroupBarrier(); }\n" MAIN("64") "switch (l.x) { case 0u: { meet(); } default: {} }\n}\n"),
    FAULTY("nonuniform-barrier", ERROR,
           TILE KERNEL("64", "var live = true; if (g.x >= p.n) { live = false; } if (live) { workgroupBarrier(); }")),
    CORRECT(
        "nonuniform-barrier",
        TILE KERNEL(
            "64",
            "let live = g.x < p.n; if (live) { t[l.x] = a[g.x]; } workgroupBarrier(); if (live) { o[g.x] = t[l.x]; }")),
    CORRECT("nonuniform-barrier", KERNEL("64", "if (wg.x >= p.n) { return; } workgroupBarrier();")),
    CORRECT("nonuniform-barrier", KERNEL("64", "for (var h = 32u; h > 0u; h >>= 1u) { workgroupBarrier(); }")),
    CORRECT("nonuniform-barrier", HEAD
            "var<workgroup> n: u32;\n" MAIN("64") "if (l.x == 0u) { n = o[0]; } let m = workgroupUniformLoad(&n);\n"
                                                  "for (var k = 0u; k < m; k++) { workgroupBarrier(); }\n}\n"),
    CORRECT("nonuniform-barrier", KERNEL("64", "if (l.x == 0u) { o[0] = 1u; } workgroupBarrier();")),

    /* nonuniform-subgroup */
    FAULTY("nonuniform-subgroup", ERROR,
           SUBGROUPS KERNEL("64", "if (g.x >= p.n) { return; } o[g.x] = subgroupAdd(a[g.x]);")),
    FAULTY("nonuniform-subgroup", ERROR, SUBGROUPS KERNEL("64", "if (l.x % 2u == 0u) { o[g.x] = subgroupMax(l.x); }")),
    FAULTY("nonuniform-subgroup", ERROR, SUBGROUPS KERNEL("64", "o[g.x] = subgroupShuffleXor(l.x, l.x & 3u);")),
    FAULTY(
        "nonuniform-subgroup", WARNING,
        SUBGROUPS KERNEL("64", "@diagnostic(warning, subgroup_uniformity) if (l.x == 0u) { o[0] = subgroupAdd(1u); }")),
    FAULTY("nonuniform-subgroup", NOTE,
           SUBGROUPS HEAD "@compute @workgroup_size(64) fn main(@builtin(subgroup_id) s: u32) {\n"
                          "if (s == 0u) { o[0] = subgroupAdd(1u); } }\n"),
    CORRECT("nonuniform-subgroup",
            SUBGROUPS KERNEL("64", "var x = 0u; if (g.x < p.n) { x = a[g.x]; } let s = subgroupAdd(x); o[g.x] = s;")),
    CORRECT("nonuniform-subgroup", SUBGROUPS KERNEL("64", "if (wg.x < p.n) { o[g.x] = subgroupAdd(1u); }")),
    CORRECT("nonuniform-subgroup",
            SUBGROUPS KERNEL("64", "@diagnostic(off, subgroup_uniformity) if (l.x == 0u) { o[0] = subgroupAdd(1u); }")),

    /* nonuniform-derivative */
    FAULTY(
        "nonuniform-derivative", ERROR,
        "@fragment fn f(@location(0) x: f32) -> @location(0) vec4f { if (x > 0) { return vec4f(dpdx(x)); } return vec4f(); }"),
    FAULTY("nonuniform-derivative", ERROR,
           "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;\n"
           "@fragment fn f(@location(0) x: vec2f) -> @location(0) vec4f {\n"
           "if (x.x > 0.5) { discard; return vec4f(); } return textureSample(t, s, x); }"),
    FAULTY(
        "nonuniform-derivative", WARNING,
        "diagnostic(warning, derivative_uniformity);\n"
        "@fragment fn f(@builtin(position) x: vec4f) -> @location(0) vec4f { if (x.x > 0) { return fwidth(x); } return x; }"),
    CORRECT("nonuniform-derivative", "@fragment fn f(@location(0) x: vec4f) -> @location(0) vec4f { return dpdx(x); }"),
    CORRECT(
        "nonuniform-derivative",
        "@group(0) @binding(0) var<uniform> on: u32;\n"
        "@fragment fn f(@location(0) x: vec4f) -> @location(0) vec4f { if (on != 0) { return dpdy(x); } return x; }"),
    CORRECT("nonuniform-derivative",
            "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;\n"
            "@fragment fn f(@location(0) x: vec2f) -> @location(0) vec4f {\n"
            "if (x.x > 0.5) { return textureSampleLevel(t, s, x, 0); } return vec4f(); }"),

    /* unbounded-wait */
    FAULTY("unbounded-wait", WARNING,
           ATOMICS KERNEL(
               "1",
               "var before = 0u; if (wg.x > 0u) { loop { before = atomicLoad(&flags[wg.x - 1u]); if (before != 0u) "
               "{ break; } } } atomicStore(&flags[wg.x], before + a[wg.x]);")),
    FAULTY("unbounded-wait", WARNING, ATOMICS KERNEL("64", "while (atomicLoad(&cell) < p.n) { } o[g.x] = 1u;")),
    FAULTY("unbounded-wait", WARNING,
           ATOMICS KERNEL("64",
                          "loop { if (atomicCompareExchangeWeak(&cell, 0u, 1u).exchanged) { break; } } o[0] += 1u; "
                          "atomicStore(&cell, 0u);")),
    FAULTY("unbounded-wait", WARNING, ATOMICS KERNEL("64", "while (atomicExchange(&cell, 1u) == 1u) { }")),
    FAULTY("unbounded-wait", WARNING,
           ATOMICS KERNEL(
               "64", "var at = wg.x; var sum = 0u; while (at > 0u) { let f = atomicLoad(&flags[at - 1u]); if ((f & "
                     "3u) == 2u) { sum += f; break; } else if ((f & 3u) == 1u) { sum += f; at -= 1u; } } o[0] = sum;")),
    FAULTY("unbounded-wait", WARNING,
           ATOMICS HEAD "fn ready(i: u32) -> bool { return atomicLoad(&flags[i]) != 0u; }\n" MAIN(
               "1") "while (!ready(wg.x)) { }\n}\n"),
    FAULTY("unbounded-wait", WARNING,
           ATOMICS KERNEL(
               "64", "var done = false; loop { if (done) { break; } if (atomicLoad(&cell) == 7u) { done = true; } }")),
    CORRECT("unbounded-wait",
            ATOMICS KERNEL("64",
                           "loop { let r = atomicCompareExchangeWeak(&cell, 0u, l.x); if (r.exchanged || r.old_value "
                           "!= 0u) { break; } }")),
    CORRECT("unbounded-wait",
            ATOMICS KERNEL(
                "64",
                "var spins = 0u; while (spins < 8u) { if (atomicLoad(&flags[wg.x]) != 0u) { spins = 0u; break; } else "
                "{ spins += 1u; } }")),
    CORRECT("unbounded-wait",
            ATOMICS KERNEL("1", "var have = false; for (var tries = 0u; tries < 32u && !have; tries += 1u) { have = "
                                "atomicLoad(&flags[wg.x]) != 0u; }")),
    CORRECT("unbounded-wait",
            ATOMICS KERNEL("64",
                           "var old = atomicLoad(&cell); loop { let r = atomicCompareExchangeWeak(&cell, old, old + "
                           "a[g.x]); if (r.exchanged) { break; } old = r.old_value; }")),
    CORRECT("unbounded-wait",
            ATOMICS KERNEL("64", "loop { let i = atomicAdd(&cell, 1u); if (i >= p.n) { break; } o[i] = 0u; }")),
    CORRECT("unbounded-wait",
            ATOMICS KERNEL("64",
                           "loop { let old = atomicLoad(&cell); if (atomicCompareExchangeWeak(&cell, old, max(old, "
                           "l.x)).exchanged) { break; } }")),
    CORRECT(
        "unbounded-wait",
        ATOMICS KERNEL("64", "var i = l.x; loop { if (atomicLoad(&flags[i]) == 0u) { break; } i = (i + 1u) % 64u; }")),
    CORRECT("unbounded-wait",
            TILE KERNEL(
                "64", "var lo = 0u; var hi = 64u; while (lo < hi) { let m = (lo + hi) / 2u; if (t[m] < l.x) { lo = m + "
                      "1u; } else { hi = m; } } o[g.x] = lo;")),
};

static void table(void **state)
{
    (void)state;
    static const char *const families[] = {"barriers", NULL};
    help_check_table(cases, sizeof cases / sizeof cases[0], families);
}

/* The way from the barrier to its cause, in words. */
static void messages(void **state)
{
    (void)state;
    static const struct {
        const char *source, *message;
    } texts[] = {
        {KERNEL("64", "let i = g.x;\nif (i >= p.n) { return; }\nworkgroupBarrier();"),
         "'workgroupBarrier' must be reached by all invocations of the group, and whether it is depends on 'i >= p.n' (line "
         "7), which depends on 'i', which depends on 'g', which is global_invocation_id"},
        {HEAD "fn sum() {\nworkgroupBarrier(); }\n" MAIN("64") "if (o[0] == 0u) { sum(); }\n}\n",
         "'workgroupBarrier' (called by 'sum', line 6) must be reached by all invocations of the group, and whether it is "
         "depends on 'o[0] == 0u' (line 8), which depends on what other invocations may write to 'o'"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        check_case one = {.source = texts[k].source};
        telar_check_result result = help_check(&one);
        uint32_t at = 0;
        while (at < result.findings_count && strcmp(result.findings[at].rule, "nonuniform-barrier") != 0) at++;
        assert_true(at < result.findings_count);
        assert_string_equal(result.findings[at].message, texts[k].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
