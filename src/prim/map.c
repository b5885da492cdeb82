/* SPDX-License-Identifier: MIT
 *
 * map, and what differs from it only in what is done for one element: fill, iota, gather, scatter, stride copy, adjacent
 * difference. Each prints its function telar_value (prim/elements.h). */
#include "prim/elements.h"

/* ---- map --------------------------------------------------------------------------------------------------------- */

static const char *const input_names[TELAR_MAP_INPUTS_MAX] = {"x", "a", "b", "c"};

static const char *type_name(telar_type type)
{
    return type.name == NULL ? "u32" : type.name;
}

/* fn NAME(x: f32, a: u32, i: u32) -> TYPE { return EXPRESSION; } */
static void print_function(tl_text *text, const char *name, const char *type, const char *expression,
                           const telar_map_desc *desc)
{
    tl_text_format(text, "fn %s(", name);
    for (uint32_t k = 0; k < desc->inputs_count; k++) {
        tl_text_format(text, "%s: %s, ", input_names[k], type_name(desc->inputs[k].type));
    }
    tl_text_format(text, "i: u32) -> %s { return ", type);
    tl_text_add_own(text, expression);
    tl_text_add(text, "; }\n");
}

void telar_record_map(telar_record *record, const telar_prim *prim, const telar_map_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "map", desc->length);
    if (desc->expression == NULL || desc->inputs_count > TELAR_MAP_INPUTS_MAX) {
        tl_job_fail(&elements.job, TELAR_INVALID_ARGUMENT, "an expression and at most %d inputs are needed",
                    TELAR_MAP_INPUTS_MAX);
        return;
    }
    tl_elements_array_of(&elements, "out", desc->out_type, desc->out, true);
    for (uint32_t k = 0; k < desc->inputs_count; k++) {
        tl_elements_array_of(&elements, input_names[k], desc->inputs[k].type, desc->inputs[k].array, false);
    }
    elements.conditional = desc->where != NULL;
    tl_text *text = tl_elements_text(&elements);
    if (desc->wgsl != NULL) tl_text_add_own(text, desc->wgsl);
    print_function(text, "telar_value", type_name(desc->out_type), desc->expression, desc);
    if (desc->where != NULL) print_function(text, "telar_where", "bool", desc->where, desc);
    tl_elements_end(&elements);
}

/* ---- fill and iota ----------------------------------------------------------------------------------------------- */

void telar_record_fill(telar_record *record, const telar_prim *prim, const telar_fill_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "fill", desc->length);
    tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
    tl_text *text = tl_elements_text(&elements);
    const char *type = type_name(desc->type);
    tl_text_format(text, "fn telar_value(i: u32) -> %s { return ", type);
    if (desc->value == NULL) tl_text_format(text, "%s()", type);
    else tl_text_add_own(text, desc->value);
    tl_text_add(text, "; }\n");
    tl_elements_end(&elements);
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
    tl_text *text = tl_elements_text(&elements);
    const char *type = type_name(desc->type);
    tl_text_format(text, "fn telar_first() -> %s { return ", type);
    print_or(text, desc->first, "0");
    tl_text_format(text, "; }\nfn telar_step() -> %s { return ", type);
    print_or(text, desc->step, "1");
    tl_text_format(text, "; }\nfn telar_value(i: u32) -> %s { return telar_first() + %s(i) * telar_step(); }\n", type,
                   type);
    tl_elements_end(&elements);
}

/* ---- Places other than i ----------------------------------------------------------------------------------------- */

void telar_record_gather(telar_record *record, const telar_prim *prim, const telar_gather_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "gather", desc->length);
    tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
    tl_elements_array_of(&elements, "index", (telar_type){0}, desc->index, false);
    tl_elements_array_whole(&elements, "in", desc->type, desc->in, desc->in_count, false);
    tl_text *text = tl_elements_text(&elements);
    const char *type = type_name(desc->type);
    tl_text_format(text,
                   "fn telar_value(place: u32, i: u32) -> %s {\n"
                   "    if (place < %uu) { return in_item(place); }\n"
                   "    return %s();\n"
                   "}\n",
                   type, (uint32_t)desc->in_count, type);
    tl_elements_end(&elements);
}

void telar_record_scatter(telar_record *record, const telar_prim *prim, const telar_scatter_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "scatter", desc->length);
    tl_elements_array_whole(&elements, "out", desc->type, desc->out, desc->out_count, true);
    tl_elements_array_of(&elements, "index", (telar_type){0}, desc->index, false);
    tl_elements_array_of(&elements, "in", desc->type, desc->in, false);
    tl_text *text = tl_elements_text(&elements);
    tl_text_format(text,
                   "fn telar_value(place: u32, x: %s, i: u32) {\n"
                   "    if (place < %uu) { out_put(place, x); }\n"
                   "}\n",
                   type_name(desc->type), (uint32_t)desc->out_count);
    tl_elements_end(&elements);
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

/* What is not stepped through is at [i]. */
static void print_stepped_copy(tl_text *text, const char *type, uint32_t in_stride, uint32_t out_stride)
{
    tl_text_add(text, "fn telar_value(");
    if (in_stride == 1) tl_text_format(text, "x: %s, ", type);
    tl_text_add(text, "i: u32)");
    if (out_stride == 1) tl_text_format(text, " -> %s { return ", type);
    else tl_text_format(text, " { out_put(i * %uu, ", out_stride);
    if (in_stride == 1) tl_text_add(text, "x");
    else tl_text_format(text, "in_item(i * %uu)", in_stride);
    tl_text_add(text, out_stride == 1 ? "; }\n" : "); }\n");
}

void telar_record_stride_copy(telar_record *record, const telar_prim *prim, const telar_stride_copy_desc *desc)
{
    uint32_t in_stride = desc->in_stride == 0 ? 1 : desc->in_stride;
    uint32_t out_stride = desc->out_stride == 0 ? 1 : desc->out_stride;
    tl_elements elements = tl_elements_begin(record, prim, "stride copy", desc->length);
    add_stepped(&elements, "out", desc->type, desc->out, out_stride, true);
    add_stepped(&elements, "in", desc->type, desc->in, in_stride, false);
    tl_text *text = tl_elements_text(&elements);
    print_stepped_copy(text, type_name(desc->type), in_stride, out_stride);
    tl_elements_end(&elements);
}

void telar_record_adjacent_difference(telar_record *record, const telar_prim *prim,
                                      const telar_adjacent_difference_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, "adjacent difference", desc->length);
    uint64_t count = desc->length.count;
    const char *type = type_name(desc->type);
    tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
    tl_elements_array_whole(&elements, "in", desc->type, desc->in, count, false);
    tl_text *text = tl_elements_text(&elements);
    if (desc->wgsl != NULL) tl_text_add_own(text, desc->wgsl);
    tl_text_format(text, "fn telar_difference(x: %s, before: %s) -> %s { return ", type, type, type);
    print_or(text, desc->expression, "x - before");
    tl_text_format(text,
                   "; }\n"
                   "fn telar_value(i: u32) -> %s {\n"
                   "    if (i == 0u) { return in_item(0u); }\n"
                   "    return telar_difference(in_item(i), in_item(i - 1u));\n"
                   "}\n",
                   type);
    tl_elements_end(&elements);
}
