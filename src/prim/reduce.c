/* SPDX-License-Identifier: MIT
 *
 * reduce: workgroups stride over the elements; then their totals are combined, by one of them or by a dispatch more. */
#include "prim/reduce.h"
#include "prim/accumulator.h"

enum {
    LAST_WORDS_MAX = 8,  /* of a total that is posted */
    CPU_TURNS_MAX = 256, /* so that sums of floats are of few terms */
};

typedef struct reduce {
    tl_job job;
    const telar_reduce_desc *desc;
    tl_reduce_tuning tuning;
    tl_accumulator accumulator;
    tl_view in, out, value;
    bool has_value;
    uint32_t tile;   /* elements that are worth a workgroup: a row an invocation */
    uint32_t tiling; /* of the tiles */
    uint32_t alone;  /* the tiling of one workgroup */
    uint64_t groups; /* that have a total */
} reduce;

/* ---- How --------------------------------------------------------------------------------------------------------- */

/* The first row that fits is taken: of the device, the words of what is combined, and the elements. H200 (132 units),
 * CUB's time / ours at 2^28, 2026-11-30 (bench/results/h200-variants.md): a sum of words 1.009 with 1024x8/8, and
 * between 1.000 and 1.010 with most of 66 shapes and orders of reading, which all are bound by memory; up to 2^24 256x4 is
 * the faster one, by 30 % at 2^20. A place beside the value costs registers: 1.019 with 512x8/1 (1024x8/1 1.010, 256x4
 * 0.982), and 6.5 us at 2^20 (256x4 7.2). On CPU adapters every invocation at a barrier costs as much as many elements: 2^16 u32
 * on two threads, least of rounds, lavapipe and SwiftShader: 730 and 315 us with 16x8 in 8 workgroups, with 64x8 in 32
 * 635 and 2530, in 2 700 and 470. */
static const struct choice {
    bool for_cpu;
    uint32_t words_max;
    uint64_t elements_max;
    uint32_t size, rows, sum_rows;
    uint32_t unit_groups, units; /* units: where they are not known */
    uint32_t alone_rows;         /* of an invocation: read in less time than a second dispatch takes */
} choices[] = {
    {true, UINT32_MAX, UINT64_MAX, 16, 8, 4, 2, 4, 64},
    {false, 1, 1 << 25, 256, 4, 4, 4, 132, 16},
    {false, 1, UINT64_MAX, 1024, 8, 8, 1, 132, 16},
    {false, UINT32_MAX, UINT64_MAX, 512, 8, 1, 2, 132, 16},
};

static const struct choice *choose(const reduce *r)
{
    const struct choice *choice = choices;
    while (choice->for_cpu != tl_device_is_cpu(r->job.prim->facts) || choice->words_max < r->accumulator.words ||
           choice->elements_max < r->job.length.count) {
        choice++;
    }
    return choice;
}

static tl_reduce_tuning tuning_of(const reduce *r, tl_reduce_tuning wanted)
{
    const tl_job *job = &r->job;
    const telar_facts *facts = job->prim->facts;
    const struct choice *choice = choose(r);
    tl_reduce_tuning tuning = wanted;
    if (tuning.size == 0) tuning.size = choice->size;
    if (tuning.size < job->lanes) tuning.size = job->lanes;
    tuning.size = tl_device_workgroup_size(facts, tuning.size);
    if (tuning.rows == 0) tuning.rows = choice->rows;
    if (tuning.sum_rows == 0) tuning.sum_rows = tuning.rows % choice->sum_rows == 0 ? choice->sum_rows : 1;
    if (tuning.groups == 0) {
        tuning.groups = choice->unit_groups * tl_device_units(facts, choice->units);
        /* Workgroups that had to be made smaller are more. */
        tuning.groups *= choice->size / tuning.size > 1 ? choice->size / tuning.size : 1;
        uint64_t turn = (uint64_t)tuning.size * tuning.rows * r->in.type.row;
        while (choice->for_cpu && job->length.count / turn / tuning.groups > CPU_TURNS_MAX) tuning.groups *= 2;
    }
    tuning.groups = tl_device_groups(facts, tuning.groups);
    return tuning;
}

/* The last workgroup of a dispatch can combine all totals: there is one dispatch, and it runs. */
static bool has_last(const reduce *r)
{
    return !r->job.counted && tl_job_windows(&r->job) == 1 && r->job.length.count > 0 &&
           r->accumulator.words <= LAST_WORDS_MAX;
}

static void choose_end(reduce *r)
{
    tl_reduce_end *end = &r->tuning.end;
    if (*end == TL_REDUCE_END_CHOSEN) {
        bool is_short = r->job.length.count <= (uint64_t)choose(r)->alone_rows * r->tile;
        bool waits = tl_device_has_progress(r->job.prim->facts);
        *end = is_short ? TL_REDUCE_END_ALONE : waits ? TL_REDUCE_END_LAST : TL_REDUCE_END_PARTIALS;
    }
    if (*end == TL_REDUCE_END_LAST && !has_last(r)) *end = TL_REDUCE_END_PARTIALS;
}

/* A multiple of what the last workgroup looks at in one turn. */
static uint32_t last_groups(const reduce *r)
{
    uint32_t turn = 4 * r->tuning.size;
    return (uint32_t)telar_ceil_div(r->tuning.groups, turn) * turn;
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

static tl_prim_stage stage_begin(reduce *r, uint32_t tiling, const char *name)
{
    tl_prim_stage made = {.text = tl_text_begin(&r->job, tiling, name)};
    tl_text_u32(&made.text, "WORKGROUP_SIZE", r->tuning.size);
    tl_text_u32(&made.text, "SUBGROUPS", r->tuning.size / r->job.lanes);
    tl_text_accumulator(&made.text, &r->accumulator);
    tl_text_add(&made.text, tl_wgsl_workgroup_total);
    return made;
}

/* fn store(k: u32, a: A): result k. */
static void add_store(reduce *r, tl_prim_stage *to)
{
    tl_stage_view(to, "result", &r->out, true);
    if (r->has_value) tl_stage_view(to, "extreme", &r->value, true);
    tl_text_format(&to->text, "fn store(k: u32, a: A) {\n    result_put(k, lower(a));\n%s}\n",
                   r->has_value ? "    extreme_put(k, arg_value(a.order));\n" : "");
}

/* fn first_element() -> u32, of this window. */
static void add_first_element(reduce *r, tl_prim_stage *to)
{
    uint64_t window = tl_job_window_elements(&r->job);
    uint64_t window_groups = telar_ceil_div(window, r->tile);
    if (window_groups > r->tuning.groups) window_groups = r->tuning.groups;
    tl_text_add(&to->text, "fn first_element() -> u32 { return ");
    if (tl_job_windows(&r->job) == 1) tl_text_add(&to->text, "0u");
    else tl_text_format(&to->text, "group_base() / %uu * %uu", (uint32_t)window_groups, (uint32_t)window);
    tl_text_add(&to->text, "; }\n");
}

static tl_prim_stage tiles_begin(reduce *r, uint32_t tiling)
{
    tl_prim_stage made = stage_begin(r, tiling, "reduce_tiles");
    tl_text_u32(&made.text, "ROWS", r->tuning.rows);
    tl_text_u32(&made.text, "SUM_ROWS", r->tuning.sum_rows);
    tl_stage_view(&made, "source", &r->in, false);
    add_first_element(r, &made);
    return made;
}

static void tiles_end(tl_prim_stage *made, const char *deliver)
{
    tl_text_add(&made->text, deliver);
    tl_text_add(&made->text, tl_wgsl_reduce_tiles);
    tl_stage_launch(made);
}

/* fn partials_of(count: u32) -> u32: the workgroups that had a part of so many elements. The text is the same for every
 * length, so that it is compiled once, except where there are windows. */
static void add_partials_of(reduce *r, tl_prim_stage *to)
{
    tl_text_add(&to->text, "fn partials_of(count: u32) -> u32 { return ");
    if (tl_job_windows(&r->job) > 1) {
        tl_text_format(&to->text, "%uu", (uint32_t)r->groups);
    } else {
        tl_text_format(&to->text, "min(count / %uu + u32(count %% %uu != 0u), %uu)", r->tile, r->tile,
                       r->tuning.groups);
    }
    tl_text_add(&to->text, "; }\n");
}

/* ---- Ways -------------------------------------------------------------------------------------------------------- */

static void reduce_alone(reduce *r)
{
    tl_prim_stage tiles = tiles_begin(r, r->alone);
    add_store(r, &tiles);
    tiles_end(&tiles, tl_wgsl_reduce_to_result);
}

static void reduce_to_last(reduce *r)
{
    uint64_t entries = (uint64_t)r->accumulator.words * last_groups(r);
    tl_prim_stage tiles = tiles_begin(r, r->tiling);
    add_store(r, &tiles);
    tl_text_u32(&tiles.text, "GROUPS", last_groups(r));
    tl_text_words(&tiles.text, &r->accumulator);
    tl_stage_entries(&tiles, entries, r->tuning.waiting);
    tl_text_add(&tiles.text, tl_wgsl_reduce_again);
    tiles_end(&tiles, tl_wgsl_reduce_to_last);
}

static void reduce_to_partials(reduce *r)
{
    telar_buffer partials = tl_job_scratch(&r->job, "partials", r->groups, r->accumulator.held.stride);
    tl_prim_stage tiles = tiles_begin(r, r->tiling);
    tl_stage_number(&tiles, "PARTIALS", partials);
    tiles_end(&tiles, tl_wgsl_reduce_to_partials);
    tl_prim_stage rest = stage_begin(r, r->alone, "reduce_partials");
    add_store(r, &rest);
    tl_stage_number(&rest, "PARTIALS", partials);
    add_partials_of(r, &rest);
    tl_text_add(&rest.text, tl_wgsl_reduce_partials);
    tl_stage_launch(&rest);
}

static void add_arrays(reduce *r)
{
    const telar_reduce_desc *desc = r->desc;
    tl_type_facts type = tl_job_type(&r->job, desc->type);
    r->accumulator = tl_accumulator_of(&r->job, &type, &desc->reduction);
    r->in = tl_job_view(&r->job, "in", &type, desc->in, desc->length.count);
    r->out = tl_job_view_whole(&r->job, "out", &r->accumulator.result, desc->out, 1);
    tl_job_keep_apart(&r->job, "out", &r->out, "in", &r->in);
    r->has_value = desc->value.buffer.id != 0;
    if (!r->has_value) return;
    if (!tl_accumulator_has_value(&r->accumulator)) {
        tl_job_fail(&r->job, TELAR_INVALID_ARGUMENT, "'value' is for ARG_MIN and ARG_MAX");
    }
    r->value = tl_job_view_whole(&r->job, "value", &r->accumulator.value, desc->value, 1);
    tl_job_keep_apart(&r->job, "value", &r->value, "in", &r->in);
}

void tl_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc,
                      tl_reduce_tuning tuning)
{
    reduce r = {.job = tl_job_begin(record, prim, "reduce", desc->length), .desc = desc};
    add_arrays(&r);
    r.tuning = tuning_of(&r, tuning);
    r.tile = r.tuning.size * r.in.type.row;
    r.tiling = tl_job_tiling(&r.job, (tl_tiling){.elements = r.tile, .groups_max = r.tuning.groups});
    r.alone = tl_job_tiling(&r.job, (tl_tiling){0});
    tl_job_prepare(&r.job);
    r.groups = tl_job_groups(&r.job, r.tiling);
    choose_end(&r);
    if (r.tuning.end == TL_REDUCE_END_ALONE) reduce_alone(&r);
    else if (r.tuning.end == TL_REDUCE_END_LAST) reduce_to_last(&r);
    else reduce_to_partials(&r);
    tl_job_end(&r.job);
}

void telar_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc)
{
    tl_record_reduce(record, prim, desc, (tl_reduce_tuning){0});
}
