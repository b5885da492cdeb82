/* SPDX-License-Identifier: MIT
 *
 * Bytes between CPU and device: odd offsets, neighbours, chunks, and the pool, which never shows what was there
 * before. */
#include "host_help.h"

static int open_device(void **state)
{
    *state = open_host();
    return 0;
}

static int close_device(void **state)
{
    telar_host_close(*state);
    return 0;
}

static uint8_t byte_of(uint64_t at, uint32_t seed)
{
    uint64_t x = (at + seed) * 0x9e3779b97f4a7c15u;
    return (uint8_t)(x >> 56);
}

static uint8_t *pattern(size_t size, uint32_t seed)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t k = 0; k < size; k++) bytes[k] = byte_of(k, seed);
    return bytes;
}

static WGPUBuffer create(telar_host *host, uint64_t size)
{
    WGPUBuffer buffer;
    must(telar_host_buffer_create(host, size, &buffer, &diag));
    return buffer;
}

/* C106, C109: every small offset and size, and nothing beside the range changes. */
static void odd_offsets(void **state)
{
    telar_host *host = *state;
    uint8_t model[32], got[32];
    WGPUBuffer buffer = create(host, sizeof model);
    uint32_t seed = 1;
    memset(model, 0, sizeof model);
    for (uint64_t offset = 0; offset < 9; offset++) {
        for (uint64_t size = 0; size < 12; size++, seed++) {
            uint8_t data[12];
            for (uint64_t k = 0; k < size; k++) model[offset + k] = data[k] = byte_of(k, seed);
            must(telar_host_write(host, buffer, offset, data, size, &diag));
            must(telar_host_read(host, buffer, 0, got, sizeof got, &diag));
            assert_memory_equal(got, model, sizeof model);
            memset(got, 0xee, sizeof got);
            must(telar_host_read(host, buffer, offset, got + 3, size, &diag));
            if (size > 0) assert_memory_equal(got + 3, data, size);
            assert_int_equal(got[2], 0xee);
            assert_int_equal(got[3 + size], 0xee);
        }
    }
    telar_host_buffer_release(host, buffer);
}

static void ranges_are_checked(void **state)
{
    telar_host *host = *state;
    uint8_t byte[8] = {0};
    WGPUBuffer buffer = create(host, 13); /* rounded up to 16 */
    must(telar_host_write(host, buffer, 15, byte, 1, &diag));
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_write(host, buffer, 15, byte, 2, &diag));
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_write(host, buffer, 17, byte, 0, &diag));
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_write(host, buffer, UINT64_MAX, byte, 2, &diag));
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_read(host, buffer, 8, byte, UINT64_MAX, &diag));
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_read(host, NULL, 0, byte, 1, &diag));
    must(telar_host_read(host, buffer, 16, byte, 0, &diag));
    telar_host_buffer_release(host, buffer);

    /* An application's buffer may have any size and any usage. */
    const telar_webgpu *webgpu = the_webgpu();
    WGPUBuffer odd = webgpu->DeviceCreateBuffer(telar_host_device(host),
                                                &(WGPUBufferDescriptor){.usage = WGPUBufferUsage_CopySrc, .size = 10});
    must(telar_host_read(host, odd, 3, byte, 5, &diag));
    must_fail(TELAR_UNSUPPORTED, telar_host_read(host, odd, 3, byte, 7, &diag));
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_write(host, odd, 0, byte, 4, &diag));
    webgpu->BufferRelease(odd);
}

/* Chunks, both staging buffers in turn, an odd start and an odd end. */
static void large_transfers(void **state)
{
    telar_host *host = *state;
    size_t size = (size_t)80 << 20;
    uint8_t *data = pattern(size, 9), *got = malloc(size);
    assert_non_null(got);
    WGPUBuffer buffer = create(host, size + 8);
    must(telar_host_write(host, buffer, 3, data, size, &diag));
    must(telar_host_read(host, buffer, 3, got, size, &diag));
    assert_memory_equal(got, data, size);
    uint8_t edge[4];
    must(telar_host_read(host, buffer, 0, edge, 4, &diag));
    assert_true(edge[0] == 0 && edge[1] == 0 && edge[2] == 0 && edge[3] == data[0]);
    must(telar_host_read(host, buffer, size + 3, edge, 4, &diag));
    assert_true(edge[0] == 0 && edge[1] == 0 && edge[2] == 0 && edge[3] == 0);
    /* Again with both buffers warm, and a size that is no multiple of a chunk. */
    must(telar_host_write(host, buffer, 0, data + 1, size - 1, &diag));
    must(telar_host_read(host, buffer, 1, got, size - 2, &diag));
    assert_memory_equal(got, data + 2, size - 2);
    telar_host_buffer_release(host, buffer);
    free(data);
    free(got);
}

/* Across 4 GiB, where 32 bits end, on devices that have such buffers. */
static void beyond_4_gib(void **state)
{
    telar_host *host = *state;
    uint64_t edge = (uint64_t)1 << 32;
    uint64_t start = edge - 35000105;
    size_t size = (size_t)70 << 20;
    const telar_facts *facts = telar_host_facts(host);
    if (facts->limits.maxBufferSize < edge + size || facts->type != TELAR_DEVICE_DISCRETE) skip();
    uint8_t *data = pattern(size, 5), *got = malloc(size);
    assert_non_null(got);
    WGPUBuffer buffer = create(host, edge + size);
    must(telar_host_write(host, buffer, start, data, size, &diag));
    must(telar_host_read(host, buffer, start, got, size, &diag));
    assert_memory_equal(got, data, size);
    must(telar_host_read(host, buffer, 0, got, size, &diag));
    for (size_t k = 0; k < size; k++) assert_int_equal(got[k], 0);
    telar_host_buffer_release(host, buffer);
    buffer = create(host, edge + size); /* cleared as a whole */
    must(telar_host_read(host, buffer, edge - 1, got, size, &diag));
    for (size_t k = 0; k < size; k++) assert_int_equal(got[k], 0);
    telar_host_buffer_release(host, buffer);
    free(data);
    free(got);
}

/* Writes that nothing follows do not pile up; the last one of each place counts. */
static void many_small_writes(void **state)
{
    telar_host *host = *state;
    static uint32_t data[16384], got[16384];
    WGPUBuffer buffer = create(host, sizeof data);
    for (uint32_t k = 0; k < 2000; k++) {
        data[k % 16384] = k;
        must(telar_host_write(host, buffer, 0, data, sizeof data, &diag));
    }
    must(telar_host_read(host, buffer, 0, got, sizeof got, &diag));
    assert_memory_equal(got, data, sizeof data);
    telar_host_buffer_release(host, buffer);
}

/* ---- The pool ------------------------------------------------------------------------------------ */

static void buffers_are_zero(void **state)
{
    telar_host *host = *state;
    size_t size = 100000;
    uint8_t *data = pattern(size, 3), *got = malloc(size);
    assert_non_null(got);
    for (int round = 0; round < 5; round++) {
        WGPUBuffer buffer = create(host, size);
        assert_int_equal(the_webgpu()->BufferGetSize(buffer), size);
        must(telar_host_read(host, buffer, 0, got, size, &diag));
        for (size_t k = 0; k < size; k++) assert_int_equal(got[k], 0);
        must(telar_host_write(host, buffer, 0, data, size, &diag));
        telar_host_buffer_release(host, buffer);
    }
    free(data);
    free(got);
}

/* Scratch of a recording is zero at its first run, whoever had the memory before. */
static void scratch_is_zero(void **state)
{
    static const char mark_wgsl[] = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                                    "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
                                    "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                                    "    if (g.x >= 1000u) { return; }\n"
                                    "    b[g.x] = a[g.x];\n"
                                    "    a[g.x] = 0xabcdef01u;\n"
                                    "}\n";
    for (int round = 0; round < 5; round++) {
        tape_deck tape = tape_begin();
        telar_buffer a = tape_buffer(&tape, 4000, TELAR_USE_STORAGE);
        telar_buffer b = tape_buffer(&tape, 4000, TELAR_USE_STORAGE);
        telar_kernel kernel = tape_kernel(&tape, mark_wgsl, "ww", 64);
        tape_dispatch(&tape, kernel, 16, (telar_buffer[]){a, b}, 2);
        telar_record_download(&tape.record, b, 0, 0);
        telar_prepared *prepared;
        must(telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
        must(telar_prepared_run(prepared, &diag));
        const void *data;
        uint64_t size;
        must(telar_prepared_download(prepared, 0, &data, &size, &diag));
        for (uint32_t k = 0; k < 1000; k++) assert_int_equal(((const uint32_t *)data)[k], 0);
        telar_prepared_release(prepared);
        tape_free(&tape);
    }
}

static void many_sizes_come_and_go(void **state)
{
    telar_host *host = *state;
    for (uint64_t size = 1; size < 400; size++) telar_host_buffer_release(host, create(host, size * 16));
    WGPUBuffer buffer = create(host, 0);
    assert_int_equal(the_webgpu()->BufferGetSize(buffer), 4);
    telar_host_buffer_release(host, buffer);
    telar_host_buffer_release(host, NULL);
}

static void too_large(void **state)
{
    telar_host *host = *state;
    uint64_t limit = telar_host_facts(host)->limits.maxBufferSize;
    WGPUBuffer buffer;
    must_fail(TELAR_LIMIT_EXCEEDED, telar_host_buffer_create(host, limit + 5, &buffer, &diag));
    assert_null(buffer);
    assert_int_equal(diag.limit, limit);
    must_fail(TELAR_OVERFLOWS, telar_host_buffer_create(host, UINT64_MAX, &buffer, &diag));
    must_fail(TELAR_LIMIT_EXCEEDED, telar_host_buffer_create(host, UINT64_MAX / 2, &buffer, &diag));
}

/* Buffers of the largest size until there is no memory: a status, and the host works on. CPU adapters promise memory
 * that the machine need not have, so the number is bounded. */
static void out_of_memory(void **state)
{
    telar_host *host = *state;
    uint64_t size = telar_host_facts(host)->limits.maxBufferSize / 4 * 4;
    WGPUBuffer buffers[64];
    size_t count = 0;
    telar_status status = TELAR_OK;
    while (count < 64) {
        status = telar_host_buffer_create(host, size, &buffers[count], &diag);
        if (status != TELAR_OK) break;
        count++;
    }
    print_message("%zu buffers of %llu bytes, then %s: %s\n", count, (unsigned long long)size,
                  telar_status_name(status), status == TELAR_OK ? "" : diag.text);
    assert_true(status == TELAR_OK || status == TELAR_OUT_OF_MEMORY);
    for (size_t k = 0; k < count; k++) {
        the_webgpu()->BufferDestroy(buffers[k]); /* not into the pool: its clearing would touch all of it */
        the_webgpu()->BufferRelease(buffers[k]);
    }
    WGPUBuffer buffer = create(host, 64);
    uint8_t byte = 7;
    must(telar_host_write(host, buffer, 5, &byte, 1, &diag));
    telar_host_buffer_release(host, buffer);
}

int main(void)
{
    the_webgpu();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_offsets),     cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(large_transfers), cmocka_unit_test(many_small_writes),
        cmocka_unit_test(beyond_4_gib),    cmocka_unit_test(buffers_are_zero),
        cmocka_unit_test(scratch_is_zero), cmocka_unit_test(many_sizes_come_and_go),
        cmocka_unit_test(too_large),       cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("host_data", tests, open_device, close_device);
}
