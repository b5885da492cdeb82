/* SPDX-License-Identifier: MIT
 *
 * See prim_tool.h. */
#include "prim_tool.h"
#include "io/source.h"
#include "plan_options.h"
#include "record/reader.h"
#include "result_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARENA_BYTES = 16 << 20
};

/* ---- options ------------------------------------------------------------------------------------------------------- */

#define FIELD(name) .offset = offsetof(tl_prim_options, name)

static const tl_option result_options[] = {
    {.name = "out",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(out),
     .help = {"writes the result, by the file's ending: .npy .bin, or - (a .npy on standard output)",
              "escribe el resultado, según la extensión: .npy .bin, o - (un .npy en la salida estándar)"}},
    {.name = "verify",
     .take = tl_take_flag,
     FIELD(verify),
     .help = {"compares the result with plain C", "compara el resultado con C sin más"}},
    {.name = "plain",
     .take = tl_take_flag,
     FIELD(plain),
     .help = {"without subgroup operations", "sin operaciones de subgrupo"}},
};
const tl_option_group tl_prim_group = {
    .title = {"The result", "El resultado"}, .options = result_options, .count = TL_COUNT(result_options)};

static const tl_option with_options[] = {
    {.name = "with",
     .argument = "DATA",
     .take = tl_take_texts,
     FIELD(with),
     .help = {"a further input, as long as the first; may be repeated",
              "otra entrada, tan larga como la primera; se puede repetir"}},
};
const tl_option_group tl_prim_with_group = {
    .title = {"Further data", "Más datos"}, .options = with_options, .count = TL_COUNT(with_options)};

static const tl_option function_options[] = {
    {.name = "combine",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(combine),
     .help = {"WGSL with functions of your own, which expressions may call",
              "WGSL con funciones propias, que las expresiones pueden llamar"}},
};
const tl_option_group tl_prim_functions_group = {
    .title = {"Own functions", "Funciones propias"}, .options = function_options, .count = TL_COUNT(function_options)};

static const tl_option operator_options[] = {
    {.name = "combine",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(combine),
     .help =
         {"WGSL with an operator of your own, fn combine(a: T, b: T) -> T, and with functions that expressions may call",
          "WGSL con un operador propio, fn combine(a: T, b: T) -> T, y con funciones que las expresiones pueden llamar"}},
    {.name = "identity",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(identity),
     .help = {"the value that changes nothing in that operator (default: T())",
              "el valor que no cambia nada en ese operador (por defecto, T())"}},
};
const tl_option_group tl_prim_operator_group = {
    .title = {"Own operator", "Operador propio"}, .options = operator_options, .count = TL_COUNT(operator_options)};

/* ---- types and operators --------------------------------------------------------------------------------------------- */

const char *tl_prim_type(tl_dtype dtype)
{
    switch (dtype) {
    case TL_DTYPE_U32: return "u32";
    case TL_DTYPE_I32: return "i32";
    case TL_DTYPE_F32: return "f32";
    case TL_DTYPE_F16: return "f16";
    default: return NULL;
    }
}

double tl_prim_number(tl_dtype dtype, const void *data, uint64_t k)
{
    switch (dtype) {
    case TL_DTYPE_F32: return (double)((const float *)data)[k];
    case TL_DTYPE_F16: return (double)tl_half_get((const unsigned char *)data + 2 * k);
    default: return (double)tl_prim_integer(dtype, data, k);
    }
}

int64_t tl_prim_integer(tl_dtype dtype, const void *data, uint64_t k)
{
    switch (dtype) {
    case TL_DTYPE_U8: return ((const uint8_t *)data)[k];
    case TL_DTYPE_I8: return ((const int8_t *)data)[k];
    case TL_DTYPE_U16: return ((const uint16_t *)data)[k];
    case TL_DTYPE_I16: return ((const int16_t *)data)[k];
    case TL_DTYPE_U32: return ((const uint32_t *)data)[k];
    case TL_DTYPE_I32: return ((const int32_t *)data)[k];
    default: return (int64_t)tl_prim_number(dtype, data, k);
    }
}

telar_status tl_prim_operator(const tl_prim_tool *tool, const char *name, telar_operator *op, telar_diag *diag)
{
    static const char *const names[] = {"sum", "prod", "min", "max", "and", "or", "xor"};
    static const telar_op ops[] = {TELAR_OP_SUM, TELAR_OP_PRODUCT, TELAR_OP_MIN, TELAR_OP_MAX,
                                   TELAR_OP_AND, TELAR_OP_OR,      TELAR_OP_XOR};
    if (tool->combine != NULL) {
        const char *identity = tool->options->identity;
        *op = (telar_operator){TELAR_OP_OWN, tool->combine, identity == NULL ? "T()" : identity};
        return TELAR_OK;
    }
    for (size_t k = 0; k < TL_COUNT(names); k++) {
        if (name != NULL && strcmp(name, names[k]) != 0) continue;
        *op = (telar_operator){.op = ops[k]};
        return TELAR_OK;
    }
    const char *near = tl_nearest(name, names, TL_COUNT(names));
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--op: there is no operator '%.60s'; %s%s%s", name,
                   near == NULL ? "sum, prod, min, max, and, or, xor are the ones that combine" : "did you mean ",
                   near == NULL ? "" : near, near == NULL ? "" : "?");
}

/* ---- data ------------------------------------------------------------------------------------------------------------ */

telar_status tl_prim_add_input(tl_prim_tool *tool, const char *source)
{
    static const char *const names[] = {"x", "a", "b", "c", "d", "e"};
    if (tool->inputs_count == tool->spec->inputs_max) {
        return tl_fail_limit(&tool->diag, TELAR_INVALID_ARGUMENT, tool->inputs_count + 1, tool->spec->inputs_max,
                             "%s takes at most %u input%s", tool->spec->name, tool->spec->inputs_max,
                             tool->spec->inputs_max == 1 ? "" : "s");
    }
    tl_prim_data *data = &tool->data[tool->data_count++];
    *data = (tl_prim_data){.name = names[tool->inputs_count++], .source = source, .output = {.fd = -1}};
    TELAR_TRY(tl_source_open(source, source, &data->array, &tool->diag));
    data->dtype = data->array.dtype;
    data->elements = data->array.elements;
    data->capacity_bytes = data->array.size_bytes;
    return TELAR_OK;
}

telar_status tl_prim_add_words(tl_prim_tool *tool, const char *source, const char *what)
{
    TELAR_TRY(tl_prim_add_input(tool, source));
    const tl_prim_data *data = &tool->data[tool->inputs_count - 1];
    if (data->dtype == TL_DTYPE_U32) return TELAR_OK;
    return tl_fail(&tool->diag, TELAR_UNSUPPORTED, "%s: %s are u32, not %s", source, what, tl_dtype_text(data->dtype));
}

static telar_status open_inputs(tl_prim_tool *tool, char **files, uint32_t files_count)
{
    for (uint32_t k = 0; k < files_count; k++) TELAR_TRY(tl_prim_add_input(tool, files[k]));
    for (uint32_t k = 0; k < tool->options->with.count; k++)
        TELAR_TRY(tl_prim_add_input(tool, tool->options->with.items[k]));
    return TELAR_OK;
}

telar_status tl_prim_known_types(tl_prim_tool *tool)
{
    for (uint32_t k = 0; k < tool->inputs_count; k++) {
        const tl_prim_data *data = &tool->data[k];
        if (tl_prim_type(data->dtype) != NULL) continue;
        return tl_fail(&tool->diag, TELAR_UNSUPPORTED, "%s: elements of type %s; %s takes u32, i32, f32 and f16",
                       data->source, tl_dtype_text(data->dtype), tool->spec->name);
    }
    return TELAR_OK;
}

telar_status tl_prim_same_length(tl_prim_tool *tool)
{
    for (uint32_t k = 1; k < tool->inputs_count; k++) {
        const tl_prim_data *data = &tool->data[k], *first = &tool->data[0];
        if (data->elements == first->elements) continue;
        return tl_fail_limit(&tool->diag, TELAR_INVALID_DATA, data->elements, first->elements,
                             "%s has %llu elements, %s has %llu", data->source, (unsigned long long)data->elements,
                             first->source, (unsigned long long)first->elements);
    }
    return TELAR_OK;
}

telar_status tl_prim_check(tl_prim_tool *tool, const char *option, const char *text, const tl_operand *variables,
                           uint32_t count, const char *result)
{
    if (text == NULL) return TELAR_OK;
    return tl_expression_check(&(tl_expression_desc){.option = option,
                                                     .text = text,
                                                     .variables = variables,
                                                     .variables_count = count,
                                                     .element = tl_prim_type(tool->data[0].dtype),
                                                     .result = result,
                                                     .wgsl = tool->combine},
                               &tool->diag);
}

telar_status tl_prim_check_x(tl_prim_tool *tool, const char *option, const char *text, const char *result)
{
    const tl_operand x = {"x", tl_prim_type(tool->data[0].dtype)};
    return tl_prim_check(tool, option, text, &x, 1, result);
}

static telar_status read_combine(tl_prim_tool *tool)
{
    tl_file file;
    if (tool->options->combine == NULL) return TELAR_OK;
    TELAR_TRY(tl_file_open(tool->options->combine, &file, &tool->diag));
    tool->combine = calloc((size_t)file.size_bytes + 1, 1);
    if (tool->combine != NULL && file.size_bytes > 0) memcpy(tool->combine, file.data, (size_t)file.size_bytes);
    tl_file_close(&file);
    return tool->combine != NULL ? TELAR_OK : tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory");
}

static tl_slot slot_of(const tl_prim_data *data)
{
    uint32_t bytes = tl_dtype_bytes(data->dtype);
    return (tl_slot){.name = data->name,
                     .type_text = tl_dtype_text(data->dtype),
                     .scalar = data->dtype,
                     .components = 1,
                     .stride_bytes = bytes};
}

static telar_status lay_out(tl_prim_data *data, telar_diag *diag)
{
    tl_slot slot = slot_of(data);
    tl_shape shape = {1, {data->elements}};
    return tl_layout_of(&slot, &shape, &data->layout, diag);
}

static bool is_standard(const char *out)
{
    return out != NULL && strcmp(out, "-") == 0;
}

/* One thing may stand on standard output. */
static telar_status check_standard(tl_prim_tool *tool, const char *out)
{
    if (!is_standard(out)) return TELAR_OK;
    if (tool->cli->json) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT,
                       TL_PICK(tool->cli, "%s: --json and --out - both want standard output",
                               "%s: --json y --out - quieren los dos la salida estándar"),
                       tool->spec->name);
    }
    for (uint32_t k = 0; k < tool->data_count; k++) {
        if (!is_standard(tool->data[k].out)) continue;
        return tl_fail(
            &tool->diag, TELAR_INVALID_ARGUMENT,
            TL_PICK(tool->cli, "%s: two results want standard output", "%s: dos resultados quieren la salida estándar"),
            tool->spec->name);
    }
    return TELAR_OK;
}

tl_prim_data *tl_prim_result_at(tl_prim_tool *tool, uint32_t k)
{
    return &tool->data[tool->inputs_count + k];
}

tl_prim_data *tl_prim_result(tl_prim_tool *tool, const char *name, tl_dtype dtype, uint64_t elements, const char *out,
                             telar_status *status)
{
    tl_prim_data *data = &tool->data[tool->data_count];
    if (*status == TELAR_OK) *status = check_standard(tool, out);
    if (*status != TELAR_OK) return data;
    tool->data_count++;
    *data = (tl_prim_data){.name = name,
                           .dtype = dtype,
                           .elements = elements,
                           .capacity_bytes = elements * tl_dtype_bytes(dtype),
                           .out = out,
                           .output = {.fd = -1}};
    *status = lay_out(data, &tool->diag);
    tl_slot slot = slot_of(data);
    if (*status == TELAR_OK && out != NULL) *status = tl_save_check(out, &slot, &data->layout, &tool->diag);
    if (*status == TELAR_OK && out != NULL) *status = tl_output_begin(out, &data->output, &tool->diag);
    return data;
}

/* With room to the end of 16 bytes, which lets kernels take four elements at once. */
static uint64_t room_of(const tl_prim_data *data)
{
    return telar_ceil_div(data->capacity_bytes == 0 ? 1 : data->capacity_bytes, 16) * 16;
}

telar_array tl_prim_array(const tl_prim_data *data)
{
    return (telar_array){.buffer = data->buffer, .size_bytes = room_of(data)};
}

static telar_status make_buffers(tl_prim_tool *tool)
{
    for (uint32_t k = 0; k < tool->data_count; k++) {
        tl_prim_data *data = &tool->data[k];
        if (data->handle != NULL) continue;
        TELAR_TRY(telar_host_buffer_create(tool->device.host, room_of(data), &data->handle, &tool->diag));
        if (data->source == NULL) continue;
        TELAR_TRY(tl_upload(tool->cli, tool->device.host, data->source, &data->array, data->handle, 0, &tool->diag));
    }
    return TELAR_OK;
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static void record_all(tl_prim_tool *tool, uint32_t *words, size_t words_cap)
{
    tool->record = telar_record_begin(words, words_cap);
    for (uint32_t k = 0; k < tool->data_count; k++) {
        tl_prim_data *data = &tool->data[k];
        data->buffer = telar_record_buffer(
            &tool->record, &(telar_buffer_desc){data->name, room_of(data), TELAR_USE_STORAGE | TELAR_USE_BOUND});
    }
    telar_record_mark(&tool->record, "begin");
    tool->spec->record(tool);
    telar_record_mark(&tool->record, "end");
}

static telar_status record_twice(tl_prim_tool *tool)
{
    record_all(tool, NULL, 0);
    size_t words_count = tool->record.words_len;
    uint32_t *words = malloc(words_count * sizeof *words);
    free(tool->words);
    tool->words = words;
    if (words == NULL) return tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory for a recording");
    record_all(tool, words, words_count);
    return telar_record_end(&tool->record, &tool->recording, &tool->diag);
}

telar_status tl_prim_prepare(tl_prim_tool *tool, bool trusted)
{
    telar_bound_buffer bound[TL_PRIM_DATA_MAX];
    TELAR_TRY(record_twice(tool));
    telar_prepared_release(tool->prepared);
    tool->prepared = NULL;
    TELAR_TRY(telar_recording_verify(tool->recording, &tool->facts.limits, &tool->diag));
    TELAR_TRY(make_buffers(tool));
    for (uint32_t k = 0; k < tool->data_count; k++) {
        bound[k] = (telar_bound_buffer){tool->data[k].buffer, tool->data[k].handle};
    }
    return (trusted ? telar_host_prepare_trusted : telar_host_prepare)(tool->device.host, tool->recording, bound,
                                                                       tool->data_count, &tool->prepared, &tool->diag);
}

static telar_status run_rounds(tl_prim_tool *tool)
{
    uint32_t repeat = tl_repeats(&tool->options->runs);
    bool clock = telar_host_time_quantum_ns(tool->device.host) > 0;
    tool->times = (tl_times){.runs = repeat};
    tl_rounds rounds = {.cli = tool->cli,
                        .host = tool->device.host,
                        .prepared = tool->prepared,
                        .repeat = repeat,
                        .batch = 1,
                        .spans = tool->options->runs.time && clock ? 1 : 0};
    return tl_rounds_run(&rounds, &tool->times, &tool->diag);
}

/* ---- results --------------------------------------------------------------------------------------------------------- */

typedef struct reading {
    telar_host *host;
    WGPUBuffer buffer;
} reading;

static telar_status read_back(void *user, uint64_t offset_bytes, void *into, uint64_t bytes, telar_diag *diag)
{
    const reading *from = user;
    return telar_host_read(from->host, from->buffer, offset_bytes, into, bytes, diag);
}

telar_status tl_prim_read(tl_prim_tool *tool, const tl_prim_data *data, void **memory)
{
    uint64_t bytes = data->elements * tl_dtype_bytes(data->dtype);
    *memory = malloc((size_t)bytes + 8);
    if (*memory == NULL) return tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory for %s", data->name);
    if (bytes == 0) return TELAR_OK;
    telar_status status = telar_host_read(tool->device.host, data->handle, 0, *memory, bytes, &tool->diag);
    if (status == TELAR_OK) return TELAR_OK;
    free(*memory);
    *memory = NULL;
    return status;
}

telar_status tl_prim_cut(tl_prim_tool *tool)
{
    uint32_t length;
    const tl_prim_data *count = tl_prim_result_at(tool, 0);
    TELAR_TRY(telar_host_read(tool->device.host, count->handle, 0, &length, sizeof length, &tool->diag));
    for (uint32_t k = tool->inputs_count + 1; k < tool->data_count; k++) {
        tl_prim_data *data = &tool->data[k];
        uint64_t room = data->capacity_bytes / tl_dtype_bytes(data->dtype);
        data->elements = length < room ? length : room;
    }
    return TELAR_OK;
}

static telar_status write_outputs(tl_prim_tool *tool)
{
    for (uint32_t k = 0; k < tool->data_count; k++) {
        tl_prim_data *data = &tool->data[k];
        if (data->out == NULL) continue;
        TELAR_TRY(lay_out(data, &tool->diag));
        tl_slot slot = slot_of(data);
        reading from = {tool->device.host, data->handle};
        const tl_result result = {data->out, &data->output, &slot, &data->layout, read_back, &from};
        TELAR_TRY(tl_result_write(tool->cli, &result, &tool->diag));
    }
    for (uint32_t k = 0; k < tool->data_count; k++) {
        if (tool->data[k].out != NULL) TELAR_TRY(tl_output_commit(&tool->data[k].output, &tool->diag));
    }
    return TELAR_OK;
}

static telar_status run_all(tl_prim_tool *tool, char **files, uint32_t files_count)
{
    TELAR_TRY(open_inputs(tool, files, files_count));
    TELAR_TRY(read_combine(tool));
    tool->elements = tool->data[0].elements;
    TELAR_TRY(tool->spec->declare(tool));
    TELAR_TRY(tl_device_open(tool->options->device, &tool->device, &tool->diag));
    tl_device_announce(tool->cli, &tool->device);
    tool->facts = tl_device_plan_facts(&tool->device);
    tool->prim = (telar_prim){.facts = &tool->facts,
                              .dialect = telar_host_dialect(tool->device.host),
                              .arena = &tool->arena,
                              .plain = tool->options->plain};
    TELAR_TRY(tl_prim_prepare(tool, true));
    TELAR_TRY(run_rounds(tool));
    if (tool->spec->finish != NULL) TELAR_TRY(tool->spec->finish(tool));
    if (tool->options->verify) TELAR_TRY(tool->spec->verify(tool));
    tool->verified = tool->options->verify;
    return write_outputs(tool);
}

/* ---- the report -------------------------------------------------------------------------------------------------------- */

static uint32_t count_dispatches(const tl_prim_tool *tool)
{
    uint32_t dispatches = 0;
    tl_cursor cursor = tl_cursor_begin(tool->recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        dispatches += op.code == TL_OP_DISPATCH || op.code == TL_OP_DISPATCH_COUNTED;
    }
    return dispatches;
}

static bool size_of_kernel(const tl_prim_tool *tool, uint32_t kernel, uint32_t size[3])
{
    tl_cursor cursor = tl_cursor_begin(tool->recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        if (op.code != TL_OP_KERNEL || op.number != kernel) continue;
        size[0] = op.kernel.size_x;
        size[1] = op.kernel.size_y;
        size[2] = op.kernel.size_z;
        return true;
    }
    return false;
}

/* A plan made for just this launch: as many elements an invocation as it has to take, or a fixed number of groups that go
 * on until all is done. False where it is not for the elements. */
static bool plan_of_launch(const tl_prim_tool *tool, const tl_op_dispatch *launch, telar_plan *plan)
{
    const uint32_t recorded[3] = {launch->x, launch->y, launch->z};
    uint32_t size[3];
    if (tool->elements == 0 || !size_of_kernel(tool, launch->kernel, size)) return false;
    uint64_t groups = (uint64_t)launch->x * launch->y * launch->z;
    uint64_t items = telar_ceil_div(tool->elements, groups * size[0] * size[1] * size[2]);
    telar_plan_desc desc = {.count = {tool->elements},
                            .size = {size[0], size[1], size[2]},
                            .items = items > TELAR_ITEMS_MAX ? TELAR_ITEMS_MAX : (uint32_t)items,
                            .fold_width = launch->y > 1 ? launch->x : 0,
                            .bytes_per_element = (uint32_t)telar_ceil_div(tool->bytes, tool->elements)};
    for (int strides = 0; strides < 2; strides++) {
        bool made = telar_plan_make(&desc, &tool->facts, plan, NULL) == TELAR_OK;
        if (made && memcmp(plan->dispatch, recorded, sizeof recorded) == 0) return true;
        desc.items = 1;
        desc.fold_width = 0;
        desc.groups = (uint32_t)groups;
    }
    return false;
}

/* Of the first stage that is for the elements, as it was recorded. */
static bool plan_of(const tl_prim_tool *tool, telar_plan *plan)
{
    tl_cursor cursor = tl_cursor_begin(tool->recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        if (op.code == TL_OP_DISPATCH && plan_of_launch(tool, &op.dispatch, plan)) return true;
    }
    return false;
}

static void json_plan(tl_json *json, const tl_prim_tool *tool)
{
    static const tl_plan_options none = {0};
    telar_plan plan;
    if (plan_of(tool, &plan)) tl_plan_json(json, "plan", &plan, &tool->facts, &none, tool->cli->language);
    else tl_json_null(json, "plan");
}

static void format_element(tl_dtype dtype, const void *data, uint64_t k, char *text, size_t cap)
{
    if (dtype == TL_DTYPE_F32 || dtype == TL_DTYPE_F16) snprintf(text, cap, "%.9g", tl_prim_number(dtype, data, k));
    else snprintf(text, cap, "%lld", (long long)tl_prim_integer(dtype, data, k));
}

/* Few elements are said as well as written. */
enum {
    SAID_MAX = 4
};

static bool is_said(const tl_prim_data *data)
{
    return data->source == NULL && data->elements > 0 && data->elements <= SAID_MAX &&
           tl_prim_type(data->dtype) != NULL;
}

static void json_element(tl_json *json, const char *key, tl_dtype dtype, const void *data, uint64_t k)
{
    if (dtype == TL_DTYPE_U32) tl_json_u64(json, key, (uint64_t)tl_prim_integer(dtype, data, k));
    else tl_json_f64(json, key, tl_prim_number(dtype, data, k));
}

/* A number, or an array of a few. */
static void json_result(tl_json *json, tl_prim_tool *tool)
{
    const tl_prim_data *first = &tool->data[tool->inputs_count];
    void *memory = NULL;
    bool said = tool->data_count > tool->inputs_count && is_said(first);
    if (!said || tl_prim_read(tool, first, &memory) != TELAR_OK) {
        tl_json_null(json, "result");
    } else if (first->elements == 1) {
        json_element(json, "result", first->dtype, memory, 0);
    } else {
        tl_json_array(json, "result");
        for (uint64_t k = 0; k < first->elements; k++) json_element(json, NULL, first->dtype, memory, k);
        tl_json_end_array(json);
    }
    free(memory);
}

static void print_json(tl_prim_tool *tool)
{
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_text(&json, "device", telar_host_adapter(tool->device.host)->name);
    json_plan(&json, tool);
    tl_json_u64(&json, "dispatches", count_dispatches(tool));
    tl_times_json(&json, &tool->times);
    tl_json_u64(&json, "bytes", tool->bytes);
    tl_share_json(&json, &tool->facts, tool->bytes, &tool->times);
    if (tool->options->verify) tl_json_bool(&json, "verified", tool->verified);
    else tl_json_null(&json, "verified");
    tl_report_json(&json, NULL);
    json_result(&json, tool);
    tl_json_array(&json, "out");
    for (uint32_t k = 0; k < tool->data_count; k++) {
        const tl_prim_data *data = &tool->data[k];
        if (data->out != NULL) tl_output_json(&json, data->name, data->out, &data->layout);
    }
    tl_json_end_array(&json);
    tl_json_end_object(&json);
}

static bool out_is_standard(const tl_prim_tool *tool)
{
    for (uint32_t k = 0; k < tool->data_count; k++) {
        if (is_standard(tool->data[k].out)) return true;
    }
    return false;
}

static void print_said(tl_prim_tool *tool, const tl_prim_data *data, FILE *stream)
{
    void *memory = NULL;
    char text[64];
    if (!is_said(data) || tl_prim_read(tool, data, &memory) != TELAR_OK) return;
    fputs(data->name, stream);
    for (uint64_t k = 0; k < data->elements; k++) {
        format_element(data->dtype, memory, k, text, sizeof text);
        fprintf(stream, " %s", text);
    }
    fputc('\n', stream);
    free(memory);
}

static void print_text(tl_prim_tool *tool)
{
    const tl_cli *cli = tool->cli;
    FILE *stream = out_is_standard(tool) ? stderr : stdout;
    const telar_adapter_info *adapter = telar_host_adapter(tool->device.host);
    uint32_t dispatches = count_dispatches(tool);
    uint64_t elements = tool->elements;
    fprintf(
        stream,
        TL_PICK(cli, "%s (%s): %s, %llu element%s, %u dispatch%s\n", "%s (%s): %s, %llu elemento%s, %u dispatch%s\n"),
        adapter->name, adapter->adapter, tool->spec->name, (unsigned long long)elements, elements == 1 ? "" : "s",
        dispatches, dispatches == 1 ? "" : "es");
    for (uint32_t k = tool->inputs_count; k < tool->data_count; k++) print_said(tool, &tool->data[k], stream);
    if (tool->options->runs.time) {
        tl_times_text(cli, stream, &tool->times);
        if (tool->times.gpu && tool->times.min_us > 0) {
            fprintf(stream, "%.2f GB/s\n", (double)tool->bytes / tool->times.min_us / 1000);
        }
    }
    for (uint32_t k = 0; k < tool->data_count; k++) {
        const tl_prim_data *data = &tool->data[k];
        if (data->out != NULL) tl_output_text(stream, data->name, data->out, &data->layout);
    }
    if (tool->verified) {
        fputs(TL_PICK(cli, "verified: the same as plain C\n", "verificado: lo mismo que C sin más\n"), stream);
    }
}

static void end(tl_prim_tool *tool)
{
    telar_prepared_release(tool->prepared);
    for (uint32_t k = 0; k < tool->data_count; k++) {
        tl_prim_data *data = &tool->data[k];
        if (data->handle != NULL) telar_host_buffer_release(tool->device.host, data->handle);
        tl_array_close(&data->array);
        tl_output_abandon(&data->output);
    }
    tl_device_close(&tool->device);
    free(tool->words);
    free(tool->combine);
    free(tool->arena.data);
}

static int run_tool(tl_prim_tool *tool, char **files, uint32_t files_count)
{
    telar_status status = run_all(tool, files, files_count);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &tool->diag);
        tl_device_hint(tool->cli, status, &tool->diag);
        return exit;
    }
    if (tool->cli->json) print_json(tool);
    else print_text(tool);
    return TL_EXIT_DONE;
}

int tl_prim_run(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    tl_prim_tool *tool = calloc(1, sizeof *tool);
    void *arena = malloc(ARENA_BYTES);
    if (tool == NULL || arena == NULL) {
        free(tool);
        free(arena);
        return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    }
    tool->cli = cli;
    tool->spec = cli->command->prim;
    tool->state = state;
    tool->options = tl_group_options(cli->command, &tl_prim_group, state);
    tool->arena = telar_arena_make(arena, ARENA_BYTES);
    int exit = run_tool(tool, files, files_count);
    end(tool);
    free(tool);
    return exit;
}
