/* SPDX-License-Identifier: MIT
 *
 * Launches whose count stands in a GPU buffer: the dispatch that the prepare kernel writes against the host's formula, the
 * elements that are touched, the report, for counts around every border. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "launch.h"

enum {
    WORDS = 1 << 16,
    ARENA_BYTES = 1 << 22,
    GUARD = 0x5eedca5e
};

static const char line_source[] = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                  "fn element(i: u32) { d[i] += i + 1; }\n";

/* One counted launch, prepared once and run for many counts. */
typedef struct counted {
    telar_plan plan;
    telar_woven woven;
    telar_prepared *prepared;
    WGPUBuffer data, count, report;
    void *arena;
    uint32_t *words;
    uint64_t capacity;
} counted;

static void weave(counted *c, const char *source, telar_plan_desc desc, bool canary)
{
    c->arena = malloc(ARENA_BYTES);
    telar_arena arena = telar_arena_make(c->arena, ARENA_BYTES);
    telar_wgsl *module;
    telar_weave_needs needs;
    GPU_OK(telar_wgsl_read(source, strlen(source), &arena, &module, &gpu.diag));
    telar_weave_desc weave = {
        .module = module, .plan = &c->plan, .dialect = telar_host_dialect(gpu.host), .counted = true, .canary = canary};
    GPU_OK(telar_weave_inspect(&weave, &arena, &needs, &gpu.diag));
    if (needs.form != TELAR_FORM_ELEMENT) {
        memcpy(desc.size, needs.workgroup_size, sizeof desc.size);
        desc.items = 1;
    }
    GPU_OK(telar_plan_make(&desc, telar_host_facts(gpu.host), &c->plan, &gpu.diag));
    GPU_OK(telar_weave(&weave, &arena, &c->woven, &gpu.diag));
}

static void prepare(counted *c, telar_count count)
{
    uint64_t data_bytes = c->capacity * 4 + 256;
    GPU_OK(telar_host_buffer_create(gpu.host, data_bytes, &c->data, &gpu.diag));
    GPU_OK(telar_host_buffer_create(gpu.host, 1024, &c->count, &gpu.diag));
    GPU_OK(telar_host_buffer_create(gpu.host, 256, &c->report, &gpu.diag));
    c->words = malloc(WORDS * 4);
    telar_record record = telar_record_begin(c->words, WORDS);
    uint32_t use = TELAR_USE_STORAGE | TELAR_USE_BOUND;
    telar_buffer d = telar_record_buffer(&record, &(telar_buffer_desc){"d", data_bytes, use});
    count.buffer = telar_record_buffer(&record, &(telar_buffer_desc){"count", 1024, use});
    count.report = telar_record_buffer(&record, &(telar_buffer_desc){"report", 256, use});
    telar_kernel kernel = telar_record_kernel(&record, &c->woven.kernel);
    telar_record_launch_counted(&record, kernel, &c->woven.kernel, &c->plan, &count, &(telar_bind){.buffer = d}, 1);
    telar_recording recording;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    const telar_bound_buffer bound[] = {{d, c->data}, {count.buffer, c->count}, {count.report, c->report}};
    GPU_OK(telar_host_prepare(gpu.host, recording, bound, 3, &c->prepared, &gpu.diag));
}

static void release(counted *c)
{
    telar_prepared_release(c->prepared);
    telar_host_buffer_release(gpu.host, c->data);
    telar_host_buffer_release(gpu.host, c->count);
    telar_host_buffer_release(gpu.host, c->report);
    free(c->words);
    free(c->arena);
}

static telar_count_report run(counted *c, uint64_t offset_bytes, uint32_t value)
{
    telar_count_report report;
    GPU_OK(telar_host_write(gpu.host, c->count, offset_bytes, &value, 4, &gpu.diag));
    GPU_OK(telar_prepared_run(c->prepared, &gpu.diag));
    GPU_OK(telar_host_read(gpu.host, c->report, 0, &report, sizeof report, &gpu.diag));
    return report;
}

/* Clears the data, runs, and compares every word: the first `elements` were visited once, the rest never. */
static telar_count_report run_and_check(counted *c, uint64_t offset_bytes, uint32_t value, uint64_t elements)
{
    uint64_t words_count = c->capacity + 64;
    uint32_t *data = calloc(words_count, 4);
    GPU_OK(telar_host_write(gpu.host, c->data, 0, data, words_count * 4, &gpu.diag));
    telar_count_report report = run(c, offset_bytes, value);
    GPU_OK(telar_host_read(gpu.host, c->data, 0, data, words_count * 4, &gpu.diag));
    for (uint64_t k = 0; k < words_count; k++) {
        uint32_t want = k < elements ? (uint32_t)k + 1 : 0;
        if (data[k] != want) {
            fail_msg("count %u: element %llu is %u, not %u", value, (unsigned long long)k, data[k], want);
        }
    }
    free(data);
    return report;
}

static void counts_around_every_border(void **state)
{
    (void)state;
    static const telar_plan_desc descs[] = {
        {.size = {64}, .items = 1},
        {.size = {64}, .items = 4},
        {.items = 0}, /* all chosen */
        {.size = {64}, .items = 1, .shape = TELAR_SHAPE_FOLD, .fold_width = 300},
        {.size = {64}, .items = 2, .shape = TELAR_SHAPE_STRIDE, .groups = 100},
    };
    /* 200,000 groups of 64 take a while to compare: once, under the first plan. */
    const uint64_t large = 200001 * 64 + 7, small = 65535 * 64 + 7;
    const uint32_t counts[] = {0,
                               1,
                               63,
                               64,
                               65,
                               65535 * 64 - 1,
                               65535 * 64,
                               65535 * 64 + 1,
                               (uint32_t)small,
                               (uint32_t)small + 1,
                               200000 * 64,
                               (uint32_t)large,
                               (uint32_t)large + 1,
                               UINT32_MAX};
    for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++) {
        uint64_t capacity = d == 0 ? large : small;
        counted c = {.capacity = capacity};
        telar_plan_desc desc = descs[d];
        desc.count[0] = capacity;
        weave(&c, line_source, desc, true);
        prepare(&c, (telar_count){.offset_bytes = 516});
        uint32_t saturations = 0;
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            if (d > 0 && counts[k] > small + 1 && counts[k] != UINT32_MAX) continue;
            telar_indirect want = telar_plan_indirect(&c.plan, counts[k], capacity);
            telar_count_report report = run_and_check(&c, 516, counts[k], want.launched);
            saturations += want.saturated;
            assert_int_equal(report.requested, counts[k]);
            assert_int_equal(report.launched, want.launched);
            assert_int_equal(report.saturations, saturations);
            assert_int_equal(report.ran, counts[k] != 0);
            GPU_OK(telar_count_report_check(&report, &gpu.diag));
        }
        release(&c);
    }
}

static void counts_in_bytes_rows_and_groups(void **state)
{
    (void)state;
    const struct {
        telar_count count;
        uint32_t value, elements;
    } cases[] = {
        {{.divide = 4}, 4003, 1000},                      /* bytes of words */
        {{.multiply = 100}, 77, 7700},                    /* rows of 100 */
        {{.multiply = 64}, 3, 192},                       /* groups of 64 */
        {{.multiply = 65536, .divide = 1}, 70000, 20000}, /* past 2^32: all of the capacity */
        {{.multiply = 3, .divide = 2}, 11, 15},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        counted c = {.capacity = 20000};
        weave(&c, line_source, (telar_plan_desc){.count = {20000}}, false);
        prepare(&c, cases[k].count);
        telar_count_report report = run_and_check(&c, 0, cases[k].value, cases[k].elements);
        assert_int_equal(report.launched, cases[k].elements);
        release(&c);
    }
}

static void ordinary_kernels_take_gpu_counts(void **state)
{
    (void)state;
    counted c = {.capacity = 300000};
    weave(&c,
          "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
          "@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
          "    if (g.x < 300000) { d[g.x] += g.x + 1; }\n}\n",
          (telar_plan_desc){.count = {300000}}, true);
    prepare(&c, (telar_count){0});
    assert_int_equal(c.woven.form, TELAR_FORM_FOLDED);
    run_and_check(&c, 0, 4, 4);
    run_and_check(&c, 0, 280000, 280000);
    telar_count_report report = run_and_check(&c, 0, 300001, 300000);
    assert_int_equal(report.saturations, 1);
    release(&c);
}

/* The count that one stage makes is the next one's, in one submission: 100,000 elements halve until none is left. */
static void counts_chain(void **state)
{
    (void)state;
    static const char halve[] = "@group(0) @binding(0) var<storage, read_write> next: atomic<u32>;\n"
                                "fn element(i: u32) { if ((i & 1) == 1) { atomicAdd(&next, 1u); } }\n";
    enum {
        STAGES = 18
    };
    counted c = {.capacity = 100000};
    weave(&c, halve, (telar_plan_desc){.count = {100000}}, false);
    c.words = malloc(WORDS * 4);
    telar_record record = telar_record_begin(c.words, WORDS);
    telar_buffer stages[STAGES + 1];
    uint32_t first = 100000;
    for (int k = 0; k <= STAGES; k++) {
        stages[k] = telar_record_buffer(&record, &(telar_buffer_desc){.size_bytes = 4, .use = TELAR_USE_STORAGE});
        if (k > 0) telar_record_clear(&record, stages[k], 0, 0);
    }
    telar_record_upload(&record, stages[0], 0, &first, 4);
    telar_kernel kernel = telar_record_kernel(&record, &c.woven.kernel);
    for (int k = 0; k < STAGES; k++) {
        telar_record_launch_counted(&record, kernel, &c.woven.kernel, &c.plan, &(telar_count){.buffer = stages[k]},
                                    &(telar_bind){.buffer = stages[k + 1]}, 1);
    }
    for (int k = 0; k <= STAGES; k++) telar_record_download(&record, stages[k], 0, 4);
    telar_recording recording;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_prepare(gpu.host, recording, NULL, 0, &c.prepared, &gpu.diag));
    for (int round = 0; round < 3; round++) {
        GPU_OK(telar_prepared_run(c.prepared, &gpu.diag));
        for (uint32_t k = 0, want = first; k <= STAGES; k++, want /= 2) {
            const void *got;
            uint64_t size_bytes;
            GPU_OK(telar_prepared_download(c.prepared, k, &got, &size_bytes, &gpu.diag));
            assert_int_equal(*(const uint32_t *)got, want);
        }
    }
    telar_prepared_release(c.prepared);
    free(c.words);
    free(c.arena);
}

/* Bound to other buffers, the same prepared recording works on those; what does not fit is refused and changes nothing. */
static void a_prepared_recording_takes_other_buffers(void **state)
{
    (void)state;
    counted c = {.capacity = 1000};
    weave(&c, line_source, (telar_plan_desc){.count = {1000}}, true);
    prepare(&c, (telar_count){0});
    run_and_check(&c, 0, 10, 10);
    WGPUBuffer first = c.data, small;
    GPU_OK(telar_host_buffer_create(gpu.host, c.capacity * 4 + 256, &c.data, &gpu.diag));
    GPU_OK(telar_host_buffer_create(gpu.host, 64, &small, &gpu.diag));
    telar_diag diag;
    assert_int_equal(telar_prepared_rebind(c.prepared, &(telar_bound_buffer){{1}, small}, 1, &diag),
                     TELAR_INVALID_ARGUMENT);
    assert_int_equal(telar_prepared_rebind(c.prepared, &(telar_bound_buffer){{1}, c.report}, 1, &diag),
                     TELAR_INVALID_ARGUMENT);
    assert_int_equal(telar_prepared_rebind(c.prepared, &(telar_bound_buffer){{4}, c.data}, 1, &diag),
                     TELAR_INVALID_ARGUMENT); /* scratch */
    for (int round = 0; round < 3; round++) {
        GPU_OK(telar_prepared_rebind(c.prepared, &(telar_bound_buffer){{1}, c.data}, 1, &gpu.diag));
        run_and_check(&c, 0, 777, 777);
        WGPUBuffer other = c.data;
        c.data = first;
        first = other;
    }
    telar_host_buffer_release(gpu.host, first);
    telar_host_buffer_release(gpu.host, small);
    release(&c);
}

/* Sixteen counts in one buffer, one prepare dispatch, sixteen launches into slices of one buffer. */
static void many_counts_are_prepared_at_once(void **state)
{
    (void)state;
    enum {
        COUNTS = TELAR_COUNTS_MAX,
        SLICE = 1024
    };
    counted c = {.capacity = (uint64_t)COUNTS * SLICE};
    weave(&c, line_source, (telar_plan_desc){.count = {SLICE}}, true);
    c.words = malloc(WORDS * 4);
    uint32_t values[COUNTS];
    telar_record record = telar_record_begin(c.words, WORDS);
    telar_buffer_desc desc = {.size_bytes = 4096, .use = TELAR_USE_STORAGE};
    telar_buffer counts_buffer = telar_record_buffer(&record, &desc), reports = telar_record_buffer(&record, &desc);
    desc.size_bytes = c.capacity * 4;
    telar_buffer data = telar_record_buffer(&record, &desc);
    telar_count counts[COUNTS];
    const telar_plan *plans[COUNTS];
    telar_counted prepared_counts[COUNTS];
    telar_record_clear(&record, data, 0, 0);
    telar_record_clear(&record, reports, 0, 0);
    for (uint32_t k = 0; k < COUNTS; k++) {
        values[k] = k * 75;
        counts[k] = (telar_count){.buffer = counts_buffer, .offset_bytes = 512 + 60 * k, .report = reports};
        plans[k] = &c.plan;
        telar_record_upload(&record, counts_buffer, counts[k].offset_bytes, &values[k], 4);
    }
    telar_record_counts(&record, counts, plans, COUNTS, prepared_counts);
    telar_kernel kernel = telar_record_kernel(&record, &c.woven.kernel);
    for (uint32_t k = 0; k < COUNTS; k++) {
        telar_bind slice = {.buffer = data, .offset_bytes = (uint64_t)k * SLICE * 4, .size_bytes = SLICE * 4};
        telar_record_launch_prepared(&record, kernel, &c.woven.kernel, &prepared_counts[k], &slice, 1);
    }
    uint32_t all = telar_record_download(&record, data, 0, 0), report = telar_record_download(&record, reports, 0, 256);
    telar_recording recording;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_prepare(gpu.host, recording, NULL, 0, &c.prepared, &gpu.diag));
    GPU_OK(telar_prepared_run(c.prepared, &gpu.diag));
    const void *got, *got_reports;
    uint64_t size_bytes;
    GPU_OK(telar_prepared_download(c.prepared, all, &got, &size_bytes, &gpu.diag));
    GPU_OK(telar_prepared_download(c.prepared, report, &got_reports, &size_bytes, &gpu.diag));
    for (uint32_t k = 0; k < COUNTS; k++) {
        uint32_t want = values[k] < SLICE ? values[k] : SLICE;
        const telar_count_report *r = (const telar_count_report *)got_reports + k;
        assert_int_equal(r->requested, values[k]);
        assert_int_equal(r->launched, want);
        assert_int_equal(r->saturations, values[k] > SLICE);
        assert_int_equal(r->ran, want > 0);
        for (uint32_t i = 0; i < SLICE; i++) {
            assert_int_equal(((const uint32_t *)got)[k * SLICE + i], i < want ? i + 1 : 0);
        }
    }
    telar_prepared_release(c.prepared);
    free(c.words);
    free(c.arena);
}

/* Only what the prepare kernel wrote, within the limits, decides a dispatch: anything else is refused before a device. */
static void only_prepared_words_are_a_dispatch(void **state)
{
    (void)state;
    counted c = {.capacity = 1000};
    weave(&c, line_source, (telar_plan_desc){.count = {1000}}, false);
    c.words = malloc(WORDS * 4);
    for (int how = 0; how < 4; how++) {
        const uint32_t huge[16] = {[8] = 0xffffffff, 0xffffffff, 0xffffffff};
        telar_record record = telar_record_begin(c.words, WORDS);
        telar_buffer_desc desc = {.size_bytes = 4096, .use = TELAR_USE_STORAGE};
        telar_buffer data = telar_record_buffer(&record, &desc), count = telar_record_buffer(&record, &desc);
        telar_record_clear(&record, count, 0, 0);
        telar_kernel kernel = telar_record_kernel(&record, &c.woven.kernel);
        telar_counted made = {0};
        const telar_plan *plan = &c.plan;
        telar_record_counts(&record, &(telar_count){.buffer = count}, &plan, 1, &made);
        if (how == 1) telar_record_upload(&record, made.launch, 0, huge, sizeof huge);
        if (how == 2) made.index = 1;
        telar_record_launch_prepared(&record, kernel, &c.woven.kernel, &made, &(telar_bind){.buffer = data}, 1);
        if (how == 3) { /* the job's limit, as a forger would have it */
            for (size_t k = 0; k + 8 < record.words_len; k++) {
                bool job = c.words[k] == 1 && c.words[k + 1] == 1 && c.words[k + 2] == 1000;
                if (job) c.words[k + 4] = 1 << 30;
            }
        }
        telar_recording recording;
        telar_status status = telar_record_end(&record, &recording, &gpu.diag);
        if (status == TELAR_OK) {
            status = telar_recording_verify(recording, &telar_host_facts(gpu.host)->limits, &gpu.diag);
        }
        assert_int_equal(status, how == 0 ? TELAR_OK : TELAR_INVALID_RECORDING);
    }
    free(c.words);
    free(c.arena);
}

/* C041: a hundred indirect dispatches of one group each, whatever an implementation puts before them. */
static void C041(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read_write> h: atomic<u32>;\n"
                                 "fn element(i: u32) { atomicAdd(&h, i + 1u); }\n";
    counted c = {.capacity = 3};
    weave(&c, source, (telar_plan_desc){.count = {3}}, false);
    c.words = malloc(WORDS * sizeof *c.words);
    telar_record record = telar_record_begin(c.words, WORDS);
    telar_buffer_desc desc = {.size_bytes = 4, .use = TELAR_USE_STORAGE};
    telar_buffer sum = telar_record_buffer(&record, &desc), count = telar_record_buffer(&record, &desc);
    const uint32_t three = 3;
    telar_record_clear(&record, sum, 0, 0);
    telar_record_upload(&record, count, 0, &three, sizeof three);
    telar_kernel kernel = telar_record_kernel(&record, &c.woven.kernel);
    for (int k = 0; k < 100; k++) {
        telar_record_launch_counted(&record, kernel, &c.woven.kernel, &c.plan, &(telar_count){.buffer = count},
                                    &(telar_bind){.buffer = sum, .name = "h"}, 1);
    }
    telar_record_download(&record, sum, 0, 0);
    telar_recording recording;
    GPU_OK(telar_record_end(&record, &recording, &gpu.diag));
    GPU_OK(telar_host_prepare(gpu.host, recording, NULL, 0, &c.prepared, &gpu.diag));
    GPU_OK(telar_prepared_run(c.prepared, &gpu.diag));
    const void *got;
    uint64_t size_bytes;
    GPU_OK(telar_prepared_download(c.prepared, 0, &got, &size_bytes, &gpu.diag));
    assert_int_equal(*(const uint32_t *)got, 600);
    telar_prepared_release(c.prepared);
    free(c.words);
    free(c.arena);
}

static void a_skipped_dispatch_is_seen(void **state)
{
    (void)state;
    telar_count_report report = {.requested = 10, .launched = 10};
    assert_int_equal(telar_count_report_check(&report, NULL), TELAR_MISMATCH);
    report.ran = 1;
    assert_int_equal(telar_count_report_check(&report, NULL), TELAR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_around_every_border),
        cmocka_unit_test(counts_in_bytes_rows_and_groups),
        cmocka_unit_test(ordinary_kernels_take_gpu_counts),
        cmocka_unit_test(counts_chain),
        cmocka_unit_test(a_skipped_dispatch_is_seen),
        cmocka_unit_test(C041),
        cmocka_unit_test(only_prepared_words_are_a_dispatch),
        cmocka_unit_test(many_counts_are_prepared_at_once),
        cmocka_unit_test(a_prepared_recording_takes_other_buffers),
    };
    return cmocka_run_group_tests_name("counted launches", tests, gpu_open, gpu_close);
}
