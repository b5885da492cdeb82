/* SPDX-License-Identifier: MIT
 *
 * A plan for programs (JSON) and for people. */
#include "plan_options.h"

#include <stdlib.h>
#include <string.h>

/* Runs a writer twice: for the size, then into memory. The caller frees; NULL without memory. */
typedef bool plan_writer(const telar_plan *plan, const telar_facts *facts, telar_language language, size_t index,
                         telar_out *out);

static bool write_next_step(const telar_plan *plan, const telar_facts *facts, telar_language language, size_t index,
                            telar_out *out)
{
    (void)index;
    telar_plan_next_step(plan, facts, language, out);
    return true;
}

static bool write_explanation(const telar_plan *plan, const telar_facts *facts, telar_language language, size_t index,
                              telar_out *out)
{
    (void)index;
    telar_plan_explain(plan, facts, language, out);
    return true;
}

static char *text_of(plan_writer *writer, const telar_plan *plan, const telar_facts *facts, telar_language language,
                     size_t index)
{
    telar_out size = {0};
    if (!writer(plan, facts, language, index, &size)) return NULL;
    char *text = calloc(size.len + 1, 1);
    if (text == NULL) return NULL;
    telar_out out = {.data = text, .cap = size.len + 1};
    writer(plan, facts, language, index, &out);
    return text;
}

static void json_windows(tl_json *json, const telar_plan *plan)
{
    tl_json_array(json, "windows");
    for (uint64_t k = 0; k < plan->window_count; k++) {
        telar_window window = telar_plan_window(plan, k);
        tl_json_object(json, NULL);
        tl_json_u64(json, "first", window.first);
        tl_json_u64(json, "count", window.count);
        tl_json_u32s(json, "dispatch", window.dispatch, 3);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
}

/* The widths that --subgroup asks for, else all that WebGPU allows. */
static void json_lanes(tl_json *json, const telar_plan *plan, const tl_plan_options *options)
{
    uint64_t least = options->subgroup.count > 0 ? options->subgroup.values[0] : 4;
    uint64_t most = options->subgroup.count > 0 ? options->subgroup.values[1] : 128;
    uint32_t invocations = plan->workgroup_size[0] * plan->workgroup_size[1] * plan->workgroup_size[2];
    tl_json_array(json, "lanes");
    for (uint64_t width = least; width <= most; width *= 2) {
        telar_lanes lanes = telar_lanes_fill(invocations, (uint32_t)width);
        tl_json_object(json, NULL);
        tl_json_u64(json, "width", lanes.width);
        tl_json_u64(json, "reserved", lanes.reserved);
        tl_json_f64(json, "efficiency", lanes.efficiency);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
}

static void json_occupancy(tl_json *json, const telar_plan *plan, const telar_facts *facts)
{
    bool resident = plan->resident_groups > 0, waves = plan->waves > 0;
    tl_json_u64_if(json, "resident_groups", resident, plan->resident_groups);
    tl_json_text(json, "resident_limited_by", resident ? telar_limited_by_text(plan->resident_limited_by) : NULL);
    tl_json_u64_if(json, "waves", waves, plan->waves);
    tl_json_u64_if(json, "last_wave_groups", waves, plan->last_wave_groups);
    tl_json_u64_if(json, "idle_units", telar_facts_know(facts, TELAR_FACT_COMPUTE_UNITS), plan->idle_units);
    if (plan->predicted_us < 0) {
        tl_json_null(json, "predicted_us");
    } else {
        tl_json_f64(json, "predicted_us", plan->predicted_us);
    }
}

static void json_texts(tl_json *json, const telar_plan *plan, const telar_facts *facts, telar_language language)
{
    char *next = text_of(write_next_step, plan, facts, language, 0);
    tl_json_text(json, "next_step", next);
    free(next);
    tl_json_array(json, "reasons");
    for (size_t k = 0;; k++) {
        char *reason = text_of(telar_plan_reason, plan, facts, language, k);
        if (reason == NULL) break;
        tl_json_text(json, NULL, reason);
        free(reason);
    }
    tl_json_end_array(json);
}

void tl_plan_json(tl_json *json, const char *key, const telar_plan *plan, const telar_facts *facts,
                  const tl_plan_options *options, telar_language language)
{
    bool partial = plan->kind == TELAR_KIND_REDUCE || plan->kind == TELAR_KIND_SCAN;
    tl_json_object(json, key);
    tl_json_u64(json, "count", plan->elements);
    tl_json_u64s(json, "domain", plan->count, plan->dimensions);
    tl_json_text(json, "kind", telar_kind_text(plan->kind));
    tl_json_u32s(json, "workgroup_size", plan->workgroup_size, 3);
    tl_json_u64(json, "items", plan->items);
    tl_json_u64(json, "groups", plan->groups);
    tl_json_text(json, "shape", telar_shape_text(plan->shape));
    tl_json_u32s(json, "dispatch", plan->dispatch, 3);
    json_windows(json, plan);
    tl_json_u64(json, "launched", plan->launched_invocations);
    tl_json_u64(json, "idle_invocations", plan->idle_invocations);
    tl_json_u64(json, "idle_groups", plan->idle_groups);
    json_lanes(json, plan, options);
    tl_json_u64(json, "steps", plan->steps);
    tl_json_u64_if(json, "partials", partial, plan->partials);
    json_occupancy(json, plan, facts);
    tl_json_object(json, "lesson");
    tl_json_u32s(json, "workgroup_size", plan->lesson_workgroup_size, 3);
    tl_json_u64(json, "groups", plan->lesson_groups);
    tl_json_end_object(json);
    tl_json_text(json, "limited_by", telar_limited_by_text(plan->limited_by));
    json_texts(json, plan, facts, language);
    tl_json_end_object(json);
}

void tl_plan_text(FILE *stream, const telar_plan *plan, const telar_facts *facts, telar_language language)
{
    char *text = text_of(write_explanation, plan, facts, language, 0);
    if (text == NULL) return;
    size_t len = strlen(text);
    fputs(text, stream);
    if (len == 0 || text[len - 1] != '\n') fputc('\n', stream);
    free(text);
}
