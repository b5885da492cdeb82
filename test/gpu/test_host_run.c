/* SPDX-License-Identifier: MIT
 *
 * Recordings on a device: every command, parameters both ways, passes and time, and everything that must be refused. */
#include "host_help.h"

#include <time.h>

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

static const void *download(telar_prepared *prepared, uint32_t index, uint64_t size_bytes)
{
    const void *data;
    uint64_t got;
    must(telar_prepared_download(prepared, index, &data, &got, &diag));
    assert_int_equal(got, size_bytes);
    return data;
}

/* ---- Commands ------------------------------------------------------------------------------------ */

#define N 1000u
#define N_BYTES ((uint64_t)4 * N)

static void every_command(void **state)
{
    uint32_t first[N], second[N];
    for (uint32_t k = 0; k < N; k++) {
        first[k] = k * 3;
        second[k] = k ^ 0x5555;
    }
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, sizeof first, TELAR_USE_STORAGE);
    telar_buffer b = tape_buffer(&tape, sizeof first, TELAR_USE_STORAGE);
    telar_buffer c = tape_buffer(&tape, sizeof first, TELAR_USE_STORAGE);
    telar_kernel add = tape_kernel(&tape, add_wgsl, "wr", 64);
    telar_record_upload(&tape.record, a, 0, first, sizeof first);
    telar_record_upload(&tape.record, b, 0, second, sizeof second);
    tape_dispatch(&tape, add, (N + 63) / 64, (telar_buffer[]){a, b}, 2);
    tape_dispatch(&tape, add, (N + 63) / 64, (telar_buffer[]){a, b}, 2);
    telar_record_copy(&tape.record, a, 8, c, 16, 400);
    telar_record_clear(&tape.record, c, 20, 8);
    telar_record_download(&tape.record, a, 0, 0);
    telar_record_download(&tape.record, c, 0, 416);
    telar_record_download(&tape.record, c, 416, 8);
    telar_recording recording = tape_end(&tape);
    telar_prepared *prepared;
    must(telar_host_prepare(*state, recording, NULL, 0, &prepared, &diag));
    tape_free(&tape); /* the recording may go away */

    for (int run = 0; run < 3; run++) {
        must(telar_prepared_run(prepared, &diag));
        const uint32_t *sums = download(prepared, 0, sizeof first);
        for (uint32_t k = 0; k < N; k++) assert_int_equal(sums[k], first[k] + 2 * second[k]);
        const uint32_t *copy = download(prepared, 1, 416);
        for (uint32_t k = 0; k < 104; k++) {
            uint32_t want = k < 4 || k == 5 || k == 6 ? 0 : first[k - 2] + 2 * second[k - 2];
            assert_int_equal(copy[k], want);
        }
        assert_int_equal(((const uint32_t *)download(prepared, 2, 8))[0], 0);
    }
    const void *data;
    uint64_t size;
    must_fail(TELAR_NOT_FOUND, telar_prepared_download(prepared, 3, &data, &size, &diag));
    telar_prepared_release(prepared);
}

static void nothing_at_all(void **state)
{
    tape_deck tape = tape_begin();
    telar_prepared *prepared;
    must(telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    must(telar_prepared_run(prepared, &diag));
    telar_prepared_release(prepared);
    tape_free(&tape);
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

static telar_kernel params_kernel(tape_deck *tape, telar_params_kind kind, char wgsl[512])
{
    bool immediate = kind == TELAR_PARAMS_IMMEDIATE;
    snprintf(wgsl, 512,
             "struct P { at: u32, value: u32, c: u32, d: u32 }\n"
             "%s p: P;\n"
             "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
             "@compute @workgroup_size(1) fn main() { a[p.at] = a[p.at] * 10u + p.value; }\n",
             immediate ? "var<immediate>" : "@group(2) @binding(3) var<uniform>");
    telar_binding binding = {
        .name = "a", .space = TELAR_BINDING_STORAGE_READ_WRITE, .element_bytes = 4, .min_bytes = 4};
    return telar_record_kernel(&tape->record, &(telar_kernel_desc){.name = "params",
                                                                   .wgsl = wgsl,
                                                                   .wgsl_bytes = strlen(wgsl),
                                                                   .entry = "main",
                                                                   .bindings = &binding,
                                                                   .bindings_count = 1,
                                                                   .params_kind = kind,
                                                                   .params_group = immediate ? 0 : 2,
                                                                   .params_binding = immediate ? 0 : 3,
                                                                   .params_words = 4,
                                                                   .workgroup_size = {1, 1, 1}});
}

/* Dispatch k writes digit k at k % 3; equal parameters twice in a row share a slot and count twice. Group 1 is free. */
static void run_params(telar_host *host, telar_params_kind kind)
{
    char wgsl[512];
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 16, TELAR_USE_STORAGE);
    telar_kernel kernel = params_kernel(&tape, kind, wgsl);
    uint32_t want[3] = {0};
    telar_record_clear(&tape.record, a, 0, 0);
    for (uint32_t k = 0; k < 9; k++) {
        for (uint32_t again = 0; again < 1 + k % 2; again++) {
            telar_record_dispatch(&tape.record, &(telar_dispatch_desc){.kernel = kernel,
                                                                       .groups = {1, 1, 1},
                                                                       .params = (uint32_t[]){k % 3, k, 0, 0},
                                                                       .params_words = 4,
                                                                       .binds = &(telar_bind){.buffer = a},
                                                                       .binds_count = 1});
            want[k % 3] = want[k % 3] * 10 + k;
        }
    }
    telar_record_download(&tape.record, a, 0, 12);
    telar_prepared *prepared;
    must(telar_host_prepare(host, tape_end(&tape), NULL, 0, &prepared, &diag));
    must(telar_prepared_run(prepared, &diag));
    assert_memory_equal(download(prepared, 0, 12), want, 12);
    must(telar_prepared_run(prepared, &diag));
    assert_memory_equal(download(prepared, 0, 12), want, 12);
    telar_prepared_release(prepared);
    tape_free(&tape);
}

static void params_by_uniform(void **state)
{
    run_params(*state, TELAR_PARAMS_UNIFORM);
}

static void params_by_immediates(void **state)
{
    if (!telar_host_dialect(*state).immediates) skip();
    run_params(*state, TELAR_PARAMS_IMMEDIATE);
}

static void overrides_reach_the_pipeline(void **state)
{
    static const char wgsl[] = "override value: u32 = 1u;\n@id(7) override other: f32;\n"
                               "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                               "@compute @workgroup_size(1) fn main() { a[0] = value; a[1] = u32(other); }\n";
    telar_binding binding = {.name = "a", .space = TELAR_BINDING_STORAGE_READ_WRITE, .min_bytes = 4};
    for (uint32_t value = 5; value < 7; value++) {
        telar_override overrides[] = {{"value", value}, {"7", 20.0 + value}};
        tape_deck tape = tape_begin();
        telar_buffer a = tape_buffer(&tape, 8, TELAR_USE_STORAGE);
        telar_kernel kernel = telar_record_kernel(&tape.record, &(telar_kernel_desc){.name = "o",
                                                                                     .wgsl = wgsl,
                                                                                     .wgsl_bytes = sizeof wgsl - 1,
                                                                                     .entry = "main",
                                                                                     .bindings = &binding,
                                                                                     .bindings_count = 1,
                                                                                     .workgroup_size = {1, 1, 1},
                                                                                     .overrides = overrides,
                                                                                     .overrides_count = 2});
        tape_dispatch(&tape, kernel, 1, &a, 1);
        telar_record_download(&tape.record, a, 0, 8);
        telar_prepared *prepared;
        must(telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
        must(telar_prepared_run(prepared, &diag));
        const uint32_t *got = download(prepared, 0, 8);
        assert_int_equal(got[0], value);
        assert_int_equal(got[1], 20 + value);
        telar_prepared_release(prepared);
        tape_free(&tape);
    }
}

/* ---- Bound buffers, and the caller's encoder ------------------------------------------------------ */

static telar_recording add_recording(tape_deck *tape, telar_buffer *a, telar_buffer *b)
{
    *tape = tape_begin();
    *a = tape_buffer(tape, N_BYTES, TELAR_USE_STORAGE | TELAR_USE_BOUND);
    *b = tape_buffer(tape, N_BYTES, TELAR_USE_STORAGE | TELAR_USE_BOUND);
    telar_kernel add = tape_kernel(tape, add_wgsl, "wr", 64);
    tape_dispatch(tape, add, (N + 63) / 64, (telar_buffer[]){*a, *b}, 2);
    telar_record_download(&tape->record, *a, 0, 0);
    return tape_end(tape);
}

static WGPUBuffer filled(telar_host *host, uint32_t factor)
{
    uint32_t data[N];
    for (uint32_t k = 0; k < N; k++) data[k] = k * factor;
    WGPUBuffer buffer;
    must(telar_host_buffer_create(host, sizeof data, &buffer, &diag));
    must(telar_host_write(host, buffer, 0, data, sizeof data, &diag));
    return buffer;
}

static void bound_buffers(void **state)
{
    telar_host *host = *state;
    tape_deck tape;
    telar_buffer a, b;
    telar_recording recording = add_recording(&tape, &a, &b);
    WGPUBuffer one = filled(host, 1), two = filled(host, 2), small;
    must(telar_host_buffer_create(host, 64, &small, &diag));
    telar_prepared *prepared;
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_prepare(host, recording, NULL, 0, &prepared, &diag));
    must_fail(TELAR_INVALID_ARGUMENT,
              telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, one}}, 1, &prepared, &diag));
    must_fail(TELAR_INVALID_ARGUMENT,
              telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, one}, {b, small}}, 2, &prepared, &diag));
    assert_int_equal(diag.got, 64);
    assert_int_equal(diag.limit, N_BYTES);
    must_fail(TELAR_INVALID_ARGUMENT,
              telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, one}, {b, one}}, 2, &prepared, &diag));
    must_fail(TELAR_INVALID_ARGUMENT,
              telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, one}, {a, two}}, 2, &prepared, &diag));
    must_fail(TELAR_INVALID_ARGUMENT,
              telar_host_prepare(host, recording, (telar_bound_buffer[]){{{9}, one}, {b, two}}, 2, &prepared, &diag));
    must_fail(TELAR_INVALID_ARGUMENT,
              telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, NULL}, {b, two}}, 2, &prepared, &diag));
    assert_null(prepared);
    WGPUBuffer wrong = the_webgpu()->DeviceCreateBuffer(
        telar_host_device(host), &(WGPUBufferDescriptor){.usage = WGPUBufferUsage_CopyDst, .size = N_BYTES});
    must_fail(TELAR_INVALID_ARGUMENT,
              telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, one}, {b, wrong}}, 2, &prepared, &diag));
    the_webgpu()->BufferRelease(wrong);

    must(telar_host_prepare(host, recording, (telar_bound_buffer[]){{b, two}, {a, one}}, 2, &prepared, &diag));
    telar_host_buffer_release(host, small);
    must(telar_prepared_run(prepared, &diag));
    uint32_t got[N];
    must(telar_host_read(host, one, 0, got, sizeof got, &diag));
    for (uint32_t k = 0; k < N; k++) assert_int_equal(got[k], 3 * k);
    telar_prepared_release(prepared);
    telar_host_buffer_release(host, one);
    telar_host_buffer_release(host, two);
    tape_free(&tape);
}

static void into_the_callers_encoder(void **state)
{
    telar_host *host = *state;
    const telar_webgpu *webgpu = the_webgpu();
    tape_deck tape;
    telar_buffer a, b;
    telar_recording recording = add_recording(&tape, &a, &b);
    WGPUBuffer one = filled(host, 1), two = filled(host, 2);
    telar_prepared *prepared;
    must(telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, one}, {b, two}}, 2, &prepared, &diag));
    const void *data;
    uint64_t size;
    must_fail(TELAR_NOT_READY, telar_prepared_download(prepared, 0, &data, &size, &diag));
    for (uint32_t run = 1; run <= 2; run++) {
        WGPUCommandEncoder encoder = webgpu->DeviceCreateCommandEncoder(telar_host_device(host), NULL);
        must(telar_prepared_encode(prepared, encoder, &diag));
        must(telar_prepared_encode(prepared, encoder, &diag));
        WGPUCommandBuffer commands = webgpu->CommandEncoderFinish(encoder, NULL);
        webgpu->QueueSubmit(telar_host_queue(host), 1, &commands);
        webgpu->CommandBufferRelease(commands);
        webgpu->CommandEncoderRelease(encoder);
        const uint32_t *got = download(prepared, 0, N_BYTES);
        for (uint32_t k = 0; k < N; k++) assert_int_equal(got[k], k + 4 * k * run);
    }
    telar_prepared_release(prepared);
    telar_host_buffer_release(host, one);
    telar_host_buffer_release(host, two);
    tape_free(&tape);
}

static void submit_without_waiting(void **state)
{
    telar_host *host = *state;
    tape_deck tape;
    telar_buffer a, b;
    telar_recording recording = add_recording(&tape, &a, &b);
    WGPUBuffer one = filled(host, 1), two = filled(host, 1);
    telar_prepared *prepared;
    must(telar_host_prepare(host, recording, (telar_bound_buffer[]){{a, one}, {b, two}}, 2, &prepared, &diag));
    for (int k = 0; k < 10; k++) must(telar_prepared_submit(prepared, &diag));
    telar_status status;
    while ((status = telar_host_ready(host, &diag)) == TELAR_NOT_READY) {}
    must(status);
    must(telar_host_wait(host, 1000000000, &diag));
    const uint32_t *got = download(prepared, 0, N_BYTES);
    for (uint32_t k = 0; k < N; k++) assert_int_equal(got[k], 11 * k);
    telar_prepared_release(prepared);
    telar_host_buffer_release(host, one);
    telar_host_buffer_release(host, two);
    tape_free(&tape);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refuse_kernel(telar_host *host, telar_status wanted, const char *wgsl, uint32_t workgroup_size)
{
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    telar_kernel kernel = tape_kernel(&tape, wgsl, "w", workgroup_size);
    tape_dispatch(&tape, kernel, 1, &a, 1);
    telar_prepared *prepared;
    must_fail(wanted, telar_host_prepare(host, tape_end(&tape), NULL, 0, &prepared, &diag));
    assert_null(prepared);
    assert_true(diag.text[0] != '\0');
    tape_free(&tape);
}

#define DATA "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"

static void shaders_are_refused(void **state)
{
    refuse_kernel(*state, TELAR_SHADER_REJECTED, "this is no WGSL", 1);
    refuse_kernel(*state, TELAR_SHADER_REJECTED, DATA "@compute @workgroup_size(1) fn main() { a[0] = b; }", 1);
    assert_non_null(strstr(diag.text, "b"));
    refuse_kernel(*state, TELAR_SHADER_REJECTED, DATA "@compute @workgroup_size(1) fn other() { a[0] = 1u; }", 1);
    refuse_kernel(*state, TELAR_SHADER_REJECTED, DATA "@compute @workgroup_size(1) fn main() { a[0] = 1u; } \xff\xfe",
                  1);
    refuse_kernel(*state, TELAR_SHADER_REJECTED,
                  "@group(0) @binding(0) var<uniform> a: vec4u;\n"
                  "@group(1) @binding(0) var<storage, read_write> b: array<u32>;\n"
                  "@compute @workgroup_size(1) fn main() { b[0] = a.x; }",
                  1);
    /* C121: more invocations in the text than the device has, whatever the recording says. */
    refuse_kernel(*state, TELAR_SHADER_REJECTED, DATA "@compute @workgroup_size(4096) fn main() { a[0] = 1u; }", 1);
    /* The device lives on. */
    every_command(state);
}

static void long_messages_are_cut(void **state)
{
    char *wgsl = malloc(100000);
    assert_non_null(wgsl);
    memset(wgsl, 'x', 99999);
    wgsl[99999] = '\0';
    refuse_kernel(*state, TELAR_SHADER_REJECTED, wgsl, 1);
    assert_true(strlen(diag.text) < TELAR_DIAG_TEXT_BYTES);
    free(wgsl);
}

static void recordings_are_refused(void **state)
{
    const telar_limits *limits = &telar_host_facts(*state)->limits;
    telar_prepared *prepared;
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    telar_kernel kernel = tape_kernel(&tape, DATA "@compute @workgroup_size(1) fn main() { a[0] = 1u; }", "w", 1);
    tape_dispatch(&tape, kernel, (uint32_t)limits->maxComputeWorkgroupsPerDimension + 1, &a, 1);
    must_fail(TELAR_LIMIT_EXCEEDED, telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    assert_int_equal(diag.limit, limits->maxComputeWorkgroupsPerDimension);
    tape_free(&tape);

    tape = tape_begin();
    tape_buffer(&tape, limits->maxBufferSize / 4 * 4 + 4, TELAR_USE_STORAGE);
    must_fail(TELAR_LIMIT_EXCEEDED, telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    tape_free(&tape);

    tape = tape_begin();
    a = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    kernel = tape_kernel(&tape, add_wgsl, "wr", 64);
    tape_dispatch(&tape, kernel, 1, (telar_buffer[]){a, a}, 2);
    must_fail(TELAR_INVALID_RECORDING, telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    tape_free(&tape);

    tape = tape_begin();
    tape_kernel(&tape, DATA "@compute @workgroup_size(1) fn main() { a[0] = 1u; }", "w",
                (uint32_t)limits->maxComputeInvocationsPerWorkgroup * 2);
    must_fail(TELAR_LIMIT_EXCEEDED, telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    tape_free(&tape);
}

static void on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message, void *result, void *_2)
{
    (void)status;
    (void)_2;
    if (type != WGPUErrorType_NoError) print_error("%.*s\n", (int)message.length, message.data);
    *(int *)result = (int)type;
}

/* Nothing that was prepared is refused when it is encoded: what follows would be a submission. */
static void must_encode(telar_host *host, telar_prepared *prepared)
{
    const telar_webgpu *webgpu = the_webgpu();
    WGPUDevice device = telar_host_device(host);
    int type = 0;
    webgpu->DevicePushErrorScope(device, WGPUErrorFilter_Validation);
    WGPUCommandEncoder encoder = webgpu->DeviceCreateCommandEncoder(device, NULL);
    must(telar_prepared_encode(prepared, encoder, &diag));
    webgpu->CommandBufferRelease(webgpu->CommandEncoderFinish(encoder, NULL));
    webgpu->CommandEncoderRelease(encoder);
    webgpu->DevicePopErrorScope(device, (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                                        .callback = on_scope,
                                                                        .userdata1 = &type});
    while (type == 0) telar_host_ready(host, &diag);
    assert_int_equal(type, WGPUErrorType_NoError);
}

/* Words changed at random: what opens is prepared or refused, never worse. Not run: groups may be billions. */
static void hostile_words(void **state)
{
    tape_deck tape = tape_begin();
    char wgsl[512];
    telar_buffer a = tape_buffer(&tape, 1024, TELAR_USE_STORAGE);
    telar_buffer b = tape_buffer(&tape, 1024, TELAR_USE_STORAGE);
    telar_kernel add = tape_kernel(&tape, add_wgsl, "wr", 64);
    telar_kernel params = params_kernel(&tape, TELAR_PARAMS_UNIFORM, wgsl);
    telar_record_upload(&tape.record, a, 16, wgsl, 64);
    telar_record_clear(&tape.record, b, 0, 0);
    telar_record_mark(&tape.record, "begin");
    tape_dispatch(&tape, add, 4, (telar_buffer[]){a, b}, 2);
    telar_record_dispatch(&tape.record, &(telar_dispatch_desc){.kernel = params,
                                                               .groups = {1, 1, 1},
                                                               .params = (uint32_t[4]){0},
                                                               .params_words = 4,
                                                               .binds = &(telar_bind){.buffer = a},
                                                               .binds_count = 1});
    telar_record_copy(&tape.record, a, 0, b, 256, 256);
    telar_record_clear(&tape.record, a, 4, 8);
    telar_record_mark(&tape.record, "end");
    telar_record_download(&tape.record, b, 0, 0);
    telar_recording whole = tape_end(&tape);
    uint32_t seed = 12345, opened = 0, prepared_count = 0;
    static const uint32_t odd[] = {0,   1,    2,     3,     4,          5,          8,         64,
                                   255, 1024, 65535, 65536, 0x7fffffff, 0xffffffff, 0xfffffffc};
    uint32_t *words = malloc(whole.words_count * sizeof *words);
    assert_non_null(words);
    for (int k = 0; k < 1500; k++) {
        memcpy(words, whole.words, whole.words_count * sizeof *words);
        for (int change = 0; change < 1 + k % 2; change++) {
            seed = seed * 1664525u + 1013904223u;
            size_t at = (seed >> 8) % whole.words_count;
            seed = seed * 1664525u + 1013904223u;
            words[at] = odd[(seed >> 8) % (sizeof odd / sizeof *odd)];
        }
        telar_recording recording;
        if (telar_recording_open(words, whole.words_count, &recording, &diag) != TELAR_OK) continue;
        opened++;
        telar_prepared *prepared;
        if (telar_host_prepare(*state, recording, NULL, 0, &prepared, &diag) == TELAR_OK) {
            must_encode(*state, prepared);
            prepared_count++;
        }
        telar_prepared_release(prepared);
    }
    print_message("%u of 1500 opened, %u of them prepared\n", opened, prepared_count);
    assert_true(opened > 100 && prepared_count > 10);
    free(words);
    tape_free(&tape);
    every_command(state);
}

/* ---- What a device must not do in silence --------------------------------------------------------- */

/* C053: a canary shows that the largest group that the device grants really runs. */
static void largest_group_runs(void **state)
{
    char wgsl[512];
    uint32_t size = (uint32_t)telar_host_facts(*state)->limits.maxComputeInvocationsPerWorkgroup;
    snprintf(wgsl, sizeof wgsl,
             "@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;\n"
             "@compute @workgroup_size(%u) fn main() { atomicAdd(&a[0], 1u); }\n",
             size);
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 4, TELAR_USE_STORAGE);
    telar_kernel kernel = tape_kernel(&tape, wgsl, "w", size);
    tape_dispatch(&tape, kernel, 3, &a, 1);
    telar_record_download(&tape.record, a, 0, 4);
    telar_prepared *prepared;
    must(telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    must(telar_prepared_run(prepared, &diag));
    assert_int_equal(*(const uint32_t *)download(prepared, 0, 4), 3 * size);
    telar_prepared_release(prepared);
    tape_free(&tape);
}

/* C136: a kernel that clears the workgroup memory that it uses, right after one that filled it. */
static void group_memory_is_cleared_by_kernels(void **state)
{
    static const char fill_wgsl[] = "var<workgroup> w: array<u32, 1024>;\n" DATA
                                    "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n"
                                    "    for (var k = i; k < 1024u; k += 64u) { w[k] = 0xdeadbeefu; }\n"
                                    "    workgroupBarrier();\n"
                                    "    a[8u + i % 4u] = w[(i * 17u) % 1024u];\n"
                                    "}\n";
    static const char count_wgsl[] = "var<workgroup> live: atomic<u32>;\n" DATA
                                     "@compute @workgroup_size(256) fn main(@builtin(local_invocation_index) i: u32,\n"
                                     "    @builtin(global_invocation_id) g: vec3u, @builtin(workgroup_id) w: vec3u) {\n"
                                     "    if (i == 0u) { atomicStore(&live, 0u); }\n"
                                     "    workgroupBarrier();\n"
                                     "    if (g.x < 300u) { atomicAdd(&live, 1u); }\n"
                                     "    workgroupBarrier();\n"
                                     "    if (i == 0u) { a[w.x] = atomicLoad(&live); }\n"
                                     "}\n";
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    telar_kernel fill = tape_kernel(&tape, fill_wgsl, "w", 64);
    telar_kernel count = tape_kernel(&tape, count_wgsl, "w", 256);
    tape_dispatch(&tape, fill, 16, &a, 1);
    tape_dispatch(&tape, count, 2, &a, 1);
    telar_record_download(&tape.record, a, 0, 8);
    telar_prepared *prepared;
    must(telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    for (int k = 0; k < 20; k++) {
        must(telar_prepared_run(prepared, &diag));
        const uint32_t *live = download(prepared, 0, 8);
        assert_int_equal(live[0], 256);
        assert_int_equal(live[1], 44);
    }
    telar_prepared_release(prepared);
    tape_free(&tape);
}

/* ---- Time ---------------------------------------------------------------------------------------- */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char work_wgsl[] = DATA "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                                     "    var x = g.x;\n"
                                     "    for (var k = 0u; k < 2000u; k++) { x = x * 1664525u + 1013904223u; }\n"
                                     "    a[g.x % 64u] = x;\n"
                                     "}\n";

/* work_wgsl in this many groups of 64: in few dispatches, whose encoding is then no part of the wall time. */
static telar_prepared *timed(telar_host *host, uint32_t groups)
{
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    telar_kernel kernel = tape_kernel(&tape, work_wgsl, "w", 64);
    telar_record_mark(&tape.record, "begin");
    for (uint32_t left = groups; left > 0; left -= left < 65535 ? left : 65535) {
        tape_dispatch(&tape, kernel, left < 65535 ? left : 65535, &a, 1);
    }
    telar_record_mark(&tape.record, "end");
    telar_prepared *prepared;
    must(telar_host_prepare(host, tape_end(&tape), NULL, 0, &prepared, &diag));
    tape_free(&tape);
    return prepared;
}

/* C130: ticks are nanoseconds, against the wall clock. */
static void gpu_time_is_wall_time(void **state)
{
    double ns;
    uint32_t groups = 64;
    for (;;) {
        telar_prepared *prepared = timed(*state, groups);
        must(telar_prepared_run(prepared, &diag)); /* warm */
        double start = now_s();
        must(telar_prepared_run(prepared, &diag));
        double wall = now_s() - start;
        if (wall < 0.05 && groups < 1u << 24) {
            telar_prepared_release(prepared);
            groups *= 2;
            continue;
        }
        if (telar_host_time_quantum_ns(*state) == 0) {
            must_fail(TELAR_UNSUPPORTED, telar_prepared_time_ns(prepared, 0, &ns, &diag));
        } else {
            /* Other work on the machine stretches one clock more than the other: the best of some runs counts. */
            double worst = 1e9;
            for (int k = 0; k < 10 && worst > 0.1; k++) {
                start = now_s();
                must(telar_prepared_run(prepared, &diag));
                wall = now_s() - start;
                must(telar_prepared_time_ns(prepared, 0, &ns, &diag));
                double off = ns * 1e-9 / wall - 1.0;
                if (off < 0) off = -off;
                if (off < worst) worst = off;
            }
            if (worst > 0.1) print_error("gpu time is off by %.0f %%\n", 100 * worst);
            assert_true(worst <= 0.1);
        }
        telar_prepared_release(prepared);
        return;
    }
}

/* C131: a span without work says so; spans of copies alone are timed. */
static void spans(void **state)
{
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 1 << 20, TELAR_USE_STORAGE);
    telar_buffer b = tape_buffer(&tape, 1 << 20, TELAR_USE_STORAGE);
    telar_kernel kernel = tape_kernel(&tape, work_wgsl, "w", 64);
    telar_record_clear(&tape.record, a, 0, 0);
    telar_record_mark(&tape.record, "nothing");
    telar_record_mark(&tape.record, "copies");
    telar_record_copy(&tape.record, a, 0, b, 0, 1 << 20);
    telar_record_clear(&tape.record, a, 0, 0);
    telar_record_mark(&tape.record, "both");
    tape_dispatch(&tape, kernel, 4, &a, 1);
    telar_record_copy(&tape.record, a, 0, b, 0, 1 << 20);
    telar_record_mark(&tape.record, "kernels");
    tape_dispatch(&tape, kernel, 4, &a, 1);
    tape_dispatch(&tape, kernel, 4, &a, 1);
    telar_record_mark(&tape.record, "end");
    telar_record_download(&tape.record, a, 0, 256);
    telar_prepared *prepared;
    must(telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    double ns;
    bool clocked = telar_host_time_quantum_ns(*state) > 0;
    if (clocked) must_fail(TELAR_NOT_READY, telar_prepared_time_ns(prepared, 1, &ns, &diag));
    must(telar_prepared_run(prepared, &diag));
    must_fail(TELAR_NOT_FOUND, telar_prepared_time_ns(prepared, 4, &ns, &diag));
    if (clocked) {
        must_fail(TELAR_NOT_FOUND, telar_prepared_time_ns(prepared, 0, &ns, &diag));
        assert_non_null(strstr(diag.text, "no work"));
        for (uint32_t mark = 1; mark < 4; mark++) {
            must(telar_prepared_time_ns(prepared, mark, &ns, &diag));
            assert_true(ns > 0 && ns < 1e9);
        }
    }
    telar_prepared_release(prepared);
    tape_free(&tape);
}

static void more_spans_than_queries(void **state)
{
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    for (uint32_t k = 0; k < 2100; k++) {
        telar_record_mark(&tape.record, "m");
        telar_record_clear(&tape.record, a, 0, 4);
    }
    telar_prepared *prepared;
    must(telar_host_prepare(*state, tape_end(&tape), NULL, 0, &prepared, &diag));
    must(telar_prepared_run(prepared, &diag));
    double ns;
    if (telar_host_time_quantum_ns(*state) > 0) {
        must(telar_prepared_time_ns(prepared, 2047, &ns, &diag));
        must_fail(TELAR_LIMIT_EXCEEDED, telar_prepared_time_ns(prepared, 2048, &ns, &diag));
    }
    telar_prepared_release(prepared);
    tape_free(&tape);
}

int main(void)
{
    the_webgpu();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(params_by_uniform),
        cmocka_unit_test(params_by_immediates),
        cmocka_unit_test(overrides_reach_the_pipeline),
        cmocka_unit_test(bound_buffers),
        cmocka_unit_test(into_the_callers_encoder),
        cmocka_unit_test(submit_without_waiting),
        cmocka_unit_test(shaders_are_refused),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(recordings_are_refused),
        cmocka_unit_test(hostile_words),
        cmocka_unit_test(largest_group_runs),
        cmocka_unit_test(group_memory_is_cleared_by_kernels),
        cmocka_unit_test(gpu_time_is_wall_time),
        cmocka_unit_test(spans),
        cmocka_unit_test(more_spans_than_queries),
    };
    return cmocka_run_group_tests_name("host_run", tests, open_device, close_device);
}
