/* SPDX-License-Identifier: MIT
 *
 * select: what the caller asks for, as a tl_select. */
#include "prim/select_stages.h"

static bool has(telar_array array)
{
    return array.buffer.id != 0;
}

static void check(tl_job *job, const telar_select_desc *desc)
{
    int rules = (desc->where != NULL) + has(desc->flags) + has(desc->bits);
    if (rules != 1) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "%d of where, flags and bits are given; one is needed", rules);
    } else if (!has(desc->out) && !has(desc->indices)) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "there is neither 'out' nor 'indices' to write");
    } else if (has(desc->out) && !has(desc->in)) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "'out' is given, but not 'in'");
    }
}

void tl_record_select_tuned(telar_record *record, const telar_prim *prim, const telar_select_desc *desc,
                            const tl_select_tuning *tuning)
{
    tl_select s = {.job = tl_job_begin(record, prim, "select", desc->length),
                   .tuning = *tuning,
                   .sets = 1,
                   .capacity = desc->capacity == 0 ? desc->length.count : desc->capacity,
                   .wgsl = desc->wgsl,
                   .where = {desc->where}};
    tl_job *job = &s.job;
    check(job, desc);
    s.way = desc->way;
    s.rule = has(desc->flags) ? TL_SELECT_FLAGS : has(desc->bits) ? TL_SELECT_BITS : TL_SELECT_WHERE;
    s.type = tl_job_type(job, desc->type);
    s.word = tl_job_type(job, (telar_type){0});
    if (has(desc->in)) s.in = tl_job_view(job, "in", &s.type, desc->in, desc->length.count);
    if (has(desc->flags)) s.flags = tl_job_view(job, "flags", &s.word, desc->flags, desc->length.count);
    if (has(desc->bits))
        s.flags = tl_job_view_whole(job, "bits", &s.word, desc->bits, telar_ceil_div(desc->length.count, 32));
    if (has(desc->out)) s.out = tl_job_view_whole(job, "out", &s.type, desc->out, s.capacity);
    if (has(desc->indices)) s.indices = tl_job_view_whole(job, "indices", &s.word, desc->indices, s.capacity);
    s.counts = tl_job_view_whole(job, "count", &s.word, desc->count, 1);
    tl_select_record(&s);
    tl_job_end(job);
}

void telar_record_select(telar_record *record, const telar_prim *prim, const telar_select_desc *desc)
{
    tl_record_select_tuned(record, prim, desc, &(tl_select_tuning){0});
}
