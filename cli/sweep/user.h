/* SPDX-License-Identifier: MIT
 *
 * A user's own kernel as a subject: its file, what is bound and set, and what must come out of every candidate: what the
 * plan of an untuned device computes. */
#ifndef TL_CLI_SWEEP_USER_H
#define TL_CLI_SWEEP_USER_H

#include "run_data.h"
#include "sweep/sweep.h"

typedef struct tl_user_options {
    tl_entry_options entry;
    tl_texts binds;
    tl_texts sets; /* NAME=VALUE of run; a list of values of an override is a further dimension of the search */
    telar_kind kind;
    uint32_t bytes; /* an element; 0: as the kernel's accesses say */
    uint32_t halo;
} tl_user_options;
extern const tl_option_group tl_user_group;

typedef struct tl_user {
    tl_kernel_file kernel;
    tl_subject subject;
    tl_data_options data_options;
    tl_data data; /* overrides, and a count */
    char name[TL_SWEEP_NAME_BYTES];
    char set_names[TL_SWEEP_SETS_MAX + 1][TL_SWEEP_NAME_BYTES];
} tl_user;

/* Prints its errors; TL_EXIT_DONE or the exit status. */
int tl_user_open(const char *path, const tl_user_options *from, tl_user *user);
void tl_user_close(tl_user *user);

/* The domain of the arrays that are bound. INVALID_ARGUMENT: none is. */
telar_status tl_user_domain(const tl_user *user, tl_domain *domain, telar_diag *diag);

/* The arrays over one domain: what is bound, and for inputs to which nothing is, random numbers. Then one run of the
 * candidate with the role DEFAULT, whose outputs are what is expected. */
telar_status tl_user_bed(const tl_cli *cli, tl_user *user, tl_sweep_bench *bench, const tl_domain *domain,
                         const tl_candidates *candidates, tl_bed *bed, telar_diag *diag);

#endif
