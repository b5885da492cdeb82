/* SPDX-License-Identifier: MIT
 *
 * Facts files: JSON with version, device, limits, features, facts. Names that this version does not know are allowed
 * when read and kept when written. */
#ifndef TL_IO_FACTS_FILE_H
#define TL_IO_FACTS_FILE_H

#include "base/base.h"
#include <telar/facts.h>
#include <telar/plan.h>

#define TL_FACTS_VERSION 1

/* Limits that the file does not name stay WebGPU's defaults. IO_FAILED, INVALID_DATA (with line and column), the limits'
 * own statuses. */
telar_status tl_facts_file_read(const char *path, telar_facts *facts, telar_diag *diag);
/* The same from memory; `name` stands in messages. */
telar_status tl_facts_text_read(const char *name, const char *text, size_t bytes, telar_facts *facts, telar_diag *diag);

/* In a few words, how a measured fact is got: telar_tune_how. */
typedef const char *tl_fact_how(telar_fact_name name, telar_language language);

/* Writes the facts over an older file at that path, keeping what it has beyond them. `how` (may be NULL) goes to the
 * facts that are measured. */
telar_status tl_facts_file_write(const char *path, const telar_facts *facts, tl_fact_how *how, telar_diag *diag);

#endif
