/* SPDX-License-Identifier: MIT
 *
 * Limits and hardware facts by name, and the two sets of limits that the specification names. What a limit means for a
 * launch is not known here. */
#include "plan/plan.h"

#include <string.h>

typedef struct limit_row {
    const char *name;
    size_t offset;
    uint64_t default_value;
    uint64_t compatibility;
} limit_row;

static const limit_row limit_rows[] = {
#define ROW(name, default_value, compatibility) {#name, offsetof(telar_limits, name), default_value, compatibility},
    TELAR_LIMIT_LIST(ROW)
#undef ROW
};

static const char *const fact_texts[] = {
#define TEXT(NAME, name, unit) #name,
    TELAR_FACT_LIST(TEXT)
#undef TEXT
};

static const char *const fact_units[] = {
#define UNIT(NAME, name, unit) unit,
    TELAR_FACT_LIST(UNIT)
#undef UNIT
};

static const char *const source_texts[] = {"none", "table", "adapter", "probe", "measured", "given"};

static uint64_t *limit_at(telar_limits *limits, const limit_row *row)
{
    return (uint64_t *)(void *)((char *)limits + row->offset);
}

static uint64_t limit_of(const telar_limits *limits, const limit_row *row)
{
    return *(const uint64_t *)(const void *)((const char *)limits + row->offset);
}

static telar_facts facts_of(bool compatibility)
{
    telar_facts facts;
    memset(&facts, 0, sizeof facts);
    for (size_t k = 0; k < TL_COUNT(limit_rows); k++) {
        const limit_row *row = &limit_rows[k];
        *limit_at(&facts.limits, row) = compatibility ? row->compatibility : row->default_value;
    }
    return facts;
}

telar_facts telar_facts_default(void)
{
    return facts_of(false);
}

telar_facts telar_facts_compatibility(void)
{
    return facts_of(true);
}

const char *telar_limit_name(size_t index)
{
    return index < TL_COUNT(limit_rows) ? limit_rows[index].name : NULL;
}

/* NULL, and diag says so, when there is none. */
static const limit_row *find_limit(const char *name, telar_diag *diag)
{
    for (size_t k = 0; k < TL_COUNT(limit_rows); k++) {
        if (strcmp(limit_rows[k].name, name) == 0) return &limit_rows[k];
    }
    tl_fail(diag, TELAR_NOT_FOUND, "there is no limit named '%s'; use WebGPU's names, as in maxBufferSize", name);
    return NULL;
}

static bool is_alignment(const limit_row *row)
{
    return strncmp(row->name, "min", 3) == 0;
}

telar_status telar_facts_set_limit(telar_facts *facts, const char *name, uint64_t value, telar_diag *diag)
{
    const limit_row *row = find_limit(name, diag);
    if (row == NULL) return TELAR_NOT_FOUND;
    if (is_alignment(row) && (value == 0 || (value & (value - 1)) != 0 || value > UINT32_MAX)) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, value, 0, "%s (%llu) is not a power of two", name,
                             (unsigned long long)value);
    }
    *limit_at(&facts->limits, row) = value;
    return TELAR_OK;
}

telar_status telar_facts_get_limit(const telar_facts *facts, const char *name, uint64_t *value, telar_diag *diag)
{
    *value = 0;
    const limit_row *row = find_limit(name, diag);
    if (row == NULL) return TELAR_NOT_FOUND;
    *value = limit_of(&facts->limits, row);
    return TELAR_OK;
}

telar_status telar_facts_check(const telar_facts *facts, const telar_facts *adapter, const char *name, uint64_t wanted,
                               telar_diag *diag)
{
    const limit_row *row = find_limit(name, diag);
    if (row == NULL) return TELAR_NOT_FOUND;
    uint64_t granted = limit_of(&facts->limits, row);
    if (is_alignment(row)) {
        if (wanted >= granted && wanted % granted == 0) return TELAR_OK;
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, wanted, granted,
                             "an alignment of %llu is less than %s (%llu); lay the data out again",
                             (unsigned long long)wanted, name, (unsigned long long)granted);
    }
    if (wanted <= granted) return TELAR_OK;
    uint64_t possible = adapter == NULL ? granted : limit_of(&adapter->limits, row);
    if (possible >= wanted) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, wanted, granted,
                             "%llu exceeds the granted %s (%llu); the adapter has more (%llu): ask for it when the "
                             "device is made",
                             (unsigned long long)wanted, name, (unsigned long long)granted,
                             (unsigned long long)possible);
    }
    return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, wanted, granted, "%llu exceeds %s (%llu)",
                         (unsigned long long)wanted, name, (unsigned long long)granted);
}

const char *telar_fact_text(telar_fact_name name)
{
    return (size_t)name < TL_COUNT(fact_texts) ? fact_texts[name] : "";
}

const char *telar_fact_unit(telar_fact_name name)
{
    return (size_t)name < TL_COUNT(fact_units) ? fact_units[name] : "";
}

telar_status telar_fact_find(const char *text, telar_fact_name *name, telar_diag *diag)
{
    *name = (telar_fact_name)0;
    for (size_t k = 0; k < TL_COUNT(fact_texts); k++) {
        if (strcmp(fact_texts[k], text) == 0) {
            *name = (telar_fact_name)k;
            return TELAR_OK;
        }
    }
    return tl_fail(diag, TELAR_NOT_FOUND, "there is no fact named '%s'; as in compute_units", text);
}

const char *telar_fact_source_text(telar_fact_source source)
{
    return (size_t)source < TL_COUNT(source_texts) ? source_texts[source] : source_texts[0];
}

void telar_facts_set(telar_facts *facts, telar_fact_name name, double value, telar_fact_source source)
{
    bool meaningful = value > 0 && value <= 1e300 && source != TELAR_SOURCE_NONE;
    facts->values[name] = meaningful ? (telar_fact){.value = value, .source = source} : (telar_fact){0};
}
