/* SPDX-License-Identifier: MIT
 *
 * Results as JSON: of each kernel, n and run what the table for people has. All candidates are in the CSV file. */
#include "sweep/table.h"

static void launch_json(tl_json *json, const char *key, const tl_sweep_row *row)
{
    if (row == NULL) {
        tl_json_null(json, key);
        return;
    }
    tl_json_object(json, key);
    tl_json_u32s(json, "workgroup_size", row->size, 3);
    tl_json_u64(json, "items", row->items);
    tl_json_text(json, "shape", row->shape);
    tl_json_bool(json, "vector", row->vector);
    tl_json_f64(json, "us", row->us);
    tl_json_f64(json, "spread", row->spread);
    if (row->predicted_us >= 0) tl_json_f64(json, "predicted_us", row->predicted_us);
    else tl_json_null(json, "predicted_us");
    tl_json_end_object(json);
}

static void result_json(tl_json *json, const tl_sweep_table *table, const tl_sweep_result *result)
{
    const tl_sweep_row *row = &table->rows[result->first];
    const tl_sweep_row *plan = result->plan, *best = result->best;
    tl_json_object(json, NULL);
    tl_json_u64(json, "run", row->run);
    tl_json_text(json, "kernel", row->kernel);
    tl_json_u64s(json, "count", row->count, row->dimensions);
    tl_json_u64(json, "candidates", result->count);
    tl_json_u64(json, "wrong", result->wrong);
    tl_json_f64(json, "noise", row->noise);
    tl_json_bool(json, "tie", plan != NULL && (plan == best || (plan->roles & TL_ROLE_TIE) != 0));
    launch_json(json, "plan", plan);
    launch_json(json, "best", best);
    launch_json(json, "lesson", result->lesson);
    launch_json(json, "default", result->untuned);
    launch_json(json, "copy", result->copy);
    tl_json_end_object(json);
}

void tl_sweep_json(tl_json *json, const tl_sweep_table *table)
{
    tl_json_array(json, "runs");
    for (uint32_t k = 0; k < table->runs_count; k++) {
        tl_json_object(json, NULL);
        tl_json_text(json, "device", table->runs[k].device);
        tl_json_text(json, "name", table->runs[k].name);
        tl_json_text(json, "command", table->runs[k].command);
        tl_json_text(json, "facts", table->runs[k].facts);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
    tl_json_array(json, "results");
    for (uint32_t k = 0; k < table->rows_count;) {
        tl_sweep_result result = tl_table_result(table, k);
        result_json(json, table, &result);
        k += result.count;
    }
    tl_json_end_array(json);
}
