/* SPDX-License-Identifier: MIT
 *
 * telar partition: all elements, in two or three parts. */
#include "prim_verify.h"

#include <stdlib.h>

typedef struct partition_options {
    tl_prim_options prim;
    const char *first;
    const char *second;
    const char *flags;
} partition_options;

static const partition_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

static telar_status check_options(tl_prim_tool *tool)
{
    const partition_options *options = options_of(tool);
    if ((options->first != NULL) == (options->flags != NULL)) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "give --first or --flags, as in --first 'x < 0'");
    }
    if (options->second != NULL && options->first == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--second needs --first");
    }
    return TELAR_OK;
}

static telar_status declare(tl_prim_tool *tool)
{
    const partition_options *options = options_of(tool);
    telar_status status = TELAR_OK;
    TELAR_TRY(check_options(tool));
    if (options->flags != NULL) TELAR_TRY(tl_prim_add_words(tool, options->flags, "flags"));
    TELAR_TRY(tl_prim_known_types(tool));
    TELAR_TRY(tl_prim_same_length(tool));
    TELAR_TRY(tl_prim_check_x(tool, "first", options->first, "bool"));
    TELAR_TRY(tl_prim_check_x(tool, "second", options->second, "bool"));
    tl_prim_result(tool, "counts", TL_DTYPE_U32, options->second == NULL ? 1 : 2, NULL, &status);
    tl_prim_result(tool, "result", tool->data[0].dtype, tool->data[0].elements, tool->options->out, &status);
    for (uint32_t k = 0; k < tool->data_count; k++) tool->bytes += tool->data[k].capacity_bytes;
    return status;
}

static void record(tl_prim_tool *tool)
{
    const partition_options *options = options_of(tool);
    telar_partition_desc desc = {.length = {.count = tool->data[0].elements},
                                 .type = {tl_prim_type(tool->data[0].dtype), NULL},
                                 .in = tl_prim_array(&tool->data[0]),
                                 .first = options->first,
                                 .second = options->second,
                                 .wgsl = tool->combine,
                                 .out = tl_prim_array(tl_prim_result_at(tool, 1)),
                                 .counts = tl_prim_array(tl_prim_result_at(tool, 0))};
    if (options->flags != NULL) desc.flags = tl_prim_array(&tool->data[1]);
    telar_record_partition(&tool->record, &tool->prim, &desc);
}

/* ---- plain C --------------------------------------------------------------------------------------------------------- */

enum {
    PARTS_MAX = 3
};

/* part[k]: 0, 1 or 2, the part that element k belongs to. */
static telar_status check(tl_prim_tool *tool, const uint8_t *part, const uint32_t *counts, const void *result)
{
    const tl_prim_data *in = &tool->data[0];
    const tl_prim_data *sizes = tl_prim_result_at(tool, 0), *out = tl_prim_result_at(tool, 1);
    uint64_t wanted[PARTS_MAX] = {0}, at = 0;
    for (uint64_t k = 0; k < in->elements; k++) wanted[part[k]]++;
    for (uint64_t k = 0; k < sizes->elements; k++) TELAR_TRY(tl_prim_same_word(tool, sizes, counts, k, wanted[k]));
    for (uint32_t p = 0; p < PARTS_MAX; p++) {
        for (uint64_t k = 0; k < in->elements; k++) {
            const unsigned char *from = in->array.data + tl_dtype_bytes(in->dtype) * k;
            if (part[k] == p) TELAR_TRY(tl_prim_same_bits(tool, out, result, at++, from));
        }
    }
    return TELAR_OK;
}

/* Turns what the two conditions hold for into parts; `first` is written over. */
static void parts_of(uint8_t *first, const uint8_t *second, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++) {
        if (first[k] != 0) first[k] = 0;
        else first[k] = second == NULL || second[k] != 0 ? 1 : 2;
    }
}

static telar_status verify(tl_prim_tool *tool)
{
    const partition_options *options = options_of(tool);
    tl_prim_data *in = &tool->data[0];
    uint8_t *first = NULL, *second = NULL;
    void *counts = NULL, *result = NULL;
    telar_status status = options->flags != NULL ? tl_prim_flagged(tool, &tool->data[1], &first)
                                                 : tl_prim_judge(tool, in, options->first, &first);
    if (status == TELAR_OK && options->second != NULL) status = tl_prim_judge(tool, in, options->second, &second);
    bool known = first != NULL && (options->second == NULL || second != NULL);
    if (status == TELAR_OK && !known) {
        status = tl_prim_verify_again(tool);
    } else if (status == TELAR_OK) {
        parts_of(first, second, in->elements);
        status = tl_array_settle(&in->array, &tool->diag);
        if (status == TELAR_OK) status = tl_prim_read(tool, tl_prim_result_at(tool, 0), &counts);
        if (status == TELAR_OK) status = tl_prim_read(tool, tl_prim_result_at(tool, 1), &result);
        if (status == TELAR_OK) status = check(tool, first, counts, result);
    }
    free(first);
    free(second);
    free(counts);
    free(result);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "partition",
    .inputs_min = 1,
    .inputs_max = 2,
    .declare = declare,
    .record = record,
    .verify = verify,
};

#define FIELD(name) .offset = offsetof(partition_options, name)

static const tl_option own_options[] = {
    {.name = "first",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(first),
     .help = {"elements for which this WGSL holds come first; of x (the element) and i (its index)",
              "primero van los elementos para los que se cumple este WGSL, con x (el elemento) e i (su índice)"}},
    {.name = "second",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(second),
     .help = {"of the others, those for which this holds come next: three parts",
              "de los demás, luego van los que cumplen esto: tres partes"}},
    {.name = "flags",
     .argument = "FLAGS",
     .take = tl_take_text,
     FIELD(flags),
     .help = {"in place of --first: elements whose flag, a u32 each, is not 0",
              "en lugar de --first: los elementos cuya marca, un u32 cada una, no es 0"}},
};
static const tl_option_group own_group = {
    .title = {"The parts", "Las partes"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {
    {&own_group, 0}, {&tl_prim_functions_group, offsetof(partition_options, prim)}, TL_PRIM_GROUPS(partition_options)};

const tl_command tl_command_partition = {
    .name = "partition",
    .arguments = "DATA",
    .summary = {"all elements in two or three parts", "todos los elementos en dos o tres partes"},
    .about =
        {"DATA is a .npy file, or generated data as in telar run (f32:1M:random). Each part keeps its order; counts "
         "says how many belong to the first, and to the second of three.",
         "DATA es un archivo .npy, o datos generados como en telar run (f32:1M:random). Cada parte conserva su "
         "orden; counts dice cuántos hay en la primera, y en la segunda de tres."},
    .example = {"telar partition data.npy --first 'x < 0' --out parted.npy\n"
                "telar partition f32:1M:random --first 'x < 0.25' --second 'x < 0.5' --verify",
                "telar partition datos.npy --first 'x < 0' --out partidos.npy\n"
                "telar partition f32:1M:random --first 'x < 0.25' --second 'x < 0.5' --verify"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(partition_options),
    .prim = &spec,
    .run = tl_prim_run,
};
