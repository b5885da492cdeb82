/* SPDX-License-Identifier: MIT
 *
 * What was found, as C, as WGSL and in a facts file. */
#include "sweep/outcome.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "wgsl/query.h"

#define MEMORY_FIRST ((size_t)1 << 20)
#define MEMORY_MAX ((size_t)1 << 30)

/* ---- C ----------------------------------------------------------------------------------------------------------- */

static void put_list(telar_out *out, const char *field, const uint64_t *values, uint32_t count)
{
    tl_out_format(out, "    .%s = {", field);
    for (uint32_t k = 0; k < count; k++)
        tl_out_format(out, "%s%llu", k == 0 ? "" : ", ", (unsigned long long)values[k]);
    tl_out_text(out, "},\n");
}

static void put_field(telar_out *out, const char *field, uint64_t value)
{
    if (value != 0) tl_out_format(out, "    .%s = %llu,\n", field, (unsigned long long)value);
}

/* TELAR_KIND_IMAGE of "image". */
static void put_enum(telar_out *out, const char *field, const char *prefix, const char *text)
{
    tl_out_format(out, "    .%s = %s", field, prefix);
    for (; *text != 0; text++) tl_out_format(out, "%c", *text - ('a' <= *text && *text <= 'z' ? 'a' - 'A' : 0));
    tl_out_text(out, ",\n");
}

void tl_outcome_c(const tl_outcome *outcome, telar_out *out)
{
    const tl_candidate *best = outcome->best;
    telar_plan_desc desc = tl_subject_plan_desc(outcome->subject, outcome->domain, best->vector);
    const uint64_t size[] = {best->size[0], best->size[1], best->size[2]};
    uint32_t axes = desc.dimensions == 0 ? 1 : desc.dimensions;
    tl_out_format(out, "/* %s, tuned on %s: %.2f us; the plan of a device that was never tuned takes %.2f.",
                  outcome->subject->name, outcome->device, best->us, outcome->usual->us);
    if (best->vector) tl_out_text(out, "\n * With `alias value` of vec4: the count is in vectors.");
    tl_out_text(out, " */\nstatic const telar_plan_desc tuned = {\n");
    put_list(out, "count", desc.count, axes);
    put_field(out, "dimensions", axes > 1 ? axes : 0);
    put_enum(out, "kind", "TELAR_KIND_", telar_kind_text(desc.kind));
    put_list(out, "size", size, size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1);
    put_field(out, "items", best->items);
    put_enum(out, "shape", "TELAR_SHAPE_", telar_shape_text(best->shape));
    put_field(out, "bytes_per_element", desc.bytes_per_element);
    put_field(out, "halo", desc.halo);
    put_field(out, "binding_bytes_per_element", desc.binding_bytes_per_element);
    if (desc.no_windows) tl_out_text(out, "    .no_windows = true,\n");
    tl_out_text(out, "};\n");
    for (uint32_t k = 0; k < outcome->subject->sets_count; k++) {
        tl_out_format(out, "/* override %s = ", outcome->subject->sets[k].name);
        double value = best->sets[k];
        if (value == (double)(int64_t)value) tl_out_format(out, "%lld", (long long)value);
        else tl_out_format(out, "%.6f", value);
        tl_out_text(out, " */\n");
    }
}

/* ---- WGSL -------------------------------------------------------------------------------------------------------- */

static telar_status weave(const tl_outcome *outcome, const telar_facts *facts, telar_dialect dialect,
                          telar_arena *arena, telar_woven *woven, telar_diag *diag)
{
    const tl_candidate *best = outcome->best;
    telar_plan_desc wanted = tl_subject_plan_desc(outcome->subject, outcome->domain, best->vector);
    telar_plan plan;
    memcpy(wanted.size, best->size, sizeof wanted.size);
    wanted.items = best->items;
    wanted.shape = best->shape;
    TELAR_TRY(telar_plan_make(&wanted, facts, &plan, diag));
    telar_weave_desc desc = {.module = outcome->subject->forms[best->vector].module,
                             .element = outcome->subject->element,
                             .entry = outcome->subject->entry,
                             .plan = &plan,
                             .dialect = dialect,
                             .overrides = outcome->subject->overrides,
                             .overrides_count = outcome->subject->overrides_count};
    return telar_weave(&desc, arena, woven, diag);
}

static const telar_override *value_of(const telar_override *overrides, uint32_t count, tl_str name)
{
    for (uint32_t k = 0; k < count; k++) {
        if (tl_str_equal(tl_str_of(overrides[k].name), name)) return &overrides[k];
    }
    return NULL;
}

static void put_value(telar_out *out, const telar_wgsl *m, uint32_t node, double value)
{
    if (tl_node_type(m, node) == TL_TYPE_BOOL) tl_out_text(out, value != 0 ? "true" : "false");
    else if (value == (double)(int64_t)value) tl_out_format(out, "%lld", (long long)value);
    else tl_out_format(out, "%.6f", value);
}

/* Each `override NAME ...;` whose value is given ends in that value. */
static void put_with_overrides(const tl_outcome *outcome, telar_out *out)
{
    const telar_wgsl *m = outcome->subject->forms[0].module;
    telar_override overrides[TL_SWEEP_OVERRIDES_MAX];
    uint32_t count = tl_subject_overrides(outcome->subject, outcome->best, overrides);
    uint32_t at = 0;
    for (uint32_t k = 0; k < m->semantics->global_count; k++) {
        uint32_t node = m->semantics->globals[k].node;
        if (m->nodes[node].kind != TL_NODE_OVERRIDE) continue;
        const telar_override *given = value_of(overrides, count, tl_node_name(m, node));
        if (given == NULL) continue;
        const tl_var_parts *parts = TL_PARTS(tl_var_parts, m, node);
        uint32_t begin, end;
        if (parts->init != 0) {
            begin = tl_node_begin(m, parts->init);
            end = tl_node_end(m, parts->init);
        } else {
            begin = end = tl_node_end(m, node);
            if (end > 0 && m->source[end - 1] == ';') begin = --end;
        }
        tl_out_bytes(out, m->source + at, begin - at);
        if (parts->init == 0) tl_out_text(out, " = ");
        put_value(out, m, node, given->value);
        at = end;
    }
    tl_out_bytes(out, m->source + at, m->source_bytes - at);
}

static telar_status print_ordinary(const tl_outcome *outcome, void **memory, const char **text, size_t *bytes,
                                   telar_diag *diag)
{
    telar_out size = {0};
    put_with_overrides(outcome, &size);
    char *made = malloc(size.len + 1);
    if (made == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a kernel");
    telar_out out = {made, size.len + 1, 0};
    put_with_overrides(outcome, &out);
    *memory = made;
    *text = made;
    *bytes = size.len;
    return TELAR_OK;
}

telar_status tl_outcome_wgsl(const tl_outcome *outcome, const telar_facts *facts, telar_dialect dialect, void **memory,
                             const char **text, size_t *bytes, telar_diag *diag)
{
    *memory = NULL;
    if (outcome->subject->ordinary) return print_ordinary(outcome, memory, text, bytes, diag);
    telar_woven woven = {0};
    telar_status status = TELAR_NO_SPACE;
    for (size_t cap = MEMORY_FIRST; status == TELAR_NO_SPACE && cap <= MEMORY_MAX; cap *= 2) {
        free(*memory);
        *memory = malloc(cap);
        if (*memory == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to weave a kernel");
        telar_arena arena = telar_arena_make(*memory, cap);
        status = weave(outcome, facts, dialect, &arena, &woven, diag);
    }
    *text = woven.kernel.wgsl;
    *bytes = woven.kernel.wgsl_bytes;
    return status;
}

/* ---- A facts file ------------------------------------------------------------------------------------------------ */

static json_t *kernel_json(const tl_outcome *outcome)
{
    const tl_candidate *best = outcome->best;
    json_t *count = json_array(), *sets = json_object();
    for (uint32_t k = 0; k < outcome->domain->dimensions; k++) {
        json_array_append_new(count, json_integer((json_int_t)outcome->domain->count[k]));
    }
    for (uint32_t k = 0; k < outcome->subject->sets_count; k++) {
        json_object_set_new(sets, outcome->subject->sets[k].name, json_real(best->sets[k]));
    }
    return json_pack("{s:o, s:s, s:[i,i,i], s:i, s:s, s:b, s:o, s:f, s:f, s:f}", "count", count, "kind",
                     telar_kind_text(outcome->subject->kind), "workgroup_size", (int)best->size[0], (int)best->size[1],
                     (int)best->size[2], "items", (int)best->items, "shape", telar_shape_text(best->shape), "vector",
                     best->vector, "overrides", sets, "us", best->us, "spread", best->spread, "default_us",
                     outcome->usual->us);
}

telar_status tl_outcome_facts(const tl_outcome *outcome, const char *path, telar_diag *diag)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!json_is_object(root)) {
        json_decref(root);
        return tl_fail(diag, TELAR_INVALID_DATA, "%s is no facts file", path);
    }
    json_t *kernels = json_object_get(root, "kernels");
    if (!json_is_object(kernels)) {
        kernels = json_object();
        json_object_set_new(root, "kernels", kernels);
    }
    json_object_set_new(kernels, outcome->subject->name, kernel_json(outcome));
    bool written = json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(7)) == 0;
    json_decref(root);
    return written ? TELAR_OK : tl_fail(diag, TELAR_IO_FAILED, "cannot write '%s'", path);
}
