/* SPDX-License-Identifier: MIT
 *
 * Findings as a log of SARIF 2.1.0 (OASIS). Columns count code points there. */
#include "check_report.h"

#include <stdio.h>
#include <string.h>

#define URI_BYTES 12288 /* three for each byte of the longest path */

static void put_message(tl_json *json, const char *key, const char *text)
{
    tl_json_object(json, key);
    tl_json_text(json, "text", text);
    tl_json_end_object(json);
}

static const char *level_of(telar_severity severity)
{
    return severity == TELAR_SEVERITY_ERROR ? "error" : severity == TELAR_SEVERITY_WARNING ? "warning" : "note";
}

static void put_rules(tl_json *json, telar_language language)
{
    const telar_rule_info *rule;
    tl_json_array(json, "rules");
    for (uint32_t k = 0; (rule = telar_rule_at(k)) != NULL; k++) {
        tl_json_object(json, NULL);
        tl_json_text(json, "id", rule->name);
        put_message(json, "shortDescription", telar_rule_why(rule, language));
        tl_json_object(json, "defaultConfiguration");
        tl_json_text(json, "level", level_of(rule->severity));
        tl_json_end_object(json);
        tl_json_object(json, "properties");
        tl_json_text(json, "family", rule->family);
        tl_json_end_object(json);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
}

static void begin(tl_check_state *state)
{
    tl_json *json = &state->json;
    tl_json_object(json, NULL);
    tl_json_text(json, "version", "2.1.0");
    tl_json_array(json, "runs");
    tl_json_object(json, NULL);
    tl_json_object(json, "tool");
    tl_json_object(json, "driver");
    tl_json_text(json, "name", "telar");
    tl_json_text(json, "version", telar_version());
    put_rules(json, state->cli->language);
    tl_json_end_object(json);
    tl_json_end_object(json);
    tl_json_text(json, "language", state->cli->language == TELAR_SPANISH ? "es" : "en");
    tl_json_text(json, "columnKind", "unicodeCodePoints");
    tl_json_array(json, "results");
}

/* A path as a URI reference: what is no letter, digit or one of -._~/ is written as %XX. */
static void uri_of(const char *path, char uri[URI_BYTES])
{
    telar_out out = {.data = uri, .cap = URI_BYTES};
    bool scheme = strchr(path, ':') != NULL && path[0] != '/'; /* "a:b" would be one */
    if (scheme) tl_out_text(&out, "./");
    for (const char *at = path; *at != 0; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                     strchr("-._~/", *at) != NULL;
        if (plain) {
            tl_out_bytes(&out, at, 1);
        } else {
            char hex[4];
            snprintf(hex, sizeof hex, "%%%02X", (unsigned)(unsigned char)*at);
            tl_out_text(&out, hex);
        }
    }
}

/* The column of a byte, counted in code points, from its column counted in bytes. */
static uint32_t column_of(const tl_checked *checked, uint64_t offset, uint32_t byte_column)
{
    uint32_t column = 1;
    for (uint64_t at = offset - (byte_column - 1); at < offset; at++) {
        column += ((unsigned char)checked->source[at] & 0xC0) != 0x80;
    }
    return column;
}

static void put_artifact(tl_json *json, const tl_checked *checked)
{
    char uri[URI_BYTES];
    uri_of(checked->name, uri);
    tl_json_object(json, "artifactLocation");
    tl_json_text(json, "uri", uri);
    tl_json_end_object(json);
}

static void put_bytes(tl_json *json, uint64_t offset, uint64_t bytes)
{
    tl_json_u64(json, "byteOffset", offset);
    tl_json_u64(json, "byteLength", bytes);
}

static void put_location(tl_json *json, const tl_checked *checked, const telar_finding *finding)
{
    tl_json_array(json, "locations");
    tl_json_object(json, NULL);
    tl_json_object(json, "physicalLocation");
    put_artifact(json, checked);
    tl_json_object(json, "region");
    tl_json_u64(json, "startLine", finding->line);
    tl_json_u64(json, "startColumn", column_of(checked, finding->offset, finding->column));
    tl_json_u64(json, "endLine", finding->end_line);
    tl_json_u64(json, "endColumn", column_of(checked, finding->end_offset, finding->end_column));
    put_bytes(json, finding->offset, finding->end_offset - finding->offset);
    tl_json_end_object(json);
    tl_json_end_object(json);
    tl_json_end_object(json);
    tl_json_end_array(json);
}

static void put_fix(tl_json *json, const tl_checked *checked, const telar_finding *finding)
{
    tl_json_array(json, "fixes");
    tl_json_object(json, NULL);
    put_message(json, "description", finding->fix != NULL ? finding->fix : finding->message);
    tl_json_array(json, "artifactChanges");
    tl_json_object(json, NULL);
    put_artifact(json, checked);
    tl_json_array(json, "replacements");
    for (uint32_t k = 0; k < finding->edits_count; k++) {
        tl_json_object(json, NULL);
        tl_json_object(json, "deletedRegion");
        put_bytes(json, finding->edits[k].offset, finding->edits[k].bytes);
        tl_json_end_object(json);
        put_message(json, "insertedContent", finding->edits[k].text);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
    tl_json_end_object(json);
    tl_json_end_array(json);
    tl_json_end_object(json);
    tl_json_end_array(json);
}

static uint32_t rule_index(const char *name)
{
    uint32_t k = 0;
    while (telar_rule_at(k) != NULL && strcmp(telar_rule_at(k)->name, name) != 0) k++;
    return k;
}

static void put_result(tl_json *json, const tl_checked *checked, const telar_finding *finding)
{
    char text[4096];
    snprintf(text, sizeof text, "%s; %s", finding->message, finding->why);
    tl_json_object(json, NULL);
    tl_json_text(json, "ruleId", finding->rule);
    tl_json_u64(json, "ruleIndex", rule_index(finding->rule));
    tl_json_text(json, "level", level_of(finding->severity));
    put_message(json, "message", text);
    put_location(json, checked, finding);
    if (finding->edits_count > 0) put_fix(json, checked, finding);
    tl_json_end_object(json);
}

static void file(tl_check_state *state, const tl_checked *checked)
{
    for (uint32_t k = 0; k < checked->result.findings_count; k++) {
        put_result(&state->json, checked, &checked->result.findings[k]);
    }
}

static void end(tl_check_state *state)
{
    tl_json *json = &state->json;
    tl_json_end_array(json);
    tl_json_end_object(json);
    tl_json_end_array(json);
    tl_json_end_object(json);
}

const tl_check_report tl_check_sarif = {begin, file, end};
