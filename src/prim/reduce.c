/* SPDX-License-Identifier: MIT
 *
 * reduce: workgroups stride over the elements; then their totals are combined, by one of them or by a dispatch more. */
#include "prim/reduce.h"
#include "prim/prim.h"

enum {
    ALONE_TILES_MAX = 4, /* that one workgroup reads in less time than a second dispatch takes */
    ARRIVALS_WORDS = 32  /* before the halves in kernels/reduce_to_last.wgsl */
};

typedef struct reduction {
    tl_job job;
    const telar_reduce_desc *desc;
    tl_reduce_tuning tuning;
    tl_view in, out;
    uint32_t tile;   /* elements */
    uint32_t tiling; /* of the tiles */
    uint32_t alone;  /* the tiling of one workgroup */
    uint64_t groups; /* that have a total */
} reduction;

static tl_reduce_tuning tuning_of(const telar_prim *prim, tl_reduce_tuning wanted)
{
    const telar_fact *units = &prim->facts->values[TELAR_FACT_COMPUTE_UNITS];
    tl_reduce_tuning tuning = wanted;
    if (tuning.size == 0) tuning.size = 256;
    tuning.size = tl_device_workgroup_size(prim->facts, tuning.size);
    if (tuning.rows == 0) tuning.rows = 4;
    if (tuning.groups == 0) tuning.groups = units->source == TELAR_SOURCE_NONE ? 1024 : 8 * (uint32_t)units->value;
    return tuning;
}

static void choose_end(reduction *r)
{
    tl_reduce_end *end = &r->tuning.end;
    bool short_enough = r->job.length.count <= (uint64_t)ALONE_TILES_MAX * r->tile;
    if (*end == TL_REDUCE_END_CHOSEN) *end = short_enough ? TL_REDUCE_END_ALONE : TL_REDUCE_END_PARTIALS;
    /* No workgroup runs for a count of 0 that the GPU made, and those of several windows never meet. */
    if (*end == TL_REDUCE_END_LAST && (r->job.counted || tl_job_windows(&r->job) > 1 || r->job.length.count == 0)) {
        *end = TL_REDUCE_END_PARTIALS;
    }
}

/* A multiple of what the last workgroup looks at in one turn. */
static uint32_t last_groups(const reduction *r)
{
    uint32_t turn = 4 * r->tuning.size;
    return (uint32_t)telar_ceil_div(r->groups, turn) * turn;
}

static void print_shape(const reduction *r, tl_text *text)
{
    tl_text_u32(text, "WORKGROUP_SIZE", r->tuning.size);
    tl_text_u32(text, "SUBGROUPS", r->tuning.size / r->job.lanes);
}

static tl_kernel tiles_kernel(reduction *r)
{
    tl_reduce_end end = r->tuning.end;
    tl_text text = tl_text_begin(&r->job, end == TL_REDUCE_END_ALONE ? r->alone : r->tiling, "reduce_tiles");
    print_shape(r, &text);
    tl_text_u32(&text, "ROWS", r->tuning.rows);
    tl_text_type(&text, &r->in.type);
    tl_text_operator(&text, &r->in.type, r->desc->op);
    tl_text_add(&text, "fn transform(x: T) -> A { return x; }\n");
    tl_text_view(&text, "source", 0, &r->in, false);
    tl_text_add(&text, tl_wgsl_workgroup_total);
    if (end == TL_REDUCE_END_PARTIALS) {
        tl_text_add(&text, tl_wgsl_reduce_to_partials);
    } else {
        tl_text_view(&text, "result", 1, &r->out, true);
    }
    if (end == TL_REDUCE_END_ALONE) tl_text_add(&text, tl_wgsl_reduce_to_result);
    if (end == TL_REDUCE_END_LAST) {
        tl_text_u32(&text, "GROUPS", last_groups(r));
        tl_text_u32(&text, "WORDS", 1);
        tl_text_add(&text, "fn words_of(a: A) -> array<u32, 1> { return array<u32, 1>(bitcast<u32>(a)); }\n"
                           "fn of_words(words: array<u32, 1>) -> A { return bitcast<A>(words[0]); }\n");
        tl_text_add(&text, tl_wgsl_reduce_to_last);
    }
    tl_text_add(&text, tl_wgsl_reduce_tiles);
    return tl_text_end(&text);
}

static tl_kernel partials_kernel(reduction *r)
{
    tl_text text = tl_text_begin(&r->job, r->alone, "reduce_partials");
    uint32_t groups = (uint32_t)r->groups;
    print_shape(r, &text);
    tl_text_type(&text, &r->out.type);
    tl_text_operator(&text, &r->out.type, r->desc->op);
    if (r->job.counted) {
        tl_text_format(
            &text, "fn partials_of(count: u32) -> u32 { return min(count / %uu + u32(count %% %uu != 0u), %uu); }\n",
            r->tile, r->tile, groups);
    } else {
        tl_text_format(&text, "fn partials_of(count: u32) -> u32 { return %uu; }\n", groups);
    }
    tl_text_view(&text, "result", 0, &r->out, true);
    tl_text_add(&text, tl_wgsl_workgroup_total);
    tl_text_add(&text, tl_wgsl_reduce_partials);
    return tl_text_end(&text);
}

static void launch(reduction *r)
{
    tl_job *job = &r->job;
    tl_kernel tiles = tiles_kernel(r);
    if (r->tuning.end == TL_REDUCE_END_ALONE) {
        tl_job_launch(job, &tiles, (tl_stage_bind[]){r->in.bind, r->out.bind}, 2);
    } else if (r->tuning.end == TL_REDUCE_END_LAST) {
        telar_buffer arrivals = tl_job_kept(job, "arrivals", 4 * (ARRIVALS_WORDS + 2 * (uint64_t)last_groups(r)));
        tl_job_launch(job, &tiles, (tl_stage_bind[]){r->in.bind, r->out.bind, tl_bind_whole(arrivals)}, 3);
    } else {
        tl_kernel partials = partials_kernel(r);
        telar_buffer totals = tl_job_scratch(job, "partials", r->groups * r->out.type.stride);
        tl_job_launch(job, &tiles, (tl_stage_bind[]){r->in.bind, tl_bind_whole(totals)}, 2);
        tl_job_launch(job, &partials, (tl_stage_bind[]){r->out.bind, tl_bind_whole(totals)}, 2);
    }
}

void tl_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc,
                      tl_reduce_tuning tuning)
{
    reduction r = {.job = tl_job_begin(record, prim, "reduce", desc->length), .desc = desc};
    tl_type_facts type = tl_job_type(&r.job, desc->type);
    r.in = tl_job_view(&r.job, "in", &type, desc->in, desc->length.count);
    r.out = tl_job_view_whole(&r.job, "out", &type, desc->out, 1);
    r.tuning = tuning_of(prim, tuning);
    r.tile = r.tuning.size * r.tuning.rows * type.row;
    r.tiling = tl_job_tiling(&r.job, (tl_tiling){.elements = r.tile, .groups_max = r.tuning.groups});
    r.alone = tl_job_tiling(&r.job, (tl_tiling){0});
    tl_job_prepare(&r.job);
    r.groups = tl_job_groups(&r.job, r.tiling);
    choose_end(&r);
    launch(&r);
    tl_job_end(&r.job);
}

void telar_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc)
{
    tl_record_reduce(record, prim, desc, (tl_reduce_tuning){0});
}
