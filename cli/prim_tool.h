/* SPDX-License-Identifier: MIT
 *
 * What the commands of the primitives share: data from files, a recording, a run, results to files, a check against
 * plain C. A command is a tl_prim_spec and its options; its file says which arrays there are, records the primitive, and
 * has it in plain C. */
#ifndef TL_CLI_PRIM_TOOL_H
#define TL_CLI_PRIM_TOOL_H

#include "device_find.h"
#include "io/array.h"
#include "io/fit.h"
#include "prim_expression.h"
#include "run_launch.h"

#include <telar/prim.h>

enum {
    TL_PRIM_DATA_MAX = 12
};

typedef struct tl_prim_options {
    tl_texts with;
    const char *out;
    const char *combine;  /* a file of WGSL */
    const char *identity; /* of its operator */
    bool verify;
    bool plain;
    const char *device;
    tl_repeat_options runs;
} tl_prim_options;
extern const tl_option_group tl_prim_group;
/* Of some commands, at the same offset: --with; --combine for expressions; --combine and --identity for an operator. */
extern const tl_option_group tl_prim_with_group, tl_prim_functions_group, tl_prim_operator_group;
/* The groups of all commands whose options are a `type` with a tl_prim_options `prim`, after their own. */
#define TL_PRIM_GROUPS(type)                                                                                           \
    {&tl_prim_group, offsetof(type, prim)}, {&tl_device_group, offsetof(type, prim.device)},                           \
    {                                                                                                                  \
        &tl_repeat_group, offsetof(type, prim.runs)                                                                    \
    }

/* An array of a run: an input, or a result. */
typedef struct tl_prim_data {
    const char *name;
    const char *source; /* of an input */
    tl_array array;     /* of an input */
    tl_dtype dtype;
    uint64_t elements; /* of the buffer; of a result what is kept of it, once `finish` has run */
    uint64_t capacity_bytes;
    telar_buffer buffer;
    WGPUBuffer handle;
    const char *out; /* the file that it goes to; NULL: none */
    tl_output output;
    tl_layout layout;
} tl_prim_data;

typedef struct tl_prim_spec tl_prim_spec;

typedef struct tl_prim_tool {
    const tl_cli *cli;
    const tl_prim_spec *spec;
    const void *state; /* the command's options */
    const tl_prim_options *options;
    tl_device device;
    telar_facts facts;
    telar_prim prim;
    telar_arena arena;
    telar_record record;
    tl_prim_data data[TL_PRIM_DATA_MAX]; /* the inputs in the order of the command line, then the results */
    uint32_t data_count;
    uint32_t inputs_count;
    uint64_t elements; /* that the launch is for: those of the first input, unless `declare` says otherwise */
    uint64_t bytes;    /* that must be read and written once; for the report */
    char *combine;     /* the text of --combine */
    telar_prepared *prepared;
    uint32_t *words;
    telar_recording recording;
    tl_times times;
    bool verified;
    telar_diag diag;
} tl_prim_tool;

struct tl_prim_spec {
    const char *name;
    uint32_t inputs_min, inputs_max; /* DATA and --with */
    /* Checks the options and inputs, and declares the results. */
    telar_status (*declare)(tl_prim_tool *tool);
    void (*record)(tl_prim_tool *tool);
    /* After the run, where results have a length that the GPU made; may be NULL. */
    telar_status (*finish)(tl_prim_tool *tool);
    /* The results against plain C: MISMATCH names the first element. UNSUPPORTED says why it cannot. */
    telar_status (*verify)(tl_prim_tool *tool);
};

/* The `run` of a command that has a `prim`. */
int tl_prim_run(tl_cli *cli, void *state, char **files, uint32_t files_count);

/* ---- for the commands ---- */

/* A further input; those of the command line come first. Before any result. */
telar_status tl_prim_add_input(tl_prim_tool *tool, const char *source);
/* One of u32; `what` names its elements in the refusal of others: "indices". */
telar_status tl_prim_add_words(tl_prim_tool *tool, const char *source, const char *what);
/* A result of so many elements at most. `out` is its file, or NULL. */
tl_prim_data *tl_prim_result(tl_prim_tool *tool, const char *name, tl_dtype dtype, uint64_t elements, const char *out,
                             telar_status *status);
/* The k-th result. */
tl_prim_data *tl_prim_result_at(tl_prim_tool *tool, uint32_t k);
telar_array tl_prim_array(const tl_prim_data *data);
/* "f32", for telar_type and WGSL; NULL: primitives have no such element. */
const char *tl_prim_type(tl_dtype dtype);
/* The operator that a name of --op or --combine says. INVALID_ARGUMENT names those that there are. */
telar_status tl_prim_operator(const tl_prim_tool *tool, const char *name, telar_operator *op, telar_diag *diag);
/* Refuses an expression of --`option`, of these variables and i, with the place of the mistake. NULL is none. */
telar_status tl_prim_check(tl_prim_tool *tool, const char *option, const char *text, const tl_operand *variables,
                           uint32_t count, const char *result);
/* One of x, an element of the first array. */
telar_status tl_prim_check_x(tl_prim_tool *tool, const char *option, const char *text, const char *result);
/* Refuses inputs whose element type primitives do not have. */
telar_status tl_prim_known_types(tl_prim_tool *tool);
/* Refuses inputs of different lengths. */
telar_status tl_prim_same_length(tl_prim_tool *tool);

/* Records the primitive and makes it ready to run, again: without bounds checks when trusted. */
telar_status tl_prim_prepare(tl_prim_tool *tool, bool trusted);

/* The whole of a result, or of an input, in memory of malloc's. */
telar_status tl_prim_read(tl_prim_tool *tool, const tl_prim_data *data, void **memory);
/* All results but the first have the length that stands in that one, at most what they have room for. */
telar_status tl_prim_cut(tl_prim_tool *tool);
/* Element k as a double, and an exact integer where it is one. */
double tl_prim_number(tl_dtype dtype, const void *data, uint64_t k);
int64_t tl_prim_integer(tl_dtype dtype, const void *data, uint64_t k);

#endif
