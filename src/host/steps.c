/* SPDX-License-Identifier: MIT
 *
 * Commands to steps. All that can be decided once is decided here: which calls repeat what is already set, where passes
 * begin and end, where timestamps go. What is left is a flat list of calls. */
#include "host/host.h"

#include <string.h>

typedef struct step_maker {
    telar_prepared *prepared;
    telar_host *host;
    telar_diag *diag;
    telar_status status; /* sticky */

    bool in_pass;
    size_t pass_step; /* of the latest pass */
    WGPUComputePipeline pipeline;
    WGPUBindGroup groups[TL_GROUPS_MAX];

    uint64_t params_bytes;
    uint64_t uploads_bytes;
    uint32_t download;
    uint64_t slot_bytes; /* of the latest parameters, and what they are */
    tl_words slot_words;

    uint32_t marks; /* still to come */
    tl_span *span;  /* open; NULL: none */
    bool span_ends_in_pass;
    tl_step nowhere; /* where a step goes for which there is no memory */
} step_maker;

static tl_step *push(step_maker *m, tl_step_code code)
{
    telar_prepared *prepared = m->prepared;
    if (!tl_grow(&m->host->alloc, (void **)&prepared->steps, prepared->steps_count, &prepared->steps_cap,
                 sizeof *prepared->steps)) {
        m->status = tl_fail(m->diag, TELAR_OUT_OF_MEMORY, "no memory to prepare a recording");
        return &m->nowhere;
    }
    tl_step *step = &prepared->steps[prepared->steps_count++];
    *step = (tl_step){.code = code};
    return step;
}

/* ---- Passes and time ----------------------------------------------------------------------------- */

static void open_pass(step_maker *m)
{
    if (m->in_pass) return;
    tl_step *step = push(m, TL_STEP_BEGIN);
    step->begin.first_query = TL_NO_QUERY;
    step->begin.last_query = TL_NO_QUERY;
    m->pass_step = m->prepared->steps_count - 1;
    m->in_pass = true;
    m->pipeline = NULL;
    memset(m->groups, 0, sizeof m->groups);
}

static void close_pass(step_maker *m)
{
    if (m->in_pass) push(m, TL_STEP_END);
    m->in_pass = false;
}

/* Work comes: an open span without a beginning gets it here. Timestamps stand at the ends of passes only, so copies are
 * fenced by empty passes. */
static void begin_work(step_maker *m, bool in_pass)
{
    if (!in_pass) close_pass(m);
    bool first = m->span != NULL && m->span->first_query == TL_NO_QUERY && !m->span->untimed;
    if (first && m->prepared->queries_count + 2 > TL_QUERIES_MAX) {
        m->span->untimed = true;
        first = false;
    }
    if (first || in_pass) open_pass(m);
    if (first && m->status == TELAR_OK) {
        m->span->first_query = m->prepared->queries_count;
        m->span->last_query = m->prepared->queries_count + 1;
        m->prepared->queries_count += 2;
        m->prepared->steps[m->pass_step].begin.first_query = m->span->first_query;
    }
    if (!in_pass) close_pass(m);
    m->span_ends_in_pass = in_pass;
}

static void close_span(step_maker *m)
{
    close_pass(m);
    if (m->span != NULL && m->span->first_query != TL_NO_QUERY) {
        if (!m->span_ends_in_pass) {
            open_pass(m);
            close_pass(m);
        }
        if (m->status == TELAR_OK) m->prepared->steps[m->pass_step].begin.last_query = m->span->last_query;
    }
    m->span = NULL;
}

static void make_mark(step_maker *m)
{
    telar_prepared *prepared = m->prepared;
    close_span(m);
    m->marks--;
    if (m->marks == 0) return;
    if (!tl_grow(&m->host->alloc, (void **)&prepared->spans, prepared->spans_count, &prepared->spans_cap,
                 sizeof *prepared->spans)) {
        m->status = tl_fail(m->diag, TELAR_OUT_OF_MEMORY, "no memory to prepare a recording");
        return;
    }
    tl_span *span = &prepared->spans[prepared->spans_count++];
    *span = (tl_span){.first_query = TL_NO_QUERY, .last_query = TL_NO_QUERY, .untimed = prepared->queries == NULL};
    m->span = span;
}

/* ---- Bind groups --------------------------------------------------------------------------------- */

/* How far back an equal bind group is looked for. */
#define TL_GROUPS_BACK 64

static uint64_t hash_of(const void *data, size_t count)
{
    const uint8_t *bytes = data;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < count; k++) hash = (hash ^ bytes[k]) * 0x100000001b3u;
    return hash;
}

static WGPUBindGroup find_group(const telar_prepared *prepared, uint64_t hash, const void *key, size_t key_bytes)
{
    size_t stop = prepared->groups_count > TL_GROUPS_BACK ? prepared->groups_count - TL_GROUPS_BACK : 0;
    for (size_t k = prepared->groups_count; k-- > stop;) {
        const tl_group_made *made = &prepared->groups[k];
        if (made->hash == hash && made->key_bytes == key_bytes && memcmp(made->key, key, key_bytes) == 0) {
            return made->handle;
        }
    }
    return NULL;
}

/* Layout, then for each entry binding, buffer, offset, size. */
static void write_key(uint64_t *key, WGPUBindGroupLayout layout, const WGPUBindGroupEntry *entries, size_t count)
{
    *key++ = (uintptr_t)layout;
    for (size_t k = 0; k < count; k++) {
        *key++ = entries[k].binding;
        *key++ = (uintptr_t)entries[k].buffer;
        *key++ = entries[k].offset;
        *key++ = entries[k].size;
    }
}

static WGPUBindGroup make_group(step_maker *m, WGPUBindGroupLayout layout, const WGPUBindGroupEntry *entries,
                                size_t count)
{
    telar_prepared *prepared = m->prepared;
    const telar_alloc *alloc = &m->host->alloc;
    size_t key_bytes = (1 + 4 * count) * sizeof(uint64_t);
    void *key = tl_take(alloc, key_bytes, 1);
    if (key == NULL || !tl_grow(alloc, (void **)&prepared->groups, prepared->groups_count, &prepared->groups_cap,
                                sizeof *prepared->groups)) {
        tl_give(alloc, key, key_bytes, 1);
        m->status = tl_fail(m->diag, TELAR_OUT_OF_MEMORY, "no memory to prepare a recording");
        return NULL;
    }
    write_key(key, layout, entries, count);
    uint64_t hash = hash_of(key, key_bytes);
    WGPUBindGroup handle = find_group(prepared, hash, key, key_bytes);
    if (handle != NULL) {
        tl_give(alloc, key, key_bytes, 1);
        return handle;
    }
    handle = m->host->webgpu->DeviceCreateBindGroup(
        m->host->device, &(WGPUBindGroupDescriptor){.layout = layout, .entryCount = count, .entries = entries});
    prepared->groups[prepared->groups_count++] = (tl_group_made){hash, handle, key, key_bytes};
    return handle;
}

/* A dispatch, whoever decides its groups; params: where its uniform parameters lie. */
typedef struct dispatch_call {
    const tl_op_kernel *kernel;
    const tl_pipeline *pipeline;
    tl_bind_list binds;
    WGPUBuffer params;
    uint64_t params_offset_bytes;
} dispatch_call;

static void set_group(step_maker *m, const dispatch_call *call, uint32_t group, WGPUBindGroupEntry *entries)
{
    const tl_op_kernel *kernel = call->kernel;
    size_t count = 0;
    for (uint32_t k = 0; k < call->binds.count; k++) {
        tl_binding binding = tl_binding_at(kernel->bindings, k);
        if (binding.group != group) continue;
        tl_bind bind = tl_bind_at(call->binds, k);
        entries[count++] = (WGPUBindGroupEntry){.binding = binding.binding,
                                                .buffer = m->prepared->buffers[bind.buffer - 1].handle,
                                                .offset = bind.offset_bytes,
                                                .size = bind.size_bytes};
    }
    if (kernel->params_kind == TELAR_PARAMS_UNIFORM && kernel->params_group == group) {
        entries[count++] = (WGPUBindGroupEntry){.binding = kernel->params_binding,
                                                .buffer = call->params,
                                                .offset = call->params_offset_bytes,
                                                .size = tl_params_bytes(kernel)};
    }
    WGPUBindGroup handle = make_group(m, call->pipeline->groups[group], entries, count);
    if (m->groups[group] == handle) return;
    m->groups[group] = handle;
    tl_step *step = push(m, TL_STEP_GROUP);
    step->group.handle = handle;
    step->group.index = group;
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

static bool same_words(tl_words a, tl_words b)
{
    return a.count == b.count && memcmp(a.words, b.words, (size_t)a.count * 4) == 0;
}

/* Parameters equal to those of the dispatch before share its slot. */
static void write_params(step_maker *m, const tl_op_kernel *kernel, tl_words params)
{
    if (m->slot_words.words != NULL && same_words(m->slot_words, params)) return;
    m->slot_bytes = m->params_bytes;
    m->slot_words = params;
    m->params_bytes += tl_params_stride(m->host, kernel);
    m->host->webgpu->QueueWriteBuffer(m->host->queue, m->prepared->params, m->slot_bytes, params.words,
                                      (size_t)params.count * 4);
}

static void keep_immediates(step_maker *m, tl_words params)
{
    telar_prepared *prepared = m->prepared;
    size_t first = prepared->words_count;
    for (uint32_t k = 0; k < params.count; k++) {
        if (!tl_grow(&m->host->alloc, (void **)&prepared->words, prepared->words_count, &prepared->words_cap,
                     sizeof *prepared->words)) {
            m->status = tl_fail(m->diag, TELAR_OUT_OF_MEMORY, "no memory to prepare a recording");
            return;
        }
        prepared->words[prepared->words_count++] = params.words[k];
    }
    tl_step *step = push(m, TL_STEP_IMMEDIATES);
    step->immediates.first_word = (uint32_t)first;
    step->immediates.size_bytes = params.count * 4;
}

/* ---- Commands ------------------------------------------------------------------------------------ */

/* Pipeline and bind groups, as far as they are not set already. */
static void set_up(step_maker *m, const dispatch_call *call)
{
    size_t entries_count = (size_t)call->binds.count + 1;
    WGPUBindGroupEntry *entries = tl_take(&m->host->alloc, entries_count, sizeof *entries);
    if (entries == NULL) {
        m->status = tl_fail(m->diag, TELAR_OUT_OF_MEMORY, "no memory to prepare a recording");
        return;
    }
    begin_work(m, true);
    if (m->pipeline != call->pipeline->handle) {
        push(m, TL_STEP_PIPELINE)->pipeline = call->pipeline->handle;
        m->pipeline = call->pipeline->handle;
    }
    for (uint32_t k = 0; k < call->pipeline->groups_count && m->status == TELAR_OK; k++) set_group(m, call, k, entries);
    tl_give(&m->host->alloc, entries, entries_count, sizeof *entries);
}

static dispatch_call call_of(const step_maker *m, uint32_t kernel, tl_bind_list binds)
{
    return (dispatch_call){
        .kernel = &m->prepared->kernels[kernel - 1], .pipeline = m->prepared->pipelines[kernel - 1], .binds = binds};
}

static void make_dispatch(step_maker *m, const tl_op_dispatch *dispatch)
{
    if (dispatch->x == 0 || dispatch->y == 0 || dispatch->z == 0) return;
    dispatch_call call = call_of(m, dispatch->kernel, dispatch->binds);
    if (call.kernel->params_kind == TELAR_PARAMS_UNIFORM) {
        write_params(m, call.kernel, dispatch->params);
        call.params = m->prepared->params;
        call.params_offset_bytes = m->slot_bytes;
    }
    set_up(m, &call);
    if (call.kernel->params_kind == TELAR_PARAMS_IMMEDIATE) keep_immediates(m, dispatch->params);
    tl_step *step = push(m, TL_STEP_DISPATCH);
    step->dispatch.x = dispatch->x;
    step->dispatch.y = dispatch->y;
    step->dispatch.z = dispatch->z;
}

/* The launch block that the GPU wrote is the kernel's parameters; x, y, z stand behind it. */
static void make_dispatch_counted(step_maker *m, const tl_op_dispatch_counted *dispatch)
{
    dispatch_call call = call_of(m, dispatch->kernel, dispatch->binds);
    call.params = m->prepared->buffers[dispatch->launch - 1].handle;
    call.params_offset_bytes = dispatch->launch_bytes;
    set_up(m, &call);
    tl_step *step = push(m, TL_STEP_DISPATCH_INDIRECT);
    step->indirect.buffer = call.params;
    step->indirect.offset_bytes = dispatch->launch_bytes + (uint64_t)TELAR_LAUNCH_WORDS * 4;
}

static void push_copy(step_maker *m, WGPUBuffer from, uint64_t from_bytes, WGPUBuffer to, uint64_t to_bytes,
                      uint64_t size_bytes)
{
    tl_step *step = push(m, TL_STEP_COPY);
    step->copy.from = from;
    step->copy.from_bytes = from_bytes;
    step->copy.to = to;
    step->copy.to_bytes = to_bytes;
    step->copy.size_bytes = size_bytes;
}

static WGPUBuffer handle_of(const step_maker *m, uint32_t id)
{
    return m->prepared->buffers[id - 1].handle;
}

static void make_step(step_maker *m, const tl_op *op)
{
    switch (op->code) {
    case TL_OP_BUFFER:
    case TL_OP_KERNEL: break;
    case TL_OP_DISPATCH: make_dispatch(m, &op->dispatch); break;
    case TL_OP_DISPATCH_COUNTED: make_dispatch_counted(m, &op->dispatch_counted); break;
    case TL_OP_COPY:
        begin_work(m, false);
        push_copy(m, handle_of(m, op->copy.from), op->copy.from_bytes, handle_of(m, op->copy.to), op->copy.to_bytes,
                  op->copy.size_bytes);
        break;
    case TL_OP_CLEAR: {
        begin_work(m, false);
        tl_step *step = push(m, TL_STEP_CLEAR);
        step->clear.buffer = handle_of(m, op->clear.buffer);
        step->clear.offset_bytes = op->clear.offset_bytes;
        step->clear.size_bytes = op->clear.size_bytes;
        break;
    }
    case TL_OP_UPLOAD:
        begin_work(m, false);
        push_copy(m, m->prepared->uploads, m->uploads_bytes, handle_of(m, op->upload.buffer), op->upload.offset_bytes,
                  op->upload.data.size_bytes);
        m->uploads_bytes += op->upload.data.size_bytes;
        break;
    case TL_OP_DOWNLOAD: {
        begin_work(m, false);
        tl_download download = m->prepared->downloads[m->download++];
        push_copy(m, handle_of(m, op->download.buffer), op->download.offset_bytes, m->prepared->readback,
                  download.offset_bytes, download.size_bytes);
        break;
    }
    case TL_OP_MARK: make_mark(m); break;
    }
}

static void finish(step_maker *m)
{
    close_pass(m);
    uint32_t queries = m->prepared->queries_count;
    if (queries == 0) return;
    push(m, TL_STEP_RESOLVE)->resolve.count = queries;
    push_copy(m, m->prepared->resolved, 0, m->prepared->readback, m->prepared->times_bytes, (uint64_t)queries * 8);
}

void tl_steps_drop(telar_prepared *prepared)
{
    for (size_t k = 0; k < prepared->groups_count; k++) {
        prepared->host->webgpu->BindGroupRelease(prepared->groups[k].handle);
        tl_give(&prepared->host->alloc, prepared->groups[k].key, prepared->groups[k].key_bytes, 1);
    }
    prepared->groups_count = 0;
    prepared->steps_count = 0;
    prepared->words_count = 0;
    prepared->spans_count = 0;
    prepared->queries_count = 0;
}

telar_status tl_steps_make(telar_prepared *prepared, telar_diag *diag)
{
    step_maker m = {.prepared = prepared, .host = prepared->host, .diag = diag, .marks = prepared->marks};
    tl_scope_begin(prepared->host);
    tl_cursor cursor = tl_cursor_begin(prepared->recording);
    tl_op op;
    while (m.status == TELAR_OK && tl_cursor_next(&cursor, &op)) make_step(&m, &op);
    if (m.status == TELAR_OK) finish(&m);
    telar_diag *unless_failed = m.status == TELAR_OK ? diag : NULL;
    telar_status scope = tl_scope_end(prepared->host, TELAR_VALIDATION_FAILED, "a bind group", unless_failed);
    return m.status != TELAR_OK ? m.status : scope;
}
