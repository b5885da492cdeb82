/* SPDX-License-Identifier: MIT
 *
 * map on a GPU is what an element function is woven into: the same entry point, the same workgroups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan_devices.h"
#include <telar/telar.h>

enum {
    ARENA_BYTES = 8 << 20,
    WORDS = 1 << 16
};

static const char element[] = "@group(0) @binding(0) var<storage, read_write> d: array<f32>;\n"
                              "@group(0) @binding(1) var<storage, read> s: array<f32>;\n"
                              "fn element(i: u32) { d[i] = s[i] * 0.99; }\n";

/* From the ids on: what stands before is the name. */
static const char *body_of(const char *wgsl)
{
    const char *body = strstr(wgsl, "@builtin(workgroup_id)");
    assert_non_null(body);
    return body;
}

/* A recording holds its kernels' texts as they are. */
static const char *text_in(telar_recording recording, const char *begin)
{
    const char *words = (const char *)recording.words;
    for (size_t k = 0; k + strlen(begin) < 4 * recording.words_count; k++) {
        if (memcmp(words + k, begin, strlen(begin)) == 0) return words + k;
    }
    fail_msg("the recording holds no '%s'", begin);
    return NULL;
}

static telar_recording record_map(const telar_facts *facts, telar_arena *arena, uint32_t *words, uint64_t count)
{
    telar_record record = telar_record_begin(words, WORDS);
    telar_recording recording;
    telar_diag diag = {0};
    const telar_prim prim = {.facts = facts, .dialect = telar_dialect_naga(), .arena = arena};
    telar_buffer in = telar_record_buffer(
        &record, &(telar_buffer_desc){.name = "in", .size_bytes = 4 * count + 16, .use = TELAR_USE_STORAGE});
    telar_buffer out = telar_record_buffer(
        &record, &(telar_buffer_desc){.name = "out", .size_bytes = 4 * count + 16, .use = TELAR_USE_STORAGE});
    telar_record_map(&record, &prim,
                     &(telar_map_desc){.length = {.count = count},
                                       .inputs = {{{.buffer = in}, {"f32", NULL}}},
                                       .inputs_count = 1,
                                       .expression = "x * 0.99f",
                                       .out = {.buffer = out},
                                       .out_type = {"f32", NULL}});
    assert_int_equal(telar_record_end(&record, &recording, &diag), TELAR_OK);
    return recording;
}

static void compare(const telar_facts *facts, uint64_t count)
{
    void *memory = malloc(ARENA_BYTES);
    uint32_t *words = malloc(4 * WORDS);
    assert_true(memory != NULL && words != NULL);
    telar_arena arena = telar_arena_make(memory, ARENA_BYTES);
    telar_plan plan;
    telar_wgsl *module;
    telar_woven woven;
    assert_int_equal(telar_plan_make(&(telar_plan_desc){.count = {count}}, facts, &plan, NULL), TELAR_OK);
    assert_int_equal(telar_wgsl_read(element, sizeof element - 1, &arena, &module, NULL), TELAR_OK);
    telar_weave_desc desc = {.module = module, .plan = &plan, .dialect = telar_dialect_naga()};
    assert_int_equal(telar_weave(&desc, &arena, &woven, NULL), TELAR_OK);
    telar_recording recording = record_map(facts, &arena, words, count);
    const char *body = body_of(woven.kernel.wgsl);
    assert_memory_equal(body, text_in(recording, "@builtin(workgroup_id)"), strlen(body));

    static char dump[4096], dispatch[64];
    telar_out out = {dump, sizeof dump, 0};
    telar_recording_dump(recording, &out);
    snprintf(dispatch, sizeof dispatch, "groups (%u,%u,%u)", plan.dispatch[0], plan.dispatch[1], plan.dispatch[2]);
    if (strstr(dump, dispatch) == NULL) fail_msg("not '%s':\n%s", dispatch, dump);
    free(words);
    free(memory);
}

static void same_kernel_and_groups(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 1000, 65536, 1 << 20, 3000001, 1 << 24, (1 << 24) + 3, 1 << 28};
    telar_facts devices[] = {device_h200(), device_h200_profiled(), telar_facts_default()};
    devices[2].limits.maxStorageBufferBindingSize = devices[2].limits.maxBufferSize = (UINT64_C(1) << 31) - 4;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) compare(&devices[d], counts[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_kernel_and_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
