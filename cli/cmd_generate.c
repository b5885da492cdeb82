/* SPDX-License-Identifier: MIT
 *
 * telar fill, iota, generate: arrays out of nothing. */
#include "prim_verify.h"

#include <stdlib.h>
#include <string.h>

/* 0 elements may be asked for. */
typedef struct given_count {
    uint64_t elements;
    bool given;
} given_count;

typedef struct generate_options {
    tl_prim_options prim;
    given_count count;
    const char *type;
    const char *value;
    const char *first;
    const char *step;
    uint64_t seed;
    uint64_t from;
} generate_options;

static const generate_options *options_of(const tl_prim_tool *tool)
{
    return tool->state;
}

static telar_status take_given(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    given_count *count = field;
    count->given = true;
    return tl_take_u64(&count->elements, option, text, diag);
}

static telar_status check_expressions(tl_prim_tool *tool)
{
    const generate_options *options = options_of(tool);
    const char *type = tl_prim_type(tool->data[0].dtype);
    TELAR_TRY(tl_prim_check(tool, "value", options->value, NULL, 0, type));
    TELAR_TRY(tl_prim_check(tool, "first", options->first, NULL, 0, type));
    return tl_prim_check(tool, "step", options->step, NULL, 0, type);
}

static telar_status declare(tl_prim_tool *tool)
{
    const generate_options *options = options_of(tool);
    if (!options->count.given) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "%s: give --count, as in --count 1M", tool->spec->name);
    }
    tl_dtype dtype = options->type == NULL ? TL_DTYPE_U32 : tl_dtype_find(tl_str_of(options->type));
    telar_status status = TELAR_OK;
    if (tl_prim_type(dtype) == NULL) {
        return tl_fail(&tool->diag, TELAR_INVALID_ARGUMENT, "--type: '%.40s' is none of u32, i32, f32, f16",
                       options->type);
    }
    tl_prim_result(tool, "result", dtype, options->count.elements, tool->options->out, &status);
    tool->elements = options->count.elements;
    tool->bytes = tool->data[0].capacity_bytes;
    return status == TELAR_OK ? check_expressions(tool) : status;
}

static telar_type type_of(const tl_prim_tool *tool)
{
    return (telar_type){tl_prim_type(tool->data[0].dtype), NULL};
}

/* ---- fill ------------------------------------------------------------------------------------------------------------ */

static void record_fill(tl_prim_tool *tool)
{
    telar_record_fill(&tool->record, &tool->prim,
                      &(telar_fill_desc){.length = {.count = options_of(tool)->count.elements},
                                         .type = type_of(tool),
                                         .value = options_of(tool)->value,
                                         .out = tl_prim_array(&tool->data[0])});
}

/* An expression of i, against every element. */
static telar_status verify_expression(tl_prim_tool *tool, const char *text)
{
    const tl_prim_data *out = &tool->data[0];
    void *result = NULL;
    double wanted = 0;
    tl_expression *expression = tl_expression_open(text, NULL, 0, tl_prim_type(out->dtype));
    if (expression == NULL) return tl_prim_verify_again(tool);
    telar_status status = tl_prim_read(tool, out, &result);
    for (uint64_t k = 0; status == TELAR_OK && k < out->elements; k++) {
        double got = tl_prim_number(out->dtype, result, k);
        if (!tl_expression_value(expression, NULL, (uint32_t)k, &wanted)) break;
        if (!tl_prim_is_near(out->dtype, got, wanted, 1e-6)) status = tl_prim_differs(tool, out->name, k, got, wanted);
    }
    tl_expression_close(expression);
    free(result);
    return status;
}

static telar_status verify_fill(tl_prim_tool *tool)
{
    const char *value = options_of(tool)->value;
    return verify_expression(tool, value == NULL ? "0" : value);
}

/* ---- iota ------------------------------------------------------------------------------------------------------------ */

static void record_iota(tl_prim_tool *tool)
{
    telar_record_iota(&tool->record, &tool->prim,
                      &(telar_iota_desc){.length = {.count = options_of(tool)->count.elements},
                                         .type = type_of(tool),
                                         .first = options_of(tool)->first,
                                         .step = options_of(tool)->step,
                                         .out = tl_prim_array(&tool->data[0])});
}

static telar_status verify_iota(tl_prim_tool *tool)
{
    const char *first = options_of(tool)->first, *step = options_of(tool)->step, *type = type_of(tool).name;
    char text[1024];
    telar_out out = {text, sizeof text, 0};
    tl_out_format(&out, "%s(%s) + %s(i) * %s(%s)", type, first == NULL ? "0" : first, type, type,
                  step == NULL ? "1" : step);
    return out.len < sizeof text ? verify_expression(tool, text) : tl_prim_verify_again(tool);
}

/* ---- generate -------------------------------------------------------------------------------------------------------- */

static void record_generate(tl_prim_tool *tool)
{
    telar_record_generate(&tool->record, &tool->prim,
                          &(telar_generate_desc){.length = {.count = options_of(tool)->count.elements},
                                                 .type = type_of(tool),
                                                 .seed = options_of(tool)->seed,
                                                 .counter = {options_of(tool)->from, 0},
                                                 .out = tl_prim_array(&tool->data[0])});
}

static void philox(uint64_t counter, uint64_t key, uint32_t words[4])
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t x[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), 0, 0};
    for (int round = 0; round < 10; round++) {
        uint64_t a = UINT64_C(0xd2511f53) * x[0], b = UINT64_C(0xcd9e8d57) * x[2];
        const uint32_t next[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ k1,
                                  (uint32_t)a};
        memcpy(x, next, sizeof x);
        k0 += 0x9e3779b9;
        k1 += 0xbb67ae85;
    }
    memcpy(words, x, sizeof x);
}

static telar_status verify_generate(tl_prim_tool *tool)
{
    const tl_prim_data *out = &tool->data[0];
    void *result = NULL;
    uint32_t words[4] = {0};
    telar_status status = tl_prim_read(tool, out, &result);
    for (uint64_t k = 0; status == TELAR_OK && k < out->elements; k++) {
        if (k % 4 == 0) philox(options_of(tool)->from + k / 4, options_of(tool)->seed, words);
        double wanted = out->dtype == TL_DTYPE_F32 ? (double)((float)(words[k % 4] >> 8) * 0x1p-24f)
                                                   : tl_prim_number(out->dtype, words, k % 4);
        double got = tl_prim_number(out->dtype, result, k);
        if (got != wanted) status = tl_prim_differs(tool, out->name, k, got, wanted);
    }
    free(result);
    return status;
}

/* ---- the commands ---------------------------------------------------------------------------------------------------- */

static const tl_prim_spec fill_spec = {
    .name = "fill", .declare = declare, .record = record_fill, .verify = verify_fill};
static const tl_prim_spec iota_spec = {
    .name = "iota", .declare = declare, .record = record_iota, .verify = verify_iota};
static const tl_prim_spec generate_spec = {
    .name = "generate", .declare = declare, .record = record_generate, .verify = verify_generate};

#define FIELD(name) .offset = offsetof(generate_options, name)

static const tl_option element_options[] = {
    {.name = "count",
     .argument = "N",
     .take = take_given,
     .max = UINT64_MAX,
     FIELD(count),
     .help = {"elements", "elementos"}},
    {.name = "type",
     .argument = "TYPE",
     .take = tl_take_text,
     FIELD(type),
     .help = {"u32 (the default), i32, f32 or f16", "u32 (por defecto), i32, f32 o f16"}},
};
static const tl_option fill_options[] = {
    {.name = "value",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(value),
     .help = {"WGSL of every element (default: 0)", "WGSL de cada elemento (por defecto, 0)"}},
};
static const tl_option iota_options[] = {
    {.name = "first",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(first),
     .help = {"the first element (default: 0)", "el primer elemento (por defecto, 0)"}},
    {.name = "step",
     .argument = "EXPR",
     .take = tl_take_text,
     FIELD(step),
     .help = {"from one to the next (default: 1)", "de uno al siguiente (por defecto, 1)"}},
};
static const tl_option generator_options[] = {
    {.name = "seed",
     .argument = "SEED",
     .take = tl_take_u64,
     .max = UINT64_MAX,
     FIELD(seed),
     .help = {"another seed, other numbers (default: 0)", "otra semilla, otros números (por defecto, 0)"}},
    {.name = "from",
     .argument = "COUNTER",
     .take = tl_take_u64,
     .max = UINT64_MAX,
     FIELD(from),
     .help = {"the counter of the first four numbers (default: 0)",
              "el contador de los cuatro primeros números (por defecto, 0)"}},
};

static const tl_option_group element_group = {
    .title = {"The elements", "Los elementos"}, .options = element_options, .count = TL_COUNT(element_options)};
static const tl_option_group fill_group = {
    .title = {"Their value", "Su valor"}, .options = fill_options, .count = TL_COUNT(fill_options)};
static const tl_option_group iota_group = {
    .title = {"Their values", "Sus valores"}, .options = iota_options, .count = TL_COUNT(iota_options)};
static const tl_option_group generator_group = {
    .title = {"Their values", "Sus valores"}, .options = generator_options, .count = TL_COUNT(generator_options)};

static const tl_group_at fill_groups[] = {{&element_group, 0}, {&fill_group, 0}, TL_PRIM_GROUPS(generate_options)};
static const tl_group_at iota_groups[] = {{&element_group, 0}, {&iota_group, 0}, TL_PRIM_GROUPS(generate_options)};
static const tl_group_at generate_groups[] = {
    {&element_group, 0}, {&generator_group, 0}, TL_PRIM_GROUPS(generate_options)};

const tl_command tl_command_fill = {
    .name = "fill",
    .arguments = "",
    .summary = {"an array of one value", "un arreglo de un solo valor"},
    .about = {"Writes the value to every element.", "Escribe el valor en cada elemento."},
    .example = {"telar fill --count 1M --type f32 --value 0.5 --out half.npy",
                "telar fill --count 1M --type f32 --value 0.5 --out medio.npy"},
    .groups = fill_groups,
    .groups_count = TL_COUNT(fill_groups),
    .state_bytes = sizeof(generate_options),
    .prim = &fill_spec,
    .run = tl_prim_run,
};

const tl_command tl_command_iota = {
    .name = "iota",
    .arguments = "",
    .summary = {"0, 1, 2 ..., or other even steps", "0, 1, 2 ..., u otros pasos iguales"},
    .about = {"Element i is FIRST + i * STEP, in the type's arithmetic.",
              "El elemento i es FIRST + i * STEP, en la aritmética del tipo."},
    .example = {"telar iota --count 1M --type i32 --first -5 --out steps.npy",
                "telar iota --count 1M --type i32 --first -5 --out pasos.npy"},
    .groups = iota_groups,
    .groups_count = TL_COUNT(iota_groups),
    .state_bytes = sizeof(generate_options),
    .prim = &iota_spec,
    .run = tl_prim_run,
};

const tl_command tl_command_generate = {
    .name = "generate",
    .arguments = "",
    .summary = {"random numbers, the same on every device", "números aleatorios, iguales en cada dispositivo"},
    .about = {"Philox4x32-10: u32 and i32 are its words, f32 lie in [0, 1).",
              "Philox4x32-10: u32 e i32 son sus palabras, f32 quedan en [0, 1)."},
    .example = {"telar generate --count 1M --type f32 --seed 7 --out random.npy",
                "telar generate --count 1M --type f32 --seed 7 --out aleatorios.npy"},
    .groups = generate_groups,
    .groups_count = TL_COUNT(generate_groups),
    .state_bytes = sizeof(generate_options),
    .prim = &generate_spec,
    .run = tl_prim_run,
};
