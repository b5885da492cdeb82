/* SPDX-License-Identifier: MIT
 *
 * Everything of one run, for the files that make it: cmd_run.c does it, run_results.c says what came out. */
#ifndef TL_CLI_RUN_STATE_H
#define TL_CLI_RUN_STATE_H

#include "device_find.h"
#include "run_count.h"
#include "run_verify.h"

typedef struct tl_run_options {
    tl_entry_options entry;
    tl_data_options data;
    tl_plan_options plan;
    tl_capacity capacity;
    const char *device;
    const char *record;
    tl_repeat_options runs;
    bool explain, verify;
} tl_run_options;

typedef struct tl_run {
    const tl_cli *cli;
    const tl_run_options *options;
    tl_gpu_count gpu_count; /* text NULL: the host knows the count */
    tl_kernel_file kernel;
    tl_data data;
    tl_output recording; /* of --record */
    tl_device device;
    telar_weave_desc weave;
    telar_weave_needs needs;
    telar_facts facts;
    telar_plan_desc plan_desc;
    telar_plan plan;
    telar_woven woven;
    tl_launch launch;
    tl_times times;
    telar_count_report report;
    bool verified, verify_failed;
    telar_diag verdict;
    telar_diag diag;
    bool source_error; /* the diagnostic belongs to the source */
} tl_run;

/* ---- run_results.c ---- */

/* Writes the files of --out and --record, and gives them their names. */
telar_status tl_run_write(tl_run *run);
void tl_run_print(const tl_run *run);

#endif
