/* SPDX-License-Identifier: MIT
 *
 * usage: encode [DISPATCHES [ROUNDS]]   (TELAR_WEBGPU names the library; 100 and 400 by default)
 *
 * What does a prepared recording cost beside the same calls written by hand? Both encode and submit the same
 * dispatches on the same device, in turn, with the device idle before each; the time is the CPU's, from the encoder's
 * creation to the return of the submission. By hand means what a careful program does: objects made once, a pipeline
 * and a bind group set only where they change. Printed are medians in microseconds and the median of the ratios of
 * neighbours. */
#include <telar/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BYTES 1024u
#define MOST 4096u

static telar_diag diag;

static void check(telar_status status)
{
    if (status == TELAR_OK) return;
    fprintf(stderr, "encode: %s: %s\n", telar_status_name(status), diag.text);
    exit(1);
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return values[count / 2];
}

/* ---- The work: b from a and a from b, in turn; `each` gives every dispatch its own parameters ---------- */

typedef enum params_kind {
    PARAMS_NONE,
    PARAMS_UNIFORM,
    PARAMS_IMMEDIATE
} params_kind;
static const char *const case_names[] = {"two buffers in turn", "and a uniform each", "and immediates each"};

static const char *wgsl_of(params_kind kind)
{
    static char text[512];
    static const char *const params[] = {"const p = vec4u(1u);\n", "@group(1) @binding(0) var<uniform> p: vec4u;\n",
                                         "var<immediate> p: vec4u;\n"};
    snprintf(text, sizeof text,
             "@group(0) @binding(0) var<storage, read_write> to: array<u32>;\n"
             "@group(0) @binding(1) var<storage, read> source: array<u32>;\n%s"
             "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
             "    to[id.x] = source[id.x] + p.x;\n}\n",
             params[kind]);
    return text;
}

typedef struct bench {
    const telar_webgpu *webgpu;
    telar_host *host;
    WGPUDevice device;
    WGPUQueue queue;
    WGPUBuffer a, b;
    params_kind kind;
    uint32_t dispatches;

    telar_prepared *prepared;

    WGPUBuffer params;
    WGPUBindGroupLayout layouts[2];
    WGPUPipelineLayout layout;
    WGPUComputePipeline pipeline;
    WGPUBindGroup groups[2];
    WGPUBindGroup params_groups[MOST];
} bench;

/* ---- As a recording ------------------------------------------------------------------------------ */

static void prepare(bench *x)
{
    static uint32_t words[1 << 20];
    const char *wgsl = wgsl_of(x->kind);
    telar_binding bindings[2] = {
        {.name = "to", .space = TELAR_BINDING_STORAGE_READ_WRITE, .element_bytes = 4, .min_bytes = 4},
        {.name = "source", .binding = 1, .space = TELAR_BINDING_STORAGE_READ, .element_bytes = 4, .min_bytes = 4}};
    telar_record record = telar_record_begin(words, sizeof words / sizeof *words);
    telar_buffer buffers[2];
    for (int k = 0; k < 2; k++) {
        telar_buffer_desc desc = {
            .name = k == 0 ? "a" : "b", .size_bytes = BYTES, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
        buffers[k] = telar_record_buffer(&record, &desc);
    }
    telar_kernel_desc desc = {.name = "copy",
                              .wgsl = wgsl,
                              .wgsl_bytes = strlen(wgsl),
                              .entry = "main",
                              .bindings = bindings,
                              .bindings_count = 2,
                              .params_kind = (telar_params_kind)x->kind,
                              .params_group = 1,
                              .params_words = x->kind == PARAMS_NONE ? 0 : 4,
                              .workgroup_size = {64, 1, 1}};
    telar_kernel kernel = telar_record_kernel(&record, &desc);
    for (uint32_t k = 0; k < x->dispatches; k++) {
        uint32_t params[4] = {k, k, k, k};
        telar_bind binds[2] = {{.buffer = buffers[k % 2]}, {.buffer = buffers[1 - k % 2]}};
        telar_record_dispatch(&record, &(telar_dispatch_desc){.kernel = kernel,
                                                              .groups = {4, 1, 1},
                                                              .params = params,
                                                              .params_words = desc.params_words,
                                                              .binds = binds,
                                                              .binds_count = 2});
    }
    telar_recording recording;
    check(telar_record_end(&record, &recording, &diag));
    telar_bound_buffer bound[2] = {{buffers[0], x->a}, {buffers[1], x->b}};
    check(telar_host_prepare(x->host, recording, bound, 2, &x->prepared, &diag));
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static WGPUBindGroup make_group(const bench *x, WGPUBindGroupLayout layout, const WGPUBindGroupEntry *entries,
                                size_t count)
{
    return x->webgpu->DeviceCreateBindGroup(
        x->device, &(WGPUBindGroupDescriptor){.layout = layout, .entryCount = count, .entries = entries});
}

static void make_by_hand(bench *x)
{
    const telar_webgpu *webgpu = x->webgpu;
    const char *wgsl = wgsl_of(x->kind);
    WGPUBindGroupLayoutEntry data[2] = {
        {.visibility = WGPUShaderStage_Compute, .buffer = {.type = WGPUBufferBindingType_Storage, .minBindingSize = 4}},
        {.binding = 1,
         .visibility = WGPUShaderStage_Compute,
         .buffer = {.type = WGPUBufferBindingType_ReadOnlyStorage, .minBindingSize = 4}}};
    WGPUBindGroupLayoutEntry params = {.visibility = WGPUShaderStage_Compute,
                                       .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = 16}};
    x->layouts[0] = webgpu->DeviceCreateBindGroupLayout(
        x->device, &(WGPUBindGroupLayoutDescriptor){.entryCount = 2, .entries = data});
    x->layouts[1] = webgpu->DeviceCreateBindGroupLayout(
        x->device, &(WGPUBindGroupLayoutDescriptor){.entryCount = 1, .entries = &params});
    WGPUPipelineLayoutDescriptor layout = {.bindGroupLayoutCount = x->kind == PARAMS_UNIFORM ? 2 : 1,
                                           .bindGroupLayouts = x->layouts,
                                           .immediateSize = x->kind == PARAMS_IMMEDIATE ? 16 : 0};
    x->layout = webgpu->DeviceCreatePipelineLayout(x->device, &layout);
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = {wgsl, strlen(wgsl)}};
    WGPUShaderModule module =
        webgpu->DeviceCreateShaderModule(x->device, &(WGPUShaderModuleDescriptor){.nextInChain = &source.chain});
    x->pipeline = webgpu->DeviceCreateComputePipeline(
        x->device, &(WGPUComputePipelineDescriptor){.layout = x->layout,
                                                    .compute = {.module = module, .entryPoint = {"main", 4}}});
    webgpu->ShaderModuleRelease(module);
    for (int k = 0; k < 2; k++) {
        WGPUBindGroupEntry entries[2] = {{.buffer = k == 0 ? x->a : x->b, .size = BYTES},
                                         {.binding = 1, .buffer = k == 0 ? x->b : x->a, .size = BYTES}};
        x->groups[k] = make_group(x, x->layouts[0], entries, 2);
    }
    if (x->kind != PARAMS_UNIFORM) return;
    x->params = webgpu->DeviceCreateBuffer(
        x->device, &(WGPUBufferDescriptor){.usage = WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst,
                                           .size = (uint64_t)x->dispatches * 256});
    for (uint32_t k = 0; k < x->dispatches; k++) {
        WGPUBindGroupEntry entry = {.buffer = x->params, .offset = (uint64_t)k * 256, .size = 16};
        x->params_groups[k] = make_group(x, x->layouts[1], &entry, 1);
    }
}

static void run_by_hand(const bench *x)
{
    const telar_webgpu *webgpu = x->webgpu;
    WGPUCommandEncoder encoder = webgpu->DeviceCreateCommandEncoder(x->device, NULL);
    WGPUComputePassEncoder pass = webgpu->CommandEncoderBeginComputePass(encoder, NULL);
    webgpu->ComputePassEncoderSetPipeline(pass, x->pipeline);
    for (uint32_t k = 0; k < x->dispatches; k++) {
        webgpu->ComputePassEncoderSetBindGroup(pass, 0, x->groups[k % 2], 0, NULL);
        if (x->kind == PARAMS_UNIFORM) webgpu->ComputePassEncoderSetBindGroup(pass, 1, x->params_groups[k], 0, NULL);
        if (x->kind == PARAMS_IMMEDIATE) {
            uint32_t params[4] = {k, k, k, k};
            webgpu->ComputePassEncoderSetImmediates(pass, 0, params, sizeof params);
        }
        webgpu->ComputePassEncoderDispatchWorkgroups(pass, 4, 1, 1);
    }
    webgpu->ComputePassEncoderEnd(pass);
    webgpu->ComputePassEncoderRelease(pass);
    WGPUCommandBuffer commands = webgpu->CommandEncoderFinish(encoder, NULL);
    webgpu->QueueSubmit(x->queue, 1, &commands);
    webgpu->CommandBufferRelease(commands);
    webgpu->CommandEncoderRelease(encoder);
}

static void drop_by_hand(bench *x)
{
    const telar_webgpu *webgpu = x->webgpu;
    for (uint32_t k = 0; k < x->dispatches && x->kind == PARAMS_UNIFORM; k++) {
        webgpu->BindGroupRelease(x->params_groups[k]);
    }
    for (int k = 0; k < 2; k++) webgpu->BindGroupRelease(x->groups[k]);
    for (int k = 0; k < 2; k++) webgpu->BindGroupLayoutRelease(x->layouts[k]);
    if (x->kind == PARAMS_UNIFORM) webgpu->BufferRelease(x->params);
    webgpu->PipelineLayoutRelease(x->layout);
    webgpu->ComputePipelineRelease(x->pipeline);
}

/* ---- In turn ------------------------------------------------------------------------------------- */

static void idle(const bench *x)
{
    /* An own submission of nothing is waited for: the host knows only of its own. */
    WGPUBuffer buffer;
    uint32_t word;
    check(telar_host_buffer_create(x->host, 4, &buffer, &diag));
    check(telar_host_read(x->host, buffer, 0, &word, 4, &diag));
    telar_host_buffer_release(x->host, buffer);
}

static void run_case(bench *x, uint32_t rounds)
{
    double *prepared = malloc(rounds * sizeof(double));
    double *by_hand = malloc(rounds * sizeof(double));
    double *ratio = malloc(rounds * sizeof(double));
    if (prepared == NULL || by_hand == NULL || ratio == NULL) exit(1);
    prepare(x);
    make_by_hand(x);
    for (uint32_t k = 0; k < rounds + 20; k++) {
        uint32_t at = k < 20 ? 0 : k - 20; /* the first rounds warm up */
        for (uint32_t turn = 0; turn < 2; turn++) {
            bool hand = (turn + k) % 2 == 0;
            idle(x);
            double start = now_us();
            if (hand) {
                run_by_hand(x);
            } else {
                check(telar_prepared_submit(x->prepared, &diag));
            }
            (hand ? by_hand : prepared)[at] = now_us() - start;
        }
        ratio[at] = prepared[at] / by_hand[at];
    }
    printf("%-22s %u dispatches: prepared %8.1f us, by hand %8.1f us, ratio %.3f\n", case_names[x->kind], x->dispatches,
           median(prepared, rounds), median(by_hand, rounds), median(ratio, rounds));
    idle(x);
    drop_by_hand(x);
    telar_prepared_release(x->prepared);
    free(prepared);
    free(by_hand);
    free(ratio);
}

int main(int argc, char **argv)
{
    static bench x;
    static telar_webgpu webgpu;
    x.dispatches = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 400;
    if (x.dispatches == 0 || x.dispatches > MOST || rounds == 0) {
        fprintf(stderr, "usage: encode [DISPATCHES (1 to %u) [ROUNDS]]\n", MOST);
        return 2;
    }
    check(telar_webgpu_load(NULL, &webgpu, &diag));
    check(telar_host_open(&(telar_host_desc){.webgpu = &webgpu}, &x.host, &diag));
    x.webgpu = &webgpu;
    x.device = telar_host_device(x.host);
    x.queue = telar_host_queue(x.host);
    check(telar_host_buffer_create(x.host, BYTES, &x.a, &diag));
    check(telar_host_buffer_create(x.host, BYTES, &x.b, &diag));
    const telar_adapter_info *info = telar_host_adapter(x.host);
    printf("%s %s, %s\n", info->name, info->version, info->adapter);
    for (int kind = PARAMS_NONE; kind <= PARAMS_IMMEDIATE; kind++) {
        x.kind = (params_kind)kind;
        if (x.kind == PARAMS_IMMEDIATE && !telar_host_dialect(x.host).immediates) continue;
        run_case(&x, rounds);
    }
    telar_host_buffer_release(x.host, x.a);
    telar_host_buffer_release(x.host, x.b);
    telar_host_close(x.host);
    telar_webgpu_unload(&webgpu);
    return 0;
}
