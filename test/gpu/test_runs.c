/* SPDX-License-Identifier: MIT
 *
 * reduce_segments and reduce_by_key against plain loops: runs of every length, none too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"
#include "prim/runs.h"

/* Lengths of runs: short ones, a few long ones among many short ones, empty ones, all in one, ... */
typedef enum lengths {
    SHORT,
    MIXED,
    EMPTY_OFTEN,
    ONE,
    SINGLE,
    TILES,
    BELOW_TILES,
    ABOVE_TILES,
    GIANT, /* among short ones */
    LONG,
    LENGTHS,
    FULL, /* of 2^24 elements, the longest that one invocation adds up on a CPU adapter */
} lengths;

static uint32_t length_of(lengths kind, uint32_t random, uint32_t k)
{
    switch (kind) {
    case SHORT: return 1 + random % 7;
    case MIXED: return k % 37 == 5 ? random % 5000 : 1 + random % 3;
    case EMPTY_OFTEN: return random % 3 != 0 ? 0 : random % 40;
    case ONE: return UINT32_MAX;
    case SINGLE: return 1;
    case BELOW_TILES: return 511;
    case ABOVE_TILES: return 513;
    case GIANT: return k == 40 ? 8192 : 1 + random % 3;
    case LONG: return random % 20000;
    case FULL: return 4096;
    default: return 512;
    }
}

/* Offsets of segments that cover n elements; their count. Some empty ones follow. */
static uint32_t make_offsets(lengths kind, uint32_t n, uint32_t *offsets)
{
    uint32_t count = 0, at = 0, state = 12345;
    offsets[0] = 0;
    while (at < n) {
        state = state * 1664525u + 1013904223u;
        uint32_t length = length_of(kind, state >> 8, count);
        at = length > n - at ? n : at + length;
        offsets[++count] = at;
    }
    for (int k = 0; k < 3 && kind == EMPTY_OFTEN; k++) offsets[++count] = n;
    return count;
}

static uint32_t max_segments(uint32_t n)
{
    return 4 * n + 8;
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

typedef struct segments_case {
    lengths kind;
    uint32_t n;
    prim_path path;
    bool counted;        /* the count of segments is on the GPU, in a capacity of 9 more */
    bool above;          /* ... in one of as many, and twice what the word says is more than 32 bits hold */
    bool arg;            /* the index of the greatest, and its value; else the sum */
    bool beyond;         /* offsets go past the elements */
    uint32_t lead;       /* elements before the first segment */
    bool roomy;          /* the elements can be read in rows of four */
    uint32_t workgroups; /* the limit of a dimension; 0: the device's */
    tl_runs_tuning tuning;
} segments_case;

static void expect_segment(const segments_case *c, const uint32_t *data, const uint32_t *range, uint32_t *want)
{
    uint32_t begin = range[0] < c->n ? range[0] : c->n, end = range[1] < c->n ? range[1] : c->n;
    want[0] = c->arg ? UINT32_MAX : 0;
    want[1] = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (!c->arg) want[0] += data[i];
        if (!c->arg || (want[0] != UINT32_MAX && data[i] <= want[1])) continue;
        want[0] = i;
        want[1] = data[i];
    }
}

static void one_of_segments(segments_case c)
{
    prim_test test = prim_begin(c.path);
    if (c.workgroups != 0) test.facts.limits.maxComputeWorkgroupsPerDimension = c.workgroups;
    uint32_t *offsets = malloc(4 * (size_t)(max_segments(c.n) + 2)), *data = malloc(4 * (size_t)c.n + 4);
    prim_random(data, c.n, 31);
    uint32_t segments = make_offsets(c.kind, c.n, offsets);
    if (c.lead > 0) {
        for (uint32_t k = 0; k <= segments; k++) offsets[k] = offsets[k] < c.lead ? c.lead : offsets[k];
    }
    if (c.beyond) offsets[segments] = c.n + 1000;
    uint32_t capacity = segments + (c.counted && !c.above ? 9 : 0);
    for (uint32_t k = segments + 1; k <= capacity; k++) offsets[k] = 0xdead;
    uint32_t *got = calloc(capacity + 1, 4), *value = calloc(capacity + 1, 4);
    telar_array in = c.roomy ? prim_roomy_array(&test, "in", data, 4 * (uint64_t)c.n, 16)
                             : prim_array(&test, "in", data, 4 * (uint64_t)c.n, 4 + 4 * (c.n % 3));
    telar_array begins = prim_array(&test, "offsets", offsets, 4 * (uint64_t)(capacity + 1), 0);
    telar_array out = prim_array(&test, "out", NULL, 4 * (uint64_t)(capacity == 0 ? 1 : capacity), 4);
    telar_array best = {0};
    if (c.arg) best = prim_array(&test, "value", NULL, 4 * (uint64_t)(capacity == 0 ? 1 : capacity), 8);
    telar_length length = {.count = capacity};
    if (c.counted) {
        uint32_t word = c.above ? 0x80000001 : segments;
        telar_array count = prim_array(&test, "count", &word, 4, 0);
        length.on_gpu =
            (telar_count){.buffer = count.buffer, .offset_bytes = count.offset_bytes, .multiply = c.above ? 2 : 1};
    }
    telar_reduce_segments_desc desc = {.length = length,
                                       .reduction = {.kind = c.arg ? TELAR_REDUCE_ARG_MAX : TELAR_REDUCE_OPERATOR},
                                       .in = in,
                                       .in_count = c.n,
                                       .offsets = begins,
                                       .out = out,
                                       .value = best};
    tl_record_reduce_segments(&test.record, &test.prim, &desc, c.tuning);
    prim_run(&test);
    prim_run(&test);
    prim_read(&test, out, got);
    if (c.arg) prim_read(&test, best, value);
    for (uint32_t s = 0; s < segments; s++) {
        uint32_t want[2];
        expect_segment(&c, data, &offsets[s], want);
        if (got[s] != want[0] || (c.arg && value[s] != want[1])) {
            fail_msg("kind %d, n %u: segment %u of %u [%u, %u) is %u, not %u", c.kind, c.n, s, segments, offsets[s],
                     offsets[s + 1], got[s], want[0]);
        }
    }
    prim_end(&test);
    free(offsets);
    free(data);
    free(got);
    free(value);
}

static const tl_runs_tuning small = {.size = 64, .rows = 2, .groups = 5, .way = TL_RUNS_TILES};

static void segments(void **state)
{
    /* Tiles are of 512 elements. */
    static const uint32_t counts[] = {1, 511, 513, 9001};
    (void)state;
    for (int kind = 0; kind < LENGTHS; kind++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            one_of_segments((segments_case){.kind = (lengths)kind,
                                            .n = counts[k],
                                            .path = kind % 2 == 0 ? PRIM_AS_GPU : PRIM_AS_PLAIN_GPU,
                                            .tuning = small});
        }
    }
}

/* Without barriers: parts are of 512 elements, segments of more than 1024 are cut. */
static void segments_apart(void **state)
{
    static const uint32_t counts[] = {1, 3, 1023, 1024, 1025, 9002};
    (void)state;
    for (size_t kind = 0; kind < LENGTHS; kind++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            one_of_segments((segments_case){.kind = (lengths)kind,
                                            .n = counts[k],
                                            .counted = (kind + k) % 3 == 0,
                                            .arg = (kind + k) % 4 == 0,
                                            .beyond = kind != EMPTY_OFTEN && k % 3 == 1,
                                            .roomy = (kind + k) % 2 == 0});
        }
    }
    one_of_segments((segments_case){.kind = SHORT, .n = 5001, .lead = 700, .roomy = true});
}

/* Several segments an invocation: as many as lavapipe's loops have turns for. */
static void full_segments_apart(void **state)
{
    (void)state;
    one_of_segments((segments_case){.kind = FULL, .n = 1 << 24});
}

/* One by one: a part has about two thousand places, of which a segment takes 1024 besides its elements. */
static void walked_segments(void **state)
{
    static const uint32_t counts[] = {1, 5, 511, 513, 9001};
    tl_runs_tuning walk = small;
    (void)state;
    walk.way = TL_RUNS_WALK;
    for (size_t kind = 0; kind < LENGTHS; kind++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            one_of_segments((segments_case){.kind = (lengths)kind,
                                            .n = counts[k],
                                            .path = (kind + k) % 2 == 0 ? PRIM_AS_GPU : PRIM_AS_PLAIN_GPU,
                                            .counted = (kind + k) % 3 == 0,
                                            .arg = (kind + k) % 4 == 0,
                                            .beyond = kind != EMPTY_OFTEN && k % 3 == 1,
                                            .roomy = (kind + k) % 2 == 1,
                                            .tuning = walk});
        }
    }
    one_of_segments((segments_case){.kind = SHORT, .n = 5001, .path = PRIM_AS_GPU, .lead = 700, .tuning = walk});
    one_of_segments((segments_case){.kind = TILES, .n = 5001, .path = PRIM_AS_GPU, .lead = 5001, .tuning = walk});
    /* Chosen: long ones on average. */
    one_of_segments((segments_case){.kind = LONG, .n = 300007, .path = PRIM_AS_GPU});
    one_of_segments((segments_case){.kind = LONG, .n = 300007, .path = PRIM_AS_GPU, .roomy = true, .counted = true});
    one_of_segments((segments_case){.kind = ONE, .n = 300007, .path = PRIM_AS_PLAIN_GPU, .roomy = true});
}

static void odd_segments(void **state)
{
    (void)state;
    one_of_segments((segments_case){.kind = MIXED, .n = 7001, .path = PRIM_AS_GPU, .counted = true, .tuning = small});
    one_of_segments((segments_case){.kind = MIXED, .n = 7001, .counted = true, .above = true, .tuning = small});
    one_of_segments((segments_case){.kind = MIXED, .n = 7001, .path = PRIM_AS_GPU, .counted = true, .above = true});
    one_of_segments((segments_case){.kind = LONG, .n = 70001, .path = PRIM_AS_GPU, .counted = true, .above = true});
    one_of_segments((segments_case){.kind = MIXED, .n = 7001, .path = PRIM_AS_GPU, .arg = true, .tuning = small});
    one_of_segments((segments_case){.kind = EMPTY_OFTEN, .n = 7001, .path = PRIM_AS_GPU, .arg = true, .tuning = small});
    one_of_segments((segments_case){.kind = MIXED, .n = 5001, .path = PRIM_AS_GPU, .beyond = true, .tuning = small});
    one_of_segments((segments_case){.kind = SHORT, .n = 5001, .path = PRIM_AS_GPU, .lead = 700, .tuning = small});
    one_of_segments((segments_case){.kind = MIXED, .n = 300007, .path = PRIM_AS_GPU});
    one_of_segments((segments_case){.kind = MIXED, .n = 300007, .path = PRIM_AS_IS});
    one_of_segments((segments_case){.kind = MIXED, .n = 300007, .path = PRIM_AS_IS, .roomy = true});
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static void one_of_keys(lengths kind, uint32_t n, prim_path path, prim_form form, tl_runs_tuning tuning)
{
    prim_test test = prim_begin(path);
    uint32_t capacity = (uint32_t)prim_capacity(n, form);
    uint32_t *offsets = malloc(4 * (size_t)(max_segments(n) + 2)), *keys = calloc(capacity + 1, 4);
    float *data = calloc(capacity + 1, 4), *got = calloc(capacity + 1, 4);
    uint32_t *unique = calloc(capacity + 1, 4), count = 0;
    uint32_t made = make_offsets(kind, n, offsets), runs = 0;
    float *want = calloc(capacity + 1, 4);
    uint32_t *want_keys = calloc(capacity + 1, 4);
    for (uint32_t s = 0; s < made; s++) {
        if (offsets[s] == offsets[s + 1]) continue;
        want_keys[runs] = s % 5 + runs % 2 * 8;
        for (uint32_t i = offsets[s]; i < offsets[s + 1]; i++) {
            keys[i] = want_keys[runs];
            data[i] = (float)(i * 7 % 16);
            want[runs] += data[i];
        }
        runs++;
    }
    uint64_t room = 4 * (uint64_t)(capacity == 0 ? 1 : capacity);
    telar_array in = prim_array(&test, "in", data, 4 * (uint64_t)capacity, 0);
    telar_array in_keys = prim_array(&test, "keys", keys, 4 * (uint64_t)capacity, 4);
    telar_array out = prim_array(&test, "out", NULL, room, 8), out_keys = prim_array(&test, "unique", NULL, room, 0);
    telar_array out_count = prim_array(&test, "runs", NULL, 4, 0);
    telar_reduce_by_key_desc desc = {.length = prim_length(&test, n, form),
                                     .keys = in_keys,
                                     .type = {.name = "f32"},
                                     .in = in,
                                     .keys_out = out_keys,
                                     .out = out,
                                     .count = out_count};
    tl_record_reduce_by_key(&test.record, &test.prim, &desc, tuning);
    prim_run(&test);
    prim_run(&test);
    prim_read(&test, out_count, &count);
    prim_read(&test, out, got);
    prim_read(&test, out_keys, unique);
    if (count != runs) fail_msg("kind %d, n %u, form %d: %u runs, not %u", kind, n, form, count, runs);
    assert_memory_equal(got, want, 4 * (size_t)runs);
    assert_memory_equal(unique, want_keys, 4 * (size_t)runs);
    prim_end(&test);
    free(offsets);
    free(keys);
    free(data);
    free(got);
    free(unique);
    free(want);
    free(want_keys);
}

static void by_key(void **state)
{
    static const uint32_t counts[] = {0, 1, 512, 9001};
    (void)state;
    for (int kind = 0; kind < LENGTHS; kind++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            one_of_keys((lengths)kind, counts[k], kind % 2 == 0 ? PRIM_AS_GPU : PRIM_AS_IS, PRIM_HOST, small);
        }
    }
    one_of_keys(MIXED, 7001, PRIM_AS_GPU, PRIM_COUNTED, small);
    one_of_keys(MIXED, 7001, PRIM_AS_GPU, PRIM_PARTLY, small);
    one_of_keys(SHORT, 0, PRIM_AS_GPU, PRIM_PARTLY, small);
    one_of_keys(MIXED, 300007, PRIM_AS_GPU, PRIM_HOST, (tl_runs_tuning){0});
}

/* What tiles are of large types and on small devices: of one subgroup and of more, in few rows and in many. */
static void by_key_in_shapes(void **state)
{
    static const tl_runs_tuning shapes[] = {{.size = 32, .rows = 1},  {.size = 32, .rows = 4},
                                            {.size = 64, .rows = 2},  {.size = 64, .rows = 4},
                                            {.size = 128, .rows = 2}, {.size = 256, .rows = 1}};
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        tl_runs_tuning shape = shapes[k];
        shape.groups = 3;
        one_of_keys(SHORT, 9005, PRIM_AS_GPU, PRIM_HOST, shape);
        one_of_keys(MIXED, 9005, PRIM_AS_GPU, PRIM_HOST, shape);
    }
}

/* A dispatch may have fewer workgroups in a dimension than are wanted; a fold of them would have more. */
static void few_workgroups(void **state)
{
    (void)state;
    for (uint32_t most = 1; most <= 4; most++) {
        one_of_segments(
            (segments_case){.kind = MIXED, .n = 9005, .path = PRIM_AS_GPU, .workgroups = most, .tuning = small});
    }
}

/* ---- Nothing, and what is refused -------------------------------------------------------------------------------- */

/* Segments of no elements at all; and no segments. */
static void none(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 700; count += 350) {
        prim_test test = prim_begin(PRIM_AS_IS);
        uint32_t zeros[701] = {0}, got[701];
        telar_array in = prim_array(&test, "in", NULL, 16, 0);
        telar_array offsets = prim_array(&test, "offsets", zeros, 4 * (uint64_t)(count + 1), 0);
        telar_array out = prim_array(&test, "out", zeros, 4 * (uint64_t)(count + 1), 0);
        telar_reduce_segments_desc desc = {.length = {.count = count},
                                           .reduction = {.op = {.op = TELAR_OP_AND}},
                                           .in = in,
                                           .in_count = count == 350 ? 0 : 4,
                                           .offsets = offsets,
                                           .out = out};
        telar_record_reduce_segments(&test.record, &test.prim, &desc);
        prim_run(&test);
        prim_read(&test, out, got);
        for (uint32_t s = 0; s < count; s++) assert_int_equal(got[s], UINT32_MAX);
        assert_int_equal(got[count], 0);
        prim_end(&test);
    }
}

static void refusals(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array in = prim_array(&test, "in", NULL, 131072, 0), out = prim_array(&test, "out", NULL, 131072, 0);
        telar_array offsets = prim_array(&test, "offsets", NULL, 400, 0);
        telar_reduce_segments_desc by_offsets = {
            .length = {.count = 99}, .in = in, .in_count = 32768, .offsets = offsets, .out = out};
        telar_reduce_by_key_desc by_key_desc = {
            .length = {.count = 32768}, .keys = in, .in = in, .out = out, .count = offsets};
        telar_status status = TELAR_INVALID_ARGUMENT;
        if (k == 0 || k == 3) {
            test.facts.limits.maxStorageBufferBindingSize = 65536;
            status = TELAR_LIMIT_EXCEEDED;
        }
        if (k == 1) by_offsets.value = out;
        if (k == 2) by_offsets.length.count = 100; /* and an offset more */
        if (k == 4) {
            by_key_desc.key_type = (telar_type){"Key", "struct Key { a: u32, b: u32 }"};
            by_key_desc.length.count = 16;
            status = TELAR_UNSUPPORTED;
        }
        if (k < 3) telar_record_reduce_segments(&test.record, &test.prim, &by_offsets);
        else telar_record_reduce_by_key(&test.record, &test.prim, &by_key_desc);
        prim_refused(&test, status);
        if (k == 0) assert_non_null(strstr(gpu.diag.text, "32768"));
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments),         cmocka_unit_test(segments_apart), cmocka_unit_test(full_segments_apart),
        cmocka_unit_test(walked_segments),  cmocka_unit_test(odd_segments),   cmocka_unit_test(by_key),
        cmocka_unit_test(by_key_in_shapes), cmocka_unit_test(few_workgroups), cmocka_unit_test(none),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
