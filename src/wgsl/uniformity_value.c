/* SPDX-License-Identifier: MIT
 *
 * Expressions in the graph of uniformity: the specification's rules for right-hand sides and for function calls.
 *
 * Every value depends on the control flow that it is computed in, so that control flow itself stands for a value that
 * depends on nothing else, and an edge to it is left out where another edge leads there. */
#include "wgsl/uniformity_walk.h"

#include <string.h>

static const tl_wgsl_node *at(const tl_uniform *u, uint32_t node)
{
    return &u->m->nodes[node];
}

static const tl_type_info *info_of(const tl_uniform *u, uint32_t node)
{
    return tl_type_get(&u->m->semantics->types, tl_node_type(u->m, node));
}

static uint32_t source(tl_uniform *u, tl_uniformity_cause cause, uint32_t place)
{
    return tl_graph_node(&u->graph, cause, place);
}

uint32_t tl_uniform_both(tl_uniform *u, uint32_t a, uint32_t b, uint32_t cf)
{
    if (a == b || b == cf) return a;
    if (a == cf) return b;
    uint32_t result = tl_graph_node(&u->graph, TL_CAUSE_NONE, 0);
    tl_graph_edge(&u->graph, result, a);
    tl_graph_edge(&u->graph, result, b);
    return result;
}

/* ---- Requirements ------------------------------------------------------------------------------------------------ */

static bool is_active(const tl_uniform *u, tl_uniformity_rule rule)
{
    bool of_subgroup = rule == TL_UNIFORMITY_SUBGROUP || rule == TL_UNIFORMITY_MATRIX;
    return u->scope == TL_SCOPE_BOTH || of_subgroup == (u->scope == TL_SCOPE_SUBGROUP);
}

static void add_requirement(tl_uniform *u, tl_uniform_requirement requirement)
{
    if (requirement.severity == TL_UNIFORMITY_OFF || requirement.node == 0) return;
    if (u->requirements_count == u->requirements_capacity) {
        uint32_t capacity = u->requirements_capacity == 0 ? 32 : u->requirements_capacity * 2;
        tl_uniform_requirement *grown = TL_ARENA_ARRAY(u->arena, tl_uniform_requirement, capacity);
        if (grown == NULL) {
            u->full = true;
            return;
        }
        if (u->requirements_count > 0) memcpy(grown, u->requirements, u->requirements_count * sizeof *grown);
        u->requirements = grown;
        u->requirements_capacity = capacity;
    }
    u->requirements[u->requirements_count++] = requirement;
}

void tl_uniform_require(tl_uniform *u, tl_uniformity_rule rule, uint32_t node, uint32_t place, bool of_value)
{
    if (!is_active(u, rule)) return;
    add_requirement(u, (tl_uniform_requirement){.node = node,
                                                .place = place,
                                                .required = place,
                                                .rule = rule,
                                                .severity = u->severity[rule],
                                                .of_value = of_value});
}

/* What a callee requires, required here. */
static void require_tag(tl_uniform *u, const tl_uniform_tag *tag, uint32_t node, uint32_t call, bool of_value)
{
    for (uint32_t rule = 0; rule < TL_UNIFORMITY_RULE_COUNT; rule++) {
        add_requirement(u, (tl_uniform_requirement){.node = node,
                                                    .place = call,
                                                    .required = tag->required[rule],
                                                    .rule = (tl_uniformity_rule)rule,
                                                    .severity = (tl_uniformity_severity)tag->severity[rule],
                                                    .of_value = of_value});
    }
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* `v.xyz` of a vec3 names the whole vector, in any order. */
static bool is_whole_swizzle(const tl_uniform *u, uint32_t node)
{
    const tl_types *types = &u->m->semantics->types;
    if (at(u, node)->kind != TL_NODE_MEMBER_ACCESS || tl_node_declaration(u->m, node) != 0) return false;
    tl_type base = tl_node_value_type(u->m, at(u, node)->a);
    return tl_type_is_vector(base) && tl_node_name(u->m, node).len == tl_type_components(types, base);
}

tl_uniform_root tl_uniform_root_of(const tl_uniform *u, uint32_t expression)
{
    tl_uniform_root root = {0};
    uint32_t node = expression;
    for (;; node = at(u, node)->a) {
        const tl_wgsl_node *n = at(u, node);
        if (n->kind == TL_NODE_INDEX || n->kind == TL_NODE_MEMBER_ACCESS) {
            root.partial |= !is_whole_swizzle(u, node);
        } else if (n->kind != TL_NODE_PAREN &&
                   !(n->kind == TL_NODE_UNARY && (n->op == TL_OP_DEREF || n->op == TL_OP_ADDRESS))) {
            break;
        }
    }
    root.declaration = tl_query_declaration(u->m, node);
    if (root.declaration == 0 || at(u, root.declaration)->kind != TL_NODE_LET) return root;
    uint32_t word = u->root[root.declaration];
    root.declaration = word & ~TL_UNIFORM_PARTIAL;
    root.partial |= (word & TL_UNIFORM_PARTIAL) != 0;
    return root;
}

tl_uniform_variable *tl_uniform_variable_of(tl_uniform *u, uint32_t declaration)
{
    const tl_wgsl_node *n = at(u, declaration);
    bool local = (n->kind == TL_NODE_VAR && (n->flags & TL_FLAG_GLOBAL) == 0) || n->kind == TL_NODE_PARAM;
    uint32_t number = declaration != 0 && local ? u->value[declaration] : 0;
    return number != 0 ? &u->variables[number] : NULL;
}

/* Reads what the root holds. */
static uint32_t read_root(tl_uniform *u, uint32_t declaration, uint32_t ident, uint32_t cf)
{
    const tl_wgsl_node *n = at(u, declaration);
    if (declaration == 0) return cf;
    if (n->kind == TL_NODE_VAR && (n->flags & TL_FLAG_GLOBAL) != 0) {
        const tl_global *global = tl_query_global_record(u->m, declaration);
        switch ((tl_space)global->space) {
        case TL_SPACE_PRIVATE: return source(u, TL_CAUSE_PRIVATE, ident);
        case TL_SPACE_WORKGROUP: return source(u, TL_CAUSE_WORKGROUP, ident);
        case TL_SPACE_STORAGE: return global->access == TL_ACCESS_READ ? cf : source(u, TL_CAUSE_STORAGE, ident);
        case TL_SPACE_OTHER: return source(u, TL_CAUSE_STORAGE, ident);
        default: return cf;
        }
    }
    tl_uniform_variable *variable = tl_uniform_variable_of(u, declaration);
    if (variable != NULL) {
        if (variable->value == cf || variable->value == 0) return cf;
        uint32_t result = tl_graph_node(&u->graph, TL_CAUSE_READ, ident);
        tl_graph_edge(&u->graph, result, variable->value);
        tl_graph_edge(&u->graph, result, cf);
        return result;
    }
    /* What a pointer parameter of another space points to. */
    return info_of(u, declaration)->access == TL_ACCESS_READ ? cf : source(u, TL_CAUSE_POINTER, ident);
}

static uint32_t read_value(tl_uniform *u, uint32_t value, uint32_t ident, uint32_t cf)
{
    if (value == 0 || value == cf) return cf;
    uint32_t result = tl_graph_node(&u->graph, TL_CAUSE_READ, ident);
    tl_graph_edge(&u->graph, result, value);
    tl_graph_edge(&u->graph, result, cf);
    return result;
}

/* An IDENT; loads: the memory that it leads to is read. */
static uint32_t ident_value(tl_uniform *u, uint32_t ident, uint32_t cf, bool loads)
{
    uint32_t declaration = tl_query_declaration(u->m, ident);
    if (declaration == 0) return cf;
    bool pointer = info_of(u, declaration)->kind == TL_KIND_POINTER;
    switch ((tl_wgsl_node_kind)at(u, declaration)->kind) {
    case TL_NODE_VAR: return loads ? read_root(u, declaration, ident, cf) : cf;
    case TL_NODE_LET: {
        uint32_t value = read_value(u, u->value[declaration], ident, cf);
        if (!pointer || !loads) return value;
        uint32_t root = u->root[declaration] & ~TL_UNIFORM_PARTIAL;
        return tl_uniform_both(u, read_root(u, root, ident, cf), value, cf);
    }
    case TL_NODE_PARAM: {
        uint32_t value = read_value(u, tl_uniform_param_value(tl_node_declaration(u->m, declaration)), ident, cf);
        if (!pointer || !loads) return value;
        return tl_uniform_both(u, read_root(u, declaration, ident, cf), value, cf);
    }
    default: return cf;
    }
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static bool is_matrix_builtin(tl_builtin builtin)
{
    return builtin >= TL_BUILTIN_subgroupMatrixLoad && builtin <= TL_BUILTIN_subgroupMatrixStore;
}

/* Subgroup operations whose result all invocations of the subgroup share. */
static bool is_shared_by_subgroup(tl_builtin builtin)
{
    switch (builtin) {
    case TL_BUILTIN_subgroupAdd:
    case TL_BUILTIN_subgroupAll:
    case TL_BUILTIN_subgroupAnd:
    case TL_BUILTIN_subgroupAny:
    case TL_BUILTIN_subgroupBallot:
    case TL_BUILTIN_subgroupBroadcast:
    case TL_BUILTIN_subgroupBroadcastFirst:
    case TL_BUILTIN_subgroupMax:
    case TL_BUILTIN_subgroupMin:
    case TL_BUILTIN_subgroupMul:
    case TL_BUILTIN_subgroupOr:
    case TL_BUILTIN_subgroupXor: return true;
    default: return false;
    }
}

/* The rule that a built-in function triggers; RULE_COUNT when it may be called anywhere. */
static tl_uniformity_rule rule_of(tl_builtin builtin)
{
    uint32_t flags = tl_builtin_get(builtin)->flags;
    if ((flags & TL_IS_UNIFORM) == 0) return TL_UNIFORMITY_RULE_COUNT;
    if (is_matrix_builtin(builtin)) return TL_UNIFORMITY_MATRIX;
    if ((flags & TL_IS_SUBGROUP) != 0) return TL_UNIFORMITY_SUBGROUP;
    return (flags & TL_IS_BARRIER) != 0 ? TL_UNIFORMITY_BARRIER : TL_UNIFORMITY_DERIVATIVE;
}

static bool needs_uniform_argument(tl_builtin builtin, uint32_t argument)
{
    switch (builtin) {
    case TL_BUILTIN_workgroupUniformLoad: return argument == 0;
    case TL_BUILTIN_subgroupShuffleDown:
    case TL_BUILTIN_subgroupShuffleUp:
    case TL_BUILTIN_subgroupShuffleXor: return argument == 1;
    default: return is_matrix_builtin(builtin);
    }
}

static bool reads_writable_texture(const tl_uniform *u, uint32_t call)
{
    uint32_t list = at(u, call)->b;
    if (tl_list_count(u->m, list) == 0) return false;
    const tl_types *types = &u->m->semantics->types;
    const tl_type_info *info = tl_type_get(types, tl_node_value_type(u->m, tl_list_at(u->m, list, 0)));
    return info->kind == TL_KIND_TEXTURE && info->columns == TL_TEXTURE_STORAGE && info->access == TL_ACCESS_READ_WRITE;
}

/* What makes the result of a built-in function non-uniform by itself. */
static tl_uniformity_cause cause_of(const tl_uniform *u, tl_builtin builtin, uint32_t call)
{
    uint32_t flags = tl_builtin_get(builtin)->flags;
    if ((flags & TL_IS_ATOMIC) != 0) return TL_CAUSE_ATOMIC;
    if ((flags & TL_IS_DERIVATIVE) != 0) return TL_CAUSE_DERIVATIVE;
    if ((flags & TL_IS_SUBGROUP) != 0) {
        bool shared = is_matrix_builtin(builtin) || (u->scope == TL_SCOPE_SUBGROUP && is_shared_by_subgroup(builtin));
        return shared || (flags & TL_IS_BARRIER) != 0 ? TL_CAUSE_NONE : TL_CAUSE_SUBGROUP;
    }
    return builtin == TL_BUILTIN_textureLoad && reads_writable_texture(u, call) ? TL_CAUSE_TEXTURE : TL_CAUSE_NONE;
}

/* A node for the result of a call with all its arguments. */
static uint32_t arguments_value(tl_uniform *u, uint32_t call, uint32_t cf)
{
    uint32_t list = at(u, call)->b, count = tl_list_count(u->m, list), result = cf;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t value = tl_uniform_value(u, tl_list_at(u->m, list, k), cf);
        if (value == cf) continue;
        if (result == cf) result = tl_graph_node(&u->graph, TL_CAUSE_NONE, 0);
        tl_graph_edge(&u->graph, result, value);
    }
    if (result != cf) tl_graph_edge(&u->graph, result, cf);
    return result;
}

static uint32_t builtin_value(tl_uniform *u, tl_builtin builtin, uint32_t call, uint32_t cf)
{
    tl_uniformity_rule rule = rule_of(builtin);
    uint32_t list = at(u, call)->b, count = tl_list_count(u->m, list), result = cf;
    if (rule != TL_UNIFORMITY_RULE_COUNT) tl_uniform_require(u, rule, cf, call, false);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t value = tl_uniform_value(u, tl_list_at(u->m, list, k), cf);
        bool required = rule != TL_UNIFORMITY_RULE_COUNT && needs_uniform_argument(builtin, k);
        if (required) tl_uniform_require(u, rule, value, call, true);
        result = tl_uniform_both(u, result, value, cf);
    }
    tl_uniformity_cause cause = cause_of(u, builtin, call);
    return cause != TL_CAUSE_NONE ? source(u, cause, call) : result;
}

/* The contents that a call leaves behind a pointer: what the callee stores, under this control flow. */
static uint32_t contents_after(tl_uniform *u, const tl_uniform_summary *callee, const tl_uniform_param *param,
                               const uint32_t *values, const uint32_t *contents, uint32_t call, uint32_t cf)
{
    if (param->becomes.cause != TL_CAUSE_NONE) return source(u, TL_CAUSE_CALL, call);
    uint32_t result = tl_graph_node(&u->graph, TL_CAUSE_NONE, call);
    tl_graph_edge(&u->graph, result, cf);
    for (uint32_t k = 0; k < 2 * callee->param_count; k++) {
        if ((param->feeds[k / 32] >> (k % 32) & 1u) == 0) continue;
        tl_graph_edge(&u->graph, result, (k % 2 == 0 ? values : contents)[k / 2]);
    }
    return result;
}

static uint32_t function_value(tl_uniform *u, const tl_uniform_summary *callee, uint32_t call, uint32_t cf)
{
    uint32_t list = at(u, call)->b, count = tl_list_count(u->m, list), base = u->words.count;
    require_tag(u, &callee->site, cf, call, false);
    if (count > callee->param_count || !tl_words_reserve(&u->words, base + 2 * count, u->arena)) {
        u->full = true;
        return cf;
    }
    u->words.count += 2 * count;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t argument = tl_list_at(u->m, list, k);
        uint32_t value = tl_uniform_value(u, argument, cf);
        tl_uniform_variable *variable = tl_uniform_variable_of(u, tl_uniform_root_of(u, argument).declaration);
        bool pointer = info_of(u, argument)->kind == TL_KIND_POINTER;
        u->words.data[base + k] = value;
        u->words.data[base + count + k] = pointer && variable != NULL ? variable->value : cf;
    }
    const uint32_t *values = count > 0 ? u->words.data + base : NULL; /* no words at all yet, perhaps */
    const uint32_t *contents = count > 0 ? values + count : NULL;
    uint32_t result = tl_graph_node(&u->graph, TL_CAUSE_NONE, call);
    tl_graph_edge(&u->graph, result, cf);
    for (uint32_t k = 0; k < count; k++) {
        const tl_uniform_param *param = &callee->params[k];
        require_tag(u, &param->value, values[k], call, true);
        require_tag(u, &param->contents, contents[k], call, true);
        if (param->returns_value) tl_graph_edge(&u->graph, result, values[k]);
        if (param->returns_contents) tl_graph_edge(&u->graph, result, contents[k]);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (callee->params[k].feeds == NULL) continue;
        tl_uniform_root root = tl_uniform_root_of(u, tl_list_at(u->m, list, k));
        tl_uniform_variable *variable = tl_uniform_variable_of(u, root.declaration);
        if (variable == NULL) continue;
        uint32_t after = contents_after(u, callee, &callee->params[k], values, contents, call, cf);
        if (root.partial) after = tl_uniform_both(u, after, values[k], TL_UNIFORM_NONE);
        variable->value =
            root.partial || u->optional > 0 ? tl_uniform_both(u, after, variable->value, TL_UNIFORM_NONE) : after;
    }
    u->words.count = base;
    return callee->result.cause != TL_CAUSE_NONE ? source(u, TL_CAUSE_CALL, call) : result;
}

static uint32_t call_value(tl_uniform *u, uint32_t call, uint32_t cf)
{
    tl_builtin builtin = tl_query_builtin_call(u->m, call);
    if (builtin != TL_BUILTIN_COUNT) return builtin_value(u, builtin, call, cf);
    uint32_t callee = tl_query_declaration(u->m, at(u, call)->a);
    if (callee != 0 && at(u, callee)->kind == TL_NODE_FN) {
        return function_value(u, &u->summaries[tl_query_global_record(u->m, callee)->function], call, cf);
    }
    uint32_t value = arguments_value(u, call, cf);
    if (tl_uniform_has_matrix(u, at(u, call)->a)) {
        tl_uniform_require(u, TL_UNIFORMITY_MATRIX, cf, call, false);
        tl_uniform_require(u, TL_UNIFORMITY_MATRIX, value, call, true);
    }
    return value;
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

static bool is_on_spine(const tl_wgsl_node *n)
{
    switch ((tl_wgsl_node_kind)n->kind) {
    case TL_NODE_PAREN:
    case TL_NODE_UNARY:
    case TL_NODE_BINARY:
    case TL_NODE_INDEX:
    case TL_NODE_MEMBER_ACCESS: return true;
    default: return false;
    }
}

/* Does this step go on naming memory, or compute with a value? */
static bool names_memory(const tl_wgsl_node *n)
{
    bool computes = n->kind == TL_NODE_UNARY && n->op != TL_OP_DEREF && n->op != TL_OP_ADDRESS;
    return n->kind != TL_NODE_BINARY && !computes;
}

uint32_t tl_uniform_condition(tl_uniform *u, uint32_t node, uint32_t cf)
{
    uint32_t value = tl_uniform_value(u, node, cf);
    if (value == cf) return cf;
    uint32_t result = tl_graph_node(&u->graph, TL_CAUSE_CONDITION, tl_without_parentheses(u->m, node));
    tl_graph_edge(&u->graph, result, value);
    return result;
}

static uint32_t step_value(tl_uniform *u, uint32_t node, uint32_t left, uint32_t cf)
{
    const tl_wgsl_node *n = at(u, node);
    if (n->kind == TL_NODE_INDEX) return tl_uniform_both(u, left, tl_uniform_value(u, n->b, cf), cf);
    if (n->kind != TL_NODE_BINARY) return left;
    if (n->op != TL_OP_AND_AND && n->op != TL_OP_OR_OR) {
        return tl_uniform_both(u, left, tl_uniform_value(u, n->b, cf), cf);
    }
    /* The right operand is computed under the control of the left one. */
    uint32_t under = left;
    if (left != cf) {
        under = tl_graph_node(&u->graph, TL_CAUSE_CONDITION, tl_without_parentheses(u->m, n->a));
        tl_graph_edge(&u->graph, under, left);
    }
    u->optional++;
    uint32_t value = tl_uniform_value(u, n->b, under);
    u->optional--;
    return value;
}

static uint32_t leaf_value(tl_uniform *u, uint32_t leaf, uint32_t top, uint32_t cf)
{
    if (at(u, leaf)->kind == TL_NODE_CALL) return call_value(u, leaf, cf);
    if (at(u, leaf)->kind != TL_NODE_IDENT) return cf;
    return ident_value(u, leaf, cf, info_of(u, top)->kind != TL_KIND_POINTER);
}

uint32_t tl_uniform_load(tl_uniform *u, uint32_t target, uint32_t cf)
{
    uint32_t root = tl_query_root(u->m, target);
    return root != 0 ? ident_value(u, root, cf, true) : cf;
}

/* Numbers and booleans that are known have no parts to look at. */
static bool is_known(const tl_uniform *u, uint32_t node)
{
    return tl_constant_is_value(u->m->semantics->constant[node]) && tl_node_type(u->m, node) < TL_TYPE_SAMPLER;
}

/* Chains to the left can be as long as the source: from the leaf upwards, without recursion. The part that names memory
 * ends before the first operator; it is loaded, behind its indices, unless it gives a pointer. */
uint32_t tl_uniform_value(tl_uniform *u, uint32_t node, uint32_t cf)
{
    if (is_known(u, node)) return cf;
    uint32_t base = u->words.count, leaf = node, top;
    for (; is_on_spine(at(u, leaf)); leaf = at(u, leaf)->a) {
        if (tl_words_push(&u->words, leaf, u->arena)) continue;
        u->full = true;
        return cf;
    }
    uint32_t value = cf;
    for (top = leaf; u->words.count > base && names_memory(at(u, u->words.data[u->words.count - 1]));) {
        top = u->words.data[--u->words.count];
        value = step_value(u, top, value, cf);
    }
    value = tl_uniform_both(u, leaf_value(u, leaf, top, cf), value, cf);
    while (u->words.count > base) value = step_value(u, u->words.data[--u->words.count], value, cf);
    return value;
}

/* ---- Subgroup matrices ------------------------------------------------------------------------------------------- */

/* Structures and aliases are looked at once; the resolver bounds how deeply they nest. */
bool tl_uniform_has_matrix(tl_uniform *u, uint32_t type)
{
    const tl_wgsl_node *n = at(u, type);
    if (n->kind != TL_NODE_IDENT) return false;
    uint32_t declaration = tl_node_declaration(u->m, type);
    if ((declaration & TL_NAME_TAG_MASK) == TL_NAME_PREDECLARED) {
        static const char prefix[] = "subgroup_matrix_";
        const tl_predeclared_row *row = tl_predeclared_get(declaration & TL_NAME_INDEX_MASK);
        if (row->class_ == TL_CLASS_OPAQUE) return strncmp(row->name, prefix, sizeof prefix - 1) == 0;
        return row->class_ == TL_CLASS_ARRAY && tl_list_count(u->m, n->a) > 0 &&
               tl_uniform_has_matrix(u, tl_list_at(u->m, n->a, 0));
    }
    declaration = tl_query_declaration(u->m, type);
    const tl_wgsl_node *d = at(u, declaration);
    if (declaration == 0 || (d->kind != TL_NODE_STRUCT && d->kind != TL_NODE_ALIAS)) return false;
    uint8_t *known = &u->matrix[tl_node_declaration(u->m, declaration)];
    if (*known != 0) return *known == 2;
    bool found = d->kind == TL_NODE_ALIAS && tl_uniform_has_matrix(u, d->a);
    for (uint32_t k = 0; d->kind == TL_NODE_STRUCT && !found && k < tl_list_count(u->m, d->a); k++) {
        uint32_t member = tl_list_at(u->m, d->a, k);
        found = tl_uniform_has_matrix(u, TL_PARTS(tl_member_parts, u->m, member)->type);
    }
    *known = found ? 2 : 1;
    return found;
}
