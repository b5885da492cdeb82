/* SPDX-License-Identifier: MIT
 *
 * Sweeps of all cases on a device, at sizes that do not fit anything: every candidate computes what plain C does, and what is
 * wrong is seen. No time is asserted. */
#include "host_help.h"

#include "sweep/sweep.h"

static tl_candidates candidates;

/* Two sizes, two counts of items, all shapes and forms. */
static const tl_choices few = {.sizes = {{32, 1, 1}, {64, 1, 1}}, .sizes_count = 2, .items = {1, 4}, .items_count = 2};
static const tl_choices few_squares = {
    .sizes = {{8, 4, 1}, {8, 8, 1}}, .sizes_count = 2, .items = {1, 4}, .items_count = 2};

static void sweep_case(telar_host *host, const tl_case *builtin, uint64_t n)
{
    telar_facts facts = *telar_host_facts(host);
    tl_sweep_facts all = tl_sweep_facts_of(&facts, &facts);
    tl_measure_desc desc = {.time_s = 0.01, .finalists = 1, .rounds = 1};
    tl_domain domain = tl_domain_of(n, builtin->dimensions);
    tl_sweep_bench bench;
    tl_subject subject;
    tl_bed bed;
    double noise;
    must(tl_sweep_bench_open(host, &all, &bench, &diag));
    must(tl_subject_of_case(builtin, &subject, &diag));
    must(tl_candidates_list(&subject, &domain, &all, builtin->dimensions == 2 ? &few_squares : &few, &candidates,
                            &diag));
    must(tl_bed_make(host, builtin, &domain, &bed, &diag));
    must(tl_measure(&bench, &subject, &bed, &desc, &candidates, &noise, &diag));
    for (uint32_t k = 0; k < candidates.count; k++) {
        const tl_candidate *at = &candidates.items[k];
        if (at->verdict != TL_VERDICT_RIGHT) {
            print_error("%s, n %llu, %ux%u x %u %s: %s\n", builtin->name, (unsigned long long)n, at->size[0],
                        at->size[1], at->items, telar_shape_text(at->shape), at->why);
        }
        assert_int_equal(at->verdict, TL_VERDICT_RIGHT);
        assert_true(at->us > 0);
    }
    tl_bed_drop(&bed);
    tl_subject_close(&subject);
    tl_sweep_bench_close(&bench);
}

static void all_cases_are_right(void **state)
{
    static const uint64_t counts[] = {1, 2049};
    for (const tl_case *at = tl_cases; at->name != NULL; at++) {
        for (size_t k = 0; k < TL_COUNT(counts); k++) sweep_case(*state, at, counts[k]);
    }
}

static void off_by_one(const tl_domain *domain, uint32_t *const *arrays)
{
    tl_case_find("reduce")->reference(domain, arrays);
    arrays[1][0]++;
}

/* Against a reference that is wrong, no candidate is right. */
static void wrong_is_seen(void **state)
{
    telar_host *host = *state;
    telar_facts facts = *telar_host_facts(host);
    tl_sweep_facts all = tl_sweep_facts_of(&facts, &facts);
    tl_case other = *tl_case_find("reduce");
    other.reference = off_by_one;
    tl_domain domain = tl_domain_of(1000, 1);
    tl_measure_desc desc = {.time_s = 0.01, .finalists = 1, .rounds = 1};
    tl_sweep_bench bench;
    tl_subject subject;
    tl_bed bed;
    double noise;
    must(tl_sweep_bench_open(host, &all, &bench, &diag));
    must(tl_subject_of_case(&other, &subject, &diag));
    must(tl_candidates_list(&subject, &domain, &all, &few, &candidates, &diag));
    must(tl_bed_make(host, &other, &domain, &bed, &diag));
    must(tl_measure(&bench, &subject, &bed, &desc, &candidates, &noise, &diag));
    for (uint32_t k = 0; k < candidates.count; k++) {
        bool copy = (candidates.items[k].roles & TL_ROLE_COPY) != 0;
        assert_int_equal(candidates.items[k].verdict, copy ? TL_VERDICT_RIGHT : TL_VERDICT_WRONG);
        assert_int_equal(candidates.items[k].roles & TL_ROLE_BEST, 0);
    }
    tl_bed_drop(&bed);
    tl_subject_close(&subject);
    tl_sweep_bench_close(&bench);
}

static int open_state(void **state)
{
    *state = open_host();
    return 0;
}

static int close_state(void **state)
{
    telar_host_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cases_are_right),
        cmocka_unit_test(wrong_is_seen),
    };
    return cmocka_run_group_tests(tests, open_state, close_state);
}
