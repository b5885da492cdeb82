/* SPDX-License-Identifier: MIT
 *
 * Filling a diagnostic. */
#include "base/base.h"

#include <string.h>

static telar_status fail(telar_diag *diag, telar_status status, uint64_t got, uint64_t limit, const char *format,
                         va_list args)
{
    if (diag == NULL) return status;
    *diag = (telar_diag){.status = status, .got = got, .limit = limit};
    telar_out out = {.data = diag->text, .cap = sizeof diag->text};
    tl_out_vformat(&out, format, args);
    if (telar_out_status(&out) != TELAR_OK) memcpy(diag->text + sizeof diag->text - 4, "...", 4);
    return status;
}

telar_status tl_fail(telar_diag *diag, telar_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(diag, status, 0, 0, format, args);
    va_end(args);
    return status;
}

telar_status tl_fail_limit(telar_diag *diag, telar_status status, uint64_t got, uint64_t limit, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(diag, status, got, limit, format, args);
    va_end(args);
    return status;
}
