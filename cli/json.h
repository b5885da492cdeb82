/* SPDX-License-Identifier: MIT
 *
 * JSON to standard output: keys in the order written, whole numbers of 64 bits exact, doubles in the fewest digits that
 * read back the same. One line a key of the outermost object, everything below on that line. */
#ifndef TL_CLI_JSON_H
#define TL_CLI_JSON_H

#include "base/base.h"

typedef struct tl_json {
    unsigned depth;
    bool comma; /* before the next item */
} tl_json;

/* key is NULL inside arrays and for the outermost object. */
void tl_json_object(tl_json *json, const char *key);
void tl_json_array(tl_json *json, const char *key);
void tl_json_end_object(tl_json *json);
void tl_json_end_array(tl_json *json);
void tl_json_u64(tl_json *json, const char *key, uint64_t value);
void tl_json_f64(tl_json *json, const char *key, double value); /* null when it is not finite */
void tl_json_bool(tl_json *json, const char *key, bool value);
void tl_json_text(tl_json *json, const char *key, const char *value); /* null when NULL */
void tl_json_null(tl_json *json, const char *key);
/* A number, or null when it is not known. */
void tl_json_u64_if(tl_json *json, const char *key, bool known, uint64_t value);
void tl_json_u32s(tl_json *json, const char *key, const uint32_t *values, size_t count);
void tl_json_u64s(tl_json *json, const char *key, const uint64_t *values, size_t count);

#endif
