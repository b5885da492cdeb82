/* SPDX-License-Identifier: MIT
 *
 * Mistakes planted into the correct kernels of examples/: each kernel is silent as it stands, and the rule that names the
 * mistake finds it once one piece of text is exchanged for another. */
#include "check_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ESCALAR "lessons/escalar.wgsl"
#define DESENFOCAR "lessons/desenfocar.wgsl"
#define GEMM "lessons/gemm.wgsl"
#define REDUCIR "lessons/reducir.wgsl"
#define ZANCADA "lessons/zancada.wgsl"
#define CONTOURS "kernels/contours.wgsl"
#define DISPATCH_ARGS "kernels/dispatch_args.wgsl"
#define KEEP "kernels/keep.wgsl"
#define POINTS "kernels/points.wgsl"
#define SUBGROUP_SUMS "kernels/subgroup_sums.wgsl"
#define WEIGHTED_HISTOGRAM "kernels/weighted_histogram.wgsl"

typedef struct mutation {
    const char *file;
    const char *from, *to; /* every occurrence */
    check_case as;         /* the rule, its severity, and the launch */
} mutation;

#define FINDS(rule_, severity_) {.rule = (rule_), .severity = TELAR_SEVERITY_##severity_}
#define FINDS_IN(rule_, severity_, ...) {.rule = (rule_), .severity = TELAR_SEVERITY_##severity_, __VA_ARGS__}

/* The end of gemm with six more arrays. */
#define NINE_STORAGE_BUFFERS                                                                                           \
    "c[gid.y * t.columnas + gid.x] = suma + d[0] + e[0] + f[0] + g[0] + h[0] + i[0]; }\n}\n"                           \
    "@group(0) @binding(4) var<storage, read> d: array<f32>;\n"                                                        \
    "@group(0) @binding(5) var<storage, read> e: array<f32>;\n"                                                        \
    "@group(0) @binding(6) var<storage, read> f: array<f32>;\n"                                                        \
    "@group(0) @binding(7) var<storage, read> g: array<f32>;\n"                                                        \
    "@group(0) @binding(8) var<storage, read> h: array<f32>;\n"                                                        \
    "@group(0) @binding(9) var<storage, read> i: array<f32>;\n"

static const mutation mutations[] = {
    {ESCALAR, "if (gid.x >= params.conteo) { return; }", "", FINDS("unguarded-index", WARNING)},
    {ESCALAR, "if (gid.x >= params.conteo) { return; }", "",
     FINDS_IN("unguarded-index", ERROR, .dispatch = {47}, .binds = {{"datos", 12000, NULL}})},
    {ESCALAR, ">= params.conteo", "> params.conteo", FINDS("guard-off-by-one", WARNING)},
    {ESCALAR, ">= params.conteo", ">= arrayLength(&datos) * 4u", FINDS("guard-in-bytes", ERROR)},
    {ESCALAR, "if (gid.x >= params.conteo) { return; }",
     "let x = datos[gid.x]; if (gid.x >= params.conteo) { return; }", FINDS("guard-after-access", WARNING)},
    {ESCALAR, "datos[gid.x] =", "datos[gid.x - 1u] =", FINDS("unsigned-underflow", ERROR)},
    {ESCALAR, "@workgroup_size(64)", "@workgroup_size(16, 32)", FINDS("workgroup-size", WARNING)},
    {ESCALAR, "@workgroup_size(64)", "@workgroup_size(40)", FINDS("partial-lanes", NOTE)},
    {ESCALAR, "@workgroup_size(64)", "@workgroup_size(1)", FINDS_IN("group-of-one", NOTE, .dispatch = {1000})},
    {ESCALAR, "", "", FINDS_IN("fold-ignored", ERROR, .dispatch = {32769, 2})},
    {ESCALAR, "", "", FINDS_IN("fold-ignored", ERROR, .count = {5000000})},
    {ESCALAR, "", "", FINDS_IN("dispatch-short", ERROR, .count = {3000001}, .dispatch = {46875})},
    {ESCALAR, "", "", FINDS_IN("dispatch-twice", WARNING, .count = {1000}, .dispatch = {1000})},
    {ESCALAR, "", "", FINDS_IN("dispatch-limit", ERROR, .dispatch = {65536})},
    {ESCALAR, "", "", FINDS_IN("binding-small", ERROR, .count = {3000001}, .binds = {{"datos", 12000000, NULL}})},
    {ESCALAR, "", "", FINDS_IN("binding-limit", WARNING, .binds = {{"datos", 400000000, NULL}})},
    {ESCALAR, "", "", FINDS_IN("binding-alias", ERROR, .binds = {{"datos", 400, "b"}, {"params", 400, "b"}})},
    {ESCALAR, "", "", FINDS_IN("indirect-writable", ERROR, .indirect_buffer = "datos")},
    {ESCALAR, "", "", FINDS_IN("indirect-offset", ERROR, .indirect_buffer = "datos", .indirect_offset = 3)},
    {DESENFOCAR, "|| gid.y >= tam.alto) { return; }", ") { return; }", FINDS("guard-one-axis", WARNING)},
    {DESENFOCAR, "salida[gid.y * tam.ancho", "salida[gid.y * 8u", FINDS_IN("row-width", WARNING, .dispatch = {10, 10})},
    {GEMM, "array<f32, 256>", "array<f32, 200>", FINDS("out-of-bounds", ERROR)},
    {GEMM, "array<f32, 256>", "array<f32, 4096>", FINDS("workgroup-memory", WARNING)},
    {GEMM, "const LADO = 16u;\nvar<workgroup> ta: array<f32, 256>;",
     "override m = 256u;\nconst LADO = 16u;\nvar<workgroup> ta: array<f32, m>;", FINDS("override-array", WARNING)},
    {GEMM, "if (gid.y < t.filas && gid.x < t.columnas) { c[", "if (gid.y < t.filas) { c[",
     FINDS("guard-one-axis", WARNING)},
    {REDUCIR, "array<u32, 256>", "array<u32, 128>", FINDS("out-of-bounds", ERROR)},
    {ZANCADA, "nwg.x * 64u", "64u", FINDS("stride-mismatch", WARNING)},
    {ZANCADA, "nwg.x * 64u", "nwg.x", FINDS_IN("stride-mismatch", ERROR, .dispatch = {512})},
    {ZANCADA, "", "", FINDS_IN("stride-indirect", ERROR, .indirect = true)},

    {REDUCIR, "if (gid.x < params.conteo) { valor", "if (gid.x >= params.conteo) { return; } { valor",
     FINDS("nonuniform-barrier", ERROR)},
    {REDUCIR, "if (li < paso) { suma[li] += suma[li + paso]; }\n        workgroupBarrier();",
     "if (li < paso) { suma[li] += suma[li + paso]; workgroupBarrier(); }", FINDS("nonuniform-barrier", ERROR)},
    {REDUCIR, "suma[li] = valor;\n    workgroupBarrier();", "suma[li] = valor;", FINDS("missing-barrier", ERROR)},
    {REDUCIR, "if (li == 0u) { parciales[wid.x] = suma[0]; }", "parciales[wid.x] = suma[li];",
     FINDS("missing-barrier", WARNING)},
    {REDUCIR, "suma[li] = valor;", "suma[li] += valor;", FINDS("unwritten-workgroup", WARNING)},
    {REDUCIR, "workgroupBarrier", "storageBarrier", FINDS("missing-barrier", WARNING)},
    {REDUCIR, "suma[li] = valor;\n    workgroupBarrier();", "suma[li] = subgroupAdd(valor);\n    workgroupBarrier();",
     FINDS("missing-enable", ERROR)},
    {REDUCIR, "if (li == 0u) { parciales[wid.x] = suma[0]; }",
     "parciales[gid.x] = suma[0]; storageBarrier(); if (gid.x == 0u) { parciales[0] += parciales[256]; }",
     FINDS("cross-group-barrier", WARNING)},
    {REDUCIR, "struct Params", "@group(0) @binding(3) var<uniform> otro: u32;\nstruct Params",
     FINDS("unused-binding", WARNING)},
    {REDUCIR, "struct Params { conteo: u32 }", "enable subgroups;\nstruct Params { conteo: u32 }",
     FINDS("naga-refuses", NOTE)},
    {REDUCIR, "struct Params { conteo: u32 }", "struct Params { conteo: u32, pesos: array<u32, 4> }",
     FINDS("uniform-layout", NOTE)},
    {GEMM, "+= ta[lid.y * LADO + j] * tb[j * LADO + lid.x]; }\n        workgroupBarrier();",
     "+= ta[lid.y * LADO + j] * tb[j * LADO + lid.x]; }", FINDS("tile-overwritten", WARNING)},
    {GEMM, "tb[en_tile] = vb;\n        workgroupBarrier();", "tb[en_tile] = vb;", FINDS("missing-barrier", WARNING)},
    {GEMM, "k < t.fondo; k += LADO", "k < t.fondo - lid.x; k += LADO", FINDS("nonuniform-barrier", ERROR)},
    {GEMM, "if (gid.y < t.filas && gid.x < t.columnas) { c[",
     "if (suma != suma) { suma = 0.0; } if (gid.y < t.filas && gid.x < t.columnas) { c[", FINDS("nan-test", WARNING)},
    {ESCALAR, "datos[gid.x] =", "datos[gid.x + 1u] = datos[gid.x] +", FINDS("neighbour-race", WARNING)},
    {ESCALAR, "datos[gid.x] = datos[gid.x] * 0.99;",
     "let otro = gid.x ^ 16u; let v = datos[otro]; datos[otro] = datos[gid.x]; datos[gid.x] = v;",
     FINDS("unguarded-partner", WARNING)},
    {ESCALAR, "if (gid.x >= params.conteo) { return; }\n    datos[gid.x] = datos[gid.x] * 0.99;",
     "for (var k = 0u; k < 8u; k++) { let i = gid.x * 8u + k; if (i < params.conteo) { datos[i] *= 0.99; } }",
     FINDS("contiguous-items", NOTE)},
    {ESCALAR, "if (gid.x >= params.conteo) { return; }\n    datos[gid.x] = datos[gid.x] * 0.99;",
     "if (gid.x != 0u) { return; }\n    for (var i = 0u; i < params.conteo; i++) { datos[i] *= 0.99; }",
     FINDS_IN("one-invocation", WARNING, .count = {3000001})},
    {REDUCIR, "if (gid.x < params.conteo) { valor = datos[gid.x]; }",
     "if (gid.x < params.conteo) { valor = subgroupAdd(datos[gid.x]); }", FINDS("nonuniform-subgroup", ERROR)},
    {REDUCIR, "suma[li] = valor;", "suma[li] = subgroupBroadcast(valor, 31u);", FINDS("missing-lane", WARNING)},
    {REDUCIR, "suma[li] = valor;", "suma[li] = 0u; suma[li / 32u] = subgroupAdd(valor);",
     FINDS("assumed-lanes", WARNING)},
    {REDUCIR, "suma[li] = valor;", "suma[params.conteo + datos[0]] = valor;", FINDS("unbounded-index", WARNING)},
    {REDUCIR, "parciales[wid.x] = suma[0];",
     "while (wid.x > 0u && parciales[wid.x - 1u] == 0u) { } parciales[wid.x] = suma[0];",
     FINDS("unbounded-wait", WARNING)},
    {REDUCIR, "@builtin(workgroup_id) wid: vec3u,",
     "@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u,",
     FINDS_IN("fold-ignored", ERROR, .dispatch = {4, 2})},
    {REDUCIR, "parciales[wid.x]", "parciales[wid.y * 43691u + wid.x]",
     FINDS_IN("unguarded-group", ERROR, .dispatch = {43691, 3}, .count = {131072})},

    {ESCALAR, "* 0.99", "* 2u", FINDS("wgsl", ERROR)},
    {REDUCIR, "if (li == 0u) {", "if li == 0u)", FINDS("wgsl", ERROR)},
    {ZANCADA, "{ break; }", "{ continue; }", FINDS("wgsl", ERROR)},
    {CONTOURS, "let slope = fwidth(level);", "var slope = 0.0; if (level > 0.0) { slope = fwidth(level); }",
     FINDS("nonuniform-derivative", ERROR)},
    {CONTOURS, "let level =", "if (values[pixel.x] == 0.0) { return vec4f(); }\n    let level =",
     FINDS("nonuniform-derivative", ERROR)},
    {KEEP, "kept[places[gid.x]] = value; }\n}",
     "kept[atomicAdd(&next, 1u)] = value; }\n}\n@group(0) @binding(4) var<storage, read_write> next: atomic<u32>;",
     FINDS("unordered-position", WARNING)},
    {KEEP, "kept[places[gid.x]] = value; }\n}",
     "let at = atomicAdd(&next, 1u); kept[at] = value; }\n}\n"
     "@group(0) @binding(4) var<storage, read_write> next: atomic<u32>;",
     FINDS("unordered-position", WARNING)},
    {SUBGROUP_SUMS, "@builtin(subgroup_invocation_id) lane: u32) {",
     "@builtin(subgroup_size) size: u32) {\n    let lane = li % size;", FINDS("lanes-from-index", WARNING)},
    {SUBGROUP_SUMS, "@builtin(subgroup_invocation_id) lane: u32) {",
     "@builtin(subgroup_size) size: u32) {\n    let lane = li & (size - 1u);", FINDS("lanes-from-index", WARNING)},
    {SUBGROUP_SUMS, "lane == 0u", "li % 32u == 0u", FINDS("assumed-lanes", WARNING)},
    {POINTS, "vec4f", "vec3f", FINDS("vec3-layout", WARNING)},
    {POINTS, "vec4f", "vec3f", FINDS_IN("vec3-layout", ERROR, .binds = {{"velocities", 12000 * 12 - 12, NULL}})},
    {POINTS, ">= params.count", ">= arrayLength(&positions)", FINDS("guard-capacity", WARNING)},
    {KEEP, ">= params.count", ">= arrayLength(&values)", FINDS("guard-capacity", WARNING)},
    {WEIGHTED_HISTOGRAM, "tried.exchanged", "bitcast<f32>(tried.old_value) == bitcast<f32>(old)",
     FINDS("float-exchange", WARNING)},
    {WEIGHTED_HISTOGRAM, "if (tried.exchanged) { break; }",
     "let seen = bitcast<f32>(tried.old_value); if (!(seen != bitcast<f32>(old))) { break; }",
     FINDS("float-exchange", WARNING)},
    {ESCALAR, "datos[gid.x] *", "datos[gid.x * 4096u / 4096u] *", FINDS("index-wraps", WARNING)},
    {ESCALAR, "datos[gid.x] *", "datos[gid.x * 4096u / 4096u] *", FINDS_IN("index-wraps", ERROR, .count = {3000001})},
    {DESENFOCAR, "", "",
     FINDS_IN("index-wraps", ERROR, .count = {70000, 70000}, .sets = {{"tam.ancho", 70000}, {"tam.alto", 70000}})},
    {DISPATCH_ARGS, "groups[2] = 1u;", "", FINDS("indirect-partial", WARNING)},
    {DISPATCH_ARGS, "groups[1] = needed / most_groups + u32(needed % most_groups != 0u);\n    groups[2] = 1u;", "",
     FINDS("indirect-partial", WARNING)},
    {DISPATCH_ARGS, "min(needed, most_groups)", "needed", FINDS("indirect-unsaturated", WARNING)},
    {DISPATCH_ARGS, "min(needed, most_groups)", "max(needed, 1u)", FINDS("indirect-unsaturated", WARNING)},
    {DISPATCH_ARGS, "total / group_elements + u32(total % group_elements != 0u)", "total / group_elements",
     FINDS("indirect-size", WARNING)},
    {DISPATCH_ARGS, "total / group_elements + u32(total % group_elements != 0u)",
     "(total + group_elements) / group_elements", FINDS("indirect-size", WARNING)},
    {DISPATCH_ARGS, "total / group_elements + u32(total % group_elements != 0u)",
     "(total + group_elements - 1u) / group_elements", FINDS("ceil-wraps", NOTE)},
    {DISPATCH_ARGS, "total / group_elements + u32(total % group_elements != 0u)", "(total + 255u) >> 8u",
     FINDS("ceil-wraps", NOTE)},
    {GEMM, "c[gid.y * t.columnas + gid.x] = suma; }\n}", NINE_STORAGE_BUFFERS, FINDS("binding-count", WARNING)},
    {GEMM, "c[gid.y * t.columnas + gid.x] = suma; }\n}", NINE_STORAGE_BUFFERS,
     FINDS_IN("binding-count", ERROR, .compatibility = true)},
};

static char text[2][1 << 16];

static void read_kernel(const char *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/%s", TELAR_SOURCE_DIR, file);
    FILE *stream = fopen(path, "rb");
    size_t bytes = 0;
    if (stream != NULL) {
        bytes = fread(text[0], 1, sizeof text[0] - 1, stream);
        fclose(stream);
    }
    assert_true(bytes > 0);
    text[0][bytes] = 0;
}

/* text[1] is text[0] with every `from` replaced. */
static bool replace_all(const char *from, const char *to)
{
    size_t len = strlen(from), filled = 0;
    bool found = false;
    for (const char *at = text[0]; *at != 0;) {
        if (len > 0 && strncmp(at, from, len) == 0) {
            memcpy(text[1] + filled, to, strlen(to));
            filled += strlen(to);
            at += len;
            found = true;
        } else {
            text[1][filled++] = *at++;
        }
    }
    text[1][filled] = 0;
    return found || len == 0;
}

static void planted_mistakes_are_found(void **state)
{
    (void)state;
    size_t missed = 0;
    for (size_t k = 0; k < sizeof mutations / sizeof mutations[0]; k++) {
        const mutation *m = &mutations[k];
        read_kernel(m->file);
        bool made = replace_all(m->from, m->to);
        check_case as = m->as;
        as.source = text[1];
        telar_check_result result = help_check(&as);
        telar_severity found = help_severity(&result, as.rule);
        bool readable = result.module != NULL || strcmp(as.rule, "wgsl") == 0;
        if (made && readable && found == as.severity) continue;
        print_message("%s: '%s' for '%s': %s gives %s\n", m->file, m->to, m->from, as.rule, telar_severity_text(found));
        missed++;
    }
    assert_int_equal(missed, 0);
}

static void every_rule_has_a_mistake(void **state)
{
    (void)state;
    size_t without = 0;
    const telar_rule_info *rule;
    for (uint32_t r = 0; (rule = telar_rule_at(r)) != NULL; r++) {
        size_t planted = 0;
        for (size_t k = 0; k < sizeof mutations / sizeof mutations[0]; k++) {
            planted += strcmp(mutations[k].as.rule, rule->name) == 0;
        }
        if (planted > 0) continue;
        print_message("%s: no mistake is planted for it\n", rule->name);
        without++;
    }
    assert_int_equal(without, 0);
}

static void correct_kernels_are_silent(void **state)
{
    (void)state;
    static const check_case launches[] = {{.count = {0}}, {.count = {3000001}}, {.dispatch = {512}}};
    static const struct {
        const char *file;
        bool alone; /* one group, whatever the count */
    } kernels[] = {
        {ESCALAR, false},           {DESENFOCAR, false},   {GEMM, false}, {REDUCIR, false}, {ZANCADA, false},
        {CONTOURS, false},          {DISPATCH_ARGS, true}, {KEEP, false}, {POINTS, false},  {SUBGROUP_SUMS, false},
        {WEIGHTED_HISTOGRAM, false}};
    size_t loud = 0;
    for (size_t f = 0; f < sizeof kernels / sizeof kernels[0]; f++) {
        for (size_t k = 0; k < sizeof launches / sizeof launches[0]; k++) {
            read_kernel(kernels[f].file);
            check_case one = launches[k];
            if (kernels[f].alone && one.dispatch[0] != 0) one.dispatch[0] = 1;
            one.source = text[0];
            telar_check_result result = help_check(&one);
            if (result.errors == 0 && result.warnings == 0) continue;
            print_message("%s, launch %zu: errors %u, warnings %u\n", kernels[f].file, k, result.errors,
                          result.warnings);
            loud++;
        }
    }
    assert_int_equal(loud, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(planted_mistakes_are_found),
                                       cmocka_unit_test(every_rule_has_a_mistake),
                                       cmocka_unit_test(correct_kernels_are_silent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
