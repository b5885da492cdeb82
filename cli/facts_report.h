/* SPDX-License-Identifier: MIT
 *
 * What was measured of a device, for people and as JSON. */
#ifndef TL_CLI_FACTS_REPORT_H
#define TL_CLI_FACTS_REPORT_H

#include "cli.h"
#include "json.h"

#include <telar/facts.h>

/* A line a measured fact; how many there are. */
uint32_t tl_facts_text(const tl_cli *cli, const telar_facts *facts, const char *indent);
/* As in a facts file. */
void tl_facts_json(tl_json *json, const char *key, const telar_facts *facts);

#endif
