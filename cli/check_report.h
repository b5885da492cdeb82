/* SPDX-License-Identifier: MIT
 *
 * What telar check prints: text with caret lines, JSON, SARIF 2.1.0. */
#ifndef TL_CLI_CHECK_REPORT_H
#define TL_CLI_CHECK_REPORT_H

#include "cli.h"
#include "json.h"

#include <telar/check.h>

/* A file that was checked. */
typedef struct tl_checked {
    const char *name; /* as shown */
    const char *source;
    size_t source_bytes;
    telar_check_result result;
    const bool *foldable; /* by entry point of the reflection */
} tl_checked;

/* A report while it is printed. */
typedef struct tl_check_state {
    const tl_cli *cli;
    tl_json json;
    uint32_t files, errors, warnings, notes;
} tl_check_state;

/* One report over all files: begin, a call for each, end. */
typedef struct tl_check_report {
    void (*begin)(tl_check_state *state);
    void (*file)(tl_check_state *state, const tl_checked *checked);
    void (*end)(tl_check_state *state);
} tl_check_report;

extern const tl_check_report tl_check_text, tl_check_json, tl_check_sarif;

#endif
