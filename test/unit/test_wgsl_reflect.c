/* SPDX-License-Identifier: MIT
 *
 * Reflection: what entry points use, directly and through calls, sizes under override values, memory, directives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl_resolve_help.h"

#include <string.h>

static const char two_entries[] =
    "enable f16, subgroups; requires pointer_composite_access;\n"
    "struct Params { n: u32, scale: f32 }\n"
    "@group(1) @binding(3) var<storage, read_write> result: array<vec4f>;\n"
    "@group(0) @binding(2) var<uniform> params: Params;\n"
    "@group(0) @binding(0) var<storage> source: array<f32>;\n"
    "@group(0) @binding(1) var image: texture_storage_2d<rgba8unorm, write>;\n"
    "@group(0) @binding(5) var<storage, read_write> count: array<atomic<u32>, 3>;\n"
    "@group(7) @binding(0) var<uniform> unused: vec4f;\n"
    "var<workgroup> tile: array<f32, 65>;\n"
    "var<workgroup> flag: bool;\n"
    "var<private> state: u32;\n"
    "fn load(i: u32) -> f32 { return source[i] * params.scale; }\n"
    "fn step(i: u32) { tile[i % 65] = load(i); workgroupBarrier(); state++; }\n"
    "@compute @workgroup_size(8, 4) fn first(@builtin(global_invocation_id) id: vec3u) {\n"
    "    step(id.x); workgroupBarrier(); result[0] = vec4f(load(1));\n"
    "}\n"
    "struct In { @builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32 }\n"
    "@compute @workgroup_size(64) fn second(in: In, @builtin(num_workgroups) groups: vec3u) {\n"
    "    flag = subgroupAny(in.local == 0);\n"
    "    atomicAdd(&count[1], 1); textureStore(image, vec2u(), vec4f());\n"
    "}\n"
    "@fragment fn shade(@builtin(position) p: vec4f) -> @location(0) vec4f { return dpdx(p); }\n";

static void entry_points(void **state)
{
    (void)state;
    const telar_wgsl_reflection *r = resolve_reflect(resolve_read(two_entries), NULL, 0);
    assert_int_equal(r->entries_count, 3);
    assert_int_equal(r->bindings_count, 6);
    const telar_wgsl_entry *first = telar_wgsl_find_entry(r, "first");
    assert_int_equal(first->stage, TELAR_WGSL_COMPUTE);
    assert_int_equal(first->workgroup_size[0], 8);
    assert_int_equal(first->workgroup_size[1], 4);
    assert_int_equal(first->workgroup_size[2], 1);
    assert_false(first->size_by_override);
    assert_int_equal(first->functions_count, 3);
    assert_int_equal(first->barriers_count, 2);
    assert_int_equal(first->workgroup_bytes, 272);
    assert_int_equal(first->bindings_count, 3);
    assert_string_equal(first->bindings[0]->name, "source");
    assert_string_equal(first->bindings[1]->name, "params");
    assert_string_equal(first->bindings[2]->name, "result");
    assert_int_equal(first->builtins_count, 1);
    assert_string_equal(first->builtins[0], "global_invocation_id");
    assert_false(first->uses_subgroups || first->uses_atomics || first->uses_derivatives);

    const telar_wgsl_entry *second = telar_wgsl_find_entry(r, "second");
    assert_true(second->uses_subgroups && second->uses_atomics);
    assert_int_equal(second->workgroup_bytes, 16);
    assert_int_equal(second->builtins_count, 3);
    assert_string_equal(second->builtins[2], "num_workgroups");
    assert_int_equal(second->bindings_count, 2);

    const telar_wgsl_entry *shade = telar_wgsl_find_entry(r, "shade");
    assert_int_equal(shade->stage, TELAR_WGSL_FRAGMENT);
    assert_int_equal(shade->workgroup_size[0], 0);
    assert_true(shade->uses_derivatives);
    assert_null(telar_wgsl_find_entry(r, "load"));
}

static void bindings(void **state)
{
    (void)state;
    const telar_wgsl_reflection *r = resolve_reflect(resolve_read(two_entries), NULL, 0);
    const telar_wgsl_binding *result = &r->bindings[0], *params = &r->bindings[1], *image = &r->bindings[3],
                             *count = &r->bindings[4];
    assert_int_equal(result->group, 1);
    assert_int_equal(result->binding, 3);
    assert_int_equal(result->space, TELAR_WGSL_STORAGE);
    assert_int_equal(result->access, TELAR_WGSL_READ_WRITE);
    assert_string_equal(result->type, "array<vec4<f32>>");
    assert_string_equal(result->element_type, "vec4<f32>");
    assert_int_equal(result->array_stride, 16);
    assert_int_equal(result->min_bytes, 16);
    assert_int_equal(params->space, TELAR_WGSL_UNIFORM);
    assert_string_equal(params->type, "Params");
    assert_int_equal(params->min_bytes, 8);
    assert_null(params->element_type);
    assert_int_equal(image->space, TELAR_WGSL_HANDLE);
    assert_int_equal(image->access, TELAR_WGSL_WRITE);
    assert_string_equal(image->type, "texture_storage_2d<rgba8unorm, write>");
    assert_int_equal(image->min_bytes, 0);
    assert_true(count->has_atomics);
    assert_int_equal(count->array_count, 3);
    assert_int_equal(count->min_bytes, 12);
    assert_int_equal(r->enables_count, 2);
    assert_string_equal(r->enables[1], "subgroups");
    assert_int_equal(r->required_count, 1);
    assert_string_equal(r->required[0], "pointer_composite_access");
}

static const char sized_by_override[] =
    "override size: u32 = 32;\n"
    "@id(7) override rows = size / 8;\n"
    "override depth: i32;\n"
    "@id(9) override factor: f32 = 0.5;\n"
    "override fast = size > 64 && factor < 1;\n"
    "var<workgroup> tile: array<array<f32, 3>, size * rows>;\n"
    "var<workgroup> edge: array<vec3f, size>;\n"
    "@compute @workgroup_size(size, rows) fn f() { tile[0][0] = f32(depth); edge[0] = vec3f(); }\n"
    "@compute @workgroup_size(8, 1, u32(depth) + 1) fn g() { if fast { } }\n";

static void overrides(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read(sized_by_override);
    if (m == NULL) fail_msg("%s", resolve_diag.text);
    const telar_wgsl_reflection *r = resolve_reflect(m, NULL, 0);
    assert_int_equal(r->overrides_count, 5);
    assert_string_equal(r->overrides[0].name, "size");
    assert_int_equal(r->overrides[0].id, UINT32_MAX);
    assert_true(r->overrides[0].has_default && r->overrides[0].has_value && r->overrides[0].value == 32);
    assert_true(r->overrides[1].id == 7 && r->overrides[1].value == 4);
    assert_false(r->overrides[2].has_default || r->overrides[2].has_value);
    assert_string_equal(r->overrides[4].type, "bool");
    assert_true(r->overrides[4].has_value && r->overrides[4].value == 0);
    assert_int_equal(r->entries[0].workgroup_size[0], 32);
    assert_int_equal(r->entries[0].workgroup_size[1], 4);
    assert_true(r->entries[0].size_by_override);
    assert_int_equal(r->entries[0].workgroup_bytes, 32 * 4 * 12 + 32 * 16);
    assert_int_equal(r->entries[1].workgroup_size[2], 0);

    const telar_override given[] = {{"size", 128}, {"7", 2}, {"depth", 4}};
    r = resolve_reflect(m, given, TL_COUNT(given));
    assert_int_equal(r->entries[0].workgroup_size[0], 128);
    assert_int_equal(r->entries[0].workgroup_size[1], 2);
    assert_int_equal(r->entries[0].workgroup_bytes, 128 * 2 * 12 + 128 * 16);
    assert_int_equal(r->entries[1].workgroup_size[2], 5);
    assert_true(r->overrides[4].value == 1);
    /* The module is as it was. */
    r = resolve_reflect(m, NULL, 0);
    assert_int_equal(r->entries[0].workgroup_size[0], 32);
}

/* What no default and no value is given for is named by the entry points that use it, through calls too, and by no other. */
static void missing_overrides(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read("override unused: f32;\noverride scale: f32;\noverride twice = 2 * scale;\n"
                                       "@group(0) @binding(0) var<storage, read_write> d: array<f32>;\n"
                                       "fn scaled(x: f32) -> f32 { return x * scale; }\n"
                                       "@compute @workgroup_size(1) fn direct() { d[0] = scaled(2); }\n"
                                       "@compute @workgroup_size(1) fn none() { d[0] = 1; }\n");
    if (m == NULL) fail_msg("%s", resolve_diag.text);
    const telar_wgsl_reflection *r = resolve_reflect(m, NULL, 0);
    assert_string_equal(telar_wgsl_find_entry(r, "direct")->missing_override, "scale");
    assert_null(telar_wgsl_find_entry(r, "none")->missing_override);
    r = resolve_reflect(m, &(telar_override){"scale", 3}, 1);
    assert_null(telar_wgsl_find_entry(r, "direct")->missing_override);
}

static void bad_overrides(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read(sized_by_override);
    assert_null(resolve_reflect(m, &(telar_override){"sise", 1}, 1));
    assert_int_equal(resolve_diag.status, TELAR_NOT_FOUND);
    assert_null(resolve_reflect(m, &(telar_override){"8", 1}, 1));
    assert_int_equal(resolve_diag.status, TELAR_NOT_FOUND);
    assert_null(resolve_reflect(m, &(telar_override){"size", 1.5}, 1));
    assert_int_equal(resolve_diag.status, TELAR_INVALID_ARGUMENT);
    assert_null(resolve_reflect(m, &(telar_override){"size", -1}, 1));
    assert_int_equal(resolve_diag.status, TELAR_INVALID_ARGUMENT);
    assert_null(resolve_reflect(m, &(telar_override){"size", 0}, 1));
    assert_int_equal(resolve_diag.status, TELAR_INVALID_WGSL);
    assert_string_equal(resolve_diag.text, "the workgroup size of 'f' comes out as (0) for these overrides; it must be "
                                           "from (1) to (4294967295)");
    assert_non_null(resolve_reflect(m, &(telar_override){"9", 0.1}, 1));
}

static void immediates(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read("struct I { a: vec3f, b: u32 } var<immediate> i: I;\n"
                                       "@compute @workgroup_size(1) fn f() { _ = i.b; }\n"
                                       "@compute @workgroup_size(1) fn g() { }");
    const telar_wgsl_reflection *r = resolve_reflect(m, NULL, 0);
    assert_int_equal(r->entries[0].immediate_bytes, 16);
    assert_int_equal(r->entries[1].immediate_bytes, 0);
    assert_int_equal(r->bindings_count, 0);
}

static void nothing(void **state)
{
    (void)state;
    const telar_wgsl_reflection *r = resolve_reflect(resolve_read("fn element(i: u32) { }"), NULL, 0);
    assert_int_equal(r->entries_count, 0);
    assert_int_equal(r->bindings_count, 0);
    assert_int_equal(r->overrides_count, 0);
    assert_non_null(resolve_reflect(resolve_read(""), NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry_points),      cmocka_unit_test(bindings),      cmocka_unit_test(overrides),
        cmocka_unit_test(missing_overrides), cmocka_unit_test(bad_overrides), cmocka_unit_test(immediates),
        cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
