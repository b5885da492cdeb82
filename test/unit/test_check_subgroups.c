/* SPDX-License-Identifier: MIT
 *
 * The rules of subgroups: three kernels with the mistake and three without for each. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PART "enable subgroups;\nvar<workgroup> part: array<u32, 64>;\n"
#define LANES(size, body)                                                                                              \
    PART HEAD "@compute @workgroup_size(" size ") fn main(@builtin(global_invocation_id) g: vec3<u32>, "               \
              "@builtin(local_invocation_index) l: u32, @builtin(subgroup_size) size: u32, "                           \
              "@builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) id: u32) {\n" body "\n}\n"

static const check_case cases[] = {
    /* missing-lane */
    FAULTY("missing-lane", WARNING, LANES("27", "o[l] = subgroupBroadcast(l, 3u);")),
    FAULTY("missing-lane", WARNING, LANES("64", "o[l] = subgroupBroadcast(l, 31u);")),
    FAULTY("missing-lane", WARNING, LANES("3, 3, 3", "o[l] = subgroupShuffle(l, 7u);")),
    FAULTY("missing-lane", WARNING, LANES("2", "const other = 2u; o[l] = subgroupBroadcast(l, other);")),
    CORRECT("missing-lane", LANES("64", "o[l] = subgroupBroadcast(l, 0u);")),
    CORRECT("missing-lane", LANES("128", "o[l] = subgroupBroadcast(l, 3u);")),
    CORRECT("missing-lane", LANES("27", "o[l] = subgroupBroadcastFirst(l);")),
    CORRECT("missing-lane", LANES("64", "o[l] = subgroupShuffle(l, (lane + 1u) % size);")),

    /* assumed-lanes */
    FAULTY("assumed-lanes", WARNING,
           LANES("256", "let s = subgroupAdd(a[l]); if (l % 32u == 0u) { part[l / 32u] = s; }")),
    FAULTY("assumed-lanes", WARNING,
           LANES("256", "let s = subgroupMax(a[l]); if ((l & 63u) == 0u) { part[l >> 6u] = s; }")),
    FAULTY("assumed-lanes", WARNING,
           LANES("64", "var s = a[l]; s += subgroupShuffleDown(s, 16u); s += subgroupShuffleDown(s, 8u); o[l] = s;")),
    FAULTY("assumed-lanes", WARNING, LANES("64", "o[l] = subgroupShuffleXor(a[l], 4u);")),
    FAULTY(
        "assumed-lanes", WARNING,
        LANES("64", "var v = a[l]; for (var d = 16u; d > 0u; d /= 2u) { v += subgroupShuffleXor(v, d); } o[l] = v;")),
    CORRECT(
        "assumed-lanes",
        LANES("64", "var v = a[l]; for (var d = 1u; d < 4u; d *= 2u) { v += subgroupShuffleXor(v, d); } o[l] = v;")),
    FAULTY("assumed-lanes", WARNING, LANES("64", "let s = subgroupAdd(1u); o[l >> 5u] = s;")),
    CORRECT("assumed-lanes", LANES("256", "let s = subgroupAdd(a[l]); if (lane == 0u) { part[id] = s; }")),
    CORRECT("assumed-lanes", LANES("64", "let s = subgroupAdd(a[l]); if (subgroupElect()) { o[id] = s; }")),
    CORRECT("assumed-lanes", LANES("64", "o[l] = subgroupShuffleXor(a[l], 1u);")),
    CORRECT("assumed-lanes",
            LANES("64", "for (var d = size / 2u; d > 0u; d /= 2u) { o[l] += subgroupShuffleDown(a[l], d); }")),
    CORRECT("assumed-lanes", LANES("256", "let x = l % 16u; let y = l / 16u; o[y * 16u + x] = a[l];")),

    FAULTY("assumed-lanes", WARNING,
           LANES("256", "let s = subgroupAdd(a[l]); if (lane == 0u) { part[id] = s; } workgroupBarrier(); "
                        "if (id == 0u) { let t = subgroupAdd(part[lane]); if (lane == 0u) { o[0] = t; } }")),
    CORRECT("assumed-lanes",
            LANES("16", "let s = subgroupAdd(a[l]); if (lane == 0u) { part[id] = s; } workgroupBarrier(); "
                        "if (id == 0u) { let t = subgroupAdd(part[lane]); if (lane == 0u) { o[0] = t; } }")),
    CORRECT("assumed-lanes",
            LANES("256", "let s = subgroupAdd(a[l]); if (lane == 0u) { part[id] = s; } workgroupBarrier(); var t = 0u; "
                         "for (var k = lane; k < 256u / size; k += size) { t += part[k]; } o[l] = subgroupAdd(t);")),

    /* lanes-from-index */
    FAULTY("lanes-from-index", WARNING, LANES("64", "let my = l % size; o[l] = my;")),
    FAULTY("lanes-from-index", WARNING, LANES("64", "part[l / size] = subgroupAdd(1u);")),
    FAULTY("lanes-from-index", WARNING, LANES("64", "let at = l & (size - 1u); o[at] = 1u;")),
    FAULTY(
        "lanes-from-index", WARNING,
        "enable subgroups;\nstruct I { @builtin(local_invocation_id) l: vec3<u32>, @builtin(subgroup_size) s: u32 }\n" HEAD
        "@compute @workgroup_size(64) fn main(in: I) { let x = in.l.x; o[x / in.s] = subgroupAdd(1u); }\n"),
    CORRECT("lanes-from-index", LANES("64", "o[l] = lane + id;")),
    CORRECT("lanes-from-index", LANES("64", "o[l] = p.n / size;")),
    CORRECT("lanes-from-index", LANES("64", "o[l] = l % p.n;")),
};

static void table(void **state)
{
    (void)state;
    static const char *const families[] = {"subgroups", NULL};
    help_check_table(cases, sizeof cases / sizeof cases[0], families);
}

/* The facts of a device turn "some device" into this one, or into silence. */
static void devices(void **state)
{
    (void)state;
    static const char kernel[] = LANES("256", "let s = subgroupAdd(a[l]); if (l % 32u == 0u) { part[l / 32u] = s; }");
    static const struct {
        double lanes;
        telar_severity severity;
    } rows[] = {{32, TELAR_SEVERITY_DEFAULT}, {8, TELAR_SEVERITY_ERROR}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        telar_facts facts = telar_facts_default();
        facts.values[TELAR_FACT_SUBGROUP_MIN].value = rows[k].lanes;
        facts.values[TELAR_FACT_SUBGROUP_MAX].value = rows[k].lanes;
        telar_check_desc desc = {
            .source = kernel, .source_bytes = strlen(kernel), .facts = &facts, .facts_are_device = true};
        size_t bytes = telar_check_arena_bytes(desc.source_bytes);
        telar_arena arena = telar_arena_make(malloc(bytes), bytes);
        telar_check_result result;
        assert_int_equal(telar_check(&desc, &arena, &result, NULL), TELAR_OK);
        assert_int_equal(help_severity(&result, "assumed-lanes"), rows[k].severity);
        free(arena.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
