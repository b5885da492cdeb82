/* SPDX-License-Identifier: MIT
 *
 * select against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "prim.h"
#include "prim/select.h"

typedef enum rule {
    WHERE,
    FLAGS,
    BITS,
    RULES
} rule;

typedef struct select_case {
    rule rule;
    prim_path path;
    prim_form form;
    uint64_t offset_bytes;
    bool roomy, indices, no_out;
    uint64_t capacity; /* 0: the length */
    uint32_t kept_of_8;
    tl_select_tuning tuning;
    telar_select_way way;
    uint64_t binding_bytes; /* 0: the device's limit */
} select_case;

static bool is_kept(const select_case *c, uint32_t word)
{
    return (word >> 3 & 7) < c->kept_of_8;
}

static void one(const select_case *c, uint64_t n)
{
    prim_test test = prim_begin(c->path);
    if (c->way == TELAR_SELECT_LOOK_BACK) {
        telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, 1, TELAR_SOURCE_GIVEN);
    }
    if (c->binding_bytes != 0) test.facts.limits.maxStorageBufferBindingSize = c->binding_bytes;
    uint64_t room = prim_capacity(n, c->form), capacity = c->capacity == 0 ? room : c->capacity, kept = 0;
    uint32_t *data = malloc(4 * room + 4), *flags = calloc(room + 1, 4), *expected = malloc(4 * room + 4);
    uint32_t *indices = malloc(4 * room + 4), *got = malloc(4 * capacity + 4), count = 0;
    prim_random(data, room, (uint32_t)n + 5);
    for (uint64_t k = 0; k < room; k++) {
        bool is = is_kept(c, data[k]);
        if (c->rule == FLAGS) flags[k] = is ? data[k] | 1 : 0;
        else if (is) flags[k / 32] |= 1u << (k % 32);
        if (!is || k >= n) continue;
        expected[kept] = data[k];
        indices[kept++] = (uint32_t)k;
    }
    char where[64] = {0};
    telar_out out = {where, sizeof where, 0};
    tl_out_format(&out, "((x >> 3u) & 7u) < %uu", c->kept_of_8);
    telar_select_desc desc = {.length = prim_length(&test, n, c->form), .capacity = c->capacity, .way = c->way};
    desc.in = c->roomy ? prim_roomy_array(&test, "in", data, 4 * room, c->offset_bytes)
                       : prim_array(&test, "in", data, 4 * room, c->offset_bytes);
    if (c->rule == WHERE) desc.where = where;
    if (c->rule == FLAGS) desc.flags = prim_array(&test, "flags", flags, 4 * room, c->offset_bytes);
    if (c->rule == BITS) desc.bits = prim_array(&test, "bits", flags, 4 * telar_ceil_div(room, 32), c->offset_bytes);
    uint64_t written = kept < capacity ? kept : capacity;
    if (!c->no_out) desc.out = prim_array(&test, "out", NULL, 4 * capacity, c->offset_bytes);
    if (c->indices) desc.indices = prim_array(&test, "indices", NULL, 4 * capacity, c->offset_bytes);
    desc.count = prim_array(&test, "kept", NULL, 4, c->offset_bytes);
    tl_record_select_tuned(&test.record, &test.prim, &desc, &c->tuning);
    for (int run = 0; run < 2; run++) {
        prim_run(&test);
        prim_read(&test, desc.count, &count);
        if (count != kept)
            fail_msg("n %llu, rule %d, path %d, form %d, run %d: %u, not %llu", (unsigned long long)n, c->rule, c->path,
                     c->form, run, count, (unsigned long long)kept);
        for (int which = 0; which < 2; which++) {
            const uint32_t *right = which == 0 ? expected : indices;
            if (which == 0 ? c->no_out : !c->indices) continue;
            prim_read(&test, which == 0 ? desc.out : desc.indices, got);
            for (uint64_t k = 0; k < capacity; k++) {
                uint32_t word = k < written ? right[k] : 0x5a5a5a5a;
                if (got[k] != word)
                    fail_msg("n %llu, rule %d, path %d, form %d, run %d: [%llu] %u, not %u", (unsigned long long)n,
                             c->rule, c->path, c->form, run, (unsigned long long)k, got[k], word);
            }
        }
    }
    prim_end(&test);
    free(data);
    free(flags);
    free(expected);
    free(indices);
    free(got);
}

static const uint64_t lengths[] = {0, 1, 2, 5, 31, 32, 33, 2047, 2048, 2049, 16385, 500001};

static void every_length(void **state)
{
    (void)state;
    for (size_t k = 0; k < TL_COUNT(lengths); k++) {
        for (int form = (int)(k % 2); form < PRIM_FORMS; form += 2) {
            one(&(select_case){.rule = (rule)((k + (size_t)form) % RULES),
                               .path = (prim_path)(k / 2 % 2),
                               .form = (prim_form)form,
                               .offset_bytes = 4 * (k % 5),
                               .roomy = k % 2 == 0,
                               .indices = k % 3 == 0,
                               .kept_of_8 = 4},
                lengths[k]);
        }
    }
}

/* Tiles that wait for earlier ones, some of which never post; few items are placed while it is waited, many after it. */
static void look_back(void **state)
{
    static const uint32_t mutes[] = {0, 3, 1}, items[] = {32, 8, 4};
    (void)state;
    for (size_t k = 0; k < TL_COUNT(mutes) * TL_COUNT(items); k++) {
        size_t mute = k % TL_COUNT(mutes), item = k / TL_COUNT(mutes);
        one(
            &(select_case){
                .rule = (rule)(k % RULES),
                .path = PRIM_AS_GPU,
                .way = TELAR_SELECT_LOOK_BACK,
                .kept_of_8 = 3,
                .indices = mute == 1,
                .capacity = item == mute ? 5000 : 0,
                .tuning = {.size = 64, .items = items[item], .waiting = {20, mutes[mute], (tl_tile_order)mute}}},
            50001);
    }
}

/* Data above one binding, by a lowered limit; what is kept fits one. */
static void windows(void **state)
{
    (void)state;
    for (int k = 0; k < RULES; k++) {
        one(&(select_case){.rule = (rule)k,
                           .path = (prim_path)(k % 2),
                           .offset_bytes = 4 * (uint64_t)k,
                           .indices = k == 1,
                           .kept_of_8 = 1,
                           .capacity = 10000,
                           .binding_bytes = 65536},
            50021);
    }
}

/* More kept than there is room for: counted, not written. */
static void short_of_room(void **state)
{
    (void)state;
    one(&(select_case){.kept_of_8 = 4, .capacity = 1000, .indices = true}, 9001);
    one(
        &(select_case){
            .kept_of_8 = 8, .capacity = 5000, .path = PRIM_AS_GPU, .rule = FLAGS, .no_out = true, .indices = true},
        20001);
    one(&(select_case){.kept_of_8 = 0, .capacity = 1, .form = PRIM_PARTLY}, 20001);
}

/* A binding that holds less than a tile. */
static void tiny_binding(void **state)
{
    (void)state;
    prim_test test = prim_begin(PRIM_AS_IS);
    telar_array in = prim_array(&test, "in", NULL, 40000, 0), count = prim_array(&test, "kept", NULL, 4, 0);
    telar_array indices = prim_array(&test, "indices", NULL, 20, 0);
    test.facts.limits.maxStorageBufferBindingSize = 1024;
    telar_record_select(
        &test.record, &test.prim,
        &(telar_select_desc){
            .length = {.count = 10000}, .in = in, .where = "true", .indices = indices, .capacity = 5, .count = count});
    prim_refused(&test, TELAR_LIMIT_EXCEEDED);
    if (strstr(gpu.diag.text, "less than a tile") == NULL) fail_msg("%s", gpu.diag.text);
    prim_end(&test);
}

typedef struct refusal {
    telar_status status;
    const char *text; /* a part of its message */
    telar_select_desc desc;
} refusal;

static void refusals(void **state)
{
    const telar_array some = {.buffer = {1}};
    const refusal refused[] = {
        {TELAR_INVALID_ARGUMENT, "0 of where", {.length = {.count = 5}, .in = some, .out = some, .count = some}},
        {TELAR_INVALID_ARGUMENT,
         "2 of where",
         {.length = {.count = 5}, .where = "true", .flags = some, .in = some, .out = some, .count = some}},
        {TELAR_INVALID_ARGUMENT,
         "neither 'out' nor 'indices'",
         {.length = {.count = 5}, .where = "true", .in = some, .count = some}},
        {TELAR_INVALID_ARGUMENT, "but not 'in'", {.length = {.count = 5}, .where = "true", .out = some, .count = some}},
        {TELAR_INVALID_ARGUMENT, "'count'", {.length = {.count = 5}, .where = "true", .in = some, .out = some}},
        {TELAR_LIMIT_EXCEEDED,
         "2^32 - 1",
         {.length = {.count = UINT64_C(1) << 32},
          .where = "true",
          .in = some,
          .indices = some,
          .capacity = 9,
          .count = some}},
        {TELAR_LIMIT_EXCEEDED,
         "smaller capacity",
         {.length = {.count = 1 << 20}, .where = "true", .in = some, .out = some, .count = some}},
        {TELAR_UNSUPPORTED,
         "look-back cannot be had",
         {.length = {.count = 5},
          .where = "true",
          .in = some,
          .out = some,
          .count = some,
          .way = TELAR_SELECT_LOOK_BACK}},
        {TELAR_INVALID_WGSL, "y", {.length = {.count = 5}, .where = "y > 0u", .in = some, .out = some, .count = some}},
    };
    (void)state;
    for (size_t k = 0; k < TL_COUNT(refused); k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        prim_array(&test, "some", NULL, 64, 0);
        test.facts.limits.maxStorageBufferBindingSize = 1 << 20;
        telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, 0, TELAR_SOURCE_GIVEN);
        telar_record_select(&test.record, &test.prim, &refused[k].desc);
        prim_refused(&test, refused[k].status);
        if (strstr(gpu.diag.text, refused[k].text) == NULL) fail_msg("%s", gpu.diag.text);
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_back),     cmocka_unit_test(every_length), cmocka_unit_test(windows),
        cmocka_unit_test(short_of_room), cmocka_unit_test(tiny_binding), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
