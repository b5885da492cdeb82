/* SPDX-License-Identifier: MIT
 *
 * telar/host.h: devices. The only part of Telar that touches WebGPU.
 *
 * All calls go through one table of function pointers, filled from a shared library loaded at run time
 * (telar_webgpu_load) or from the functions that the application links itself (telar_webgpu_linked). One process may
 * use several implementations side by side.
 *
 * Words of webgpu.h are kept: a handle passed in stays the caller's, a handle created here is released here.
 *
 * Threads: a host and all that comes from it (buffers, prepared recordings) belong to one thread at a time: any thread
 * may call, never two at once, whatever the calls are. Hosts are independent of each other: each thread may have its
 * own, of the same table or of another. An application's device passed to telar_host_from_device counts as part of the
 * host while a call on the host runs. Callbacks of WebGPU run only inside calls on the host that they belong to, or
 * while the application processes events of its own instance.
 * Let threads open and close theirs one after the other: of 24 runs in which three threads each opened, used and closed
 * a host at once, 5 hung in NVIDIA's driver (580.159.04, wgpu-native 29.0.1.1, H200).
 *
 * Errors: every creation runs inside error scopes; a call that WebGPU rejects is a status with the implementation's
 * message in diag->text, cut to fit, and nothing invalid reaches a queue. Every fallible call below may give
 *   DEVICE_LOST        as will every later call on that host; close it and open another: recordings run there unchanged
 *   OUT_OF_MEMORY      of the device or of the CPU; the host works on
 *   VALIDATION_FAILED  the implementation rejected a call that Telar's own checks let through
 *   TIMED_OUT          the device answers nothing any more
 * and names what else it gives.
 *
 * Example: a recording on the first good device
 *     telar_webgpu webgpu;
 *     telar_host *host;
 *     telar_prepared *prepared;
 *     telar_webgpu_load(NULL, &webgpu, &diag);
 *     telar_host_open(&(telar_host_desc){.webgpu = &webgpu}, &host, &diag);
 *     telar_host_prepare(host, recording, NULL, 0, &prepared, &diag);
 *     telar_prepared_run(prepared, &diag);
 *     telar_prepared_release(prepared);
 *     telar_host_close(host);
 */
#ifndef TELAR_HOST_H
#define TELAR_HOST_H

#include <webgpu/webgpu.h>

#include <telar/base.h>
#include <telar/facts.h>
#include <telar/record.h>
#include <telar/weave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* X(name): the functions of webgpu.h that Telar calls, without their prefix. */
#define TELAR_WEBGPU_LIST(X)                                                                                           \
    X(CreateInstance)                                                                                                  \
    X(InstanceProcessEvents)                                                                                           \
    X(InstanceRelease)                                                                                                 \
    X(InstanceRequestAdapter)                                                                                          \
    X(AdapterGetFeatures)                                                                                              \
    X(AdapterGetInfo)                                                                                                  \
    X(AdapterGetLimits)                                                                                                \
    X(AdapterInfoFreeMembers)                                                                                          \
    X(AdapterRelease)                                                                                                  \
    X(AdapterRequestDevice)                                                                                            \
    X(BindGroupLayoutRelease)                                                                                          \
    X(BindGroupRelease)                                                                                                \
    X(BufferAddRef)                                                                                                    \
    X(BufferDestroy)                                                                                                   \
    X(BufferGetConstMappedRange)                                                                                       \
    X(BufferGetMappedRange)                                                                                            \
    X(BufferGetSize)                                                                                                   \
    X(BufferGetUsage)                                                                                                  \
    X(BufferMapAsync)                                                                                                  \
    X(BufferRelease)                                                                                                   \
    X(BufferUnmap)                                                                                                     \
    X(CommandBufferRelease)                                                                                            \
    X(CommandEncoderBeginComputePass)                                                                                  \
    X(CommandEncoderClearBuffer)                                                                                       \
    X(CommandEncoderCopyBufferToBuffer)                                                                                \
    X(CommandEncoderFinish)                                                                                            \
    X(CommandEncoderRelease)                                                                                           \
    X(CommandEncoderResolveQuerySet)                                                                                   \
    X(ComputePassEncoderDispatchWorkgroups)                                                                            \
    X(ComputePassEncoderDispatchWorkgroupsIndirect)                                                                    \
    X(ComputePassEncoderEnd)                                                                                           \
    X(ComputePassEncoderRelease)                                                                                       \
    X(ComputePassEncoderSetBindGroup)                                                                                  \
    X(ComputePassEncoderSetPipeline)                                                                                   \
    X(ComputePipelineRelease)                                                                                          \
    X(DeviceCreateBindGroup)                                                                                           \
    X(DeviceCreateBindGroupLayout)                                                                                     \
    X(DeviceCreateBuffer)                                                                                              \
    X(DeviceCreateCommandEncoder)                                                                                      \
    X(DeviceCreateComputePipeline)                                                                                     \
    X(DeviceCreatePipelineLayout)                                                                                      \
    X(DeviceCreateQuerySet)                                                                                            \
    X(DeviceCreateShaderModule)                                                                                        \
    X(DeviceDestroy)                                                                                                   \
    X(DeviceGetFeatures)                                                                                               \
    X(DeviceGetLimits)                                                                                                 \
    X(DeviceGetQueue)                                                                                                  \
    X(DevicePopErrorScope)                                                                                             \
    X(DevicePushErrorScope)                                                                                            \
    X(DeviceAddRef)                                                                                                    \
    X(DeviceRelease)                                                                                                   \
    X(PipelineLayoutRelease)                                                                                           \
    X(QuerySetDestroy)                                                                                                 \
    X(QuerySetRelease)                                                                                                 \
    X(QueueOnSubmittedWorkDone)                                                                                        \
    X(QueueRelease)                                                                                                    \
    X(QueueSubmit)                                                                                                     \
    X(QueueWriteBuffer)                                                                                                \
    X(ShaderModuleRelease)                                                                                             \
    X(SupportedFeaturesFreeMembers)

typedef enum telar_implementation {
    TELAR_IMPLEMENTATION_UNKNOWN = 0,
    TELAR_IMPLEMENTATION_WGPU = 1, /* wgpu-native */
    TELAR_IMPLEMENTATION_DAWN = 2,
} telar_implementation;

typedef struct telar_webgpu {
#define TELAR_WEBGPU_FIELD(name) WGPUProc##name name;
    TELAR_WEBGPU_LIST(TELAR_WEBGPU_FIELD)
#undef TELAR_WEBGPU_FIELD
    /* Beyond the standard header, NULL where an implementation lacks them; filled by name. */
    void (*ComputePassEncoderSetImmediates)(WGPUComputePassEncoder, uint32_t, void const *, size_t);
    WGPUStatus (*DeviceGetAdapterInfo)(WGPUDevice, WGPUAdapterInfo *);
    WGPUBool (*DevicePoll)(WGPUDevice, WGPUBool, void const *);                              /* wgpu-native */
    float (*QueueGetTimestampPeriod)(WGPUQueue);                                             /* wgpu-native */
    uint32_t (*GetVersion)(void);                                                            /* wgpu-native */
    void (*DeviceTick)(WGPUDevice);                                                          /* Dawn */
    size_t (*InstanceEnumerateAdapters)(WGPUInstance, void const *, WGPUAdapter *);          /* wgpu-native */
    WGPUShaderModule (*DeviceCreateShaderModuleTrusted)(WGPUDevice, void const *, uint64_t); /* wgpu-native */
    telar_implementation implementation;
    void *library; /* of telar_webgpu_load */
    char path[512];
} telar_webgpu;

/* Loads a library. path NULL: the environment's TELAR_WEBGPU, then the usual names of the platform's loader.
 * NO_LIBRARY says what was tried, and which function was missing; then *webgpu is zero. */
TELAR_API telar_status telar_webgpu_load(const char *path, telar_webgpu *webgpu, telar_diag *diag);
/* After the last host of this table is closed. A table that was filled by hand is only zeroed. */
TELAR_API void telar_webgpu_unload(telar_webgpu *webgpu);
/* Fills a table by any function that looks names up (as dlsym), and finds out the implementation. NO_LIBRARY names the
 * first function that is missing. */
TELAR_API telar_status telar_webgpu_fill(telar_webgpu *webgpu, void *(*look_up)(void *user, const char *name),
                                         void *user, telar_diag *diag);

#ifdef TELAR_WEBGPU_LINKED
/* Define TELAR_WEBGPU_LINKED before including this header in an application that links a WebGPU library itself. The
 * functions beyond the standard header stay NULL; the application may set them. Without QueueGetTimestampPeriod a host
 * has no GPU time on wgpu-native. */
static inline telar_webgpu telar_webgpu_linked(telar_implementation implementation)
{
    telar_webgpu webgpu = {0};
#define TELAR_WEBGPU_LINK(name) webgpu.name = wgpu##name;
    TELAR_WEBGPU_LIST(TELAR_WEBGPU_LINK)
#undef TELAR_WEBGPU_LINK
    webgpu.implementation = implementation;
    return webgpu;
}
#endif

/* ---- Adapters ---------------------------------------------------------------------------------------------------- */

typedef struct telar_adapter_info {
    char name[128];    /* "wgpu:0" */
    char adapter[128]; /* the device's own name */
    char driver[256];
    char version[64]; /* of the implementation */
    telar_implementation implementation;
    const char *backend; /* "vulkan" */
    telar_device_type type;
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t index; /* within its implementation */
    bool usable;
    char why_not[256];
} telar_adapter_info;

/* Lists the adapters (those that compute nothing, as Dawn's null backend, as not usable). *count: in the room, out the
 * number there are; NO_SPACE when there are more. No device is created. NO_DEVICE: the library gives no instance; no
 * adapter at all is OK with a count of 0. OpenGL's are left out: they repeat a device with smaller limits. */
TELAR_API telar_status telar_host_adapters(const telar_webgpu *webgpu, telar_adapter_info *adapters, size_t *count,
                                           telar_diag *diag);

/* ---- Hosts ------------------------------------------------------------------------------------------------------- */

typedef struct telar_host telar_host;

/* The host's memory on the CPU. NULL functions: malloc and free. */
typedef struct telar_alloc {
    void *(*alloc)(void *user, size_t size_bytes);
    void (*free)(void *user, void *memory, size_t size_bytes);
    void *user;
} telar_alloc;

typedef struct telar_host_desc {
    const telar_webgpu *webgpu;
    uint32_t adapter_index; /* with adapter_chosen */
    bool adapter_chosen;    /* false: the first discrete, else integrated, else CPU adapter */
    bool default_limits;    /* ask for WebGPU's default limits instead of all the adapter has */
    bool trusted_modules;   /* Telar's own kernels: no bounds checks, where an implementation can do that by module
                                (wgpu-native), for what telar_host_prepare_trusted prepares */
    telar_alloc alloc;
} telar_host_desc;

/* Opens a device with the adapter's limits and the features that Telar uses, proves it by running a kernel and reading
 * the result, and probes its subgroup size and dialect. *webgpu must outlive the host. NO_DEVICE: there is no such
 * adapter, none that computes, or it does not compute what it should. A device of wgpu-native that is opened here does not
 * look at the words of indirect dispatches that the application encodes on it by itself. */
TELAR_API telar_status telar_host_open(const telar_host_desc *desc, telar_host **host, telar_diag *diag);
/* The same around a device that the application made; it stays the application's, and so do its error callbacks. The
 * instance is the device's own, and must outlive the host; it may be NULL only for wgpu-native, whose poll needs none
 * (INVALID_ARGUMENT). What the application enabled is what the host can use: no timestamps without that feature. Give a
 * device of wgpu-native a lost callback: its default one ends the process. */
TELAR_API telar_status telar_host_from_device(const telar_webgpu *webgpu, WGPUInstance instance, WGPUDevice device,
                                              const telar_alloc *alloc, telar_host **host, telar_diag *diag);
/* After all that came from it is released. Waits for callbacks that are still to come. NULL is allowed. */
TELAR_API void telar_host_close(telar_host *host);

/* The created device's limits, its type and name, and its subgroup range: from the adapter where it gives one, else as
 * probed. All of these live as long as the host. */
TELAR_API const telar_facts *telar_host_facts(const telar_host *host);
TELAR_API const telar_adapter_info *telar_host_adapter(const telar_host *host);
TELAR_API telar_dialect telar_host_dialect(const telar_host *host);
TELAR_API WGPUDevice telar_host_device(const telar_host *host);
TELAR_API WGPUQueue telar_host_queue(const telar_host *host);
/* Quantum of GPU time in nanoseconds; 0: this device has no timestamps. 65536 on an application's own Dawn device,
 * whose clock is coarse unless it was told otherwise. */
TELAR_API double telar_host_time_quantum_ns(const telar_host *host);

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* A buffer of the host (storage, uniform, indirect, copies, all at once), all zero whoever had the memory before. The
 * size is rounded up to a multiple of 4, at least 4. LIMIT_EXCEEDED (maxBufferSize, in got and limit), OVERFLOWS. */
TELAR_API telar_status telar_host_buffer_create(telar_host *host, uint64_t size_bytes, WGPUBuffer *buffer,
                                                telar_diag *diag);
/* Back into the host's pool, for the next buffer of that size. Work that uses it may still run. NULL is allowed. */
TELAR_API void telar_host_buffer_release(telar_host *host, WGPUBuffer buffer);
/* Any offset and size, also of an application's buffer (copy usages needed: INVALID_ARGUMENT): the bytes beside the
 * range are kept. The data is copied before the call returns, and all later submissions see it. INVALID_ARGUMENT: past
 * the end of the buffer. UNSUPPORTED: the last bytes of a buffer whose size is no multiple of 4, which WebGPU cannot
 * copy. */
TELAR_API telar_status telar_host_write(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, const void *data,
                                        uint64_t size_bytes, telar_diag *diag);
/* Waits for all work submitted, then copies out. Any offset and size; statuses as telar_host_write. */
TELAR_API telar_status telar_host_read(telar_host *host, WGPUBuffer buffer, uint64_t offset_bytes, void *data,
                                       uint64_t size_bytes, telar_diag *diag);

/* ---- Recordings -------------------------------------------------------------------------------------------------- */

typedef struct telar_prepared telar_prepared;

/* The WGPUBuffer behind a bound buffer of a recording; yours or the host's. At least as large, with the usages that the
 * recording needs (storage, uniform, indirect, copies as used). */
typedef struct telar_bound_buffer {
    telar_buffer buffer;
    WGPUBuffer handle;
} telar_bound_buffer;

/* Verifies the recording against the device, compiles its kernels (kept in the host's cache by text), takes scratch
 * from the pool, makes bind groups and the upload data. The recording may go away afterwards; bound buffers are held,
 * and must not be destroyed or mapped while the prepared recording is in use. Two buffers of a recording may be the
 * same handle only if neither is written. SHADER_REJECTED (a kernel; with the implementation's message),
 * INVALID_RECORDING and LIMIT_EXCEEDED (of telar_recording_verify), INVALID_ARGUMENT (a bound buffer: missing, too
 * small, of wrong usage, twice, or not one of the recording's). */
TELAR_API telar_status telar_host_prepare(telar_host *host, telar_recording recording, const telar_bound_buffer *bound,
                                          uint32_t bound_count, telar_prepared **prepared, telar_diag *diag);
/* The same for a recording that this process has just built: those of its kernels that are the library's own (prim.h) run
 * without bounds checks, on a host that was opened with trusted_modules. Never for a recording that came from a file:
 * it may call any kernel the library's own. */
TELAR_API telar_status telar_host_prepare_trusted(telar_host *host, telar_recording recording,
                                                  const telar_bound_buffer *bound, uint32_t bound_count,
                                                  telar_prepared **prepared, telar_diag *diag);
/* Its work may still run. NULL is allowed. */
TELAR_API void telar_prepared_release(telar_prepared *prepared);

/* Other buffers for some of the bound ones; the rest stay. Nothing is compiled or verified again: it costs about what one
 * encode does. On failure (statuses as of telar_host_prepare) the bindings are as before. */
TELAR_API telar_status telar_prepared_rebind(telar_prepared *prepared, const telar_bound_buffer *bound,
                                             uint32_t bound_count, telar_diag *diag);

/* Encodes all commands into the caller's encoder, outside any pass, as often as wanted. Consecutive dispatches share a
 * pass. The caller submits, before it asks for downloads or times, and before it submits this recording in another way.
 */
TELAR_API telar_status telar_prepared_encode(telar_prepared *prepared, WGPUCommandEncoder encoder, telar_diag *diag);
/* Encodes and submits without waiting. */
TELAR_API telar_status telar_prepared_submit(telar_prepared *prepared, telar_diag *diag);
/* Submits and waits: submit, then telar_host_wait without a limit. */
TELAR_API telar_status telar_prepared_run(telar_prepared *prepared, telar_diag *diag);

/* OK: all work that was in the queue is done, an application's own submissions included; NOT_READY: not yet (diag is
 * left alone). Never blocks. VALIDATION_FAILED also reports an earlier error that nothing was there to catch. */
TELAR_API telar_status telar_host_ready(telar_host *host, telar_diag *diag);
/* Until telar_host_ready gives something else than NOT_READY. timeout 0: as long as it takes (the device may be lost
 * meanwhile, which ends the wait); else TIMED_OUT after it. */
TELAR_API telar_status telar_host_wait(telar_host *host, uint64_t timeout_ns, telar_diag *diag);

/* After the work is done: the bytes of a download, valid until the next submit, encode or release of this recording.
 * NOT_READY: it did not run yet, or still runs (an encoded one is waited for). NOT_FOUND: no such download. */
TELAR_API telar_status telar_prepared_download(telar_prepared *prepared, uint32_t download, const void **data,
                                               uint64_t *size_bytes, telar_diag *diag);
/* GPU time between the marks `mark` and `mark + 1` of the latest run, in nanoseconds, a multiple of the quantum: 0
 * means less than one. NOT_FOUND: no such pair of marks, or no work between them. UNSUPPORTED without timestamps.
 * LIMIT_EXCEEDED: only the first 2048 spans of a recording are timed. NOT_READY as for downloads. */
TELAR_API telar_status telar_prepared_time_ns(telar_prepared *prepared, uint32_t mark, double *ns, telar_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
