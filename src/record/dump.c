/* SPDX-License-Identifier: MIT
 *
 * A recording as text: one line a buffer, kernel and command. */
#include "record/reader.h"

static void dump_use(uint32_t use, telar_out *out)
{
    static const struct {
        uint32_t use;
        const char *text;
    } uses[] = {
        {TELAR_USE_STORAGE, " storage"}, {TELAR_USE_UNIFORM, " uniform"}, {TELAR_USE_INDIRECT, " indirect"},
        {TELAR_USE_BOUND, " bound"},     {TELAR_USE_KEPT, " kept"},
    };
    for (size_t k = 0; k < TL_COUNT(uses); k++) {
        if ((use & uses[k].use) != 0) tl_out_text(out, uses[k].text);
    }
}

static void dump_buffer(const tl_op *op, telar_out *out)
{
    tl_out_format(out, "buffer %u '%.*s' %llu bytes", op->number, TL_STR_ARGS(op->buffer.name),
                  (unsigned long long)op->buffer.size_bytes);
    dump_use(op->buffer.use, out);
}

static const char *space_text(telar_binding_space space)
{
    switch (space) {
    case TELAR_BINDING_UNIFORM: return "uniform";
    case TELAR_BINDING_STORAGE_READ: return "read";
    case TELAR_BINDING_STORAGE_READ_WRITE: return "read_write";
    }
    return "unknown";
}

static void dump_kernel(const tl_op *op, telar_out *out)
{
    const tl_op_kernel *kernel = &op->kernel;
    tl_out_format(out, "kernel %u '%.*s' entry %.*s size %ux%ux%u memory %u", op->number, TL_STR_ARGS(kernel->name),
                  TL_STR_ARGS(kernel->entry), kernel->size_x, kernel->size_y, kernel->size_z, kernel->memory_bytes);
    if (kernel->params_kind == TELAR_PARAMS_IMMEDIATE) {
        tl_out_format(out, " params immediate %u words", kernel->params_words);
    }
    if (kernel->params_kind == TELAR_PARAMS_UNIFORM) {
        tl_out_format(out, " params uniform (%u,%u) %u words", kernel->params_group, kernel->params_binding,
                      kernel->params_words);
    }
    if (kernel->trusted != 0) tl_out_text(out, " trusted");
    for (uint32_t k = 0; k < kernel->bindings.count; k++) {
        tl_binding binding = tl_binding_at(kernel->bindings, k);
        tl_out_format(out, " %.*s(%u,%u %s %llu%s)", TL_STR_ARGS(binding.name), binding.group, binding.binding,
                      space_text(binding.space), (unsigned long long)binding.min_bytes,
                      binding.windowed ? " windowed" : "");
    }
    for (uint32_t k = 0; k < kernel->overrides.count; k++) {
        tl_override override = tl_override_at(kernel->overrides, k);
        tl_out_format(out, " override %.*s=%.6f", TL_STR_ARGS(override.name), override.value);
    }
    tl_out_format(out, " wgsl %zu bytes", kernel->wgsl.len);
}

static void dump_binds(tl_bind_list binds, telar_out *out)
{
    for (uint32_t k = 0; k < binds.count; k++) {
        tl_bind bind = tl_bind_at(binds, k);
        tl_out_format(out, " buffer %u [%llu +%llu]", bind.buffer, (unsigned long long)bind.offset_bytes,
                      (unsigned long long)bind.size_bytes);
    }
}

/* A long tail of zeros (jobs that are not used) is counted, not printed. */
#define ZEROS_SHOWN 16

static void dump_params(tl_words params, telar_out *out)
{
    uint32_t shown = params.count;
    while (shown > 0 && params.words[shown - 1] == 0) shown--;
    if (params.count - shown < ZEROS_SHOWN) shown = params.count;
    if (params.count > 0) tl_out_text(out, " params");
    for (uint32_t k = 0; k < shown; k++) tl_out_format(out, "%c%u", k == 0 ? ' ' : ',', params.words[k]);
    if (shown < params.count) tl_out_format(out, " and %u zeros", params.count - shown);
}

static void dump_dispatch(const tl_op *op, telar_out *out)
{
    const tl_op_dispatch *dispatch = &op->dispatch;
    tl_out_format(out, "kernel %u groups (%u,%u,%u)", dispatch->kernel, dispatch->x, dispatch->y, dispatch->z);
    dump_params(dispatch->params, out);
    dump_binds(dispatch->binds, out);
}

static void dump_range(uint32_t buffer, uint64_t offset_bytes, uint64_t size_bytes, telar_out *out)
{
    tl_out_format(out, "buffer %u [%llu +%llu]", buffer, (unsigned long long)offset_bytes,
                  (unsigned long long)size_bytes);
}

static void dump_command(const tl_op *op, telar_out *out)
{
    tl_out_format(out, "%u %s ", op->number, tl_op_name(op->code));
    switch (op->code) {
    case TL_OP_DISPATCH: dump_dispatch(op, out); break;
    case TL_OP_DISPATCH_COUNTED:
        tl_out_format(out, "kernel %u by buffer %u [%llu]", op->dispatch_counted.kernel, op->dispatch_counted.launch,
                      (unsigned long long)op->dispatch_counted.launch_bytes);
        dump_binds(op->dispatch_counted.binds, out);
        break;
    case TL_OP_COPY:
        dump_range(op->copy.from, op->copy.from_bytes, op->copy.size_bytes, out);
        tl_out_text(out, " to ");
        dump_range(op->copy.to, op->copy.to_bytes, op->copy.size_bytes, out);
        break;
    case TL_OP_CLEAR: dump_range(op->clear.buffer, op->clear.offset_bytes, op->clear.size_bytes, out); break;
    case TL_OP_UPLOAD: dump_range(op->upload.buffer, op->upload.offset_bytes, op->upload.data.size_bytes, out); break;
    case TL_OP_DOWNLOAD:
        dump_range(op->download.buffer, op->download.offset_bytes, op->download.size_bytes, out);
        break;
    case TL_OP_MARK: tl_out_format(out, "'%.*s'", TL_STR_ARGS(op->mark.name)); break;
    case TL_OP_BUFFER:
    case TL_OP_KERNEL: break;
    }
}

void telar_recording_dump(telar_recording recording, telar_out *out)
{
    tl_out_format(out, "recording version %u: %u buffers, %u kernels, %u commands\n", TL_RECORDING_VERSION,
                  telar_recording_buffer_count(recording), telar_recording_kernel_count(recording),
                  telar_recording_command_count(recording));
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        switch (op.code) {
        case TL_OP_BUFFER: dump_buffer(&op, out); break;
        case TL_OP_KERNEL: dump_kernel(&op, out); break;
        default: dump_command(&op, out); break;
        }
        tl_out_bytes(out, "\n", 1);
    }
}

/* ---- Comparison --------------------------------------------------------------------------------------------------- */

static void name_op(const tl_op *op, telar_out *out)
{
    switch (op->code) {
    case TL_OP_BUFFER:
    case TL_OP_KERNEL: tl_out_format(out, "%s %u: ", tl_op_name(op->code), op->number); break;
    default: tl_out_format(out, "command %u (%s): ", op->number, tl_op_name(op->code)); break;
    }
}

static bool same_words(const tl_cursor *a, size_t a_from, const tl_cursor *b, size_t b_from)
{
    size_t count = a->at - a_from;
    if (count != b->at - b_from) return false;
    for (size_t k = 0; k < count; k++) {
        if (a->words[a_from + k] != b->words[b_from + k]) return false;
    }
    return true;
}

bool telar_recording_same(telar_recording a, telar_recording b, telar_out *difference)
{
    tl_cursor at_a = tl_cursor_begin(a), at_b = tl_cursor_begin(b);
    for (;;) {
        tl_op op_a, op_b;
        size_t from_a = at_a.at, from_b = at_b.at;
        bool more_a = tl_cursor_next(&at_a, &op_a), more_b = tl_cursor_next(&at_b, &op_b);
        if (!more_a && !more_b) return true;
        if (more_a && more_b && same_words(&at_a, from_a, &at_b, from_b)) continue;
        name_op(more_a ? &op_a : &op_b, difference);
        if (more_a != more_b) tl_out_format(difference, "only in the %s", more_a ? "first" : "second");
        else if (op_a.code != op_b.code) tl_out_format(difference, "%s in the second", tl_op_name(op_b.code));
        else tl_out_text(difference, "the two differ");
        return false;
    }
}
