/* SPDX-License-Identifier: MIT
 *
 * Libraries, adapters, hosts: opening, closing, losing, an application's own device, two implementations at once. */
#include "host_help.h"

#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

#define N 1000u

/* Adds on a host and looks at the result: it works. */
static telar_status try_adding_with(telar_host *host, telar_diag *why)
{
    uint32_t ones[N];
    for (uint32_t k = 0; k < N; k++) ones[k] = k;
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, sizeof ones, TELAR_USE_STORAGE);
    telar_buffer b = tape_buffer(&tape, sizeof ones, TELAR_USE_STORAGE);
    telar_kernel add = tape_kernel(&tape, add_wgsl, "wr", 64);
    telar_record_upload(&tape.record, a, 0, ones, sizeof ones);
    telar_record_upload(&tape.record, b, 0, ones, sizeof ones);
    tape_dispatch(&tape, add, (N + 63) / 64, (telar_buffer[]){a, b}, 2);
    telar_record_download(&tape.record, a, 0, 0);
    telar_prepared *prepared;
    telar_status status = telar_host_prepare(host, tape_end(&tape), NULL, 0, &prepared, why);
    if (status == TELAR_OK) status = telar_prepared_run(prepared, why);
    const void *data = NULL;
    uint64_t size;
    if (status == TELAR_OK) status = telar_prepared_download(prepared, 0, &data, &size, why);
    for (uint32_t k = 0; k < N && data != NULL; k++) {
        if (((const uint32_t *)data)[k] != 2 * k) status = TELAR_MISMATCH;
    }
    telar_prepared_release(prepared);
    tape_free(&tape);
    return status;
}

static telar_status try_adding(telar_host *host)
{
    return try_adding_with(host, &diag);
}

/* ---- Libraries ----------------------------------------------------------------------------------- */

static void *find_nothing(void *user, const char *name)
{
    (void)user;
    (void)name;
    return NULL;
}

static void libraries(void **state)
{
    (void)state;
    telar_webgpu webgpu;
    must_fail(TELAR_NO_LIBRARY, telar_webgpu_load("/nowhere/libwebgpu.so", &webgpu, &diag));
    assert_non_null(strstr(diag.text, "/nowhere/libwebgpu.so"));
    must_fail(TELAR_NO_LIBRARY, telar_webgpu_load("/etc/passwd", &webgpu, &diag));
    must_fail(TELAR_NO_LIBRARY, telar_webgpu_load("libm.so.6", &webgpu, &diag));
    must_fail(TELAR_NO_LIBRARY, telar_webgpu_fill(&webgpu, find_nothing, NULL, &diag));
    assert_null(webgpu.CreateInstance);
    telar_webgpu_unload(&webgpu); /* a table of nothing */
    char longer[2000];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    must_fail(TELAR_NO_LIBRARY, telar_webgpu_load(longer, &webgpu, &diag));
    assert_int_not_equal(the_webgpu()->implementation, TELAR_IMPLEMENTATION_UNKNOWN);
}

/* ---- Adapters and facts -------------------------------------------------------------------------- */

static void adapters(void **state)
{
    (void)state;
    telar_adapter_info infos[16];
    size_t count = 16;
    must(telar_host_adapters(the_webgpu(), infos, &count, &diag));
    assert_true(count >= 1);
    for (size_t k = 0; k < count; k++) {
        assert_true(strchr(infos[k].name, ':') != NULL && infos[k].adapter[0] != '\0');
        assert_int_equal(infos[k].index, k);
    }
    size_t none = 0;
    must_fail(TELAR_NO_SPACE, telar_host_adapters(the_webgpu(), NULL, &none, &diag));
    assert_int_equal(none, count);
    telar_host *host;
    must_fail(TELAR_NO_DEVICE,
              telar_host_open(&(telar_host_desc){.webgpu = the_webgpu(), .adapter_chosen = true, .adapter_index = 99},
                              &host, &diag));
    assert_null(host);
}

static void facts(void **state)
{
    (void)state;
    telar_host *host = open_host();
    const telar_facts *known = telar_host_facts(host);
    telar_dialect dialect = telar_host_dialect(host);
    telar_facts least = telar_facts_default();
    assert_true(known->limits.maxComputeInvocationsPerWorkgroup >= least.limits.maxComputeInvocationsPerWorkgroup);
    assert_true(known->limits.maxBufferSize >= least.limits.maxBufferSize);
    assert_true(known->limits.minStorageBufferOffsetAlignment <= 256);
    assert_true(known->limits.maxImmediateSize < 65536);
    assert_int_equal(known->limits.maxComputeWorkgroupsPerDimension, 65535);
    assert_true(known->device[0] != '\0');
    assert_string_equal(telar_host_adapter(host)->adapter, known->device);
    if (dialect.subgroups != TELAR_SUBGROUPS_NONE) {
        double min = known->values[TELAR_FACT_SUBGROUP_MIN].value, max = known->values[TELAR_FACT_SUBGROUP_MAX].value;
        assert_true(min >= 4 && min <= max && max <= 128);
    }
    bool dawn = the_webgpu()->implementation == TELAR_IMPLEMENTATION_DAWN;
    if (dialect.subgroups != TELAR_SUBGROUPS_NONE) {
        assert_int_equal(dialect.subgroups, dawn ? TELAR_SUBGROUPS_ENABLE : TELAR_SUBGROUPS_BARE);
    }
    assert_int_equal(dialect.pointer_parameters, dawn);
    telar_host_close(host);
}

static void default_limits(void **state)
{
    (void)state;
    telar_host *host;
    must(telar_host_open(&(telar_host_desc){.webgpu = the_webgpu(), .default_limits = true}, &host, &diag));
    telar_facts least = telar_facts_default();
    const telar_limits *limits = &telar_host_facts(host)->limits;
    assert_int_equal(limits->maxComputeInvocationsPerWorkgroup, least.limits.maxComputeInvocationsPerWorkgroup);
    assert_int_equal(limits->maxBufferSize, least.limits.maxBufferSize);
    must(try_adding(host));
    telar_host_close(host);
}

/* As an application has it that links the library and knows the standard header only. */
static void a_table_of_the_standard(void **state)
{
    (void)state;
    telar_webgpu plain = *the_webgpu();
    plain.ComputePassEncoderSetImmediates = NULL;
    plain.DeviceGetAdapterInfo = NULL;
    plain.DevicePoll = NULL;
    plain.QueueGetTimestampPeriod = NULL;
    plain.GetVersion = NULL;
    plain.DeviceTick = NULL;
    plain.InstanceEnumerateAdapters = NULL;
    plain.DeviceCreateShaderModuleTrusted = NULL;
    telar_host *host;
    must(telar_host_open(&(telar_host_desc){.webgpu = &plain}, &host, &diag));
    must(try_adding(host));
    assert_false(telar_host_dialect(host).immediates);
    if (plain.implementation == TELAR_IMPLEMENTATION_WGPU) assert_true(telar_host_time_quantum_ns(host) == 0);
    telar_host_close(host);
}

/* ---- Leaks --------------------------------------------------------------------------------------- */

static size_t resident_kib(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    char line[256] = "";
    char *resident = fgets(line, sizeof line, file) == NULL ? NULL : strchr(line, ' ');
    fclose(file);
    return resident == NULL ? 0 : strtoul(resident, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE) / 1024;
}

static size_t open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return 0;
    size_t count = 0;
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

/* A thousand recordings prepared, run and released; every tenth kernel differs, so that the cache turns over too. */
static void a_thousand_cycles(void **state)
{
    (void)state;
    counted counts = {0};
    telar_host *host = open_host_with(count_alloc(&counts));
    size_t bytes = 0, kib = 0, files = 0;
    for (uint32_t k = 0; k < 1000; k++) {
        if (k == 400) {
            bytes = counts.bytes;
            kib = resident_kib();
            files = open_files();
        }
        must(try_adding(host));
    }
    assert_true(counts.bytes <= bytes);
    assert_int_equal(open_files(), files);
    size_t grown = resident_kib() > kib ? resident_kib() - kib : 0;
    print_message("600 cycles: %zu KiB more resident\n", grown);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(grown < 4096);
#endif
    telar_host_close(host);
    assert_int_equal(counts.bytes, 0);
    assert_int_equal(counts.blocks, 0);
}

static void many_kernels(void **state)
{
    (void)state;
    counted counts = {0};
    telar_host *host = open_host_with(count_alloc(&counts));
    for (uint32_t k = 0; k < 300; k++) {
        char wgsl[256];
        snprintf(wgsl, sizeof wgsl,
                 "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                 "@compute @workgroup_size(1) fn main() { a[0] = %uu; }\n",
                 k);
        tape_deck tape = tape_begin();
        telar_buffer a = tape_buffer(&tape, 4, TELAR_USE_STORAGE);
        telar_kernel kernel = tape_kernel(&tape, wgsl, "w", 1);
        tape_dispatch(&tape, kernel, 1, &a, 1);
        telar_record_download(&tape.record, a, 0, 4);
        telar_prepared *prepared;
        must(telar_host_prepare(host, tape_end(&tape), NULL, 0, &prepared, &diag));
        must(telar_prepared_run(prepared, &diag));
        const void *data;
        uint64_t size;
        must(telar_prepared_download(prepared, 0, &data, &size, &diag));
        assert_int_equal(*(const uint32_t *)data, k);
        telar_prepared_release(prepared);
        tape_free(&tape);
    }
    telar_host_close(host);
    assert_int_equal(counts.bytes, 0);
}

static void open_and_close(void **state)
{
    (void)state;
    size_t files = 0;
    for (int k = 0; k < 6; k++) {
        if (k == 2) files = open_files();
        counted counts = {0};
        telar_host_close(open_host_with(count_alloc(&counts)));
        assert_int_equal(counts.bytes, 0);
    }
    assert_true(open_files() <= files + 4); /* SwiftShader keeps one a device, whoever opened it */
    telar_host_close(NULL);
    telar_prepared_release(NULL);
}

/* ---- No memory ------------------------------------------------------------------------------------ */

typedef struct failing {
    counted counts;
    size_t left;
} failing;

static void *failing_alloc(void *user, size_t size_bytes)
{
    failing *limit = user;
    if (limit->left == 0) return NULL;
    limit->left--;
    limit->counts.bytes += size_bytes;
    return malloc(size_bytes);
}

static void failing_free(void *user, void *memory, size_t size_bytes)
{
    ((failing *)user)->counts.bytes -= size_bytes;
    free(memory);
}

/* Each allocation in turn is the one that fails. */
static void no_memory_on_the_cpu(void **state)
{
    (void)state;
    failing limit = {.left = SIZE_MAX};
    telar_host *host = open_host_with((telar_alloc){failing_alloc, failing_free, &limit});
    telar_status status = TELAR_OUT_OF_MEMORY;
    for (size_t allowed = 0; allowed < 200 && status != TELAR_OK; allowed++) {
        limit.left = allowed;
        status = try_adding(host);
        assert_true(status == TELAR_OK || status == TELAR_OUT_OF_MEMORY);
    }
    limit.left = SIZE_MAX;
    must(status);
    telar_host_close(host);
    assert_int_equal(limit.counts.bytes, 0);
    limit.left = 0;
    must_fail(TELAR_OUT_OF_MEMORY, telar_host_open(&(telar_host_desc){.webgpu = the_webgpu(),
                                                                      .alloc = {failing_alloc, failing_free, &limit}},
                                                   &host, &diag));
}

/* ---- Losing -------------------------------------------------------------------------------------- */

/* The device is destroyed under the host. Every call says so, none aborts; the same recording runs on a new host. */
static void lost(void **state)
{
    (void)state;
    telar_host *host = open_host();
    WGPUBuffer buffer;
    must(telar_host_buffer_create(host, 64, &buffer, &diag));
    tape_deck tape = tape_begin();
    telar_buffer a = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    telar_buffer b = tape_buffer(&tape, 256, TELAR_USE_STORAGE);
    telar_kernel add = tape_kernel(&tape, add_wgsl, "wr", 64);
    telar_record_clear(&tape.record, b, 0, 0);
    tape_dispatch(&tape, add, 1, (telar_buffer[]){a, b}, 2);
    telar_record_download(&tape.record, a, 0, 0);
    telar_recording recording = tape_end(&tape);
    telar_prepared *prepared, *other;
    must(telar_host_prepare(host, recording, NULL, 0, &prepared, &diag));
    must(telar_prepared_submit(prepared, &diag));

    the_webgpu()->DeviceDestroy(telar_host_device(host));
    telar_status first = telar_host_wait(host, 0, &diag);
    assert_true(first == TELAR_OK || first == TELAR_DEVICE_LOST);
    must_fail(TELAR_DEVICE_LOST, telar_prepared_run(prepared, &diag));
    must_fail(TELAR_DEVICE_LOST, telar_prepared_submit(prepared, &diag));
    must_fail(TELAR_DEVICE_LOST, telar_host_ready(host, &diag));
    must_fail(TELAR_DEVICE_LOST, telar_host_wait(host, 1000, &diag));
    must_fail(TELAR_DEVICE_LOST, telar_host_prepare(host, recording, NULL, 0, &other, &diag));
    uint8_t bytes[64] = {0};
    const void *data;
    uint64_t size;
    must_fail(TELAR_DEVICE_LOST, telar_host_write(host, buffer, 0, bytes, 64, &diag));
    must_fail(TELAR_DEVICE_LOST, telar_host_read(host, buffer, 0, bytes, 64, &diag));
    must_fail(TELAR_DEVICE_LOST, telar_prepared_download(prepared, 0, &data, &size, &diag));
    telar_host_buffer_release(host, buffer);
    must_fail(TELAR_DEVICE_LOST, telar_host_buffer_create(host, 64, &buffer, &diag));
    telar_prepared_release(prepared);
    telar_host_close(host);

    host = open_host();
    must(telar_host_prepare(host, recording, NULL, 0, &prepared, &diag));
    must(telar_prepared_run(prepared, &diag));
    must(telar_prepared_download(prepared, 0, &data, &size, &diag));
    telar_prepared_release(prepared);
    telar_host_close(host);
    tape_free(&tape);
}

/* ---- An application's own device ----------------------------------------------------------------- */

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message, void *to, void *_2)
{
    (void)message;
    (void)_2;
    assert_int_equal(status, WGPURequestAdapterStatus_Success);
    *(WGPUAdapter *)to = adapter;
}

static void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message, void *to, void *_2)
{
    (void)message;
    (void)_2;
    assert_int_equal(status, WGPURequestDeviceStatus_Success);
    *(WGPUDevice *)to = device;
}

/* Without one, wgpu-native ends the process when a device is lost. */
static void on_lost(WGPUDevice const *device, WGPUDeviceLostReason reason, WGPUStringView message, void *_1, void *_2)
{
    (void)device;
    (void)reason;
    (void)message;
    (void)_1;
    (void)_2;
}

typedef struct application {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
} application;

static application application_open(void)
{
    const telar_webgpu *webgpu = the_webgpu();
    application app = {.instance = webgpu->CreateInstance(NULL)};
    webgpu->InstanceRequestAdapter(
        app.instance,
        &(WGPURequestAdapterOptions){.featureLevel = WGPUFeatureLevel_Core, .backendType = WGPUBackendType_Vulkan},
        (WGPURequestAdapterCallbackInfo){
            .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_adapter, .userdata1 = &app.adapter});
    while (app.adapter == NULL) webgpu->InstanceProcessEvents(app.instance);
    webgpu->AdapterRequestDevice(
        app.adapter,
        &(WGPUDeviceDescriptor){
            .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_lost}},
        (WGPURequestDeviceCallbackInfo){
            .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_device, .userdata1 = &app.device});
    while (app.device == NULL) webgpu->InstanceProcessEvents(app.instance);
    return app;
}

static void application_close(application *app)
{
    const telar_webgpu *webgpu = the_webgpu();
    webgpu->DeviceRelease(app->device);
    webgpu->AdapterRelease(app->adapter);
    webgpu->InstanceRelease(app->instance);
}

static void applications_device(void **state)
{
    (void)state;
    application app = application_open();
    telar_host *host;
    must_fail(TELAR_INVALID_ARGUMENT, telar_host_from_device(the_webgpu(), app.instance, NULL, NULL, &host, &diag));
    if (the_webgpu()->implementation == TELAR_IMPLEMENTATION_DAWN) {
        must_fail(TELAR_INVALID_ARGUMENT, telar_host_from_device(the_webgpu(), NULL, app.device, NULL, &host, &diag));
    } else {
        must(telar_host_from_device(the_webgpu(), NULL, app.device, NULL, &host, &diag));
        must(try_adding(host));
        telar_host_close(host);
    }
    must(telar_host_from_device(the_webgpu(), app.instance, app.device, NULL, &host, &diag));
    assert_ptr_equal(telar_host_device(host), app.device);
    must(try_adding(host));
    telar_host_close(host);
    /* It is still the application's, and works. */
    must(telar_host_from_device(the_webgpu(), app.instance, app.device, NULL, &host, &diag));
    must(try_adding(host));

    /* Lost under the host, which has no callback of its own there. */
    the_webgpu()->DeviceDestroy(app.device);
    telar_status status = try_adding(host);
    if (status != TELAR_DEVICE_LOST) print_error("lost: %s: %s\n", telar_status_name(status), diag.text);
    assert_int_equal(status, TELAR_DEVICE_LOST);
    telar_host_close(host);
    application_close(&app);
}

/* ---- Threads ------------------------------------------------------------------------------------- */

typedef struct worker {
    pthread_t thread;
    telar_status status;
    telar_diag diag;
} worker;

/* Of opening and closing: NVIDIA's driver hangs now and then where these meet (telar/host.h). */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *data)
{
    worker *me = data;
    telar_host *host;
    pthread_mutex_lock(&one_at_a_time);
    me->status = telar_host_open(&(telar_host_desc){.webgpu = the_webgpu()}, &host, &me->diag);
    pthread_mutex_unlock(&one_at_a_time);
    if (me->status != TELAR_OK) return NULL;
    for (int k = 0; k < 20 && me->status == TELAR_OK; k++) me->status = try_adding_with(host, &me->diag);
    pthread_mutex_lock(&one_at_a_time);
    telar_host_close(host);
    pthread_mutex_unlock(&one_at_a_time);
    return NULL;
}

/* Hosts are independent: one a thread. */
static void hosts_on_threads(void **state)
{
    (void)state;
    static worker workers[3];
    for (int k = 0; k < 3; k++) assert_int_equal(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
    for (int k = 0; k < 3; k++) assert_int_equal(pthread_join(workers[k].thread, NULL), 0);
    for (int k = 0; k < 3; k++) {
        if (workers[k].status != TELAR_OK) print_error("%s\n", workers[k].diag.text);
        assert_int_equal(workers[k].status, TELAR_OK);
    }
}

/* ---- Two implementations ------------------------------------------------------------------------- */

static void two_implementations(void **state)
{
    (void)state;
    const telar_webgpu *second = the_other_webgpu();
    if (second == NULL) {
        skip();
        return;
    }
    assert_int_not_equal(second->implementation, the_webgpu()->implementation);
    telar_host *host = open_host(), *other = NULL;
    telar_status status = telar_host_open(&(telar_host_desc){.webgpu = second}, &other, &diag);
    /* This Dawn takes no lavapipe: then it says so. */
    assert_true(status == TELAR_OK || status == TELAR_NO_DEVICE);
    for (int k = 0; k < 5; k++) {
        must(try_adding(host));
        if (other != NULL) must(try_adding(other));
    }
    telar_host_close(host);
    if (other != NULL) must(try_adding(other));
    telar_host_close(other);
}

int main(void)
{
    the_webgpu();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries),
        cmocka_unit_test(adapters),
        cmocka_unit_test(facts),
        cmocka_unit_test(default_limits),
        cmocka_unit_test(a_table_of_the_standard),
        cmocka_unit_test(open_and_close),
        cmocka_unit_test(many_kernels),
        cmocka_unit_test(a_thousand_cycles),
        cmocka_unit_test(no_memory_on_the_cpu),
        cmocka_unit_test(lost),
        cmocka_unit_test(applications_device),
        cmocka_unit_test(hosts_on_threads),
        cmocka_unit_test(two_implementations),
    };
    return cmocka_run_group_tests_name("host_life", tests, NULL, NULL);
}
