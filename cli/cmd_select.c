/* SPDX-License-Identifier: MIT
 *
 * telar select: some elements, in their order. */
#include "prim_verify.h"

#include <stdlib.h>

typedef struct select_options {
    tl_prim_options prim;
    const char *where;
    const char *flags;
    const char *equal;
    const char *by;
    const char *indices;
    bool unique;
} select_options;

static const select_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

/* The arrays by what they are for. Inputs: DATA, then the flags or --by's keys. Results: the count, what is kept of DATA,
 * then its indices, or the keys. */
static tl_prim_data *keys_of(tl_prim_tool *tool)
{
    return &tool->data[options_of(tool)->by != NULL ? 1 : 0];
}

static telar_type type_of(const tl_prim_data *data)
{
    return (telar_type){tl_prim_type(data->dtype), NULL};
}

/* ---- what is asked --------------------------------------------------------------------------------------------------- */

static telar_status check_options(tl_prim_tool *tool)
{
    const select_options *options = options_of(tool);
    int ways = (options->where != NULL) + (options->flags != NULL) + options->unique;
    if (ways != 1) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT,
                       "give one of --where, --flags and --unique, as in --where 'x > 0'");
    }
    if (!options->unique && (options->by != NULL || options->equal != NULL)) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--by and --equal are for --unique");
    }
    if (options->unique && options->indices != NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--indices is for --where and --flags");
    }
    return TELAR_OK;
}

static telar_status check_equal(tl_prim_tool *tool)
{
    const char *type = tl_prim_type(keys_of(tool)->dtype);
    const tl_operand pair[] = {{"a", type}, {"b", type}};
    return tl_prim_check(tool, "equal", options_of(tool)->equal, pair, TL_COUNT(pair), "bool");
}

static telar_status declare(tl_prim_tool *tool)
{
    const select_options *options = options_of(tool);
    telar_status status = TELAR_OK;
    TELAR_TRY(check_options(tool));
    if (options->flags != NULL) TELAR_TRY(tl_prim_add_words(tool, options->flags, "flags"));
    if (options->by != NULL) TELAR_TRY(tl_prim_add_input(tool, options->by));
    TELAR_TRY(tl_prim_known_types(tool));
    TELAR_TRY(tl_prim_same_length(tool));
    TELAR_TRY(tl_prim_check_x(tool, "where", options->where, "bool"));
    TELAR_TRY(check_equal(tool));
    uint64_t n = tool->data[0].elements;
    tl_prim_result(tool, "count", TL_DTYPE_U32, 1, NULL, &status);
    tl_prim_result(tool, "result", tool->data[0].dtype, n, tool->options->out, &status);
    if (options->indices != NULL) tl_prim_result(tool, "indices", TL_DTYPE_U32, n, options->indices, &status);
    if (options->by != NULL) tl_prim_result(tool, "keys", keys_of(tool)->dtype, n, NULL, &status);
    for (uint32_t k = 0; k < tool->inputs_count; k++) tool->bytes += tool->data[k].capacity_bytes;
    return status;
}

static void record_unique(tl_prim_tool *tool)
{
    const select_options *options = options_of(tool);
    telar_unique_desc desc = {.length = {.count = tool->data[0].elements},
                              .type = type_of(keys_of(tool)),
                              .in = tl_prim_array(keys_of(tool)),
                              .equal = options->equal,
                              .wgsl = tool->combine,
                              .out = tl_prim_array(tl_prim_result_at(tool, options->by != NULL ? 2 : 1)),
                              .count = tl_prim_array(tl_prim_result_at(tool, 0))};
    if (options->by != NULL) {
        desc.value_type = type_of(&tool->data[0]);
        desc.values = tl_prim_array(&tool->data[0]);
        desc.values_out = tl_prim_array(tl_prim_result_at(tool, 1));
    }
    telar_record_unique(&tool->record, &tool->prim, &desc);
}

static void record(tl_prim_tool *tool)
{
    const select_options *options = options_of(tool);
    telar_select_desc desc = {.length = {.count = tool->data[0].elements},
                              .type = type_of(&tool->data[0]),
                              .in = tl_prim_array(&tool->data[0]),
                              .where = options->where,
                              .wgsl = tool->combine,
                              .out = tl_prim_array(tl_prim_result_at(tool, 1)),
                              .count = tl_prim_array(tl_prim_result_at(tool, 0))};
    if (options->flags != NULL) desc.flags = tl_prim_array(&tool->data[1]);
    if (options->indices != NULL) desc.indices = tl_prim_array(tl_prim_result_at(tool, 2));
    if (options->unique) record_unique(tool);
    else telar_record_select(&tool->record, &tool->prim, &desc);
}

/* What was kept is written as well as read. */
static telar_status finish(tl_prim_tool *tool)
{
    TELAR_TRY(tl_prim_cut(tool));
    tool->bytes = 0;
    for (uint32_t k = 0; k < tool->data_count; k++) {
        tool->bytes += tool->data[k].elements * tl_dtype_bytes(tool->data[k].dtype);
    }
    return TELAR_OK;
}

/* ---- plain C --------------------------------------------------------------------------------------------------------- */

static telar_status judge(tl_prim_tool *tool, uint8_t **kept)
{
    const select_options *options = options_of(tool);
    if (options->unique) return tl_prim_heads(tool, keys_of(tool), options->equal, kept);
    if (options->flags != NULL) return tl_prim_flagged(tool, &tool->data[1], kept);
    return tl_prim_judge(tool, &tool->data[0], options->where, kept);
}

/* What result j holds of element `at`: of DATA, its index, or its key. */
static telar_status check_kept(tl_prim_tool *tool, uint32_t j, const void *result, uint64_t k, uint64_t at)
{
    const tl_prim_data *out = tl_prim_result_at(tool, j);
    const tl_prim_data *from = j == 1 ? &tool->data[0] : keys_of(tool);
    if (j == 2 && options_of(tool)->indices != NULL) return tl_prim_same_word(tool, out, result, k, at);
    return tl_prim_same_bits(tool, out, result, k, from->array.data + tl_dtype_bytes(from->dtype) * at);
}

static telar_status check_result(tl_prim_tool *tool, uint32_t j, const uint8_t *kept)
{
    uint64_t found = 0, length = tl_prim_result_at(tool, 1)->elements;
    void *result = NULL;
    telar_status status = tl_prim_read(tool, tl_prim_result_at(tool, j), &result);
    for (uint64_t k = 0; status == TELAR_OK && k < tool->data[0].elements && found < length; k++) {
        if (kept[k] != 0) status = check_kept(tool, j, result, found++, k);
    }
    free(result);
    return status;
}

static telar_status check_all(tl_prim_tool *tool, const uint8_t *kept)
{
    uint64_t wanted = 0, length = tl_prim_result_at(tool, 1)->elements;
    for (uint64_t k = 0; k < tool->data[0].elements; k++) wanted += kept[k];
    if (length != wanted) return tl_prim_differs(tool, "count", 0, (double)length, (double)wanted);
    TELAR_TRY(tl_array_settle(&tool->data[0].array, &tool->diag));
    for (uint32_t j = 1; tool->inputs_count + j < tool->data_count; j++) TELAR_TRY(check_result(tool, j, kept));
    return TELAR_OK;
}

static telar_status verify(tl_prim_tool *tool)
{
    uint8_t *kept = NULL;
    telar_status status = judge(tool, &kept);
    if (status == TELAR_OK) status = kept == NULL ? tl_prim_verify_again(tool) : check_all(tool, kept);
    free(kept);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "select",
    .inputs_min = 1,
    .inputs_max = 2,
    .declare = declare,
    .record = record,
    .finish = finish,
    .verify = verify,
};

#define FIELD(name) .offset = offsetof(select_options, name)

static const tl_option own_options[] = {
    {.name = "where",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(where),
     .help = {"elements for which this WGSL holds, of x (the element) and i (its index)",
              "los elementos para los que se cumple este WGSL, con x (el elemento) e i (su índice)"}},
    {.name = "flags",
     .argument = "FLAGS",
     .take = tl_take_text,
     FIELD(flags),
     .help = {"elements whose flag, a u32 each, is not 0", "los elementos cuya marca, un u32 cada una, no es 0"}},
    {.name = "unique",
     .take = tl_take_flag,
     FIELD(unique),
     .help = {"the first of each run of equal elements", "el primero de cada serie de elementos iguales"}},
    {.name = "by",
     .argument = "KEYS",
     .take = tl_take_text,
     FIELD(by),
     .help = {"unique: the runs are those of these keys, one for each element",
              "unique: las series son las de estas claves, una por elemento"}},
    {.name = "equal",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(equal),
     .help = {"unique: when neighbours a and b are equal (default: a == b)",
              "unique: cuándo son iguales dos vecinos a y b (por defecto, a == b)"}},
    {.name = "indices",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(indices),
     .help = {"writes the indices of what is kept, as u32", "escribe los índices de lo que queda, como u32"}},
};
static const tl_option_group own_group = {
    .title = {"What is kept", "Lo que queda"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {
    {&own_group, 0}, {&tl_prim_functions_group, offsetof(select_options, prim)}, TL_PRIM_GROUPS(select_options)};

const tl_command tl_command_select = {
    .name = "select",
    .arguments = "DATA",
    .summary = {"some elements, in their order", "algunos elementos, en su orden"},
    .about =
        {"DATA is a .npy file, or generated data as in telar run (f32:1M:random). The result is as long as the GPU "
         "finds elements to keep. Functions that an expression calls may stand in the file of --combine.",
         "DATA es un archivo .npy, o datos generados como en telar run (f32:1M:random). El resultado es tan largo "
         "como elementos halle la GPU. Las funciones que llame una expresión pueden estar en el archivo de "
         "--combine."},
    .example = {"telar select data.npy --where 'x > 0' --out positive.npy --indices at.npy\n"
                "telar select names.npy --unique --out different.npy\n"
                "telar select f32:1M:random --where 'x < 0.25 && i % 2u == 0u' --verify --time",
                "telar select datos.npy --where 'x > 0' --out positivos.npy --indices lugares.npy\n"
                "telar select nombres.npy --unique --out distintos.npy\n"
                "telar select f32:1M:random --where 'x < 0.25 && i % 2u == 0u' --verify --time"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(select_options),
    .prim = &spec,
    .run = tl_prim_run,
};
