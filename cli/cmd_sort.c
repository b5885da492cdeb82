/* SPDX-License-Identifier: MIT
 *
 * telar sort: elements in order, by themselves or by keys. */
#include "prim_verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct sort_options {
    tl_prim_options prim;
    const char *by;
    const char *bits;
    bool descending;
    bool argsort;
} sort_options;

static const struct key_row {
    tl_dtype dtype;
    telar_key key;
} key_rows[] = {
    {TL_DTYPE_U32, TELAR_KEY_U32}, {TL_DTYPE_I32, TELAR_KEY_I32}, {TL_DTYPE_F32, TELAR_KEY_F32},
    {TL_DTYPE_U64, TELAR_KEY_U64}, {TL_DTYPE_I64, TELAR_KEY_I64}, {TL_DTYPE_F64, TELAR_KEY_F64},
    {TL_DTYPE_U16, TELAR_KEY_U16}, {TL_DTYPE_I16, TELAR_KEY_I16}, {TL_DTYPE_F16, TELAR_KEY_F16},
};

static const sort_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

/* The arrays by what they are for. Inputs: DATA, and --by's after it. */
static const tl_prim_data *keys_of(const tl_prim_tool *tool)
{
    return &tool->data[options_of(tool)->by != NULL ? 1 : 0];
}

static const struct key_row *row_of(const tl_prim_tool *tool)
{
    for (size_t k = 0; k < TL_COUNT(key_rows); k++) {
        if (key_rows[k].dtype == keys_of(tool)->dtype) return &key_rows[k];
    }
    return NULL;
}

static bool has_values(const tl_prim_tool *tool)
{
    return options_of(tool)->by != NULL || options_of(tool)->argsort;
}

static bool read_bits(const char *text, uint32_t *begin, uint32_t *end)
{
    char *rest;
    unsigned long first = strtoul(text, &rest, 10);
    if (rest == text || *rest != ',') return false;
    text = rest + 1;
    unsigned long last = strtoul(text, &rest, 10);
    *begin = (uint32_t)first;
    *end = (uint32_t)last;
    return rest != text && *rest == 0 && first < last && last <= 64;
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static telar_status check_types(tl_prim_tool *tool)
{
    uint32_t value_bytes = tl_dtype_bytes(tool->data[0].dtype);
    if (row_of(tool) == NULL) {
        return tl_fail(&tool->diag, TELAR_UNSUPPORTED,
                       "%s: keys of type %s; sort takes u16 i16 f16 u32 i32 f32 u64 i64 f64", keys_of(tool)->source,
                       tl_dtype_text(keys_of(tool)->dtype));
    }
    if (options_of(tool)->by == NULL || value_bytes == 4 || value_bytes == 8) return TELAR_OK;
    return tl_fail_limit(&tool->diag, TELAR_UNSUPPORTED, value_bytes, 4,
                         "%s: elements of %u bytes are not moved along with keys; 4 and 8 are", tool->data[0].source,
                         value_bytes);
}

static telar_status declare(tl_prim_tool *tool)
{
    const sort_options *options = options_of(tool);
    uint32_t begin, end;
    telar_status status = TELAR_OK;
    if (options->by != NULL && options->argsort) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--by and --argsort exclude each other");
    }
    if (options->bits != NULL && !read_bits(options->bits, &begin, &end)) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--bits: '%.40s' is not BEGIN,END with BEGIN < END",
                       options->bits);
    }
    if (options->by != NULL) TELAR_TRY(tl_prim_add_input(tool, options->by));
    TELAR_TRY(tl_prim_same_length(tool));
    TELAR_TRY(check_types(tool));
    uint64_t n = tool->data[0].elements;
    const char *keys_out = has_values(tool) ? NULL : tool->options->out;
    tl_prim_result(tool, has_values(tool) ? "keys" : "result", keys_of(tool)->dtype, n, keys_out, &status);
    if (has_values(tool)) {
        tl_dtype dtype = options->argsort ? TL_DTYPE_U32 : tool->data[0].dtype;
        tl_prim_result(tool, "result", dtype, n, tool->options->out, &status);
    }
    for (uint32_t k = 0; k < tool->data_count; k++) tool->bytes += tool->data[k].capacity_bytes;
    return status;
}

static void record(tl_prim_tool *tool)
{
    const sort_options *options = options_of(tool);
    telar_sort_desc desc = {.length = {.count = tool->data[0].elements},
                            .key = row_of(tool)->key,
                            .descending = options->descending,
                            .in = tl_prim_array(keys_of(tool)),
                            .out = tl_prim_array(&tool->data[tool->inputs_count])};
    if (options->bits != NULL) read_bits(options->bits, &desc.begin_bit, &desc.end_bit);
    if (options->by != NULL) {
        desc.values_in = tl_prim_array(&tool->data[0]);
        desc.value_bytes = tl_dtype_bytes(tool->data[0].dtype);
    }
    if (has_values(tool)) desc.values_out = tl_prim_array(&tool->data[tool->inputs_count + 1]);
    telar_record_sort(&tool->record, &tool->prim, &desc);
}

/* ---- plain C --------------------------------------------------------------------------------------------------------- */

typedef struct ranked {
    uint64_t key; /* unsigned, in the order wanted */
    uint64_t index;
} ranked;

static int by_key(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint64_t bits_at(const void *data, uint32_t bytes, uint64_t k)
{
    uint64_t word = 0;
    memcpy(&word, (const unsigned char *)data + bytes * k, bytes);
    return word;
}

/* The key as an unsigned number: floats by sign and magnitude, -0 before +0, NaNs at the ends. */
static uint64_t ordered(const sort_options *options, tl_dtype dtype, uint64_t bits)
{
    uint32_t width = 8 * tl_dtype_bytes(dtype), begin = 0, end = width;
    uint64_t sign = UINT64_C(1) << (width - 1), all = sign | (sign - 1);
    char kind = tl_dtype_kind(dtype);
    if (kind == 'f') bits = (bits & sign) != 0 ? ~bits : bits | sign;
    if (kind == 'i') bits ^= sign;
    if (options->descending) bits = ~bits;
    bits &= all;
    if (options->bits != NULL) read_bits(options->bits, &begin, &end);
    if (end > width) end = width;
    bits >>= begin;
    return end - begin >= 64 ? bits : bits & ((UINT64_C(1) << (end - begin)) - 1);
}

static telar_status check(tl_prim_tool *tool, ranked *order, const void *keys, const void *result)
{
    const tl_prim_data *source = keys_of(tool), *out = &tool->data[tool->data_count - 1];
    uint32_t key_bytes = tl_dtype_bytes(source->dtype), bytes = tl_dtype_bytes(out->dtype);
    uint64_t n = source->elements;
    for (uint64_t k = 0; k < n; k++) {
        order[k] = (ranked){ordered(options_of(tool), source->dtype, bits_at(source->array.data, key_bytes, k)), k};
    }
    qsort(order, (size_t)n, sizeof *order, by_key);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t at = order[k].index, got = bits_at(result, bytes, k);
        uint64_t wanted = options_of(tool)->argsort ? at : bits_at(tool->data[0].array.data, bytes, at);
        bool keys_right = bits_at(keys, key_bytes, k) == bits_at(source->array.data, key_bytes, at);
        if (got != wanted || !keys_right) {
            return tl_fail_limit(&tool->diag, TELAR_MISMATCH, k, 0,
                                 "result: element %llu has the bits 0x%llx, plain C has 0x%llx", (unsigned long long)k,
                                 (unsigned long long)got, (unsigned long long)wanted);
        }
    }
    return TELAR_OK;
}

static telar_status verify(tl_prim_tool *tool)
{
    void *keys = NULL, *result = NULL;
    for (uint32_t k = 0; k < tool->inputs_count; k++) TELAR_TRY(tl_array_settle(&tool->data[k].array, &tool->diag));
    ranked *order = malloc((size_t)tool->data[0].elements * sizeof *order + 1);
    if (order == NULL)
        return tl_fail(&tool->diag, TELAR_OUT_OF_MEMORY, "out of memory to sort %s", tool->data[0].source);
    telar_status status = tl_prim_read(tool, &tool->data[tool->inputs_count], &keys);
    if (status == TELAR_OK) status = tl_prim_read(tool, &tool->data[tool->data_count - 1], &result);
    if (status == TELAR_OK) status = check(tool, order, keys, result);
    free(order);
    free(keys);
    free(result);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static const tl_prim_spec spec = {
    .name = "sort",
    .inputs_min = 1,
    .inputs_max = 2,
    .declare = declare,
    .record = record,
    .verify = verify,
};

#define FIELD(name) .offset = offsetof(sort_options, name)

static const tl_option own_options[] = {
    {.name = "descending",
     .take = tl_take_flag,
     FIELD(descending),
     .help = {"the greatest first; equal ones stay in their order",
              "el mayor primero; los iguales conservan su orden"}},
    {.name = "by",
     .argument = "KEYS",
     .take = tl_take_text,
     FIELD(by),
     .help = {"orders DATA by these keys, one for each element", "ordena DATA por estas claves, una por elemento"}},
    {.name = "argsort",
     .take = tl_take_flag,
     FIELD(argsort),
     .help = {"the indices that would put DATA in order, as u32", "los índices que pondrían DATA en orden, como u32"}},
    {.name = "bits",
     .argument = "BEGIN,END",
     .take = tl_take_text,
     FIELD(bits),
     .help = {"only these bits of the keys count, END excluded", "solo cuentan estos bits de las claves, sin END"}},
};
static const tl_option_group own_group = {
    .title = {"The order", "El orden"}, .options = own_options, .count = TL_COUNT(own_options)};

static const tl_group_at groups[] = {{&own_group, 0}, TL_PRIM_GROUPS(sort_options)};

const tl_command tl_command_sort = {
    .name = "sort",
    .arguments = "DATA",
    .summary = {"puts elements in order, by themselves or by keys",
                "pone los elementos en orden, por sí mismos o por claves"},
    .about =
        {"DATA is a .npy file, or generated data as in telar run (u32:1M:random), of integers or floats of 16, 32 or 64 "
         "bits. The sort is stable. Of floats, -0 comes before +0 and NaNs stand at the ends, by their sign.",
         "DATA es un archivo .npy, o datos generados como en telar run (u32:1M:random), de enteros o flotantes de 16, "
         "32 o 64 bits. El orden es estable. En flotantes, -0 va antes que +0 y los NaN quedan en los extremos, según "
         "su signo."},
    .example = {"telar sort data.npy --descending --out sorted.npy\n"
                "telar sort names.npy --by scores.npy --out ranking.npy\n"
                "telar sort f32:1M:random --argsort --verify --time",
                "telar sort datos.npy --descending --out ordenados.npy\n"
                "telar sort nombres.npy --by notas.npy --out clasificacion.npy\n"
                "telar sort f32:1M:random --argsort --verify --time"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(sort_options),
    .prim = &spec,
    .run = tl_prim_run,
};
