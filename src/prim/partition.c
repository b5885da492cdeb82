/* SPDX-License-Identifier: MIT
 *
 * partition: all elements, those of one set before those of another. */
#include "prim/select_stages.h"

static bool has(telar_array array)
{
    return array.buffer.id != 0;
}

void tl_record_partition_tuned(telar_record *record, const telar_prim *prim, const telar_partition_desc *desc,
                               const tl_select_tuning *tuning)
{
    uint64_t count = desc->length.count;
    tl_select s = {.job = tl_job_begin(record, prim, "partition", desc->length),
                   .tuning = *tuning,
                   .rule = has(desc->flags) ? TL_SELECT_FLAGS : TL_SELECT_WHERE,
                   .sets = desc->second == NULL ? 1 : 2,
                   .parted = true,
                   .capacity = count,
                   .wgsl = desc->wgsl,
                   .where = {desc->first, desc->second}};
    tl_job *job = &s.job;
    if ((desc->first != NULL) == has(desc->flags)) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "one of 'first' and 'flags' is needed");
    } else if (has(desc->flags) && desc->second != NULL) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "flags tell two parts apart; 'second' needs 'first'");
    }
    s.type = tl_job_type(job, desc->type);
    s.word = tl_job_type(job, (telar_type){0});
    s.in = tl_job_view(job, "in", &s.type, desc->in, count);
    if (has(desc->flags)) s.flags = tl_job_view(job, "flags", &s.word, desc->flags, count);
    s.out = tl_job_view_whole(job, "out", &s.type, desc->out, count);
    s.counts = tl_job_view_whole(job, "counts", &s.word, desc->counts, s.sets);
    tl_select_record(&s);
    tl_job_end(job);
}

void telar_record_partition(telar_record *record, const telar_prim *prim, const telar_partition_desc *desc)
{
    tl_record_partition_tuned(record, prim, desc, &(tl_select_tuning){0});
}
