/* SPDX-License-Identifier: MIT
 *
 * telar devices: every adapter of every implementation found, what it can do, which one is the default and why, and
 * what is missing when there is none. Each usable adapter is opened, so that what is listed has been proved. */
#include "device_find.h"
#include "facts_report.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct devices_options {
    bool facts;
} devices_options;

typedef struct found_device {
    telar_adapter_info info;
    telar_facts facts;
    telar_dialect dialect;
    double time_quantum_ns;
    bool is_default;
} found_device;

typedef struct found_devices {
    found_device items[TL_LIBRARIES_MAX * TL_ADAPTERS_MAX];
    size_t count;
    tl_libraries libraries;
    telar_status status; /* why there is none */
    telar_diag diag;
} found_devices;

static void prove(const telar_webgpu *webgpu, found_device *device)
{
    telar_host *host = NULL;
    telar_diag diag = {0};
    telar_host_desc desc = {.webgpu = webgpu, .adapter_index = device->info.index, .adapter_chosen = true};
    if (telar_host_open(&desc, &host, &diag) != TELAR_OK) {
        device->info.usable = false;
        telar_out why = {.data = device->info.why_not, .cap = sizeof device->info.why_not};
        tl_out_text(&why, diag.text);
        return;
    }
    device->facts = tl_device_known(host);
    device->dialect = telar_host_dialect(host);
    device->time_quantum_ns = telar_host_time_quantum_ns(host);
    telar_host_close(host);
}

static void list_library(const telar_webgpu *webgpu, found_devices *found)
{
    telar_adapter_info adapters[TL_ADAPTERS_MAX];
    size_t count;
    telar_diag diag = {0};
    telar_status status = tl_adapters_list(webgpu, adapters, &count, &diag);
    if (status != TELAR_OK && found->status == TELAR_OK) {
        found->status = status;
        found->diag = diag;
    }
    for (size_t k = 0; k < count; k++) {
        found_device *device = &found->items[found->count++];
        *device = (found_device){.info = adapters[k]};
        if (device->info.usable) prove(webgpu, device);
    }
}

/* As tl_device_open chooses: TELAR_DEVICE, else the best adapter of the first implementation that has a usable one. */
static void mark_default(found_devices *found)
{
    const char *wanted = getenv("TELAR_DEVICE");
    for (size_t k = 0; wanted != NULL && wanted[0] != 0 && k < found->count; k++) {
        found->items[k].is_default = strcmp(found->items[k].info.name, wanted) == 0;
        if (found->items[k].is_default) return;
    }
    if (wanted != NULL && tl_is_device_name(wanted)) return;
    for (uint32_t library = 0; library < found->libraries.count; library++) {
        telar_adapter_info adapters[TL_ADAPTERS_MAX];
        size_t places[TL_ADAPTERS_MAX], count = 0;
        for (size_t k = 0; k < found->count && count < TL_ADAPTERS_MAX; k++) {
            if (found->items[k].info.implementation != found->libraries.items[library].implementation) continue;
            adapters[count] = found->items[k].info;
            places[count++] = k;
        }
        uint32_t best = tl_best_adapter(adapters, count);
        if (best == UINT32_MAX) continue;
        found->items[places[best]].is_default = true;
        return;
    }
}

static const char *type_text(telar_device_type type)
{
    static const char *const texts[] = {"unknown", "discrete", "integrated", "cpu"};
    return texts[type];
}

static const char *subgroups_text(telar_subgroup_dialect subgroups)
{
    static const char *const texts[] = {"none", "enable", "bare"};
    return texts[subgroups];
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

static void json_limits(tl_json *json, const telar_facts *facts)
{
    tl_json_object(json, "limits");
    for (size_t k = 0; telar_limit_name(k) != NULL; k++) {
        uint64_t value = 0;
        telar_facts_get_limit(facts, telar_limit_name(k), &value, NULL);
        tl_json_u64(json, telar_limit_name(k), value);
    }
    tl_json_end_object(json);
}

/* The optional features that Telar uses, in WebGPU's names, as far as they have been proved. */
static void each_feature(const found_device *device, void (*take)(tl_json *, const char *, const char *), tl_json *json)
{
    if (device->dialect.f16) take(json, NULL, "shader-f16");
    if (device->dialect.subgroups != TELAR_SUBGROUPS_NONE) take(json, NULL, "subgroups");
    if (device->time_quantum_ns > 0) take(json, NULL, "timestamp-query");
    if (device->dialect.immediates) take(json, NULL, "immediates");
}

static void json_subgroup(tl_json *json, const telar_facts *facts)
{
    const telar_fact *min = &facts->values[TELAR_FACT_SUBGROUP_MIN], *max = &facts->values[TELAR_FACT_SUBGROUP_MAX];
    tl_json_object(json, "subgroup");
    tl_json_u64_if(json, "min", min->source != TELAR_SOURCE_NONE, (uint64_t)min->value);
    tl_json_u64_if(json, "max", max->source != TELAR_SOURCE_NONE, (uint64_t)max->value);
    tl_json_bool(json, "measured", max->source == TELAR_SOURCE_PROBE || max->source == TELAR_SOURCE_MEASURED);
    tl_json_end_object(json);
}

static void json_dialect(tl_json *json, telar_dialect dialect)
{
    tl_json_object(json, "dialect");
    tl_json_text(json, "subgroups", subgroups_text(dialect.subgroups));
    tl_json_bool(json, "f16", dialect.f16);
    tl_json_bool(json, "immediates", dialect.immediates);
    tl_json_bool(json, "subgroup_id", dialect.subgroup_id);
    tl_json_bool(json, "subgroup_barrier", dialect.subgroup_barrier);
    tl_json_bool(json, "linear_indexing", dialect.linear_indexing);
    tl_json_bool(json, "pointer_parameters", dialect.pointer_parameters);
    tl_json_end_object(json);
}

static void json_device(tl_json *json, const devices_options *options, const found_device *device)
{
    const telar_adapter_info *info = &device->info;
    tl_json_object(json, NULL);
    tl_json_text(json, "name", info->name);
    tl_json_text(json, "adapter", info->adapter);
    tl_json_text(json, "implementation", tl_implementation_text(info->implementation));
    tl_json_text(json, "version", info->version);
    tl_json_text(json, "backend", info->backend);
    tl_json_text(json, "type", type_text(info->type));
    tl_json_text(json, "driver", info->driver);
    if (info->usable) {
        json_limits(json, &device->facts);
        tl_json_array(json, "features");
        each_feature(device, tl_json_text, json);
        tl_json_end_array(json);
        json_subgroup(json, &device->facts);
        json_dialect(json, device->dialect);
        if (options->facts) tl_facts_json(json, "facts", &device->facts);
    } else {
        static const char *const keys[] = {"limits", "features", "subgroup", "dialect"};
        for (size_t k = 0; k < TL_COUNT(keys); k++) tl_json_null(json, keys[k]);
    }
    tl_json_bool(json, "default", device->is_default);
    tl_json_bool(json, "usable", info->usable);
    tl_json_text(json, "why_not", info->usable ? NULL : info->why_not);
    tl_json_end_object(json);
}

/* ---- text ---------------------------------------------------------------------------------------------------------- */

static void print_feature(tl_json *json, const char *key, const char *feature)
{
    (void)json, (void)key;
    printf(" %s", feature);
}

static void print_bytes(const char *label, uint64_t bytes)
{
    static const struct {
        unsigned shift;
        const char *unit;
    } units[] = {{30, "GiB"}, {20, "MiB"}, {10, "KiB"}};
    for (size_t k = 0; k < TL_COUNT(units); k++) {
        double value = (double)bytes / (double)(UINT64_C(1) << units[k].shift);
        if (value < 1) continue;
        printf("  %s %.4g %s", label, value, units[k].unit);
        return;
    }
    printf("  %s %llu B", label, (unsigned long long)bytes);
}

static void print_abilities(const tl_cli *cli, const found_device *device)
{
    const telar_facts *facts = &device->facts;
    const telar_limits *limits = &facts->limits;
    printf("    %s", TL_PICK(cli, "limits:", "límites:"));
    printf("  %s %llu", "workgroup", (unsigned long long)limits->maxComputeInvocationsPerWorkgroup);
    printf("  %s %llu", TL_PICK(cli, "groups an axis", "grupos por eje"),
           (unsigned long long)limits->maxComputeWorkgroupsPerDimension);
    print_bytes(TL_PICK(cli, "workgroup memory", "memoria workgroup"), limits->maxComputeWorkgroupStorageSize);
    print_bytes("binding", limits->maxStorageBufferBindingSize);
    print_bytes("buffer", limits->maxBufferSize);
    printf("\n    %s", TL_PICK(cli, "subgroups:", "subgrupos:"));
    const telar_fact *min = &facts->values[TELAR_FACT_SUBGROUP_MIN], *max = &facts->values[TELAR_FACT_SUBGROUP_MAX];
    if (max->source == TELAR_SOURCE_NONE) {
        printf(" %s", TL_PICK(cli, "not known", "no se sabe"));
    } else if (min->value < max->value) {
        printf(" %.0f-%.0f (%s)", min->value, max->value, telar_fact_source_text(max->source));
    } else {
        printf(" %.0f (%s)", max->value, telar_fact_source_text(max->source));
    }
    printf("\n    %s", TL_PICK(cli, "features:", "características:"));
    each_feature(device, print_feature, NULL);
    putchar('\n');
}

static void print_facts(const tl_cli *cli, const found_device *device)
{
    printf("    %s\n", TL_PICK(cli, "facts:", "datos:"));
    if (tl_facts_text(cli, &device->facts, "      ") > 0) return;
    printf(TL_PICK(cli, "      not measured yet; telar tune --device %s does it\n",
                   "      aún sin medir; lo hace telar tune --device %s\n"),
           device->info.name);
}

static void print_device(const tl_cli *cli, const devices_options *options, const found_device *device)
{
    const telar_adapter_info *info = &device->info;
    printf("%-8s %s (%s, %s)%s\n", info->name, info->adapter, type_text(info->type), info->backend,
           device->is_default ? TL_PICK(cli, "  default", "  por defecto") : "");
    printf("    %s %s", tl_implementation_text(info->implementation), info->version);
    if (info->driver[0] != 0) printf("; %s %s", TL_PICK(cli, "driver", "controlador"), info->driver);
    putchar('\n');
    if (info->usable) {
        print_abilities(cli, device);
        if (options->facts) print_facts(cli, device);
    } else {
        printf("    %s: %s\n", TL_PICK(cli, "not usable", "no utilizable"), info->why_not);
    }
}

static void print_default_reason(const tl_cli *cli, const found_devices *found)
{
    const char *wanted = getenv("TELAR_DEVICE");
    if (wanted != NULL && wanted[0] != 0) {
        printf(TL_PICK(cli, "\nThe default is the one that TELAR_DEVICE names: %s.\n",
                       "\nEl dispositivo por defecto es el que nombra TELAR_DEVICE: %s.\n"),
               wanted);
        return;
    }
    for (size_t k = 0; k < found->count; k++) {
        if (!found->items[k].is_default) continue;
        printf(
            TL_PICK(
                cli, "\nThe default is %s: the first of type %s, in the order discrete, integrated, cpu.\n",
                "\nEl dispositivo por defecto es %s: el primero de tipo %s, en el orden discrete, integrated, cpu.\n"),
            found->items[k].info.name, type_text(found->items[k].info.type));
    }
}

static bool any_usable(const found_devices *found)
{
    for (size_t k = 0; k < found->count; k++) {
        if (found->items[k].info.usable) return true;
    }
    return false;
}

static void print_all(const tl_cli *cli, const devices_options *options, const found_devices *found)
{
    if (cli->json) {
        tl_json json = {0};
        tl_json_object(&json, NULL);
        tl_json_array(&json, "devices");
        for (size_t k = 0; k < found->count; k++) json_device(&json, options, &found->items[k]);
        tl_json_end_array(&json);
        tl_json_end_object(&json);
        return;
    }
    for (size_t k = 0; k < found->count; k++) print_device(cli, options, &found->items[k]);
    if (found->count > 0) print_default_reason(cli, found);
}

static int run_devices(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    (void)files, (void)files_count;
    found_devices *found = calloc(1, sizeof *found);
    if (found == NULL) return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    telar_status status = tl_libraries_load(&found->libraries, TELAR_IMPLEMENTATION_UNKNOWN, &found->diag);
    found->status = status;
    tl_progress progress = tl_progress_begin(TL_PICK(cli, "asking the adapters", "preguntando a los adaptadores"));
    for (uint32_t k = 0; k < found->libraries.count; k++) {
        tl_progress_at(&progress, k, found->libraries.count);
        list_library(&found->libraries.items[k], found);
    }
    tl_progress_end(&progress);
    mark_default(found);
    print_all(cli, state, found);
    int exit = TL_EXIT_DONE;
    if (!any_usable(found)) {
        if (found->status == TELAR_OK || tl_exit_of_status(found->status) != TL_EXIT_DEVICE)
            found->status = TELAR_NO_DEVICE;
        exit = tl_report(found->status, &found->diag);
        tl_device_hint(cli, found->status, &found->diag);
    }
    tl_libraries_unload(&found->libraries);
    free(found);
    return exit;
}

static const tl_option options[] = {
    {.name = "facts",
     .take = tl_take_flag,
     .offset = offsetof(devices_options, facts),
     .help = {"what telar tune has measured of each", "lo que telar tune ha medido de cada uno"}},
};
static const tl_option_group group = {
    .title = {"The list", "La lista"}, .options = options, .count = TL_COUNT(options)};
static const tl_group_at groups[] = {{&group, 0}};

const tl_command tl_command_devices = {
    .name = "devices",
    .arguments = "",
    .summary =
        {"lists every adapter of every WebGPU implementation found, and what each can do",
         "enumera todos los adaptadores de cada implementación de WebGPU que se encuentra, y lo que puede cada uno"},
    .about =
        {"Looks for wgpu-native and Dawn: at TELAR_WEBGPU, in the default folders, by the system's loader. Each adapter "
         "that computes is opened, proved by a kernel, and probed for its subgroup size and dialect. The default is "
         "TELAR_DEVICE, else the first discrete, else integrated, else CPU adapter. When there is none, says what is "
         "missing and what to install.",
         "Busca wgpu-native y Dawn: en TELAR_WEBGPU, en las carpetas por defecto y con el cargador del sistema. Cada "
         "adaptador que sabe calcular se abre, se prueba con un kernel y se sondea: tamaño de subgrupo y dialecto. El "
         "dispositivo por defecto es TELAR_DEVICE; si no, el primero discreto, si no integrado, si no CPU. Cuando no "
         "hay ninguno, dice qué falta y qué instalar."},
    .example = {"telar devices --json | jq '.devices[] | select(.default).limits'",
                "telar devices --json | jq '.devices[] | select(.default).limits'"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .state_bytes = sizeof(devices_options),
    .run = run_devices,
};
