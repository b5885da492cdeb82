/* SPDX-License-Identifier: MIT
 *
 * From the reader's types to data slots. */
#ifndef TL_CLI_KERNEL_TYPES_H
#define TL_CLI_KERNEL_TYPES_H

#include "kernel_file.h"

/* Fills kernel->variables from its module. */
telar_status tl_kernel_list_variables(tl_kernel_file *kernel, telar_diag *diag);

#endif
