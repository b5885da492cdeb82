/* SPDX-License-Identifier: MIT
 *
 * telar gather and scatter: elements by their indices. */
#include "prim_verify.h"

#include <stdlib.h>

typedef struct gather_options {
    tl_prim_options prim;
    const char *index;
    uint64_t count;
} gather_options;

static const gather_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

/* DATA and the indices; elements of 4 bytes move as they are. */
static telar_status open_index(tl_prim_tool *tool)
{
    if (options_of(tool)->index == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "give --index, an array of u32");
    }
    TELAR_TRY(tl_prim_known_types(tool));
    return tl_prim_add_words(tool, options_of(tool)->index, "indices");
}

static telar_type type_of(const tl_prim_tool *tool)
{
    return (telar_type){tl_prim_type(tool->data[0].dtype), NULL};
}

/* ---- gather ---------------------------------------------------------------------------------------------------------- */

static telar_status declare_gather(tl_prim_tool *tool)
{
    telar_status status = TELAR_OK;
    TELAR_TRY(open_index(tool));
    tl_prim_result(tool, "result", tool->data[0].dtype, tool->data[1].elements, tool->options->out, &status);
    tool->elements = tool->data[1].elements;
    tool->bytes = tool->data[1].capacity_bytes + 2 * tool->data[2].capacity_bytes;
    return status;
}

static void record_gather(tl_prim_tool *tool)
{
    telar_record_gather(&tool->record, &tool->prim,
                        &(telar_gather_desc){.length = {.count = tool->data[1].elements},
                                             .type = type_of(tool),
                                             .in = tl_prim_array(&tool->data[0]),
                                             .in_count = tool->data[0].elements,
                                             .index = tl_prim_array(&tool->data[1]),
                                             .out = tl_prim_array(&tool->data[2])});
}

/* The same bits at every place of the result as at the source that `wanted` names; UINT64_MAX: zero. */
static telar_status compare(tl_prim_tool *tool, const uint64_t *wanted)
{
    const tl_prim_data *out = &tool->data[2];
    void *result = NULL;
    uint32_t bytes = tl_dtype_bytes(out->dtype);
    telar_status status = tl_prim_read(tool, out, &result);
    for (uint64_t k = 0; status == TELAR_OK && k < out->elements; k++) {
        const unsigned char *from = wanted[k] == UINT64_MAX ? NULL : tool->data[0].array.data + bytes * wanted[k];
        status = tl_prim_same_bits(tool, out, result, k, from);
    }
    free(result);
    return status;
}

/* For each place of the result, the element of DATA that belongs there. */
static telar_status verify_by(tl_prim_tool *tool, bool scatters)
{
    for (uint32_t k = 0; k < 2; k++) TELAR_TRY(tl_array_settle(&tool->data[k].array, &tool->diag));
    uint64_t places = tool->data[2].elements;
    uint64_t *wanted = malloc((size_t)places * sizeof *wanted + 1);
    const uint32_t *index = (const uint32_t *)(const void *)tool->data[1].array.data;
    if (wanted == NULL) return tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory to verify");
    bool twice = false;
    for (uint64_t k = 0; k < places; k++) wanted[k] = UINT64_MAX;
    for (uint64_t k = 0; k < tool->data[1].elements; k++) {
        if (!scatters && index[k] < tool->data[0].elements) wanted[k] = index[k];
        if (scatters && index[k] < places) twice = twice || wanted[index[k]] != UINT64_MAX;
        if (scatters && index[k] < places) wanted[index[k]] = k;
    }
    /* Which of several with one index stays is not said: nothing can be compared then. */
    telar_status status =
        twice ? tl_fail(&tool->diag, TELAR_UNSUPPORTED, "--verify: an index stands twice, and either element may stay")
              : compare(tool, wanted);
    free(wanted);
    return status;
}

static telar_status verify_gather(tl_prim_tool *tool)
{
    return verify_by(tool, false);
}

/* ---- scatter --------------------------------------------------------------------------------------------------------- */

static telar_status declare_scatter(tl_prim_tool *tool)
{
    uint64_t count = options_of(tool)->count;
    telar_status status = TELAR_OK;
    TELAR_TRY(open_index(tool));
    TELAR_TRY(tl_prim_same_length(tool));
    tl_prim_result(tool, "result", tool->data[0].dtype, count == 0 ? tool->data[0].elements : count, tool->options->out,
                   &status);
    tool->bytes = 2 * tool->data[0].capacity_bytes + tool->data[1].capacity_bytes;
    return status;
}

static void record_scatter(tl_prim_tool *tool)
{
    telar_record_scatter(&tool->record, &tool->prim,
                         &(telar_scatter_desc){.length = {.count = tool->data[0].elements},
                                               .type = type_of(tool),
                                               .in = tl_prim_array(&tool->data[0]),
                                               .index = tl_prim_array(&tool->data[1]),
                                               .out = tl_prim_array(&tool->data[2]),
                                               .out_count = tool->data[2].elements});
}

static telar_status verify_scatter(tl_prim_tool *tool)
{
    return verify_by(tool, true);
}

/* ---- the commands ---------------------------------------------------------------------------------------------------- */

static const tl_prim_spec gather_spec = {.name = "gather",
                                         .inputs_min = 1,
                                         .inputs_max = 2,
                                         .declare = declare_gather,
                                         .record = record_gather,
                                         .verify = verify_gather};
static const tl_prim_spec scatter_spec = {.name = "scatter",
                                          .inputs_min = 1,
                                          .inputs_max = 2,
                                          .declare = declare_scatter,
                                          .record = record_scatter,
                                          .verify = verify_scatter};

#define FIELD(name) .offset = offsetof(gather_options, name)

static const tl_option own_options[] = {
    {.name = "index",
     .argument = "DATA",
     .take = tl_take_text,
     FIELD(index),
     .help = {"the indices, u32", "los índices, u32"}},
    {.name = "count",
     .argument = "N",
     .take = tl_take_u64,
     .max = UINT64_MAX,
     FIELD(count),
     .help = {"scatter: elements of the result (default: as many as DATA has)",
              "scatter: elementos del resultado (por defecto, tantos como DATA)"}},
};
static const tl_option_group own_group = {
    .title = {"The indices", "Los índices"}, .options = own_options, .count = TL_COUNT(own_options)};
static const tl_group_at groups[] = {{&own_group, 0}, TL_PRIM_GROUPS(gather_options)};

const tl_command tl_command_gather = {
    .name = "gather",
    .arguments = "DATA",
    .summary = {"elements read through indices", "elementos leídos por índices"},
    .about = {"Element i of the result is that of DATA at index i; 0 where the index is past its end.",
              "El elemento i del resultado es el de DATA en el índice i; 0 donde el índice pasa del final."},
    .example = {"telar gather data.npy --index order.npy --out ordered.npy",
                "telar gather datos.npy --index orden.npy --out ordenados.npy"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(gather_options),
    .prim = &gather_spec,
    .run = tl_prim_run,
};

const tl_command tl_command_scatter = {
    .name = "scatter",
    .arguments = "DATA",
    .summary = {"elements written through indices", "elementos escritos por índices"},
    .about =
        {"Element i of DATA goes to index i of the result, which is 0 elsewhere; past its end it is dropped. Of several with "
         "one index any may stay.",
         "El elemento i de DATA va al índice i del resultado, que es 0 en los demás; pasado el final se descarta. De varios "
         "con un mismo índice queda cualquiera."},
    .example = {"telar scatter data.npy --index places.npy --count 1M --out spread.npy",
                "telar scatter datos.npy --index lugares.npy --count 1M --out repartidos.npy"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(gather_options),
    .prim = &scatter_spec,
    .run = tl_prim_run,
};
