/* SPDX-License-Identifier: MIT
 *
 * A WGSL file on its way to a launch: read, its variables as data slots, its needs, and woven under a plan. Errors in the
 * source are printed with file, line, column and caret. */
#ifndef TL_CLI_KERNEL_FILE_H
#define TL_CLI_KERNEL_FILE_H

#include "cli.h"
#include "io/fit.h"

#include <telar/weave.h>

/* A uniform or storage variable of the module. */
typedef struct tl_variable {
    char *name;
    char *type_text;
    uint32_t group, binding;
    telar_binding_space space;
    tl_slot slot;
    uint32_t type; /* what tl_variable_field walks from */
} tl_variable;

#define TL_ARENAS_MAX 6 /* one inspection, weavings that succeed */

typedef struct tl_kernel_file {
    const char *path;
    tl_file file;
    telar_arena arena; /* of the module */
    telar_wgsl *module;
    telar_arena arenas[TL_ARENAS_MAX]; /* of needs and of each weaving */
    uint32_t arenas_count;
    tl_variable *variables;
    uint32_t variables_count;
} tl_kernel_file;

/* Options of weave and run that choose the function. */
typedef struct tl_entry_options {
    const char *element;
    const char *entry;
} tl_entry_options;
extern const tl_option_group tl_entry_group;

/* Prints its errors; returns TL_EXIT_DONE or the exit status. */
int tl_kernel_open(const char *path, tl_kernel_file *kernel);
void tl_kernel_close(tl_kernel_file *kernel);

/* The variable of that name; NOT_FOUND with the nearest name, or all of them. */
telar_status tl_kernel_variable(const tl_kernel_file *kernel, const char *option, const char *name, uint32_t *index,
                                telar_diag *diag);
/* Whether the module has an override of that name or @id. */
bool tl_kernel_has_override(const tl_kernel_file *kernel, const char *name);

/* A scalar, vector or matrix inside of a variable. */
typedef struct tl_field {
    uint64_t offset_bytes;
    tl_dtype scalar;
    uint32_t columns, rows; /* columns of `rows` scalars */
    uint32_t column_stride;
} tl_field;
/* path: "" for the variable itself, ".n", ".lights[2].color.x". NOT_FOUND names the members there are. */
telar_status tl_variable_field(const tl_kernel_file *kernel, const tl_variable *variable, const char *path,
                               tl_field *field, telar_diag *diag);

/* Both take memory of their own, which lives until the kernel is closed. A diagnostic with a line is one of the source's:
 * see tl_kernel_report. */
telar_status tl_kernel_inspect(tl_kernel_file *kernel, telar_weave_desc *desc, telar_weave_needs *needs,
                               telar_diag *diag);
telar_status tl_kernel_weave(tl_kernel_file *kernel, const telar_weave_desc *desc, telar_woven *woven,
                             telar_diag *diag);
int tl_kernel_report(const tl_kernel_file *kernel, telar_status status, const telar_diag *diag);

/* Adds what the kernel says of itself to a description that the options gave. */
telar_status tl_kernel_plan_desc(const telar_weave_needs *needs, telar_plan_desc *desc, telar_diag *diag);

#endif
