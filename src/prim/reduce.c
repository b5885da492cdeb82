/* SPDX-License-Identifier: MIT
 *
 * reduce: workgroups stride over the elements, one of them combines what they found. Two dispatches. */
#include "prim/prim.h"

enum {
    ROWS = 4,
    GROUPS_MAX = 1024
};

static tl_kernel tiles_kernel(tl_job *job, uint32_t tiling, const tl_view *in, telar_operator op, uint32_t size)
{
    tl_text text = tl_text_begin(job, tiling, "reduce_tiles");
    tl_text_u32(&text, "WORKGROUP_SIZE", size);
    tl_text_u32(&text, "SUBGROUPS", size / job->lanes);
    tl_text_u32(&text, "ROWS", ROWS);
    tl_text_type(&text, &in->type);
    tl_text_operator(&text, &in->type, op);
    tl_text_add(&text, "fn transform(x: T) -> A { return x; }\n");
    tl_text_view(&text, "source", 0, in, false);
    tl_text_add(&text, tl_wgsl_workgroup_total);
    tl_text_add(&text, tl_wgsl_reduce_tiles);
    return tl_text_end(&text);
}

static tl_kernel partials_kernel(tl_job *job, uint32_t tiling, const tl_view *out, telar_operator op, uint32_t size,
                                 uint32_t tile, uint64_t partials)
{
    tl_text text = tl_text_begin(job, tiling, "reduce_partials");
    tl_text_u32(&text, "WORKGROUP_SIZE", size);
    tl_text_u32(&text, "SUBGROUPS", size / job->lanes);
    tl_text_type(&text, &out->type);
    tl_text_operator(&text, &out->type, op);
    if (job->counted) {
        tl_text_format(
            &text, "fn partials_of(count: u32) -> u32 { return min(count / %uu + u32(count %% %uu != 0u), %uu); }\n",
            tile, tile, (uint32_t)partials);
    } else {
        tl_text_format(&text, "fn partials_of(count: u32) -> u32 { return %uu; }\n", (uint32_t)partials);
    }
    tl_text_view(&text, "result", 0, out, true);
    tl_text_add(&text, tl_wgsl_workgroup_total);
    tl_text_add(&text, tl_wgsl_reduce_partials);
    return tl_text_end(&text);
}

void telar_record_reduce(telar_record *record, const telar_prim *prim, const telar_reduce_desc *desc)
{
    tl_job job = tl_job_begin(record, prim, "reduce", desc->length);
    tl_type_facts type = tl_job_type(&job, desc->type);
    tl_view in = tl_job_view(&job, "in", &type, desc->in, desc->length.count);
    tl_view out = tl_job_view_whole(&job, "out", &type, desc->out, 1);
    uint32_t size = tl_device_workgroup_size(prim->facts, 256);
    uint32_t tile = size * ROWS * type.row;
    uint32_t tiles = tl_job_tiling(&job, (tl_tiling){.elements = tile, .groups_max = GROUPS_MAX});
    uint32_t alone = tl_job_tiling(&job, (tl_tiling){0});
    tl_job_prepare(&job);
    uint64_t groups = tl_job_groups(&job, tiles);
    tl_kernel reduce = tiles_kernel(&job, tiles, &in, desc->op, size);
    tl_kernel combine = partials_kernel(&job, alone, &out, desc->op, size, tile, groups);
    telar_buffer partials = tl_job_scratch(&job, "partials", groups * type.stride);
    tl_job_launch(&job, &reduce, (tl_stage_bind[]){in.bind, tl_bind_whole(partials)}, 2);
    tl_job_launch(&job, &combine, (tl_stage_bind[]){out.bind, tl_bind_whole(partials)}, 2);
    tl_job_end(&job);
}
