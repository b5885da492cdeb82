/* SPDX-License-Identifier: MIT
 *
 * telar weave: prints the complete WGSL for an element function, or a folded kernel, under a plan. */
#include "device_find.h"
#include "kernel_file.h"
#include "plan_options.h"

#include <string.h>

typedef struct weave_options {
    tl_plan_options plan;
    tl_entry_options entry;
    const char *dialect;
} weave_options;

static telar_status dialect_of(const char *name, telar_dialect *dialect, telar_diag *diag)
{
    *dialect = telar_dialect_portable();
    if (name == NULL || strcmp(name, "portable") == 0) return TELAR_OK;
    if (strcmp(name, "tint") == 0) {
        *dialect = telar_dialect_tint();
    } else if (strcmp(name, "naga") == 0) {
        *dialect = telar_dialect_naga();
    } else if (tl_is_device_name(name)) {
        tl_device device;
        TELAR_TRY(tl_device_open(name, &device, diag));
        *dialect = telar_host_dialect(device.host);
        tl_device_close(&device);
    } else {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--dialect: there is no '%.60s'; allowed are tint, naga, portable, or a device as wgpu:0", name);
    }
    return TELAR_OK;
}

static void print_json(const tl_cli *cli, const weave_options *options, const telar_woven *woven,
                       const telar_plan *plan, const telar_facts *facts)
{
    static const char *const forms[] = {"element", "plain", "folded"};
    static const char *const spaces[] = {"uniform", "storage", "storage"};
    static const char *const accesses[] = {"read", "read", "read_write"};
    static const char *const params[] = {"none", "uniform", "immediate"};
    const telar_kernel_desc *kernel = &woven->kernel;
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_text(&json, "form", forms[woven->form]);
    tl_json_text(&json, "entry", kernel->entry);
    tl_json_u32s(&json, "workgroup_size", kernel->workgroup_size, 3);
    tl_json_array(&json, "bindings");
    for (uint32_t k = 0; k < kernel->bindings_count; k++) {
        const telar_binding *binding = &kernel->bindings[k];
        tl_json_object(&json, NULL);
        tl_json_u64(&json, "group", binding->group);
        tl_json_u64(&json, "binding", binding->binding);
        tl_json_text(&json, "name", binding->name);
        tl_json_text(&json, "space", spaces[binding->space]);
        tl_json_text(&json, "access", accesses[binding->space]);
        tl_json_u64(&json, "min_bytes", binding->min_bytes);
        tl_json_bool(&json, "windowed", binding->windowed);
        tl_json_end_object(&json);
    }
    tl_json_end_array(&json);
    tl_json_text(&json, "params", params[kernel->params_kind]);
    tl_plan_json(&json, "plan", plan, facts, &options->plan, cli->language);
    tl_json_text(&json, "wgsl", kernel->wgsl);
    tl_json_end_object(&json);
}

static int print_woven(const tl_cli *cli, const weave_options *options, const telar_woven *woven,
                       const telar_plan *plan, const telar_facts *facts)
{
    if (cli->json) {
        print_json(cli, options, woven, plan, facts);
        return TL_EXIT_DONE;
    }
    fwrite(woven->kernel.wgsl, 1, woven->kernel.wgsl_bytes, stdout);
    return TL_EXIT_DONE;
}

static int weave_kernel(const tl_cli *cli, const weave_options *options, tl_kernel_file *kernel)
{
    telar_diag diag = {0};
    telar_weave_desc desc = {.element = options->entry.element, .entry = options->entry.entry};
    telar_weave_needs needs;
    telar_status status = tl_kernel_inspect(kernel, &desc, &needs, &diag);
    if (status != TELAR_OK) return tl_kernel_report(kernel, status, &diag);
    telar_facts facts;
    telar_plan_desc plan_desc = tl_plan_desc_of(&options->plan);
    telar_plan plan;
    status = dialect_of(options->dialect, &desc.dialect, &diag);
    if (status == TELAR_OK) status = tl_facts_resolve(&options->plan, &facts, &diag);
    if (status == TELAR_OK) status = tl_kernel_plan_desc(&needs, &plan_desc, &diag);
    if (status == TELAR_OK) status = telar_plan_make(&plan_desc, &facts, &plan, &diag);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &diag);
        tl_device_hint(cli, status, &diag);
        return exit;
    }
    desc.plan = &plan;
    telar_woven woven;
    status = tl_kernel_weave(kernel, &desc, &woven, &diag);
    if (status != TELAR_OK) return tl_kernel_report(kernel, status, &diag);
    return print_woven(cli, options, &woven, &plan, &facts);
}

static int run_weave(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    (void)files_count;
    const weave_options *options = state;
    if (options->plan.count.dimensions == 0) {
        return tl_error(TL_PICK(cli, "weave: --count is missing, as in telar weave %s --count 3_000_001",
                                "weave: falta --count, como en telar weave %s --count 3_000_001"),
                        files[0]);
    }
    tl_kernel_file kernel;
    int exit = tl_kernel_open(files[0], &kernel);
    if (exit != TL_EXIT_DONE) return exit;
    exit = weave_kernel(cli, options, &kernel);
    tl_kernel_close(&kernel);
    return exit;
}

static const tl_option weave_only[] = {
    {.name = "dialect",
     .argument = "tint|naga|DEVICE",
     .take = tl_take_text,
     .offset = offsetof(weave_options, dialect),
     .help = {"for which reader of WGSL (default: what all of them take)",
              "para qué lector de WGSL (por defecto, lo que admiten todos)"}},
};
static const tl_option_group weave_group = {
    .title = {"The text", "El texto"}, .options = weave_only, .count = TL_COUNT(weave_only)};

static const tl_group_at groups[] = {
    {&tl_entry_group, offsetof(weave_options, entry)},
    {&weave_group, 0},
    {&tl_plan_launch_group, offsetof(weave_options, plan)},
    {&tl_plan_facts_group, offsetof(weave_options, plan)},
};

const tl_command tl_command_weave = {
    .name = "weave",
    .arguments = "FILE",
    .summary = {"prints the complete WGSL for an element function or a folded kernel under a plan",
                "imprime el WGSL completo de una función de elemento o de un kernel plegado, según un plan"},
    .about =
        {"An element function, fn element(i: u32), gets an entry point around it: index, guard, items, fold, stride, "
         "window, count. An ordinary kernel passes as it is where its dispatch fits the device and is folded where it "
         "does not. The function's own text stays untouched. FILE may be - for standard input.",
         "A una función de elemento, fn element(i: u32), se le teje alrededor un punto de entrada: índice, guardia, "
         "elementos por invocación, pliegue, zancada, ventana y conteo. Un kernel corriente pasa tal cual si su "
         "dispatch cabe en el dispositivo, y se pliega si no cabe. El texto de la función no se toca. FILE puede ser "
         "- para la entrada estándar."},
    .example = {"telar weave examples/scale.wgsl --count 3_000_001",
                "telar weave examples/scale.wgsl --count 3_000_001"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(weave_options),
    .run = run_weave,
};
