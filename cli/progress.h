/* SPDX-License-Identifier: MIT
 *
 * Progress of long work: one line on standard error, only on a terminal, only after half a second, gone at the end. */
#ifndef TL_CLI_PROGRESS_H
#define TL_CLI_PROGRESS_H

#include "cli.h"

typedef struct tl_progress {
    const char *what;
    uint64_t begun_ns, shown_ns;
    bool shown, terminal;
} tl_progress;

tl_progress tl_progress_begin(const char *what);
void tl_progress_at(tl_progress *progress, uint64_t done, uint64_t all);
void tl_progress_end(tl_progress *progress);

/* A clock that only goes forward. */
uint64_t tl_clock_ns(void);

#endif
