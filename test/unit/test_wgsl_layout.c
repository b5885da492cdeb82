/* SPDX-License-Identifier: MIT
 *
 * Memory layout: every type's size and alignment, structures with and without @align and @size, arrays, what may be
 * bound, the uniform address space. Numbers are those of the WGSL specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl_resolve_help.h"

#include <stdio.h>
#include <string.h>

typedef struct size_case {
    const char *type;
    uint32_t align;
    uint64_t size;
} size_case;

static const tl_type_info *info_of(const telar_wgsl *m, const char *name)
{
    return tl_type_get(&m->semantics->types, tl_node_value_type(m, resolve_declared(m, name)));
}

static void plain_types(void **state)
{
    (void)state;
    static const size_case cases[] = {
        {"bool", 4, 4},
        {"i32", 4, 4},
        {"u32", 4, 4},
        {"f32", 4, 4},
        {"f16", 2, 2},
        {"u64", 8, 8},
        {"i64", 8, 8},
        {"f64", 8, 8},
        {"vec2<bool>", 8, 8},
        {"vec2u", 8, 8},
        {"vec3f", 16, 12},
        {"vec4i", 16, 16},
        {"vec2h", 4, 4},
        {"vec3h", 8, 6},
        {"vec4h", 8, 8},
        {"vec3<u64>", 32, 24},
        {"vec2<u64>", 16, 16},
        {"mat2x2f", 8, 16},
        {"mat3x2f", 8, 24},
        {"mat4x2f", 8, 32},
        {"mat2x3f", 16, 32},
        {"mat3x3f", 16, 48},
        {"mat4x3f", 16, 64},
        {"mat2x4f", 16, 32},
        {"mat3x4f", 16, 48},
        {"mat4x4f", 16, 64},
        {"mat2x2h", 4, 8},
        {"mat3x2h", 4, 12},
        {"mat4x2h", 4, 16},
        {"mat2x3h", 8, 16},
        {"mat3x3h", 8, 24},
        {"mat4x3h", 8, 32},
        {"mat2x4h", 8, 16},
        {"mat3x4h", 8, 24},
        {"mat4x4h", 8, 32},
        {"array<f32, 5>", 4, 20},
        {"array<vec3f, 3>", 16, 48},
        {"array<vec3h, 3>", 8, 24},
        {"array<array<vec2f, 3>, 2>", 8, 48},
        {"array<mat3x3f, 2>", 16, 96},
    };
    for (size_t k = 0; k < TL_COUNT(cases); k++) {
        char source[128];
        snprintf(source, sizeof source, "enable f16; var<private> x: %s;", cases[k].type);
        const telar_wgsl *m = resolve_read(source);
        if (m == NULL) fail_msg("%s: %s", source, resolve_diag.text);
        const tl_type_info *info = info_of(m, "x");
        if (info->align != cases[k].align || info->size != cases[k].size) print_message("%s\n", source);
        assert_int_equal(info->align, cases[k].align);
        assert_int_equal(info->size, cases[k].size);
    }
}

static void atomics(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read("var<workgroup> a: atomic<u32>; var<workgroup> b: array<atomic<i32>, 3>;"
                                       "var<workgroup> c: atomic<u64>; struct S { a: u32, b: atomic<u64> }"
                                       "var<workgroup> d: S;");
    assert_int_equal(info_of(m, "a")->size, 4);
    assert_int_equal(resolve_declared(m, "a") != 0, 1);
    assert_int_equal(tl_type_get(&m->semantics->types, tl_node_value_type(m, resolve_declared(m, "d")))->size, 16);
    assert_true((info_of(m, "d")->flags & TL_TYPE_HAS_ATOMIC) != 0);
}

typedef struct member_case {
    const char *name;
    uint64_t offset;
} member_case;

static void check_struct(const telar_wgsl *m, const char *name, uint32_t align, uint64_t size,
                         const member_case *members, uint32_t count)
{
    const tl_types *types = &m->semantics->types;
    tl_type type = tl_node_type(m, resolve_declared(m, name));
    assert_int_equal(tl_type_get(types, type)->align, align);
    assert_int_equal(tl_type_get(types, type)->size, size);
    assert_int_equal(tl_type_struct(types, type)->member_count, count);
    for (uint32_t k = 0; k < count; k++) {
        const tl_member *member = &tl_type_members(types, type)[k];
        assert_true(tl_str_equal(tl_symbol_name(m, member->name), tl_str_of(members[k].name)));
        assert_int_equal(member->offset, members[k].offset);
    }
}

static void structures(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read("struct A { u: f32, v: f32, w: vec2<f32>, x: f32 }\n"
                                       "struct B { a: vec2<f32>, b: vec3<f32>, c: f32, d: f32, e: A, f: vec3<f32>,\n"
                                       "           g: array<A, 3>, h: i32 }\n");
    static const member_case a[] = {{"u", 0}, {"v", 4}, {"w", 8}, {"x", 16}};
    static const member_case b[] = {{"a", 0},  {"b", 16}, {"c", 28}, {"d", 32},
                                    {"e", 40}, {"f", 64}, {"g", 80}, {"h", 152}};
    check_struct(m, "A", 8, 24, a, TL_COUNT(a));
    check_struct(m, "B", 16, 160, b, TL_COUNT(b));
}

static void explicit_layout(void **state)
{
    (void)state;
    const telar_wgsl *m =
        resolve_read("const sixteen = 8 * 2;\n"
                     "struct A { u: f32, v: f32, w: vec2<f32>, @size(sixteen) x: f32 }\n"
                     "struct B { a: vec2<f32>, @align(16) b: vec3<f32>, c: f32, d: f32, @align(sixteen) e: A,\n"
                     "           f: vec3<f32>, @align(16) g: array<A, 3>, h: i32 }\n"
                     "struct C { @align(64) a: f32 } struct D { a: u32, c: C }\n");
    static const member_case a[] = {{"u", 0}, {"v", 4}, {"w", 8}, {"x", 16}};
    static const member_case b[] = {{"a", 0},  {"b", 16}, {"c", 28}, {"d", 32},
                                    {"e", 48}, {"f", 80}, {"g", 96}, {"h", 192}};
    static const member_case d[] = {{"a", 0}, {"c", 64}};
    check_struct(m, "A", 8, 32, a, TL_COUNT(a));
    check_struct(m, "B", 16, 208, b, TL_COUNT(b));
    check_struct(m, "D", 64, 128, d, TL_COUNT(d));
}

static void half_precision(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read("enable f16; struct S { a: f16, b: vec3h, c: f16, d: f32, e: mat3x3h, f: f16 }");
    static const member_case s[] = {{"a", 0}, {"b", 8}, {"c", 14}, {"d", 16}, {"e", 24}, {"f", 48}};
    check_struct(m, "S", 8, 56, s, TL_COUNT(s));
}

static void runtime_arrays(void **state)
{
    (void)state;
    static const struct {
        const char *declarations, *type;
        uint64_t min_bytes, array_offset;
        uint32_t stride, element_bytes;
    } cases[] = {
        {"", "array<u32>", 4, 0, 4, 4},
        {"", "array<vec3f>", 16, 0, 16, 12},
        {"", "array<mat3x3f>", 48, 0, 48, 48},
        {"", "array<array<u32, 3>>", 12, 0, 12, 12},
        {"struct S { n: u32, v: array<vec3f> }", "S", 32, 16, 16, 12},
        {"struct S { n: u32, v: array<u32> }", "S", 8, 4, 4, 4},
        {"struct P { a: vec3f, b: f32 } struct S { h: vec4u, p: array<P> }", "S", 32, 16, 16, 16},
        {"struct P { a: vec3f, b: vec2f } struct S { h: u32, p: array<P> }", "S", 48, 16, 32, 32},
    };
    for (size_t k = 0; k < TL_COUNT(cases); k++) {
        char source[256];
        snprintf(source, sizeof source, "%s @group(0) @binding(0) var<storage, read_write> b: %s;",
                 cases[k].declarations, cases[k].type);
        const telar_wgsl *m = resolve_read(source);
        const telar_wgsl_reflection *r = resolve_reflect(m, NULL, 0);
        assert_int_equal(r->bindings_count, 1);
        assert_int_equal(r->bindings[0].min_bytes, cases[k].min_bytes);
        assert_int_equal(r->bindings[0].array_offset, cases[k].array_offset);
        assert_int_equal(r->bindings[0].array_stride, cases[k].stride);
        assert_int_equal(r->bindings[0].element_bytes, cases[k].element_bytes);
        assert_int_equal(r->bindings[0].array_count, 0);
    }
}

static void uniform_rules(void **state)
{
    (void)state;
    static const struct {
        const char *declarations, *type;
        bool fits;
        uint64_t misfit;
    } cases[] = {
        {"", "vec3f", true, 0},
        {"", "array<vec4f, 4>", true, 0},
        {"", "array<f32, 4>", false, 0},
        {"", "array<vec2f, 4>", false, 0},
        {"", "mat3x2f", true, 0},
        {"struct S { a: u32, b: u32 }", "S", true, 0},
        {"struct S { a: vec4f, b: array<f32, 8> }", "S", false, 16},
        {"struct I { a: u32 } struct S { a: u32, b: I }", "S", false, 4},
        {"struct I { a: u32 } struct S { a: u32, @align(16) b: I }", "S", true, 0},
        {"struct I { a: u32 } struct S { a: I, b: u32 }", "S", false, 4},
        {"struct I { a: u32 } struct S { a: I, @align(16) b: u32 }", "S", true, 0},
    };
    for (size_t k = 0; k < TL_COUNT(cases); k++) {
        char source[256];
        snprintf(source, sizeof source, "%s @group(0) @binding(0) var<uniform> b: %s;", cases[k].declarations,
                 cases[k].type);
        const telar_wgsl_reflection *r = resolve_reflect(resolve_read(source), NULL, 0);
        if (r->bindings[0].fits_uniform_layout != cases[k].fits) print_message("%s\n", source);
        assert_int_equal(r->bindings[0].fits_uniform_layout, cases[k].fits);
        assert_int_equal(r->bindings[0].misfit_offset, cases[k].misfit);
    }
}

static void huge(void **state)
{
    (void)state;
    const telar_wgsl *m = resolve_read("alias A = array<array<array<u32, 4294967295>, 4294967295>, 4294967295>;\n"
                                       "@group(0) @binding(0) var<storage> a: A;");
    assert_int_equal(info_of(m, "a")->size, UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_types),     cmocka_unit_test(atomics),        cmocka_unit_test(structures),
        cmocka_unit_test(explicit_layout), cmocka_unit_test(half_precision), cmocka_unit_test(runtime_arrays),
        cmocka_unit_test(uniform_rules),   cmocka_unit_test(huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
