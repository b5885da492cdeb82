/* SPDX-License-Identifier: MIT
 *
 * scan. A tile is scanned the same way in every kernel (kernels/scan_tiles.wgsl); what stands before it is found in one
 * of three:
 *
 *     alone           one workgroup goes through the tiles                                            1 dispatch
 *     deterministic   totals of the tiles; one workgroup scans them, alone; the tiles                 3 dispatches
 *     look-back       each tile looks at what earlier ones have posted                                1 dispatch */
#include "prim/scan.h"

#include "prim/prim.h"

#include <string.h>

typedef enum scan_way {
    ALONE,
    DETERMINISTIC,
    LOOK_BACK
} scan_way;

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

typedef struct tile_shape {
    uint32_t size; /* of a workgroup */
    uint32_t rows; /* of an invocation, each of type.row elements */
    uint32_t tile; /* elements */
} tile_shape;

/* The first row that fits is taken: from so many elements on, and not more invocations than the device has. H200,
 * wgpu-native 29.0.1.1, 2026-11-29, exclusive sums of u32 with CUB's time / ours. */
static const struct shape_row {
    scan_way way;
    uint64_t from;
    uint32_t size;
    uint32_t rows;
} shape_rows[] = {
    {LOOK_BACK, 1u << 26, 384, 8},     /* 2^28: 0.96 (256x16 0.82, 512x32 0.93, 1024x16 0.75) */
    {LOOK_BACK, 1u << 22, 512, 8},     /* 2^24: 0.98 */
    {LOOK_BACK, 0, 512, 4},            /* 2^20: 1.7 */
    {LOOK_BACK, 0, 256, 4},            /* 2^20: 1.7 */
    {DETERMINISTIC, 1u << 26, 512, 4}, /* 2^28: 0.92 (384x32 0.88, 1024x16 0.80) */
    {DETERMINISTIC, 0, 256, 4},        /* 2^20: 1.07 */
    {ALONE, 0, 512, 4},                /* not measured */
};

enum {
    CPU_SIZE = 64,
    ROW_BYTES_MAX = 256, /* of an invocation, in registers */
    ALONE_TURNS_MAX = 2, /* a turn takes about as long as a dispatch */
    ENTRIES = 64,        /* as in look_back_entries.wgsl */
    TICKETS_MAX = 1 << 18,
    POLLS = 4000 /* about 3 ms on an H200 */
};

static uint32_t memory_bytes(uint32_t size, uint32_t lanes, const tl_type_facts *type)
{
    return size / lanes * type->stride + 64;
}

static tile_shape shape_make(const tl_job *job, const tl_type_facts *type, uint32_t size, uint32_t rows)
{
    uint64_t limit = job->prim->facts->limits.maxComputeWorkgroupStorageSize;
    size = tl_device_workgroup_size(job->prim->facts, size);
    while (size > job->lanes && memory_bytes(size, job->lanes, type) > limit) size /= 2;
    while (rows > 1 && rows * type->row * type->stride > ROW_BYTES_MAX) rows /= 2;
    return (tile_shape){size, rows, size * rows * type->row};
}

static tile_shape shape_of(const tl_job *job, const tl_type_facts *type, scan_way way, const tl_scan_tuning *tuning)
{
    const telar_limits *limits = &job->prim->facts->limits;
    if (way != ALONE && tuning->size != 0) return shape_make(job, type, tuning->size, tuning->rows);
    if (tl_device_is_cpu(job->prim->facts)) return shape_make(job, type, CPU_SIZE, 4);
    for (size_t k = 0; k < TL_COUNT(shape_rows); k++) {
        const struct shape_row *row = &shape_rows[k];
        bool fits = row->size <= limits->maxComputeInvocationsPerWorkgroup && row->size % job->lanes == 0;
        if (row->way == way && job->length.count >= row->from && fits) {
            return shape_make(job, type, row->size, row->rows);
        }
    }
    return shape_make(job, type, 256, 4);
}

/* One workgroup over the totals: as few turns as there can be, and no more invocations than they need. */
static tile_shape spine_shape(const tl_job *job, const tl_type_facts *type, uint64_t totals,
                              const tl_scan_tuning *tuning)
{
    uint32_t size = tuning->spine_size;
    if (size == 0 && tl_device_is_cpu(job->prim->facts)) size = CPU_SIZE;
    for (uint32_t k = 128; size == 0 && k <= 1024; k *= 2) {
        if ((uint64_t)k * 4 * type->row >= totals || k == 1024) size = k;
    }
    return shape_make(job, type, size, 4);
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

typedef struct scan {
    tl_job job;
    const telar_scan_desc *desc;
    tl_scan_tuning tuning;
    tl_type_facts type;
    tl_view in, out, initial;
    bool in_place;
} scan;

enum {
    BINDS_MAX = 6
};

/* A kernel's text and its bindings, numbered as they are added. */
typedef struct stage {
    tl_text text;
    tl_stage_bind binds[BINDS_MAX];
    uint32_t binds_count;
} stage;

static void add_view(stage *to, const char *name, const tl_view *view, bool written)
{
    tl_text_view(&to->text, name, to->binds_count, view, written);
    to->binds[to->binds_count++] = view->bind;
}

/* `what` is the rest of its declaration. */
static void add_buffer(stage *to, telar_buffer buffer, const char *what)
{
    tl_text_format(&to->text, "@group(0) @binding(%u) var<storage, %s;\n", to->binds_count, what);
    to->binds[to->binds_count++] = tl_bind_whole(buffer);
}

static void launch(scan *s, stage *from)
{
    tl_kernel kernel = tl_text_end(&from->text);
    tl_job_launch(&s->job, &kernel, from->binds, from->binds_count);
}

/* What every kernel of a scan begins with: sizes, the type, what lanes and subgroups do. */
static stage stage_begin(scan *s, uint32_t tiling, const char *entry, tile_shape shape, const char *directives)
{
    stage made = {.text = tl_text_begin_directed(&s->job, tiling, entry, directives)};
    tl_text *text = &made.text;
    tl_text_u32(text, "WORKGROUP_SIZE", shape.size);
    tl_text_u32(text, "ROWS", shape.rows);
    tl_text_type(text, &s->type);
    tl_text_operator(text, &s->type, s->desc->op);
    tl_text_format(text, "const COMMUTES = %s;\n", s->desc->op.op == TELAR_OP_OWN ? "false" : "true");
    tl_text_add(text, tl_wgsl_lanes_in_order);
    tl_text_offsets(text, shape.size / s->job.lanes);
    return made;
}

static void add_elements(stage *to, bool inclusive)
{
    tl_text_format(&to->text, "const INCLUSIVE = %s;\n", inclusive ? "true" : "false");
    tl_text_add(&to->text, tl_wgsl_scan_elements);
}

/* The result, and the source that it may be in the place of. */
static void add_arrays(stage *to, const tl_view *source, const tl_view *result, bool in_place)
{
    add_view(to, "result", result, true);
    if (in_place) {
        tl_text_add(&to->text, "fn source_item(i: u32) -> T { return result_item(i); }\n"
                               "fn source_row(i: u32) -> array<T, ROW> { return result_row(i); }\n");
    } else {
        add_view(to, "source", source, source->bind.bind.buffer.id == result->bind.bind.buffer.id);
    }
}

static void add_initial(scan *s, stage *to)
{
    const telar_scan_desc *desc = s->desc;
    if (desc->initial_word.buffer.id != 0) {
        add_view(to, "initial_word", &s->initial, desc->initial_word.buffer.id == desc->out.buffer.id);
        tl_text_add(&to->text, "fn initial() -> A { return initial_word_item(0u); }\n");
    } else if (desc->initial != NULL) {
        tl_text_add(&to->text, "fn initial() -> A { return ");
        tl_text_add_own(&to->text, desc->initial);
        tl_text_add(&to->text, "; }\n");
    } else {
        tl_text_add(&to->text, "fn initial() -> A { return identity(); }\n");
    }
}

static void add_count(stage *to)
{
    tl_text_add(&to->text, "fn scan_count() -> u32 { return telar_launch.count.x; }\n");
}

/* ---- Ways -------------------------------------------------------------------------------------------------------- */

static void scan_alone(scan *s)
{
    tile_shape shape = shape_of(&s->job, &s->type, ALONE, &s->tuning);
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    stage made = stage_begin(s, alone, "scan_tiles", shape, "");
    add_arrays(&made, &s->in, &s->out, s->in_place);
    add_elements(&made, s->desc->inclusive);
    add_initial(s, &made);
    add_count(&made);
    tl_text_add(&made.text, tl_wgsl_scan_alone);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

static void scan_totals(scan *s, uint32_t tiling, tile_shape shape, telar_buffer partials)
{
    stage made = stage_begin(s, tiling, "scan_totals", shape, "");
    add_view(&made, "source", &s->in, false);
    add_buffer(&made, partials, "read_write> partials: array<A>");
    add_elements(&made, false);
    tl_text_add(&made.text, tl_wgsl_scan_totals);
    launch(s, &made);
}

static void scan_spine(scan *s, uint32_t tiling, tile_shape shape, telar_buffer partials, uint64_t totals)
{
    telar_array array = {.buffer = partials, .size_bytes = telar_ceil_div(totals * s->type.stride, 16) * 16};
    tl_view view = tl_job_view_whole(&s->job, "partials", &s->type, array, totals);
    stage made = stage_begin(s, tiling, "scan_tiles", spine_shape(&s->job, &s->type, totals, &s->tuning), "");
    add_arrays(&made, &view, &view, true);
    add_elements(&made, false);
    add_initial(s, &made);
    if (s->job.counted) {
        tl_text_format(&made.text,
                       "fn scan_count() -> u32 {\n    let count = telar_launch.count.x;\n"
                       "    return count / %uu + u32(count %% %uu != 0u);\n}\n",
                       shape.tile, shape.tile);
    } else {
        tl_text_format(&made.text, "fn scan_count() -> u32 { return %uu; }\n", (uint32_t)totals);
    }
    tl_text_add(&made.text, tl_wgsl_scan_alone);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

static void scan_prefixes(scan *s, uint32_t tiling, tile_shape shape, telar_buffer partials)
{
    stage made = stage_begin(s, tiling, "scan_tiles", shape, "");
    add_arrays(&made, &s->in, &s->out, s->in_place);
    add_buffer(&made, partials, "read> partials: array<A>");
    add_elements(&made, s->desc->inclusive);
    add_count(&made);
    tl_text_add(&made.text, tl_wgsl_scan_prefixes);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

static void scan_deterministic(scan *s)
{
    tile_shape shape = shape_of(&s->job, &s->type, DETERMINISTIC, &s->tuning);
    uint32_t tiles = tl_job_tiling(&s->job, (tl_tiling){.elements = shape.tile});
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    uint64_t totals = tl_job_groups(&s->job, tiles);
    telar_buffer partials = tl_job_scratch(&s->job, "partials", totals * s->type.stride);
    scan_totals(s, tiles, shape, partials);
    scan_spine(s, alone, shape, partials, totals);
    scan_prefixes(s, tiles, shape, partials);
}

static void scan_look_back(scan *s)
{
    tile_shape shape = shape_of(&s->job, &s->type, LOOK_BACK, &s->tuning);
    uint32_t tiles = tl_job_tiling(&s->job, (tl_tiling){.elements = shape.tile});
    tl_job_prepare(&s->job);
    uint64_t words = ENTRIES + 2 * tl_job_groups(&s->job, tiles);
    telar_buffer spine = tl_job_kept(&s->job, "spine", words * 4);
    /* Only the first subgroup looks back. Every other use of lanes stands in the kernels of the other ways too, where it
     * is checked. */
    stage made = stage_begin(s, tiles, "scan_tiles", shape, "diagnostic(off, subgroup_uniformity);\n");
    add_arrays(&made, &s->in, &s->out, false);
    add_buffer(&made, spine, "read_write> spine: array<atomic<u32>>");
    add_elements(&made, s->desc->inclusive);
    add_initial(s, &made);
    add_count(&made);
    tl_text_u32(&made.text, "POLLS", s->tuning.polls == 0 ? POLLS : s->tuning.polls);
    if (s->tuning.mute == 0) tl_text_add(&made.text, "fn posts(tile: u32) -> bool { return true; }\n");
    else tl_text_format(&made.text, "fn posts(tile: u32) -> bool { return tile %% %uu != 0u; }\n", s->tuning.mute);
    tl_text_add(&made.text, tl_wgsl_look_back_entries);
    tl_text_add(&made.text, tl_wgsl_scan_look_back);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

/* ---- The choice -------------------------------------------------------------------------------------------------- */

static bool same_array(const tl_view *a, const tl_view *b)
{
    return a->bind.bind.buffer.id == b->bind.bind.buffer.id && a->bind.bind.offset_bytes == b->bind.bind.offset_bytes &&
           a->first == b->first;
}

/* Why a look-back cannot be had; NULL: it can. */
static const char *against_look_back(const scan *s)
{
    const tl_type_facts *type = &s->type;
    tile_shape shape = shape_of(&s->job, type, LOOK_BACK, &s->tuning);
    if (!type->scalar || type->is_float) return "elements are not u32 or i32";
    if (s->job.counted) return "the length is on the GPU";
    if (s->in_place) return "it is in place";
    if (tl_job_windows(&s->job) > 1) return "the data exceed one binding";
    if (telar_ceil_div(s->job.length.count, shape.tile) > TICKETS_MAX) return "there are more than 2^18 tiles";
    if (s->job.lanes == 1) return "the device has no subgroups of one known size";
    if (!tl_device_has_progress(s->job.prim->facts)) return "the device is not known to let waiting workgroups go on";
    return NULL;
}

static scan_way choose(scan *s)
{
    const char *against = against_look_back(s);
    bool asked = s->desc->way == TELAR_SCAN_LOOK_BACK;
    tile_shape alone = shape_of(&s->job, &s->type, ALONE, &s->tuning);
    if (asked && against != NULL) tl_job_fail(&s->job, TELAR_UNSUPPORTED, "a look-back cannot be had: %s", against);
    bool tuned = s->tuning.size != 0;
    if (!tuned && s->job.length.count <= (uint64_t)ALONE_TURNS_MAX * alone.tile) return ALONE;
    return asked || (s->desc->way == TELAR_SCAN_AUTO && against == NULL) ? LOOK_BACK : DETERMINISTIC;
}

void tl_record_scan_tuned(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc,
                          const tl_scan_tuning *tuning)
{
    static void (*const ways[])(scan *) = {
        [ALONE] = scan_alone, [DETERMINISTIC] = scan_deterministic, [LOOK_BACK] = scan_look_back};
    scan s = {.job = tl_job_begin(record, prim, "scan", desc->length), .desc = desc, .tuning = *tuning};
    s.type = tl_job_type(&s.job, desc->type);
    s.in = tl_job_view(&s.job, "in", &s.type, desc->in, desc->length.count);
    s.out = tl_job_view(&s.job, "out", &s.type, desc->out, desc->length.count);
    s.in_place = same_array(&s.in, &s.out);
    if (desc->initial_word.buffer.id != 0) {
        s.initial = tl_job_view_whole(&s.job, "initial_word", &s.type, desc->initial_word, 1);
    }
    ways[choose(&s)](&s);
    tl_job_end(&s.job);
}

void telar_record_scan(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc)
{
    tl_record_scan_tuned(record, prim, desc, &(tl_scan_tuning){0});
}
