/* SPDX-License-Identifier: MIT
 *
 * Any bytes are checked, alone and against a launch, without a fault: within memory, in an arena that starts small, and
 * with findings that lie in the source in order. */
#include <telar/check.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static void require_in_order(const telar_check_result *result, size_t size)
{
    uint64_t last = 0;
    uint32_t line = 1;
    for (uint32_t k = 0; k < result->findings_count; k++) {
        const telar_finding *finding = &result->findings[k];
        require(finding->offset >= last && finding->end_offset >= finding->offset && finding->end_offset <= size);
        require(finding->line >= line && finding->end_line >= finding->line && finding->column >= 1);
        require(finding->message[0] != 0 && finding->why[0] != 0 && finding->severity >= TELAR_SEVERITY_NOTE);
        uint64_t edited = 0;
        for (uint32_t i = 0; i < finding->edits_count; i++) {
            const telar_edit *edit = &finding->edits[i];
            require(edit->offset >= edited && edit->offset + edit->bytes <= size && edit->text != NULL);
            edited = edit->offset + edit->bytes;
        }
        last = finding->offset;
        line = finding->line;
    }
}

static void check(telar_check_desc *desc, size_t cap)
{
    for (;;) {
        telar_arena arena = telar_arena_make(malloc(cap), cap);
        telar_check_result result;
        telar_diag diag = {0};
        require(arena.data != NULL);
        telar_status status = telar_check(desc, &arena, &result, &diag);
        require(arena.cap == cap);
        if (status == TELAR_OK) require_in_order(&result, desc->source_bytes);
        if (status != TELAR_OK) require(result.findings_count == 0 && diag.text[0] != 0);
        free(arena.data);
        if (status != TELAR_NO_SPACE) return;
        cap *= 4;
        require(cap < (size_t)1 << 32);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *source = malloc(size + 1);
    require(source != NULL);
    memcpy(source, data, size);
    telar_check_desc desc = {.source = source, .source_bytes = size};
    check(&desc, 1 << 16);
    /* The launch is made from the length, so that the same bytes are always the same test. */
    desc.count[0] = 1 + size * 977 % 5000000;
    if (size % 3 != 0) desc.dispatch[0] = (uint32_t)(1 + size * 31 % 70000);
    if (size % 5 == 0) desc.dispatch[1] = 2;
    desc.indirect = size % 7 == 0;
    check(&desc, telar_check_arena_bytes(size));
    free(source);
    return 0;
}
