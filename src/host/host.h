/* SPDX-License-Identifier: MIT
 *
 * What the files of the host share. Every WebGPU object here belongs to exactly one struct and is released with it. */
#ifndef TL_HOST_HOST_H
#define TL_HOST_HOST_H

#include <telar/host.h>

#include "base/base.h"
#include "record/reader.h"

/* ---- The system: system.c ---------------------------------------------------------------------- */

void *tl_library_open(const char *path);
void *tl_library_symbol(void *library, const char *name);
void tl_library_close(void *library);
const char *tl_library_error(void); /* why this thread's last open failed; never NULL */
uint64_t tl_now_ns(void);
void tl_yield(void);
void tl_sleep_ns(uint64_t ns);
const char *tl_environment(const char *name);

/* ---- Features: one bit each, whatever number an implementation gives them ------------------------ */

typedef enum tl_feature {
    TL_FEATURE_TIMESTAMPS = 1u << 0,
    TL_FEATURE_F16 = 1u << 1,
    TL_FEATURE_SUBGROUPS = 1u << 2,
    TL_FEATURE_IMMEDIATES = 1u << 3,
    TL_FEATURE_SUBGROUP_BARRIER = 1u << 4,
    TL_FEATURE_INT64 = 1u << 5,
    TL_FEATURE_INT64_ATOMICS = 1u << 6,
} tl_feature;

/* A WGPULimits with room behind it: Dawn of 2025 writes four fields more than the header has. All bits set means
 * "undefined" for every field, wherever it is. */
typedef union tl_limits_room {
    WGPULimits limits;
    uint32_t words[sizeof(WGPULimits) / 4 + 32];
} tl_limits_room;

/* ---- Growing arrays and memory: memory.c --------------------------------------------------------- */

void *tl_take(const telar_alloc *alloc, size_t count, size_t size); /* zeroed; NULL when there is none */
void tl_give(const telar_alloc *alloc, void *memory, size_t count, size_t size);
/* Room for one more item at the end of an array of `count`; false when there is no memory. */
bool tl_grow(const telar_alloc *alloc, void **items, size_t count, size_t *cap, size_t size);
telar_alloc tl_alloc_or_malloc(const telar_alloc *alloc);

/* ---- Pool ---------------------------------------------------------------------------------------- */

typedef struct tl_pooled {
    WGPUBuffer buffer;
    uint64_t size_bytes;
} tl_pooled;

typedef struct tl_pool {
    tl_pooled *items; /* free buffers, the longest unused first */
    size_t count;
    size_t cap;
    uint64_t bytes;
} tl_pool;

/* ---- Pipelines ----------------------------------------------------------------------------------- */

#define TL_GROUPS_MAX 16 /* of bind groups in a pipeline; no implementation grants more than 8 */

typedef struct tl_pipeline {
    uint64_t hash;
    uint8_t *key; /* text, entry, bindings, parameters, overrides */
    size_t key_bytes;
    uint32_t users; /* prepared recordings that hold it */
    uint64_t last_use;
    WGPUComputePipeline handle;
    WGPUBindGroupLayout groups[TL_GROUPS_MAX];
    uint32_t groups_count;
} tl_pipeline;

typedef struct tl_pipeline_cache {
    tl_pipeline **items;
    size_t count;
    size_t cap;
    uint64_t clock;
} tl_pipeline_cache;

/* ---- Transfers ----------------------------------------------------------------------------------- */

typedef struct tl_map {
    volatile bool pending;
    WGPUMapAsyncStatus status;
    char text[256];
} tl_map;

/* A mappable buffer that moves a chunk. */
typedef struct tl_staging {
    WGPUBuffer buffer;
    uint64_t size_bytes;
    bool mapped;
    tl_map map;
} tl_staging;

#define TL_STAGING_COUNT 2

/* ---- Host ---------------------------------------------------------------------------------------- */

#define TL_SCOPES 3

typedef struct tl_scope_result {
    bool pending;
    uint32_t round;
    WGPUErrorType type;
} tl_scope_result;

struct telar_host {
    const telar_webgpu *webgpu;
    telar_alloc alloc;
    WGPUInstance instance;
    WGPUDevice device;
    WGPUQueue queue;
    bool owns_device; /* and the instance */
    bool trusted_modules;

    telar_adapter_info info;
    telar_facts facts;
    telar_dialect dialect;
    uint32_t features; /* tl_feature, or-ed */
    double tick_ns;
    double quantum_ns;

    bool lost;
    char lost_text[512];
    bool uncaptured; /* an error outside of all scopes, reported by the next wait */
    char uncaptured_text[512];

    tl_scope_result scopes[TL_SCOPES];
    uint32_t scope_round;
    char scope_text[TELAR_DIAG_TEXT_BYTES];

    uint64_t pending_bytes; /* written to the queue since the latest submission */
    uint64_t submitted;     /* number of the latest submission */
    uint64_t asked;         /* the latest whose end was asked for */
    uint64_t done;          /* the latest known to be done */
    uint32_t asks;          /* without an answer yet */
    bool done_failed;
    uint32_t callbacks; /* outstanding, with this host as their data */

    tl_pool pool;
    tl_pipeline_cache pipelines;
    tl_staging uploads[TL_STAGING_COUNT];
    tl_staging downloads[TL_STAGING_COUNT];
    tl_staging canary; /* of a device that is not ours: mapping it tells whether the device lives */
};

#define TL_BUFFER_USAGE                                                                                                \
    (WGPUBufferUsage_Storage | WGPUBufferUsage_Uniform | WGPUBufferUsage_Indirect | WGPUBufferUsage_CopySrc |          \
     WGPUBufferUsage_CopyDst)

WGPUStringView tl_view(const char *zero_terminated);
/* At most cap - 1 bytes, zero-terminated, without blanks at the end; NULL data is empty. */
void tl_view_copy(char *to, size_t cap, WGPUStringView from);

/* ---- Waiting and errors: wait.c ------------------------------------------------------------------ */

/* Lets callbacks run. Never blocks. */
void tl_poll(telar_host *host);

/* Steps of a wait: yields at first, then sleeps longer and longer. False once the deadline has passed. */
typedef struct tl_patience {
    uint64_t start_ns;
    uint64_t timeout_ns; /* 0: none */
} tl_patience;
tl_patience tl_patience_begin(uint64_t timeout_ns);
bool tl_patience_step(const tl_patience *patience);

/* Error scopes around creations. Each begin has one end, which gives the worst error of what lies between. */
void tl_scope_begin(telar_host *host);
telar_status tl_scope_end(telar_host *host, telar_status on_rejection, const char *what, telar_diag *diag);
telar_status tl_lost(const telar_host *host, telar_diag *diag);

void tl_map_begin(telar_host *host, tl_map *map, WGPUBuffer buffer, WGPUMapMode mode, uint64_t size_bytes);
telar_status tl_map_wait(telar_host *host, tl_map *map, uint64_t timeout_ns, telar_diag *diag);
/* Before the memory of a map goes away: its callback has run. */
void tl_map_settle(telar_host *host, tl_map *map);

/* OK, or DEVICE_LOST: also for a device without a lost callback of ours. */
telar_status tl_alive(telar_host *host, telar_diag *diag);

/* Finishes and submits an encoder, or drops it and says why. Releases it. */
telar_status tl_submit(telar_host *host, WGPUCommandEncoder encoder, telar_diag *diag);

/* ---- Devices: device.c, adapters.c, probe.c ------------------------------------------------------ */

WGPUInstance tl_instance_create(const telar_webgpu *webgpu);
/* The adapter with this index, or with chosen NULL the default: the first discrete, else integrated, else CPU adapter.
 * The caller releases it. */
telar_status tl_adapter_get(const telar_webgpu *webgpu, WGPUInstance instance, const uint32_t *chosen,
                            WGPUAdapter *adapter, telar_adapter_info *info, telar_diag *diag);
/* tl_feature bits of a list, and the numbers of those in it that Telar uses. */
uint32_t tl_features_from(const telar_webgpu *webgpu, const WGPUSupportedFeatures *list);
size_t tl_features_wanted(const telar_webgpu *webgpu, const WGPUSupportedFeatures *list, WGPUFeatureName *wanted,
                          size_t cap);
tl_limits_room tl_limits_undefined(void);
telar_limits tl_limits_from(const tl_limits_room *room);
void tl_describe_adapter(const telar_webgpu *webgpu, const WGPUAdapterInfo *from, telar_adapter_info *info);
/* Whether a workgroup that has begun goes on while others wait for it, on the GPUs of this vendor. */
bool tl_vendor_has_progress(const telar_adapter_info *info);

telar_status tl_probe(telar_host *host, const WGPUAdapterInfo *adapter, telar_diag *diag);

/* ---- Pool: pool.c -------------------------------------------------------------------------------- */

telar_status tl_buffer_make(telar_host *host, uint64_t size_bytes, WGPUBufferUsage usage, bool mapped,
                            WGPUBuffer *buffer, telar_diag *diag);
/* As telar_host_buffer_create, but the clearing of a used buffer goes into the encoder. */
telar_status tl_pool_take(telar_host *host, uint64_t size_bytes, bool scratch, WGPUCommandEncoder encoder,
                          WGPUBuffer *buffer, telar_diag *diag);
void tl_pool_put(telar_host *host, WGPUBuffer buffer);
void tl_pool_drop(telar_host *host);
void tl_staging_drop(telar_host *host, tl_staging *staging);

/* ---- Pipelines: pipeline.c ----------------------------------------------------------------------- */

/* hazards.c: a valid text on which this implementation would end the process is SHADER_REJECTED. */
telar_status tl_hazards_check(telar_host *host, tl_str text, telar_diag *diag);
telar_status tl_pipeline_get(telar_host *host, const tl_op_kernel *kernel, bool trusted, tl_pipeline **pipeline,
                             telar_diag *diag);
/* Bytes of the uniform that carries a dispatch's parameters. */
uint64_t tl_params_bytes(const tl_op_kernel *kernel);
uint64_t tl_params_stride(const telar_host *host, const tl_op_kernel *kernel);
void tl_pipelines_drop(telar_host *host);

/* ---- Prepared recordings: prepare.c, steps.c, run.c, timing.c ------------------------------------- */

typedef enum tl_step_code {
    TL_STEP_BEGIN, /* a compute pass */
    TL_STEP_PIPELINE,
    TL_STEP_GROUP,
    TL_STEP_IMMEDIATES,
    TL_STEP_DISPATCH,
    TL_STEP_DISPATCH_INDIRECT,
    TL_STEP_END,
    TL_STEP_COPY,
    TL_STEP_CLEAR,
    TL_STEP_RESOLVE,
} tl_step_code;

#define TL_QUERIES_MAX 4096 /* in a query set */
#define TL_NO_QUERY WGPU_QUERY_SET_INDEX_UNDEFINED

typedef struct tl_step {
    tl_step_code code;
    union {
        struct {
            uint32_t first_query; /* TL_NO_QUERY: none */
            uint32_t last_query;
        } begin;
        WGPUComputePipeline pipeline;
        struct {
            WGPUBindGroup handle;
            uint32_t index;
        } group;
        struct {
            uint32_t first_word;
            uint32_t size_bytes;
        } immediates;
        struct {
            uint32_t x, y, z;
        } dispatch;
        struct {
            WGPUBuffer buffer;
            uint64_t offset_bytes;
        } indirect;
        struct {
            WGPUBuffer from, to;
            uint64_t from_bytes, to_bytes, size_bytes;
        } copy;
        struct {
            WGPUBuffer buffer;
            uint64_t offset_bytes, size_bytes;
        } clear;
        struct {
            uint32_t count;
        } resolve;
    };
} tl_step;

typedef struct tl_prepared_buffer {
    WGPUBuffer handle;
    uint64_t size_bytes; /* as the recording says */
    bool from_pool;
    bool written;          /* by some command */
    WGPUBufferUsage needs; /* of all commands */
} tl_prepared_buffer;

typedef struct tl_download {
    uint64_t offset_bytes; /* in the read-back buffer */
    uint64_t size_bytes;
} tl_download;

/* Between two marks. */
typedef struct tl_span {
    uint32_t first_query; /* TL_NO_QUERY: no work */
    uint32_t last_query;
    bool untimed; /* more spans than a query set has room for */
} tl_span;

typedef struct tl_group_made {
    uint64_t hash;
    WGPUBindGroup handle;
    uint8_t *key;
    size_t key_bytes;
} tl_group_made;

struct telar_prepared {
    telar_host *host;

    tl_prepared_buffer *buffers; /* by id - 1 */
    size_t buffers_count;
    tl_pipeline **pipelines; /* by id - 1 */
    size_t pipelines_count;
    telar_recording recording; /* a copy: rebinding walks it again */
    tl_op_kernel *kernels;     /* by id - 1; views into it */
    uint32_t marks;
    bool broken; /* rebinding failed and its own bindings could not be made again: it never runs */

    tl_group_made *groups;
    size_t groups_count, groups_cap;
    tl_step *steps;
    size_t steps_count, steps_cap;
    uint32_t *words; /* immediates */
    size_t words_count, words_cap;

    WGPUBuffer params;
    WGPUBuffer uploads;

    tl_download *downloads;
    size_t downloads_count, downloads_cap;
    tl_span *spans;
    size_t spans_count, spans_cap;
    uint32_t queries_count;
    WGPUQuerySet queries;
    WGPUBuffer resolved;
    uint64_t times_bytes; /* where the timestamps begin in the read-back buffer */

    WGPUBuffer readback;
    uint64_t readback_bytes;
    bool mapped;
    tl_map map;
    bool encoded; /* it was encoded or submitted at least once */
    uint64_t submission;
};

telar_status tl_prepare(telar_host *host, telar_recording recording, const telar_bound_buffer *bound,
                        uint32_t bound_count, bool trusted, telar_prepared **prepared, telar_diag *diag);
/* Turns the commands into steps: elides what is set already, opens and closes passes, places time marks. */
telar_status tl_steps_make(telar_prepared *prepared, telar_diag *diag);
/* Empties what tl_steps_make made. */
void tl_steps_drop(telar_prepared *prepared);
void tl_encode(const telar_prepared *prepared, WGPUCommandEncoder encoder);

#endif
