/* SPDX-License-Identifier: MIT
 *
 * The inputs and outputs of entry points: what may stand there once, and what must stand with it. */
#include "wgsl/check_language.h"

/* Locations that are looked at: implementations have 16 to 32. */
#define LOCATIONS 64u

/* One side of an entry point. */
typedef struct side {
    uint64_t locations;
    uint64_t values;  /* by tl_builtin_value */
    bool needs_flat;  /* integers between vertex and fragment stage */
    const char *name; /* of the entry point: not terminated */
    uint32_t name_len;
} side;

_Static_assert(TL_VALUE_COUNT <= 64, "side.values has a bit for each");

static uint32_t first_argument(const telar_wgsl *m, uint32_t attribute)
{
    return tl_list_at(m, m->nodes[attribute].a, 0);
}

/* The value of @location; LOCATIONS when it is not looked at. */
static uint32_t location_of(tl_check *c, uint32_t attribute)
{
    double value;
    tl_constant constant = tl_eval_node(&c->eval, first_argument(c->m, attribute));
    if (!tl_constant_as_double(&c->eval.constants, constant, &value)) return LOCATIONS;
    return value >= 0 && value < LOCATIONS ? (uint32_t)value : LOCATIONS;
}

static bool is_flat(const telar_wgsl *m, uint32_t attributes)
{
    uint32_t attribute = tl_list_attribute(m, attributes, TL_ATTR_INTERPOLATE);
    return attribute != 0 && tl_str_equal(tl_node_text(m, first_argument(m, attribute)), TL_STR("flat"));
}

static void check_location(tl_check *c, side *s, uint32_t attributes, uint32_t node, tl_type type)
{
    uint32_t attribute = tl_list_attribute(c->m, attributes, TL_ATTR_LOCATION);
    if (attribute == 0) return;
    uint32_t location = location_of(c, attribute);
    if (location < LOCATIONS && tl_list_attribute(c->m, attributes, TL_ATTR_BLEND_SRC) == 0) {
        if ((s->locations >> location & 1) != 0) {
            tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, attribute,
                            TL_SAYS(LOCATION_TWICE, TL_T(((tl_str){s->name, s->name_len})), TL_U(location)));
        }
        s->locations |= UINT64_C(1) << location;
    }
    if (s->needs_flat && tl_kind_is_integer(tl_type_scalar(&c->m->semantics->types, type)) &&
        !is_flat(c->m, attributes)) {
        tl_finding *finding = tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, node, TL_SAID(INTEGERS_FLAT));
        tl_check_fix(c, finding, TL_SAID(WRITE_FLAT));
        tl_check_edit(c, finding, tl_node_begin(c->m, attribute), 0, "@interpolate(flat) ");
    }
}

static void check_value(tl_check *c, side *s, uint32_t attributes)
{
    uint32_t attribute = tl_list_attribute(c->m, attributes, TL_ATTR_BUILTIN);
    if (attribute == 0) return;
    uint32_t value = tl_node_declaration(c->m, attribute);
    if (value == TL_VALUE_NONE || value >= TL_VALUE_COUNT) return;
    if ((s->values >> value & 1) != 0) {
        tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, attribute,
                        TL_SAYS(BUILTIN_TWICE, TL_T(((tl_str){s->name, s->name_len})),
                                TL_Z(tl_builtin_value_name((tl_builtin_value)value))));
    }
    s->values |= UINT64_C(1) << value;
}

static void check_invariant(tl_check *c, uint32_t attributes)
{
    uint32_t attribute = tl_list_attribute(c->m, attributes, TL_ATTR_INVARIANT);
    if (attribute == 0) return;
    uint32_t builtin = tl_list_attribute(c->m, attributes, TL_ATTR_BUILTIN);
    if (builtin != 0 && tl_node_declaration(c->m, builtin) == TL_VALUE_position) return;
    tl_check_report(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, attribute, TL_SAID(INVARIANT_ALONE));
}

static void check_item(tl_check *c, side *s, uint32_t attributes, uint32_t node, tl_type type)
{
    check_location(c, s, attributes, node, type);
    check_value(c, s, attributes);
    check_invariant(c, attributes);
}

/* A parameter or a result: itself, or the members of its structure. */
static void check_side(tl_check *c, side *s, uint32_t attributes, uint32_t node, tl_type type)
{
    const tl_types *types = &c->m->semantics->types;
    const tl_struct *record = tl_type_struct(types, type);
    if (record == NULL) {
        check_item(c, s, attributes, node, type);
        return;
    }
    for (uint32_t k = 0; k < record->member_count; k++) {
        const tl_member *member = &types->members[record->member_first + k];
        if (member->node == 0) continue;
        check_item(c, s, TL_PARTS(tl_member_parts, c->m, member->node)->attributes, member->node, member->type);
    }
}

static void check_entry(tl_check *c, const tl_function *function)
{
    const telar_wgsl *m = c->m;
    const tl_fn_parts *parts = TL_PARTS(tl_fn_parts, m, function->node);
    tl_str name = tl_node_name(m, function->node);
    side in = {.needs_flat = function->stage == TL_STAGE_FRAGMENT, .name = name.data, .name_len = (uint32_t)name.len};
    side out = {.needs_flat = function->stage == TL_STAGE_VERTEX, .name = name.data, .name_len = (uint32_t)name.len};
    for (uint32_t k = 0; k < tl_list_count(m, parts->params); k++) {
        uint32_t param = tl_list_at(m, parts->params, k);
        check_side(c, &in, TL_PARTS(tl_member_parts, m, param)->attributes, param, tl_node_type(m, param));
    }
    if (parts->result != 0) {
        check_side(c, &out, parts->result_attributes, parts->result, tl_node_type(m, function->node));
    }
    if (function->stage == TL_STAGE_VERTEX && (out.values >> TL_VALUE_position & 1) == 0) {
        uint32_t begin = m->tokens[m->nodes[function->node].b].offset;
        tl_check_report_at(c, TL_CHECK_WGSL, TELAR_SEVERITY_ERROR, begin, begin + (uint32_t)name.len,
                           TL_SAYS(VERTEX_POSITION, TL_T(name)));
    }
}

void tl_language_io(tl_check *c)
{
    const tl_wgsl_semantics *s = c->m->semantics;
    for (uint32_t k = 0; k < s->function_count; k++) {
        tl_stage stage = s->functions[k].stage;
        if (stage != TL_STAGE_NONE && stage != TL_STAGE_OTHER) check_entry(c, &s->functions[k]);
    }
}
