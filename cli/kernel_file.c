/* SPDX-License-Identifier: MIT
 *
 * WGSL files: reading with all errors shown, inspection and weaving in memory that grows until it suffices. */
#include "kernel_file.h"
#include "kernel_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any source that people write takes; a source that wants more is refused. */
#define ARENA_BYTES_MAX ((size_t)8 << 30)

#define FIELD(name) .take = tl_take_text, .offset = offsetof(tl_entry_options, name)

static const tl_option entry_options[] = {
    {.name = "element",
     .argument = "NAME",
     FIELD(element),
     .help = {"the element function (default: element)", "la función de elemento (por defecto, element)"}},
    {.name = "entry",
     .argument = "NAME",
     FIELD(entry),
     .help = {"the entry point (default: the only compute entry point)",
              "el punto de entrada (por defecto, el único de cómputo)"}},
};

const tl_option_group tl_entry_group = {
    .title = {"The kernel", "El kernel"}, .options = entry_options, .count = TL_COUNT(entry_options)};

/* ---- errors of the source ------------------------------------------------------------------------------------------ */

static void print_caret(const tl_kernel_file *kernel, const telar_diag *diag)
{
    const char *source = kernel->file.data != NULL ? (const char *)kernel->file.data : "";
    telar_out size = {0};
    telar_wgsl_caret(kernel->path, source, (size_t)kernel->file.size_bytes, diag, &size);
    char *text = calloc(size.len + 1, 1);
    if (text == NULL) {
        tl_error("%s:%u:%u: %s", kernel->path, diag->line, diag->column, diag->text);
        return;
    }
    telar_out out = {.data = text, .cap = size.len + 1};
    telar_wgsl_caret(kernel->path, source, (size_t)kernel->file.size_bytes, diag, &out);
    size_t len = strlen(text);
    if (len > 0 && text[len - 1] == '\n') text[len - 1] = 0;
    tl_error("%s", text);
    free(text);
}

typedef struct reporter {
    const tl_kernel_file *kernel;
    uint32_t count;
} reporter;

static void report(void *user, const telar_diag *diag)
{
    reporter *to = user;
    to->count++;
    print_caret(to->kernel, diag);
}

int tl_kernel_report(const tl_kernel_file *kernel, telar_status status, const telar_diag *diag)
{
    if (diag->line == 0) {
        tl_error("%s: %s", kernel->path, diag->text[0] != 0 ? diag->text : telar_status_text(status));
    } else {
        print_caret(kernel, diag);
    }
    return tl_exit_of_status(status);
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

static bool arena_of(telar_arena *arena, size_t bytes)
{
    free(arena->data);
    void *memory = bytes <= ARENA_BYTES_MAX ? malloc(bytes) : NULL;
    *arena = telar_arena_make(memory, bytes);
    return memory != NULL;
}

/* After NO_SPACE: what was needed, doubled. False when there is no more. */
static bool arena_grow(telar_arena *arena)
{
    size_t wanted = arena->needed > arena->cap ? arena->needed : arena->cap;
    return wanted <= ARENA_BYTES_MAX / 2 && arena_of(arena, 2 * wanted);
}

static telar_status read_module(tl_kernel_file *kernel, reporter *to, telar_diag *diag)
{
    size_t bytes = (size_t)kernel->file.size_bytes;
    const char *source = kernel->file.data != NULL ? (const char *)kernel->file.data : "";
    if (!arena_of(&kernel->arena, telar_wgsl_arena_bytes(bytes))) {
        return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory for %zu bytes of source", bytes);
    }
    for (;;) {
        telar_status status = telar_wgsl_read_report(source, bytes, &kernel->arena, report, to, &kernel->module, diag);
        if (status != TELAR_NO_SPACE || to->count > 0) return status;
        if (!arena_grow(&kernel->arena)) return status;
    }
}

int tl_kernel_open(const char *path, tl_kernel_file *kernel)
{
    *kernel = (tl_kernel_file){.path = strcmp(path, "-") == 0 ? "<stdin>" : path};
    telar_diag diag = {0};
    telar_status status = tl_file_open(path, &kernel->file, &diag);
    if (status != TELAR_OK) return tl_report(status, &diag);
    reporter to = {kernel, 0};
    status = read_module(kernel, &to, &diag);
    if (status == TELAR_OK) status = tl_kernel_list_variables(kernel, &diag);
    if (status == TELAR_OK) return TL_EXIT_DONE;
    int exit = to.count > 0 ? TL_EXIT_INPUT : tl_kernel_report(kernel, status, &diag);
    tl_kernel_close(kernel);
    return exit;
}

static telar_status drop_arena(tl_kernel_file *kernel, telar_status status);

void tl_kernel_close(tl_kernel_file *kernel)
{
    for (uint32_t k = 0; k < kernel->variables_count; k++) {
        free(kernel->variables[k].name);
        free(kernel->variables[k].type_text);
    }
    free(kernel->variables);
    free(kernel->arena.data);
    while (kernel->arenas_count > 0) drop_arena(kernel, TELAR_OK);
    tl_file_close(&kernel->file);
    *kernel = (tl_kernel_file){0};
}

/* ---- weaving ------------------------------------------------------------------------------------------------------- */

/* A new arena for one inspection or weaving. */
static telar_arena *next_arena(tl_kernel_file *kernel)
{
    TELAR_ASSERT(kernel->arenas_count < TL_ARENAS_MAX);
    telar_arena *arena = &kernel->arenas[kernel->arenas_count++];
    size_t wanted = 65536 + 2 * telar_wgsl_arena_bytes((size_t)kernel->file.size_bytes);
    return arena_of(arena, wanted) ? arena : NULL;
}

/* What failed leaves nothing that is worth keeping. */
static telar_status drop_arena(tl_kernel_file *kernel, telar_status status)
{
    telar_arena *arena = &kernel->arenas[--kernel->arenas_count];
    free(arena->data);
    *arena = (telar_arena){0};
    return status;
}

telar_status tl_kernel_inspect(tl_kernel_file *kernel, telar_weave_desc *desc, telar_weave_needs *needs,
                               telar_diag *diag)
{
    desc->module = kernel->module;
    telar_arena *arena = next_arena(kernel);
    if (arena == NULL) return drop_arena(kernel, tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory"));
    for (;;) {
        telar_status status = telar_weave_inspect(desc, arena, needs, diag);
        if (status == TELAR_OK) return status;
        if (status != TELAR_NO_SPACE || !arena_grow(arena)) return drop_arena(kernel, status);
    }
}

telar_status tl_kernel_weave(tl_kernel_file *kernel, const telar_weave_desc *desc, telar_woven *woven, telar_diag *diag)
{
    telar_arena *arena = next_arena(kernel);
    if (arena == NULL) return drop_arena(kernel, tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory"));
    for (;;) {
        telar_status status = telar_weave(desc, arena, woven, diag);
        if (status == TELAR_OK) return status;
        if (status != TELAR_NO_SPACE || !arena_grow(arena)) return drop_arena(kernel, status);
    }
}

telar_status tl_kernel_plan_desc(const telar_weave_needs *needs, telar_plan_desc *desc, telar_diag *diag)
{
    uint32_t given = desc->dimensions;
    if (needs->dimensions != 0 && given != needs->dimensions) {
        static const char *const forms[] = {"", "N", "WxH", "WxHxD"};
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, given, needs->dimensions,
                             "the count has %u ax%s, the index of function %s has %u; give --count %s", given,
                             given == 1 ? "is" : "es", needs->name, needs->dimensions, forms[needs->dimensions]);
    }
    if (needs->form == TELAR_FORM_PLAIN) {
        for (uint32_t k = 0; k < 3; k++) {
            if (desc->size[0] != 0 && (desc->size[k] == 0 ? 1 : desc->size[k]) != needs->workgroup_size[k]) {
                return tl_fail_limit(
                    diag, TELAR_INVALID_ARGUMENT, desc->size[k], needs->workgroup_size[k],
                    "--size differs from the @workgroup_size of entry point %s (%u,%u,%u), which cannot be "
                    "changed from outside",
                    needs->name, needs->workgroup_size[0], needs->workgroup_size[1], needs->workgroup_size[2]);
            }
        }
        if (desc->items > 1) {
            return tl_fail_limit(
                diag, TELAR_INVALID_ARGUMENT, desc->items, 1,
                "--items (%u): entry point %s does one element an invocation; write an element function", desc->items,
                needs->name);
        }
        memcpy(desc->size, needs->workgroup_size, sizeof desc->size);
        desc->items = 1;
        if (desc->shape == TELAR_SHAPE_AUTO && !needs->foldable) desc->shape = TELAR_SHAPE_LINEAR;
    }
    if (desc->bytes_per_element == 0) desc->bytes_per_element = needs->bytes_per_element;
    if (desc->workgroup_memory_bytes == 0) desc->workgroup_memory_bytes = needs->workgroup_memory_bytes;
    desc->binding_bytes_per_element = needs->windowable ? needs->binding_bytes_per_element : 0;
    desc->no_windows = !needs->windowable;
    return TELAR_OK;
}
