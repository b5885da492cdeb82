/* SPDX-License-Identifier: MIT
 *
 * Finding libraries and choosing devices. The order never depends on the machine's state beyond what files exist and
 * what adapters answer. */
#include "device_find.h"
#include "io/quantity.h"
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TELAR_DEFAULT_WEBGPU_DIRS
#define TELAR_DEFAULT_WEBGPU_DIRS ""
#endif

typedef struct implementation_row {
    telar_implementation implementation;
    const char *name;
    const char *files[4]; /* as the packages of this implementation call it */
} implementation_row;

static const implementation_row implementations[] = {
    {TELAR_IMPLEMENTATION_WGPU, "wgpu", {"libwgpu_native-release.so", "libwgpu_native.so", "libwgpu_native.so.0"}},
    {TELAR_IMPLEMENTATION_DAWN, "dawn", {"libwebgpu_dawn.so", "libwebgpu_wrapper.so", "libdawn.so"}},
};

const char *tl_implementation_text(telar_implementation implementation)
{
    for (size_t k = 0; k < TL_COUNT(implementations); k++) {
        if (implementations[k].implementation == implementation) return implementations[k].name;
    }
    return "unknown";
}

/* ---- libraries ----------------------------------------------------------------------------------------------------- */

static bool have(const tl_libraries *libraries, telar_implementation implementation)
{
    for (uint32_t k = 0; k < libraries->count; k++) {
        if (libraries->items[k].implementation == implementation) return true;
    }
    return false;
}

/* Keeps the library when it loads and its implementation is new. */
static bool try_library(tl_libraries *libraries, const char *path)
{
    if (libraries->count == TL_LIBRARIES_MAX) return false;
    telar_webgpu *webgpu = &libraries->items[libraries->count];
    telar_diag diag = {0};
    if (telar_webgpu_load(path, webgpu, &diag) != TELAR_OK) {
        if (libraries->tried++ == 0) libraries->why = diag;
        return false;
    }
    if (have(libraries, webgpu->implementation)) {
        telar_webgpu_unload(webgpu);
        return false;
    }
    libraries->count++;
    return true;
}

static bool try_folders(tl_libraries *libraries, const implementation_row *row)
{
    const char *folders = TELAR_DEFAULT_WEBGPU_DIRS;
    while (*folders != 0) {
        int len = (int)strcspn(folders, ":");
        for (size_t k = 0; k < TL_COUNT(row->files) && row->files[k] != NULL; k++) {
            char path[512];
            int written = snprintf(path, sizeof path, "%.*s/%s", len, folders, row->files[k]);
            if (written < 0 || (size_t)written >= sizeof path || access(path, F_OK) != 0) continue;
            if (try_library(libraries, path)) return true;
        }
        folders += len;
        folders += *folders == ':';
    }
    return false;
}

/* By bare name; that there is no such file is no failure worth telling. */
static bool try_loader(tl_libraries *libraries, const implementation_row *row)
{
    for (size_t k = 0; k < TL_COUNT(row->files) && row->files[k] != NULL; k++) {
        uint32_t tried = libraries->tried;
        if (try_library(libraries, row->files[k])) return true;
        libraries->tried = tried;
    }
    return false;
}

telar_status tl_libraries_load(tl_libraries *libraries, telar_implementation wanted, telar_diag *diag)
{
    memset(libraries, 0, sizeof *libraries);
    /* Vulkan drivers look for windows and complain when this is missing; nothing is ever opened there. */
    setenv("XDG_RUNTIME_DIR", "/tmp", 0);
    const char *path = getenv("TELAR_WEBGPU");
    if (path != NULL && path[0] != 0 && !try_library(libraries, path)) {
        return tl_fail(diag, TELAR_NO_LIBRARY, "TELAR_WEBGPU: %.1900s", libraries->why.text);
    }
    for (size_t k = 0; k < TL_COUNT(implementations); k++) {
        const implementation_row *row = &implementations[k];
        bool other = wanted != TELAR_IMPLEMENTATION_UNKNOWN && wanted != row->implementation;
        if (other || have(libraries, row->implementation)) continue;
        if (!try_folders(libraries, row)) try_loader(libraries, row);
    }
    if (libraries->count > 0) return TELAR_OK;
    if (libraries->tried > 0) {
        return tl_fail(diag, TELAR_NO_LIBRARY, "no usable WebGPU library: %.1900s", libraries->why.text);
    }
    return tl_fail(diag, TELAR_NO_LIBRARY,
                   "no WebGPU library was found; looked for libwgpu_native-release.so, libwgpu_native.so, "
                   "libwebgpu_dawn.so and libwebgpu_wrapper.so in the default folders and by the system's loader");
}

void tl_libraries_unload(tl_libraries *libraries)
{
    for (uint32_t k = 0; k < libraries->count; k++) telar_webgpu_unload(&libraries->items[k]);
    libraries->count = 0;
}

/* ---- the option ----------------------------------------------------------------------------------------------------- */

static const tl_option device_options[] = {
    {.name = "device",
     .argument = "DEVICE",
     .take = tl_take_text,
     .help =
         {"as wgpu:0 or dawn:0, see telar devices (default: TELAR_DEVICE, else the first discrete, integrated, CPU "
          "adapter); default or compatibility: that one with the specification's limits of this name",
          "como wgpu:0 o dawn:0, mira telar devices (por defecto, TELAR_DEVICE; si no, el primero discreto, integrado o "
          "CPU); default o compatibility: ese mismo con los límites de la especificación que así se llaman"}},
};
const tl_option_group tl_device_group = {
    .title = {"Where it runs", "Dónde se ejecuta"}, .options = device_options, .count = TL_COUNT(device_options)};

/* ---- devices ------------------------------------------------------------------------------------------------------- */

typedef struct device_name {
    telar_implementation implementation;
    uint32_t index;
} device_name;

static bool read_device_name(const char *text, device_name *name)
{
    for (size_t k = 0; k < TL_COUNT(implementations); k++) {
        size_t len = strlen(implementations[k].name);
        if (strncmp(text, implementations[k].name, len) != 0 || text[len] != ':') continue;
        uint64_t index;
        if (tl_number_u64("", tl_str_of(text + len + 1), 0, 9999, &index, NULL) != TELAR_OK) return false;
        *name = (device_name){implementations[k].implementation, (uint32_t)index};
        return true;
    }
    return false;
}

bool tl_is_device_name(const char *name)
{
    device_name parts;
    return read_device_name(name, &parts);
}

telar_status tl_adapters_list(const telar_webgpu *webgpu, telar_adapter_info adapters[TL_ADAPTERS_MAX], size_t *count,
                              telar_diag *diag)
{
    *count = TL_ADAPTERS_MAX;
    telar_status status = telar_host_adapters(webgpu, adapters, count, diag);
    if (status == TELAR_NO_SPACE) status = TELAR_OK;
    if (*count > TL_ADAPTERS_MAX) *count = TL_ADAPTERS_MAX;
    if (status != TELAR_OK) *count = 0;
    return status;
}

uint32_t tl_best_adapter(const telar_adapter_info *adapters, size_t count)
{
    static const telar_device_type order[] = {TELAR_DEVICE_DISCRETE, TELAR_DEVICE_INTEGRATED, TELAR_DEVICE_CPU,
                                              TELAR_DEVICE_UNKNOWN};
    for (size_t rank = 0; rank < TL_COUNT(order); rank++) {
        for (uint32_t k = 0; k < count; k++) {
            if (adapters[k].usable && adapters[k].type == order[rank]) return k;
        }
    }
    return UINT32_MAX;
}

static const telar_webgpu *library_of(const tl_libraries *libraries, telar_implementation implementation)
{
    for (uint32_t k = 0; k < libraries->count; k++) {
        if (libraries->items[k].implementation == implementation) return &libraries->items[k];
    }
    return NULL;
}

static telar_status open_named(const char *text, device_name name, tl_device *device, telar_diag *diag)
{
    TELAR_TRY(tl_libraries_load(&device->libraries, name.implementation, diag));
    const telar_webgpu *webgpu = library_of(&device->libraries, name.implementation);
    if (webgpu == NULL) {
        return tl_fail(diag, TELAR_NO_LIBRARY, "%s: no library of this implementation was found", text);
    }
    telar_adapter_info adapters[TL_ADAPTERS_MAX];
    size_t count;
    TELAR_TRY(tl_adapters_list(webgpu, adapters, &count, diag));
    if (name.index >= count) {
        return tl_fail_limit(diag, TELAR_NO_DEVICE, name.index, count,
                             "%s: there is no such device; this implementation has %zu (see telar devices)", text,
                             count);
    }
    telar_host_desc desc = {
        .webgpu = webgpu, .adapter_index = adapters[name.index].index, .adapter_chosen = true, .trusted_modules = true};
    return telar_host_open(&desc, &device->host, diag);
}

/* The first implementation that has a usable adapter; all of them see the same hardware. */
static telar_status open_default(bool default_limits, tl_device *device, telar_diag *diag)
{
    TELAR_TRY(tl_libraries_load(&device->libraries, TELAR_IMPLEMENTATION_UNKNOWN, diag));
    telar_status status = tl_fail(diag, TELAR_NO_DEVICE, "no adapter was found");
    for (uint32_t k = 0; k < device->libraries.count; k++) {
        telar_adapter_info adapters[TL_ADAPTERS_MAX];
        size_t count;
        const telar_webgpu *webgpu = &device->libraries.items[k];
        if (tl_adapters_list(webgpu, adapters, &count, k == 0 ? diag : NULL) != TELAR_OK) continue;
        uint32_t best = tl_best_adapter(adapters, count);
        if (best == UINT32_MAX) continue;
        telar_host_desc desc = {.webgpu = webgpu,
                                .adapter_index = adapters[best].index,
                                .adapter_chosen = true,
                                .trusted_modules = true,
                                .default_limits = default_limits};
        status = telar_host_open(&desc, &device->host, diag);
        if (status == TELAR_OK) return TELAR_OK;
    }
    return status;
}

telar_status tl_device_open(const char *name, tl_device *device, telar_diag *diag)
{
    memset(device, 0, sizeof *device);
    /* A copy: what comes after sets a variable, which may move the others. */
    char wanted[64] = "";
    if (name == NULL && getenv("TELAR_DEVICE") != NULL) {
        snprintf(wanted, sizeof wanted, "%s", getenv("TELAR_DEVICE"));
        name = wanted;
    }
    bool any = name == NULL || name[0] == 0;
    bool compatibility = !any && strcmp(name, "compatibility") == 0;
    bool limits_only = compatibility || (!any && strcmp(name, "default") == 0);
    device_name parts;
    telar_status status;
    if (any || limits_only) {
        status = open_default(limits_only, device, diag);
    } else if (read_device_name(name, &parts)) {
        status = open_named(name, parts, device, diag);
    } else {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "'%.60s' is no device; allowed are names as wgpu:0 and dawn:0 (see telar devices)", name);
    }
    device->compatibility = compatibility;
    device->by_default = any;
    if (status != TELAR_OK) tl_device_close(device);
    return status;
}

void tl_device_close(tl_device *device)
{
    telar_host_close(device->host);
    device->host = NULL;
    tl_libraries_unload(&device->libraries);
}

void tl_device_announce(const tl_cli *cli, const tl_device *device)
{
    const telar_adapter_info *adapter = telar_host_adapter(device->host);
    if (adapter->type != TELAR_DEVICE_CPU || !device->by_default) return;
    tl_notice(
        TL_PICK(cli, "no GPU is used: %s is %s, a CPU adapter", "no se usa ninguna GPU: %s es %s, un adaptador de CPU"),
        adapter->name, adapter->adapter);
}

telar_facts tl_device_known(const telar_host *host)
{
    telar_facts facts = *telar_host_facts(host);
    tl_profile_add(telar_host_adapter(host), &facts);
    return facts;
}

telar_facts tl_device_plan_facts(const tl_device *device)
{
    telar_facts facts = tl_device_known(device->host);
    if (device->compatibility) facts.limits = telar_facts_compatibility().limits;
    return facts;
}

telar_status tl_device_facts(const char *name, telar_facts *facts, telar_diag *diag)
{
    tl_device device;
    TELAR_TRY(tl_device_open(name, &device, diag));
    *facts = tl_device_plan_facts(&device);
    tl_device_close(&device);
    return TELAR_OK;
}

/* ---- what to do about it ------------------------------------------------------------------------------------------- */

static const char *hint_text(const tl_cli *cli, telar_status status)
{
    if (status == TELAR_NO_LIBRARY) {
        return TL_PICK(
            cli,
            "run `sh tools/setup.sh` in Telar's folder to fetch wgpu-native, or set TELAR_WEBGPU to the path of "
            "a libwgpu_native.so or a Dawn library",
            "ejecuta `sh tools/setup.sh` en la carpeta de Telar para obtener wgpu-native, o pon en TELAR_WEBGPU "
            "la ruta de una libwgpu_native.so o de una biblioteca de Dawn");
    }
    if (status == TELAR_NO_DEVICE) {
        return TL_PICK(
            cli,
            "install a Vulkan loader and driver; on Debian: apt-get install --no-install-recommends libvulkan1 "
            "mesa-vulkan-drivers (GPUs of AMD and Intel, and lavapipe for the CPU), or NVIDIA's driver",
            "instala un cargador y un controlador de Vulkan; en Debian: apt-get install --no-install-recommends "
            "libvulkan1 mesa-vulkan-drivers (GPU de AMD e Intel, y lavapipe para la CPU), o el controlador de "
            "NVIDIA");
    }
    return NULL;
}

void tl_device_hint(const tl_cli *cli, telar_status status, const telar_diag *diag)
{
    const char *text = hint_text(cli, status);
    if (text != NULL && diag->limit == 0) tl_notice("%s", text);
}
