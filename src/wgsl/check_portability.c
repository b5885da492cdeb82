/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "portability": what one implementation takes and another refuses, and what hosts get wrong about
 * layout and bindings. */
#include "wgsl/check.h"

static const tl_wgsl_node *at(const tl_check *c, uint32_t node)
{
    return &c->m->nodes[node];
}

/* ---- enable ------------------------------------------------------------------------------------------------------ */

/* The features that a module can use without saying so. */
typedef enum feature {
    FEATURE_NONE,
    FEATURE_SUBGROUPS,
    FEATURE_F16,
    FEATURE_CLIP_DISTANCES,
    FEATURE_PRIMITIVE_INDEX,
    FEATURE_DUAL_SOURCE,
    FEATURE_COUNT
} feature;

static const char *const feature_words[FEATURE_COUNT] = {
    [FEATURE_SUBGROUPS] = "subgroups",
    [FEATURE_F16] = "f16",
    [FEATURE_CLIP_DISTANCES] = "clip_distances",
    [FEATURE_PRIMITIVE_INDEX] = "primitive_index",
    [FEATURE_DUAL_SOURCE] = "dual_source_blending",
};

static feature feature_of_value(tl_builtin_value value)
{
    switch (value) {
    case TL_VALUE_subgroup_id:
    case TL_VALUE_subgroup_invocation_id:
    case TL_VALUE_subgroup_size:
    case TL_VALUE_num_subgroups: return FEATURE_SUBGROUPS;
    case TL_VALUE_clip_distances: return FEATURE_CLIP_DISTANCES;
    case TL_VALUE_primitive_index: return FEATURE_PRIMITIVE_INDEX;
    default: return FEATURE_NONE;
    }
}

/* Built-in functions of subgroups that the specification has; extensions of one implementation have words of their own. */
static bool is_standard_subgroup(tl_builtin builtin)
{
    uint32_t flags = tl_builtin_get(builtin)->flags;
    bool extension = tl_builtin_get(builtin)->rule == TL_RULE_OPAQUE || builtin == TL_BUILTIN_subgroupBarrier;
    return (flags & (TL_IS_SUBGROUP | TL_IS_QUAD)) != 0 && !extension;
}

/* f16, vec2h, mat2x2h ... or a template of f16. */
static bool names_f16(const tl_check *c, uint32_t ident)
{
    uint32_t word = tl_node_declaration(c->m, ident);
    if ((word & TL_NAME_TAG_MASK) != TL_NAME_PREDECLARED) return false;
    const tl_predeclared_row *row = tl_predeclared_get(word & TL_NAME_INDEX_MASK);
    switch (row->class_) {
    case TL_CLASS_TYPE: return row->a == TL_TYPE_F16;
    case TL_CLASS_VECTOR_OF: return row->b == TL_KIND_F16;
    case TL_CLASS_MATRIX_OF: return row->c == TL_KIND_F16;
    default: return false;
    }
}

/* 1.0h, 0x1p2h, 1h. */
static bool is_half(const tl_check *c, uint32_t literal)
{
    tl_str text = tl_node_text(c->m, literal);
    bool hexadecimal = text.len > 1 && (text.data[1] == 'x' || text.data[1] == 'X');
    return text.data[text.len - 1] == 'h' && (!hexadecimal || at(c, literal)->kind == TL_NODE_FLOAT);
}

static feature feature_of_attribute(const tl_check *c, uint32_t node)
{
    if (at(c, node)->op == TL_ATTR_BLEND_SRC) return FEATURE_DUAL_SOURCE;
    if (at(c, node)->op != TL_ATTR_BUILTIN) return FEATURE_NONE;
    return feature_of_value((tl_builtin_value)tl_node_declaration(c->m, node));
}

static feature feature_of_call(const tl_check *c, uint32_t call)
{
    tl_builtin builtin = tl_query_builtin_call(c->m, call);
    return builtin != TL_BUILTIN_COUNT && is_standard_subgroup(builtin) ? FEATURE_SUBGROUPS : FEATURE_NONE;
}

static feature feature_of_name(const tl_check *c, uint32_t ident)
{
    return names_f16(c, ident) ? FEATURE_F16 : FEATURE_NONE;
}

static feature feature_of_literal(const tl_check *c, uint32_t literal)
{
    return is_half(c, literal) ? FEATURE_F16 : FEATURE_NONE;
}

static const struct feature_row {
    tl_wgsl_node_kind kind;
    feature (*of)(const tl_check *c, uint32_t node);
} feature_rows[] = {
    {TL_NODE_CALL, feature_of_call},     {TL_NODE_IDENT, feature_of_name},          {TL_NODE_INT, feature_of_literal},
    {TL_NODE_FLOAT, feature_of_literal}, {TL_NODE_ATTRIBUTE, feature_of_attribute},
};

/* The first place in the text of each feature; 0: not used. */
static void find_features(const tl_check *c, uint32_t first[FEATURE_COUNT])
{
    for (size_t r = 0; r < TL_COUNT(feature_rows); r++) {
        const struct feature_row *row = &feature_rows[r];
        for (uint32_t k = c->kinds.begin[row->kind]; k < c->kinds.begin[row->kind + 1]; k++) {
            uint32_t node = c->kinds.nodes[k];
            feature f = row->of(c, node);
            if (f == FEATURE_NONE || (first[f] != 0 && at(c, node)->first >= at(c, first[f])->first)) continue;
            first[f] = node;
        }
    }
}

static bool is_enabled(const tl_check *c, const char *word)
{
    for (uint32_t k = 0; k < tl_list_count(c->m, c->m->directives); k++) {
        const tl_wgsl_node *directive = at(c, tl_list_at(c->m, c->m->directives, k));
        for (uint32_t j = 0; directive->kind == TL_NODE_ENABLE && j < tl_list_count(c->m, directive->a); j++) {
            if (tl_str_equal(tl_node_text(c->m, tl_list_at(c->m, directive->a, j)), tl_str_of(word))) return true;
        }
    }
    return false;
}

/* naga takes the functions of subgroups without the word, and refuses the word. */
static bool is_wanted(const tl_check *c, feature f)
{
    return f != FEATURE_SUBGROUPS || c->desc->reader != TELAR_READER_NAGA;
}

static void check_enables(tl_check *c)
{
    uint32_t first[FEATURE_COUNT] = {0};
    find_features(c, first);
    for (uint32_t f = FEATURE_NONE + 1; f < FEATURE_COUNT; f++) {
        if (first[f] == 0 || is_enabled(c, feature_words[f]) || !is_wanted(c, (feature)f)) continue;
        tl_finding *finding = tl_check_report(c, TL_CHECK_MISSING_ENABLE, TELAR_SEVERITY_ERROR, first[f],
                                              TL_SAYS(NEEDS_ENABLE, TL_Z(feature_words[f])));
        tl_check_fix(c, finding, TL_SAYS(ADD_ENABLE, TL_Z(feature_words[f])));
        tl_check_edit(c, finding, 0, 0, "enable %s;\n", feature_words[f]);
    }
}

/* ---- what only naga refuses -------------------------------------------------------------------------------------- */

/* A note, unless naga will read it. */
static telar_severity for_naga(const tl_check *c)
{
    return c->desc->reader == TELAR_READER_NAGA ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_NOTE;
}

static void check_directives(tl_check *c)
{
    for (uint32_t k = 0; k < tl_list_count(c->m, c->m->directives); k++) {
        uint32_t node = tl_list_at(c->m, c->m->directives, k);
        if (at(c, node)->kind == TL_NODE_REQUIRES) {
            tl_check_report(c, TL_CHECK_NAGA, for_naga(c), node, TL_SAID(NAGA_REQUIRES));
        }
        for (uint32_t j = 0; at(c, node)->kind == TL_NODE_ENABLE && j < tl_list_count(c->m, at(c, node)->a); j++) {
            uint32_t word = tl_list_at(c->m, at(c, node)->a, j);
            if (!tl_str_equal(tl_node_text(c->m, word), TL_STR("subgroups"))) continue;
            tl_finding *finding = tl_check_report(c, TL_CHECK_NAGA, for_naga(c), node, TL_SAID(NAGA_ENABLE));
            tl_check_fix(c, finding, TL_SAID(WEAVE_FOR_READER));
        }
    }
}

static void check_pointer_parameter(tl_check *c, uint32_t param)
{
    const tl_type_info *info = tl_type_get(&c->m->semantics->types, tl_node_type(c->m, param));
    bool refused = info->kind == TL_KIND_POINTER && info->space != TL_SPACE_FUNCTION && info->space != TL_SPACE_PRIVATE;
    if (!refused) return;
    tl_finding *finding = tl_check_report(c, TL_CHECK_NAGA, for_naga(c), param,
                                          TL_SAYS(NAGA_POINTER, TL_Z(tl_space_name((tl_space)info->space))));
    tl_check_fix(c, finding, TL_SAID(NAME_VARIABLE));
}

static void check_elect(tl_check *c, uint32_t call)
{
    if (tl_query_builtin_call(c->m, call) != TL_BUILTIN_subgroupElect) return;
    tl_finding *finding = tl_check_report(c, TL_CHECK_NAGA, for_naga(c), call, TL_SAID(NAGA_ELECT));
    tl_check_fix(c, finding, TL_SAID(COMPARE_LANE));
}

static void check_filter(tl_check *c, uint32_t statement)
{
    uint32_t filter = tl_list_attribute(c->m, tl_node_attributes(c->m, statement), TL_ATTR_DIAGNOSTIC);
    if (filter == 0) return;
    tl_check_report(c, TL_CHECK_NAGA, for_naga(c), filter, TL_SAID(NAGA_DIAGNOSTIC));
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static void check_uniform_layout(tl_check *c, const telar_wgsl_binding *binding, uint32_t variable)
{
    if (binding->space != TELAR_WGSL_UNIFORM || binding->fits_uniform_layout) return;
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_UNIFORM_LAYOUT, c->desc->reader == TELAR_READER_NAGA ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_NOTE,
        variable, TL_SAYS(UNIFORM_MISFIT, TL_Z(binding->name), TL_U(binding->misfit_offset)));
    tl_check_fix(c, finding, TL_SAID(PACK_INTO_VEC4));
}

static const telar_check_bind *bind_of(const tl_check *c, const char *name)
{
    for (uint32_t k = 0; k < c->desc->binds_count; k++) {
        if (tl_str_equal(tl_str_of(c->desc->binds[k].name), tl_str_of(name))) return &c->desc->binds[k];
    }
    return NULL;
}

/* The outermost array type of a binding; 0 when there is none. */
static tl_type array_of(const tl_check *c, uint32_t variable)
{
    const tl_types *types = &c->m->semantics->types;
    tl_type type = tl_node_value_type(c->m, variable);
    const tl_struct *record = tl_type_struct(types, type);
    if (record != NULL && record->member_count > 0) {
        type = types->members[record->member_first + record->member_count - 1].type;
    }
    return tl_type_kind(types, type) == TL_KIND_ARRAY ? type : 0;
}

static bool is_vec3(const tl_types *types, tl_type type)
{
    return tl_type_is_vector(type) && tl_type_components(types, type) == 3;
}

/* Columns of three are padded as a vec3 is. */
static uint64_t packed_matrix(const tl_types *types, tl_type type)
{
    const tl_type_info *info = tl_type_get(types, type);
    if (info->kind != TL_KIND_MATRIX || info->rows != 3) return 0;
    return (uint64_t)info->columns * 3 * tl_type_get(types, info->element)->size;
}

/* Bytes of a structure without the padding between and behind its members; 0 when it has no vec3 that makes some. */
static uint64_t packed_bytes(const tl_types *types, tl_type type)
{
    if (is_vec3(types, type)) return tl_type_get(types, type)->size;
    if (packed_matrix(types, type) != 0) return packed_matrix(types, type);
    const tl_struct *record = tl_type_struct(types, type);
    if (record == NULL) return 0;
    uint64_t sum = 0;
    bool has_vec3 = false;
    for (uint32_t k = 0; k < record->member_count; k++) {
        const tl_member *member = &types->members[record->member_first + k];
        uint64_t matrix = packed_matrix(types, member->type);
        sum += matrix != 0 ? matrix : tl_type_get(types, member->type)->size;
        has_vec3 |= matrix != 0 || is_vec3(types, member->type);
    }
    return has_vec3 ? sum : 0;
}

/* The launch tells that the host packs elements: the bytes are whole elements when packed, and none as WGSL counts. */
static bool is_packed_by_host(const telar_check_bind *bind, uint64_t first, uint64_t stride, uint64_t packed)
{
    if (bind == NULL || bind->bytes <= first) return false;
    uint64_t bytes = bind->bytes - first;
    return bytes % stride != 0 && bytes % packed == 0;
}

static void check_vec3(tl_check *c, const telar_wgsl_binding *binding, uint32_t variable)
{
    const tl_types *types = &c->m->semantics->types;
    tl_type array = array_of(c, variable);
    if (array == 0 || binding->space == TELAR_WGSL_HANDLE) return;
    tl_type element = tl_type_get(types, array)->element;
    uint64_t stride = binding->array_stride, packed = packed_bytes(types, element);
    if (packed == 0 || packed >= stride) return;
    const telar_check_bind *bind = bind_of(c, binding->name);
    bool surely = is_packed_by_host(bind, binding->array_offset, stride, packed);
    telar_severity severity = surely ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_NOTE;
    if (is_vec3(types, element) && bind == NULL) severity = TELAR_SEVERITY_WARNING;
    if (bind != NULL && !surely && bind->bytes % stride == binding->array_offset % stride) return;
    const tl_word name = TL_Z(binding->name);
    const tl_said said = surely ? TL_SAYS(VEC3_PACKED, name, TL_U(stride), TL_U(packed))
                                : TL_SAYS(VEC3_APART, name, TL_U(stride), TL_U(packed));
    tl_finding *finding = tl_check_report(c, TL_CHECK_VEC3_LAYOUT, severity, variable, said);
    tl_check_fix(c, finding, is_vec3(types, element) ? TL_SAID(THREE_FLOATS) : TL_SAID(WRITE_PADDING));
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

/* By number of binding: some entry point uses it. NULL when the arena is full. */
static bool *find_used(tl_check *c)
{
    bool *used = TL_ARENA_ARRAY(c->arena, bool, c->reflection->bindings_count);
    for (uint32_t e = 0; used != NULL && e < c->reflection->entries_count; e++) {
        const telar_wgsl_entry *entry = &c->reflection->entries[e];
        for (uint32_t k = 0; k < entry->bindings_count; k++) used[entry->bindings[k] - c->reflection->bindings] = true;
    }
    c->full |= used == NULL;
    return used;
}

static void check_unused(tl_check *c, const telar_wgsl_binding *binding, uint32_t variable)
{
    if (c->reflection->entries_count == 0 || binding->group == UINT32_MAX) return;
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_UNUSED_BINDING, TELAR_SEVERITY_WARNING, variable,
                        TL_SAYS(BINDING_UNUSED, TL_Z(binding->name), TL_U(binding->group), TL_U(binding->binding)));
    bool unsized = binding->array_count == 0 && binding->array_stride != 0;
    tl_check_fix(c, finding,
                 unsized ? TL_SAYS(MENTION_ITS_ADDRESS, TL_Z(binding->name))
                         : TL_SAYS(MENTION_IT, TL_Z(binding->name)));
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* A name, or parts of one: what gives the same value twice. */
static bool is_plain(const tl_check *c, uint32_t node)
{
    while (at(c, node)->kind == TL_NODE_MEMBER_ACCESS || at(c, node)->kind == TL_NODE_PAREN) node = at(c, node)->a;
    return at(c, node)->kind == TL_NODE_IDENT;
}

/* `x != x`, `x == x` of a float. */
static void check_nan(tl_check *c, uint32_t node)
{
    const tl_wgsl_node *n = at(c, node);
    if (n->op != TL_OP_EQUAL && n->op != TL_OP_NOT_EQUAL) return;
    uint32_t left = tl_without_parentheses(c->m, n->a), right = tl_without_parentheses(c->m, n->b);
    if (!is_plain(c, left) || !is_plain(c, right)) return;
    tl_kind scalar = tl_type_scalar(&c->m->semantics->types, tl_node_value_type(c->m, left));
    if (!tl_kind_is_float(scalar) || !tl_str_equal(tl_node_text(c->m, left), tl_node_text(c->m, right))) return;
    tl_finding *finding = tl_check_report(c, TL_CHECK_NAN_TEST, TELAR_SEVERITY_WARNING, node,
                                          n->op == TL_OP_EQUAL ? TL_SAID(NAN_TRUE) : TL_SAID(NAN_FALSE));
    tl_check_fix(c, finding, TL_SAID(LOOK_AT_BITS));
}

/* Bindings stand in source order, as their declarations do among the globals. */
static void check_bindings(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    const bool *used = find_used(c);
    uint32_t number = 0;
    for (uint32_t k = 0; used != NULL && k < s->global_count && number < c->reflection->bindings_count; k++) {
        const telar_wgsl_binding *binding = &c->reflection->bindings[number];
        uint32_t variable = s->globals[k].node;
        if (at(c, variable)->kind != TL_NODE_VAR) continue;
        if (!tl_str_equal(tl_node_name(c->m, variable), tl_str_of(binding->name))) continue;
        check_uniform_layout(c, binding, variable);
        check_vec3(c, binding, variable);
        if (!used[number]) check_unused(c, binding, variable);
        number++;
    }
}

void tl_check_portability_module(tl_check *c)
{
    static const tl_wgsl_node_kind statements[] = {TL_NODE_BLOCK, TL_NODE_IF,  TL_NODE_LOOP,
                                                   TL_NODE_WHILE, TL_NODE_FOR, TL_NODE_SWITCH};
    check_enables(c);
    check_directives(c);
    check_bindings(c);
    tl_check_each(c, TL_NODE_PARAM, check_pointer_parameter);
    tl_check_each(c, TL_NODE_CALL, check_elect);
    for (size_t k = 0; k < TL_COUNT(statements); k++) tl_check_each(c, statements[k], check_filter);
    tl_check_each(c, TL_NODE_BINARY, check_nan);
}
