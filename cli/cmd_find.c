/* SPDX-License-Identifier: MIT
 *
 * telar find and bounds: where elements are. */
#include "prim_verify.h"

#include <stdlib.h>

/* ---- find ------------------------------------------------------------------------------------------------------------ */

typedef struct find_options {
    tl_prim_options prim;
    const char *where;
} find_options;

static const find_options *find_options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

static telar_status declare_find(tl_prim_tool *tool)
{
    telar_status status = TELAR_OK;
    if (find_options_of(tool)->where == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "give --where, as in --where 'x > 0'");
    }
    TELAR_TRY(tl_prim_known_types(tool));
    TELAR_TRY(tl_prim_check_x(tool, "where", find_options_of(tool)->where, "bool"));
    tl_prim_result(tool, "index", TL_DTYPE_U32, 1, tool->options->out, &status);
    tool->bytes = tool->data[0].capacity_bytes;
    return status;
}

static void record_find(tl_prim_tool *tool)
{
    telar_record_find_if(&tool->record, &tool->prim,
                         &(telar_find_if_desc){.length = {.count = tool->data[0].elements},
                                               .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                               .in = tl_prim_array(&tool->data[0]),
                                               .where = find_options_of(tool)->where,
                                               .wgsl = tool->combine,
                                               .out = tl_prim_array(tl_prim_result_at(tool, 0))});
}

static telar_status verify_find(tl_prim_tool *tool)
{
    uint8_t *holds = NULL;
    void *result = NULL;
    uint64_t first = 0;
    TELAR_TRY(tl_prim_judge(tool, &tool->data[0], find_options_of(tool)->where, &holds));
    if (holds == NULL) return tl_prim_verify_again(tool);
    while (first < tool->data[0].elements && holds[first] == 0) first++;
    telar_status status = tl_prim_read(tool, tl_prim_result_at(tool, 0), &result);
    if (status == TELAR_OK) status = tl_prim_same_word(tool, tl_prim_result_at(tool, 0), result, 0, first);
    free(holds);
    free(result);
    return status;
}

/* ---- bounds ---------------------------------------------------------------------------------------------------------- */

typedef struct bounds_options {
    tl_prim_options prim;
    const char *sorted;
    const char *less;
    bool upper;
} bounds_options;

static const bounds_options *bounds_options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

/* DATA, and the elements in order. */
static telar_status declare_bounds(tl_prim_tool *tool)
{
    telar_status status = TELAR_OK;
    if (bounds_options_of(tool)->sorted == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "give --sorted, the elements in order");
    }
    TELAR_TRY(tl_prim_add_input(tool, bounds_options_of(tool)->sorted));
    TELAR_TRY(tl_prim_known_types(tool));
    const tl_prim_data *in = &tool->data[0], *sorted = &tool->data[1];
    if (in->dtype != sorted->dtype) {
        return tl_fail(&tool->diag, TELAR_UNSUPPORTED, "%s holds %s, %s %s; both must be of one type", in->source,
                       tl_dtype_text(in->dtype), sorted->source, tl_dtype_text(sorted->dtype));
    }
    const char *type = tl_prim_type(in->dtype);
    const tl_operand pair[] = {{"a", type}, {"b", type}};
    TELAR_TRY(tl_prim_check(tool, "less", bounds_options_of(tool)->less, pair, TL_COUNT(pair), "bool"));
    tl_prim_result(tool, "result", TL_DTYPE_U32, in->elements, tool->options->out, &status);
    for (uint32_t k = 0; k < tool->data_count; k++) tool->bytes += tool->data[k].capacity_bytes;
    return status;
}

static void record_bounds(tl_prim_tool *tool)
{
    telar_record_bound(&tool->record, &tool->prim,
                       &(telar_bound_desc){.length = {.count = tool->data[0].elements},
                                           .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                           .in = tl_prim_array(&tool->data[0]),
                                           .sorted = tl_prim_array(&tool->data[1]),
                                           .sorted_count = tool->data[1].elements,
                                           .upper = bounds_options_of(tool)->upper,
                                           .less = bounds_options_of(tool)->less,
                                           .wgsl = tool->combine,
                                           .out = tl_prim_array(tl_prim_result_at(tool, 0))});
}

/* less: NULL for a < b. */
static bool is_less(tl_expression *less, double a, double b, bool *known)
{
    double holds = a < b;
    if (less != NULL && !tl_expression_value(less, (const double[]){a, b}, 0, &holds)) *known = false;
    return holds != 0;
}

static uint64_t bound_of(tl_prim_tool *tool, tl_expression *less, double x, bool *known)
{
    const tl_prim_data *sorted = &tool->data[1];
    uint64_t low = 0, high = sorted->elements;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        double at = tl_prim_number(sorted->dtype, sorted->array.data, middle);
        bool before = bounds_options_of(tool)->upper ? !is_less(less, x, at, known) : is_less(less, at, x, known);
        if (before) low = middle + 1;
        else high = middle;
    }
    return low;
}

static telar_status check_bounds(tl_prim_tool *tool, tl_expression *less, const void *result, bool *known)
{
    const tl_prim_data *in = &tool->data[0];
    for (uint64_t k = 0; *known && k < in->elements; k++) {
        uint64_t wanted = bound_of(tool, less, tl_prim_number(in->dtype, in->array.data, k), known);
        if (*known) TELAR_TRY(tl_prim_same_word(tool, tl_prim_result_at(tool, 0), result, k, wanted));
    }
    return TELAR_OK;
}

static telar_status verify_bounds(tl_prim_tool *tool)
{
    const char *text = bounds_options_of(tool)->less, *type = tl_prim_type(tool->data[0].dtype);
    const tl_operand pair[] = {{"a", type}, {"b", type}};
    void *result = NULL;
    for (uint32_t k = 0; k < 2; k++) TELAR_TRY(tl_array_settle(&tool->data[k].array, &tool->diag));
    tl_expression *less = text == NULL ? NULL : tl_expression_open(text, pair, TL_COUNT(pair), "bool");
    bool known = text == NULL || less != NULL;
    telar_status status = tl_prim_read(tool, tl_prim_result_at(tool, 0), &result);
    if (status == TELAR_OK) status = check_bounds(tool, less, result, &known);
    if (status == TELAR_OK && !known) status = tl_prim_verify_again(tool);
    tl_expression_close(less);
    free(result);
    return status;
}

/* ---- the commands ---------------------------------------------------------------------------------------------------- */

static const tl_prim_spec find_spec = {.name = "find",
                                       .inputs_min = 1,
                                       .inputs_max = 1,
                                       .declare = declare_find,
                                       .record = record_find,
                                       .verify = verify_find};
static const tl_prim_spec bounds_spec = {.name = "bounds",
                                         .inputs_min = 1,
                                         .inputs_max = 2,
                                         .declare = declare_bounds,
                                         .record = record_bounds,
                                         .verify = verify_bounds};

static const tl_option find_own[] = {
    {.name = "where",
     .argument = "EXPR",
     .take = tl_take_text,
     .offset = offsetof(find_options, where),
     .help = {"the condition, WGSL of x (the element) and i (its index)",
              "la condición, WGSL con x (el elemento) e i (su índice)"}},
};
static const tl_option_group find_group = {
    .title = {"What is looked for", "Lo que se busca"}, .options = find_own, .count = TL_COUNT(find_own)};
static const tl_group_at find_groups[] = {
    {&find_group, 0}, {&tl_prim_functions_group, offsetof(find_options, prim)}, TL_PRIM_GROUPS(find_options)};

#define FIELD(name) .offset = offsetof(bounds_options, name)

static const tl_option bounds_own[] = {
    {.name = "sorted",
     .argument = "DATA",
     .take = tl_take_text,
     FIELD(sorted),
     .help = {"the elements in order, of DATA's type", "los elementos en orden, del tipo de DATA"}},
    {.name = "upper",
     .take = tl_take_flag,
     FIELD(upper),
     .help = {"how many are not greater (default: how many are less)",
              "cuántos no son mayores (por defecto, cuántos son menores)"}},
    {.name = "less",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(less),
     .help = {"when a comes before b in that order (default: a < b)",
              "cuándo va a antes que b en ese orden (por defecto, a < b)"}},
};
static const tl_option_group bounds_group = {
    .title = {"The order", "El orden"}, .options = bounds_own, .count = TL_COUNT(bounds_own)};
static const tl_group_at bounds_groups[] = {
    {&bounds_group, 0}, {&tl_prim_functions_group, offsetof(bounds_options, prim)}, TL_PRIM_GROUPS(bounds_options)};

const tl_command tl_command_find = {
    .name = "find",
    .arguments = "DATA",
    .summary = {"the first element for which a condition holds", "el primer elemento que cumple una condición"},
    .about = {"The result is its index; the length of DATA where there is none.",
              "El resultado es su índice; la longitud de DATA si no hay ninguno."},
    .example = {"telar find data.npy --where 'x < 0'\n"
                "telar find f32:1M:random --where 'x > 0.999' --verify",
                "telar find datos.npy --where 'x < 0'\n"
                "telar find f32:1M:random --where 'x > 0.999' --verify"},
    .groups = find_groups,
    .groups_count = TL_COUNT(find_groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(find_options),
    .prim = &find_spec,
    .run = tl_prim_run,
};

const tl_command tl_command_bounds = {
    .name = "bounds",
    .arguments = "DATA",
    .summary = {"the place of each element among others in order", "el lugar de cada elemento entre otros en orden"},
    .about =
        {"Element i of the result says how many of the elements in order are less than element i of DATA.",
         "El elemento i del resultado dice cuántos de los elementos en orden son menores que el elemento i de DATA."},
    .example = {"telar bounds data.npy --sorted edges.npy --out places.npy\n"
                "telar bounds u32:1M:random --sorted u32:1000:iota --upper --verify",
                "telar bounds datos.npy --sorted bordes.npy --out lugares.npy\n"
                "telar bounds u32:1M:random --sorted u32:1000:iota --upper --verify"},
    .groups = bounds_groups,
    .groups_count = TL_COUNT(bounds_groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(bounds_options),
    .prim = &bounds_spec,
    .run = tl_prim_run,
};
