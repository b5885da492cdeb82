/* SPDX-License-Identifier: MIT
 *
 * From a function of one element to a kernel over all of them: arrays, plan, calls, entry point. */
#include "prim/elements.h"
#include "weave/weave.h"

#include <string.h>

/* Of CPU adapters: small groups that loop, since neither lanes nor latency is to be filled. 2^16 elements of s * 0.99,
 * wgpu-native 29.0.1.1, 2026-11-30, the textbook's time / ours, of rows and of single elements: lavapipe 2.7 and 1.5,
 * SwiftShader 3.3 and 2.4. Sizes of 16 to 256 and 64 to 256 elements are within 10 %; 16 elements cost up to 40 %, and
 * unrolled ones as much. */
enum {
    CPU_SIZE = 16,
    CPU_ITEMS = 64,
    ROW = TL_ELEMENT_ROW
};

tl_elements tl_elements_begin(telar_record *record, const telar_prim *prim, const char *name, telar_length length)
{
    return (tl_elements){.job = tl_job_begin(record, prim, name, length)};
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

static bool same_place(const tl_view *a, const tl_view *b)
{
    return a->bind.bind.buffer.id == b->bind.bind.buffer.id && a->bind.bind.offset_bytes == b->bind.bind.offset_bytes &&
           a->first == b->first && strcmp(a->type.type.name, b->type.type.name) == 0;
}

/* That is written at [i]; NULL: none. */
static const tl_elements_array *result_of(const tl_elements *elements)
{
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        if (elements->arrays[k].at_i && elements->arrays[k].written) return &elements->arrays[k];
    }
    return NULL;
}

static void add(tl_elements *elements, tl_elements_array array)
{
    TELAR_ASSERT(elements->arrays_count < TL_ELEMENTS_ARRAYS_MAX);
    elements->arrays[elements->arrays_count++] = array;
}

void tl_elements_array_of(tl_elements *elements, const char *name, telar_type type, telar_array array, bool written)
{
    tl_type_facts facts = tl_job_type(&elements->job, type);
    tl_view view = tl_job_view(&elements->job, name, &facts, array, elements->job.length.count);
    const tl_elements_array *result = result_of(elements);
    bool in_place = result != NULL && same_place(&result->view, &view);
    add(elements, (tl_elements_array){name, in_place ? result->name : name, view, true, written});
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
    add(elements, (tl_elements_array){name, name, view, false, written});
}

static bool is_bound(const tl_elements_array *array)
{
    return array->bound_as == array->name;
}

static bool is_read_write(const tl_elements *elements, const tl_elements_array *array)
{
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        const tl_elements_array *other = &elements->arrays[k];
        if (other->written && other->view.bind.bind.buffer.id == array->view.bind.bind.buffer.id) return true;
    }
    return false;
}

static bool can_take_rows(const tl_elements *elements)
{
    bool can = !elements->conditional;
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        if (elements->arrays[k].at_i && !elements->arrays[k].view.rows) can = false;
    }
    return can;
}

/* Declarations that the types need, each once. */
static void print_types(tl_elements *elements)
{
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        const char *wgsl = elements->arrays[k].view.type.type.wgsl;
        bool printed = wgsl == NULL;
        for (uint32_t j = 0; j < k && !printed; j++) {
            const char *other = elements->arrays[j].view.type.type.wgsl;
            printed = other != NULL && strcmp(other, wgsl) == 0;
        }
        if (!printed) tl_text_add_own(&elements->stage.text, wgsl);
    }
}

/* ---- The plan ---------------------------------------------------------------------------------------------------- */

/* What one element moves. */
static uint32_t bytes_per_element(const tl_elements *elements)
{
    uint32_t bytes = 0;
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        if (is_bound(&elements->arrays[k])) bytes += elements->arrays[k].view.type.stride;
    }
    return bytes;
}

static telar_plan plan_of(tl_elements *elements)
{
    tl_job *job = &elements->job;
    telar_plan plan = {.dimensions = 1, .workgroup_size = {64, 1, 1}, .items = 1};
    telar_diag diag = {0};
    telar_plan_desc desc = {
        .count = {job->length.count, 1, 1}, .dimensions = 1, .bytes_per_element = bytes_per_element(elements)};
    if (elements->looped) {
        desc.size[0] = CPU_SIZE;
        desc.items = CPU_ITEMS;
    }
    if (job->length.count > 0 && telar_plan_make(&desc, job->prim->facts, &plan, &diag) != TELAR_OK) {
        tl_job_fail_limit(job, diag.status, diag.got, diag.limit, "%s", diag.text);
    }
    /* The prepare kernel folds. */
    if (job->counted) plan.shape = TELAR_SHAPE_FOLD;
    return plan;
}

tl_text *tl_elements_text(tl_elements *elements)
{
    tl_job *job = &elements->job;
    tl_text *text = &elements->stage.text;
    elements->looped = tl_device_is_cpu(job->prim->facts);
    elements->rows = elements->looped && can_take_rows(elements);
    elements->plan = plan_of(elements);
    uint64_t tile = telar_plan_group_elements(&elements->plan);
    uint32_t tiling = tl_job_tiling(job, (tl_tiling){.elements = tile});
    tl_job_prepare(job);
    *text = tl_text_begin(job, tiling, "map");
    text->woven = true;
    tl_text_format(text, "fn index_of(i: u32) -> u32 { return group_base() * %uu + i; }\n", (uint32_t)tile);
    print_types(elements);
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        tl_elements_array *array = &elements->arrays[k];
        array->view.rows = elements->rows && array->at_i;
        if (is_bound(array)) tl_stage_view(&elements->stage, array->name, &array->view, is_read_write(elements, array));
    }
    return text;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

/* Of a function of the elements at [i] and of i. */
static void print_call_of_item(tl_elements *elements, const char *function)
{
    tl_text *text = &elements->stage.text;
    tl_text_format(text, "%s(", function);
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        const tl_elements_array *array = &elements->arrays[k];
        if (array->at_i && !array->written) tl_text_format(text, "%s_item(i), ", array->bound_as);
    }
    tl_text_add(text, "index_of(i))");
}

/* The same of the element in this place of a row. */
static void print_call_in_row(tl_elements *elements, const char *function, uint32_t place)
{
    tl_text *text = &elements->stage.text;
    tl_text_format(text, "%s(", function);
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        const tl_elements_array *array = &elements->arrays[k];
        if (array->at_i && !array->written) tl_text_format(text, "%s_here[%u], ", array->name, place);
    }
    tl_text_format(text, "index_of(%uu * row + %uu))", ROW, place);
}

static void print_element(tl_elements *elements)
{
    tl_text *text = &elements->stage.text;
    const tl_elements_array *result = result_of(elements);
    tl_text_add(text, "fn element(i: u32) {\n");
    if (elements->conditional) {
        tl_text_add(text, "    if (!");
        print_call_of_item(elements, "telar_where");
        tl_text_add(text, ") { return; }\n");
    }
    if (result == NULL) tl_text_add(text, "    ");
    else tl_text_format(text, "    %s_put(i, ", result->name);
    print_call_of_item(elements, "telar_value");
    tl_text_add(text, result == NULL ? ";\n}\n" : ");\n}\n");
}

static void print_element_row(tl_elements *elements)
{
    tl_text *text = &elements->stage.text;
    const tl_elements_array *result = result_of(elements);
    tl_text_add(text, "fn element_row(row: u32) {\n");
    for (uint32_t k = 0; k < elements->arrays_count; k++) {
        const tl_elements_array *array = &elements->arrays[k];
        if (!array->at_i || array->written) continue;
        tl_text_format(text, "    let %s_here = %s_row(row);\n", array->name, array->bound_as);
    }
    if (result != NULL) {
        tl_text_format(text, "    %s_put_row(row, array<%s, %u>(\n", result->name, result->view.type.type.name, ROW);
    }
    for (uint32_t place = 0; place < ROW; place++) {
        tl_text_add(text, result == NULL ? "    " : "        ");
        print_call_in_row(elements, "telar_value", place);
        tl_text_add(text, result == NULL ? ";\n" : place + 1 < ROW ? ",\n" : "));\n");
    }
    tl_text_add(text, "}\n");
}

void tl_elements_end(tl_elements *elements)
{
    if (!tl_job_failed(&elements->job)) { /* what is printed may not exist */
        print_element(elements);
        if (elements->rows) print_element_row(elements);
        tl_element_entry entry = {.name = "map",
                                  .function = TL_STR("element"),
                                  .function_of_row = elements->rows ? TL_STR("element_row") : (tl_str){0},
                                  .plan = &elements->plan,
                                  .looped = elements->looped};
        tl_print_element_entry(&entry, &elements->stage.text.out);
    }
    tl_stage_launch(&elements->stage);
    tl_job_end(&elements->job);
}
