/* SPDX-License-Identifier: MIT
 *
 * unique, unique by key and run-length encode against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "prim.h"
#include "prim/select.h"

typedef enum kind {
    UNIQUE,
    BY_KEY, /* values are pairs of words */
    OWN,    /* equal in all but the lowest two bits */
    LENGTHS,
    WHATS
} kind;

typedef struct unique_case {
    kind what;
    prim_path path;
    prim_form form;
    uint64_t offset_bytes;
    uint32_t runs_of_16; /* how many elements in 16 begin a run */
    tl_select_tuning tuning;
    uint64_t binding_bytes; /* 0: the device's limit */
    uint64_t capacity;      /* 0: the length */
    bool waits;             /* workgroups may wait for others */
} unique_case;

typedef struct arrays {
    uint32_t *data, *values, *keys, *kept_values, *starts, *got;
} arrays;

static bool is_same(kind what, uint32_t a, uint32_t b)
{
    return what == OWN ? a / 4 == b / 4 : a == b;
}

static void compare(prim_test *test, const char *name, telar_array array, const uint32_t *right, uint64_t count,
                    uint64_t room, uint32_t *got, uint64_t n)
{
    prim_read(test, array, got);
    for (uint64_t k = 0; k < room; k++) {
        uint32_t word = k < count ? right[k] : 0x5a5a5a5a;
        if (got[k] != word)
            fail_msg("n %llu, %s[%llu]: %u, not %u", (unsigned long long)n, name, (unsigned long long)k, got[k], word);
    }
}

static void one(const unique_case *c, uint64_t n)
{
    prim_test test = prim_begin(c->path);
    if (c->binding_bytes != 0) test.facts.limits.maxStorageBufferBindingSize = c->binding_bytes;
    if (c->waits) { telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, 1, TELAR_SOURCE_GIVEN); }
    uint64_t room = prim_capacity(n, c->form), fits = c->capacity == 0 ? room : c->capacity, runs = 0;
    arrays a = {malloc(4 * room + 4), malloc(8 * room + 8), malloc(4 * room + 4),
                malloc(8 * room + 8), malloc(4 * room + 8), malloc(8 * room + 8)};
    prim_random(a.values, 2 * room, 3);
    prim_random(a.data, room, (uint32_t)n + 9);
    for (uint64_t k = 0; k < room; k++) {
        bool begins = k == 0 || a.data[k] % 16 < c->runs_of_16;
        a.data[k] = begins ? a.data[k] / 16 * 4 : a.data[k - 1] / 4 * 4 + (c->what == OWN ? (uint32_t)k % 4 : 0);
    }
    for (uint64_t k = 0; k < n; k++) {
        if (k > 0 && is_same(c->what, a.data[k - 1], a.data[k])) continue;
        a.keys[runs] = a.data[k];
        memcpy(&a.kept_values[2 * runs], &a.values[2 * k], 8);
        a.starts[runs++] = (uint32_t)k;
    }
    a.starts[runs] = (uint32_t)n;
    telar_length length = prim_length(&test, n, c->form);
    telar_array in = prim_array(&test, "in", a.data, 4 * room, c->offset_bytes);
    telar_array out = prim_array(&test, "out", NULL, 4 * fits, c->offset_bytes);
    telar_array count = prim_array(&test, "runs", NULL, 4, c->offset_bytes), more = {0};
    if (c->what == LENGTHS) {
        more = prim_array(&test, "lengths", NULL, 4 * room, c->offset_bytes);
        telar_record_run_length_encode(
            &test.record, &test.prim,
            &(telar_run_length_encode_desc){.length = length, .in = in, .out = out, .lengths = more, .count = count});
    } else {
        telar_unique_desc desc = {.length = length, .in = in, .out = out, .count = count, .capacity = c->capacity};
        if (c->what == OWN) desc.equal = "a / 4u == b / 4u";
        if (c->what == BY_KEY) {
            desc.value_type = (telar_type){"Value", "struct Value { x: u32, y: u32 }"};
            desc.values = prim_array(&test, "values", a.values, 8 * room, 8 * (c->offset_bytes / 8));
            desc.values_out = more = prim_array(&test, "values_out", NULL, 8 * fits, 8 * (c->offset_bytes / 8));
        }
        tl_record_unique_tuned(&test.record, &test.prim, &desc, &c->tuning);
    }
    for (int run = 0; run < 2; run++) {
        uint32_t got = 0;
        prim_run(&test);
        prim_read(&test, count, &got);
        if (got != runs)
            fail_msg("n %llu, what %d: %u runs, not %llu", (unsigned long long)n, c->what, got,
                     (unsigned long long)runs);
        compare(&test, "out", out, a.keys, runs, fits, a.got, n);
        if (c->what == BY_KEY) compare(&test, "values", more, a.kept_values, 2 * runs, 2 * fits, a.got, n);
        if (c->what != LENGTHS) continue;
        uint32_t *lengths = a.kept_values;
        for (uint64_t k = 0; k < runs; k++) lengths[k] = a.starts[k + 1] - a.starts[k];
        compare(&test, "lengths", more, lengths, runs, room, a.got, n);
    }
    prim_end(&test);
    free(a.data);
    free(a.values);
    free(a.keys);
    free(a.kept_values);
    free(a.starts);
    free(a.got);
}

static void every_length(void **state)
{
    static const uint64_t lengths[] = {0, 1, 2, 3, 33, 2047, 2048, 2049, 20001, 200003};
    (void)state;
    for (size_t k = 0; k < TL_COUNT(lengths); k++) {
        for (int what = (int)(k % 2); what < WHATS; what += 2) {
            one(&(unique_case){.what = (kind)what,
                               .path = (prim_path)(k / 2 % 2),
                               .form = (prim_form)((k + (size_t)what) % PRIM_FORMS),
                               .offset_bytes = 4 * (k % 5),
                               .runs_of_16 = 1 + 5 * (uint32_t)(k % 4)},
                lengths[k]);
        }
    }
}

/* One run of all, and runs of one. */
static void extremes(void **state)
{
    (void)state;
    for (int what = 0; what < WHATS; what++) {
        one(&(unique_case){.what = (kind)what, .path = (prim_path)(what % 2), .runs_of_16 = what < 2 ? 0 : 16}, 9001);
    }
}

/* Data above one binding: runs go on from window to window. */
static void windows(void **state)
{
    (void)state;
    for (int what = 0; what < LENGTHS; what++) {
        one(&(unique_case){.what = (kind)what,
                           .path = (prim_path)(what % 2),
                           .offset_bytes = 8 * (uint64_t)what,
                           .runs_of_16 = 1,
                           .capacity = 8000,
                           .binding_bytes = 1 << 17},
            50021);
    }
}

/* Tiles that wait for earlier ones, some of which never post. */
static void look_back(void **state)
{
    static const uint32_t mutes[] = {0, 3, 1};
    (void)state;
    for (size_t k = 0; k < TL_COUNT(mutes); k++) {
        one(&(unique_case){.what = (kind)(k % LENGTHS),
                           .path = PRIM_AS_GPU,
                           .runs_of_16 = 6,
                           .waits = true,
                           .tuning = {.size = 64, .items = 32, .waiting = {20, mutes[k], TL_TILE_ORDER_CHOSEN}}},
            50001);
    }
}

static void refusals(void **state)
{
    const telar_array some = {.buffer = {1}};
    static const char *const texts[] = {"go together", "'lengths'", "smaller capacity"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        prim_array(&test, "some", NULL, 64, 0);
        test.facts.limits.maxStorageBufferBindingSize = 1 << 20;
        telar_length length = {.count = k == 2 ? 1 << 20 : 5};
        if (k == 1) {
            telar_record_run_length_encode(
                &test.record, &test.prim,
                &(telar_run_length_encode_desc){.length = length, .in = some, .out = some, .count = some});
        } else {
            telar_record_unique(&test.record, &test.prim,
                                &(telar_unique_desc){.length = length,
                                                     .in = some,
                                                     .out = some,
                                                     .values = k == 0 ? some : (telar_array){.size_bytes = 0},
                                                     .count = some});
        }
        prim_refused(&test, k == 2 ? TELAR_LIMIT_EXCEEDED : TELAR_INVALID_ARGUMENT);
        if (strstr(gpu.diag.text, texts[k]) == NULL) fail_msg("%s", gpu.diag.text);
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length), cmocka_unit_test(extremes), cmocka_unit_test(windows),
        cmocka_unit_test(look_back),    cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
