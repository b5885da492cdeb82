/* SPDX-License-Identifier: MIT
 *
 * Binding the buffers of a recording by their names. Their types are not recorded: the source's own is kept, and words are
 * u32 where there is none. */
#include "replay_data.h"
#include "io/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tl_option data_options[] = {
    {.name = "bind",
     .argument = "NAME=SOURCE",
     .take = tl_take_texts,
     .offset = offsetof(tl_replay_options, binds),
     .help =
         {"data of a bound buffer, as many bytes at least as were recorded: sources as in telar run; may be repeated "
          "(default: zeros)",
          "datos de un búfer enlazado, al menos tantos bytes como se grabaron: fuentes como en telar run; se puede "
          "repetir (por defecto, ceros)"}},
    {.name = "out",
     .argument = "NAME=FILE",
     .take = tl_take_texts,
     .offset = offsetof(tl_replay_options, outs),
     .help =
         {"writes a bound buffer afterwards, in the type of its source, else as u32: .npy .png .bin, or -",
          "escribe después un búfer enlazado, con el tipo de su fuente o, si no la hay, como u32: .npy .png .bin, o "
          "-"}},
};

const tl_option_group tl_replay_data_group = {
    .title = {"The data", "Los datos"}, .options = data_options, .count = TL_COUNT(data_options)};

/* ---- the list ------------------------------------------------------------------------------------------------------ */

static tl_slot slot_of(const char *name, tl_dtype scalar)
{
    static const struct {
        tl_dtype scalar;
        const char *type_text;
    } types[] = {{TL_DTYPE_F32, "array<f32>"}, {TL_DTYPE_I32, "array<i32>"}};
    tl_slot slot = {
        .name = name, .type_text = "array<u32>", .scalar = TL_DTYPE_U32, .components = 1, .stride_bytes = 4};
    for (size_t k = 0; k < TL_COUNT(types); k++) {
        if (types[k].scalar != scalar) continue;
        slot.scalar = scalar;
        slot.type_text = types[k].type_text;
    }
    return slot;
}

static telar_status add_buffer(const tl_op *op, tl_replayed *item, telar_diag *diag)
{
    tl_str name = op->buffer.name;
    *item = (tl_replayed){.id = op->number,
                          .recorded_bytes = op->buffer.size_bytes,
                          .buffer_bytes = op->buffer.size_bytes,
                          .output = {.fd = -1}};
    item->name = calloc(name.len + 1, 1);
    if (item->name == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    if (name.len > 0) memcpy(item->name, name.data, name.len);
    item->slot = slot_of(item->name, TL_DTYPE_U32);
    tl_shape shape = {1, {item->recorded_bytes / 4}};
    return tl_layout_of(&item->slot, &shape, &item->layout, diag);
}

static telar_status list_buffers(telar_recording recording, tl_replay_data *data, telar_diag *diag)
{
    data->items = calloc((size_t)telar_recording_buffer_count(recording) + 1, sizeof *data->items);
    if (data->items == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        if (op.code != TL_OP_BUFFER || (op.buffer.use & TELAR_USE_BOUND) == 0) continue;
        TELAR_TRY(add_buffer(&op, &data->items[data->count++], diag));
    }
    return TELAR_OK;
}

tl_replayed *tl_replay_find(const tl_replay_data *data, const char *name)
{
    tl_replayed *found = NULL;
    for (uint32_t k = 0; k < data->count; k++) {
        if (strcmp(data->items[k].name, name) != 0) continue;
        if (found != NULL) return NULL;
        found = &data->items[k];
    }
    return found;
}

/* ---- options ------------------------------------------------------------------------------------------------------- */

#define NAME_BYTES 256

static telar_status not_found(const tl_replay_data *data, const char *option, const char *name, telar_diag *diag)
{
    const char *names[TL_TEXTS_MAX];
    uint32_t count = 0, of_name = 0;
    for (uint32_t k = 0; k < data->count; k++) {
        if (count < TL_TEXTS_MAX) names[count++] = data->items[k].name;
        of_name += strcmp(data->items[k].name, name) == 0;
    }
    if (of_name > 1) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s: the recording has %u bound buffers named %s", option, of_name,
                       name);
    }
    const char *near = tl_nearest(name, names, count);
    return tl_fail(diag, TELAR_NOT_FOUND, "%s: the recording has no bound buffer %s; %s%s%s", option, name,
                   near != NULL ? "did you mean " : "telar show lists them", near != NULL ? near : "",
                   near != NULL ? "?" : "");
}

/* The buffer of NAME=REST; NULL after a failure. */
static tl_replayed *find(const tl_replay_data *data, const char *option, const char *form, const char *text,
                         const char **rest, telar_status *status, telar_diag *diag)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == 0 || equals - text >= NAME_BYTES) {
        *status = tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s: '%.80s' is not %s", option, text, form);
        return NULL;
    }
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    *rest = equals + 1;
    tl_replayed *item = tl_replay_find(data, name);
    *status = item != NULL ? TELAR_OK : not_found(data, option, name, diag);
    return item;
}

static telar_status bind(const tl_replay_data *data, const char *text, telar_diag *diag)
{
    telar_status status;
    const char *source;
    tl_replayed *item = find(data, "--bind", "NAME=SOURCE, as in src=data.npy", text, &source, &status, diag);
    if (item == NULL) return status;
    if (item->source != NULL) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--bind: %s is bound twice, to %.200s and %.200s", item->name,
                       item->source, source);
    }
    char what[NAME_BYTES + 16];
    snprintf(what, sizeof what, "--bind %.200s", item->name);
    TELAR_TRY(tl_source_open(what, source, &item->array, diag));
    item->source = source;
    if (!item->array.picture) item->slot = slot_of(item->name, item->array.dtype);
    TELAR_TRY(tl_fit(what, &item->slot, &item->array, &item->layout, diag));
    item->buffer_bytes = item->layout.buffer_bytes;
    if (item->buffer_bytes >= item->recorded_bytes) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_INVALID_DATA, item->buffer_bytes, item->recorded_bytes,
                         "%s: the data has %llu bytes, the recording wants %llu at least", what,
                         (unsigned long long)item->buffer_bytes, (unsigned long long)item->recorded_bytes);
}

static telar_status mark_out(const tl_replay_data *data, const char *text, telar_diag *diag)
{
    telar_status status;
    const char *file;
    tl_replayed *item = find(data, "--out", "NAME=FILE, as in dst=out.npy", text, &file, &status, diag);
    if (item == NULL) return status;
    for (uint32_t k = 0; k < data->count; k++) {
        const tl_replayed *other = &data->items[k];
        if (other->out == NULL || (other != item && strcmp(other->out, file) != 0)) continue;
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       other == item ? "--out: %s is written twice, to %.200s and %.200s"
                                     : "--out: %s and another buffer go to the same file, %.200s (%.200s)",
                       item->name, other->out, file);
    }
    item->out = file;
    TELAR_TRY(tl_save_check(file, &item->slot, &item->layout, diag));
    TELAR_TRY(tl_output_begin(file, &item->output, diag));
    for (uint32_t k = 0; k < data->count; k++) {
        if (&data->items[k] != item) TELAR_TRY(tl_output_apart(&data->items[k].output, &item->output, diag));
    }
    return TELAR_OK;
}

telar_status tl_replay_open(const tl_replay_options *options, telar_recording recording, tl_replay_data *data,
                            telar_diag *diag)
{
    *data = (tl_replay_data){0};
    telar_status status = list_buffers(recording, data, diag);
    for (uint32_t k = 0; status == TELAR_OK && k < options->binds.count; k++)
        status = bind(data, options->binds.items[k], diag);
    for (uint32_t k = 0; status == TELAR_OK && k < options->outs.count; k++)
        status = mark_out(data, options->outs.items[k], diag);
    if (status != TELAR_OK) tl_replay_close(data);
    return status;
}

void tl_replay_close(tl_replay_data *data)
{
    for (uint32_t k = 0; k < data->count; k++) {
        tl_array_close(&data->items[k].array);
        tl_output_abandon(&data->items[k].output);
        free(data->items[k].name);
    }
    free(data->items);
    *data = (tl_replay_data){0};
}
