/* SPDX-License-Identifier: MIT
 *
 * Sentences in both languages: every place is filled, both have the same places, and none was left in English. */
#include "plan/sentences.h"
#include "wgsl/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Places {0} to {9} as bits; UINT32_MAX where a brace is none. */
static uint32_t places_in(const char *sentence)
{
    uint32_t seen = 0;
    for (const char *p = sentence; (p = strpbrk(p, "{}")) != NULL; p += 3) {
        if (p[0] != '{' || p[1] < '0' || p[1] > '9' || p[2] != '}') return UINT32_MAX;
        seen |= UINT32_C(1) << (p[1] - '0');
    }
    return seen;
}

static bool has_word(const char *sentence, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = sentence; (p = strstr(p, word)) != NULL; p++) {
        bool begins = p == sentence || strchr(" '(,", p[-1]) != NULL;
        bool ends = p[len] == 0 || strchr(" '),;:", p[len]) != NULL;
        if (begins && ends) return true;
    }
    return false;
}

/* Words that no sentence of several words does without, and that the other language does not have. */
static bool is_in(const char *sentence, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (has_word(sentence, *words)) return true;
    }
    return false;
}

static const char *wrong_with(const tl_saying *saying)
{
    static const char *const english[] = {"the", "of",   "is",  "are", "and", "with", "that", "which",
                                          "or",  "this", "its", "not", "by",  "for",  "than", NULL};
    static const char *const spanish[] = {"el",  "la",  "los", "las", "de", "es",   "que", "con",
                                          "del", "una", "un",  "por", "se", "para", NULL};
    if (saying->english[0] == 0 || saying->spanish[0] == 0) return "empty";
    uint32_t places = places_in(saying->english);
    if (places == UINT32_MAX) return "a brace that is no place";
    if (places != places_in(saying->spanish)) return "other places in Spanish";
    if (places != (UINT32_C(1) << saying->words) - 1) return "places are not the number of words";
    if (is_in(saying->english, spanish)) return "English that is Spanish";
    if (is_in(saying->spanish, english)) return "Spanish that is English";
    if (is_in(saying->english, english) && strcmp(saying->english, saying->spanish) == 0) return "not translated";
    return NULL;
}

static void check_table(const tl_saying *sayings, size_t count)
{
    size_t wrong = 0;
    for (size_t k = 0; k < count; k++) {
        const char *what = wrong_with(&sayings[k]);
        if (what == NULL) continue;
        print_message("%s\n  %s\n  %s\n", what, sayings[k].english, sayings[k].spanish);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void the_plan_is_explained_in_both(void **unused)
{
    (void)unused;
    check_table(tl_sentences, TL_SAY_COUNT);
}

static void findings_are_said_in_both(void **unused)
{
    (void)unused;
    check_table(tl_check_sayings, TL_SAYS_COUNT);
}

static void rules_have_a_why_in_both(void **unused)
{
    (void)unused;
    const telar_rule_info *rule;
    for (uint32_t k = 0; (rule = telar_rule_at(k)) != NULL; k++) {
        const tl_saying why = {0, telar_rule_why(rule, TELAR_ENGLISH), telar_rule_why(rule, TELAR_SPANISH)};
        check_table(&why, 1);
        assert_string_not_equal(why.english, why.spanish);
    }
}

static void mistakes_are_seen(void **unused)
{
    (void)unused;
    static const tl_saying faulty[] = {
        {0, "", "nada"},           {0, "the end", ""},
        {1, "the {0}", "el {1}"},  {1, "the {0} of {1}", "el {0} de {1}"},
        {2, "the {1}", "el {1}"},  {1, "the {}", "el {}"},
        {0, "the end", "the end"}, {1, "the end of {0}", "el fin of {0}"},
    };
    for (size_t k = 0; k < TL_COUNT(faulty); k++) assert_non_null(wrong_with(&faulty[k]));
}

static void said(const tl_saying *saying, const tl_word *words, const char *english, const char *spanish)
{
    char got[2][128];
    for (int k = 0; k < 2; k++) {
        telar_out out = {.data = got[k], .cap = sizeof got[k]};
        tl_say(&out, k == 0 ? TELAR_ENGLISH : TELAR_SPANISH, (tl_said){saying, words});
    }
    assert_string_equal(got[0], english);
    assert_string_equal(got[1], spanish);
}

static void words_are_put_in(void **unused)
{
    (void)unused;
    static const tl_saying turned = {3, "{0} of {1} {2}", "{1} de {0} {2}"};
    static const tl_saying files[] = {{0, "one file", "un archivo"}, {1, "{0} files", "{0} archivos"}};
    static const uint32_t size[3] = {16, 8, 1};
    said(&turned, (const tl_word[]){TL_I(-70000), TL_U(70000), TL_N(70000)}, "-70000 of 70000 70,000",
         "70000 de -70000 70.000");
    said(&turned, (const tl_word[]){TL_S(size), TL_R(0.5), TL_Z("{0}")}, "16x8 of 0.50 {0}", "0,50 de 16x8 {0}");
    said(&turned, (const tl_word[]){TL_W(NULL), TL_W(&files[0]), TL_T(TL_STR("x"))}, " of one file x",
         "un archivo de  x");
    said(&turned, (const tl_word[]){TL_P(1, files), TL_P(0, files), TL_P(5000, files)},
         "one file of 0 files 5,000 files", "0 archivos de un archivo 5000 archivos");
}

/* A program's mistake is written out, and reads nothing that is not there. */
static void missing_words_show(void **unused)
{
    (void)unused;
    static const tl_saying two = {2, "{0} of {1}", "{0} de {1}"};
    static const tl_saying short_of_one = {1, "{0} of {1}", "{0} de {1}"};
    said(&two, (const tl_word[2]){TL_I(1)}, "1 of {?}", "1 de {?}");
    said(&two, NULL, "{?} of {?}", "{?} de {?}");
    said(&short_of_one, (const tl_word[1]){TL_I(1)}, "1 of {?}", "1 de {?}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_is_explained_in_both),
        cmocka_unit_test(findings_are_said_in_both),
        cmocka_unit_test(rules_have_a_why_in_both),
        cmocka_unit_test(mistakes_are_seen),
        cmocka_unit_test(words_are_put_in),
        cmocka_unit_test(missing_words_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
