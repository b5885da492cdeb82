/* SPDX-License-Identifier: MIT
 *
 * telar run-length-encode: each run of equal elements as its first one and its length. */
#include "prim_verify.h"

#include <stdlib.h>

typedef struct encode_options {
    tl_prim_options prim;
    const char *equal;
    const char *lengths;
} encode_options;

static const encode_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

/* Results: how many runs, their first elements, their lengths. */
static telar_status declare(tl_prim_tool *tool)
{
    telar_status status = TELAR_OK;
    uint64_t n = tool->data[0].elements;
    TELAR_TRY(tl_prim_known_types(tool));
    const char *type = tl_prim_type(tool->data[0].dtype);
    const tl_operand pair[] = {{"a", type}, {"b", type}};
    TELAR_TRY(tl_prim_check(tool, "equal", options_of(tool)->equal, pair, TL_COUNT(pair), "bool"));
    tl_prim_result(tool, "runs", TL_DTYPE_U32, 1, NULL, &status);
    tl_prim_result(tool, "result", tool->data[0].dtype, n, tool->options->out, &status);
    tl_prim_result(tool, "lengths", TL_DTYPE_U32, n, options_of(tool)->lengths, &status);
    return status;
}

static void record(tl_prim_tool *tool)
{
    telar_record_run_length_encode(&tool->record, &tool->prim,
                                   &(telar_run_length_encode_desc){.length = {.count = tool->data[0].elements},
                                                                   .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                                                   .in = tl_prim_array(&tool->data[0]),
                                                                   .equal = options_of(tool)->equal,
                                                                   .wgsl = tool->combine,
                                                                   .out = tl_prim_array(tl_prim_result_at(tool, 1)),
                                                                   .lengths = tl_prim_array(tl_prim_result_at(tool, 2)),
                                                                   .count = tl_prim_array(tl_prim_result_at(tool, 0))});
}

static telar_status finish(tl_prim_tool *tool)
{
    TELAR_TRY(tl_prim_cut(tool));
    tool->bytes = tool->data[0].capacity_bytes + 4;
    for (uint32_t k = 1; k < 3; k++) {
        const tl_prim_data *out = tl_prim_result_at(tool, k);
        tool->bytes += out->elements * tl_dtype_bytes(out->dtype);
    }
    return TELAR_OK;
}

/* ---- plain C --------------------------------------------------------------------------------------------------------- */

static telar_status check(tl_prim_tool *tool, const uint8_t *heads, const void *result, const void *lengths)
{
    const tl_prim_data *in = &tool->data[0], *out = tl_prim_result_at(tool, 1), *sizes = tl_prim_result_at(tool, 2);
    uint64_t runs = 0, begin = 0, end = 0, run = 0;
    for (uint64_t k = 0; k < in->elements; k++) runs += heads[k];
    if (out->elements != runs) return tl_prim_differs(tool, "runs", 0, (double)out->elements, (double)runs);
    for (; begin < in->elements; begin = end, run++) {
        for (end = begin + 1; end < in->elements && heads[end] == 0;) end++;
        const unsigned char *from = in->array.data + tl_dtype_bytes(in->dtype) * begin;
        TELAR_TRY(tl_prim_same_bits(tool, out, result, run, from));
        TELAR_TRY(tl_prim_same_word(tool, sizes, lengths, run, end - begin));
    }
    return TELAR_OK;
}

static telar_status verify(tl_prim_tool *tool)
{
    uint8_t *heads = NULL;
    void *result = NULL, *lengths = NULL;
    TELAR_TRY(tl_prim_heads(tool, &tool->data[0], options_of(tool)->equal, &heads));
    if (heads == NULL) return tl_prim_verify_again(tool);
    telar_status status = tl_prim_read(tool, tl_prim_result_at(tool, 1), &result);
    if (status == TELAR_OK) status = tl_prim_read(tool, tl_prim_result_at(tool, 2), &lengths);
    if (status == TELAR_OK) status = check(tool, heads, result, lengths);
    free(heads);
    free(result);
    free(lengths);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "run-length-encode",
    .inputs_min = 1,
    .inputs_max = 1,
    .declare = declare,
    .record = record,
    .finish = finish,
    .verify = verify,
};

#define FIELD(name) .offset = offsetof(encode_options, name)

static const tl_option own_options[] = {
    {.name = "lengths",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(lengths),
     .help = {"writes the length of each run, as u32", "escribe la longitud de cada serie, como u32"}},
    {.name = "equal",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(equal),
     .help = {"when neighbours a and b are equal (default: a == b)",
              "cuándo son iguales dos vecinos a y b (por defecto, a == b)"}},
};
static const tl_option_group own_group = {
    .title = {"The runs", "Las series"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {
    {&own_group, 0}, {&tl_prim_functions_group, offsetof(encode_options, prim)}, TL_PRIM_GROUPS(encode_options)};

const tl_command tl_command_run_length_encode = {
    .name = "run-length-encode",
    .arguments = "DATA",
    .summary = {"each run of equal elements as one, and its length",
                "cada serie de elementos iguales como uno, y su longitud"},
    .about =
        {"DATA is a .npy file, or generated data as in telar run (u32:1M:random). The result holds the first element "
         "of each run, and is as long as the GPU finds runs. A NaN equals nothing.",
         "DATA es un archivo .npy, o datos generados como en telar run (u32:1M:random). El resultado tiene el "
         "primer elemento de cada serie, y es tan largo como series halle la GPU. Un NaN no es igual a nada."},
    .example = {"telar run-length-encode data.npy --out values.npy --lengths lengths.npy",
                "telar run-length-encode datos.npy --out valores.npy --lengths longitudes.npy"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(encode_options),
    .prim = &spec,
    .run = tl_prim_run,
};
