/* SPDX-License-Identifier: MIT
 *
 * Scans by every operator and of every kind of type against plain loops; initial values from the GPU, windows, small
 * limits, refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/host.h"
#include "prim.h"
#include "prim/scan_tuning.h"

enum {
    WORDS_MAX = 4,
    N = 5003
};

/* ---- Operators in C ------------------------------------------------------------------------------------------------ */

typedef void combine_words(uint32_t *sum, const uint32_t *x); /* sum = sum op x */

static float f32_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t word_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void product_u32(uint32_t *sum, const uint32_t *x)
{
    sum[0] *= x[0];
}
static void min_u32(uint32_t *sum, const uint32_t *x)
{
    sum[0] = x[0] < sum[0] ? x[0] : sum[0];
}
static void max_u32(uint32_t *sum, const uint32_t *x)
{
    sum[0] = x[0] > sum[0] ? x[0] : sum[0];
}
static void and_u32(uint32_t *sum, const uint32_t *x)
{
    sum[0] &= x[0];
}
static void or_u32(uint32_t *sum, const uint32_t *x)
{
    sum[0] |= x[0];
}
static void xor_u32(uint32_t *sum, const uint32_t *x)
{
    sum[0] ^= x[0];
}
static void min_i32(uint32_t *sum, const uint32_t *x)
{
    sum[0] = (int32_t)x[0] < (int32_t)sum[0] ? x[0] : sum[0];
}
static void max_i32(uint32_t *sum, const uint32_t *x)
{
    sum[0] = (int32_t)x[0] > (int32_t)sum[0] ? x[0] : sum[0];
}
static void sum_f32(uint32_t *sum, const uint32_t *x)
{
    sum[0] = word_of(f32_of(sum[0]) + f32_of(x[0]));
}
static void last_set(uint32_t *sum, const uint32_t *x)
{
    sum[0] = x[0] != 0 ? x[0] : sum[0];
}

/* NaNs are left out. */
static void min_f32(uint32_t *sum, const uint32_t *x)
{
    if (f32_of(x[0]) < f32_of(sum[0])) sum[0] = x[0];
}

static void sum_2(uint32_t *sum, const uint32_t *x)
{
    sum[0] += x[0];
    sum[1] += x[1];
}

/* x -> a x + b, one after the other. */
static void affine(uint32_t *sum, const uint32_t *x)
{
    sum[1] = sum[1] * x[0] + x[1];
    sum[0] *= x[0];
}

/* The same and a count, in a structure. */
static void counted_affine(uint32_t *sum, const uint32_t *x)
{
    affine(sum, x);
    sum[2] += x[2];
}

/* ---- Elements ------------------------------------------------------------------------------------------------------ */

static uint32_t any_word(uint32_t word)
{
    return word;
}
static uint32_t mostly_zero(uint32_t word)
{
    return word % 7 == 0 ? word : 0;
}
static uint32_t odd_word(uint32_t word)
{
    return word | 1;
}
static uint32_t rare_bits(uint32_t word)
{
    return word & word >> 3 & word >> 11;
}
static uint32_t most_bits(uint32_t word)
{
    return word | 0xfffffff0;
}
/* Sums that stay exact. */
static uint32_t small_f32(uint32_t word)
{
    return word_of((float)(word % 17) - 8);
}
static uint32_t f32_with_nans(uint32_t word)
{
    return word % 5 == 0 ? 0x7fc00000 : word_of((float)(word % 100003) - 50000);
}

static const char structure[] = "struct Step { factor: u32, term: u32, count: u32 }\n";
static const char step_combine[] =
    "fn combine(a: T, b: T) -> T {\n"
    "    return Step(a.factor * b.factor, a.term * b.factor + b.term, a.count + b.count);\n"
    "}\n";
static const char affine_combine[] = "fn combine(a: T, b: T) -> T { return T(a.x * b.x, a.y * b.x + b.y); }";
static const char last_combine[] = "fn combine(a: T, b: T) -> T { return select(a, b, b != 0u); }";

typedef struct type_case {
    telar_type type;
    telar_operator op;
    uint32_t words;
    uint32_t identity[WORDS_MAX];
    uint32_t (*fill)(uint32_t word);
    combine_words *combine;
} type_case;

static const type_case types[] = {
    {{"u32", NULL}, {TELAR_OP_PRODUCT, NULL, NULL}, 1, {1}, odd_word, product_u32},
    {{"u32", NULL}, {TELAR_OP_MIN, NULL, NULL}, 1, {0xffffffff}, any_word, min_u32},
    {{"u32", NULL}, {TELAR_OP_MAX, NULL, NULL}, 1, {0}, any_word, max_u32},
    {{"u32", NULL}, {TELAR_OP_AND, NULL, NULL}, 1, {0xffffffff}, most_bits, and_u32},
    {{"u32", NULL}, {TELAR_OP_OR, NULL, NULL}, 1, {0}, rare_bits, or_u32},
    {{"u32", NULL}, {TELAR_OP_XOR, NULL, NULL}, 1, {0}, any_word, xor_u32},
    {{"i32", NULL}, {TELAR_OP_MIN, NULL, NULL}, 1, {0x7fffffff}, any_word, min_i32},
    {{"i32", NULL}, {TELAR_OP_MAX, NULL, NULL}, 1, {0x80000000}, any_word, max_i32},
    {{"f32", NULL}, {TELAR_OP_SUM, NULL, NULL}, 1, {0}, small_f32, sum_f32},
    {{"f32", NULL}, {TELAR_OP_MIN, NULL, NULL}, 1, {0x7f800000}, f32_with_nans, min_f32},
    {{"vec2<u32>", NULL}, {TELAR_OP_SUM, NULL, NULL}, 2, {0}, any_word, sum_2},
    {{"u32", NULL}, {TELAR_OP_OWN, last_combine, "0u"}, 1, {0}, mostly_zero, last_set},
    {{"vec2<u32>", NULL}, {TELAR_OP_OWN, affine_combine, "T(1, 0)"}, 2, {1}, odd_word, affine},
    {{"Step", structure}, {TELAR_OP_OWN, step_combine, "Step(1u, 0u, 0u)"}, 3, {1}, odd_word, counted_affine},
};

static void check(const type_case *c, const uint32_t *data, const uint32_t *heads, const uint32_t *got, bool inclusive)
{
    uint32_t sum[WORDS_MAX];
    memcpy(sum, c->identity, sizeof sum);
    for (uint32_t k = 0; k < N; k++) {
        const uint32_t *x = data + k * c->words;
        if (heads != NULL && heads[k] != 0) memcpy(sum, c->identity, sizeof sum);
        if (inclusive) c->combine(sum, x);
        if (memcmp(got + k * c->words, sum, 4 * c->words) != 0) {
            fail_msg("%s, operator %d: element %u is 0x%x, not 0x%x", c->type.name, c->op.op, k, got[k * c->words],
                     sum[0]);
        }
        if (!inclusive) c->combine(sum, x);
    }
}

static void one_type(const type_case *c, prim_path path, bool inclusive, bool segmented, telar_scan_way way)
{
    prim_test test = prim_begin(path);
    uint32_t *data = malloc(4 * WORDS_MAX * N), *got = malloc(4 * WORDS_MAX * N), *heads = malloc(4 * N);
    assert_true(data != NULL && got != NULL && heads != NULL);
    prim_random(data, (uint64_t)N * c->words, 3);
    for (uint32_t k = 0; k < N * c->words; k++) data[k] = c->fill(data[k]);
    prim_random(heads, N, 5);
    for (uint32_t k = 0; k < N; k++) heads[k] = heads[k] % 70 == 0;
    uint64_t bytes = 4 * (uint64_t)N * c->words;
    telar_array in = prim_roomy_array(&test, "in", data, bytes, 0),
                out = prim_roomy_array(&test, "out", NULL, bytes, 0);
    telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, 1, TELAR_SOURCE_GIVEN);
    telar_scan_desc desc = {
        .length = {.count = N}, .type = c->type, .op = c->op, .in = in, .out = out, .inclusive = inclusive, .way = way};
    if (segmented) desc.segments.heads = prim_array(&test, "heads", heads, 4 * N, 0);
    tl_record_scan_tuned(&test.record, &test.prim, &desc, &(tl_scan_tuning){.size = 64, .rows = 1});
    prim_run(&test);
    prim_read(&test, out, got);
    check(c, data, segmented ? heads : NULL, got, inclusive);
    prim_end(&test);
    free(data);
    free(got);
    free(heads);
}

static void operators_and_types(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < sizeof types / sizeof *types; k++) {
        one_type(&types[k], (prim_path)(k % PRIM_PATHS), k % 3 == 0, false, TELAR_SCAN_DETERMINISTIC);
        /* Every type in segments, by the other path. */
        if (k >= 8) one_type(&types[k], (prim_path)((k + 1) % PRIM_PATHS), k % 4 == 0, true, TELAR_SCAN_DETERMINISTIC);
    }
    one_type(&types[9], PRIM_AS_GPU, true, false, TELAR_SCAN_LOOK_BACK);   /* f32, as integers in their order */
    one_type(&types[11], PRIM_AS_GPU, false, false, TELAR_SCAN_LOOK_BACK); /* does not commute */
    one_type(&types[7], PRIM_AS_GPU, false, true, TELAR_SCAN_LOOK_BACK);
}

/* ---- f32 and f16 ------------------------------------------------------------------------------------------------- */

/* Good sums, and the same bits on every run and for a count on the GPU. */
static void sums_of_f32(void **state)
{
    (void)state;
    enum {
        COUNT = 100003
    };
    static uint32_t data[COUNT], got[COUNT], first[COUNT];
    prim_random(data, COUNT, 9);
    for (uint32_t k = 0; k < COUNT; k++) data[k] = word_of((float)(data[k] >> 8) * 0x1p-24f);
    for (int form = PRIM_HOST; form <= PRIM_COUNTED; form++) {
        prim_test test = prim_begin(PRIM_AS_GPU);
        telar_array in = prim_roomy_array(&test, "in", data, sizeof data, 0);
        telar_array out = prim_roomy_array(&test, "out", NULL, sizeof data, 0);
        telar_record_scan(&test.record, &test.prim,
                          &(telar_scan_desc){.length = prim_length(&test, COUNT, (prim_form)form),
                                             .type = {"f32", NULL},
                                             .in = in,
                                             .out = out,
                                             .inclusive = true});
        for (int run = 0; run < 2; run++) {
            prim_run(&test);
            prim_read(&test, out, got);
            if (form == PRIM_HOST && run == 0) memcpy(first, got, sizeof got);
            assert_memory_equal(first, got, sizeof got);
        }
        prim_end(&test);
    }
    double sum = 0;
    for (uint32_t k = 0; k < COUNT; k++) {
        sum += (double)f32_of(data[k]);
        assert_true(fabs((double)f32_of(got[k]) - sum) <= 1e-6 * sum);
    }
}

/* Ones: sums of f16 are made in f32, so that those past 2048 still grow. */
static void sums_of_f16(void **state)
{
    (void)state;
    enum {
        COUNT = 6001
    };
    static uint16_t data[COUNT + 1], got[COUNT + 1];
    if (!telar_host_dialect(gpu.host).f16) skip();
    for (uint32_t k = 0; k < COUNT; k++) data[k] = 0x3c00;
    prim_test test = prim_begin(PRIM_AS_IS);
    telar_array in = prim_array(&test, "in", data, 2 * COUNT, 4), out = prim_array(&test, "out", NULL, 2 * COUNT, 0);
    telar_record_scan(&test.record, &test.prim,
                      &(telar_scan_desc){.length = {.count = COUNT}, .type = {"f16", NULL}, .in = in, .out = out});
    prim_run(&test);
    prim_read(&test, out, got);
    assert_int_equal(got[3], 0x4200);
    assert_int_equal(got[6000], 0x6ddc); /* 6000 */
    prim_end(&test);
}

/* ---- An initial value on the GPU, windows, limits -------------------------------------------------------------------- */

static void sums_with(prim_test *test, uint32_t count, telar_scan_desc desc, const tl_scan_tuning *tuning, bool heads)
{
    uint32_t *data = malloc(4 * (size_t)count), *got = malloc(4 * (size_t)count), *marks = malloc(4 * (size_t)count);
    assert_true(data != NULL && got != NULL && marks != NULL);
    prim_random(data, count, 21);
    prim_random(marks, count, 22);
    for (uint32_t k = 0; k < count; k++) marks[k] = marks[k] % 1000 == 0;
    desc.length.count = count;
    desc.in = prim_roomy_array(test, "in", data, 4 * (uint64_t)count, 0);
    desc.out = prim_roomy_array(test, "out", NULL, 4 * (uint64_t)count, 16);
    if (heads) desc.segments.heads = prim_array(test, "heads", marks, 4 * (uint64_t)count, 0);
    tl_record_scan_tuned(&test->record, &test->prim, &desc, tuning);
    prim_run(test);
    prim_read(test, desc.out, got);
    uint32_t first = desc.initial_word.buffer.id != 0 ? 77 : 0, sum = first;
    for (uint32_t k = 0; k < count; k++) {
        if (heads && marks[k] != 0) sum = first;
        if (got[k] != sum) fail_msg("element %u is %u, not %u", k, got[k], sum);
        sum += data[k];
    }
    free(data);
    free(got);
    free(marks);
}

static void initial_on_the_gpu(void **state)
{
    (void)state;
    static const uint32_t value = 77;
    static const uint32_t counts[] = {100, 5000};
    for (int k = 0; k < 4; k++) {
        prim_test test = prim_begin((prim_path)(k % 2));
        telar_array initial = prim_array(&test, "initial", &value, 4, 8);
        sums_with(&test, counts[k / 2], (telar_scan_desc){.initial_word = initial}, &(tl_scan_tuning){0}, k % 3 == 1);
        prim_end(&test);
    }
}

/* Source, heads, initial value and result in one buffer, side by side. */
static void one_buffer(void **state)
{
    (void)state;
    enum {
        COUNT = 5000,
        APART = 32768
    };
    static uint32_t words[3 * APART / 4 + COUNT], got[3 * APART / 4 + COUNT];
    prim_random(words, sizeof words / 4, 31);
    for (uint32_t k = 0; k < COUNT; k++) words[APART / 4 + k] = words[APART / 4 + k] % 50 == 0;
    for (int heads = 0; heads < 2; heads++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_array all = prim_array(&test, "all", words, sizeof words, 0), in = all, marks = all, initial = all,
                    out = all;
        marks.offset_bytes += APART;
        initial.offset_bytes += 2 * APART;
        out.offset_bytes += 3 * APART;
        in.size_bytes = marks.size_bytes = out.size_bytes = 4 * COUNT;
        initial.size_bytes = 4;
        telar_scan_desc desc = {.length = {.count = COUNT}, .in = in, .out = out, .initial_word = initial};
        if (heads) desc.segments.heads = marks;
        telar_record_scan(&test.record, &test.prim, &desc);
        prim_run(&test);
        prim_read(&test, all, got);
        uint32_t first = words[2 * APART / 4], sum = first;
        for (uint32_t k = 0; k < COUNT; k++) {
            if (heads && words[APART / 4 + k] != 0) sum = first;
            assert_int_equal(got[3 * APART / 4 + k], sum);
            sum += words[k];
        }
        assert_memory_equal(got, words, 3 * APART);
        prim_end(&test);
    }
}

/* Bindings of 64 KiB: 5 windows. */
static void windows(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        prim_test test = prim_begin((prim_path)(k % 2));
        test.facts.limits.maxStorageBufferBindingSize = 65536;
        sums_with(&test, 70001, (telar_scan_desc){0}, &(tl_scan_tuning){.size = k < 2 ? 0 : 64, .rows = 1}, k > 1);
        prim_end(&test);
    }
}

/* As the compatibility level has them, and less. */
static void small_limits(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        prim_test test = prim_begin((prim_path)(k % 2));
        test.facts.limits.maxComputeInvocationsPerWorkgroup = k < 2 ? 128 : 32;
        test.facts.limits.maxComputeWorkgroupSizeX = k < 2 ? 128 : 64;
        test.facts.limits.maxComputeWorkgroupStorageSize = k < 2 ? 16384 : 256;
        sums_with(&test, 40001, (telar_scan_desc){0}, &(tl_scan_tuning){0}, k == 3);
        prim_end(&test);
    }
}

/* ---- Who may wait -------------------------------------------------------------------------------------------------- */

static void progress(void **state)
{
    (void)state;
    static const struct {
        uint32_t vendor;
        telar_device_type type;
        bool has;
    } rows[] = {
        {0x10de, TELAR_DEVICE_DISCRETE, true},    {0x1002, TELAR_DEVICE_INTEGRATED, true},
        {0x8086, TELAR_DEVICE_INTEGRATED, true},  {0x8086, TELAR_DEVICE_CPU, false},
        {0x13b5, TELAR_DEVICE_INTEGRATED, false}, {0, TELAR_DEVICE_UNKNOWN, false},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(
            tl_vendor_has_progress(&(telar_adapter_info){.vendor_id = rows[k].vendor, .type = rows[k].type}),
            rows[k].has);
    }
    const telar_facts *facts = telar_host_facts(gpu.host);
    if (facts->type == TELAR_DEVICE_CPU) assert_false(telar_facts_know(facts, TELAR_FACT_FORWARD_PROGRESS));
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

typedef struct refusal {
    telar_status status;
    const char *why; /* in the message */
    telar_scan_desc desc;
    bool in_place, counted, no_progress, plain;
} refusal;

static const refusal refusals[] = {
    {TELAR_UNSUPPORTED, "is not a u32 or i32", {.type = {"f32", NULL}, .way = TELAR_SCAN_LOOK_BACK}, .plain = false},
    {TELAR_UNSUPPORTED, "it is in place", {.way = TELAR_SCAN_LOOK_BACK}, .in_place = true},
    {TELAR_UNSUPPORTED, "the length is on the GPU", {.way = TELAR_SCAN_LOOK_BACK}, .counted = true},
    {TELAR_UNSUPPORTED, "is not known to let", {.way = TELAR_SCAN_LOOK_BACK}, .no_progress = true},
    {TELAR_UNSUPPORTED, "no subgroups", {.way = TELAR_SCAN_LOOK_BACK}, .plain = true},
    {TELAR_UNSUPPORTED, "not for this type", {.type = {"f32", NULL}, .op = {TELAR_OP_XOR, NULL, NULL}}, .plain = false},
    {TELAR_UNSUPPORTED, "its WGSL and an identity", {.op = {TELAR_OP_OWN, NULL, "0u"}}, .plain = false},
    {TELAR_INVALID_WGSL,
     "b2",
     {.op = {TELAR_OP_OWN, "fn combine(a: T, b: T) -> T { return a + b2; }", "0u"}},
     .plain = false},
};

static void refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const refusal *r = &refusals[k];
        prim_test test = prim_begin(PRIM_AS_GPU);
        telar_array in = prim_array(&test, "in", NULL, 400000, 0), out = prim_array(&test, "out", NULL, 400000, 0);
        telar_scan_desc desc = r->desc;
        test.prim.plain = r->plain;
        telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, !r->no_progress, TELAR_SOURCE_GIVEN);
        desc.length = prim_length(&test, 100000, r->counted ? PRIM_COUNTED : PRIM_HOST);
        desc.in = in;
        desc.out = r->in_place ? in : out;
        telar_record_scan(&test.record, &test.prim, &desc);
        prim_refused(&test, r->status);
        if (strstr(gpu.diag.text, r->why) == NULL) fail_msg("'%s' does not say '%s'", gpu.diag.text, r->why);
        prim_end(&test);
    }
}

/* Keys that cannot be compared; keys and offsets that would have to be cut; two of what there can be one. */
static void refused_segments(void **state)
{
    (void)state;
    static const telar_status statuses[] = {TELAR_UNSUPPORTED, TELAR_LIMIT_EXCEEDED, TELAR_LIMIT_EXCEEDED,
                                            TELAR_INVALID_ARGUMENT, TELAR_INVALID_ARGUMENT};
    for (int k = 0; k < 5; k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        telar_scan_desc desc = {.length = {.count = 20000},
                                .in = prim_array(&test, "in", NULL, 80000, 0),
                                .out = prim_array(&test, "out", NULL, 80000, 0)};
        telar_array other = prim_array(&test, "other", NULL, 240000, 0);
        if (k == 0) desc.segments.key_type = (telar_type){"Step", structure};
        if (k < 2 || k == 3) desc.segments.keys = other;
        if (k == 2 || k == 3) desc.segments.offsets = other;
        if (k == 4) desc.initial = "1u";
        if (k == 4) desc.initial_word = other;
        desc.segments.offsets_count = 7;
        if (k == 1 || k == 2) test.facts.limits.maxStorageBufferBindingSize = 65536;
        telar_record_scan(&test.record, &test.prim, &desc);
        prim_refused(&test, statuses[k]);
        if (k == 1 || k == 2) assert_int_equal(gpu.diag.got, 20000);
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_and_types), cmocka_unit_test(sums_of_f32), cmocka_unit_test(sums_of_f16),
        cmocka_unit_test(initial_on_the_gpu),  cmocka_unit_test(one_buffer),  cmocka_unit_test(windows),
        cmocka_unit_test(small_limits),        cmocka_unit_test(progress),    cmocka_unit_test(refused),
        cmocka_unit_test(refused_segments),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
