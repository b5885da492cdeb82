/* SPDX-License-Identifier: MIT
 *
 * The table of WebGPU functions: filled by name from a library, and the little that tells the implementations apart. */
#include "host/host.h"

#include <string.h>

/* A data pointer of dlsym's becomes a function pointer. ISO C has no such conversion, every system with dlsym does. */
static void set_function(void *field, void *symbol)
{
    memcpy(field, &symbol, sizeof symbol);
}

typedef struct name_slot {
    const char *name;
    size_t offset;
} name_slot;

static const name_slot standard[] = {
#define SLOT(name) {"wgpu" #name, offsetof(telar_webgpu, name)},
    TELAR_WEBGPU_LIST(SLOT)
#undef SLOT
};

static const name_slot beyond[] = {
#define SLOT(name) {"wgpu" #name, offsetof(telar_webgpu, name)},
    SLOT(ComputePassEncoderSetImmediates) SLOT(DeviceGetAdapterInfo) SLOT(DevicePoll) SLOT(QueueGetTimestampPeriod)
        SLOT(GetVersion) SLOT(DeviceTick) SLOT(InstanceEnumerateAdapters) SLOT(DeviceCreateShaderModuleTrusted)
#undef SLOT
};

static telar_implementation implementation_of(const telar_webgpu *webgpu)
{
    if (webgpu->DeviceTick != NULL) return TELAR_IMPLEMENTATION_DAWN;
    if (webgpu->DevicePoll != NULL) return TELAR_IMPLEMENTATION_WGPU;
    return TELAR_IMPLEMENTATION_UNKNOWN;
}

telar_status telar_webgpu_fill(telar_webgpu *webgpu, void *(*look_up)(void *user, const char *name), void *user,
                               telar_diag *diag)
{
    *webgpu = (telar_webgpu){0};
    for (size_t k = 0; k < TL_COUNT(standard); k++) {
        void *symbol = look_up(user, standard[k].name);
        if (symbol == NULL) {
            *webgpu = (telar_webgpu){0};
            return tl_fail(diag, TELAR_NO_LIBRARY, "function %s is missing", standard[k].name);
        }
        set_function((char *)webgpu + standard[k].offset, symbol);
    }
    for (size_t k = 0; k < TL_COUNT(beyond); k++) {
        set_function((char *)webgpu + beyond[k].offset, look_up(user, beyond[k].name));
    }
    webgpu->implementation = implementation_of(webgpu);
    return TELAR_OK;
}

static void *look_up_symbol(void *library, const char *name)
{
    return tl_library_symbol(library, name);
}

static telar_status load_path(const char *path, telar_webgpu *webgpu, telar_diag *diag)
{
    if (strlen(path) >= sizeof webgpu->path) {
        return tl_fail(diag, TELAR_NO_LIBRARY, "the path of the WebGPU library is too long");
    }
    void *library = tl_library_open(path);
    if (library == NULL) {
        return tl_fail(diag, TELAR_NO_LIBRARY, "'%s' cannot be loaded: %s", path, tl_library_error());
    }
    telar_diag why;
    if (telar_webgpu_fill(webgpu, look_up_symbol, library, &why) != TELAR_OK) {
        tl_library_close(library);
        return tl_fail(diag, TELAR_NO_LIBRARY, "'%s' is no usable WebGPU library: %s", path, why.text);
    }
    webgpu->library = library;
    memcpy(webgpu->path, path, strlen(path) + 1);
    return TELAR_OK;
}

#if defined(_WIN32)
static const char *const usual_names[] = {"wgpu_native.dll", "webgpu_dawn.dll"};
#elif defined(__APPLE__)
static const char *const usual_names[] = {"libwgpu_native.dylib", "libwebgpu_dawn.dylib"};
#else
static const char *const usual_names[] = {"libwgpu_native.so", "libwgpu_native-release.so", "libwebgpu_dawn.so",
                                          "libwebgpu_wrapper.so"};
#endif

telar_status telar_webgpu_load(const char *path, telar_webgpu *webgpu, telar_diag *diag)
{
    *webgpu = (telar_webgpu){0};
    if (path == NULL) path = tl_environment("TELAR_WEBGPU");
    if (path != NULL && path[0] != '\0') return load_path(path, webgpu, diag);
    for (size_t k = 0; k < TL_COUNT(usual_names); k++) {
        if (load_path(usual_names[k], webgpu, NULL) == TELAR_OK) return TELAR_OK;
    }
    return tl_fail(diag, TELAR_NO_LIBRARY,
                   "no WebGPU library: TELAR_WEBGPU is not set and the loader finds none of %s, %s; "
                   "set TELAR_WEBGPU to the path of wgpu-native or Dawn",
                   usual_names[0], usual_names[1]);
}

void telar_webgpu_unload(telar_webgpu *webgpu)
{
    if (webgpu->library != NULL) tl_library_close(webgpu->library);
    *webgpu = (telar_webgpu){0};
}
