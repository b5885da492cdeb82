/* SPDX-License-Identifier: MIT
 *
 * A result on its way from a device to its file, with progress. */
#ifndef TL_CLI_RESULT_FILE_H
#define TL_CLI_RESULT_FILE_H

#include "cli.h"
#include "io/fit.h"

typedef struct tl_result {
    const char *path;
    tl_output *output;
    const tl_slot *slot;
    const tl_layout *layout;
    tl_read_back *read; /* from the buffer, as tl_save asks for it */
    void *user;
} tl_result;

/* Writes it all; the file gets its name by tl_output_commit. */
telar_status tl_result_write(const tl_cli *cli, const tl_result *result, telar_diag *diag);

#endif
