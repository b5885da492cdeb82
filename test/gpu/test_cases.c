/* SPDX-License-Identifier: MIT
 *
 * What went wrong for people who launch compute on WebGPU, done right: the cases that need a device and no primitive,
 * each under its number. Every buffer is followed by a guard band that must not change (launch.h).
 *
 * Left for later, with what they need
 *   C031 C133 C134 (time)                          the bench; C041 is in test_counted.c
 *   C038 C074 C077 C082 C083 C088                  scan; sizes of subgroups
 *   C067 (its 11,520 elements) C071 C086 C089      sort; the key of C086 is tried here
 *   C070                                           scan by look-back
 *   C095 (NaN) C034 (identity)                     reduce
 *   C044                                           arguments are a scratch buffer that no kernel of the user is given
 *   C127                                           scan with max */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "launch.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Help -------------------------------------------------------------------------------------------------------- */

static uint32_t *zeros(uint64_t words)
{
    uint32_t *data = calloc(words + 1, sizeof *data);
    assert_non_null(data);
    return data;
}

/* Plans, weaves, runs; the plan and the woven text stay until release. */
static gpu_launch run(const char *source, telar_plan_desc desc, const gpu_data *data, uint32_t data_count)
{
    gpu_launch launch = {.source = source, .desc = desc};
    gpu_run_on(&launch, data, data_count);
    return launch;
}

static void run_once(const char *source, telar_plan_desc desc, const gpu_data *data, uint32_t data_count)
{
    gpu_launch launch = run(source, desc, data, data_count);
    gpu_launch_free(&launch);
}

static void expect_words(const uint32_t *got, const uint32_t *want, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (got[k] != want[k]) fail_msg("word %zu is %u (0x%08x), not %u", k, got[k], got[k], want[k]);
    }
}

static void expect_floats(const float *got, const float *want, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (!(got[k] == want[k])) fail_msg("float %zu is %g, not %g", k, (double)got[k], (double)want[k]);
    }
}

static void expect_all(const uint32_t *got, uint32_t want, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        if (got[k] != want) fail_msg("element %llu is %u, not %u", (unsigned long long)k, got[k], want);
    }
}

static void expect_index(const uint32_t *got, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        if (got[k] != k) fail_msg("element %llu is %u", (unsigned long long)k, got[k]);
    }
}

/* A kernel without a plan, as an application would hand it in. */
static telar_status prepare_text(telar_host *host, const char *wgsl, telar_kernel_desc desc, telar_prepared **prepared)
{
    uint32_t words[4096];
    telar_record record = telar_record_begin(words, COUNT(words));
    telar_recording recording;
    desc.name = desc.entry = "main";
    desc.wgsl = wgsl;
    desc.wgsl_bytes = strlen(wgsl);
    telar_record_kernel(&record, &desc);
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    return telar_host_prepare(host, recording, NULL, 0, prepared, &gpu.diag);
}

static telar_host *open_default_limits(void)
{
    const char *device = getenv("TELAR_DEVICE");
    const char *colon = device == NULL ? NULL : strchr(device, ':');
    telar_host_desc desc = {.webgpu = &gpu.webgpu, .adapter_chosen = colon != NULL, .default_limits = true};
    if (colon != NULL) desc.adapter_index = (uint32_t)strtoul(colon + 1, NULL, 10);
    telar_host *host;
    GPU_OK(telar_host_open(&desc, &host, &gpu.diag));
    return host;
}

/* ---- Grid and fold ----------------------------------------------------------------------------------------------- */

static const char add_index[] = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
                                "fn element(i: u32) { v[i] += i; }\n";
static const char add_one[] = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
                              "fn element(i: u32) { v[i] += 1; }\n";

/* One group a batch, folded to (43691, 3): the one extra group writes nothing. */
static void C005(void **state)
{
    (void)state;
    static const char kernel[] =
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
        "@compute @workgroup_size(2)\n"
        "fn scale(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) l: u32) {\n"
        "    v[wg.x * 2 + l] += wg.x * 2 + l;\n"
        "}\n";
    static const struct {
        const char *source;
        telar_plan_desc desc;
        uint64_t words;
    } cases[] = {
        {add_index, {.count = {131072}, .size = {1}, .items = 1}, 131072},
        {kernel, {.count = {262144}}, 262144},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        uint32_t *v = zeros(cases[k].words);
        gpu_launch launch =
            run(cases[k].source, cases[k].desc, &(gpu_data){.words = v, .words_count = cases[k].words}, 1);
        if (launch.plan.groups_limit == 65535) {
            assert_int_equal(launch.plan.dispatch[0], 43691);
            assert_int_equal(launch.plan.dispatch[1], 3);
            assert_int_equal(launch.plan.idle_groups, 1);
        }
        expect_index(v, cases[k].words);
        gpu_launch_free(&launch);
        free(v);
    }
}

static void C008(void **state)
{
    (void)state;
    static const uint64_t counts[] = {64000, 65535, 65536, 68921};
    for (size_t k = 0; k < COUNT(counts); k++) {
        uint32_t *v = zeros(counts[k]);
        gpu_launch launch = run(add_index, (telar_plan_desc){.count = {counts[k]}, .size = {1}, .items = 1},
                                &(gpu_data){.words = v, .words_count = counts[k]}, 1);
        if (counts[k] == 68921 && launch.plan.groups_limit == 65535) {
            assert_int_equal(launch.plan.dispatch[0], 34461);
            assert_int_equal(launch.plan.dispatch[1], 2);
            assert_int_equal(launch.plan.idle_groups, 1);
        }
        expect_index(v, counts[k]);
        gpu_launch_free(&launch);
        free(v);
    }
}

static void C014(void **state)
{
    (void)state;
    enum {
        N = 4194305
    };
    uint32_t *v = zeros(N);
    gpu_launch launch = run(add_one, (telar_plan_desc){.count = {N}, .size = {64}, .items = 1},
                            &(gpu_data){.words = v, .words_count = N}, 1);
    if (launch.plan.groups_limit == 65535) {
        assert_int_equal(launch.plan.dispatch[0], 32769);
        assert_int_equal(launch.plan.dispatch[1], 2);
    }
    expect_all(v, 1, N);
    gpu_launch_free(&launch);
    free(v);
}

/* Tiles of a plane keep their column and row under a fold, whoever wrote the entry point. */
static void C016(void **state)
{
    (void)state;
    static const char plane[] = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
                                "fn element(p: vec2u) { v[p.y * 3 + p.x] += p.y * 3 + p.x; }\n";
    static const char kernel[] = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
                                 "@compute @workgroup_size(1) fn tile(@builtin(workgroup_id) wg: vec3u) {\n"
                                 "    v[wg.y * 3 + wg.x] += wg.y * 3 + wg.x;\n"
                                 "}\n";
    static const char *const sources[] = {plane, kernel};
    for (size_t k = 0; k < COUNT(sources); k++) {
        uint32_t *v = zeros(210000);
        telar_plan_desc desc = {.count = {3, 70000}, .dimensions = 2, .size = {1, 1}, .items = 1};
        gpu_launch launch = run(sources[k], desc, &(gpu_data){.words = v, .words_count = 210000}, 1);
        if (launch.plan.groups_limit == 65535) assert_int_equal(launch.plan.shape, TELAR_SHAPE_FOLD);
        expect_index(v, 210000);
        gpu_launch_free(&launch);
        free(v);
    }
}

static void C017(void **state)
{
    (void)state;
    static const char kernel[] =
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
        "@compute @workgroup_size(16, 16)\n"
        "fn touch(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_index) l: u32) {\n"
        "    let i = wg.x * 256 + l;\n"
        "    if (i < 4096) { v[i] += 1; }\n"
        "}\n";
    uint32_t v[4096] = {0};
    run_once(kernel, (telar_plan_desc){.count = {4096}}, &(gpu_data){.words = v, .words_count = 4096}, 1);
    expect_all(v, 1, 4096);
}

/* ---- Guards ------------------------------------------------------------------------------------------------------ */

static void C020(void **state)
{
    (void)state;
    uint32_t o[42] = {0};
    gpu_launch launch = run(add_index, (telar_plan_desc){.count = {42}, .size = {64}, .items = 1},
                            &(gpu_data){.words = o, .words_count = 42, .bound_words = 42}, 1);
    assert_int_equal(launch.plan.groups, 1);
    assert_int_equal(launch.plan.idle_invocations, 22);
    expect_index(o, 42);
    gpu_launch_free(&launch);
}

static void C023(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
                                 "fn element(p: vec2u) { v[p.y * 1000 + p.x] += p.y * 1000 + p.x; }\n";
    telar_plan_desc desc = {
        .count = {1000, 601}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .size = {8, 8}, .items = 1};
    uint32_t *v = zeros(601000);
    gpu_launch launch = run(source, desc, &(gpu_data){.words = v, .words_count = 601000}, 1);
    assert_int_equal(launch.plan.dispatch[0], 125);
    assert_int_equal(launch.plan.dispatch[1], 76);
    expect_index(v, 601000);
    gpu_launch_free(&launch);
    free(v);
}

/* The kernel itself refuses bin 315 of 256; the others are counted. */
static void C026(void **state)
{
    (void)state;
    static const char kernel[] = "struct P { bins_wide: u32, n: u32 }\n"
                                 "@group(0) @binding(0) var<uniform> p: P;\n"
                                 "@group(0) @binding(1) var<storage, read> xy: array<vec2u>;\n"
                                 "@group(0) @binding(2) var<storage, read_write> o: array<u32, 257>;\n"
                                 "var<workgroup> seen: array<atomic<u32>, 256>;\n"
                                 "@compute @workgroup_size(256) fn bin(@builtin(local_invocation_index) l: u32) {\n"
                                 "    atomicStore(&seen[l], 0u);\n"
                                 "    workgroupBarrier();\n"
                                 "    if (l < p.n) {\n"
                                 "        let bin = xy[l].y * p.bins_wide + xy[l].x;\n"
                                 "        if (bin < 256) { atomicAdd(&seen[bin], 1u); } else { o[256] = bin; }\n"
                                 "    }\n"
                                 "    workgroupBarrier();\n"
                                 "    o[l] = atomicLoad(&seen[l]);\n"
                                 "}\n";
    uint32_t p[4] = {20, 3, 0, 0};
    uint32_t xy[] = {15, 15, 1, 0, 15, 12};
    uint32_t o[257] = {0};
    uint32_t want[257] = {[1] = 1, [255] = 1, [256] = 315};
    gpu_data data[] = {{p, 4, 4}, {xy, 6, 6}, {o, 257, 257}};
    run_once(kernel, (telar_plan_desc){.count = {256}}, data, 3);
    expect_words(o, want, 257);
}

/* Bounds are checked before the load; what follows the buffer (its guard band) reaches nothing. */
static void C028(void **state)
{
    (void)state;
    static const char kernel[] =
        "@group(0) @binding(0) var<storage, read> a: array<f32>;\n"
        "@group(0) @binding(1) var<storage, read_write> o: array<f32>;\n"
        "var<workgroup> tile: array<f32, 256>;\n"
        "@compute @workgroup_size(16, 16)\n"
        "fn stage(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {\n"
        "    let inside = g.y < 2 && g.x < 8;\n"
        "    var x = 0.0;\n"
        "    if (inside) { x = a[g.y * 8 + g.x]; }\n"
        "    tile[l] = x;\n"
        "    workgroupBarrier();\n"
        "    if (inside) { o[g.y * 8 + g.x] = tile[l] + tile[255 - l]; }\n"
        "}\n";
    float a[16], o[16] = {0};
    for (int k = 0; k < 16; k++) a[k] = (float)k + 0.5f;
    gpu_data whole[] = {{a, 16, 16}, {o, 16, 16}}, followed[] = {{a, 16, 0}, {o, 16, 0}};
    run_once(kernel, (telar_plan_desc){.count = {16, 16}, .dimensions = 2}, whole, 2);
    expect_floats(o, a, 16);
    memset(o, 0, sizeof o);
    run_once(kernel, (telar_plan_desc){.count = {16, 16}, .dimensions = 2}, followed, 2);
    expect_floats(o, a, 16);
}

/* A product whose tiles overhang on all sides: what is outside counts as 0, whatever a load there would give. */
static void C029(void **state)
{
    (void)state;
    enum {
        M = 33,
        N = 17,
        K = 19
    };
    static const char kernel[] =
        "const M = 33u; const N = 17u; const K = 19u;\n"
        "@group(0) @binding(0) var<storage, read> a: array<f32>;\n"
        "@group(0) @binding(1) var<storage, read> b: array<f32>;\n"
        "@group(0) @binding(2) var<storage, read_write> c: array<f32>;\n"
        "var<workgroup> ta: array<array<f32, 8>, 8>;\n"
        "var<workgroup> tb: array<array<f32, 8>, 8>;\n"
        "@compute @workgroup_size(8, 8)\n"
        "fn product(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u) {\n"
        "    var sum = 0.0;\n"
        "    for (var k = 0u; k < K; k += 8) {\n"
        "        var x = 0.0;\n"
        "        var y = 0.0;\n"
        "        if (g.y < M && k + l.x < K) { x = a[g.y * K + k + l.x]; }\n"
        "        if (k + l.y < K && g.x < N) { y = b[(k + l.y) * N + g.x]; }\n"
        "        ta[l.y][l.x] = x;\n"
        "        tb[l.y][l.x] = y;\n"
        "        workgroupBarrier();\n"
        "        for (var j = 0u; j < 8; j++) { sum += ta[l.y][j] * tb[j][l.x]; }\n"
        "        workgroupBarrier();\n"
        "    }\n"
        "    if (g.y < M && g.x < N) { c[g.y * N + g.x] = sum; }\n"
        "}\n";
    float a[M * K], b[K * N], c[M * N] = {0}, want[M * N] = {0};
    for (int k = 0; k < M * K; k++) a[k] = (float)(k % 7 - 3);
    for (int k = 0; k < K * N; k++) b[k] = (float)(k % 5 - 2);
    for (int row = 0; row < M; row++) {
        for (int column = 0; column < N; column++) {
            for (int k = 0; k < K; k++) want[row * N + column] += a[row * K + k] * b[k * N + column];
        }
    }
    gpu_data data[] = {{a, M * K, M * K}, {b, K * N, K * N}, {c, M * N, M * N}};
    run_once(kernel, (telar_plan_desc){.count = {N, M}, .dimensions = 2}, data, 3);
    expect_floats(c, want, M * N);
}

/* ---- Counts ------------------------------------------------------------------------------------------------------ */

/* 1000 elements in a binding of 1024: the plan's count decides, not arrayLength. */
static void C032(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>;\n"
                                 "fn element(i: u32) { atomicAdd(&total[0], a[i]); }\n";
    uint32_t a[1024], total[1] = {0};
    for (int k = 0; k < 1024; k++) a[k] = k < 1000 ? 1 : 7;
    gpu_data data[] = {{a, 1024, 1024}, {total, 1, 1}};
    gpu_launch launch = run(source, (telar_plan_desc){.count = {1000}, .size = {64}, .items = 1}, data, 2);
    assert_int_equal(total[0], 1000);
    assert_null(strstr(launch.woven.kernel.wgsl, "arrayLength"));
    gpu_launch_free(&launch);
}

/* An empty launch is a success that records no command. */
static void C034_C035(void **state)
{
    (void)state;
    static const telar_plan_desc descs[] = {
        {.count = {0}}, {.count = {0}, .shape = TELAR_SHAPE_FOLD}, {.count = {0}, .shape = TELAR_SHAPE_STRIDE}};
    for (size_t k = 0; k < COUNT(descs); k++) {
        uint32_t v[8] = {1, 2, 3, 4, 5, 6, 7, 8}, words[2048];
        uint32_t before[8];
        memcpy(before, v, sizeof v);
        gpu_launch launch = run(add_one, descs[k], &(gpu_data){.words = v, .words_count = 8}, 1);
        expect_words(v, before, 8);
        telar_record record = telar_record_begin(words, COUNT(words));
        telar_buffer_desc desc = {.size_bytes = 32, .use = TELAR_USE_STORAGE};
        telar_bind bind = {.buffer = telar_record_buffer(&record, &desc)};
        telar_kernel kernel = telar_record_kernel(&record, &launch.woven.kernel);
        telar_record_launch(&record, kernel, &launch.woven.kernel, &launch.plan, &bind, 1);
        telar_recording recording;
        GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
        assert_int_equal(telar_recording_command_count(recording), 0);
        gpu_launch_free(&launch);
    }
}

/* The parts of a concatenation, one of them empty. */
static void C037(void **state)
{
    (void)state;
    static const char source[] = "struct P { at: u32 }\n"
                                 "@group(0) @binding(0) var<uniform> p: P;\n"
                                 "@group(0) @binding(1) var<storage, read> s: array<u32>;\n"
                                 "@group(0) @binding(2) var<storage, read_write> d: array<u32>;\n"
                                 "fn element(i: u32) { d[p.at + i] = s[i]; }\n";
    static const uint32_t lengths[] = {0, 5, 0};
    uint32_t s[] = {3, 1, 4, 1, 5}, d[5] = {0};
    uint32_t at = 0;
    for (size_t k = 0; k < COUNT(lengths); k++) {
        uint32_t p[4] = {at, 0, 0, 0};
        gpu_data data[] = {{p, 4, 4}, {s, lengths[k], 0}, {d, 5, 5}};
        run_once(source, (telar_plan_desc){.count = {lengths[k]}}, data, 3);
        at += lengths[k];
    }
    assert_int_equal(at, 5);
    expect_words(d, s, 5);
}

/* A launch for the count that stands at d[0] on the GPU, over all of d, whose first word is cleared first. */
static void run_counted(const char *source, telar_plan_desc desc, uint32_t *d, uint64_t words_count)
{
    uint32_t words[8192];
    gpu_launch launch = {.source = source, .desc = desc, .counted = true};
    gpu_weave(&launch);
    assert_null(strstr(launch.woven.kernel.wgsl, "num_workgroups"));
    telar_record record = telar_record_begin(words, COUNT(words));
    telar_buffer_desc count_desc = {.size_bytes = 4, .use = TELAR_USE_STORAGE};
    telar_buffer_desc data_desc = {.size_bytes = 4 * words_count, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
    telar_count count = {.buffer = telar_record_buffer(&record, &count_desc)};
    telar_bind bind = {.buffer = telar_record_buffer(&record, &data_desc)};
    telar_record_copy(&record, bind.buffer, 0, count.buffer, 0, 4);
    telar_record_clear(&record, bind.buffer, 0, 4);
    telar_kernel kernel = telar_record_kernel(&record, &launch.woven.kernel);
    telar_record_launch_counted(&record, kernel, &launch.woven.kernel, &launch.plan, &count, &bind, 1);
    telar_recording recording;
    telar_prepared *prepared;
    WGPUBuffer buffer;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_buffer_create(gpu.host, 4 * words_count, &buffer, &gpu.diag));
    GPU_OK(telar_host_write(gpu.host, buffer, 0, d, 4 * words_count, &gpu.diag));
    GPU_OK(
        telar_host_prepare(gpu.host, recording, &(telar_bound_buffer){bind.buffer, buffer}, 1, &prepared, &gpu.diag));
    GPU_OK(telar_prepared_run(prepared, &gpu.diag));
    GPU_OK(telar_host_read(gpu.host, buffer, 0, d, 4 * words_count, &gpu.diag));
    telar_prepared_release(prepared);
    telar_host_buffer_release(gpu.host, buffer);
    gpu_launch_free(&launch);
}

/* One group an element: 65536 of them, which a bare indirect dispatch would drop in silence, are folded on the GPU; a
 * count of 0 runs nothing. */
static void C040(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 65535, 65536, 69999};
    for (size_t k = 0; k < COUNT(counts); k++) {
        uint32_t *d = zeros(70000);
        d[0] = counts[k];
        run_counted(add_one, (telar_plan_desc){.count = {70000}, .size = {1}, .items = 1}, d, 70000);
        expect_all(d, 1, counts[k]);
        expect_all(d + counts[k], 0, 70000 - counts[k]);
        free(d);
    }
}

/* Strides come from the launch block, never from num_workgroups; the same when the count is the GPU's. */
static void C043(void **state)
{
    (void)state;
    enum {
        N = 1000000
    };
    static const telar_plan_desc descs[] = {
        {.count = {N}, .shape = TELAR_SHAPE_STRIDE}, {.count = {N}, .shape = TELAR_SHAPE_FOLD}, {.count = {N}}};
    for (size_t k = 0; k < COUNT(descs); k++) {
        uint32_t *v = zeros(N);
        gpu_launch launch = run(add_one, descs[k], &(gpu_data){.words = v, .words_count = N}, 1);
        expect_all(v, 1, N);
        assert_null(strstr(launch.woven.kernel.wgsl, "num_workgroups"));
        memset(v, 0, N * sizeof *v);
        v[0] = N;
        run_counted(add_one, descs[k], v, N);
        expect_all(v, 1, N);
        gpu_launch_free(&launch);
        free(v);
    }
}

/* Two kernels over shared buffers in one recording, run `runs` times. The buffers are cleared first, each time. */
typedef struct chain {
    gpu_launch launches[32];
    uint32_t count;
    uint64_t words; /* of the one buffer that all are bound to */
} chain;

static void run_chain(chain *c, const uint32_t *first, uint32_t *result, int runs,
                      void (*check)(const uint32_t *result))
{
    enum {
        WORDS = 1 << 17
    };
    uint32_t *words = malloc(WORDS * sizeof *words);
    telar_record record = telar_record_begin(words, WORDS);
    telar_buffer d = telar_record_buffer(
        &record, &(telar_buffer_desc){.size_bytes = c->words * 4, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND});
    for (uint32_t k = 0; k < c->count; k++) {
        gpu_launch *l = &c->launches[k];
        gpu_weave(l);
        telar_kernel kernel = telar_record_kernel(&record, &l->woven.kernel);
        telar_record_launch(&record, kernel, &l->woven.kernel, &l->plan, &(telar_bind){.buffer = d}, 1);
    }
    telar_recording recording;
    telar_prepared *prepared;
    WGPUBuffer buffer;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_buffer_create(gpu.host, c->words * 4, &buffer, &gpu.diag));
    GPU_OK(telar_host_prepare(gpu.host, recording, &(telar_bound_buffer){d, buffer}, 1, &prepared, &gpu.diag));
    for (int k = 0; k < runs; k++) {
        GPU_OK(telar_host_write(gpu.host, buffer, 0, first, c->words * 4, &gpu.diag));
        GPU_OK(telar_prepared_run(prepared, &gpu.diag));
        GPU_OK(telar_host_read(gpu.host, buffer, 0, result, c->words * 4, &gpu.diag));
        check(result);
    }
    telar_prepared_release(prepared);
    telar_host_buffer_release(gpu.host, buffer);
    for (uint32_t k = 0; k < c->count; k++) gpu_launch_free(&c->launches[k]);
    free(words);
}

static void expect_1563_groups(const uint32_t *result)
{
    assert_int_equal(result[0], 100000);
    assert_int_equal(result[1], 1563);
}

/* A counter is read in the dispatch after the one that fills it. */
static void C047(void **state)
{
    (void)state;
    chain c = {.words = 4, .count = 2};
    c.launches[0] = (gpu_launch){.source = "@group(0) @binding(0) var<storage, read_write> d: array<atomic<u32>, 4>;\n"
                                           "fn element(i: u32) { atomicAdd(&d[0], 1u); }\n",
                                 .desc = {.count = {100000}, .size = {64}, .items = 1}};
    c.launches[1] = (gpu_launch){.source = "@group(0) @binding(0) var<storage, read_write> d: array<u32, 4>;\n"
                                           "fn element(i: u32) { d[1] = d[0] / 64 + u32(d[0] % 64 != 0); }\n",
                                 .desc = {.count = {1}}};
    uint32_t first[4] = {0}, result[4];
    run_chain(&c, first, result, 100, expect_1563_groups);
}

static void expect_65536(const uint32_t *result)
{
    assert_int_equal(result[0], 65536);
}

/* Each level of a tree over the whole grid is a dispatch of its own. */
static void C068(void **state)
{
    (void)state;
    chain c = {.words = 65536};
    static char sources[16][160];
    for (uint32_t half = 32768; half > 0; half /= 2) {
        char *source = sources[c.count];
        snprintf(source, sizeof sources[0],
                 "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                 "fn element(i: u32) { d[i] += d[i + %uu]; }\n",
                 half);
        c.launches[c.count++] = (gpu_launch){.source = source, .desc = {.count = {half}}};
    }
    uint32_t *first = zeros(65536), *result = zeros(65536);
    for (int k = 0; k < 65536; k++) first[k] = 1;
    run_chain(&c, first, result, 100, expect_65536);
    free(first);
    free(result);
}

/* ---- Sizes and workgroup memory ---------------------------------------------------------------------------------- */

/* The largest group that the device grants really runs: every invocation leaves its mark. */
static void C053(void **state)
{
    (void)state;
    const telar_limits *limits = &telar_host_facts(gpu.host)->limits;
    uint32_t size = (uint32_t)(limits->maxComputeInvocationsPerWorkgroup < limits->maxComputeWorkgroupSizeX
                                   ? limits->maxComputeInvocationsPerWorkgroup
                                   : limits->maxComputeWorkgroupSizeX);
    char source[800];
    snprintf(source, sizeof source,
             "@group(0) @binding(0) var<storage, read_write> canary: array<u32>;\n"
             "@compute @workgroup_size(%u) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
             "    var heavy: array<u32, 64>;\n"
             "    for (var k = 0u; k < 64; k++) { heavy[k] = g.x + k; }\n"
             "    for (var k = 0u; k < 64; k++) { heavy[(heavy[k] * 7) %% 64] ^= heavy[63 - k]; }\n"
             "    var sum = 0u;\n"
             "    for (var k = 0u; k < 64; k++) { sum += heavy[k]; }\n"
             "    if (g.x < %u) { canary[g.x] = 1 + (sum & 0); }\n"
             "}\n",
             size, 2 * size);
    uint32_t *canary = zeros(2 * size);
    run_once(source, (telar_plan_desc){.count = {2 * size}}, &(gpu_data){.words = canary, .words_count = 2 * size}, 1);
    expect_all(canary, 1, 2 * size);
    free(canary);
}

/* 16 histograms fill 16384 bytes and run; the seventeenth is refused where the limit is 16384. */
static void C055(void **state)
{
    (void)state;
    telar_host *host = open_default_limits();
    uint64_t limit = telar_host_facts(host)->limits.maxComputeWorkgroupStorageSize;
    for (uint32_t bytes = 16384; bytes <= 17408; bytes += 1024) {
        char source[400];
        telar_prepared *prepared = NULL;
        snprintf(source, sizeof source,
                 "@group(0) @binding(0) var<storage, read_write> o: array<u32, 1>;\n"
                 "var<workgroup> bins: array<atomic<u32>, %u>;\n"
                 "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32) {\n"
                 "    atomicAdd(&bins[l], 1u);\n"
                 "    o[0] = atomicLoad(&bins[0]);\n"
                 "}\n",
                 bytes / 4);
        telar_binding binding = {
            .name = "o", .space = TELAR_BINDING_STORAGE_READ_WRITE, .element_bytes = 4, .min_bytes = 4};
        telar_kernel_desc desc = {
            .bindings = &binding, .bindings_count = 1, .workgroup_size = {64, 1, 1}, .workgroup_memory_bytes = bytes};
        telar_status status = prepare_text(host, source, desc, &prepared);
        assert_int_equal(status == TELAR_OK, bytes <= limit);
        telar_prepared_release(prepared);
    }
    telar_host_close(host);
}

/* Memory that a group clears itself holds nothing of the group before it, whatever the implementation does. */
static void C136(void **state)
{
    (void)state;
    static const char fill[] = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n"
                               "var<workgroup> live: array<u32, 1024>;\n"
                               "@compute @workgroup_size(256) fn fill(@builtin(local_invocation_index) l: u32) {\n"
                               "    for (var k = l; k < 1024; k += 256) { live[k] = 0xdeadbeefu + k; }\n"
                               "    workgroupBarrier();\n"
                               "    if (l == 0) { o[0] = live[1023]; }\n"
                               "}\n";
    static const char count[] =
        "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n"
        "var<workgroup> live: atomic<u32>;\n"
        "@compute @workgroup_size(256)\n"
        "fn count_live(@builtin(global_invocation_id) g: vec3u, @builtin(workgroup_id) wg: vec3u,\n"
        "              @builtin(local_invocation_index) l: u32) {\n"
        "    if (l == 0) { atomicStore(&live, 0u); }\n"
        "    workgroupBarrier();\n"
        "    if (g.x < 300) { atomicAdd(&live, 1u); }\n"
        "    workgroupBarrier();\n"
        "    if (l == 0 && wg.x < 2) { o[wg.x] = atomicLoad(&live); }\n"
        "}\n";
    for (int k = 0; k < 20; k++) {
        uint32_t o[2] = {0};
        run_once(fill, (telar_plan_desc){.count = {1024}}, &(gpu_data){.words = o, .words_count = 2}, 1);
        assert_int_equal(o[0], 0xdeadbeefu + 1023);
        run_once(count, (telar_plan_desc){.count = {300}}, &(gpu_data){.words = o, .words_count = 2}, 1);
        assert_int_equal(o[0], 256);
        assert_int_equal(o[1], 44);
    }
}

/* ---- Barriers and races ------------------------------------------------------------------------------------------ */

/* The guard is carried as a flag, so that every invocation reaches the barrier. */
static void C059(void **state)
{
    (void)state;
    static const char kernel[] =
        "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> o: array<u32>;\n"
        "var<workgroup> t: array<u32, 64>;\n"
        "@compute @workgroup_size(64)\n"
        "fn mirror(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {\n"
        "    let live = g.x < 65;\n"
        "    var x = 0u;\n"
        "    if (live) { x = a[g.x]; }\n"
        "    t[l] = x;\n"
        "    workgroupBarrier();\n"
        "    if (live) { o[g.x] = t[63 - l]; }\n"
        "}\n";
    uint32_t a[65], o[65] = {0}, want[65] = {0};
    for (uint32_t k = 0; k < 65; k++) a[k] = k + 1;
    for (uint32_t k = 0; k < 64; k++) want[k] = a[63 - k];
    gpu_data data[] = {{a, 65, 65}, {o, 65, 65}};
    run_once(kernel, (telar_plan_desc){.count = {65}}, data, 2);
    expect_words(o, want, 65);
    memset(o, 0, sizeof o);
    run_once(kernel, (telar_plan_desc){.count = {65}, .shape = TELAR_SHAPE_FOLD, .fold_width = 1}, data, 2);
    expect_words(o, want, 65);
}

static void C064(void **state)
{
    (void)state;
    static const char kernel[] = "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> o: array<u32, 64>;\n"
                                 "var<workgroup> tile: array<u32, 64>;\n"
                                 "@compute @workgroup_size(64) fn sum(@builtin(local_invocation_index) l: u32) {\n"
                                 "    var s = 0u;\n"
                                 "    for (var base = 0u; base < 128; base += 64) {\n"
                                 "        tile[l] = a[base + l];\n"
                                 "        workgroupBarrier();\n"
                                 "        for (var k = 0u; k < 64; k++) { s += tile[k]; }\n"
                                 "        workgroupBarrier();\n"
                                 "    }\n"
                                 "    o[l] = s;\n"
                                 "}\n";
    uint32_t a[128], o[64] = {0};
    for (int k = 0; k < 128; k++) a[k] = 1;
    gpu_data data[] = {{a, 128, 128}, {o, 64, 64}};
    run_once(kernel, (telar_plan_desc){.count = {64}}, data, 2);
    expect_all(o, 128, 64);
}

static void C065(void **state)
{
    (void)state;
    static const char kernel[] = "@group(0) @binding(0) var<storage, read> key: array<u32>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> h: array<u32, 64>;\n"
                                 "var<workgroup> c: array<atomic<u32>, 64>;\n"
                                 "@compute @workgroup_size(64) fn hist(@builtin(local_invocation_index) l: u32) {\n"
                                 "    atomicStore(&c[l], 0u);\n"
                                 "    workgroupBarrier();\n"
                                 "    atomicAdd(&c[key[l] & 63], 1u);\n"
                                 "    workgroupBarrier();\n"
                                 "    h[l] += atomicLoad(&c[l]);\n"
                                 "}\n";
    uint32_t key[64] = {0}, h[64] = {0}, want[64] = {64};
    gpu_data data[] = {{key, 64, 64}, {h, 64, 64}};
    run_once(kernel, (telar_plan_desc){.count = {64}}, data, 2);
    expect_words(h, want, 64);
}

/* Phases that cross groups are dispatches of their own. */
static void C067(void **state)
{
    (void)state;
    static const uint32_t counts[] = {128, 640};
    for (size_t which = 0; which < COUNT(counts); which++) {
        uint32_t n = counts[which];
        uint32_t *d = zeros(n);
        for (uint32_t k = 0; k < n; k++) d[k] = n - 1 - k;
        gpu_launch phases[2];
        static char sources[2][256];
        for (uint32_t k = 0; k < 2; k++) {
            snprintf(sources[k], sizeof sources[k],
                     "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                     "fn element(i: u32) {\n"
                     "    let a = d[2 * i + %uu];\n"
                     "    let b = d[2 * i + %uu];\n"
                     "    d[2 * i + %uu] = min(a, b);\n"
                     "    d[2 * i + %uu] = max(a, b);\n"
                     "}\n",
                     k, k + 1, k, k + 1);
            phases[k] = (gpu_launch){.source = sources[k], .desc = {.count = {(n - k) / 2}, .size = {64}, .items = 1}};
            gpu_weave(&phases[k]);
        }
        enum {
            WORDS = 1 << 16
        };
        uint32_t *words = malloc(WORDS * sizeof *words);
        telar_record record = telar_record_begin(words, WORDS);
        telar_buffer_desc desc = {.size_bytes = 4 * n, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
        telar_bind bind = {.buffer = telar_record_buffer(&record, &desc)};
        telar_kernel kernels[2];
        for (uint32_t k = 0; k < 2; k++) kernels[k] = telar_record_kernel(&record, &phases[k].woven.kernel);
        for (uint32_t k = 0; k < n; k++) {
            const gpu_launch *l = &phases[k % 2];
            telar_record_launch(&record, kernels[k % 2], &l->woven.kernel, &l->plan, &bind, 1);
        }
        telar_recording recording;
        telar_prepared *prepared;
        WGPUBuffer buffer;
        GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
        GPU_OK(telar_host_buffer_create(gpu.host, 4 * n, &buffer, &gpu.diag));
        GPU_OK(telar_host_write(gpu.host, buffer, 0, d, 4 * n, &gpu.diag));
        GPU_OK(telar_host_prepare(gpu.host, recording, &(telar_bound_buffer){bind.buffer, buffer}, 1, &prepared,
                                  &gpu.diag));
        GPU_OK(telar_prepared_run(prepared, &gpu.diag));
        GPU_OK(telar_host_read(gpu.host, buffer, 0, d, 4 * n, &gpu.diag));
        expect_index(d, n);
        telar_prepared_release(prepared);
        telar_host_buffer_release(gpu.host, buffer);
        for (uint32_t k = 0; k < 2; k++) gpu_launch_free(&phases[k]);
        free(words);
        free(d);
    }
}

/* A float sum by compare-exchange ends although the cell becomes NaN: bits are compared. */
static void C073(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> cell: array<atomic<u32>>;\n"
                                 "fn element(i: u32) {\n"
                                 "    var old = atomicLoad(&cell[0]);\n"
                                 "    loop {\n"
                                 "        let sum = bitcast<u32>(bitcast<f32>(old) + bitcast<f32>(a[i]));\n"
                                 "        let r = atomicCompareExchangeWeak(&cell[0], old, sum);\n"
                                 "        if (r.exchanged) { break; }\n"
                                 "        old = r.old_value;\n"
                                 "    }\n"
                                 "}\n";
    uint32_t a[64], cell[1] = {0};
    gpu_data data[] = {{a, 64, 64}, {cell, 1, 1}};
    for (int k = 0; k < 64; k++) a[k] = k == 0 ? 0x7fc00000u : 0x3f800000u;
    run_once(source, (telar_plan_desc){.count = {64}}, data, 2);
    assert_true((cell[0] & 0x7fffffffu) > 0x7f800000u);
    a[0] = 0x3f800000u;
    cell[0] = 0;
    run_once(source, (telar_plan_desc){.count = {64}}, data, 2);
    assert_int_equal(cell[0], 0x42800000u);
}

/* ---- Subgroups --------------------------------------------------------------------------------------------------- */

/* One text with the directive and one without: each host is given the form that it takes. Each subgroup adds its own
 * total once, so that no size is presumed; and what is covered does not depend on the size that is reported. */
static void C118_C076(void **state)
{
    (void)state;
    static const char kernel[] = "enable subgroups;\n"
                                 "@group(0) @binding(0) var<storage, read> a: array<u32>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>;\n"
                                 "@compute @workgroup_size(64)\n"
                                 "fn sum(@builtin(global_invocation_id) g: vec3u,\n"
                                 "       @builtin(subgroup_invocation_id) lane: u32) {\n"
                                 "    var x = 0u;\n"
                                 "    if (g.x < 1000) { x = a[g.x]; }\n"
                                 "    let s = subgroupAdd(x);\n"
                                 "    if (lane == 0) { atomicAdd(&total[0], s); }\n"
                                 "}\n";
    if (telar_host_dialect(gpu.host).subgroups == TELAR_SUBGROUPS_NONE) return;
    const char *const sources[] = {kernel, strchr(kernel, '\n') + 1};
    for (size_t k = 0; k < COUNT(sources); k++) {
        uint32_t a[1000], total[1] = {0};
        for (uint32_t j = 0; j < 1000; j++) a[j] = j;
        gpu_data data[] = {{a, 1000, 1000}, {total, 1, 1}};
        run_once(sources[k], (telar_plan_desc){.count = {1000}}, data, 2);
        assert_int_equal(total[0], 499500);
        total[0] = 0;
        run_once(sources[k], (telar_plan_desc){.count = {1000}, .shape = TELAR_SHAPE_FOLD, .fold_width = 3}, data, 2);
        assert_int_equal(total[0], 499500);
    }
}

/* ---- Floats ------------------------------------------------------------------------------------------------------ */

/* Keys that order as the floats do; five elements are ranked by counting. */
static void C086(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read> s: array<f32, 5>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> d: array<f32, 5>;\n"
                                 "fn key(x: f32) -> u32 {\n"
                                 "    let bits = bitcast<u32>(x);\n"
                                 "    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);\n"
                                 "}\n"
                                 "fn element(i: u32) {\n"
                                 "    var rank = 0u;\n"
                                 "    for (var k = 0u; k < 5; k++) { rank += u32(key(s[k]) < key(s[i])); }\n"
                                 "    d[rank] = s[i];\n"
                                 "}\n";
    float s[] = {3, -1, -2, 0, -0.5f}, d[5] = {0};
    static const float want[] = {-2, -1, -0.5f, 0, 3};
    gpu_data data[] = {{s, 5, 5}, {d, 5, 5}};
    run_once(source, (telar_plan_desc){.count = {5}}, data, 2);
    expect_floats(d, want, 5);
}

static void C094(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read_write> w: array<f32, 6>;\n"
                                 "fn element(row: u32) {\n"
                                 "    let sum = w[3 * row] + w[3 * row + 1] + w[3 * row + 2];\n"
                                 "    let scale = select(0.0, 1.0 / select(1.0, sum, sum > 0), sum > 0);\n"
                                 "    for (var k = 0u; k < 3; k++) { w[3 * row + k] *= scale; }\n"
                                 "}\n";
    float w[6] = {0, 0, 0, 1, 1, 2};
    static const float want[] = {0, 0, 0, 0.25f, 0.25f, 0.5f};
    run_once(source, (telar_plan_desc){.count = {2}}, &(gpu_data){.words = w, .words_count = 6, .bound_words = 6}, 1);
    expect_floats(w, want, 6);
}

/* A maximum over keys: the identity is the least key, never 0 as a float. */
static void C095(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read> s: array<f32>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> most: array<atomic<u32>>;\n"
                                 "fn element(i: u32) {\n"
                                 "    let bits = bitcast<u32>(s[i]);\n"
                                 "    atomicMax(&most[0], select(bits | 0x80000000u, ~bits, bits >= 0x80000000u));\n"
                                 "}\n";
    float s[] = {-3, -1};
    uint32_t most[1] = {0};
    gpu_data data[] = {{s, 2, 2}, {most, 1, 1}};
    run_once(source, (telar_plan_desc){.count = {2}}, data, 2);
    assert_int_equal(~most[0], 0xbf800000u);
    most[0] = 0;
    run_once(source, (telar_plan_desc){.count = {0}}, data, 2);
    assert_int_equal(most[0], 0);
}

/* ---- Buffers, alignment, layout ---------------------------------------------------------------------------------- */

/* More than 2^31 - 4 bytes in a binding only as far as the last element was written and read back. */
static void C097(void **state)
{
    (void)state;
    const telar_facts *facts = telar_host_facts(gpu.host);
    uint64_t usable = telar_usable_binding_bytes(facts, 4);
    uint64_t safe = (UINT64_C(1) << 31) - 4;
    assert_true(usable <= facts->limits.maxStorageBufferBindingSize && usable <= facts->limits.maxBufferSize);
    if (!telar_facts_know(facts, TELAR_FACT_BINDING_TESTED)) assert_true(usable <= safe);
    else if (usable > safe) assert_true((double)usable <= facts->values[TELAR_FACT_BINDING_TESTED].value);
}

static void C106(void **state)
{
    (void)state;
    uint8_t bytes[16], got[3];
    WGPUBuffer buffer;
    for (uint8_t k = 0; k < 16; k++) bytes[k] = (uint8_t)(k * 3 + 1);
    GPU_OK(telar_host_buffer_create(gpu.host, 16, &buffer, &gpu.diag));
    GPU_OK(telar_host_write(gpu.host, buffer, 0, bytes, 16, &gpu.diag));
    for (uint64_t offset = 0; offset <= 13; offset++) {
        GPU_OK(telar_host_read(gpu.host, buffer, offset, got, 3, &gpu.diag));
        assert_memory_equal(got, bytes + offset, 3);
    }
    telar_host_buffer_release(gpu.host, buffer);
}

/* The rest of an offset, in blocks of 18 bytes, is added by the kernel. */
static void C107(void **state)
{
    (void)state;
    uint32_t alignment = (uint32_t)telar_host_facts(gpu.host)->limits.minStorageBufferOffsetAlignment;
    telar_view view;
    GPU_OK(telar_view_bind(1008, 18, alignment, &view, &gpu.diag));
    assert_int_equal(view.bind_offset % alignment, 0);
    assert_int_equal(view.bind_offset + 18 * view.first_block, 1008);
    if (alignment == 256) assert_int_equal(view.first_block, 56);

    static const char source[] = "struct P { first: u32 }\n"
                                 "@group(0) @binding(0) var<uniform> p: P;\n"
                                 "@group(0) @binding(1) var<storage, read> s: array<u32>;\n"
                                 "@group(0) @binding(2) var<storage, read_write> d: array<u32>;\n"
                                 "fn element(i: u32) {\n"
                                 "    let half = (p.first + i) * 9;\n"
                                 "    d[i] = (s[half / 2] >> (16 * (half % 2))) & 0xffff;\n"
                                 "}\n";
    uint16_t halves[2048];
    uint32_t p[4] = {(uint32_t)view.first_block}, d[8] = {0}, want[8];
    for (uint32_t k = 0; k < 2048; k++) halves[k] = (uint16_t)(k * 31);
    for (uint32_t k = 0; k < 8; k++) want[k] = halves[(1008 + 18 * k) / 2];
    gpu_data data[] = {{p, 4, 4}, {(uint8_t *)halves + view.bind_offset, 1024 - view.bind_offset / 4, 0}, {d, 8, 8}};
    run_once(source, (telar_plan_desc){.count = {8}}, data, 3);
    expect_words(d, want, 8);
}

static void C109(void **state)
{
    (void)state;
    uint16_t before[6] = {10, 11, 12, 13, 14, 15}, three[3] = {1, 2, 3}, got[6];
    static const uint16_t want[6] = {10, 1, 2, 3, 14, 15};
    WGPUBuffer buffer;
    GPU_OK(telar_host_buffer_create(gpu.host, sizeof before, &buffer, &gpu.diag));
    GPU_OK(telar_host_write(gpu.host, buffer, 0, before, sizeof before, &gpu.diag));
    GPU_OK(telar_host_write(gpu.host, buffer, 2, three, sizeof three, &gpu.diag));
    GPU_OK(telar_host_read(gpu.host, buffer, 0, got, sizeof got, &gpu.diag));
    assert_memory_equal(got, want, sizeof got);
    telar_host_buffer_release(gpu.host, buffer);
}

/* Two bindings of one range, or of ranges that overlap: refused, both named. The form in place runs. */
static void C110(void **state)
{
    (void)state;
    static const char two[] = "@group(0) @binding(0) var<storage, read> a: array<f32>;\n"
                              "@group(0) @binding(1) var<storage, read_write> o: array<f32>;\n"
                              "fn element(i: u32) { o[i] = max(a[i], 0.0); }\n";
    static const char in_place[] = "@group(0) @binding(0) var<storage, read_write> o: array<f32>;\n"
                                   "fn element(i: u32) { o[i] = max(o[i], 0.0); }\n";
    static const telar_bind overlaps[][2] = {
        {{.size_bytes = 256}, {.size_bytes = 256}},
        {{.size_bytes = 260}, {.offset_bytes = 256, .size_bytes = 256}},
    };
    gpu_launch launch = {.source = two, .desc = {.count = {64}}};
    gpu_weave(&launch);
    for (size_t k = 0; k < COUNT(overlaps); k++) {
        uint32_t words[2048];
        telar_record record = telar_record_begin(words, COUNT(words));
        telar_buffer buffer =
            telar_record_buffer(&record, &(telar_buffer_desc){.size_bytes = 1024, .use = TELAR_USE_STORAGE});
        telar_bind binds[2] = {overlaps[k][0], overlaps[k][1]};
        binds[0].buffer = binds[1].buffer = buffer;
        telar_kernel kernel = telar_record_kernel(&record, &launch.woven.kernel);
        telar_record_launch(&record, kernel, &launch.woven.kernel, &launch.plan, binds, 2);
        telar_recording recording;
        telar_prepared *prepared;
        GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
        assert_int_equal(telar_host_prepare(gpu.host, recording, NULL, 0, &prepared, &gpu.diag),
                         TELAR_INVALID_RECORDING);
        assert_non_null(strstr(gpu.diag.text, "'a'"));
        assert_non_null(strstr(gpu.diag.text, "'o'"));
    }
    gpu_launch_free(&launch);
    float o[] = {-2, -0.5f, 0, 0.5f, 2};
    static const float want[] = {0, 0, 0, 0.5f, 2};
    run_once(in_place, (telar_plan_desc){.count = {5}}, &(gpu_data){.words = o, .words_count = 5, .bound_words = 5}, 1);
    expect_floats(o, want, 5);
}

static const telar_wgsl_binding *reflect_first(const char *source, telar_arena *arena)
{
    telar_wgsl *module;
    telar_wgsl_reflection reflection;
    GPU_OK(telar_wgsl_read(source, strlen(source), arena, &module, &gpu.diag));
    GPU_OK(telar_wgsl_reflect(module, NULL, 0, arena, &reflection, &gpu.diag));
    return &reflection.bindings[0];
}

/* 20 bytes of members, 32 of stride: reflection says it, and data laid out so are read right. */
static void C112(void **state)
{
    (void)state;
    static const char source[] = "struct V { a: vec3u, b: f32, c: u32 }\n"
                                 "@group(0) @binding(0) var<storage, read> v: array<V>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> o: array<u32>;\n"
                                 "fn element(i: u32) { o[i] = v[i].a.z + v[i].c; }\n";
    static uint64_t memory[1 << 14];
    telar_arena arena = telar_arena_make(memory, sizeof memory);
    assert_int_equal(reflect_first(source, &arena)->array_stride, 32);
    uint32_t v[20 * 8] = {0}, o[20] = {0}, want[20];
    for (uint32_t k = 0; k < 20; k++) {
        v[8 * k + 2] = k;
        v[8 * k + 4] = 100 * k;
        want[k] = 101 * k;
    }
    gpu_data data[] = {{v, 160, 160}, {o, 20, 20}};
    run_once(source, (telar_plan_desc){.count = {20}}, data, 2);
    expect_words(o, want, 20);
}

/* vec3f lie 16 bytes apart; tightly packed points are an array<f32>. */
static void C113(void **state)
{
    (void)state;
    static const char padded[] = "@group(0) @binding(0) var<storage, read> p: array<vec3<f32>>;\n"
                                 "@group(0) @binding(1) var<storage, read_write> o: array<f32>;\n"
                                 "fn element(i: u32) { o[i] = p[i].x + p[i].y + p[i].z; }\n";
    static const char tight[] = "@group(0) @binding(0) var<storage, read> p: array<f32>;\n"
                                "@group(0) @binding(1) var<storage, read_write> o: array<f32>;\n"
                                "fn element(i: u32) { o[i] = p[3 * i] + p[3 * i + 1] + p[3 * i + 2]; }\n";
    static uint64_t memory[1 << 14];
    telar_arena arena = telar_arena_make(memory, sizeof memory);
    const telar_wgsl_binding *binding = reflect_first(padded, &arena);
    assert_int_equal(binding->array_stride, 16);
    assert_int_equal(binding->element_bytes, 12);
    float four[40] = {0}, three[30], o[10] = {0}, want[10];
    for (int k = 0; k < 30; k++) three[k] = four[k / 3 * 4 + k % 3] = (float)k;
    for (int k = 0; k < 10; k++) want[k] = (float)(9 * k + 3);
    gpu_data padded_data[] = {{four, 40, 40}, {o, 10, 10}}, tight_data[] = {{three, 30, 30}, {o, 10, 10}};
    run_once(padded, (telar_plan_desc){.count = {10}}, padded_data, 2);
    expect_floats(o, want, 10);
    memset(o, 0, sizeof o);
    run_once(tight, (telar_plan_desc){.count = {10}}, tight_data, 2);
    expect_floats(o, want, 10);
}

/* ---- The implementations ----------------------------------------------------------------------------------------- */

/* A kernel that does not compile has no time: preparing it fails, and there is nothing to run. */
static void C092(void **state)
{
    (void)state;
    telar_prepared *prepared = NULL;
    telar_status status = prepare_text(gpu.host, "@compute @workgroup_size(1) fn main() { let x: u32 = 1.5; }\n",
                                       (telar_kernel_desc){.workgroup_size = {1, 1, 1}}, &prepared);
    assert_int_equal(status, TELAR_SHADER_REJECTED);
    assert_null(prepared);
    assert_true(gpu.diag.text[0] != '\0');
}

/* More invocations than the device was created with: the first call that can know says so. */
static void C121(void **state)
{
    (void)state;
    telar_host *host = open_default_limits();
    telar_prepared *prepared = NULL;
    uint32_t size = (uint32_t)telar_host_facts(host)->limits.maxComputeInvocationsPerWorkgroup * 2;
    char source[128];
    snprintf(source, sizeof source, "@compute @workgroup_size(%u) fn main() {}\n", size);
    telar_kernel_desc desc = {.workgroup_size = {size, 1, 1}};
    assert_int_not_equal(prepare_text(host, source, desc, &prepared), TELAR_OK);
    assert_null(prepared);
    telar_host_close(host);

    uint32_t words[1024];
    telar_record record = telar_record_begin(words, COUNT(words));
    telar_recording recording;
    desc = (telar_kernel_desc){.name = "k", .entry = "main", .wgsl = source, .wgsl_bytes = strlen(source)};
    desc.workgroup_size[0] = 256;
    desc.workgroup_size[1] = desc.workgroup_size[2] = 1;
    telar_record_kernel(&record, &desc);
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    telar_facts small = telar_facts_compatibility();
    assert_int_equal(telar_recording_verify(recording, &small.limits, &gpu.diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(gpu.diag.got, 256);
    assert_int_equal(gpu.diag.limit, 128);
}

/* One path of code waits on both libraries: a map for reading right after a submission. */
static void C122(void **state)
{
    (void)state;
    uint32_t *v = zeros(100000);
    run_once(add_one, (telar_plan_desc){.count = {100000}}, &(gpu_data){.words = v, .words_count = 100000}, 1);
    expect_all(v, 1, 100000);
    GPU_OK(telar_host_wait(gpu.host, UINT64_C(10000000000), &gpu.diag));
    GPU_OK(telar_host_ready(gpu.host, &gpu.diag));
    free(v);
}

/* Limits that are not asked for are undefined, not 0: the device has at least WebGPU's own. */
static void C124(void **state)
{
    (void)state;
    telar_host *host = open_default_limits();
    const telar_limits least = telar_facts_default().limits;
    const telar_limits *got = &telar_host_facts(host)->limits;
    assert_true(got->maxBufferSize >= least.maxBufferSize);
    assert_true(got->maxComputeInvocationsPerWorkgroup >= least.maxComputeInvocationsPerWorkgroup);
    assert_true(got->minStorageBufferOffsetAlignment <= least.minStorageBufferOffsetAlignment);
    assert_true(got->minStorageBufferOffsetAlignment > 0);
    telar_host_close(host);
}

/* No adapter that computes nothing is usable, and one of the CPU says that it is. */
static void C125(void **state)
{
    (void)state;
    telar_adapter_info adapters[16];
    size_t count = COUNT(adapters);
    GPU_OK(telar_host_adapters(&gpu.webgpu, adapters, &count, &gpu.diag));
    assert_true(count > 0);
    for (size_t k = 0; k < count && k < COUNT(adapters); k++) {
        bool null = strcmp(adapters[k].backend, "null") == 0;
        assert_false(null && adapters[k].usable);
        assert_true(adapters[k].usable || adapters[k].why_not[0] != '\0');
    }
    const telar_adapter_info *mine = telar_host_adapter(gpu.host);
    assert_true(mine->adapter[0] != '\0');
    bool software = strstr(mine->adapter, "llvmpipe") != NULL || strstr(mine->adapter, "SwiftShader") != NULL;
    if (software) assert_int_equal(mine->type, TELAR_DEVICE_CPU);
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

/* Long work is cut into slices, each a submission: 2^30 items of 5 ns are eleven of half a second. */
static void C128(void **state)
{
    (void)state;
    enum {
        N = 1000000
    };
    uint64_t slices = telar_slices(UINT64_C(1) << 30, 5, 500000);
    assert_int_equal(slices, 11);
    static const char source[] = "struct P { first: u32 }\n"
                                 "@group(0) @binding(0) var<uniform> p: P;\n"
                                 "@group(0) @binding(1) var<storage, read_write> v: array<u32>;\n"
                                 "fn element(i: u32) { v[p.first + i] += p.first + i; }\n";
    uint32_t *v = zeros(N);
    uint64_t step = telar_ceil_div(N, slices);
    for (uint64_t first = 0; first < N; first += step) {
        uint32_t p[4] = {(uint32_t)first};
        uint64_t count = N - first < step ? N - first : step;
        gpu_data data[] = {{p, 4, 4}, {v, N, N}};
        run_once(source, (telar_plan_desc){.count = {count}}, data, 2);
    }
    expect_index(v, N);
    free(v);
}

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A recording of `dispatches` launches between two marks. */
static telar_prepared *prepare_timed(const gpu_launch *launch, uint32_t dispatches, uint64_t words_count)
{
    enum {
        WORDS = 1 << 16
    };
    uint32_t *words = malloc(WORDS * sizeof *words);
    telar_record record = telar_record_begin(words, WORDS);
    telar_buffer_desc desc = {.size_bytes = words_count * 4, .use = TELAR_USE_STORAGE};
    telar_bind bind = {.buffer = telar_record_buffer(&record, &desc)};
    telar_kernel kernel = telar_record_kernel(&record, &launch->woven.kernel);
    telar_record_mark(&record, "begin");
    for (uint32_t k = 0; k < dispatches; k++) {
        telar_record_launch(&record, kernel, &launch->woven.kernel, &launch->plan, &bind, 1);
    }
    telar_record_mark(&record, "end");
    telar_recording recording;
    telar_prepared *prepared;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_prepare(gpu.host, recording, NULL, 0, &prepared, &gpu.diag));
    free(words);
    return prepared;
}

/* GPU time is in nanoseconds: within a tenth of the clock on the wall for work of some 50 ms, in the quietest of some
 * runs. */
static void C130(void **state)
{
    (void)state;
    if (telar_host_time_quantum_ns(gpu.host) == 0) return;
    static const char source[] = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
                                 "fn element(i: u32) {\n"
                                 "    var x = v[i];\n"
                                 "    for (var k = 0u; k < 200; k++) { x = x * 1664525 + 1013904223; }\n"
                                 "    v[i] = x;\n"
                                 "}\n";
    /* Work enough that some hundred dispatches take 50 ms: a GPU does a hundred times as much in it. */
    uint64_t n = telar_host_facts(gpu.host)->type == TELAR_DEVICE_CPU ? 1 << 18 : 1 << 24;
    gpu_launch launch = {.source = source, .desc = {.count = {n}}};
    gpu_weave(&launch);
    double best = 0;
    uint32_t dispatches = 4;
    for (int k = 0; k < 12 && best < 0.9; k++) {
        telar_prepared *prepared = prepare_timed(&launch, dispatches, n);
        double ns;
        GPU_OK(telar_prepared_run(prepared, &gpu.diag));
        double start = seconds();
        GPU_OK(telar_prepared_run(prepared, &gpu.diag));
        double wall = 1e9 * (seconds() - start);
        GPU_OK(telar_prepared_time_ns(prepared, 0, &ns, &gpu.diag));
        assert_true(ns <= 1.1 * wall);
        if (ns / wall > best) best = ns / wall;
        if (wall < 5e7 && dispatches < 1000) dispatches *= 2;
        telar_prepared_release(prepared);
    }
    if (best < 0.9) fail_msg("the GPU's time is %.2f of the wall's", best);
    gpu_launch_free(&launch);
}

/* Nothing between two marks has no time, rather than 0 ns. */
static void C131(void **state)
{
    (void)state;
    if (telar_host_time_quantum_ns(gpu.host) == 0) return;
    gpu_launch launch = {.source = add_one, .desc = {.count = {0}}};
    gpu_weave(&launch);
    telar_prepared *prepared = prepare_timed(&launch, 1, 64);
    double ns = -1;
    GPU_OK(telar_prepared_run(prepared, &gpu.diag));
    assert_int_equal(telar_prepared_time_ns(prepared, 0, &ns, &gpu.diag), TELAR_NOT_FOUND);
    assert_non_null(strstr(gpu.diag.text, "no work"));
    telar_prepared_release(prepared);
    gpu_launch_free(&launch);
}

/* One and four elements an invocation give the same, and the plan says why it chose. */
static void C133(void **state)
{
    (void)state;
    enum {
        N = 100003
    };
    for (uint32_t items = 1; items <= 4; items += 3) {
        uint32_t *v = zeros(N);
        char text[4096];
        telar_out out = {text, sizeof text, 0};
        gpu_launch launch = run(add_index, (telar_plan_desc){.count = {N}, .items = items},
                                &(gpu_data){.words = v, .words_count = N}, 1);
        expect_index(v, N);
        telar_plan_explain(&launch.plan, telar_host_facts(gpu.host), TELAR_ENGLISH, &out);
        assert_non_null(strstr(text, "Limited by"));
        gpu_launch_free(&launch);
        free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C005), cmocka_unit_test(C008), cmocka_unit_test(C014), cmocka_unit_test(C016),
        cmocka_unit_test(C017), cmocka_unit_test(C020), cmocka_unit_test(C023), cmocka_unit_test(C026),
        cmocka_unit_test(C028), cmocka_unit_test(C029), cmocka_unit_test(C032), cmocka_unit_test(C034_C035),
        cmocka_unit_test(C037), cmocka_unit_test(C040), cmocka_unit_test(C043), cmocka_unit_test(C047),
        cmocka_unit_test(C053), cmocka_unit_test(C055), cmocka_unit_test(C059), cmocka_unit_test(C064),
        cmocka_unit_test(C065), cmocka_unit_test(C067), cmocka_unit_test(C068), cmocka_unit_test(C073),
        cmocka_unit_test(C086), cmocka_unit_test(C092), cmocka_unit_test(C094), cmocka_unit_test(C095),
        cmocka_unit_test(C097), cmocka_unit_test(C106), cmocka_unit_test(C107), cmocka_unit_test(C109),
        cmocka_unit_test(C110), cmocka_unit_test(C112), cmocka_unit_test(C113), cmocka_unit_test(C118_C076),
        cmocka_unit_test(C121), cmocka_unit_test(C122), cmocka_unit_test(C124), cmocka_unit_test(C125),
        cmocka_unit_test(C128), cmocka_unit_test(C130), cmocka_unit_test(C131), cmocka_unit_test(C133),
        cmocka_unit_test(C136),
    };
    return cmocka_run_group_tests_name("cases on a device", tests, gpu_open, gpu_close);
}
