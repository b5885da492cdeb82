/* SPDX-License-Identifier: MIT
 *
 * reduce_segments and reduce_by_key: runs of elements are reduced by workgroups that each have a contiguous part, tile by tile,
 * or run by run where they are long; what is open where parts meet is joined by one workgroup more. On CPU adapters segments are
 * reduced apart. */
#include "prim/runs.h"
#include "prim/accumulator.h"

#include <string.h>

enum {
    /* Of CPU adapters: */
    CPU_SIZE = 16,
    CPU_EACH_MAX = 16,     /* segments of an invocation */
    CPU_INVOCATIONS = 256, /* that have segments, where there are enough */
    CPU_PART = 1024,       /* elements, at least */
    CPU_PARTS_MAX = TL_CPU_TURNS_MAX / 4,

    /* Of GPUs: what a workgroup takes for a segment besides its elements, in elements (a guess: as many as it reads while it
     * waits for an offset, for the first row and for a barrier). Segments that are longer on average are gone through. */
    SEGMENT_WORK = 1024,
};

typedef struct runs {
    tl_job job;
    tl_runs_tuning tuning;
    tl_accumulator accumulator;
    tl_view in, out, value, keys, keys_out, count, offsets, segments;
    bool has_value, has_keys_out;
    uint32_t tile; /* elements */
    uint32_t tiling, alone;
    uint32_t stretch_bytes; /* of a Stretch */
    uint64_t groups;
    telar_buffer stretches, counts;
} runs;

/* ---- How --------------------------------------------------------------------------------------------------------- */

/* On CPU adapters, where segments do not come here, few and small workgroups: a barrier costs more than the elements between
 * two (lavapipe, when they did: 2.4 ms for 2^16 elements in segments of 100, against 4.2 ms of 64x4 in as many workgroups as
 * there are tiles). H200, 2^28 and 2^24
 * elements, by segments of 100 and by key, us: tiles 128x4 in 16 workgroups a unit 675, 56 and 934, 78 (in 32: 620, 60 and 922,
 * 81; 256x4 in 8: 774, 61 and 973, 80); walk, segments of 10,000: 262, 26, as seven other shapes (512x4 300, 31). */
static const struct shape {
    uint32_t size, rows;
    uint32_t groups; /* of one unit */
    uint32_t units;  /* where they are not known; 0: there are as many groups on any device */
} cpu_tiles = {16, 8, 16, 0}, gpu_tiles = {128, 4, 16, 128}, gpu_walk = {128, 4, 8, 128};

static const struct shape *shape_of(const runs *r, tl_runs_way way)
{
    if (tl_device_is_cpu(r->job.prim->facts)) return &cpu_tiles;
    return way == TL_RUNS_WALK ? &gpu_walk : &gpu_tiles;
}

/* What is combined element by element is compiled as often as a tile has elements an invocation: by SwiftShader a mean, an
 * arg-min or a min-max by key in 2 rows in 0.4 to 0.5 s, in 8 in 2.8 to 3.8 s; a sum of words, in 8, in 1.9 s. */
static uint32_t rows_of(const runs *r, const struct shape *shape)
{
    uint32_t words = r->accumulator.words;
    if (!tl_device_is_cpu(r->job.prim->facts) || words <= 1) return shape->rows;
    return words >= shape->rows / words ? 1 : shape->rows / (words * words);
}

static void choose_tile(runs *r, tl_runs_tuning wanted, uint32_t element_bytes)
{
    const telar_facts *facts = r->job.prim->facts;
    const struct shape *shape = shape_of(r, wanted.way);
    uint64_t room = facts->limits.maxComputeWorkgroupStorageSize;
    tl_runs_tuning *tuning = &r->tuning;
    *tuning = wanted;
    if (tuning->size == 0) tuning->size = shape->size;
    if (tuning->rows == 0) tuning->rows = rows_of(r, shape);
    if (tuning->groups == 0)
        tuning->groups = shape->groups * (shape->units == 0 ? 1 : tl_device_units(facts, shape->units));
    tuning->groups = tl_device_groups(facts, tuning->groups);
    if (tuning->size < r->job.lanes) tuning->size = r->job.lanes;
    tuning->size = tl_device_workgroup_size(facts, tuning->size);
    /* Parts of subgroups, and what a tile marks: a third of a workgroup's memory is left to what we do not know of. */
    uint64_t a_row = (uint64_t)tuning->size * r->in.type.row * element_bytes;
    while (tuning->rows > 1 && 3 * a_row * tuning->rows > 2 * room) tuning->rows /= 2;
    while (tuning->size > r->job.lanes && (uint64_t)(tuning->size / r->job.lanes) * r->stretch_bytes > room / 4)
        tuning->size /= 2;
    r->tile = tuning->size * tuning->rows * r->in.type.row;
}

/* Of the kernel that joins stretches: one an invocation in workgroup memory. On a CPU adapter one does it all. */
static uint32_t carry_size(const runs *r)
{
    if (tl_device_is_cpu(r->job.prim->facts)) return 1;
    uint32_t size = tl_device_workgroup_size(r->job.prim->facts, 512);
    uint64_t room = r->job.prim->facts->limits.maxComputeWorkgroupStorageSize;
    while (size > r->job.lanes && (uint64_t)size * r->stretch_bytes > room / 2) size /= 2;
    return size;
}

static void refuse_windows(runs *r)
{
    if (r->job.length.count <= r->job.window_elements) return;
    tl_job_fail_limit(&r->job, TELAR_LIMIT_EXCEEDED, r->job.length.count, r->job.window_elements,
                      "%llu elements are more than one binding holds (%llu)", (unsigned long long)r->job.length.count,
                      (unsigned long long)r->job.window_elements);
}

static void plan(runs *r, tl_runs_tuning tuning, uint32_t mark_bytes)
{
    /* Two A and a word, each with room to its alignment. */
    r->stretch_bytes = 2 * r->accumulator.held.stride + 16;
    choose_tile(r, tuning, mark_bytes);
    r->tiling = tl_job_tiling(&r->job, (tl_tiling){.elements = r->tile, .groups_max = r->tuning.groups});
    r->alone = tl_job_tiling(&r->job, (tl_tiling){0});
    tl_job_prepare(&r->job);
    refuse_windows(r);
    r->groups = tl_job_groups(&r->job, r->tiling);
    r->stretches = tl_job_scratch(&r->job, "stretches", r->groups, r->stretch_bytes);
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

static tl_prim_stage stage_begin_of(runs *r, tl_job *job, uint32_t tiling, const char *name, uint32_t size)
{
    tl_prim_stage made = {.text = tl_text_begin(job, tiling, name)};
    tl_text_u32(&made.text, "WORKGROUP_SIZE", size);
    tl_text_u32(&made.text, "SUBGROUPS", size / r->job.lanes);
    tl_text_u32(&made.text, "ROWS", r->tuning.rows);
    tl_text_accumulator(&made.text, &r->accumulator);
    tl_text_add(&made.text, r->job.lanes == 1 ? tl_wgsl_runs_lanes_one : tl_wgsl_runs_lanes);
    tl_text_add(&made.text, tl_wgsl_runs_workgroup);
    return made;
}

static tl_prim_stage stage_begin(runs *r, uint32_t tiling, const char *name, uint32_t size)
{
    return stage_begin_of(r, &r->job, tiling, name, size);
}

/* fn store(k: u32, a: A): the result of run k. */
static void add_store(runs *r, tl_prim_stage *to)
{
    tl_stage_view(to, "result", &r->out, true);
    if (r->has_value) tl_stage_view(to, "extreme", &r->value, true);
    tl_text_format(&to->text, "fn store(k: u32, a: A) {\n    result_put(k, lower(a));\n%s}\n",
                   r->has_value ? "    extreme_put(k, arg_value(a.order));\n" : "");
}

/* That, and what joins stretches. */
static void add_join(runs *r, tl_prim_stage *to)
{
    add_store(r, to);
    tl_text_add(&to->text, tl_wgsl_runs_join);
    tl_stage_number(to, "STRETCHES", r->stretches);
}

static void add_stretches_count(runs *r, tl_prim_stage *to)
{
    tl_text_format(&to->text,
                   "fn stretches_count() -> u32 {\n"
                   "    let count = telar_launch.count.x;\n"
                   "    return min(count / %uu + u32(count %% %uu != 0u), %uu);\n"
                   "}\n",
                   r->tile, r->tile, r->tuning.groups);
}

/* ---- The arrays of both ------------------------------------------------------------------------------------------ */

static void add_elements(runs *r, telar_type type, const telar_reduction *reduction, telar_array in)
{
    tl_type_facts element = tl_job_type(&r->job, type);
    r->accumulator = tl_accumulator_of(&r->job, &element, reduction);
    r->in = tl_job_view(&r->job, "in", &element, in, r->job.length.count);
}

static void add_results(runs *r, telar_array out, telar_array value, uint64_t most)
{
    r->out = tl_job_view_whole(&r->job, "out", &r->accumulator.result, out, most);
    tl_job_keep_apart(&r->job, "out", &r->out, "in", &r->in);
    r->has_value = value.buffer.id != 0;
    if (!r->has_value) return;
    if (!tl_accumulator_has_value(&r->accumulator)) {
        tl_job_fail(&r->job, TELAR_INVALID_ARGUMENT, "'value' is for ARG_MIN and ARG_MAX");
    }
    r->value = tl_job_view_whole(&r->job, "value", &r->accumulator.value, value, most);
    tl_job_keep_apart(&r->job, "value", &r->value, "in", &r->in);
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/* fn segments_count() -> u32: no more than there is room for, whatever the count comes to. */
static void add_segments(runs *r, tl_prim_stage *to, const telar_length *length)
{
    const telar_count *count = &length->on_gpu;
    uint32_t most = (uint32_t)length->count;
    tl_stage_view(to, "offsets", &r->offsets, false);
    if (count->buffer.id == 0) {
        tl_text_format(&to->text, "fn segments_count() -> u32 { return %uu; }\n", most);
        return;
    }
    uint32_t divide = count->divide == 0 ? 1 : count->divide, multiply = count->multiply == 0 ? 1 : count->multiply;
    tl_stage_view(to, "segments", &r->segments, false);
    tl_text_format(&to->text,
                   "fn segments_count() -> u32 {\n"
                   "    let units = segments_item(0u) / %uu;\n"
                   "    return select(units * %uu, %uu, units > %uu);\n"
                   "}\n",
                   divide, multiply, most, most / multiply);
}

/* What both kernels of segments_apart begin with. */
static tl_prim_stage stage_of_segments(runs *r, tl_job *job, uint32_t tiling, const char *name,
                                       const telar_length *length, uint32_t part, telar_buffer parts)
{
    tl_prim_stage made = stage_begin_of(r, job, tiling, name, r->tuning.size);
    tl_text_u32(&made.text, "ELEMENTS", (uint32_t)r->job.length.count);
    tl_text_u32(&made.text, "PART", part);
    tl_text_u32(&made.text, "LONG", 2 * part);
    tl_stage_view(&made, "source", &r->in, false);
    add_store(r, &made);
    add_segments(r, &made, length);
    tl_text_u32(&made.text, "SEGMENTS_MOST", (uint32_t)length->count);
    tl_text_u32(&made.text, "SEGMENTS_HALF", tl_power_up_to(length->count));
    tl_text_add(&made.text, tl_wgsl_segments_found);
    tl_text_choice(&made.text, "chosen", "A", &r->accumulator.held);
    tl_text_add(&made.text, r->in.rows ? tl_wgsl_segments_reduced_rows : tl_wgsl_segments_reduced);
    tl_stage_number(&made, "PARTS", parts);
    return made;
}

/* Over parts and segments, not over elements. */
static void launch_segments_each(runs *r, const telar_length *length, uint32_t part, uint64_t parts_count,
                                 telar_buffer parts)
{
    uint32_t each_count = CPU_EACH_MAX;
    while (each_count > 1 &&
           (length->count / each_count < CPU_INVOCATIONS || 2 * (uint64_t)part * each_count > TL_CPU_TURNS_MAX)) {
        each_count /= 2;
    }
    const telar_length invocations = {.count = parts_count + telar_ceil_div(length->count, each_count)};
    tl_job job = tl_job_begin(r->job.record, r->job.prim, r->job.name, invocations);
    uint32_t tiling = tl_job_tiling(&job, (tl_tiling){.elements = r->tuning.size});
    tl_job_prepare(&job);
    tl_prim_stage each = stage_of_segments(r, &job, tiling, "segments_each", length, part, parts);
    tl_text_u32(&each.text, "EACH", each_count);
    tl_text_u32(&each.text, "PARTS_COUNT", (uint32_t)parts_count);
    tl_text_add(&each.text, tl_wgsl_segments_each);
    tl_stage_launch(&each);
    tl_job_end(&job);
}

/* On a CPU adapter invocations run one after the other, and a barrier costs as much as many elements: an invocation has a
 * few segments, or a part of a long one, by rows of four where it can. The textbook's time / ours at 2^16 elements in segments of 10,
 * 100 and 10000, wgpu-native 29.0.1.1, 2026-11-30: lavapipe 1.6, 1.7 and 3.0, SwiftShader 1.6, 2.5 and 6.1; of runs_tiles 0.07 to
 * 0.17 and 0.01 to 0.09. */
static void reduce_segments_apart(runs *r, const telar_length *length)
{
    uint64_t count = r->job.length.count;
    uint32_t part = CPU_PART;
    while (telar_ceil_div(count, part) > CPU_PARTS_MAX) part *= 2;
    r->tuning.size = tl_device_workgroup_size(r->job.prim->facts, CPU_SIZE);
    uint64_t parts_count = telar_ceil_div(count, part);
    uint32_t tiling = tl_job_tiling(&r->job, (tl_tiling){.elements = 2 * (uint64_t)part * r->tuning.size});
    refuse_windows(r);
    tl_job_prepare(&r->job);
    telar_buffer parts = tl_job_scratch(&r->job, "parts", parts_count, r->accumulator.held.stride);
    launch_segments_each(r, length, part, parts_count, parts);
    tl_prim_stage rest = stage_of_segments(r, &r->job, tiling, "segments_long", length, part, parts);
    tl_text_add(&rest.text, tl_wgsl_segments_long);
    tl_stage_launch(&rest);
}

static void add_offsets(runs *r, tl_prim_stage *to, const telar_length *length)
{
    add_segments(r, to, length);
    tl_text_add(&to->text, tl_wgsl_segments_search);
}

static void reduce_segments_by_tiles(runs *r, const telar_length *length)
{
    tl_prim_stage tiles = stage_begin(r, r->tiling, "runs_tiles", r->tuning.size);
    tl_stage_view(&tiles, "source", &r->in, false);
    add_join(r, &tiles);
    add_offsets(r, &tiles, length);
    tl_text_add(&tiles.text, tl_wgsl_runs_of_offsets);
    tl_text_add(&tiles.text, tl_wgsl_runs_tiles);
    tl_stage_launch(&tiles);
}

static void reduce_segments_by_walk(runs *r, const telar_length *length)
{
    tl_prim_stage walk = stage_begin(r, r->tiling, "segments_walk", r->tuning.size);
    tl_text_u32(&walk.text, "SEGMENT_WORK", SEGMENT_WORK);
    tl_text_add(&walk.text, tl_wgsl_workgroup_total);
    tl_stage_view(&walk, "source", &r->in, false);
    add_join(r, &walk);
    add_offsets(r, &walk, length);
    tl_text_add(&walk.text, tl_wgsl_segments_walk);
    tl_stage_launch(&walk);
}

/* The kernel counts the elements and the work for segments in 32 bits. */
static bool are_long(const runs *r, const telar_length *length)
{
    uint64_t work = (uint64_t)SEGMENT_WORK * length->count;
    return r->job.length.count >= work && r->job.length.count + work <= UINT32_MAX / 2;
}

static void reduce_segments(runs *r, const telar_length *length, tl_runs_tuning tuning)
{
    if (tuning.way == TL_RUNS_CHOSEN) tuning.way = are_long(r, length) ? TL_RUNS_WALK : TL_RUNS_TILES;
    bool walks = tuning.way == TL_RUNS_WALK;
    plan(r, tuning, walks ? 0 : 4);
    if (length->count == 0) return;
    if (walks) reduce_segments_by_walk(r, length);
    else reduce_segments_by_tiles(r, length);

    tl_prim_stage carry = stage_begin(r, r->alone, "runs_carry", carry_size(r));
    add_join(r, &carry);
    add_stretches_count(r, &carry);
    tl_text_add(&carry.text, "fn carry_end(groups: u32, local: u32) {}\n");
    tl_text_add(&carry.text, tl_wgsl_runs_carry);
    tl_stage_launch(&carry);
}

/* Without elements every segment is empty. */
static void reduce_no_segments(telar_record *record, const telar_prim *prim, const telar_reduce_segments_desc *desc)
{
    runs r = {.job = tl_job_begin(record, prim, "reduce_segments", desc->length)};
    tl_type_facts element = tl_job_type(&r.job, desc->type);
    r.accumulator = tl_accumulator_of(&r.job, &element, &desc->reduction);
    add_results(&r, desc->out, desc->value, desc->length.count);
    uint32_t size = tl_device_workgroup_size(prim->facts, 256);
    uint32_t tiling = tl_job_tiling(&r.job, (tl_tiling){.elements = size});
    tl_job_prepare(&r.job);
    tl_prim_stage none = stage_begin(&r, tiling, "runs_none", size);
    add_store(&r, &none);
    tl_text_add(&none.text, tl_wgsl_runs_none);
    tl_stage_launch(&none);
    tl_job_end(&r.job);
}

void tl_record_reduce_segments(telar_record *record, const telar_prim *prim, const telar_reduce_segments_desc *desc,
                               tl_runs_tuning tuning)
{
    const telar_type word = {.name = "u32"};
    if (desc->in_count == 0) {
        reduce_no_segments(record, prim, desc);
        return;
    }
    runs r = {.job = tl_job_begin(record, prim, "reduce_segments", (telar_length){.count = desc->in_count})};
    tl_type_facts u32 = tl_job_type(&r.job, word);
    add_elements(&r, desc->type, &desc->reduction, desc->in);
    add_results(&r, desc->out, desc->value, desc->length.count);
    r.offsets = tl_job_view_whole(&r.job, "offsets", &u32, desc->offsets, desc->length.count + 1);
    if (desc->length.on_gpu.buffer.id != 0) {
        telar_array count = {.buffer = desc->length.on_gpu.buffer, .offset_bytes = desc->length.on_gpu.offset_bytes};
        r.segments = tl_job_view_whole(&r.job, "length", &u32, count, 1);
    }
    if (tl_device_is_cpu(prim->facts)) reduce_segments_apart(&r, &desc->length);
    else reduce_segments(&r, &desc->length, tuning);
    tl_job_end(&r.job);
}

void telar_record_reduce_segments(telar_record *record, const telar_prim *prim, const telar_reduce_segments_desc *desc)
{
    tl_record_reduce_segments(record, prim, desc, (tl_runs_tuning){0});
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

/* fn keys_of_row(row: u32) -> array<K, ROW>, by rows of the elements' type: they hold other numbers than the keys' own
 * where these are larger or smaller. */
static void print_keys_of_row(runs *r, tl_prim_stage *to, const char *key)
{
    tl_text_format(&to->text, "fn keys_of_row(row: u32) -> array<%s, ROW> { return ", key);
    if (r->keys.type.row == r->in.type.row) {
        tl_text_add(&to->text, "keys_row(row); }\n");
        return;
    }
    tl_text_format(&to->text, "array<%s, ROW>(", key);
    for (uint32_t k = 0; k < r->in.type.row; k++) {
        tl_text_format(&to->text, "%skeys_item(row * ROW + %uu)", k == 0 ? "" : ", ", k);
    }
    tl_text_add(&to->text, "); }\n");
}

static void add_keys(runs *r, tl_prim_stage *to)
{
    bool same_type = strcmp(r->keys.type.type.name, r->in.type.type.name) == 0;
    const char *key = same_type ? "T" : r->keys.type.type.name;
    tl_stage_view(to, "keys", &r->keys, false);
    tl_text_format(&to->text, "fn same(a: %s, b: %s) -> bool { return %s; }\n", key, key,
                   r->keys.type.components > 1 ? "all(a == b)" : "a == b");
    print_keys_of_row(r, to, key);
    tl_text_add(&to->text, tl_wgsl_runs_of_keys);
}

static void count_runs(runs *r)
{
    tl_prim_stage count = stage_begin(r, r->tiling, "runs_count", r->tuning.size);
    add_keys(r, &count);
    tl_stage_number(&count, "COUNTS", r->counts);
    tl_text_add(&count.text, tl_wgsl_runs_count);
    tl_stage_launch(&count);
}

static void reduce_by_key(runs *r)
{
    tl_prim_stage tiles = stage_begin(r, r->tiling, "runs_tiles", r->tuning.size);
    tl_stage_view(&tiles, "source", &r->in, false);
    add_join(r, &tiles);
    add_keys(r, &tiles);
    if (r->has_keys_out) tl_stage_view(&tiles, "unique", &r->keys_out, true);
    tl_text_format(&tiles.text, "fn begin_run(run: u32, i: u32) {%s}\n",
                   r->has_keys_out ? " unique_put(run, keys_item(i)); " : "");
    tl_stage_number(&tiles, "COUNTS", r->counts);
    tl_text_add(&tiles.text, tl_wgsl_runs_ranked);
    tl_text_add(&tiles.text, tl_wgsl_runs_tiles);
    tl_stage_launch(&tiles);

    tl_prim_stage carry = stage_begin(r, r->alone, "runs_carry", carry_size(r));
    add_join(r, &carry);
    add_stretches_count(r, &carry);
    tl_stage_view(&carry, "count", &r->count, true);
    tl_stage_number(&carry, "COUNTS", r->counts);
    tl_text_add(&carry.text, tl_wgsl_runs_ranked);
    tl_text_add(&carry.text, "fn carry_end(groups: u32, local: u32) {\n"
                             "    let runs = runs_in(groups, local);\n"
                             "    if (local == 0u) { count_put(0u, runs); }\n"
                             "}\n");
    tl_text_add(&carry.text, tl_wgsl_runs_carry);
    tl_stage_launch(&carry);
}

void tl_record_reduce_by_key(telar_record *record, const telar_prim *prim, const telar_reduce_by_key_desc *desc,
                             tl_runs_tuning tuning)
{
    runs r = {.job = tl_job_begin(record, prim, "reduce_by_key", desc->length)};
    tl_type_facts u32 = tl_job_type(&r.job, (telar_type){.name = "u32"});
    tl_type_facts key = tl_job_type(&r.job, desc->key_type);
    if (!tl_job_failed(&r.job) && key.components == 0) {
        tl_job_fail(&r.job, TELAR_UNSUPPORTED, "keys are numbers or vectors, not '%s'", key.type.name);
    }
    add_elements(&r, desc->type, &desc->reduction, desc->in);
    add_results(&r, desc->out, desc->value, desc->length.count);
    r.keys = tl_job_view(&r.job, "keys", &key, desc->keys, desc->length.count);
    r.has_keys_out = desc->keys_out.buffer.id != 0;
    if (r.has_keys_out) {
        r.keys_out = tl_job_view_whole(&r.job, "keys_out", &key, desc->keys_out, desc->length.count);
    }
    r.count = tl_job_view_whole(&r.job, "count", &u32, desc->count, 1);
    plan(&r, tuning, 0);
    r.counts = tl_job_scratch(&r.job, "counts", r.groups, 4);
    count_runs(&r);
    reduce_by_key(&r);
    tl_job_end(&r.job);
}

void telar_record_reduce_by_key(telar_record *record, const telar_prim *prim, const telar_reduce_by_key_desc *desc)
{
    tl_record_reduce_by_key(record, prim, desc, (tl_runs_tuning){0});
}
