/* SPDX-License-Identifier: MIT
 *
 * Telar inside an application that has its own instance, device, buffer and command encoder: it adds the dispatch for
 * 8,000,000 particles (more than 65535 groups of 64) to the frame that the application encodes and submits itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <telar/host.h>
#include <telar/telar.h>

static const char source[] = "@group(0) @binding(0) var<storage, read_write> p: array<vec2f>;\n"
                             "fn element(i: u32) { p[i] += vec2f(0.5, 1.0); }\n";

enum {
    PARTICLES = 8000000
};

static void check(telar_status status, const telar_diag *diag)
{
    if (status == TELAR_OK) return;
    fprintf(stderr, "%s: %s\n", telar_status_text(status), diag->text);
    exit(1);
}

/* ---- The application: its own WebGPU objects, through any library it likes ---------------------------------------- */

typedef struct application {
    telar_webgpu webgpu; /* here only to find the functions; a program that links WebGPU calls them by name */
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    WGPUBuffer particles;
} application;

static void got_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView text, void *to,
                        void *unused)
{
    (void)status, (void)text, (void)unused;
    *(WGPUAdapter *)to = adapter;
}

static void got_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView text, void *to, void *unused)
{
    (void)status, (void)text, (void)unused;
    *(WGPUDevice *)to = device;
}

static void start(application *app)
{
    const telar_webgpu *w = &app->webgpu;
    app->instance = w->CreateInstance(NULL);
    WGPURequestAdapterOptions options = {.featureLevel = WGPUFeatureLevel_Core, .backendType = WGPUBackendType_Vulkan};
    w->InstanceRequestAdapter(app->instance, &options,
                              (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                               .callback = got_adapter,
                                                               .userdata1 = &app->adapter});
    for (int k = 0; k < 1000 && app->adapter == NULL; k++) w->InstanceProcessEvents(app->instance);
    w->AdapterRequestDevice(app->adapter, NULL,
                            (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                            .callback = got_device,
                                                            .userdata1 = &app->device});
    for (int k = 0; k < 1000 && app->device == NULL; k++) w->InstanceProcessEvents(app->instance);
    if (app->device == NULL) exit(1);
    app->queue = w->DeviceGetQueue(app->device);
    app->particles = w->DeviceCreateBuffer(
        app->device,
        &(WGPUBufferDescriptor){.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
                                .size = (uint64_t)PARTICLES * 8});
}

static void submit_frame(application *app, telar_prepared *move)
{
    const telar_webgpu *w = &app->webgpu;
    telar_diag diag = {0};
    WGPUCommandEncoder encoder = w->DeviceCreateCommandEncoder(app->device, NULL);
    check(telar_prepared_encode(move, encoder, &diag), &diag); /* between whatever else the frame encodes */
    WGPUCommandBuffer commands = w->CommandEncoderFinish(encoder, NULL);
    w->QueueSubmit(app->queue, 1, &commands);
    w->CommandBufferRelease(commands);
    w->CommandEncoderRelease(encoder);
}

/* ---- Telar: what it takes ----------------------------------------------------------------------------------------- */

static telar_prepared *prepare_move(application *app, telar_host *host)
{
    telar_diag diag = {0};
    telar_plan plan;
    telar_plan_desc desc = {.count = {PARTICLES}, .bytes_per_element = 16, .binding_bytes_per_element = 8};
    check(telar_plan_make(&desc, telar_host_facts(host), &plan, &diag), &diag);

    static char memory[1 << 20];
    telar_arena arena = telar_arena_make(memory, sizeof memory);
    telar_wgsl *module;
    telar_woven woven;
    telar_weave_desc weave = {.dialect = telar_host_dialect(host), .plan = &plan};
    check(telar_wgsl_read(source, strlen(source), &arena, &module, &diag), &diag);
    weave.module = module;
    check(telar_weave(&weave, &arena, &woven, &diag), &diag);

    uint32_t words[2048];
    telar_record record = telar_record_begin(words, 2048);
    telar_buffer p = telar_record_buffer(
        &record, &(telar_buffer_desc){"p", (uint64_t)PARTICLES * 8, TELAR_USE_STORAGE | TELAR_USE_BOUND});
    telar_kernel kernel = telar_record_kernel(&record, &woven.kernel);
    telar_record_launch(&record, kernel, &woven.kernel, &plan, &(telar_bind){.buffer = p}, 1);
    telar_recording recording;
    telar_prepared *prepared;
    check(telar_record_end(&record, &recording, &diag), &diag);
    check(telar_host_prepare(host, recording, &(telar_bound_buffer){p, app->particles}, 1, &prepared, &diag), &diag);
    return prepared;
}

int main(void)
{
    application app = {0};
    telar_diag diag = {0};
    telar_host *host;
    check(telar_webgpu_load(NULL, &app.webgpu, &diag), &diag);
    start(&app);
    check(telar_host_from_device(&app.webgpu, app.instance, app.device, NULL, &host, &diag), &diag);
    telar_prepared *move = prepare_move(&app, host);
    for (int frame = 0; frame < 3; frame++) submit_frame(&app, move);

    float last[2];
    check(telar_host_read(host, app.particles, (uint64_t)(PARTICLES - 1) * 8, last, sizeof last, &diag), &diag);
    printf("after 3 frames the last particle is at (%g, %g)\n", (double)last[0], (double)last[1]);

    telar_prepared_release(move);
    telar_host_close(host); /* the device stays the application's */
    app.webgpu.BufferRelease(app.particles);
    app.webgpu.QueueRelease(app.queue);
    app.webgpu.DeviceRelease(app.device);
    app.webgpu.AdapterRelease(app.adapter);
    app.webgpu.InstanceRelease(app.instance);
    return last[0] == 1.5f && last[1] == 3.0f ? 0 : 1;
}
