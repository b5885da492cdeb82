/* SPDX-License-Identifier: MIT
 *
 * Recordings without a device: building, opening, verifying, dumping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <telar/record.h>

static const telar_binding scale_bindings[] = {
    {.name = "s",
     .group = 0,
     .binding = 0,
     .space = TELAR_BINDING_STORAGE_READ,
     .element_bytes = 4,
     .min_bytes = 4,
     .windowed = true},
    {.name = "d",
     .group = 0,
     .binding = 1,
     .space = TELAR_BINDING_STORAGE_READ_WRITE,
     .element_bytes = 4,
     .min_bytes = 4,
     .windowed = true},
};

static telar_kernel_desc scale_kernel(void)
{
    return (telar_kernel_desc){.name = "scale",
                               .wgsl = "...",
                               .wgsl_bytes = 3,
                               .entry = "telar_main",
                               .bindings = scale_bindings,
                               .bindings_count = 2,
                               .params_kind = TELAR_PARAMS_UNIFORM,
                               .params_group = 1,
                               .params_words = TELAR_LAUNCH_WORDS,
                               .workgroup_size = {64, 1, 1}};
}

typedef struct fixture {
    uint32_t words[1024];
    telar_record record;
    telar_buffer s, d;
    telar_kernel kernel;
    telar_diag diag;
} fixture;

static void begin(fixture *f, uint64_t n)
{
    telar_kernel_desc kernel = scale_kernel();
    f->record = telar_record_begin(f->words, 1024);
    f->s = telar_record_buffer(
        &f->record, &(telar_buffer_desc){.name = "s", .size_bytes = 4 * n, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND});
    f->d = telar_record_buffer(&f->record,
                               &(telar_buffer_desc){.name = "d", .size_bytes = 4 * n, .use = TELAR_USE_STORAGE});
    f->kernel = telar_record_kernel(&f->record, &kernel);
    f->diag = (telar_diag){0};
}

static telar_recording end(fixture *f)
{
    telar_recording recording, opened;
    assert_int_equal(telar_record_end(&f->record, &recording, &f->diag), TELAR_OK);
    assert_int_equal(telar_recording_open(recording.words, recording.words_count, &opened, &f->diag), TELAR_OK);
    return opened;
}

static telar_status verify(fixture *f)
{
    telar_facts facts = telar_facts_default();
    return telar_recording_verify(end(f), &facts.limits, &f->diag);
}

static void dispatch(fixture *f, uint32_t groups_x, telar_bind s, telar_bind d)
{
    const uint32_t params[TELAR_LAUNCH_WORDS] = {0};
    const telar_bind binds[] = {s, d};
    telar_record_dispatch(&f->record, &(telar_dispatch_desc){.kernel = f->kernel,
                                                             .groups = {groups_x, 1, 1},
                                                             .params = params,
                                                             .params_words = TELAR_LAUNCH_WORDS,
                                                             .binds = binds,
                                                             .binds_count = 2});
}

static void dumps_every_command(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    const uint32_t data[2] = {1, 2};
    telar_record_upload(&f.record, f.s, 8, data, sizeof data);
    telar_record_mark(&f.record, "start");
    dispatch(&f, 16, (telar_bind){.buffer = f.s}, (telar_bind){.buffer = f.d});
    telar_record_copy(&f.record, f.d, 0, f.s, 256, 64);
    telar_record_clear(&f.record, f.d, 4, 0);
    assert_int_equal(telar_record_download(&f.record, f.s, 0, 0), 0);
    assert_int_equal(telar_record_download(&f.record, f.d, 0, 4), 1);
    assert_int_equal(verify(&f), TELAR_OK);
    char text[2048];
    telar_out out = {text, sizeof text, 0};
    telar_recording_dump((telar_recording){f.words, f.record.words_len}, &out);
    assert_string_equal(text, "recording version 2: 2 buffers, 1 kernels, 7 commands\n"
                              "buffer 1 's' 4000 bytes storage bound\n"
                              "buffer 2 'd' 4000 bytes storage\n"
                              "kernel 1 'scale' entry telar_main size 64x1x1 memory 0 params uniform (1,0) 8 words"
                              " s(0,0 read 4 windowed) d(0,1 read_write 4 windowed) wgsl 3 bytes\n"
                              "1 upload buffer 1 [8 +8]\n"
                              "2 mark 'start'\n"
                              "3 dispatch kernel 1 groups (16,1,1) params 0,0,0,0,0,0,0,0"
                              " buffer 1 [0 +4000] buffer 2 [0 +4000]\n"
                              "4 copy buffer 2 [0 +64] to buffer 1 [256 +64]\n"
                              "5 clear buffer 2 [4 +3996]\n"
                              "6 download buffer 1 [0 +4000]\n"
                              "7 download buffer 2 [0 +4]\n");
}

static void counts_the_words_it_needs(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    dispatch(&f, 16, (telar_bind){.buffer = f.s}, (telar_bind){.buffer = f.d});
    end(&f);
    fixture counting;
    begin(&counting, 1000);
    size_t needed = f.record.words_len;
    counting.record = telar_record_begin(NULL, 0);
    telar_kernel_desc kernel = scale_kernel();
    for (int k = 0; k < 2; k++) {
        telar_record_buffer(&counting.record, &(telar_buffer_desc){.name = "s", .size_bytes = 4000});
    }
    telar_record_kernel(&counting.record, &kernel);
    dispatch(&counting, 16, (telar_bind){.buffer = f.s}, (telar_bind){.buffer = f.d});
    telar_recording recording;
    telar_diag diag;
    assert_int_equal(telar_record_end(&counting.record, &recording, &diag), TELAR_NO_SPACE);
    assert_int_equal(diag.got, needed);
    assert_null(recording.words);
}

static void refuses_what_webgpu_would(void **state)
{
    (void)state;
    const struct {
        telar_bind s, d;
        uint32_t groups;
        telar_status status;
        const char *text;
    } cases[] = {
        {{.buffer = {1}}, {.buffer = {2}}, 65535, TELAR_OK, NULL},
        {{.buffer = {1}}, {.buffer = {2}}, 65536, TELAR_LIMIT_EXCEEDED, "(65536) exceeds"},
        {{.buffer = {2}}, {.buffer = {2}}, 1, TELAR_INVALID_RECORDING, "writable at 'd' and read-only at 's'"},
        {{.buffer = {1}, .offset_bytes = 4}, {.buffer = {2}}, 1, TELAR_INVALID_RECORDING, "alignment (256)"},
        {{.buffer = {1}, .offset_bytes = 256}, {.buffer = {2}}, 1, TELAR_OK, NULL},
        {{.buffer = {1}, .size_bytes = 4004}, {.buffer = {2}}, 1, TELAR_INVALID_RECORDING, "past the end"},
        {{.buffer = {1}, .offset_bytes = 8192}, {.buffer = {2}}, 1, TELAR_INVALID_RECORDING, "size above 0"},
        {{.buffer = {1}, .offset_bytes = UINT64_MAX - 3, .size_bytes = 8},
         {.buffer = {2}},
         1,
         TELAR_INVALID_RECORDING,
         "past the end"},
        {{.buffer = {1}, .size_bytes = 6}, {.buffer = {2}}, 1, TELAR_INVALID_RECORDING, "multiples of 4"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        fixture f;
        begin(&f, 1000);
        dispatch(&f, cases[k].groups, cases[k].s, cases[k].d);
        assert_int_equal(verify(&f), cases[k].status);
        if (cases[k].text != NULL) assert_non_null(strstr(f.diag.text, cases[k].text));
    }
}

static void scratch_must_be_written_before_it_is_read(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    telar_record_download(&f.record, f.d, 0, 4);
    assert_int_equal(verify(&f), TELAR_INVALID_RECORDING);
    assert_non_null(strstr(f.diag.text, "command 1 (download) reads scratch buffer 2 'd'"));
    begin(&f, 1000);
    telar_record_copy(&f.record, f.d, 0, f.s, 0, 4);
    assert_int_equal(verify(&f), TELAR_INVALID_RECORDING);
    begin(&f, 1000);
    telar_record_clear(&f.record, f.d, 0, 0);
    telar_record_copy(&f.record, f.d, 0, f.s, 0, 4);
    telar_record_download(&f.record, f.d, 0, 4);
    assert_int_equal(verify(&f), TELAR_OK);
}

static void differences_are_named(void **state)
{
    (void)state;
    fixture a, b;
    char text[128];
    telar_out out = {text, sizeof text, 0};
    begin(&a, 1000);
    begin(&b, 1000);
    telar_record_clear(&a.record, a.s, 0, 4);
    telar_record_clear(&b.record, b.s, 0, 4);
    assert_true(telar_recording_same(end(&a), end(&b), &out));
    assert_int_equal(out.len, 0);
    telar_record_mark(&a.record, "x");
    assert_false(telar_recording_same(end(&a), end(&b), &out));
    assert_string_equal(text, "command 2 (mark): only in the first");
}

static void launch(fixture *f, uint64_t n, telar_bind a, telar_bind b)
{
    telar_kernel_desc kernel = scale_kernel();
    telar_facts facts = telar_facts_default();
    telar_plan plan;
    assert_int_equal(telar_plan_make(&(telar_plan_desc){.count = {n}}, &facts, &plan, &f->diag), TELAR_OK);
    const telar_bind binds[] = {a, b};
    telar_record_launch(&f->record, f->kernel, &kernel, &plan, binds, 2);
}

static void binds_are_found_by_name(void **state)
{
    (void)state;
    fixture by_order, by_name;
    begin(&by_order, 1000);
    begin(&by_name, 1000);
    launch(&by_order, 1000, (telar_bind){.buffer = by_order.s}, (telar_bind){.buffer = by_order.d});
    launch(&by_name, 1000, (telar_bind){.buffer = by_name.d, .name = "d"},
           (telar_bind){.buffer = by_name.s, .name = "s"});
    telar_out difference = {0};
    assert_true(telar_recording_same(end(&by_order), end(&by_name), &difference));
}

static void launches_that_cannot_be_right_are_refused(void **state)
{
    (void)state;
    const struct {
        uint64_t n;
        telar_bind a, b;
        const char *text;
    } cases[] = {
        {1001, {.buffer = {1}}, {.buffer = {2}}, "'s' holds 1000 elements, the domain has 1001"},
        {501, {.buffer = {1}, .size_bytes = 2000}, {.buffer = {2}}, "'s' holds 500 elements, the domain has 501"},
        {1000, {.buffer = {1}, .name = "s"}, {.buffer = {2}}, "all binds have names or none has"},
        {1000, {.buffer = {1}, .name = "s"}, {.buffer = {2}, .name = "x"}, "it has no binding 'x'"},
        {1000, {.buffer = {1}, .name = "s"}, {.buffer = {2}, .name = "s"}, "nothing is bound to 'd'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        fixture f;
        telar_recording recording;
        begin(&f, 1000);
        launch(&f, cases[k].n, cases[k].a, cases[k].b);
        assert_int_equal(telar_record_end(&f.record, &recording, &f.diag), TELAR_INVALID_ARGUMENT);
        if (strstr(f.diag.text, cases[k].text) == NULL) fail_msg("'%s' is not '%s'", f.diag.text, cases[k].text);
    }
}

static void a_zero_dispatch_is_not_recorded(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    dispatch(&f, 0, (telar_bind){.buffer = f.s}, (telar_bind){.buffer = f.d});
    assert_int_equal(telar_recording_command_count(end(&f)), 0);
}

static void failures_are_sticky(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    telar_record_clear(&f.record, (telar_buffer){7}, 0, 4);
    telar_record_buffer(&f.record, &(telar_buffer_desc){.name = "odd", .size_bytes = 3});
    telar_recording recording;
    assert_int_equal(telar_record_end(&f.record, &recording, &f.diag), TELAR_INVALID_ARGUMENT);
    assert_non_null(strstr(f.diag.text, "clear: buffer 7"));
}

/* Any change of any word is either refused or still inside all bounds; the sanitizers watch the latter. */
static void damaged_words_are_refused_or_harmless(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    const uint32_t data[3] = {1, 2, 3};
    telar_record_upload(&f.record, f.s, 0, data, sizeof data);
    dispatch(&f, 16, (telar_bind){.buffer = f.s}, (telar_bind){.buffer = f.d});
    telar_record_mark(&f.record, "end");
    telar_recording whole = end(&f);
    telar_facts facts = telar_facts_default();
    static const uint32_t damages[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffd};
    for (size_t at = 0; at < whole.words_count; at++) {
        for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++) {
            uint32_t *copy = malloc(whole.words_count * sizeof *copy);
            memcpy(copy, whole.words, whole.words_count * sizeof *copy);
            copy[at] = damages[k];
            telar_recording opened;
            if (telar_recording_open(copy, whole.words_count, &opened, NULL) == TELAR_OK) {
                (void)telar_recording_verify(opened, &facts.limits, NULL);
                telar_out out = {0};
                telar_recording_dump(opened, &out);
                assert_true(out.len > 0);
            }
            free(copy);
        }
    }
    for (size_t count = 0; count < whole.words_count; count++) {
        telar_recording opened;
        assert_int_not_equal(telar_recording_open(whole.words, count, &opened, NULL), TELAR_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumps_every_command),
        cmocka_unit_test(counts_the_words_it_needs),
        cmocka_unit_test(refuses_what_webgpu_would),
        cmocka_unit_test(a_zero_dispatch_is_not_recorded),
        cmocka_unit_test(failures_are_sticky),
        cmocka_unit_test(scratch_must_be_written_before_it_is_read),
        cmocka_unit_test(differences_are_named),
        cmocka_unit_test(binds_are_found_by_name),
        cmocka_unit_test(launches_that_cannot_be_right_are_refused),
        cmocka_unit_test(damaged_words_are_refused_or_harmless),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
