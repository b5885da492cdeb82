/* SPDX-License-Identifier: MIT
 *
 * The checker's frame: reads the source, calls the families of rules, keeps the findings, honours what the source and the
 * caller silence, and hands them out in the order of their places. It knows no rule. */
#include "wgsl/check.h"
#include "wgsl/flow.h"
#include "wgsl/check_language.h"
#include "wgsl/text.h"

#include <string.h>

/* The tree and its meaning (telar_wgsl_arena_bytes), and the analysis beside it. */
#define ARENA_BYTES_PER_BYTE 40
#define ARENA_BYTES_AT_LEAST ((size_t)4 << 20)

/* Findings of one check: enough for people, and a bound for hostile sources. */
#define FINDINGS_MAX 2000u

static const struct family {
    tl_check_family *module; /* NULL: nothing to say about the whole */
    tl_check_family *entry;
} families[] = {
    {tl_check_language_module, NULL},
    {tl_check_size_module, tl_check_size_entry},
    {NULL, tl_check_guard_entry},
    {NULL, tl_check_mapping_entry},
    {NULL, tl_check_indirect_entry},
    {NULL, tl_check_launch_entry},
    {tl_check_barriers_module, NULL},
    {tl_check_waits_module, tl_check_races_entry},
    {tl_check_subgroups_module, tl_check_subgroups_entry},
    {tl_check_portability_module, NULL},
};

static const telar_rule_info rules[] = {
#define RULE(ENUMERATOR, name_, family_, severity_, english, spanish)                                                  \
    {.name = (name_),                                                                                                  \
     .family = (family_),                                                                                              \
     .severity = TELAR_SEVERITY_##severity_,                                                                           \
     .why = (english),                                                                                                 \
     .why_spanish = (spanish)},
#include "wgsl/check_rules.inl"
#undef RULE
};

const tl_saying tl_check_sayings[TL_SAYS_COUNT] = {
#define SAYING(NAME, words, english, spanish) {words, english, spanish},
#include "wgsl/check_says.inl"
#undef SAYING
};

const telar_rule_info *telar_rule_at(uint32_t index)
{
    return index < TL_COUNT(rules) ? &rules[index] : NULL;
}

const char *telar_rule_why(const telar_rule_info *rule, telar_language language)
{
    return language == TELAR_SPANISH ? rule->why_spanish : rule->why;
}

const char *telar_severity_text(telar_severity severity)
{
    static const char *const texts[] = {"default", "off", "note", "warning", "error"};
    return (unsigned)severity < TL_COUNT(texts) ? texts[severity] : "unknown";
}

size_t telar_check_arena_bytes(size_t source_bytes)
{
    size_t tree = telar_wgsl_arena_bytes(source_bytes);
    if (source_bytes > (SIZE_MAX - tree - ARENA_BYTES_AT_LEAST) / ARENA_BYTES_PER_BYTE) return SIZE_MAX;
    return tree + source_bytes * ARENA_BYTES_PER_BYTE + ARENA_BYTES_AT_LEAST;
}

/* ---- memory --------------------------------------------------------------------------------------------------------- */

/* Findings lie at the end of the arena while the check runs, so that the memory of each entry point can be used again for
 * the next. NULL when it is full. */
static void *keep(tl_check *c, size_t bytes)
{
    size_t rounded = (bytes + 15) & ~(size_t)15;
    telar_arena *arena = c->arena;
    if (rounded > arena->cap - arena->used) {
        arena->needed = arena->used + (c->arena_cap - arena->cap) + rounded;
        c->full = true;
        return NULL;
    }
    arena->cap = (arena->cap - rounded) & ~(size_t)15;
    if (arena->cap < arena->used) {
        arena->cap = arena->used;
        c->full = true;
        return NULL;
    }
    return memset((char *)arena->data + arena->cap, 0, bytes);
}

/* ---- making findings --------------------------------------------------------------------------------------------- */

/* A text in the arena; "" when it is full. */
static const char *text_of(tl_check *c, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    telar_out count = {0};
    tl_out_vformat(&count, format, args);
    telar_out out = {.data = keep(c, count.len + 1), .cap = count.len + 1};
    if (out.data != NULL) tl_out_vformat(&out, format, again);
    va_end(again);
    return out.data != NULL ? out.data : "";
}

/* The same of what is said, in the language asked for. */
static const char *said_text(tl_check *c, tl_said said)
{
    telar_out count = {0};
    tl_say(&count, c->desc->language, said);
    telar_out out = {.data = keep(c, count.len + 1), .cap = count.len + 1};
    if (out.data == NULL) return "";
    tl_say(&out, c->desc->language, said);
    return out.data;
}

static tl_finding *find_known(const tl_check *c, tl_check_rule rule, uint32_t begin, uint32_t end)
{
    for (tl_finding *f = c->findings; f != NULL; f = f->next) {
        if (f->rule == rule && f->out.offset == begin && f->out.end_offset == end) return f;
    }
    return NULL;
}

static telar_severity severity_of(const tl_check *c, tl_check_rule rule, telar_severity severity)
{
    telar_severity strongest = rules[rule].severity;
    if (c->severity[rule] != TELAR_SEVERITY_DEFAULT) return c->severity[rule];
    return severity == TELAR_SEVERITY_DEFAULT || severity > strongest ? strongest : severity;
}

tl_finding *tl_check_report_at(tl_check *c, tl_check_rule rule, telar_severity severity, uint32_t begin, uint32_t end,
                               tl_said said)
{
    severity = severity_of(c, rule, severity);
    if (severity == TELAR_SEVERITY_OFF || c->findings_count >= FINDINGS_MAX) return NULL;
    tl_finding *known = find_known(c, rule, begin, end);
    if (known != NULL) { /* the stronger of the two is what is said */
        if (severity <= known->out.severity) return NULL;
        known->out.severity = severity;
        known->out.message = said_text(c, said);
        return NULL;
    }
    tl_finding *finding = keep(c, sizeof *finding);
    if (finding == NULL) return NULL;
    *finding = (tl_finding){.rule = rule, .number = c->findings_count++, .next = c->findings};
    finding->out = (telar_finding){.rule = rules[rule].name,
                                   .severity = severity,
                                   .offset = begin,
                                   .end_offset = end,
                                   .entry = c->entry != NULL ? c->entry->name : NULL,
                                   .message = said_text(c, said),
                                   .why = telar_rule_why(&rules[rule], c->desc->language)};
    c->findings = finding;
    return finding;
}

tl_finding *tl_check_report(tl_check *c, tl_check_rule rule, telar_severity severity, uint32_t node, tl_said said)
{
    return tl_check_report_at(c, rule, severity, tl_node_begin(c->m, node), tl_node_end(c->m, node), said);
}

void tl_check_each(tl_check *c, tl_wgsl_node_kind kind, tl_check_visit *visit)
{
    for (uint32_t k = c->kinds.begin[kind]; k < c->kinds.begin[kind + 1]; k++) visit(c, c->kinds.nodes[k]);
}

/* Counts on from where the last one was, in either direction: questions about one place follow each other. */
uint32_t tl_check_line(tl_check *c, uint32_t node)
{
    uint32_t offset = tl_node_begin(c->m, node);
    const char *source = c->m->source;
    if (c->line == 0) c->line = 1;
    for (; c->line_offset < offset; c->line_offset++) c->line += source[c->line_offset] == '\n';
    for (; c->line_offset > offset; c->line_offset--) c->line -= source[c->line_offset - 1] == '\n';
    return c->line;
}

void tl_check_fix(tl_check *c, tl_finding *finding, tl_said said)
{
    if (finding != NULL) finding->out.fix = said_text(c, said);
}

void tl_check_edit(tl_check *c, tl_finding *finding, uint32_t offset, uint32_t bytes, const char *format, ...)
{
    if (finding == NULL) return;
    if (finding->out.edits_count == finding->edits_capacity) {
        uint32_t capacity = finding->edits_capacity == 0 ? 2 : finding->edits_capacity * 2;
        telar_edit *edits = keep(c, capacity * sizeof *edits);
        if (edits == NULL) return;
        if (finding->edits != NULL) memcpy(edits, finding->edits, finding->out.edits_count * sizeof *edits);
        finding->edits = edits;
        finding->out.edits = edits;
        finding->edits_capacity = capacity;
    }
    va_list args;
    va_start(args, format);
    finding->edits[finding->out.edits_count++] = (telar_edit){offset, bytes, text_of(c, format, args)};
    va_end(args);
}

/* ---- what the source silences ------------------------------------------------------------------------------------ */

/* `// telar: allow RULE reason` on the line above. */
static bool line_allows(tl_str line, const char *rule)
{
    static const char mark[] = "// telar: allow ";
    size_t at = 0;
    while (at < line.len && (line.data[at] == ' ' || line.data[at] == '\t')) at++;
    size_t mark_len = sizeof mark - 1, rule_len = strlen(rule);
    if (line.len - at < mark_len + rule_len || memcmp(line.data + at, mark, mark_len) != 0) return false;
    const char *name = line.data + at + mark_len;
    if (memcmp(name, rule, rule_len) != 0) return false;
    size_t after = at + mark_len + rule_len;
    return after == line.len || line.data[after] == ' ' || line.data[after] == '\t';
}

/* Walks the lines of a source forward. */
typedef struct line_walk {
    const char *source;
    uint32_t bytes;
    uint32_t line;          /* from 1 */
    uint32_t begin;         /* of this line */
    uint32_t before, after; /* of the line above, without its break; equal when there is none */
} line_walk;

static void walk_to(line_walk *walk, uint32_t offset)
{
    const char *end = walk->source + walk->bytes;
    for (uint32_t at = walk->begin; at < offset;) {
        uint32_t break_bytes = tl_line_break(walk->source + at, end);
        if (break_bytes == 0) {
            at++;
            continue;
        }
        if (at + break_bytes > offset) break;
        walk->before = walk->begin;
        walk->after = at;
        at += break_bytes;
        walk->begin = at;
        walk->line++;
    }
}

static bool is_allowed(const line_walk *walk, const char *rule)
{
    return line_allows((tl_str){walk->source + walk->before, walk->after - walk->before}, rule);
}

/* ---- handing out ------------------------------------------------------------------------------------------------- */

static bool comes_before(const tl_finding *a, const tl_finding *b)
{
    if (a->out.offset != b->out.offset) return a->out.offset < b->out.offset;
    return a->number < b->number;
}

/* Shell sort: no recursion, no memory. */
static void sort_findings(tl_finding **list, uint32_t count)
{
    uint32_t gap = 1;
    while (gap < count / 3) gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3) {
        for (uint32_t k = gap; k < count; k++) {
            tl_finding *moved = list[k];
            uint32_t at = k;
            for (; at >= gap && comes_before(moved, list[at - gap]); at -= gap) list[at] = list[at - gap];
            list[at] = moved;
        }
    }
}

static void place(telar_finding *finding, const line_walk *walk)
{
    finding->line = walk->line;
    finding->column = (uint32_t)finding->offset - walk->begin + 1;
    line_walk to_end = *walk;
    walk_to(&to_end, (uint32_t)finding->end_offset);
    finding->end_line = to_end.line;
    finding->end_column = (uint32_t)finding->end_offset - to_end.begin + 1;
}

static void count_finding(telar_check_result *result, telar_severity severity)
{
    result->errors += severity == TELAR_SEVERITY_ERROR;
    result->warnings += severity == TELAR_SEVERITY_WARNING;
    result->notes += severity == TELAR_SEVERITY_NOTE;
}

/* Copies a text to the front of the arena. */
static const char *moved_text(tl_check *c, const char *text)
{
    if (text == NULL) return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = TL_ARENA_ARRAY(c->arena, char, bytes);
    if (copy == NULL) {
        c->full = true;
        return "";
    }
    return memcpy(copy, text, bytes);
}

/* The finding as it is handed out: nothing of it lies at the end of the arena. */
static telar_finding moved(tl_check *c, const tl_finding *finding)
{
    telar_finding out = finding->out;
    out.message = moved_text(c, out.message);
    out.fix = moved_text(c, out.fix);
    telar_edit *edits = TL_ARENA_ARRAY(c->arena, telar_edit, out.edits_count);
    if (edits == NULL) {
        c->full = true;
        return out;
    }
    for (uint32_t k = 0; k < out.edits_count; k++) {
        edits[k] = finding->edits[k];
        edits[k].text = moved_text(c, edits[k].text);
    }
    out.edits = edits;
    return out;
}

static telar_status hand_out(tl_check *c, telar_check_result *result)
{
    telar_finding *out = TL_ARENA_ARRAY(c->arena, telar_finding, c->findings_count);
    tl_finding **list = keep(c, (c->findings_count + 1) * sizeof *list);
    if (list == NULL || out == NULL) return TELAR_NO_SPACE;
    uint32_t count = 0;
    for (tl_finding *f = c->findings; f != NULL; f = f->next) list[count++] = f;
    sort_findings(list, count);
    line_walk walk = {.source = c->desc->source, .bytes = (uint32_t)c->desc->source_bytes, .line = 1};
    for (uint32_t k = 0; k < count; k++) {
        walk_to(&walk, (uint32_t)list[k]->out.offset);
        if (is_allowed(&walk, list[k]->out.rule)) continue;
        telar_finding *finding = &out[result->findings_count++];
        *finding = moved(c, list[k]);
        place(finding, &walk);
        count_finding(result, finding->severity);
    }
    result->findings = out;
    return c->full ? TELAR_NO_SPACE : TELAR_OK;
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

/* Errors of the source wait here: a read that fails takes back what was allocated meanwhile. */
typedef struct faults {
    telar_diag *items;
    uint32_t count;
} faults;

static void keep_fault(void *user, const telar_diag *diag)
{
    faults *all = user;
    if (all->count < TELAR_WGSL_MAX_REPORTS) all->items[all->count++] = *diag;
}

static void report_fault(tl_check *c, const telar_diag *diag)
{
    uint32_t at = (uint32_t)diag->offset;
    uint32_t end = at < c->desc->source_bytes ? at + 1 : at;
    tl_check_report_at(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, at, end, TL_SAYS(AS_READ, TL_Z(diag->text)));
}

/* INVALID_WGSL when its errors were reported. */
static telar_status read_module(tl_check *c, telar_diag *diag)
{
    const telar_check_desc *desc = c->desc;
    c->m = desc->module;
    if (c->m != NULL) return TELAR_OK;
    faults all = {.items = TL_ARENA_ARRAY(c->arena, telar_diag, TELAR_WGSL_MAX_REPORTS)};
    if (all.items == NULL) return TELAR_NO_SPACE;
    telar_wgsl *module;
    telar_status status =
        telar_wgsl_read_report(desc->source, desc->source_bytes, c->arena, keep_fault, &all, &module, diag);
    for (uint32_t k = 0; status == TELAR_INVALID_WGSL && k < all.count; k++) report_fault(c, &all.items[k]);
    c->m = module;
    return status;
}

static telar_status read_rules(tl_check *c, telar_diag *diag)
{
    for (uint32_t k = 0; k < c->desc->rules_count; k++) {
        const telar_check_rule *asked = &c->desc->rules[k];
        uint32_t rule = 0;
        while (rule < TL_CHECK_COUNT && strcmp(rules[rule].name, asked->rule) != 0) rule++;
        if (rule == TL_CHECK_COUNT) return tl_fail(diag, TELAR_NOT_FOUND, "there is no rule '%.60s'", asked->rule);
        c->severity[rule] = asked->severity;
    }
    return TELAR_OK;
}

static uint32_t only_compute_entry(const telar_wgsl_reflection *reflection)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t k = 0; k < reflection->entries_count; k++) {
        if (reflection->entries[k].stage != TELAR_WGSL_COMPUTE) continue;
        if (found != UINT32_MAX) return UINT32_MAX;
        found = k;
    }
    return found;
}

/* The entry point that the launch is of; UINT32_MAX when there are several and none is named. */
static telar_status find_launched(const tl_check *c, uint32_t *launched, telar_diag *diag)
{
    const telar_wgsl_reflection *reflection = c->reflection;
    *launched = only_compute_entry(reflection);
    if (c->desc->entry == NULL) return TELAR_OK;
    const telar_wgsl_entry *entry = telar_wgsl_find_entry(reflection, c->desc->entry);
    if (entry == NULL || entry->stage != TELAR_WGSL_COMPUTE) {
        return tl_fail(diag, TELAR_NOT_FOUND, "there is no compute entry point '%.60s'", c->desc->entry);
    }
    *launched = (uint32_t)(entry - reflection->entries);
    return TELAR_OK;
}

static uint32_t function_of_entry(const telar_wgsl *m, const char *name)
{
    return tl_query_global(m, tl_str_of(name));
}

static tl_launch launch_of(const telar_check_desc *desc)
{
    tl_launch launch = {.indirect = desc->indirect || desc->indirect_buffer != NULL};
    for (uint32_t k = 0; k < 3; k++) {
        launch.count[k] = desc->count[0] == 0 ? 0 : desc->count[k] == 0 ? 1 : desc->count[k];
        launch.dispatch[k] = desc->dispatch[0] == 0 ? 0 : desc->dispatch[k] == 0 ? 1 : desc->dispatch[k];
    }
    return launch;
}

/* What an entry point takes of the arena is given back, with the constants that were computed for it. */
static void check_entry(tl_check *c, uint32_t number, bool launched)
{
    size_t used = c->arena->used;
    const tl_constants constants = c->eval.constants;
    c->entry = &c->reflection->entries[number];
    c->entry_function = function_of_entry(c->m, c->entry->name);
    memcpy(c->size, c->entry->workgroup_size, sizeof c->size);
    c->launch = launched ? launch_of(c->desc) : (tl_launch){0};
    for (size_t k = 0; k < TL_COUNT(families) && !c->full; k++) {
        if (families[k].entry != NULL) families[k].entry(c);
    }
    c->entry = NULL;
    c->entry_function = 0;
    memset(c->size, 0, sizeof c->size);
    c->launch = (tl_launch){0};
    c->flow = NULL;
    c->arena->used = used;
    c->eval.constants = constants;
}

static telar_status check_module(tl_check *c, telar_diag *diag)
{
    uint32_t launched;
    TELAR_TRY(find_launched(c, &launched, diag));
    if (!tl_query_kinds(c->m, c->arena, &c->kinds)) return TELAR_NO_SPACE;
    for (size_t k = 0; k < TL_COUNT(families) && !c->full; k++) {
        if (families[k].module != NULL) families[k].module(c);
    }
    if (!tl_flow_prepare(c)) return TELAR_NO_SPACE;
    for (uint32_t k = 0; k < c->reflection->entries_count && !c->full; k++) {
        if (c->reflection->entries[k].stage == TELAR_WGSL_COMPUTE) check_entry(c, k, k == launched);
    }
    return c->full ? TELAR_NO_SPACE : TELAR_OK;
}

/* A path that names an override, and no variable. */
static bool is_override(const tl_check *c, const telar_check_set *set)
{
    return tl_query_override(c->m, tl_str_of(set->path)) != TL_NO_INDEX;
}

/* Evaluates every override once: what is computed later for an entry point is given back. */
static void settle_overrides(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    for (uint32_t k = 0; k < s->global_count; k++) {
        if (c->m->nodes[s->globals[k].node].kind == TL_NODE_OVERRIDE) (void)tl_eval_node(&c->eval, s->globals[k].node);
    }
}

static telar_status reflect(tl_check *c, telar_diag *diag)
{
    telar_wgsl_reflection *reflection = TL_ARENA_ARRAY(c->arena, telar_wgsl_reflection, 1);
    telar_override *values = TL_ARENA_ARRAY(c->arena, telar_override, c->desc->sets_count);
    if (reflection == NULL || values == NULL || !tl_eval_begin(&c->eval, c->m, c->arena)) return TELAR_NO_SPACE;
    uint32_t count = 0;
    for (uint32_t k = 0; k < c->desc->sets_count; k++) {
        const telar_check_set *set = &c->desc->sets[k];
        if (is_override(c, set)) values[count++] = (telar_override){set->path, set->value};
    }
    TELAR_TRY(telar_wgsl_reflect(c->m, values, count, c->arena, reflection, diag));
    for (uint32_t k = 0; k < count; k++) {
        (void)tl_eval_set(&c->eval, tl_query_override(c->m, tl_str_of(values[k].name)), values[k].value);
    }
    c->reflection = reflection;
    settle_overrides(c);
    return TELAR_OK;
}

static telar_status check_source(tl_check *c, telar_check_result *result, telar_diag *diag)
{
    TELAR_TRY(read_rules(c, diag));
    telar_status status = read_module(c, diag);
    if (status == TELAR_INVALID_WGSL) return hand_out(c, result);
    TELAR_TRY(status);
    status = reflect(c, diag);
    if (status == TELAR_INVALID_WGSL) {
        report_fault(c, diag);
        return hand_out(c, result);
    }
    TELAR_TRY(status);
    TELAR_TRY(tl_check_read_given(c, diag));
    TELAR_TRY(check_module(c, diag));
    result->module = c->m;
    result->reflection = c->reflection;
    return hand_out(c, result);
}

telar_status telar_check(const telar_check_desc *desc, telar_arena *arena, telar_check_result *result, telar_diag *diag)
{
    telar_diag local = {0};
    if (diag == NULL) diag = &local;
    tl_check check = {.desc = desc, .arena = arena, .arena_cap = arena->cap};
    check.facts = desc->facts != NULL ? *desc->facts : telar_facts_default();
    *result = (telar_check_result){0};
    size_t used = arena->used;
    telar_status status = check_source(&check, result, diag);
    arena->cap = check.arena_cap;
    if (status == TELAR_OK) {
        for (uint32_t k = 0; k < result->findings_count && desc->visit != NULL; k++) {
            desc->visit(desc->user, &result->findings[k]);
        }
        return TELAR_OK;
    }
    arena->used = used;
    *result = (telar_check_result){0};
    if (status != TELAR_NO_SPACE) return status;
    return tl_fail_limit(diag, TELAR_NO_SPACE, arena->needed, arena->cap,
                         "arena of %zu bytes is too small for the check; about %zu are needed", arena->cap,
                         arena->needed);
}
