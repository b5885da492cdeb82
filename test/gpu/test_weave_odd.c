/* SPDX-License-Identifier: MIT
 *
 * Sources that are written oddly: names, comments, line ends, commas, groups. Each is woven into a kernel that the
 * device takes and that visits every element once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "launch.h"

enum {
    N = 3001,
    USES_MAX = 4
};

#define D "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"

/* The last of the kernel's bindings is d; those before it are uniforms of one word, 0. */
static void run_source(gpu_launch launch, uint32_t bindings)
{
    uint32_t *d = calloc(N, sizeof *d);
    static uint32_t zero[4];
    gpu_data data[USES_MAX] = {0};
    for (uint32_t k = 0; k < bindings; k++) data[k] = (gpu_data){zero, 4, 4};
    data[bindings - 1] = (gpu_data){d, N, N};
    gpu_run_on(&launch, data, bindings);
    for (uint32_t k = 0; k < N; k++) {
        if (d[k] != k + 1) fail_msg("element %u is %u\n%s", k, d[k], launch.woven.kernel.wgsl);
    }
    gpu_launch_free(&launch);
    free(d);
}

/* Under both ways to pass the parameters. */
static void run_both(gpu_launch launch, uint32_t bindings)
{
    run_source(launch, bindings);
    launch.uniform_params = true;
    run_source(launch, bindings);
}

static const telar_plan_desc wishes[] = {
    {.count = {N}},
    {.count = {N}, .size = {32}, .items = 3, .shape = TELAR_SHAPE_FOLD, .fold_width = 5},
    {.count = {N}, .size = {32}, .items = 2, .shape = TELAR_SHAPE_STRIDE, .groups = 3},
};

static void odd_element_functions(void **state)
{
    (void)state;
    static const char *const sources[] = {
        /* comments at the end, without a line end; carriage returns */
        D "fn element(i: u32) { d[i] += i + 1; } // the end",
        "@group(0) @binding(0)\r\nvar<storage, read_write> d: array<u32>;\r\n"
        "fn element(i: u32) {\r\n    d[i] += i + 1; // one\r\n}\r\n// the end\r",
        D "fn /* a */ element // b\n ( /* c */ i /* d */ : u32 , ) /* e */ { d[i] += i + 1; } /* /* f */ g */",
        /* aliases of the index and of what weaving itself writes */
        "alias Index = u32; alias vec3u = vec3<u32>; alias vec2u = vec2<u32>;\n" D
        "fn element(i: Index) { let all = vec3u(i); d[all.x] += i + 1; }\n",
        /* names of the user's own that mean something elsewhere */
        D "fn min(i: u32) { d[i] += i + 1; }\nfn element(select: u32) { min(select); }\n",
        D "struct launch { count: u32 }\nfn element(i: u32) { let l = launch(i); d[l.count] += i + 1; }\n",
        D
        "const element_1 = 1u;\nfn main(i: u32) { element(i); }\nfn element(i: u32) { let i_1 = i; d[i_1] += i + element_1; }\n",
        "// first a comment\n/* and another */\ndiagnostic(off, derivative_uniformity);\n" D
        "fn element(i: u32) { { let i = 7u; _ = i; } d[i] += i + 1; }\n",
        "const_assert true;\n;\n" D "fn element(i: u32) { switch i { default { d[i] += i + 1; } } };\n",
        D "fn element(\xce\xb4: u32) { let \xc3\xa9t\xc3\xa9 = \xce\xb4; d[\xc3\xa9t\xc3\xa9] += \xce\xb4 + 1; }\n",
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        for (size_t j = 0; j < sizeof wishes / sizeof *wishes; j++) {
            run_both((gpu_launch){.source = sources[k], .desc = wishes[j]}, 1);
        }
    }
}

static void odd_entry_points(void **state)
{
    (void)state;
    static const char *const sources[] = {
        D "@workgroup_size(32,) @compute fn min(@builtin(global_invocation_id) g: vec3u,) {\n"
          "    if (g.x < 3001) { d[g.x] += max(g.x, 0u) + 1; }\n}// the end",
        D
        "/* a */ @compute /* b */ @workgroup_size /* c */ ( /* d */ 8 /* e */ , 4 // f\n ) fn /* g */ main /* h */ (\n"
        "    /* i */ @builtin( /* j */ workgroup_id ) /* k */ w /* l */ : vec3 < u32 > /* m */ ,\n"
        "    @builtin(local_invocation_index) l: u32 /* n */) /* o */ {\n"
        "    let i = w.x * 32 + l;\n    if (i < 3001) { d[i] += i + 1; }\n}\r\n",
        "struct In {\n    @builtin(local_invocation_index) l: u32, // comment\n    @builtin(workgroup_id) w: vec3u,\n};\n"
        "alias Input = In;\n" D "@compute @workgroup_size(32) fn main(in: Input) {\n"
        "    let i = in.w.x * 32 + in.l;\n    if (i < 3001) { d[i] += i + 1; }\n}\n",
        /* a parameter with the name of a structure, another of its type */
        "struct In { @builtin(local_invocation_index) l: u32 }\n" D
        "@compute @workgroup_size(32) fn main(@builtin(workgroup_id) In: vec3u, in: In) {\n"
        "    let i = In.x * 32 + in.l;\n    if (i < 3001) { d[i] += i + 1; }\n}\n",
        /* a parameter with the name of the constant that the size is */
        "const x = 4 * 8;\nconst y: i32 = 1;\n" D
        "@compute @workgroup_size(x, y) fn main(@builtin(global_invocation_id) x: vec3u) {\n"
        "    if (x.x < 3001) { d[x.x] += x.x + 1; }\n}\n",
        /* parameters that shadow what the added text calls */
        D "@compute @workgroup_size(32)\n"
          "fn main(@builtin(global_invocation_id) all: vec3u, @builtin(num_workgroups) u32: vec3<u32>,\n"
          "        @builtin(local_invocation_id) vec3u: vec3<u32>) {\n"
          "    if (all.x < 3001 && u32.x == 94 && vec3u.x == all.x % 32) { d[all.x] += all.x + 1; }\n}\n",
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        run_both((gpu_launch){.source = sources[k], .desc = {.count = {N}}}, 1);
        run_both((gpu_launch){.source = sources[k], .desc = {.count = {N}, .shape = TELAR_SHAPE_FOLD}}, 1);
        run_both((gpu_launch){.source = sources[k], .desc = {.count = {N}, .fold_width = 7}}, 1);
    }
}

/* Sizes that are set when the pipeline is made. */
static void overrides(void **state)
{
    (void)state;
    static const char source[] =
        "@id(3) override width = 8u;\noverride height: u32;\n" D "@compute @workgroup_size(width * 2, height)\n"
        "fn main(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {\n"
        "    let i = w.x * width * 2 * height + l;\n"
        "    if (i < 3001) { d[i] += i + 1; }\n"
        "}\n";
    static const telar_override values[] = {{"3", 4}, {"height", 8}};
    gpu_launch launch = {.source = source, .desc = {.count = {N}}, .overrides = values, .overrides_count = 2};
    run_both(launch, 1);
    launch.desc.fold_width = 7;
    run_both(launch, 1);
}

/* All four groups are used: the launch block takes a free number of the last one. */
static void every_group_is_used(void **state)
{
    (void)state;
    static const char head[] = "@group(0) @binding(0) var<uniform> a: u32;\n"
                               "@group(1) @binding(2) var<uniform> b: u32;\n"
                               "@group(2) @binding(1) var<uniform> c: u32;\n"
                               "@group(3) @binding(0) var<storage, read_write> d: array<u32>;\n";
    static const char *const tails[] = {
        "fn element(i: u32) { d[i] += i + 1 + a + b + c; }\n",
        "@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
        "    if (g.x < 3001) { d[g.x] += g.x + 1 + a + b + c; }\n}\n",
    };
    for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
        char source[1024];
        snprintf(source, sizeof source, "%s%s", head, tails[k]);
        run_both((gpu_launch){.source = source, .desc = {.count = {N}}}, 4);
        run_both((gpu_launch){.source = source, .desc = {.count = {N}, .fold_width = 7}}, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_element_functions),
        cmocka_unit_test(odd_entry_points),
        cmocka_unit_test(overrides),
        cmocka_unit_test(every_group_is_used),
    };
    return cmocka_run_group_tests_name("odd sources", tests, gpu_open, gpu_close);
}
