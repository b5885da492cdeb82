/* SPDX-License-Identifier: MIT
 *
 * Attributes: their arguments and values, and what an entry point's parameters and result need of them. */
#include "wgsl/resolver.h"

/* ---- arguments ---- */

typedef struct word_list {
    const char *words[6];
} word_list;

static const word_list interpolation_types = {{"perspective", "linear", "flat", "per_vertex"}};
static const word_list interpolation_samplings = {{"center", "centroid", "sample", "first", "either"}};
static const word_list severities = {{"off", "info", "warning", "error"}};

static void check_word(tl_resolver *r, uint32_t ident, const word_list *list, const char *what)
{
    tl_str name = tl_node_text(r->m, ident);
    for (size_t k = 0; k < TL_COUNT(list->words) && list->words[k] != NULL; k++) {
        if (tl_str_equal(name, tl_str_of(list->words[k]))) return;
    }
    tl_resolve_error(r, ident, "'%.*s' is no %s", TL_STR_ARGS(name), what);
}

static void resolve_builtin_name(tl_resolver *r, uint32_t attribute, uint32_t ident)
{
    tl_str name = tl_node_text(r->m, ident);
    tl_builtin_value value = tl_builtin_value_find(name);
    r->s->declaration[attribute] = (uint32_t)value;
    if (value == TL_VALUE_NONE) { tl_resolve_error(r, ident, "'%.*s' is no built-in value", TL_STR_ARGS(name)); }
}

static bool resolve_integer(tl_resolver *r, uint32_t argument, const char *name)
{
    tl_type type = tl_resolve_value(r, argument);
    if (type == TL_TYPE_UNKNOWN) return false;
    if (!tl_kind_is_integer((tl_kind)type)) {
        tl_resolve_error(r, argument, "@%s takes an 'i32' or 'u32', not '%s'", name, tl_resolve_type_text(r, type));
        return false;
    }
    tl_convert_concrete(r, argument);
    return true;
}

static void resolve_number(tl_resolver *r, uint32_t attribute, const char *name, int64_t limit)
{
    uint32_t argument = tl_list_at(r->m, tl_at(r, attribute)->a, 0);
    int64_t value;
    if (!resolve_integer(r, argument, name)) return;
    tl_constant constant = r->s->constant[argument];
    if (constant == TL_CONSTANT_NONE || constant == TL_CONSTANT_OVERRIDE) {
        tl_resolve_error(r, argument, "@%s takes a constant expression", name);
    } else if (tl_constant_as_int(&r->s->constants, constant, &value) && (value < 0 || value > limit)) {
        tl_resolve_error(r, argument, "@%s (%lld) must be from (0) to (%lld)", name, (long long)value,
                         (long long)limit);
    }
}

static void resolve_workgroup_size(tl_resolver *r, uint32_t attribute)
{
    uint32_t list = tl_at(r, attribute)->a;
    for (uint32_t k = 0; k < tl_list_count(r->m, list); k++) {
        uint32_t argument = tl_list_at(r->m, list, k);
        int64_t value;
        if (!resolve_integer(r, argument, "workgroup_size")) continue;
        tl_constant constant = r->s->constant[argument];
        if (constant == TL_CONSTANT_NONE) {
            tl_resolve_error(r, argument, "@workgroup_size takes constant or override expressions");
        } else if (tl_constant_as_int(&r->s->constants, constant, &value) && value < 1) {
            tl_resolve_error(r, argument, "a workgroup size (%lld) must be at least (1)", (long long)value);
        }
    }
}

static void resolve_attribute(tl_resolver *r, uint32_t node)
{
    const tl_wgsl_node *n = tl_at(r, node);
    uint32_t count = tl_list_count(r->m, n->a);
    uint32_t first = count > 0 ? tl_list_at(r->m, n->a, 0) : 0;
    switch ((tl_wgsl_attribute)n->op) {
    case TL_ATTR_ALIGN: resolve_number(r, node, "align", INT32_MAX); break;
    case TL_ATTR_BINDING: resolve_number(r, node, "binding", INT32_MAX); break;
    case TL_ATTR_GROUP: resolve_number(r, node, "group", INT32_MAX); break;
    case TL_ATTR_BLEND_SRC: resolve_number(r, node, "blend_src", 1); break;
    case TL_ATTR_COLOR: resolve_number(r, node, "color", INT32_MAX); break;
    case TL_ATTR_ID: resolve_number(r, node, "id", 65535); break;
    case TL_ATTR_INPUT_ATTACHMENT_INDEX: resolve_number(r, node, "input_attachment_index", INT32_MAX); break;
    case TL_ATTR_LOCATION: resolve_number(r, node, "location", UINT32_MAX); break;
    case TL_ATTR_SIZE: resolve_number(r, node, "size", UINT32_MAX); break;
    case TL_ATTR_SUBGROUP_SIZE: resolve_integer(r, first, "subgroup_size"); break;
    case TL_ATTR_WORKGROUP_SIZE: resolve_workgroup_size(r, node); break;
    case TL_ATTR_BUILTIN: resolve_builtin_name(r, node, first); break;
    case TL_ATTR_INTERPOLATE:
        check_word(r, first, &interpolation_types, "interpolation type");
        if (count > 1) { check_word(r, tl_list_at(r->m, n->a, 1), &interpolation_samplings, "interpolation sampling"); }
        break;
    case TL_ATTR_DIAGNOSTIC: check_word(r, first, &severities, "severity"); break;
    default: break;
    }
}

void tl_resolve_attributes(tl_resolver *r, uint32_t list)
{
    for (uint32_t k = 0; k < tl_list_count(r->m, list); k++) { resolve_attribute(r, tl_list_at(r->m, list, k)); }
}

bool tl_resolve_attribute_value(tl_resolver *r, uint32_t attribute, uint64_t limit, uint64_t *value)
{
    int64_t integer;
    uint32_t argument = tl_list_at(r->m, tl_at(r, attribute)->a, 0);
    *value = 0;
    if (!tl_constant_as_int(&r->s->constants, r->s->constant[argument], &integer)) return false;
    *value = (uint64_t)integer;
    return integer >= 0 && *value <= limit;
}

/* ---- entry points ---- */

tl_stage tl_attributes_stage(const telar_wgsl *m, uint32_t list)
{
    for (uint32_t k = 0; k < tl_list_count(m, list); k++) {
        switch ((tl_wgsl_attribute)m->nodes[tl_list_at(m, list, k)].op) {
        case TL_ATTR_VERTEX: return TL_STAGE_VERTEX;
        case TL_ATTR_FRAGMENT: return TL_STAGE_FRAGMENT;
        case TL_ATTR_COMPUTE: return TL_STAGE_COMPUTE;
        case TL_ATTR_TASK:
        case TL_ATTR_MESH:
        case TL_ATTR_RAY_GENERATION:
        case TL_ATTR_ANY_HIT:
        case TL_ATTR_CLOSEST_HIT:
        case TL_ATTR_MISS: return TL_STAGE_OTHER;
        default: break;
        }
    }
    return TL_STAGE_NONE;
}

static bool is_compute_value(tl_builtin_value value)
{
    switch (value) {
    case TL_VALUE_local_invocation_id:
    case TL_VALUE_local_invocation_index:
    case TL_VALUE_global_invocation_id:
    case TL_VALUE_global_invocation_index:
    case TL_VALUE_workgroup_id:
    case TL_VALUE_workgroup_index:
    case TL_VALUE_num_workgroups:
    case TL_VALUE_subgroup_id:
    case TL_VALUE_num_subgroups: return true;
    default: return false;
    }
}

static bool is_render_value(tl_builtin_value value)
{
    switch (value) {
    case TL_VALUE_position:
    case TL_VALUE_vertex_index:
    case TL_VALUE_instance_index:
    case TL_VALUE_front_facing:
    case TL_VALUE_frag_depth:
    case TL_VALUE_sample_index:
    case TL_VALUE_sample_mask:
    case TL_VALUE_clip_distances: return true;
    default: return false;
    }
}

static void check_builtin(tl_resolver *r, tl_stage stage, uint32_t attribute, tl_type type)
{
    tl_builtin_value value = (tl_builtin_value)r->s->declaration[attribute];
    tl_type wanted = tl_builtin_value_type(value);
    if (wanted != TL_TYPE_UNKNOWN && type != TL_TYPE_UNKNOWN && type != wanted) {
        tl_resolve_error(r, attribute, "@builtin(%s) must be '%s', not '%s'", tl_builtin_value_name(value),
                         tl_resolve_type_text(r, wanted), tl_resolve_type_text(r, type));
    }
    bool misplaced = stage == TL_STAGE_COMPUTE                                ? is_render_value(value)
                     : stage == TL_STAGE_VERTEX || stage == TL_STAGE_FRAGMENT ? is_compute_value(value)
                                                                              : false;
    if (misplaced) {
        tl_resolve_error(r, attribute, "@builtin(%s) does not exist in a %s shader", tl_builtin_value_name(value),
                         stage == TL_STAGE_COMPUTE  ? "compute"
                         : stage == TL_STAGE_VERTEX ? "vertex"
                                                    : "fragment");
    }
}

/* True when the attributes say where the value comes from or goes to. */
static bool check_place(tl_resolver *r, tl_stage stage, uint32_t attributes, tl_type type)
{
    uint32_t builtin = tl_list_attribute(r->m, attributes, TL_ATTR_BUILTIN);
    if (builtin != 0) {
        check_builtin(r, stage, builtin, type);
        return true;
    }
    uint32_t location = tl_list_attribute(r->m, attributes, TL_ATTR_LOCATION);
    if (location != 0 && stage == TL_STAGE_COMPUTE) {
        tl_resolve_error(r, location, "a compute shader has no @location");
    }
    return location != 0 || tl_list_attribute(r->m, attributes, TL_ATTR_COLOR) != 0 ||
           tl_list_attribute(r->m, attributes, TL_ATTR_PAYLOAD) != 0 ||
           tl_list_attribute(r->m, attributes, TL_ATTR_INCOMING_PAYLOAD) != 0;
}

static void check_interface(tl_resolver *r, tl_stage stage, uint32_t node, uint32_t attributes, tl_type type)
{
    bool strict = stage != TL_STAGE_OTHER && type != TL_TYPE_UNKNOWN;
    const tl_struct *record = tl_type_struct(&r->s->types, type);
    if (record == NULL) {
        if (!check_place(r, stage, attributes, type) && strict) {
            tl_resolve_error(r, node, "an entry point's input or output needs @builtin or @location");
        }
        return;
    }
    for (uint32_t k = 0; k < record->member_count; k++) {
        const tl_member *member = &r->s->types.members[record->member_first + k];
        if (member->node == 0) continue;
        uint32_t list = TL_PARTS(tl_member_parts, r->m, member->node)->attributes;
        if (!check_place(r, stage, list, member->type) && strict && member->type != TL_TYPE_UNKNOWN) {
            tl_resolve_error(r, node,
                             "the member '%.*s' of an entry point's input or output needs "
                             "@builtin or @location",
                             TL_STR_ARGS(tl_node_name(r->m, member->node)));
        }
    }
}

void tl_resolve_entry_point(tl_resolver *r, uint32_t node)
{
    const tl_fn_parts *parts = TL_PARTS(tl_fn_parts, r->m, node);
    tl_stage stage = tl_attributes_stage(r->m, parts->attributes);
    tl_str name = tl_node_name(r->m, node);
    uint32_t size = tl_list_attribute(r->m, parts->attributes, TL_ATTR_WORKGROUP_SIZE);
    if (stage == TL_STAGE_COMPUTE && size == 0) {
        tl_resolve_error_at(r, tl_at(r, node)->b, "the compute entry point '%.*s' needs @workgroup_size",
                            TL_STR_ARGS(name));
    }
    if ((stage == TL_STAGE_VERTEX || stage == TL_STAGE_FRAGMENT) && size != 0) {
        tl_resolve_error(r, size, "only a compute entry point has @workgroup_size");
    }
    for (uint32_t k = 0; k < tl_list_count(r->m, parts->params); k++) {
        uint32_t param = tl_list_at(r->m, parts->params, k);
        check_interface(r, stage, param, TL_PARTS(tl_member_parts, r->m, param)->attributes, r->s->type[param]);
    }
    if (parts->result == 0) return;
    if (stage == TL_STAGE_COMPUTE) {
        tl_resolve_error(r, parts->result, "the compute entry point '%.*s' cannot return a value", TL_STR_ARGS(name));
        return;
    }
    check_interface(r, stage, parts->result, parts->result_attributes, r->s->type[node]);
}
