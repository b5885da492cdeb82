/* SPDX-License-Identifier: MIT
 *
 * WebGPU libraries and the devices behind them: which library files are tried, names like wgpu:0, the default choice,
 * and what to install when there is none. */
#ifndef TL_CLI_DEVICE_FIND_H
#define TL_CLI_DEVICE_FIND_H

#include "cli.h"

#include <telar/facts.h>
#include <telar/host.h>

/* Libraries in the order in which they are tried, one an implementation. */
#define TL_LIBRARIES_MAX 4
typedef struct tl_libraries {
    telar_webgpu items[TL_LIBRARIES_MAX];
    uint32_t count;
    uint32_t tried; /* files that looked like a library and could not be used */
    telar_diag why; /* of the first of those */
} tl_libraries;

/* TELAR_WEBGPU first (that it cannot be loaded is a failure), then each implementation by its usual file names: in the
 * default folders, then by the system's loader. With `wanted`, no library of another implementation is loaded after
 * TELAR_WEBGPU's. NO_LIBRARY when there is none. */
telar_status tl_libraries_load(tl_libraries *libraries, telar_implementation wanted, telar_diag *diag);
void tl_libraries_unload(tl_libraries *libraries);

/* "wgpu:0" or "dawn:0". */
bool tl_is_device_name(const char *name);
/* The name of an implementation in device names: "wgpu". */
const char *tl_implementation_text(telar_implementation implementation);

/* The best of the usable adapters (discrete, integrated, CPU, other); UINT32_MAX when none is usable. */
uint32_t tl_best_adapter(const telar_adapter_info *adapters, size_t count);

#define TL_ADAPTERS_MAX 32
/* At most TL_ADAPTERS_MAX of them. */
telar_status tl_adapters_list(const telar_webgpu *webgpu, telar_adapter_info adapters[TL_ADAPTERS_MAX], size_t *count,
                              telar_diag *diag);

/* --device, a `const char *`. */
extern const tl_option_group tl_device_group;

/* An open device and the libraries that it needs. */
typedef struct tl_device {
    tl_libraries libraries;
    telar_host *host;
    bool compatibility; /* opened by that name: plan with that set of limits */
    bool by_default;    /* nobody named it */
} tl_device;

/* name: a device's, "default" or "compatibility" (the default device, with the specification's default limits), or
 * NULL: TELAR_DEVICE, else the default device. */
telar_status tl_device_open(const char *name, tl_device *device, telar_diag *diag);
void tl_device_close(tl_device *device);
/* Says on standard error when a CPU adapter stands in for a GPU that nobody named. */
void tl_device_announce(const tl_cli *cli, const tl_device *device);

/* What is known of an open device: its own facts, and what an earlier `telar tune` measured. */
telar_facts tl_device_known(const telar_host *host);

/* What plans are made of: that, with the limits that its name asks for. */
telar_facts tl_device_plan_facts(const tl_device *device);

/* The same of a device that is opened for as long as it takes to ask. */
telar_status tl_device_facts(const char *name, telar_facts *facts, telar_diag *diag);

/* After NO_LIBRARY or NO_DEVICE: what to install, on standard error. Nothing when there are devices and only another one
 * was asked for. */
void tl_device_hint(const tl_cli *cli, telar_status status, const telar_diag *diag);

#endif
