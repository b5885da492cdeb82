/* SPDX-License-Identifier: MIT
 *
 * sort: least digit first. A pass counts the digits of every tile, scans the counts, and scatters the tiles. */
#include "prim/sort.h"

/* A scratch array of as many elements, aligned and with room. */
static tl_view scratch_view(tl_job *job, const char *name, const tl_type_facts *type, uint64_t elements)
{
    uint64_t room_bytes = telar_ceil_div(elements * type->stride, 16) * 16;
    telar_array array = {.buffer = tl_job_scratch(job, name, room_bytes), .size_bytes = room_bytes};
    return tl_job_view_whole(job, name, type, array, elements);
}

static tl_type_facts words_type(tl_job *job, uint32_t words)
{
    return tl_job_type(job, (telar_type){.name = words == 2 ? "vec2<u32>" : "u32"});
}

static void make_keys(tl_sort *sort, const telar_sort_desc *desc)
{
    tl_job *job = sort->job;
    uint64_t n = desc->length.count;
    tl_type_facts type = words_type(job, tl_sort_key_words(&sort->key));
    sort->keys.in = tl_job_view(job, "in", &type, desc->in, n);
    sort->keys.sorted = tl_job_view(job, "out", &type, desc->out, n);
    sort->keys.other = scratch_view(job, "other keys", &type, n);
}

static void make_values(tl_sort *sort, const telar_sort_desc *desc)
{
    tl_job *job = sort->job;
    uint64_t n = desc->length.count;
    if (desc->values_out.buffer.id == 0) return;
    sort->value_words = desc->value_bytes == 8 ? 2 : 1;
    sort->values_are_indices = desc->values_in.buffer.id == 0;
    tl_type_facts type = words_type(job, sort->value_words);
    if (!sort->values_are_indices) sort->values.in = tl_job_view(job, "values_in", &type, desc->values_in, n);
    sort->values.sorted = tl_job_view(job, "values_out", &type, desc->values_out, n);
    sort->values.other = scratch_view(job, "other values", &type, n);
}

static void record_passes(tl_sort *sort, const telar_sort_desc *desc, const tl_sort_tuning *tuning)
{
    tl_job *job = sort->job;
    make_keys(sort, desc);
    make_values(sort, desc);
    sort->shape = tl_sort_shape_of(job, tl_sort_key_words(&sort->key) + sort->value_words, tuning);
    uint32_t end = desc->end_bit == 0 ? sort->key.bits : desc->end_bit;
    sort->passes = tl_sort_digits(desc->begin_bit, end, sort->shape.digit_bits, sort->digits);
    uint32_t tile = sort->shape.size * sort->shape.items, digits = 1u << sort->shape.digit_bits;
    sort->tiles = tl_job_tiling(job, (tl_tiling){.elements = tile});
    sort->values_tiling = tl_job_tiling(job, (tl_tiling){.elements = 1, .groups_max = digits});
    uint32_t row = sort->keys.other.type.row;
    sort->histogram_tiling =
        tl_job_tiling(job, (tl_tiling){.elements = sort->shape.histogram_size * sort->shape.histogram_rows * row,
                                       .groups_max = sort->shape.histogram_groups});
    sort->alone_tiling = tl_job_tiling(job, (tl_tiling){0});
    sort->fixed = tuning->fixed;
    sort->look_back = tuning->form == TL_SORT_FORM_LOOK_BACK;
    tl_job_prepare(job);
    uint64_t entries = tl_job_groups(job, sort->tiles) * digits;
    sort->passes_buffer = tl_job_scratch(job, "passes", sort->passes * tl_sort_pass_bytes(sort));
    sort->noted = tl_job_kept(job, "bits of the keys", 4 * 2 * tl_sort_key_words(&sort->key));
    if (sort->look_back) {
        sort->spine_bytes = 4 * (TL_SORT_SPINE_HEAD + entries);
        sort->spine = tl_job_scratch(job, "spines", sort->passes * sort->spine_bytes);
        sort->histogram = tl_job_kept(job, "histogram", 4 * sort->passes * digits);
        tl_sort_histogram(sort);
        tl_sort_totals(sort);
        for (uint32_t pass = 0; pass < sort->passes; pass++) tl_sort_scatter(sort, pass);
        return;
    }
    sort->counts = tl_job_scratch(job, "digit counts", 4 * entries);
    for (uint32_t pass = 0; pass < sort->passes; pass++) {
        tl_sort_count(sort, pass);
        tl_sort_scan(sort, pass);
        tl_sort_scatter(sort, pass);
    }
}

void tl_record_sort_tuned(telar_record *to, const telar_prim *prim, const telar_sort_desc *desc,
                          const tl_sort_tuning *tuning)
{
    tl_job job = tl_job_begin(to, prim, "sort", desc->length);
    tl_sort sort = {.job = &job, .key = tl_sort_key_of(desc->key, desc->descending)};
    if (!tl_job_failed(&job)) record_passes(&sort, desc, tuning);
    tl_job_end(&job);
}

void telar_record_sort(telar_record *record, const telar_prim *prim, const telar_sort_desc *desc)
{
    tl_record_sort_tuned(record, prim, desc, &(tl_sort_tuning){0});
}
