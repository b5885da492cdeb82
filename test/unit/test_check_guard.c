/* SPDX-License-Identifier: MIT
 *
 * The rules of guards: three kernels with the mistake and three without for each. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const check_case cases[] = {
    /* unguarded-index */
    FAULTY("unguarded-index", WARNING, KERNEL("64", "o[g.x] = a[g.x];")),
    FAULTY("unguarded-index", WARNING, KERNEL("256", "let i = wg.x * 256u + l.x; o[i] += 1u;")),
    FAULTY("unguarded-index", WARNING, KERNEL("64", "let k = g.x * 2u; if (a[0] != 0u) { o[k + 1u] = 1u; }")),
    FAULTY("unguarded-index", ERROR, KERNEL("64", "o[g.x] = 7u;"), .dispatch = {1}, .binds = {{"o", 168, NULL}}),
    FAULTY("unguarded-index", WARNING, KERNEL("64", "o[g.x] = 7u;"), .dispatch = {3}, .count = {130}),
    FAULTY("unguarded-index", WARNING, HEAD "fn put(i: u32, x: u32) { o[i] = x; }\n" MAIN("32") "put(g.x, 1u);\n}\n"),
    FAULTY("unguarded-index", WARNING,
           "@group(0) @binding(0) var<storage, read_write> v: array<atomic<u32>>;\n"
           "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
           "  atomicAdd(&v[g.y * 100u + g.x], 1u);\n}\n"),
    CORRECT("unguarded-index", KERNEL("64", "if (g.x >= p.n) { return; } o[g.x] = a[g.x];")),
    CORRECT("unguarded-index", KERNEL("64", "let live = !(p.n <= g.x); if (live) { o[g.x] = 1u; }")),
    CORRECT("unguarded-index", KERNEL("64", "o[min(g.x, p.n - 1u)] = 1u;")),
    CORRECT("unguarded-index", KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] = a[i]; }")),
    CORRECT("unguarded-index", KERNEL("1", "o[g.x] = a[g.x];")),
    CORRECT("unguarded-index", KERNEL("64", "o[g.x] = 7u;"), .dispatch = {2}, .binds = {{"o", 512, NULL}}),
    CORRECT("unguarded-index", KERNEL("64", "o[g.x] = 7u;"), .count = {640}),
    CORRECT("unguarded-index", KERNEL("64", "if (l.x == 0u) { o[wg.x] = 1u; }")),
    CORRECT("unguarded-index",
            KERNEL("8, 8", "if (any(g.xy >= vec2<u32>(p.w, p.h))) { return; } o[g.y * p.w + g.x] = 1u;")),
    CORRECT("unguarded-index", HEAD "fn is_in(i: u32) -> bool { if (i < p.n) { return true; } return false; }\n" MAIN(
                                   "64") "if (!is_in(g.x)) { return; } o[g.x] = 1u;\n}\n"),
    CORRECT("unguarded-index", KERNEL("64", "var ok = false; if (g.x < p.n) { ok = true; } if (ok) { o[g.x] = 1u; }")),
    CORRECT("unguarded-index",
            KERNEL("64", "var i = i32(g.x); loop { if (i >= i32(p.n)) { break; } o[i] = 1u; i += i32(nw.x) * 64; }")),

    FAULTY("unguarded-index", WARNING, KERNEL("64", "if (g.x >= nw.x * 64u) { return; } o[g.x] = a[g.x];")),
    FAULTY("unguarded-index", WARNING, KERNEL("64", "if (g.x < nw.x * 256u) { o[g.x] = a[g.x]; }")),
    CORRECT("unguarded-index", KERNEL("64", "if (g.x >= nw.x * 64u - p.w) { return; } o[g.x] = a[g.x];")),
    CORRECT("unguarded-index", KERNEL("64", "if (wg.x < nw.x - 1u || g.x < p.n) { o[g.x] = a[g.x]; }")),
    FAULTY("unguarded-index", WARNING,
           KERNEL("64", "let i = g.x * 2u; if (i >= p.n) { return; } o[i] = 1u; o[i + 1u] = 1u;"), .count = {1001}),
    CORRECT("unguarded-index", KERNEL("64", "let i = g.x * 2u; if (i >= p.n) { return; } o[i] = 1u; o[i + 1u] = 1u;"),
            .count = {1000}),
    CORRECT(
        "unguarded-index",
        KERNEL("64", "let i = g.x * 2u; if (i >= p.n) { return; } o[i] = 1u; if (i + 1u < p.n) { o[i + 1u] = 1u; }"),
        .count = {1001}),

    /* guard-after-access */
    FAULTY("guard-after-access", WARNING, KERNEL("64", "let x = a[g.x]; if (g.x >= p.n) { return; } o[g.x] = x;")),
    FAULTY("guard-after-access", WARNING, KERNEL("64", "o[g.x] = 0u; if (g.x < p.n) { o[g.x] = a[g.x]; }")),
    FAULTY("guard-after-access", WARNING,
           KERNEL("16, 16",
                  "let v = a[g.y * p.w + g.x]; let inside = g.x < p.w && g.y < p.h; o[0] = select(0u, v, inside);")),
    FAULTY("guard-after-access", WARNING,
           HEAD "fn load_at(i: u32) -> u32 { return a[i]; }\n" MAIN(
               "64") "let x = load_at(g.x); if (g.x < arrayLength(&a)) { o[g.x] = x; }\n}\n"),
    CORRECT("guard-after-access", KERNEL("64", "if (g.x >= p.n) { return; } let x = a[g.x]; o[g.x] = x;")),
    CORRECT("guard-after-access",
            KERNEL("64", "var x = 0u; if (g.x < p.n) { x = a[g.x]; } if (g.x < p.n) { o[g.x] = x; }")),
    CORRECT("guard-after-access", KERNEL("64", "let x = a[min(g.x, p.n - 1u)]; if (g.x < p.n) { o[g.x] = x; }")),
    CORRECT("guard-after-access", KERNEL("64", "let x = a[l.x]; if (g.x < p.n) { o[g.x] = x; }")),

    /* guard-one-axis */
    FAULTY("guard-one-axis", WARNING, KERNEL("8, 8", "if (g.x >= p.w) { return; } o[g.y * p.w + g.x] = 1u;")),
    FAULTY("guard-one-axis", WARNING, KERNEL("16, 16", "if (g.y < p.h) { o[g.y * p.w + g.x] = 1u; }")),
    FAULTY("guard-one-axis", WARNING,
           KERNEL("4, 4, 4", "if (g.x >= p.w || g.y >= p.h) { return; } o[(g.z * p.h + g.y) * p.w + g.x] = 1u;")),
    FAULTY("unguarded-index", WARNING,
           KERNEL("8, 8", "if (g.x >= p.w && g.y >= p.h) { return; } o[g.y * p.w + g.x] = 1u;")),
    FAULTY("unguarded-index", WARNING,
           KERNEL("8, 8", "if (all(g.xy >= vec2<u32>(p.w, p.h))) { return; } o[g.y * p.w + g.x] = 1u;")),
    FAULTY("unguarded-index", WARNING, KERNEL("8, 8", "if (g.x < p.w || g.y < p.h) { o[g.y * p.w + g.x] = 1u; }")),
    CORRECT("unguarded-index",
            KERNEL("8, 8", "if (any(g.xy >= vec2<u32>(p.w, p.h))) { return; } o[g.y * p.w + g.x] = 1u;")),
    CORRECT("unguarded-index", KERNEL("64", "if (!(g.x >= p.n && p.w == 0u)) { o[g.x] = 1u; }")),
    CORRECT("guard-one-axis", KERNEL("8, 8", "if (g.x >= p.w || g.y >= p.h) { return; } o[g.y * p.w + g.x] = 1u;")),
    CORRECT("guard-one-axis", KERNEL("64, 1", "if (g.x >= p.w) { return; } o[g.y * p.w + g.x] = 1u;")),
    CORRECT("guard-one-axis", KERNEL("8, 8", "let i = g.y * p.w + g.x; if (i < p.n) { o[i] = 1u; }")),
    CORRECT("guard-one-axis",
            KERNEL("8, 8", "if (g.x >= p.w) { return; } if (g.y < p.h) { o[g.y * p.w + g.x] = 1u; }")),

    /* guard-capacity */
    FAULTY("guard-capacity", WARNING, KERNEL("64", "if (g.x >= arrayLength(&o)) { return; } o[g.x] = p.w;")),
    FAULTY("guard-capacity", WARNING, KERNEL("64", "let m = arrayLength(&a); if (g.x < m) { o[g.x] = a[g.x] + p.h; }")),
    FAULTY("guard-capacity", WARNING,
           "struct U { particle_count: u32, dt: f32 }\n"
           "@group(0) @binding(0) var<uniform> u: U;\n"
           "@group(0) @binding(1) var<storage, read_write> particles: array<vec4<f32>>;\n"
           "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
           "  if (g.x >= arrayLength(&particles)) { return; }\n  particles[g.x] *= u.dt;\n}\n"),
    FAULTY("guard-capacity", WARNING,
           "struct U { triangles: u32, scale: f32 }\n"
           "@group(0) @binding(0) var<uniform> u: U;\n"
           "@group(0) @binding(1) var<storage, read_write> triangles: array<vec4<f32>>;\n"
           "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
           "  if (g.x >= arrayLength(&triangles)) { return; }\n  triangles[g.x] *= u.scale;\n}\n"),
    CORRECT("guard-capacity", KERNEL("64", "if (g.x >= p.n) { return; } o[g.x] = 1u;")),
    CORRECT("guard-capacity", KERNEL("64", "if (g.x >= min(p.n, arrayLength(&o))) { return; } o[g.x] = 1u;")),
    CORRECT("guard-capacity",
            "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n@compute @workgroup_size(64)\n"
            "fn main(@builtin(global_invocation_id) g: vec3<u32>) { if (g.x < arrayLength(&o)) { o[g.x] = 0u; } }\n"),
    CORRECT("guard-capacity", KERNEL("64", "if (g.x >= p.n || g.x >= arrayLength(&o)) { return; } o[g.x] = 1u;")),

    /* guard-off-by-one */
    FAULTY("guard-off-by-one", WARNING, KERNEL("64", "if (g.x <= p.n) { o[g.x] = 1u; }")),
    FAULTY("guard-off-by-one", ERROR, KERNEL("64", "if (g.x > arrayLength(&o)) { return; } o[g.x] = 1u;")),
    FAULTY("guard-off-by-one", WARNING, KERNEL("1", "for (var i = 0u; i <= p.n; i++) { o[i] = 0u; }")),
    FAULTY("guard-off-by-one", WARNING, KERNEL("64", "let i = g.x; if (!(i > p.n)) { o[i] = 1u; }")),
    CORRECT("guard-off-by-one", KERNEL("64", "if (g.x < p.n) { o[g.x] = 1u; }")),
    CORRECT("guard-off-by-one", KERNEL("64", "if (g.x <= p.n - 1u) { o[g.x] = 1u; }")),
    CORRECT("guard-off-by-one", KERNEL("64", "if (g.x <= p.n) { o[g.x] = 1u; }"), .binds = {{"o", 404, NULL}},
            .sets = {{"p.n", 100}}),
    CORRECT("guard-off-by-one", KERNEL("64", "if (g.x > p.n) { return; } if (g.x < arrayLength(&o)) { o[g.x] = 1u; }")),

    FAULTY(
        "guard-off-by-one", ERROR,
        "var<workgroup> b: array<u32, 256>;\n" KERNEL("64", "for (var k = l.x; k <= 256u; k += 64u) { b[k] = 0u; }")),
    CORRECT("guard-off-by-one", "var<workgroup> b: array<u32, 256>;\n" KERNEL(
                                    "64", "for (var k = l.x; k < 256u; k += 64u) { b[k] = 0u; }")),
    CORRECT("guard-off-by-one", "var<workgroup> b: array<u32, 256>;\n" KERNEL(
                                    "64", "for (var k = l.x; k <= 255u; k += 64u) { b[k] = 0u; }")),

    FAULTY("guard-off-by-one", ERROR, KERNEL("64", "o[min(g.x, arrayLength(&o))] = 1u;")),
    FAULTY("guard-off-by-one", WARNING, KERNEL("64", "o[clamp(g.x, 0u, p.n)] = 1u;")),
    CORRECT("guard-off-by-one", KERNEL("64", "o[min(g.x, arrayLength(&o) - 1u)] = 1u;")),
    CORRECT("guard-off-by-one", KERNEL("64", "for (var k = g.x; k < min(g.x + 4u, p.n); k++) { o[k] = 1u; }")),

    /* guard-in-bytes */
    FAULTY("guard-in-bytes", WARNING, KERNEL("64", "if (g.x < p.n_bytes) { o[g.x] = 1u; }")),
    FAULTY("guard-in-bytes", ERROR, KERNEL("64", "if (g.x >= arrayLength(&o) * 4u) { return; } o[g.x] = 1u;")),
    FAULTY("guard-in-bytes", ERROR,
           KERNEL("64", "for (var i = g.x; i < arrayLength(&o) << 2u; i += nw.x * 64u) { o[i] = 1u; }")),
    CORRECT("guard-in-bytes", KERNEL("64", "if (g.x < p.n_bytes / 4u) { o[g.x] = 1u; }")),
    CORRECT("guard-in-bytes", KERNEL("64", "if (g.x < arrayLength(&o)) { o[g.x] = 1u; }")),
    CORRECT("guard-in-bytes", KERNEL("64", "if (g.x * 4u < p.n_bytes) { o[g.x] = 1u; }")),

    CORRECT("unguarded-index",
            KERNEL("64", "let j = g.x ^ p.w; if (j <= g.x || j >= p.n) { return; } o[g.x] = a[j]; o[j] = a[g.x];")),

    /* unguarded-partner */
    FAULTY("unguarded-partner", WARNING,
           KERNEL("64", "let i = g.x; if (i >= p.n) { return; } let q = i ^ p.w; if (q > i) { o[q] = o[i]; }")),
    FAULTY("unguarded-partner", WARNING, KERNEL("64", "if (g.x < p.n) { o[g.x ^ 1u] = a[g.x]; }"), .count = {513}),
    FAULTY("unguarded-partner", WARNING,
           KERNEL("256", "if (g.x < p.n) { let k = p.w ^ g.x; let t = o[k]; o[g.x] = t; }")),
    CORRECT("unguarded-partner",
            KERNEL("64",
                   "let i = g.x; let q = i ^ p.w; if (i >= p.n || q >= p.n) { return; } if (q > i) { o[q] = o[i]; }")),
    CORRECT("unguarded-partner", KERNEL("64", "if (g.x < p.n) { o[min(g.x ^ p.w, p.n - 1u)] = 1u; }")),
    CORRECT("unguarded-partner", KERNEL("64", "if (g.x < p.n) { o[g.x ^ p.w] = 1u; }"), .count = {1024}),

    /* unguarded-group */
    FAULTY("unguarded-group", WARNING, KERNEL("64", "let b = wg.y * nw.x + wg.x; o[b] = l.x;")),
    FAULTY("unguarded-group", ERROR,
           KERNEL("64", "let b = wg.y * p.row + wg.x; for (var k = l.x; k < p.w; k += 64u) { o[b * p.w + k] = 1u; }"),
           .count = {131072}, .dispatch = {43691, 3}),
    FAULTY(
        "unguarded-group", WARNING,
        "struct B { batches: u32, per: u32, row: u32 }\n@group(0) @binding(0) var<uniform> p: B;\n"
        "@group(0) @binding(1) var<storage, read_write> o: array<f32>;\n"
        "@compute @workgroup_size(32) fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) l: u32) {\n"
        "  let b = wg.x + p.row * wg.y;\n  for (var k = l; k < p.per; k += 32u) { o[b * p.per + k] *= 2.0; }\n}\n"),
    CORRECT("unguarded-group", KERNEL("64", "let b = wg.y * nw.x + wg.x; if (b >= p.n) { return; } o[b] = l.x;")),
    CORRECT(
        "unguarded-group",
        KERNEL(
            "64",
            "let b = wg.y * p.row + wg.x; if (b < p.h) { for (var k = l.x; k < p.w; k += 64u) { o[b * p.w + k] = 1u; } }"),
        .count = {131072}, .dispatch = {43691, 3}),
    CORRECT("unguarded-group", KERNEL("64", "let b = wg.y * p.row + wg.x; o[b] = 1u;"), .count = {6},
            .dispatch = {3, 2}),
};

static void kernels(void **state)
{
    (void)state;
    static const char *const families[] = {NULL};
    help_check_table(cases, sizeof cases / sizeof cases[0], families);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
