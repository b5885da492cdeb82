/* SPDX-License-Identifier: MIT
 *
 * What a device really does. It is proven by a kernel whose results are read back, its subgroups by one that reads
 * their size, its dialect by compiling small kernels inside error scopes. Nothing here is presumed from a name or a
 * number. */
#include "host/host.h"

#include <string.h>

#define TL_PROBE_WORDS 1024
#define TL_PROBE_COUNT 64

/* ---- Running a small kernel ---------------------------------------------------------------------- */

static telar_status run_probe(telar_host *host, const char *wgsl, uint32_t groups, uint32_t *out, uint32_t out_words,
                              telar_diag *diag)
{
    uint32_t words[TL_PROBE_WORDS];
    telar_binding binding = {.name = "out", .space = TELAR_BINDING_STORAGE_READ_WRITE, .min_bytes = 4};
    telar_kernel_desc kernel = {.name = "probe",
                                .wgsl = wgsl,
                                .wgsl_bytes = strlen(wgsl),
                                .entry = "main",
                                .bindings = &binding,
                                .bindings_count = 1,
                                .workgroup_size = {TL_PROBE_COUNT, 1, 1}};
    telar_record record = telar_record_begin(words, TL_PROBE_WORDS);
    telar_buffer buffer = telar_record_buffer(
        &record, &(telar_buffer_desc){.name = "out", .size_bytes = (uint64_t)out_words * 4, .use = TELAR_USE_STORAGE});
    telar_kernel handle = telar_record_kernel(&record, &kernel);
    telar_record_mark(&record, "begin");
    telar_record_dispatch(&record, &(telar_dispatch_desc){.kernel = handle,
                                                          .groups = {groups, 1, 1},
                                                          .binds = &(telar_bind){.buffer = buffer},
                                                          .binds_count = 1});
    telar_record_mark(&record, "end");
    telar_record_download(&record, buffer, 0, (uint64_t)out_words * 4);
    telar_recording recording;
    TELAR_TRY(telar_record_end(&record, &recording, diag));

    telar_prepared *prepared;
    TELAR_TRY(telar_host_prepare(host, recording, NULL, 0, &prepared, diag));
    telar_status status = telar_prepared_run(prepared, diag);
    const void *data;
    uint64_t size_bytes;
    if (status == TELAR_OK) status = telar_prepared_download(prepared, 0, &data, &size_bytes, diag);
    if (status == TELAR_OK) memcpy(out, data, (size_t)size_bytes);
    telar_prepared_release(prepared);
    return status;
}

/* ---- The proof ----------------------------------------------------------------------------------- */

static const char proof_wgsl[] = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n"
                                 "@compute @workgroup_size(64)\n"
                                 "fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                                 "    out[id.x] = (id.x + 1u) * 2654435761u;\n"
                                 "}\n";

static telar_status prove(telar_host *host, telar_diag *diag)
{
    uint32_t out[TL_PROBE_COUNT] = {0};
    telar_diag why = {0};
    telar_status status = run_probe(host, proof_wgsl, 1, out, TL_PROBE_COUNT, &why);
    if (status == TELAR_DEVICE_LOST || status == TELAR_OUT_OF_MEMORY) return tl_fail(diag, status, "%s", why.text);
    if (status != TELAR_OK) {
        return tl_fail(diag, TELAR_NO_DEVICE, "'%s' (%s) cannot run a kernel: %s", host->info.adapter,
                       host->info.backend, why.text);
    }
    for (uint32_t k = 0; k < TL_PROBE_COUNT; k++) {
        if (out[k] == (k + 1) * 2654435761u) continue;
        return tl_fail_limit(diag, TELAR_NO_DEVICE, out[k], (uint32_t)((k + 1) * 2654435761u),
                             "'%s' (%s) accepts a kernel and computes nothing or something else", host->info.adapter,
                             host->info.backend);
    }
    return TELAR_OK;
}

/* ---- The dialect --------------------------------------------------------------------------------- */

/* Each compute kernel here compiles where what it asks for is there. %s is the line that subgroups need, or nothing. */
static bool compiles(telar_host *host, const char *enable, const char *body, telar_params_kind params)
{
    char wgsl[1024];
    telar_out out = {.data = wgsl, .cap = sizeof wgsl};
    tl_out_text(&out, enable);
    tl_out_text(&out, "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n");
    tl_out_text(&out, body);
    tl_op_kernel kernel = {.size_x = 1,
                           .size_y = 1,
                           .size_z = 1,
                           .params_kind = params,
                           .params_words = params == TELAR_PARAMS_NONE ? 0 : 8,
                           .name = TL_STR("probe"),
                           .entry = TL_STR("main"),
                           .wgsl = {wgsl, out.len}};
    /* One binding, as the reader would give it: eight words, then its name. */
    static const uint32_t binding[] = {0, 0, TELAR_BINDING_STORAGE_READ_WRITE, 4, 4, 0, 0, 0};
    static const uint32_t names[] = {0};
    kernel.bindings = (tl_binding_list){binding, names, 1};
    tl_pipeline *pipeline;
    if (tl_pipeline_get(host, &kernel, false, &pipeline, NULL) != TELAR_OK) return false;
    pipeline->users--;
    return true;
}

#define MAIN "@compute @workgroup_size(1) fn main"

static telar_subgroup_dialect probe_subgroups(telar_host *host)
{
    static const char body[] = MAIN "(@builtin(subgroup_size) s: u32) { out[0] = subgroupAdd(s); }\n";
    if ((host->features & TL_FEATURE_SUBGROUPS) == 0) return TELAR_SUBGROUPS_NONE;
    if (compiles(host, "enable subgroups;\n", body, TELAR_PARAMS_NONE)) return TELAR_SUBGROUPS_ENABLE;
    if (compiles(host, "", body, TELAR_PARAMS_NONE)) return TELAR_SUBGROUPS_BARE;
    return TELAR_SUBGROUPS_NONE;
}

static const char *subgroup_line(telar_subgroup_dialect subgroups)
{
    return subgroups == TELAR_SUBGROUPS_ENABLE ? "enable subgroups;\n" : "";
}

static void probe_dialect(telar_host *host)
{
    telar_dialect *dialect = &host->dialect;
    dialect->subgroups = probe_subgroups(host);
    dialect->f16 = (host->features & TL_FEATURE_F16) != 0 &&
                   compiles(host, "enable f16;\n", MAIN "() { out[0] = u32(f16(out[1]) * 2h); }\n", TELAR_PARAMS_NONE);
    dialect->immediates =
        host->webgpu->ComputePassEncoderSetImmediates != NULL && host->facts.limits.maxImmediateSize >= 32 &&
        compiles(host, "",
                 "struct P { a: vec4u, b: vec4u }\nvar<immediate> p: P;\n" MAIN "() { out[0] = p.a.x + p.b.w; }\n",
                 TELAR_PARAMS_IMMEDIATE);
    dialect->subgroup_id = dialect->subgroups != TELAR_SUBGROUPS_NONE &&
                           compiles(host, subgroup_line(dialect->subgroups),
                                    MAIN "(@builtin(subgroup_id) s: u32) { out[0] = s; }\n", TELAR_PARAMS_NONE);
    dialect->subgroup_barrier = (host->features & TL_FEATURE_SUBGROUP_BARRIER) != 0 &&
                                dialect->subgroups != TELAR_SUBGROUPS_NONE &&
                                compiles(host, subgroup_line(dialect->subgroups),
                                         MAIN "() { out[0] = 1u; subgroupBarrier(); }\n", TELAR_PARAMS_NONE);
    dialect->linear_indexing = compiles(
        host, "", MAIN "(@builtin(global_invocation_index) i: u32, @builtin(workgroup_index) w: u32) { out[i] = w; }\n",
        TELAR_PARAMS_NONE);
    dialect->pointer_parameters = compiles(
        host, "",
        "var<workgroup> shared_word: u32;\n"
        "fn add(to: ptr<storage, array<u32>, read_write>, value: ptr<workgroup, u32>) { (*to)[0] += *value; }\n" MAIN
        "() { add(&out, &shared_word); }\n",
        TELAR_PARAMS_NONE);
}

/* ---- Subgroups ----------------------------------------------------------------------------------- */

static void set_subgroups(telar_host *host, uint32_t min, uint32_t max, telar_fact_source source)
{
    host->facts.values[TELAR_FACT_SUBGROUP_MIN] = (telar_fact){.value = min, .source = source};
    host->facts.values[TELAR_FACT_SUBGROUP_MAX] = (telar_fact){.value = max, .source = source};
}

/* The range that kernels may get. A range that the adapter gives holds for every kernel, the probe only for its own:
 * the adapter's is kept unless the probe contradicts it. */
static telar_status probe_subgroup_size(telar_host *host, const WGPUAdapterInfo *adapter, telar_diag *diag)
{
    uint32_t min = adapter->subgroupMinSize, max = adapter->subgroupMaxSize;
    bool claimed = min > 0 && min <= max && max <= 128;
    if (claimed) set_subgroups(host, min, max, TELAR_SOURCE_ADAPTER);
    if (host->dialect.subgroups == TELAR_SUBGROUPS_NONE) return TELAR_OK;
    char wgsl[512];
    telar_out out = {.data = wgsl, .cap = sizeof wgsl};
    tl_out_text(&out, subgroup_line(host->dialect.subgroups));
    tl_out_text(&out, "@group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>>;\n"
                      "@compute @workgroup_size(64)\n"
                      "fn main(@builtin(subgroup_size) size: u32) {\n"
                      "    atomicMax(&out[0], size);\n"
                      "    atomicMax(&out[1], 4096u - size);\n"
                      "}\n");
    uint32_t found[2] = {0};
    TELAR_TRY(run_probe(host, wgsl, 64, found, 2, diag));
    uint32_t largest = found[0], smallest = 4096 - found[1];
    if (largest == 0 || smallest > largest) return TELAR_OK;
    bool within = claimed && min <= smallest && largest <= max;
    if (!within || min == max) set_subgroups(host, smallest, largest, TELAR_SOURCE_PROBE);
    return TELAR_OK;
}

/* ---- The clock ----------------------------------------------------------------------------------- */

/* Dawn's timestamps are multiples of 2^16 ns unless it was told otherwise, which an application's device may not be. */
#define TL_DAWN_QUANTUM_NS 65536.0

static void probe_clock(telar_host *host)
{
    if ((host->features & TL_FEATURE_TIMESTAMPS) == 0) return;
    bool coarse = host->webgpu->implementation == TELAR_IMPLEMENTATION_DAWN && !host->owns_device;
    host->quantum_ns = coarse ? TL_DAWN_QUANTUM_NS : host->tick_ns;
}

telar_status tl_probe(telar_host *host, const WGPUAdapterInfo *adapter, telar_diag *diag)
{
    TELAR_TRY(prove(host, diag));
    probe_dialect(host);
    TELAR_TRY(probe_subgroup_size(host, adapter, diag));
    probe_clock(host);
    return TELAR_OK;
}
