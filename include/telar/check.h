/* SPDX-License-Identifier: MIT
 *
 * telar/check.h: finds what is wrong with a WGSL kernel, alone or against a launch, before it runs. No device is needed.
 *
 * A finding has a rule (docs/rules.md has a section for each), a severity, a place, a message with the numbers, a why, and
 * where it is safe the edits that mend it.
 *
 *   error    wrong in this launch, or in every launch
 *   warning  wrong in a launch that is likely and not known
 *   note     portability, performance, style
 *
 * What is given of the launch (count, dispatch, bindings, values) makes findings sharper; zero fields say "not known". A
 * source that is not valid WGSL is no failure of the call: each of its errors is a finding of rule "wgsl". In the source,
 * a comment `// telar: allow RULE reason` silences the findings of that rule on the next line.
 *
 * Findings come in the order of their places, after the whole check, and live in the arena. Work and memory are bounded
 * by the length of the source, whatever stands in it.
 *
 * Example
 *     telar_facts facts = telar_facts_default();
 *     telar_check_desc desc = {.source = source, .source_bytes = length, .count = {3000001}, .facts = &facts};
 *     telar_arena arena = telar_arena_make(memory, telar_check_arena_bytes(length));
 *     telar_check_result result;
 *     if (telar_check(&desc, &arena, &result, NULL) == TELAR_OK) {
 *         for (uint32_t k = 0; k < result.findings_count; k++) {
 *             const telar_finding *finding = &result.findings[k];
 *             printf("%u:%u: %s: %s\n", finding->line, finding->column, finding->rule, finding->message);
 *         }
 *     }
 */
#ifndef TELAR_CHECK_H
#define TELAR_CHECK_H

#include <telar/facts.h>
#include <telar/wgsl.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum telar_severity {
    TELAR_SEVERITY_DEFAULT = 0, /* only asked for, never in a finding */
    TELAR_SEVERITY_OFF = 1,     /* likewise */
    TELAR_SEVERITY_NOTE = 2,
    TELAR_SEVERITY_WARNING = 3,
    TELAR_SEVERITY_ERROR = 4,
} telar_severity;

/* "error"; "off" and "default" too. Never NULL. */
TELAR_API const char *telar_severity_text(telar_severity severity);

/* A replacement of [offset, offset + bytes) in the source. */
typedef struct telar_edit {
    uint64_t offset;
    uint64_t bytes;
    const char *text;
} telar_edit;

/* Lines and columns count from 1, columns in bytes; the end is behind the last byte. */
typedef struct telar_finding {
    const char *rule;
    telar_severity severity;
    uint32_t line, column;
    uint32_t end_line, end_column;
    uint64_t offset, end_offset;
    const char *entry; /* entry point that was looked at; NULL: the module */
    const char *message;
    const char *why;         /* one sentence of the rule */
    const char *fix;         /* what to change, in words; NULL: nothing safe is known */
    const telar_edit *edits; /* that make the fix, in order, not overlapping */
    uint32_t edits_count;    /* 0: the fix is not one that a tool can make */
} telar_finding;

typedef void telar_check_visit(void *user, const telar_finding *finding);

/* Bytes that the launch binds to a variable. Two variables with equal `buffer` (not NULL) share one buffer. */
typedef struct telar_check_bind {
    const char *name;
    uint64_t bytes;
    const char *buffer;
} telar_check_bind;

/* A value that the launch writes: "params.n", "n", or the name of an override. */
typedef struct telar_check_set {
    const char *path;
    double value;
} telar_check_set;

typedef struct telar_check_rule {
    const char *rule;
    telar_severity severity; /* OFF silences it */
} telar_check_rule;

/* Who will read the WGSL. */
typedef enum telar_reader {
    TELAR_READER_ANY = 0, /* the specification is the judge; what only one implementation refuses is a note */
    TELAR_READER_TINT = 1,
    TELAR_READER_NAGA = 2,
} telar_reader;

typedef struct telar_check_desc {
    const char *source;
    size_t source_bytes;
    const telar_wgsl *module;    /* of this source, when it was read already; NULL: it is read here */
    const char *entry;           /* the entry point of the launch; NULL: the only compute entry point */
    uint64_t count[3];           /* elements an axis; count[0] == 0: not known */
    uint32_t dispatch[3];        /* groups an axis; dispatch[0] == 0: not known */
    bool indirect;               /* the groups come from a buffer */
    const char *indirect_buffer; /* the variable whose buffer holds them; NULL: a buffer of its own */
    uint64_t indirect_offset;    /* bytes */
    const telar_check_bind *binds;
    uint32_t binds_count;
    const telar_check_set *sets;
    uint32_t sets_count;
    const telar_facts *facts; /* NULL: the specification's default limits */
    bool facts_are_device;    /* they are those of the device that will run it */
    telar_reader reader;
    telar_language language; /* of message, why and fix */
    const telar_check_rule *rules;
    uint32_t rules_count;
    telar_check_visit *visit; /* called with each finding once all are known, in their order; NULL: none */
    void *user;
} telar_check_desc;

typedef struct telar_check_result {
    const telar_finding *findings;
    uint32_t findings_count;
    uint32_t errors, warnings, notes;
    const telar_wgsl *module;                /* NULL when the source is not valid */
    const telar_wgsl_reflection *reflection; /* likewise */
} telar_check_result;

/* Bytes of arena with which a source of this size can be checked; see telar_wgsl_arena_bytes. */
TELAR_API size_t telar_check_arena_bytes(size_t source_bytes);

/* Checks a source. Statuses: OK, with or without findings; NOT_FOUND (an entry point, variable, member or rule of the
 * desc), INVALID_ARGUMENT (a value that its type does not have), OVERFLOWS (a source that is too long), NO_SPACE. On
 * failure *result is zeroed. */
TELAR_API telar_status telar_check(const telar_check_desc *desc, telar_arena *arena, telar_check_result *result,
                                   telar_diag *diag);

/* ---- The rules --------------------------------------------------------------------------------------------------- */

typedef struct telar_rule_info {
    const char *name;        /* "unguarded-index" */
    const char *family;      /* "mapping" */
    telar_severity severity; /* the strongest that its findings have */
    const char *why;         /* one sentence */
    const char *why_spanish;
} telar_rule_info;

/* Rule `index`, NULL behind the last one. */
TELAR_API const telar_rule_info *telar_rule_at(uint32_t index);

/* Its why in a language. Never NULL. */
TELAR_API const char *telar_rule_why(const telar_rule_info *rule, telar_language language);

#ifdef __cplusplus
}
#endif

#endif
