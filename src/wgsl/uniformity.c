/* SPDX-License-Identifier: MIT
 *
 * The analysis of a module: the graph of each function, what it violates, and what its callers must know of it. */
#include "wgsl/uniformity.h"
#include "wgsl/uniformity_walk.h"

#include <string.h>

/* Violations of one module: enough for people. */
#define VIOLATIONS_MOST 256u

typedef struct analysis {
    tl_uniform u;
    tl_uniformity *result;
    tl_uniformity_violation **end; /* where the next one is hung */
    tl_words next;                 /* tl_graph_ways */
} analysis;

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

static bool is_uniform_value(const tl_uniform *u, tl_builtin_value value, tl_stage stage)
{
    switch (value) {
    case TL_VALUE_workgroup_id:
    case TL_VALUE_workgroup_index:
    case TL_VALUE_num_workgroups:
    case TL_VALUE_num_subgroups: return true;
    case TL_VALUE_subgroup_size: return stage == TL_STAGE_COMPUTE;
    case TL_VALUE_subgroup_id: return u->scope == TL_SCOPE_SUBGROUP;
    default: return false;
    }
}

/* What a PARAM or MEMBER of an entry point brings. */
static tl_uniformity_cause input_cause(const tl_uniform *u, uint32_t node, tl_stage stage)
{
    uint32_t attributes = TL_PARTS(tl_member_parts, u->m, node)->attributes;
    uint32_t builtin = tl_list_attribute(u->m, attributes, TL_ATTR_BUILTIN);
    if (builtin == 0) return TL_CAUSE_INPUT;
    tl_builtin_value value = (tl_builtin_value)tl_node_declaration(u->m, builtin);
    return is_uniform_value(u, value, stage) ? TL_CAUSE_NONE : TL_CAUSE_BUILTIN_VALUE;
}

/* The first part of a parameter of an entry point that is not uniform. */
static tl_uniformity_step entry_input(const tl_uniform *u, uint32_t param, tl_stage stage)
{
    const tl_types *types = &u->m->semantics->types;
    const tl_struct *record = tl_type_struct(types, tl_node_type(u->m, param));
    if (record == NULL) return (tl_uniformity_step){input_cause(u, param, stage), param};
    for (uint32_t k = 0; k < record->member_count; k++) {
        uint32_t member = types->members[record->member_first + k].node;
        tl_uniformity_cause cause = member != 0 ? input_cause(u, member, stage) : TL_CAUSE_INPUT;
        if (cause != TL_CAUSE_NONE) return (tl_uniformity_step){cause, member != 0 ? member : param};
    }
    return (tl_uniformity_step){TL_CAUSE_NONE, param};
}

static bool is_function_pointer(const tl_uniform *u, uint32_t param)
{
    const tl_type_info *info = tl_type_get(&u->m->semantics->types, tl_node_type(u->m, param));
    return info->kind == TL_KIND_POINTER && info->space == TL_SPACE_FUNCTION;
}

static void add_variable(tl_uniform *u, uint32_t declaration, uint32_t value)
{
    uint32_t number = ++u->variables_count; /* room for every VAR and PARAM was made */
    u->variables[number] = (tl_uniform_variable){.value = value};
    u->value[declaration] = number;
}

/* The fixed nodes of the function's graph. */
static void begin_params(tl_uniform *u, const tl_function *function)
{
    uint32_t params = TL_PARTS(tl_fn_parts, u->m, function->node)->params;
    tl_graph_begin(&u->graph);
    tl_graph_node(&u->graph, TL_CAUSE_NONE, 0); /* TL_UNIFORM_START */
    tl_graph_node(&u->graph, TL_CAUSE_NONE, 0); /* TL_UNIFORM_RETURN */
    for (uint32_t k = 0; k < tl_list_count(u->m, params); k++) {
        uint32_t param = tl_list_at(u->m, params, k);
        tl_uniformity_step input = {TL_CAUSE_NONE, param};
        if (function->stage != TL_STAGE_NONE) input = entry_input(u, param, function->stage);
        tl_graph_node(&u->graph, input.cause, input.node);
        tl_graph_node(&u->graph, TL_CAUSE_NONE, param);
        tl_graph_node(&u->graph, TL_CAUSE_NONE, param);
        if (is_function_pointer(u, param)) add_variable(u, param, tl_uniform_param_contents(k));
    }
}

/* Numbers the variables and finds where pointers lead: declarations stand before their uses. */
static void begin_locals(tl_uniform *u, uint32_t function)
{
    for (uint32_t node = function; node > 0 && u->m->nodes[node].first >= u->m->nodes[function].first; node--) {
        if (u->m->nodes[node].kind == TL_NODE_VAR) add_variable(u, node, 0);
    }
}

static void find_roots(tl_uniform *u, uint32_t function)
{
    uint32_t begin = function;
    while (begin > 1 && u->m->nodes[begin - 1].first >= u->m->nodes[function].first) begin--;
    for (uint32_t node = begin; node < function; node++) {
        if (u->m->nodes[node].kind != TL_NODE_LET) continue;
        const tl_type_info *info = tl_type_get(&u->m->semantics->types, tl_node_type(u->m, node));
        if (info->kind != TL_KIND_POINTER) continue;
        tl_uniform_root root = tl_uniform_root_of(u, TL_PARTS(tl_var_parts, u->m, node)->init);
        u->root[node] = root.declaration | (root.partial ? TL_UNIFORM_PARTIAL : 0);
    }
}

/* ---- What a function violates ------------------------------------------------------------------------------------ */

static void add_step(tl_uniformity_violation *violation, tl_uniformity_cause cause, uint32_t node)
{
    if (violation->step_count == TL_UNIFORMITY_STEPS) violation->step_count--; /* the last ones matter most */
    violation->steps[violation->step_count++] = (tl_uniformity_step){cause, node};
}

/* The cause inside a function whose result, or pointer, is not uniform. */
static tl_uniformity_step cause_in_callee(const tl_uniform *u, uint32_t call)
{
    uint32_t callee = tl_query_declaration(u->m, u->m->nodes[call].a);
    const tl_uniform_summary *summary = &u->summaries[tl_query_global_record(u->m, callee)->function];
    tl_uniformity_step step = summary->result;
    for (uint32_t k = 0; step.cause == TL_CAUSE_NONE && k < summary->param_count; k++)
        step = summary->params[k].becomes;
    return step;
}

static void add_way(const analysis *a, tl_uniformity_violation *violation, uint32_t node)
{
    const tl_graph *graph = &a->u.graph;
    for (;; node = a->next.data[node]) {
        uint32_t kind = graph->kinds.data[node];
        if (kind != TL_CAUSE_NONE) add_step(violation, (tl_uniformity_cause)kind, graph->places.data[node]);
        if (a->next.data[node] == node) break;
    }
    tl_uniformity_step last = violation->steps[violation->step_count - 1];
    if (last.cause != TL_CAUSE_CALL) return;
    tl_uniformity_step inner = cause_in_callee(&a->u, last.node);
    if (inner.cause != TL_CAUSE_NONE) add_step(violation, inner.cause, inner.node);
}

static void add_violation(analysis *a, uint32_t function, const tl_uniform_requirement *requirement)
{
    if (a->result->violation_count >= VIOLATIONS_MOST) return;
    tl_uniformity_violation *violation = TL_ARENA_ARRAY(a->u.arena, tl_uniformity_violation, 1);
    if (violation == NULL) {
        a->u.full = true;
        return;
    }
    *violation = (tl_uniformity_violation){.node = requirement->place,
                                           .required = requirement->required,
                                           .function = function,
                                           .rule = requirement->rule,
                                           .severity = requirement->severity,
                                           .of_value = requirement->of_value};
    add_way(a, violation, requirement->node);
    *a->end = violation;
    a->end = &violation->next;
    a->result->violation_count++;
}

static void find_violations(analysis *a, uint32_t function)
{
    for (uint32_t k = 0; k < a->u.requirements_count; k++) {
        tl_uniform_requirement *requirement = &a->u.requirements[k];
        requirement->violated = a->next.data[requirement->node] != 0;
        if (requirement->violated) add_violation(a, function, requirement);
    }
}

/* ---- What callers must know -------------------------------------------------------------------------------------- */

static void tag(tl_uniform_tag *tagged, const tl_uniform_requirement *requirement)
{
    if (tagged->severity[requirement->rule] >= requirement->severity) return;
    tagged->severity[requirement->rule] = (uint8_t)requirement->severity;
    tagged->required[requirement->rule] = requirement->required;
}

/* What a requirement asks of the callers: the fixed nodes among those that the search has just met. */
static void tag_met(tl_uniform *u, tl_uniform_summary *summary, const tl_uniform_requirement *requirement)
{
    for (uint32_t k = 0; k < u->graph.stack.count; k++) {
        uint32_t node = u->graph.stack.data[k];
        if (node == TL_UNIFORM_START) tag(&summary->site, requirement);
        if (node < TL_UNIFORM_PARAMS || node >= tl_uniform_param_value(summary->param_count)) continue;
        tl_uniform_param *param = &summary->params[(node - TL_UNIFORM_PARAMS) / 3];
        uint32_t part = (node - TL_UNIFORM_PARAMS) % 3;
        if (part < 2) tag(part == 0 ? &param->value : &param->contents, requirement);
    }
}

static void sum_up_requirements(tl_uniform *u, tl_uniform_summary *summary)
{
    for (uint32_t rule = 0; rule < TL_UNIFORMITY_RULE_COUNT; rule++) {
        tl_graph_search(&u->graph);
        for (uint32_t severity = TL_UNIFORMITY_ERROR; severity > TL_UNIFORMITY_OFF; severity--) {
            for (uint32_t k = 0; k < u->requirements_count; k++) {
                const tl_uniform_requirement *requirement = &u->requirements[k];
                bool wanted = requirement->rule == rule && requirement->severity == severity && !requirement->violated;
                if (!wanted) continue;
                tl_graph_reach(&u->graph, requirement->node);
                tag_met(u, summary, requirement);
            }
        }
    }
}

/* The cause at the end of the way from a node; NONE when it is uniform. */
static tl_uniformity_step cause_behind(const analysis *a, uint32_t node)
{
    const tl_graph *graph = &a->u.graph;
    if (a->next.data[node] == 0) return (tl_uniformity_step){TL_CAUSE_NONE, 0};
    while (a->next.data[node] != node) node = a->next.data[node];
    tl_uniformity_step step = {(tl_uniformity_cause)graph->kinds.data[node], graph->places.data[node]};
    return step.cause == TL_CAUSE_CALL ? cause_in_callee(&a->u, step.node) : step;
}

static void sum_up_result(analysis *a, tl_uniform_summary *summary)
{
    summary->result = cause_behind(a, TL_UNIFORM_RETURN);
    tl_graph_search(&a->u.graph);
    tl_graph_reach(&a->u.graph, TL_UNIFORM_RETURN);
    for (uint32_t k = 0; k < summary->param_count; k++) {
        summary->params[k].returns_value = tl_graph_met(&a->u.graph, tl_uniform_param_value(k));
        summary->params[k].returns_contents = tl_graph_met(&a->u.graph, tl_uniform_param_contents(k));
    }
}

/* Which parameters reach the contents of this one, if it is a pointer to a variable. */
static void sum_up_contents(analysis *a, tl_uniform_summary *summary, uint32_t k, uint32_t param)
{
    if (!is_function_pointer(&a->u, param)) return;
    uint32_t *feeds = TL_ARENA_ARRAY(a->u.arena, uint32_t, (2 * summary->param_count + 31) / 32);
    if (feeds == NULL) {
        a->u.full = true;
        return;
    }
    summary->params[k].feeds = feeds;
    summary->params[k].becomes = cause_behind(a, tl_uniform_param_out(k));
    tl_graph_search(&a->u.graph);
    tl_graph_reach(&a->u.graph, tl_uniform_param_out(k));
    for (uint32_t j = 0; j < summary->param_count; j++) {
        uint32_t value = 2 * j, contents = 2 * j + 1;
        if (tl_graph_met(&a->u.graph, tl_uniform_param_value(j))) feeds[value / 32] |= 1u << value % 32;
        if (tl_graph_met(&a->u.graph, tl_uniform_param_contents(j))) feeds[contents / 32] |= 1u << contents % 32;
    }
}

/* ---- A function -------------------------------------------------------------------------------------------------- */

static void read_directives(tl_uniform *u)
{
    for (uint32_t rule = 0; rule < TL_UNIFORMITY_RULE_COUNT; rule++) u->severity[rule] = TL_UNIFORMITY_ERROR;
    for (uint32_t k = 0; k < tl_list_count(u->m, u->m->directives); k++) {
        const tl_wgsl_node *directive = &u->m->nodes[tl_list_at(u->m, u->m->directives, k)];
        if (directive->kind == TL_NODE_DIAGNOSTIC_DIRECTIVE) tl_uniform_filter(u, directive->a);
    }
}

/* Tint's extension for those who know better. */
static bool is_disabled(const telar_wgsl *m)
{
    for (uint32_t k = 0; k < tl_list_count(m, m->directives); k++) {
        const tl_wgsl_node *directive = &m->nodes[tl_list_at(m, m->directives, k)];
        for (uint32_t j = 0; directive->kind == TL_NODE_ENABLE && j < tl_list_count(m, directive->a); j++) {
            tl_str name = tl_node_text(m, tl_list_at(m, directive->a, j));
            if (tl_str_equal(name, TL_STR("chromium_disable_uniformity_analysis"))) return true;
        }
    }
    return false;
}

static void walk_function(tl_uniform *u, const tl_function *function)
{
    const tl_fn_parts *parts = TL_PARTS(tl_fn_parts, u->m, function->node);
    tl_uniformity_severity outer[TL_UNIFORMITY_RULE_COUNT];
    memcpy(outer, u->severity, sizeof outer);
    u->function = function->node;
    u->variables_count = 0;
    u->requirements_count = 0;
    u->optional = 0;
    u->full = false;
    tl_uniform_filter_attributes(u, parts->attributes);
    begin_params(u, function);
    begin_locals(u, function->node);
    find_roots(u, function->node);
    tl_uniform_walk(u, parts->body);
    memcpy(u->severity, outer, sizeof outer);
}

/* A function that could not be analysed asks for nothing and is taken to be uniform. */
static void analyze_function(analysis *a, uint32_t index)
{
    tl_uniform *u = &a->u;
    const tl_function *function = &u->m->semantics->functions[index];
    tl_uniform_summary *summary = &u->summaries[index];
    uint32_t params = TL_PARTS(tl_fn_parts, u->m, function->node)->params;
    summary->params = TL_ARENA_ARRAY(u->arena, tl_uniform_param, tl_list_count(u->m, params));
    if (summary->params != NULL) {
        summary->param_count = tl_list_count(u->m, params);
        walk_function(u, function);
    }
    bool done = summary->params != NULL && !u->full && tl_graph_index(&u->graph) &&
                tl_graph_ways(&u->graph, TL_CAUSE_BUILTIN_VALUE, &a->next);
    if (!done) {
        a->result->complete = false;
        return;
    }
    find_violations(a, index);
    sum_up_requirements(u, summary);
    sum_up_result(a, summary);
    for (uint32_t k = 0; k < summary->param_count; k++) sum_up_contents(a, summary, k, tl_list_at(u->m, params, k));
    if (u->full) a->result->complete = false;
}

static bool prepare(analysis *a)
{
    tl_uniform *u = &a->u;
    const tl_wgsl_semantics *s = u->m->semantics;
    uint32_t variables = 1;
    for (uint32_t node = 1; node < u->m->node_count; node++) {
        variables += u->m->nodes[node].kind == TL_NODE_VAR || u->m->nodes[node].kind == TL_NODE_PARAM;
    }
    u->variables = TL_ARENA_ARRAY(u->arena, tl_uniform_variable, variables);
    u->value = TL_ARENA_ARRAY(u->arena, uint32_t, u->m->node_count);
    u->root = TL_ARENA_ARRAY(u->arena, uint32_t, u->m->node_count);
    u->matrix = TL_ARENA_ARRAY(u->arena, uint8_t, s->global_count + 1);
    u->graph.arena = u->arena;
    return u->variables != NULL && u->value != NULL && u->root != NULL && u->matrix != NULL;
}

/* ---- Which functions matter -------------------------------------------------------------------------------------- */

/* Matrices are asked for by types too. */
static bool spells_matrices(const telar_wgsl *m)
{
    return tl_query_spells(m, TL_STR("subgroup_matrix_left")) || tl_query_spells(m, TL_STR("subgroup_matrix_right")) ||
           tl_query_spells(m, TL_STR("subgroup_matrix_result"));
}

/* Does the module ask for uniformity anywhere? Most do not. */
static bool asks(const telar_wgsl *m)
{
    const tl_wgsl_semantics *s = m->semantics;
    bool found = spells_matrices(m);
    for (uint32_t k = 0; k < s->function_count && !found; k++) {
        found = (s->functions[k].builtin_flags & TL_IS_UNIFORM) != 0;
    }
    return found;
}

/* Marks the functions that ask for uniformity in this scope, by themselves or by those that they call, and all that these
 * call. The order is callees first. */
static void mark_wanted(const tl_uniform *u, const uint32_t *order, bool *wanted)
{
    const tl_wgsl_semantics *s = u->m->semantics;
    uint32_t flags = TL_IS_UNIFORM | (u->scope == TL_SCOPE_SUBGROUP ? TL_IS_SUBGROUP : 0u);
    bool all = spells_matrices(u->m);
    for (uint32_t k = 0; k < s->function_count; k++) {
        const tl_function *function = &s->functions[order[k]];
        bool wants = all || (function->builtin_flags & flags) == flags;
        for (uint32_t j = 0; j < function->call_count; j++)
            wants |= wanted[s->calls[function->call_first + j].function];
        wanted[order[k]] = wants;
    }
    for (uint32_t k = s->function_count; k-- > 0;) {
        const tl_function *function = &s->functions[order[k]];
        for (uint32_t j = 0; wanted[order[k]] && j < function->call_count; j++) {
            wanted[s->calls[function->call_first + j].function] = true;
        }
    }
}

/* ---- The module -------------------------------------------------------------------------------------------------- */

static void analyze_scope(analysis *a, tl_uniform_scope scope, const uint32_t *order, bool *wanted)
{
    uint32_t count = a->u.m->semantics->function_count;
    a->u.scope = scope;
    a->u.summaries = TL_ARENA_ARRAY(a->u.arena, tl_uniform_summary, count);
    if (a->u.summaries == NULL) {
        a->result->complete = false;
        return;
    }
    mark_wanted(&a->u, order, wanted);
    for (uint32_t k = 0; k < count; k++) {
        if (wanted[order[k]]) analyze_function(a, order[k]);
    }
}

void tl_uniformity_analyze(const telar_wgsl *m, bool subgroup_scope, telar_arena *arena, tl_uniformity *result)
{
    *result = (tl_uniformity){.complete = true};
    if (is_disabled(m) || !asks(m)) return;
    uint32_t count = m->semantics->function_count;
    uint32_t *order = TL_ARENA_ARRAY(arena, uint32_t, count);
    bool *wanted = TL_ARENA_ARRAY(arena, bool, count);
    analysis a = {.u = {.m = m, .arena = arena}, .result = result, .end = &result->violations};
    if (order == NULL || wanted == NULL || !prepare(&a)) {
        result->complete = false;
        return;
    }
    read_directives(&a.u);
    for (uint32_t k = 0; k < count; k++) order[m->semantics->functions[k].order] = k;
    if (!subgroup_scope) {
        analyze_scope(&a, TL_SCOPE_BOTH, order, wanted);
        return;
    }
    analyze_scope(&a, TL_SCOPE_WORKGROUP, order, wanted);
    analyze_scope(&a, TL_SCOPE_SUBGROUP, order, wanted);
}
