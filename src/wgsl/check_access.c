/* SPDX-License-Identifier: MIT
 *
 * Accesses taken apart, and what the rules of mapping ask of an index. It finds nothing wrong by itself. */
#include "wgsl/check_access.h"

#include <string.h>

uint64_t tl_bound_bytes(const tl_check *c, uint32_t declaration)
{
    for (uint32_t k = 0; k < c->desc->binds_count; k++) {
        const telar_check_bind *bind = &c->desc->binds[k];
        if (tl_str_equal(tl_str_of(bind->name), tl_node_name(c->m, declaration))) return bind->bytes;
    }
    return 0;
}

/* Elements of a runtime-sized array by the bytes that are bound. */
static uint64_t bound_length(const tl_check *c, const tl_access_at *access)
{
    uint64_t bytes = tl_bound_bytes(c, access->root), offset;
    if (bytes == 0 || access->stride == 0 || !tl_place_offset(&c->flow->values, access->array, &offset)) return 0;
    return bytes <= offset ? 0 : (bytes - offset) / access->stride;
}

static void describe(const tl_check *c, tl_access_at *access)
{
    const tl_types *types = &c->m->semantics->types;
    tl_type type = tl_term_get(&c->flow->values, access->array)->type;
    const tl_type_info *info = tl_type_get(types, type);
    access->length = info->count;
    access->runtime = false;
    access->stride = 0;
    if (info->kind == TL_KIND_VECTOR) access->length = info->rows;
    if (info->kind == TL_KIND_MATRIX) access->length = info->columns;
    if (info->kind != TL_KIND_ARRAY) return;
    uint64_t stride = tl_layout_stride(types, type);
    access->stride = stride > UINT32_MAX ? 0 : (uint32_t)stride;
    access->runtime = info->count == 0 && info->expression == 0;
    if (access->runtime) access->length = bound_length(c, access);
    if (info->expression != 0) {
        tl_constant count = tl_eval_node((tl_eval *)&c->eval, info->expression);
        int64_t value;
        bool known = tl_constant_is_value(count) && tl_constant_as_int(&c->eval.constants, count, &value) && value > 0;
        access->length = known ? (uint64_t)value : 0;
    }
}

static tl_space space_of(const tl_check *c, uint32_t declaration)
{
    if ((c->m->nodes[declaration].flags & TL_FLAG_GLOBAL) == 0) return TL_SPACE_FUNCTION;
    return (tl_space)tl_query_global_record(c->m, declaration)->space;
}

void tl_each_access(tl_check *c, tl_access_visit *visit, void *user)
{
    const tl_flow *flow = c->flow;
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        uint32_t root = event->place != 0 ? tl_place_root(&flow->values, event->place) : 0;
        if (root == 0 || event->kind == TL_EVENT_TEXTURE_STORE) continue;
        tl_access_at access = {.event = event, .number = k, .root = root, .space = space_of(c, root)};
        for (tl_term place = event->place;;) {
            const tl_term_info *info = tl_term_get(&flow->values, place);
            if (info->kind != TL_TERM_PLACE_AT && info->kind != TL_TERM_PLACE_OF) break;
            if (info->kind == TL_TERM_PLACE_AT) {
                access.array = info->a;
                access.index = info->b;
                describe(c, &access);
                visit(c, &access, user);
            }
            place = info->a;
        }
    }
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static bool same_but(const tl_product *a, tl_term atom_a, const tl_product *b, tl_term atom_b)
{
    if (a->count != b->count) return false;
    uint32_t i = 0, j = 0;
    bool left_a = false, left_b = false;
    while (i < a->count || j < b->count) {
        if (i < a->count && !left_a && a->atoms[i] == atom_a) {
            left_a = true;
            i++;
        } else if (j < b->count && !left_b && b->atoms[j] == atom_b) {
            left_b = true;
            j++;
        } else if (i < a->count && j < b->count && a->atoms[i] == b->atoms[j]) {
            i++;
            j++;
        } else {
            return false;
        }
    }
    return left_a && left_b;
}

/* Do group and local id of this axis stand in the sum as they do in a global id? Where the source does not take the
 * global id itself, only a plain one counts: a group that owns a block of elements is never cut. */
static bool has_global(const tl_values *v, const tl_sum *sum, uint32_t axis, bool plain)
{
    if (v->size[axis] < 2) return false;
    for (uint32_t i = 0; i < sum->count; i++) {
        for (uint32_t j = 0; j < sum->count; j++) {
            const tl_product *local = &sum->products[i], *group = &sum->products[j];
            if (plain && (local->count != 1 || local->factor != 1)) continue;
            if (i == j || group->factor != local->factor * (int64_t)v->size[axis]) continue;
            if (same_but(local, v->local[axis], group, v->group[axis])) return true;
        }
    }
    return false;
}

#define SPREAD_DEPTH_MAX 8u

static uint32_t spread_of(tl_flow *flow, tl_term term, uint32_t depth);

/* Axes on which a quotient is the same in all of a group: i / 64 and i >> 6 with groups of 64, or fewer that divide it. */
static uint32_t axes_divided_out(const tl_values *v, const tl_term_info *quotient)
{
    int64_t divisor;
    uint32_t axes = 0;
    if (!tl_term_constant(v, tl_term_plain(v, quotient->b), &divisor) || divisor < 1) return 0;
    if (quotient->op == TL_OP_SHIFT_RIGHT) divisor = divisor < 32 ? INT64_C(1) << divisor : 1;
    for (uint32_t k = 0; k < 3; k++) axes |= v->size[k] != 0 && divisor % v->size[k] == 0 ? 1u << k : 0;
    return axes;
}

static uint32_t spread_of_atom(tl_flow *flow, tl_term atom, uint32_t depth)
{
    const tl_values *v = &flow->values;
    const tl_term_info *info = tl_term_get(v, atom);
    const tl_induction *induction = tl_term_induction(v, atom);
    if (induction != NULL) return induction->step != 0 ? spread_of(flow, induction->start, depth - 1) : 0;
    if (info->kind == TL_TERM_BUILTIN) { /* a size that is not known */
        bool global = info->a == TL_VALUE_global_invocation_id && v->size[info->b] == 0;
        return global ? 1u << info->b : 0;
    }
    if (info->kind == TL_TERM_MAX) return spread_of(flow, info->a, depth - 1) | spread_of(flow, info->b, depth - 1);
    if (info->kind != TL_TERM_BINARY) return 0;
    if (info->op == TL_OP_OR) return spread_of(flow, info->a, depth - 1);
    bool divides = info->op == TL_OP_DIVIDE || info->op == TL_OP_SHIFT_RIGHT;
    return divides ? spread_of(flow, info->a, depth - 1) & ~axes_divided_out(v, info) : 0;
}

/* Does the source take the global id, on some axis, on the way to this sum or product? */
static bool takes_global(tl_flow *flow, tl_term term, uint32_t depth)
{
    const tl_term_info *info = tl_term_get(&flow->values, term);
    if (depth == 0 || --*flow->work <= 0 || (info->depends & TL_ON_GROUP) == 0) return false;
    if (info->kind == TL_TERM_BUILTIN) return info->a == TL_VALUE_global_invocation_id;
    if (info->kind == TL_TERM_CONVERT) return takes_global(flow, info->a, depth - 1);
    if (info->kind != TL_TERM_BINARY) return false;
    return takes_global(flow, info->a, depth - 1) || takes_global(flow, info->b, depth - 1);
}

static uint32_t spread_of(tl_flow *flow, tl_term term, uint32_t depth)
{
    const tl_values *v = &flow->values;
    if (depth == 0 || --*flow->work <= 0 || (tl_term_get(v, term)->depends & TL_ON_GROUP) == 0) return 0;
    tl_sum sum;
    if (!tl_sum_of(v, term, &sum)) return 0;
    uint32_t axes = 0;
    bool plain = !takes_global(flow, term, 12);
    for (uint32_t k = 0; k < 3; k++) axes |= has_global(v, &sum, k, plain) ? 1u << k : 0;
    for (uint32_t k = 0; k < sum.count; k++) {
        for (uint32_t i = 0; i < sum.products[k].count; i++) {
            axes |= spread_of_atom(flow, sum.products[k].atoms[i], depth);
        }
    }
    return axes;
}

uint32_t tl_term_spread(tl_flow *flow, tl_term term)
{
    return spread_of(flow, term, SPREAD_DEPTH_MAX);
}

tl_word tl_axes_word(uint32_t axes)
{
    static const tl_check_saying says[] = {TL_SAYS_AXIS_X,  TL_SAYS_AXIS_Y,  TL_SAYS_AXES_XY, TL_SAYS_AXIS_Z,
                                           TL_SAYS_AXES_XZ, TL_SAYS_AXES_YZ, TL_SAYS_AXES_XYZ};
    TELAR_ASSERT(axes >= 1 && axes <= 7);
    return tl_check_word(says[axes - 1]);
}

/* ---- the largest index ------------------------------------------------------------------------------------------- */

/* How far an id goes; -1 when the launch is not known. */
static int64_t last_id(const tl_check *c, tl_term atom)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t k = 0; k < 3; k++) {
        if (atom == v->local[k]) return c->size[k] != 0 ? (int64_t)c->size[k] - 1 : -1;
        if (atom == v->group[k]) return c->launch.dispatch[0] != 0 ? (int64_t)c->launch.dispatch[k] - 1 : -1;
    }
    return -1;
}

static bool facts_speak_of(tl_flow *flow, uint32_t facts, uint32_t depends)
{
    uint32_t k = 0;
    for (uint32_t fact = facts; fact != 0; fact = flow->facts[fact].before) {
        if ((tl_term_get(&flow->values, flow->facts[fact].condition)->depends & depends) != 0) return true;
        if (++k == 64 || --*flow->work <= 0) return true;
    }
    return false;
}

bool tl_attained_max(tl_check *c, tl_term index, uint32_t facts, int64_t *max)
{
    tl_sum sum;
    *max = 0;
    const tl_term_info *info = tl_term_get(&c->flow->values, index);
    const uint32_t ids = TL_ON_GROUP | TL_ON_LOCAL;
    if ((info->depends & ~ids) != 0 || !tl_sum_of(&c->flow->values, index, &sum)) return false;
    if (facts_speak_of(c->flow, facts, info->depends)) return false;
    *max = sum.constant;
    for (uint32_t k = 0; k < sum.count; k++) {
        const tl_product *product = &sum.products[k];
        int64_t last = product->count == 1 && product->factor > 0 ? last_id(c, product->atoms[0]) : -1, part;
        if (last < 0 || __builtin_mul_overflow(last, product->factor, &part)) return false;
        if (__builtin_add_overflow(*max, part, max)) return false;
    }
    return *max <= UINT32_MAX;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

tl_str tl_load_name(const tl_flow *flow, tl_term load)
{
    const tl_values *v = &flow->values;
    const telar_wgsl *m = v->m;
    const tl_term_info *info = tl_term_get(v, tl_term_plain(v, load));
    if (info->kind != TL_TERM_LOAD) return (tl_str){"", 0};
    const tl_term_info *place = tl_term_get(v, info->a);
    if (place->kind == TL_TERM_PLACE) return tl_node_name(m, place->a);
    if (place->kind != TL_TERM_PLACE_OF) return (tl_str){"", 0};
    const tl_types *types = &m->semantics->types;
    tl_type outer = tl_term_get(v, place->a)->type;
    const tl_struct *record = tl_type_struct(types, outer);
    if (record == NULL) { /* a component: the vector's name */
        const tl_term_info *vector = tl_term_get(v, place->a);
        if (vector->kind == TL_TERM_PLACE) return tl_node_name(m, vector->a);
        if (vector->kind != TL_TERM_PLACE_OF) return (tl_str){"", 0};
        record = tl_type_struct(types, tl_term_get(v, vector->a)->type);
        place = vector;
    }
    if (record == NULL || place->b >= record->member_count) return (tl_str){"", 0};
    uint32_t node = types->members[record->member_first + place->b].node;
    return node != 0 ? tl_node_name(m, node) : (tl_str){"", 0};
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool tl_name_has(tl_str name, const char *word)
{
    size_t len = strlen(word);
    for (size_t at = 0; at + len <= name.len; at++) {
        size_t k = 0;
        while (k < len && lower(name.data[at + k]) == word[k]) k++;
        if (k == len) return true;
    }
    return false;
}
