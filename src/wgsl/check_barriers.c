/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "barriers": collective operations that not all invocations reach together, by the specification's
 * uniformity analysis. */
#include "wgsl/check.h"
#include "wgsl/uniformity.h"

#define SHOWN_MAX 48u /* bytes of an expression in a message */

/* The text of an expression, on one line and not too long. */
static void show(const tl_check *c, telar_out *out, uint32_t node)
{
    tl_str text = tl_node_text(c->m, node);
    bool blank = false;
    uint32_t shown = 0;
    tl_out_text(out, "'");
    for (size_t k = 0; k < text.len && shown < SHOWN_MAX; k++) {
        bool is_blank = text.data[k] == ' ' || text.data[k] == '\n' || text.data[k] == '\t' || text.data[k] == '\r';
        if (!is_blank || !blank) tl_out_bytes(out, is_blank ? " " : &text.data[k], 1);
        shown += !is_blank || !blank;
        blank = is_blank;
    }
    tl_out_text(out, shown == SHOWN_MAX ? "...'" : "'");
}

/* The built-in value of a PARAM or MEMBER. */
static const char *builtin_name(const tl_check *c, uint32_t node)
{
    uint32_t attributes = TL_PARTS(tl_member_parts, c->m, node)->attributes;
    uint32_t attribute = tl_list_attribute(c->m, attributes, TL_ATTR_BUILTIN);
    if (attribute == 0) return "an input";
    return tl_builtin_value_name((tl_builtin_value)tl_node_declaration(c->m, attribute));
}

/* ---- the way from the call to the cause -------------------------------------------------------------------------- */

static void show_step(tl_check *c, telar_out *out, const tl_uniformity_step *step, bool first)
{
    static const char *const causes[] = {
        [TL_CAUSE_STORAGE] = "what other invocations may write to ",
        [TL_CAUSE_WORKGROUP] = "workgroup memory ",
        [TL_CAUSE_PRIVATE] = "private variable ",
        [TL_CAUSE_POINTER] = "the memory behind parameter ",
        [TL_CAUSE_ATOMIC] = "the result of ",
        [TL_CAUSE_TEXTURE] = "a texture that can be written, ",
        [TL_CAUSE_SUBGROUP] = "the result of ",
        [TL_CAUSE_DERIVATIVE] = "the result of ",
        [TL_CAUSE_CALL] = "what is returned by ",
    };
    switch (step->cause) {
    case TL_CAUSE_CONDITION:
        tl_out_text(out, first ? "" : ", which is set under the condition ");
        show(c, out, step->node);
        tl_out_format(out, " (line %u)", tl_check_line(c, step->node));
        break;
    case TL_CAUSE_BUILTIN_VALUE: tl_out_format(out, ", which is %s", builtin_name(c, step->node)); break;
    case TL_CAUSE_INPUT: tl_out_text(out, ", which is an input of the stage"); break;
    case TL_CAUSE_READ:
        tl_out_text(out, first ? "" : ", which depends on ");
        show(c, out, step->node);
        break;
    default:
        tl_out_text(out, first ? "" : ", which depends on ");
        tl_out_text(out, causes[step->cause]);
        show(c, out, step->node);
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
    const char *who;
} kinds[TL_UNIFORMITY_RULE_COUNT] = {
    [TL_UNIFORMITY_BARRIER] = {TL_CHECK_NONUNIFORM_BARRIER, "the group"},
    [TL_UNIFORMITY_DERIVATIVE] = {TL_CHECK_NONUNIFORM_DERIVATIVE, "the draw"},
    [TL_UNIFORMITY_SUBGROUP] = {TL_CHECK_NONUNIFORM_SUBGROUP, "the subgroup"},
    [TL_UNIFORMITY_MATRIX] = {TL_CHECK_NONUNIFORM_SUBGROUP, "the subgroup"},
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
    if (v->required != v->node) {
        tl_out_format(&via, " (called by '%.*s', line %u)", TL_STR_ARGS(called), tl_check_line(c, v->required));
    }
    tl_finding *finding = tl_check_report(
        c, kinds[v->rule].rule, severity_of(v->severity), v->node,
        v->of_value ? "an argument of '%.*s'%s must be the same for all invocations of %s, and it depends on %s"
                    : "'%.*s'%s must be reached by all invocations of %s, and whether it is depends on %s",
        TL_STR_ARGS(required), through, kinds[v->rule].who, way);
    if (v->of_value) return;
    tl_check_fix(
        c, finding,
        "let every invocation reach it: keep the condition in a variable and guard the memory accesses with it, "
        "or make the condition uniform (workgroup_id, uniform buffers, workgroupUniformLoad)");
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
                    "'%.*s' is in uniform control flow within the subgroup only; implementations without the language "
                    "extension subgroup_uniformity refuse it",
                    TL_STR_ARGS(name_of_call(c, v->required)));
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
