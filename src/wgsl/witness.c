/* SPDX-License-Identifier: MIT
 *
 * Programs of terms, run for every invocation of a group. */
#include "wgsl/witness.h"

#include <string.h>

#define ROUNDS_TOGETHER 64u   /* of one with barriers */
#define ALL_MAX 64u           /* invocations of a group that are all looked at */
#define INVOCATIONS_MAX 1024u /* of a group */
#define PROGRAM_COST 100      /* of preparing an event, in terms */
#define CHOSEN_MAX 5u         /* different values of what the launch decides */
#define BUDGET 400000         /* terms computed for one entry point, */
#define BUDGET_ALL 3000000    /* and for all of a module */

/* Invocations, and rounds of loops, that stand for all: partners are neighbours, a power of two apart, or opposite. */
static const uint32_t samples[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 63, 64, 128, 255, 256, 512};

static void add_sample(tl_witness *w, uint32_t invocation)
{
    if (invocation >= w->invocations || w->sample_count == TL_SAMPLE_MAX) return;
    for (uint32_t k = 0; k < w->sample_count; k++) {
        if (w->sample[k] == invocation) return;
    }
    w->sample[w->sample_count++] = invocation;
}

static void choose_sample(tl_witness *w)
{
    uint32_t row = w->flow->values.size[0];
    for (size_t k = 0; k < TL_COUNT(samples); k++) add_sample(w, samples[k]);
    add_sample(w, row - 1);
    add_sample(w, row);
    add_sample(w, row + 1);
    add_sample(w, 2 * row - 1);
    add_sample(w, 2 * row);
    add_sample(w, w->invocations / 2);
    add_sample(w, w->invocations - 2);
    add_sample(w, w->invocations - 1);
}

bool tl_witness_begin(tl_witness *w, tl_check *c, tl_flow *flow)
{
    uint64_t invocations = (uint64_t)c->size[0] * c->size[1] * c->size[2];
    if (invocations == 0 || invocations > INVOCATIONS_MAX) return false;
    const tl_values *v = &flow->values;
    *w = (tl_witness){.flow = flow, .invocations = (uint32_t)invocations, .budget = BUDGET};
    if (w->budget > BUDGET_ALL - c->witness_spent) w->budget = BUDGET_ALL - c->witness_spent;
    w->granted = w->budget;
    w->atomics = c->entry->uses_atomics;
    choose_sample(w);
    w->value = TL_ARENA_ARRAY(c->arena, int64_t, v->count);
    w->known = TL_ARENA_ARRAY(c->arena, uint8_t, v->count);
    w->level = TL_ARENA_ARRAY(c->arena, uint8_t, v->count);
    w->mark = TL_ARENA_ARRAY(c->arena, uint32_t, v->count);
    w->ordinal = TL_ARENA_ARRAY(c->arena, uint8_t, v->count);
    w->round = TL_ARENA_ARRAY(c->arena, uint32_t, v->loop_count);
    w->together = TL_ARENA_ARRAY(c->arena, uint8_t, v->loop_count);
    if (w->value == NULL || w->known == NULL || w->level == NULL || w->mark == NULL || w->ordinal == NULL ||
        w->round == NULL || w->together == NULL) {
        return false;
    }
    for (uint32_t k = 0; k < flow->event_count; k++) {
        uint32_t loop = flow->events[k].kind == TL_EVENT_BARRIER ? flow->events[k].loop : 0;
        for (; loop != 0; loop = v->loops[loop].outer) w->together[loop] = 1;
    }
    return true;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/* One value for all invocations of the launch, or of the group. */
static bool is_decided_by_launch(const tl_witness *w, const tl_term_info *info)
{
    uint32_t differs = TL_ON_LOCAL | TL_ON_SUBGROUP | TL_ON_WRITABLE | TL_ON_WORKGROUP | TL_ON_LOOP | TL_ON_UNKNOWN;
    return (info->depends & (differs | (w->across ? TL_ON_GROUP : 0u))) == 0 && info->kind != TL_TERM_INEXACT;
}

static void add_loop(const tl_witness *w, tl_program *program, uint32_t loop)
{
    if (w->together[loop] != 0) return;
    for (uint32_t k = 0; k < program->loop_count; k++) {
        if (program->loops[k] == loop) return;
    }
    if (program->loop_count == TL_COUNT(program->loops)) {
        program->usable = false;
        return;
    }
    program->loops[program->loop_count++] = loop;
}

/* Is it another value in another invocation? What is loaded counts as not known in all of them. */
static tl_level own_level(const tl_witness *w, const tl_term_info *info)
{
    if (info->kind == TL_TERM_LOOP) return w->together[info->a] != 0 ? TL_LEVEL_RUN : TL_LEVEL_ROUND;
    bool local = info->kind == TL_TERM_BUILTIN && (info->depends & TL_ON_LOCAL) != 0;
    return local ? TL_LEVEL_INVOCATION : TL_LEVEL_RUN;
}

static void add_term(tl_witness *w, tl_program *program, tl_term term, uint32_t depth);

static void add_operand(tl_witness *w, tl_program *program, tl_term of, tl_term operand, uint32_t depth)
{
    add_term(w, program, operand, depth);
    if (operand != 0 && program->usable && w->level[operand] > w->level[of]) w->level[of] = w->level[operand];
}

/* Operands stand before what is made of them. */
static void add_term(tl_witness *w, tl_program *program, tl_term term, uint32_t depth)
{
    const tl_values *v = &w->flow->values;
    if (term == 0 || w->mark[term] == w->mark_now || !program->usable) return;
    if (depth == 0 || program->count == TL_PROGRAM_MAX) {
        program->usable = false;
        return;
    }
    w->mark[term] = w->mark_now;
    const tl_term_info *info = tl_term_get(v, term);
    w->level[term] = (uint8_t)own_level(w, info);
    switch (info->kind) {
    case TL_TERM_SELECT: add_operand(w, program, term, info->c, depth - 1); /* fall through */
    case TL_TERM_BINARY:
    case TL_TERM_MIN:
    case TL_TERM_MAX: add_operand(w, program, term, info->b, depth - 1); /* fall through */
    case TL_TERM_UNARY:
    case TL_TERM_CONVERT: add_operand(w, program, term, info->a, depth - 1); break;
    case TL_TERM_LOOP: {
        const tl_induction *induction = tl_term_induction(v, term);
        add_loop(w, program, info->a);
        if (induction == NULL) break;
        add_operand(w, program, term, induction->start, depth - 1);
        add_operand(w, program, term, induction->step, depth - 1);
        break;
    }
    default: break;
    }
    if (program->count == TL_PROGRAM_MAX) program->usable = false;
    if (program->usable) program->terms[program->count++] = term;
}

/* Conditions on what other invocations decide, as a ticket from a counter, can let one invocation pass at a time. What is
 * loaded is data, whoever wrote it. */
static bool may_exclude(const tl_witness *w, const tl_term_info *info)
{
    if (info->kind == TL_TERM_LOAD || info->kind == TL_TERM_BUILTIN) return (info->depends & TL_ON_SUBGROUP) != 0;
    bool leaf = info->kind == TL_TERM_UNKNOWN || info->kind == TL_TERM_INEXACT || info->kind == TL_TERM_CALL ||
                info->kind == TL_TERM_ELEMENT;
    uint32_t decided = TL_ON_SUBGROUP | TL_ON_UNKNOWN | (w->atomics ? TL_ON_WRITABLE : 0u);
    return leaf && (info->depends & decided) != 0;
}

static void add_facts(tl_witness *w, tl_program *program, uint32_t facts)
{
    const tl_flow *flow = w->flow;
    uint32_t count = 0;
    for (uint32_t at = facts; at != 0 && program->usable; at = flow->facts[at].before) {
        if (count == TL_FACTS_MAX) {
            program->usable = false;
            return;
        }
        program->facts[count++] = at;
        add_term(w, program, flow->facts[at].condition, 64);
    }
    program->fact_ends[TL_LEVEL_COUNT - 1] = count;
    for (uint32_t k = 0; k < program->count && program->usable; k++) {
        program->usable = !may_exclude(w, tl_term_get(&flow->values, program->terms[k]));
    }
}

/* Terms and facts, each level after the one before, in the order that they have in it. */
static void sort_by_level(const tl_witness *w, tl_program *program)
{
    tl_term terms[TL_PROGRAM_MAX];
    uint32_t facts[TL_FACTS_MAX], term_count = 0, fact_count = 0, all_facts = program->fact_ends[TL_LEVEL_COUNT - 1];
    for (uint32_t level = 0; level < TL_LEVEL_COUNT; level++) {
        for (uint32_t k = 0; k < program->count; k++) {
            if (w->level[program->terms[k]] == level) terms[term_count++] = program->terms[k];
        }
        for (uint32_t k = 0; k < all_facts; k++) {
            bool here = w->level[w->flow->facts[program->facts[k]].condition] == level;
            if (here) facts[fact_count++] = program->facts[k];
        }
        program->ends[level] = term_count;
        program->fact_ends[level] = fact_count;
    }
    memcpy(program->terms, terms, term_count * sizeof terms[0]);
    memcpy(program->facts, facts, fact_count * sizeof facts[0]);
}

static bool is_in_vector(const tl_values *v, tl_term place)
{
    return tl_type_is_vector(tl_term_get(v, tl_term_get(v, place)->a)->type);
}

/* The steps from the variable to what is touched; false when there are too many. */
static bool find_steps(const tl_values *v, tl_term place, tl_program *program)
{
    tl_term steps[TL_PLACE_MAX];
    uint32_t count = 0;
    for (; !tl_term_is(v, place, TL_TERM_PLACE); place = tl_term_get(v, place)->a) {
        bool is_step = tl_term_is(v, place, TL_TERM_PLACE_AT) || tl_term_is(v, place, TL_TERM_PLACE_OF);
        if (!is_step || count == TL_PLACE_MAX) return false;
        if (!is_in_vector(v, place)) steps[count++] = place;
    }
    for (uint32_t k = 0; k < count; k++) program->place[k] = steps[count - 1 - k];
    program->place_count = count;
    return true;
}

static bool is_data(const tl_term_info *info)
{
    bool read = (info->depends & TL_ON_MEMORY) != 0 && (info->depends & TL_ON_LOCAL) != 0;
    bool other = (info->depends & (TL_ON_LOOP | TL_ON_UNKNOWN | TL_ON_SUBGROUP)) != 0;
    return read && !other && (info->kind == TL_TERM_LOAD || info->kind == TL_TERM_UNKNOWN);
}

static bool has_operand(const tl_term_info *info, tl_term term)
{
    switch (info->kind) {
    case TL_TERM_UNARY:
    case TL_TERM_CONVERT: return info->a == term;
    case TL_TERM_BINARY: return info->a == term || (info->b == term && info->op != TL_OP_REMAINDER);
    case TL_TERM_MIN:
    case TL_TERM_MAX: return info->a == term || info->b == term;
    default: return info->a == term || info->b == term || info->c == term; /* numbers of other things among them */
    }
}

/* `(y + 1) % height`: it wraps places at an edge, and does not move the others. */
static bool only_wraps(const tl_witness *w, const tl_program *program, tl_term leaf)
{
    const tl_values *v = &w->flow->values;
    for (uint32_t k = 0; k < program->count; k++) {
        const tl_term_info *info = tl_term_get(v, program->terms[k]);
        if (program->terms[k] != leaf && has_operand(info, leaf)) return false;
    }
    for (uint32_t k = 0; k < program->place_count; k++) {
        const tl_term_info *at = tl_term_get(v, program->place[k]);
        if (at->kind == TL_TERM_PLACE_AT && at->b == leaf) return false;
    }
    return true;
}

/* Leaves that the launch decides, and data, among the terms of the place. */
static void find_decided(const tl_witness *w, tl_program *program)
{
    program->decided = 0;
    program->by_data = false;
    for (uint32_t k = 0; k < program->count; k++) {
        const tl_term_info *info = tl_term_get(&w->flow->values, program->terms[k]);
        program->by_data |= is_data(info);
        bool leaf = info->kind == TL_TERM_LOAD || info->kind == TL_TERM_LENGTH || info->kind == TL_TERM_UNKNOWN ||
                    info->kind == TL_TERM_CALL || info->kind == TL_TERM_ELEMENT ||
                    (info->kind == TL_TERM_BUILTIN && (info->depends & (TL_ON_LOCAL | TL_ON_GROUP)) == 0);
        if (!leaf || !is_decided_by_launch(w, info) || info->lo == info->hi) continue;
        if (only_wraps(w, program, program->terms[k])) continue;
        program->decided = program->decided == 0 ? program->terms[k] : TL_DECIDED_MANY;
    }
}

void tl_witness_program(tl_witness *w, uint32_t event, tl_program *program)
{
    const tl_values *v = &w->flow->values;
    program->event = event;
    program->count = program->place_count = program->loop_count = 0;
    program->usable = find_steps(v, w->flow->events[event].place, program);
    w->mark_now++;
    for (uint32_t k = 0; k < program->place_count; k++) {
        if (tl_term_is(v, program->place[k], TL_TERM_PLACE_AT)) {
            add_term(w, program, tl_term_get(v, program->place[k])->b, 64);
        }
    }
    find_decided(w, program);
    w->budget -= PROGRAM_COST;
    add_facts(w, program, w->flow->events[event].facts);
    if (program->usable) sort_by_level(w, program);
}

bool tl_witness_comparable(const tl_program *a, const tl_program *b)
{
    if (a->decided == TL_DECIDED_MANY || b->decided == TL_DECIDED_MANY) return false;
    return a->decided == 0 || b->decided == 0 || a->decided == b->decided;
}

/* ---- computing a term -------------------------------------------------------------------------------------------- */

typedef struct invocation {
    uint32_t local[3];
    uint32_t index;
} invocation;

static invocation invocation_at(const tl_witness *w, uint32_t index)
{
    const uint32_t *size = w->flow->values.size;
    return (invocation){{index % size[0], index / size[0] % size[1], index / size[0] / size[1]}, index};
}

static int64_t wrapped(tl_type type, int64_t value)
{
    if (type == TL_TYPE_U32) return (int64_t)(uint32_t)value;
    if (type == TL_TYPE_I32) return (int64_t)(int32_t)(uint32_t)(uint64_t)value;
    return value;
}

/* Values are of 32 bits, so that sums and products of two fit. */
static bool operate(tl_wgsl_op op, int64_t x, int64_t y, int64_t *result)
{
    switch (op) {
    case TL_OP_ADD: *result = x + y; return true;
    case TL_OP_SUBTRACT: *result = x - y; return true;
    case TL_OP_MULTIPLY: *result = (int64_t)((uint64_t)x * (uint64_t)y); return true;
    case TL_OP_DIVIDE: *result = y != 0 ? x / y : x; return true;
    case TL_OP_REMAINDER: *result = y != 0 ? x % y : 0; return true;
    case TL_OP_AND: *result = x & y; return true;
    case TL_OP_OR: *result = x | y; return true;
    case TL_OP_XOR: *result = x ^ y; return true;
    case TL_OP_SHIFT_LEFT: *result = (int64_t)((uint64_t)x << (y & 31)); return true;
    case TL_OP_SHIFT_RIGHT: *result = x >> (y & 31); return true;
    case TL_OP_LESS: *result = x < y; return true;
    case TL_OP_LESS_EQUAL: *result = x <= y; return true;
    case TL_OP_GREATER: *result = x > y; return true;
    case TL_OP_GREATER_EQUAL: *result = x >= y; return true;
    case TL_OP_EQUAL: *result = x == y; return true;
    case TL_OP_NOT_EQUAL: *result = x != y; return true;
    default: return false;
    }
}

static bool builtin_value(const tl_witness *w, const tl_term_info *info, const invocation *at, int64_t *result)
{
    const uint32_t *size = w->flow->values.size;
    int64_t group = info->b == 0 ? w->group : 0;
    switch ((tl_builtin_value)info->a) {
    case TL_VALUE_local_invocation_index: *result = at->index; return true;
    case TL_VALUE_local_invocation_id: *result = at->local[info->b]; return true;
    case TL_VALUE_workgroup_id: *result = group; return true;
    case TL_VALUE_workgroup_index: *result = w->group; return true;
    case TL_VALUE_global_invocation_id: *result = group * size[info->b] + at->local[info->b]; return true;
    case TL_VALUE_global_invocation_index: *result = (int64_t)w->group * w->invocations + at->index; return true;
    default: return false;
    }
}

/* Different values for different terms, powers of two as most strides and sizes are. */
static int64_t chosen_value(tl_witness *w, tl_term term, const tl_term_info *info)
{
    if (w->ordinal[term] == 0) w->ordinal[term] = (uint8_t)(1 + w->ordinals++ % CHOSEN_MAX);
    int64_t chosen = w->trial << (w->ordinal[term] - 1);
    return chosen < info->lo ? info->lo : chosen > info->hi ? info->hi : chosen;
}

static bool loop_value(const tl_witness *w, tl_term term, const tl_term_info *info, int64_t *result)
{
    const tl_induction *induction = tl_term_induction(&w->flow->values, term);
    if (induction == NULL || induction->step == 0 || induction->start == 0) return false;
    if (w->known[induction->start] == 0 || w->known[induction->step] == 0) return false;
    int64_t step = w->value[induction->step], rounds = w->round[info->a];
    *result = w->value[induction->start];
    if (induction->op == TL_OP_ADD || induction->op == TL_OP_SUBTRACT) {
        return operate(induction->op, *result, step * rounds, result);
    }
    for (int64_t k = 0; k < rounds; k++) {
        if (!operate(induction->op, *result, step, result)) return false;
        *result = wrapped(info->type, *result);
    }
    return true;
}

static bool binary_value(const tl_witness *w, const tl_term_info *info, int64_t *result)
{
    bool a = w->known[info->a] != 0, b = w->known[info->b] != 0;
    int64_t x = w->value[info->a], y = w->value[info->b];
    if (info->op == TL_OP_AND_AND || info->op == TL_OP_OR_OR) {
        bool decides = info->op == TL_OP_OR_OR;
        *result = decides;
        if ((a && (x != 0) == decides) || (b && (y != 0) == decides)) return true;
        *result = !decides;
        return a && b;
    }
    return a && b && operate((tl_wgsl_op)info->op, x, y, result);
}

static bool select_value(const tl_witness *w, const tl_term_info *info, int64_t *result)
{
    bool both = w->known[info->a] != 0 && w->known[info->b] != 0 && w->value[info->a] == w->value[info->b];
    if (!both && w->known[info->c] == 0) return false;
    tl_term taken = both || w->value[info->c] == 0 ? info->a : info->b;
    *result = w->value[taken];
    return w->known[taken] != 0;
}

static bool unary_value(const tl_witness *w, const tl_term_info *info, int64_t *result)
{
    int64_t x = w->value[info->a];
    *result = info->op == TL_OP_NOT ? x == 0 : info->op == TL_OP_NEGATE ? -x : ~x;
    return w->known[info->a] != 0;
}

static bool term_value(tl_witness *w, tl_term term, const invocation *at, int64_t *result)
{
    const tl_term_info *info = tl_term_get(&w->flow->values, term);
    *result = info->lo;
    switch (info->kind) {
    case TL_TERM_CONSTANT: return true;
    case TL_TERM_BINARY: return binary_value(w, info, result);
    case TL_TERM_UNARY: return unary_value(w, info, result);
    case TL_TERM_SELECT: return select_value(w, info, result);
    case TL_TERM_LOOP: return loop_value(w, term, info, result);
    case TL_TERM_CONVERT: *result = w->value[info->a]; return w->known[info->a] != 0;
    case TL_TERM_MIN:
    case TL_TERM_MAX: {
        int64_t x = w->value[info->a], y = w->value[info->b];
        *result = (x < y) == (info->kind == TL_TERM_MIN) ? x : y;
        return w->known[info->a] != 0 && w->known[info->b] != 0;
    }
    case TL_TERM_BUILTIN:
        if (builtin_value(w, info, at, result)) return true;
        break;
    default: break;
    }
    if (!is_decided_by_launch(w, info)) return false;
    w->assumed |= info->lo != info->hi;
    *result = chosen_value(w, term, info);
    return true;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* Computes the terms of a level; false when a condition that they decide does not hold. */
static bool compute(tl_witness *w, const tl_program *program, tl_level level, const invocation *at)
{
    uint32_t begin = level == TL_LEVEL_RUN ? 0 : program->ends[level - 1], end = program->ends[level];
    w->budget -= end - begin;
    for (uint32_t k = begin; k < end; k++) {
        tl_term term = program->terms[k];
        int64_t value = 0;
        w->known[term] = term_value(w, term, at, &value);
        w->value[term] = wrapped(tl_term_get(&w->flow->values, term)->type, value);
    }
    for (uint32_t k = level == TL_LEVEL_RUN ? 0 : program->fact_ends[level - 1]; k < program->fact_ends[level]; k++) {
        const tl_fact *fact = &w->flow->facts[program->facts[k]];
        bool known = w->known[fact->condition] != 0;
        if (known && (w->value[fact->condition] != 0) != fact->holds) return false;
        w->assumed |= !known; /* it reads data: it may hold */
    }
    return true;
}

static void touch(tl_witness *w, const tl_program *program, uint32_t depth, const invocation *at, tl_touches *touches)
{
    uint64_t place = 0;
    bool any = false;
    for (uint32_t k = 0; k < depth; k++) {
        const tl_term_info *step = tl_term_get(&w->flow->values, program->place[k]);
        bool indexed = step->kind == TL_TERM_PLACE_AT;
        if (indexed && w->known[step->b] == 0) {
            if (!program->by_data) return;
            any = true;
            w->assumed = true;
        }
        place = place * UINT64_C(0x100000001B3) + (indexed ? (uint64_t)w->value[step->b] : step->b);
    }
    touches->items[touches->count++] = (tl_touch){any ? TL_PLACE_ANY : (int64_t)place, at->index};
}

/* The rounds of loops that each invocation goes through alone: some of one loop, combinations of the first ones of more. */
static void run_rounds(tl_witness *w, const tl_program *program, uint32_t depth, const invocation *at,
                       tl_touches *touches)
{
    static const uint32_t each[] = {1, TL_COUNT(samples), 4, 3};
    uint32_t most = each[program->loop_count], total = 1;
    for (uint32_t k = 0; k < program->loop_count; k++) total *= most;
    for (uint32_t number = 0; number < total && w->budget > 0 && touches->count < TL_TOUCHED_MAX; number++) {
        uint32_t rest = number, before = touches->count;
        for (uint32_t k = 0; k < program->loop_count; k++, rest /= most) {
            w->round[program->loops[k]] = samples[rest % most];
        }
        w->budget -= 4;
        if (compute(w, program, TL_LEVEL_ROUND, at)) touch(w, program, depth, at, touches);
        if (program->loop_count == 1 && touches->count == before && number > 0) break; /* the loop has ended */
    }
}

static bool is_before(const tl_touch *x, const tl_touch *y)
{
    return x->place != y->place ? x->place < y->place : x->invocation < y->invocation;
}

static void sort_touches(tl_touches *touches)
{
    tl_touch *items = touches->items;
    uint32_t gap = 1;
    while (gap < touches->count / 3) gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3) {
        for (uint32_t k = gap; k < touches->count; k++) {
            tl_touch moved = items[k];
            uint32_t at = k;
            for (; at >= gap && is_before(&moved, &items[at - gap]); at -= gap) items[at] = items[at - gap];
            items[at] = moved;
        }
    }
}

void tl_witness_run(tl_witness *w, const tl_program *program, uint32_t depth, tl_touches *touches)
{
    bool all = w->invocations <= ALL_MAX && program->loop_count == 0;
    uint32_t count = all ? w->invocations : w->sample_count;
    invocation at = {{0}, 0};
    touches->count = 0;
    if (!compute(w, program, TL_LEVEL_RUN, &at)) return;
    for (uint32_t k = 0; k < count && w->budget > 0 && touches->count < TL_TOUCHED_MAX; k++) {
        at = invocation_at(w, all ? k : w->sample[k]);
        if (compute(w, program, TL_LEVEL_INVOCATION, &at)) run_rounds(w, program, depth, &at, touches);
    }
    sort_touches(touches);
}

bool tl_witness_last_round(tl_witness *w, uint32_t loop, uint32_t *round)
{
    tl_program program = {.usable = true};
    tl_term condition = w->flow->values.loops[loop].condition_term;
    invocation at = {{0}, 0};
    w->mark_now++;
    add_term(w, &program, condition, 64);
    if (condition == 0 || !program.usable) return false;
    for (uint32_t r = 0; r < ROUNDS_TOGETHER && w->budget > 0; r++) {
        w->round[loop] = r;
        w->budget -= program.count;
        for (uint32_t k = 0; k < program.count; k++) {
            tl_term term = program.terms[k];
            int64_t value = 0;
            w->known[term] = term_value(w, term, &at, &value);
            w->value[term] = wrapped(tl_term_get(&w->flow->values, term)->type, value);
        }
        if (w->known[condition] == 0) return false;
        if (w->value[condition] != 0) continue;
        *round = r - 1;
        return r > 0;
    }
    return false;
}

/* ---- meeting ----------------------------------------------------------------------------------------------------- */

/* One goes where data tells, the other to a place that is known: some invocation may meet another. */
static bool meet_by_data(const tl_touches *a, const tl_touches *b, bool same_group, tl_touch *in_a, tl_touch *in_b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count && j < 2; j++) {
            if (same_group && a->items[i].invocation == b->items[j].invocation) continue;
            if ((a->items[i].place == TL_PLACE_ANY) == (b->items[j].place == TL_PLACE_ANY)) continue;
            *in_a = a->items[i];
            *in_b = b->items[j];
            return true;
        }
    }
    return false;
}

/* Touches whose place is known stand behind those that can be anywhere. */
static uint32_t first_known(const tl_touches *touches)
{
    uint32_t k = 0;
    while (k < touches->count && touches->items[k].place == TL_PLACE_ANY) k++;
    return k;
}

/* The first touch from `begin` on, of the same place as it, by another invocation; NULL when there is none. */
static const tl_touch *other_invocation(const tl_touches *touches, uint32_t begin, uint32_t than)
{
    const tl_touch *items = touches->items;
    for (uint32_t k = begin; k < touches->count && items[k].place == items[begin].place; k++) {
        if (items[k].invocation != than) return &items[k];
    }
    return NULL;
}

/* Two touches of the place that both have at these positions, by different invocations where that is asked for; kept when
 * the second invocation has a smaller number than the one that was found before. */
static void meet_at(const tl_touches *a, uint32_t i, const tl_touches *b, uint32_t j, bool same_group,
                    const tl_touch **in_a, const tl_touch **in_b)
{
    const tl_touch *x = &a->items[i], *y = &b->items[j];
    if (same_group && x->invocation == y->invocation) {
        const tl_touch *other = other_invocation(a, i, y->invocation);
        if (other == NULL) y = other_invocation(b, j, x->invocation);
        if (other != NULL) x = other;
    }
    if (y == NULL || (*in_b != NULL && (*in_b)->invocation <= y->invocation)) return;
    *in_a = x;
    *in_b = y;
}

bool tl_witness_meet(const tl_touches *a, const tl_touches *b, bool same_group, tl_touch *in_a, tl_touch *in_b)
{
    if (meet_by_data(a, b, same_group, in_a, in_b)) return true;
    const tl_touch *x = NULL, *y = NULL;
    uint32_t i = first_known(a), j = first_known(b);
    while (i < a->count && j < b->count) {
        int64_t place_a = a->items[i].place, place_b = b->items[j].place;
        if (place_a == place_b) meet_at(a, i, b, j, same_group, &x, &y);
        i += place_a <= place_b;
        j += place_b <= place_a;
    }
    if (y == NULL) return false;
    *in_a = *x;
    *in_b = *y;
    return true;
}
