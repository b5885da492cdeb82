/* SPDX-License-Identifier: MIT
 *
 * Waiting and errors. Both native libraries have one way to wait in common: callbacks that run while events are
 * processed, and a loop around that. Everything asynchronous goes through here. */
#include "host/host.h"

#include <string.h>

/* ---- Patience ------------------------------------------------------------------------------------ */

#define TL_YIELD_NS 100000u /* a short wait yields: a dispatch takes microseconds */
#define TL_SLEEP_MIN_NS 50000u
#define TL_SLEEP_MAX_NS 1000000u

/* A driver that answers nothing at all for this long is taken for lost where the caller gave no limit. */
#define TL_ANSWER_NS 30000000000u

tl_patience tl_patience_begin(uint64_t timeout_ns)
{
    return (tl_patience){tl_now_ns(), timeout_ns};
}

bool tl_patience_step(const tl_patience *patience)
{
    uint64_t waited_ns = tl_now_ns() - patience->start_ns;
    if (patience->timeout_ns != 0 && waited_ns >= patience->timeout_ns) return false;
    if (waited_ns < TL_YIELD_NS) {
        tl_yield();
        return true;
    }
    uint64_t sleep_ns = waited_ns / 16;
    if (sleep_ns < TL_SLEEP_MIN_NS) sleep_ns = TL_SLEEP_MIN_NS;
    if (sleep_ns > TL_SLEEP_MAX_NS) sleep_ns = TL_SLEEP_MAX_NS;
    tl_sleep_ns(sleep_ns);
    return true;
}

void tl_poll(telar_host *host)
{
    if (host->webgpu->DevicePoll != NULL) {
        if (!host->lost) host->webgpu->DevicePoll(host->device, false, NULL);
    } else if (host->instance != NULL) {
        host->webgpu->InstanceProcessEvents(host->instance);
    }
}

telar_status tl_lost(const telar_host *host, telar_diag *diag)
{
    return tl_fail(diag, TELAR_DEVICE_LOST, "the device was lost: %s",
                   host->lost_text[0] != '\0' ? host->lost_text : "no reason was given");
}

/* ---- Error scopes -------------------------------------------------------------------------------- */

static const WGPUErrorFilter filters[TL_SCOPES] = {WGPUErrorFilter_Validation, WGPUErrorFilter_OutOfMemory,
                                                   WGPUErrorFilter_Internal};

/* wgpu-native ends the process when it is asked for internal errors; those reach the uncaptured callback there. */
static int scopes_of(const telar_host *host)
{
    return host->webgpu->implementation == TELAR_IMPLEMENTATION_WGPU ? TL_SCOPES - 1 : TL_SCOPES;
}

void tl_scope_begin(telar_host *host)
{
    int count = scopes_of(host);
    for (int k = 0; k < count; k++) host->webgpu->DevicePushErrorScope(host->device, filters[k]);
}

/* A late answer to an earlier round is not listened to. */
static void on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message, void *user,
                     void *tagged)
{
    telar_host *host = user;
    uintptr_t tag = (uintptr_t)tagged;
    tl_scope_result *result = &host->scopes[tag % TL_SCOPES];
    host->callbacks--;
    if (!result->pending || result->round != (uint32_t)(tag / TL_SCOPES)) return;
    result->pending = false;
    result->type = status == WGPUPopErrorScopeStatus_Success ? type : WGPUErrorType_Unknown;
    if (result->type != WGPUErrorType_NoError && host->scope_text[0] == '\0') {
        tl_view_copy(host->scope_text, sizeof host->scope_text, message);
    }
}

static bool scopes_pending(const telar_host *host)
{
    return host->scopes[0].pending || host->scopes[1].pending || host->scopes[2].pending;
}

static bool scopes_clean(const telar_host *host)
{
    for (int k = scopes_of(host) - 1; k >= 0; k--) {
        if (host->scopes[k].type != WGPUErrorType_NoError) return false;
    }
    return !host->uncaptured;
}

static void pop_scopes(telar_host *host)
{
    host->scope_round = (host->scope_round + 1) & 0xffffff;
    host->scope_text[0] = '\0';
    for (int k = scopes_of(host) - 1; k >= 0; k--) {
        uintptr_t tag = (uintptr_t)host->scope_round * TL_SCOPES + (uintptr_t)k;
        host->scopes[k] = (tl_scope_result){.pending = true, .round = host->scope_round, .type = WGPUErrorType_NoError};
        host->callbacks++;
        host->webgpu->DevicePopErrorScope(host->device,
                                          (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                                          .callback = on_scope,
                                                                          .userdata1 = host,
                                                                          .userdata2 = (void *)tag});
    }
}

/* One sentence: what is asked for ends in a message of many lines. */
static telar_status fail_with_message(telar_diag *diag, telar_status status, const char *what, const char *message)
{
    return tl_fail(diag, status, "%s: %s", what, message[0] != '\0' ? message : "no message");
}

/* wgpu-native reports a lack of memory as a rejection, in these words. */
static bool says_no_memory(const char *message)
{
    return strstr(message, "Not enough memory left") != NULL;
}

telar_status tl_scope_end(telar_host *host, telar_status on_rejection, const char *what, telar_diag *diag)
{
    pop_scopes(host);
    tl_patience patience = tl_patience_begin(TL_ANSWER_NS);
    while (scopes_pending(host)) {
        tl_poll(host);
        if (scopes_pending(host) && !tl_patience_step(&patience)) {
            for (int k = 0; k < TL_SCOPES; k++) host->scopes[k].pending = false;
            return tl_fail(diag, TELAR_TIMED_OUT, "%s: the device does not answer", what);
        }
    }
    if (scopes_clean(host) && !host->lost) return TELAR_OK;
    tl_poll(host);
    if (tl_alive(host, NULL) == TELAR_DEVICE_LOST) return tl_lost(host, diag);
    if (host->uncaptured && host->scope_text[0] == '\0') {
        host->uncaptured = false;
        if (says_no_memory(host->uncaptured_text)) on_rejection = TELAR_OUT_OF_MEMORY;
        return fail_with_message(diag, on_rejection, what, host->uncaptured_text);
    }
    if (host->scopes[1].type != WGPUErrorType_NoError || says_no_memory(host->scope_text)) {
        return fail_with_message(diag, TELAR_OUT_OF_MEMORY, what, host->scope_text);
    }
    return fail_with_message(diag, on_rejection, what, host->scope_text);
}

/* ---- Mapping ------------------------------------------------------------------------------------- */

static void on_map(WGPUMapAsyncStatus status, WGPUStringView message, void *user, void *unused)
{
    (void)unused;
    tl_map *map = user;
    map->status = status;
    tl_view_copy(map->text, sizeof map->text, message);
    map->pending = false;
}

static void on_ignored(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message, void *_1, void *_2)
{
    (void)status;
    (void)type;
    (void)message;
    (void)_1;
    (void)_2;
}

/* The callback of a map says all there is to say. wgpu-native reports a refused one as an error of the device besides,
 * for which an application may have no handler, and the default one ends the process. Its scopes answer at once. */
void tl_map_begin(telar_host *host, tl_map *map, WGPUBuffer buffer, WGPUMapMode mode, uint64_t size_bytes)
{
    *map = (tl_map){.pending = true};
    bool scoped = host->webgpu->implementation == TELAR_IMPLEMENTATION_WGPU;
    if (scoped) host->webgpu->DevicePushErrorScope(host->device, WGPUErrorFilter_Validation);
    host->webgpu->BufferMapAsync(
        buffer, mode, 0, (size_t)size_bytes,
        (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_map, .userdata1 = map});
    if (scoped) {
        host->webgpu->DevicePopErrorScope(
            host->device,
            (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_ignored});
    }
}

telar_status tl_map_wait(telar_host *host, tl_map *map, uint64_t timeout_ns, telar_diag *diag)
{
    tl_patience patience = tl_patience_begin(timeout_ns);
    while (map->pending) {
        if (host->lost) return tl_lost(host, diag);
        tl_poll(host);
        if (map->pending && !tl_patience_step(&patience)) {
            return tl_fail(diag, TELAR_TIMED_OUT, "the device does not answer");
        }
    }
    if (map->status == WGPUMapAsyncStatus_Success) return TELAR_OK;
    tl_poll(host);
    if (map != &host->canary.map && tl_alive(host, NULL) == TELAR_DEVICE_LOST) return tl_lost(host, diag);
    return tl_fail(diag, map == &host->canary.map ? TELAR_DEVICE_LOST : TELAR_VALIDATION_FAILED, "mapping failed: %s",
                   map->text[0] != '\0' ? map->text : "no message");
}

void tl_map_settle(telar_host *host, tl_map *map)
{
    tl_patience patience = tl_patience_begin(TL_ANSWER_NS);
    while (map->pending) {
        tl_poll(host);
        if (map->pending && (host->lost || !tl_patience_step(&patience))) return;
    }
}

/* ---- Submitting ---------------------------------------------------------------------------------- */

/* A device that is not ours has no lost callback here. Mapping a buffer of four bytes tells;
 * without it a lost device of wgpu-native takes commands in silence and ends the process when they are submitted. */
telar_status tl_alive(telar_host *host, telar_diag *diag)
{
    if (host->lost) return tl_lost(host, diag);
    tl_staging *canary = &host->canary;
    if (canary->buffer == NULL) return TELAR_OK;
    if (!canary->map.pending) tl_map_begin(host, &canary->map, canary->buffer, WGPUMapMode_Read, 4);
    telar_status status = tl_map_wait(host, &canary->map, TL_ANSWER_NS, diag);
    if (status == TELAR_OK) host->webgpu->BufferUnmap(canary->buffer);
    if (status == TELAR_DEVICE_LOST && !host->lost) {
        host->lost = true;
        tl_view_copy(host->lost_text, sizeof host->lost_text, tl_view(canary->map.text));
    }
    return status;
}

telar_status tl_submit(telar_host *host, WGPUCommandEncoder encoder, telar_diag *diag)
{
    const telar_webgpu *webgpu = host->webgpu;
    tl_scope_begin(host);
    WGPUCommandBuffer commands = webgpu->CommandEncoderFinish(encoder, NULL);
    telar_status status = tl_scope_end(host, TELAR_VALIDATION_FAILED, "commands", diag);
    if (status == TELAR_OK) status = tl_alive(host, diag);
    if (status == TELAR_OK) {
        webgpu->QueueSubmit(host->queue, 1, &commands);
        host->submitted++;
        host->pending_bytes = 0;
    }
    if (commands != NULL) webgpu->CommandBufferRelease(commands);
    webgpu->CommandEncoderRelease(encoder);
    return status;
}

static void on_done(WGPUQueueWorkDoneStatus status, WGPUStringView message, void *user, void *submission)
{
    (void)message;
    telar_host *host = user;
    host->callbacks--;
    host->asks--;
    if (status != WGPUQueueWorkDoneStatus_Success) host->done_failed = true;
    if ((uintptr_t)submission > host->done) host->done = (uintptr_t)submission;
}

/* For the end of all that is in the queue now, an application's own submissions included. */
static void ask_for_end(telar_host *host)
{
    host->asked = host->submitted;
    host->asks++;
    host->callbacks++;
    host->webgpu->QueueOnSubmittedWorkDone(
        host->queue, (WGPUQueueWorkDoneCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                     .callback = on_done,
                                                     .userdata1 = host,
                                                     .userdata2 = (void *)(uintptr_t)host->asked});
}

telar_status telar_host_ready(telar_host *host, telar_diag *diag)
{
    if (host->lost) return tl_lost(host, diag);
    if (host->asks == 0 || host->asked < host->submitted) ask_for_end(host);
    tl_poll(host);
    if (host->lost) return tl_lost(host, diag);
    if (host->uncaptured) {
        host->uncaptured = false;
        return fail_with_message(diag, TELAR_VALIDATION_FAILED, "an earlier call was rejected", host->uncaptured_text);
    }
    if (host->asks > 0) return TELAR_NOT_READY;
    if (host->done_failed) {
        host->done_failed = false;
        return tl_fail(diag, TELAR_VALIDATION_FAILED, "the queue reports that submitted work failed");
    }
    return tl_alive(host, diag);
}

telar_status telar_host_wait(telar_host *host, uint64_t timeout_ns, telar_diag *diag)
{
    tl_patience patience = tl_patience_begin(timeout_ns);
    for (;;) {
        telar_status status = telar_host_ready(host, diag);
        if (status != TELAR_NOT_READY) return status;
        if (!tl_patience_step(&patience)) {
            return tl_fail_limit(diag, TELAR_TIMED_OUT, timeout_ns, timeout_ns,
                                 "the device is still at work after %llu ns", (unsigned long long)timeout_ns);
        }
    }
}
