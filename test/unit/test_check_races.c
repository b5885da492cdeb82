/* SPDX-License-Identifier: MIT
 *
 * The rules of races: kernels with the mistake, and kernels that look like it and are right. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TILE "var<workgroup> t: array<u32, 64>;\n"
#define SQUARE "var<workgroup> q: array<array<u32, 17>, 16>;\n"
#define COUNTERS "var<workgroup> c: array<atomic<u32>, 64>;\n"
#define CELL                                                                                                           \
    "@group(0) @binding(3) var<storage, read_write> cell: atomic<u32>;\n"                                              \
    "@group(0) @binding(4) var<storage, read_write> bins: array<atomic<u32>, 64>;\n"
#define LOAD "var x = 0u; if (g.x < p.n) { x = a[g.x]; } t[l.x] = x;\n"
#define TREE "for (var h = 32u; h > 0u; h >>= 1u) { if (l.x < h) { t[l.x] += t[l.x + h]; } workgroupBarrier(); }\n"
#define STORE "if (l.x == 0u) { o[wg.x] = t[0]; }"

static const check_case cases[] = {
    /* missing-barrier: a tree whose first round reads before all have written */
    FAULTY("missing-barrier", ERROR, TILE KERNEL("64", LOAD TREE STORE)),
    /* the barrier at the top of the round orders all but the last one and what follows */
    FAULTY("missing-barrier", ERROR,
           TILE KERNEL("64",
                       LOAD "for (var h = 32u; h > 0u; h >>= 1u) { workgroupBarrier(); if (l.x < h) { t[l.x] += t[l.x "
                            "+ h]; } } o[g.x] = t[0];")),
    FAULTY("missing-barrier", ERROR, TILE KERNEL("64", LOAD "o[g.x] = t[63u - l.x];")),
    FAULTY("missing-barrier", WARNING, TILE KERNEL("64", LOAD "storageBarrier(); o[g.x] = t[63u - l.x];")),
    FAULTY("missing-barrier", ERROR,
           SQUARE KERNEL("16, 16", "q[l.y][l.x] = a[g.y * 1024u + g.x]; o[g.x * 1024u + g.y] = q[l.x][l.y];")),
    FAULTY("missing-barrier", WARNING,
           COUNTERS KERNEL("64", "atomicStore(&c[l.x], 0u); if (g.x < p.n) { atomicAdd(&c[a[g.x] & 63u], 1u); } "
                                 "workgroupBarrier(); o[g.x] = atomicLoad(&c[l.x]);")),
    FAULTY("missing-barrier", WARNING,
           COUNTERS KERNEL("64",
                           "atomicStore(&c[l.x], 0u); workgroupBarrier(); atomicAdd(&c[(l.x * 7u) & 63u], 1u); o[g.x] "
                           "= atomicLoad(&c[l.x]);")),
    FAULTY("missing-barrier", ERROR,
           "var<workgroup> first: u32;\n" KERNEL("64", "if (l.x == 0u) { first = a[wg.x]; } o[g.x] = first;")),
    FAULTY("missing-barrier", WARNING,
           "var<workgroup> last: u32;\n" KERNEL("64", "last = l.x; workgroupBarrier(); o[wg.x] = last;")),
    FAULTY("missing-barrier", ERROR,
           "var<workgroup> b: array<array<u32, 64>, 2>;\n" KERNEL(
               "64", "b[0][l.x] = a[g.x]; workgroupBarrier(); b[1][l.x] = b[0][63u - l.x]; o[g.x] = b[1][l.x ^ 1u];")),
    CORRECT("missing-barrier", TILE KERNEL("64", LOAD "workgroupBarrier();\n" TREE STORE)),
    CORRECT("missing-barrier", TILE KERNEL("64", LOAD "o[g.x] = t[l.x];")),
    CORRECT(
        "missing-barrier",
        SQUARE KERNEL("16, 16",
                      "q[l.y][l.x] = a[g.y * 1024u + g.x]; workgroupBarrier(); o[g.x * 1024u + g.y] = q[l.x][l.y];")),
    CORRECT("missing-barrier",
            COUNTERS KERNEL(
                "64", "atomicStore(&c[l.x], 0u); workgroupBarrier(); if (g.x < p.n) { atomicAdd(&c[a[g.x] & 63u], "
                      "1u); } workgroupBarrier(); o[g.x] = atomicLoad(&c[l.x]);")),
    CORRECT("missing-barrier", "var<workgroup> first: u32;\n" KERNEL(
                                   "64", "if (l.x == 0u) { first = a[wg.x]; } workgroupBarrier(); o[g.x] = first;")),
    CORRECT("missing-barrier",
            "var<workgroup> any_set: bool;\n" KERNEL(
                "64", "if (a[g.x] > 7u) { any_set = true; } workgroupBarrier(); if (any_set) { o[g.x] = 1u; }")),
    CORRECT("missing-barrier",
            TILE KERNEL("64", "if (l.x == 0u) { t[0] = a[0]; t[1] = t[0] + 1u; } workgroupBarrier(); o[g.x] = t[1];")),
    /* halves that never meet */
    CORRECT(
        "missing-barrier",
        TILE KERNEL("64", "if (l.x < 32u) { t[l.x] = 1u; o[g.x] = t[l.x]; } else { t[l.x] = 2u; o[g.x] = t[l.x]; }")),
    CORRECT(
        "missing-barrier",
        TILE KERNEL("64", LOAD
                    "workgroupBarrier(); var h = 1u; while (h < 64u) { var y = t[l.x]; if (l.x >= h) { y += t[l.x - "
                    "h]; } workgroupBarrier(); t[l.x] = y; workgroupBarrier(); h *= 2u; } o[g.x] = t[l.x];")),

    /* tile-overwritten: the next round fills the tile that others still read */
    FAULTY("tile-overwritten", WARNING,
           TILE KERNEL(
               "64",
               "var s = 0u; for (var b = 0u; b < p.n; b += 64u) { t[l.x] = a[b + l.x]; workgroupBarrier(); for (var "
               "k = 0u; k < 64u; k++) { s += t[k]; } } o[g.x] = s;")),
    FAULTY("tile-overwritten", ERROR,
           TILE KERNEL(
               "64", "var s = 0u; for (var b = 0u; b < 512u; b += 64u) { t[l.x] = a[b + l.x]; workgroupBarrier(); s += "
                     "t[63u - l.x]; } o[g.x] = s;")),
    FAULTY("tile-overwritten", ERROR,
           TILE KERNEL(
               "64",
               "t[l.x] = a[l.x]; workgroupBarrier(); for (var h = 1u; h < 64u; h *= 2u) { var y = t[l.x]; if (l.x >= "
               "h) { y += t[l.x - h]; } t[l.x] = y; workgroupBarrier(); } o[g.x] = t[l.x];")),
    FAULTY(
        "tile-overwritten", ERROR,
        TILE KERNEL("64", LOAD
                    "workgroupBarrier(); let y = t[(l.x + 1u) % 64u]; t[l.x] = y; workgroupBarrier(); o[g.x] = t[0];")),
    FAULTY("tile-overwritten", WARNING,
           SQUARE KERNEL("16, 16",
                         "var s = 0u; for (var k = 0u; k < p.w; k += 16u) { q[l.y][l.x] = a[g.y * p.w + k + l.x]; "
                         "workgroupBarrier(); for (var i = 0u; i < 16u; i++) { s += q[l.y][i]; } } o[g.x] = s;")),
    FAULTY("tile-overwritten", ERROR, KERNEL("64", "let x = o[63u - l.x]; o[l.x] = x;")),
    CORRECT("tile-overwritten",
            TILE KERNEL(
                "64",
                "var s = 0u; for (var b = 0u; b < p.n; b += 64u) { t[l.x] = a[b + l.x]; workgroupBarrier(); for (var "
                "k = 0u; k < 64u; k++) { s += t[k]; } workgroupBarrier(); } o[g.x] = s;")),
    CORRECT("tile-overwritten",
            TILE KERNEL(
                "64",
                "var s = 0u; for (var b = 0u; b < 512u; b += 64u) { t[l.x] = a[b + l.x]; s += t[l.x]; } o[g.x] = s;")),
    CORRECT("tile-overwritten",
            TILE KERNEL("64", LOAD "workgroupBarrier(); let y = t[(l.x + 1u) % 64u]; workgroupBarrier(); t[l.x] = y;")),
    CORRECT(
        "tile-overwritten",
        "var<workgroup> b: array<array<u32, 64>, 2>;\n" KERNEL(
            "64",
            "b[0][l.x] = a[g.x]; workgroupBarrier(); b[1][l.x] = b[0][63u - l.x]; workgroupBarrier(); o[g.x] = b[1][0];")),
    /* a bitonic sort of one group: partners are disjoint pairs */
    CORRECT(
        "tile-overwritten",
        TILE KERNEL("64", LOAD
                    "workgroupBarrier(); for (var k = 2u; k <= 64u; k *= 2u) { for (var j = k / 2u; j > 0u; j /= 2u) { "
                    "let i = l.x ^ j; if (i > l.x) { let x = t[l.x]; let y = t[i]; if ((x > y) == ((l.x & k) == 0u)) { "
                    "t[l.x] = y; t[i] = x; } } workgroupBarrier(); } } o[g.x] = t[l.x];")),

    /* cross-group-barrier */
    FAULTY(
        "cross-group-barrier", WARNING,
        CELL KERNEL(
            "64",
            "if (g.x < p.n) { atomicAdd(&cell, 1u); } storageBarrier(); if (g.x == 0u) { o[0] = atomicLoad(&cell); }")),
    FAULTY(
        "cross-group-barrier", WARNING,
        KERNEL("128",
               "for (var h = p.n / 2u; h > 0u; h /= 2u) { if (g.x < h) { o[g.x] += o[g.x + h]; } storageBarrier(); }")),
    FAULTY(
        "cross-group-barrier", WARNING,
        HEAD
        "fn swap(i: u32) { if (i + 1u < p.n) { let x = o[i]; let y = o[i + 1u]; if (x > y) { o[i] = y; o[i + 1u] = x; } } }\n" MAIN(
            "128") "swap(g.x * 2u); storageBarrier(); swap(g.x * 2u + 1u);\n}\n"),
    FAULTY("cross-group-barrier", ERROR,
           KERNEL("64", "o[g.x] = 1u; storageBarrier(); let y = o[g.x + 1u]; storageBarrier(); o[g.x + 4096u] = y;"),
           .dispatch = {4}),
    FAULTY(
        "cross-group-barrier", WARNING,
        KERNEL(
            "64",
            "o[g.x] = a[g.x]; workgroupBarrier(); if (g.x == 0u) { var s = 0u; for (var k = 0u; k < p.n; k++) { s += o[k]; } o[4096u] = s; }")),
    CORRECT("cross-group-barrier", KERNEL("64", "o[g.x] = a[g.x]; storageBarrier(); o[g.x] += 1u;")),
    CORRECT(
        "cross-group-barrier",
        KERNEL(
            "64",
            "o[g.x] = 1u; storageBarrier(); let y = o[(g.x & 0xffffffc0u) | (63u - l.x)]; storageBarrier(); o[g.x] = y;")),
    CORRECT(
        "cross-group-barrier",
        KERNEL("64", "for (var h = 32u; h > 0u; h /= 2u) { if (l.x < h) { o[l.x] += o[l.x + h]; } storageBarrier(); }"),
        .dispatch = {1}),
    CORRECT(
        "cross-group-barrier",
        CELL KERNEL(
            "64",
            "let k = atomicAdd(&cell, 1u); storageBarrier(); if (k == nw.x * 64u - 1u) { o[0] = atomicLoad(&cell); }")),

    /* neighbour-race */
    FAULTY("neighbour-race", WARNING,
           KERNEL("8, 8", "if (g.x >= p.w || g.y >= p.h) { return; } "
                          "o[g.y * p.w + g.x] = o[((g.y + 1u) % p.h) * p.w + (g.x + 1u) % p.w];")),
    CORRECT("neighbour-race", KERNEL("8, 8", "if (g.x >= p.w || g.y >= p.h) { return; } "
                                             "o[g.y * p.w + g.x] = a[((g.y + 1u) % p.h) * p.w + (g.x + 1u) % p.w];")),
    CORRECT("neighbour-race", KERNEL("8, 8", "if (g.x >= p.w || g.y >= p.h) { return; } "
                                             "o[g.y * p.w + g.x] = o[(g.y % p.h) * p.w + g.x % p.w] + 1u;")),
    FAULTY("neighbour-race", WARNING, KERNEL("64", "if (g.x + 1u < p.n) { o[g.x] = o[g.x + 1u]; }")),
    FAULTY(
        "neighbour-race", WARNING,
        KERNEL(
            "8, 8",
            "if (g.x > 0u && g.x + 1u < p.w && g.y < p.h) { o[g.y * p.w + g.x] = (o[g.y * p.w + g.x - 1u] + o[g.y * p.w + g.x + 1u]) / 2u; }")),
    FAULTY("neighbour-race", WARNING, KERNEL("64", "let x = o[max(g.x, 1u) - 1u]; if (g.x < p.n) { o[g.x] += x; }")),
    CORRECT("neighbour-race", KERNEL("64", "if (g.x < p.n) { o[g.x] = o[g.x] + a[g.x + 1u]; }")),
    CORRECT(
        "neighbour-race",
        KERNEL("64", "let i = g.x; let q = i ^ p.row; if (q > i && q < p.n) { let x = o[i]; o[i] = o[q]; o[q] = x; }")),
    CORRECT("neighbour-race",
            KERNEL("64", "let i = g.x * 4u; if (i + 3u < p.n) { o[i] = o[i + 1u] + o[i + 2u] + o[i + 3u]; }")),
    CORRECT("neighbour-race", KERNEL("64", "if (g.x % 2u == 0u && g.x + 1u < p.n) { o[g.x] = o[g.x + 1u]; }")),

    FAULTY("neighbour-race", WARNING, KERNEL("64", "if (g.x < p.n) { o[a[g.x] & 255u] += 1u; }")),
    FAULTY("neighbour-race", WARNING, KERNEL("64", "if (g.x < p.n) { let b = a[g.x] / 16u; o[b] = o[b] + g.x; }")),
    CORRECT("neighbour-race", KERNEL("64", "if (g.x < p.n) { o[a[g.x]] += 1u; }")), /* a permutation, perhaps */
    CORRECT("neighbour-race", KERNEL("64", "if (g.x < p.n) { o[(a[g.x] & 15u) * 65536u + g.x] += 1u; }")),
    FAULTY("missing-barrier", WARNING,
           TILE KERNEL("64", "t[l.x] = 0u; workgroupBarrier(); t[a[g.x] % 64u] += 1u; "
                             "workgroupBarrier(); o[g.x] = t[l.x];")),
    CORRECT("missing-barrier",
            TILE KERNEL("64", "t[l.x] = 0u; workgroupBarrier(); if (l.x == 0u) { t[a[wg.x] % 64u] += 1u; } "
                              "workgroupBarrier(); o[g.x] = t[l.x];")),

    /* unwritten-workgroup */
    FAULTY("unwritten-workgroup", WARNING,
           TILE KERNEL("64", "for (var i = g.x; i < p.n; i += 4096u) { t[l.x] += a[i]; } o[g.x] = t[l.x];")),
    CORRECT("unwritten-workgroup", TILE KERNEL("64", "t[l.x] = 0u; for (var i = g.x; i < p.n; i += 4096u) { "
                                                     "t[l.x] += a[i]; } o[g.x] = t[l.x];")),
    FAULTY(
        "unwritten-workgroup", WARNING,
        CELL "var<workgroup> live: atomic<u32>;\n" KERNEL(
            "64",
            "if (g.x < p.n) { atomicAdd(&live, 1u); } workgroupBarrier(); if (l.x == 0u) { o[wg.x] = atomicLoad(&live); }")),
    FAULTY("unwritten-workgroup", WARNING, TILE KERNEL("64", "t[l.x] += a[g.x]; workgroupBarrier(); o[g.x] = t[0];")),
    FAULTY("unwritten-workgroup", WARNING,
           COUNTERS KERNEL("64", "atomicMax(&c[a[g.x] & 63u], 1u); workgroupBarrier(); o[g.x] = atomicLoad(&c[l.x]);")),
    CORRECT("unwritten-workgroup",
            COUNTERS KERNEL("64", "atomicStore(&c[l.x], 0u); workgroupBarrier(); atomicAdd(&c[a[g.x] & 63u], 1u);")),
    CORRECT("unwritten-workgroup", TILE KERNEL("64", LOAD "workgroupBarrier(); o[g.x] = t[63u - l.x];")),
    CORRECT("unwritten-workgroup",
            "var<workgroup> n: u32;\n" KERNEL(
                "64", "if (l.x == 0u) { n = a[0]; } let m = workgroupUniformLoad(&n); o[g.x] = m;")),
    CORRECT(
        "unwritten-workgroup",
        TILE KERNEL(
            "64",
            "var s = 0u; for (var k = 0u; k < 4u; k++) { if (k > 0u) { s += t[63u - l.x]; } workgroupBarrier(); t[l.x] = k; workgroupBarrier(); } o[g.x] = s;")),

    /* unordered-position */
    FAULTY("unordered-position", NOTE,
           CELL KERNEL("64", "if (g.x < p.n && a[g.x] != 0u) { let k = atomicAdd(&cell, 1u); o[k] = a[g.x]; }")),
    FAULTY("unordered-position", WARNING,
           CELL
           "// stable compaction\n" KERNEL("64", "if (g.x < p.n && a[g.x] != 0u) { o[atomicAdd(&cell, 1u)] = g.x; }")),
    FAULTY("unordered-position", WARNING,
           CELL HEAD "@compute @workgroup_size(64) fn stable_select(@builtin(global_invocation_id) g: vec3<u32>) {\n"
                     "let k = atomicAdd(&bins[a[g.x] & 63u], 1u); o[k] = a[g.x]; }\n"),
    CORRECT("unordered-position", CELL KERNEL("64", "atomicAdd(&cell, 1u); o[g.x] = 1u;")),
    CORRECT("unordered-position", CELL "// stable\n" KERNEL("64", "let k = atomicAdd(&cell, 1u); o[g.x] = k;")),
    CORRECT("unordered-position", CELL KERNEL("64", "if (atomicAdd(&cell, 1u) == 0u) { o[0] = 1u; }")),
};

static void table(void **state)
{
    (void)state;
    static const char *const families[] = {"races", NULL};
    help_check_table(cases, sizeof cases / sizeof cases[0], families);
}

static void message(void **state)
{
    (void)state;
    check_case one = {.source = TILE KERNEL("64", "t[l.x] = a[g.x];\no[g.x] = t[63u - l.x];")};
    telar_check_result result = help_check(&one);
    uint32_t at = 0;
    while (at < result.findings_count && strcmp(result.findings[at].rule, "missing-barrier") != 0) at++;
    assert_true(at < result.findings_count);
    assert_string_equal(result.findings[at].message,
                        "invocation 0 reads what invocation 63 writes at line 7 ('t'), and no barrier stands between");
    assert_string_equal(result.findings[at].fix, "put workgroupBarrier(); between the two");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
