/* SPDX-License-Identifier: MIT
 *
 * telar reduce: all elements to one, or those of each segment or key. */
#include "prim_verify.h"
#include "reduce_verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct reduce_options {
    tl_prim_options prim;
    const char *by;
    const char *segments;
    const char *keys;
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
    text[0] = 0; /* also where nothing is written */
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

/* The keys or the offsets, as the second input. */
static telar_status open_parts(tl_prim_tool *tool)
{
    const reduce_options *options = options_of(tool);
    if (options->by != NULL && options->segments != NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--by and --segments exclude each other");
    }
    if (options->keys != NULL && options->by == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--keys needs --by");
    }
    if (options->segments != NULL) return tl_prim_add_words(tool, options->segments, "offsets");
    if (options->by == NULL) return TELAR_OK;
    TELAR_TRY(tl_prim_add_input(tool, options->by));
    return tl_prim_same_length(tool);
}

/* Offsets that fall divide nothing. */
static telar_status check_offsets(tl_prim_tool *tool)
{
    tl_prim_data *offsets = &tool->data[1];
    if (options_of(tool)->segments == NULL) return TELAR_OK;
    if (offsets->elements == 0) {
        return tl_fail(&tool->diag, TELAR_INVALID_DATA, "%s: offsets are one more than segments; there is none",
                       offsets->source);
    }
    TELAR_TRY(tl_array_settle(&offsets->array, &tool->diag));
    const uint32_t *words = (const uint32_t *)(const void *)offsets->array.data;
    for (uint64_t k = 1; k < offsets->elements; k++) {
        if (words[k] >= words[k - 1]) continue;
        return tl_fail_limit(&tool->diag, TELAR_INVALID_DATA, words[k], words[k - 1],
                             "%s: offsets must not fall; element %llu is %u, the one before it %u", offsets->source,
                             (unsigned long long)k, words[k], words[k - 1]);
    }
    return TELAR_OK;
}

/* How many results there are at most. */
static uint64_t parts_of(const tl_prim_tool *tool)
{
    if (options_of(tool)->segments != NULL) return tool->data[1].elements - 1;
    return options_of(tool)->by != NULL ? tool->data[0].elements : 1;
}

/* Results: of keys how many runs there are; what the elements are reduced to; its value, of an index; of keys those. */
static telar_status declare_results(tl_prim_tool *tool)
{
    const reduce_options *options = options_of(tool);
    const struct kind_row *kind = kind_of(tool);
    telar_status status = TELAR_OK;
    tl_dtype dtype = tool->data[0].dtype;
    tl_dtype result = kind->index ? TL_DTYPE_U32 : kind->kind == TELAR_REDUCE_MEAN_VARIANCE ? TL_DTYPE_F32 : dtype;
    uint64_t parts = parts_of(tool);
    if (options->by != NULL) tl_prim_result(tool, "runs", TL_DTYPE_U32, 1, NULL, &status);
    tl_prim_result(tool, kind->results[0], result, parts * kind->elements, tool->options->out, &status);
    if (kind->results[1] != NULL) tl_prim_result(tool, kind->results[1], dtype, parts, NULL, &status);
    if (options->by != NULL) tl_prim_result(tool, "keys", tool->data[1].dtype, parts, options->keys, &status);
    return status;
}

static telar_status declare(tl_prim_tool *tool)
{
    const reduce_options *options = options_of(tool);
    const struct kind_row *kind = kind_of(tool);
    const char *type;
    telar_operator op = {0};
    char expression[EXPRESSION_BYTES];
    TELAR_TRY(open_parts(tool));
    TELAR_TRY(tl_prim_known_types(tool));
    TELAR_TRY(check_offsets(tool));
    if (kind->kind == TELAR_REDUCE_OPERATOR) TELAR_TRY(tl_prim_operator(tool, options->op, &op, &tool->diag));
    if (is_condition(kind->kind) && options->where == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--op %s: give --where, as in --where 'x > 0'", kind->name);
    }
    type = tl_prim_type(tool->data[0].dtype);
    TELAR_TRY(tl_prim_check_x(tool, "where", options->where, "bool"));
    TELAR_TRY(tl_prim_check_x(tool, "expr", options->expr, type));
    TELAR_TRY(expression_of(tool, &op, expression, sizeof expression, &tool->diag));
    TELAR_TRY(declare_results(tool));
    for (uint32_t k = 0; k < tool->inputs_count; k++) tool->bytes += tool->data[k].capacity_bytes;
    return TELAR_OK;
}

static telar_array array_at(tl_prim_tool *tool, uint32_t k)
{
    return tl_prim_array(tl_prim_result_at(tool, k));
}

/* The value beside an index; no array where there is none. */
static telar_array value_at(tl_prim_tool *tool, uint32_t k)
{
    static const telar_array none = {.offset_bytes = 0};
    return kind_of(tool)->results[1] == NULL ? none : array_at(tool, k);
}

static void record_by_key(tl_prim_tool *tool, const telar_reduction *reduction)
{
    telar_record_reduce_by_key(&tool->record, &tool->prim,
                               &(telar_reduce_by_key_desc){.length = {.count = tool->data[0].elements},
                                                           .key_type = {tl_prim_type(tool->data[1].dtype), NULL},
                                                           .keys = tl_prim_array(&tool->data[1]),
                                                           .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                                           .reduction = *reduction,
                                                           .in = tl_prim_array(&tool->data[0]),
                                                           .keys_out = tl_prim_array(&tool->data[tool->data_count - 1]),
                                                           .out = array_at(tool, 1),
                                                           .value = value_at(tool, 2),
                                                           .count = array_at(tool, 0)});
}

static void record_segments(tl_prim_tool *tool, const telar_reduction *reduction)
{
    telar_record_reduce_segments(&tool->record, &tool->prim,
                                 &(telar_reduce_segments_desc){.length = {.count = parts_of(tool)},
                                                               .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                                               .reduction = *reduction,
                                                               .in = tl_prim_array(&tool->data[0]),
                                                               .in_count = tool->data[0].elements,
                                                               .offsets = tl_prim_array(&tool->data[1]),
                                                               .out = array_at(tool, 0),
                                                               .value = value_at(tool, 1)});
}

static void record_all(tl_prim_tool *tool, const telar_reduction *reduction)
{
    telar_record_reduce(&tool->record, &tool->prim,
                        &(telar_reduce_desc){.length = {.count = tool->data[0].elements},
                                             .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                             .reduction = *reduction,
                                             .in = tl_prim_array(&tool->data[0]),
                                             .out = array_at(tool, 0),
                                             .value = value_at(tool, 1)});
}

static void record(tl_prim_tool *tool)
{
    const struct kind_row *kind = kind_of(tool);
    telar_operator op = {0};
    char expression[EXPRESSION_BYTES];
    if (kind->kind == TELAR_REDUCE_OPERATOR) tl_prim_operator(tool, options_of(tool)->op, &op, NULL);
    expression_of(tool, &op, expression, sizeof expression, NULL);
    const telar_reduction reduction = {.kind = kind->kind,
                                       .op = op,
                                       .expression = expression[0] == 0 ? NULL : expression,
                                       .compensated = options_of(tool)->compensated};
    if (options_of(tool)->by != NULL) record_by_key(tool, &reduction);
    else if (options_of(tool)->segments != NULL) record_segments(tool, &reduction);
    else record_all(tool, &reduction);
}

/* Of keys the GPU made the number of results. */
static telar_status finish(tl_prim_tool *tool)
{
    if (options_of(tool)->by == NULL) return TELAR_OK;
    TELAR_TRY(tl_prim_cut(tool));
    tl_prim_data *result = tl_prim_result_at(tool, 1);
    result->elements =
        tl_prim_result_at(tool, tool->data_count - tool->inputs_count - 1)->elements * kind_of(tool)->elements;
    return TELAR_OK;
}

/* ---- plain C ---------------------------------------------------------------------------------------------------------- */

/* Where each part begins, and the end of the last: one more than parts; of malloc's. */
static telar_status begins_of(tl_prim_tool *tool, uint64_t **begins, uint64_t *parts)
{
    const tl_prim_data *in = &tool->data[0];
    uint8_t *heads = NULL;
    *begins = calloc((size_t)parts_of(tool) + 1, sizeof **begins);
    if (*begins == NULL) return tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory to verify");
    *parts = parts_of(tool);
    if (options_of(tool)->segments != NULL) {
        for (uint64_t k = 0; k <= *parts; k++) {
            uint64_t at = (uint64_t)tl_prim_integer(TL_DTYPE_U32, tool->data[1].array.data, k);
            (*begins)[k] = at < in->elements ? at : in->elements;
        }
        return TELAR_OK;
    }
    if (options_of(tool)->by != NULL) {
        TELAR_TRY(tl_prim_heads(tool, &tool->data[1], NULL, &heads));
        *parts = 0;
        for (uint64_t k = 0; k < in->elements; k++) {
            if (heads[k] != 0) (*begins)[(*parts)++] = k;
        }
        free(heads);
    }
    (*begins)[*parts] = in->elements;
    return TELAR_OK;
}

/* Of keys also how many there are, and the first of each run. */
static telar_status verify_keys(tl_prim_tool *tool, const uint64_t *begins, uint64_t parts)
{
    const tl_prim_data *keys = &tool->data[1], *out = &tool->data[tool->data_count - 1];
    void *result = NULL;
    if (out->elements != parts) return tl_prim_differs(tool, "runs", 0, (double)out->elements, (double)parts);
    telar_status status = tl_prim_read(tool, out, &result);
    for (uint64_t k = 0; status == TELAR_OK && k < parts; k++) {
        const unsigned char *from = keys->array.data + tl_dtype_bytes(keys->dtype) * begins[k];
        status = tl_prim_same_bits(tool, out, result, k, from);
    }
    free(result);
    return status;
}

static telar_status verify(tl_prim_tool *tool)
{
    const reduce_options *options = options_of(tool);
    tl_reduction_check check = {.tool = tool, .kind = kind_of(tool)->kind, .in = &tool->data[0]};
    telar_operator op = {0};
    uint64_t *begins = NULL;
    if (check.kind == TELAR_REDUCE_OPERATOR) TELAR_TRY(tl_prim_operator(tool, options->op, &op, &tool->diag));
    bool written_here = options->where == NULL && options->expr == NULL && op.op != TELAR_OP_OWN;
    if (!written_here) return tl_prim_verify_again(tool);
    check.op = op.op;
    check.out = tl_prim_result_at(tool, options->by != NULL ? 1 : 0);
    TELAR_TRY(tl_array_settle(&tool->data[0].array, &tool->diag));
    telar_status status = begins_of(tool, &begins, &check.parts);
    check.begins = begins;
    if (status == TELAR_OK && options->by != NULL) status = verify_keys(tool, begins, check.parts);
    if (status == TELAR_OK) status = tl_reduction_verify(&check);
    free(begins);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "reduce",
    .inputs_min = 1,
    .inputs_max = 2,
    .declare = declare,
    .record = record,
    .finish = finish,
    .verify = verify,
};

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
    {.name = "by",
     .argument = "KEYS",
     .take = tl_take_text,
     FIELD(by),
     .help = {"each run of equal keys by itself, one key for each element",
              "cada serie de claves iguales por separado, una clave por elemento"}},
    {.name = "keys",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(keys),
     .help = {"with --by: writes the key of each run", "con --by: escribe la clave de cada serie"}},
    {.name = "segments",
     .argument = "OFFSETS",
     .take = tl_take_text,
     FIELD(segments),
     .help = {"each segment by itself: where they begin, as u32, and where the last one ends",
              "cada segmento por separado: dónde empiezan, como u32, y dónde acaba el último"}},
    {.name = "compensated",
     .take = tl_take_flag,
     FIELD(compensated),
     .help = {"a sum of f32 as good as one of twice the precision",
              "una suma de f32 tan buena como con el doble de precisión"}},
};
static const tl_option_group own_group = {
    .title = {"The reduction", "La reducción"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {
    {&own_group, 0}, {&tl_prim_operator_group, offsetof(reduce_options, prim)}, TL_PRIM_GROUPS(reduce_options)};

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
                "telar reduce sales.npy --by days.npy --keys day.npy --out sums.npy\n"
                "telar reduce f32:1M:random --op count --where 'x < 0.25' --time\n"
                "telar reduce f32:1M:random --expr 'x * x' --verify",
                "telar reduce datos.npy --op max\n"
                "telar reduce ventas.npy --by dias.npy --keys dia.npy --out sumas.npy\n"
                "telar reduce f32:1M:random --op count --where 'x < 0.25' --time\n"
                "telar reduce f32:1M:random --expr 'x * x' --verify"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(reduce_options),
    .prim = &spec,
    .run = tl_prim_run,
};
