/* SPDX-License-Identifier: MIT
 *
 * Counts on the GPU, as far as the host has to do with them. */
#include "run_count.h"
#include "io/quantity.h"

#include <string.h>

telar_status tl_take_capacity(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    tl_capacity *capacity = field;
    capacity->text = text;
    return tl_take_u64(&capacity->elements, option, text, diag);
}

telar_status tl_gpu_count_read(const char *text, tl_gpu_count *count, telar_diag *diag)
{
    *count = (tl_gpu_count){.text = text};
    size_t len = strcspn(text + 1, ":");
    if (len == 0 || len >= sizeof count->name) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--count: '%.80s' is not @NAME or @NAME:BYTE_OFFSET, as in @alive or @counts:8", text);
    }
    memcpy(count->name, text + 1, len);
    if (text[1 + len] == 0) return TELAR_OK;
    TELAR_TRY(tl_number_u64("--count, its offset", tl_str_of(text + len + 2), 0, UINT64_C(1) << 48,
                            &count->offset_bytes, diag));
    if (count->offset_bytes % 4 == 0) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, count->offset_bytes, 4,
                         "--count %.80s: the offset (%llu bytes) is not a multiple of 4", text,
                         (unsigned long long)count->offset_bytes);
}

/* ---- the capacity -------------------------------------------------------------------------------------------------- */

static telar_status check_dimensions(const telar_weave_needs *needs, telar_diag *diag)
{
    uint32_t dimensions = needs->dimensions;
    if (dimensions == 0) dimensions = needs->workgroup_size[2] > 1 ? 3 : needs->workgroup_size[1] > 1 ? 2 : 1;
    if (dimensions == 1) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, dimensions, 1,
                         "--count: a count on the GPU is one number, the domain of %s has %u axes; give --count %s",
                         needs->name, dimensions, dimensions == 2 ? "WxH" : "WxHxD");
}

/* The array whose length is the capacity; NULL: there is none. */
static const tl_datum *capacity_array(const tl_data *data, const telar_weave_needs *needs)
{
    for (uint32_t k = 0; needs->count_binding != NULL && k < data->count; k++) {
        const tl_datum *datum = &data->items[k];
        if (datum->source != NULL && strcmp(datum->variable->name, needs->count_binding) == 0) return datum;
    }
    return data->first_bound == UINT32_MAX ? NULL : &data->items[data->first_bound];
}

telar_status tl_gpu_count_capacity(const tl_data *data, const tl_capacity *given, const telar_weave_needs *needs,
                                   uint64_t *capacity, telar_diag *diag)
{
    TELAR_TRY(check_dimensions(needs, diag));
    const tl_datum *array = capacity_array(data, needs);
    *capacity = given->text != NULL ? given->elements : array != NULL ? array->layout.elements : 0;
    if (given->text != NULL || array != NULL) return TELAR_OK;
    return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                   "no --capacity is given, and no array is bound that it could be taken from; give --capacity N");
}

telar_status tl_gpu_count_check_plan(const tl_gpu_count *count, const telar_plan *plan, telar_diag *diag)
{
    if (plan->window_count <= 1) return TELAR_OK;
    uint64_t most = telar_plan_window(plan, 0).count;
    return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, plan->elements, most,
                         "--count %.80s: a capacity of %llu elements takes %llu windows on this device, and a count on "
                         "the GPU goes into one; give --capacity %llu or less",
                         count->text, (unsigned long long)plan->elements, (unsigned long long)plan->window_count,
                         (unsigned long long)most);
}

/* ---- the report ---------------------------------------------------------------------------------------------------- */

telar_count_report tl_gpu_count_expect(const telar_plan *plan, uint32_t value, uint32_t runs)
{
    telar_indirect launch = telar_plan_indirect(plan, value, plan->elements);
    return (telar_count_report){
        .requested = value, .launched = launch.launched, .saturations = launch.saturated ? runs : 0, .ran = 1};
}

telar_status tl_gpu_count_check_report(const telar_count_report *report, const telar_count_report *expected,
                                       telar_diag *diag)
{
    TELAR_TRY(telar_count_report_check(report, diag));
    if (report->requested == expected->requested && report->launched == expected->launched &&
        report->saturations == expected->saturations) {
        return TELAR_OK;
    }
    return tl_fail_limit(diag, TELAR_MISMATCH, report->launched, expected->launched,
                         "the report says %u requested, %u launched, %u saturations; the count says %u, %u, %u",
                         report->requested, report->launched, report->saturations, expected->requested,
                         expected->launched, expected->saturations);
}
