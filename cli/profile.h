/* SPDX-License-Identifier: MIT
 *
 * Profiles: the facts that `telar tune` measured, kept for all commands that open the device. One facts file for each
 * adapter, driver and implementation, in $XDG_CACHE_HOME/telar, or ~/.cache/telar. */
#ifndef TL_CLI_PROFILE_H
#define TL_CLI_PROFILE_H

#include "io/file.h"

#include <telar/host.h>

/* The file of this adapter; false, and "", where there is no folder for it. */
bool tl_profile_path(const telar_adapter_info *info, char path[TL_PATH_BYTES]);

/* Adds what was measured to a device's own facts, and takes back what was refuted. A profile that is missing, or that cannot be read, adds nothing: what
 * lies in a cache stops no command. */
void tl_profile_add(const telar_adapter_info *info, telar_facts *facts);

/* Writes the facts to the adapter's profile; path as above, and OK where it is "". IO_FAILED. */
telar_status tl_profile_write(const telar_adapter_info *info, const telar_facts *facts, char path[TL_PATH_BYTES],
                              telar_diag *diag);

#endif
