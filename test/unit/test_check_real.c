/* SPDX-License-Identifier: MIT
 *
 * Kinds of code that stood in real shaders and that a rule took wrongly, or missed: reduced, in kernels of our own
 * (docs/check-corpus.md). */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const check_case cases[] = {
    /* One slot a group, found by dividing the global id. */
    CORRECT("unguarded-index", KERNEL("256", "let i = g.x; if (l.x == 0u) { o[i >> 8u] = a[i]; }")),
    CORRECT("unguarded-index", KERNEL("64", "let i = g.x; if (l.x == 0u) { o[i / 128u] = a[i]; }")),
    FAULTY("unguarded-index", WARNING, KERNEL("64", "o[g.x / 4u] = 1u;")),

    /* What is past the count is written too: the buffers have room for whole groups. An inverted guard is something else. */
    CORRECT("unguarded-index",
            KERNEL("64", "if (g.x < p.n) { o[g.x] = a[g.x]; } else { o[g.x] = 0xffffffffu; } o[g.x + p.w] = g.x;")),
    CORRECT("unguarded-index", KERNEL("64", "if (g.x + 1u > p.n) { o[g.x] = 0u; return; } o[g.x] = a[g.x];")),
    FAULTY("unguarded-index", WARNING, KERNEL("64", "if (g.x < p.n) { return; } o[g.x] = a[g.x];")),
    FAULTY("unguarded-index", WARNING,
           KERNEL("64", "if (g.x < arrayLength(&o)) { o[g.x] = 1u; } else { o[g.x] = 0u; }")),

    /* One slot a group in a domain of three axes: no fold. And groups kept back by a number that no invocation has. */
    CORRECT("unguarded-group", KERNEL("1", "o[wg.x + wg.y * nw.x + wg.z * nw.x * nw.y] = a[0];")),
    CORRECT("unguarded-group", KERNEL("64", "let group = wg.y * nw.x + wg.x; var last = 0xffffffffu;\n"
                                            "if (group < p.n) { last = min(64u, p.w - group * 64u) - 1u; }\n"
                                            "if (l.x == last) { o[group] = 1u; }")),
    CORRECT("unguarded-group",
            "override size: u32;\n" HEAD
            "@compute @workgroup_size(size) fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) nw: "
            "vec3<u32>, @builtin(local_invocation_index) l: u32) {\n"
            "let group = wg.y * nw.x + wg.x; var last = 0xffffffffu;\n"
            "if (group < p.n) { last = min(size, p.w - group * size) - 1u; } if (l == last) { o[group] = a[0]; }\n}\n"),
    FAULTY("unguarded-group", WARNING,
           KERNEL("64", "let group = wg.y * nw.x + wg.x; if (l.x == 0u) { o[group] = 1u; }")),

    /* A few elements walked by one invocation: where the launch does not say that they are many, only a note. */
    FAULTY("one-invocation", NOTE,
           KERNEL("1", "var m = 0u; for (var i = 0u; i < arrayLength(&a); i++) { m = max(m, a[i]); } o[0] = m;")),
    FAULTY("one-invocation", WARNING,
           KERNEL("1", "var m = 0u; for (var i = 0u; i < arrayLength(&a); i++) { m = max(m, a[i]); } o[0] = m;"),
           .count = {60000}, .dispatch = {1}),

/* A weak exchange is tried again where it failed for nothing; a lock is waited for. */
#define SLOTS "@group(0) @binding(0) var<storage, read_write> slots: array<atomic<u32>>;\n"
#define ONE "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
    CORRECT("unbounded-wait", SLOTS ONE "loop { let r = atomicCompareExchangeWeak(&slots[0], 0u, g.x + 1u);\n"
                                        "if (r.exchanged || r.old_value != 0u) { break; } }\n}\n"),
    CORRECT("unbounded-wait", SLOTS ONE "var r = atomicCompareExchangeWeak(&slots[0], 0u, g.x + 1u);\n"
                                        "loop { if (r.exchanged) { return; } if (0u != r.old_value) { break; }\n"
                                        "r = atomicCompareExchangeWeak(&slots[0], 0u, g.x + 1u); }\n}\n"),
    FAULTY("unbounded-wait", WARNING,
           SLOTS ONE "loop { let r = atomicCompareExchangeWeak(&slots[0], 0u, 1u); if (r.exchanged) { break; } }\n"
                     "atomicStore(&slots[0], 0u);\n}\n"),
    FAULTY("unbounded-wait", WARNING,
           SLOTS ONE "var r = atomicCompareExchangeWeak(&slots[0], 0u, 1u);\n"
                     "while (r.old_value != 0u) { r = atomicCompareExchangeWeak(&slots[0], 0u, 1u); }\n}\n"),
#undef SLOTS
#undef ONE

    /* A loop that takes four elements a round. */
    CORRECT("stride-mismatch",
            KERNEL("64", "var m = 0u; for (var i = l.x; i + 192u < p.n; i += 256u) {\n"
                         "m = max(max(m, a[i]), max(a[i + 64u], max(a[i + 128u], a[i + 192u]))); } o[wg.x] = m;")),
    FAULTY(
        "stride-mismatch", WARNING,
        KERNEL(
            "64",
            "var m = 0u; for (var i = l.x; i < p.n; i += 256u) { m = max(max(m, a[i]), a[i + 64u]); } o[wg.x] = m;")),

    /* A condition that always holds, in a loop that ends by another. */
    FAULTY("unsigned-underflow", NOTE, KERNEL("64", "for (var i = p.n; i >= 0u; i--) { if (a[i] == 0u) { break; } }")),
    FAULTY("unsigned-underflow", ERROR, KERNEL("64", "for (var i = p.n; i >= 0u; i--) { o[0] = i; }")),

    /* A test of a remainder or of a part bounds nothing: rows and columns of one number. */
    FAULTY("unguarded-index", WARNING,
           KERNEL("64", "let x = g.x % p.w; let y = g.x / p.w; if (x < p.row || x >= p.h) { o[y * p.row + x] = 1u; }")),
    CORRECT("unguarded-index",
            KERNEL("64", "if (g.x >= p.n) { return; } let x = g.x % p.w; if (x < p.row || x >= p.h) { o[g.x] = 1u; }")),
    CORRECT("unguarded-index", KERNEL("64", "if (g.x < p.n && (p.w == 0u || g.x < p.w)) { o[g.x] = 1u; }")),

    /* The group of a fold taken apart into batch, row and column. */
    FAULTY("unguarded-group", WARNING,
           KERNEL("64", "let i = wg.y * nw.x + wg.x; let batch = i / p.w; let row = i % p.w;\n"
                        "if (l.x == 0u) { o[batch * p.row + row * 4u] = 1u; }")),
    CORRECT("unguarded-group",
            KERNEL("64", "let i = wg.y * nw.x + wg.x; let batch = i / p.w; if (batch >= p.n) { return; }\n"
                         "let row = i % p.w; if (l.x == 0u) { o[batch * p.row + row * 4u] = 1u; }")),

    /* Written where a table of edges says, which nothing keeps the last group from reading past its end. */
    FAULTY("unguarded-index", WARNING, KERNEL("64", "o[a[g.x]] += 1u;")),
    FAULTY("unguarded-index", WARNING, KERNEL("64", "o[4u * a[2u * g.x + 1u] + 2u] = 1u;")),
    CORRECT("unguarded-index", KERNEL("64", "if (g.x < p.n) { o[a[g.x]] += 1u; }")),
    CORRECT("unguarded-index", KERNEL("64", "o[a[wg.x] + l.x] = 1u;")),
    CORRECT("unguarded-index", KERNEL("64", "let tag = a[g.x]; if ((tag & 1u) != 0u) { o[tag >> 1u] = 1u; }")),

    /* Neighbours on a torus: x - 1 wraps before the remainder is taken. */
    FAULTY("unsigned-underflow", WARNING,
           HEAD "fn at(x: u32) -> u32 { return a[x % p.w]; }\n" MAIN(
               "64") "if (g.x >= p.n) { return; } o[g.x] = at(g.x - 1u) + at(g.x + 1u);\n}\n"),
    FAULTY("unsigned-underflow", WARNING, KERNEL("64", "if (g.x < p.n) { o[g.x] = a[(g.x - 2u) % 100u]; }")),
    FAULTY("unsigned-underflow", WARNING,
           KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.w + g.x] = a[((g.y - 1u) % p.h) * p.w + g.x]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (g.x < p.n) { o[g.x] = a[(g.x + p.w - 1u) % p.w]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (g.x < p.n) { o[g.x] = a[(g.x - 1u) % 128u]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (g.x > 0u && g.x < p.n) { o[g.x] = a[(g.x - 1u) % p.w]; }")),
    CORRECT("unsigned-underflow", KERNEL("64", "if (g.x < p.n) { o[g.x] = a[(max(g.x, 1u) - 1u) % p.w]; }")),
};

static void real_shaders(void **state)
{
    (void)state;
    static const char *const families[] = {NULL};
    help_check_table(cases, sizeof cases / sizeof cases[0], families);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_shaders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
