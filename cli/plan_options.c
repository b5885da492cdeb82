/* SPDX-License-Identifier: MIT
 *
 * The options of a plan as tables, their values into a description, and where facts come from. */
#include "plan_options.h"
#include "device_find.h"
#include "io/facts_file.h"
#include "io/quantity.h"

#include <string.h>

#define FIELD(name) .offset = offsetof(tl_plan_options, name)
#define U32_FIELD(name) .take = tl_take_u32, .max = UINT32_MAX, FIELD(name)
#define U64_FIELD(name) .take = tl_take_u64, .max = UINT64_C(1) << 48, FIELD(name)

telar_status tl_take_count(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option;
    tl_counts *counts = field;
    *counts = (tl_counts){.text = text};
    /* A count on the GPU is the business of the command that allows it. */
    if (text[0] == '@') return TELAR_OK;
    if (text[0] == '0' && text[1] == 'x') {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--count: '%.60s' is hexadecimal, or no elements by some; write decimal numbers", text);
    }
    return tl_number_list("--count", tl_str_of(text), 'x', 3, 0, TELAR_COUNT_MAX, counts->values, &counts->dimensions,
                          diag);
}

static telar_status take_sizes(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    tl_sizes *sizes = field;
    bool subgroup = strcmp(option->name, "subgroup") == 0;
    *sizes = (tl_sizes){0};
    TELAR_TRY(tl_number_list(subgroup ? "--subgroup" : "--size", tl_str_of(text), ',', subgroup ? 2 : 3, option->min,
                             option->max, sizes->values, &sizes->count, diag));
    if (!subgroup) return TELAR_OK;
    if (sizes->count == 1) sizes->values[1] = sizes->values[0];
    for (uint32_t k = 0; k < 2; k++) {
        uint64_t width = sizes->values[k];
        if ((width & (width - 1)) == 0) continue;
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, width, 0,
                             "--subgroup (%llu) is not a power of two; allowed are 1 2 4 8 16 32 64 128",
                             (unsigned long long)width);
    }
    if (sizes->values[0] > sizes->values[1]) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, sizes->values[0], sizes->values[1],
                             "--subgroup: the least (%llu) is above the largest (%llu)",
                             (unsigned long long)sizes->values[0], (unsigned long long)sizes->values[1]);
    }
    return TELAR_OK;
}

typedef struct choice {
    const char *text;
    int value;
} choice;

static const choice kinds[] = {
    {"element", TELAR_KIND_ELEMENT}, {"reduce", TELAR_KIND_REDUCE}, {"scan", TELAR_KIND_SCAN},
    {"image", TELAR_KIND_IMAGE},     {"tile", TELAR_KIND_TILE},
};

static const choice shapes[] = {
    {"auto", TELAR_SHAPE_AUTO},
    {"linear", TELAR_SHAPE_LINEAR},
    {"fold", TELAR_SHAPE_FOLD},
    {"stride", TELAR_SHAPE_STRIDE},
};

static telar_status choose(const tl_option *option, const choice *choices, size_t count, const char *text, int *value,
                           telar_diag *diag)
{
    for (size_t k = 0; k < count; k++) {
        if (strcmp(choices[k].text, text) != 0) continue;
        *value = choices[k].value;
        return TELAR_OK;
    }
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--%s: there is no '%.60s'; allowed are %s", option->name, text,
                   option->argument);
}

static telar_status take_kind(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    int value = 0;
    TELAR_TRY(choose(option, kinds, TL_COUNT(kinds), text, &value, diag));
    *(telar_kind *)field = (telar_kind)value;
    return TELAR_OK;
}

static telar_status take_shape(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    int value = 0;
    TELAR_TRY(choose(option, shapes, TL_COUNT(shapes), text, &value, diag));
    *(telar_shape *)field = (telar_shape)value;
    return TELAR_OK;
}

static const tl_option launch_options[] = {
    {.name = "count",
     .argument = "N|WxH|WxHxD",
     .take = tl_take_count,
     FIELD(count),
     .help = {"elements of the domain, one number an axis: 3_000_001, 640x480, 16Mi",
              "elementos del dominio, un número por eje: 3_000_001, 640x480, 16Mi"}},
    {.name = "kind",
     .argument = "element|reduce|scan|image|tile",
     .take = take_kind,
     FIELD(kind),
     .help = {"what the kernel does (default element)", "lo que hace el kernel (por defecto, element)"}},
    {.name = "size",
     .argument = "X[,Y[,Z]]",
     .take = take_sizes,
     .min = 1,
     .max = UINT32_MAX,
     FIELD(size),
     .help = {"this workgroup size, or a refusal", "este tamaño de workgroup, o un rechazo"}},
    {.name = "items",
     .argument = "K",
     .min = 1,
     U32_FIELD(items),
     .help = {"elements an invocation", "elementos por invocación"}},
    {.name = "shape",
     .argument = "auto|linear|fold|stride",
     .take = take_shape,
     FIELD(shape),
     .help = {"how groups are laid out (default auto)", "cómo se disponen los grupos (por defecto, auto)"}},
    {.name = "fold-width",
     .argument = "W",
     .min = 1,
     U32_FIELD(fold_width),
     .help = {"groups in a row of a fold (default: the fewest rows, equally long)",
              "grupos por fila de un pliegue (por defecto, las menos filas posibles, iguales)"}},
    {.name = "groups",
     .argument = "G",
     .min = 1,
     U32_FIELD(groups),
     .help = {"groups of a stride launch", "grupos de un lanzamiento con zancada"}},
    {.name = "bytes",
     .argument = "B",
     .min = 1,
     U32_FIELD(bytes),
     .help = {"bytes moved per element (default 8)", "bytes movidos por elemento (por defecto, 8)"}},
    {.name = "flops",
     .argument = "F",
     U32_FIELD(flops),
     .help = {"additions and multiplications per element (default 0: they do not matter)",
              "sumas y multiplicaciones por elemento (por defecto, 0: no cuentan)"}},
    {.name = "workgroup-memory",
     .argument = "BYTES",
     U32_FIELD(workgroup_memory),
     .help = {"workgroup memory of a group", "memoria workgroup de un grupo"}},
    {.name = "registers",
     .argument = "R",
     U32_FIELD(registers),
     .help = {"registers of an invocation", "registros de una invocación"}},
    {.name = "halo",
     .argument = "R",
     .take = tl_take_u32,
     .max = 4096,
     FIELD(halo),
     .help = {"neighbours read on each side (image, tile)", "vecinos que se leen a cada lado (image, tile)"}},
};

static const tl_option facts_options[] = {
    {.name = "facts",
     .argument = "FILE|default|compatibility|DEVICE",
     .take = tl_take_text,
     FIELD(facts),
     .help = {"limits and facts to plan with: a facts file, one of the specification's two sets of limits, or a device "
              "as wgpu:0 (default: the default limits)",
              "límites y datos con los que planear: un archivo de datos, uno de los dos juegos de límites de la "
              "especificación, o un dispositivo como wgpu:0 (por defecto, los límites por defecto)"}},
    {.name = "limit",
     .argument = "NAME=VALUE",
     .take = tl_take_texts,
     FIELD(limits),
     .help = {"one limit, by WebGPU's name; may be repeated", "un límite, con el nombre de WebGPU; se puede repetir"}},
    {.name = "subgroup",
     .argument = "MIN[,MAX]",
     .take = take_sizes,
     .min = 1,
     .max = 128,
     FIELD(subgroup),
     .help = {"subgroup sizes of the device", "tamaños de subgrupo del dispositivo"}},
    {.name = "units", .argument = "U", .min = 1, U64_FIELD(units), .help = {"compute units", "unidades de cómputo"}},
    {.name = "resident",
     .argument = "I",
     .min = 1,
     U64_FIELD(resident),
     .help = {"invocations that a unit holds", "invocaciones que caben en una unidad"}},
    {.name = "unit-memory",
     .argument = "BYTES",
     .min = 1,
     U64_FIELD(unit_memory),
     .help = {"workgroup memory of a unit", "memoria workgroup de una unidad"}},
    {.name = "unit-registers",
     .argument = "R",
     .min = 1,
     U64_FIELD(unit_registers),
     .help = {"registers of a unit", "registros de una unidad"}},
};

const tl_option_group tl_plan_launch_group = {
    .title = {"The launch", "El lanzamiento"}, .options = launch_options, .count = TL_COUNT(launch_options)};
const tl_option_group tl_plan_facts_group = {
    .title = {"The device", "El dispositivo"}, .options = facts_options, .count = TL_COUNT(facts_options)};

telar_plan_desc tl_plan_desc_of(const tl_plan_options *options)
{
    telar_plan_desc desc = {
        .dimensions = options->count.dimensions,
        .kind = options->kind,
        .items = options->items,
        .shape = options->shape,
        .fold_width = options->fold_width,
        .groups = options->groups,
        .bytes_per_element = options->bytes,
        .flops_per_element = options->flops,
        .workgroup_memory_bytes = options->workgroup_memory,
        .registers_per_invocation = options->registers,
        .halo = options->halo,
    };
    for (uint32_t k = 0; k < options->count.dimensions; k++) desc.count[k] = options->count.values[k];
    for (uint32_t k = 0; k < options->size.count; k++) desc.size[k] = (uint32_t)options->size.values[k];
    return desc;
}

static telar_status apply_limit(const char *text, telar_facts *facts, telar_diag *diag)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--limit: '%.60s' is not NAME=VALUE, as in maxBufferSize=256Mi",
                       text);
    }
    char name[64];
    size_t len = (size_t)(equals - text);
    if (len >= sizeof name) len = sizeof name - 1;
    memcpy(name, text, len);
    name[len] = 0;
    char what[80];
    telar_out out = {.data = what, .cap = sizeof what};
    tl_out_format(&out, "--limit %s", name);
    uint64_t value;
    TELAR_TRY(tl_number_u64(what, tl_str_of(equals + 1), 0, UINT64_MAX, &value, diag));
    telar_status status = telar_facts_set_limit(facts, name, value, diag);
    if (status != TELAR_NOT_FOUND) return status;
    const char *names[64];
    size_t count = 0;
    while (count < TL_COUNT(names) && telar_limit_name(count) != NULL) {
        names[count] = telar_limit_name(count);
        count++;
    }
    const char *near = tl_nearest(name, names, count);
    if (near == NULL) return status;
    return tl_fail(diag, status, "--limit: there is no limit '%s'; did you mean %s?", name, near);
}

telar_status tl_facts_apply(const tl_plan_options *options, telar_facts *facts, telar_diag *diag)
{
    for (uint32_t k = 0; k < options->limits.count; k++) TELAR_TRY(apply_limit(options->limits.items[k], facts, diag));
    const struct {
        telar_fact_name name;
        uint64_t value;
    } given[] = {
        {TELAR_FACT_SUBGROUP_MIN, options->subgroup.values[0]},
        {TELAR_FACT_SUBGROUP_MAX, options->subgroup.values[1]},
        {TELAR_FACT_COMPUTE_UNITS, options->units},
        {TELAR_FACT_RESIDENT_INVOCATIONS, options->resident},
        {TELAR_FACT_UNIT_MEMORY, options->unit_memory},
        {TELAR_FACT_UNIT_REGISTERS, options->unit_registers},
    };
    for (size_t k = 0; k < TL_COUNT(given); k++) {
        if (given[k].value == 0) continue;
        telar_facts_set(facts, given[k].name, (double)given[k].value, TELAR_SOURCE_GIVEN);
    }
    return TELAR_OK;
}

telar_status tl_facts_resolve(const tl_plan_options *options, telar_facts *facts, telar_diag *diag)
{
    *facts = telar_facts_default();
    const char *name = options->facts;
    if (name != NULL && strcmp(name, "compatibility") == 0) {
        *facts = telar_facts_compatibility();
    } else if (name != NULL && tl_is_device_name(name)) {
        TELAR_TRY(tl_device_facts(name, facts, diag));
    } else if (name != NULL && strcmp(name, "default") != 0) {
        TELAR_TRY(tl_facts_file_read(name, facts, diag));
    }
    return tl_facts_apply(options, facts, diag);
}
