/* SPDX-License-Identifier: MIT
 *
 * The model that ranks candidates. docs/criterion.md has its formulas, where its terms are from and where it fails; the tables
 * it is held against are in test/unit/test_plan_h200.c, test_plan_sweep.c and test_plan_cpu.c.
 *
 * On a GPU the front end starts groups, units wait for memory, memory moves bytes and lanes calculate side by side:
 *
 *     t          = overhead * dispatches + (launch^4 + latency^4 + band^4 + arithmetic^4) ^ (1/4)
 *     launch     = launched groups / launch rate
 *     fills      = invocations with work / (units * resident invocations)
 *     latency    = fills * wave latency + item latency * (items - 1)
 *     band       = bytes / bandwidth * tail,  tail = ceil(launched / units) * units / launched
 *     arithmetic = operations / arithmetic rate * tail
 *
 * Data that fit the last cache move at its bandwidth, and but in trees a wave waits for them as much less as that is faster.
 * Rows of a halo come from the cache.
 *
 * Where a group's invocations wait for each other no unit goes on to its next item, or group, while others wait: then items
 * count again = max(1, fills) times, and steps as often by the groups that are launched. A tile's items cost a wave's latency
 * and two barriers each. A tree, whose kernel is a loop over its elements and then steps with barriers, takes
 *
 *     latency = cached wave / 2 to begin + fills * wave latency + again * item * (items - 1) + again * steps * step
 *     item    = min(loop latency * (1 + 1.5 * min(1, fills)), 0.85 * read)
 *     step    = item latency + barriers * (1/2 + 1/2 * (invocations that the unit holds + invocations of the group / 2) / 384)
 *
 * with a barrier as 256 invocations have it that are alone on a unit: half of it is instructions, and those wait for those of
 * all others there. A read is half a wave, and all that a reduction waits for. Where that has more groups than fill the device, it
 * is launched as those that do, which go on in a stride. In a scan an invocation takes neighbours, so a subgroup's accesses lie
 * apart, and each moves up to a sector.
 *
 * On a CPU adapter a thread does all this in turn, and every access is an instruction:
 *
 *     t       = overhead * dispatches + launch + work + borders + arithmetic
 *     work    = fills * tail * (wave latency + what several items add + further item * (items - 1) + steps * barriers + sharing)
 *     borders = places of groups that are not full, where there are several items, * border
 *
 * with the item's and the wave's times as often as an element has pairs of accesses, and those of words or of vectors by what it
 * accesses. A reduction of more groups than threads is launched as a group a thread, whose steps and sharing are all there are.
 * A tree reads its elements in two loops: there a word takes a turn of the inner one, a scan's twice and half of what a further
 * item takes, for what it writes; and a tile a turn of the outer one. */
#include "plan/plan.h"

#define PARTIAL_BYTES 8
#define WORD_BYTES 4.0
#define VECTOR_WORDS 4.0     /* of the vectors that are measured */
#define ELEMENT_ACCESSES 2.0 /* of the element that the latencies are measured with: a word read, a word written */
#define BARRIER_INVOCATIONS 256.0
/* Shares that hold for naga's kernels and Tint's on an H200 (2026-11-30, all trees of bench/results/h200-sweep.md): */
#define ISSUE_PART 0.5  /* of a barrier of 256 alone: instructions, which wait for those of all that the unit holds */
#define OWN_PART 0.5    /* of a group's own instructions: what no other group's hide */
#define ITEM_LOAD 1.5   /* of an item of a loop: what it waits longer on a full device ... */
#define ITEM_MOST 0.85  /* ... at most so much of a read as all invocations wait for it at once */
#define SHARED_FEW 32.0 /* invocations of the groups whose sharing was measured */
#define SHARED_MANY 256.0
#define TIE_LEAST 0.015 /* the model is no truer than that */
#define TIE_MOST                                                                                                       \
    0.05 /* where equal things differ by more, the measurement is to be repeated, not the plan to be coarser */
/* Of a CPU adapter's elements: what several of them an invocation gain, a cache that others use too can take back. On SwiftShader
 * vectors by eights are 7 % faster than one by one where the machine is quiet, and 40 to 80 % slower where it is not. */
#define TIE_SERIAL 0.1
/* Of its trees, where one group can do all: alone it takes less than beside others, and no further dispatch wakes all threads (Dawn
 * on SwiftShader, 1000 elements, 2026-11-30: 163 us where 295 are predicted; two dispatches 211 to 236 where 265 are). */
#define TIE_ALONE 0.25
#define LEVELS_MAX 8

static bool timed(const telar_facts *facts, telar_fact_name name)
{
    return facts->values[name].source > TELAR_SOURCE_TABLE;
}

/* A measured device that does not show a thing has none to speak of; a prediction takes no other device's. */
static double part(const telar_facts *facts, bool measured, telar_fact_name name)
{
    return measured && !timed(facts, name) ? 0 : telar_facts_assume(facts, name).value;
}

static double halo_of(const telar_plan_desc *desc)
{
    return desc->kind == TELAR_KIND_IMAGE ? desc->halo : 0;
}

/* ---- Side by side: GPUs ------------------------------------------------------------------------------------------ */

/* A kernel with a tree goes over its elements in a loop, in which a compiler may or may not have several loads in flight. */
static void make_tree(const telar_plan_desc *desc, const telar_facts *facts, tl_model *model)
{
    double loop = part(facts, model->measured, TELAR_FACT_LOOP_LATENCY);
    double barrier = part(facts, model->measured, TELAR_FACT_BARRIER) * (model->added ? 2 : 1);
    if (desc->kind == TELAR_KIND_REDUCE) model->wave /= 2; /* it reads, and writes next to nothing */
    model->begin = model->near / 2;
    model->item_most = ITEM_MOST * model->wave / (model->added ? 2 : 1);
    model->item_load = ITEM_LOAD;
    model->step = model->item + barrier * (1 - ISSUE_PART);
    if (loop > 0) model->item = loop;
    model->step_issue = barrier * ISSUE_PART / ((1 + OWN_PART) * BARRIER_INVOCATIONS);
}

static void make_parallel(const telar_plan_desc *desc, const telar_facts *facts, double bytes, tl_model *model)
{
    double memory = telar_facts_assume(facts, TELAR_FACT_BANDWIDTH).value, bandwidth = memory;
    double cache_bandwidth = part(facts, model->measured, TELAR_FACT_CACHE_BANDWIDTH);
    double cache_bytes = part(facts, model->measured, TELAR_FACT_CACHE_BYTES);
    double barrier = part(facts, model->measured, TELAR_FACT_BARRIER);
    double halo = halo_of(desc);
    if (cache_bandwidth < bandwidth) cache_bandwidth = bandwidth;
    model->near = model->wave * bandwidth / cache_bandwidth;
    if (bytes <= cache_bytes) {
        if (!model->tree) model->wave = model->near;
        bandwidth = cache_bandwidth;
    }
    model->band = bytes / bandwidth + bytes / 2 * 2 * halo / cache_bandwidth;
    model->partial = model->tree ? PARTIAL_BYTES / bandwidth : 0;
    model->neighbour = model->added ? model->elements * WORD_BYTES / memory : 0;
    if (model->tree) make_tree(desc, facts, model);
    model->item *= 1 + 2 * halo;
    if (desc->kind != TELAR_KIND_TILE) return;
    model->group = model->item + 3 * barrier;
    model->item = model->item_most = model->wave + 2 * barrier;
}

/* ---- One after the other: CPU adapters ---------------------------------------------------------------------------- */

/* What a fact of words comes to for elements of `words` words, a vector being one access: between the measured times of one and
 * of four words; where vectors were not measured, of twice that (lavapipe and SwiftShader, elements of 16 bytes beside those of
 * 4: 1.75 and 1.93 times as long; bench/results/cpu-element.md). */
static double by_words(const telar_facts *facts, bool measured, telar_fact_name name, telar_fact_name of_vector,
                       double words)
{
    double one = part(facts, measured, name);
    double four = timed(facts, TELAR_FACT_WAVE_VECTOR) ? part(facts, measured, of_vector) : 2 * one;
    return one + (four - one) * (words - 1) / (VECTOR_WORDS - 1);
}

/* A tree's kernel goes over its elements in loops, be it one. It reads there as often as it has accesses: a scan, which reads and
 * writes, reads twice. */
static void make_loops(const telar_facts *facts, double accesses, tl_model *model)
{
    double loop = part(facts, model->measured, TELAR_FACT_WAVE_LOOP);
    double turn = part(facts, model->measured, TELAR_FACT_WAVE_TURN);
    double item = model->item;
    if (loop > 0) item = accesses * loop + (model->added ? item / ELEMENT_ACCESSES : 0);
    else turn = model->several;
    model->wave = turn + item;
    model->item = item;
    model->several = 0;
}

static void make_serial(const telar_plan_desc *desc, const telar_facts *facts, tl_model *model)
{
    double bytes = desc->bytes_per_element == 0 ? 8 : desc->bytes_per_element;
    double stride = desc->binding_bytes_per_element == 0 ? WORD_BYTES : desc->binding_bytes_per_element;
    double words = stride > WORD_BYTES ? stride / WORD_BYTES : 1;
    double side = 1 + 2 * halo_of(desc);
    double pairs = (bytes < stride ? 1 : bytes / stride) / ELEMENT_ACCESSES * (side * side + 1) / 2;
    /* Of 256 invocations on one thread; of all threads' residents it is as much more as those are. */
    double barrier = part(facts, model->measured, TELAR_FACT_BARRIER) * model->resident / BARRIER_INVOCATIONS;
    bool measured = model->measured;
    model->wave = pairs * by_words(facts, measured, TELAR_FACT_WAVE_LATENCY, TELAR_FACT_WAVE_VECTOR, words);
    model->several = pairs * by_words(facts, measured, TELAR_FACT_WAVE_SEVERAL, TELAR_FACT_WAVE_VECTOR_SEVERAL, words);
    model->item = pairs * by_words(facts, measured, TELAR_FACT_WAVE_ITEM, TELAR_FACT_WAVE_VECTOR_ITEM, words);
    model->border = pairs * by_words(facts, measured, TELAR_FACT_WAVE_BORDER, TELAR_FACT_WAVE_VECTOR_BORDER, words);
    /* What further elements spare, a neighbourhood has already: 3x3 in fours and eights takes half as long again as one by one,
     * on SwiftShader by both libraries. */
    if (side > 1 && model->item < model->wave) model->item = model->wave;
    model->step = (model->added ? 2 : 1) * barrier;
    if (model->grouped) {
        model->shared_few = part(facts, measured, TELAR_FACT_SHARED_GROUP_OF_32);
        model->shared_many = part(facts, measured, TELAR_FACT_SHARED_GROUP_OF_256);
    }
    if (model->tree) make_loops(facts, ELEMENT_ACCESSES * pairs, model);
    if (desc->kind != TELAR_KIND_TILE) return;
    model->group = 2 * barrier;
    model->item += 2 * barrier;
}

tl_model tl_model_make(const telar_plan_desc *desc, const telar_facts *facts, uint64_t elements)
{
    bool measured = timed(facts, TELAR_FACT_BANDWIDTH) && timed(facts, TELAR_FACT_GROUP_LAUNCH_RATE) &&
                    timed(facts, TELAR_FACT_DISPATCH_OVERHEAD) && timed(facts, TELAR_FACT_WAVE_LATENCY);
    bool known = telar_facts_know(facts, TELAR_FACT_BANDWIDTH) && telar_facts_know(facts, TELAR_FACT_GROUP_LAUNCH_RATE);
    tl_model model = {.usable = known || facts->type != TELAR_DEVICE_UNKNOWN, .measured = measured};
    if (!model.usable) return model;
    double bytes = tl_bytes_moved(desc, elements);
    double repeat = facts->values[TELAR_FACT_REPEAT_SPREAD].value;
    model.serial = facts->type == TELAR_DEVICE_CPU;
    model.added = desc->kind == TELAR_KIND_SCAN;
    model.tree = model.added || desc->kind == TELAR_KIND_REDUCE;
    model.strides = desc->shape == TELAR_SHAPE_AUTO && tl_may_stride(desc, facts);
    model.grouped = model.tree || desc->kind == TELAR_KIND_TILE;
    model.elements = (double)elements;
    double apart = repeat < TIE_LEAST ? TIE_LEAST : repeat > TIE_MOST ? TIE_MOST : repeat;
    model.per_unit = 1 / telar_facts_assume(facts, TELAR_FACT_COMPUTE_UNITS).value;
    model.resident = telar_facts_assume(facts, TELAR_FACT_RESIDENT_INVOCATIONS).value;
    model.overhead = telar_facts_assume(facts, TELAR_FACT_DISPATCH_OVERHEAD).value;
    model.tie = 1 + (!model.serial ? TIE_LEAST : model.tree ? TIE_ALONE : TIE_SERIAL);
    model.tie_us = model.serial && model.tree ? 0 : apart * model.overhead;
    model.launch = 1 / telar_facts_assume(facts, TELAR_FACT_GROUP_LAUNCH_RATE).value;
    model.item = part(facts, measured, TELAR_FACT_ITEM_LATENCY);
    model.wave = telar_facts_assume(facts, TELAR_FACT_WAVE_LATENCY).value;
    double rate = part(facts, measured, TELAR_FACT_ARITHMETIC_RATE);
    model.arithmetic = rate > 0 ? model.elements * desc->flops_per_element / rate : 0;
    if (model.serial) make_serial(desc, facts, &model);
    else make_parallel(desc, facts, bytes, &model);
    return model;
}

/* A unit has at least the workgroup memory that one group may take. 0: nothing known bounds them. */
static double held_groups(const telar_plan_desc *desc, const telar_facts *facts, uint64_t invocations)
{
    telar_limited_by limited_by;
    bool asked = desc->workgroup_memory_bytes != 0 || desc->registers_per_invocation != 0;
    if (!asked && !telar_facts_know(facts, TELAR_FACT_RESIDENT_GROUPS)) return 0;
    double held = tl_resident_groups(desc, facts, invocations, &limited_by);
    if (desc->workgroup_memory_bytes == 0 || telar_facts_know(facts, TELAR_FACT_UNIT_MEMORY)) return held;
    uint64_t fit = facts->limits.maxComputeWorkgroupStorageSize / desc->workgroup_memory_bytes;
    return held == 0 || (double)fit < held ? (double)fit : held;
}

/* What a group pays for sharing memory, in parts of a full device: a thread's residents are that of all threads. Along the line
 * through the two sizes that were measured. */
static double sharing_of(const tl_model *model, double invocations)
{
    double further = (model->shared_many - model->shared_few) / (SHARED_MANY - SHARED_FEW);
    double us = model->shared_few + further * (invocations - SHARED_FEW);
    return us > 0 ? us * model->resident / invocations : 0;
}

tl_model_size tl_model_size_make(const tl_model *model, const telar_plan_desc *desc, const telar_facts *facts,
                                 uint64_t invocations)
{
    double resident = model->resident, group = (double)invocations;
    if (!model->serial) {
        double held = held_groups(desc, facts, invocations) * group;
        if (held > 0 && held < resident) resident = held;
    }
    double steps = model->tree ? tl_tree_steps(invocations) : 0;
    return (tl_model_size){.invocations = group,
                           .resident = resident,
                           .fill = group * model->per_unit / resident,
                           .steps = model->group + (model->step + model->step_issue * OWN_PART * group) * steps +
                                    sharing_of(model, group),
                           .issue = model->step_issue * steps};
}

/* On the way back a scan adds to every level, to the first one all elements once more; an item waits for the one before it to
 * be written. */
static void add_back(const tl_model *model, const tl_model_size *size, double first, double items, tl_cost *cost)
{
    uint32_t levels = cost->later_dispatches;
    double fills = first * size->fill;
    tl_cost add = {.launch = first * model->launch, .latency = fills * model->wave, .band = model->band};
    cost->later += model->overhead * levels;
    cost->later_dispatches *= 2;
    if (model->serial) {
        cost->later += cost->launch + cost->latency;
        return;
    }
    add.latency += (fills < 1 ? 1 : fills) * model->wave * (items - 1);
    cost->later += tl_model_together(model, &add) + (levels - 1) * model->near * (items - 1);
}

/* A level has few bytes: what it takes is its groups' latency and what lies apart, one thing after the other. The elements of a
 * reduction lie a group apart, so that the last items of a loop have none. */
static double level_us(const tl_model *model, const tl_model_size *size, double partials, double groups, double items)
{
    if (model->serial || model->added) {
        tl_cost level = tl_model_terms(model, size, groups, 0, groups, items, partials / model->elements);
        return level.launch + level.latency + level.band;
    }
    double each = partials / (groups * size->invocations);
    if (each > items) each = items;
    return groups * model->launch + tl_model_waiting(model, size, groups, groups, each < 1 ? 1 : each);
}

void tl_model_later(const tl_model *model, const tl_model_size *size, double partials, double items, tl_cost *cost)
{
    if (!model->tree || partials <= 1) return;
    double share = 1 / (size->invocations * items);
    double first = partials;
    for (uint32_t k = 0; partials > 1 && k < LEVELS_MAX; k++) {
        double groups = tl_round_up(partials * share);
        cost->later += model->overhead + level_us(model, size, partials, groups, items);
        cost->later_dispatches++;
        partials = groups;
    }
    if (model->added) add_back(model, size, first, items, cost);
}

/* Groups at the border of the first axis that have less than all of their elements. */
static double partial_groups(const telar_plan *plan)
{
    uint64_t size = plan->dimensions == 1 ? tl_invocations(plan->workgroup_size) : plan->workgroup_size[0];
    double groups = plan->count[0] % (size * plan->items) != 0;
    for (uint32_t axis = 1; axis < plan->dimensions; axis++) {
        groups *= tl_round_up((double)plan->count[axis] / plan->workgroup_size[axis]);
    }
    return groups;
}

tl_cost tl_plan_cost(const telar_plan *plan, const telar_facts *facts, const tl_model *model)
{
    tl_model_size size = tl_model_size_make(model, &plan->asked, facts, tl_invocations(plan->workgroup_size));
    double launched = (double)plan->groups;
    double groups = launched;
    /* A stride launch starts fewer groups, which do the same work in rounds. */
    if (plan->shape == TELAR_SHAPE_STRIDE) {
        double all = (double)plan->elements / (size.invocations * plan->items);
        if (all > groups) groups = all;
    }
    tl_cost cost = tl_model_terms(model, &size, groups, partial_groups(plan), launched, plan->items, 1);
    cost.overhead = model->overhead * (double)plan->window_count;
    cost.total = cost.overhead + tl_model_together(model, &cost);
    tl_model_later(model, &size, launched, plan->items, &cost);
    return cost;
}
