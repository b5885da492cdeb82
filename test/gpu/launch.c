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
    GPU_DATA_MAX = 8,
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
    telar_host_desc desc = {.webgpu = &gpu.webgpu, .trusted_modules = true};
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

void gpu_weave(gpu_launch *launch)
{
    launch->arena = malloc(ARENA_BYTES);
    telar_arena arena = telar_arena_make(launch->arena, ARENA_BYTES);
    telar_wgsl *module;
    telar_weave_needs needs;
    GPU_OK(telar_wgsl_read(launch->source, strlen(launch->source), &arena, &module, &gpu.diag));
    telar_weave_desc desc = {.module = module,
                             .plan = &launch->plan,
                             .dialect = telar_host_dialect(gpu.host),
                             .counted = launch->counted,
                             .overrides = launch->overrides,
                             .overrides_count = launch->overrides_count};
    if (launch->uniform_params) desc.dialect.immediates = false;
    GPU_OK(telar_weave_inspect(&desc, &arena, &needs, &gpu.diag));
    if (needs.form != TELAR_FORM_ELEMENT) {
        memcpy(launch->desc.size, needs.workgroup_size, sizeof launch->desc.size);
        launch->desc.items = 1;
    }
    launch->desc.binding_bytes_per_element = needs.binding_bytes_per_element;
    const telar_facts *facts = launch->facts == NULL ? telar_host_facts(gpu.host) : launch->facts;
    GPU_OK(telar_plan_make(&launch->desc, facts, &launch->plan, &gpu.diag));
    GPU_OK(telar_weave(&desc, &arena, &launch->woven, &gpu.diag));
}

/* ---- Data on the device, each followed by its guard band ---------------------------------------------------------- */

static WGPUBuffer upload(const gpu_data *data)
{
    uint32_t guard[GPU_GUARD_WORDS];
    uint64_t bytes = data->words_count * 4;
    WGPUBuffer buffer;
    for (uint32_t k = 0; k < GPU_GUARD_WORDS; k++) guard[k] = GUARD;
    GPU_OK(telar_host_buffer_create(gpu.host, bytes + sizeof guard, &buffer, &gpu.diag));
    if (bytes > 0) GPU_OK(telar_host_write(gpu.host, buffer, 0, data->words, bytes, &gpu.diag));
    GPU_OK(telar_host_write(gpu.host, buffer, bytes, guard, sizeof guard, &gpu.diag));
    return buffer;
}

static void download(const gpu_data *data, WGPUBuffer buffer, const char *name)
{
    uint32_t guard[GPU_GUARD_WORDS];
    uint64_t bytes = data->words_count * 4;
    if (bytes > 0) GPU_OK(telar_host_read(gpu.host, buffer, 0, data->words, bytes, &gpu.diag));
    GPU_OK(telar_host_read(gpu.host, buffer, bytes, guard, sizeof guard, &gpu.diag));
    for (uint32_t k = 0; k < GPU_GUARD_WORDS; k++) {
        if (guard[k] != GUARD) fail_msg("guard word %u after '%s' was overwritten", k, name);
    }
}

static void record_and_run(const gpu_launch *launch, const gpu_data *data, const WGPUBuffer *buffers, uint32_t count)
{
    const telar_kernel_desc *kernel = &launch->woven.kernel;
    uint32_t *words = malloc(WORDS * sizeof *words);
    telar_record record = telar_record_begin(words, WORDS);
    telar_bound_buffer bound[GPU_DATA_MAX];
    telar_bind binds[GPU_DATA_MAX] = {0};
    for (uint32_t k = 0; k < count; k++) {
        telar_buffer_desc desc = {.name = kernel->bindings[k].name,
                                  .size_bytes = (data[k].words_count + GPU_GUARD_WORDS) * 4,
                                  .use = TELAR_USE_STORAGE | TELAR_USE_UNIFORM | TELAR_USE_BOUND};
        binds[k] = (telar_bind){.buffer = telar_record_buffer(&record, &desc), .size_bytes = data[k].bound_words * 4};
        bound[k] = (telar_bound_buffer){binds[k].buffer, buffers[k]};
    }
    telar_kernel handle = telar_record_kernel(&record, kernel);
    telar_record_launch(&record, handle, kernel, &launch->plan, binds, count);
    telar_recording recording;
    telar_prepared *prepared;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_prepare(gpu.host, recording, bound, count, &prepared, &gpu.diag));
    GPU_OK(telar_prepared_run(prepared, &gpu.diag));
    telar_prepared_release(prepared);
    free(words);
}

void gpu_run_woven(const gpu_launch *launch, const gpu_data *data, uint32_t data_count)
{
    WGPUBuffer buffers[GPU_DATA_MAX] = {0};
    if (data_count != launch->woven.kernel.bindings_count) {
        fail_msg("the kernel has %u bindings, not %u", launch->woven.kernel.bindings_count, data_count);
    }
    for (uint32_t k = 0; k < data_count; k++) buffers[k] = upload(&data[k]);
    record_and_run(launch, data, buffers, data_count);
    for (uint32_t k = 0; k < data_count; k++) {
        download(&data[k], buffers[k], launch->woven.kernel.bindings[k].name);
        telar_host_buffer_release(gpu.host, buffers[k]);
    }
}

void gpu_run_on(gpu_launch *launch, const gpu_data *data, uint32_t data_count)
{
    gpu_weave(launch);
    gpu_run_woven(launch, data, data_count);
}

void gpu_run(gpu_launch *launch, uint64_t words_count)
{
    launch->data = calloc(words_count + 1, sizeof *launch->data);
    gpu_run_on(launch, &(gpu_data){.words = launch->data, .words_count = words_count}, 1);
}

void gpu_launch_free(gpu_launch *launch)
{
    free(launch->data);
    free(launch->arena);
}
