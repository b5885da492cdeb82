/* SPDX-License-Identifier: MIT
 *
 * Adapters: which there are, which of them compute, which is the default. wgpu-native lists all; Dawn's C interface
 * only answers requests, so it is asked for each preference and the answers are told apart. */
#include "host/host.h"

#include <string.h>

#define TL_ADAPTERS_MAX 32
#define TL_REQUEST_NS 20000000000u

typedef struct adapter_list {
    WGPUAdapter handles[TL_ADAPTERS_MAX];
    telar_adapter_info infos[TL_ADAPTERS_MAX];
    uint32_t count;
} adapter_list;

/* Vulkan, Metal and Direct3D 12. OpenGL is left out: it only repeats a device with smaller limits, and an instance that
 * has it takes EGL down at its end, which hung an NVIDIA driver while another thread destroyed a Vulkan device. */
#define TL_WGPU_BACKENDS ((WGPUFlags)(1u << 0 | 1u << 2 | 1u << 3))

/* What wgpu-native reads behind this number. The fields that are not named here are zero: none, or automatic. */
#define TL_WGPU_INSTANCE_EXTRAS ((WGPUSType)0x00030004)
/* None, so that it does not put a validation pass of its own before each indirect dispatch (4 us on an H200): a recording's
 * indirect dispatches are written by the prepare kernel and verified to stay within the limits. */
#define TL_WGPU_NO_FLAGS ((WGPUFlags)0)

typedef struct instance_extras {
    WGPUChainedStruct chain;
    WGPUFlags backends;
    WGPUFlags flags;
    uint64_t others[32];
} instance_extras;

WGPUInstance tl_instance_create(const telar_webgpu *webgpu)
{
    if (webgpu->implementation != TELAR_IMPLEMENTATION_WGPU) return webgpu->CreateInstance(NULL);
    instance_extras extras = {
        .chain = {.sType = TL_WGPU_INSTANCE_EXTRAS}, .backends = TL_WGPU_BACKENDS, .flags = TL_WGPU_NO_FLAGS};
    return webgpu->CreateInstance(&(WGPUInstanceDescriptor){.nextInChain = &extras.chain});
}

/* ---- Describing ---------------------------------------------------------------------------------- */

static const char *backend_name(WGPUBackendType type)
{
    switch (type) {
    case WGPUBackendType_Null: return "null";
    case WGPUBackendType_WebGPU: return "webgpu";
    case WGPUBackendType_D3D11: return "d3d11";
    case WGPUBackendType_D3D12: return "d3d12";
    case WGPUBackendType_Metal: return "metal";
    case WGPUBackendType_Vulkan: return "vulkan";
    case WGPUBackendType_OpenGL: return "opengl";
    case WGPUBackendType_OpenGLES: return "opengles";
    default: return "unknown";
    }
}

static telar_device_type type_of(WGPUAdapterType type)
{
    switch (type) {
    case WGPUAdapterType_DiscreteGPU: return TELAR_DEVICE_DISCRETE;
    case WGPUAdapterType_IntegratedGPU: return TELAR_DEVICE_INTEGRATED;
    case WGPUAdapterType_CPU: return TELAR_DEVICE_CPU;
    default: return TELAR_DEVICE_UNKNOWN;
    }
}

static void write_version(const telar_webgpu *webgpu, char *text, size_t cap)
{
    telar_out out = {.data = text, .cap = cap};
    if (webgpu->GetVersion == NULL) {
        tl_out_text(&out, "unknown");
        return;
    }
    uint32_t version = webgpu->GetVersion();
    tl_out_format(&out, "%u.%u.%u.%u", version >> 24, version >> 16 & 0xff, version >> 8 & 0xff, version & 0xff);
}

static const char *implementation_name(telar_implementation implementation)
{
    switch (implementation) {
    case TELAR_IMPLEMENTATION_WGPU: return "wgpu";
    case TELAR_IMPLEMENTATION_DAWN: return "dawn";
    case TELAR_IMPLEMENTATION_UNKNOWN: break;
    }
    return "webgpu";
}

void tl_describe_adapter(const telar_webgpu *webgpu, const WGPUAdapterInfo *from, telar_adapter_info *info)
{
    *info = (telar_adapter_info){.implementation = webgpu->implementation,
                                 .backend = backend_name(from->backendType),
                                 .type = type_of(from->adapterType),
                                 .vendor_id = from->vendorID,
                                 .device_id = from->deviceID,
                                 .usable = true};
    tl_view_copy(info->adapter, sizeof info->adapter, from->device);
    tl_view_copy(info->driver, sizeof info->driver, from->description);
    write_version(webgpu, info->version, sizeof info->version);
    if (from->backendType == WGPUBackendType_Null) {
        info->usable = false;
        tl_view_copy(info->why_not, sizeof info->why_not, tl_view("the null backend computes nothing"));
    }
}

bool tl_vendor_has_progress(const telar_adapter_info *info)
{
    /* PCI vendors. Sorensen and others, "Specifying and Testing GPU Workgroup Progress Models" (OOPSLA 2021): the GPUs of
     * these passed the tests of occupancy-bound progress; Apple's and ARM's did not. */
    static const uint32_t vendors[] = {0x10de /* NVIDIA */, 0x1002 /* AMD */, 0x8086 /* Intel */};
    for (size_t k = 0; k < TL_COUNT(vendors); k++) {
        if (info->vendor_id == vendors[k]) return info->type != TELAR_DEVICE_CPU;
    }
    return false;
}

static void set_index(telar_adapter_info *info, uint32_t index)
{
    info->index = index;
    telar_out out = {.data = info->name, .cap = sizeof info->name};
    tl_out_format(&out, "%s:%u", implementation_name(info->implementation), index);
}

/* ---- Listing ------------------------------------------------------------------------------------- */

static bool same_adapter(const telar_adapter_info *a, const telar_adapter_info *b)
{
    return a->vendor_id == b->vendor_id && a->device_id == b->device_id && a->type == b->type &&
           strcmp(a->adapter, b->adapter) == 0 && a->backend == b->backend;
}

/* Takes the handle over. A request that gives an adapter already known is no new one. */
static void add(const telar_webgpu *webgpu, adapter_list *list, WGPUAdapter handle, bool distinct)
{
    telar_adapter_info info;
    WGPUAdapterInfo from = {0};
    bool known = list->count == TL_ADAPTERS_MAX || webgpu->AdapterGetInfo(handle, &from) != WGPUStatus_Success;
    if (!known) {
        tl_describe_adapter(webgpu, &from, &info);
        webgpu->AdapterInfoFreeMembers(from);
        for (uint32_t k = 0; k < list->count && distinct; k++) known = known || same_adapter(&info, &list->infos[k]);
    }
    if (known) {
        webgpu->AdapterRelease(handle);
        return;
    }
    set_index(&info, list->count);
    list->handles[list->count] = handle;
    list->infos[list->count++] = info;
}

/* What wgpu-native's function of this name reads. */
typedef struct enumerate_options {
    const WGPUChainedStruct *next;
    WGPUFlags backends;
} enumerate_options;

static void enumerate(const telar_webgpu *webgpu, WGPUInstance instance, adapter_list *list)
{
    enumerate_options options = {NULL, TL_WGPU_BACKENDS};
    WGPUAdapter handles[TL_ADAPTERS_MAX] = {0};
    size_t count = webgpu->InstanceEnumerateAdapters(instance, &options, NULL);
    if (count > TL_ADAPTERS_MAX) return;
    count = webgpu->InstanceEnumerateAdapters(instance, &options, handles);
    for (size_t k = 0; k < count; k++) add(webgpu, list, handles[k], false);
}

typedef struct adapter_request {
    bool pending;
    WGPUAdapter adapter;
} adapter_request;

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message, void *user,
                       void *unused)
{
    (void)message;
    (void)unused;
    adapter_request *request = user;
    request->pending = false;
    request->adapter = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
}

static WGPUAdapter request(const telar_webgpu *webgpu, WGPUInstance instance, const WGPURequestAdapterOptions *options)
{
    adapter_request answer = {.pending = true};
    webgpu->InstanceRequestAdapter(instance, options,
                                   (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                                    .callback = on_adapter,
                                                                    .userdata1 = &answer});
    tl_patience patience = tl_patience_begin(TL_REQUEST_NS);
    while (answer.pending) {
        webgpu->InstanceProcessEvents(instance);
        if (answer.pending && !tl_patience_step(&patience)) break;
    }
    return answer.adapter;
}

static void request_each(const telar_webgpu *webgpu, WGPUInstance instance, adapter_list *list)
{
#if defined(_WIN32)
    const WGPUBackendType backends[] = {WGPUBackendType_D3D12, WGPUBackendType_Vulkan};
#elif defined(__APPLE__)
    const WGPUBackendType backends[] = {WGPUBackendType_Metal};
#else
    const WGPUBackendType backends[] = {WGPUBackendType_Vulkan};
#endif
    const struct {
        WGPUPowerPreference power;
        bool fallback;
    } wishes[] = {{WGPUPowerPreference_HighPerformance, false},
                  {WGPUPowerPreference_LowPower, false},
                  {WGPUPowerPreference_Undefined, true}};
    for (size_t b = 0; b < TL_COUNT(backends); b++) {
        for (size_t w = 0; w < TL_COUNT(wishes); w++) {
            WGPURequestAdapterOptions options = {.featureLevel = WGPUFeatureLevel_Core,
                                                 .powerPreference = wishes[w].power,
                                                 .forceFallbackAdapter = wishes[w].fallback,
                                                 .backendType = backends[b]};
            WGPUAdapter adapter = request(webgpu, instance, &options);
            if (adapter != NULL) add(webgpu, list, adapter, true);
        }
    }
    if (list->count > 0) return;
    /* Whatever it gives when not told what to give: to name it, and to say that it is not usable. */
    WGPURequestAdapterOptions any = {.featureLevel = WGPUFeatureLevel_Core};
    WGPUAdapter adapter = request(webgpu, instance, &any);
    if (adapter != NULL) add(webgpu, list, adapter, true);
}

static void list_adapters(const telar_webgpu *webgpu, WGPUInstance instance, adapter_list *list)
{
    *list = (adapter_list){0};
    if (webgpu->InstanceEnumerateAdapters != NULL) {
        enumerate(webgpu, instance, list);
    } else {
        request_each(webgpu, instance, list);
    }
}

static void release_adapters(const telar_webgpu *webgpu, adapter_list *list)
{
    for (uint32_t k = 0; k < list->count; k++) {
        if (list->handles[k] != NULL) webgpu->AdapterRelease(list->handles[k]);
    }
}

telar_status telar_host_adapters(const telar_webgpu *webgpu, telar_adapter_info *adapters, size_t *count,
                                 telar_diag *diag)
{
    size_t room = *count;
    *count = 0;
    WGPUInstance instance = tl_instance_create(webgpu);
    if (instance == NULL) return tl_fail(diag, TELAR_NO_DEVICE, "the WebGPU library gives no instance");
    adapter_list list;
    list_adapters(webgpu, instance, &list);
    release_adapters(webgpu, &list);
    webgpu->InstanceRelease(instance);
    *count = list.count;
    for (size_t k = 0; k < list.count && k < room; k++) adapters[k] = list.infos[k];
    if (list.count > room) {
        return tl_fail_limit(diag, TELAR_NO_SPACE, list.count, room, "there are %u adapters, and room for %zu",
                             list.count, room);
    }
    return TELAR_OK;
}

/* ---- Choosing ------------------------------------------------------------------------------------ */

static const telar_device_type preference[] = {TELAR_DEVICE_DISCRETE, TELAR_DEVICE_INTEGRATED, TELAR_DEVICE_UNKNOWN,
                                               TELAR_DEVICE_CPU};

static bool choose(const adapter_list *list, uint32_t *index)
{
    for (size_t p = 0; p < TL_COUNT(preference); p++) {
        for (uint32_t k = 0; k < list->count; k++) {
            if (!list->infos[k].usable || list->infos[k].type != preference[p]) continue;
            *index = k;
            return true;
        }
    }
    return false;
}

static telar_status fail_none(const telar_webgpu *webgpu, const adapter_list *list, telar_diag *diag)
{
    const char *name = implementation_name(webgpu->implementation);
    if (list->count == 0) {
        return tl_fail(diag, TELAR_NO_DEVICE,
                       "%s finds no adapter that computes; install a driver of the GPU, or mesa's Vulkan drivers "
                       "for the CPU",
                       name);
    }
    return tl_fail(diag, TELAR_NO_DEVICE, "%s finds no adapter that computes: '%s' (%s): %s", name,
                   list->infos[0].adapter, list->infos[0].backend, list->infos[0].why_not);
}

telar_status tl_adapter_get(const telar_webgpu *webgpu, WGPUInstance instance, const uint32_t *chosen,
                            WGPUAdapter *adapter, telar_adapter_info *info, telar_diag *diag)
{
    *adapter = NULL;
    adapter_list list;
    list_adapters(webgpu, instance, &list);
    uint32_t index = 0;
    telar_status status = TELAR_OK;
    if (chosen == NULL) {
        if (!choose(&list, &index)) status = fail_none(webgpu, &list, diag);
    } else if (*chosen >= list.count) {
        status = tl_fail_limit(diag, TELAR_NO_DEVICE, *chosen, list.count, "there is no adapter %u; %s has %u", *chosen,
                               implementation_name(webgpu->implementation), list.count);
    } else if (!list.infos[*chosen].usable) {
        status = tl_fail(diag, TELAR_NO_DEVICE, "adapter %u '%s' is not usable: %s", *chosen,
                         list.infos[*chosen].adapter, list.infos[*chosen].why_not);
    } else {
        index = *chosen;
    }
    if (status == TELAR_OK) {
        *adapter = list.handles[index];
        *info = list.infos[index];
        list.handles[index] = NULL;
    }
    release_adapters(webgpu, &list);
    return status;
}
