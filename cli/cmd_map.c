/* SPDX-License-Identifier: MIT
 *
 * telar map: an expression for every element. */
#include "prim_verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct map_options {
    tl_prim_options prim;
    const char *expr;
    const char *where;
    const char *type;
} map_options;

static const map_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

static telar_status output_type(tl_prim_tool *tool, tl_dtype *dtype)
{
    const char *text = options_of(tool)->type;
    *dtype = text == NULL ? tool->data[0].dtype : tl_dtype_find(tl_str_of(text));
    if (tl_prim_type(*dtype) != NULL) return TELAR_OK;
    return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--type: '%.40s' is none of u32, i32, f32, f16", text);
}

static uint32_t variables_of(const tl_prim_tool *tool, tl_operand *variables)
{
    for (uint32_t k = 0; k < tool->inputs_count; k++) {
        variables[k] = (tl_operand){tool->data[k].name, tl_prim_type(tool->data[k].dtype)};
    }
    return tool->inputs_count;
}

static telar_status check_expressions(tl_prim_tool *tool, tl_dtype dtype)
{
    tl_operand variables[TELAR_MAP_INPUTS_MAX];
    uint32_t count = variables_of(tool, variables);
    TELAR_TRY(tl_prim_check(tool, "expr", options_of(tool)->expr, variables, count, tl_prim_type(dtype)));
    return tl_prim_check(tool, "where", options_of(tool)->where, variables, count, "bool");
}

static telar_status declare(tl_prim_tool *tool)
{
    tl_dtype dtype;
    if (options_of(tool)->expr == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "give --expr, as in --expr 'x * 0.99f'");
    }
    TELAR_TRY(tl_prim_same_length(tool));
    TELAR_TRY(tl_prim_known_types(tool));
    TELAR_TRY(output_type(tool, &dtype));
    TELAR_TRY(check_expressions(tool, dtype));
    telar_status status = TELAR_OK;
    tl_prim_result(tool, "result", dtype, tool->data[0].elements, tool->options->out, &status);
    for (uint32_t k = 0; k < tool->data_count; k++) tool->bytes += tool->data[k].capacity_bytes;
    return status;
}

static void record(tl_prim_tool *tool)
{
    const tl_prim_data *out = &tool->data[tool->inputs_count];
    telar_map_desc desc = {.length = {.count = tool->data[0].elements},
                           .inputs_count = tool->inputs_count,
                           .expression = options_of(tool)->expr,
                           .where = options_of(tool)->where,
                           .wgsl = tool->combine,
                           .out = tl_prim_array(out),
                           .out_type = {tl_prim_type(out->dtype), NULL}};
    for (uint32_t k = 0; k < tool->inputs_count; k++) {
        desc.inputs[k].array = tl_prim_array(&tool->data[k]);
        desc.inputs[k].type.name = tl_prim_type(tool->data[k].dtype);
    }
    telar_record_map(&tool->record, &tool->prim, &desc);
}

/* ---- plain C --------------------------------------------------------------------------------------------------------- */

typedef struct checking {
    tl_prim_tool *tool;
    tl_expression *value, *where; /* where: NULL without --where */
    const void *result;
    bool unknown; /* an element could not be evaluated here */
} checking;

static telar_status check_element(checking *check, uint64_t k)
{
    const tl_prim_tool *tool = check->tool;
    const tl_prim_data *out = &tool->data[tool->inputs_count];
    double values[TELAR_MAP_INPUTS_MAX] = {0}, wanted = 0, holds = 1;
    for (uint32_t j = 0; j < tool->inputs_count; j++) {
        values[j] = tl_prim_number(tool->data[j].dtype, tool->data[j].array.data, k);
    }
    bool known = check->where == NULL || tl_expression_value(check->where, values, (uint32_t)k, &holds);
    known = known && (holds == 0 || tl_expression_value(check->value, values, (uint32_t)k, &wanted));
    double got = tl_prim_number(out->dtype, check->result, k);
    check->unknown = check->unknown || !known;
    if (!known || tl_prim_is_near(out->dtype, got, wanted, out->dtype == TL_DTYPE_F16 ? 2e-3 : 1e-5)) return TELAR_OK;
    return tl_prim_differs(check->tool, out->name, k, got, wanted);
}

/* All elements up to this many; of more, as many, evenly spread, and the last. */
#define CHECKED_MAX (UINT64_C(1) << 18)

static telar_status check_elements(checking *check)
{
    uint64_t n = check->tool->data[0].elements, step = n / CHECKED_MAX + 1;
    for (uint64_t k = 0; k < n; k += step) TELAR_TRY(check_element(check, k));
    return n == 0 ? TELAR_OK : check_element(check, n - 1);
}

static telar_status verify(tl_prim_tool *tool)
{
    const map_options *options = options_of(tool);
    tl_operand variables[TELAR_MAP_INPUTS_MAX];
    uint32_t count = variables_of(tool, variables);
    checking check = {.tool = tool};
    void *result = NULL;
    telar_status status = TELAR_OK;
    for (uint32_t k = 0; k < tool->inputs_count; k++) {
        if (status == TELAR_OK) status = tl_array_settle(&tool->data[k].array, &tool->diag);
    }
    const tl_prim_data *out = &tool->data[tool->inputs_count];
    check.value = tl_expression_open(options->expr, variables, count, tl_prim_type(out->dtype));
    if (options->where != NULL) check.where = tl_expression_open(options->where, variables, count, "bool");
    bool plain_c = check.value != NULL && (options->where == NULL || check.where != NULL);
    if (status == TELAR_OK && plain_c) status = tl_prim_read(tool, out, &result);
    check.result = result;
    if (status == TELAR_OK && plain_c) status = check_elements(&check);
    if (status == TELAR_OK && (!plain_c || check.unknown)) status = tl_prim_verify_again(tool);
    tl_expression_close(check.value);
    tl_expression_close(check.where);
    free(result);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "map",
    .inputs_min = 1,
    .inputs_max = TELAR_MAP_INPUTS_MAX,
    .declare = declare,
    .record = record,
    .verify = verify,
};

#define FIELD(name) .offset = offsetof(map_options, name)

static const tl_option own_options[] = {
    {.name = "expr",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(expr),
     .help = {"WGSL for the new element, of x (the element), i (its index) and a, b, c (those of --with)",
              "WGSL del nuevo elemento, con x (el elemento), i (su índice) y a, b, c (los de --with)"}},
    {.name = "where",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(where),
     .help = {"only where this holds; the others are 0", "solo donde esto se cumple; los demás son 0"}},
    {.name = "type",
     .argument = "TYPE",
     .take = tl_take_text,
     FIELD(type),
     .help = {"u32, i32, f32 or f16: of the result (default: that of DATA)",
              "u32, i32, f32 o f16: del resultado (por defecto, el de DATA)"}},
};
static const tl_option_group own_group = {
    .title = {"The expression", "La expresión"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {{&own_group, 0},
                                     {&tl_prim_with_group, offsetof(map_options, prim)},
                                     {&tl_prim_functions_group, offsetof(map_options, prim)},
                                     TL_PRIM_GROUPS(map_options)};

const tl_command tl_command_map = {
    .name = "map",
    .arguments = "DATA",
    .summary = {"an expression for every element", "una expresión para cada elemento"},
    .about = {"DATA and the files of --with are .npy files, or generated data as in telar run (f32:1M:random). The "
              "expression is WGSL; functions that it calls may stand in the file of --combine.",
              "DATA y los archivos de --with son .npy, o datos generados como en telar run (f32:1M:random). La "
              "expresión es WGSL; las funciones que llame pueden estar en el archivo de --combine."},
    .example = {"telar map data.npy --expr 'x * 0.99f' --out scaled.npy\n"
                "telar map f32:1M:random --with f32:1M:iota --expr 'sqrt(x) + a' --verify --time",
                "telar map datos.npy --expr 'x * 0.99f' --out salida.npy\n"
                "telar map f32:1M:random --with f32:1M:iota --expr 'sqrt(x) + a' --verify --time"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(map_options),
    .prim = &spec,
    .run = tl_prim_run,
};
