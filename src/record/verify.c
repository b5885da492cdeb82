/* SPDX-License-Identifier: MIT
 *
 * Verifies a recording against a device's limits, before any WebGPU call: what passes here must not be rejected there.
 * The rules are WebGPU's validation of buffers, bindings, dispatches and copies; each failure names the command, the
 * buffer and both numbers. */
#include "record/counted.h"
#include "record/reader.h"

typedef struct verifier {
    telar_recording recording;
    const telar_limits *limits;
    telar_diag *diag;
    uint32_t buffer_at[TELAR_RECORDING_HANDLES_MAX]; /* word of the op, by id - 1 */
    uint32_t kernel_at[TELAR_RECORDING_HANDLES_MAX];
    bool has_content[TELAR_RECORDING_HANDLES_MAX];  /* bound, or written by a command before; by id - 1 */
    bool is_prepare[TELAR_RECORDING_HANDLES_MAX];   /* by kernel id - 1 */
    uint32_t launches[TELAR_RECORDING_HANDLES_MAX]; /* that the prepare kernel wrote into a buffer, and nothing since */
} verifier;

static tl_op op_at(const verifier *v, uint32_t at)
{
    tl_cursor cursor = {.words = v->recording.words, .at = at, .end = v->recording.words_count};
    tl_op op;
    bool read = tl_cursor_next(&cursor, &op);
    TELAR_ASSERT(read);
    return op;
}

static tl_op_buffer buffer_of(const verifier *v, uint32_t id)
{
    return op_at(v, v->buffer_at[id - 1]).buffer;
}

static tl_op_kernel kernel_of(const verifier *v, uint32_t id)
{
    return op_at(v, v->kernel_at[id - 1]).kernel;
}

#define LLU(value) ((unsigned long long)(value))

/* ---- Declarations -------------------------------------------------------------------------------- */

static telar_status verify_buffer(const verifier *v, const tl_op *op)
{
    const tl_op_buffer *buffer = &op->buffer;
    if (buffer->size_bytes == 0 || buffer->size_bytes % 4 != 0) {
        return tl_fail_limit(v->diag, TELAR_INVALID_RECORDING, buffer->size_bytes, 4,
                             "buffer %u '%.*s': size (%llu bytes) must be a multiple of 4 above 0", op->number,
                             TL_STR_ARGS(buffer->name), LLU(buffer->size_bytes));
    }
    if (buffer->size_bytes > v->limits->maxBufferSize) {
        return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, buffer->size_bytes, v->limits->maxBufferSize,
                             "buffer %u '%.*s': size (%llu bytes) exceeds maxBufferSize (%llu); "
                             "split the data into several buffers",
                             op->number, TL_STR_ARGS(buffer->name), LLU(buffer->size_bytes),
                             LLU(v->limits->maxBufferSize));
    }
    return TELAR_OK;
}

static telar_status verify_workgroup(const verifier *v, uint32_t number, const tl_op_kernel *kernel)
{
    const telar_limits *limits = v->limits;
    const struct {
        const char *axis;
        uint32_t size;
        uint64_t limit;
        const char *name;
    } axes[] = {
        {"x", kernel->size_x, limits->maxComputeWorkgroupSizeX, "maxComputeWorkgroupSizeX"},
        {"y", kernel->size_y, limits->maxComputeWorkgroupSizeY, "maxComputeWorkgroupSizeY"},
        {"z", kernel->size_z, limits->maxComputeWorkgroupSizeZ, "maxComputeWorkgroupSizeZ"},
    };
    for (size_t k = 0; k < TL_COUNT(axes); k++) {
        if (axes[k].size == 0 || axes[k].size > axes[k].limit) {
            return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, axes[k].size, axes[k].limit,
                                 "kernel %u: workgroup size %s (%u) is not between 1 and %s (%llu)", number,
                                 axes[k].axis, axes[k].size, axes[k].name, LLU(axes[k].limit));
        }
    }
    uint64_t invocations = (uint64_t)kernel->size_x * kernel->size_y * kernel->size_z;
    if (invocations > limits->maxComputeInvocationsPerWorkgroup) {
        return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, invocations, limits->maxComputeInvocationsPerWorkgroup,
                             "kernel %u: workgroup size %u x %u x %u = %llu invocations exceeds "
                             "maxComputeInvocationsPerWorkgroup (%llu)",
                             number, kernel->size_x, kernel->size_y, kernel->size_z, LLU(invocations),
                             LLU(limits->maxComputeInvocationsPerWorkgroup));
    }
    if (kernel->memory_bytes > limits->maxComputeWorkgroupStorageSize) {
        return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, kernel->memory_bytes,
                             limits->maxComputeWorkgroupStorageSize,
                             "kernel %u: workgroup memory (%u bytes) exceeds maxComputeWorkgroupStorageSize (%llu)",
                             number, kernel->memory_bytes, LLU(limits->maxComputeWorkgroupStorageSize));
    }
    return TELAR_OK;
}

static telar_status verify_params(const verifier *v, uint32_t number, const tl_op_kernel *kernel)
{
    if (kernel->params_kind > TELAR_PARAMS_IMMEDIATE) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING, "kernel %u: parameter kind (%u) is unknown", number,
                       kernel->params_kind);
    }
    if (kernel->params_kind == TELAR_PARAMS_NONE && kernel->params_words != 0) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING, "kernel %u: %u parameter words but no place for them", number,
                       kernel->params_words);
    }
    uint64_t size_bytes = (uint64_t)kernel->params_words * 4;
    uint64_t limit = kernel->params_kind == TELAR_PARAMS_IMMEDIATE ? v->limits->maxImmediateSize
                                                                   : v->limits->maxUniformBufferBindingSize;
    if (kernel->params_kind != TELAR_PARAMS_NONE && (size_bytes == 0 || size_bytes > limit)) {
        return tl_fail_limit(
            v->diag, TELAR_LIMIT_EXCEEDED, size_bytes, limit,
            "kernel %u: parameters (%llu bytes) must be between 4 and %s (%llu)", number, LLU(size_bytes),
            kernel->params_kind == TELAR_PARAMS_IMMEDIATE ? "maxImmediateSize" : "maxUniformBufferBindingSize",
            LLU(limit));
    }
    return TELAR_OK;
}

static telar_status verify_slot(const verifier *v, uint32_t number, uint32_t group, uint32_t binding)
{
    if (group >= v->limits->maxBindGroups) {
        return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, group, v->limits->maxBindGroups,
                             "kernel %u: group (%u) is not below maxBindGroups (%llu)", number, group,
                             LLU(v->limits->maxBindGroups));
    }
    if (binding >= v->limits->maxBindingsPerBindGroup) {
        return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, binding, v->limits->maxBindingsPerBindGroup,
                             "kernel %u: binding (%u) is not below maxBindingsPerBindGroup (%llu)", number, binding,
                             LLU(v->limits->maxBindingsPerBindGroup));
    }
    return TELAR_OK;
}

static bool takes_slot(const tl_op_kernel *kernel, uint32_t before, uint32_t group, uint32_t binding)
{
    for (uint32_t k = 0; k < before; k++) {
        tl_binding other = tl_binding_at(kernel->bindings, k);
        if (other.group == group && other.binding == binding) return true;
    }
    return false;
}

static telar_status verify_binding_counts(const verifier *v, uint32_t number, uint64_t uniforms, uint64_t storages)
{
    const struct {
        uint64_t count;
        uint64_t limit;
        const char *what;
        const char *name;
    } counts[] = {
        {storages, v->limits->maxStorageBuffersPerShaderStage, "storage buffers", "maxStorageBuffersPerShaderStage"},
        {uniforms, v->limits->maxUniformBuffersPerShaderStage, "uniform buffers", "maxUniformBuffersPerShaderStage"},
    };
    for (size_t k = 0; k < TL_COUNT(counts); k++) {
        if (counts[k].count > counts[k].limit) {
            return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, counts[k].count, counts[k].limit,
                                 "kernel %u: %llu %s exceed %s (%llu)", number, LLU(counts[k].count), counts[k].what,
                                 counts[k].name, LLU(counts[k].limit));
        }
    }
    return TELAR_OK;
}

static telar_status verify_bindings(const verifier *v, uint32_t number, const tl_op_kernel *kernel)
{
    uint64_t uniforms = kernel->params_kind == TELAR_PARAMS_UNIFORM;
    uint64_t storages = 0;
    /* Checked first since the walk below is quadratic in the bindings. */
    uint64_t most = v->limits->maxStorageBuffersPerShaderStage + v->limits->maxUniformBuffersPerShaderStage;
    if (kernel->bindings.count > most) {
        return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, kernel->bindings.count, most,
                             "kernel %u: %u bindings exceed maxStorageBuffersPerShaderStage plus "
                             "maxUniformBuffersPerShaderStage (%llu)",
                             number, kernel->bindings.count, LLU(most));
    }
    for (uint32_t k = 0; k < kernel->bindings.count; k++) {
        tl_binding binding = tl_binding_at(kernel->bindings, k);
        TELAR_TRY(verify_slot(v, number, binding.group, binding.binding));
        if (takes_slot(kernel, k, binding.group, binding.binding)) {
            return tl_fail(v->diag, TELAR_INVALID_RECORDING, "kernel %u: two bindings at group %u, binding %u", number,
                           binding.group, binding.binding);
        }
        if (binding.space > TELAR_BINDING_STORAGE_READ_WRITE) {
            return tl_fail(v->diag, TELAR_INVALID_RECORDING, "kernel %u: binding '%.*s' has an unknown space (%u)",
                           number, TL_STR_ARGS(binding.name), (unsigned)binding.space);
        }
        uniforms += binding.space == TELAR_BINDING_UNIFORM;
        storages += binding.space != TELAR_BINDING_UNIFORM;
    }
    if (kernel->params_kind == TELAR_PARAMS_UNIFORM) {
        TELAR_TRY(verify_slot(v, number, kernel->params_group, kernel->params_binding));
        if (takes_slot(kernel, kernel->bindings.count, kernel->params_group, kernel->params_binding)) {
            return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                           "kernel %u: its parameters and a binding share group %u, binding %u", number,
                           kernel->params_group, kernel->params_binding);
        }
    }
    return verify_binding_counts(v, number, uniforms, storages);
}

static telar_status verify_kernel(const verifier *v, const tl_op *op)
{
    if (op->kernel.entry.len == 0 || op->kernel.wgsl.len == 0) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING, "kernel %u has no text or no entry point", op->number);
    }
    TELAR_TRY(verify_workgroup(v, op->number, &op->kernel));
    TELAR_TRY(verify_params(v, op->number, &op->kernel));
    return verify_bindings(v, op->number, &op->kernel);
}

/* ---- Commands ------------------------------------------------------------------------------------ */

/* A range that copies, clears and uploads touch: multiples of 4 inside the buffer. */
static telar_status verify_range(const verifier *v, const tl_op *op, uint32_t id, uint64_t offset_bytes,
                                 uint64_t size_bytes)
{
    tl_op_buffer buffer = buffer_of(v, id);
    if (offset_bytes % 4 != 0 || size_bytes % 4 != 0 || size_bytes == 0) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                       "command %u (%s): offset (%llu) and size (%llu) in buffer %u '%.*s' must be "
                       "multiples of 4, the size above 0",
                       op->number, tl_op_name(op->code), LLU(offset_bytes), LLU(size_bytes), id,
                       TL_STR_ARGS(buffer.name));
    }
    if (offset_bytes > buffer.size_bytes || size_bytes > buffer.size_bytes - offset_bytes) {
        return tl_fail_limit(v->diag, TELAR_INVALID_RECORDING, offset_bytes, buffer.size_bytes,
                             "command %u (%s): %llu bytes at %llu reach past the end of buffer %u "
                             "'%.*s' (%llu bytes)",
                             op->number, tl_op_name(op->code), LLU(size_bytes), LLU(offset_bytes), id,
                             TL_STR_ARGS(buffer.name), LLU(buffer.size_bytes));
    }
    return TELAR_OK;
}

static telar_status verify_copy(const verifier *v, const tl_op *op)
{
    const tl_op_copy *copy = &op->copy;
    TELAR_TRY(verify_range(v, op, copy->from, copy->from_bytes, copy->size_bytes));
    TELAR_TRY(verify_range(v, op, copy->to, copy->to_bytes, copy->size_bytes));
    if (copy->from == copy->to) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                       "command %u (copy): from and to are the same buffer (%u); WebGPU copies only "
                       "between two",
                       op->number, copy->from);
    }
    return TELAR_OK;
}

static telar_status verify_groups(const verifier *v, const tl_op *op)
{
    const uint32_t groups[3] = {op->dispatch.x, op->dispatch.y, op->dispatch.z};
    uint64_t limit = v->limits->maxComputeWorkgroupsPerDimension;
    for (int axis = 0; axis < 3; axis++) {
        if (groups[axis] == 0) {
            return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                           "command %u (dispatch): 0 groups on %c; leave the dispatch out", op->number, "xyz"[axis]);
        }
        if (groups[axis] > limit) {
            return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, groups[axis], limit,
                                 "command %u: dispatch %c (%u) exceeds "
                                 "maxComputeWorkgroupsPerDimension (%llu); use a folded plan",
                                 op->number, "xyz"[axis], groups[axis], LLU(limit));
        }
    }
    return TELAR_OK;
}

static telar_status verify_bind(const verifier *v, const tl_op *op, tl_binding binding, tl_bind bind)
{
    bool uniform = binding.space == TELAR_BINDING_UNIFORM;
    tl_op_buffer buffer = buffer_of(v, bind.buffer);
    uint64_t align = uniform ? v->limits->minUniformBufferOffsetAlignment : v->limits->minStorageBufferOffsetAlignment;
    uint64_t limit = uniform ? v->limits->maxUniformBufferBindingSize : v->limits->maxStorageBufferBindingSize;
    TELAR_TRY(verify_range(v, op, bind.buffer, bind.offset_bytes, bind.size_bytes));
    if ((buffer.use & (uniform ? TELAR_USE_UNIFORM : TELAR_USE_STORAGE)) == 0) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                       "command %u: buffer %u '%.*s' is bound at '%.*s' but was not declared for %s "
                       "use",
                       op->number, bind.buffer, TL_STR_ARGS(buffer.name), TL_STR_ARGS(binding.name),
                       uniform ? "uniform" : "storage");
    }
    if (align != 0 && bind.offset_bytes % align != 0) {
        return tl_fail_limit(v->diag, TELAR_INVALID_RECORDING, bind.offset_bytes, align,
                             "command %u: offset (%llu) of binding '%.*s' is not a multiple of the "
                             "device's alignment (%llu)",
                             op->number, LLU(bind.offset_bytes), TL_STR_ARGS(binding.name), LLU(align));
    }
    if (bind.size_bytes > limit) {
        return tl_fail_limit(v->diag, TELAR_LIMIT_EXCEEDED, bind.size_bytes, limit,
                             "command %u: binding '%.*s' (%llu bytes) exceeds %s (%llu); a kernel "
                             "that accesses it only at [i] is cut into windows",
                             op->number, TL_STR_ARGS(binding.name), LLU(bind.size_bytes),
                             uniform ? "maxUniformBufferBindingSize" : "maxStorageBufferBindingSize", LLU(limit));
    }
    if (bind.size_bytes < binding.min_bytes) {
        return tl_fail_limit(v->diag, TELAR_INVALID_RECORDING, bind.size_bytes, binding.min_bytes,
                             "command %u: binding '%.*s' needs at least %llu bytes, %llu are bound", op->number,
                             TL_STR_ARGS(binding.name), LLU(binding.min_bytes), LLU(bind.size_bytes));
    }
    return TELAR_OK;
}

/* WebGPU's usage scope: within one dispatch a buffer that is writable somewhere is writable storage everywhere, and
 * writable ranges do not overlap any other. */
static telar_status verify_pair(const verifier *v, const tl_op *op, tl_binding a, tl_bind at_a, tl_binding b,
                                tl_bind at_b)
{
    bool writes_a = a.space == TELAR_BINDING_STORAGE_READ_WRITE;
    bool writes_b = b.space == TELAR_BINDING_STORAGE_READ_WRITE;
    if (at_a.buffer != at_b.buffer || !(writes_a || writes_b)) return TELAR_OK;
    tl_op_buffer buffer = buffer_of(v, at_a.buffer);
    if (writes_a != writes_b) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                       "command %u: buffer %u '%.*s' is bound writable at '%.*s' and read-only at "
                       "'%.*s'; use one read_write binding, or two buffers",
                       op->number, at_a.buffer, TL_STR_ARGS(buffer.name), TL_STR_ARGS(writes_a ? a.name : b.name),
                       TL_STR_ARGS(writes_a ? b.name : a.name));
    }
    if (at_a.offset_bytes < at_b.offset_bytes + at_b.size_bytes &&
        at_b.offset_bytes < at_a.offset_bytes + at_a.size_bytes) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                       "command %u: writable bindings '%.*s' and '%.*s' overlap in buffer %u '%.*s'", op->number,
                       TL_STR_ARGS(a.name), TL_STR_ARGS(b.name), at_a.buffer, TL_STR_ARGS(buffer.name));
    }
    return TELAR_OK;
}

static telar_status verify_binds(const verifier *v, const tl_op *op, uint32_t kernel_id, tl_bind_list binds)
{
    tl_op_kernel kernel = kernel_of(v, kernel_id);
    if (binds.count != kernel.bindings.count) {
        return tl_fail_limit(v->diag, TELAR_INVALID_RECORDING, binds.count, kernel.bindings.count,
                             "command %u: %u bindings given, kernel %u has %u", op->number, binds.count, kernel_id,
                             kernel.bindings.count);
    }
    for (uint32_t k = 0; k < binds.count; k++) {
        tl_binding binding = tl_binding_at(kernel.bindings, k);
        tl_bind bind = tl_bind_at(binds, k);
        TELAR_TRY(verify_bind(v, op, binding, bind));
        for (uint32_t j = 0; j < k; j++) {
            TELAR_TRY(verify_pair(v, op, tl_binding_at(kernel.bindings, j), tl_bind_at(binds, j), binding, bind));
        }
    }
    return TELAR_OK;
}

static telar_status verify_dispatch(const verifier *v, const tl_op *op)
{
    const tl_op_dispatch *dispatch = &op->dispatch;
    tl_op_kernel kernel = kernel_of(v, dispatch->kernel);
    TELAR_TRY(verify_groups(v, op));
    if (dispatch->params.count != kernel.params_words) {
        return tl_fail_limit(v->diag, TELAR_INVALID_RECORDING, dispatch->params.count, kernel.params_words,
                             "command %u: %u parameter words given, kernel %u takes %u", op->number,
                             dispatch->params.count, dispatch->kernel, kernel.params_words);
    }
    return verify_binds(v, op, dispatch->kernel, dispatch->binds);
}

/* The launch block is bound as uniform and the words behind it are the dispatch: both are read, so nothing else in this
 * dispatch may write that buffer. */
static telar_status verify_dispatch_counted(const verifier *v, const tl_op *op)
{
    const tl_op_dispatch_counted *dispatch = &op->dispatch_counted;
    tl_op_kernel kernel = kernel_of(v, dispatch->kernel);
    tl_op_buffer launch = buffer_of(v, dispatch->launch);
    if (kernel.params_kind != TELAR_PARAMS_UNIFORM || kernel.params_words != TELAR_LAUNCH_WORDS) {
        return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                       "command %u: kernel %u takes no launch block from a buffer; weave it as counted", op->number,
                       dispatch->kernel);
    }
    TELAR_TRY(verify_range(v, op, dispatch->launch, dispatch->launch_bytes, TL_COUNTED_BYTES));
    if ((launch.use & TELAR_USE_UNIFORM) == 0 || (launch.use & TELAR_USE_INDIRECT) == 0) {
        return tl_fail(
            v->diag, TELAR_INVALID_RECORDING,
            "command %u: buffer %u '%.*s' decides the dispatch but was not declared for uniform and indirect "
            "use",
            op->number, dispatch->launch, TL_STR_ARGS(launch.name));
    }
    uint64_t align = v->limits->minUniformBufferOffsetAlignment;
    if (align != 0 && dispatch->launch_bytes % align != 0) {
        return tl_fail_limit(v->diag, TELAR_INVALID_RECORDING, dispatch->launch_bytes, align,
                             "command %u: the launch block's offset (%llu) is not a multiple of the device's alignment "
                             "(%llu)",
                             op->number, LLU(dispatch->launch_bytes), LLU(align));
    }
    /* Some implementations do not look at the words of an indirect dispatch: only what the library's own kernel wrote,
     * within these limits, may be one. */
    if (dispatch->launch_bytes % TL_LAUNCH_SLOT_BYTES != 0 ||
        dispatch->launch_bytes / TL_LAUNCH_SLOT_BYTES >= v->launches[dispatch->launch - 1]) {
        return tl_fail(
            v->diag, TELAR_INVALID_RECORDING,
            "command %u: the dispatch at %llu of buffer %u '%.*s' was not written by the prepare kernel, or was "
            "written over since",
            op->number, LLU(dispatch->launch_bytes), dispatch->launch, TL_STR_ARGS(launch.name));
    }
    for (uint32_t k = 0; k < dispatch->binds.count && k < kernel.bindings.count; k++) {
        tl_binding binding = tl_binding_at(kernel.bindings, k);
        if (tl_bind_at(dispatch->binds, k).buffer != dispatch->launch) continue;
        if (binding.space != TELAR_BINDING_STORAGE_READ_WRITE) continue;
        return tl_fail(
            v->diag, TELAR_INVALID_RECORDING,
            "command %u: buffer %u '%.*s' decides the dispatch and is bound writable at '%.*s'; use two buffers",
            op->number, dispatch->launch, TL_STR_ARGS(launch.name), TL_STR_ARGS(binding.name));
    }
    return verify_binds(v, op, dispatch->kernel, dispatch->binds);
}

static telar_status verify_op(const verifier *v, const tl_op *op)
{
    switch (op->code) {
    case TL_OP_BUFFER: return verify_buffer(v, op);
    case TL_OP_KERNEL: return verify_kernel(v, op);
    case TL_OP_DISPATCH: return verify_dispatch(v, op);
    case TL_OP_DISPATCH_COUNTED: return verify_dispatch_counted(v, op);
    case TL_OP_COPY: return verify_copy(v, op);
    case TL_OP_CLEAR: return verify_range(v, op, op->clear.buffer, op->clear.offset_bytes, op->clear.size_bytes);
    case TL_OP_UPLOAD:
        return verify_range(v, op, op->upload.buffer, op->upload.offset_bytes, op->upload.data.size_bytes);
    case TL_OP_DOWNLOAD:
        return verify_range(v, op, op->download.buffer, op->download.offset_bytes, op->download.size_bytes);
    case TL_OP_MARK: return TELAR_OK;
    }
    return TELAR_OK;
}

/* ---- Scratch that is read before it is written --------------------------------------------------------------------- */

/* Scratch is zeroed the first time and holds anything later: a recording that reads it unwritten would give other results
 * at the second run. A writable binding counts as a write: whether it also reads first is the kernel's affair. */
static telar_status verify_reads(const verifier *v, const tl_op *op, uint32_t id)
{
    if (v->has_content[id - 1]) return TELAR_OK;
    tl_op_buffer buffer = buffer_of(v, id);
    return tl_fail(v->diag, TELAR_INVALID_RECORDING,
                   "command %u (%s) reads scratch buffer %u '%.*s', which nothing has written; clear it or bind it",
                   op->number, tl_op_name(op->code), id, TL_STR_ARGS(buffer.name));
}

static void write_buffer(verifier *v, uint32_t id)
{
    v->has_content[id - 1] = true;
    v->launches[id - 1] = 0;
}

static telar_status verify_content_of_binds(verifier *v, const tl_op *op, uint32_t kernel_id, tl_bind_list binds)
{
    tl_op_kernel kernel = kernel_of(v, kernel_id);
    for (uint32_t k = 0; k < binds.count; k++) {
        if (tl_binding_at(kernel.bindings, k).space == TELAR_BINDING_STORAGE_READ_WRITE) continue;
        TELAR_TRY(verify_reads(v, op, tl_bind_at(binds, k).buffer));
    }
    for (uint32_t k = 0; k < binds.count; k++) {
        if (tl_binding_at(kernel.bindings, k).space != TELAR_BINDING_STORAGE_READ_WRITE) continue;
        write_buffer(v, tl_bind_at(binds, k).buffer);
    }
    return TELAR_OK;
}

static telar_status verify_content_of_dispatch(verifier *v, const tl_op *op)
{
    const tl_op_dispatch *dispatch = &op->dispatch;
    TELAR_TRY(verify_content_of_binds(v, op, dispatch->kernel, dispatch->binds));
    if (!v->is_prepare[dispatch->kernel - 1] || dispatch->y != 1 || dispatch->z != 1) return TELAR_OK;
    tl_bind launches = tl_bind_at(dispatch->binds, TL_PREPARE_LAUNCHES);
    bool whole = launches.offset_bytes == 0 && launches.size_bytes / TL_LAUNCH_SLOT_BYTES >= dispatch->x;
    if (whole && tl_jobs_keep_limit(dispatch->params, dispatch->x, v->limits->maxComputeWorkgroupsPerDimension)) {
        v->launches[launches.buffer - 1] = dispatch->x;
    }
    return TELAR_OK;
}

static telar_status verify_content(verifier *v, const tl_op *op)
{
    switch (op->code) {
    case TL_OP_BUFFER:
        v->has_content[op->number - 1] = (op->buffer.use & (TELAR_USE_BOUND | TELAR_USE_KEPT)) != 0;
        break;
    case TL_OP_KERNEL: v->is_prepare[op->number - 1] = tl_is_prepare_kernel(&op->kernel); break;
    case TL_OP_MARK: break;
    case TL_OP_DISPATCH: return verify_content_of_dispatch(v, op);
    case TL_OP_DISPATCH_COUNTED:
        TELAR_TRY(verify_reads(v, op, op->dispatch_counted.launch));
        return verify_content_of_binds(v, op, op->dispatch_counted.kernel, op->dispatch_counted.binds);
    case TL_OP_COPY:
        TELAR_TRY(verify_reads(v, op, op->copy.from));
        write_buffer(v, op->copy.to);
        break;
    case TL_OP_CLEAR: write_buffer(v, op->clear.buffer); break;
    case TL_OP_UPLOAD: write_buffer(v, op->upload.buffer); break;
    case TL_OP_DOWNLOAD: return verify_reads(v, op, op->download.buffer);
    }
    return TELAR_OK;
}

telar_status telar_recording_verify(telar_recording recording, const telar_limits *limits, telar_diag *diag)
{
    verifier v = {.recording = recording, .limits = limits, .diag = diag};
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    for (size_t at = cursor.at; tl_cursor_next(&cursor, &op); at = cursor.at) {
        if (op.code == TL_OP_BUFFER) v.buffer_at[op.number - 1] = (uint32_t)at;
        if (op.code == TL_OP_KERNEL) v.kernel_at[op.number - 1] = (uint32_t)at;
        TELAR_TRY(verify_op(&v, &op));
        TELAR_TRY(verify_content(&v, &op));
    }
    return TELAR_OK;
}
