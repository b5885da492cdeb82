/* SPDX-License-Identifier: MIT
 *
 * One launch on a device: buffers filled, recorded, prepared, run and timed, read back. Two of them, with different
 * plans, are what --verify compares. */
#ifndef TL_CLI_RUN_LAUNCH_H
#define TL_CLI_RUN_LAUNCH_H

#include "json.h"
#include "run_data.h"

#include <stdio.h>
#include <telar/host.h>

/* The name of the buffer in which a counted launch reports; the kernel's binding of it, too. */
#define TL_REPORT_NAME "telar_report"

/* A buffer of a launch: of a binding, of the count, or of its report. */
typedef struct tl_held {
    const char *name;
    const tl_datum *datum; /* NULL: the report */
    uint64_t data_bytes;
    uint32_t use; /* telar_use */
    WGPUBuffer handle;
} tl_held;

typedef struct tl_launch {
    const tl_cli *cli;
    telar_host *host;
    const tl_data *data;
    const telar_plan *plan;
    const telar_woven *woven;
    uint64_t guard_bytes; /* before and after the data of each buffer but the report; 0: none */
    tl_held *held;        /* one a binding of the woven kernel, then those of a counted launch that are none */
    uint32_t held_count;
    bool counted;
    uint32_t count_at, report_at; /* in held, of a counted launch */
    uint32_t count_value;         /* before the first launch, where guarded */
    uint32_t *words;
    telar_recording recording;
    telar_prepared *prepared;
    uint32_t batch; /* launches of one recording */
    bool timed;
    bool complete; /* what --set wrote is part of the recording: one for a file */
} tl_launch;

typedef struct tl_times {
    uint32_t runs;
    bool gpu;
    double min_us, median_us; /* of the GPU's times, per launch */
    double wall_us;           /* from submission to completion, mean per launch */
} tl_times;

/* --repeat and --time. */
typedef struct tl_repeat_options {
    uint32_t repeat; /* 0: not given, once */
    bool time;
} tl_repeat_options;
extern const tl_option_group tl_repeat_group;
uint32_t tl_repeats(const tl_repeat_options *options);

typedef struct tl_launch_desc {
    const tl_cli *cli;
    telar_host *host;
    const tl_data *data;
    const telar_plan *plan;
    const telar_woven *woven;
    uint32_t repeat;
    bool timed;
    bool guarded;
    bool counted; /* by data->counted, with a kernel woven so */
} tl_launch_desc;

/* Makes and fills the buffers and prepares the recording. An empty plan has buffers and no recording. */
telar_status tl_launch_begin(const tl_launch_desc *desc, tl_launch *launch, telar_diag *diag);
telar_status tl_launch_run(tl_launch *launch, uint32_t repeat, tl_times *times, telar_diag *diag);
/* Bytes of the data of a held buffer. */
telar_status tl_launch_read(const tl_launch *launch, uint32_t held, uint64_t offset_bytes, void *into, uint64_t bytes,
                            telar_diag *diag);
/* The held buffer of a datum; UINT32_MAX: none. */
uint32_t tl_launch_find(const tl_launch *launch, const tl_datum *datum);
/* Of a counted launch, after it ran. */
telar_status tl_launch_report(const tl_launch *launch, telar_count_report *report, telar_diag *diag);
/* MISMATCH names the buffer and the first byte outside of it that was written. */
telar_status tl_launch_check_guards(const tl_launch *launch, telar_diag *diag);
void tl_launch_end(tl_launch *launch); /* a zeroed one is allowed */

/* Runs K times, in batches; one span of marks a run, where timed. Shared with replay. */
typedef struct tl_rounds {
    const tl_cli *cli;
    telar_host *host;
    telar_prepared *prepared;
    uint32_t repeat, batch;
    uint32_t spans; /* whose times are added up; 0: no times */
} tl_rounds;
telar_status tl_rounds_run(const tl_rounds *rounds, tl_times *times, telar_diag *diag);
/* Writes an array to a buffer, part by part. */
telar_status tl_upload(const tl_cli *cli, telar_host *host, const char *name, const tl_array *array, WGPUBuffer buffer,
                       uint64_t offset_bytes, telar_diag *diag);

/* ---- run_times.c ---- */

void tl_times_json(tl_json *json, const tl_times *times); /* gpu_us, wall_us */
/* The time that a copy of as many bytes takes by the profile (a dispatch's overhead, and the rate of the cache that holds them,
 * or of memory), over this time; 0 where the rate was not measured. */
double tl_share_of_copy(const telar_facts *facts, uint64_t bytes, double us);
void tl_share_json(tl_json *json, const telar_facts *facts, uint64_t bytes, const tl_times *times);
void tl_times_text(const tl_cli *cli, FILE *stream, const tl_times *times);
void tl_report_json(tl_json *json, const telar_count_report *report); /* NULL: null */
void tl_report_text(const tl_cli *cli, FILE *stream, const char *name, const telar_count_report *report);
void tl_output_json(tl_json *json, const char *name, const char *file, const tl_layout *layout);
void tl_output_text(FILE *stream, const char *name, const char *file, const tl_layout *layout);

/* ---- run_record.c ---- */

/* The recording of the launch, in words of malloc's. */
telar_status tl_launch_record(const tl_launch *launch, uint32_t **words, telar_recording *recording, telar_diag *diag);
/* The same launch without guard bands, once, with marks, with all that --set wrote: as words to a file. */
telar_status tl_launch_write(const tl_launch *launch, tl_output *output, telar_diag *diag);

#endif
