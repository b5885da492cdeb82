/* SPDX-License-Identifier: MIT
 *
 * The data of a run: what is bound to each variable of the kernel, what --set writes, where results go, and the count
 * that follows from it. No device is needed for any of it, so that bad input is found first. */
#ifndef TL_CLI_RUN_DATA_H
#define TL_CLI_RUN_DATA_H

#include "kernel_file.h"
#include "plan_options.h"

typedef struct tl_data_options {
    tl_texts binds;
    tl_texts outs;
    tl_texts sets;
} tl_data_options;
extern const tl_option_group tl_data_group;

/* One variable of the kernel. */
typedef struct tl_datum {
    const tl_variable *variable;
    const char *source; /* of --bind; NULL: nothing is bound */
    tl_array array;
    tl_layout layout;
    bool sized;           /* the layout is known */
    unsigned char *bytes; /* the variable's memory, where --set wrote to it */
    uint64_t buffer_bytes;
    const char *out; /* file of --out */
    tl_output output;
} tl_datum;

/* A count that the GPU knows: --count @NAME[:OFFSET]. */
typedef struct tl_gpu_count {
    const char *text; /* as given; NULL: the count is the host's */
    char name[256];
    uint64_t offset_bytes;
} tl_gpu_count;

typedef struct tl_data {
    const tl_kernel_file *kernel;
    tl_datum *items; /* one a variable, in the module's order */
    uint32_t count;
    uint32_t first_bound; /* the first --bind of an array; UINT32_MAX: none */
    tl_datum *counted;    /* where the count is; NULL: the host knows it */
    uint64_t counted_bytes;
    tl_variable counter; /* stands for it where the kernel has no such variable: the last of the items */
    char counter_name[256], counter_type[16];
    telar_override overrides[TL_TEXTS_MAX];
    char override_names[TL_TEXTS_MAX][64];
    uint32_t overrides_count;
} tl_data;

/* Opens all sources and checks them against the kernel's variables; finds the overrides. A count on the GPU may add a
 * buffer that is none of them. */
telar_status tl_data_open(const tl_data_options *options, const tl_kernel_file *kernel, const tl_gpu_count *count,
                          tl_data *data, telar_diag *diag);
void tl_data_close(tl_data *data);

/* The domain of the launch: --count, else from the first bound array. */
telar_status tl_data_count(const tl_data *data, const tl_plan_options *options, const telar_weave_needs *needs,
                           uint64_t count[3], uint32_t *dimensions, telar_diag *diag);

/* With the count known: sizes what nothing is bound to, applies --set, checks arrays against the count and outputs
 * against their formats. `used` says which variables the kernel uses. */
telar_status tl_data_settle(tl_data *data, const tl_data_options *options, const telar_plan *plan,
                            const telar_woven *woven, telar_diag *diag);

/* The datum of a binding of the woven kernel; NULL for the report that a counted kernel with a canary writes to. */
tl_datum *tl_data_of(const tl_data *data, const telar_binding *binding);

#endif
