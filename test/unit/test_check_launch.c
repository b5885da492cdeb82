/* SPDX-License-Identifier: MIT
 *
 * The rules of sizes, indirect arguments and launches: three kernels with the mistake and three without for each. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define GUARD "if (g.x >= p.n) { return; } "
#define PREPARE                                                                                                        \
    "@group(0) @binding(0) var<storage, read> count: u32;\n"                                                           \
    "@group(0) @binding(1) var<storage, read_write> args: array<u32, 3>;\n"                                            \
    "@compute @workgroup_size(1) fn prepare() {\n"
#define STORAGE(n, name) "@group(0) @binding(" #n ") var<storage, read> " name ": array<u32>;\n"
#define NINE                                                                                                           \
    STORAGE(3, "b0")                                                                                                   \
    STORAGE(4, "b1") STORAGE(5, "b2") STORAGE(6, "b3") STORAGE(7, "b4") STORAGE(8, "b5") STORAGE(9, "b6")

static const check_case cases[] = {
    /* wgsl */
    FAULTY("wgsl", ERROR, "fn f() -> u32 { return 1.5; }"),
    FAULTY("wgsl", ERROR, "@compute @workgroup_size(64) fn main() { let x = ; }"),
    FAULTY("wgsl", ERROR, "var<workgroup> t: array<u32, 0>;"),
    CORRECT("wgsl", ""),
    CORRECT("wgsl", "fn f() -> u32 { return 1u; }"),
    CORRECT("wgsl", KERNEL("64", GUARD "o[g.x] = 1u;")),

    /* workgroup-size */
    FAULTY("workgroup-size", WARNING, KERNEL("8, 8, 8", GUARD "o[g.x] = 1u;")),
    FAULTY("workgroup-size", WARNING, KERNEL("1, 1, 65", GUARD "o[g.x] = 1u;")),
    FAULTY("workgroup-size", ERROR, KERNEL("256", GUARD "o[g.x] = 1u;"), .compatibility = true),
    FAULTY("workgroup-size", WARNING, HEAD "const size = 512u;\n" MAIN("size") GUARD "o[g.x] = 1u;\n}\n"),
    CORRECT("workgroup-size", KERNEL("16, 16", GUARD "o[g.x] = 1u;")),
    CORRECT("workgroup-size", KERNEL("128", GUARD "o[g.x] = 1u;"), .compatibility = true),
    CORRECT("workgroup-size", KERNEL("4, 1, 64", GUARD "o[g.x] = 1u;")),

    /* workgroup-memory */
    FAULTY("workgroup-memory", WARNING,
           HEAD "var<workgroup> t: array<u32, 4097>;\n" MAIN("64") GUARD "t[l.x] = 1u; o[g.x] = t[0];\n}\n"),
    FAULTY("workgroup-memory", WARNING,
           HEAD "var<workgroup> t: array<u32, 3072>;\nvar<workgroup> q: array<u32, 3072>;\n" MAIN("64") GUARD
           "t[l.x] = 1u; q[l.x] = 2u;\n}\n"),
    FAULTY("workgroup-memory", ERROR,
           HEAD "var<workgroup> t: array<vec3<f32>, 1025>;\n" MAIN("64") GUARD "t[l.x].x = 1.0;\n}\n",
           .compatibility = true),
    FAULTY("workgroup-memory", WARNING,
           HEAD "var<workgroup> t: array<u32, 4096>;\nvar<workgroup> flag: u32;\n" MAIN("64") GUARD
           "t[l.x] = 1u; flag = 1u;\n}\n"),
    CORRECT("workgroup-memory",
            HEAD "var<workgroup> t: array<u32, 4096>;\n" MAIN("64") GUARD "t[l.x] = 1u; o[g.x] = t[0];\n}\n"),
    CORRECT("workgroup-memory", HEAD "var<workgroup> t: array<u32, 5000>;\n" MAIN("64") GUARD
            "o[g.x] = 1u;\n}\nfn other() { t[0] = 1u; }\n"),
    CORRECT("workgroup-memory", HEAD "var<workgroup> t: array<u32, 4092>;\nvar<workgroup> flag: u32;\n" MAIN("64") GUARD
            "t[l.x] = 1u; flag = 1u;\n}\n"),

    /* partial-lanes */
    FAULTY("partial-lanes", NOTE, KERNEL("40", GUARD "o[g.x] = 1u;")),
    FAULTY("partial-lanes", NOTE, KERNEL("3, 3, 3", GUARD "o[g.x] = 1u;")),
    FAULTY("partial-lanes", NOTE, KERNEL("100", GUARD "o[g.x] = 1u;")),
    CORRECT("partial-lanes", KERNEL("64", GUARD "o[g.x] = 1u;")),
    CORRECT("partial-lanes", KERNEL("8, 4", GUARD "o[g.x] = 1u;")),
    CORRECT("partial-lanes", KERNEL("1", GUARD "o[g.x] = 1u;")),

    /* group-of-one */
    FAULTY("group-of-one", NOTE, KERNEL("1", GUARD "o[g.x] = 1u;"), .dispatch = {1000}),
    FAULTY("group-of-one", NOTE, KERNEL("1, 1, 1", "o[g.y * p.w + g.x] = 1u;"), .dispatch = {64, 64}),
    FAULTY("group-of-one", NOTE,
           HEAD "@compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3<u32>) { o[w.x] = a[w.x]; }",
           .dispatch = {128}),
    CORRECT("group-of-one", KERNEL("64", GUARD "o[g.x] = 1u;"), .dispatch = {1000}),
    CORRECT("group-of-one", KERNEL("1", "o[0] = 1u;"), .dispatch = {1}),
    CORRECT("group-of-one", KERNEL("1", GUARD "o[g.x] = 1u;")),

    /* override-array */
    FAULTY("override-array", WARNING,
           HEAD "override k: u32 = 64u;\nvar<workgroup> t: array<u32, k>;\n" MAIN("64") GUARD "t[l.x] = 1u;\n}\n"),
    FAULTY("override-array", WARNING,
           HEAD "override k: u32 = 64u;\nvar<workgroup> t: array<vec4<f32>, k * 2u>;\n" MAIN("k") GUARD
           "t[l.x].x = 1.0;\n}\n"),
    FAULTY("override-array", WARNING,
           HEAD "@id(7) override k: i32 = 64;\nvar<workgroup> t: array<atomic<u32>, k + 1>;\n" MAIN("64") GUARD
           "atomicAdd(&t[l.x], 1u);\n}\n"),
    CORRECT("override-array",
            HEAD "const k: u32 = 64u;\nvar<workgroup> t: array<u32, k>;\n" MAIN("64") GUARD "t[l.x] = 1u;\n}\n"),
    CORRECT("override-array",
            HEAD "override k: u32 = 64u;\nvar<workgroup> t: array<u32, 64>;\n" MAIN("k") GUARD "t[l.x] = 1u;\n}\n"),
    CORRECT("override-array", HEAD "override k: u32 = 2u;\n" MAIN("64") GUARD "o[g.x] = k;\n}\n"),

    /* one-invocation */
    FAULTY("one-invocation", WARNING,
           KERNEL("1", "var m = 0u; for (var i = 0u; i < p.n; i++) { m = max(m, o[i]); o[i] = m; }")),
    FAULTY("one-invocation", NOTE,
           KERNEL("1", "var s = 0u; for (var i = 0u; i < arrayLength(&a); i++) { s += a[i]; } o[0] = s;")),
    FAULTY("one-invocation", WARNING,
           KERNEL("64", "if (g.x == 0u) { var i = 0u; while (i < p.n) { o[i] = a[i]; i++; } }"), .count = {100000}),
    CORRECT("one-invocation", KERNEL("1", "for (var i = 0u; i < 256u; i++) { o[i] = a[i]; }")),
    CORRECT("one-invocation", KERNEL("1", "for (var i = 0u; i < p.n; i++) { o[i] = a[i]; }"), .count = {100}),
    CORRECT("one-invocation", KERNEL("1", "for (var i = 0u; i < p.w; i++) { o[wg.x * p.w + i] = a[i]; }")),

    /* ceil-wraps */
    FAULTY("ceil-wraps", NOTE, PREPARE "args[0] = min((count + 63u) / 64u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    FAULTY("ceil-wraps", NOTE, PREPARE "args[0] = min((count + 255u) >> 8u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    FAULTY(
        "ceil-wraps", NOTE,
        PREPARE
        "let n = count; args = array(min((31u + n) / 32u, 65535u), 1u, 1u);\n args[0] = min((31u + n) / 32u, 9u);\n}\n"),
    CORRECT("ceil-wraps",
            PREPARE "args[0] = min(count / 64u + u32(count % 64u != 0u), 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("ceil-wraps", PREPARE "args[0] = select(1u, 2u, count > 64u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("ceil-wraps", KERNEL("64", GUARD "o[g.x] = a[g.x] / 64u;")),

    /* stride-indirect */
    FAULTY("stride-indirect", ERROR, KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] += 1u; }"),
           .indirect = true),
    FAULTY("stride-indirect", NOTE, KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] += 1u; }")),
    FAULTY("stride-indirect", ERROR,
           KERNEL("64", "let s = nw.x * 64u; var i = g.x; while (i < p.n) { o[i] += 1u; i += s; }"), .indirect = true),
    CORRECT("stride-indirect", KERNEL("64", "for (var i = g.x; i < p.n; i += p.row) { o[i] += 1u; }"),
            .indirect = true),
    CORRECT("stride-indirect", KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] += 1u; }"),
            .dispatch = {16}),
    CORRECT("stride-indirect", KERNEL("64", GUARD "o[g.x] = nw.x;"), .indirect = true),

    /* indirect-partial */
    FAULTY("indirect-partial", WARNING, PREPARE "args[0] = min(count, 65535u);\n}\n"),
    FAULTY("indirect-partial", WARNING, PREPARE "args[0] = min(count, 65535u); args[1] = 1u;\n}\n"),
    FAULTY(
        "indirect-partial", WARNING,
        "struct Dispatch { x: u32, y: u32, z: u32 }\n@group(0) @binding(0) var<storage, read_write> dispatch_args: Dispatch;\n"
        "@compute @workgroup_size(1) fn main() { dispatch_args.x = 7u; dispatch_args.z = 1u; }\n"),
    CORRECT("indirect-partial", PREPARE "args[0] = min(count, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-partial", PREPARE "args = array<u32, 3>(min(count, 65535u), 1u, 1u);\n}\n"),
    CORRECT("indirect-partial",
            PREPARE "for (var k = 0u; k < 3u; k++) { args[k] = 1u; } args[0] = min(count, 65535u);\n}\n"),
    CORRECT("indirect-partial", KERNEL("64", "if (l.x == 0u) { o[0] = 1u; }")),

    /* indirect-unsaturated */
    FAULTY("indirect-unsaturated", WARNING, PREPARE "args[0] = (count + 63u) / 64u; args[1] = 1u; args[2] = 1u;\n}\n"),
    FAULTY("indirect-unsaturated", WARNING,
           PREPARE "let groups = max((count + 255u) / 256u, 1u); args[0] = groups; args[1] = 1u; args[2] = 1u;\n}\n"),
    FAULTY(
        "indirect-unsaturated", WARNING,
        "@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;\n@group(0) @binding(1) var<storage, read_write> indirect: vec3<u32>;\n"
        "@compute @workgroup_size(1) fn main() { indirect = vec3<u32>((atomicLoad(&count) + 127u) / 128u, 1u, 1u); }\n"),
    FAULTY("indirect-unsaturated", WARNING,
           PREPARE "args[0] = count / 64u + select(0u, 1u, count % 64u > 0u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-unsaturated",
            PREPARE "args[0] = min((count + 63u) / 64u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-unsaturated",
            PREPARE "let n = min(count, 1000000u); args[0] = (n + 63u) / 64u; args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-unsaturated",
            PREPARE "let g = (count + 63u) / 64u; args[0] = clamp(g, 1u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),

    /* indirect-size */
    FAULTY("indirect-size", WARNING, PREPARE "args[0] = min(count / 64u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    FAULTY("indirect-size", WARNING,
           PREPARE "args[0] = min((count + 63u) / 128u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    FAULTY("indirect-size", WARNING, PREPARE "args[0] = min(count >> 6u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    FAULTY("indirect-size", WARNING,
           PREPARE "args[0] = min(count / 64u + 1u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-size",
            PREPARE "args[0] = min(count / 64u + u32(count % 64u != 0u), 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-size", PREPARE "if (count == 0u) { return; } args[0] = min((count - 1u) / 64u + 1u, 65535u); "
                                     "args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-size", PREPARE "args[0] = min((count + 63u) / 64u, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-size",
            PREPARE "args[0] = min(count / 64u + u32(count % 64u != 0u), 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-size", PREPARE "args[0] = min(count, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),

    /* indirect-writable */
    FAULTY("indirect-writable", ERROR,
           HEAD "@group(0) @binding(3) var<storage, read_write> args: array<u32, 3>;\n" MAIN("64") GUARD
           "o[g.x] = a[g.x]; if (g.x == 0u) { args[0] = 1u; args[1] = 1u; args[2] = 1u; }\n}\n",
           .indirect_buffer = "args"),
    FAULTY(
        "indirect-writable", WARNING,
        HEAD "@group(0) @binding(3) var<storage, read_write> dispatch_args: array<u32, 3>;\n" MAIN("64") GUARD
        "o[g.x] = a[g.x]; if (g.x == 0u) { dispatch_args[0] = 1u; dispatch_args[1] = 1u; dispatch_args[2] = 1u; }\n}\n"),
    FAULTY("indirect-writable", ERROR, KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect_buffer = "o"),
    CORRECT("indirect-writable", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect = true),
    CORRECT("indirect-writable", PREPARE "args[0] = min(count, 65535u); args[1] = 1u; args[2] = 1u;\n}\n"),
    CORRECT("indirect-writable", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect_buffer = "a"),

    /* indirect-offset */
    FAULTY("indirect-offset", ERROR, KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect_buffer = "a",
           .indirect_offset = 2),
    FAULTY("indirect-offset", ERROR, KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect_buffer = "a",
           .indirect_offset = 12, .binds = {{"a", 16, NULL}}),
    FAULTY("indirect-offset", ERROR, KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect_buffer = "a",
           .indirect_offset = 4096, .binds = {{"a", 400, NULL}}),
    CORRECT("indirect-offset", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect_buffer = "a", .indirect_offset = 4,
            .binds = {{"a", 16, NULL}}),
    CORRECT("indirect-offset", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect_buffer = "a", .indirect_offset = 256),
    CORRECT("indirect-offset", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .indirect = true),

    /* binding-small */
    FAULTY("binding-small", ERROR, KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {1000}, .binds = {{"o", 2000, NULL}}),
    FAULTY("binding-small", ERROR, KERNEL("64", GUARD "o[g.x] = a[g.x];"), .binds = {{"a", 400, NULL}},
           .sets = {{"p.n", 101}}),
    FAULTY("binding-small", ERROR, KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"p", 16, NULL}}),
    FAULTY("binding-small", ERROR, KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] = 1u; }"),
           .count = {5000}, .dispatch = {4}, .binds = {{"o", 19996, NULL}}),
    CORRECT("binding-small", KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {1000}, .binds = {{"o", 4000, NULL}}),
    CORRECT("binding-small", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .binds = {{"a", 404, NULL}},
            .sets = {{"p.n", 101}}),
    CORRECT("binding-small", KERNEL("64", GUARD "o[g.x / 4u] = 1u;"), .count = {1000},
            .binds = {{"o", 1000, NULL}, {"p", 32, NULL}}),

    /* binding-alias */
    FAULTY("binding-alias", ERROR, KERNEL("64", GUARD "o[g.x] = a[g.x];"), .binds = {{"a", 400, "x"}, {"o", 400, "x"}}),
    FAULTY("binding-alias", ERROR,
           HEAD "@group(0) @binding(3) var<storage, read_write> q: array<u32>;\n" MAIN("64") GUARD
           "o[g.x] = 1u; q[g.x] = 2u;\n}\n",
           .binds = {{"q", 400, "x"}, {"o", 400, "x"}}),
    FAULTY("binding-alias", ERROR, KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"p", 64, "x"}, {"o", 64, "x"}}),
    CORRECT("binding-alias", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .binds = {{"a", 400, "x"}, {"o", 400, "y"}}),
    CORRECT("binding-alias", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .binds = {{"a", 400, NULL}, {"o", 400, NULL}}),
    CORRECT("binding-alias",
            HEAD "@group(0) @binding(3) var<storage, read> b: array<u32>;\n" MAIN("64") GUARD
            "o[g.x] = a[g.x] + b[g.x];\n}\n",
            .binds = {{"a", 400, "x"}, {"b", 400, "x"}}),

    /* binding-count */
    FAULTY("binding-count", WARNING,
           HEAD NINE MAIN("64") GUARD
           "o[g.x] = a[g.x] + b0[g.x] + b1[g.x] + b2[g.x] + b3[g.x] + b4[g.x] + b5[g.x] + b6[g.x];\n}\n"),
    FAULTY("binding-count", ERROR,
           HEAD NINE MAIN("64") GUARD "o[g.x] = a[0] + b0[0] + b1[0] + b2[0] + b3[0] + b4[0] + b5[0] + b6[0];\n}\n",
           .compatibility = true),
    FAULTY(
        "binding-count", WARNING,
        "@group(0) @binding(0) var t0: texture_storage_2d<r32float, write>;\n@group(0) @binding(1) var t1: texture_storage_2d<r32float, write>;\n"
        "@group(0) @binding(2) var t2: texture_storage_2d<r32float, write>;\n@group(0) @binding(3) var t3: texture_storage_2d<r32float, write>;\n"
        "@group(0) @binding(4) var t4: texture_storage_2d<r32float, write>;\n"
        "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
        "  textureStore(t0, g.xy, vec4f()); textureStore(t1, g.xy, vec4f()); textureStore(t2, g.xy, vec4f());\n"
        "  textureStore(t3, g.xy, vec4f()); textureStore(t4, g.xy, vec4f());\n}\n"),
    CORRECT("binding-count", HEAD NINE MAIN("64") GUARD
            "o[g.x] = a[g.x] + b0[g.x] + b1[g.x] + b2[g.x] + b3[g.x] + b4[g.x] + b5[g.x];\n}\n"),
    CORRECT(
        "binding-count", HEAD NINE MAIN("64") GUARD
        "o[g.x] = a[g.x];\n}\nfn other() -> u32 { return b0[0] + b1[0] + b2[0] + b3[0] + b4[0] + b5[0] + b6[0]; }\n"),
    CORRECT("binding-count", KERNEL("64", GUARD "o[g.x] = a[g.x];"), .compatibility = true),

    /* binding-limit */
    FAULTY("binding-limit", WARNING, KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"o", 200000000, NULL}}),
    FAULTY("binding-limit", ERROR, KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"o", 200000000, NULL}},
           .compatibility = true),
    FAULTY("binding-limit", ERROR, KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"p", 65536, NULL}},
           .compatibility = true),
    CORRECT("binding-limit", KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"o", 134217728, NULL}}),
    CORRECT("binding-limit", KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"p", 65536, NULL}}),
    CORRECT("binding-limit", KERNEL("64", GUARD "o[g.x] = 1u;"), .binds = {{"o", 400, NULL}}, .compatibility = true),

    /* dispatch-limit */
    FAULTY("dispatch-limit", ERROR, KERNEL("64", GUARD "o[g.x] = 1u;"), .dispatch = {65536}),
    FAULTY("dispatch-limit", ERROR, KERNEL("64", "if (g.z < p.n) { o[g.z] = 1u; }"), .dispatch = {1, 1, 81920}),
    FAULTY("dispatch-limit", ERROR, KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.w + g.x] = 1u; }"),
           .dispatch = {4, 100000}),
    CORRECT("dispatch-limit", KERNEL("64", GUARD "o[g.x] = 1u;"), .dispatch = {65535}),
    CORRECT("dispatch-limit", KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {1000}),
    CORRECT("dispatch-limit", KERNEL("64", "let i = g.y * p.row + g.x; if (i < p.n) { o[i] = 1u; }"),
            .dispatch = {65535, 65535}),

    /* dispatch-short */
    FAULTY("dispatch-short", ERROR, KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {1000}, .dispatch = {15}),
    FAULTY("dispatch-short", ERROR, KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.w + g.x] = 1u; }"),
           .count = {1000, 601}, .dispatch = {125, 75}),
    FAULTY("dispatch-short", ERROR, KERNEL("64", "let i = wg.x * 64u + l.x; if (i < arrayLength(&o)) { o[i] = 1u; }"),
           .count = {65}, .dispatch = {1, 1, 1}, .binds = {{"o", 400, NULL}}),
    FAULTY("dispatch-short", ERROR, KERNEL("256", GUARD "o[g.x] += a[g.x];"), .count = {3000001}, .dispatch = {11718}),
    CORRECT("dispatch-short", KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {1000}, .dispatch = {16}),
    CORRECT("dispatch-short", KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] = 1u; }"),
            .count = {1000}, .dispatch = {4}),
    CORRECT("dispatch-short", KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.w + g.x] = 1u; }"),
            .count = {1000, 601}, .dispatch = {125, 76}),
    CORRECT(
        "dispatch-short",
        KERNEL(
            "64",
            "let i = g.x; for (var k = 0u; k < 4u; k++) { let j = wg.x * 256u + k * 64u + l.x; if (j < p.n) { o[j] = i; } }"),
        .count = {1000}, .dispatch = {4}),

    FAULTY("dispatch-short", ERROR,
           KERNEL("64",
                  "for (var k = 0u; k < 4u; k++) { let i = (wg.x * 4u + k) * 64u + l.x; if (i < p.n) { o[i] = 1u; } }"),
           .count = {1000}, .dispatch = {3}),
    CORRECT(
        "dispatch-short",
        KERNEL("64",
               "for (var k = 0u; k < 4u; k++) { let i = (wg.x * 4u + k) * 64u + l.x; if (i < p.n) { o[i] = 1u; } }"),
        .count = {1000}, .dispatch = {4}),
    CORRECT("dispatch-short", KERNEL("64", "for (var i = g.x; i < p.n; i += nw.x * 64u) { o[i] = 1u; }"),
            .count = {1000}, .dispatch = {3}),

    /* dispatch-twice */
    FAULTY("dispatch-twice", WARNING, KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {1000}, .dispatch = {1000}),
    FAULTY("dispatch-twice", WARNING, KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.w + g.x] = 1u; }"),
           .count = {1280, 720}, .dispatch = {1280, 720}),
    FAULTY("dispatch-twice", WARNING, KERNEL("256", "let i = wg.x * 256u + l.x; if (i < p.n) { o[i] = 1u; }"),
           .count = {10000}, .dispatch = {100}),
    CORRECT("dispatch-twice", KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {1000}, .dispatch = {16}),
    CORRECT("dispatch-twice", KERNEL("64", GUARD "o[g.x] = 1u;"), .count = {10}, .dispatch = {1}),
    CORRECT("dispatch-twice", KERNEL("8, 8", "if (g.x < p.w && g.y < p.h) { o[g.y * p.w + g.x] = 1u; }"),
            .count = {1280, 720}, .dispatch = {160, 90}),
};

static void kernels(void **state)
{
    (void)state;
    static const char *const families[] = {"size", "indirect", "launch", NULL};
    help_check_table(cases, sizeof cases / sizeof cases[0], families);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
