/* SPDX-License-Identifier: MIT
 *
 * One launch on a device: buffers filled, recorded, prepared, run and timed, read back. Two of them, with different
 * plans, are what --verify compares. */
#ifndef TL_CLI_RUN_LAUNCH_H
#define TL_CLI_RUN_LAUNCH_H

#include "run_data.h"

#include <telar/host.h>

typedef struct tl_launch {
    const tl_cli *cli;
    telar_host *host;
    const tl_data *data;
    const telar_plan *plan;
    const telar_woven *woven;
    uint64_t guard_bytes; /* before and after each buffer's data; 0: none */
    WGPUBuffer *buffers;  /* one a binding of the woven kernel */
    uint32_t *words;
    telar_recording recording;
    telar_prepared *prepared;
    uint32_t batch; /* launches of one recording */
    bool timed;
} tl_launch;

typedef struct tl_times {
    uint32_t runs;
    bool gpu;
    double min_us, median_us; /* of the GPU's times, per launch */
    double wall_us;           /* from submission to completion, mean per launch */
} tl_times;

typedef struct tl_launch_desc {
    const tl_cli *cli;
    telar_host *host;
    const tl_data *data;
    const telar_plan *plan;
    const telar_woven *woven;
    uint32_t repeat;
    bool timed;
    bool guarded;
} tl_launch_desc;

/* Makes and fills the buffers and prepares the recording. An empty plan has buffers and no recording. */
telar_status tl_launch_begin(const tl_launch_desc *desc, tl_launch *launch, telar_diag *diag);
telar_status tl_launch_run(tl_launch *launch, uint32_t repeat, tl_times *times, telar_diag *diag);
/* Bytes of the data of a binding. */
telar_status tl_launch_read(const tl_launch *launch, uint32_t binding, uint64_t offset_bytes, void *into,
                            uint64_t bytes, telar_diag *diag);
/* MISMATCH names the buffer and the first byte outside of it that was written. */
telar_status tl_launch_check_guards(const tl_launch *launch, telar_diag *diag);
void tl_launch_end(tl_launch *launch); /* a zeroed one is allowed */

#endif
