/* SPDX-License-Identifier: MIT
 *
 * find_if: the first element that is asked for. lower_bound and upper_bound: places among elements in order. */
#include "prim/elements.h"
#include "prim/prim.h"

/* ---- find_if ----------------------------------------------------------------------------------------------------- */

enum {
    ITEMS = 16,
    SIZE = 256,
};

static void find_begin(tl_job *job, uint32_t alone, const tl_view *result)
{
    tl_text text = tl_text_begin(job, alone, "find_begin");
    if (job->counted) tl_text_add(&text, "fn elements() -> u32 { return telar_launch.count.x; }\n");
    else tl_text_format(&text, "fn elements() -> u32 { return %uu; }\n", (uint32_t)job->length.count);
    tl_text_view(&text, "result", 0, result, true);
    tl_text_add(&text, tl_wgsl_find_begin);
    tl_kernel kernel = tl_text_end(&text);
    tl_job_launch(job, &kernel, &result->bind, 1);
}

static void find_tiles(tl_job *job, uint32_t tiles, uint32_t size, const telar_find_if_desc *desc, const tl_view *in,
                       const tl_view *result)
{
    tl_text text = tl_text_begin(job, tiles, "find_tiles");
    tl_text_u32(&text, "WORKGROUP_SIZE", size);
    tl_text_u32(&text, "ITEMS", ITEMS);
    tl_text_u32(&text, "RESULT_FIRST", result->first);
    tl_text_type(&text, &in->type);
    tl_text_view(&text, "source", 0, in, false);
    if (desc->wgsl != NULL) tl_text_add_own(&text, desc->wgsl);
    tl_text_add(&text, "fn is_found(x: T, i: u32) -> bool { return ");
    tl_text_add_own(&text, desc->where);
    tl_text_add(&text, "; }\n");
    tl_text_add(&text, tl_wgsl_find_tiles);
    tl_kernel kernel = tl_text_end(&text);
    tl_job_launch(job, &kernel, (tl_stage_bind[]){in->bind, result->bind}, 2);
}

void telar_record_find_if(telar_record *record, const telar_prim *prim, const telar_find_if_desc *desc)
{
    tl_job job = tl_job_begin(record, prim, "find_if", desc->length);
    if (desc->where == NULL) tl_job_fail(&job, TELAR_INVALID_ARGUMENT, "there is no 'where'");
    if (desc->length.count > UINT32_MAX) {
        tl_job_fail_limit(&job, TELAR_LIMIT_EXCEEDED, desc->length.count, UINT32_MAX,
                          "%llu elements, 2^32 - 1 are the most", (unsigned long long)desc->length.count);
    }
    tl_type_facts type = tl_job_type(&job, desc->type), word = tl_job_type(&job, (telar_type){0});
    tl_view in = tl_job_view(&job, "in", &type, desc->in, desc->length.count);
    tl_view result = tl_job_view_whole(&job, "out", &word, desc->out, 1);
    result.rows = false; /* it is an atomic */
    uint32_t size = tl_device_workgroup_size(prim->facts, SIZE);
    uint32_t tiles = tl_job_tiling(&job, (tl_tiling){.elements = (uint64_t)size * ITEMS});
    uint32_t alone = tl_job_tiling(&job, (tl_tiling){0});
    tl_job_prepare(&job);
    if (!tl_job_failed(&job)) {
        find_begin(&job, alone, &result);
        find_tiles(&job, tiles, size, desc, &in, &result);
    }
    tl_job_end(&job);
}

/* ---- lower_bound and upper_bound --------------------------------------------------------------------------------- */

static const char *type_name(telar_type type)
{
    return type.name == NULL ? "u32" : type.name;
}

void telar_record_bound(telar_record *record, const telar_prim *prim, const telar_bound_desc *desc)
{
    tl_elements elements = tl_elements_begin(record, prim, desc->upper ? "upper_bound" : "lower_bound", desc->length);
    if (desc->sorted_count > UINT32_MAX) {
        tl_job_fail_limit(&elements.job, TELAR_LIMIT_EXCEEDED, desc->sorted_count, UINT32_MAX,
                          "%llu elements in order, 2^32 - 1 are the most", (unsigned long long)desc->sorted_count);
    }
    uint32_t count = (uint32_t)desc->sorted_count, half = count == 0 ? 0 : 1;
    while (half <= count / 2 && half != 0) half *= 2;
    tl_elements_array_of(&elements, "out", (telar_type){0}, desc->out, true);
    tl_elements_array_of(&elements, "x", desc->type, desc->in, false);
    tl_job_keep_apart(&elements.job, "out", &elements.arrays[0].view, "in", &elements.arrays[1].view);
    tl_elements_array_whole(&elements, "sorted", desc->type, desc->sorted, desc->sorted_count, false);
    tl_text *text = tl_elements_text(&elements);
    tl_text_u32(text, "COUNT", count);
    tl_text_u32(text, "COUNT_HALF", half);
    tl_text_format(text, "const LOWER = %s;\nalias Key = %s;\n", desc->upper ? "false" : "true", type_name(desc->type));
    if (desc->wgsl != NULL) tl_text_add_own(text, desc->wgsl);
    tl_text_add(text, "fn telar_less(a: Key, b: Key) -> bool { return ");
    if (desc->less != NULL) tl_text_add_own(text, desc->less);
    else tl_text_add(text, "a < b");
    tl_text_add(text, "; }\n");
    tl_text_add(text, tl_wgsl_bound_search);
    tl_text_add(text, "fn telar_value(x: Key, i: u32) -> u32 { return bound_of(x); }\n");
    tl_elements_end(&elements);
}
