/* SPDX-License-Identifier: MIT
 *
 * Woven kernels on a device: every shape, one to three dimensions, the counts around every border, windows. Each element
 * must be visited exactly once and nothing beside the data may change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "launch.h"

static void expect_index_plus_one(const gpu_launch *l, uint64_t elements)
{
    for (uint64_t k = 0; k < elements; k++) {
        if (l->data[k] != (uint32_t)k + 1) {
            fail_msg("%s, size %u x %u x %u, items %u: element %llu is %u", telar_shape_text(l->plan.shape),
                     l->plan.workgroup_size[0], l->plan.workgroup_size[1], l->plan.workgroup_size[2], l->plan.items,
                     (unsigned long long)k, l->data[k]);
        }
    }
}

static const char line_source[] = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                  "fn element(i: u32) { d[i] += i + 1; }\n";

static void run_line(telar_plan_desc desc)
{
    gpu_launch l = {.source = line_source, .desc = desc};
    gpu_run(&l, desc.count[0]);
    expect_index_plus_one(&l, desc.count[0]);
    gpu_launch_free(&l);
}

static void every_count_around_the_borders(void **state)
{
    (void)state;
    static const uint64_t counts[] = {
        0, 1, 63, 64, 65, 255, 256, 257, 65535 * 64 - 1, 65535 * 64, 65535 * 64 + 1, 3000001, (1 << 24) + 1};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        run_line((telar_plan_desc){.count = {counts[k]}});
        run_line((telar_plan_desc){.count = {counts[k]}, .size = {64}, .items = 1});
    }
}

static void every_shape(void **state)
{
    (void)state;
    static const telar_plan_desc descs[] = {
        {.count = {3000001}, .size = {64}, .items = 1, .shape = TELAR_SHAPE_LINEAR},
        {.count = {3000001}, .size = {128}, .items = 4, .shape = TELAR_SHAPE_LINEAR},
        {.count = {1000003}, .size = {32}, .items = 3, .shape = TELAR_SHAPE_FOLD},
        {.count = {8000000}, .size = {64}, .items = 1, .shape = TELAR_SHAPE_FOLD, .fold_width = 4096},
        {.count = {68921}, .size = {1}, .items = 1, .shape = TELAR_SHAPE_FOLD},
        {.count = {65537}, .size = {1}, .items = 1},
        {.count = {3000001}, .size = {64}, .items = 1, .shape = TELAR_SHAPE_STRIDE, .groups = 512},
        {.count = {3000001}, .size = {64}, .items = 5, .shape = TELAR_SHAPE_STRIDE, .groups = 7},
        {.count = {65}, .size = {64}, .items = 1, .shape = TELAR_SHAPE_STRIDE, .groups = 512},
    };
    for (size_t k = 0; k < sizeof descs / sizeof descs[0]; k++) run_line(descs[k]);
}

static const char plane_source[] = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                   "fn element(p: vec2u) { let i = p.y * 1000 + p.x; d[i] += i + 1; }\n";
static const char strip_source[] = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                   "fn element(p: vec2u) { let i = p.y * 10 + p.x; d[i] += i + 1; }\n";
static const char volume_source[] = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                    "fn element(p: vec3u) { let i = (p.z * 37 + p.y) * 101 + p.x; d[i] += i + 1; }\n";

static void two_and_three_dimensions(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        telar_plan_desc desc;
    } cases[] = {
        {plane_source, {.count = {1000, 601}, .dimensions = 2, .kind = TELAR_KIND_IMAGE}},
        {plane_source, {.count = {1000, 601}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .shape = TELAR_SHAPE_FOLD}},
        {plane_source, {.count = {1000, 601}, .dimensions = 2, .size = {8, 8}, .items = 4}},
        {plane_source, {.count = {1000, 1}, .dimensions = 2, .size = {16, 16}}},
        {strip_source, {.count = {10, 70000}, .dimensions = 2, .size = {1, 1}, .items = 3}},
        {volume_source, {.count = {101, 37, 53}, .dimensions = 3}},
        {volume_source, {.count = {101, 37, 53}, .dimensions = 3, .size = {4, 4, 4}, .shape = TELAR_SHAPE_FOLD}},
        {volume_source, {.count = {101, 37, 53}, .dimensions = 3, .size = {8, 2, 2}, .items = 3}},
        {volume_source, {.count = {101, 37, 0}, .dimensions = 3}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const uint64_t *count = cases[k].desc.count;
        gpu_launch l = {.source = cases[k].source, .desc = cases[k].desc};
        uint64_t elements = count[0] * count[1] * (cases[k].desc.dimensions == 3 ? count[2] : 1);
        gpu_run(&l, elements);
        expect_index_plus_one(&l, elements);
        gpu_launch_free(&l);
    }
}

/* An ordinary kernel under a fold: every built-in that it may use is rebuilt. */
static const char ordinary_source[] =
    "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
    "var<workgroup> shared_value: u32;\n"
    "@compute @workgroup_size(4)\n"
    "fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(workgroup_id) wid: vec3u,\n"
    "        @builtin(local_invocation_id) lid: vec3u, @builtin(local_invocation_index) li: u32,\n"
    "        @builtin(num_workgroups) nwg: vec3u) {\n"
    "    if (li == 0) { shared_value = wid.x * 4; }\n"
    "    workgroupBarrier();\n"
    "    let i = shared_value + lid.x;\n"
    "    if (i >= 400003 || i != gid.x || nwg.x != 100001 || lid.x != li) { return; }\n"
    "    d[i] += i + 1;\n"
    "}\n";
static const char struct_source[] =
    "struct In { @builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) li: u32 }\n"
    "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
    "@compute @workgroup_size(4) fn main(in: In) {\n"
    "    let i = in.wid.x * 4 + in.li;\n"
    "    if (i < 400003) { d[i] += i + 1; }\n"
    "}\n";
static const char ordinary_plane_source[] =
    "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
    "@compute @workgroup_size(4, 1)\n"
    "fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) nwg: vec3u) {\n"
    "    let i = gid.y * 10 + gid.x;\n"
    "    if (gid.x < 10 && gid.y < 70000 && nwg.x == 3 && nwg.y == 70000 && nwg.z == 1) { d[i] += i + 1; }\n"
    "}\n";

static void ordinary_kernels_fold(void **state)
{
    (void)state;
    const struct {
        const char *source;
        telar_plan_desc desc;
        uint64_t elements;
    } cases[] = {
        {ordinary_source, {.count = {400003}}, 400003},
        {ordinary_source, {.count = {400003}, .shape = TELAR_SHAPE_FOLD, .fold_width = 300}, 400003},
        {struct_source, {.count = {400003}}, 400003},
        {ordinary_plane_source, {.count = {10, 70000}, .dimensions = 2}, 700000},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        gpu_launch l = {.source = cases[k].source, .desc = cases[k].desc};
        gpu_run(&l, cases[k].elements);
        assert_int_equal(l.woven.form, TELAR_FORM_FOLDED);
        expect_index_plus_one(&l, cases[k].elements);
        gpu_launch_free(&l);
    }
}

/* Data above one binding: 2^25 + 1 words on a device of 128 MiB; elsewhere the limit is lowered by hand. */
static void windows(void **state)
{
    (void)state;
    uint64_t limit_bytes = telar_host_facts(gpu.host)->limits.maxStorageBufferBindingSize;
    uint64_t n = limit_bytes <= UINT64_C(134217728) ? (UINT64_C(1) << 25) + 1 : 0;
    if (n == 0) return;
    gpu_launch l = {.source = line_source, .desc = {.count = {n}}};
    gpu_run(&l, n);
    assert_true(l.plan.window_count > 1);
    expect_index_plus_one(&l, n);
    gpu_launch_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_count_around_the_borders),
        cmocka_unit_test(every_shape),
        cmocka_unit_test(two_and_three_dimensions),
        cmocka_unit_test(ordinary_kernels_fold),
        cmocka_unit_test(windows),
    };
    return cmocka_run_group_tests_name("weave on a device", tests, gpu_open, gpu_close);
}
