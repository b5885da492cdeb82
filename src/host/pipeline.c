/* SPDX-License-Identifier: MIT
 *
 * Pipelines, kept by what they are made of: text, entry, bindings, parameters, overrides. Layouts are explicit, from
 * the kernel's own bindings, so that kernels with equal bindings can share bind groups' contents and nothing is
 * guessed. */
#include "host/host.h"

#include <string.h>

#define TL_PIPELINES_MAX 256 /* beyond it, those that no prepared recording holds are dropped, the oldest first */
#define TL_BINDINGS_MAX 1024

/* ---- Keys ---------------------------------------------------------------------------------------- */

/* Writes into key when there is one; counts always. */
typedef struct key_writer {
    uint8_t *key;
    size_t count;
} key_writer;

static void put(key_writer *writer, const void *data, size_t size_bytes)
{
    if (writer->key != NULL && size_bytes > 0) memcpy(writer->key + writer->count, data, size_bytes);
    writer->count += size_bytes;
}

static void put_u32(key_writer *writer, uint32_t value)
{
    put(writer, &value, sizeof value);
}

static void put_str(key_writer *writer, tl_str text)
{
    put_u32(writer, (uint32_t)text.len);
    put(writer, text.data, text.len);
}

static void put_kernel(key_writer *writer, const tl_op_kernel *kernel, bool trusted)
{
    put_u32(writer, trusted);
    put_u32(writer, kernel->params_kind);
    put_u32(writer, kernel->params_group);
    put_u32(writer, kernel->params_binding);
    put_u32(writer, kernel->params_words);
    put_u32(writer, kernel->bindings.count);
    for (uint32_t k = 0; k < kernel->bindings.count; k++) {
        tl_binding binding = tl_binding_at(kernel->bindings, k);
        put_u32(writer, binding.group);
        put_u32(writer, binding.binding);
        put_u32(writer, (uint32_t)binding.space);
        put(writer, &binding.min_bytes, sizeof binding.min_bytes);
    }
    put_u32(writer, kernel->overrides.count);
    for (uint32_t k = 0; k < kernel->overrides.count; k++) {
        tl_override override = tl_override_at(kernel->overrides, k);
        put_str(writer, override.name);
        put(writer, &override.value, sizeof override.value);
    }
    put_str(writer, kernel->entry);
    put_str(writer, kernel->wgsl);
}

static uint64_t hash_of(const uint8_t *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < count; k++) hash = (hash ^ bytes[k]) * 0x100000001b3u;
    return hash;
}

/* ---- Text ---------------------------------------------------------------------------------------- */

/* Length of a well-formed UTF-8 sequence, 0 for anything else: overlong forms, surrogates, past U+10FFFF. */
static size_t utf8_length(const uint8_t *text, size_t left)
{
    uint8_t first = text[0];
    if (first < 0x80) return 1;
    size_t length = first >= 0xc2 && first < 0xe0   ? 2
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xf0 && first < 0xf5 ? 4
                                                    : 0;
    if (length == 0 || length > left) return 0;
    for (size_t k = 1; k < length; k++) {
        if ((text[k] & 0xc0) != 0x80) return 0;
    }
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f)) return 0;
    if ((first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f)) return 0;
    return length;
}

/* wgpu-native takes strings for UTF-8 without looking, and ends the process when they are not. */
static bool is_utf8(tl_str text)
{
    for (size_t at = 0; at < text.len;) {
        size_t length = utf8_length((const uint8_t *)text.data + at, text.len - at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

static telar_status check_texts(const tl_op_kernel *kernel, telar_diag *diag)
{
    bool good = is_utf8(kernel->wgsl) && is_utf8(kernel->entry);
    for (uint32_t k = 0; k < kernel->overrides.count; k++) {
        good = good && is_utf8(tl_override_at(kernel->overrides, k).name);
    }
    if (good) return TELAR_OK;
    return tl_fail(diag, TELAR_SHADER_REJECTED, "kernel '%.*s': its text is not UTF-8", TL_STR_ARGS(kernel->name));
}

static WGPUStringView view_of(tl_str text)
{
    return (WGPUStringView){text.data, text.len};
}

/* ---- Making -------------------------------------------------------------------------------------- */

static const WGPUBufferBindingType binding_types[] = {
    [TELAR_BINDING_UNIFORM] = WGPUBufferBindingType_Uniform,
    [TELAR_BINDING_STORAGE_READ] = WGPUBufferBindingType_ReadOnlyStorage,
    [TELAR_BINDING_STORAGE_READ_WRITE] = WGPUBufferBindingType_Storage,
};

uint64_t tl_params_bytes(const tl_op_kernel *kernel)
{
    return ((uint64_t)kernel->params_words * 4 + 15) / 16 * 16;
}

static WGPUBindGroupLayoutEntry layout_entry(uint32_t binding, telar_binding_space space, uint64_t min_bytes)
{
    return (WGPUBindGroupLayoutEntry){.binding = binding,
                                      .visibility = WGPUShaderStage_Compute,
                                      .buffer = {.type = binding_types[space], .minBindingSize = min_bytes}};
}

static WGPUBindGroupLayout make_group(telar_host *host, const tl_op_kernel *kernel, uint32_t group,
                                      WGPUBindGroupLayoutEntry *entries)
{
    size_t count = 0;
    for (uint32_t k = 0; k < kernel->bindings.count; k++) {
        tl_binding binding = tl_binding_at(kernel->bindings, k);
        if (binding.group != group) continue;
        entries[count++] = layout_entry(binding.binding, binding.space, binding.min_bytes);
    }
    if (kernel->params_kind == TELAR_PARAMS_UNIFORM && kernel->params_group == group) {
        entries[count++] = layout_entry(kernel->params_binding, TELAR_BINDING_UNIFORM, tl_params_bytes(kernel));
    }
    return host->webgpu->DeviceCreateBindGroupLayout(
        host->device, &(WGPUBindGroupLayoutDescriptor){.entryCount = count, .entries = entries});
}

static uint32_t groups_of(const tl_op_kernel *kernel)
{
    uint32_t count = kernel->params_kind == TELAR_PARAMS_UNIFORM ? kernel->params_group + 1 : 0;
    for (uint32_t k = 0; k < kernel->bindings.count; k++) {
        uint32_t group = tl_binding_at(kernel->bindings, k).group;
        if (group >= count) count = group + 1;
    }
    return count;
}

static telar_status make_layout(telar_host *host, const tl_op_kernel *kernel, tl_pipeline *pipeline,
                                WGPUPipelineLayout *layout, telar_diag *diag)
{
    *layout = NULL;
    pipeline->groups_count = groups_of(kernel);
    if (pipeline->groups_count > TL_GROUPS_MAX || kernel->bindings.count >= TL_BINDINGS_MAX) {
        return tl_fail(diag, TELAR_UNSUPPORTED, "kernel '%.*s' has %u bindings in %u groups; the host takes %d in %d",
                       TL_STR_ARGS(kernel->name), kernel->bindings.count, pipeline->groups_count, TL_BINDINGS_MAX - 1,
                       TL_GROUPS_MAX);
    }
    size_t entries_count = (size_t)kernel->bindings.count + 1;
    WGPUBindGroupLayoutEntry *entries = tl_take(&host->alloc, entries_count, sizeof *entries);
    if (entries == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a pipeline");
    tl_scope_begin(host);
    for (uint32_t k = 0; k < pipeline->groups_count; k++) {
        pipeline->groups[k] = make_group(host, kernel, k, entries);
    }
    *layout = host->webgpu->DeviceCreatePipelineLayout(
        host->device, &(WGPUPipelineLayoutDescriptor){.bindGroupLayoutCount = pipeline->groups_count,
                                                      .bindGroupLayouts = pipeline->groups,
                                                      .immediateSize = kernel->params_kind == TELAR_PARAMS_IMMEDIATE
                                                                           ? kernel->params_words * 4
                                                                           : 0});
    telar_status status = tl_scope_end(host, TELAR_VALIDATION_FAILED, "the layout of a kernel", diag);
    tl_give(&host->alloc, entries, entries_count, sizeof *entries);
    return status;
}

static telar_status make_module(telar_host *host, const tl_op_kernel *kernel, bool trusted, WGPUShaderModule *module,
                                telar_diag *diag)
{
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = view_of(kernel->wgsl)};
    WGPUShaderModuleDescriptor descriptor = {.nextInChain = &source.chain};
    bool unchecked = trusted && host->trusted_modules && host->webgpu->DeviceCreateShaderModuleTrusted != NULL;
    tl_scope_begin(host);
    *module = unchecked ? host->webgpu->DeviceCreateShaderModuleTrusted(host->device, &descriptor, 0)
                        : host->webgpu->DeviceCreateShaderModule(host->device, &descriptor);
    return tl_scope_end(host, TELAR_SHADER_REJECTED, "the shader was rejected", diag);
}

static telar_status make_compute(telar_host *host, const tl_op_kernel *kernel, WGPUShaderModule module,
                                 WGPUPipelineLayout layout, tl_pipeline *pipeline, telar_diag *diag)
{
    size_t count = kernel->overrides.count;
    WGPUConstantEntry *constants = tl_take(&host->alloc, count + 1, sizeof *constants);
    if (constants == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a pipeline");
    for (uint32_t k = 0; k < count; k++) {
        tl_override override = tl_override_at(kernel->overrides, k);
        constants[k] = (WGPUConstantEntry){.key = view_of(override.name), .value = override.value};
    }
    tl_scope_begin(host);
    pipeline->handle = host->webgpu->DeviceCreateComputePipeline(
        host->device, &(WGPUComputePipelineDescriptor){.layout = layout,
                                                       .compute = {.module = module,
                                                                   .entryPoint = view_of(kernel->entry),
                                                                   .constantCount = count,
                                                                   .constants = constants}});
    telar_status status = tl_scope_end(host, TELAR_SHADER_REJECTED, "the kernel was rejected", diag);
    tl_give(&host->alloc, constants, count + 1, sizeof *constants);
    return status;
}

static void drop(telar_host *host, tl_pipeline *pipeline)
{
    const telar_webgpu *webgpu = host->webgpu;
    if (pipeline->handle != NULL) webgpu->ComputePipelineRelease(pipeline->handle);
    for (uint32_t k = 0; k < pipeline->groups_count && k < TL_GROUPS_MAX; k++) {
        if (pipeline->groups[k] != NULL) webgpu->BindGroupLayoutRelease(pipeline->groups[k]);
    }
    tl_give(&host->alloc, pipeline->key, pipeline->key_bytes, 1);
    tl_give(&host->alloc, pipeline, 1, sizeof *pipeline);
}

static telar_status make(telar_host *host, const tl_op_kernel *kernel, bool trusted, tl_pipeline *pipeline,
                         telar_diag *diag)
{
    TELAR_TRY(check_texts(kernel, diag));
    TELAR_TRY(tl_hazards_check(host, kernel->wgsl, diag));
    WGPUShaderModule module = NULL;
    WGPUPipelineLayout layout = NULL;
    telar_status status = make_module(host, kernel, trusted, &module, diag);
    if (status == TELAR_OK) status = make_layout(host, kernel, pipeline, &layout, diag);
    if (status == TELAR_OK) status = make_compute(host, kernel, module, layout, pipeline, diag);
    if (layout != NULL) host->webgpu->PipelineLayoutRelease(layout);
    if (module != NULL) host->webgpu->ShaderModuleRelease(module);
    return status;
}

/* ---- Cache --------------------------------------------------------------------------------------- */

static void evict(telar_host *host)
{
    tl_pipeline_cache *cache = &host->pipelines;
    while (cache->count >= TL_PIPELINES_MAX) {
        size_t oldest = cache->count;
        for (size_t k = 0; k < cache->count; k++) {
            if (cache->items[k]->users > 0) continue;
            if (oldest == cache->count || cache->items[k]->last_use < cache->items[oldest]->last_use) oldest = k;
        }
        if (oldest == cache->count) return;
        drop(host, cache->items[oldest]);
        cache->items[oldest] = cache->items[--cache->count];
    }
}

static tl_pipeline *find(tl_pipeline_cache *cache, const uint8_t *key, size_t key_bytes, uint64_t hash)
{
    for (size_t k = 0; k < cache->count; k++) {
        tl_pipeline *item = cache->items[k];
        if (item->hash == hash && item->key_bytes == key_bytes && memcmp(item->key, key, key_bytes) == 0) return item;
    }
    return NULL;
}

static telar_status make_and_keep(telar_host *host, const tl_op_kernel *kernel, bool trusted, uint8_t *key,
                                  size_t key_bytes, uint64_t hash, tl_pipeline **pipeline, telar_diag *diag)
{
    tl_pipeline_cache *cache = &host->pipelines;
    evict(host);
    tl_pipeline *made = tl_take(&host->alloc, 1, sizeof *made);
    if (made == NULL ||
        !tl_grow(&host->alloc, (void **)&cache->items, cache->count, &cache->cap, sizeof(tl_pipeline *))) {
        tl_give(&host->alloc, made, 1, sizeof *made);
        tl_give(&host->alloc, key, key_bytes, 1);
        return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a pipeline");
    }
    *made = (tl_pipeline){.hash = hash, .key = key, .key_bytes = key_bytes};
    telar_status status = make(host, kernel, trusted, made, diag);
    if (status != TELAR_OK) {
        drop(host, made);
        return status;
    }
    cache->items[cache->count++] = made;
    *pipeline = made;
    return TELAR_OK;
}

telar_status tl_pipeline_get(telar_host *host, const tl_op_kernel *kernel, bool trusted, tl_pipeline **pipeline,
                             telar_diag *diag)
{
    *pipeline = NULL;
    key_writer writer = {0};
    put_kernel(&writer, kernel, trusted);
    size_t key_bytes = writer.count;
    writer = (key_writer){tl_take(&host->alloc, key_bytes, 1), 0};
    if (writer.key == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a pipeline");
    put_kernel(&writer, kernel, trusted);
    uint64_t hash = hash_of(writer.key, key_bytes);
    tl_pipeline *found = find(&host->pipelines, writer.key, key_bytes, hash);
    if (found != NULL) {
        tl_give(&host->alloc, writer.key, key_bytes, 1);
    } else {
        TELAR_TRY(make_and_keep(host, kernel, trusted, writer.key, key_bytes, hash, &found, diag));
    }
    TELAR_ASSERT(found != NULL);
    found->users++;
    found->last_use = ++host->pipelines.clock;
    *pipeline = found;
    return TELAR_OK;
}

void tl_pipelines_drop(telar_host *host)
{
    tl_pipeline_cache *cache = &host->pipelines;
    for (size_t k = 0; k < cache->count; k++) drop(host, cache->items[k]);
    tl_give(&host->alloc, cache->items, cache->cap, sizeof *cache->items);
    *cache = (tl_pipeline_cache){0};
}
