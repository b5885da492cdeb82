/* SPDX-License-Identifier: MIT
 *
 * unique and run-length encode: the first element of each run of equal ones. */
#include "prim/select_stages.h"

static bool has(telar_array array)
{
    return array.buffer.id != 0;
}

void tl_record_unique_tuned(telar_record *record, const telar_prim *prim, const telar_unique_desc *desc,
                            const tl_select_tuning *tuning)
{
    tl_select s = {.job = tl_job_begin(record, prim, "unique", desc->length),
                   .tuning = *tuning,
                   .rule = TL_SELECT_UNIQUE,
                   .sets = 1,
                   .capacity = desc->capacity == 0 ? desc->length.count : desc->capacity,
                   .wgsl = desc->wgsl,
                   .equal = desc->equal};
    tl_job *job = &s.job;
    s.type = tl_job_type(job, desc->type);
    s.word = tl_job_type(job, (telar_type){0});
    s.in = tl_job_view(job, "in", &s.type, desc->in, desc->length.count);
    s.out = tl_job_view_whole(job, "out", &s.type, desc->out, s.capacity);
    if (has(desc->values) != has(desc->values_out)) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "'values' and 'values_out' go together");
    } else if (has(desc->values)) {
        s.value_type = tl_job_type(job, desc->value_type);
        s.values = tl_job_view(job, "values", &s.value_type, desc->values, desc->length.count);
        s.values_out = tl_job_view_whole(job, "values_out", &s.value_type, desc->values_out, s.capacity);
    }
    s.counts = tl_job_view_whole(job, "count", &s.word, desc->count, 1);
    tl_select_record(&s);
    tl_job_end(job);
}

void telar_record_unique(telar_record *record, const telar_prim *prim, const telar_unique_desc *desc)
{
    tl_record_unique_tuned(record, prim, desc, &(tl_select_tuning){0});
}

/* ---- run-length encode ------------------------------------------------------------------------------------------- */

enum {
    LENGTHS_SIZE = 256,
    LENGTHS_GROUPS_MAX = 1024,
};

static void record_lengths(tl_job *job, uint32_t tiling, uint32_t size, const tl_view *starts, const tl_view *lengths,
                           const tl_view *counts)
{
    tl_text text = tl_text_begin(job, tiling, "run_lengths");
    tl_text_u32(&text, "WORKGROUP_SIZE", size);
    tl_text_u32(&text, "GROUPS", job->counted ? 0 : (uint32_t)tl_job_groups(job, tiling));
    if (job->counted) tl_text_add(&text, "fn elements() -> u32 { return telar_launch.count.x; }\n");
    else tl_text_format(&text, "fn elements() -> u32 { return %uu; }\n", (uint32_t)job->length.count);
    tl_text_view(&text, "counts", 0, counts, false);
    tl_text_view(&text, "starts", 1, starts, false);
    tl_text_view(&text, "lengths", 2, lengths, true);
    tl_text_add(&text, tl_wgsl_run_lengths);
    tl_kernel kernel = tl_text_end(&text);
    tl_job_launch(job, &kernel, (tl_stage_bind[]){counts->bind, starts->bind, lengths->bind}, 3);
}

void telar_record_run_length_encode(telar_record *record, const telar_prim *prim,
                                    const telar_run_length_encode_desc *desc)
{
    uint64_t count = desc->length.count;
    tl_select s = {.job = tl_job_begin(record, prim, "run-length encode", desc->length),
                   .rule = TL_SELECT_UNIQUE,
                   .sets = 1,
                   .capacity = count,
                   .wgsl = desc->wgsl,
                   .equal = desc->equal};
    tl_job *job = &s.job;
    uint32_t size = tl_device_workgroup_size(prim->facts, LENGTHS_SIZE);
    uint32_t tiling = tl_job_tiling(job, (tl_tiling){.elements = size, .groups_max = LENGTHS_GROUPS_MAX});
    telar_array starts = {.buffer = tl_job_scratch(job, "starts", count, 4)};
    s.type = tl_job_type(job, desc->type);
    s.word = tl_job_type(job, (telar_type){0});
    s.in = tl_job_view(job, "in", &s.type, desc->in, count);
    s.out = tl_job_view_whole(job, "out", &s.type, desc->out, count);
    s.indices = tl_job_view_whole(job, "starts", &s.word, starts, count);
    s.counts = tl_job_view_whole(job, "count", &s.word, desc->count, 1);
    tl_view lengths = tl_job_view_whole(job, "lengths", &s.word, desc->lengths, count);
    lengths.rows = false;
    tl_select_record(&s);
    record_lengths(job, tiling, size, &s.indices, &lengths, &s.counts);
    tl_job_end(job);
}
