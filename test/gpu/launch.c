/* SPDX-License-Identifier: MIT
 *
 * See launch.h. */
#include "launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    GUARD = 0x5eedca5e,
    WORDS = 1 << 16,
    ARENA_BYTES = 1 << 22
};

gpu_state gpu;

int gpu_open(void **state)
{
    (void)state;
    const char *device = getenv("TELAR_DEVICE");
    const char *colon = device == NULL ? NULL : strchr(device, ':');
    telar_host_desc desc = {.webgpu = &gpu.webgpu};
    if (colon != NULL) {
        desc.adapter_chosen = true;
        desc.adapter_index = (uint32_t)strtoul(colon + 1, NULL, 10);
    }
    if (telar_webgpu_load(NULL, &gpu.webgpu, &gpu.diag) != TELAR_OK ||
        telar_host_open(&desc, &gpu.host, &gpu.diag) != TELAR_OK) {
        fprintf(stderr, "%s\n", gpu.diag.text);
        return -1;
    }
    return 0;
}

int gpu_close(void **state)
{
    (void)state;
    telar_host_close(gpu.host);
    telar_webgpu_unload(&gpu.webgpu);
    return 0;
}

void gpu_expect_ok(telar_status status, const char *expression, const char *file, int line)
{
    if (status == TELAR_OK) return;
    print_error("%s:%d: %s: %s: %s\n", file, line, expression, telar_status_text(status), gpu.diag.text);
    fail();
}

static void weave(gpu_launch *launch)
{
    launch->arena = malloc(ARENA_BYTES);
    telar_arena arena = telar_arena_make(launch->arena, ARENA_BYTES);
    telar_wgsl *module;
    telar_weave_needs needs;
    GPU_OK(telar_wgsl_read(launch->source, strlen(launch->source), &arena, &module, &gpu.diag));
    telar_weave_desc desc = {.module = module, .plan = &launch->plan, .dialect = telar_host_dialect(gpu.host)};
    GPU_OK(telar_weave_inspect(&desc, &arena, &needs, &gpu.diag));
    if (needs.form != TELAR_FORM_ELEMENT) {
        memcpy(launch->desc.size, needs.workgroup_size, sizeof launch->desc.size);
        launch->desc.items = 1;
    }
    launch->desc.binding_bytes_per_element = needs.binding_bytes_per_element;
    GPU_OK(telar_plan_make(&launch->desc, telar_host_facts(gpu.host), &launch->plan, &gpu.diag));
    GPU_OK(telar_weave(&desc, &arena, &launch->woven, &gpu.diag));
}

static void run_on(gpu_launch *launch, WGPUBuffer buffer, uint64_t size_bytes)
{
    uint32_t *words = malloc(WORDS * sizeof *words);
    telar_record record = telar_record_begin(words, WORDS);
    telar_buffer d = telar_record_buffer(
        &record,
        &(telar_buffer_desc){.name = "d", .size_bytes = size_bytes, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND});
    telar_kernel kernel = telar_record_kernel(&record, &launch->woven.kernel);
    telar_record_launch(&record, kernel, &launch->woven.kernel, &launch->plan, &(telar_bind){.buffer = d}, 1);
    telar_recording recording;
    telar_prepared *prepared;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_prepare(gpu.host, recording, &(telar_bound_buffer){d, buffer}, 1, &prepared, &gpu.diag));
    GPU_OK(telar_prepared_run(prepared, &gpu.diag));
    telar_prepared_release(prepared);
    free(words);
}

void gpu_run(gpu_launch *launch, uint64_t words_count)
{
    uint32_t guard[GPU_GUARD_WORDS];
    uint64_t size_bytes = words_count * 4 + sizeof guard;
    WGPUBuffer buffer;
    for (uint32_t k = 0; k < GPU_GUARD_WORDS; k++) guard[k] = GUARD;
    weave(launch);
    launch->data = malloc(size_bytes);
    GPU_OK(telar_host_buffer_create(gpu.host, size_bytes, &buffer, &gpu.diag));
    GPU_OK(telar_host_write(gpu.host, buffer, words_count * 4, guard, sizeof guard, &gpu.diag));
    run_on(launch, buffer, size_bytes);
    GPU_OK(telar_host_read(gpu.host, buffer, 0, launch->data, size_bytes, &gpu.diag));
    telar_host_buffer_release(gpu.host, buffer);
    for (uint32_t k = 0; k < GPU_GUARD_WORDS; k++) {
        if (launch->data[words_count + k] != GUARD) fail_msg("guard word %u was overwritten", k);
    }
}

void gpu_launch_free(gpu_launch *launch)
{
    free(launch->data);
    free(launch->arena);
}
