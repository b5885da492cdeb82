/* SPDX-License-Identifier: MIT
 *
 * The rules of the family mapping that are not about guards: three kernels with the mistake and three without for each. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define GUARD "if (g.x >= p.n) { return; } "

static const check_case cases[] = {
    /* fold-ignored */
    FAULTY("fold-ignored", ERROR, KERNEL("64", GUARD "o[g.x] += 1u;"), .dispatch = {32769, 2}),
    FAULTY("fold-ignored", ERROR, KERNEL("64", GUARD "o[g.x] += 1u;"), .count = {4194305}),
    FAULTY("fold-ignored", ERROR, KERNEL("64", "let i = wg.x * 64u + l.x; if (i < p.n) { o[i] = a[i]; }"),
           .dispatch = {10, 1, 3}),
    FAULTY("fold-ignored", ERROR, KERNEL("64", GUARD "o[g.x] += 1u;"), .count = {10000000}, .compatibility = true),
    CORRECT("fold-ignored", KERNEL("64", "let i = g.y * p.row + g.x; if (i < p.n) { o[i] += 1u; }"),
            .dispatch = {32769, 2}),
    CORRECT("fold-ignored", KERNEL("64", GUARD "o[g.x] += 1u;"), .dispatch = {50000}, .count = {3200000}),
    CORRECT("fold-ignored", KERNEL("64", "for (var i = g.x; i < p.n; i += p.row) { o[i] += 1u; }"),
            .count = {10000000}),
    CORRECT(
        "fold-ignored",
        KERNEL("64",
               "if (g.x >= p.w) { return; } for (var z = 0u; z < 4u; z++) { o[(wg.y * 4u + z) * p.w + g.x] = 1u; }"),
        .dispatch = {4, 2}),

    FAULTY("fold-ignored", ERROR, KERNEL("64", "for (var i = l.x; i < p.n; i += 64u) { o[i] += 1u; }"),
           .dispatch = {64}),
    CORRECT("fold-ignored", KERNEL("64", "for (var i = l.x; i < p.n; i += 64u) { o[i] += 1u; }"), .dispatch = {1}),
    CORRECT("fold-ignored", KERNEL("64", "for (var i = l.x; i < p.n; i += 64u) { o[wg.x * p.w + i] += 1u; }"),
            .dispatch = {64}),

    /* row-width */
    FAULTY("row-width", ERROR, KERNEL("16, 16", "let i = g.x + g.y * 16u; if (i >= p.n) { return; } o[i] += 1u;"),
           .dispatch = {16}),
    FAULTY("row-width", WARNING, KERNEL("8, 8", "let i = g.y * 8u + g.x; if (i < p.n) { o[i] = 1u; }")),
    FAULTY("row-width", WARNING, KERNEL("64", "let i = g.y * nw.x + g.x; if (i < p.n) { o[i] = 1u; }")),
    FAULTY("row-width", ERROR, KERNEL("64", "let i = g.y * 4096u + g.x; if (i < p.n) { o[i] = 1u; }"),
           .dispatch = {100, 3}),
    FAULTY("row-width", ERROR, KERNEL("64", "let i = g.y * 4194240u + g.x; if (i < p.n) { o[i] = 1u; }"),
           .dispatch = {46876, 3}, .count = {9000000}),
    CORRECT("row-width", KERNEL("8, 8", "if (g.x >= p.w || g.y >= p.h) { return; } o[g.y * 1024u + g.x] = 1u;"),
            .dispatch = {125, 76}, .count = {1000, 601}),
    CORRECT("row-width", KERNEL("64", "let i = g.y * (nw.x * 64u) + g.x; if (i < p.n) { o[i] = 1u; }")),
    CORRECT("row-width", KERNEL("16, 16", "let i = wg.x * 256u + l.y * 16u + l.x; if (i < p.n) { o[i] = 1u; }"),
            .dispatch = {16}),
    CORRECT("row-width", KERNEL("64", "let i = g.y * 6400u + g.x; if (i < p.n) { o[i] = 1u; }"), .dispatch = {100, 3}),
    CORRECT("row-width", KERNEL("8, 8", "if (g.x >= 100u || g.y >= 50u) { return; } o[g.y * 100u + g.x] = 1u;"),
            .dispatch = {13, 7}),

    FAULTY("row-width", WARNING, KERNEL("128", "let i = wg.x * 64u + l.x; if (i < p.n) { o[i] += 1u; }"),
           .dispatch = {32}),
    FAULTY("row-width", WARNING, KERNEL("64", "let i = g.y * nw.y * 64u + g.x; if (i < p.n) { o[i] = 1u; }")),
    FAULTY("row-width", ERROR, KERNEL("64", "let i = g.y * nw.y * 64u + g.x; if (i < p.n) { o[i] = 1u; }"),
           .dispatch = {40, 50}),
    CORRECT("row-width", KERNEL("128", "let i = wg.x * 64u + l.x; if (l.x < 64u && i < p.n) { o[i] += 1u; }"),
            .dispatch = {32}),
    CORRECT("row-width", KERNEL("64", "let i = wg.x * 128u + l.x; if (i + 64u < p.n) { o[i] = 1u; o[i + 64u] = 1u; }"),
            .dispatch = {32}),
    CORRECT("row-width", KERNEL("64", "let i = g.y * nw.x * 64u + g.x; if (i < p.n) { o[i] = 1u; }")),
    CORRECT("row-width", KERNEL("1", "let i = g.x * nw.y + g.y; if (i < p.n) { o[i] = 1u; }")),

    FAULTY("row-width", WARNING, KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.h + g.x] = 1u; }")),
    FAULTY("row-width", WARNING, KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.x * p.w + g.y] = 1u; }")),
    FAULTY("row-width", WARNING, KERNEL("64", "if (g.x >= p.w || g.y >= p.h) { return; } o[g.x + p.h * g.y] = 1u;")),
    CORRECT("row-width", KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.w + g.x] = 1u; }")),
    CORRECT("row-width", KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.x * p.h + g.y] = 1u; }")),
    CORRECT("row-width", KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.row + g.x] = 1u; }")),
    CORRECT("row-width", KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.h + g.x] = 1u; }"),
            .sets = {{"p.w", 64}, {"p.h", 64}}),

    /* stride-mismatch */
    FAULTY("stride-mismatch", WARNING, KERNEL("64", "for (var i = g.x; i < p.n; i += 64u) { o[i] += 1u; }")),
    FAULTY("stride-mismatch", ERROR, KERNEL("64", "for (var i = g.x; i < p.n; i += 512u) { o[i] += 1u; }"),
           .dispatch = {16}),
    FAULTY("stride-mismatch", WARNING, KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x) { o[i] += 1u; }")),
    FAULTY("stride-mismatch", WARNING,
           KERNEL("64", "var i = l.x; while (i < p.n) { o[wg.x * p.n + i] = 0u; i = i + 32u; }")),
    FAULTY("stride-mismatch", ERROR, KERNEL("64", "for (var i = g.x; i < p.n; i += p.row) { o[i] += 1u; }"),
           .dispatch = {8}, .sets = {{"p.row", 1024}}),
    CORRECT("stride-mismatch",
            KERNEL("64", "if (g.x >= p.n) { return; } for (var j = g.x + 1u; j < p.n; j++) { o[j] = a[j]; }"),
            .dispatch = {16}),
    CORRECT("stride-mismatch", KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] += 1u; }"),
            .dispatch = {16}),
    CORRECT("stride-mismatch", KERNEL("64", "for (var i = g.x; i < p.n; i += 1024u) { o[i] += 1u; }"),
            .dispatch = {16}),
    CORRECT("stride-mismatch", KERNEL("64", "for (var k = l.x; k < p.w; k += 64u) { o[wg.x * p.w + k] = 1u; }")),
    CORRECT("stride-mismatch", KERNEL("64", "for (var i = g.x; i < p.n; i += p.row) { o[i] += 1u; }"), .dispatch = {8},
            .sets = {{"p.row", 512}}),

    FAULTY("stride-mismatch", ERROR,
           KERNEL("64", "for (var i = g.y * (nw.x * 64u) + g.x; i < p.n; i += nw.x * 64u) { o[i] += 1u; }"),
           .dispatch = {512, 2}),
    CORRECT("stride-mismatch",
            KERNEL("64", "for (var i = g.y * (nw.x * 64u) + g.x; i < p.n; i += nw.x * nw.y * 64u) { o[i] += 1u; }"),
            .dispatch = {512, 2}),

    /* contiguous-items */
    FAULTY("contiguous-items", NOTE,
           KERNEL("64", "for (var k = 0u; k < 4u; k++) { let i = g.x * 4u + k; if (i < p.n) { o[i] = a[i]; } }")),
    FAULTY(
        "contiguous-items", NOTE,
        KERNEL("128",
               "let base = g.x * 8u; for (var k = 0u; k < 8u; k += 1u) { if (base + k < p.n) { o[base + k] = 1u; } }")),
    FAULTY(
        "contiguous-items", NOTE,
        KERNEL("64",
               "var k = 0u; loop { if (k >= 2u) { break; } let i = 2u * g.x + k; if (i < p.n) { o[i] = 1u; } k++; }")),
    CORRECT(
        "contiguous-items",
        KERNEL("64",
               "for (var k = 0u; k < 4u; k++) { let i = wg.x * 256u + k * 64u + l.x; if (i < p.n) { o[i] = a[i]; } }")),
    CORRECT("contiguous-items",
            KERNEL("64", "for (var k = 0u; k < p.w; k++) { let i = g.x * p.w + k; if (i < p.n) { o[i] = a[i]; } }")),
    CORRECT("contiguous-items", KERNEL("64", GUARD "o[g.x] = a[g.x];")),

    /* index-wraps */
    FAULTY(
        "index-wraps", WARNING,
        KERNEL("64", "let i = g.y * (nw.x * 64u) + g.x; if (i >= p.n) { return; } let b = i * 16u; o[i] = a[b / 4u];")),
    FAULTY("index-wraps", ERROR, KERNEL("64", "let i = g.y * p.row + g.x; if (i < p.n) { o[i] = a[(i * 32u) >> 2u]; }"),
           .count = {300000000}),
    FAULTY("index-wraps", WARNING,
           KERNEL("64",
                  "let i = g.y * (nw.x * 64u) + g.x; if (i < p.n) { let byte = i << 3u; o[i] = a[byte / 4u + 1u]; }")),
    CORRECT("index-wraps", KERNEL("64", "let i = g.y * (nw.x * 64u) + g.x; if (i < p.n) { o[i] = a[i * 4u]; }")),
    CORRECT("index-wraps", KERNEL("64", "let i = g.y * p.row + g.x; if (i < p.n) { o[i] = a[(i * 32u) >> 2u]; }"),
            .count = {1000000}),
    CORRECT("index-wraps", KERNEL("64", GUARD "o[g.x] = a[g.x * 16u / 4u];")),

    FAULTY("index-wraps", ERROR,
           KERNEL("64", "let i = i32(g.y * p.row + g.x); if (i < i32(p.n)) { o[i] = a[(i * 4) / 4]; }"),
           .count = {1000000000}),
    CORRECT("index-wraps", KERNEL("64", "let i = i32(g.y * p.row + g.x); if (i < i32(p.n)) { o[i] = a[(i * 4) / 4]; }"),
            .count = {500000000}),

    /* unsigned-underflow */
    FAULTY("unsigned-underflow", WARNING, KERNEL("64", "if (g.x < p.n - 1u) { o[g.x] = a[g.x + 1u]; }")),
    FAULTY("unsigned-underflow", WARNING,
           KERNEL("64", GUARD "for (var k = 0u; k < p.w - 2u; k++) { o[g.x] += a[k]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (g.x + 1u < p.n) { o[g.x] = a[g.x + 1u]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (p.n > 0u && g.x < p.n - 1u) { o[g.x] = a[g.x + 1u]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (p.n == 0u) { return; } if (g.x < p.n - 1u) { o[g.x] = 1u; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (g.x < p.n - 1u) { o[g.x] = a[g.x + 1u]; }"), .count = {100}),
    CORRECT("unsigned-underflow", KERNEL("64", GUARD "if (wg.x < p.w - 1u) { o[g.x] = 1u; }")),
    FAULTY("unsigned-underflow", WARNING, KERNEL("64", GUARD "o[g.x] = a[g.x - 1u];")),
    FAULTY("unsigned-underflow", ERROR, KERNEL("64", GUARD "o[g.x - 1u] = a[g.x];")),
    FAULTY("unsigned-underflow", ERROR, KERNEL("1", "for (var i = p.n; i >= 0u; i--) { o[i] = 0u; }")),
    FAULTY("unsigned-underflow", WARNING, KERNEL("64", GUARD "let left = a[g.x - 2u]; o[g.x] = left;")),
    CORRECT("unsigned-underflow", KERNEL("64", GUARD "if (g.x > 0u) { o[g.x] = a[g.x - 1u]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", GUARD "o[g.x] = select(0u, a[g.x - 1u], g.x != 0u);")),
    CORRECT("unsigned-underflow", KERNEL("64", GUARD "o[g.x] = a[(g.x + p.n - 1u) % p.n];")),
    CORRECT("unsigned-underflow", KERNEL("1", "for (var i = i32(p.n) - 1; i >= 0; i--) { o[i] = 0u; }")),
    CORRECT("unsigned-underflow", KERNEL("64", GUARD "o[g.x] = a[max(g.x, 1u) - 1u];")),

    FAULTY("unsigned-underflow", WARNING,
           KERNEL("64", GUARD "for (var d = 0u; d < 5u; d++) { o[g.x] += a[g.x + d - 2u]; }")),
    CORRECT("unsigned-underflow",
            KERNEL("64", GUARD "for (var d = 0u; d < 5u; d++) { if (g.x + d >= 2u) { o[g.x] += a[g.x + d - 2u]; } }")),
    CORRECT("unsigned-underflow",
            KERNEL("64", GUARD "for (var d = 0u; d < 5u; d++) { if (d > 1u) { o[g.x] += a[g.x + d - 2u]; } }")),
    CORRECT("unsigned-underflow", KERNEL("64", GUARD "for (var d = 2u; d < 5u; d++) { o[g.x] += a[g.x + d - 2u]; }")),

    /* out-of-bounds */
    FAULTY("out-of-bounds", ERROR,
           HEAD "var<workgroup> t: array<u32, 64>;\n" MAIN("128") "t[l.x] = 1u; o[l.x] = t[0];\n}\n"),
    FAULTY("out-of-bounds", ERROR,
           HEAD "const k = 9;\nvar<private> q: array<u32, 8>;\n" MAIN(
               "64") "for (var i = 8u; i < 16u; i++) { q[i] = 1u; } o[0] = q[1];\n}\n"),
    FAULTY("out-of-bounds", ERROR,
           HEAD
           "var<workgroup> t: array<u32, 256>;\n" MAIN("16, 16") "t[l.y * 16u + l.x + 1u] = 1u; o[0] = t[1];\n}\n"),
    FAULTY(
        "out-of-bounds", ERROR,
        "@group(0) @binding(0) var<storage, read_write> v: array<u32, 100>;\n@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) g: vec3<u32>) { v[g.x] = 1u; }\n",
        .dispatch = {2}),
    CORRECT("out-of-bounds", HEAD
            "var<workgroup> t: array<u32, 64>;\n" MAIN("128") "if (l.x < 64u) { t[l.x] = 1u; } o[l.x] = t[0];\n}\n"),
    CORRECT("out-of-bounds",
            HEAD "var<workgroup> t: array<u32, 256>;\n" MAIN("16, 16") "t[l.y * 16u + l.x] = 1u; o[0] = t[1];\n}\n"),
    CORRECT("out-of-bounds",
            HEAD "var<workgroup> t: array<u32, 64>;\n" MAIN("128") "t[l.x & 63u] = 1u; o[l.x] = t[l.x / 2u];\n}\n"),
    CORRECT(
        "out-of-bounds",
        "@group(0) @binding(0) var<storage, read_write> v: array<u32, 128>;\n@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) g: vec3<u32>) { v[g.x] = 1u; }\n",
        .dispatch = {2}),

    /* unbounded-index */
    FAULTY("unbounded-index", WARNING,
           "var<workgroup> b: array<u32, 16>;\n" KERNEL("64", GUARD "b[a[g.x] & 31u] = 1u;")),
    FAULTY("unbounded-index", WARNING,
           "var<workgroup> b: array<u32, 16>;\n" KERNEL("64", GUARD "b[a[g.x] % 17u] = 1u;")),
    FAULTY("unbounded-index", WARNING,
           "var<workgroup> b: array<u32, 16>;\n" KERNEL("64", GUARD "b[min(a[g.x], 16u)] = 1u;")),
    CORRECT("unbounded-index", "var<workgroup> b: array<u32, 16>;\n" KERNEL("64", GUARD "b[a[g.x] & 15u] = 1u;")),
    CORRECT("unbounded-index", "var<workgroup> b: array<u32, 16>;\n" KERNEL("64", GUARD "b[min(a[g.x], 15u)] = 1u;")),
    CORRECT("unbounded-index", "var<workgroup> b: array<u32, 16>;\n" KERNEL(
                                   "64", GUARD "let k = a[g.x] & 31u; if (k < 16u) { b[k] = 1u; }")),
    FAULTY("unbounded-index", WARNING,
           HEAD "var<workgroup> c: array<atomic<u32>, 256>;\n" MAIN("64") GUARD "atomicAdd(&c[a[g.x]], 1u);\n}\n"),
    FAULTY("unbounded-index", WARNING,
           HEAD
           "var<workgroup> c: array<u32, 256>;\n" MAIN("8, 8") "c[l.y * p.w + l.x] = 1u; o[g.x % p.n] = c[0];\n}\n"),
    FAULTY("unbounded-index", WARNING,
           HEAD "var<workgroup> c: array<atomic<u32>, 64>;\n" MAIN("64") GUARD
           "let bin = a[g.x] * p.w + a[g.x + 1u]; atomicAdd(&c[bin], 1u);\n}\n"),
    FAULTY("unbounded-index", WARNING,
           HEAD "@group(0) @binding(3) var<storage, read_write> c: array<atomic<u32>, 64>;\n" MAIN("64") GUARD
           "atomicAdd(&c[a[g.x] >> 4u], 1u);\n}\n"),
    CORRECT("unbounded-index", HEAD "@group(0) @binding(3) var<storage, read_write> c: array<atomic<u32>, 64>;\n" MAIN(
                                   "64") GUARD "atomicAdd(&c[a[g.x] >> 26u], 1u);\n}\n"),
    CORRECT("unbounded-index", HEAD "var<workgroup> c: array<atomic<u32>, 256>;\n" MAIN("64") GUARD
            "atomicAdd(&c[a[g.x] & 255u], 1u);\n}\n"),
    CORRECT("unbounded-index", HEAD "var<workgroup> c: array<atomic<u32>, 256>;\n" MAIN("64") GUARD
            "let bin = a[g.x]; if (bin < 256u) { atomicAdd(&c[bin], 1u); }\n}\n"),
    CORRECT("unbounded-index", HEAD "var<workgroup> c: array<atomic<u32>, 256>;\n" MAIN("64") GUARD
            "atomicAdd(&c[min(a[g.x], 255u)], 1u);\n}\n"),
    CORRECT("unbounded-index", HEAD "var<workgroup> c: array<u32, 256>;\n" MAIN(
                                   "64") "c[(l.y * p.w + l.x) % 256u] = 1u; o[g.x % p.n] = c[0];\n}\n"),
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
