/* SPDX-License-Identifier: MIT
 *
 * Sweeps without a device: which candidates there are, what their times say, and results to CSV and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/table.h"

static telar_diag diag;

static void must(telar_status status)
{
    if (status != TELAR_OK) print_error("%s\n", diag.text);
    assert_int_equal(status, TELAR_OK);
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

static tl_candidates listed;

static telar_facts large_gpu(void)
{
    telar_facts facts = telar_facts_default();
    facts.type = TELAR_DEVICE_DISCRETE;
    facts.limits.maxComputeInvocationsPerWorkgroup = facts.limits.maxComputeWorkgroupSizeX = 1024;
    facts.limits.maxComputeWorkgroupSizeY = 1024;
    facts.limits.maxStorageBufferBindingSize = facts.limits.maxBufferSize = UINT64_C(1) << 31;
    return facts;
}

static void list(const tl_subject *subject, uint64_t n, const telar_facts *facts, const tl_choices *choices)
{
    tl_domain domain = tl_domain_of(n, subject->dimensions);
    tl_sweep_facts all = tl_sweep_facts_of(facts, facts);
    must(tl_candidates_list(subject, &domain, &all, choices, &listed, &diag));
}

static uint32_t with_role(uint32_t role)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < listed.count; k++) count += (listed.items[k].roles & role) != 0;
    return count;
}

static uint32_t of_shape(telar_shape shape, bool vector)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < listed.count; k++) {
        const tl_candidate *at = &listed.items[k];
        count += at->shape == shape && at->vector == vector && (at->roles & (TL_ROLE_COPY | TL_ROLE_AGAIN)) == 0;
    }
    return count;
}

static tl_subject case_named(const char *name)
{
    tl_subject subject;
    must(tl_subject_of_case(tl_case_find(name), &subject, &diag));
    return subject;
}

static void a_line_has_all_sizes_items_and_shapes(void **state)
{
    (void)state;
    tl_subject subject = case_named("element-8");
    telar_facts facts = large_gpu();
    list(&subject, 100000, &facts, &(tl_choices){0});
    assert_non_null(subject.forms[1].module);
    for (int vector = 0; vector < 2; vector++) {
        assert_int_equal(of_shape(TELAR_SHAPE_LINEAR, vector), 30);
        assert_int_equal(of_shape(TELAR_SHAPE_FOLD, vector), 30);
        assert_int_equal(of_shape(TELAR_SHAPE_STRIDE, vector), 30);
    }
    assert_int_equal(with_role(TL_ROLE_PLAN), 1);
    assert_int_equal(with_role(TL_ROLE_AGAIN), 1);
    assert_int_equal(with_role(TL_ROLE_LESSON), 1);
    assert_int_equal(with_role(TL_ROLE_DEFAULT), 1);
    assert_int_equal(with_role(TL_ROLE_COPY), 2);
    assert_int_equal(with_role(TL_ROLE_OUTSIDE), 0);
    /* Past 65535 groups a row does not reach: 32, 64 ... with so few items are folds alone. */
    list(&subject, UINT64_C(1) << 24, &facts, &(tl_choices){0});
    assert_int_equal(of_shape(TELAR_SHAPE_FOLD, false), 30);
    assert_true(of_shape(TELAR_SHAPE_LINEAR, false) < 30);
    tl_subject_close(&subject);
}

static void the_limits_bound_them(void **state)
{
    (void)state;
    tl_subject subject = case_named("element-8");
    telar_facts facts = telar_facts_default();
    list(&subject, 100000, &facts, &(tl_choices){.no_vectors = true});
    assert_int_equal(of_shape(TELAR_SHAPE_LINEAR, false), 20); /* 32 to 256 */
    assert_int_equal(of_shape(TELAR_SHAPE_LINEAR, true), 0);
    for (uint32_t k = 0; k < listed.count; k++) assert_true(listed.items[k].size[0] <= 256);
    tl_subject_close(&subject);
}

static void an_image_has_rows_and_squares(void **state)
{
    (void)state;
    tl_subject subject = case_named("image-3x3");
    telar_facts facts = large_gpu();
    list(&subject, 1000000, &facts, &(tl_choices){0});
    uint32_t square = 0, row = 0, line = 0;
    for (uint32_t k = 0; k < listed.count; k++) {
        const uint32_t *size = listed.items[k].size;
        square += size[0] == 16 && size[1] == 16;
        row += size[0] == 32 && size[1] == 8;
        line += size[0] == 256 && size[1] == 1 && (listed.items[k].roles & TL_ROLE_COPY) == 0;
    }
    assert_int_equal(row, 10);
    assert_int_equal(line, 10);
    assert_true(square >= 10);
    assert_int_equal(of_shape(TELAR_SHAPE_STRIDE, false), 0);
    tl_subject_close(&subject);
}

static void choices_restrict_them(void **state)
{
    (void)state;
    tl_subject subject = case_named("reduce");
    telar_facts facts = large_gpu();
    const tl_choices choices = {.sizes = {{64, 1, 1}},
                                .sizes_count = 1,
                                .items = {2, 8},
                                .items_count = 2,
                                .shapes = {TELAR_SHAPE_LINEAR},
                                .shapes_count = 1};
    list(&subject, 100000, &facts, &choices);
    uint32_t inside = 0;
    for (uint32_t k = 0; k < listed.count; k++) {
        const tl_candidate *at = &listed.items[k];
        bool listed_one = at->size[0] == 64 && (at->items == 2 || at->items == 8) && at->shape == TELAR_SHAPE_LINEAR;
        if ((at->roles & (TL_ROLE_COPY | TL_ROLE_AGAIN)) != 0) continue;
        assert_int_equal(listed_one, (at->roles & TL_ROLE_OUTSIDE) == 0);
        inside += listed_one;
    }
    assert_int_equal(inside, 2);
    tl_subject_close(&subject);
}

static const char own_kernel[] = "override factor: u32 = 1;\n"
                                 "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                 "@compute @workgroup_size(96)\n"
                                 "fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                                 "    if (id.x < arrayLength(&d)) { d[id.x] = id.x * factor; }\n"
                                 "}\n";

static void a_kernel_keeps_its_own_size(void **state)
{
    (void)state;
    tl_subject subject = {
        .name = "own", .sets = {{.name = "factor", .values = {1, 2, 3}, .count = 3}}, .sets_count = 1};
    telar_facts facts = large_gpu();
    must(tl_subject_open(own_kernel, sizeof own_kernel - 1, &subject, &diag));
    assert_true(subject.ordinary && !subject.strides && tl_subject_has_fixed_size(&subject));
    list(&subject, 1000, &facts, &(tl_choices){0});
    /* Linear and folded, each with three values. */
    assert_int_equal(of_shape(TELAR_SHAPE_LINEAR, false) + of_shape(TELAR_SHAPE_FOLD, false), 6);
    for (uint32_t k = 0; k < listed.count; k++) {
        if ((listed.items[k].roles & TL_ROLE_COPY) != 0) continue;
        assert_int_equal(listed.items[k].size[0], 96);
        assert_int_equal(listed.items[k].items, 1);
    }
    tl_subject_close(&subject);
}

static void every_case_is_read(void **state)
{
    (void)state;
    for (const tl_case *at = tl_cases; at->name != NULL; at++) {
        tl_subject subject;
        must(tl_subject_of_case(at, &subject, &diag));
        assert_int_equal(subject.dimensions, at->dimensions);
        bool element = at->kind == TELAR_KIND_ELEMENT || at->kind == TELAR_KIND_IMAGE;
        assert_int_equal(subject.ordinary, !element);
        assert_int_equal(subject.forms[1].module != NULL, at->kind == TELAR_KIND_ELEMENT);
        assert_int_equal(subject.items_name != NULL, !element);
        assert_int_equal(subject.strides, at->kind == TELAR_KIND_REDUCE);
        tl_subject_close(&subject);
    }
    assert_null(tl_case_find("nothing"));
}

/* ---- Times ------------------------------------------------------------------------------------------------------- */

static tl_candidate measured(uint32_t roles, double a, double b, double c)
{
    tl_candidate made = {.roles = roles, .verdict = TL_VERDICT_RIGHT, .rounds = 3, .round_us = {a, b, c}};
    made.us = tl_median(made.round_us, 3);
    made.spread = tl_half_spread(made.round_us, 3);
    return made;
}

static void medians_and_spreads(void **state)
{
    (void)state;
    const double values[] = {5, 1, 4, 2};
    assert_true(tl_median(values, 3) == 4 && tl_median(values, 4) == 3 && tl_median(values, 0) == 0);
    assert_true(tl_half_spread(values, 3) == 0.5 && tl_half_spread(values, 1) == 0);
}

static void noise_makes_ties(void **state)
{
    (void)state;
    tl_candidates all = {.count = 6};
    all.items[0] = measured(TL_ROLE_PLAN, 100, 101, 102);
    all.items[1] = measured(TL_ROLE_AGAIN, 98, 103, 104); /* apart by 2, 2, 2; medians by 2 */
    all.items[2] = measured(0, 99.5, 99.5, 99.5);
    all.items[3] = measured(0, 104, 104, 104);
    all.items[4] = measured(TL_ROLE_COPY, 50, 50, 50);
    all.items[5] = measured(0, 10, 10, 10);
    all.items[5].verdict = TL_VERDICT_WRONG;
    double noise = tl_rank_noise(&all, TL_ESTIMATE_MEDIAN);
    assert_true(noise > 0.0197 && noise < 0.0199); /* 2 / 101 */
    tl_rank(&all, noise);
    assert_int_equal(all.items[2].roles, TL_ROLE_BEST);
    assert_int_equal(all.items[0].roles, TL_ROLE_PLAN | TL_ROLE_TIE);
    assert_int_equal(all.items[3].roles, 0); /* 4.5 % slower */
    assert_int_equal(all.items[4].roles, TL_ROLE_COPY);
    assert_int_equal(all.items[5].roles, 0);
    all.items[1].rounds = 0;
    assert_true(tl_rank_noise(&all, TL_ESTIMATE_MEDIAN) == 0);
}

/* Of least times: those of rounds 0 and 2, and of round 1, of both. */
static void noise_of_least_times(void **state)
{
    (void)state;
    tl_candidates all = {.count = 2};
    all.items[0] = measured(TL_ROLE_PLAN, 100, 104, 500);
    all.items[1] = measured(TL_ROLE_AGAIN, 101, 300, 100);
    all.items[0].us = tl_estimate_of(TL_ESTIMATE_LEAST, all.items[0].round_us, 3);
    assert_true(all.items[0].us == 100);
    assert_true(tl_estimate_of(TL_ESTIMATE_MEDIAN, all.items[0].round_us, 3) == 104);
    assert_true(tl_rank_noise(&all, TL_ESTIMATE_LEAST) == 2); /* from 100 to 300 */
}

static void outside_is_never_the_best(void **state)
{
    (void)state;
    tl_candidates all = {.count = 2};
    all.items[0] = measured(TL_ROLE_LESSON | TL_ROLE_OUTSIDE, 1, 1, 1);
    all.items[1] = measured(0, 2, 2, 2);
    tl_rank(&all, 0.01);
    assert_int_equal(all.items[1].roles, TL_ROLE_BEST);
}

static void finalists_are_the_fastest_and_those_with_a_role(void **state)
{
    (void)state;
    tl_candidates all = {.count = 7};
    const double us[] = {9, 3, 1, 2, 0, 20, 5};
    uint32_t order[TL_SWEEP_CANDIDATES_MAX];
    for (uint32_t k = 0; k < 7; k++) all.items[k] = (tl_candidate){.us = us[k], .verdict = TL_VERDICT_RIGHT};
    all.items[5].roles = TL_ROLE_LESSON;
    all.items[2].verdict = TL_VERDICT_WRONG;
    uint32_t count = tl_rank_finalists(&all, 2, order);
    assert_int_equal(count, 3);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 5);
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static tl_sweep_row row_of(const char *kernel, uint64_t n, double us, uint32_t roles)
{
    tl_sweep_row row = {.n = n,
                        .count = {n, 1, 1},
                        .dimensions = 1,
                        .bytes = 8,
                        .flops = 1,
                        .size = {64, 1, 1},
                        .items = 2,
                        .us = us,
                        .spread = 0.0125,
                        .rounds = 9,
                        .verdict = TL_VERDICT_RIGHT,
                        .predicted_us = us * 2,
                        .roles = roles,
                        .noise = 0.01};
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.kind, sizeof row.kind, "element");
    snprintf(row.shape, sizeof row.shape, "linear");
    return row;
}

static void fill(tl_sweep_table *table)
{
    tl_sweep_run run = {.bandwidth = 4275, .arithmetic_rate = 6e7};
    snprintf(run.device, sizeof run.device, "A GPU, \"quoted\"");
    snprintf(run.command, sizeof run.command, "telar sweep a,b");
    must(tl_table_add_run(table, &run, &diag));
    const tl_sweep_row rows[] = {row_of("a,\"b\"", 1000, 3, TL_ROLE_PLAN), row_of("a,\"b\"", 1000, 2, TL_ROLE_BEST),
                                 row_of("a,\"b\"", 2000, 4, TL_ROLE_PLAN | TL_ROLE_BEST),
                                 row_of("other", 1000, 5, TL_ROLE_LESSON)};
    for (size_t k = 0; k < TL_COUNT(rows); k++) must(tl_table_add_row(table, &rows[k], &diag));
    table->rows[3].verdict = TL_VERDICT_WRONG;
    table->rows[3].predicted_us = -1;
}

/* Not as bytes: what stands between the members is anything. */
static void must_be_the_same(const tl_sweep_row *a, const tl_sweep_row *b)
{
    assert_string_equal(a->kernel, b->kernel);
    assert_string_equal(a->kind, b->kind);
    assert_string_equal(a->shape, b->shape);
    assert_memory_equal(a->count, b->count, sizeof a->count);
    assert_memory_equal(a->size, b->size, sizeof a->size);
    assert_true(a->run == b->run && a->n == b->n && a->dimensions == b->dimensions && a->items == b->items);
    assert_true(a->vector == b->vector && a->rounds == b->rounds && a->verdict == b->verdict && a->roles == b->roles);
    assert_true(a->bytes == b->bytes && a->flops == b->flops && a->us == b->us && a->spread == b->spread);
    assert_true(a->predicted_us == b->predicted_us && a->noise == b->noise);
}

static void rows_come_back_from_csv(void **state)
{
    (void)state;
    char path[] = "/tmp/telar-sweep-XXXXXX";
    tl_sweep_table table = {0}, back = {0};
    fill(&table);
    int fd = mkstemp(path);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL) {
        fail_msg("no temporary file");
        return;
    }
    tl_csv_write_all(out, &table, 0);
    tl_csv_write_all(out, &table, 0); /* joined files are two runs */
    fclose(out);
    telar_status status = tl_csv_read(path, &back, &diag);
    unlink(path);
    must(status);
    assert_int_equal(back.runs_count, 2);
    assert_int_equal(back.rows_count, 8);
    for (uint32_t run = 0; run < 2; run++) {
        assert_string_equal(back.runs[run].device, table.runs[0].device);
        assert_string_equal(back.runs[run].command, table.runs[0].command);
        assert_true(back.runs[run].bandwidth == 4275 && back.runs[run].arithmetic_rate == 6e7);
        for (uint32_t k = 0; k < 4; k++) {
            tl_sweep_row want = table.rows[k];
            want.run = run;
            must_be_the_same(&back.rows[run * 4 + k], &want);
        }
    }
    tl_table_free(&table);
    tl_table_free(&back);
}

static void results_are_kernel_and_n(void **state)
{
    (void)state;
    tl_sweep_table table = {0};
    fill(&table);
    tl_sweep_result first = tl_table_result(&table, 0), second = tl_table_result(&table, 2),
                    third = tl_table_result(&table, 3);
    assert_int_equal(first.count, 2);
    assert_ptr_equal(first.plan, &table.rows[0]);
    assert_ptr_equal(first.best, &table.rows[1]);
    assert_null(first.lesson);
    assert_int_equal(second.count, 1);
    assert_ptr_equal(second.plan, second.best);
    assert_null(third.lesson); /* it was wrong */
    assert_int_equal(third.wrong, 1);
    tl_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_all_sizes_items_and_shapes),
        cmocka_unit_test(the_limits_bound_them),
        cmocka_unit_test(an_image_has_rows_and_squares),
        cmocka_unit_test(choices_restrict_them),
        cmocka_unit_test(a_kernel_keeps_its_own_size),
        cmocka_unit_test(every_case_is_read),
        cmocka_unit_test(medians_and_spreads),
        cmocka_unit_test(noise_makes_ties),
        cmocka_unit_test(noise_of_least_times),
        cmocka_unit_test(outside_is_never_the_best),
        cmocka_unit_test(finalists_are_the_fastest_and_those_with_a_role),
        cmocka_unit_test(rows_come_back_from_csv),
        cmocka_unit_test(results_are_kernel_and_n),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
