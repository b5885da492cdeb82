/* SPDX-License-Identifier: MIT
 *
 * sort against plain C. Kernels are compiled for each kind of element and form, which is what takes the time here: lengths
 * and data change, tiles are small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prim.h"
#include "prim/sort_tuning.h"

/* ---- Plain C ----------------------------------------------------------------------------------------------------- */

typedef struct element {
    uint64_t order; /* the bits that count, so that they are ordered as unsigned numbers */
    uint64_t index;
} element;

static int by_order(const void *a, const void *b)
{
    const element *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint32_t bits_of(telar_key key)
{
    static const uint32_t bits[] = {32, 32, 32, 64, 64, 64, 16, 16, 16};
    return bits[key];
}

static uint64_t load(const uint8_t *bytes, uint64_t i, uint32_t bits)
{
    uint64_t value = 0;
    memcpy(&value, bytes + i * (bits / 8), bits / 8);
    return value;
}

/* By the numbers' own comparison where they have one: that of floats is written out in bits. */
static uint64_t order_of(uint64_t value, telar_key key)
{
    uint64_t sign = 1ull << (bits_of(key) - 1), all = sign | (sign - 1);
    bool is_signed = key == TELAR_KEY_I32 || key == TELAR_KEY_I64 || key == TELAR_KEY_I16;
    bool is_float = key == TELAR_KEY_F32 || key == TELAR_KEY_F64 || key == TELAR_KEY_F16;
    if (is_signed) return value < sign ? value + sign : value - sign;
    if (is_float) return (value & sign) != 0 ? all - value : value + sign;
    return value;
}

/* ---- One sort ---------------------------------------------------------------------------------------------------- */

typedef enum fill {
    FILL_RANDOM,
    FILL_FEW,   /* many equal keys, and digits in which all agree */
    FILL_EQUAL, /* one key */
    FILL_SORTED,
    FILL_REVERSED,
    FILLS
} fill;

typedef struct sort_case {
    telar_key key;
    bool descending;
    uint32_t begin_bit, end_bit;
    uint32_t value_bytes; /* 0: no values */
    bool indices;         /* values are the indices */
    bool no_out;          /* sorted keys are not wanted */
    prim_path path;
    bool plain;            /* no subgroups */
    bool narrow;           /* small workgroups */
    uint32_t groups_limit; /* of an axis; 0: the device's */
    tl_sort_tuning tuning;
} sort_case;

typedef struct sort_run {
    uint64_t n;
    prim_form form;
    uint64_t offset_bytes;
    bool roomy;
    fill fill;
} sort_run;

static void fill_keys(uint32_t *words, uint64_t count, fill kind, uint32_t seed)
{
    static const uint32_t specials[] = {0,           0x80000000u, 0x7fc00000u, 0xffc00000u,
                                        0x7f800000u, 0xff800000u, 1,           0x80000001u};
    prim_random(words, count, seed);
    for (uint64_t k = 0; k < count; k++) {
        if (kind == FILL_FEW) words[k] &= 0x00030011u;
        if (kind == FILL_EQUAL) words[k] = 0x12345678u;
        if (kind == FILL_SORTED) words[k] = (uint32_t)k;
        if (kind == FILL_REVERSED) words[k] = ~(uint32_t)k;
        if (kind == FILL_RANDOM && k % 7 == 3) words[k] = specials[words[k] % 8];
    }
}

static telar_array array_of(prim_test *test, const char *name, const void *data, uint64_t bytes, const sort_run *run)
{
    uint64_t whole = (bytes + 3) / 4 * 4;
    return (run->roomy ? prim_roomy_array : prim_array)(test, name, data, whole, run->offset_bytes);
}

typedef struct arrays {
    uint64_t key_bytes, value_bytes; /* in all, to whole words */
    uint8_t *keys, *values, *got_keys, *got_values;
    element *expected;
    telar_array in, out, values_in, values_out;
} arrays;

static arrays arrays_make(prim_test *test, const sort_case *c, const sort_run *run)
{
    uint64_t n = run->n, capacity = prim_capacity(n, run->form), most = capacity + 2;
    arrays a = {.key_bytes = (capacity * bits_of(c->key) / 8 + 3) / 4 * 4, .value_bytes = capacity * c->value_bytes};
    a.keys = calloc(most, 8);
    a.values = calloc(most, 8);
    a.got_keys = calloc(most, 8);
    a.got_values = calloc(most, 8);
    a.expected = calloc(most, sizeof *a.expected);
    fill_keys((uint32_t *)(void *)a.keys, 2 * most, run->fill, 7);
    prim_random((uint32_t *)(void *)a.values, 2 * most, 8);
    uint32_t end = c->end_bit == 0 ? bits_of(c->key) : c->end_bit;
    uint64_t mask = (end == 64 ? ~0ull : (1ull << end) - 1) & ~((1ull << c->begin_bit) - 1);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t order = order_of(load(a.keys, k, bits_of(c->key)), c->key) & mask;
        a.expected[k] = (element){c->descending ? mask - order : order, k};
    }
    qsort(a.expected, n, sizeof *a.expected, by_order);
    a.in = array_of(test, "in", a.keys, a.key_bytes, run);
    if (!c->no_out) a.out = array_of(test, "out", NULL, a.key_bytes, run);
    if (c->value_bytes != 0 && !c->indices) a.values_in = array_of(test, "values_in", a.values, a.value_bytes, run);
    if (c->value_bytes != 0) a.values_out = array_of(test, "values_out", NULL, a.value_bytes, run);
    return a;
}

static void arrays_free(arrays *a)
{
    free(a->keys);
    free(a->values);
    free(a->got_keys);
    free(a->got_values);
    free(a->expected);
}

static void check(prim_test *test, const sort_case *c, const sort_run *run, arrays *a)
{
    uint32_t bits = bits_of(c->key);
    if (!c->no_out) prim_read(test, a->out, a->got_keys);
    if (c->value_bytes != 0) prim_read(test, a->values_out, a->got_values);
    for (uint64_t k = 0; k < run->n; k++) {
        uint64_t index = a->expected[k].index;
        uint64_t key = load(a->got_keys, k, bits), value = load(a->got_values, k, 8 * c->value_bytes);
        uint64_t wanted_value = c->indices ? index : load(a->values, index, 8 * c->value_bytes);
        if (!c->no_out && key != load(a->keys, index, bits))
            fail_msg("key %d, n %llu, fill %d, form %d: place %llu has the key %llx, not %llx", c->key,
                     (unsigned long long)run->n, run->fill, run->form, (unsigned long long)k, (unsigned long long)key,
                     (unsigned long long)load(a->keys, index, bits));
        if (c->value_bytes != 0 && value != wanted_value)
            fail_msg("key %d, n %llu, fill %d, form %d: place %llu has the value %llx, not %llx", c->key,
                     (unsigned long long)run->n, run->fill, run->form, (unsigned long long)k, (unsigned long long)value,
                     (unsigned long long)wanted_value);
    }
    /* What stands behind the end, the other half of a word included. */
    if (!c->no_out) {
        for (uint64_t at = run->n * bits / 8; at < a->key_bytes; at++) assert_int_equal(a->got_keys[at], 0x5a);
    }
}

static void set_limits(prim_test *test, const sort_case *c)
{
    telar_limits *limits = &test->facts.limits;
    test->prim.plain = c->plain;
    if (c->groups_limit != 0) limits->maxComputeWorkgroupsPerDimension = c->groups_limit;
    if (!c->narrow) return;
    limits->maxComputeInvocationsPerWorkgroup = 32;
    limits->maxComputeWorkgroupSizeX = 32;
    limits->maxComputeWorkgroupStorageSize = 4096;
}

/* Twice: the second time scratch is as the first has left it. */
static void sort_once(const sort_case *c, const sort_run *run)
{
    prim_test test = prim_begin(c->path);
    arrays a = arrays_make(&test, c, run);
    telar_sort_desc desc = {.length = prim_length(&test, run->n, run->form),
                            .key = c->key,
                            .descending = c->descending,
                            .begin_bit = c->begin_bit,
                            .end_bit = c->end_bit,
                            .in = a.in,
                            .out = a.out,
                            .values_in = a.values_in,
                            .values_out = a.values_out,
                            .value_bytes = c->value_bytes};
    set_limits(&test, c);
    tl_record_sort_tuned(&test.record, &test.prim, &desc, &c->tuning);
    for (int k = 0; k < 2; k++) {
        prim_run(&test);
        check(&test, c, run, &a);
    }
    prim_end(&test);
    arrays_free(&a);
}

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

/* Tiles of 128, several of them soon, and digits of 6 bits: half as much text as of 8. */
#define TILE .size = 64, .items = 2, .digit_bits = 6
#define SCAN {.form = TL_SORT_FORM_SCAN, TILE}
#define LOOK_BACK                                                                                                      \
    {.form = TL_SORT_FORM_LOOK_BACK,                                                                                   \
     TILE,                                                                                                             \
     .histogram_size = 64,                                                                                             \
     .histogram_rows = 1,                                                                                              \
     .histogram_groups = 4,                                                                                            \
     .histogram_copies = 1}

static void sort_lengths(const sort_case *c)
{
    static const uint64_t lengths[] = {0, 1, 3, 4, 5, 127, 128, 129, 1023, 1025, 20001};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        sort_once(c, &(sort_run){.n = lengths[k], .roomy = true, .fill = (fill)(k % FILLS)});
    }
    for (int form = 0; form < PRIM_FORMS; form++) {
        sort_once(c, &(sort_run){.n = 5003, .form = (prim_form)form});
        sort_once(c, &(sort_run){.n = 0, .form = (prim_form)form});
        sort_once(c, &(sort_run){.n = 5003, .form = (prim_form)form, .offset_bytes = 8, .fill = FILL_FEW});
    }
    for (int kind = 0; kind < FILLS; kind++) sort_once(c, &(sort_run){.n = 3001, .roomy = true, .fill = (fill)kind});
}

static void by_scan(void **state)
{
    (void)state;
    sort_lengths(&(sort_case){.path = PRIM_AS_GPU, .tuning = SCAN});
}

static void by_look_back(void **state)
{
    (void)state;
    sort_lengths(&(sort_case){.path = PRIM_AS_GPU, .tuning = LOOK_BACK});
}

/* As the library chooses: on a CPU without subgroups, a small length by one workgroup. */
static void as_chosen(void **state)
{
    (void)state;
    sort_lengths(&(sort_case){.path = PRIM_AS_IS});
}

/* ---- Elements ---------------------------------------------------------------------------------------------------- */

/* Each kind of key with something else of what a sort can be asked for; every third of them in each form. */
static const sort_case elements[] = {
    {.key = TELAR_KEY_I32, .descending = true},
    {.key = TELAR_KEY_F32, .value_bytes = 4},
    {.key = TELAR_KEY_F32, .descending = true, .value_bytes = 4, .indices = true, .no_out = true},
    {.key = TELAR_KEY_U32, .value_bytes = 8, .begin_bit = 3, .end_bit = 13},
    {.key = TELAR_KEY_U32, .descending = true, .begin_bit = 20, .end_bit = 25, .value_bytes = 4, .indices = true},
    {.key = TELAR_KEY_U64, .begin_bit = 28, .end_bit = 45, .value_bytes = 4},
    {.key = TELAR_KEY_I64, .begin_bit = 60},
    {.key = TELAR_KEY_F64, .descending = true, .begin_bit = 48, .value_bytes = 8},
    {.key = TELAR_KEY_U16, .descending = true, .value_bytes = 4},
    {.key = TELAR_KEY_I16, .begin_bit = 8},
    {.key = TELAR_KEY_F16, .value_bytes = 4, .indices = true},
};

static void sort_elements(prim_path path, tl_sort_tuning tuning, uint64_t n, size_t first)
{
    for (size_t k = first; k < sizeof elements / sizeof *elements; k += 3) {
        sort_case c = elements[k];
        c.path = path;
        c.tuning = tuning;
        sort_once(&c, &(sort_run){.n = n, .form = (prim_form)(k % PRIM_FORMS), .offset_bytes = 8 * (k % 3)});
        sort_once(&c, &(sort_run){
                          .n = n, .form = (prim_form)(k % PRIM_FORMS), .offset_bytes = 8 * (k % 3), .fill = FILL_FEW});
    }
}

static void elements_by_scan(void **state)
{
    (void)state;
    sort_elements(PRIM_AS_GPU, (tl_sort_tuning)SCAN, 501, 0);
}

static void elements_by_look_back(void **state)
{
    (void)state;
    sort_elements(PRIM_AS_GPU, (tl_sort_tuning)LOOK_BACK, 501, 1);
}

static void elements_by_one_workgroup(void **state)
{
    (void)state;
    sort_elements(PRIM_AS_GPU, (tl_sort_tuning){.form = TL_SORT_FORM_SMALL, TILE}, 121, 2);
}

static void elements_as_chosen(void **state)
{
    (void)state;
    sort_elements(PRIM_AS_IS, (tl_sort_tuning){0}, 9001, 2);
    sort_elements(PRIM_AS_IS, (tl_sort_tuning){0}, 251, 1);
}

/* ---- What goes wrong --------------------------------------------------------------------------------------------- */

/* Tiles that never post are counted by those who wait for them. */
static void tiles_that_never_post(void **state)
{
    (void)state;
    for (uint32_t mute = 1; mute <= 3; mute++) {
        sort_case c = {.path = PRIM_AS_GPU, .tuning = LOOK_BACK};
        c.end_bit = 6;
        c.tuning.waiting = (tl_waiting){.polls = mute, .mute = mute};
        sort_once(&c, &(sort_run){.n = 128 * 9 + 5, .roomy = true});
    }
}

static void wide_sets_of_lanes(void **state)
{
    (void)state;
    sort_case c = {.path = PRIM_AS_GPU, .end_bit = 6, .tuning = SCAN};
    c.tuning.wide = true;
    sort_once(&c, &(sort_run){.n = 1000, .roomy = true});
    c.tuning.rank = TL_SORT_RANK_ATOMIC;
    sort_once(&c, &(sort_run){.n = 1000, .roomy = true});
}

/* As a device without subgroupBarrier() does it; digits of 8 bits. */
static void ranks_by_atomics(void **state)
{
    (void)state;
    sort_case c = {.path = PRIM_AS_GPU, .end_bit = 16, .value_bytes = 4, .indices = true, .tuning = SCAN};
    c.tuning.digit_bits = 8;
    c.tuning.rank = TL_SORT_RANK_ATOMIC;
    sort_once(&c, &(sort_run){.n = 3000});
}

/* More tiles than an axis of a dispatch has. */
static void folded(void **state)
{
    (void)state;
    static const tl_sort_tuning tunings[] = {SCAN, LOOK_BACK};
    for (size_t k = 0; k < sizeof tunings / sizeof *tunings; k++) {
        for (int form = PRIM_HOST; form <= PRIM_PARTLY; form += PRIM_PARTLY) {
            sort_case c = {.path = PRIM_AS_GPU, .end_bit = 6, .groups_limit = 7, .tuning = tunings[k]};
            sort_once(&c, &(sort_run){.n = 128 * 49 + 1, .form = (prim_form)form});
        }
    }
}

/* The same by the device's own limit: what takes a CPU minutes. */
static void more_than_65535_tiles(void **state)
{
    (void)state;
    if (telar_host_facts(gpu.host)->type == TELAR_DEVICE_CPU) skip();
    for (int form = TL_SORT_FORM_SCAN; form <= TL_SORT_FORM_LOOK_BACK; form++) {
        sort_case c = {.end_bit = 16, .tuning = {.form = (tl_sort_form)form, .size = 64, .items = 4, .digit_bits = 8}};
        sort_once(&c, &(sort_run){.n = 65536 * 256 + 1, .roomy = true});
    }
}

/* On a GPU without subgroups, with small workgroups. */
static void without_subgroups(void **state)
{
    (void)state;
    sort_case c = {.path = PRIM_AS_GPU, .plain = true, .narrow = true, .value_bytes = 4};
    sort_once(&c, &(sort_run){.n = 5003});
    sort_once(&c, &(sort_run){.n = 5003, .fill = FILL_FEW});
}

typedef struct refusal {
    telar_sort_desc desc;
    telar_status status;
    bool same;            /* out is in's buffer */
    bool values, indices; /* values_out, with or without values_in */
    bool no_out;
    uint64_t binding_bytes; /* a limit; 0: the device's */
    uint64_t memory_bytes;
} refusal;

static void refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {.desc = {.key = (telar_key)9}, .status = TELAR_INVALID_ARGUMENT},
        {.desc = {.begin_bit = 32}, .status = TELAR_INVALID_ARGUMENT},
        {.desc = {.begin_bit = 8, .end_bit = 6}, .status = TELAR_INVALID_ARGUMENT},
        {.desc = {.end_bit = 33}, .status = TELAR_INVALID_ARGUMENT},
        {.desc = {.key = TELAR_KEY_F16, .end_bit = 17}, .status = TELAR_INVALID_ARGUMENT},
        {.desc = {.value_bytes = 2}, .values = true, .status = TELAR_INVALID_ARGUMENT},
        {.desc = {.value_bytes = 8}, .indices = true, .status = TELAR_INVALID_ARGUMENT},
        {.no_out = true, .status = TELAR_INVALID_ARGUMENT},
        {.same = true, .status = TELAR_INVALID_ARGUMENT},
        {.binding_bytes = 1024, .status = TELAR_LIMIT_EXCEEDED},
        {.memory_bytes = 256, .status = TELAR_LIMIT_EXCEEDED},
    };
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const refusal *r = &refusals[k];
        prim_test test = prim_begin(PRIM_AS_GPU);
        uint32_t data[1000] = {0};
        telar_sort_desc desc = r->desc;
        desc.length.count = 1000;
        desc.in = prim_array(&test, "in", data, sizeof data, 0);
        if (!r->no_out) desc.out = r->same ? desc.in : prim_array(&test, "out", data, sizeof data, 0);
        if (r->values) desc.values_in = prim_array(&test, "values_in", data, sizeof data, 0);
        if (r->values || r->indices) desc.values_out = prim_array(&test, "values_out", data, sizeof data, 0);
        if (r->binding_bytes != 0) test.facts.limits.maxStorageBufferBindingSize = r->binding_bytes;
        if (r->memory_bytes != 0) test.facts.limits.maxComputeWorkgroupStorageSize = r->memory_bytes;
        telar_record_sort(&test.record, &test.prim, &desc);
        prim_refused(&test, r->status);
        assert_memory_equal(gpu.diag.text, "sort: ", 6);
        prim_end(&test);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_scan),
        cmocka_unit_test(by_look_back),
        cmocka_unit_test(as_chosen),
        cmocka_unit_test(elements_by_scan),
        cmocka_unit_test(elements_by_look_back),
        cmocka_unit_test(elements_by_one_workgroup),
        cmocka_unit_test(elements_as_chosen),
        cmocka_unit_test(tiles_that_never_post),
        cmocka_unit_test(wide_sets_of_lanes),
        cmocka_unit_test(ranks_by_atomics),
        cmocka_unit_test(folded),
        cmocka_unit_test(more_than_65535_tiles),
        cmocka_unit_test(without_subgroups),
        cmocka_unit_test(refused),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]); /* the name of one */
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
