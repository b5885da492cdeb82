/* SPDX-License-Identifier: MIT
 *
 * Runs tables of kernels through the checker. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(16) char memory[2][8 << 20];

static telar_check_result check_in(telar_language language, const check_case *one)
{
    telar_facts facts = telar_facts_compatibility();
    telar_check_desc desc = {.source = one->source,
                             .source_bytes = strlen(one->source),
                             .binds = one->binds,
                             .sets = one->sets,
                             .indirect = one->indirect,
                             .indirect_buffer = one->indirect_buffer,
                             .indirect_offset = one->indirect_offset,
                             .language = language};
    memcpy(desc.count, one->count, sizeof desc.count);
    memcpy(desc.dispatch, one->dispatch, sizeof desc.dispatch);
    while (desc.binds_count < 3 && one->binds[desc.binds_count].name != NULL) desc.binds_count++;
    while (desc.sets_count < 3 && one->sets[desc.sets_count].path != NULL) desc.sets_count++;
    if (one->compatibility) {
        desc.facts = &facts;
        desc.facts_are_device = true;
    }
    telar_arena arena = telar_arena_make(memory[language], sizeof memory[language]);
    telar_check_result result;
    telar_diag diag = {0};
    if (telar_check(&desc, &arena, &result, &diag) != TELAR_OK) fail_msg("%s\n%s", diag.text, one->source);
    return result;
}

/* Is the text in Spanish, whole, and another than the English one? Errors of the reader are English in both. */
static bool is_translated(const char *rule, const char *english, const char *spanish)
{
    if (english == NULL || spanish == NULL) return english == spanish;
    bool whole = strlen(spanish) > 0 && strstr(english, "{?}") == NULL && strstr(spanish, "{?}") == NULL;
    return whole && (strcmp(english, spanish) != 0 || strcmp(rule, "wgsl") == 0);
}

static bool same_finding(const telar_finding *english, const telar_finding *spanish)
{
    return strcmp(english->rule, spanish->rule) == 0 && english->severity == spanish->severity &&
           english->offset == spanish->offset && english->end_offset == spanish->end_offset &&
           english->edits_count == spanish->edits_count &&
           is_translated(english->rule, english->message, spanish->message) &&
           is_translated("", english->why, spanish->why) && is_translated("", english->fix, spanish->fix);
}

telar_check_result help_check(const check_case *one)
{
    telar_check_result english = check_in(TELAR_ENGLISH, one), spanish = check_in(TELAR_SPANISH, one);
    assert_int_equal(english.findings_count, spanish.findings_count);
    for (uint32_t k = 0; k < english.findings_count; k++) {
        const telar_finding *e = &english.findings[k], *s = &spanish.findings[k];
        if (!same_finding(e, s)) fail_msg("%s: %s\n%s", e->rule, e->message, s->message);
    }
    return english;
}

telar_severity help_severity(const telar_check_result *result, const char *rule)
{
    telar_severity strongest = TELAR_SEVERITY_DEFAULT;
    for (uint32_t k = 0; k < result->findings_count; k++) {
        const telar_finding *finding = &result->findings[k];
        if (strcmp(finding->rule, rule) == 0 && finding->severity > strongest) strongest = finding->severity;
    }
    return strongest;
}

static void print_findings(const telar_check_result *result)
{
    for (uint32_t k = 0; k < result->findings_count; k++) {
        const telar_finding *finding = &result->findings[k];
        print_message("  %u:%u: %s: %s [%s]\n", finding->line, finding->column, telar_severity_text(finding->severity),
                      finding->message, finding->rule);
    }
}

static bool is_right(const check_case *one)
{
    telar_check_result result = help_check(one);
    bool valid = result.module != NULL || strcmp(one->rule, "wgsl") == 0;
    telar_severity found = help_severity(&result, one->rule);
    if (valid && found == one->severity) return true;
    print_message("%s: %s, not %s:\n%s", one->rule, telar_severity_text(found), telar_severity_text(one->severity),
                  one->source);
    print_findings(&result);
    return false;
}

static bool is_listed(const char *text, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(*list, text) == 0) return true;
    }
    return false;
}

void help_check_table(const check_case *cases, size_t count, const char *const *families)
{
    size_t wrong = 0;
    for (size_t k = 0; k < count; k++) wrong += !is_right(&cases[k]);
    const telar_rule_info *rule;
    for (uint32_t r = 0; (rule = telar_rule_at(r)) != NULL; r++) {
        size_t faulty = 0, correct = 0;
        for (size_t k = 0; k < count; k++) {
            bool same = strcmp(cases[k].rule, rule->name) == 0;
            faulty += same && cases[k].severity != TELAR_SEVERITY_DEFAULT;
            correct += same && cases[k].severity == TELAR_SEVERITY_DEFAULT;
        }
        if (!is_listed(rule->family, families) || (faulty >= 3 && correct >= 3)) continue;
        print_message("%s: %zu faulty and %zu correct kernels\n", rule->name, faulty, correct);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}
