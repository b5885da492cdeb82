/* SPDX-License-Identifier: MIT
 *
 * Any bytes are read or refused without a fault. What is read prints, is read again as the same tree, and prints the
 * same. The arena starts small, so that running out of it is tried too. */
#include "wgsl/module.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

/* The grammar alone, with as many arenas as it takes; the caller frees arena->data. */
static telar_status read_syntax(const char *text, size_t bytes, telar_arena *arena, telar_wgsl **module,
                                telar_diag *diag)
{
    size_t cap = 64;
    for (;;) {
        *arena = telar_arena_make(malloc(cap), cap);
        require(arena->data != NULL);
        telar_status status = tl_wgsl_read_syntax(text, bytes, arena, NULL, NULL, module, diag);
        if (status != TELAR_NO_SPACE) return status;
        require(*module == NULL && arena->used == 0 && arena->needed > cap);
        free(arena->data);
        cap = arena->needed;
        require(cap < 4096 + 256 * (bytes + 1));
    }
}

static char *print(const telar_wgsl *module, size_t *bytes)
{
    telar_out out = {0};
    telar_wgsl_print(module, &out, NULL);
    *bytes = out.len;
    char *text = malloc(out.len + 1);
    require(text != NULL);
    out = (telar_out){.data = text, .cap = out.len + 1};
    require(telar_wgsl_print(module, &out, NULL) == TELAR_OK);
    return text;
}

static void require_same_tree(const telar_wgsl *a, const telar_wgsl *b)
{
    require(a->node_count == b->node_count);
    require(a->extra_count == b->extra_count);
    for (uint32_t i = 1; i < a->node_count; i++) {
        const tl_wgsl_node *x = &a->nodes[i];
        const tl_wgsl_node *y = &b->nodes[i];
        require(x->kind == y->kind && x->op == y->op && x->flags == y->flags && x->a == y->a);
        require(tl_token_kind(a, x->first) == tl_token_kind(b, y->first));
        require(x->first <= x->last && x->last < a->token_count);
    }
    require(memcmp(a->extra, b->extra, a->extra_count * sizeof *a->extra) == 0);
}

static void count_report(void *user, const telar_diag *diag)
{
    unsigned *count = user;
    require(diag->line > 0 && diag->column > 0 && diag->text[0] != '\0');
    ++*count;
}

/* Every error that is reported has a place, and a caret can be drawn for it. */
static void try_errors(const char *text, size_t bytes, const telar_diag *first)
{
    char shown[512];
    telar_out out = {.data = shown, .cap = sizeof shown};
    telar_wgsl_caret("f", text, bytes, first, &out);
    size_t cap = telar_wgsl_arena_bytes(bytes) * 2;
    telar_arena arena = telar_arena_make(malloc(cap), cap);
    unsigned count = 0;
    telar_wgsl *module;
    telar_diag diag = {0};
    telar_status status = tl_wgsl_read_syntax(text, bytes, &arena, count_report, &count, &module, &diag);
    require(status == TELAR_NO_SPACE || (count > 0 && count <= TELAR_WGSL_MAX_REPORTS));
    require(status == TELAR_NO_SPACE || diag.offset == first->offset);
    free(arena.data);
}

/* The whole reader: most inputs mean nothing, which must be an error with a place. */
static void try_meaning(const char *text, size_t bytes)
{
    size_t cap = telar_wgsl_arena_bytes(bytes) * 4;
    telar_arena arena = telar_arena_make(malloc(cap), cap);
    telar_wgsl *module;
    telar_diag diag = {0};
    telar_status status = telar_wgsl_read(text, bytes, &arena, &module, &diag);
    require((status == TELAR_OK) == (module != NULL));
    require(status != TELAR_INVALID_WGSL || (diag.line > 0 && diag.offset <= bytes));
    free(arena.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *source = (const char *)data;
    telar_arena arena;
    telar_wgsl *module;
    telar_diag diag = {0};
    if (read_syntax(source, size, &arena, &module, &diag) != TELAR_OK) {
        try_errors(source, size, &diag);
        free(arena.data);
        return 0;
    }
    try_meaning(source, size);
    size_t bytes, again_bytes;
    char *text = print(module, &bytes);
    telar_arena again_arena;
    telar_wgsl *again;
    require(read_syntax(text, bytes, &again_arena, &again, &diag) == TELAR_OK);
    require_same_tree(module, again);
    char *again_text = print(again, &again_bytes);
    require(bytes == again_bytes && memcmp(text, again_text, bytes) == 0);
    free(again_text);
    free(again_arena.data);
    free(text);
    free(arena.data);
    return 0;
}
