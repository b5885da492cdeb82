/* SPDX-License-Identifier: MIT
 *
 * Explicit wishes are granted or refused with both numbers, never adjusted; facts by name; the facts that adapters
 * report as zero. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "plan_devices.h"

typedef struct refusal {
    telar_plan_desc desc;
    telar_status status;
    uint64_t got, limit;
    const char *words; /* that the text must have, separated by | */
} refusal;

static const refusal refusals[] = {
    {{.count = {UINT64_C(65536) * 64}, .shape = TELAR_SHAPE_LINEAR},
     TELAR_LIMIT_EXCEEDED,
     65536,
     65535,
     "dispatch x (65536)|maxComputeWorkgroupsPerDimension (65535)|folded"},
    {{.count = {10, UINT64_C(70000) * 8}, .dimensions = 2, .kind = TELAR_KIND_IMAGE, .shape = TELAR_SHAPE_LINEAR},
     TELAR_LIMIT_EXCEEDED,
     70000,
     65535,
     "dispatch y (70000)"},
    {{.count = {1000}, .size = {512}},
     TELAR_LIMIT_EXCEEDED,
     512,
     256,
     "workgroup size x (512)|maxComputeWorkgroupSizeX (256)"},
    {{.count = {1000}, .size = {16, 32}}, TELAR_LIMIT_EXCEEDED, 512, 256, "x * y * z (512)|(256)"},
    {{.count = {1000}, .items = 65}, TELAR_LIMIT_EXCEEDED, 65, TELAR_ITEMS_MAX, "items (65)"},
    {{.count = {1000}, .workgroup_memory_bytes = 16385},
     TELAR_LIMIT_EXCEEDED,
     16385,
     16384,
     "maxComputeWorkgroupStorageSize (16384)"},
    {{.count = {1000}, .shape = TELAR_SHAPE_FOLD, .fold_width = 65536},
     TELAR_LIMIT_EXCEEDED,
     65536,
     65535,
     "fold width"},
    {{.count = {1000}, .shape = TELAR_SHAPE_STRIDE, .groups = 65536}, TELAR_LIMIT_EXCEEDED, 65536, 65535, "dispatch x"},
    {{.count = {TELAR_COUNT_MAX + 1}}, TELAR_LIMIT_EXCEEDED, TELAR_COUNT_MAX + 1, TELAR_COUNT_MAX, "count"},
    {{.count = {TELAR_WINDOW_ELEMENTS_MAX + 1}, .no_windows = true},
     TELAR_LIMIT_EXCEEDED,
     TELAR_WINDOW_ELEMENTS_MAX + 1,
     TELAR_WINDOW_ELEMENTS_MAX,
     "u32 index|windows"},
    {{.count = {(1 << 25) + 1}, .no_windows = true, .binding_bytes_per_element = 4},
     TELAR_LIMIT_EXCEEDED,
     134217732,
     134217728,
     "maxStorageBufferBindingSize"},
    {{.count = {8192, 4097}, .dimensions = 2, .binding_bytes_per_element = 4},
     TELAR_LIMIT_EXCEEDED,
     134250496,
     134217728,
     "binding"},
    {{.count = {TELAR_WINDOW_ELEMENTS_MAX + 1, 1}, .dimensions = 2},
     TELAR_LIMIT_EXCEEDED,
     TELAR_WINDOW_ELEMENTS_MAX + 1,
     TELAR_WINDOW_ELEMENTS_MAX,
     "count x"},
    {{.count = {UINT64_MAX, 2}, .dimensions = 2}, TELAR_OVERFLOWS, 0, 0, "64 bits"},
    {{.count = {5}, .dimensions = 4}, TELAR_INVALID_ARGUMENT, 4, 3, "dimensions (4)"},
    {{.count = {5, 2}}, TELAR_INVALID_ARGUMENT, 2, 1, "count y (2)"},
    {{.count = {5}, .size = {0, 1, 1}}, TELAR_INVALID_ARGUMENT, 0, 0, "(0, 1, 1)"},
    {{.count = {5}, .shape = TELAR_SHAPE_EMPTY}, TELAR_INVALID_ARGUMENT, 0, 0, "shape"},
    {{.count = {5}, .shape = (telar_shape)9}, TELAR_INVALID_ARGUMENT, 0, 0, "shape"},
    {{.count = {5}, .kind = (telar_kind)5}, TELAR_INVALID_ARGUMENT, 0, 0, "kind"},
    {{.count = {5}, .shape = TELAR_SHAPE_LINEAR, .fold_width = 4}, TELAR_INVALID_ARGUMENT, 0, 0, "fold width (4)"},
    {{.count = {5}, .shape = TELAR_SHAPE_FOLD, .groups = 4}, TELAR_INVALID_ARGUMENT, 0, 0, "groups (4)"},
    {{.count = {5, 5}, .dimensions = 2, .shape = TELAR_SHAPE_STRIDE}, TELAR_INVALID_ARGUMENT, 0, 0, "one dimension"},
    {{.count = {5, 5}, .dimensions = 2, .binding_bytes_per_element = 134217732},
     TELAR_LIMIT_EXCEEDED,
     3355443300,
     0,
     "binding"},
};

static bool has_words(const char *text, const char *words)
{
    char word[128];
    for (const char *p = words; *p != 0;) {
        size_t len = strcspn(p, "|");
        memcpy(word, p, len);
        word[len] = 0;
        if (strstr(text, word) == NULL) return false;
        p += len + (p[len] == '|');
    }
    return true;
}

static void wishes_are_refused_with_both_numbers(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++) {
        const refusal *row = &refusals[k];
        telar_diag diag = {0};
        telar_plan plan;
        memset(&plan, 0xff, sizeof plan);
        telar_status status = telar_plan_make(&row->desc, &facts, &plan, &diag);
        bool right = status == row->status && diag.status == row->status && diag.got == row->got &&
                     diag.limit == row->limit && has_words(diag.text, row->words) && plan.groups == 0;
        if (!right) print_error("row %zu: %s: %s\n", k, telar_status_name(status), diag.text);
        assert_true(right);
        assert_int_equal(telar_plan_make(&row->desc, &facts, &plan, NULL), row->status);
    }
}

/* A CPU adapter that stops long loops gets no stride with more rounds than it runs. */
static void strides_end_in_time(void **unused)
{
    (void)unused;
    telar_facts facts = device_lavapipe();
    telar_plan_desc desc = {.count = {1 << 24}, .size = {64}, .items = 1, .shape = TELAR_SHAPE_STRIDE, .groups = 1};
    telar_plan plan;
    telar_diag diag;
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_LIMIT_EXCEEDED);
    assert_int_equal(diag.got, 262144);
    assert_int_equal(diag.limit, TELAR_STRIDE_ROUNDS_MAX);
    desc.groups = 0;
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_OK);
    assert_true(telar_ceil_div(262144, plan.dispatch[0]) <= TELAR_STRIDE_ROUNDS_MAX);
    /* One unit that holds one group would be full with one: the rounds ask for more. */
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 1, TELAR_SOURCE_GIVEN);
    telar_facts_set(&facts, TELAR_FACT_RESIDENT_INVOCATIONS, 64, TELAR_SOURCE_GIVEN);
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_OK);
    assert_int_equal(plan.dispatch[0], 5);
}

/* Group numbers of a folded grid are u32; three axes as they are need no number. */
static void grids_beyond_32_bits_of_groups(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    telar_plan plan;
    telar_diag diag;
    telar_plan_desc desc = {.count = {70000, 65535, 60000}, .dimensions = 3, .size = {1}};
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_LIMIT_EXCEEDED);
    desc.count[0] = 60000;
    assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_OK);
    assert_int_equal(plan.shape, TELAR_SHAPE_LINEAR);
    assert_int_equal(plan.idle_groups, 0);
}

static void devices_without_compute(void **unused)
{
    (void)unused;
    static const char *const names[] = {"maxComputeInvocationsPerWorkgroup", "maxComputeWorkgroupSizeX",
                                        "maxComputeWorkgroupSizeY", "maxComputeWorkgroupSizeZ",
                                        "maxComputeWorkgroupsPerDimension"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        telar_facts facts = telar_facts_default();
        assert_int_equal(telar_facts_set_limit(&facts, names[k], 0, NULL), TELAR_OK);
        telar_plan plan;
        telar_diag diag;
        telar_plan_desc desc = {.count = {5}};
        assert_int_equal(telar_plan_make(&desc, &facts, &plan, &diag), TELAR_LIMIT_EXCEEDED);
        assert_non_null(strstr(diag.text, names[k]));
    }
}

static void limits_by_name(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    telar_diag diag;
    uint64_t value;
    size_t count = 0;
    for (; telar_limit_name(count) != NULL; count++) {
        assert_int_equal(telar_facts_set_limit(&facts, telar_limit_name(count), UINT64_C(1) << (count % 32), NULL),
                         TELAR_OK);
    }
    assert_int_equal(count, sizeof(telar_limits) / sizeof(uint64_t));
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(telar_facts_get_limit(&facts, telar_limit_name(k), &value, NULL), TELAR_OK);
        assert_int_equal(value, UINT64_C(1) << (k % 32));
    }
    assert_int_equal(telar_facts_set_limit(&facts, "maxFoo", 1, &diag), TELAR_NOT_FOUND);
    assert_non_null(strstr(diag.text, "maxFoo"));
    assert_int_equal(telar_facts_get_limit(&facts, "maxFoo", &value, &diag), TELAR_NOT_FOUND);
    assert_int_equal(telar_facts_set_limit(&facts, "minStorageBufferOffsetAlignment", 48, &diag),
                     TELAR_INVALID_ARGUMENT);
    assert_int_equal(telar_facts_compatibility().limits.maxComputeInvocationsPerWorkgroup, 128);
    assert_int_equal(telar_facts_compatibility().limits.maxComputeWorkgroupsPerDimension, 65535);
}

static void facts_by_name(void **unused)
{
    (void)unused;
    telar_facts facts = telar_facts_default();
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        telar_fact_name name;
        assert_int_equal(telar_fact_find(telar_fact_text((telar_fact_name)k), &name, NULL), TELAR_OK);
        assert_int_equal(name, k);
        assert_true(telar_fact_unit(name)[0] != 0);
        assert_false(telar_facts_know(&facts, name));
        assert_int_equal(telar_facts_assume(&facts, TELAR_FACT_SUBGROUP_MAX).source, TELAR_SOURCE_NONE);
    }
    telar_fact_name name;
    assert_int_equal(telar_fact_find("warp_size", &name, NULL), TELAR_NOT_FOUND);
    assert_string_equal(telar_fact_text(TELAR_FACT_COUNT), "");
    assert_string_equal(telar_fact_source_text(TELAR_SOURCE_MEASURED), "measured");
    facts.type = TELAR_DEVICE_DISCRETE;
    assert_int_equal(telar_facts_assume(&facts, TELAR_FACT_BANDWIDTH).source, TELAR_SOURCE_TABLE);
    telar_facts_set(&facts, TELAR_FACT_BANDWIDTH, 1e6, TELAR_SOURCE_MEASURED);
    assert_true(telar_facts_assume(&facts, TELAR_FACT_BANDWIDTH).value == 1e6);
    const double meaningless[] = {0, -1, 1e308 * 10, -(1e308 * 10)};
    for (size_t k = 0; k < 4; k++) {
        telar_facts_set(&facts, TELAR_FACT_BANDWIDTH, meaningless[k], TELAR_SOURCE_GIVEN);
        assert_false(telar_facts_know(&facts, TELAR_FACT_BANDWIDTH));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wishes_are_refused_with_both_numbers),
        cmocka_unit_test(strides_end_in_time),
        cmocka_unit_test(grids_beyond_32_bits_of_groups),
        cmocka_unit_test(devices_without_compute),
        cmocka_unit_test(limits_by_name),
        cmocka_unit_test(facts_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
