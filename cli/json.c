/* SPDX-License-Identifier: MIT
 *
 * JSON writing. Text that is not UTF-8 (file names may hold anything) has its bad bytes replaced by U+FFFD. */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the UTF-8 sequence at `at`; 0 when there is none. */
static size_t sequence(const unsigned char *at)
{
    if (at[0] < 0x80) return 1;
    if (at[0] < 0xC2 || at[0] > 0xF4) return 0;
    size_t bytes = at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    for (size_t k = 1; k < bytes; k++) {
        if ((at[k] & 0xC0) != 0x80) return 0;
    }
    bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool outside = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F);
    return overlong || outside ? 0 : bytes;
}

static void put_text(const char *text)
{
    putchar('"');
    for (const unsigned char *at = (const unsigned char *)text; *at != 0;) {
        size_t bytes = sequence(at);
        if (bytes == 0) {
            fputs("\\ufffd", stdout);
            bytes = 1;
        } else if (*at == '"' || *at == '\\') {
            printf("\\%c", *at);
        } else if (*at == '\n') {
            fputs("\\n", stdout);
        } else if (*at < 0x20 || *at == 0x7F) {
            printf("\\u%04x", *at);
        } else {
            fwrite(at, 1, bytes, stdout);
        }
        at += bytes;
    }
    putchar('"');
}

static void begin_item(tl_json *json, const char *key)
{
    if (json->comma) putchar(',');
    if (json->depth == 1) {
        fputs("\n  ", stdout);
    } else if (json->comma) {
        putchar(' ');
    }
    json->comma = true;
    if (key == NULL) return;
    put_text(key);
    fputs(": ", stdout);
}

static void begin_nest(tl_json *json, const char *key, char bracket)
{
    begin_item(json, key);
    putchar(bracket);
    json->depth++;
    json->comma = false;
}

static void end_nest(tl_json *json, char bracket)
{
    json->depth--;
    if (json->depth == 0) putchar('\n');
    putchar(bracket);
    json->comma = true;
    if (json->depth == 0) putchar('\n');
}

void tl_json_object(tl_json *json, const char *key)
{
    begin_nest(json, key, '{');
}

void tl_json_array(tl_json *json, const char *key)
{
    begin_nest(json, key, '[');
}

void tl_json_end_object(tl_json *json)
{
    end_nest(json, '}');
}

void tl_json_end_array(tl_json *json)
{
    end_nest(json, ']');
}

void tl_json_u64(tl_json *json, const char *key, uint64_t value)
{
    begin_item(json, key);
    printf("%llu", (unsigned long long)value);
}

void tl_json_f64(tl_json *json, const char *key, double value)
{
    begin_item(json, key);
    if (!isfinite(value)) {
        fputs("null", stdout);
        return;
    }
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, stdout);
}

void tl_json_bool(tl_json *json, const char *key, bool value)
{
    begin_item(json, key);
    fputs(value ? "true" : "false", stdout);
}

void tl_json_text(tl_json *json, const char *key, const char *value)
{
    begin_item(json, key);
    if (value == NULL) {
        fputs("null", stdout);
    } else {
        put_text(value);
    }
}

void tl_json_null(tl_json *json, const char *key)
{
    begin_item(json, key);
    fputs("null", stdout);
}

void tl_json_u64_if(tl_json *json, const char *key, bool known, uint64_t value)
{
    if (known) {
        tl_json_u64(json, key, value);
    } else {
        tl_json_null(json, key);
    }
}

void tl_json_u32s(tl_json *json, const char *key, const uint32_t *values, size_t count)
{
    tl_json_array(json, key);
    for (size_t k = 0; k < count; k++) tl_json_u64(json, NULL, values[k]);
    tl_json_end_array(json);
}

void tl_json_u64s(tl_json *json, const char *key, const uint64_t *values, size_t count)
{
    tl_json_array(json, key);
    for (size_t k = 0; k < count; k++) tl_json_u64(json, NULL, values[k]);
    tl_json_end_array(json);
}
