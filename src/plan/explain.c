/* SPDX-License-Identifier: MIT
 *
 * Why a plan is what it is, in words: the reasons that apply, what limits it and what to change next. The words are in
 * sentences.h; here is only when each is true. */
#include "plan/plan.h"
#include "plan/sentences.h"

typedef struct context {
    const telar_plan *plan;
    const telar_facts *facts;
    telar_language language;
    telar_out *out;
    tl_model model;
} context;

#define SAY(c, sentence, ...) say(c, TL_SAY_##sentence, (const tl_word[]){__VA_ARGS__})

static void say(const context *c, tl_sentence sentence, const tl_word *words)
{
    tl_say(c->out, c->language, (tl_said){&tl_sentences[sentence], words});
}

static context context_of(const telar_plan *plan, const telar_facts *facts, telar_language language, telar_out *out)
{
    return (context){plan, facts, language, out, tl_model_make(&plan->asked, facts, plan->elements)};
}

static uint64_t invocations_of(const context *c)
{
    return tl_invocations(c->plan->workgroup_size);
}

static bool is_tree(const telar_plan *plan)
{
    return plan->kind == TELAR_KIND_REDUCE || plan->kind == TELAR_KIND_SCAN;
}

static bool same_size(const uint32_t a[3], const uint32_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static uint64_t units_of(const context *c)
{
    return (uint64_t)c->facts->values[TELAR_FACT_COMPUTE_UNITS].value;
}

static tl_sentence type_word(const context *c)
{
    return (tl_sentence)(TL_SAY_TYPE_UNKNOWN + (c->facts->type <= TELAR_DEVICE_CPU ? (int)c->facts->type : 0));
}

static uint64_t window_launched(const telar_plan *plan)
{
    return (uint64_t)plan->dispatch[0] * plan->dispatch[1] * plan->dispatch[2];
}

/* ---- Reasons: each says its sentence when it is true of the plan ------------------------------------------------- */

static bool why_size_by_rule(const context *c)
{
    const telar_plan *plan = c->plan;
    switch (plan->kind) {
    case TELAR_KIND_REDUCE:
    case TELAR_KIND_SCAN: return false;
    case TELAR_KIND_TILE: SAY(c, SIZE_TILE, TL_S(plan->workgroup_size)); return true;
    case TELAR_KIND_IMAGE:
        if (plan->asked.halo > 0) return false;
        SAY(c, SIZE_IMAGE, TL_S(plan->workgroup_size));
        return true;
    case TELAR_KIND_ELEMENT: SAY(c, SIZE_ELEMENT, TL_S(plan->workgroup_size)); return true;
    }
    return false;
}

static bool why_size(const context *c)
{
    const telar_plan *plan = c->plan;
    bool by_rule = same_size(plan->workgroup_size, plan->lesson_workgroup_size);
    if (plan->asked.size[0] != 0 && by_rule) {
        SAY(c, SIZE_ASKED_SAME, TL_S(plan->workgroup_size));
        return true;
    }
    if (plan->asked.size[0] != 0) {
        SAY(c, SIZE_ASKED, TL_S(plan->workgroup_size), TL_S(plan->lesson_workgroup_size));
        return true;
    }
    if (by_rule) return why_size_by_rule(c);
    if (!c->model.usable) return false;
    SAY(c, SIZE_MODEL, TL_S(plan->workgroup_size), TL_ITEMS(plan->items), TL_SENTENCE(type_word(c)),
        TL_S(plan->lesson_workgroup_size));
    return true;
}

static bool why_tree(const context *c)
{
    const telar_plan *plan = c->plan;
    if (!is_tree(plan) || plan->shape == TELAR_SHAPE_STRIDE) return false;
    uint64_t of_64 = telar_ceil_div(plan->elements, 64 * (uint64_t)plan->items);
    SAY(c, SIZE_TREE, TL_S(plan->workgroup_size), TL_N(plan->steps), TL_N(plan->partials), TL_N(of_64));
    return true;
}

static bool why_halo(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->asked.halo == 0 || (plan->kind != TELAR_KIND_IMAGE && plan->kind != TELAR_KIND_TILE)) return false;
    uint64_t own = telar_plan_group_elements(plan);
    uint64_t read = 1;
    for (uint32_t axis = 0; axis < plan->dimensions; axis++) {
        uint64_t side = (uint64_t)plan->workgroup_size[axis] * (axis == 0 ? plan->items : 1);
        read *= side + 2 * (uint64_t)plan->asked.halo;
    }
    SAY(c, SIZE_HALO, TL_N(plan->asked.halo), TL_S(plan->workgroup_size), TL_N(read), TL_N(own));
    return true;
}

static bool why_clamped(const context *c)
{
    uint64_t wanted;
    const telar_limits *limits = &c->facts->limits;
    if (c->plan->asked.size[0] != 0 || !tl_lesson_clamped(&c->plan->asked, c->facts, &wanted)) return false;
    SAY(c, SIZE_CLAMPED, TL_N(wanted), TL_N(limits->maxComputeInvocationsPerWorkgroup),
        TL_N(limits->maxComputeWorkgroupSizeX), TL_N(limits->maxComputeWorkgroupSizeY),
        TL_N(limits->maxComputeWorkgroupSizeZ), TL_S(c->plan->workgroup_size));
    return true;
}

static bool why_items(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->items == 1 || plan->dimensions > 1 || plan->shape == TELAR_SHAPE_STRIDE) return false;
    SAY(c, ITEMS_WHY, TL_N(plan->items), TL_N(plan->groups), TL_N(telar_ceil_div(plan->elements, invocations_of(c))));
    return true;
}

/* The worst width that is known of the device, or that some device has. */
static bool why_lanes(const context *c)
{
    const telar_lanes *worst = &c->plan->lanes[0];
    for (uint32_t k = 0; k < c->plan->lanes_count; k++) {
        if (c->plan->lanes[k].efficiency < worst->efficiency) worst = &c->plan->lanes[k];
    }
    if (c->plan->lanes_count == 0) return false;
    if (worst->efficiency >= 1) {
        double largest = c->facts->values[TELAR_FACT_SUBGROUP_MAX].value;
        if (largest > 0) SAY(c, LANES_FULL, TL_N(invocations_of(c)), TL_N((uint64_t)largest));
        return largest > 0;
    }
    SAY(c, LANES_LOST, TL_N(worst->width), TL_N(invocations_of(c)), TL_N(worst->reserved),
        TL_R(worst->efficiency * 100));
    return true;
}

static bool why_heavy(const context *c)
{
    if (c->plan->asked.registers_per_invocation < 64) return false;
    SAY(c, HEAVY, TL_N(c->plan->asked.registers_per_invocation));
    return true;
}

static bool why_ceiling(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->shape == TELAR_SHAPE_STRIDE) return false;
    uint64_t idle = plan->idle_invocations - plan->idle_groups * invocations_of(c);
    uint64_t covered = telar_plan_group_elements(plan);
    bool exact = plan->elements == plan->groups * covered;
    if (exact) {
        SAY(c, CEILING_EXACT, TL_ITEMS(plan->elements), TL_GROUPS(plan->groups), TL_N(covered));
    } else if (idle == 0) {
        SAY(c, CEILING_PARTLY, TL_ITEMS(plan->elements), TL_N(covered), TL_N(plan->groups));
    } else {
        SAY(c, CEILING, TL_ITEMS(plan->elements), TL_N(covered), TL_N(plan->groups), TL_N(idle));
    }
    return true;
}

static bool why_fold(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->shape != TELAR_SHAPE_FOLD) return false;
    telar_window first = telar_plan_window(plan, 0);
    uint64_t rows = (uint64_t)plan->dispatch[1] * plan->dispatch[2];
    uint64_t idle = window_launched(plan) - first.groups;
    if (first.groups > plan->groups_limit || plan->asked.shape != TELAR_SHAPE_FOLD) {
        SAY(c, FOLDED, TL_N(first.groups), TL_N(plan->groups_limit), TL_N(rows), TL_N(plan->row_groups), TL_N(idle));
    } else {
        SAY(c, FOLDED_ASKED, TL_N(first.groups), TL_N(rows), TL_N(plan->row_groups), TL_N(idle));
    }
    return true;
}

static bool why_fold_width(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->shape != TELAR_SHAPE_FOLD || plan->asked.fold_width == 0) return false;
    uint64_t needed = telar_plan_window(plan, 0).groups;
    uint32_t best[3];
    if (!telar_fold(needed, plan->groups_limit, best)) return false;
    SAY(c, FOLD_FIXED, TL_N(plan->asked.fold_width), TL_N(window_launched(plan) - needed),
        TL_N((uint64_t)best[0] * best[1] * best[2] - needed));
    return true;
}

static bool why_stride(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->shape != TELAR_SHAPE_STRIDE) return false;
    uint64_t round = telar_plan_group_elements(plan) * plan->dispatch[0];
    SAY(c, STRIDE, TL_N(plan->dispatch[0]), TL_N(telar_ceil_div(plan->window_elements, round)));
    return true;
}

static bool why_windows(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->window_count <= 1) return false;
    uint32_t each = plan->asked.binding_bytes_per_element;
    uint64_t bytes = telar_usable_binding_bytes(c->facts, each);
    if (each != 0 && bytes / each < TELAR_WINDOW_ELEMENTS_MAX) {
        SAY(c, WINDOWS_BINDING, TL_N(plan->window_count), TL_N(plan->window_elements), TL_N(bytes));
    } else {
        SAY(c, WINDOWS_INDEX, TL_N(plan->window_count), TL_N(plan->window_elements));
    }
    return true;
}

static bool why_units(const context *c)
{
    uint64_t units = units_of(c);
    if (units == 0) return false;
    if (c->plan->idle_units > 0) {
        SAY(c, UNITS_IDLE, TL_GROUPS(c->plan->groups), TL_N(units), TL_N(c->plan->idle_units));
    } else {
        SAY(c, UNITS_BUSY, TL_GROUPS(c->plan->groups), TL_N(units));
    }
    return true;
}

static tl_sentence resident_word(telar_limited_by limited_by)
{
    switch (limited_by) {
    case TELAR_LIMITED_BY_RESIDENT_GROUPS: return TL_SAY_BY_GROUPS;
    case TELAR_LIMITED_BY_WORKGROUP_MEMORY: return TL_SAY_BY_MEMORY;
    case TELAR_LIMITED_BY_REGISTERS: return TL_SAY_BY_REGISTERS;
    default: return TL_SAY_BY_INVOCATIONS;
    }
}

static bool why_resident(const context *c)
{
    const telar_plan *plan = c->plan;
    if (plan->resident_groups == 0) return false;
    tl_sentence by = resident_word(plan->resident_limited_by);
    if (plan->waves == 0) {
        SAY(c, RESIDENT_ONLY, TL_N(plan->resident_groups), TL_SENTENCE(by));
    } else {
        SAY(c, RESIDENT, TL_N(plan->resident_groups), TL_SENTENCE(by), TL_N(plan->waves), TL_N(plan->last_wave_groups));
    }
    return true;
}

static bool why_time(const context *c)
{
    if (!c->model.usable) return false;
    if (!c->model.measured) {
        SAY(c, TABLE, TL_SENTENCE(type_word(c)));
        return true;
    }
    tl_cost cost = tl_plan_cost(c->plan, c->facts, &c->model);
    if (c->model.serial) {
        SAY(c, PREDICTED_SERIAL, TL_R(cost.total), TL_R(cost.overhead), TL_R(cost.launch), TL_R(cost.latency),
            TL_R(cost.arithmetic));
        return true;
    }
    SAY(c, PREDICTED, TL_R(cost.total), TL_R(cost.overhead), TL_R(cost.launch), TL_R(cost.latency), TL_R(cost.band));
    return true;
}

static bool why_arithmetic(const context *c)
{
    if (!c->model.measured || c->model.serial || c->model.arithmetic <= 0) return false;
    uint64_t operations = c->plan->elements * c->plan->asked.flops_per_element;
    SAY(c, ARITHMETIC, TL_N(operations), TL_R(c->model.arithmetic));
    return true;
}

static bool why_later(const context *c)
{
    if (!c->model.measured || !is_tree(c->plan)) return false;
    tl_cost cost = tl_plan_cost(c->plan, c->facts, &c->model);
    if (cost.later_dispatches == 0) return false;
    SAY(c, LATER, TL_N(c->plan->partials), TL_N(cost.later_dispatches), TL_R(cost.later));
    return true;
}

static bool (*const reasons[])(const context *) = {
    why_size,  why_tree,     why_halo, why_clamped,    why_items,  why_lanes,
    why_heavy, why_ceiling,  why_fold, why_fold_width, why_stride, why_windows,
    why_units, why_resident, why_time, why_arithmetic, why_later,
};

bool telar_plan_reason(const telar_plan *plan, const telar_facts *facts, telar_language language, size_t index,
                       telar_out *out)
{
    telar_out unheard = {0};
    context c = context_of(plan, facts, language, &unheard);
    if (plan->shape == TELAR_SHAPE_EMPTY) {
        if (index == 0) tl_say(out, language, (tl_said){&tl_sentences[TL_SAY_EMPTY], NULL});
        return index == 0;
    }
    for (size_t k = 0; k < TL_COUNT(reasons); k++) {
        if (!reasons[k](&c)) continue;
        if (index-- > 0) continue;
        c.out = out;
        return reasons[k](&c);
    }
    return false;
}

/* ---- The next step ----------------------------------------------------------------------------------------------- */

/* The same work with size and items left to the model. */
static bool free_choice(const context *c, telar_plan *plan)
{
    telar_plan_desc desc = c->plan->asked;
    for (int axis = 0; axis < 3; axis++) desc.size[axis] = 0;
    desc.items = 0;
    if (telar_plan_make(&desc, c->facts, plan, NULL) != TELAR_OK) return false;
    return !same_size(plan->workgroup_size, c->plan->workgroup_size) || plan->items != c->plan->items;
}

static void next_workgroups(const context *c)
{
    uint64_t limit = c->plan->groups_limit;
    for (uint64_t items = 2; c->plan->dimensions == 1 && items <= 16; items *= 2) {
        uint64_t groups = telar_ceil_div(c->plan->elements, invocations_of(c) * items);
        if (c->plan->items >= items || groups > limit) continue;
        SAY(c, NEXT_WORKGROUPS, TL_N(limit), TL_N(items), TL_N(groups));
        return;
    }
    SAY(c, NEXT_WORKGROUPS_NONE, TL_N(limit));
}

static void next_launch(const context *c)
{
    tl_word groups = TL_N(c->plan->groups);
    tl_word rate = TL_R(telar_facts_assume(c->facts, TELAR_FACT_GROUP_LAUNCH_RATE).value);
    telar_plan other;
    if (!free_choice(c, &other)) {
        SAY(c, NEXT_LAUNCH_NONE, groups, rate);
    } else if (other.predicted_us > 0) {
        SAY(c, NEXT_LAUNCH_TIMED, groups, rate, TL_S(other.workgroup_size), TL_ITEMS(other.items), TL_N(other.groups),
            TL_R(other.predicted_us), TL_R(c->plan->predicted_us));
    } else {
        SAY(c, NEXT_LAUNCH, groups, rate, TL_S(other.workgroup_size), TL_ITEMS(other.items), TL_N(other.groups));
    }
}

static void next_latency(const context *c)
{
    tl_cost cost = tl_plan_cost(c->plan, c->facts, &c->model);
    telar_plan other;
    if (cost.overhead >= cost.latency) {
        SAY(c, NEXT_OVERHEAD, TL_R(telar_facts_assume(c->facts, TELAR_FACT_DISPATCH_OVERHEAD).value));
    } else if (free_choice(c, &other)) {
        SAY(c, NEXT_LATENCY, TL_S(other.workgroup_size), TL_ITEMS(other.items));
    } else {
        SAY(c, NEXT_LATENCY_NONE, TL_N(0));
    }
}

static void next_bandwidth(const context *c)
{
    double bytes = tl_bytes_moved(&c->plan->asked, c->plan->elements);
    bool cached = bytes <= telar_facts_assume(c->facts, TELAR_FACT_CACHE_BYTES).value;
    double rate = telar_facts_assume(c->facts, cached ? TELAR_FACT_CACHE_BANDWIDTH : TELAR_FACT_BANDWIDTH).value;
    SAY(c, NEXT_BANDWIDTH, TL_N((uint64_t)bytes), TL_R(rate / 1e3));
}

static void next_units(const context *c)
{
    uint64_t units = units_of(c);
    uint64_t smallest = c->plan->dimensions == 1 ? 64 : invocations_of(c);
    uint64_t groups = telar_ceil_div(c->plan->elements, smallest);
    if (c->plan->dimensions == 1 && groups > c->plan->groups) {
        SAY(c, NEXT_UNITS, TL_N(c->plan->idle_units), TL_N(units), TL_N(smallest), TL_N(groups));
    } else {
        SAY(c, NEXT_UNITS_NONE, TL_N(c->plan->idle_units), TL_N(units));
    }
}

static void next_memory(const context *c)
{
    uint64_t held = c->plan->resident_groups;
    uint64_t unit = (uint64_t)c->facts->values[TELAR_FACT_UNIT_MEMORY].value;
    uint64_t enough = unit / (held + 1) / 256 * 256;
    SAY(c, NEXT_MEMORY, TL_N(held), TL_N(c->plan->asked.workgroup_memory_bytes), TL_N(enough), TL_N(held + 1));
}

static void next_binding(const context *c)
{
    uint64_t each = c->plan->asked.binding_bytes_per_element;
    SAY(c, NEXT_BINDING, TL_N(telar_usable_binding_bytes(c->facts, (uint32_t)each)), TL_N(c->plan->elements * each));
}

void telar_plan_next_step(const telar_plan *plan, const telar_facts *facts, telar_language language, telar_out *out)
{
    context owned = context_of(plan, facts, language, out);
    const context *c = &owned;
    if (plan->shape == TELAR_SHAPE_EMPTY) {
        tl_say(out, language, (tl_said){&tl_sentences[TL_SAY_NEXT_EMPTY], NULL});
        return;
    }
    switch (plan->limited_by) {
    case TELAR_LIMITED_BY_WORKGROUPS_PER_DIMENSION: next_workgroups(c); break;
    case TELAR_LIMITED_BY_INVOCATIONS_PER_WORKGROUP:
        SAY(c, NEXT_INVOCATIONS, TL_N(facts->limits.maxComputeInvocationsPerWorkgroup));
        break;
    case TELAR_LIMITED_BY_WORKGROUP_MEMORY: next_memory(c); break;
    case TELAR_LIMITED_BY_REGISTERS:
        SAY(c, NEXT_REGISTERS, TL_N(plan->resident_groups), TL_N(plan->asked.registers_per_invocation));
        break;
    case TELAR_LIMITED_BY_BINDING_SIZE: next_binding(c); break;
    case TELAR_LIMITED_BY_INDEX_WIDTH: SAY(c, NEXT_INDEX, TL_N(plan->window_count)); break;
    case TELAR_LIMITED_BY_LAUNCH_RATE: next_launch(c); break;
    case TELAR_LIMITED_BY_LATENCY: next_latency(c); break;
    case TELAR_LIMITED_BY_BANDWIDTH: next_bandwidth(c); break;
    case TELAR_LIMITED_BY_UNITS: next_units(c); break;
    default: tl_say(out, language, (tl_said){&tl_sentences[TL_SAY_NEXT_NOTHING], NULL}); break;
    }
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static void head(const context *c)
{
    static const tl_sentence kinds[] = {TL_SAY_KIND_ELEMENT, TL_SAY_KIND_REDUCE, TL_SAY_KIND_SCAN, TL_SAY_KIND_IMAGE,
                                        TL_SAY_KIND_TILE};
    static const tl_sentence shapes[] = {TL_SAY_SHAPE_EMPTY, TL_SAY_SHAPE_EMPTY, TL_SAY_SHAPE_LINEAR, TL_SAY_SHAPE_FOLD,
                                         TL_SAY_SHAPE_STRIDE};
    const telar_plan *plan = c->plan;
    if (plan->shape == TELAR_SHAPE_EMPTY) {
        SAY(c, HEAD_EMPTY, TL_SENTENCE(kinds[plan->kind]));
        return;
    }
    char dispatch_text[40];
    telar_out dispatch = {.data = dispatch_text, .cap = sizeof dispatch_text};
    tl_out_format(&dispatch, "%u, %u, %u", plan->dispatch[0], plan->dispatch[1], plan->dispatch[2]);
    SAY(c, HEAD, TL_ITEMS(plan->elements), TL_SENTENCE(kinds[plan->kind]), TL_S(plan->workgroup_size),
        TL_ITEMS(plan->items), TL_GROUPS(plan->groups), TL_Z(dispatch_text), TL_SENTENCE(shapes[plan->shape]));
}

void telar_plan_explain(const telar_plan *plan, const telar_facts *facts, telar_language language, telar_out *out)
{
    context c = context_of(plan, facts, language, out);
    head(&c);
    tl_out_text(out, "\n");
    if (plan->shape != TELAR_SHAPE_EMPTY) {
        tl_out_text(out, "  ");
        SAY(&c, LESSON, TL_S(plan->lesson_workgroup_size), TL_GROUPS(plan->lesson_groups));
        tl_out_text(out, "\n");
    }
    for (uint32_t k = 0; k < plan->lanes_count; k++) {
        tl_out_text(out, "  ");
        SAY(&c, LANES, TL_N(plan->lanes[k].width), TL_N(plan->lanes[k].reserved),
            TL_R(plan->lanes[k].efficiency * 100));
        tl_out_text(out, "\n");
    }
    for (size_t k = 0; telar_plan_reason(plan, facts, language, k, &(telar_out){0}); k++) {
        tl_out_text(out, "  - ");
        telar_plan_reason(plan, facts, language, k, out);
        tl_out_text(out, "\n");
    }
    telar_plan_next_step(plan, facts, language, out);
    tl_out_text(out, "\n");
}
