/* SPDX-License-Identifier: MIT
 *
 * What `sweep` and `tune KERNEL` do on an open device: a kernel over a domain, from its name to candidates with their times. */
#ifndef TL_CLI_SWEEP_SESSION_H
#define TL_CLI_SWEEP_SESSION_H

#include "device_find.h"
#include "progress.h"
#include "sweep/user.h"

typedef struct tl_session {
    const tl_cli *cli;
    tl_device device;
    tl_sweep_facts facts;
    tl_sweep_bench bench;
    tl_progress progress;
} tl_session;

/* facts: a file, "default", or NULL: what `telar tune` measured. Prints its errors; TL_EXIT_DONE or the exit status. */
int tl_session_open(const tl_cli *cli, const char *device, const char *facts, tl_session *session);
void tl_session_close(tl_session *session);

/* A case by its name, or a user's file. */
typedef struct tl_target {
    tl_subject *subject;
    tl_subject own; /* of a case */
    tl_user user;   /* where the subject is a user's */
    bool is_user;
} tl_target;
int tl_target_open(const char *name, const tl_user_options *options, tl_target *target);
void tl_target_close(tl_target *target);

/* Measures all candidates of one domain. */
telar_status tl_session_measure(tl_session *session, tl_target *target, const tl_domain *domain,
                                const tl_choices *choices, const tl_measure_desc *desc, tl_candidates *candidates,
                                double *noise, telar_diag *diag);
/* A line on standard error for each candidate whose output is wrong. */
void tl_session_complain(const tl_session *session, const tl_target *target, const tl_domain *domain,
                         const tl_candidates *candidates);

/* An option: "N|WxH[,...]". */
#define TL_DOMAINS_MAX 32
typedef struct tl_domains {
    tl_domain items[TL_DOMAINS_MAX];
    uint32_t count;
} tl_domains;
tl_take tl_take_domains;
/* As the subject's axes want it: a number of elements becomes a square, or nearly. INVALID_ARGUMENT. */
telar_status tl_domain_fit(const tl_subject *subject, tl_domain *domain, telar_diag *diag);

#endif
