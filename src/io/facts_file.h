/* SPDX-License-Identifier: MIT
 *
 * Facts files: JSON with version, device, limits, features, facts. Names that this version does not know are allowed
 * when read and kept when written. */
#ifndef TL_IO_FACTS_FILE_H
#define TL_IO_FACTS_FILE_H

#include "base/base.h"
#include <telar/facts.h>

#define TL_FACTS_VERSION 1

/* Limits that the file does not name stay WebGPU's defaults. IO_FAILED, INVALID_DATA (with line and column), the limits'
 * own statuses. */
telar_status tl_facts_file_read(const char *path, telar_facts *facts, telar_diag *diag);
/* The same from memory; `name` stands in messages. */
telar_status tl_facts_text_read(const char *name, const char *text, size_t bytes, telar_facts *facts, telar_diag *diag);

/* Writes the facts over an older file at that path, keeping what it has beyond them. */
telar_status tl_facts_file_write(const char *path, const telar_facts *facts, telar_diag *diag);

#endif
