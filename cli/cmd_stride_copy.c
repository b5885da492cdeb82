/* SPDX-License-Identifier: MIT
 *
 * telar stride-copy and adjacent-difference: elements of an array at other places, and beside each other. */
#include "prim_verify.h"

#include <stdlib.h>
#include <string.h>

/* ---- stride-copy ----------------------------------------------------------------------------------------------------- */

typedef struct stride_options {
    tl_prim_options prim;
    uint32_t in_stride;
    uint32_t out_stride;
    uint64_t count;
} stride_options;

static uint32_t in_stride(const tl_prim_tool *tool)
{
    const stride_options *options = tool->state;
    return options->in_stride == 0 ? 1 : options->in_stride;
}

static uint32_t out_stride(const tl_prim_tool *tool)
{
    const stride_options *options = tool->state;
    return options->out_stride == 0 ? 1 : options->out_stride;
}

/* How many are copied: as many as DATA has at the stride. */
static uint64_t copied(const tl_prim_tool *tool)
{
    const stride_options *options = tool->state;
    uint64_t all = telar_ceil_div(tool->data[0].elements, in_stride(tool));
    return options->count == 0 ? all : options->count;
}

static telar_status declare_copy(tl_prim_tool *tool)
{
    telar_status status = TELAR_OK;
    uint64_t all = telar_ceil_div(tool->data[0].elements, in_stride(tool)), n = copied(tool), places = 0;
    TELAR_TRY(tl_prim_known_types(tool));
    if (n > all) {
        return tl_fail_limit(&tool->diag, TELAR_LIMIT_EXCEEDED, n, all,
                             "--count (%llu) exceeds the elements of %s at that stride (%llu)", (unsigned long long)n,
                             tool->data[0].source, (unsigned long long)all);
    }
    if (n > 0 && (!telar_multiply(n - 1, out_stride(tool), &places) || places >= TELAR_COUNT_MAX)) {
        return tl_fail(&tool->diag, TELAR_OVERFLOWS, "--out-stride (%u) makes the result too long", out_stride(tool));
    }
    tl_prim_result(tool, "result", tool->data[0].dtype, n == 0 ? 0 : places + 1, tool->options->out, &status);
    tool->elements = n;
    tool->bytes = 2 * n * tl_dtype_bytes(tool->data[0].dtype);
    return status;
}

static void record_copy(tl_prim_tool *tool)
{
    telar_record_stride_copy(&tool->record, &tool->prim,
                             &(telar_stride_copy_desc){.length = {.count = copied(tool)},
                                                       .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                                       .in = tl_prim_array(&tool->data[0]),
                                                       .in_stride = in_stride(tool),
                                                       .out = tl_prim_array(tl_prim_result_at(tool, 0)),
                                                       .out_stride = out_stride(tool)});
}

/* What stands between is zero, as the tool's buffers begin. */
static telar_status verify_copy(tl_prim_tool *tool)
{
    const tl_prim_data *in = &tool->data[0], *out = tl_prim_result_at(tool, 0);
    uint32_t bytes = tl_dtype_bytes(in->dtype), step = out_stride(tool);
    void *result = NULL;
    TELAR_TRY(tl_array_settle(&tool->data[0].array, &tool->diag));
    telar_status status = tl_prim_read(tool, out, &result);
    for (uint64_t k = 0; status == TELAR_OK && k < out->elements; k++) {
        const unsigned char *from = in->array.data + bytes * (k / step * in_stride(tool));
        status = tl_prim_same_bits(tool, out, result, k, k % step == 0 ? from : NULL);
    }
    free(result);
    return status;
}

/* ---- adjacent-difference --------------------------------------------------------------------------------------------- */

typedef struct difference_options {
    tl_prim_options prim;
    const char *expr;
} difference_options;

static const char *expr_of(const tl_prim_tool *tool)
{
    return ((const difference_options *)tool->state)->expr;
}

static telar_status declare_difference(tl_prim_tool *tool)
{
    telar_status status = TELAR_OK;
    TELAR_TRY(tl_prim_known_types(tool));
    const char *type = tl_prim_type(tool->data[0].dtype);
    const tl_operand pair[] = {{"x", type}, {"before", type}};
    TELAR_TRY(tl_prim_check(tool, "expr", expr_of(tool), pair, TL_COUNT(pair), type));
    tl_prim_result(tool, "result", tool->data[0].dtype, tool->data[0].elements, tool->options->out, &status);
    tool->bytes = 2 * tool->data[0].capacity_bytes;
    return status;
}

static void record_difference(tl_prim_tool *tool)
{
    telar_record_adjacent_difference(
        &tool->record, &tool->prim,
        &(telar_adjacent_difference_desc){.length = {.count = tool->data[0].elements},
                                          .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                          .expression = expr_of(tool),
                                          .wgsl = tool->combine,
                                          .in = tl_prim_array(&tool->data[0]),
                                          .out = tl_prim_array(tl_prim_result_at(tool, 0))});
}

/* x - before: integers wrap. */
static double difference(tl_dtype dtype, const void *data, uint64_t k)
{
    if (tl_dtype_kind(dtype) == 'f') return tl_prim_number(dtype, data, k) - tl_prim_number(dtype, data, k - 1);
    uint32_t word = (uint32_t)tl_prim_integer(dtype, data, k) - (uint32_t)tl_prim_integer(dtype, data, k - 1);
    return tl_prim_number(dtype, &word, 0);
}

/* expression: NULL for x - before. */
static telar_status check_difference(tl_prim_tool *tool, tl_expression *expression, const void *result, bool *known)
{
    const tl_prim_data *in = &tool->data[0];
    for (uint64_t k = 0; k < in->elements; k++) {
        const void *data = in->array.data;
        double x = tl_prim_number(in->dtype, data, k), wanted = x;
        if (k > 0 && expression == NULL) wanted = difference(in->dtype, data, k);
        if (k > 0 && expression != NULL) {
            const double values[] = {x, tl_prim_number(in->dtype, data, k - 1)};
            *known = tl_expression_value(expression, values, (uint32_t)k, &wanted);
            if (!*known) return TELAR_OK;
        }
        double got = tl_prim_number(in->dtype, result, k);
        if (!tl_prim_is_near(in->dtype, got, wanted, in->dtype == TL_DTYPE_F16 ? 2e-3 : 1e-5)) {
            return tl_prim_differs(tool, "result", k, got, wanted);
        }
    }
    return TELAR_OK;
}

static telar_status verify_difference(tl_prim_tool *tool)
{
    const char *type = tl_prim_type(tool->data[0].dtype);
    const tl_operand pair[] = {{"x", type}, {"before", type}};
    void *result = NULL;
    TELAR_TRY(tl_array_settle(&tool->data[0].array, &tool->diag));
    tl_expression *expression = expr_of(tool) == NULL ? NULL : tl_expression_open(expr_of(tool), pair, 2, type);
    bool known = expr_of(tool) == NULL || expression != NULL;
    telar_status status = tl_prim_read(tool, tl_prim_result_at(tool, 0), &result);
    if (status == TELAR_OK && known) status = check_difference(tool, expression, result, &known);
    if (status == TELAR_OK && !known) status = tl_prim_verify_again(tool);
    tl_expression_close(expression);
    free(result);
    return status;
}

/* ---- the commands ---------------------------------------------------------------------------------------------------- */

static const tl_prim_spec copy_spec = {.name = "stride-copy",
                                       .inputs_min = 1,
                                       .inputs_max = 1,
                                       .declare = declare_copy,
                                       .record = record_copy,
                                       .verify = verify_copy};
static const tl_prim_spec difference_spec = {.name = "adjacent-difference",
                                             .inputs_min = 1,
                                             .inputs_max = 1,
                                             .declare = declare_difference,
                                             .record = record_difference,
                                             .verify = verify_difference};

#define FIELD(name) .offset = offsetof(stride_options, name)

static const tl_option copy_own[] = {
    {.name = "in-stride",
     .argument = "S",
     .take = tl_take_u32,
     .min = 1,
     .max = UINT32_MAX,
     FIELD(in_stride),
     .help = {"takes every S-th element (default: 1)", "toma uno de cada S elementos (por defecto, 1)"}},
    {.name = "out-stride",
     .argument = "S",
     .take = tl_take_u32,
     .min = 1,
     .max = UINT32_MAX,
     FIELD(out_stride),
     .help = {"puts them S elements apart, with 0 between (default: 1)",
              "los deja a S elementos de distancia, con 0 en medio (por defecto, 1)"}},
    {.name = "count",
     .argument = "N",
     .take = tl_take_u64,
     .min = 1,
     .max = UINT64_MAX,
     FIELD(count),
     .help = {"how many are copied (default: all that DATA has)",
              "cuántos se copian (por defecto, todos los que tenga DATA)"}},
};
static const tl_option_group copy_group = {
    .title = {"The copy", "La copia"}, .options = copy_own, .count = TL_COUNT(copy_own)};
static const tl_group_at copy_groups[] = {{&copy_group, 0}, TL_PRIM_GROUPS(stride_options)};

static const tl_option difference_own[] = {
    {.name = "expr",
     .argument = "EXPR",
     .take = tl_take_text,
     .offset = offsetof(difference_options, expr),
     .help = {"WGSL of x (the element) and before (the one before it); default: x - before",
              "WGSL con x (el elemento) y before (el anterior); por defecto, x - before"}},
};
static const tl_option_group difference_group = {
    .title = {"The difference", "La diferencia"}, .options = difference_own, .count = TL_COUNT(difference_own)};
static const tl_group_at difference_groups[] = {{&difference_group, 0},
                                                {&tl_prim_functions_group, offsetof(difference_options, prim)},
                                                TL_PRIM_GROUPS(difference_options)};

const tl_command tl_command_stride_copy = {
    .name = "stride-copy",
    .arguments = "DATA",
    .summary = {"every so many elements, every so many apart", "uno de cada tantos elementos, a tantos de distancia"},
    .about = {"DATA is a .npy file, or generated data as in telar run (f32:1M:random).",
              "DATA es un archivo .npy, o datos generados como en telar run (f32:1M:random)."},
    .example = {"telar stride-copy rgb.npy --in-stride 3 --out red.npy",
                "telar stride-copy rgb.npy --in-stride 3 --out rojo.npy"},
    .groups = copy_groups,
    .groups_count = TL_COUNT(copy_groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(stride_options),
    .prim = &copy_spec,
    .run = tl_prim_run,
};

const tl_command tl_command_adjacent_difference = {
    .name = "adjacent-difference",
    .arguments = "DATA",
    .summary = {"each element less the one before it", "cada elemento menos el anterior"},
    .about = {"The first element stays as it is. Of a result of scan --inclusive it gives the elements again.",
              "El primer elemento queda como está. Del resultado de scan --inclusive vuelve a dar los elementos."},
    .example = {"telar adjacent-difference data.npy --out steps.npy\n"
                "telar adjacent-difference f32:1M:random --expr 'abs(x - before)' --verify",
                "telar adjacent-difference datos.npy --out pasos.npy\n"
                "telar adjacent-difference f32:1M:random --expr 'abs(x - before)' --verify"},
    .groups = difference_groups,
    .groups_count = TL_COUNT(difference_groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(difference_options),
    .prim = &difference_spec,
    .run = tl_prim_run,
};
