/* SPDX-License-Identifier: MIT
 *
 * usage: transfer [LARGEST_MIB [ROUNDS]]   (TELAR_WEBGPU names the library; 256 and 5 by default)
 *
 * GB/s of telar_host_write and telar_host_read by size, best of some rounds, data checked once; and the latency of the
 * smallest run: one dispatch, submitted and waited for. */
#include <telar/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static telar_diag diag;

static void check(telar_status status)
{
    if (status == TELAR_OK) return;
    fprintf(stderr, "transfer: %s: %s\n", telar_status_name(status), diag.text);
    exit(1);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run_size(telar_host *host, WGPUBuffer buffer, const uint8_t *data, uint8_t *back, uint64_t bytes,
                     int rounds)
{
    double write = 1e9, wrote = 1e9, read = 1e9;
    for (int k = 0; k < rounds; k++) {
        double start = now_s();
        check(telar_host_write(host, buffer, 0, data, bytes, &diag));
        double returned = now_s();
        check(telar_host_wait(host, 0, &diag));
        double done = now_s();
        check(telar_host_read(host, buffer, 0, back, bytes, &diag));
        double end = now_s();
        if (returned - start < write) write = returned - start;
        if (done - start < wrote) wrote = done - start;
        if (end - done < read) read = end - done;
    }
    printf("%12llu bytes: write %7.2f GB/s (%7.2f until done), read %7.2f GB/s, %9.1f and %9.1f us%s\n",
           (unsigned long long)bytes, 1e-9 * (double)bytes / write, 1e-9 * (double)bytes / wrote,
           1e-9 * (double)bytes / read, 1e6 * write, 1e6 * read, memcmp(data, back, bytes) == 0 ? "" : "  DIFFERS");
}

static void run_latency(telar_host *host)
{
    static const char wgsl[] = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                               "@compute @workgroup_size(1) fn main() { a[0] += 1u; }\n";
    uint32_t words[256];
    telar_binding binding = {
        .name = "a", .space = TELAR_BINDING_STORAGE_READ_WRITE, .element_bytes = 4, .min_bytes = 4};
    telar_kernel_desc desc = {.name = "one",
                              .wgsl = wgsl,
                              .wgsl_bytes = sizeof wgsl - 1,
                              .entry = "main",
                              .bindings = &binding,
                              .bindings_count = 1,
                              .workgroup_size = {1, 1, 1}};
    telar_record record = telar_record_begin(words, 256);
    telar_buffer a =
        telar_record_buffer(&record, &(telar_buffer_desc){.name = "a", .size_bytes = 4, .use = TELAR_USE_STORAGE});
    telar_kernel kernel = telar_record_kernel(&record, &desc);
    telar_record_dispatch(
        &record, &(telar_dispatch_desc){
                     .kernel = kernel, .groups = {1, 1, 1}, .binds = &(telar_bind){.buffer = a}, .binds_count = 1});
    telar_recording recording;
    telar_prepared *prepared;
    check(telar_record_end(&record, &recording, &diag));
    check(telar_host_prepare(host, recording, NULL, 0, &prepared, &diag));
    double best = 1e9, sum = 0;
    for (int k = 0; k < 1100; k++) {
        double start = now_s();
        check(telar_prepared_run(prepared, &diag));
        double took = now_s() - start;
        if (k < 100) continue;
        sum += took;
        if (took < best) best = took;
    }
    printf("one dispatch, submitted and waited for: %.1f us at best, %.1f us on average\n", 1e6 * best, 1e3 * sum);
    telar_prepared_release(prepared);
}

int main(int argc, char **argv)
{
    uint64_t largest = (argc > 1 ? strtoull(argv[1], NULL, 10) : 256) << 20;
    int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 5;
    static telar_webgpu webgpu;
    telar_host *host;
    check(telar_webgpu_load(NULL, &webgpu, &diag));
    check(telar_host_open(&(telar_host_desc){.webgpu = &webgpu}, &host, &diag));
    const telar_adapter_info *info = telar_host_adapter(host);
    uint64_t limit = telar_host_facts(host)->limits.maxBufferSize / 4 * 4;
    if (largest > limit) largest = limit;
    printf("%s %s, %s\n", info->name, info->version, info->adapter);
    WGPUBuffer buffer;
    check(telar_host_buffer_create(host, largest, &buffer, &diag));
    uint8_t *data = malloc(largest), *back = malloc(largest);
    if (data == NULL || back == NULL) exit(1);
    for (uint64_t k = 0; k < largest; k++) data[k] = (uint8_t)(k * 2654435761u >> 13);
    memset(back, 1, largest);
    run_latency(host);
    for (uint64_t bytes = 4; bytes < largest; bytes *= 16) run_size(host, buffer, data, back, bytes, rounds * 4);
    run_size(host, buffer, data, back, largest, rounds);
    free(data);
    free(back);
    telar_host_buffer_release(host, buffer);
    telar_host_close(host);
    telar_webgpu_unload(&webgpu);
    return 0;
}
