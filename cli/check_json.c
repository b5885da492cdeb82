/* SPDX-License-Identifier: MIT
 *
 * Findings and entry points of every file as one JSON object. */
#include "check_report.h"

static void begin(tl_check_state *state)
{
    tl_json_object(&state->json, NULL);
    tl_json_array(&state->json, "files");
}

static void put_edits(tl_json *json, const telar_finding *finding)
{
    tl_json_array(json, "edits");
    for (uint32_t k = 0; k < finding->edits_count; k++) {
        tl_json_object(json, NULL);
        tl_json_u64(json, "offset", finding->edits[k].offset);
        tl_json_u64(json, "bytes", finding->edits[k].bytes);
        tl_json_text(json, "text", finding->edits[k].text);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
}

static void put_finding(tl_json *json, const telar_finding *finding)
{
    tl_json_object(json, NULL);
    tl_json_text(json, "rule", finding->rule);
    tl_json_text(json, "severity", telar_severity_text(finding->severity));
    tl_json_u64(json, "line", finding->line);
    tl_json_u64(json, "column", finding->column);
    tl_json_u64(json, "end_line", finding->end_line);
    tl_json_u64(json, "end_column", finding->end_column);
    tl_json_text(json, "entry", finding->entry);
    tl_json_text(json, "message", finding->message);
    tl_json_text(json, "why", finding->why);
    tl_json_text(json, "fix", finding->fix);
    put_edits(json, finding);
    tl_json_end_object(json);
}

static void put_binding(tl_json *json, const telar_wgsl_binding *binding)
{
    static const char *const spaces[] = {"none", "uniform", "storage", "handle", "other"};
    static const char *const accesses[] = {"none", "read", "write", "read_write"};
    tl_json_object(json, NULL);
    tl_json_u64_if(json, "group", binding->group != UINT32_MAX, binding->group);
    tl_json_u64_if(json, "binding", binding->binding != UINT32_MAX, binding->binding);
    tl_json_text(json, "name", binding->name);
    tl_json_text(json, "space", spaces[binding->space]);
    tl_json_text(json, "access", accesses[binding->access]);
    tl_json_text(json, "type", binding->type);
    tl_json_u64(json, "min_bytes", binding->min_bytes);
    tl_json_end_object(json);
}

static void put_entry(tl_json *json, const telar_wgsl_entry *entry, bool foldable)
{
    tl_json_object(json, NULL);
    tl_json_text(json, "name", entry->name);
    tl_json_u32s(json, "workgroup_size", entry->workgroup_size, 3);
    tl_json_u64(json, "workgroup_memory_bytes", entry->workgroup_bytes);
    tl_json_array(json, "bindings");
    for (uint32_t k = 0; k < entry->bindings_count; k++) put_binding(json, entry->bindings[k]);
    tl_json_end_array(json);
    tl_json_array(json, "uses");
    for (uint32_t k = 0; k < entry->builtins_count; k++) tl_json_text(json, NULL, entry->builtins[k]);
    tl_json_end_array(json);
    tl_json_u64(json, "barriers", entry->barriers_count);
    tl_json_bool(json, "foldable", foldable);
    tl_json_end_object(json);
}

static void file(tl_check_state *state, const tl_checked *checked)
{
    tl_json *json = &state->json;
    const telar_check_result *result = &checked->result;
    tl_json_object(json, NULL);
    tl_json_text(json, "file", checked->name);
    tl_json_array(json, "findings");
    for (uint32_t k = 0; k < result->findings_count; k++) put_finding(json, &result->findings[k]);
    tl_json_end_array(json);
    tl_json_array(json, "entries");
    for (uint32_t k = 0; result->reflection != NULL && k < result->reflection->entries_count; k++) {
        const telar_wgsl_entry *entry = &result->reflection->entries[k];
        if (entry->stage == TELAR_WGSL_COMPUTE) put_entry(json, entry, checked->foldable[k]);
    }
    tl_json_end_array(json);
    tl_json_end_object(json);
}

static void end(tl_check_state *state)
{
    tl_json_end_array(&state->json);
    tl_json_end_object(&state->json);
}

const tl_check_report tl_check_json = {begin, file, end};
