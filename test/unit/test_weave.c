/* SPDX-License-Identifier: MIT
 *
 * Weaving without a device: the whole text of small kernels, what inspection finds, what is refused and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <telar/weave.h>

#define LAUNCH_BLOCK                                                                                                   \
    "\nstruct telar_launch_block {\n"                                                                                  \
    "    count: vec3u,\n"                                                                                              \
    "    groups: u32,\n"                                                                                               \
    "    row_groups: u32,\n"                                                                                           \
    "    rows: u32,\n"                                                                                                 \
    "    stride: u32,\n"                                                                                               \
    "    base: u32,\n"                                                                                                 \
    "}\n"

static const char scale[] = "@group(0) @binding(0) var<storage, read> s: array<f32>;\n"
                            "@group(0) @binding(1) var<storage, read_write> d: array<f32>;\n"
                            "fn element(i: u32) { d[i] = s[i] * 0.99; }\n";

typedef struct woven_case {
    const char *source;
    telar_plan_desc desc;
    telar_dialect dialect;
    const char *entry;
    const char *element;
    telar_override overrides[2];
    uint32_t overrides_count;
    uint64_t groups_limit; /* of an axis; 0: WebGPU's */
    /* results */
    telar_plan plan;
    telar_woven woven;
    telar_weave_needs needs;
    telar_status status;
    telar_diag diag;
    void *memory;
} woven_case;

enum {
    MEMORY_BYTES = 1 << 20
};

static void weave(woven_case *c)
{
    telar_facts facts = telar_facts_default();
    if (c->groups_limit != 0) facts.limits.maxComputeWorkgroupsPerDimension = c->groups_limit;
    c->memory = malloc(MEMORY_BYTES);
    telar_arena arena = telar_arena_make(c->memory, MEMORY_BYTES);
    telar_wgsl *module;
    if (telar_wgsl_read(c->source, strlen(c->source), &arena, &module, &c->diag) != TELAR_OK) {
        fail_msg("%u:%u: %s", c->diag.line, c->diag.column, c->diag.text);
    }
    telar_weave_desc desc = {.module = module,
                             .entry = c->entry,
                             .element = c->element,
                             .plan = &c->plan,
                             .dialect = c->dialect,
                             .overrides = c->overrides,
                             .overrides_count = c->overrides_count};
    c->status = telar_weave_inspect(&desc, &arena, &c->needs, &c->diag);
    if (c->status != TELAR_OK) return;
    if (c->needs.form != TELAR_FORM_ELEMENT && c->desc.size[0] == 0) {
        memcpy(c->desc.size, c->needs.workgroup_size, sizeof c->desc.size);
    }
    c->desc.binding_bytes_per_element = c->needs.binding_bytes_per_element;
    if (telar_plan_make(&c->desc, &facts, &c->plan, &c->diag) != TELAR_OK) fail_msg("%s", c->diag.text);
    c->status = telar_weave(&desc, &arena, &c->woven, &c->diag);
}

static void expect_text(woven_case c, const char *before, const char *after)
{
    weave(&c);
    if (c.status != TELAR_OK) fail_msg("%s", c.diag.text);
    char *want = malloc(strlen(before) + strlen(after) + 1);
    strcpy(want, before);
    strcat(want, after);
    assert_string_equal(c.woven.kernel.wgsl, want);
    free(want);
    free(c.memory);
}

static void expect_refusal(woven_case c, telar_status status, const char *text)
{
    weave(&c);
    assert_int_equal(c.status, status);
    if (strstr(c.diag.text, text) == NULL) fail_msg("'%s' does not say '%s'", c.diag.text, text);
    assert_null(c.woven.kernel.wgsl);
    free(c.memory);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

static void one_element_an_invocation(void **state)
{
    (void)state;
    expect_text((woven_case){.source = scale, .desc = {.count = {1000}}}, scale,
                LAUNCH_BLOCK "@group(1) @binding(0) var<uniform> telar_launch: telar_launch_block;\n\n"
                             "@compute @workgroup_size(64, 1, 1)\n"
                             "fn telar_main(@builtin(workgroup_id) telar_workgroup: vec3u,\n"
                             "              @builtin(local_invocation_index) telar_local: u32) {\n"
                             "    let telar_tile = telar_workgroup.x;\n"
                             "    let telar_first = telar_tile * 64u + telar_local;\n"
                             "    if (telar_first < telar_launch.count.x) { element(telar_first); }\n"
                             "}\n");
}

static void folded_items_through_immediates(void **state)
{
    (void)state;
    telar_dialect dialect = {.immediates = true};
    expect_text((woven_case){.source = scale,
                             .desc = {.count = {1000}, .size = {128}, .items = 2, .shape = TELAR_SHAPE_FOLD},
                             .dialect = dialect},
                scale,
                LAUNCH_BLOCK "var<immediate> telar_launch: telar_launch_block;\n\n"
                             "@compute @workgroup_size(128, 1, 1)\n"
                             "fn telar_main(@builtin(workgroup_id) telar_workgroup: vec3u,\n"
                             "              @builtin(local_invocation_index) telar_local: u32) {\n"
                             "    let telar_group = (telar_workgroup.z * telar_launch.rows + telar_workgroup.y) *"
                             " telar_launch.row_groups + telar_workgroup.x;\n"
                             "    if (telar_group >= telar_launch.groups) { return; }\n"
                             "    let telar_tile = telar_group;\n"
                             "    let telar_first = telar_tile * 256u + telar_local;\n"
                             "    if (telar_tile < telar_launch.count.x / 256u) {\n"
                             "        element(telar_first);\n"
                             "        element(telar_first + 128u);\n"
                             "    } else {\n"
                             "        for (var telar_item = 0u; telar_item < 2u; telar_item++) {\n"
                             "            let telar_index = telar_first + telar_item * 128u;\n"
                             "            if (telar_index < telar_launch.count.x) { element(telar_index); }\n"
                             "        }\n"
                             "    }\n"
                             "}\n");
}

static void an_ordinary_kernel_is_passed_through(void **state)
{
    (void)state;
    static const char source[] = "@group(0) @binding(0) var<storage, read_write> d: array<f32>;\n"
                                 "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                                 "    if (g.x < 1000) { d[g.x] = 1; }\n}\n";
    expect_text((woven_case){.source = source, .desc = {.count = {1000}}}, source, "");
}

static void a_folded_kernel_rebuilds_its_ids(void **state)
{
    (void)state;
    expect_text((woven_case){.source = "@group(0) @binding(0) var<storage, read_write> d: array<f32>;\n"
                                       "@compute @workgroup_size(8, 2)\n"
                                       "fn main(@builtin(global_invocation_id) gid: vec3u, ) {\n"
                                       "    // The guard.\n"
                                       "    if (gid.x < 1000) { d[gid.x] = 1; }\n}\n",
                             .desc = {.count = {1000}, .shape = TELAR_SHAPE_FOLD}},
                "@group(0) @binding(0) var<storage, read_write> d: array<f32>;\n"
                "@compute @workgroup_size(8, 2)\n"
                "fn main(@builtin(workgroup_id) telar_workgroup: vec3u,"
                " @builtin(local_invocation_id) telar_local: vec3u) {\n"
                "    let telar_group = (telar_workgroup.z * telar_launch.rows + telar_workgroup.y) *"
                " telar_launch.row_groups + telar_workgroup.x;\n"
                "    if (telar_group >= telar_launch.groups) { return; }\n"
                "    let telar_size = vec3u(u32(8), u32(2), 1);\n"
                "    let telar_groups = vec3u(telar_launch.groups, 1, 1);\n"
                "    let telar_id = vec3u(telar_group, 0, 0);\n"
                "    let gid = telar_id * telar_size + telar_local;\n"
                "\n"
                "    // The guard.\n"
                "    if (gid.x < 1000) { d[gid.x] = 1; }\n}\n",
                LAUNCH_BLOCK "@group(1) @binding(0) var<uniform> telar_launch: telar_launch_block;\n\n");
}

static void windows_cut_what_is_accessed_at_the_index(void **state)
{
    (void)state;
    woven_case c = {.source = "@group(0) @binding(0) var<storage, read> lut: array<f32>;\n"
                              "@group(0) @binding(1) var<storage, read_write> d: array<vec4f>;\n"
                              "fn element(i: u32) { d[i] += lut[i & 255]; d[(i)].x = 0; }\n",
                    .desc = {.count = {UINT64_C(1) << 24}}};
    weave(&c);
    if (c.status != TELAR_OK) fail_msg("%s", c.diag.text);
    assert_int_equal(c.plan.window_count, 2);
    assert_non_null(strstr(c.woven.kernel.wgsl, "d[i - telar_launch.base] += lut[i & 255]; "
                                                "d[(i) - telar_launch.base].x = 0;"));
    assert_non_null(strstr(c.woven.kernel.wgsl, "element(telar_launch.base + telar_first)"));
    assert_false(c.woven.kernel.bindings[0].windowed);
    assert_true(c.woven.kernel.bindings[1].windowed);
    free(c.memory);
}

static void dialects_edit_directives(void **state)
{
    (void)state;
    const char *rest = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                       "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n"
                       "    d[i] = subgroupAdd(1u);\n}\n";
    char with[512], naga[512], source[512];
    strcat(strcpy(with, "enable subgroups;\n"), rest);
    strcat(strcpy(naga, "\n"), rest);
    strcpy(source, rest);
    expect_text((woven_case){.source = with, .desc = {.count = {64}}, .dialect = telar_dialect_tint()}, with, "");
    expect_text((woven_case){.source = source, .desc = {.count = {64}}, .dialect = telar_dialect_tint()}, with, "");
    expect_text((woven_case){.source = with, .desc = {.count = {64}}, .dialect = telar_dialect_naga()}, naga, "");
    char twice[600], listed[600];
    strcat(strcat(strcpy(twice, "enable f16, subgroups,;\nenable subgroups;\n"),
                  "requires packed_4x8_integer_dot_product;\n"),
           rest);
    strcat(strcpy(listed, "enable f16,;\n\n\n"), rest);
    expect_text((woven_case){.source = twice, .desc = {.count = {64}}, .dialect = telar_dialect_naga()}, listed, "");
    expect_refusal((woven_case){.source = with, .desc = {.count = {64}}}, TELAR_UNSUPPORTED, "subgroups");
}

/* ---- Inspection -------------------------------------------------------------------------------------------------- */

static void inspection_sees_what_a_plan_needs(void **state)
{
    (void)state;
    woven_case c = {.source = scale, .desc = {.count = {10}}};
    weave(&c);
    assert_int_equal(c.needs.form, TELAR_FORM_ELEMENT);
    assert_string_equal(c.needs.name, "element");
    assert_int_equal(c.needs.dimensions, 1);
    assert_int_equal(c.needs.bytes_per_element, 8);
    assert_int_equal(c.needs.binding_bytes_per_element, 4);
    assert_string_equal(c.needs.count_binding, "s");
    assert_true(c.needs.windowable);
    assert_true(c.needs.foldable);
    free(c.memory);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

/* Names that the added text relies on keep their meaning, or the source is refused. */
static void names_that_weaving_needs(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "struct vec3u { x: u32 }\nfn element(i: u32) {}", "alias vec2u = vec2<i32>;\nfn element(i: u32) {}",
        "alias u32 = i32;\nfn element(i: vec2u) {}",      "const u32 = 1;\nfn element(i: vec2u) {}",
        "fn all(i: bool) {}\nfn element(i: u32) {}",
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        telar_plan_desc desc = {.count = {8}};
        if (strstr(refused[k], "i: vec2u") != NULL) desc = (telar_plan_desc){.count = {8, 8}, .dimensions = 2};
        expect_refusal((woven_case){.source = refused[k], .desc = desc}, TELAR_UNSUPPORTED, "declares its own");
    }
    static const char *const prefixed[] = {
        "fn element(telar_x: u32) {}",
        "fn element(i: u32) { let telar_launch = i; }",
        "@compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3u) { var telar_group = w; }",
    };
    for (size_t k = 0; k < sizeof prefixed / sizeof *prefixed; k++) {
        expect_refusal((woven_case){.source = prefixed[k], .desc = {.count = {8}, .shape = TELAR_SHAPE_FOLD}},
                       TELAR_INVALID_WGSL, "telar_");
    }
    woven_case plain = {.source = "fn all(telar_x: u32) {}\n@compute @workgroup_size(1) fn main() {}",
                        .desc = {.count = {8}}};
    weave(&plain);
    assert_int_equal(plain.status, TELAR_OK);
    free(plain.memory);
}

/* A kernel that is not known to loop is never launched with fewer groups than it needs, unless that is asked for. */
static void a_stride_must_be_asked_for(void **state)
{
    (void)state;
    static const char source[] = "@compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3u) {}";
    woven_case c = {.source = source, .desc = {.count = {1000}}, .groups_limit = 5};
    expect_refusal(c, TELAR_NOT_FOLDABLE, "5 groups stride over the work of 1000");
    c.desc.shape = TELAR_SHAPE_STRIDE;
    weave(&c);
    assert_int_equal(c.status, TELAR_OK);
    free(c.memory);
    c.source = scale;
    c.desc.shape = TELAR_SHAPE_AUTO;
    c.desc.size[0] = c.desc.items = 1;
    weave(&c);
    assert_int_equal(c.status, TELAR_OK);
    assert_int_equal(c.plan.shape, TELAR_SHAPE_STRIDE);
    free(c.memory);
}

static void the_launch_block_finds_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        uint32_t group;
        uint32_t binding;
    } cases[] = {
        {"fn element(i: u32) {}", 0, 0},
        {"@group(0) @binding(0) var<uniform> a: u32;\n@group(2) @binding(0) var<uniform> c: u32;\n"
         "fn element(i: u32) { _ = a + c; }",
         1, 0},
        {"@group(0) @binding(0) var<uniform> a: u32;\n@group(1) @binding(0) var<uniform> b: u32;\n"
         "@group(2) @binding(0) var<uniform> c: u32;\n@group(3) @binding(0) var<uniform> d: u32;\n"
         "@group(3) @binding(3) var<uniform> e: u32;\nfn element(i: u32) { _ = a + b + c + d + e; }",
         3, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        woven_case c = {.source = cases[k].source, .desc = {.count = {8}}};
        weave(&c);
        if (c.status != TELAR_OK) fail_msg("%s", c.diag.text);
        assert_int_equal(c.woven.kernel.params_group, cases[k].group);
        assert_int_equal(c.woven.kernel.params_binding, cases[k].binding);
        free(c.memory);
    }
}

/* A pipeline knows an override by its @id where it has one, whichever of the two the caller says. */
static void overrides_get_the_keys_of_a_pipeline(void **state)
{
    (void)state;
    woven_case c = {.source = "@id(7) override times: f32;\noverride bias = 0.5;\n"
                              "@group(0) @binding(0) var<storage, read_write> d: array<f32>;\n"
                              "fn element(i: u32) { d[i] = d[i] * times + bias; }\n",
                    .desc = {.count = {100}},
                    .overrides = {{"times", 2}, {"bias", 1}},
                    .overrides_count = 2};
    weave(&c);
    assert_int_equal(c.status, TELAR_OK);
    assert_int_equal(c.woven.kernel.overrides_count, 2);
    assert_string_equal(c.woven.kernel.overrides[0].name, "7");
    assert_string_equal(c.woven.kernel.overrides[1].name, "bias");
    assert_null(c.woven.kernel.missing_override);
    free(c.memory);

    c.overrides[0] = (telar_override){"07", 2}; /* as pipelines do not write it */
    weave(&c);
    assert_string_equal(c.woven.kernel.overrides[0].name, "7");
    free(c.memory);

    c.overrides[1] = (telar_override){"times", 3};
    weave(&c);
    assert_int_equal(c.status, TELAR_INVALID_ARGUMENT);
    assert_string_equal(c.diag.text, "the override 'times' is set twice");
    free(c.memory);

    c.overrides_count = 0;
    weave(&c);
    assert_int_equal(c.status, TELAR_OK);
    assert_string_equal(c.woven.kernel.missing_override, "times");
    free(c.memory);
}

static void refusals_say_why_and_what_to_change(void **state)
{
    (void)state;
    expect_refusal((woven_case){.source = "@group(0) @binding(3) var<storage, read_write> d: array<f32>;\n"
                                          "@group(0) @binding(3) var<storage, read_write> e: array<f32>;\n"
                                          "fn element(i: u32) { d[i] = e[i]; }\n",
                                .desc = {.count = {1}}},
                   TELAR_INVALID_WGSL, "'d' and 'e' are both at @group(0) @binding(3)");
    expect_refusal((woven_case){.source = "fn other() {}", .desc = {.count = {1}}}, TELAR_NOT_FOUND, "neither");
    expect_refusal((woven_case){.source = scale, .desc = {.count = {1}}, .element = "elemnt"}, TELAR_NOT_FOUND,
                   "did you mean 'element'?");
    expect_refusal((woven_case){.source = "fn element(i: i32) {}", .desc = {.count = {1}}}, TELAR_INVALID_WGSL,
                   "one index (u32, vec2u or vec3u)");
    expect_refusal((woven_case){.source = "fn element(i: u32) -> u32 { return i; }", .desc = {.count = {1}}},
                   TELAR_INVALID_WGSL, "returns nothing");
    expect_refusal((woven_case){.source = "fn help() { workgroupBarrier(); }\nfn element(i: u32) { help(); }",
                                .desc = {.count = {1}}},
                   TELAR_INVALID_WGSL, "barrier");
    expect_refusal((woven_case){.source = "fn element(p: vec2u) {}", .desc = {.count = {1}}}, TELAR_INVALID_ARGUMENT,
                   "2 dimensions");
    expect_refusal((woven_case){.source = "fn telar_x() {}\nfn element(i: u32) {}", .desc = {.count = {1}}},
                   TELAR_INVALID_WGSL, "telar_");
    expect_refusal(
        (woven_case){.source = "@compute @workgroup_size(1) fn a() {}\n@compute @workgroup_size(1) fn b() {}",
                     .desc = {.count = {1}}},
        TELAR_NOT_FOUND, "2 compute entry points");
    expect_refusal((woven_case){.source = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                                          "fn element(i: u32) { d[i] = i; }",
                                .desc = {.count = {(UINT64_C(1) << 32) + 1}}},
                   TELAR_NOT_FOLDABLE, "as a value");
    static const char ordinary[] = "@compute @workgroup_size(64) fn main() {}";
    expect_refusal((woven_case){.source = ordinary, .desc = {.count = {100}, .items = 4}}, TELAR_INVALID_ARGUMENT,
                   "takes 1; plan with items 1");
    expect_refusal((woven_case){.source = ordinary, .desc = {.count = {100}, .size = {32}}}, TELAR_INVALID_ARGUMENT,
                   "size on x (32) is not the kernel's (64)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_element_an_invocation),
        cmocka_unit_test(folded_items_through_immediates),
        cmocka_unit_test(an_ordinary_kernel_is_passed_through),
        cmocka_unit_test(a_folded_kernel_rebuilds_its_ids),
        cmocka_unit_test(windows_cut_what_is_accessed_at_the_index),
        cmocka_unit_test(dialects_edit_directives),
        cmocka_unit_test(inspection_sees_what_a_plan_needs),
        cmocka_unit_test(names_that_weaving_needs),
        cmocka_unit_test(a_stride_must_be_asked_for),
        cmocka_unit_test(the_launch_block_finds_a_place),
        cmocka_unit_test(overrides_get_the_keys_of_a_pipeline),
        cmocka_unit_test(refusals_say_why_and_what_to_change),
    };
    return cmocka_run_group_tests_name("weave", tests, NULL, NULL);
}
