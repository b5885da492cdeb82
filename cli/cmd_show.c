/* SPDX-License-Identifier: MIT
 *
 * telar show: a recording as text or JSON, and where two of them first differ. No device is needed. */
#include "cli.h"
#include "json.h"
#include "recording_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct show_options {
    const char *compare;
} show_options;

/* ---- text ---------------------------------------------------------------------------------------------------------- */

/* Names come from the file: what would steer a terminal is left out. */
static void print_clean(char *text, size_t len)
{
    for (size_t k = 0; k < len; k++) {
        unsigned char byte = (unsigned char)text[k];
        if ((byte < 0x20 && byte != '\n') || byte == 0x7F) text[k] = '?';
    }
    fwrite(text, 1, len, stdout);
}

static int print_text(telar_recording recording)
{
    telar_out size = {0};
    telar_recording_dump(recording, &size);
    char *text = malloc(size.len + 1);
    if (text == NULL) return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    telar_out out = {.data = text, .cap = size.len + 1};
    telar_recording_dump(recording, &out);
    print_clean(text, size.len);
    free(text);
    return TL_EXIT_DONE;
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

static void json_str(tl_json *json, const char *key, tl_str value)
{
    char *text = malloc(value.len + 1);
    if (text == NULL) {
        tl_json_null(json, key);
        return;
    }
    if (value.len > 0) memcpy(text, value.data, value.len);
    text[value.len] = 0;
    tl_json_text(json, key, text);
    free(text);
}

static const struct {
    uint32_t use;
    const char *text;
} uses[] = {
    {TELAR_USE_STORAGE, "storage"}, {TELAR_USE_UNIFORM, "uniform"}, {TELAR_USE_INDIRECT, "indirect"},
    {TELAR_USE_BOUND, "bound"},     {TELAR_USE_KEPT, "kept"},
};

static void json_buffer(tl_json *json, const tl_op *op)
{
    tl_json_u64(json, "id", op->number);
    json_str(json, "name", op->buffer.name);
    tl_json_u64(json, "bytes", op->buffer.size_bytes);
    tl_json_array(json, "use");
    for (size_t k = 0; k < TL_COUNT(uses); k++) {
        if ((op->buffer.use & uses[k].use) != 0) tl_json_text(json, NULL, uses[k].text);
    }
    tl_json_end_array(json);
}

static const char *space_text(telar_binding_space space)
{
    return space == TELAR_BINDING_UNIFORM ? "uniform" : space == TELAR_BINDING_STORAGE_READ ? "read" : "read_write";
}

static void json_kernel(tl_json *json, const tl_op *op)
{
    static const char *const params[] = {"none", "uniform", "immediate"};
    const tl_op_kernel *kernel = &op->kernel;
    tl_json_u64(json, "id", op->number);
    json_str(json, "name", kernel->name);
    json_str(json, "entry", kernel->entry);
    tl_json_u32s(json, "workgroup_size", (uint32_t[]){kernel->size_x, kernel->size_y, kernel->size_z}, 3);
    tl_json_u64(json, "workgroup_memory_bytes", kernel->memory_bytes);
    tl_json_text(json, "params", kernel->params_kind < TL_COUNT(params) ? params[kernel->params_kind] : NULL);
    tl_json_u64(json, "params_words", kernel->params_words);
    tl_json_bool(json, "trusted", kernel->trusted != 0);
    tl_json_array(json, "bindings");
    for (uint32_t k = 0; k < kernel->bindings.count; k++) {
        tl_binding binding = tl_binding_at(kernel->bindings, k);
        tl_json_object(json, NULL);
        tl_json_u64(json, "group", binding.group);
        tl_json_u64(json, "binding", binding.binding);
        json_str(json, "name", binding.name);
        tl_json_text(json, "space", space_text(binding.space));
        tl_json_u64(json, "min_bytes", binding.min_bytes);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
    json_str(json, "wgsl", kernel->wgsl);
}

static void json_range(tl_json *json, const char *key, uint32_t buffer, uint64_t offset_bytes, uint64_t size_bytes)
{
    tl_json_object(json, key);
    tl_json_u64(json, "buffer", buffer);
    tl_json_u64(json, "offset", offset_bytes);
    tl_json_u64(json, "bytes", size_bytes);
    tl_json_end_object(json);
}

static void json_binds(tl_json *json, tl_bind_list binds)
{
    tl_json_array(json, "binds");
    for (uint32_t k = 0; k < binds.count; k++) {
        tl_bind bind = tl_bind_at(binds, k);
        json_range(json, NULL, bind.buffer, bind.offset_bytes, bind.size_bytes);
    }
    tl_json_end_array(json);
}

static void json_command(tl_json *json, const tl_op *op)
{
    tl_json_u64(json, "number", op->number);
    tl_json_text(json, "op", tl_op_name(op->code));
    switch (op->code) {
    case TL_OP_DISPATCH:
        tl_json_u64(json, "kernel", op->dispatch.kernel);
        tl_json_u32s(json, "groups", (uint32_t[]){op->dispatch.x, op->dispatch.y, op->dispatch.z}, 3);
        tl_json_u32s(json, "params", op->dispatch.params.words, op->dispatch.params.count);
        json_binds(json, op->dispatch.binds);
        break;
    case TL_OP_DISPATCH_COUNTED:
        tl_json_u64(json, "kernel", op->dispatch_counted.kernel);
        tl_json_u64(json, "buffer", op->dispatch_counted.launch);
        tl_json_u64(json, "offset", op->dispatch_counted.launch_bytes);
        json_binds(json, op->dispatch_counted.binds);
        break;
    case TL_OP_COPY:
        json_range(json, "from", op->copy.from, op->copy.from_bytes, op->copy.size_bytes);
        json_range(json, "to", op->copy.to, op->copy.to_bytes, op->copy.size_bytes);
        break;
    case TL_OP_CLEAR: json_range(json, "to", op->clear.buffer, op->clear.offset_bytes, op->clear.size_bytes); break;
    case TL_OP_UPLOAD:
        json_range(json, "to", op->upload.buffer, op->upload.offset_bytes, op->upload.data.size_bytes);
        break;
    case TL_OP_DOWNLOAD:
        json_range(json, "from", op->download.buffer, op->download.offset_bytes, op->download.size_bytes);
        break;
    case TL_OP_MARK: json_str(json, "name", op->mark.name); break;
    case TL_OP_BUFFER:
    case TL_OP_KERNEL: break;
    }
}

typedef void json_part(tl_json *json, const tl_op *op);

/* The ops of one kind: buffers, kernels, or all the rest. */
static void json_ops(tl_json *json, const char *key, telar_recording recording, json_part *part)
{
    tl_json_array(json, key);
    tl_cursor cursor = tl_cursor_begin(recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        json_part *own = op.code == TL_OP_BUFFER ? json_buffer : op.code == TL_OP_KERNEL ? json_kernel : json_command;
        if (own != part) continue;
        tl_json_object(json, NULL);
        part(json, &op);
        tl_json_end_object(json);
    }
    tl_json_end_array(json);
}

static void print_json(telar_recording recording)
{
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_u64(&json, "version", recording.words[1]);
    tl_json_u64(&json, "words", recording.words_count);
    json_ops(&json, "buffers", recording, json_buffer);
    json_ops(&json, "kernels", recording, json_kernel);
    json_ops(&json, "commands", recording, json_command);
    tl_json_end_object(&json);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------- */

static int compare(const tl_cli *cli, const tl_recording_file *a, const tl_recording_file *b)
{
    char line[256];
    telar_out out = {.data = line, .cap = sizeof line};
    bool same = telar_recording_same(a->recording, b->recording, &out);
    if (cli->json) {
        tl_json json = {0};
        tl_json_object(&json, NULL);
        tl_json_bool(&json, "same", same);
        tl_json_text(&json, "difference", same ? NULL : line);
        tl_json_end_object(&json);
    } else if (same) {
        puts(TL_PICK(cli, "the recordings are the same", "las grabaciones son iguales"));
    } else {
        puts(line);
    }
    return same ? TL_EXIT_DONE : TL_EXIT_FINDINGS;
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static int show(const tl_cli *cli, const show_options *options, const tl_recording_file *file)
{
    if (options->compare == NULL) {
        if (!cli->json) return print_text(file->recording);
        print_json(file->recording);
        return TL_EXIT_DONE;
    }
    telar_diag diag = {0};
    tl_recording_file other;
    telar_status status = tl_recording_file_open(options->compare, &other, &diag);
    if (status != TELAR_OK) return tl_report(status, &diag);
    int exit = compare(cli, file, &other);
    tl_recording_file_close(&other);
    return exit;
}

static int run_show(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    (void)files_count;
    telar_diag diag = {0};
    tl_recording_file file;
    telar_status status = tl_recording_file_open(files[0], &file, &diag);
    if (status != TELAR_OK) return tl_report(status, &diag);
    int exit = show(cli, state, &file);
    tl_recording_file_close(&file);
    return exit;
}

static const tl_option show_only[] = {
    {.name = "compare",
     .argument = "OTHER",
     .take = tl_take_text,
     .offset = offsetof(show_options, compare),
     .help = {"says where two recordings first differ; exit status 1 when they do",
              "dice en qué difieren primero dos grabaciones; estado de salida 1 si difieren"}},
};
static const tl_option_group show_group = {
    .title = {"What is shown", "Lo que se muestra"}, .options = show_only, .count = TL_COUNT(show_only)};
static const tl_group_at groups[] = {{&show_group, 0}};

const tl_command tl_command_show = {
    .name = "show",
    .arguments = "FILE",
    .summary = {"shows a recording: buffers, kernels, commands", "muestra una grabación: búferes, kernels, órdenes"},
    .about =
        {"FILE is a recording, as telar run --record writes it. One line for each buffer, kernel and command. Every "
         "word is checked first. No device is needed.",
         "FILE es una grabación, como la que escribe telar run --record. Una línea por búfer, kernel y orden. Antes "
         "se comprueba cada palabra. No hace falta ningún dispositivo."},
    .example = {"telar show scale.rec\ntelar show scale.rec --compare other.rec",
                "telar show scale.rec\ntelar show scale.rec --compare otra.rec"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(show_options),
    .run = run_show,
};
