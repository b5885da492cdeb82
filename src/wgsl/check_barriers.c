/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "barriers": collective operations that not all invocations reach together, by the specification's
 * uniformity analysis. */
#include "wgsl/check.h"
#include "wgsl/uniformity.h"

#define SHOWN_MAX 48u /* bytes of an expression in a message */

/* The text of an expression, on one line and not too long. */
typedef struct shown {
    char text[SHOWN_MAX + sizeof "..."];
} shown;

static const char *show(const tl_check *c, uint32_t node, shown *into)
{
    tl_str text = tl_node_text(c->m, node);
    telar_out out = {.data = into->text, .cap = sizeof into->text};
    bool blank = false;
    into->text[0] = 0;
    for (size_t k = 0; k < text.len && out.len < SHOWN_MAX; k++) {
        bool is_blank = text.data[k] == ' ' || text.data[k] == '\n' || text.data[k] == '\t' || text.data[k] == '\r';
        if (!is_blank || !blank) tl_out_bytes(&out, is_blank ? " " : &text.data[k], 1);
        blank = is_blank;
    }
    if (out.len == SHOWN_MAX) tl_out_text(&out, "...");
    return into->text;
}

/* The built-in value of a PARAM or MEMBER. */
static tl_word builtin_word(const tl_check *c, uint32_t node)
{
    uint32_t attributes = TL_PARTS(tl_member_parts, c->m, node)->attributes;
    uint32_t attribute = tl_list_attribute(c->m, attributes, TL_ATTR_BUILTIN);
    if (attribute == 0) return tl_check_word(TL_SAYS_AN_INPUT);
    return TL_Z(tl_builtin_value_name((tl_builtin_value)tl_node_declaration(c->m, attribute)));
}

/* ---- the way from the call to the cause -------------------------------------------------------------------------- */

static void say(const tl_check *c, telar_out *out, tl_said said)
{
    tl_say(out, c->desc->language, said);
}

static void show_step(tl_check *c, telar_out *out, const tl_uniformity_step *step, bool first)
{
    static const tl_check_saying causes[] = {
        [TL_CAUSE_READ] = TL_SAYS_STEP_READ,           [TL_CAUSE_STORAGE] = TL_SAYS_STEP_STORAGE,
        [TL_CAUSE_WORKGROUP] = TL_SAYS_STEP_WORKGROUP, [TL_CAUSE_PRIVATE] = TL_SAYS_STEP_PRIVATE,
        [TL_CAUSE_POINTER] = TL_SAYS_STEP_POINTER,     [TL_CAUSE_ATOMIC] = TL_SAYS_STEP_RESULT,
        [TL_CAUSE_TEXTURE] = TL_SAYS_STEP_TEXTURE,     [TL_CAUSE_SUBGROUP] = TL_SAYS_STEP_RESULT,
        [TL_CAUSE_DERIVATIVE] = TL_SAYS_STEP_RESULT,   [TL_CAUSE_CALL] = TL_SAYS_STEP_CALL,
    };
    shown text;
    if (step->cause == TL_CAUSE_BUILTIN_VALUE) {
        say(c, out, TL_SAYS(STEP_BUILTIN, builtin_word(c, step->node)));
    } else if (step->cause == TL_CAUSE_INPUT) {
        say(c, out, TL_SAID(STEP_INPUT));
    } else if (step->cause == TL_CAUSE_CONDITION) {
        const tl_word condition = TL_Z(show(c, step->node, &text)), line = TL_U(tl_check_line(c, step->node));
        say(c, out, first ? TL_SAYS(STEP_CONDITION, condition, line) : TL_SAYS(STEP_UNDER_CONDITION, condition, line));
    } else {
        if (!first) say(c, out, TL_SAID(WHICH_DEPENDS_ON));
        say(c, out, (tl_said){&tl_check_sayings[causes[step->cause]], &TL_Z(show(c, step->node, &text))});
    }
}

/* A variable read right after it was read, as `x` in `x++`, is one step. */
static bool is_repeated(const tl_check *c, const tl_uniformity_step *step, const tl_uniformity_step *before)
{
    return step->cause == TL_CAUSE_READ && before->cause == TL_CAUSE_READ &&
           tl_str_equal(tl_node_text(c->m, step->node), tl_node_text(c->m, before->node));
}

static void show_steps(tl_check *c, telar_out *out, const tl_uniformity_violation *v)
{
    bool first = true;
    for (uint32_t k = 0; k < v->step_count; k++) {
        if (k > 0 && is_repeated(c, &v->steps[k], &v->steps[k - 1])) continue;
        show_step(c, out, &v->steps[k], first);
        first = false;
    }
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static telar_severity severity_of(tl_uniformity_severity severity)
{
    if (severity == TL_UNIFORMITY_ERROR) return TELAR_SEVERITY_ERROR;
    return severity == TL_UNIFORMITY_WARNING ? TELAR_SEVERITY_WARNING : TELAR_SEVERITY_NOTE;
}

static const struct {
    tl_check_rule rule;
    tl_check_saying who;
} kinds[TL_UNIFORMITY_RULE_COUNT] = {
    [TL_UNIFORMITY_BARRIER] = {TL_CHECK_NONUNIFORM_BARRIER, TL_SAYS_OF_GROUP},
    [TL_UNIFORMITY_DERIVATIVE] = {TL_CHECK_NONUNIFORM_DERIVATIVE, TL_SAYS_OF_DRAW},
    [TL_UNIFORMITY_SUBGROUP] = {TL_CHECK_NONUNIFORM_SUBGROUP, TL_SAYS_OF_SUBGROUP},
    [TL_UNIFORMITY_MATRIX] = {TL_CHECK_NONUNIFORM_SUBGROUP, TL_SAYS_OF_SUBGROUP},
};

static tl_str name_of_call(const tl_check *c, uint32_t node)
{
    return c->m->nodes[node].kind == TL_NODE_CALL ? tl_node_text(c->m, c->m->nodes[node].a) : tl_node_name(c->m, node);
}

static void report(tl_check *c, const tl_uniformity_violation *v)
{
    char way[1024];
    telar_out out = {.data = way, .cap = sizeof way};
    show_steps(c, &out, v);
    tl_str called = name_of_call(c, v->node), required = name_of_call(c, v->required);
    char through[200] = "";
    telar_out via = {.data = through, .cap = sizeof through};
    if (v->required != v->node) { say(c, &via, TL_SAYS(CALLED_BY, TL_T(called), TL_U(tl_check_line(c, v->required)))); }
    const tl_word what = TL_T(required), by = TL_Z(through), who = tl_check_word(kinds[v->rule].who), why = TL_Z(way);
    tl_finding *finding =
        tl_check_report(c, kinds[v->rule].rule, severity_of(v->severity), v->node,
                        v->of_value ? TL_SAYS(NOT_SAME, what, by, who, why) : TL_SAYS(NOT_REACHED, what, by, who, why));
    if (v->of_value) return;
    tl_check_fix(c, finding, TL_SAID(ALL_ARRIVE));
}

static bool is_in(const tl_uniformity *found, const tl_uniformity_violation *violation)
{
    for (const tl_uniformity_violation *v = found->violations; v != NULL; v = v->next) {
        if (v->node == violation->node && v->rule == violation->rule) return true;
    }
    return false;
}

/* What is right only because subgroup operations need uniformity within the subgroup alone. */
static void report_extension(tl_check *c, const tl_uniformity_violation *v)
{
    tl_check_report(c, kinds[v->rule].rule, TELAR_SEVERITY_NOTE, v->node,
                    TL_SAYS(UNIFORM_IN_SUBGROUP_ONLY, TL_T(name_of_call(c, v->required))));
}

void tl_check_barriers_module(tl_check *c)
{
    tl_uniformity found, strict;
    tl_uniformity_analyze(c->m, true, c->arena, &found);
    for (const tl_uniformity_violation *v = found.violations; v != NULL; v = v->next) report(c, v);
    bool subgroups = false;
    for (uint32_t k = 0; k < c->reflection->entries_count; k++) subgroups |= c->reflection->entries[k].uses_subgroups;
    if (!subgroups || !found.complete) return;
    tl_uniformity_analyze(c->m, false, c->arena, &strict);
    for (const tl_uniformity_violation *v = strict.violations; v != NULL; v = v->next) {
        if (!is_in(&found, v)) report_extension(c, v);
    }
}
