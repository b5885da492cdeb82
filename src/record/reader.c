/* SPDX-License-Identifier: MIT
 *
 * Decodes ops from words. Every length is checked against the op's own end and the op's against the recording's, so one
 * decoder serves both the opening of words from anywhere and the walk over known ones. */
#include "record/reader.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "recordings are little-endian words, read in place"
#endif

/* The words of one op that are not read yet; sticky when they do not suffice. */
typedef struct field_reader {
    const uint32_t *words;
    size_t left;
    bool failed;
} field_reader;

static const uint32_t *take(field_reader *reader, size_t count)
{
    if (reader->failed || count > reader->left) {
        reader->failed = true;
        return NULL;
    }
    const uint32_t *words = reader->words;
    reader->words += count;
    reader->left -= count;
    return words;
}

static uint32_t read_u32(field_reader *reader)
{
    const uint32_t *words = take(reader, 1);
    return words == NULL ? 0 : words[0];
}

static uint64_t u64_at(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

static uint64_t read_u64(field_reader *reader)
{
    const uint32_t *words = take(reader, 2);
    return words == NULL ? 0 : u64_at(words);
}

static tl_bytes read_bytes(field_reader *reader)
{
    uint32_t size_bytes = read_u32(reader);
    const uint32_t *words = take(reader, size_bytes / 4 + (size_bytes % 4 != 0));
    if (words == NULL) return (tl_bytes){NULL, 0};
    return (tl_bytes){(const uint8_t *)words, size_bytes};
}

static tl_str read_text(field_reader *reader)
{
    tl_bytes bytes = read_bytes(reader);
    /* Texts become zero-terminated strings at the edges: a zero inside would cut them in silence. */
    if (bytes.size_bytes > 0 && memchr(bytes.data, 0, bytes.size_bytes) != NULL) {
        reader->failed = true;
        return (tl_str){NULL, 0};
    }
    return (tl_str){(const char *)bytes.data, bytes.size_bytes};
}

static tl_words read_words(field_reader *reader)
{
    uint32_t count = read_u32(reader);
    const uint32_t *words = take(reader, count);
    return (tl_words){words, words == NULL ? 0 : count};
}

#define BINDING_WORDS 8
#define BIND_WORDS 5

static tl_binding_list read_bindings(field_reader *reader)
{
    uint32_t count = read_u32(reader);
    if (count > reader->left) reader->failed = true;
    const uint32_t *words = take(reader, (size_t)count * BINDING_WORDS);
    const uint32_t *names = reader->words;
    for (uint32_t k = 0; k < count && !reader->failed; k++) read_text(reader);
    return (tl_binding_list){words, names, reader->failed ? 0 : count};
}

static tl_bind_list read_binds(field_reader *reader)
{
    uint32_t count = read_u32(reader);
    if (count > reader->left) reader->failed = true;
    const uint32_t *words = take(reader, (size_t)count * BIND_WORDS);
    return (tl_bind_list){words, words == NULL ? 0 : count};
}

static tl_override_list read_overrides(field_reader *reader)
{
    uint32_t count = read_u32(reader);
    const uint32_t *words = reader->words;
    for (uint32_t k = 0; k < count && !reader->failed; k++) {
        read_text(reader);
        read_u64(reader);
    }
    return (tl_override_list){words, reader->failed ? 0 : count};
}

#define U32(field) to->field = read_u32(reader);
#define U64(field) to->field = read_u64(reader);
#define BUFFER(field) to->field = read_u32(reader);
#define KERNEL(field) to->field = read_u32(reader);
#define TEXT(field) to->field = read_text(reader);
#define BYTES(field) to->field = read_bytes(reader);
#define WORDS(field) to->field = read_words(reader);
#define BINDINGS(field) to->field = read_bindings(reader);
#define BINDS(field) to->field = read_binds(reader);
#define OVERRIDES(field) to->field = read_overrides(reader);
#define OP(number, NAME, name, fields)                                                                                 \
    case TL_OP_##NAME: {                                                                                               \
        tl_op_##name *to = &op->name;                                                                                  \
        fields return !reader->failed;                                                                                 \
    }

static bool read_fields(field_reader *reader, tl_op *op)
{
    switch (op->code) {
#include "record/record_ops.inl"
    }
    return false;
}
#undef OP

const char *tl_op_name(tl_op_code code)
{
    switch (code) {
#define OP(number, NAME, name, fields)                                                                                 \
    case TL_OP_##NAME: return #name;
#include "record/record_ops.inl"
#undef OP
    }
    return "unknown";
}

tl_cursor tl_cursor_begin(telar_recording recording)
{
    return (tl_cursor){.words = recording.words, .at = TL_HEADER_WORDS, .end = recording.words_count};
}

static uint32_t number_of(tl_cursor *cursor, tl_op_code code)
{
    switch (code) {
    case TL_OP_BUFFER: return ++cursor->buffers;
    case TL_OP_KERNEL: return ++cursor->kernels;
    default: return ++cursor->commands;
    }
}

bool tl_cursor_next(tl_cursor *cursor, tl_op *op)
{
    size_t left = cursor->end - cursor->at;
    if (left < TL_OP_WORDS) return false;
    const uint32_t *words = cursor->words + cursor->at;
    size_t length = words[1];
    if (length < TL_OP_WORDS || length > left) return false;
    *op = (tl_op){.code = (tl_op_code)words[0]};
    field_reader reader = {words + TL_OP_WORDS, length - TL_OP_WORDS, false};
    if (!read_fields(&reader, op) || reader.left != 0) return false;
    op->number = number_of(cursor, op->code);
    cursor->at += length;
    return true;
}

tl_bind tl_bind_at(tl_bind_list list, uint32_t index)
{
    TELAR_ASSERT(index < list.count);
    const uint32_t *words = list.words + (size_t)index * BIND_WORDS;
    return (tl_bind){words[0], u64_at(words + 1), u64_at(words + 3)};
}

static tl_str text_at(const uint32_t **words)
{
    uint32_t size_bytes = **words;
    tl_str text = {(const char *)(*words + 1), size_bytes};
    *words += 1 + size_bytes / 4 + (size_bytes % 4 != 0);
    return text;
}

tl_binding tl_binding_at(tl_binding_list list, uint32_t index)
{
    TELAR_ASSERT(index < list.count);
    const uint32_t *words = list.words + (size_t)index * BINDING_WORDS;
    tl_binding binding = {.group = words[0],
                          .binding = words[1],
                          .space = (telar_binding_space)words[2],
                          .element_bytes = words[3],
                          .min_bytes = u64_at(words + 4),
                          .windowed = words[6] != 0};
    const uint32_t *names = list.names;
    for (uint32_t k = 0; k <= index; k++) binding.name = text_at(&names);
    return binding;
}

tl_override tl_override_at(tl_override_list list, uint32_t index)
{
    TELAR_ASSERT(index < list.count);
    const uint32_t *words = list.words;
    tl_override override = {0};
    for (uint32_t k = 0; k <= index; k++) {
        override.name = text_at(&words);
        uint64_t bits = u64_at(words);
        memcpy(&override.value, &bits, sizeof bits);
        words += 2;
    }
    return override;
}
