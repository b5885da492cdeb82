/* SPDX-License-Identifier: MIT
 *
 * A tuned kernel in the forms that a program can use. */
#ifndef TL_CLI_SWEEP_OUTCOME_H
#define TL_CLI_SWEEP_OUTCOME_H

#include "sweep/sweep.h"

typedef struct tl_outcome {
    const tl_subject *subject;
    const tl_domain *domain;
    const tl_candidate *best;
    const tl_candidate *usual; /* the plan of a device that was never tuned */
    const char *device;        /* the adapter's own name */
} tl_outcome;

/* A complete C declaration of a telar_plan_desc, with a comment. */
void tl_outcome_c(const tl_outcome *outcome, telar_out *out);

/* The kernel as it would be dispatched: an element function woven, an ordinary kernel with its overrides' values as their
 * defaults. `memory` holds it. */
telar_status tl_outcome_wgsl(const tl_outcome *outcome, const telar_facts *facts, telar_dialect dialect, void **memory,
                             const char **text, size_t *bytes, telar_diag *diag);

/* Under "kernels", by the kernel's name, in a facts file; what the file has beyond it is kept. IO_FAILED, INVALID_DATA. */
telar_status tl_outcome_facts(const tl_outcome *outcome, const char *path, telar_diag *diag);

#endif
