/* SPDX-License-Identifier: MIT
 *
 * Facts files by jansson. A file is checked field by field: what is known must have the right type and range, what is
 * not known is left alone. */
#include "io/facts_file.h"
#include "io/file.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FACTS_BYTES_MAX ((uint64_t)16 << 20)

/* Nothing that is measured lies outside. */
#define FACT_MIN 1e-9
#define FACT_MAX 1e18

static const char *const device_types[] = {"unknown", "discrete", "integrated", "cpu"};

/* What was found, as text: a number itself, of all else the kind. */
static void found_text(const json_t *found, char *text, size_t cap)
{
    static const char *const kinds[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text",
        [JSON_INTEGER] = "",         [JSON_REAL] = "",          [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    switch (json_typeof(found)) {
    case JSON_INTEGER: snprintf(text, cap, "%lld", (long long)json_integer_value(found)); break;
    case JSON_REAL: snprintf(text, cap, "%g", json_real_value(found)); break;
    case JSON_STRING: snprintf(text, cap, "the text '%.40s'", json_string_value(found)); break;
    default: snprintf(text, cap, "%s", kinds[json_typeof(found)]); break;
    }
}

static telar_status wrong_field(telar_diag *diag, const char *name, const char *field, const char *inner,
                                const char *expected, const json_t *found)
{
    char text[80];
    found_text(found, text, sizeof text);
    return tl_fail(diag, TELAR_INVALID_DATA, "%s: %s%s%.80s is %s; allowed is %s", name, field,
                   inner[0] != 0 ? "." : "", inner, text, expected);
}

static telar_status read_limits(const char *name, const json_t *limits, telar_facts *facts, telar_diag *diag)
{
    if (!json_is_object(limits)) return wrong_field(diag, name, "limits", "", "an object", limits);
    for (size_t k = 0; telar_limit_name(k) != NULL; k++) {
        const char *limit = telar_limit_name(k);
        const json_t *value = json_object_get(limits, limit);
        if (value == NULL) continue;
        if (!json_is_integer(value) || json_integer_value(value) < 0) {
            return wrong_field(diag, name, "limits", limit, "a whole number, 0 or more", value);
        }
        telar_diag inner = {0};
        telar_status status = telar_facts_set_limit(facts, limit, (uint64_t)json_integer_value(value), &inner);
        if (status != TELAR_OK) return tl_fail(diag, status, "%s: %s", name, inner.text);
    }
    return TELAR_OK;
}

static telar_fact_source source_of(const char *text)
{
    for (int k = TELAR_SOURCE_NONE; k <= TELAR_SOURCE_GIVEN; k++) {
        if (strcmp(telar_fact_source_text((telar_fact_source)k), text) == 0) return (telar_fact_source)k;
    }
    return TELAR_SOURCE_NONE;
}

static bool finite_number(const json_t *value, double *number)
{
    *number = json_number_value(value);
    return json_is_number(value) && isfinite(*number) && *number >= 0;
}

static telar_status read_fact(const char *name, const char *text, const json_t *fact, telar_fact *read,
                              telar_diag *diag)
{
    *read = (telar_fact){0};
    if (!json_is_object(fact)) return wrong_field(diag, name, "facts", text, "an object with a value", fact);
    const json_t *value = json_object_get(fact, "value"), *spread = json_object_get(fact, "spread");
    const json_t *source = json_object_get(fact, "source");
    if (value == NULL) {
        return tl_fail(diag, TELAR_INVALID_DATA, "%s: facts.%s has no value; allowed is {\"value\": a number}", name,
                       text);
    }
    if (!finite_number(value, &read->value) || read->value < FACT_MIN || read->value > FACT_MAX) {
        return wrong_field(diag, name, "facts", text, "a number above 0, to 1e18", value);
    }
    if (spread != NULL && !json_is_null(spread) && !finite_number(spread, &read->spread)) {
        return wrong_field(diag, name, "facts", text, "a spread that is a number, 0 or more", spread);
    }
    read->source = source == NULL ? TELAR_SOURCE_GIVEN : TELAR_SOURCE_NONE;
    if (json_is_string(source)) read->source = source_of(json_string_value(source));
    if (read->source != TELAR_SOURCE_NONE) return TELAR_OK;
    return tl_fail(diag, TELAR_INVALID_DATA,
                   "%s: the source of facts.%s is not allowed; allowed are adapter probe measured table given", name,
                   text);
}

static telar_status read_facts(const char *name, const json_t *table, telar_facts *facts, telar_diag *diag)
{
    if (!json_is_object(table)) return wrong_field(diag, name, "facts", "", "an object", table);
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        const char *text = telar_fact_text((telar_fact_name)k);
        const json_t *fact = json_object_get(table, text);
        if (fact == NULL || json_is_null(fact)) continue;
        telar_fact read;
        TELAR_TRY(read_fact(name, text, fact, &read, diag));
        facts->values[k] = read;
    }
    return TELAR_OK;
}

static telar_status read_device(const char *name, const json_t *root, telar_facts *facts, telar_diag *diag)
{
    const json_t *device = json_object_get(root, "device"), *type = json_object_get(root, "type");
    if (device != NULL && !json_is_null(device)) {
        if (!json_is_string(device)) return wrong_field(diag, name, "device", "", "a text", device);
        telar_out out = {.data = facts->device, .cap = sizeof facts->device};
        tl_out_text(&out, json_string_value(device));
    }
    if (type == NULL || json_is_null(type)) return TELAR_OK;
    for (size_t k = 0; json_is_string(type) && k < TL_COUNT(device_types); k++) {
        if (strcmp(device_types[k], json_string_value(type)) != 0) continue;
        facts->type = (telar_device_type)k;
        return TELAR_OK;
    }
    return wrong_field(diag, name, "type", "", "discrete, integrated, cpu or unknown", type);
}

static telar_status read_root(const char *name, const json_t *root, telar_facts *facts, telar_diag *diag)
{
    if (!json_is_object(root)) return wrong_field(diag, name, "the file", "", "an object", root);
    const json_t *version = json_object_get(root, "version");
    if (version != NULL && !json_is_integer(version)) {
        return wrong_field(diag, name, "version", "", "a whole number", version);
    }
    if (version != NULL && json_integer_value(version) != TL_FACTS_VERSION) {
        return tl_fail_limit(diag, TELAR_UNSUPPORTED, (uint64_t)json_integer_value(version), TL_FACTS_VERSION,
                             "%s: version (%lld) of the facts file is not known; allowed is %d", name,
                             (long long)json_integer_value(version), TL_FACTS_VERSION);
    }
    TELAR_TRY(read_device(name, root, facts, diag));
    const json_t *limits = json_object_get(root, "limits"), *table = json_object_get(root, "facts");
    if (limits != NULL) TELAR_TRY(read_limits(name, limits, facts, diag));
    if (table != NULL) TELAR_TRY(read_facts(name, table, facts, diag));
    if (limits != NULL || table != NULL) return TELAR_OK;
    return tl_fail(diag, TELAR_INVALID_DATA, "%s: the file has neither limits nor facts", name);
}

telar_status tl_facts_text_read(const char *name, const char *text, size_t bytes, telar_facts *facts, telar_diag *diag)
{
    *facts = telar_facts_default();
    json_error_t error;
    json_t *root = json_loadb(text == NULL ? "" : text, bytes, JSON_REJECT_DUPLICATES, &error);
    telar_status status;
    if (root == NULL) {
        uint32_t line = error.line > 0 ? (uint32_t)error.line : 1,
                 column = error.column > 0 ? (uint32_t)error.column : 1;
        status =
            tl_fail(diag, TELAR_INVALID_DATA, "%s:%u:%u: not a facts file: %.160s", name, line, column, error.text);
        if (diag != NULL) {
            diag->line = line;
            diag->column = column;
        }
    } else {
        status = read_root(name, root, facts, diag);
    }
    json_decref(root);
    if (status != TELAR_OK) memset(facts, 0, sizeof *facts);
    return status;
}

telar_status tl_facts_file_read(const char *path, telar_facts *facts, telar_diag *diag)
{
    memset(facts, 0, sizeof *facts);
    tl_file file;
    TELAR_TRY(tl_file_open(path, &file, diag));
    telar_status status;
    if (file.size_bytes > FACTS_BYTES_MAX) {
        status = tl_fail_limit(diag, TELAR_INVALID_DATA, file.size_bytes, FACTS_BYTES_MAX,
                               "%s: a facts file has at most %llu bytes, this one has %llu", path,
                               (unsigned long long)FACTS_BYTES_MAX, (unsigned long long)file.size_bytes);
    } else {
        status = tl_facts_text_read(path, (const char *)file.data, (size_t)file.size_bytes, facts, diag);
    }
    tl_file_close(&file);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

/* The object under a key, made when it is missing. */
static json_t *object_at(json_t *root, const char *key)
{
    json_t *object = json_object_get(root, key);
    if (json_is_object(object)) return object;
    json_object_set_new(root, key, json_object());
    return json_object_get(root, key);
}

static void put_limits(json_t *root, const telar_facts *facts)
{
    json_t *limits = object_at(root, "limits");
    for (size_t k = 0; telar_limit_name(k) != NULL; k++) {
        uint64_t value = 0;
        telar_facts_get_limit(facts, telar_limit_name(k), &value, NULL);
        if (value > INT64_MAX) value = INT64_MAX; /* jansson's largest; no device has it */
        json_object_set_new(limits, telar_limit_name(k), json_integer((json_int_t)value));
    }
}

static json_t *number_of(double value)
{
    bool whole = value == floor(value) && fabs(value) < 9007199254740992.0;
    return whole ? json_integer((json_int_t)value) : json_real(value);
}

static void put_facts(json_t *root, const telar_facts *facts, tl_fact_how *how)
{
    json_t *table = object_at(root, "facts");
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        const telar_fact *fact = &facts->values[k];
        if (fact->source == TELAR_SOURCE_NONE) continue;
        json_t *row = object_at(table, telar_fact_text((telar_fact_name)k));
        json_object_set_new(row, "value", number_of(fact->value));
        json_object_set_new(row, "unit", json_string(telar_fact_unit((telar_fact_name)k)));
        json_object_set_new(row, "spread", number_of(fact->spread));
        json_object_set_new(row, "source", json_string(telar_fact_source_text(fact->source)));
        const char *got = how == NULL ? "" : how((telar_fact_name)k, TELAR_ENGLISH);
        bool found = fact->source == TELAR_SOURCE_MEASURED || fact->source == TELAR_SOURCE_PROBE;
        if (found && got[0] != 0) json_object_set_new(row, "how", json_string(got));
    }
}

static int write_part(const char *text, size_t bytes, void *output)
{
    return tl_output_write(output, text, bytes, NULL) == TELAR_OK ? 0 : -1;
}

/* The old file where there is a good one, else an empty object. */
static json_t *root_of(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (json_is_object(root)) return root;
    json_decref(root);
    return json_object();
}

telar_status tl_facts_file_write(const char *path, const telar_facts *facts, tl_fact_how *how, telar_diag *diag)
{
    json_t *root = root_of(path);
    json_object_set_new(root, "version", json_integer(TL_FACTS_VERSION));
    json_object_set_new(root, "device", json_string(facts->device));
    json_object_set_new(root, "type", json_string(device_types[facts->type]));
    put_limits(root, facts);
    put_facts(root, facts, how);
    tl_output output;
    telar_status status = tl_output_begin(path, &output, diag);
    if (status == TELAR_OK && json_dump_callback(root, write_part, &output, JSON_INDENT(2)) != 0) {
        status = tl_fail(diag, TELAR_IO_FAILED, "%s: the facts could not be written", path);
    }
    if (status == TELAR_OK) status = tl_output_write(&output, "\n", 1, diag);
    if (status == TELAR_OK) status = tl_output_commit(&output, diag);
    tl_output_abandon(&output);
    json_decref(root);
    return status;
}
