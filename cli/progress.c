/* SPDX-License-Identifier: MIT
 *
 * Progress on standard error. */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define QUIET_NS UINT64_C(500000000)
#define STEP_NS UINT64_C(100000000)

uint64_t tl_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

tl_progress tl_progress_begin(const char *what)
{
    return (tl_progress){.what = what, .begun_ns = tl_clock_ns(), .terminal = isatty(STDERR_FILENO) == 1};
}

void tl_progress_at(tl_progress *progress, uint64_t done, uint64_t all)
{
    if (!progress->terminal) return;
    uint64_t now = tl_clock_ns();
    if (now - progress->begun_ns < QUIET_NS || now - progress->shown_ns < STEP_NS) return;
    progress->shown_ns = now;
    progress->shown = true;
    unsigned percent = all == 0 ? 100 : (unsigned)((double)done * 100.0 / (double)all);
    fprintf(stderr, "\r\033[K%s: %u %%", progress->what, percent);
    fflush(stderr);
}

void tl_progress_end(tl_progress *progress)
{
    if (!progress->shown) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->shown = false;
}
