/* SPDX-License-Identifier: MIT
 *
 * sort, least digit first, in one of three forms:
 *
 *     small       one workgroup sorts all, where a tile holds all                       1 dispatch
 *     look-back   digits of all passes, their plan, then one dispatch a pass            2 + passes
 *     scan        each pass counts the digits of tiles, scans the counts, scatters      3 * passes
 *
 * Keys of 16 bits are sorted as words, and packed by one dispatch more. */
#include "prim/sort.h"

/* ---- What is asked for ------------------------------------------------------------------------------------------- */

typedef struct named_array {
    const char *name;
    telar_buffer buffer;
    bool written;
} named_array;

/* WebGPU has no buffer that is written in one binding and used in another. */
static void check_buffers(tl_job *job, const telar_sort_desc *desc)
{
    const named_array arrays[] = {{"in", desc->in.buffer, false},
                                  {"values_in", desc->values_in.buffer, false},
                                  {"out", desc->out.buffer, true},
                                  {"values_out", desc->values_out.buffer, true}};
    for (size_t k = 0; k < TL_COUNT(arrays); k++) {
        for (size_t j = 0; j < k; j++) {
            if (arrays[k].buffer.id == 0 || arrays[k].buffer.id != arrays[j].buffer.id) continue;
            if (!arrays[k].written) continue;
            tl_job_fail(job, TELAR_INVALID_ARGUMENT, "'%s' and '%s' are in one buffer; nothing is sorted in place",
                        arrays[j].name, arrays[k].name);
        }
    }
}

static void check_desc(tl_job *job, const telar_sort_desc *desc, const tl_sort_key *key)
{
    uint32_t end = desc->end_bit == 0 ? key->bits : desc->end_bit;
    if (key->bits == 0) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "key %d is none", (int)desc->key);
    } else if (end > key->bits || desc->begin_bit >= end) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "bits %u to %u are not a part of a key of %u bits", desc->begin_bit,
                    end, key->bits);
    } else if (desc->value_bytes != 0 && desc->value_bytes != 4 && desc->value_bytes != 8) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "values have 4 or 8 bytes, not %u", desc->value_bytes);
    } else if (desc->values_in.buffer.id != 0 && desc->values_out.buffer.id == 0) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "'values_in' has no 'values_out'");
    } else if (desc->values_in.buffer.id == 0 && desc->value_bytes == 8) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "indices have 4 bytes, not 8");
    } else if (desc->out.buffer.id == 0 && desc->values_out.buffer.id == 0) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "neither 'out' nor 'values_out' has a buffer");
    }
    check_buffers(job, desc);
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

static tl_type_facts words_type(tl_job *job, uint32_t words)
{
    return tl_job_type(job, (telar_type){.name = words == 2 ? "vec2<u32>" : "u32"});
}

/* An array that is bound as a whole. */
static tl_view whole_view(tl_job *job, const char *name, const tl_type_facts *type, telar_array array,
                          uint64_t elements)
{
    tl_view view = tl_job_view_whole(job, name, type, array, elements);
    uint64_t most_bytes = telar_usable_binding_bytes(job->prim->facts, 4);
    uint64_t size_bytes = view.bind.bind.size_bytes;
    if (!tl_job_failed(job) && size_bytes > most_bytes) {
        tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, size_bytes, most_bytes,
                          "'%s' takes %llu bytes, and one binding holds %llu", name, (unsigned long long)size_bytes,
                          (unsigned long long)most_bytes);
    }
    return view;
}

/* Scratch for as many elements, aligned and with room. */
static tl_view scratch_view(tl_job *job, const char *name, const tl_type_facts *type, uint64_t elements)
{
    uint64_t room_bytes = telar_ceil_div(elements * type->stride, 16) * 16;
    telar_array array = {.buffer = tl_job_scratch(job, name, elements, type->stride), .size_bytes = room_bytes};
    return whole_view(job, name, type, array, elements);
}

/* Two keys of 16 bits a word; the last word is there as a whole. */
static tl_view packed_view(tl_job *job, const char *name, const tl_type_facts *word, telar_array array, uint64_t keys)
{
    array.size_bytes = telar_ceil_div(array.size_bytes, 4) * 4;
    return whole_view(job, name, word, array, telar_ceil_div(keys, 2));
}

/* One pass alone ends where it shall. */
static uint64_t other_elements(const tl_sort *sort, uint64_t n)
{
    return sort->passes > 1 && sort->shape.form != TL_SORT_FORM_SMALL ? n : 1;
}

static void make_keys(tl_sort *sort, const telar_sort_desc *desc)
{
    tl_job *job = sort->job;
    uint64_t n = desc->length.count, other = other_elements(sort, desc->length.count);
    tl_type_facts type = words_type(job, tl_sort_key_words(&sort->key));
    bool packed = sort->key.bits == 16, out = desc->out.buffer.id != 0;
    sort->keys.in = (packed ? packed_view : whole_view)(job, "in", &type, desc->in, n);
    if (packed && out) sort->packed_out = packed_view(job, "out", &type, desc->out, n);
    if (packed || !out) sort->keys.sorted = scratch_view(job, "sorted keys", &type, n);
    else sort->keys.sorted = whole_view(job, "out", &type, desc->out, n);
    sort->keys.other = scratch_view(job, "other keys", &type, other);
    sort->packs = packed && out;
}

static void make_values(tl_sort *sort, const telar_sort_desc *desc)
{
    tl_job *job = sort->job;
    uint64_t n = desc->length.count, other = other_elements(sort, desc->length.count);
    if (sort->value_words == 0) return;
    tl_type_facts type = words_type(job, sort->value_words);
    if (!sort->values_are_indices) sort->values.in = whole_view(job, "values_in", &type, desc->values_in, n);
    sort->values.sorted = whole_view(job, "values_out", &type, desc->values_out, n);
    sort->values.other = scratch_view(job, "other values", &type, other);
}

/* ---- The forms --------------------------------------------------------------------------------------------------- */

static void record_scan(tl_sort *sort)
{
    for (uint32_t pass = 0; pass < sort->passes; pass++) {
        tl_sort_count(sort, pass);
        tl_sort_scan(sort, pass);
        tl_sort_scatter(sort, pass);
    }
}

static void record_look_back(tl_sort *sort)
{
    tl_sort_histogram(sort);
    tl_sort_totals(sort);
    for (uint32_t pass = 0; pass < sort->passes; pass++) tl_sort_scatter(sort, pass);
}

static void make_tilings(tl_sort *sort)
{
    tl_job *job = sort->job;
    const tl_sort_shape *shape = &sort->shape;
    uint64_t turn = (uint64_t)shape->histogram_size * shape->histogram_rows * sort->keys.in.type.row;
    if (sort->packs) sort->words = tl_job_tiling(job, (tl_tiling){.elements = 2 * (uint64_t)shape->scan_size});
    if (shape->form != TL_SORT_FORM_SCAN) sort->alone = tl_job_tiling(job, (tl_tiling){0});
    if (shape->form == TL_SORT_FORM_SMALL) return;
    sort->tiles = tl_job_tiling(job, (tl_tiling){.elements = tl_sort_tile(shape)});
    if (shape->form == TL_SORT_FORM_SCAN) {
        sort->rows = tl_job_tiling(job, (tl_tiling){.elements = 1, .groups_max = tl_sort_values(shape)});
    } else {
        sort->turns = tl_job_tiling(job, (tl_tiling){.elements = turn, .groups_max = shape->histogram_groups});
    }
}

static void make_scratch(tl_sort *sort)
{
    tl_job *job = sort->job;
    if (sort->shape.form == TL_SORT_FORM_SMALL) return;
    uint32_t values = tl_sort_values(&sort->shape);
    uint64_t entries = tl_job_groups(job, sort->tiles) * values;
    sort->records = tl_job_scratch(job, "passes", sort->passes, tl_sort_pass_bytes(sort));
    sort->noted = tl_job_kept(job, "bits of the keys", tl_sort_key_words(&sort->key), 8);
    if (sort->shape.form == TL_SORT_FORM_SCAN) {
        sort->counts = tl_job_scratch(job, "digit counts", entries, 4);
    } else {
        sort->spine_bytes = 4 * ((uint64_t)TL_SORT_SPINE_HEAD + entries);
        sort->spine = tl_job_scratch(job, "spines", sort->passes, sort->spine_bytes);
        sort->histogram = tl_job_kept(job, "histogram", (uint64_t)sort->passes * values, 4);
    }
}

static void record_form(tl_sort *sort)
{
    switch (sort->shape.form) {
    case TL_SORT_FORM_SMALL: tl_sort_small(sort); break;
    case TL_SORT_FORM_LOOK_BACK: record_look_back(sort); break;
    default: record_scan(sort); break;
    }
    if (sort->packs) tl_sort_pack(sort);
}

static void record_all(tl_sort *sort, const telar_sort_desc *desc, const tl_sort_tuning *tuning)
{
    tl_job *job = sort->job;
    check_desc(job, desc, &sort->key);
    if (tl_job_failed(job)) return;
    sort->begin_bit = desc->begin_bit;
    sort->end_bit = desc->end_bit == 0 ? sort->key.bits : desc->end_bit;
    if (desc->values_out.buffer.id != 0) sort->value_words = desc->value_bytes == 8 ? 2 : 1;
    sort->values_are_indices = desc->values_in.buffer.id == 0;
    sort->shape = tl_sort_shape_of(sort, tuning);
    sort->passes = tl_sort_digits(sort->begin_bit, sort->end_bit, sort->shape.digit_bits, sort->digits);
    make_keys(sort, desc);
    make_values(sort, desc);
    if (tl_job_failed(job)) return;
    make_tilings(sort);
    tl_job_prepare(job);
    make_scratch(sort);
    record_form(sort);
}

void tl_record_sort_tuned(telar_record *record, const telar_prim *prim, const telar_sort_desc *desc,
                          const tl_sort_tuning *tuning)
{
    tl_job job = tl_job_begin(record, prim, "sort", desc->length);
    tl_sort sort = {.job = &job, .key = tl_sort_key_of(desc->key, desc->descending), .fixed = tuning->fixed};
    record_all(&sort, desc, tuning);
    tl_job_end(&job);
}

void telar_record_sort(telar_record *record, const telar_prim *prim, const telar_sort_desc *desc)
{
    tl_record_sort_tuned(record, prim, desc, &(tl_sort_tuning){0});
}
