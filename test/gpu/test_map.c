/* SPDX-License-Identifier: MIT
 *
 * map, fill, iota, gather, scatter, stride copy, adjacent difference and generate against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"

static const uint64_t lengths[] = {0, 1, 2, 3, 4, 5, 63, 64, 65, 255, 257, 4097, 100003};
#define LENGTHS (sizeof lengths / sizeof *lengths)

/* Room for the words of an array, at least one. */
static uint32_t *words_of(uint64_t n)
{
    uint32_t *words = malloc(4 * n + 4);
    assert_non_null(words);
    return words;
}

static void same(const char *what, uint64_t n, const uint32_t *got, const uint32_t *wanted, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        if (got[k] == wanted[k]) continue;
        fail_msg("%s, n %llu: element %llu is %u, not %u", what, (unsigned long long)n, (unsigned long long)k, got[k],
                 wanted[k]);
    }
}

/* ---- map --------------------------------------------------------------------------------------------------------- */

static void one_map(prim_path path, uint64_t n, prim_form form, uint64_t offset_bytes)
{
    prim_test test = prim_begin(path);
    uint64_t capacity = prim_capacity(n, form);
    uint32_t *x = words_of(capacity), *a = words_of(capacity), *wanted = words_of(capacity), *got = words_of(capacity);
    prim_random(x, capacity, 1);
    prim_random(a, capacity, 2);
    prim_random(wanted, capacity, 3);
    telar_array in = prim_array(&test, "in", x, 4 * capacity, offset_bytes);
    telar_array other = prim_array(&test, "other", a, 4 * capacity, 0);
    telar_array out = prim_array(&test, "result", wanted, 4 * capacity, 2 * offset_bytes);
    for (uint64_t k = 0; k < n; k++) {
        if (x[k] % 3 != 0) wanted[k] = x[k] * 3 + a[k] + (uint32_t)k;
    }
    telar_record_map(&test.record, &test.prim,
                     &(telar_map_desc){.length = prim_length(&test, n, form),
                                       .inputs = {{.array = in}, {.array = other}},
                                       .inputs_count = 2,
                                       .expression = "triple(x) + a + i",
                                       .where = "x % 3u != 0u",
                                       .wgsl = "fn triple(x: u32) -> u32 { return 3u * x; }",
                                       .out = out});
    prim_run(&test);
    prim_read(&test, out, got);
    same("map", n, got, wanted, capacity);
    prim_end(&test);
    free(x);
    free(a);
    free(wanted);
    free(got);
}

static void maps(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTHS; k++) {
        for (int form = 0; form < PRIM_FORMS; form++) {
            one_map((prim_path)(k % PRIM_PATHS), lengths[k], (prim_form)form, 4 * (k % 4));
        }
    }
}

/* Rows of four where all arrays have room to their end, one element at a time where one has not. */
static void one_map_of_rows(prim_path path, uint64_t n, prim_form form, bool room)
{
    prim_test test = prim_begin(path);
    uint64_t capacity = prim_capacity(n, form);
    uint32_t *x = words_of(capacity), *a = words_of(capacity), *wanted = words_of(capacity), *got = words_of(capacity);
    prim_random(x, capacity, 1);
    prim_random(a, capacity, 2);
    prim_random(wanted, capacity, 3);
    telar_array in = prim_roomy_array(&test, "in", x, 4 * capacity, 0);
    telar_array other =
        room ? prim_roomy_array(&test, "other", a, 4 * capacity, 16) : prim_array(&test, "other", a, 4 * capacity, 4);
    telar_array out = prim_roomy_array(&test, "result", wanted, 4 * capacity, 32);
    for (uint64_t k = 0; k < n; k++) {
        float value = (float)(x[k] >> 8) + (float)a[k] * (float)(k % 7);
        memcpy(&wanted[k], &value, sizeof value);
    }
    telar_record_map(&test.record, &test.prim,
                     &(telar_map_desc){.length = prim_length(&test, n, form),
                                       .inputs = {{.array = in}, {.array = other}},
                                       .inputs_count = 2,
                                       .expression = "f32(x >> 8u) + f32(a) * f32(i % 7u)",
                                       .out = out,
                                       .out_type = {"f32", NULL}});
    prim_run(&test);
    prim_read(&test, out, got);
    for (uint64_t k = 0; k < n; k++) { /* a product and a sum may be rounded once */
        float value, expected;
        memcpy(&value, &got[k], sizeof value);
        memcpy(&expected, &wanted[k], sizeof expected);
        assert_true(value >= expected * 0.999999f && value <= expected * 1.000001f);
    }
    same("behind the elements", n, got + n, wanted + n, capacity - n);
    prim_end(&test);
    free(x);
    free(a);
    free(wanted);
    free(got);
}

static void maps_of_rows(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTHS; k++) {
        for (int form = 0; form < PRIM_FORMS; form++) {
            one_map_of_rows(PRIM_AS_IS, lengths[k], (prim_form)form, true);
            one_map_of_rows((prim_path)(k % PRIM_PATHS), lengths[k], (prim_form)form, false);
        }
    }
}

static void in_place(void **state)
{
    (void)state;
    enum {
        N = 1000
    };
    float x[N];
    for (int k = 0; k < N; k++) x[k] = (float)k;
    prim_test test = prim_begin(PRIM_AS_IS);
    telar_array array = prim_array(&test, "x", x, sizeof x, 8);
    telar_record_map(&test.record, &test.prim,
                     &(telar_map_desc){.length = {.count = N},
                                       .inputs = {{array, {"f32", NULL}}},
                                       .inputs_count = 1,
                                       .expression = "x * 0.5f + 1.0f",
                                       .out = array,
                                       .out_type = {"f32", NULL}});
    prim_run(&test);
    prim_read(&test, array, x);
    for (int k = 0; k < N; k++) assert_true(x[k] == (float)k * 0.5f + 1.0f);
    prim_end(&test);
}

/* Two arrays of one buffer. */
static void one_buffer(void **state)
{
    (void)state;
    enum {
        N = 320
    };
    uint32_t words[2 * N];
    prim_random(words, 2 * N, 4);
    prim_test test = prim_begin(PRIM_AS_IS);
    telar_array array = prim_array(&test, "words", words, sizeof words, 0);
    telar_array in = {array.buffer, array.offset_bytes, 4 * N}, out = {array.buffer, array.offset_bytes + 4 * N, 4 * N};
    telar_record_map(
        &test.record, &test.prim,
        &(telar_map_desc){
            .length = {.count = N}, .inputs = {{.array = in}}, .inputs_count = 1, .expression = "~x", .out = out});
    prim_run(&test);
    uint32_t got[2 * N];
    prim_read(&test, array, got);
    for (int k = 0; k < N; k++) words[N + k] = ~words[k];
    same("one buffer", N, got, words, 2 * N);
    prim_end(&test);
}

static const char pair_wgsl[] = "struct Pair { key: u32, weight: f32, at: vec2u }";

typedef struct pair {
    uint32_t key;
    float weight;
    uint32_t at[2];
} pair;

static void structures(void **state)
{
    (void)state;
    enum {
        N = 777
    };
    static pair pairs[N], got[N];
    uint32_t keys[N];
    prim_random(keys, N, 5);
    prim_test test = prim_begin(PRIM_AS_IS);
    telar_array in = prim_array(&test, "keys", keys, sizeof keys, 4);
    telar_array out = prim_array(&test, "pairs", NULL, sizeof pairs, 48);
    telar_record_map(&test.record, &test.prim,
                     &(telar_map_desc){.length = {.count = N},
                                       .inputs = {{.array = in}},
                                       .inputs_count = 1,
                                       .expression = "Pair(x, f32(i), vec2u(i, x))",
                                       .out = out,
                                       .out_type = {"Pair", pair_wgsl}});
    prim_run(&test);
    prim_read(&test, out, got);
    for (uint32_t k = 0; k < N; k++) pairs[k] = (pair){keys[k], (float)k, {k, keys[k]}};
    assert_memory_equal(got, pairs, sizeof pairs);
    prim_end(&test);
}

/* Data above one binding, by a limit that is asked for here: indices go on through the windows. */
static void one_in_windows(bool rows)
{
    enum {
        N = 100003
    };
    uint32_t *x = words_of(N), *got = words_of(N);
    prim_random(x, N, 6);
    prim_test test = prim_begin(PRIM_AS_IS);
    test.facts.limits.maxStorageBufferBindingSize = 65536;
    telar_array in = rows ? prim_roomy_array(&test, "in", x, 4 * N, 16) : prim_array(&test, "in", x, 4 * N, 12);
    telar_array out =
        rows ? prim_roomy_array(&test, "result", NULL, 4 * N, 0) : prim_array(&test, "result", NULL, 4 * N, 4);
    telar_record_map(
        &test.record, &test.prim,
        &(telar_map_desc){
            .length = {.count = N}, .inputs = {{.array = in}}, .inputs_count = 1, .expression = "x ^ i", .out = out});
    assert_true(test.record.commands > 6);
    prim_run(&test);
    prim_read(&test, out, got);
    for (uint32_t k = 0; k < N; k++) x[k] ^= k;
    same("windows", N, got, x, N);
    prim_end(&test);
    free(x);
    free(got);
}

static void windows(void **state)
{
    (void)state;
    one_in_windows(false);
    one_in_windows(true);
}

/* ---- fill and iota ----------------------------------------------------------------------------------------------- */

static void fills(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTHS; k++) {
        uint64_t n = lengths[k];
        uint32_t *got = words_of(2 * n);
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array a = prim_array(&test, "a", NULL, 8 * n, 16);
        telar_array b =
            k % 3 == 0 ? prim_array(&test, "b", NULL, 4 * n, 4) : prim_roomy_array(&test, "b", NULL, 4 * n, 16);
        telar_record_fill(
            &test.record, &test.prim,
            &(telar_fill_desc){.length = {.count = n}, .type = {"vec2i", NULL}, .value = "vec2i(-1, 7)", .out = a});
        telar_record_iota(&test.record, &test.prim,
                          &(telar_iota_desc){.length = {.count = n}, .first = "5u", .step = "3u", .out = b});
        prim_run(&test);
        prim_read(&test, a, got);
        for (uint64_t j = 0; j < n; j++) assert_true(got[2 * j] == UINT32_MAX && got[2 * j + 1] == 7);
        prim_read(&test, b, got);
        for (uint64_t j = 0; j < n; j++) assert_int_equal(got[j], 5 + 3 * j);
        prim_end(&test);
        free(got);
    }
}

/* ---- Places other than i ----------------------------------------------------------------------------------------- */

static void gathers_on(prim_path path, bool room)
{
    enum {
        N = 5000,
        M = 3001
    };
    static uint32_t data[M], index[N], got[N], wanted[N], spread[M], scattered[M];
    prim_random(data, M, 8);
    prim_random(index, N, 9);
    for (int k = 0; k < N; k++) index[k] %= M + 10;
    for (int k = 0; k < N; k++) wanted[k] = index[k] < M ? data[index[k]] : 0;
    /* A permutation, and one place that is outside. */
    static uint32_t places[M];
    for (uint32_t k = 0; k < M; k++) places[k] = (uint32_t)((k * 1009ull) % M);
    places[17] = M;
    prim_random(spread, M, 10);
    prim_test test = prim_begin(path);
    telar_array in =
        room ? prim_roomy_array(&test, "data", data, sizeof data, 0) : prim_array(&test, "data", data, sizeof data, 4);
    telar_array at = prim_array(&test, "at", index, sizeof index, 0);
    telar_array out = prim_array(&test, "result", NULL, sizeof got, room ? 0 : 4);
    telar_array to = room ? prim_roomy_array(&test, "to", places, sizeof places, 0)
                          : prim_array(&test, "to", places, sizeof places, 8);
    telar_array target = prim_array(&test, "target", spread, sizeof spread, 0);
    telar_record_gather(&test.record, &test.prim,
                        &(telar_gather_desc){.length = {.count = N}, .in = in, .in_count = M, .index = at, .out = out});
    telar_record_scatter(
        &test.record, &test.prim,
        &(telar_scatter_desc){.length = {.count = M}, .in = in, .index = to, .out = target, .out_count = M});
    prim_run(&test);
    prim_read(&test, out, got);
    same("gather", N, got, wanted, N);
    for (uint32_t k = 0; k < M; k++) {
        if (places[k] < M) spread[places[k]] = data[k];
    }
    prim_read(&test, target, scattered);
    same("scatter", M, scattered, spread, M);
    prim_end(&test);
}

static void one_stride(prim_path path, uint32_t in_stride, uint32_t out_stride)
{
    enum {
        N = 1234
    };
    static uint32_t data[3 * N], target[3 * N], got[3 * N];
    prim_random(data, 3 * N, 11);
    prim_random(target, 3 * N, 12);
    prim_test test = prim_begin(path);
    telar_array in = prim_array(&test, "data", data, sizeof data, 0);
    telar_array out = prim_array(&test, "target", target, sizeof target, 16);
    telar_record_stride_copy(
        &test.record, &test.prim,
        &(telar_stride_copy_desc){
            .length = {.count = N}, .in = in, .in_stride = in_stride, .out = out, .out_stride = out_stride});
    prim_run(&test);
    prim_read(&test, out, got);
    for (uint32_t k = 0; k < N; k++) target[out_stride * k] = data[in_stride * k];
    same("stride copy", N, got, target, 3 * N);
    prim_end(&test);
}

static void strides(void **state)
{
    (void)state;
    for (int path = 0; path < PRIM_PATHS; path++) {
        for (uint32_t in_stride = 1; in_stride <= 3; in_stride++) {
            for (uint32_t out_stride = 1; out_stride <= 3; out_stride++) {
                one_stride((prim_path)path, in_stride, out_stride);
            }
        }
    }
}

static void differences_on(prim_path path, bool room)
{
    enum {
        N = 1025
    };
    static int32_t data[N], got[N];
    prim_random((uint32_t *)data, N, 13);
    prim_test test = prim_begin(path);
    telar_array in = prim_array(&test, "data", data, sizeof data, 4);
    telar_array out = room ? prim_roomy_array(&test, "result", NULL, sizeof got, 0)
                           : prim_array(&test, "result", NULL, sizeof got, 4);
    telar_record_adjacent_difference(
        &test.record, &test.prim,
        &(telar_adjacent_difference_desc){.length = {.count = N}, .type = {"i32", NULL}, .in = in, .out = out});
    prim_run(&test);
    prim_read(&test, out, got);
    assert_int_equal(got[0], data[0]);
    for (int k = 1; k < N; k++) assert_true((uint32_t)got[k] == (uint32_t)data[k] - (uint32_t)data[k - 1]);
    prim_end(&test);
}

static void gathers(void **state)
{
    (void)state;
    for (int path = 0; path < PRIM_PATHS; path++) {
        for (int room = 0; room < 2; room++) gathers_on((prim_path)path, room != 0);
    }
}

static void differences(void **state)
{
    (void)state;
    for (int path = 0; path < PRIM_PATHS; path++) {
        for (int room = 0; room < 2; room++) differences_on((prim_path)path, room != 0);
    }
}

/* ---- generate ---------------------------------------------------------------------------------------------------- */

/* The vectors that the authors publish with their library (Random123, kat_vectors, philox4x32 with 10 rounds). */
static void published_vectors(void **state)
{
    (void)state;
    static const struct {
        uint64_t counter[2];
        uint64_t key;
        uint32_t words[4];
    } vectors[] = {
        {{0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{UINT64_MAX, UINT64_MAX}, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x85a308d3243f6a88, 0x0370734413198a2e},
         0x299f31d0a4093822,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        uint32_t got[4];
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array out = prim_array(&test, "result", NULL, sizeof got, 0);
        telar_record_generate(&test.record, &test.prim,
                              &(telar_generate_desc){.length = {.count = 4},
                                                     .seed = vectors[k].key,
                                                     .counter = {vectors[k].counter[0], vectors[k].counter[1]},
                                                     .out = out});
        prim_run(&test);
        prim_read(&test, out, got);
        assert_memory_equal(got, vectors[k].words, sizeof got);
        prim_end(&test);
    }
}

/* Philox again, in plain C. */
static void philox(const uint32_t counter[4], uint64_t key, uint32_t words[4])
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    memcpy(words, counter, 16);
    for (int round = 0; round < 10; round++) {
        uint64_t a = 0xd2511f53ull * words[0], b = 0xcd9e8d57ull * words[2];
        const uint32_t next[4] = {(uint32_t)(b >> 32) ^ words[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ words[3] ^ k1,
                                  (uint32_t)a};
        memcpy(words, next, 16);
        k0 += 0x9e3779b9;
        k1 += 0xbb67ae85;
    }
}

static void generates(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTHS; k++) {
        for (int form = 0; form < PRIM_FORMS; form++) {
            uint64_t n = lengths[k], capacity = prim_capacity(n, (prim_form)form);
            uint32_t *got = words_of(capacity);
            prim_test test = prim_begin(PRIM_AS_IS);
            telar_array out = k % 2 == 0 ? prim_roomy_array(&test, "result", NULL, 4 * capacity, 16)
                                         : prim_array(&test, "result", NULL, 4 * capacity, 4);
            telar_record_generate(&test.record, &test.prim,
                                  &(telar_generate_desc){.length = prim_length(&test, n, (prim_form)form),
                                                         .seed = 99,
                                                         .counter = {0xfffffffffffffff0, 3},
                                                         .type = {k % 3 == 0 ? "f32" : "u32", NULL},
                                                         .out = out});
            prim_run(&test);
            prim_read(&test, out, got);
            for (uint64_t j = 0; j < n; j++) {
                uint64_t low = 0xfffffffffffffff0 + j / 4, high = 3 + (low < 0xfffffffffffffff0);
                const uint32_t counter[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, 0};
                uint32_t words[4];
                philox(counter, 99, words);
                float number = (float)(words[j % 4] >> 8) * 0x1p-24f;
                if (k % 3 == 0) assert_memory_equal(&got[j], &number, 4);
                else assert_int_equal(got[j], words[j % 4]);
            }
            prim_end(&test);
            free(got);
        }
    }
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void refusals(void **state)
{
    (void)state;
    uint32_t words[16] = {0};
    static const struct {
        const char *expression;
        const char *type;
        uint64_t count;
        uint64_t offset_bytes;
        telar_status status;
    } cases[] = {
        {NULL, "u32", 16, 0, TELAR_INVALID_ARGUMENT}, {"x +", "u32", 16, 0, TELAR_INVALID_WGSL},
        {"y", "u32", 16, 0, TELAR_INVALID_WGSL},      {"1.5f", "u32", 16, 0, TELAR_INVALID_WGSL},
        {"x", "nothing", 16, 0, TELAR_INVALID_WGSL},  {"x", "u32", 17, 0, TELAR_INVALID_ARGUMENT},
        {"x", "u32", 15, 2, TELAR_INVALID_ARGUMENT},  {"x", "u32", (UINT64_C(1) << 48) + 1, 0, TELAR_LIMIT_EXCEEDED},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array in = prim_array(&test, "in", words, sizeof words, 0);
        telar_array out = prim_array(&test, "result", words, sizeof words, 0);
        in.offset_bytes += cases[k].offset_bytes;
        in.size_bytes -= 4 * cases[k].offset_bytes / 2;
        telar_record_map(&test.record, &test.prim,
                         &(telar_map_desc){.length = {.count = cases[k].count},
                                           .inputs = {{.array = in}},
                                           .inputs_count = 1,
                                           .expression = cases[k].expression,
                                           .out = out,
                                           .out_type = {cases[k].type, NULL}});
        prim_refused(&test, cases[k].status);
        prim_end(&test);
    }
}

/* Halves of any depth, on a device without them. */
static void no_halves(void **state)
{
    (void)state;
    static const telar_type types[] = {
        {"f16", NULL},
        {"vec2<f16>", NULL},
        {"Outer", "struct Inner { x: u32, y: array<f16, 2> }\nstruct Outer { inner: Inner }"}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array out = prim_array(&test, "result", NULL, 64, 0);
        test.prim.dialect.f16 = false;
        telar_record_fill(&test.record, &test.prim,
                          &(telar_fill_desc){.length = {.count = 4}, .type = types[k], .out = out});
        prim_refused(&test, TELAR_UNSUPPORTED);
        if (strstr(gpu.diag.text, "no f16") == NULL) fail_msg("%s", gpu.diag.text);
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps),        cmocka_unit_test(maps_of_rows), cmocka_unit_test(in_place),
        cmocka_unit_test(one_buffer),  cmocka_unit_test(structures),   cmocka_unit_test(windows),
        cmocka_unit_test(fills),       cmocka_unit_test(gathers),      cmocka_unit_test(strides),
        cmocka_unit_test(differences), cmocka_unit_test(generates),    cmocka_unit_test(published_vectors),
        cmocka_unit_test(no_halves),   cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
