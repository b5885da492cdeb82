/* SPDX-License-Identifier: MIT
 *
 * Scans of segments, by heads, keys and offsets, against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prim.h"
#include "prim/scan_tuning.h"

typedef enum parts_kind {
    HEADS,
    KEYS,
    KEY_PAIRS,
    OFFSETS,
    PARTS_KINDS
} parts_kind;

typedef struct segments_case {
    uint64_t n;
    parts_kind kind;
    uint32_t mean; /* elements of a segment */
    prim_path path;
    prim_form form;
    uint64_t offset_bytes;
    bool roomy, in_place, inclusive, initial;
    telar_scan_way way;
    tl_scan_tuning tuning;
} segments_case;

/* Where segments begin: the first element may, or may not, be marked. */
static void make_heads(uint32_t *heads, uint64_t n, uint32_t mean)
{
    prim_random(heads, n, 11 + mean);
    for (uint64_t k = 0; k < n; k++) heads[k] = heads[k] % mean == 0 ? 1 + heads[k] / 3 : 0;
}

/* Each kind's array, filled from heads. */
static telar_segments make_segments(prim_test *test, const segments_case *c, const uint32_t *heads, uint64_t capacity)
{
    telar_segments segments = {0};
    uint32_t *words = malloc(8 * capacity + 16), key = 5;
    uint64_t count = 0;
    assert_non_null(words);
    for (uint64_t k = 0; k < capacity; k++) {
        if (heads[k] != 0) key = key * 7 + 1;
        if (c->kind == KEYS) words[count++] = key;
        if (c->kind == KEY_PAIRS) words[count++] = key >> 16;
        if (c->kind == KEY_PAIRS) words[count++] = key & 0xffff;
        if (c->kind == OFFSETS && heads[k] != 0) words[count++] = (uint32_t)k;
    }
    if (c->kind == OFFSETS) {
        words[count++] = (uint32_t)capacity;          /* past the end */
        for (uint64_t k = 0; k + 1 < count; k += 3) { /* in any order, and twice */
            uint32_t word = words[k];
            words[k] = words[count - 1 - k / 2];
            words[count - 1 - k / 2] = word;
        }
        words[count] = words[0];
        count++;
    }
    if (c->kind == HEADS) segments.heads = prim_array(test, "heads", heads, 4 * capacity, c->offset_bytes);
    if (c->kind == KEYS) segments.keys = prim_roomy_array(test, "keys", words, 4 * count, c->offset_bytes);
    if (c->kind == KEY_PAIRS) segments.keys = prim_array(test, "keys", words, 4 * count, 8 * (c->offset_bytes / 8));
    if (c->kind == KEY_PAIRS) segments.key_type.name = "vec2<u32>";
    if (c->kind == OFFSETS) {
        segments.offsets = prim_array(test, "offsets", words, 4 * count, c->offset_bytes);
        segments.offsets_count = count;
    }
    free(words);
    return segments;
}

static void one_segmented(const segments_case *c)
{
    prim_test test = prim_begin(c->path);
    uint64_t capacity = prim_capacity(c->n, c->form);
    uint32_t *data = malloc(4 * capacity + 4), *heads = malloc(4 * capacity + 4), *got = malloc(4 * capacity + 4);
    assert_true(data != NULL && heads != NULL && got != NULL);
    prim_random(data, capacity, 7);
    make_heads(heads, capacity, c->mean);
    telar_array in = c->roomy ? prim_roomy_array(&test, "in", data, 4 * capacity, c->offset_bytes)
                              : prim_array(&test, "in", data, 4 * capacity, c->offset_bytes);
    telar_array out = c->in_place ? in : prim_array(&test, "out", NULL, 4 * capacity, 4 * (c->n % 3));
    telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, 1, TELAR_SOURCE_GIVEN);
    tl_record_scan_tuned(&test.record, &test.prim,
                         &(telar_scan_desc){.length = prim_length(&test, c->n, c->form),
                                            .in = in,
                                            .out = out,
                                            .inclusive = c->inclusive,
                                            .initial = c->initial ? "41u + 1u" : NULL,
                                            .segments = make_segments(&test, c, heads, capacity),
                                            .way = c->way},
                         &c->tuning);
    for (int run = 0; run < (c->in_place ? 1 : 2); run++) {
        prim_run(&test);
        prim_read(&test, out, got);
        uint32_t first = c->initial ? 42 : 0, sum = first;
        for (uint64_t k = 0; k < c->n; k++) {
            if (heads[k] != 0) sum = first;
            uint32_t want = c->inclusive ? sum + data[k] : sum;
            sum += data[k];
            if (got[k] == want) continue;
            fail_msg("kind %d, n %llu, mean %u, form %d, way %d, run %d: element %llu is %u, not %u", c->kind,
                     (unsigned long long)c->n, c->mean, c->form, c->way, run, (unsigned long long)k, got[k], want);
        }
    }
    prim_end(&test);
    free(data);
    free(heads);
    free(got);
}

static const uint64_t segmented_lengths[] = {0, 1, 5, 1025, 4096, 20481};

static void segments(void **state)
{
    (void)state;
    static const uint32_t means[] = {1, 3, 40, 5000, 1u << 30};
    uint32_t turn = 0;
    for (size_t k = 0; k < sizeof segmented_lengths / sizeof *segmented_lengths; k++) {
        for (int kind = 0; kind < PARTS_KINDS; kind++, turn++) {
            one_segmented(&(segments_case){.n = segmented_lengths[k],
                                           .kind = (parts_kind)kind,
                                           .mean = means[(turn + turn / 5) % 5],
                                           .path = (prim_path)(turn / 2 % 2),
                                           .form = (prim_form)((turn + turn / 3) % 3),
                                           .offset_bytes = 4 * (turn % 5),
                                           .roomy = turn % 3 == 0,
                                           .in_place = turn % 7 == 2,
                                           .inclusive = turn / 4 % 2 == 0,
                                           .initial = turn / 3 % 2 == 0,
                                           .way = TELAR_SCAN_DETERMINISTIC,
                                           .tuning = {.size = turn % 5 == 4 ? 0 : 64, .rows = 1}});
        }
    }
}

static void segments_look_back(void **state)
{
    (void)state;
    static const uint32_t means[] = {3, 500, 1u << 30};
    for (uint32_t turn = 0; turn < 6; turn++) {
        one_segmented(&(segments_case){.n = turn % 2 == 0 ? 20003 : 65536,
                                       .kind = (parts_kind)(turn % PARTS_KINDS),
                                       .mean = means[turn % 3],
                                       .path = PRIM_AS_GPU,
                                       .offset_bytes = 4 * (turn % 5),
                                       .roomy = turn % 3 == 0,
                                       .inclusive = turn / 4 % 2 == 0,
                                       .initial = turn / 3 % 2 == 0,
                                       .way = TELAR_SCAN_LOOK_BACK,
                                       .tuning = {.size = 64, .rows = 1, .waiting = {1 + turn, turn % 4, turn % 3}}});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(segments), cmocka_unit_test(segments_look_back)};
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
