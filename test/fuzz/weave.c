/* SPDX-License-Identifier: MIT
 *
 * Any source under any plan is woven or refused without a fault. What is woven is read again, has the entry point that
 * the kernel names, and that has the plan's workgroup size. The first bytes of an input are the plan and the dialect,
 * the rest is the source. A second run in half the memory that the first one took must end in NO_SPACE. */
#include <telar/weave.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    HEADER_BYTES = 8
};

static void require(bool condition)
{
    if (!condition) abort();
}

static telar_plan_desc wish_of(const uint8_t *header)
{
    static const uint64_t counts[] = {0, 1, 63, 65, 4097, 3000001, 70000, UINT64_C(1) << 31, (UINT64_C(1) << 33) + 5};
    telar_plan_desc wish = {.items = header[1] % 6, .shape = (telar_shape)(header[2] % 5)};
    wish.count[0] = counts[header[0] % (sizeof counts / sizeof *counts)];
    wish.count[1] = 1 + header[3];
    wish.count[2] = 1 + header[3] % 5;
    wish.size[0] = header[4] % 65;
    if (wish.size[0] > 0) wish.size[1] = header[4] >> 6;
    if (wish.shape == TELAR_SHAPE_FOLD) wish.fold_width = header[5];
    if (wish.shape == TELAR_SHAPE_STRIDE) wish.groups = header[5];
    return wish;
}

static telar_dialect dialect_of(uint8_t bits)
{
    return (telar_dialect){.subgroups = (telar_subgroup_dialect)(bits % 3),
                           .f16 = (bits & 4) != 0,
                           .immediates = (bits & 8) != 0,
                           .subgroup_id = (bits & 16) != 0,
                           .linear_indexing = (bits & 32) != 0,
                           .pointer_parameters = (bits & 64) != 0,
                           .requires_lines = (bits & 128) != 0};
}

static telar_status make_plan(const uint8_t *header, const telar_weave_needs *needs, telar_plan *plan)
{
    telar_plan_desc wish = wish_of(header);
    telar_facts facts = telar_facts_default();
    if ((header[7] & 8) != 0) facts.limits.maxComputeWorkgroupsPerDimension = 100;
    wish.dimensions = needs->dimensions != 0 ? needs->dimensions : 1u + (header[7] >> 4) % 3;
    wish.binding_bytes_per_element = needs->binding_bytes_per_element;
    if (needs->form != TELAR_FORM_ELEMENT) {
        memcpy(wish.size, needs->workgroup_size, sizeof wish.size);
        wish.items = 1;
    }
    return telar_plan_make(&wish, &facts, plan, NULL);
}

static void check_woven(const telar_woven *woven, const telar_plan *plan, void *memory, size_t bytes)
{
    const telar_kernel_desc *kernel = &woven->kernel;
    telar_arena arena = telar_arena_make(memory, bytes);
    telar_wgsl *module;
    telar_wgsl_reflection reflection;
    telar_diag diag = {0};
    require(strlen(kernel->wgsl) == kernel->wgsl_bytes || memchr(kernel->wgsl, 0, kernel->wgsl_bytes) != NULL);
    require(telar_wgsl_read(kernel->wgsl, kernel->wgsl_bytes, &arena, &module, &diag) == TELAR_OK);
    require(telar_wgsl_reflect(module, NULL, 0, &arena, &reflection, &diag) == TELAR_OK);
    const telar_wgsl_entry *entry = telar_wgsl_find_entry(&reflection, kernel->entry);
    require(entry != NULL && entry->stage == TELAR_WGSL_COMPUTE);
    require(memcmp(entry->workgroup_size, kernel->workgroup_size, sizeof entry->workgroup_size) == 0);
    require(memcmp(entry->workgroup_size, plan->workgroup_size, sizeof entry->workgroup_size) == 0);
    for (uint64_t k = 0; k < plan->window_count && k < 4; k++) {
        telar_window window = telar_plan_window(plan, k);
        uint32_t words[TELAR_LAUNCH_WORDS];
        telar_launch_params(plan, &window, words);
    }
}

/* From source to kernel; *plan is made on the way. */
static telar_status weave(const uint8_t *data, size_t size, telar_arena *arena, telar_plan *plan, telar_woven *woven,
                          telar_diag *diag)
{
    telar_wgsl *module;
    telar_weave_needs needs;
    telar_status status = telar_wgsl_read((const char *)data + HEADER_BYTES, size - HEADER_BYTES, arena, &module, diag);
    if (status != TELAR_OK) return status == TELAR_NO_SPACE ? status : TELAR_INVALID_ARGUMENT;
    telar_weave_desc desc = {.module = module, .plan = plan, .dialect = dialect_of(data[6])};
    desc.counted = (data[7] & 1) != 0;
    desc.canary = (data[7] & 2) != 0;
    status = telar_weave_inspect(&desc, arena, &needs, diag);
    if (status != TELAR_OK) return status;
    status = make_plan(data, &needs, plan);
    if (status != TELAR_OK) return status;
    status = telar_weave(&desc, arena, woven, diag);
    /* Only the reader gives an INVALID_WGSL with a line, and what is woven must be valid. */
    require(status != TELAR_INVALID_WGSL || diag->line == 0);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER_BYTES) return 0;
    size_t bytes = (size_t)1 << 18;
    telar_status status = TELAR_NO_SPACE;
    telar_arena arena = {0};
    telar_plan plan = {0};
    telar_woven woven;
    while (status == TELAR_NO_SPACE) {
        bytes *= 2;
        free(arena.data);
        require(bytes < (size_t)1 << 28);
        arena = telar_arena_make(malloc(bytes), bytes);
        require(arena.data != NULL);
        telar_diag diag = {0};
        status = weave(data, size, &arena, &plan, &woven, &diag);
    }
    if (status == TELAR_OK) {
        void *memory = malloc(bytes);
        check_woven(&woven, &plan, memory, bytes);
        free(memory);
        size_t half = arena.used / 2;
        telar_diag diag = {0};
        telar_arena small = telar_arena_make(malloc(half + 1), half);
        require(weave(data, size, &small, &plan, &woven, &diag) == TELAR_NO_SPACE);
        free(small.data);
    }
    free(arena.data);
    return 0;
}
