/* SPDX-License-Identifier: MIT
 *
 * The page of a sweep. */
#ifndef TL_CLI_SWEEP_PAGE_H
#define TL_CLI_SWEEP_PAGE_H

#include "io/file.h"
#include "sweep/table.h"

typedef struct tl_page_desc {
    telar_language language; /* the first; the page can change it */
    const char *link; /* a folder or address where the page finds the plotting library; NULL: the page carries it */
} tl_page_desc;

/* *complete: the plotting library is there. The output was begun, and is neither committed nor abandoned here. */
telar_status tl_page_write(const tl_sweep_table *table, const tl_page_desc *desc, tl_output *output, bool *complete,
                           telar_diag *diag);

#endif
