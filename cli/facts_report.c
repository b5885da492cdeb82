/* SPDX-License-Identifier: MIT
 *
 * Measured facts, one a line or one a key. */
#include "facts_report.h"

#include <telar/tune.h>

#include <stdio.h>

/* Timed or tried by tuning; not what an adapter says of itself. */
static bool measured(const telar_facts *facts, int name)
{
    telar_fact_source source = facts->values[name].source;
    bool found = source == TELAR_SOURCE_MEASURED || source == TELAR_SOURCE_PROBE;
    return found && telar_tune_how((telar_fact_name)name, TELAR_ENGLISH)[0] != 0;
}

uint32_t tl_facts_text(const tl_cli *cli, const telar_facts *facts, const char *indent)
{
    uint32_t count = 0;
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        if (!measured(facts, k)) continue;
        const telar_fact *fact = &facts->values[k];
        printf("%s%-25s %12.6g %-16s ±%5.1f %%  %-8s  %s\n", indent, telar_fact_text((telar_fact_name)k), fact->value,
               telar_fact_unit((telar_fact_name)k), fact->spread * 100, telar_fact_source_text(fact->source),
               telar_tune_how((telar_fact_name)k, cli->language));
        count++;
    }
    return count;
}

void tl_facts_json(tl_json *json, const char *key, const telar_facts *facts)
{
    tl_json_object(json, key);
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        if (!measured(facts, k)) continue;
        tl_json_object(json, telar_fact_text((telar_fact_name)k));
        tl_json_f64(json, "value", facts->values[k].value);
        tl_json_text(json, "unit", telar_fact_unit((telar_fact_name)k));
        tl_json_f64(json, "spread", facts->values[k].spread);
        tl_json_text(json, "source", telar_fact_source_text(facts->values[k].source));
        tl_json_text(json, "how", telar_tune_how((telar_fact_name)k, TELAR_ENGLISH));
        tl_json_end_object(json);
    }
    tl_json_end_object(json);
}
