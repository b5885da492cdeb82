/* SPDX-License-Identifier: MIT
 *
 * One run's recording to a set of many: commands are words without a place of their own, so that repeating them is
 * copying. The kernels and buffers stay the same, as when an application runs a prepared recording again and again. */
#include "harness/case.h"

#include "record/builder.h"

static bool is_declaration(tl_op_code code)
{
    return code == TL_OP_BUFFER || code == TL_OP_KERNEL;
}

static bool is_work(tl_op_code code)
{
    return !is_declaration(code) && code != TL_OP_MARK && code != TL_OP_DOWNLOAD;
}

/* Appends the ops of one sort. */
static uint32_t append(telar_record *record, telar_recording recording, bool (*wanted)(tl_op_code))
{
    uint32_t count = 0;
    tl_op op;
    tl_cursor cursor = tl_cursor_begin(recording);
    for (size_t start = cursor.at; tl_cursor_next(&cursor, &op); start = cursor.at) {
        if (!wanted(op.code)) continue;
        for (size_t k = start; k < cursor.at; k++) tl_put_u32(record, recording.words[k]);
        count++;
    }
    return count;
}

telar_status bench_recording_repeat(telar_recording recording, uint32_t repeats, uint32_t *words, size_t words_cap,
                                    telar_recording *repeated, telar_diag *diag)
{
    telar_record record = telar_record_begin(words, words_cap);
    append(&record, recording, is_declaration);
    record.buffers = telar_recording_buffer_count(recording);
    record.kernels = telar_recording_kernel_count(recording);
    telar_record_mark(&record, "begin");
    for (uint32_t k = 0; k < repeats; k++) record.commands += append(&record, recording, is_work);
    telar_record_mark(&record, "end");
    return telar_record_end(&record, repeated, diag);
}

uint32_t bench_recording_dispatches(telar_recording recording)
{
    uint32_t count = 0;
    tl_op op;
    tl_cursor cursor = tl_cursor_begin(recording);
    while (tl_cursor_next(&cursor, &op)) count += op.code == TL_OP_DISPATCH || op.code == TL_OP_DISPATCH_COUNTED;
    return count;
}
