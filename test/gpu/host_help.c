/* SPDX-License-Identifier: MIT */
#include "host_help.h"

#include <unistd.h>

telar_diag diag;

void must_at(telar_status status, const char *what, const char *file, int line)
{
    if (status != TELAR_OK) print_error("%s: %s: %s\n", what, telar_status_name(status), diag.text);
    _assert_int_equal((unsigned long)status, TELAR_OK, file, line);
}

void must_fail_at(telar_status wanted, telar_status got, const char *what, const char *file, int line)
{
    if (got != wanted) {
        print_error("%s: %s where %s was expected: %s\n", what, telar_status_name(got), telar_status_name(wanted),
                    got == TELAR_OK ? "" : diag.text);
    }
    _assert_int_equal((unsigned long)got, (unsigned long)wanted, file, line);
}

static telar_webgpu webgpu, other;
static bool loaded, other_loaded;

const telar_webgpu *the_webgpu(void)
{
    if (loaded) return &webgpu;
    if (telar_webgpu_load(NULL, &webgpu, &diag) != TELAR_OK) {
        fprintf(stderr, "skipped: %s\n", diag.text);
        exit(SKIPPED);
    }
    loaded = true;
    return &webgpu;
}

const telar_webgpu *the_other_webgpu(void)
{
    if (other_loaded) return &other;
    bool dawn = the_webgpu()->implementation == TELAR_IMPLEMENTATION_DAWN;
    const char *path = getenv(dawn ? "TELAR_TEST_WGPU" : "TELAR_TEST_DAWN");
    char beside[512];
    if (path == NULL) { /* where set-up puts them: two neighbours */
        const char *mine = getenv("TELAR_WEBGPU");
        const char *end = mine == NULL ? NULL : strstr(mine, dawn ? "/dawn/" : "/wgpu/");
        if (end == NULL) return NULL;
        snprintf(beside, sizeof beside, "%.*s/%s", (int)(end - mine), mine,
                 dawn ? "wgpu/libwgpu_native-release.so" : "dawn/libwebgpu_wrapper.so");
        path = beside;
    }
    if (access(path, R_OK) != 0) return NULL;
    must(telar_webgpu_load(path, &other, &diag));
    other_loaded = true;
    return &other;
}

telar_host *open_host_with(telar_alloc alloc)
{
    const char *name = getenv("TELAR_DEVICE");
    const char *index = name == NULL ? NULL : strchr(name, ':');
    telar_host *host;
    must(telar_host_open(&(telar_host_desc){.webgpu = the_webgpu(),
                                            .adapter_chosen = index != NULL,
                                            .adapter_index = index == NULL ? 0 : (uint32_t)strtoul(index + 1, NULL, 10),
                                            .alloc = alloc},
                         &host, &diag));
    return host;
}

telar_host *open_host(void)
{
    return open_host_with((telar_alloc){0});
}

static void *counted_alloc(void *user, size_t size_bytes)
{
    counted *counts = user;
    counts->bytes += size_bytes;
    counts->blocks++;
    return malloc(size_bytes);
}

static void counted_free(void *user, void *memory, size_t size_bytes)
{
    counted *counts = user;
    counts->bytes -= size_bytes;
    counts->blocks--;
    free(memory);
}

telar_alloc count_alloc(counted *counts)
{
    return (telar_alloc){counted_alloc, counted_free, counts};
}

tape_deck tape_begin(void)
{
    uint32_t *words = malloc(RECORD_WORDS * sizeof *words);
    assert_non_null(words);
    return (tape_deck){words, telar_record_begin(words, RECORD_WORDS)};
}

telar_recording tape_end(tape_deck *tape)
{
    telar_recording recording;
    must(telar_record_end(&tape->record, &recording, &diag));
    return recording;
}

void tape_free(tape_deck *tape)
{
    free(tape->words);
    tape->words = NULL;
}

telar_kernel tape_kernel(tape_deck *tape, const char *wgsl, const char *modes, uint32_t workgroup_size)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    telar_binding bindings[8];
    uint32_t count = (uint32_t)strlen(modes);
    for (uint32_t k = 0; k < count; k++) {
        bindings[k] =
            (telar_binding){.name = names[k],
                            .binding = k,
                            .space = modes[k] == 'r' ? TELAR_BINDING_STORAGE_READ : TELAR_BINDING_STORAGE_READ_WRITE,
                            .element_bytes = 4,
                            .min_bytes = 4};
    }
    return telar_record_kernel(&tape->record, &(telar_kernel_desc){.name = "kernel",
                                                                   .wgsl = wgsl,
                                                                   .wgsl_bytes = strlen(wgsl),
                                                                   .entry = "main",
                                                                   .bindings = bindings,
                                                                   .bindings_count = count,
                                                                   .workgroup_size = {workgroup_size, 1, 1}});
}

telar_buffer tape_buffer(tape_deck *tape, uint64_t size_bytes, uint32_t use)
{
    return telar_record_buffer(&tape->record,
                               &(telar_buffer_desc){.name = "data", .size_bytes = size_bytes, .use = use});
}

void tape_dispatch(tape_deck *tape, telar_kernel kernel, uint32_t groups, const telar_buffer *buffers, uint32_t count)
{
    telar_bind binds[8] = {0};
    for (uint32_t k = 0; k < count; k++) binds[k].buffer = buffers[k];
    telar_record_dispatch(
        &tape->record,
        &(telar_dispatch_desc){.kernel = kernel, .groups = {groups, 1, 1}, .binds = binds, .binds_count = count});
}

const char add_wgsl[] = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                        "@group(0) @binding(1) var<storage, read> b: array<u32>;\n"
                        "@compute @workgroup_size(64)\n"
                        "fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                        "    if (id.x >= arrayLength(&a)) { return; }\n"
                        "    a[id.x] = a[id.x] + b[id.x];\n"
                        "}\n";
