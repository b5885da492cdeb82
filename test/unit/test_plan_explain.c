/* SPDX-License-Identifier: MIT
 *
 * The explanation: whole texts in both languages, numbers as each language writes them, a next step for every limit,
 * and no sentence that exists in one language only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan/sentences.h"
#include "plan_devices.h"

static char text[16384];

static const char *explain(const telar_plan_desc *desc, const telar_facts *facts, telar_language language)
{
    telar_plan plan;
    assert_int_equal(telar_plan_make(desc, facts, &plan, NULL), TELAR_OK);
    telar_out out = {.data = text, .cap = sizeof text};
    telar_plan_explain(&plan, facts, language, &out);
    assert_int_equal(telar_out_status(&out), TELAR_OK);
    telar_out size = {0};
    telar_plan_explain(&plan, facts, language, &size);
    assert_int_equal(size.len, out.len);
    return text;
}

static const char *next_step(const telar_plan_desc *desc, const telar_facts *facts, telar_language language)
{
    telar_plan plan;
    assert_int_equal(telar_plan_make(desc, facts, &plan, NULL), TELAR_OK);
    telar_out out = {.data = text, .cap = sizeof text};
    telar_plan_next_step(&plan, facts, language, &out);
    return text;
}

static void whole_text_in_english(void **unused)
{
    (void)unused;
    telar_facts facts = device_with_units(30);
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MIN, 32, TELAR_SOURCE_GIVEN);
    assert_string_equal(
        explain(&(telar_plan_desc){.count = {5000}, .size = {40}}, &facts, TELAR_ENGLISH),
        "5,000 elements, element kernel: workgroup 40, 1 element per invocation, 125 workgroups, "
        "dispatch (125, 1, 1), linear\n"
        "  by the rule: workgroup 64, 79 workgroups\n"
        "  lanes of 32: 64 reserved, 62.5 % used\n"
        "  - the workgroup size 40 was asked for; by the rule it would be 64\n"
        "  - on lanes of 32 the 40 invocations reserve 64: 62.5 % are used\n"
        "  - 5,000 elements fill 125 workgroups of 40 exactly; the guard stays, since the next count may not\n"
        "  - 125 workgroups on 30 compute units: every unit has work\n"
        "Limited by nothing that is known; next step: say what the device is (--facts), since on a large GPU one "
        "element per invocation can be bound by the launch of workgroups\n");
}

static void whole_text_in_spanish(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200_profiled();
    assert_string_equal(
        explain(&(telar_plan_desc){.count = {3000001}, .size = {64}, .items = 1}, &facts, TELAR_SPANISH),
        "3.000.001 elementos, kernel elemento a elemento: workgroup de 64, 1 elemento por invocación, "
        "46.876 workgroups, dispatch (46876, 1, 1), lineal\n"
        "  por la regla: workgroup de 64, 46.876 workgroups\n"
        "  carriles de 32: 64 reservados, 100 % aprovechados\n"
        "  - el tamaño de workgroup 64 se pidió así, y la regla da el mismo\n"
        "  - 64 invocaciones son múltiplo del subgroup más ancho (32): ningún carril queda ocioso\n"
        "  - 3.000.001 elementos en workgroups de 64 son 46.876; invocaciones sin elemento: 63, que el "
        "guardia para\n"
        "  - 46.876 workgroups en 132 unidades de cómputo: todas tienen trabajo\n"
        "  - una unidad mantiene 32 de estos workgroups a la vez, limitada por sus invocaciones; oleadas: 12, la "
        "última de 412\n"
        "  - previsto 30,4 us: 2,15 del dispatch y luego, a la vez, 28,2 de lanzamiento, 5,96 de latencia y 3,44 de "
        "memoria\n"
        "Lo limita el lanzamiento de workgroups (46.876, a 1660 millones por segundo); próximo paso: un workgroup de "
        "256 con 4 elementos por invocación lanzaría 2930 y tardaría 5,81 us en vez de 30,4\n");
}

static void an_empty_plan_is_explained(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    const char *got = explain(&(telar_plan_desc){.count = {0}}, &facts, TELAR_ENGLISH);
    assert_non_null(strstr(got, "nothing to launch"));
    assert_non_null(strstr(got, "no dispatch is recorded"));
}

/* What limits each of these, and a word of the way on. */
static void every_limit_has_a_next_step(void **unused)
{
    (void)unused;
    telar_facts plain = telar_facts_default();
    telar_facts small = telar_facts_compatibility();
    telar_facts units = device_with_units(30);
    telar_facts h200 = device_h200_profiled();
    const struct {
        const telar_facts *facts;
        telar_plan_desc desc;
        telar_limited_by limited_by;
        const char *words;
    } rows[] = {
        {&plain, {.count = {1000}}, TELAR_LIMITED_BY_NOTHING, "(--facts)"},
        {&plain, {.count = {4194241}}, TELAR_LIMITED_BY_WORKGROUPS_PER_DIMENSION, "2 elements per invocation"},
        {&plain, {.count = {1 << 30}}, TELAR_LIMITED_BY_WORKGROUPS_PER_DIMENSION, "a fold costs nothing"},
        {&small, {.count = {1000}, .kind = TELAR_KIND_REDUCE}, TELAR_LIMITED_BY_INVOCATIONS_PER_WORKGROUP, "(128)"},
        {&plain,
         {.count = {1 << 26}, .binding_bytes_per_element = 4},
         TELAR_LIMITED_BY_BINDING_SIZE,
         "268,435,456 bytes"},
        {&plain, {.count = {UINT64_C(1) << 32}}, TELAR_LIMITED_BY_INDEX_WIDTH, "2 windows"},
        {&units, {.count = {5000}, .size = {256}}, TELAR_LIMITED_BY_UNITS, "size 64 would give 79"},
        {&units, {.count = {500}}, TELAR_LIMITED_BY_UNITS, "too small to fill"},
        {&h200,
         {.count = {3000001}, .size = {64}, .items = 1},
         TELAR_LIMITED_BY_LAUNCH_RATE,
         "5.81 us instead of 30.4"},
        {&h200, {.count = {20000}}, TELAR_LIMITED_BY_LATENCY, "back to back"},
        {&h200, {.count = {1 << 28}, .size = {512}, .items = 1}, TELAR_LIMITED_BY_LATENCY, "with 4 elements"},
        {&h200, {.count = {1 << 28}}, TELAR_LIMITED_BY_BANDWIDTH, "2,147,483,648 bytes at 4,275 GB/s"},
        {&h200,
         {.count = {1 << 28}, .size = {256}, .workgroup_memory_bytes = 48000},
         TELAR_LIMITED_BY_NOTHING, /* four groups of 256 are half of 2048: enough */
         NULL},
        {&h200,
         {.count = {1 << 28}, .size = {64}, .workgroup_memory_bytes = 48000},
         TELAR_LIMITED_BY_WORKGROUP_MEMORY,
         "46,592 bytes or less would let it hold 5"},
        {&h200,
         {.count = {1 << 28}, .size = {256}, .registers_per_invocation = 128},
         TELAR_LIMITED_BY_REGISTERS,
         "128 registers"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_plan plan;
        assert_int_equal(telar_plan_make(&rows[k].desc, rows[k].facts, &plan, NULL), TELAR_OK);
        if (rows[k].words == NULL) {
            assert_true(plan.limited_by != TELAR_LIMITED_BY_WORKGROUP_MEMORY);
            continue;
        }
        assert_string_equal(telar_limited_by_text(plan.limited_by), telar_limited_by_text(rows[k].limited_by));
        const char *got = next_step(&rows[k].desc, rows[k].facts, TELAR_ENGLISH);
        if (strstr(got, rows[k].words) == NULL) print_error("row %zu: %s\n", k, got);
        assert_non_null(strstr(got, rows[k].words));
        assert_non_null(strstr(got, "Limited by "));
        assert_non_null(strstr(got, "; next step: "));
        assert_non_null(strstr(next_step(&rows[k].desc, rows[k].facts, TELAR_SPANISH), "; próximo paso: "));
    }
}

static void out_value(char *into, size_t cap, telar_language language, tl_word value)
{
    telar_out out = {.data = into, .cap = cap};
    tl_say(&out, language, (tl_said){&tl_sentences[TL_SAY_ITEMS], &value});
    *strchr(into, ' ') = 0;
}

static void numbers_of_each_language(void **unused)
{
    (void)unused;
    const struct {
        tl_word value;
        const char *english, *spanish;
    } rows[] = {
        {TL_N(0), "0", "0"},
        {TL_N(999), "999", "999"},
        {TL_N(5000), "5,000", "5000"},
        {TL_N(10000), "10,000", "10.000"},
        {TL_N(1000007), "1,000,007", "1.000.007"},
        {TL_N(UINT64_MAX), "18,446,744,073,709,551,615", "18.446.744.073.709.551.615"},
        {TL_R(62.5), "62.5", "62,5"},
        {TL_R(0.884), "0.88", "0,88"},
        {TL_R(9.999), "10", "10"},
        {TL_R(4275.4), "4,275", "4275"},
        {TL_R(1e300), "1,000,000,000,000,000", "1.000.000.000.000.000"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char got[64];
        out_value(got, sizeof got, TELAR_SPANISH, rows[k].value);
        assert_string_equal(got, rows[k].spanish);
        out_value(got, sizeof got, TELAR_ENGLISH, rows[k].value);
        assert_string_equal(got, rows[k].english);
    }
}

/* Reasons end, and small buffers hold a beginning of them. */
static void reasons_are_bounded(void **unused)
{
    (void)unused;
    telar_facts facts = device_h200_profiled();
    telar_plan plan;
    telar_plan_desc desc = {.count = {UINT64_C(1) << 40},
                            .kind = TELAR_KIND_SCAN,
                            .workgroup_memory_bytes = 9000,
                            .registers_per_invocation = 80,
                            .binding_bytes_per_element = 4};
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, NULL), TELAR_OK);
    size_t count = 0;
    char small[8];
    for (;; count++) {
        telar_out out = {.data = small, .cap = sizeof small};
        if (!telar_plan_reason(&plan, &facts, TELAR_ENGLISH, count, &out)) {
            assert_int_equal(out.len, 0);
            break;
        }
        assert_int_equal(strlen(small), 7);
        assert_true(out.len > 20);
    }
    assert_in_range(count, 6, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_text_in_english),      cmocka_unit_test(whole_text_in_spanish),
        cmocka_unit_test(an_empty_plan_is_explained), cmocka_unit_test(every_limit_has_a_next_step),
        cmocka_unit_test(numbers_of_each_language),   cmocka_unit_test(reasons_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
