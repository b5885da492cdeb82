/* SPDX-License-Identifier: MIT
 *
 * telar histogram: how many elements fall into each bin. */
#include "io/quantity.h"
#include "prim_verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct histogram_options {
    tl_prim_options prim;
    uint32_t bins;
    uint32_t channels;
    const char *range;
} histogram_options;

static const struct sample_row {
    tl_dtype dtype;
    telar_sample sample;
    double lower, upper; /* of an integer type: all of it */
} sample_rows[] = {
    {TL_DTYPE_U32, TELAR_SAMPLE_U32, 0, 4294967296.0},
    {TL_DTYPE_I32, TELAR_SAMPLE_I32, -2147483648.0, 2147483648.0},
    {TL_DTYPE_F32, TELAR_SAMPLE_F32, 0, 0},
    {TL_DTYPE_F16, TELAR_SAMPLE_F16, 0, 0},
    {TL_DTYPE_U16, TELAR_SAMPLE_U16, 0, 65536},
    {TL_DTYPE_I16, TELAR_SAMPLE_I16, -32768, 32768},
    {TL_DTYPE_U8, TELAR_SAMPLE_U8, 0, 256},
    {TL_DTYPE_I8, TELAR_SAMPLE_I8, -128, 128},
};

static const histogram_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

static const struct sample_row *row_of(const tl_prim_tool *tool)
{
    for (size_t k = 0; k < TL_COUNT(sample_rows); k++) {
        if (sample_rows[k].dtype == tool->data[0].dtype) return &sample_rows[k];
    }
    return NULL;
}

static uint32_t bins_of(const tl_prim_tool *tool)
{
    return options_of(tool)->bins == 0 ? 256 : options_of(tool)->bins;
}

static uint32_t channels_of(const tl_prim_tool *tool)
{
    return options_of(tool)->channels == 0 ? 1 : options_of(tool)->channels;
}

/* ---- the range ------------------------------------------------------------------------------------------------------- */

typedef struct range {
    double lower, upper;
} range;

static bool read_range(const char *text, range *found)
{
    char *end;
    found->lower = strtod(text, &end);
    if (end == text || *end != ',') return false;
    text = end + 1;
    found->upper = strtod(text, &end);
    return end != text && *end == 0 && isfinite(found->lower) && isfinite(found->upper) && found->lower < found->upper;
}

/* From the least to the greatest element, that one included; NaN and infinities left out. */
static range range_of_data(const tl_prim_data *data)
{
    range found = {INFINITY, -INFINITY};
    for (uint64_t k = 0; k < data->elements; k++) {
        double value = tl_prim_number(data->dtype, data->array.data, k);
        if (!isfinite(value)) continue;
        if (value < found.lower) found.lower = value;
        if (value > found.upper) found.upper = value;
    }
    if (found.lower > found.upper) return (range){0, 1};
    found.upper = (double)nextafterf((float)found.upper, INFINITY);
    return found;
}

static range range_of(const tl_prim_tool *tool)
{
    range found = {row_of(tool)->lower, row_of(tool)->upper};
    if (options_of(tool)->range != NULL) read_range(options_of(tool)->range, &found);
    else if (tl_dtype_kind(tool->data[0].dtype) == 'f') found = range_of_data(&tool->data[0]);
    return found;
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static telar_status declare(tl_prim_tool *tool)
{
    const histogram_options *options = options_of(tool);
    tl_prim_data *data = &tool->data[0];
    range given;
    telar_status status = TELAR_OK;
    if (row_of(tool) == NULL) {
        return tl_fail(&tool->diag, TELAR_UNSUPPORTED,
                       "%s: elements of type %s; histogram takes u8 i8 u16 i16 f16 u32 i32 f32", data->source,
                       tl_dtype_text(data->dtype));
    }
    if (options->range != NULL && !read_range(options->range, &given)) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--range: '%.60s' is not LOWER,UPPER with LOWER < UPPER",
                       options->range);
    }
    if (data->elements % channels_of(tool) != 0) {
        return tl_fail_limit(&tool->diag, TELAR_INVALID_DATA, data->elements, channels_of(tool),
                             "%s: %llu elements are no whole pixels of %u channels", data->source,
                             (unsigned long long)data->elements, channels_of(tool));
    }
    TELAR_TRY(tl_array_settle(&data->array, &tool->diag));
    tl_prim_result(tool, "counts", TL_DTYPE_U32, (uint64_t)bins_of(tool) * channels_of(tool), tool->options->out,
                   &status);
    tool->bytes = data->capacity_bytes;
    return status;
}

static void record(tl_prim_tool *tool)
{
    range cut = range_of(tool);
    telar_record_histogram(&tool->record, &tool->prim,
                           &(telar_histogram_desc){.length = {.count = tool->data[0].elements / channels_of(tool)},
                                                   .sample = row_of(tool)->sample,
                                                   .channels = channels_of(tool),
                                                   .bins = bins_of(tool),
                                                   .lower = cut.lower,
                                                   .upper = cut.upper,
                                                   .in = tl_prim_array(&tool->data[0]),
                                                   .out = tl_prim_array(&tool->data[1])});
}

/* ---- plain C --------------------------------------------------------------------------------------------------------- */

/* The bin as the header says it; UINT32_MAX: dropped. */
static uint32_t bin_of(const tl_prim_data *data, uint64_t k, range cut, uint32_t bins)
{
    double value = tl_prim_number(data->dtype, data->array.data, k);
    if (tl_dtype_kind(data->dtype) != 'f') {
        if (value < cut.lower || value >= cut.upper) return UINT32_MAX;
        uint64_t above = (uint64_t)(value - cut.lower), width = (uint64_t)(cut.upper - cut.lower);
        return (uint32_t)(above * bins / width);
    }
    float x = (float)value, lower = (float)cut.lower, upper = (float)cut.upper;
    if (!(x >= lower && x < upper)) return UINT32_MAX;
    uint32_t bin = (uint32_t)floorf((x - lower) * ((float)bins / (upper - lower)));
    return bin < bins ? bin : bins - 1;
}

/* Of floats, a sample on a border may fall to either side: that many counts may differ. */
static telar_status compare(tl_prim_tool *tool, const uint32_t *got, const uint32_t *wanted, uint64_t count)
{
    bool exact = tl_dtype_kind(tool->data[0].dtype) != 'f';
    for (uint64_t k = 0; k < count; k++) {
        uint32_t off = got[k] > wanted[k] ? got[k] - wanted[k] : wanted[k] - got[k];
        if (off == 0 || (!exact && off <= 1 + wanted[k] / 1000)) continue;
        return tl_prim_differs(tool, "counts", k, got[k], wanted[k]);
    }
    return TELAR_OK;
}

static telar_status verify(tl_prim_tool *tool)
{
    const tl_prim_data *data = &tool->data[0];
    uint32_t bins = bins_of(tool), channels = channels_of(tool);
    uint32_t *wanted = calloc((size_t)bins * channels, sizeof *wanted);
    void *got = NULL;
    range cut = range_of(tool);
    if (wanted == NULL) return tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory for the bins");
    for (uint64_t k = 0; k < data->elements; k++) {
        uint32_t bin = bin_of(data, k, cut, bins);
        if (bin != UINT32_MAX) wanted[k % channels * bins + bin]++;
    }
    telar_status status = tl_prim_read(tool, &tool->data[1], &got);
    if (status == TELAR_OK) status = compare(tool, got, wanted, (uint64_t)bins * channels);
    free(wanted);
    free(got);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "histogram",
    .inputs_min = 1,
    .inputs_max = 1,
    .declare = declare,
    .record = record,
    .verify = verify,
};

#define FIELD(name) .offset = offsetof(histogram_options, name)

static const tl_option own_options[] = {
    {.name = "bins",
     .argument = "K",
     .take = tl_take_u32,
     .min = 2,
     .max = TELAR_BINS_MAX,
     FIELD(bins),
     .help = {"how many, equally wide (default 256)", "cuántos, de igual ancho (por defecto, 256)"}},
    {.name = "range",
     .argument = "LOWER,UPPER",
     .take = tl_take_text,
     FIELD(range),
     .help =
         {"from LOWER to below UPPER (default: all of an integer type, the data's own of floats); others are dropped",
          "desde LOWER hasta antes de UPPER (por defecto, todo el tipo entero, o el de los datos si son flotantes); "
          "los demás se descartan"}},
    {.name = "channels",
     .argument = "C",
     .take = tl_take_u32,
     .min = 1,
     .max = 4,
     FIELD(channels),
     .help = {"elements are pixels of C interleaved channels, each with bins of its own",
              "los elementos son píxeles de C canales entrelazados, cada uno con sus bins"}},
};
static const tl_option_group own_group = {
    .title = {"The bins", "Los bins"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {{&own_group, 0}, TL_PRIM_GROUPS(histogram_options)};

const tl_command tl_command_histogram = {
    .name = "histogram",
    .arguments = "DATA",
    .summary = {"how many elements fall into each bin", "cuántos elementos caen en cada bin"},
    .about = {"DATA is a .npy file, or generated data as in telar run (u8:1M:random). The result is one u32 a bin.",
              "DATA es un archivo .npy, o datos generados como en telar run (u8:1M:random). El resultado es un u32 por "
              "bin."},
    .example = {"telar histogram samples.npy --bins 64 --range 0,1 --out counts.npy\n"
                "telar histogram u8:16M:random --verify --time",
                "telar histogram muestras.npy --bins 64 --range 0,1 --out conteos.npy\n"
                "telar histogram u8:16M:random --verify --time"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(histogram_options),
    .prim = &spec,
    .run = tl_prim_run,
};
