/* SPDX-License-Identifier: MIT
 *
 * telar tune KERNEL: the fastest way to launch one kernel on this device, and its result as facts, as WGSL or as C. */
#ifndef TL_CLI_TUNE_KERNEL_H
#define TL_CLI_TUNE_KERNEL_H

#include "sweep/session.h"

typedef struct tl_tune_kernel_options {
    tl_domains counts;
    tl_choices choices; /* --sizes, --items, --shapes, --no-vectors */
    const char *facts;
    const char *wgsl;
    const char *c;
    tl_user_options user;
} tl_tune_kernel_options;
extern const tl_option_group tl_tune_kernel_group;

/* out: a facts file that takes the result in, or NULL. Prints; returns the exit status. */
int tl_tune_kernel(const tl_cli *cli, const char *kernel, const tl_tune_kernel_options *from, const char *device,
                   double time_s, const char *out);

#endif
