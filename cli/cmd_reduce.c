/* SPDX-License-Identifier: MIT
 *
 * telar reduce: all elements to one. */
#include "prim_verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reduce_options {
    tl_prim_options prim;
    const char *op;
    const char *where;
    const char *expr;
    bool compensated;
} reduce_options;

/* What --op may say beside the operators. */
static const struct kind_row {
    const char *name;
    telar_reduction_kind kind;
    const char *results[2]; /* named so in the report; the second: NULL where there is one */
    uint64_t elements;
    bool index; /* the result is a u32 whatever the elements are */
} kind_rows[] = {
    {"argmin", TELAR_REDUCE_ARG_MIN, {"index", "value"}, 1, true},
    {"argmax", TELAR_REDUCE_ARG_MAX, {"index", "value"}, 1, true},
    {"minmax", TELAR_REDUCE_MIN_MAX, {"result", NULL}, 2, false},
    {"mean", TELAR_REDUCE_MEAN_VARIANCE, {"result", NULL}, 2, false},
    {"count", TELAR_REDUCE_COUNT, {"count", NULL}, 1, true},
    {"any", TELAR_REDUCE_ANY, {"result", NULL}, 1, true},
    {"all", TELAR_REDUCE_ALL, {"result", NULL}, 1, true},
};
static const struct kind_row operator_row = {"", TELAR_REDUCE_OPERATOR, {"result", NULL}, 1, false};

static const reduce_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

static const struct kind_row *kind_of(const tl_prim_tool *tool)
{
    const char *op = options_of(tool)->op;
    for (size_t k = 0; op != NULL && k < TL_COUNT(kind_rows); k++) {
        if (strcmp(op, kind_rows[k].name) == 0) return &kind_rows[k];
    }
    return &operator_row;
}

static bool is_condition(telar_reduction_kind kind)
{
    return kind == TELAR_REDUCE_COUNT || kind == TELAR_REDUCE_ANY || kind == TELAR_REDUCE_ALL;
}

/* ---- what is asked ---------------------------------------------------------------------------------------------------- */

/* Elements that --where leaves out count as the operator's identity. */
static const char *identity_of(const tl_prim_tool *tool, telar_op op)
{
    tl_dtype dtype = tool->data[0].dtype;
    bool is_signed = dtype == TL_DTYPE_I32, is_float = tl_dtype_kind(dtype) == 'f';
    switch (op) {
    case TELAR_OP_OWN: return tool->options->identity == NULL ? "T()" : tool->options->identity;
    case TELAR_OP_PRODUCT: return "1";
    case TELAR_OP_MIN: return is_float ? NULL : is_signed ? "0x7fffffff" : "0xffffffff";
    case TELAR_OP_MAX: return is_float ? NULL : is_signed ? "-0x7fffffff - 1" : "0";
    case TELAR_OP_AND: return is_signed ? "-1" : "0xffffffff";
    default: return "0";
    }
}

/* The expression that the library is given, in room of this many bytes; "" : x. */
static telar_status expression_of(const tl_prim_tool *tool, const telar_operator *op, char *text, size_t cap,
                                  telar_diag *diag)
{
    const reduce_options *options = options_of(tool);
    const struct kind_row *kind = kind_of(tool);
    const char *type = tl_prim_type(tool->data[0].dtype), *expr = options->expr == NULL ? "x" : options->expr;
    telar_out out = {text, cap, 0};
    if (is_condition(kind->kind)) {
        tl_out_text(&out, options->where);
    } else if (options->where == NULL) {
        tl_out_text(&out, options->expr == NULL ? "" : expr);
    } else {
        const char *identity = kind->kind == TELAR_REDUCE_OPERATOR ? identity_of(tool, op->op) : NULL;
        if (identity == NULL) {
            return tl_fail(diag, TELAR_UNSUPPORTED,
                           "--where: elements cannot be left out of this --op; give --expr instead");
        }
        tl_out_format(&out, "select(%s(%s), %s, %s)", type, identity, expr, options->where);
    }
    return out.len < cap ? TELAR_OK
                         : tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, out.len, cap, "--where and --expr are too long");
}

enum {
    EXPRESSION_BYTES = 8192
};

static telar_status declare(tl_prim_tool *tool)
{
    const reduce_options *options = options_of(tool);
    const struct kind_row *kind = kind_of(tool);
    telar_operator op = {0};
    char expression[EXPRESSION_BYTES];
    telar_status status = TELAR_OK;
    TELAR_TRY(tl_prim_known_types(tool));
    if (kind->kind == TELAR_REDUCE_OPERATOR) TELAR_TRY(tl_prim_operator(tool, options->op, &op, &tool->diag));
    if (is_condition(kind->kind) && options->where == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--op %s: give --where, as in --where 'x > 0'", kind->name);
    }
    TELAR_TRY(expression_of(tool, &op, expression, sizeof expression, &tool->diag));
    tl_dtype dtype = tool->data[0].dtype;
    tl_dtype result = kind->index ? TL_DTYPE_U32 : kind->kind == TELAR_REDUCE_MEAN_VARIANCE ? TL_DTYPE_F32 : dtype;
    tl_prim_result(tool, kind->results[0], result, kind->elements, tool->options->out, &status);
    if (kind->results[1] != NULL) tl_prim_result(tool, kind->results[1], dtype, 1, NULL, &status);
    tool->bytes = tool->data[0].capacity_bytes;
    return status;
}

static void record(tl_prim_tool *tool)
{
    const struct kind_row *kind = kind_of(tool);
    telar_operator op = {0};
    char expression[EXPRESSION_BYTES];
    if (kind->kind == TELAR_REDUCE_OPERATOR) tl_prim_operator(tool, options_of(tool)->op, &op, NULL);
    expression_of(tool, &op, expression, sizeof expression, NULL);
    telar_reduce_desc desc = {.length = {.count = tool->data[0].elements},
                              .type = {tl_prim_type(tool->data[0].dtype), NULL},
                              .reduction = {.kind = kind->kind,
                                            .op = op,
                                            .expression = expression[0] == 0 ? NULL : expression,
                                            .compensated = options_of(tool)->compensated},
                              .in = tl_prim_array(&tool->data[0]),
                              .out = tl_prim_array(&tool->data[1])};
    if (kind->results[1] != NULL) desc.value = tl_prim_array(&tool->data[2]);
    telar_record_reduce(&tool->record, &tool->prim, &desc);
}

/* ---- plain C ---------------------------------------------------------------------------------------------------------- */

typedef struct extremes {
    double least, greatest;
    uint64_t least_at, greatest_at;
    double sum, squares;
    uint64_t count;
} extremes;

/* NaN is as if it were not there; -0 is less than 0; the first of equal ones counts. */
static bool is_before(double a, double b)
{
    return a < b || (a == b && signbit(a) && !signbit(b));
}

static extremes look(const tl_prim_data *in)
{
    extremes e = {.least = INFINITY, .greatest = -INFINITY, .least_at = UINT32_MAX, .greatest_at = UINT32_MAX};
    for (uint64_t k = 0; k < in->elements; k++) {
        double value = tl_prim_number(in->dtype, in->array.data, k);
        double delta = value - e.sum;
        e.sum += delta / (double)(k + 1); /* the mean, by Welford's recurrence */
        e.squares += delta * (value - e.sum);
        if (isnan(value)) continue;
        if (e.least_at == UINT32_MAX || is_before(value, e.least)) {
            e.least = value;
            e.least_at = k;
        }
        if (e.greatest_at == UINT32_MAX || is_before(e.greatest, value)) {
            e.greatest = value;
            e.greatest_at = k;
        }
    }
    return e;
}

static telar_status check_number(tl_prim_tool *tool, const void *result, uint64_t k, double wanted, double part)
{
    const tl_prim_data *out = &tool->data[1];
    double got = tl_prim_number(out->dtype, result, k);
    return tl_prim_is_near(out->dtype, got, wanted, part) ? TELAR_OK : tl_prim_differs(tool, out->name, k, got, wanted);
}

static telar_status check_kind(tl_prim_tool *tool, telar_reduction_kind kind, const void *result)
{
    const tl_prim_data *in = &tool->data[0];
    extremes e = look(in);
    switch (kind) {
    case TELAR_REDUCE_ARG_MIN: return check_number(tool, result, 0, (double)e.least_at, 0);
    case TELAR_REDUCE_ARG_MAX: return check_number(tool, result, 0, (double)e.greatest_at, 0);
    case TELAR_REDUCE_MIN_MAX:
        if (in->elements == 0 && tl_dtype_kind(in->dtype) != 'f') return TELAR_OK;
        TELAR_TRY(check_number(tool, result, 0, e.least, 0));
        return check_number(tool, result, 1, e.greatest, 0);
    default:
        TELAR_TRY(check_number(tool, result, 0, e.sum, 1e-4));
        return check_number(tool, result, 1, in->elements == 0 ? 0 : e.squares / (double)in->elements, 1e-3);
    }
}

static telar_status check_operator(tl_prim_tool *tool, telar_op op, const void *result)
{
    const tl_prim_data *in = &tool->data[0];
    tl_folding folding = tl_folding_begin(in->dtype, op);
    for (uint64_t k = 0; k < in->elements; k++) tl_folding_add(&folding, in->array.data, k);
    return tl_folding_compare(tool, &folding, "result", result, 0);
}

static telar_status verify(tl_prim_tool *tool)
{
    const struct kind_row *kind = kind_of(tool);
    telar_operator op = {0};
    void *result = NULL;
    if (kind->kind == TELAR_REDUCE_OPERATOR) TELAR_TRY(tl_prim_operator(tool, options_of(tool)->op, &op, &tool->diag));
    bool written_here = options_of(tool)->where == NULL && options_of(tool)->expr == NULL && op.op != TELAR_OP_OWN;
    if (!written_here) return tl_prim_verify_again(tool);
    TELAR_TRY(tl_array_settle(&tool->data[0].array, &tool->diag));
    TELAR_TRY(tl_prim_read(tool, &tool->data[1], &result));
    telar_status status = kind->kind == TELAR_REDUCE_OPERATOR ? check_operator(tool, op.op, result)
                                                              : check_kind(tool, kind->kind, result);
    free(result);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "reduce",
    .inputs_min = 1,
    .inputs_max = 1,
    .declare = declare,
    .record = record,
    .verify = verify,
};

static int run(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    const reduce_options *options = state;
    return tl_prim_run(cli, &spec, options, &options->prim, files, files_count);
}

#define FIELD(name) .offset = offsetof(reduce_options, name)

static const tl_option own_options[] = {
    {.name = "op",
     .argument = "OP",
     .take = tl_take_text,
     FIELD(op),
     .help = {"sum (the default), prod, min, max, and, or, xor; argmin, argmax (the index), minmax (both), mean (and "
              "variance); count, any, all (of --where)",
              "sum (por defecto), prod, min, max, and, or, xor; argmin, argmax (el índice), minmax (ambos), mean (y "
              "varianza); count, any, all (de --where)"}},
    {.name = "where",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(where),
     .help = {"only elements for which this WGSL holds, of x (the element) and i (its index)",
              "solo los elementos para los que se cumple este WGSL, con x (el elemento) e i (su índice)"}},
    {.name = "expr",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(expr),
     .help = {"what is reduced in place of each element, as 'x * x'",
              "lo que se reduce en lugar de cada elemento, como 'x * x'"}},
    {.name = "compensated",
     .take = tl_take_flag,
     FIELD(compensated),
     .help = {"a sum of f32 as good as one of twice the precision",
              "una suma de f32 tan buena como con el doble de precisión"}},
};
static const tl_option_group own_group = {
    .title = {"The reduction", "La reducción"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {{&own_group, 0}, {&tl_prim_group, offsetof(reduce_options, prim)}};

const tl_command tl_command_reduce = {
    .name = "reduce",
    .arguments = "DATA",
    .summary = {"all elements to one: sum, least, mean, count ...",
                "todos los elementos a uno: suma, mínimo, media, conteo ..."},
    .about =
        {"DATA is a .npy file, or generated data as in telar run (f32:1M:random). Integers wrap; sums of floats give "
         "the same bits on every run. NaN: least and greatest leave it out, sums keep it.",
         "DATA es un archivo .npy, o datos generados como en telar run (f32:1M:random). Los enteros dan la vuelta; "
         "las sumas de flotantes dan los mismos bits en cada ejecución. NaN: el mínimo y el máximo lo omiten, las "
         "sumas lo conservan."},
    .example = {"telar reduce data.npy --op max\n"
                "telar reduce f32:1M:random --op count --where 'x < 0.25' --time\n"
                "telar reduce f32:1M:random --expr 'x * x' --verify",
                "telar reduce datos.npy --op max\n"
                "telar reduce f32:1M:random --op count --where 'x < 0.25' --time\n"
                "telar reduce f32:1M:random --expr 'x * x' --verify"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(reduce_options),
    .run = run,
};
