/* SPDX-License-Identifier: MIT
 *
 * Reading a recording op by op. Each op of record_ops.inl becomes a struct of views into the words: nothing is copied.
 *
 *     tl_op op;
 *     tl_cursor cursor = tl_cursor_begin(recording);
 *     while (tl_cursor_next(&cursor, &op)) switch (op.code) { case TL_OP_DISPATCH: ... op.dispatch.x ... }
 *
 * Only for recordings that telar_recording_open or telar_record_end gave: those are known to be well formed. */
#ifndef TL_RECORD_READER_H
#define TL_RECORD_READER_H

#include <telar/record.h>

#include "base/base.h"

#define TL_RECORDING_MAGIC 0x524c4554u /* "TELR" */
#define TL_RECORDING_VERSION 2u
#define TL_HEADER_WORDS 6u   /* magic, version, words, buffers, kernels, commands */
#define TL_COUNTED_BYTES 48u /* of a counted dispatch: the launch block, x, y, z, and the rest of 16 bytes */
#define TL_OP_WORDS 2u       /* code, length in words with these two */

typedef struct tl_words {
    const uint32_t *words;
    uint32_t count;
} tl_words;

typedef struct tl_bytes {
    const uint8_t *data;
    uint32_t size_bytes;
} tl_bytes;

typedef struct tl_bind_list {
    const uint32_t *words;
    uint32_t count;
} tl_bind_list;

typedef struct tl_binding_list {
    const uint32_t *words;
    const uint32_t *names; /* where the TEXTs begin */
    uint32_t count;
} tl_binding_list;

typedef struct tl_override_list {
    const uint32_t *words;
    uint32_t count;
} tl_override_list;

typedef enum tl_op_code {
#define OP(number, NAME, name, fields) TL_OP_##NAME = number,
#include "record/record_ops.inl"
#undef OP
} tl_op_code;

#define U32(name) uint32_t name;
#define U64(name) uint64_t name;
#define BUFFER(name) uint32_t name;
#define KERNEL(name) uint32_t name;
#define TEXT(name) tl_str name;
#define BYTES(name) tl_bytes name;
#define WORDS(name) tl_words name;
#define BINDINGS(name) tl_binding_list name;
#define BINDS(name) tl_bind_list name;
#define OVERRIDES(name) tl_override_list name;
#define OP(number, NAME, name, fields)                                                                                 \
    typedef struct tl_op_##name {                                                                                      \
        fields                                                                                                         \
    } tl_op_##name;
#include "record/record_ops.inl"
#undef OP
#undef U32
#undef U64
#undef BUFFER
#undef KERNEL
#undef TEXT
#undef BYTES
#undef WORDS
#undef BINDINGS
#undef BINDS
#undef OVERRIDES

typedef struct tl_op {
    tl_op_code code;
    uint32_t number; /* of the buffer, the kernel or the command, from 1 each */
    union {
#define OP(number, NAME, name, fields) tl_op_##name name;
#include "record/record_ops.inl"
#undef OP
    };
} tl_op;

typedef struct tl_cursor {
    const uint32_t *words;
    size_t at;
    size_t end;
    uint32_t buffers;
    uint32_t kernels;
    uint32_t commands;
} tl_cursor;

tl_cursor tl_cursor_begin(telar_recording recording);
/* False at the end, and where the words are malformed: cursor->at < cursor->end then. */
bool tl_cursor_next(tl_cursor *cursor, tl_op *op);
const char *tl_op_name(tl_op_code code); /* "dispatch" */

typedef struct tl_bind {
    uint32_t buffer;
    uint64_t offset_bytes;
    uint64_t size_bytes; /* never 0: resolved when recorded */
} tl_bind;
tl_bind tl_bind_at(tl_bind_list list, uint32_t index);

typedef struct tl_binding {
    uint32_t group;
    uint32_t binding;
    telar_binding_space space;
    uint32_t element_bytes;
    uint64_t min_bytes;
    bool windowed;
    tl_str name;
} tl_binding;
/* Walks the names too: linear in index. */
tl_binding tl_binding_at(tl_binding_list list, uint32_t index);

typedef struct tl_override {
    tl_str name;
    double value;
} tl_override;
tl_override tl_override_at(tl_override_list list, uint32_t index);

#endif
