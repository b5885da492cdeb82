/* SPDX-License-Identifier: MIT
 *
 * Hosts: opening a device with all that its adapter grants, taking over an application's, closing. */
#include "host/host.h"

#define TL_REQUEST_NS 60000000000u
#define TL_CLOSE_NS 60000000000u
#define TL_WANTED_MAX 32

/* ---- Callbacks that live as long as the device --------------------------------------------------- */

static void on_lost(WGPUDevice const *device, WGPUDeviceLostReason reason, WGPUStringView message, void *user,
                    void *unused)
{
    (void)device;
    (void)reason;
    (void)unused;
    telar_host *host = user;
    if (host->lost) return;
    host->lost = true;
    tl_view_copy(host->lost_text, sizeof host->lost_text, message);
}

static void on_uncaptured(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message, void *user,
                          void *unused)
{
    (void)device;
    (void)type;
    (void)unused;
    telar_host *host = user;
    if (host->uncaptured) return;
    host->uncaptured = true;
    tl_view_copy(host->uncaptured_text, sizeof host->uncaptured_text, message);
}

/* ---- Asking for a device ------------------------------------------------------------------------- */

/* What Dawn reads behind this number: names of switches to turn on and off. */
#define TL_DAWN_TOGGLES ((WGPUSType)0x0005000a)

typedef struct dawn_toggles {
    WGPUChainedStruct chain;
    size_t enabled_count;
    const char *const *enabled;
    size_t disabled_count;
    const char *const *disabled;
} dawn_toggles;

/* Timestamps in steps of 65.5 us keep web pages from watching each other; here they only blur measurements. */
static const char *const dawn_off[] = {"timestamp_quantization"};

typedef struct device_request {
    bool pending;
    WGPUDevice device;
    char text[512];
} device_request;

static void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message, void *user,
                      void *unused)
{
    (void)unused;
    device_request *request = user;
    request->pending = false;
    request->device = status == WGPURequestDeviceStatus_Success ? device : NULL;
    tl_view_copy(request->text, sizeof request->text, message);
}

static void request_device(telar_host *host, WGPUAdapter adapter, const WGPUDeviceDescriptor *descriptor,
                           device_request *request)
{
    *request = (device_request){.pending = true};
    host->webgpu->AdapterRequestDevice(adapter, descriptor,
                                       (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                                       .callback = on_device,
                                                                       .userdata1 = request});
    tl_patience patience = tl_patience_begin(TL_REQUEST_NS);
    while (request->pending) {
        host->webgpu->InstanceProcessEvents(host->instance);
        if (request->pending && !tl_patience_step(&patience)) return;
    }
}

/* All limits of the adapter and the features that Telar uses, or the default limits. */
static telar_status create_device(telar_host *host, WGPUAdapter adapter, bool default_limits, telar_diag *diag)
{
    tl_limits_room room = tl_limits_undefined();
    if (!default_limits && host->webgpu->AdapterGetLimits(adapter, &room.limits) != WGPUStatus_Success) {
        return tl_fail(diag, TELAR_NO_DEVICE, "the adapter '%s' does not tell its limits", host->info.adapter);
    }
    WGPUSupportedFeatures listed = {0};
    host->webgpu->AdapterGetFeatures(adapter, &listed);
    WGPUFeatureName wanted[TL_WANTED_MAX];
    size_t count = tl_features_wanted(host->webgpu, &listed, wanted, TL_WANTED_MAX);
    host->webgpu->SupportedFeaturesFreeMembers(listed);

    dawn_toggles toggles = {
        .chain = {.sType = TL_DAWN_TOGGLES}, .disabled_count = TL_COUNT(dawn_off), .disabled = dawn_off};
    bool dawn = host->webgpu->implementation == TELAR_IMPLEMENTATION_DAWN;
    WGPUDeviceDescriptor descriptor = {
        .nextInChain = dawn ? &toggles.chain : NULL,
        .requiredFeatureCount = count,
        .requiredFeatures = wanted,
        .requiredLimits = &room.limits,
        .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_lost, .userdata1 = host},
        .uncapturedErrorCallbackInfo = {.callback = on_uncaptured, .userdata1 = host},
    };
    device_request request;
    request_device(host, adapter, &descriptor, &request);
    if (request.device == NULL) {
        return tl_fail(diag, TELAR_NO_DEVICE, "the adapter '%s' gives no device: %s", host->info.adapter,
                       request.text[0] != '\0' ? request.text : "no reason was given");
    }
    host->device = request.device;
    return TELAR_OK;
}

/* ---- Learning what a device can do --------------------------------------------------------------- */

static telar_status learn(telar_host *host, telar_diag *diag)
{
    const telar_webgpu *webgpu = host->webgpu;
    host->queue = webgpu->DeviceGetQueue(host->device);
    tl_limits_room room = tl_limits_undefined();
    if (host->queue == NULL || webgpu->DeviceGetLimits(host->device, &room.limits) != WGPUStatus_Success) {
        return tl_fail(diag, TELAR_NO_DEVICE, "the device does not tell its limits");
    }
    host->facts = telar_facts_default();
    host->facts.limits = tl_limits_from(&room);
    host->facts.type = host->info.type;
    tl_view_copy(host->facts.device, sizeof host->facts.device, tl_view(host->info.adapter));
    if (tl_vendor_has_progress(&host->info)) {
        telar_facts_set(&host->facts, TELAR_FACT_FORWARD_PROGRESS, 1, TELAR_SOURCE_TABLE);
    }

    WGPUSupportedFeatures listed = {0};
    webgpu->DeviceGetFeatures(host->device, &listed);
    host->features = tl_features_from(webgpu, &listed);
    webgpu->SupportedFeaturesFreeMembers(listed);

    host->tick_ns = 1.0;
    if (webgpu->QueueGetTimestampPeriod != NULL && (host->features & TL_FEATURE_TIMESTAMPS)) {
        host->tick_ns = (double)webgpu->QueueGetTimestampPeriod(host->queue);
    } else if (webgpu->implementation == TELAR_IMPLEMENTATION_WGPU) {
        host->features &= ~(uint32_t)TL_FEATURE_TIMESTAMPS; /* ticks of unknown length are no time */
    }
    return TELAR_OK;
}

/* The adapter's own claim, as the probe takes it. */
static WGPUAdapterInfo adapter_claims(const telar_host *host, WGPUAdapter adapter)
{
    WGPUAdapterInfo info = {0};
    if (adapter != NULL) {
        host->webgpu->AdapterGetInfo(adapter, &info);
    } else if (host->webgpu->implementation == TELAR_IMPLEMENTATION_DAWN &&
               host->webgpu->DeviceGetAdapterInfo != NULL) { /* wgpu-native's ends the process */
        host->webgpu->DeviceGetAdapterInfo(host->device, &info);
    }
    return info;
}

static telar_host *make_host(const telar_webgpu *webgpu, const telar_alloc *alloc)
{
    telar_alloc own = tl_alloc_or_malloc(alloc);
    telar_host *host = tl_take(&own, 1, sizeof *host);
    if (host == NULL) return NULL;
    host->webgpu = webgpu;
    host->alloc = own;
    return host;
}

static telar_status open_adapter(telar_host *host, const telar_host_desc *desc, telar_diag *diag)
{
    host->instance = tl_instance_create(host->webgpu);
    if (host->instance == NULL) return tl_fail(diag, TELAR_NO_DEVICE, "the WebGPU library gives no instance");
    WGPUAdapter adapter;
    TELAR_TRY(tl_adapter_get(host->webgpu, host->instance, desc->adapter_chosen ? &desc->adapter_index : NULL, &adapter,
                             &host->info, diag));
    WGPUAdapterInfo claims = adapter_claims(host, adapter);
    telar_status status = create_device(host, adapter, desc->default_limits, diag);
    if (status == TELAR_OK) status = learn(host, diag);
    if (status == TELAR_OK) status = tl_probe(host, &claims, diag);
    host->webgpu->AdapterInfoFreeMembers(claims);
    host->webgpu->AdapterRelease(adapter);
    return status;
}

telar_status telar_host_open(const telar_host_desc *desc, telar_host **host, telar_diag *diag)
{
    *host = NULL;
    telar_host *made = make_host(desc->webgpu, &desc->alloc);
    if (made == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a host");
    made->owns_device = true;
    made->trusted_modules = desc->trusted_modules;
    telar_status status = open_adapter(made, desc, diag);
    if (status != TELAR_OK) {
        telar_host_close(made);
        return status;
    }
    *host = made;
    return TELAR_OK;
}

telar_status telar_host_from_device(const telar_webgpu *webgpu, WGPUInstance instance, WGPUDevice device,
                                    const telar_alloc *alloc, telar_host **host, telar_diag *diag)
{
    *host = NULL;
    if (device == NULL) return tl_fail(diag, TELAR_INVALID_ARGUMENT, "the device is NULL");
    if (instance == NULL && webgpu->DevicePoll == NULL) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "the instance is NULL; only wgpu-native lets callbacks run without it");
    }
    telar_host *made = make_host(webgpu, alloc);
    if (made == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a host");
    made->instance = instance;
    made->device = device;
    webgpu->DeviceAddRef(device);
    WGPUAdapterInfo claims = adapter_claims(made, NULL);
    tl_describe_adapter(webgpu, &claims, &made->info);
    telar_status status = learn(made, diag);
    if (status == TELAR_OK) {
        status = tl_buffer_make(made, 4, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, false, &made->canary.buffer,
                                diag);
    }
    if (status == TELAR_OK) status = tl_probe(made, &claims, diag);
    webgpu->AdapterInfoFreeMembers(claims);
    if (status != TELAR_OK) {
        telar_host_close(made);
        return status;
    }
    *host = made;
    return TELAR_OK;
}

/* ---- Closing ------------------------------------------------------------------------------------- */

/* Callbacks hold the host: they run before it goes. False when a device answers nothing any more. */
static bool settle(telar_host *host)
{
    tl_patience patience = tl_patience_begin(TL_CLOSE_NS);
    while (host->callbacks > 0 && host->device != NULL) {
        tl_poll(host);
        if (host->callbacks > 0 && (host->lost || !tl_patience_step(&patience))) break;
    }
    return host->callbacks == 0;
}

void telar_host_close(telar_host *host)
{
    if (host == NULL) return;
    const telar_webgpu *webgpu = host->webgpu;
    bool settled = settle(host);
    for (int k = 0; k < TL_STAGING_COUNT; k++) {
        tl_staging_drop(host, &host->uploads[k]);
        tl_staging_drop(host, &host->downloads[k]);
    }
    tl_staging_drop(host, &host->canary);
    tl_pool_drop(host);
    tl_pipelines_drop(host);
    if (host->queue != NULL) webgpu->QueueRelease(host->queue);
    if (host->device != NULL) webgpu->DeviceRelease(host->device);
    if (host->owns_device && host->instance != NULL) {
        webgpu->InstanceProcessEvents(host->instance);
        webgpu->InstanceRelease(host->instance);
    }
    /* A callback of an application's instance may still come: better a leak than a write into freed memory. */
    if (!settled && !host->owns_device) return;
    telar_alloc alloc = host->alloc;
    tl_give(&alloc, host, 1, sizeof *host);
}

/* ---- Asking -------------------------------------------------------------------------------------- */

const telar_facts *telar_host_facts(const telar_host *host)
{
    return &host->facts;
}

const telar_adapter_info *telar_host_adapter(const telar_host *host)
{
    return &host->info;
}

telar_dialect telar_host_dialect(const telar_host *host)
{
    return host->dialect;
}

WGPUDevice telar_host_device(const telar_host *host)
{
    return host->device;
}

WGPUQueue telar_host_queue(const telar_host *host)
{
    return host->queue;
}

double telar_host_time_quantum_ns(const telar_host *host)
{
    return host->quantum_ns;
}
