/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "races": memory that one invocation writes and another touches, with nothing between that orders
 * the two. A finding rests on a witness: two invocations, and rounds of the loops, that touch the same place. */
#include "wgsl/check.h"
#include "wgsl/flow.h"
#include "wgsl/witness.h"

#include <string.h>

#define EVENTS_MAX 48u    /* of one variable that are compared */
#define VARIABLES_MAX 32u /* of one entry point */
#define FOUND_MAX 64u
#define ROUNDS 4u /* of loops with barriers that are tried: the first three and the last */

typedef struct variable {
    uint32_t declaration;
    tl_space space;
    bool is_atomic;
    uint32_t events[EVENTS_MAX];
    uint32_t count;
} variable;

/* Two events that meet. */
typedef struct meeting {
    tl_check_rule rule;
    uint32_t first, second;       /* events, as they follow each other in an invocation */
    uint32_t in_first, in_second; /* invocations */
    bool next_round;
    bool assumed;
    bool barrier_between;
    bool counting; /* a read and a write of one place that data choose */
} meeting;

/* Where an event went: it is the same for one partner after another. */
typedef struct run {
    tl_touches touches;
    uint32_t room; /* of touches */
    uint32_t trial, group, depth;
    uint64_t rounds; /* of the loops with barriers around it, as one number */
    bool assumed;
} run;

#define RUNS_KEPT 16u /* of an event, the newest */

typedef struct event_runs {
    run items[RUNS_KEPT];
    uint32_t count; /* of all that were kept */
} event_runs;

#define TRIALS 2u

typedef struct races {
    tl_check *c;
    tl_flow *flow;
    tl_witness w;
    uint8_t *apart;        /* by loop, all zero: groups do not go through rounds together */
    uint32_t *barriers[2]; /* by event: barriers before it, that order workgroup memory, and storage */
    uint32_t *begin, *end; /* by loop: its events */
    tl_program *programs;  /* by event of the variable at hand */
    event_runs *runs;      /* by event too */
    const tl_program *a, *b;
    uint32_t trial;
    tl_touches scratch_a, scratch_b; /* of runs that are not kept */
    variable *variables;
    uint32_t variable_count;
    meeting found[FOUND_MAX];
    uint32_t found_count;
} races;

/* ---- events ------------------------------------------------------------------------------------------------------ */

static const tl_event *event_at(const races *r, uint32_t number)
{
    return &r->flow->events[number];
}

static bool is_access(const tl_event *event)
{
    return event->kind == TL_EVENT_READ || event->kind == TL_EVENT_WRITE || event->kind == TL_EVENT_ATOMIC;
}

static bool is_in_loop(const races *r, uint32_t number, uint32_t loop)
{
    for (uint32_t at = event_at(r, number)->loop; at != 0; at = r->flow->values.loops[at].outer) {
        if (at == loop) return true;
    }
    return false;
}

/* storageBarrier orders storage, workgroupBarrier workgroup memory; in practice both hold up the invocations, so that
 * either is taken to order storage. */
static bool orders(const tl_check *c, uint32_t call, bool storage)
{
    return storage || tl_query_builtin_call(c->m, call) != TL_BUILTIN_storageBarrier;
}

static void add_event(races *r, uint32_t number)
{
    const tl_event *event = event_at(r, number);
    const tl_global *global = tl_event_global(r->flow, event);
    bool shared = global != NULL && (global->space == TL_SPACE_WORKGROUP ||
                                     (global->space == TL_SPACE_STORAGE && global->access != TL_ACCESS_READ));
    if (!shared) return;
    uint32_t k = 0;
    while (k < r->variable_count && r->variables[k].declaration != global->node) k++;
    if (k == VARIABLES_MAX) return;
    variable *found = &r->variables[k];
    if (k == r->variable_count) {
        r->variable_count++;
        *found = (variable){.declaration = global->node, .space = (tl_space)global->space};
    }
    const tl_types *types = &r->c->m->semantics->types;
    found->is_atomic |= tl_type_kind(types, tl_term_get(&r->flow->values, event->place)->type) == TL_KIND_ATOMIC;
    if (found->count < EVENTS_MAX) found->events[found->count++] = number;
}

static void read_events(races *r)
{
    const tl_values *v = &r->flow->values;
    uint32_t before[2] = {0, 0};
    for (uint32_t k = 0; k < r->flow->event_count; k++) {
        const tl_event *event = event_at(r, k);
        for (uint32_t loop = event->loop; loop != 0; loop = v->loops[loop].outer) {
            if (r->end[loop] == 0) r->begin[loop] = k;
            r->end[loop] = k + 1;
        }
        for (uint32_t kind = 0; kind < 2; kind++) {
            r->barriers[kind][k] = before[kind];
            before[kind] += event->kind == TL_EVENT_BARRIER && orders(r->c, event->node, kind == 1);
        }
        if (is_access(event)) add_event(r, k);
    }
    for (uint32_t kind = 0; kind < 2; kind++) r->barriers[kind][r->flow->event_count] = before[kind];
}

static uint32_t barriers_between(const races *r, const variable *v, uint32_t from, uint32_t to)
{
    const uint32_t *before = r->barriers[v->space == TL_SPACE_STORAGE];
    return before[to] - before[from];
}

/* ---- what matters when two meet ---------------------------------------------------------------------------------- */

/* As far as can be told, one value for all invocations that write it: nothing is lost. */
static bool is_same_value(const races *r, const tl_event *x, const tl_event *y)
{
    const tl_term_info *value = x->value != 0 ? tl_term_get(&r->flow->values, x->value) : NULL;
    if (x == y) return value == NULL || (value->depends & TL_ON_LOCAL) == 0;
    uint32_t differs = TL_ON_LOCAL | TL_ON_SUBGROUP | TL_ON_WRITABLE | TL_ON_WORKGROUP | TL_ON_UNKNOWN | TL_ON_LOOP;
    return value != NULL && x->value == y->value && (value->depends & differs) == 0;
}

/* Does the order of the two matter, x before y in an invocation? */
static bool matters(const races *r, const variable *v, const tl_event *x, const tl_event *y)
{
    if (x->kind == TL_EVENT_READ && y->kind == TL_EVENT_READ) return false;
    if (x->kind == TL_EVENT_WRITE && y->kind == TL_EVENT_WRITE) return !v->is_atomic && !is_same_value(r, x, y);
    if (!v->is_atomic) return true;
    if (x->kind == TL_EVENT_ATOMIC && y->kind == TL_EVENT_ATOMIC) return false;
    /* A counter may be looked at while it is counted, and often is in loops that wait. */
    if (x->kind == TL_EVENT_READ && y->kind == TL_EVENT_ATOMIC) return false;
    bool waits = (x->kind == TL_EVENT_READ && x->loop != 0) || (y->kind == TL_EVENT_READ && y->loop != 0);
    return !waits;
}

static tl_check_rule rule_of(const tl_event *first)
{
    return first->kind == TL_EVENT_READ ? TL_CHECK_TILE_OVERWRITTEN : TL_CHECK_MISSING_BARRIER;
}

static void keep(races *r, const meeting *m)
{
    for (uint32_t k = 0; k < r->found_count; k++) { /* one of a kind for a variable */
        const meeting *other = &r->found[k];
        bool same =
            tl_event_global(r->flow, event_at(r, other->second)) == tl_event_global(r->flow, event_at(r, m->second));
        if (same && other->rule == m->rule) return;
    }
    if (r->found_count < FOUND_MAX) r->found[r->found_count++] = *m;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* Rounds of the loops with barriers around an event: those that it shares with the other one, and its own. False when the
 * last round of one cannot be told. */
static bool set_rounds(races *r, uint32_t number, uint32_t other, uint32_t shared_round, bool at_end)
{
    const tl_values *v = &r->flow->values;
    for (uint32_t loop = event_at(r, number)->loop; loop != 0; loop = v->loops[loop].outer) {
        if (r->w.together[loop] == 0) continue;
        if (is_in_loop(r, other, loop)) {
            r->w.round[loop] = shared_round;
            continue;
        }
        uint32_t last = 0;
        if (at_end && !tl_witness_last_round(&r->w, loop, &last)) return false;
        r->w.round[loop] = last;
    }
    return true;
}

/* The innermost loop with barriers that holds both; 0: none. */
static uint32_t shared_loop(const races *r, uint32_t x, uint32_t y)
{
    const tl_values *v = &r->flow->values;
    for (uint32_t loop = event_at(r, x)->loop; loop != 0; loop = v->loops[loop].outer) {
        if (r->w.together[loop] != 0 && is_in_loop(r, y, loop)) return loop;
    }
    return 0;
}

static bool round_at(races *r, uint32_t loop, uint32_t number, uint32_t *round)
{
    *round = number;
    if (number + 1 < ROUNDS) return loop != 0 || number == 0;
    return loop != 0 && tl_witness_last_round(&r->w, loop, round) && *round + 1 >= ROUNDS;
}

/* ---- witnesses --------------------------------------------------------------------------------------------------- */

typedef struct trial {
    bool reached; /* both events happen */
    bool met;
} trial;

static uint32_t common_depth(const tl_program *a, const tl_program *b)
{
    return a->place_count < b->place_count ? a->place_count : b->place_count;
}

/* The rounds that the loops with barriers around an event are in, as one number: a digit a loop. */
static bool rounds_of(const races *r, uint32_t number, uint64_t *rounds)
{
    *rounds = 0;
    for (uint32_t loop = event_at(r, number)->loop; loop != 0; loop = r->flow->values.loops[loop].outer) {
        if (r->w.together[loop] == 0) continue;
        if (*rounds > UINT64_MAX >> 8) return false;
        *rounds = *rounds << 8 | (r->w.round[loop] + 1);
    }
    return true;
}

static const run *find_run(const event_runs *runs, const run *key)
{
    for (uint32_t k = 0; k < runs->count && k < RUNS_KEPT; k++) {
        const run *kept = &runs->items[k];
        bool same = kept->rounds == key->rounds && kept->trial == key->trial && kept->group == key->group &&
                    kept->depth == key->depth;
        if (same) return kept;
    }
    return NULL;
}

/* Keeps what a run found in place of the oldest one; NULL when there is no space. */
static const run *keep_run(races *r, event_runs *runs, const run *key, const tl_touches *touches)
{
    run *kept = &runs->items[runs->count % RUNS_KEPT];
    tl_touch *items = kept->touches.items;
    uint32_t room = kept->room;
    if (room < touches->count) {
        items = TL_ARENA_ARRAY(r->c->arena, tl_touch, touches->count);
        room = touches->count;
    }
    if (touches->count > 0 && items == NULL) return NULL;
    *kept = *key;
    kept->touches = (tl_touches){items, touches->count};
    kept->room = room;
    if (touches->count > 0) memcpy(items, touches->items, touches->count * sizeof *items);
    runs->count++;
    return kept;
}

/* Where the event goes in this trial, group and round. */
static const tl_touches *run_event(races *r, const tl_program *program, uint32_t depth, tl_touches *scratch)
{
    tl_witness *w = &r->w;
    event_runs *runs = &r->runs[program - r->programs];
    run key = {.trial = r->trial, .group = w->group, .depth = depth};
    bool keeps = rounds_of(r, program->event, &key.rounds), assumed = w->assumed;
    const run *kept = keeps ? find_run(runs, &key) : NULL;
    if (kept == NULL) {
        w->assumed = false;
        tl_witness_run(w, program, depth, scratch);
        key.assumed = w->assumed;
        if (keeps) kept = keep_run(r, runs, &key, scratch);
    }
    w->assumed = assumed || (kept != NULL ? kept->assumed : key.assumed);
    return kept != NULL ? &kept->touches : scratch;
}

static void meet(meeting *m, const tl_touches *a, const tl_touches *b, bool same_group, trial *t)
{
    tl_touch first, second;
    t->reached |= a->count > 0 && b->count > 0;
    if (t->met || !tl_witness_meet(a, b, same_group, &first, &second)) return;
    t->met = true;
    m->in_first = first.invocation;
    m->in_second = second.invocation;
}

/* Runs the first event and the second, in one round each, and looks for a place that both touch. */
static void run_pair(races *r, meeting *m, uint32_t round, trial *t)
{
    uint32_t depth = common_depth(r->a, r->b);
    uint32_t loop = m->next_round ? shared_loop(r, m->first, m->second) : 0;
    if (!set_rounds(r, m->first, m->second, round, true)) return;
    const tl_touches *a = run_event(r, r->a, depth, &r->scratch_a);
    if (!set_rounds(r, m->second, m->first, round, false)) return;
    if (loop != 0) r->w.round[loop] = round + 1;
    meet(m, a, run_event(r, r->b, depth, &r->scratch_b), true, t);
}

static const int64_t trials[TRIALS] = {4096, 1024};

static void look_for(races *r, const variable *v, meeting *m)
{
    bool met = false;
    if (!r->a->usable || !r->b->usable || !tl_witness_comparable(r->a, r->b)) return;
    bool whole = r->a->place_count != r->b->place_count; /* a structure, of which other members may be used */
    if (whole && v->space == TL_SPACE_STORAGE) return;
    if (v->is_atomic && r->a->decided != r->b->decided) return; /* regions of one array, as far as can be told */
    uint32_t loop = shared_loop(r, m->first, m->second);
    r->w.assumed = false;
    for (uint32_t k = 0; k < TRIALS; k++) {
        trial t = {0};
        r->trial = k;
        r->w.trial = trials[k];
        for (uint32_t number = 0; number < ROUNDS && !t.met && r->w.budget > 0; number++) {
            uint32_t round;
            if (round_at(r, loop, number, &round)) run_pair(r, m, round, &t);
        }
        if (t.reached && !t.met) return;
        met |= t.met;
        if (!r->w.assumed) break; /* the other trial is the same */
    }
    m->assumed = r->w.assumed;
    if (met && r->w.budget > 0) keep(r, m);
}

/* The axes (bit 0: x) that an atom of a sum stands for. */
static uint32_t axis_of(const tl_values *v, tl_term atom)
{
    const tl_term_info *info = tl_term_get(v, atom);
    for (uint32_t k = 0; k < 3; k++) {
        if (atom == v->local[k]) return 1u << k;
    }
    bool index = info->kind == TL_TERM_BUILTIN &&
                 (info->a == TL_VALUE_local_invocation_index || info->a == TL_VALUE_global_invocation_index);
    if (index) return 7;
    return info->kind == TL_TERM_BUILTIN && info->a == TL_VALUE_global_invocation_id ? 1u << info->b : 0;
}

/* The axes on which a place moves with the invocation: local ids as terms of sums, not inside of quotients and remainders,
 * where several invocations share one value. */
static uint32_t axes_of_place(const tl_values *v, tl_term place)
{
    uint32_t axes = 0;
    for (;; place = tl_term_get(v, place)->a) {
        const tl_term_info *info = tl_term_get(v, place);
        tl_sum sum;
        if (info->kind != TL_TERM_PLACE_AT && info->kind != TL_TERM_PLACE_OF) return axes;
        if (info->kind != TL_TERM_PLACE_AT || !tl_sum_of(v, info->b, &sum)) continue;
        for (uint32_t k = 0; k < sum.count; k++) {
            for (uint32_t j = 0; j < sum.products[k].count; j++) axes |= axis_of(v, sum.products[k].atoms[j]);
        }
    }
}

/* One place that the invocation has to itself, as v[i] with an index of its own, is what most pairs touch. */
static bool is_own_place(const races *r, const tl_event *x, const tl_event *y)
{
    const tl_values *v = &r->flow->values;
    uint32_t wanted = 0;
    if (x->place != y->place) return false;
    for (uint32_t k = 0; k < 3; k++) wanted |= v->size[k] != 1 ? 1u << k : 0;
    return wanted != 0 && (axes_of_place(v, x->place) & wanted) == wanted;
}

/* ---- within a group ---------------------------------------------------------------------------------------------- */

static void compare(races *r, const variable *v, uint32_t i, uint32_t j)
{
    uint32_t x = v->events[i], y = v->events[j];
    if (is_own_place(r, event_at(r, x), event_at(r, y))) return;
    bool straight = barriers_between(r, v, x, y) == 0;
    if (straight && matters(r, v, event_at(r, x), event_at(r, y))) {
        bool other_kind = r->barriers[1][y] != r->barriers[1][x];
        r->a = &r->programs[i];
        r->b = &r->programs[j];
        look_for(r, v,
                 &(meeting){.rule = rule_of(event_at(r, x)), .first = x, .second = y, .barrier_between = other_kind});
    }
    uint32_t loop = shared_loop(r, x, y);
    if (i == j || loop == 0 || !matters(r, v, event_at(r, y), event_at(r, x))) return;
    bool around = barriers_between(r, v, y, r->end[loop]) == 0 && barriers_between(r, v, r->begin[loop], x) == 0;
    if (!around || straight) return;
    r->a = &r->programs[j];
    r->b = &r->programs[i];
    look_for(r, v, &(meeting){.rule = rule_of(event_at(r, y)), .first = y, .second = x, .next_round = true});
}

static void check_group(races *r, const variable *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        for (uint32_t j = i; j < v->count && r->w.budget > 0; j++) compare(r, v, i, j);
    }
}

/* ---- between groups ---------------------------------------------------------------------------------------------- */

static void run_groups(races *r, meeting *m, uint32_t group, trial *t)
{
    uint32_t depth = common_depth(r->a, r->b);
    r->w.group = group;
    const tl_touches *a = run_event(r, r->a, depth, &r->scratch_a);
    r->w.group = 1 - group;
    meet(m, a, run_event(r, r->b, depth, &r->scratch_b), false, t);
}

static void look_across(races *r, meeting *m)
{
    bool met = false;
    if (!r->a->usable || !r->b->usable || !tl_witness_comparable(r->a, r->b)) return;
    if (r->a->place_count != r->b->place_count) return; /* a whole structure, of which other members are used */
    r->w.assumed = false;
    for (uint32_t k = 0; k < TRIALS; k++) {
        trial t = {0};
        r->trial = k;
        r->w.trial = trials[k];
        run_groups(r, m, 0, &t);
        run_groups(r, m, 1, &t);
        if (t.reached && !t.met) return;
        met |= t.met;
        if (!r->w.assumed) break;
    }
    m->assumed = r->w.assumed;
    if (met && r->w.budget > 0) keep(r, m);
}

/* One writes and the other reads; a counter is read after a barrier, as if all had counted. */
static bool matters_across(const variable *v, const tl_event *x, const tl_event *y, bool barrier)
{
    if (!v->is_atomic) return (x->kind == TL_EVENT_WRITE) != (y->kind == TL_EVENT_WRITE);
    return barrier && x->kind == TL_EVENT_ATOMIC && y->kind == TL_EVENT_READ && y->loop == 0;
}

static void check_groups(races *r, const variable *v)
{
    uint32_t barriers = r->barriers[1][r->flow->event_count];
    for (uint32_t i = 0; i < v->count; i++) {
        for (uint32_t j = i + 1; j < v->count && r->w.budget > 0; j++) {
            uint32_t x = v->events[i], y = v->events[j];
            if (is_own_place(r, event_at(r, x), event_at(r, y))) continue;
            bool between = barriers_between(r, v, x, y) > 0;
            if (!matters_across(v, event_at(r, x), event_at(r, y), between)) continue;
            bool ordered = barriers > 0;
            r->a = &r->programs[i];
            r->b = &r->programs[j];
            look_across(r, &(meeting){.rule = ordered ? TL_CHECK_CROSS_GROUP_BARRIER : TL_CHECK_NEIGHBOUR_RACE,
                                      .first = x,
                                      .second = y,
                                      .barrier_between = ordered});
        }
    }
}

/* ---- counting at places that data choose ------------------------------------------------------------------------- */

/* `keys[i] & 255`, `keys[i] / 16`: several invocations surely have the same. */
static bool is_bin(const tl_values *v, tl_term index)
{
    const tl_term_info *info = tl_term_get(v, tl_term_plain(v, index));
    bool by_data = (info->depends & (TL_ON_STORAGE | TL_ON_WRITABLE)) != 0 && (info->depends & TL_ON_LOCAL) != 0;
    bool cuts = info->kind == TL_TERM_MIN;
    if (info->kind == TL_TERM_BINARY) {
        bool divides =
            info->op == TL_OP_DIVIDE || info->op == TL_OP_SHIFT_RIGHT; /* of a key, not of an offset in bytes */
        cuts = divides ? tl_term_is(v, tl_term_plain(v, info->a), TL_TERM_LOAD)
                       : info->op == TL_OP_AND || info->op == TL_OP_REMAINDER;
    }
    return by_data && cuts && (tl_term_is(v, info->a, TL_TERM_CONSTANT) || tl_term_is(v, info->b, TL_TERM_CONSTANT));
}

/* Does a condition on ids alone let one invocation of the group through? */
static bool may_be_alone(const races *r, uint32_t facts)
{
    const tl_values *v = &r->flow->values;
    uint32_t k = 0;
    for (uint32_t at = facts; at != 0 && k < 64; at = r->flow->facts[at].before, k++) {
        tl_bound bound;
        uint32_t depends = tl_term_get(v, r->flow->facts[at].condition)->depends;
        bool own = (depends & TL_ON_LOCAL) != 0 || (depends & (TL_ON_WRITABLE | TL_ON_WORKGROUP)) != 0;
        if (own && (!tl_fact_bound(r->flow, at, &bound) || bound.exact)) return true;
    }
    return false;
}

/* `bins[keys[i] & 255] += 1` without atomics. */
static void check_counting(races *r, const variable *v)
{
    const tl_values *values = &r->flow->values;
    for (uint32_t k = 0; k + 1 < v->count && !v->is_atomic; k++) {
        const tl_event *read = event_at(r, v->events[k]), *write = event_at(r, v->events[k + 1]);
        bool back = read->kind == TL_EVENT_READ && write->kind == TL_EVENT_WRITE && read->place == write->place &&
                    read->facts == write->facts;
        if (!back || !tl_term_is(values, read->place, TL_TERM_PLACE_AT) || axes_of_place(values, read->place) != 0)
            continue;
        const tl_term_info *place = tl_term_get(values, read->place);
        if (!tl_term_is(values, place->a, TL_TERM_PLACE) || !is_bin(values, place->b)) continue;
        if (may_be_alone(r, write->facts)) continue;
        keep(r, &(meeting){.rule = v->space == TL_SPACE_WORKGROUP ? TL_CHECK_MISSING_BARRIER : TL_CHECK_NEIGHBOUR_RACE,
                           .first = v->events[k],
                           .second = v->events[k + 1],
                           .counting = true});
        return;
    }
}

/* ---- workgroup memory that nobody wrote -------------------------------------------------------------------------- */

/* A later write in a loop around the read comes first from the second round on. */
static bool is_written_in_loop(const races *r, const variable *v)
{
    const tl_event *first = event_at(r, v->events[0]);
    for (uint32_t loop = first->loop; loop != 0; loop = r->flow->values.loops[loop].outer) {
        for (uint32_t k = 1; k < v->count; k++) {
            const tl_event *later = event_at(r, v->events[k]);
            bool same = later->facts == first->facts && later->place == first->place; /* `sum[l] += x` */
            if (later->kind == TL_EVENT_WRITE && !same && is_in_loop(r, v->events[k], loop)) return true;
        }
    }
    return false;
}

static void check_unwritten(races *r, const variable *v)
{
    const tl_event *first = event_at(r, v->events[0]);
    if (v->space != TL_SPACE_WORKGROUP || first->kind == TL_EVENT_WRITE || is_written_in_loop(r, v)) return;
    keep(r, &(meeting){.rule = TL_CHECK_UNWRITTEN_WORKGROUP, .first = v->events[0], .second = v->events[0]});
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static tl_word verb_of(const tl_event *event)
{
    if (event->kind == TL_EVENT_READ) return tl_check_word(TL_SAYS_READS);
    return event->kind == TL_EVENT_WRITE ? tl_check_word(TL_SAYS_WRITES) : tl_check_word(TL_SAYS_CHANGES);
}

static void report_in_group(races *r, const meeting *m)
{
    const tl_event *first = event_at(r, m->first), *second = event_at(r, m->second);
    const tl_global *global = tl_event_global(r->flow, second);
    tl_str name = tl_node_name(r->c->m, global->node);
    if (m->first == m->second) {
        tl_check_report(r->c, m->rule, TELAR_SEVERITY_WARNING, second->node,
                        TL_SAYS(BOTH_WRITE, TL_U(m->in_first), TL_U(m->in_second), TL_T(name)));
        return;
    }
    bool atomic = first->kind == TL_EVENT_ATOMIC || second->kind == TL_EVENT_ATOMIC;
    bool surely = !m->assumed && !atomic && !m->barrier_between;
    tl_finding *finding = tl_check_report(
        r->c, m->rule, surely ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING, second->node,
        TL_SAYS(MEET, TL_U(m->in_second), verb_of(second), TL_U(m->in_first), verb_of(first),
                TL_U(tl_check_line(r->c, first->node)),
                m->next_round ? tl_check_word(TL_SAYS_ROUND_BEFORE) : TL_W(NULL), TL_T(name),
                m->barrier_between ? tl_check_word(TL_SAYS_STORAGE_BARRIER_ONLY) : tl_check_word(TL_SAYS_NO_BARRIER)));
    const tl_word barrier = TL_Z(global->space == TL_SPACE_WORKGROUP ? "workgroupBarrier();" : "storageBarrier();");
    tl_check_fix(r->c, finding, m->next_round ? TL_SAYS(BARRIER_AT_END, barrier) : TL_SAYS(BARRIER_BETWEEN, barrier));
}

static void report_across(races *r, const meeting *m)
{
    const tl_event *first = event_at(r, m->first), *second = event_at(r, m->second);
    tl_str name = tl_node_name(r->c->m, tl_event_global(r->flow, second)->node);
    bool launched = r->c->launch.dispatch[0] > 1;
    telar_severity severity = launched && !m->assumed ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING;
    uint32_t line = tl_check_line(r->c, first->node);
    const tl_word later = verb_of(second), earlier = verb_of(first);
    const tl_said said = m->barrier_between ? TL_SAYS(GROUPS_MEET_AT_BARRIER, later, TL_T(name), earlier, TL_U(line))
                                            : TL_SAYS(GROUPS_MEET, later, TL_T(name), earlier, TL_U(line));
    tl_finding *finding = tl_check_report(r->c, m->rule, severity, second->node, said);
    tl_check_fix(r->c, finding, m->barrier_between ? TL_SAID(DISPATCH_EACH_PHASE) : TL_SAID(SECOND_BUFFER));
}

static void report_unwritten(races *r, const meeting *m)
{
    const tl_event *first = event_at(r, m->first);
    tl_str name = tl_node_name(r->c->m, tl_event_global(r->flow, first)->node);
    bool reads = first->kind == TL_EVENT_READ;
    tl_finding *finding =
        tl_check_report(r->c, m->rule, TELAR_SEVERITY_WARNING, first->node,
                        reads ? TL_SAYS(READ_UNWRITTEN, TL_T(name)) : TL_SAYS(COUNTED_UNWRITTEN, TL_T(name)));
    tl_check_fix(r->c, finding, TL_SAYS(CLEAR_FIRST, TL_T(name)));
}

static void report_counting(races *r, const meeting *m)
{
    const tl_event *write = event_at(r, m->second);
    tl_finding *finding = tl_check_report(r->c, m->rule, TELAR_SEVERITY_WARNING, write->node,
                                          TL_SAYS(COUNTED_BY_DATA, TL_T(tl_node_text(r->c->m, write->node))));
    tl_check_fix(r->c, finding, TL_SAID(USE_ATOMICS));
}

static void report(races *r, const meeting *m)
{
    if (m->counting) {
        report_counting(r, m);
        return;
    }
    switch ((int)m->rule) {
    case TL_CHECK_UNWRITTEN_WORKGROUP: report_unwritten(r, m); break;
    case TL_CHECK_CROSS_GROUP_BARRIER:
    case TL_CHECK_NEIGHBOUR_RACE: report_across(r, m); break;
    default: report_in_group(r, m); break;
    }
}

/* ---- the family -------------------------------------------------------------------------------------------------- */

static bool prepare(races *r)
{
    telar_arena *arena = r->c->arena;
    uint32_t events = r->flow->event_count, loops = r->flow->values.loop_count;
    r->begin = TL_ARENA_ARRAY(arena, uint32_t, loops);
    r->end = TL_ARENA_ARRAY(arena, uint32_t, loops);
    r->apart = TL_ARENA_ARRAY(arena, uint8_t, loops);
    for (uint32_t k = 0; k < 2; k++) r->barriers[k] = TL_ARENA_ARRAY(arena, uint32_t, events + 1);
    r->variables = TL_ARENA_ARRAY(arena, variable, VARIABLES_MAX);
    r->scratch_a.items = TL_ARENA_ARRAY(arena, tl_touch, TL_TOUCHED_MAX);
    r->scratch_b.items = TL_ARENA_ARRAY(arena, tl_touch, TL_TOUCHED_MAX);
    return r->begin != NULL && r->end != NULL && r->apart != NULL && r->barriers[0] != NULL && r->barriers[1] != NULL &&
           r->variables != NULL && r->scratch_a.items != NULL && r->scratch_b.items != NULL;
}

#define FACTS_MAX 32u /* conditions of an event that are looked at */

/* Does the group choose where the event goes, or whether it happens? */
static bool is_by_group(const races *r, const tl_event *event)
{
    const tl_values *v = &r->flow->values;
    if (event->place != 0 && (tl_term_get(v, event->place)->depends & TL_ON_GROUP_X) != 0) return true;
    uint32_t at = event->facts;
    for (uint32_t k = 0; at != 0 && k < FACTS_MAX; at = r->flow->facts[at].before, k++) {
        if ((tl_term_get(v, r->flow->facts[at].condition)->depends & TL_ON_GROUP_X) != 0) return true;
    }
    return false;
}

/* Is the launch, as far as it is known, one of several groups, and does the kernel tell them apart? */
static bool has_groups(const races *r)
{
    const uint32_t *dispatch = r->c->launch.dispatch;
    bool by_group = false;
    for (uint32_t k = 0; k < r->flow->event_count && !by_group; k++) by_group = is_by_group(r, event_at(r, k));
    return by_group && (dispatch[0] == 0 || dispatch[0] > 1);
}

/* Is anything of it written, and can any two events meet? */
static bool is_shared(const races *r, const variable *v)
{
    bool writes = false, differ = false;
    for (uint32_t k = 0; k < v->count; k++) {
        const tl_event *event = event_at(r, v->events[k]);
        writes |= event->kind != TL_EVENT_READ;
        differ |= !is_own_place(r, event, event_at(r, v->events[0]));
    }
    return writes && differ;
}

/* The programs of a variable's events, none run yet; false when the arena is full. */
static bool make_programs(races *r, const variable *v)
{
    r->programs = TL_ARENA_ARRAY(r->c->arena, tl_program, v->count);
    r->runs = TL_ARENA_ARRAY(r->c->arena, event_runs, v->count);
    if (r->programs == NULL || r->runs == NULL) return false;
    for (uint32_t k = 0; k < v->count; k++) tl_witness_program(&r->w, v->events[k], &r->programs[k]);
    return true;
}

/* Compares the events of a variable; what that needs of the arena is given back. */
static void search_variable(races *r, const variable *v, bool across)
{
    size_t used = r->c->arena->used;
    uint8_t *together = r->w.together;
    r->w.across = across;
    if (across) r->w.together = r->apart;
    if (make_programs(r, v)) (across ? check_groups : check_group)(r, v);
    r->w.across = false;
    r->w.together = together;
    r->w.group = 0;
    r->c->arena->used = used;
}

static void search(races *r)
{
    bool groups = has_groups(r);
    for (uint32_t k = 0; k < r->variable_count; k++) {
        const variable *v = &r->variables[k];
        uint32_t found = r->found_count;
        if (!is_shared(r, v)) continue;
        if (groups && v->space == TL_SPACE_STORAGE) search_variable(r, v, true);
        if (r->found_count == found) search_variable(r, v, false);
    }
}

/* What the search needs is given back before findings take their memory. */
void tl_check_races_entry(tl_check *c)
{
    races r = {.c = c, .flow = tl_flow_of(c)};
    if (r.flow == NULL || r.flow->event_count == 0) return;
    size_t used = c->arena->used;
    bool searchable = tl_witness_begin(&r.w, c, r.flow);
    if (prepare(&r)) {
        read_events(&r);
        if (searchable) search(&r);
        for (uint32_t k = 0; k < r.variable_count; k++) check_unwritten(&r, &r.variables[k]);
        for (uint32_t k = 0; k < r.variable_count; k++) check_counting(&r, &r.variables[k]);
    }
    c->witness_spent += r.w.granted - r.w.budget;
    c->arena->used = used;
    for (uint32_t k = 0; k < r.found_count; k++) report(&r, &r.found[k]);
}
