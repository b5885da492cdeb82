/* SPDX-License-Identifier: MIT
 *
 * Builds a recording. Sticky: the first failure is kept and reported at the end. Words that do not fit are counted, so
 * a first pass without memory tells the size. */
#include "record/builder.h"

#include <string.h>

/* ---- Words --------------------------------------------------------------------------------------- */

void tl_put_u32(telar_record *record, uint32_t word)
{
    if (record->words_len < record->words_cap) record->words[record->words_len] = word;
    record->words_len++;
}

void tl_put_u64(telar_record *record, uint64_t value)
{
    tl_put_u32(record, (uint32_t)value);
    tl_put_u32(record, (uint32_t)(value >> 32));
}

static void put_bytes(telar_record *record, const void *data, size_t size_bytes)
{
    const uint8_t *bytes = data;
    tl_put_u32(record, (uint32_t)size_bytes);
    for (size_t at = 0; at < size_bytes; at += 4) {
        uint32_t word = 0;
        for (size_t k = 0; k < 4 && at + k < size_bytes; k++) { word |= (uint32_t)bytes[at + k] << 8 * k; }
        tl_put_u32(record, word);
    }
}

static void put_text(telar_record *record, const char *text)
{
    put_bytes(record, text, text == NULL ? 0 : strlen(text));
}

static void patch(telar_record *record, size_t at, uint32_t word)
{
    if (at < record->words_cap) record->words[at] = word;
}

size_t tl_begin_op(telar_record *record, tl_op_code code)
{
    size_t start = record->words_len;
    tl_put_u32(record, code);
    tl_put_u32(record, 0);
    return start;
}

void tl_end_op(telar_record *record, size_t start)
{
    patch(record, start + 1, (uint32_t)(record->words_len - start));
}

/* ---- Sticky failures ----------------------------------------------------------------------------- */

static void fail(telar_record *record, const telar_diag *numbers, const char *format, va_list args)
{
    if (record->status != TELAR_OK) return;
    record->diag = *numbers;
    record->status = numbers->status;
    telar_out out = {record->diag.text, sizeof record->diag.text, 0};
    tl_out_vformat(&out, format, args);
}

void tl_record_fail(telar_record *record, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(record, &(telar_diag){.status = TELAR_INVALID_ARGUMENT}, format, args);
    va_end(args);
}

void tl_record_fail_as(telar_record *record, const telar_diag *numbers, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(record, numbers, format, args);
    va_end(args);
}

static bool have_buffer(telar_record *record, telar_buffer buffer, const char *command)
{
    bool have = buffer.id > 0 && buffer.id <= record->buffers;
    if (!have) tl_record_fail(record, "%s: buffer %u is not in this recording", command, buffer.id);
    return have;
}

/* ---- Declarations -------------------------------------------------------------------------------- */

telar_record telar_record_begin(uint32_t *words, size_t words_cap)
{
    telar_record record = {.words = words, .words_cap = words == NULL ? 0 : words_cap};
    for (uint32_t k = 0; k < TL_HEADER_WORDS; k++) tl_put_u32(&record, 0);
    return record;
}

telar_buffer telar_record_buffer(telar_record *record, const telar_buffer_desc *desc)
{
    const char *name = desc->name == NULL ? "" : desc->name;
    if (desc->size_bytes == 0 || desc->size_bytes % 4 != 0) {
        tl_record_fail(record, "buffer '%s': size (%llu bytes) must be a multiple of 4 above 0", name,
                       (unsigned long long)desc->size_bytes);
    }
    if (record->buffers == TELAR_RECORDING_HANDLES_MAX) {
        tl_record_fail(record, "buffer '%s': a recording has at most %d buffers", name, TELAR_RECORDING_HANDLES_MAX);
        return (telar_buffer){0};
    }
    if ((desc->use & TELAR_USE_BOUND) == 0) record->scratch_bytes += desc->size_bytes;
    size_t start = tl_begin_op(record, TL_OP_BUFFER);
    tl_put_u32(record, desc->use);
    tl_put_u64(record, desc->size_bytes);
    put_text(record, name);
    tl_end_op(record, start);
    return (telar_buffer){++record->buffers};
}

static void put_bindings(telar_record *record, const telar_kernel_desc *desc)
{
    tl_put_u32(record, desc->bindings_count);
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        const telar_binding *binding = &desc->bindings[k];
        tl_put_u32(record, binding->group);
        tl_put_u32(record, binding->binding);
        tl_put_u32(record, (uint32_t)binding->space);
        tl_put_u32(record, binding->element_bytes);
        tl_put_u64(record, binding->min_bytes);
        tl_put_u32(record, binding->windowed);
        tl_put_u32(record, 0);
    }
    for (uint32_t k = 0; k < desc->bindings_count; k++) put_text(record, desc->bindings[k].name);
}

static void put_overrides(telar_record *record, const telar_kernel_desc *desc)
{
    tl_put_u32(record, desc->overrides_count);
    for (uint32_t k = 0; k < desc->overrides_count; k++) {
        uint64_t bits;
        memcpy(&bits, &desc->overrides[k].value, sizeof bits);
        put_text(record, desc->overrides[k].name);
        tl_put_u64(record, bits);
    }
}

telar_kernel telar_record_kernel(telar_record *record, const telar_kernel_desc *desc)
{
    if (record->kernels == TELAR_RECORDING_HANDLES_MAX) {
        tl_record_fail(record, "kernel '%s': a recording has at most %d kernels", desc->name,
                       TELAR_RECORDING_HANDLES_MAX);
        return (telar_kernel){0};
    }
    size_t start = tl_begin_op(record, TL_OP_KERNEL);
    for (int axis = 0; axis < 3; axis++) tl_put_u32(record, desc->workgroup_size[axis]);
    tl_put_u32(record, desc->workgroup_memory_bytes);
    tl_put_u32(record, (uint32_t)desc->params_kind);
    tl_put_u32(record, desc->params_group);
    tl_put_u32(record, desc->params_binding);
    tl_put_u32(record, desc->params_words);
    tl_put_u32(record, desc->trusted);
    put_bindings(record, desc);
    put_overrides(record, desc);
    put_text(record, desc->name);
    put_text(record, desc->entry);
    put_bytes(record, desc->wgsl, desc->wgsl_bytes);
    tl_end_op(record, start);
    return (telar_kernel){++record->kernels};
}

/* ---- Commands ------------------------------------------------------------------------------------ */

/* A buffer's size, found in the words; 0 while they do not fit (then only lengths matter). */
static uint64_t buffer_bytes(const telar_record *record, uint32_t id)
{
    if (record->words_len > record->words_cap) return 0;
    telar_recording recording = {record->words, record->words_len};
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    while (cursor.buffers < id && tl_cursor_next(&cursor, &op)) {
        if (op.code == TL_OP_BUFFER && op.number == id) return op.buffer.size_bytes;
    }
    return 0;
}

/* size 0 asks for the rest of the buffer; an offset past its end is left for the verifier to name. */
static uint64_t size_or_rest(const telar_record *record, telar_buffer buffer, uint64_t offset_bytes,
                             uint64_t size_bytes)
{
    if (size_bytes != 0) return size_bytes;
    uint64_t whole_bytes = buffer_bytes(record, buffer.id);
    return offset_bytes < whole_bytes ? whole_bytes - offset_bytes : 0;
}

static void put_bind(telar_record *record, telar_buffer buffer, uint64_t offset_bytes, uint64_t size_bytes)
{
    tl_put_u32(record, buffer.id);
    tl_put_u64(record, offset_bytes);
    tl_put_u64(record, size_bytes);
}

void tl_put_bind(telar_record *record, const telar_bind *bind)
{
    put_bind(record, bind->buffer, bind->offset_bytes,
             size_or_rest(record, bind->buffer, bind->offset_bytes, bind->size_bytes));
}

bool tl_can_dispatch(telar_record *record, telar_kernel kernel, const telar_bind *binds, uint32_t binds_count)
{
    if (kernel.id == 0 || kernel.id > record->kernels) {
        tl_record_fail(record, "dispatch: kernel %u is not in this recording", kernel.id);
        return false;
    }
    for (uint32_t k = 0; k < binds_count; k++) {
        if (!have_buffer(record, binds[k].buffer, "dispatch")) return false;
    }
    return true;
}

static size_t begin_dispatch(telar_record *record, telar_kernel kernel, const uint32_t groups[3],
                             const uint32_t *params, uint32_t params_words)
{
    size_t start = tl_begin_op(record, TL_OP_DISPATCH);
    tl_put_u32(record, kernel.id);
    for (int axis = 0; axis < 3; axis++) tl_put_u32(record, groups[axis]);
    tl_put_u32(record, params_words);
    for (uint32_t k = 0; k < params_words; k++) tl_put_u32(record, params[k]);
    return start;
}

void telar_record_dispatch(telar_record *record, const telar_dispatch_desc *desc)
{
    if (desc->groups[0] == 0 || desc->groups[1] == 0 || desc->groups[2] == 0) return;
    if (!tl_can_dispatch(record, desc->kernel, desc->binds, desc->binds_count)) return;
    size_t start = begin_dispatch(record, desc->kernel, desc->groups, desc->params, desc->params_words);
    tl_put_u32(record, desc->binds_count);
    for (uint32_t k = 0; k < desc->binds_count; k++) tl_put_bind(record, &desc->binds[k]);
    tl_end_op(record, start);
    record->commands++;
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

bool tl_is_report(const telar_kernel_desc *desc, uint32_t k)
{
    return desc->canary && strcmp(desc->bindings[k].name, "telar_report") == 0;
}

const telar_bind *tl_bind_for(const telar_kernel_desc *desc, uint32_t k, const telar_bind *binds, uint32_t binds_count)
{
    for (uint32_t j = 0; j < binds_count && binds[j].name != NULL; j++) {
        if (strcmp(binds[j].name, desc->bindings[k].name) == 0) return &binds[j];
    }
    if (binds_count > 0 && binds[0].name != NULL) return NULL;
    uint32_t place = k;
    for (uint32_t j = 0; j < k; j++) place -= tl_is_report(desc, j); /* the report is the launch's own */
    return place < binds_count ? &binds[place] : NULL;
}

static bool names_a_binding(const telar_kernel_desc *desc, const char *name)
{
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        if (strcmp(desc->bindings[k].name, name) == 0) return true;
    }
    return false;
}

static bool names_are_right(telar_record *record, const telar_kernel_desc *desc, const telar_bind *binds,
                            uint32_t binds_count)
{
    for (uint32_t j = 0; j < binds_count; j++) {
        if ((binds[j].name == NULL) != (binds[0].name == NULL)) {
            tl_record_fail(record, "launch of '%s': all binds have names or none has", desc->name);
            return false;
        }
        if (binds[j].name == NULL || names_a_binding(desc, binds[j].name)) continue;
        tl_record_fail(record, "launch of '%s': it has no binding '%s'", desc->name, binds[j].name);
        return false;
    }
    return true;
}

/* An array that is accessed only at [i] must hold every i; its size is not known while words are only counted. */
static bool covers(telar_record *record, const telar_kernel_desc *desc, const telar_binding *binding,
                   const telar_bind *bind, uint64_t elements)
{
    uint64_t size_bytes = size_or_rest(record, bind->buffer, bind->offset_bytes, bind->size_bytes);
    if (!binding->windowed || size_bytes == 0 || size_bytes / binding->element_bytes >= elements) return true;
    tl_record_fail(record, "launch of '%s': '%s' holds %llu elements, the domain has %llu", desc->name, binding->name,
                   (unsigned long long)(size_bytes / binding->element_bytes), (unsigned long long)elements);
    return false;
}

bool tl_can_launch(telar_record *record, const telar_kernel_desc *desc, uint64_t elements, const telar_bind *binds,
                   uint32_t binds_count)
{
    if (binds_count + desc->canary != desc->bindings_count) {
        tl_record_fail(record, "launch of '%s': %u bindings given, the kernel has %u", desc->name, binds_count,
                       desc->bindings_count - desc->canary);
        return false;
    }
    if (!names_are_right(record, desc, binds, binds_count)) return false;
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        if (tl_is_report(desc, k)) continue;
        const telar_bind *bind = tl_bind_for(desc, k, binds, binds_count);
        if (bind == NULL) {
            tl_record_fail(record, "launch of '%s': nothing is bound to '%s'", desc->name, desc->bindings[k].name);
            return false;
        }
        if (!covers(record, desc, &desc->bindings[k], bind, elements)) return false;
    }
    return true;
}

/* The part of a binding that one window covers. */
static void put_window_bind(telar_record *record, const telar_bind *bind, uint32_t element_bytes,
                            const telar_window *window)
{
    uint64_t first_bytes = window->first * element_bytes;
    uint64_t size_bytes = window->count * element_bytes;
    size_bytes += (4 - size_bytes % 4) % 4;
    put_bind(record, bind->buffer, bind->offset_bytes + first_bytes, size_bytes);
}

static void record_window(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                          const telar_plan *plan, uint64_t index, const telar_bind *binds, uint32_t binds_count)
{
    telar_window window = telar_plan_window(plan, index);
    uint32_t params[TELAR_LAUNCH_WORDS];
    telar_launch_params(plan, &window, params);
    size_t start = begin_dispatch(record, kernel, window.dispatch, params,
                                  desc->params_kind == TELAR_PARAMS_NONE ? 0 : TELAR_LAUNCH_WORDS);
    tl_put_u32(record, binds_count);
    for (uint32_t k = 0; k < binds_count; k++) {
        const telar_binding *binding = &desc->bindings[k];
        const telar_bind *bind = tl_bind_for(desc, k, binds, binds_count);
        bool cut = binding->windowed && plan->window_count > 1;
        if (cut) put_window_bind(record, bind, binding->element_bytes, &window);
        else tl_put_bind(record, bind);
    }
    tl_end_op(record, start);
    record->commands++;
}

void telar_record_launch(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                         const telar_plan *plan, const telar_bind *binds, uint32_t binds_count)
{
    if (desc->canary) {
        tl_record_fail(record, "launch of '%s': it was woven with a canary, for counted launches", desc->name);
        return;
    }
    if (!tl_can_dispatch(record, kernel, binds, binds_count)) return;
    if (!tl_can_launch(record, desc, plan->elements, binds, binds_count)) return;
    for (uint64_t index = 0; index < plan->window_count; index++) {
        record_window(record, kernel, desc, plan, index, binds, binds_count);
    }
}

/* ---- The other commands ------------------------------------------------------------------------------------------ */

void telar_record_copy(telar_record *record, telar_buffer from, uint64_t from_bytes, telar_buffer to, uint64_t to_bytes,
                       uint64_t size_bytes)
{
    if (!have_buffer(record, from, "copy") || !have_buffer(record, to, "copy")) return;
    if (size_bytes == 0) return;
    size_t start = tl_begin_op(record, TL_OP_COPY);
    tl_put_u32(record, from.id);
    tl_put_u64(record, from_bytes);
    tl_put_u32(record, to.id);
    tl_put_u64(record, to_bytes);
    tl_put_u64(record, size_bytes);
    tl_end_op(record, start);
    record->commands++;
}

void telar_record_clear(telar_record *record, telar_buffer buffer, uint64_t offset_bytes, uint64_t size_bytes)
{
    if (!have_buffer(record, buffer, "clear")) return;
    size_t start = tl_begin_op(record, TL_OP_CLEAR);
    tl_put_u32(record, buffer.id);
    tl_put_u64(record, offset_bytes);
    tl_put_u64(record, size_or_rest(record, buffer, offset_bytes, size_bytes));
    tl_end_op(record, start);
    record->commands++;
}

void telar_record_upload(telar_record *record, telar_buffer buffer, uint64_t offset_bytes, const void *data,
                         size_t size_bytes)
{
    if (!have_buffer(record, buffer, "upload") || size_bytes == 0) return;
    if (size_bytes > UINT32_MAX - 3) {
        tl_record_fail(record, "upload: size (%zu bytes) is too large for a recording; write the buffer", size_bytes);
        return;
    }
    size_t start = tl_begin_op(record, TL_OP_UPLOAD);
    tl_put_u32(record, buffer.id);
    tl_put_u64(record, offset_bytes);
    put_bytes(record, data, size_bytes);
    tl_end_op(record, start);
    record->commands++;
}

uint32_t telar_record_download(telar_record *record, telar_buffer buffer, uint64_t offset_bytes, uint64_t size_bytes)
{
    if (!have_buffer(record, buffer, "download")) return record->downloads;
    size_t start = tl_begin_op(record, TL_OP_DOWNLOAD);
    tl_put_u32(record, buffer.id);
    tl_put_u64(record, offset_bytes);
    tl_put_u64(record, size_or_rest(record, buffer, offset_bytes, size_bytes));
    tl_end_op(record, start);
    record->commands++;
    return record->downloads++;
}

void telar_record_mark(telar_record *record, const char *name)
{
    size_t start = tl_begin_op(record, TL_OP_MARK);
    put_text(record, name);
    tl_end_op(record, start);
    record->commands++;
}

telar_status telar_record_end(telar_record *record, telar_recording *recording, telar_diag *diag)
{
    *recording = (telar_recording){0};
    if (record->status != TELAR_OK) {
        if (diag != NULL) *diag = record->diag;
        return record->status;
    }
    if (record->words_len > UINT32_MAX) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, record->words_len, UINT32_MAX,
                             "the recording (%zu words) is longer than 2^32 - 1 words", record->words_len);
    }
    if (record->words_len > record->words_cap) {
        return tl_fail_limit(diag, TELAR_NO_SPACE, record->words_len, record->words_cap,
                             "the recording needs %zu words, the memory given has %zu", record->words_len,
                             record->words_cap);
    }
    const uint32_t header[TL_HEADER_WORDS] = {TL_RECORDING_MAGIC, TL_RECORDING_VERSION, (uint32_t)record->words_len,
                                              record->buffers,    record->kernels,      record->commands};
    memcpy(record->words, header, sizeof header);
    *recording = (telar_recording){record->words, record->words_len};
    return TELAR_OK;
}
