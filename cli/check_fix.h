/* SPDX-License-Identifier: MIT
 *
 * Edits of findings, made in their file. */
#ifndef TL_CLI_CHECK_FIX_H
#define TL_CLI_CHECK_FIX_H

#include "check_report.h"

/* Makes the edits of all findings, those that overlap an earlier one left out, and replaces the file where there are any.
 * *made is how many findings were mended. */
telar_status tl_check_fix_file(const char *path, const tl_checked *checked, uint32_t *made, telar_diag *diag);

#endif
