/* SPDX-License-Identifier: MIT
 *
 * telar scan: all prefixes. */
#include "prim_verify.h"

#include <stdlib.h>

typedef struct scan_options {
    tl_prim_options prim;
    const char *op;
    const char *initial;
    const char *by;
    const char *segments;
    bool inclusive;
    bool exclusive;
    bool deterministic;
} scan_options;

static const scan_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

/* The keys or the offsets, as the second input. */
static telar_status open_parts(tl_prim_tool *tool)
{
    const scan_options *options = options_of(tool);
    if (options->segments != NULL) return tl_prim_add_words(tool, options->segments, "offsets");
    if (options->by == NULL) return TELAR_OK;
    TELAR_TRY(tl_prim_add_input(tool, options->by));
    return tl_prim_same_length(tool);
}

static telar_segments segments_of(const tl_prim_tool *tool)
{
    const scan_options *options = options_of(tool);
    const tl_prim_data *parts = &tool->data[1];
    if (options->by != NULL) {
        return (telar_segments){.keys = tl_prim_array(parts), .key_type = {tl_prim_type(parts->dtype), NULL}};
    }
    if (options->segments != NULL) {
        return (telar_segments){.offsets = tl_prim_array(parts), .offsets_count = parts->elements};
    }
    return (telar_segments){0};
}

static telar_status declare(tl_prim_tool *tool)
{
    const scan_options *options = options_of(tool);
    telar_operator op;
    telar_status status = TELAR_OK;
    if (options->inclusive && options->exclusive) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--inclusive and --exclusive exclude each other");
    }
    if (options->by != NULL && options->segments != NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--by and --segments exclude each other");
    }
    TELAR_TRY(open_parts(tool));
    TELAR_TRY(tl_prim_known_types(tool));
    TELAR_TRY(tl_prim_operator(tool, options->op, &op, &tool->diag));
    TELAR_TRY(tl_prim_check(tool, "initial", options->initial, NULL, 0, tl_prim_type(tool->data[0].dtype)));
    tl_prim_result(tool, "result", tool->data[0].dtype, tool->data[0].elements, tool->options->out, &status);
    for (uint32_t k = 0; k < tool->data_count; k++) tool->bytes += tool->data[k].capacity_bytes;
    return status;
}

static void record(tl_prim_tool *tool)
{
    const scan_options *options = options_of(tool);
    telar_operator op = {0};
    tl_prim_operator(tool, options->op, &op, NULL);
    telar_record_scan(&tool->record, &tool->prim,
                      &(telar_scan_desc){.length = {.count = tool->data[0].elements},
                                         .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                         .op = op,
                                         .in = tl_prim_array(&tool->data[0]),
                                         .out = tl_prim_array(tl_prim_result_at(tool, 0)),
                                         .inclusive = options->inclusive,
                                         .initial = options->initial,
                                         .segments = segments_of(tool),
                                         .way = options->deterministic ? TELAR_SCAN_DETERMINISTIC : TELAR_SCAN_AUTO});
}

/* ---- plain C --------------------------------------------------------------------------------------------------------- */

/* A byte an element: whether a segment begins; of malloc's. */
static telar_status heads_of(tl_prim_tool *tool, uint8_t **heads)
{
    tl_prim_data *in = &tool->data[0], *parts = &tool->data[1];
    if (options_of(tool)->by != NULL) return tl_prim_heads(tool, parts, NULL, heads);
    *heads = calloc((size_t)in->elements + 1, 1);
    if (*heads == NULL) return tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory to verify");
    if (options_of(tool)->segments == NULL) return TELAR_OK;
    TELAR_TRY(tl_array_settle(&parts->array, &tool->diag));
    for (uint64_t k = 0; k < parts->elements; k++) {
        int64_t at = tl_prim_integer(TL_DTYPE_U32, parts->array.data, k);
        if ((uint64_t)at < in->elements) (*heads)[at] = 1;
    }
    return TELAR_OK;
}

static telar_status check(tl_prim_tool *tool, const telar_operator *op, const uint8_t *heads, const void *result)
{
    const tl_prim_data *in = &tool->data[0];
    tl_folding folding = tl_folding_begin(in->dtype, op->op);
    for (uint64_t k = 0; k < in->elements; k++) {
        if (heads[k] != 0) folding = tl_folding_begin(in->dtype, op->op);
        if (options_of(tool)->inclusive) tl_folding_add(&folding, in->array.data, k);
        TELAR_TRY(tl_folding_compare(tool, &folding, "result", result, k));
        if (!options_of(tool)->inclusive) tl_folding_add(&folding, in->array.data, k);
    }
    return TELAR_OK;
}

static telar_status verify(tl_prim_tool *tool)
{
    telar_operator op = {0};
    void *result = NULL;
    uint8_t *heads = NULL;
    TELAR_TRY(tl_prim_operator(tool, options_of(tool)->op, &op, &tool->diag));
    if (op.op == TELAR_OP_OWN || options_of(tool)->initial != NULL) return tl_prim_verify_again(tool);
    TELAR_TRY(tl_array_settle(&tool->data[0].array, &tool->diag));
    telar_status status = heads_of(tool, &heads);
    if (status == TELAR_OK) status = tl_prim_read(tool, tl_prim_result_at(tool, 0), &result);
    if (status == TELAR_OK) status = check(tool, &op, heads, result);
    free(heads);
    free(result);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "scan",
    .inputs_min = 1,
    .inputs_max = 2,
    .declare = declare,
    .record = record,
    .verify = verify,
};

#define FIELD(name) .offset = offsetof(scan_options, name)

static const tl_option own_options[] = {
    {.name = "exclusive",
     .take = tl_take_flag,
     FIELD(exclusive),
     .help = {"what stands before each element (the default)", "lo que precede a cada elemento (por defecto)"}},
    {.name = "inclusive",
     .take = tl_take_flag,
     FIELD(inclusive),
     .help = {"each element with what stands before it", "cada elemento con lo que lo precede"}},
    {.name = "op",
     .argument = "OP",
     .take = tl_take_text,
     FIELD(op),
     .help = {"sum (the default), prod, min, max, and, or, xor", "sum (por defecto), prod, min, max, and, or, xor"}},
    {.name = "initial",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(initial),
     .help = {"what all begin with, in WGSL (default: the identity)",
              "con lo que empiezan todos, en WGSL (por defecto, la identidad)"}},
    {.name = "by",
     .argument = "KEYS",
     .take = tl_take_text,
     FIELD(by),
     .help = {"each run of equal keys by itself, one key for each element",
              "cada serie de claves iguales por separado, una clave por elemento"}},
    {.name = "segments",
     .argument = "OFFSETS",
     .take = tl_take_text,
     FIELD(segments),
     .help = {"each segment by itself: where they begin, as u32",
              "cada segmento por separado: dónde empiezan, como u32"}},
    {.name = "deterministic",
     .take = tl_take_flag,
     FIELD(deterministic),
     .help = {"the same bits on every run (f32 always is)", "los mismos bits en cada ejecución (f32 siempre)"}},
};
static const tl_option_group own_group = {
    .title = {"The scan", "La suma de prefijos"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {
    {&own_group, 0}, {&tl_prim_operator_group, offsetof(scan_options, prim)}, TL_PRIM_GROUPS(scan_options)};

const tl_command tl_command_scan = {
    .name = "scan",
    .arguments = "DATA",
    .summary = {"all prefixes of an array", "todos los prefijos de un arreglo"},
    .about = {"DATA is a .npy file, or generated data as in telar run (u32:1M:random). An operator of your own is "
              "associative; it need not commute.",
              "DATA es un archivo .npy, o datos generados como en telar run (u32:1M:random). Un operador propio es "
              "asociativo; no hace falta que sea conmutativo."},
    .example = {"telar scan counts.npy --out offsets.npy\n"
                "telar scan sales.npy --by days.npy --inclusive --out so_far.npy\n"
                "telar scan u32:1M:random --inclusive --op max --verify --time",
                "telar scan conteos.npy --out posiciones.npy\n"
                "telar scan ventas.npy --by dias.npy --inclusive --out acumuladas.npy\n"
                "telar scan u32:1M:random --inclusive --op max --verify --time"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(scan_options),
    .prim = &spec,
    .run = tl_prim_run,
};
