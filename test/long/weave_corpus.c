/* SPDX-License-Identifier: MIT
 *
 * Weaves every compute entry point of the WGSL files named on standard input, one a line, on the device that
 * TELAR_WEBGPU and TELAR_DEVICE name: as it is, and where it is foldable folded, and folded for a count of the GPU's.
 * Whatever the implementation compiles untouched must be compiled by it when woven too. Prints failures and a summary;
 * exit status 1 when there was one. TELAR_SHOW_REFUSED and TELAR_SHOW_TEXT tell more.
 *
 * Implementations end the process on some inputs, or never return. So the work is done by a child that says which file
 * it is at; when it dies, or takes too long over an entry point, another goes on after that file. A death while the
 * untouched text is compiled is not held against weaving. */
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FILES_MAX = 100000,
    ARENA_BYTES = 1 << 26,
    RECORD_WORDS = 1 << 20,
    PHASE_SECONDS = 60
};

typedef enum phase {
    UNTOUCHED,
    PLAIN,
    FOLDED,
    COUNTED,
    PHASES
} phase;
static const char *const phase_texts[PHASES] = {"untouched", "plain", "folded", "counted"};

/* Shared with the children. */
typedef struct progress {
    unsigned long file;
    phase phase;
    unsigned long files, unread, entries, deaths[PHASES];
    unsigned long compiled[PHASES], refused[PHASES], failed[PHASES];
} progress;
static progress *all;

static char *paths[FILES_MAX];
static unsigned long paths_count;
static telar_host *host;
static void *memory;
static uint32_t *words;

static void *must_alloc(size_t bytes)
{
    void *block = malloc(bytes + 1);
    if (block != NULL) return block;
    fputs("out of memory\n", stderr);
    exit(2);
}

static char *load(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = must_alloc((size_t)size);
    *bytes = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}

/* ---- Does the implementation compile it? ------------------------------------------------------------------------- */

static bool compiles_untouched(const char *text, size_t bytes, const char *entry, telar_diag *diag)
{
    if (tl_hazards_check(host, (tl_str){text, bytes}, diag) != TELAR_OK) return false;
    const telar_webgpu *webgpu = host->webgpu;
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = {text, bytes}};
    tl_scope_begin(host);
    WGPUShaderModule module =
        webgpu->DeviceCreateShaderModule(host->device, &(WGPUShaderModuleDescriptor){.nextInChain = &source.chain});
    bool good = tl_scope_end(host, TELAR_SHADER_REJECTED, "the text", diag) == TELAR_OK;
    if (good) {
        tl_scope_begin(host);
        WGPUComputePipeline pipeline = webgpu->DeviceCreateComputePipeline(
            host->device,
            &(WGPUComputePipelineDescriptor){.compute = {.module = module, .entryPoint = {entry, strlen(entry)}}});
        good = tl_scope_end(host, TELAR_SHADER_REJECTED, "the entry point", diag) == TELAR_OK;
        if (pipeline != NULL) webgpu->ComputePipelineRelease(pipeline);
    }
    if (module != NULL) webgpu->ShaderModuleRelease(module);
    return good;
}

static bool compiles_woven(const telar_kernel_desc *kernel, telar_diag *diag)
{
    telar_record record = telar_record_begin(words, RECORD_WORDS);
    telar_recording recording;
    telar_prepared *prepared;
    telar_record_kernel(&record, kernel);
    if (telar_record_end(&record, &recording, diag) != TELAR_OK) return false;
    if (telar_host_prepare(host, recording, NULL, 0, &prepared, diag) != TELAR_OK) return false;
    telar_prepared_release(prepared);
    return true;
}

/* ---- One entry point --------------------------------------------------------------------------------------------- */

static void report(const char *path, const char *entry, const char *text, const telar_diag *diag)
{
    all->failed[all->phase]++;
    printf("FAILED %s: %s: %s: %s\n", path, entry, phase_texts[all->phase], diag->text);
    if (getenv("TELAR_SHOW_TEXT") != NULL && text != NULL) puts(text);
    fflush(stdout);
}

static void try_woven(const char *path, telar_weave_desc desc, telar_shape shape, telar_arena arena)
{
    telar_diag diag = {0};
    telar_weave_needs needs;
    telar_woven woven;
    telar_plan plan;
    alarm(PHASE_SECONDS);
    bool refused = telar_weave_inspect(&desc, &arena, &needs, &diag) != TELAR_OK;
    if (!refused && shape == TELAR_SHAPE_FOLD && !needs.foldable) {
        refused = true;
        snprintf(diag.text, sizeof diag.text, "not foldable: %s", needs.why_not_foldable);
    }
    if (!refused) {
        telar_plan_desc wish = {.count = {1000}, .items = 1, .shape = shape};
        memcpy(wish.size, needs.workgroup_size, sizeof wish.size);
        refused = telar_plan_make(&wish, telar_host_facts(host), &plan, &diag) != TELAR_OK;
    }
    desc.plan = &plan;
    if (!refused) {
        telar_status status = telar_weave(&desc, &arena, &woven, &diag);
        refused = status == TELAR_UNSUPPORTED || status == TELAR_NOT_FOLDABLE;
        if (!refused && status != TELAR_OK) {
            report(path, desc.entry, NULL, &diag);
            return;
        }
    }
    if (refused) {
        all->refused[all->phase]++;
        if (getenv("TELAR_SHOW_REFUSED") != NULL) printf("refused %s: %s: %s\n", path, desc.entry, diag.text);
    } else if (compiles_woven(&woven.kernel, &diag)) {
        all->compiled[all->phase]++;
    } else {
        report(path, desc.entry, woven.kernel.wgsl, &diag);
    }
}

static void try_entry(const char *path, const telar_wgsl *module, const char *text, size_t bytes, const char *entry,
                      telar_arena arena)
{
    telar_diag diag = {0};
    alarm(PHASE_SECONDS);
    all->entries++;
    all->phase = UNTOUCHED;
    if (!compiles_untouched(text, bytes, entry, &diag)) {
        all->failed[UNTOUCHED]++;
        if (getenv("TELAR_SHOW_REFUSED") != NULL) printf("not taken %s: %s: %.300s\n", path, entry, diag.text);
        return;
    }
    all->compiled[UNTOUCHED]++;
    telar_weave_desc desc = {.module = module, .entry = entry, .dialect = telar_host_dialect(host)};
    all->phase = PLAIN;
    try_woven(path, desc, TELAR_SHAPE_LINEAR, arena);
    all->phase = FOLDED;
    try_woven(path, desc, TELAR_SHAPE_FOLD, arena);
    all->phase = COUNTED;
    desc.counted = desc.canary = true;
    try_woven(path, desc, TELAR_SHAPE_FOLD, arena);
}

static void try_file(const char *path)
{
    size_t bytes;
    char *text = load(path, &bytes);
    if (text == NULL) return;
    telar_arena arena = telar_arena_make(memory, ARENA_BYTES);
    telar_wgsl *module;
    telar_wgsl_reflection reflection;
    telar_diag diag = {0};
    all->files++;
    if (telar_wgsl_read(text, bytes, &arena, &module, &diag) != TELAR_OK ||
        telar_wgsl_reflect(module, NULL, 0, &arena, &reflection, &diag) != TELAR_OK) {
        all->unread++;
    } else {
        for (uint32_t k = 0; k < reflection.entries_count; k++) {
            const telar_wgsl_entry *entry = &reflection.entries[k];
            if (entry->stage == TELAR_WGSL_COMPUTE) try_entry(path, module, text, bytes, entry->name, arena);
        }
    }
    free(text);
}

/* ---- The child --------------------------------------------------------------------------------------------------- */

static void open_host(telar_webgpu *webgpu)
{
    const char *device = getenv("TELAR_DEVICE");
    const char *colon = device == NULL ? NULL : strchr(device, ':');
    telar_host_desc desc = {.webgpu = webgpu, .adapter_chosen = colon != NULL};
    if (colon != NULL) desc.adapter_index = (uint32_t)strtoul(colon + 1, NULL, 10);
    telar_diag diag = {0};
    if (telar_webgpu_load(NULL, webgpu, &diag) == TELAR_OK && telar_host_open(&desc, &host, &diag) == TELAR_OK) return;
    fprintf(stderr, "%s\n", diag.text);
    exit(3);
}

static int work(void)
{
    telar_webgpu webgpu;
    open_host(&webgpu);
    memory = must_alloc(ARENA_BYTES);
    words = must_alloc(RECORD_WORDS * sizeof *words);
    for (; all->file < paths_count; all->file++) try_file(paths[all->file]);
    return 0;
}

static void read_paths(void)
{
    char path[4096];
    while (paths_count < FILES_MAX && fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\r\n")] = '\0';
        if (path[0] == '\0') continue;
        paths[paths_count] = must_alloc(strlen(path));
        strcpy(paths[paths_count++], path);
    }
}

static void summarise(void)
{
    printf("%lu files (%lu not read), %lu compute entry points\n", all->files, all->unread, all->entries);
    for (int k = 0; k < PHASES; k++) {
        printf("%-9s  %lu compiled, %lu refused by weave, %lu %s, %lu deaths of the implementation\n", phase_texts[k],
               all->compiled[k], all->refused[k], all->failed[k], k == UNTOUCHED ? "not taken" : "FAILED",
               all->deaths[k]);
    }
}

int main(void)
{
    read_paths();
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return 2;
    int status = 0;
    for (;;) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) _exit(work());
        if (child < 0 || waitpid(child, &status, 0) != child) return 2;
        if (WIFEXITED(status)) break;
        printf("%s %s: the implementation ended the process (%s)\n", all->phase == UNTOUCHED ? "ended " : "FAILED",
               paths[all->file], phase_texts[all->phase]);
        all->deaths[all->phase]++;
        all->file++;
    }
    if (WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
    summarise();
    unsigned long failures = 0;
    for (int k = PLAIN; k < PHASES; k++) failures += all->failed[k] + all->deaths[k];
    return failures > 0;
}
