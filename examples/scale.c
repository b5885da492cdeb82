/* SPDX-License-Identifier: MIT
 *
 * The whole way: the body for one element, a count, a device; a plan, a woven kernel, a recording, the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <telar/host.h>
#include <telar/telar.h>

static const char source[] = "@group(0) @binding(0) var<storage, read_write> d: array<f32>;\n"
                             "fn element(i: u32) { d[i] = d[i] * 0.99; }\n";

enum {
    COUNT = 3000001
};

static void check(telar_status status, const telar_diag *diag)
{
    if (status == TELAR_OK) return;
    fprintf(stderr, "%s: %s\n", telar_status_text(status), diag->text);
    exit(1);
}

int main(void)
{
    telar_diag diag = {0};
    telar_webgpu webgpu;
    telar_host *host;
    check(telar_webgpu_load(NULL, &webgpu, &diag), &diag);
    check(telar_host_open(&(telar_host_desc){.webgpu = &webgpu}, &host, &diag), &diag);

    telar_plan plan;
    check(telar_plan_make(&(telar_plan_desc){.count = {COUNT}}, telar_host_facts(host), &plan, &diag), &diag);

    telar_arena arena = telar_arena_make(malloc(1 << 20), 1 << 20);
    telar_wgsl *module;
    telar_woven woven;
    check(telar_wgsl_read(source, strlen(source), &arena, &module, &diag), &diag);
    check(telar_weave(&(telar_weave_desc){.module = module, .plan = &plan, .dialect = telar_host_dialect(host)}, &arena,
                      &woven, &diag),
          &diag);

    static uint32_t words[4096];
    telar_record record = telar_record_begin(words, 4096);
    telar_buffer d = telar_record_buffer(
        &record, &(telar_buffer_desc){"d", (uint64_t)COUNT * sizeof(float), TELAR_USE_STORAGE | TELAR_USE_BOUND});
    telar_kernel scale = telar_record_kernel(&record, &woven.kernel);
    telar_record_launch(&record, scale, &woven.kernel, &plan, &(telar_bind){.buffer = d}, 1);
    telar_recording recording;
    check(telar_record_end(&record, &recording, &diag), &diag);

    float *data = malloc(COUNT * sizeof(float));
    for (int i = 0; i < COUNT; i++) data[i] = (float)i;
    WGPUBuffer buffer;
    check(telar_host_buffer_create(host, COUNT * sizeof(float), &buffer, &diag), &diag);
    check(telar_host_write(host, buffer, 0, data, COUNT * sizeof(float), &diag), &diag);

    telar_prepared *prepared;
    check(telar_host_prepare(host, recording, &(telar_bound_buffer){d, buffer}, 1, &prepared, &diag), &diag);
    check(telar_prepared_run(prepared, &diag), &diag);
    check(telar_host_read(host, buffer, 0, data, COUNT * sizeof(float), &diag), &diag);

    int wrong = 0;
    for (int i = 0; i < COUNT; i++) wrong += data[i] != (float)i * 0.99f;
    printf("%d elements in %llu groups of %u: %d wrong\n", COUNT, (unsigned long long)plan.groups,
           plan.workgroup_size[0], wrong);

    telar_prepared_release(prepared);
    telar_host_buffer_release(host, buffer);
    telar_host_close(host);
    telar_webgpu_unload(&webgpu);
    free(data);
    free(arena.data);
    return wrong != 0;
}
