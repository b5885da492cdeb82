/* SPDX-License-Identifier: MIT
 *
 * Text slices. */
#include "base/base.h"

#include <string.h>

tl_str tl_str_of(const char *zero_terminated)
{
    return (tl_str){zero_terminated, strlen(zero_terminated)};
}

bool tl_str_equal(tl_str a, tl_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}
