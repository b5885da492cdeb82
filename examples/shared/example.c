/* SPDX-License-Identifier: MIT
 *
 * The larger examples' common part; see example.h. */
#include "shared/example.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARENA_BYTES = 1 << 24,
    RECORD_WORDS = 1 << 17
};

static const char *program = "example";

_Noreturn void example_fail(int exit_status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(exit_status);
}

void example_check(telar_status status, const telar_diag *diag)
{
    if (status == TELAR_OK) return;
    int exit_status = status == TELAR_MISMATCH ? 1 : 3;
    if (diag->line > 0) {
        example_fail(exit_status, "%s: line %u, column %u: %s", telar_status_text(status), diag->line, diag->column,
                     diag->text);
    }
    example_fail(exit_status, "%s: %s", telar_status_text(status), diag->text);
}

void *example_alloc(size_t count, size_t size)
{
    void *memory = calloc(count == 0 ? 1 : count, size);
    if (memory == NULL) example_fail(3, "no memory for %zu elements of %zu bytes", count, size);
    return memory;
}

void example_name(const char *name)
{
    program = name;
}

void example_open(example *e)
{
    telar_diag diag = {0};
    example_check(telar_webgpu_load(NULL, &e->webgpu, &diag), &diag);
    example_check(telar_host_open(&(telar_host_desc){.webgpu = &e->webgpu}, &e->host, &diag), &diag);
    e->arena = telar_arena_make(example_alloc(ARENA_BYTES, 1), ARENA_BYTES);
}

void example_close(example *e)
{
    telar_host_close(e->host);
    telar_webgpu_unload(&e->webgpu);
    free(e->arena.data);
}

/* ---- Arguments --------------------------------------------------------------------------------------------------- */

const char *example_text(char **argv, int *k)
{
    const char *option = argv[*k];
    if (argv[*k + 1] == NULL) example_fail(2, "%s wants a value", option);
    return argv[++*k];
}

uint32_t example_number(char **argv, int *k, uint32_t least, uint32_t most)
{
    const char *option = argv[*k];
    const char *text = example_text(argv, k);
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < least || value > most) {
        example_fail(2, "%s '%s' is not a number from %u to %u", option, text, least, most);
    }
    return (uint32_t)value;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

WGPUBuffer example_buffer(example *e, uint64_t size_bytes)
{
    telar_diag diag = {0};
    WGPUBuffer buffer;
    example_check(telar_host_buffer_create(e->host, size_bytes, &buffer, &diag), &diag);
    return buffer;
}

void example_write(example *e, WGPUBuffer buffer, const void *data, uint64_t size_bytes)
{
    telar_diag diag = {0};
    example_check(telar_host_write(e->host, buffer, 0, data, size_bytes, &diag), &diag);
}

void example_read(example *e, WGPUBuffer buffer, void *data, uint64_t size_bytes)
{
    telar_diag diag = {0};
    example_check(telar_host_read(e->host, buffer, 0, data, size_bytes, &diag), &diag);
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

kernel_stage example_stage(example *e, const char *wgsl, const char *element, telar_plan_desc desc, stage_counts counts)
{
    telar_diag diag = {0};
    telar_wgsl *module;
    telar_woven woven;
    kernel_stage made;
    example_check(telar_plan_make(&desc, telar_host_facts(e->host), &made.plan, &diag), &diag);
    example_check(telar_wgsl_read(wgsl, strlen(wgsl), &e->arena, &module, &diag), &diag);
    const telar_weave_desc weave = {.module = module,
                                    .element = element,
                                    .plan = &made.plan,
                                    .dialect = telar_host_dialect(e->host),
                                    .overrides = &e->override,
                                    .overrides_count = e->override.name != NULL,
                                    .counted = counts == STAGE_GPU_COUNT};
    example_check(telar_weave(&weave, &e->arena, &woven, &diag), &diag);
    made.kernel = woven.kernel;
    made.kernel.name = element;
    return made;
}

/* ---- Drafts ------------------------------------------------------------------------------------------------------ */

void draft_begin(draft *d, example *e)
{
    *d = (draft){.e = e};
    d->record = telar_record_begin(example_alloc(RECORD_WORDS, 4), RECORD_WORDS);
}

void draft_name(draft *d, const char *name, telar_bind bind)
{
    uint32_t k = 0;
    while (k < d->names_count && strcmp(d->names[k].name, name) != 0) k++;
    if (k == DRAFT_NAMES_MAX) example_fail(3, "more than %d names in a recording", DRAFT_NAMES_MAX);
    d->names[k].name = name;
    d->names[k].bind = bind;
    if (k == d->names_count) d->names_count++;
}

telar_buffer draft_buffer(draft *d, const char *name, WGPUBuffer handle, uint64_t size_bytes)
{
    const telar_buffer_desc desc = {name, size_bytes, TELAR_USE_STORAGE | TELAR_USE_BOUND};
    telar_buffer buffer = telar_record_buffer(&d->record, &desc);
    draft_name(d, name, (telar_bind){.buffer = buffer});
    d->bound[d->bound_count++] = (telar_bound_buffer){buffer, handle};
    return buffer;
}

static telar_kernel kernel_of(draft *d, const kernel_stage *stage)
{
    for (uint32_t k = 0; k < d->stages_count; k++) {
        if (d->stages[k].stage == stage) return d->stages[k].kernel;
    }
    if (d->stages_count == DRAFT_STAGES_MAX) example_fail(3, "more than %d stages in a recording", DRAFT_STAGES_MAX);
    telar_kernel kernel = telar_record_kernel(&d->record, &stage->kernel);
    d->stages[d->stages_count].stage = stage;
    d->stages[d->stages_count++].kernel = kernel;
    return kernel;
}

static uint32_t find_binds(const draft *d, const kernel_stage *stage, telar_bind binds[DRAFT_NAMES_MAX])
{
    for (uint32_t b = 0; b < stage->kernel.bindings_count; b++) {
        uint32_t k = 0;
        while (k < d->names_count && strcmp(d->names[k].name, stage->kernel.bindings[b].name) != 0) k++;
        if (k == d->names_count) {
            example_fail(3, "%s uses '%s', which has no buffer", stage->kernel.name, stage->kernel.bindings[b].name);
        }
        binds[b] = d->names[k].bind;
    }
    return stage->kernel.bindings_count;
}

void draft_launch(draft *d, const kernel_stage *stage, const telar_count *count)
{
    telar_bind binds[DRAFT_NAMES_MAX];
    uint32_t binds_count = find_binds(d, stage, binds);
    static const telar_count from_plan = {0};
    telar_record_launch_counted(&d->record, kernel_of(d, stage), &stage->kernel, &stage->plan,
                                count == NULL ? &from_plan : count, binds, binds_count);
}

void draft_launch_prepared(draft *d, const kernel_stage *stage, const telar_counted *counted)
{
    telar_bind binds[DRAFT_NAMES_MAX];
    uint32_t binds_count = find_binds(d, stage, binds);
    telar_record_launch_prepared(&d->record, kernel_of(d, stage), &stage->kernel, counted, binds, binds_count);
}

void draft_launch_some(draft *d, const kernel_stage *stage, uint32_t elements)
{
    telar_diag diag = {0};
    telar_plan_desc desc = {.count = {elements},
                            .size = {stage->plan.workgroup_size[0]},
                            .items = stage->plan.items,
                            .shape = stage->plan.shape};
    telar_plan plan;
    telar_bind binds[DRAFT_NAMES_MAX];
    if (desc.shape == TELAR_SHAPE_STRIDE) desc.groups = stage->plan.dispatch[0];
    example_check(telar_plan_make(&desc, telar_host_facts(d->e->host), &plan, &diag), &diag);
    uint32_t binds_count = find_binds(d, stage, binds);
    telar_record_launch(&d->record, kernel_of(d, stage), &stage->kernel, &plan, binds, binds_count);
}

static char *dump_of(telar_recording recording)
{
    telar_out size = {0};
    telar_recording_dump(recording, &size);
    telar_out out = {example_alloc(size.len + 1, 1), size.len + 1, 0};
    telar_recording_dump(recording, &out);
    return out.data;
}

telar_prepared *draft_prepare(draft *d, char **dump)
{
    telar_diag diag = {0};
    telar_recording recording;
    telar_prepared *prepared;
    example_check(telar_record_end(&d->record, &recording, &diag), &diag);
    if (dump != NULL) *dump = dump_of(recording);
    example_check(telar_host_prepare(d->e->host, recording, d->bound, d->bound_count, &prepared, &diag), &diag);
    free(d->record.words);
    return prepared;
}
