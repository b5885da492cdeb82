/* SPDX-License-Identifier: MIT
 *
 * map, and what differs from it only in what is done for one element: fill, iota, gather, scatter, stride copy, adjacent
 * difference. Each prints a function element(i) that kernels/map.wgsl calls. */
#include "prim/elements.h"

#include <string.h>

/* ---- Elements ---------------------------------------------------------------------------------------------------- */

tl_elements tl_elements_begin(telar_record *record, const telar_prim *prim, const char *name, telar_length length)
{
    return (tl_elements){.job = tl_job_begin(record, prim, name, length)};
}

static void add(tl_elements *elements, const char *name, tl_view view, bool written)
{
    view.rows = false; /* one element at a time is read and written here */
    elements->arrays[elements->arrays_count++] = (tl_elements_array){name, view, written};
    if (view.type.type.wgsl == NULL) return;
    for (uint32_t k = 0; k < elements->types_count; k++) {
        if (strcmp(elements->types[k], view.type.type.wgsl) == 0) return;
    }
    elements->types[elements->types_count++] = view.type.type.wgsl;
}

void tl_elements_array_of(tl_elements *elements, const char *name, telar_type type, telar_array array, bool written)
{
    tl_type_facts facts = tl_job_type(&elements->job, type);
    uint64_t count = elements->job.length.count;
    add(elements, name, tl_job_view(&elements->job, name, &facts, array, count), written);
}

void tl_elements_array_whole(tl_elements *elements, const char *name, telar_type type, telar_array array,
                             uint64_t count, bool written)
{
    tl_type_facts facts = tl_job_type(&elements->job, type);
    tl_view view = tl_job_view_whole(&elements->job, name, &facts, array, count);
    uint64_t most = telar_usable_binding_bytes(elements->job.prim->facts, facts.stride);
    if (view.bind.bind.size_bytes > most) {
        tl_job_fail_limit(&elements->job, TELAR_LIMIT_EXCEEDED, view.bind.bind.size_bytes, most,
                          "'%s' (%llu bytes) is reached at any place and must fit one binding (%llu bytes)", name,
                          (unsigned long long)view.bind.bind.size_bytes, (unsigned long long)most);
    }
    add(elements, name, view, written);
}

/* The array is the very same as one that is there already, and read only at [i]: one binding serves both. */
bool tl_elements_alias(tl_elements *elements, const char *name, const char *of)
{
    const tl_elements_array *array = NULL, *other = NULL;
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        if (strcmp(elements->arrays[k].name, name) == 0) array = &elements->arrays[k];
        if (strcmp(elements->arrays[k].name, of) == 0) other = &elements->arrays[k];
    }
    if (array == NULL || other == NULL) return false;
    const telar_bind *a = &array->view.bind.bind, *b = &other->view.bind.bind;
    return a->buffer.id == b->buffer.id && a->offset_bytes == b->offset_bytes &&
           array->view.first == other->view.first &&
           strcmp(array->view.type.type.name, other->view.type.type.name) == 0;
}

/* What one element moves, for the criterion. */
static uint32_t bytes_per_element(const tl_elements *elements)
{
    uint32_t bytes = 0;
    for (uint32_t k = 0; k < elements->arrays_count; k++) bytes += elements->arrays[k].view.type.stride;
    return bytes;
}

static telar_plan plan_of(tl_elements *elements)
{
    tl_job *job = &elements->job;
    telar_plan plan = {.workgroup_size = {64, 1, 1}, .items = 1};
    telar_diag diag = {0};
    if (elements->size != 0) {
        plan.workgroup_size[0] = elements->size;
        plan.items = elements->items;
        return plan;
    }
    telar_plan_desc desc = {
        .count = {job->length.count, 1, 1}, .dimensions = 1, .bytes_per_element = bytes_per_element(elements)};
    if (job->length.count > 0 && telar_plan_make(&desc, job->prim->facts, &plan, &diag) != TELAR_OK) {
        tl_job_fail_limit(job, diag.status, diag.got, diag.limit, "%s", diag.text);
    }
    return plan;
}

static bool is_read_write(const tl_elements *elements, const tl_elements_array *array)
{
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        const tl_elements_array *other = &elements->arrays[k];
        if (other->written && other->view.bind.bind.buffer.id == array->view.bind.bind.buffer.id) return true;
    }
    return array->written;
}

tl_text tl_elements_text(tl_elements *elements)
{
    tl_job *job = &elements->job;
    telar_plan plan = plan_of(elements);
    uint64_t tile = (uint64_t)plan.workgroup_size[0] * plan.items;
    elements->tiling = tl_job_tiling(job, (tl_tiling){.elements = tile});
    tl_job_prepare(job);
    tl_text text = tl_text_begin(job, elements->tiling, "map");
    tl_text_u32(&text, "WORKGROUP_SIZE", plan.workgroup_size[0]);
    tl_text_u32(&text, "ITEMS", plan.items);
    tl_text_add(&text, tl_wgsl_map);
    for (uint32_t k = 0; k < elements->types_count; k++) tl_text_add_own(&text, elements->types[k]);
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        const tl_elements_array *array = &elements->arrays[k];
        tl_text_view(&text, array->name, k, &array->view, is_read_write(elements, array));
    }
    return text;
}

void tl_elements_end(tl_elements *elements, tl_text *text)
{
    tl_stage_bind binds[TL_ELEMENTS_ARRAYS_MAX];
    for (uint32_t k = 0; k < elements->arrays_count; k++) binds[k] = elements->arrays[k].view.bind;
    tl_kernel kernel = tl_text_end(text);
    tl_job_launch(&elements->job, &kernel, binds, elements->arrays_count);
    tl_job_end(&elements->job);
}

/* ---- map --------------------------------------------------------------------------------------------------------- */

static const char *const input_names[TELAR_MAP_INPUTS_MAX] = {"x", "a", "b", "c"};

static const char *type_name(telar_type type)
{
    return type.name == NULL ? "u32" : type.name;
}

/* `x: f32, a: u32, i: u32` as parameters, or the values of them at element i. */
static void print_inputs(tl_text *text, const telar_map_desc *desc, const bool *from_out, bool values)
{
    for (uint32_t k = 0; k < desc->inputs_count; k++) {
        const char *name = input_names[k];
        if (!values) tl_text_format(text, "%s: %s, ", name, type_name(desc->inputs[k].type));
        else tl_text_format(text, "%s_item(i), ", from_out[k] ? "out" : name);
    }
    tl_text_add(text, values ? "index_of(i)" : "i: u32");
}

static void print_function(tl_text *text, const char *name, const char *type, const char *expression,
                           const telar_map_desc *desc)
{
    tl_text_format(text, "fn %s(", name);
    print_inputs(text, desc, NULL, false);
    tl_text_format(text, ") -> %s { return ", type);
    tl_text_add_own(text, expression);
    tl_text_add(text, "; }\n");
}

static void print_map(tl_text *text, const telar_map_desc *desc, const bool *from_out)
{
    if (desc->wgsl != NULL) tl_text_add_own(text, desc->wgsl);
    print_function(text, "telar_value", type_name(desc->out_type), desc->expression, desc);
    if (desc->where != NULL) print_function(text, "telar_where", "bool", desc->where, desc);
    tl_text_add(text, "fn element(i: u32) {");
    if (desc->where != NULL) {
        tl_text_add(text, " if (!telar_where(");
        print_inputs(text, desc, from_out, true);
        tl_text_add(text, ")) { return; }");
    }
    tl_text_add(text, " out_put(i, telar_value(");
    print_inputs(text, desc, from_out, true);
    tl_text_add(text, ")); }\n");
}

void tl_record_map_tuned(telar_record *record, const telar_prim *prim, const telar_map_desc *desc,
                         const tl_map_tuning *tuning)
{
    tl_elements elements = tl_elements_begin(record, prim, "map", desc->length);
    bool from_out[TELAR_MAP_INPUTS_MAX] = {false};
    if (desc->expression == NULL || desc->inputs_count > TELAR_MAP_INPUTS_MAX) {
        tl_job_fail(&elements.job, TELAR_INVALID_ARGUMENT, "an expression and at most %d inputs are needed",
                    TELAR_MAP_INPUTS_MAX);
        return;
    }
    elements.size = tuning == NULL ? 0 : tuning->workgroup_size;
    elements.items = tuning == NULL ? 0 : tuning->items;
    tl_elements_array_of(&elements, "out", desc->out_type, desc->out, true);
    for (uint32_t k = 0; k < desc->inputs_count; k++) {
        tl_elements_array_of(&elements, input_names[k], desc->inputs[k].type, desc->inputs[k].array, false);
        from_out[k] = tl_elements_alias(&elements, input_names[k], "out");
        if (from_out[k]) elements.arrays_count--;
    }
    tl_text text = tl_elements_text(&elements);
    print_map(&text, desc, from_out);
    tl_elements_end(&elements, &text);
}

void telar_record_map(telar_record *record, const telar_prim *prim, const telar_map_desc *desc)
{
    tl_record_map_tuned(record, prim, desc, NULL);
}

/* ---- fill and iota ----------------------------------------------------------------------------------------------- */

void telar_record_fill(telar_record *record, const telar_prim *prim, const telar_fill_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "fill", desc->length);
    tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
    tl_text text = tl_elements_text(&elements);
    const char *type = type_name(desc->type);
    tl_text_format(&text, "fn telar_value() -> %s { return ", type);
    if (desc->value == NULL) tl_text_format(&text, "%s()", type);
    else tl_text_add_own(&text, desc->value);
    tl_text_add(&text, "; }\nfn element(i: u32) { out_put(i, telar_value()); }\n");
    tl_elements_end(&elements, &text);
}

static void print_or(tl_text *text, const char *expression, const char *otherwise)
{
    if (expression == NULL) tl_text_add(text, otherwise);
    else tl_text_add_own(text, expression);
}

void telar_record_iota(telar_record *record, const telar_prim *prim, const telar_iota_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "iota", desc->length);
    tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
    tl_text text = tl_elements_text(&elements);
    const char *type = type_name(desc->type);
    tl_text_format(&text, "fn telar_first() -> %s { return ", type);
    print_or(&text, desc->first, "0");
    tl_text_format(&text, "; }\nfn telar_step() -> %s { return ", type);
    print_or(&text, desc->step, "1");
    tl_text_format(&text, "; }\nfn element(i: u32) { out_put(i, telar_first() + %s(index_of(i)) * telar_step()); }\n",
                   type);
    tl_elements_end(&elements, &text);
}

/* ---- Places other than i ----------------------------------------------------------------------------------------- */

void telar_record_gather(telar_record *record, const telar_prim *prim, const telar_gather_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "gather", desc->length);
    tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
    tl_elements_array_of(&elements, "index", (telar_type){0}, desc->index, false);
    tl_elements_array_whole(&elements, "in", desc->type, desc->in, desc->in_count, false);
    tl_text text = tl_elements_text(&elements);
    tl_text_format(&text,
                   "fn element(i: u32) {\n"
                   "    let place = index_item(i);\n"
                   "    if (place < %uu) { out_put(i, in_item(place)); } else { out_put(i, %s()); }\n"
                   "}\n",
                   (uint32_t)desc->in_count, type_name(desc->type));
    tl_elements_end(&elements, &text);
}

void telar_record_scatter(telar_record *record, const telar_prim *prim, const telar_scatter_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "scatter", desc->length);
    tl_elements_array_whole(&elements, "out", desc->type, desc->out, desc->out_count, true);
    tl_elements_array_of(&elements, "index", (telar_type){0}, desc->index, false);
    tl_elements_array_of(&elements, "in", desc->type, desc->in, false);
    tl_text text = tl_elements_text(&elements);
    tl_text_format(&text,
                   "fn element(i: u32) {\n"
                   "    let place = index_item(i);\n"
                   "    if (place < %uu) { out_put(place, in_item(i)); }\n"
                   "}\n",
                   (uint32_t)desc->out_count);
    tl_elements_end(&elements, &text);
}

/* An array that is stepped through: as any other where the step is 1. */
static void add_stepped(tl_elements *elements, const char *name, telar_type type, telar_array array, uint32_t stride,
                        bool written)
{
    uint64_t count = elements->job.length.count;
    uint64_t span = count == 0 ? 0 : (count - 1) * stride + 1;
    if (stride == 1) tl_elements_array_of(elements, name, type, array, written);
    else tl_elements_array_whole(elements, name, type, array, span, written);
}

void telar_record_stride_copy(telar_record *record, const telar_prim *prim, const telar_stride_copy_desc *desc)
{
    uint32_t in_stride = desc->in_stride == 0 ? 1 : desc->in_stride;
    uint32_t out_stride = desc->out_stride == 0 ? 1 : desc->out_stride;
    tl_elements elements = tl_elements_begin(record, prim, "stride copy", desc->length);
    add_stepped(&elements, "out", desc->type, desc->out, out_stride, true);
    add_stepped(&elements, "in", desc->type, desc->in, in_stride, false);
    tl_text text = tl_elements_text(&elements);
    tl_text_format(&text, "fn element(i: u32) { out_put(%s * %uu, in_item(%s * %uu)); }\n",
                   out_stride == 1 ? "i" : "index_of(i)", out_stride, in_stride == 1 ? "i" : "index_of(i)", in_stride);
    tl_elements_end(&elements, &text);
}

void telar_record_adjacent_difference(telar_record *record, const telar_prim *prim,
                                      const telar_adjacent_difference_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "adjacent difference", desc->length);
    uint64_t count = desc->length.count;
    const char *type = type_name(desc->type);
    tl_elements_array_whole(&elements, "out", desc->type, desc->out, count, true);
    tl_elements_array_whole(&elements, "in", desc->type, desc->in, count, false);
    tl_text text = tl_elements_text(&elements);
    if (desc->wgsl != NULL) tl_text_add_own(&text, desc->wgsl);
    tl_text_format(&text, "fn telar_value(x: %s, before: %s) -> %s { return ", type, type, type);
    print_or(&text, desc->expression, "x - before");
    tl_text_add(&text, "; }\n"
                       "fn element(i: u32) {\n"
                       "    let x = in_item(i);\n"
                       "    if (i == 0u) { out_put(i, x); } else { out_put(i, telar_value(x, in_item(i - 1u))); }\n"
                       "}\n");
    tl_elements_end(&elements, &text);
}
