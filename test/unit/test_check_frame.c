/* SPDX-License-Identifier: MIT
 *
 * The checker's frame: statuses, the order of findings, what the source and the caller silence, and the edits of a fix. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(16) char memory[4 << 20];

static telar_status check(telar_check_desc desc, size_t cap, telar_check_result *result, telar_diag *diag)
{
    telar_arena arena = telar_arena_make(memory, cap);
    desc.source_bytes = strlen(desc.source);
    telar_status status = telar_check(&desc, &arena, result, diag);
    assert_int_equal(arena.cap, cap);
    return status;
}

static const char *const kernel = KERNEL("64", "o[g.x] = a[g.x];");

static void statuses(void **state)
{
    (void)state;
    telar_check_result result;
    telar_diag diag = {0};
    const telar_check_rule rule = {"no-such-rule", TELAR_SEVERITY_OFF};
    const telar_check_set there = {"p.n", 3}, missing = {"p.m", 3}, broken = {"p.n", 0.5};
    assert_int_equal(check((telar_check_desc){.source = kernel}, sizeof memory, &result, &diag), TELAR_OK);
    assert_int_equal(check((telar_check_desc){.source = kernel}, 4096, &result, &diag), TELAR_NO_SPACE);
    assert_true(diag.got > 4096 && result.findings_count == 0);
    assert_int_equal(
        check((telar_check_desc){.source = kernel, .rules = &rule, .rules_count = 1}, sizeof memory, &result, &diag),
        TELAR_NOT_FOUND);
    assert_int_equal(check((telar_check_desc){.source = kernel, .entry = "other"}, sizeof memory, &result, NULL),
                     TELAR_NOT_FOUND);
    assert_int_equal(
        check((telar_check_desc){.source = kernel, .sets = &there, .sets_count = 1}, sizeof memory, &result, NULL),
        TELAR_OK);
    assert_int_equal(
        check((telar_check_desc){.source = kernel, .sets = &missing, .sets_count = 1}, sizeof memory, &result, NULL),
        TELAR_NOT_FOUND);
    assert_int_equal(
        check((telar_check_desc){.source = kernel, .sets = &broken, .sets_count = 1}, sizeof memory, &result, NULL),
        TELAR_INVALID_ARGUMENT);
}

static void findings_are_in_order(void **state)
{
    (void)state;
    telar_check_result result;
    const char *source = KERNEL("40", "o[g.x] = a[g.x - 1u];\n  o[g.x * 2u] = 1u;");
    assert_int_equal(check((telar_check_desc){.source = source}, sizeof memory, &result, NULL), TELAR_OK);
    assert_true(result.findings_count >= 3);
    for (uint32_t k = 1; k < result.findings_count; k++) {
        assert_true(result.findings[k - 1].offset <= result.findings[k].offset);
    }
    assert_int_equal(result.errors + result.warnings + result.notes, result.findings_count);
}

static void silenced(void **state)
{
    (void)state;
    check_case one = {.source = KERNEL("64", "// telar: allow unguarded-index padded\n  o[g.x] = 1u;")};
    telar_check_result result = help_check(&one);
    assert_int_equal(help_severity(&result, "unguarded-index"), TELAR_SEVERITY_DEFAULT);
    one.source = KERNEL("64", "// telar: allow guard-one-axis padded\n  o[g.x] = 1u;");
    result = help_check(&one);
    assert_int_equal(help_severity(&result, "unguarded-index"), TELAR_SEVERITY_WARNING);
    const telar_check_rule off = {"unguarded-index", TELAR_SEVERITY_OFF},
                           error = {"unguarded-index", TELAR_SEVERITY_ERROR};
    check((telar_check_desc){.source = kernel, .rules = &off, .rules_count = 1}, sizeof memory, &result, NULL);
    assert_int_equal(help_severity(&result, "unguarded-index"), TELAR_SEVERITY_DEFAULT);
    check((telar_check_desc){.source = kernel, .rules = &error, .rules_count = 1}, sizeof memory, &result, NULL);
    assert_int_equal(help_severity(&result, "unguarded-index"), TELAR_SEVERITY_ERROR);
}

static void edits_mend(void **state)
{
    (void)state;
    telar_check_result result;
    check((telar_check_desc){.source = kernel}, sizeof memory, &result, NULL);
    char mended[4096];
    for (uint32_t k = 0; k < result.findings_count; k++) {
        const telar_finding *finding = &result.findings[k];
        if (strcmp(finding->rule, "unguarded-index") != 0) continue;
        assert_int_equal(finding->edits_count, 1);
        size_t at = (size_t)finding->edits[0].offset, len = strlen(finding->edits[0].text);
        memcpy(mended, kernel, at);
        memcpy(mended + at, finding->edits[0].text, len);
        strcpy(mended + at + len, kernel + at + finding->edits[0].bytes);
    }
    const check_case one = {.source = mended};
    result = help_check(&one);
    assert_non_null(result.module);
    assert_int_equal(help_severity(&result, "unguarded-index"), TELAR_SEVERITY_DEFAULT);
}

typedef struct seen {
    const telar_finding *first;
    uint32_t count;
} seen;

static void see(void *user, const telar_finding *finding)
{
    seen *all = user;
    if (all->count++ == 0) all->first = finding;
}

static void visited(void **state)
{
    (void)state;
    seen all = {0};
    telar_check_result result;
    telar_check_desc desc = {.source = kernel, .visit = see, .user = &all};
    assert_int_equal(check(desc, sizeof memory, &result, NULL), TELAR_OK);
    assert_true(all.count > 0 && all.count == result.findings_count && all.first == result.findings);
    const uint32_t before = all.count;
    assert_int_equal(check(desc, 4096, &result, NULL), TELAR_NO_SPACE);
    assert_int_equal(all.count, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(statuses), cmocka_unit_test(findings_are_in_order),
                                       cmocka_unit_test(silenced), cmocka_unit_test(edits_mend),
                                       cmocka_unit_test(visited)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
