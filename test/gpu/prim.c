/* SPDX-License-Identifier: MIT */
#include "prim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/host.h"
#include "record/reader.h"

enum {
    WORDS = 1 << 20,
    ARENA_BYTES = 64 << 20,
    GUARD_BYTE = 0x5a
};

prim_test prim_begin(prim_path path)
{
    prim_test test = {0};
    uint32_t *words = malloc(WORDS * 4);
    void *arena = malloc(ARENA_BYTES);
    assert_non_null(words);
    assert_non_null(arena);
    test.record = telar_record_begin(words, WORDS);
    test.arena = telar_arena_make(arena, ARENA_BYTES);
    test.facts = *telar_host_facts(gpu.host);
    if (path != PRIM_AS_IS) test.facts.type = TELAR_DEVICE_DISCRETE;
    test.prim.plain = path == PRIM_AS_PLAIN_GPU;
    test.prim.dialect = telar_host_dialect(gpu.host);
    return test;
}

void prim_end(prim_test *test)
{
    telar_prepared_release(test->prepared);
    for (uint32_t k = 0; k < test->arrays_count; k++) telar_host_buffer_release(gpu.host, test->bound[k].handle);
    free(test->record.words);
    free(test->arena.data);
}

static telar_array make_array(prim_test *test, const char *name, const void *data, uint64_t size_bytes,
                              uint64_t offset_bytes, uint64_t room_bytes)
{
    assert_true(test->arrays_count < PRIM_ARRAYS_MAX);
    /* The struct has reached its place by now. */
    test->prim.facts = &test->facts;
    test->prim.arena = &test->arena;
    uint64_t begin = PRIM_GUARD_BYTES + offset_bytes;
    uint64_t whole = begin + room_bytes + PRIM_GUARD_BYTES;
    uint8_t *bytes = malloc(whole);
    assert_non_null(bytes);
    memset(bytes, GUARD_BYTE, whole);
    if (data != NULL) memcpy(bytes + begin, data, size_bytes);
    uint32_t k = test->arrays_count++;
    GPU_OK(telar_host_buffer_create(gpu.host, whole, &test->bound[k].handle, &gpu.diag));
    GPU_OK(telar_host_write(gpu.host, test->bound[k].handle, 0, bytes, whole, &gpu.diag));
    free(bytes);
    uint64_t words = (whole + 3) / 4;
    test->bound[k].buffer = telar_record_buffer(
        &test->record,
        &(telar_buffer_desc){.name = name, .size_bytes = 4 * words, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND});
    test->arrays[k] = (telar_array){.buffer = test->bound[k].buffer, .offset_bytes = begin, .size_bytes = room_bytes};
    test->array_bytes[k] = size_bytes;
    return test->arrays[k];
}

telar_array prim_array(prim_test *test, const char *name, const void *data, uint64_t size_bytes, uint64_t offset_bytes)
{
    return make_array(test, name, data, size_bytes, offset_bytes, size_bytes);
}

telar_array prim_roomy_array(prim_test *test, const char *name, const void *data, uint64_t size_bytes,
                             uint64_t offset_bytes)
{
    return make_array(test, name, data, size_bytes, offset_bytes, (size_bytes + 15) / 16 * 16);
}

uint64_t prim_capacity(uint64_t n, prim_form form)
{
    return form == PRIM_PARTLY ? n + n / 3 + 5 : n;
}

telar_length prim_length(prim_test *test, uint64_t n, prim_form form)
{
    if (form == PRIM_HOST) return (telar_length){.count = n};
    uint32_t count = (uint32_t)n;
    telar_array array = prim_array(test, "count", &count, 4, 0);
    return (telar_length){.count = prim_capacity(n, form),
                          .on_gpu = {.buffer = array.buffer, .offset_bytes = array.offset_bytes}};
}

static void check_band(const prim_test *test, uint32_t array, uint64_t begin, uint64_t end)
{
    uint8_t *bytes = malloc(end - begin);
    assert_non_null(bytes);
    GPU_OK(telar_host_read(gpu.host, test->bound[array].handle, begin, bytes, end - begin, &gpu.diag));
    for (uint64_t at = begin; at < end; at++) {
        if (bytes[at - begin] != GUARD_BYTE)
            fail_msg("array %u: byte %llu outside it was written", array, (unsigned long long)at);
    }
    free(bytes);
}

static void check_guards(const prim_test *test)
{
    for (uint32_t k = 0; k < test->arrays_count; k++) {
        const telar_array *array = &test->arrays[k];
        check_band(test, k, 0, array->offset_bytes);
        check_band(test, k, array->offset_bytes + test->array_bytes[k],
                   array->offset_bytes + array->size_bytes + PRIM_GUARD_BYTES);
    }
}

static void prepare(prim_test *test)
{
    telar_recording recording;
    GPU_OK(telar_record_end(&test->record, &recording, &gpu.diag));
    GPU_OK(telar_recording_open(recording.words, recording.words_count, &recording, &gpu.diag));
    GPU_OK(
        telar_host_prepare_trusted(gpu.host, recording, test->bound, test->arrays_count, &test->prepared, &gpu.diag));
}

void prim_run(prim_test *test)
{
    if (test->prepared == NULL) prepare(test);
    GPU_OK(telar_prepared_run(test->prepared, &gpu.diag));
    check_guards(test);
}

void prim_run_dirty(prim_test *test, uint32_t word)
{
    if (test->prepared == NULL) prepare(test);
    tl_cursor cursor = tl_cursor_begin(test->prepared->recording);
    for (tl_op op; tl_cursor_next(&cursor, &op);) {
        if (op.code != TL_OP_BUFFER || (op.buffer.use & (TELAR_USE_BOUND | TELAR_USE_KEPT)) != 0) continue;
        uint64_t count = op.buffer.size_bytes / 4;
        uint32_t *words = malloc(op.buffer.size_bytes);
        assert_non_null(words);
        for (uint64_t k = 0; k < count; k++) words[k] = word;
        WGPUBuffer buffer = test->prepared->buffers[op.number - 1].handle;
        GPU_OK(telar_host_write(gpu.host, buffer, 0, words, op.buffer.size_bytes, &gpu.diag));
        free(words);
    }
    prim_run(test);
}

void prim_read(prim_test *test, telar_array array, void *data)
{
    for (uint32_t k = 0; k < test->arrays_count; k++) {
        if (test->arrays[k].buffer.id != array.buffer.id) continue;
        GPU_OK(telar_host_read(gpu.host, test->bound[k].handle, array.offset_bytes, data, test->array_bytes[k],
                               &gpu.diag));
        return;
    }
    fail_msg("the array is not one of the test's");
}

void prim_refused(prim_test *test, telar_status status)
{
    telar_recording recording;
    assert_int_equal(telar_record_end(&test->record, &recording, &gpu.diag), status);
}

void prim_random(uint32_t *words, uint64_t count, uint32_t seed)
{
    uint32_t state = seed * 2654435761u + 1;
    for (uint64_t k = 0; k < count; k++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        words[k] = state;
    }
}
