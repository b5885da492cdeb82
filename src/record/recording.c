/* SPDX-License-Identifier: MIT
 *
 * Opening words from anywhere: the form of a recording, without a device. What verify.c checks needs one. */
#include "record/reader.h"

uint32_t telar_recording_buffer_count(telar_recording recording)
{
    return recording.words[3];
}

uint32_t telar_recording_kernel_count(telar_recording recording)
{
    return recording.words[4];
}

uint32_t telar_recording_command_count(telar_recording recording)
{
    return recording.words[5];
}

static telar_status open_header(const uint32_t *words, size_t words_count, telar_diag *diag)
{
    if (words == NULL || words_count < TL_HEADER_WORDS) {
        return tl_fail_limit(diag, TELAR_INVALID_RECORDING, words_count, TL_HEADER_WORDS,
                             "a recording has at least %u words, this has %zu", TL_HEADER_WORDS, words_count);
    }
    if (words[0] != TL_RECORDING_MAGIC) {
        return tl_fail(diag, TELAR_INVALID_RECORDING, "not a recording: the first word is 0x%x, not 0x%x", words[0],
                       TL_RECORDING_MAGIC);
    }
    if (words[1] != TL_RECORDING_VERSION) {
        return tl_fail_limit(diag, TELAR_UNSUPPORTED, words[1], TL_RECORDING_VERSION,
                             "recording version (%u) is not the one this library reads (%u)", words[1],
                             TL_RECORDING_VERSION);
    }
    if (words[2] != words_count) {
        return tl_fail_limit(diag, TELAR_INVALID_RECORDING, words_count, words[2],
                             "the recording says %u words, there are %zu", words[2], words_count);
    }
    return TELAR_OK;
}

static bool dispatch_ids_exist(uint32_t kernel, tl_bind_list binds, const tl_cursor *cursor)
{
    if (kernel == 0 || kernel > cursor->kernels) return false;
    for (uint32_t k = 0; k < binds.count; k++) {
        uint32_t buffer = tl_bind_at(binds, k).buffer;
        if (buffer == 0 || buffer > cursor->buffers) return false;
    }
    return true;
}

static bool ids_exist(const tl_op *op, const tl_cursor *cursor)
{
#define HAVE_BUFFER(id) ((id) > 0 && (id) <= cursor->buffers)
    switch (op->code) {
    case TL_OP_DISPATCH: return dispatch_ids_exist(op->dispatch.kernel, op->dispatch.binds, cursor);
    case TL_OP_DISPATCH_COUNTED:
        return HAVE_BUFFER(op->dispatch_counted.launch) &&
               dispatch_ids_exist(op->dispatch_counted.kernel, op->dispatch_counted.binds, cursor);
    case TL_OP_COPY: return HAVE_BUFFER(op->copy.from) && HAVE_BUFFER(op->copy.to);
    case TL_OP_CLEAR: return HAVE_BUFFER(op->clear.buffer);
    case TL_OP_UPLOAD: return HAVE_BUFFER(op->upload.buffer);
    case TL_OP_DOWNLOAD: return HAVE_BUFFER(op->download.buffer);
    case TL_OP_BUFFER:
    case TL_OP_KERNEL:
    case TL_OP_MARK: return true;
    }
#undef HAVE_BUFFER
    return false;
}

static telar_status open_ops(telar_recording recording, telar_diag *diag)
{
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        if (!ids_exist(&op, &cursor)) {
            return tl_fail(diag, TELAR_INVALID_RECORDING,
                           "command %u (%s) names a buffer or kernel that is not declared before it", op.number,
                           tl_op_name(op.code));
        }
        if (cursor.buffers > TELAR_RECORDING_HANDLES_MAX || cursor.kernels > TELAR_RECORDING_HANDLES_MAX) {
            return tl_fail(diag, TELAR_INVALID_RECORDING, "a recording has at most %d buffers and as many kernels",
                           TELAR_RECORDING_HANDLES_MAX);
        }
    }
    if (cursor.at != cursor.end) {
        return tl_fail(diag, TELAR_INVALID_RECORDING, "the words at %zu of %zu are no op of a recording", cursor.at,
                       cursor.end);
    }
    const uint32_t *words = recording.words;
    if (words[3] != cursor.buffers || words[4] != cursor.kernels || words[5] != cursor.commands) {
        return tl_fail(diag, TELAR_INVALID_RECORDING,
                       "the recording says %u buffers, %u kernels, %u commands; it has %u, %u, %u", words[3], words[4],
                       words[5], cursor.buffers, cursor.kernels, cursor.commands);
    }
    return TELAR_OK;
}

telar_status telar_recording_open(const uint32_t *words, size_t words_count, telar_recording *recording,
                                  telar_diag *diag)
{
    *recording = (telar_recording){0};
    TELAR_TRY(open_header(words, words_count, diag));
    TELAR_ASSERT(words != NULL); /* said by the header's check */
    telar_recording opened = {words, words_count};
    TELAR_TRY(open_ops(opened, diag));
    *recording = opened;
    return TELAR_OK;
}
